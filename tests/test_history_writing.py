"""Hands out: what is written reads back as the same hand, and PokerKit reads it too."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pokerkit
import pytest
from random_hands import Table, give, random_mood, random_table

from razz_sim.cards import NO_CARD
from razz_sim.hand import Action, Community, GivenCards, Hand
from razz_sim.history import RecordedHand, read_hands, replay, write_phh, write_pokerstars, write_text
from razz_sim.history.detect import scan_bytes, scan_text
from razz_sim.rules import PRESETS, Rake, RuleSet, Stakes, rule_set

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


UNITS = ["1", "0.01", "0.001", "0.005", "0.25", "2.5", "5", "100", "0.000001"]
ODD_NAMES = [
    *("*** x", "*** RIVER *** [Qs]", "*** SUMMARY ***", "N: folds", 'x said, "', "[x]", "x [2c]", "a (button)", "x  y"),
    *(" lead", "trail ", "", "x\ny", "\tx", "x\xa0", "a\ufeffb", "x\x1b", "x\u2028y", "\u200f x", "\ud800", "é漢字"),
    *("Seat 1", "Seat 2: Bob", "Dealt to x", "Uncalled bet ($1) returned to y", "Table 'x' 8-max", "x ($5 in chips)"),
    *("PokerStars Hand #5", "Full Tilt Poker Game #7: x", "collected", "x collected 5 from pot", "Hand cancelled"),
    *("Board [2c]", "x: shows [Ac", "won (5)", "folded on the 9th Street", "Lo: A,2,3", "variant = 'FR'", "\"q'\\"),
    *("x is sitting out", "Player2", "Player1: calls $0.50", "y folds", "$5", "{x}", "x #y", "lost"),
]


def random_play(rng: random.Random, *, betting_only: bool) -> Hand:
    """A random hand at any unit; by default rules but for the betting structure, which is all that a room's text tells.

    Among the stakes are those without an ante, without a bring-in, and with a bring-in of a whole small bet.
    """
    mood, table = random_mood(rng), random_table(rng)
    stakes = replace(table.stakes, unit=Decimal(rng.choice(UNITS)))
    forced = rng.choice(["both", "both", "no ante", "no bring-in", "whole bring-in"])
    if forced == "no ante":
        stakes = replace(stakes, ante=0)
    elif forced == "no bring-in" and stakes.ante:
        stakes = replace(stakes, bring_in=0)
    elif forced == "whole bring-in":
        stakes = replace(stakes, bring_in=stakes.small_bet)
    table = replace(table, stakes=stakes)
    if betting_only:
        table = replace(table, rules=RuleSet(betting=rng.choice(["fixed_limit", "pot_limit", "no_limit"])))
    hand = table.deal()
    while hand.seat is not None:
        give(hand, mood.answer(rng, hand.legal()))
    return hand


def odd_names(rng: random.Random, hand: Hand) -> list[str]:
    plain = [f"Player{seat + 1}" for seat in range(len(hand.stacks))]
    return [rng.choice(ODD_NAMES) if rng.random() < 0.2 else name for name in plain]


@pytest.mark.parametrize("seed", range(20))
def test_poker_stars_text_reads_back_as_the_same_hand_or_is_not_written(seed: int):
    """At any unit and chip, with any dealer and any names: and the replay ends with the same stacks."""
    rng = random.Random(f"stars {seed}")
    refused = 0
    for _ in range(20):
        hand = random_play(rng, betting_only=True)
        names = odd_names(rng, hand)
        seats = [seat for seat, stack in enumerate(hand.starting_stacks) if stack]
        try:
            text = write_pokerstars(hand, names=names)
        except ValueError as error:
            refused += sum(repr(name) in str(error) for name in set(names) & set(ODD_NAMES)) or 1000
            continue
        read = one(text)
        outcome = replay(read)
        assert outcome.ok, (outcome.problems, text)
        assert read.names == tuple(names[seat] for seat in seats)
        assert (read.stakes.unit, read.stakes.chip) == (hand.stakes.unit, hand.stakes.chip)
        assert (read.stakes.small_bet, read.stakes.big_bet) == (hand.stakes.small_bet, hand.stakes.big_bet)
        assert outcome.finishing_stacks == tuple(hand.stacks[seat] for seat in seats)
        assert outcome.show_order == tuple(seats.index(seat) for seat in hand.show_order)
        assert read.dealer == max((n for n, seat in enumerate(seats) if seat <= hand.dealer), default=len(seats) - 1)
    assert refused < 15, "or a sentence that names no odd name"


@pytest.mark.parametrize("seed", range(20))
def test_phh_reads_back_with_its_unit_and_names_or_is_not_written(seed: int):
    rng = random.Random(f"phh {seed}")
    for _ in range(20):
        hand = random_play(rng, betting_only=False)
        names = odd_names(rng, hand)
        if "\ud800" in names:
            with pytest.raises(ValueError, match="half a character"):
                write_phh(hand, names=names)
            continue
        [read] = scan_bytes(write_phh(hand, hand_id="x/1", names=names).encode(), "written")
        assert isinstance(read, RecordedHand), read
        order = dealt_order(hand)
        assert (read.id, read.names) == ("x/1", tuple(names[seat] for seat in order))
        for part in ("unit", "chip", "ante", "bring_in", "small_bet", "big_bet"):
            assert getattr(read.stakes, part) == getattr(hand.stakes, part)
        outcome = replay(read)
        assert outcome.ok, outcome.problems
        assert outcome.finishing_stacks == tuple(hand.stacks[seat] for seat in order)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        *((name, True) for name in ("*** x", "N: folds", 'x said, "', "[x]", "a (button)", "Seat 2: Bob", "won (5)")),
        *((name, False) for name in (" x", "", "x\ny", "\ud800", "a\ufeffb", "PokerStars Hand #5", "Player2")),
    ],
)
def test_odd_names_are_written_exactly_or_refused_with_the_name(name: str, written: bool):
    hand = deep_hand(4, seats=3, folds=False)
    names = [name, "Player2", "Player3"]
    if written:
        assert one(write_pokerstars(hand, names=names)).names[0] == name
    else:
        with pytest.raises(ValueError, match="name") as refused:
            write_pokerstars(hand, names=names)
        assert repr(name) in str(refused.value)


@pytest.mark.parametrize("write", [write_phh, write_pokerstars])
def test_names_are_one_for_each_seat(write: Callable[..., str]):
    with pytest.raises(ValueError, match="2 names are given for 3 seats"):
        write(deep_hand(4, seats=3), names=["Ann", "Bob"])


def test_hand_numbers_have_up_to_18_digits():
    hand = deep_hand(4, seats=3)
    for number in (0, 1, 2_000_000_000_703, 10**18 - 1):
        assert one(write_pokerstars(hand, hand_number=number)).id == str(number)
    for wrong in (-1, 10**18):
        with pytest.raises(ValueError, match="hand number"):
            write_pokerstars(hand, hand_number=wrong)


def test_side_pots_are_listed_as_the_room_does_after_rake():
    """So PokerStars prints them: `Total pot $4.15 Main pot $2.83. Side pot $1.12. | Rake $0.20`."""
    stakes = replace(STAKES, rake=Rake(Decimal(5)))
    hand = Hand(PRESETS["pokerstars"], stakes, [300, 5000, 5000], dealer=2, cards=11)
    while hand.seat is not None:
        legal = hand.legal()
        hand.raise_to(legal.raise_min) if legal.raise_min else hand.stay()
    text = write_pokerstars(hand)
    [line] = [line for line in text.splitlines() if line.startswith("Total pot")]
    total, main, side, rake = (Decimal(figure) for figure in re.findall(r"\$([\d.]+\d)", line))
    assert main + side + rake == total
    assert rake > 0
    assert replay(one(text)).ok


def test_a_short_bring_in_of_a_whole_small_bet_is_read_as_such():
    """Whether the room prints the raise as one over the whole bring-in or over the chips there."""
    stakes = Stakes(name="20/40", ante=1, bring_in=20, small_bet=20, big_bet=40)
    for key in range(40):
        hand = Hand(PRESETS["pokerstars"], stakes, [6, 500, 500], dealer=2, cards=key)
        if hand.bring_in_seat == 0:
            break
    hand.stay()
    hand.raise_to(40)
    hand.stay()
    while hand.seat is not None:
        hand.stay()
    text = write_pokerstars(hand)
    assert "Player1: brings in for 5 and is all-in\nPlayer2: raises 20 to 40" in text
    for printed in (text, text.replace("raises 20 to 40", "raises 35 to 40")):
        read = one(printed)
        assert read.stakes.bring_in == 20
        assert replay(read).ok, replay(read).problems


@pytest.mark.parametrize("seed", range(60))
def test_poker_stars_text_reads_back(seed: int):
    hand = deep_hand(seed)
    read = one(write_pokerstars(hand, hand_number=seed, names=[f"N: {seat} [x]" for seat in range(len(hand.stacks))]))
    assert read.dealer == hand.dealer
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


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"betting": "no_limit"}, "no limit, rules pokerstars"),
        ({"betting": "pot_limit", "bets_per_round": 5}, "pot limit, rules pokerstars with bets_per_round 5"),
        ({}, "fixed limit, rules pokerstars"),
    ],
)
def test_text_says_the_betting_once(options: dict[str, object], told: str):
    hand = Hand(rule_set("pokerstars", **options), STAKES, [5000, 5000], dealer=0, cards=9)
    first_line = write_text(hand).splitlines()[0]
    assert first_line == f"Razz: 2.00/4.00, ante 0.20, bring-in 1.00, {told}"


def test_text_of_a_hand_in_progress_says_who_is_to_act():
    hand = Hand(PRESETS["pokerstars"], STAKES, [5000, 5000], dealer=0, cards=9)
    assert "is to act and may post 1.00 or complete to 2.00" in write_text(hand)
    with pytest.raises(ValueError, match="not over"):
        write_phh(hand)
    with pytest.raises(ValueError, match="not over"):
        write_pokerstars(hand)
