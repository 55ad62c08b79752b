"""The points of a sweep less their baseline, as terminal and page show them: a row for each, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.text import Text

from razz_sim.report.columns import Column, tables
from razz_sim.report.crosstable import p_text, told_apart
from razz_sim.report.found import EVEN, LOSS, WIN
from razz_sim.report.measure import Measure, measure_of, of_tournaments
from razz_sim.report.numbers import LEAST_BLOCKS, NONE, Summary, estimates, plain
from razz_sim.report.parts import QUIET


@dataclass(frozen=True, slots=True)
class Differences:
    """What entrants win more than at the baseline: by name, for each of the scenarios; None where one is in neither."""

    measure: Measure
    legend: str
    scenarios: Sequence[str]
    entrants: Mapping[str, Sequence[Summary | None]]

    @property
    def dealt(self) -> Sequence[str]:
        """Over how many deals that both have met; nothing if there are other deals in none."""
        rows = [next(filter(None, column)) for column in zip(*self.entrants.values(), strict=True)]
        if all(row["paired"] for row in rows):
            return ()
        return [f"{row['blocks']:,}" if row["paired"] else "other deals" for row in rows]


def differences(summary: Summary) -> Differences | None:
    """The differences of a summary, if there are any; those of too few blocks have neither intervals nor p."""
    baseline = summary.get("baseline")
    if not baseline or not baseline["differences"]:
        return None
    measure = measure_of(summary)
    blocks = {one.get("setting", one["name"]): one["blocks"] for one in summary["scenarios"]}
    found: dict[str, dict[str, Summary]] = {}
    for row in baseline["differences"]:
        few = min(blocks[row["scenario"]], blocks[row["baseline"]]) < LEAST_BLOCKS
        told = {**row, "ci95": None, "p": None, "p_holm": None} if few else row
        found.setdefault(row["scenario"], {})[row["entrant"]] = told
    names = dict.fromkeys(row["entrant"] for row in baseline["differences"])
    several = len({row["baseline"] for row in baseline["differences"]}) > 1
    paired = all(row["paired"] for row in baseline["differences"])
    legend = (
        f"{measure.more} more than at the baseline ({plain(baseline['name'])}"
        + ", else the same point" * several
        + ")"
        + (", tournament by tournament" if of_tournaments(summary) else ", deal by deal") * paired
        + "; p is corrected for the whole table (Holm)"
    )
    return Differences(
        measure, legend, list(found), {name: [row.get(name) for row in found.values()] for name in names}
    )


def than_baseline(summary: Summary, width: int) -> list[RenderableType]:
    """A row for each scenario with a baseline: by how much more each entrant wins than there, and how sure that is."""
    found = differences(summary)
    if found is None:
        return []
    columns = []
    for name, column in found.entrants.items():
        pairs = [None if one is None else (one["difference"], one["ci95"]) for one in column]
        texts = zip(estimates(pairs, sign="+"), column, strict=True)
        columns.append(
            Column(f"{plain(name)}\n{found.measure.short} more", [Text(text, _colour(one)) for text, one in texts])
        )
        columns.append(Column("by chance", [NONE if one is None else p_text(one["p_holm"]) for one in column]))
    if found.dealt:
        columns.append(Column("same deals", found.dealt))
    names = Column("scenario", [plain(name) for name in found.scenarios], "left")
    return [Text(found.legend, style=QUIET), *tables(names, columns, width)]


def _colour(one: Summary | None) -> str:
    if one is None or not told_apart(one):
        return EVEN
    return WIN if one["difference"] > 0 else LOSS
