"""What the rooms print alike: headings, cards, payments, shows."""

from __future__ import annotations

import re

from razz_sim.history.transcript import Line, Player, Transcript

SUMMARY = re.compile(r"\*\*\* SUMMARY", re.IGNORECASE)
STREET = re.compile(r"\*\*\* (?:([3-7])(?:RD|TH) STREET|RIVER) \*\*\*(.*)", re.IGNORECASE)
GROUPS = re.compile(r"\[([^\[\]]*)\]")
COMMUNITY = re.compile(r"(?:Board:?|.*community card.*?)\s*\[([^\[\]]{2,3})\]", re.IGNORECASE)
CANCELLED = re.compile(r"Hand cancelled|Hand #?\d* ?(?:has been|was) cancell?ed", re.IGNORECASE)
SEAT_NUMBER = re.compile(r"Seat (\d{1,2}): ")
PLAY = re.compile(r"Table '|Dealt to |Uncalled bet |\*\*\* ")
"""How lines begin that no summary holds."""


def read_heading(hand: Transcript, line: Line) -> None:
    """`*** 5th STREET ***`, `*** RIVER *** [Qs]`, `*** SHOW DOWN ***` or `*** SUMMARY ***`."""
    street = STREET.match(line.text)
    if street is not None:
        groups = GROUPS.findall(street[2])
        hand.begin_street(int(street[1]) if street[1] else 7, line, groups[-1] if groups else "")
    elif SUMMARY.match(line.text):
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
