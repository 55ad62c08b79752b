"""The run folder: what a run leaves behind, written so that nothing is lost and read back so that nothing is believed.

    results/<name>/<run id>/
        manifest.json     what was asked: the experiment, strategy sources, versions, machine; hashes of the other files
        bins.parquet      every total of every bin: the exact integers that everything else is computed from
        totals.parquet    the same added up, in long form
        summary.json      estimates and intervals; it is written last, so that a folder without it is unfinished

Every file is written aside and renamed, so it is there whole or not at all. `results/README.md` describes the contents.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import platform
import secrets
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import razz_sim
from razz_sim.config import ConfigError, experiment_from_manifest, for_manifest
from razz_sim.experiment import Experiment, bin_size
from razz_sim.tally import ENTRANT_COLUMNS, RESULTS_VERSION, TABLE_COLUMNS, Tally, digest

MANIFEST, BINS, TOTALS, SUMMARY = "manifest.json", "bins.parquet", "totals.parquet", "summary.json"
LIBRARIES = ("numpy", "numba", "ray", "pyarrow")
"""Whose versions a manifest names beside razz_sim's and Python's."""
TABLE, ENTRANT = "table", "entrant"
"""Whom a row is about."""
_COUNTS = (*TABLE_COLUMNS, *(column for column in ENTRANT_COLUMNS if column not in TABLE_COLUMNS))
_JSON_WIDTH = 100
_SCENARIO = pa.field("scenario", pa.string(), nullable=False)
_WHOM = [pa.field("about", pa.string(), nullable=False), pa.field("entrant", pa.string())]
_BIN = [pa.field(name, pa.int64(), nullable=False) for name in ("bin", "first_block")]
_VALUE = [pa.field("measure", pa.string(), nullable=False), pa.field("value", pa.int64(), nullable=False)]
_PLACES = pa.schema([_SCENARIO, *_BIN, *_WHOM])
BINS_SCHEMA = pa.schema([*_PLACES, *(pa.field(column, pa.int64()) for column in _COUNTS)])
TOTALS_SCHEMA = pa.schema([_SCENARIO, *_WHOM, *_VALUE])


class StoreError(Exception):
    """A run folder cannot be written or read: the sentence says which, why, and what that means."""


@dataclass(frozen=True, slots=True)
class RunFolder:
    """A run folder being written: made by `create`, completed by `finish`, or taken back by `discard`."""

    path: Path
    experiment: Experiment
    manifest: dict[str, Any]

    @classmethod
    def create(cls, out: Path, experiment: Experiment, command: Sequence[str] = ()) -> RunFolder:
        """A new folder `out/<name>/<run id>` with its manifest; never one that is there already.

        `command` is the command line to record. Raises StoreError when `out` cannot be written to.
        """
        path = _exclusive_folder(out, experiment.name)
        manifest = {
            "run": path.name,
            "name": experiment.name,
            "seed": experiment.seed,
            "results_version": RESULTS_VERSION,
            "command": list(command),
            "started": _now(),
            "finished": None,
            "played": None,
            "versions": versions(),
            "git": git_state(Path(razz_sim.__file__).parent),
            "machine": machine(),
            "files": None,
            **for_manifest(experiment),
        }
        folder = cls(path, experiment, manifest)
        try:
            write_aside(path / MANIFEST, _sealed(manifest))
        except StoreError:
            folder.discard()
            raise
        return folder

    def finish(self, tallies: Sequence[Tally], summary: Mapping[str, Any]) -> Run:
        """Write the results; `summary` is what `statistics.summary` made of the same tallies.

        Raises StoreError when they cannot all be written: the folder stays unfinished, and this may be tried again.
        """
        if summary["digest"] != digest(tallies):
            raise ValueError("the summary's digest is not that of the tallies: they are of different runs")
        files = {
            BINS: _parquet(bins_table(self.experiment, tallies)),
            TOTALS: _parquet(totals_table(self.experiment, tallies)),
            SUMMARY: f"{json_text(summary)}\n".encode(),
        }
        manifest = {
            **self.manifest,
            "finished": _now(),
            "played": {key: summary[key] for key in ("runner", "workers", "seconds")},
            "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
        }
        for name, content in ((BINS, files[BINS]), (TOTALS, files[TOTALS]), (MANIFEST, _sealed(manifest))):
            write_aside(self.path / name, content)
        write_aside(self.path / SUMMARY, files[SUMMARY])
        return Run.load(self.path)

    def discard(self) -> None:
        """Take back a folder that was not finished; what others put there stays, and so does a finished run."""
        if (self.path / SUMMARY).exists():
            return
        with suppress(OSError):
            for name in (BINS, TOTALS, MANIFEST):
                (self.path / name).unlink(missing_ok=True)
            self.path.rmdir()


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run as its folder holds it. `summary` is `summary.json` as `json.loads` gives it."""

    folder: Path
    manifest: dict[str, Any]
    summary: dict[str, Any]
    tallies: tuple[Tally, ...]

    @classmethod
    def load(cls, folder: Path) -> Run:
        """Read a run folder and prove it: hashes of all files and the digest of the totals.

        Raises StoreError with a sentence for a folder that is no run, is unfinished, is damaged, or was written by
        another version of the results.
        """
        manifest = _read_manifest(folder)
        if manifest.get("results_version") != RESULTS_VERSION:
            raise StoreError(
                f"{folder} holds results of version {manifest.get('results_version')}; "
                f"this razz_sim ({razz_sim.__version__}) reads version {RESULTS_VERSION}"
            )
        if manifest["files"] is None or not (folder / SUMMARY).exists():
            raise StoreError(
                f"{folder} is unfinished: the run began at {manifest['started']} and left no {SUMMARY}; play it again"
            )
        content = {name: _read_proven(folder / name, manifest["files"].get(name)) for name in (BINS, TOTALS, SUMMARY)}
        summary = json.loads(content[SUMMARY])
        bins = _read_table(folder / BINS, content[BINS], BINS_SCHEMA)
        tallies = _tallies(folder / BINS, bins, manifest)
        if digest(tallies) != summary["digest"]:
            raise _damaged(folder / BINS, f"its totals do not have the digest that {SUMMARY} names")
        return cls(folder, manifest, summary, tallies)

    def experiment(self) -> Experiment:
        """The experiment that was played, from the manifest alone. This runs the strategies' sources."""
        try:
            return experiment_from_manifest(self.manifest)
        except ConfigError as error:
            raise StoreError(f"{self.folder / MANIFEST} does not give back its experiment: {error}") from error


def _exclusive_folder(out: Path, name: str) -> Path:
    if not name or name in (".", "..") or set(name) & {"/", "\\", "\0"}:
        raise StoreError(f"{name!r} cannot be the name of a folder for its runs")
    parent = out / name
    with _as_store_error(f"no run folder can be made in {parent}"):
        parent.mkdir(parents=True, exist_ok=True)
        while True:
            folder = parent / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            for changed in (parent, out):
                _sync_folder(changed)
            return folder


def write_aside(path: Path, content: bytes) -> None:
    """Write a file under another name in the same folder, see it on the disk, then give it its name.

    Whatever happens, `path` holds all of `content` or what it held before. Raises StoreError.
    """
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with _as_store_error(f"{path} cannot be written"):
        try:
            with aside.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except BaseException:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # what some network disks answer, which do this their own way
            raise
    finally:
        os.close(handle)


@contextmanager
def _as_store_error(what: str) -> Iterator[None]:
    """Turn an OSError into a sentence."""
    why = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "your disk quota is used up",
        errno.EFBIG: "it would be larger than files may be here",
        errno.EROFS: "the disk is mounted read-only",
        errno.EACCES: "you may not write there",
        errno.EPERM: "you may not write there",
        errno.ENOTDIR: "a part of that path is a file, not a folder",
        errno.EEXIST: "a file of that name is in the way",
    }
    try:
        yield
    except OSError as error:
        reason = why.get(error.errno or 0, error.strerror or str(error))
        raise StoreError(f"{what}: {reason}; nothing that was there before has changed") from error


def json_text(data: object, indent: str = "") -> str:
    """JSON in which a Decimal is a number, to its last digit; what holds no object stands on one line where it fits.

    >>> print(json_text({"net": Decimal("541501.80"), "won": {"count": 1, "ci95": [1.5, 2.5]}}))
    {
      "net": 541501.8,
      "won": {"count": 1, "ci95": [1.5, 2.5]}
    }
    """
    inner = indent + "  "
    if isinstance(data, Mapping):
        parts = [f"{json.dumps(key)}: {json_text(value, inner)}" for key, value in data.items()]
        return _bracketed("{}", parts, list(data.values()), indent)
    if isinstance(data, Sequence) and not isinstance(data, str):
        return _bracketed("[]", [json_text(value, inner) for value in data], data, indent)
    if isinstance(data, Decimal):
        digits = f"{data:f}"
        return digits.rstrip("0").rstrip(".") if "." in digits else digits
    return json.dumps(data, allow_nan=False)


def _bracketed(brackets: str, parts: Sequence[str], values: Sequence[object], indent: str) -> str:
    one_line = ", ".join(parts)
    if len(one_line) <= _JSON_WIDTH and not any(isinstance(value, Mapping) for value in values):
        return brackets[0] + one_line + brackets[1]
    lines = f",\n{indent}  ".join(parts)
    return f"{brackets[0]}\n{indent}  {lines}\n{indent}{brackets[1]}"


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
    for measure, value in zip(TABLE_COLUMNS, _added(tally.table, TABLE_COLUMNS), strict=True):
        yield TABLE, None, measure, value
    for index, name in enumerate(entrants):
        sums = _added(tally.entrants[:, index], ENTRANT_COLUMNS)
        for measure, value in zip(ENTRANT_COLUMNS, sums, strict=True):
            yield ENTRANT, name, measure, value


def _added(totals: np.ndarray, columns: Sequence[str]) -> list[int]:
    """Column sums; what a limb of a square cannot hold in 32 bits is carried to the next, so that all fit 64."""
    sums = [sum(int(value) for value in totals[:, index]) for index in range(len(columns))]
    for index, column in enumerate(columns):
        if column.endswith(("_sq_0", "_sq_1")):
            sums[index + 1] += sums[index] >> 32
            sums[index] &= 0xFFFFFFFF
    return sums


def _parquet(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _sealed(manifest: Mapping[str, Any]) -> bytes:
    """A manifest with a checksum of its other keys."""
    return f"{json_text({**manifest, 'checksum': _checksum(manifest)})}\n".encode()


def _checksum(manifest: Mapping[str, Any]) -> str:
    others = {key: value for key, value in manifest.items() if key != "checksum"}
    return hashlib.sha256(json.dumps(others, sort_keys=True).encode()).hexdigest()


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    if not os.path.isdir(folder):
        raise StoreError(f"{folder} is not a run folder: {'it is a file' if folder.exists() else 'there is none'}")
    if not path.exists():
        runs = sorted(found.parent.name for found in folder.glob(f"*/{MANIFEST}"))
        hint = f"; it holds runs, the latest is {folder / runs[-1]}" if runs else ""
        raise StoreError(f"{folder} is not a run folder: it has no {MANIFEST}{hint}")
    try:
        manifest = json.loads(_read(path))
    except ValueError as error:
        raise _damaged(path, f"it is not JSON: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("checksum") != _checksum(manifest):
        raise _damaged(path, "its checksum is not that of its content")
    return manifest


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise _damaged(path, "it is missing") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error


def _read_proven(path: Path, sha256: str | None) -> bytes:
    content = _read(path)
    if hashlib.sha256(content).hexdigest() != sha256:
        raise _damaged(path, f"its sha256 is not the one that {MANIFEST} names")
    return content


def _damaged(path: Path, how: str) -> StoreError:
    return StoreError(f"{path.parent} is damaged: {path.name}: {how}; its totals cannot be trusted")


def _read_table(path: Path, content: bytes, schema: pa.Schema) -> pa.Table:
    try:
        table = pq.read_table(pa.BufferReader(content))
    except (pa.ArrowException, OSError) as error:
        raise _damaged(path, f"it is not Parquet: {error}") from error
    if not table.schema.equals(schema):
        raise _damaged(path, f"its columns are not those of results version {RESULTS_VERSION}")
    return table


def _tallies(path: Path, bins: pa.Table, manifest: Mapping[str, Any]) -> tuple[Tally, ...]:
    """The tallies in a table of bins; StoreError unless it has exactly the rows the manifest's experiment needs."""
    tallies, start = [], 0
    for scenario in manifest["experiment"]["scenarios"]:
        names = [entrant["name"] for entrant in scenario["lineup"]]
        blocks = scenario["hands"] // scenario.get("session", {"hands": 1})["hands"]
        places = pa.table(_places(scenario["name"], names, blocks), schema=_PLACES)
        rows = bins.slice(start, len(places))
        if not rows.select(_PLACES.names).equals(places):
            raise _damaged(path, f"the rows of scenario {scenario['name']!r} are not those of its bins and entrants")
        shape = (len(places) // (1 + len(names)), 1 + len(names))
        counts = {column: rows[column].fill_null(0).to_numpy().reshape(shape) for column in _COUNTS}
        tally = Tally(shape[0], len(names))
        tally.table[:] = np.stack([counts[column][:, 0] for column in TABLE_COLUMNS], axis=-1)
        tally.entrants[:] = np.stack([counts[column][:, 1:] for column in ENTRANT_COLUMNS], axis=-1)
        tallies.append(tally)
        start += len(places)
    if start != len(bins):
        raise _damaged(path, f"it has {len(bins)} rows where its experiment has {start}")
    return tuple(tallies)


def versions() -> dict[str, str | None]:
    """The versions of all that a result could depend on."""
    return {
        "razz_sim": razz_sim.__version__,
        "python": platform.python_version(),
        **{library: _version(library) for library in LIBRARIES},
    }


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def machine() -> dict[str, Any]:
    """The machine, without anything that names its owner."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "processor": _processor(),
        "processors": os.cpu_count(),
        "byte_order": sys.byteorder,
    }


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def git_state(folder: Path) -> dict[str, Any] | None:
    """The commit that the sources in a folder are at, and whether they differ from it; None outside a checkout."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

    try:
        if not git("ls-files", "--", "__init__.py"):
            return None
        return {"commit": git("rev-parse", "HEAD"), "changed": bool(git("status", "--porcelain", "--", "."))}
    except (OSError, subprocess.SubprocessError):
        return None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
