"""Cards leave the deck: from a random stream, from a given deck, or as a history tells.

A random card is a pure function of the hand's key, the *slot* it is dealt to (seat and number of the card) and the
cards already out: words of the slot's stream are drawn until one names a card that is still in the deck, so each of
those is equally likely. A seat's card on a street does not depend on how many cards others took before it unless they
took that very card: arrangements of a duplicate deal stay alike after different folds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from razz_sim.cards import DECK_SIZE, NO_CARD
from razz_sim.compiling import inlined, lowest_bit
from razz_sim.hand.record import NOBODY, code
from razz_sim.lowball import ace_high, key_of_masks
from razz_sim.rules import Street
from razz_sim.seeding import below, word_at

RANDOM, IN_ORDER, BY_SLOT = 0, 1, 2
"""Where cards come from: the random stream; `given` in the order dealt; `given` by slot (NO_CARD when unseen)."""

CARDS_PER_SEAT = 7
COMMUNITY_SLOT = 56
BURN_SLOT = 57
_SLOTS = np.uint64(64)
_DECK = np.uint64(DECK_SIZE)

THIRD, FOURTH, SIXTH, SEVENTH = int(Street.THIRD), int(Street.FOURTH), int(Street.SIXTH), int(Street.SEVENTH)
_HIGH_BRINGS_IN = code("bring_in_card", "high")
_HIGH_OPENS = code("opens", "high_board")
_TIE_BY_SUIT = code("opener_tie", "suit")


@inlined
def draw(hand: Any, slot: int) -> int:
    """Take a card out of the deck for a slot."""
    hand.stub -= 1
    if hand.source == IN_ORDER:
        hand.next_given += 1
        return int(hand.given[hand.next_given - 1])
    if hand.source == BY_SLOT:
        return int(hand.given[slot])
    attempt = np.uint64(slot)
    while True:
        card: Any = np.int64(below(word_at(hand.key, attempt), _DECK))
        if hand.cards_out >> card & 1 == 0:
            hand.cards_out |= 1 << card
            return card
        attempt += _SLOTS


@inlined
def take(hand: Any, seat: int, card: int) -> None:
    """A seat holds one more card, which only it sees so far."""
    if card == NO_CARD:
        return
    bit = 1 << (card >> 2)
    hand.four[seat] |= hand.thrice[seat] & bit
    hand.thrice[seat] |= hand.twice[seat] & bit
    hand.twice[seat] |= hand.once[seat] & bit
    hand.once[seat] |= bit


@inlined
def turn_up(hand: Any, seat: int, card: int) -> None:
    """A seat's card lies open on its board."""
    take(hand, seat, card)
    hand.up[seat, hand.up_count[seat]] = card
    hand.up_count[seat] += 1
    if card == NO_CARD:
        return
    hand.up_ranks[card >> 2] += 1
    bit = 1 << (card >> 2)
    hand.board_four[seat] |= hand.board_thrice[seat] & bit
    hand.board_thrice[seat] |= hand.board_twice[seat] & bit
    hand.board_twice[seat] |= hand.board_once[seat] & bit
    hand.board_once[seat] |= bit


@inlined
def seat_from_dealer(hand: Any, step: int) -> int:
    """The seat `step` places to the left of the dealer's own left neighbour."""
    seat = hand.dealer + 1 + step
    return seat - hand.seats if seat >= hand.seats else seat


@inlined
def deal_third_street(hand: Any) -> None:
    """Two down and the door card up, to each seat that had chips, from the dealer."""
    for step in range(hand.seats):
        seat = seat_from_dealer(hand, step)
        if hand.live[seat]:
            for number in range(2):
                card = draw(hand, seat * CARDS_PER_SEAT + number)
                hand.hole[seat, number] = card
                take(hand, seat, card)
            turn_up(hand, seat, draw(hand, seat * CARDS_PER_SEAT + 2))


@inlined
def deal_street(rules: Any, hand: Any) -> None:
    """Fourth to seventh street: a card to each live seat, or one for all when the deck is too short for seventh."""
    hand.street += 1
    if hand.street == SEVENTH and not enough_for_seventh(rules, hand):
        burn(rules, hand)
        hand.community = draw(hand, COMMUNITY_SLOT)
        hand.shared_seventh = 1
        for seat in range(hand.seats):
            if hand.live[seat]:
                take(hand, seat, int(hand.community))
        return
    burn(rules, hand)
    number = hand.street - 1
    for step in range(hand.seats):
        seat = seat_from_dealer(hand, step)
        if hand.live[seat]:
            card = draw(hand, seat * CARDS_PER_SEAT + number)
            if hand.street == SEVENTH:
                hand.hole[seat, 2] = card
                take(hand, seat, card)
            else:
                turn_up(hand, seat, card)


@inlined
def burn(rules: Any, hand: Any) -> None:
    """Burn a card before a street, where cards are burned."""
    if rules.burn_cards:
        hand.burned[hand.burns] = draw(hand, BURN_SLOT + hand.burns)
        hand.burns += 1


@inlined
def enough_for_seventh(rules: Any, hand: Any) -> bool:
    """Whether each live seat gets a seventh card of its own; shuffles the burned cards in where the rule says so.

    With burns two more cards are needed than seats: one to burn, and the last card is never dealt (LA 228).
    """
    if not rules.burn_cards:
        return bool(hand.stub >= hand.live_count)
    needed = hand.live_count + 2
    if hand.stub >= needed:
        return True
    enough = hand.stub + hand.burns >= needed
    if enough or hand.stub <= 2:
        shuffle_burns_in(hand)
    return enough


@inlined
def shuffle_burns_in(hand: Any) -> None:
    """The burned cards go back into the stub; in a given deck they lie at its bottom, as they were burned."""
    for number in range(hand.burns):
        card = int(hand.burned[number])
        if hand.source == IN_ORDER:
            hand.given[hand.next_given + hand.stub] = card
        elif hand.source == RANDOM:
            hand.cards_out &= ~(1 << card)
        hand.stub += 1


@inlined
def find_bring_in(rules: Any, hand: Any) -> int:
    """The seat whose door card brings it in: the highest card, or the lowest, suits deciding among ranks."""
    found = NOBODY
    for seat in range(hand.seats):
        if hand.live[seat]:
            door_card = hand.up[seat, 0]
            if found == NOBODY or (door_card > hand.up[found, 0]) == (rules.bring_in_card == _HIGH_BRINGS_IN):
                found = seat
    return found


@inlined
def find_opener(rules: Any, hand: Any) -> int:
    """The live seat with the best board, the first from the dealer or the best suit among equals."""
    found = NOBODY
    best = 0
    for step in range(hand.seats):
        seat = seat_from_dealer(hand, step)
        if hand.live[seat]:
            rank = _board_rank(rules, hand, seat)
            if found == NOBODY or rank < best:
                found, best = seat, rank
    return found


@inlined
def _board_rank(rules: Any, hand: Any, seat: int) -> int:
    """What orders the boards: the smallest opens."""
    once, twice = int(hand.board_once[seat]), int(hand.board_twice[seat])
    thrice, four = int(hand.board_thrice[seat]), int(hand.board_four[seat])
    high = rules.opens == _HIGH_OPENS
    if high:
        once, twice, thrice, four = ace_high(once), ace_high(twice), ace_high(thrice), ace_high(four)
    key = key_of_masks(once, twice, thrice, four, int(hand.up_count[seat]))
    if high:
        key = -key
    if rules.opener_tie == _TIE_BY_SUIT:
        key = key * 4 + 3 - _suit_of_highest(hand, seat, high)
    return key


@inlined
def _suit_of_highest(hand: Any, seat: int, high: bool) -> int:
    """The suit of the board's highest-ranked card, the better of two such; the ace is low unless high boards open."""
    best = 0
    for number in range(hand.up_count[seat]):
        card = int(hand.up[seat, number])
        if high and card < 4:
            card += DECK_SIZE
        best = max(best, card)
    return best & 3


@inlined
def seats_mask(hand: Any) -> int:
    """Bits of the live seats that have chips behind."""
    mask = 0
    for seat in range(hand.seats):
        if hand.live[seat] and hand.stack[seat] > 0:
            mask |= 1 << seat
    return mask


@inlined
def next_in(mask: int, seat: int) -> int:
    """The first seat of a non-empty mask clockwise after `seat` (-1: from the first seat on)."""
    later = mask & ~((1 << (seat + 1)) - 1)
    return lowest_bit(later if later != 0 else mask)
