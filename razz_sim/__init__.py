"""Play millions of hands of Razz: `razz_sim.run(config)` plays an experiment, `razz_sim.Run.load(folder)` reads one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Run", "__version__", "run"]

if TYPE_CHECKING:
    from razz_sim.conduct import run
    from razz_sim.store import Run


def __getattr__(name: str) -> Any:
    """Import what is asked for only then: the program's `--help` must not wait for the engine."""
    if name == "run":
        from razz_sim.conduct import run

        return run
    if name == "Run":
        from razz_sim.store import Run

        return Run
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
