"""The rule of `strategies/tight.py` in plain Python."""

from razz_sim.strategy import strategy, whole
from razz_sim.view import FOLD, RAISE, STAY


@strategy(limit=whole(8, 3, 13, "highest of the three different ranks that are played"))
class Tight:
    """Good starting hands, then boards."""

    def act(self, view, u):
        """A rule on rank masks: Python's own bit counting reads them at once."""
        held = view.my_once
        limit = self.params.limit
        if view.street == 3:
            if held.bit_count() == 3 and held < 1 << limit:
                return RAISE if view.raise_min > 0 else STAY
            return FOLD if view.can_fold and view.to_call > 0 else STAY
        useful = (1 << min(13, limit + 2)) - 1
        mine = (held & useful).bit_count()
        me, live, boards = view.seat, view.live, view.board_once
        best_rival = 0
        for seat in range(view.seats):
            if live[seat] and seat != me:
                theirs = (boards[seat] & useful).bit_count()
                if theirs > best_rival:
                    best_rival = theirs
        if mine >= 5 or mine > best_rival + 2:
            return RAISE if view.raise_min > 0 else STAY
        if mine >= best_rival + 1 or view.street == 4:
            return STAY
        return FOLD if view.can_fold and view.to_call > 0 else STAY
