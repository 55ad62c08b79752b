"""The fused loop: plays a whole batch, one table, without leaving machine code but to ask strategies."""

from __future__ import annotations

from typing import Any

from numba import float64, int64

from razz_sim.compiling import atomic_load, compiled
from razz_sim.hand.betting import OK
from razz_sim.hand.engine import advance
from razz_sim.hand.record import HAND_TYPE, NOBODY, RULES_TYPE
from razz_sim.outcome import OUTCOME_TYPE
from razz_sim.table.record import FAULT, FINISHED, SETUP_TYPE, STOPPED, TABLE_TYPE
from razz_sim.table.rounds import ask_seat, begin_block, begin_hand, carry_out, end_hand, give_up
from razz_sim.tally.core import close_block
from razz_sim.view import VIEW_TYPE


@compiled(
    int64(
        RULES_TYPE,
        SETUP_TYPE,
        TABLE_TYPE,
        HAND_TYPE,
        VIEW_TYPE,
        OUTCOME_TYPE,
        float64[::1],
        int64[:, ::1],
        int64,
        int64,
        int64,
        int64,
        int64[::1],
        int64[:, ::1],
        int64[:, :, ::1],
        int64[::1],
        int64[:, ::1],
    )
)
def play_hands(
    rules: Any,
    setup: Any,
    table: Any,
    hand: Any,
    view: Any,
    outcome: Any,
    memory: Any,
    verdicts: Any,
    first: int,
    stop: int,
    bin_size: int,
    apart: int,
    pulse: Any,
    totals: Any,
    entrants: Any,
    fine_table: Any,
    fine_entrants: Any,
) -> int:
    """Play blocks `first` to `stop` - 1 into `totals` and `entrants`, a row for each bin, and into the fine totals.

    What these hold is said in `tally`. With `apart` so many hands, played or not, go into each row, and each counts as
    a block of its own: this tells what happened in a hand. `memory` is the floats of all copies. Returns FINISHED,
    STOPPED (`pulse[0]` was set), FAULT (`table` tells where) or BROKEN.
    """
    of_table, of_entrants = totals[0], entrants[0]
    for block in range(first, stop):
        if apart == 0:
            row = block // bin_size - first // bin_size
            of_table, of_entrants = totals[row], entrants[row]
        begin_block(table, block, verdicts)
        while True:
            if atomic_load(pulse) != 0:
                return STOPPED
            if not begin_hand(rules, setup, table, hand, memory):
                break
            if apart != 0:
                row = ((block - first) * setup.hands + table.number) // apart
                of_table, of_entrants = totals[row], entrants[row]
            while True:
                seat = advance(rules, hand)
                if seat == NOBODY:
                    break
                if table.forfeited >> seat & 1:
                    give_up(rules, hand)
                    continue
                answer = ask_seat(setup, table, hand, view, verdicts, pulse, seat)
                if carry_out(rules, setup, table, hand, of_entrants, seat, answer) != OK:
                    return FAULT
            ended = end_hand(
                rules,
                setup,
                table,
                hand,
                view,
                outcome,
                verdicts,
                pulse,
                of_table,
                of_entrants,
                fine_table,
                fine_entrants,
            )
            if ended != FINISHED:
                return ended
            if apart != 0:
                close_block(of_table, of_entrants, table.net, table.luck, table.forfeited != 0)
        if apart == 0:
            close_block(of_table, of_entrants, table.net, table.luck, table.forfeited != 0)
    return FINISHED
