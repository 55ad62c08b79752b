"""How compiled code is built and cached: the one place that knows Numba's machinery.

Numba's own cache looks only at the file of the cached function: edit a function that it calls in another file and
the old machine code runs on, with wrong totals. Here the cache is keyed by a hash of all sources that compiled code
can come from, of the compiler's version and of the processor.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.ccallback import CFunc
from numba.core.typing.templates import Signature
from numba.extending import intrinsic as _untyped_intrinsic

ENGINE_ROOMS = (
    "cards.py",
    "compiling.py",
    "hand",
    "lowball.py",
    "rules.py",
    "seeding.py",
    "strategy/machine_code.py",
    "table.py",
    "tally.py",
    "view.py",
)
"""The files and folders that compiled functions come from; a test holds this list complete."""

CACHE_VARIABLE = "RAZZ_SIM_CACHE"

Function = TypeVar("Function", bound=Callable[..., Any])

intrinsic: Callable[[Callable[..., Any]], Callable[..., Any]] = _untyped_intrinsic
"""A function whose machine code is written by hand."""


@cache
def source_stamp() -> str:
    """A hash of the engine's sources: equal stamps play equal hands, on any machine."""
    digest = hashlib.sha256()
    package = Path(__file__).parent
    for room in ENGINE_ROOMS:
        for path in sorted((package / room).rglob("*.py") if (package / room).is_dir() else [package / room]):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def engine_stamp() -> str:
    """A hash of the engine's sources, the compiler's versions and the processor: all that machine code depends on."""
    versions = (sys.version_info[:3], numba.__version__, llvmlite.__version__, np.__version__)
    processor = (llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
    return hashlib.sha256(repr((source_stamp(), versions, processor)).encode()).hexdigest()


def _cache_places() -> list[Path]:
    """Where to look for a cache folder that can be written to, the best first."""
    named = os.environ.get(CACHE_VARIABLE)
    shared = Path(tempfile.gettempdir()) / f"razz_sim-{os.getuid()}"
    if named:
        return [Path(named), shared]
    try:
        return [Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "razz_sim", shared]
    except RuntimeError:  # no home directory
        return [shared]


def _is_ours(folder: Path) -> bool:
    """Whether nobody else may write to a folder: what is in it is run."""
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@cache
def cache_folder() -> Path:
    """Where machine code is kept: `$RAZZ_SIM_CACHE`, else the user's cache folder, else a temporary one.

    Each stamp has a folder of its own: stale code is never looked at, and two versions do not disturb each other.
    """
    for base in _cache_places():
        folder = base / engine_stamp()[:20]
        try:
            base.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not _is_ours(base):
                continue
            folder.mkdir(exist_ok=True, mode=0o700)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return Path(tempfile.mkdtemp(prefix="razz_sim-"))


class _EngineLocator(_CacheLocator):  # type: ignore[misc]
    """Tells Numba's cache where a function is kept and what its freshness depends on."""

    def __init__(self, function: Callable[..., Any]) -> None:
        code = function.__code__
        self._name = getattr(function, "cache_name", f"{Path(code.co_filename).stem}-{code.co_firstlineno}")

    def get_cache_path(self) -> str:
        return str(cache_folder())

    def get_source_stamp(self) -> str:
        return engine_stamp()

    def get_disambiguator(self) -> str:
        return str(self._name)

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _EngineLocator:
        return cls(py_func)


class _EngineCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_EngineLocator,)

    def check_cachable(self, cres: Any) -> bool:
        """Not what holds addresses of this process, as of functions in C: it is compiled anew each time."""
        return not (cres.lifted or cres.library.has_dynamic_globals)


class _EngineCache(FunctionCache):  # type: ignore[misc]
    _impl_class = _EngineCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What the cache holds, or None, to compile anew, for a file that a crash or a full disk cut short."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled; an index that cannot be read is begun anew."""
        try:
            super().save_overload(sig, data)
        except (EOFError, ValueError, pickle.UnpicklingError):
            self.flush()
            super().save_overload(sig, data)


def inlined(function: Function) -> Function:
    """A compiled function that is laid into each of its callers: worth a quarter of the engine's speed."""
    compiled: Function = numba.njit(forceinline=True, error_model="numpy", nogil=True)(function)
    return compiled


def compiled(signature: Signature) -> Callable[[Function], Function]:
    """A compiled function that Python calls, of one signature, kept in the cache; it lets other threads run."""

    def build(function: Function) -> Function:
        dispatcher = numba.njit(error_model="numpy", nogil=True)(function)
        dispatcher._cache = _EngineCache(function)
        dispatcher.compile(signature.args)
        dispatcher.disable_compile()
        built: Function = dispatcher
        return built

    return build


def callback(function: Callable[..., Any], signature: Signature, name: str) -> CFunc:
    """A compiled function that the engine calls by its `.address`; `name` holds a hash of its source for the cache."""
    function.cache_name = name  # type: ignore[attr-defined]
    built: Any = CFunc(function, (signature.args, signature.return_type), locals={}, options={"error_model": "python"})
    built._cache = _EngineCache(function)
    built.compile()
    return cast(CFunc, built)


@intrinsic
def multiply_high(typingctx: Any, a: Any, b: Any) -> Any:
    """The upper 64 bits of the 128-bit product of two unsigned words."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
        return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), generate


@intrinsic
def bit_count(typingctx: Any, mask: Any) -> Any:
    """How many bits of a 64-bit word are set."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest_bit(typingctx: Any, mask: Any) -> Any:
    """The index of the lowest set bit of a 64-bit word; 64 when none is."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@intrinsic
def copy_front(typingctx: Any, target: Any, source: Any, size: Any) -> Any:
    """Copy the first `size` bytes (a literal) of one record over those of another."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), count), 1)
        return context.get_dummy_value()

    return types.void(target, source, size), generate


@intrinsic
def clear_front(typingctx: Any, target: Any, size: Any) -> Any:
    """Set the first `size` bytes (a literal) of a record to zero."""
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.memset(builder, args[0], ir.Constant(ir.IntType(64), count), 0)
        return context.get_dummy_value()

    return types.void(target, size), generate


@intrinsic
def call_by_address(typingctx: Any, address: Any, view: Any, params: Any, memory: Any, word: Any) -> Any:
    """Call a strategy at an address: (view record, params and memory pointers as integers, random word) -> int64."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.IntType(64), [pointer, pointer, pointer, ir.IntType(64)])
        target = builder.inttoptr(args[0], kind.as_pointer())
        call = [
            builder.bitcast(args[1], pointer),
            builder.inttoptr(args[2], pointer),
            builder.inttoptr(args[3], pointer),
            args[4],
        ]
        return builder.call(target, call)

    return types.int64(types.int64, view, types.int64, types.int64, types.uint64), generate


@intrinsic
def atomic_load(typingctx: Any, array: Any) -> Any:
    """The first item of an int64 array, read anew each time: another thread may set it while a loop runs."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.load_atomic(data, "monotonic", 8)

    return types.int64(array), generate
