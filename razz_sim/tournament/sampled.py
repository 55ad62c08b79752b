"""The independent chip model for any number of players: finishing orders are drawn as the model says, chip by chip.

One of all chips is drawn, and its owner finishes first; then one of those that are left; and so on, in integers only.
What a player gets in a sample is not the prize of his place, but what he could expect at each place as it was drawn:
his share of the chips that were left then, times the prize, while he had not finished. Its mean is the same, it
spreads less (Rao and Blackwell), and its sum over the players is that of the prizes in each sample. The first two
places are worked out exactly and not sampled at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numba import float64, int64, uint64, void

from razz_sim.compiling import compiled, inlined
from razz_sim.seeding import FINISH, below, derive, derived, word_at
from razz_sim.tournament.icm import Prizes, Stacks, checked_prizes, checked_stacks

LEAST_SAMPLES = 1000
"""Fewer have no sound interval."""
LEAST_SEEN = 30
"""Who finished so seldom, or failed to finish so seldom, in places that were drawn has no sound interval either."""
USUAL_SAMPLES = 20_000
MOST_SEED = 2**64 - 1
_POINT = NormalDist().inv_cdf(0.975)
_FIRST_ROUND, _LONGEST_ROUND = 1024, 65_536


@dataclass(frozen=True, slots=True)
class SampledPrizes:
    """Each player's expected prize with its standard error, from so many finishing orders.

    The error is not a number for a player who was drawn too seldom, or nearly always: it would be told too small.
    """

    value: np.ndarray
    std_error: np.ndarray
    samples: int

    @property
    def ci95(self) -> np.ndarray:
        """The 95 % interval of each player: `[player, end]`."""
        return np.stack([self.value - _POINT * self.std_error, self.value + _POINT * self.std_error], axis=1)


def sampled_icm(
    stacks: Stacks, prizes: Prizes, *, seed: int = 0, samples: int | None = None, half_width: float | None = None
) -> SampledPrizes:
    """Each player's expected prize, for any number of players, from so many finishing orders: 20,000 if not said.

    >>> sampled_icm([5000] * 20, [50, 30, 20]).value[0].round(1).item()  # 100 / 20, as for all of them
    5.0

    With `half_width`, in the prizes' unit, it draws until no 95 % interval that is known reaches further to each side.
    The same seed draws the same orders; more samples begin with those of fewer. ValueError as for `icm`, and for a
    number of samples below 1,000 or beside `half_width`.
    """
    if samples is not None and half_width is not None:
        raise ValueError("samples stands beside half_width: one of them must go")
    if samples is not None and samples < LEAST_SAMPLES:
        raise ValueError(f"samples {samples} must be at least {LEAST_SAMPLES}: fewer have no sound interval")
    if half_width is not None and not half_width > 0:
        raise ValueError(f"half_width {half_width} must be above 0")
    if not 0 <= seed <= MOST_SEED:
        raise ValueError(f"seed {seed} must be from 0 to {MOST_SEED}")
    chips = checked_stacks(stacks)
    paid = checked_prizes(prizes, len(chips))
    live = chips > 0
    count = np.count_nonzero(live)
    most = samples or (USUAL_SAMPLES if half_width is None else None)
    found = _sampled(chips[live], paid[:count], np.uint64(derived(seed, FINISH)), most, half_width)
    value, std_error = np.full(len(chips), paid[count:].sum() / max(1, len(chips) - count)), np.zeros(len(chips))
    value[live], std_error[live] = found.value, found.std_error
    return SampledPrizes(value, std_error, found.samples)


def _sampled(
    chips: np.ndarray, prizes: np.ndarray, key: np.uint64, most: int | None, half: float | None
) -> SampledPrizes:
    """The same for players who all have chips, until there are `most` samples or all intervals are narrow enough."""
    exact = _first_two(chips, prizes)
    rest = np.where(np.arange(len(prizes)) < 2, 0.0, prizes)
    usual = float(rest.sum() / chips.sum())
    sums = np.zeros((3, len(chips)))
    drawn = 0
    while True:
        stop = drawn + min(max(drawn, _FIRST_ROUND), _LONGEST_ROUND)
        stop = stop if most is None else min(stop, most)
        _add_orders(chips, rest, usual, key, drawn, stop, sums)
        drawn = stop
        mean = sums[0] / drawn
        std_error = chips * np.sqrt(np.maximum(0.0, sums[1] / drawn - mean**2) / (drawn - 1))
        told = (sums[2] >= LEAST_SEEN) & (sums[2] <= drawn - LEAST_SEEN) | (not rest.any())
        if drawn == most or (half is not None and told.any() and _POINT * std_error[told].max() <= half):
            std_error[~told] = np.nan
            return SampledPrizes(exact + chips * (usual + mean), std_error, drawn)


def _first_two(chips: np.ndarray, prizes: np.ndarray) -> np.ndarray:
    """What each player can expect of the first two prizes, exactly."""
    share: np.ndarray = chips / chips.sum()
    worth: np.ndarray = prizes[0] * share
    if len(prizes) == 1:
        return worth
    odds = chips / (chips.sum() - chips)
    before, after = np.cumsum(odds[:-1]), np.cumsum(odds[:0:-1])[::-1]
    others = np.concatenate(([0.0], before)) + np.concatenate((after, [0.0]))
    worth += prizes[1] * share * others
    return worth


@inlined
def _add_chips(tree: Any, leaf: int, chips: int) -> None:
    """Give a leaf of a tree of sums so many chips more."""
    while leaf > 0:
        tree[leaf] += chips
        leaf >>= 1


@inlined
def _owner(tree: Any, leaves: int, number: Any) -> int:
    """The leaf whose chips chip `number` is among, counted from 0."""
    chip = int64(number)
    node = 1
    while node < leaves:
        node *= 2
        if chip >= tree[node]:
            chip -= tree[node]
            node += 1
    return node


@compiled(void(int64[::1], float64[::1], float64, uint64, int64, int64, float64[:, ::1]))
def _add_orders(chips: Any, prizes: Any, usual: float, key: Any, first: int, stop: int, sums: Any) -> None:
    """Add the samples `first` to `stop` to each player's sum and sum of squares: expected prize by chip less `usual`.

    The third sum counts how often he finished before the last place that is paid.
    By chip, all who have not finished expect the same, so that a sample touches only those who are paid.
    """
    players, paid = len(chips), len(prizes)
    leaves = 1
    while leaves < players:
        leaves *= 2
    tree = np.zeros(2 * leaves, dtype=np.int64)
    for player in range(players):
        _add_chips(tree, leaves + player, chips[player])
    finisher, by_chip = np.empty(paid, dtype=np.int64), np.empty(paid)
    total, squares = 0.0, 0.0
    for sample in range(first, stop):
        stream = derive(key, uint64(sample))
        worth = -usual
        for place in range(paid):
            worth += prizes[place] / tree[1]
            by_chip[place] = worth
            if place < paid - 1:
                leaf = _owner(tree, leaves, below(word_at(stream, uint64(place)), uint64(tree[1])))
                finisher[place] = leaf - leaves
                _add_chips(tree, leaf, -tree[leaf])
        total += worth
        squares += worth * worth
        for place in range(paid - 1):
            player = finisher[place]
            _add_chips(tree, leaves + player, chips[player])
            sums[0, player] += by_chip[place] - worth
            sums[1, player] += by_chip[place] * by_chip[place] - worth * worth
            sums[2, player] += 1.0
    for player in range(players):
        sums[0, player] += total
        sums[1, player] += squares
