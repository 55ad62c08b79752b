"""The totals of tournaments, counted again slowly from their events; and that they do not depend on batches."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from random_tournaments import random_plan
from small_experiments import square_sum
from small_tournaments import (
    LIBRARY,
    SEED,
    Told,
    batch,
    entries_and_pool,
    hands_of,
    of_kind,
    of_library,
    plan,
    scenario,
)

from razz_sim.batch import replay_hand
from razz_sim.batch.tournaments import TournamentEvent, TournamentLoop
from razz_sim.experiment import Scenario
from razz_sim.structures import Again, Tournament
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Totals
from razz_sim.tally.columns import BUCKETS, COURSE_COLUMNS, FINISH_COLUMNS, MONEY_COLUMNS, bucket_start
from razz_sim.tally.core import PARTS

CLASSES = ("0", "1/4", "1/2", "1", "2", "4")


@dataclass
class SlowCount:
    """What tournaments count for, by entrant and in all; columns by name."""

    money: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    finishes: dict[int, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    course: Counter[str] = field(default_factory=Counter)
    nets: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    dealt_in: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True)
class Moment:
    """Who is left with what stacks when hands are over, and nothing has begun yet."""

    stacks: dict[int, int]
    level: int
    reentries: int
    rebuys: int
    addons: int


def moments(played: Tournament, events: Sequence[TournamentEvent]) -> list[Moment]:
    """All moments after which play goes on, in order; at the end of a round that is the start of the next.

    A hand's stacks count when it is over: the pace says when, hand-for-hand that of the slowest table.
    """
    found = []
    bought: Counter[str] = Counter()
    level, held = 1, False
    stacks: dict[int, int] = {}
    pending: list[tuple[int, dict[int, int]]] = []  # when it is over, and the stacks after it
    hands = {hand.number: hand for hand in hands_of(played, events)}
    for at, group in grouped(events):
        for over, after in pending:
            stacks |= after if over <= at else {}
        pending = [(over, after) for over, after in pending if over > at]
        begun = []
        for event in group:
            if event.kind == "round":
                alive = {player for player, stack in stacks.items() if stack > 0} or set(range(played.field))
                stacks, pending = dict.fromkeys(alive, played.stack), []
            elif event.kind == "level":
                level = event.amount
            elif event.kind == "hand_for_hand":
                held = bool(event.amount)
            elif event.kind in ("reentry", "rebuy", "addon"):
                bought[event.kind] += 1
                stacks[event.player] += event.amount
            elif event.kind == "out":
                del stacks[event.player]
            elif event.kind == "hand":
                begun.append(hands[event.other])
        lasts = [played.pace[len(hand.before)] for hand in begun]
        for hand, time in zip(begun, lasts, strict=True):
            after = {hand.players[seat]: stack for seat, stack in hand.after.items()}
            pending.append((at + (max(lasts) if held else time), after))
        if not any(event.kind == "place" for event in group) and (begun or pending):
            found.append(Moment(dict(stacks), level, bought["reentry"], bought["rebuy"], bought["addon"]))
    return found


def grouped(events: Sequence[TournamentEvent]) -> list[tuple[int, list[TournamentEvent]]]:
    """The events moment by moment; a new round is a new moment."""
    groups: list[tuple[int, list[TournamentEvent]]] = []
    for event in events:
        if not groups or event.kind == "round" or groups[-1][0] != event.clock:
            groups.append((event.clock, []))
        groups[-1][1].append(event)
    return groups


def stack_class(moment: Moment, stack: int) -> str:
    """The class of a stack: from what part of the average on it is."""
    part = Fraction(stack * len(moment.stacks), sum(moment.stacks.values()))
    return next(name for name in CLASSES[::-1] if part >= Fraction(name))


def place_column(first: int) -> str:
    """The column of a place: they are counted one by one up to the 32nd, then together."""
    return f"place_{max(bucket_start(one) for one in range(BUCKETS) if bucket_start(one) < first) + 1}"


def stacks_at(played: Tournament, events: Sequence[TournamentEvent]) -> dict[str, Moment]:
    """When stacks are looked at: half is out; one more than is paid, or fewer, are left when nobody may buy in."""
    found: dict[str, Moment] = {}
    for moment in moments(played, events):
        entries, pool = entries_and_pool(played, moment.reentries, moment.rebuys, moment.addons)
        closed = all(offer is None or moment.level > offer.level for offer in (played.reentry, played.rebuy))
        if 2 * len(moment.stacks) <= played.field:
            found.setdefault("half", moment)
        if closed and len(moment.stacks) <= played.payouts.places(entries, played.field, pool) + 1:
            found.setdefault("bubble", moment)
    return found


def add_tournament(some: Scenario, events: Sequence[TournamentEvent], count: SlowCount) -> None:
    """Count one tournament."""
    played = some.tournament
    assert played is not None
    owner = some.entrant_of_copy
    hands = hands_of(played, events)
    prizes = {event.player: event.amount for event in of_kind(events, "prize")}
    nets: Counter[int] = Counter(dict.fromkeys(range(len(some.lineup)), 0))
    looks = stacks_at(played, events)
    for place in of_kind(events, "place"):
        player, first = place.player, place.amount
        money, finishes, prize = count.money[owner[player]], count.finishes[owner[player]], prizes.get(player, 0)
        won = first == place.other == 1
        paid, fees = add_purchases(played, events, player, money)
        money += Counter(
            {"players": 1, "paid_in": paid, "fees": fees, "prizes": prize, "cashed": prize > 0, "wins": won}
        )
        money["places"] += first + place.other
        nets[owner[player]] += prize - paid
        finishes[place_column(first)] += 1
        for name, moment in looks.items():
            if player in moment.stacks:
                column = f"{name}_{stack_class(moment, moment.stacks[player])}"
                finishes += Counter({f"{column}_players": 1, f"{column}_cashed": prize > 0, f"{column}_wins": won})
                finishes[f"{column}_prizes"] += prize
    for entrant, net in nets.items():
        count.nets[entrant].append(net)
    for out in of_kind(events, "out"):
        level = [hand.level for hand in hands if out.player in hand.players.values()][-1]
        count.finishes[owner[out.player]][f"out_{level}"] += 1
        count.course[f"out_{level}"] += 1
    for hand in hands:
        count.dealt_in.update(owner[player] for player in hand.players.values())
    add_course(played, events, hands, count.course)


def add_purchases(
    played: Tournament, events: Sequence[TournamentEvent], player: int, money: Counter[str]
) -> tuple[int, int]:
    """Count what a player bought after the start; what it paid in all, and how much of that are fees."""
    paid, fees = played.prize + played.fee, played.fee
    for kind, column in (("reentry", "reentries"), ("rebuy", "rebuys"), ("addon", "addons")):
        offer = getattr(played, kind)
        times = sum(event.player == player for event in of_kind(events, kind))
        money[column] += times
        if offer is not None:
            paid += times * (offer.price + offer.fee)
            fees += times * offer.fee
    return paid, fees


def add_course(
    played: Tournament, events: Sequence[TournamentEvent], hands: Sequence[Told], course: Counter[str]
) -> None:
    """Count the tournament itself, level by level; its pots the events do not tell."""
    bought = Counter(event.kind for event in events)
    entries, pool = entries_and_pool(played, bought["reentry"], bought["rebuy"], bought["addon"])
    ends = [events[place - 1].clock for place, event in enumerate(events) if event.kind == "round" and place]
    course += Counter({"tournaments": 1, "entries": entries, "pool": pool})
    course["end_level"] += of_kind(events, "level")[-1].amount
    course["end_time"] += sum(ends) + events[-1].clock
    first_at = {hand.level: hand for hand in reversed(hands)}
    for level, hand in first_at.items():
        course += Counter({f"reached_{level}": 1, f"left_{level}": hand.left, f"chips_{level}": hand.chips})
    for hand in hands:
        course += Counter({f"hands_{hand.level}": 1, f"dealt_in_{hand.level}": len(hand.before)})


def by_name(columns: Sequence[str], row: np.ndarray, *, but: str = "-") -> dict[str, int]:
    """The columns of a row that are not 0, but those whose name begins so."""
    found = zip(columns, row.tolist(), strict=True)
    return {name: value for name, value in found if value and not name.startswith(but)}


def check_totals(some: Scenario, count: SlowCount, totals: Totals) -> None:
    """The engine counted the same, to the last number."""
    core = totals.entrants.sum(axis=0)
    net_sq, adjusted_sq = (ENTRANT_COLUMNS.index(name) for name in ("net_sq_0", "adjusted_sq_0"))
    for entrant in range(len(some.lineup)):
        assert by_name(MONEY_COLUMNS, totals.money.sum(axis=0)[entrant]) == +count.money[entrant]
        assert by_name(FINISH_COLUMNS, totals.finishes[entrant]) == +count.finishes[entrant]
        assert core[entrant, ENTRANT_COLUMNS.index("hands")] == count.dealt_in[entrant]
        nets = count.nets[entrant]
        assert core[entrant, ENTRANT_COLUMNS.index("net")] == sum(nets)
        assert core[entrant, ENTRANT_COLUMNS.index("adjusted")] == PARTS * sum(nets)
        assert square_sum(totals.entrants[:, entrant], net_sq) == sum(net**2 for net in nets)
        assert square_sum(totals.entrants[:, entrant], adjusted_sq) == sum((PARTS * net) ** 2 for net in nets)
    assert by_name(COURSE_COLUMNS, totals.course, but="pot_") == +count.course
    table = dict(zip(TABLE_COLUMNS, totals.table.sum(axis=0).tolist(), strict=True))
    course = dict(zip(COURSE_COLUMNS, totals.course.tolist(), strict=True))
    assert table["blocks"] == course["tournaments"]
    for column in ("hands", "pot"):
        assert table[column] == sum(value for name, value in course.items() if name.startswith(f"{column}_"))
    assert table["forfeited_blocks"] == table["rake"] == 0


@pytest.mark.parametrize("chunk", range(6))
def test_totals_counted_again_from_events(chunk: int) -> None:
    rng = random.Random(200 + chunk)
    for _ in range(20):
        played = random_plan(rng)
        names = rng.sample(LIBRARY, rng.randint(1, len(LIBRARY)))
        some = scenario(played, of_library(played.field, names))
        loop = TournamentLoop(some, SEED)
        first = rng.randrange(90)
        count = SlowCount()
        for block in range(first, first + 3):
            add_tournament(some, loop.events(block), count)
        check_totals(some, count, loop.play(batch(some, first, first + 3)).totals)


def test_pots_by_level_are_those_of_the_hands() -> None:
    played = plan(13, seats=5)
    some = scenario(played)
    loop = TournamentLoop(some, SEED)
    pots: Counter[str] = Counter()
    for hand in hands_of(played, loop.events(2)):
        again = replay_hand(some, SEED, 2 * some.hand_numbers + hand.number)
        pots[f"pot_{hand.level}"] += sum(again.hand.contributions)
    course = by_name(COURSE_COLUMNS, loop.play(batch(some, 2, 3)).totals.course)
    assert {name: pot for name, pot in course.items() if name.startswith("pot_")} == pots


BUYING = plan(11, seats=4, reentry=Again(2, 400, 90, 9, 1), rebuy=Again(1, 300, 50, 3), addon=Again(2, 700, 70, 7))
CUT = {
    "a tournament in each bin": scenario(BUYING, tournaments=60),
    "eight in each bin": scenario(BUYING, tournaments=5000),
    "shootouts": scenario(plan(12, seats=4, kind="shootout"), tournaments=3000),
    "learners": scenario(plan(9), of_library(9, ("adaptive", "caller", "tight")), tournaments=2000),
}


@pytest.mark.parametrize("name", CUT)
def test_totals_do_not_depend_on_how_tournaments_are_cut_into_batches(name: str) -> None:
    some = CUT[name]
    rng = random.Random(1)
    whole = TournamentLoop(some, SEED).play(batch(some, 5, 55)).totals
    for _ in range(4):
        cuts = [5, *sorted(rng.sample(range(6, 55), rng.randint(1, 8))), 55]
        pieces = list(pairwise(cuts))
        loop = TournamentLoop(some, SEED)
        played = {piece: loop.play(batch(some, *piece)).totals for piece in rng.sample(pieces, len(pieces))}
        together = played[pieces[0]]
        for piece in pieces[1:]:
            shared_bin = piece[0] % some.bin_size > 0
            together = together.followed_by(played[piece], shared_bin=shared_bin)
        assert whole.differences(together) == 0


@pytest.mark.parametrize("name", CUT)
def test_totals_and_events_do_not_depend_on_what_was_played_before(name: str) -> None:
    some = CUT[name]
    used = TournamentLoop(some, SEED)
    used.play(batch(some, 20, 31))
    used.reaches(3, 25)
    used.events(50)
    fresh = TournamentLoop(some, SEED)
    assert used.events(7) == fresh.events(7)
    again = TournamentLoop(some, SEED).play(batch(some, 7, 12)).totals
    assert used.play(batch(some, 7, 12)).totals.differences(again) == 0
    assert again.differences(TournamentLoop(some, SEED + 1).play(batch(some, 7, 12)).totals) > 0
