"""What scenarios share said once, and of what differs from where to where it goes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from razz_sim.report.numbers import plain

MOST_LISTED = 5
"""More values than this are told by the first and the last."""
QUIET = "dim"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that is asked, as it is in each scenario."""

    heading: str
    texts: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether it is not the same in all scenarios."""
        return len(set(self.texts)) > 1

    def __str__(self) -> str:
        return spread(self.texts)


def part(heading: str, texts: Iterable[str]) -> Part:
    """One thing that is asked, from what it is in each scenario."""
    return Part(heading, tuple(texts))


def spread(texts: Iterable[str], unit: str = "") -> str:
    """What scenarios share, or the values that it takes, numbers from the lowest on, then their unit.

    >>> spread(["2", "2"]), spread(["8", "2", "4"]), spread(map(str, [9, *range(9)]))
    ('2', '2, 4 or 8', '0 to 9 in 10 values')
    """
    *others, last = rising(dict.fromkeys(texts))
    if not others:
        return last + unit
    if len(others) < MOST_LISTED:
        apart = "; " if any(", " in text or " and " in text for text in (*others, last)) else ", "
        return f"{apart.join(others)}{';' if apart == '; ' else ''} or {last}{unit}"
    return f"{others[0]} to {last}{unit} in {len(others) + 1} values"


def rising(texts: Iterable[str]) -> list[str]:
    """Values from the lowest to the highest where all are numbers, else as they come.

    >>> rising(["1,000", "0.50", "2"]), rising(["b", "10", "a"])
    (['0.50', '2', '1,000'], ['b', '10', 'a'])
    """
    found = list(texts)
    numbers = [number for text in found if (number := _number(text)) is not None]
    return (
        sorted(found, key=dict(zip(found, numbers, strict=True)).__getitem__) if len(numbers) == len(found) else found
    )


def _number(text: str) -> Decimal | None:
    try:
        number = Decimal(text.replace(",", ""))
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def listed(names: Iterable[str]) -> str:
    """Names in a sentence.

    >>> listed(["a", "b", "c"]), listed(["a"]), listed([])
    ('a, b and c', 'a', '')
    """
    found = [plain(name) for name in names]
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))
