"""The 455 classes of starting hands as a map to learn from: a triangle for each highest card.

Razz players tell starting hands by their highest card: "a three-card eight". So there is a panel for each highest card,
in it a column for the middle and a row for the lowest card. In each panel the best hands are at the top left, pairs of
the two low cards on the diagonal, pairs of the highest in the last column, and three of a kind in the corner: the
13 panels hold each of the 455 classes once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from razz_sim.cards import RANKS
from razz_sim.report.cells import MINUS, hands_text, is_sure, short_error, short_rate
from razz_sim.report.numbers import LEAST_BLOCKS, decimals, half, with_error
from razz_sim.report.palette import Scale

NAMES = ("Ace", "Deuce", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King")
DISTINCT, PAIRED = "", " pair"


@dataclass(frozen=True, slots=True)
class StartCell:
    """A class of starting hands: its rate and error in short, and in full to be told when it is pointed at."""

    text: str
    error: str
    full: str
    look: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The hands with one highest card: rows by the lowest card, each from its own rank on."""

    high: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[StartCell | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class StartMap:
    """All panels of an entrant, and where the shades of its scale begin."""

    panels: tuple[Panel, ...]
    legend: tuple[tuple[str, str], ...]
    classes: int


def start_map(found: Mapping[str, Any], *, sound: bool = True) -> StartMap:
    """The map of an entrant from `statistics.class_results(..., "start")`; without intervals unless `sound`."""
    scale = Scale.of([one.bb_per_100 for one in found.values() if one.hands >= LEAST_BLOCKS])
    return StartMap(
        panels=tuple(_panel(place, found, scale, sound) for place in range(len(RANKS))),
        legend=_legend(scale),
        classes=len(found),
    )


def _panel(high: int, found: Mapping[str, Any], scale: Scale, sound: bool) -> Panel:
    ranks = RANKS[: high + 1]
    rows = tuple(
        (low, tuple(_cell(low + middle + RANKS[high], found, scale, sound) for middle in ranks[place:]))
        for place, low in enumerate(ranks)
    )
    return Panel(RANKS[high], f"{NAMES[high]} high" if high > 1 else f"{NAMES[high]}s", tuple(ranks), rows)


def _cell(label: str, found: Mapping[str, Any], scale: Scale, sound: bool) -> StartCell:
    look = PAIRED if len(set(label)) < len(label) else DISTINCT
    if label not in found:
        return StartCell("·", "", f"{'-'.join(label)}: 0 hands", f"none{look}")
    one = found[label]
    interval = one.ci95 if sound and one.hands >= LEAST_BLOCKS else None
    error = half(interval)
    rate = with_error(one.bb_per_100, interval, 1 if error is None else decimals(error), sign="+").replace("-", MINUS)
    few = "" if interval is not None else ", too few for an interval"
    return StartCell(
        text=short_rate(one.bb_per_100, 1.0 if error is None else error),
        error=short_error(interval) or f"n{one.hands}",
        full=f"{'-'.join(label)}: {rate} bb/100, {hands_text(one.hands)}{few}",
        look=scale.shade(one.bb_per_100) + ("" if is_sure(interval) else " unsure") + look,
    )


def _legend(scale: Scale) -> tuple[tuple[str, str], ...]:
    """Each shade and from what rate on it is used."""
    sizes = [short_rate(start).strip("+") for start in scale.starts[1:]]
    losses = [("n1", "loses"), *((f"n{step}", f"{MINUS}{size}") for step, size in enumerate(sizes, start=2))]
    wins = [("p1", "wins"), *((f"p{step}", f"+{size}") for step, size in enumerate(sizes, start=2))]
    return (*losses[::-1], *wins)
