"""The plain-Python reference against small cases computed by hand from RULES.md.

Unless a test says otherwise the dealer sits last, so seat 0 is "first from the dealer", and the stakes are
ante 1, bring-in 3, bets 10 and 20.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest
from reference.betting import OPTION_VALUES
from reference.lows import high_board_key, opening_board, used_cards
from reference.pots import odd_chip_order, pots_by_level, rake_cap, split, uncalled
from reference.rules_in_plain_python import (
    PRESETS,
    Card,
    Decision,
    Options,
    Pot,
    Rake,
    Result,
    Stakes,
    low_key,
    play_hand,
)

STAKES = Stakes(ante=1, bring_in=3, small_bet=10, big_bet=20)
POKERSTARS = PRESETS["pokerstars"]
WSOP = PRESETS["wsop_live"]

KING_FIRST = "? ? Ks  ? ? 2d  ? ? 3h"  # seat 0 owes the bring-in, seat 1 and seat 2 follow
FOUR_CALL = [(3, "stay", 0), (0, "stay", 0), (1, "stay", 0), (2, "stay", 0)]
FOUR_SEATS = "? ? 2d  ? ? 5h  ? ? 6h  ? ? Ks  3c 9c Tc Jc"  # seat 3 brings in, seat 0 opens fourth street

Answer = tuple[int, str, int]


def card(name: str) -> Card:
    """`Ks` is 4 * 12 + 3."""
    return 4 * "A23456789TJQK".index(name[0]) + "cdhs".index(name[1])


def cards(names: str) -> list[Card]:
    return [card(name) for name in names.split()]


def ranks(names: str) -> list[Card]:
    """Cards of these ranks in suits that come round: suits never decide a pot."""
    return [4 * "A23456789TJQK".index(rank) + place % 4 for place, rank in enumerate(names)]


def deck(first: str) -> list[Card]:
    """The named cards first (`?` is any unused card), then the rest."""
    named = first.split()
    unused = [number for number in range(52) if number not in [card(name) for name in named if name != "?"]]
    return [unused.pop(0) if name == "?" else card(name) for name in named] + unused


@dataclass
class Script:
    """Answers (seat, action, to) in order, the seat being checked; afterwards everybody checks and calls."""

    answers: Sequence[Answer]
    asked: list[Decision] = field(default_factory=list)

    def __call__(self, decision: Decision) -> tuple[str, int]:
        self.asked.append(decision)
        if len(self.asked) > len(self.answers):
            return "stay", 0
        seat, action, to = self.answers[len(self.asked) - 1]
        assert seat == decision.seat, f"{decision} where seat {seat} was expected"
        return action, to


def play(
    first: str,
    answers: Sequence[Answer] = (),
    *,
    options: Options = POKERSTARS,
    stakes: Stakes = STAKES,
    stacks: Sequence[int] | None = None,
    dealer: int | None = None,
    seats: int = 3,
    **tournament: Any,
) -> tuple[Result, list[Decision]]:
    """The result, and what was asked."""
    stacks = [1000] * seats if stacks is None else list(stacks)
    dealer = len(stacks) - 1 if dealer is None else dealer
    script = Script(answers)
    result = play_hand(options, stakes, stacks, dealer, deck(first), script, **tournament)
    assert len(script.asked) >= len(script.answers), "the hand ended before the script"
    return result, script.asked


# Lows and boards.


def test_ranking_list_worst_to_best() -> None:
    worst_to_best = "33355 KK432 22765 AAT98 KQJT9 KQJT7 98765 97653 9765A 65432 6432A 5432A"  # RULES.md, Showdown
    keys = [low_key(ranks(low)) for low in worst_to_best.split()]
    assert keys == sorted(keys, reverse=True)
    assert len(set(keys)) == len(keys)


def test_best_five_of_seven_and_boards_of_fewer_cards() -> None:
    assert low_key(cards("Ac 2c 3c 4c 5c Kd Kh")) == low_key(ranks("A2345"))
    assert low_key(ranks("AAA2233")) == low_key(ranks("AA223"))
    assert low_key(ranks("KQJT")) < low_key(ranks("AA23"))
    assert low_key(ranks("22")) < low_key(ranks("33"))
    assert low_key(ranks("AA22")) < low_key(ranks("AAA2"))
    assert low_key(ranks("K")) > low_key(ranks("A"))


def test_high_board_is_stud_high_with_the_ace_high() -> None:
    low_to_high = [
        "QJT9",
        "K234",
        "AJT9",
        "AKQJ",
        "2234",
        "KK32",
        "AA23",
        "3322",
        "AAKK",
        "222A",
        "AAA2",
        "2222",
    ]
    keys = [high_board_key(ranks(board)) for board in low_to_high]
    assert keys == sorted(keys)


def test_opener_ties() -> None:
    boards = {2: cards("9c 3d"), 0: cards("9s 3c"), 1: cards("9h Tc")}
    assert opening_board(boards, "low_board", "position") == 2
    assert opening_board(boards, "low_board", "suit") == 0
    aces = {0: cards("Ah Kc"), 1: cards("As Kd"), 2: cards("Ks Qs")}
    assert opening_board(aces, "high_board", "position") == 0
    assert opening_board(aces, "high_board", "suit") == 1


def test_presets_differ_as_the_table_says() -> None:
    assert set(PRESETS) == {"pokerstars", "wsop_live", "wsop_tournament", "low_card_a", "low_card_b"}
    assert [preset.bets_per_round for preset in PRESETS.values()] == [4, 5, 5, 5, 4]
    assert [preset.bring_in_card for preset in PRESETS.values()] == ["high", "high", "high", "low", "low"]
    assert [name for name, preset in PRESETS.items() if preset.bring_in_option] == ["low_card_a"]
    assert [name for name, preset in PRESETS.items() if preset.opens == "high_board"] == ["low_card_a"]
    assert [name for name, preset in PRESETS.items() if not preset.community_street_betting] == ["low_card_b"]
    assert [name for name, preset in PRESETS.items() if preset.burn_cards] == ["wsop_live", "wsop_tournament"]


def test_unknown_option_value_is_refused() -> None:
    with pytest.raises(ValueError, match="opens 'low' must be one of"):
        replace(POKERSTARS, opens="low")


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


# Fourth to seventh street.


def test_best_low_board_opens_even_all_in_then_the_next_seat_that_can_act() -> None:
    result, asked = play(FOUR_SEATS, FOUR_CALL, stacks=[4, 100, 100, 100])
    assert asked[4].seat == 1
    assert result.openers[4] == 1
    result, _ = play(FOUR_SEATS, FOUR_CALL, seats=4, options=replace(POKERSTARS, opens="high_board"))
    assert result.openers[4] == 3  # king-jack is the best high board


def test_bet_sizes_by_street() -> None:
    _, asked = play(KING_FIRST)
    opening_bets = {decision.street: decision.raise_min for decision in asked}
    assert opening_bets == {3: 10, 4: 10, 5: 20, 6: 20, 7: 20}


def test_community_card_without_burns() -> None:
    result, asked = play("", seats=8)
    assert result.community == 48  # 8 x 6 cards are gone
    assert [len(hole) for hole in result.hole] == [2] * 8
    assert any(decision.street == 7 for decision in asked)
    result, asked = play("", seats=8, options=PRESETS["low_card_b"])
    assert result.community == 48
    assert not any(decision.street == 7 for decision in asked)
    result, _ = play("", seats=7)
    assert result.community is None  # 42 gone, 10 left


def fold_from(street: int, seats: Sequence[int]) -> Any:
    """These seats fold on that street when they are first asked; everybody else checks and calls."""
    return lambda decision: (
        ("fold", 0) if decision.street == street and decision.seat in seats and decision.fold else ("stay", 0)
    )


def test_seventh_street_with_burns() -> None:
    """LA 228: 8 seats leave 1 card, 7 seats leave 7; burns come at 24, 33 and 42 of 8 seats' cards."""
    order = list(range(52))
    stacks = [1000] * 8
    eight = play_hand(WSOP, STAKES, stacks, 7, order, fold_from(3, []))
    assert eight.community == 24  # stub 51 and the burns 24, 33, 42: burn 51, deal 24
    seven = play_hand(WSOP, STAKES, stacks[:7], 6, order, fold_from(3, []))
    assert seven.community is None  # stub 45..51 is short of 9; with burns 21, 29, 37 it is 10: burn 45
    assert [hole[2] for hole in seven.hole] == [46, 47, 48, 49, 50, 51, 21]
    one_folds = play_hand(WSOP, STAKES, stacks, 7, order, fold_from(4, [2]))
    # 24 + 1 + 8 + 1 + 7 + 1 + 7 = 49 gone; 49, 50, 51 + 3 burns < 9, but more than two: burn 49, deal 50
    assert one_folds.community == 50
    three_fold = play_hand(WSOP, STAKES, stacks, 7, order, fold_from(4, [2, 3, 4]))
    # 24 + 1 + 8 + 1 + 5 + 1 + 5 = 45 gone; 7 left are just enough for 5 + 2
    assert three_fold.community is None
    assert [hole[2] for hole in three_fold.hole if len(hole) == 3] == [46, 47, 48, 49, 50]


def test_show_order() -> None:
    first = "? ? 5d  ? ? 2h  ? ? 3h  ? ? Ks"
    seat, _ = play(first, seats=4)
    assert seat.show_order == [0, 1, 2, 3]
    opener, _ = play(first, seats=4, options=replace(POKERSTARS, show_first="opener"))
    assert opener.show_order[0] == opener.openers[7]
    all_in, _ = play(first, stacks=[1] * 4, options=replace(POKERSTARS, show_first="opener"))
    would_open = min(range(4), key=lambda seat: low_key(all_in.up[seat]))
    assert all_in.show_order[0] == would_open

    def bet_seventh(decision: Decision) -> tuple[str, int]:
        if decision.street == 7 and decision.seat == 2 and decision.raise_max:
            return "raise", decision.raise_min
        return "stay", 0

    bettor = play_hand(POKERSTARS, STAKES, [1000] * 4, 3, deck(first), bet_seventh)
    assert bettor.show_order == [2, 3, 0, 1]


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
