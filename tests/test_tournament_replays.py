"""Every hand of a tournament can be replayed alone: stacks, stakes, seats, names and what strategies were shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_experiments import entrant, written
from small_tournaments import (
    LEVELS,
    LIBRARY,
    SEED,
    Told,
    batch,
    entries_and_pool,
    events_of,
    hands_of,
    of_library,
    plan,
    scenario,
    shared,
)

from razz_sim.batch import NoSuchHand, replay_hand
from razz_sim.batch.replay import EMPTY, Replayed
from razz_sim.batch.tournaments import TournamentLoop
from razz_sim.experiment import Entrant, Scenario
from razz_sim.hand.record import NOBODY, TOURNAMENT_FIELDS
from razz_sim.rules import MAX_SEATS
from razz_sim.strategy.source import declared_body
from razz_sim.structures import Again, Payouts, Tournament

BLOCK = 5
CLOCK = (10_000, 10_000, 25_000, 30_000, 35_000, 40_000, 45_000, 50_000, 55_000)
BY_CLOCK = tuple(replace(one, length=200_000) for one in LEVELS)
BUYING: dict[str, Any] = {
    "reentry": Again(level=2, chips=400, price=90, fee=9, times=1),
    "rebuy": Again(level=1, chips=300, price=50, fee=0, times=2),
    "addon": Again(level=2, chips=700, price=70, fee=7),
}
KINDS = {
    "heads-up": plan(2, seats=2),
    "sit-and-go": plan(8),
    "tables": plan(19, seats=6, payouts=Payouts("top", (1500,))),
    "tables by the clock": plan(17, seats=7, levels=BY_CLOCK, pace=CLOCK),
    "re-entries, rebuys, add-on": plan(14, seats=4, levels=BY_CLOCK, pace=CLOCK, **BUYING),
    "satellite": plan(15, seats=5, payouts=Payouts("seat_value", (250,))),
    "shootout": plan(18, seats=5, payouts=Payouts("top", (2500,))),
    "bracket": plan(11, seats=2, kind="bracket"),
}
KINDS["shootout"] = replace(KINDS["shootout"], kind="shootout")
PYTHON = f"{Path(__file__).with_name('bots')}/tight_in_python.py:Tight"
WITH_MEMORY = ("adaptive", "caller", "tight", "maniac")


def learning_and_python(field: int) -> tuple[Entrant, ...]:
    """A line-up with a strategy that remembers and two in plain Python, one of which remembers."""
    entrants = [entrant(name, name) for name in WITH_MEMORY]
    entrants += [entrant("plain", PYTHON), written("counter", COUNTER)]
    return shared(field, entrants[:field])


COUNTER = """
@strategy
class bot:
    def __init__(self):
        self.hands = self.asked = self.chips = 0

    def act(self, view, u):
        self.asked += 1
        if (self.asked + self.hands + self.chips) % 3 == 0:
            return raise_or_stay(view)
        return STAY if (self.asked + self.hands) % 4 else stay_or_fold(view)

    def observe(self, outcome):
        self.hands += 1
        self.chips += outcome.stack[outcome.seat] % 7
"""


def names_in_full(some: Scenario) -> list[str]:
    """The name of each player: entrants with several players number them through the whole field."""
    return [
        f"{one.name} {number}" if one.seats > 1 else one.name
        for one in some.lineup
        for number in range(1, one.seats + 1)
    ]


def shown(played: Tournament, told: Told) -> dict[str, Any]:
    """What strategies are shown of the tournament in a hand, worked out from the events."""
    entries, pool = entries_and_pool(played, told.reentries, told.rebuys, told.addons)
    prizes = played.payouts.prizes(entries, played.field, pool, played.prize)
    to_level = 0
    if told.level < len(played.levels):
        while told.clock + to_level * played.pace[len(told.before)] < played.level_ends[told.level - 1]:
            to_level += 1
    return {
        "level": told.level,
        "hands_to_level": to_level,
        "field_size": played.field,
        "players_left": told.left,
        "places_paid": played.payouts.places(entries, played.field, pool),
        "average_stack": told.chips // told.left,
        "prizes": (prizes + [0] * MAX_SEATS)[:MAX_SEATS],
    }


def check_replay(some: Scenario, told: Told, again: Replayed) -> None:
    """A hand replayed alone is the hand that the events tell."""
    played = some.tournament
    assert played is not None
    seats = range(played.seats)
    assert again.faults == ()
    assert again.hand.starting_stacks == [told.before.get(seat, 0) for seat in seats]
    assert again.hand.stacks == [told.after.get(seat, 0) for seat in seats]
    assert again.hand.stakes == played.levels[told.level - 1].stakes
    assert (again.hand.dealer, again.hand.players_left) == (told.dealer, told.left)
    assert again.copies == tuple(told.players.get(seat, NOBODY) for seat in seats)
    names = names_in_full(some)
    assert again.names == tuple(names[told.players[seat]] if seat in told.players else EMPTY for seat in seats)
    record = again.hand.record
    assert {name: record[name].tolist() for name in TOURNAMENT_FIELDS} == shown(played, told)


@pytest.mark.parametrize("kind", KINDS)
def test_every_hand_replays_alone(kind: str) -> None:
    some = scenario(KINDS[kind])
    hands = hands_of(KINDS[kind], events_of(some, BLOCK))
    for told in hands:
        check_replay(some, told, replay_hand(some, SEED, BLOCK * some.hand_numbers + told.number))
    with pytest.raises(NoSuchHand, match=f"tournament {BLOCK} has {len(hands):,} hands: they count from 0"):
        replay_hand(some, SEED, BLOCK * some.hand_numbers + len(hands))


@pytest.mark.parametrize("kind", KINDS)
def test_strategies_that_remember_and_those_in_python_replay_too(kind: str) -> None:
    some = scenario(KINDS[kind], learning_and_python(KINDS[kind].field))
    for told in hands_of(KINDS[kind], events_of(some, BLOCK))[::-3]:
        check_replay(some, told, replay_hand(some, SEED, BLOCK * some.hand_numbers + told.number))


def test_a_strategy_remembers_from_hand_to_hand_and_table_to_table_but_not_from_tournament_to_tournament() -> None:
    played = plan(13, seats=5, **BUYING)
    some = scenario(played, shared(13, [written("keeper", KEEPER), entrant("caller", "caller")]))
    made = declared_body(some.lineup[0].strategy).act.__globals__["MADE"]  # type: ignore[attr-defined]
    for block in (5, 6):
        hands = hands_of(played, events_of(some, block))
        made.clear()
        TournamentLoop(some, SEED).play(batch(some, block, block + 1))
        began = {player: stacks_of(player, hands) for player in range(7)}
        asked = [dict(one.asked) for one in made]
        assert len(asked) == 7
        owners = [
            next(player for player, stacks in began.items() if all(stacks[hand] == had for hand, had in mine.items()))
            for mine in asked
        ]
        assert sorted(owners) == list(range(7))


def stacks_of(player: int, hands: list[Told]) -> list[int]:
    """The stacks with which a player begins its hands."""
    return [hand.before[seat] for hand in hands for seat, other in hand.players.items() if other == player]


KEEPER = """
MADE = []


@strategy
class bot:
    def __init__(self):
        self.hands, self.asked = 0, {}
        MADE.append(self)

    def act(self, view, u):
        self.asked[self.hands] = view.stack[view.seat] + view.total_in[view.seat]
        return raise_or_stay(view) if uniform(u, 0) < 0.2 else STAY

    def observe(self, outcome):
        self.hands += 1
"""


# What strategies are shown.

SPY = """
SEEN = []


@strategy
class bot:
    def act(self, view, u):
        SEEN.append({
            "level": view.level,
            "hands_to_level": view.hands_to_level,
            "field_size": view.field_size,
            "players_left": view.players_left,
            "places_paid": view.places_paid,
            "average_stack": view.average_stack,
            "prizes": list(view.prizes),
        })
        return raise_or_stay(view) if uniform(u, 0) < 0.3 else STAY
"""
READS = """
def bot(view, params, memory, u):
    seen = view.level * 3 + view.hands_to_level * 5 + view.players_left * 7 + view.places_paid * 11 + view.field_size
    seen += view.average_stack * 13 + view.prizes[0] * 17 + view.prizes[1] * 19 + view.prizes[2] * 23 + view.street
    if seen % 5 == 0:
        return stay_or_fold(view)
    return raise_or_stay(view) if seen % 5 < 3 else STAY
"""
READS_IN_PYTHON = "@strategy\nclass bot:\n    def act(self, view, u):\n" + "\n".join(
    f"    {line}" for line in READS.strip().split("\n")[1:]
)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown_in_play_is_what_the_events_say_and_is_shown_again(kind: str) -> None:
    played = KINDS[kind]
    some = scenario(played, shared(played.field, [written("spy", SPY), *of_library(6, LIBRARY)][: played.field]))
    seen = declared_body(some.lineup[0].strategy).act.__globals__["SEEN"]  # type: ignore[attr-defined]
    hands = hands_of(played, events_of(some, BLOCK))
    seen.clear()
    TournamentLoop(some, SEED).play(batch(some, BLOCK, BLOCK + 1))
    in_play = list(seen)
    first = 0
    for told in hands:
        seen.clear()
        replay_hand(some, SEED, BLOCK * some.hand_numbers + told.number)
        again = seen[first:]
        assert again == in_play[first : len(seen)] == [shown(played, told)] * len(again)
        first = len(seen)
    assert first == len(in_play) > 0


@pytest.mark.parametrize("text", [READS, READS_IN_PYTHON], ids=["compiled", "Python"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_strategy_that_goes_by_the_tournament_replays(text: str, kind: str) -> None:
    some = scenario(KINDS[kind], shared(KINDS[kind].field, [written("reads", text), entrant("caller", "caller")]))
    hands = hands_of(KINDS[kind], events_of(some, BLOCK))
    for told in hands[:: max(1, len(hands) // 40)]:
        check_replay(some, told, replay_hand(some, SEED, BLOCK * some.hand_numbers + told.number))


def test_compiled_and_python_see_the_same() -> None:
    for played in KINDS.values():
        told = [
            events_of(scenario(played, shared(played.field, [written("reads", text), entrant("caller", "caller")])), 1)
            for text in (READS, READS_IN_PYTHON)
        ]
        assert told[0] == told[1]
