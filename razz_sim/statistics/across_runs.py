"""Finished runs side by side: what entrants of the same name won in scenarios of the same name, and by how much more.

Where two runs have dealt the same cards to the same number of seats, the difference is taken block by block over the
blocks that both have, and its error between bins (`ratio_difference`). Else the squares of their errors add, and
Student's degrees of freedom are Welch's ("The generalization of 'Student's' problem when several different population
variances are involved", Biometrika 34, 1947).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from razz_sim.experiment import Experiment, Scenario
from razz_sim.statistics.comparisons import p_value
from razz_sim.statistics.estimates import Estimate, ratio_difference, student_point
from razz_sim.statistics.field import Pieces, in_pieces
from razz_sim.statistics.rates import win_rates
from razz_sim.tally import Tally

Played = tuple[Experiment, Sequence[Tally]]
"""A run: its experiment and totals."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an entrant wins more in a run than in the first, in big bets per 100 hands.

    `paired` says whether both have dealt the same cards, `blocks` how many of these both have.
    """

    difference: Estimate
    p: float | None
    paired: bool
    blocks: int


@dataclass(frozen=True, slots=True)
class AcrossRuns:
    """An entrant of a scenario in all runs: its rates, and what it wins more than in the first; None where absent."""

    scenario: str
    entrant: str
    rates: tuple[Estimate | None, ...]
    changes: tuple[Change | None, ...]


def across_runs(runs: Sequence[Played]) -> list[AcrossRuns]:
    """A row for each entrant of each scenario that the first run shares with another.

    Scenarios are the same by name; of runs that have one each, those are.
    """
    alone = all(len(experiment.scenarios) == 1 for experiment, _ in runs)
    found = []
    for scenario in runs[0][0].scenarios:
        there = [_index(experiment, scenario.name) if not alone else 0 for experiment, _ in runs]
        for entrant in scenario.lineup:
            seats = [_Seat.of(run, at, entrant.name) for run, at in zip(runs, there, strict=True)]
            first = seats[0]
            if first is None or not any(seats[1:]):
                continue
            found.append(
                AcrossRuns(
                    scenario.name if not alone else "",
                    entrant.name,
                    tuple(None if seat is None else seat.rate for seat in seats),
                    tuple(None if seat is None else _change(first, seat) for seat in seats[1:]),
                )
            )
    return found


def _index(experiment: Experiment, name: str) -> int | None:
    """The scenario of a name, if there is one."""
    names = [scenario.name for scenario in experiment.scenarios]
    return names.index(name) if names.count(name) == 1 else None


@dataclass(frozen=True, slots=True)
class _Seat:
    """An entrant in a scenario of a run."""

    seed: int
    scenario: Scenario
    tally: Tally
    place: int

    @classmethod
    def of(cls, run: Played, index: int | None, name: str) -> _Seat | None:
        """None where the run has no such scenario or entrant, or nothing was played."""
        experiment, tallies = run
        if index is None or not tallies[index].hands:
            return None
        scenario = experiment.scenarios[index]
        places = [place for place, entrant in enumerate(scenario.lineup) if entrant.name == name]
        return cls(experiment.seed, scenario, tallies[index], places[0]) if places else None

    @property
    def rate(self) -> Estimate:
        """Its win rate."""
        return win_rates(self.scenario, self.tally, self.place).real

    def in_pieces(self, size: int) -> Pieces:
        """What it won, of so many blocks together."""
        return in_pieces(self.scenario, self.tally, self.place, size)


def _change(first: _Seat, other: _Seat) -> Change:
    if not _same_deals(first, other):
        return _independent(first, other)
    size = max(first.scenario.bin_size, other.scenario.bin_size)
    (nets, hands, blocks), (others, other_hands, theirs) = first.in_pieces(size), other.in_pieces(size)
    both = [at for at in range(min(len(blocks), len(theirs))) if blocks[at] == theirs[at] > 0]
    if not both:
        return _independent(first, other)
    bet, other_bet = first.scenario.stakes.big_bet, other.scenario.stakes.big_bet
    more = others[both] * bet, other_hands[both]
    difference = ratio_difference(more, (nets[both] * other_bet, hands[both]), Fraction(100, bet * other_bet))
    return Change(difference, p_value(difference, len(both) - 1), True, int(blocks[both].sum()))


def _same_deals(first: _Seat, other: _Seat) -> bool:
    """Whether the same block is the same cards for the same number of seats."""
    one, two = first.scenario, other.scenario
    alike = (one.seats, one.session.hands, one.replicas) == (two.seats, two.session.hands, two.replicas)
    return alike and first.seed == other.seed


def _independent(first: _Seat, other: _Seat) -> Change:
    one, two = first.rate, other.rate
    value = two.value - one.value
    if one.std_error is None or two.std_error is None:
        return Change(Estimate(value, None, None), None, False, 0)
    squares = [(first, one.std_error**2), (other, two.std_error**2)]
    error = sqrt(sum(square for _, square in squares))
    if not error:
        exact = Estimate(value, 0.0, (value, value))
        return Change(exact, p_value(exact, 1), False, 0)
    spread = sum(square**2 / (seat.tally.table_total("blocks") - 1) for seat, square in squares)
    freedom = max(1, int(error**4 / spread))
    half = student_point(freedom) * error
    difference = Estimate(value, error, (value - half, value + half))
    return Change(difference, p_value(difference, freedom), False, 0)
