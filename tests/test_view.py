"""The view: one layout for compiled and for Python strategies, and the same answers of its helpers in both."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from random_views import as_struct, random_views
from same_answers import Question, assert_same_answers

from razz_sim.view import (
    FOLD,
    RAISE,
    STAY,
    VIEW,
    ViewStruct,
    board_key,
    different_ranks,
    highest_rank,
    my_key,
    raise_or_stay,
    raise_to,
    stay_or_fold,
    uniform,
)


@pytest.mark.parametrize("name", VIEW.names or ())
def test_a_field_of_the_struct_lies_where_the_record_has_it(name: str) -> None:
    kind, offset = VIEW.fields[name][:2]  # type: ignore[index]
    field = getattr(ViewStruct, name)
    assert (field.offset, field.size) == (offset, kind.itemsize)


def test_the_struct_has_no_other_fields_and_the_size_of_the_record() -> None:
    assert tuple(name for name, *_ in ViewStruct._fields_) == VIEW.names
    assert ctypes.sizeof(ViewStruct) == VIEW.itemsize


def plain(value: Any) -> Any:
    """A field of the struct as numbers and lists."""
    return [plain(item) for item in value] if isinstance(value, ctypes.Array) else value


def test_the_struct_holds_the_records_numbers_as_whole_numbers_of_python() -> None:
    for view in random_views(300):
        struct = as_struct(view)
        for name in VIEW.names or ():
            assert plain(getattr(struct, name)) == view[name].tolist()
        assert type(struct.pot) is type(struct.up[0][0]) is int


QUESTIONS: dict[str, Question] = {
    "different_ranks": lambda view, seat, number: different_ranks(view.my_once),
    "different_ranks of a plain mask": lambda view, seat, number: different_ranks(number),
    "highest_rank": lambda view, seat, number: highest_rank(view.board_once[seat]),
    "highest_rank of a plain mask": lambda view, seat, number: highest_rank(number),
    "raise_or_stay": lambda view, seat, number: raise_or_stay(view),
    "stay_or_fold": lambda view, seat, number: stay_or_fold(view),
    "raise_to": lambda view, seat, number: raise_to(view.raise_max),
    "my_key": lambda view, seat, number: my_key(view),
    "board_key": lambda view, seat, number: board_key(view, seat),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_helpers_answer_alike_in_compiled_code_and_in_python(name: str) -> None:
    assert_same_answers(QUESTIONS[name], random_views(3_000))


def test_uniform_draws_the_same_numbers_from_words_of_all_sizes() -> None:
    import numba

    draw = numba.njit(lambda word, index: uniform(word, index))
    for word in (0, 1, 2**63, 2**64 - 1, *(3**number % 2**64 for number in range(1, 200))):
        for index in (0, 1, 5, 1000):
            assert uniform(word, index) == draw(np.uint64(word), index) == uniform(np.uint64(word), index)


def test_uniform_draws_from_an_array_what_each_word_alone_gives() -> None:
    words = np.random.default_rng(3).integers(0, 2**64 - 1, 2_000, dtype=np.uint64, endpoint=True)
    for index in (0, 1, 2, 77, 10**9):
        assert uniform(words, index).tolist() == [uniform(word, index) for word in words.tolist()]
    assert uniform(words[:0], 0).shape == (0,)


def test_answers_in_plain_python() -> None:
    view = ViewStruct(to_call=5, can_fold=1)
    assert (stay_or_fold(view), raise_or_stay(view), raise_to(20)) == (FOLD, STAY, RAISE | 20 << 2)
    assert (highest_rank(0), highest_rank(0b1000000000001), different_ranks(0)) == (-1, 12, 0)
