"""Room for what a group of tables writes down of some of its hands, so that they can be shown as they were played."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from razz_sim.hand.record import HAND, NOBODY
from razz_sim.table.lockstep import KEPT, LOG_FIELDS, W_COUNT, W_FAILED, W_STAY, WATCH_FIELDS

_ROWS_A_HAND = 48
"""Answers of a hand that there is room for at first."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Of blocks `first` to `stop` - 1 the hands `low` to `high` - 1, of which each has a slot; with nothing in it yet.

    `watch`, `log`, `kept` and `hands` are what `table.lockstep` makes of them. `reasons` say, where one hand only is
    written down, why answers did not come, by their place in the log; `untold` why seats could not be told of its end.
    """

    watch: np.ndarray
    log: np.ndarray
    kept: np.ndarray
    hands: np.ndarray
    memory: np.ndarray
    reasons: dict[int, str]
    untold: dict[int, str]

    @classmethod
    def of(
        cls, blocks: tuple[int, int], hands: tuple[int, int], floats: int, *, rows: int = 0, stay: bool = False
    ) -> Recording:
        """Room for these hands of these blocks, and for so many answers; `stay`: its table is left as the hand left it.

        `floats` is how much memory a table has.
        """
        slots = (blocks[1] - blocks[0]) * (hands[1] - hands[0])
        watch = np.zeros(len(WATCH_FIELDS), dtype=np.int64)
        watch[:] = (*blocks, *hands, stay, 0, NOBODY)
        log = np.zeros((rows or slots * _ROWS_A_HAND, len(LOG_FIELDS)), dtype=np.int64)
        kept, records = np.zeros(slots, dtype=KEPT), np.zeros(slots, dtype=HAND)
        return cls(watch, log, kept, records, np.zeros(floats), {}, {})

    @classmethod
    def of_nothing(cls, floats: int) -> Recording:
        """Nothing is written down."""
        return cls.of((0, 0), (0, 0), floats)

    @property
    def count(self) -> int:
        """How many answers there were."""
        return int(self.watch[W_COUNT])

    @property
    def is_full(self) -> bool:
        """Whether there were more answers than there was room for."""
        return self.count > len(self.log)

    @property
    def stays(self) -> bool:
        """Whether it is one hand, after which its table is left as it is."""
        return bool(self.watch[W_STAY])

    @property
    def failed(self) -> int:
        """The table that ended the loop."""
        return int(self.watch[W_FAILED])
