"""Strategies under watch: how long one takes to answer, how much memory a process takes, what is printed."""

from __future__ import annotations

import io
import os
import resource
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from razz_sim.experiment import Limits
from razz_sim.hand.record import NOBODY
from razz_sim.table.record import P_CALLS, P_COPY, P_ROWS

LOOK_SECONDS = 0.1
CLOCK_FACTOR = 10
"""How many times its processor time a decision may take by the clock: a busy machine is nobody's fault."""
ROWS_A_DECISION = 100
"""How many rows of an array strategy's call count as one decision."""
PRINTED_LINES = 50
"""How many lines that strategies print are shown."""


class Watch:
    """Looks at a pulse now and then; `processor_seconds` tells the processor time of the process that has it."""

    def __init__(self, pulse: np.ndarray, limits: Limits, processor_seconds: Callable[[], float]) -> None:
        self._pulse, self._limits, self._processor_seconds = pulse, limits, processor_seconds
        self._calls = -1
        self._began = self._began_processor = 0.0

    def overdue(self) -> bool:
        """Whether the strategy that is being asked has taken longer than it may."""
        calls, asked = int(self._pulse[P_CALLS]), self._pulse[P_COPY] != NOBODY
        now, processor = time.monotonic(), self._processor_seconds()
        if not asked or calls != self._calls:
            self._calls, self._began, self._began_processor = calls, now, processor
            return False
        allowed = self._limits.decision_ms / 1000 * max(1, int(self._pulse[P_ROWS]) / ROWS_A_DECISION)
        return processor - self._began_processor > allowed or now - self._began > CLOCK_FACTOR * allowed


def processor_seconds_of(pid: int) -> Callable[[], float]:
    """The processor time of another process; 0 where the system does not tell."""
    path = Path(f"/proc/{pid}/stat")
    ticks = os.sysconf("SC_CLK_TCK")

    def seconds() -> float:
        try:
            fields = path.read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / ticks

    return seconds


def end_when_overdue(pulse: np.ndarray, limits: Limits) -> threading.Event:
    """End this very process when a strategy in it does not answer; set the event to stop watching.

    For Ray's workers: nothing else can end a loop of machine code, and Ray starts another worker.
    """
    over = threading.Event()
    watch = Watch(pulse, limits, time.process_time)

    def look() -> None:
        while not over.wait(LOOK_SECONDS):
            if watch.overdue():
                os._exit(1)

    threading.Thread(target=look, daemon=True).start()
    return over


_limited = False


def limit_memory(limits: Limits) -> None:
    """Let this process take so much more memory than it has, once: what asks for more gets a MemoryError."""
    global _limited
    if _limited:
        return
    _limited = True
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
