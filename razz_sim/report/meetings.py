"""Matches side by side on the page: the ranking of the field, and who beats whom as a shaded crosstable."""

from __future__ import annotations

from collections.abc import Sequence

from razz_sim.report.cells import NOTHING, Cell, Row, Table, by_columns, hands_text, name_of, rates
from razz_sim.report.crosstable import (
    difference_to,
    letters,
    met_alone,
    mixed_text,
    other_in,
    p_text,
    parts_of_cycle,
    tables_together,
    told_apart,
)
from razz_sim.report.numbers import Summary, decimals, half, weight_text
from razz_sim.report.palette import Scale

_ITSELF = "\N{MIDDLE DOT}"


def meetings(comparison: Summary) -> list[Table]:
    """The tables of one setting's matches; `comparison` has no intervals where there were too few blocks."""
    if not comparison["field"]:
        return [_one_against_each(comparison)]
    of_population = [_together(comparison)] if comparison.get("meetings") else []
    return [_field(comparison), _crosstable(comparison), *of_population]


def _field(comparison: Summary) -> Table:
    """A row for each entrant, best first; those with a letter in common are not told apart."""
    field = comparison["field"]
    best = [NOTHING if one["best"] is None else f"{100 * one['best']:.1f} %" for one in field]
    columns = [
        [Cell(text, hands_text(one["hands"])) for text, one in zip(rates(field), field, strict=True)],
        [Cell(text) for text in best],
        [Cell(letters(one["name"], comparison["groups"])) for one in field],
    ]
    titles = ["bb/100", "chance to be the best", "group"]
    if comparison["mixture"]:
        columns.append([Cell(*mixed) for mixed in map(mixed_text, comparison["mixture"])])
        titles.append("part of the unbeaten mixture, %")
    caption = f"The field over {comparison['matches']:,} matches"
    if comparison.get("meetings"):
        parts = parts_of_cycle(field)
        columns += [
            [Cell(weight_text(one["weight"]), f"{part:.2f} %") for one, (part, _) in zip(field, parts, strict=True)],
            [Cell(f"{one['seats']:,}", f"{part:.2f} %") for one, (_, part) in zip(field, parts, strict=True)],
        ]
        titles += ["weight, of all", "seats, of all"]
        caption = (
            f"The field over a cycle of {comparison['tables']:,} tables, {comparison['matches']:,} of them different"
        )
    heads = [(f"{place}. {name_of(one['name'])}", "") for place, one in enumerate(field, start=1)]
    return Table(
        caption,
        "entrant",
        tuple(titles),
        by_columns(heads, columns),
    )


def _crosstable(comparison: Summary) -> Table:
    """What the row's entrant wins more than the column's where they met; faded where that is not told from nothing."""
    names = [one["name"] for one in comparison["field"]]
    pairs = {frozenset((pair["name"], pair["other"])): pair for pair in comparison["against"]}
    scale = Scale(max((abs(pair["difference"]) for pair in comparison["against"]), default=0.0))
    halves = [error for pair in comparison["against"] if (error := half(pair["ci95"])) is not None]
    columns = []
    for other in names:
        met = [pairs.get(frozenset((name, other))) for name in names]
        columns.append(_cells(names, other, met, scale, decimals(max(halves, default=0.0))))
    heads = [(f"{place}. {name_of(name)}", "") for place, name in enumerate(names, start=1)]
    caption = "Big bets per 100 hands by which the row's entrant does better than the column's where they meet"
    return Table(
        caption, "", tuple(f"{place}" for place in range(1, len(names) + 1)), by_columns(heads, columns), "map"
    )


def _cells(names: Sequence[str], other: str, met: Sequence[Summary | None], scale: Scale, places: int) -> list[Cell]:
    found = [None if pair is None else _turned(pair, name) for name, pair in zip(names, met, strict=True)]
    texts = rates(found, places=places)
    return [
        Cell(_ITSELF if name == other else NOTHING)
        if pair is None or one is None
        else Cell(*_apart(text), scale.shade(one["bb_per_100"]) + ("" if told_apart(pair) else " unsure"))
        for name, text, one, pair in zip(names, texts, found, met, strict=True)
    ]


def _together(comparison: Summary) -> Table:
    """At how many tables of a population's cycle the row's entrant and the column's sit, and in how many hands."""
    names = [one["name"] for one in comparison["field"]]
    tables, cycle = tables_together(comparison), comparison["tables"]
    hands = {frozenset((pair["name"], pair["other"])): pair["hands"] for pair in comparison["meetings"]}

    def cell(name: str, other: str) -> Cell:
        played = hands.get(frozenset((name, other)))
        note = "in all" if played is None else f"{played:,}"
        return Cell(f"{tables[name, other]:,}", note, bar=100 * tables[name, other] / cycle)

    columns = [[cell(name, other) for name in names] for other in names]
    heads = [(f"{place}. {name_of(name)}", "") for place, name in enumerate(names, start=1)]
    caption = f"At how many of the cycle's {cycle:,} tables two sit, and how many hands were played at these"
    places = tuple(f"{place}" for place in range(1, len(names) + 1))
    return Table(caption, "", places, by_columns(heads, columns), "map")


def _apart(text: str) -> tuple[str, str]:
    """A value and, to stand beneath it, its error: a crosstable is wide."""
    value, plus_minus, error = text.partition(" ± ")
    return value, f"{plus_minus.strip()} {error.strip()}" if error else ""


def _turned(pair: Summary, name: str) -> Summary:
    """A difference as seen by one of the two."""
    value, interval = difference_to(pair, name)
    return {"bb_per_100": value, "ci95": interval}


def _one_against_each(comparison: Summary) -> Table:
    """A row for each rival of the one whom all met, best result first."""
    one, rivals = met_alone(comparison)
    found = [_turned(pair, one) for pair in rivals]
    rows = tuple(
        Row(
            name_of(other_in(pair, one)),
            (
                Cell(text, hands_text(pair["hands"])),
                Cell(p_text(pair["p_holm"])),
            ),
        )
        for pair, text in zip(rivals, rates(found), strict=True)
    )
    caption = f"Big bets per 100 hands by which {name_of(one)} does better than each of the others"
    return Table(caption, "against", ("bb/100", "corrected"), rows)
