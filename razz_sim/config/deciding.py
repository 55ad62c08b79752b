"""What is decided on the way: when a run knows enough to stop."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from razz_sim.config.model import StopKeys
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.problem import nearest, quote
from razz_sim.experiment import Experiment, Scenario
from razz_sim.stages import STOP_KINDS, StopKind, StopRule

STOP = "stop"
_STOP: Shape[StopKeys] = Shape(StopKeys)
_NEEDS: dict[StopKind, str] = {"difference": "half_width", "test": "h1"}
STOP_USES: dict[StopKind, tuple[str, ...]] = {
    "difference": ("half_width",),
    "test": ("h0", "h1", "alpha", "beta"),
    "anytime": ("alpha", "half_width"),
}
_ODDS = ("alpha", "beta")


def read_stop(notes: Notes, experiment: Experiment) -> StopRule | None:
    """The stopping rule of a file, if it has one, for each setting of the experiment; mistakes in it are noted."""
    keys = notes.read(_STOP, (STOP,))
    if keys is None:
        return None
    kind = _kind(notes, keys)
    if kind is None:
        return None
    names: list[str] = getattr(keys, kind)
    if not _has_what_it_needs(notes, keys, kind) or not _are_two(notes, kind, names):
        return None
    for indices in experiment.settings:
        if not _meet(notes, kind, names, [experiment.scenarios[index] for index in indices]):
            return None
    values = {key: float(getattr(keys, key)) for key in STOP_USES[kind] if getattr(keys, key) is not None}
    return StopRule(kind, names[0], names[1], **values)


def _kind(notes: Notes, keys: StopKeys) -> StopKind | None:
    given: list[StopKind] = [kind for kind in STOP_KINDS if getattr(keys, kind) is not None]
    if len(given) == 1:
        return given[0]
    which = " and ".join(given) if given else "none of them"
    example = "test: [a, b], h0: 0, h1: 1"
    notes.add((STOP,), f"must have one of {', '.join(STOP_KINDS)}, not {which}: write {{{example}}} for one")
    return None


def _has_what_it_needs(notes: Notes, keys: StopKeys, kind: StopKind) -> bool:
    before = len(notes.problems)
    for key in ("half_width", "h0", "h1", *_ODDS):
        value = getattr(keys, key)
        if value is None:
            if key == _NEEDS.get(kind):
                notes.add((STOP, key), f"is missing: {StopKeys.model_fields[key].description}")
        elif key not in STOP_USES[kind]:
            notes.add((STOP, key), f"is not for {kind}, which takes {' and '.join(STOP_USES[kind])}")
        elif key in _ODDS and not 0 < value < Decimal("0.5"):
            notes.add((STOP, key), f"{value} must be a probability above 0 and below 0.5, such as 0.05")
    if kind == "test" and keys.h1 is not None and keys.h1 == (keys.h0 or 0):
        notes.add((STOP, "h1"), f"{keys.h1} is h0 too: a test decides between two differences")
    return len(notes.problems) == before


def _are_two(notes: Notes, kind: StopKind, names: Sequence[str]) -> bool:
    if len(names) == 2 and names[0] != names[1]:
        return True
    notes.add((STOP, kind), f"must name two entrants, whose results are compared: [a, b], not {', '.join(names)}")
    return False


def _meet(notes: Notes, kind: StopKind, names: Sequence[str], scenarios: Sequence[Scenario]) -> bool:
    """Whether the two sit at one table in some match of a setting."""
    there = list(dict.fromkeys(entrant.name for scenario in scenarios for entrant in scenario.lineup))
    before = len(notes.problems)
    for place, name in enumerate(names):
        if name not in there:
            notes.add((STOP, kind, place), f"{quote(name)} is no entrant of the line-up; {nearest(name, there)}")
    together = any({*names} <= {entrant.name for entrant in scenario.lineup} for scenario in scenarios)
    if len(notes.problems) == before and not together:
        notes.add((STOP, kind), f"{' and '.join(names)} never sit at one table: they have no difference to stop at")
    return len(notes.problems) == before
