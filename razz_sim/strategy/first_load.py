"""A strategy file is run for the first time in a process of its own: it may hang, or end the process."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import threading
from contextlib import suppress
from functools import cache
from importlib import import_module
from types import ModuleType

from razz_sim.strategy.declaration import StrategyError

LOAD_SECONDS = 20.0
"""How long a file may take to be run; what takes longer is to be computed when a strategy is asked, or kept in it."""
_DIE_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG."""


@cache
def try_loading(text: str, filename: str) -> None:
    """StrategyError when a file does not come to an end in time, or ends its process; else it may be run here.

    Errors that it raises are not looked at. Where a process cannot be forked safely nothing is tried.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return
    import_module("razz_sim.reading")  # what strategies import is compiled here, not in a process that is thrown away
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        _run(text, filename, theirs)
    os.close(theirs)
    try:
        ended, _, _ = select.select([ours], [], [], LOAD_SECONDS)
        done = bool(ended) and os.read(ours, 1) == b"."
    finally:
        os.close(ours)
        os.kill(child, signal.SIGKILL)  # not waited for yet: nobody else has its number
        _, status = os.waitpid(child, 0)
    if not ended:
        raise StrategyError(f"{filename} does not run: it did not come to its end within {LOAD_SECONDS:g} s")
    if not done:
        code = os.waitstatus_to_exitcode(status)
        how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
        raise StrategyError(f"{filename} does not run: it ends the process {how}")


def _run(text: str, filename: str, results: int) -> None:
    """The life of the child: it prints nothing, and says when it is through."""
    try:
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        nothing = os.open(os.devnull, os.O_RDWR)
        for file in (0, 1, 2):
            os.dup2(nothing, file)
        module = ModuleType("razz_sim_strategy_tried")
        module.__file__ = filename
        sys.modules[module.__name__] = module
        exec(compile(text, filename, "exec"), vars(module))
    except BaseException:
        pass
    finally:
        with suppress(OSError):
            os.write(results, b".")
        os._exit(0)
