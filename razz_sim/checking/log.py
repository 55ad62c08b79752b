"""What a strategy was shown and answered, decision by decision: what checks compare."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from razz_sim.cards import NO_CARD, card_text
from razz_sim.hand.record import AMOUNT_SHIFT, FOLD, RAISE, STAY
from razz_sim.rules import Street
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


def view_text(view: Any) -> str:
    """A view in a few lines, amounts in smallest units.

    The seat's own cards come first, then each board with its stack.
    """
    seat, seats = int(view["seat"]), int(view["seats"])
    hole = " ".join(card_text(int(card)) for card in view["hole"] if card != NO_CARD)
    wager = ""
    if view["raise_min"]:
        least, most = int(view["raise_min"]), int(view["raise_max"])
        wager = f", may raise to {least}" + (f" up to {most}" if most > least else "")
    fold = "" if view["can_fold"] else ", owes the bring-in"
    lines = [
        f"{Street(int(view['street'])).name.lower()} street, pot {view['pot']}, {view['to_call']} to call{wager}{fold}",
        f"seat {seat + 1} of {seats} holds [{hole}] {_board(view, seat)}, {view['stack'][seat]} behind",
    ]
    others = [
        f"seat {other + 1} {_board(view, other)}{'' if view['live'][other] else ' (out)'}, {stack} behind"
        for other, stack in enumerate(view["stack"][:seats])
        if other != seat
    ]
    return "\n".join([*lines, "; ".join(others)])


def _board(view: Any, seat: int) -> str:
    cards = view["up"][seat][: view["up_count"][seat]]
    return " ".join(card_text(int(card)) for card in cards) or "no cards"
