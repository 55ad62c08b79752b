"""The rule of `strategies/tight.py` on arrays of views."""

import numpy as np

from razz_sim.strategy import strategy, whole
from razz_sim.view import FOLD, RAISE, STAY


@strategy(limit=whole(8, 3, 13, "highest of the three different ranks that are played"))
class Tight:
    """Good starting hands, then boards."""

    def act_batch(self, views, memory, u):
        """The rule for all rows at once."""
        limit = self.params.limit
        held = views["my_once"]
        wager = np.where(views["raise_min"] > 0, RAISE, STAY)
        give_up = np.where((views["can_fold"] == 1) & (views["to_call"] > 0), FOLD, STAY)
        third = views["street"] == 3
        good = (np.bitwise_count(held) == 3) & (held < 1 << limit)
        useful = np.int16((1 << min(13, limit + 2)) - 1)
        mine = np.bitwise_count(held & useful).astype(np.int8)
        theirs = np.bitwise_count(views["board_once"] & useful).astype(np.int8) * views["live"]
        theirs[np.arange(len(views)), views["seat"]] = 0
        best_rival = theirs.max(axis=1)
        ahead = (mine >= 5) | (mine > best_rival + 2)
        later = np.where(ahead, wager, np.where((mine >= best_rival + 1) | (views["street"] == 4), STAY, give_up))
        return np.where(third, np.where(good, wager, give_up), later)
