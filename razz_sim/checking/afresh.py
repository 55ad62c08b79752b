"""A fresh process, as a worker is: another folder, another hash seed, the strategy known by its text alone."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from razz_sim.batch.loop import new_pulse
from razz_sim.checking.alone import answers_alone
from razz_sim.checking.log import Asked, Place
from razz_sim.checking.playing import Way, play_all
from razz_sim.checking.situations import Checked
from razz_sim.experiment import Experiment

PATIENCE_SECONDS = 120.0
_JOB, _RESULT = "job.pickle", "result.pickle"


@dataclass(frozen=True, slots=True)
class Job:
    """Situations to play again, and calls to answer by each copy alone."""

    checked: Checked
    experiment: Experiment
    wanted: tuple[int, ...]
    calls: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Afresh:
    """What a fresh process answered: in play, and by each copy alone; or why it could not."""

    played: dict[Place, int]
    alone: dict[Place, int]
    error: str = ""


class FreshProcess:
    """The process while it works; it is killed when it is left."""

    def __init__(self, job: Job) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="razz_sim-check-")
        home = Path(self._folder.name)
        (home / _JOB).write_bytes(pickle.dumps(_elsewhere(job, home / "elsewhere")))
        (home / "elsewhere").mkdir()
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from razz_sim.checking.afresh import main; main()", str(home)],
            cwd=home / "elsewhere",
            env={**os.environ, "PYTHONHASHSEED": "4711"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )

    def result(self) -> Afresh:
        """What it answered, once it is done."""
        try:
            _, errors = self._process.communicate(timeout=PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            return Afresh({}, {}, f"it was not done in {PATIENCE_SECONDS:.0f} s")
        path = Path(self._folder.name) / _RESULT
        if not path.exists():
            last = errors.decode(errors="replace").strip().splitlines()[-1:]
            return Afresh({}, {}, " ".join([f"it ended with exit code {self._process.returncode}", *last]))
        found: Afresh = pickle.loads(path.read_bytes())
        return found

    def close(self) -> None:
        """End it and clear up."""
        self._process.kill()
        self._process.communicate()
        self._folder.cleanup()


def _elsewhere(job: Job, folder: Path) -> Job:
    """The job as another machine gets it: no file of the strategy's is there."""
    filename = str(folder / Path(job.checked.source.filename).name)
    source = replace(job.checked.source, filename=filename)
    checked = replace(job.checked, source=source)
    scenarios = tuple(
        replace(scenario, lineup=(replace(scenario.lineup[0], strategy=source), *scenario.lineup[1:]))
        for scenario in job.experiment.scenarios
    )
    return replace(job, checked=checked, experiment=replace(job.experiment, scenarios=scenarios))


def main() -> None:
    """The life of the fresh process."""
    home = Path(sys.argv[1])
    job: Job = pickle.loads((home / _JOB).read_bytes())
    found = _worked(job)
    part = home / "part"
    part.write_bytes(pickle.dumps(found))
    part.rename(home / _RESULT)


def _worked(job: Job) -> Afresh:
    played: dict[Place, int] = {}
    try:
        playing = play_all(job.experiment, job.wanted, Way(), new_pulse())
        if playing.faults:
            sentence, _ = next(iter(playing.faults.values()))
            return Afresh({}, {}, sentence)
        played = playing.answers()
        return Afresh(played, answers_alone(job.checked, job.calls))
    except Exception as error:
        return Afresh(played, {}, f"{type(error).__name__}: {error}")


def fits(calls: Sequence[Asked], most: int) -> tuple[Asked, ...]:
    """The calls of the first blocks of each situation, whole blocks, about so many in all."""
    situations: dict[int, list[Asked]] = {}
    for call in calls:
        situations.setdefault(call.place.situation, []).append(call)
    each = max(1, most // max(1, len(situations)))
    kept: list[Asked] = []
    for asked in situations.values():
        last = max(call.place.block for call in asked[:each])
        kept += [call for call in asked if call.place.block <= last]
    return tuple(kept)
