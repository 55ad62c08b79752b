"""The totals of a run as Parquet: every bin, and the sums over the bins in long form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from razz_sim.experiment import Experiment, bin_size
from razz_sim.store.fine import (
    FINE_SCHEMAS,
    classes_tables,
    histogram_tables,
    plays_tables,
    read_fine,
    shard_bins,
)
from razz_sim.store.manifest import BINS, CLASSES, HISTOGRAM, PLAYS, TOTALS, TOURNAMENTS, Shape, damaged, shapes
from razz_sim.store.tournaments import (
    COLUMNS,
    COURSE,
    MONEY,
    TOURNAMENTS_SCHEMA,
    parts_of,
    read_tournaments,
    tournament_tables,
)
from razz_sim.tally import ENTRANT_COLUMNS, PLAY_COLUMNS, POT_COLUMNS, RESULTS_VERSION, TABLE_COLUMNS, Tally

TABLE, ENTRANT = "table", "entrant"
"""Whom a row is about."""
GROUP_ROWS = 100_000
"""A file's rows are written in groups of about so many."""
_COUNTS = (*TABLE_COLUMNS, *(column for column in ENTRANT_COLUMNS if column not in TABLE_COLUMNS))
_SCENARIO = pa.field("scenario", pa.string(), nullable=False)
_WHOM = [pa.field("about", pa.string(), nullable=False), pa.field("entrant", pa.string())]
_BIN = [pa.field(name, pa.int64(), nullable=False) for name in ("bin", "first_block")]
_VALUE = [pa.field("measure", pa.string(), nullable=False), pa.field("value", pa.int64(), nullable=False)]
_PLACES = pa.schema([_SCENARIO, *_BIN, *_WHOM])
BINS_SCHEMA = pa.schema([*_PLACES, *(pa.field(column, pa.int64()) for column in _COUNTS)])
TOTALS_SCHEMA = pa.schema([_SCENARIO, *_WHOM, *_VALUE])


def bins_tables(experiment: Experiment, tallies: Sequence[Tally]) -> Iterator[pa.Table]:
    """Every total of every bin: for each bin of each scenario a row for the table and one for each entrant."""
    for scenario, tally in zip(experiment.scenarios, tallies, strict=True):
        names = [entrant.name for entrant in scenario.lineup]
        counts = {column: _column(tally, column) for column in _COUNTS}
        places = _places(scenario.name, names, scenario.blocks)
        yield pa.table({**places, **counts}, schema=BINS_SCHEMA)


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


def totals_tables(experiment: Experiment, tallies: Sequence[Tally]) -> Iterator[pa.Table]:
    """Every total of a scenario in long form: a row for each measure of the table and of each entrant."""
    for scenario, tally in zip(experiment.scenarios, tallies, strict=True):
        rows = [
            {"scenario": scenario.name, "about": about, "entrant": entrant, "measure": measure, "value": value}
            for about, entrant, measure, value in _totals(tally, [entrant.name for entrant in scenario.lineup])
        ]
        yield pa.Table.from_pylist(rows, schema=TOTALS_SCHEMA)


def _totals(tally: Tally, entrants: Sequence[str]) -> Iterator[tuple[str, str | None, str, int]]:
    for columns, totals in ((TABLE_COLUMNS, tally.table), (POT_COLUMNS, tally.pots)):
        for measure, value in zip(columns, _added(totals, columns), strict=True):
            yield TABLE, None, measure, value
    for index, name in enumerate(entrants):
        for columns, of_all in ((ENTRANT_COLUMNS, tally.entrants), (PLAY_COLUMNS, tally.plays)):
            for measure, value in zip(columns, _added(of_all[:, index], columns), strict=True):
                yield ENTRANT, name, measure, value
    if tally.of_tournaments:
        yield from _totals_of_tournaments(tally, entrants)


def _totals_of_tournaments(tally: Tally, entrants: Sequence[str]) -> Iterator[tuple[str, str | None, str, int]]:
    for part, totals in parts_of(tally).items():
        for place, name in enumerate(entrants if part != COURSE else (None,)):
            for measure, value in zip(COLUMNS[part], totals[:, place].sum(axis=0).tolist(), strict=True):
                if value or part == MONEY:
                    yield (TABLE if name is None else ENTRANT), name, measure, value


def _added(totals: np.ndarray, columns: Sequence[str]) -> list[int]:
    """Column sums; what a limb of a square cannot hold in 32 bits is carried to the next, so that all fit 64."""
    sums = [sum(totals[:, index].tolist()) for index in range(len(columns))]
    for index, column in enumerate(columns):
        if column.endswith(("_sq_0", "_sq_1")):
            sums[index + 1] += sums[index] >> 32
            sums[index] &= 0xFFFFFFFF
    return sums


def parquet_bytes(tables: Iterable[pa.Table], schema: pa.Schema) -> bytes:
    """Tables one below the other as a Parquet file, group by group: the same bytes for the same tables."""
    sink = pa.BufferOutputStream()
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        waiting: list[pa.Table] = []
        for table in tables:
            waiting.append(table)
            if sum(map(len, waiting)) >= GROUP_ROWS:
                writer.write_table(pa.concat_tables(waiting))
                waiting.clear()
        if waiting:
            writer.write_table(pa.concat_tables(waiting))
    return bytes(sink.getvalue())


def read_table(path: Path, content: bytes, schema: pa.Schema) -> pa.Table:
    """The table in a file's content; StoreError when it has other columns or is no Parquet."""
    return read_columns(path, opened(path, content, schema), schema.names)


def opened(path: Path, content: bytes, schema: pa.Schema) -> pq.ParquetFile:
    """A file's content, to read columns from; StoreError when it has other columns or is no Parquet."""
    try:
        file = pq.ParquetFile(pa.BufferReader(content))
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, f"it is not Parquet: {error}") from error
    if not file.schema_arrow.equals(schema):
        raise damaged(path, f"its columns are not those of results version {RESULTS_VERSION}")
    return file


def read_columns(path: Path, file: pq.ParquetFile, columns: Sequence[str]) -> pa.Table:
    """Some columns of a file; StoreError when they cannot be read."""
    try:
        # Not read_table: its threads, idle when the program ends, may abort it.
        return file.read(columns=list(columns), use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise damaged(path, f"it is not Parquet: {error}") from error


def parquet_files(experiment: Experiment, tallies: Sequence[Tally]) -> dict[str, bytes]:
    """The content of each Parquet file of a run."""
    tables = {
        BINS: bins_tables,
        TOTALS: totals_tables,
        PLAYS: plays_tables,
        CLASSES: classes_tables,
        HISTOGRAM: histogram_tables,
    }
    if any(tally.of_tournaments for tally in tallies):
        tables[TOURNAMENTS] = tournament_tables
    schemas = {BINS: BINS_SCHEMA, TOTALS: TOTALS_SCHEMA, **FINE_SCHEMAS, TOURNAMENTS: TOURNAMENTS_SCHEMA}
    return {name: parquet_bytes(of_each(experiment, tallies), schemas[name]) for name, of_each in tables.items()}


def read_tallies(folder: Path, content: Mapping[str, bytes], manifest: Mapping[str, Any]) -> tuple[Tally, ...]:
    """The tallies in a run's Parquet files, by what these hold; StoreError unless all is as the manifest has it."""
    fine = {name: read_table(folder / name, content[name], schema) for name, schema in FINE_SCHEMAS.items()}
    shape = shapes(manifest)
    shards = shard_bins(fine[PLAYS], shape)
    tallies = tuple(
        Tally(-(-one.blocks // bin_size(one.blocks)), len(one.entrants), bins, tournament=one.tournament)
        for one, bins in zip(shape, shards, strict=True)
    )
    _read_core(folder / BINS, opened(folder / BINS, content[BINS], BINS_SCHEMA), shape, tallies)
    read_fine(folder, fine, shape, tallies)
    if any(one.tournament for one in shape):
        table = read_table(folder / TOURNAMENTS, content[TOURNAMENTS], TOURNAMENTS_SCHEMA)
        read_tournaments(folder, table, shape, tallies)
    return tallies


def _read_core(path: Path, file: pq.ParquetFile, shape: Sequence[Shape], tallies: Sequence[Tally]) -> None:
    """Fill the core of tallies from the bins, a column at a time; StoreError unless these are the experiment's."""
    starts = _starts(path, read_columns(path, file, _PLACES.names), shape)
    for column in _COUNTS:
        values = read_columns(path, file, [column])[column].fill_null(0).to_numpy()
        for tally, start, stop in zip(tallies, starts, starts[1:], strict=False):
            by_bin = values[start:stop].reshape(len(tally.table), -1)
            if not by_bin.any():
                continue  # what is not written to takes no memory: most points of a search are not measured again
            if column in TABLE_COLUMNS:
                tally.table[:, TABLE_COLUMNS.index(column)] = by_bin[:, 0]
            if column in ENTRANT_COLUMNS:
                tally.entrants[:, :, ENTRANT_COLUMNS.index(column)] = by_bin[:, 1:]


def _starts(path: Path, found: pa.Table, shape: Sequence[Shape]) -> list[int]:
    """The row at which each scenario begins, and where the last ends; StoreError unless each row is in its place."""
    starts = [0]
    for scenario in shape:
        places = pa.table(_places(scenario.name, scenario.entrants, scenario.blocks), schema=_PLACES)
        if not found.slice(starts[-1], len(places)).equals(places):
            raise damaged(path, f"the rows of scenario {scenario.name!r} are not those of its bins and entrants")
        starts.append(starts[-1] + len(places))
    if starts[-1] != len(found):
        raise damaged(path, f"it has {len(found)} rows where its experiment has {starts[-1]}")
    return starts
