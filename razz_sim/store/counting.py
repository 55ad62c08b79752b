"""What has been counted of an experiment: its totals, which blocks are in them, and what the journal has yet to get."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from razz_sim.experiment import BlockRange, Experiment, Ranges, Spans, gaps
from razz_sim.store.journal import Part, Sizes, joined
from razz_sim.tally import TABLE_COLUMNS, Totals

_BLOCKS = TABLE_COLUMNS.index("blocks")


class Counting:
    """The totals of an experiment, or of a range of its blocks, while they come in: in any order, each block once."""

    def __init__(self, experiment: Experiment, blocks: BlockRange | None = None) -> None:
        self.experiment = experiment
        self.tallies = [scenario.tally() for scenario in experiment.scenarios]
        self.sizes = sizes_of(experiment)
        self.wanted = [_clamped(blocks, scenario.blocks) for scenario in experiment.scenarios]
        self.counted = [Spans() for _ in experiment.scenarios]
        self._left = [_in_pieces(wanted, size.cuts) for wanted, size in zip(self.wanted, self.sizes, strict=True)]
        self._waiting: dict[BlockRange, list[Part]] = {}

    def fault(self, part: Part) -> str | None:
        """Why a part cannot be counted; None when it can."""
        if not 0 <= part.scenario < len(self.tallies):
            return f"there is no scenario {part.scenario}"
        first, stop = self.wanted[part.scenario]
        if not first <= part.first < part.stop <= stop:
            return f"its blocks are not among {first} to {stop - 1}"
        size = self.sizes[part.scenario]
        if part.bin_size != size.bin:
            return f"its bins are of {part.bin_size} blocks, not of {size.bin}"
        if size.piece(part.first) != size.piece(part.stop - 1):
            return f"it straddles block {size.cuts[size.piece(part.first)]}, where another piece begins"
        bins = (part.stop - 1) // size.bin - part.first // size.bin + 1
        scenario = self.experiment.scenarios[part.scenario]
        room = Totals.nothing(bins, len(scenario.lineup), tournament=scenario.tournament is not None)
        if any(one.shape != its.shape for one, its in zip(room.arrays, part.totals.arrays, strict=True)):
            return "it has another number of bins, entrants or columns"
        if (blocks := part.totals.table[:, _BLOCKS].sum()) != part.stop - part.first:
            return f"it counts {blocks} blocks where {part.stop - part.first} are in its range"
        if self.counted[part.scenario].meets(part.first, part.stop):
            return "some of its blocks are counted already"
        return None

    def fitted(self, part: Part) -> Part:
        """A part of a shorter run in bins of this one."""
        known = 0 <= part.scenario < len(self.sizes)
        return part.in_bins_of(self.sizes[part.scenario].bin) if known else part

    def add(self, part: Part) -> None:
        """Count a part in bins of this experiment; ValueError when that cannot be, and nothing has changed then."""
        if (fault := self.fault(part)) is not None:
            raise ValueError(f"blocks {part.first} to {part.stop - 1} of scenario {part.scenario}: {fault}")
        size = self.sizes[part.scenario]
        self.tallies[part.scenario].add(part.first // size.bin, part.totals)
        self.counted[part.scenario].add(part.first, part.stop)
        self._left[part.scenario][size.piece(part.first)] -= part.stop - part.first

    def cut(self, scenario: int, end: int) -> bool:
        """Want no block of a scenario from `end` on, where a piece ends; whether any was counted: then all is lost."""
        first, stop = self.wanted[scenario]
        self.wanted[scenario] = min(first, end), min(stop, end)
        if not self.counted[scenario].meets(end, max(stop, end)):
            return False
        self.tallies[scenario] = self.experiment.scenarios[scenario].tally()
        self.counted[scenario] = Spans()
        self._left[scenario] = _in_pieces(self.wanted[scenario], self.sizes[scenario].cuts)
        return True

    def take(self, part: Part) -> list[Part]:
        """Count a part and keep it until its piece is complete: then the parts of that piece, as few as can be."""
        self.add(part)
        number = self.sizes[part.scenario].piece(part.first)
        waiting = self._waiting.setdefault((part.scenario, number), [])
        waiting.append(part)
        if self._left[part.scenario][number]:
            return []
        return joined(self._waiting.pop((part.scenario, number)), self.sizes)

    def take_waiting(self) -> list[Part]:
        """All parts that are kept, as few as can be; they are kept no longer."""
        parts = [part for waiting in self._waiting.values() for part in waiting]
        self._waiting.clear()
        return joined(parts, self.sizes)

    def keep(self, parts: Sequence[Part]) -> None:
        """Keep parts again that could not be written."""
        for part in parts:
            number = self.sizes[part.scenario].piece(part.first)
            self._waiting.setdefault((part.scenario, number), []).append(part)

    def missing(self) -> list[list[BlockRange]]:
        """For each scenario the ranges of blocks that are wanted and not counted yet."""
        return [
            [(max(first, start), stop) for start, stop in gaps(counted.ranges, end) if stop > first]
            for counted, (first, end) in zip(self.counted, self.wanted, strict=True)
        ]

    def known_to(self, scenario: int) -> int:
        """The first block of a scenario that is not counted yet."""
        ranges = self.counted[scenario].ranges
        return ranges[0][1] if ranges and ranges[0][0] == 0 else 0

    def done(self) -> list[Ranges]:
        """For each scenario the ranges of blocks that need no playing, for `Experiment.batches`."""
        return [
            list(gaps(missing, scenario.blocks))
            for missing, scenario in zip(self.missing(), self.experiment.scenarios, strict=True)
        ]


def _clamped(blocks: BlockRange | None, all_blocks: int) -> BlockRange:
    """The part of a range that a scenario has."""
    first, stop = blocks or (0, all_blocks)
    return min(first, all_blocks), min(stop, all_blocks)


def sizes_of(experiment: Experiment) -> list[Sizes]:
    """Blocks in the bins of each scenario, and its pieces."""
    return [Sizes(scenario.bin_size, experiment.cuts(index)) for index, scenario in enumerate(experiment.scenarios)]


def _in_pieces(wanted: BlockRange, cuts: Sequence[int]) -> np.ndarray:
    """How many blocks of each piece are wanted."""
    return np.diff(np.clip(np.array([0, *cuts], dtype=np.int64), *wanted))


def ranges_text(experiment: Experiment, ranges: Sequence[Ranges], most: int = 20) -> str:
    """Ranges of blocks in words, by scenario where there are several."""
    all_ranges = [
        (scenario.name, first, stop)
        for scenario, spans in zip(experiment.scenarios, ranges, strict=True)
        for first, stop in spans
    ]
    words = []
    name = ""
    for scenario, first, stop in all_ranges[:most]:
        where = f"scenario {scenario!r}: " if len(experiment.scenarios) > 1 and scenario != name else ""
        words.append(f"{where}{first}" + (f" to {stop - 1}" if stop - first > 1 else ""))
        name = scenario
    rest = all_ranges[most:]
    if rest:
        blocks = sum(stop - first for _, first, stop in rest)
        words.append(f"and {len(rest)} more ranges with {blocks:,} blocks")
    return "blocks " + ", ".join(words)
