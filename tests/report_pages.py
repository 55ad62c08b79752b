"""Runs to make reports of, and what a page holds, read with Python's own parser."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from razz_sim.batch import play_batch
from razz_sim.config import experiment_from_dict
from razz_sim.report.cells import MINUS
from razz_sim.statistics import summary
from razz_sim.store import Run, RunFolder

STAKES = {"name": "2/4", "ante": "0.20", "bring_in": 1, "small_bet": 2, "big_bet": 4, "rake": {"percent": 5, "cap": 2}}
LINEUP = [
    {"name": "hero", "strategy": "tight"},
    {"name": "fish", "strategy": "caller", "seats": 2},
    {"strategy": "stealer"},
]
EVIL = "<i>evil</i> & $x_1$ \"'"
BROKEN = """from razz_sim.strategy import strategy
from razz_sim.view import STAY


@strategy
def bot(view, params, memory, u):
    return 9 if u % 50 == 7 else STAY
"""
SECTIONS = (
    "answer",
    "asked",
    "ranking",
    "convergence",
    "pots",
    "plays",
    "aggression",
    "doors",
    "starts",
    "positions",
    "lows",
    "errors",
    "again",
)
VOID = {"meta", "link", "br", "hr", "img", "input"}


def played(out: Path, **asked: Any) -> Run:
    """A finished run in a folder of its own."""
    data = {"name": "asked", "seed": 3, "hands": 3000, "stakes": STAKES, "lineup": LINEUP, **asked}
    experiment = experiment_from_dict(data, out).experiment
    with RunFolder.create(out, experiment, ["/usr/bin/razz-sim", "run", "my config.yaml"]) as folder:
        for batch in experiment.batches(10**6, folder.done):
            scenario = experiment.scenarios[batch.scenario]
            folder.record(play_batch(scenario, experiment.seed, batch))
        made = summary(experiment, folder.tallies, runner="local", workers=1, seconds=1.0)
        where = folder.finish(made).folder
    return Run.load(where)


@dataclass
class Element:
    """An element of a page."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text in it, blanks drawn together."""
        return re.sub(r"[ \n]+", " ", self._text()).strip()

    def _text(self) -> str:
        return "".join(one if isinstance(one, str) else one._text() for one in self.children)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Elements of a tag in it, at any depth, with these attributes."""
        found = []
        for one in self.children:
            if isinstance(one, Element):
                if one.tag == tag and all(one.attributes.get(key) == value for key, value in attributes.items()):
                    found.append(one)
                found += one.all(tag, **attributes)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        one = Element(tag, {key: value or "" for key, value in attrs})
        self.open[-1].children.append(one)
        if tag not in VOID:
            self.open.append(one)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {key: value or "" for key, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(page: str) -> Element:
    """A page as a tree; fails where an element is not closed."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == [reader.root]
    return reader.root


def table_of(place: Element, caption: str) -> dict[str, dict[str, str]]:
    """The first table in an element whose caption begins so: texts by row and column."""
    table = next(one for one in place.all("table") if one.all("caption")[0].text.startswith(caption))
    heads = [one.text for one in table.all("thead")[0].all("th")]
    if len(table.all("thead")[0].all("td")) == 0:
        heads = heads[1:]
    rows = {}
    for row in table.all("tbody")[0].all("tr"):
        head = row.all("th")[0].all("bdi")[0].text
        rows[head] = dict(zip(heads, (one.text for one in row.all("td")), strict=True))
    return rows


def first_number(text: str) -> tuple[float, float]:
    """The number a text begins with, and half a unit of its last digit."""
    found = re.match(rf"[+{MINUS}]?[\d,]+(?:\.(\d+))?", text)
    assert found, text
    value = float(found.group().replace(MINUS, "-").replace(",", ""))
    return value, 0.5000001 * 10.0 ** -len(found.group(1) or "")


def agrees(text: str, value: float) -> bool:
    """Whether a text begins with a number that is this one rounded."""
    shown, slack = first_number(text)
    return abs(shown - value) <= slack
