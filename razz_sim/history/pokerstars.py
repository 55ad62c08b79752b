"""Reading PokerStars hand histories, also those of other rooms printed by its software.

Players' names may hold anything, so a line is matched to the longest seated name it begins with. A line that is
neither about the hand nor a garbled decision is table noise and passes.
"""

from __future__ import annotations

import re

from razz_sim.history.amounts import AMOUNT, money
from razz_sim.history.lines import (
    CANCELLED,
    COMMUNITY,
    read_dealt,
    read_heading,
    read_muck,
    read_payment,
    read_show,
)
from razz_sim.history.record import HistoryError
from razz_sim.history.summary import read_low, read_summary
from razz_sim.history.transcript import ALL_IN, Header, Line, Player, Transcript

HEADER = re.compile(
    r"(?P<site>PokerStars|Full Tilt|Run It Once Poker)(?: Home Game| Zoom| Rush)?(?: Game| Hand)* #(?P<id>\d+):",
    re.IGNORECASE,
)
_GAME = re.compile(r"\bRazz\b\s*(?P<limit>No Limit|Pot Limit|Fixed Limit|Limit)?", re.IGNORECASE)
_STAKES = re.compile(rf"[(,] ?(?:ante (?P<ante>{AMOUNT}), )?(?P<small>{AMOUNT})/(?P<big>{AMOUNT})\b", re.IGNORECASE)
_TABLE = re.compile(r"Table '.*' \S+(?: \((?P<note>[^()]*)\))?(?: Seat #(?P<button>\d{1,2}) is the button)?")
_NOTED = re.compile(r"\b(unit|chip) (\d[\d.]*)")
"""What our own writer adds to the table's line where the room's cents or whole chips would be wrong."""
_SEAT = re.compile(rf"Seat (\d{{1,2}}): (.+) \(({AMOUNT}) in chips(?:,[^()]*bounty)?\)")
_UNCALLED = re.compile(rf"Uncalled bet \(({AMOUNT})\) returned to (.+)")
_COLLECTED = re.compile(rf"(.+) collected \(?({AMOUNT})\)? from (?:the )?(?:main |side )?pot")
_ACTED = re.compile(r"(.+): (?:folds|checks|calls|bets|raises|brings in|posts the ante|completes)\b")
_CHAT = re.compile(r'.+ said, "')


def header(text: str, file: str, line: Line) -> Header | None:
    """What the first line of a hand says; None when the hand is of another game."""
    start = HEADER.match(text)
    assert start is not None
    about = re.split(r" - \d{4}/\d\d/\d\d", text[start.end() :])[0]
    game = _GAME.search(about)
    if game is None:
        return None
    stakes = _STAKES.search(about, game.end())
    if stakes is None:
        raise HistoryError(file, line.number, f"no stakes such as ($2/$4) in {text!r}")
    limit = (game["limit"] or "limit").lower()
    tournament = bool(re.search(r"Tournament #", about, re.IGNORECASE))
    return Header(
        id=start["id"],
        site=start["site"].lower().replace(" ", ""),
        betting={"no limit": "no_limit", "pot limit": "pot_limit"}.get(limit, "fixed_limit"),
        small_bet=money(stakes["small"]),
        big_bet=money(stakes["big"]),
        ante=money(stakes["ante"]) if stakes["ante"] else None,
        money=not tournament and not stakes["small"][0].isdigit(),
        tournament=tournament,
    )


def read_line(hand: Transcript, line: Line) -> None:
    """What one line after the header adds to the hand. Seated players' names go first: they may look like anything."""
    text = line.text
    speaker, paid = hand.named_at_start(text, ": "), _COLLECTED.match(text)
    if hand.in_summary:
        read_summary(hand, line)
    elif not hand.street and (seat := _SEAT.match(text)):
        hand.seat(int(seat[1]), seat[2], seat[3], line)
    elif speaker is not None:
        _read_player(hand, *speaker, line)
    elif paid and paid[1] in hand.players:
        hand.collect(hand.players[paid[1]], paid[2], line)
    elif text.startswith("*** "):
        read_heading(hand, line)
    elif text.startswith("Dealt to "):
        read_dealt(hand, line)
    elif uncalled := _UNCALLED.fullmatch(text):
        hand.give_back(hand.player(uncalled[2], line), uncalled[1], line)
    elif _CHAT.match(text):
        return
    elif paid or _ACTED.match(text):
        raise hand.error(f"nobody seated is named in {text!r}", line)
    elif CANCELLED.match(text):
        raise hand.error("the room cancelled this hand", line)
    elif hand.street == 7 and (community := COMMUNITY.match(text)):
        hand.deal_community(community[1], line)
    elif not hand.street and (table := _TABLE.fullmatch(text)):
        _read_table(hand, table)


def _read_table(hand: Transcript, table: re.Match[str]) -> None:
    """`Table 'Gotha II' 8-max`, with the button in mixed games, and with our own note on the chips."""
    hand.button = int(table["button"]) if table["button"] else None
    noted = {word: money(amount) for word, amount in _NOTED.findall(table["note"] or "")}
    hand.unit, hand.chip = noted.get("unit") or None, noted.get("chip") or None


def _read_player(hand: Transcript, player: Player, words: str, line: Line) -> None:
    """A seated player's own line: a decision, a show, or sitting out and the like."""
    plain = ALL_IN.sub("", words)
    pays = re.fullmatch(rf"(posts the ante|brings[- ]in(?: low| high)? for|calls|bets) ({AMOUNT})", plain)
    raises = re.fullmatch(rf"(raises|completes)(?: it)?(?: ({AMOUNT}))? to ({AMOUNT})", plain)
    if pays:
        read_payment(hand, player, pays[1], pays[2], line)
    elif raises:
        over = money(raises[3]) - money(raises[2]) if raises[2] else None
        hand.act(player, "complete" if raises[1] == "completes" else "raise", line, raises[3], over)
    elif plain == "checks":
        hand.act(player, "check", line)
    elif folds := re.fullmatch(r"folds(?: \[([^\[\]]+)\])?", plain):
        hand.act(player, "fold", line)
        if folds[1]:
            hand.show(player, folds[1], line)
    elif shows := re.match(r"(?:shows|showed) \[([^\[\]]+)\]", words):
        read_show(hand, player, shows[1], line)
        read_low(hand, player, words, line)
    elif mucks := re.match(r"(?:mucks|mucked)(?: hand)?(?: \[([^\[\]]+)\])?|doesn't show hand", words):
        read_muck(hand, player, mucks[1], line)
    elif re.match(r"(?:folds|checks|calls|bets|raises|completes|brings|posts|shows)\b", words):
        raise hand.error(f"{words!r} is not how a player acts", line)
    else:
        hand.near_miss(words, line)
