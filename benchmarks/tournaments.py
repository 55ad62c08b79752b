"""How fast tournaments are played: `python -m benchmarks.tournaments [--repeats N]`.

Sit-and-gos of eight with six compiled strategies, fields of 180, 1,000 and 100,000 on one core, and the memory that
the last take beyond that of a sit-and-go.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measuring import Row
from razz_sim.batch.tournaments import TournamentLoop
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Batch, Scenario

LINEUP = ("tight", "stealer", "loose_passive", "rock", "random", "caller")


@dataclass(frozen=True, slots=True)
class Kind:
    """What is measured: so many players, a structure, how they are paid, and the least that is asked a second."""

    field: int
    levels: str
    payouts: object
    stack: int
    to_reach: str


KINDS = (
    Kind(8, "turbo", [50, 30, 20], 1500, "> 2,500 a second"),
    Kind(180, "daily", "top15", 5000, ""),
    Kind(1_000, "daily", "top15", 5000, "< 0.5 s"),
    Kind(100_000, "daily", "top15", 5000, "< 100 MB"),
)


def scenario(kind: Kind) -> Scenario:
    """A scenario of such tournaments, as many as a row may ask for."""
    share, rest = divmod(kind.field, len(LINEUP))
    lineup = [{"strategy": name, "seats": share + (place < rest)} for place, name in enumerate(LINEUP)]
    asked = {
        "name": "benchmark",
        "seed": 7,
        "format": "tournament",
        "tournaments": 100_000,
        "starting_stack": kind.stack,
        "levels": kind.levels,
        "payouts": kind.payouts,
        "buy_in": {"prize": 100, "fee": 10},
        "lineup": [one for one in lineup if one["seats"]],
    }
    return experiment_from_dict(asked, Path()).experiment.scenarios[0]


def row(kind: Kind) -> tuple[Row, Scenario]:
    """Tournaments of a kind, to be measured; hands are counted inside."""
    played = scenario(kind)
    loop = TournamentLoop(played, seed=7)

    def play(count: int) -> int:
        counted = loop.play(Batch(0, 0, 0, count, 0))
        return int(counted.table[1])

    return Row(f"{kind.field:,} players, {kind.levels}", "tournaments", play), played


def memory(field: int) -> float:
    """What a process that plays one tournament takes at most, in MB."""
    code = f"from benchmarks.tournaments import KINDS, play_one; play_one(next(k for k in KINDS if k.field == {field}))"
    return float(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)


def play_one(kind: Kind) -> None:
    """Play one tournament and print what the process took at most, in MB."""
    measured, _ = row(kind)
    measured.work(1)
    status = Path("/proc/self/status").read_text(encoding="ascii")
    print(next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024)


def lines(repeats: int) -> Iterator[str]:
    """A table in Markdown, then the memory."""
    yield "| field | structure | tournaments/s | seconds each | hands each | hands/s | to reach |"
    yield "|--:|---|--:|--:|--:|--:|---|"
    for kind in KINDS:
        measured, _ = row(kind)
        if kind.field > 1_000:
            measured.units = 1
        else:
            measured.calibrate(0.5)
        for _ in range(repeats if kind.field <= 1_000 else 1):
            measured.measure()
        each, hands = 1 / measured.best, measured.inner_per_unit
        rate = f"{measured.best:,.1f}" if measured.best >= 1 else f"{measured.best:.2f}"
        yield (
            f"| {kind.field:,} | {kind.levels} | {rate} | {each:.5f} | {hands:,.0f} "
            f"| {hands * measured.best:,.0f} | {kind.to_reach} |"
        )
    small, large = memory(KINDS[0].field), memory(KINDS[-1].field)
    yield ""
    more = f"{large - small:,.0f} MB more for 100,000"
    yield f"A process that plays one tournament takes {small:,.0f} MB for 8 players, {more}."


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tournaments", description="How fast tournaments are.")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="of each figure (5)")
    for line in lines(parser.parse_args().repeats):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
