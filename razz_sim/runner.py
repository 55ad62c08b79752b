"""Where an experiment is played: in this process, or by Ray. It changes no digit of the result.

Everything here delivers `Counted` batches, in any order, to one callback; the totals add up to the same whatever the
order, the size of the batches or the number of workers.
"""

from __future__ import annotations

import logging
import os
import queue
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from razz_sim.batch import BrokenHand, Counted, Stopped, StrategyFault, play_batch
from razz_sim.experiment import Batch, Experiment
from razz_sim.strategy.machine_code import machine_code
from razz_sim.table import PULSE_FIELDS

LOCAL_BATCH = 65_536
"""Most hands of one call into the local loop: a fraction of a second."""
RAY_TASK_HANDS = 262_144
"""About how many hands a Ray task plays: a task costs 1-2.5 ms, so it should last most of a second."""
RAY_START_SECONDS = 7.0
LOOK_AFTER_SECONDS = 1.0
"""How long `auto` plays locally before it judges whether Ray would be quicker."""
IN_FLIGHT_PER_WORKER = 2
TASK_RETRIES = 3
"""How often a batch is played again after a worker or node died with it."""
CONNECT_SECONDS = 10.0
_OBJECT_STORE_BYTES = 100 * 1024 * 1024

Deliver = Callable[[Counted], None]


class RunnerError(Exception):
    """The runner itself failed: no cluster at the address, or a batch lost again and again."""


@dataclass(frozen=True, slots=True)
class Played:
    """How an experiment was played: 'local', 'ray' or 'local, then ray', with how many workers, in what time."""

    runner: str
    workers: int
    seconds: float


def play(
    experiment: Experiment,
    deliver: Deliver,
    *,
    kind: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    batch_size: int = LOCAL_BATCH,
) -> Played:
    """Play all of an experiment, each batch given to `deliver` once.

    `kind` is 'local', 'ray' or 'auto', which starts locally and takes Ray when what remains is long enough to repay its
    start. Raises StrategyFault, BrokenHand, RunnerError; KeyboardInterrupt leaves what was delivered as it is.
    """
    started = time.monotonic()
    for scenario in experiment.scenarios:
        for entrant in scenario.lineup:
            machine_code(entrant.strategy)
    batches = experiment.batches(batch_size)
    wanted = workers or os.cpu_count() or 1
    ran = []
    if kind == "ray":
        left: Iterator[Batch] = batches
    else:
        repays = None if kind == "local" or (wanted < 2 and address is None) else _RayRepays(experiment.hands, wanted)
        ran.append("local")
        left = _play_locally(experiment, batches, deliver, repays)
    tasks = _grouped(left)
    first = next(tasks, None)
    if first is not None:
        ran.append("ray")
        wanted = _play_on_ray(experiment, first, tasks, deliver, workers=wanted, address=address)
    return Played(
        runner=", then ".join(ran),
        workers=wanted if "ray" in ran else 1,
        seconds=time.monotonic() - started,
    )


class _RayRepays:
    """Judges, from the speed so far, whether the rest is long enough to start Ray for it."""

    def __init__(self, hands: int, workers: int) -> None:
        self._hands, self._workers = hands, workers
        self._started = time.monotonic()
        self._played = 0

    def after(self, hands: int) -> bool:
        """Note hands played; whether to go over to Ray now."""
        self._played += hands
        seconds = time.monotonic() - self._started
        if seconds < LOOK_AFTER_SECONDS:
            return False
        rest = (self._hands - self._played) * seconds / self._played
        return rest > RAY_START_SECONDS + rest / self._workers


def _play_locally(
    experiment: Experiment, batches: Iterator[Batch], deliver: Deliver, repays: _RayRepays | None
) -> Iterator[Batch]:
    """Play batches in a thread beside this one until `repays` says to stop; what is left of them.

    The compiled loop runs in that thread so that this one still hears Ctrl-C; it looks at the stop flag in each hand.
    """
    pulse = np.zeros(len(PULSE_FIELDS), dtype=np.int64)
    enough = threading.Event()
    results: queue.Queue[Counted | BaseException | None] = queue.Queue()

    def work() -> None:
        try:
            while not enough.is_set():
                batch = next(batches, None)
                if batch is None:
                    break
                results.put(play_batch(experiment.scenarios[batch.scenario], experiment.seed, batch, pulse))
            results.put(None)
        except BaseException as error:
            results.put(error)

    thread = threading.Thread(target=work, name="razz_sim hands", daemon=True)
    thread.start()
    try:
        while (result := results.get()) is not None:
            if isinstance(result, BaseException):
                raise result
            deliver(result)
            if repays is not None and repays.after(result.batch.hands):
                enough.set()
    finally:
        enough.set()
        pulse[0] = 1
        thread.join()
    return batches


def _grouped(batches: Iterator[Batch]) -> Iterator[tuple[Batch, ...]]:
    """Batches gathered into tasks of about RAY_TASK_HANDS hands."""
    task: list[Batch] = []
    hands = 0
    for batch in batches:
        task.append(batch)
        hands += batch.hands
        if hands >= RAY_TASK_HANDS:
            yield tuple(task)
            task, hands = [], 0
    if task:
        yield tuple(task)


def play_task(experiment: Experiment, task: Sequence[Batch]) -> list[Counted] | str:
    """Play a task's batches on a worker; the sentence of a strategy's fault instead, which no retry would mend."""
    try:
        return [play_batch(experiment.scenarios[batch.scenario], experiment.seed, batch) for batch in task]
    except StrategyFault as fault:
        return str(fault)


def _play_on_ray(
    experiment: Experiment,
    first: tuple[Batch, ...],
    rest: Iterator[tuple[Batch, ...]],
    deliver: Deliver,
    *,
    workers: int,
    address: str | None,
) -> int:
    """Play tasks on Ray with a bounded number in flight; how many workers there were."""
    if address is None:
        _turn_on_authentication()
    import ray

    _connect(ray, workers, address)
    try:
        if address is not None:
            workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        shared = ray.put(experiment)
        remote = ray.remote(num_cpus=1, max_retries=TASK_RETRIES)(play_task)
        waiting: dict[Any, tuple[Batch, ...]] = {remote.remote(shared, first): first}
        while waiting:
            while len(waiting) < IN_FLIGHT_PER_WORKER * workers and (task := next(rest, None)) is not None:
                waiting[remote.remote(shared, task)] = task
            ready, _ = ray.wait(list(waiting), num_returns=1, timeout=1.0)
            for reference in ready:
                _deliver_task(ray, reference, waiting.pop(reference), deliver)
    finally:
        ray.shutdown()
    return workers


def _deliver_task(ray: Any, reference: Any, task: tuple[Batch, ...], deliver: Deliver) -> None:
    try:
        outcome = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.RayError as error:
        blocks = f"{task[0].first} to {task[-1].stop - 1}"
        raise RunnerError(
            f"Ray lost blocks {blocks} of scenario {experiment_place(task)} {TASK_RETRIES + 1} times: {error}"
        ) from error
    if isinstance(outcome, str):
        raise StrategyFault(outcome)
    for counted in outcome:
        deliver(counted)


def experiment_place(task: tuple[Batch, ...]) -> str:
    """Which scenario a task belongs to, counted from 1."""
    return str(task[0].scenario + 1)


def _turn_on_authentication() -> None:
    """Have the Ray that this process starts ask for a token, made anew for it: its ports listen on all interfaces.

    Ray reads these variables once, when it is imported: where a program has done that already, its choice stands.
    """
    if "ray" not in sys.modules:
        os.environ.setdefault("RAY_AUTH_MODE", "token")
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))


def _refuse_a_silent(address: str) -> None:
    """RunnerError when nothing listens at host:port: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and port.isdigit():
        try:
            socket.create_connection((host, int(port)), timeout=CONNECT_SECONDS).close()
        except OSError as error:
            raise RunnerError(f"no Ray cluster answers at {address}: {error.strerror or error}") from error


def _connect(ray: Any, workers: int, address: str | None) -> None:
    """Start Ray on this machine, or join the cluster at an address by its own token (Ray's variables and files)."""
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address is not None:
        _refuse_a_silent(address)
        try:
            ray.init(address=address, **quiet)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise RunnerError(f"no Ray cluster answers at {address}: {error}") from error
        return
    try:
        ray.init(
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            object_store_memory=_OBJECT_STORE_BYTES,
            **quiet,
        )
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise RunnerError(f"Ray could not be started on this machine: {error}") from error


__all__ = ["BrokenHand", "Played", "RunnerError", "Stopped", "StrategyFault", "play", "play_task"]
