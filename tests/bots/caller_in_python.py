"""The rule of `strategies/caller.py` in plain Python: the least that a Python strategy can cost."""

from razz_sim.strategy import strategy
from razz_sim.view import STAY


@strategy
class Caller:
    """Never folds, never raises."""

    def act(self, view, u):
        """Check or call."""
        return STAY
