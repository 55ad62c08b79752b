"""Writing a finished hand in PokerStars' words, for the tools that read its hand histories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from razz_sim.cards import NO_CARD, RANKS, card_text
from razz_sim.hand import Action, Ante, Award, Community, Deal, Hand, Muck, Returned, Show
from razz_sim.history.detect import scan_bytes
from razz_sim.history.record import HistoryError
from razz_sim.history.to_phh import check_names, table_order
from razz_sim.lowball import low_ranks

HAND_NUMBER_DIGITS = 18
ORDINALS = {3: "3rd", 4: "4th", 5: "5th", 6: "6th"}
_LIMITS = {"fixed_limit": "Limit", "pot_limit": "Pot Limit", "no_limit": "No Limit"}
_ROMAN = ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
_STARTED = "2000/01/01 0:00:00 ET"
"""A simulated hand has no date, and the same hand must give the same text."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What the room prints of a tournament: its number, the buy-in in words, the number of a hand's table."""

    number: int = 1
    buy_in: str = "Freeroll "
    table: int = 1


def write_pokerstars(
    hand: Hand,
    *,
    hand_number: int = 1,
    names: Sequence[str] = (),
    hero: int | None = None,
    table: str = "razz_sim",
    tournament: Printed | None = None,
) -> str:
    """The hand as the room would print it, with the down cards of seat `hero` if one is named.

    The room prints neither rules nor, of Razz, the dealer. The dealer goes into the table's line in the words the room
    has for other games, unless it is the last seat; there too go `unit` and `chip` of stakes that are not in the room's
    cents or whole chips. A hand of a tournament is told with its level. ValueError while the hand is not over, and for
    names with which the text would not read back as this hand.
    """
    if not 0 <= hand_number < 10**HAND_NUMBER_DIGITS:
        raise ValueError(f"the hand number {hand_number} must be a whole number of at most {HAND_NUMBER_DIGITS} digits")
    check_names(hand, names)
    writer = _Writer(hand, names, hero, tournament or Printed())
    if tournament and hand.tournament:
        table = f"{tournament.number} {tournament.table}"
    text = writer.text(hand_number, table)
    if not _reads_back(text, hand, writer.names):
        raise ValueError(_unwritable(hand, writer.names))
    return text


def _unwritable(hand: Hand, names: Sequence[str]) -> str:
    """The sentence about names with which the text reads back as another hand: which of them, if it is one alone."""
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        return f"two seats are named {twice[0]!r}: PokerStars' text tells players by their names"
    plain = [f"Player{seat + 1}" for seat in range(len(names))]
    alone = [[*plain[:seat], name, *plain[seat + 1 :]] for seat, name in enumerate(names)]
    wrong = [not _reads_back(_Writer(hand, tried, None).text(1, ""), hand, tried) for tried in alone]
    named = ", ".join(repr(name) for name, bad in zip(names, wrong, strict=True) if bad or not any(wrong))
    return f"PokerStars' text cannot hold the name {named}: it would not read back as the same hand"


def _reads_back(text: str, hand: Hand, names: Sequence[str]) -> bool:
    """Whether the text reads as this hand: names may look like anything, even like another line of the text."""
    try:
        [read] = scan_bytes(text.encode(), "")
    except ValueError:
        return False
    if isinstance(read, HistoryError):
        return False
    seats = [seat for seat, stack in enumerate(hand.starting_stacks) if stack]
    actions = [event for event in hand.events if isinstance(event, Action)]
    wagers = ("complete", "bet", "raise")
    boards = [hand.up_cards(seat) for seat in seats]
    return (
        read.names == tuple(names[seat] for seat in seats)
        and read.stacks == tuple(hand.starting_stacks[seat] for seat in seats)
        and read.finishing_stacks == tuple(hand.stacks[seat] for seat in seats)
        and [board[2 : 2 + len(up)] for board, up in zip(read.cards, boards, strict=True)] == boards
        and [seats[seat] for seat in read.shown] == sorted(hand.shown)
        and [(seats[one.seat], one.street, one.to) for one in read.actions]
        == [(one.seat, one.street, one.to if one.kind in wagers else 0) for one in actions]
    )


class _Writer:
    def __init__(self, hand: Hand, names: Sequence[str], hero: int | None, printed: Printed = Printed()) -> None:
        if hand.seat is not None:
            raise ValueError("the hand is not over")
        self.hand, self.hero, self.printed = hand, hero, printed
        self.seats = [seat for seat, stack in enumerate(hand.starting_stacks) if stack]
        self.names = list(names) or [f"Player{seat + 1}" for seat in range(len(hand.starting_stacks))]
        self.sign = "$" if hand.stakes.unit < 1 and not hand.tournament else ""
        self.seen: dict[int, list[int]] = {}
        self.held: dict[int, list[int]] = {}
        self.street = 0
        self.wager = 0
        self.left_on: dict[int, Action] = {}
        self.paid_in: set[int] = set()

    def money(self, amount: int) -> str:
        return self.sign + self.hand.stakes.money(amount)

    def text(self, hand_number: int, table: str) -> str:
        return "\n".join(self.lines(hand_number, table)) + "\n"

    def lines(self, hand_number: int, table: str) -> list[str]:
        hand = self.hand
        return [
            self.header(hand_number),
            self.table(table),
            *(
                f"Seat {seat + 1}: {self.names[seat]} ({self.money(hand.starting_stacks[seat])} in chips)"
                for seat in self.seats
            ),
            *(line for event in hand.events for line in self.event(event)),
            *self.pots(),
            *self.summary(),
        ]

    def table(self, name: str) -> str:
        """The table's line, with what a reader would take otherwise: the size of chips, the dealer."""
        stakes = self.hand.stakes
        unit = [] if stakes.unit == (Decimal("0.01") if self.sign else 1) else [f"unit {stakes.unit:f}"]
        chip = [] if stakes.chip == 1 else [f"chip {stakes.money(stakes.chip)}"]
        note = f" ({', '.join(unit + chip)})" if unit or chip else ""
        dealer = table_order(self.hand)[-1]
        button = f" Seat #{dealer + 1} is the button" if dealer != self.seats[-1] else ""
        return f"Table '{name}' 8-max{note}{button}"

    def header(self, hand_number: int) -> str:
        stakes = self.hand.stakes
        bets = f"{self.money(stakes.small_bet)}/{self.money(stakes.big_bet)}"
        game = f"Razz {_LIMITS[self.hand.rules.betting]}"
        if self.hand.tournament:
            entered = f"Tournament #{self.printed.number}, {self.printed.buy_in}"
            level = f"Level {roman(int(self.hand.record['level']) or 1)} ({bets})"
            return f"PokerStars Hand #{hand_number}: {entered} {game} - {level} - {_STARTED}"
        return f"PokerStars Hand #{hand_number}:  {game} ({bets}{' USD' if self.sign else ''}) - {_STARTED}"

    def event(self, event: object) -> list[str]:
        match event:
            case Ante() if event.amount:
                return [f"{self.names[event.seat]}: posts the ante {self.money(event.amount)}{_all_in(event.all_in)}"]
            case Deal():
                return [*self.heading(event.street), *self.deal(event)]
            case Community():
                return [*self.heading(7, f" [{card_text(event.card)}]")]
            case Action():
                return [f"{self.names[event.seat]}: {self.decision(event)}"]
            case Returned():
                return [f"Uncalled bet ({self.money(event.amount)}) returned to {self.names[event.seat]}"]
            case Show():
                cards = f"{self.names[event.seat]}: shows [{_cards(event.cards)}] ({_low(event.cards)})"
                return [*self.heading(8), cards]
            case Muck():
                return [*self.heading(8), f"{self.names[event.seat]}: mucks hand"]
        return []

    def heading(self, street: int, cards: str = "") -> list[str]:
        """The street's heading when it is new; 8 is the showdown."""
        if street == self.street:
            return []
        self.street, self.wager = street, 0
        names = {7: f"*** RIVER ***{cards}", 8: "*** SHOW DOWN ***"}
        return [names[street] if street in names else f"*** {ORDINALS[street]} STREET ***"]

    def deal(self, event: Deal) -> list[str]:
        new = list(
            event.cards if event.seat == self.hero else (c for c, up in zip(event.cards, event.up, strict=True) if up)
        )
        old = self.seen.setdefault(event.seat, [])
        self.held.setdefault(event.seat, []).extend(event.cards)
        if not new or NO_CARD in new:
            return []
        groups = f"[{_cards(old)}] [{_cards(new)}]" if old else f"[{_cards(new)}]"
        old.extend(new)
        return [f"Dealt to {self.names[event.seat]} {groups}"]

    def decision(self, action: Action) -> str:
        before, self.wager = self.wager, max(self.wager, action.to)
        if action.kind == "bring_in":  # a short one is raised as if it were whole
            self.wager = self.hand.stakes.bring_in
        if action.put:
            self.paid_in.add(action.seat)
        if action.kind == "fold":
            self.left_on[action.seat] = action
            return "folds"
        words = {
            "check": "checks",
            "bring_in": f"brings in for {self.money(action.to)}",
            "call": f"calls {self.money(action.put)}",
        }.get(action.kind)
        if words is None:
            over = f"raises {self.money(action.to - before)} to {self.money(action.to)}"
            words = over if before else f"bets {self.money(action.to)}"
        return words + _all_in(action.all_in)

    def pots(self) -> list[str]:
        """Who collected what, the last side pot first, as the room pays them."""
        awards = [event for event in self.hand.events if isinstance(event, Award) and event.amount]
        awards.sort(key=lambda award: -award.pot)
        return [
            f"{self.names[award.seat]} collected {self.money(award.amount)} from {self.pot_name(award.pot)}"
            for award in awards
        ]

    def pot_name(self, pot: int) -> str:
        count = len(self.hand.pots)
        if count == 1:
            return "pot"
        return "main pot" if pot == 0 else "side pot" if count == 2 else f"side pot-{pot}"

    def summary(self) -> list[str]:
        hand = self.hand
        total = f"Total pot {self.money(sum(pot.amount for pot in hand.pots))}"
        if len(hand.pots) > 1:
            names = [self.pot_name(number).capitalize() for number in range(len(hand.pots))]
            parts = zip(names, self.after_rake(), strict=True)
            total += "".join(f" {name} {self.money(amount)}." for name, amount in parts)
        return [
            "*** SUMMARY ***",
            f"{total} | Rake {self.money(hand.rake)}",
            *(f"Seat {seat + 1}: {self.names[seat]} {self.end(seat)}" for seat in self.seats),
        ]

    def after_rake(self) -> list[int]:
        """What each pot paid out, main pot first: as the room lists them beside the total and the rake."""
        paid = [0] * len(self.hand.pots)
        for event in self.hand.events:
            if isinstance(event, Award):
                paid[event.pot] += event.amount
        return paid

    def end(self, seat: int) -> str:
        """The summary's words on one seat."""
        hand = self.hand
        if seat in self.left_on:
            street = self.left_on[seat].street
            where = "River" if street == 7 else f"{ORDINALS[street]} Street"
            return f"folded on the {where}" + ("" if seat in self.paid_in else " (didn't bet)")
        if seat in hand.shown:
            cards = hand.cards(seat)
            won = f"won ({self.money(hand.awards[seat])})" if hand.awards[seat] else "lost"
            return f"showed [{_cards(cards)}] and {won} with {_low(cards)}"
        if hand.awards[seat] or not hand.show_order:
            return f"collected ({self.money(hand.awards[seat])})"
        known = NO_CARD not in self.held[seat]
        return f"mucked [{_cards(hand.cards(seat))}]" if known else "mucked"


def roman(number: int) -> str:
    """A number as rooms count levels.

    >>> [roman(number) for number in (1, 4, 9, 14, 48)]
    ['I', 'IV', 'IX', 'XIV', 'XLVIII']
    """
    found = ""
    for value, digits in _ROMAN:
        while number >= value:
            found += digits
            number -= value
    return found


def _all_in(all_in: bool) -> str:
    return " and is all-in" if all_in else ""


def _cards(cards: Sequence[int]) -> str:
    return " ".join(map(card_text, cards))


def _low(cards: Sequence[int]) -> str:
    """`Lo: 8,6,4,3,2`: the five used, the highest first, pairs before the rest."""
    return "Lo: " + ",".join(RANKS[rank] for rank in low_ranks(cards))
