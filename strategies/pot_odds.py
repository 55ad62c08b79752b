"""The player who counts."""

from razz_sim.reading import cards_to, lowest_board, my_chance
from razz_sim.strategy import real, strategy, whole
from razz_sim.view import STAY, board_key, raise_or_stay, stay_or_fold


@strategy(
    limit=whole(8, 5, 13, "the low it draws to, and the highest of the three ranks it starts with (8: an eight)"),
    favourite=real(0.6, 0.0, 1.0, "chance of that low from which it bets and raises"),
    fee=real(1.0, 0.0, 5.0, "how many times the price its chance must be worth"),
)
def pot_odds(view, params, memory, u):
    """Draws when the exact chance of its low is worth the price, and bets when it is likely to have it.

    It starts with three ranks up to `limit`. Later it calls when chance >= `fee` x call / (pot + call), and bets or
    raises from a chance of `favourite` on, or when there is no wager and its board is the lowest. It looks no further:
    neither at what the others may hold nor at bets to come.

    The rule is pot odds (Sklansky, "The Theory of Poker", Pot Odds); the chance is exact, dead cards counted.
    """
    limit = params.limit - 1
    if view.street == 3:
        return raise_or_stay(view) if cards_to(view.my_once, limit) == 3 else stay_or_fold(view)
    chance = my_chance(view, limit)
    if chance >= params.favourite:
        return raise_or_stay(view)
    if view.to_call == 0:
        return raise_or_stay(view) if board_key(view, view.seat) < lowest_board(view) else STAY
    price = view.to_call / (view.pot + view.to_call)
    return STAY if chance >= params.fee * price else stay_or_fold(view)
