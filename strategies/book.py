"""Play by the standard texts."""

from razz_sim.reading import (
    ahead_on_board,
    cards_to,
    caught_good,
    live_ranks,
    lowest_behind,
    lowest_board,
    made_low,
    ranks_to,
    second_rank,
)
from razz_sim.strategy import alike, strategy, whole
from razz_sim.view import NOBODY, STAY, board_key, different_ranks, highest_rank, raise_or_stay, stay_or_fold

SIX, SEVEN, EIGHT, NINE = 5, 6, 7, 8


@strategy(
    dead=whole(2, 0, 20, "dead cards among the ranks it still needs, up to which a nine is a start"),
    door=whole(11, 2, 13, "highest own door card that a steal is tried with"),
)
def book(view, params, memory, u):
    """Third-street ranges by door cards and dead cards as the standard texts give them, then plays the boards.

    Three cards to an eight are a start, a nine when its cards are live, and, where nobody has completed, an eight or
    lower with a door card up to `door` that is below those of all who have yet to act: who called the bring-in is not
    looked at. Against a completion rough eights and nines are folded to a lower door card. On fourth
    street it gives up when it caught bad and a rival caught good; on fifth it goes on with a made nine or a draw to an
    eight; from then on it bets while it is ahead on board or made, and calls with what beats a fair part of the boards.

    Sklansky, "Sklansky on Razz" (in "Sklansky on Poker"): starting hands, dead cards, ante stealing and the fold on
    fourth street; PokerNews, "Starting Hands and Dead Cards in Razz". The numbers for dead cards are our own.
    """
    if view.street == 3:
        return _third(view, params)
    caught, rival_caught = caught_good(view, view.seat, EIGHT), _rivals_good(view)
    mine, useful = made_low(view.my_once), cards_to(view.my_once, EIGHT)
    ahead = ahead_on_board(view)
    if view.street == 4:
        if caught and (useful == 4 or ahead):
            return raise_or_stay(view) if ahead or rival_caught == 0 else STAY
        if not caught and rival_caught > 0 and not (cards_to(view.my_once, SEVEN) == 3 and rival_caught == 1):
            return stay_or_fold(view)
        return raise_or_stay(view) if ahead and view.to_call == 0 else STAY
    shown = _most_shown(view)
    if mine <= EIGHT or (mine == NINE and shown <= 2):
        return raise_or_stay(view) if ahead or shown <= view.street - 3 else STAY
    if view.to_call == 0:
        return raise_or_stay(view) if ahead and useful >= 3 else STAY
    return STAY if min(5, cards_to(view.my_once, NINE)) > shown else stay_or_fold(view)


@alike
def _third(view, params):
    """Fold, come in or complete."""
    top = highest_rank(view.my_once) if different_ranks(view.my_once) == 3 else 99
    door = board_key(view, view.seat)
    needed = ranks_to(EIGHT) & ~view.my_once
    dead = 4 * different_ranks(needed) - live_ranks(view, needed)
    if view.completer == NOBODY:
        if top <= EIGHT or (top == NINE and dead <= params.dead):
            return raise_or_stay(view)
        steal = door < 1 << params.door and door < lowest_behind(view) and cards_to(view.my_once, EIGHT) >= 1
        return raise_or_stay(view) if steal else stay_or_fold(view)
    rough = top == EIGHT and second_rank(view.my_once, EIGHT) >= SIX
    lower_door = board_key(view, view.completer) < door
    if top <= SEVEN or (top == EIGHT and not (rough and lower_door)):
        return raise_or_stay(view) if top <= SEVEN else STAY
    return STAY if top == NINE and dead <= params.dead and lowest_board(view) > door else stay_or_fold(view)


@alike
def _rivals_good(view):
    """How many live rivals caught a good card last."""
    count = 0
    for seat in range(view.seats):
        if view.live[seat] and seat != view.seat:
            count += caught_good(view, seat, EIGHT)
    return count


@alike
def _most_shown(view):
    """The most useful up cards that a live rival shows."""
    most = 0
    for seat in range(view.seats):
        if view.live[seat] and seat != view.seat:
            most = max(most, cards_to(view.board_once[seat], EIGHT))
    return most
