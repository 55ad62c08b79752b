"""Functions that are laid into compiled ones: what Python is told that calls them, and how often they are compiled."""

from __future__ import annotations

import pytest
from numba import int64

from razz_sim.compiling import compiled, inlined


@inlined
def plus(one: int, other: int) -> int:
    return one + other


def test_what_is_laid_in_cannot_be_called_from_python() -> None:
    with pytest.raises(TypeError, match="plus is laid into compiled functions and cannot be called from Python"):
        plus(1, 2)


def test_constants_need_no_copy_of_their_own() -> None:
    @compiled(int64(int64))
    def count(number: int) -> int:
        return plus(plus(plus(number, 1), 2), number)

    assert count(5) == 13
    assert len(plus.overloads) == 1  # type: ignore[attr-defined]
