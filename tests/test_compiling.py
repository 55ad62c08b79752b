"""Functions that are laid into compiled ones: they mean the same to Python, and are compiled once."""

from __future__ import annotations

from numba import int64

from razz_sim.compiling import compiled, inlined


@inlined
def plus(one: int, other: int) -> int:
    return one + other


def test_what_is_laid_in_can_be_called_from_python_too() -> None:
    assert plus(2**62, 2**62) == -(2**63)


def test_constants_need_no_copy_of_their_own() -> None:
    @compiled(int64(int64))
    def count(number: int) -> int:
        return plus(plus(plus(number, 1), 2), number)

    assert count(5) == 13
    assert len(plus.overloads) == 1  # type: ignore[attr-defined]
