"""What tournaments found, in tables for a terminal: returns, who is told apart, places, levels, and short stacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from razz_sim.report.answer import ranked
from razz_sim.report.asked import grid
from razz_sim.report.columns import GAP, Column, tables, width_of
from razz_sim.report.crosstable import letters, p_text, told_apart
from razz_sim.report.finishes import (
    moments,
    place_classes,
    place_share,
    stack_labels,
    stacks_of,
)
from razz_sim.report.found import EVEN, WIN, bars, plays, rate_colour, seated
from razz_sim.report.numbers import (
    NONE,
    Summary,
    decimals,
    estimates,
    half,
    percents,
    places_for,
    plain,
    with_error,
)
from razz_sim.report.parts import QUIET
from razz_sim.report.returns import PLACES
from razz_sim.report.structure import amounts_text, cash, limits_text

MOST_PAIRS = 8
"""Of more pairs the neighbours in the order and the best beside the worst are shown, as far as there is room."""
_BOUGHT = {"reentries": "re-entries\nper player", "rebuys": "rebuys\nper player", "addons": "add-ons\nper player"}


def found_in(scenario: Summary, width: int, *, details: bool) -> Iterator[RenderableType]:
    """All that is told of a scenario, whose entrants are `rated`; with `details` each pair, and stacks by entrant."""
    yield from entrants(scenario, width)
    yield from _pairs(scenario, width, details=details)
    yield from _places(scenario, width)
    yield from _levels(scenario, width)
    yield grid(course_lines(scenario))
    yield from _stacks(scenario, width, details=details)
    yield from plays(scenario, width)


def _legend(text: str) -> Text:
    return Text(text, style=QUIET)


# Who returns what


def entrants(scenario: Summary, width: int) -> list[Table]:
    """A row for each entrant, best return first: return, its interval as a bar, in the money, wins, place, net."""
    order = ranked(scenario)
    names = Column("entrant", [Text(seated(one), style="bold") for one in order], "left")
    texts = estimates([(one["roi"], one["ci95"]) for one in order], sign="+", places=PLACES)
    rates = Column("return\n%", [Text(text, rate_colour(one)) for text, one in zip(texts, order, strict=True)])
    others = [
        Column("in the money\n% of players", percents([one["cashed"] for one in order])),
        *_wins(order),
        Column("mean\nplace", mean_texts([one["place"] for one in order])),
        *_bought(order),
        Column("net\nper player", net_texts(order)),
    ]
    if len(scenario["groups"]) > 1 and has_intervals(scenario):
        others.append(Column("group", [letters(one["name"], scenario["groups"]) for one in order]))
    drawn = bars(order, width - width_of([names, rates, *others[:2]]) - GAP)
    return tables(names, [rates, *drawn, *others], width)


def has_intervals(scenario: Summary) -> bool:
    """Whether there were tournaments enough for intervals."""
    return all(one["ci95"] is not None for one in scenario["entrants"])


def _wins(order: Sequence[Summary]) -> list[Column]:
    """How many finish first, alone; nothing where nobody does, as in a satellite."""
    shares = [one["wins"] for one in order]
    return [Column("wins\n% of players", percents(shares))] if any(one["count"] for one in shares) else []


def net_texts(order: Sequence[Summary]) -> list[str]:
    """What entrants won per player, in money."""
    return estimates([(one["net_per_player"]["mean"], one["net_per_player"]["ci95"]) for one in order], sign="+")


def mean_texts(found: Sequence[Summary | None]) -> list[str]:
    """A column of means, no finer than the largest error deserves."""
    pairs = [None if one is None else (one["mean"], one["ci95"]) for one in found]
    halves = [error for pair in pairs if pair is not None and (error := half(pair[1]))]
    return estimates(pairs, places=min(2, decimals(max(halves, default=0.0))))


def _bought(order: Sequence[Summary]) -> list[Column]:
    """How much was bought per player, where anything was: counts without an error, of so many players."""
    return [
        Column(heading, [f"{one[key] / one['players']:.2f}" for one in order])
        for key, heading in _BOUGHT.items()
        if any(one[key] for one in order)
    ]


# Who is told apart


def _pairs(scenario: Summary, width: int, *, details: bool) -> Iterator[RenderableType]:
    """Differences of returns, and how many tournaments tell two apart: how much skill the structure leaves room for."""
    every = scenario["differences"]
    if not every or not has_intervals(scenario):
        return
    shown = every if details else chosen_pairs(scenario)
    more = f"; {len(every) - len(shown):,} more pairs: razz-sim report RUN --details" if len(shown) < len(every) else ""
    yield _legend(f"{TO_TELL}, in brackets those for the ends of the interval{more}")
    yield from tables(
        Column("pair", [f"{plain(one['name'])} less {plain(one['other'])}" for one in shown], "left"),
        [
            Column("difference\nof returns, %", _differences(shown)),
            Column("corrected", [p_text(one["p_holm"]) for one in shown]),
            Column("tournaments\nto tell them", [to_tell(one) for one in shown]),
        ],
        width,
    )


TO_TELL = (
    "how much the structure lets skill show: tournaments that it takes to tell two apart (their 95 % interval leaves "
    "0 out in 4 of 5 runs)"
)


def chosen_pairs(scenario: Summary) -> list[Summary]:
    """The neighbours in the order of returns, as far as there is room, and the best beside the worst."""
    every = scenario["differences"]
    if len(every) <= MOST_PAIRS:
        return list(every)
    names = [one["name"] for one in scenario["field"]]
    by_names = {(one["name"], one["other"]): one for one in every}
    neighbours = list(pairwise(names))[: MOST_PAIRS - 1]
    return [by_names[pair] for pair in [*neighbours, (names[0], names[-1])]]


def to_tell(pair: Summary) -> str:
    """How many tournaments tell two apart: '785 (412 to 2,020)'; where 0 is within the interval, from how many on.

    >>> to_tell({"tournaments_to_tell": 785, "tournaments_to_tell_ci95": [412, None]})
    '785 (412 or more)'
    """
    count, (least, most) = pair["tournaments_to_tell"], pair["tournaments_to_tell_ci95"]
    if count is None or least is None:
        return NONE
    if count == least == most:
        return f"{count:,}"
    between = f"{least:,} or more" if most is None else f"{least:,} to {most:,}"
    return f"{count:,} ({between})"


def _differences(pairs: Sequence[Summary]) -> list[str | Text]:
    texts = estimates([(one["difference"], one["ci95"]) for one in pairs], sign="+", places=PLACES)
    return [
        Text(text, style=WIN if told_apart(one) else EVEN) if one["difference"] else text
        for text, one in zip(texts, pairs, strict=True)
    ]


# Where they finish


def _places(scenario: Summary, width: int) -> Iterator[RenderableType]:
    order, classes = ranked(scenario), place_classes(scenario)
    first = classes[-1].first == 1 and len(classes) > 1
    yield _legend("% of players who finish " + ("there or better" if first else "there"))
    columns = [Column(one.label, percents([place_share(entrant, one) for entrant in order])) for one in classes]
    names = Column("entrant", [Text(seated(one), style="bold") for one in order], "left")
    yield from tables(names, columns, width)


# The structure as it was played


def _levels(scenario: Summary, width: int) -> Iterator[RenderableType]:
    plan = {one["level"]: one for one in scenario["tournament"]["levels"]}
    played = [one for one in scenario["course"]["levels"] if one["reached"]["count"]]
    columns = [
        Column("limits", [limits_text(plan[one["level"]]) for one in played]),
        Column("ante", [f"{plan[one['level']]['ante']:,}" for one in played]),
        Column("reached\n% of tourn.", percents([one["reached"] for one in played])),
        Column("players\nleft", mean_texts([one["players_left"] for one in played])),
        Column("average stack\nbig bets", mean_texts([one["average_stack_big_bets"] for one in played])),
        Column("mean pot\nbig bets", mean_texts([one["pot_big_bets"] for one in played])),
        Column("players\ndealt in", mean_texts([one["dealt_in"] for one in played])),
        Column("out there\n% of players", percents([one["out"] for one in played])),
    ]
    unplayed = len(plan) - len(played)
    never = f"; {unplayed} more level{'s' * (unplayed > 1)} that none came to" if unplayed else ""
    yield _legend(f"{when_levels_begin(scenario)}{never}")
    yield from tables(Column("level", [f"{one['level']}" for one in played]), columns, width)


def when_levels_begin(scenario: Summary) -> str:
    """What the means of a level's table are taken over."""
    means = "the structure as it was played, means when a level begins"
    if scenario["tournament"]["kind"] == "tables":
        return means
    return f"{means}; each round begins with level 1 again, a level's first time counts"


def course_lines(scenario: Summary) -> Iterator[tuple[str, str]]:
    """What a tournament comes to: hands, time, the level at the end; entries and pool where these are not known before.

    Each with its label and its interval.
    """
    course, plan = scenario["course"], scenario["tournament"]
    parts = [f"{mean_text(course['hands'])} hands at all tables"]
    if course["minutes"] is not None:
        parts.append(f"{mean_text(course['minutes'])} minutes")
    yield "one lasts", f"{', '.join(parts)}; it ends in level {mean_text(course['end_level'])}"
    fees = f", fees of {cash(round(course['fees']['mean'], 2))}" if course["fees"]["mean"] else ""
    if any(plan[offer] for offer in ("reentry", "rebuys", "addon")):
        yield "one has", f"{mean_text(course['entries'])} entries and a pool of {mean_text(course['pool'])}{fees}"
        yield "prizes", f"of a mean pool: {amounts_text(course['prizes'])}"
    elif fees:
        yield "one has", f"a pool of {cash(round(course['pool']['mean'], 2))}{fees}"


def mean_text(found: Summary) -> str:
    """'93.3 ± 0.8'; without an error where there is none."""
    interval = found["ci95"]
    if interval is not None and interval[0] == interval[1]:
        return cash(round(found["mean"], 2))
    error = half(interval)
    return with_error(found["mean"], interval, 0 if error is not None and error >= 10 else places_for([interval]))


# What becomes of stacks


def _stacks(scenario: Summary, width: int, *, details: bool) -> Iterator[RenderableType]:
    """What becomes of stacks by their part of the average: of all players; with details of each entrant's too."""
    for moment, called in moments(scenario):
        yield _legend(f"stacks {called}, in parts of the average, and what became of them")
        found = list(stacks_of(scenario, moment).values())
        columns = [
            Column("players", [f"{one['players']:,}" for one in found]),
            Column("in the money\n% of them", percents([one["cashed"] for one in found])),
            Column("win\n% of them", percents([one["won"] for one in found])),
            Column("prize\nin buy-ins", mean_texts([one["prize_in_buy_ins"] for one in found])),
        ]
        if not any(one["won"]["count"] for one in found):
            del columns[2]
        yield from tables(
            Column("stack", [stack_labels()[one["from_average"]] for one in found], "left"), columns, width
        )
        if details:
            yield from _stacks_by_entrant(scenario, moment, width)


def _stacks_by_entrant(scenario: Summary, moment: str, width: int) -> Iterator[RenderableType]:
    yield _legend("prizes in buy-ins, by entrant")
    order, sizes = ranked(scenario), stacks_of(scenario, moment)
    columns = []
    for least in sizes:
        found = [stacks_of(one, moment).get(least) for one in order]
        columns.append(Column(stack_labels()[least], mean_texts([one and one["prize_in_buy_ins"] for one in found])))
    yield from tables(Column("entrant", [seated(one) for one in order], "left"), columns, width)


# Scenarios side by side


def compared_returns(scenarios: Sequence[Summary], width: int) -> list[Table]:
    """A row for each scenario: returns of all entrants, then how long tournaments take."""
    names = list(dict.fromkeys(entrant["name"] for scenario in scenarios for entrant in scenario["entrants"]))
    columns = [_compared(name, scenarios) for name in names]
    courses = [one["course"] for one in scenarios]
    columns += [
        Column("hands\nto the end", mean_texts([one["hands"] for one in courses])),
        Column("level\nat the end", mean_texts([one["end_level"] for one in courses])),
    ]
    if any(one["minutes"] for one in courses):
        columns.append(Column("minutes\nto the end", mean_texts([one["minutes"] for one in courses])))
    columns.append(Column("tourna-\nments", [f"{one['blocks']:,}" for one in scenarios]))
    return tables(Column("scenario", [plain(scenario["name"]) for scenario in scenarios], "left"), columns, width)


def _compared(name: str, scenarios: Sequence[Summary]) -> Column:
    """The returns of an entrant, bold where it returns most."""
    found = [next((one for one in scenario["entrants"] if one["name"] == name), None) for scenario in scenarios]
    texts = estimates([None if one is None else (one["roi"], one["ci95"]) for one in found], sign="+", places=PLACES)
    cells: list[str | Text] = []
    for text, one, scenario in zip(texts, found, scenarios, strict=True):
        bold = "bold " if one is ranked(scenario)[0] else ""
        cells.append(text if one is None else Text(text, style=bold + rate_colour(one)))
    return Column(f"{plain(name)}\n% return", cells)
