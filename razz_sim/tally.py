"""Exact integer totals that add: what is counted in every hand, for the table and for each entrant.

Totals are int64 arrays with the columns named here; two tallies are added by adding them. A square is kept in three
limbs of which each is a plain sum: `limb_0 + (limb_1 << 32) + (limb_2 << 64)`; so squares of any stack fit and any
grouping of hands gives the same numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from razz_sim.compiling import bit_count, inlined
from razz_sim.hand.record import NOBODY
from razz_sim.rules import Street

TABLE_COLUMNS = (
    "blocks",  # independent samples: single deals, or sessions of many hands
    "hands",
    "pot",  # final pots, after uncalled chips went back and before rake
    "pot_sq_0",
    "pot_sq_1",
    "pot_sq_2",
    "rake",
    "showdowns",
    "ended_third",  # hands that ended on this street because all others folded
    "ended_fourth",
    "ended_fifth",
    "ended_sixth",
    "ended_seventh",
    "saw_fourth",  # hands in which this street was dealt
    "saw_fifth",
    "saw_sixth",
    "saw_seventh",
    "side_pots",  # hands with one
    "split_pots",
    "all_ins",  # hands in which a live seat had no chips behind at the end
    "capped_rounds",
    "community_cards",
    "decisions",
    "free_folds",
    "walks",  # everybody folded to the bring-in
    "forfeited_blocks",  # blocks that ended because a strategy's error cost it its chips
)
ENTRANT_COLUMNS = (
    "hands",  # one for each of its seats that was dealt in
    "net",  # chips won less chips put in, all its seats together
    "net_sq_0",  # of the entrant's net in a block
    "net_sq_1",
    "net_sq_2",
    "showdowns",
    "showdowns_won",  # some pot won at showdown, alone or split
    "pots_won",  # hands in which a seat of it won chips
    "brought_in",
    "completed",  # was first to complete or bet on third street
    "errors",  # decisions that its strategy failed to make, by an exception or an illegal answer for one
    "forfeits",  # seats that lost their chips for such an error
)
RESULTS_VERSION = 2
"""Stored beside results: a change that alters any total of an experiment raises it."""

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
_THIRD = int(Street.THIRD)
_FOURTH = int(Street.FOURTH)
_LIMB_BITS = 32
_LIMB = (1 << _LIMB_BITS) - 1
_LIMB_WORD = np.uint64(_LIMB)
_LIMB_SHIFT = np.uint64(_LIMB_BITS)


@inlined
def add_square(totals: Any, column: int, value: int) -> None:
    """Add the square of a value below 2**47 to the three limbs from `column` on."""
    size = np.uint64(abs(value))
    low, high = size & _LIMB_WORD, np.int64(size >> _LIMB_SHIFT)
    low_square = low * low
    totals[column] += np.int64(low_square & _LIMB_WORD)
    totals[column + 1] += np.int64(low_square >> _LIMB_SHIFT)
    if high != 0:
        cross = 2 * high * np.int64(low)
        totals[column + 1] += cross & _LIMB
        totals[column + 2] += (cross >> _LIMB_BITS) + high * high


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
def close_block(table: Any, entrants: Any, net: Any, forfeited: bool) -> None:
    """Add each entrant's net of a block and its square, and clear it for the next."""
    table[_BLOCKS] += 1
    table[_FORFEITED_BLOCKS] += forfeited
    for entrant in range(len(entrants)):
        entrants[entrant, _E_NET] += net[entrant]
        add_square(entrants[entrant], _E_NET_SQ, net[entrant])
        net[entrant] = 0


class Tally:
    """The totals of one scenario, bin by bin: `table[bin, column]` and `entrants[bin, entrant, column]`."""

    def __init__(self, bins: int, entrants: int) -> None:
        self.table = np.zeros((bins, len(TABLE_COLUMNS)), dtype=np.int64)
        self.entrants = np.zeros((bins, entrants, len(ENTRANT_COLUMNS)), dtype=np.int64)

    def add(self, number: int, table: np.ndarray, entrants: np.ndarray) -> None:
        """Add what a batch counted to bin `number`."""
        self.table[number] += table
        self.entrants[number] += entrants

    def table_total(self, column: str) -> int:
        """A column of the table over all bins."""
        return int(self.table[:, _T[column]].sum())

    def entrant_total(self, entrant: int, column: str) -> int:
        """A column of an entrant over all bins."""
        return int(self.entrants[:, entrant, _E[column]].sum())

    @property
    def hands(self) -> int:
        """Hands counted."""
        return self.table_total("hands")


def digest(tallies: Sequence[Tally]) -> str:
    """The fingerprint of a run: a hash of every total of every bin of every scenario, and of the results version."""
    found = hashlib.sha256(f"razz_sim results {RESULTS_VERSION} {TABLE_COLUMNS} {ENTRANT_COLUMNS}".encode())
    for tally in tallies:
        for totals in (tally.table, tally.entrants):
            found.update(repr(totals.shape).encode())
            found.update(np.ascontiguousarray(totals, dtype="<i8").tobytes())
    return found.hexdigest()
