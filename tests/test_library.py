"""The library of strategies: listed, documented, and as strong as the docs say. Seeds are fixed: totals are exact."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from razz_sim.strategy import find_strategy

REPOSITORY = Path(__file__).parent.parent
sys.path.append(str(REPOSITORY))  # the program that makes the tables in the docs is not installed

from benchmarks.round_robin import LIBRARY, STAKES, Play, Seated, gain, mixed, versus  # noqa: E402

DOCS = REPOSITORY / "docs" / "library.md"
SOURCES = re.compile(r"\boriginal\b|Sklansky|PokerNews", re.IGNORECASE)
USUAL = Play(STAKES["usual"], hands=20_000)
LONG = Play(STAKES["usual"], hands=40_000)
STRONG = LIBRARY[-1]


def test_the_docs_list_the_strategies_in_order() -> None:
    rows = re.findall(r"^\| \d+ \| `(\w+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    assert tuple(rows) == LIBRARY


@pytest.mark.parametrize("name", LIBRARY)
def test_each_says_its_idea_and_where_it_comes_from(name: str) -> None:
    source = find_strategy(name)
    assert source.summary.endswith(".")
    assert len(source.summary) <= 120
    assert SOURCES.search(source.doc), "the source of the idea, or Original"


@pytest.mark.parametrize("name", LIBRARY)
def test_parameters_have_a_range_and_a_meaning(name: str) -> None:
    for parameter in find_strategy(name).parameters:
        assert parameter.low < parameter.high, parameter.name
        assert len(parameter.meaning) > 10, parameter.name


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize(
    ("weak", "strong"),
    [
        ("folder", "caller"),
        ("random", "caller"),
        ("caller", "loose_passive"),
        ("loose_passive", "pot_odds"),
        ("rock", "tight"),
        ("tight", "board_reader"),
        ("pot_odds", "book"),
        ("stealer", "book"),
    ],
)
def test_the_strong_beat_the_weak(weak: str, strong: str, seats: int) -> None:
    low, _ = versus(strong, weak, seats, LONG if seats > 2 else USUAL).ci95 or (0.0, 0.0)
    assert low > 0


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("other", LIBRARY[:-1])
def test_best_beats_every_other(other: str, seats: int) -> None:
    low, _ = versus(STRONG, other, seats, LONG if seats > 2 else USUAL).ci95 or (0.0, 0.0)
    assert low > 0


@pytest.mark.parametrize("seats", [3, 6, 8])
def test_best_wins_among_the_strongest(seats: int) -> None:
    low, _ = mixed(STRONG, seats, LONG).ci95 or (0.0, 0.0)
    assert low > 0


@pytest.mark.parametrize(
    ("rival", "seats"),
    [
        (Seated("folder", 5), 6),
        (Seated("rock", 5), 6),
        (Seated("stealer", 1, (("limit", 11), ("door", 13))), 2),
        (Seated("stealer", 5), 6),
    ],
)
def test_adaptive_gains_by_what_it_learns_in_a_session(rival: Seated, seats: int) -> None:
    blind = Seated("adaptive", params=(("learn", False),))
    assert rival.seats == seats - 1
    low, _ = gain(Seated("adaptive"), blind, [rival], USUAL).ci95 or (0.0, 0.0)
    assert low > 0


def test_adaptive_has_nothing_to_learn_from_single_hands() -> None:
    blind = Seated("adaptive", params=(("learn", False),))
    single = Play(STAKES["usual"], hands=2_000, session=1)
    assert gain(Seated("adaptive"), blind, [Seated("stealer", 5)], single).value == 0


TABLE = re.compile(r"### ante (\S+) %[^\n]*?: (heads-up|6 seats)[^\n]*\n\n\| \|([^\n]*)\n[^\n]*\n((?:\|[^\n]*\n)+)")
EXCEPTION = re.compile(r"^\| `(\w+)` (against|among) `(\w+)` \| (.*) \|$", re.MULTILINE)
Cells = dict[tuple[str, str, str], dict[str, str]]
"""By kind of table, row and column: the cell at each ante."""


def cells_of_the_tables(text: str) -> Cells:
    cells: Cells = {}
    for ante, kind, head, body in TABLE.findall(text):
        columns = [name.strip() for name in head.strip(" |").split("|")]
        for line in body.splitlines():
            row, *values = (cell.strip(" *") for cell in line[1:-1].split("|"))
            for column, value in zip(columns, values, strict=True):
                cells.setdefault((kind, row, column), {})[ante] = value
    return cells


def as_the_order_says(cell: str, later: bool) -> bool:
    """Whether the later wins or the earlier loses, clear of zero."""
    return cell.startswith("+" if later else "-")


def test_the_exceptions_in_the_docs_are_those_of_the_tables() -> None:
    text = DOCS.read_text(encoding="utf-8")
    cells = cells_of_the_tables(text)
    assert len(cells) == 2 * len(LIBRARY) ** 2
    told = {
        ("heads-up" if word == "against" else "6 seats", row, column): values.split(" | ")
        for row, word, column, values in EXCEPTION.findall(text)
    }
    expected = {}
    for (kind, row, column), by_ante in cells.items():
        later = LIBRARY.index(row) > LIBRARY.index(column)
        if row == column or (kind == "heads-up" and not later):
            continue
        if not all(as_the_order_says(cell, later) for cell in by_ante.values()):
            expected[kind, row, column] = list(by_ante.values())
    assert told == expected
