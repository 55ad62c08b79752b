"""What the loops at a table work on, beside the hand: how the table is set up, and where its block stands."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from razz_sim.rules import MAX_SEATS
from razz_sim.strategy.declaration import LEAST_ANSWER
from razz_sim.structures import MAX_ENTRANTS

FINISHED, STOPPED, FAULT, BROKEN = 0, 1, 2, 3
"""How a batch ended: played, stopped from outside, a strategy's fault, chips not conserved."""

STOP, FOLD_ON_ERROR, FORFEIT = 0, 1, 2
"""What a strategy's error does: end the batch; check or fold in its stead; that, and its chips go to the others."""

RAISED, EXHAUSTED, JUDGED = LEAST_ANSWER - 1, LEAST_ANSWER - 2, LEAST_ANSWER - 3
"""No answers of a strategy but what came instead: it raised an exception, it ran out of memory, or it is known to hang
or crash here and was not asked. No answer of a strategy is below LEAST_ANSWER: calls see to that."""

NO_VERDICT = -1
OBSERVING = -1
"""The decision number of a call that only tells a strategy how a hand ended."""
IN_ROWS = -2
"""The decision number of a call for many tables at once; `hand` then counts the calls of its group of blocks."""

PULSE_FIELDS = ("stop", "scenario", "block", "hand", "copy", "decision", "rows", "calls")
"""What `pulse` holds: set `stop` to end the loop; the rest tells another thread or process where it is.

`copy` is NOBODY while no strategy is being asked, `rows` how many decisions are asked for at once, `calls` counts what
was asked.
"""
P_STOP, P_SCENARIO, P_BLOCK, P_HAND, P_COPY, P_DECISION, P_ROWS, P_CALLS = range(len(PULSE_FIELDS))

_SETUP_FIELDS: list[tuple[Any, ...]] = [
    ("seed", np.uint64),
    ("stack", np.int64),  # at the start of a block, in smallest units
    ("hands", np.int64),  # of a block, all its replicas
    ("session", np.int64),  # hands of a replica
    ("replicas", np.int64),  # arrangements in which each block is played
    ("copy_of_place", np.int64, (MAX_SEATS,)),  # of places that are dealt to seats: see `seating.seat_copies`
    ("carry", np.int64),  # 1 when stacks carry on from hand to hand
    ("top_up", np.int64),
    ("on_error", np.int64),
    ("stop_at", np.int64),  # an entrant whose first error ends the batch whatever `on_error` says; NOBODY for none
    ("observed", np.int64),  # 1 when some entrant wants to be told how hands end
    ("entrant_of_copy", np.int64, (MAX_SEATS,)),
    ("addresses", np.int64, (MAX_ENTRANTS,)),  # of each entrant's strategy; 0 for one that is asked in rows
    ("players", np.int64, (MAX_ENTRANTS,)),  # who is asked in rows for each entrant
    ("observers", np.int64, (MAX_ENTRANTS,)),  # of each entrant's observe function; 0 for none
    ("params", np.int64, (MAX_ENTRANTS,)),  # addresses of each entrant's parameters
    ("memory", np.int64, (MAX_SEATS,)),  # of each copy: bytes from the start of the table's memory
]

_TABLE_FIELDS: list[tuple[Any, ...]] = [
    ("memory", np.int64),  # the address of all copies' memory at this table
    ("block", np.int64),
    ("number", np.int64),  # of the hand in its block
    ("table", np.int64),  # of a tournament; else 0
    ("act_key", np.uint64),  # of the hand's stream of decisions
    ("judged", np.int64),  # the first verdict on this block; NO_VERDICT when there is none
    ("forfeited", np.int64),  # seats as a bit mask
    ("asked", np.int64, (MAX_SEATS,)),  # decisions of each seat in this hand
    ("before", np.int64, (MAX_SEATS,)),  # stacks before the hand
    ("copy_at", np.int64, (MAX_SEATS,)),
    ("entrant_at", np.int64, (MAX_SEATS,)),
    ("memory_at", np.int64, (MAX_SEATS,)),  # the address of the memory of the copy in each seat
    ("net", np.int64, (MAX_SEATS,)),  # of each entrant in this block
    ("luck", np.int64, (MAX_SEATS,)),  # of each entrant in this block: see `tally.core.count_luck`
    ("expected", np.int64, (MAX_SEATS,)),  # room for `tally.all_in`
    ("weights", np.int64, (MAX_SEATS, MAX_SEATS)),
    ("keys", np.int64, (MAX_SEATS, 13)),
    ("cards", np.int64, (13,)),
    ("last", np.int64, (MAX_SEATS,)),
    ("fault_seat", np.int64),  # the last error: who, its answer, and why that is illegal
    ("fault_answer", np.int64),
    ("fault_reason", np.int64),
    ("fault_decision", np.int64),
    ("untold", np.int64),  # seats whose strategies failed when they were told how the last hand ended, as a bit mask
    ("in_hand", np.int64),  # of tables played in lockstep: a hand is going on
    ("waiting", np.int64),  # the seat whose answer is waited for; NOBODY for none
    ("over", np.int64),  # the block is played
]

SETUP = np.dtype(_SETUP_FIELDS, align=True)
TABLE = np.dtype(_TABLE_FIELDS, align=True)
SETUP_TYPE = numba.from_dtype(SETUP)
TABLE_TYPE = numba.from_dtype(TABLE)

VERDICT_FIELDS = ("block", "hand", "copy", "decision")
"""Coordinates of a decision that is not asked for: rows of an int64 array, sorted."""
