"""`--set path=value`: changes to the tree before anything reads it.

`stakes[0].ante=0.4` changes one item, `stakes.ante=0.4` every item of the list. The value is YAML. What is
set keeps its origin, so that an error about it names the `--set`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from razz_sim.config.problem import ConfigError, PathParts, Problem, quote, spell_path
from razz_sim.config.real_stakes import STAKES, are_stakes, written_out
from razz_sim.config.tree import Items, Node, Number, Place, Scalar, Section, from_python, plain_data
from razz_sim.config.yaml_lines import parse_yaml

Overrides: TypeAlias = Mapping[str, object] | Sequence[str]
"""`path=value` strings, or a mapping from paths to values (texts are read as YAML, as in a shell)."""

NAME_STANDS_FOR = {"rules": "preset", "levels": "structure"}
"""A section that may be written as one name, and the key which that name then is."""
SWEEP = "sweep"
"""The section whose keys are themselves paths."""

ZIP, CASES, SAMPLES, BASELINE = "zip", "cases", "samples", "baseline"
"""Its keys that are no paths."""
SEARCH, OVER = "search", "over"
"""The section that looks for the best point, and its key whose keys are paths."""

_IN_SWEEP = re.compile(rf"({ZIP}|{SAMPLES}|{BASELINE}|{CASES})(?:\[([0-9]{{1,6}})\])?(?:\.(.+))?")
_STEP = re.compile(r"\.?([^.\[\]\s=]+)|\[([0-9]{1,6})\]")


@dataclass(frozen=True, slots=True)
class Override:
    """One change: where, to what, and where it was asked for."""

    path: PathParts
    value: Node
    place: Place


def read_overrides(given: Overrides, options: Mapping[str, object]) -> tuple[list[Override], list[Problem]]:
    """The changes asked for by `--set`, then those by options of their own such as `--hands`.

    One that cannot be read is among the problems, and keeps no other from being made.
    """
    problems: list[Problem] = []
    found: list[Override] = []
    wanted: list[tuple[str, str, object]] = []
    texts: Sequence[str] = (given,) if isinstance(given, str) else ()
    if isinstance(given, Mapping):
        wanted += [(f"--set {path}={value}", path, value) for path, value in given.items()]
    elif not isinstance(given, str):
        texts = given
    for text in texts:
        path, equals, written = text.partition("=")
        if not equals:
            sentence = "must be path=value, such as stakes[0].ante=0.4"
            problems.append(Problem(f"--set {text}", None, "", sentence))
            continue
        wanted.append((f"--set {text}", path.strip(), written))
    wanted += [(f"--{key} {value}", key, value) for key, value in options.items() if value is not None]
    for origin, path, value in wanted:
        try:
            parts = read_path(path, origin)
            found.append(Override(parts, _value(value, origin, parts), Place(origin)))
        except ConfigError as error:
            problems += error.problems
    return found, problems


def read_path(text: str, origin: str = "") -> PathParts:
    """A path as written.

    >>> read_path("stakes[0].rake.cap")
    ('stakes', 0, 'rake', 'cap')
    >>> read_path("sweep.stakes[0].ante"), read_path("sweep.cases[1].stakes[0].ante")
    (('sweep', 'stakes[0].ante'), ('sweep', 'cases', 1, 'stakes[0].ante'))
    """
    searched = text.removeprefix(f"{SEARCH}.{OVER}.")
    if searched != text:
        read_path(searched, origin)
        return SEARCH, OVER, searched
    swept = text.removeprefix(f"{SWEEP}.")
    if swept != text:
        together = _IN_SWEEP.fullmatch(swept)
        key, position, inside = together.groups() if together else (None, None, swept)
        if inside is not None:
            read_path(inside, origin)
        return SWEEP, *filter(None, (key, *([int(position)] if position else []), inside))
    parts: list[str | int] = []
    at = 0
    while at < len(text):
        step = _STEP.match(text, at)
        if step is None or (step[0].startswith(".") != bool(parts) and step[2] is None):
            break
        parts.append(step[1] if step[2] is None else int(step[2]))
        at = step.end()
    if at < len(text) or not parts or isinstance(parts[0], int):
        sentence = f"{quote(text)} is not a path: write keys and positions, such as stakes[0].rake.cap"
        raise ConfigError([Problem(origin, None, "", sentence)])
    return tuple(parts)


def _value(value: object, origin: str, path: PathParts) -> Node:
    if not isinstance(value, str):
        return from_python(value, origin, path)
    parsed = parse_yaml(value, origin, with_lines=False, path=path)
    if parsed.problems:
        raise ConfigError(parsed.problems)
    return parsed.tree


def read_params(changes: Iterable[str]) -> dict[str, object]:
    """Parameters of a strategy from `name=value` strings, the values as in a file; ConfigError for one that is none.

    >>> read_params(["limit=7", "often=0.5", "steal=true"])
    {'limit': 7, 'often': 0.5, 'steal': True}
    """
    params: dict[str, object] = {}
    for text in changes:
        name, equals, written = text.partition("=")
        origin = f"--set {text}"
        if not equals:
            raise ConfigError([Problem(origin, None, "", "must be name=value, such as limit=7")])
        value = plain_data(_value(written, origin, (name,)))
        if isinstance(value, Number):
            value = int(value.value) if value.value == value.value.to_integral_value() else float(value.value)
        params[name] = value
    return params


def apply_overrides(tree: Node, overrides: Iterable[Override]) -> tuple[Node, list[Problem]]:
    """The tree with all changes that fit somewhere, later over earlier ones; the problems of the others."""
    problems: list[Problem] = []
    for override in overrides:
        try:
            tree = set_value(tree, override)
        except ConfigError as error:
            problems += error.problems
    return tree, problems


def set_value(tree: Node, override: Override) -> Node:
    """The tree with one change: new sections where there are none, each item of a list without a position."""
    return _set(tree, override.path, override, ())


def _set(node: Node, rest: PathParts, override: Override, done: PathParts) -> Node:
    if not rest:
        return override.value
    step, *others = rest
    inner = tuple(others)
    if isinstance(node, Scalar) and node.value is None:
        node = Section(override.place, {})
    if isinstance(node, Scalar) and len(done) == 1 and done[0] in NAME_STANDS_FOR and isinstance(step, str):
        node = Section(node.place, {}).with_entry(NAME_STANDS_FOR[str(done[0])], node)
    if isinstance(node, Scalar) and are_stakes(done):
        node = written_out(node)
    if isinstance(node, Items):
        if isinstance(step, str):
            items = (_set(item, rest, override, (*done, at)) for at, item in enumerate(node.items))
            return Items(node.place, tuple(items))
        if step < len(node.items):
            items_now = list(node.items)
            items_now[step] = _set(items_now[step], inner, override, (*done, step))
            return Items(node.place, tuple(items_now))
        raise _misfit(override, done, f"has {len(node.items)} items: [0] to [{len(node.items) - 1}]")
    if isinstance(node, Section) and isinstance(step, str):
        entry = node.entries.get(step)
        inside = entry.node if entry else Section(override.place, {})
        return node.with_entry(step, _set(inside, inner, override, (*done, step)), like=entry)
    if isinstance(node, Section) and done == (STAKES,) and step == 0:
        return _set(node, inner, override, done)
    what = "a single value" if isinstance(node, Scalar) else "a mapping, which has no positions"
    raise _misfit(override, done, f"is {what}: {spell_path((*done, *rest))} is not in it")


def _misfit(override: Override, done: PathParts, sentence: str) -> ConfigError:
    return ConfigError([Problem(override.place.source, override.place.line, spell_path(done), sentence)])
