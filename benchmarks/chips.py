"""How long the independent chip model takes: `python -m benchmarks.chips [--repeats N]`.

The exact answer for 9, 12 and 15 players, as compiled code has it and as a call of `icm` from Python, which checks
its input, takes; for 100 and 1,000 players the integral and 20,000 sampled finishing orders, with the largest error.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks.measuring import Row
from razz_sim.tournament import icm, integrated_icm, sampled_icm
from razz_sim.tournament.icm import icm_into, new_room

EXACT = ((9, 3), (9, 9), (12, 5), (15, 3), (15, 15))
SAMPLED = ((100, 15), (1000, 150))


def field(players: int, paid: int) -> tuple[np.ndarray, list[int]]:
    """Uneven stacks, and prizes that fall as the places."""
    stacks = np.random.default_rng(1).integers(100, 10_000, players)
    return stacks, [1_000_000 // place for place in range(1, paid + 1)]


def microseconds(work: Callable[[], object], repeats: int) -> float:
    """What one call takes in the best of so many repeats."""

    def often(calls: int) -> int:
        for _ in range(calls):
            work()
        return 0

    row = Row("", "calls", often)
    row.calibrate(0.2)
    for _ in range(repeats):
        row.measure()
    return 1e6 / row.best


def lines(repeats: int) -> Iterator[str]:
    """Two tables in Markdown."""
    yield "| players | paid | compiled, µs | `icm`, µs |"
    yield "|--:|--:|--:|--:|"
    for players, paid in EXACT:
        stacks, prizes = field(players, paid)
        given = (stacks, np.array(prizes, dtype=float), new_room(players), np.empty((paid, players)), np.empty(players))
        inside = microseconds(lambda given=given: icm_into(*given), repeats)  # type: ignore[misc]
        outside = microseconds(lambda asked=(stacks, prizes): icm(*asked), repeats)  # type: ignore[misc]
        yield f"| {players} | {paid} | {inside:,.1f} | {outside:,.1f} |"
    yield ""
    yield "| players | paid | integral, ms | 20,000 orders, ms | largest 95 % interval, % of the pool |"
    yield "|--:|--:|--:|--:|--:|"
    for players, paid in SAMPLED:
        stacks, prizes = field(players, paid)
        whole = microseconds(lambda asked=(stacks, prizes): integrated_icm(*asked), repeats)  # type: ignore[misc]
        taken = microseconds(lambda asked=(stacks, prizes): sampled_icm(*asked), repeats)  # type: ignore[misc]
        low, high = sampled_icm(stacks, prizes).ci95.T
        error = f"± {50 * np.nanmax(high - low) / sum(prizes):.5f}"
        yield f"| {players:,} | {paid} | {whole / 1000:,.1f} | {taken / 1000:,.0f} | {error} |"


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.chips", description="How long the chip model takes.")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="of each figure (5)")
    for line in lines(parser.parse_args().repeats):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
