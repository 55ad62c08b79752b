"""Lows, boards, ties of openers and presets in the plain-Python reference, computed by hand from RULES.md."""

from dataclasses import replace

import pytest
from reference.lows import high_board_key, opening_board
from reference.rules_in_plain_python import (
    PRESETS,
    low_key,
)
from reference_cases import POKERSTARS, cards, ranks


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
