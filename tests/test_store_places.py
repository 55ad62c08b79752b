"""Places that cannot be written to: a sentence, nothing half there, and a run that can be finished."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from counted_blocks import contents, record
from stored_runs import played

from razz_sim.batch import Counted
from razz_sim.experiment import Experiment
from razz_sim.statistics import summary
from razz_sim.store import Run, RunFolder, StoreError
from razz_sim.store.writing import write_aside
from razz_sim.tally import Tally, digest

pytest_plugins = ("stored_fixtures",)


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
