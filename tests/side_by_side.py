"""The compiled engine and the plain-Python reference at one table: both are asked everything, and must agree."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass
from fractions import Fraction

import pytest
from random_hands import Answer, Mood, Table, give
from reference.rules_in_plain_python import Decision, Options, Result, play_hand
from reference.rules_in_plain_python import Rake as PlainRake
from reference.rules_in_plain_python import Stakes as PlainStakes

from razz_sim.hand import Action, Award, Burn, Community, Deal, Hand, IllegalAction, Legal, Show
from razz_sim.rules import RuleSet, Stakes

Choose = Callable[[Legal], Answer]


@dataclass(frozen=True, slots=True)
class Course:
    """A hand that both have played in the same way."""

    table: Table
    hand: Hand
    result: Result

    @property
    def answers(self) -> list[Answer]:
        """What was answered, decision by decision."""
        return [(kind, to) for _, kind, to in self.result.decisions]


def play_both(table: Table, choose: Choose, before: Callable[[Hand, Decision], None] | None = None) -> Course:
    """Play a hand with engine and reference at once; `before` may look at each decision before it is answered."""
    hand = table.deal()

    def decide(decision: Decision) -> Answer:
        assert hand.seat is not None, f"the engine's hand is over where the reference asks {decision}"
        legal = hand.legal()
        assert choices(legal) == choices(decision)
        if before is not None:
            before(hand, decision)
        answer = choose(legal)
        give(hand, answer)
        return answer

    result = play_plain(table, decide)
    assert_same(table, hand, result)
    return Course(table, hand, result)


def play_plain(table: Table, decide: Callable[[Decision], Answer]) -> Result:
    """The reference alone."""
    return play_hand(
        Options(**asdict(table.rules)),
        plain_stakes(table.stakes),
        list(table.stacks),
        table.dealer,
        list(table.deck),
        decide,
        tournament=table.tournament,
        players_left=table.players_left,
    )


def by_mood(rng: random.Random, mood: Mood) -> Choose:
    """Random answers."""
    number = iter(range(10**9))
    return lambda legal: mood.answer(rng, legal, next(number))


def plain_stakes(stakes: Stakes) -> PlainStakes:
    """Stakes in the reference's words: there a cap below the first entry by players is an entry for two."""
    rake = None
    if stakes.rake is not None:
        caps = dict(stakes.rake.cap_by_players)
        if caps and stakes.rake.cap is not None:
            caps = {2: stakes.rake.cap, **caps}
        rake = PlainRake(Fraction(stakes.rake.percent), stakes.rake.cap, caps or None, stakes.rake.third_street)
    return PlainStakes(stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet, stakes.chip, rake)


def choices(asked: Legal | Decision) -> tuple[int, ...]:
    """What a seat may do, in numbers."""
    stay = asked.to_call if isinstance(asked, Legal) else asked.stay
    return (asked.seat, asked.street, asked.fold, stay, asked.raise_min, asked.raise_max)


def assert_same(table: Table, hand: Hand, result: Result) -> None:
    """Cards, actions, chips, pots and the order of showing are the same in both."""
    assert hand.seat is None, "the reference's hand is over, the engine's is not"
    seats = range(len(table.stacks))
    assert hand.bring_in_seat == result.bring_in_seat
    assert hand.street == result.last_street
    assert [list(hand.up_cards(seat)) for seat in seats] == result.up
    assert _down_cards(hand, len(seats)) == result.hole
    assert hand.community == (-1 if result.community is None else result.community)
    assert tuple(hand.folded(seat) for seat in seats) == result.folded
    assert hand.free_folds == result.free_folds
    assert hand.contributions == result.contributions
    assert hand.returned == result.returned
    assert [(pot.amount, pot.contestants) for pot in hand.pots] == [
        (pot.amount, pot.contestants) for pot in result.pots
    ]
    assert hand.rake == result.rake
    assert hand.awards == result.awards
    assert hand.stacks == result.finishing_stacks
    assert hand.show_order == result.show_order
    assert _actions(hand) == _actions_of(table.rules, result)
    assert_chips_conserved(hand)
    assert_no_card_twice(hand)


def _down_cards(hand: Hand, seats: int) -> list[list[int]]:
    down: list[list[int]] = [[] for _ in range(seats)]
    for event in hand.events:
        if isinstance(event, Deal):
            down[event.seat] += [card for card, up in zip(event.cards, event.up, strict=True) if not up]
    return down


def _actions(hand: Hand) -> list[tuple[int, int, int, int, bool]]:
    return [
        (event.seat, event.street, event.put, event.to, event.kind == "fold")
        for event in hand.events
        if isinstance(event, Action)
    ]


def _actions_of(rules: RuleSet, result: Result) -> list[tuple[int, int, int, int, bool]]:
    """The reference's decisions as chips: seat, street, put in, total on the street, folded."""
    actions, street, in_front = [], 0, dict[int, int]()
    for decision, kind, to in result.decisions:
        if decision.street != street:
            street, in_front = decision.street, {}
        before = in_front.get(decision.seat, 0)
        fold = kind == "fold" and (decision.stay > 0 or rules.free_fold == "allow")
        put = 0 if fold else to - before if kind == "raise" else decision.stay
        in_front[decision.seat] = before + put
        actions.append((decision.seat, street, put, before + put, fold))
    return actions


def assert_chips_conserved(hand: Hand) -> None:
    """RULES.md, Pots: awards and rake make the contributions, and so do the pots and the events."""
    assert sum(hand.awards) + hand.rake == sum(hand.contributions)
    assert sum(hand.stacks) + hand.rake == sum(hand.starting_stacks)
    assert min(hand.stacks) >= 0
    assert sum(pot.amount for pot in hand.pots) == sum(hand.contributions)
    awarded = [0] * len(hand.stacks)
    for event in hand.events:
        if isinstance(event, Award):
            awarded[event.seat] += event.amount
    assert awarded == hand.awards


def assert_no_card_twice(hand: Hand) -> None:
    """Dealt and community cards differ; so do burned ones, unless they were shuffled in and came again."""
    dealt = [card for event in hand.events if isinstance(event, Deal) for card in event.cards]
    dealt += [event.card for event in hand.events if isinstance(event, Community)]
    burned = [event.card for event in hand.events if isinstance(event, Burn)]
    assert all(0 <= card < 52 for card in dealt + burned)
    assert len(set(dealt)) == len(dealt)
    assert len(set(burned)) == len(burned) or hand.street == 7
    if hand.street < 7:
        assert not set(dealt) & set(burned)
    for event in hand.events:
        if isinstance(event, Show):
            assert len(set(event.cards)) == 7


# Illegal answers


def illegal_answers(rng: random.Random, hand: Hand, decision: Decision) -> list[Answer]:
    """A few answers that the reference does not allow here: folds, raises below, above and between, or any at all."""
    wager = int(hand.record["wager"])
    answers: list[Answer] = [] if decision.fold else [("fold", 0)]
    if not decision.raise_max:
        tried = [1, wager, wager + 1, decision.stay, hand.stakes.small_bet, 2 * hand.stakes.big_bet]
        return answers + [("raise", to) for to in rng.sample(tried, 2) if to > 0]
    below = [1, decision.raise_min - 1, rng.randint(1, decision.raise_min)]
    above = [decision.raise_max + 1, decision.raise_max + rng.randint(1, decision.raise_max), 10**15]
    tried = [rng.choice(below), rng.choice(above)]
    return answers + [("raise", to) for to in tried if to > 0 and not decision.raise_min <= to <= decision.raise_max]


def assert_refused(hand: Hand, decision: Decision, answer: Answer) -> None:
    """An illegal answer changes not a byte of the hand, and the refusal says what is legal."""
    before, events = hand.record.tobytes(), len(hand.events)
    with pytest.raises(IllegalAction) as refused:
        give(hand, answer)
    assert hand.record.tobytes() == before
    assert len(hand.events) == events
    assert choices(hand.legal()) == choices(decision)
    sentence = str(refused.value)
    assert sentence.startswith(f"seat {decision.seat + 1} cannot ")
    assert _says(sentence.split("it may ")[1]) == _says_of(decision)


def _says(sentence: str) -> tuple[bool, bool, tuple[int, ...]]:
    """What a refusal's list of choices comes to: folding, a check, and the amounts in their order."""
    words = sentence.replace(",", " ").split()
    return "fold" in words, "check" in words, tuple(int(word) for word in words if word.isdigit())


def _says_of(decision: Decision) -> tuple[bool, bool, tuple[int, ...]]:
    amounts = [decision.stay] if decision.stay or not decision.fold else []
    amounts += sorted({decision.raise_min, decision.raise_max} - {0})
    return decision.fold, decision.stay == 0 and decision.fold, tuple(amounts)
