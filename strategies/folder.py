"""The player who is not there."""

from razz_sim.strategy import strategy
from razz_sim.view import stay_or_fold


@strategy
def folder(view, params, memory, u):
    """Folds to every wager; posts the bring-in and checks when it must or may. What the forced bets cost.

    Original.
    """
    return stay_or_fold(view)
