"""Tables that fit: as many as the width needs, each with the first column, and long names wrapped, never cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from razz_sim.report.parts import QUIET

GAP = 2
LONGEST_HEADING = 18
"""Headings longer than this are wrapped, unless their cells are as long."""
LEAST_FOR_NAMES = 24
"""Narrower than this the first column is not made for others to stand beside it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A heading of one or more lines and the cells below it."""

    heading: str
    cells: Sequence[str | Text]
    justify: Literal["left", "right"] = "right"

    @property
    def width(self) -> int:
        """What its cells need, and its heading if that is not too long."""
        heading = max(map(cell_len, self.heading.split("\n")))
        return max(min(heading, LONGEST_HEADING), *(cell_len(str(cell)) for cell in self.cells))


def width_of(columns: Sequence[Column]) -> int:
    """What columns need side by side."""
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)


def tables(first: Column, columns: Sequence[Column], width: int) -> list[Table]:
    """The columns in tables of at most this width, the first column in each of them."""
    names = min(first.width, max(LEAST_FOR_NAMES, width - GAP - width_of(columns)))
    found: list[Table] = []
    left = list(columns)
    while left:
        fitting = [left.pop(0)]
        while left and names + GAP + width_of([*fitting, left[0]]) <= width:
            fitting.append(left.pop(0))
        found.append(_table(first, names, fitting))
    return found


def _table(first: Column, names: int, columns: Sequence[Column]) -> Table:
    table = Table(box=None, padding=(0, GAP, 0, 0), pad_edge=False, header_style=QUIET)
    for column, width in [(first, names), *((column, column.width) for column in columns)]:
        heading = Text(column.heading, justify=column.justify)
        table.add_column(heading, justify=column.justify, vertical="bottom", width=width, overflow="fold")
    for cells in zip(first.cells, *(column.cells for column in columns), strict=True):
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in cells))
    return table
