"""The visitor who came to see cards."""

from razz_sim.reading import cards_to, my_chance
from razz_sim.strategy import real, strategy, whole
from razz_sim.view import STAY, raise_or_stay, stay_or_fold

NINE, TEN = 8, 9


@strategy(
    raises=whole(7, 5, 9, "highest made low that is bet and raised (7: a seven or better)"),
    hope=real(0.06, 0.0, 1.0, "chance of a nine or better from which it calls on"),
)
def loose_passive(view, params, memory, u):
    """Calls too much and seldom raises: two low cards are a hand, and any hope of a nine is worth a call.

    Original: the usual loose player of low-stakes games, called loose-passive by Sklansky and Malmuth.
    """
    if cards_to(view.my_once, params.raises - 1) >= 5:
        return raise_or_stay(view)
    if view.street == 3:
        return STAY if cards_to(view.my_once, TEN) >= 2 else stay_or_fold(view)
    return STAY if my_chance(view, NINE) >= params.hope else stay_or_fold(view)
