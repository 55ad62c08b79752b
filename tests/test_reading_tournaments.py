"""What strategies read of a tournament: the final table, and what stacks can expect of the prizes."""

from __future__ import annotations

import math
import random
from typing import Any

import numba
import numpy as np
import pytest
from random_views import as_struct

from razz_sim.reading import at_final_table, expected_prize
from razz_sim.rules import MAX_SEATS
from razz_sim.tournament import icm
from razz_sim.view import VIEW, VIEW_TYPE


@numba.njit(numba.float64(VIEW_TYPE, numba.int64, numba.int64))  # type: ignore[untyped-decorator]
def compiled_worth(view: Any, seat: int, gain: int) -> float:
    """`expected_prize` as compiled strategies call it."""
    return expected_prize(view, seat, gain)


def final_table(rng: random.Random) -> tuple[np.void, list[int]]:
    """A view of a final table in the middle of a hand, some seats empty and some all-in, and who sits where."""
    view = np.zeros(1, dtype=VIEW)[0]
    view["seats"] = MAX_SEATS
    seats = rng.sample(range(MAX_SEATS), rng.randint(2, MAX_SEATS))
    for seat in seats:
        view["stack"][seat] = rng.choice([0, rng.randint(1, 5000)])
        view["total_in"][seat] = rng.randint(1, 50)
    view["stack"][seats[0]] += 1
    view["players_left"] = len(seats)
    paid = rng.randint(1, len(seats))
    view["prizes"][:paid] = sorted((rng.randint(0, 1000) for _ in range(paid)), reverse=True)
    return view, seats


@pytest.mark.parametrize("seed", range(40))
def test_what_a_seat_can_expect_is_the_chip_models(seed: int) -> None:
    rng = random.Random(seed)
    view, seats = final_table(rng)
    seat, gain = rng.choice(seats), rng.choice([0, rng.randint(1, 400)])
    stacks = [int(view["stack"][other]) + (gain if other == seat else 0) for other in seats]
    exact = icm(stacks, [int(prize) for prize in view["prizes"][: len(seats)]])[seats.index(seat)]
    assert compiled_worth(view, seat, gain) == pytest.approx(exact, rel=1e-9, abs=1e-9)
    assert expected_prize(as_struct(view), seat, gain) == compiled_worth(view, seat, gain)


def test_with_others_at_other_tables_nothing_is_claimed() -> None:
    view, seats = final_table(random.Random(1))
    assert at_final_table(as_struct(view))
    view["players_left"] += 1
    assert not at_final_table(as_struct(view))
    assert math.isnan(expected_prize(as_struct(view), seats[0], 0))
    assert math.isnan(compiled_worth(view, seats[0], 0))
