"""What a page shows of tournaments: each scenario in detail, and one tournament's stacks over its time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from razz_sim.report import charts, figures, tournament_charts, tournament_figures
from razz_sim.report.cells import Cell, Row, Table, name_of, series
from razz_sim.report.detail import MOST_BESIDE, Chart, Counted, Draw, convergences
from razz_sim.report.finishes import MOST_PLACES, moments, ordinal
from razz_sim.report.measure import RETURNS
from razz_sim.report.numbers import Summary, plain
from razz_sim.report.tournament_charts import MOST_LINES
from razz_sim.report.tournaments import course_lines


@dataclass(frozen=True, slots=True)
class TournamentDetail:
    """All that a page shows of one scenario; None where there is nothing of that kind to show."""

    name: str
    layout: str
    ranking: Table
    convergence: Sequence[Chart]
    pairs: Table | None
    crosstable: Table | None
    first_places: Chart | None
    places: Table
    course: Sequence[tuple[str, str]]
    structure_charts: Sequence[Chart]
    levels: Table
    rounds: bool
    stacks: Sequence[Table]
    out_chart: Chart
    out: Table
    plays: Table
    aggression: Chart
    actions: Table


def tournament_detail(scenario: Summary, counted: Counted, draw: Draw) -> TournamentDetail:
    """All that a page shows of a scenario whose entrants are `measure.rated`."""
    few = len(scenario["entrants"]) <= MOST_BESIDE
    return TournamentDetail(
        name=plain(scenario["name"]),
        layout="twin" if few else "stacked",
        ranking=tournament_figures.ranking(scenario),
        convergence=convergences(scenario, counted, draw, RETURNS, MOST_LINES),
        pairs=tournament_figures.pairs(scenario),
        crosstable=tournament_figures.crosstable(scenario),
        first_places=_first_places(scenario, draw),
        places=tournament_figures.places(scenario),
        course=list(course_lines(scenario)),
        structure_charts=[
            draw(
                tournament_charts.stacks_by_level_chart(scenario),
                "stacks",
                "The average stack when a level begins, in its big bets; lines are 95 % intervals.",
            ),
            draw(
                tournament_charts.players_left_chart(scenario),
                "left",
                "Players left when a level begins; lines are 95 % intervals.",
            ),
        ],
        levels=tournament_figures.levels(scenario),
        rounds=scenario["tournament"]["kind"] != "tables",
        stacks=[tournament_figures.stacks(scenario, moment, called) for moment, called in moments(scenario)],
        out_chart=draw(
            tournament_charts.out_chart(scenario),
            "out",
            f"Where players go out, % of each entrant's{_drawn(scenario)}; lines are 95 % intervals.",
        ),
        out=tournament_figures.out(scenario),
        plays=figures.plays(scenario),
        aggression=draw(
            charts.aggression_chart(scenario),
            "aggression",
            "Raises, % of raises, calls and folds; lines are 95 % intervals.",
        ),
        actions=figures.actions(scenario),
    )


def _first_places(scenario: Summary, draw: Draw) -> Chart | None:
    """The chances to finish among the first few, where the field is too large for a column for each place."""
    if scenario["tournament"]["field"] <= MOST_PLACES:
        return None
    those = _drawn(scenario)
    caption = f"Chances to finish among the first so many{those}; dotted: if all were equal. The table has intervals."
    return draw(tournament_charts.first_places_chart(scenario), "places", caption)


def _drawn(scenario: Summary) -> str:
    """Which entrants a chart has, where these are not all."""
    drawn = len(tournament_charts.drawn_entrants(scenario))
    return f", of the {drawn} with the best returns" if drawn < len(scenario["entrants"]) else ""


# One tournament


@dataclass(frozen=True, slots=True)
class Story:
    """A tournament of a scenario from its start to its end."""

    title: str
    chart: Chart
    last: Table


def story_of(story: Summary, scenarios: Sequence[Summary], draw: Draw) -> Story:
    """The stacks of one tournament over its time, as somebody has looked them up.

    `story` has the keys `tournament`, `scenario`, `by_clock`, `chips` (all in play at the end), `levels` (each with its
    `level` and the time `from` which it is played) and `players` (`name`, `entrant`, `place`, `prize`, `points`).
    """
    names = [one["name"] for one in _scenario(story, scenarios)["entrants"]]
    where = f" of {plain(story['scenario'])}" if len(scenarios) > 1 else ""
    title = f"Tournament {story['tournament']:,}{where}"
    unit = "minutes" if story["by_clock"] else "hands at a table"
    caption = (
        f"{title}: stacks over {unit}, coloured by entrant; numbers above are levels. The last that were left are bold "
        "and numbered by their places where they had most chips."
    )
    return Story(title, draw(tournament_charts.story_chart(story, names), "story", caption), _last(story, names))


def _scenario(story: Summary, scenarios: Sequence[Summary]) -> Summary:
    return next((one for one in scenarios if one["name"] == story["scenario"]), scenarios[0])


def _last(story: Summary, names: Sequence[str]) -> Table:
    """The last players that were left, best first."""
    unit = "minutes" if story["by_clock"] else "hands"
    rows = tuple(
        Row(
            name_of(player["name"]),
            (
                Cell(place_text(player["place"])),
                Cell(name_of(player["prize"])),
                Cell(f"{max(stack for _, stack in player['points']):,}"),
                Cell(f"{player['points'][-1][0]:,.0f}"),
            ),
            name_of(player["entrant"]),
            series(names.index(player["entrant"])) if player["entrant"] in names else 0,
        )
        for player in tournament_charts.last_left(story)
    )
    heads = ("place", "prize", "most chips", f"left at, {unit}")
    return Table("The last that were left", "player", heads, rows)


def place_text(place: Sequence[int]) -> str:
    """'2nd', or '4th to 5th' of a place that is shared."""
    first, last = place[0], place[-1]
    return ordinal(first) if first == last else f"{ordinal(first)} to {ordinal(last)}"
