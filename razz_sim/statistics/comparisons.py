"""Who is better than whom, by how much, and how sure that is: the matches of a setting side by side.

All matches of a setting meet the same cards, block by block, so that differences are taken block by block too: their
errors are estimated between bins, which hold the same blocks in every match (`ratio_difference`).

    against     a's big bets per 100 hands less b's, in each seat, over the matches in which both sit
    field       an entrant's big bets per 100 hands over all of its matches, each with the same weight
    p           Student's two-sided probability of so large a difference between equals, its degrees of freedom the bins
                less one
    Holm        the k-th smallest of m values of p times m - k + 1, never less than the one before it (Holm, "A simple
                sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979): below 0.05
                there is no more than a chance of 5 % that any difference so marked is none
    best        the share of draws from the joint distribution of the field's results in which an entrant is first
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

import numpy as np

from razz_sim.experiment import Scenario
from razz_sim.statistics.estimates import Estimate, central_probability, ratio_difference, ratio_estimate, residuals
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally

SIGNIFICANT = 0.05
_DRAWS = 20_000
_LEAST_P = 1e-12
"""What is smaller is 0: rounding errors are as large."""
_NET, _HANDS = ENTRANT_COLUMNS.index("net"), ENTRANT_COLUMNS.index("hands")
_BLOCKS = TABLE_COLUMNS.index("blocks")

Won = tuple[np.ndarray, np.ndarray]
"""Net and hands, bin by bin."""


@dataclass(frozen=True, slots=True)
class Versus:
    """A difference between two entrants, `name` less `other`, in big bets per 100 hands.

    `p` is None where there is but one bin; `p_holm` is corrected for all pairs of its kind.
    """

    name: str
    other: str
    hands: int
    difference: Estimate
    p: float | None
    p_holm: float | None = None

    @property
    def told_apart(self) -> bool:
        """Whether the difference is none that equals would show."""
        return self.p_holm is not None and self.p_holm < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class FieldResult:
    """How an entrant fared over all its matches; `best` is the chance that no other is truly better in this field."""

    name: str
    matches: int
    hands: int
    result: Estimate
    best: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The matches of a setting side by side.

    `against` has every pair that met. Where everybody met everybody, `field` is in the order of results, `differences`
    has every pair over the field, the better one first, and `groups` are entrants in a row of that order of which no
    two are told apart. Rivals who met different others have no common field.
    """

    setting: str
    matches: int
    hands: int
    field: tuple[FieldResult, ...]
    against: tuple[Versus, ...]
    differences: tuple[Versus, ...]
    groups: tuple[tuple[str, ...], ...]


def compare(scenarios: Sequence[Scenario], tallies: Sequence[Tally]) -> Comparison:
    """The matches of one setting side by side; ValueError when they are not `comparable`."""
    if not comparable(tallies):
        raise ValueError("matches are compared by blocks that all have played")
    field = _Field(scenarios, tallies, np.flatnonzero(tallies[0].table[:, _BLOCKS]))
    names = sorted(field.names, key=lambda name: -field.result(name).value)
    pairs = list(combinations(names, 2))
    met = [pair for pair in pairs if field.met(*pair)]
    everybody = len(met) == len(pairs)
    differences = _corrected(field.difference(*pair) for pair in pairs) if everybody else ()
    return Comparison(
        setting=scenarios[0].setting,
        matches=len(scenarios),
        hands=sum(tally.hands for tally in tallies),
        field=tuple(_with_chances(field, names)) if everybody else (),
        against=_corrected(field.against(*pair) for pair in met),
        differences=differences,
        groups=_groups(names, differences) if everybody else (),
    )


def comparable(tallies: Sequence[Tally]) -> bool:
    """Whether in each bin all matches have played as many blocks, and any at all."""
    blocks = np.array([tally.table[:, _BLOCKS] for tally in tallies])
    return bool(blocks.any() and (blocks == blocks[0]).all())


class _Field:
    """What each entrant won in each match, and in how many hands of its seats, bin by bin."""

    def __init__(self, scenarios: Sequence[Scenario], tallies: Sequence[Tally], played: np.ndarray) -> None:
        self.scale = Fraction(100, scenarios[0].stakes.big_bet)
        self.won: dict[str, dict[int, Won]] = {}
        for match, (scenario, tally) in enumerate(zip(scenarios, tallies, strict=True)):
            for place, entrant in enumerate(scenario.lineup):
                counted = tally.entrants[played, place]
                won = counted[:, _NET].astype(object), counted[:, _HANDS].astype(object)
                self.won.setdefault(entrant.name, {})[match] = won
        self.names = list(self.won)
        self._totals = {name: self._over(name, won) for name, won in self.won.items()}

    def met(self, name: str, other: str) -> bool:
        """Whether two sit at one table in some match."""
        return bool(self.won[name].keys() & self.won[other].keys())

    def total(self, name: str, matches: Iterable[int] | None = None) -> Won:
        """Nets and hands of an entrant over these matches, or all of its own."""
        return self._totals[name] if matches is None else self._over(name, sorted(matches))

    def _over(self, name: str, matches: Iterable[int]) -> Won:
        nets, hands = zip(*(self.won[name][match] for match in matches), strict=True)
        return np.sum(np.array(nets), axis=0), np.sum(np.array(hands), axis=0)

    def result(self, name: str) -> Estimate:
        """An entrant's result over its matches."""
        nets, hands = self.total(name)
        return ratio_estimate(nets.tolist(), hands.tolist(), self.scale)

    def against(self, name: str, other: str) -> Versus:
        """The difference in the matches in which both sit."""
        return self._versus(name, other, self.won[name].keys() & self.won[other].keys())

    def difference(self, name: str, other: str) -> Versus:
        """The difference over all matches of both."""
        return self._versus(name, other, None)

    def _versus(self, name: str, other: str, matches: Iterable[int] | None) -> Versus:
        mine, others = self.total(name, matches), self.total(other, matches)
        difference = ratio_difference(mine, others, self.scale)
        return Versus(name, other, int(mine[1].sum()), difference, p_value(difference, len(mine[1]) - 1))


def p_value(difference: Estimate, freedom: int) -> float | None:
    """The two-sided probability of a difference at least so large between equals; 1 for no difference at all."""
    if difference.std_error is None:
        return None
    if not difference.value:
        return 1.0
    if not difference.std_error:
        return 0.0
    p = 1 - central_probability(abs(difference.value) / difference.std_error, freedom)
    return p if p > _LEAST_P else 0.0


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Values of p corrected by Holm's method, in their order; those that are not known are left out.

    >>> [round(value, 2) for value in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    corrected: list[float | None] = [None] * len(values)
    least = 0.0
    known = sorted((value, place) for place, value in enumerate(values) if value is not None)
    for rank, (value, place) in enumerate(known):
        least = corrected[place] = max(least, min(1.0, value * (len(known) - rank)))
    return corrected


def _corrected(pairs: Iterable[Versus]) -> tuple[Versus, ...]:
    """The pairs with their values of p corrected for how many there are."""
    found = list(pairs)
    corrected = holm([pair.p for pair in found])
    return tuple(replace(pair, p_holm=p_holm) for pair, p_holm in zip(found, corrected, strict=True))


def _groups(names: Sequence[str], differences: Sequence[Versus]) -> tuple[tuple[str, ...], ...]:
    """The longest runs of the order in which no two are told apart, those of one entrant too."""
    apart = {(pair.name, pair.other) for pair in differences if pair.told_apart}
    found: list[tuple[str, ...]] = []
    last = 0
    for first in range(len(names)):
        stop = first + 1
        while stop < len(names) and not any((names[place], names[stop]) in apart for place in range(first, stop)):
            stop += 1
        if stop > last:
            found.append(tuple(names[first:stop]))
            last = stop
    return tuple(found)


def _with_chances(field: _Field, names: Sequence[str]) -> list[FieldResult]:
    """The field's results in this order, with the chance of each to be the best."""
    best = _chances_to_be_best(field, names)
    return [
        FieldResult(name, len(field.won[name]), int(field.total(name)[1].sum()), field.result(name), best[name])
        for name in names
    ]


def _chances_to_be_best(field: _Field, names: Sequence[str]) -> Mapping[str, float | None]:
    """How often each is first in draws from Student's distribution about the results, with their errors together.

    Its scale is the covariance between bins, linearised as in `ratio_estimate`, its degrees of freedom the bins less
    one (Kotz and Nadarajah, "Multivariate t Distributions and Their Applications", 2004). Of entrants that
    are equal in a draw each is first in its share.
    """
    totals = [field.total(name) for name in names]
    bins = len(totals[0][0])
    if bins < 2:
        return dict.fromkeys(names)
    results = np.array([float(nets.sum()) / float(hands.sum()) for nets, hands in totals]) * float(field.scale)
    off = np.array([residuals(nets, hands) for nets, hands in totals]) * float(field.scale)
    covariance = bins / (bins - 1) * (off @ off.T)
    rng = np.random.default_rng(0)
    sizes, axes = np.linalg.eigh(covariance)
    normal = rng.standard_normal((_DRAWS, len(names))) * np.sqrt(np.clip(sizes, 0, None)) @ axes.T
    drawn = results + normal * np.sqrt((bins - 1) / rng.chisquare(bins - 1, (_DRAWS, 1)))
    near = 1e-9 * max(1.0, float(np.abs(results).max()))
    first = drawn >= drawn.max(axis=1, keepdims=True) - near
    shares = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    return dict(zip(names, shares.tolist(), strict=True))
