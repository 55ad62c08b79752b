"""The program `razz-sim`: thin commands over the other rooms; the only one that prints.

Exit codes: 0 done, 2 the user's input is wrong, 1 anything else, 130 interrupted.
"""

from __future__ import annotations

import gc
import os
import signal
import sys

# In the order that --help lists their commands.
# isort: off
from razz_sim.cli import playing
from razz_sim.cli import reporting
from razz_sim.cli import comparing
from razz_sim.cli import configs
from razz_sim.cli import authors
from razz_sim.cli import hands
from razz_sim.cli import tournaments

# isort: on
from razz_sim.cli.program import INTERRUPTED, app

__all__ = ["authors", "comparing", "configs", "hands", "main", "playing", "reporting", "tournaments"]


def main() -> None:
    """Run the program."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        _leave()


def _leave() -> None:
    """All is done and said: another Ctrl-C must not change the exit code while Python ends.

    Nor need Python search what the compiler left in memory for garbage: that takes longer than any other part of the
    end.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
