"""A child process that plays while its parent watches: it may hang, crash or be killed, and nothing counted is lost."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from razz_sim.experiment import Experiment, Ranges
from razz_sim.hand.record import NOBODY
from razz_sim.runner.outside import LOOK_SECONDS, Watch, processor_seconds_of
from razz_sim.runner.tasks import Finished, Message
from razz_sim.runner.watch import FewLines, watched
from razz_sim.stages import Frontier
from razz_sim.table.record import P_BLOCK, P_COPY, P_SCENARIO, P_STOP, PULSE_FIELDS

STOP_SECONDS = 1.5
"""How long a child may take to end when it is told to; then it is killed."""
LARGEST_MESSAGE = 2**28
"""Bytes: what says it is longer is none of a child's messages but what a strategy wrote to all files."""
_DIE_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG."""


class RunnerError(Exception):
    """The runner failed: the head of its cluster is gone, or a batch was lost again and again."""


class NoCluster(RunnerError):
    """No Ray cluster answers at the address that the user named."""


class TooSlow(RunnerError):
    """A batch took longer than it may, and no decision in it is to blame."""


def too_slow(experiment: Experiment, pulse: Sequence[int]) -> TooSlow:
    """A sentence on a batch that took longer than it may, with the way out."""
    seconds = experiment.limits.batch_s
    if not 0 <= pulse[P_SCENARIO] < len(experiment.scenarios):
        return TooSlow(f"it took longer than limits.batch_s, {seconds} s")
    scenario = experiment.scenarios[pulse[P_SCENARIO]]
    where = f"the batch with block {pulse[P_BLOCK]} of scenario {scenario.name!r}"
    whole = f" (array strategies play {scenario.group:,} blocks at once)" if scenario.asks_in_rows else ""
    more = f"allow more, as with --set limits.batch_s={10 * seconds}"
    return TooSlow(f"{where} took longer than limits.batch_s, {seconds} s{whole}: its strategies are slow; {more}")


class ChildDied(Exception):
    """A child ended without saying so, or sent what is no message; `pulse` is where the loop was."""

    def __init__(self, code: int | None, pulse: dict[str, int]) -> None:
        super().__init__(code)
        self.code, self.pulse = code, pulse

    @property
    def place(self) -> tuple[int, ...]:
        """The decision that was being asked for."""
        return tuple(self.pulse[field] for field in ("scenario", "block", "hand", "copy", "decision"))

    def how(self) -> str:
        """How it ended, in words."""
        if self.code is None:
            return "it sent what is no result"
        if self.code < 0:
            return f"it was ended by {signal.Signals(-self.code).name}"
        return f"it ended with exit code {self.code}"


class Overdue(Exception):
    """A child does not get on: the strategy that is being asked takes longer than it may."""

    def __init__(self, pulse: dict[str, int]) -> None:
        super().__init__(pulse)
        self.pulse = pulse


class Outlet:
    """Where a child sends its messages. A copy of the child that a strategy forked sends none: it ends."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._owner = connection, os.getpid()

    def send(self, message: Any) -> None:
        """Send a message to the parent."""
        if os.getpid() != self._owner:
            os._exit(1)
        try:
            self._connection.send(message)
        except OSError:  # the parent is gone, or a strategy closed all files: nobody hears any more
            os._exit(1)


class Child:
    """A process running `target(experiment, done, pulse, results, **options)`; a `frontier` is one that both share.

    It is forked from a process with one thread, which takes no time; from any other it is spawned, so that a script
    that plays from Python needs the usual `if __name__ == "__main__":`. What it forked itself ends with it.
    """

    def __init__(
        self,
        target: Callable[..., None],
        experiment: Experiment,
        done: list[Ranges],
        frontier: Frontier | None = None,
        **options: Any,
    ) -> None:
        alone = sys.platform == "linux" and threading.active_count() == 1 and "ray" not in sys.modules
        context = multiprocessing.get_context("fork" if alone else "spawn")
        shared = context.RawArray("q", len(PULSE_FIELDS))
        self._pulse: np.ndarray = np.frombuffer(shared, dtype=np.int64)
        self._pulse[P_COPY] = NOBODY
        shared_frontier = None if frontier is None else context.RawArray("q", frontier.numbers.tolist())
        self._frontier = None if shared_frontier is None else Frontier(np.frombuffer(shared_frontier, dtype=np.int64))
        self._experiment = experiment
        self._finished = self._over = False
        self._results, theirs = context.Pipe(duplex=False)
        self._process: Any = context.Process(  # type: ignore[attr-defined]
            target=_run,
            args=(target, experiment, done, shared, shared_frontier, theirs, os.getpid(), options),
            daemon=False,
        )
        self._process.start()
        theirs.close()

    def messages(self) -> Iterator[Message]:
        """What the child sends, until it has finished; ChildDied when it ends before, else Overdue or TooSlow."""
        limits = self._experiment.limits
        watch = Watch(self._pulse, watched(limits), processor_seconds_of(self._process.pid))
        heard = time.monotonic()
        while True:
            if not wait([self._results, self._process.sentinel], LOOK_SECONDS):
                if watch.overdue():
                    raise Overdue(self.pulse)
                if self.pulse["copy"] != NOBODY and time.monotonic() - heard > limits.batch_s:
                    raise too_slow(self._experiment, self._pulse.tolist())
                continue
            heard = time.monotonic()
            try:
                if not self._results.poll():
                    break
                received = self._results.recv_bytes(LARGEST_MESSAGE)
            except EOFError:
                break
            except OSError:
                raise self.died_of_nonsense() from None
            yield self._message(received)
            if self._finished:
                return
        self._process.join()
        raise ChildDied(self._process.exitcode, self.pulse)

    def _message(self, received: bytes) -> Message:
        """A message as it was sent; ChildDied when it is none."""
        try:
            message: Message = pickle.loads(received)
        except Exception:
            raise self.died_of_nonsense() from None
        self._finished = isinstance(message, Finished)
        return message

    def died_of_nonsense(self) -> ChildDied:
        """What becomes of a child that sends what it cannot have meant."""
        self.stop(seconds=0)
        return ChildDied(None, self.pulse)

    def want(self, frontier: Frontier) -> None:
        """Tell the child what is wanted by now; the stages last, so that it never sees one without its ends."""
        if self._frontier is not None:
            self._frontier.ends[:] = frontier.ends
            self._frontier.open = frontier.open

    @property
    def pulse(self) -> dict[str, int]:
        """Where the loop in the child is, by `PULSE_FIELDS`."""
        return dict(zip(PULSE_FIELDS, self._pulse.tolist(), strict=True))

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End the child: asked first, then killed. A second interrupt kills at once. Harmless when done twice."""
        if self._over:
            return
        self._over = True
        self._pulse[P_STOP] = 1
        deadline = time.monotonic() + seconds
        try:
            while self._process.is_alive() and time.monotonic() < deadline:
                if self._results.poll(0.02):
                    self._results.recv_bytes(LARGEST_MESSAGE)
        except (EOFError, OSError):
            self._process.join(max(0.0, deadline - time.monotonic()))
        finally:
            if self._process.is_alive():
                self._process.kill()
            self._process.join()
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._results.close()


def _run(
    target: Callable[..., None],
    experiment: Experiment,
    done: list[Ranges],
    shared: Any,
    shared_frontier: Any,
    results: Connection,
    parent: int,
    options: dict[str, Any],
) -> None:
    """The child's life: Ctrl-C is the parent's business, and it does not outlive the parent."""
    with suppress(OSError):  # no standard error: nothing to print to
        os.dup2(2, 1)  # what a strategy prints must not get into the parent's results
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    with suppress(OSError):
        os.setpgid(0, 0)  # what it forks can be ended with it
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    sys.stdout = FewLines()
    if shared_frontier is not None:
        options["frontier"] = Frontier(np.frombuffer(shared_frontier, dtype=np.int64))
    target(experiment, done, np.frombuffer(shared, dtype=np.int64), Outlet(results), **options)
