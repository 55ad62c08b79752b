"""The totals of a run as Parquet: every bin, and the sums over the bins in long form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from razz_sim.experiment import Experiment, bin_size
from razz_sim.store.fine import (
    FINE_SCHEMAS,
    classes_table,
    histogram_table,
    plays_table,
    read_fine,
    shard_bins,
)
from razz_sim.store.manifest import BINS, CLASSES, HISTOGRAM, PLAYS, TOTALS, Shape, damaged, shapes
from razz_sim.tally import ENTRANT_COLUMNS, PLAY_COLUMNS, POT_COLUMNS, RESULTS_VERSION, TABLE_COLUMNS, Tally

TABLE, ENTRANT = "table", "entrant"
"""Whom a row is about."""
_COUNTS = (*TABLE_COLUMNS, *(column for column in ENTRANT_COLUMNS if column not in TABLE_COLUMNS))
_SCENARIO = pa.field("scenario", pa.string(), nullable=False)
_WHOM = [pa.field("about", pa.string(), nullable=False), pa.field("entrant", pa.string())]
_BIN = [pa.field(name, pa.int64(), nullable=False) for name in ("bin", "first_block")]
_VALUE = [pa.field("measure", pa.string(), nullable=False), pa.field("value", pa.int64(), nullable=False)]
_PLACES = pa.schema([_SCENARIO, *_BIN, *_WHOM])
BINS_SCHEMA = pa.schema([*_PLACES, *(pa.field(column, pa.int64()) for column in _COUNTS)])
TOTALS_SCHEMA = pa.schema([_SCENARIO, *_WHOM, *_VALUE])


def bins_table(experiment: Experiment, tallies: Sequence[Tally]) -> pa.Table:
    """Every total of every bin: for each bin of each scenario a row for the table and one for each entrant."""
    parts = []
    for scenario, tally in zip(experiment.scenarios, tallies, strict=True):
        names = [entrant.name for entrant in scenario.lineup]
        counts = {column: _column(tally, column) for column in _COUNTS}
        places = _places(scenario.name, names, scenario.blocks)
        parts.append(pa.table({**places, **counts}, schema=BINS_SCHEMA))
    return pa.concat_tables(parts)


def _places(scenario: str, entrants: Sequence[str], blocks: int) -> dict[str, Any]:
    """Where each row of a scenario stands and whom it is about."""
    first = np.arange(0, blocks, bin_size(blocks))
    bins, rows = len(first), 1 + len(entrants)
    return {
        "scenario": pa.array([scenario] * (bins * rows), pa.string()),
        "bin": np.repeat(np.arange(bins), rows),
        "first_block": np.repeat(first, rows),
        "about": pa.array([TABLE, *[ENTRANT] * len(entrants)] * bins, pa.string()),
        "entrant": pa.array([None, *entrants] * bins, pa.string()),
    }


def _column(tally: Tally, column: str) -> pa.Array:
    """A column of all bins, the table's row before the entrants'; null where a row has no such count."""
    bins, entrants = tally.entrants.shape[:2]
    values = np.zeros((bins, 1 + entrants), dtype=np.int64)
    missing = np.ones((bins, 1 + entrants), dtype=bool)
    if column in TABLE_COLUMNS:
        values[:, 0], missing[:, 0] = tally.table[:, TABLE_COLUMNS.index(column)], False
    if column in ENTRANT_COLUMNS:
        values[:, 1:], missing[:, 1:] = tally.entrants[:, :, ENTRANT_COLUMNS.index(column)], False
    return pa.array(values.ravel(), pa.int64(), mask=missing.ravel())


def totals_table(experiment: Experiment, tallies: Sequence[Tally]) -> pa.Table:
    """Every total of a scenario in long form: a row for each measure of the table and of each entrant."""
    rows = [
        {"scenario": scenario.name, "about": about, "entrant": entrant, "measure": measure, "value": value}
        for scenario, tally in zip(experiment.scenarios, tallies, strict=True)
        for about, entrant, measure, value in _totals(tally, [entrant.name for entrant in scenario.lineup])
    ]
    return pa.Table.from_pylist(rows, schema=TOTALS_SCHEMA)


def _totals(tally: Tally, entrants: Sequence[str]) -> Iterator[tuple[str, str | None, str, int]]:
    for columns, totals in ((TABLE_COLUMNS, tally.table), (POT_COLUMNS, tally.pots)):
        for measure, value in zip(columns, _added(totals, columns), strict=True):
            yield TABLE, None, measure, value
    for index, name in enumerate(entrants):
        for columns, of_all in ((ENTRANT_COLUMNS, tally.entrants), (PLAY_COLUMNS, tally.plays)):
            for measure, value in zip(columns, _added(of_all[:, index], columns), strict=True):
                yield ENTRANT, name, measure, value


def _added(totals: np.ndarray, columns: Sequence[str]) -> list[int]:
    """Column sums; what a limb of a square cannot hold in 32 bits is carried to the next, so that all fit 64."""
    sums = [sum(int(value) for value in totals[:, index]) for index in range(len(columns))]
    for index, column in enumerate(columns):
        if column.endswith(("_sq_0", "_sq_1")):
            sums[index + 1] += sums[index] >> 32
            sums[index] &= 0xFFFFFFFF
    return sums


def parquet_bytes(table: pa.Table) -> bytes:
    """A table as a Parquet file: the same bytes for the same table."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def read_table(path: Path, content: bytes, schema: pa.Schema) -> pa.Table:
    """The table in a file's content; StoreError when it has other columns or is no Parquet."""
    try:
        # Not read_table: its threads, idle when the program ends, may abort it.
        table = pq.ParquetFile(pa.BufferReader(content)).read(use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, f"it is not Parquet: {error}") from error
    if not table.schema.equals(schema):
        raise damaged(path, f"its columns are not those of results version {RESULTS_VERSION}")
    return table


def parquet_files(experiment: Experiment, tallies: Sequence[Tally]) -> dict[str, bytes]:
    """The content of each Parquet file of a run."""
    tables = {
        BINS: bins_table,
        TOTALS: totals_table,
        PLAYS: plays_table,
        CLASSES: classes_table,
        HISTOGRAM: histogram_table,
    }
    return {name: parquet_bytes(table(experiment, tallies)) for name, table in tables.items()}


def read_tallies(folder: Path, content: Mapping[str, bytes], manifest: Mapping[str, Any]) -> tuple[Tally, ...]:
    """The tallies in a run's Parquet files, by what these hold; StoreError unless all is as the manifest has it."""
    fine = {name: read_table(folder / name, content[name], schema) for name, schema in FINE_SCHEMAS.items()}
    bins = read_table(folder / BINS, content[BINS], BINS_SCHEMA)
    tallies = _core_of(folder / BINS, bins, fine[PLAYS], shapes(manifest))
    read_fine(folder, fine, shapes(manifest), tallies)
    return tallies


def _core_of(path: Path, bins: pa.Table, plays: pa.Table, shape: Sequence[Shape]) -> tuple[Tally, ...]:
    """The tallies in a table of bins; StoreError unless it has exactly the rows the experiment needs."""
    tallies, start = [], 0
    for number, scenario in enumerate(shape, 1):
        places = pa.table(_places(scenario.name, scenario.entrants, scenario.blocks), schema=_PLACES)
        rows = bins.slice(start, len(places))
        if not rows.select(_PLACES.names).equals(places):
            raise damaged(path, f"the rows of scenario {scenario.name!r} are not those of its bins and entrants")
        entrants = len(scenario.entrants)
        places_of = (len(places) // (1 + entrants), 1 + entrants)
        counts = {column: rows[column].fill_null(0).to_numpy().reshape(places_of) for column in _COUNTS}
        tally = Tally(places_of[0], entrants, shard_bins(plays, number, scenario))
        tally.table[:] = np.stack([counts[column][:, 0] for column in TABLE_COLUMNS], axis=-1)
        tally.entrants[:] = np.stack([counts[column][:, 1:] for column in ENTRANT_COLUMNS], axis=-1)
        tallies.append(tally)
        start += len(places)
    if start != len(bins):
        raise damaged(path, f"it has {len(bins)} rows where its experiment has {start}")
    return tuple(tallies)
