"""The charts of a run, as matplotlib figures: `figure.savefig("pots.png")`, or as they are in a notebook.

Each is drawn from a scenario of `summary.json` or from `razz_sim.statistics`, shows every figure with its 95 % interval
or as a count, and tells entrants apart by colour, mark and dash. None of it touches pyplot's state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from razz_sim.cards import RANKS
from razz_sim.report.asked import path_in_words
from razz_sim.report.cells import sound
from razz_sim.report.drawing import (
    HEIGHT,
    TEXT,
    add_bar,
    add_label,
    add_legend,
    add_line,
    add_zero,
    blank,
    colour,
    in_lines,
    legend_height,
    short_count,
    shortened,
)
from razz_sim.report.measure import WIN_RATES, Measure
from razz_sim.report.numbers import Summary
from razz_sim.report.palette import INK, MUTED, PAPER, RULE
from razz_sim.rules import Street
from razz_sim.statistics import Estimate

STREETS = tuple(street.name.lower() for street in Street)
_BESIDE = 0.12
"""How far entrants stand apart where their marks would fall on one another."""
_BESIDE_ROUNDS = 0.9
"""How far beside the last round of a search the winner's measuring stands, in rounds' factors."""
_BEYOND = 1.35
"""Pots are drawn up to so many times the 99 % quantile."""
_SETTLED = 0.1
"""A convergence chart is as high as its intervals are after this part of the hands."""
_MOST_ROUNDS = 8
"""Of more rounds of a search every other has its hands below it."""
_MOST_FIGURES = 10
"""Figures of so many values have room side by side below a chart."""
_TWO_LINES = 30
"""Points that a row takes whose name has two lines."""


def convergence_chart(
    name: str, found: Sequence[tuple[int, Estimate]], place: int = 0, measure: Measure = WIN_RATES
) -> Figure:
    """How an entrant's win rate, or return, settled, from `statistics.convergence`: hands so far, the estimate then.

    `place` is the entrant's in the line-up: its colour.
    """
    figure, axes = blank(150)
    points = [(hands, one.value, one.ci95) for hands, one in found if one.ci95 is not None]
    hands = [number for number, _, _ in points]
    low, high = ([ends[side] for _, _, ends in points] for side in (0, 1))
    axes.fill_between(hands, low, high, color=colour(place), alpha=0.2, lw=0)
    axes.plot(hands, [value for _, value, _ in points], color=colour(place), lw=1.5)
    reach = [end for number, _, ends in points if number >= _SETTLED * hands[-1] for end in ends]
    room = 0.08 * (max(reach) - min(reach)) or 1
    axes.set_ylim(min(reach) - room, max(reach) + room)
    if min(reach) - room < 0 < max(reach) + room:
        add_zero(axes)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda hands, _: short_count(hands)))
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.margins(x=0.01)
    add_label(
        axes,
        "tournaments" if measure.counts == "blocks" else "hands of all its seats",
        f"{shortened(name)}, {measure.short}",
    )
    return figure


def stopping_chart(found: Summary, measure: Measure = WIN_RATES) -> Figure:
    """How the difference that a stopping rule watched looked each time, up to the look that ended it.

    `found` is an item of `stopping` in `summary.json`. With 0, and of a test h0 and h1, as lines where they are near.
    """
    rule, looks = found["rule"], found["looks"]
    figure, axes = blank(HEIGHT)
    known = [(look[measure.counts], interval) for look in looks if (interval := watched(rule, look)) is not None]
    low, high = ([ends[side] for _, ends in known] for side in (0, 1))
    axes.fill_between([hands for hands, _ in known], low, high, color=colour(0), alpha=0.2, lw=0)
    axes.plot([look[measure.counts] for look in looks], [look["difference"] for look in looks], color=colour(0), lw=1.5)
    last = looks[-1]
    hypotheses = {name: rule[name] for name in ("h0", "h1") if name in rule}
    settled = [end for hands, ends in known if hands >= _SETTLED * last[measure.counts] for end in ends]
    shown = [last["difference"], *(found["valid"] or ()), *settled, *hypotheses.values()]
    shown += [0.0] * (rule["kind"] == "anytime")
    bottom, top = _with_room(axes, shown)
    if bottom < 0 < top:
        add_zero(axes)
    _levels(axes, hypotheses)
    _stop_mark(axes, last[measure.counts], early=last["blocks"] < found["most_blocks"])
    add_bar(axes, 0, last[measure.counts], last["difference"], found["valid"])
    add_label(axes, measure.counted, f"{shortened(rule['name'])} less {shortened(rule['other'])}, {measure.short}")
    return figure


def evidence_chart(found: Summary, measure: Measure = WIN_RATES) -> Figure:
    """The evidence of a test at each look, with the bounds at which it takes h0 and h1."""
    figure, axes = blank(HEIGHT)
    seen = [(look[measure.counts], look["evidence"]) for look in found["looks"] if look["evidence"] is not None]
    hands, evidence = ([one[side] for one in seen] for side in (0, 1))
    bounds = dict(zip(("h0", "h1"), found["rule"]["bounds"], strict=True))
    axes.plot(hands, evidence, color=colour(0), lw=1.5)
    _with_room(axes, [*evidence, *bounds.values()])
    add_zero(axes)
    _levels(axes, bounds)
    last = found["looks"][-1]
    _stop_mark(axes, last[measure.counts], early=last["blocks"] < found["most_blocks"])
    add_bar(axes, 0, hands[-1], evidence[-1], None)
    add_label(axes, measure.counted, "log likelihood ratio, h1 over h0")
    return figure


def search_chart(search: Summary, again: Summary | None, measure: Measure = WIN_RATES) -> Figure:
    """The points of a search after each round: bb/100 over hands of each, the winner bold, with its intervals.

    `search` is that of `summary.json`; `again` is the winner's rate on fresh deals, drawn beside the last round.
    """
    figure, axes = blank(300)
    rounds = search["rounds"]
    seen: dict[str, list[tuple[int, Summary]]] = {}
    for one in rounds:
        for standing in one["points"]:
            seen.setdefault(standing["point"], []).append((one["hands"], standing))
    best = seen.pop(search["winner"]["point"])
    for line in seen.values():
        at, values = [hands for hands, _ in line], [one["bb_per_100"] for _, one in line]
        axes.plot(at, values, color=MUTED, lw=0.7, alpha=0.6, marker="o", ms=2.8, mew=0)
    add_line(axes, 0, [hands for hands, _ in best], [one["bb_per_100"] for _, one in best], lw=2.2, zorder=4)
    for hands, one in best:
        add_bar(axes, 0, hands, one["bb_per_100"], one["ci95"])
    ticks = {one["hands"]: short_count(float(f"{one['hands']:.2g}")) for one in _labelled(rounds)}
    end = rounds[-1]["hands"]
    if again is not None:
        end *= _BESIDE_ROUNDS * search["factor"]
        ticks[end] = "again"
        add_bar(axes, 1, end, again["bb_per_100"], again["ci95"])
    bottom, top = search_reach(search, again)
    axes.set_ylim(bottom, top)
    if bottom < 0 < top:
        add_zero(axes)
    axes.set_xscale("log")
    axes.set_xticks(list(ticks), list(ticks.values()))
    axes.set_xticks([], minor=True)
    axes.set_xlim(rounds[0]["hands"] / 1.15, end * 1.15)
    add_label(axes, "hands of a point by the end of the round", f"{shortened(search['entrant'])}, {measure.short}")
    return figure


def search_reach(search: Summary, again: Summary | None) -> tuple[float, float]:
    """From where to where the chart of a search goes: as far as the winner's intervals, and as most points.

    Of the points of the first round the worst fifth may be below it: they would leave no room for the others.
    """
    first, name = search["rounds"][0]["points"], search["winner"]["point"]
    best = [one for told in search["rounds"] for one in told["points"] if one["point"] == name]
    best += [] if again is None else [again]
    shown = [end for one in best for end in (one["bb_per_100"], *(one["ci95"] or ()))]
    shown += sorted(one["bb_per_100"] for one in first)[len(first) // 5 :]
    room = 0.06 * (max(shown) - min(shown)) or 1.0
    return min(shown) - room, max(shown) + room


def _labelled(rounds: Sequence[Summary]) -> Sequence[Summary]:
    """The rounds that have their hands below them: of many every other, the last among them."""
    return rounds if len(rounds) <= _MOST_ROUNDS else rounds[::-2]


def watched(rule: Summary, look: Summary) -> Sequence[float] | None:
    """The interval that a stopping rule goes by at a look; None where it has no ends yet."""
    found: Sequence[float] | None = look["ci95" if rule["kind"] == "difference" else "anytime"]
    return found


def _with_room(axes: Axes, values: Sequence[float]) -> tuple[float, float]:
    """Show these values, with some room above and below: from where to where."""
    room = 0.12 * (max(values) - min(values)) or 1.0
    bottom, top = min(values) - room, max(values) + room
    axes.set_ylim(bottom, top)
    return bottom, top


def _levels(axes: Axes, levels: Mapping[str, float]) -> None:
    """Lines across, each with its name at its end: the higher above its line, the lower below."""
    for name, level in levels.items():
        higher = level == max(levels.values())
        axes.axhline(level, color=INK, lw=0.9, ls=(0, (4, 2)), zorder=1)
        axes.annotate(
            name,
            (1, level),
            (3, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="bottom" if higher else "top",
            color=INK,
            fontsize=TEXT,
        )


def _stop_mark(axes: Axes, hands: int, *, early: bool) -> None:
    """The line where it stopped, on an axis of hands from 0."""
    axes.axvline(hands, color=MUTED, lw=0.9, ls=(0, (2, 2)), zorder=1)
    axes.annotate(
        "stopped" if early else "all played",
        (hands, 1),
        (-4, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="right",
        va="top",
        color=INK,
        fontsize=TEXT,
    )
    axes.set_xlim(0, hands * 1.04)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda count, _: short_count(count)))
    axes.xaxis.set_major_locator(MaxNLocator(5))


def swept_chart(scenarios: Sequence[Summary], path: str, measure: Measure = WIN_RATES) -> Figure:
    """Win rates, or returns, over a swept value that is a number, with bands of the 95 % intervals."""
    names = _names(scenarios)
    figure, axes = blank(legend_height(names, 250))
    values = [float(one["point"][path]) for one in scenarios]
    for place, name in enumerate(names):
        found = [
            (at, _entrant(one, name))
            for at, one in sorted(zip(values, scenarios, strict=True), key=lambda pair: pair[0])
        ]
        seen = [(at, one) for at, one in found if one is not None]
        at = [value for value, _ in seen]
        add_line(axes, place, at, [one["bb_per_100"] for _, one in seen])
        known = [(value, one["ci95"]) for value, one in seen if one["ci95"] is not None]
        low, high = ([ends[side] for _, ends in known] for side in (0, 1))
        axes.fill_between([value for value, _ in known], low, high, color=colour(place), alpha=0.22, lw=0)
    add_zero(axes)
    if len(set(values)) <= 9:
        ticks = _apart(sorted(set(values)))
        axes.set_xticks(ticks, [f"{value:g}" for value in ticks])
    add_label(axes, path_in_words(path, scenarios), measure.short)
    add_legend(figure, names)
    return figure


def _apart(values: Sequence[float]) -> list[float]:
    """Of rising values those that leave room for their figures, the last among them.

    >>> _apart([1, 2, 3]), _apart([500, 1000, 1500, 3000, 10000])
    ([1, 2, 3], [500, 1500, 3000, 10000])
    """
    room, kept = (values[-1] - values[0]) / _MOST_FIGURES, list(values[-1:])
    for value in reversed(values[:-1]):
        if kept[0] - value >= room:
            kept.insert(0, value)
    return kept


def scenarios_chart(scenarios: Sequence[Summary], measure: Measure = WIN_RATES) -> Figure:
    """Win rates, or returns, in each scenario, a row each, with the 95 % intervals."""
    names, beside = _names(scenarios), [in_lines(one["name"]) for one in scenarios]
    row = max(12 + 6 * len(names), _TWO_LINES * any("\n" in label for label in beside))
    figure, axes = blank(legend_height(names, 60) + row * len(scenarios))
    for place, name in enumerate(names):
        for down, scenario in enumerate(scenarios):
            if (one := _entrant(scenario, name)) is not None:
                at = down + _BESIDE * (place - (len(names) - 1) / 2)
                add_bar(axes, place, at, one["bb_per_100"], one["ci95"], upright=False)
    axes.axvline(0, color=MUTED, lw=0.8, zorder=1)
    axes.set_yticks(range(len(scenarios)), beside)
    for label in axes.get_yticklabels():
        label.set_parse_math(False)
    axes.set_ylim(len(scenarios) - 0.5, -0.5)
    axes.grid(axis="x", color=RULE, lw=0.6)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(measure.short, color=MUTED, fontsize=TEXT)
    add_legend(figure, names)
    return figure


def pot_chart(pots: Summary) -> Figure:
    """The final pots: percent of hands by size, in bars of equal width, and the median."""
    figure, axes = blank(210)
    width, counts = pot_bars(pots)
    heights = [100 * count / pots["hands"] for count in counts]
    lefts = [width * place for place in range(len(counts))]
    axes.bar(lefts, heights, width, align="edge", color=colour(0), edgecolor=PAPER, lw=0.5)
    median = pots["quantiles"]["50"]
    axes.axvline(median, color=INK, lw=1, ls=(0, (3, 2)))
    axes.annotate(
        f"median {median:.1f}",
        (median, 1),
        (4, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        va="top",
        color=INK,
        fontsize=TEXT,
    )
    axes.set_xlim(0, None)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:g}"))
    add_label(axes, f"final pot in big bets, {width:g} to a bar", "% of hands")
    return figure


def pot_bars(pots: Summary) -> tuple[float, list[int]]:
    """How wide the bars of a histogram of pots are, in big bets, and the hands in each, from 0 on.

    Bars are as wide as the histogram's steps are at the end of what is drawn. That leaves out the largest pots: at most
    one in a hundred.

    >>> steps = [(0, 0.25, 1), (0.25, 0.5, 2), (0.5, 1, 3), (1, 1.5, 4), (1.5, 2, 0), (2, 4, 1)]
    >>> histogram = [dict(zip(("from", "to", "count"), step)) for step in steps]
    >>> pot_bars({"histogram": histogram, "quantiles": {"99": 1.3}})
    (0.5, [3, 3, 4, 0])
    """
    last = pots["quantiles"]["99"] * _BEYOND
    steps = [step for step in pots["histogram"] if step["from"] <= last and step["to"] is not None]
    width = steps[-1]["to"] - steps[-1]["from"] if steps else 1.0
    counts = [0] * (int(steps[-1]["from"] / width) + 1 if steps else 0)
    for step in steps:
        counts[int(step["from"] / width)] += step["count"]
    return width, counts


def aggression_chart(scenario: Summary) -> Figure:
    """Raises among raises, calls and folds on each street, in percent, with the 95 % intervals."""
    found = {
        one["name"]: [(_percent(one["actions"][street]["aggression"])) for street in STREETS]
        for one in scenario["entrants"]
    }
    return _by_class(found, list(STREETS), "", "% raises", zero=False)


def door_chart(scenario: Summary) -> Figure:
    """Win rates by door card, with the 95 % intervals."""
    found = {one["name"]: [_rate(one["by_door"].get(rank)) for rank in RANKS] for one in scenario["entrants"]}
    return _by_class(found, list(RANKS), "door card", "bb/100")


def position_chart(scenario: Summary) -> Figure:
    """Win rates by seats from the bring-in, clockwise, with the 95 % intervals."""
    places = [str(place) for place in range(scenario["seats"])]
    found = {one["name"]: [_rate(one["by_position"].get(place)) for place in places] for one in scenario["entrants"]}
    return _by_class(found, ["bring-in", *places[1:]], "seats from the bring-in, clockwise", "bb/100")


_Point = tuple[float, Sequence[float] | None]


def _rate(found: Summary | None) -> _Point | None:
    one = sound(found, "hands")
    return None if one is None else (one["bb_per_100"], one["ci95"])


def _percent(share: Summary) -> _Point | None:
    if share["fraction"] is None:
        return None
    return 100 * share["fraction"], None if share["ci95"] is None else [100 * end for end in share["ci95"]]


def _by_class(
    found: Mapping[str, Sequence[_Point | None]], labels: Sequence[str], below: str, beside: str, *, zero: bool = True
) -> Figure:
    """A mark with its interval for each class and entrant, entrants side by side within a class."""
    figure, axes = blank(legend_height(found))
    apart = min(_BESIDE, 0.7 / max(1, len(found)))
    for place, points in enumerate(found.values()):
        shift = apart * (place - (len(found) - 1) / 2)
        seen = [(at + shift, point) for at, point in enumerate(points) if point is not None]
        add_line(
            axes, place, [at for at, _ in seen], [value for _, (value, _) in seen], marker=None, lw=0.8, alpha=0.55
        )
        for at, (value, interval) in seen:
            add_bar(axes, place, at, value, interval)
    if zero:
        add_zero(axes)
    axes.set_xticks(range(len(labels)), labels)
    axes.set_xlim(-0.5, len(labels) - 0.5)
    add_label(axes, below, beside)
    add_legend(figure, list(found))
    return figure


def _names(scenarios: Sequence[Summary]) -> list[str]:
    return list(dict.fromkeys(one["name"] for scenario in scenarios for one in scenario["entrants"]))


def _entrant(scenario: Summary, name: str) -> Summary | None:
    return next((one for one in scenario["entrants"] if one["name"] == name), None)


def is_number(text: str) -> bool:
    """Whether a swept value can stand on an axis."""
    try:
        return Decimal(text).is_finite()
    except InvalidOperation:
        return False
