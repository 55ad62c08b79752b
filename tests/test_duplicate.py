"""Duplicate deals: each block in every arrangement that counts, with the same cards."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_experiments import entrant, experiment, scenario, square_sum, written

from razz_sim.batch import NoSuchHand, Replayed, play_batch, replay_hand
from razz_sim.experiment import Batch, Entrant, Scenario, Session
from razz_sim.places import HandPlace
from razz_sim.statistics import scenario_result
from razz_sim.strategy import check_params, find_strategy
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally

SEED = 11
SINGLE = Session()
E = {name: place for place, name in enumerate(ENTRANT_COLUMNS)}
T = {name: place for place, name in enumerate(TABLE_COLUMNS)}


def seated(*counts: int) -> tuple[Entrant, ...]:
    """Entrants that play differently, in so many seats each."""
    specs = ("tight", "random", "maniac", "stealer", "caller", "rock", "best", "adaptive")
    return tuple(entrant(spec, spec, seats) for spec, seats in zip(specs, counts, strict=False))


def duplicated(*counts: int, blocks: int = 40, session: Session = SINGLE) -> Scenario:
    some = replace(scenario(seated(*counts), hands=session.hands), session=session)
    some = replace(some, duplicate=True, hands=session.hands * sum(counts) * 60)
    return replace(some, hands=blocks * some.block_hands)


def played(some: Scenario) -> tuple[np.ndarray, np.ndarray]:
    counted = play_batch(some, SEED, Batch(0, 0, 0, some.blocks, some.hands))
    return counted.table, counted.entrants


def third_street(replayed: Replayed) -> list[tuple[int, ...]]:
    """The cards of third street, by seat."""
    return [tuple(replayed.hand.cards(seat)[:3]) for seat in range(len(replayed.entrants))]


def tallied(some: Scenario) -> Tally:
    tally = some.tally()
    for batch in experiment(some).batches(10**6):
        play_batch(some, SEED, batch).add_to(tally)
    return tally


COUNTS = [(1, 1), (1, 5), (2, 4), (3, 3), (4, 2), (1, 1, 1), (1, 2, 3), (2, 2, 2), (1,) * 8, (2, 6)]
REPLICAS = [2, 6, 3, 2, 3, 3, 6, 3, 8, 4]


@pytest.mark.parametrize(("counts", "replicas"), list(zip(COUNTS, REPLICAS, strict=True)), ids=str)
def test_each_entrant_holds_every_seat_s_cards_in_its_share_of_different_arrangements(
    counts: tuple[int, ...], replicas: int
) -> None:
    some = duplicated(*counts, blocks=6)
    assert some.replicas == replicas
    orders = set()
    for block in range(some.blocks):
        hands = [replay_hand(some, SEED, block * replicas + replica) for replica in range(replicas)]
        assert all(third_street(one) == third_street(hands[0]) for one in hands)
        arrangements = [tuple(who.name for who in one.entrants) for one in hands]
        assert len(set(arrangements)) == replicas
        for names in zip(*arrangements, strict=True):
            assert Counter(names) == {who.name: who.seats * replicas // some.seats for who in some.lineup}
        orders.add(arrangements[0])
        assert all(sorted(one.copies) == list(range(some.seats)) for one in hands)
    assert len(orders) > 1, "the order is drawn anew for each block"


@pytest.mark.parametrize("session", [SINGLE, Session(5, carry=True, top_up=True)], ids=["hands", "sessions"])
@pytest.mark.parametrize("counts", [(1, 1), (2, 4), (1, 1, 1)], ids=str)
def test_a_block_is_all_its_arrangements_together(counts: tuple[int, ...], session: Session) -> None:
    some = duplicated(*counts, blocks=12, session=session)
    table, entrants = played(some)
    assert (table[T["blocks"]], table[T["hands"]]) == (12, 12 * some.block_hands)
    nets = np.zeros((some.blocks, len(counts)), dtype=int)
    for number in range(some.hands):
        one = replay_hand(some, SEED, number)
        for who, before, after in zip(one.entrants, one.hand.starting_stacks, one.hand.stacks, strict=True):
            nets[number // some.block_hands, some.lineup.index(who)] += after - before
    assert entrants[:, E["net"]].tolist() == nets.sum(axis=0).tolist()
    for who in range(len(counts)):
        assert square_sum(entrants[who], E["net_sq_0"]) == int((nets[:, who] ** 2).sum())


def test_equals_are_equal_to_the_chip_in_every_block() -> None:
    lineup = tuple(replace(entrant("tight", "tight"), name=name) for name in ("one", "other", "third"))
    some = replace(scenario(lineup, hands=3 * 2000), duplicate=True)
    some = replace(some, stakes=replace(some.stakes, rake=None))
    _, entrants = played(some)
    assert entrants[:, E["net"]].tolist() == [0, 0, 0]
    assert [square_sum(row, E["net_sq_0"]) for row in entrants] == [0, 0, 0]


REMEMBERS = """
@strategy(memory=1)
def bot(view, params, memory, u):
    memory[0] += 1
    return stay_or_fold(view) if memory[0] > 9 else raise_or_stay(view)
"""
REMEMBERS_IN_PYTHON = """
@strategy
class bot:
    def __init__(self):
        self.asked = 0

    def act(self, view, u):
        self.asked += 1
        return stay_or_fold(view) if self.asked > 9 else raise_or_stay(view)
"""


def test_what_copies_remember_begins_anew_in_each_arrangement() -> None:
    def totals(text: str) -> list[list[int]]:
        lineup = (written("bot", text), entrant("maniac", "maniac"))
        session = Session(8)
        some = replace(scenario(lineup, hands=16 * 30), session=session, duplicate=True)
        table, entrants = played(some)
        alone = replace(some, duplicate=False)
        assert entrants.tolist() != played(alone)[1].tolist()
        return [table.tolist(), *entrants.tolist()]

    assert totals(REMEMBERS) == totals(REMEMBERS_IN_PYTHON)


@pytest.mark.parametrize("session", [SINGLE, Session(20, carry=True)], ids=["hands", "sessions that end early"])
def test_strategies_asked_in_rows_play_the_same(session: Session) -> None:
    def totals(spec: str) -> list[list[int]]:
        source = find_strategy(spec, Path(__file__).parent)
        lineup = (Entrant("tight", source, check_params(source, {"limit": 8})), entrant("dice", "random", 2))
        some = replace(scenario(lineup, hands=session.hands * 3 * 40), session=session, duplicate=True)
        some = replace(some, stack=10 * some.stakes.big_bet)
        for number in (0, session.hands, 2 * session.hands + session.hands // 2):
            try:
                shown = replay_hand(some, SEED, number)
            except NoSuchHand:
                continue
            assert shown.hand.starting_stacks
        table, entrants = played(some)
        return [table.tolist(), *entrants.tolist()]

    assert totals("tight") == totals("bots/tight_in_rows.py:Tight")


def test_a_session_that_ends_early_ends_its_arrangement_only() -> None:
    lineup = (entrant("maniac", "maniac"), entrant("dice", "random"))
    some = replace(scenario(lineup, hands=2 * 50 * 30), session=Session(50, carry=True), duplicate=True)
    some = replace(some, stack=5 * some.stakes.big_bet)
    table, _ = played(some)
    assert table[T["hands"]] < some.hands
    begun = [replay_hand(some, SEED, block * 100 + 50) for block in range(30)]
    assert all(one.hand.starting_stacks == [some.stack] * 2 for one in begun)
    ended = 0
    for number in range(some.hands):
        try:
            replay_hand(some, SEED, number)
        except NoSuchHand:
            ended += 1
    assert table[T["hands"]] == some.hands - ended


def test_pieces_add_up() -> None:
    some = duplicated(1, 2, 3, blocks=50, session=Session(3))
    whole_table, whole_entrants = played(some)
    parts = [
        play_batch(some, SEED, Batch(0, first // some.bin_size, first, stop, (stop - first) * some.block_hands))
        for first, stop in ((0, 1), (1, 13), (13, 50))
    ]
    assert sum(part.table for part in parts).tolist() == whole_table.tolist()
    assert sum(part.entrants for part in parts).tolist() == whole_entrants.tolist()


def test_every_hand_has_a_place_of_its_own() -> None:
    some = experiment(duplicated(1, 1, blocks=5, session=Session(3)))
    places = [HandPlace.of_number(number, 0, some) for number in range(some.hands)]
    assert [str(place) for place in places[:8]] == [f"1/1/{n // 6}/{n // 3 % 2}/{n % 3}" for n in range(8)]
    assert [HandPlace.parse(str(place), some) for place in places] == places
    with pytest.raises(ValueError, match="there is no replica 2 in a block of scenario '2/4': they are 0 to 1"):
        HandPlace.parse("1/1/0/2/0", some)


def test_what_they_gain_is_the_plain_error_over_theirs() -> None:
    """Against as many hands dealt anew, whose errors are as large as the squares of the hands say."""
    some = duplicated(1, 1, blocks=4000)
    plain = replace(some, duplicate=False)
    hero = scenario_result(some, tallied(some)).entrants[0]
    other = scenario_result(plain, tallied(plain)).entrants[0]
    assert hero.std_error
    assert other.std_error
    assert hero.duplicate_gain == pytest.approx((other.std_error / hero.std_error) ** 2, rel=0.1)
    assert hero.duplicate_gain > 1


def test_hands_that_are_no_whole_blocks_are_refused() -> None:
    with pytest.raises(ValueError, match="hands 301 must be a multiple of 2: a block is 1 in each of 2 arrangements"):
        replace(duplicated(1, 1), hands=301)
