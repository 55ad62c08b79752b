"""Errors of strategies looked into: where a decision that held up or ended a process is, and who erred first.

Hands are played again for that, in a process of its own: what comes before such a decision may be as bad.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from razz_sim.batch import Fault, Verdict, first_fault, replay_hand
from razz_sim.experiment import Batch, Experiment
from razz_sim.hand import compiled_steps
from razz_sim.runner.watch import end_forked_children, limit_memory
from razz_sim.table.record import IN_ROWS
from razz_sim.tally import ENTRANT_COLUMNS, Tally

PATIENCE_SECONDS = 20.0
"""How long looking into an error may take."""

FirstErrors = dict[tuple[int, int], Fault]
"""By scenario and entrant, by their places: the first error."""


def verdict_at(pulse: Mapping[str, int], reason: str) -> Verdict:
    """The verdict on the decision that a pulse points to."""
    return Verdict(pulse["scenario"], pulse["block"], pulse["hand"], pulse["copy"], pulse["decision"], reason)


def fault_of(experiment: Experiment, verdict: Verdict, verdicts: Sequence[Verdict]) -> Fault:
    """A judged decision as a fault; without seat and street when its hand cannot be played again up to it."""
    if verdict.decision != IN_ROWS:
        seen = _apart(_judged, experiment, verdict, [*verdicts, verdict])
        if isinstance(seen, Fault):
            return seen
    scenario = experiment.scenarios[verdict.scenario]
    entrant = scenario.lineup[scenario.entrant_of_copy[verdict.copy]]
    hand = 0 if verdict.decision == IN_ROWS else verdict.hand
    return Fault(
        entrant=entrant.name,
        spec=entrant.strategy.spec,
        scenario=scenario.name,
        number=verdict.block * scenario.hand_numbers + hand,
        block=verdict.block,
        hand=hand,
        copy=verdict.copy,
        seat=None,
        street=None,
        decision=verdict.decision,
        reason=verdict.reason,
        in_tournament=scenario.tournament is not None,
    )


def _judged(experiment: Experiment, verdict: Verdict, verdicts: Sequence[Verdict]) -> Fault | None:
    scenario = experiment.scenarios[verdict.scenario]
    number = verdict.block * scenario.hand_numbers + verdict.hand
    replayed = replay_hand(scenario, experiment.seed_of(verdict.scenario), number, verdicts, verdict.scenario)
    for fault in replayed.faults:
        if (fault.copy, fault.decision) == (verdict.copy, verdict.decision):
            return fault
    return None


def first_errors(experiment: Experiment, tallies: Sequence[Tally], verdicts: Sequence[Verdict]) -> FirstErrors:
    """The first error of each entrant that made any; those that do not show again in time are left out."""
    found = {}
    for index, tally in enumerate(tallies):
        errors = tally.entrants[:, :, ENTRANT_COLUMNS.index("errors")]
        for entrant in np.flatnonzero(errors.any(axis=0)).tolist():
            number = int(np.flatnonzero(errors[:, entrant])[0])
            fault = _apart(_first_error, experiment, index, entrant, number, verdicts)
            if isinstance(fault, Fault):
                found[index, entrant] = fault
    return found


def _first_error(
    experiment: Experiment, index: int, entrant: int, number: int, verdicts: Sequence[Verdict]
) -> Fault | None:
    """The first error of an entrant in a bin."""
    scenario = experiment.scenarios[index]
    first = number * scenario.bin_size
    stop = min(first + scenario.bin_size, scenario.blocks)
    batch = Batch(scenario=index, bin=number, first=first, stop=stop, hands=(stop - first) * scenario.block_hands)
    return first_fault(scenario, experiment.seed_of(index), batch, entrant, verdicts, index)


def _apart(look: Callable[..., Fault | None], *arguments: Any) -> Fault | None:
    """What a function finds in a process of its own; None when that ends or takes too long.

    Its first argument is the experiment, whose limits hold here as where it is played.
    """
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_send, args=(look, arguments, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        if ours.poll(PATIENCE_SECONDS):
            found: Fault | None = ours.recv()
            return found
    except Exception:  # it ended, or what it sent is nothing
        pass
    finally:
        process.kill()
        process.join()
    return None


def _send(look: Callable[..., Fault | None], arguments: tuple[Any, ...], results: Connection) -> None:
    compiled_steps()  # before memory is short
    limit_memory(arguments[0].limits)
    end_forked_children()
    results.send(look(*arguments))
