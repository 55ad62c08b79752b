"""What a table does, one step at a time from Python: for replays."""

from __future__ import annotations

from typing import Any

from numba import int64, uint64, void

from razz_sim.compiling import call_by_address, compiled
from razz_sim.hand.record import HAND_TYPE
from razz_sim.outcome import OUTCOME_TYPE, fill_outcome
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
