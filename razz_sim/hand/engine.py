"""A hand from the antes to the last chip: `start_hand`, `advance` until a seat must decide, `apply`, and again."""

from __future__ import annotations

from typing import Any

from razz_sim.cards import DECK_SIZE, NO_CARD
from razz_sim.compiling import bit_count, clear_front, inlined
from razz_sim.hand.betting import find_legal
from razz_sim.hand.dealing import (
    deal_street,
    deal_third_street,
    find_bring_in,
    find_opener,
    next_in,
    seats_mask,
)
from razz_sim.hand.notes import clear_notes
from razz_sim.hand.pots import finish
from razz_sim.hand.record import NOBODY, PUBLIC, code
from razz_sim.rules import MAX_SEATS, Street

_THIRD, _FIFTH, _SEVENTH = int(Street.THIRD), int(Street.FIFTH), int(Street.SEVENTH)
_PUBLIC_BYTES = PUBLIC.itemsize
_FIXED_LIMIT = code("betting", "fixed_limit")
_NEXT_SEAT = code("bring_in_fallback", "next_seat")
_OFF_IF_ROUND_BEGAN_HEADS_UP = code("heads_up_cap", "off_if_round_began_heads_up")
_OFF_IF_TWO_LEFT = code("heads_up_cap", "off_if_two_left_in_tournament")


@inlined
def start_hand(rules: Any, hand: Any, dealer: int, key: int) -> None:
    """Antes, three cards each, and third street opened; `hand.stack` and `hand.seats` are set before.

    Cards come from the stream `key` unless `hand.source` names given ones.
    """
    _clear(hand)
    hand.dealer = dealer
    hand.key = key
    hand.ante, hand.bring_in = rules.ante, rules.bring_in
    hand.small_bet, hand.big_bet = rules.small_bet, rules.big_bet
    for seat in range(hand.seats):
        if hand.stack[seat] > 0:
            ante = min(rules.ante, hand.stack[seat])
            hand.live[seat] = 1
            hand.live_count += 1
            hand.stack[seat] -= ante
            hand.total_in[seat] = ante
            hand.pot += ante
    hand.dealt_in = hand.live_count
    hand.street = _THIRD
    deal_third_street(hand)
    _open_third_street(rules, hand)


@inlined
def _clear(hand: Any) -> None:
    """Nothing has happened yet: all but the stacks and what was set for the table is as new."""
    seats = hand.seats
    for seat in range(MAX_SEATS):
        hand.returned[seat] = hand.stack[seat]
    clear_front(hand, _PUBLIC_BYTES)
    hand.seats = seats
    hand.community = NO_CARD
    hand.completer = NOBODY
    hand.brought_in = NOBODY
    hand.cards_out = 0
    hand.stub = DECK_SIZE
    hand.next_given = 0
    hand.burns = 0
    hand.pots = 0
    hand.over = 0
    hand.showdown = 0
    hand.shown = 0
    hand.decisions = 0
    hand.free_folds = 0
    hand.capped_rounds = 0
    hand.rake = 0
    hand.closed_early = 0
    clear_notes(hand)
    for seat in range(MAX_SEATS):
        hand.stack[seat] = hand.returned[seat]
        hand.returned[seat] = 0
        hand.award[seat] = 0
        hand.once[seat] = 0
        hand.twice[seat] = 0
        hand.thrice[seat] = 0
        hand.four[seat] = 0
        for number in range(4):
            hand.up[seat, number] = NO_CARD
        for number in range(3):
            hand.hole[seat, number] = NO_CARD


@inlined
def _open_round(rules: Any, hand: Any) -> None:
    """A street's betting begins: nothing wagered, everybody with chips still to act."""
    hand.bet_size = rules.big_bet if hand.street >= _FIFTH else rules.small_bet
    hand.wager = 0
    hand.last_full = 0
    hand.bets_made = 0
    hand.aggressor = NOBODY
    hand.opening = 0
    hand.has_chips = seats_mask(hand)
    hand.to_act = hand.has_chips
    hand.may_raise = -1
    for seat in range(hand.seats):
        hand.street_in[seat] = 0
        hand.matched[seat] = 0
    hand.street_open = bit_count(int(hand.has_chips)) >= 2
    capped = rules.betting == _FIXED_LIMIT
    if rules.heads_up_cap == _OFF_IF_ROUND_BEGAN_HEADS_UP and bit_count(int(hand.has_chips)) == 2:
        capped = False
    if rules.heads_up_cap == _OFF_IF_TWO_LEFT and hand.two_left:
        capped = False
    hand.bets_cap = rules.bets_per_round if capped else 0


@inlined
def _open_third_street(rules: Any, hand: Any) -> None:
    """Find who brings it in, or who acts first when nobody does."""
    _open_round(rules, hand)
    owes = find_bring_in(rules, hand)
    first = owes
    if hand.stack[owes] == 0 and hand.street_open:
        first = next_in(int(hand.has_chips), owes)
        owes = first if rules.bring_in_fallback == _NEXT_SEAT else NOBODY
    hand.bring_in_seat = owes if hand.street_open else NOBODY
    hand.opening = hand.bring_in_seat != NOBODY
    hand.opener = first
    hand.seat = first - 1


@inlined
def _open_later_street(rules: Any, hand: Any) -> None:
    """The best board opens, or the next seat clockwise that has chips."""
    _open_round(rules, hand)
    if hand.street == _SEVENTH and bit_count(int(hand.has_chips)) < 2:
        hand.closed_early = 1
    if hand.shared_seventh and not rules.community_street_betting:
        hand.street_open = 0
    first = find_opener(rules, hand)
    if hand.street_open and hand.has_chips >> first & 1 == 0:
        first = next_in(int(hand.has_chips), first)
    hand.opener = first
    hand.seat = first - 1


@inlined
def advance(rules: Any, hand: Any) -> int:
    """Deal and open streets until a seat must decide, and return it with its legal answers found; NOBODY: all over."""
    while True:
        if hand.live_count == 1:
            finish(rules, hand)
            return NOBODY
        if hand.street_open:
            seat = _next_to_act(hand)
            if seat != NOBODY:
                hand.seat = seat
                find_legal(rules, hand)
                return seat
        if hand.street == _SEVENTH:
            finish(rules, hand)
            return NOBODY
        deal_street(rules, hand)
        _open_later_street(rules, hand)


@inlined
def _next_to_act(hand: Any) -> int:
    """The next seat to ask: one that faces a wager, or any yet to act while two seats have chips."""
    while hand.to_act != 0:
        seat = next_in(int(hand.to_act), int(hand.seat))
        if hand.street_in[seat] < hand.wager or bit_count(int(hand.has_chips)) >= 2:
            return seat
        hand.to_act &= ~(1 << seat)
    return NOBODY
