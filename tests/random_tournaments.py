"""Random tournaments for the tests: structures of all kinds, and hands that only move chips at random."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from razz_sim.rules import Stakes
from razz_sim.structures import BY_HANDS, WHOLE, Again, Level, Payouts, Tournament, TournamentKind

Stacks = dict[int, int]

MOST_PLAYERS = 60


@dataclass(frozen=True, slots=True)
class RandomResults:
    """What hands leave, drawn by table, number of the hand and `seed`: the same whenever it is asked.

    A hand is one of four: all ante and a seat takes it; some seats are all-in; all seats with the stack that most
    have are all-in; the chips of all are shared evenly. The last two make ties common, as often as `ties` says.
    """

    seed: int
    ante: int
    ties: float = 0.4

    def __call__(self, table: int, number: int, before: Stacks) -> Stacks:
        rng = random.Random(f"{self.seed} {table} {number}")
        if rng.random() < self.ties:
            return after_equal_all_ins(rng, before) if rng.random() < 0.7 else after_sharing(before)
        return after_antes(rng, before, self.ante) if rng.random() < 0.6 else after_all_ins(rng, before)


def after_antes(rng: random.Random, before: Stacks, ante: int) -> Stacks:
    """Each seat antes what it has of the ante, a random one takes all."""
    after = {seat: stack - min(stack, ante) for seat, stack in before.items()}
    after[rng.choice(sorted(before))] += sum(before.values()) - sum(after.values())
    return after


def after_all_ins(rng: random.Random, before: Stacks) -> Stacks:
    """From two seats to all of them are all-in, in a random order of hands, the best first."""
    return after_showdown(before, rng.sample(sorted(before), rng.randint(2, len(before))))


def after_equal_all_ins(rng: random.Random, before: Stacks) -> Stacks:
    """All seats with the most common stack are all-in, and sometimes (or if it is only one seat) others too."""
    common = Counter(before.values()).most_common(1)[0][0]
    seats = [seat for seat in sorted(before) if before[seat] == common]
    others = [seat for seat in sorted(before) if before[seat] != common]
    if others and (len(seats) == 1 or rng.random() < 0.5):
        seats += rng.sample(others, rng.randint(1, len(others)))
    return after_showdown(before, rng.sample(seats, len(seats)))


def after_showdown(before: Stacks, ranking: list[int]) -> Stacks:
    """The seats of the ranking are all-in: each, the best first, takes what it can win of each seat behind it.

    >>> after_showdown({0: 10, 1: 30, 2: 50, 3: 7}, [0, 2, 1])
    {0: 30, 1: 0, 2: 60, 3: 7}
    """
    left = {seat: before[seat] for seat in ranking}
    after = dict(before) | dict.fromkeys(ranking, 0)
    for winner in ranking:
        stake = left[winner]
        for seat in ranking:
            taken = min(stake, left[seat])
            left[seat] -= taken
            after[winner] += taken
    return after


def after_sharing(before: Stacks) -> Stacks:
    """All chips shared evenly, odd ones to the first seats: stacks are as equal as they can be."""
    each, odd = divmod(sum(before.values()), len(before))
    return {seat: each + (place < odd) for place, seat in enumerate(sorted(before))}


def random_results(rng: random.Random, plan: Tournament) -> RandomResults:
    """Hands for a tournament, with few ties or with many."""
    ante = max(1, plan.stack // rng.choice([1, 2, 5, 10, 20]))
    return RandomResults(seed=rng.getrandbits(32), ante=ante, ties=rng.choice([0.05, 0.4, 0.8]))


def random_plan(rng: random.Random, players: int | None = None) -> Tournament:
    """A tournament of any kind, with so many players or with 2 to MOST_PLAYERS; then more often than not with few."""
    kind: TournamentKind = rng.choice(["tables", "tables", "tables", "shootout", "bracket"])
    field = rng.randint(2, rng.choice([6, 12, 25, MOST_PLAYERS])) if players is None else players
    stack = rng.choice([20, 50, 100, 300, 1000])
    prize = rng.choice([0, 1, 3, 7, 50, 100, 997, 10_000])
    pace = random_pace(rng)
    levels = random_levels(rng, stack, pace)
    buying = kind == "tables"
    return Tournament(
        kind=kind,
        field=field,
        seats=2 if kind == "bracket" else rng.randint(2, 8),
        stack=stack,
        levels=levels,
        payouts=random_payouts(rng, field, prize),
        prize=prize,
        fee=rng.randint(1, 5),
        pace=pace,
        reentry=random_offer(rng, len(levels), stack, prize) if buying and rng.random() < 0.35 else None,
        rebuy=random_offer(rng, len(levels), rng.choice([stack, 2 * stack]), prize)
        if _sometimes(rng, buying)
        else None,
        addon=Again(rng.randint(1, len(levels)), stack, prize, 0, 1) if _sometimes(rng, buying) else None,
    )


def _sometimes(rng: random.Random, buying: bool) -> bool:
    return buying and rng.random() < 0.25


def random_pace(rng: random.Random) -> tuple[int, ...]:
    """Levels by hands; or by time, in which tables of different sizes meet often, seldom or hardly ever."""
    drawn = rng.random()
    if drawn < 0.4:
        return BY_HANDS
    if drawn < 0.7:
        return (1, 1, *(rng.randint(1, 4) for _ in range(7)))
    if drawn < 0.85:
        return tuple(20_000 + 10_000 * players for players in range(9))
    return (1, 1, *(rng.randint(40_000, 120_000) for _ in range(7)))


def random_levels(rng: random.Random, stack: int, pace: tuple[int, ...]) -> tuple[Level, ...]:
    """From 1 to 10 levels that grow up to bets of a starting stack; some shorter than a hand."""
    count = rng.randint(1, 10)
    usual = rng.choice([1, 3, 8, 15]) * (pace[-1] if rng.random() < 0.7 else min(pace))
    levels = []
    for number in range(1, count + 1):
        small = max(2, round(stack * number**2 / count**2))
        ante = max(1, small // 4)
        stakes = Stakes(
            name=f"level {number}", ante=ante, bring_in=max(1, small // 3), small_bet=small, big_bet=2 * small
        )
        levels.append(Level(stakes, max(1, usual * rng.choice([1, 1, 1, 2]) // rng.choice([1, 1, 2]))))
    return tuple(levels)


def random_payouts(rng: random.Random, field: int, prize: int) -> Payouts:
    """All kinds, few places and many; equal prizes never for everybody who enters at the start."""
    kind = rng.choice(["shares", "shares", "amounts", "top", "seats", "seat_value"])
    places = rng.randint(1, rng.choice([min(3, field), -(-field // 2), field]))
    if kind == "shares":
        cuts = sorted(rng.sample(range(1, WHOLE), places - 1))
        return Payouts("shares", tuple(end - start for start, end in zip([0, *cuts], [*cuts, WHOLE], strict=True)))
    if kind == "amounts":
        return Payouts("amounts", tuple(sorted((rng.randint(1, 5_000) for _ in range(places)), reverse=True)))
    if kind == "top":
        return Payouts("top", (rng.choice([100, 1000, 1500, 1500, 2500, 5000, 9999]),))
    if kind == "seats":
        return Payouts("seats", (min(places, field - 1),))
    return Payouts("seat_value", (rng.randint(prize + 1, 1 + max(prize + 1, prize * field)),))


def random_offer(rng: random.Random, levels: int, chips: int, prize: int) -> Again:
    """A rebuy or re-entry: so many times up to any level, or any number of times up to a level that ends."""
    times = rng.choice([0, 1, 1, 2, 3])
    if times == 0 and levels == 1:
        times = 1
    last = levels - 1 if times == 0 else levels
    return Again(
        level=rng.randint(1, last), chips=chips, price=rng.choice([prize, prize, prize // 2]), fee=1, times=times
    )
