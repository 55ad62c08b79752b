"""Who sits where, with how many chips, and which random streams a hand draws from."""

from __future__ import annotations

from typing import Any

import numpy as np

from razz_sim.compiling import inlined
from razz_sim.seeding import SEAT, below, derive, word_at

_COPY_SHIFT = np.uint64(32)


@inlined
def hand_key(seed: Any, domain: Any, block: int, table: int, number: int) -> Any:
    """The key of a hand's stream: seed, domain, block, then the table and hand `number` of the block there."""
    key = derive(derive(seed, domain), np.uint64(block))
    return derive(derive(key, np.uint64(table)), np.uint64(number))


@inlined
def seat_copies(setup: Any, block: int, replica: int, seats: int, order: Any, copy_at: Any) -> None:
    """Which copy of the line-up sits where in a replica of a block. `order` is room to work in.

    Where each block is played once, blocks come in cycles of as many as there are seats: the cycle draws a random
    order, and block by block it moves one seat on, so that every copy has each seat once in a cycle and no two always
    sit next to each other.

    Where it is played in several arrangements, the block draws the order, and so to which seat each place belongs.
    Places come in units of as many as there are replicas, and each unit has every entrant's share of seats; from
    replica to replica the copies of each unit move one place on. So every entrant holds the cards of each seat in the
    same share of the replicas, and no two of these are the same arrangement of entrants.
    """
    replicas = setup.replicas
    cycle = block // seats if replicas == 1 else block
    key = derive(derive(setup.seed, SEAT), np.uint64(cycle))
    for copy in range(seats):
        order[copy] = copy
    for last in range(seats - 1, 0, -1):
        other = np.int64(below(word_at(key, np.uint64(last)), np.uint64(last + 1)))
        order[last], order[other] = order[other], order[last]
    if replicas == 1:
        turn = block % seats
        for seat in range(seats):
            place = seat + turn
            copy_at[seat] = order[place - seats if place >= seats else place]
        return
    for place in range(seats):
        in_unit = place % replicas
        copy_at[order[place]] = setup.copy_of_place[place - in_unit + (in_unit + replica) % replicas]


@inlined
def decision_word(key: Any, copy: int, number: int) -> Any:
    """The random word of a copy's decision `number` in a hand whose act stream is `key`."""
    return word_at(key, (np.uint64(copy) << _COPY_SHIFT) + np.uint64(number))


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
