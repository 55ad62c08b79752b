"""Sections that what is played has in every format: its rules, and its place in an experiment that is spelled out."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from razz_sim.config.model import MAX_TABLES, RuleKeys, RulesChoice
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.problem import PathParts
from razz_sim.config.values import ScenarioName, Truth, Whole, Written
from razz_sim.experiment import MAX_HANDS, Scenario
from razz_sim.rules import DEFAULT_PRESET, RuleSet, rule_set

_RULES: Shape[str | RuleKeys] = Shape(RulesChoice)
_FRESH: Shape[bool] = Shape(Truth)
_MATCH: Shape[int] = Shape(Annotated[int, Whole(0, MAX_HANDS)])
_TIMES: Shape[int] = Shape(Annotated[int, Whole(1, MAX_TABLES)])
_SCENARIO_NAME: Shape[str] = Shape(ScenarioName)
_POINT: Shape[dict[str, str]] = Shape(dict[str, Written])


def read_rules(notes: Notes, path: PathParts, default: str = DEFAULT_PRESET) -> RuleSet | None:
    """The rules: a preset, or one with options changed; the `default` one where none is named."""
    keys = notes.read(_RULES, path, default)
    if keys is None:
        return None
    if isinstance(keys, str):
        return rule_set(keys)
    return rule_set(keys.preset if "preset" in keys.model_fields_set else default, **keys.options())


def as_spelled_out(notes: Notes, at: PathParts, scenario: Scenario) -> Scenario:
    """A scenario by the name, and as the part of its experiment, that the section at `at` gives it, if it is one."""
    if not at:
        return scenario
    return replace(
        scenario,
        name=notes.read(_SCENARIO_NAME, (*at, "name")) or scenario.name,
        setting=notes.read(_SCENARIO_NAME, (*at, "setting")) or "",
        match=notes.read(_MATCH, (*at, "match")) or 0,
        times=notes.read(_TIMES, (*at, "times")) or 1,
        fresh=notes.read(_FRESH, (*at, "fresh")) or False,
        baseline=notes.read(_MATCH, (*at, "baseline")) or 0,
        point=tuple((notes.read(_POINT, (*at, "point")) or {}).items()),
    )
