"""Many tables in lockstep: each goes on until a strategy asked in rows must decide, or its blocks are played."""

from __future__ import annotations

from typing import Any

from numba import boolean, float64, int64, uint64

from razz_sim.compiling import atomic_load, compiled, inlined
from razz_sim.hand.betting import OK
from razz_sim.hand.engine import advance
from razz_sim.hand.record import HAND_TYPE, NOBODY, RULES_TYPE
from razz_sim.outcome import OUTCOME_TYPE, fill_outcome
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

WATCH_FIELDS = ("block", "hand", "count", "failed")
"""Of which block and hand the answers are written down, how many were, and the table that ended the loop.

The log's rows are (seat, answer) by the order of answers; its third column holds the stacks before the hand, by seat.
"""
LOG_COLUMNS = 3


@inlined
def _begin(setup: Any, tables: Any, memory: Any, verdicts: Any, index: int, block: int, seats: int) -> None:
    """Set a table up for a block."""
    table = tables[index]
    begin_block(setup, table, block, seats, verdicts)
    table.in_hand = 0
    for number in range(memory.shape[1]):
        memory[index, number] = 0.0


@compiled(int64(SETUP_TYPE, TABLE_TYPE[::1], float64[:, ::1], int64[:, ::1], int64, int64))
def begin_tables(setup: Any, tables: Any, memory: Any, verdicts: Any, first: int, seats: int) -> int:
    """Set each table up for the first of its blocks: table t plays `first` + t and every so many on."""
    for index in range(len(tables)):
        table = tables[index]
        _begin(setup, tables, memory, verdicts, index, first + index, seats)
        table.over = 0
        table.waiting = NOBODY
        for entrant in range(len(table.net)):
            table.net[entrant] = 0
            table.luck[entrant] = 0
    return FINISHED


@inlined
def _write_down(watch: Any, log: Any, table: Any, seat: int, answer: int) -> None:
    """Note an answer of the hand that is watched, as long as there is room."""
    if watch[0] == table.block and watch[1] == table.number:
        if watch[2] < len(log):
            log[watch[2], 0] = seat
            log[watch[2], 1] = answer
        watch[2] += 1


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
) -> int:
    """Carry out the `answers` that tables waited for, and go on until all wait again or are over.

    What player p is to decide then is in the first `waiting[p]` rows of `views[p]` and `words[p]`, for the tables
    `rows[p]`; `outcomes`, `told_rows` and `telling` likewise hold what it is to be told. Blocks from `first` on are
    played, as many as `row_of` has: block b counts into row `row_of[b - first]` of `totals` and `entrants`, and into
    part `part_of[b - first]` of the fine totals. Returns FINISHED (see whether any wait), STOPPED, BROKEN, or FAULT
    with the table in `watch[3]`.
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
                watch[3] = index
                return FAULT
        while True:
            if not table.in_hand:
                begins = table.number < setup.hands and table.forfeited == 0
                if not begins or not begin_hand(rules, setup, table, hand):
                    close_block(totals[row], entrants[row], table.net, table.luck, table.forfeited != 0)
                    block = table.block + len(tables)
                    if block >= first + len(row_of):
                        table.over = 1
                        break
                    _begin(setup, tables, memory, verdicts, index, block, hand.seats)
                    row, part = row_of[block - first], part_of[block - first]
                    continue
                table.in_hand = 1
                if watch[0] == table.block and watch[1] == table.number:
                    for place in range(hand.seats):
                        log[place, 2] = table.before[place]
            seat = advance(rules, hand)
            if seat == NOBODY:
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
                if ended != FINISHED:
                    watch[3] = index
                    return ended
                table.in_hand = 0
                if watch[0] == table.block and watch[1] < table.number:
                    table.over = 1  # all that was to be written down is: the table stays as the hand left it
                    break
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
                watch[3] = index
                return FAULT
    return FINISHED


@compiled(int64(SETUP_TYPE, TABLE_TYPE, int64[:, ::1], int64))
def note_failed_observer(setup: Any, table: Any, entrants: Any, seat: int) -> int:
    """Count the error of a strategy asked in rows that failed when it was told how a hand ended."""
    return note_error(setup, table, entrants, seat, JUDGED, OK, OBSERVING)
