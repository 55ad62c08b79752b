"""Estimates with their errors: means, ratios and shares, from sums that are exact to the last digit.

All sums stay integers or fractions until the last step, so that no digit is lost however many samples there were.

    mean            m = S / n                          S the sum over n samples
    variance        v = (Q - S^2 / n) / (n - 1)        Q the sum of squares
    standard error  e = sqrt(v / n)
    95 % interval   m - t e .. m + t e                 t the 97.5 % point of Student's t with n - 1 degrees of freedom

This is Student's interval ("The probable error of a mean", Biometrika 6, 1908). One sample has no interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import atan, cos, pi, sin, sqrt
from statistics import NormalDist

import numpy as np

CONFIDENCE = 0.95
NORMAL_POINT = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""The 97.5 % point of the normal distribution: 1.96."""
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

    For counts whose squares are not kept, and where the wholes vary from sample to sample. The linearised variance of a
    ratio (Cochran, "Sampling Techniques", 1977, section 2.11): with m bins and r = sum a / sum b, it is
    m / (m - 1) x sum (a - r b)^2 / (sum b)^2.

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


def ratio_difference(
    one: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray], scale: Fraction = Fraction(1)
) -> Estimate:
    """The ratio of one pair of totals less that of another, both known for the same bins, times `scale`.

    The linearised variance of a difference of ratios (Cochran, chapter 6): with m bins and the residuals
    d = (a - r b) / sum b of each ratio it is m / (m - 1) x sum (d - d')^2.

    >>> ratio_difference((np.array([3, 4]), np.array([10, 10])), (np.array([1, 2]), np.array([10, 10]))).value
    0.2
    """
    return linearised(_ratio(*one) - _ratio(*other), residuals(*one) - residuals(*other), len(one[0]), scale)


def linearised(value: Fraction, off: np.ndarray, samples: int, scale: Fraction = Fraction(1)) -> Estimate:
    """A value with the error that so many samples give it, from what each is off; both times `scale`.

    >>> linearised(Fraction(2), np.array([-1.0, 1.0]), samples=2).std_error
    2.0
    """
    if samples < 2:
        return Estimate(float(value * scale), None, None)
    variance = samples / (samples - 1) * float(off @ off)
    return _estimate(float(value * scale), sqrt(variance) * float(scale), samples - 1)


def in_plain_data(estimate: Estimate, value: str) -> dict[str, object]:
    """An estimate as summaries have it, its value under this key."""
    interval = None if estimate.ci95 is None else list(estimate.ci95)
    return {value: estimate.value, "std_error": estimate.std_error, "ci95": interval}


def share_in_plain_data(share: Share) -> dict[str, object]:
    """A share as summaries have it."""
    interval = None if share.ci95 is None else list(share.ci95)
    return {"count": share.count, "of": share.of, "fraction": share.fraction, "ci95": interval}


def independent_difference(one: Estimate, other: Estimate, samples: tuple[int, int]) -> tuple[Estimate, int]:
    """One less another that has nothing to do with it, from so many samples each; and the degrees of freedom.

    The squares of the errors add, and the degrees of freedom are Welch's ("The generalization of 'Student's' problem
    when several different population variances are involved", Biometrika 34, 1947).
    """
    value = one.value - other.value
    if one.std_error is None or other.std_error is None:
        return Estimate(value, None, None), 0
    squares = one.std_error**2, other.std_error**2
    error = sqrt(sum(squares))
    if not error:
        return Estimate(value, 0.0, (value, value)), 1
    spread = sum(square**2 / (count - 1) for square, count in zip(squares, samples, strict=True))
    freedom = max(1, int(error**4 / spread))
    return _estimate(value, error, freedom), freedom


def residuals(parts: np.ndarray, wholes: np.ndarray) -> np.ndarray:
    """What each bin's part is off the ratio of the totals, over the sum of the wholes."""
    ratio = _ratio(parts, wholes)
    exact = parts.astype(object) * ratio.denominator - wholes.astype(object) * ratio.numerator
    off: np.ndarray = (exact / (ratio.denominator * sum(wholes.tolist()))).astype(float)
    return off


def _ratio(parts: np.ndarray, wholes: np.ndarray) -> Fraction:
    return Fraction(sum(parts.tolist()), sum(wholes.tolist()))


def _estimate(value: float, std_error: float, freedom: int) -> Estimate:
    half = student_point(freedom) * std_error
    return Estimate(value, std_error, (value - half, value + half))


def share(count: int, of: int, seats: int = 1) -> Share:
    """A share of independent chances; those of `seats` seats that share a deal count as one, never too few."""
    return Share(count, of, wilson_interval(Fraction(count, seats), Fraction(of, seats)) if of else None)


def clustered_share(counts: Sequence[int], chances: Sequence[int], *, together: int, samples: int) -> Share:
    """A share of chances that come `together`, as the hands of a session do, known bin by bin.

    Wilson's interval for as many independent chances as would have the error that is seen between bins, fewer where
    bins are few (Korn and Graubard, Survey Methodology 24, 1998): p (1 - p) / e^2, times (1.96 / t)^2. That is held to
    at most one for every `together`, the chances in one hand. Where the share is 0 or 1, or there is but one bin,
    nothing is seen between bins, and each of the `samples` counts as one: a mean of chances varies at most as one does.

    >>> clustered_share([5, 5, 2, 8], [10, 10, 10, 10], together=1, samples=4).fraction
    0.5
    """
    count, of = sum(counts), sum(chances)
    if not of:
        return Share(count, of, None)
    fraction, most = Fraction(count, of), Fraction(of, together)
    estimate = ratio_estimate(counts, chances)
    independent = min(most, Fraction(samples))
    if 0 < count < of and estimate.std_error is not None:
        seen = Fraction(estimate.std_error) ** 2 * Fraction(student_point(_used(chances) - 1) / NORMAL_POINT) ** 2
        independent = min(most, fraction * (1 - fraction) / seen) if seen else most
    return Share(count, of, wilson_interval(fraction * independent, independent))


def _used(wholes: Sequence[int]) -> int:
    """Samples that have something in them."""
    return sum(whole != 0 for whole in wholes)


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
        low, high = (middle, high) if central_probability(middle, freedom) < CONFIDENCE else (low, middle)
    return middle


def central_probability(t: float, freedom: int) -> float:
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
