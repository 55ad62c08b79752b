"""The page's tables, each from a scenario of `summary.json`: nothing is computed that is not there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from razz_sim.cards import RANKS
from razz_sim.report.answer import ranked
from razz_sim.report.asked import path_in_words
from razz_sim.report.cells import (
    NOTHING,
    Cell,
    Drawn,
    Row,
    Table,
    aligned,
    by_columns,
    class_cells,
    hands_text,
    is_sure,
    name_of,
    rates,
    shade_of,
    share_cells,
    short_rate,
    sound,
)
from razz_sim.report.charts import STREETS
from razz_sim.report.crosstable import p_text, told_apart
from razz_sim.report.differences import Differences
from razz_sim.report.measure import WIN_RATES, Measure
from razz_sim.report.numbers import Summary, decimals, exact, half, percents, with_error
from razz_sim.report.palette import Scale

ENDS = (*STREETS, "showdown")
MOST_WIDE = 8
"""A comparison of more columns than this has them close together."""
LOWS = ("wheel", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "pair")
PLAYS: Mapping[str, tuple[str, str]] = {
    "voluntarily_in": ("voluntarily in", "put chips in on third street by choice, of its hands"),
    "completed": ("completes first", "was the first to complete, of the hands in which it could be"),
    "steals": ("steals", "completed with only the bring-in in and at most two more players behind, of its chances to"),
    "steals_won": ("steals that won", "all others folded on third street, of its steals"),
    "folds_to_steal": (
        "folds to a steal",
        "folded on third street, of the hands in which it faced a steal that nobody had raised",
    ),
    "defends_bring_in": ("defends the bring-in", "did not fold, of the hands in which somebody completed against it"),
    "brought_in": ("brings it in", "posted the bring-in, of its hands"),
    "reraises": ("re-raises", "raised, of the decisions in which it faced a bet and could raise it"),
    "saw_fourth": ("sees fourth", "was still in when fourth street was dealt, of its hands"),
    "saw_fifth": ("sees fifth", "the same of fifth street"),
    "saw_sixth": ("sees sixth", "the same of sixth street"),
    "saw_seventh": ("sees seventh", "the same of seventh street"),
    "showdowns": ("goes to showdown", "was still in when hands were compared, of its hands"),
    "showdowns_won": ("wins at showdown", "won some pot, alone or split, of its showdowns"),
    "won_without_showdown": ("wins without showdown", "took the pot as all others had folded, of its hands"),
    "pots_won": ("wins a pot", "took chips from some pot, of its hands"),
}
"""What a page calls each figure of `plays`, and what it means; `docs/statistics.md` defines them."""
POTS = {
    "pot_won": ("average pot won, bb", "what it took from the pots in hands in which it took any"),
    "pot_lost": ("average pot lost, bb", "the final pot of hands in which it was voluntarily in and took nothing"),
}
"""The same of its pots."""
RARE = {
    "walks": "walks: all fold to the bring-in",
    "all_ins": "all-ins at showdown",
    "side_pots": "side pots",
    "split_pots": "split pots",
    "community_cards": "community cards",
}


# Who wins


def ranking(scenario: Summary) -> Table:
    """The entrants, best first: rate with its interval drawn, all-in-adjusted rate, deviation, hands and net."""
    order = ranked(scenario)
    places = {one["name"]: place for place, one in enumerate(scenario["entrants"], start=1)}
    reach = [end for one in order for end in (*(one["ci95"] or ()), one["bb_per_100"], 0.0)]
    low, high = min(reach), max(reach)
    adjusted = [one["all_in_adjusted"] for one in order]
    columns = [
        [Cell(text, hands_text(one["hands"])) for text, one in zip(rates(order), order, strict=True)],
        [Cell(drawn=drawn_interval(one, low, high, places[one["name"]])) for one in order],
        [Cell(text, _adjusted(one)) for text, one in zip(rates(adjusted), adjusted, strict=True)],
        [Cell(text) for text in rates([one["chips_per_hand"] for one in order], "mean")],
        [Cell(_deviation(one["std_dev_per_hand"])) for one in order],
        [Cell(aligned([exact(one["net_units"], scenario["stakes"], sign="+")])[0]) for one in order],
    ]
    scale = f"drawn from {short_rate(low)} to {short_rate(high)}"
    heads = ("bb/100", scale, "all-in adjusted", "chips per hand", "std dev per hand, bb", "net")
    rows = tuple(
        Row(name_of(one["name"]), cells, _plays_as(one), places[one["name"]])
        for one, cells in zip(order, zip(*columns, strict=True), strict=True)
    )
    return Table("Win rates, best first", "entrant", heads, rows, "ranking")


def drawn_interval(one: Summary, low: float, high: float, series: int) -> Drawn:
    """An interval in a cell that reaches from `low` to `high`."""

    def at(value: float) -> float:
        return round(2 + 96 * (value - low) / (high - low), 2) if high > low else 50.0

    ends = one["ci95"] or (one["bb_per_100"], one["bb_per_100"])
    return Drawn(at(ends[0]), at(one["bb_per_100"]), at(ends[1]), at(0.0), series, is_sure(one["ci95"]))


def _adjusted(found: Summary) -> str:
    gain = (
        ""
        if found["gain"] is None
        else f",\N{NO-BREAK SPACE}{found['gain']:.2f}\N{NO-BREAK SPACE}\N{MULTIPLICATION SIGN}"
    )
    return f"{hands_text(found['hands'])}{gain}"


def _deviation(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def _plays_as(one: Summary) -> str:
    seats = f"{one['seats']} seats, rates per seat" if one["seats"] > 1 else ""
    strategy = "" if one["strategy"] == one["name"] else name_of(one["strategy"])
    return "; ".join(filter(None, (strategy, seats)))


# Scenarios side by side


def side_by_side(scenarios: Sequence[Summary]) -> Table:
    """A row for each scenario: every entrant's rate, the pot, showdowns, rake."""
    names = list(dict.fromkeys(one["name"] for scenario in scenarios for one in scenario["entrants"]))
    columns: list[list[Cell]] = []
    scale = Scale.of([one["bb_per_100"] for scenario in scenarios for one in scenario["entrants"]])
    for name in names:
        found = [next((one for one in scenario["entrants"] if one["name"] == name), None) for scenario in scenarios]
        texts = zip(rates(found), found, strict=True)
        columns.append([Cell(NOTHING) if one is None else Cell(text, "", shade_of(one, scale)) for text, one in texts])
    pots = [one["pots"] for one in scenarios]
    columns.append([Cell(text) for text in rates([one["big_bets"] for one in pots], "mean", sign="")])
    columns.append([Cell(text) for text in aligned(percents([one["showdowns"] for one in pots], most_places=2))])
    columns.append([Cell(f"{one['hands']:,}") for one in scenarios])
    heads = [(name_of(one["name"]), "") for one in scenarios]
    names = [name_of(name) for name in names]
    labels = (*(f"{name} bb/100" for name in names), "mean pot, bb", "showdown, %", "hands")
    kind = "compared dense" if len(labels) > MOST_WIDE else "compared"
    return Table("Every scenario", "scenario", labels, by_columns(heads, columns), kind)


def than_baseline(found: Differences) -> Table:
    """A row for each scenario: what every entrant wins more than at the baseline; faded where that may be chance."""
    scale = Scale.of([one["difference"] for column in found.entrants.values() for one in column if one is not None])
    columns = [
        [
            Cell(NOTHING) if one is None else Cell(text, p_text(one["p_holm"]), _shade_of_difference(one, scale))
            for text, one in zip(rates(column, "difference"), column, strict=True)
        ]
        for column in found.entrants.values()
    ]
    labels = tuple(f"{name_of(name)}, {found.measure.short} more" for name in found.entrants)
    if found.dealt:
        columns.append([Cell(text) for text in found.dealt])
        labels = (*labels, "same deals")
    heads = [(name_of(name), "") for name in found.scenarios]
    kind = "compared dense" if len(labels) > MOST_WIDE else "compared"
    caption = found.legend[0].upper() + found.legend[1:]
    return Table(caption, "scenario", labels, by_columns(heads, columns), kind)


def _shade_of_difference(one: Summary, scale: Scale) -> str:
    return scale.shade(one["difference"]) + ("" if told_apart(one) else " unsure")


def two_way(
    scenarios: Sequence[Summary], name: str, down: str, across: str, measure: Measure = WIN_RATES
) -> Table | None:
    """An entrant's rate over two swept values, whose pairs are all different; None where it is in no scenario."""
    found = {
        (one["point"][down], one["point"][across]): entrant
        for one in scenarios
        for entrant in one["entrants"]
        if entrant["name"] == name
    }
    if not found:
        return None
    scale = Scale.of([one["bb_per_100"] for one in found.values()])
    downs, acrosses = (list(dict.fromkeys(one["point"][path] for one in scenarios)) for path in (down, across))
    columns = [class_cells([found.get((row, column)) for row in downs], scale, measure) for column in acrosses]
    heads = [(name_of(row), "") for row in downs]
    rows, over = (name_of(path_in_words(path, scenarios)) for path in (down, across))
    caption = f"{name_of(name)}, {measure.short}: {rows} down, {over} across"
    return Table(caption, rows, tuple(map(name_of, acrosses)), by_columns(heads, columns), "heat")


# Pots and streets


def pot_facts(scenario: Summary) -> list[tuple[str, str]]:
    """The mean pot, its quantiles, rake, and what is rare."""
    pots = scenario["pots"]
    of = f"of {hands_text(pots['hands'])}"
    deviation = pots["big_bets"]["std_dev"]
    spread = "" if deviation is None else f"; standard deviation {deviation:.2f} big bets"
    lines = [
        ("mean pot", f"{_mean(pots)} = {_mean(pots['big_bets'])} big bets, {of}{spread}"),
        (
            "quantiles",
            ", ".join(f"{part} %: {value:.1f}" for part, value in pots["quantiles"].items()) + f" big bets, {of}",
        ),
    ]
    rake = pots["rake"]
    if rake["total_units"]:
        total, of_pots = exact(rake["total_units"], scenario["stakes"]), _mean(rake["of_pots"], 100)
        lines.append(
            ("rake", f"{total} in all, {of_pots} % of the pots, {_mean(rake['big_bets_per_100'])} bb/100 of the table")
        )
    for key, label in RARE.items():
        if pots[key]["count"]:
            lines.append((label, _share(pots[key])))
    for key, label in (
        ("capped_rounds", "capped betting rounds"),
        ("free_folds", "folds where checking was free"),
        ("decisions", "decisions"),
    ):
        if pots[key]["count"]:
            lines.append((label, f"{pots[key]['count']:,}, {_mean(pots[key], value='per_100')} in 100 hands"))
    return [(label, aligned_text(text)) for label, text in lines]


def aligned_text(text: str) -> str:
    return text.replace(" -", f" {aligned(['-1'])[0][0]}")


def _share(share: Summary) -> str:
    return f"{percents([share], most_places=3)[0]} % ({share['count']:,} of {share['of']:,})"


def _mean(estimate: Summary, scale: int = 1, value: str = "mean") -> str:
    interval = estimate["ci95"]
    scaled = None if interval is None else [scale * end for end in interval]
    error = half(scaled)
    return with_error(scale * estimate[value], scaled, 2 if error is None else max(2, decimals(error)))


def ends(scenario: Summary) -> Table:
    """Where hands end: how often, and how large the pot was then."""
    pots = scenario["pots"]
    often = share_cells([pots["ends"][end] for end in ENDS])
    found = [pots["by_end"][end] for end in ENDS]
    sizes = [_with_median(cell, one) for cell, one in zip(_means(found), found, strict=True)]
    heads = [(_end(end), "") for end in ENDS]
    return Table(
        "Where hands end", "hand ends", ("% of hands", "final pot, bb"), by_columns(heads, [often, sizes]), "bars"
    )


def _with_median(cell: Cell, found: Summary) -> Cell:
    """A mean of pots with the pot that half of them do not exceed."""
    if not found["count"]:
        return cell
    return replace(cell, note=f"{cell.note}, median\N{NO-BREAK SPACE}{found['quantiles']['50']:.1f}")


def _end(end: str) -> str:
    return "at showdown" if end == "showdown" else f"on {end} street"


def _means(found: Sequence[Summary]) -> list[Cell]:
    """A column of means in big bets with their counts; nothing where there was nothing to count."""
    known = [sound(one, "count") if one["count"] else None for one in found]
    texts = rates(known, "mean", sign="")
    return [Cell(text, hands_text(one["count"])) for text, one in zip(texts, found, strict=True)]


def players(scenario: Summary) -> Table:
    """How many players each street sees: the mean, and the part of hands with each number."""
    found = scenario["pots"]["players"]
    numbers = sorted({int(number) for one in found.values() for number in one["counts"]})
    rows = []
    hands = {street: sum(found[street]["counts"].values()) for street in ENDS}
    known = [_mean_players(found[street]["mean"], hands[street]) for street in ENDS]
    for street, mean in zip(ENDS, rates(known, "mean", sign=""), strict=True):
        counts, of = found[street]["counts"], hands[street]
        cells = [Cell(mean, hands_text(of))]
        for number in numbers:
            count = counts.get(str(number), 0)
            part = 100 * count / of if of else 0.0
            cells.append(Cell(f"{part:.1f} %" if of else NOTHING, f"{count:,}", bar=part))
        rows.append(Row(street, tuple(cells)))
    heads = ("mean players", *(str(number) for number in numbers))
    return Table("Players on each street, and % of hands with so many", "street", heads, tuple(rows), "bars")


def _mean_players(mean: Summary | None, hands: int) -> Summary | None:
    return None if mean is None else sound({**mean, "hands": hands}, "hands")


# How they played


def _names(scenario: Summary) -> tuple[str, ...]:
    return tuple(name_of(one["name"]) for one in scenario["entrants"])


def plays(scenario: Summary) -> Table:
    """What entrants do, side by side, in percent of the times they could; and their pots, where these are known."""
    pots = [pot for pot in POTS if pot in scenario["entrants"][0]]
    columns = [share_cells([one["plays"][play] for play in PLAYS]) for one in scenario["entrants"]]
    for column, one in zip(columns, scenario["entrants"], strict=True):
        column += _means([one[pot] for pot in pots])
    heads = [(label, "") for label, _ in (*PLAYS.values(), *(POTS[pot] for pot in pots))]
    return Table(
        "What they do, % of the times they could", "", _names(scenario), by_columns(heads, columns), "bars plays"
    )


def actions(scenario: Summary) -> Table:
    """Decisions on each street: raises among those that put a price on it, and all counts."""
    columns = []
    for one in scenario["entrants"]:
        cells = share_cells([one["actions"][street]["aggression"] for street in STREETS])
        counted = [one["actions"][street] for street in STREETS]
        columns.append([Cell(cell.text, _counted(of), bar=cell.bar) for cell, of in zip(cells, counted, strict=True)])
    heads = [(street, "") for street in STREETS]
    return Table("Raises, % of raises, calls and folds", "street", _names(scenario), by_columns(heads, columns), "bars")


def _counted(of: Summary) -> str:
    """'12 raises, 3 calls, 4 folds, 5 checks', each kept on one line."""
    return ", ".join(f"{of[kind]:,}\N{NO-BREAK SPACE}{kind}" for kind in ("raises", "calls", "folds", "checks"))


def by_class(scenario: Summary, key: str, caption: str, corner: str, labels: Mapping[str, str]) -> Table:
    """Win rates of classes of hands, side by side."""
    found = [[one[key].get(label) for label in labels] for one in scenario["entrants"]]
    scale = Scale.of([one["bb_per_100"] for column in found for one in column if one is not None])
    seen = [place for place in range(len(labels)) if any(column[place] is not None for column in found)]
    columns = [class_cells([column[place] for place in seen], scale) for column in found]
    names = list(labels.values())
    return Table(caption, corner, _names(scenario), by_columns([(names[place], "") for place in seen], columns), "heat")


def doors(scenario: Summary) -> Table:
    """Win rates by door card."""
    return by_class(scenario, "by_door", "bb/100 by door card", "door card", {rank: rank for rank in RANKS})


def positions(scenario: Summary) -> Table:
    """Win rates by position."""
    places = {str(place): str(place or "bring-in") for place in range(scenario["seats"])}
    return by_class(scenario, "by_position", "bb/100 by seats from the bring-in, clockwise", "seat", places)


def entrant_ends(scenario: Summary) -> Table:
    """Win rates by where the hand ended for the seat."""
    places = {end: end for end in ENDS}
    caption = "bb/100 by where the hand ended for the seat: the street it folded on, or where the others did"
    return by_class(scenario, "by_end", caption, "ended on", places)


def lows(scenario: Summary) -> tuple[Table, ...]:
    """Lows shown down: how often each was made, and how often it won; nothing where no hand was shown down."""
    shown = [low for low in LOWS if any(one["lows"][low]["count"] for one in scenario["entrants"])]
    if not shown:
        return ()
    heads = [(_low(low), "") for low in shown]
    best = share_cells([scenario["pots"]["winning_lows"][low] for low in shown])
    made = [share_cells([one["lows"][low] for low in shown]) for one in scenario["entrants"]]
    won = [share_cells([one["lows"][low]["won"] for low in shown]) for one in scenario["entrants"]]
    return (
        Table(
            "Lows made, % of showdowns",
            "low",
            ("best shown", *_names(scenario)),
            by_columns(heads, [best, *made]),
            "bars",
        ),
        Table("Of these, % that won some pot", "low", _names(scenario), by_columns(heads, won), "bars"),
    )


def _low(low: str) -> str:
    return "wheel" if low == "wheel" else "a pair or worse" if low == "pair" else f"{low} low"
