"""Formats: which entrants meet whom. Each meeting is a match, a table of its own with its own blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Literal, get_args

from razz_sim.experiment import Entrant

FormatKind = Literal["table", "round_robin", "gauntlet"]
FORMATS: tuple[FormatKind, ...] = get_args(FormatKind)

Lineup = tuple[Entrant, ...]
"""Who sits at the table of a match, in how many seats."""


def lineups(kind: FormatKind, entrants: Sequence[Entrant], seats: int = 2) -> tuple[Lineup, ...]:
    """The matches of a format, each by its line-up.

    `table` is one match of all entrants as they are. In a `round_robin` every combination of so many meets, in a seat
    each. In a `gauntlet` the first entrant meets each of the others, who fills all other seats.
    """
    if kind == "table":
        return (tuple(entrants),)
    if kind == "round_robin":
        return tuple(combinations(entrants, seats))
    first, *others = entrants
    return tuple((first, replace(other, seats=seats - 1)) for other in others)


def match_name(lineup: Sequence[Entrant]) -> str:
    """A match in words: "tight v caller", "hero v 5 x fish"."""
    return " v ".join(one.name if one.seats == 1 else f"{one.seats} x {one.name}" for one in lineup)
