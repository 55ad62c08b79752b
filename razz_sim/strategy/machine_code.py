"""Strategies as machine code that the engine calls by address."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numba
import numpy as np
from numba import carray, types
from numba.core.errors import NumbaError, TypingError

from razz_sim.compiling import callback, intrinsic
from razz_sim.strategy.declaration import StrategyError
from razz_sim.strategy.source import StrategySource, load_module
from razz_sim.view import VIEW_TYPE

RAISED = -99
"""What machine code answers when the strategy raised: the text comes from playing the view again in Python."""


@dataclass(frozen=True, slots=True)
class MachineCode:
    """A compiled strategy. `owner` keeps the code in memory as long as its address may be called."""

    address: int
    owner: object


_CALL = """
def call(view, params, memory, word):
    try:
        return whole_answer(body(carray(view, 1)[0], carray(params, 1)[0], carray(memory, floats), word))
    except Exception:
        return RAISED
"""
"""What the engine calls. A function of its own for each strategy but no closure: a closure would never be found in the
cache again, since what it closes over is part of its key there."""


@intrinsic
def _whole_answer(typingctx: Any, answer: Any) -> Any:
    """The answer as int64; compiling fails when a strategy can return anything but a whole number."""
    if not isinstance(answer, types.Integer):
        raise TypingError(f"a strategy answers FOLD, STAY, RAISE or raise_to(amount), not a value of type {answer}")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, args[0], answer, types.int64)

    return types.int64(answer), generate


@cache
def machine_code(source: StrategySource) -> MachineCode:
    """Compile a strategy, or load it from the cache; StrategyError with the compiler's reason when it cannot be."""
    body = numba.njit(forceinline=True, error_model="python", boundscheck=True)(python_body(source))
    names: dict[str, Any] = {
        "__name__": __name__,
        "body": body,
        "floats": source.memory,
        "carray": carray,
        "whole_answer": _whole_answer,
        "RAISED": RAISED,
    }
    exec(_CALL, names)
    signature = types.int64(
        types.CPointer(VIEW_TYPE),
        types.CPointer(numba.from_dtype(source.params_dtype)),
        types.CPointer(types.float64),
        types.uint64,
    )
    try:
        built = callback(names["call"], signature, f"{source.sha256[:32]}-{source.function}")
    except NumbaError as error:
        raise StrategyError(f"{source.spec} cannot be compiled: {_reason(error)}") from error
    return MachineCode(address=int(built.address or 0), owner=built)


def python_body(source: StrategySource) -> Callable[..., int]:
    """The strategy as the Python function it was written as."""
    body: Callable[..., int] = getattr(load_module(source.text, source.filename), source.function)
    return body


def params_record(source: StrategySource, params: tuple[tuple[str, float], ...]) -> np.ndarray:
    """Checked parameters as a record array of one."""
    record = np.zeros(1, dtype=source.params_dtype)
    for name, value in params:
        record[name] = value
    return record


def _reason(error: NumbaError) -> str:
    """The compiler's own sentence and place without its advice."""
    text = str(error)
    ours = re.search(r"a strategy answers [^\n]*", text)
    lines = [line.strip() for line in text.splitlines()[1:] if line.strip()]
    sentence = ours[0] if ours else (lines or [text])[0]
    place = re.search(r'File "([^"]+)", line (\d+)', text)
    return f"{sentence} ({place[1]}, line {place[2]})" if place and not ours else sentence
