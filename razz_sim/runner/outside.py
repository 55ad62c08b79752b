"""A process that watches another from outside and ends it when a strategy in it does not answer.

A thread could not: a strategy may hold Python's lock for ever, or stop its whole process. It is run as a script by a
bare Python, so it imports nothing but what starts in milliseconds.
"""

from __future__ import annotations

import json
import mmap
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LOOK_SECONDS = 0.1
CLOCK_FACTOR = 10
"""How many times its processor time a decision may take by the clock: a busy machine is nobody's fault."""
ROWS_A_DECISION = 100
"""How many rows of an array strategy's call count as one decision."""


@dataclass(frozen=True)
class Watched:
    """What is watched: where in a pulse it is told what is asked, and what a decision and a task may take.

    `task` is where a pulse in shared memory counts tasks, 0 while none is played; `stop` is where it is asked to stop.
    """

    calls: int
    copy: int
    rows: int
    stop: int
    task: int
    nobody: int
    decision_ms: int
    batch_s: int


class Watch:
    """Looks at a pulse now and then; `processor_seconds` tells the processor time of the process that has it."""

    def __init__(self, pulse: Any, watched: Watched, processor_seconds: Callable[[], float]) -> None:
        self._pulse, self._watched, self._processor_seconds = pulse, watched, processor_seconds
        self._calls = -1
        self._began = self._began_processor = 0.0

    def overdue(self) -> bool:
        """Whether the strategy that is being asked has taken longer than it may."""
        where = self._watched
        calls, asked = int(self._pulse[where.calls]), self._pulse[where.copy] != where.nobody
        now, processor = time.monotonic(), self._processor_seconds()
        if not asked or calls != self._calls:
            self._calls, self._began, self._began_processor = calls, now, processor
            return False
        allowed = where.decision_ms / 1000 * max(1, int(self._pulse[where.rows]) / ROWS_A_DECISION)
        return processor - self._began_processor > allowed or now - self._began > CLOCK_FACTOR * allowed


def processor_seconds_of(pid: int) -> Callable[[], float]:
    """The processor time of another process; 0 where the system does not tell."""
    path = Path(f"/proc/{pid}/stat")
    ticks = os.sysconf("SC_CLK_TCK")

    def seconds() -> float:
        try:
            fields = path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / ticks

    return seconds


def watch_over(pid: int, pulse: Any, watched: Watched) -> None:
    """Watch the parent until it is gone: end it when it is overdue, ask it to stop when its task takes too long."""
    watch = Watch(pulse, watched, processor_seconds_of(pid))
    task, began = 0, 0.0
    while os.getppid() == pid:
        if watch.overdue():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            return
        if pulse[watched.task] != task:
            task, began = pulse[watched.task], time.monotonic()
        elif task and time.monotonic() - began > watched.batch_s:
            pulse[watched.stop] = 1
        time.sleep(LOOK_SECONDS)


def main() -> None:
    """The life of the script: what it watches is told in its arguments, the pulse is in a file without a name."""
    pid, file, watched = int(sys.argv[1]), int(sys.argv[2]), Watched(**json.loads(sys.argv[3]))
    with mmap.mmap(file, 0) as shared, memoryview(shared) as raw, raw.cast("q") as pulse:
        watch_over(pid, pulse, watched)


if __name__ == "__main__":
    main()
