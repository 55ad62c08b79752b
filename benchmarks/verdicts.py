"""Are comparisons honest? `python -m benchmarks.verdicts [--runs N] [--seed N]`.

Many short round robins, and populations, each with a seed of its own, of entrants whose differences are known: equals,
and one pair whose difference was measured over tens of millions of other hands. How often the 95 % intervals hold the
true difference, and how often equals are told apart, which Holm's correction promises in 5 % of runs at most. 10,000
runs take some forty minutes on a core.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from scipy import stats

from benchmarks.coverage import STAKES, tell
from razz_sim.batch import Loop
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Experiment
from razz_sim.statistics.comparisons import Comparison, Versus, compare
from razz_sim.tally import Tally

TRUTH_SEED = 2**40
TRUTH_HANDS = 20_000_000


@dataclass(slots=True)
class Verdicts:
    """What runs of a field said: `held` of `told` intervals hold the truth, `erred` of `runs` tell equals apart."""

    runs: int = 0
    told: int = 0
    held: int = 0
    erred: int = 0


@dataclass(frozen=True, slots=True)
class Field:
    """Who meets whom, and the entrants that are no equals of the others: their difference is measured, not 0."""

    experiment: Experiment
    unequal: frozenset[str] = field(default_factory=frozenset)


def round_robin(hands: int, lineup: Sequence[Mapping[str, Any]], unequal: Sequence[str] = (), **keys: Any) -> Field:
    """So many hands a match at 2/4."""
    asked = {"name": "verdicts", "hands": hands, "stakes": STAKES, "format": "round_robin", "lineup": list(lineup)}
    return Field(experiment_from_dict({**asked, **keys}, Path()).experiment, frozenset(unequal))


def population(hands: int, lineup: Sequence[Mapping[str, Any]], weights: Sequence[int], **form: int) -> Field:
    """So many hands at each different table of a population at 2/4."""
    weighted = [{**one, "weight": weight} for one, weight in zip(lineup, weights, strict=True)]
    return round_robin(hands, weighted, format={"kind": "population", **form})


def fields() -> Mapping[str, Field]:
    """By who meets, in the words of the documentation."""

    def equal(strategy: str, count: int) -> list[dict[str, Any]]:
        return [{"name": f"{strategy} {number}", "strategy": strategy} for number in range(1, count + 1)]

    return {
        "four equal `random`, 400 hands a match": round_robin(400, equal("random", 4)),
        "four equal `random`, 400 plain hands a match": round_robin(400, equal("random", 4), duplicate=False),
        "three equal `random` at one table, 600 hands a match": round_robin(
            600, equal("random", 4), format={"kind": "round_robin", "seats": 3}
        ),
        "a population of four equal `random`, 400 hands a table": population(
            400, equal("random", 4), weights=(1, 1, 2, 3), seats=4, tables=12
        ),
        "`tight` and `caller`, 2,000 hands": round_robin(
            2000, [{"strategy": "tight"}, {"strategy": "caller"}], ["tight", "caller"]
        ),
    }


def compared(experiment: Experiment, seed: int) -> Comparison:
    """What a run of this seed says."""
    tallies = [tally_of(experiment, index, seed) for index in range(len(experiment.scenarios))]
    return compare(experiment.scenarios, tallies)


def tally_of(experiment: Experiment, index: int, seed: int) -> Tally:
    scenario = experiment.scenarios[index]
    loop, tally = Loop(scenario, seed), scenario.tally()
    for batch in experiment.batches(scenario.hands):
        if batch.scenario == index:
            loop.play(batch).add_to(tally)
    return tally


@cache
def measured(asked: Field) -> float:
    """The difference of the two that are no equals, over tens of millions of hands."""
    (scenario,) = asked.experiment.scenarios
    longer = experiment_of(asked, TRUTH_HANDS)
    (pair,) = compared(longer, TRUTH_SEED).against
    return pair.difference.value if pair.name == scenario.lineup[0].name else -pair.difference.value


def experiment_of(asked: Field, hands: int) -> Experiment:
    """The same with so many hands a match."""
    scenarios = tuple(replace(one, hands=hands) for one in asked.experiment.scenarios)
    return replace(asked.experiment, scenarios=scenarios)


def verdicts(asked: Field, runs: int, seed: int) -> Verdicts:
    """How often intervals hold the true difference, and equals are told apart."""
    found = Verdicts()
    first = asked.experiment.scenarios[0].lineup[0].name
    true = measured(asked) if asked.unequal else 0.0

    def truth(pair: Versus) -> float:
        return true if pair.name == first else -true

    for number in range(runs):
        comparison = compared(asked.experiment, seed + number)
        found.runs += 1
        for pair in comparison.against:
            low, high = pair.difference.ci95 or (0.0, 0.0)
            found.told += 1
            found.held += low <= truth(pair) <= high
        pairs = (*comparison.against, *comparison.differences)
        found.erred += any(pair.told_apart for pair in pairs if not {pair.name, pair.other} <= asked.unequal)
    return found


def at_least(count: int, of: int, confidence: float = 0.99) -> float:
    """The one-sided lower bound of a share (Clopper and Pearson, Biometrika 26, 1934)."""
    return float(stats.beta.ppf(1 - confidence, count, of - count + 1)) if count else 0.0


def lines(runs: int, seed: int) -> Iterator[str]:
    """A table in Markdown."""
    yield "| field | runs | intervals that hold | runs that tell equals apart | at least (99 %) |"
    yield "|---|--:|--:|--:|--:|"
    for name, asked in fields().items():
        found = verdicts(asked, runs, seed)
        errors = "-" if asked.unequal else f"{100 * found.erred / found.runs:.2f} %"
        least = "-" if asked.unequal else f"{100 * at_least(found.erred, found.runs):.2f} %"
        yield f"| {name} | {found.runs:,} | {100 * found.held / found.told:.2f} % | {errors} | {least} |"


if __name__ == "__main__":
    sys.exit(tell(lines, "field", "verdicts", "How honest comparisons are."))
