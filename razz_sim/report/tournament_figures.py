"""The page's tables of tournaments, each from a scenario of `summary.json` whose entrants are `measure.rated`."""

from __future__ import annotations

from collections.abc import Sequence

from razz_sim.report.answer import ranked
from razz_sim.report.cells import (
    NOTHING,
    Cell,
    Row,
    Table,
    aligned,
    by_columns,
    name_of,
    rates,
    series,
    shade_of,
    share_cells,
    short_rate,
)
from razz_sim.report.crosstable import difference_to, letters, p_text, told_apart
from razz_sim.report.figures import MOST_WIDE, drawn_interval
from razz_sim.report.finishes import (
    PlaceClass,
    place_classes,
    place_share,
    stack_labels,
    stacks_of,
)
from razz_sim.report.numbers import Summary, percents, plain
from razz_sim.report.palette import Scale
from razz_sim.report.returns import PLACES
from razz_sim.report.structure import limits_text
from razz_sim.report.tournaments import chosen_pairs, has_intervals, mean_texts, net_texts, to_tell

MOST_CROSSED = 12
"""Of more entrants than this the crosstable would be none that one reads."""
_BOUGHT = {"reentries": "re-entries per player", "rebuys": "rebuys per player", "addons": "add-ons per player"}
_ITSELF = "\N{MIDDLE DOT}"


def ranking(scenario: Summary) -> Table:
    """The entrants, best return first, with its interval drawn; in the money, wins, place, net, what was bought."""
    order = ranked(scenario)
    places = {one["name"]: place for place, one in enumerate(scenario["entrants"])}
    reach = [end for one in order for end in (*(one["ci95"] or ()), one["roi"], 0.0)]
    low, high = min(reach), max(reach)
    columns = {
        "return, %": [Cell(text, _players(one)) for text, one in zip(returns(order), order, strict=True)],
        f"drawn from {short_rate(low)} to {short_rate(high)}": [
            Cell(drawn=drawn_interval(one, low, high, series(places[one["name"]]))) for one in order
        ],
        "in the money, %": share_cells([one["cashed"] for one in order]),
        "wins, %": share_cells([one["wins"] for one in order]),
        "mean place": _texts(mean_texts([one["place"] for one in order])),
        "net per player": _texts(net_texts(order)),
    }
    if not any(one["wins"]["count"] for one in order):
        del columns["wins, %"]
    for key, heading in _BOUGHT.items():
        if any(one[key] for one in order):
            columns[heading] = [Cell(f"{one[key] / one['players']:.2f}", f"{one[key]:,}") for one in order]
    if has_intervals(scenario):
        columns["group"] = [Cell(letters(one["name"], scenario["groups"])) for one in order]
    rows = tuple(
        Row(name_of(one["name"]), cells, _plays_as(one), series(places[one["name"]]))
        for one, cells in zip(order, zip(*columns.values(), strict=True), strict=True)
    )
    return Table("Returns, best first", "entrant", tuple(columns), rows, "ranking")


def returns(found: Sequence[Summary | None]) -> list[str]:
    """A column of returns in percent."""
    return rates(found, "roi", places=PLACES)


def _texts(texts: Sequence[str]) -> list[Cell]:
    return [Cell(text) for text in aligned(texts)]


def _players(one: Summary) -> str:
    return f"{one['players']:,}\N{NO-BREAK SPACE}player{'s' * (one['players'] != 1)}"


def _plays_as(one: Summary) -> str:
    in_each = f"{one['seats']} players in each" if one["seats"] > 1 else ""
    strategy = "" if one["strategy"] == one["name"] else name_of(one["strategy"])
    return "; ".join(filter(None, (strategy, in_each)))


# Who is told apart


def pairs(scenario: Summary) -> Table | None:
    """Neighbours in the order and the best beside the worst: the difference, and how many tournaments tell it."""
    if not scenario["differences"] or not has_intervals(scenario):
        return None
    shown = chosen_pairs(scenario)
    columns = [
        [Cell(text) for text in rates(shown, "difference", places=PLACES)],
        [Cell(p_text(one["p_holm"])) for one in shown],
        [_to_tell(one) for one in shown],
    ]
    heads = [(f"{name_of(one['name'])} less {name_of(one['other'])}", "") for one in shown]
    labels = ("difference of returns, %", "corrected", "tournaments to tell them apart")
    return Table(
        "Neighbours in the order of returns, and the best beside the worst", "pair", labels, by_columns(heads, columns)
    )


def _to_tell(pair: Summary) -> Cell:
    count, _, between = to_tell(pair).partition(" (")
    (text,) = aligned([count])
    note = between.rstrip(")")
    return Cell(text, "" if note == count else note)


def crosstable(scenario: Summary) -> Table | None:
    """By how much the row's entrant returns more than the column's; faded where that is not told from nothing."""
    names = [one["name"] for one in scenario["field"]]
    if not 2 < len(names) <= MOST_CROSSED or not has_intervals(scenario):
        return None
    found = {frozenset((one["name"], one["other"])): one for one in scenario["differences"]}
    scale = Scale(max(abs(one["difference"]) for one in found.values()))
    columns = []
    for other in names:
        cells = []
        for name in names:
            pair = found.get(frozenset((name, other)))
            cells.append(Cell(_ITSELF) if pair is None else _difference(pair, name, scale))
        columns.append(cells)
    heads = [(f"{place}. {name_of(name)}", "") for place, name in enumerate(names, start=1)]
    caption = (
        "By how much the row's entrant returns more than the column's, in percent; beneath it the tournaments to tell"
    )
    return Table(
        caption, "", tuple(f"{place}" for place in range(1, len(names) + 1)), by_columns(heads, columns), "map"
    )


def _difference(pair: Summary, name: str, scale: Scale) -> Cell:
    value, interval = difference_to(pair, name)
    (text,) = rates([{"roi": value, "ci95": interval}], "roi", places=PLACES)
    shade = scale.shade(value) + ("" if told_apart(pair) else " unsure")
    count = pair["tournaments_to_tell"]
    return Cell(text, NOTHING if count is None else f"{count:,}", shade)


# Where they finish


def places(scenario: Summary) -> Table:
    """A row for each entrant, best return first, with its chances of each place, or class of these, shaded."""
    order, classes = ranked(scenario), place_classes(scenario)
    return by_place(scenario, order, classes)


def by_place(scenario: Summary, order: Sequence[Summary], classes: Sequence[PlaceClass]) -> Table:
    """The same for some entrants and classes."""
    columns = [_shaded([place_share(one, at) for one in order]) for at in classes]
    cumulative = len(classes) > 1 and classes[-1].first == 1
    caption = f"% of players who finish there{' or better' if cumulative else ''}; beneath it how many did"
    heads = [(name_of(one["name"]), "") for one in order]
    return Table(caption, "entrant", tuple(one.label for one in classes), by_columns(heads, columns), "heat")


def _shaded(shares: Sequence[Summary]) -> list[Cell]:
    """A column of shares, darker the larger, with their counts."""
    scale = Scale(100.0)
    return [
        Cell(text, f"{one['count']:,}", scale.shade(100 * (one["fraction"] or 0)))
        for text, one in zip(aligned(percents(shares)), shares, strict=True)
    ]


# The structure as it was played


def levels(scenario: Summary) -> Table:
    """A row for each level that any tournament came to."""
    plan = {one["level"]: one for one in scenario["tournament"]["levels"]}
    played = [one for one in scenario["course"]["levels"] if one["reached"]["count"]]
    columns = [
        [Cell(limits_text(plan[one["level"]]), _forced(plan[one["level"]])) for one in played],
        share_cells([one["reached"] for one in played]),
        *(
            _texts(mean_texts([one[key] for one in played]))
            for key in ("players_left", "average_stack_big_bets", "pot_big_bets", "dealt_in")
        ),
        share_cells([one["out"] for one in played]),
        [Cell(f"{one['hands']:,}") for one in played],
    ]
    heads = [(f"{one['level']}", "") for one in played]
    labels = (
        "limits",
        "reached, % of tournaments",
        "players left",
        "average stack, big bets",
        "mean pot, big bets",
        "players dealt in",
        "out there, % of players",
        "hands",
    )
    never = len(plan) - len(played)
    caption = "The structure as it was played" + f"; none came to the last {never}" * bool(never)
    return Table(caption, "level", labels, by_columns(heads, columns), "bars dense")


def _forced(level: Summary) -> str:
    """'ante 5, bring-in 10', broken between the two only."""
    amounts = f"ante {level['ante']:,}", f"bring\N{NON-BREAKING HYPHEN}in {level['bring_in']:,}"
    return ", ".join(text.replace(" ", "\N{NO-BREAK SPACE}") for text in amounts)


def out(scenario: Summary) -> Table:
    """A row for each level, a column for each entrant: what part of its players goes out there."""
    played = [str(one["level"]) for one in scenario["course"]["levels"] if one["reached"]["count"]]
    order = ranked(scenario)
    columns = [_shaded([one["out"][level] for level in played]) for one in order]
    names = tuple(name_of(one["name"]) for one in order)
    caption = "% of an entrant's players who go out at each level; those missing to 100 were left at the end"
    return Table(caption, "level", names, by_columns([(level, "") for level in played], columns), "heat")


# What becomes of stacks


def stacks(scenario: Summary, moment: str, called: str) -> Table:
    """A row for each size of stacks: what became of all of them, and each entrant's mean prize."""
    together, order = stacks_of(scenario, moment), ranked(scenario)
    found = list(together.values())
    columns = [
        [Cell(f"{one['players']:,}") for one in found],
        share_cells([one["cashed"] for one in found]),
        _texts(mean_texts([one["prize_in_buy_ins"] for one in found])),
    ]
    for one in order:
        mine = [stacks_of(one, moment).get(least) for least in together]
        texts = aligned(mean_texts([stack and stack["prize_in_buy_ins"] for stack in mine]))
        counts = [0 if stack is None else stack["players"] for stack in mine]
        columns.append([Cell(text, f"{count:,}") for text, count in zip(texts, counts, strict=True)])
    labels = ("players", "in the money, %", "mean prize in buy-ins", *(name_of(one["name"]) for one in order))
    heads = [(stack_labels()[least], "") for least in together]
    caption = f"Stacks {called}, in parts of the average; under each name the mean prize in buy-ins"
    return Table(caption, "stack", labels, by_columns(heads, columns), "bars dense")


# Scenarios side by side


def side_by_side(scenarios: Sequence[Summary]) -> Table:
    """A row for each scenario: every entrant's return, then how long tournaments take."""
    names = list(dict.fromkeys(one["name"] for scenario in scenarios for one in scenario["entrants"]))
    scale = Scale.of([one["roi"] for scenario in scenarios for one in scenario["entrants"]])
    columns: list[list[Cell]] = []
    for name in names:
        found = [next((one for one in scenario["entrants"] if one["name"] == name), None) for scenario in scenarios]
        texts = zip(returns(found), found, strict=True)
        columns.append([Cell(NOTHING) if one is None else Cell(text, "", shade_of(one, scale)) for text, one in texts])
    courses = [one["course"] for one in scenarios]
    columns.append(_texts(mean_texts([one["hands"] for one in courses])))
    columns.append(_texts(mean_texts([one["end_level"] for one in courses])))
    labels = [*(f"{name_of(name)}, % return" for name in names), "hands to the end", "level at the end"]
    if any(one["minutes"] for one in courses):
        columns.append(_texts(mean_texts([one["minutes"] for one in courses])))
        labels.append("minutes to the end")
    columns.append([Cell(f"{one['blocks']:,}") for one in scenarios])
    heads = [(plain(one["name"]), "") for one in scenarios]
    kind = "compared dense" if len(labels) + 1 > MOST_WIDE else "compared"
    return Table("Every scenario", "scenario", (*labels, "tournaments"), by_columns(heads, columns), kind)
