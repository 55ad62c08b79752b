"""What a table does, one step at a time from Python: for replays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, uint64, void

from razz_sim.compiling import call_by_address, compiled
from razz_sim.hand.record import HAND_TYPE
from razz_sim.outcome import OUTCOME_TYPE, fill_outcome
from razz_sim.rules import MAX_SEATS
from razz_sim.seeding import ACT, DEAL
from razz_sim.table.record import SETUP_TYPE
from razz_sim.table.seating import decision_word, hand_key, seat_copies, set_stacks
from razz_sim.view import VIEW_TYPE, fill_view


@compiled(int64(int64, VIEW_TYPE, int64, int64, uint64))
def ask(address: int, view: Any, params: int, memory: int, word: Any) -> Any:
    """The answer of the strategy at an address to one view."""
    return call_by_address(address, view, params, memory, word)


@compiled(int64(int64, OUTCOME_TYPE, int64, int64))
def tell(address: int, outcome: Any, params: int, memory: int) -> Any:
    """Show an outcome to the observe function at an address; 0 when it took it well."""
    return call_by_address(address, outcome, params, memory, uint64(0))


@compiled(void(HAND_TYPE, VIEW_TYPE))
def view_of_hand(hand: Any, view: Any) -> None:
    """Fill the view of the seat to act."""
    fill_view(hand, view)


@compiled(void(HAND_TYPE, int64[::1], int64, VIEW_TYPE, OUTCOME_TYPE))
def outcome_of_hand(hand: Any, before: Any, seat: int, view: Any, outcome: Any) -> None:
    """Fill what a seat saw of a hand that is over and began with the stacks `before`."""
    fill_outcome(hand, before, seat, view, outcome)


@compiled(void(SETUP_TYPE, int64, int64, int64[::1]))
def copies_at_seats(setup: Any, block: int, replica: int, copy_at: Any) -> None:
    """Fill `copy_at` with the copy in each seat of a replica of a block: what the loops play, for replays."""
    seat_copies(setup, block, replica, len(copy_at), np.zeros(MAX_SEATS, dtype=np.int64), copy_at)


@compiled(int64(HAND_TYPE, int64, int64, int64, int64))
def stacks_before(hand: Any, stack: int, number: int, carry: int, top_up: int) -> int:
    """Set the stacks before hand `number` of a session, as the loops do; how many seats have chips."""
    return set_stacks(hand, stack, number, carry, top_up)


@compiled(uint64(uint64, int64, int64, int64))
def deal_key(seed: Any, block: int, table: int, number: int) -> Any:
    """The key of the cards of a block's hand `number` at a table."""
    return hand_key(seed, DEAL, block, table, number)


@compiled(uint64(uint64, int64, int64, int64, int64, int64))
def random_word(seed: Any, block: int, table: int, number: int, copy: int, decision: int) -> Any:
    """The random word of a copy's decision in a block's hand `number` at a table."""
    return decision_word(hand_key(seed, ACT, block, table, number), copy, decision)
