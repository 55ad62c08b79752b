"""The right loop for a scenario: fused for one table, lockstep for strategies that are asked in rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from razz_sim.batch.faults import Fault, StrategyFault, Verdict
from razz_sim.batch.loop import Counted, Loop, compiled_loop
from razz_sim.experiment import Batch, Scenario
from razz_sim.strategy.in_python import check_class
from razz_sim.strategy.machine_code import machine_code
from razz_sim.strategy.source import StrategySource, declared_body

if TYPE_CHECKING:
    from razz_sim.batch.lockstep import Lockstep


def prepare(source: StrategySource) -> None:
    """Compile a strategy, or see that its class can be made, and the loop; StrategyError with a sentence."""
    compiled_loop()
    _load(source)
    if source.kind != "compiled":
        check_class(source)


def load_all(scenarios: Sequence[Scenario]) -> None:
    """Compile the strategies of scenarios, or load their classes, and the loops; StrategyError with a sentence.

    Processes that are forked after this need compile and load nothing.
    """
    tournaments = [scenario for scenario in scenarios if scenario.tournament is not None]
    if tournaments:
        import razz_sim.batch.tournaments  # noqa: F401  (its loop is compiled)
    if len(tournaments) < len(scenarios):
        compiled_loop()
    for source in {entrant.strategy for scenario in scenarios for entrant in scenario.lineup}:
        _load(source)


def _load(source: StrategySource) -> None:
    if source.kind == "compiled":
        machine_code(source)
    else:
        declared_body(source)


def loop_of(scenario: Scenario, seed: int, verdicts: Sequence[Verdict] = (), index: int = 0) -> Loop | Lockstep:
    """The loop that plays a scenario; `index` is the scenario's in its experiment."""
    if scenario.tournament is not None:
        from razz_sim.batch.tournaments import TournamentLoop

        return TournamentLoop(scenario, seed, verdicts, index)
    if not scenario.asks_in_rows:
        return Loop(scenario, seed, verdicts, index)
    from razz_sim.batch.lockstep import Lockstep  # compiled when a first line-up needs it

    return Lockstep(scenario, seed, verdicts, index)


def play_batches(
    scenario: Scenario,
    seed: int,
    batches: Sequence[Batch],
    pulse: np.ndarray | None = None,
    verdicts: Sequence[Verdict] = (),
    index: int = 0,
) -> list[Counted]:
    """Play batches of one scenario; raises what `Loop.play` does. `index` is the scenario's in its experiment."""
    return loop_of(scenario, seed, verdicts, index).play_all(batches, pulse)


def first_fault(
    scenario: Scenario, seed: int, batch: Batch, entrant: int, verdicts: Sequence[Verdict] = (), index: int = 0
) -> Fault | None:
    """The first error of an entrant in a batch, whatever `on_error` makes of errors; None when there is none."""
    loop = loop_of(scenario, seed, verdicts, index)
    loop.ready.setup["stop_at"] = entrant
    try:
        loop.play_all([batch])
    except StrategyFault as error:
        return error.fault
    return None
