"""Exact integer totals that add: what is counted in every hand, for the table and for each entrant.

Totals are int64 arrays with the columns that `columns` names; two tallies are added by adding them. A square is kept
in three limbs of which each is a plain sum, `limb_0 + (limb_1 << 32) + (limb_2 << 64)`: squares of any stack fit, and
any grouping of hands gives the same numbers.
"""

from razz_sim.tally.columns import (
    CLASS_COLUMNS,
    COURSE_COLUMNS,
    ENTRANT_COLUMNS,
    FINISH_COLUMNS,
    MONEY_COLUMNS,
    PLAY_COLUMNS,
    POT_COLUMNS,
    RESULTS_VERSION,
    TABLE_COLUMNS,
)
from razz_sim.tally.totals import Tally, Totals, core_room, digest, fine_room, shard_bins

__all__ = [
    "CLASS_COLUMNS",
    "COURSE_COLUMNS",
    "ENTRANT_COLUMNS",
    "FINISH_COLUMNS",
    "MONEY_COLUMNS",
    "PLAY_COLUMNS",
    "POT_COLUMNS",
    "RESULTS_VERSION",
    "TABLE_COLUMNS",
    "Tally",
    "Totals",
    "core_room",
    "digest",
    "fine_room",
    "shard_bins",
]
