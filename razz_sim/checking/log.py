"""What a strategy was shown and answered, decision by decision: what checks compare."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from razz_sim.hand.record import AMOUNT_SHIFT, FOLD, RAISE, STAY
from razz_sim.table.record import OBSERVING, RAISED
from razz_sim.view import VIEW


class Place(NamedTuple):
    """Where a strategy was asked: as a `Verdict` has it, with the situation's index."""

    situation: int
    block: int
    hand: int
    copy: int
    decision: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One call of a strategy: `seen` is the bytes of a view, or of an outcome when `place.decision` is OBSERVING."""

    place: Place
    word: int
    answer: int
    seen: bytes


@dataclass(slots=True)
class Log:
    """The calls of one playing, in the order they came, and what was seen to be wrong on the way."""

    calls: list[Asked] = field(default_factory=list)
    wrong: dict[str, Asked] = field(default_factory=dict)

    def note(self, wrong: str, call: Asked) -> None:
        """Something a call did that it must not; the first example of each kind is kept."""
        self.wrong.setdefault(wrong, call)

    def answers(self) -> dict[Place, int]:
        """The answers to decisions."""
        return {call.place: call.answer for call in self.calls if call.place.decision != OBSERVING}


@dataclass(frozen=True, slots=True)
class Difference:
    """The first decision that two playings answer differently, and how many there are; None: it was not asked for."""

    place: Place
    first: int | None
    second: int | None
    count: int


def difference(first: dict[Place, int], second: dict[Place, int]) -> Difference | None:
    """Where two playings of the same hands part."""
    if first == second:
        return None
    places = [place for place in first.keys() | second.keys() if first.get(place) != second.get(place)]
    earliest = min(places)
    return Difference(earliest, first.get(earliest), second.get(earliest), len(places))


def answer_text(answer: int | None) -> str:
    """An answer as its author wrote it.

    >>> answer_text(2), answer_text(2 | 400 << 2), answer_text(77)
    ('RAISE', 'raise_to(400)', '77')
    """
    if answer is None:
        return "nothing, not being asked there"
    if answer == RAISED:
        return "an exception"
    if answer in (FOLD, STAY, RAISE):
        return ("FOLD", "STAY", "RAISE")[answer]
    if answer > 0 and answer & ((1 << AMOUNT_SHIFT) - 1) == RAISE:
        return f"raise_to({answer >> AMOUNT_SHIFT})"
    return str(answer)


def view_of(call: Asked) -> np.void:
    """The view of a call, or the part of an outcome that is one."""
    seen: np.void = np.frombuffer(call.seen[: VIEW.itemsize], dtype=VIEW)[0]
    return seen
