"""Runs that decide on the way: what is decided, when it is looked, and what is to be played until then.

A look falls on the end of a bin, so that what is decided there depends on nothing but the blocks before it: not on the
runner, the number of workers, the size of batches, or an interruption.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

FIRST_BINS, FIRST_BLOCKS = 16, 512
"""The first look of a stopping rule is when so many bins and blocks of a match are full: before, no error is known."""
LOOKS_AN_OCTAVE = 16
"""So often is looked while the number of blocks doubles."""

StopKind = Literal["difference", "test", "anytime"]
STOP_KINDS: tuple[StopKind, ...] = get_args(StopKind)


@dataclass(frozen=True, slots=True)
class StopRule:
    """When the matches of a setting end, before they have played all their hands: when it is known about two entrants.

    What is known is `name`'s big bets per 100 hands less `other`'s, where both sit. A `difference` is to be known to
    `half_width`, that of its 95 % interval. A `test` decides between the differences `h0` and `h1`, and errs with at
    most the probabilities `alpha` (h1 is taken where h0 is true) and `beta`. `anytime` ends when an interval that holds
    at every look with probability 1 - `alpha` does not hold 0, or is as narrow as `half_width`, if there is one.
    """

    kind: StopKind
    name: str
    other: str
    half_width: float | None = None
    h0: float = 0.0
    h1: float | None = None
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if self.name == self.other:
            raise ValueError(f"{self.name!r} cannot be compared with itself")
        if self.kind == "difference" and self.half_width is None:
            raise ValueError("a difference needs a half_width to stop at")
        if self.half_width is not None and self.half_width <= 0:
            raise ValueError(f"half_width {self.half_width} must be above 0")
        if self.kind == "test" and (self.h1 is None or self.h1 == self.h0):
            raise ValueError(f"a test needs an h1 that differs from h0 {self.h0}")
        if not 0 < self.alpha < 0.5 or not 0 < self.beta < 0.5:
            raise ValueError(f"alpha {self.alpha} and beta {self.beta} must be between 0 and 0.5")


def looks(blocks: int, bin_size: int, group: int = 1) -> tuple[int, ...]:
    """After how many blocks of a match it is looked: at ends of bins that cut no group, and at the end of all.

    Ever rarer, LOOKS_AN_OCTAVE times while the blocks double. The looks of a longer run are looks of a shorter one too.

    >>> looks(1000, bin_size=1)[:3], looks(100_000, bin_size=128)[:3], len(looks(100_000, bin_size=128))
    ((512, 544, 576), (2048, 2176, 2304), 90)
    """
    together = max(1, group // bin_size)
    found = []
    bins = max(FIRST_BINS, -(-FIRST_BLOCKS // bin_size))
    while bins * bin_size < blocks:
        step = max(together, (1 << (bins.bit_length() - 1)) // LOOKS_AN_OCTAVE)
        if bins % step == 0:
            found.append(bins * bin_size)
        bins += step - bins % step
    return (*found, blocks)


class Frontier:
    """What is to be played for now: of each scenario the blocks before its end, in the first so many stages.

    Kept in one array of numbers, which processes can share: how many stages are open, then the ends.
    """

    def __init__(self, numbers: np.ndarray) -> None:
        self.numbers = numbers

    @classmethod
    def only(cls, stages: int, ends: list[int]) -> Frontier:
        """These stages and blocks."""
        return cls(np.array([stages, *ends], dtype=np.int64))

    @property
    def open(self) -> int:
        """Of how many stages it is known what they play."""
        return int(self.numbers[0])

    @open.setter
    def open(self, stages: int) -> None:
        self.numbers[0] = stages

    @property
    def ends(self) -> np.ndarray:
        """For each scenario the first block that is not wanted."""
        return self.numbers[1:]


@dataclass(frozen=True, slots=True)
class SearchPlan:
    """A search among so many points for that at which an entrant wins most: in each round 1 of `factor` goes on.

    Of all rounds the last plays all hands of a point, each before it 1 / `factor` of them; who is left at the end is
    measured again on deals that no round has seen.
    """

    entrant: str
    points: int
    factor: int = 2

    def __post_init__(self) -> None:
        if self.points < 2:
            raise ValueError(f"a search needs at least 2 points, not {self.points}")
        if self.factor < 2:
            raise ValueError(f"factor {self.factor} must be at least 2: of so many points one goes on")

    def points_left(self) -> tuple[int, ...]:
        """How many points play in each round.

        >>> SearchPlan("hero", points=20).points_left()
        (20, 10, 5, 3, 2)
        """
        left = [self.points]
        while -(-left[-1] // self.factor) > 1:
            left.append(-(-left[-1] // self.factor))
        return tuple(left)

    def round_ends(self, blocks: int, unit: int) -> tuple[int, ...]:
        """After how many blocks of a match each round ends: whole units, and all of them after the last.

        >>> SearchPlan("hero", points=20).round_ends(blocks=1000, unit=1)
        (63, 125, 250, 500, 1000)
        """
        rounds = len(self.points_left())
        parts = [-(-blocks // self.factor ** (rounds - number)) for number in range(1, rounds + 1)]
        return tuple(min(blocks, -(-part // unit) * unit) for part in parts)
