"""The points of a sweep less their baseline: what each entrant wins more than there, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from razz_sim.experiment import Experiment
from razz_sim.statistics.changes import Change, Part, Played, change
from razz_sim.statistics.comparisons import holm
from razz_sim.tally import Tally


@dataclass(frozen=True, slots=True)
class ToBaseline:
    """What an entrant of a setting wins more than in the setting that is its baseline.

    `p_holm` is corrected for all rows of its table.
    """

    setting: str
    baseline: str
    entrant: str
    change: Change
    p_holm: float | None = None


def to_baseline(experiment: Experiment, tallies: Sequence[Tally]) -> list[ToBaseline]:
    """A row for each entrant of each setting with a baseline that it is in by name too, as far as both were played.

    Where entrants meet in matches each is taken over all its matches of the setting.
    """
    settings = experiment.settings
    found = [
        row
        for indices in settings
        if (number := experiment.scenarios[indices[0]].baseline)
        for row in _rows((experiment, tallies), indices, settings[number - 1])
    ]
    corrected = holm([row.change.p for row in found])
    return [replace(row, p_holm=p_holm) for row, p_holm in zip(found, corrected, strict=True)]


def _rows(run: Played, here: Sequence[int], there: Sequence[int]) -> Iterator[ToBaseline]:
    """The entrants of the setting with these scenarios less what they win in another."""
    experiment, _ = run
    setting, baseline = experiment.setting_name(here[0]), experiment.setting_name(there[0])
    for name in dict.fromkeys(entrant.name for index in here for entrant in experiment.scenarios[index].lineup):
        mine, first = Part.of(run, here, name), Part.of(run, there, name)
        if mine is not None and first is not None:
            yield ToBaseline(setting, baseline, name, change(first, mine))


def baseline_name(experiment: Experiment) -> str | None:
    """What all baselines have in common by their names, such as 'ante 0.20'; None where there are none."""
    numbers, settings = {scenario.baseline for scenario in experiment.scenarios} - {0}, experiment.settings
    names = [experiment.setting_name(settings[number - 1][0]) for number in sorted(numbers)]
    if not names:
        return None
    parts = [name.split(", ") for name in names]
    shared = [part for part in parts[0] if all(part in others for others in parts)]
    return ", ".join(shared) or "the baseline"
