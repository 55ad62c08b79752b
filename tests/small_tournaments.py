"""Tournaments small enough for tests, and what the events of one say of each of its hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reference.tournaments import events as events_of_model
from small_experiments import entrant

from razz_sim.batch.tournaments import TournamentEvent, TournamentLoop
from razz_sim.experiment import Batch, Entrant, OnError, Scenario
from razz_sim.hand.record import NOBODY
from razz_sim.rules import PRESETS, RuleSet, Stakes
from razz_sim.structures import WHOLE, Level, Payouts, Tournament

SEED = 7
LIBRARY = ("tight", "caller", "rock", "maniac", "random", "loose_passive", "stealer")
"""Strategies that fold, call and raise."""


def level(ante: int, bring_in: int, small_bet: int, length: int = 6) -> Level:
    """A level in fixed limit."""
    name = f"{small_bet}/{2 * small_bet}"
    return Level(Stakes(name=name, ante=ante, bring_in=bring_in, small_bet=small_bet, big_bet=2 * small_bet), length)


LEVELS = (level(5, 10, 40), level(10, 15, 60), level(20, 30, 120), level(40, 60, 240), level(100, 150, 600))


def plan(field: int, seats: int = 8, **others: Any) -> Tournament:
    """A tournament of five levels that rise quickly, and three prizes; a buy-in of 100 and 10."""
    usual: dict[str, Any] = {
        "kind": "tables",
        "stack": 500,
        "levels": LEVELS,
        "payouts": Payouts("shares", (500_000, 300_000, 200_000) if field > 2 else (WHOLE,)),
        "prize": 100,
        "fee": 10,
    }
    return Tournament(field=field, seats=seats, **(usual | others))


def shared(field: int, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """A line-up for a field: its players shared among entrants as evenly as can be, the first have one more."""
    each, more = divmod(field, len(entrants))
    return tuple(
        Entrant(one.name, one.strategy, one.params, each + (place < more)) for place, one in enumerate(entrants)
    )


def of_library(field: int, names: Sequence[str] = LIBRARY) -> tuple[Entrant, ...]:
    """A line-up of strategies by name, in several seats each or, where the field is small, not all of them."""
    return shared(field, [entrant(name, name) for name in names[:field]])


def scenario(
    played: Tournament,
    lineup: tuple[Entrant, ...] | None = None,
    *,
    tournaments: int = 100,
    on_error: OnError = "stop",
    rules: RuleSet = PRESETS["wsop_tournament"],
) -> Scenario:
    """So many tournaments; the line-up is of the library if none is given."""
    return Scenario(
        name="small",
        rules=rules,
        stakes=played.levels[0].stakes,
        stack=played.stack,
        lineup=of_library(played.field) if lineup is None else lineup,
        hands=tournaments * played.expected_hands,
        on_error=on_error,
        tournament=played,
    )


def batch(some: Scenario, first: int, stop: int) -> Batch:
    """Tournaments `first` to `stop` - 1."""
    return Batch(0, first // some.bin_size, first, stop, (stop - first) * some.block_hands)


@dataclass(frozen=True, slots=True)
class Told:
    """A hand as the events tell it, and how the tournament stood when it began; stacks and players by seat."""

    number: int  # in the tournament
    table: int
    at_table: int  # its number there
    clock: int
    dealer: int
    level: int  # from 1
    left: int
    chips: int  # in play
    reentries: int
    rebuys: int
    addons: int
    before: dict[int, int]
    after: dict[int, int]
    players: dict[int, int]


def hands_of(played: Tournament, events: Sequence[TournamentEvent]) -> list[Told]:
    """All hands of a tournament, in the order in which they begin."""
    return list(_hands(played, events))


def _hands(played: Tournament, events: Sequence[TournamentEvent]) -> Iterator[Told]:
    level, left, chips = 1, played.field, 0
    bought = {"reentry": 0, "rebuy": 0, "addon": 0}
    for place, event in enumerate(events):
        if event.kind == "round":
            chips = left * played.stack
        elif event.kind == "level":
            level = event.amount
        elif event.kind in bought:
            bought[event.kind] += 1
            chips += event.amount
        elif event.kind == "out":
            left -= 1
        elif event.kind == "hand":
            stop = place + 1
            while stop < len(events) and events[stop].kind == "stack":
                stop += 1
            rows = events[place + 1 : stop]
            yield Told(
                number=event.other,
                table=event.table,
                at_table=event.amount,
                clock=event.clock,
                dealer=event.seat,
                level=level,
                left=left,
                chips=chips,
                reentries=bought["reentry"],
                rebuys=bought["rebuy"],
                addons=bought["addon"],
                before={row.seat: row.other for row in rows},
                after={row.seat: row.amount for row in rows},
                players={row.seat: row.player for row in rows},
            )


def entries_and_pool(played: Tournament, reentries: int, rebuys: int, addons: int) -> tuple[int, int]:
    """How many entries there are when so much is bought, and what is in the pool."""
    taken = (played.reentry, reentries), (played.rebuy, rebuys), (played.addon, addons)
    bought = sum(offer.price * times for offer, times in taken if offer is not None)
    return played.field + reentries, played.field * played.prize + bought


def of_kind(events: Sequence[TournamentEvent], kind: str) -> list[TournamentEvent]:
    """The events of one kind."""
    return [event for event in events if event.kind == kind]


def events_of(some: Scenario, block: int = 0) -> list[TournamentEvent]:
    """All that happens in one tournament of a scenario."""
    return TournamentLoop(some, SEED).events(block)


def check_against_model(played: Tournament, block: int, events: Sequence[TournamentEvent]) -> None:
    """With the stacks that the engine's hands left the model tells the same events; who won chips it does not know."""
    after = {(hand.table, hand.at_table): hand.after for hand in hands_of(played, events)}
    expected = events_of_model(played, SEED, block, lambda table, number, before: after[table, number])
    found = [tuple(event._replace(other=NOBODY) if event.kind == "out" else event) for event in events]
    assert found == [tuple(event) for event in expected]
