"""A child process that plays while its parent watches: it may hang, crash or be killed, and nothing counted is lost."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

import numpy as np

from razz_sim.experiment import Experiment, Ranges
from razz_sim.runner.tasks import Finished, Message
from razz_sim.table import PULSE_FIELDS

STOP_SECONDS = 1.5
"""How long a child may take to end when it is told to; then it is killed."""
_DIE_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG."""


class RunnerError(Exception):
    """The runner failed: no cluster at the address, its head gone, or a batch lost again and again."""


class ChildDied(Exception):
    """A child ended without saying so; `signal_name` if a signal ended it, `pulse` where the loop was."""

    def __init__(self, code: int | None, pulse: dict[str, int]) -> None:
        super().__init__(code)
        self.code, self.pulse = code, pulse

    def how(self) -> str:
        """How it ended, in words."""
        if self.code is not None and self.code < 0:
            return f"it was ended by {signal.Signals(-self.code).name}"
        return f"it ended with exit code {self.code}"


class Child:
    """A process running `target(experiment, done, pulse, results, **options)`.

    It is forked from a process with one thread, which takes no time; from any other it is spawned, so that a script
    that plays from Python needs the usual `if __name__ == "__main__":`.
    """

    def __init__(self, target: Callable[..., None], experiment: Experiment, done: list[Ranges], **options: Any) -> None:
        alone = sys.platform == "linux" and threading.active_count() == 1 and "ray" not in sys.modules
        context = multiprocessing.get_context("fork" if alone else "spawn")
        shared = context.RawArray("q", len(PULSE_FIELDS))
        self._pulse: np.ndarray = np.frombuffer(shared, dtype=np.int64)
        self._results, theirs = context.Pipe(duplex=False)
        self._process: Any = context.Process(  # type: ignore[attr-defined]
            target=_run, args=(target, experiment, done, shared, theirs, os.getpid(), options), daemon=False
        )
        self._process.start()
        theirs.close()

    def messages(self) -> Iterator[Message]:
        """What the child sends, until it has finished; ChildDied when it ends before."""
        while True:
            wait([self._results, self._process.sentinel])
            try:
                if not self._results.poll():
                    break
                message: Message = self._results.recv()
            except (EOFError, OSError):
                break
            yield message
            if isinstance(message, Finished):
                return
        self._process.join()
        raise ChildDied(self._process.exitcode, dict(zip(PULSE_FIELDS, self._pulse.tolist(), strict=True)))

    def stop(self) -> None:
        """End the child: asked first, then killed. A second interrupt kills at once."""
        self._pulse[0] = 1
        deadline = time.monotonic() + STOP_SECONDS
        try:
            while self._process.is_alive() and time.monotonic() < deadline:
                if self._results.poll(0.02):
                    self._results.recv()
        except (EOFError, OSError):
            self._process.join(max(0.0, deadline - time.monotonic()))
        finally:
            if self._process.is_alive():
                self._process.kill()
            self._process.join()
            self._results.close()


def _run(
    target: Callable[..., None],
    experiment: Experiment,
    done: list[Ranges],
    shared: Any,
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
    target(experiment, done, np.frombuffer(shared, dtype=np.int64), results, **options)
