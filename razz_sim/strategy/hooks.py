"""What a strategy is called with: the functions that must be there, what they take, and names that nearly fit."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any

COMPILED, OBSERVER = "(view, params, memory, u)", "(outcome, params, memory)"
METHODS = {
    "act": "(self, view, u)",
    "observe": "(self, outcome)",
    "act_batch": "(self, views, memory, u)",
    "observe_batch": "(self, outcomes, memory)",
}
"""The methods that classes are called by, and how."""
ASKED, TOLD = ("act", "act_batch"), {"python": "observe", "array": "observe_batch"}
_NEAR = 0.8


def wrong_function(body: Callable[..., Any], signature: str) -> str:
    """What is wrong with how a compiled strategy or its observer is written; empty where nothing is."""
    return _misfit(getattr(body, "__name__", "it"), body, signature)


def wrong_method(body: type, kind: str) -> tuple[str, str]:
    """The first method of a class that is not as it is called, and what is wrong with it; empty where nothing is."""
    told = TOLD[kind]
    for name in ("act" if kind == "python" else "act_batch", told):
        if sentence := _misfit(name, inspect.getattr_static(body, name, None), METHODS[name]):
            return name, sentence
    if not callable(getattr(body, told, None)) and (near := nearly(body, told)):
        return near, f"{near} is never called: did you mean {told}?"
    return "", ""


def nearly(body: type, hook: str) -> str:
    """A method of a class whose name is nearly, but not quite, that of a hook; empty when there is none."""
    names = [name for name, method in vars(body).items() if isinstance(method, FunctionType) and name[0] != "_"]
    other = "observe" if hook == "observe_batch" else "observe_batch"
    if hook in TOLD.values() and other in names:
        return other
    takes = METHODS[hook].count(",") + 1
    near = difflib.get_close_matches(hook, [name for name in names if name not in METHODS], n=1, cutoff=_NEAR)
    return near[0] if near and _takes(vars(body)[near[0]], takes) else ""


def _misfit(name: str, function: Any, signature: str) -> str:
    """A sentence on a function that does not take what it is called with."""
    if not isinstance(function, FunctionType) or _takes(function, signature.count(",") + 1):
        return ""
    return f"{name}{inspect.signature(function)} must be {name}{signature}"


def _takes(function: FunctionType, count: int) -> bool:
    """Whether a function can be called with so many arguments by place."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    return True
