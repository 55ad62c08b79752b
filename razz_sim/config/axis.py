"""What a sweep goes through: axes, each of one path or of several that are set together, step by step."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from razz_sim.config.keys import SWEPT
from razz_sim.config.model import ExperimentKeys
from razz_sim.config.notes import Notes
from razz_sim.config.overrides import CASES, OVER, SEARCH, SWEEP, ZIP, read_path
from razz_sim.config.points import SweepKeys
from razz_sim.config.problem import ConfigError, PathParts, nearest, quote, spell_path
from razz_sim.config.real_stakes import STAKES
from razz_sim.config.schema import section_of
from razz_sim.config.tree import Items, Node, Scalar, Section, find, written

NAME = "name"
"""The key of a case that is no path."""
_Columns: TypeAlias = Mapping[str, Sequence[Node | None]]
"""Values by path as written, one for each step; None where a case leaves the path alone."""


@dataclass(frozen=True, slots=True)
class Track:
    """A path, as written and in parts, and its value at each step of an axis; None where a case leaves it alone."""

    key: str
    path: PathParts
    values: tuple[Node | None, ...]

    @property
    def given(self) -> tuple[Node, ...]:
        """The values that there are."""
        return tuple(value for value in self.values if value is not None)

    def concerns(self, position: int) -> bool:
        """Whether it matters for the stakes at a position of their list: not if it is about others there."""
        here = self.path[1] if len(self.path) > 1 else position
        return self.path[0] != STAKES or isinstance(here, str) or here == position


@dataclass(frozen=True, slots=True)
class Axis:
    """Paths that are set together, at each step to other values; `names` holds the name of each step, or nothing.

    `key` is where it stands in the sweep: its path, if it has one only, or `zip`, `cases` or `samples`; the points of a
    search are an axis too, which is alone.
    """

    key: str
    tracks: tuple[Track, ...]
    names: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many steps it has."""
        return len(self.names)

    def concerns(self, position: int) -> bool:
        """Whether it matters for the stakes at a position of their list."""
        return not self.tracks or any(track.concerns(position) for track in self.tracks)

    def place(self, step: int, key: str = "") -> PathParts:
        """Where in the file a step stands, or its value of the path `key`."""
        where: PathParts = (SWEEP, self.key, step) if self.key == CASES else (SWEEP, self.key)
        where = (SEARCH, OVER) if self.key == SEARCH else where
        return (*where, key) if key not in ("", self.key) else where

    def item(self, step: int) -> PathParts:
        """Where in the file a step stands, in its list if it has one path only."""
        return (*self.place(step), step) if self._is_one_path else self.place(step)

    def told(self, step: int) -> str:
        """A step as written: its value, '{stack: 10, stakes.ante: 0.1}', or 'cases[1] tight game'."""
        if self.key == CASES:
            return f"{CASES}[{step}] {self.names[step]}".strip()
        values = {key: written(value) for key, value in self.at(step).items()}
        if self._is_one_path:
            return values[self.key]
        return f"{{{', '.join(f'{key}: {value}' for key, value in values.items())}}}"

    def at(self, step: int) -> dict[str, Node]:
        """What a step sets, by path as written."""
        found = {track.key: track.values[step] for track in self.tracks}
        return {key: value for key, value in found.items() if value is not None}

    def about(self, position: int) -> Axis:
        """The axis with those of its paths only that matter for the stakes at a position of their list."""
        return replace(self, tracks=tuple(track for track in self.tracks if track.concerns(position)))

    def line(self, step: int) -> int | None:
        """The line of a step's first value, if it is known."""
        values = list(self.at(step).values())
        return values[0].place.line if values else None

    @property
    def _is_one_path(self) -> bool:
        return [track.key for track in self.tracks] == [self.key]


def grid_axis(notes: Notes, key: str) -> Axis | None:
    """The axis of a path with a list of values; what is wrong with the path is noted."""
    path, values = swept_path(notes, (SWEEP, key), list(SweepKeys.model_fields)), find(notes.tree, (SWEEP, key))
    if path is None or not isinstance(values, Items) or not values.items:
        return None
    return Axis(key, (Track(key, path, values.items),), ("",) * len(values.items))


def zip_axis(notes: Notes) -> Axis | None:
    """The axis of paths whose lists of values are gone through in step; lists of other lengths are noted."""
    section = find(notes.tree, (SWEEP, ZIP))
    if not isinstance(section, Section):
        return None
    lists = {key: entry.node.items for key, entry in section.entries.items() if isinstance(entry.node, Items)}
    if not lists:
        if not section.entries:
            notes.add((SWEEP, ZIP), "has no paths: write lists of one length, as in {stakes.ante: [0.1, 0.2], ...}")
        return None
    first, size = next(iter(lists)), len(next(iter(lists.values())))
    uneven = [key for key, values in lists.items() if len(values) != size]
    for key in uneven:
        here, there = len(lists[key]), f"{first}{notes.line((SWEEP, ZIP, first))} has {size}"
        notes.add((SWEEP, ZIP, key), f"has {here} value{'s' * (here > 1)} and {there}: these lists go in step")
    tracks = _tracks(notes, lists, dict.fromkeys(lists, (SWEEP, ZIP)))
    return Axis(ZIP, tracks, ("",) * size) if not uneven else None


def cases_axis(notes: Notes) -> Axis | None:
    """The axis of points that are written out, with names if wanted; what is wrong with names and paths is noted."""
    section = find(notes.tree, (SWEEP, CASES))
    if not isinstance(section, Items):
        return None
    cases = [case.entries if isinstance(case, Section) else {} for case in section.items]
    names = [entry.node.text if (entry := case.get(NAME)) and isinstance(entry.node, Scalar) else "" for case in cases]
    first: dict[str, int] = {}
    for step, (case, name) in enumerate(zip(cases, names, strict=True)):
        if not case and isinstance(section.items[step], Section):
            notes.add((SWEEP, CASES, step), "sets nothing: set a path, or give it a name, as in {name: as it is}")
        if name and first.setdefault(name, step) != step:
            other = (SWEEP, CASES, first[name])
            there = f"{spell_path(other)}{notes.line(other)}"
            notes.add((SWEEP, CASES, step, NAME), f"{name!r} is the name of {there} too: cases need names of their own")
    keys = dict.fromkeys(key for case in cases for key in case if key != NAME)
    columns = {key: [entry.node if (entry := case.get(key)) else None for case in cases] for key in keys}
    owners: dict[str, PathParts] = {
        key: (SWEEP, CASES, next(step for step, case in enumerate(cases) if key in case)) for key in keys
    }
    return Axis(CASES, _tracks(notes, columns, owners, (NAME,)), tuple(names))


def _tracks(
    notes: Notes, columns: _Columns, where: Mapping[str, PathParts], others: Collection[str] = ()
) -> tuple[Track, ...]:
    """A track for each path; what is wrong with paths is noted where each stands first."""
    paths = {key: swept_path(notes, (*where[key], key), others) for key in columns}
    return tuple(Track(key, path, tuple(columns[key])) for key, path in paths.items() if path is not None)


def refuse_shared_paths(notes: Notes, axes: Sequence[Axis]) -> None:
    """Notes paths that two axes set, or one by two spellings."""
    owners: dict[PathParts, PathParts] = {}
    for axis in axes:
        for track in axis.tracks:
            step = next(step for step, value in enumerate(track.values) if value is not None)
            place = axis.place(step, track.key)
            owner = owners.setdefault(track.path, place)
            if owner is not place:
                there = f"{spell_path(owner)}{notes.line(owner)}"
                notes.add(place, f"is set by {there} too: a path has one place in a sweep")


def swept_path(notes: Notes, at: PathParts, others: Collection[str] = ()) -> PathParts | None:
    """The path that the last part of `at` spells, which scenarios can differ in; None with a note if it is none.

    `others` are the keys that may stand beside paths there.
    """
    key = str(at[-1])
    try:
        path = read_path(key)
    except ConfigError as error:
        notes.add(at, error.problems[0].sentence)
        return None
    if path[0] not in SWEPT:
        notes.add(at, _not_swept(str(path[0]), (*SWEPT, *others)))
        return None
    return path


def _not_swept(key: str, known: Sequence[str]) -> str:
    """A sentence on a path that begins with what is no section, or one that is the same for all scenarios."""
    elsewhere = None if key in ExperimentKeys.model_fields else section_of(key)
    if elsewhere and elsewhere.startswith(SWEPT):
        return f"a path begins at the top of the file: write {elsewhere}"
    return f"{quote(key)} cannot differ between scenarios; {nearest(key, known)}"
