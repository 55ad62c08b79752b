"""The mixture that nobody beats: games whose solution is known, and what any solution must satisfy."""

from __future__ import annotations

import numpy as np
import pytest
from test_comparisons import compared

from razz_sim.statistics.equilibrium import equilibrium, mixture


@pytest.mark.parametrize(
    ("differences", "shares"),
    [
        ([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], [1 / 3, 1 / 3, 1 / 3]),
        ([[0, 1, -2], [-1, 0, 3], [2, -3, 0]], [1 / 2, 1 / 3, 1 / 6]),
        ([[0, 5, 2], [-5, 0, 9], [-2, -9, 0]], [1, 0, 0]),
        ([[0, -1], [1, 0]], [0, 1]),
    ],
    ids=["rock, paper, scissors", "unequal stakes", "one beats all", "two"],
)
def test_games_whose_solution_is_known(differences: list[list[float]], shares: list[float]) -> None:
    """Of a cycle of three the shares are as what the other two play for: here 3, 2 and 1 parts."""
    assert mixture(np.array(differences)) == pytest.approx(shares, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_no_single_one_beats_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(3, 14))
    upper = np.triu(rng.normal(0, 20, (size, size)), 1)
    differences = upper - upper.T
    shares = np.array(mixture(differences))
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    assert (shares @ differences).min() >= -1e-6


def test_of_a_field_the_best_against_all_is_all_of_it() -> None:
    found, _, _ = compared("tight", "caller", "best", hands=3000)
    mixed = equilibrium(found)
    assert [one.name for one in mixed] == [one.name for one in found.field]
    assert {one.name: one.share for one in mixed} == pytest.approx({"best": 1, "tight": 0, "caller": 0})
    assert all(one.ci95 is not None and one.ci95[0] <= one.share <= one.ci95[1] for one in mixed)


def test_how_sure_the_shares_are_is_told_where_errors_are_known() -> None:
    found, _, _ = compared("random 1", "random 2", "random 3", hands=2000)
    for one in equilibrium(found):
        assert one.ci95 is not None
        assert one.ci95[1] - one.ci95[0] > 0.5, "nobody knows who of three equals is the best"
    single, _, _ = compared("random 1", "random 2", "random 3", hands=2)
    assert [one.ci95 for one in equilibrium(single)] == [None] * 3


def test_two_have_none() -> None:
    found, _, _ = compared("tight", "caller", hands=200)
    assert equilibrium(found) == ()
