"""Finished runs side by side in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from razz_sim.report.columns import Column, tables
from razz_sim.report.crosstable import p_text
from razz_sim.report.found import EVEN, LOSS, WIN
from razz_sim.report.measure import WIN_RATES, Measure
from razz_sim.report.numbers import NONE, estimates, plain
from razz_sim.report.parts import QUIET
from razz_sim.report.terminal import MARGIN, write
from razz_sim.statistics import AcrossRuns, Change, Estimate


def print_across(
    names: Sequence[str],
    changed: Sequence[Sequence[str]],
    rows: Sequence[AcrossRuns],
    console: Console,
    stopped: Sequence[int] = (),
    measure: Measure = WIN_RATES,
) -> None:
    """Print what runs with these names found; `changed` says in what each after the first differs from it.

    `stopped` are the numbers of those that ended by a rule that looks at who is ahead.
    """
    parts: list[RenderableType] = [Text(f"{place}  {plain(name)}") for place, name in enumerate(names, start=1)]
    for place, told in enumerate(changed, start=2):
        what = "; ".join(map(plain, told)) or "nothing but its hands"
        parts.append(Padding(Text(f"{place} differs from 1 in {what}", style=QUIET), MARGIN))
    width = console.width - MARGIN[3]
    named = [" ".join(filter(None, [plain(row.scenario), plain(row.entrant)])) for row in rows]
    columns = [_rates(place, [row.rates[place] for row in rows], measure) for place in range(len(names))]
    for place in range(len(names) - 1):
        columns += _changes(place + 2, [row.changes[place] for row in rows])
    found = tables(Column("entrant", [Text(name, style="bold") for name in named], "left"), columns, width)
    parts += [Padding(one, MARGIN) for one in found]
    if stopped:
        which = " and ".join(map(str, stopped))
        ended = f"{which} ended by a rule that looks at who is ahead"
        parts.append(Text(f"{ended}: intervals and chances are meant for a length fixed before", style=QUIET))
    write(Group(*parts), console)


def _rates(place: int, rates: Sequence[Estimate | None], measure: Measure) -> Column:
    texts = estimates([None if one is None else (one.value, one.ci95) for one in rates], sign="+")
    return Column(f"{measure.short}\nin {place + 1}", texts)


def _changes(number: int, changes: Sequence[Change | None]) -> list[Column]:
    """What each wins more in a run than in the first, how likely that is by chance, over how many common blocks."""
    pairs = [None if one is None else (one.difference.value, one.difference.ci95) for one in changes]
    cells = [Text(text, _colour(one)) for text, one in zip(estimates(pairs, sign="+"), changes, strict=True)]
    chances = [NONE if one is None else p_text(one.p) for one in changes]
    dealt = [NONE if one is None else f"{one.blocks:,}" if one.paired else "other deals" for one in changes]
    return [Column(f"{number} less 1", cells), Column("by chance", chances), Column("same deals", dealt)]


def _colour(change: Change | None) -> str:
    if change is None or change.p is None or change.p >= 0.05:
        return EVEN
    return WIN if change.difference.value > 0 else LOSS
