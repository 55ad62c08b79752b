"""How a strategy is declared: a function or class under `@strategy`, its parameters with type, range and meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from razz_sim.rules import spell, spell_values
from razz_sim.strategy.hooks import ASKED, nearly

MAX_MEMORY = 4096
"""Floats of memory that one copy of a strategy may have."""

LEAST_ANSWER = -(2**62)
"""What is below it stands for something else than an answer. It is no legal answer, as none below 0 is."""

ParameterKind = Literal["int", "float", "bool"]


class StrategyError(ValueError):
    """A strategy that cannot be found, loaded or compiled, or a parameter it does not take."""


class NoSuchStrategy(StrategyError):
    """A spec that names no strategy: no such file, module or name, or more than one."""


def said(error: BaseException) -> str:
    """What a strategy's exception says; its text may fail too."""
    try:
        return str(error)
    except BaseException as other:
        return f"(its text cannot be had: {type(other).__name__})"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter as a strategy declares it: values outside low .. high are refused before anything runs."""

    name: str
    kind: ParameterKind
    default: float
    low: float
    high: float
    meaning: str

    def __post_init__(self) -> None:
        numbers = self.default, self.low, self.high
        if self.kind == "int" and not all(_is_number(one, whole=True) and abs(one) < 2**63 for one in numbers):
            raise ValueError(f"{self.name}: whole() takes whole numbers of 64 bits, not {spell_values(numbers)}")
        if self.kind == "float" and not all(_is_number(one, whole=False) for one in numbers):
            raise ValueError(f"{self.name}: real() takes numbers, not {spell_values(numbers)}")
        if not self.low <= self.default <= self.high:
            raise ValueError(f"{self.name}: default {self.default} is not from {self.low} to {self.high}")

    def check(self, value: object) -> float:
        """The value in its kind; StrategyError when it is none or out of range."""
        wanted = {"int": "a whole number", "float": "a number", "bool": "true or false"}[self.kind]
        fits = isinstance(value, bool) if self.kind == "bool" else _is_number(value, whole=self.kind == "int")
        if not fits:
            raise StrategyError(f"{_as_written(value)} is not {wanted}")
        number = float(value) if self.kind == "float" else value  # type: ignore[arg-type]
        if not self.low <= number <= self.high:  # type: ignore[operator]
            raise StrategyError(f"{value} is not from {self.low:g} to {self.high:g}")
        return number  # type: ignore[return-value]


def _as_written(value: object) -> str:
    """A value as YAML writes it."""
    return spell(value) if isinstance(value, bool) else "null" if value is None else repr(value)


def _is_number(value: object, *, whole: bool) -> bool:
    return not isinstance(value, bool) and isinstance(value, int if whole else (int, float))


@dataclass(frozen=True, slots=True)
class _Undeclared:
    kind: ParameterKind
    default: float
    low: float
    high: float
    meaning: str


def whole(default: int, low: int, high: int, meaning: str) -> Any:
    """Declare a whole-number parameter."""
    return _Undeclared("int", default, low, high, meaning)


def real(default: float, low: float, high: float, meaning: str) -> Any:
    """Declare a parameter with fractions."""
    return _Undeclared("float", default, low, high, meaning)


def switch(default: bool, meaning: str) -> Any:
    """Declare a parameter that is true or false."""
    return _Undeclared("bool", default, 0, 1, meaning)


Kind = Literal["compiled", "python", "array"]
"""A function that is compiled; a class whose `act` is asked by the decision; one whose `act_batch` is asked in rows."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What `@strategy` notes on a function or class. `observe` is a compiled strategy's function of that purpose."""

    kind: Kind
    parameters: tuple[Parameter, ...]
    memory: int
    observe: Callable[..., None] | None = None


def strategy(
    body: Callable[..., Any] | None = None,
    *,
    memory: int = 0,
    observe: Callable[..., None] | None = None,
    **parameters: Any,
) -> Any:
    """Make a function or class a strategy, bare or with parameters: `@strategy(limit=whole(8, 3, 13, "highest rank"))`.

    - a function `(view, params, memory, u) -> answer` is compiled. `memory` asks for so many floats for each copy, zero
      at the start of each block; `observe` names a function `(outcome, params, memory)` that is told how hands ended.
    - a class with `act(self, view, u) -> answer` is played in Python: a new instance for each copy and block, which
      finds its parameters in `self.params`; `observe(self, outcome)` is told how hands ended, where there is one.
    - a class with `act_batch(self, views, memory, u) -> answers` is asked for many tables at once: structured arrays of
      views, rows of memory, an array of random words. Its one instance keeps nothing between calls but what `memory`
      holds; `observe_batch(self, outcomes, memory)` is told how hands ended.
    """
    declared = []
    for name, parameter in parameters.items():
        if not isinstance(parameter, _Undeclared):
            raise TypeError(f"parameter {name} must be declared by whole(), real() or switch()")
        declared.append(
            Parameter(name, parameter.kind, parameter.default, parameter.low, parameter.high, parameter.meaning)
        )
    if not 0 <= memory <= MAX_MEMORY:
        raise ValueError(f"memory {memory} must be from 0 to {MAX_MEMORY} floats")

    def declare(body: Callable[..., Any]) -> Callable[..., Any]:
        kind = _kind_of(body)
        if kind == "python" and memory:
            raise TypeError(
                f"{body.__name__} is a class with act: what it remembers are its own attributes, not memory"
            )
        if kind != "compiled" and observe is not None:
            raise TypeError(f"{body.__name__} is a class: its observe or observe_batch method is told how hands ended")
        body.declaration = Declaration(kind, tuple(declared), memory, observe)  # type: ignore[attr-defined]
        return body

    return declare if body is None else declare(body)


def _kind_of(body: Callable[..., Any]) -> Kind:
    """The kind of a strategy; TypeError for what can be none."""
    if not isinstance(body, type):
        return "compiled"
    single, rows = callable(getattr(body, "act", None)), callable(getattr(body, "act_batch", None))
    if single == rows:
        has = "both act and act_batch" if single else "neither act nor act_batch"
        near = [] if single else [(name, hook) for hook in ASKED if (name := nearly(body, hook))]
        meant = f" ({near[-1][0]} is never called: did you mean {near[-1][1]}?)" if near else ""
        raise TypeError(f"class {body.__name__} has {has}: a strategy has one of them{meant}")
    return "python" if single else "array"
