"""What a population's matches say together: against sums made by hand from the totals of each match."""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from scipy import stats

import razz_sim
from razz_sim.batch import play_batch
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Experiment
from razz_sim.report import print_report
from razz_sim.statistics import summary
from razz_sim.statistics.comparisons import Comparison, compare
from razz_sim.statistics.estimates import Estimate
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally

STAKES = {"name": "2/4", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4, "rake": {"percent": 5, "cap": 1}}
POOL = [{"strategy": "tight"}, {"strategy": "caller", "weight": 2}, {"strategy": "maniac", "weight": "1.5"}]
NET, HANDS = ENTRANT_COLUMNS.index("net"), ENTRANT_COLUMNS.index("hands")
BLOCKS = TABLE_COLUMNS.index("blocks")


def asked(
    hands: int, *, lineup: Sequence[dict[str, Any]] = POOL, seats: int = 4, tables: int = 12, **keys: Any
) -> Experiment:
    form = {"kind": "population", "seats": seats, "tables": tables}
    data = {"name": "pool", "seed": 11, "hands": hands, "stakes": STAKES, "lineup": lineup, "format": form, **keys}
    return experiment_from_dict(data, Path()).experiment


def tallied(experiment: Experiment, size: int = 10**6) -> list[Tally]:
    tallies = [scenario.tally() for scenario in experiment.scenarios]
    for batch in experiment.batches(size):
        play_batch(experiment.scenarios[batch.scenario], experiment.seed, batch).add_to(tallies[batch.scenario])
    return tallies


def sums(experiment: Experiment, tallies: Sequence[Tally], name: str, among: set[str]) -> tuple[int, int]:
    """Net and hands of an entrant over the cycle, at its tables with all of these."""
    net = hands = 0
    for scenario, tally in zip(experiment.scenarios, tallies, strict=True):
        names = [one.name for one in scenario.lineup]
        if {name, *among} <= set(names):
            for row in tally.entrants[:, names.index(name)].tolist():
                net += scenario.times * row[NET]
                hands += scenario.times * row[HANDS]
    return net, hands


def rate(experiment: Experiment, tallies: Sequence[Tally], name: str, among: set[str]) -> Fraction:
    net, hands = sums(experiment, tallies, name, among)
    return Fraction(100 * net, hands * experiment.scenarios[0].stakes.big_bet)


@pytest.fixture(scope="module")
def population() -> Experiment:
    return asked(2400)


@pytest.fixture(scope="module")
def tallies(population: Experiment) -> list[Tally]:
    return tallied(population)


@pytest.fixture(scope="module")
def found(population: Experiment, tallies: list[Tally]) -> Comparison:
    return compare(population.scenarios, tallies)


def test_matches_of_all_sizes_are_there(population: Experiment) -> None:
    """Bins of 1, 2 and 4 blocks: a piece is 4 blocks of each, and the shortest match has the fewest pieces."""
    assert {(one.replicas, one.blocks, one.bin_size) for one in population.scenarios} == {
        (4, 600, 1),
        (2, 1200, 2),
        (1, 2400, 4),
    }
    assert max(one.times for one in population.scenarios) > 1


def test_results_are_the_cycle_s_to_the_last_digit(
    population: Experiment, tallies: list[Tally], found: Comparison
) -> None:
    assert [one.result.value for one in found.field] == sorted((one.result.value for one in found.field), reverse=True)
    assert {one.name for one in found.field} == {"tight", "caller", "maniac"}
    for one in found.field:
        assert one.result.value == float(rate(population, tallies, one.name, set()))
    for pair in found.against:
        both = {pair.name, pair.other}
        exact = rate(population, tallies, pair.name, both) - rate(population, tallies, pair.other, both)
        assert pair.difference.value == float(exact)
    for pair in found.differences:
        exact = rate(population, tallies, pair.name, set()) - rate(population, tallies, pair.other, set())
        assert pair.difference.value == float(exact)


def test_the_cycle_is_counted(population: Experiment, tallies: list[Tally], found: Comparison) -> None:
    assert (found.tables, found.matches) == (12, len(population.scenarios))
    assert {one.name: (one.seats, str(one.weight)) for one in found.field} == {
        "tight": (11, "1"),
        "caller": (21, "2"),
        "maniac": (16, "1.5"),
    }
    for one in found.field:
        with_it = [match for match in population.scenarios if one.name in {who.name for who in match.lineup}]
        assert (one.matches, one.tables) == (len(with_it), sum(match.times for match in with_it))
    assert {frozenset((pair.name, pair.other)) for pair in found.meetings} == {
        frozenset(pair) for pair in combinations(("tight", "caller", "maniac"), 2)
    }
    for pair in found.meetings:
        both = [
            (match.times, tally.hands)
            for match, tally in zip(population.scenarios, tallies, strict=True)
            if {pair.name, pair.other} <= {who.name for who in match.lineup}
        ]
        assert (pair.tables, pair.hands) == (sum(times for times, _ in both), sum(hands for _, hands in both))


def off(experiment: Experiment, tallies: Sequence[Tally], name: str, among: set[str], size: int) -> np.ndarray:
    """What each piece of so many blocks is off, by the definition, in plain loops."""
    net, hands = sums(experiment, tallies, name, among)
    r = net / hands
    found = np.zeros(max(one.blocks for one in experiment.scenarios) // size + 1)
    for scenario, tally in zip(experiment.scenarios, tallies, strict=True):
        names = [one.name for one in scenario.lineup]
        if not {name, *among} <= set(names):
            continue
        rows = tally.entrants[:, names.index(name)]
        mean = sum(row[NET] - r * row[HANDS] for row in rows) / scenario.blocks
        for bin_, row in enumerate(rows):
            piece = bin_ * scenario.bin_size // size
            found[piece] += scenario.times * (row[NET] - r * row[HANDS] - mean * tally.table[bin_, BLOCKS]) / hands
    return found * 100 / experiment.scenarios[0].stakes.big_bet


def expect(estimate: Estimate, p: float | None, off_by: np.ndarray, pieces: int) -> None:
    error = sqrt(pieces / (pieces - 1) * float(off_by @ off_by))
    assert estimate.std_error == pytest.approx(error)
    reach = stats.t.ppf(0.975, pieces - 1) * error
    assert estimate.ci95 == pytest.approx((estimate.value - reach, estimate.value + reach))
    if p is not None:
        assert p == pytest.approx(2 * stats.t.sf(abs(estimate.value) / error, pieces - 1), abs=1e-12)


def test_errors_are_between_pieces_of_the_same_blocks(
    population: Experiment, tallies: list[Tally], found: Comparison
) -> None:
    for one in found.field:
        expect(one.result, None, off(population, tallies, one.name, set(), 4), 150)
    for pair in found.differences:
        mine, others = (off(population, tallies, name, set(), 4) for name in (pair.name, pair.other))
        expect(pair.difference, pair.p, mine - others, 150)
    for pair in found.against:
        both = {pair.name, pair.other}
        mine, others = (off(population, tallies, name, both, 4) for name in (pair.name, pair.other))
        expect(pair.difference, pair.p, mine - others, 150)
    assert sum(one.best or 0 for one in found.field) == pytest.approx(1)


def test_of_few_hands_each_block_is_a_piece() -> None:
    population = asked(160)
    tallies = tallied(population)
    for one in compare(population.scenarios, tallies).field:
        expect(one.result, None, off(population, tallies, one.name, set(), 1), 40)


def test_batches_of_any_size_say_the_same(population: Experiment, found: Comparison) -> None:
    assert compare(population.scenarios, tallied(population, 700)) == found


def test_errors_are_those_that_results_of_other_seeds_have() -> None:
    """The spread of 60 runs' results, by chance within a quarter of the error that they tell."""
    population = asked(240)
    results: dict[str, list[tuple[float, float]]] = {}
    for seed in range(60):
        run = experiment_with(population, seed)
        for one in compare(run.scenarios, tallied(run)).field:
            results.setdefault(one.name, []).append((one.result.value, one.result.std_error or 0.0))
    for told in results.values():
        values, errors = np.array(told).T
        low, high = stats.chi2.ppf([0.0005, 0.9995], 59)
        assert low / 59 * 0.9 < values.var(ddof=1) / np.mean(errors**2) < high / 59 * 1.1


def experiment_with(experiment: Experiment, seed: int) -> Experiment:
    """The same tables with other cards."""
    return Experiment(experiment.name, 10**6 + seed, experiment.scenarios)


def told(found: Any) -> str:
    file = io.StringIO()
    print_report(found, Console(file=file, width=100))
    return " ".join(file.getvalue().split())


@pytest.fixture(scope="module")
def strangers() -> Experiment:
    """Two of the pool are so few that they never meet."""
    lineup = [{"strategy": "tight", "weight": "0.1"}, {"strategy": "best", "weight": "0.1"}, {"strategy": "caller"}]
    return asked(480, lineup=lineup, seats=2, tables=20)


def test_who_never_met_is_compared_over_the_field_only(strangers: Experiment) -> None:
    made = summary(strangers, tallied(strangers), runner="local", workers=1, seconds=1.0)
    (found,) = made["comparisons"]
    assert len(found["field"]) == 3
    assert {frozenset((pair["name"], pair["other"])) for pair in found["against"]} == {
        frozenset(("tight", "caller")),
        frozenset(("best", "caller")),
    }
    assert len(found["differences"]) == 3
    assert found["mixture"] == []
    never = {frozenset((pair["name"], pair["other"])): pair for pair in found["meetings"]}[frozenset(("tight", "best"))]
    assert (never["tables"], never["hands"]) == (0, 0)
    shown = told(made)
    assert "first of 3 in the population of these" in shown
    assert "at how many of the cycle's 20 tables the row's entrant meets the column's" in shown


def test_blocks_too_few_in_any_match_tell_nothing(strangers: Experiment) -> None:
    few = asked(40, lineup=[{"strategy": "tight"}, {"strategy": "caller", "weight": 3}], seats=2, tables=12)
    assert {one.blocks for one in few.scenarios} == {20, 40}
    made = summary(few, tallied(few), runner="local", workers=1, seconds=1.0)
    assert "20 blocks a match tell nothing about who is better: an interval takes at least 30." in told(made)


def test_a_part_of_the_blocks_is_not_compared(population: Experiment) -> None:
    """The first blocks of all matches are no cycle: those of a match with fewer arrangements are fewer hands."""
    tallies = [scenario.tally() for scenario in population.scenarios]
    for batch in population.batches(10**6, [[(100, one.blocks)] for one in population.scenarios]):
        play_batch(population.scenarios[batch.scenario], population.seed, batch).add_to(tallies[batch.scenario])
    with pytest.raises(ValueError, match="blocks that all have played"):
        compare(population.scenarios, tallies)
    assert summary(population, tallies, runner="local", workers=1, seconds=1.0)["comparisons"] == []


def test_a_run_is_read_back_with_its_population(tmp_path: Path) -> None:
    experiment = asked(240)
    run = razz_sim.run(experiment, out=tmp_path, runner="local")
    assert run.experiment() == experiment
    again = razz_sim.Run.load(run.folder)
    (found,) = again.summary["comparisons"]
    assert found == run.summary["comparisons"][0]
    assert [(one["name"], float(one["weight"])) for one in sorted(found["field"], key=lambda one: one["seats"])] == [
        ("tight", 1.0),
        ("maniac", 1.5),
        ("caller", 2.0),
    ]
    assert [one["times"] for one in again.summary["scenarios"]] == [one.times for one in experiment.scenarios]
    assert "caller, weight 2; maniac, weight 1.5" in told(again.summary)
