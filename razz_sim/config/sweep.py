"""Sweeps: paths with lists of values, crossed to the points of an experiment; their names, and errors about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from razz_sim.config.model import SWEPT, ExperimentKeys, section_of
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.overrides import SWEEP, Override, read_path, set_value
from razz_sim.config.problem import ConfigError, PathParts, Problem, nearest, quote, shorten, spell_number, spell_path
from razz_sim.config.real_stakes import PRESET, STAKES, with_stakes_written_out, written_out
from razz_sim.config.tree import Items, Node, Scalar, Section, child, find, written

MAX_SCENARIOS = 10_000
MOST_NAMED = 3
"""An error that several values of a path lead to names so many of them."""
_SWEEP: Shape[dict[str, list[object]]] = Shape(ExperimentKeys.model_fields["sweep"].annotation)


@dataclass(frozen=True, slots=True)
class Axis:
    """A path, as written and in parts, and the values it takes."""

    key: str
    path: PathParts
    values: tuple[Node, ...]

    def concerns(self, position: int) -> bool:
        """Whether it matters for the stakes at a position of their list: not if it is about others there."""
        here = self.path[1] if len(self.path) > 1 else position
        return self.path[0] != STAKES or isinstance(here, str) or here == position


@dataclass(frozen=True, slots=True)
class Point:
    """A file's tree with one value on each path of the sweep; `at` says which value of each axis.

    With `problems` when a value fits nowhere in the file.
    """

    tree: Node
    at: tuple[int, ...]
    problems: tuple[Problem, ...] = ()


def read_axes(notes: Notes, changes: Sequence[Override]) -> list[Axis]:
    """The sweep of a file; what is wrong with it, and `changes` that it would undo, are noted."""
    section = find(notes.tree, (SWEEP,))
    notes.read(_SWEEP, (SWEEP,))
    if not isinstance(section, Section):
        return []
    axes = [axis for key, entry in section.entries.items() if (axis := _axis(notes, key, entry.node))]
    for axis in axes:
        _warn_of_lost_keys(notes, axis)
        for change in changes:
            if _reaches(axis.path, change.path):
                line = notes.line((SWEEP, axis.key))
                sentence = f"is swept{line}: choose its values with --set '{SWEEP}.{axis.key}=[...]'"
                notes.problems.append(Problem(change.place.source, None, spell_path(change.path), sentence))
    sizes = [len(axis.values) for axis in axes]
    if prod(sizes) > MAX_SCENARIOS:
        crossed = " x ".join(map(str, sizes)) + " = " if len(sizes) > 1 else ""
        note_too_many(notes, (SWEEP,), f"{crossed}{spell_number(prod(sizes))} points")
        return []
    return axes


def note_too_many(notes: Notes, path: PathParts, how_many: str) -> None:
    """Says that there is a limit to scenarios."""
    notes.add(path, f"comes to {how_many}: at most {spell_number(MAX_SCENARIOS)} scenarios in one experiment")


def _axis(notes: Notes, key: str, values: Node) -> Axis | None:
    try:
        path = read_path(key)
    except ConfigError as error:
        notes.add((SWEEP, key), error.problems[0].sentence)
        return None
    if path[0] not in SWEPT:
        notes.add((SWEEP, key), _not_swept(str(path[0])))
        return None
    return Axis(key, path, values.items) if isinstance(values, Items) and values.items else None


def _not_swept(key: str) -> str:
    """A sentence on a path that begins with what is no section, or one that is the same for all scenarios."""
    elsewhere = None if key in ExperimentKeys.model_fields else section_of(key)
    if elsewhere and elsewhere.startswith(SWEPT):
        return f"a path begins at the top of the file: write {elsewhere}"
    return f"{quote(key)} cannot differ between scenarios; {nearest(key, SWEPT)}"


def _warn_of_lost_keys(notes: Notes, axis: Axis) -> None:
    """A section that a sweep replaces as a whole may hold keys that its values do not have."""
    section = find(notes.tree, axis.path)
    if not isinstance(section, Section):
        return
    values = [written_out(value) if axis.path[0] == STAKES else value for value in axis.values]
    lost = [
        key for key in section.entries if key not in (PRESET, "name") and not all(child(one, key) for one in values)
    ]
    if lost:
        where = f"{spell_path(axis.path)}{notes.line(axis.path)}"
        notes.warn((SWEEP, axis.key), f"replaces all of {where}, {', '.join(lost)} too where a value does not have it")


def _reaches(change: PathParts, path: PathParts) -> bool:
    """Whether to set `change` is to set `path`, or something that it is in."""
    rest = list(path)
    for part in change:
        if isinstance(part, str):
            while rest and isinstance(rest[0], int):
                rest.pop(0)
        elif not rest or isinstance(rest[0], str):
            continue
        if not rest or rest.pop(0) != part:
            return False
    return True


def points(tree: Node, axes: Sequence[Axis]) -> Iterator[Point]:
    """The file's tree at each point of its sweep, the last axis fastest; of a file without one, a single point.

    A path inside another one is set after it, whatever their order in the file.
    """
    if isinstance(tree, Section):
        tree = Section(tree.place, {key: entry for key, entry in tree.entries.items() if key != SWEEP})
    from_the_top = sorted(range(len(axes)), key=lambda number: len(axes[number].path))
    for at in product(*(range(len(axis.values)) for axis in axes)):
        changed, problems = tree, list[Problem]()
        for number in from_the_top:
            value = axes[number].values[at[number]]
            try:
                changed = set_value(changed, Override(axes[number].path, value, value.place))
            except ConfigError as error:
                problems += [_at_axis(axes[number], problem) for problem in error.problems]
        yield Point(with_stakes_written_out(changed), at, tuple(problems))


def _at_axis(axis: Axis, problem: Problem) -> Problem:
    """A problem of setting a path, told at that path of the sweep."""
    return replace(problem, path=spell_path((SWEEP, axis.key)), sentence=f"{problem.path} {problem.sentence}")


# Names


def labels(axes: Sequence[Axis], point: Point, *, full: bool = False) -> list[str]:
    """What a scenario's name says of its point: 'ante 0.10', 'hero limit 7'; with the `full` paths if need be."""
    found = []
    for axis, number in zip(axes, point.at, strict=True):
        label = f"{axis.key} {written(axis.values[number])}" if full else _label(axis, number, point.tree)
        found += [label] if label else []
    return found


def _label(axis: Axis, number: int, tree: Node) -> str:
    section, *inside = (part for part in axis.path if isinstance(part, str))
    text = _called(axis.values[number], axis.values)
    words = [key.replace("_", " ") for key in inside if key not in ("params", "strategy", "name", "preset")]
    if section == "lineup":
        one_entrant = len(axis.path) > 2 and isinstance(axis.path[1], int)
        whose = _called(find(tree, axis.path[:2])) if one_entrant else ""
        return " ".join([whose, *words, text]).strip() if inside and whose != text else text
    if section == STAKES:
        return " ".join([*words, text]) if inside else ""
    if section in ("rules", "table") or (section == "session" and inside != ["hands"]):
        return " ".join([*words, text])
    return " ".join([section, *words, text])


def _called(value: Node | None, among: Sequence[Node] = ()) -> str:
    """What a value is called: an entrant by its name or strategy, a line-up by its entrants, all else as written.

    Of a mapping among others those keys are named that are not the same in all.
    """
    if isinstance(value, Items):
        return " + ".join(map(_called, value.items))
    if not isinstance(value, Section):
        return "" if value is None else written(value)
    named = child(value, "name") or child(value, "strategy")
    if isinstance(named, Scalar):
        return named.text
    mine = {key: _called(entry.node) for key, entry in value.entries.items()}
    shared = {key for key, text in mine.items() if all(_called(child(one, key)) == text for one in among)}
    told = {key: text for key, text in mine.items() if not among or key not in shared} or mine
    return " ".join(text if key == PRESET else f"{key.replace('_', ' ')} {text}" for key, text in told.items())


# Errors


def attributed(axes: Sequence[Axis], found: Iterable[tuple[Problem, Point]]) -> list[Problem]:
    """Each problem once, with the values of the sweep that lead to it unless it is there at every point."""
    where: dict[tuple[str, str, str], list[tuple[Problem, Point]]] = {}
    for problem, point in found:
        where.setdefault((problem.file, problem.path, problem.sentence), []).append((problem, point))
    told = []
    for cases in where.values():
        problem = cases[0][0]
        at = [{point.at[number] for _, point in cases} for number in range(len(axes))]
        values = [_some_values(axis, numbers, problem.line) for axis, numbers in zip(axes, at, strict=True)]
        which = "; ".join(filter(None, values))
        told.append(replace(problem, sentence=f"{problem.sentence} (sweep: {which})") if which else problem)
    return told


def _some_values(axis: Axis, numbers: set[int], known_line: int | None) -> str:
    """The path and values, and the line of the first, if these are some of an axis' values but not all."""
    if len(numbers) == len(axis.values):
        return ""
    first = axis.values[min(numbers)]
    named = [shorten(written(axis.values[number])) for number in sorted(numbers)]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    line = f", line {first.place.line}" if first.place.line and first.place.line != known_line else ""
    return f"{axis.key} {', '.join(named[:MOST_NAMED])}{more}{line}"


def is_swept(axes: Sequence[Axis], problem_path: str) -> bool:
    """Whether a path, as an error spells it, is one that a sweep sets: what is unusual there is on purpose."""
    try:
        path = read_path(problem_path)
    except ConfigError:
        return False
    return any(_reaches(axis.path, path) for axis in axes)
