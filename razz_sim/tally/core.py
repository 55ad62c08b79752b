"""Counting a finished hand into the core totals: blocks, pots, streets, showdowns, nets."""

from __future__ import annotations

from typing import Any

from razz_sim.compiling import bit_count, inlined
from razz_sim.hand.record import NOBODY
from razz_sim.rules import Street
from razz_sim.tally.all_in import PARTS, find_expected, is_all_in
from razz_sim.tally.columns import ENTRANT_COLUMNS, TABLE_COLUMNS
from razz_sim.tally.squares import add_square

_T = {name: index for index, name in enumerate(TABLE_COLUMNS)}
_E = {name: index for index, name in enumerate(ENTRANT_COLUMNS)}
_BLOCKS, _HANDS, _POT, _POT_SQ, _RAKE, _SHOWDOWNS = (
    _T["blocks"],
    _T["hands"],
    _T["pot"],
    _T["pot_sq_0"],
    _T["rake"],
    _T["showdowns"],
)
_ENDED, _SAW, _SIDE, _SPLIT = _T["ended_third"], _T["saw_fourth"], _T["side_pots"], _T["split_pots"]
_ALL_INS, _CAPPED, _COMMUNITY = _T["all_ins"], _T["capped_rounds"], _T["community_cards"]
_DECISIONS, _FREE_FOLDS, _WALKS = _T["decisions"], _T["free_folds"], _T["walks"]
_E_HANDS, _E_NET, _E_NET_SQ, _E_SHOWDOWNS = _E["hands"], _E["net"], _E["net_sq_0"], _E["showdowns"]
_E_SHOWDOWNS_WON, _E_POTS_WON, _E_BROUGHT_IN = _E["showdowns_won"], _E["pots_won"], _E["brought_in"]
_E_COMPLETED, _E_ERRORS, _E_FORFEITS = _E["completed"], _E["errors"], _E["forfeits"]
_FORFEITED_BLOCKS = _T["forfeited_blocks"]
_ADJUSTED, _ADJUSTED_SQ, _ADJUSTED_HANDS = _E["adjusted"], _E["adjusted_sq_0"], _E["adjusted_hands"]
_THIRD = int(Street.THIRD)
_FOURTH = int(Street.FOURTH)


@inlined
def count_hand(hand: Any, before: Any, entrant_at: Any, table: Any, entrants: Any, net: Any) -> None:
    """Add a finished hand that began with the stacks `before`.

    `entrant_at` names the entrant in each seat; `net` is room for one number an entrant.
    """
    table[_HANDS] += 1
    table[_POT] += hand.pot
    add_square(table, _POT_SQ, hand.pot)
    table[_RAKE] += hand.rake
    table[_CAPPED] += hand.capped_rounds
    table[_DECISIONS] += hand.decisions
    table[_FREE_FOLDS] += hand.free_folds
    for street in range(_FOURTH, hand.street + 1):
        table[_SAW + street - _FOURTH] += 1
    if hand.showdown:
        _count_showdown(hand, table)
    else:
        table[_ENDED + hand.street - _THIRD] += 1
        table[_WALKS] += is_walk(hand)
    all_in = False
    for seat in range(hand.seats):
        if before[seat] == 0:
            continue
        entrant = entrant_at[seat]
        if hand.live[seat]:
            if hand.stack[seat] == hand.award[seat] + hand.returned[seat] and hand.showdown:
                all_in = True
            if hand.showdown:
                entrants[entrant, _E_SHOWDOWNS] += 1
                if hand.award[seat] > 0:
                    entrants[entrant, _E_SHOWDOWNS_WON] += 1
        if hand.award[seat] > 0:
            entrants[entrant, _E_POTS_WON] += 1
        entrants[entrant, _E_HANDS] += 1
        net[entrant] += hand.stack[seat] - before[seat]
    if all_in:
        table[_ALL_INS] += 1
    if hand.brought_in != NOBODY:
        entrants[entrant_at[hand.brought_in], _E_BROUGHT_IN] += 1
    if hand.completer != NOBODY:
        entrants[entrant_at[hand.completer], _E_COMPLETED] += 1


@inlined
def is_walk(hand: Any) -> bool:
    """Whether everybody folded to the bring-in."""
    if hand.street != _THIRD or hand.completer != NOBODY or hand.brought_in == NOBODY:
        return False
    return bool(hand.live_count == 1 and hand.live[hand.brought_in])


@inlined
def _count_showdown(hand: Any, table: Any) -> None:
    table[_SHOWDOWNS] += 1
    if hand.pots > 1:
        table[_SIDE] += 1
    if hand.community >= 0:
        table[_COMMUNITY] += 1
    for pot in range(hand.pots):
        winners = 0
        for seat in range(hand.seats):
            if hand.pot_award[pot, seat] > 0:
                winners |= 1 << seat
        if bit_count(winners) > 1:
            table[_SPLIT] += 1
            return


@inlined
def count_error(entrants: Any, entrant: int) -> None:
    """A strategy failed to make a decision."""
    entrants[entrant, _E_ERRORS] += 1


@inlined
def count_forfeit(entrants: Any, entrant: int) -> None:
    """A seat lost its chips for its strategy's error."""
    entrants[entrant, _E_FORFEITS] += 1


@inlined
def count_luck(hand: Any, before: Any, entrant_at: Any, entrants: Any, room: Any, luck: Any) -> None:
    """Add to each entrant's `luck` what its seats would win by expectation in an all-in hand less what they won."""
    if not is_all_in(hand):
        return
    find_expected(hand, room)
    for seat in range(hand.seats):
        if before[seat] > 0:
            luck[entrant_at[seat]] += room.expected[seat] - hand.award[seat] * PARTS
            entrants[entrant_at[seat], _ADJUSTED_HANDS] += hand.live[seat]


@inlined
def close_block(table: Any, entrants: Any, net: Any, luck: Any, forfeited: bool) -> None:
    """Add each entrant's net of a block, real and adjusted, and their squares, and clear them for the next."""
    table[_BLOCKS] += 1
    table[_FORFEITED_BLOCKS] += forfeited
    for entrant in range(len(entrants)):
        entrants[entrant, _E_NET] += net[entrant]
        add_square(entrants[entrant], _E_NET_SQ, net[entrant])
        adjusted = net[entrant] * PARTS + luck[entrant]
        entrants[entrant, _ADJUSTED] += adjusted
        add_square(entrants[entrant], _ADJUSTED_SQ, adjusted)
        net[entrant] = 0
        luck[entrant] = 0
