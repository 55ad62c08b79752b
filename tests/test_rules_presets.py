"""The presets and the stakes of RULES.md, copied from its table."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from razz_sim.rules import OPTION_VALUES, PRESETS, Stakes, spell

TABLE = """
option | pokerstars | wsop_live | wsop_tournament | low_card_a | low_card_b
bring_in_card | high | high | high | low | low
bring_in_fallback | next_seat | none | none | next_seat | next_seat
bring_in_option | false | false | false | true | false
opens | low_board | low_board | low_board | high_board | low_board
opener_tie | position | position | position | position | position
betting | fixed_limit | fixed_limit | fixed_limit | fixed_limit | fixed_limit
bets_per_round | 4 | 5 | 5 | 5 | 4
heads_up_cap | always | off_if_round_began_heads_up | off_if_two_left_in_tournament | always | always
short_all_in | half_bet | half_bet | half_bet | half_bet | half_bet
odd_chip | position | high_card | high_card | position | position
burn_cards | false | true | true | false | false
community_street_betting | true | true | true | true | false
show_first | seat | opener | opener | seat | seat
free_fold | allow | allow | allow | allow | allow
"""
(_, *NAMES), *ROWS = [[cell.strip() for cell in row.split("|")] for row in TABLE.strip().splitlines()]


def test_presets_are_the_table() -> None:
    assert list(PRESETS) == NAMES
    assert [option for option, *_ in ROWS] == list(OPTION_VALUES)
    for column, preset in enumerate(NAMES, 1):
        told = {row[0]: row[column] for row in ROWS}
        assert {option: spell(value) for option, value in asdict(PRESETS[preset]).items()} == told


SEEN_IN_REAL_PLAY = [
    (1, 2, 4, 8),
    (2, 3, 10, 20),
    (5, 10, 50, 100),
    (20, 100, 200, 400),
    (40, 75, 250, 500),
    (1, 5, 15, 30),
    (3, 5, 20, 40),
    (125, 125, 500, 1000),
    (5, 15, 50, 100),
    (10, 15, 50, 100),
    (40, 60, 200, 400),
    (50_000, 50_000, 200_000, 400_000),
    (100_000, 100_000, 300_000, 600_000),
]
"""Ante, bring-in, small and big bet: "Stakes and levels"."""


@pytest.mark.parametrize(("ante", "bring_in", "small_bet", "big_bet"), SEEN_IN_REAL_PLAY)
def test_stakes_seen_in_real_play_are_accepted(ante: int, bring_in: int, small_bet: int, big_bet: int) -> None:
    assert Stakes("seen", ante, bring_in, small_bet, big_bet).small_bet == small_bet


@pytest.mark.parametrize(
    ("amounts", "culprit"),
    [
        ((1, 11, 10, 20), "bring_in"),
        ((1, 3, 10, 9), "big_bet"),
        ((-1, 3, 10, 20), "ante"),
        ((1, -3, 10, 20), "bring_in"),
        ((1, 0, 0, 20), "small_bet"),
        ((1, 0, 0, 0), "small_bet"),
    ],
)
def test_stakes_that_cannot_be_played_are_refused(amounts: tuple[int, int, int, int], culprit: str) -> None:
    """Stakes and levels: bring-in above the small bet, big below small, negative, zero small bet."""
    with pytest.raises(ValueError, match=culprit):
        Stakes("refused", *amounts)
