"""Random points: values of paths drawn from ranges and lists by an experiment's seed, no point twice.

    ranges = read_ranges(notes, (SWEEP, SAMPLES), but=("count",))
    points = draw(ranges, count=20, seed=7)         # each a value for each of the ranges

What is drawn depends on the seed, the stream and the sizes of the ranges only; more points begin with those of fewer.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import prod

from razz_sim.config.axis import swept_path
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.points import RangeChoice, RangeKeys
from razz_sim.config.problem import PathParts
from razz_sim.config.tree import Items, Node, Place, Scalar, Section, find
from razz_sim.config.values import MOST_DECIMALS
from razz_sim.seeding import choice_below

_RANGE: Shape[RangeKeys | list[object]] = Shape(RangeChoice)


@dataclass(frozen=True, slots=True)
class Evenly:
    """So many numbers from `low` on, `step` apart, exact, written with so many decimals."""

    place: Place
    low: Decimal
    step: Decimal
    size: int
    decimals: int

    def value(self, number: int) -> Node:
        """A value by its number from 0."""
        return Scalar(self.place, f"{self.low + number * self.step:.{self.decimals}f}", plain=True)


@dataclass(frozen=True, slots=True)
class Listed:
    """Values as they were listed."""

    values: tuple[Node, ...]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.values)

    def value(self, number: int) -> Node:
        """A value by its number from 0."""
        return self.values[number]


@dataclass(frozen=True, slots=True)
class Range:
    """A path, as written and in parts, and all values that it may take, each as likely."""

    key: str
    path: PathParts
    values: Evenly | Listed


def read_ranges(notes: Notes, at: PathParts, but: Collection[str] = ()) -> list[Range]:
    """The paths of the section at `at` with their ranges or lists, all keys `but` these; what is wrong is noted."""
    section = find(notes.tree, at)
    found = []
    for key in section.entries if isinstance(section, Section) else ():
        if key not in but:
            path, values = swept_path(notes, (*at, key), but), _values(notes, (*at, key))
            found += [Range(key, path, values)] if path is not None and values is not None else []
    return found


def points_in(ranges: Sequence[Range]) -> int:
    """How many points there are to draw from."""
    return prod(one.values.size for one in ranges)


def draw(ranges: Sequence[Range], count: int, seed: int, stream: int = 0) -> list[tuple[Node, ...]]:
    """So many points drawn without repetition, each with a value for each range; ValueError if there are not as many.

    Fisher and Yates' shuffle, as far as it is needed, of all points, of which only those that were moved are kept.
    """
    size = points_in(ranges)
    if count > size:
        raise ValueError(f"{count} points cannot be drawn from {size}")
    moved: dict[int, int] = {}
    points = []
    for index in range(count):
        other = index + choice_below(seed, stream, index, size - index)
        number = moved.get(other, other)
        moved[other] = moved.get(index, index)
        values = []
        for one in reversed(ranges):
            number, place = divmod(number, one.values.size)
            values.append(one.values.value(place))
        points.append(tuple(reversed(values)))
    return points


def _values(notes: Notes, at: PathParts) -> Evenly | Listed | None:
    """All values of the range or list at `at`."""
    given, node = notes.read(_RANGE, at), find(notes.tree, at)
    if isinstance(given, RangeKeys) and node is not None:
        return _evenly(notes, at, given, node.place)
    return Listed(node.items) if given and isinstance(node, Items) else None


def _evenly(notes: Notes, at: PathParts, given: RangeKeys, place: Place) -> Evenly | None:
    low, high = given.low, given.high
    if low > high:
        notes.add((*at, "low"), f"{low:f} must not be above high {high:f}")
        return None
    decimals = max(_decimals(one) for one in (low, high, given.step) if one is not None)
    step = Decimal(1).scaleb(-decimals) if given.step is None else given.step
    steps, rest = divmod(high - low, step)
    if rest:
        near = [low + step * count for count in (steps, steps + 1)]
        ends = " or ".join(f"{end:.{decimals}f}" for end in near)
        notes.add((*at, "step"), f"{step:f} does not lead from low {low:f} to high {high:f}, but to {ends}")
        return None
    return Evenly(place, low, step, int(steps) + 1, decimals)


def _decimals(value: Decimal) -> int:
    """The decimals that a number was written with, as far as amounts have them."""
    return min(MOST_DECIMALS, max(0, -int(value.as_tuple().exponent)))
