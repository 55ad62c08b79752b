"""What a seat may do and what its answer changes: the one place that knows the betting rules.

`find_legal` says what is legal for the seat to act, `apply` carries one answer out or says why it is illegal. In
fixed limit `last_full` is L, the last *total* that counted, and the next full wager is to L + the street's bet; in pot
limit and no limit it is the *size* of the last full bet or raise. A bring-in counts as 0 in both.
"""

from __future__ import annotations

from typing import Any

from razz_sim.compiling import inlined
from razz_sim.hand.notes import note_decision
from razz_sim.hand.record import AMOUNT_SHIFT, COUNT_LIMIT, FOLD, NOBODY, RAISE, STAY, code
from razz_sim.rules import Street

OK = 0
ILLEGAL_FOLD, ILLEGAL_RAISE, RAISE_TOO_SMALL, RAISE_TOO_LARGE, NO_ANSWER = -1, -2, -3, -4, -5

_THIRD = int(Street.THIRD)
_FIXED_LIMIT = code("betting", "fixed_limit")
_POT_LIMIT = code("betting", "pot_limit")
_FULL_BET_ONLY = code("short_all_in", "full_bet_only")
_BRING_IN_LEVEL = code("short_all_in", "bring_in_level")
_PLAYED_AS_CHECK = code("free_fold", "check")


@inlined
def find_legal(rules: Any, hand: Any) -> None:
    """Set can_fold, to_call, raise_min and raise_max (totals on this street, 0 for none) for `hand.seat`."""
    seat = hand.seat
    owed = rules.bring_in if hand.opening else hand.wager - hand.street_in[seat]
    hand.can_fold = 0 if hand.opening else 1
    hand.to_call = max(0, min(owed, hand.stack[seat]))
    hand.raise_min = 0
    hand.raise_max = 0
    all_in = hand.street_in[seat] + hand.stack[seat]
    if all_in <= hand.street_in[seat] + owed or not _raise_is_open(rules, hand, seat):
        return
    smallest = _smallest_raise(rules, hand)
    largest = smallest
    if rules.betting != _FIXED_LIMIT:
        largest = all_in
        if rules.betting == _POT_LIMIT:
            largest = max(smallest, hand.wager + hand.pot + hand.wager - hand.street_in[seat])
    hand.raise_min = min(smallest, all_in)
    hand.raise_max = min(largest, all_in)
    if hand.opening and hand.raise_min <= rules.bring_in:
        _open_above_bring_in(rules, hand, all_in)


@inlined
def _open_above_bring_in(rules: Any, hand: Any, all_in: int) -> None:
    """A bring-in as large as a bet is the first one: who owes it posts it, or opens for a full bet more, or all-in."""
    smallest = rules.bring_in + hand.bet_size
    if hand.raise_max <= rules.bring_in or (hand.raise_max < smallest and hand.raise_max < all_in):
        hand.raise_min = 0
        hand.raise_max = 0
    else:
        hand.raise_min = min(smallest, hand.raise_max)


@inlined
def _raise_is_open(rules: Any, hand: Any, seat: int) -> bool:
    """Whether the seat may bet or raise at all: the cap, what it has done already, and somebody to answer it."""
    if hand.bets_cap > 0 and hand.bets_made >= hand.bets_cap:
        return False
    if hand.may_raise >> seat & 1 == 0:
        if rules.betting != _FIXED_LIMIT:
            return False
        faced = hand.wager - hand.matched[seat]
        if faced < hand.bet_size and (rules.short_all_in == _FULL_BET_ONLY or 2 * faced < hand.bet_size):
            return False
    for other in range(hand.seats):
        if hand.has_chips >> other & 1 and other != seat and hand.street_in[other] + hand.stack[other] > hand.wager:
            return True
    return False


@inlined
def _smallest_raise(rules: Any, hand: Any) -> int:
    """The total on this street that the smallest full bet or raise makes."""
    if rules.betting == _FIXED_LIMIT:
        return int(hand.last_full + hand.bet_size)
    if hand.last_full == 0:
        return int(hand.bet_size)
    return int(hand.wager + hand.last_full)


@inlined
def apply(rules: Any, hand: Any, answer: int) -> int:
    """Carry out the answer of `hand.seat`; OK, or the reason why it is illegal and nothing has changed."""
    seat = hand.seat
    kind = answer & ((1 << AMOUNT_SHIFT) - 1)
    if answer == FOLD:
        if not hand.can_fold:
            return ILLEGAL_FOLD
        if hand.to_call == 0:
            hand.free_folds += 1
            if rules.free_fold == _PLAYED_AS_CHECK:
                note_decision(hand, seat, STAY)
                _stay(rules, hand, seat)
                return OK
        note_decision(hand, seat, FOLD)
        _fold(hand, seat)
        return OK
    if answer == STAY:
        note_decision(hand, seat, STAY)
        _stay(rules, hand, seat)
        return OK
    if kind != RAISE or answer < 0:
        return NO_ANSWER
    if hand.raise_min == 0:
        return ILLEGAL_RAISE
    to = answer >> AMOUNT_SHIFT
    if to == 0:
        to = hand.raise_min
    if to < hand.raise_min:
        return RAISE_TOO_SMALL
    if to > hand.raise_max:
        return RAISE_TOO_LARGE
    note_decision(hand, seat, RAISE)
    _raise(rules, hand, seat, to)
    return OK


@inlined
def put_in(hand: Any, seat: int, amount: int) -> None:
    """Chips go from a seat's stack into this street's wagers."""
    hand.stack[seat] -= amount
    hand.street_in[seat] += amount
    hand.total_in[seat] += amount
    hand.pot += amount
    if hand.stack[seat] == 0:
        hand.has_chips &= ~(1 << seat)


@inlined
def _fold(hand: Any, seat: int) -> None:
    hand.live[seat] = 0
    hand.live_count -= 1
    hand.has_chips &= ~(1 << seat)
    hand.to_act &= ~(1 << seat)


@inlined
def _stay(rules: Any, hand: Any, seat: int) -> None:
    """Check, call, or post the bring-in."""
    put_in(hand, seat, hand.to_call)
    hand.stays[seat, hand.street - _THIRD] = min(COUNT_LIMIT, hand.stays[seat, hand.street - _THIRD] + 1)
    if hand.opening:
        _open_with_bring_in(rules, hand, seat)
        return
    only_bring_in = hand.aggressor == NOBODY and hand.bets_made == 0
    hand.matched[seat] = 0 if only_bring_in else hand.street_in[seat]
    hand.may_raise &= ~(1 << seat)
    hand.to_act &= ~(1 << seat)


@inlined
def _open_with_bring_in(rules: Any, hand: Any, seat: int) -> None:
    """The bring-in is posted, all-in for less perhaps: everyone else owes the full one."""
    hand.opening = 0
    hand.brought_in = seat
    hand.wager = rules.bring_in
    hand.to_act = hand.has_chips
    if rules.bring_in == hand.bet_size:
        hand.bets_made = 1
        hand.last_full = rules.bring_in
        hand.matched[seat] = hand.street_in[seat]
    if not rules.bring_in_option or rules.bring_in == hand.bet_size:
        hand.to_act &= ~(1 << seat)
        hand.may_raise &= ~(1 << seat)


@inlined
def _raise(rules: Any, hand: Any, seat: int, to: int) -> None:
    """Complete, bet or raise to a total on this street."""
    full = to - hand.wager >= hand.last_full
    if rules.betting == _FIXED_LIMIT:
        full = to >= hand.last_full + hand.bet_size
        _count_fixed_limit(rules, hand, to, full)
    elif hand.last_full == 0:
        full = to >= hand.bet_size
        hand.last_full = to if full else 0
    elif full:
        hand.last_full = to - hand.wager
    if rules.betting != _FIXED_LIMIT:
        hand.bets_made = min(30_000, hand.bets_made + 1)
    if full:
        hand.may_raise = -1
    if hand.street == _THIRD and hand.completer == NOBODY:
        hand.completer = seat
    hand.opening = 0
    put_in(hand, seat, to - hand.street_in[seat])
    hand.wager = to
    hand.aggressor = seat
    hand.matched[seat] = to
    hand.may_raise &= ~(1 << seat)
    hand.to_act = hand.has_chips & ~(1 << seat)
    hand.raises[seat, hand.street - _THIRD] = min(COUNT_LIMIT, hand.raises[seat, hand.street - _THIRD] + 1)


@inlined
def _count_fixed_limit(rules: Any, hand: Any, to: int, full: bool) -> None:
    """Whether a wager counts towards the cap and moves L; only an all-in for less may not (LA 129)."""
    bring_in_stands = hand.street == _THIRD and hand.brought_in != NOBODY and rules.bring_in > 0
    over_bring_in = bring_in_stands and hand.aggressor == NOBODY and hand.bets_made == 0
    counts = full or (rules.short_all_in != _FULL_BET_ONLY and 2 * (to - hand.last_full) >= hand.bet_size)
    if counts:
        hand.bets_made += 1
        hand.last_full = to
        if hand.bets_made == hand.bets_cap:
            hand.capped_rounds += 1
    if not full and over_bring_in and rules.short_all_in == _BRING_IN_LEVEL:
        hand.last_full = rules.bring_in
