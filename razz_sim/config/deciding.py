"""What is decided on the way: when a run knows enough to stop, and how a search goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from math import lcm

from razz_sim.config.notes import Notes, Shape
from razz_sim.config.overrides import OVER, SEARCH
from razz_sim.config.points import SearchKeys, SearchPlanKeys, StopKeys
from razz_sim.config.problem import nearest, quote, spell_number
from razz_sim.config.real_stakes import STAKES
from razz_sim.config.tree import Items, find
from razz_sim.config.values import LONGEST_SCENARIO_NAME
from razz_sim.experiment import Experiment, Scenario
from razz_sim.stages import STOP_KINDS, SearchPlan, StopKind, StopRule

STOP = "stop"
LEAST_BLOCKS = 100
"""The first round of a search tells nothing with fewer."""
_STOP: Shape[StopKeys] = Shape(StopKeys)
_SEARCH: Shape[SearchKeys] = Shape(SearchKeys)
_PLAN: Shape[SearchPlanKeys] = Shape(SearchPlanKeys)
Setting = tuple[Scenario, ...]
"""The matches of one point."""
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
    if any(scenario.of_population for scenario in experiment.scenarios):
        notes.add((STOP,), "is not for a population, whose tables have other blocks: it is for the other formats")
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


# Searches


def measured_again(notes: Notes, settings: Sequence[Setting]) -> list[Setting]:
    """For each point of a search the setting in which it is measured again, if it wins; none without a search."""
    keys = notes.read(_SEARCH, (SEARCH,)) if find(notes.tree, (SEARCH, OVER)) is not None else None
    if keys is None:
        return []
    found = []
    for number, setting in enumerate(settings, start=1):
        name = f"{setting[0].setting or setting[0].name}, measured again"
        name = name if len(name) <= LONGEST_SCENARIO_NAME else f"point {number}, measured again"
        hands = _hands_again(keys.again, setting[0])
        if bad := [one for one in setting if hands % one.block_hands]:
            size = lcm(*(one.block_hands for one in setting))
            near = f"{spell_number(-(-hands // size) * size)} would be"
            each = f"sessions of {bad[0].session.hands} hands" if bad[0].session.hands > 1 else "hands"
            sentence = f"{spell_number(hands)} are no whole {each}, each in {bad[0].replicas} arrangements: {near}"
            notes.add((SEARCH, "again"), sentence)
            return []
        found.append(
            tuple(
                replace(one, name=name, setting=name if one.match else "", hands=hands, fresh=True) for one in setting
            )
        )
    return found


def _hands_again(again: int | None, scenario: Scenario) -> int:
    """The hands in which a winner is measured again; tournaments are counted as such."""
    if again is None:
        return scenario.hands
    return again if scenario.tournament is None else again * scenario.block_hands


def read_search(notes: Notes, experiment: Experiment) -> SearchPlan | None:
    """How the search of a file goes on, if it has one; mistakes in it are noted."""
    if find(notes.tree, (SEARCH,)) is None:
        return None
    drawn = find(notes.tree, (SEARCH, OVER)) is not None
    keys: SearchPlanKeys | None = notes.read(_SEARCH, (SEARCH,)) if drawn else notes.read(_PLAN, (SEARCH,))
    if keys is None or notes.problems:
        return None
    plan = SearchPlan(keys.best, len(experiment.points), keys.factor)
    if find(notes.tree, (STOP,)) is not None:
        notes.add((STOP,), "cannot be with search, which stops by itself")
    if isinstance(find(notes.tree, (STAKES,)), Items):
        notes.add((STAKES,), "cannot be with search, which has one structure of stakes")
    if any(scenario.of_population for scenario in experiment.scenarios):
        notes.add((SEARCH,), "is not for a population, whose tables have other blocks: it is for the other formats")
    for indices in experiment.points:
        there = list(dict.fromkeys(one.name for index in indices for one in experiment.scenarios[index].lineup))
        if keys.best not in there:
            notes.add((SEARCH, "best"), f"{quote(keys.best)} is no entrant of the line-up; {nearest(keys.best, there)}")
            return None
    if not notes.problems:
        _note_short_rounds(notes, replace(experiment, search=plan), plan)
    return None if notes.problems else plan


def _note_short_rounds(notes: Notes, experiment: Experiment, plan: SearchPlan) -> None:
    """A first round that is too short to tell points apart, or rounds in which nothing is played."""
    for indices in experiment.points:
        for index in indices:
            ends, scenario = experiment.round_ends(index), experiment.scenarios[index]
            if ends[0] < LEAST_BLOCKS or len(set(ends)) < len(ends):
                first = f"the first of {len(ends)} rounds has {ends[0]} blocks"
                least = max(LEAST_BLOCKS, experiment.groups[index])
                enough = least * plan.factor ** (len(ends) - 1)
                asked, key = scenario.blocks, "tournaments"
                if scenario.tournament is None:
                    enough, asked, key = enough * scenario.block_hands, scenario.hands, "hands"
                sentence = f"{spell_number(asked)} are too few for this search: {first}"
                notes.add((key,), f"{sentence}; {spell_number(enough)} would do")
                return
