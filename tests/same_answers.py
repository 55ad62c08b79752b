"""A helper of strategies asked in compiled code and in plain Python: of compiled records, ctypes and NumPy views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from random_views import as_struct

Question = Callable[[Any, int, int], Any]
"""Asks about a view, one of its seats and a number from 0 to 8191 (a rank mask, or what can be made of it)."""

RECORDS = 500
"""So many views are asked as NumPy records, too."""


def compiled_answers(question: Question, views: np.ndarray, seats: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """The answers of the question compiled as a strategy is."""
    compiled = numba.njit(error_model="python", boundscheck=True)(question)

    @numba.njit  # type: ignore[untyped-decorator]
    def ask_all(views: Any, seats: Any, numbers: Any, answers: Any) -> None:
        for row in range(len(views)):
            answers[row] = compiled(views[row], seats[row], numbers[row])

    answers = np.zeros(len(views))
    ask_all(views, seats, numbers, answers)
    return answers


def assert_same_answers(question: Question, views: np.ndarray) -> None:
    """Compiled code and Python answer alike, to the last bit, about each of the views."""
    rng = np.random.default_rng(2)
    seats = rng.integers(0, views["seats"])
    numbers = rng.integers(0, 8192, len(views))
    records = views.view(np.recarray)
    expected = compiled_answers(question, views, seats, numbers)
    for row, (seat, number) in enumerate(zip(seats.tolist(), numbers.tolist(), strict=True)):
        assert question(as_struct(views[row]), seat, number) == expected[row], (row, seat, number)
        if row < RECORDS:
            assert question(records[row], seat, number) == expected[row], (row, seat, number)
