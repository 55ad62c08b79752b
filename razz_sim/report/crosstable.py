"""Matches side by side in a terminal: the ranking of the field, who beats whom, and the answer in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from razz_sim.report.answer import answer
from razz_sim.report.columns import GAP, Column, tables, width_of
from razz_sim.report.found import EVEN, LOSS, WIN, bars, rate_colour
from razz_sim.report.measure import measure_of, of_tournaments
from razz_sim.report.numbers import (
    LEAST_BLOCKS,
    NONE,
    Summary,
    decimals,
    estimates,
    fewest_blocks,
    half,
    places_for,
    plain,
    weight_text,
    with_error,
)
from razz_sim.report.parts import QUIET, listed
from razz_sim.report.returns import answer_of_tournaments
from razz_sim.report.searching import search_answer
from razz_sim.report.stopping import sentence

_ITSELF = "\N{MIDDLE DOT}"


def side_by_side(comparison: Summary, width: int) -> list[RenderableType]:
    """The ranking and the crosstable; of one who alone met all the others, a row for each."""
    legend = "big bets per 100 hands by which the row's entrant does better than the column's where they meet"
    parts: list[RenderableType] = [*_one_against_each(comparison, width)]
    if comparison["field"]:
        parts = [*_ranking(comparison, width), Text(legend, style=QUIET), *_crosstable(comparison, width)]
    if comparison.get("meetings"):
        parts += [Text(_seen_together(comparison), style=QUIET), *_meetings(comparison, width)]
    if comparison["duplicate_gain"]:
        parts.append(Text(f"{_gain(comparison['duplicate_gain'])} times as many plain deals", style=QUIET))
    return parts


def _gain(gains: Sequence[float]) -> str:
    """'playing each deal in all arrangements is worth 1.1 to 3.6'."""
    low, high = (f"{gain:.2g}" if gain < 10 else f"{gain:,.0f}" for gain in gains)
    return f"playing each deal in all arrangements is worth {low if low == high else f'{low} to {high}'}"


def _ranking(comparison: Summary, width: int) -> list[Table]:
    """A row for each entrant, best first; those with a letter in common are not told apart."""
    field = comparison["field"]
    names = _names(field)
    texts = estimates([(one["bb_per_100"], one["ci95"]) for one in field], sign="+")
    rates = Column(
        "bb/100\nin the field", [Text(text, rate_colour(one)) for text, one in zip(texts, field, strict=True)]
    )
    others = [
        Column("best, %", [NONE if one["best"] is None else f"{100 * one['best']:.1f}" for one in field]),
        Column("group", [letters(one["name"], comparison["groups"]) for one in field]),
        Column(*counted_matches(field)),
        Column("hands", [f"{one['hands']:,}" for one in field]),
    ]
    if comparison["mixture"]:
        mixed = [" ".join(mixed_text(one)) for one in comparison["mixture"]]
        others.insert(2, Column("unbeaten\nmixture, %", mixed))
    drawn = bars(field, width - width_of([names, rates, *others]) - GAP)
    return tables(names, [rates, *drawn, *others], width)


def counted_matches(field: Sequence[Summary]) -> tuple[str, list[str]]:
    """A column of how many matches each has; of a population, at how many tables of the cycle each sits."""
    what = "tables" if "tables" in field[0] else "matches"
    return what, [f"{one[what]:,}" for one in field]


def _seen_together(comparison: Summary) -> str:
    tables = f"at how many of the cycle's {comparison['tables']:,} tables the row's entrant meets the column's"
    return f"its seats in the cycle, and {tables} (itself: at how many it sits)"


def _meetings(comparison: Summary, width: int) -> list[Table]:
    """A row for each entrant of a population: its part in the cycle, and at how many tables it meets each of them."""
    field = comparison["field"]
    parts = parts_of_cycle(field)
    columns = [
        Column("weight", [weight_text(one["weight"]) for one in field]),
        Column("% of\nall", [f"{of_weights:.1f}" for of_weights, _ in parts]),
        Column("seats", [f"{one['seats']:,}" for one in field]),
        Column("% of\nall", [f"{of_seats:.1f}" for _, of_seats in parts]),
    ]
    together = tables_together(comparison)
    for place, other in enumerate(field, start=1):
        columns.append(Column(f"{place}", [f"{together[one['name'], other['name']]:,}" for one in field]))
    return tables(_names(field), columns, width)


def parts_of_cycle(field: Sequence[Summary]) -> list[tuple[float, float]]:
    """Each entrant's part of all weights, and of all seats, in percent."""
    weights, seats = sum(Fraction(str(one["weight"])) for one in field), sum(one["seats"] for one in field)
    return [(float(100 * Fraction(str(one["weight"])) / weights), 100 * one["seats"] / seats) for one in field]


def tables_together(comparison: Summary) -> dict[tuple[str, str], int]:
    """At how many tables of the cycle two sit, in both orders; and one, with itself."""
    found = {(one["name"], one["name"]): one["tables"] for one in comparison["field"]}
    for pair in comparison["meetings"]:
        found[pair["name"], pair["other"]] = found[pair["other"], pair["name"]] = pair["tables"]
    return found


def _one_against_each(comparison: Summary, width: int) -> list[Table]:
    """A row for each rival of the one whom all met, best result first."""
    one, rivals = met_alone(comparison)
    cells = [_cell_of(pair, one) for pair in rivals]
    texts = estimates([cell[:2] for cell in cells], sign="+")
    coloured = [Text(text, cell[2]) for text, cell in zip(texts, cells, strict=True)]
    names = Column("against", [Text(plain(other_in(pair, one)), style="bold") for pair in rivals], "left")
    chances = Column("corrected", [p_text(pair["p_holm"]) for pair in rivals])
    hands = Column("hands", [f"{pair['hands']:,}" for pair in rivals])
    return tables(names, [Column(f"{plain(one)} wins more,\nbb/100", coloured), chances, hands], width)


def met_alone(comparison: Summary) -> tuple[str, list[Summary]]:
    """The one whom all others met, and its pairs, best result first."""
    pairs = comparison["against"]
    (one, *_) = set.intersection(*({pair["name"], pair["other"]} for pair in pairs)) or {pairs[0]["name"]}
    return one, sorted(pairs, key=lambda pair: -_cell_of(pair, one)[0])


def other_in(pair: Summary, one: str) -> str:
    """The other entrant of a pair."""
    return str(pair["other"] if pair["name"] == one else pair["name"])


def _names(field: Sequence[Summary]) -> Column:
    numbered = [f"{place}  {plain(one['name'])}" for place, one in enumerate(field, start=1)]
    return Column("entrant", [Text(name, style="bold") for name in numbered], "left")


def mixed_text(mixed: Summary) -> tuple[str, str]:
    """An entrant's part of the unbeaten mixture in percent, and between what that is.

    >>> mixed_text({"share": 0.625, "ci95": [0.41, 0.8]}), mixed_text({"share": 0.0, "ci95": [0.0, 0.0]})
    (('62', '41-80'), ('0', '0-0'))
    """
    interval = mixed["ci95"]
    between = "" if interval is None else "-".join(f"{100 * end:.0f}" for end in interval)
    return f"{100 * mixed['share']:.0f}", between


def letters(name: str, groups: Sequence[Sequence[str]]) -> str:
    """The groups that an entrant is in: a, b, ..., z, aa, bb, ..."""
    return " ".join(chr(97 + place % 26) * (1 + place // 26) for place, group in enumerate(groups) if name in group)


def _crosstable(comparison: Summary, width: int) -> list[Table]:
    """What the row's entrant wins more than the column's, in big bets per 100 hands, where they met, if they did."""
    field = [one["name"] for one in comparison["field"]]
    found = {frozenset((pair["name"], pair["other"])): pair for pair in comparison["against"]}
    halves = [error for pair in comparison["against"] if (error := half(pair["ci95"])) is not None]
    places = decimals(max(halves, default=0.0))
    columns = []
    for place, other in enumerate(field, start=1):
        pairs = [found.get(frozenset((name, other))) for name in field]
        cells = [None if pair is None else _cell_of(pair, name) for name, pair in zip(field, pairs, strict=True)]
        texts = estimates([None if cell is None else cell[:2] for cell in cells], sign="+", places=places)
        shown = [
            Text(_ITSELF if name == other else text, style="" if cell is None else cell[2])
            for name, text, cell in zip(field, texts, cells, strict=True)
        ]
        columns.append(Column(f"less {place}", shown))
    return tables(_names(comparison["field"]), columns, width)


def difference_to(pair: Summary, one: str) -> tuple[float, list[float] | None]:
    """By how much one of a pair does better than the other, with its interval."""
    sign = 1 if pair["name"] == one else -1
    return sign * pair["difference"] + 0.0, None if pair["ci95"] is None else sorted(sign * end for end in pair["ci95"])


def _cell_of(pair: Summary, one: str) -> tuple[float, list[float] | None, str]:
    """That and a colour: of a win or loss only where it is told from none."""
    value, interval = difference_to(pair, one)
    return value, interval, EVEN if not told_apart(pair) else WIN if value > 0 else LOSS


def told_apart(pair: Summary) -> bool:
    """Whether a difference is none that equals would show, with all pairs in view."""
    return pair["p_holm"] is not None and pair["p_holm"] < 0.05


def told(summary: Summary) -> str:
    """The answer of a run: of a search, of a stopping rule that decided, of tournaments, of matches, or of none."""
    if "search" in summary:
        return search_answer(summary)
    if (decided := summary.get("stopping")) and len(summary["stop"]["first_looks"]) == 1 and decided[0]["verdict"]:
        return sentence(decided[0], measure_of(summary))
    if of_tournaments(summary):
        return answer_of_tournaments(summary)
    comparisons = summary.get("comparisons")
    if not comparisons:
        return answer(summary)
    several = len(comparisons) > 1 or bool(summary.get("failed"))
    return answer_of_matches(comparisons, fewest_blocks(summary), several=several)


def answer_of_matches(comparisons: Sequence[Summary], blocks: int, *, several: bool) -> str:
    """Who is the best of the field, and how sure that is; of each setting by its name where there are `several`."""
    if blocks < LEAST_BLOCKS:
        few = "1 block a match tells" if blocks == 1 else f"{blocks} blocks a match tell"
        return f"{few} nothing about who is better: an interval takes at least {LEAST_BLOCKS}."
    if not several:
        return _answer(comparisons[0])
    return " ".join(f"{plain(one['setting'])}: {_answer(one)}" for one in comparisons)


def _answer(comparison: Summary) -> str:
    if not comparison["field"]:
        return _answer_of_one(comparison)
    best = comparison["field"][0]
    places = places_for(one["ci95"] for one in comparison["field"])
    rate = with_error(best["bb_per_100"], best["ci95"], places, sign="+")
    where = f" in the population of these {comparison['tables']:,} tables" if comparison.get("meetings") else ""
    opening = f"{plain(best['name'])} is first of {len(comparison['field'])}{where} with {rate} big bets per 100 hands"
    tied = next(group for group in comparison["groups"] if best["name"] in group)[1:]
    if tied:
        return f"{opening}, but cannot be told apart from {listed(tied)}."
    next_one = next(pair for pair in comparison["differences"] if pair["name"] == best["name"])
    ahead = with_error(next_one["difference"], next_one["ci95"], places)
    return f"{opening}, {ahead} more than {plain(next_one['other'])}, the next ({p_text(next_one['p_holm'])})."


def _answer_of_one(comparison: Summary) -> str:
    """Whom the one whom all met beats, to whom it loses, and from whom it is not told apart."""
    one, rivals = met_alone(comparison)
    beaten = [other_in(pair, one) for pair in rivals if told_apart(pair) and _cell_of(pair, one)[0] > 0]
    lost_to = [other_in(pair, one) for pair in rivals if told_apart(pair) and _cell_of(pair, one)[0] < 0]
    even = [other_in(pair, one) for pair in rivals if not told_apart(pair)]
    said = [("beats", beaten), ("loses to", lost_to), ("cannot be told apart from", even)]
    return f"{plain(one)} " + "; ".join(f"{verb} {listed(names)}" for verb, names in said if names) + "."


def p_text(p: float | None) -> str:
    """A corrected value of p as one reads it.

    >>> p_text(0.0), p_text(0.0312), p_text(0.4)
    ('p < 0.001', 'p = 0.031', 'p = 0.40')
    """
    if p is None:
        return NONE
    if p < 0.001:
        return "p < 0.001"
    return f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"
