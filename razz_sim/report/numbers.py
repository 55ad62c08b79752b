"""Numbers as a reader needs them: with their error, and as many digits as that deserves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor, log10
from typing import Any

Summary = Mapping[str, Any]
"""A summary, or a part of it."""
NONE = "-"
_MOST_SAID = 500
_MOST_DECIMALS = 10
"""Two more than amounts may have."""
LEAST_BLOCKS = 30
"""Fewer samples have no interval here: Student's rests on means that are near normal, and nets are skewed."""


def plain(text: str) -> str:
    """A text from a config as it may stand in a terminal: without anything that would steer it.

    >>> plain("a\\x1b[31mb")
    'a?[31mb'
    """
    return "".join(sign if sign.isprintable() else "?" for sign in str(text))


def said(error: str) -> str:
    """What an error of a strategy says, no more of it than one reads.

    >>> said("x" * 5000).partition("x … ")[2]
    '(4,500 more characters are in summary.json)'
    """
    more = len(error) - _MOST_SAID
    rest = f" … ({more:,} more characters are in summary.json)" if more > 0 else ""
    return plain(error[:_MOST_SAID]) + rest


def with_sound_intervals(scenario: Summary) -> Summary:
    """A scenario of a summary without the intervals that too few blocks give."""
    return scenario if scenario["blocks"] >= LEAST_BLOCKS else _without_intervals(scenario)


def _without_intervals(part: Any) -> Any:
    if not isinstance(part, Mapping):
        return [_without_intervals(one) for one in part] if isinstance(part, list) else part
    return {key: None if key == "ci95" else _without_intervals(value) for key, value in part.items()}


def fewest_blocks(summary: Summary) -> int:
    """Blocks of the scenario that has the fewest."""
    return min(int(scenario["blocks"]) for scenario in summary["scenarios"])


def half(interval: Sequence[float] | None) -> float | None:
    """How far an interval reaches to each side."""
    return None if interval is None else (interval[1] - interval[0]) / 2


def decimals(half: float) -> int:
    """Decimals that a value with this error deserves: one or two digits of the error, however small; 2 without one.

    >>> decimals(12.0), decimals(0.8), decimals(0.21), decimals(0.05), decimals(4e-7), decimals(0.0)
    (1, 1, 2, 2, 7, 2)
    """
    return min(_MOST_DECIMALS, max(1, -floor(log10(half / 3)))) if half > 0 else 2


def places_for(intervals: Iterable[Sequence[float] | None]) -> int:
    """Decimals for numbers that stand side by side: enough to show the smallest error."""
    return max((decimals(found) for interval in intervals if (found := half(interval)) is not None), default=1)


def with_error(value: float, interval: Sequence[float] | None, places: int, *, sign: str = "") -> str:
    """A number and how far its interval reaches: '12.3 ± 0.8'."""
    error = half(interval)
    return f"{value:{sign}z,.{places}f}" + ("" if error is None else f" ± {error:,.{places}f}")


def estimates(
    found: Sequence[tuple[float, Sequence[float] | None] | None], *, sign: str = "", places: int | None = None
) -> list[str]:
    """A column of numbers with their errors: points above points, errors above errors; None is where there is none.

    >>> estimates([(1.25, (1.0, 1.5)), (-12.5, (-13.0, -12.0))], sign="+")
    [' +1.25 ± 0.25', '-12.50 ± 0.50']
    """
    if places is None:
        places = places_for(interval for _, interval in filter(None, found))
    pairs = [("" if one is None else with_error(*one, places, sign=sign)).partition(" ± ") for one in found]
    widest = max((len(error) for _, _, error in pairs), default=0)
    texts = [f"{value} ± {error:>{widest}}" if error else value for value, _, error in pairs]
    longest = max(map(len, texts))
    return [f"{text:>{longest}}" if text else NONE for text in texts]


def percents(shares: Sequence[Summary], most_places: int = 1) -> list[str]:
    """A column of shares in percent with their errors, no finer than the largest of these."""
    found = [None if one["fraction"] is None else _percent(one) for one in shares]
    halves = [error for one in found if one is not None and (error := half(one[1])) is not None]
    places = min(most_places, decimals(max(halves, default=0.0)))
    texts = estimates(found, places=places)
    return [_uneven(text, share, places) for text, share in zip(texts, shares, strict=True)]


def _uneven(text: str, share: Summary, places: int) -> str:
    """A share so near none or all that its interval reaches further to one side: '1.2 -1.0 +5.5', '0.0 + 0.9'."""
    value, plus_or_minus, error = text.partition(" ± ")
    if not plus_or_minus or not _is_uneven(share):
        return text
    low, high = share["ci95"]
    if share["fraction"] not in (0, 1):
        below, above = 100 * (share["fraction"] - low), 100 * (high - share["fraction"])
        return f"{value} -{below:.{places}f} +{above:.{places}f}"
    reach = f"{100 * (high - low):.{places}f}"
    return f"{value} {'-' if share['fraction'] else '+'} {reach:>{len(error)}}" if float(reach) else text


def _is_uneven(share: Summary) -> bool:
    """Whether an interval of half its width to each side would go below 0 or above 1."""
    fraction, error = share["fraction"], half(share["ci95"])
    return error is not None and not error <= fraction <= 1 - error


def _percent(share: Summary) -> tuple[float, Sequence[float] | None]:
    interval = share["ci95"]
    return 100 * share["fraction"], None if interval is None else [100 * end for end in interval]


def weight_text(weight: object) -> str:
    """A weight as one writes it.

    >>> weight_text(4.50), weight_text(100)
    ('4.5', '100')
    """
    return f"{Decimal(str(weight)).normalize():f}"


def amount_text(amount: Fraction) -> str:
    """An amount of up to eight decimals as one writes it, with thousands apart.

    >>> amount_text(Fraction(12345, 10)), amount_text(Fraction(50))
    ('1,234.5', '50')
    """
    return f"{float(amount):,.8f}".rstrip("0").rstrip(".")


def exact(units: int, stakes: Summary, *, sign: str = "") -> str:
    """An exact amount from whole smallest units, with thousands apart."""
    return f"{units * Decimal(str(stakes['unit'])):{sign},f}"
