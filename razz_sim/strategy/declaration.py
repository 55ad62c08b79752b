"""How a strategy is declared: a function under `@strategy`, its parameters with type, range and meaning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

MAX_MEMORY = 4096
"""Floats of memory that one copy of a strategy may have."""

ParameterKind = Literal["int", "float", "bool"]


class StrategyError(ValueError):
    """A strategy that cannot be found, loaded or compiled, or a parameter it does not take."""


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
        if not self.low <= self.default <= self.high:
            raise ValueError(f"{self.name}: default {self.default} is not from {self.low} to {self.high}")

    def check(self, value: object) -> float:
        """The value in its kind; StrategyError when it is none or out of range."""
        wanted = {"int": "a whole number", "float": "a number", "bool": "true or false"}[self.kind]
        fits = isinstance(value, bool) if self.kind == "bool" else _is_number(value, whole=self.kind == "int")
        if not fits:
            raise StrategyError(f"{value!r} is not {wanted}")
        number = float(value) if self.kind == "float" else value  # type: ignore[arg-type]
        if not self.low <= number <= self.high:  # type: ignore[operator]
            raise StrategyError(f"{value} is not from {self.low:g} to {self.high:g}")
        return number  # type: ignore[return-value]


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


@dataclass(frozen=True, slots=True)
class Declaration:
    """What `@strategy` notes on a function."""

    parameters: tuple[Parameter, ...]
    memory: int


def strategy(function: Callable[..., int] | None = None, *, memory: int = 0, **parameters: Any) -> Any:
    """Make a function a strategy, bare or with its parameters: `@strategy(limit=whole(8, 3, 13, "highest rank"))`.

    `memory` asks for so many floats, zero at the start of each block.
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

    def declare(body: Callable[..., int]) -> Callable[..., int]:
        body.declaration = Declaration(tuple(declared), memory)  # type: ignore[attr-defined]
        return body

    return declare if function is None else declare(function)
