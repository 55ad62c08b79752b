"""Pots that legal play does not reach or that no text file shows: the compiled pot functions on a hand's record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from numba import int64, njit

from razz_sim.cards import parse_card, parse_cards
from razz_sim.hand import pots
from razz_sim.hand.record import HAND_TYPE, RULES_TYPE, new_hand, rules_record
from razz_sim.lowball import low_key
from razz_sim.rules import Stakes, rule_set

STAKES = Stakes(name="10/20", ante=1, bring_in=3, small_bet=10, big_bet=20)


@njit(int64(HAND_TYPE))  # type: ignore[untyped-decorator]
def _make_pots(hand: Any) -> int:
    pots.make_pots(hand)
    return 0


@njit(int64(RULES_TYPE, HAND_TYPE, int64))  # type: ignore[untyped-decorator]
def _award_pot(rules: Any, hand: Any, amount: int) -> int:
    pots.award_pot(rules, hand, 0, amount)
    return 0


@njit(int64(HAND_TYPE))  # type: ignore[untyped-decorator]
def _return_uncalled(hand: Any) -> int:
    pots.return_uncalled(hand)
    return 0


def contributed(amounts: Sequence[int], live: Sequence[bool]) -> Any:
    """A hand's record in which each seat has put in so much."""
    hand = new_hand(len(amounts))[0]
    hand["total_in"][: len(amounts)] = amounts
    hand["live"][: len(amounts)] = live
    hand["pot"] = sum(amounts)
    return hand


def pots_of(amounts: Sequence[int], live: Sequence[bool]) -> list[tuple[int, tuple[int, ...]]]:
    """Amounts and contestants of the pots, the main pot first."""
    hand = contributed(amounts, live)
    _make_pots(hand)
    return [
        (int(hand["pot_amount"][pot]), tuple(seat for seat in range(8) if hand["pot_seats"][pot] >> seat & 1))
        for pot in range(hand["pots"])
    ]


@pytest.mark.parametrize(
    ("amounts", "live", "expected"),
    [
        # Each level has a live contributor: 4 x 10, 3 x 20, 2 x 30.
        ([10, 30, 60, 60], [1, 1, 1, 1], [(40, (0, 1, 2, 3)), (60, (1, 2, 3)), (60, (2, 3))]),
        # Those who put in 60 have folded: the top level, 2 x 30, merges into the one below, 3 x 20.
        ([10, 30, 60, 60], [1, 1, 0, 0], [(40, (0, 1)), (120, (1,))]),
        # Both upper levels are without a live contributor: all is one pot.
        ([10, 30, 60, 60], [1, 0, 0, 0], [(160, (0,))]),
        # A folded seat between two levels makes none of its own: 4 x 10, then 10 + 20 + 20.
        ([10, 20, 30, 30], [1, 0, 1, 1], [(40, (0, 2, 3)), (50, (2, 3))]),
        # Below the first level as well: 5 + 20 + 20.
        ([5, 20, 20], [0, 1, 1], [(45, (1, 2))]),
        # A level of a folded seat alone on top, two live levels below.
        ([4, 9, 25, 0], [1, 1, 0, 0], [(12, (0, 1)), (26, (1,))]),
    ],
)
def test_levels_without_a_live_contributor_merge_into_the_one_below(
    amounts: list[int], live: list[bool], expected: list[tuple[int, tuple[int, ...]]]
) -> None:
    """Pots: side pots by contribution level, each contested only by live seats that put in that level."""
    assert pots_of(amounts, live) == expected
    assert sum(amount for amount, _ in expected) == sum(amounts)


@pytest.mark.parametrize(
    ("amounts", "returned"),
    [([5, 20, 12], [0, 8, 0]), ([20, 20, 5], [0, 0, 0]), ([1, 4, 1], [0, 3, 0]), ([7, 0], [7, 0])],
)
def test_uncalled_chips_go_back_first(amounts: list[int], returned: list[int]) -> None:
    """Pots: uncalled chips (a bring-in included) go back first."""
    hand = contributed(amounts, [True] * len(amounts))
    _return_uncalled(hand)
    seats = len(amounts)
    assert hand["returned"][:seats].tolist() == hand["stack"][:seats].tolist() == returned
    assert hand["total_in"][:seats].sum() == hand["pot"] == sum(amounts) - sum(returned)


def split(amount: int, cards: Sequence[str], *, odd_chip: str, dealer: int, community: str = "", chip: int = 1) -> Any:
    """What each seat gets of one pot; six cards a seat with a community card, else seven."""
    stakes = Stakes(name="split", ante=chip, bring_in=chip, small_bet=chip, big_bet=chip, chip=chip)
    hand = new_hand(len(cards))[0]
    hand["dealer"] = dealer
    hand["community"] = parse_card(community) if community else -1
    hand["shared_seventh"] = int(bool(community))
    hand["pot_seats"][0] = (1 << len(cards)) - 1
    for seat, text in enumerate(cards):
        held = parse_cards(text)
        hand["hole"][seat] = [*held[:2], *(held[6:] or (-1,))]
        hand["up"][seat] = held[2:6]
        hand["low_key"][seat] = low_key((*held, *parse_cards(community)))
    _award_pot(rules_record(rule_set(odd_chip=odd_chip), stakes)[0], hand, amount)
    return hand["award"][: len(cards)].tolist()


KING_HIGH = ["9c 9d 5c 4c 3c 3d", "9h 9s 5d 4d 3h 3s"]
"""With a king in the middle both play K-9-5-4-3; the second holds the better nine, the first the lower three."""


@pytest.mark.parametrize(
    ("odd_chip", "dealer", "shares"),
    [
        ("position", 1, [6, 5]),
        ("position", 0, [5, 6]),
        ("high_card", 1, [5, 6]),  # the king is shared: the nine of spades decides
        ("low_card", 0, [6, 5]),  # the three of clubs
    ],
)
def test_odd_chip_with_a_community_card(odd_chip: str, dealer: int, shares: list[int]) -> None:
    """Pots: high_card compares by rank, then suit, then the next."""
    assert split(11, KING_HIGH, odd_chip=odd_chip, dealer=dealer, community="Ks") == shares


@pytest.mark.parametrize(("dealer", "shares"), [(1, [6, 5]), (0, [5, 6])])
def test_lowest_card_in_the_middle_leaves_it_to_position(dealer: int, shares: list[int]) -> None:
    """Both hold the ace of clubs as their lowest card (docs/rules.md, "Pots")."""
    assert split(11, KING_HIGH, odd_chip="low_card", dealer=dealer, community="Ac") == shares


@pytest.mark.parametrize(
    ("amount", "chip", "shares"),
    [
        (100, 1, [34, 33, 33]),
        (101, 1, [34, 34, 33]),
        (100, 25, [50, 25, 25]),
        (103, 5, [38, 35, 30]),  # 20 chips are 7, 7 and 6; what is less than a chip goes with the first odd one
        (3, 5, [3, 0, 0]),
    ],
)
def test_odd_chips_go_one_each_in_whole_chips(amount: int, chip: int, shares: list[int]) -> None:
    """Pots: split in whole chips of the smallest denomination; odd chips go one each in that order."""
    cards = ["7c 5c Ks 4d 3h 2h Qh", "7s 5d Qd 4h 3d 2d Jd", "7h 5h Jh 4s 3s 2c Td"]
    assert split(amount, cards, odd_chip="position", dealer=2, chip=chip) == shares
