"""Good starting hands, then boards."""

from razz_sim.strategy import strategy, whole
from razz_sim.view import STAY, different_ranks, highest_rank, raise_or_stay, stay_or_fold


@strategy(limit=whole(8, 3, 13, "highest of the three different ranks that are played (8: eights and lower)"))
def tight(view, params, memory, u):
    """Three different low ranks to start with, then bets when ahead on board and folds when well behind.

    On third street it completes with three different ranks up to `limit` and folds the rest. Later it counts the ranks
    that are useful to a low, up to two above `limit`. With five of them, or three more than any live board shows, it
    bets and raises; with one more, or on fourth street, it checks and calls; else it folds.

    The starting rule is the common advice of the textbooks (Sklansky, "Sklansky on Razz", Starting Hands); the
    later streets are original.
    """
    if view.street == 3:
        if different_ranks(view.my_once) == 3 and highest_rank(view.my_once) < params.limit:
            return raise_or_stay(view)
        return stay_or_fold(view)
    useful = (1 << min(13, params.limit + 2)) - 1
    mine = different_ranks(view.my_once & useful)
    best_rival = 0
    for seat in range(view.seats):
        if view.live[seat] and seat != view.seat:
            best_rival = max(best_rival, different_ranks(view.board_once[seat] & useful))
    if mine >= 5 or mine > best_rival + 2:
        return raise_or_stay(view)
    if mine >= best_rival + 1 or view.street == 4:
        return STAY
    return stay_or_fold(view)
