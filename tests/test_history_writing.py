"""Hands out: what is written reads back as the same hand, and PokerKit reads it too."""

from __future__ import annotations

import random
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pokerkit
import pytest
from random_hands import Table, give, random_mood, random_table

from razz_sim.cards import NO_CARD
from razz_sim.hand import Action, Community, GivenCards, Hand
from razz_sim.history import RecordedHand, read_hands, replay, write_phh, write_pokerstars, write_text
from razz_sim.history.detect import scan_text
from razz_sim.rules import PRESETS, Rake, Stakes

HANDS = Path(__file__).parent / "hands"
STAKES = Stakes(name="2/4", ante=20, bring_in=100, small_bet=200, big_bet=400, unit=Decimal("0.01"))


def one(text: str) -> RecordedHand:
    [hand] = scan_text(text, "written")
    assert isinstance(hand, RecordedHand), hand
    return hand


def random_hand(seed: int) -> tuple[Table, Hand]:
    rng = random.Random(seed)
    mood, table = random_mood(rng), random_table(rng)
    hand = table.deal()
    while hand.seat is not None:
        give(hand, mood.answer(rng, hand.legal()))
    return table, hand


def deep_hand(seed: int, *, seats: int = 0, folds: bool = True) -> Hand:
    """A hand in which nobody comes near all-in: there PokerKit's rules and the default ones agree."""
    rng = random.Random(seed)
    stacks = [rng.randrange(8000, 20000) for _ in range(seats or rng.randint(2, 8))]
    hand = Hand(PRESETS["pokerstars"], STAKES, stacks, dealer=rng.randrange(len(stacks)), cards=seed)
    while hand.seat is not None:
        legal, dice = hand.legal(), rng.random()
        if legal.raise_min and dice < 0.25:
            hand.raise_to(legal.raise_min)
        elif folds and legal.to_call and legal.fold and dice < 0.4:
            hand.fold()
        else:
            hand.stay()
    return hand


def dealt_order(hand: Hand) -> list[int]:
    count = len(hand.stacks)
    seats = [(hand.dealer + 1 + step) % count for step in range(count)]
    return [seat for seat in seats if hand.starting_stacks[seat]]


@pytest.mark.parametrize("seed", range(150))
def test_phh_reads_back_as_the_same_hand(seed: int):
    _table, hand = random_hand(seed)
    read = one(write_phh(hand, hand_id=str(seed)))
    order = dealt_order(hand)
    assert read.rules == hand.rules
    assert read.stakes.unit == hand.stakes.unit
    assert read.cards == tuple(
        tuple(card for card in hand.cards(seat) if card != hand.community or card == NO_CARD) for seat in order
    )
    outcome = replay(read)
    assert outcome.ok, outcome.problems
    assert outcome.finishing_stacks == tuple(hand.stacks[seat] for seat in order)
    assert outcome.show_order == tuple(order.index(seat) for seat in hand.show_order)


@pytest.mark.parametrize("seed", range(60))
def test_poker_kit_plays_what_we_write_to_the_same_stacks(seed: int):
    hand = deep_hand(seed)
    history = pokerkit.HandHistory.loads(write_phh(hand))
    assert list(history)[-1].stacks == history.finishing_stacks == [hand.stacks[seat] for seat in dealt_order(hand)]


def test_poker_kit_plays_an_all_in_before_seventh_street():
    hand = Hand(PRESETS["pokerstars"], STAKES, [900, 900, 900], dealer=1, cards=5)
    while hand.seat is not None:
        legal = hand.legal()
        hand.raise_to(legal.raise_max) if legal.raise_min else hand.stay()
    assert max(event.street for event in hand.events if isinstance(event, Action)) < 7
    history = pokerkit.HandHistory.loads(write_phh(hand))
    assert list(history)[-1].stacks == history.finishing_stacks


def test_poker_kit_plays_a_community_card():
    hand = deep_hand(3, seats=8, folds=False)
    assert any(isinstance(event, Community) for event in hand.events)
    history = pokerkit.HandHistory.loads(write_phh(hand))
    assert list(history)[-1].stacks == history.finishing_stacks
    assert replay(one(write_phh(hand))).ok
    text = write_pokerstars(hand)
    assert one(text).community == hand.community


@pytest.mark.parametrize("seed", range(60))
def test_poker_stars_text_reads_back(seed: int):
    hand = deep_hand(seed)
    read = one(write_pokerstars(hand, hand_number=seed, names=[f"N: {seat} [x]" for seat in range(len(hand.stacks))]))
    read = replace(read, dealer=hand.dealer)
    assert read.stakes.unit == Decimal("0.01")
    outcome = replay(read)
    assert outcome.ok, outcome.problems
    assert outcome.finishing_stacks == tuple(hand.stacks)


def test_poker_stars_text_of_a_real_hand_is_the_rooms_own():
    """Betting, streets and shows of the tournament hand, line for line; the room adds only names and noise."""
    room = (HANDS / "text" / "pokerstars_tournament.txt").read_text(encoding="utf-8")
    recorded = read_hands(HANDS / "text" / "pokerstars_tournament.txt")[0]
    hand = play(recorded)
    written = write_pokerstars(hand, names=recorded.names, hero=2).splitlines()
    wanted = [line for line in room.splitlines()[2:] if line != "Betting is capped"]
    assert written[2:] == wanted


def play(recorded: RecordedHand) -> Hand:
    """The recorded hand as a Hand."""
    hand = Hand(
        recorded.rules,
        recorded.stakes,
        recorded.stacks,
        dealer=recorded.dealer,
        cards=GivenCards(recorded.cards, recorded.community),
    )
    for action in recorded.actions:
        if action.kind == "fold":
            hand.fold()
        elif action.kind == "stay":
            hand.stay()
        else:
            hand.raise_to(action.to)
    return hand


def test_rake_rules_and_chips_are_written():
    stakes = replace(
        STAKES, chip=20, rake=Rake(Decimal("2.5"), cap_by_players=((2, 100), (4, 300)), third_street=False)
    )
    hand = Hand(PRESETS["wsop_live"], stakes, [5000, 5000, 5000], dealer=0, cards=9)
    while hand.seat is not None:
        hand.stay()
    read = one(write_phh(hand))
    assert read.stakes.rake == stakes.rake
    assert read.stakes.chip == 20
    assert replay(read).ok


def test_text_for_people_has_every_seat_street_and_result():
    hand = deep_hand(1, seats=4, folds=False)
    text = write_text(hand, title="Hand 1", names=["Ann", "Bob", "Cy", "Di"])
    for word in [
        "Ann",
        *(f"{name} street" for name in ["Third", "Fourth", "Fifth", "Sixth", "Seventh"]),
        "Result",
        "Stacks",
    ]:
        assert word in text
    assert "brings in for 1.00" in text
    assert "wins" in text


def test_text_of_a_hand_in_progress_says_who_is_to_act():
    hand = Hand(PRESETS["pokerstars"], STAKES, [5000, 5000], dealer=0, cards=9)
    assert "is to act and may post 100 or complete to 200" in write_text(hand)
    with pytest.raises(ValueError, match="not over"):
        write_phh(hand)
    with pytest.raises(ValueError, match="not over"):
        write_pokerstars(hand)
