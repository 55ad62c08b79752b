"""Strategies made ready before anything is played: compiled, or made once with each entrant's own parameters.

What a class does when an instance is made is its author's affair, so it is tried in a supervised process.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from razz_sim.batch import load_all
from razz_sim.experiment import ROW_TABLES, Entrant, Experiment, Ranges
from razz_sim.hand.record import NOBODY
from razz_sim.runner.supervised import Child, ChildDied, Outlet, Overdue
from razz_sim.runner.tasks import Failed, Finished
from razz_sim.runner.watch import end_forked_children, limit_memory
from razz_sim.strategy import StrategyError
from razz_sim.strategy.in_python import make
from razz_sim.table.record import P_CALLS, P_COPY, P_ROWS


def prepare_all(experiment: Experiment) -> None:
    """Compile the strategies of an experiment and try to make those that are classes; StrategyError with a sentence."""
    lineup = [entrant for scenario in experiment.scenarios for entrant in scenario.lineup]
    load_all(experiment.scenarios)
    classes = {(entrant.strategy, entrant.params): entrant for entrant in lineup if entrant.strategy.kind != "compiled"}
    if classes:
        _try_to_make(experiment, list(classes.values()))


def _try_to_make(experiment: Experiment, entrants: Sequence[Entrant]) -> None:
    """Make each entrant's class once, in a process of its own."""
    child = Child(_make_all, experiment, [], entrants=entrants)
    limit = experiment.limits.decision_ms
    try:
        for message in child.messages():
            if isinstance(message, Failed):
                raise message.error
    except Overdue as overdue:
        child.stop(seconds=0)
        many = " and table" if entrants[overdue.pulse["copy"]].strategy.kind == "array" else ""
        raise _cannot(entrants, overdue.pulse, f"it takes longer than limits.decision_ms, {limit} ms{many}") from None
    except ChildDied as death:
        raise _cannot(entrants, death.pulse, f"it ended the process: {death.how()}") from None
    finally:
        child.stop()


def _cannot(entrants: Sequence[Entrant], pulse: dict[str, int], why: str) -> StrategyError:
    if pulse["copy"] == NOBODY:
        return StrategyError(f"strategies cannot be made: {why}")
    entrant = entrants[pulse["copy"]]
    return StrategyError(f"{made_of(entrant)} cannot be made: {why}")


def made_of(entrant: Entrant) -> str:
    """A strategy with the parameters that it is made with."""
    params = ", ".join(f"{name}={value}" for name, value in entrant.params)
    return entrant.strategy.spec + (f" with {params}" if params else "")


def _make_all(
    experiment: Experiment, done: list[Ranges], pulse: np.ndarray, results: Outlet, entrants: Sequence[Entrant]
) -> None:
    """The life of the child: `copy` in the pulse is the place of the entrant whose class is being made."""
    limit_memory(experiment.limits)
    end_forked_children()
    for place, entrant in enumerate(entrants):
        pulse[P_ROWS] = ROW_TABLES if entrant.strategy.kind == "array" else 1
        pulse[P_CALLS] += 1
        pulse[P_COPY] = place
        error = why_not_made(entrant)
        pulse[P_COPY] = NOBODY
        if error is not None:
            results.send(Failed(StrategyError(f"{made_of(entrant)} cannot be made: {error}")))
            return
    results.send(Finished(workers=1))


def why_not_made(entrant: Entrant) -> str | None:
    """Why no instance can be made of an entrant's class; None when one can."""
    named: dict[str, Any] = dict(entrant.params)
    try:
        make(entrant.strategy, named)
    except StrategyError as error:
        return str(error)
    return None
