"""What happens between the hands of a tournament, step by step as `docs/tournaments.md` numbers them.

`plan` is what is played, `stand` where it stands, `players` and `spots` (the tables) who is there. The rest is space
to work in: `order` (in which players are seated), `broke` and `queue` with a word for each player, `heap` the tables in
the middle of a hand by when that is over, `starting` those that begin one at this moment, `waiting` the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from razz_sim.compiling import inlined
from razz_sim.hand.record import NOBODY
from razz_sim.rules import MAX_SEATS
from razz_sim.seeding import SEAT, below, derive, word_at
from razz_sim.tournament.heap import pop, push
from razz_sim.tournament.prizes import SEAT_VALUE, SEATS, places_paid, pool_of
from razz_sim.tournament.record import EVENTS, KINDS

TABLES, SHOOTOUT, BRACKET = range(len(KINDS))
(
    _ROUND,
    _LEVEL,
    _SEATED,
    HAND,
    STACK,
    _REBUY,
    _OUT,
    _ADDON,
    _REENTRY,
    _BROKEN,
    _MOVED,
    _HAND_FOR_HAND,
    _PLACE,
    _PRIZE,
) = range(len(EVENTS))
_TABLE_BITS, _PLAYER_BITS = 20, 17
_TABLE_MASK, _PLAYER_MASK = (1 << _TABLE_BITS) - 1, (1 << _PLAYER_BITS) - 1


@inlined
def note(
    stand: Any, log: Any, kind: int, table: int, seat: int, player: int, amount: int, other: int, clock: int
) -> None:
    """Write an event down, as long as the log has room."""
    if stand.logged < len(log):
        row = stand.logged
        log[row, 0], log[row, 1], log[row, 2], log[row, 3] = kind, clock, table, seat
        log[row, 4], log[row, 5], log[row, 6] = player, amount, other
    stand.logged += 1


# The start


@inlined
def begin(plan: Any, stand: Any, players: Any, spots: Any, seed: Any, block: int, order: Any, log: Any) -> None:
    """A new tournament: everybody entered once, and seated for the first round."""
    field = plan.field
    stand.elapsed = 0
    stand.round = 0
    stand.left = field
    stand.entries = field
    stand.rebuys = 0
    stand.addons = 0
    stand.hands = 0
    stand.last_table = 0
    stand.over = 0
    stand.half = 0
    stand.bubble = 0
    stand.levels_seen = 0
    stand.logged = 0
    stand.paid = places_paid(plan, field, pool_of(plan, stand))
    for number in range(field):
        player = players[number]
        player.by = NOBODY
        player.prize = 0
        player.first = 0
        player.last = 0
        player.reentries = 0
        player.rebuys = 0
        player.addons = 0
        player.out_level = 0
        player.half = 0
        player.bubble = 0
    _draw_order(plan, seed, block, order)
    _seat_round(plan, stand, players, spots, order, field, log)


@inlined
def _draw_order(plan: Any, seed: Any, block: int, order: Any) -> None:
    """The order in which players are dealt to seats: drawn anew, at one table for a cycle in which it moves on.

    At several tables a cycle would keep those together who were drawn to one table: blocks would depend on each other.
    """
    field = plan.field
    cycle = field if field <= plan.seats else 1
    key = derive(derive(seed, SEAT), np.uint64(block // cycle))
    for number in range(field):
        order[number] = number
    for last in range(field - 1, 0, -1):
        other = np.int64(below(word_at(key, np.uint64(last)), np.uint64(last + 1)))
        order[last], order[other] = order[other], order[last]
    turn = block % cycle
    _reverse(order, 0, turn)
    _reverse(order, turn, field)
    _reverse(order, 0, field)


@inlined
def _reverse(order: Any, first: int, stop: int) -> None:
    last = stop - 1
    while first < last:
        order[first], order[last] = order[last], order[first]
        first += 1
        last -= 1


@inlined
def _seat_round(plan: Any, stand: Any, players: Any, spots: Any, order: Any, count: int, log: Any) -> None:
    """Deal the players of a round, `order`, to tables that are numbered on."""
    tables = -(-count // plan.seats)
    seated = count
    if plan.kind == BRACKET:
        full = 1
        while full < count:
            full *= 2
        tables = count - full // 2
        seated = 2 * tables
    stand.seated = seated
    first = stand.last_table
    stand.first_table, stand.last_table = first, first + tables
    stand.clock = 0
    stand.level = 0
    stand.heap = 0
    stand.in_hand = 0
    stand.waiting = 0
    stand.starting = 0
    stand.starts = 0
    stand.hand_for_hand = 0
    stand.tables_open = tables
    stand.kept = tables
    stand.chips = count * plan.stack
    for number in range(MAX_SEATS + 1):
        stand.open_with[number] = 0
        stand.lowest[number] = first
    for number in range(first, first + tables):
        spot = spots[number]
        spot.hands = 0
        spot.players = 0
        spot.dealt = 0
        spot.forfeited = 0
        spot.open = 1
        spot.due = 0
        spot.winner = NOBODY
        for seat in range(MAX_SEATS):
            spot.player_at[seat] = NOBODY
    note(stand, log, _ROUND, NOBODY, NOBODY, NOBODY, stand.round, NOBODY, 0)
    note(stand, log, _LEVEL, NOBODY, NOBODY, NOBODY, 1, NOBODY, 0)
    for place in range(count):
        number = order[place]
        player = players[number]
        player.stack = plan.stack
        player.began = plan.stack
        player.table = first + tables  # who has no seat comes behind all who have one
        player.seat = place - seated
        if place < seated:
            table = place // 2 if plan.kind == BRACKET else place % tables
            seat = place % 2 if plan.kind == BRACKET else place // tables
            _sit(stand, players, spots, number, first + table, seat)
            note(stand, log, _SEATED, first + table, seat, number, plan.stack, NOBODY, 0)
    for number in range(first, first + tables):
        stand.open_with[spots[number].players] += 1


@inlined
def _sit(stand: Any, players: Any, spots: Any, number: int, table: int, seat: int) -> None:
    spots[table].player_at[seat] = number
    spots[table].players += 1
    players[number].table = table
    players[number].seat = seat


# Steps of a moment


@inlined
def next_table(
    plan: Any,
    stand: Any,
    players: Any,
    spots: Any,
    order: Any,
    broke: Any,
    queue: Any,
    heap: Any,
    starting: Any,
    waiting: Any,
    log: Any,
) -> int:
    """The table that begins the next hand; NOBODY when the tournament is over."""
    while stand.starting >= stand.starts:
        if stand.over:
            return NOBODY
        _moment(plan, stand, players, spots, order, broke, queue, heap, starting, waiting, log)
    table: int = starting[stand.starting]
    stand.starting += 1
    return table


@inlined
def _moment(
    plan: Any,
    stand: Any,
    players: Any,
    spots: Any,
    order: Any,
    broke: Any,
    queue: Any,
    heap: Any,
    starting: Any,
    waiting: Any,
    log: Any,
) -> None:
    """All that happens at one moment; at the start of a round no hand is over yet."""
    stand.starting = 0
    resting = 0
    if stand.heap == 0:
        for table in range(stand.first_table, stand.last_table):
            if spots[table].open:
                starting[resting] = table
                resting += 1
    else:
        resting = _close_hands(stand, players, spots, heap, starting)
        out = _count_broke(stand, players, spots, starting, resting, broke)
        _raise_level(plan, stand, log)
        _let_out(plan, stand, players, spots, broke, out, queue, log)
        if _is_over(plan, stand):
            stand.over = 1
            stand.starts = 0
            return
        if plan.addon_level > 0 and stand.level + 1 > plan.addon_level:
            _take_addons(plan, stand, players, spots, starting, resting, log)
        _reenter(plan, stand, players, spots, broke, out, log)
        if plan.kind == TABLES:
            resting = _add_waiting(stand, starting, resting, waiting)
            _break_tables(plan, stand, players, spots, starting, resting, log)
            _balance(plan, stand, players, spots, starting, resting, log)
    if plan.kind != TABLES and _round_is_over(stand, spots, starting, resting):
        _end_round(plan, stand, players, spots, order, queue, log)
        return
    _look_at_stacks(plan, stand, players)
    _begin_hands(plan, stand, spots, heap, starting, resting, waiting, log)


@inlined
def _close_hands(stand: Any, players: Any, spots: Any, heap: Any, starting: Any) -> int:
    """Step 1: the hands that are over at the next moment leave their stacks; how many, their tables in `starting`."""
    stand.clock = heap[0] >> _TABLE_BITS
    closed = 0
    while stand.heap > 0 and heap[0] >> _TABLE_BITS == stand.clock:
        table = pop(heap, stand.heap) & _TABLE_MASK
        stand.heap -= 1
        stand.in_hand -= 1
        starting[closed] = table
        closed += 1
        spot = spots[table]
        for seat in range(MAX_SEATS):
            if spot.dealt >> seat & 1:
                players[spot.player_at[seat]].stack = spot.after[seat]
    return closed


@inlined
def _count_broke(stand: Any, players: Any, spots: Any, starting: Any, closed: int, broke: Any) -> int:
    """Who has no chips left, by table and seat: how many, their numbers in `broke`."""
    count = 0
    for place in range(closed):
        spot = spots[starting[place]]
        for seat in range(MAX_SEATS):
            if spot.dealt >> seat & 1 and players[spot.player_at[seat]].stack == 0:
                broke[count] = spot.player_at[seat]
                count += 1
        spot.dealt = 0
    return count


@inlined
def _raise_level(plan: Any, stand: Any, log: Any) -> None:
    """Step 2: the level that time has reached."""
    level = stand.level
    while level < plan.levels - 1 and stand.clock >= plan.level_ends[level]:
        level += 1
    if level != stand.level:
        stand.level = level
        note(stand, log, _LEVEL, NOBODY, NOBODY, NOBODY, level + 1, NOBODY, stand.clock)


@inlined
def _let_out(plan: Any, stand: Any, players: Any, spots: Any, broke: Any, count: int, queue: Any, log: Any) -> None:
    """Steps 3 and 4: of the broke those who re-enter stay in `broke`; the others rebuy or are out: NOBODY then."""
    out = 0
    for place in range(count):
        number = broke[place]
        player = players[number]
        forfeits = spots[player.table].forfeited >> player.seat & 1
        if not forfeits and _may_rebuy(plan, stand, player):
            player.rebuys += 1
            player.stack = plan.rebuy_chips
            stand.rebuys += 1
            stand.chips += plan.rebuy_chips
            broke[place] = NOBODY
            note(stand, log, _REBUY, player.table, player.seat, number, plan.rebuy_chips, NOBODY, stand.clock)
            continue
        _leave(stand, players, spots, number)
        if forfeits or not _may_reenter(plan, stand, player):
            push(queue, out, player.began << _PLAYER_BITS | place)
            out += 1
    for gone in range(out):
        smallest = pop(queue, out - gone)
        queue[out - gone - 1] = smallest
    stop = out
    while stop > 0:
        start = stop - 1
        while start > 0 and queue[start - 1] >> _PLAYER_BITS == queue[stop - 1] >> _PLAYER_BITS:
            start -= 1
        for place in range(stop - 1, start - 1, -1):
            number = broke[queue[place] & _PLAYER_MASK]
            player = players[number]
            if plan.kind == TABLES:
                player.first = stand.left - (out - start) + 1
                player.last = stand.left - (out - stop)
            else:
                _finish_at_table(players, spots, broke, count, queue[place] & _PLAYER_MASK)
            player.out_level = spots[player.table].level + 1
            note(stand, log, _OUT, player.table, player.seat, number, player.began, player.by, stand.clock)
        stop = start
    for place in range(out):
        broke[queue[place] & _PLAYER_MASK] = NOBODY
    stand.left -= out


@inlined
def _finish_at_table(players: Any, spots: Any, broke: Any, count: int, place: int) -> None:
    """The places that one of the broke of a shootout shares at its table, which all of the broke have left."""
    player = players[broke[place]]
    start, stop = place, place + 1
    while start > 0 and players[broke[start - 1]].table == player.table:
        start -= 1
    while stop < count and players[broke[stop]].table == player.table:
        stop += 1
    below, equal = 0, 0
    for other in range(start, stop):
        began = players[broke[other]].began
        below += began < player.began
        equal += began == player.began
    player.last = spots[player.table].players + (stop - start) - below
    player.first = player.last - equal + 1


@inlined
def _may_rebuy(plan: Any, stand: Any, player: Any) -> bool:
    limited = plan.rebuy_times > 0 and player.rebuys >= plan.rebuy_times
    return bool(stand.level + 1 <= plan.rebuy_level and not limited)


@inlined
def _may_reenter(plan: Any, stand: Any, player: Any) -> bool:
    limited = plan.reentry_times > 0 and player.reentries >= plan.reentry_times
    return bool(stand.level + 1 <= plan.reentry_level and not limited)


@inlined
def _leave(stand: Any, players: Any, spots: Any, number: int) -> None:
    """A player leaves its seat; it knows which that was."""
    spot = spots[players[number].table]
    spot.player_at[players[number].seat] = NOBODY
    spot.players -= 1
    if not spot.due:
        stand.open_with[spot.players + 1] -= 1
        _count_open(stand, players[number].table, spot.players)


@inlined
def _count_open(stand: Any, table: int, count: int) -> None:
    """A table that is kept has so many players now."""
    stand.open_with[count] += 1
    stand.lowest[count] = min(stand.lowest[count], table)


@inlined
def _arrive(stand: Any, players: Any, spots: Any, number: int) -> None:
    """A player sits down at the table with the fewest players, in its first free seat."""
    fewest = 0
    while stand.open_with[fewest] == 0:
        fewest += 1
    table = stand.lowest[fewest]
    while spots[table].players != fewest:
        table += 1
    stand.lowest[fewest] = table
    seat = 0
    while spots[table].player_at[seat] != NOBODY:
        seat += 1
    stand.open_with[fewest] -= 1
    _count_open(stand, table, fewest + 1)
    _sit(stand, players, spots, number, table, seat)


@inlined
def _take_addons(plan: Any, stand: Any, players: Any, spots: Any, resting: Any, count: int, log: Any) -> None:
    """Step 6: all at these tables who have not had the add-on take it."""
    for place in range(count):
        table = resting[place]
        for seat in range(MAX_SEATS):
            number = spots[table].player_at[seat]
            if number != NOBODY and players[number].addons == 0:
                players[number].addons = 1
                players[number].stack += plan.addon_chips
                stand.addons += 1
                stand.chips += plan.addon_chips
                note(stand, log, _ADDON, table, seat, number, plan.addon_chips, NOBODY, stand.clock)


@inlined
def _reenter(plan: Any, stand: Any, players: Any, spots: Any, broke: Any, count: int, log: Any) -> None:
    """Step 7: those who wait to re-enter sit down again."""
    for place in range(count):
        number = broke[place]
        if number == NOBODY:
            continue
        player = players[number]
        player.reentries += 1
        player.stack = plan.reentry_chips
        stand.entries += 1
        stand.chips += plan.reentry_chips
        _arrive(stand, players, spots, number)
        note(stand, log, _REENTRY, player.table, player.seat, number, plan.reentry_chips, NOBODY, stand.clock)
    stand.paid = places_paid(plan, stand.entries, pool_of(plan, stand))


@inlined
def _entries_closed(plan: Any, stand: Any) -> bool:
    """Whether the levels in which chips are sold to the broke are over."""
    return bool(stand.level + 1 > plan.reentry_level and stand.level + 1 > plan.rebuy_level)


@inlined
def _is_satellite(plan: Any) -> bool:
    return bool(plan.payouts == SEATS or plan.payouts == SEAT_VALUE)


@inlined
def _is_over(plan: Any, stand: Any) -> bool:
    """Step 5, where there are no rounds."""
    if plan.kind != TABLES:
        return False
    return bool(stand.left == 1 or (_is_satellite(plan) and stand.left <= stand.paid and _entries_closed(plan, stand)))


@inlined
def _add_waiting(stand: Any, starting: Any, closed: int, waiting: Any) -> int:
    """Put those that wait among the tables whose hands are just over, by number; how many there are."""
    left, right = stand.waiting - 1, closed - 1
    for place in range(stand.waiting + closed - 1, -1, -1):
        if left < 0:
            break
        if right >= 0 and starting[right] > waiting[left]:
            starting[place] = starting[right]
            right -= 1
        else:
            starting[place] = waiting[left]
            left -= 1
    return int(stand.waiting + closed)


@inlined
def _break_tables(plan: Any, stand: Any, players: Any, spots: Any, resting: Any, count: int, log: Any) -> None:
    """Step 8: the first tables that have seats for all are kept; the others are broken as they rest, the last first."""
    needed = -(-stand.left // plan.seats)
    while stand.kept > needed:
        stand.kept -= 1
        spot = spots[stand.first_table + stand.kept]
        spot.due = 1
        stand.open_with[spot.players] -= 1
    for place in range(count - 1, -1, -1):
        table = resting[place]
        spot = spots[table]
        if not spot.due:
            return
        spot.open = 0
        stand.tables_open -= 1
        note(stand, log, _BROKEN, table, NOBODY, NOBODY, NOBODY, NOBODY, stand.clock)
        for step in range(plan.seats):
            seat = _from_dealer(plan, spot, step)
            if spot.player_at[seat] != NOBODY:
                _move(stand, players, spots, spot.player_at[seat], log)


@inlined
def _from_dealer(plan: Any, spot: Any, step: int) -> int:
    """Seat number `step` from the dealer of a table's next hand."""
    seat: int = (plan.seats + spot.hands + step) % plan.seats
    return seat


@inlined
def _move(stand: Any, players: Any, spots: Any, number: int, log: Any) -> None:
    """A player goes to another table."""
    player = players[number]
    before = player.table * MAX_SEATS + player.seat
    _leave(stand, players, spots, number)
    _arrive(stand, players, spots, number)
    note(stand, log, _MOVED, player.table, player.seat, number, player.stack, before, stand.clock)


@inlined
def _balance(plan: Any, stand: Any, players: Any, spots: Any, resting: Any, count: int, log: Any) -> None:
    """Step 9: tables that rest and have two players more than another give one up, those with the most first."""
    for most in range(plan.seats, 1, -1):
        for place in range(count):
            spot = spots[resting[place]]
            if not spot.open or spot.players != most:
                continue
            fewest = 0
            while stand.open_with[fewest] == 0:
                fewest += 1
            if most < fewest + 2:
                return
            step = 0
            while spot.player_at[_from_dealer(plan, spot, step)] == NOBODY:
                step += 1
            _move(stand, players, spots, spot.player_at[_from_dealer(plan, spot, step)], log)


@inlined
def _look_at_stacks(plan: Any, stand: Any, players: Any) -> None:
    """Note the class of everybody's stack when half of the field is out, and when one more is left than is paid."""
    if not stand.half and stand.left * 2 <= plan.field:
        stand.half = 1
        for number in range(plan.field):
            if players[number].first == 0:
                players[number].half = _stack_class(stand, players[number].stack)
    if not stand.bubble and stand.left <= stand.paid + 1 and _entries_closed(plan, stand):
        stand.bubble = 1
        for number in range(plan.field):
            if players[number].first == 0:
                players[number].bubble = _stack_class(stand, players[number].stack)


@inlined
def _stack_class(stand: Any, stack: int) -> int:
    """The class of a stack by its part of the average, from 1: below 1/4, 1/2, 1, 2, 4, and from 4 on."""
    share = 4 * stack * stand.left
    found = 1
    edge = stand.chips
    while found < 6 and share >= edge:
        found += 1
        edge *= 2
    return found


@inlined
def _begin_hands(
    plan: Any, stand: Any, spots: Any, heap: Any, starting: Any, resting: int, waiting: Any, log: Any
) -> None:
    """Steps 10 and 11: which of the tables that rest begin a hand, and when it is over; the others wait."""
    held = stand.tables_open > 1 and stand.left == stand.paid + 1 and _entries_closed(plan, stand)
    held = held and plan.kind == TABLES
    if held != stand.hand_for_hand:
        stand.hand_for_hand = held
        note(stand, log, _HAND_FOR_HAND, NOBODY, NOBODY, NOBODY, stand.hand_for_hand, NOBODY, stand.clock)
    stand.starts = 0
    stand.waiting = 0
    slowest = 0
    for place in range(resting):
        spot = spots[starting[place]]
        if not spot.open:
            continue
        if spot.players < 2 or (held and stand.in_hand > 0):
            waiting[stand.waiting] = starting[place]
            stand.waiting += 1
            continue
        starting[stand.starts] = starting[place]
        stand.starts += 1
        slowest = max(slowest, plan.pace[spot.players])
    for place in range(stand.starts):
        spot = spots[starting[place]]
        lasts = slowest if held else plan.pace[spot.players]
        push(heap, stand.heap, (stand.clock + lasts) << _TABLE_BITS | starting[place])
        stand.heap += 1
    stand.in_hand += stand.starts


# Rounds of shootouts and brackets


@inlined
def _round_is_over(stand: Any, spots: Any, resting: Any, count: int) -> bool:
    """Close the tables that are decided; whether all of the round are."""
    for place in range(count):
        spot = spots[resting[place]]
        if spot.open and spot.players == 1:
            spot.open = 0
            stand.tables_open -= 1
            stand.open_with[1] -= 1
            for seat in range(MAX_SEATS):
                if spot.player_at[seat] != NOBODY:
                    spot.winner = spot.player_at[seat]
    return bool(stand.tables_open == 0)


@inlined
def _end_round(plan: Any, stand: Any, players: Any, spots: Any, order: Any, queue: Any, log: Any) -> None:
    """Those who lost in the round get their places; the winners are seated for the next, or it is over."""
    behind = stand.left
    for finish in range(2, MAX_SEATS + 1):
        alike = 0
        for number in range(plan.field):
            if _lost_here(stand, players[number], finish):
                alike += 1
        if alike > 0:
            for number in range(plan.field):
                if _lost_here(stand, players[number], finish):
                    players[number].first = -(behind + 1)  # known, and told apart from those at tables
                    players[number].last = behind + alike
            behind += alike
    for number in range(plan.field):
        players[number].first = abs(players[number].first)
    if stand.left == 1 or (_is_satellite(plan) and stand.left <= stand.paid):
        stand.over = 1
        stand.starts = 0
        return
    tables, seated = stand.last_table - stand.first_table, stand.seated
    for table in range(tables):
        queue[table] = spots[stand.first_table + table].winner
    for place in range(tables, stand.left):
        queue[place] = order[seated + place - tables]
    for place in range(stand.left):
        order[place] = queue[place]
    stand.elapsed += stand.clock
    stand.round += 1
    _seat_round(plan, stand, players, spots, order, stand.left, log)


@inlined
def _lost_here(stand: Any, player: Any, finish: int) -> bool:
    """Whether a player lost in this round and had such a place, shared or not, at its table."""
    here = stand.first_table <= player.table < stand.last_table
    return bool(here and player.first == finish)


# The end


@inlined
def finish(plan: Any, stand: Any, players: Any, queue: Any, prizes: Any, log: Any) -> None:
    """Everybody's place and prize; `prizes` are those of the places."""
    shared = 0
    for number in range(plan.field):
        player = players[number]
        if player.first == 0:
            player.first = 1
            player.last = stand.left
            player.out_level = 0
        note(stand, log, _PLACE, NOBODY, NOBODY, number, player.first, player.last, stand.clock)
        if player.first == player.last:
            player.prize = prizes[player.first - 1]
        elif player.first <= stand.paid + 1:  # one place more may have the rest of a pool
            seat = player.table * MAX_SEATS + player.seat
            push(queue, shared, (player.first << _TABLE_BITS | seat) << _PLAYER_BITS | number)
            shared += 1
    together, rest = 0, 0
    for gone in range(shared):
        number = pop(queue, shared - gone) & _PLAYER_MASK
        player = players[number]
        count = player.last - player.first + 1
        if rest == 0:
            together, rest = 0, count
            for place in range(player.first - 1, player.last):
                together += prizes[place]
        player.prize = together // count + (count - rest < together % count)
        rest -= 1
    for number in range(plan.field):
        if players[number].prize > 0:
            note(stand, log, _PRIZE, NOBODY, NOBODY, number, players[number].prize, NOBODY, stand.clock)
