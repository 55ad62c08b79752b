"""A small finished run of two scenarios as fixtures, for the tests of the run folder (a plugin)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from stored_runs import ASKED, played

from razz_sim.batch import Counted, play_batch
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Experiment
from razz_sim.statistics import summary
from razz_sim.store import Run
from razz_sim.tally import Tally


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
