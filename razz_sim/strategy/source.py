"""Finding strategies by name and carrying them as the text of their files: a worker needs nothing else."""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib.util
import inspect
import linecache
import operator
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata, resources
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from razz_sim.strategy.declaration import Declaration, Kind, NoSuchStrategy, Parameter, StrategyError, said
from razz_sim.strategy.first_load import try_loading
from razz_sim.strategy.hooks import COMPILED, OBSERVER, wrong_function, wrong_method

MAY_IMPORT = ("numba", "numpy", "razz_sim")
"""What a strategy may import beside Python's own modules: it is on every worker, in the version the manifest names."""


@dataclass(frozen=True, slots=True)
class StrategySource:
    """A strategy as it travels and is recorded: the text of its file and what it declares. `spec` is as configured."""

    spec: str
    function: str
    kind: Kind
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


WEAK_TO_STRONG = (
    "folder",
    "random",
    "maniac",
    "caller",
    "rock",
    "loose_passive",
    "tight",
    "stealer",
    "pot_odds",
    "board_reader",
    "book",
    "adaptive",
    "best",
)
"""The strategies that come along, in the order they are listed; a test holds it complete."""

ENTRY_POINTS = "razz_sim.strategies"
"""The group of entry points by which installed packages offer strategies: name = package.module:function."""


def builtin_names() -> tuple[str, ...]:
    """The strategies that come with razz_sim, from weak to strong."""
    folder = resources.files("razz_sim.strategies")
    names = (entry.name[:-3] for entry in folder.iterdir() if entry.name.endswith(".py") and entry.name[0] != "_")
    place = {name: number for number, name in enumerate(WEAK_TO_STRONG)}
    return tuple(sorted(names, key=lambda name: (place.get(name, len(place)), name)))


@dataclass(frozen=True, slots=True)
class Offer:
    """A strategy that an installed package offers by an entry point: `spec` is where it is, as package.module:name."""

    name: str
    spec: str
    package: str


def offered_strategies() -> tuple[Offer, ...]:
    """What installed packages offer, by name."""
    return _offered(tuple(sys.path))


@cache
def _offered(path: tuple[str, ...]) -> tuple[Offer, ...]:
    found = {
        Offer(point.name, point.value.replace(" ", ""), point.dist.name if point.dist else "?")
        for point in metadata.entry_points(group=ENTRY_POINTS)
    }
    return tuple(sorted(found, key=lambda offer: (offer.name, offer.package, offer.spec)))


@dataclass(frozen=True, slots=True)
class StrategyText:
    """Where a spec leads: the text of a file, and the name of the strategy in it."""

    spec: str
    function: str
    text: str
    filename: str


def find_strategy(spec: str, relative_to: Path = Path()) -> StrategySource:
    """The strategy that `spec` names: a name, `path/to/file.py:name` or `package.module:name`.

    A name is that of a strategy that comes with razz_sim, or that an installed package offers. Paths are relative to
    `relative_to` (the config's folder). Raises StrategyError with a sentence.
    """
    found = strategy_text(spec, relative_to)
    shipped = spec in builtin_names()
    return read_strategy(found.spec, found.function, found.text, found.filename, try_first=not shipped)


def strategy_text(spec: str, relative_to: Path = Path()) -> StrategyText:
    """The file that `spec` leads to, none of it run yet; NoSuchStrategy when there is none."""
    place, _, function = spec.partition(":")
    if function:
        return _in_file(spec, place, function, relative_to)
    if place.endswith(".py") or "/" in place:
        raise NoSuchStrategy(f"{spec!r} names a file but no strategy in it: write {spec}:NAME")
    builtin = place in builtin_names()
    offers = [offer for offer in offered_strategies() if offer.name == place]
    if len(offers) + builtin > 1:
        others = [f"{offer.spec} of package {offer.package}" for offer in offers]
        ours = [f"razz_sim.strategies.{place}:{place}, which comes with razz_sim"] if builtin else []
        raise NoSuchStrategy(f"{spec!r} may mean {', or '.join([*ours, *others])}: write which, as package.module:NAME")
    if offers:
        module, _, function = offers[0].spec.partition(":")
        if not function:
            offer = f"package {offers[0].package} offers {spec!r} as {offers[0].spec!r}"
            raise NoSuchStrategy(f"{offer}: an entry point of {ENTRY_POINTS} must be package.module:NAME")
        return _in_file(spec, module, function, relative_to)
    if not builtin:
        known = (*builtin_names(), *(offer.name for offer in offered_strategies()))
        meant = _file_beside(place, "", relative_to) or (
            f"{_nearest(place, known)}; another is named as path/to/file.py:NAME or package.module:NAME"
        )
        raise NoSuchStrategy(f"{spec!r} is not a strategy that comes with razz_sim{meant}")
    entry = resources.files("razz_sim.strategies") / f"{place}.py"
    return StrategyText(spec, place, entry.read_text(encoding="utf-8"), f"{place}.py")


def _in_file(spec: str, place: str, function: str, relative_to: Path) -> StrategyText:
    """A strategy of a file, named by its path or its module."""
    is_file = place.endswith(".py")
    path = relative_to / place if is_file else _module_file(spec, place, function, relative_to)
    if _is_something_else(path):
        raise NoSuchStrategy(f"{path} is not a file")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise NoSuchStrategy(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise NoSuchStrategy(f"{path} is not UTF-8 text") from error
    except ValueError as error:
        raise NoSuchStrategy(f"{str(path)!r} cannot be the path of a file or its text: {error}") from error
    if not is_file and "razz_sim" not in text:
        raise NoSuchStrategy(f"{spec!r} is not a strategy: nothing in {path} is under @strategy of razz_sim")
    return StrategyText(spec, function, text, str(path))


def _is_something_else(path: Path) -> bool:
    """Whether there is something that is no file: reading a pipe would wait for ever."""
    try:
        return path.exists() and not path.is_file()
    except (OSError, ValueError):
        return False


def _file_beside(module: str, function: str, folder: Path) -> str:
    """What to write where a file was named as if it were a module; empty when there is no such file."""
    path = folder / f"{module}.py"
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        return ""
    there = [
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and any(ast.unparse(one).split("(")[0] == "strategy" for one in node.decorator_list)
    ]
    meant = [function] if function else there or ["NAME"]
    return f" (did you mean {' or '.join(f'{module}.py:{name}' for name in meant[:3])}?)"


def _module_file(spec: str, module: str, function: str, relative_to: Path) -> Path:
    """The source of a module, installed or on the way that Python looks."""
    if module.split(".")[0] in sys.stdlib_module_names and not _file_beside(module, function, relative_to):
        raise NoSuchStrategy(f"{spec!r} is not a strategy: {module} is a module of Python's own")
    try:
        found = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        found = None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # finding `a.b` imports `a`, and that may raise anything
        raise NoSuchStrategy(
            f"{spec!r}: looking for the module failed: {type(error).__name__}: {said(error)}"
        ) from error
    if found is None or not found.origin or not found.origin.endswith(".py"):
        raise NoSuchStrategy(
            f"{spec!r}: there is no source of a Python module {module!r}"
            + (
                _file_beside(module, function, relative_to)
                or ": its package must be installed, or its folder be in PYTHONPATH; a file is named with its .py"
            )
        )
    return Path(found.origin)


def read_strategy(spec: str, function: str, text: str, filename: str, *, try_first: bool = True) -> StrategySource:
    """The strategy `function` in the text of a file; StrategyError when the text does not run or does not hold it.

    With `try_first` the text is run in a process of its own first, since it may hang or end the process.
    """
    _refuse_helpers(text, filename)
    if try_first:
        try_loading(text, filename)
    module = load_module(text, filename)
    body = getattr(module, function, None)
    declared = {
        name
        for name, value in vars(module).items()
        if isinstance(getattr(value, "declaration", None), Declaration) and value.__module__ == module.__name__
    }
    if body is None:
        raise NoSuchStrategy(f"{filename} has no strategy {function!r}{_nearest(function, tuple(declared))}")
    declaration = getattr(body, "declaration", None)
    if not isinstance(declaration, Declaration):
        raise NoSuchStrategy(f"{function!r} in {filename} is not a strategy: put @strategy above it")
    _refuse_misfits(body, declaration, text, filename)
    if declaration.kind == "compiled":
        names = {function, getattr(body, "__name__", function), getattr(declaration.observe, "__name__", "")}
        try:
            _refuse_large_numbers(names, text, filename)
        except (RecursionError, MemoryError):
            raise StrategyError(f"{filename} cannot be compiled: an expression in it is too deep") from None
    return StrategySource(
        spec=spec,
        function=function,
        kind=declaration.kind,
        text=text,
        filename=filename,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        parameters=declaration.parameters,
        memory=declaration.memory,
        doc=inspect.getdoc(body) or "",
    )


def _refuse_misfits(body: Any, declaration: Declaration, text: str, filename: str) -> None:
    """StrategyError for functions that cannot be called as strategies are, and for hooks that are nearly named so."""
    if declaration.kind == "compiled":
        called = [(body, COMPILED), (declaration.observe, OBSERVER)]
        wrong = [(one, sentence) for one, signature in called if (sentence := wrong_function(one, signature))]
    else:
        name, sentence = wrong_method(body, declaration.kind)
        wrong = [(inspect.getattr_static(body, name), sentence)] if sentence else []
    for function, sentence in wrong:
        raise StrategyError(f"{filename}, line {_line_of(function, text)}: {sentence}")


def _line_of(function: Any, text: str) -> int:
    """The line of a function's own `def`, below its decorators."""
    first: int = function.__code__.co_firstlineno
    lines = text.splitlines()[first - 1 :]
    return next((number for number, line in enumerate(lines, start=first) if line.lstrip().startswith("def ")), first)


def _refuse_helpers(text: str, filename: str) -> None:
    """StrategyError when a file imports another of its author's: that would neither travel with it nor be recorded."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return  # running it says it better
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [f"{'.' * node.level}{node.module or ''}"]
        for name in names:
            top = name.split(".")[0]
            if top not in sys.stdlib_module_names and top not in MAY_IMPORT:
                line = getattr(node, "lineno", 0)
                allowed = f"Python's own modules, {', '.join(MAY_IMPORT)}"
                sentence = f"a strategy is one file and may import {allowed}, not {name!r}"
                raise StrategyError(f"{filename}, line {line}: {sentence}")


def _refuse_large_numbers(names: set[str], text: str, filename: str) -> None:
    """StrategyError for a whole number that machine code would wrap without a word: `return 2**70` would answer 0.

    Looked at are the functions of these names, and those that compiled strategies call.
    """
    for function in ast.parse(text).body:
        if isinstance(function, ast.FunctionDef) and (function.name in names or _is_helper(function)):
            for node, number in _whole_numbers(function):
                least, most = (0, 2**64) if isinstance(node, ast.Constant) else (-(2**63), 2**63)
                if not least <= number < most:
                    sentence = f"{ast.unparse(node)[:60]} does not fit into 64 bits"
                    raise StrategyError(f"{filename}, line {getattr(node, 'lineno', 0)}: {sentence}")


def _is_helper(function: ast.FunctionDef) -> bool:
    """Whether a function is one for compiled strategies to call: under `@alike` or Numba's own decorators."""
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    return any(decorator == "alike" or "njit" in decorator for decorator in decorators)


def _whole_numbers(node: ast.AST) -> Iterator[tuple[ast.AST, int]]:
    """The whole numbers written below a node, each with its whole expression: wrapping on the way to it is harmless."""
    number = _whole_number(node)
    if number is not None:
        yield node, number
        return
    for child in ast.iter_child_nodes(node):
        yield from _whole_numbers(child)


_LARGEST_EXPONENT, _LARGEST_BASE = 1000, 2**200
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}


def _whole_number(node: ast.AST) -> int | None:
    """The whole number that an expression of whole numbers is; None for any other, and for absurd exponents."""
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = _whole_number(node.operand)
        return None if number is None else -number
    if not isinstance(node, ast.BinOp) or type(node.op) not in _ARITHMETIC:
        return None
    left, right = _whole_number(node.left), _whole_number(node.right)
    raises = isinstance(node.op, (ast.Pow, ast.LShift))
    if left is None or right is None or (raises and not _is_small_power(left, right)):
        return None
    return _ARITHMETIC[type(node.op)](left, right)


def _is_small_power(base: int, exponent: int) -> bool:
    return abs(base) <= _LARGEST_BASE and 0 <= exponent <= _LARGEST_EXPONENT


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
        # What it prints must not get among results, nor what it would have of NumPy's warnings reach other strategies.
        with redirect_stdout(sys.stderr), np.errstate():
            exec(compile(text, filename, "exec"), vars(module))
    except KeyboardInterrupt:
        sys.modules.pop(name, None)
        raise
    except BaseException as error:
        sys.modules.pop(name, None)
        raise StrategyError(f"{filename} does not run: {where(error, filename)}") from error
    return module


def where(error: BaseException, filename: str) -> str:
    """An error in a strategy file in one line: which line of it, what kind, what it says."""
    if isinstance(error, SyntaxError) and error.filename == filename:
        return f"line {error.lineno}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
    return (f"line {lines[-1]}: " if lines else "") + f"{type(error).__name__}: {said(error)}"


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


def declared_body(source: StrategySource) -> Any:
    """The strategy as the function or class it was written as."""
    return getattr(load_module(source.text, source.filename), source.function)


def declaration_of(source: StrategySource) -> Declaration:
    """What `@strategy` noted on it."""
    declaration: Declaration = declared_body(source).declaration
    return declaration


def observes(source: StrategySource) -> bool:
    """Whether it is told how hands ended."""
    if source.kind == "compiled":
        return declaration_of(source).observe is not None
    method = "observe" if source.kind == "python" else "observe_batch"
    return callable(getattr(declared_body(source), method, None))


def _nearest(word: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f" (did you mean {close[0]!r}?)"
    return f"; there are {', '.join(sorted(known))}" if known else ""
