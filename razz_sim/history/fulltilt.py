"""Reading Full Tilt Poker hand histories: its own software's, before the room took over PokerStars' wording."""

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

HEADER = re.compile(r"Full ?Tilt ?Poker(?:\.\w+)? (?:Game|Hand) #(?P<id>\d+):", re.IGNORECASE)
_GAME = re.compile(r" - (?:.*? )?(?P<limit>No Limit|Pot Limit|Limit|NL|PL|FL) Razz\b", re.IGNORECASE)
_STAKES = re.compile(rf" - (?P<small>{AMOUNT})/(?P<big>{AMOUNT})(?: Ante (?P<ante>{AMOUNT}))?(?= - | ?$)")
_SEAT = re.compile(rf"Seat (\d{{1,2}}): (.+) \(({AMOUNT})\)(?:, is sitting out)?$")
_UNCALLED = re.compile(rf"Uncalled bet of ({AMOUNT}) returned to (.+)")
_ANTE_BACK = re.compile(rf"Ante of ({AMOUNT}) returned to (.+)")
_ACTED = re.compile(
    rf".+ (?:folds|checks|(?:calls|bets|raises to|completes it to|brings in for|antes) {AMOUNT})(?:, and is all in)?"
)
_WINS = re.compile(rf"(?:wins|ties for|splits) .*?pot.*?\(({AMOUNT})\)")
_BETTING = {"no limit": "no_limit", "nl": "no_limit", "pot limit": "pot_limit", "pl": "pot_limit"}


def header(text: str, file: str, line: Line) -> Header | None:
    """What the first line of a hand says; None when the hand is of another game."""
    start = HEADER.match(text)
    assert start is not None
    about = text[start.end() :]
    game = _GAME.search(about)
    if game is None:
        return None
    if about.endswith("(partial)"):
        raise HistoryError(file, line.number, f"hand {start['id']} is marked partial: the room cut it short")
    stakes = _STAKES.search(about)
    if stakes is None:
        raise HistoryError(file, line.number, f"no stakes such as $2/$4 in {text!r}")
    return Header(
        id=start["id"],
        site="fulltilt",
        betting=_BETTING.get(game["limit"].lower(), "fixed_limit"),
        small_bet=money(stakes["small"]),
        big_bet=money(stakes["big"]),
        ante=money(stakes["ante"]) if stakes["ante"] else None,
        money=not stakes["small"][0].isdigit(),
        tournament=bool(re.search(r"\(\d+\), (?:Table|Match)\b", about)),
    )


def read_line(hand: Transcript, line: Line) -> None:
    """What one line after the header adds to the hand. A colon after a name is chat here."""
    text = line.text
    speaker = hand.named_at_start(text, " ")
    if hand.in_summary:
        read_summary(hand, line)
    elif text.startswith("*** "):
        read_heading(hand, line)
    elif not hand.street and (seat := _SEAT.match(text)):
        hand.seat(int(seat[1]), seat[2], seat[3], line)
    elif text.startswith("Dealt to "):
        read_dealt(hand, line)
    elif uncalled := _UNCALLED.fullmatch(text):
        hand.give_back(hand.player(uncalled[2], line), uncalled[1], line)
    elif ante := _ANTE_BACK.fullmatch(text):
        hand.take_back_ante(hand.player(ante[2], line), ante[1], line)
    elif hand.named_at_start(text, ": ") is not None:
        return
    elif speaker is not None:
        _read_player(hand, *speaker, line)
    elif CANCELLED.match(text):
        raise hand.error("the room cancelled this hand", line)
    elif hand.street == 7 and (community := COMMUNITY.match(text)):
        hand.deal_community(community[1], line)
    elif _ACTED.fullmatch(text) and not re.match(r"[^:]{1,20}: ", text):
        raise hand.error(f"nobody seated is named in {text!r}", line)


def _read_player(hand: Transcript, player: Player, words: str, line: Line) -> None:
    """A seated player's own line: a decision, a show, chips won, or leaving, waiting and the like."""
    plain = ALL_IN.sub("", words)
    pays = re.fullmatch(rf"(antes|brings in for|calls|bets) ({AMOUNT})", plain)
    raises = re.fullmatch(rf"(raises(?: {AMOUNT})? to|completes it to) ({AMOUNT})", plain)
    if pays:
        read_payment(hand, player, pays[1], pays[2], line)
    elif raises:
        hand.act(player, "complete" if raises[1].startswith("completes") else "raise", line, raises[2])
    elif plain == "checks":
        hand.act(player, "check", line)
    elif plain == "folds":
        hand.act(player, "fold", line)
    elif paid := _WINS.match(words):
        hand.collect(player, paid[1], line)
        read_low(hand, player, words, line)
    elif shows := re.match(r"shows \[([^\[\]]+)\]", words):
        read_show(hand, player, shows[1], line)
    elif mucks := re.match(r"mucks\b(?: \[([^\[\]]+)\])?", words):
        read_muck(hand, player, mucks[1], line)
    elif re.match(r"(?:folds|checks|calls|bets|raises|completes it|brings in|antes)\b", words):
        raise hand.error(f"{words!r} is not how a player acts", line)
    else:
        hand.near_miss(words, line)
