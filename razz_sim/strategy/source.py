"""Finding strategies by name and carrying them as the text of their files: a worker needs nothing else."""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib.util
import inspect
import linecache
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

import numpy as np

from razz_sim.strategy.declaration import Declaration, Parameter, StrategyError

MAY_IMPORT = ("numba", "numpy", "razz_sim")
"""What a strategy may import beside Python's own modules: it is on every worker, in the version the manifest names."""


@dataclass(frozen=True, slots=True)
class StrategySource:
    """A strategy as it travels and is recorded: the text of its file and what it declares. `spec` is as configured."""

    spec: str
    function: str
    kind: Literal["compiled"]
    text: str
    filename: str = field(compare=False)
    sha256: str
    parameters: tuple[Parameter, ...]
    memory: int
    doc: str

    @property
    def summary(self) -> str:
        """The first line of its description."""
        return self.doc.split("\n")[0]

    @property
    def params_dtype(self) -> np.dtype[Any]:
        """The record its parameters are passed in."""
        kinds = {"int": np.int64, "bool": np.int64, "float": np.float64}
        fields = [(parameter.name, kinds[parameter.kind]) for parameter in self.parameters]
        return np.dtype(fields or [("none", np.int64)], align=True)


def builtin_names() -> tuple[str, ...]:
    """The strategies that come with razz_sim."""
    folder = resources.files("razz_sim.strategies")
    return tuple(
        sorted(entry.name[:-3] for entry in folder.iterdir() if entry.name.endswith(".py") and entry.name[0] != "_")
    )


def find_strategy(spec: str, relative_to: Path = Path()) -> StrategySource:
    """The strategy that `spec` names: a built-in name, `path/to/file.py:name` or `package.module:name`.

    Paths are relative to `relative_to` (the config's folder). Raises StrategyError with a sentence.
    """
    place, _, function = spec.partition(":")
    if not function:
        if place.endswith(".py") or "/" in place:
            raise StrategyError(f"{spec!r} names a file but no strategy in it: write {spec}:NAME")
        if place not in builtin_names():
            raise StrategyError(
                f"{spec!r} is not a strategy that comes with razz_sim{_nearest(place, builtin_names())}; "
                "another is named as path/to/file.py:NAME or package.module:NAME"
            )
        entry = resources.files("razz_sim.strategies") / f"{place}.py"
        return read_strategy(spec, place, entry.read_text(encoding="utf-8"), f"{place}.py")
    path = relative_to / place if place.endswith(".py") else _module_file(spec, place)
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise StrategyError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise StrategyError(f"{path} is not UTF-8 text") from error
    except ValueError as error:
        raise StrategyError(f"{str(path)!r} cannot be the path of a file or its text: {error}") from error
    return read_strategy(spec, function, text, str(path))


def _module_file(spec: str, module: str) -> Path:
    try:
        found = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        found = None
    except Exception as error:  # finding `a.b` imports `a`, and that may raise anything
        raise StrategyError(f"{spec!r}: looking for the module failed: {type(error).__name__}: {error}") from error
    if found is None or not found.origin or not found.origin.endswith(".py"):
        raise StrategyError(
            f"{spec!r}: there is no source of a Python module {module!r} here (a file is named with its .py)"
        )
    return Path(found.origin)


def read_strategy(spec: str, function: str, text: str, filename: str) -> StrategySource:
    """The strategy `function` in the text of a file; StrategyError when the text does not run or does not hold it."""
    _refuse_helpers(text, filename)
    module = load_module(text, filename)
    body = getattr(module, function, None)
    declared = {
        name
        for name, value in vars(module).items()
        if isinstance(getattr(value, "declaration", None), Declaration) and value.__module__ == module.__name__
    }
    if body is None:
        raise StrategyError(f"{filename} has no strategy {function!r}{_nearest(function, tuple(declared))}")
    declaration = getattr(body, "declaration", None)
    if not isinstance(declaration, Declaration):
        raise StrategyError(f"{function!r} in {filename} is not a strategy: put @strategy above it")
    return StrategySource(
        spec=spec,
        function=function,
        kind="compiled",
        text=text,
        filename=filename,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        parameters=declaration.parameters,
        memory=declaration.memory,
        doc=inspect.getdoc(body) or "",
    )


def _refuse_helpers(text: str, filename: str) -> None:
    """StrategyError when a file imports another of its author's: that would neither travel with it nor be recorded."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return  # running it says it better
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [node.module or "."] if not node.level else ["."]
        for name in names:
            top = name.split(".")[0]
            if top not in sys.stdlib_module_names and top not in MAY_IMPORT:
                line = getattr(node, "lineno", 0)
                allowed = f"Python's own modules, {', '.join(MAY_IMPORT)}"
                sentence = f"a strategy is one file and may import {allowed}, not {name!r}"
                raise StrategyError(f"{filename}, line {line}: {sentence}")


@cache
def load_module(text: str, filename: str) -> ModuleType:
    """Run a strategy file's text as a module of its own, under a name that holds its hash."""
    name = "razz_sim_strategy_" + hashlib.sha256(text.encode()).hexdigest()[:24]
    module = ModuleType(name)
    module.__file__ = filename
    if not Path(filename).exists():
        linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    sys.modules[name] = module
    try:
        exec(compile(text, filename, "exec"), vars(module))
    except (Exception, SystemExit) as error:
        sys.modules.pop(name, None)
        raise StrategyError(f"{filename} does not run: {_where(error, filename)}") from error
    return module


def _where(error: BaseException, filename: str) -> str:
    """An error in a strategy file in one line: which line of it, what kind, what it says."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return f"line {error.lineno}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
    return (f"line {lines[-1]}: " if lines else "") + f"{type(error).__name__}: {error}"


def check_params(source: StrategySource, given: Mapping[str, object]) -> tuple[tuple[str, float], ...]:
    """Every declared parameter with its value, in the order declared; StrategyError names a bad one."""
    known = {parameter.name: parameter for parameter in source.parameters}
    for name in given:
        if name not in known:
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise StrategyError(f"{source.spec} has no parameter {name!r}{_nearest(name, tuple(known))}; {takes}")
    values = []
    for name, parameter in known.items():
        try:
            values.append((name, parameter.check(given.get(name, parameter.default))))
        except StrategyError as error:
            raise StrategyError(f"{name}: {error} ({parameter.meaning})") from None
    return tuple(values)


def _nearest(word: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f" (did you mean {close[0]!r}?)"
    return f"; there are {', '.join(sorted(known))}" if known else ""
