"""The baseline of a sweep: which setting each of its settings is compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from razz_sim.config.axis import Axis, swept_path
from razz_sim.config.notes import Notes
from razz_sim.config.overrides import BASELINE, CASES, SWEEP
from razz_sim.config.problem import nearest, quote, shorten
from razz_sim.config.tree import NUMBER, Items, Node, Scalar, Section, find, written

MOST_NAMED = 12
"""A sentence lists so many points or values."""
_AT = (SWEEP, BASELINE)


@dataclass(frozen=True, slots=True)
class BaselineReader:
    """Reads `sweep.baseline` for settings by their places (position of their stakes, steps of the axes) and names."""

    notes: Notes
    axes: Sequence[Axis]
    places: Sequence[tuple[int, tuple[int | None, ...]]]
    names: Sequence[str]

    def numbers(self) -> list[int]:
        """For each setting the number, from 1, of that which it is compared with; 0 for none, or for itself.

        What is wrong is noted.
        """
        given = find(self.notes.tree, _AT)
        if given is None:
            return [0] * len(self.places)
        if isinstance(given, Section):
            fixed = self._fixed(given)
            numbers = {place: number for number, place in enumerate(self.places, start=1)}
            found = [numbers.get((position, _moved(steps, fixed)), 0) for position, steps in self.places]
        else:
            found = [self._named(written(given))] * len(self.places)
        return [0 if number == own else number for own, number in enumerate(found, start=1)]

    def _named(self, name: str) -> int:
        """The number of the setting with a name."""
        if self.names.count(name) == 1:
            return self.names.index(name) + 1
        if name in self.names:
            same = f"{self.names.count(name)} points are named {quote(name)}"
            self.notes.add(_AT, f"{same}: say which by its values, as a mapping")
        else:
            near = nearest(name, self.names)
            meant = near if near.endswith("?") else f"points are named {_some(self.names)}"
            self.notes.add(_AT, f"{quote(name)} is no point of the sweep; {meant}")
        return 0

    def _fixed(self, given: Section) -> Mapping[int, int]:
        """The steps of those axes whose paths are given."""
        fixed: dict[int, set[int]] = {}
        for key, entry in given.entries.items():
            axis, steps = self._steps(key, entry.node)
            if steps:
                together = fixed.get(axis, steps) & steps
                if not together:
                    where = f"no step of {self.axes[axis].key} has this value and those before it"
                    self.notes.add((*_AT, key), f"{shorten(written(entry.node))} is on its own: {where}")
                fixed[axis] = together or steps
        for axis, steps in fixed.items():
            if len(steps) > 1:
                several = _some([self.axes[axis].told(step) for step in sorted(steps)])
                sentence = f"fits {len(steps)} steps of {self.axes[axis].key}: {several}; name more of its values"
                self.notes.add(_AT, sentence)
        return {axis: min(steps) for axis, steps in fixed.items()}

    def _steps(self, key: str, value: Node) -> tuple[int, set[int]]:
        """The axis that a key is about, and its steps with this value; noted if there are none."""
        at = (*_AT, key)
        if key == CASES:
            number, names = next(
                ((number, axis.names) for number, axis in enumerate(self.axes) if axis.key == CASES), (0, ())
            )
            steps = {step for step, name in enumerate(names) if name and name == written(value)}
            if not steps:
                known = nearest(written(value), filter(None, names)) if any(names) else "none has a name"
                self.notes.add(at, f"{quote(written(value))} is the name of no case; {known}")
            return number, steps
        if (path := swept_path(self.notes, at, (CASES,))) is None:
            return 0, set()
        tracks = [(number, track) for number, axis in enumerate(self.axes) for track in axis.tracks]
        found = next(((number, track) for number, track in tracks if track.path == path), None)
        if found is None:
            swept = [track.key for _, track in tracks]
            what = nearest(key, swept) if swept else f"write its values into the sweep, as in {key}: [...]"
            self.notes.add(at, f"is not swept; {what}")
            return 0, set()
        number, track = found
        in_file = find(self.notes.tree, path)
        values = [in_file if one is None else one for one in track.values]
        steps = {step for step, one in enumerate(values) if one is not None and _meant(one) == _meant(value)}
        if not steps:
            known = _some(list(dict.fromkeys(written(one) for one in values if one is not None)))
            self.notes.add(at, f"{shorten(written(value))} is none of its values: {known}")
        return number, steps


def _moved(steps: Sequence[int | None], fixed: Mapping[int, int]) -> tuple[int | None, ...]:
    """Steps with those in their place that are fixed, on axes that matter here."""
    return tuple(step if step is None else fixed.get(axis, step) for axis, step in enumerate(steps))


def _some(texts: Sequence[str]) -> str:
    """The first of many texts."""
    return "; ".join([*map(shorten, texts[:MOST_NAMED]), *["..."] * (len(texts) > MOST_NAMED)])


def _meant(node: Node) -> object:
    """What a value means, however it is written: 0.1 and 0.10 are the same."""
    if isinstance(node, Scalar):
        is_number = NUMBER.fullmatch(node.text) is not None
        return Decimal(node.text.replace("_", "")) if is_number else node.text
    if isinstance(node, Items):
        return tuple(map(_meant, node.items))
    return {key: _meant(entry.node) for key, entry in node.entries.items()}
