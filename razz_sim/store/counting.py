"""What has been counted of an experiment: its totals, which blocks are in them, and what the journal has yet to get."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from razz_sim.experiment import BlockRange, Experiment, Ranges, Spans, gaps
from razz_sim.store.journal import Part, joined
from razz_sim.tally import TABLE_COLUMNS, Tally

_BLOCKS = TABLE_COLUMNS.index("blocks")


class Counting:
    """The totals of an experiment, or of a range of its blocks, while they come in: in any order, each block once."""

    def __init__(self, experiment: Experiment, blocks: BlockRange | None = None) -> None:
        self.experiment = experiment
        self.tallies = [Tally(scenario.bins, len(scenario.lineup)) for scenario in experiment.scenarios]
        self.bin_sizes = [scenario.bin_size for scenario in experiment.scenarios]
        self.wanted = [_clamped(blocks, scenario.blocks) for scenario in experiment.scenarios]
        self.counted = [Spans() for _ in experiment.scenarios]
        self._left = [
            _in_bins(wanted, size, tally.table.shape[0])
            for wanted, size, tally in zip(self.wanted, self.bin_sizes, self.tallies, strict=True)
        ]
        self._waiting: dict[BlockRange, list[Part]] = {}

    def fault(self, part: Part) -> str | None:
        """Why a part cannot be counted; None when it can."""
        if not 0 <= part.scenario < len(self.tallies):
            return f"there is no scenario {part.scenario}"
        first, stop = self.wanted[part.scenario]
        if not first <= part.first < part.stop <= stop:
            return f"its blocks are not among {first} to {stop - 1}"
        size, tally = self.bin_sizes[part.scenario], self.tallies[part.scenario]
        if part.first // size != (part.stop - 1) // size:
            return f"it straddles two bins of {size} blocks"
        if part.table.shape != tally.table.shape[1:] or part.entrants.shape != tally.entrants.shape[1:]:
            return "it has another number of entrants or columns"
        if part.table[_BLOCKS] != part.stop - part.first:
            return f"it counts {part.table[_BLOCKS]} blocks where {part.stop - part.first} are in its range"
        if self.counted[part.scenario].meets(part.first, part.stop):
            return "some of its blocks are counted already"
        return None

    def add(self, part: Part) -> None:
        """Count a part; ValueError when that cannot be, and nothing has changed then."""
        if (fault := self.fault(part)) is not None:
            raise ValueError(f"blocks {part.first} to {part.stop - 1} of scenario {part.scenario}: {fault}")
        number = part.first // self.bin_sizes[part.scenario]
        self.tallies[part.scenario].add(number, part.table, part.entrants)
        self.counted[part.scenario].add(part.first, part.stop)
        self._left[part.scenario][number] -= part.stop - part.first

    def take(self, part: Part) -> list[Part]:
        """Count a part and keep it until its bin is complete: then the parts of that bin, as few as can be."""
        self.add(part)
        number = part.first // self.bin_sizes[part.scenario]
        waiting = self._waiting.setdefault((part.scenario, number), [])
        waiting.append(part)
        if self._left[part.scenario][number]:
            return []
        return joined(self._waiting.pop((part.scenario, number)), self.bin_sizes)

    def take_waiting(self) -> list[Part]:
        """All parts that are kept, as few as can be; they are kept no longer."""
        parts = [part for waiting in self._waiting.values() for part in waiting]
        self._waiting.clear()
        return joined(parts, self.bin_sizes)

    def keep(self, parts: Sequence[Part]) -> None:
        """Keep parts again that could not be written."""
        for part in parts:
            self._waiting.setdefault((part.scenario, part.first // self.bin_sizes[part.scenario]), []).append(part)

    def missing(self) -> list[list[BlockRange]]:
        """For each scenario the ranges of blocks that are wanted and not counted yet."""
        return [
            [(max(first, start), stop) for start, stop in gaps(counted.ranges, end) if stop > first]
            for counted, (first, end) in zip(self.counted, self.wanted, strict=True)
        ]

    def done(self) -> list[Ranges]:
        """For each scenario the ranges of blocks that need no playing, for `Experiment.batches`."""
        return [
            list(gaps(missing, scenario.blocks))
            for missing, scenario in zip(self.missing(), self.experiment.scenarios, strict=True)
        ]

    def bins(self) -> list[Part]:
        """What was counted as one part a bin; for a finished run, where the blocks of a bin are one range."""
        parts = []
        for index, (first, stop) in enumerate(self.wanted):
            size, tally = self.bin_sizes[index], self.tallies[index]
            for number in range(first // size, -(-stop // size) if stop > first else 0):
                low, high = max(first, number * size), min(stop, (number + 1) * size)
                parts.append(Part(index, low, high, tally.table[number], tally.entrants[number]))
        return parts


def _clamped(blocks: BlockRange | None, all_blocks: int) -> BlockRange:
    """The part of a range that a scenario has."""
    first, stop = blocks or (0, all_blocks)
    return min(first, all_blocks), min(stop, all_blocks)


def _in_bins(wanted: BlockRange, size: int, bins: int) -> np.ndarray:
    """How many blocks of each bin are wanted."""
    edges = np.clip(np.arange(bins + 1, dtype=np.int64) * size, *wanted)
    return np.diff(edges)


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
