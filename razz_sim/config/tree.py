"""An experiment's keys as a tree that remembers where each part was written and how each number was spelled.

No value passes through a float, and nothing is guessed: a plain scalar is a number in decimal notation,
`true`, `false`, nothing at all, or text. What other readers of YAML take for something else (`yes`, `010`,
`1:30`, `0x1F`) stays text here, and the key that wanted a number or a truth value refuses it with a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, TypeAlias

from razz_sim.config.problem import ConfigError, PathParts, Problem, quote, spell_path

NUMBER = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*(?:_[0-9]+)*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,9})?", re.ASCII)
NOTHING = {"", "~", "null", "Null", "NULL"}


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it was written.

    >>> Number("2_000_000").value, Number("0.20").value, Number("2e6").value
    (Decimal('2000000'), Decimal('0.20'), Decimal('2E+6'))
    """

    text: str

    @property
    def value(self) -> Decimal:
        """The exact value."""
        return Decimal(self.text.replace("_", ""))


_GROUPED = re.compile(r"[-+]?[0-9]{1,3}(?:([,' ])[0-9]{3})(?:\1[0-9]{3})*(\.[0-9]+)?")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+(?:[.' ][0-9]{3})*,[0-9]+")


def number_meant(text: str) -> str | None:
    """How a number with a decimal comma, or with marks between its thousands, is to be written; None for other text.

    >>> number_meant("0,20"), number_meant("2,000,000"), number_meant("1.500,50")
    ('0.20', '2_000_000', '1_500.50')
    """
    if _GROUPED.fullmatch(text) and not re.match(r"[-+]?0", text):
        return re.sub(r"[,' ]", "_", text)
    if _DECIMAL_COMMA.fullmatch(text):
        return re.sub(r"[.' ]", "_", text).replace(",", ".")
    return None


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was written: a file (or a `--set`) and, in a file, the line."""

    source: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value; `plain` when it stands without quotes."""

    place: Place
    text: str
    plain: bool

    @property
    def value(self) -> Number | str | bool | None:
        """What it says."""
        if not self.plain:
            return self.text
        if self.text in NOTHING:
            return None
        if self.text in ("true", "false"):
            return self.text == "true"
        return Number(self.text) if NUMBER.fullmatch(self.text) else self.text


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    place: Place
    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A value and the place of its key."""

    key_place: Place
    node: Node


@dataclass(frozen=True, slots=True)
class Section:
    """A mapping from keys to values, in the order written."""

    place: Place
    entries: Mapping[str, Entry]

    def with_entry(self, key: str, node: Node, *, like: Entry | None = None) -> Section:
        """The section with one value set; the key stays where the entry it is like has it."""
        place = like.key_place if like and like.node.place == node.place else node.place
        return Section(self.place, {**self.entries, key: Entry(place, node)})


Node: TypeAlias = Scalar | Items | Section


def plain_data(node: Node) -> Any:
    """The tree as dictionaries, lists, text, truth values, None and `Number`s, without the places."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Items):
        return [plain_data(item) for item in node.items]
    return {key: plain_data(entry.node) for key, entry in node.entries.items()}


def child(node: Node, part: str | int) -> Node | None:
    """The value under a key or at a list position, if it is there."""
    if isinstance(node, Section) and isinstance(part, str):
        entry = node.entries.get(part)
        return entry.node if entry else None
    if isinstance(node, Items) and isinstance(part, int):
        return node.items[part] if 0 <= part < len(node.items) else None
    return None


def find(node: Node, path: PathParts) -> Node | None:
    """The value at a path, if it is there."""
    found: Node | None = node
    for part in path:
        found = child(found, part) if found is not None else None
    return found


def place_of(node: Node, path: PathParts) -> Place:
    """Where the value at a path was written; for one that is missing, the nearest part around it.

    A key stands for the list or mapping under it: that is the line where a reader looks first.
    """
    place = node.place
    for part in path:
        inside = child(node, part)
        if inside is None:
            break
        place = inside.place
        if isinstance(node, Section) and not isinstance(inside, Scalar):
            place = node.entries[str(part)].key_place
        node = inside
    return place


def walk(node: Node, path: PathParts = ()) -> Iterator[tuple[PathParts, Node]]:
    """Every part of a tree with its path, from the top down."""
    yield path, node
    if isinstance(node, Section):
        for key, entry in node.entries.items():
            yield from walk(entry.node, (*path, key))
    elif isinstance(node, Items):
        for position, item in enumerate(node.items):
            yield from walk(item, (*path, position))


def item_paths(tree: Node, path: PathParts) -> list[PathParts]:
    """The paths of a list's items; none when there is no list."""
    node = find(tree, path)
    return [(*path, position) for position in range(len(node.items))] if isinstance(node, Items) else []


def written(node: Node) -> str:
    """A value as it was written, on one line."""
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Items):
        return f"[{', '.join(map(written, node.items))}]"
    return f"{{{', '.join(f'{key}: {written(entry.node)}' for key, entry in node.entries.items())}}}"


def from_python(data: object, source: str = "", path: PathParts = ()) -> Node:
    """The tree of a dictionary written in Python.

    Floats stand for the shortest decimal that is them: 0.2 is exactly 0.2. Raises ConfigError for what YAML
    does not have.
    """
    try:
        return _from_python(data, Place(source), path)
    except RecursionError:
        raise ConfigError([Problem(source, None, "", "is nested too deeply to be an experiment")]) from None


def _from_python(data: object, place: Place, path: PathParts) -> Node:
    if isinstance(data, Mapping):
        nodes = {str(key): _from_python(value, place, (*path, str(key))) for key, value in data.items()}
        return Section(place, {key: Entry(place, node) for key, node in nodes.items()})
    if isinstance(data, list | tuple):
        return Items(place, tuple(_from_python(item, place, (*path, at)) for at, item in enumerate(data)))
    if data is None:
        return Scalar(place, "", plain=True)
    if isinstance(data, str):
        return Scalar(place, data, plain=False)
    if isinstance(data, bool):
        return Scalar(place, str(data).lower(), plain=True)
    if isinstance(data, Integral):
        return Scalar(place, str(int(data)), plain=True)
    if isinstance(data, Decimal):
        return Scalar(place, str(data), plain=True)
    if isinstance(data, Real):
        return Scalar(place, repr(float(data)), plain=True)
    kind = type(data).__name__
    sentence = f"must be a dictionary, list, text, number or truth value, not {quote(str(data))} ({kind})"
    raise ConfigError([Problem(place.source, None, spell_path(path), sentence)])
