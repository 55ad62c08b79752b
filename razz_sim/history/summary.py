"""What a room's summary claims: the pots, the rake, and what became of each seat."""

from __future__ import annotations

import re

from razz_sim.cards import RANKS
from razz_sim.history.amounts import AMOUNT, money
from razz_sim.history.lines import COMMUNITY, GROUPS
from razz_sim.history.transcript import End, Line, Player, Transcript

_TOTAL = re.compile(rf"Total pot ({AMOUNT})(.*?)\| Rake ({AMOUNT})")
_POT = re.compile(rf"(?:Main|Side) pot(?:-\d+)? ({AMOUNT})", re.IGNORECASE)
_SEAT = re.compile(r"Seat (\d{1,2}): (.*)")
_CARDS = re.compile(r".*\b(?:showed|mucked) \[([^\[\]]+)\]")
_FOLDED = re.compile(r"\bfolded\b(?: (on|before) (?:the )?(\w+))?")
_WON = re.compile(rf"\b(?:won|collected) \(({AMOUNT})\)")
_LOW = re.compile(r"\b(?:Lo: |with )(\w+(?:,\w+)+)")
_STREETS = {"3rd": 3, "4th": 4, "5th": 5, "6th": 6, "7th": 7, "river": 7}


def read_summary(hand: Transcript, line: Line) -> None:
    """The pot and rake, what became of each seat, and the cards of those who mucked: a room prints them here only."""
    if total := _TOTAL.match(line.text):
        hand.total_pot, hand.rake = (money(total[1]), line), money(total[3])
        hand.listed_pots = [money(amount) for amount in _POT.findall(total[2])]
    elif seat := _SEAT.match(line.text):
        player = next((one for one in hand.players.values() if one.number == int(seat[1])), None)
        if player is None or not f"{seat[2]} ".startswith(f"{player.name} "):
            raise hand.error(f"the summary's seat {seat[1]} is not as it was seated: {line.text!r}", line)
        _read_end(hand, player, seat[2][len(player.name) :], line)
    elif (community := COMMUNITY.match(line.text)) and hand.street == 7:
        hand.deal_community(community[1], line)


def read_low(hand: Transcript, player: Player, words: str, line: Line) -> None:
    """The low that a line spells out, `[8c 6d ...] (Lo: 8,6,4,3,2)` or `with Q,7,6,2,A`, if it does."""
    if named := _LOW.search(words):
        ranks = [RANKS.find(rank.replace("10", "T")) for rank in named[1].split(",")]
        if len(ranks) > 5 or min(ranks) < 0:
            raise hand.error(f"{named[1]!r} is no low, as '8,6,4,3,2' is one", line)
        group = GROUPS.search(words)
        shown = hand.cards(group[1], line) if group else ()
        if len(shown) > 7:
            raise hand.error(f"{len(shown)} cards are shown: {line.text!r}", line)
        hand.lows.append((player, tuple(ranks), shown, line))


def _read_end(hand: Transcript, player: Player, words: str, line: Line) -> None:
    """`folded on the 5th Street`, `showed [...] and won ($9) with Lo: 8,6,4,3,2`, `collected ($9), mucked`."""
    if cards := _CARDS.match(words):
        hand.show(player, cards[1], line)
    plain = re.sub(r"\[[^\[\]]*\]", "", words)
    folded, won = _FOLDED.search(plain), [money(amount) for amount in _WON.findall(plain)]
    said = set(re.findall(r"\b(showed|mucked|lost)\b", plain))
    if not (folded or won or said):
        if re.search(rf"\({AMOUNT}\)", plain):
            raise hand.error(f"{words.strip()!r} is not how a summary tells what became of a seat", line)
        return
    if not player.dealt_in:
        if won or said:
            raise hand.error(f"{player.name} was not dealt in: {line.text!r}", line)
        return
    hand.ends.append(
        End(
            player=player,
            line=line,
            streets=_streets(hand, folded, line) if folded else (),
            never_bet="(didn't bet)" in plain,
            showed="showed" in said,
            mucked="mucked" in said,
            lost="lost" in said,
            won=sum(won, start=money("0")) if won else None,
        )
    )
    read_low(hand, player, words, line)


def _streets(hand: Transcript, folded: re.Match[str], line: Line) -> tuple[int, ...]:
    """The streets on one of which a seat folded by these words; any when they name none."""
    word = (folded[2] or "").lower()
    if word not in _STREETS and (folded[1] == "on" or word[:1].isdigit()):
        raise hand.error(f"{folded[2]!r} is no street of Razz: {line.text!r}", line)
    if folded[1] == "on":
        return (_STREETS[word],)
    return tuple(range(3, _STREETS.get(word, 8)))
