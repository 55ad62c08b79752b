"""What was found, in tables: the entrants of a scenario, its pots, and scenarios side by side."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from razz_sim.report.answer import ranked
from razz_sim.report.asked import grid
from razz_sim.report.columns import GAP, Column, tables, width_of
from razz_sim.report.numbers import (
    Summary,
    decimals,
    estimates,
    exact,
    half,
    percents,
    plain,
    said,
    with_error,
)
from razz_sim.rules import Street

WIN, LOSS, EVEN = "green", "red", "yellow"
_SMALLEST_BAR, _LARGEST_BAR = 11, 33
_END_BAR, _BESIDE_END_BAR = 24, 54
_RARE = {
    "walks": "walks",
    "all_ins": "all-ins",
    "side_pots": "side pots",
    "split_pots": "split pots",
    "community_cards": "community cards",
}
_THOUSANDS = ((1e3, "k"), (1e6, "M"), (1e9, "G"))
_EIGHTHS = " ▏▎▍▌▋▊▉█"


# A scenario's entrants


def entrants(scenario: Summary, width: int) -> list[Table]:
    """A row for each entrant, best rate first: net, rate, its interval as a bar, showdowns and those it won."""
    order = ranked(scenario)
    several = any(entrant["seats"] > 1 for entrant in order)
    all_seats, per_seat = ("\nall seats", "\nper seat") if several else ("", "")
    names = Column("entrant", [Text(seated(entrant), style="bold") for entrant in order], "left")
    hands = Column(f"hands{all_seats}", [f"{entrant['hands']:,}" for entrant in order])
    net = Column(f"net{all_seats}", [exact(one["net_units"], scenario["stakes"], sign="+") for one in order])
    rates = Column(f"bb/100{per_seat}", _rates(order))
    shares = [
        Column("showdown\n% of hands", percents([entrant["plays"]["showdowns"] for entrant in order])),
        Column("sd won\n% of them", percents([entrant["plays"]["showdowns_won"] for entrant in order])),
    ]
    left = width - width_of([names, net, rates, *shares]) - GAP
    if left >= hands.width + GAP + _SMALLEST_BAR:
        left -= hands.width + GAP
        return tables(names, [hands, net, rates, *bars(order, left), *shares], width)
    return tables(names, [net, rates, *bars(order, left), *shares], width)


_PLAYS = {
    "voluntarily_in": "in by choice\n% of hands",
    "completed": "completes\n% of chances",
    "steals": "steals\n% of chances",
    "folds_to_steal": "folds to\nsteals, %",
    "defends_bring_in": "defends\nbring-in, %",
    "reraises": "re-raises\n% of chances",
    "won_without_showdown": "wins without\nshowdown, %",
}


def plays(scenario: Summary, width: int) -> list[Table]:
    """A row for each entrant, best rate first, with how it played, as far as anybody had the chance to."""
    order = ranked(scenario)
    names = Column("entrant", [Text(seated(entrant), style="bold") for entrant in order], "left")
    shares = [
        Column(heading, percents([entrant["plays"][name] for entrant in order]))
        for name, heading in _PLAYS.items()
        if any(entrant["plays"][name]["of"] for entrant in order)
    ]
    return tables(names, [*_adjusted(order), *shares], width)


def _adjusted(order: Sequence[Summary]) -> list[Column]:
    """The win rates with expected winnings in all-in hands, if there was any."""
    found = [entrant["all_in_adjusted"] for entrant in order if "all_in_adjusted" in entrant]
    if not any(one["hands"] for one in found):
        return []
    texts = estimates([(one["bb_per_100"], one["ci95"]) for one in found], sign="+")
    return [Column("all-in adj.\nbb/100", texts)]


def seated(entrant: Summary) -> str:
    """An entrant's name with how many seats it has, where they are several."""
    seats = f" \N{MULTIPLICATION SIGN}{entrant['seats']}" if entrant["seats"] > 1 else ""
    return plain(entrant["name"]) + seats


def _rates(order: Sequence[Summary]) -> list[str | Text]:
    texts = estimates([(entrant["bb_per_100"], entrant["ci95"]) for entrant in order], sign="+")
    return [Text(text, style=rate_colour(entrant)) for text, entrant in zip(texts, order, strict=True)]


def rate_colour(entrant: Summary) -> str:
    """The colour of a win rate."""
    interval = entrant["ci95"]
    if interval is None or interval[0] <= 0 <= interval[1]:
        return EVEN
    return WIN if interval[0] > 0 else LOSS


def bars(order: Sequence[Summary], room: int) -> list[Column]:
    """The column of win rates as bars, if there is room and something to draw."""
    width = min(_LARGEST_BAR, room)
    width -= 1 - width % 2
    reach = max(abs(end) for entrant in order for end in (*(entrant["ci95"] or ()), entrant["bb_per_100"]))
    if width < _SMALLEST_BAR or not reach or all(entrant["ci95"] is None for entrant in order):
        return []
    drawn = [Text(interval_bar(entrant, reach, width), style=rate_colour(entrant)) for entrant in order]
    return [Column(scale_of(reach, width), drawn, "left")]


def interval_bar(entrant: Summary, reach: float, width: int) -> str:
    """An interval drawn on an odd number of columns from -reach to +reach, zero in the middle.

    >>> interval_bar({"bb_per_100": 5.0, "ci95": [2.0, 8.0]}, reach=10, width=21)
    '          │ ━━━●━━━  '
    """
    middle = width // 2

    def column(value: float) -> int:
        return middle + round(value / reach * middle)

    signs = [" "] * width
    signs[middle] = "│"
    if entrant["ci95"] is not None:
        for place in range(column(entrant["ci95"][0]), column(entrant["ci95"][1]) + 1):
            signs[place] = "┿" if place == middle else "━"
    signs[column(entrant["bb_per_100"])] = "●"
    return "".join(signs)


def scale_of(reach: float, width: int) -> str:
    """The scale over the bars: its ends, as far as there is room for them, and zero.

    >>> scale_of(68.2, width=11), scale_of(1573.0, width=11)
    ('-68  0  +68', '-2k  0  +2k')
    """
    middle = width // 2
    exactly = f"{reach:,.0f}" if reach >= 10 else f"{reach:.2g}"
    shorter = [f"{reach / size:,.0f}{letter}" for size, letter in _THOUSANDS if reach >= size]
    end = next((text for text in (exactly, *shorter) if len(text) + 1 < middle), None)
    low, high = ("", "") if end is None else (f"-{end}", f"+{end}")
    return low.ljust(middle) + "0" + high.rjust(width - middle - 1)


# Pots and where hands end


def pots(scenario: Summary, width: int) -> RenderableType:
    """The mean pot, the rake, what is rare, and where hands end."""
    found, stakes = scenario["pots"], scenario["stakes"]
    most = found["quantiles"]
    lines: list[tuple[str, RenderableType]] = [
        ("mean pot", f"{_mean(found)} = {_mean(found['big_bets'])} big bets"),
        (
            "pots",
            f"up to {most['50']:.1f} big bets in half of the hands, {most['90']:.1f} in 90 %, {most['99']:.1f} in 99 %",
        ),
    ]
    rake = found["rake"]
    if rake["total_units"]:
        total, of_pots = exact(rake["total_units"], stakes), _mean(rake["of_pots"], scale=100)
        per_100 = f"{_mean(rake['big_bets_per_100'])} big bets per 100 hands"
        lines.append(("rake", f"{total} in all, {of_pots} % of the pots, {per_100}"))
    counted = [(name, found[key]) for key, name in _RARE.items() if found[key]["count"]]
    seen = [f"{name} {share['count']:,} ({100 * share['fraction']:.1f} %)" for name, share in counted]
    if found["capped_rounds"]["count"]:
        seen.append(f"capped rounds {found['capped_rounds']['count']:,}")
    if seen:
        lines.append(("seen", ", ".join(seen)))
    lines.append(("hands end", _ends(found["ends"], min(_END_BAR, width - _BESIDE_END_BAR))))
    return grid(lines)


def _mean(estimate: Summary, scale: int = 1) -> str:
    value, interval = scale * estimate["mean"], estimate["ci95"]
    scaled = None if interval is None else [scale * end for end in interval]
    error = half(scaled)
    return with_error(value, scaled, 2 if error is None else max(2, decimals(error)))


def _ends(ends: Mapping[str, Summary], bar: int) -> RenderableType:
    """A row for each street that hands ended on; a line if all ended in the same way."""
    seen = {"showdown" if street == "showdown" else f"on {street}": one for street, one in ends.items() if one["count"]}
    if len(seen) == 1:
        ((where, share),) = seen.items()
        return Text(f"{'at ' * (where == 'showdown')}{where}, all {share['count']:,}")
    table = Table.grid(padding=(0, GAP, 0, 0))
    for justify in ("left", "right", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    largest = max(share["fraction"] for share in seen.values())
    rows = zip(seen.items(), percents(list(seen.values()), most_places=2), strict=True)
    for (where, share), percent in rows:
        drawn = Text(bar_of(share["fraction"] / largest, bar) if bar > 0 else "", style="cyan")
        table.add_row(where, f"{share['count']:,}", f"{percent} %", drawn)
    return table


def bar_of(fraction: float, width: int) -> str:
    """A bar of up to `width` columns, to an eighth of one.

    >>> bar_of(0.5, 5)
    '██▌'
    """
    whole, eighths = divmod(round(fraction * width * 8), 8)
    return "█" * whole + _EIGHTHS[eighths].strip()


# Many scenarios side by side


def compared(scenarios: Sequence[Summary], width: int) -> list[Table]:
    """A row for each scenario: rates of all entrants, then the pots."""
    names = list(dict.fromkeys(entrant["name"] for scenario in scenarios for entrant in scenario["entrants"]))
    columns = [_compared(name, scenarios) for name in names]
    in_big_bets = [scenario["pots"]["big_bets"] for scenario in scenarios]
    columns += [
        Column("mean pot\nbig bets", estimates([(pot["mean"], pot["ci95"]) for pot in in_big_bets])),
        Column("showdown\n% of hands", percents([scenario["pots"]["showdowns"] for scenario in scenarios])),
    ]
    return tables(Column("scenario", [plain(scenario["name"]) for scenario in scenarios], "left"), columns, width)


def _compared(name: str, scenarios: Sequence[Summary]) -> Column:
    """The rates of an entrant, bold where it leads."""
    found = [next((one for one in scenario["entrants"] if one["name"] == name), None) for scenario in scenarios]
    texts = estimates([None if one is None else (one["bb_per_100"], one["ci95"]) for one in found], sign="+")
    cells: list[str | Text] = []
    for text, one, scenario in zip(texts, found, scenarios, strict=True):
        bold = "bold " if one is ranked(scenario)[0] else ""
        cells.append(text if one is None else Text(text, style=bold + rate_colour(one)))
    seats = {one["seats"] for one in found if one is not None}
    times = f" \N{MULTIPLICATION SIGN}{max(seats)}" if len(seats) == 1 and seats != {1} else ""
    return Column(f"{plain(name)}{times}\nbb/100{'' if seats == {1} else ' each'}", cells)


# What strategies did wrong


def errors(scenarios: Sequence[Summary], run: str) -> list[tuple[Text, str]]:
    """For each entrant whose strategy failed: how often, what it cost, the first time and what it saw there.

    And the command that shows that hand of `run`, the run's folder; empty where it does not show again.
    """
    lines = []
    for scenario in scenarios:
        where = f" in {plain(scenario['name'])}" if len(scenarios) > 1 else ""
        for entrant in scenario["entrants"]:
            if failed := entrant.get("errors", {}).get("count"):
                first = entrant["errors"]["first"]
                told = Text(f"{plain(entrant['name'])}{where} {_failed(failed, entrant['errors'])}", style="red")
                lines.append((told, f"razz-sim hand {shlex.quote(run)} {first['where']}" if first else ""))
    return lines


def failed(summary: Summary, run: str) -> list[tuple[Text, str]]:
    """For each scenario that failed what failed in it, and the command that shows the hand, as of `errors`."""
    return [
        (
            Text(f"{plain(one['scenario'])} was given up: {said(one['error'])}", style="red"),
            f"razz-sim hand {shlex.quote(run)} {one['where']}" if one["where"] else "",
        )
        for one in summary.get("failed", ())
    ]


def _failed(count: int, told: Summary) -> str:
    times = f"failed {count:,} times" if count > 1 else "failed once"
    if told["forfeits"]:
        times += f" and forfeited {told['forfeits']:,} stacks"
    first = told["first"]
    if first is None:
        return f"{times}; the first time does not show again"
    place = ", ".join([f"hand {first['where']}", *at_table(first)])
    seen = [f"  {line}" for line in (first.get("view") or "").splitlines()]
    return "\n".join([f"{times}, first in {place}: {said(first['error'])}", *seen])


def at_table(first: Summary) -> list[str]:
    """Street and seat of a first error, as far as they are known."""
    words = [] if first["street"] is None else [f"{Street(first['street']).name.lower()} street"]
    return words if first["seat"] is None else [*words, f"seat {first['seat']}"]
