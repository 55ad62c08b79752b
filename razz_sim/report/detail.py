"""What a page shows of its scenarios: each in detail, and all side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from markupsafe import Markup
from matplotlib.figure import Figure

from razz_sim.experiment import Scenario
from razz_sim.report import charts, figures, tournament_figures
from razz_sim.report.answer import ranked
from razz_sim.report.asked import path_in_words
from razz_sim.report.cells import Table, hands_text
from razz_sim.report.differences import Differences
from razz_sim.report.measure import WIN_RATES, Measure
from razz_sim.report.numbers import LEAST_BLOCKS, Summary, plain
from razz_sim.report.starting import StartMap, start_map
from razz_sim.report.svg import Styles, inline_svg
from razz_sim.statistics import class_results, convergence
from razz_sim.tally import Tally

MOST_ROWS = 60
"""Of more scenarios than this the first are drawn; the table has all."""
MOST_BESIDE = 3
"""A table with a column for each of more entrants stands below its chart, not beside it."""


@dataclass(frozen=True, slots=True)
class Counted:
    """A scenario as it was played, and its totals."""

    scenario: Scenario
    tally: Tally


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart and what it shows."""

    svg: Markup
    caption: str


@dataclass(frozen=True, slots=True)
class Detail:
    """All that a page shows of one scenario."""

    name: str
    layout: str
    ranking: Table
    convergence: Sequence[Chart]
    pot_facts: Sequence[tuple[str, str]]
    pot_chart: Chart
    ends: Table
    players: Table
    plays: Table
    aggression: Chart
    actions: Table
    door_chart: Chart
    doors: Table
    starts: Sequence[tuple[str, StartMap]]
    position_chart: Chart
    positions: Table
    entrant_ends: Table
    lows: Sequence[Table]


@dataclass(frozen=True, slots=True)
class Compared:
    """Scenarios side by side: a chart, or maps of two swept values, and a table of all; another of differences."""

    chart: Chart | None
    maps: Sequence[Table]
    table: Table
    differences: Table | None


def compared(
    scenarios: Sequence[Summary], than: Differences | None, draw: Draw, measure: Measure = WIN_RATES
) -> Compared:
    """Scenarios side by side, drawn by how many values were swept and whether these are numbers.

    Of two values there are maps where each of the one was crossed with each of the other: points of a zip, of cases or
    of samples would leave gaps.
    """
    paths = list(scenarios[0]["point"])
    same = all(list(one["point"]) == paths for one in scenarios)
    values = [tuple(one["point"].values()) for one in scenarios]
    crossed = same and len(set(values)) == len(values) == prod(len(set(column)) for column in zip(*values, strict=True))
    chart, maps = None, []
    if crossed and len(paths) == 2:
        names = dict.fromkeys(one["name"] for scenario in scenarios for one in scenario["entrants"])
        found = [figures.two_way(scenarios, name, paths[0], paths[1], measure) for name in names]
        maps = [one for one in found if one is not None]
    elif crossed and len(paths) == 1 and all(charts.is_number(one["point"][paths[0]]) for one in scenarios):
        chart = draw(
            charts.swept_chart(scenarios, paths[0], measure),
            "swept",
            f"{_rates(measure)} over {plain(path_in_words(paths[0], scenarios))}; bands are 95 % intervals.",
        )
    else:
        of = "each scenario" if len(scenarios) <= MOST_ROWS else f"the first {MOST_ROWS} scenarios"
        shown = charts.scenarios_chart(scenarios[:MOST_ROWS], measure)
        chart = draw(shown, "swept", f"{_rates(measure)} in {of}; lines are 95 % intervals.")
    differences = None if than is None else figures.than_baseline(than)
    table = figures.side_by_side if measure is WIN_RATES else tournament_figures.side_by_side
    return Compared(chart, maps, table(scenarios), differences)


def _rates(measure: Measure) -> str:
    return "Win rates" if measure is WIN_RATES else "Returns"


@dataclass(frozen=True, slots=True)
class Draw:
    """Draws the charts of a scenario, whose `key` is in all their names, with the styles of the page."""

    key: str
    styles: Styles

    def __call__(self, figure: Figure, what: str, caption: str) -> Chart:
        """A chart with its caption; the tables beside it hold the same figures for who cannot see it."""
        described = f"{caption} The figures are in the tables of this section."
        title = caption.partition(";")[0]
        return Chart(inline_svg(figure, f"{self.key}-{what}", title, described, self.styles), caption)


def detail(scenario: Summary, counted: Counted, draw: Draw, *, with_maps: bool) -> Detail:
    """All that a page shows of a scenario; `with_maps` says whether that includes maps of starting hands."""
    return Detail(
        name=plain(scenario["name"]),
        layout="twin" if len(scenario["entrants"]) <= MOST_BESIDE else "stacked",
        ranking=figures.ranking(scenario),
        convergence=convergences(scenario, counted, draw),
        pot_facts=figures.pot_facts(scenario),
        pot_chart=draw(charts.pot_chart(scenario["pots"]), "pots", _pots_drawn(scenario["pots"])),
        ends=figures.ends(scenario),
        players=figures.players(scenario),
        plays=figures.plays(scenario),
        aggression=draw(
            charts.aggression_chart(scenario),
            "aggression",
            "Raises, % of raises, calls and folds; lines are 95 % intervals.",
        ),
        actions=figures.actions(scenario),
        door_chart=draw(charts.door_chart(scenario), "doors", "Win rates by door card; lines are 95 % intervals."),
        doors=figures.doors(scenario),
        starts=_starts(scenario, counted) if with_maps else (),
        position_chart=draw(
            charts.position_chart(scenario), "positions", "Win rates by position; lines are 95 % intervals."
        ),
        positions=figures.positions(scenario),
        entrant_ends=figures.entrant_ends(scenario),
        lows=figures.lows(scenario),
    )


def _pots_drawn(pots: Summary) -> str:
    """How many pots the chart shows, and how many are too large for it."""
    beyond = pots["hands"] - sum(charts.pot_bars(pots)[1])
    larger = f"; {beyond:,} larger {'pots are' if beyond > 1 else 'pot is'} not drawn" if beyond else ""
    return f"Final pots of {hands_text(pots['hands'])}{larger}."


def convergences(
    scenario: Summary, counted: Counted, draw: Draw, measure: Measure = WIN_RATES, most: int | None = None
) -> list[Chart]:
    """A chart for each entrant of how its rate or return settled, where there are enough blocks to draw one.

    Of more entrants than `most` only for the best.
    """
    if scenario["blocks"] < LEAST_BLOCKS:
        return []
    shown = [one["name"] for one in ranked(scenario)[:most]]
    drawn = []
    for place, one in enumerate(scenario["entrants"]):
        if one["name"] not in shown:
            continue
        found = convergence(counted.scenario, counted.tally, place)
        if sum(estimate.ci95 is not None for _, estimate in found) > 1:
            what = "rate" if measure is WIN_RATES else "return"
            caption = f"{plain(one['name'])}: the {what} so far, with its 95 % interval."
            chart = charts.convergence_chart(one["name"], found, place, measure)
            drawn.append(draw(chart, f"convergence-{place + 1}", caption))
    return drawn


def _starts(scenario: Summary, counted: Counted) -> list[tuple[str, StartMap]]:
    sound = scenario["blocks"] >= LEAST_BLOCKS
    maps = []
    for place, one in enumerate(scenario["entrants"]):
        found = class_results(counted.scenario, counted.tally, place, "start")
        maps.append((plain(one["name"]), start_map(found, sound=sound)))
    return maps
