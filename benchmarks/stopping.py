"""Do stopping rules keep their promises? `python -m benchmarks.stopping [--runs N] [--seed N]`.

Many runs, each with a seed of its own, of games in which the true difference is known: lotteries with exact values,
equal strategies, and a pair whose difference was measured over tens of millions of other hands. How often a test errs,
the anytime interval misses the truth at any look, and the interval of a difference misses it where that stopped. 10,000
runs take some ten minutes on a core.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.coverage import STAKES, tell
from benchmarks.verdicts import TRUTH_HANDS, TRUTH_SEED, at_least, tally_of
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Experiment, bin_size
from razz_sim.stages import StopRule, looks
from razz_sim.statistics.estimates import Estimate, student_point
from razz_sim.statistics.stopping import Known, Look, look
from razz_sim.tally import ENTRANT_COLUMNS

_NET = ENTRANT_COLUMNS.index("net")
LOTTERY_BLOCKS = 16_384
HANDS = 16_384


@dataclass(frozen=True, slots=True)
class Game:
    """So many blocks, whose differences `play` draws by a seed: the sum of each full bin, in which they are equal.

    `true` is the expected difference of a block, `spread` its standard deviation, roughly.
    """

    blocks: int
    play: Callable[[int], np.ndarray]
    true: Callable[[], float]
    spread: float


def lottery(chance: float, prize: int) -> Game:
    """A block wins `prize` with this chance and loses 1 otherwise."""
    size = bin_size(LOTTERY_BLOCKS)

    def play(seed: int) -> np.ndarray:
        won = np.random.default_rng(seed).binomial(size, chance, LOTTERY_BLOCKS // size)
        return won * (prize + 1) - size

    spread = (prize + 1) * float(np.sqrt(chance * (1 - chance)))
    return Game(LOTTERY_BLOCKS, play, lambda: chance * (prize + 1) - 1, spread)


def heads_up(one: str, other: str, spread: float) -> Game:
    """Two strategies at 2/4, each deal in both seats; the difference is in smallest units a block."""
    lineup = [{"name": f"1 {one}", "strategy": one}, {"name": f"2 {other}", "strategy": other}]
    asked = {"name": "stopping", "hands": HANDS, "stakes": STAKES, "format": "round_robin", "lineup": lineup}
    experiment = experiment_from_dict(asked, Path()).experiment

    def play(seed: int) -> np.ndarray:
        return _differences(experiment, seed)

    def true() -> float:
        return 0.0 if one == other else _measured(experiment)

    return Game(experiment.scenarios[0].blocks, play, true, spread)


def _differences(experiment: Experiment, seed: int) -> np.ndarray:
    """What the first won more than the second, bin by bin."""
    nets = tally_of(experiment, 0, seed).entrants[:, :, _NET]
    more: np.ndarray = nets[:, 0] - nets[:, 1]
    return more


@cache
def _measured(experiment: Experiment) -> float:
    (scenario,) = experiment.scenarios
    longer = replace(experiment, scenarios=(replace(scenario, hands=TRUTH_HANDS),))
    return float(_differences(longer, TRUTH_SEED).sum()) / longer.scenarios[0].blocks


def games() -> Mapping[str, Game]:
    """By what is played, in the words of the documentation."""
    return {
        "a fair coin": lottery(1 / 2, 1),
        "a lottery, 1 in 20 wins 21": lottery(1 / 20, 21),
        "a lottery, 1 in 100 wins 100": lottery(1 / 100, 100),
        "two equal `random`": heads_up("random", "random", 1500.0),
        "`tight` and `caller`": heads_up("tight", "caller", 1200.0),
    }


def prefixes(game: Game, sums: np.ndarray) -> list[Known]:
    """At each look the mean difference of a block so far, as `Watching` would see it."""
    size = bin_size(game.blocks)
    bins = np.array([end // size for end in looks(game.blocks, size)])
    mean, square, cube = (np.cumsum((sums / size) ** power)[bins - 1] / bins for power in (1, 2, 3))
    variances = square - mean**2
    errors = np.sqrt(np.maximum(variances, 0) / (bins - 1))
    thirds = cube - 3 * mean * square + 2 * mean**3
    skews = np.divide(thirds, variances**1.5, out=np.zeros(len(bins)), where=variances > 0)
    return [
        Known(Estimate(value, error, (value - half, value + half)), number, int(bins[-1]), skew)
        for value, error, number, skew in zip(*(each.tolist() for each in (mean, errors, bins, skews)), strict=True)
        for half in [student_point(number - 1) * error]
    ]


@dataclass(frozen=True, slots=True)
class Promise:
    """A rule in a game, and which of its runs break what it promises in all but `allowed` of them."""

    name: str
    rule: StopRule
    allowed: float
    breaks: Callable[[StopRule, list[Look], float], bool]


def _took(verdict: str) -> Callable[[StopRule, list[Look], float], bool]:
    return lambda rule, seen, true: seen[-1].verdict == verdict


def _missed_at_a_look(rule: StopRule, seen: list[Look], true: float) -> bool:
    return any(one.anytime is not None and not one.anytime[0] <= true <= one.anytime[1] for one in seen)


def _missed(rule: StopRule, seen: list[Look], true: float) -> bool:
    low, high = seen[-1].valid or (-np.inf, np.inf)
    return not low <= true <= high


def promises(game: Game) -> Iterator[Promise]:
    """Rules that stop this game early, in the middle, and late."""
    error = game.spread / np.sqrt(game.blocks)
    for far in (12, 6, 4):
        test = StopRule("test", "1", "2", h0=game.true(), h1=game.true() + far * error)
        yield Promise(f"test, h1 {far} errors above the true h0", test, test.alpha, _took("h1"))
        test = StopRule("test", "1", "2", h0=game.true() - far * error, h1=game.true())
        yield Promise(f"test, h0 {far} errors below the true h1", test, test.beta, _took("h0"))
    anytime = StopRule("anytime", "1", "2", half_width=1e-9)
    yield Promise("anytime interval, at every look", anytime, anytime.alpha, _missed_at_a_look)
    for wide in (12, 6, 3):
        difference = StopRule("difference", "1", "2", half_width=wide * error)
        yield Promise(f"difference known to {wide} errors", difference, 0.05, _missed)


def seen(rule: StopRule, game: Game, known: list[Known]) -> list[Look]:
    """The looks up to the one that stops; of the anytime interval all of them, whatever it says."""
    found = []
    for one in known:
        found.append(look(rule, one, blocks=one.bins * bin_size(game.blocks)))
        if found[-1].verdict is not None and rule.kind != "anytime":
            break
    return found


def broken(game: Game, runs: int, seed: int) -> Iterator[tuple[Promise, int, float]]:
    """For each promise in how many runs it was broken, and what part of the hands they played on average."""
    found = [(promise, [0, 0]) for promise in promises(game)]
    true = game.true()
    for number in range(runs):
        known = prefixes(game, game.play(seed + number))
        for promise, counts in found:
            looked = seen(promise.rule, game, known)
            counts[0] += promise.breaks(promise.rule, looked, true)
            counts[1] += looked[-1].blocks
    for promise, (breaks, blocks) in found:
        yield promise, breaks, blocks / runs / game.blocks


def lines(runs: int, seed: int) -> Iterator[str]:
    """A table in Markdown."""
    yield "| game | rule | runs | wrong | at least (99 %) | promised | played |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for name, game in games().items():
        for promise, breaks, played in broken(game, runs, seed):
            shares = (breaks / runs, at_least(breaks, runs), promise.allowed)
            told = " | ".join(f"{100 * share:.2f} %" for share in shares)
            yield f"| {name} | {promise.name} | {runs:,} | {told} | {100 * played:.0f} % |"


if __name__ == "__main__":
    sys.exit(tell(lines, "game", "stopping", "Whether stopping rules keep their promises."))
