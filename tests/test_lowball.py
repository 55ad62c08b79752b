"""Lows against published counts, the ranking list of RULES.md, and a slow reference that tries every five cards."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, pairwise, product
from typing import Any

import numba
import numpy as np
import pytest
from reference import lows as reference

from razz_sim.cards import DECK_SIZE, NO_CARD, cards_text, parse_cards
from razz_sim.hand import dealing
from razz_sim.hand.record import HAND_TYPE, RULES_TYPE, new_hand, rules_record
from razz_sim.lowball import (
    FULL_HOUSE,
    MASK,
    NO_PAIR,
    ONE_PAIR,
    QUADS,
    SHAPE_SHIFT,
    TRIPS,
    TWO_PAIR,
    best_low,
    key_of_masks,
    low_key,
    low_name,
    low_ranks,
)
from razz_sim.rules import MAX_SEATS, RuleSet, Stakes

SEVEN_CARD_HANDS = 133_784_560
PUBLISHED = {
    "5": 781_824,
    "6": 3_151_360,
    "7": 7_426_560,
    "8": 13_171_200,
    "9": 19_174_400,
    "T": 23_675_904,
    "J": 24_837_120,
    "Q": 21_457_920,
    "K": 13_939_200,
    "one pair": 5_948_800,
    "two pair": 219_648,
    "full house": 624,
}
"""The best lows of all seven-card hands, by highest card or by shape."""

FINALS_FROM_THREE_TWO_ACE = {"5": 15_156, "6": 25_000, "7": 30_300, "8": 31_824}
"""How many of the C(49, 4) = 211,876 ways to fill up 3-2-A end as a wheel, a six, a seven, an eight."""

PAIRED = 13
"""`count_lows` counts at 0 to 12 the hands without a pair by highest rank, at 13 + shape the others."""
SHAPES = {ONE_PAIR: "one pair", TWO_PAIR: "two pair", TRIPS: "trips", FULL_HOUSE: "full house", QUADS: "quads"}

WORST_TO_BEST = "33355 KK432 22765 AAT98 KQJT9 KQJT7 98765 97653 9765A 65432 6432A 5432A"
"""The ranking check of RULES.md, "Showdown"."""


# Every hand there is


@numba.njit  # type: ignore[untyped-decorator]
def _key(masks: tuple[int, int, int, int], size: int) -> int:
    return key_of_masks(masks[0], masks[1], masks[2], masks[3], size)


@numba.njit  # type: ignore[untyped-decorator]
def _with_card(masks: tuple[int, int, int, int], card: int) -> tuple[int, int, int, int]:
    """The rank masks (held once, twice, thrice, four times) with one card more."""
    once, twice, thrice, four = masks
    bit = 1 << (card >> 2)
    return once | bit, twice | once & bit, thrice | twice & bit, four | thrice & bit


@numba.njit  # type: ignore[untyped-decorator]
def count_lows(deck: np.ndarray, held: np.ndarray) -> np.ndarray:
    """The categories of the best lows of `held` with every choice of four cards of `deck`."""
    counts = np.zeros(PAIRED + 6, dtype=np.int64)
    start = (0, 0, 0, 0)
    for card in held:
        start = _with_card(start, card)
    count = len(deck)
    for a in range(count):
        one = _with_card(start, deck[a])
        for b in range(a + 1, count):
            two = _with_card(one, deck[b])
            for c in range(b + 1, count):
                three = _with_card(two, deck[c])
                for d in range(c + 1, count):
                    key = _key(_with_card(three, deck[d]), 7)
                    shape = key >> SHAPE_SHIFT
                    if shape == NO_PAIR:
                        highest = 12
                        while key >> highest == 0:
                            highest -= 1
                        counts[highest] += 1
                    else:
                        counts[PAIRED + shape] += 1
    return counts


@numba.njit  # type: ignore[untyped-decorator]
def count_all_lows() -> np.ndarray:
    """The categories of all seven-card hands: three cards in rising order, then four above them."""
    counts = np.zeros(PAIRED + 6, dtype=np.int64)
    for a in range(DECK_SIZE):
        for b in range(a + 1, DECK_SIZE):
            for c in range(b + 1, DECK_SIZE):
                counts += count_lows(np.arange(c + 1, DECK_SIZE), np.array([a, b, c]))
    return counts


def by_category(counts: np.ndarray) -> dict[str, int]:
    """The counts that are not zero, by the names of `PUBLISHED`."""
    names = [*"A23456789TJQK", "no pair", *(SHAPES[shape] for shape in range(ONE_PAIR, QUADS + 1))]
    return {name: int(count) for name, count in zip(names, counts, strict=True) if count}


def test_all_seven_card_hands_by_category() -> None:
    counts = by_category(count_all_lows())
    assert counts == PUBLISHED
    assert sum(counts.values()) == SEVEN_CARD_HANDS


def test_finals_from_three_two_ace() -> None:
    held = np.array(parse_cards("3s 2s As"))
    deck = np.array([card for card in range(DECK_SIZE) if card not in held])
    counts = count_lows(deck, held)
    assert counts.sum() == 211_876
    assert {name: count for name, count in by_category(counts).items() if name in "5678"} == FINALS_FROM_THREE_TWO_ACE


# The list and the names of RULES.md


def cards_of_ranks(ranks: str) -> tuple[int, ...]:
    """Cards of these ranks in suits that come round: suits never decide a pot."""
    return parse_cards(" ".join(rank + "cdhs"[place % 4] for place, rank in enumerate(ranks)))


def test_ranking_list_worst_to_best() -> None:
    keys = [low_key(cards_of_ranks(ranks)) for ranks in WORST_TO_BEST.split()]
    assert all(worse > better for worse, better in pairwise(keys))


@pytest.mark.parametrize("flush", ["5s4s3s2sAs", "6h4h3h2hAh"])
def test_straights_and_flushes_do_not_count(flush: str) -> None:
    assert low_key(parse_cards(flush)) == low_key(cards_of_ranks(flush[::2]))


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("6c 4d 3h 2s As", "six-four low"),
        ("6c 5d 4h 3s 2s", "six-five low"),
        ("5c 4d 3h 2s As Kd Kh", "wheel"),
        ("9c 7d 6h 5s 3s", "nine-seven low"),
        ("Kc Kd 4h 3s 2s", "pair of kings"),
    ],
)
def test_names_of_the_rules(cards: str, name: str) -> None:
    assert low_name(parse_cards(cards)) == name


@pytest.mark.parametrize(
    ("cards", "name"),
    [
        ("Kc Kd Kh Ks 3c 3d 2s", "two pair, kings and threes"),
        ("3c 3d 3h 5s 5d", "threes full of fives"),
        ("6c 6d 2h 2s 2c As Ad", "two pair, twos and aces"),
        ("6c 6d 6h 2s As", "three sixes"),
        ("6c 6d 6h 6s As", "four sixes"),
        ("9c 7d", "nine-seven low"),
        ("9c", "nine"),
        ("6c 6d", "pair of sixes"),
        ("As", "ace"),
        ("2c As", "two-ace low"),
        ("4c 3d 2h As", "four-three low"),
        ("Ac Ad", "pair of aces"),
        ("Ac Ad Ah", "three aces"),
        ("Ac Ad Ah As", "four aces"),
        ("6c 6d 6h 6s", "four sixes"),
        ("9c 9d 2h", "pair of nines"),
        ("9c 9d 2h 2s", "two pair, nines and twos"),
        ("Ac Ad Ah 2s 2c", "aces full of twos"),
    ],
)
def test_names_of_worse_hands_and_boards(cards: str, name: str) -> None:
    assert low_name(parse_cards(cards)) == name


def test_the_ranks_used_tell_every_two_lows_apart() -> None:
    """A name may be that of many lows, 'six-four low' of two; the ranks beside it are those of one only."""
    for size in range(1, 6):
        spelled: dict[tuple[int, ...], int] = {}
        names: dict[int, str] = {}
        for ranks in combinations_with_replacement(range(13), size):
            if max(map(ranks.count, ranks)) > 4:
                continue
            cards = cards_of(ranks)
            key = low_key(cards)
            assert spelled.setdefault(low_ranks(cards), key) == key
            assert names.setdefault(key, low_name(cards)) == low_name(cards)
        assert len(spelled) == len(names) == len(set(spelled.values()))


def cards_of(ranks: Sequence[int]) -> list[int]:
    """A card of each rank, no card twice."""
    return [4 * rank + ranks[:place].count(rank) for place, rank in enumerate(ranks)]


@pytest.mark.parametrize(
    ("cards", "used"),
    [
        ("Ks Kd 5h 4c 3d 3s 2c", "Ks5h4c3s2c"),
        ("7c 7h 7d 5d 4d 3d 2d", "7h5d4d3d2d"),
        ("Kc Kd Kh 4s 4c 3h 3d", "Kh4s4c3h3d"),
        ("2c 2d 2h 2s Ac Ad Ah", "2s2hAhAdAc"),
        ("As Kd", "KdAs"),
    ],
)
def test_best_low_uses_the_better_suits(cards: str, used: str) -> None:
    assert cards_text(best_low(parse_cards(cards))) == used


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ((), "1 to 7 cards, not 0"),
        (tuple(range(8)), "1 to 7 cards, not 8"),
        ((1, 2, 3, 4, NO_CARD), "unknown"),
        ((1, 2, 3, 4, 1), "twice"),
    ],
)
def test_what_is_no_hand_is_refused(cards: tuple[int, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        low_key(cards)


# Against the slow reference


def random_hand(rng: random.Random, size: int) -> tuple[int, ...]:
    """Cards from the whole deck or from a few ranks, so that pairs and worse are common."""
    ranks = rng.sample(range(13), rng.choice([2, 3, 4, 5, 13]))
    return tuple(rng.sample([4 * rank + suit for rank in ranks for suit in range(4)], size))


def order(first: Any, second: Any) -> int:
    """-1, 0 or 1: which of two keys is smaller."""
    return int(first > second) - int(first < second)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7])
def test_order_is_that_of_trying_every_five_cards(size: int) -> None:
    """Hands of five to seven cards, and the boards of one to four that open a street."""
    rng = random.Random(size)
    hands = [random_hand(rng, size) for _ in range(3_000)]
    hands.sort(key=reference.low_key)
    for better, worse in pairwise(hands):
        assert order(low_key(better), low_key(worse)) == order(reference.low_key(better), reference.low_key(worse))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_used_cards_are_those_of_trying_every_five_cards(size: int) -> None:
    rng = random.Random(10 * size)
    for _ in range(2_000):
        cards = random_hand(rng, size)
        assert list(best_low(cards)) == reference.used_cards(cards)


def test_every_board_of_ranks_has_a_place_of_its_own() -> None:
    """Boards of the same ranks tie, all others differ: 13, 91, 455 and 1,820 of them."""
    for size, boards in ((1, 13), (2, 91), (3, 455), (4, 1_820)):
        by_ranks = {tuple(sorted(ranks)) for ranks in product(range(13), repeat=size)}
        keys = {low_key([4 * rank + place for place, rank in enumerate(ranks)]) for ranks in by_ranks}
        assert len(keys) == len(by_ranks) == boards


@numba.njit(numba.int64(RULES_TYPE, HAND_TYPE, numba.int64[:, ::1]))  # type: ignore[untyped-decorator]
def opener(rules: Any, hand: Any, boards: Any) -> int:
    """The seat that opens when each live seat's cards are turned up."""
    for seat in range(hand.seats):
        hand.live[seat] = 1
        for card in boards[seat]:
            dealing.turn_up(hand, seat, card)
    return dealing.find_opener(rules, hand)


def engine_opener(rules: RuleSet, boards: Sequence[Sequence[int]], dealer: int) -> int:
    """Who opens by the engine, all seats live."""
    stakes = Stakes(name="1/2", ante=1, bring_in=1, small_bet=2, big_bet=4)
    hand = new_hand(len(boards))[0]
    hand["dealer"] = dealer
    return int(opener(rules_record(rules, stakes)[0], hand, np.array(boards, dtype=np.int64)))


@pytest.mark.parametrize("opener_tie", ["position", "suit"])
@pytest.mark.parametrize("opens", ["low_board", "high_board"])
def test_opener_of_random_boards(opens: str, opener_tie: str) -> None:
    """Two to eight boards of one to four cards, from few ranks so that pairs, trips, quads and ties come up."""
    rng = random.Random(f"{opens} {opener_tie}")
    rules = RuleSet(opens=opens, opener_tie=opener_tie)  # type: ignore[arg-type]
    tied = 0
    for _ in range(4_000):
        size = rng.randint(1, 4)
        seats = rng.randint(2, MAX_SEATS)
        ranks = rng.sample(range(13), max(rng.randint(3, 13), -(-seats * size // 4)))
        deck = [4 * rank + suit for rank in ranks for suit in range(4)]
        rng.shuffle(deck)
        boards = [deck[size * seat : size * seat + size] for seat in range(seats)]
        dealer = rng.randrange(seats)
        from_dealer = {seat % seats: boards[seat % seats] for seat in range(dealer + 1, dealer + 1 + seats)}
        expected = reference.opening_board(from_dealer, opens, opener_tie)
        assert engine_opener(rules, boards, dealer) == expected, (boards, dealer)
        tied += len({reference.low_key(board) for board in boards}) < seats
    assert tied > 500


def test_keys_without_a_pair_are_the_rank_masks() -> None:
    """All 1,287 lows of five ranks, from the wheel up, are numbered in their order by their masks."""
    lows = sorted(combinations(range(13), 5), key=lambda ranks: tuple(reversed(ranks)))
    keys = [low_key([4 * rank + rank % 4 for rank in ranks]) for ranks in lows]
    assert len(keys) == 1_287
    assert keys == sorted(set(keys))
    assert all(key == sum(1 << rank for rank in ranks) <= MASK for key, ranks in zip(keys, lows, strict=True))
