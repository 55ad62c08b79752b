"""Who keeps memory: strategies weighed decision by decision, in a process that follows one that ran out of it.

Who asks for the last page need not be who keeps the others. Weighing costs more than many a decision, so that it is
done only then. What Python and NumPy allocate is weighed; pages would mislead, since freed ones are filled by others.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

Place = tuple[int, int, int, int]
"""The block, hand, copy and decision of who is being asked."""


class Scales:
    """How much memory each copy keeps, and the last decision after which it kept more."""

    def __init__(self, place: Callable[[], Place]) -> None:
        self._place = place
        self._kept: dict[int, int] = {}
        self._last: dict[int, Place] = {}

    def weighed(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """What a call returns or raises, weighed."""
        place = self._place()
        before, _ = tracemalloc.get_traced_memory()
        try:
            return call(*arguments)
        finally:
            more = tracemalloc.get_traced_memory()[0] - before
            copy = place[2]
            self._kept[copy] = self._kept.get(copy, 0) + more
            if more > 0:
                self._last[copy] = place

    def keeper(self, most: int) -> Place | None:
        """The last decision after which a copy that keeps over `most` bytes kept more; None without such a copy."""
        copy = max(self._kept, key=lambda one: self._kept[one], default=None)
        return self._last[copy] if copy is not None and self._kept[copy] > most else None


_scales: Scales | None = None


def weigh(place: Callable[[], Place]) -> Scales:
    """Weigh all strategies that are made ready in this process from now on."""
    global _scales
    tracemalloc.start()
    _scales = Scales(place)
    return _scales


def weighed(call: Callable[..., Any]) -> Callable[..., Any]:
    """A strategy's function, weighed where that is to be done."""
    return call if _scales is None else partial(_scales.weighed, call)
