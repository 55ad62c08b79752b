"""What can go wrong while a batch is played, and whose fault it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from razz_sim.rules import Street
from razz_sim.table.record import IN_ROWS, OBSERVING, VERDICT_FIELDS


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of a strategy: at which decision, and what it did instead of answering.

    `number` is the hand's in its scenario, `hand` in its block, which may be a tournament; `decision` counts the copy's
    decisions in the hand, OBSERVING when it failed while it was told how the hand ended, IN_ROWS when it did not answer
    a call for many tables. `seat` and `street` are None where nobody knows them, and `seen`, what the seat was shown in
    words, is empty.
    """

    entrant: str
    spec: str
    scenario: str
    number: int
    block: int
    hand: int
    copy: int
    seat: int | None
    street: int | None
    decision: int
    reason: str
    seen: str = field(default="", compare=False)
    in_tournament: bool = False

    def __str__(self) -> str:
        """The fault in a sentence."""
        who = f"entrant {self.entrant!r} (strategy {self.spec})"
        return f"{who} failed in scenario {self.scenario!r}, {self.place()}: {self.reason}"

    def place(self) -> str:
        """Where it happened, in words."""
        if self.decision == IN_ROWS:
            return f"asked for many hands at once from hand {self.number} on"
        hand = f"hand {self.hand} of tournament {self.block}" if self.in_tournament else f"hand {self.number}"
        return ", ".join([hand, *self.where()])

    def where(self) -> list[str]:
        """Where in its hand, in words: on which street, in which seat counted from 1."""
        words = []
        if self.decision == OBSERVING:
            words.append("when told how it ended")
        elif self.street is not None:
            words.append(f"{Street(self.street).name.lower()} street")
        if self.seat is not None:
            words.append(f"seat {self.seat + 1}")
        return words


class StrategyFault(Exception):
    """A strategy failed and the experiment says to stop: the sentence names it, the hand and the decision."""

    def __init__(self, sentence: str, fault: Fault | None = None) -> None:
        super().__init__(sentence, fault)
        self.sentence, self.fault = sentence, fault

    def __str__(self) -> str:
        return self.sentence


class BrokenHand(AssertionError):
    """Chips were not conserved: a fault of the engine, never of a strategy."""


class NoSuchHand(LookupError):
    """A hand that was not played: its block had ended before it."""


class Stopped(Exception):
    """The batch was stopped from outside; nothing of it counts."""


@dataclass(frozen=True, slots=True, order=True)
class Verdict:
    """A decision that is not asked for again, because it ended or held up a process: `reason` says what it did.

    It is part of what a run is: with it the hand can be played again, without it the process would end again.
    """

    scenario: int
    block: int
    hand: int
    copy: int
    decision: int
    reason: str


class Exhausted(Exception):
    """A strategy ran out of memory; the decision must be judged and the batch be played again in a fresh process."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict)
        self.verdict = verdict


def verdict_rows(verdicts: Sequence[Verdict], scenario: int) -> np.ndarray:
    """The verdicts on a scenario as the loops read them: a sorted int64 array with the columns `VERDICT_FIELDS`."""
    rows = sorted([getattr(one, field) for field in VERDICT_FIELDS] for one in verdicts if one.scenario == scenario)
    return np.array(rows, dtype=np.int64).reshape(-1, len(VERDICT_FIELDS))
