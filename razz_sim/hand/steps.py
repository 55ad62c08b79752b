"""The engine's steps as functions that Python calls one at a time."""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from razz_sim.compiling import compiled
from razz_sim.hand import betting, engine, pots
from razz_sim.hand.record import HAND_TYPE, RULES_TYPE


@compiled(int64(RULES_TYPE, HAND_TYPE, int64, uint64))
def start(rules: np.void, hand: np.void, dealer: int, key: int) -> int:
    """Antes and third street: see `engine.start_hand`."""
    engine.start_hand(rules, hand, dealer, key)
    return 0


@compiled(int64(RULES_TYPE, HAND_TYPE))
def advance(rules: np.void, hand: np.void) -> int:
    """On to the next decision: see `engine.advance`."""
    return engine.advance(rules, hand)


@compiled(int64(RULES_TYPE, HAND_TYPE, int64))
def apply(rules: np.void, hand: np.void, answer: int) -> int:
    """Carry out an answer: see `betting.apply`."""
    return betting.apply(rules, hand, answer)


@compiled(int64(RULES_TYPE, HAND_TYPE))
def find_show_order(rules: np.void, hand: np.void) -> int:
    """Who shows in which order: see `pots.find_show_order`."""
    return pots.find_show_order(rules, hand)
