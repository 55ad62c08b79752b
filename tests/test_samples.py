"""Random points: exact, none twice, all as likely, the same for the same seed."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from razz_sim.config.notes import Notes
from razz_sim.config.samples import Range, draw, points_in, read_ranges
from razz_sim.config.tree import from_python, written

FALSE_ALARM = 1e-6


def ranges_of(**given: Any) -> list[Range]:
    """Ranges at a key of their own: what `sweep.samples` reads others read too."""
    notes = Notes(
        from_python({"elsewhere": {"count": 5, **{key.replace("__", "."): one for key, one in given.items()}}})
    )
    found = read_ranges(notes, ("elsewhere",), but=("count",))
    notes.raise_if_any()
    return found


def points(ranges: list[Range], count: int, seed: int, stream: int = 0) -> list[tuple[str, ...]]:
    return [tuple(map(written, point)) for point in draw(ranges, count, seed, stream)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"low": 5, "high": 8}, ["5", "6", "7", "8"]),
        ({"low": Decimal("0.10"), "high": Decimal("0.13")}, ["0.10", "0.11", "0.12", "0.13"]),
        ({"low": 0, "high": Decimal("0.3")}, ["0.0", "0.1", "0.2", "0.3"]),
        ({"low": Decimal("0.1"), "high": Decimal("0.6"), "step": Decimal("0.25")}, ["0.10", "0.35", "0.60"]),
        ({"low": -2, "high": 4, "step": 3}, ["-2", "1", "4"]),
        ({"low": Decimal("1e2"), "high": Decimal("1.03e2")}, ["100", "101", "102", "103"]),
        ({"low": 7, "high": 7}, ["7"]),
        (["wsop_live", {"preset": "low_card_a", "burn_cards": True}],
         ["wsop_live", "{preset: low_card_a, burn_cards: true}"]),
    ],
)  # fmt: skip
def test_a_range_has_exact_values_as_fine_as_it_is_written(given: object, expected: list[str]) -> None:
    (one,) = ranges_of(stack=given)
    assert [written(one.values.value(number)) for number in range(one.values.size)] == expected


@given(sizes=st.lists(st.integers(1, 6), min_size=1, max_size=3), seed=st.integers(0, 2**64 - 1), share=st.floats(0, 1))
def test_no_point_is_drawn_twice_and_all_are_when_as_many_are_asked_for(
    sizes: list[int], seed: int, share: float
) -> None:
    paths = ("stack", "hands", "stakes__ante")
    ranges = ranges_of(**{path: {"low": 1, "high": size} for path, size in zip(paths, sizes, strict=False)})
    everything = set(product(*([str(value) for value in range(1, size + 1)] for size in sizes)))
    assert points_in(ranges) == len(everything)
    drawn = points(ranges, len(everything), seed)
    assert len(drawn) == len(everything)
    assert set(drawn) == everything
    some = round(share * len(everything))
    assert points(ranges, some, seed) == drawn[:some], "more points begin with those of fewer"
    with pytest.raises(ValueError, match="cannot be drawn"):
        draw(ranges, len(everything) + 1, seed)


@pytest.mark.parametrize("place", [0, 1, 4])
def test_each_point_is_as_likely_in_each_place(place: int) -> None:
    ranges = ranges_of(stack={"low": 1, "high": 3}, rules=["pokerstars", "wsop_live"])
    counts = Counter(points(ranges, 5, seed)[place] for seed in range(6000))
    assert len(counts) == 6
    assert chi2.sf(sum((count - 1000) ** 2 / 1000 for count in counts.values()), 5) > FALSE_ALARM


def test_streams_of_a_seed_differ_and_the_order_of_values_is_all_that_a_list_adds() -> None:
    numbers, words = ranges_of(stack={"low": 0, "high": 9}), ranges_of(stack=list("abcdefghij"))
    assert points(numbers, 9, 7) != points(numbers, 9, 7, stream=1)
    assert [(str("abcdefghij".index(word)),) for (word,) in points(words, 9, 7)] == points(numbers, 9, 7)


def test_from_very_many_points_a_few_are_drawn_at_once() -> None:
    fine = {"low": Decimal("0.00000001"), "high": Decimal("999999999999.00000000")}
    ranges = ranges_of(stack=fine, hands=fine, stakes__ante=fine)
    assert points_in(ranges) > 10**59
    drawn = points(ranges, 1000, 7)
    assert len(set(drawn)) == 1000
    for path in range(3):
        values = [Decimal(point[path]) for point in drawn]
        assert all(Decimal("0.00000001") <= value <= 999_999_999_999 for value in values)
        assert 450e9 < sum(values) / 1000 < 550e9
