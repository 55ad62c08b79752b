"""What a seat may see when it must decide, and the words it answers with.

A view is a copy: its front is the public part of the hand's record (`PUBLIC_FIELDS` in `razz_sim.hand.record`: money,
boards, who did what), then come the seat's own cards and choices. Hidden cards are not in it. Amounts are in smallest
units; rank masks have bit r set for rank r (ace 0 .. king 12); cards are `4 * rank + suit`.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numba
import numpy as np

from razz_sim.cards import NO_CARD
from razz_sim.compiling import alike, bit_count, compiled_as, copy_front, highest_bit, inlined
from razz_sim.hand.record import AMOUNT_SHIFT, FOLD, HAND, NOBODY, PUBLIC, PUBLIC_FIELDS, RAISE, STAY
from razz_sim.lowball import key_of_masks
from razz_sim.seeding import uniform

__all__ = [
    "FOLD",
    "NOBODY",
    "NO_CARD",
    "RAISE",
    "STAY",
    "VIEW",
    "ViewStruct",
    "board_key",
    "different_ranks",
    "highest_rank",
    "my_key",
    "raise_or_stay",
    "raise_to",
    "stay_or_fold",
    "uniform",
]

_OWN_FIELDS: list[tuple[Any, ...]] = [
    ("to_call", np.int64),  # chips that staying puts in now: 0 to check
    ("raise_min", np.int64),  # smallest total on this street that a wager may make; 0 when none is legal
    ("raise_max", np.int64),  # largest; the same as the smallest in fixed limit
    ("my_once", np.int16),  # rank masks of the seat's own cards: there once or more, twice or more, ...
    ("my_twice", np.int16),
    ("my_thrice", np.int16),
    ("my_four", np.int16),
    ("seat", np.int8),  # this seat
    ("hole", np.int8, (3,)),  # own down cards: two, and the seventh when it came
    ("can_fold", np.int8),  # 0 while the bring-in is owed
]

VIEW = np.dtype([*PUBLIC_FIELDS, *_OWN_FIELDS], align=True)
VIEW_TYPE = numba.from_dtype(VIEW)


class ViewStruct(ctypes.Structure):
    """A view as strategies in plain Python see it: the same bytes, whole numbers of Python, `view.up[seat][number]`."""

    _fields_ = [(name, np.ctypeslib.as_ctypes_type(VIEW[name])) for name in VIEW.names or ()]


_PUBLIC_BYTES = PUBLIC.itemsize

if any(VIEW.fields[field[0]][1] != HAND.fields[field[0]][1] for field in PUBLIC_FIELDS):  # type: ignore[index]
    raise AssertionError("the public front of view and hand must have one layout")


@inlined
def fill_view(hand: Any, view: Any) -> None:
    """Copy into `view` what `hand.seat` may see."""
    copy_front(view, hand, _PUBLIC_BYTES)
    seat = hand.seat
    view.to_call = hand.to_call
    view.raise_min = hand.raise_min
    view.raise_max = hand.raise_max
    view.my_once = hand.once[seat]
    view.my_twice = hand.twice[seat]
    view.my_thrice = hand.thrice[seat]
    view.my_four = hand.four[seat]
    view.seat = seat
    view.hole[0] = hand.hole[seat, 0]
    view.hole[1] = hand.hole[seat, 1]
    view.hole[2] = hand.hole[seat, 2]
    view.can_fold = hand.can_fold


# Answers


@alike
def raise_to(amount: int) -> int:
    """Complete, bet or raise to a total on this street (pot limit and no limit)."""
    return RAISE | amount << AMOUNT_SHIFT


@alike
def raise_or_stay(view: Any) -> int:
    """The smallest legal wager where there is one, else check or call."""
    return RAISE if view.raise_min > 0 else STAY


@alike
def stay_or_fold(view: Any) -> int:
    """Check where it is free, post the bring-in where it is owed, else fold."""
    return FOLD if view.can_fold and view.to_call > 0 else STAY


# Reading cards


@compiled_as(lambda mask: bit_count(mask))
def different_ranks(mask: int) -> int:
    """How many ranks a mask holds."""
    return mask.bit_count()


@compiled_as(lambda mask: highest_bit(mask))
def highest_rank(mask: int) -> int:
    """The highest rank of a mask (ace 0 .. king 12); -1 for none."""
    return int(mask).bit_length() - 1


@alike
def my_key(view: Any) -> int:
    """The key of the seat's best low with the cards it holds (see `razz_sim.lowball`): smaller is lower."""
    return key_of_masks(
        int(view.my_once),
        int(view.my_twice),
        int(view.my_thrice),
        int(view.my_four),
        int(view.street),
    )


@alike
def board_key(view: Any, seat: int) -> int:
    """The key of a seat's board, comparable between seats on one street: smaller is lower."""
    once = int(view.board_once[seat])
    if bit_count(once) == view.up_count[seat]:  # no pair, as most boards: Python need not read the other masks
        return once
    return key_of_masks(
        once,
        int(view.board_twice[seat]),
        int(view.board_thrice[seat]),
        int(view.board_four[seat]),
        int(view.up_count[seat]),
    )
