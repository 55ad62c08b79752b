"""Totals that need no hand played: a pure function of the block, so that runs can be compared however they were cut."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from razz_sim.batch import Counted
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Batch, Experiment, Ranges
from razz_sim.statistics import summary
from razz_sim.store import Run, RunFolder
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Totals

STAKES = {"name": "2/4", "ante": "0.20", "bring_in": 1, "small_bet": 2, "big_bet": 4}
ASKED: dict[str, Any] = {
    "name": "kept",
    "seed": 7,
    "hands": 2500,
    "stakes": [STAKES, {**STAKES, "name": "free", "ante": 0}],
    "lineup": [{"name": "hero", "strategy": "tight"}, {"name": "fish", "strategy": "caller", "seats": 3}],
}


HEADER = 8 + 32 + 16
"""Bytes of a journal's header."""


def record_ends(content: bytes) -> list[int]:
    """Where each record of a journal begins, and the last ends."""
    found = [HEADER]
    while found[-1] < len(content):
        found.append(found[-1] + 8 + int.from_bytes(content[found[-1] + 4 : found[-1] + 8], "little") + 16)
    return found


def asked(hands: int = 2500, **keys: Any) -> Experiment:
    """The experiment of these tests, with so many hands in each scenario."""
    return experiment_from_dict({**ASKED, "hands": hands, **keys}, Path()).experiment


def count(experiment: Experiment, batch: Batch) -> Counted:
    """What a batch counted, had its blocks been played."""
    scenario = experiment.scenarios[batch.scenario]
    size = scenario.bin_size
    edges = sorted({batch.first, batch.stop, *range((batch.first // size + 1) * size, batch.stop, size)})
    rows = [_core(experiment, batch.scenario, *pair) for pair in pairwise(edges)]
    totals = Totals.nothing(len(rows), len(scenario.lineup))
    for number, (table, entrants) in enumerate(rows):
        totals.table[number], totals.entrants[number] = table, entrants
    blocks = np.arange(batch.first, batch.stop, dtype=np.int64) + experiment.seed % 1009 + 31 * batch.scenario
    totals.fine_table[:20] = [(blocks % (3 + place)).sum() for place in range(20)]
    for entrant, fine in enumerate(totals.fine_entrants):
        fine[-20:] = [(blocks % (5 + entrant + place)).sum() for place in range(20)]
    return Counted(batch, totals)


def _core(experiment: Experiment, index: int, first: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
    """The core totals of some blocks."""
    scenario = experiment.scenarios[index]
    blocks = np.arange(first, stop, dtype=np.int64)
    salt = experiment.seed % 1009 + 31 * index

    def values(number: int, most: int) -> np.ndarray:
        return ((blocks + salt) * (7919 + 2 * number)) % most

    hands = scenario.session.hands
    table = np.array([values(number, 2).sum() for number in range(len(TABLE_COLUMNS))], dtype=np.int64)
    pots = values(1, 997)
    for name, total in (("blocks", len(blocks)), ("hands", len(blocks) * hands), ("pot", pots.sum() * hands)):
        table[TABLE_COLUMNS.index(name)] = total
    table[TABLE_COLUMNS.index("pot_sq_0")] = (pots**2).sum() * hands
    entrants = np.zeros((len(scenario.lineup), len(ENTRANT_COLUMNS)), dtype=np.int64)
    for index, entrant in enumerate(scenario.lineup):
        nets = values(index, 991) - 495
        others = [values(40 + 20 * index, 2).sum()] * (len(ENTRANT_COLUMNS) - 5)
        entrants[index] = [len(blocks) * hands * entrant.seats, nets.sum(), (nets**2).sum(), 0, 0, *others]
    return table, entrants


def record(
    folder: RunFolder, size: int = 400, shuffle: int | None = None, batches: Iterable[Batch] | None = None
) -> None:
    """Record everything that a folder is missing, or these batches, in order or shuffled."""
    chosen = list(folder.experiment.batches(size, folder.done) if batches is None else batches)
    if shuffle is not None:
        random.Random(shuffle).shuffle(chosen)
    for batch in chosen:
        folder.record(count(folder.experiment, batch))


def finish(folder: RunFolder) -> Run:
    """Finish a folder that has everything, with times that do not differ from run to run."""
    return folder.finish(summary(folder.experiment, folder.tallies, runner="local", workers=1, seconds=1.5))


def straight(out: Path, experiment: Experiment) -> Run:
    """An undisturbed run."""
    with RunFolder.create(out, experiment, ["razz-sim", "run", "kept.yaml"]) as folder:
        record(folder)
        return finish(folder)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, but for the lock that says who wrote last."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def blocks_of(ranges: Sequence[Ranges]) -> list[int]:
    """How many blocks are in each scenario's ranges."""
    return [sum(stop - first for first, stop in spans) for spans in ranges]
