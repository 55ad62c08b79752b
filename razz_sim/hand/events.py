"""What happens in a hand, one frozen record for each thing, in the order it happens. Amounts are in smallest units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ActionKind = Literal["bring_in", "fold", "check", "call", "complete", "bet", "raise"]


@dataclass(frozen=True, slots=True)
class Ante:
    """A seat posts the ante, or what it has."""

    seat: int
    amount: int
    all_in: bool


@dataclass(frozen=True, slots=True)
class Deal:
    """A seat gets cards: on third street two down and one up, later one."""

    seat: int
    street: int
    cards: tuple[int, ...]
    up: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Burn:
    """A card is burned before a street."""

    street: int
    card: int


@dataclass(frozen=True, slots=True)
class Community:
    """One card in the middle is everybody's seventh."""

    card: int


@dataclass(frozen=True, slots=True)
class Action:
    """A seat's decision: chips put in now, and its total on the street after it."""

    seat: int
    street: int
    kind: ActionKind
    put: int
    to: int
    all_in: bool


@dataclass(frozen=True, slots=True)
class Returned:
    """Uncalled chips go back."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Show:
    """A seat shows its seven cards at showdown."""

    seat: int
    cards: tuple[int, ...]
    low: str


@dataclass(frozen=True, slots=True)
class Muck:
    """A seat that cannot win does not show."""

    seat: int


@dataclass(frozen=True, slots=True)
class RakeTaken:
    """The room takes its share of the pots."""

    amount: int


@dataclass(frozen=True, slots=True)
class Award:
    """A seat wins a pot or part of one, `odd_chips` of it because the pot did not divide. Pot 0 is the main pot."""

    seat: int
    pot: int
    amount: int
    odd_chips: int


Event = Ante | Deal | Burn | Community | Action | Returned | Show | Muck | RakeTaken | Award
