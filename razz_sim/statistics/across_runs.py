"""Finished runs side by side: what entrants of the same name won in scenarios of the same name, and how much more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from razz_sim.experiment import Experiment
from razz_sim.statistics.changes import Change, Part, Played, change
from razz_sim.statistics.estimates import Estimate


@dataclass(frozen=True, slots=True)
class AcrossRuns:
    """An entrant of a scenario in all runs: its rates, and what it wins more than in the first; None where absent."""

    scenario: str
    entrant: str
    rates: tuple[Estimate | None, ...]
    changes: tuple[Change | None, ...]


def across_runs(runs: Sequence[Played]) -> list[AcrossRuns]:
    """A row for each entrant of each scenario that the first run shares with another.

    Scenarios are the same by name; of runs that have one each, those are.
    """
    alone = all(len(experiment.scenarios) == 1 for experiment, _ in runs)
    found = []
    for scenario in runs[0][0].scenarios:
        there = [_index(experiment, scenario.name) if not alone else 0 for experiment, _ in runs]
        for entrant in scenario.lineup:
            parts = [
                Part.of(run, [] if at is None else [at], entrant.name) for run, at in zip(runs, there, strict=True)
            ]
            first = parts[0]
            if first is None or not any(parts[1:]):
                continue
            found.append(
                AcrossRuns(
                    scenario.name if not alone else "",
                    entrant.name,
                    tuple(None if part is None else part.rate for part in parts),
                    tuple(None if part is None else change(first, part) for part in parts[1:]),
                )
            )
    return found


def _index(experiment: Experiment, name: str) -> int | None:
    """The scenario of a name, if there is one."""
    names = [scenario.name for scenario in experiment.scenarios]
    return names.index(name) if names.count(name) == 1 else None
