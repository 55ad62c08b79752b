"""The independent chip model for many players without sampling: an integral over time.

Let each player finish at a random time, exponential with his chips as rate: then the order of these times is that of
the model (Stern, "Models for distributions on permutations", Journal of the American Statistical Association 85,
1990). At a given time the others have finished or not independently of each other, so how many of them have is known
by adding one player after another, and with that what finishing now is worth:

    what i can expect = integral of  s_i exp(-s_i t)  E[prize of the place behind those who finished before t]  dt

Over the logarithm of time the sum at equal steps converges so fast that halving the step doubles the digits
(Takahasi and Mori, "Double exponential formulas for numerical integration", Publications RIMS 9, 1974): steps are
halved until nothing changes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import float64, int64, void

from razz_sim.compiling import compiled
from razz_sim.tournament.icm import Prizes, Stacks, checked_prizes, checked_stacks

MOST_INTEGRATED = 2_000_000
"""Players times prizes that take some seconds and 16 MB; what is larger is better sampled."""
_ACCURACY = 1e-10
_FIRST_STEP = 0.5
_EARLIEST, _LATEST = 1e-14, 40.0


def integrated_icm(stacks: Stacks, prizes: Prizes) -> np.ndarray:
    """Each player's expected prize for many players, to nine digits of the pool at least.

    >>> integrated_icm([5000] * 20, [50, 30, 20])[0].round(9).item()
    5.0

    ValueError as for `icm`, and when players times prizes are more than 2,000,000 (`sampled_icm` takes these).
    """
    chips = checked_stacks(stacks)
    paid = checked_prizes(prizes, len(chips))
    live = chips > 0
    count = int(np.count_nonzero(live))
    if count * len(paid) > MOST_INTEGRATED:
        raise ValueError(
            f"{count:,} players with chips times {len(paid):,} prizes are more than {MOST_INTEGRATED:,}: "
            "these are sampled, by sampled_icm"
        )
    worth: np.ndarray = np.full(len(chips), paid[count:].sum() / max(1, len(chips) - count))
    worth[live] = _integral(chips[live], paid[:count])
    return worth


def _integral(chips: np.ndarray, prizes: np.ndarray) -> np.ndarray:
    """The same for players who all have chips."""
    first, last = np.log(_EARLIEST / chips.sum()), np.log(_LATEST / chips.min())
    step = _FIRST_STEP
    total = _at_times(chips, prizes, np.exp(np.arange(first, last + step, step)))
    while True:
        between = _at_times(chips, prizes, np.exp(np.arange(first + step / 2, last + step, step)))
        finer: np.ndarray = (total + between) / 2
        if np.abs(step * (finer - total)).max() <= _ACCURACY * max(prizes.sum(), prizes.max()):
            return finer * step
        total, step = 2 * finer, step / 2


def _at_times(chips: np.ndarray, prizes: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The sum of the integrand over so many times, for each player."""
    worth = np.zeros(len(chips))
    _add_times(chips, prizes, times, np.empty((len(chips) + 1, len(prizes))), np.empty(len(prizes)), worth)
    return worth


@compiled(void(int64[::1], float64[::1], float64[::1], float64[:, ::1], float64[::1], float64[::1]))
def _add_times(chips: Any, prizes: Any, times: Any, later: Any, finished: Any, worth: Any) -> None:
    """Add the integrand at each of the times to each player's `worth`; the other arrays are room.

    `later[player, place]` is what finishing now is worth when so many of the players before this one have finished;
    `finished[place]` the chance that so many have.
    """
    players, paid = len(chips), len(prizes)
    for time in times:
        for place in range(paid):
            later[players, place] = prizes[place]
        for player in range(players - 1, -1, -1):
            still_in = np.exp(-chips[player] * time)
            out = -np.expm1(-chips[player] * time)
            for place in range(paid - 1):
                later[player, place] = still_in * later[player + 1, place] + out * later[player + 1, place + 1]
            later[player, paid - 1] = still_in * later[player + 1, paid - 1]
        for place in range(paid):
            finished[place] = 0.0
        finished[0] = 1.0
        for player in range(players):
            still_in = np.exp(-chips[player] * time)
            out = -np.expm1(-chips[player] * time)
            if_now = 0.0
            for place in range(paid):
                if_now += finished[place] * later[player + 1, place]
            worth[player] += chips[player] * time * still_in * if_now
            for place in range(paid - 1, 0, -1):
                finished[place] = still_in * finished[place] + out * finished[place - 1]
            finished[0] *= still_in
