"""The child process that plays on this machine: one thread in the compiled loop."""

from __future__ import annotations

from multiprocessing.connection import Connection

import numpy as np

from razz_sim.batch import Stopped
from razz_sim.experiment import Experiment, Ranges
from razz_sim.runner.tasks import LARGEST_BATCH, Failed, Finished, play_task, tasks

TASK_HANDS = 50_000
"""About how many hands pass between two messages: many enough to cost nothing, few enough for smooth progress."""


def play_locally(
    experiment: Experiment, done: list[Ranges], pulse: np.ndarray, results: Connection, batch_size: int = LARGEST_BATCH
) -> None:
    """Play all blocks that are not done, sending what was counted; `pulse` tells the parent where the loop is."""
    try:
        for task in tasks(experiment.batches(batch_size, done), TASK_HANDS):
            results.send(play_task(experiment, task, pulse))
        results.send(Finished(workers=1))
    except Stopped:
        pass
    except Exception as error:
        results.send(Failed(error))
