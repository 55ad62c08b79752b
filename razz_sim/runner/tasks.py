"""What workers are given to play, and what they send back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from razz_sim.batch import Counted, Loop
from razz_sim.experiment import Batch, Experiment

LARGEST_BATCH = 65_536
"""Most hands of one call into the compiled loop: a fraction of a second."""

Task = tuple[Batch, ...]
"""Batches of one scenario that a worker plays in one go."""


def tasks(batches: Iterator[Batch], hands: int) -> Iterator[Task]:
    """Batches gathered into tasks of at least so many hands, none with two scenarios."""
    task: list[Batch] = []
    for batch in batches:
        if task and (task[0].scenario != batch.scenario or sum(one.hands for one in task) >= hands):
            yield tuple(task)
            task = []
        task.append(batch)
    if task:
        yield tuple(task)


def play_task(experiment: Experiment, task: Task, pulse: np.ndarray | None = None) -> list[Counted]:
    """Play a task's batches; raises what `batch.Loop.play` does."""
    loop = Loop(experiment.scenarios[task[0].scenario], experiment.seed)
    return [loop.play(batch, pulse) for batch in task]


def describe_task(experiment: Experiment, task: Task) -> str:
    """Which part of the experiment a task is."""
    return f"blocks {task[0].first} to {task[-1].stop - 1} of scenario {experiment.scenarios[task[0].scenario].name!r}"


@dataclass(frozen=True, slots=True)
class Finished:
    """A child has played all it was given, with so many workers; tasks were played again so often after a loss."""

    workers: int
    replayed_tasks: int = 0


@dataclass(frozen=True, slots=True)
class Failed:
    """A child gives up: the exception that ends the run."""

    error: Exception


Message = list[Counted] | Finished | Failed
