"""The player who looks across the table."""

from razz_sim.reading import ahead_on_board, cards_to, lowest_behind, unbeatable
from razz_sim.strategy import strategy, whole
from razz_sim.view import NOBODY, STAY, board_key, raise_or_stay, stay_or_fold

NINE = 8


@strategy(
    limit=whole(8, 3, 13, "highest of the three different ranks that are played whatever the others show"),
    steal=whole(9, 2, 13, "highest own door card that a steal is tried with"),
)
def board_reader(view, params, memory, u):
    """Plays its low against what the boards can hold: bets what cannot be beaten, folds what is beaten on board.

    On third street it plays three ranks up to `limit`. It steals with a door card up to `steal` that is below those of
    all who have yet to act, where nobody has completed: who called the bring-in is not looked at.
    Later it bets and raises when no live rival can be lower, with the best down cards there are for its board, and
    bets when its own board is the lowest. It calls while it holds more ranks up to a nine than any rival shows, and
    folds the rest.

    Original.
    """
    if view.street == 3:
        good = cards_to(view.my_once, params.limit - 1) == 3
        own = board_key(view, view.seat)
        steal = view.completer == NOBODY and own < 1 << params.steal and own < lowest_behind(view)
        return raise_or_stay(view) if good or steal else stay_or_fold(view)
    if unbeatable(view):
        return raise_or_stay(view)
    if view.to_call == 0:
        return raise_or_stay(view) if ahead_on_board(view) else STAY
    most_shown = 0
    for seat in range(view.seats):
        if view.live[seat] and seat != view.seat:
            most_shown = max(most_shown, cards_to(view.board_once[seat], NINE))
    return STAY if min(5, cards_to(view.my_once, NINE)) > most_shown else stay_or_fold(view)
