"""The player who waits."""

from razz_sim.reading import ahead_on_board, cards_to, ranks_to
from razz_sim.strategy import strategy, whole
from razz_sim.view import STAY, different_ranks, highest_rank, raise_or_stay, stay_or_fold

EIGHT = 7


@strategy(limit=whole(5, 3, 13, "highest of the three different ranks that are played (5: fives and lower)"))
def rock(view, params, memory, u):
    """Plays only the very best starts, and folds unless it is clearly best.

    It completes with three different ranks up to `limit`, never steals and never defends its bring-in with less.
    Later it bets and raises as long as every card it caught is a new one up to an eight and its board is the lowest, or
    with a made eight; it calls with a one-card draw on fourth and fifth street, though not a raise where it also
    holds a card above an eight, and folds what is left.

    Original: the rock of every card room.
    """
    if view.street == 3:
        good = different_ranks(view.my_once) == 3 and highest_rank(view.my_once) < params.limit
        return raise_or_stay(view) if good else stay_or_fold(view)
    useful = cards_to(view.my_once, EIGHT)
    if useful >= 5 or (useful == view.street and ahead_on_board(view)):
        return raise_or_stay(view)
    holds_high = different_ranks(view.my_once & ranks_to(EIGHT)) < different_ranks(view.my_once)
    if useful == 4 and view.street <= 5 and not (holds_high and view.bets_made > 1):
        return STAY
    return stay_or_fold(view)
