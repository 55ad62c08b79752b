"""When a run stopped, on the page: what was decided, and how the difference looked each time until then."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from razz_sim.report import charts
from razz_sim.report.asked import confidence
from razz_sim.report.cells import Cell, Row, Table, aligned, name_of
from razz_sim.report.detail import Chart, Draw
from razz_sim.report.measure import Measure, measure_of
from razz_sim.report.numbers import NONE, Summary
from razz_sim.report.stopping import (
    difference_text,
    difference_texts,
    holding,
    interval_text,
    last_look,
    most_of,
    pair_text,
    places_of,
    played_of,
    sentence,
    stopped_early,
    verdict_text,
)
from razz_sim.report.svg import Styles

MOST_DRAWN = 4
"""Of more settings than this the first are drawn."""
MOST_LOOKS = 12
"""Of more looks than this as many are in the table, evenly apart."""


@dataclass(frozen=True, slots=True)
class Curve:
    """How the looks at one setting went."""

    name: str
    charts: Sequence[Chart]
    looks: Table


@dataclass(frozen=True, slots=True)
class Decided:
    """What a page shows of a stopping rule: a sentence on one setting or a table of several, and their curves."""

    sentence: str
    table: Table | None
    holding: str
    curves: Sequence[Curve]
    settings: int


def decided(summary: Summary, styles: Styles, chosen: Collection[str] = ()) -> Decided | None:
    """What a rule decided, where there is one; `chosen` names the settings to draw, without it the first few are."""
    found = summary.get("stopping")
    if not found:
        return None
    several, measure = len(summary["stop"]["first_looks"]) > 1, measure_of(summary)
    drawn = [(place, one) for place, one in enumerate(found, start=1) if not chosen or one["setting"] in chosen]
    return Decided(
        sentence="" if several else sentence(found[0], measure),
        table=_table(found, measure) if several else None,
        holding=holding(found[0]["rule"]),
        curves=[
            _curve(one, Draw(f"stop{place}", styles), measure) for place, one in drawn[:MOST_DRAWN] if last_look(one)
        ],
        settings=len(found),
    )


def _table(found: Sequence[Summary], measure: Measure) -> Table:
    """A row for each setting."""
    pair = pair_text(found[0]["rule"])
    texts = [aligned(difference_texts(one)) for one in found]
    rows = [
        Row(
            name_of(one["setting"]),
            (
                Cell(verdict_text(one)),
                Cell(f"{played_of(one, measure):,}", f"of {most_of(one, measure):,}"),
                Cell(value),
                Cell(interval),
            ),
        )
        for one, (value, interval) in zip(found, texts, strict=True)
    ]
    heads = ("decided", f"{measure.counted}, of at most", f"{pair}, {measure.short}", "interval that holds")
    return Table(f"What was decided of {pair}", "scenario", heads, tuple(rows), "decided")


def _curve(found: Summary, draw: Draw, measure: Measure) -> Curve:
    """The charts of a setting and its looks."""
    how = "stopped" if stopped_early(found) else f"all {measure.counted} played"
    end = f"{how} at {played_of(found, measure):,}\N{NO-BREAK SPACE}{measure.counted}"
    pair = pair_text(found["rule"])
    caption = f"{pair}, {measure.short}, at each look, {end}; the band is {_band(found['rule'])}."
    drawn = [draw(charts.stopping_chart(found, measure), "difference", caption)]
    if any(look["evidence"] is not None for look in found["looks"]):
        evidence = f"The evidence for h1 over h0 at each look, {end}; beyond a bound that hypothesis is taken."
        drawn.append(draw(charts.evidence_chart(found, measure), "evidence", evidence))
    return Curve(name_of(found["setting"]), drawn, _looks(found, measure))


def _band(rule: Summary) -> str:
    if rule["kind"] == "difference":
        return "the 95 % interval of one look, the line at the end the one that holds"
    return f"the {confidence(rule)} interval that holds at every look"


def _looks(found: Summary, measure: Measure) -> Table:
    """Some of the looks, the first and the last among them."""
    looks, rule = found["looks"], found["rule"]
    step = max(1, len(looks) - 1) / (min(MOST_LOOKS, len(looks)) - 1 or 1)
    shown = sorted({round(step * number) for number in range(min(MOST_LOOKS, len(looks)))})
    tested = rule["kind"] == "test"
    rows = []
    for place in shown:
        look = looks[place]
        interval = charts.watched(rule, look)
        places = places_of(interval)
        texts = [difference_text(look["difference"], places), interval_text(interval, places)]
        texts += [NONE if look["evidence"] is None else f"{look['evidence']:+z.2f}"] * tested
        cells = [Cell(f"{look[measure.counts]:,}"), *map(Cell, aligned(texts))]
        rows.append(Row(f"{place + 1:,}", tuple(cells)))
    heads = (measure.counted, f"{pair_text(rule)}, {measure.short}", "interval", *["evidence"] * tested)
    of = f"{len(rows)} of {len(looks):,} looks" if len(rows) < len(looks) else "All looks"
    if tested:
        low, high = aligned([f"{bound:+.2f}" for bound in rule["bounds"]])
        of += f"; h0 is taken at {low}, h1 at {high}"
    return Table(of, "look", heads, tuple(rows))
