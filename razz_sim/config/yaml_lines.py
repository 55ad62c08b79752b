"""The YAML of an experiment file as a tree, or the line and the sentence that say why it is none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from razz_sim.config.problem import ConfigError, PathParts, Problem, spell_path
from razz_sim.config.tree import Entry, Items, Node, Place, Scalar, Section, number_meant, written

MERGE = "<<"
MOST_NODES = 20_000
"""More than this is no experiment (an alias of aliases of aliases grows without end)."""


@dataclass(slots=True)
class Parsed:
    """A tree, and what was wrong on the way to it (duplicate keys and the like)."""

    tree: Node
    problems: list[Problem] = field(default_factory=list)


def parse_yaml(text: str, source: str, *, with_lines: bool = True, path: PathParts = ()) -> Parsed:
    """The one YAML document in a text.

    Raises ConfigError when it is not YAML, or more than one document. An empty text is a `Scalar` of nothing.
    `path` is where the tree will stand.
    """
    try:
        root = _Composer(text).get_single_node()
        grower = _Grower(source=source, with_lines=with_lines)
        return Parsed(grower.grow(root, path), grower.problems)
    except yaml.MarkedYAMLError as error:
        sentence, mark = _explain(error)
        line = mark.line + 1 if with_lines and mark else None
        raise ConfigError([Problem(source, line, "", sentence)]) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1 if with_lines else None
        sentence = f"character {ord(text[error.position]):#06x} has no business in a text file"
        raise ConfigError([Problem(source, line, "", sentence)]) from None
    except RecursionError:
        raise ConfigError([Problem(source, None, "", "is nested too deeply to be an experiment")]) from None


class _Composer(yaml.BaseLoader):
    """Composes nodes without resolving any value; refuses tags, which would say what a value is."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        tag = getattr(event, "tag", None)
        if tag is not None:
            short = tag.replace("tag:yaml.org,2002:", "!!")
            raise yaml.composer.ComposerError(problem=f"a tag {short}", problem_mark=event.start_mark)
        return super().compose_node(parent, index)


@dataclass(slots=True)
class _Grower:
    """Turns PyYAML's nodes into ours."""

    source: str
    with_lines: bool
    problems: list[Problem] = field(default_factory=list)
    growing: list[int] = field(default_factory=list)
    grown: int = 0

    def grow(self, node: yaml.Node | None, path: PathParts) -> Node:
        if node is None:
            return Scalar(Place(self.source), "", plain=True)
        place = self.place(node)
        self.grown += 1
        if self.grown > MOST_NODES:
            raise self.fatal(place, path, f"holds more than {MOST_NODES} values: this is no experiment")
        if isinstance(node, yaml.ScalarNode):
            return Scalar(place, node.value, plain=node.style is None)
        if id(node) in self.growing:
            raise self.fatal(place, path, "is an anchor that contains its own alias, without end")
        self.growing.append(id(node))
        try:
            if isinstance(node, yaml.MappingNode):
                return self.section(node, path)
            return Items(place, tuple(self.grow(item, (*path, at)) for at, item in enumerate(node.value)))
        finally:
            self.growing.pop()

    def section(self, node: yaml.MappingNode, path: PathParts) -> Section:
        entries: dict[str, Entry] = {}
        merged: dict[str, Entry] = {}
        for key_node, value_node in node.value:
            place = self.place(key_node)
            if not isinstance(key_node, yaml.ScalarNode):
                self.note(place, path, "a key must be a single word, not a list or mapping")
                continue
            key = key_node.value
            if node.flow_style and _ends_a_number(key_node, value_node) and entries:
                self.note_comma(place, path, key, entries)
                continue
            value = self.grow(value_node, (*path, key))
            if key == MERGE and key_node.style is None:
                for found, entry in self.merge(value, place, path).items():
                    merged.setdefault(found, entry)
            elif key in entries:
                first = entries[key].key_place.line
                where = f"on line {first} and again here" if first and self.with_lines else "twice"
                self.note(place, (*path, key), f"is written {where}: one of them must go")
            else:
                entries[key] = Entry(place, value)
        return Section(self.place(node), {**merged, **entries})

    def note_comma(self, place: Place, path: PathParts, end: str, entries: dict[str, Entry]) -> None:
        """What {ante: 0,20} is to YAML: ante, which is 0, and a key 20."""
        before = list(entries)[-1]
        number = f"{written(entries[before].node)},{end}"
        meant = number_meant(number) or "a decimal point, as in 0.20, and thousands as in 2_000_000"
        self.note(place, (*path, before), f"{number} is not a number: write {meant}")

    def merge(self, value: Node, place: Place, path: PathParts) -> dict[str, Entry]:
        """The entries that a merge key brings in; the first of several mappings wins, as YAML has it."""
        found: dict[str, Entry] = {}
        for part in value.items if isinstance(value, Items) else (value,):
            if isinstance(part, Section):
                found = {**part.entries, **found}
            else:
                self.note(place, (*path, MERGE), "merges a mapping or a list of mappings, such as *name")
        return found

    def place(self, node: yaml.Node) -> Place:
        return Place(self.source, node.start_mark.line + 1 if self.with_lines else None)

    def note(self, place: Place, path: PathParts, sentence: str) -> None:
        self.problems.append(Problem(place.source, place.line, spell_path(path), sentence))

    def fatal(self, place: Place, path: PathParts, sentence: str) -> ConfigError:
        self.note(place, path, sentence)
        return ConfigError(self.problems)


def _ends_a_number(key: yaml.Node, value: yaml.Node) -> bool:
    """Whether a key of digits has no value, not even a colon: what stands behind a decimal comma."""
    digits = isinstance(key, yaml.ScalarNode) and key.style is None and re.fullmatch(r"[0-9]+", key.value) is not None
    return digits and value.start_mark.index == value.end_mark.index == key.end_mark.index


_SYNTAX = (
    (r"found character '\\t'", "a tab where YAML wants spaces"),
    (r"but found another document", "a second document begins here (---): one file holds one experiment"),
    (r"^a tag (.*)", r"\1 is a tag; write the value alone"),
    (
        r"mapping values are not allowed here",
        "a colon where none can be: a key indented otherwise than its neighbours, the line above without a "
        "colon, no space after one, or text with ': ' in it that needs quotes",
    ),
    (r"found undefined alias '(.*)'", r"*\1 is an alias of nothing: no &\1 stands above it"),
    (r"found duplicate anchor '(.*)'.*", r"&\1 is defined twice"),
    (r"expected <block end>.*", "indented otherwise than its neighbours, or a bracket too many"),
    (r"sequence entries are not allowed here", "a list item where none can be: a dash begins a line under its key"),
    (
        r"expected '<document start>'",
        "stands outside of everything above: a bracket too many, or indented less than its like",
    ),
    (r"expected the node content", "a value is missing before this: a comma, colon or bracket too many"),
    (r"found character '(.)' that cannot start any token", r"text that begins with \1 needs quotes"),
)
_BEGINNING = (
    (r"could not find expected ':'", "a key without a colon, or without a space after it"),
    (r"expected ',' or '\]'.*", "a list in [ ] that begins here is not closed, or lacks a comma"),
    (
        r"expected ',' or '\}'.*",
        "a mapping in { } that begins here is not closed, lacks a comma, or has a key with [ ] that needs quotes",
    ),
    (r"found unexpected end of stream", "a quote that is opened here and never closed"),
)
"""Mistakes that show later than where they were made: PyYAML's context is the better line."""


def _explain(error: yaml.MarkedYAMLError) -> tuple[str, yaml.Mark | None]:
    """What is wrong with the YAML, and where."""
    said = " ".join(part for part in (error.context, error.problem) if part)
    here = error.problem_mark or error.context_mark
    for known, mark in ((_SYNTAX, here), (_BEGINNING, error.context_mark or here)):
        for pattern, sentence in known:
            found = re.search(pattern, said)
            if found:
                return found.expand(sentence), mark
    return f"is not YAML here: {said}", here
