"""One hand at a time from Python: replays of real hands, given decks, debugging, teaching.

The same compiled functions play it as play millions; here each step leaves an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType

import numpy as np

from razz_sim.cards import DECK_SIZE, NO_CARD, card_text, cards_text
from razz_sim.hand import betting, dealing
from razz_sim.hand.events import (
    Action,
    ActionKind,
    Ante,
    Award,
    Burn,
    Community,
    Deal,
    Event,
    Muck,
    RakeTaken,
    Returned,
    Show,
)
from razz_sim.hand.record import (
    AMOUNT_SHIFT,
    FOLD,
    NOBODY,
    RAISE,
    STAY,
    new_hand,
    rules_record,
)
from razz_sim.lowball import low_name
from razz_sim.rules import MAX_CHIPS, MAX_SEATS, MIN_SEATS, RuleSet, Stakes, Street

_SEVENTH = int(Street.SEVENTH)


class IllegalAction(ValueError):
    """An action that the rules do not allow now; the sentence says what was legal."""


class UnknownCards(ValueError):
    """The hand cannot go on, or be decided, without a card that nobody saw."""


@dataclass(frozen=True, slots=True)
class GivenCards:
    """Each seat's cards in the order dealt (two down, four up, one down), NO_CARD for those nobody saw."""

    seats: tuple[tuple[int, ...], ...]
    community: int = NO_CARD


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck dealt from its first card: to each seat from the dealer two down and one up, then street by street."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Legal:
    """What the seat to act may do. Raises are *to* these totals on the street, 0 when none is legal."""

    seat: int
    street: int
    fold: bool
    to_call: int
    raise_min: int
    raise_max: int
    opening: bool
    """The bring-in is owed: to stay is to post it."""
    completes: bool
    """A wager now would be the first on third street over the bring-in: a completion."""
    bets: bool
    """A wager now would be the street's first, not a raise."""

    def sentence(self, stakes: Stakes) -> str:
        """The choices in words, amounts in the stakes' currency."""
        to_call, smallest, largest = map(stakes.money, (self.to_call, self.raise_min, self.raise_max))
        stay = f"post {to_call}" if self.opening else f"call {to_call}" if self.to_call else "check"
        wager = "complete" if self.completes else "bet" if self.bets else "raise"
        choices = ["fold"] if self.fold else []
        choices.append(stay)
        if self.raise_min:
            choices.append(f"{wager} to {smallest}" + (f" up to {largest}" if smallest != largest else ""))
        return ", ".join(choices[:-1]) + (" or " if len(choices) > 1 else "only ") + choices[-1]


@dataclass(frozen=True, slots=True)
class Pot:
    """The main pot or a side pot: chips before rake, the seats that contest it, those that win it."""

    amount: int
    contestants: tuple[int, ...]
    winners: tuple[int, ...]


@cache
def compiled_steps() -> ModuleType:
    """The compiled steps, imported when a first hand needs them: they take seconds to compile, and runs do without."""
    from razz_sim.hand import steps

    return steps


class Hand:
    """A hand of Razz in progress.

    >>> from razz_sim.rules import PRESETS
    >>> stakes = Stakes(name="15/30", ante=1, bring_in=5, small_bet=15, big_bet=30)
    >>> hand = Hand(PRESETS["pokerstars"], stakes, [500, 500, 500], dealer=2, cards=7)
    >>> hand.legal().opening, hand.legal().to_call
    (True, 5)
    >>> hand.stay(), hand.fold(), hand.fold()
    (None, None, None)
    >>> hand.seat is None, sum(hand.stacks)
    (True, 1500)

    `cards` is a `Deck`, `GivenCards`, or the key of a random stream. `mucked` names seats that showed nothing at
    showdown and so cannot win. `rake_taken` takes that amount instead of the stakes' rake. Amounts are in smallest
    units.
    """

    def __init__(
        self,
        rules: RuleSet,
        stakes: Stakes,
        stacks: Sequence[int],
        *,
        dealer: int,
        cards: GivenCards | Deck | int,
        tournament: bool = False,
        players_left: int | None = None,
        rake_taken: int | None = None,
        mucked: frozenset[int] = frozenset(),
    ) -> None:
        _check_table(stacks, dealer)
        self.rules, self.stakes, self.dealer = rules, stakes, dealer
        self.tournament, self.players_left = tournament, players_left
        self.starting_stacks = list(stacks)
        self.events: list[Event] = []
        self._rules = rules_record(rules, replace(stakes, rake=None) if tournament else stakes)[0]
        self._record = new_hand(len(stacks))
        self._hand = self._record[0]
        self._hand["stack"][: len(stacks)] = stacks
        self._hand["rake_taken"] = -1 if rake_taken is None else rake_taken
        self._hand["mucked"] = sum(1 << seat for seat in mucked)
        self._mucked = mucked
        left = sum(stack > 0 for stack in stacks) if players_left is None else players_left
        self._hand["two_left"] = tournament and left == 2
        key = self._give(cards, len(stacks))
        compiled_steps().start(self._rules, self._hand, dealer, key)
        self._seen = [0] * len(stacks)
        self._burns_seen = 0
        for seat in self._from_dealer():
            if stacks[seat] > 0:
                ante = int(self._hand["total_in"][seat])
                self.events.append(Ante(seat=seat, amount=ante, all_in=ante == stacks[seat]))
        self._note_deals(Street.THIRD)
        if any(self._hand["up"][seat, 0] == NO_CARD for seat in range(len(stacks)) if stacks[seat] > 0):
            raise UnknownCards("who brings it in cannot be told: a door card is unknown")
        self._go_on()

    @classmethod
    def at(cls, rules: RuleSet, stakes: Stakes, record: np.void) -> Hand:
        """A hand that stands as a record has it, which is copied; what happened in it before is not known."""
        hand = cls.__new__(cls)
        hand.rules, hand.stakes, hand.dealer = rules, stakes, int(record["dealer"])
        hand.tournament, hand.players_left, hand.starting_stacks, hand.events = False, None, [], []
        hand._rules = rules_record(rules, stakes)[0]
        hand._record = new_hand(int(record["seats"]))
        hand._hand = hand._record[0]
        hand._record[0] = record
        return hand

    def _give(self, cards: GivenCards | Deck | int, seats: int) -> int:
        """Set the source of cards; the key of the random stream, 0 without one."""
        given = self._hand["given"]
        given[:] = NO_CARD
        if isinstance(cards, Deck):
            if sorted(cards.cards) != list(range(DECK_SIZE)):
                raise ValueError("a deck holds each of the 52 cards once")
            self._hand["source"] = dealing.IN_ORDER
            given[:DECK_SIZE] = cards.cards
            return 0
        if isinstance(cards, GivenCards):
            if len(cards.seats) != seats:
                raise ValueError(f"cards are given for {len(cards.seats)} seats, stacks for {seats}")
            known = [card for held in (*cards.seats, (cards.community,)) for card in held if card != NO_CARD]
            twice = {card for card in known if known.count(card) > 1}
            if twice:
                raise ValueError(f"{card_text(min(twice))} is dealt twice")
            self._hand["source"] = dealing.BY_SLOT
            for seat, held in enumerate(cards.seats):
                first = seat * dealing.CARDS_PER_SEAT
                given[first : first + len(held)] = held
            given[dealing.COMMUNITY_SLOT] = cards.community
            return 0
        self._hand["source"] = dealing.RANDOM
        return cards

    def _from_dealer(self) -> list[int]:
        count = len(self.starting_stacks)
        return [(self.dealer + 1 + step) % count for step in range(count)]

    @property
    def record(self) -> np.void:
        """The flat record that compiled functions work on."""
        return self._hand

    # What may be done, and doing it

    @property
    def seat(self) -> int | None:
        """Whose turn it is; None when the hand is over."""
        return None if self._hand["over"] else int(self._hand["seat"])

    @property
    def street(self) -> int:
        """Third (3) to seventh (7) street."""
        return int(self._hand["street"])

    def legal(self) -> Legal:
        """The legal answers of the seat to act; ValueError when the hand is over."""
        if self._hand["over"]:
            raise ValueError("the hand is over: nobody is to act")
        hand = self._hand
        no_wager = hand["aggressor"] == NOBODY and hand["bets_made"] == 0
        return Legal(
            seat=int(hand["seat"]),
            street=int(hand["street"]),
            fold=bool(hand["can_fold"]),
            to_call=int(hand["to_call"]),
            raise_min=int(hand["raise_min"]),
            raise_max=int(hand["raise_max"]),
            opening=bool(hand["opening"]),
            completes=bool(no_wager and hand["bring_in_seat"] != NOBODY and hand["street"] == Street.THIRD),
            bets=bool(no_wager),
        )

    def fold(self) -> None:
        """Fold; IllegalAction when the bring-in is owed."""
        self._answer(FOLD, "fold")

    def stay(self) -> None:
        """Check, call or post the bring-in, all-in for less if need be."""
        self._answer(STAY, "stay")

    def raise_to(self, to: int) -> None:
        """Complete, bet or raise to a total on this street; IllegalAction when that is not legal."""
        total = to if 0 < to <= MAX_CHIPS else MAX_CHIPS + 1  # 0 means the smallest raise: never what was asked
        self._answer(RAISE | total << AMOUNT_SHIFT, f"bet or raise to {self.stakes.money(to)}")

    def _answer(self, answer: int, words: str) -> None:
        legal = self.legal()
        before = int(self._hand["street_in"][legal.seat])
        if compiled_steps().apply(self._rules, self._hand, answer) != betting.OK:
            raise IllegalAction(
                f"seat {legal.seat + 1} cannot {words} on {Street(legal.street).name.lower()} street: "
                f"it may {legal.sentence(self.stakes)}"
            )
        self.events.append(self._action(legal, answer, before))
        self._go_on()

    def _action(self, legal: Legal, answer: int, before: int) -> Action:
        to = int(self._hand["street_in"][legal.seat])
        kind: ActionKind
        if answer == FOLD and not self._hand["live"][legal.seat]:
            kind = "fold"
        elif to > before + legal.to_call:
            kind = "complete" if legal.completes else "bet" if legal.bets else "raise"
        elif legal.opening:
            kind = "bring_in"
        else:
            kind = "call" if legal.to_call else "check"
        return Action(
            seat=legal.seat,
            street=legal.street,
            kind=kind,
            put=to - before,
            to=to,
            all_in=bool(to > before and self._hand["stack"][legal.seat] == 0),
        )

    def _go_on(self) -> None:
        """Deal and open streets until somebody must act, and note what happened."""
        street = self.street
        compiled_steps().advance(self._rules, self._hand)
        for later in range(street + 1, self.street + 1):
            self._note_deals(later)
            boards = [self.up_cards(seat) for seat in range(len(self.starting_stacks)) if self._hand["live"][seat]]
            if self._hand["street_open"] and any(NO_CARD in board for board in boards):
                raise UnknownCards(
                    f"who opens {Street(later).name.lower()} street cannot be told: an up card is unknown"
                )
        if self._hand["over"]:
            self._finish()

    def _note_deals(self, street: int) -> None:
        """Events for a street's cards; those already noted are known by how many each seat was seen to hold."""
        if int(self._hand["burns"]) > self._burns_seen:
            card = int(self._hand["burned"][self._burns_seen])
            self._burns_seen += 1
            self.events.append(Burn(street=street, card=card))
        if street == _SEVENTH and self.community_dealt:
            self.events.append(Community(card=self.community))
            return
        for seat in self._from_dealer():
            held = self._held(seat)
            if held < street or self._seen[seat] >= street:
                continue
            dealt = self.cards(seat)[self._seen[seat] : street]
            up = tuple(2 <= number <= 5 for number in range(self._seen[seat], street))
            self._seen[seat] = street
            self.events.append(Deal(seat=seat, street=street, cards=dealt, up=up))

    def _held(self, seat: int) -> int:
        """How many cards a seat was dealt, seventh street's counted while it was live."""
        if self.starting_stacks[seat] == 0:
            return 0
        down = 2
        if self.street == _SEVENTH and self._hand["live"][seat] and not self.community_dealt:
            down = 3
        return down + int(self._hand["up_count"][seat])

    # How it ended

    def _finish(self) -> None:
        hand = self._hand
        seats = range(len(self.starting_stacks))
        for seat in seats:
            if hand["returned"][seat]:
                self.events.append(Returned(seat=seat, amount=int(hand["returned"][seat])))
        count = compiled_steps().find_show_order(self._rules, hand)
        self.show_order = [int(seat) for seat in hand["show_order"][:count]]
        self.shown = [seat for seat in self.show_order if hand["shown"] >> seat & 1]
        if count:
            hidden = [seat for seat in self.show_order if seat not in self._mucked and NO_CARD in self.cards(seat)]
            if hidden:
                raise UnknownCards(
                    f"who wins cannot be told: seat {hidden[0] + 1} reached showdown with "
                    f"{cards_text(self.cards(hidden[0]))}"
                )
        for seat in self.show_order:
            if seat in self.shown:
                self.events.append(Show(seat=seat, cards=self.cards(seat), low=low_name(self.cards(seat))))
            else:
                self.events.append(Muck(seat=seat))
        if hand["rake"]:
            self.events.append(RakeTaken(amount=int(hand["rake"])))
        for number, pot in enumerate(self.pots):
            share = min((int(hand["pot_award"][number, seat]) for seat in pot.winners), default=0)
            for seat in pot.winners:
                amount = int(hand["pot_award"][number, seat])
                self.events.append(Award(seat=seat, pot=number, amount=amount, odd_chips=amount - share))
        if sum(self.awards) + self.rake != sum(self.contributions):
            raise AssertionError(f"chips are not conserved: {self.awards}, rake {self.rake}, {self.contributions}")

    @property
    def stacks(self) -> list[int]:
        """Chips in front of each seat now."""
        return self._per_seat("stack")

    @property
    def contributions(self) -> list[int]:
        """What each seat has put into the pot, returned chips not counted."""
        return self._per_seat("total_in")

    @property
    def returned(self) -> list[int]:
        """Uncalled chips that went back."""
        return self._per_seat("returned")

    @property
    def awards(self) -> list[int]:
        """What each seat won, all zero while the hand goes on."""
        return self._per_seat("award")

    @property
    def rake(self) -> int:
        """What the room took."""
        return int(self._hand["rake"])

    @property
    def pots(self) -> list[Pot]:
        """Main pot first; empty while the hand goes on."""
        return [
            Pot(
                amount=int(self._hand["pot_amount"][number]),
                contestants=self._seats_in(int(self._hand["pot_seats"][number])),
                winners=self._winners(number),
            )
            for number in range(int(self._hand["pots"]))
        ]

    def _winners(self, pot: int) -> tuple[int, ...]:
        """The seats with the lowest hand among a pot's contestants, however little rake and division left them."""
        contestants = self._seats_in(int(self._hand["pot_seats"][pot]))
        if not self._hand["showdown"]:
            return contestants
        best = min(self._hand["low_key"][seat] for seat in contestants)
        return tuple(seat for seat in contestants if self._hand["low_key"][seat] == best)

    def _seats_in(self, mask: int) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.starting_stacks)) if mask >> seat & 1)

    def _per_seat(self, field: str) -> list[int]:
        return [int(amount) for amount in self._hand[field][: len(self.starting_stacks)]]

    # Cards and seats

    @property
    def bring_in_seat(self) -> int | None:
        """Who owes or posted the bring-in; None when nobody does."""
        seat = int(self._hand["bring_in_seat"])
        return None if seat == NOBODY else seat

    @property
    def opener(self) -> int:
        """Who is, or would have been, first to act on this street."""
        return int(self._hand["opener"])

    @property
    def community(self) -> int:
        """The community card; NO_CARD when there is none, or nobody saw it."""
        return int(self._hand["community"])

    @property
    def community_dealt(self) -> bool:
        """Whether one card is everybody's seventh."""
        return bool(self._hand["shared_seventh"])

    @property
    def free_folds(self) -> int:
        """Folds where checking was free, played as folds or as checks."""
        return int(self._hand["free_folds"])

    def folded(self, seat: int) -> bool:
        """Whether a seat was dealt in and has folded."""
        return self.starting_stacks[seat] > 0 and not self._hand["live"][seat]

    def up_cards(self, seat: int) -> tuple[int, ...]:
        """A seat's board, the door card first."""
        return tuple(int(card) for card in self._hand["up"][seat][: self._hand["up_count"][seat]])

    def cards(self, seat: int) -> tuple[int, ...]:
        """All of a seat's cards as dealt: two down, its board, then the seventh or the community card."""
        if self.starting_stacks[seat] == 0:
            return ()
        hole = [int(card) for card in self._hand["hole"][seat]]
        cards = (*hole[:2], *self.up_cards(seat))
        if self.street == _SEVENTH and self._hand["live"][seat]:
            return (*cards, self.community if self.community_dealt else hole[2])
        return cards if hole[2] == NO_CARD else (*cards, hole[2])


def _check_table(stacks: Sequence[int], dealer: int) -> None:
    if not MIN_SEATS <= len(stacks) <= MAX_SEATS:
        raise ValueError(f"a table has {MIN_SEATS} to {MAX_SEATS} seats, not {len(stacks)}")
    if any(not 0 <= stack <= MAX_CHIPS for stack in stacks):
        raise ValueError(f"stacks {list(stacks)} must each be from 0 to {MAX_CHIPS} smallest units")
    if sum(stack > 0 for stack in stacks) < MIN_SEATS:
        raise ValueError(f"at least {MIN_SEATS} seats need chips, not stacks {list(stacks)}")
    if not 0 <= dealer < len(stacks):
        raise ValueError(f"dealer {dealer} is not a seat index from 0 to {len(stacks) - 1}")
