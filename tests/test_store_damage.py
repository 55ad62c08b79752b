"""Folders that are no run, are unfinished, or are damaged: refused, with what is wrong."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from stored_runs import reseal

from razz_sim.experiment import Experiment
from razz_sim.store import BINS, MANIFEST, PARQUET, SUMMARY, Run, RunFolder, StoreError

pytest_plugins = ("stored_fixtures",)


def test_a_folder_that_is_no_run_is_named(tmp_path: Path, run: Run) -> None:
    with pytest.raises(StoreError, match="nowhere is not a run folder: there is none"):
        Run.load(tmp_path / "nowhere")
    with pytest.raises(StoreError, match="is not a run folder: it is a file"):
        Run.load(run.folder / SUMMARY)
    with pytest.raises(
        StoreError, match=rf"it has no manifest.json; it holds runs, the latest is .*{run.folder.name}$"
    ):
        Run.load(run.folder.parent)
    (tmp_path / "empty").mkdir()
    with pytest.raises(StoreError, match=r"it has no manifest.json$"):
        Run.load(tmp_path / "empty")


def test_an_unfinished_run_is_named(tmp_path: Path, experiment: Experiment) -> None:
    folder = RunFolder.create(tmp_path, experiment, ["/usr/bin/razz-sim", "run", "kept.yaml"])
    began = f"is unfinished: the run began at {folder.manifest['started']}, 0 of 5,000 hands are kept"
    with pytest.raises(
        StoreError,
        match=rf"{began}, and process {os.getpid()} is playing it now; .* with: razz-sim run kept.yaml --resume$",
    ):
        Run.load(folder.path)
    folder.close()
    with pytest.raises(StoreError, match=rf"{began}; go on with: razz-sim run kept.yaml --resume$"):
        Run.load(folder.path)


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize("name", [MANIFEST, *PARQUET, SUMMARY])
@pytest.mark.parametrize("harm", [cut, flipped, lambda content: b""], ids=["cut", "flipped", "empty"])
def test_a_damaged_file_is_named(run: Run, name: str, harm: Callable[[bytes], bytes]) -> None:
    path = run.folder / name
    path.write_bytes(harm(path.read_bytes()))
    with pytest.raises(StoreError, match=rf"is damaged: {name}: .*; its totals cannot be trusted"):
        Run.load(run.folder)


@pytest.mark.parametrize("name", [MANIFEST, *PARQUET, SUMMARY])
def test_every_flipped_bit_is_found(run: Run, name: str) -> None:
    path = run.folder / name
    content = path.read_bytes()
    for place in range(0, len(content), max(1, len(content) // 40)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 16]) + content[place + 1 :])
        with pytest.raises(StoreError):
            Run.load(run.folder)
    path.write_bytes(content)
    Run.load(run.folder)


@pytest.mark.parametrize("name", PARQUET)
def test_a_missing_file_is_named(run: Run, name: str) -> None:
    (run.folder / name).unlink()
    with pytest.raises(StoreError, match=rf"is damaged: {name}: it is missing"):
        Run.load(run.folder)


def test_an_edited_seed_is_found(run: Run) -> None:
    path = run.folder / MANIFEST
    path.write_text(path.read_text().replace(str(2**64 - 1), "7"))
    with pytest.raises(StoreError, match="its checksum is not that of its content"):
        Run.load(run.folder)


def test_totals_that_do_not_make_the_digest_are_found(run: Run) -> None:
    """Even where somebody made all the hashes anew."""
    table = pq.read_table(run.folder / BINS)
    net = table.schema.get_field_index("net")
    table = table.set_column(net, table.schema.field(net), pc.add(table["net"], 1))
    pq.write_table(table, run.folder / BINS)
    files = {**run.manifest["files"], BINS: hashlib.sha256((run.folder / BINS).read_bytes()).hexdigest()}
    reseal(run.folder, files=files)
    with pytest.raises(StoreError, match=r"its totals do not have the digest that summary\.json names"):
        Run.load(run.folder)


@pytest.mark.parametrize("rows", [slice(0, -1), slice(1, None), slice(0, 0)])
def test_missing_rows_are_found(run: Run, rows: slice) -> None:
    table = pq.read_table(run.folder / BINS)
    kept = range(len(table))[rows]
    pq.write_table(table.take(pa.array(kept, pa.int64())), run.folder / BINS)
    files = {**run.manifest["files"], BINS: hashlib.sha256((run.folder / BINS).read_bytes()).hexdigest()}
    reseal(run.folder, files=files)
    with pytest.raises(StoreError, match="are not those of its bins and entrants"):
        Run.load(run.folder)


def test_results_of_another_version_are_refused(run: Run) -> None:
    reseal(run.folder, results_version=999)
    with pytest.raises(StoreError, match=r"holds results of version 999; this razz_sim \(.*\) reads version"):
        Run.load(run.folder)
