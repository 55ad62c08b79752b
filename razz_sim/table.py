"""Hands in a row at one table: the fused loop that plays a batch without leaving machine code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import float64, int64, uint64, void

from razz_sim.compiling import atomic_load, call_by_address, compiled, inlined
from razz_sim.hand.betting import OK, apply
from razz_sim.hand.engine import advance, start_hand
from razz_sim.hand.record import HAND_TYPE, NOBODY, RULES_TYPE
from razz_sim.rules import MAX_SEATS
from razz_sim.seeding import ACT, DEAL, SEAT, below, derive, word_at
from razz_sim.tally import close_block, count_hand
from razz_sim.view import VIEW_TYPE, fill_view

FINISHED, STOPPED, FAULT, BROKEN = 0, 1, 2, 3
"""How a batch ended: played, stopped from outside, a strategy's fault, chips not conserved."""

FAULT_FIELDS = ("block", "hand", "seat", "copy", "answer", "reason", "decision")
"""What `fault` holds after FAULT: coordinates of the decision, the answer given and why it is illegal."""

_COPY_SHIFT = np.uint64(32)


PULSE_FIELDS = ("stop", "block", "hand", "seat", "decisions")
"""What `pulse` holds: set `stop` to end the loop; the rest tells another thread or process where it is."""


@inlined
def hand_key(seed: Any, domain: Any, block: int, number: int) -> Any:
    """The key of a hand's stream: seed, domain, block, then table 0 and hand `number` of the block."""
    key = derive(derive(seed, domain), np.uint64(block))
    return derive(derive(key, np.uint64(0)), np.uint64(number))


@inlined
def seat_copies(seed: Any, block: int, seats: int, order: Any, copy_at: Any) -> None:
    """Which copy of the line-up sits where in a block.

    Blocks come in cycles of as many as there are seats: the cycle draws a random order, and block by block it moves one
    seat on, so that every copy has each seat once in a cycle and no two always sit next to each other.
    """
    cycle = block // seats
    turn = block % seats
    key = derive(derive(seed, SEAT), np.uint64(cycle))
    for copy in range(seats):
        order[copy] = copy
    for last in range(seats - 1, 0, -1):
        other = np.int64(below(word_at(key, np.uint64(last)), np.uint64(last + 1)))
        order[last], order[other] = order[other], order[last]
    for seat in range(seats):
        place = seat + turn
        copy_at[seat] = order[place - seats if place >= seats else place]


@inlined
def decision_word(key: Any, copy: int, number: int) -> Any:
    """The random word of a copy's decision `number` in a hand whose act stream is `key`."""
    return word_at(key, (np.uint64(copy) << _COPY_SHIFT) + np.uint64(number))


@inlined
def _chips_conserved(hand: Any, before: Any) -> bool:
    """Awards and rake make the pot, and the stacks with the rake what they were."""
    awards = 0
    gained = 0
    for seat in range(hand.seats):
        awards += hand.award[seat]
        gained += hand.stack[seat] - before[seat]
    return bool(awards + hand.rake == hand.pot and gained + hand.rake == 0)


@inlined
def set_stacks(hand: Any, stack: int, number: int, carry: int, top_up: int) -> int:
    """Stacks before hand `number` of a session: fresh, carried on, or filled up; how many seats have chips."""
    with_chips = 0
    for seat in range(hand.seats):
        if number == 0 or not carry or (top_up and hand.stack[seat] < stack):
            hand.stack[seat] = stack
        if hand.stack[seat] > 0:
            with_chips += 1
    return with_chips


@compiled(
    int64(
        RULES_TYPE,
        HAND_TYPE,
        VIEW_TYPE,
        uint64,
        int64,
        int64,
        int64,
        int64,
        int64[::1],
        int64[::1],
        int64[::1],
        int64[::1],
        float64[::1],
        int64,
        int64,
        int64[::1],
        int64[::1],
        int64[:, ::1],
        int64[::1],
    )
)
def play_hands(
    rules: Any,
    hand: Any,
    view: Any,
    seed: Any,
    stack: int,
    hands: int,
    carry: int,
    top_up: int,
    entrant_of_copy: Any,
    addresses: Any,
    params: Any,
    memories: Any,
    memory: Any,
    first: int,
    stop: int,
    pulse: Any,
    table: Any,
    entrants: Any,
    fault: Any,
) -> int:
    """Play blocks `first` to `stop` - 1, each of so many `hands`, into `table` and `entrants` (see `tally`).

    Stacks are fresh in each hand, or carried on and filled up (see `set_stacks`); a block ends early when fewer than
    two seats have chips. `addresses`, `params` and `memories` are machine addresses by entrant, entrant and copy;
    `memory` is the floats that the last point into, zeroed for each block. Returns FINISHED, STOPPED (`pulse[0]` was
    set), FAULT (`fault` tells) or BROKEN.
    """
    seats: Any = np.int64(hand.seats)
    order = np.zeros(MAX_SEATS, dtype=np.int64)
    copy_at = np.zeros(MAX_SEATS, dtype=np.int64)
    entrant_at = np.zeros(MAX_SEATS, dtype=np.int64)
    asked = np.zeros(MAX_SEATS, dtype=np.int64)
    before = np.zeros(MAX_SEATS, dtype=np.int64)
    net = np.zeros(len(entrants), dtype=np.int64)
    for block in range(first, stop):
        seat_copies(seed, block, seats, order, copy_at)
        for seat in range(seats):
            entrant_at[seat] = entrant_of_copy[copy_at[seat]]
        for number in range(len(memory)):
            memory[number] = 0.0
        pulse[1] = block
        for number in range(hands):
            if atomic_load(pulse) != 0:
                return STOPPED
            if set_stacks(hand, stack, number, carry, top_up) < 2:
                break
            for seat in range(seats):
                asked[seat] = 0
                before[seat] = hand.stack[seat]
            pulse[2] = number
            act_key = hand_key(seed, ACT, block, number)
            start_hand(rules, hand, (seats - 1 + number) % seats, hand_key(seed, DEAL, block, number))
            while True:
                seat = advance(rules, hand)
                if seat == NOBODY:
                    break
                entrant = entrant_at[seat]
                copy = copy_at[seat]
                pulse[3] = seat
                pulse[4] += 1
                fill_view(hand, view)
                word = decision_word(act_key, copy, asked[seat])
                answer = call_by_address(addresses[entrant], view, params[entrant], memories[copy], word)
                reason = apply(rules, hand, answer)
                if reason != OK:
                    fault[0], fault[1], fault[2], fault[3] = block, number, seat, copy
                    fault[4], fault[5], fault[6] = answer, reason, asked[seat]
                    return FAULT
                asked[seat] += 1
            if not _chips_conserved(hand, before):
                fault[0], fault[1] = block, number
                return BROKEN
            count_hand(hand, before, entrant_at, table, entrants, net)
        close_block(table, entrants, net)
    return FINISHED


@compiled(void(uint64, int64, int64, int64[::1]))
def copies_at_seats(seed: Any, block: int, seats: int, copy_at: Any) -> None:
    """Fill `copy_at` with the copy in each seat of a block: what `play_hands` plays, for replays."""
    seat_copies(seed, block, seats, np.zeros(MAX_SEATS, dtype=np.int64), copy_at)


@compiled(int64(HAND_TYPE, int64, int64, int64, int64))
def stacks_before(hand: Any, stack: int, number: int, carry: int, top_up: int) -> int:
    """Set the stacks before hand `number` of a session, as `play_hands` does; how many seats have chips."""
    return set_stacks(hand, stack, number, carry, top_up)


@compiled(uint64(uint64, int64, int64))
def deal_key(seed: Any, block: int, number: int) -> Any:
    """The key of the cards of a block's hand."""
    return hand_key(seed, DEAL, block, number)


@compiled(uint64(uint64, int64, int64, int64, int64))
def random_word(seed: Any, block: int, number: int, copy: int, decision: int) -> Any:
    """The random word of a copy's decision in a block's hand."""
    return decision_word(hand_key(seed, ACT, block, number), copy, decision)


@compiled(int64(int64, VIEW_TYPE, int64, int64, uint64))
def ask(address: int, view: Any, params: int, memory: int, word: Any) -> Any:
    """The answer of the strategy at an address to one view: what `play_hands` calls, for replays."""
    return call_by_address(address, view, params, memory, word)


@compiled(void(HAND_TYPE, VIEW_TYPE))
def view_of_hand(hand: Any, view: Any) -> None:
    """Fill the view of the seat to act."""
    fill_view(hand, view)
