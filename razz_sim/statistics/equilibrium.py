"""The mixture that no one of a field beats: an average rewards who beats the weak, this rewards who is not beaten.

A round robin is a matrix of differences D, what the row's entrant wins more than the column's. Whoever picks entrants
with the shares x of a mixture wins at least v from each single one, where x and v solve the linear program

    maximise v    subject to    sum_i x_i D_ij >= v for every j,   sum_i x_i = 1,   x_i >= 0

(von Neumann, "Zur Theorie der Gesellschaftsspiele", Mathematische Annalen 100, 1928). As D_ij = -D_ji, v is 0. The same
is solved for matrices drawn from the errors of the differences, to tell how sure the shares are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from razz_sim.statistics.comparisons import Comparison
from razz_sim.statistics.estimates import Interval

LEAST_FIELD = 3
"""In a smaller field the better one is the mixture."""
_DRAWS = 200
_ENDS = (2.5, 97.5)


@dataclass(frozen=True, slots=True)
class MixedIn:
    """An entrant's share of the unbeaten mixture; `ci95` holds 95 % of its shares in matrices drawn from the errors."""

    name: str
    share: float
    ci95: Interval | None


def equilibrium(comparison: Comparison) -> tuple[MixedIn, ...]:
    """The mixture of a field in which everybody met everybody, in its order; nothing for others or a small one."""
    names = [one.name for one in comparison.field]
    if len(names) < LEAST_FIELD or not comparison.all_met:
        return ()
    place = {name: number for number, name in enumerate(names)}
    value, error = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    known = True
    for pair in comparison.against:
        row, column = place[pair.name], place[pair.other]
        value[row, column], value[column, row] = pair.difference.value, -pair.difference.value
        known &= pair.difference.std_error is not None
        error[row, column] = pair.difference.std_error or 0.0
    shares = mixture(value)
    if not known:
        return tuple(MixedIn(name, share, None) for name, share in zip(names, shares, strict=True))
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(_DRAWS):
        off = np.triu(error + error.T, 1) * rng.standard_normal(value.shape)
        drawn.append(mixture(value + off - off.T))
    low, high = np.percentile(np.array(drawn), _ENDS, axis=0)
    return tuple(
        MixedIn(name, share, (float(least), float(most)))
        for name, share, least, most in zip(names, shares, low, high, strict=True)
    )


def mixture(differences: np.ndarray) -> Sequence[float]:
    """The shares of the mixture that wins the most from who does best against it.

    >>> [round(share, 3) for share in mixture(np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]))]
    [0.333, 0.333, 0.333]
    """
    from scipy.optimize import linprog  # takes a third of a second to import

    count = len(differences)
    solved = linprog(
        c=[*np.zeros(count), -1.0],
        A_ub=np.column_stack([-differences.T, np.ones(count)]),
        b_ub=np.zeros(count),
        A_eq=[[*np.ones(count), 0.0]],
        b_eq=[1.0],
        bounds=[*[(0, 1)] * count, (None, None)],
        method="highs",
    )
    shares = np.clip(solved.x[:count], 0, None)
    found: list[float] = (shares / shares.sum()).tolist()
    return found
