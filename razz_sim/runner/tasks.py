"""What workers are given to play, and what they send back."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from razz_sim.batch import Counted, StrategyFault, Verdict, play_batches
from razz_sim.experiment import Batch, Experiment
from razz_sim.strategy.declaration import said

LARGEST_BATCH = 65_536
"""Most hands of one call into the compiled loop: a fraction of a second."""
FIRST_SLOW_BATCH = 1
"""Hands of the first batch with strategies that are not compiled: nobody knows yet how slow they are."""

Task = tuple[Batch, ...]
"""Batches of one scenario that a worker plays in one go."""


@dataclass(slots=True)
class Pace:
    """How many hands to give out at once so that they take about `seconds`: more and more, as far as time allows."""

    seconds: float
    most: int
    hands: int = field(init=False)

    def __post_init__(self) -> None:
        self.hands = self.most

    def begin(self, experiment: Experiment) -> None:
        """Start small where a strategy is slow, or may be."""
        kinds = {entrant.strategy.kind for scenario in experiment.scenarios for entrant in scenario.lineup}
        if kinds != {"compiled"}:
            self.hands = min(self.most, FIRST_SLOW_BATCH)

    def took(self, hands: int, seconds: float) -> None:
        """Learn from a piece of so many hands."""
        wanted = hands * self.seconds / max(seconds, 1e-6)
        self.hands = max(1, min(self.most, int(wanted), 2 * self.hands))


def tasks(experiment: Experiment, batches: Iterator[Batch | None], least: Callable[[], int]) -> Iterator[Task | None]:
    """Batches gathered into tasks of at least so many hands, of one scenario each, no group cut; None as they come."""
    task: list[Batch] = []
    for batch in batches:
        if task and (batch is None or _ends(experiment, task, batch, least())):
            yield tuple(task)
            task = []
        if batch is None:
            yield None
        else:
            task.append(batch)
    if task:
        yield tuple(task)


def _ends(experiment: Experiment, task: Sequence[Batch], following: Batch, least: int) -> bool:
    """Whether a task is full, or cannot go on with the batch that follows."""
    if task[0].scenario != following.scenario:
        return True
    group = experiment.scenarios[following.scenario].group
    if (following.first - 1) // group == following.first // group:
        return False
    return sum(one.hands for one in task) >= least


def play_task(
    experiment: Experiment, task: Task, verdicts: Sequence[Verdict] = (), pulse: np.ndarray | None = None
) -> list[Counted]:
    """Play a task's batches; raises what `batch.play_batches` does."""
    index = task[0].scenario
    return play_batches(experiment.scenarios[index], experiment.seed_of(index), task, pulse, verdicts, index)


def play_as_far(
    experiment: Experiment, task: Task, verdicts: Sequence[Verdict], pulse: np.ndarray | None
) -> tuple[list[Counted], Failed | None]:
    """Play a task up to the batch in which a strategy fails and errors are to end the run."""
    try:
        return play_task(experiment, task, verdicts, pulse), None
    except StrategyFault as fault:
        if len(task) == 1:
            return [], failed(fault, task[0])
    counted: list[Counted] = []
    for batch in task:
        more, failure = play_as_far(experiment, (batch,), verdicts, pulse)
        counted += more
        if failure is not None:
            return counted, failure
    return counted, None


def describe_task(experiment: Experiment, task: Task) -> str:
    """Which part of the experiment a task is."""
    return f"blocks {task[0].first} to {task[-1].stop - 1} of scenario {experiment.scenarios[task[0].scenario].name!r}"


@dataclass(frozen=True, slots=True)
class Started:
    """Ray is up, after so many seconds, and its workers are about to play."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Finished:
    """A child has played all it could, with so many workers; tasks were played again so often after a loss."""

    workers: int
    replayed_tasks: int = 0


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """There is no memory left, after this decision if it is weighed; what remains is played in a fresh process."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Failed:
    """A child gives up: the exception that ends the run. With a `batch` it gives up only what that is of."""

    error: Exception
    batch: Batch | None = None


def failed(error: Exception, batch: Batch | None = None) -> Failed:
    """An exception that ends the run, or what a batch is of; as text, when it is of a kind that does not travel."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return Failed(RuntimeError(f"{type(error).__name__}: {said(error)}"), batch)
    return Failed(error, batch)


Message = list[Counted] | Started | Finished | OutOfMemory | Failed
