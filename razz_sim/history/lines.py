"""What the rooms print alike: headings, cards, payments, shows, the summary."""

from __future__ import annotations

import re

from razz_sim.history.record import HistoryError
from razz_sim.history.transcript import AMOUNT, Line, Player, Transcript, money

STREET = re.compile(r"\*\*\* (?:([3-7])(?:RD|TH) STREET|RIVER) \*\*\*(.*)", re.IGNORECASE)
GROUPS = re.compile(r"\[([^\[\]]*)\]")
TOTAL = re.compile(rf"Total pot ({AMOUNT})(.*?)\| Rake ({AMOUNT})")
SUMMARY_SEAT = re.compile(r"Seat (\d+): (.*)")
SUMMARY_CARDS = re.compile(r".*\b(?:showed|mucked) \[([^\[\]]+)\]")
COMMUNITY = re.compile(r"(?:Board:?|.*community card.*?)\s*\[([^\[\]]{2,3})\]", re.IGNORECASE)
CANCELLED = re.compile(r"Hand cancelled|Hand #?\d* ?(?:has been|was) cancell?ed", re.IGNORECASE)
NEXT_HAND = ("Table '", "Dealt to ", "Uncalled bet ")


def read_heading(hand: Transcript, line: Line) -> None:
    """`*** 5th STREET ***`, `*** RIVER *** [Qs]`, `*** SHOW DOWN ***` or `*** SUMMARY ***`."""
    street = STREET.match(line.text)
    if hand.in_summary:
        raise after_summary(hand, line)
    if street is not None:
        groups = GROUPS.findall(street[2])
        hand.begin_street(int(street[1]) if street[1] else 7, line, groups[-1] if groups else "")
    elif re.match(r"\*\*\* SUMMARY", line.text, re.IGNORECASE):
        hand.in_summary = True
    elif re.match(r"\*\*\* SHOW ?DOWN", line.text, re.IGNORECASE):
        hand.check_dealt(line)
    else:
        raise hand.error(f"{line.text!r} is no street of Razz", line)


def read_dealt(hand: Transcript, line: Line) -> None:
    """`Dealt to X [7c 8c] [4d]`, or a community card in the same words."""
    named = hand.named_at_start(line.text[len("Dealt to ") :], " [")
    community = COMMUNITY.match(line.text)
    if named is not None:
        hand.dealt(named[0], GROUPS.findall("[" + named[1]), line)
    elif community is not None and hand.street == 7:
        hand.deal_community(community[1], line)
    else:
        raise hand.error(f"nobody seated is named in {line.text!r}", line)


def read_summary(hand: Transcript, line: Line) -> None:
    """The pot and rake, and the cards of those who mucked: a room prints them here only."""
    if total := TOTAL.match(line.text):
        hand.total_pot, hand.rake = (money(total[1]), line), money(total[3])
    elif seat := SUMMARY_SEAT.match(line.text):
        player = next((one for one in hand.players.values() if one.number == int(seat[1])), None)
        if player is None or not seat[2].startswith(player.name):
            raise hand.error(f"the summary's seat {seat[1]} is not as it was seated: {line.text!r}", line)
        if cards := SUMMARY_CARDS.match(seat[2][len(player.name) :]):
            hand.show(player, cards[1], line)
    elif line.text.startswith(NEXT_HAND):
        raise after_summary(hand, line)
    elif (community := COMMUNITY.match(line.text)) and hand.street == 7:
        hand.deal_community(community[1], line)


def after_summary(hand: Transcript, line: Line) -> HistoryError:
    """The error for a line that belongs to another hand."""
    return hand.error(f"{line.text!r} after the summary: the next hand's first line is missing", line)


def read_payment(hand: Transcript, player: Player, words: str, amount: str, line: Line) -> None:
    """A seat puts in what the room's words name: an ante, a call, a bet, or else the bring-in."""
    if "ante" in words:
        hand.ante(player, amount, line)
        return
    hand.act(player, "call" if words == "calls" else "bet" if words == "bets" else "bring_in", line, amount)


def read_show(hand: Transcript, player: Player, cards: str, line: Line) -> None:
    """A seat shows its cards."""
    player.showed = True
    hand.show(player, cards, line)


def read_muck(hand: Transcript, player: Player, cards: str | None, line: Line) -> None:
    """A seat mucks; some rooms print what."""
    player.mucked = True
    if cards:
        hand.show(player, cards, line)
