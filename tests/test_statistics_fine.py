"""What is counted beside the core, and the estimates made of it: they agree with the core, and with each other."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import coverage
from razz_sim.batch import Loop
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Experiment, Scenario
from razz_sim.statistics import class_results, convergence, mean_estimate, scenario_result, win_rates
from razz_sim.tally import (
    CLASS_COLUMNS,
    ENTRANT_COLUMNS,
    PLAY_COLUMNS,
    POT_COLUMNS,
    TABLE_COLUMNS,
    Tally,
    Totals,
    shard_bins,
)
from razz_sim.tally.all_in import PARTS
from razz_sim.tally.columns import BUCKETS, CLASSES, ENDS, FIRST_CLASS, LOWS, STARTS, STREETS, bucket_start

STAKES: dict[str, Any] = {"ante": "0.20", "bring_in": 1, "small_bet": 2, "big_bet": 4}
RAKED = {**STAKES, "rake": {"percent": 5, "cap": 2}}
MIXED = [
    {"name": "hero", "strategy": "tight"},
    {"name": "wild", "strategy": "maniac", "seats": 2},
    {"name": "thief", "strategy": "stealer"},
    {"name": "fish", "strategy": "loose_passive"},
]
GAMES: dict[str, dict[str, Any]] = {
    "deep": {},
    "short": {"stack": 2},
    "no limit, short": {"stack": 4, "rules": {"preset": "pokerstars", "betting": "no_limit"}},
    "sessions that end early": {"stack": 3, "session": {"hands": 12, "stacks": "carry"}},
    "eight seats": {"lineup": [{"name": "hero", "strategy": "tight"}, {"strategy": "caller", "seats": 7}]},
}


def experiment(hands: int, **keys: Any) -> Experiment:
    asked = {"name": "t", "seed": 7, "hands": hands, "stakes": RAKED, "lineup": MIXED, **keys}
    return experiment_from_dict(asked, Path()).experiment


@cache
def game(name: str) -> tuple[Scenario, Tally]:
    """A played game, by its name in GAMES."""
    asked = experiment(6000, **GAMES[name])
    (scenario,) = asked.scenarios
    tally, loop = scenario.tally(), Loop(scenario, asked.seed)
    for batch in asked.batches(1000):
        loop.play(batch).add_to(tally)
    return scenario, tally


def column(tally: Tally, entrant: int, name: str) -> int:
    """A total of an entrant."""
    if name in PLAY_COLUMNS:
        return int(tally.plays[:, entrant, PLAY_COLUMNS.index(name)].sum())
    return tally.entrant_total(entrant, name)


# Counts


@pytest.mark.parametrize("name", GAMES)
def test_fine_totals_add_up_to_the_core(name: str) -> None:
    scenario, tally = game(name)
    hands = tally.hands
    pots = dict(zip(POT_COLUMNS, tally.pots.sum(axis=0).tolist(), strict=True))
    assert int(tally.histogram.sum()) == hands
    assert sum(pots[f"pot_{end}_sum"] for end in ENDS) == tally.table_total("pot")
    assert sum(pots[f"players_third_{players}"] for players in range(9)) == hands
    for street in STREETS[1:]:
        assert sum(pots[f"players_{street}_{n}"] for n in range(9)) == tally.table_total(f"saw_{street}")
    assert sum(pots[f"winning_{low}"] for low in LOWS) == tally.table_total("showdowns")
    for end, counted in zip(tally.histogram.sum(axis=1).tolist(), ENDS, strict=True):
        assert end == tally.table_total("showdowns" if counted == "showdown" else f"ended_{counted}")
    decisions = 0
    for entrant in range(len(scenario.lineup)):
        for kind in ("door", "start", "end", "position"):
            first = FIRST_CLASS[kind]
            classes = tally.classes[entrant, first : first + len(CLASSES[kind])]
            assert int(classes[:, 0].sum()) == column(tally, entrant, "hands") or kind == "position"
            if kind != "position":
                assert int(classes[:, 1].sum()) == column(tally, entrant, "net")
        assert sum(column(tally, entrant, f"shown_{low}") for low in LOWS) == column(tally, entrant, "showdowns")
        assert sum(column(tally, entrant, f"won_{low}") for low in LOWS) == column(tally, entrant, "showdowns_won")
        assert column(tally, entrant, "steals") <= column(tally, entrant, "completed")
        assert column(tally, entrant, "completed") <= column(tally, entrant, "complete_chances")
        folds = sum(column(tally, entrant, f"folds_{street}") for street in STREETS)
        ended_unfolded = column(tally, entrant, "hands") - folds
        assert column(tally, entrant, "pots_won") <= ended_unfolded
        acts = [f"{act}_{street}" for street in STREETS for act in ("raises", "calls", "checks", "folds")]
        decisions += sum(column(tally, entrant, act) for act in acts) + column(tally, entrant, "brought_in")
    assert decisions == tally.table_total("decisions")


@pytest.mark.parametrize("name", GAMES)
def test_expected_winnings_conserve_chips_to_the_last_part(name: str) -> None:
    scenario, tally = game(name)
    entrants = range(len(scenario.lineup))
    assert sum(column(tally, one, "adjusted") for one in entrants) == -PARTS * tally.table_total("rake")
    if name == "deep":
        assert all(column(tally, one, "adjusted") == PARTS * column(tally, one, "net") for one in entrants)
        assert all(column(tally, one, "adjusted_hands") == 0 for one in entrants)
    elif name != "eight seats":
        assert sum(column(tally, one, "adjusted_hands") for one in entrants) > 100


def test_expected_winnings_leave_the_mean_and_shrink_the_error() -> None:
    """Maniacs all-in on third street in most hands: half the luck is in the last card, not more."""
    lineup = [{"name": name, "strategy": "maniac"} for name in ("north", "south")]
    asked = experiment(20_000, lineup=lineup, stakes=STAKES, stack=1)
    (scenario,) = asked.scenarios
    tally, loop = scenario.tally(), Loop(scenario, asked.seed)
    for batch in asked.batches(10_000):
        loop.play(batch).add_to(tally)
    rates = win_rates(scenario, tally, 0)
    assert rates.real.std_error is not None
    assert rates.adjusted.std_error is not None
    assert rates.gain is not None
    assert 1.2 < rates.gain < 2
    # their difference is the luck of last cards, whose deviation is what the two errors differ by
    luck = sqrt(rates.real.std_error**2 - rates.adjusted.std_error**2)
    assert abs(rates.real.value - rates.adjusted.value) < 4 * luck


def test_a_tally_is_the_same_however_it_was_cut() -> None:
    asked = experiment(3000, **GAMES["short"])
    (scenario,) = asked.scenarios
    found = []
    for size in (70, 1000, 3000):
        tally, loop = scenario.tally(), Loop(scenario, asked.seed)
        for batch in asked.batches(size):
            loop.play(batch).add_to(tally)
        found.append(tally)
    for other in found[1:]:
        assert all(np.array_equal(*pair) for pair in zip(found[0].arrays(), other.arrays(), strict=True))


def test_what_is_in_two_shards_is_not_added() -> None:
    asked = experiment(2000)
    (scenario,) = asked.scenarios
    (whole,) = [Loop(scenario, 7).play(batch) for batch in asked.batches(2000)][:1]
    assert whole.batch.stop == scenario.shard_size, "batches end with their shard"
    from razz_sim.experiment import Batch

    both = Loop(scenario, 7).play(Batch(0, 0, 0, scenario.shard_size + 1, scenario.shard_size + 1))
    with pytest.raises(ValueError, match="are in several shards of"):
        both.add_to(scenario.tally())


def test_shards_of_a_longer_run_hold_whole_ones_of_a_shorter() -> None:
    sizes = [experiment(hands).scenarios[0].shard_size for hands in (1, 10, 100, 1000, 1025, 5000, 70_000, 10**6)]
    assert all(later % earlier == 0 for earlier, later in pairwise(sizes))
    assert all(-(-bins // shard_bins(bins)) <= 16 for bins in range(1, 1025))


# Labels


def test_starts_are_numbered_as_the_engine_counts_them() -> None:
    assert len(set(STARTS)) == len(STARTS) == 455
    assert STARTS[:5] == ("AAA", "AA2", "A22", "222", "AA3")
    assert STARTS[-1] == "KKK"


def test_buckets_have_no_gap_and_grow() -> None:
    starts = [bucket_start(bucket) for bucket in range(BUCKETS)]
    steps = np.diff(starts)
    assert (steps > 0).all()
    assert (np.diff(steps) >= 0).all()


# Estimates


def test_a_class_has_students_interval_over_its_hands() -> None:
    scenario, tally = game("deep")
    found = class_results(scenario, tally, 0, "door")
    assert list(found) == list("A23456789TJQK")
    ace = tally.classes[0, 0].tolist()
    expected = mean_estimate(ace[1], ace[2] + (ace[3] << 32) + (ace[4] << 64), ace[0], scale=Fraction(100, 400))
    assert (found["A"].hands, found["A"].net, found["A"].ci95) == (ace[0], ace[1], expected.ci95)
    assert sum(one.net for one in found.values()) == tally.entrant_total(0, "net")


def test_quantiles_and_histogram_agree() -> None:
    scenario, tally = game("deep")
    pots = scenario_result(scenario, tally).pots
    assert sum(count for *_, count in pots.histogram) == pots.hands
    values = list(pots.quantiles.values())
    assert values == sorted(values)
    middle = pots.quantiles[50]
    ended = pots.by_end["showdown"]
    assert ended.count == sum(tally.histogram[-1])
    assert list(ended.quantiles.values()) == sorted(ended.quantiles.values())
    assert all(bool(found.quantiles) == (found.count > 0) for found in pots.by_end.values())
    below = sum(count for _, stop, count in pots.histogram if stop is not None and stop <= middle)
    within = sum(count for start, stop, count in pots.histogram if stop is None or start < middle)
    assert below <= pots.hands / 2 <= within


def test_convergence_ends_with_the_rate_of_the_run() -> None:
    for name in ("deep", "sessions that end early"):
        scenario, tally = game(name)
        points = convergence(scenario, tally, 0, points=20)
        assert len(points) == 20
        assert [hands for hands, _ in points] == sorted(hands for hands, _ in points)
        assert points[-1] == (tally.entrant_total(0, "hands"), win_rates(scenario, tally, 0).real)


def test_players_and_ends_are_means_of_what_was_counted() -> None:
    scenario, tally = game("short")
    pots = scenario_result(scenario, tally).pots
    assert pots.players["third"].counts == {5: tally.hands}
    for end, found in pots.by_end.items():
        place = POT_COLUMNS.index(f"pot_{end}_sum")
        if found.big_bets is not None:
            assert found.big_bets.value == pytest.approx(int(tally.pots[:, place].sum()) / found.count / 400)
    total = sum(found.count * found.big_bets.value for found in pots.by_end.values() if found.big_bets is not None)
    assert total / pots.hands == pytest.approx(pots.mean_big_bets.value)


def test_equal_entrants_win_alike_from_every_position() -> None:
    """By place from the bring-in two equal entrants differ by chance only: 8 places, 4 errors at most."""
    lineup = [{"name": name, "strategy": "tight", "seats": 3} for name in ("north", "south")]
    asked = experiment(30_000, lineup=lineup, stakes=STAKES)
    (scenario,) = asked.scenarios
    tally, loop = scenario.tally(), Loop(scenario, asked.seed)
    for batch in asked.batches(30_000):
        loop.play(batch).add_to(tally)
    one, other = (class_results(scenario, tally, entrant, "position") for entrant in (0, 1))
    assert list(one) == list(other) == list("012345")
    for place in one:
        error = sqrt(one[place].std_error ** 2 + other[place].std_error ** 2)  # type: ignore[operator]
        assert abs(one[place].bb_per_100 - other[place].bb_per_100) < 4 * error
    assert sum(found.net for found in one.values()) + sum(found.net for found in other.values()) == 0


@pytest.mark.parametrize("name", coverage.games())
def test_intervals_hold_the_true_value_about_19_times_in_20(name: str) -> None:
    """The short form of `python -m benchmarks.coverage`: 200 runs, within four errors of a coverage of 95 %."""
    asked = coverage.games()[name]
    for held in coverage.coverage(asked, runs=200, seed=10**6).values():
        assert held / 200 >= 0.95 - 4 * 0.0154


def test_columns_are_named_once() -> None:
    for columns in (TABLE_COLUMNS, ENTRANT_COLUMNS, PLAY_COLUMNS, POT_COLUMNS):
        assert len(set(columns)) == len(columns)
    assert not set(TABLE_COLUMNS) & set(POT_COLUMNS)
    assert not set(ENTRANT_COLUMNS) & set(PLAY_COLUMNS)


@pytest.mark.parametrize("net", [65_535, 131_072 * 7 + 12_345])
def test_squares_stay_exact_over_billions_of_hands_however_they_are_grouped(net: int) -> None:
    hands, (scenario,) = 12 * 10**9, experiment(60).scenarios
    square = [net * net >> 32 * limb & 0xFFFFFFFF for limb in range(3)]

    def part(hands: int) -> Totals:
        found = Totals.nothing(1, len(scenario.lineup))
        found.fine_table[:4] = hands * net, *(hands * limb for limb in square)
        place = len(PLAY_COLUMNS) + len(CLASS_COLUMNS) * FIRST_CLASS["end"]
        found.fine_entrants[0, place : place + 5] = hands, 0, *(hands * limb for limb in square)
        return found

    one_by_one, joined = scenario.tally(), scenario.tally()
    for _ in range(48):
        one_by_one.add(0, part(hands // 48))
    halves = [part(hands // 48) for _ in range(2)]
    for number in range(46):
        halves[number % 3 == 0] = halves[number % 3 == 0].followed_by(part(hands // 48), shared_bin=True)
    for half in halves:
        joined.add(0, half)
    for made in (one_by_one, joined):
        low, middle, high = (int(limb) for limb in made.pots[0, 1:4])
        assert low + (middle << 32) + (high << 64) == hands * net * net
        found = class_results(scenario, made, 0, "end")["third"]
        assert found.std_error == pytest.approx(100 * net / scenario.stakes.big_bet / sqrt(hands), rel=1e-9)
    assert all(np.array_equal(one, other) for one, other in zip(one_by_one.arrays(), joined.arrays(), strict=True))


@pytest.mark.parametrize("stack", [1000, 40_000])
def test_every_raise_of_a_long_war_is_counted(stack: int) -> None:
    lineup = [{"strategy": "random", "params": {"fold": 0, "wager": 1}, "seats": 2}, {"strategy": "caller"}]
    no_limit = {"preset": "pokerstars", "betting": "no_limit"}
    (scenario,) = (asked := experiment(4, lineup=lineup, stack=stack, rules=no_limit)).scenarios
    tally, loop = scenario.tally(), Loop(scenario, asked.seed)
    for batch in asked.batches(1000):
        loop.play(batch).add_to(tally)
    made = [sum(column(tally, 0, f"{action}_{street}") for street in STREETS) for action in ("raises", "checks")]
    assert made[0] > 4 * stack
    assert column(tally, 0, "reraises") <= column(tally, 0, "raise_chances") <= made[0] + 40
    assert column(tally, 0, "reraises") > 4 * stack
    counted = sum(
        column(tally, who, f"{action}_{street}")
        for who in range(2)
        for street in STREETS
        for action in ("raises", "calls", "checks", "folds")
    )
    assert counted + sum(column(tally, who, "brought_in") for who in range(2)) == tally.table_total("decisions")
    assert tally.plays.min() >= 0
