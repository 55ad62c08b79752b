"""What tournaments add to a run's totals, as Parquet: money by bin, finishes and course by shard, in long form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path

import numpy as np
import pyarrow as pa

from razz_sim.experiment import Experiment
from razz_sim.store.manifest import TOURNAMENTS, Shape, damaged
from razz_sim.tally import COURSE_COLUMNS, FINISH_COLUMNS, MONEY_COLUMNS, Tally

_TEXT = {"nullable": False, "type": pa.string()}
_NUMBER = {"nullable": False, "type": pa.int64()}
TOURNAMENTS_SCHEMA = pa.schema(
    [
        pa.field("scenario", **_TEXT),
        pa.field("scenario_number", **_NUMBER),
        pa.field("part", **_TEXT),  # money of a bin, finishes or course of a shard
        pa.field("number", **_NUMBER),
        pa.field("entrant", pa.string()),
        pa.field("measure", **_TEXT),
        pa.field("value", **_NUMBER),
    ]
)
"""Rows with a value that is not 0."""
MONEY, FINISHES, COURSE = "money", "finishes", "course"
COLUMNS = {MONEY: MONEY_COLUMNS, FINISHES: FINISH_COLUMNS, COURSE: COURSE_COLUMNS}


def parts_of(tally: Tally) -> dict[str, np.ndarray]:
    """What tournaments add to a tally as [bin or shard, entrant, column]; the course has one entrant, the table."""
    return {MONEY: tally.money, FINISHES: tally.finishes, COURSE: tally.course[:, np.newaxis]}


def tournament_tables(experiment: Experiment, tallies: Sequence[Tally]) -> Iterator[pa.Table]:
    """For each scenario of tournaments what they add to its totals."""
    for number, scenario, tally in zip(count(1), experiment.scenarios, tallies, strict=False):
        names: list[str | None] = [entrant.name for entrant in scenario.lineup]
        for part, totals in parts_of(tally).items() if tally.of_tournaments else ():
            places, entrants, columns = np.nonzero(totals)
            whom = [None] if part == COURSE else names
            yield pa.table(
                {
                    "scenario": pa.array([scenario.name] * len(places), pa.string()),
                    "scenario_number": pa.array([number] * len(places), pa.int64()),
                    "part": pa.array([part] * len(places), pa.string()),
                    "number": places,
                    "entrant": pa.array([whom[entrant] for entrant in entrants], pa.string()),
                    "measure": pa.array([COLUMNS[part][column] for column in columns], pa.string()),
                    "value": totals[places, entrants, columns],
                },
                schema=TOURNAMENTS_SCHEMA,
            )


def read_tournaments(folder: Path, table: pa.Table, shape: Sequence[Shape], tallies: Sequence[Tally]) -> None:
    """Fill what tournaments add to tallies; StoreError where a row does not belong."""
    measures = {part: {name: place for place, name in enumerate(names)} for part, names in COLUMNS.items()}
    parts = [parts_of(tally) for tally in tallies]
    entrants: list[Mapping[str | None, int]] = [
        {None: 0, **{name: place for place, name in enumerate(one.entrants)}} for one in shape
    ]
    try:
        for batch in table.to_batches(max_chunksize=10_000):
            rows = zip(*(batch[name].to_pylist() for name in TOURNAMENTS_SCHEMA.names), strict=True)
            for _, scenario, part, number, entrant, measure, value in rows:
                place = number, entrants[scenario - 1][entrant], measures[part][measure]
                parts[scenario - 1][part][place] = value
    except (KeyError, IndexError) as error:
        about = f"a row of it is of no scenario, entrant or measure of the run ({error})"
        raise damaged(folder / TOURNAMENTS, about) from error
