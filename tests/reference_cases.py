"""Small cases for the plain-Python reference: named cards, scripts of answers, and how a hand of them is played.

Unless a test says otherwise the dealer sits last, so seat 0 is "first from the dealer", and the stakes are
ante 1, bring-in 3, bets 10 and 20.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reference.rules_in_plain_python import (
    PRESETS,
    Card,
    Decision,
    Options,
    Result,
    Stakes,
    play_hand,
)

STAKES = Stakes(ante=1, bring_in=3, small_bet=10, big_bet=20)
POKERSTARS = PRESETS["pokerstars"]
WSOP = PRESETS["wsop_live"]

KING_FIRST = "? ? Ks  ? ? 2d  ? ? 3h"  # seat 0 owes the bring-in, seat 1 and seat 2 follow
FOUR_CALL = [(3, "stay", 0), (0, "stay", 0), (1, "stay", 0), (2, "stay", 0)]
FOUR_SEATS = "? ? 2d  ? ? 5h  ? ? 6h  ? ? Ks  3c 9c Tc Jc"  # seat 3 brings in, seat 0 opens fourth street

Answer = tuple[int, str, int]


def card(name: str) -> Card:
    """`Ks` is 4 * 12 + 3."""
    return 4 * "A23456789TJQK".index(name[0]) + "cdhs".index(name[1])


def cards(names: str) -> list[Card]:
    return [card(name) for name in names.split()]


def ranks(names: str) -> list[Card]:
    """Cards of these ranks in suits that come round: suits never decide a pot."""
    return [4 * "A23456789TJQK".index(rank) + place % 4 for place, rank in enumerate(names)]


def deck(first: str) -> list[Card]:
    """The named cards first (`?` is any unused card), then the rest."""
    named = first.split()
    unused = [number for number in range(52) if number not in [card(name) for name in named if name != "?"]]
    return [unused.pop(0) if name == "?" else card(name) for name in named] + unused


@dataclass
class Script:
    """Answers (seat, action, to) in order, the seat being checked; afterwards everybody checks and calls."""

    answers: Sequence[Answer]
    asked: list[Decision] = field(default_factory=list)

    def __call__(self, decision: Decision) -> tuple[str, int]:
        self.asked.append(decision)
        if len(self.asked) > len(self.answers):
            return "stay", 0
        seat, action, to = self.answers[len(self.asked) - 1]
        assert seat == decision.seat, f"{decision} where seat {seat} was expected"
        return action, to


def play(
    first: str,
    answers: Sequence[Answer] = (),
    *,
    options: Options = POKERSTARS,
    stakes: Stakes = STAKES,
    stacks: Sequence[int] | None = None,
    dealer: int | None = None,
    seats: int = 3,
    **tournament: Any,
) -> tuple[Result, list[Decision]]:
    """The result, and what was asked."""
    stacks = [1000] * seats if stacks is None else list(stacks)
    dealer = len(stacks) - 1 if dealer is None else dealer
    script = Script(answers)
    result = play_hand(options, stakes, stacks, dealer, deck(first), script, **tournament)
    assert len(script.asked) >= len(script.answers), "the hand ended before the script"
    return result, script.asked
