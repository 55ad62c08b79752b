"""What a run found, to read in a terminal: made from its summary alone.

Rates are in big bets per 100 hands with 95 % intervals. Nothing is told by colour only, and a pipe or a file gets plain
text that is readable in 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from math import floor, log10
from typing import Any

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

DETAILED_SCENARIOS = 3
"""With more scenarios than this they are compared side by side only."""
WIN, LOSS, EVEN, QUIET = "green", "red", "yellow", "dim"
_MARGIN = (0, 0, 1, 2)
_GAP = 2
_SMALLEST_BAR, _LARGEST_BAR = 11, 33
_END_BAR, _BESIDE_END_BAR = 24, 54
_SIDE_BY_SIDE = "big bets per 100"
_LONGEST_NAME = 18
_NONE = "-"
_TIMES = "\N{MULTIPLICATION SIGN}"
_EIGHTHS = " ▏▎▍▌▋▊▉█"
_ASCII = str.maketrans(
    {"±": "+/-", _TIMES: "x", "│": "|", "━": "=", "┿": "+", "●": "o", "…": "~", "█": "#"}
    | {"▏": " ", "▎": " ", "▍": ":", "▌": ":", "▋": ":", "▊": "#", "▉": "#"}
)
"""For terminals without Unicode."""

Summary = Mapping[str, Any]


def print_report(summary: Summary, console: Console, *, details: bool | None = None) -> None:
    """Print a summary (of `statistics.summary`, or `summary.json` read back) to a console.

    `details` says whether to show a table and the pots of each scenario; without it, up to three scenarios have them.
    """
    scenarios = summary["scenarios"]
    parts: list[RenderableType] = [_heading(summary), Padding(_sentence(answer(summary)), _MARGIN)]
    if len(scenarios) > 1:
        parts += [Padding(part, _MARGIN) for part in _side_by_side(scenarios, console.width - _MARGIN[3])]
    if details or (details is None and len(scenarios) <= DETAILED_SCENARIOS):
        for scenario in scenarios:
            if len(scenarios) > 1:
                parts.append(Text(plain(scenario["name"]), style="bold"))
            parts.append(Padding(_entrants(scenario, console.width - _MARGIN[3]), _MARGIN))
            parts.append(Padding(_pots(scenario, console.width - _MARGIN[3]), _MARGIN))
    with console.capture() as capture:
        console.print(Group(*parts), highlight=False)
    text = capture.get()
    if console.options.ascii_only:
        text = text.translate(_ASCII).encode("ascii", "replace").decode()
    console.file.write("\n".join(line.rstrip(" ") for line in text.rstrip("\n").split("\n")) + "\n")
    console.file.flush()


def plain(text: str) -> str:
    """A text from a config as it may stand in a terminal: without anything that would steer it.

    >>> plain("a\\x1b[31mb")
    'a?[31mb'
    """
    return "".join(sign if sign.isprintable() else "?" for sign in str(text))


def _sentence(sentence: str) -> Text:
    return Text(sentence, style="bold")


# What was asked and how it was played


def _heading(summary: Summary) -> RenderableType:
    scenarios = summary["scenarios"]
    grid = Table.grid(padding=(0, _GAP))
    grid.add_column(style=QUIET, no_wrap=True)
    grid.add_column(overflow="fold")
    lines = {
        "rules": _different([_rules(one) for one in scenarios]),
        "stakes": _different(
            [_stakes(one["stakes"]) for one in scenarios], [one["stakes"]["name"] for one in scenarios]
        ),
        "line-up": _different([_lineup(one) for one in scenarios]),
        "stacks": _different([f"{one['stack_big_bets']:,g} big bets" for one in scenarios]),
        "hands": _hands(summary),
        "played": _played(summary),
    }
    for label, text in lines.items():
        grid.add_row(label, Text(plain(text)))
    return Group(Text(plain(summary["name"]), style="bold"), Padding(grid, _MARGIN))


def _different(texts: Sequence[str], names: Sequence[str] | None = None) -> str:
    """What all scenarios share, or how many there are of it, from the first to the last."""
    found = list(dict.fromkeys(texts))
    if len(found) == 1:
        return found[0]
    short = found if names is None else list(dict.fromkeys(names))
    return f"{len(found)}, from {short[0]} to {short[-1]}"


def _rules(scenario: Summary) -> str:
    named: str = scenario["rules"]
    return named if " betting " in named else f"{named}, {scenario['betting'].replace('_', ' ')}"


def _stakes(stakes: Summary) -> str:
    def money(amount: object) -> str:
        exact = Decimal(str(amount))
        return (
            f"{exact:.0f}" if exact == exact.to_integral_value() else f"{exact.quantize(Decimal(str(stakes['unit'])))}"
        )

    name, bets = stakes["name"], f"{money(stakes['small_bet'])}/{money(stakes['big_bet'])}"
    titled = bets if name == bets else f"{name} (bets {bets})"
    parts = [titled, f"ante {money(stakes['ante'])}", f"bring-in {money(stakes['bring_in'])}"]
    rake = stakes["rake"]
    if rake is None:
        return ", ".join([*parts, "no rake"])
    caps = [f"{money(cap)} from {players} players" for players, cap in rake["cap_by_players"].items()]
    if rake["cap"] is not None:
        caps.insert(0, money(rake["cap"]))
    percent = f"{Decimal(str(rake['percent'])).normalize():f}"
    return ", ".join([*parts, f"rake {percent} %" + (" up to " + ", ".join(caps) if caps else "")])


def _lineup(scenario: Summary) -> str:
    return "; ".join(_entrant(entrant) for entrant in scenario["entrants"])


def _entrant(entrant: Summary) -> str:
    strategy = entrant["strategy"]
    params = ", ".join(f"{name} {value:g}" for name, value in entrant["params"].items())
    named = strategy if entrant["name"] == strategy else f"{entrant['name']}: {strategy}"
    return (
        named + (f" ({params})" if params else "") + (f" in {entrant['seats']} seats" if entrant["seats"] > 1 else "")
    )


def _hands(summary: Summary) -> str:
    scenarios = summary["scenarios"]
    each = f" in {len(scenarios)} scenarios" if len(scenarios) > 1 else ""
    return f"{summary['hands']:,}{each}, seed {summary['seed']}"


def _played(summary: Summary) -> str:
    workers = summary["workers"]
    on = f"{summary['runner']}" + (f" with {workers} workers" if workers > 1 else "")
    speed = summary["hands_per_second"]
    return f"{on}, {summary['seconds']:,.1f} s" + (f", {speed:,.0f} hands/s" if speed else "")


# The answer in a sentence


def answer(summary: Summary) -> str:
    """What the run says, in a sentence or two, never without its error."""
    scenarios = summary["scenarios"]
    return _one_answer(scenarios[0]) if len(scenarios) == 1 else _many_answers(scenarios)


def ranked(scenario: Summary) -> list[Summary]:
    """The entrants, best rate first."""
    return sorted(scenario["entrants"], key=lambda entrant: -entrant["bb_per_100"])


def overlap(first: Summary, second: Summary) -> bool:
    """Whether two intervals have a point in common, or one of them is not known.

    Entrants of one table play for the same chips, so their errors are not independent; intervals that are apart
    separate them all the same, as the error of a difference is at most the sum of the two.
    """
    if first["ci95"] is None or second["ci95"] is None:
        return True
    return bool(first["ci95"][0] <= second["ci95"][1] and second["ci95"][0] <= first["ci95"][1])


def _one_answer(scenario: Summary) -> str:
    best, *others = ranked(scenario)
    places, hands = _places(scenario["entrants"]), f"{scenario['hands']:,} hand{'s' * (scenario['hands'] > 1)}"
    opening = plain(f"{best['name']} {_does(best, places)}")
    if best["ci95"] is None:
        return f"{opening}; {hands} alone give no interval."
    if not others:
        return f"{opening} (95 % interval over {hands})."
    second = others[0]
    if overlap(best, second):
        return (
            f"{opening}. {plain(second['name'])} comes next with {_rate(second, places)}: the 95 % intervals overlap, "
            f"so {hands} do not settle which is better."
        )
    return f"{opening}, clear of {plain(second['name'])}, who {_does(second, places)} (95 % intervals over {hands})."


def _does(entrant: Summary, places: int) -> str:
    """'wins 12.3 ± 0.8 big bets per 100 hands'."""
    where = f" in each of its {entrant['seats']} seats" if entrant["seats"] > 1 else ""
    interval = entrant["ci95"]
    if interval is not None and interval[0] <= 0 <= interval[1]:
        return f"breaks even within the error, {_rate(entrant, places)} big bets per 100 hands{where}"
    verb = "wins" if entrant["bb_per_100"] > 0 else "loses"
    return f"{verb} {_rate(entrant, places, signed=False)} big bets per 100 hands{where}"


def _rate(entrant: Summary, places: int, *, signed: bool = True) -> str:
    value = entrant["bb_per_100"] if signed else abs(entrant["bb_per_100"])
    half = _half(entrant["ci95"])
    return f"{value:{'+' if signed else ''}.{places}f}" + ("" if half is None else f" ± {half:.{places}f}")


def _many_answers(scenarios: Sequence[Summary]) -> str:
    """Who leads how often, and how often by more than the error."""
    leads: dict[str, int] = {}
    clear: dict[str, int] = {}
    for scenario in scenarios:
        best, *others = ranked(scenario)
        leads[best["name"]] = leads.get(best["name"], 0) + 1
        clear[best["name"]] = clear.get(best["name"], 0) + (not others or not overlap(best, others[0]))
    parts = [
        f"{plain(name)} has the best rate in {count} of {len(scenarios)} scenarios, {_how_clear(count, clear[name])}"
        for name, count in sorted(leads.items(), key=lambda item: -item[1])
    ]
    return "; ".join(parts) + " (clear: 95 % intervals apart)."


def _how_clear(leads: int, clear: int) -> str:
    if leads == 1:
        return "clear of the next" if clear else "not clear of the next"
    return f"in {'all' if clear == leads else clear or 'none'} of them clear of the next"


def _half(interval: Sequence[float] | None) -> float | None:
    return None if interval is None else (interval[1] - interval[0]) / 2


def _places(entrants: Iterable[Summary]) -> int:
    """Decimals for rates side by side: enough to show the smallest error."""
    halves = [half for entrant in entrants if (half := _half(entrant["ci95"])) is not None]
    return max((decimals(half) for half in halves), default=1)


def decimals(half: float) -> int:
    """Decimals that a value with this error deserves: one or two digits of the error, from 1 to 4 of them.

    >>> decimals(12.0), decimals(0.8), decimals(0.21), decimals(0.05)
    (1, 1, 2, 2)
    """
    return min(4, max(1, -floor(log10(half / 3)))) if half > 0 else 1


# A scenario's entrants


def _entrants(scenario: Summary, width: int) -> RenderableType:
    order = ranked(scenario)
    places = _places(order)
    columns: dict[str, list[str]] = {
        "entrant": [_seated(entrant) for entrant in order],
        "hands": [f"{entrant['hands']:,}" for entrant in order],
        "net": [_net(entrant["net_units"], scenario) for entrant in order],
        "bb/100": [f"{entrant['bb_per_100']:+,.{places}f}" for entrant in order],
        "± 95 %": [_number(_half(entrant["ci95"]), places) for entrant in order],
        "showdown": [_percent(entrant["showdowns"]) for entrant in order],
        "won": [_percent(entrant["showdowns_won"]) for entrant in order],
    }
    if _width(columns) + _GAP + _SMALLEST_BAR > width:
        del columns["hands"]
    for droppable in ("won", "showdown"):
        if _width(columns) > width:
            del columns[droppable]
    bar = min(_LARGEST_BAR, width - _width(columns) - _GAP)
    bar -= 1 - bar % 2
    reach = max(abs(end) for entrant in order for end in (*(entrant["ci95"] or ()), entrant["bb_per_100"]))
    bars = bar >= _SMALLEST_BAR and reach > 0
    table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style=QUIET)
    for heading in columns:
        table.add_column(heading, justify="left" if heading == "entrant" else "right", no_wrap=True)
        if heading == "± 95 %" and bars:
            table.add_column(Text(_axis(reach, bar), style=QUIET), no_wrap=True, width=bar)
    for row, entrant in enumerate(order):
        cells = [Text(column[row], style="bold" if name == "entrant" else "") for name, column in columns.items()]
        place = list(columns).index("bb/100")
        cells[place].stylize(_colour(entrant))
        if bars:
            cells.insert(place + 2, Text(interval_bar(entrant, reach, bar), style=_colour(entrant)))
        table.add_row(*cells)
    return table


def _width(columns: Mapping[str, Sequence[str]]) -> int:
    widest = [max(cell_len(cell) for cell in (heading, *cells)) for heading, cells in columns.items()]
    return sum(widest) + _GAP * (len(widest) - 1)


def _seated(entrant: Summary) -> str:
    seats = f" {_TIMES}{entrant['seats']}" if entrant["seats"] > 1 else ""
    return _shortened(entrant["name"], _LONGEST_NAME - len(seats)) + seats


def _shortened(name: str, longest: int) -> str:
    name = plain(name)
    if cell_len(name) <= longest:
        return name
    while cell_len(name) > longest - 1:
        name = name[:-1]
    return name + "…"


def _net(units: int, scenario: Summary) -> str:
    """An exact amount from whole units, signed, with thousands apart."""
    return f"{units * Decimal(str(scenario['stakes']['unit'])):+,}"


def _number(value: float | None, places: int) -> str:
    return _NONE if value is None else f"{value:,.{places}f}"


def _percent(share: Summary) -> str:
    return _NONE if share["fraction"] is None else f"{100 * share['fraction']:.1f} %"


def _colour(entrant: Summary) -> str:
    interval = entrant["ci95"]
    if interval is None or interval[0] <= 0 <= interval[1]:
        return EVEN
    return WIN if interval[0] > 0 else LOSS


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


def _axis(reach: float, width: int) -> str:
    """The scale over the bars: its ends and zero."""
    end = f"{reach:,.0f}" if reach >= 10 else f"{reach:.2g}"
    low, high, middle = f"-{end}", f"+{end}", width // 2
    return low.ljust(middle) + "0" + high.rjust(width - middle - 1)


# Pots and where hands end


def _pots(scenario: Summary, width: int) -> RenderableType:
    pots, big_bets = scenario["pots"], scenario["pots"]["big_bets"]
    lines = Table.grid(padding=(0, _GAP))
    lines.add_column(style=QUIET, no_wrap=True)
    lines.add_column(overflow="fold")
    deviation = big_bets["std_dev"]
    lines.add_row(
        "mean pot",
        f"{_mean(pots)} = {_mean(big_bets)} big bets"
        + ("" if deviation is None else f" (standard deviation {deviation:.1f})"),
    )
    if pots["rake"]["total_units"]:
        rake, of_pots = pots["rake"], pots["rake"]["of_pots"]
        total = rake["total_units"] * Decimal(str(scenario["stakes"]["unit"]))
        lines.add_row(
            "rake",
            f"{total:,} in all, {100 * of_pots['mean']:.1f} % of the pots, "
            f"{_mean(rake['big_bets_per_100'])} big bets per 100 hands",
        )
    often = {
        "walks": pots["walks"],
        "all-ins": pots["all_ins"],
        "side pots": pots["side_pots"],
        "split pots": pots["split_pots"],
        "community cards": pots["community_cards"],
    }
    counted = [f"{name} {share['count']:,} ({_percent(share)})" for name, share in often.items() if share["count"]]
    if pots["capped_rounds"]["count"]:
        counted.append(f"capped rounds {pots['capped_rounds']['count']:,}")
    if counted:
        lines.add_row("seen", ", ".join(counted))
    lines.add_row("hands end", _ends(pots["ends"], min(_END_BAR, width - _BESIDE_END_BAR)))
    return lines


def _mean(estimate: Summary) -> str:
    half = _half(estimate["ci95"])
    places = 2 if half is None else max(2, decimals(half))
    return f"{estimate['mean']:,.{places}f}" + ("" if half is None else f" ± {half:,.{places}f}")


def _ends(ends: Mapping[str, Summary], bar: int) -> RenderableType:
    table = Table.grid(padding=(0, _GAP, 0, 0))
    for justify in ("left", "right", "right", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    largest = max(share["fraction"] for share in ends.values())
    halves = {street: 100 * (_half(share["ci95"]) or 0.0) for street, share in ends.items()}
    places = min(2, decimals(max(halves.values())))
    for street, share in ends.items():
        table.add_row(
            street if street == "showdown" else f"on {street}",
            f"{share['count']:,}",
            f"{100 * share['fraction']:.{places}f} %",
            f"± {halves[street]:.{places}f}",
            Text(bar_of(share["fraction"] / largest, bar) if bar > 0 else "", style="cyan"),
        )
    return table


def bar_of(fraction: float, width: int) -> str:
    """A bar of up to `width` columns, to an eighth of one.

    >>> bar_of(0.5, 5)
    '██▌'
    """
    whole, eighths = divmod(round(fraction * width * 8), 8)
    return "█" * whole + _EIGHTHS[eighths].strip()


# Many scenarios side by side


def _side_by_side(scenarios: Sequence[Summary], width: int) -> list[RenderableType]:
    """Rates of all entrants in all scenarios, then the pots; in as many tables as the width needs."""
    names = [_shortened(scenario["name"], _LONGEST_NAME) for scenario in scenarios]
    entrants = list(dict.fromkeys(entrant["name"] for scenario in scenarios for entrant in scenario["entrants"]))
    columns = [(_shortened(name, _LONGEST_NAME), _rates_of(name, scenarios)) for name in entrants]
    columns.append(("mean pot", [Text(_mean(scenario["pots"]["big_bets"])) for scenario in scenarios]))
    columns.append(("showdown", [Text(_percent(scenario["pots"]["showdowns"])) for scenario in scenarios]))
    first = max(map(cell_len, (_SIDE_BY_SIDE, *names)))
    tables: list[RenderableType] = []
    while columns:
        table = Table(box=None, padding=(0, _GAP, 0, 0), pad_edge=False, header_style=QUIET)
        table.add_column(_SIDE_BY_SIDE, no_wrap=True)
        room = width - first
        fitting: list[list[Text]] = []
        while columns:
            heading, cells = columns[0]
            room -= _GAP + max(cell_len(heading), *(cell.cell_len for cell in cells))
            if room < 0 and fitting:
                break
            table.add_column(Text(heading), justify="right", no_wrap=True)
            fitting.append(cells)
            columns.pop(0)
        for row, name in enumerate(names):
            table.add_row(Text(name), *(cells[row] for cells in fitting))
        tables.append(table)
    return tables


def _rates_of(name: str, scenarios: Sequence[Summary]) -> list[Text]:
    found = []
    for scenario in scenarios:
        entrant = next((one for one in scenario["entrants"] if one["name"] == name), None)
        if entrant is None:
            found.append(Text(_NONE))
            continue
        style = f"bold {_colour(entrant)}" if entrant is ranked(scenario)[0] else _colour(entrant)
        found.append(Text(_rate(entrant, _places(scenario["entrants"])), style=style))
    return found
