"""Chance."""

from razz_sim.strategy import real, strategy
from razz_sim.view import FOLD, STAY, raise_or_stay, uniform


@strategy(
    fold=real(0.2, 0.0, 1.0, "chance to fold a decision that costs chips"),
    wager=real(0.3, 0.0, 1.0, "chance to complete, bet or raise where that is legal"),
)
def random(view, params, memory, u):
    """Plays by dice alone: no card is looked at.

    Original; random play is the usual floor in computer poker.
    """
    if view.can_fold and view.to_call > 0 and uniform(u, 0) < params.fold:
        return FOLD
    if uniform(u, 1) < params.wager:
        return raise_or_stay(view)
    return STAY
