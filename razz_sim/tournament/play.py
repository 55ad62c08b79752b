"""Whole tournaments in machine code: hands at their tables, and between them what `moments` does."""

from __future__ import annotations

from typing import Any

from numba import float64, int64

from razz_sim.compiling import atomic_load, compiled, inlined
from razz_sim.hand.betting import OK
from razz_sim.hand.engine import advance, start_hand
from razz_sim.hand.record import HAND_TYPE, NOBODY, RULES_TYPE
from razz_sim.outcome import OUTCOME_TYPE
from razz_sim.rules import MAX_SEATS
from razz_sim.seeding import ACT, DEAL
from razz_sim.table.record import BROKEN, FAULT, FINISHED, SETUP_TYPE, STOPPED, TABLE_TYPE
from razz_sim.table.rounds import (
    ask_seat,
    begin_block,
    carry_out,
    chips_conserved,
    give_up,
    share_forfeits,
    tell_all,
)
from razz_sim.table.seating import hand_key
from razz_sim.tally.core import close_block, count_hand
from razz_sim.tally.fine import count_fine
from razz_sim.tally.tournaments import count_end, count_hand_of_level, count_level, count_player
from razz_sim.tournament.moments import HAND, STACK, begin, finish, next_table, note
from razz_sim.tournament.prizes import find_prizes, pool_of
from razz_sim.tournament.record import PLAN_TYPE, PLAYER_TYPE, SPOT_TYPE, STAND_TYPE
from razz_sim.view import VIEW_TYPE

UNDECIDED, REACHED = BROKEN + 1, BROKEN + 2
"""How a batch may end, too: a tournament takes too many hands; the hand to stop before is about to begin."""


@inlined
def _known_prizes(plan: Any, stand: Any, values: Any, prizes: Any, known: Any) -> None:
    """Find the prizes for what is bought so far, unless they are known for it."""
    bought = stand.rebuys + stand.addons
    if known[0] != stand.entries or known[1] != bought:
        find_prizes(plan, values, stand.entries, pool_of(plan, stand), prizes)
        known[0], known[1] = stand.entries, bought


@inlined
def _sit_down(plan: Any, setup: Any, stand: Any, players: Any, spots: Any, table: Any, hand: Any, number: int) -> None:
    """Who sits at a table with how many chips, and which random streams its next hand draws from."""
    spot = spots[number]
    table.table = number
    table.number = stand.hands
    table.forfeited = 0
    hand.seats = plan.seats
    spot.dealt = 0
    spot.level = stand.level
    for seat in range(plan.seats):
        copy = spot.player_at[seat]
        table.asked[seat] = 0
        hand.stack[seat] = 0
        if copy != NOBODY:
            hand.stack[seat] = players[copy].stack
            players[copy].began = players[copy].stack
            table.copy_at[seat] = copy
            table.entrant_at[seat] = players[copy].entrant
            table.memory_at[seat] = table.memory + players[copy].memory
            spot.dealt |= 1 << seat
        table.before[seat] = hand.stack[seat]
    hand.two_left = stand.left == 2
    table.act_key = hand_key(setup.seed, ACT, table.block, number, spot.hands)
    hand.key = hand_key(setup.seed, DEAL, table.block, number, spot.hands)
    hand.dealer = (plan.seats - 1 + spot.hands) % plan.seats


@inlined
def _show_tournament(plan: Any, stand: Any, spot: Any, prizes: Any, hand: Any) -> None:
    """What everybody at a table may know of the tournament."""
    hand.level = stand.level + 1
    hand.hands_to_level = 0
    if stand.level < plan.levels - 1:
        time = plan.level_ends[stand.level] - stand.clock
        pace = plan.pace[spot.players]
        hand.hands_to_level = (time + pace - 1) // pace
    hand.field_size = plan.field
    hand.players_left = stand.left
    hand.places_paid = stand.paid
    hand.average_stack = stand.chips // stand.left
    for place in range(MAX_SEATS):
        hand.prizes[place] = prizes[place] if place < len(prizes) else 0


@inlined
def _note_who_won(spot: Any, players: Any, hand: Any, seat: int) -> None:
    """Who won the last chips of a seat that has none left: the first winner of the last pot it was in.

    NOBODY won those that it forfeits.
    """
    winner = NOBODY
    for pot in range(hand.pots):
        if hand.pot_seats[pot] >> seat & 1 and not spot.forfeited >> seat & 1:
            for other in range(hand.seats):
                if hand.pot_award[pot, other] > 0:
                    winner = spot.player_at[other]
                    break
    players[spot.player_at[seat]].by = winner


@inlined
def _leave_table(stand: Any, players: Any, spots: Any, table: Any, hand: Any, log: Any) -> None:
    """Keep what a hand left everybody until it is over for those at other tables too."""
    number = table.table
    spot = spots[number]
    spot.forfeited = table.forfeited
    dealer = (hand.seats - 1 + spot.hands) % hand.seats
    note(stand, log, HAND, number, dealer, NOBODY, spot.hands, stand.hands, stand.clock)
    for seat in range(hand.seats):
        if spot.dealt >> seat & 1:
            after = hand.stack[seat]
            spot.after[seat] = after
            note(stand, log, STACK, number, seat, spot.player_at[seat], after, table.before[seat], stand.clock)
            if after == 0:
                _note_who_won(spot, players, hand, seat)
    spot.hands += 1
    stand.hands += 1


@inlined
def _close(
    plan: Any,
    stand: Any,
    players: Any,
    queue: Any,
    prizes: Any,
    log: Any,
    net: Any,
    luck: Any,
    totals: Any,
    entrants: Any,
    money: Any,
    finishes: Any,
    course: Any,
) -> bool:
    """Count a tournament that is over; whether all chips are there and the prizes are what was paid in for them."""
    finish(plan, stand, players, queue, prizes, log)
    due, paid, chips = 0, 0, 0
    for place in range(len(prizes)):
        due += prizes[place]
    for number in range(plan.field):
        net[players[number].entrant] += count_player(plan, players[number], money, finishes, course)
        paid += players[number].prize
        chips += players[number].stack
    count_end(course, stand.entries, pool_of(plan, stand), stand.level, stand.elapsed + stand.clock)
    close_block(totals, entrants, net, luck, False)
    return bool(paid == due and chips == stand.chips)


@compiled(
    int64(
        RULES_TYPE[::1],
        SETUP_TYPE,
        PLAN_TYPE,
        int64[::1],
        STAND_TYPE,
        PLAYER_TYPE[::1],
        SPOT_TYPE[::1],
        int64[:, ::1],
        int64[::1],
        int64[::1],
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
        int64[:, :, ::1],
        int64[:, ::1],
        int64[::1],
        int64[:, ::1],
        int64[:, ::1],
    )
)
def play_tournaments(
    rules: Any,
    setup: Any,
    plan: Any,
    values: Any,
    stand: Any,
    players: Any,
    spots: Any,
    room: Any,
    heap: Any,
    prizes: Any,
    table: Any,
    hand: Any,
    view: Any,
    outcome: Any,
    memory: Any,
    verdicts: Any,
    first: int,
    stop: int,
    bin_size: int,
    until: int,
    pulse: Any,
    totals: Any,
    entrants: Any,
    fine_table: Any,
    fine_entrants: Any,
    money: Any,
    finishes: Any,
    course: Any,
    nets: Any,
    log: Any,
) -> int:
    """Play tournaments `first` to `stop` - 1, or the first up to hand `until` (NOBODY: to the end), into the totals.

    `rules` are those of each level, `values` the payout's; `room` has rows of a word for each player: an order and two
    to work in, and for each table two; `nets` are nets of all entrants: money, luck, and room for chips. What happens
    in the last tournament is written into `log`, as far as it has room. Returns FINISHED, STOPPED, FAULT, BROKEN,
    UNDECIDED or, before hand `until` begins, REACHED: then the table and the hand's stacks are set for it.
    """
    order, broke, queue, starting, waiting = room[0], room[1], room[2], room[3], room[4]
    net, luck, chips = nets[0], nets[1], nets[2]
    known = nets[3]
    known[0] = -1
    for block in range(first, stop):
        row = block // bin_size - first // bin_size
        begin_block(table, block, verdicts)
        for place in range(len(memory)):
            memory[place] = 0.0
        begin(plan, stand, players, spots, setup.seed, block, order, log)
        while True:
            if atomic_load(pulse) != 0:
                return STOPPED
            at = next_table(plan, stand, players, spots, order, broke, queue, heap, starting, waiting, log)
            if at == NOBODY:
                break
            if stand.hands >= plan.hand_limit:
                return UNDECIDED
            _known_prizes(plan, stand, values, prizes, known)
            _sit_down(plan, setup, stand, players, spots, table, hand, at)
            level = rules[stand.level]
            if stand.levels_seen >> stand.level & 1 == 0:
                stand.levels_seen |= 1 << stand.level
                count_level(course, stand.level, stand.left, stand.chips)
            if stand.hands == until:
                _show_tournament(plan, stand, spots[at], prizes, hand)
                return REACHED
            start_hand(level, hand, hand.dealer, hand.key)
            _show_tournament(plan, stand, spots[at], prizes, hand)
            while True:
                seat = advance(level, hand)
                if seat == NOBODY:
                    break
                if table.forfeited >> seat & 1:
                    give_up(level, hand)
                    continue
                answer = ask_seat(setup, table, hand, view, verdicts, pulse, seat)
                if carry_out(level, setup, table, hand, entrants[row], seat, answer) != OK:
                    return FAULT
            if not chips_conserved(hand, table.before):
                return BROKEN
            count_hand(hand, table.before, table.entrant_at, totals[row], entrants[row], chips)
            count_fine(level, hand, table.before, table.entrant_at, fine_table, fine_entrants)
            count_hand_of_level(course, stand.level, hand.pot, hand.dealt_in)
            if tell_all(level, setup, table, hand, view, outcome, verdicts, pulse, entrants[row]) != FINISHED:
                return FAULT
            if table.forfeited != 0:
                share_forfeits(level, table, hand, entrants[row], chips)
            _leave_table(stand, players, spots, table, hand, log)
        _known_prizes(plan, stand, values, prizes, known)
        if not _close(
            plan,
            stand,
            players,
            queue,
            prizes,
            log,
            net,
            luck,
            totals[row],
            entrants[row],
            money[row],
            finishes,
            course,
        ):
            return BROKEN
    return FINISHED
