"""Processes that are killed, crash or hang up: nothing counted is lost, nothing is counted twice."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from small_experiments import experiment, mixed_lineup, scenario, written

from razz_sim.batch import Counted, StrategyFault
from razz_sim.experiment import Experiment, Spans
from razz_sim.runner import Played, play
from razz_sim.tally import digest


def long_enough() -> Experiment:
    return experiment(scenario(mixed_lineup(), hands=600_000))


def played(some: Experiment, disturb: Callable[[Counted], None], **how: object) -> tuple[str, Played]:
    """The digest of an experiment that is disturbed at each delivery."""
    tallies = [one.tally() for one in some.scenarios]

    def deliver(part: Counted) -> None:
        part.add_to(tallies[part.batch.scenario])
        disturb(part)

    outcome = play(some, deliver, **how)  # type: ignore[arg-type]
    return digest(tallies), outcome


@pytest.fixture(scope="module")
def expected() -> str:
    return played(long_enough(), lambda part: None, kind="local")[0]


def test_a_local_child_killed_at_random_changes_nothing(expected: str) -> None:
    rng = random.Random(5)
    kills = 0

    def kill_sometimes(part: Counted) -> None:
        nonlocal kills
        if rng.random() < 0.02:
            for child in multiprocessing.active_children():
                os.kill(child.pid or 0, signal.SIGKILL)
                kills += 1

    found, how = played(long_enough(), kill_sometimes, kind="local", batch_size=2000)
    assert kills >= 3
    assert how.replayed >= 1
    assert found == expected


def ray_workers() -> list[int]:
    """The processes of this test's own Ray that play a task now."""
    found = subprocess.run(["pgrep", "-f", "^ray::play_remotely"], capture_output=True, text=True, check=False)
    return [worker for worker in map(int, found.stdout.split()) if os.getpid() in ancestors(worker)]


def ancestors(process: int) -> list[int]:
    """The processes that a process descends from; it may be gone already."""
    found = []
    try:
        while process > 1:
            status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
            process = int(status.split("PPid:")[1].split()[0])
            found.append(process)
    except OSError:
        pass
    return found


@pytest.mark.ray
def test_ray_workers_killed_at_random_change_nothing(expected: str) -> None:
    kills: list[int] = []

    def kill_one(part: Counted) -> None:
        if len(kills) < 2 and part.batch.bin % 3 == 0:
            for worker in ray_workers()[:1]:
                os.kill(worker, signal.SIGKILL)
                kills.append(worker)
                time.sleep(0.3)

    found, how = played(long_enough(), kill_one, kind="ray", workers=2)
    assert kills
    assert how.replayed >= 1
    assert found == expected


CRASH = """
import ctypes

abort = ctypes.CDLL(None).abort
abort.restype = None
abort.argtypes = []


@strategy
def bot(view, params, memory, u):
    if view.street == 5:
        abort()
    return STAY
"""


def crashing() -> Experiment:
    return experiment(scenario((*mixed_lineup(), written("crash", CRASH)), hands=20_000))


@pytest.mark.ray
def test_a_decision_that_kills_its_process_on_ray_is_named_and_the_run_ends() -> None:
    named = r"entrant 'crash' .* hand 0, fifth street, seat \d: it ended the process that played: .* by SIGABRT"
    with pytest.raises(StrategyFault, match=named):
        play(crashing(), lambda part: None, kind="ray", workers=1)


def test_the_child_does_not_outlive_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "import multiprocessing\n"
        "from small_experiments import experiment, mixed_lineup, scenario\n"
        "from razz_sim.runner import play\n\n\n"
        "def tell(part):\n"
        "    print(multiprocessing.active_children()[0].pid, flush=True)\n\n\n"
        'if __name__ == "__main__":\n'
        "    play(experiment(scenario(mixed_lineup(), hands=10**9)), tell, kind='local')\n"
    )
    parent = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 5
    while Path(f"/proc/{child}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{child}").exists()


@pytest.mark.parametrize("seed", range(20))
def test_ranges_join_whatever_the_order(seed: int) -> None:
    rng = random.Random(seed)
    cuts = sorted({0, 100, *rng.sample(range(1, 100), 12)})
    pieces = list(itertools.pairwise(cuts))
    left_out = rng.choice(pieces)
    rng.shuffle(pieces)
    spans = Spans()
    for first, stop in pieces:
        if (first, stop) != left_out:
            spans.add(first, stop)
    assert spans.ranges == [one for one in ((0, left_out[0]), (left_out[1], 100)) if one[0] < one[1]]
