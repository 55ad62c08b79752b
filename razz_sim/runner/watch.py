"""Strategies under watch: how long one takes to answer, how much memory a process takes, what is printed."""

from __future__ import annotations

import io
import json
import mmap
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path

import numpy as np

from razz_sim.experiment import Limits
from razz_sim.hand.record import NOBODY
from razz_sim.runner import outside
from razz_sim.runner.outside import Watched
from razz_sim.table.record import P_CALLS, P_COPY, P_ROWS, P_STOP, PULSE_FIELDS

PRINTED_LINES = 50
"""How many lines that strategies print are shown."""


def watched(limits: Limits) -> Watched:
    """What is watched in a pulse; one in shared memory has a field more, which counts tasks."""
    return Watched(
        calls=P_CALLS,
        copy=P_COPY,
        rows=P_ROWS,
        stop=P_STOP,
        task=len(PULSE_FIELDS),
        nobody=NOBODY,
        decision_ms=limits.decision_ms,
        batch_s=limits.batch_s,
    )


class WatchedFromOutside:
    """A pulse in shared memory, and a process that ends this one when a strategy in it does not answer.

    For Ray's workers: nothing else can end a loop of machine code, or a process that a strategy stopped; Ray starts
    another worker. A task that takes longer than a batch may is asked to stop.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  (it lives as long as the worker)
        self._file.truncate(8 * (len(PULSE_FIELDS) + 1))
        self._pulse = np.frombuffer(mmap.mmap(self._file.fileno(), 0), dtype=np.int64)
        self._process: subprocess.Popen[bytes] | None = None
        self._tasks = 0

    @contextmanager
    def task(self) -> Iterator[np.ndarray]:
        """The pulse for a task, which is watched until it is left."""
        self._pulse[P_STOP], self._pulse[P_COPY] = 0, NOBODY
        if self._process is None or self._process.poll() is not None:
            self._process = self._start()
        self._tasks += 1
        self._pulse[-1] = self._tasks
        try:
            yield self._pulse[:-1]
        finally:
            self._pulse[P_COPY], self._pulse[-1] = NOBODY, 0

    def _start(self) -> subprocess.Popen[bytes]:
        file = self._file.fileno()
        told = json.dumps(asdict(watched(self._limits)))
        command = [sys.executable, "-I", "-S", outside.__file__, str(os.getpid()), str(file), told]
        nothing = subprocess.DEVNULL
        return subprocess.Popen(
            command, pass_fds=(file,), stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
        )


@cache
def watched_from_outside(limits: Limits) -> WatchedFromOutside:
    """The one watch over this process."""
    return WatchedFromOutside(limits)


_only_process = 0


def end_forked_children() -> None:
    """Let no copy of this process live that a strategy forks: it would play on and count all once more."""
    global _only_process
    if not _only_process:
        os.register_at_fork(after_in_child=_end_if_forked)
    _only_process = os.getpid()


def may_fork_again() -> None:
    """Let this process fork: no strategy is playing."""
    global _only_process
    _only_process = -1


def _end_if_forked() -> None:
    if _only_process > 0:
        os._exit(1)


_limited = False


def limit_memory(limits: Limits) -> None:
    """Let this process take so much more memory than it has, once: what asks for more gets a MemoryError."""
    global _limited
    if _limited:
        return
    _limited = True
    _set_limit(limits)


@contextmanager
def memory_limited(limits: Limits) -> Iterator[None]:
    """Let this process take no more memory than one that plays, for what is played again: what failed fails again."""
    before = resource.getrlimit(resource.RLIMIT_DATA)
    _set_limit(limits)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _set_limit(limits: Limits) -> None:
    with suppress(OSError, ValueError):
        status = Path("/proc/self/status").read_text(encoding="ascii")
        taken = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmData"))
        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (taken * 1024 + limits.memory_mb * 2**20, hard))


class FewLines(io.TextIOBase):
    """What strategies print: the first lines go to standard error, then a word that more is not shown."""

    def __init__(self) -> None:
        self._left = PRINTED_LINES

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self._left > 0 and sys.stderr is not None:
            self._left -= text.count("\n")
            sys.stderr.write(text)
            if self._left <= 0:
                sys.stderr.write(f"(a strategy printed more than {PRINTED_LINES} lines: the rest is not shown)\n")
        return len(text)
