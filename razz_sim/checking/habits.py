"""What a strategy does beside answering: memory it takes, chance it draws, clocks it looks at, lines it prints."""

from __future__ import annotations

import ctypes
import os
import random
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np


def resident_bytes() -> int:
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def chance_used() -> tuple[Any, ...]:
    """The states of the generators that all share, Python's and NumPy's: other ones after something drew from them."""
    return random.getstate(), repr(np.random.get_state())


def begin_chance(elsewhere: Any) -> None:
    """Begin the generators that all share anew, with other draws to come than in a state of `chance_used`."""
    seed = zlib.crc32(repr(elsewhere).encode())
    random.seed(seed)
    np.random.seed(seed)


class Printed:
    """What is written to the standard streams, by whatever way, is kept in a file."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115

    @contextmanager
    def caught(self) -> Iterator[None]:
        streams, kept = (sys.stdout, sys.stderr), [os.dup(1), os.dup(2)]
        _flush()
        os.dup2(self._file.fileno(), 1)
        os.dup2(self._file.fileno(), 2)
        sys.stdout = sys.stderr = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8", errors="replace")
        try:
            yield
        finally:
            _flush()
            (sys.stdout, sys.stderr) = streams
            for number, copy in enumerate(kept, start=1):
                os.dup2(copy, number)
                os.close(copy)

    def lines(self) -> list[str]:
        self._file.seek(0)
        return self._file.read().decode(errors="replace").splitlines()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    ctypes.CDLL(None).fflush(None)


class Clock:
    """Tells whether the strategy's file looks at the clock: on which line, 0 for never."""

    NAMES = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time")

    def __init__(self, filename: str) -> None:
        self.asked = 0
        self._filename = filename

    @contextmanager
    def watched(self) -> Iterator[None]:
        originals = {name: getattr(time, name) for name in self.NAMES}
        for name, original in originals.items():
            setattr(time, name, self._watching(original))
        try:
            yield
        finally:
            for name, original in originals.items():
                setattr(time, name, original)

    def _watching(self, original: Any) -> Any:
        def look() -> Any:
            caller = sys._getframe(1)
            if caller.f_code.co_filename == self._filename and caller.f_code.co_name != "<module>":
                self.asked = self.asked or caller.f_lineno
            return original()

        return look
