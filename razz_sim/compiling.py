"""How compiled code is built and cached: the one place that knows Numba's machinery.

Numba's own cache looks only at the file of the cached function: edit a function that it calls in another file and
the old machine code runs on, with wrong totals. Here the cache is keyed by a hash of all sources that compiled code
can come from, of the compiler's version and of the processor.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache, cached_property
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
from numba.core.codegen import CPUCodegen, JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher
from numba.core.runtime import rtsys
from numba.core.typing.templates import Signature
from numba.extending import intrinsic as _untyped_intrinsic
from numba.extending import overload

ENGINE_ROOMS = (
    "cards.py",
    "compiling.py",
    "hand",
    "lowball.py",
    "reading.py",
    "rules.py",
    "seeding.py",
    "structures.py",
    "strategy/machine_code.py",
    "outcome.py",
    "table",
    "tally",
    "tournament",
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
    """Numba's cache of a function. From a miss until `release` other processes that miss something wait.

    So many that start at once compile each function once, and use what the others did meanwhile.
    """

    _impl_class = _EngineCacheImpl
    _lock: int | None = None

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What the cache holds, or None: then it is for this process to compile."""
        found = self._load(sig, target_context)
        if found is None and self._lock is None:
            self._lock = _locked(cache_folder() / "lock")
            found = self._load(sig, target_context)
        return found

    def _load(self, sig: Any, target_context: Any) -> Any:
        """What the cache holds; None also for a file that a crash or a full disk cut short.

        Numba would fill its registries first, with all that it can compile: a third of the program's start, and SciPy
        with it where that is installed. Machine code from the cache needs the runtime alone; compiling fills them.
        """
        rtsys.initialize(target_context)
        try:
            return self._load_overload(sig, target_context)
        except Exception:
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, where the disk takes it; an index that cannot be read is begun anew."""
        with suppress(OSError):
            try:
                super().save_overload(sig, data)
            except (EOFError, ValueError, pickle.UnpicklingError):
                self.flush()
                super().save_overload(sig, data)

    def release(self) -> None:
        """Let other processes compile."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _locked(path: Path) -> int | None:
    """A file that this process alone has locked, once it is its turn; None where no lock can be had."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
    except OSError:
        os.close(lock)
        return None
    return lock


class _Code(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that Python calls, and of all that is laid into it.

    Without vectors: a loop over the seats of a table is too short for them, and they made play slower.
    """

    def _optimize_final_module(self) -> None:
        for _ in range(2):  # as Numba does: tables of two seats are 4 % slower after one
            passes, builder = self._codegen._module_pass_manager(opt=3, loop_vectorize=False, slp_vectorize=False)
            passes.run(self._final_module, builder)


class _LaidIn(_Code):
    """The code of a function that is laid into its callers: only there is it made fast, and made machine code.

    Numba does both for each such function with all that is laid into it, at every level of calls anew, and for two
    wrappers that Python would call: half of the time that compiling took.
    """

    @property
    def codegen(self) -> _LaidIn:
        """What Numba sets the environment in."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """There is no machine code that could ask for it."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0


class _Compiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, with a place of ours for the code."""

    place: type[_Code] = _Code

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        self.state.library = self.place(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class _LayingIn(_Compiler):
    place = _LaidIn


_INSIDE = ("_optimize_functions", "_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals")
_KNOWS_NUMBA = all(hasattr(JITCodeLibrary, name) for name in _INSIDE) and hasattr(CPUCodegen, "_module_pass_manager")
"""Whether Numba is made inside as it was; if not, all is compiled its way, which takes ten seconds more."""
LAID_IN: dict[str, Any] = {"forceinline": True, "nogil": True}
"""Options of a function that is laid into its compiled callers."""
if _KNOWS_NUMBA:
    LAID_IN |= {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "pipeline_class": _LayingIn}
COMPILED: dict[str, Any] = {"pipeline_class": _Compiler} if _KNOWS_NUMBA else {}
"""Options of a function that Python calls."""


class _PartOfOthers(CPUDispatcher):  # type: ignore[misc]
    """A function that is laid into its callers: once compiled for a type, whichever constants it is given."""

    def get_call_template(self, args: Any, kws: Any) -> Any:
        plain = {name: types.unliteral(kind) for name, kind in kws.items()}
        return super().get_call_template(tuple(types.unliteral(kind) for kind in args), plain)

    @cached_property
    def alone(self) -> Callable[..., Any]:
        """The same function by itself, for tests."""
        return cast("Callable[..., Any]", numba.njit(error_model="numpy", nogil=True)(self.py_func))

    def __call__(self, *args: Any) -> Any:
        """From Python it is compiled anew, by itself: laid in, it has no machine code."""
        return self.alone(*args)


def inlined(function: Function) -> Function:
    """A compiled function that is laid into each of its callers: worth a quarter of the engine's speed."""
    if not _KNOWS_NUMBA:
        return cast(Function, numba.njit(error_model="numpy", **LAID_IN)(function))
    compiled: Any = numba.njit(error_model="numpy", **LAID_IN)(function)
    compiled.__class__ = _PartOfOthers
    return cast(Function, compiled)


def compiled_as(form: Callable[..., Any]) -> Callable[[Function], Function]:
    """Gives a plain Python function, which Python calls as it is, the form that is laid into its compiled callers."""

    def pair(function: Function) -> Function:
        options = {"error_model": "numpy", **LAID_IN}
        overload(function, jit_options=options, strict=False)(lambda *args: form)
        return function

    return pair


def alike(function: Function) -> Function:
    """A function for compiled callers, into which it is laid, and for Python, to which it stays plain Python.

    The same lines must mean the same in both: masks are not negative, and fields of a view go through `int()` before
    they are shifted left or meet large numbers, since NumPy's small integers overflow.
    """
    return compiled_as(function)(function)


def compiled(signature: Signature) -> Callable[[Function], Function]:
    """A compiled function that Python calls, of one signature, kept in the cache; it lets other threads run."""

    def build(function: Function) -> Function:
        dispatcher = numba.njit(error_model="numpy", nogil=True, **COMPILED)(function)
        dispatcher._cache = _EngineCache(function)
        try:
            dispatcher.compile(signature.args)
        finally:
            dispatcher._cache.release()
        dispatcher.disable_compile()
        built: Function = dispatcher
        return built

    return build


def callback(function: Callable[..., Any], signature: Signature, name: str) -> CFunc:
    """A compiled function that the engine calls by its `.address`; `name` holds a hash of its source for the cache."""
    import numba.cpython.hashing  # noqa: F401  (it defines symbols that machine code which hashes text refers to)

    function.cache_name = name  # type: ignore[attr-defined]
    built: Any = CFunc(function, (signature.args, signature.return_type), locals={}, options={"error_model": "python"})
    built._cache = _EngineCache(function)
    try:
        built.compile()
    finally:
        built._cache.release()
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
def _bits_set(typingctx: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@compiled_as(lambda word: _bits_set(word))
def bit_count(word: int) -> int:
    """How many bits of a 64-bit word are set; the word is not negative."""
    return word.bit_count()


@intrinsic
def lowest_bit(typingctx: Any, word: Any) -> Any:
    """The index of the lowest set bit of a 64-bit word; 64 when none is."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@intrinsic
def _leading_zeros(typingctx: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@compiled_as(lambda word: 63 - _leading_zeros(word))
def highest_bit(word: int) -> int:
    """The index of the highest set bit of a 64-bit word that is not negative; -1 when none is."""
    return int(word).bit_length() - 1


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
