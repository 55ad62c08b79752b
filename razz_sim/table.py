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

FAULT_FIELDS = ("block", "seat", "copy", "street", "answer", "reason", "decision")
"""What `fault` holds after FAULT: coordinates of the decision, the answer given and why it is illegal."""

_COPY_SHIFT = np.uint64(32)


@inlined
def hand_key(seed: Any, domain: Any, block: int) -> Any:
    """The key of a hand's stream: seed, domain, block, then table 0 and hand 0 of the block."""
    key = derive(derive(seed, domain), np.uint64(block))
    return derive(derive(key, np.uint64(0)), np.uint64(0))


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
def _chips_conserved(hand: Any, stack: int) -> bool:
    """Awards and rake make the pot, and the stacks with the rake what they were."""
    awards = 0
    stacks = 0
    for seat in range(hand.seats):
        awards += hand.award[seat]
        stacks += hand.stack[seat]
    return bool(awards + hand.rake == hand.pot and stacks + hand.rake == stack * hand.seats)


@compiled(
    int64(
        RULES_TYPE,
        HAND_TYPE,
        VIEW_TYPE,
        uint64,
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
    entrant_of_copy: Any,
    addresses: Any,
    params: Any,
    memories: Any,
    memory: Any,
    first: int,
    stop: int,
    stop_flag: Any,
    table: Any,
    entrants: Any,
    fault: Any,
) -> int:
    """Play blocks `first` to `stop` - 1, one hand each with fresh stacks, into `table` and `entrants` (see `tally`).

    `addresses`, `params` and `memories` are machine addresses by entrant, entrant and copy; `memory` is the floats
    that the last point into, zeroed for each block. Setting `stop_flag[0]` from
    another thread ends the loop after the hand in play. Returns FINISHED, STOPPED, FAULT (`fault` tells) or BROKEN.
    """
    seats: Any = np.int64(hand.seats)
    order = np.zeros(MAX_SEATS, dtype=np.int64)
    copy_at = np.zeros(MAX_SEATS, dtype=np.int64)
    entrant_at = np.zeros(MAX_SEATS, dtype=np.int64)
    asked = np.zeros(MAX_SEATS, dtype=np.int64)
    net = np.zeros(len(entrants), dtype=np.int64)
    for block in range(first, stop):
        if atomic_load(stop_flag) != 0:
            return STOPPED
        seat_copies(seed, block, seats, order, copy_at)
        for seat in range(seats):
            entrant_at[seat] = entrant_of_copy[copy_at[seat]]
            asked[seat] = 0
            hand.stack[seat] = stack
        for number in range(len(memory)):
            memory[number] = 0.0
        act_key = hand_key(seed, ACT, block)
        start_hand(rules, hand, seats - 1, hand_key(seed, DEAL, block))
        while True:
            seat = advance(rules, hand)
            if seat == NOBODY:
                break
            entrant = entrant_at[seat]
            copy = copy_at[seat]
            fill_view(hand, view)
            word = decision_word(act_key, copy, asked[seat])
            answer = call_by_address(addresses[entrant], view, params[entrant], memories[copy], word)
            reason = apply(rules, hand, answer)
            if reason != OK:
                fault[0], fault[1], fault[2] = block, seat, copy
                fault[3], fault[4], fault[5], fault[6] = hand.street, answer, reason, asked[seat]
                return FAULT
            asked[seat] += 1
        if not _chips_conserved(hand, stack):
            fault[0] = block
            return BROKEN
        count_hand(hand, stack, entrant_at, table, entrants, net)
        close_block(entrants, net)
    return FINISHED


@compiled(void(uint64, int64, int64, int64[::1]))
def copies_at_seats(seed: Any, block: int, seats: int, copy_at: Any) -> None:
    """Fill `copy_at` with the copy in each seat of a block: what `play_hands` plays, for replays."""
    seat_copies(seed, block, seats, np.zeros(MAX_SEATS, dtype=np.int64), copy_at)


@compiled(uint64(uint64, int64))
def deal_key(seed: Any, block: int) -> Any:
    """The key of a block's cards."""
    return hand_key(seed, DEAL, block)


@compiled(uint64(uint64, int64, int64, int64))
def random_word(seed: Any, block: int, copy: int, number: int) -> Any:
    """The random word of a copy's decision `number` in a block."""
    return decision_word(hand_key(seed, ACT, block), copy, number)


@compiled(int64(int64, VIEW_TYPE, int64, int64, uint64))
def ask(address: int, view: Any, params: int, memory: int, word: Any) -> Any:
    """The answer of the strategy at an address to one view: what `play_hands` calls, for replays."""
    return call_by_address(address, view, params, memory, word)


@compiled(void(HAND_TYPE, VIEW_TYPE))
def view_of_hand(hand: Any, view: Any) -> None:
    """Fill the view of the seat to act."""
    fill_view(hand, view)
