"""The totals of a scenario, and the fingerprint of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from razz_sim.tally.columns import (
    BUCKETS,
    CLASS_COLUMNS,
    CLASS_COUNT,
    COURSE_COLUMNS,
    ENDS,
    ENTRANT_COLUMNS,
    FINE_ENTRANT,
    FINE_TABLE,
    FINISH_COLUMNS,
    MONEY_COLUMNS,
    PLAY_COLUMNS,
    POT_COLUMNS,
    RESULTS_VERSION,
    SQUARED,
    TABLE_COLUMNS,
)
from razz_sim.tally.squares import FULL, carry

_POTS_END = len(ENDS) * len(SQUARED)
_SQUARES = range(CLASS_COLUMNS.index("net_sq_0"), len(CLASS_COLUMNS))
SHARDS = 16
"""A scenario's bins fall into at most this many shards of equal size: enough to see errors between them."""


def shard_bins(bins: int) -> int:
    """Bins in a shard: the smallest power of two that needs at most SHARDS shards.

    >>> [shard_bins(bins) for bins in (1, 16, 17, 600, 1024)]
    [1, 1, 2, 64, 64]
    """
    return 1 << ((bins - 1) // SHARDS).bit_length()


@dataclass(frozen=True, slots=True)
class Totals:
    """What was counted in some blocks of a scenario that are in a row and in one shard.

    The core has a row for each bin that they touch, `table[bin, column]` and `entrants[bin, entrant, column]`; the fine
    totals are one sum, `fine_table` of POT_COLUMNS and the histogram, `fine_entrants[entrant]` of PLAY_COLUMNS and the
    classes. Of tournaments there are `money[bin, entrant, column]`, `finishes[entrant, column]` and `course[column]`
    as well; where there are none these are empty.
    """

    table: np.ndarray
    entrants: np.ndarray
    fine_table: np.ndarray
    fine_entrants: np.ndarray
    money: np.ndarray
    finishes: np.ndarray
    course: np.ndarray

    @classmethod
    def nothing(cls, bins: int, entrants: int, *, tournament: bool = False) -> Totals:
        """Nothing counted."""
        table, of_entrants = core_room(bins, entrants)
        fine_table, fine_entrants = fine_room(1, entrants)
        return cls.counted(table, of_entrants, fine_table[0], fine_entrants[0], tournament=tournament)

    @classmethod
    def counted(
        cls,
        table: np.ndarray,
        entrants: np.ndarray,
        fine_table: np.ndarray,
        fine_entrants: np.ndarray,
        *,
        tournament: bool = False,
    ) -> Totals:
        """What was counted hand by hand, and nothing yet of tournaments."""
        bins, count = entrants.shape[:2]
        return cls(table, entrants, fine_table, fine_entrants, *tournament_room(bins, count, tournament))

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """All of it."""
        return (
            self.table,
            self.entrants,
            self.fine_table,
            self.fine_entrants,
            self.money,
            self.finishes,
            self.course,
        )

    @property
    def by_bin(self) -> tuple[np.ndarray, ...]:
        """What has a row for each bin."""
        return self.table, self.entrants, self.money

    def followed_by(self, other: Totals, *, shared_bin: bool) -> Totals:
        """Both together, where the other's blocks come next; its first bin may be this one's last."""
        ends = self.by_bin
        if shared_bin:
            ends = self.table.copy(), self.entrants.copy(), self.money.copy()
            for mine, its in zip(ends, other.by_bin, strict=True):
                mine[-1] += its[0]
        rest = (one[shared_bin:] for one in other.by_bin)
        table, entrants, money = (np.concatenate(pair) for pair in zip(ends, rest, strict=True))
        fine_table, fine_entrants = self.fine_table + other.fine_table, self.fine_entrants + other.fine_entrants
        _carry_pots(fine_table)
        if fine_entrants.max(initial=0) >= FULL:
            width, plays = len(CLASS_COLUMNS), len(PLAY_COLUMNS)
            carry([fine_entrants[:, plays + place :: width] for place in _SQUARES])
        finishes, course = self.finishes + other.finishes, self.course + other.course
        return Totals(table, entrants, fine_table, fine_entrants, money, finishes, course)

    def differences(self, other: Totals) -> int:
        """How many numbers differ; all of them where there are other numbers of bins or entrants."""
        pairs = list(zip(self.arrays, other.arrays, strict=True))
        if any(one.shape != its.shape for one, its in pairs):
            return sum(one.size for one, _ in pairs)
        return sum(int(np.count_nonzero(one != its)) for one, its in pairs)


class Tally:
    """The totals of one scenario.

    By bin `table[bin, column]` and `entrants[bin, entrant, column]`; by shard, `shard_bins` bins, `pots[shard, column]`
    and `plays[shard, entrant, column]`; in all `histogram[end, bucket]` of pots and `classes[entrant, class, column]`.
    Of tournaments by bin `money[bin, entrant, column]`, by shard `finishes[shard, entrant, column]` and
    `course[shard, column]`; where there are none these are empty. `columns` names the columns.
    """

    def __init__(self, bins: int, entrants: int, in_shard: int | None = None, *, tournament: bool = False) -> None:
        self.shard_bins = in_shard or shard_bins(bins)
        shards = -(-bins // self.shard_bins)
        self.table = np.zeros((bins, len(TABLE_COLUMNS)), dtype=np.int64)
        self.entrants = np.zeros((bins, entrants, len(ENTRANT_COLUMNS)), dtype=np.int64)
        self.pots = np.zeros((shards, len(POT_COLUMNS)), dtype=np.int64)
        self.plays = np.zeros((shards, entrants, len(PLAY_COLUMNS)), dtype=np.int64)
        self.histogram = np.zeros((len(ENDS), BUCKETS), dtype=np.int64)
        self.classes = np.zeros((entrants, CLASS_COUNT, len(CLASS_COLUMNS)), dtype=np.int64)
        self.money, finishes, course = tournament_room(bins, entrants, tournament)
        self.finishes = np.repeat(finishes[np.newaxis], shards, axis=0)
        self.course = np.repeat(course[np.newaxis], shards, axis=0)

    def add(self, first: int, totals: Totals) -> None:
        """Add what was counted in the bins from `first` on, all of one shard."""
        stop, shard = first + len(totals.table), first // self.shard_bins
        if (stop - 1) // self.shard_bins != shard:
            raise ValueError(f"bins {first} to {stop - 1} are in several shards of {self.shard_bins}")
        self.table[first:stop] += totals.table
        self.entrants[first:stop] += totals.entrants
        self.money[first:stop] += totals.money
        self.finishes[shard] += totals.finishes
        self.course[shard] += totals.course
        pots, histogram = np.split(totals.fine_table, [len(POT_COLUMNS)])
        plays, classes = np.split(totals.fine_entrants, [len(PLAY_COLUMNS)], axis=1)
        self.pots[shard] += pots
        self.plays[shard] += plays
        self.histogram += histogram.reshape(self.histogram.shape)
        self.classes += classes.reshape(self.classes.shape)
        _carry_pots(self.pots[shard])
        if self.classes.max(initial=0) >= FULL:
            carry([self.classes[:, :, place] for place in _SQUARES])

    def arrays(self) -> tuple[np.ndarray, ...]:
        """All totals, in the order in which the digest takes them."""
        counted = self.table, self.entrants, self.pots, self.plays, self.histogram, self.classes
        return (*counted, self.money, self.finishes, self.course) if self.of_tournaments else counted

    @property
    def of_tournaments(self) -> bool:
        """Whether its blocks are tournaments."""
        return self.money.size > 0

    def table_total(self, column: str) -> int:
        """A column of the table over all bins."""
        return int(self.table[:, TABLE_COLUMNS.index(column)].sum())

    def entrant_total(self, entrant: int, column: str) -> int:
        """A column of an entrant over all bins."""
        return int(self.entrants[:, entrant, ENTRANT_COLUMNS.index(column)].sum())

    @property
    def hands(self) -> int:
        """Hands counted."""
        return self.table_total("hands")


def _carry_pots(pots: np.ndarray) -> None:
    """Carry the squares of pots; these come first in what is given."""
    if pots.max() >= FULL:
        carry([pots[SQUARED.index(limb) : _POTS_END : len(SQUARED)] for limb in SQUARED[1:]])


def core_room(rows: int, entrants: int) -> tuple[np.ndarray, np.ndarray]:
    """So many rows of core totals, of the table and of the entrants, with nothing counted."""
    table = np.zeros((rows, len(TABLE_COLUMNS)), dtype=np.int64)
    return table, np.zeros((rows, entrants, len(ENTRANT_COLUMNS)), dtype=np.int64)


def fine_room(parts: int, entrants: int) -> tuple[np.ndarray, np.ndarray]:
    """So many parts of fine totals, of the table and of the entrants, with nothing counted."""
    table = np.zeros((parts, FINE_TABLE), dtype=np.int64)
    return table, np.zeros((parts, entrants, FINE_ENTRANT), dtype=np.int64)


def tournament_room(bins: int, entrants: int, tournament: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Money by bin, finishes and course of tournaments, with nothing counted; empty where there are none."""
    widths = [len(columns) * tournament for columns in (MONEY_COLUMNS, FINISH_COLUMNS, COURSE_COLUMNS)]
    money, finishes, course = widths
    return (
        np.zeros((bins, entrants, money), dtype=np.int64),
        np.zeros((entrants, finishes), dtype=np.int64),
        np.zeros(course, dtype=np.int64),
    )


def digest(tallies: Sequence[Tally]) -> str:
    """The fingerprint of a run: a hash of every total of every scenario, of their columns and the results version."""
    columns = (TABLE_COLUMNS, ENTRANT_COLUMNS, POT_COLUMNS, PLAY_COLUMNS, CLASS_COLUMNS)
    found = hashlib.sha256(f"razz_sim results {RESULTS_VERSION} {columns}".encode())
    if any(tally.of_tournaments for tally in tallies):
        found.update(repr((MONEY_COLUMNS, FINISH_COLUMNS, COURSE_COLUMNS)).encode())
    for tally in tallies:
        for totals in tally.arrays():
            found.update(repr(totals.shape).encode())
            found.update(np.ascontiguousarray(totals, dtype="<i8").tobytes())
    return found.hexdigest()
