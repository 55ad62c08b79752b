"""However an experiment is played, its totals are the same to the bit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from small_experiments import experiment, mixed_lineup, scenario, written

from razz_sim.batch import StrategyFault
from razz_sim.experiment import Experiment
from razz_sim.rules import PRESETS
from razz_sim.runner import RunnerError, play
from razz_sim.tally import digest

HANDS = 5000


def two_scenarios() -> Experiment:
    return experiment(
        scenario(mixed_lineup(), hands=HANDS),
        scenario(mixed_lineup(), hands=HANDS, rules=PRESETS["wsop_live"], big_bets=5),
    )


def played(some: Experiment, **how: object) -> str:
    """The digest of playing an experiment in some way."""
    tallies = [one.tally() for one in some.scenarios]
    play(some, lambda part: part.add_to(tallies[part.batch.scenario]), **how)
    assert [tally.hands for tally in tallies] == [one.hands for one in some.scenarios]
    return digest(tallies)


@pytest.fixture(scope="module")
def expected() -> str:
    return played(two_scenarios(), kind="local")


@pytest.mark.parametrize("batch_size", [1, 3, 7, 100_000])
def test_the_size_of_batches_changes_nothing(expected: str, batch_size: int) -> None:
    assert played(two_scenarios(), kind="local", batch_size=batch_size) == expected


def test_auto_gives_the_local_digest(expected: str) -> None:
    assert played(two_scenarios(), kind="auto", workers=2) == expected


@pytest.mark.parametrize("kind", ["local", pytest.param("ray", marks=pytest.mark.ray)])
def test_a_fault_on_a_worker_reaches_the_user(kind: str) -> None:
    broken = written("broken", "def bot(view, params, memory, u):\n    return 1 + 0 // (view.street - 6)\n")
    some = experiment(scenario((*mixed_lineup(), broken), hands=HANDS))
    with pytest.raises(StrategyFault, match=r"(?s)'broken'.*sixth street.*ZeroDivisionError"):
        play(some, lambda part: None, kind=kind, workers=1)


def test_no_cluster_at_the_address_is_said() -> None:
    with pytest.raises(RunnerError, match=r"no Ray cluster answers at 127\.0\.0\.1:1"):
        play(two_scenarios(), lambda part: None, kind="ray", address="127.0.0.1:1")


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from test_runner import played, two_scenarios
if __name__ == "__main__":
    print(played(two_scenarios(), kind="local"))
"""


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "99", "TZ": "America/St_Johns", "LC_ALL": "C.UTF-8"},
    ],
    ids=["one", "another"],
)
def test_the_surroundings_change_nothing(expected: str, environment: dict[str, str], tmp_path: Path) -> None:
    script = SCRIPT.format(tests=str(Path(__file__).parent))
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected
