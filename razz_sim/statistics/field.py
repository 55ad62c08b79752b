"""What entrants won over the matches of a setting, and how sure that is: piece by piece of blocks that all share.

Matches meet the same cards in blocks of the same number, so a piece holds the same numbers of blocks in every match:
pieces are independent of one another. With N and H the nets and hands of an entrant in a piece of match m, which counts
t times, its rate is r = sum t N / sum t H, and a piece is off by

    d = sum t (N - r H - b (N' - r H')) / sum t H

where N' and H' are those of the whole match and b the part of its blocks that is in the piece. The variance of r is
n / (n - 1) x sum d^2 over the pieces, n those of the match that has the fewest (Cochran, "Sampling Techniques", 1977,
section 6.11: a combined ratio, the matches its strata); of a difference, the d of one less those of the other are
squared. Where all matches have the same blocks the b cancel: a ratio between bins. docs/decisions/0010-populations.md
says more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from razz_sim.experiment import Scenario
from razz_sim.tally import ENTRANT_COLUMNS, MONEY_COLUMNS, TABLE_COLUMNS, Tally

_NET, _HANDS = ENTRANT_COLUMNS.index("net"), ENTRANT_COLUMNS.index("hands")
_PAID_IN = MONEY_COLUMNS.index("paid_in")
_BLOCKS = TABLE_COLUMNS.index("blocks")

Pieces = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Net, hands of its seats (of tournaments what it paid in), and blocks, of one piece after another."""


def unit_of(scenario: Scenario) -> int:
    """A hundredth part of a rate is so many smallest units won for each hand, of tournaments for each that was paid in.

    So rates are big bets per 100 hands, and the return on investment in percent.
    """
    return scenario.stakes.big_bet if scenario.tournament is None else 1


def won(scenario: Scenario, tally: Tally, place: int, stop: int | None = None) -> np.ndarray:
    """By bin, up to a bin, the net of the entrant at a place of the line-up and what that is for: hands, or paid in."""
    net = tally.entrants[:stop, place, _NET]
    whole = tally.entrants[:stop, place, _HANDS] if scenario.tournament is None else tally.money[:stop, place, _PAID_IN]
    return np.stack([net, whole], axis=1).astype(object)


def in_pieces(scenario: Scenario, tally: Tally, place: int, size: int) -> Pieces:
    """What the entrant at a place of the line-up won in pieces of so many blocks each, a whole number of bins."""
    starts = np.arange(0, len(tally.table), size // scenario.bin_size)
    counted = np.add.reduceat(won(scenario, tally, place), starts)
    blocks = np.add.reduceat(tally.table[:, _BLOCKS], starts)
    return counted[:, 0], counted[:, 1], blocks


def added_up(counted: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Nets and hands by bin, added up over matches, from what an entrant won (`won`) in each."""
    together = np.sum(counted, axis=0)
    return together[:, 0], together[:, 1]


@dataclass(frozen=True, slots=True)
class Won:
    """What an entrant won in some matches: chips a hand, each match as often as it counts, and the `hands` played.

    `off` is by how much each piece is off, `pieces` how many the match with the fewest has.
    """

    rate: Fraction
    hands: int
    off: np.ndarray
    pieces: int


@dataclass(frozen=True, slots=True)
class Share:
    """An entrant's share of one match, which counts so many times.

    `nets` and `seat_hands` are how far each piece is off its part of the match's, as whole numbers: times the blocks in
    all arrangements, which every match has in the same number.
    """

    seats: int
    times: int
    net: int
    hands: int
    nets: np.ndarray
    seat_hands: np.ndarray
    pieces: int


class Field:
    """What each entrant won in each match, piece by piece: a piece has the same numbers of blocks in every match."""

    def __init__(self, scenarios: Sequence[Scenario], tallies: Sequence[Tally]) -> None:
        self.whole = tallies[0].table_total("blocks") * scenarios[0].replicas
        self.shares: dict[str, dict[int, Share]] = {}
        size = max(scenario.bin_size for scenario in scenarios)
        most = max(-(-scenario.blocks // size) for scenario in scenarios)
        for match, (scenario, tally) in enumerate(zip(scenarios, tallies, strict=True)):
            for place, entrant in enumerate(scenario.lineup):
                share = _share(scenario, entrant.seats, in_pieces(scenario, tally, place, size), most)
                self.shares.setdefault(entrant.name, {})[match] = share
        self.names = list(self.shares)
        self._totals = {name: self.over(name, self.shares[name]) for name in self.names}

    def both(self, name: str, other: str) -> list[int]:
        """The matches in which two sit at one table."""
        return sorted(self.shares[name].keys() & self.shares[other].keys())

    def total(self, name: str) -> Won:
        """What an entrant won over all of its matches."""
        return self._totals[name]

    def over(self, name: str, matches: Iterable[int]) -> Won:
        """What an entrant won over some of its matches."""
        shares = [self.shares[name][match] for match in matches]
        net = sum(one.times * one.net for one in shares)
        hands = sum(one.times * one.hands for one in shares)
        rate = Fraction(net, hands)
        nets = np.sum([one.times * one.nets for one in shares], axis=0)
        seat_hands = np.sum([one.times * one.seat_hands for one in shares], axis=0)
        off = (nets * rate.denominator - seat_hands * rate.numerator) / (rate.denominator * hands * self.whole)
        return Won(
            rate=rate,
            hands=sum(one.hands for one in shares),
            off=off.astype(float),
            pieces=min(one.pieces for one in shares),
        )


def _share(scenario: Scenario, seats: int, pieces: Pieces, most: int) -> Share:
    """An entrant's share of a match, with as many pieces as the longest match has."""
    nets, hands, blocks = pieces
    net, played = sum(nets.tolist()), sum(hands.tolist())
    part, whole = blocks.astype(object) * scenario.replicas, sum(blocks.tolist()) * scenario.replicas
    beyond = np.zeros(most - len(blocks), dtype=object)
    return Share(
        seats=seats,
        times=scenario.times,
        net=net,
        hands=played,
        nets=np.concatenate([nets * whole - part * net, beyond]),
        seat_hands=np.concatenate([hands * whole - part * played, beyond]),
        pieces=int(np.count_nonzero(blocks)),
    )
