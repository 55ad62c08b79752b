"""PHH in: fields, exact amounts, dealing, and errors that name file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from razz_sim.cards import NO_CARD, parse_card, parse_cards
from razz_sim.history import HistoryError, RecordedHand, read_hands, replay
from razz_sim.history.detect import scan_text
from razz_sim.rules import rule_set

HANDS = Path(__file__).parent / "hands"

PLAIN = """
variant = 'FR'
antes = [5, 5, 5]
bring_in = 10
small_bet = 40
big_bet = 80
starting_stacks = [500, 500, 500]
actions = [
  "d dh p1 2c3d4h",       # the opener's rivals
  "d dh p2 ????9s # an up card",
  "",
  "# nothing happens",
  "d dh p3 5c6dKs",
  "p3 pb",
  "p1 cbr 40",
  "p2 f",
  "p3 cc",
  "d dh p1 5h", "d dh p3 7c",
  "p1 cbr 40 # again",
  "p3 f",
]
finishing_stacks = [550, 495, 455]
"""


def one(text: str) -> RecordedHand:
    [hand] = scan_text(text, "hand.phh")
    assert isinstance(hand, RecordedHand), hand
    return hand


def error(text: str) -> HistoryError:
    [hand] = scan_text(text, "hand.phh")
    assert isinstance(hand, HistoryError)
    return hand


def test_a_plain_hand_with_comments_replays():
    outcome = replay(one(PLAIN))
    assert outcome.ok, outcome.problems
    assert outcome.finishing_stacks == (550, 495, 455)
    assert outcome.pots[0].amount == 95


def test_actions_know_their_lines_and_streets():
    hand = one(PLAIN)
    assert [(action.line, action.street, action.kind, action.to) for action in hand.actions][-2:] == [
        (19, 4, "raise", 40),
        (20, 4, "fold", 0),
    ]
    assert hand.cards[1] == (NO_CARD, NO_CARD, parse_card("9s"))


def test_third_street_may_be_dealt_card_by_card():
    rounds = '"d dh p1 2c", "d dh p3 5c", "d dh p1 3d", "d dh p3 6d", "d dh p1 4h",'
    text = PLAIN.replace('"d dh p1 2c3d4h",', rounds).replace('"d dh p3 5c6dKs"', '"d dh p3 Ks"')
    assert one(text).cards == one(PLAIN).cards


@pytest.mark.parametrize("unit", ["", "_unit = 0.01\n"])
def test_decimals_are_exact(unit: str):
    text = PLAIN
    for whole, decimal in (
        ("[5, 5, 5]", "[0.05, 0.05, 0.05]"),
        ("= 10", "= 0.10"),
        ("= 40", "= 0.4"),
        ("= 80", "= 0.80"),
    ):
        text = text.replace(whole, decimal)
    text = text.replace("[500, 500, 500]", "[5.00, 5, 5.0]").replace("[550, 495, 455]", "[5.50, 4.95, 4.55]")
    hand = one(unit + text.replace("cbr 40", "cbr 0.40"))
    assert hand.stakes.small_bet == 40
    assert hand.stacks == (500, 500, 500)
    assert hand.finishing_stacks == (550, 495, 455)
    assert replay(hand).ok


def test_whole_amounts_with_a_unit_are_already_in_it():
    hand = one("_unit = 0.01\n" + PLAIN)
    assert hand.stacks == (500, 500, 500)
    assert hand.stakes.money(500) == "5.00"


def test_own_fields():
    text = PLAIN + (
        "_id = 'h1'\n_site = 'here'\n_dealer = 1\n_tournament = true\n"
        "_players_left = 9\n_show_order = [0, 2]\n_rake = 0\n"
        "_rules = {preset = 'wsop_live', odd_chip = 'low_card'}\n"
        "_rake_rule = {percent = 2.5, cap_by_players = {2 = 50, 4 = 100}, third_street = false}\n"
    )
    hand = one(text)
    assert (hand.id, hand.site, hand.dealer, hand.tournament, hand.players_left) == ("h1", "here", 1, True, 9)
    assert hand.rules == rule_set("wsop_live", odd_chip="low_card")
    assert hand.show_order == (0, 2)
    rake = hand.stakes.rake
    assert rake is not None
    assert str(rake.percent) == "2.5"
    assert rake.cap_by_players == ((2, 50), (4, 100))
    assert not rake.third_street


def test_rules_may_be_a_presets_name():
    assert one(PLAIN + "_rules = 'wsop_live'\n").rules == rule_set("wsop_live")


def test_a_short_stack_antes_less():
    text = PLAIN.replace("starting_stacks = [500, 500, 500]", "starting_stacks = [500, 3, 500]")
    assert one(text).stakes.ante == 5
    assert one(text.replace("[5, 5, 5]", "[5, 3, 5]")).stakes.ante == 5
    assert "p2 antes 4" in str(error(text.replace("[5, 5, 5]", "[5, 4, 5]")))


def test_several_hands_in_one_file(tmp_path: Path):
    path = tmp_path / "two.phhs"
    path.write_text(f"[1]\n{PLAIN}\n[2]\n{PLAIN}\n_id = 'second'\n", encoding="utf-8")
    first, second = read_hands(path)
    assert second.id == "second"
    assert second.actions[0].line > first.actions[-1].line
    assert replay(first).ok
    assert replay(second).ok


def test_one_broken_hand_leaves_the_others():
    broken = PLAIN.replace('"p3 pb"', '"p3 bb"')
    first, second = scan_text(f"[1]\n{broken}\n[2]\n{PLAIN}\n", "two.phhs")
    assert isinstance(first, HistoryError)
    assert first.line == 15
    assert isinstance(second, RecordedHand)


def test_shows_and_mucks():
    hand = read_hands(HANDS / "phh" / "ps-35874623967.phh")[0]
    assert hand.shown == (2,)
    assert hand.cards[2] == parse_cards("2h8dKh6h3d6d4h")
    part = read_hands(HANDS / "phh" / "merge-43618199-14.phh")[0]
    assert part.shown == (0, 1)
    assert one(PLAIN.replace('"p3 f",\n]', '"p3 f", "p1 sm -", "p2 sm"]')).mucked == (1,)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("p2 ????9s", "p2 ????1s", 10, "'1s' is not a card"),
        ("p2 ????9s", "p2 ??4h9s", 10, "4h is dealt a second time"),
        ('"p2 f"', '"p4 f"', 16, "p1 to p3"),
        ('"p2 f"', '"p2 folds"', 16, "not an action"),
        ("cbr 40", "cbr x", 15, "not an amount"),
        ("cbr 40", "cbr 40.5.5", 15, "not an amount"),
        ('"d dh p1 5h", ', "", 19, "not been dealt its fourth street card"),
        ('"d dh p3 7c"', '"d dh p2 7c"', 18, "folded"),
        ('"d dh p2 ????9s # an up card",', "", 14, "has not been dealt its third street card"),
        ('"d dh p1 5h"', '"d dh p1 5h7h"', 18, "card number 5"),
        ('"d dh p1 5h"', '"d db 5h"', 18, "d db"),
        ("variant = 'FR'", "variant = 'FT'", 0, "razz"),
        ("bring_in = 10", "", 0, "bring_in is missing"),
        ("bring_in = 10", "bring_in = 50", 0, "must not be above small_bet"),
        ("[500, 500, 500]", "[500, inf, 500]", 0, "not an amount"),
        ("[500, 500, 500]", "[500, 500, -500]", 0, "negative"),
        ("[550, 495, 455]", "[550, 495]", 0, "2 amounts for 3 seats"),
        ("antes = [5, 5, 5]", "antes = [5, 5]", 0, "2 amounts for 3 seats"),
        ("big_bet = 80", "big_bet = 80\n_rules = 'home'", 0, "not a preset"),
        ("big_bet = 80", "big_bet = 80\n_rules = {odd = 1}", 0, "not a rule option"),
        ("big_bet = 80", "big_bet = 80\n_dealer = 3", 0, "a seat from 0 to 2"),
        ("big_bet = 80", "big_bet = 80\n_tournament = 'yes'", 0, "true or false"),
        ("big_bet = 80", "big_bet = 80\n_rake_rule = {cap = 3}", 0, "percent"),
        ("big_bet = 80", "big_bet = 80\n_unit = 0", 0, "above 0"),
    ],
)
def test_what_cannot_be_read_is_named(old: str, new: str, line: int, words: str):
    assert old in PLAIN
    found = error(PLAIN.replace(old, new, 1))
    assert words in str(found)
    if line:
        assert abs(found.line - line) <= 1, str(found)


def test_not_toml_is_an_error_with_its_line():
    found = error(PLAIN.replace("bring_in = 10", "bring_in = = 10"))
    assert found.line == 4
    assert "TOML" in str(found)
