"""What tournaments say: returns, places, where players go out, what stacks came to, and how long it all took.

The independent sample is the *tournament*. The return on investment is what an entrant won less what it paid in, of
what it paid in, all its players together. Shares of players (in the money, wins, places) have the intervals of
`clustered_share`, with the error that is seen between bins or shards: players of one tournament depend on one another,
mostly so that they are better known together than as many chances.

How many tournaments tell two entrants apart is told by the difference of their returns as it was found: for a
difference d, with s the deviation of one tournament's, it takes n >= ((t + 0.84) s / d)^2 for an interval of 95 % that
leaves 0 out in four of five runs, t the 97.5 % point of Student's t with n - 1 degrees of freedom (Cohen, "Statistical
Power Analysis for the Behavioral Sciences", 1988, chapter 2), and never fewer than 30.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, inf, sqrt
from statistics import NormalDist

import numpy as np

from razz_sim.experiment import Entrant, Scenario, plan_of
from razz_sim.statistics.comparisons import FieldResult, Versus, compare
from razz_sim.statistics.estimates import (
    NORMAL_POINT,
    Estimate,
    Share,
    clustered_share,
    exact_sums,
    ratio_estimate,
    student_point,
)
from razz_sim.statistics.plays import Plays, entrant_plays
from razz_sim.statistics.rates import WinRates, win_rates
from razz_sim.structures import Level
from razz_sim.tally import COURSE_COLUMNS, ENTRANT_COLUMNS, FINISH_COLUMNS, MONEY_COLUMNS, TABLE_COLUMNS, Tally
from razz_sim.tally.columns import BUCKETS, LEVEL_COLUMNS, MOMENTS, STACK_COLUMNS, STACKS, bucket_start

_C = {name: place for place, name in enumerate(COURSE_COLUMNS)}
_F = {name: place for place, name in enumerate(FINISH_COLUMNS)}
_M = {name: place for place, name in enumerate(MONEY_COLUMNS)}
_BLOCKS = TABLE_COLUMNS.index("blocks")
_POWER_POINT = NormalDist().inv_cdf(0.8)
"""The 80 % point of the normal distribution: 0.84."""
LEAST_TO_TELL = 30
"""Fewer tournaments tell nothing: their nets are skewed, and Student's intervals rest on means that are near normal."""


@dataclass(frozen=True, slots=True)
class Places:
    """Players who finished in these places, of all, and there or better; `first` counts for who shares places."""

    first: int
    last: int
    share: Share
    or_better: Share


@dataclass(frozen=True, slots=True)
class StackResult:
    """What came of stacks that were so large a part of the average, at one moment. `prize` is in buy-ins."""

    least: str
    players: int
    cashed: Share
    won: Share
    prize: Estimate


@dataclass(frozen=True, slots=True)
class EntrantInTournaments:
    """How an entrant fared. Money is in smallest units, `roi` and its interval in percent.

    `paid_in` is with fees. `place` is the mean of its players' places, `deviation` that of its net in a tournament, in
    what its players' buy-ins cost. `out` is by level. `stacks` are by moment (`columns.MOMENTS`).
    """

    entrant: Entrant
    rates: WinRates
    tournaments: int
    players: int
    hands: int
    paid_in: int
    fees: int
    prizes: int
    net: int
    reentries: int
    rebuys: int
    addons: int
    cashed: Share
    wins: Share
    place: Estimate
    places: tuple[Places, ...]
    out: Mapping[int, Share]
    stacks: Mapping[str, tuple[StackResult, ...]]
    plays: Plays
    errors: int
    forfeits: int


@dataclass(frozen=True, slots=True)
class LevelResult:
    """A level as it was played: in what share of tournaments, with how many players and big bets.

    `pot` is the mean final pot, `average_stack` that of all players when the level began, both in big bets; None where
    no hand was played at it. `out` is how many went out at it, of all players.
    """

    number: int
    level: Level
    reached: Share
    hands: int
    left: Estimate | None
    average_stack: Estimate | None
    dealt_in: Estimate | None
    pot: Estimate | None
    out: Share


@dataclass(frozen=True, slots=True)
class CourseResult:
    """How the tournaments went: means per tournament. `time` is in the unit of the levels' lengths.

    `prizes` are what places pay, in smallest units, for as many entries and as large a pool as there are on average.
    """

    tournaments: int
    hands: Estimate
    entries: Estimate
    pool: Estimate
    fees: Estimate
    prizes: tuple[int, ...]
    end_level: Estimate
    time: Estimate
    levels: tuple[LevelResult, ...]


@dataclass(frozen=True, slots=True)
class Apart:
    """Two entrants of one field: the difference of their returns in percent, and how many tournaments tell it.

    `tournaments` is None where they do not differ; `at_least` and `at_most` are those for the ends of the interval, the
    last None where 0 is in it.
    """

    versus: Versus
    tournaments: int | None
    at_least: int | None
    at_most: int | None


@dataclass(frozen=True, slots=True)
class TournamentResult:
    """What a scenario of tournaments says; `field` is in the order of returns, `stacks` are of all players."""

    scenario: Scenario
    tournaments: int
    hands: int
    entrants: tuple[EntrantInTournaments, ...]
    field: tuple[FieldResult, ...]
    pairs: tuple[Apart, ...]
    groups: tuple[tuple[str, ...], ...]
    course: CourseResult
    stacks: Mapping[str, tuple[StackResult, ...]]


def tournament_result(scenario: Scenario, tally: Tally) -> TournamentResult:
    """Estimates for all entrants, in line-up order, and for the course; ValueError when nothing was played."""
    tournaments = tally.table_total("blocks")
    if not tournaments:
        raise ValueError(f"no tournament of scenario {scenario.name!r} was played: there is nothing to estimate")
    field = compare([scenario], [tally])
    return TournamentResult(
        scenario=scenario,
        tournaments=tournaments,
        hands=tally.hands,
        entrants=tuple(_entrant(scenario, tally, index) for index in range(len(scenario.lineup))),
        field=field.field,
        pairs=tuple(_apart(pair, tournaments) for pair in field.differences),
        groups=field.groups,
        course=_course(scenario, tally),
        stacks={moment: _stacks(scenario, tally, slice(None), moment) for moment in MOMENTS},
    )


def _entrant(scenario: Scenario, tally: Tally, index: int) -> EntrantInTournaments:
    entrant, tournaments = scenario.lineup[index], tally.table_total("blocks")
    money = tally.money[:, index]
    total = dict(zip(MONEY_COLUMNS, exact_sums(money), strict=True))
    counted = dict(zip(ENTRANT_COLUMNS, exact_sums(tally.entrants[:, index]), strict=True))
    players = money[:, _M["players"]].tolist()

    def share(column: str) -> Share:
        counts = money[:, _M[column]].tolist()
        return clustered_share(counts, players, together=1, samples=total["players"])

    return EntrantInTournaments(
        entrant=entrant,
        rates=win_rates(scenario, tally, index),
        tournaments=tournaments,
        players=total["players"],
        hands=counted["hands"],
        paid_in=total["paid_in"],
        fees=total["fees"],
        prizes=total["prizes"],
        net=counted["net"],
        reentries=total["reentries"],
        rebuys=total["rebuys"],
        addons=total["addons"],
        cashed=share("cashed"),
        wins=share("wins"),
        place=ratio_estimate(money[:, _M["places"]].tolist(), players, scale=Fraction(1, 2)),
        places=_places(scenario, tally, index),
        out=_out(scenario, tally, index),
        stacks={moment: _stacks(scenario, tally, slice(index, index + 1), moment) for moment in MOMENTS},
        plays=entrant_plays(entrant, scenario, tally, index),
        errors=counted["errors"],
        forfeits=counted["forfeits"],
    )


def _by_shard(tally: Tally, index: int, column: str) -> list[int]:
    found: list[int] = tally.finishes[:, index, _F[column]].tolist()
    return found


def _players_by_shard(tally: Tally, index: int) -> list[int]:
    size = tally.shard_bins
    players = tally.money[:, index, _M["players"]]
    found: list[int] = np.add.reduceat(players, np.arange(0, len(players), size)).tolist()
    return found


def _places(scenario: Scenario, tally: Tally, index: int) -> tuple[Places, ...]:
    """The distribution of places: each by itself up to 32, in ever wider classes beyond."""
    players, field = _players_by_shard(tally, index), scenario.players
    samples = sum(players)
    starts = [bucket_start(bucket) + 1 for bucket in range(BUCKETS)]
    found: list[Places] = []
    so_far = [0] * len(players)
    for first, following in zip(starts, [*starts[1:], field + 1], strict=True):
        if first > field:
            break
        counts = _by_shard(tally, index, f"place_{first}")
        so_far = [sum(pair) for pair in zip(so_far, counts, strict=True)]
        share, or_better = (clustered_share(some, players, together=1, samples=samples) for some in (counts, so_far))
        found.append(Places(first, min(field, following - 1), share, or_better))
    return tuple(found)


def _out(scenario: Scenario, tally: Tally, index: int) -> dict[int, Share]:
    """At which level players went out, of all; the rest were left at the end."""
    players = _players_by_shard(tally, index)
    levels = range(1, len(plan_of(scenario).levels) + 1)
    return {
        level: clustered_share(_by_shard(tally, index, f"out_{level}"), players, together=1, samples=sum(players))
        for level in levels
    }


def _stacks(scenario: Scenario, tally: Tally, entrants: slice, moment: str) -> tuple[StackResult, ...]:
    """What came of some entrants' players by the size of their stacks at a moment; sizes that nobody had are out."""
    plan, found = plan_of(scenario), []
    cost = Fraction(1, plan.prize + plan.fee)
    for stack in STACKS:
        first = _F[f"{moment}_{stack}_players"]
        columns = tally.finishes[:, entrants, first : first + len(STACK_COLUMNS)].sum(axis=1)
        players, cashed, wins, prizes = columns.T.tolist()
        if not (count := sum(players)):
            continue
        share = clustered_share(cashed, players, together=1, samples=count)
        found.append(
            StackResult(
                least=stack,
                players=count,
                cashed=share,
                won=clustered_share(wins, players, together=1, samples=count),
                prize=_mean_prize(ratio_estimate(prizes, players, scale=cost), share),
            )
        )
    return tuple(found)


def _mean_prize(seen: Estimate, cashed: Share) -> Estimate:
    """A mean prize with an interval that holds what the share in the money may be: what is rare may not have come yet.

    None of few players, nor where nothing differed.
    """
    if seen.ci95 is None or not seen.std_error or cashed.of < LEAST_TO_TELL or not cashed.count or cashed.ci95 is None:
        return Estimate(seen.value, None, None)
    low, high = (seen.value * end * cashed.of / cashed.count for end in cashed.ci95)
    return Estimate(seen.value, seen.std_error, (min(seen.ci95[0], low), max(seen.ci95[1], high)))


def _course(scenario: Scenario, tally: Tally) -> CourseResult:
    course = tally.course
    tournaments = course[:, _C["tournaments"]].tolist()
    hands = np.add.reduceat(
        tally.table[:, TABLE_COLUMNS.index("hands")], np.arange(0, len(tally.table), tally.shard_bins)
    )

    def mean(parts: Sequence[int], scale: Fraction = Fraction(1)) -> Estimate:
        return ratio_estimate(parts, tournaments, scale)

    plan = plan_of(scenario)
    entries, pool = mean(course[:, _C["entries"]].tolist()), mean(course[:, _C["pool"]].tolist())
    fees = tally.money[:, :, _M["fees"]].sum(axis=1)
    by_shard = np.add.reduceat(fees, np.arange(0, len(fees), tally.shard_bins)).tolist()
    return CourseResult(
        tournaments=sum(tournaments),
        hands=mean(hands.tolist()),
        entries=entries,
        pool=mean(course[:, _C["pool"]].tolist(), Fraction(plan.unit)),
        fees=mean(by_shard, Fraction(plan.unit)),
        prizes=tuple(plan.payouts.prizes(round(entries.value), plan.field, round(pool.value), plan.prize)),
        end_level=mean(course[:, _C["end_level"]].tolist()),
        time=mean(course[:, _C["end_time"]].tolist()),
        levels=tuple(_level(scenario, tally, number) for number in range(1, len(plan_of(scenario).levels) + 1)),
    )


def _level(scenario: Scenario, tally: Tally, number: int) -> LevelResult:
    course, plan = tally.course, plan_of(scenario)
    tournaments, samples = course[:, _C["tournaments"]].tolist(), tally.table_total("blocks")
    reached, hands, pot, dealt_in, left, chips, out = (
        course[:, _C[f"{column}_{number}"]].tolist() for column in LEVEL_COLUMNS
    )
    bet = plan.levels[number - 1].stakes.big_bet

    def mean(parts: Sequence[int], wholes: Sequence[int], scale: Fraction = Fraction(1)) -> Estimate | None:
        if not sum(wholes):
            return None
        found = ratio_estimate(parts, wholes, scale)
        certain = number == 1 and plan.kind == "tables"  # who is there when it begins, with how much, is no sample
        few = sum(reached) < LEAST_TO_TELL or not found.std_error
        return Estimate(found.value, None, None) if few and not certain else found

    return LevelResult(
        number=number,
        level=plan.levels[number - 1],
        reached=clustered_share(reached, tournaments, together=1, samples=samples),
        hands=sum(hands),
        left=mean(left, reached),
        average_stack=mean(chips, left, Fraction(1, bet)),
        dealt_in=mean(dealt_in, hands),
        pot=mean(pot, hands, Fraction(1, bet)),
        out=clustered_share(out, [scenario.players * count for count in tournaments], together=1, samples=samples),
    )


def _apart(versus: Versus, tournaments: int) -> Apart:
    """How many tournaments tell two entrants apart, by the difference that so many found."""
    found = versus.difference
    if found.std_error is None or found.ci95 is None:
        return Apart(versus, None, None, None)
    deviation = found.std_error * sqrt(tournaments)
    low, high = sorted(map(abs, found.ci95))
    within = found.ci95[0] < 0 < found.ci95[1]
    return Apart(
        versus,
        _enough(deviation, found.value),
        _enough(deviation, high),
        None if within else _enough(deviation, low),
    )


def _enough(deviation: float, difference: float) -> int | None:
    """How many tournaments show a difference of returns, where one tournament's deviates so much; None for none.

    >>> _enough(100.0, 10.0), _enough(100.0, 200.0)
    (787, 30)
    """
    if not difference:
        return None
    size = abs(deviation / difference)
    needed = ((NORMAL_POINT + _POWER_POINT) * size) ** 2
    if needed == inf:
        return None
    count = max(LEAST_TO_TELL, ceil(needed))
    while ((student_point(count - 1) + _POWER_POINT) * size) ** 2 > count:
        count += max(1, count // 1000)
    return count
