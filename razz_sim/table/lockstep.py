"""Many tables in lockstep: each goes on until a strategy asked in rows must decide, or its blocks are played."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import boolean, float64, int64, uint64

from razz_sim.compiling import atomic_load, compiled, inlined
from razz_sim.hand.betting import OK
from razz_sim.hand.engine import advance
from razz_sim.hand.record import HAND_TYPE, NOBODY, RULES_TYPE
from razz_sim.outcome import OUTCOME_TYPE, fill_outcome
from razz_sim.rules import MAX_SEATS
from razz_sim.table.record import FAULT, FINISHED, JUDGED, OBSERVING, SETUP_TYPE, STOPPED, TABLE_TYPE
from razz_sim.table.rounds import (
    ask_seat,
    begin_block,
    begin_hand,
    carry_out,
    end_hand,
    give_up,
    is_judged,
    note_error,
    word_of,
)
from razz_sim.tally.core import close_block
from razz_sim.view import VIEW_TYPE, fill_view

TELLING = -2
"""What a table waits for when a hand is over and strategies asked in rows are to be told."""

WATCH_FIELDS = ("first", "stop", "low", "high", "stay", "count", "failed")
"""What is written down: of blocks `first` to `stop` - 1 the hands `low` to `high` - 1, each in a slot of its own.

With `stay` the first block ends with the last of these hands, and its table stays as that left it. `count` is how many
answers there were, also those that the log had no room for; `failed` the table that ended the loop.
"""
W_FIRST, W_STOP, W_LOW, W_HIGH, W_STAY, W_COUNT, W_FAILED = range(len(WATCH_FIELDS))
LOG_FIELDS = ("slot", "seat", "answer")
"""The columns of the log of answers, in their order."""

KEPT = np.dtype(
    [
        ("before", np.int64, (MAX_SEATS,)),  # stacks before the hand
        ("entrant_at", np.int64, (MAX_SEATS,)),
        ("began", np.int64),
        ("over", np.int64),  # it was played to its end: its record is kept as it was then
        ("forfeited", np.int64),
    ],
    align=True,
)
"""What is written down of a hand beside its record and its answers."""
KEPT_TYPE = numba.from_dtype(KEPT)


@inlined
def _slot(watch: Any, table: Any) -> int:
    """Where the hand at a table is written down; NOBODY when it is not."""
    if not watch[W_FIRST] <= table.block < watch[W_STOP] or not watch[W_LOW] <= table.number < watch[W_HIGH]:
        return NOBODY
    slot: int = (table.block - watch[W_FIRST]) * (watch[W_HIGH] - watch[W_LOW]) + table.number - watch[W_LOW]
    return slot


@inlined
def _begin(table: Any, verdicts: Any, block: int) -> None:
    """Set a table up for a block."""
    begin_block(table, block, verdicts)
    table.in_hand = 0


@compiled(int64(TABLE_TYPE[::1], int64[:, ::1], int64))
def begin_tables(tables: Any, verdicts: Any, first: int) -> int:
    """Set each table up for the first of its blocks: table t plays `first` + t and every so many on."""
    for index in range(len(tables)):
        table = tables[index]
        _begin(table, verdicts, first + index)
        table.over = 0
        table.waiting = NOBODY
        for entrant in range(len(table.net)):
            table.net[entrant] = 0
            table.luck[entrant] = 0
    return FINISHED


@inlined
def _write_down(watch: Any, log: Any, table: Any, seat: int, answer: int) -> None:
    """Note an answer of a hand that is watched, as long as there is room."""
    slot = _slot(watch, table)
    if slot != NOBODY:
        count = watch[W_COUNT]
        if count < len(log):
            log[count, 0], log[count, 1], log[count, 2] = slot, seat, answer
        watch[W_COUNT] = count + 1


@inlined
def _stays(watch: Any, table: Any) -> bool:
    """Whether a table has played the last hand that is written down of it, and is to stay so."""
    return bool(watch[W_STAY] != 0 and table.block == watch[W_FIRST] and table.number >= watch[W_HIGH])


@inlined
def _tell_in_rows(
    setup: Any, table: Any, hand: Any, view: Any, index: int, outcomes: Any, told_rows: Any, telling: Any, observes: Any
) -> bool:
    """Lay out how a hand ended for the strategies asked in rows that want to know."""
    found = False
    for seat in range(hand.seats):
        entrant = table.entrant_at[seat]
        if (
            setup.addresses[entrant] == 0
            and observes[setup.players[entrant]]
            and table.before[seat] > 0
            and table.forfeited >> seat & 1 == 0
        ):
            player = setup.players[entrant]
            row = telling[player]
            telling[player] += 1
            fill_outcome(hand, table.before, seat, view, outcomes[player, row])
            told_rows[player, row] = index
            found = True
    return found


@compiled(
    int64(
        RULES_TYPE,
        SETUP_TYPE,
        TABLE_TYPE[::1],
        HAND_TYPE[::1],
        VIEW_TYPE,
        OUTCOME_TYPE,
        float64[:, ::1],
        int64[:, ::1],
        int64[::1],
        int64,
        int64[::1],
        int64[::1],
        int64[:, ::1],
        int64[:, :, ::1],
        int64[:, ::1],
        int64[:, :, ::1],
        int64[::1],
        VIEW_TYPE[:, ::1],
        uint64[:, ::1],
        int64[:, ::1],
        int64[::1],
        OUTCOME_TYPE[:, ::1],
        int64[:, ::1],
        int64[::1],
        boolean[::1],
        int64[::1],
        int64[:, ::1],
        KEPT_TYPE[::1],
        HAND_TYPE[::1],
        float64[::1],
    )
)
def advance_tables(
    rules: Any,
    setup: Any,
    tables: Any,
    hands: Any,
    view: Any,
    outcome: Any,
    memory: Any,
    verdicts: Any,
    pulse: Any,
    first: int,
    row_of: Any,
    part_of: Any,
    totals: Any,
    entrants: Any,
    fine_table: Any,
    fine_entrants: Any,
    answers: Any,
    views: Any,
    words: Any,
    rows: Any,
    waiting: Any,
    outcomes: Any,
    told_rows: Any,
    telling: Any,
    observes: Any,
    watch: Any,
    log: Any,
    kept: Any,
    kept_hands: Any,
    kept_memory: Any,
) -> int:
    """Carry out the `answers` that tables waited for, and go on until all wait again or are over.

    What player p is to decide then is in the first `waiting[p]` rows of `views[p]` and `words[p]`, for the tables
    `rows[p]`; `outcomes`, `told_rows` and `telling` likewise hold what it is to be told. Blocks from `first` on are
    played, as many as `row_of` has: block b counts into row `row_of[b - first]` of `totals` and `entrants`, and into
    part `part_of[b - first]` of the fine totals. What `watch` names goes into the log, into `kept` and `kept_hands`,
    and `kept_memory` gets the memory of a table that stays, as it was before anybody was told how the hand ended.
    Returns FINISHED (see whether any wait), STOPPED, BROKEN, or FAULT with the table in `watch`.
    """
    waiting[:] = 0
    telling[:] = 0
    for index in range(len(tables)):
        table = tables[index]
        if table.over:
            continue
        if atomic_load(pulse) != 0:
            return STOPPED
        hand = hands[index]
        row, part = row_of[table.block - first], part_of[table.block - first]
        seat = table.waiting
        table.waiting = NOBODY
        if seat >= 0:
            _write_down(watch, log, table, seat, answers[index])
            if carry_out(rules, setup, table, hand, entrants[row], seat, answers[index]) != OK:
                watch[W_FAILED] = index
                return FAULT
        while True:
            if not table.in_hand:
                if _stays(watch, table):
                    table.over = 1
                    break
                if not begin_hand(rules, setup, table, hand, memory[index]):
                    close_block(totals[row], entrants[row], table.net, table.luck, table.forfeited != 0)
                    block = table.block + len(tables)
                    if block >= first + len(row_of) or (watch[W_STAY] != 0 and table.block == watch[W_FIRST]):
                        table.over = 1
                        break
                    _begin(table, verdicts, block)
                    row, part = row_of[block - first], part_of[block - first]
                    continue
                table.in_hand = 1
                slot = _slot(watch, table)
                if slot != NOBODY:
                    kept[slot].began = 1
                    for place in range(hand.seats):
                        kept[slot].before[place] = table.before[place]
                        kept[slot].entrant_at[place] = table.entrant_at[place]
            seat = advance(rules, hand)
            if seat == NOBODY:
                slot = _slot(watch, table)
                if slot != NOBODY:
                    kept_hands[slot] = hand
                    if watch[W_STAY] != 0:
                        kept_memory[:] = memory[index]
                ended = end_hand(
                    rules,
                    setup,
                    table,
                    hand,
                    view,
                    outcome,
                    verdicts,
                    pulse,
                    totals[row],
                    entrants[row],
                    fine_table[part],
                    fine_entrants[part],
                )
                if slot != NOBODY:
                    kept[slot].over = 1
                    kept[slot].forfeited = table.forfeited
                if ended != FINISHED:
                    watch[W_FAILED] = index
                    return ended
                table.in_hand = 0
                if _tell_in_rows(setup, table, hand, view, index, outcomes, told_rows, telling, observes):
                    table.waiting = TELLING
                    break
                continue
            if table.forfeited >> seat & 1:
                give_up(rules, hand)
                continue
            entrant = table.entrant_at[seat]
            if setup.addresses[entrant] != 0:
                answer = ask_seat(setup, table, hand, view, verdicts, pulse, seat)
            elif is_judged(table, verdicts, seat, table.asked[seat]):
                answer = JUDGED
            else:
                player = setup.players[entrant]
                asked = waiting[player]
                waiting[player] += 1
                fill_view(hand, views[player, asked])
                words[player, asked] = word_of(table, seat)
                rows[player, asked] = index
                table.waiting = seat
                break
            _write_down(watch, log, table, seat, answer)
            if carry_out(rules, setup, table, hand, entrants[row], seat, answer) != OK:
                watch[W_FAILED] = index
                return FAULT
    return FINISHED


@compiled(int64(SETUP_TYPE, TABLE_TYPE, int64[:, ::1], int64))
def note_failed_observer(setup: Any, table: Any, entrants: Any, seat: int) -> int:
    """Count the error of a strategy asked in rows that failed when it was told how a hand ended."""
    return note_error(setup, table, entrants, seat, JUDGED, OK, OBSERVING)
