"""Strategies in plain Python: callbacks that the loops call by address, like machine code.

The view is read where the loop wrote it, as a `ctypes.Structure` over the same bytes. Each copy has an instance of its
own, made anew for each block: the loops clear a copy's memory when a block begins, and in the first float of it a
callback leaves a mark that its instance is there.
"""

from __future__ import annotations

import ctypes
from collections import namedtuple
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from razz_sim.outcome import OutcomeStruct
from razz_sim.strategy.declaration import StrategyError
from razz_sim.strategy.source import StrategySource, declared_body, where
from razz_sim.strategy.weighing import weighed
from razz_sim.view import ViewStruct

MARKS = 1
"""Floats of memory that each copy of a Python strategy needs for its mark."""
_FLOAT_SHIFT = 3
_LARGEST_ANSWER = 2**62

_Callback = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_uint64)


class WrongAnswer(TypeError):
    """A strategy answered with something that is no answer."""


def named_params(source: StrategySource, params: Mapping[str, float]) -> Any:
    """Parameters as attributes that cannot be set, in their declared kinds."""
    kinds: dict[str, Callable[[float], object]] = {"int": int, "float": float, "bool": bool}
    names = [parameter.name for parameter in source.parameters]
    values = [kinds[parameter.kind](params[parameter.name]) for parameter in source.parameters]
    kind: Any = namedtuple("Params", names)  # type: ignore[misc]
    return kind(*values)


class PythonPlayers:
    """All copies of one entrant in plain Python.

    `raised` and `exhausted` are what the loops take for an exception and for a lack of memory; `memory` is the floats
    of all copies at all tables, in which each has `MARKS`.
    """

    def __init__(
        self,
        source: StrategySource,
        params: Mapping[str, float],
        view: np.ndarray,
        outcome: np.ndarray,
        memory: np.ndarray,
        *,
        raised: int,
        exhausted: int,
    ) -> None:
        self._errors: dict[int, BaseException] = {}
        self._class: type = declared_body(source)
        self._params = named_params(source, params)
        self._is_plain = _is_plain(self._class)
        self._players: dict[int, Any] = {}
        self._acts: dict[int, Callable[..., object]] = {}
        self._marks: Any = (ctypes.c_double * memory.size).from_buffer(memory.data)
        self._base = memory.ctypes.data
        self._raised, self._exhausted = raised, exhausted
        self._act = _Callback(weighed(self._asked(ViewStruct.from_buffer(view.data))))
        self.address = ctypes.cast(self._act, ctypes.c_void_p).value or 0
        self.observer = 0
        if callable(getattr(self._class, "observe", None)):
            self._observe = _Callback(weighed(self._told(outcome.data)))
            self.observer = ctypes.cast(self._observe, ctypes.c_void_p).value or 0

    def _asked(self, seen: ctypes.Structure) -> Callable[..., int]:
        """What the loops call for a decision: with all that it needs at hand, since each step here costs."""
        marks, base, acts = self._marks, self._base, self._acts
        begin, failed, wrong = self._begin, self._failed, _whole_answer

        def asked(_view: int, _params: int, place: int, word: int) -> int:
            try:
                index = (place - base) >> _FLOAT_SHIFT
                if not marks[index]:
                    begin(index)
                answer = acts[index](seen, word)
                if type(answer) is int and 0 <= answer < _LARGEST_ANSWER:
                    return answer
                return wrong(answer)
            except BaseException as error:
                return failed(place, error)

        return asked

    def _told(self, outcome: memoryview) -> Callable[..., int]:
        """What the loops call when a hand is over. A copy is shown: one that is kept must not turn into a rival's."""
        copied = OutcomeStruct.from_buffer_copy

        def told(_outcome: int, _params: int, place: int, _word: int) -> int:
            try:
                index = (place - self._base) >> _FLOAT_SHIFT
                if not self._marks[index]:
                    self._begin(index)
                self._players[index].observe(copied(outcome))
            except BaseException as error:
                return self._failed(place, error)
            return 0

        return told

    def _begin(self, index: int) -> None:
        """Make the instance of a copy for a new block; the last block's serves when it holds only its parameters."""
        if not (self._is_plain and self._is_as_made(self._players.get(index))):
            player = new_player(self._class, self._params)
            self._players[index] = player
            self._acts[index] = player.act
        self._marks[index] = 1.0

    def _is_as_made(self, player: Any) -> bool:
        """Whether an instance of a plain class is as it was made."""
        if type(player) is not self._class:
            return False
        held = vars(player)
        return len(held) == 1 and held.get("params") is self._params

    def error_of(self, memory: np.ndarray) -> BaseException | None:
        """The last exception of the copy whose memory this is."""
        return self._errors.get(self._index(memory.ctypes.data))

    def _index(self, place: int) -> int:
        return (place - self._base) >> _FLOAT_SHIFT

    def _failed(self, place: int, error: BaseException) -> int:
        self._errors[self._index(place)] = error
        return self._exhausted if isinstance(error, MemoryError) else self._raised


class _Plain:
    pass


def _is_plain(body: Any) -> bool:
    """Whether instances of a class hold nothing but what is in their dictionary, and making one only sets that up."""
    unmade = body.__init__ is object.__init__ and body.__new__ is object.__new__
    slotted = any("__slots__" in vars(base) for base in body.__mro__)
    return unmade and not slotted and (body.__basicsize__, body.__itemsize__) == (_Plain.__basicsize__, 0)


def new_player(body: type, params: Any) -> Any:
    """An instance of a strategy's class, which finds its parameters in `self.params` from the first."""
    maker: Any = body
    player = maker.__new__(body)
    player.params = params
    player.__init__()
    return player


def _whole_answer(answer: object) -> int:
    """The answer that a number of another type than int stands for; WrongAnswer when it is none."""
    if not isinstance(answer, bool) and hasattr(answer, "__index__"):
        number = int(answer.__index__())
        if 0 <= number < _LARGEST_ANSWER:
            return number
    kind = "" if answer is None else f", a {type(answer).__name__}"
    raise WrongAnswer(f"it answered {repr(answer)[:60]}{kind}: an answer is FOLD, STAY, RAISE or raise_to(amount)")


def check_class(source: StrategySource) -> None:
    """StrategyError when a class cannot be instantiated with its default parameters."""
    defaults = {parameter.name: parameter.default for parameter in source.parameters}
    try:
        make(source, defaults)
    except StrategyError as error:
        raise StrategyError(f"{source.spec} cannot be made: {error}") from error


def make(source: StrategySource, params: Mapping[str, float]) -> None:
    """Make an instance of a class, to see whether that can be done; StrategyError says what it raises."""
    try:
        new_player(declared_body(source), named_params(source, params))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise StrategyError(where(error, source.filename)) from error
