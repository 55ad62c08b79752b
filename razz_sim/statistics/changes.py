"""What an entrant wins more here than there, in another run or at another point of a sweep.

Where both have dealt the same cards to the same number of seats, the difference is taken block by block over the
blocks that both have, and its error between bins (`ratio_difference`). Else the squares of their errors add
(`independent_difference`).
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction

from razz_sim.experiment import Experiment, Scenario
from razz_sim.statistics.comparisons import p_value
from razz_sim.statistics.estimates import Estimate, independent_difference, linearised, ratio_difference
from razz_sim.statistics.field import Field, Pieces, Won, in_pieces, unit_of
from razz_sim.statistics.rates import win_rates
from razz_sim.tally import Tally

Played = tuple[Experiment, Sequence[Tally]]
"""A run: its experiment and totals."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an entrant wins more than in the first, in big bets per 100 hands.

    `paired` says whether both have dealt the same cards, `blocks` how many of these both have.
    """

    difference: Estimate
    p: float | None
    paired: bool
    blocks: int


@dataclass(frozen=True, slots=True)
class Match:
    """A scenario that was played, and the place of an entrant in its line-up."""

    scenario: Scenario
    tally: Tally
    place: int


@dataclass(frozen=True, slots=True)
class Part:
    """The part that an entrant has in a run of this seed: a scenario, or all its matches of a setting."""

    seed: int
    matches: tuple[Match, ...]

    @classmethod
    def of(cls, run: Played, indices: Sequence[int], name: str) -> Part | None:
        """An entrant's in these scenarios, as far as it is in them and they were played; None if there are none."""
        experiment, tallies = run
        found = [
            Match(experiment.scenarios[index], tallies[index], place)
            for index in indices
            if tallies[index].hands
            for place, entrant in enumerate(experiment.scenarios[index].lineup)
            if entrant.name == name
        ]
        return cls(experiment.seed, tuple(found)) if found else None

    @property
    def scenario(self) -> Scenario:
        """The scenario; the first of several, which share what is asked here."""
        return self.matches[0].scenario

    @property
    def rate(self) -> Estimate:
        """Its win rate, over all matches with the error between bins."""
        if len(self.matches) == 1:
            (match,) = self.matches
            return win_rates(match.scenario, match.tally, match.place).real
        return linearised(self.won.rate, self.won.off, self.won.pieces, self.scale)

    @property
    def scale(self) -> Fraction:
        """What makes chips a hand big bets per 100 hands, or what was won of what was paid in percents of it."""
        return Fraction(100, unit_of(self.scenario))

    @property
    def won(self) -> Won:
        """What it won over all its matches."""
        scenarios, tallies = zip(*((one.scenario, one.tally) for one in self.matches), strict=True)
        return Field(scenarios, tallies).total(self.matches[0].scenario.lineup[self.matches[0].place].name)

    def cut(self, blocks: int) -> Part:
        """The same without what is in later bins than so many blocks fill: of matches that ended by a rule."""
        bins = -(-blocks // self.scenario.bin_size)
        return replace(self, matches=tuple(replace(one, tally=_first_bins(one.tally, bins)) for one in self.matches))

    @property
    def blocks(self) -> int:
        """The blocks of its first match, which all with as many arrangements have."""
        return self.matches[0].tally.table_total("blocks")

    @property
    def samples(self) -> int:
        """What the error of its rate is estimated between."""
        return self.blocks if len(self.matches) == 1 else self.won.pieces

    def in_pieces(self, size: int) -> Pieces:
        """What it won in its only match, of so many blocks together."""
        (match,) = self.matches
        return in_pieces(match.scenario, match.tally, match.place, size)


def _first_bins(tally: Tally, bins: int) -> Tally:
    """A tally with the core of its first bins only."""
    found = copy(tally)
    found.table, found.entrants, found.money = tally.table.copy(), tally.entrants.copy(), tally.money.copy()
    found.table[bins:], found.entrants[bins:], found.money[bins:] = 0, 0, 0
    return found


def change(first: Part, other: Part) -> Change:
    """What the other wins more than the first."""
    if not _same_deals(first, other):
        return _independent(first, other)
    if len(first.matches) > 1 or len(other.matches) > 1:
        return _over_matches(first, other)
    size = max(first.scenario.bin_size, other.scenario.bin_size)
    (nets, hands, blocks), (others, other_hands, theirs) = first.in_pieces(size), other.in_pieces(size)
    both = [at for at in range(min(len(blocks), len(theirs))) if blocks[at] == theirs[at] > 0]
    if not both:
        return _independent(first, other)
    bet, other_bet = unit_of(first.scenario), unit_of(other.scenario)
    more = others[both] * bet, other_hands[both]
    difference = ratio_difference(more, (nets[both] * other_bet, hands[both]), Fraction(100, bet * other_bet))
    return Change(difference, p_value(difference, len(both) - 1), True, int(blocks[both].sum()))


def _over_matches(first: Part, other: Part) -> Change:
    """Over all matches of both, piece by piece where both have the same."""
    blocks = min(first.blocks, other.blocks)
    if first.scenario.bin_size == other.scenario.bin_size and not first.scenario.of_population:
        first, other = first.cut(blocks), other.cut(blocks)
    one, two = first.won, other.won
    if first.blocks != other.blocks or len(one.off) != len(two.off):
        return _independent(first, other)
    value, pieces = two.rate * other.scale - one.rate * first.scale, min(one.pieces, two.pieces)
    off = two.off * float(other.scale) - one.off * float(first.scale)
    difference = linearised(value, off, pieces)
    return Change(difference, p_value(difference, pieces - 1), True, first.blocks)


def _same_deals(first: Part, other: Part) -> bool:
    """Whether the same block is the same cards for the same number of seats."""
    one, two = first.scenario, other.scenario
    alike = (one.seats, one.session.hands, one.replicas) == (two.seats, two.session.hands, two.replicas)
    alike = alike and one.players == two.players and (one.tournament is None) == (two.tournament is None)
    return alike and (first.seed, one.fresh) == (other.seed, two.fresh)


def _independent(first: Part, other: Part) -> Change:
    difference, freedom = independent_difference(other.rate, first.rate, (other.samples, first.samples))
    return Change(difference, p_value(difference, freedom), False, 0)
