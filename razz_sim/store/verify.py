"""Play bins of a finished run again and compare every integer with what its folder holds."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from razz_sim.batch import Counted
from razz_sim.experiment import Batch, bin_size
from razz_sim.store.manifest import Shape, blocks_of, shapes
from razz_sim.store.run import Run
from razz_sim.tally import (
    CLASS_COLUMNS,
    COURSE_COLUMNS,
    ENTRANT_COLUMNS,
    FINISH_COLUMNS,
    MONEY_COLUMNS,
    PLAY_COLUMNS,
    POT_COLUMNS,
    TABLE_COLUMNS,
    Tally,
)
from razz_sim.tally.columns import BUCKETS, CLASSES, ENDS, bucket_start

SAMPLE = 16
"""How many bins are played again unless all are asked for."""
_LARGEST_BATCH = 65_536
_SHOWN = 5

Play = Callable[[list[Batch]], list[Counted]]
"""Plays batches of one scenario."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A total that is not what the replay counted; `entrant` is None for one about the table.

    `bin` is the first of those that it is a total of.
    """

    scenario: str
    bin: int
    entrant: str | None
    column: str
    kept: int
    replayed: int

    def __str__(self) -> str:
        whose = "the table" if self.entrant is None else self.entrant
        where = f"scenario {self.scenario!r}, bin {self.bin}, {whose}"
        return f"{where}: {self.column} is {self.kept}, replayed {self.replayed}"


@dataclass(frozen=True, slots=True)
class Verification:
    """What was played again and what differs: nothing, for a run that is what it says."""

    folder: Path
    bins: int
    all_bins: int
    hands: int
    differences: tuple[Difference, ...]

    @property
    def ok(self) -> bool:
        """Whether every integer agrees."""
        return not self.differences

    def __str__(self) -> str:
        """The outcome in a sentence."""
        played = f"{self.bins:,} of {self.all_bins:,} bins ({self.hands:,} hands) were played again"
        if self.ok:
            return f"{self.folder}: {played} and agree to the last integer"
        shown = "; ".join(map(str, self.differences[:_SHOWN]))
        more = len(self.differences) - _SHOWN
        return f"{self.folder}: {played} and differ: {shown}" + (f"; and {more} more" if more > 0 else "")


def verify(folder: Path | str, play: Play, *, bins: int | None = SAMPLE, seed: int = 0) -> Verification:
    """Play a sample of `bins` bins again, drawn by `seed`, or all of them with None, and compare.

    `play` plays batches of a scenario of what the run plays, `Asked.load(folder)`. Raises StoreError when the folder
    does not prove itself in the first place.
    """
    run = Run.load(folder)
    places = list(_bins(run))
    chosen = places if bins is None else sorted(random.Random(seed).sample(places, min(bins, len(places))))
    hands, found = 0, []
    for index, shape in enumerate(shapes(run.manifest)):
        kept = run.tallies[index]
        bins_chosen = [(first, stop) for scenario, first, stop in chosen if scenario == index]
        batches = [batch for first, stop in bins_chosen for batch in _batches(index, shape, first, stop)]
        replayed = Tally(len(kept.table), len(shape.entrants), kept.shard_bins, tournament=shape.tournament)
        for counted in play(batches) if batches else ():
            counted.add_to(replayed)
        hands += replayed.hands
        for first, _ in bins_chosen:
            found += _in_bin(shape, first // bin_size(shape.blocks), kept, replayed)
        if len(chosen) == len(places):
            found += _fine(shape, kept, replayed)
    return Verification(Path(folder), len(chosen), len(places), hands, tuple(found))


def _in_bin(shape: Shape, number: int, kept: Tally, replayed: Tally) -> list[Difference]:
    """What differs in the core totals of a bin."""
    rows = kept.table[number], replayed.table[number]
    found = _differences(shape, number, None, *rows, TABLE_COLUMNS)
    for entrant, name in enumerate(shape.entrants):
        rows = kept.entrants[number, entrant], replayed.entrants[number, entrant]
        found += _differences(shape, number, name, *rows, ENTRANT_COLUMNS)
        if shape.tournament:
            rows = kept.money[number, entrant], replayed.money[number, entrant]
            found += _differences(shape, number, name, *rows, MONEY_COLUMNS)
    return found


def _fine(shape: Shape, kept: Tally, replayed: Tally) -> list[Difference]:
    """What differs in the fine totals, when all bins were played again."""
    found = []
    for shard in range(len(kept.pots)):
        number = shard * kept.shard_bins
        found += _differences(shape, number, None, kept.pots[shard], replayed.pots[shard], POT_COLUMNS)
        for entrant, name in enumerate(shape.entrants):
            rows = kept.plays[shard, entrant], replayed.plays[shard, entrant]
            found += _differences(shape, number, name, *rows, PLAY_COLUMNS)
            if shape.tournament:
                rows = kept.finishes[shard, entrant], replayed.finishes[shard, entrant]
                found += _differences(shape, number, name, *rows, FINISH_COLUMNS)
        if shape.tournament:
            found += _differences(shape, number, None, kept.course[shard], replayed.course[shard], COURSE_COLUMNS)
    pots = [f"histogram_{end}_{bucket_start(bucket)}" for end in ENDS for bucket in range(BUCKETS)]
    found += _differences(shape, 0, None, kept.histogram.ravel(), replayed.histogram.ravel(), pots)
    labels = [f"{kind}_{label}" for kind, labels in CLASSES.items() for label in labels]
    columns = [f"{label}_{column}" for label in labels for column in CLASS_COLUMNS]
    for entrant, name in enumerate(shape.entrants):
        rows = kept.classes[entrant].ravel(), replayed.classes[entrant].ravel()
        found += _differences(shape, 0, name, *rows, columns)
    return found


def _bins(run: Run) -> Iterator[tuple[int, int, int]]:
    """Every bin of a run as (scenario, first block, stop block), as far as the run has its blocks."""
    pairs = zip(shapes(run.manifest), blocks_of(run.manifest), strict=True)
    for index, (shape, (low, end)) in enumerate(pairs):
        size = bin_size(shape.blocks)
        for first in range(low // size * size, end, size):
            yield index, max(low, first), min(first + size, end)


def _batches(index: int, shape: Shape, first: int, stop: int) -> Iterator[Batch]:
    step = max(1, _LARGEST_BATCH // shape.block_hands)
    number = first // bin_size(shape.blocks)
    for start in range(first, stop, step):
        end = min(start + step, stop)
        yield Batch(scenario=index, bin=number, first=start, stop=end, hands=(end - start) * shape.block_hands)


def _differences(
    shape: Shape, number: int, entrant: str | None, kept: np.ndarray, replayed: np.ndarray, columns: Sequence[str]
) -> list[Difference]:
    return [
        Difference(shape.name, number, entrant, column, int(one), int(other))
        for column, one, other in zip(columns, kept, replayed, strict=True)
        if one != other
    ]
