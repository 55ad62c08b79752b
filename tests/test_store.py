"""The run folder: read back exactly, never overwritten, never half there, and refused when anything in it is wrong."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from counted_blocks import contents, record

from razz_sim.batch import Counted, play_batch
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Experiment
from razz_sim.statistics import summary
from razz_sim.store import BINS, JOURNAL, MANIFEST, PARQUET, SUMMARY, TOTALS, Run, RunFolder, StoreError, json_text
from razz_sim.store.machine import git_state
from razz_sim.store.parquet import totals_table
from razz_sim.store.writing import write_aside
from razz_sim.tally import ENTRANT_COLUMNS, PLAY_COLUMNS, POT_COLUMNS, TABLE_COLUMNS, Tally, digest
from razz_sim.tally.columns import ENDS, LOWS, STREETS

README = Path(__file__).parent.parent / "results" / "README.md"
STAKES = {"ante": "0.20", "bring_in": 1, "small_bet": 2, "big_bet": 4}
ASKED = {
    "name": "kept",
    "seed": 2**64 - 1,
    "hands": 2500,
    "stakes": [{**STAKES, "name": "raked", "rake": {"percent": 5, "cap": 2}}, {**STAKES, "name": "free"}],
    "lineup": [{"name": "table", "strategy": "tight"}, {"name": "Zoë [bold]", "strategy": "caller", "seats": 3}],
}


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return experiment_from_dict(ASKED, Path()).experiment


@pytest.fixture(scope="module")
def counted(experiment: Experiment) -> list[Counted]:
    return [
        play_batch(experiment.scenarios[batch.scenario], experiment.seed, batch) for batch in experiment.batches(1000)
    ]


@pytest.fixture(scope="module")
def tallies(experiment: Experiment, counted: list[Counted]) -> list[Tally]:
    found = [scenario.tally() for scenario in experiment.scenarios]
    for part in counted:
        part.add_to(found[part.batch.scenario])
    return found


@pytest.fixture(scope="module")
def found(experiment: Experiment, tallies: list[Tally]) -> dict[str, Any]:
    return summary(experiment, tallies, runner="local", workers=1, seconds=1.5)


def played(out: Path, experiment: Experiment, counted: list[Counted]) -> RunFolder:
    """A folder in which everything is recorded."""
    folder = RunFolder.create(out, experiment, ["razz-sim", "run", "kept.yaml"])
    for part in counted:
        folder.record(part)
    return folder


@pytest.fixture(scope="module")
def written(
    tmp_path_factory: pytest.TempPathFactory,
    experiment: Experiment,
    counted: list[Counted],
    found: dict[str, Any],
) -> Path:
    return played(tmp_path_factory.mktemp("written"), experiment, counted).finish(found).folder


@pytest.fixture
def run(tmp_path: Path, written: Path) -> Run:
    """A finished run, to do with as one likes."""
    return Run.load(shutil.copytree(written, tmp_path / "kept" / written.name))


def reseal(folder: Path, **changes: Any) -> None:
    """Change a manifest as somebody would who knows how its checksum is made."""
    manifest = {**json.loads((folder / MANIFEST).read_text()), **changes}
    del manifest["checksum"]
    seal = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
    (folder / MANIFEST).write_text(json.dumps({**manifest, "checksum": seal}))


# What is written


def test_a_run_is_read_back_to_the_last_integer(run: Run, experiment: Experiment, tallies: list[Tally]) -> None:
    again = Run.load(run.folder)
    for tally, written in zip(again.tallies, tallies, strict=True):
        assert np.array_equal(tally.table, written.table)
        assert np.array_equal(tally.entrants, written.entrants)
        assert tally.table.dtype == tally.entrants.dtype == np.int64
    assert digest(again.tallies) == again.summary["digest"] == digest(tallies)
    assert again.experiment() == experiment


def test_the_summary_in_the_folder_is_the_one_that_is_printed(run: Run, found: dict[str, Any]) -> None:
    assert (run.folder / SUMMARY).read_text() == json_text(found) + "\n"
    assert run.summary == json.loads(json_text(found))


def test_the_manifest_says_what_was_asked_and_how_it_was_played(run: Run) -> None:
    manifest = json.loads((run.folder / MANIFEST).read_text())
    assert manifest["run"] == run.folder.name
    assert (manifest["name"], manifest["seed"]) == ("kept", 2**64 - 1)
    assert manifest["command"] == ["razz-sim", "run", "kept.yaml"]
    assert manifest["played"] == {"runner": "local", "workers": 1, "seconds": 1.5}
    assert set(manifest["versions"]) == {"razz_sim", "python", "numpy", "numba", "ray", "pyarrow"}
    assert all(manifest["versions"].values())
    assert manifest["started"] <= manifest["finished"]
    for strategy in manifest["strategies"].values():
        assert hashlib.sha256(strategy["text"].encode()).hexdigest() == strategy["sha256"]
    for name, sha256 in manifest["files"].items():
        assert hashlib.sha256((run.folder / name).read_bytes()).hexdigest() == sha256
    assert re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{6}", run.folder.name)


def test_bins_hold_every_total_of_every_bin(run: Run, tallies: list[Tally], experiment: Experiment) -> None:
    table = pq.read_table(run.folder / BINS)
    assert len(table) == 2 * experiment.scenarios[0].bins * 3
    rows = table.filter(
        (pc.field("scenario") == "free") & (pc.field("about") == "entrant") & (pc.field("entrant") == "table")
    )
    for column in ENTRANT_COLUMNS:
        assert rows[column].to_pylist() == tallies[1].entrants[:, 0, ENTRANT_COLUMNS.index(column)].tolist()
    assert rows["blocks"].null_count == len(rows), "blocks are the table's"
    assert rows["first_block"].to_pylist() == [number * experiment.scenarios[1].bin_size for number in range(len(rows))]
    assert rows["pot"].null_count == len(rows), "an entrant has no pot"
    of_table = table.filter((pc.field("scenario") == "raked") & (pc.field("about") == "table"))
    assert of_table["entrant"].null_count == len(of_table)
    for column in TABLE_COLUMNS:
        assert of_table[column].to_pylist() == tallies[0].table[:, TABLE_COLUMNS.index(column)].tolist()


def test_totals_are_the_sums_of_the_bins(run: Run, tallies: list[Tally]) -> None:
    rows = pq.read_table(run.folder / TOTALS).to_pylist()
    columns = len(TABLE_COLUMNS) + len(POT_COLUMNS), len(ENTRANT_COLUMNS) + len(PLAY_COLUMNS)
    assert len(rows) == 2 * (columns[0] + 2 * columns[1])
    values = {(row["scenario"], row["about"], row["entrant"], row["measure"]): row["value"] for row in rows}
    assert values["raked", "table", None, "rake"] == tallies[0].table_total("rake")
    for index, entrant in enumerate(("table", "Zoë [bold]")):
        assert values["free", "entrant", entrant, "net"] == tallies[1].entrant_total(index, "net")
        limbs = [values["free", "entrant", entrant, f"net_sq_{limb}"] for limb in range(3)]
        first = ENTRANT_COLUMNS.index("net_sq_0")
        assert limbs == tallies[1].entrants[:, index, first : first + 3].sum(axis=0).tolist()


def test_totals_carry_limbs_that_add_up_beyond_64_bits(experiment: Experiment, tallies: list[Tally]) -> None:
    full = [Tally(*tally.entrants.shape[:2]) for tally in tallies]
    limb = TABLE_COLUMNS.index("pot_sq_0")
    full[0].table[:, limb : limb + 2] = 2**62
    rows = [row for row in totals_table(experiment, full).to_pylist() if row["scenario"] == "raked"]
    values = {row["measure"]: row["value"] for row in rows if row["about"] == "table"}
    square = values["pot_sq_0"] + (values["pot_sq_1"] << 32) + (values["pot_sq_2"] << 64)
    assert square == len(full[0].table) * (2**62 + 2**94)


def test_the_same_results_are_the_same_bytes(
    tmp_path: Path, run: Run, experiment: Experiment, counted: list[Counted], found: dict[str, Any]
) -> None:
    again = played(tmp_path, experiment, counted[::-1]).finish(found)
    for name in (*PARQUET, SUMMARY):
        assert (again.folder / name).read_bytes() == (run.folder / name).read_bytes()


LABELLED = ("by_door", "by_position", "by_end", "lows", "winning_lows", "players", "actions")
"""Objects by class, whose keys are no fields."""


def in_general(name: str) -> str:
    """A name as the README has it: with STREET, END, LOW and N for what varies."""
    streets, ends, lows = ("|".join(words) for words in (STREETS, ENDS, LOWS))
    for pattern, general in (
        (rf"pot_(?:{ends})_(\w+)", r"pot_END_\1"),
        (rf"players_(?:{ends})_\d", "players_END_N"),
        (rf"(winning|shown|won)_(?:{lows})", r"\1_LOW"),
        (rf"(raises|calls|checks|folds|saw)_(?:{streets})", r"\1_STREET"),
    ):
        if (found := re.fullmatch(pattern, name)) is not None:
            return found.expand(general)
    return name


def test_the_readme_explains_every_file_column_and_field(run: Run) -> None:
    explained = set(re.findall(r"`([^`\n]+)`", README.read_text(encoding="utf-8")))

    def keys(data: object) -> Iterator[str]:
        if isinstance(data, dict):
            for key, value in data.items():
                yield in_general(key)
                if key in LABELLED:
                    yield from keys(list(value.values()))
                elif key not in ("params", "cap_by_players", "point", "counts", "quantiles"):
                    yield from keys(value)
        elif isinstance(data, list):
            for value in data:
                yield from keys(value)

    named = {column for name in PARQUET for column in pq.read_schema(run.folder / name).names}
    columns = {in_general(column) for column in named}
    fields = set(keys(run.summary)) - {"count", "of", "fraction", "per_100"}
    assert {*columns, *fields, *run.manifest, *contents(run.folder)} <= explained
    for shape in ("`{count, of, fraction, ci95}`", "`{count, per_100, std_error, ci95}`"):
        assert shape in README.read_text(encoding="utf-8")


# Nothing is overwritten


def test_runs_that_begin_in_the_same_second_have_folders_of_their_own(tmp_path: Path, experiment: Experiment) -> None:
    folders: list[Path] = []

    def create() -> None:
        folders.extend(RunFolder.create(tmp_path, experiment).path for _ in range(10))

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(folders)) == 40 == len(list((tmp_path / "kept").iterdir()))


def test_a_name_that_is_taken_is_left_alone(
    tmp_path: Path, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["aaaaaa", "aaaaaa", "bbbbbb", *["cccccc"] * 9])

    class Noon:
        @staticmethod
        def now(zone: object) -> Any:
            from datetime import datetime

            return datetime(2026, 2, 12, 12, 0, 0)

    with monkeypatch.context() as patched:
        patched.setattr("razz_sim.store.writing.datetime", Noon)
        patched.setattr(
            "razz_sim.store.writing.secrets.token_hex", lambda size: next(drawn) if size == 3 else os.urandom(4).hex()
        )
        first = RunFolder.create(tmp_path, experiment)
        before = contents(first.path)
        second = RunFolder.create(tmp_path, experiment)
    assert (first.path.name, second.path.name) == ("20260212-120000-aaaaaa", "20260212-120000-bbbbbb")
    assert contents(first.path) == before


def test_discard_takes_back_only_what_create_made(tmp_path: Path, experiment: Experiment) -> None:
    empty, used = RunFolder.create(tmp_path, experiment), RunFolder.create(tmp_path, experiment)
    (used.path / "notes.txt").write_text("mine")
    empty.discard()
    used.discard()
    assert not empty.path.exists()
    assert (used.path / "notes.txt").read_text() == "mine"


def test_discard_takes_back_a_run_that_could_not_be_finished_but_never_a_finished_one(
    tmp_path: Path,
    experiment: Experiment,
    counted: list[Counted],
    tallies: list[Tally],
    found: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = played(tmp_path, experiment, counted)

    def full(path: Path, content: bytes) -> None:
        if path.name == SUMMARY:
            raise StoreError("full")
        write_aside(path, content)

    with monkeypatch.context() as patched:
        patched.setattr("razz_sim.store.folder.write_aside", full)
        with pytest.raises(StoreError, match="full"):
            folder.finish(found)
    assert set(contents(folder.path)) == {*PARQUET, JOURNAL, MANIFEST}
    folder.discard()
    assert not folder.path.exists()
    finished = played(tmp_path, experiment, counted)
    finished.finish(found)
    finished.discard()
    assert Run.load(finished.path).summary["digest"] == digest(tallies)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, experiment: Experiment, name: str) -> None:
    elsewhere = Experiment(name=name, seed=1, scenarios=experiment.scenarios)
    with pytest.raises(StoreError, match="cannot be the name of a folder"):
        RunFolder.create(tmp_path, elsewhere)


# Places that cannot be written to


def test_a_folder_below_a_file_is_a_sentence(tmp_path: Path, experiment: Experiment) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(
        StoreError, match=r"no run folder can be made in .*file/below/kept: a part of that path is a file"
    ):
        RunFolder.create(tmp_path / "file" / "below", experiment)
    (tmp_path / "kept").write_text("in the way")
    with pytest.raises(StoreError, match="a file of that name is in the way"):
        RunFolder.create(tmp_path, experiment)
    assert contents(tmp_path) == {"file": b"kept", "kept": b"in the way"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_a_sentence(tmp_path: Path, experiment: Experiment) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(StoreError, match="you may not write there; nothing that was there before has changed"):
        RunFolder.create(tmp_path, experiment)


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "read-only"), (errno.EIO, "Input/output")]
)
@pytest.mark.parametrize("failing", range(1, 9))
def test_an_error_at_any_moment_leaves_an_unfinished_folder_that_can_be_finished(
    tmp_path: Path,
    experiment: Experiment,
    counted: list[Counted],
    tallies: list[Tally],
    found: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    words: str,
    failing: int,
) -> None:
    folder = played(tmp_path, experiment, counted)
    folder.flush()
    calls = 0

    def fsync(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr("razz_sim.store.writing.os.fsync", fsync)
        with pytest.raises(StoreError, match=words):
            folder.finish(found)
    assert not [name for name in contents(folder.path) if name.startswith(".")], "nothing is left lying about"
    if failing < 8:  # the eighth is the folder's, after the summary has its name
        with pytest.raises(StoreError, match="is unfinished"):
            Run.load(folder.path)
    folder.finish(found)
    assert Run.load(folder.path).summary["digest"] == digest(tallies)


def test_a_file_is_there_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.json"
    write_aside(path, b"old")

    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("razz_sim.store.writing.os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_aside(path, b"new")
    assert contents(tmp_path) == {"x.json": b"old"}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB, too small for the results."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"A FULL DISK WAS NOT TRIED: no tmpfs can be mounted here ({mounted.stderr.strip()})")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_fills_up_is_a_sentence_and_harms_nothing(
    small_disk: Path, tmp_path: Path, experiment: Experiment, counted: list[Counted]
) -> None:
    (small_disk / "theirs").write_bytes(b"x" * 1000)
    folder = RunFolder.create(small_disk, experiment)
    with pytest.raises(StoreError, match=r"journal.bin cannot be written: the disk is full; what was in it .* stays"):
        record(folder, batches=[part.batch for part in counted])
    with pytest.raises(StoreError, match="the disk is full"):
        folder.close()
    assert (small_disk / "theirs").read_bytes() == b"x" * 1000
    with pytest.raises(StoreError, match=r"is unfinished: .* [1-9][\d,]* of 5,000 hands are kept"):
        Run.load(folder.path)
    (small_disk / "filler").write_bytes(b"")
    with pytest.raises(OSError, match="No space"):
        (small_disk / "filler").write_bytes(b"x" * 65536)
    with pytest.raises(StoreError, match="the disk is full"):
        RunFolder.create(small_disk, experiment)
    assert [path.name for path in (small_disk / "kept").iterdir()] == [folder.path.name]
    larger = tmp_path / "larger"
    shutil.copytree(folder.path, larger)
    with RunFolder.resume(larger, experiment) as resumed:
        assert resumed.notices == ()
        assert 0 < resumed.hands < 5000
        record(resumed)
        assert not any(resumed.missing)
        with RunFolder.create(tmp_path, experiment) as other:
            record(other)
            assert digest(resumed.tallies) == digest(other.tallies)


def test_a_read_only_disk_is_a_sentence_and_harms_nothing(small_disk: Path, experiment: Experiment) -> None:
    folder = RunFolder.create(small_disk, experiment)
    folder.close()
    before = contents(small_disk)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    for attempt in (
        lambda: RunFolder.resume(folder.path, experiment),
        lambda: RunFolder.create(small_disk, experiment),
    ):
        with pytest.raises(
            StoreError, match="the disk is mounted read-only; nothing that was there before has changed"
        ):
            attempt()
    assert contents(small_disk) == before


def test_results_that_do_not_fit_leave_a_run_that_can_be_finished_elsewhere(
    tmp_path: Path,
    experiment: Experiment,
    counted: list[Counted],
    found: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = played(tmp_path, experiment, counted)

    def full(path: Path, content: bytes) -> None:
        raise StoreError("full")

    with monkeypatch.context() as patched:
        patched.setattr("razz_sim.store.folder.write_aside", full)
        with pytest.raises(StoreError, match="full"):
            folder.finish(found)
    folder.close()
    with RunFolder.resume(folder.path, experiment) as resumed:
        assert not any(resumed.missing)
        assert resumed.finish(found).summary["digest"] == found["digest"]


def test_totals_of_another_run_and_half_a_run_are_not_finished(
    tmp_path: Path, experiment: Experiment, counted: list[Counted], found: dict[str, Any]
) -> None:
    folder = played(tmp_path, experiment, counted[:-1])
    with pytest.raises(ValueError, match="different runs"):
        folder.finish(found)
    half = summary(experiment, folder.tallies, runner="local", workers=1, seconds=1.5)
    with pytest.raises(ValueError, match=r"blocks scenario 'free': 2304 to 2499 were not played"):
        folder.finish(half)


# Folders that are no run, are unfinished, or are damaged


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


# Small parts


def test_the_commit_is_that_of_razz_sims_own_sources_only(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    assert git_state(package) is None, "no checkout"
    git("init")
    (tmp_path / "readme").write_text("")
    git("add", "readme")
    git("commit", "-m", "x")
    assert git_state(package) is None, "installed into somebody else's checkout"
    git("add", ".")
    git("commit", "-m", "y")
    state = git_state(package)
    assert state is not None
    assert re.fullmatch("[0-9a-f]{40}", state["commit"])
    assert state["changed"] is False
    (package / "__init__.py").write_text("changed = True")
    changed = git_state(package)
    assert changed is not None
    assert changed["changed"] is True


def test_json_refuses_what_json_has_not() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"x": float("nan")})


def test_json_of_a_command_line_that_is_no_unicode(tmp_path: Path, experiment: Experiment) -> None:
    folder = RunFolder.create(tmp_path, experiment, ["razz-sim", "run", os.fsdecode(b"\xff.yaml")])
    assert json.loads((folder.path / MANIFEST).read_bytes())["command"][2] == os.fsdecode(b"\xff.yaml")
