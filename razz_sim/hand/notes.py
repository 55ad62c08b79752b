"""What is noted of decisions while a hand is played, since its end does not tell: chances that were not taken.

A *steal* is a first completion by a seat that nobody but the bring-in came in before, with at most two seats besides
the bring-in still to act behind it.
"""

from __future__ import annotations

from typing import Any

from razz_sim.compiling import bit_count, inlined
from razz_sim.hand.record import FOLD, NOBODY, RAISE, STAY, STREETS
from razz_sim.rules import MAX_SEATS, Street

_THIRD = int(Street.THIRD)
STEAL_BEHIND = 2
"""Seats besides the bring-in that may be left to act behind a steal."""


@inlined
def clear_notes(hand: Any) -> None:
    """Nothing has been decided yet."""
    hand.voluntary = 0
    hand.could_complete = 0
    hand.could_steal = 0
    hand.faced_completion = 0
    hand.faced_steal = 0
    hand.stealer = NOBODY
    for seat in range(MAX_SEATS):
        hand.folded_on[seat] = 0
        hand.raise_chances[seat] = 0
        hand.reraises[seat] = 0
        for street in range(STREETS):
            hand.wagers_made[seat, street] = 0
            hand.calls[seat, street] = 0
            hand.checks[seat, street] = 0


@inlined
def note_decision(hand: Any, seat: int, kind: int) -> None:
    """Note a legal decision of a seat, FOLD, STAY or RAISE, before it is carried out."""
    hand.decisions += 1
    faces = hand.aggressor != NOBODY and hand.to_call > 0
    if hand.street == _THIRD:
        _note_third_street(hand, seat, kind, faces)
    if faces and hand.raise_max > 0:
        hand.raise_chances[seat] += 1
        hand.reraises[seat] += kind == RAISE
    if kind == FOLD:
        hand.folded_on[seat] = hand.street
    elif kind == RAISE:
        hand.wagers_made[seat, hand.street - _THIRD] += 1
    elif not hand.opening:
        hand.calls[seat, hand.street - _THIRD] += hand.to_call > 0
        hand.checks[seat, hand.street - _THIRD] += hand.to_call == 0


@inlined
def _note_third_street(hand: Any, seat: int, kind: int, faces: bool) -> None:
    bit = 1 << seat
    if faces:
        hand.faced_completion |= bit
        if hand.stealer != NOBODY and hand.aggressor == hand.stealer and hand.raises[hand.stealer, 0] == 1:
            hand.faced_steal |= bit
    elif hand.completer == NOBODY and hand.raise_max > 0:
        hand.could_complete |= bit
        if hand.brought_in != NOBODY and hand.brought_in != seat and hand.voluntary == 0:
            others = hand.to_act & ~bit & ~(1 << hand.brought_in)
            if bit_count(int(others)) <= STEAL_BEHIND:
                hand.could_steal |= bit
                if kind == RAISE:
                    hand.stealer = seat
    if kind == RAISE or (kind == STAY and hand.to_call > 0 and not hand.opening):
        hand.voluntary |= bit
