"""Winnings by expectation: what an all-in hand is worth once the last card alone decides it.

When fewer than two seats have chips left before seventh street, nobody can bet any more, and the last cards only
distribute what is in the pots. The winnings are then replaced by their exact expectation over the last cards of up to
three of the seats, all other cards as they lie: by the law of total expectation the mean stays what it is, and the
part of the variance that these cards make is gone (Rao and Blackwell). Odd chips count as split evenly.
"""

from __future__ import annotations

from typing import Any

from razz_sim.cards import DECK_SIZE
from razz_sim.compiling import bit_count, inlined
from razz_sim.hand.pots import card_number
from razz_sim.hand.record import NOBODY
from razz_sim.lowball import WORST_KEY, key_of_masks

PARTS = 256
"""Expected winnings are whole parts of a smallest unit."""
MOST_DEALT_ANEW = 3
"""Seats whose last card is averaged over: the first live ones."""
_DECK = (1 << DECK_SIZE) - 1
_EVENLY = 840
"""Divisible by any number of seats that may tie."""
_SUITS = 15


@inlined
def is_all_in(hand: Any) -> bool:
    """Whether only the last cards decided the hand: a showdown, and nobody could bet any more before them."""
    return bool(hand.showdown and hand.closed_early)


@inlined
def find_expected(hand: Any, room: Any) -> None:
    """Fill `room.expected` with each seat's winnings by expectation, in PARTS of a smallest unit.

    `room` has space to work in: `weights` by pot and seat, `keys` by seat and kind of last card, `cards` how many there
    are of each kind, `last` the kind of each seat's last card.
    """
    left = _DECK & ~hand.cards_out
    first, second, third = NOBODY, NOBODY, NOBODY
    for seat in range(hand.seats):
        room.expected[seat] = 0
        room.last[seat] = 0
        for pot in range(hand.pots):
            room.weights[pot, seat] = 0
        if not hand.live[seat]:
            continue
        anew = hand.shared_seventh != 0
        if not anew:
            if first == NOBODY:
                first, anew = seat, True
            elif second == NOBODY:
                second, anew = seat, True
            elif third == NOBODY:
                third, anew = seat, True
            if anew:
                left |= 1 << int(hand.hole[seat, 2])
        _find_keys(hand, room, seat, anew)
    if hand.shared_seventh:
        left |= 1 << int(hand.community)
    kinds = _find_kinds(hand, room, left)
    if hand.shared_seventh:
        _weigh_shared(hand, room, kinds)
    else:
        _weigh(hand, room, kinds, first, second, third)
    rake_left = hand.rake
    for pot in range(hand.pots):
        taken = min(rake_left, hand.pot_amount[pot])
        rake_left -= taken
        _share(hand, room, pot, (hand.pot_amount[pot] - taken) * PARTS)


@inlined
def _find_kinds(hand: Any, room: Any, left: int) -> int:
    """Ranks that make the same lows for everybody are one kind of last card: how many kinds there are.

    Then `room.cards` holds how many cards of each kind are left, and `room.keys` is by kind instead of by rank.
    """
    kinds = 0
    for rank in range(13):
        count = bit_count(left >> (4 * rank) & _SUITS)
        if count == 0:
            continue
        kind = 0
        while kind < kinds and not _same_lows(hand, room, kind, rank):
            kind += 1
        if kind == kinds:
            kinds += 1
            room.cards[kind] = 0
            for seat in range(hand.seats):
                if hand.live[seat]:
                    room.keys[seat, kind] = room.keys[seat, rank]
        room.cards[kind] += count
    return kinds


@inlined
def _same_lows(hand: Any, room: Any, kind: int, rank: int) -> bool:
    same = True
    for seat in range(hand.seats):
        if hand.live[seat] and room.keys[seat, kind] != room.keys[seat, rank]:
            same = False
    return same


@inlined
def _find_keys(hand: Any, room: Any, seat: int, anew: bool) -> None:
    """The key of a seat's low by the rank of its last card."""
    once, twice, thrice, four = 0, 0, 0, 0
    for number in range(6):
        bit = 1 << (card_number(hand, seat, number) >> 2)
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    for rank in range(13):
        bit = 1 << rank
        room.keys[seat, rank] = (
            key_of_masks(once | bit, twice | once & bit, thrice | twice & bit, four | thrice & bit, 7)
            if anew
            else hand.low_key[seat]
        )


@inlined
def _weigh_shared(hand: Any, room: Any, kinds: int) -> None:
    """Weigh each kind of community card."""
    for kind in range(kinds):
        for seat in range(hand.seats):
            room.last[seat] = kind
        _find_winners(hand, room, room.cards[kind])


@inlined
def _weigh(hand: Any, room: Any, kinds: int, first: int, second: int, third: int) -> None:
    """Weigh each combination of kinds of cards that these seats may get by the number of its deals."""
    for one in range(kinds):
        of_one = room.cards[one]
        room.last[first] = one
        for two in range(kinds):
            deals = of_one * (room.cards[two] - (two == one))
            if deals <= 0:
                continue
            room.last[second] = two
            if third == NOBODY:
                _find_winners(hand, room, deals)
                continue
            for three in range(kinds):
                of_three = room.cards[three] - (three == one) - (three == two)
                if of_three > 0:
                    room.last[third] = three
                    _find_winners(hand, room, deals * of_three)


@inlined
def _find_winners(hand: Any, room: Any, weight: int) -> None:
    """Add a weight to the winners of each pot, shared evenly."""
    for pot in range(hand.pots):
        best, winners = WORST_KEY + 1, 0
        for seat in range(hand.seats):
            if hand.pot_seats[pot] >> seat & 1:
                key = room.keys[seat, room.last[seat]]
                if key < best:
                    best, winners = key, 0
                if key == best:
                    winners |= 1 << seat
        each = weight * (_EVENLY // bit_count(winners))
        for seat in range(hand.seats):
            if winners >> seat & 1:
                room.weights[pot, seat] += each


@inlined
def _share(hand: Any, room: Any, pot: int, amount: int) -> None:
    """Give each seat its part of a pot by weight, rounded down, and what rounding leaves to the last of them."""
    total = 0
    for seat in range(hand.seats):
        total += room.weights[pot, seat]
    given, last = 0, NOBODY
    for seat in range(hand.seats):
        weight = room.weights[pot, seat]
        if weight > 0:
            part = amount // total * weight + amount % total * weight // total
            room.expected[seat] += part
            given += part
            last = seat
    if last != NOBODY:
        room.expected[last] += amount - given
