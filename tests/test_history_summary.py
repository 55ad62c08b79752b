"""What rooms claim of a hand's end is held against the engine: every figure of the summary, at its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_history_phh import PLAIN
from test_history_replay import MERGE
from test_history_rooms import STARS, TILT, UNRAKED, line_of

from razz_sim.history import RecordedHand, replay
from razz_sim.history.detect import scan_text

HANDS = Path(__file__).parent / "hands"
TEXTS = sorted((HANDS / "text").glob("*.txt"))
FIRST_LINE = re.compile(r"PokerStars|Full Tilt Poker Game")
CLAIM = re.compile(r"\d[\d,]*(?:\.\d+)?|(?<=[ ,])[AKQJT](?=,|$)|folded|showed|mucked|collected|won|lost|River|Player\d")
OTHERWISE = {
    "folded": "showed",
    "showed": "folded",
    "mucked": "folded on the River",
    "collected": "lost",
    "won": "lost",
    "lost": "won (5)",
    "River": "6th Street",
}
"""What a summary might say instead."""


def is_clean(text: str) -> bool:
    return all(isinstance(hand, RecordedHand) and replay(hand).ok for hand in scan_text(text, "x"))


def problems(text: str) -> tuple[str, ...]:
    [hand] = scan_text(text, "x")
    assert isinstance(hand, RecordedHand), hand
    return replay(hand).problems


def hands_of(path: Path) -> Iterator[list[str]]:
    """The lines of each hand of a file."""
    hand: list[str] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if FIRST_LINE.match(line) and hand:
            yield hand
            hand = []
        hand.append(line)
    yield hand


def otherwise(claim: str) -> str:
    if claim in OTHERWISE:
        return OTHERWISE[claim]
    if claim.isdigit() and len(claim) == 1:
        return str((int(claim) + 1) % 10)
    return {"A": "K"}.get(claim, "A") if claim in "AKQJT" else f"{claim}1" if claim[0].isdigit() else "Nobody"


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_every_figure_of_a_real_summary_is_checked(path: Path):
    """Whatever word or figure of the summary says something else, the hand no longer passes.

    Left out are the cards of a hand that mucked: nothing else in the text tells them.
    """
    for hand in hands_of(path):
        start = hand.index("*** SUMMARY ***") + 1
        for number, line in enumerate(hand[start:], start=start):
            if "sitting out" in line:
                continue
            claims = CLAIM.finditer(line, 0, line.index("[") if " mucked [" in line else len(line))
            for claim in claims:
                changed = line[: claim.start()] + otherwise(claim[0]) + line[claim.end() :]
                assert not is_clean("\n".join([*hand[:number], changed, *hand[number + 1 :]])), changed


@pytest.mark.parametrize(
    ("text", "old", "new", "words"),
    [
        (STARS, "Main pot $21.", "Main pot $22.", "the pots are listed as 22.00, 14.40; by the rules they are 21.00"),
        (STARS, "Main pot $21. Side pot $14.40.", "Main pot $35.40.", "the pots are listed as 35.40; by the rules"),
        (STARS, "won ($34.40)", "won ($99)", "has Ann: folds win 99.00; by the rules 34.40"),
        (STARS, "won ($34.40)", "lost", "has Ann: folds win nothing; by the rules 34.40"),
        (STARS, "and lost with", "and won ($1) with", "has Cy the 2nd win 1.00; by the rules 0.00"),
        (STARS, "Cy mucked", "Cy showed", "has Cy show; it mucked"),
        (STARS, "Cy the 2nd showed [Th Tc 4s 8s 9s As Td] and lost", "Cy the 2nd mucked [", "Cy the 2nd muck; it"),
        (STARS, "Cy mucked [Kh Kc Kd 5d 5s 6s 5h]", "Cy folded on the River", "fold on seventh street; it did not"),
        (STARS, "lost with Lo: T,9,8,4,A", "lost with Lo: T,9,8,5,A", "to hold T-9-8-5-A; its best low is T-9-8-4-A"),
        (STARS, "(Lo: 7,6,3,2,A)", "(Lo: 7,6,4,2,A)", "to hold 7-6-4-2-A; its best low is 7-6-3-2-A"),
        (TILT, "with Q,7,6,2,A\n*", "with Q,7,6,3,A\n*", "A is said to hold Q-7-6-3-A"),
        (TILT, "folded on 4th St.", "folded on 5th St.", "fold on fifth street; it folded on fourth street"),
        (TILT, "folded on 4th St.", "folded before 4th St.", "fold on third street; it folded on fourth street"),
        (TILT, "folded on 4th St.", "folded on 4th St. (didn't bet)", "put in no more than the ante; it did"),
        (TILT, "folded on 4th St.", "mucked", "the summary has Zed muck; it folded on fourth street"),
    ],
)
def test_a_wrong_claim_is_named_at_its_line(text: str, old: str, new: str, words: str):
    assert old in text
    broken = text.replace(old, new, 1).replace("muck [", "mucked [Th")
    found = problems(broken)
    assert any(words in problem for problem in found), found
    at = line_of(broken, new.split("\n")[0])
    assert any(problem.startswith(f"x:{at} ") for problem in found), found


@pytest.mark.parametrize(
    "pots",
    [
        "Main pot $21. Side pot $14.40.",
        "Main pot $20. Side pot $14.40.",
        "Main pot $20.41. Side pot $13.99.",
        "",
    ],
)
def test_pots_may_be_listed_before_rake_or_after_it_wherever_it_was_taken(pots: str):
    assert is_clean(STARS.replace("Main pot $21. Side pot $14.40.", pots))


@pytest.mark.parametrize(
    "words", ["folded", "folded on the 4th Street", "folded before the 5th Street", "folded before the River"]
)
def test_words_for_a_fold_that_are_true(words: str):
    assert is_clean(TILT.replace("folded on 4th St.", words))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("folded on 4th St.", "folded on the Flop", "'Flop' is no street of Razz"),
        ("folded on 4th St.", "folded before 9th St.", "'9th' is no street of Razz"),
        ("Zed folded on 4th St.", "Zed colected (50)", "is not how a summary tells"),
        ("and won (2,800) with 9,9,8,8,T", "and won (2,800) with 9,9,8,8,1", "is no low"),
        ("Seat 6: Zed folded", "Seat 6: Zedekiah folded", "not as it was seated"),
    ],
)
def test_a_summary_that_says_nothing_sensible_is_unreadable(old: str, new: str, words: str):
    assert old in TILT
    [found] = scan_text(TILT.replace(old, new), "x")
    assert words in str(found)


def test_a_low_shown_early_is_that_of_the_cards_shown():
    text = (HANDS / "text" / "pokerstars_cash.txt").read_text(encoding="utf-8")
    assert "shows [3d 3s 5h 4h] (Lo: 3,3,5,4)" in text
    hand = next(part for part in text.split("\n\n\n") if "(Lo: 3,3,5,4)" in part)
    assert is_clean(hand)
    assert not is_clean(hand.replace("(Lo: 3,3,5,4)", "(Lo: 3,3,5,2)"))


TOURNAMENT = "PokerStars Hand #77: Tournament #5, Freeroll  Razz Limit - Level II (2/4) - 2013/01/02 ET\n"


def test_rake_in_a_tournament_is_a_problem_in_any_format():
    body = STARS[STARS.index("\n") + 1 :]
    found = problems(TOURNAMENT + body)
    assert f"x:{line_of(STARS, 'Total pot')} (hand 77): the rake is recorded as 1.00; by the rules it is 0" in found[1]
    assert is_clean(TOURNAMENT + UNRAKED[UNRAKED.index("\n") + 1 :])
    phh = MERGE.replace("_tournament = false", "_tournament = true")
    assert any("as in every tournament" in problem for problem in problems(phh))
    assert any("is recorded to end with 1462" in problem for problem in problems(phh.replace("_rake = 39\n", "")))


def test_winnings_of_a_phh_are_checked():
    """Without or, as some rooms count, with the uncalled chips that came back: 40 of them here."""
    assert is_clean(PLAIN + "winnings = [95, 0, 0]\n")
    assert is_clean(PLAIN + "winnings = [135, 0, 0]\n")
    for wrong in ("[94, 0, 0]", "[95, 1, 0]", "[0, 95, 0]", "[0, 0, 0]"):
        found = problems(PLAIN + f"winnings = {wrong}\n")
        assert found
        assert all("is recorded to win" in problem and "by the rules it wins" in problem for problem in found)
    assert problems(PLAIN + "winnings = [95, 0, 7]\n") == ("x: p3 is recorded to win 7; by the rules it wins 0",)
    for unreadable in ("[95, 0]", "[95, 0, -1]", "'95'"):
        assert "winnings" in str(scan_text(PLAIN + f"winnings = {unreadable}\n", "x")[0])


def test_winnings_alone_tell_the_rake():
    bare = MERGE.replace("_rake = 39\n", "").replace("finishing_stacks = [0, 1462, 1334]\n", "")
    assert bare.count("\n") == MERGE.count("\n") - 2
    assert is_clean(bare + "winnings = [0, 758, 0]\n")
    assert not is_clean(bare + "winnings = [1, 757, 0]\n")
