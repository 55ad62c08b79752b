"""Sweeps: axes crossed to the points of an experiment; their names, and errors about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from razz_sim.config.axis import Axis, Track, cases_axis, grid_axis, refuse_shared_paths, zip_axis
from razz_sim.config.keys import MAX_SCENARIOS, TOURNAMENT_KEYS
from razz_sim.config.levels import LEVELS, STRUCTURE
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.overrides import BASELINE, CASES, OVER, SAMPLES, SEARCH, SWEEP, ZIP, Override, read_path, set_value
from razz_sim.config.points import SearchKeys, SweepKeys
from razz_sim.config.prizes import PAYOUTS
from razz_sim.config.problem import ConfigError, PathParts, Problem, shorten, spell_number, spell_path
from razz_sim.config.real_stakes import PRESET, STAKES, with_stakes_written_out, written_out
from razz_sim.config.samples import Range, draw, points_in, read_ranges
from razz_sim.config.tree import Items, Node, Scalar, Section, child, find, written

MOST_NAMED = 3
"""An error that several values of a path lead to names so many of them."""
COUNT = "count"
"""The key of samples that is no path."""
POINTS = "points"
"""The key of a search that says how many points it draws."""
_SWEEP: Shape[SweepKeys] = Shape(SweepKeys)
_SEARCH: Shape[SearchKeys] = Shape(SearchKeys)


@dataclass(frozen=True, slots=True)
class Point:
    """A file's tree with one value on each path of the sweep; `at` says which step of each axis.

    With `problems` when a value fits nowhere in the file.
    """

    tree: Node
    at: tuple[int, ...]
    problems: tuple[Problem, ...] = ()


def read_axes(notes: Notes, changes: Sequence[Override], seed: int) -> list[Axis]:
    """The axes of a file's sweep, samples drawn by the seed; mistakes, and `changes` that it would undo, are noted."""
    section = find(notes.tree, (SWEEP,))
    keys = notes.read(_SWEEP, (SWEEP,))
    count = keys.samples.count if keys is not None and keys.samples is not None else None
    swept = [key for key in section.entries if key != BASELINE] if isinstance(section, Section) else []
    found = [_axis(notes, key, seed, count) for key in swept]
    if find(notes.tree, (SEARCH,)) is not None:
        found.append(_search_axis(notes, seed))
        if section is not None:
            notes.add((SWEEP,), "cannot be with search, whose points are scenarios too: leave one of them out")
    axes = [axis for axis in found if axis is not None]
    refuse_shared_paths(notes, axes)
    for axis in axes:
        for track in axis.tracks:
            _warn_of_lost_keys(notes, axis, track)
            _refuse_changes(notes, axis, track, changes)
    sizes = [axis.size for axis in axes]
    if prod(sizes) > MAX_SCENARIOS:
        crossed = " x ".join(map(str, sizes)) + " = " if len(sizes) > 1 else ""
        note_too_many(notes, (SWEEP,), f"{crossed}{spell_number(prod(sizes))} points")
        return []
    return axes


def note_too_many(notes: Notes, path: PathParts, how_many: str) -> None:
    """Says that there is a limit to scenarios."""
    notes.add(path, f"comes to {how_many}: at most {spell_number(MAX_SCENARIOS)} scenarios in one experiment")


def _axis(notes: Notes, key: str, seed: int, count: int | None) -> Axis | None:
    """The axis of a key of the sweep; `count` is how many samples to draw."""
    if key == ZIP:
        return zip_axis(notes)
    if key == CASES:
        return cases_axis(notes)
    return _samples_axis(notes, seed, count) if key == SAMPLES else grid_axis(notes, key)


def _samples_axis(notes: Notes, seed: int, count: int | None) -> Axis | None:
    """The axis of points drawn at random; more than there are is noted."""
    before = len(notes.problems)
    ranges = read_ranges(notes, (SWEEP, SAMPLES), but=(COUNT,))
    if count is None or len(notes.problems) > before:
        return None
    if not ranges:
        notes.add((SWEEP, SAMPLES), "has no paths: write ranges, as in {count: 20, stakes.ante: {low: 0.1, high: 0.6}}")
        return None
    return _drawn(notes, SAMPLES, (SWEEP, SAMPLES, COUNT), ranges, count, seed)


def _search_axis(notes: Notes, seed: int) -> Axis | None:
    """The axis of a search's points."""
    before = len(notes.problems)
    keys = notes.read(_SEARCH, (SEARCH,))
    ranges = read_ranges(notes, (SEARCH, OVER))
    if keys is None or len(notes.problems) > before:
        return None
    if not ranges:
        notes.add((SEARCH, OVER), "has no paths: write ranges, as in {stack: {low: 20, high: 100}}")
        return None
    return _drawn(notes, SEARCH, (SEARCH, POINTS), ranges, keys.points, seed, stream=1)


def _drawn(
    notes: Notes, key: str, counted: PathParts, ranges: Sequence[Range], count: int, seed: int, stream: int = 0
) -> Axis | None:
    """The axis of so many points of these ranges, which the key at `counted` asks for."""
    if count > points_in(ranges):
        there = f"the ranges have {spell_number(points_in(ranges))} points, and none is drawn twice"
        notes.add(counted, f"{spell_number(count)} cannot be drawn: {there}")
        return None
    columns = zip(ranges, zip(*draw(ranges, count, seed, stream), strict=True), strict=True)
    return Axis(key, tuple(Track(one.key, one.path, values) for one, values in columns), ("",) * count)


def _refuse_changes(notes: Notes, axis: Axis, track: Track, changes: Sequence[Override]) -> None:
    """Notes changes that each step of an axis would undo."""
    for change in changes:
        if None not in track.values and _reaches(track.path, change.path):
            where = (SWEEP, CASES) if axis.key == CASES else axis.place(0, track.key)
            values = "{low: ..., high: ...}" if axis.key in (SAMPLES, SEARCH) else "[...]"
            sentence = f"is swept{notes.line(where)}: choose its values with --set '{spell_path(where)}={values}'"
            notes.problems.append(Problem(change.place.source, None, spell_path(change.path), sentence))


def _warn_of_lost_keys(notes: Notes, axis: Axis, track: Track) -> None:
    """A section that a sweep replaces as a whole may hold keys that its values do not have."""
    section = find(notes.tree, track.path)
    if not isinstance(section, Section):
        return
    values = [written_out(value) if track.path[0] == STAKES else value for value in track.given]
    kept = section.entries if track.path == (PAYOUTS,) else (PRESET, "name", STRUCTURE)
    lost = [key for key in section.entries if key not in kept and not all(child(one, key) for one in values)]
    if lost:
        where = f"{spell_path(track.path)}{notes.line(track.path)}"
        first = next(step for step, value in enumerate(track.values) if value is not None)
        sentence = f"replaces all of {where}, {', '.join(lost)} too where a value does not have it"
        notes.warn(axis.place(first, track.key), sentence)


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
    tracks = [(number, track) for number, axis in enumerate(axes) for track in axis.tracks]
    from_the_top = sorted(tracks, key=lambda numbered: len(numbered[1].path))
    for at in product(*(range(axis.size) for axis in axes)):
        changed, problems = tree, list[Problem]()
        for number, track in from_the_top:
            value = track.values[at[number]]
            if value is None:
                continue
            try:
                changed = set_value(changed, Override(track.path, value, value.place))
            except ConfigError as error:
                where = spell_path(axes[number].place(at[number], track.key))
                problems += [replace(one, path=where, sentence=f"{one.path} {one.sentence}") for one in error.problems]
        yield Point(with_stakes_written_out(changed), at, tuple(problems))


# Names


def labels(axes: Sequence[Axis], point: Point, *, full: bool = False) -> list[str]:
    """What a scenario's name says of its point: 'ante 0.10', 'hero limit 7'; with the `full` paths if need be.

    Of a case with a name, that.
    """
    found = []
    for axis, step in zip(axes, point.at, strict=True):
        if axis.names[step]:
            found.append(axis.names[step])
        elif full:
            found += [f"{key} {written(value)}" for key, value in axis.at(step).items()]
        else:
            found += [_label(track, value, point.tree) for track in axis.tracks if (value := track.values[step])]
    return [label for label in found if label]


def _label(track: Track, value: Node, tree: Node) -> str:
    section, *inside = (part for part in track.path if isinstance(part, str))
    text = _called(value, track.given if isinstance(value, Section) else ())
    words = [key.replace("_", " ") for key in inside if key not in ("params", "strategy", "name", "preset")]
    if section == "lineup":
        one_entrant = len(track.path) > 2 and isinstance(track.path[1], int)
        whose = _called(find(tree, track.path[:2])) if one_entrant else ""
        return " ".join([whose, *words, text]).strip() if inside and whose != text else text
    if section == STAKES:
        return " ".join([*words, text]) if inside else ""
    if section in TOURNAMENT_KEYS:
        return _tournament_label(section, inside, value, text)
    if section in ("rules", "table") or (section == "session" and inside != ["hands"]):
        return " ".join([*words, text])
    return " ".join([section, *words, text])


def _tournament_label(section: str, inside: Sequence[str], value: Node, text: str) -> str:
    """The same of what only tournaments have: a structure is in the name already, lists are not told in full."""
    if section == LEVELS:
        if inside == [STRUCTURE] or (not inside and isinstance(value, Scalar)):
            return ""
        if isinstance(value, Items):
            return f"{len(value.items)} levels"
        told = [key for key in inside if key != STRUCTURE]
    else:
        told = [section, *inside] if section != PAYOUTS else list(inside)
    if section == PAYOUTS:
        text = _prizes(value)
    return " ".join([*(key.replace("_", " ") for key in told), text]).strip()


def _prizes(value: Node) -> str:
    """Payouts in a word: top15, 50/30/20, 30/20/14/... of 8, seats 5."""
    if isinstance(value, Items):
        first = "/".join(written(one) for one in value.items[:MOST_NAMED])
        return first if len(value.items) <= MOST_NAMED else f"{first}/... of {len(value.items)}"
    if isinstance(value, Section):
        return " ".join(f"{key.replace('_', ' ')} {_prizes(entry.node)}" for key, entry in value.entries.items())
    return written(value)


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
    """The key and steps, and the line of the first, if these are some of an axis' steps but not all."""
    if len(numbers) == axis.size:
        return ""
    named = [shorten(axis.told(number)) for number in sorted(numbers)]
    more = f" and {len(named) - MOST_NAMED} more" if len(named) > MOST_NAMED else ""
    first = axis.line(min(numbers))
    line = f", line {first}" if first and first != known_line else ""
    key = "" if axis.key == CASES else f"{axis.key} "
    return f"{key}{', '.join(named[:MOST_NAMED])}{more}{line}"


def is_swept(axes: Sequence[Axis], problem_path: str) -> bool:
    """Whether a path, as an error spells it, is one that a sweep sets: what is unusual there is on purpose."""
    try:
        path = read_path(problem_path)
    except ConfigError:
        return False
    return any(_reaches(track.path, path) for axis in axes for track in axis.tracks)
