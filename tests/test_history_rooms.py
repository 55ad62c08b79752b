"""The rooms' own texts in: they agree with the PHH of the same hands, and say where they are broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from razz_sim.cards import parse_card, parse_cards
from razz_sim.history import HistoryError, RecordedHand, read_hands, replay, scan_hands
from razz_sim.history.detect import scan_text

HANDS = Path(__file__).parent / "hands"
TEXTS = sorted((HANDS / "text").glob("*.txt"))
PHH = {hand.id.split("-", 1)[1]: hand for path in (HANDS / "phh").glob("*.phh") for hand in read_hands(path)}


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_room_text_says_what_its_phh_says(path: Path):
    hands = read_hands(path)
    assert hands
    for hand in hands:
        phh = PHH[hand.id]
        assert hand.stacks == phh.stacks
        assert hand.cards == phh.cards
        assert hand.finishing_stacks == phh.finishing_stacks
        assert hand.rake_taken == phh.rake_taken
        assert hand.tournament == phh.tournament
        assert (hand.stakes.ante, hand.stakes.bring_in) == (phh.stakes.ante, phh.stakes.bring_in)
        assert (hand.stakes.small_bet, hand.stakes.big_bet) == (phh.stakes.small_bet, phh.stakes.big_bet)
        assert [(a.seat, a.street, a.kind) for a in hand.actions] == [(a.seat, a.street, a.kind) for a in phh.actions]


STARS = """PokerStars Hand #77:  Razz Limit ($2/$4 USD) - 2012/01/02 3:04:05 CET [2012/01/01 21:04:05 ET]
Table 'Nowhere II' 8-max
Seat 1: Ann: folds ($40 in chips)
Seat 2: Bob [x] ($1,040.50 in chips) is sitting out
Seat 4: Cy ($7 in chips)
Seat 5: Cy the 2nd ($22.50 in chips)
Ann: folds: posts the ante $0.20
Cy: posts the ante $0.20
Cy the 2nd: posts the ante $0.20
Guest said, "Cy: folds"
*** 3rd STREET ***
Dealt to Ann: folds [7h 2c 3c]
Dealt to Cy [Kd]
Dealt to Cy the 2nd [4s]
Cy: brings in for $1
Cy the 2nd: raises $1 to $2
Bob [x] leaves the table
Ann: folds: raises $2 to $4
Cy: calls $3
Cy the 2nd: calls $2
*** 4th STREET ***
Dealt to Ann: folds [7h 2c 3c] [Ac]
Dealt to Cy [Kd] [5d]
Dealt to Cy the 2nd [4s] [8s]
Ann: folds: bets $2
Cy: calls $2
Cy the 2nd: calls $2
*** 5th STREET ***
Dealt to Ann: folds [7h 2c 3c Ac] [6d]
Dealt to Cy [Kd 5d] [5s]
Dealt to Cy the 2nd [4s 8s] [9s]
Ann: folds: bets $4
Cy: calls $0.80 and is all-in
Cy the 2nd has timed out while disconnected
Cy the 2nd: calls $4
*** 6th STREET ***
Dealt to Ann: folds [7h 2c 3c Ac 6d] [Jd]
Dealt to Cy [Kd 5d 5s] [6s]
Dealt to Cy the 2nd [4s 8s 9s] [As]
Cy the 2nd: checks
Ann: folds: bets $4
Cy the 2nd: calls $4
*** RIVER ***
Dealt to Ann: folds [7h 2c 3c Ac 6d Jd] [Js]
Cy the 2nd: checks
Ann: folds: checks
*** SHOW DOWN ***
Cy the 2nd: shows [Th Tc 4s 8s 9s As Td] (Lo: T,9,8,4,A)
Ann: folds: shows [7h 2c 3c Ac 6d Jd Js] (Lo: 7,6,3,2,A)
Ann: folds collected $14.40 from side pot
Cy: mucks hand
Ann: folds collected $20 from main pot
*** SUMMARY ***
Total pot $35.40 Main pot $21. Side pot $14.40. | Rake $1
Seat 1: Ann: folds showed [7h 2c 3c Ac 6d Jd Js] and won ($34.40) with Lo: 7,6,3,2,A
Seat 4: Cy mucked [Kh Kc Kd 5d 5s 6s 5h]
Seat 5: Cy the 2nd showed [Th Tc 4s 8s 9s As Td] and lost with Lo: T,9,8,4,A
"""

UNRAKED = (
    STARS.replace("| Rake $1", "| Rake $0")
    .replace("collected $20 from main pot", "collected $21 from main pot")
    .replace("won ($34.40)", "won ($35.40)")
)
"""The same hand where no rake is taken, as in every tournament."""

TILT = """Full Tilt Poker Game #88: $1 + $0.10 Cup (12), Table 1 - 1,000/2K Ante 100 - Limit Razz - 1:02 ET - 2010/01/02
Seat 2: A B (5,000)
Seat 3: A (700), is sitting out
Seat 6: Zed (12,345)
A B antes 100
A antes 100
Zed antes 100
Zed: A B folds
*** 3RD STREET *** (Total Pot: 300, 3 Players)
Dealt to A B [9d]
Dealt to A [Qs]
Dealt to Zed [3h 4h] [5h]
A is high with [Qs]
A has 15 seconds left to act
A brings in for 300
Zed completes it to 1,000
A B raises to 2,000
A calls 300, and is all in
Zed is feeling happy
Zed calls 1,000
*** 4TH STREET *** (Total Pot: 4,900, 3 Players, 1 All-In)
Dealt to A B [9d] [Tc]
Dealt to A [Qs] [2s]
Dealt to Zed [3h 4h 5h] [Jc]
A B bets 1,000
Zed folds
Uncalled bet of 1,000 returned to A B
A B shows [9h Ts 9d Tc]
A shows [Ah 6c Qs 2s]
*** 5TH STREET ***
Dealt to A B [9h Ts 9d Tc] [8h]
Dealt to A [Ah 6c Qs 2s] [7c]
*** 6TH STREET ***
Dealt to A B [9h Ts 9d Tc 8h] [8c]
Dealt to A [Ah 6c Qs 2s 7c] [Qc]
*** 7TH STREET ***
Dealt to A B [9h Ts 9d Tc 8h 8c] [8d]
Dealt to A [Ah 6c Qs 2s 7c Qc] [Qh]
*** SHOW DOWN ***
A B wins the side pot (2,800)
A wins the main pot (2,100) with Q,7,6,2,A
*** SUMMARY ***
Total pot 4,900 Main pot 2,100. Side pot 2,800. | Rake 0
Seat 2: A B showed [9h Ts 9d Tc 8h 8c 8d] and won (2,800) with 9,9,8,8,T
Seat 3: A showed [Ah 6c Qs 2s 7c Qc Qh] and won (2,100) with Q,7,6,2,A
Seat 6: Zed folded on 4th St.
"""


def one(text: str) -> RecordedHand:
    [hand] = scan_text(text, "session.txt")
    assert isinstance(hand, RecordedHand), hand
    return hand


def error(text: str) -> HistoryError:
    [hand] = scan_text(text, "session.txt")
    assert isinstance(hand, HistoryError)
    return hand


def line_of(text: str, part: str) -> int:
    [found] = [number for number, line in enumerate(text.splitlines(), start=1) if part in line][:1]
    return found


def test_names_with_colons_side_pots_noise_and_mucked_cards():
    hand = one(STARS)
    assert hand.names == ("Ann: folds", "Cy", "Cy the 2nd")
    assert hand.stacks == (4000, 700, 2250)
    assert hand.cards[1] == parse_cards("KhKcKd5d5s6s5h")
    assert hand.shown == (0, 2)
    assert hand.mucked == (1,)
    outcome = replay(hand)
    assert outcome.ok, outcome.problems
    assert [pot.amount for pot in outcome.pots] == [2100, 1440]


def test_full_tilt_tournament_with_thousands_an_all_in_and_a_player_sitting_out():
    hand = one(TILT)
    assert hand.tournament
    assert (hand.stakes.small_bet, hand.stakes.big_bet, hand.stakes.bring_in) == (1000, 2000, 300)
    assert hand.cards[1] == parse_cards("Ah6cQs2s7cQcQh")
    outcome = replay(hand)
    assert outcome.ok, outcome.problems
    assert outcome.finishing_stacks == (5700, 2100, 10245)


@pytest.mark.parametrize("text", [STARS, TILT], ids=["stars", "tilt"])
@pytest.mark.parametrize("change", ["bom", "crlf", "double", "utf-16", "euro", "spaces"])
def test_how_a_text_is_stored_does_not_matter(text: str, change: str, tmp_path: Path):
    raw = {
        "bom": ("\ufeff" + text).encode(),
        "crlf": text.replace("\n", "\r\n").encode(),
        "double": text.replace("\n", "\n\n").encode(),
        "utf-16": text.encode("utf-16"),
        "euro": text.replace("$", "€").encode(),
        "spaces": text.replace("\n", "  \n").encode(),
    }[change]
    path = tmp_path / "session"
    path.write_bytes(raw)
    [hand] = read_hands(path)
    assert hand.stacks == one(text).stacks
    assert replay(hand).ok


@pytest.mark.parametrize(
    "header",
    [
        "PokerStars Game #77:  Razz Limit ($2/$4) - 2008/07/09 - 21:41:43 (ET)",
        "PokerStars Zoom Hand #77:  Razz Limit (€2/€4 EUR) - 2012/01/02 3:04:05 ET",
        "PokerStars Home Game Hand #77: {Club #1}  Razz Limit ($2/$4 USD) - 2012/01/02 3:04:05 ET",
        "PokerStars Game #77:  HORSE (Razz Limit, $2/$4) - 2008/07/09 - 21:41:43 (ET)",
        "PokerStars Hand #77:  8-Game (Razz Limit, $2/$4 USD) - 2012/01/02 3:04:05 ET",
        "POKERSTARS GAME #77: RAZZ LIMIT ($2/$4) - 2008/07/09 21:41:43 ET",
        "PokerStars Hand #77: Tournament #5, $2+$0.20 USD Triple Stud (Razz Limit) - Level II (2/4) - 2013/01/02 ET",
        "PokerStars Hand #77: Tournament #5, Freeroll  Razz Limit - Match Round I, Level II (2/4) - 2013/01/02 ET",
        "Full Tilt Hand #77:  Razz Limit ($2/$4 USD) - 2017/01/02 3:04:05 ET",
    ],
)
def test_headers_of_the_poker_stars_kind(header: str):
    played = UNRAKED if "Tournament" in header else STARS
    text = header + played[played.index("\n") :]
    assert replay(one(text)).ok
    assert one(text).id == "77"


@pytest.mark.parametrize(
    "header",
    [
        "FullTiltPoker Game #88: Some Cup (Deep) (9), Table 12 - 1000/2000 Ante 100 - Limit Razz - 1:02 ET - 2010/1/2",
        "Full Tilt Poker Game #88: Table Play Chip 5 (6 max) - 1,000/2,000 Ante 100 - Limit Razz - 1:02 ET - 2010/1/2",
        "Full Tilt Poker Game #88: Table HORSE - Limit Razz - 1,000/2,000 Ante 100 - 1:02:03 ET - 2010/01/02",
    ],
)
def test_headers_of_the_full_tilt_kind(header: str):
    hand = one(header + TILT[TILT.index("\n") :])
    assert hand.stakes.ante == 100
    assert hand.tournament == ("(9)" in header)
    assert replay(hand).ok


def test_pot_and_no_limit_are_told_by_the_header():
    assert one(STARS.replace("Razz Limit", "Razz No Limit")).rules.betting == "no_limit"
    assert one(STARS.replace("Razz Limit", "Razz Pot Limit")).rules.betting == "pot_limit"
    assert one(TILT.replace("- Limit Razz", "- No Limit Razz")).rules.betting == "no_limit"


def test_other_games_are_passed_over():
    holdem = "PokerStars Hand #5:  Hold'em No Limit ($2/$4 USD) - 2012/01/02 3:04:05 ET\n*** HOLE CARDS ***\n\n\n"
    assert [hand.id for hand in scan_text(holdem + STARS, "x") if isinstance(hand, RecordedHand)] == ["77"]
    with pytest.raises(HistoryError, match="no hand of Razz"):
        scan_text(holdem, "x")
    with pytest.raises(HistoryError, match="neither PHH nor"):
        scan_text("Dear diary, I folded.", "x")


def test_a_short_bring_in_is_measured_by_the_call_or_by_other_hands():
    text = """PokerStars Hand #1: Tournament #9, $1+$0.10 USD Razz Limit - Level IV (50/100) - 2010/09/09 18:27:23 ET
Seat 1: A (15 in chips)
Seat 2: B (500 in chips)
Seat 3: C (500 in chips)
A: posts the ante 10
B: posts the ante 10
C: posts the ante 10
*** 3rd STREET ***
Dealt to A [Kh]
Dealt to B [2h]
Dealt to C [3h]
A: brings in for 5 and is all-in
B: calls 15
C: folds
Uncalled bet (10) returned to B
*** 4th STREET ***
Dealt to A [Kh] [Qd]
Dealt to B [2h] [3d]
*** 5th STREET ***
Dealt to A [Kh Qd] [Qh]
Dealt to B [2h 3d] [4d]
*** 6th STREET ***
Dealt to A [Kh Qd Qh] [Qs]
Dealt to B [2h 3d 4d] [5d]
*** RIVER ***
*** SHOW DOWN ***
B: shows [Ac 7c 2h 3d 4d 5d 9s] (Lo: 5,4,3,2,A)
A: mucks hand
A finished the tournament in 3rd place
B collected 40 from pot
*** SUMMARY ***
Total pot 40 | Rake 0
Seat 1: A mucked [Kc Ks Kh Qd Qh Qs Jd]
Seat 2: B showed [Ac 7c 2h 3d 4d 5d 9s] and won (40) with Lo: 5,4,3,2,A
Seat 3: C folded on the 3rd Street (didn't bet)
"""
    hand = one(text)
    assert hand.stakes.bring_in == 15
    assert replay(hand).ok, replay(hand).problems
    shorter = text.replace("calls 15", "calls 5").replace("Uncalled bet (10) returned to B\n", "")
    assert one(shorter).stakes.bring_in == 5
    assert replay(one(shorter)).ok
    _, there = scan_text(text.replace("brings in for 5 and is all-in", "brings in for 15") + shorter, "x")
    assert isinstance(there, RecordedHand)
    assert there.stakes.bring_in == 15
    assert replay(there).ok, replay(there).problems


def test_a_community_card_in_the_rivers_heading():
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
    names = [f"P{number}" for number in range(1, 9)]
    door = [deck[-1 - number] for number in range(8)]
    streets = {4: deck[:8], 5: deck[8:16], 6: deck[16:24]}
    lines = ["PokerStars Hand #3:  Razz Limit (50/100) - 2010/09/09 18:27:23 ET"]
    lines += [f"Seat {number}: {name} (5 in chips)" for number, name in enumerate(names, start=1)]
    lines += [f"{name}: posts the ante 5 and is all-in" for name in names]
    lines += ["*** 3rd STREET ***", *(f"Dealt to {name} [{card}]" for name, card in zip(names, door, strict=True))]
    boards = {name: [card] for name, card in zip(names, door, strict=True)}
    for street, cards in streets.items():
        lines.append(f"*** {street}th STREET ***")
        for name, card in zip(names, cards, strict=True):
            lines.append(f"Dealt to {name} [{' '.join(boards[name])}] [{card}]")
            boards[name].append(card)
    lines += [f"*** RIVER *** [{deck[24]}]", "*** SHOW DOWN ***"]
    down = {name: deck[25 + 2 * number : 27 + 2 * number] for number, name in enumerate(names)}
    lines += [f"{name}: shows [{' '.join([*down[name], *boards[name]])}] (Lo: ...)" for name in names]
    lines += ["*** SUMMARY ***", f"Board [{deck[24]}]"]
    hand = one("\n".join(lines))
    assert hand.community == parse_card(deck[24])
    assert all(len(cards) == 6 for cards in hand.cards)
    outcome = replay(hand)
    assert "illegal" not in outcome.result
    assert all("community" not in problem for problem in outcome.problems)


@pytest.mark.parametrize(
    ("text", "old", "new", "at", "words"),
    [
        (STARS, "Dealt to Cy [Kd] [5d]\n", "", "Ann: folds: bets $2", "has not been dealt"),
        (STARS, "Dealt to Cy [Kd]\n", "", "Cy: brings in", "has not been dealt"),
        (STARS, "[Kd] [5d]", "[Kd] [4s]", "[Kd] [4s]", "4s is dealt a second time"),
        (STARS, "[Kd] [5d]", "[Kd] [1d]", "[1d]", "'1d' is not a card"),
        (STARS, "[Kd] [5d]", "[Qd] [5d]", "[Qd] [5d]", "was dealt"),
        (STARS, "*** 4th STREET ***\n", "", "[7h 2c 3c] [Ac]", "third street"),
        (STARS, "*** 5th STREET ***\n", "", "[7h 2c 3c Ac] [6d]", "on fourth street"),
        (STARS, "Cy: calls $2\n", "Cy: calls ?\n", "Cy: calls ?\n", "not how a player acts"),
        (STARS, "Cy: calls $2\n", "Cy: cals $2\n", "Cy: cals", "'cals' is not something"),
        (STARS, "Cy: calls $2\n", "Dy: calls $2\n", "Dy: calls", "nobody seated"),
        (STARS, "Cy: posts the ante $0.20\n", "", "", "posted no ante"),
        (STARS, "*** SUMMARY ***", "*** SUMM", "*** SUMM", "no street"),
        (STARS, "*** 4th STREET ***", "*** FLOP *** [2c 3c 4c]", "FLOP", "no street of Razz"),
        (STARS, "mucked [Kh Kc", "mucked [Kh Ac", "mucked [Kh Ac", "another seat"),
        (STARS, "Seat 4: Cy mucked", "Seat 4: Di mucked", "Di mucked", "not as it was seated"),
        (STARS, "Razz Limit ($2/$4 USD)", "Razz Limit", "PokerStars", "no stakes"),
        (STARS, "Guest said", "Hand cancelled\nGuest said", "cancelled", "cancelled"),
        (TILT, "A calls 300, and is all in\n", "B calls 300, and is all in\n", "B calls", "nobody seated"),
        (TILT, "A brings in for 300\n", "A bring in for 300\n", "A bring in", "'bring' is not"),
        (TILT, "Dealt to A [Qs] [2s]\n", "", "A B bets 1,000", "has not been dealt"),
        (TILT, "[Qs] [2s]", "[Qs] [5h]", "[Qs] [5h]", "a second time"),
        (TILT, "2010/01/02", "2010/01/02 (partial)", "(partial)", "cut it short"),
        (TILT, "A is high", "Hand #88 has been canceled\nA is high", "canceled", "cancelled"),
    ],
)
def test_a_broken_text_is_an_error_at_its_line(text: str, old: str, new: str, at: str, words: str):
    assert old in text
    broken = text.replace(old, new, 1)
    found = error(broken)
    assert words in str(found)
    if at.strip():
        assert found.line == line_of(broken, at.strip()), str(found)


@pytest.mark.parametrize("text", [STARS, TILT], ids=["stars", "tilt"])
def test_a_text_cut_anywhere_is_unreadable_until_its_summary(text: str):
    lines = text.splitlines()
    end = lines.index("*** SUMMARY ***")
    for count in range(1, end):
        found = error("\n".join(lines[:count]))
        assert "ends without its summary" in str(found)
        assert found.line == count


def test_a_hand_without_its_first_line_is_named():
    body = STARS[STARS.index("\n") + 1 :]
    first, second = scan_text(body + STARS, "x")
    assert isinstance(first, HistoryError)
    assert isinstance(second, RecordedHand)
    first, second, third = scan_text(STARS + body + STARS, "x")
    assert isinstance(first, RecordedHand)
    assert replay(first).ok
    assert isinstance(second, HistoryError)
    assert second.line == STARS.count("\n") + 1
    assert "first line is missing" in str(second)
    assert isinstance(third, RecordedHand)


def test_one_broken_hand_leaves_the_others(tmp_path: Path):
    path = tmp_path / "session.txt"
    path.write_text(STARS.replace("[Kd] [5d]", "[Kd] [1d]") + "\n\n" + STARS, encoding="utf-8")
    first, second = scan_hands(path)
    assert isinstance(first, HistoryError)
    assert first.hand == "77"
    assert isinstance(second, RecordedHand)
    with pytest.raises(HistoryError):
        read_hands(path)


def test_a_file_that_is_not_there(tmp_path: Path):
    with pytest.raises(HistoryError, match="cannot be read"):
        read_hands(tmp_path / "nothing.phh")
