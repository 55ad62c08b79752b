"""The player who cannot wait."""

from razz_sim.strategy import strategy
from razz_sim.view import raise_or_stay


@strategy
def maniac(view, params, memory, u):
    """Completes, bets and raises whenever the rules allow it, and calls the rest.

    Original.
    """
    return raise_or_stay(view)
