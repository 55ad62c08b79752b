"""Reading the table: live cards, lows and draws, boards, and the chances that follow from them.

For compiled strategies and for those in plain Python, with the same answers. Ranks are ace 0 .. king 12, so an eight is
7; a *limit* is the highest rank that still helps. A *chance* is exact: all cards that the seat has not seen are equally
likely wherever they are. `docs/reading.md` says how good and how fast these helpers are.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np

from razz_sim.cards import DECK_SIZE
from razz_sim.compiling import alike, bit_count, compiled_as, highest_bit, inlined
from razz_sim.lowball import MASK, MASK_BITS, WORST_KEY, key_of_masks, lowest_five
from razz_sim.rules import MAX_SEATS
from razz_sim.view import NOBODY, board_key, my_key

WHEEL_TOP, NO_LOW = 4, 13
"""The highest ranks of the best low and, above the king, of a hand that makes none."""

THIRD_STREET, WHOLE_HAND = 3, 7
MANY_BETS = 99

_COPIES = sum(1 << MASK_BITS * number for number in range(4))
"""A mask times this has each rank four times, as a set of unseen cards has."""


# Live and dead cards


def _compiled_unseen_cards(view: Any) -> int:
    unseen = 0
    for rank in range(MASK_BITS):
        unseen |= (_COPIES & ((1 << MASK_BITS * (4 - view.up_ranks[rank])) - 1)) << rank
    for number in range(3):
        unseen = _without(unseen, view.hole[number])
    return _without(unseen, view.community)


@inlined
def _without(unseen: int, card: int) -> int:
    """The set with one card less of a card's rank; unchanged for NO_CARD."""
    if card < 0:
        return unseen
    rank = card >> 2
    return unseen ^ 1 << (rank + MASK_BITS * (bit_count(unseen >> rank & _COPIES) - 1))


_DIGITS = tuple(bytes(b"01"[seen <= most] for seen in range(256)) for most in range(4))
"""By how many cards of a rank may be seen for more than 3, 2, 1 and 0 to be unseen: counts as binary digits."""


@compiled_as(_compiled_unseen_cards)
def unseen_cards(view: Any) -> int:
    """The cards the seat has not seen, as a set: bit `13 * i + r` is set when more than i of rank r are unseen."""
    seen = bytearray(view.up_ranks)
    for card in (*view.hole, view.community):
        if card >= 0:
            seen[card >> 2] += 1
    seen.reverse()
    four, three, two, one = _DIGITS
    return int(seen.translate(four) + seen.translate(three) + seen.translate(two) + seen.translate(one), 2)


@alike
def live_cards(view: Any, rank: int) -> int:
    """How many cards of a rank the seat has not seen: 0 when the rank is dead."""
    hole = view.hole
    live = 4 - view.up_ranks[rank] - (view.community >> 2 == rank)
    return live - (hole[0] >> 2 == rank) - (hole[1] >> 2 == rank) - (hole[2] >> 2 == rank)


@alike
def live_ranks(view: Any, mask: int) -> int:
    """How many cards of a mask's ranks the seat has not seen; of all cards for the mask `razz_sim.lowball.MASK`."""
    return bit_count(unseen_cards(view) & int(mask) * _COPIES)


# Position and betting


@alike
def position(view: Any) -> int:
    """How many seats clockwise from the bring-in the seat sits: 0 is the bring-in; NOBODY when nobody owed it."""
    return (view.seat - view.bring_in_seat) % view.seats if view.bring_in_seat >= 0 else NOBODY


@alike
def bets_left(view: Any) -> int:
    """How many bets and raises this round may still have; MANY_BETS when nothing caps it."""
    return view.bets_cap - view.bets_made if view.bets_cap > 0 else MANY_BETS


# Lows and draws


@alike
def ranks_to(limit: int) -> int:
    """The mask of the ranks up to a limit: 0xFF for an eight (7)."""
    return ((1 << (limit + 1)) - 1) & MASK


@alike
def cards_to(mask: int, limit: int) -> int:
    """How many different ranks up to a limit are held: 4 is a one-card draw to it, 5 or more a made low."""
    return bit_count(mask & ranks_to(limit))


@alike
def made_low(mask: int) -> int:
    """The highest rank of the best low when five different ranks are held, else NO_LOW: a made eight gives 7."""
    return highest_bit(lowest_five(mask)) if bit_count(mask) >= 5 else NO_LOW


@alike
def second_rank(mask: int, limit: int) -> int:
    """The second highest rank of the best low or draw up to a limit, -1 for none: 6 for a rough eight, 3 for 8-4."""
    low = lowest_five(mask & ranks_to(limit))
    top = highest_bit(low)
    return -1 if top < 0 else highest_bit(low ^ 1 << top)


@alike
def caught_good(view: Any, seat: int, limit: int) -> bool:
    """Whether a seat's last up card is up to a limit and pairs nothing that is known of its hand."""
    rank = view.up[seat][view.up_count[seat] - 1] >> 2
    twice = view.my_twice if seat == view.seat else view.board_twice[seat]
    return 0 <= rank <= limit and twice >> rank & 1 == 0


# Boards


@alike
def lowest_board(view: Any) -> int:
    """The key of the lowest board among live rivals (see `board_key`); WORST_KEY when there is none."""
    live, me = view.live, view.seat
    lowest = WORST_KEY
    for seat in range(view.seats):
        if live[seat] and seat != me:
            lowest = min(lowest, board_key(view, seat))
    return lowest


@alike
def lowest_behind(view: Any) -> int:
    """The key of the lowest board among live rivals with chips who have not acted on this street yet, or WORST_KEY.

    On third street these are the door cards that an ante steal must get past.
    """
    live, stack, me, street = view.live, view.stack, view.seat, view.street - THIRD_STREET
    lowest = WORST_KEY
    for seat in range(view.seats):
        waits = live[seat] and stack[seat] > 0 and seat != me
        if waits and view.raises[seat][street] == 0 and view.stays[seat][street] == 0:
            lowest = min(lowest, board_key(view, seat))
    return lowest


@alike
def ahead_on_board(view: Any) -> bool:
    """Whether the seat's board is lower than every live rival's: what the others see."""
    return board_key(view, view.seat) < lowest_board(view)


@alike
def best_possible(view: Any, seat: int) -> int:
    """The key of the best low that a rival can hold now: its board with the best down cards that are unseen.

    Comparable with `my_key`: the hands are of as many cards.
    """
    return _best_possible(view, seat, unseen_cards(view))


@alike
def _best_possible(view: Any, seat: int, unseen: int) -> int:
    once, twice = int(view.board_once[seat]), int(view.board_twice[seat])
    thrice, four = int(view.board_thrice[seat]), int(view.board_four[seat])
    down = view.street - view.up_count[seat]
    if view.community >= 0:
        bit = 1 << (int(view.community) >> 2)
        four, thrice, twice, once = four | thrice & bit, thrice | twice & bit, twice | once & bit, once | bit
        down -= 1
    fresh = unseen & MASK & ~once
    for _ in range(down):
        lowest = fresh & -fresh
        once |= lowest
        fresh ^= lowest
    return key_of_masks(once, twice, thrice, four, int(view.street))


@alike
def unbeatable(view: Any) -> bool:
    """Whether no live rival can be lower now, whatever it has in the hole: on seventh street, at worst a split."""
    live, me = view.live, view.seat
    mine, unseen = my_key(view), unseen_cards(view)
    for seat in range(view.seats):
        if live[seat] and seat != me and _best_possible(view, seat, unseen) < mine:
            return False
    return True


# Chances


def _pascal() -> np.ndarray:
    rows = [[comb(things, chosen) for chosen in range(WHOLE_HAND + 1)] for things in range(DECK_SIZE + 1)]
    return np.array(rows, dtype=np.int64)


_CHOICES = _pascal()


@compiled_as(lambda things, chosen: _CHOICES[things, chosen])
def _choices(things: int, chosen: int) -> int:
    """The ways to choose 0 to 7 of 0 to 52 things."""
    return comb(things, chosen)


_MOST_OVER = 2
"""A low takes five of seven cards: at most two of those to come are more than it needs."""


def _ways_by_ranks() -> np.ndarray:
    """[ranks with 1, 2, 3, 4 live cards; different ranks d; over]: the ways to choose d + over cards of d ranks."""
    ways = np.zeros((MASK_BITS + 1,) * 4 + (WHOLE_HAND + 1, _MOST_OVER + 1), dtype=np.int64)
    ways[0, 0, 0, 0, 0, 0] = 1
    for live in range(1, 5):
        by_count: Any = np.moveaxis(ways, live - 1, 0)[(slice(None),) * live + (0,) * (4 - live)]
        for count in range(1, MASK_BITS + 1):
            fewer, more = by_count[count - 1], by_count[count]
            more += fewer  # no card of one more rank is chosen, or one and `over` more
            for over in range(min(live, _MOST_OVER + 1)):
                more[..., 1:, over:] += comb(live, 1 + over) * fewer[..., :-1, : _MOST_OVER + 1 - over]
    return ways


def _ways_to_hit() -> np.ndarray:
    """[place, need - 1, over]: the ways in which need + over cards of some ranks are of at least `need` of them.

    `place` numbers how many of the ranks have at least 1, 2, 3 and 4 live cards: see `_place`.
    """
    ways = _ways_by_ranks()
    at_least = np.array([held[::-1] for held in combinations_with_replacement(range(MASK_BITS + 1), 4)])
    places = [_place(*(int(count) for count in counts)) for counts in at_least]
    exactly = at_least - np.append(at_least[:, 1:], np.zeros((len(at_least), 1), dtype=np.int64), axis=1)
    of_place = np.zeros((len(places), WHOLE_HAND + 1, _MOST_OVER + 1), dtype=np.int64)
    of_place[places] = ways[tuple(exactly.T)]
    table = np.zeros((len(places), 5, _MOST_OVER + 1), dtype=np.int32)
    for need in range(1, 6):
        for over in range(_MOST_OVER + 1):
            table[:, need - 1, over] = sum(of_place[:, need + more, over - more] for more in range(over + 1))
    return table


@alike
def _place(one: int, two: int, three: int, four: int) -> int:
    """The number of a falling row of four counts: 0 for none, 2379 for thirteen ranks with four live cards each."""
    return _choices(one + 3, 4) + _choices(two + 2, 3) + _choices(three + 1, 2) + four


_WAYS = _ways_to_hit()
_WAYS_SEEN = _WAYS.data  # see `lowest_five`


@compiled_as(lambda place, need, over: _WAYS[place, need - 1, over])
def _ways(place: int, need: int, over: int) -> int:
    return _WAYS_SEEN[place, need - 1, over]


@alike
def chance_of_low(held: int, limit: int, to_come: int, unseen: int) -> float:
    """The exact chance that a rank mask makes five different ranks up to a limit with so many more unseen cards.

    `unseen` is a set as `unseen_cards` gives. The ways to hit are counted by how many useful ranks have 1, 2, 3 and 4
    live cards, in a table, and divided by all ways to draw. Raises ValueError for more cards than a hand has.
    """
    wanted = ranks_to(limit)
    need = 5 - bit_count(held & wanted)
    if need <= 0:
        return 1.0
    if not 0 <= to_come <= need + _MOST_OVER:
        raise ValueError("a hand has seven cards, those held and those to come together")
    missing = wanted & ~int(held)
    one, two = bit_count(unseen & missing), bit_count(unseen >> MASK_BITS & missing)
    three, four = bit_count(unseen >> 2 * MASK_BITS & missing), bit_count(unseen >> 3 * MASK_BITS & missing)
    cards = bit_count(unseen)
    useless = cards - one - two - three - four
    place = _place(one, two, three, four)
    to_come = min(to_come, cards)
    ways = 0
    for over in range(to_come - need + 1):
        ways += _ways(place, need, over) * _choices(useless, to_come - need - over)
    return ways / _choices(cards, to_come)


@alike
def my_chance(view: Any, limit: int) -> float:
    """The exact chance that the seat has a low up to a limit when all its cards are there."""
    return chance_of_low(view.my_once, limit, WHOLE_HAND - view.street, unseen_cards(view))


@alike
def their_chance(view: Any, seat: int, limit: int) -> float:
    """The exact chance that a rival has a low up to a limit at the end, its down cards being any that are unseen."""
    return chance_of_low(_known(view, seat), limit, _unknown(view, seat), unseen_cards(view))


@alike
def _known(view: Any, seat: int) -> int:
    """The ranks known of a rival's hand."""
    known = int(view.board_once[seat])
    return known | 1 << (int(view.community) >> 2) if view.community >= 0 else known


@alike
def _unknown(view: Any, seat: int) -> int:
    """How many of a rival's seven cards are down or to come."""
    return WHOLE_HAND - int(view.up_count[seat]) - int(view.community >= 0)


@alike
def rough_equity(view: Any) -> float:
    """Roughly the share of the pot that the seat wins when all live seats stay to the end.

    Every hidden card is any unseen one; the lows of different seats are taken as independent, each by its exact chances
    of a highest rank and, inside a rank, by its second highest. What is equal then is split.
    """
    unseen = unseen_cards(view)
    live, me = view.live, view.seat
    known, unknown = [0] * MAX_SEATS, [0] * MAX_SEATS
    rivals = 0
    for seat in range(view.seats):
        if live[seat] and seat != me:
            known[rivals], unknown[rivals] = _known(view, seat), _unknown(view, seat)
            rivals += 1
    mine, to_come = int(view.my_once), WHOLE_HAND - view.street
    made, of_top = [0.0] * MAX_SEATS, [0.0] * MAX_SEATS  # each rival's chance of a low up to `top`, and of just that
    mine_made = 0.0
    equity = 0.0
    for top in range(WHEEL_TOP, NO_LOW + 1):
        chance = _made_by(mine, top, to_come, unseen)
        mine_of_top, mine_made = chance - mine_made, chance
        for rival in range(rivals):
            chance = _made_by(known[rival], top, unknown[rival], unseen)
            of_top[rival], made[rival] = chance - made[rival], chance
        if mine_of_top > 0.0:
            equity += mine_of_top * _share(mine, known, made, of_top, rivals, top, unseen)
        if mine_made >= 1.0:
            break
    return equity


@alike
def _made_by(held: int, top: int, to_come: int, unseen: int) -> float:
    """The chance of a low up to a highest rank, NO_LOW for whatever comes."""
    return chance_of_low(held, top, to_come, unseen) if top < NO_LOW else 1.0


_WORTH_COUNTING = 0.002
"""The chance of a tie up to which its two sides are taken as even."""


@alike
def _share(mine: int, known: Any, made: Any, of_top: Any, rivals: int, top: int, unseen: int) -> float:
    """The share of the pot for a low of a highest rank, the rivals' chances being as `rough_equity` has them."""
    equity = 0.0
    reached = 0.0
    for second in range(WHEEL_TOP - 1, top):
        within = _within(mine, top, second, 4, unseen)
        if within > reached:
            share = within - reached
            for rival in range(rivals):
                won = 1.0 - made[rival]
                if of_top[rival] > 0.0:
                    upto = _within(known[rival], top, second, 4, unseen)
                    tied = of_top[rival] * (upto - _within(known[rival], top, second - 1, 4, unseen))
                    won += of_top[rival] * (1.0 - upto) + tied * (
                        _third_lower(mine, known[rival], second, unseen)
                        if tied * (within - reached) > _WORTH_COUNTING and top < NO_LOW
                        else 0.5
                    )
                share *= won
            equity += share
            reached = within
        if reached >= 1.0:
            break
    return equity


@alike
def _third_lower(mine: int, known: int, second: int, unseen: int) -> float:
    """The chance that of two lows with the same two highest ranks the first has the lower third; half for a tie."""
    lower = 0.0
    reached = 0.0
    for third in range(WHEEL_TOP - 2, second):
        within = _within(mine, second, third, 3, unseen)
        if within > reached:
            theirs = _within(known, second, third - 1, 3, unseen) + _within(known, second, third, 3, unseen)
            lower += (within - reached) * (1.0 - theirs / 2)
            reached = within
        if reached >= 1.0:
            break
    return lower


@alike
def _within(held: int, above: int, rank: int, size: int, unseen: int) -> float:
    """The chance that the highest of `size` ranks below one is at or below another, missing ones being equally likely.

    Below NO_LOW, where hands are all alike, it is always.
    """
    if above == NO_LOW:
        return 1.0 if rank >= WHEEL_TOP - 1 else 0.0
    below, upto = (1 << above) - 1, (2 << rank) - 1
    if held & below & ~upto:
        return 0.0
    missing = unseen & below & ~held
    need = size - bit_count(held & below)
    return _choices(bit_count(missing & upto), need) / _choices(bit_count(missing), need)


# Tournaments


@alike
def at_final_table(view: Any) -> bool:
    """Whether all who are left of a tournament sit at this table."""
    dealt_in = 0
    for seat in range(view.seats):
        if view.stack[seat] + view.total_in[seat] > 0:
            dealt_in += 1
    return view.players_left == dealt_in


@alike
def expected_prize(view: Any, seat: int, gain: int) -> float:
    """What a seat can expect of the prizes if it had so many chips more than it has behind, by the chip model (ICM).

    In smallest units of money. Others have what they have behind, and the pot nobody, unless it is in the gain; who
    has nothing then shares the places behind the others. Only at a final table: elsewhere it is nan.
    """
    chance, left = np.zeros(1 << MAX_SEATS), np.zeros(1 << MAX_SEATS)
    chips = np.zeros(MAX_SEATS)
    players = 0
    mine = -1
    for other in range(view.seats):
        stack = int(view.stack[other]) + (gain if other == seat else 0)
        if stack > 0:
            if other == seat:
                mine = players
            chips[players] = stack
            left[0] += stack
            players += 1
    if not at_final_table(view):
        return np.nan
    if mine < 0:
        return _shared_behind(view, players)
    chance[0] = 1.0
    worth = 0.0
    for finished in range((1 << players) - 1):
        prize = float(view.prizes[bit_count(finished)])
        for player in range(players):
            if finished >> player & 1 == 0:
                after = finished | 1 << player
                next_chance = chance[finished] * chips[player] / left[finished]
                chance[after] += next_chance
                left[after] = left[finished] - chips[player]
                if player == mine:
                    worth += prize * next_chance
    return worth


@alike
def _shared_behind(view: Any, players: int) -> float:
    """What each of those without chips gets, behind so many who have some."""
    together = 0.0
    for place in range(players, view.players_left):
        together += float(view.prizes[place])
    return together / (view.players_left - players)
