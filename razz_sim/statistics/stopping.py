"""Stopping when it is known: what each look at two entrants says, and which intervals stay valid then.

A look sees n full bins of equal size; d is the difference so far and e its standard error between bins
(`ratio_difference`), t the 97.5 % point of Student's t with n - 1 degrees of freedom.

    difference  ends when t e sqrt(1 + 4 / n) is no more than the half width h asked for; then d - h .. d + h holds the
                truth in 95 % of runs (Chow and Robbins, "On the asymptotic theory of fixed-width sequential confidence
                intervals for the mean", Annals of Mathematical Statistics 36, 1965). That depends on the spread of the
                results, not on who is ahead. The root makes up for ending where the spread happens to look small, and
                was chosen by simulation.
    test        ends when the logarithm of the likelihood ratio of h1 over h0, with t0 = (d - h0) / e, t1 = (d - h1) / e
                    n / 2 x ln((1 + t0^2 / (n - 1)) / (1 + t1^2 / (n - 1)))
                reaches ln((1 - beta) / alpha), for h1, or ln(beta / (1 - alpha)), for h0: Wald's sequential test
                ("Sequential Analysis", 1947) with, under each hypothesis, the variance that makes the results likeliest
                (Li, Liu and Ying, "Generalized sequential probability ratio test for separate families of hypotheses",
                Sequential Analysis 33, 2014).
    anytime     ends when 0 is outside an interval that holds the truth at every look with probability 1 - alpha:
                    d - w e .. d + w e, w^2 = (n - 1) (k - 1) / (1 - k / (1 + n g)), k = ((1 + n g) / alpha^2)^(1 / n)
                It is what tests of each value leave, by the martingale that averages the likelihood ratio of Student's
                t over effects of variance g a bin (Lai, "On confidence sequences", Annals of Statistics 4, 1976; Wang
                and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance",
                Sequential Analysis 44, 2025). g makes it narrowest when about an eighth of the hands is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log, log1p, sqrt
from typing import Literal

import numpy as np

from razz_sim.experiment import Experiment
from razz_sim.stages import StopRule
from razz_sim.statistics.estimates import Estimate, Interval, ratio_difference, student_point
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally

_NET, _HANDS = ENTRANT_COLUMNS.index("net"), ENTRANT_COLUMNS.index("hands")
_TABLE_HANDS = TABLE_COLUMNS.index("hands")
DEFAULT_ALPHA = 0.05
NARROWEST = 8
"""The anytime interval is narrowest when 1 of so many of all hands are played."""

Verdict = Literal["known", "h0", "h1", "first", "second", "even"]
"""Why it was stopped: the difference is `known` as well as asked, the test took a hypothesis, or the interval says that
the first or the second is better, or that they are `even` within what was asked."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen after so many blocks of each match and hands of all.

    `difference` is in big bets per 100 hands, with the ordinary interval; `anytime` the one that holds at every look,
    and `evidence` the logarithm of a test's likelihood ratio; `verdict` is None where it went on.
    """

    blocks: int
    hands: int
    difference: Estimate
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
                    found.append(tallies[index].entrants[:bins, names.index(name)].astype(object))
        one, other = (_won(found) for found in rows)
        first = next(iter(self.scenarios.values()))
        most = first.bins
        difference = ratio_difference(one, other, Fraction(100, first.stakes.big_bet))
        return look(self.rule, difference, len(one[0]), most, blocks=self.ends_at(number), hands=hands)

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


def _won(found: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Nets and hands of an entrant over its matches, bin by bin."""
    together = np.sum(np.array(found), axis=0)
    return together[:, _NET], together[:, _HANDS]


def look(rule: StopRule, difference: Estimate, bins: int, most_bins: int, *, blocks: int = 0, hands: int = 0) -> Look:
    """What a rule says of a difference that is known over so many bins, of `most_bins` at most."""
    anytime = anytime_interval(difference, bins, most_bins, rule.alpha if rule.kind == "anytime" else DEFAULT_ALPHA)
    evidence = None if rule.h1 is None else likelihood_ratio(difference, bins, rule.h0, rule.h1)
    verdict: Verdict | None = None
    if rule.kind == "difference":
        verdict = "known" if _is_known(rule, difference, bins) else None
    elif rule.kind == "anytime":
        verdict = _told(rule, anytime)
    elif evidence is not None:
        low, high = bounds_of(rule)
        verdict = "h1" if evidence >= high else "h0" if evidence <= low else None
    return Look(blocks, hands, difference, anytime, evidence, verdict)


def valid_interval(rule: StopRule, last: Look) -> Interval | None:
    """The interval that stays valid when a rule stopped, or did not, with its last look."""
    if rule.kind != "difference":
        return last.anytime
    if last.verdict is None or rule.half_width is None:
        return last.difference.ci95
    return last.difference.value - rule.half_width, last.difference.value + rule.half_width


def bounds_of(rule: StopRule) -> Interval:
    """The logarithms of the likelihood ratio at which a test takes h0 and h1."""
    return log(rule.beta / (1 - rule.alpha)), log((1 - rule.beta) / rule.alpha)


def _is_known(rule: StopRule, difference: Estimate, bins: int) -> bool:
    if difference.std_error is None or rule.half_width is None:
        return False
    return student_point(bins - 1) * difference.std_error * sqrt(1 + 4 / bins) <= rule.half_width


def _told(rule: StopRule, anytime: Interval | None) -> Verdict | None:
    if anytime is None:
        return None
    low, high = anytime
    if low > 0 or high < 0:
        return "first" if low > 0 else "second"
    if rule.half_width is not None and (high - low) / 2 <= rule.half_width:
        return "even"
    return None


def likelihood_ratio(difference: Estimate, bins: int, h0: float, h1: float) -> float | None:
    """The logarithm of the likelihood ratio of h1 over h0; None with one bin, or without spread halfway between them.

    Without any spread the nearer hypothesis has all the likelihood.
    """
    if difference.std_error is None:
        return None
    off0, off1 = abs(difference.value - h0), abs(difference.value - h1)
    if not difference.std_error:
        return None if off0 == off1 else inf if off1 < off0 else -inf
    t0, t1 = off0 / difference.std_error, off1 / difference.std_error
    return bins / 2 * (log1p(t0**2 / (bins - 1)) - log1p(t1**2 / (bins - 1)))


def anytime_interval(difference: Estimate, bins: int, most_bins: int, alpha: float) -> Interval | None:
    """The interval that holds at every look with probability 1 - `alpha`; None while it has no ends."""
    if difference.std_error is None:
        return None
    reach = anytime_reach(bins, most_bins, alpha)
    half = reach * difference.std_error
    return None if reach == inf else (difference.value - half, difference.value + half)


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
