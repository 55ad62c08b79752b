"""Random tables and random play for the tests: every option value, structure, number of seats and stack depth."""

from __future__ import annotations

import random
from dataclasses import dataclass
from decimal import Decimal

from razz_sim.hand import Deck, Hand, Legal
from razz_sim.rules import OPTION_VALUES, PRESETS, Rake, RuleSet, Stakes

Answer = tuple[str, int]

LONGEST_WAR = 40
"""Decisions after which a hand's random players stop raising, in 19 hands of 20."""


@dataclass(frozen=True, slots=True)
class Table:
    """Everything a hand depends on but the decisions."""

    rules: RuleSet
    stakes: Stakes
    stacks: tuple[int, ...]
    dealer: int
    deck: tuple[int, ...]
    tournament: bool
    players_left: int

    def deal(self) -> Hand:
        """The hand at its first decision."""
        return Hand(
            self.rules,
            self.stakes,
            self.stacks,
            dealer=self.dealer,
            cards=Deck(self.deck),
            tournament=self.tournament,
            players_left=self.players_left,
        )


def random_rules(rng: random.Random) -> RuleSet:
    """A preset, or a preset with any of its options drawn anew."""
    values = {option: getattr(PRESETS[rng.choice(list(PRESETS))], option) for option in OPTION_VALUES}
    if rng.random() < 0.7:
        for option, allowed in OPTION_VALUES.items():
            if rng.random() < 0.5:
                values[option] = rng.choice([0, 1, 2, 3, 4, 5]) if allowed == (int,) else rng.choice(allowed)
    return RuleSet(**values)


def random_rake(rng: random.Random, chip: int) -> Rake:
    """Any percentage, with and without caps, with and without one for third street."""
    players = sorted(rng.sample(range(2, 9), rng.randint(0, 3)))
    return Rake(
        percent=Decimal(rng.choice(["0", "2.5", "5", "10", "100"])),
        cap=rng.choice([None, 0, 3 * chip, 50 * chip]),
        cap_by_players=tuple((count, chip * rng.randint(0, 40)) for count in players),
        third_street=rng.random() < 0.5,
    )


def random_stakes(rng: random.Random) -> Stakes:
    """Usual and unusual stakes, with and without rake and with chips larger than the smallest unit."""
    chip = rng.choice([1, 1, 1, 5, 25])
    small = chip * rng.choice([2, 4, 10, 15, 20, 50])
    ante = chip * rng.choice([0, 1, 1, 1, max(1, small // chip // 4), small // chip])
    return Stakes(
        name="random",
        ante=ante,
        bring_in=chip * rng.randint(1, small // chip),
        small_bet=small,
        big_bet=small * rng.choice([1, 2, 2, 2, 3]),
        chip=chip,
        rake=random_rake(rng, chip) if rng.random() < 0.5 else None,
    )


def random_table(rng: random.Random) -> Table:
    """A table of 2 to 8 seats with stacks from one unit to 1,000 big bets, some seats empty."""
    stakes = random_stakes(rng)
    seats = rng.randint(2, 8)
    depth = rng.choice(
        [stakes.ante + 1, stakes.small_bet, 4 * stakes.big_bet, 30 * stakes.big_bet, 1000 * stakes.big_bet]
    )
    stacks = [rng.randint(1, max(1, depth)) for _ in range(seats)]
    if rng.random() < 0.3:
        stacks[rng.randrange(seats)] = rng.randint(1, max(1, stakes.ante))
    for seat in range(2, seats):
        if rng.random() < 0.05:
            stacks[seat] = 0
    rng.shuffle(stacks)
    tournament = rng.random() < 0.3
    return Table(
        rules=random_rules(rng),
        stakes=stakes,
        stacks=tuple(stacks),
        dealer=rng.randrange(seats),
        deck=tuple(rng.sample(range(52), 52)),
        tournament=tournament,
        players_left=rng.choice([2, 2, 3, 9]) if tournament else sum(stack > 0 for stack in stacks),
    )


# Play


@dataclass(frozen=True, slots=True)
class Mood:
    """How a hand's random players lean: chances to fold when it costs or is free, and to raise when they may.

    After `longest_war` decisions nobody raises any more: uncapped rounds between deep stacks are long.
    """

    fold: float
    free_fold: float
    wager: float
    longest_war: int = LONGEST_WAR

    def answer(self, rng: random.Random, legal: Legal, decision: int = 0) -> Answer:
        """A legal answer to a hand's decision of this number."""
        dice = rng.random()
        if legal.fold and dice < (self.fold if legal.to_call else self.free_fold):
            return "fold", 0
        if legal.raise_min and decision < self.longest_war and rng.random() < self.wager:
            if rng.random() < 0.5:
                return "raise", legal.raise_min
            near = min(legal.raise_max, legal.raise_min + rng.randint(0, legal.raise_min))
            return "raise", rng.choice([near, near, legal.raise_max, rng.randint(legal.raise_min, legal.raise_max)])
        return "stay", 0


def random_mood(rng: random.Random) -> Mood:
    """From stations that see every street to maniacs that are soon all-in."""
    return Mood(
        fold=rng.choice([0.0, 0.05, 0.1, 0.3]),
        free_fold=rng.choice([0.0, 0.0, 0.02]),
        wager=rng.choice([0.0, 0.1, 0.4, 0.9]),
        longest_war=LONGEST_WAR if rng.random() < 0.95 else 10**9,
    )


def give(hand: Hand, answer: Answer) -> None:
    """Give an answer to the hand."""
    kind, to = answer
    if kind == "fold":
        hand.fold()
    elif kind == "stay":
        hand.stay()
    else:
        hand.raise_to(to)
