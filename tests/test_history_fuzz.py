"""Whatever a file holds, reading it ends with hands or with the documented error, and replay with an outcome."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from test_history_phh import PLAIN
from test_history_replay import MERGE, STARS
from test_history_rooms import TILT

from razz_sim.history import HistoryError, RecordedHand, replay
from razz_sim.history.detect import scan_bytes, scan_text
from razz_sim.history.replay import broken

HANDS = Path(__file__).parent / "hands"
TEXTS = [path.read_bytes() for path in sorted(HANDS.glob("*/*"))]
ODD = [
    *(
        b"1e999999999",
        b"1e-999999999",
        b"1e99999999999999999999999",
        b"9" * 5000,
        b"0x" + b"f" * 5000,
        b"0." + b"0" * 99,
    ),
    *(
        b"-1",
        b"nan",
        b"inf",
        b"true",
        b"1979-05-27",
        b"99999999999999999999",
        b"[[",
        b"]",
        b'"',
        b"'",
        b"{",
        b"=",
        b"#",
    ),
    *(
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xd9\xa3",
        b"??",
        b"10h",
        b"p9",
        b"sm",
        b"d db Qs",
        b"$",
        b" and is all-in",
    ),
    *(
        b"*** SUMMARY ***\n",
        b"*** RIVER *** [Qs]\n",
        b"Total pot 5 | Rake 9999999999999\n",
        b"Seat 9: x (5 in chips)\n",
    ),
    *(b"Lo: 1,2,3", b"folded on the 9th", b"won (5)", b"_unit = 1e-25\n", b"_rake = 1e400\n", b"winnings = [1]\n"),
]


def edited(rng: random.Random, text: bytes) -> bytes:
    """The text with a few bytes, numbers or lines changed, lost, doubled or put elsewhere."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        lines, place = text.split(b"\n"), rng.randrange(len(text) + 1)
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:place] + text[place + rng.choice([1, 2, 30]) :]
        elif kind == 1:
            text = text[:place] + bytes([rng.randrange(256)]) + text[place + 1 :]
        elif kind == 2:
            text = text[:place] + rng.choice(ODD) + text[place:]
        elif kind == 3:
            lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
            text = b"\n".join(lines)
        elif kind == 4:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            text = b"\n".join(lines)
        elif numbers := list(re.finditer(rb"\d+(\.\d+)?", text)):
            number = rng.choice(numbers)
            other = rng.choice([*ODD[:6], str(rng.randrange(10 ** rng.randint(1, 15))).encode()])
            text = text[: number.start()] + other + text[number.end() :]
    return text


@pytest.mark.parametrize("seed", range(8))
def test_only_the_documented_error_comes_out(seed: int):
    rng = random.Random(seed)
    for _ in range(150):
        text = edited(rng, rng.choice(TEXTS))
        try:
            hands = scan_bytes(text, "file")
        except HistoryError:
            continue
        for hand in hands:
            outcome = broken(hand) if isinstance(hand, HistoryError) else replay(hand)
            assert outcome.ok or all(len(problem) < 2000 for problem in outcome.problems)
            assert json.loads(json.dumps(outcome.as_json()))["file"] == "file"


HUGE = ["1e999999999", "1e-999999999", "1e99999999999999999999999", "9" * 5000, "0x" + "f" * 5000, "1" + "0" * 40]


@pytest.mark.parametrize("number", HUGE, ids=lambda number: number[:12])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("small_bet = 40", "small_bet = {}"),
        ("bring_in = 10", "bring_in = {}"),
        ("[5, 5, 5]", "[5, {}, 5]"),
        ("[550, 495, 455]", "[550, {}, 455]"),
        ("cbr 40", "cbr {}"),
        ("variant = 'FR'", "variant = 'FR'\n_unit = {}"),
        ("variant = 'FR'", "variant = 'FR'\n_rake = {}"),
        ("variant = 'FR'", "variant = 'FR'\n_id = {}"),
        ("variant = 'FR'", "variant = 'FR'\n_dealer = {}"),
        ("variant = 'FR'", "variant = 'FR'\n_players_left = {}"),
        ("variant = 'FR'", "variant = 'FR'\n_rules = {{bets_per_round = {}}}"),
        ("variant = 'FR'", "variant = 'FR'\n_rake_rule = {{percent = {}, cap = 5}}"),
        ("variant = 'FR'", "variant = 'FR'\n_rake_rule = {{percent = 5, cap = {}}}"),
    ],
)
def test_numbers_without_end_are_a_sentence(number: str, old: str, new: str):
    assert old in PLAIN
    [found] = scan_text(PLAIN.replace(old, new.format(number), 1), "hand.phh")
    assert isinstance(found, HistoryError)
    assert "amount" in found.sentence
    assert len(str(found)) < 600


@pytest.mark.parametrize(
    "old", ["collected 1145", "to 100", "calls 100", "(4842", "ante 10", "(50/100", "pot 1145", "Rake 0"]
)
def test_numbers_without_end_in_a_rooms_text(old: str):
    assert old in STARS
    [found] = scan_text(STARS.replace(old, re.sub(r"\d+", "9" * 5000, old, count=1), 1), "hand.txt")
    assert isinstance(found, HistoryError)
    assert "amount of chips" in found.sentence or "more than a table can hold" in found.sentence
    assert len(str(found)) < 600


def test_one_broken_table_of_a_phh_leaves_the_others():
    tables = [PLAIN, PLAIN.replace("= 10", "= = 10"), MERGE, PLAIN.replace("= 10", "= " + "9" * 5000), PLAIN]
    text = "".join(f"[{number}]\n{table}\n" for number, table in enumerate(tables, start=1))
    first, second, third, fourth, fifth = scan_text(text, "many.phhs")
    assert [isinstance(hand, RecordedHand) and replay(hand).ok for hand in (first, third, fifth)] == [True] * 3
    assert isinstance(fifth, RecordedHand)
    assert text.splitlines()[fifth.actions[0].line - 1].strip() == '"p3 pb",'
    for found, wrong in ((second, "= ="), (fourth, "99999")):
        assert isinstance(found, HistoryError)
        assert wrong in text.splitlines()[found.line - 1]


@pytest.mark.parametrize("text", [STARS, TILT], ids=["stars", "tilt"])
def test_a_garbled_first_line_costs_its_own_hand_only(text: str):
    garbled = "Pker" + text[4:]
    hands = scan_text(text + "\n" + garbled + "\n" + text, "session.txt")
    assert [isinstance(hand, RecordedHand) and replay(hand).ok for hand in hands] == [True, False, True]
