"""A hand as somebody wrote it down: what the formats read into and what replay plays through the rules.

A `RecordedHand` says what a file says, right or wrong. Whether it is a legal hand of Razz is for
`razz_sim.history.replay` to find out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from razz_sim.cards import NO_CARD, card_text, cards_text
from razz_sim.rules import MAX_SEATS, MIN_SEATS, RuleSet, Stakes

Kind = Literal["fold", "stay", "raise"]
Said = Literal["", "bring_in", "fold", "check", "call", "bet", "complete", "raise"]

STREET_NAMES = {
    3: "third street",
    4: "fourth street",
    5: "fifth street",
    6: "sixth street",
    7: "seventh street",
}


class HistoryError(ValueError):
    """A text that cannot be read as a hand: garbled, contradicting itself or cut short.

    `so_far` is what could be read before that place: a lost line often shows later, as an action out of turn.

    >>> print(HistoryError("session.txt", 12, "'1h' is not a card", hand="35874566077"))
    session.txt:12 (hand 35874566077): '1h' is not a card
    """

    def __init__(self, file: str, line: int, sentence: str, hand: str = "") -> None:
        super().__init__(f"{place(file, line, shortened(hand))}: {shortened(sentence)}")
        self.file, self.line, self.sentence, self.hand = file, line, sentence, hand
        self.so_far: RecordedHand | None = None


@dataclass(frozen=True, slots=True)
class RecordedAction:
    """One decision as written: who, on which street, what, and what else the line claims about it.

    `to` is a raise's total on this street. What a line does not say stays at its default: `put` the chips that
    went in with it, `over` the wager a raise went over, `said` the word used. `all_in` is true when the line says so.
    """

    seat: int
    street: int
    kind: Kind
    to: int = 0
    said: Said = ""
    put: int | None = None
    over: int | None = None
    all_in: bool = False
    line: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Payment:
    """Chips that a line says a seat got, from a pot or back."""

    seat: int
    amount: int
    line: int = 0


@dataclass(frozen=True, slots=True)
class SeatEnd:
    """What a room's summary says became of a seat; `streets` are those on one of which it folded."""

    seat: int
    line: int
    streets: tuple[int, ...] = ()
    never_bet: bool = False
    showed: bool = False
    mucked: bool = False
    lost: bool = False
    won: int | None = None


@dataclass(frozen=True, slots=True)
class NamedLow:
    """The ranks that a line says a seat's low is made of, and the cards that it shows on the same line."""

    seat: int
    ranks: tuple[int, ...]
    shown: tuple[int, ...]
    line: int


@dataclass(frozen=True, slots=True)
class RecordedHand:
    """A whole hand as written. Amounts are integers in the smallest unit; seats count from 0 in table order.

    `cards` holds each seat's cards in the order dealt, NO_CARD for one dealt but never seen. None means that the
    record does not say: stacks at the end, chips won from the pots, rake taken, the showing order, the total pot.
    `shown` are the seats that turned their cards up, `mucked` those said to have thrown them away; `antes`, `returned`
    and `collected` are the room's own lines about chips posted, given back and paid out, `ends`, `lows` and
    `listed_pots` (main pot first) what it says in its summary.
    """

    file: str
    id: str
    site: str
    rules: RuleSet
    stakes: Stakes
    stacks: tuple[int, ...]
    cards: tuple[tuple[int, ...], ...]
    actions: tuple[RecordedAction, ...]
    dealer: int
    names: tuple[str, ...] = ()
    community: int = NO_CARD
    finishing_stacks: tuple[int, ...] | None = None
    winnings: tuple[int, ...] | None = None
    rake_taken: int | None = None
    tournament: bool = False
    players_left: int | None = None
    show_order: tuple[int, ...] | None = None
    shown: tuple[int, ...] = ()
    mucked: tuple[int, ...] = ()
    collected: tuple[Payment, ...] = ()
    returned: tuple[Payment, ...] = ()
    antes: tuple[Payment, ...] = ()
    ends: tuple[SeatEnd, ...] = ()
    lows: tuple[NamedLow, ...] = ()
    total_pot: int | None = None
    listed_pots: tuple[int, ...] = ()
    pot_line: int = 0
    line: int = 0

    def __post_init__(self) -> None:
        seats = len(self.stacks)
        if not MIN_SEATS <= seats <= MAX_SEATS:
            raise ValueError(f"{seats} seats hold chips; a hand of Razz has {MIN_SEATS} to {MAX_SEATS}")
        if len(self.cards) != seats or (self.names and len(self.names) != seats):
            raise ValueError(f"{seats} stacks, {len(self.cards)} seats' cards, {len(self.names)} names")
        if any(amount < 0 for amount in self.stacks):
            raise ValueError(f"starting stacks {list(self.stacks)} must not be negative")
        for what, amounts in (("finishing stacks", self.finishing_stacks), ("winnings", self.winnings)):
            if amounts is not None and len(amounts) != seats:
                raise ValueError(f"{seats} starting stacks but {len(amounts)} {what}")
        if self.players_left is not None and self.players_left < MIN_SEATS:
            raise ValueError(f"{self.players_left} players left in the tournament: a hand needs {MIN_SEATS}")
        if not 0 <= self.dealer < seats:
            raise ValueError(f"dealer {self.dealer} must be a seat from 0 to {seats - 1}")
        if self.show_order is not None and not set(self.show_order) <= set(range(seats)):
            raise ValueError(f"show order {list(self.show_order)} must name seats from 0 to {seats - 1}")
        twice = repeated_card([*(card for held in self.cards for card in held), self.community])
        if twice != NO_CARD:
            raise ValueError(f"{card_text(twice)} is dealt twice")

    def who(self, seat: int) -> str:
        """The seat as a sentence calls it: the player's name, or `p3` for the third seat without one."""
        return self.names[seat] if self.names and self.names[seat] else f"p{seat + 1}"

    def place(self, line: int) -> str:
        """Where a sentence about this hand points: file, line when known, hand."""
        return place(self.file, line, self.id)


def place(file: str, line: int, hand: str) -> str:
    """A place in a file as every sentence of this room begins: line and hand only when known."""
    return (f"{file}:{line}" if line else file) + (f" (hand {hand})" if hand else "")


def shortened(text: str) -> str:
    """A text without its middle when it is very long, as sentences get that quote what they complain of."""
    return text if len(text) <= 500 else f"{text[:250]} [...] {text[-200:]}"


def repeated_card(cards: Iterable[int]) -> int:
    """The first card that comes a second time, NO_CARD if none does.

    >>> card_text(repeated_card([51, NO_CARD, 3, NO_CARD, 51]))
    'Ks'
    """
    seen: set[int] = set()
    for card in cards:
        if card != NO_CARD and card in seen:
            return card
        seen.add(card)
    return NO_CARD


def reveal(held: Sequence[int], shown: Sequence[int]) -> tuple[int, ...]:
    """The cards held, with those shown put where nobody had seen the card dealt.

    Rooms print a shown hand in the order dealt, or with its first two cards swapped, or in part.

    >>> cards_text(reveal((-1, -1, 28), (3, 5, 28)))
    'As2d8c'

    Raises ValueError when the two cannot be the same hand.
    """
    if len(shown) > len(held):
        raise ValueError(f"{len(shown)} cards are shown ({cards_text(shown)}) but {len(held)} were dealt")
    if len(shown) == len(held) and all(
        one == other or NO_CARD in (one, other) for one, other in zip(held, shown, strict=True)
    ):
        return tuple(other if one == NO_CARD else one for one, other in zip(held, shown, strict=True))
    new = [card for card in shown if card != NO_CARD and card not in held]
    if len(new) > sum(card == NO_CARD for card in held):
        raise ValueError(f"{cards_text(shown)} is shown but {cards_text(held)} was dealt")
    return tuple(new.pop(0) if card == NO_CARD and new else card for card in held)
