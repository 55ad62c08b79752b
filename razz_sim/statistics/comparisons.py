"""Who is better than whom, by how much, and how sure that is: the matches of a setting side by side.

All matches of a setting meet the same cards, block by block, so that differences are taken block by block too: their
errors are estimated between pieces, which hold the same blocks in every match (`Field`).

    against     a's big bets per 100 hands less b's, in each seat, over the matches in which both sit
    field       an entrant's big bets per 100 hands over all of its matches, each counted as many times as the format
                has tables like it
    p           Student's two-sided probability of so large a difference between equals, its degrees of freedom the
                pieces less one
    Holm        the k-th smallest of m values of p times m - k + 1, never less than the one before it (Holm, "A simple
                sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979): below 0.05
                there is no more than a chance of 5 % that any difference so marked is none
    best        the share of draws from the joint distribution of the field's results in which an entrant is first
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np

from razz_sim.experiment import Scenario
from razz_sim.statistics.estimates import Estimate, central_probability, linearised
from razz_sim.statistics.field import Field, Won, unit_of
from razz_sim.tally import TABLE_COLUMNS, Tally

SIGNIFICANT = 0.05
_DRAWS = 20_000
_LEAST_P = 1e-12
"""What is smaller is 0: rounding errors are as large."""
_BLOCKS = TABLE_COLUMNS.index("blocks")

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Versus:
    """A difference between two entrants, `name` less `other`, in big bets per 100 hands.

    `p` is None where there is but one piece; `p_holm` is corrected for all pairs of its kind.
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
    """How an entrant fared over all its matches; `best` is the chance that no other is truly better in this field.

    In a population it sits at so many `tables` of the cycle, in so many `seats` of all of them, for its `weight`.
    """

    name: str
    matches: int
    hands: int
    result: Estimate
    best: float | None
    tables: int
    seats: int
    weight: Decimal | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """At how many tables of a population's cycle two sit together, and in how many of the hands that were played."""

    name: str
    other: str
    tables: int
    hands: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The matches of a setting side by side.

    `against` has every pair that met. Where everybody met everybody, or was drawn from one population, `field` is in
    the order of results, `differences` has every pair over the field, the better one first, and `groups` are entrants
    in a row of that order of which no two are told apart. Other rivals who met different others have no common field.
    Of a population `meetings` has every pair.
    """

    setting: str
    matches: int
    tables: int
    hands: int
    field: tuple[FieldResult, ...]
    against: tuple[Versus, ...]
    differences: tuple[Versus, ...]
    groups: tuple[tuple[str, ...], ...]
    meetings: tuple[Meeting, ...] = ()

    @property
    def all_met(self) -> bool:
        """Whether everybody of the field met everybody."""
        return len(self.against) == len(self.differences)


def compare(scenarios: Sequence[Scenario], tallies: Sequence[Tally]) -> Comparison:
    """The matches of one setting side by side; ValueError when they are not `comparable`."""
    if not comparable(scenarios, tallies):
        raise ValueError("matches are compared by blocks that all have played")
    field, scale = Field(scenarios, tallies), Fraction(100, unit_of(scenarios[0]))
    names = sorted(field.names, key=lambda name: -float(field.total(name).rate * scale))
    pairs = list(combinations(names, 2))
    met = [pair for pair in pairs if field.both(*pair)]
    population = scenarios[0].of_population
    in_common = population or len(met) == len(pairs)
    differences = _corrected(_difference(field, pair, scale) for pair in pairs) if in_common else ()
    return Comparison(
        setting=scenarios[0].setting,
        matches=len(scenarios),
        tables=sum(scenario.times for scenario in scenarios),
        hands=sum(tally.hands for tally in tallies),
        field=tuple(_with_chances(field, names, scenarios)) if in_common else (),
        against=_corrected(_against(field, pair, scale) for pair in met),
        differences=differences,
        groups=_groups(names, differences) if in_common else (),
        meetings=tuple(_meeting(field, pair, scenarios, tallies) for pair in pairs) if population else (),
    )


def comparable(scenarios: Sequence[Scenario], tallies: Sequence[Tally]) -> bool:
    """Whether all matches have played as many sessions, and those with as many arrangements the same in each bin."""
    played = [tally.table_total("blocks") * one.replicas for one, tally in zip(scenarios, tallies, strict=True)]
    alike: dict[int, np.ndarray] = {}
    for scenario, tally in zip(scenarios, tallies, strict=True):
        blocks = tally.table[:, _BLOCKS]
        if not np.array_equal(alike.setdefault(scenario.replicas, blocks), blocks):
            return False
    return played[0] > 0 and len(set(played)) == 1


def _against(field: Field, pair: Pair, scale: Fraction) -> Versus:
    """The difference in the matches in which both sit."""
    both = field.both(*pair)
    return _versus(pair, field.over(pair[0], both), field.over(pair[1], both), scale)


def _difference(field: Field, pair: Pair, scale: Fraction) -> Versus:
    """The difference over all matches of both."""
    return _versus(pair, field.total(pair[0]), field.total(pair[1]), scale)


def _versus(pair: Pair, mine: Won, others: Won, scale: Fraction) -> Versus:
    pieces = min(mine.pieces, others.pieces)
    difference = linearised(mine.rate - others.rate, mine.off - others.off, pieces, scale)
    return Versus(*pair, mine.hands, difference, p_value(difference, pieces - 1))


def _meeting(field: Field, pair: Pair, scenarios: Sequence[Scenario], tallies: Sequence[Tally]) -> Meeting:
    both = field.both(*pair)
    tables, hands = sum(scenarios[match].times for match in both), sum(tallies[match].hands for match in both)
    return Meeting(*pair, tables, hands)


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


def _with_chances(field: Field, names: Sequence[str], scenarios: Sequence[Scenario]) -> list[FieldResult]:
    """The field's results in this order, with the chance of each to be the best."""
    scale = Fraction(100, unit_of(scenarios[0]))
    best = _chances_to_be_best([field.total(name) for name in names], scale)
    weights = {one.name: one.weight for scenario in scenarios for one in scenario.lineup}
    return [
        FieldResult(
            name=name,
            matches=len(field.shares[name]),
            hands=won.hands,
            result=linearised(won.rate, won.off, won.pieces, scale),
            best=chance,
            tables=sum(one.times for one in field.shares[name].values()),
            seats=sum(one.times * one.seats for one in field.shares[name].values()),
            weight=weights[name],
        )
        for name, won, chance in zip(names, map(field.total, names), best, strict=True)
    ]


def _chances_to_be_best(totals: Sequence[Won], scale: Fraction) -> Sequence[float | None]:
    """How often each is first in draws from Student's distribution about the results, with their errors together.

    Its scale is the covariance between pieces, its degrees of freedom the pieces less one (Kotz and Nadarajah,
    "Multivariate t Distributions and Their Applications", 2004). Of entrants that are equal in a draw each is first in
    its share.
    """
    pieces = min(one.pieces for one in totals)
    if pieces < 2:
        return [None] * len(totals)
    results = np.array([float(one.rate * scale) for one in totals])
    off = np.array([one.off for one in totals]) * float(scale)
    covariance = pieces / (pieces - 1) * (off @ off.T)
    rng = np.random.default_rng(0)
    sizes, axes = np.linalg.eigh(covariance)
    normal = rng.standard_normal((_DRAWS, len(totals))) * np.sqrt(np.clip(sizes, 0, None)) @ axes.T
    drawn = results + normal * np.sqrt((pieces - 1) / rng.chisquare(pieces - 1, (_DRAWS, 1)))
    near = 1e-9 * max(1.0, float(np.abs(results).max()))
    first = drawn >= drawn.max(axis=1, keepdims=True) - near
    shares: list[float] = (first / first.sum(axis=1, keepdims=True)).mean(axis=0).tolist()
    return shares
