"""The calling station."""

from razz_sim.strategy import strategy
from razz_sim.view import STAY


@strategy
def caller(view, params, memory, u):
    """Never folds, never raises. The yardstick every other strategy must beat.

    Original.
    """
    return STAY
