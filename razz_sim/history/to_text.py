"""Writing a hand for people: every street, every seat, every card, the pots and who won them.

The reader of this text debugs a strategy or learns the game, so nothing is hidden: down cards stand in brackets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from razz_sim.cards import NO_CARD, card_text
from razz_sim.hand import (
    Action,
    Ante,
    Award,
    Burn,
    Community,
    Deal,
    Event,
    Hand,
    Muck,
    RakeTaken,
    Returned,
    Show,
)
from razz_sim.history.record import STREET_NAMES
from razz_sim.lowball import best_low

_WORDS = {
    "bring_in": "brings in for {to}",
    "fold": "folds",
    "check": "checks",
    "call": "calls {put}",
    "complete": "completes to {to}",
    "bet": "bets {to}",
    "raise": "raises to {to}",
}


Failed = Mapping[tuple[int, int], str]
"""By seat and number of its decision in the hand: why the strategy did not choose what was done."""


def write_text(
    hand: Hand, *, title: str = "Razz", names: Sequence[str] = (), failed: Failed = MappingProxyType({})
) -> str:
    """The hand so far in plain words, one line for each thing that happened; `failed` decisions are marked.

    >>> from razz_sim.rules import PRESETS, Stakes
    >>> stakes = Stakes(name="15/30", ante=1, bring_in=5, small_bet=15, big_bet=30)
    >>> hand = Hand(PRESETS["pokerstars"], stakes, [500, 500], dealer=1, cards=7)
    >>> print(write_text(hand, title="Hand 1").splitlines()[0])
    Hand 1: 15/30, ante 1, bring-in 5, fixed limit, rules pokerstars
    """
    who = list(names) or [f"Seat {seat + 1}" for seat in range(len(hand.starting_stacks))]
    writer = _Writer(hand, who, max(map(len, who)), failed)
    return "\n".join(writer.lines(title)) + "\n"


class _Writer:
    def __init__(self, hand: Hand, names: list[str], width: int, failed: Failed) -> None:
        self.hand, self.names, self.width, self.failed = hand, names, width, failed
        self.decisions = [0] * len(names)
        self.held: dict[int, list[int]] = {seat: [] for seat in range(len(names))}
        self.street = 0
        self.pot = 0

    def money(self, amount: int) -> str:
        return self.hand.stakes.money(amount)

    def seat(self, seat: int, words: str) -> str:
        return f"  {self.names[seat]:{self.width}}  {words}"

    def seated(self, stacks: Sequence[int]) -> list[tuple[int, int]]:
        """Seats with their stacks: in a tournament those that were dealt in."""
        tournament, before = self.hand.tournament, self.hand.starting_stacks
        return [(seat, stack) for seat, stack in enumerate(stacks) if before[seat] or not tournament]

    def lines(self, title: str) -> list[str]:
        hand, stakes = self.hand, self.hand.stakes
        bets = f"{self.money(stakes.small_bet)}/{self.money(stakes.big_bet)}"
        forced = f"ante {self.money(stakes.ante)}, bring-in {self.money(stakes.bring_in)}"
        house = replace(hand.rules, betting="fixed_limit")  # as all presets have it: the betting is told by itself
        rules = f"{hand.rules.betting.replace('_', ' ')}, rules {house.describe()}"
        lines = [f"{title}: {bets}, {forced}, {rules}", ""]
        if hand.tournament and hand.starting_stacks[hand.dealer] == 0:
            lines.append(f"  (the dealer is seat {hand.dealer + 1}, which is empty)")
        for seat, stack in self.seated(hand.starting_stacks):
            dealer = ", dealer" if seat == hand.dealer else ""
            lines.append(self.seat(seat, (f"has {self.money(stack)}" if stack else "is out") + dealer))
        lines.append("")
        for event in hand.events:
            lines += self.event(event)
        if hand.seat is not None:
            lines.append(f"{self.names[hand.seat]} is to act and may {hand.legal().sentence(stakes)}")
            return lines
        lines += ["", "Stacks"]
        for seat, stack in self.seated(hand.stacks):
            net = stack - hand.starting_stacks[seat]
            lines.append(self.seat(seat, f"{self.money(stack)} ({'+' if net > 0 else ''}{self.money(net)})"))
        return lines

    def event(self, event: Event) -> list[str]:
        match event:
            case Ante():
                self.pot += event.amount
                return [self.seat(event.seat, f"antes {self.money(event.amount)}{_all_in(event.all_in)}")]
            case Burn():
                return [*self.heading(event.street), f"  (burned: {card_text(event.card)})"]
            case Deal():
                self.held[event.seat].extend(event.cards)
                return [*self.heading(event.street), self.seat(event.seat, _hand(self.held[event.seat]))]
            case Community():
                return [*self.heading(7), f"  Everybody's seventh card: {card_text(event.card)}"]
            case Action():
                self.pot += event.put
                words = _WORDS[event.kind].format(to=self.money(event.to), put=self.money(event.put))
                return [self.seat(event.seat, words + _all_in(event.all_in) + self.why(event.seat))]
            case Returned():
                self.pot -= event.amount
                return [self.seat(event.seat, f"takes back {self.money(event.amount)}, uncalled")]
        return self.result(event)

    def why(self, seat: int) -> str:
        """What to say of an action that its strategy did not choose: it failed."""
        reason = self.failed.get((seat, self.decisions[seat]))
        self.decisions[seat] += 1
        return "" if reason is None else f" (its strategy failed: {reason})"

    def heading(self, street: int) -> list[str]:
        if street == self.street:
            return []
        self.street = street
        return ["", f"{STREET_NAMES[street].capitalize()}, pot {self.money(self.pot)}"]

    def result(self, event: Event) -> list[str]:
        """Showdown and payment, under a heading of their own."""
        first = ["", f"Result, pot {self.money(self.pot)}"] if self.street != 8 else []
        self.street = 8
        match event:
            case Show():
                low = " ".join(card_text(card) for card in best_low(event.cards))
                words = f"shows {_hand(event.cards)}: {event.low} ({low})"
                return [*first, self.seat(event.seat, words)]
            case Muck():
                return [*first, self.seat(event.seat, f"mucks {_hand(self.held[event.seat])}")]
            case RakeTaken():
                return [*first, f"  Rake {self.money(event.amount)}"]
            case Award():
                pot = (
                    "the pot" if len(self.hand.pots) == 1 else f"side pot {event.pot}" if event.pot else "the main pot"
                )
                odd = f", {self.money(event.odd_chips)} of it odd chips" if event.odd_chips else ""
                return [*first, self.seat(event.seat, f"wins {self.money(event.amount)} of {pot}{odd}")]
        return first


def _all_in(all_in: bool) -> str:
    return ", all-in" if all_in else ""


def _hand(cards: Sequence[int]) -> str:
    """`[6h 8h] 3d Ad Ac Kh [8c]`: down cards in brackets."""
    texts = [card_text(card) for card in cards]
    if not texts or all(card == NO_CARD for card in cards):
        return " ".join(texts)
    down, up, last = texts[:2], texts[2:6], texts[6:]
    return " ".join([f"[{' '.join(down)}]", *up, *(f"[{card}]" for card in last)])
