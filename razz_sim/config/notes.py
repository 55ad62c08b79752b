"""Reads sections of a tree and collects what is wrong, each with its path, file and line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from razz_sim.config.keys import EITHER, TAGS
from razz_sim.config.model import model_in
from razz_sim.config.points import PathKeys
from razz_sim.config.problem import MEANT, ConfigError, PathParts, Problem, nearest, quote, spell_path
from razz_sim.config.schema import section_in_tournament, section_of
from razz_sim.config.tree import Node, Scalar, Section, find, place_of, plain_data, walk
from razz_sim.config.values import AMOUNTS_AS_TEXT, SENTENCE, describe

T = TypeVar("T")

_EXPECTED = {"dict_type": "a mapping {name: value, ...}", "list_type": "a list, in [ ] or each item after a dash"}


class Shape(Generic[T]):
    """What a section is read as: a type, its validator and the model whose keys it has.

    The validator is built when a section is first read: building all of them would be a tenth of a program's start.
    """

    def __init__(self, kind: Any) -> None:
        self.kind = kind
        self.model = model_in(kind)

    @cached_property
    def adapter(self) -> TypeAdapter[T]:
        """The validator."""
        return TypeAdapter(self.kind)


@dataclass(slots=True)
class Notes:
    """A tree with the problems and warnings found in it so far."""

    tree: Node
    amounts_as_text: bool = False
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def add(self, path: PathParts, sentence: str) -> None:
        """Notes what must be put right."""
        problem = self.problem(path, sentence)
        if problem not in self.problems:
            self.problems.append(problem)

    def warn(self, path: PathParts, sentence: str) -> None:
        """Notes what is unusual."""
        problem = self.problem(path, sentence)
        if problem not in self.warnings:
            self.warnings.append(problem)

    def problem(self, path: PathParts, sentence: str) -> Problem:
        """A sentence, on one line, with its place."""
        place = place_of(self.tree, path)
        return Problem(place.source, place.line, spell_path(path), " ".join(sentence.splitlines()))

    def line(self, path: PathParts) -> str:
        """' (line 12)' for a sentence that speaks of another place, if lines are known."""
        line = place_of(self.tree, path).line
        return f" (line {line})" if line else ""

    def raise_if_any(self) -> None:
        """Raises ConfigError with all problems, in the order of the file."""
        if self.problems:
            raise ConfigError(sorted(self.problems, key=lambda one: (one.line is None, one.line or 0)))

    def note_empty_sections(self) -> None:
        """A key with nothing after it says nothing."""
        for path, node in walk(self.tree):
            if path and isinstance(node, Scalar) and node.value is None:
                self.add(
                    path, f"has no value: write one or leave the {'item' if isinstance(path[-1], int) else 'key'} out"
                )

    def read(self, shape: Shape[T], path: PathParts, default: T | None = None) -> T | None:
        """The section at a path; the default if it is not there; None, its problems noted, if it is wrong."""
        node = find(self.tree, path)
        if node is None:
            return default
        try:
            return shape.adapter.validate_python(plain_data(node), context={AMOUNTS_AS_TEXT: self.amounts_as_text})
        except ValidationError as error:
            self.note_errors(shape, path, error)
            return None

    def note_errors(self, shape: Shape[Any], at: PathParts, error: ValidationError) -> None:
        """Each of pydantic's errors in our words; of several at one place the first."""
        noted = {problem.path for problem in self.problems}
        details: list[tuple[PathParts, dict[str, Any]]] = [
            (tuple(part for part in detail["loc"] if part not in TAGS), dict(detail))
            for detail in error.errors(include_url=False)
        ]
        hints = {
            inside: self._hint(_model_at(shape.model, inside[:-1]), (*at, *inside))
            for inside, detail in details
            if detail["type"] == "extra_forbidden"
        }
        misspelled = {(*inside[:-1], hint[len(MEANT) : -1]) for inside, hint in hints.items() if hint.startswith(MEANT)}
        for inside, detail in details:
            path = (*at, *inside)
            if spell_path(path) not in noted and not (detail["type"] == "missing" and inside in misspelled):
                self.add(path, _sentence(shape.model, inside, detail, hints.get(inside, "")))

    def _hint(self, model: type[BaseModel] | None, path: PathParts) -> str:
        """What an unknown key was meant to be: rather one that is not there than one that is.

        One that is there may be from stakes by name, or be what a change or a sweep is to set.
        """
        known = list(model.model_fields) if model else []
        section = find(self.tree, path[:-1])
        there = section.entries if isinstance(section, Section) else {}
        hint = nearest(str(path[-1]), [key for key in known if key not in there])
        return hint if hint.startswith(MEANT) else nearest(str(path[-1]), known)


def _unknown(key: str, model: type[BaseModel] | None, hint: str) -> str:
    """A sentence on a key that is not known here: what was meant, or where it belongs."""
    fields = model.model_fields if model else {}
    if sentence := getattr(model, "elsewhere", {}).get(key):
        return str(sentence)
    find_section = section_of if "stakes" in fields else section_in_tournament
    if fields.keys() & {"stakes", "levels"} and (elsewhere := find_section(key)):
        return f"{quote(key)} is no key at the top: it belongs in a section, as {elsewhere}"
    if key.isdecimal():
        hint = f"a position in a list is written [{key}]"
    more = "; a strategy's parameters go under params" if "params" in fields and not hint.endswith("?") else ""
    return f"{quote(key)} is no key here; {hint}{more}"


def _sentence(root: type[BaseModel] | None, inside: PathParts, detail: dict[str, Any], hint: str) -> str:
    if detail["type"] == SENTENCE:
        return str(detail["msg"])
    if detail["type"] == EITHER:
        return f"{detail['msg']}, not {describe(detail['input'])}"
    if detail["type"] in ("extra_forbidden", "missing"):
        model = _model_at(root, inside[:-1])
        fields = model.model_fields if model else {}
        key = str(inside[-1])
        if detail["type"] == "missing":
            known = fields.get(key)
            return f"is missing: {(known and known.description) or 'it must be there'}"
        return _unknown(key, model, hint)
    if detail["type"] == "model_type":
        model = _model_at(root, inside)
        keys = [*getattr(model, "model_fields", ()), *["path"] * (model is not None and issubclass(model, PathKeys))]
        return f"must be a mapping {{{', '.join(f'{key}: ...' for key in keys)}}}, not {describe(detail['input'])}"
    if detail["type"] in _EXPECTED:
        return f"must be {_EXPECTED[detail['type']]}, not {describe(detail['input'])}"
    if detail["type"] == "too_short":
        return "has no items: at least one must be there"
    return f"{describe(detail['input'])} is not what belongs here"


def _model_at(root: type[BaseModel] | None, inside: PathParts) -> type[BaseModel] | None:
    model = root
    for part in inside:
        if isinstance(part, str) and model is not None:
            known = model.model_fields.get(part)
            at_paths = model.at_paths if issubclass(model, PathKeys) else None
            model = model_in(known.annotation if known else at_paths)
    return model
