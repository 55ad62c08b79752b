"""What tournaments say of entrants: figures against the totals, intervals that hold, how many tournaments tell."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from small_experiments import entrant
from small_tournaments import SEED, plan, scenario, shared

from razz_sim.batch.tournaments import TournamentLoop
from razz_sim.experiment import Batch, Scenario
from razz_sim.statistics.rates import convergence
from razz_sim.statistics.tournaments import LEAST_TO_TELL, TournamentResult, tournament_result
from razz_sim.structures import Again, Payouts
from razz_sim.tally import MONEY_COLUMNS, Tally

M = {name: place for place, name in enumerate(MONEY_COLUMNS)}


def counted(some: Scenario, seed: int = SEED) -> Tally:
    """All tournaments of a scenario."""
    tally, loop = some.tally(), TournamentLoop(some, seed)
    for first in range(0, some.blocks, some.shard_size):
        stop = min(first + some.shard_size, some.blocks)
        loop.play(Batch(0, first // some.bin_size, first, stop, 0)).add_to(tally)
    return tally


def of_two(field: int, tournaments: int, first: str = "tight", other: str = "caller", **others: object) -> Scenario:
    """Half of a field against the other half."""
    lineup = shared(field, [entrant("first", first), entrant("other", other)])
    return scenario(plan(field, **others), lineup, tournaments=tournaments)


@cache
def played(field: int, tournaments: int, again: bool = False) -> tuple[Scenario, Tally, TournamentResult]:
    """Tournaments, what was counted, and what they say."""
    offer = Again(level=2, chips=500, price=100, fee=10, times=1)
    some = of_two(field, tournaments, reentry=offer if again else None)
    tally = counted(some)
    return some, tally, tournament_result(some, tally)


@pytest.mark.parametrize("again", [False, True])
def test_returns_are_nets_over_what_was_paid_in(again: bool) -> None:
    _, tally, result = played(12, 120, again)
    for index, one in enumerate(result.entrants):
        money = tally.money[:, index].sum(axis=0)
        assert one.net == one.prizes - one.paid_in == money[M["prizes"]] - money[M["paid_in"]]
        assert one.rates.real.value == pytest.approx(100 * one.net / one.paid_in)
        assert one.paid_in == 110 * (one.players + one.reentries)
        assert one.fees == 10 * (one.players + one.reentries)
    assert sum(one.prizes for one in result.entrants) == 100 * (
        12 * 120 + sum(one.reentries for one in result.entrants)
    )


def test_the_field_in_order_says_what_the_entrants_do() -> None:
    _, _, result = played(12, 120)
    of_entrants = {one.entrant.name: one.rates.real.value for one in result.entrants}
    assert [one.name for one in result.field] == sorted(of_entrants, key=lambda name: -of_entrants[name])
    for one in result.field:
        assert one.result.value == pytest.approx(of_entrants[one.name])


def test_places_add_up() -> None:
    _, _, result = played(12, 120)
    for one in result.entrants:
        assert sum(at.share.count for at in one.places) == one.players
        so_far = np.cumsum([at.share.count for at in one.places])
        assert [at.or_better.count for at in one.places] == so_far.tolist()
        assert one.places[0].share.count >= one.wins.count


def test_who_never_cashed_is_not_sure_never_to_do() -> None:
    some = of_two(12, 60, "tight", "folder", payouts=Payouts("shares", (1_000_000,)))
    result = tournament_result(some, counted(some))
    never = result.entrants[1]
    assert (never.prizes, never.rates.real.value) == (0, -100)
    assert (never.rates.real.std_error, never.rates.real.ci95) == (None, None)
    assert never.wins.ci95 is not None
    low, high = never.wins.ci95
    assert low == 0
    assert 1 / never.players < high < 6 / never.players  # of so many players, not of so many tournaments


def test_intervals_of_shares_are_no_wider_than_of_independent_players() -> None:
    """Players of one tournament depend on one another mostly so that they are known better together."""
    _, _, result = played(12, 120)
    for one in result.entrants:
        fraction = one.cashed.fraction
        assert fraction is not None
        assert one.cashed.ci95 is not None
        half = (one.cashed.ci95[1] - one.cashed.ci95[0]) / 2
        assert half < 1.5 * 1.96 * np.sqrt(fraction * (1 - fraction) / one.players) + 1 / one.players


def test_intervals_of_returns_hold_19_times_in_20() -> None:
    """Equal entrants return minus the fee: 100 runs of 100 tournaments each, a limit that one in 10,000 fails."""
    some = of_two(6, 100, "caller", "caller")
    truth = -100 * 10 / 110
    held = 0
    for seed in range(100):
        first = tournament_result(some, counted(some, seed)).entrants[0].rates.real
        assert first.ci95 is not None
        held += first.ci95[0] <= truth <= first.ci95[1]
    assert 86 <= held <= 100


def test_tournaments_are_independent_of_each_other() -> None:
    """In a bracket of half and half the interval of a mean place holds; one kept pairs together for a whole cycle."""
    played = plan(16, 2, kind="bracket", payouts=Payouts("seats", (8,)))
    lineup = shared(16, [entrant("first", "tight"), entrant("other", "loose_passive")])
    long_run = scenario(played, lineup, tournaments=4_000)
    truth = tournament_result(long_run, counted(long_run, 1000)).entrants[0].place.value
    some = scenario(played, lineup, tournaments=64)
    held = 0
    for seed in range(50):
        found = tournament_result(some, counted(some, seed)).entrants[0].place.ci95
        assert found is not None
        held += found[0] <= truth <= found[1]
    assert held >= 40


def test_who_meets_whom_first_is_drawn_anew_in_each_tournament() -> None:
    loop = TournamentLoop(scenario(plan(16, 2, kind="bracket", payouts=Payouts("seats", (8,)))), SEED)
    met = set()
    for block in range(40):
        tables = {event.player: event.table for event in loop.events(block) if event.kind == "seated"}
        first = {event.player: event.table for event in loop.events(block)[:18] if event.kind == "seated"}
        assert len(tables) == len(first) == 16
        met |= {player for player, table in first.items() if player and table == first[0]}
    assert len(met) >= 12


def test_a_mean_prize_reaches_as_far_as_the_share_in_the_money() -> None:
    some = of_two(16, 200, payouts=Payouts("seats", (4,)))
    for stacks in tournament_result(some, counted(some)).stacks.values():
        for stack in stacks:
            assert (stack.prize.ci95 is None) == (stack.players < LEAST_TO_TELL or not stack.prize.std_error)
            if stack.prize.ci95 is not None and stack.cashed.ci95 is not None:
                assert stack.cashed.fraction
                each = stack.prize.value / stack.cashed.fraction
                assert stack.prize.ci95[0] <= each * stack.cashed.ci95[0] + 1e-9
                assert stack.prize.ci95[1] >= each * stack.cashed.ci95[1] - 1e-9


def test_as_many_tournaments_as_are_told_tell_two_apart_in_four_of_five_runs() -> None:
    """`tight` against a looser `tight` heads-up: 60 runs of the number that a long run tells, with other seeds."""
    lineup = entrant("first", "tight", limit=8), entrant("other", "tight", limit=10)
    long_run = scenario(plan(2, payouts=Payouts("shares", (1_000_000,))), lineup, tournaments=20_000)
    (pair,) = tournament_result(long_run, counted(long_run)).pairs
    assert pair.tournaments is not None
    assert LEAST_TO_TELL <= pair.tournaments < 5000
    some = replace(long_run, hands=pair.tournaments * long_run.block_hands)
    told = 0
    for seed in range(100, 160):
        difference = tournament_result(some, counted(some, seed)).pairs[0].versus.difference
        told += difference.ci95 is not None and not difference.ci95[0] <= 0 <= difference.ci95[1]
    assert 36 <= told <= 59


def test_seats_won_of_a_satellite_are_those_in_the_first_places() -> None:
    some = of_two(16, 80, payouts=Payouts("seats", (4,)))
    result = tournament_result(some, counted(some))
    seats = [next(at.or_better.count for at in one.places if at.last == 4) for one in result.entrants]
    assert sum(seats) == 4 * 80
    assert seats == [one.cashed.count for one in result.entrants]


def test_stacks_of_all_are_those_of_the_entrants() -> None:
    _, _, result = played(12, 120)
    for moment, stacks in result.stacks.items():
        parts = [stack for one in result.entrants for stack in one.stacks[moment]]
        assert sum(stack.players for stack in stacks) == sum(stack.players for stack in parts)
        assert all(stack.prize.ci95 is not None for stack in stacks if stack.players > 30)


def test_returns_settle_tournament_by_tournament() -> None:
    some, tally, result = played(12, 120)
    points = convergence(some, tally, 0)
    assert points[-1][0] == 120
    assert points[-1][1].value == result.entrants[0].rates.real.value


def test_prizes_of_a_mean_pool_are_told() -> None:
    _, _, result = played(12, 120, True)
    assert sum(result.course.prizes) == round(result.course.pool.value)
    assert result.course.fees.value == pytest.approx(sum(one.fees for one in result.entrants) / 120)
