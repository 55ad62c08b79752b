"""The charts of tournaments: chances to finish among the first, the structure as it was played, one tournament."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from razz_sim.report.drawing import (
    TEXT,
    add_bar,
    add_label,
    add_legend,
    add_line,
    blank,
    colour,
    legend_height,
    relabel,
)
from razz_sim.report.numbers import Summary
from razz_sim.report.palette import INK, MUTED, RULE

MOST_LINES = 8
"""Of more entrants than this the first in the order of returns are drawn."""
MOST_LABELLED = 8
"""Of a tournament's players the last that were left have their names at their lines."""
_BESIDE = 0.1
"""How far entrants stand apart where their marks would fall on one another."""


def drawn_entrants(scenario: Summary) -> list[tuple[int, Summary]]:
    """The entrants that charts have, each with its place in the line-up, which is its colour."""
    order = [one["name"] for one in scenario["field"]][:MOST_LINES]
    return [(place, one) for place, one in enumerate(scenario["entrants"]) if one["name"] in order]


def first_places_chart(scenario: Summary) -> Figure:
    """In what part of tournaments a player finishes among the first n, over n; and what equals would."""
    found = drawn_entrants(scenario)
    places = [place for place, _ in found]
    figure, axes = blank(legend_height(places, 250))
    field = scenario["tournament"]["field"]
    for place, one in found:
        sums, total = [], 0
        for at in one["places"]:
            total += at["count"]
            sums.append(100 * total / one["players"])
        ends = [at["last"] for at in one["places"]]
        add_line(axes, place, ends, sums, marker=None)
    axes.plot([1, field], [100 / field, 100], color=MUTED, lw=0.9, ls=(0, (1, 2)), zorder=1)
    axes.set_xlim(1, field)
    axes.set_ylim(0, 100)
    add_label(axes, "among the first so many places", "% of players who finish there or better")
    add_legend(figure, [one["name"] for _, one in found], places)
    return figure


def stacks_by_level_chart(scenario: Summary) -> Figure:
    """The average stack in big bets when a level begins, with the 95 % intervals."""
    return _by_level(scenario, "average_stack_big_bets", "average stack, big bets", place=0)


def players_left_chart(scenario: Summary) -> Figure:
    """The players left when a level begins, with the 95 % intervals."""
    return _by_level(scenario, "players_left", "players left", place=2)


def _by_level(scenario: Summary, key: str, beside: str, place: int) -> Figure:
    figure, axes = blank(210)
    seen = [(one["level"], one[key]) for one in scenario["course"]["levels"] if one[key] is not None]
    add_line(axes, place, [level for level, _ in seen], [one["mean"] for _, one in seen], marker=None, ls="-")
    for level, one in seen:
        add_bar(axes, place, level, one["mean"], one["ci95"])
    axes.set_ylim(0, None)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    add_label(axes, "level", beside)
    return figure


def out_chart(scenario: Summary) -> Figure:
    """At which level players go out, in percent of each entrant's, with the 95 % intervals."""
    found = drawn_entrants(scenario)
    places = [place for place, _ in found]
    figure, axes = blank(legend_height(places))
    played = [str(one["level"]) for one in scenario["course"]["levels"] if one["reached"]["count"]]
    apart = min(_BESIDE, 0.7 / max(1, len(found)))
    for number, (place, one) in enumerate(found):
        at = [int(level) + apart * (number - (len(found) - 1) / 2) for level in played]
        shares = [one["out"][level] for level in played]
        add_line(axes, place, at, [100 * share["fraction"] for share in shares], marker=None, lw=0.8, alpha=0.55)
        for x, share in zip(at, shares, strict=True):
            interval = share["ci95"] and [100 * end for end in share["ci95"]]
            add_bar(axes, place, x, 100 * share["fraction"], interval)
    axes.set_ylim(0, None)
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True))
    add_label(axes, "level", "% of its players who go out there")
    add_legend(figure, [one["name"] for _, one in found], places)
    return figure


# One tournament


def story_chart(story: Summary, names: Sequence[str]) -> Figure:
    """The stacks of one tournament over its time: lines coloured by entrant, `names` in the order of their colours.

    The last that were left have their names at the ends of their lines, all others are thin.
    """
    figure, axes = blank(330, width=720)
    labelled = last_left(story)
    for player in story["players"]:
        last = player in labelled
        times, stacks = ([point[side] for point in player["points"]] for side in (0, 1))
        add_line(
            axes,
            _place(player, names),
            times,
            stacks,
            marker=None,
            ls="-",
            drawstyle="steps-post",
            lw=1.6 if last else 0.6,
            alpha=1.0 if last else 0.45,
            zorder=3 if last else 2,
        )
    end = max(point[0] for player in story["players"] for point in player["points"])
    axes.set_xlim(0, end)
    axes.set_ylim(0, 1.03 * story["chips"])
    _levels(axes, story, end)
    _name_players(figure, axes, labelled, names)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda chips, _: f"{chips:,.0f}"))
    add_label(axes, "minutes" if story["by_clock"] else "hands at a table", "stack, in chips")
    shown = shown_entrants(story, names)
    add_legend(figure, shown, [names.index(one) for one in shown], ls="-", marker=None)
    return figure


def last_left(story: Summary) -> list[Summary]:
    """The players with the first places, best first."""
    return sorted(story["players"], key=lambda player: (player["place"][0], -player["points"][-1][0]))[:MOST_LABELLED]


def shown_entrants(story: Summary, names: Sequence[str]) -> list[str]:
    """The entrants that have players in a story."""
    there = {player["entrant"] for player in story["players"]}
    return [name for name in names if name in there][: 2 * MOST_LINES]


def _place(player: Summary, names: Sequence[str]) -> int:
    return names.index(player["entrant"]) if player["entrant"] in names else 0


def _levels(axes: Axes, story: Summary, end: float) -> None:
    """A thin line where each level begins, and its number above, as far as there is room."""
    least = end / 40
    told = -least
    for level in story["levels"]:
        if level["from"] > end:
            break
        axes.axvline(level["from"], color=RULE, lw=0.8, zorder=0)
        if level["from"] - told >= least:
            axes.annotate(
                f"{level['level']}",
                (level["from"], 1),
                (2, -1),
                xycoords=("data", "axes fraction"),
                textcoords="offset points",
                va="top",
                color=MUTED,
                fontsize=TEXT - 2,
            )
            told = level["from"]


def _name_players(figure: Figure, axes: Axes, players: Sequence[Summary], names: Sequence[str]) -> None:
    """Who the last players are, beside the chart; and the place of each where its line is highest."""
    for player in players:
        time, stack = max(player["points"], key=lambda point: (point[1], -point[0]))
        axes.annotate(
            f"{player['place'][0]}",
            (time, stack),
            (0, 2),
            textcoords="offset points",
            ha="center",
            color=INK,
            fontsize=TEXT,
            fontweight="bold",
        )
    legend = figure.legend(
        [Line2D([], [], color=colour(_place(player, names)), lw=2) for player in players],
        ["x" * 22 for _ in players],
        loc="outside right upper",
        frameon=False,
        fontsize=TEXT,
        labelcolor=INK,
        handlelength=1.2,
        borderaxespad=0,
        title="the last left",
        title_fontsize=TEXT,
        alignment="left",
    )
    legend.get_title().set_color(MUTED)
    relabel(legend.get_texts(), [f"{player['place'][0]}. {player['name']}" for player in players])
