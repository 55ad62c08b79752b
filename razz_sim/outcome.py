"""What a seat saw when a hand is over: what `observe` functions are told.

An outcome begins with the seat's view as the hand ended (`razz_sim.view`; nothing can be done any more), then come the
hands shown at showdown and who won what. Hands that were mucked stay hidden. Amounts are in smallest units.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numba
import numpy as np

from razz_sim.cards import NO_CARD
from razz_sim.compiling import copy_front, inlined
from razz_sim.rules import MAX_SEATS
from razz_sim.view import VIEW, fill_view

_OUTCOME_FIELDS: list[tuple[Any, ...]] = [
    ("net", np.int64, (MAX_SEATS,)),  # chips each seat won less chips it put in
    ("award", np.int64, (MAX_SEATS,)),  # what it took from the pots
    ("shown_hole", np.int8, (MAX_SEATS, 3)),  # down cards shown at showdown, one's own always; NO_CARD where hidden
    ("shown", np.int8, (MAX_SEATS,)),  # 1 for a hand shown at showdown
    ("dealt_in", np.int8, (MAX_SEATS,)),  # 1 for a seat that had chips
    ("showdown", np.int8),  # 1 when the hand went to showdown
]

OUTCOME = np.dtype([*((name, VIEW[name]) for name in VIEW.names or ()), *_OUTCOME_FIELDS], align=True)
OUTCOME_TYPE = numba.from_dtype(OUTCOME)


class OutcomeStruct(ctypes.Structure):
    """An outcome as strategies in plain Python see it: the same bytes, whole numbers of Python."""

    _fields_ = [(name, np.ctypeslib.as_ctypes_type(OUTCOME[name])) for name in OUTCOME.names or ()]


if any(VIEW.fields[name][1] != OUTCOME.fields[name][1] for name in VIEW.names or ()):  # type: ignore[index]
    raise AssertionError("an outcome must begin with the layout of a view")


_VIEW_BYTES = VIEW.itemsize


@inlined
def fill_outcome(hand: Any, before: Any, seat: int, view: Any, outcome: Any) -> None:
    """Copy into `outcome` what a seat saw of a hand that is over and began with the stacks `before`.

    `view` is room to work in.
    """
    hand.seat = seat
    fill_view(hand, view)
    copy_front(outcome, view, _VIEW_BYTES)
    outcome.to_call = 0
    outcome.raise_min = 0
    outcome.raise_max = 0
    outcome.can_fold = 0
    outcome.showdown = hand.showdown
    for other in range(hand.seats):
        shown = hand.showdown and hand.shown >> other & 1
        outcome.net[other] = hand.stack[other] - before[other]
        outcome.award[other] = hand.award[other]
        outcome.shown[other] = 1 if shown else 0
        outcome.dealt_in[other] = 1 if before[other] > 0 else 0
        for number in range(3):
            seen = shown or other == seat
            outcome.shown_hole[other, number] = hand.hole[other, number] if seen else NO_CARD
