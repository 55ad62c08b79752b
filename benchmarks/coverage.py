"""Are the errors honest? `python -m benchmarks.coverage [--runs N] [--seed N]`.

Many short runs, each with a seed of its own, of games whose true values are known: how often the 95 % interval of each
figure holds the true one. 10,000 runs take some ten minutes on a core; with so many, a coverage of 95 % is measured to
within 0.43 points (two standard errors).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from razz_sim.batch import Loop
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Experiment, Scenario
from razz_sim.statistics import Interval, share, win_rates
from razz_sim.tally import Tally

RUNS = 10_000
STAKES: dict[str, Any] = {"ante": "0.20", "bring_in": 1, "small_bet": 2, "big_bet": 4}
Figure = Callable[[Scenario, Tally], tuple[Interval | None, float]]
"""The interval of a figure of the first entrant, and its true value."""


@dataclass(frozen=True, slots=True)
class Game:
    """An experiment, and the figures of it that are known exactly."""

    experiment: Experiment
    figures: Mapping[str, Figure]


def game(figures: Mapping[str, Figure], hands: int, lineup: Sequence[Mapping[str, Any]], **keys: Any) -> Game:
    """A game of so many hands at 2/4."""
    asked = {"name": "coverage", "hands": hands, "stakes": STAKES, "lineup": list(lineup), **keys}
    return Game(experiment_from_dict(asked, Path()).experiment, figures)


def real(scenario: Scenario, tally: Tally) -> tuple[Interval | None, float]:
    """The win rate of one of two equal strategies without rake, who win nothing."""
    return win_rates(scenario, tally, 0).real.ci95, 0.0


def adjusted(scenario: Scenario, tally: Tally) -> tuple[Interval | None, float]:
    """The same with expected winnings in all-in hands."""
    return win_rates(scenario, tally, 0).adjusted.ci95, 0.0


def raked(scenario: Scenario, tally: Tally) -> tuple[Interval | None, float]:
    """The win rate where nobody folds or raises: each seat loses its part of the rake of a pot that never changes."""
    stakes = scenario.stakes
    pot = scenario.seats * (stakes.ante + stakes.bring_in)
    taken = int(pot * stakes.rake.percent / 100) // stakes.chip * stakes.chip if stakes.rake is not None else 0
    return win_rates(scenario, tally, 0).real.ci95, -100 * taken / scenario.seats / stakes.big_bet


def brought_in(scenario: Scenario, tally: Tally) -> tuple[Interval | None, float]:
    """How often an entrant in one seat pays the bring-in where nobody completes: each seat has the same chance."""
    paid, hands = tally.entrant_total(0, "brought_in"), tally.entrant_total(0, "hands")
    return share(paid, hands).ci95, 1 / scenario.seats


def games() -> Mapping[str, Game]:
    """By what is played, in the words of the documentation."""
    rates = {"win rate": real, "all-in adjusted": adjusted}
    one_of_six: list[dict[str, Any]] = [
        {"name": "hero", "strategy": "caller"},
        {"name": "others", "strategy": "caller", "seats": 5},
    ]

    def equal(strategy: str, seats: int) -> list[dict[str, Any]]:
        return [{"name": name, "strategy": strategy, "seats": seats} for name in ("north", "south")]

    return {
        "six callers, 5 % rake, 1,000 hands": game(
            {"win rate": raked, "pays the bring-in": brought_in},
            1000,
            one_of_six,
            stakes={**STAKES, "rake": {"percent": 5, "cap": 2}},
        ),
        "equal `tight`, 2 x 3 seats, 1,000 hands": game(rates, 1000, equal("tight", 3)),
        "equal `random`, heads-up, 1,000 hands": game(rates, 1000, equal("random", 1)),
        "equal `maniac`, 5 big bets each, 1,000 hands": game(rates, 1000, equal("maniac", 2), stack=5),
        "equal `stealer`, 600 sessions of 10": game(rates, 6000, equal("stealer", 2), session={"hands": 10}),
        "equal `tight`, 300 sessions of 12, 4 big bets carried": game(
            rates, 3600, equal("tight", 2), stack=4, session={"hands": 12, "stacks": "carry"}
        ),
    }


def totals_of(experiment: Experiment, seed: int) -> Tally:
    """What a run of this seed counts."""
    scenario = experiment.scenarios[0]
    loop, tally = Loop(scenario, seed), scenario.tally()
    for batch in experiment.batches(scenario.hands):
        loop.play(batch).add_to(tally)
    return tally


def coverage(asked: Game, runs: int, seed: int) -> Mapping[str, int]:
    """In how many runs the interval of each figure holds the true value."""
    held = dict.fromkeys(asked.figures, 0)
    for number in range(runs):
        tally = totals_of(asked.experiment, seed + number)
        for name, figure in asked.figures.items():
            interval, true = figure(asked.experiment.scenarios[0], tally)
            held[name] += interval is not None and interval[0] <= true <= interval[1]
    return held


def lines(runs: int, seed: int) -> Iterator[str]:
    """A table in Markdown."""
    yield "| game | figure | runs | covered |"
    yield "|---|---|--:|--:|"
    for name, asked in games().items():
        for figure, held in coverage(asked, runs, seed).items():
            yield f"| {name} | {figure} | {runs:,} | {100 * held / runs:.2f} % |"


def tell(
    lines: Callable[[int, int], Iterator[str]], of: str, name: str, about: str, arguments: Sequence[str] | None = None
) -> int:
    """Measure with as many runs as the command line asks for, and print it."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=about)
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"of each {of} ({RUNS})")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the first run (1)")
    options = parser.parse_args(arguments)
    for line in lines(options.runs, options.seed):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(tell(lines, "game", "coverage", "How honest the intervals are."))
