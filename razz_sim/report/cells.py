"""What the page's tables are made of: cells with a figure, its count, and how it is drawn; numbers that align."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from razz_sim.report.measure import WIN_RATES, Measure
from razz_sim.report.numbers import LEAST_BLOCKS, NONE, Summary, estimates, half, percents, plain
from razz_sim.report.palette import SERIES, Scale

FIGURE_SPACE = "\N{FIGURE SPACE}"
MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"
"""Where there is nothing to tell."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """An interval to draw in a cell: its ends, its middle and zero, as percent of the cell's width."""

    low: float
    middle: float
    high: float
    zero: float
    series: int
    sure: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure as it is read, a smaller note beneath it, and how its cell looks.

    `shade` is a class of the heat map, `bar` a percentage drawn as a bar, `drawn` an interval.
    """

    text: str = ""
    note: str = ""
    shade: str = ""
    bar: float | None = None
    drawn: Drawn | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row: what it is about, a smaller note on that, and its cells."""

    head: str
    cells: tuple[Cell, ...]
    note: str = ""
    series: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table that a page shows: `corner` stands above the rows' heads."""

    caption: str
    corner: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    kind: str = ""


def by_columns(heads: Sequence[tuple[str, str]], columns: Sequence[Sequence[Cell]]) -> tuple[Row, ...]:
    """Rows from columns of cells."""
    return tuple(
        Row(head, tuple(cells), note) for (head, note), cells in zip(heads, zip(*columns, strict=True), strict=True)
    )


def aligned(texts: Sequence[str]) -> list[str]:
    """Numbers as a page shows them: a true minus, and blanks as wide as digits where something is left out.

    >>> aligned([" +1.25 ±  0.25", "-12.50 ± 10.50"]) == ["+1.25 ± \u2007" + "0.25", "−12.50 ± 10.50"]
    True
    """
    return [_aligned(text) for text in texts]


def _aligned(text: str) -> str:
    value, plus_minus, error = text.strip().partition(" ± ")
    if value == NONE:
        return NOTHING
    return value.replace("-", MINUS) + plus_minus + error.replace(" ", FIGURE_SPACE)


def rates(
    found: Sequence[Summary | None], key: str = "bb_per_100", *, sign: str = "+", places: int | None = None
) -> list[str]:
    """A column of estimates with their intervals."""
    if not found:
        return []
    pairs = [None if one is None else (one[key], one["ci95"]) for one in found]
    return aligned(estimates(pairs, sign=sign, places=places))


def share_cells(shares: Sequence[Summary]) -> list[Cell]:
    """A column of shares: percent with its interval, the count and the chances, and a bar."""
    texts = aligned(percents(shares, most_places=2)) if shares else []
    return [
        Cell(
            text if one["of"] else NOTHING,
            f"{one['count']:,} of\N{NO-BREAK SPACE}{one['of']:,}",
            bar=100 * (one["fraction"] or 0),
        )
        for text, one in zip(texts, shares, strict=True)
    ]


def class_cells(found: Sequence[Summary | None], scale: Scale, measure: Measure = WIN_RATES) -> list[Cell]:
    """A column of win rates of classes of hands, shaded, with the hands of each; or of returns in tournaments."""
    if measure is WIN_RATES:
        found = [sound(one, "hands") for one in found]
    return [
        Cell(NOTHING, f"0 {measure.counted}")
        if one is None
        else Cell(text, _counted(one, measure), shade_of(one, scale))
        for text, one in zip(rates(found, places=1), found, strict=True)
    ]


def _counted(one: Summary, measure: Measure) -> str:
    return hands_text(one["hands"]) if measure is WIN_RATES else f"{one['tournaments']:,}\N{NO-BREAK SPACE}tournaments"


def sound(one: Summary | None, counted: str) -> Summary | None:
    """An estimate without its interval where what it counted, hands or pots, was too little for one."""
    return one if one is None or one[counted] >= LEAST_BLOCKS else {**one, "ci95": None}


def shade_of(one: Summary, scale: Scale) -> str:
    """The class of a cell: faded where zero is within the interval, or that is not known."""
    return scale.shade(one["bb_per_100"]) + ("" if is_sure(one["ci95"]) else " unsure")


def is_sure(interval: Sequence[float] | None) -> bool:
    """Whether an interval has zero outside it."""
    return interval is not None and not interval[0] <= 0 <= interval[1]


def hands_text(hands: int) -> str:
    return f"{hands:,}\N{NO-BREAK SPACE}hand{'s' * (hands != 1)}"


def short_rate(value: float, error: float = 0.0) -> str:
    """A rate in a small cell, with a decimal where its size and its error deserve one.

    >>> short_rate(152.4), short_rate(-1234.0), short_rate(0.2), short_rate(-3.44), short_rate(-3.44, error=12)
    ('+152', '−1.2k', '+0.2', '−3.4', '−3')
    """
    size = abs(value)
    whole = size >= 9.95 or error >= 1
    text = f"{size / 1000:.1f}k" if size >= 999.5 else f"{size:.0f}" if whole else f"{size:.1f}"
    return ("+" if value > 0 else MINUS if value < 0 else "") + text


def short_error(interval: Sequence[float] | None) -> str:
    error = half(interval)
    return "" if error is None else "±" + short_rate(error, error).strip("+")


def series(place: int) -> int:
    """The number of the colour of an entrant by its place in the line-up, from 0."""
    return place % len(SERIES) + 1


def name_of(text: object) -> str:
    """A name from a config as a page may show it; the template escapes it."""
    return plain(str(text))
