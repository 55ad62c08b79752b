"""Estimates from totals: win rates and pots, each with its error and 95 % interval.

The independent sample is the *block*, in which one hand is played. All sums stay exact integers or fractions until the
last step, so that no digit is lost however many hands there were.

    mean            m = S / n                          S the sum over n blocks
    variance        v = (Q - S^2 / n) / (n - 1)        Q the sum of squares
    standard error  e = sqrt(v / n)
    95 % interval   m - t e .. m + t e                 t the 97.5 % point of Student's t with n - 1 degrees of freedom

This is Student's interval ("The probable error of a mean", Biometrika 6, 1908); for win rates at poker see Chen and
Ankenman, "The Mathematics of Poker" (2006), chapter 2. Nets are skewed, so with a few hundred blocks the interval
covers a little less than 95 %. One block has no interval.

A win rate is in big *bets* per 100 hands, the usual unit of limit poker: net / hands / big bet x 100, where an entrant
in several seats has a hand for each. Its net in a block is the sum over its seats, which share one deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import atan, cos, pi, sin, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from razz_sim.experiment import Entrant, Experiment, Scenario
from razz_sim.rules import Stakes, Street
from razz_sim.tally import ENTRANT_COLUMNS, RESULTS_VERSION, TABLE_COLUMNS, Tally, digest

CONFIDENCE = 0.95
NORMAL_POINT = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""The 97.5 % point of the normal distribution: 1.96."""
STREET_NAMES = tuple(street.name.lower() for street in Street)
_EXPANSION_FROM = 100
_LOW_WORD = 0xFFFFFFFF

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its standard error and 95 % interval; both are None when there was but one sample."""

    value: float
    std_error: float | None
    ci95: Interval | None


@dataclass(frozen=True, slots=True)
class Share:
    """How often something happened, out of how many times it could, with a 95 % interval of the fraction."""

    count: int
    of: int
    ci95: Interval | None

    @property
    def fraction(self) -> float | None:
        """None where it could never happen."""
        return self.count / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class EntrantResult:
    """How an entrant fared in a scenario. `net` is in smallest units, `net_money` the same in exact decimals.

    `std_dev` is the deviation of its net in a block, all its seats together, in big bets: for an entrant in one seat
    the standard deviation per hand. None when there was but one block.
    """

    name: str
    strategy: str
    params: tuple[tuple[str, float], ...]
    seats: int
    hands: int
    net: int
    net_money: str
    bb_per_100: float
    std_error: float | None
    ci95: Interval | None
    std_dev: float | None
    showdowns: Share
    showdowns_won: Share
    pots_won: Share
    brought_in: Share
    completed: Share


@dataclass(frozen=True, slots=True)
class Rate:
    """Something that may happen several times in a hand: how often in all, and in 100 hands."""

    count: int
    per_100: Estimate


@dataclass(frozen=True, slots=True)
class PotResult:
    """The pots of a scenario and how its hands went. `total` and `rake` are in smallest units.

    `mean` is the final pot, after uncalled chips went back and before rake, in the stakes' currency, `mean_big_bets` in
    big bets; `rake_per_100` is in big bets for the whole table. `ends` says where hands ended, by street and
    'showdown'; `saw` which streets were dealt.
    """

    hands: int
    total: int
    mean: Estimate
    mean_big_bets: Estimate
    std_dev: float | None
    std_dev_big_bets: float | None
    rake: int
    rake_per_100: Estimate
    rake_of_pots: Estimate | None
    showdowns: Share
    ends: dict[str, Share]
    saw: dict[str, Share]
    walks: Share
    side_pots: Share
    split_pots: Share
    all_ins: Share
    community_cards: Share
    capped_rounds: Rate
    free_folds: Rate
    decisions: Rate


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """What a scenario's totals say."""

    scenario: Scenario
    hands: int
    entrants: tuple[EntrantResult, ...]
    pots: PotResult


def scenario_result(scenario: Scenario, tally: Tally) -> ScenarioResult:
    """Estimates for all entrants, in line-up order, and for the table; ValueError when nothing was played."""
    table = dict(zip(TABLE_COLUMNS, exact_sums(tally.table), strict=True))
    if table["hands"] < 1:
        raise ValueError(f"no hand of scenario {scenario.name!r} was played: there is nothing to estimate")
    return ScenarioResult(
        scenario=scenario,
        hands=table["hands"],
        entrants=tuple(
            _entrant_result(entrant, scenario.stakes, table["blocks"], exact_sums(tally.entrants[:, index]))
            for index, entrant in enumerate(scenario.lineup)
        ),
        pots=_pot_result(scenario.stakes, table, tally),
    )


def _entrant_result(entrant: Entrant, stakes: Stakes, blocks: int, sums: list[int]) -> EntrantResult:
    total = dict(zip(ENTRANT_COLUMNS, sums, strict=True))
    hands = total["hands"]
    if hands != blocks * entrant.seats:
        raise ValueError(f"entrant {entrant.name!r} has {hands} hands in {entrant.seats} seats and {blocks} blocks")
    squares = _joined(total["net_sq_0"], total["net_sq_1"], total["net_sq_2"])
    rate = mean_estimate(total["net"], squares, blocks, scale=Fraction(100, entrant.seats * stakes.big_bet))

    def share(column: str, of: int) -> Share:
        return _share(total[column], of, seats=entrant.seats)

    return EntrantResult(
        name=entrant.name,
        strategy=entrant.strategy.spec,
        params=entrant.params,
        seats=entrant.seats,
        hands=hands,
        net=total["net"],
        net_money=f"{_money(total['net'], stakes):f}",
        bb_per_100=rate.value,
        std_error=rate.std_error,
        ci95=rate.ci95,
        std_dev=standard_deviation(total["net"], squares, blocks, scale=Fraction(1, stakes.big_bet)),
        showdowns=share("showdowns", hands),
        showdowns_won=share("showdowns_won", total["showdowns"]),
        pots_won=share("pots_won", hands),
        brought_in=share("brought_in", hands),
        completed=share("completed", hands),
    )


def _pot_result(stakes: Stakes, total: dict[str, int], tally: Tally) -> PotResult:
    hands, pot = total["hands"], total["pot"]
    squares = _joined(total["pot_sq_0"], total["pot_sq_1"], total["pot_sq_2"])
    money, big_bets = Fraction(stakes.unit), Fraction(1, stakes.big_bet)
    bins = {column: [int(count) for count in tally.table[:, index]] for index, column in enumerate(TABLE_COLUMNS)}

    def share(column: str) -> Share:
        return _share(total[column], hands)

    def per_100(column: str, scale: Fraction = Fraction(1)) -> Estimate:
        return ratio_estimate(bins[column], bins["hands"], scale=100 * scale)

    def rate(column: str) -> Rate:
        return Rate(total[column], per_100(column))

    return PotResult(
        hands=hands,
        total=pot,
        mean=mean_estimate(pot, squares, hands, scale=money),
        mean_big_bets=mean_estimate(pot, squares, hands, scale=big_bets),
        std_dev=standard_deviation(pot, squares, hands, scale=money),
        std_dev_big_bets=standard_deviation(pot, squares, hands, scale=big_bets),
        rake=total["rake"],
        rake_per_100=per_100("rake", big_bets),
        rake_of_pots=ratio_estimate(bins["rake"], bins["pot"]) if pot else None,
        showdowns=share("showdowns"),
        ends={**{name: share(f"ended_{name}") for name in STREET_NAMES}, "showdown": share("showdowns")},
        saw={name: share(f"saw_{name}") for name in STREET_NAMES[1:]},
        walks=share("walks"),
        side_pots=share("side_pots"),
        split_pots=share("split_pots"),
        all_ins=share("all_ins"),
        community_cards=share("community_cards"),
        capped_rounds=rate("capped_rounds"),
        free_folds=rate("free_folds"),
        decisions=rate("decisions"),
    )


def mean_estimate(total: int, squares: int, samples: int, scale: Fraction = Fraction(1)) -> Estimate:
    """The mean of samples known by their sum and sum of squares, times `scale`.

    >>> mean_estimate(total=6, squares=14, samples=3).value  # 1, 2, 3
    2.0
    """
    value = float(Fraction(total, samples) * scale)
    if samples < 2:
        return Estimate(value, None, None)
    return _estimate(value, sqrt(_variance(total, squares, samples) / samples * scale**2), samples - 1)


def standard_deviation(total: int, squares: int, samples: int, scale: Fraction = Fraction(1)) -> float | None:
    """The deviation of the samples, times `scale`; None when there is but one.

    >>> standard_deviation(total=6, squares=14, samples=3)
    1.0
    """
    return sqrt(_variance(total, squares, samples) * scale**2) if samples > 1 else None


def _variance(total: int, squares: int, samples: int) -> Fraction:
    return Fraction(samples * squares - total * total, samples * (samples - 1))


def ratio_estimate(parts: Sequence[int], wholes: Sequence[int], scale: Fraction = Fraction(1)) -> Estimate:
    """The ratio of two totals known bin by bin, times `scale`; its error is estimated between bins.

    For counts whose squares are not kept. The linearised variance of a ratio (Cochran, "Sampling Techniques", 1977,
    section 2.11): with m bins and r = sum a / sum b, m / (m - 1) x sum (a - r b)^2 / (sum b)^2.

    >>> ratio_estimate(parts=[1, 2, 3], wholes=[10, 10, 10]).value
    0.2
    """
    pairs = [(part, whole) for part, whole in zip(parts, wholes, strict=True) if whole]
    all_parts, all_wholes = sum(part for part, _ in pairs), sum(whole for _, whole in pairs)
    ratio = Fraction(all_parts, all_wholes)
    value = float(ratio * scale)
    if len(pairs) < 2:
        return Estimate(value, None, None)
    crossed = sum(part * part for part, _ in pairs) - 2 * ratio * sum(part * whole for part, whole in pairs)
    off = crossed + ratio**2 * sum(whole * whole for _, whole in pairs)
    variance = Fraction(len(pairs), len(pairs) - 1) * off / all_wholes**2
    return _estimate(value, sqrt(variance * scale**2), len(pairs) - 1)


def _estimate(value: float, std_error: float, freedom: int) -> Estimate:
    half = student_point(freedom) * std_error
    return Estimate(value, std_error, (value - half, value + half))


def _share(count: int, of: int, seats: int = 1) -> Share:
    """A share with its interval; chances of `seats` seats that share a deal count as one, which is never too few."""
    return Share(count, of, wilson_interval(Fraction(count, seats), Fraction(of, seats)) if of else None)


def wilson_interval(count: int | Fraction, of: int | Fraction) -> Interval:
    """The 95 % interval of a fraction (Wilson, Journal of the American Statistical Association 22, 1927).

    It stays between 0 and 1 and is honest where the count is 0 or nearly all. `of` is the number of independent
    chances. Seats that share a deal are not independent; the average over k of them varies at most as one of them does,
    so `of` divided by k gives an interval that is wide enough.

    >>> [round(end, 4) for end in wilson_interval(count=0, of=10)]
    [0.0, 0.2775]
    """
    fraction, square = count / of, NORMAL_POINT**2
    middle = fraction + square / (2 * of)
    half = NORMAL_POINT * sqrt(fraction * (1 - fraction) / of + square / (4 * of * of))
    low, high = (middle - half) / (1 + square / of), (middle + half) / (1 + square / of)
    return (0.0 if count == 0 else max(0.0, float(low)), 1.0 if count == of else min(1.0, float(high)))


@cache
def student_point(freedom: int) -> float:
    """The 97.5 % point of Student's t: how many standard errors a 95 % interval reaches to each side.

    Up to 100 degrees of freedom the exact probability is inverted, beyond them the expansion in 1 / freedom is used
    (Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.3-5); off by less than 1e-9.

    >>> [round(student_point(freedom), 3) for freedom in (1, 10, 10**6)]
    [12.706, 2.228, 1.96]
    """
    if freedom < 1:
        raise ValueError(f"Student's t has no {freedom} degrees of freedom")
    if freedom <= _EXPANSION_FROM:
        return _bisect(freedom)
    x = NORMAL_POINT
    return (
        x
        + (x**3 + x) / 4 / freedom
        + (5 * x**5 + 16 * x**3 + 3 * x) / 96 / freedom**2
        + (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384 / freedom**3
        + (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160 / freedom**4
    )


def _bisect(freedom: int) -> float:
    low, high = 1.0, 16.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if _central_probability(middle, freedom) < CONFIDENCE else (low, middle)
    return middle


def _central_probability(t: float, freedom: int) -> float:
    """The probability of Student's t between -t and t (Abramowitz and Stegun 26.7.3 for odd, 26.7.4 for even)."""
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2 == 1
    term, series = cos(angle) if odd else 1.0, 0.0
    for power in range(freedom % 2, freedom - 1, 2):
        series += term
        term *= cos(angle) ** 2 * (power + 1) / (power + 2)
    return 2 / pi * (angle + sin(angle) * series) if odd else sin(angle) * series


def exact_sums(totals: np.ndarray) -> list[int]:
    """The sum of each column of 64-bit integers, exact even where it needs more than 64 bits."""
    high = (totals >> 32).sum(axis=0, dtype=np.int64)
    low = (totals & _LOW_WORD).sum(axis=0, dtype=np.int64)
    return [(int(upper) << 32) + int(lower) for upper, lower in zip(high, low, strict=True)]


def _joined(low: int, middle: int, high: int) -> int:
    return low + (middle << 32) + (high << 64)


def _money(units: int, stakes: Stakes) -> Decimal:
    return units * stakes.unit


def summary(
    experiment: Experiment, tallies: Sequence[Tally], *, runner: str, workers: int, seconds: float
) -> dict[str, Any]:
    """All figures of a run in plain data, as `summary.json` keeps and `--json` prints them.

    Amounts of money are Decimals, exact; `results/README.md` explains each field. `store.json_text` writes it.
    """
    results = [scenario_result(scenario, tally) for scenario, tally in zip(experiment.scenarios, tallies, strict=True)]
    hands = sum(result.hands for result in results)
    return {
        "name": experiment.name,
        "seed": experiment.seed,
        "hands": hands,
        "seconds": round(seconds, 3),
        "hands_per_second": round(hands / seconds, 1) if seconds > 0 else None,
        "runner": runner,
        "workers": workers,
        "results_version": RESULTS_VERSION,
        "digest": digest(tallies),
        "scenarios": [_scenario_summary(result) for result in results],
    }


def _scenario_summary(result: ScenarioResult) -> dict[str, Any]:
    scenario = result.scenario
    return {
        "name": scenario.name,
        "hands": result.hands,
        "rules": scenario.rules.describe(),
        "betting": scenario.rules.betting,
        "stakes": _stakes_summary(scenario.stakes),
        "seats": scenario.seats,
        "stack_big_bets": float(Fraction(scenario.stack, scenario.stakes.big_bet)),
        "entrants": [_entrant_summary(entrant, scenario.stakes) for entrant in result.entrants],
        "pots": _pots_summary(result.pots, scenario.stakes),
    }


def _stakes_summary(stakes: Stakes) -> dict[str, Any]:
    amounts = ("ante", "bring_in", "small_bet", "big_bet", "chip")
    rake = stakes.rake
    return {
        "name": stakes.name,
        "unit": stakes.unit,
        **{part: _money(getattr(stakes, part), stakes) for part in amounts},
        "rake": rake
        and {
            "percent": rake.percent,
            "cap": None if rake.cap is None else _money(rake.cap, stakes),
            "cap_by_players": {str(players): _money(cap, stakes) for players, cap in rake.cap_by_players},
            "third_street": rake.third_street,
        },
    }


def _entrant_summary(entrant: EntrantResult, stakes: Stakes) -> dict[str, Any]:
    shares = ("showdowns", "showdowns_won", "pots_won", "brought_in", "completed")
    return {
        "name": entrant.name,
        "strategy": entrant.strategy,
        "params": dict(entrant.params),
        "seats": entrant.seats,
        "hands": entrant.hands,
        "net": _money(entrant.net, stakes),
        "net_units": entrant.net,
        "bb_per_100": entrant.bb_per_100,
        "std_error": entrant.std_error,
        "ci95": _ends(entrant.ci95),
        "std_dev": entrant.std_dev,
        **{name: _share_summary(getattr(entrant, name)) for name in shares},
    }


def _pots_summary(pots: PotResult, stakes: Stakes) -> dict[str, Any]:
    shares = ("walks", "side_pots", "split_pots", "all_ins", "community_cards")
    return {
        "hands": pots.hands,
        "total": _money(pots.total, stakes),
        "total_units": pots.total,
        **_estimate_summary(pots.mean, "mean"),
        "std_dev": pots.std_dev,
        "big_bets": {**_estimate_summary(pots.mean_big_bets, "mean"), "std_dev": pots.std_dev_big_bets},
        "rake": {
            "total": _money(pots.rake, stakes),
            "total_units": pots.rake,
            "big_bets_per_100": _estimate_summary(pots.rake_per_100, "mean"),
            "of_pots": pots.rake_of_pots and _estimate_summary(pots.rake_of_pots, "mean"),
        },
        "showdowns": _share_summary(pots.showdowns),
        "ends": {name: _share_summary(share) for name, share in pots.ends.items()},
        "saw": {name: _share_summary(share) for name, share in pots.saw.items()},
        **{name: _share_summary(getattr(pots, name)) for name in shares},
        **{name: _rate_summary(getattr(pots, name)) for name in ("capped_rounds", "free_folds", "decisions")},
    }


def _estimate_summary(estimate: Estimate, value: str) -> dict[str, Any]:
    return {value: estimate.value, "std_error": estimate.std_error, "ci95": _ends(estimate.ci95)}


def _share_summary(share: Share) -> dict[str, Any]:
    return {"count": share.count, "of": share.of, "fraction": share.fraction, "ci95": _ends(share.ci95)}


def _rate_summary(rate: Rate) -> dict[str, Any]:
    return {"count": rate.count, **_estimate_summary(rate.per_100, "per_100")}


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
