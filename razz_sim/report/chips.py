"""What stacks are worth by the independent chip model, in a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10

import numpy as np
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from razz_sim.report.columns import Column, tables
from razz_sim.report.numbers import amount_text, estimates, plain
from razz_sim.report.parts import QUIET
from razz_sim.report.terminal import MARGIN, write

_PERCENT = Fraction(100)
_PRIZES_SAID = 10
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}


@dataclass(frozen=True, slots=True)
class ChipValues:
    """Players with their chips, the prizes, and what each can expect of them.

    `ci95` are `[player, end]`, None for exact values; `chances` are `[player, place]` of the places paid, None where
    they are not known. Sampled values come from so many `samples`, drawn by `seed`; exact ones have neither.
    """

    names: Sequence[str]
    chips: Sequence[int]
    prizes: Sequence[Fraction]
    value: np.ndarray
    ci95: np.ndarray | None
    chances: np.ndarray | None
    samples: int | None = None
    seed: int | None = None

    def interval(self, player: int) -> list[float] | None:
        """The 95 % interval of a player's value, None where it is exact or no interval is sound."""
        if self.ci95 is None or np.isnan(self.ci95[player]).any():
            return None
        ends: list[float] = self.ci95[player].tolist()
        return ends

    @property
    def pool(self) -> Fraction:
        """All prizes together."""
        return sum(self.prizes, Fraction(0))

    @property
    def chip_share(self) -> np.ndarray:
        """Each player's fraction of all chips."""
        return np.array([chips / sum(self.chips) for chips in self.chips])


def print_chip_values(found: ChipValues, console: Console) -> None:
    """Print a table of what each player can expect."""
    width = console.width - MARGIN[3]
    columns = [Column("chips", [f"{chips:,}" for chips in found.chips])]
    columns.append(Column("% of chips", [f"{share:.2f}" for share in 100 * found.chip_share]))
    if found.pool != _PERCENT:
        columns.append(Column("expected\nprize", _numbers(found, 1.0, max(2, 4 - floor(log10(found.pool))))))
    in_percent = 100 / float(found.pool)
    columns.append(Column("expected prize,\n% of pool", _numbers(found, in_percent, 2)))
    more = in_percent * found.value - 100 * found.chip_share
    columns.append(Column("more than\n% of chips", [f"{one:+z.2f}" for one in more]))
    if found.chances is not None:
        for place, chances in enumerate(found.chances.T, start=1):
            columns.append(Column(f"{_ordinal(place)},\n%", [f"{100 * chance:.2f}" for chance in chances]))
    names = Column("player", [Text(plain(name), style="bold") for name in found.names], "left")
    parts: list[RenderableType] = [Text(_about(found)), Text(_how(found), style=QUIET), Text()]
    parts += [Padding(one, MARGIN) for one in tables(names, columns, width)]
    write(Group(*parts), console)


def _numbers(found: ChipValues, scale: float, places: int) -> list[str]:
    """Expected prizes times `scale`, with their errors where they have some."""
    if found.ci95 is None:
        return [f"{one:,.{places}f}" for one in scale * found.value]
    intervals = map(found.interval, range(len(found.names)))
    scaled = [None if one is None else [scale * end for end in one] for one in intervals]
    return estimates(list(zip((scale * found.value).tolist(), scaled, strict=True)))


def _how(found: ChipValues) -> str:
    if found.samples is None:
        return "exact"
    known = all(found.interval(player) is not None for player in range(len(found.names)))
    without = "" if known else "; none for who was drawn too seldom, or nearly always, to tell"
    return f"from {found.samples:,} finishing orders, seed {found.seed}; after ±: how far 95 % intervals reach{without}"


def _about(found: ChipValues) -> str:
    prizes = [amount_text(prize) for prize in found.prizes[:_PRIZES_SAID]]
    if len(found.prizes) > _PRIZES_SAID:
        prizes.append(f"... ({len(found.prizes)} in all)")
    count = len(found.names)
    players = f"{count:,} player{'s' * (count > 1)} with {sum(found.chips):,} chips"
    paid = f"prize{'s' * (len(prizes) > 1)} {' / '.join(prizes)}"
    return f"{players}, {paid} of a pool of {amount_text(found.pool)}"


def _ordinal(place: int) -> str:
    """A place as one says it.

    >>> [_ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st']
    """
    return f"{place}{'th' if place % 100 in (11, 12, 13) else _ENDINGS.get(place % 10, 'th')}"
