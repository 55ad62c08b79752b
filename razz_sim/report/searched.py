"""A search on the page: the winner, a chart of the rounds, tables of rounds and points, a map of two values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from razz_sim.report import charts
from razz_sim.report.asked import path_in_words
from razz_sim.report.cells import NOTHING, Cell, Row, Table, by_columns, class_cells, name_of, rates
from razz_sim.report.detail import Chart, Draw
from razz_sim.report.measure import measure_of
from razz_sim.report.numbers import Summary, plain
from razz_sim.report.palette import Scale
from razz_sim.report.parts import rising
from razz_sim.report.searching import (
    MOST_POINTS,
    Last,
    counts_of,
    gap_places,
    gaps_of,
    is_behind,
    last_rounds,
    measured_again,
    search_answer,
    short_point,
    stages,
    went_out,
)
from razz_sim.report.svg import Styles

MOST_ACROSS, MOST_DOWN = 16, 40
"""A map of more values than these is none that one reads."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a page shows of a search; `all_points` is None where the best are all, `map` where it has no two values."""

    sentence: str
    note: str
    chart: Chart
    rounds: Table
    best: Table
    all_points: Table | None
    map: Table | None


def searched(summary: Summary, styles: Styles) -> Searched | None:
    """What a search found, where there was one."""
    if "search" not in summary:
        return None
    search = summary["search"]
    found, again = last_rounds(search), measured_again(summary)
    count = f"The best {MOST_POINTS} of {len(found):,} points" if len(found) > MOST_POINTS else "All points, best first"
    return Searched(
        sentence=search_answer(summary),
        note=went_out(search),
        chart=Draw("search", styles)(
            charts.search_chart(search, again, measure_of(summary)), "rounds", _drawn(search, again)
        ),
        rounds=_rounds(summary),
        best=_points(summary, found[:MOST_POINTS], count),
        all_points=_points(summary, found, "All points, best first") if len(found) > MOST_POINTS else None,
        map=_map(summary, found),
    )


def _drawn(search: Summary, again: Summary | None) -> str:
    """What the chart of the rounds shows, and how many points are too far below for it."""
    measured = ", which is measured again beside the last round, on fresh deals" if again is not None else ""
    drawn = (
        f"The points after each round; lines are 95 % intervals. Blue and bold: the winner{measured}. Grey: all others"
    )
    bottom, _ = charts.search_reach(search, again)
    below = sum(one["bb_per_100"] < bottom for one in search["rounds"][0]["points"])
    beyond = f" {below:,} {'points are' if below > 1 else 'point is'} too far below to be drawn." if below else ""
    return f"{drawn}; a line ends where its point went out.{beyond}"


def _rounds(summary: Summary) -> Table:
    """A row for each round and one for the winner's measuring on fresh deals."""
    found = stages(summary)
    counted, counts = counts_of(summary, [one.hands for one in found])
    columns = [
        [Cell(f"{one.points:,}") for one in found],
        [Cell(count) for count in counts],
        [Cell(one.leader) for one in found],
        [Cell(text) for text in rates([one.rate for one in found])],
        _gaps([one.next for one in found]),
    ]
    heads = [(one.label, "fresh deals" * (one.label == "again")) for one in found]
    labels = ("points", f"{counted} of each", "leader", f"its {measure_of(summary).short}", "the next, less that")
    return Table("The rounds, and the winner measured again", "round", labels, by_columns(heads, columns), "dense")


def _points(summary: Summary, found: Sequence[Last], caption: str) -> Table:
    """A row for each of these points, as it was after the last round that it played."""
    search = summary["search"]
    last = len(search["rounds"])
    counted, counts = counts_of(summary, [one.hands for one in found])
    out = [_out(one, last, number == 0) for number, one in enumerate(found)]
    columns = [
        [Cell(text) for text in rates([one.found for one in found])],
        _gaps([one.found for one in found]),
        [Cell(text) for text in out],
        [Cell(count) for count in counts],
    ]
    heads = [(short_point(one.found["point"], search["entrant"]), "") for one in found]
    labels = (measure_of(summary).short, "less the leader", "out after round", counted)
    told = f"{caption}, each after the last round that it played"
    return Table(told, "point", labels, by_columns(heads, columns))


def _out(one: Last, rounds: int, is_first: bool) -> str:
    if is_first:
        return "won"
    return f"{one.round}, failed" if one.failed else f"{one.round}" + " (the last)" * (one.round == rounds)


def _gaps(found: Sequence[Summary | None]) -> list[Cell]:
    """How much less than the leader points won: faded where that may be chance."""
    pairs = [None if one is None else {"bb_per_100": one[0], "ci95": one[1]} for one in gaps_of(found)]
    return [
        Cell(text, shade="" if one is None or is_behind(one) or text == NOTHING else "unsure")
        for text, one in zip(rates(pairs, places=gap_places(found)), found, strict=True)
    ]


def _map(summary: Summary, found: Sequence[Last]) -> Table | None:
    """The rate of each point after its last round over two numbers, if that is what was searched, and they are few."""
    scenarios, entrant, at = summary["scenarios"], summary["search"]["entrant"], summary["search"]["values"]
    paths = list(next(iter(at.values())))
    known = [one for one in found if one.found["point"] in at]
    if len(paths) != 2 or not all(list(point) == paths for point in at.values()):
        return None
    values = [rising(dict.fromkeys(point[path] for point in at.values())) for path in paths]
    if not all(charts.is_number(value) for column in values for value in column):
        return None
    across, down = sorted((0, 1), key=lambda place: -len(values[place]))
    if len(values[across]) > MOST_ACROSS:
        across, down = down, across
    if len(values[across]) > MOST_ACROSS or len(values[down]) > MOST_DOWN:
        return None
    cells = {
        (at[one.found["point"]][paths[down]], at[one.found["point"]][paths[across]]): {**one.found, "hands": one.hands}
        for one in known
    }
    scale = Scale.of([one["bb_per_100"] for one in cells.values()])
    columns = [
        [cell if (row, column) in cells else Cell(NOTHING) for row, cell in zip(values[down], shown, strict=True)]
        for column in values[across]
        for shown in [class_cells([cells.get((row, column)) for row in values[down]], scale)]
    ]
    rows, over = (short_point(path_in_words(paths[place], scenarios), entrant) for place in (down, across))
    caption = (
        f"{plain(entrant)}, {measure_of(summary).short} of each point after its last round: {rows} down, {over} across"
    )
    heads = [(name_of(row), "") for row in values[down]]
    table_rows: tuple[Row, ...] = by_columns(heads, columns)
    return Table(caption, rows, tuple(map(name_of, values[across])), table_rows, "heat dense")
