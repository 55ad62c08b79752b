"""An experiment as plain frozen data, and its schedule: which blocks there are, and how they fall into bins.

*experiment* > *scenario* (rules, stakes, line-up) > *block* (one deal, the independent sample) > *hand*. A hand is
a pure function of the experiment and these coordinates; how blocks are grouped into bins and batches changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from razz_sim.rules import MAX_SEATS, MIN_SEATS, RuleSet, Stakes
from razz_sim.strategy import StrategySource

MAX_BINS = 1024
"""The blocks of a scenario fall into at most this many bins of equal size."""
MAX_HANDS = 10**12
"""So that the limbs of a bin's squares stay inside 64 bits (see `razz_sim.tally`)."""
TALLY_LIMIT = 2**62
"""No total may come near 64 bits, whatever happens at the table."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A named strategy with its parameters, in one or more seats.

    `params` holds every declared parameter as (name, value), in the order the strategy declares them.
    """

    name: str
    strategy: StrategySource
    params: tuple[tuple[str, float], ...] = ()
    seats: int = 1

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("an entrant's name must not be empty")
        if self.seats < 1:
            raise ValueError(f"entrant {self.name!r} has {self.seats} seats; at least one")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One point of an experiment: what is played, for what, by whom. `stack` is in smallest units."""

    name: str
    rules: RuleSet
    stakes: Stakes
    stack: int
    lineup: tuple[Entrant, ...]
    hands: int

    def __post_init__(self) -> None:
        names = [entrant.name for entrant in self.lineup]
        if len(set(names)) < len(names):
            raise ValueError(f"entrant names must differ, not {names}")
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise ValueError(f"the line-up fills {self.seats} seats; a table has {MIN_SEATS} to {MAX_SEATS}")
        if not 1 <= self.hands <= MAX_HANDS:
            raise ValueError(f"hands {self.hands} must be from 1 to {MAX_HANDS}")
        if self.stack < 1:
            raise ValueError(f"stack {self.stack} must be at least one smallest unit")
        if self.stack % self.stakes.chip:
            stack, chip = self.stakes.money(self.stack), self.stakes.money(self.stakes.chip)
            raise ValueError(f"stack {stack} must be a multiple of chip {chip}")
        if self.stack * self.seats * self.hands >= TALLY_LIMIT:
            raise ValueError(f"stack {self.stack} x {self.seats} seats x {self.hands} hands overflows 64-bit totals")

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return sum(entrant.seats for entrant in self.lineup)

    @property
    def entrant_of_copy(self) -> tuple[int, ...]:
        """For each copy (one per seat, before they are seated) the index of its entrant in the line-up."""
        return tuple(index for index, entrant in enumerate(self.lineup) for _ in range(entrant.seats))

    @property
    def bin_size(self) -> int:
        """Blocks in a bin: the smallest power of two that needs at most MAX_BINS bins.

        A power of two, so that a longer run's bins are whole sums of a shorter one's.
        """
        return 1 << max(0, (self.hands - 1) // MAX_BINS).bit_length()

    @property
    def bins(self) -> int:
        """How many bins the blocks fill; the last may be partly filled."""
        return -(-self.hands // self.bin_size)


@dataclass(frozen=True, slots=True)
class Batch:
    """Blocks `first` up to but not including `stop` of one scenario, all in bin `bin`."""

    scenario: int
    bin: int
    first: int
    stop: int

    @property
    def hands(self) -> int:
        """Hands in the batch."""
        return self.stop - self.first


@dataclass(frozen=True, slots=True)
class RunnerChoice:
    """Where to play: it changes no result, so it is no part of a run's identity."""

    kind: str = "auto"
    workers: int | None = None


@dataclass(frozen=True, slots=True)
class Experiment:
    """One YAML file, one question."""

    name: str
    seed: int
    scenarios: tuple[Scenario, ...]
    runner: RunnerChoice = RunnerChoice()

    @property
    def hands(self) -> int:
        """Hands of all scenarios."""
        return sum(scenario.hands for scenario in self.scenarios)

    def batches(self, size: int) -> Iterator[Batch]:
        """The schedule in pieces of at most `size` hands, none straddling two bins.

        Totals do not depend on `size`.
        """
        for index, scenario in enumerate(self.scenarios):
            for number in range(scenario.bins):
                start = number * scenario.bin_size
                end = min(start + scenario.bin_size, scenario.hands)
                for first in range(start, end, size):
                    yield Batch(scenario=index, bin=number, first=first, stop=min(first + size, end))
