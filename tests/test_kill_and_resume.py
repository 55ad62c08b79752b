"""A driver that is killed at any moment loses nothing: the resumed run ends as an undisturbed one does.

The short form kills a few times; `RAZZ_SIM_LONG=1 python -m pytest -n 0 tests/test_kill_and_resume.py` kills 45 local
drivers and 5 on Ray.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = Path(sys.executable).with_name("razz-sim")
QUICKSTART = ROOT / "configs" / "quickstart.yaml"
LONG = "RAZZ_SIM_LONG" in os.environ
HANDS = 2_000_000


def command(out: Path, *more: str) -> list[str]:
    return [str(PROGRAM), "run", str(QUICKSTART), "--hands", str(HANDS), "--out", str(out), *more]


def finished(out: Path, *more: str) -> dict[str, object]:
    """The summary of a run that is let finish."""
    done = subprocess.run(command(out, "--json", *more), capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    summary: dict[str, object] = json.loads(done.stdout)
    return summary


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, object]]:
    """The folder and the summary of a run that nothing disturbs."""
    out = tmp_path_factory.mktemp("undisturbed")
    summary = finished(out, "--runner", "local")
    return run_folder(out), summary


def run_folder(out: Path) -> Path:
    """The only run below a results folder."""
    (folder,) = begun(out)
    return folder


def begun(out: Path) -> list[Path]:
    """The runs below a results folder; a kill while a folder is being made leaves one that is none yet."""
    return [path.parent for path in out.glob("quickstart/*/manifest.json")]


def without_times(summary: dict[str, object]) -> dict[str, object]:
    """A summary without what depends on when, where and how fast it was played."""
    return {
        key: value
        for key, value in summary.items()
        if key not in ("seconds", "seconds_starting", "hands_per_second", "runner", "workers", "replayed")
    }


def kill(out: Path, rng: random.Random, least: float, most: float, *more: str) -> None:
    """Start or go on with a run and kill its driver at some moment; one that was done by then counts for nothing."""
    while True:
        resume = ["--resume"] if begun(out) else []
        process = subprocess.Popen(
            command(out, "--quiet", *more, *resume), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        time.sleep(rng.uniform(least, most))
        process.kill()
        _, errors = process.communicate(timeout=60)
        if process.returncode == -signal.SIGKILL:
            return
        assert process.returncode == 0, errors
        shutil.rmtree(out / "quickstart")


@pytest.mark.parametrize("seed", range(15 if LONG else 1))
def test_three_kills_and_a_resume_are_an_undisturbed_run(
    undisturbed: tuple[Path, dict[str, object]], seed: int, tmp_path: Path
) -> None:
    rng = random.Random(seed)
    for _ in range(3):
        kill(tmp_path, rng, 0.3, 2.0, "--runner", "local")
    check_it_ends_as(undisturbed, tmp_path)


@pytest.mark.skipif(not LONG, reason="the long form kills on Ray too")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.ray
def test_a_kill_on_ray_and_a_resume_are_an_undisturbed_run(
    undisturbed: tuple[Path, dict[str, object]], seed: int, tmp_path: Path
) -> None:
    kill(tmp_path, random.Random(seed), 3.0, 8.0, "--runner", "ray")
    check_it_ends_as(undisturbed, tmp_path)


def check_it_ends_as(undisturbed: tuple[Path, dict[str, object]], out: Path) -> None:
    """Resume what is there, once more; digest, summary and Parquet must be the undisturbed run's."""
    folders = begun(out)
    whole = [folder for folder in folders if (folder / "summary.json").exists()]
    summary = (
        finished(out, "--runner", "local", *(["--resume"] if folders and not whole else [])) if not whole else None
    )
    folder = whole[0] if whole else run_folder(out)
    kept = json.loads((folder / "summary.json").read_text())
    expected_folder, expected = undisturbed
    assert without_times(kept) == without_times(expected)
    assert summary is None or without_times(summary) == without_times(expected)
    for name in ("bins.parquet", "totals.parquet"):
        assert (folder / name).read_bytes() == (expected_folder / name).read_bytes()


def hear_interrupts() -> None:
    """Undo what a shell does to the commands it starts in the background: they ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_finished_and_says_how_to_go_on(how: signal.Signals, tmp_path: Path) -> None:
    """Once is enough, within two seconds; the printed command goes on."""
    process = subprocess.Popen(
        [str(PROGRAM), "run", str(QUICKSTART), "--hands", "2e8", "--runner", "local", "--out", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        journals = list(tmp_path.glob("quickstart/*/journal.bin"))
        if journals and journals[0].stat().st_size > 5000:
            break
        time.sleep(0.05)
    told = time.monotonic()
    process.send_signal(how)
    try:
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert time.monotonic() - told < 5, "the two seconds of the rule, with room for a busy machine"
    assert process.returncode == 130
    assert "of 200,000,000 hands are kept in" in errors
    resume = errors.strip().splitlines()[-1].strip()
    assert resume.endswith("--resume")
    assert "Traceback" not in errors


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [str(PROGRAM), "run", str(QUICKSTART), "--hands", "1e9", "--runner", "local", "--out", str(tmp_path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not list(tmp_path.glob("quickstart/*/journal.bin")):
            time.sleep(0.05)
        second = subprocess.run(
            [str(PROGRAM), "run", str(QUICKSTART), "--hands", "1e9", "--out", str(tmp_path), "--resume"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert second.returncode != 0
        assert "is in use: process" in second.stderr
    finally:
        first.kill()
        first.wait()
