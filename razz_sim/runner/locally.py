"""The child process that plays on this machine: one thread in the loops."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from razz_sim.batch import Exhausted, Stopped, Verdict
from razz_sim.experiment import Experiment, Ranges
from razz_sim.runner.supervised import Outlet, RunnerError
from razz_sim.runner.tasks import LARGEST_BATCH, Failed, Finished, OutOfMemory, Pace, failed, play_as_far, tasks
from razz_sim.runner.watch import end_forked_children, limit_memory
from razz_sim.stages import Frontier
from razz_sim.strategy.weighing import Place, weigh
from razz_sim.table.record import P_BLOCK, P_COPY, P_DECISION, P_HAND, P_STOP

TASK_SECONDS = 0.2
"""How long it takes from one message to the next: long enough to cost nothing, short enough for smooth progress."""
WAIT_SECONDS = 0.001
"""How often it is looked whether more is wanted."""


def play_locally(
    experiment: Experiment,
    done: list[Ranges],
    pulse: np.ndarray,
    results: Outlet,
    batch_size: int = LARGEST_BATCH,
    verdicts: Sequence[Verdict] = (),
    weighing: bool = False,
    *,
    frontier: Frontier,
) -> None:
    """Play what is wanted and not done, sending what was counted; `pulse` tells the parent where the loop is.

    With `weighing` it is found out who keeps more than half of the memory, if there is not enough.
    """

    def place() -> Place:
        return int(pulse[P_BLOCK]), int(pulse[P_HAND]), int(pulse[P_COPY]), int(pulse[P_DECISION])

    scales = weigh(place) if weighing else None
    pace = Pace(TASK_SECONDS, batch_size)
    pace.begin(experiment)
    end_forked_children()
    try:
        limit_memory(experiment.limits)
        batches = experiment.wanted_batches(lambda: pace.hands, done, frontier)
        for task in tasks(experiment, batches, lambda: pace.hands):
            if task is None:
                if pulse[P_STOP]:
                    return
                time.sleep(WAIT_SECONDS)
                continue
            began = time.perf_counter()
            counted, failure = play_as_far(experiment, task, verdicts, pulse)
            results.send(counted)
            if failure is not None:
                results.send(failure)
            pace.took(sum(batch.hands for batch in task), time.perf_counter() - began)
        results.send(Finished(workers=1))
    except Stopped:
        pass
    except Exhausted as exhausted:
        verdict = exhausted.verdict
        if scales is not None and (keeps := scales.keeper(experiment.limits.memory_mb * 2**19)) is not None:
            verdict = Verdict(verdict.scenario, *keeps, verdict.reason)
        results.send(OutOfMemory(verdict))
    except MemoryError:
        most = f"limits.memory_mb is {experiment.limits.memory_mb}"
        results.send(Failed(RunnerError(f"the process that plays has no memory left ({most})")))
    except Exception as error:
        results.send(failed(error))
