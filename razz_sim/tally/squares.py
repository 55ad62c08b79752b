"""Sums of squares that stay exact: a square is kept in three limbs, each of which is a plain sum."""

from __future__ import annotations

from typing import Any

import numpy as np

from razz_sim.compiling import inlined

_LIMB_BITS = 32
_LIMB_WORD = np.uint64((1 << _LIMB_BITS) - 1)
_LIMB_SHIFT = np.uint64(_LIMB_BITS)
_HALF_BITS = 31
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
