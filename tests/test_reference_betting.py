"""Antes, the bring-in and betting in the plain-Python reference, computed by hand from RULES.md."""

from dataclasses import replace

import pytest
from reference.rules_in_plain_python import (
    Decision,
    Pot,
)
from reference_cases import FOUR_CALL, FOUR_SEATS, KING_FIRST, POKERSTARS, STAKES, Answer, cards, play

# Antes and the bring-in.


def test_cards_come_from_the_dealer_and_an_empty_seat_gets_none() -> None:
    result, _ = play("2c 3c 4c  5c 6c 7c  8c 9c Tc", stacks=[100, 0, 100, 100], dealer=2)
    assert result.hole[3][:2] == cards("2c 3c")
    assert [result.up[3][0], result.up[0][0], result.up[2][0]] == cards("4c 7c Tc")
    assert result.up[1] == result.hole[1] == []
    assert result.folded == (False, False, False, False)


def test_short_ante_makes_a_main_pot_of_that_much_from_each() -> None:
    stakes = replace(STAKES, ante=5)
    result, _ = play(KING_FIRST, stacks=[100, 2, 100], stakes=stakes)
    assert result.pots == [Pot(6, (0, 1, 2)), Pot(12, (0, 2))]  # 3 x 2; then 3 + 3 of bring-in from both


@pytest.mark.parametrize(("bring_in_card", "seat"), [("high", 1), ("low", 2)])
def test_bring_in_card(bring_in_card: str, seat: int) -> None:
    options = replace(POKERSTARS, bring_in_card=bring_in_card)
    result, asked = play("? ? Kh  ? ? Ks  ? ? Ac  ? ? Ad", options=options, seats=4)
    assert result.bring_in_seat == seat
    assert asked[0] == Decision(seat, 3, fold=False, stay=3, raise_min=10, raise_max=10)
    assert asked[1] == Decision((seat + 1) % 4, 3, fold=True, stay=3, raise_min=10, raise_max=10)


def test_bring_in_seat_all_in_for_the_ante() -> None:
    stacks = [1, 100, 100]
    result, asked = play(KING_FIRST, stacks=stacks)
    assert result.bring_in_seat == 1
    assert asked[0] == Decision(1, 3, fold=False, stay=3, raise_min=10, raise_max=10)
    result, asked = play(KING_FIRST, stacks=stacks, options=replace(POKERSTARS, bring_in_fallback="none"))
    assert result.bring_in_seat is None
    assert asked[0] == Decision(1, 3, fold=True, stay=0, raise_min=10, raise_max=10)
    assert result.contributions == [1, 1, 1]  # all checked, fourth street was dealt
    assert result.last_street == 7


def test_short_bring_in_everyone_else_owes_the_full_one() -> None:
    result, asked = play(KING_FIRST, stacks=[3, 100, 100])
    assert asked[0] == Decision(0, 3, fold=False, stay=2, raise_min=0, raise_max=0)
    assert asked[1] == Decision(1, 3, fold=True, stay=3, raise_min=10, raise_max=10)
    assert result.contributions == [3, 4, 4]
    assert result.pots == [Pot(9, (0, 1, 2)), Pot(2, (1, 2))]


def test_short_bring_in_heads_up_no_raise_and_the_rest_goes_back() -> None:
    result, asked = play("? ? Ks ? ? 2d", stacks=[2, 100])
    assert asked == [Decision(0, 3, False, 1, 0, 0), Decision(1, 3, True, 3, 0, 0)]
    assert result.returned == [0, 2]
    assert result.contributions == [2, 2]


def test_bring_in_seat_between_bring_in_and_small_bet_may_open_all_in() -> None:
    _, asked = play(KING_FIRST, [(0, "raise", 6)], stacks=[7, 100, 100])
    assert asked[0] == Decision(0, 3, fold=False, stay=3, raise_min=6, raise_max=6)
    assert asked[1] == Decision(1, 3, fold=True, stay=6, raise_min=16, raise_max=16)  # 6 is half a bet: counts
    _, asked = play(KING_FIRST, [(0, "raise", 4)], stacks=[5, 100, 100])
    assert asked[1] == Decision(1, 3, fold=True, stay=4, raise_min=10, raise_max=10)


def test_bring_in_equal_to_the_small_bet_counts_as_the_first_bet() -> None:
    stakes = replace(STAKES, bring_in=10)
    answers = [(0, "stay", 0), (1, "raise", 20), (2, "raise", 30), (0, "raise", 40)]
    _, asked = play(KING_FIRST, answers, stakes=stakes)
    assert asked[0] == Decision(0, 3, fold=False, stay=10, raise_min=0, raise_max=0)
    assert asked[4] == Decision(1, 3, fold=True, stay=20, raise_min=0, raise_max=0)


def test_all_fold_to_the_bring_in() -> None:
    result, asked = play(KING_FIRST, [(0, "stay", 0), (1, "fold", 0), (2, "fold", 0)])
    assert len(asked) == 3
    assert result.returned == [3, 0, 0]
    assert result.pots == [Pot(3, (0,))]
    assert result.finishing_stacks == [1002, 999, 999]
    assert (result.last_street, result.show_order, result.folded) == (3, [], (False, True, True))


def test_bring_in_option() -> None:
    _, asked = play(KING_FIRST)
    assert [decision.seat for decision in asked if decision.street == 3] == [0, 1, 2]
    _, asked = play(KING_FIRST, options=replace(POKERSTARS, bring_in_option=True))
    assert asked[3] == Decision(0, 3, fold=True, stay=0, raise_min=10, raise_max=10)


def test_no_bring_in_when_the_antes_leave_one_seat_with_chips() -> None:
    result, asked = play(KING_FIRST, stacks=[1, 100, 1])
    assert (asked, result.bring_in_seat, result.last_street) == ([], None, 7)
    assert result.openers == {}


# Betting.


def test_cap_of_four_and_of_five() -> None:
    answers = [(0, "stay", 0), (1, "raise", 10), (2, "raise", 20), (0, "raise", 30), (1, "raise", 40)]
    _, asked = play(KING_FIRST, answers)
    assert asked[5] == Decision(2, 3, fold=True, stay=20, raise_min=0, raise_max=0)
    _, asked = play(KING_FIRST, answers, options=replace(POKERSTARS, bets_per_round=5))
    assert asked[5] == Decision(2, 3, fold=True, stay=20, raise_min=50, raise_max=50)
    _, asked = play(
        KING_FIRST,
        [*answers, (2, "raise", 50), (0, "raise", 60)],
        options=replace(POKERSTARS, bets_per_round=0),
    )
    assert asked[7] == Decision(1, 3, fold=True, stay=20, raise_min=70, raise_max=70)


@pytest.mark.parametrize(
    ("heads_up_cap", "tournament", "players_left", "may_raise"),
    [
        ("always", False, None, False),
        ("off_if_round_began_heads_up", False, None, True),
        ("off_if_two_left_in_tournament", False, None, False),
        ("off_if_two_left_in_tournament", True, None, True),
        ("off_if_two_left_in_tournament", True, 5, False),
    ],
)
def test_heads_up_cap(heads_up_cap: str, tournament: bool, players_left: int | None, may_raise: bool) -> None:
    answers = [(0, "stay", 0), (1, "raise", 10), (0, "raise", 20), (1, "raise", 30), (0, "raise", 40)]
    _, asked = play(
        "? ? Ks ? ? 2d",
        answers,
        seats=2,
        options=replace(POKERSTARS, heads_up_cap=heads_up_cap),
        tournament=tournament,
        players_left=players_left,
    )
    assert asked[5].raise_max == (50 if may_raise else 0)


def test_cap_stands_when_the_round_becomes_heads_up() -> None:
    options = replace(POKERSTARS, heads_up_cap="off_if_round_began_heads_up")
    answers = [(0, "stay", 0), (1, "raise", 10), (2, "raise", 20), (0, "fold", 0), (1, "raise", 30)]
    _, asked = play(KING_FIRST, [*answers, (2, "raise", 40)], options=options)
    assert asked[6] == Decision(1, 3, fold=True, stay=10, raise_min=0, raise_max=0)
    assert asked[7].street == 4


@pytest.mark.parametrize(
    ("short_all_in", "all_in", "next_to", "bring_in_may_raise"),
    [
        ("half_bet", 4, 10, False),
        ("half_bet", 5, 15, True),
        ("full_bet_only", 5, 10, False),
        ("full_bet_only", 9, 10, False),
        ("bring_in_level", 4, 13, False),
        ("bring_in_level", 5, 13, True),  # it counts for the cap, yet L is the bring-in
    ],
)
def test_short_all_in_over_the_bring_in(short_all_in: str, all_in: int, next_to: int, bring_in_may_raise: bool) -> None:
    _, asked = play(
        KING_FIRST + " ? ? 4h",
        [(0, "stay", 0), (1, "stay", 0), (2, "raise", all_in)],
        stacks=[100, 100, 1 + all_in, 100],
        options=replace(POKERSTARS, short_all_in=short_all_in),
    )
    assert asked[3] == Decision(3, 3, fold=True, stay=all_in, raise_min=next_to, raise_max=next_to)
    to = next_to if bring_in_may_raise else 0
    assert asked[4] == Decision(0, 3, fold=True, stay=all_in - 3, raise_min=to, raise_max=to)


def test_several_short_all_ins_reopen_together() -> None:
    answers = [*FOUR_CALL, (0, "raise", 10), (1, "raise", 14), (2, "stay", 0), (3, "raise", 16)]
    _, asked = play(FOUR_SEATS, answers, stacks=[100, 4 + 14, 100, 4 + 16])
    assert asked[6] == Decision(2, 4, fold=True, stay=14, raise_min=20, raise_max=20)  # 14 does not count
    assert asked[8] == Decision(0, 4, fold=True, stay=6, raise_min=26, raise_max=26)  # 16 does; faces 6
    assert asked[9] == Decision(2, 4, fold=True, stay=2, raise_min=0, raise_max=0)  # faces 2 beyond its 14


def test_full_wager_reopens_under_full_bet_only() -> None:
    options = replace(POKERSTARS, short_all_in="full_bet_only")
    answers = [
        *FOUR_CALL,
        (0, "raise", 10),
        (1, "raise", 18),
        (2, "stay", 0),
        (3, "raise", 20),
        (0, "stay", 0),
    ]
    _, asked = play(FOUR_SEATS, answers, stacks=[100, 4 + 18, 100, 100], options=options)
    assert asked[7] == Decision(3, 4, fold=True, stay=18, raise_min=20, raise_max=20)
    assert asked[9] == Decision(2, 4, fold=True, stay=2, raise_min=30, raise_max=30)


def test_nobody_may_raise_when_no_other_seat_could_put_in_more() -> None:
    _, asked = play("? ? Ks ? ? 2d", [(0, "stay", 0), (1, "raise", 8)], stacks=[100, 9])
    assert asked[2] == Decision(0, 3, fold=True, stay=5, raise_min=0, raise_max=0)
    assert len(asked) == 3


def test_no_limit_minimum_raises_and_reopening() -> None:
    options = replace(POKERSTARS, betting="no_limit")
    answers = [*FOUR_CALL, (0, "raise", 25), (1, "raise", 60), (2, "raise", 80), (3, "stay", 0)]
    _, asked = play(FOUR_SEATS, answers, stacks=[500, 500, 4 + 80, 500], options=options)
    assert asked[0] == Decision(3, 3, fold=False, stay=3, raise_min=10, raise_max=499)
    assert asked[1] == Decision(0, 3, fold=True, stay=3, raise_min=10, raise_max=499)
    assert asked[4] == Decision(0, 4, fold=True, stay=0, raise_min=10, raise_max=496)
    assert asked[5] == Decision(1, 4, fold=True, stay=25, raise_min=50, raise_max=496)
    assert asked[6] == Decision(2, 4, fold=True, stay=60, raise_min=80, raise_max=80)  # short of 95
    assert asked[7] == Decision(3, 4, fold=True, stay=80, raise_min=115, raise_max=496)
    assert asked[8] == Decision(0, 4, fold=True, stay=55, raise_min=115, raise_max=496)  # 60 was a full raise
    assert asked[9] == Decision(1, 4, fold=True, stay=20, raise_min=0, raise_max=0)


def test_pot_limit_maximum() -> None:
    options = replace(POKERSTARS, betting="pot_limit")
    _, asked = play(KING_FIRST, [(0, "stay", 0), (1, "raise", 12)], options=options)
    assert asked[0] == Decision(0, 3, fold=False, stay=3, raise_min=10, raise_max=10)  # pot 3: the minimum
    assert asked[1] == Decision(1, 3, fold=True, stay=3, raise_min=10, raise_max=12)  # 3 + pot 6 + call 3
    assert asked[2] == Decision(2, 3, fold=True, stay=12, raise_min=24, raise_max=42)  # 12 + 18 + 12


@pytest.mark.parametrize(("free_fold", "folded"), [("allow", True), ("check", False)])
def test_free_fold(free_fold: str, folded: bool) -> None:
    options = replace(POKERSTARS, free_fold=free_fold)
    result, _ = play(FOUR_SEATS, [*FOUR_CALL, (0, "fold", 0)], seats=4, options=options)
    assert (result.folded[0], result.free_folds) == (folded, 1)
    assert len(result.up[0]) == (2 if folded else 4)


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ([(0, "fold", 0)], "may not fold"),
        ([(0, "raise", 11)], "11 is not in 10..10"),
        ([(0, "check", 0)], "unknown answer"),
        ([(0, "stay", 3)], "unknown answer"),
        (
            [(0, "raise", 10), (1, "raise", 20), (2, "raise", 30), (0, "raise", 40), (1, "raise", 50)],
            "may not",
        ),
    ],
)
def test_illegal_answers_raise(answers: list[Answer], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        play(KING_FIRST, answers)
