"""Random tables steered to where something rare happens often: by options, stakes, stacks, moods and cards."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from random_hands import Mood, Table, random_rake, random_table

from razz_sim.rules import Rake, Stakes

StackDraw = Callable[[random.Random, Stakes], int]
StakesDraw = Callable[[random.Random, Stakes], Stakes]

CALLERS = Mood(fold=0.0, free_fold=0.0, wager=0.0)
MOSTLY_CALLERS = Mood(fold=0.03, free_fold=0.0, wager=0.1)
LIVELY = Mood(fold=0.05, free_fold=0.0, wager=0.5)
MANIACS = Mood(fold=0.05, free_fold=0.0, wager=0.95)
FREE_FOLDERS = Mood(fold=0.05, free_fold=0.5, wager=0.1)
QUITTERS = Mood(fold=0.7, free_fold=0.0, wager=0.1)


# Stacks


def around_the_ante(rng: random.Random, stakes: Stakes) -> int:
    """All-in for the ante, or a little more than it."""
    return max(1, stakes.ante + rng.randint(-stakes.ante, stakes.bring_in))


def at_most_the_ante(rng: random.Random, stakes: Stakes) -> int:
    """All-in for the ante."""
    return rng.randint(1, max(1, stakes.ante))


def under_a_bet(rng: random.Random, stakes: Stakes) -> int:
    """The bring-in and more, but less than a small bet, beside the ante."""
    return stakes.ante + rng.randint(min(stakes.bring_in + 1, stakes.small_bet), stakes.small_bet)


def a_bet_and_a_part(rng: random.Random, stakes: Stakes) -> int:
    """All-in for less over the first bet of third street."""
    return stakes.ante + stakes.small_bet + rng.randint(1, max(1, stakes.small_bet * 3 // 4))


def a_few_bets(rng: random.Random, stakes: Stakes) -> int:
    """The ante and up to six small bets."""
    return stakes.ante + rng.randint(1, 6 * stakes.small_bet)


def a_few_big_bets(rng: random.Random, stakes: Stakes) -> int:
    """Enough for third and fourth street when nobody raises often, all-in on a later one."""
    return stakes.ante + stakes.bring_in + rng.randint(1, 5 * stakes.big_bet)


def deep(rng: random.Random, stakes: Stakes) -> int:
    """Never all-in in a fixed-limit hand."""
    return stakes.ante + rng.randint(60, 100) * stakes.big_bet


# Stakes


def with_rake(rng: random.Random, stakes: Stakes) -> Stakes:
    rake = random_rake(rng, stakes.chip)
    return replace(stakes, rake=replace(rake, percent=rake.percent or Decimal(5)))


def coarse_chips(rng: random.Random, stakes: Stakes) -> Stakes:
    return Stakes("coarse", 5, 10, 20, 40, chip=5, rake=Rake(Decimal(rng.choice(["2.5", "5", "10"]))))


def bring_in_is_a_bet(rng: random.Random, stakes: Stakes) -> Stakes:
    return replace(stakes, bring_in=stakes.small_bet)


def small_bring_in(rng: random.Random, stakes: Stakes) -> Stakes:
    return replace(stakes, bring_in=stakes.chip, small_bet=20 * stakes.chip, big_bet=40 * stakes.chip)


def tiny_pots(rng: random.Random, stakes: Stakes) -> Stakes:
    return replace(small_bring_in(rng, stakes), ante=0)


def big_antes(rng: random.Random, stakes: Stakes) -> Stakes:
    return replace(stakes, ante=stakes.small_bet)


# Tables


@dataclass(frozen=True, slots=True)
class Aim:
    """Where random tables are steered: what is not named here stays as random as ever.

    Each seat's stack is drawn by one of `stacks`. `equal_hands` deals two to four seats the same ranks.
    """

    options: Mapping[str, object] = field(default_factory=dict)
    mood: Mood | None = None
    seats: tuple[int, int] = (2, 8)
    stacks: tuple[StackDraw, ...] = ()
    stakes: StakesDraw | None = None
    equal_hands: bool = False
    two_left: bool | None = None
    """True: a tournament's last two; False: a cash game."""


def aimed_table(rng: random.Random, aim: Aim) -> Table:
    """A random table where `aim` points."""
    table = random_table(rng)
    seats = rng.randint(*((2, 4) if aim.equal_hands else aim.seats))
    stakes = table.stakes if aim.stakes is None else aim.stakes(rng, table.stakes)
    stacks = [rng.choice(aim.stacks or (a_few_bets, deep))(rng, stakes) for _ in range(seats)]
    rules = replace(table.rules, **aim.options)  # type: ignore[arg-type]
    dealer = rng.randrange(seats)
    tournament = table.tournament if aim.two_left is None else aim.two_left
    return Table(
        rules=rules,
        stakes=stakes,
        stacks=tuple(stacks),
        dealer=dealer,
        deck=_equal_hands(rng, seats, rules.burn_cards) if aim.equal_hands else table.deck,
        tournament=tournament,
        players_left=2 if aim.two_left else rng.choice([2, 3]) if tournament else seats,
    )


def _equal_hands(rng: random.Random, seats: int, burns: bool) -> tuple[int, ...]:
    """A deck that deals all seats the same seven ranks, each rank on the same street, while nobody folds."""
    ranks = rng.sample(range(13), 7)
    if rng.random() < 0.3 and seats == 2:
        ranks[rng.randrange(7)] = rng.choice(ranks)  # perhaps a rank held twice
    suits = {rank: rng.sample(range(4), 4) for rank in ranks}
    by_seat = [[4 * rank + suits[rank].pop() for rank in ranks] for _ in range(seats)]
    rest = [card for card in range(52) if not any(card in cards for cards in by_seat)]
    rng.shuffle(rest)
    deck = [card for cards in by_seat for card in cards[:3]]
    for number in range(3, 7):
        deck += [rest.pop()] if burns else []
        deck += [cards[number] for cards in by_seat]
    return (*deck, *rest)
