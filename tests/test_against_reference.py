"""Engine and plain-Python reference play the same random hands, action for action, and every branch is counted."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from aimed_hands import Aim, aimed_table
from betting_branches import BETTING_BRANCHES
from option_choices import Choice, decided, option_choices
from random_hands import Answer, Table, give, random_mood, random_table
from reference.rules_in_plain_python import Decision
from showdown_branches import SHOWDOWN_BRANCHES
from side_by_side import (
    Course,
    assert_chips_conserved,
    assert_no_card_twice,
    assert_refused,
    assert_same,
    by_mood,
    illegal_answers,
    play_both,
    play_plain,
)
from steps import Branch

from razz_sim.cards import NO_CARD
from razz_sim.hand import Burn, Community, Deal, GivenCards, Hand
from razz_sim.rules import OPTION_VALUES

HANDS_A_CHUNK = 2_500
LONG = "RAZZ_SIM_LONG" in os.environ
CHUNKS = 20 if LONG else 2
"""50,000 hands in the long form, in pieces for pytest-xdist."""
TIMES = 100 if LONG else 10
MOST_DRAWS = 60 * TIMES
"""Hands in which a branch must come TIMES times: one in sixty of the hands aimed at it."""


def play_random(rng: random.Random, table: Table, aim: Aim | None = None) -> Course:
    """A random hand at a table, played by both; illegal answers are tried at one decision in twenty."""

    def before(hand: Hand, decision: Decision) -> None:
        if rng.random() < 0.05:
            for answer in illegal_answers(rng, hand, decision):
                assert_refused(hand, decision, answer)

    mood = aim.mood if aim is not None and aim.mood is not None else random_mood(rng)
    return play_both(table, by_mood(rng, mood), before)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_hands_are_played_alike(chunk: int) -> None:
    for number in range(HANDS_A_CHUNK):
        seed = chunk * HANDS_A_CHUNK + number
        rng = random.Random(seed)
        table = random_table(rng)
        try:
            course = play_random(rng, table)
        except Exception as error:
            error.add_note(f"random hand {seed}: {table}")
            raise
        if number % 25 == 0:
            every_choice_is_accepted(rng, course)


def every_choice_is_accepted(rng: random.Random, course: Course) -> None:
    """At one of the hand's decisions each legal answer is given in turn; the hand then ends by staying."""
    if not course.answers:
        return
    turn = rng.randrange(len(course.answers))
    decision = course.result.decisions[turn][0]
    answers: list[Answer] = [("stay", 0)] + [("fold", 0)] * decision.fold
    answers += [
        ("raise", to)
        for to in {decision.raise_min, decision.raise_max, (decision.raise_min + decision.raise_max) // 2} - {0}
    ]
    for answer in answers:
        hand = course.table.deal()
        for before in (*course.answers[:turn], answer):
            give(hand, before)
        while hand.seat is not None:
            hand.stay()
        assert_chips_conserved(hand)
        assert_no_card_twice(hand)


def count_until_enough(name: str, aim: Aim, met: Callable[[Course], bool]) -> None:
    """Draw aimed hands, each played by both, until TIMES of them met the branch."""
    rng = random.Random(name)
    count = 0
    for _ in range(MOST_DRAWS):
        count += met(play_random(rng, aimed_table(rng, aim), aim))
        if count == TIMES:
            return
    pytest.fail(f"{name}: {count} of {MOST_DRAWS} aimed hands, {TIMES} wanted")


def test_every_value_of_every_option_is_among_the_choices() -> None:
    compared = {(choice.option, choice.value) for choice in option_choices()}
    for option, values in OPTION_VALUES.items():
        wanted = {0, 1, 2, 3, 4, 5} if values == (int,) else set(values)
        assert {value for name, value in compared if name == option} == wanted


@pytest.mark.slow
@pytest.mark.parametrize("choice", option_choices(), ids=str)
def test_an_option_value_decides(choice: Choice) -> None:
    """At least TIMES hands that the same answers would have made another hand under the other value."""
    count_until_enough(str(choice), choice.aim, lambda course: decided(course, choice.rules(course)))


@pytest.mark.slow
@pytest.mark.parametrize("branch", [*BETTING_BRANCHES, *SHOWDOWN_BRANCHES], ids=str)
def test_a_branch_is_taken(branch: Branch) -> None:
    count_until_enough(branch.name, branch.aim, branch.met)


@pytest.mark.slow
def test_cards_from_a_stream_and_cards_given_by_seat() -> None:
    """The engine's two other sources of cards: the reference gets the cards as a deck in the order they came."""
    compared = 0
    for seed in range(600):
        rng = random.Random(f"stream {seed}")
        table = random_table(rng)
        mood = random_mood(rng)
        hand = deal(table, rng.getrandbits(64))
        answers: list[Answer] = []
        while hand.seat is not None:
            answers.append(mood.answer(rng, hand.legal(), len(answers)))
            give(hand, answers[-1])
        assert_chips_conserved(hand)
        assert_no_card_twice(hand)
        given = GivenCards(tuple((*hand.cards(seat),) for seat in range(len(table.stacks))), hand.community)
        if hand.community != NO_CARD:
            given = replace(given, seats=tuple(cards[:6] for cards in given.seats))
        again = deal(table, given)
        for answer in answers:
            give(again, answer)
        assert (again.stacks, again.awards, again.show_order) == (hand.stacks, hand.awards, hand.show_order)
        came = order_of_cards(hand)
        if len(set(came)) < len(came):
            continue  # a burned card was shuffled in and came again
        deck = (*came, *(card for card in range(52) if card not in came))
        if table.rules.burn_cards and hand.community != NO_CARD:
            continue  # whether burns lie below the rest of a deck or among it is the deck's own affair
        assert_same(table, hand, play_plain(replace(table, deck=deck), in_turn(answers)))
        compared += 1
    assert compared > 400


def in_turn(answers: list[Answer]) -> Callable[[Decision], Answer]:
    """The answers one after another, whatever is asked."""
    reply = iter(answers)
    return lambda decision: next(reply)


def deal(table: Table, cards: GivenCards | int) -> Hand:
    """The table's hand with other cards than its deck's."""
    return Hand(
        table.rules,
        table.stakes,
        table.stacks,
        dealer=table.dealer,
        cards=cards,
        tournament=table.tournament,
        players_left=table.players_left,
    )


def order_of_cards(hand: Hand) -> list[int]:
    """The cards in the order in which they left the deck."""
    cards: list[int] = []
    for event in hand.events:
        if isinstance(event, Deal):
            cards += event.cards
        elif isinstance(event, Burn | Community):
            cards.append(event.card)
    return cards
