"""The child process that plays on Ray: stateless tasks, a bounded number in flight, lost ones played again.

Ray lives in a child because losing a cluster's head ends the process that was connected to it: the parent, which holds
the results, stays.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from razz_sim.batch import BrokenHand, Counted, StrategyFault
from razz_sim.compiling import source_stamp
from razz_sim.experiment import Experiment, Ranges
from razz_sim.runner.supervised import RunnerError
from razz_sim.runner.tasks import LARGEST_BATCH, Failed, Finished, Task, describe_task, play_task, tasks

TASK_HANDS = 262_144
"""About how many hands a Ray task plays: a task costs 1-2.5 ms, so it should last most of a second."""
IN_FLIGHT_PER_WORKER = 2
RETRIES = 3
"""How often a task is played again after a worker or node died with it."""
CONNECT_SECONDS = 10.0
HEAD_GONE_SECONDS = 20
"""How long Ray tries to reach a head that does not answer; its own default is a minute."""
LOOK_SECONDS = 0.25
"""How often the loop looks whether it is to stop."""
_OBJECT_STORE_BYTES = 100 * 1024 * 1024


def play_on_ray(
    experiment: Experiment,
    done: list[Ranges],
    pulse: np.ndarray,
    results: Connection,
    batch_size: int = LARGEST_BATCH,
    workers: int = 1,
    address: str | None = None,
) -> None:
    """Play all blocks that are not done on Ray, sending what was counted."""
    try:
        ray = _connected(workers, address)
        try:
            _Tasks(ray, experiment, results, batch_size, done).play(pulse, None if address else workers)
        finally:
            ray.shutdown()
    except Exception as error:
        results.send(Failed(error))


class _Tasks:
    """The tasks of an experiment on their way through Ray."""

    def __init__(
        self, ray: Any, experiment: Experiment, results: Connection, batch_size: int, done: list[Ranges]
    ) -> None:
        self.ray, self.experiment, self.results = ray, experiment, results
        self.shared = ray.put(experiment)
        self.remote = ray.remote(num_cpus=1, max_retries=0)(_play_remotely)
        self.left = tasks(experiment.batches(batch_size, done), TASK_HANDS)
        self.waiting: dict[Any, Task] = {}
        self.losses: dict[Task, int] = {}

    def play(self, pulse: np.ndarray, workers: int | None) -> None:
        """Keep every worker busy until all is played; without `workers` the cluster says how many there are."""
        most = 0
        while True:
            there = workers or max(1, int(self.ray.cluster_resources().get("CPU", 1)))
            most = max(most, there)
            while len(self.waiting) < IN_FLIGHT_PER_WORKER * there and (task := next(self.left, None)) is not None:
                self.submit(task)
            if not self.waiting or pulse[0]:
                break
            ready, _ = self.ray.wait(list(self.waiting), num_returns=1, timeout=LOOK_SECONDS)
            for reference in ready:
                self.collect(reference, self.waiting.pop(reference))
        if not pulse[0]:
            self.results.send(Finished(workers=most, replayed_tasks=sum(self.losses.values())))

    def submit(self, task: Task) -> None:
        self.waiting[self.remote.remote(self.shared, task, source_stamp())] = task

    def collect(self, reference: Any, task: Task) -> None:
        """Pass on what a task counted, or have it played again when its worker or node died."""
        try:
            outcome = self.ray.get(reference)
        except self.ray.exceptions.RayTaskError as error:
            raise RunnerError(f"a worker failed with {describe_task(self.experiment, task)}: {error}") from error
        except self.ray.exceptions.RayError as error:
            self.losses[task] = self.losses.get(task, 0) + 1
            if self.losses[task] > RETRIES:
                times = f"{RETRIES + 1} times, with its worker or node"
                place = describe_task(self.experiment, task)
                raise RunnerError(f"{place} were lost {times} ({type(error).__name__}): giving up") from error
            self.submit(task)
            return
        if isinstance(outcome, Exception):
            raise outcome
        self.results.send(outcome)


def _play_remotely(experiment: Experiment, task: Task, stamp: str) -> list[Counted] | Exception:
    """Play a task on a worker. A strategy's fault is a value: nothing that Ray should dress up or play again."""
    if stamp != source_stamp():
        return RunnerError(f"node {socket.gethostname()} has another razz_sim: install the same version on all nodes")
    try:
        return play_task(experiment, task)
    except (StrategyFault, BrokenHand) as fault:
        return fault


def _connected(workers: int, address: str | None) -> Any:
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
        what = "Ray could not be started on this machine" if address is None else f"no Ray cluster answers at {address}"
        raise RunnerError(f"{what}: {error}") from error
    return ray


def _refuse_a_silent(address: str) -> None:
    """RunnerError when nothing listens at host:port: Ray itself would try for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
        except OSError as error:
            raise RunnerError(f"no Ray cluster answers at {address}: {error.strerror or error}") from error
