"""The ante thief."""

from razz_sim.strategy import strategy, whole
from razz_sim.view import NOBODY, STAY, different_ranks, highest_rank, raise_or_stay, stay_or_fold


@strategy(
    limit=whole(8, 3, 13, "highest of the three different ranks that are played whatever the others show"),
    door=whole(9, 2, 13, "highest own door card that a steal is tried with"),
)
def stealer(view, params, memory, u):
    """Plays good starts, and completes with a low door card when those of all who have not folded are higher.

    A steal needs that nobody has completed, and an own door card up to `door` below the door cards of all live rivals,
    of the bring-in and of those who only called it too.
    After third street it bets while its board is lower than the others' and gives up when called and behind.

    The steal is the textbooks' (Sklansky, "Sklansky on Razz", Ante Stealing); the play after it is original.
    """
    door_rank = highest_rank(view.board_once[view.seat])
    lowest_rival = 13
    for seat in range(view.seats):
        if view.live[seat] and seat != view.seat:
            lowest_rival = min(lowest_rival, highest_rank(view.board_once[seat]))
    if view.street == 3:
        good = different_ranks(view.my_once) == 3 and highest_rank(view.my_once) < params.limit
        steal = view.completer == NOBODY and door_rank < min(params.door, lowest_rival)
        return raise_or_stay(view) if good or steal else stay_or_fold(view)
    mine = different_ranks(view.my_once & 0xFF)
    if mine >= 5 or (door_rank < lowest_rival and different_ranks(view.board_once[view.seat]) == view.street - 2):
        return raise_or_stay(view)
    return STAY if mine >= view.street - 1 else stay_or_fold(view)
