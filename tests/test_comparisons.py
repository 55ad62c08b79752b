"""Comparisons of matches: against direct computation, scipy, and line-ups whose truth is known."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from scipy import stats
from small_experiments import TWO_FOUR, entrant, experiment, scenario

from benchmarks import verdicts
from razz_sim.batch import play_batch
from razz_sim.experiment import Scenario
from razz_sim.matches import lineups
from razz_sim.statistics.comparisons import Comparison, compare, holm
from razz_sim.statistics.estimates import central_probability
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally

SEED = 5
HUNDRED_BETS = 100 / TWO_FOUR.big_bet


def matches_of(*names: str, hands: int = 6000, seats: int = 2) -> list[Scenario]:
    field = [replace(entrant(name, name.split()[0]), name=name) for name in names]
    stakes = replace(TWO_FOUR, rake=None)
    return [
        replace(scenario(those, hands=hands, stakes=stakes), duplicate=True, setting="2/4", match=number)
        for number, those in enumerate(lineups("round_robin", field, seats), start=1)
    ]


def tallied(some: Scenario) -> Tally:
    tally = some.tally()
    for batch in experiment(some).batches(10**6):
        play_batch(some, SEED, batch).add_to(tally)
    return tally


def compared(*names: str, **how: int) -> tuple[Comparison, list[Scenario], list[Tally]]:
    scenarios = matches_of(*names, **how)
    tallies = [tallied(one) for one in scenarios]
    return compare(scenarios, tallies), scenarios, tallies


def block_nets(scenarios: list[Scenario], tallies: list[Tally], name: str) -> np.ndarray:
    """An entrant's net bin by bin, a column for each match; not a number where it does not sit."""
    found = np.full((len(tallies[0].entrants), len(scenarios)), np.nan)
    for match, (one, tally) in enumerate(zip(scenarios, tallies, strict=True)):
        names = [who.name for who in one.lineup]
        if name in names:
            found[:, match] = tally.entrants[:, names.index(name), ENTRANT_COLUMNS.index("net")]
    return found


def test_differences_are_means_over_blocks_taken_block_by_block() -> None:
    """With as many bins as blocks the error is that of the mean of the blocks' differences."""
    found, scenarios, tallies = compared("tight", "caller", "best", "rock", hands=1000)
    nets = {name: block_nets(scenarios, tallies, name) for name in ("tight", "caller", "best", "rock")}
    assert len(nets["tight"]) == 500
    for pair in found.against:
        both = nets[pair.name] - nets[pair.other]
        one = both[:, ~np.isnan(both).any(axis=0)][:, 0] / 2 * HUNDRED_BETS
        assert pair.difference.value == pytest.approx(one.mean())
        assert pair.difference.std_error == pytest.approx(one.std(ddof=1) / sqrt(len(one)))
        p = 2 * stats.t.sf(abs(one.mean()) / (one.std(ddof=1) / sqrt(len(one))), len(one) - 1)
        assert pair.p == pytest.approx(p, abs=1e-12)
    for pair in found.differences:
        mine, others = np.nanmean(nets[pair.name], axis=1), np.nanmean(nets[pair.other], axis=1)
        off = (mine - others) / 2 * HUNDRED_BETS
        assert pair.difference.value == pytest.approx(off.mean())
        assert pair.difference.std_error == pytest.approx(off.std(ddof=1) / sqrt(len(off)))
    for one in found.field:
        mean = np.nanmean(nets[one.name], axis=1) / 2 * HUNDRED_BETS
        assert one.result.value == pytest.approx(mean.mean())
        assert one.hands == 3000


def test_the_order_is_that_of_results_and_groups_are_what_is_not_told_apart() -> None:
    found, _, _ = compared("tight", "tight 2", "maniac", "best", hands=4000)
    values = [one.result.value for one in found.field]
    assert values == sorted(values, reverse=True)
    names = [one.name for one in found.field]
    (twins,) = [group for group in found.groups if "tight" in group]
    assert set(twins) >= {"tight", "tight 2"}
    apart = {frozenset((pair.name, pair.other)) for pair in found.differences if pair.told_apart}
    for group in found.groups:
        assert list(group) == names[names.index(group[0]) : names.index(group[0]) + len(group)]
        assert not any(frozenset((one, other)) in apart for one in group for other in group if one != other)
    assert sum(one.best or 0 for one in found.field) == pytest.approx(1)


def test_equals_end_with_no_difference_and_even_chances() -> None:
    found, _, _ = compared("tight 1", "tight 2", "tight 3", hands=600)
    assert [pair.difference.value for pair in found.differences] == [0, 0, 0]
    assert [pair.p for pair in found.against] == [1, 1, 1]
    assert found.groups == (tuple(one.name for one in found.field),)
    assert [one.best for one in found.field] == pytest.approx([1 / 3] * 3)


def test_one_bin_tells_no_error() -> None:
    found, _, _ = compared("tight", "caller", hands=2)
    (pair,) = found.against
    assert (pair.difference.std_error, pair.p, pair.p_holm, pair.told_apart) == (None, None, None, False)
    assert [one.best for one in found.field] == [None, None]


def test_three_at_a_table_are_compared_at_their_tables() -> None:
    found, scenarios, tallies = compared("tight", "caller", "best", "rock", hands=900, seats=3)
    assert {one.matches for one in found.field} == {3}
    (pair,) = [one for one in found.against if {one.name, one.other} == {"tight", "best"}]
    both = block_nets(scenarios, tallies, pair.name) - block_nets(scenarios, tallies, pair.other)
    met = both[:, ~np.isnan(both).any(axis=0)]
    assert met.shape == (300, 2)
    assert pair.difference.value == pytest.approx(met.mean() / 3 * HUNDRED_BETS)
    assert pair.hands == 1800


def test_all_lose_to_one_who_is_surely_the_best() -> None:
    found, _, _ = compared("folder", "best", "tight", hands=2000)
    assert found.field[0].name == "best"
    assert found.field[0].best == pytest.approx(1, abs=1e-3)
    assert found.field[-1].best == pytest.approx(0, abs=1e-3)


def test_matches_that_have_not_played_the_same_blocks_are_not_compared() -> None:
    scenarios = matches_of("tight", "caller", "best", hands=100)
    tallies = [tallied(one) for one in scenarios]
    tallies[1].table[3, TABLE_COLUMNS.index("blocks")] = 0
    with pytest.raises(ValueError, match="blocks that all have played"):
        compare(scenarios, tallies)


def test_holm_by_hand() -> None:
    """Of four: 4 x 0.01, 3 x 0.02 and 2 x 0.03, and the last is no less than those before it."""
    assert holm([0.03, 0.01, 0.04, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


@pytest.mark.parametrize("freedom", [1, 2, 5, 30, 99, 500, 1023])
@pytest.mark.parametrize("t", [0.1, 1.0, 1.96, 3.5])
def test_probabilities_are_student_s(freedom: int, t: float) -> None:
    assert central_probability(t, freedom) == pytest.approx(1 - 2 * stats.t.sf(t, freedom), abs=1e-12)


@pytest.mark.parametrize("name", [name for name, asked in verdicts.fields().items() if not asked.unequal])
def test_equals_are_seldom_told_apart_and_intervals_hold(name: str) -> None:
    """The short form of `python -m benchmarks.verdicts`: 50 runs, within four errors of what is promised."""
    found = verdicts.verdicts(verdicts.fields()[name], runs=50, seed=10**6)
    assert found.erred <= 50 * 0.05 + 4 * sqrt(50 * 0.05 * 0.95)
    assert found.held >= found.told * 0.95 - 4 * sqrt(0.95 * 0.05 / 50) * found.told
