"""Counting a finished hand into plays, pots and classes (see `columns`): what was done, what for, and with what."""

from __future__ import annotations

from typing import Any

from razz_sim.compiling import inlined
from razz_sim.hand.record import NOBODY, STREETS
from razz_sim.lowball import MASK_BITS
from razz_sim.rules import Street
from razz_sim.tally.columns import (
    ACTIONS,
    BUCKETS,
    CLASS_COLUMNS,
    DOUBLINGS,
    FINE_STEPS,
    FIRST_CLASS,
    LOWS,
    PLAY_COLUMNS,
    PLAYERS,
    POT_COLUMNS,
    QUARTERS,
    SQUARED,
    STEPS,
)
from razz_sim.tally.squares import add_square, square_limbs

_P = {name: index for index, name in enumerate(PLAY_COLUMNS)}
_VOLUNTARILY_IN, _COMPLETE_CHANCES = _P["voluntarily_in"], _P["complete_chances"]
_STEAL_CHANCES, _STEALS, _STEALS_WON = _P["steal_chances"], _P["steals"], _P["steals_won"]
_STEALS_FACED, _FOLDS_TO_STEAL = _P["steals_faced"], _P["folds_to_steal"]
_DEFENCES, _DEFENDED, _RAISE_CHANCES, _RERAISES = _P["defences"], _P["defended"], _P["raise_chances"], _P["reraises"]
_SAW, _RAISES = _P["saw_fourth"], _P["raises_third"]
_CALLS, _CHECKS, _FOLDS = _RAISES + 1, _RAISES + 2, _RAISES + 3
_WON, _LOST_HANDS, _LOST_POTS = _P["won"], _P["lost_hands"], _P["lost_pots"]
_SHOWN, _WON_WITH = _P["shown_wheel"], _P["won_wheel"]
_PLAYERS_THIRD = POT_COLUMNS.index("players_third_0")
_WINNING = POT_COLUMNS.index("winning_wheel")
_HISTOGRAM, _CLASSES = len(POT_COLUMNS), len(PLAY_COLUMNS)
_ACTION_COUNT, _PART_COUNT, _PLAYER_COUNT, _WIDTH = len(ACTIONS), len(SQUARED), len(PLAYERS), len(CLASS_COLUMNS)
_DOOR, _START, _POSITION, _END = (FIRST_CLASS[kind] for kind in ("door", "start", "position", "end"))
_THIRD = int(Street.THIRD)
_SHOWDOWN = STREETS
_WHEEL_BITS = 5
_PAIR = len(LOWS) - 1
_LAST_BUCKET = BUCKETS - 1
_MOST_QUARTERS = FINE_STEPS << DOUBLINGS


@inlined
def count_fine(rules: Any, hand: Any, before: Any, entrant_at: Any, table: Any, entrants: Any) -> None:
    """Add a finished hand that began with the stacks `before`; `entrant_at` names the entrant in each seat."""
    end = _SHOWDOWN if hand.showdown else hand.street - _THIRD
    first = max(0, hand.bring_in_seat)
    place, best = 0, 1 << 40
    for step in range(hand.seats):
        seat = (first + step) % hand.seats
        if before[seat] == 0:
            continue
        entrant = entrant_at[seat]
        net = hand.stack[seat] - before[seat]
        _count_plays(hand, seat, entrant, entrants)
        if hand.showdown and hand.live[seat]:
            low = class_of_low(hand.low_key[seat])
            entrants[entrant, _SHOWN + low] += 1
            entrants[entrant, _WON_WITH + low] += hand.award[seat] > 0
            best = min(best, hand.low_key[seat])
        ended = hand.folded_on[seat] - _THIRD if hand.folded_on[seat] else end
        _count_class(entrants, entrant, _DOOR + (hand.up[seat, 0] >> 2), net)
        _count_class(entrants, entrant, _START + start_of(hand, seat), net)
        _count_class(entrants, entrant, _END + ended, net)
        if hand.bring_in_seat != NOBODY:
            _count_class(entrants, entrant, _POSITION + place, net)
        place += 1
    _count_pot(rules, hand, end, table)
    if hand.showdown:
        table[_WINNING + class_of_low(best)] += 1


@inlined
def _count_plays(hand: Any, seat: int, entrant: int, entrants: Any) -> None:
    """What a seat did and could have done."""
    folded = hand.folded_on[seat]
    folded_third = folded == _THIRD
    voluntary = hand.voluntary >> seat & 1
    entrants[entrant, _VOLUNTARILY_IN] += voluntary
    entrants[entrant, _COMPLETE_CHANCES] += hand.could_complete >> seat & 1
    entrants[entrant, _STEAL_CHANCES] += hand.could_steal >> seat & 1
    if hand.stealer == seat:
        entrants[entrant, _STEALS] += 1
        entrants[entrant, _STEALS_WON] += hand.live_count == 1 and hand.street == _THIRD and hand.live[seat] != 0
    if hand.faced_steal >> seat & 1:
        entrants[entrant, _STEALS_FACED] += 1
        entrants[entrant, _FOLDS_TO_STEAL] += folded_third
    if hand.brought_in == seat and hand.completer != seat and hand.faced_completion >> seat & 1:
        entrants[entrant, _DEFENCES] += 1
        entrants[entrant, _DEFENDED] += not folded_third
    entrants[entrant, _RAISE_CHANCES] += hand.raise_chances[seat]
    entrants[entrant, _RERAISES] += hand.reraises[seat]
    last = folded if folded else hand.street
    for street in range(last - _THIRD + 1):
        if street > 0:
            entrants[entrant, _SAW + street - 1] += 1
        entrants[entrant, _RAISES + _ACTION_COUNT * street] += hand.wagers_made[seat, street]
        entrants[entrant, _CALLS + _ACTION_COUNT * street] += hand.calls[seat, street]
        entrants[entrant, _CHECKS + _ACTION_COUNT * street] += hand.checks[seat, street]
    if folded:
        entrants[entrant, _FOLDS + _ACTION_COUNT * (folded - _THIRD)] += 1
    if hand.award[seat] > 0:
        entrants[entrant, _WON] += hand.award[seat]
    elif voluntary:
        entrants[entrant, _LOST_HANDS] += 1
        entrants[entrant, _LOST_POTS] += hand.pot


@inlined
def _count_class(entrants: Any, entrant: int, number: int, net: int) -> None:
    """Add a hand to a class."""
    column = _CLASSES + _WIDTH * number
    first, second, third = square_limbs(net)
    entrants[entrant, column] += 1
    entrants[entrant, column + 1] += net
    entrants[entrant, column + 2] += first
    if second != 0:
        entrants[entrant, column + 3] += second
    if third != 0:
        entrants[entrant, column + 4] += third


@inlined
def _count_pot(rules: Any, hand: Any, end: int, table: Any) -> None:
    """The final pot by where the hand ended, and how many were still in on each street."""
    table[_PART_COUNT * end] += hand.pot
    add_square(table, _PART_COUNT * end + 1, hand.pot)
    table[_HISTOGRAM + BUCKETS * end + bucket_of(hand.pot * QUARTERS // rules.big_bet)] += 1
    folds = 0  # by street, four bits each
    for seat in range(hand.seats):
        if hand.folded_on[seat]:
            folds += 1 << 4 * int(hand.folded_on[seat] - _THIRD)
    players = int(hand.dealt_in)
    for street in range(hand.street - _THIRD + 1):
        table[_PLAYERS_THIRD + _PLAYER_COUNT * street + players] += 1
        players -= folds >> 4 * street & 15
    if hand.showdown:
        table[_PLAYERS_THIRD + _PLAYER_COUNT * _SHOWDOWN + hand.live_count] += 1


@inlined
def bucket_of(quarters: int) -> int:
    """The histogram's bucket of a pot of so many quarters of a big bet."""
    if quarters < FINE_STEPS:
        return int(quarters)
    if quarters >= _MOST_QUARTERS:
        return _LAST_BUCKET
    doubling = 0
    while quarters >> doubling >= 2 * FINE_STEPS:
        doubling += 1
    return FINE_STEPS + STEPS * doubling + ((int(quarters) >> doubling) - FINE_STEPS) // 2


@inlined
def start_of(hand: Any, seat: int) -> int:
    """The number of a seat's first three ranks among `columns.STARTS`."""
    one, two, three = hand.hole[seat, 0] >> 2, hand.hole[seat, 1] >> 2, hand.up[seat, 0] >> 2
    low, high = min(one, two, three), max(one, two, three)
    middle = one + two + three - low - high
    return int(high * (high + 1) * (high + 2) // 6 + middle * (middle + 1) // 2 + low)


@inlined
def class_of_low(key: int) -> int:
    """The place of a low among `columns.LOWS`."""
    if key >> MASK_BITS:
        return _PAIR
    low = 0
    while key >> (low + _WHEEL_BITS):
        low += 1
    return low
