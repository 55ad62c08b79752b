"""Sums of squares that stay exact: a square is kept in three limbs, each of which is a plain sum.

After some billions of hands a limb would outgrow 64 bits. Long before that 2**62 of it are carried to the next limb as
2**30: any grouping of the same squares ends with the same limbs, and smaller sums are plain ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from razz_sim.compiling import inlined

_LIMB_BITS = 32
_LIMB_WORD = np.uint64((1 << _LIMB_BITS) - 1)
_LIMB_SHIFT = np.uint64(_LIMB_BITS)
_HALF_BITS = 31
_FULL_BITS = 62
FULL = 1 << _FULL_BITS
"""A limb is below this once it is carried."""
_HALF = (1 << _HALF_BITS) - 1


@inlined
def square_limbs(value: int) -> Any:
    """The square of a value below 2**62 as `limb_0 + (limb_1 << 32) + (limb_2 << 64)`."""
    size = np.uint64(abs(value))
    low, high = size & _LIMB_WORD, np.int64(size >> _LIMB_SHIFT)
    low_square = low * low
    first, second, third = np.int64(low_square & _LIMB_WORD), np.int64(low_square >> _LIMB_SHIFT), np.int64(0)
    if high != 0:
        cross = high * np.int64(low)
        second += 2 * (cross & _HALF)
        third += (cross >> _HALF_BITS) + high * high
    return first, second, third


@inlined
def add_square(totals: Any, column: int, value: int) -> None:
    """Add the square of a value below 2**62 to the three limbs from `column` on."""
    first, second, third = square_limbs(value)
    totals[column] += first
    totals[column + 1] += second
    totals[column + 2] += third


def carry(limbs: Sequence[np.ndarray]) -> None:
    """Carry what is too much for a limb to the next; these are views of totals, the lowest limbs first."""
    for limb, following in pairwise(limbs):
        over = limb >> _FULL_BITS
        limb -= over << _FULL_BITS
        following += over << (_FULL_BITS - _LIMB_BITS)
