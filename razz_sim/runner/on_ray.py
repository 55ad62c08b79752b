"""The child process that plays on Ray: stateless tasks, a bounded number in flight, lost ones played again.

Ray lives in a child because losing a cluster's head ends the process that was connected to it: the parent, which holds
the results, stays.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from razz_sim.batch import BrokenHand, Counted, Exhausted, Stopped, Verdict, load_all
from razz_sim.compiling import source_stamp
from razz_sim.experiment import Experiment, Ranges
from razz_sim.runner.supervised import NoCluster, Outlet, RunnerError, too_slow
from razz_sim.runner.tasks import (
    LARGEST_BATCH,
    Failed,
    Finished,
    Pace,
    Started,
    Task,
    describe_task,
    failed,
    play_as_far,
    tasks,
)
from razz_sim.runner.watch import FewLines, end_forked_children, limit_memory, may_fork_again, watched_from_outside
from razz_sim.stages import Frontier

TASK_SECONDS = 1.0
"""How long a Ray task should take, which itself costs 1-2.5 ms."""
LARGEST_TASK = 524_288
"""Most hands of a task: of compiled strategies some second of play."""
SMALLEST_LAST_TASK = 16_384
"""Tasks grow shorter towards the end, so that all workers end together, but not so short that Ray's own cost shows."""
IN_FLIGHT_PER_WORKER = 2
RETRIES = 2
"""How often a task is played again after a worker or node died with it."""
MOST_ABANDONED = 4
"""So many tasks that were lost again and again are left to the local runner, which sees what kills them; after more
than that it gets all that remains."""
CONNECT_SECONDS = 10.0
HEAD_GONE_SECONDS = 20
"""How long Ray tries to reach a head that does not answer; its own default is a minute."""
WARM_SECONDS = 10.0
"""How long all workers are waited for before the first tasks."""
LOOK_SECONDS = 0.25
"""How often the loop looks whether it is to stop."""
WAIT_SECONDS = 0.01
"""How often it is looked whether more is wanted."""
_OBJECT_STORE_BYTES = 100 * 1024 * 1024


def play_on_ray(
    experiment: Experiment,
    done: list[Ranges],
    pulse: np.ndarray,
    results: Outlet,
    batch_size: int = LARGEST_BATCH,
    workers: int = 1,
    address: str | None = None,
    verdicts: Sequence[Verdict] = (),
    *,
    frontier: Frontier,
) -> None:
    """Play what is wanted and not done on Ray, sending what was counted.

    A task that was lost again and again is left out; after too many of these all that remains is.
    """
    began = time.monotonic()
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  (Ray tells at length of workers that died)
    try:
        ray = connected(workers, address)
        try:
            playing = _Tasks(ray, experiment, results, batch_size, done, verdicts, frontier)
            playing.wait_for_workers(None if address else workers)
            results.send(Started(time.monotonic() - began))
            playing.play(pulse, None if address else workers)
        finally:
            ray.shutdown()
    except Exception as error:
        results.send(failed(error))


class _Tasks:
    """The tasks of an experiment on their way through Ray."""

    def __init__(
        self,
        ray: Any,
        experiment: Experiment,
        results: Outlet,
        batch_size: int,
        done: list[Ranges],
        verdicts: Sequence[Verdict],
        frontier: Frontier,
    ) -> None:
        self.ray, self.experiment, self.results = ray, experiment, results
        self.verdicts = tuple(verdicts)
        self.pace = Pace(TASK_SECONDS, LARGEST_TASK)
        self.pace.begin(experiment)
        self.abandoned = 0
        stops = any(scenario.on_error == "stop" for scenario in experiment.scenarios)
        self.most_abandoned = 0 if stops else MOST_ABANDONED
        self.shared = ray.put(experiment)
        self.remote = ray.remote(num_cpus=1, max_retries=0)(play_remotely)
        self.workers = 1
        self.unsubmitted = experiment.hands_left(done)
        batches = experiment.wanted_batches(lambda: min(batch_size, self.hands_of_a_task()), done, frontier)
        self.left = tasks(experiment, batches, self.hands_of_a_task)
        self.waiting: dict[Any, Task] = {}
        self.losses: dict[Task, int] = {}

    def play(self, pulse: np.ndarray, workers: int | None) -> None:
        """Keep every worker busy until all is played; without `workers` the cluster says how many there are."""
        most = 0
        while True:
            there = self.workers = workers or self.there()
            most = max(most, there)
            more_to_come = self.submit_some(IN_FLIGHT_PER_WORKER * there)
            if pulse[0] or self.abandoned > self.most_abandoned:
                break
            if not self.waiting:
                if not more_to_come or self.abandoned:
                    break
                time.sleep(WAIT_SECONDS)
                continue
            ready, _ = self.ray.wait(list(self.waiting), num_returns=1, timeout=LOOK_SECONDS)
            for reference in ready:
                self.collect(reference, self.waiting.pop(reference))
        if not pulse[0]:
            self.results.send(Finished(workers=most, replayed_tasks=sum(self.losses.values())))

    def submit_some(self, most: int) -> bool:
        """Have so many tasks on their way, if so much is wanted for now; whether there may be more later."""
        while len(self.waiting) < most:
            try:
                task = next(self.left)
            except StopIteration:
                return False
            if task is None:
                return True
            self.unsubmitted -= sum(batch.hands for batch in task)
            self.submit(task)
        return True

    def wait_for_workers(self, workers: int | None) -> None:
        """Have every worker load the engine, each by a task that plays nothing; late ones are not waited for long."""
        empty = [self.remote.remote(self.shared, (), (), "") for _ in range(workers or self.there())]
        self.ray.wait(empty, num_returns=len(empty), timeout=WARM_SECONDS)

    def there(self) -> int:
        """How many workers the cluster has now."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def hands_of_a_task(self) -> int:
        """What the pace says, towards the end a worker's part of half of what is left."""
        last = max(SMALLEST_LAST_TASK, self.unsubmitted // (2 * self.workers))
        return min(self.pace.hands, last)

    def submit(self, task: Task) -> None:
        self.waiting[self.remote.remote(self.shared, task, self.verdicts, source_stamp())] = task

    def collect(self, reference: Any, task: Task) -> None:
        """Pass on what a task counted, or have it played again when its worker or node died."""
        try:
            outcome = self.ray.get(reference)
        except self.ray.exceptions.RayTaskError as error:
            raise RunnerError(f"a worker failed with {describe_task(self.experiment, task)}: {error}") from error
        except self.ray.exceptions.RayError:
            self.losses[task] = self.losses.get(task, 0) + 1
            if self.losses[task] <= RETRIES:
                self.submit(task)
            else:
                self.abandoned += 1
            return
        if isinstance(outcome, Exception):
            raise outcome
        counted, failure, seconds = outcome
        self.pace.took(sum(batch.hands for batch in task), seconds)
        self.results.send(counted)
        if failure is not None:
            self.results.send(failure)


def play_remotely(
    experiment: Experiment, task: Task, verdicts: Sequence[Verdict], stamp: str
) -> tuple[list[Counted], Failed | None, float] | Exception:
    """Play a task on a worker; what it counted and how long it took. An empty task only loads what is needed.

    A strategy's failure is a value: nothing that Ray should dress up or play again.
    """
    if not task:
        load_all(experiment.scenarios)
        return [], None, 0.0
    if stamp != source_stamp():
        return RunnerError(f"node {socket.gethostname()} has another razz_sim: install the same version on all nodes")
    began = time.perf_counter()
    printed, sys.stdout = sys.stdout, FewLines()
    with watched_from_outside(experiment.limits).task() as pulse:
        limit_memory(experiment.limits)
        end_forked_children()
        try:
            return *play_as_far(experiment, task, verdicts, pulse), time.perf_counter() - began
        except BrokenHand as fault:
            return fault
        except Exhausted:  # Ray starts another: what fills this one may be of many tasks
            os._exit(1)
        except Stopped:
            return too_slow(experiment, pulse.tolist())
        finally:
            may_fork_again()
            sys.stdout = printed


def connected(workers: int, address: str | None) -> Any:
    """Ray, started on this machine or connected to the cluster at an address.

    Ray's ports listen on all interfaces whatever one asks, so an own instance asks for a token made for this run; Ray
    reads these variables when it is imported. A cluster is joined by its own token (Ray's variables and files).
    """
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_gcs_rpc_server_reconnect_timeout_s", str(HEAD_GONE_SECONDS))
    if address is None:
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    else:
        _refuse_a_silent(address)
    import ray

    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    own: dict[str, Any] = {
        "num_cpus": workers,
        "include_dashboard": False,
        "object_store_memory": _OBJECT_STORE_BYTES,
    }
    try:
        ray.init(**(own if address is None else {}), address=address or "local", **quiet)
    except (ConnectionError, RuntimeError, ValueError, OSError, ray.exceptions.RayError) as error:
        if address is None:
            raise RunnerError(f"Ray could not be started on this machine: {error}") from error
        raise NoCluster(f"no Ray cluster answers at {address}: {error}") from error
    return ray


def _refuse_a_silent(address: str) -> None:
    """NoCluster when nothing listens at host:port: Ray itself would try for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
        except OSError as error:
            raise NoCluster(f"no Ray cluster answers at {address}: {error.strerror or error}") from error
