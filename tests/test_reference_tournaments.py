"""The plain-Python reference of tournaments: examples worked out by hand from docs/tournaments.md, and random ones."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from random_tournaments import RandomResults, Stacks, random_plan, random_results
from reference.tournaments import Event, Results, drawn_order, events

from razz_sim.rules import Stakes
from razz_sim.seeding import SEAT, derived, shuffled
from razz_sim.structures import BY_HANDS, Again, Level, Payouts, Tournament

SEED = 5
STAKES = Stakes(name="5/10", ante=1, bring_in=2, small_bet=5, big_bet=10)
CLOCK = (10, 10, 20, 30, 40, 50, 60, 70, 80)
"""A pace of ten for each player."""


def plan(field: int, seats: int, **others: Any) -> Tournament:
    """A tournament with 100 chips for each, two levels, the first of two hands, and one prize."""
    usual: dict[str, Any] = {
        "kind": "tables",
        "stack": 100,
        "levels": (Level(STAKES, 2), Level(STAKES, 2)),
        "payouts": Payouts("amounts", (100,)),
        "prize": 10,
        "fee": 1,
    }
    return Tournament(field=field, seats=seats, **(usual | others))


def scripted(script: dict[tuple[int, int], Stacks]) -> Results:
    """The stacks that change in the hands of a table by number; in all other hands the first seat takes all."""

    def results(table: int, number: int, before: Stacks) -> Stacks:
        if (table, number) in script:
            return before | script[table, number]
        return dict.fromkeys(before, 0) | {min(before): sum(before.values())}

    return results


def told(played: Tournament, script: dict[tuple[int, int], Stacks], *kinds: str) -> list[tuple[int | str, ...]]:
    """What happens of some kinds, in short: without what is -1, and with the place in the order for the player."""
    order = drawn_order(played, SEED, 0)
    short = []
    for event in events(played, SEED, 0, scripted(script)):
        if event.kind in kinds:
            named = event._replace(player=order.index(event.player)) if event.player >= 0 else event
            short.append(tuple(value for value in named if value != -1))
    return short


def of_players(played: Tournament, script: dict[tuple[int, int], Stacks], kind: str) -> dict[int, tuple[int, ...]]:
    """The places or prizes by the number of the player in the order."""
    return {int(line[2]): tuple(int(value) for value in line[3:]) for line in told(played, script, kind)}


# The order of players.


@pytest.mark.parametrize("players", [2, 3, 8])
def test_at_one_table_the_order_is_drawn_for_a_cycle_and_moves_on(players: int) -> None:
    for cycle in (0, 1, 7):
        first = shuffled(range(players), derived(SEED, SEAT), np.uint64(cycle))
        orders = [drawn_order(plan(players, 8), SEED, cycle * players + block) for block in range(players)]
        assert orders[0] == first
        assert orders[1] == first[1:] + first[:1]
        assert all(sorted(places) == list(range(players)) for places in zip(*orders, strict=True))


def test_at_several_tables_each_order_is_drawn_by_itself() -> None:
    for block in range(20):
        assert drawn_order(plan(20, 8), SEED, block) == shuffled(range(20), derived(SEED, SEAT), np.uint64(block))


# Tables.


def test_a_sit_and_go_of_three() -> None:
    played = plan(3, 3, payouts=Payouts("shares", (700_000, 300_000)))
    script = {(0, 0): {0: 150, 2: 50}, (0, 1): {1: 150, 2: 0}, (0, 2): {0: 300, 1: 0}}
    first, second, third = drawn_order(played, SEED, 0)
    until_places = [
        Event("round", 0, amount=0),
        Event("level", 0, amount=1),
        Event("seated", 0, 0, 0, first, 100),
        Event("seated", 0, 0, 1, second, 100),
        Event("seated", 0, 0, 2, third, 100),
        Event("hand", 0, 0, 2, amount=0, other=0),
        Event("stack", 0, 0, 0, first, 150, 100),
        Event("stack", 0, 0, 1, second, 100, 100),
        Event("stack", 0, 0, 2, third, 50, 100),
        Event("hand", 1, 0, 0, amount=1, other=1),
        Event("stack", 1, 0, 0, first, 150, 150),
        Event("stack", 1, 0, 1, second, 150, 100),
        Event("stack", 1, 0, 2, third, 0, 50),
        Event("level", 2, amount=2),
        Event("out", 2, 0, 2, third, 50),
        Event("hand", 2, 0, 1, amount=2, other=2),
        Event("stack", 2, 0, 0, first, 300, 150),
        Event("stack", 2, 0, 1, second, 0, 150),
        Event("out", 3, 0, 1, second, 150),
    ]
    places = {first: 1, second: 2, third: 3}
    expected = [
        *until_places,
        *(Event("place", 3, player=player, amount=places[player], other=places[player]) for player in range(3)),
        *(Event("prize", 3, player=player, amount=21 if player == first else 9) for player in sorted([first, second])),
    ]
    assert events(played, SEED, 0, scripted(script)) == expected


def test_the_second_table_is_broken_when_nine_are_down_to_eight() -> None:
    assert told(plan(9, 8), {(0, 0): {0: 200, 1: 0}, (1, 0): {}}, "out", "broken", "moved")[:6] == [
        ("out", 1, 0, 1, 2, 100),
        ("broken", 1, 1),
        ("moved", 1, 0, 1, 3, 100, 9),  # its dealer was the last seat, the next one is seat 0: seat 1 comes first
        ("moved", 1, 0, 5, 5, 100, 10),
        ("moved", 1, 0, 6, 7, 100, 11),
        ("moved", 1, 0, 7, 1, 100, 8),
    ]


def test_tables_are_balanced() -> None:
    script: dict[tuple[int, int], Stacks] = {(0, 0): {0: 300, 2: 0, 3: 0}, (1, 0): {}, (0, 1): {}, (1, 1): {}}
    lines = told(plan(8, 4), script, "out", "moved", "hand")
    assert lines[2:7] == [
        ("out", 1, 0, 2, 4, 100),
        ("out", 1, 0, 3, 6, 100),
        ("moved", 1, 0, 2, 3, 100, 9),
        ("hand", 1, 0, 0, 1, 2),
        ("hand", 1, 1, 0, 1, 3),
    ]


def test_tables_of_different_sizes_get_on_at_their_own_paces() -> None:
    script: dict[tuple[int, int], Stacks] = {(1, 0): {0: 200, 2: 0}, (0, 0): {}, (1, 1): {}, (0, 1): {}, (1, 2): {}}
    levels = (Level(STAKES, 40), Level(STAKES, 5), Level(STAKES, 10), Level(STAKES, 1))
    lines = told(plan(7, 4, levels=levels, pace=CLOCK), script, "level", "out", "moved", "hand", "stack")
    hands = [line[:4] for line in lines if line[0] == "hand"]
    assert hands[:6] == [("hand", clock, *rest) for clock, *rest in [[0, 0, 3], [0, 1, 3], [30, 1, 0], [40, 0, 0]]] + [
        ("hand", 50, 1, 1),
        ("hand", 70, 0, 1),
    ]
    moved = lines.index(("moved", 40, 1, 2, 2, 100, 1))  # as soon as table 0 is not in a hand; table 1 is
    assert lines[moved - 1] == ("level", 40, 2)
    assert lines[lines.index(("hand", 50, 1, 1, 2, 4)) - 1] == ("level", 50, 3)
    assert [line for line in lines if line[:3] == ("stack", 50, 1)] == [
        ("stack", 50, 1, 0, 1, 200, 200),
        ("stack", 50, 1, 1, 3, 100, 100),
        ("stack", 50, 1, 2, 2, 100, 100),
    ]


def test_a_level_shorter_than_a_hand_is_passed_over() -> None:
    levels = (Level(STAKES, 15), Level(STAKES, 4), Level(STAKES, 1))
    assert told(plan(2, 2, levels=levels, pace=CLOCK), {(0, 0): {}}, "level") == [("level", 0, 1), ("level", 20, 3)]


def test_a_table_in_a_hand_is_broken_after_it() -> None:
    script: dict[tuple[int, int], Stacks] = {(0, 0): {0: 200, 2: 0}, (1, 0): {}, (1, 1): {}, (0, 1): {}}
    assert told(plan(5, 4, pace=CLOCK), script, "hand", "broken", "moved")[:7] == [
        ("hand", 0, 0, 3, 0, 0),
        ("hand", 0, 1, 3, 0, 1),
        ("hand", 20, 1, 0, 1, 2),
        ("hand", 30, 0, 0, 1, 3),
        ("broken", 40, 1),
        ("moved", 40, 0, 2, 1, 100, 8),
        ("moved", 40, 0, 3, 3, 100, 9),
    ]


# Hand-for-hand.

BUBBLE = Payouts("amounts", (50, 40, 30, 21))


def test_out_in_the_same_round_with_equal_stacks() -> None:
    played = plan(5, 3, payouts=BUBBLE)
    script = {(0, 0): {0: 0, 1: 200}, (1, 0): {0: 0, 1: 200}}
    assert told(played, script, "hand_for_hand", "out", "broken")[:5] == [
        ("hand_for_hand", 0, 1),
        ("out", 1, 0, 0, 0, 100),
        ("out", 1, 1, 0, 1, 100),
        ("broken", 1, 1),
        ("hand_for_hand", 1, 0),
    ]
    places, prizes = of_players(played, script, "place"), of_players(played, script, "prize")
    assert places[0] == places[1] == (4, 5)
    assert (prizes[0], prizes[1]) == ((11,), (10,))


def test_out_in_the_same_round_with_different_stacks() -> None:
    played = plan(5, 3, payouts=BUBBLE)
    script = {
        (0, 0): {0: 90, 1: 110},
        (1, 0): {0: 80, 1: 120},
        (0, 1): {0: 0, 1: 200},
        (1, 1): {0: 0, 1: 200},
    }
    assert told(played, script, "out")[:2] == [("out", 2, 1, 0, 1, 80), ("out", 2, 0, 0, 0, 90)]
    places, prizes = of_players(played, script, "place"), of_players(played, script, "prize")
    assert (places[0], places[1]) == ((4, 4), (5, 5))
    assert prizes[0] == (21,)
    assert 1 not in prizes


def test_hand_for_hand_all_tables_take_as_long_as_the_slowest() -> None:
    script: dict[tuple[int, int], Stacks] = {(table, number): {} for table in (0, 1) for number in (0, 1)}
    hands = told(plan(5, 3, payouts=BUBBLE, pace=CLOCK), script, "hand")
    assert [hand[1:3] for hand in hands[:6]] == [(0, 0), (0, 1), (30, 0), (30, 1), (60, 0), (60, 1)]


def test_hand_for_hand_begins_when_all_hands_are_over() -> None:
    played = plan(7, 4, payouts=Payouts("amounts", (5, 4, 3, 2, 1)), pace=CLOCK)
    script: dict[tuple[int, int], Stacks] = {(0, 0): {}, (1, 0): {0: 200, 2: 0}, (0, 1): {}, (1, 1): {}}
    assert told(played, script, "hand", "out", "hand_for_hand", "moved")[2:9] == [
        ("out", 30, 1, 2, 5, 100),
        ("hand_for_hand", 30, 1),
        ("moved", 40, 1, 2, 2, 100, 1),
        ("hand", 40, 0, 0, 1, 2),
        ("hand", 40, 1, 0, 1, 3),
        ("hand", 70, 0, 1, 2, 4),
        ("hand", 70, 1, 1, 2, 5),
    ]


# Buying in again.


def test_who_re_enters_sits_down_where_the_fewest_are() -> None:
    played = plan(6, 3, reentry=Again(level=1, chips=100, price=10, fee=0, times=1), payouts=Payouts("top", (100,)))
    script = {(0, 0): {0: 200, 1: 0}, (1, 0): {0: 0, 1: 0, 2: 300}}
    lines = told(played, script, "reentry", "out")
    assert lines[:3] == [
        ("reentry", 1, 1, 0, 2, 100),
        ("reentry", 1, 0, 1, 1, 100),
        ("reentry", 1, 1, 1, 3, 100),
    ]
    assert all(line[0] == "out" and int(line[1]) >= 2 for line in lines[3:])  # level 2 from there on
    assert list(of_players(played, script, "prize").values()) == [(90,)]


def test_rebuys_and_add_ons() -> None:
    rebuy = Again(level=1, chips=150, price=5, fee=0)
    addon = Again(level=1, chips=200, price=7, fee=0)
    played = plan(3, 3, rebuy=rebuy, addon=addon, payouts=Payouts("shares", (1_000_000,)))
    script = {(0, 0): {0: 0, 2: 200}, (0, 1): {1: 0, 2: 300}}
    assert told(played, script, "rebuy", "level", "out", "addon", "prize") == [
        ("level", 0, 1),
        ("rebuy", 1, 0, 0, 0, 150),
        ("level", 2, 2),
        ("out", 2, 0, 1, 1, 100),
        ("addon", 2, 0, 0, 0, 200),
        ("addon", 2, 0, 2, 2, 200),
        ("out", 3, 0, 2, 2, 500),
        ("prize", 3, 0, 3 * 10 + 5 + 2 * 7),
    ]


def test_a_rebuy_comes_before_a_re_entry() -> None:
    once = Again(level=2, chips=100, price=10, fee=0, times=1)
    lines = told(plan(2, 2, rebuy=once, reentry=once), {}, "rebuy", "reentry", "out")
    assert lines == [("rebuy", 1, 0, 1, 1, 100), ("reentry", 2, 0, 1, 1, 100), ("out", 3, 0, 1, 1, 100)]


# Prizes.


def test_a_satellite_is_over_when_all_who_are_left_have_a_seat() -> None:
    played = plan(4, 4, payouts=Payouts("seats", (2,)), prize=11)
    script = {(0, 0): {0: 90, 3: 110}, (0, 1): {0: 210, 1: 190, 2: 0, 3: 0}}
    assert of_players(played, script, "place") == {0: (1, 2), 1: (1, 2), 2: (4, 4), 3: (3, 3)}
    assert of_players(played, script, "prize") == {0: (22,), 1: (22,)}


def test_a_satellite_goes_on_while_anybody_can_buy_in() -> None:
    again = Again(level=1, chips=100, price=10, fee=0, times=1)
    played = plan(4, 4, payouts=Payouts("seats", (3,)), reentry=again, levels=(Level(STAKES, 3), Level(STAKES, 1)))
    script: dict[tuple[int, int], Stacks] = {(0, 0): {0: 200, 3: 0}, (0, 1): {0: 300, 3: 0}, (0, 2): {}}
    assert told(played, script, "reentry", "out", "hand", "level") == [
        ("level", 0, 1),
        ("hand", 0, 0, 3, 0, 0),
        ("reentry", 1, 0, 3, 3, 100),
        ("hand", 1, 0, 0, 1, 1),
        ("out", 2, 0, 3, 3, 100),
        ("hand", 2, 0, 1, 2, 2),
        ("level", 3, 2),
    ]
    assert of_players(played, script, "prize") == {0: (17,), 1: (17,), 2: (16,)}


def test_top_15_percent_of_twenty() -> None:
    def last_gives_all(table: int, number: int, before: Stacks) -> Stacks:
        return before | {max(before): 0, min(before): before[min(before)] + before[max(before)]}

    found = events(plan(20, 8, payouts=Payouts("top", (1500,)), prize=100), SEED, 0, last_gives_all)
    places = {event.amount: event.player for event in found if event.kind == "place"}
    prizes = {event.player: event.amount for event in found if event.kind == "prize"}
    assert prizes == {places[1]: 997, places[2]: 572, places[3]: 431}


# Rounds.


def test_a_shootout_of_nine() -> None:
    played = plan(9, 3, kind="shootout", payouts=Payouts("amounts", (100, 50, 30, 9, 8)))
    script = {
        (0, 0): {0: 0, 1: 200},
        (0, 1): {1: 0, 2: 300},
        (1, 0): {0: 0, 1: 300, 2: 0},
        (2, 0): {2: 0, 1: 200},
        (2, 1): {0: 0, 1: 300},
    }
    assert told(played, script, "round", "hand", "level") == [
        ("round", 0, 0),
        ("level", 0, 1),
        *(("hand", 0, table, 2, 0, table) for table in range(3)),
        *(("hand", 1, table, 0, 1, number) for table, number in ((0, 3), (2, 4))),
        ("level", 2, 2),
        ("round", 0, 1),
        ("level", 0, 1),
        ("hand", 0, 3, 2, 0, 5),
    ]
    assert told(played, script, "seated")[9:] == [
        ("seated", 0, 3, 0, 6, 100),
        ("seated", 0, 3, 1, 4, 100),
        ("seated", 0, 3, 2, 5, 100),
    ]
    seconds, thirds = dict.fromkeys((1, 2, 3, 7), (4, 7)), dict.fromkeys((0, 8), (8, 9))
    assert of_players(played, script, "place") == {6: (1, 1), 4: (2, 3), 5: (2, 3), **seconds, **thirds}
    assert of_players(played, script, "prize") == {6: (100,), 4: (40,), 5: (40,), 3: (5,), 1: (4,), 7: (4,), 2: (4,)}


def test_a_bracket_of_five() -> None:
    played = plan(5, 2, kind="bracket")
    assert [line[2:5] for line in told(played, {}, "seated")] == [
        *[(0, 0, 0), (0, 1, 1)],
        *[(1, 0, 0), (1, 1, 2), (2, 0, 3), (2, 1, 4)],
        *[(3, 0, 0), (3, 1, 3)],
    ]
    assert of_players(played, {}, "place") == {0: (1, 1), 3: (2, 2), 2: (3, 4), 4: (3, 4), 1: (5, 5)}


def test_a_satellite_of_rounds_ends_after_a_round() -> None:
    played = plan(5, 2, kind="bracket", payouts=Payouts("seats", (4,)))
    assert of_players(played, {}, "place") == {1: (5, 5)} | dict.fromkeys((0, 2, 3, 4), (1, 4))
    assert of_players(played, {}, "prize") == {0: (13,), 2: (13,), 3: (12,), 4: (12,)}


# Any tournament.


def replayed(played: Tournament, found: list[Event]) -> Counter[str]:
    """Follow all that is told, and check what must hold of it; how often each kind of event came."""
    at: dict[int, tuple[int, int]] = {}
    chips: dict[int, int] = {}
    hands: Counter[int] = Counter()
    for place, event in enumerate(found):
        here = (event.table, event.seat)
        if event.kind == "round":
            at, chips = {}, {}
        elif event.kind in ("seated", "moved", "reentry"):
            assert here not in [at[player] for player in at if chips[player] > 0]  # who re-enters has left
            assert event.kind != "moved" or at[event.player] == divmod(event.other, 8)
            assert event.kind != "moved" or chips[event.player] == event.amount
            at[event.player], chips[event.player] = here, event.amount
        elif event.kind in ("rebuy", "addon"):
            assert at[event.player] == here
            chips[event.player] += event.amount
        elif event.kind == "hand":
            check_hand(played, found, place, at)
            assert (event.amount, event.other) == (hands[event.table], hands.total())
            hands[event.table] += 1
        elif event.kind == "stack":
            assert at[event.player] == here
            assert chips[event.player] == event.other > 0
            chips[event.player] = event.amount
        elif event.kind == "out":
            assert at.pop(event.player) == here
            assert chips.pop(event.player) == 0
    check_end(played, found)
    return Counter(event.kind for event in found)


def check_hand(played: Tournament, found: list[Event], place: int, at: dict[int, tuple[int, int]]) -> None:
    """All who sit at the table are dealt in, by seat, and the dealer is the right one."""
    hand = found[place]
    sitting = sorted((seat, player) for player, (table, seat) in at.items() if table == hand.table)
    dealt = found[place + 1 : place + 1 + len(sitting)]
    assert [(event.kind, event.table, event.seat, event.player) for event in dealt] == [
        ("stack", hand.table, seat, player) for seat, player in sitting
    ]
    assert found[place + 1 + len(sitting)].kind != "stack"
    assert len(sitting) >= 2
    assert hand.seat == (played.seats - 1 + hand.amount) % played.seats
    assert sum(event.amount - event.other for event in dealt) == 0
    if played.kind == "tables" and played.pace == BY_HANDS:
        sizes = Counter(table for table, _ in at.values()).values()
        assert max(sizes) - min(sizes) <= 1
        assert len(sizes) == max(1, -(-len(at) // played.seats))


def check_end(played: Tournament, found: list[Event]) -> None:
    """Every place is taken once, better places are not those of who went out before, and prizes are told rightly."""
    places = [event for event in found if event.kind == "place"]
    assert [event.player for event in places] == list(range(played.field))
    shares = Counter((event.amount, event.other) for event in places)
    assert all(last - first + 1 == count for (first, last), count in shares.items())
    assert sum(last - first + 1 for first, last in shares) == played.field
    assert sorted(first for first, _ in shares) == [1, *sorted(last + 1 for _, last in shares)[:-1]]
    prizes = {event.player: event.amount for event in found if event.kind == "prize"}
    assert all(prize > 0 for prize in prizes.values())
    assert list(prizes) == sorted(prizes)
    if played.kind == "tables":
        place_of = {event.player: event.amount for event in places}
        order = [place_of[event.player] for event in found if event.kind == "out"]
        assert order == sorted(order, reverse=True)


def test_any_tournament() -> None:
    seen: Counter[str] = Counter()
    for seed in range(600):
        rng = random.Random(seed)
        played = random_plan(rng)
        results, block = random_results(rng, played), rng.randrange(3 * played.field)
        found = events(played, seed, block, results)
        assert found == events(played, seed, block, results)
        seen += replayed(played, found)
        seen[played.kind] += 1
        seen[played.payouts.kind] += 1
        seen["shared place"] += any(event.kind == "place" and event.amount < event.other for event in found)
    usual = (
        "round",
        "level",
        "seated",
        "hand",
        "stack",
        "out",
        "place",
        "prize",
        "moved",
        "broken",
        "reentry",
        "rebuy",
    )
    rare = (
        "addon",
        "hand_for_hand",
        "tables",
        "shootout",
        "bracket",
        "shares",
        "amounts",
        "top",
        "seats",
        "seat_value",
    )
    assert all(seen[kind] >= 200 for kind in usual)
    assert all(seen[kind] >= 40 for kind in (*rare, "shared place"))


def test_random_results_keep_chips_and_are_the_same_again() -> None:
    results = RandomResults(seed=1, ante=5)
    again = RandomResults(seed=1, ante=5)
    before = {0: 100, 2: 100, 3: 7, 7: 40}
    for number in range(300):
        after = results(2, number, before)
        assert after == again(2, number, before)
        assert list(after) == list(before)
        assert sum(after.values()) == sum(before.values())
        assert min(after.values()) >= 0


def test_a_broken_hand_is_refused() -> None:
    with pytest.raises(AssertionError, match="made or lost chips"):
        events(plan(2, 2), SEED, 0, lambda table, number, before: {0: 100, 1: 99})
    with pytest.raises(AssertionError, match="does not end"):
        events(plan(2, 2), SEED, 0, lambda table, number, before: before)
