"""Views of random hands for the tests: any rules, seats and stacks, folded boards and community cards."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numba
import numpy as np
from random_hands import give, random_mood, random_table

from razz_sim.hand.record import HAND_TYPE
from razz_sim.view import VIEW, VIEW_TYPE, ViewStruct, fill_view


@numba.njit(numba.void(HAND_TYPE, VIEW_TYPE))  # type: ignore[untyped-decorator]
def look(hand: Any, view: Any) -> None:
    """Fill the view of the seat to act."""
    fill_view(hand, view)


@cache
def random_views(count: int, seed: int = 1) -> np.ndarray:
    """What the seats to act see, decision by decision, in random hands: a record array of VIEW."""
    rng = random.Random(seed)
    views = np.zeros(count, dtype=VIEW)
    filled = 0
    while filled < count:
        hand, mood = random_table(rng).deal(), random_mood(rng)
        decision = 0
        while hand.seat is not None and filled < count:
            look(hand.record, views[filled])
            give(hand, mood.answer(rng, hand.legal(), decision))
            decision += 1
            filled += decision % 3 == 0 or hand.seat is None  # not all: those of a hand are much alike
    return views


def as_struct(view: np.void) -> ViewStruct:
    """The view as a strategy in plain Python gets it."""
    return ViewStruct.from_buffer_copy(view.tobytes())
