"""The steps of a block that all loops share: a hand begins, a seat is asked, its answer is carried out, a hand ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from razz_sim.compiling import bit_count, call_by_address, inlined
from razz_sim.hand.betting import OK, apply
from razz_sim.hand.engine import start_hand
from razz_sim.hand.pots import find_show_order
from razz_sim.hand.record import FOLD, NOBODY, STAY
from razz_sim.outcome import fill_outcome
from razz_sim.seeding import ACT, DEAL
from razz_sim.table.record import (
    BROKEN,
    EXHAUSTED,
    FAULT,
    FINISHED,
    FORFEIT,
    JUDGED,
    NO_VERDICT,
    OBSERVING,
    P_BLOCK,
    P_CALLS,
    P_COPY,
    P_DECISION,
    P_HAND,
    P_ROWS,
    RAISED,
    STOP,
)
from razz_sim.table.seating import decision_word, hand_key, seat_copies, set_stacks
from razz_sim.tally.core import count_error, count_forfeit, count_hand, count_luck
from razz_sim.tally.fine import count_fine
from razz_sim.view import fill_view


@inlined
def begin_block(table: Any, block: int, verdicts: Any) -> None:
    """Turn to a block; what was known of the one before is gone."""
    table.block = block
    table.number = 0
    table.forfeited = 0
    table.judged = NO_VERDICT
    for number in range(len(verdicts)):
        if verdicts[number, 0] == block:
            table.judged = number
            break


@inlined
def begin_hand(rules: Any, setup: Any, table: Any, hand: Any, memory: Any) -> bool:
    """Start the block's next hand; False when there is none.

    A replica begins with its copies seated anew and nothing in their `memory`, and ends early when fewer than two seats
    have chips. A block ends with the hand in which a seat forfeits.
    """
    seats: Any = np.int64(hand.seats)
    number = 0
    while True:
        if table.number >= setup.hands or table.forfeited != 0:
            return False
        number = table.number % setup.session
        if number == 0:
            seat_copies(setup, table.block, table.number // setup.session, seats, table.asked, table.copy_at)
            for seat in range(seats):
                table.entrant_at[seat] = setup.entrant_of_copy[table.copy_at[seat]]
                table.memory_at[seat] = table.memory + setup.memory[table.copy_at[seat]]
            for place in range(len(memory)):
                memory[place] = 0.0
        if set_stacks(hand, setup.stack, number, setup.carry, setup.top_up) >= 2:
            break
        table.number += setup.session - number
    for seat in range(seats):
        table.asked[seat] = 0
        table.before[seat] = hand.stack[seat]
    table.act_key = hand_key(setup.seed, ACT, table.block, 0, number)
    start_hand(rules, hand, (seats - 1 + number) % seats, hand_key(setup.seed, DEAL, table.block, 0, number))
    return True


@inlined
def word_of(table: Any, seat: int) -> Any:
    """The random word of a seat's decision now."""
    return decision_word(table.act_key, table.copy_at[seat], table.asked[seat])


@inlined
def is_judged(table: Any, verdicts: Any, seat: int, decision: int) -> bool:
    """Whether a decision is known to hang or crash: such a one is not asked for again."""
    number = table.judged
    if number == NO_VERDICT:
        return False
    while number < len(verdicts) and verdicts[number, 0] == table.block:
        if (
            verdicts[number, 1] == table.number
            and verdicts[number, 2] == table.copy_at[seat]
            and verdicts[number, 3] == decision
        ):
            return True
        number += 1
    return False


@inlined
def ask_seat(setup: Any, table: Any, hand: Any, view: Any, verdicts: Any, pulse: Any, seat: int) -> int:
    """The answer of the strategy in a seat."""
    if is_judged(table, verdicts, seat, table.asked[seat]):
        return JUDGED
    copy = table.copy_at[seat]
    entrant = table.entrant_at[seat]
    fill_view(hand, view)
    pulse[P_BLOCK] = table.block
    pulse[P_HAND] = table.number
    pulse[P_DECISION] = table.asked[seat]
    pulse[P_ROWS] = 1
    pulse[P_CALLS] += 1
    pulse[P_COPY] = copy
    memory = table.memory_at[seat]
    answer: int = call_by_address(setup.addresses[entrant], view, setup.params[entrant], memory, word_of(table, seat))
    pulse[P_COPY] = NOBODY
    return answer


@inlined
def give_up(rules: Any, hand: Any) -> None:
    """Check, post the bring-in or fold for the seat to act."""
    apply(rules, hand, FOLD if hand.can_fold and hand.to_call > 0 else STAY)


@inlined
def carry_out(rules: Any, setup: Any, table: Any, hand: Any, entrants: Any, seat: int, answer: int) -> int:
    """Do what a seat answered; an error does what the experiment says, or is FAULT."""
    reason = apply(rules, hand, answer)
    if reason == OK:
        table.asked[seat] += 1
        return OK
    if note_error(setup, table, entrants, seat, answer, reason, table.asked[seat]) == FAULT:
        return FAULT
    table.asked[seat] += 1
    give_up(rules, hand)
    return OK


@inlined
def note_error(setup: Any, table: Any, entrants: Any, seat: int, answer: int, reason: int, decision: int) -> int:
    """Count an error of the strategy in a seat, or FAULT when it ends the batch."""
    entrant = table.entrant_at[seat]
    table.fault_seat = seat
    table.fault_answer = answer
    table.fault_reason = reason
    table.fault_decision = decision
    if answer == EXHAUSTED or setup.on_error == STOP or setup.stop_at == entrant:
        return FAULT
    count_error(entrants, entrant)
    if setup.on_error == FORFEIT:
        table.forfeited |= 1 << seat
    return OK


@inlined
def _tell(
    setup: Any, table: Any, hand: Any, view: Any, outcome: Any, verdicts: Any, pulse: Any, seat: int, observer: int
) -> int:
    """Show a seat how the hand ended; 0 when its strategy took it well."""
    if is_judged(table, verdicts, seat, OBSERVING):
        return JUDGED
    copy = table.copy_at[seat]
    fill_outcome(hand, table.before, seat, view, outcome)
    pulse[P_BLOCK] = table.block
    pulse[P_HAND] = table.number
    pulse[P_DECISION] = OBSERVING
    pulse[P_ROWS] = 1
    pulse[P_CALLS] += 1
    pulse[P_COPY] = copy
    memory = table.memory_at[seat]
    params = setup.params[table.entrant_at[seat]]
    answer: int = call_by_address(observer, outcome, params, memory, np.uint64(0))
    pulse[P_COPY] = NOBODY
    return answer


@inlined
def chips_conserved(hand: Any, before: Any) -> bool:
    """Awards and rake make the pot, and the stacks with the rake what they were."""
    awards = 0
    gained = 0
    for seat in range(hand.seats):
        awards += hand.award[seat]
        gained += hand.stack[seat] - before[seat]
    return bool(awards + hand.rake == hand.pot and gained + hand.rake == 0)


@inlined
def _clockwise(seat: int, to: int, seats: int) -> int:
    """The seats after one, up to and including another, as a bit mask."""
    mask = 0
    for step in range(1, seats):
        other = (seat + step) % seats
        mask |= 1 << other
        if other == to:
            break
    return mask


@inlined
def share_forfeits(rules: Any, table: Any, hand: Any, entrants: Any, net: Any) -> None:
    """The chips of seats that forfeit go to the others in equal shares, odd chips clockwise from the seat.

    Nobody gets any when all who were dealt in forfeit. `net` is by entrant.
    """
    heirs = 0
    for seat in range(hand.seats):
        if table.before[seat] > 0 and table.forfeited >> seat & 1 == 0:
            heirs |= 1 << seat
    count = bit_count(heirs)
    seats: Any = np.int64(hand.seats)
    for seat in range(seats):
        if table.forfeited >> seat & 1 == 0 or count == 0:
            continue
        stake = hand.stack[seat]
        count_forfeit(entrants, table.entrant_at[seat])
        net[table.entrant_at[seat]] -= stake
        hand.stack[seat] = 0
        chips, rest = stake // rules.chip, stake % rules.chip
        for step in range(1, seats):
            heir = (seat + step) % seats
            if heirs >> heir & 1:
                share = chips // count * rules.chip + rest
                rest = 0
                if bit_count(heirs & _clockwise(seat, heir, seats)) <= chips % count:
                    share += rules.chip
                hand.stack[heir] += share
                net[table.entrant_at[heir]] += share


@inlined
def end_hand(
    rules: Any,
    setup: Any,
    table: Any,
    hand: Any,
    view: Any,
    outcome: Any,
    verdicts: Any,
    pulse: Any,
    totals: Any,
    entrants: Any,
    fine_table: Any,
    fine_entrants: Any,
) -> int:
    """Count a hand that is over and tell those who observe; FINISHED when its block may go on, else FAULT or BROKEN."""
    if not chips_conserved(hand, table.before):
        return BROKEN
    count_hand(hand, table.before, table.entrant_at, totals, entrants, table.net)
    count_luck(hand, table.before, table.entrant_at, entrants, table, table.luck)
    count_fine(rules, hand, table.before, table.entrant_at, fine_table, fine_entrants)
    if tell_all(rules, setup, table, hand, view, outcome, verdicts, pulse, entrants) != FINISHED:
        return FAULT
    if table.forfeited != 0:
        share_forfeits(rules, table, hand, entrants, table.net)
    table.number += 1
    return FINISHED


@inlined
def tell_all(
    rules: Any,
    setup: Any,
    table: Any,
    hand: Any,
    view: Any,
    outcome: Any,
    verdicts: Any,
    pulse: Any,
    entrants: Any,
) -> int:
    """Tell those who observe how a hand ended; FINISHED, or FAULT."""
    table.untold = 0
    if setup.observed:
        if hand.showdown:
            find_show_order(rules, hand)
        for seat in range(hand.seats):
            observer = setup.observers[table.entrant_at[seat]]
            if observer != 0 and table.before[seat] > 0 and table.forfeited >> seat & 1 == 0:
                answer = _tell(setup, table, hand, view, outcome, verdicts, pulse, seat, observer)
                if answer != 0:
                    table.untold |= 1 << seat
                    if note_error(setup, table, entrants, seat, answer, RAISED, OBSERVING) == FAULT:
                        return FAULT
    return FINISHED
