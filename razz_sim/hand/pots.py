"""The end of a hand: uncalled chips, rake, main and side pots, odd chips, and who shows."""

from __future__ import annotations

from typing import Any

from razz_sim.compiling import bit_count, inlined
from razz_sim.hand.dealing import seat_from_dealer
from razz_sim.hand.record import NOBODY, code
from razz_sim.lowball import FULL_HOUSE, MASK, MASK_BITS, QUADS, SHAPE_SHIFT, TRIPS, WORST_KEY, key_of_masks
from razz_sim.rules import Street

_FOURTH = int(Street.FOURTH)
_MILLION = 1_000_000
_BY_POSITION = code("odd_chip", "position")
_BY_HIGH_CARD = code("odd_chip", "high_card")
_SHOW_BY_SEAT = code("show_first", "seat")
_CARD_BITS = 6


@inlined
def finish(rules: Any, hand: Any) -> None:
    """Give uncalled chips back, take the rake and award every pot; the stacks are then final."""
    hand.over = 1
    hand.street_open = 0
    hand.seat = NOBODY
    return_uncalled(hand)
    hand.rake = rake_of(rules, hand)
    if hand.live_count == 1:
        hand.pots = min(1, hand.pot)
        hand.pot_amount[0] = hand.pot
        hand.pot_seats[0] = 0
        for seat in range(hand.seats):
            hand.pot_award[0, seat] = 0
            if hand.live[seat]:
                hand.pot_seats[0] = 1 << seat
                hand.pot_award[0, seat] = hand.pot - hand.rake
                hand.award[seat] = hand.pot - hand.rake
                hand.stack[seat] += hand.award[seat]
        return
    hand.showdown = 1
    for seat in range(hand.seats):
        if hand.live[seat]:
            hand.low_key[seat] = (
                WORST_KEY
                if hand.mucked >> seat & 1
                else key_of_masks(
                    int(hand.once[seat]),
                    int(hand.twice[seat]),
                    int(hand.thrice[seat]),
                    int(hand.four[seat]),
                    7,
                )
            )
    make_pots(hand)
    rake_left = hand.rake
    for pot in range(hand.pots):
        taken = min(rake_left, hand.pot_amount[pot])
        rake_left -= taken
        award_pot(rules, hand, pot, hand.pot_amount[pot] - taken)
    for seat in range(hand.seats):
        hand.stack[seat] += hand.award[seat]


@inlined
def return_uncalled(hand: Any) -> None:
    """The part of the largest contribution that nobody matched goes back, a bring-in's or an ante's included."""
    largest, second, owner = 0, 0, 0
    for seat in range(hand.seats):
        amount = hand.total_in[seat]
        if amount > largest:
            largest, second, owner = amount, largest, seat
        elif amount > second:
            second = amount
    uncalled = largest - second
    hand.returned[owner] = uncalled
    hand.total_in[owner] -= uncalled
    hand.stack[owner] += uncalled
    hand.pot -= uncalled


@inlined
def rake_of(rules: Any, hand: Any) -> int:
    """The room's share of the whole pot: percent, capped, in whole chips."""
    if hand.rake_taken >= 0:
        return min(hand.rake_taken, hand.pot)
    if rules.rake_per_million == 0 or (hand.street < _FOURTH and not rules.rake_third_street):
        return 0
    share = min(hand.pot * rules.rake_per_million // _MILLION, rules.rake_cap[hand.dealt_in])
    return share - share % rules.chip


@inlined
def make_pots(hand: Any) -> None:
    """Main pot and side pots, one for each different contribution of a live seat, contested by those who put it in.

    What folded seats put in above the last such level has no live contributor: it merges into the pot below.
    """
    hand.pots = 0
    below = 0
    in_pots = 0
    while True:
        level = 0
        for seat in range(hand.seats):
            if hand.live[seat] and hand.total_in[seat] > below and (level == 0 or hand.total_in[seat] < level):
                level = hand.total_in[seat]
        if level == 0:
            break
        amount = 0
        contestants = 0
        for seat in range(hand.seats):
            amount += max(0, min(hand.total_in[seat], level) - below)
            if hand.live[seat] and hand.total_in[seat] >= level:
                contestants |= 1 << seat
        for seat in range(hand.seats):
            hand.pot_award[hand.pots, seat] = 0
        hand.pot_amount[hand.pots] = amount
        hand.pot_seats[hand.pots] = contestants
        hand.pots += 1
        in_pots += amount
        below = level
    if hand.pots > 0:
        hand.pot_amount[hand.pots - 1] += hand.pot - in_pots


@inlined
def award_pot(rules: Any, hand: Any, pot: int, amount: int) -> None:
    """Split what is left of a pot after rake among its lowest hands, in whole chips, odd ones by the rule."""
    best = WORST_KEY + 1
    winners = 0
    for seat in range(hand.seats):
        if hand.pot_seats[pot] >> seat & 1:
            if hand.low_key[seat] < best:
                best = hand.low_key[seat]
                winners = 0
            if hand.low_key[seat] == best:
                winners |= 1 << seat
    count = bit_count(winners)
    chips = amount // rules.chip
    share = chips // count * rules.chip
    odd_chips = chips % count
    remainder = amount % rules.chip
    for seat in range(hand.seats):
        if winners >> seat & 1:
            give(hand, pot, seat, share)
    waiting = winners
    while odd_chips > 0 or remainder > 0:
        seat = first_for_odd_chip(rules, hand, waiting)
        waiting &= ~(1 << seat)
        give(hand, pot, seat, (rules.chip if odd_chips > 0 else 0) + remainder)
        odd_chips -= 1
        remainder = 0


@inlined
def give(hand: Any, pot: int, seat: int, amount: int) -> None:
    """Part of a pot goes to a seat."""
    hand.pot_award[pot, seat] += amount
    hand.award[seat] += amount


@inlined
def first_for_odd_chip(rules: Any, hand: Any, seats: int) -> int:
    """Which of the tied seats (a mask) is first in the order of odd chips."""
    found = NOBODY
    best = 0
    for step in range(hand.seats):
        seat = seat_from_dealer(hand, step)
        if seats >> seat & 1:
            rank = 0
            if rules.odd_chip != _BY_POSITION:
                rank = -_used_cards(hand, seat) if rules.odd_chip == _BY_HIGH_CARD else _lowest_card(hand, seat)
            if found == NOBODY or rank < best:
                found, best = seat, rank
    return found


@inlined
def card_number(hand: Any, seat: int, number: int) -> int:
    """Card `number` (0 to 6) of a seat: two down, four up, the last down or the community card."""
    if number < 2:
        return int(hand.hole[seat, number])
    if number < 6:
        return int(hand.up[seat, number - 2])
    return int(hand.community) if hand.shared_seventh else int(hand.hole[seat, 2])


@inlined
def _used_cards(hand: Any, seat: int) -> int:
    """The five cards a low uses, from the highest down, packed so that the better ones compare larger."""
    key = hand.low_key[seat]
    shape, paired, others = key >> SHAPE_SHIFT, key >> MASK_BITS & MASK, key & MASK
    packed = 0
    for rank in range(12, -1, -1):
        wanted = 0
        if paired >> rank & 1:
            wanted = 4 if shape == QUADS else 3 if shape in (TRIPS, FULL_HOUSE) else 2
        elif others >> rank & 1:
            wanted = 2 if shape == FULL_HOUSE else 1
        for card in range(4 * rank + 3, 4 * rank - 1, -1):
            for number in range(7):
                if wanted > 0 and card_number(hand, seat, number) == card:
                    packed = packed << _CARD_BITS | card
                    wanted -= 1
    return packed


@inlined
def _lowest_card(hand: Any, seat: int) -> int:
    """The lowest of a seat's seven cards by rank, then suit; a community card may tie two seats."""
    lowest = card_number(hand, seat, 0)
    for number in range(1, 7):
        lowest = min(lowest, card_number(hand, seat, number))
    return lowest


@inlined
def find_show_order(rules: Any, hand: Any) -> int:
    """Who shows in which order, and who need not: fills `show_order` and `shown`; the number of seats in it.

    The last aggressor of seventh street shows first, else the first from the dealer or the opener; then clockwise.
    A seat that can win no pot it contests, against the hands shown before it, mucks.
    """
    hand.shown = 0
    if not hand.showdown:
        return 0
    first = hand.aggressor
    if first == NOBODY:
        first = seat_from_dealer(hand, 0) if rules.show_first == _SHOW_BY_SEAT else hand.opener
    count = 0
    for step in range(hand.seats):
        seat = (first + step) % hand.seats
        if hand.live[seat]:
            hand.show_order[count] = seat
            count += 1
            if _may_win(hand, seat):
                hand.shown |= 1 << seat
    return count


@inlined
def _may_win(hand: Any, seat: int) -> bool:
    """Whether a hand wins or ties some pot among those shown so far."""
    if hand.mucked >> seat & 1:
        return False
    for pot in range(hand.pots):
        if hand.pot_seats[pot] >> seat & 1:
            beaten = False
            for other in range(hand.seats):
                rival = (hand.shown & hand.pot_seats[pot]) >> other & 1
                if rival and hand.low_key[other] < hand.low_key[seat]:
                    beaten = True
            if not beaten:
                return True
    return False
