"""Replay: real hands end as recorded, and a hand that breaks a rule is told from one that cannot be read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from razz_sim.history import RecordedHand, read_hands, replay, replay_files
from razz_sim.history.detect import scan_text
from razz_sim.rules import PRESETS, rule_set

HANDS = Path(__file__).parent / "hands"
FILES = sorted(HANDS.glob("*/*"))
STARS = (HANDS / "text" / "pokerstars_tournament.txt").read_text(encoding="utf-8")
MERGE = (HANDS / "phh" / "merge-43618199-14.phh").read_text(encoding="utf-8")


def one(text: str) -> RecordedHand:
    [hand] = scan_text(text, "hand")
    assert isinstance(hand, RecordedHand), hand
    return hand


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), start=1) if part in line)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_real_hands_are_legal_and_end_as_recorded(path: Path):
    for outcome in replay_files([path]):
        assert outcome.ok, outcome.problems
        assert json.loads(json.dumps(outcome.as_json()))["ok"] is True


def test_all_of_them_are_there():
    outcomes = replay_files(FILES)
    assert len(outcomes) == 45
    assert sum(outcome.rake for outcome in outcomes if outcome.site == "merge") == 39


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ("Player3: raises 50 to 100", "Player3: raises 50 to 101", "to 101", "raise to 100"),
        ("Player3: raises 50 to 100", "Player3: raises 60 to 100", "60 to 100", "the raise is over 50, not over 40"),
        ("Player1: folds\nPlayer2: folds\n", "Player2: folds\nPlayer1: folds\n", "Player2: folds", "Player1 is to act"),
        ("Player8 [x]: calls 100\n", "Player8 [x]: calls 110\n", "calls 110", "that puts in 100, not 110"),
        ("Player4: calls 50\nPlayer8", "Player4: raises 50 to 250\nPlayer8", "50 to 250", "may fold or call 50"),
        ("Player7: brings in for 15", "Player6: brings in for 15", "Player6: brings in", "Player7 is to act"),
        (
            "Player8 [x]: checks\nPlayer3: bets 100",
            "Player3: bets 100\nPlayer8 [x]: checks",
            "Player3: bets 100",
            "Player8",
        ),
        (
            "Player3: checks\nPlayer4: checks\n",
            "Player3: checks\nPlayer4: calls 51\n",
            "Player4: calls 51\n",
            "was a check",
        ),
        ("Player3: checks\nPlayer4: checks\n", "Player3: checks\nPlayer3: checks\n", "", "out of turn"),
        ("Player5: posts the ante 10", "Player5: posts the ante 12", "ante 12", "legal was 10"),
        ("Player8 [x]: calls 100\n", "Player8 [x]: calls 100 and is all-in\n", "calls 100 and", "not all-in"),
    ],
)
def test_an_illegal_action_is_named_with_what_was_legal(old: str, new: str, at: str, words: str):
    assert old in STARS
    broken = STARS.replace(old, new, 1)
    outcome = replay(one(broken))
    assert outcome.result == "illegal"
    [problem] = outcome.problems
    assert words in problem
    if at.strip():
        assert problem.startswith(f"hand:{line_of(broken, at.strip())} ")
    assert "street" in problem


def test_amounts_in_sentences_are_in_the_rooms_currency():
    text = (HANDS / "text" / "pokerstars_cash.txt").read_text(encoding="utf-8").split("\n\n\n")[0]
    outcome = replay(one(text.replace("Player5: bets $0.08", "Player5: bets $0.09", 1)))
    assert "may fold, check or bet to 0.08" in outcome.problems[0]


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ("collected 1145 from pot", "collected 1154 from pot", "collected 1154", "collects 1154; by the rules 1145"),
        ("Total pot 1145", "Total pot 1135", "Total pot 1135", "the total pot is recorded as 1135"),
        ("Rake 0", "Rake 5", "Rake 5", "the rake is recorded as 5; by the rules it is 0, as in every tournament"),
    ],
)
def test_chips_that_differ_are_named(old: str, new: str, at: str, words: str):
    broken = STARS.replace(old, new, 1)
    outcome = replay(one(broken))
    assert outcome.result == "differs"
    assert any(words in problem for problem in outcome.problems)
    if at:
        assert any(problem.startswith(f"hand:{line_of(broken, at)} ") for problem in outcome.problems)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Player3: raises 50 to 100", "Player3: raises 9900 to 10000", "raise to 100"),
        ("Player4: calls 100\nPlayer8", "Player4: calls 9000\nPlayer8", "fold, call 100 or raise to 200"),
        ("Player3: bets 50", "Player3: bets 6000 and is all-in", "fold, check or bet to 50"),
        ("Player7: brings in for 15", "Player7: brings in for 5300 and is all-in", "may only post 50"),
        ("Player5: posts the ante 10", "Player5: posts the ante 3000", "legal was 10"),
    ],
)
def test_an_action_beyond_the_stack_is_illegal_and_named(old: str, new: str, words: str, tmp_path: Path):
    """The seat would end below nothing: the hand is not unreadable but against the rules, at that action."""
    assert old in STARS
    path = tmp_path / "hand.txt"
    path.write_text(STARS.replace(old, new, 1), encoding="utf-8")
    [outcome] = replay_files([path])
    assert outcome.result == "illegal"
    assert new.split(chr(10))[0] in outcome.problems[0] or "antes 3000" in outcome.problems[0]
    assert words in outcome.problems[0]
    assert f":{line_of(path.read_text(), new.split(chr(10))[0])} " in outcome.problems[0]


def test_an_overspending_phh_is_illegal_too():
    text = MERGE.replace("p1 cbr 91", "p1 cbr 9100").replace("[0, 1462, 1334]", "[-9009, 1462, 1334]")
    outcome = replay(one(text))
    assert outcome.result == "illegal"
    assert "p1 cbr 9100" in outcome.problems[0]
    assert "may fold, call 50 or raise to 91" in outcome.problems[0]
    assert outcome.problems[0].startswith("hand:8 ")


def test_every_dropped_line_that_matters_is_noticed():
    """Whatever line goes missing, the hand is broken, illegal or different, unless the line was only noise."""
    noise = (
        "Player3: shows",
        "Dealt to Player3 [3c Ac 5s 2h Th Js] [5h]",
        "Table",
        "Betting is capped",
        "*** SHOW DOWN",
        "Player4: mucks",
        "Seat",
    )
    lines = STARS.splitlines()
    summary = lines.index("*** SUMMARY ***")
    for number in range(1, summary):
        if lines[number].startswith(noise) and not (2 <= number <= 9):
            continue
        [hand] = scan_text("\n".join(lines[:number] + lines[number + 1 :]), "hand")
        assert not (isinstance(hand, RecordedHand) and replay(hand).ok), lines[number]


@pytest.mark.parametrize("old", ["Player2: folds\n", "Player6: folds\n"])
def test_a_lost_decision_shows_as_the_next_one_out_of_turn(old: str, tmp_path: Path):
    path = tmp_path / "hand.txt"
    path.write_text(STARS.replace(old, "", 1), encoding="utf-8")
    [outcome] = replay_files([path])
    assert outcome.result == "illegal"
    assert f"out of turn: {old[:7]} is to act on third street" in outcome.problems[0]
    assert f":{STARS[: STARS.index(old)].count(chr(10)) + 1} " in outcome.problems[0]
    assert "has not been dealt" in outcome.problems[1]
    phh = tmp_path / "hand.phh"
    phh.write_text(MERGE.replace('"p3 f", ', ""), encoding="utf-8")
    [outcome] = replay_files([phh])
    assert outcome.result == "illegal"
    assert "P3 is to act on fourth street" in outcome.problems[0]


def test_a_phh_that_stops_early_or_goes_on():
    stopped = MERGE.replace(', "p1 cbr 91", "p2 cc", "d dh p1 Jh"', ', "p1 cbr 91", "d dh p1 Jh"')
    outcome = replay(one(stopped))
    assert outcome.result == "illegal"
    assert "p2 is to act on fourth street" in outcome.problems[0].replace("P2", "p2")
    longer = MERGE.replace('"p1 sm As7hKc4c"', '"p2 cc", "p1 sm As7hKc4c"')
    assert "when the betting is over" in replay(one(longer)).problems[0]


def test_finishing_stacks_and_rake_must_match():
    outcome = replay(one(MERGE.replace("[0, 1462, 1334]", "[0, 1463, 1334]")))
    assert outcome.result == "differs"
    assert "P2 is recorded to end with 1463; by the rules with 1462" in outcome.problems[0]
    ruled = MERGE + "_rake_rule = {percent = 5, cap = 100}\n"
    assert replay(one(ruled)).ok
    other = replay(one(MERGE + "_rake_rule = {percent = 4}\n"))
    assert "the rake is recorded as 39; by the rules it is 31" in other.problems[0]


def test_without_rake_or_stacks_there_is_less_to_check():
    assert replay(one(MERGE.replace("_rake = 39\n", ""))).rake == 39
    bare = MERGE.replace("_rake = 39\n", "").replace("finishing_stacks = [0, 1462, 1334]\n", "")
    outcome = replay(one(bare))
    assert outcome.ok
    assert outcome.finishing_stacks == (0, 1501, 1334)


def test_the_showing_order_is_checked_when_present():
    assert replay(one(MERGE + "_show_order = [0, 1]\n")).ok == (replay(one(MERGE)).show_order == (0, 1))
    order = replay(one(MERGE)).show_order
    assert replay(one(MERGE + f"_show_order = {list(order)}\n")).ok
    outcome = replay(one(MERGE + f"_show_order = {list(reversed(order))}\n"))
    assert outcome.result == "differs"
    assert "showing order" in outcome.problems[0]


def test_a_mucked_winner_is_a_problem():
    mucked = MERGE.replace('"p2 sm 2h8d6c2c"', '"p2 sm"')
    outcome = replay(one(mucked))
    assert outcome.result == "differs"
    assert "P2 does not show, yet holds the best low" in outcome.problems[0]


def test_a_hand_whose_cards_nobody_knows_cannot_be_replayed():
    text = MERGE.replace("????5c", "??????")
    outcome = replay(one(text))
    assert outcome.result == "unreadable"
    assert "door card" in outcome.problems[0]


def test_rules_given_beat_the_files(tmp_path: Path):
    path = tmp_path / "hand.phh"
    path.write_text(MERGE + "_rules = {bets_per_round = 3}\n", encoding="utf-8")
    assert replay_files([path])[0].result == "illegal"
    assert replay_files([path], preset="pokerstars")[0].ok
    assert replay_files([path], options={"bets_per_round": "4"})[0].ok
    assert replay_files([path], preset="pokerstars", options={"bets_per_round": 3})[0].result == "illegal"
    assert replay(read_hands(path)[0], rule_set("pokerstars")).ok
    with pytest.raises(ValueError, match="not a preset"):
        replay_files([path], preset="home")
    with pytest.raises(ValueError, match="not a rule option"):
        replay_files([path], options={"odds": "1"})


def test_an_unreadable_hand_is_an_outcome_of_its_own(tmp_path: Path):
    path = tmp_path / "hands.txt"
    path.write_text(STARS.replace("[4h] [Qs]", "[4h] [Qz]") + "\n" + STARS, encoding="utf-8")
    broken, good = replay_files([path])
    assert broken.result == "unreadable"
    assert broken.hand_id == "49382949075"
    assert f":{line_of(STARS, '[4h] [Qs]')} " in broken.problems[0]
    assert good.ok


def test_a_free_fold_under_rules_that_make_it_a_check():
    """Merge allows a fold when checking is free; `check` plays it on, so the record's deal no longer fits."""
    text = STARS.replace(
        "Player4: checks\nPlayer8 [x]: checks\n*** RIVER", "Player4: folds\nPlayer8 [x]: checks\n*** RIVER"
    )
    text = text.replace(
        "Player3: checks\nPlayer4: checks\nPlayer8 [x]: checks\n*** SHOW",
        "Player3: checks\nPlayer8 [x]: checks\n*** SHOW",
    )
    hand = one(
        text.replace("Player4: mucks hand\n", "").replace("Player4 mucked [3s 8c 4h Qs Ah Td Qh]", "Player4 folded")
    )
    assert replay(hand).problems == ()
    assert replay(hand, rule_set("pokerstars", free_fold="check")).result == "illegal"


def test_presets_that_differ_on_who_brings_in_refuse_the_hand():
    for name, rules in PRESETS.items():
        assert replay(one(STARS), rules).ok == (rules.bring_in_card == "high"), name


def test_a_seventh_of_one_s_own_with_eight_live_is_illegal():
    """The stub holds four cards: one community card is dealt, seen or not."""
    deals = [
        f"d dh p{seat} ????{card}"
        for seat, card in enumerate(["2c", "3c", "4c", "5c", "6c", "7c", "8c", "Kc"], start=1)
    ]
    actions = [*deals, "p8 pb", *(f"p{seat} cc" for seat in range(1, 8))]
    for suit in "dhs":
        ranks = ["2", "3", "4", "5", "6", "7", "8", "K"]
        actions += [f"d dh p{seat} {rank}{suit}" for seat, rank in enumerate(ranks, start=1)]
        first = 1
        actions += [f"p{(first - 1 + step) % 8 + 1} cc" for step in range(8)]
    actions += [f"d dh p{seat} ??" for seat in range(1, 9)]
    actions += ["p1 cbr 20", *(f"p{seat} f" for seat in range(2, 9))]
    listed = ", ".join(f'"{action}"' for action in actions)
    text = (
        "variant = 'FR'\nante_trimming_status = true\nantes = [1, 1, 1, 1, 1, 1, 1, 1]\nbring_in = 3\n"
        "small_bet = 10\nbig_bet = 20\nstarting_stacks = [500, 500, 500, 500, 500, 500, 500, 500]\n"
        f"actions = [{listed}]\nfinishing_stacks = [528, 496, 496, 496, 496, 496, 496, 496]\n"
    )
    outcomes = [replay(hand) for hand in scan_text(text, "hand.phh") if isinstance(hand, RecordedHand)]
    assert [outcome.result for outcome in outcomes] == ["illegal"]
