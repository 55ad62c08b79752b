"""Ace-to-five lows: which of two hands is lower, and what they are called.

A hand is three or four *rank masks*: bit r of the first is set when a card of rank r is there, of the second when two
are, and so on. The key of a low made of different ranks is the mask of its five ranks, since comparing such masks as
integers compares the hands from the top card down; pairs and worse stand above it:

    shape << 26  |  mask of the paired ranks << 13  |  mask of the other ranks        (smaller is lower)

The same key, on one to four cards, decides which board opens.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from razz_sim.cards import NO_CARD, rank_of, suit_of
from razz_sim.compiling import alike, bit_count, compiled_as, inlined

NO_PAIR, ONE_PAIR, TWO_PAIR, TRIPS, FULL_HOUSE, QUADS = range(6)
SHAPE_SHIFT = 26
MASK_BITS = 13
MASK = (1 << MASK_BITS) - 1
WORST_KEY = 1 << 40
"""Above the key of every hand."""

WHEEL = 0b11111


def _lowest_bits(mask: int, count: int) -> int:
    kept = 0
    for _ in range(count):
        kept |= mask & -mask
        mask &= mask - 1
    return kept


LOWEST_FIVE = np.array([_lowest_bits(mask, 5) for mask in range(1 << MASK_BITS)], dtype=np.int64)
_LOWEST_FIVE = LOWEST_FIVE.data  # from a memoryview Python reads numbers faster than from an array


@compiled_as(lambda mask: LOWEST_FIVE[mask])
def lowest_five(mask: int) -> int:
    """The mask of a rank mask's five lowest ranks: the key of the best low when five ranks are there."""
    return _LOWEST_FIVE[mask]


@alike
def key_of_masks(once: int, twice: int, thrice: int, four: int, size: int) -> int:
    """The key of the best low of min(size, 5) cards; the masks are of ranks held at least 1, 2, 3 and 4 times."""
    ranks = bit_count(once)
    if ranks >= 5:
        return lowest_five(once)
    if ranks >= size:
        return once
    return _key_with_pairs(once, twice, thrice, four, min(size, 5) - ranks)


@alike
def _key_with_pairs(once: int, twice: int, thrice: int, four: int, surplus: int) -> int:
    """The key when `surplus` of the cards played repeat a rank."""
    pair = twice & -twice
    if surplus == 1:
        return ONE_PAIR << SHAPE_SHIFT | pair << MASK_BITS | (once ^ pair)
    if surplus == 2:
        second = (twice ^ pair) & -(twice ^ pair)
        if second != 0:
            pairs = pair | second
            return TWO_PAIR << SHAPE_SHIFT | pairs << MASK_BITS | (once ^ pairs)
        return TRIPS << SHAPE_SHIFT | pair << MASK_BITS | (once ^ pair)
    trips = thrice & -thrice
    if (twice ^ trips) != 0:
        return FULL_HOUSE << SHAPE_SHIFT | trips << MASK_BITS | (twice ^ trips)
    return QUADS << SHAPE_SHIFT | four << MASK_BITS | (once ^ four)


@inlined
def ace_high(mask: int) -> int:
    """A rank mask with the ace moved above the king, for boards compared as in stud high."""
    return (mask >> 1) | ((mask & 1) << 12)


def low_key(cards: Sequence[int]) -> int:
    """The key of the best low of one to seven cards: the smaller, the better; equal keys split.

    >>> from razz_sim.cards import parse_cards
    >>> low_key(parse_cards("5s4s3s2sAs KdKh")) == WHEEL
    True

    Raises ValueError for unknown or repeated cards, none or more than seven.
    """
    if not 1 <= len(cards) <= 7:
        raise ValueError(f"a low is made of 1 to 7 cards, not {len(cards)}")
    if NO_CARD in cards:
        raise ValueError("an unknown card has no rank")
    if len(set(cards)) < len(cards):
        raise ValueError("a card is there twice")
    once, twice, thrice, four = 0, 0, 0, 0
    for card in cards:
        bit = 1 << rank_of(int(card))
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    return key_of_masks(once, twice, thrice, four, len(cards))


def best_low(cards: Sequence[int]) -> tuple[int, ...]:
    """The cards that the best low uses, highest first; of a rank held more often the better suits (spades best).

    >>> from razz_sim.cards import parse_cards, cards_text
    >>> cards_text(best_low(parse_cards("Ks Kd 5h 4c 3d 3s 2c")))
    'Ks5h4c3s2c'
    """
    key = low_key(cards)
    shape, paired, others = key >> SHAPE_SHIFT, (key >> MASK_BITS) & MASK, key & MASK
    times = {NO_PAIR: 1, ONE_PAIR: 2, TWO_PAIR: 2, TRIPS: 3, FULL_HOUSE: 3, QUADS: 4}[shape]
    used: list[int] = []
    for rank in reversed(range(MASK_BITS)):
        wanted = times if paired >> rank & 1 else (2 if shape == FULL_HOUSE else 1) if others >> rank & 1 else 0
        of_rank = sorted((card for card in cards if rank_of(card) == rank), key=suit_of, reverse=True)
        used.extend(of_rank[:wanted])
    return tuple(used)


def low_ranks(cards: Sequence[int]) -> tuple[int, ...]:
    """The ranks that the best low uses: those held more often first, then from the highest down.

    >>> from razz_sim.cards import parse_cards
    >>> low_ranks(parse_cards("Kc 4d 4h 3s 2s"))
    (3, 3, 12, 2, 1)
    """
    ranks = [rank_of(card) for card in best_low(cards)]
    return tuple(sorted(ranks, key=lambda rank: (-ranks.count(rank), -rank)))


_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
_PLURALS = tuple(f"{name}es" if name == "six" else f"{name}s" for name in _NAMES)


def low_name(cards: Sequence[int]) -> str:
    """What a player calls the best low of these cards.

    >>> from razz_sim.cards import parse_cards
    >>> low_name(parse_cards("6c4d3h2sAs")), low_name(parse_cards("KcKd4h3s2s")), low_name(parse_cards("9c7d5h4s2s"))
    ('six-four low', 'pair of kings', 'nine-seven low')
    """
    return name_of_key(low_key(cards))


def name_of_key(key: int) -> str:
    """The name of the hand with this key."""
    shape, paired, others = key >> SHAPE_SHIFT, (key >> MASK_BITS) & MASK, key & MASK
    pairs = [_PLURALS[rank] for rank in reversed(range(MASK_BITS)) if paired >> rank & 1]
    ranks = [rank for rank in reversed(range(MASK_BITS)) if others >> rank & 1]
    if shape == NO_PAIR:
        if key == WHEEL:
            return "wheel"
        return "-".join(_NAMES[rank] for rank in ranks[:2]) + (" low" if len(ranks) > 1 else "")
    if shape == FULL_HOUSE:
        return f"{pairs[0]} full of {_PLURALS[ranks[0]]}"
    if shape == TWO_PAIR:
        return f"two pair, {pairs[0]} and {pairs[1]}"
    return {ONE_PAIR: "pair of ", TRIPS: "three ", QUADS: "four "}[shape] + pairs[0]
