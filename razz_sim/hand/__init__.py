"""A hand of Razz: its record, the compiled rules of betting, dealing and pots, and single hands from Python."""

from razz_sim.hand.events import (
    Action,
    Ante,
    Award,
    Burn,
    Community,
    Deal,
    Event,
    Muck,
    RakeTaken,
    Returned,
    Show,
)
from razz_sim.hand.single import Deck, GivenCards, Hand, IllegalAction, Legal, Pot, UnknownCards, compiled_steps

__all__ = [
    "Action",
    "Ante",
    "Award",
    "Burn",
    "Community",
    "Deal",
    "Deck",
    "Event",
    "GivenCards",
    "Hand",
    "IllegalAction",
    "Legal",
    "Muck",
    "Pot",
    "RakeTaken",
    "Returned",
    "Show",
    "UnknownCards",
    "compiled_steps",
]
