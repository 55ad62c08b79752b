"""Estimates against hand-counted runs, against SciPy, with numbers too large for floats, and with true values known."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from fractions import Fraction
from math import isqrt, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from razz_sim.batch import Loop, play_batch, replay_hand
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Batch, Experiment
from razz_sim.statistics import (
    clustered_share,
    exact_sums,
    mean_estimate,
    ratio_estimate,
    scenario_result,
    share,
    standard_deviation,
    student_point,
    summary,
    wilson_interval,
)
from razz_sim.store import json_text
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally

STAKES = {"name": "2/4", "ante": "0.20", "bring_in": 1, "small_bet": 2, "big_bet": 4}
RAKED = {**STAKES, "rake": {"percent": 5, "cap": 2}}
HERO_AND_FISH: list[dict[str, Any]] = [
    {"name": "hero", "strategy": "tight"},
    {"name": "fish", "strategy": "caller", "seats": 3},
]


def experiment(hands: int, lineup: list[dict[str, Any]] = HERO_AND_FISH, **keys: Any) -> Experiment:
    return experiment_from_dict(
        {"name": "t", "seed": 7, "hands": hands, "stakes": RAKED, "lineup": lineup, **keys}, Path()
    ).experiment


def played(asked: Experiment) -> list[Tally]:
    tallies = [scenario.tally() for scenario in asked.scenarios]
    for batch in asked.batches(10**6):
        counted = play_batch(asked.scenarios[batch.scenario], asked.seed, batch)
        counted.add_to(tallies[batch.scenario])
    return tallies


def tally_of(nets: list[list[int]], pots: list[int], seats: tuple[int, ...]) -> Tally:
    """A tally as if these were played: for each block each entrant's net and the pot; a bin a block."""
    tally = Tally(len(nets), len(seats))
    for block, (net, pot) in enumerate(zip(nets, pots, strict=True)):
        row = (
            dict.fromkeys(TABLE_COLUMNS, 0)
            | {"blocks": 1, "hands": 1, "pot": pot, "showdowns": 1}
            | limbs("pot_sq", pot)
        )
        tally.table[block] = [row[column] for column in TABLE_COLUMNS]
        for entrant, chips in enumerate(net):
            own = dict.fromkeys(ENTRANT_COLUMNS, 0) | {"hands": seats[entrant], "net": chips} | limbs("net_sq", chips)
            tally.entrants[block, entrant] = [own[column] for column in ENTRANT_COLUMNS]
    return tally


def limbs(name: str, value: int) -> dict[str, int]:
    square = value * value
    return {f"{name}_{limb}": square >> 32 * limb & 0xFFFFFFFF for limb in range(3)}


def test_a_run_of_three_hands_counted_by_hand() -> None:
    asked = experiment(3, stakes=STAKES)
    # hero wins 12, loses 4, loses 2: 2 a hand in the middle, deviations 10, -6, -4, variance (100 + 36 + 16) / 2 = 76
    nets = [[1200, -1200], [-400, 400], [-200, 200]]
    result = scenario_result(asked.scenarios[0], tally_of(nets, [2400, 1600, 1200], seats=(1, 3)))
    hero, fish = result.entrants
    assert (hero.name, hero.hands, hero.net, hero.net_money) == ("hero", 3, 600, "6.00")
    assert hero.bb_per_100 == 50.0  # 2 of 4 a hand
    assert hero.std_dev == pytest.approx(sqrt(76) / 4)
    assert hero.std_error == pytest.approx(sqrt(76 / 3) / 4 * 100)
    half = 4.302652729911275 * sqrt(76 / 3) * 25  # t with 2 degrees of freedom, as any table has it
    assert hero.ci95 == pytest.approx((50 - half, 50 + half))
    # fish has three seats: the same chips over three times the hands
    assert (fish.hands, fish.net, fish.net_money) == (9, -600, "-6.00")
    assert fish.bb_per_100 == pytest.approx(-50 / 3)
    assert fish.std_error == pytest.approx(sqrt(76 / 3) / 4 * 100 / 3)
    assert fish.std_dev == pytest.approx(hero.std_dev)
    # pots 24, 16, 12: mean 52 / 3, in big bets 13 / 3; deviations 20/3, -4/3, -16/3, variance 672 / 9 / 2 = 112 / 3
    pots = result.pots
    assert (pots.hands, pots.total) == (3, 5200)
    assert pots.mean.value == pytest.approx(52 / 3)
    assert pots.mean_big_bets.value == pytest.approx(13 / 3)
    assert pots.std_dev == pytest.approx(sqrt(112 / 3))
    assert pots.mean.std_error == pytest.approx(sqrt(112) / 3)
    assert pots.mean_big_bets.std_error == pytest.approx(sqrt(112) / 12)


def test_real_hands_give_what_scipy_makes_of_their_replays() -> None:
    asked = experiment(300, rules={"preset": "wsop_live"})
    scenario = asked.scenarios[0]
    nets: list[list[int]] = []
    pots, rakes = [], []
    for block in range(scenario.hands):
        replayed = replay_hand(scenario, asked.seed, block)
        net = [0, 0]
        for seat, entrant in enumerate(replayed.entrants):
            net[scenario.lineup.index(entrant)] += replayed.hand.stacks[seat] - scenario.stack
        nets.append(net)
        pots.append(sum(pot.amount for pot in replayed.hand.pots))
        rakes.append(replayed.hand.rake)
    result = scenario_result(scenario, played(asked)[0])
    shown = result.pots.showdowns.count
    for index, fared in enumerate(result.entrants):
        rates = np.array([net[index] for net in nets]) / scenario.stakes.big_bet / fared.seats * 100
        assert fared.net == sum(net[index] for net in nets)
        assert fared.bb_per_100 == pytest.approx(rates.mean(), rel=1e-12)
        assert fared.std_error == pytest.approx(stats.sem(rates), rel=1e-12)
        assert fared.ci95 == pytest.approx(
            stats.t.interval(0.95, len(rates) - 1, rates.mean(), stats.sem(rates)), rel=1e-9
        )
    money = np.array(pots) / 100
    assert result.pots.mean.value == pytest.approx(money.mean(), rel=1e-12)
    assert result.pots.mean.ci95 == pytest.approx(
        stats.t.interval(0.95, len(pots) - 1, money.mean(), stats.sem(money)), rel=1e-9
    )
    assert result.pots.std_dev == pytest.approx(money.std(ddof=1), rel=1e-12)
    assert result.pots.rake == sum(rakes)
    assert result.pots.showdowns.ci95 == pytest.approx(
        tuple(stats.binomtest(shown, len(nets)).proportion_ci(method="wilson")), abs=1e-12
    )


def test_every_hand_ends_somewhere_and_nobody_sees_what_was_not_dealt() -> None:
    pots = scenario_result((asked := experiment(3000)).scenarios[0], played(asked)[0]).pots
    assert sum(share.count for share in pots.ends.values()) == pots.hands == 3000
    assert list(pots.ends) == ["third", "fourth", "fifth", "sixth", "seventh", "showdown"]
    assert list(pots.saw) == ["fourth", "fifth", "sixth", "seventh"]
    dealt = [share.count for share in pots.saw.values()]
    assert dealt == sorted(dealt, reverse=True)
    assert pots.saw["fourth"].count == pots.hands - pots.ends["third"].count


@pytest.mark.parametrize("freedom", [*range(1, 130), 500, 10**3, 10**4, 10**6, 10**9])
def test_student_points_are_scipys(freedom: int) -> None:
    assert student_point(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-9)


def test_student_has_no_zero_degrees_of_freedom() -> None:
    with pytest.raises(ValueError, match="no 0 degrees"):
        student_point(0)


@given(st.integers(1, 10**6).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_wilson_intervals_are_scipys(pair: tuple[int, int]) -> None:
    low, high = wilson_interval(*pair)
    expected = stats.binomtest(*pair).proportion_ci(method="wilson")
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-9)
    assert 0 <= low <= pair[0] / pair[1] <= high <= 1


def test_a_deviation_of_one_chip_on_sums_beyond_floats_is_not_lost() -> None:
    """Sum of squares minus squared mean in floats would give nonsense: the terms agree in their first 28 digits."""
    base, blocks = 10**14, 10**6
    total = blocks * base + blocks // 2
    squares = blocks // 2 * (base**2 + (base + 1) ** 2)  # half the blocks won base, half base + 1
    exact = Fraction(1, 4) * blocks / (blocks - 1)
    assert standard_deviation(total, squares, blocks) == pytest.approx(sqrt(exact), rel=1e-15)
    assert float(squares) / blocks - (float(total) / blocks) ** 2 != pytest.approx(0.25, rel=0.5)


def test_deep_stacks_keep_every_digit_through_the_limbs() -> None:
    deep = {"ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}
    asked = experiment(4, stakes=deep, stack=2.5e11)
    chips = [10**12 - 1, -(10**12) + 3, 10**12 - 7, 5]
    result = scenario_result(asked.scenarios[0], tally_of([[net, -net] for net in chips], [8 * 10**12] * 4, (1, 3)))
    variance = sum((Fraction(net) - Fraction(sum(chips), 4)) ** 2 for net in chips) / 3
    scaled = variance / 16 * 10**20  # in big bets; then as an integer with ten more digits
    assert result.entrants[0].net == sum(chips)
    assert result.entrants[0].std_dev == pytest.approx(isqrt(int(scaled)) / 10**10, rel=1e-15)
    assert result.pots.std_dev == 0.0


@given(st.lists(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=3, max_size=3), min_size=1, max_size=20))
def test_sums_beyond_64_bits_are_exact(rows: list[list[int]]) -> None:
    assert exact_sums(np.array(rows, dtype=np.int64)) == [sum(column) for column in zip(*rows, strict=True)]


def test_a_ratio_of_equal_bins_is_a_mean_of_bins() -> None:
    parts = [3, 1, 4, 1, 5, 9, 2, 6]
    mean = mean_estimate(sum(parts), sum(part * part for part in parts), len(parts), scale=Fraction(1, 10))
    ratio = ratio_estimate(parts, [10] * len(parts))
    assert (ratio.value, ratio.std_error) == pytest.approx((mean.value, mean.std_error))
    assert ratio.ci95 == pytest.approx(mean.ci95)


def test_a_ratio_of_unequal_bins_follows_the_formula() -> None:
    parts, wholes = np.array([3, 1, 4, 1, 5]), np.array([10, 7, 11, 9, 10])
    ratio = parts.sum() / wholes.sum()
    error = sqrt(5 / 4 * ((parts - ratio * wholes) ** 2).sum()) / wholes.sum()
    found = ratio_estimate(parts.tolist(), wholes.tolist(), scale=Fraction(100))
    assert (found.value, found.std_error) == pytest.approx((100 * ratio, 100 * error))


def test_one_hand_has_a_result_but_no_error() -> None:
    asked = experiment(1)
    result = scenario_result(asked.scenarios[0], played(asked)[0])
    for entrant in result.entrants:
        assert (entrant.std_error, entrant.ci95, entrant.std_dev) == (None, None, None)
    assert (result.pots.mean.std_error, result.pots.mean.ci95, result.pots.std_dev) == (None, None, None)
    assert result.pots.rake_per_100.ci95 is None
    assert result.pots.showdowns.ci95 is not None, "Wilson's interval knows what one hand is worth"


def test_a_share_of_nothing_is_none() -> None:
    asked = experiment(50, [{"strategy": "folder", "seats": 4}, {"name": "f", "strategy": "folder"}])
    entrant = scenario_result(asked.scenarios[0], played(asked)[0]).entrants[0]
    assert (entrant.plays.shares["showdowns"].count, entrant.plays.shares["showdowns_won"].of) == (0, 0)
    assert (entrant.plays.shares["showdowns_won"].fraction, entrant.plays.shares["showdowns_won"].ci95) == (None, None)


def test_nothing_played_and_wrong_tallies_are_refused() -> None:
    scenario = experiment(3).scenarios[0]
    with pytest.raises(ValueError, match="no hand of scenario '2/4' was played"):
        scenario_result(scenario, Tally(3, 2))
    with pytest.raises(ValueError, match="'fish' has 6 hands in 3 blocks with 3 for it in each"):
        scenario_result(scenario, tally_of([[1, -1]] * 3, [2] * 3, seats=(1, 2)))


def test_intervals_of_known_means_cover_19_times_in_20() -> None:
    """A hand's net as poker has it: many small losses, some larger, few wins; 4,000 runs of 500 hands."""
    draw = random.Random(20260101)
    outcomes, weights = [-1, -5, 14], [70, 18, 12]
    mean = sum(chips * weight for chips, weight in zip(outcomes, weights, strict=True)) / 100
    covered = 0
    for _ in range(runs := 4000):
        nets = draw.choices(outcomes, weights, k=500)
        interval = mean_estimate(sum(nets), sum(net * net for net in nets), len(nets)).ci95
        assert interval is not None
        covered += interval[0] <= mean <= interval[1]
    assert 0.943 <= covered / runs <= 0.957, covered / runs  # two standard errors of this test


def test_normal_samples_are_covered_however_few() -> None:
    draw = random.Random(20260102)
    covered = 0
    for _ in range(runs := 4000):
        nets = [round(draw.gauss(0, 10**6)) for _ in range(4)]
        interval = mean_estimate(sum(nets), sum(net * net for net in nets), len(nets)).ci95
        assert interval is not None
        covered += interval[0] <= 0 <= interval[1]
    assert 0.943 <= covered / runs <= 0.957, covered / runs


def test_equal_entrants_at_real_tables_are_even_19_times_in_20() -> None:
    """Two entrants with the same strategy and no rake win nothing in the long run, whatever the cards."""
    lineup = [{"name": name, "strategy": "tight", "seats": 2} for name in ("north", "south")]
    scenario = experiment(400, lineup, stakes=STAKES).scenarios[0]
    covered = 0
    for seed in range(runs := 1000):
        tally = Tally(1, 2)
        counted = play_batch(scenario, seed, Batch(0, 0, 0, 400, 400))
        tally.table[0] += counted.table
        tally.entrants[0] += counted.entrants
        first, second = scenario_result(scenario, tally).entrants
        assert first.net == -second.net
        assert first.ci95 is not None
        covered += first.ci95[0] <= 0 <= first.ci95[1]
    assert 0.936 <= covered / runs <= 0.964, covered / runs


def test_shares_of_seats_that_always_act_alike_are_still_covered() -> None:
    """Three seats that go to every showdown together: the worst case of seats that share a deal."""
    draw = random.Random(20260103)
    covered = 0
    for _ in range(runs := 2000):
        shown = 3 * sum(draw.random() < 0.2 for _ in range(200))
        low, high = wilson_interval(Fraction(shown, 3), Fraction(600, 3))
        covered += low <= 0.2 <= high
    assert 0.94 <= covered / runs <= 0.97, covered / runs


def test_the_summary_has_what_other_programs_rely_on() -> None:
    asked = experiment(2000)
    tallies = played(asked)
    found = json.loads(json_text(summary(asked, tallies, runner="local", workers=1, seconds=2.0)))
    assert {key: found[key] for key in ("name", "seed", "hands", "hands_per_second", "runner")} == {
        "name": "t",
        "seed": 7,
        "hands": 2000,
        "hands_per_second": 1000.0,
        "runner": "local",
    }
    (scenario,) = found["scenarios"]
    result = scenario_result(asked.scenarios[0], tallies[0])
    hero = scenario["entrants"][0]
    assert {"name", "strategy", "params", "seats", "hands", "net", "bb_per_100", "std_error", "ci95"} <= set(hero)
    assert (hero["name"], hero["strategy"], hero["params"], hero["seats"]) == ("hero", "tight", {"limit": 8}, 1)
    assert (hero["bb_per_100"], hero["std_error"]) == (result.entrants[0].bb_per_100, result.entrants[0].std_error)
    assert hero["ci95"] == list(result.entrants[0].ci95 or ())
    assert hero["net_units"] == result.entrants[0].net
    assert scenario["pots"]["mean"] == result.pots.mean.value
    assert scenario["pots"]["big_bets"]["mean"] == result.pots.mean_big_bets.value
    won = sum(entrant["net_units"] for entrant in scenario["entrants"])
    assert won + scenario["pots"]["rake"]["total_units"] == 0


@given(st.integers(-(2**62), 2**62), st.sampled_from(["1", "0.01", "0.0001"]))
def test_money_is_written_to_its_last_digit(units: int, unit: str) -> None:
    exact = units * Decimal(unit)
    written = json_text({"net": exact})
    assert json.loads(written, parse_float=Decimal, parse_int=Decimal)["net"] == exact
    assert "E" not in written


def test_no_time_gives_no_speed() -> None:
    asked = experiment(2)
    assert summary(asked, played(asked), runner="local", workers=1, seconds=0.0)["hands_per_second"] is None


def test_a_tally_of_part_of_the_hands_is_estimated_from_those() -> None:
    asked = experiment(2000)
    counted = play_batch(asked.scenarios[0], asked.seed, Batch(0, 0, 0, 2, 2))
    tally = asked.scenarios[0].tally()
    tally.table[0] += counted.table
    tally.entrants[0] += counted.entrants
    assert scenario_result(asked.scenarios[0], tally).hands == 2


# Sessions


SESSION = {"hands": 20, "stacks": "reset"}
SHORT: dict[str, Any] = {"session": {"hands": 20, "stacks": "carry"}, "stack": 3}


def blocks_played(asked: Experiment) -> list[Tally]:
    """Each block of a scenario in a tally of its own."""
    tallies = []
    for block in range(asked.scenarios[0].blocks):
        counted = play_batch(asked.scenarios[0], asked.seed, Batch(0, 0, block, block + 1, 20))
        tally = Tally(1, len(asked.scenarios[0].lineup))
        tally.table[0] += counted.table
        tally.entrants[0] += counted.entrants
        tallies.append(tally)
    return tallies


def ratio_with_error(parts: np.ndarray, wholes: np.ndarray) -> tuple[float, float]:
    ratio = parts.sum() / wholes.sum()
    spread = ((parts - ratio * wholes) ** 2).sum() * len(parts) / (len(parts) - 1)
    return ratio, sqrt(spread) / wholes.sum()


def test_sessions_of_full_length_are_samples_of_a_mean() -> None:
    asked = experiment(4000, session=SESSION)
    scenario = asked.scenarios[0]
    result = scenario_result(scenario, played(asked)[0])
    assert (result.blocks, result.hands) == (200, 4000)
    blocks = blocks_played(asked)
    for index, fared in enumerate(result.entrants):
        nets = np.array([block.entrant_total(index, "net") for block in blocks]) / scenario.stakes.big_bet
        rates = nets / 20 / fared.seats * 100
        assert fared.hands == 4000 * fared.seats
        assert fared.bb_per_100 == pytest.approx(rates.mean(), rel=1e-12)
        assert fared.std_error == pytest.approx(stats.sem(rates), rel=1e-12)
        assert fared.ci95 == pytest.approx(stats.t.interval(0.95, 199, rates.mean(), stats.sem(rates)), rel=1e-9)
        assert fared.std_dev == pytest.approx(nets.std(ddof=1), rel=1e-12)


def test_sessions_that_end_early_weigh_by_their_hands() -> None:
    asked = experiment(4000, **SHORT)
    scenario = asked.scenarios[0]
    result = scenario_result(scenario, played(asked)[0])
    blocks = blocks_played(asked)
    hands = np.array([block.hands for block in blocks])
    assert result.hands == hands.sum() < 4000, "some session ended early: else this tests nothing"
    for index, fared in enumerate(result.entrants):
        dealt = np.array([block.entrant_total(index, "hands") for block in blocks])
        assert fared.hands == dealt.sum()
        assert fared.hands < result.hands * fared.seats, "some seat was out of chips"
        nets = np.array([block.entrant_total(index, "net") for block in blocks]) / scenario.stakes.big_bet * 100
        assert (fared.bb_per_100, fared.std_error) == pytest.approx(ratio_with_error(nets, dealt), rel=1e-12)


@pytest.mark.parametrize("keys", [{"session": SESSION}, SHORT])
def test_hands_of_a_session_are_no_samples_of_the_pot(keys: dict[str, Any]) -> None:
    asked = experiment(4000, **keys)
    pots = scenario_result(asked.scenarios[0], played(asked)[0]).pots
    blocks = blocks_played(asked)
    hands = np.array([block.hands for block in blocks])
    money = np.array([block.table_total("pot") for block in blocks]) / 100
    assert (pots.mean.value, pots.mean.std_error) == pytest.approx(ratio_with_error(money, hands), rel=1e-12)
    split = np.array([block.table_total("split_pots") for block in blocks])
    fraction, error = ratio_with_error(split, hands)
    independent = fraction * (1 - fraction) / error**2 * (stats.norm.ppf(0.975) / stats.t.ppf(0.975, 199)) ** 2
    independent = min(independent, hands.sum())
    assert pots.split_pots.ci95 == pytest.approx(
        wilson_interval(Fraction(fraction * independent), Fraction(independent)), rel=1e-9
    )
    assert pots.std_dev is not None


def test_a_session_of_one_hand_is_a_hand() -> None:
    single, session = experiment(300), experiment(300, session={"hands": 1})
    assert scenario_result(single.scenarios[0], played(single)[0]) == scenario_result(
        session.scenarios[0], played(session)[0]
    )


def test_seats_that_miss_hands_for_no_reason_are_refused() -> None:
    asked = experiment(200, session=SESSION)
    tally = played(asked)[0]
    tally.entrants[0, 1, 0] -= 1
    with pytest.raises(ValueError, match="'fish' has 599 hands in 10 blocks with 60 for it in each"):
        scenario_result(asked.scenarios[0], tally)
    carried = experiment(200, session={"hands": 20, "stacks": "carry"})
    tally = played(carried)[0]
    tally.entrants[0, 0, 0] += 1
    with pytest.raises(ValueError, match="'hero' has 201 hands"):
        scenario_result(carried.scenarios[0], tally)


def test_one_session_has_a_result_but_no_error() -> None:
    asked = experiment(20, **SHORT)
    result = scenario_result(asked.scenarios[0], played(asked)[0])
    assert [entrant.ci95 for entrant in result.entrants] == [None, None]
    assert result.pots.mean.ci95 is None
    assert result.pots.showdowns.ci95 is not None


def test_a_share_that_varies_from_session_to_session_is_covered() -> None:
    """Sessions in which something happens in a tenth or in half of 30 hands: 19 intervals in 20 hold the 0.3."""
    draw = np.random.default_rng(20260104)
    covered, naive, runs = 0, 0, 2000
    for _ in range(runs):
        counts = draw.binomial(30, draw.choice([0.1, 0.5], 60)).tolist()
        low, high = clustered_share(counts, [30] * 60, together=1, samples=60).ci95 or (1.0, 0.0)
        covered += low <= 0.3 <= high
        low, high = share(sum(counts), 1800).ci95 or (1.0, 0.0)
        naive += low <= 0.3 <= high
    assert 0.94 <= covered / runs <= 0.96, covered / runs
    assert naive / runs < 0.7, "as if hands were independent would be far too narrow"


def test_a_share_never_seen_counts_a_session_as_one_chance() -> None:
    found = clustered_share([0] * 10, [50] * 10, together=1, samples=10)
    assert found.ci95 == pytest.approx(wilson_interval(0, 10))
    always = clustered_share([50] * 10, [50] * 10, together=1, samples=10)
    assert always.ci95 == pytest.approx(wilson_interval(10, 10))
    assert clustered_share([0], [0], together=1, samples=1).ci95 is None


def test_a_share_that_is_the_same_in_all_sessions_still_has_an_interval() -> None:
    """One hand in four has the bring-in of a given seat whatever happens: not more is known than from single hands."""
    found = clustered_share([50] * 10, [200] * 10, together=4, samples=10)
    assert found.ci95 == pytest.approx(wilson_interval(125, 500))


def test_equal_entrants_in_real_sessions_are_even_19_times_in_20() -> None:
    """Stacks of 4 big bets carried on: sessions end early, and the rate is a ratio."""
    lineup = [{"name": name, "strategy": "tight", "seats": 2} for name in ("north", "south")]
    keys: dict[str, Any] = {"session": {"hands": 12, "stacks": "carry"}, "stack": 4}
    scenario = experiment(12 * 60, lineup, stakes=STAKES, **keys).scenarios[0]
    covered = 0
    for seed in range(runs := 600):
        tally, loop = Tally(60, 2), Loop(scenario, seed)
        for block in range(60):
            counted = loop.play(Batch(0, block, block, block + 1, 12))
            tally.table[block] += counted.table
            tally.entrants[block] += counted.entrants
        first, _ = scenario_result(scenario, tally).entrants
        assert first.ci95 is not None
        covered += first.ci95[0] <= 0 <= first.ci95[1]
    assert 0.93 <= covered / runs <= 0.97, covered / runs


def test_the_summary_says_what_a_block_was() -> None:
    asked = experiment(400, **SHORT)
    (found,) = summary(asked, played(asked), runner="local", workers=1, seconds=2.0)["scenarios"]
    assert found["blocks"] == 20
    assert found["session"] == {"hands": 20, "stacks": "carry", "top_up": False}
    single = experiment(3)
    (found,) = summary(single, played(single), runner="local", workers=1, seconds=2.0)["scenarios"]
    assert (found["blocks"], found["session"]) == (3, None)
