"""Disks that are full or read-only, as the program meets them: a sentence, and nothing that was there is harmed.

`tests/test_store_places.py` tries the same on the run folder's own functions, at each of their writes.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from counted_blocks import contents

from razz_sim.compiling import CACHE_VARIABLE, cache_folder

ROOT = Path(__file__).parent.parent
PROGRAM = Path(sys.executable).with_name("razz-sim")
QUICKSTART = ROOT / "configs" / "quickstart.yaml"
HANDS = 200_000
DISK_BYTES = 4 * 1024 * 1024


def razz_sim(*arguments: object, under: tuple[str, ...] = (), **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end, perhaps under another command."""
    command = [*under, str(PROGRAM), *map(str, arguments)]
    everything = {**os.environ, **environment}
    return subprocess.run(command, env=everything, capture_output=True, text=True, timeout=300, check=False)


def run_on(out: Path, *more: object, **how: object) -> subprocess.CompletedProcess[str]:
    return razz_sim("run", QUICKSTART, "--hands", HANDS, "--runner", "local", "--out", out, *more, **how)  # type: ignore[arg-type]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk that holds something of others."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=700", "tmpfs", str(place)]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"A FULL DISK WAS NOT TRIED: no tmpfs can be mounted here ({mounted.stderr.strip()})")
    try:
        (place / "theirs").write_bytes(b"x" * 1000)
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the run on a disk with room."""
    out = tmp_path_factory.mktemp("room")
    assert run_on(out).returncode == 0
    return next((out / "quickstart").iterdir())


def digest_in(folder: Path) -> str:
    return str(json.loads((folder / "summary.json").read_text())["digest"])


def fill(disk: Path, free: int) -> Path:
    """Fill a disk but for so many bytes; the file to remove to make room again."""
    filler = disk / "filler"
    room = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
    filler.write_bytes(b"\0" * (room - free))
    return filler


TOO_LITTLE = {
    "nothing": lambda sizes: 0,
    "room for half of the journal": lambda sizes: sizes["journal.bin"] // 2,
    "no room for the results": lambda sizes: sizes["journal.bin"] + sizes["manifest.json"] + 24_000,
}
"""How many bytes are free, by the sizes of the finished run's files."""


@pytest.mark.parametrize("free", TOO_LITTLE)
def test_a_disk_that_fills_up_costs_nothing_but_the_time_to_make_room(disk: Path, whole: Path, free: str) -> None:
    assert razz_sim("run", QUICKSTART, "--hands", 10, "--runner", "local", "--out", disk).returncode == 0
    before = contents(disk)
    filler = fill(disk, TOO_LITTLE[free]({path.name: path.stat().st_size for path in whole.iterdir()}))
    done = run_on(disk)
    assert done.returncode == 1
    assert "the disk is full" in done.stderr
    assert "Traceback" not in done.stderr
    filler.unlink()
    assert {name: content for name, content in contents(disk).items() if name in before} == before
    if free == "nothing":
        assert contents(disk) == before
        return
    said = re.search(r"([0-9,]+) of 200,000 hands are kept in .*; go on with\n  razz-sim (.* --resume)$", done.stderr)
    assert said, done.stderr
    kept = int(said[1].replace(",", ""))
    assert kept == HANDS if free == "no room for the results" else 0 < kept < HANDS
    resumed = razz_sim(*shlex.split(said[2]), "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["digest"] == digest_in(whole)


@pytest.mark.slow
def test_a_read_only_disk_is_a_sentence_and_what_is_on_it_can_be_read(disk: Path, tmp_path: Path) -> None:
    assert razz_sim("run", QUICKSTART, "--hands", 10, "--runner", "local", "--out", disk).returncode == 0
    (folder,) = (disk / "quickstart").iterdir()
    before = contents(disk)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    for attempt in (run_on(disk), run_on(disk, "--resume")):
        assert attempt.returncode == 1
        assert "the disk is mounted read-only; nothing that was there before has changed" in attempt.stderr
        assert "Traceback" not in attempt.stderr
    for command in (["hand", 3], ["verify"], ["report", "--out", tmp_path / "report.html"]):
        assert razz_sim(command[0], folder, *command[1:]).returncode == 0
    told = razz_sim("report", folder)
    assert told.returncode == 1
    assert "digest" in told.stdout, "the tables are told all the same"
    assert "report.html cannot be written: the disk is mounted read-only" in told.stderr
    assert "--out FILE" in told.stderr
    assert contents(disk) == before


def test_a_folder_that_one_may_not_write_to_is_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    if os.geteuid():
        done = run_on(tmp_path)
    else:
        no_root = ("setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-all", "--")
        try:
            if (
                subprocess.run([*no_root, "touch", str(tmp_path / "x")], capture_output=True, check=False).returncode
                == 0
            ):
                pytest.skip("A FORBIDDEN FOLDER WAS NOT TRIED: root cannot be refused here")
        except OSError:
            pytest.skip("A FORBIDDEN FOLDER WAS NOT TRIED: there is no setpriv to take root's rights away")
        done = run_on(tmp_path, under=no_root)
    assert done.returncode == 1
    assert "you may not write there; nothing that was there before has changed" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif("RAZZ_SIM_LONG" not in os.environ, reason="the long form compiles all without a cache")
def test_a_full_cache_disk_costs_the_time_to_compile_only(disk: Path, tmp_path: Path, whole: Path) -> None:
    (disk / "cache").mkdir(mode=0o700)
    fill(disk, 20_000)
    done = run_on(tmp_path / "out", "--json", RAZZ_SIM_CACHE=str(disk / "cache"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["digest"] == digest_in(whole)


def test_a_read_only_cache_disk_is_passed_over(disk: Path, tmp_path: Path, whole: Path) -> None:
    """The next place is below TMPDIR: here a link to the cache that is warm already."""
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    (tmp_path / f"razz_sim-{os.getuid()}").symlink_to(cache_folder().parent)
    environment = {CACHE_VARIABLE: str(disk), "TMPDIR": str(tmp_path)}
    done = run_on(tmp_path / "out", "--json", **environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["digest"] == digest_in(whole)
