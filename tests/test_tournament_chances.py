"""Who wins how often, where that is known: identical entrants, folders, and callers with so many chips left.

All seeds are fixed: nothing here fails now and then. Thresholds are set so that a sound engine with other seeds would
fail a test less than once in ten thousand times.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chi2
from small_experiments import entrant, written
from small_tournaments import (
    LEVELS,
    SEED,
    batch,
    events_of,
    hands_of,
    level,
    of_kind,
    plan,
    scenario,
)

from razz_sim.batch.tournaments import TournamentEvent, TournamentLoop, Undecided
from razz_sim.experiment import Entrant, Scenario
from razz_sim.structures import WHOLE, Again, Payouts, Tournament
from razz_sim.tally import ENTRANT_COLUMNS
from razz_sim.tally.columns import FINISH_COLUMNS, MONEY_COLUMNS

FALSE_ALARM = 1e-4
QUICK = tuple(replace(one, length=4) for one in LEVELS)
IDENTICAL = {
    "sit-and-go": (plan(8, levels=QUICK), 1, "loose_passive", 4000),
    "winner takes all": (plan(4, seats=4, levels=QUICK, payouts=Payouts("shares", (WHOLE,))), 1, "random", 6000),
    "tables": (plan(24, seats=6, levels=QUICK, payouts=Payouts("top", (1500,))), 6, "tight", 1600),
    "re-entries": (plan(18, seats=7, levels=QUICK, reentry=Again(3, 500, 100, 10)), 6, "maniac", 1600),
    "shootout": (plan(16, seats=4, kind="shootout", levels=QUICK), 4, "stealer", 1600),
    "bracket": (plan(8, seats=2, kind="bracket", levels=QUICK), 2, "caller", 3000),
    "satellite": (plan(12, seats=6, levels=QUICK, payouts=Payouts("seats", (4,))), 3, "rock", 1600),
}


def same_strategy(name: str, entrants: int, seats: int) -> tuple[Entrant, ...]:
    """So many entrants with one strategy and as many players."""
    return tuple(entrant(f"{name} {letter}", name, seats=seats) for letter in "abcdefgh"[:entrants])


def finishes_and_gains(
    played: Tournament, lineup: tuple[Entrant, ...], tournaments: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """By tournament and entrant: players by the first place they share, money won less paid for prizes, money paid."""
    some = scenario(played, lineup, tournaments=tournaments)
    loop = TournamentLoop(some, SEED)
    first = FINISH_COLUMNS.index("place_1")
    places = np.zeros((tournaments, len(lineup), played.field), dtype=np.int64)
    gains, paid = np.zeros((2, tournaments, len(lineup)), dtype=np.int64)
    for block in range(tournaments):
        totals = loop.play(batch(some, block, block + 1)).totals
        money = dict(zip(MONEY_COLUMNS, totals.money[0].T, strict=True))
        places[block] = totals.finishes[:, first : first + played.field]
        paid[block] = money["paid_in"]
        gains[block] = totals.entrants[0, :, ENTRANT_COLUMNS.index("net")] + money["fees"]
        assert (gains[block] + money["paid_in"] - money["fees"] == money["prizes"]).all()
        assert gains[block].sum() == 0
    return places, gains, paid


def evidence_against_alike(places: np.ndarray) -> float:
    """How likely such differences are if each tournament's places, shared ones too, are dealt to players at random.

    An entrant with s of F players has s c / F of a place that c of them have; the covariance of places i and j is then
    s (1 - s / F) (c_i [i = j] - c_i c_j / F) / (F - 1), and between entrants as if their players were drawn together.
    """
    entrants, field = places.shape[1:]
    counts = places.sum(axis=1).astype(float)
    covariance = (np.diag(counts.sum(axis=0)) - counts.T @ counts / field) * (field / entrants) / (field - 1)
    off = places.sum(axis=0) - counts.sum(axis=0) / entrants
    statistic = np.trace(off @ np.linalg.pinv(covariance) @ off.T)
    return float(chi2.sf(statistic, (entrants - 1) * np.linalg.matrix_rank(covariance)))


@pytest.mark.parametrize("name", IDENTICAL)
def test_identical_entrants_have_every_place_alike_and_lose_the_fees(name: str) -> None:
    played, seats, strategy, tournaments = IDENTICAL[name]
    lineup = same_strategy(strategy, played.field // seats, seats)
    places, gains, paid = finishes_and_gains(played, lineup, tournaments)
    assert (places.sum(axis=2) == seats).all()
    assert evidence_against_alike(places) > FALSE_ALARM
    error = gains.std(axis=0, ddof=1) / tournaments**0.5
    assert (abs(gains.mean(axis=0)) < 4 * error).all()
    assert (error < 0.05 * paid.mean(axis=0)).all()


def test_entrants_who_are_not_alike_are_told_apart() -> None:
    played = IDENTICAL["tables"][0]
    lineup = (*same_strategy("tight", 3, 6), entrant("rock", "rock", seats=6))
    places, gains, _ = finishes_and_gains(played, lineup, 400)
    assert evidence_against_alike(places) < FALSE_ALARM
    assert gains.mean(axis=0)[3] < -4 * gains.std(axis=0)[3] / 20


# Chips are chances, where strategies never fold.


def heads_up_begins(played: Tournament, some: Scenario, tournaments: int) -> tuple[np.ndarray, np.ndarray]:
    """For each tournament that comes down to two: what part of the chips the player with more has, whether it wins."""
    shares, won = [], []
    loop = TournamentLoop(some, SEED)
    for block in range(tournaments):
        events = loop.events(block)
        two = next((hand for hand in hands_of(played, events) if len(hand.before) == 2), None)
        if two is None:
            continue
        seat = max(two.before, key=two.before.__getitem__)
        share = two.before[seat] / sum(two.before.values())
        if share > 0.5:
            winner = next(event.player for event in of_kind(events, "place") if event.amount == 1)
            shares.append(share)
            won.append(winner == two.players[seat])
    return np.array(shares), np.array(won)


def test_with_two_left_chips_are_chances_of_strategies_that_never_fold() -> None:
    """Whatever both put in is the same and the better cards take it: an even bet, whoever raises."""
    levels = level(10, 10, 30, 5), level(30, 20, 60, 5), level(60, 40, 120, 5), level(200, 100, 400)
    played = plan(3, seats=3, stack=1000, levels=levels)
    raises = "def bot(view, params, memory, u):\n    return raise_or_stay(view) if uniform(u, 0) < 0.3 else STAY\n"
    lineup = (written("raises", raises, seats=2), entrant("caller", "caller"))
    shares, won = heads_up_begins(played, scenario(played, lineup, tournaments=5000), 5000)
    assert len(shares) > 4000
    spread = shares * (1 - shares)
    assert abs((won - shares).sum()) < 4 * spread.sum() ** 0.5
    bins = np.minimum((shares * 10).astype(int), 9)
    cells = [(won - shares)[bins == one].sum() ** 2 / spread[bins == one].sum() for one in range(5, 10)]
    assert all((bins == one).sum() > 400 for one in range(5, 10))
    assert chi2.sf(sum(cells), len(cells)) > FALSE_ALARM


# Folders.


def test_an_always_folder_goes_out_when_arithmetic_says() -> None:
    """Each hand costs it the ante of 100 and at most the bring-in of 1: its tenth begins with 91 to 100, all-in."""
    played = plan(6, seats=6, stack=1000, levels=(level(100, 1, 100, 1000),))
    some = scenario(played, (entrant("folder", "folder"), entrant("maniac", "maniac", seats=5)), tournaments=400)
    loop = TournamentLoop(some, SEED)
    ended = Counter[str]()
    for block in range(400):
        events = loop.events(block)
        ended[how_the_folder_ends(played, events)] += 1
    assert set(ended) == {"out in its tenth hand", "won its tenth hand"}
    assert min(ended.values()) > 150  # by then most often one rival is left, and the cards of two decide


def how_the_folder_ends(played: Tournament, events: list[TournamentEvent]) -> str:
    """What becomes of player 0 up to its tenth hand, every stack before that checked."""
    hands = [hand for hand in hands_of(played, events) if 0 in hand.players.values()]
    for number, hand in enumerate(hands[:10]):
        seat = next(seat for seat, player in hand.players.items() if player == 0)
        assert 1000 - 101 * number <= hand.before[seat] <= 1000 - 100 * number
        if number == 9:
            assert hand.before[seat] <= 100
            if hand.after[seat] > 0:
                return "won its tenth hand"
            out = next(event for event in of_kind(events, "out") if event.player == 0)
            assert (out.clock, out.amount) == (hand.clock + 1, hand.before[seat])
            place = next(event for event in of_kind(events, "place") if event.player == 0)
            assert place.other <= hand.left
            assert place.amount >= 2
            return "out in its tenth hand"
        assert hand.after[seat] < hand.before[seat], "it folds, and wins nothing"
    raise AssertionError("the folder has no tenth hand")


def test_folders_alone_end_as_the_levels_rise() -> None:
    played = plan(9, seats=5)
    events = events_of(scenario(played, (entrant("folder", "folder", seats=9),)))
    assert max(event.amount for event in of_kind(events, "level")) == len(LEVELS)
    assert sorted(event.amount for event in of_kind(events, "place")) == list(range(1, 10))


def test_a_tournament_that_cannot_end_says_why() -> None:
    played = plan(4, seats=4, stack=1_000_000, levels=(level(1, 1, 2),))
    some = scenario(played, (entrant("ann", "folder"), entrant("bob", "folder", seats=3)))
    says = (
        "tournament 3 of scenario 'small' is not decided after 108,000 hands: 4 players are left (ann, bob), and an "
        "ante of 1 is too little for 4,000,000 chips: add levels"
    )
    with pytest.raises(Undecided, match=re.escape(says)):
        TournamentLoop(some, SEED).play(batch(some, 3, 4))
