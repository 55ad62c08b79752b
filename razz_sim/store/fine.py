"""The fine totals of a run as Parquet: plays by shard, results by class, and the histogram of pots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from razz_sim.experiment import Experiment, Scenario, bin_size
from razz_sim.store.manifest import CLASSES as CLASSES_FILE
from razz_sim.store.manifest import HISTOGRAM, PLAYS, Shape, damaged
from razz_sim.tally import CLASS_COLUMNS, PLAY_COLUMNS, POT_COLUMNS, Tally
from razz_sim.tally.columns import BUCKETS, CLASSES, ENDS, bucket_start

_TEXT = {"nullable": False, "type": pa.string()}
_NUMBER = {"nullable": False, "type": pa.int64()}
_SCENARIO = [pa.field("scenario", **_TEXT), pa.field("scenario_number", **_NUMBER)]
"""Names may be given twice, numbers from 1 are not."""
_ENTRANT = pa.field("entrant", pa.string())
PLAYS_SCHEMA = pa.schema(
    [
        *_SCENARIO,
        pa.field("shard", **_NUMBER),
        pa.field("first_block", **_NUMBER),
        _ENTRANT,
        *(pa.field(column, pa.int64()) for column in (*POT_COLUMNS, *PLAY_COLUMNS)),
    ]
)
CLASSES_SCHEMA = pa.schema(
    [
        *_SCENARIO,
        pa.field("entrant", **_TEXT),
        pa.field("by", **_TEXT),
        pa.field("class", **_TEXT),
        *(pa.field(column, **_NUMBER) for column in CLASS_COLUMNS),
    ]
)
HISTOGRAM_SCHEMA = pa.schema(
    [*_SCENARIO, pa.field("end", **_TEXT), pa.field("from_quarter_bets", **_NUMBER), pa.field("hands", **_NUMBER)]
)
_ROWS_AT_ONCE = 1000
"""Rows take much more memory as dictionaries than in a table."""
_LABELS = [(kind, label) for kind, labels in CLASSES.items() for label in labels]
_STARTS = [bucket_start(bucket) for bucket in range(BUCKETS)]


def plays_tables(experiment: Experiment, tallies: Sequence[Tally]) -> Iterator[pa.Table]:
    """For each shard of each scenario a row for the table's pots and one for each entrant's plays."""
    for number, scenario, tally in _numbered(experiment, tallies):
        rows = []
        for shard, (pots, plays) in enumerate(zip(tally.pots.tolist(), tally.plays.tolist(), strict=True)):
            place = {
                "scenario": scenario.name,
                "scenario_number": number,
                "shard": shard,
                "first_block": shard * scenario.shard_size,
            }
            rows.append({**place, **dict(zip(POT_COLUMNS, pots, strict=True))})
            for entrant, played in zip(scenario.lineup, plays, strict=True):
                rows.append({**place, "entrant": entrant.name, **dict(zip(PLAY_COLUMNS, played, strict=True))})
        yield pa.Table.from_pylist(rows, schema=PLAYS_SCHEMA)


def classes_tables(experiment: Experiment, tallies: Sequence[Tally]) -> Iterator[pa.Table]:
    """What each entrant won by class; a class that no hand fell into has no row."""
    for number, scenario, tally in _numbered(experiment, tallies):
        for entrant, classes in zip(scenario.lineup, tally.classes, strict=True):
            there = np.flatnonzero(classes.any(axis=1))
            names = {
                "scenario": [scenario.name] * len(there),
                "scenario_number": [number] * len(there),
                "entrant": [entrant.name] * len(there),
                "by": [_LABELS[place][0] for place in there],
                "class": [_LABELS[place][1] for place in there],
            }
            counts = {column: classes[there, place] for place, column in enumerate(CLASS_COLUMNS)}
            yield pa.table({**names, **counts}, schema=CLASSES_SCHEMA)


def histogram_tables(experiment: Experiment, tallies: Sequence[Tally]) -> Iterator[pa.Table]:
    """How many pots of each size there were, by where the hand ended; sizes that did not occur have no row."""
    for number, scenario, tally in _numbered(experiment, tallies):
        rows = [
            {
                "scenario": scenario.name,
                "scenario_number": number,
                "end": ENDS[end],
                "from_quarter_bets": _STARTS[bucket],
                "hands": int(tally.histogram[end, bucket]),
            }
            for end, bucket in np.argwhere(tally.histogram)
        ]
        yield pa.Table.from_pylist(rows, schema=HISTOGRAM_SCHEMA)


def _numbered(experiment: Experiment, tallies: Sequence[Tally]) -> Iterator[tuple[int, Scenario, Tally]]:
    return zip(count(1), experiment.scenarios, tallies, strict=False)


def shard_bins(plays: pa.Table, shape: Sequence[Shape]) -> list[int]:
    """Bins in a shard of each scenario, as its plays were kept."""
    firsts: dict[int, set[int]] = {}
    for number, first in zip(plays["scenario_number"].to_pylist(), plays["first_block"].to_pylist(), strict=True):
        firsts.setdefault(number, set()).add(first)
    seconds = [sorted(firsts.get(number, ()))[1:2] for number in range(1, len(shape) + 1)]
    return [
        second[0] // bin_size(one.blocks) if second else one.blocks for second, one in zip(seconds, shape, strict=True)
    ]


def read_fine(folder: Path, tables: Mapping[str, pa.Table], shape: Sequence[Shape], tallies: Sequence[Tally]) -> None:
    """Fill the fine totals of tallies from the tables in these files; StoreError where a row does not belong."""
    entrants = [{name: place for place, name in enumerate(one.entrants)} for one in shape]
    name = ""
    try:
        for name, table in tables.items():
            for batch in table.to_batches(max_chunksize=_ROWS_AT_ONCE):
                for row in batch.to_pylist():
                    _READ[name](tallies[row["scenario_number"] - 1], row, entrants[row["scenario_number"] - 1])
    except (KeyError, IndexError, ValueError, TypeError) as error:
        raise damaged(folder / name, f"a row of it is of no scenario, entrant or class of the run ({error})") from error


def _read_plays(tally: Tally, row: Mapping[str, Any], entrants: Mapping[str, int]) -> None:
    if row["entrant"] is None:
        tally.pots[row["shard"]] = [row[column] for column in POT_COLUMNS]
    else:
        tally.plays[row["shard"], entrants[row["entrant"]]] = [row[column] for column in PLAY_COLUMNS]


def _read_class(tally: Tally, row: Mapping[str, Any], entrants: Mapping[str, int]) -> None:
    number = _CLASS_NUMBERS[row["by"], row["class"]]
    tally.classes[entrants[row["entrant"]], number] = [row[column] for column in CLASS_COLUMNS]


def _read_pots(tally: Tally, row: Mapping[str, Any], entrants: Mapping[str, int]) -> None:
    tally.histogram[ENDS.index(row["end"]), _BUCKETS[row["from_quarter_bets"]]] = row["hands"]


_CLASS_NUMBERS = {label: number for number, label in enumerate(_LABELS)}
_BUCKETS = {start: bucket for bucket, start in enumerate(_STARTS)}
_READ: dict[str, Callable[[Tally, Mapping[str, Any], Mapping[str, int]], None]] = {
    PLAYS: _read_plays,
    CLASSES_FILE: _read_class,
    HISTOGRAM: _read_pots,
}
FINE_SCHEMAS = {PLAYS: PLAYS_SCHEMA, CLASSES_FILE: CLASSES_SCHEMA, HISTOGRAM: HISTOGRAM_SCHEMA}
