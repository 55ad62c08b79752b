"""Pots, odd chips and rake in the plain-Python reference, computed by hand from RULES.md, and any hand at all."""

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from reference.betting import OPTION_VALUES
from reference.lows import used_cards
from reference.pots import odd_chip_order, pots_by_level, rake_cap, split, uncalled
from reference.rules_in_plain_python import (
    Decision,
    Options,
    Pot,
    Rake,
    Result,
    Stakes,
    play_hand,
)
from reference_cases import KING_FIRST, POKERSTARS, STAKES, Answer, card, cards, play

# Pots.


def test_uncalled_chips() -> None:
    assert uncalled([5, 20, 12]) == [0, 8, 0]
    assert uncalled([5, 20, 20]) == [0, 0, 0]


def test_pots_by_level() -> None:
    assert pots_by_level([10, 30, 60, 60], [True] * 4) == [
        Pot(40, (0, 1, 2, 3)),
        Pot(60, (1, 2, 3)),
        Pot(60, (2, 3)),
    ]
    folded_above = pots_by_level([10, 30, 60, 60], [True, True, False, False])
    assert folded_above == [Pot(40, (0, 1)), Pot(120, (1,))]  # the level 60 has no live contributor
    assert pots_by_level([5, 8, 20, 20], [False, False, True, True]) == [Pot(53, (2, 3))]


def test_split_odd_chips_and_what_is_less_than_a_chip() -> None:
    assert split(100, [2, 0, 1], 1) == {2: 34, 0: 33, 1: 33}
    assert split(101, [2, 0, 1], 1) == {2: 34, 0: 34, 1: 33}
    assert split(103, [4, 1, 2], 5) == {4: 38, 1: 35, 2: 30}


def test_odd_chip_order() -> None:
    tied = {
        1: cards("7c 5c 4s 3s 2s Kd Kh"),  # used: 7c; lowest 2s
        2: cards("7d 7h 5d 4d 3d 2d Qs"),  # its better seven is the heart; lowest 2d
        0: cards("7c 5s 4c 3c 2c Ks Kc"),  # shares the 7c: decided by the five of spades; lowest 2c
    }
    assert used_cards(tied[2])[0] == card("7h")
    assert odd_chip_order([1, 2, 0], tied, "position") == [1, 2, 0]
    assert odd_chip_order([1, 2, 0], tied, "high_card") == [2, 0, 1]
    assert odd_chip_order([1, 2, 0], tied, "low_card") == [0, 2, 1]


@pytest.mark.parametrize(
    ("odd_chip", "winner"),
    [("position", 0), ("high_card", 1), ("low_card", 1)],
)
def test_odd_chip_of_a_hand(odd_chip: str, winner: int) -> None:
    """Both make 75432; seat 1 has the seven of spades and the deuce of clubs. Seat 2 folds its dead ante."""
    first = "2d 3d 4d  2c 3h 4h  ? ? Ks  5d 5h  7c 7s  Kc Kd  Kh Qs"
    options = replace(POKERSTARS, odd_chip=odd_chip)
    stakes = replace(STAKES, ante=1)
    result, _ = play(
        first,
        [(2, "stay", 0), (0, "raise", 10), (1, "stay", 0), (2, "fold", 0)],
        stakes=stakes,
        options=options,
    )
    assert result.pots == [Pot(26, (0, 1))]  # 11 + 11 + 4
    assert result.awards == [13, 13, 0]
    result, _ = play(
        first,
        [(2, "stay", 0), (0, "raise", 10), (1, "stay", 0), (2, "fold", 0)],
        stakes=replace(STAKES, bring_in=2),
        options=options,
    )
    assert result.pots == [Pot(25, (0, 1))]
    assert result.awards[winner] == 13


def raked(rake: Rake, answers: Sequence[Answer] = (), **setting: Any) -> Result:
    return play(KING_FIRST, answers, stakes=replace(STAKES, rake=rake), **setting)[0]


def test_rake_percent_cap_and_whole_chips() -> None:
    five_percent = Rake(Fraction(5), cap=None, cap_by_players=None, third_street=True)
    complete = [(0, "raise", 10)]
    assert raked(five_percent, complete).rake == 1  # 5 % of 33 is 1.65
    assert raked(replace(five_percent, percent=Fraction(50), cap=3), complete).rake == 3
    chips = replace(STAKES, chip=5, rake=replace(five_percent, percent=Fraction(50)))
    assert play(KING_FIRST, complete, stakes=chips)[0].rake == 15  # 16.5 in whole chips of 5
    assert raked(five_percent, complete, tournament=True).rake == 0


def test_rake_cap_by_players() -> None:
    rake = Rake(Fraction(5), cap=None, cap_by_players={2: 10, 4: 30}, third_street=True)
    assert [rake_cap(rake, players) for players in (2, 3, 4, 8)] == [10, 10, 30, 30]
    assert rake_cap(replace(rake, cap_by_players={5: 50, 7: 70}), 3) == 50


def test_rake_of_a_walk_and_third_street() -> None:
    rake = Rake(Fraction(50), cap=None, cap_by_players=None, third_street=True)
    walk = [(0, "stay", 0), (1, "fold", 0), (2, "fold", 0)]
    result = raked(rake, walk)
    assert (result.rake, result.awards) == (1, [2, 0, 0])  # half of three antes; the bring-in went back
    assert raked(replace(rake, third_street=False), walk).rake == 0
    assert raked(replace(rake, third_street=False)).rake == 6  # fourth street was dealt: half of 12


def test_rake_comes_from_the_main_pot_first() -> None:
    rake = Rake(Fraction(100), cap=5, cap_by_players=None, third_street=True)
    first = "As 2s Ks  6d 7d 8d  Ah 2h 3h  3s 8c 4h  4s 9c 5h  5s 8h 6h"  # seats 0 and 2 hold wheels
    result, _ = play(first, stacks=[1, 100, 100], stakes=replace(STAKES, rake=rake))
    assert result.pots == [Pot(3, (0, 1, 2)), Pot(6, (1, 2))]
    assert result.rake == 5
    assert result.awards == [0, 0, 4]  # the main pot is gone, two more come from the side pot


# Any hand at all.


def random_options(rng: random.Random) -> Options:
    values: dict[str, Any] = {option: rng.choice(choices) for option, choices in OPTION_VALUES.items()}
    return Options(bets_per_round=rng.choice([0, 1, 4, 5]), **values)


def random_stakes(rng: random.Random) -> Stakes:
    small = rng.randint(2, 12)
    rake = Rake(
        Fraction(rng.randint(0, 20), 2),
        rng.choice([None, 3]),
        rng.choice([None, {3: 2, 6: 4}]),
        rng.random() < 0.5,
    )
    return Stakes(
        ante=rng.randint(0, small),
        bring_in=rng.randint(1, small),
        small_bet=small,
        big_bet=small * rng.randint(1, 2),
        chip=rng.choice([1, 1, 5]),
        rake=rng.choice([None, rake]),
    )


def random_player(rng: random.Random) -> Any:
    """Folds rarely enough that every street is seen."""
    fold, stay = rng.random() * 0.2, rng.random()

    def decide(decision: Decision) -> tuple[str, int]:
        if decision.fold and rng.random() < fold:
            return "fold", 0
        if decision.raise_max == 0 or rng.random() < stay:
            return "stay", 0
        return "raise", rng.choice([decision.raise_min, rng.randint(decision.raise_min, decision.raise_max)])

    return decide


def play_random_hand(seed: int) -> Result:
    """One hand of random rules, stakes, stacks and actions; what must hold for any hand is asserted."""
    rng = random.Random(seed)
    seats = rng.randint(2, 8)
    deepest = rng.choice([5, 30, 200, 100_000])
    stacks = [rng.randint(1, deepest) for _ in range(seats)]
    if seats > 2 and rng.random() < 0.2:
        stacks[rng.randrange(seats)] = 0
    result = play_hand(
        random_options(rng),
        random_stakes(rng),
        list(stacks),
        rng.randrange(seats),
        rng.sample(range(52), 52),
        random_player(rng),
        tournament=rng.random() < 0.3,
        players_left=rng.choice([None, 2, 9]),
    )
    put_in = sum(result.contributions)
    assert sum(result.awards) + result.rake == put_in == sum(pot.amount for pot in result.pots)
    assert sum(result.finishing_stacks) + result.rake == sum(stacks)
    assert min(result.finishing_stacks) >= 0
    assert min(result.awards) >= 0
    dealt = [card for seat in range(seats) for card in result.up[seat] + result.hole[seat]]
    dealt += [] if result.community is None else [result.community]
    assert len(dealt) == len(set(dealt))
    live = [seat for seat in range(seats) if stacks[seat] and not result.folded[seat]]
    assert sorted(result.show_order) == (live if len(live) > 1 else [])
    assert not any(result.awards[seat] for seat in range(seats) if seat not in live)
    return result


def test_random_hands_conserve_chips_and_end() -> None:
    results = [play_random_hand(seed) for seed in range(600)]
    assert {result.last_street for result in results} == {3, 4, 5, 6, 7}
    assert any(len(result.pots) > 2 for result in results)
    assert any(result.community is not None for result in results)
