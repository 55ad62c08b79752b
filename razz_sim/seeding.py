"""Random streams from coordinates: word `i` of a stream is a hash of the stream's key and `i`.

Nothing is drawn in sequence, so any hand can be dealt again alone, in any order, on any machine. The mixer is the
finaliser of SplitMix64 with the constants of David Stafford's variant 13 ("Better Bit Mixing", 2011); keys are
derived by mixing one coordinate after another. Test vectors are in `tests/test_seeding.py`.
"""

from __future__ import annotations

import numpy as np

from razz_sim.compiling import inlined, multiply_high

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST = np.uint64(0xBF58476D1CE4E5B9)
_SECOND = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31 = np.uint64(30), np.uint64(27), np.uint64(31)

DEAL = np.uint64(1)
"""The domain of cards: they depend on seed, block, table and hand, not on scenario, arrangement or entrant."""
ACT = np.uint64(2)
"""The domain of decisions: as cards, and on the entrant's copy and the number of its decision."""
SEAT = np.uint64(3)
"""The domain of seating orders: they depend on seed and block."""


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


@inlined
def uniform(word: np.uint64, index: int) -> float:
    """Number `index` in [0, 1) drawn from a decision's random word: 53 bits, as many independent ones as wanted."""
    return float(mix(word + np.uint64(index) * GOLDEN) >> np.uint64(11)) * (1.0 / 9007199254740992.0)
