"""Fourth to seventh street and the showdown in the plain-Python reference, computed by hand from RULES.md."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reference.rules_in_plain_python import (
    PRESETS,
    Decision,
    low_key,
    play_hand,
)
from reference_cases import FOUR_CALL, FOUR_SEATS, KING_FIRST, POKERSTARS, STAKES, WSOP, deck, play


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
