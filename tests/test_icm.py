"""What stacks are worth: published values, all finishing orders in exact fractions, properties, samples."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numba import float64, int64, void
from pokerkit import calculate_icm

from razz_sim.compiling import compiled
from razz_sim.tournament import SampledPrizes, finish_probabilities, icm, integrated_icm, sampled_icm
from razz_sim.tournament.icm import fill_icm, new_room

PUBLISHED = {
    "three left of a sit-and-go": ([5000, 3000, 2000], [50, 30, 20], [38.39, 32.75, 28.86]),
    "the example of poker-apprentice/icm-calculator": (
        [150_000, 98_750, 45_500, 13_250],
        [425, 280, 130, 75],
        [323.20, 278.12, 195.79, 112.89],
    ),
    "four left, three paid (pailiku.com)": (
        [5000, 3000, 1500, 500],
        [500, 300, 200],
        [377.78, 312.89, 225.60, 83.73],
    ),
    "6, 4 and 2 thousand (cryptopokerdb.com)": ([6000, 4000, 2000], [500, 300, 200], [385, 340, 275]),
}
TWELVE = [100, 250, 400, 700, 900, 1500, 1500, 2100, 3300, 4000, 5200, 9050]
FIVE_PRIZES = [4000, 2500, 1700, 1100, 700]

stacks_with_chips = st.lists(st.integers(1, 10_000), min_size=1, max_size=7)
some_prizes = st.lists(st.integers(0, 1000), min_size=1, max_size=7)


def chances_of_all_orders(stacks: Sequence[int]) -> list[list[Fraction]]:
    """`[player][place]`: each order in turn, as its definition says."""
    players = range(len(stacks))
    chances = [[Fraction(0) for _ in players] for _ in players]

    def go_on(finished: tuple[int, ...], chance: Fraction, left: int) -> None:
        for player in players:
            if player not in finished:
                here = chance * stacks[player] / left
                chances[player][len(finished)] += here
                go_on((*finished, player), here, left - stacks[player])

    go_on((), Fraction(1), sum(stacks))
    return chances


def expected(stacks: Sequence[int], prizes: Sequence[int | Fraction]) -> list[float]:
    """What each player can expect, by all orders."""
    return [float(sum(map(Fraction.__mul__, row, map(Fraction, prizes)))) for row in chances_of_all_orders(stacks)]


@pytest.mark.parametrize("where", PUBLISHED)
def test_published_examples(where: str) -> None:
    stacks, prizes, published = PUBLISHED[where]
    assert icm(stacks, prizes) == pytest.approx(published, abs=0.006)


def test_the_textbook_example_by_hand() -> None:
    second = Fraction(3, 10) * Fraction(5, 7) + Fraction(2, 10) * Fraction(5, 8)
    third = 1 - Fraction(1, 2) - second
    assert (second, third) == (Fraction(19, 56), Fraction(9, 56))
    assert icm([5000, 3000, 2000], [50, 30, 20])[0] == pytest.approx(float(25 + 30 * second + 20 * third), rel=1e-15)


@settings(max_examples=25, deadline=None)
@given(stacks_with_chips, some_prizes)
@example([9999, 1, 5000, 77, 3, 2048, 640], [500, 300, 0, 200, 100, 60, 5])
def test_all_finishing_orders_give_the_same(stacks: list[int], prizes: list[int]) -> None:
    prizes = prizes[: len(stacks)]
    assert icm(stacks, prizes) == pytest.approx(expected(stacks, prizes), rel=1e-12, abs=1e-12)
    chances = np.array(chances_of_all_orders(stacks), dtype=float)
    assert finish_probabilities(stacks) == pytest.approx(chances, rel=1e-12)
    assert finish_probabilities(stacks, len(prizes)) == pytest.approx(chances[:, : len(prizes)], rel=1e-12)


def test_pokerkit_says_the_same() -> None:
    stacks, prizes = TWELVE[:9], FIVE_PRIZES
    assert icm(stacks, prizes) == pytest.approx(calculate_icm(prizes, stacks), rel=1e-9)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.one_of(st.just(0), st.integers(1, 10**12)), min_size=1, max_size=12).filter(any),
    st.lists(st.integers(0, 10**9), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
)
def test_sums_and_names(stacks: list[int], prizes: list[int], chance: object) -> None:
    prizes = prizes[: len(stacks)]
    worth, chances = icm(stacks, prizes), finish_probabilities(stacks)
    assert worth.sum() == pytest.approx(sum(prizes), rel=1e-12)
    assert chances.sum(axis=0) == pytest.approx(1.0)
    assert chances.sum(axis=1) == pytest.approx(1.0)
    order = list(range(len(stacks)))
    chance.shuffle(order)  # type: ignore[attr-defined]
    assert icm([stacks[player] for player in order], prizes) == pytest.approx(worth[order], rel=1e-9)


@settings(max_examples=40, deadline=None)
@given(stacks_with_chips, some_prizes, st.integers(1, 5000))
def test_more_chips_are_never_worth_less(stacks: list[int], prizes: list[int], more: int) -> None:
    prizes = sorted(prizes[: len(stacks)], reverse=True)
    worth = icm(stacks, prizes)
    by_chips = worth[np.argsort(stacks, kind="stable")]
    assert (np.diff(by_chips) >= -1e-9).all()
    assert icm([stacks[0] + more, *stacks[1:]], prizes)[0] >= worth[0] - 1e-9


def test_equal_stacks_are_worth_the_same() -> None:
    assert icm([1500] * 15, [50, 30, 20]) == pytest.approx([100 / 15] * 15, rel=1e-12)


def test_a_giant_has_the_first_prize_almost() -> None:
    worth = icm([10**15, 1, 1, 1], [50, 30, 20])
    assert worth == pytest.approx([50, 50 / 3, 50 / 3, 50 / 3], rel=1e-12)


def test_satellites_pay_seats_alike() -> None:
    assert icm([9000, 500, 500], [100, 100, 100]) == pytest.approx([100, 100, 100], rel=1e-12)
    two_seats = icm([9000, 500, 500], [100, 100])
    assert two_seats == pytest.approx(expected([9000, 500, 500], [100, 100]), rel=1e-12)
    assert two_seats[0] < 100 < 10 * two_seats[1]


def test_winner_takes_all_is_the_share_of_chips() -> None:
    assert icm(TWELVE, [29_000]) == pytest.approx(np.array(TWELVE), rel=1e-12)


def test_who_is_out_shares_what_the_last_places_pay() -> None:
    assert icm([0, 600, 0, 400], [50, 30, 15, 5]) == pytest.approx([10, 42, 10, 38])
    assert finish_probabilities([0, 600, 0, 400])[0].tolist() == [0, 0, 0.5, 0.5]
    assert icm([0, 5, 0], [70, 30]) == pytest.approx([15, 70, 15])
    many_out = sampled_icm([0] * 50 + [600, 400], [50, 30, 20])
    assert many_out.value == pytest.approx([0.4] * 50 + [42, 38])
    assert icm([0] * 50 + [600, 400], [50, 30, 20]) == pytest.approx(many_out.value)


def test_prizes_may_be_fractions() -> None:
    assert icm([3, 1], [Fraction(1, 3), Fraction(1, 6)]).tolist() == pytest.approx([7 / 24, 5 / 24])


def test_compiled_callers_have_it_too() -> None:
    @compiled(void(int64[::1], float64[::1], float64[:, ::1], float64[:, ::1], float64[::1]))
    def ask(stacks: np.ndarray, prizes: np.ndarray, room: np.ndarray, chances: np.ndarray, worth: np.ndarray) -> None:
        fill_icm(stacks, prizes, room, chances, worth)

    stacks, prizes, worth = np.array([0, 5000, 3000, 2000]), np.array([50.0, 30.0, 15.0, 5.0]), np.empty(4)
    room, chances = new_room(9), np.empty((4, 4))
    for _ in range(2):  # the room is left as it was used
        ask(stacks, prizes, room, chances, worth)
        assert worth.tolist() == icm(stacks, [50, 30, 15, 5]).tolist()
    assert chances.T.tolist() == finish_probabilities(stacks).tolist()


WRONG = {
    "no chips": ([0, 0], [1], "no player has chips"),
    "nobody": ([], [1], "no player has chips"),
    "below 0": ([5, -1], [1], "stack -1 of player 2 must not be below 0"),
    "not whole": ([5, 1.5], [1], "stack 1.5 of player 2 must be a whole number"),
    "too many chips": ([2**53, 1], [1], "cannot be worked with"),
    "no prize": ([5, 1], [], "there is no prize"),
    "more prizes": ([5, 1], [3, 2, 1], "3 prizes are more than the 2 players"),
    "a prize below 0": ([5, 1], [3, -2], "prize 2 is -2"),
    "a prize in floating point": ([5, 1], [0.5], "prize 1 is 0.5"),
}


@pytest.mark.parametrize("ask", [icm, integrated_icm, sampled_icm])
@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_refused(wrong: str, ask: object) -> None:
    stacks, prizes, sentence = WRONG[wrong]
    with pytest.raises(ValueError, match=sentence):
        ask(stacks, prizes)  # type: ignore[operator]


def test_what_is_refused_of_samples_and_of_many_players() -> None:
    with pytest.raises(ValueError, match="16 players have chips: for more than 15 there are"):
        icm([1] * 16, [1])
    for wrong, sentence in (
        ({"samples": 10}, "at least 1000"),
        ({"samples": 2000, "half_width": 1.0}, "one of them must go"),
        ({"half_width": 0.0}, "above 0"),
        ({"seed": -1}, "seed -1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            sampled_icm([1] * 16, [1], **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="places 3"):
        finish_probabilities([1, 1], 3)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.one_of(st.just(0), st.integers(1, 30), st.integers(1, 10**12)), min_size=1, max_size=10).filter(any),
    st.lists(st.integers(0, 10**6), min_size=1, max_size=10),
)
def test_the_integral_is_the_exact_value(stacks: list[int], prizes: list[int]) -> None:
    prizes = prizes[: len(stacks)]
    assert integrated_icm(stacks, prizes) == pytest.approx(icm(stacks, prizes), rel=1e-9, abs=1e-9 * max(prizes))


def test_the_integral_of_many_players() -> None:
    stacks, prizes = list(range(100, 30_100, 100)), [1000 - 20 * place for place in range(45)]
    worth = integrated_icm(stacks, prizes)
    assert worth.sum() == pytest.approx(sum(prizes), rel=1e-12)
    assert (np.diff(worth) > 0).all()
    found = sampled_icm(stacks, prizes, samples=50_000)
    assert np.nanmax(off(found, worth)) < 5
    assert np.isfinite(found.std_error).sum() > 290
    with pytest.raises(ValueError, match="these are sampled, by sampled_icm"):
        integrated_icm([1] * 100_000, [1] * 50)


def test_who_was_drawn_too_seldom_or_always_has_no_interval() -> None:
    stacks, prizes = [10**6, *[1000] * 12, 1, 1], [50, 30, 15, 5]
    found = sampled_icm(stacks, prizes, samples=5000)
    assert np.isnan(found.std_error).tolist() == [True, *[False] * 12, True, True]
    assert np.isfinite(found.value).all()
    assert sampled_icm(stacks, prizes, half_width=0.1).samples >= 1024


def off(found: SampledPrizes, truth: np.ndarray) -> np.ndarray:
    """How many standard errors each player's value is from the truth."""
    return np.abs(found.value - truth) / found.std_error


def test_samples_agree_with_the_exact_values() -> None:
    found = sampled_icm(TWELVE, FIVE_PRIZES, samples=50_000, seed=3)
    assert off(found, icm(TWELVE, FIVE_PRIZES)).max() < 5
    assert found.value.sum() == pytest.approx(sum(FIVE_PRIZES), rel=1e-12)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    truth, seeds = icm(TWELVE, FIVE_PRIZES), 400
    held = np.zeros(len(TWELVE))
    for seed in range(seeds):
        low, high = sampled_icm(TWELVE, FIVE_PRIZES, samples=5000, seed=seed).ci95.T
        held += (low <= truth) & (truth <= high)
    assert held.min() / seeds > 0.95 - 4.5 * (0.95 * 0.05 / seeds) ** 0.5
    assert 0.935 < held.mean() / seeds < 0.965


def test_many_players_against_exponential_times() -> None:
    """Harville's orders are those of exponential times with rates as the stacks: the first to come wins.

    (Stern, "Models for distributions on permutations", Journal of the American Statistical Association 85, 1990.)
    """
    chance = np.random.default_rng(11)
    stacks, prizes = chance.integers(1, 5000, 60), np.array([500, 300, 250, 100, 60, 50, 40])
    orders = np.argsort(chance.exponential(size=(20_000, 60)) / stacks, axis=1)
    won = np.zeros((20_000, 60))
    np.put_along_axis(won, orders[:, : len(prizes)], np.broadcast_to(prizes, (20_000, len(prizes))), axis=1)
    found = sampled_icm(stacks, prizes.tolist(), samples=20_000)
    error = np.hypot(found.std_error, won.std(axis=0) / 20_000**0.5)
    assert (np.abs(found.value - won.mean(axis=0)) / error).max() < 5
    assert found.std_error.max() < won.std(axis=0).max() / 20_000**0.5 / 5, "it spreads far less than prizes do"


def test_a_thousand_players_of_two_sizes() -> None:
    found = sampled_icm([3000] * 500 + [1000] * 500, [1000 - place for place in range(150)])
    for same in (slice(500), slice(500, 1000)):
        assert off(found, found.value[same].mean())[same].max() < 5
    assert found.value[0] > 2 * found.value[-1]


def test_the_first_two_prizes_are_not_sampled() -> None:
    found = sampled_icm([10**15, *TWELVE], [70, 30], samples=5000)
    assert found.value == pytest.approx(icm([10**15, *TWELVE], [70, 30]), rel=1e-12)
    assert not found.std_error.any()
    assert found.samples == 5000


def test_a_seed_draws_the_same_orders() -> None:
    stacks, prizes = list(range(1, 101)), [50, 30, 20]
    one, again, other = (sampled_icm(stacks, prizes, seed=seed, samples=3000) for seed in (1, 1, 2))
    assert one.value.tolist() == again.value.tolist()
    assert one.value.tolist() != other.value.tolist()


def test_it_draws_until_intervals_are_as_narrow_as_wanted() -> None:
    stacks, prizes = list(range(1, 101)), [50, 30, 20]
    found = sampled_icm(stacks, prizes, half_width=0.005)
    low, high = found.ci95.T
    assert np.nanmax(high - low) / 2 <= 0.005
    assert found.samples > 2000
    assert found.value.tolist() == sampled_icm(stacks, prizes, samples=found.samples).value.tolist()
