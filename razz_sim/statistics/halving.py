"""Successive halving: a search's rounds, and who is left.

All points meet the same deals, each round on more of them, and the best part goes on (Jamieson and Talwalkar,
"Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016). Who is best in many looks is
partly lucky, so the winner's rate in a search is too high on average: it is measured again on deals no round has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from razz_sim.experiment import Experiment
from razz_sim.statistics.estimates import Estimate, independent_difference, ratio_difference, ratio_estimate
from razz_sim.statistics.field import added_up, unit_of, won
from razz_sim.tally import Tally


@dataclass(frozen=True, slots=True)
class Standing:
    """A point in a round: its place among the search's points, the entrant's rate, and how far it is off the leader.

    `behind` is None for the leader itself; `stays` says whether it goes on.
    """

    point: int
    rate: Estimate
    behind: Estimate | None
    stays: bool


@dataclass(frozen=True, slots=True)
class Round:
    """The points of a round, best first, after so many hands of each in all rounds."""

    hands: int
    standings: tuple[Standing, ...]

    @property
    def staying(self) -> list[int]:
        """The points that go on, best first."""
        return [one.point for one in self.standings if one.stays]


class Halving:
    """The rounds of an experiment's search."""

    def __init__(self, experiment: Experiment) -> None:
        assert experiment.search is not None
        self.experiment, self.plan = experiment, experiment.search
        self.points = experiment.points
        self.ends = {index: experiment.round_ends(index) for indices in self.points for index in indices}
        """For each scenario of a point, after how many blocks each round ends."""
        self.rounds = len(self.plan.points_left())
        self.again = experiment.settings[len(self.points) :]
        """For each point the scenarios in which it is measured again."""

    def round(self, number: int, points: Sequence[int], tallies: Sequence[Tally]) -> Round:
        """The standings of these points after round `number`, from 0, whose blocks the tallies have."""
        found = {point: self._won(self.points[point], tallies, number) for point in points}
        order = sorted(points, key=lambda point: (-_rate(found[point]), point))
        kept = -(-self.plan.points_left()[number] // self.plan.factor)
        leader = order[0]
        return Round(
            hands=max(self._hands(point, number) for point in points),
            standings=tuple(
                Standing(
                    point,
                    ratio_estimate(found[point][0].tolist(), found[point][1].tolist(), Fraction(100, found[point][2])),
                    _behind(found[leader], found[point]) if point != leader else None,
                    place < kept,
                )
                for place, point in enumerate(order)
            ),
        )

    def has_played(self, point: int, number: int, tallies: Sequence[Tally]) -> bool:
        """Whether a point has played round `number`: it may have failed before."""
        return all(tallies[index].table_total("blocks") >= self.ends[index][number] for index in self.points[point])

    def _hands(self, point: int, number: int) -> int:
        return sum(
            self.ends[index][number] * self.experiment.scenarios[index].block_hands for index in self.points[point]
        )

    def measured_again(self, point: int, tallies: Sequence[Tally]) -> Estimate | None:
        """The entrant's rate on the deals that no round saw; None before they are played."""
        nets, hands, bet = self._won(self.again[point], tallies, None)
        played = np.flatnonzero(hands)
        if not len(played):
            return None
        return ratio_estimate(nets[played].tolist(), hands[played].tolist(), Fraction(100, bet))

    def _won(self, indices: Sequence[int], tallies: Sequence[Tally], number: int | None) -> _Won:
        """Nets and hands of the entrant by bin, over a point's matches, up to a round's end; and the unit of rates."""
        found = []
        for index in indices:
            scenario = self.experiment.scenarios[index]
            stop = scenario.bins if number is None else -(-self.ends[index][number] // scenario.bin_size)
            places = [place for place, one in enumerate(scenario.lineup) if one.name == self.plan.entrant]
            found += [won(scenario, tallies[index], place, stop) for place in places]
        return *added_up(found), unit_of(self.experiment.scenarios[indices[0]])


_Won = tuple[np.ndarray, np.ndarray, int]


def _rate(won: _Won) -> Fraction:
    nets, hands, bet = won
    return Fraction(sum(nets.tolist()), sum(hands.tolist()) * bet)


def _behind(leader: _Won, other: _Won) -> Estimate:
    """What the other wins less than the leader, deal by deal where both have the same bins."""
    (best, best_hands, best_bet), (nets, hands, bet) = leader, other
    if len(best) == len(nets):
        one, two = (nets * best_bet, hands), (best * bet, best_hands)
        return ratio_difference(one, two, Fraction(100, bet * best_bet))
    mine, its = (ratio_estimate(a.tolist(), b.tolist(), Fraction(100, c)) for a, b, c in (other, leader))
    return independent_difference(mine, its, (len(nets), len(best)))[0]
