"""Strategies as machine code that the engine calls by address."""

from __future__ import annotations

import ast
import difflib
import hashlib
import re
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
from numba import carray, types
from numba.core.ccallback import CFunc
from numba.core.errors import NumbaError, TypingError

from razz_sim.compiling import callback, intrinsic
from razz_sim.outcome import OUTCOME, OUTCOME_TYPE
from razz_sim.strategy.declaration import LEAST_ANSWER, StrategyError, said
from razz_sim.strategy.source import StrategySource, declaration_of, declared_body, load_module
from razz_sim.view import VIEW_TYPE

RAISED = LEAST_ANSWER - 1
"""What machine code answers when the strategy raised: the text comes from playing the view again in Python."""


@dataclass(frozen=True, slots=True)
class MachineCode:
    """A compiled strategy, and its observe function or 0. `owners` keep the code as long as it may be called."""

    address: int
    observer: int
    owners: tuple[CFunc, ...]


_CALL = """
def call(view, params, memory, word):
    given = carray(params, 1)[0]
    try:
        answer = whole_answer(body(carray(view, 1)[0], {params}, carray(memory, floats), word))
        return answer if answer > LEAST_ANSWER else LEAST_ANSWER
    except Exception:
        return RAISED
"""
"""What the engine calls. A function of its own for each strategy but no closure: a closure would never be found in the
cache again, since what it closes over is part of its key there. Parameters are a named tuple, which cannot be set."""


_CALL_OBSERVER = """
def call(outcome, params, memory, word):
    given = carray(params, 1)[0]
    try:
        body(carray(outcome, 1)[0], {params}, carray(memory, floats))
        return 0
    except Exception:
        return RAISED
"""


_OTHER_CHANCE = ("numba_get_np_random_state", "numba_get_py_random_state")
"""What machine code that draws from Numba's own generators calls."""


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
    name = f"{source.sha256[:32]}-{_constants(source)[:16]}-{source.function[:40]}"
    decide = _built(source, declared_body(source), _CALL, VIEW_TYPE, name)
    observe = declaration_of(source).observe
    if observe is None:
        return MachineCode(int(decide.address or 0), 0, (decide,))
    told = _built(source, observe, _CALL_OBSERVER, OUTCOME_TYPE, f"{name}-observe")
    return MachineCode(int(decide.address or 0), int(told.address or 0), (decide, told))


def _built(source: StrategySource, body: Callable[..., Any], call: str, record: Any, name: str) -> CFunc:
    """A function of a strategy behind the one signature that the engine calls."""
    params = [parameter.name for parameter in source.parameters]
    names: dict[str, Any] = {
        "__name__": __name__,
        "Params": namedtuple("Params", params),
        "body": numba.njit(forceinline=True, error_model="python", boundscheck=True)(body),
        "floats": source.memory,
        "carray": carray,
        "whole_answer": _whole_answer,
        "LEAST_ANSWER": LEAST_ANSWER,
        "RAISED": RAISED,
    }
    exec(call.format(params=f"Params({', '.join(f'given.{name}' for name in params)})"), names)
    signature = types.int64(
        types.CPointer(record),
        types.CPointer(numba.from_dtype(source.params_dtype)),
        types.CPointer(types.float64),
        types.uint64,
    )
    built: Any
    try:
        built = callback(names["call"], signature, name)
    except (NumbaError, NotImplementedError) as error:
        raise StrategyError(f"{source.spec} cannot be compiled: {_reason(error, source)}") from error
    except KeyError as error:
        raise StrategyError(f"{source.spec} cannot be compiled: {_no_field(str(error.args[0]), source)}") from error
    except Exception as error:  # the compiler itself may fail
        raise StrategyError(f"{source.spec} cannot be compiled: {type(error).__name__}: {said(error)[:300]}") from error
    if not built.cache_hits and any(state in built.inspect_llvm() for state in _OTHER_CHANCE):
        built._cache.flush()
        raise StrategyError(
            f"{source.spec} draws from random or numpy.random, which no seed of the run governs: "
            "draw with uniform(u, 0), uniform(u, 1), ... of razz_sim.view"
        )
    return cast(CFunc, built)


def params_record(source: StrategySource, params: tuple[tuple[str, float], ...]) -> np.ndarray:
    """Checked parameters as a record array of one."""
    record = np.zeros(1, dtype=source.params_dtype)
    for name, value in params:
        record[name] = value
    return record


def _constants(source: StrategySource) -> str:
    """A hash of the values that a strategy's module holds: compiled code has them built in, wherever they come from."""
    found = hashlib.sha256()
    for name, value in sorted(vars(load_module(source.text, source.filename)).items()):
        if isinstance(value, (bool, int, float, str, tuple, np.generic)) and not name.startswith("__"):
            found.update(f"{name}={value!r};".encode())
        elif isinstance(value, np.ndarray):
            found.update(f"{name}={value.dtype}{value.shape}".encode() + value.tobytes())
    return found.hexdigest()


def _no_field(name: str, source: StrategySource) -> str:
    """A sentence on a field of the view or the parameters that there is none of."""
    known = (*(OUTCOME.names or ()), *(parameter.name for parameter in source.parameters))
    near = difflib.get_close_matches(name, known, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    lines = [str(number) for number, line in enumerate(source.text.splitlines(), start=1) if f".{name}" in line]
    place = f" ({source.filename}, line {lines[0]})" if lines else ""
    return f"neither view nor params has a field {name!r}{hint}{place}"


_TOLD = re.compile(
    r"a strategy answers [^\n]*|NameError: [^\n]*|Unknown attribute [^\n]*|missing a required argument[^\n]*|"
    r"too many [^\n]*"
)


_WRITTEN = re.compile(r"lowering Params\([^\n]*\)\.(\w+) = |setitem\(Params\(")
_NO_PARAMETER = re.compile(r"Unknown attribute '(\w+)' of type Params\(")
_PLAIN = re.compile(r"Untyped global name '(\w+)'[^\n]*<class 'function'>")


def _reason(error: Exception, source: StrategySource) -> str:
    """The compiler's own sentence and place, without its advice and its inner workings."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # Numba colours it where colorama is installed
    if missing := _NO_PARAMETER.search(text):
        return _no_field(missing[1], source)
    told = _TOLD.search(text)
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in nopython")]
    sentence = (told[0] if told else (lines or [text])[0])[:300].removesuffix('".')
    if plain := _PLAIN.search(text):
        sentence = f"it calls {plain[1]}, a plain Python function: put @alike (of razz_sim.strategy) above that"
    if written := _WRITTEN.search(text):
        sentence = "it writes to its params: what it learns belongs into memory, asked for by @strategy(memory=N)"
    place = re.search(rf'File "[^"]*{re.escape(Path(source.filename).name)}", line (\d+)', text)
    line = place[1] if place else _line_with(re.search(r"name '(\w+)' is not defined", sentence) or written, source)
    return f"{sentence} ({source.filename}, line {line})" if line else sentence


def _line_with(name: re.Match[str] | None, source: StrategySource) -> int | None:
    """The first line of a strategy's file that uses a name, or sets an attribute so named."""
    if name is None:
        return None
    found = [
        node.lineno
        for node in ast.walk(ast.parse(source.text))
        if (isinstance(node, ast.Name) and node.id == name[1])
        or (isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr == name[1])
    ]
    return min(found, default=None)
