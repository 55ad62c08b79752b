"""The story of a tournament is what its events say: everybody once, in order, to whom, and hands that show it."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from functools import cache
from itertools import pairwise, takewhile
from typing import Any

import pytest
from small_experiments import entrant, written
from small_tournaments import LEVELS, SEED, Told, events_of, hands_of, of_kind, plan, scenario, shared

from razz_sim.batch import Replayed, replay_hand
from razz_sim.batch.tournaments import TournamentEvent
from razz_sim.experiment import Scenario
from razz_sim.hand import Award
from razz_sim.hand.record import NOBODY
from razz_sim.history import Printed, RecordedHand, read_hands, replay, write_phh, write_pokerstars
from razz_sim.history.conditions import Condition, ConditionError
from razz_sim.history.search import Search, Sought
from razz_sim.history.to_pokerstars import roman
from razz_sim.history.tournament_data import MOST_POINTS, plain_story, stacks_over_time
from razz_sim.history.tournament_search import ToldHands, TournamentSearch, facts_in_tournament
from razz_sim.history.tournament_text import write_story
from razz_sim.history.tournaments import Happening, Look, Story, story_of
from razz_sim.rules import PRESETS
from razz_sim.structures import Again, Payouts, Tournament

BLOCK = 4
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
    "tables": plan(40, seats=6, payouts=Payouts("top", (1500,)), unit=Decimal("0.01")),
    "tables by the clock": plan(34, seats=7, levels=BY_CLOCK, pace=CLOCK),
    "re-entries, rebuys, add-on": plan(30, seats=5, levels=BY_CLOCK, pace=CLOCK, **BUYING),
    "satellite": plan(32, seats=5, payouts=Payouts("seat_value", (450,))),
    "shootout": plan(18, seats=5, kind="shootout", payouts=Payouts("top", (2500,))),
    "shootout by the clock": plan(26, seats=5, kind="shootout", levels=BY_CLOCK, pace=CLOCK),
    "satellite in rounds": plan(26, seats=5, kind="shootout", payouts=Payouts("seats", (6,))),
    "bracket": plan(11, seats=2, kind="bracket"),
}


@cache
def played(kind: str, block: int = BLOCK) -> tuple[Scenario, list[TournamentEvent], Story]:
    """A tournament, its events and its story."""
    some = scenario(KINDS[kind])
    events = events_of(some, block)
    return some, events, story_of(some, block, events)


@cache
def replayed(kind: str, number: int) -> Replayed:
    """A hand of it."""
    some = played(kind)[0]
    return replay_hand(some, SEED, BLOCK * some.hand_numbers + number)


def told(kind: str) -> list[Told]:
    """Its hands, by their numbers."""
    return hands_of(KINDS[kind], played(kind)[1])


# The story


@pytest.mark.parametrize("kind", KINDS)
def test_everybody_is_told_of_once_in_the_order_of_places(kind: str) -> None:
    some, events, story = played(kind)
    field = KINDS[kind].field
    assert sorted(one.number for one in story.players) == list(range(field))
    assert len({one.name for one in story.players}) == field
    assert [one.first for one in story.players] == sorted(one.first for one in story.players)
    places = {event.player: (event.amount, event.other) for event in of_kind(events, "place")}
    prizes = {event.player: event.amount for event in of_kind(events, "prize")}
    for one in story.players:
        assert (one.first, one.last) == places[one.number]
        assert one.prize == prizes.get(one.number, 0)
        assert some.lineup[some.entrant_of_copy[one.number]].name == one.entrant
        assert one.name.startswith(one.entrant)


@pytest.mark.parametrize("kind", KINDS)
def test_all_but_those_left_at_the_end_go_out_once(kind: str) -> None:
    _, events, story = played(kind)
    outs = [one.event for one in story.outs]
    assert outs == of_kind(events, "out")
    assert {one.number for one in story.players if one.out} == {event.player for event in outs}
    assert len({event.player for event in outs}) == len(outs)
    left = [one for one in story.players if one.out is None]
    assert all((one.first, one.last) == (1, len(left)) for one in left)
    if KINDS[kind].kind == "tables":
        for early, late in pairwise(outs):
            first = {one.number: one.first for one in story.players}
            assert first[early.player] >= first[late.player]


@pytest.mark.parametrize("kind", KINDS)
def test_the_hand_named_at_an_elimination_shows_it(kind: str) -> None:
    _, _, story = played(kind)
    hands = told(kind)
    for one in story.outs:
        event, hand = one.event, hands[one.hand]
        seat = next(seat for seat, player in hand.players.items() if player == event.player)
        assert (hand.table, hand.level, seat) == (event.table, one.level, event.seat)
        assert (hand.before[seat], hand.after[seat]) == (event.amount, 0)
        again = replayed(kind, one.hand)
        assert again.names[seat] == story.names[event.player]
        assert (again.hand.starting_stacks[seat], again.hand.stacks[seat], again.table) == (
            event.amount,
            0,
            event.table,
        )
        winner = again.copies.index(event.other)
        assert any(paid.seat == winner and paid.amount for paid in again.hand.events if isinstance(paid, Award))


@pytest.mark.parametrize("kind", KINDS)
def test_a_level_is_looked_at_when_its_first_hand_begins(kind: str) -> None:
    _, events, story = played(kind)
    hands = told(kind)
    firsts = [hand for place, hand in enumerate(hands) if place == 0 or hand.level != hands[place - 1].level]
    assert [look.hand for look in story.looks] == [hand.number for hand in firsts]
    for look, hand in zip(story.looks, firsts, strict=True):
        assert (look.level, look.left, look.chips) == (hand.level, hand.left, hand.chips)
        stacks = stacks_at(KINDS[kind], events, hand.number)
        assert sum(stacks.values()) == look.chips
        assert max(stacks.values()) == look.stack
        assert look.leaders == tuple(player for player in sorted(stacks) if stacks[player] == look.stack)


def stacks_at(played: Tournament, events: list[TournamentEvent], number: int) -> dict[int, int]:
    """Everybody's stack when a hand begins; those in the middle of another have what they began it with."""
    begun = next(place for place, event in enumerate(events) if event.kind == "hand" and event.other == number)
    stacks: dict[int, int] = {}
    now = events[begun].clock
    last_round = max(place for place in range(begun) if events[place].kind == "round")
    out = {event.player for event in events[:begun] if event.kind == "out"}
    stacks = {player: played.stack for player in range(played.field) if player not in out}
    for place in range(last_round, begun):
        event = events[place]
        if event.kind == "stack" and event.player in stacks:
            stacks[event.player] = event.amount if is_over(played, events, place, now) else event.other
        elif event.kind in ("reentry", "rebuy") and event.player in stacks:
            stacks[event.player] = event.amount
        elif event.kind == "addon" and event.player in stacks:
            stacks[event.player] += event.amount
    return stacks


def is_over(played: Tournament, events: list[TournamentEvent], place: int, now: int) -> bool:
    """Whether the hand that an event is of is over at a time, without regard to hand-for-hand play."""
    first = max(one for one in range(place) if events[one].kind == "hand")
    dealt = list(takewhile(lambda event: event.kind == "stack", events[first + 1 :]))
    return events[first].clock + played.pace[len(dealt)] <= now


def test_the_final_table_begins_with_all_who_are_left() -> None:
    _, _, story = played("tables")
    final = story.final_table
    assert final is not None
    assert final.tables == 1
    assert final.left == len(final.seated) <= 6
    assert sum(stack for _, _, stack in final.seated) == final.chips
    hand = told("tables")[final.hand]
    assert {(seat, player, stack) for seat, player, stack in final.seated} == {
        (seat, player, hand.before[seat]) for seat, player in hand.players.items()
    }
    assert played("sit-and-go")[2].final_table is None


def test_what_is_bought_is_counted() -> None:
    _, events, story = played("re-entries, rebuys, add-on")
    assert story.bought == {kind: len(of_kind(events, kind)) for kind in ("reentry", "rebuy", "addon")}
    assert all(story.bought.values())


# Its text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("everything", [False, True])
def test_the_text_names_the_winner_and_every_prize(kind: str, everything: bool) -> None:
    story = played(kind)[2]
    text = write_story(story, title=kind, everything=everything)
    assert text.startswith(f"{kind}: {KINDS[kind].field} players ")
    assert max(map(len, text.splitlines())) <= 120
    assert all(one.name in text for one in story.players[:3])
    if everything:
        words = " ".join(text.split())
        for one in story.outs:
            assert f"{BLOCK}:{one.hand}" in words
            assert story.names[one.event.player] in words


def test_a_sit_and_go_in_full() -> None:
    text = write_story(played("sit-and-go")[2], title="small, tournament 4")
    story = played("sit-and-go")[2]
    assert "8 players at one table, 500 chips each, buy-in 100 + 10\nprizes of 800 for 3 players\n" in text
    assert f"won by {story.players[0].name} after {story.hands} hands, at level" in text
    for one in story.outs:
        to = f"{one.event.amount:,} chips to {story.names[one.event.other]} (hand 4:{one.hand})"
        assert f"  {story.names[one.event.player]} is out, " in text
        assert to in text
    assert ["1st", "400", *story.players[0].name.split()] in [line.split() for line in text.splitlines()]


def test_many_players_are_told_of_in_short() -> None:
    story = played("tables")[2]
    short, whole = (write_story(story, title="x", everything=every) for every in (False, True))
    assert "The bubble" in short
    assert "The final table" in short
    assert "moves from table" not in short
    assert "moves from table" in whole or "is broken" in whole
    assert "buy-in 1.00 + 0.10" in short
    assert len(short.splitlines()) < 60


def test_an_error_that_forfeits_is_told() -> None:
    bad = "@strategy\nclass bot:\n    def act(self, view, u):\n        raise ValueError('no')\n"
    some = scenario(plan(3, seats=3), shared(3, [written("bad", bad), entrant("caller", "caller")]), on_error="forfeit")
    story = story_of(some, 0, events_of(some))
    lost = [one for one in story.outs if one.event.other == NOBODY]
    assert lost
    assert "lost by an error of its strategy" in write_story(story, title="x")


# Plain data


@pytest.mark.parametrize("kind", KINDS)
def test_plain_data_says_the_same(kind: str) -> None:
    _, events, story = played(kind)
    found = json.loads(json.dumps(plain_story(story)))
    assert [one["name"] for one in found["players"]] == [one.name for one in story.players]
    outs = {one["name"]: one["out"] for one in found["players"] if one["out"]}
    assert len(outs) == len(of_kind(events, "out"))
    for one in story.outs:
        out = outs[story.names[one.event.player]]
        assert out["hand"] == f"{BLOCK}:{one.hand}"
        assert (out["level"], out["table"], out["stack"]) == (one.level, one.event.table + 1, one.event.amount)
        assert out["by"] == story.names[one.event.other]
    kinds = [one["kind"] for one in found["events"]]
    assert kinds == [event.kind for event in events if event.kind not in ("level", "hand", "stack", "place", "prize")]


@pytest.mark.parametrize("kind", KINDS)
def test_stacks_over_time_begin_with_the_starting_stack_and_end_with_the_end(kind: str) -> None:
    some, events, story = played(kind)
    found = json.loads(json.dumps(stacks_over_time(some, BLOCK, events)))
    assert [one["name"] for one in found["players"]] == [one.name for one in story.players]
    hands = told(kind)
    for one, player in zip(found["players"], story.players, strict=True):
        points = one["points"]
        assert points[0] == [0, KINDS[kind].stack]
        assert 2 <= len(points) <= MOST_POINTS
        assert [time for time, _ in points] == sorted(time for time, _ in points)
        assert (points[-1][1] == 0) == (player.out is not None)
        mine = {hand.after[seat] for hand in hands for seat, who in hand.players.items() if who == player.number}
        bought = 700 if player.bought["addon"] else 0
        assert all(stack in mine or stack - bought in mine or stack in (300, 400, 500, 1200) for _, stack in points)
    assert found["levels"][0] == {"level": 1, "from": 0}
    assert found["tournament"] == BLOCK


def test_many_points_are_thinned_and_end_alike() -> None:
    slow = plan(2, seats=2, stack=5000, levels=(replace(LEVELS[0], length=2000), *LEVELS))
    some = scenario(slow)
    found = stacks_over_time(some, 0, events_of(some))
    assert all(len(one["points"]) <= MOST_POINTS for one in found["players"])
    assert sum(one["points"][-1][1] for one in found["players"]) == 10_000
    assert {one["points"][-1][0] for one in found["players"]} == {max(one["points"][-1][0] for one in found["players"])}


# Its hands in files


@pytest.mark.parametrize("kind", KINDS)
def test_phh_of_its_hands_reads_back_and_replays(kind: str, tmp_path: Any) -> None:
    hands = told(kind)
    for hand in hands[:: max(1, len(hands) // 12)]:
        again = replayed(kind, hand.number)
        text = write_phh(again.hand, hand_id=f"run/1/{BLOCK}:{hand.number}", names=again.names)
        assert f"level = {hand.level}\n_tournament = true\n_players_left = {hand.left}\n" in text
        read = read_back(tmp_path / "hand.phh", text)
        assert (read.tournament, read.players_left) == (True, hand.left)
        check_read(read, hand)


@pytest.mark.parametrize("kind", KINDS)
def test_pokerstars_text_of_its_hands_reads_back_and_replays(kind: str, tmp_path: Any) -> None:
    hands = told(kind)
    for hand in hands[:: max(1, len(hands) // 12)]:
        again = replayed(kind, hand.number)
        printed = Printed(number=12, buy_in="100+10", table=hand.table + 1)
        text = write_pokerstars(again.hand, hand_number=9, names=again.names, tournament=printed)
        stakes = KINDS[kind].levels[hand.level - 1].stakes
        level = f"Level {roman(hand.level)} ({stakes.small_bet}/{stakes.big_bet})"
        assert text.startswith(f"PokerStars Hand #9: Tournament #12, 100+10 Razz Limit - {level} - ")
        assert text.splitlines()[1].startswith(f"Table '12 {hand.table + 1}' 8-max")
        read = read_back(tmp_path / "hand.txt", text)
        assert read.tournament
        check_read(replace(read, rules=PRESETS["wsop_tournament"]), hand)


def read_back(path: Any, text: str) -> RecordedHand:
    """The one hand of a text."""
    path.write_text(text, encoding="utf-8")
    [read] = read_hands(path)
    return read


def check_read(read: RecordedHand, hand: Told) -> None:
    """A hand that was written and read is the one that the events tell, by the rules too."""
    outcome = replay(read)
    assert outcome.ok, outcome.problems
    before, after = (sorted(stacks.items()) for stacks in (hand.before, hand.after))
    assert sorted(read.stacks) == sorted(stack for _, stack in before)
    assert read.finishing_stacks is not None
    pairs = sorted(zip(read.stacks, read.finishing_stacks, strict=True))
    assert pairs == sorted((one, other) for (_, one), (_, other) in zip(before, after, strict=True))


# Looking for hands


CONDITIONS = (
    "players_left == 2 and level > 2",
    "pot > 12",
    "net['tight'] > 5 or net['caller'] < -5",
    "all_in and players == 3",
    "hand in (0, 5, 7) and not walk",
    "side_pots",
    "raises > 8 and showdown",
    "winning_low == 'wheel'",
    f"tournament == {BLOCK} and street == 3 and contested == 1",
)


@pytest.mark.parametrize("kind", ["sit-and-go", "tables by the clock", "re-entries, rebuys, add-on", "bracket"])
@pytest.mark.parametrize("text", CONDITIONS)
def test_a_search_finds_exactly_the_hands_that_meet_the_condition(kind: str, text: str) -> None:
    some = played(kind)[0]
    condition = Condition.read(text)
    if kind == "bracket" and "net" in text:
        condition = Condition.read("net['tight'] > 2")
    search = Search(Sought(some, SEED, condition, (BLOCK, BLOCK + 1)))
    found = [one.number - BLOCK * some.hand_numbers for one in search]
    every = [replayed(kind, hand.number) for hand in told(kind)]
    assert found == [number for number, one in enumerate(every) if condition.holds(facts_in_tournament(some, one))]
    assert search.looked_at == some.block_hands


@pytest.mark.parametrize("kind", ["sit-and-go", "tables by the clock", "satellite"])
def test_what_the_events_leave_possible_holds_all_facts(kind: str) -> None:
    some, events, _ = played(kind)
    rows = ToldHands(some, BLOCK, events)
    for hand in told(kind):
        for name, value in facts_in_tournament(some, replayed(kind, hand.number)).items():
            if name == "winning_low":
                continue
            if name == "net":
                for who, won in value.items():
                    bounds = rows.net(who)
                    assert bounds.low[hand.number] <= won <= bounds.high[hand.number]
                continue
            bounds = rows.bounds(name)
            assert bounds.low[hand.number] <= value <= bounds.high[hand.number], name


def test_of_a_tournament_that_an_error_ended_the_hands_before_it_are_found() -> None:
    fails = "@strategy\nclass bot:\n    def act(self, view, u):\n        assert view.level < 2\n        return STAY\n"
    some = scenario(plan(4, seats=4), shared(4, [written("fails", fails), entrant("rock", "rock")]))
    search = TournamentSearch(some, SEED, (), 0, Condition.read("pot > 0"))
    for block in range(3):
        hands = search.candidates(block)
        assert hands == list(range(len(hands)))
        assert len(hands) == 6
        assert all(search.replayed(block, hand) for hand in hands)


def test_facts_of_tournaments_are_refused_elsewhere() -> None:
    from small_experiments import scenario as at_one_table

    single = at_one_table((entrant("fish", "caller", seats=3),), hands=30)
    with pytest.raises(ConditionError, match="'level' in 'level > 2' is known of tournaments only"):
        Search(Sought(single, SEED, Condition.read("level > 2"), (0, 30)))


def test_a_course_has_looks_and_happenings_in_order() -> None:
    story = played("tables by the clock")[2]
    times = [one.time for one in story.course]
    assert times == sorted(times)
    assert {type(one) for one in story.course} == {Look, Happening}
