"""Random streams from coordinates: word `i` of a stream is a hash of the stream's key and `i`.

Nothing is drawn in sequence, so any hand can be dealt again alone, in any order, on any machine. The mixer is the
finaliser of SplitMix64 with the constants of David Stafford's variant 13 ("Better Bit Mixing", 2011); keys are
derived by mixing one coordinate after another. Test vectors are in `tests/test_seeding.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, overload

import numpy as np

from razz_sim.compiling import compiled_as, inlined, multiply_high

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)
_PLAIN_GOLDEN, _PLAIN_FIRST, _PLAIN_SECOND = int(GOLDEN), int(_FIRST), int(_SECOND)
_ALL_ONES = 2**64 - 1
_UNIT = 2.0**-53

DEAL = np.uint64(1)
"""The domain of cards: they depend on seed, block, table and hand, not on scenario, arrangement or entrant."""
ACT = np.uint64(2)
"""The domain of decisions: as cards, and on the entrant's copy and the number of its decision."""
SEAT = np.uint64(3)
"""The domain of seating orders: they depend on seed and block."""
POOL = np.uint64(4)
"""The domain of a population's tables: which entrants sit at each depends on the seed alone."""
FRESH = np.uint64(5)
"""The domain of seeds for deals that no other scenario of an experiment meets."""
CHOICE = np.uint64(6)
"""The domain of what else an experiment itself draws, such as points to sample; no hand depends on it."""
FINISH = np.uint64(7)
"""The domain of finishing orders by the independent chip model: they depend on seed and sample."""

Item = TypeVar("Item")


@inlined
def mix(word: np.uint64) -> np.uint64:
    """A bijection of 64-bit words in which every input bit moves every output bit."""
    word = (word ^ (word >> _S30)) * _FIRST
    word = (word ^ (word >> _S27)) * _SECOND
    return word ^ (word >> _S31)


@inlined
def derive(key: np.uint64, coordinate: np.uint64) -> np.uint64:
    """The key of a child stream: one more coordinate mixed in. Different coordinates give different keys."""
    return mix((key + GOLDEN) ^ mix(coordinate + GOLDEN))


@inlined
def word_at(key: np.uint64, index: np.uint64) -> np.uint64:
    """Word `index` of the stream `key`."""
    return mix(key + index * GOLDEN)


@inlined
def below(word: np.uint64, bound: np.uint64) -> np.uint64:
    """A word scaled to 0 .. bound - 1; the bias is below bound / 2**64."""
    return multiply_high(word, bound)


def _compiled_uniform(word: np.uint64, index: int) -> float:
    return float(mix(word + np.uint64(index) * GOLDEN) >> _S11) * _UNIT


@overload
def uniform(word: int, index: int) -> float: ...


@overload
def uniform(word: np.ndarray, index: int) -> np.ndarray: ...


@compiled_as(_compiled_uniform)
def uniform(word: int | np.ndarray, index: int) -> float | np.ndarray:
    """Number `index` in [0, 1) drawn from a decision's random word: 53 bits, as many independent ones as wanted.

    From an array of words it draws an array: the numbers that each word alone gives.
    """
    if isinstance(word, np.ndarray):
        return _uniform_of_each(word, index)
    mixed = (int(word) + index * _PLAIN_GOLDEN) & _ALL_ONES  # `_plain_mix`, without the call: strategies draw much
    mixed = (mixed ^ mixed >> 30) * _PLAIN_FIRST & _ALL_ONES
    mixed = (mixed ^ mixed >> 27) * _PLAIN_SECOND & _ALL_ONES
    return ((mixed ^ mixed >> 31) >> 11) * _UNIT


def _uniform_of_each(words: np.ndarray, index: int) -> np.ndarray:
    mixed = words + np.uint64(index * _PLAIN_GOLDEN & _ALL_ONES)
    mixed = (mixed ^ mixed >> _S30) * _FIRST
    mixed = (mixed ^ mixed >> _S27) * _SECOND
    return ((mixed ^ mixed >> _S31) >> _S11) * _UNIT


def _plain_mix(word: int) -> int:
    """`mix` of the last 64 bits of an integer of any size."""
    word &= _ALL_ONES
    word = (word ^ word >> 30) * _PLAIN_FIRST & _ALL_ONES
    word = (word ^ word >> 27) * _PLAIN_SECOND & _ALL_ONES
    return word ^ word >> 31


def derived(key: int, coordinate: int | np.uint64) -> int:
    """`derive` in plain Python, for what is drawn once, before anything is compiled."""
    return _plain_mix(key + _PLAIN_GOLDEN & _ALL_ONES ^ _plain_mix(int(coordinate) + _PLAIN_GOLDEN))


def shuffled(items: Sequence[Item], seed: int, domain: np.uint64) -> list[Item]:
    """The items in the order that a seed draws in a domain (Fisher and Yates).

    The same words as in compiled code, in plain Python, as `derived`.
    """
    key = derived(seed, domain)
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        other = _plain_mix(key + last * _PLAIN_GOLDEN) * (last + 1) >> 64
        order[last], order[other] = order[other], order[last]
    return order


def choice_below(seed: int, stream: int, index: int, bound: int) -> int:
    """Choice `index` of a stream of an experiment's own draws: 0 .. bound - 1, however large the bound is.

    The bias is below 2**-64. In plain Python, as `derived`.

    >>> [choice_below(seed=7, stream=0, index=index, bound=51) for index in range(5)]
    [45, 38, 39, 10, 26]
    """
    key = derived(derived(derived(seed, CHOICE), stream), index)
    words = bound.bit_length() // 64 + 2
    drawn = 0
    for place in range(words):
        drawn = drawn << 64 | _plain_mix(key + place * _PLAIN_GOLDEN)
    return drawn * bound >> 64 * words
