"""What all charts share: quiet axes, looks of entrants, marks with their intervals, names that are not too long."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Any
from unicodedata import east_asian_width

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from razz_sim.report.numbers import plain
from razz_sim.report.palette import DASHES, INK, MARKERS, MUTED, PAPER, RULE, SERIES

POINTS = 72
"""A unit of a chart is a CSS pixel where it is shown at its own size."""
WIDTH, HEIGHT = 360, 230
LONGEST_NAME, LONGEST_LABEL = 22, 48
TEXT = 10


def blank(height: float, width: float = WIDTH) -> tuple[Figure, Axes]:
    """A figure with quiet axes: no box, thin lines across."""
    figure = Figure(figsize=(width / POINTS, height / POINTS), layout="constrained", facecolor="none")
    axes = figure.add_subplot(facecolor="none")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(RULE)
    axes.tick_params(length=0, colors=MUTED, labelsize=TEXT)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=RULE, lw=0.6)
    axes.yaxis.set_major_locator(MaxNLocator(6))
    return figure, axes


def look_of(place: int) -> dict[str, Any]:
    """The colour, dash and mark of an entrant."""
    return {
        "color": SERIES[place % len(SERIES)],
        "ls": DASHES[place % len(DASHES)],
        "marker": MARKERS[place % len(MARKERS)],
        "ms": 4.5,
        "mec": PAPER,
        "mew": 0.5,
        "lw": 1.5,
    }


def add_line(axes: Axes, place: int, at: Sequence[float], values: Sequence[float], **others: Any) -> None:
    """A line in the looks of an entrant."""
    axes.plot(at, values, **{**look_of(place), "clip_on": False, **others})


def add_bar(
    axes: Axes, place: int, at: float, value: float, interval: Sequence[float] | None, *, upright: bool = True
) -> None:
    """A mark at a value, and its interval as a line through it."""
    if interval is not None:
        low, high = interval
        line = axes.vlines if upright else axes.hlines
        line(at, low, high, color=colour(place), lw=1.6, clip_on=False)
    x, y = (at, value) if upright else (value, at)
    add_line(axes, place, [x], [y], ls="none")


def add_zero(axes: Axes) -> None:
    """The line where nothing is won or lost."""
    axes.axhline(0, color=MUTED, lw=0.8, zorder=1)


def add_label(axes: Axes, below: str, beside: str) -> None:
    """What is drawn along the axes; what goes up is told above the chart."""
    below_it = axes.set_xlabel("x", color=MUTED, fontsize=TEXT)
    beside_it = axes.set_title("x", color=MUTED, fontsize=TEXT, loc="left")
    relabel([below_it, beside_it], [below, beside], LONGEST_LABEL)


def relabel(texts: Sequence[Any], names: Sequence[str], longest: int = LONGEST_NAME) -> None:
    """Set texts from a config as they are: none is a formula, and none is too long."""
    for text, name in zip(texts, names, strict=True):
        text.set_parse_math(False)
        text.set_text(shortened(name, longest))


def shortened(name: str, longest: int = LONGEST_NAME) -> str:
    """A name that fits beside a chart: no longer than so many letters of usual width.

    >>> shortened("lineup[0].params.the_limit_of_it"), shortened("W" * 60)
    ('lineup[0].params.th…', 'WWWWWWWWWWWW…')
    """
    shown = plain(name)
    if len(shown) <= longest and _letters(shown) <= longest:
        return shown
    kept = shown[: longest - 1]
    while _letters(f"{kept}…") > longest:
        kept = kept[:-1]
    return f"{kept}…"


def in_lines(name: str) -> str:
    """A scenario's name beside its row: one that is too long in two lines, where it is parted most evenly.

    >>> in_lines("tight game, hero limit 10"), in_lines("stack 10")
    ('tight game,\\nhero limit 10', 'stack 10')
    """
    parts = name.split(", ")
    if shortened(name) == name or len(parts) == 1:
        return shortened(name)
    halves = [(f"{', '.join(parts[:cut])},", ", ".join(parts[cut:])) for cut in range(1, len(parts))]
    return "\n".join(map(shortened, min(halves, key=lambda half: max(map(len, half)))))


def _letters(text: str) -> float:
    """About how many letters of usual width a text is as wide as."""
    wide = sum(sign in "MW@%mw…" for sign in text)
    square = sum(east_asian_width(sign) in "WF" for sign in text)
    capitals = sum(sign.isupper() and sign not in "MW" for sign in text)
    return len(text) + 0.65 * wide + square + 0.2 * capitals


def add_legend(figure: Figure, names: Sequence[str], places: Sequence[int] | None = None, **others: Any) -> None:
    """Who is who, above the chart; `places` are those in the line-up, where not all are drawn."""
    legend = figure.legend(
        [Line2D([], [], **{**look_of(place), **others}) for place in (range(len(names)) if places is None else places)],
        ["x" * len(shortened(name)) for name in names],
        loc="outside upper left",
        ncols=2,
        frameon=False,
        fontsize=TEXT,
        labelcolor=INK,
        handlelength=2.6,
        columnspacing=1.5,
        borderaxespad=0,
    )
    relabel(legend.get_texts(), names)


def legend_height(names: Sized, height: float = HEIGHT) -> float:
    """How high a chart is with a legend of so many names."""
    return height + 15 * ((len(names) + 1) // 2)


def colour(place: int) -> str:
    """The colour of an entrant."""
    return SERIES[place % len(SERIES)]


def short_count(number: float) -> str:
    """A count of hands on an axis: '200k', '1.5M'."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"
