"""Figures from repeats: how much was done in how long."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median

Work = Callable[[int], int]
"""Do so many units; the answer is how many smaller things were done meanwhile (decisions), 0 where none are counted."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """One measurement."""

    units: int
    inner: int
    seconds: float

    @property
    def rate(self) -> float:
        """Units a second."""
        return self.units / self.seconds


@dataclass(slots=True)
class Row:
    """A figure: what is counted (hands, evaluations), how the work is done, and the repeats so far."""

    name: str
    unit: str
    work: Work
    units: int = 0
    repeats: list[Repeat] = field(default_factory=list)

    def calibrate(self, seconds: float, first: int = 1) -> None:
        """Warm up, and find how many units take about so long."""
        self.units = first
        self.work(self.units)
        while True:
            taken = self._once().seconds
            if taken >= seconds / 4:
                break
            self.units *= 4 if taken < seconds / 16 else 2
        self.units = max(1, round(self.units * seconds / taken))

    def measure(self) -> None:
        """One more repeat."""
        self.repeats.append(self._once())

    def _once(self) -> Repeat:
        began = time.perf_counter()
        inner = self.work(self.units)
        return Repeat(self.units, inner, time.perf_counter() - began)

    @property
    def best(self) -> float:
        """Units a second in the best repeat."""
        return max(repeat.rate for repeat in self.repeats)

    @property
    def middle(self) -> float:
        """Units a second in the median repeat."""
        return median(repeat.rate for repeat in self.repeats)

    @property
    def inner_per_unit(self) -> float:
        """Decisions a hand."""
        return self.repeats[-1].inner / self.repeats[-1].units


def ratio(over: Row, under: Row) -> tuple[float, float]:
    """How many times faster one row is than another: best against best, and the median over the rounds."""
    by_round = [a.rate / b.rate for a, b in zip(over.repeats, under.repeats, strict=True)]
    return over.best / under.best, median(by_round)
