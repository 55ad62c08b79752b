"""The colours of charts and heat maps: told apart by colour-blind readers, and never the only sign of anything.

The colours of entrants are those of Okabe and Ito ("Color Universal Design", 2008), some a shade darker so that a thin
line stands out from white. Charts are drawn in the light colours below; the page puts a CSS variable in the place of
each, so that they follow the reader's light or dark scheme.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

INK, MUTED, RULE, PAPER = "#1b1f24", "#59626d", "#d9dde2", "#ffffff"
SERIES = ("#0072b2", "#c75300", "#00805e", "#a94a86", "#3b8ec4", "#a97400", "#4a4f57", "#7d6a1e")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: Sequence[object] = ("-", (0, (6, 2)), (0, (2, 1.5)), (0, (7, 2, 1.5, 2)), "-", (0, (6, 2)), (0, (2, 1.5)), "-")
VARIABLES: Mapping[str, str] = {
    INK: "--ink",
    MUTED: "--muted",
    RULE: "--rule",
    PAPER: "--paper",
    **{colour: f"--series-{number}" for number, colour in enumerate(SERIES, start=1)},
}
"""The CSS variable that takes the place of each colour."""
STEPS = 5
"""Shades of a heat map to each side of zero."""


@dataclass(frozen=True, slots=True)
class Scale:
    """The shades of a heat map: blue above zero, orange below, darker the further, by the square root.

    Results of cards have long tails: a linear scale would show a few premium hands and leave the rest blank.

    >>> scale = Scale(limit=100.0)
    >>> scale.shade(100), scale.shade(-5), scale.shade(1), scale.shade(0)
    ('p5', 'n2', 'p1', 'z')
    >>> scale.starts
    (0.0, 4.0, 16.0, 36.0, 64.0)
    """

    limit: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Scale:
        """A scale for these values: all but the outermost twentieth are within it."""
        sizes = sorted(map(abs, values))
        return cls(sizes[int(0.95 * (len(sizes) - 1))] if sizes else 0.0)

    def shade(self, value: float) -> str:
        """The class of a value's shade."""
        if not value or not self.limit:
            return "z"
        step = next((step for step in range(STEPS, 1, -1) if abs(value) > self.starts[step - 1]), 1)
        return f"{'p' if value > 0 else 'n'}{step}"

    @property
    def starts(self) -> tuple[float, ...]:
        """Where each shade begins, by size."""
        return tuple(self.limit * step**2 / STEPS**2 for step in range(STEPS))
