"""Formats: which entrants meet whom. Each meeting is a match, a table of its own with its own blocks.

Tournaments are formats too, in which all entrants are one field (`razz_sim.structures`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import ceil
from types import MappingProxyType
from typing import Literal, get_args

from razz_sim.experiment import Entrant
from razz_sim.seeding import POOL, shuffled
from razz_sim.structures import TournamentKind

TableFormat = Literal["table", "round_robin", "gauntlet"]
TournamentFormat = Literal["tournament", "shootout", "bracket"]
FormatKind = Literal[TableFormat, "population", TournamentFormat]
FORMATS: tuple[FormatKind, ...] = get_args(FormatKind)
TOURNAMENT_FORMATS: Mapping[TournamentFormat, TournamentKind] = MappingProxyType(
    {"tournament": "tables", "shootout": "shootout", "bracket": "bracket"}
)
"""The formats in which whole tournaments are played, and what kind each is."""

Lineup = tuple[Entrant, ...]
"""Who sits at the table of a match, in how many seats."""


@dataclass(frozen=True, slots=True)
class Match:
    """Who meets, and how many of a format's tables are like this one."""

    lineup: Lineup
    times: int = 1


def lineups(kind: TableFormat, entrants: Sequence[Entrant], seats: int = 2) -> tuple[Lineup, ...]:
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


def population(entrants: Sequence[Entrant], seats: int, tables: int, seed: int) -> tuple[Match, ...]:
    """A cycle of tables at which each entrant has its share of the seats by weight, drawn by the seed.

    Tables that seat the same are one match, the most frequent first, then those with more seats of the first entrants.
    """
    quotas = shared_out([Fraction(entrant.weight or 1) for entrant in entrants], seats * tables)
    slots = shuffled([place for place, quota in enumerate(quotas) for _ in range(quota)], seed, POOL)
    drawn = Counter(tuple(sorted(slots[first : first + seats])) for first in range(0, len(slots), seats))
    return tuple(
        Match(tuple(replace(entrants[place], seats=count) for place, count in Counter(places).items()), times)
        for places, times in sorted(drawn.items(), key=lambda table: (-table[1], table[0]))
    )


def shared_out(weights: Sequence[Fraction], seats: int) -> list[int]:
    """Seats in proportion to weights, each within one of its share: by largest remainders, of equal ones the first.

    >>> shared_out([Fraction(1), Fraction(1), Fraction(4)], 10)
    [2, 2, 6]
    """
    shares = [weight * seats / sum(weights) for weight in weights]
    found = [int(share) for share in shares]
    by_remainder = sorted(range(len(shares)), key=lambda place: found[place] - shares[place])
    for place in by_remainder[: seats - sum(found)]:
        found[place] += 1
    return found


def tables_for_all(weights: Sequence[Fraction], seats: int) -> int:
    """From how many tables on the share of every weight is a seat or more."""
    return ceil(sum(weights) / min(weights) / seats)


def match_name(lineup: Sequence[Entrant]) -> str:
    """A match in words: "tight v caller", "hero v 5 x fish"."""
    return " v ".join(one.name if one.seats == 1 else f"{one.seats} x {one.name}" for one in lineup)
