"""Whole tournaments as the engine plays them, against the slow model of docs/tournaments.md and what holds for all."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from random_tournaments import random_plan
from small_tournaments import (
    LIBRARY,
    SEED,
    check_against_model,
    entries_and_pool,
    events_of,
    hands_of,
    level,
    of_kind,
    of_library,
    plan,
    scenario,
)

from razz_sim.batch.tournaments import TournamentEvent, TournamentLoop
from razz_sim.structures import Again, Tournament
from razz_sim.tournament.record import EVENTS, PAYOUTS

CHUNKS = 6
OF_CHUNK = 40
LARGE = (200, 512, 1000)


def random_played(rng: random.Random, players: int | None = None) -> tuple[Tournament, int, list[TournamentEvent]]:
    """A random tournament that the engine played: its plan, its block and all that happened."""
    plan = random_plan(rng, players)
    names = rng.sample(LIBRARY, len(LIBRARY))
    some = scenario(plan, of_library(plan.field, names))
    block = rng.randrange(100)
    return plan, block, TournamentLoop(some, SEED).events(block)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_engine_plays_as_the_model_says(chunk: int) -> None:
    rng = random.Random(chunk)
    for _ in range(OF_CHUNK):
        check_against_model(*random_played(rng))


def test_random_tournaments_have_everything_in_them() -> None:
    rng = random.Random(0)
    seen: Counter[str] = Counter()
    for _ in range(150):
        plan, _, events = random_played(rng)
        seen.update({event.kind for event in events} | {plan.kind, plan.payouts.kind, f"by clock {plan.by_clock}"})
        seen["shared place"] += any(event.amount < event.other for event in of_kind(events, "place"))
        seen["shared first place"] += any(event.amount == 1 < event.other for event in of_kind(events, "place"))
        seen["two at one moment"] += max(Counter(event.clock for event in of_kind(events, "out")).values()) > 1
    assert set(EVENTS) | {"tables", "shootout", "bracket", *PAYOUTS, "by clock True", "by clock False"} <= set(seen)
    assert min(seen.values()) >= 5, seen


@pytest.mark.parametrize("players", LARGE)
def test_the_engine_plays_as_the_model_says_with_many_players(players: int) -> None:
    check_against_model(*random_played(random.Random(players), players))


def test_nobody_buys_an_add_on_when_it_is_over() -> None:
    """The level of the add-on ends with the hand that decides it: everybody is all-in from the first hand on."""
    played = plan(2, levels=(level(500, 500, 500, 1), level(500, 500, 500, 1)), addon=Again(1, 500, 100, 0))
    some = scenario(played, of_library(2, ("caller", "maniac")))
    events = [events_of(some, block) for block in range(30)]
    decided = [told for told in events if sum(event.kind == "hand" for event in told) == 1]
    assert len(decided) > 10
    assert not any(event.kind == "addon" for told in decided for event in told)


def check_money(plan: Tournament, events: list[TournamentEvent]) -> None:
    """The prizes are what was paid in for them, and go to the first places."""
    bought = Counter(event.kind for event in events)
    entries, pool = entries_and_pool(plan, bought["reentry"], bought["rebuy"], bought["addon"])
    prizes = {event.player: event.amount for event in of_kind(events, "prize")}
    due = plan.payouts.prizes(entries, plan.field, pool, plan.prize)
    assert sum(prizes.values()) == sum(due)
    assert sum(due) == (sum(plan.payouts.values) if plan.payouts.kind == "amounts" else pool)
    for place in of_kind(events, "place"):
        share = sum(due[place.amount - 1 : place.other]) / (place.other - place.amount + 1)
        assert abs(prizes.get(place.player, 0) - share) < 1


def check_places(plan: Tournament, events: list[TournamentEvent]) -> None:
    """Everybody has a place, and every place is somebody's or shared by so many as there are."""
    told = of_kind(events, "place")
    assert [event.player for event in told] == list(range(plan.field))
    shared = Counter((event.amount, event.other) for event in told)
    assert all(last - first + 1 == count for (first, last), count in shared.items())
    assert sorted(place for first, last in shared for place in range(first, last + 1)) == list(range(1, plan.field + 1))


def check_chips(plan: Tournament, events: list[TournamentEvent]) -> None:
    """No hand makes or loses a chip, everybody who is dealt in has some, and nobody's stack changes between hands."""
    stacks: dict[int, int] = {}
    for event in events:
        if event.kind == "seated":
            stacks[event.player] = event.amount
        elif event.kind in ("rebuy", "addon", "reentry"):
            assert event.kind == "addon" or stacks[event.player] == 0
            stacks[event.player] += event.amount
        elif event.kind == "stack":
            assert stacks[event.player] == event.other > 0
            stacks[event.player] = event.amount
        elif event.kind == "out":
            assert stacks[event.player] == 0
    hands = hands_of(plan, events)
    assert [hand.number for hand in hands] == list(range(len(hands)))
    for hand in hands:
        assert sum(hand.before.values()) == sum(hand.after.values())
        assert len(hand.before) >= 2
        assert sum(hand.before.values()) <= hand.chips


def check_who_won(plan: Tournament, events: list[TournamentEvent]) -> None:
    """Who won the last chips of a player sat at its table in its last hand, and won chips there."""
    last = {player: hand for hand in hands_of(plan, events) for player in hand.players.values()}
    for out in of_kind(events, "out"):
        hand = last[out.player]
        seats = {player: seat for seat, player in hand.players.items()}
        assert out.other != out.player
        assert hand.after[seats[out.other]] > 0
        assert (out.table, out.seat, out.amount) == (hand.table, seats[out.player], hand.before[seats[out.player]])


@pytest.mark.parametrize("chunk", range(2))
def test_what_holds_for_every_tournament(chunk: int) -> None:
    rng = random.Random(100 + chunk)
    for _ in range(40):
        plan, _, events = random_played(rng)
        check_money(plan, events)
        check_places(plan, events)
        check_chips(plan, events)
        check_who_won(plan, events)
