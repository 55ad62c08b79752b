"""Stopping when it is known: what each look at two entrants says, and which intervals stay valid then.

A look sees n full bins of equal size; d is the difference so far and e its standard error between bins
(`ratio_difference`). How far d is off a value v is told by T(v) = t + a (t^2 / 3 + 1 / 6) + a^2 t^3 / 27, where t is
(d - v) / e and a the skewness of the bins over sqrt(n): that takes the skewness out of Student's t, which makes tests
err where a few large pots decide (Hall, "On the removal of skewness by transformation", Journal of the Royal
Statistical Society B 54, 1992).

    difference  ends when q e sqrt(1 + 4 / n) is no more than the half width h asked for, q the 97.5 % point of
                Student's t with n - 1 degrees of freedom; then the values with |T| <= h / e hold the truth in 95 % of
                runs (Chow and Robbins, "On the asymptotic theory of fixed-width sequential confidence intervals for the
                mean", Annals of Mathematical Statistics 36, 1965): d - h .. d + h, but for the skewness. That depends
                on the spread of the results, not on who is ahead. The root makes up for ending where the spread happens
                to look small, and was chosen by simulation.
    test        ends when the logarithm of the likelihood ratio of h1 over h0,
                    n / 2 x ln((1 + T(h0)^2 / (n - 1)) / (1 + T(h1)^2 / (n - 1)))
                reaches ln((1 - beta) / alpha), for h1, or ln(beta / (1 - alpha)), for h0: Wald's sequential test
                ("Sequential Analysis", 1947) with, under each hypothesis, the variance that makes the results likeliest
                (Li, Liu and Ying, "Generalized sequential probability ratio test for separate families of hypotheses",
                Sequential Analysis 33, 2014).
    anytime     ends when 0 is outside an interval that holds the truth at every look with probability 1 - alpha: the
                values with |T| <= w, w^2 = (n - 1) (k - 1) / (1 - k / (1 + n g)), k = ((1 + n g) / alpha^2)^(1 / n).
                It is what tests of each value leave, by the martingale that averages the likelihood ratio of Student's
                t over effects of variance g a bin (Lai, "On confidence sequences", Annals of Statistics 4, 1976; Wang
                and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
                Sequential Analysis 44, 2025). g makes it narrowest when about an eighth of the hands is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import cbrt, copysign, inf, log, log1p, sqrt
from typing import Literal

import numpy as np

from razz_sim.experiment import Experiment
from razz_sim.stages import StopRule
from razz_sim.statistics.estimates import Estimate, Interval, ratio_difference, residuals, student_point
from razz_sim.statistics.field import added_up, unit_of, won
from razz_sim.tally import TABLE_COLUMNS, Tally

_TABLE_HANDS = TABLE_COLUMNS.index("hands")
DEFAULT_ALPHA = 0.05
LEAST_WITHOUT_SPREAD = 16_384
"""Blocks that must all have ended alike before a rule believes that all will: what is rare may not have come yet."""
_HARDLY = 1e-6
"""Less skewness than this is undone to first order."""
NARROWEST = 8
"""The anytime interval is narrowest when 1 of so many of all hands are played."""

Verdict = Literal["known", "h0", "h1", "first", "second", "even"]
"""Why it was stopped: the difference is `known` as well as asked, the test took a hypothesis, or the interval says that
the first or the second is better, or that they are `even` within what was asked."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen after so many blocks of each match and hands of all.

    `difference` is in big bets per 100 hands, with the ordinary interval. `valid` is the one that holds where a run
    ends with this look, `anytime` one that holds at every look, and `evidence` the logarithm of a test's likelihood
    ratio; `verdict` is None where it went on.
    """

    blocks: int
    hands: int
    difference: Estimate
    valid: Interval | None
    anytime: Interval | None
    evidence: float | None
    verdict: Verdict | None


class Watching:
    """Looks at the matches of one setting for the experiment's rule; `indices` are those of its scenarios."""

    def __init__(self, experiment: Experiment, indices: Sequence[int]) -> None:
        assert experiment.stop is not None
        self.rule: StopRule = experiment.stop
        self.scenarios = {index: experiment.scenarios[index] for index in indices}
        self.ends = {index: experiment.looks(index) for index in indices}
        """For each match, after how many blocks it is looked."""
        self.count = len(self.ends[indices[0]])
        """How many looks there are at most."""

    def look(self, number: int, tallies: Sequence[Tally]) -> Look:
        """Look `number`, from 0; `tallies` are those of all scenarios, with the blocks up to that look."""
        hands = 0
        rows: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        for index, scenario in self.scenarios.items():
            bins = -(-self.ends[index][number] // scenario.bin_size)
            hands += int(tallies[index].table[:bins, _TABLE_HANDS].sum())
            names = [entrant.name for entrant in scenario.lineup]
            if self.rule.name in names and self.rule.other in names:
                for found, name in zip(rows, (self.rule.name, self.rule.other), strict=True):
                    found.append(won(scenario, tallies[index], names.index(name), bins))
        one, other = (added_up(found) for found in rows)
        first = next(iter(self.scenarios.values()))
        most = first.bins
        difference = ratio_difference(one, other, Fraction(100, unit_of(first)))
        known = Known(difference, len(one[0]), most, skewness(residuals(*one) - residuals(*other)))
        return look(self.rule, known, blocks=self.ends_at(number), hands=hands)

    def ends_at(self, number: int) -> int:
        """After how many blocks of each match look `number` is."""
        return next(iter(self.ends.values()))[number]

    def looks(self, tallies: Sequence[Tally]) -> list[Look]:
        """All looks at what was played, up to the one that stopped it."""
        found: list[Look] = []
        played = min(tallies[index].table_total("blocks") for index in self.scenarios)
        while len(found) < self.count and self.ends_at(len(found)) <= played:
            found.append(self.look(len(found), tallies))
            if found[-1].verdict is not None:
                break
        return found


@dataclass(frozen=True, slots=True)
class Known:
    """A difference as so many bins tell it, of `most_bins` at most, and how skewed these are."""

    difference: Estimate
    bins: int
    most_bins: int
    skewness: float = 0.0

    def off(self, value: float) -> float:
        """How many errors the difference is off a value, without the skewness; infinite where there is no error."""
        away = self.difference.value - value
        if not self.difference.std_error:
            return copysign(inf, away) if away else 0.0
        t, skew = away / self.difference.std_error, self.skewness / sqrt(self.bins)
        return t + skew * (t * t / 3 + 1 / 6) + skew**2 * t**3 / 27

    def within(self, reach: float) -> Interval:
        """The values that the difference is at most so many errors off."""
        skew, error = self.skewness / sqrt(self.bins), self.difference.std_error or 0.0

        def far(errors: float) -> float:
            if abs(skew) < _HARDLY:
                return errors - skew * (errors**2 / 3 + 1 / 6)
            return 3 * (cbrt(1 + skew * (errors - skew / 6)) - 1) / skew

        return self.difference.value - error * far(reach), self.difference.value - error * far(-reach)


def skewness(off: np.ndarray) -> float:
    """The skewness of bins by what each is off the mean; 0 where there is no spread."""
    spread = float((off**2).mean())
    return float((off**3).mean()) / spread**1.5 if spread else 0.0


def look(rule: StopRule, known: Known, *, blocks: int = 0, hands: int = 0) -> Look:
    """What a rule says of a difference."""
    anytime = anytime_interval(known, rule.alpha if rule.kind == "anytime" else DEFAULT_ALPHA)
    evidence = None if rule.h1 is None else likelihood_ratio(known, rule.h0, rule.h1)
    verdict: Verdict | None = None
    valid = anytime
    if rule.kind == "difference":
        valid = known.difference.ci95
        if rule.half_width is not None and _half(known) <= rule.half_width:
            verdict, valid = "known", known.within(rule.half_width / (known.difference.std_error or inf))
    elif rule.kind == "anytime":
        verdict = _told(rule, anytime)
    elif evidence is not None:
        low, high = bounds_of(rule)
        verdict = "h1" if evidence >= high else "h0" if evidence <= low else None
    if not known.difference.std_error and blocks < LEAST_WITHOUT_SPREAD and known.bins < known.most_bins:
        verdict = None
    return Look(blocks, hands, known.difference, valid, anytime, evidence, verdict)


def bounds_of(rule: StopRule) -> Interval:
    """The logarithms of the likelihood ratio at which a test takes h0 and h1."""
    return log(rule.beta / (1 - rule.alpha)), log((1 - rule.beta) / rule.alpha)


def _half(known: Known) -> float:
    """How far Student's interval reaches to each side, with what makes up for looking at it."""
    if known.difference.std_error is None:
        return inf
    return student_point(known.bins - 1) * known.difference.std_error * sqrt(1 + 4 / known.bins)


def _told(rule: StopRule, anytime: Interval | None) -> Verdict | None:
    if anytime is None:
        return None
    low, high = anytime
    if low > 0 or high < 0:
        return "first" if low > 0 else "second"
    if rule.half_width is not None and (high - low) / 2 <= rule.half_width:
        return "even"
    return None


def likelihood_ratio(known: Known, h0: float, h1: float) -> float | None:
    """The logarithm of the likelihood ratio of h1 over h0; None with one bin, or without spread halfway between them.

    Without any spread the nearer hypothesis has all the likelihood.
    """
    if known.difference.std_error is None:
        return None
    if not known.difference.std_error:
        off0, off1 = abs(known.difference.value - h0), abs(known.difference.value - h1)
        return None if off0 == off1 else inf if off1 < off0 else -inf
    freedom = known.bins - 1
    return known.bins / 2 * (log1p(known.off(h0) ** 2 / freedom) - log1p(known.off(h1) ** 2 / freedom))


def anytime_interval(known: Known, alpha: float) -> Interval | None:
    """The interval that holds at every look with probability 1 - `alpha`; None while it has no ends."""
    if known.difference.std_error is None:
        return None
    reach = anytime_reach(known.bins, known.most_bins, alpha)
    return None if reach == inf else known.within(reach)


def anytime_reach(bins: int, most_bins: int, alpha: float) -> float:
    """How many standard errors the anytime interval reaches to each side; infinite while bins are too few.

    >>> [round(anytime_reach(bins, 1024, 0.05), 2) for bins in (4, 16, 128, 1024)]
    [inf, 5.72, 3.09, 3.22]
    """
    surprise = -2 * log(alpha)
    effects = (surprise + log1p(surprise)) / max(1, most_bins / NARROWEST)
    spread = 1 + bins * effects
    threshold = (spread / alpha**2) ** (1 / bins)
    if threshold >= spread:
        return inf
    return sqrt((bins - 1) * (threshold - 1) / (1 - threshold / spread))
