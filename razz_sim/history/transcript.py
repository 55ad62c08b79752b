"""One hand being put together from the lines that a card room printed about it.

The rooms differ in wording only; what their lines mean, and what makes a text contradict itself, is here.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal

from razz_sim.cards import NO_CARD, card_text, cards_text, parse_cards
from razz_sim.history.amounts import money, whole_chips, whole_units
from razz_sim.history.record import (
    STREET_NAMES,
    HistoryError,
    Kind,
    NamedLow,
    Payment,
    RecordedAction,
    RecordedHand,
    Said,
    SeatEnd,
    repeated_card,
    reveal,
)
from razz_sim.rules import Stakes, rule_set, smallest_unit

ALL_IN = re.compile(r",? and is all[- ]in")
VERBS = (
    "folds",
    "checks",
    "calls",
    "bets",
    "raises",
    "completes",
    "brings",
    "antes",
    "posts",
    "shows",
    "mucks",
)
MAX_SEAT_NUMBER = 99


@dataclass(slots=True)
class Player:
    """What has been read so far about one seat. Amounts are in the room's currency."""

    number: int
    name: str
    stack: Decimal
    ante: Decimal | None = None
    ante_line: int = 0
    cards: list[int] = field(default_factory=list)
    folded: bool = False
    showed: bool = False
    mucked: bool = False
    on_street: Decimal = Decimal(0)
    put: Decimal = Decimal(0)
    got: Decimal = Decimal(0)

    @property
    def dealt_in(self) -> bool:
        """Whether it takes part: a seat that posted an ante or holds cards."""
        return self.ante is not None or bool(self.cards)


@dataclass(frozen=True, slots=True)
class Header:
    """What the first line of a hand tells."""

    id: str
    site: str
    betting: str
    small_bet: Decimal
    big_bet: Decimal
    ante: Decimal | None
    money: bool
    tournament: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file with its number; the text is stripped."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class _Action:
    player: Player
    street: int
    said: Said
    amount: Decimal
    over: Decimal | None
    all_in: bool
    line: Line


@dataclass(frozen=True, slots=True)
class End:
    """What the summary says became of a player; `streets` are those on one of which it folded."""

    player: Player
    line: Line
    streets: tuple[int, ...]
    never_bet: bool
    showed: bool
    mucked: bool
    lost: bool
    won: Decimal | None


class Transcript:
    """Collects the lines of one hand and gives the RecordedHand they amount to."""

    def __init__(self, file: str, header: Header, line: Line) -> None:
        self.file, self.header, self.line = file, header, line
        self.players: dict[str, Player] = {}
        self.street = 0
        self.actions: list[_Action] = []
        self.collected: list[tuple[Player, Decimal, Line]] = []
        self.returned: list[tuple[Player, Decimal, Line]] = []
        self.total_pot: tuple[Decimal, Line] | None = None
        self.listed_pots: list[Decimal] = []
        self.rake: Decimal | None = None
        self.ends: list[End] = []
        self.lows: list[tuple[Player, tuple[int, ...], tuple[int, ...], Line]] = []
        self.unit: Decimal | None = None
        self.chip: Decimal | None = None
        self.button: int | None = None
        self.community = NO_CARD
        self.in_summary = False
        self.broken: HistoryError | None = None
        self.last = line

    def error(self, sentence: str, line: Line | None = None) -> HistoryError:
        return HistoryError(self.file, (line or self.last).number, sentence, self.header.id)

    # who the lines speak of

    def seat(self, number: int, name: str, stack: str, line: Line) -> None:
        if name in self.players or any(player.number == number for player in self.players.values()):
            raise self.error(f"seat {number} or its player {name!r} is listed twice", line)
        self.players[name] = Player(number, name, money(stack))

    def named_at_start(self, text: str, separator: str) -> tuple[Player, str] | None:
        """The seated player with whose name the text begins, and the words after the separator."""
        for name in sorted(self.players, key=len, reverse=True):
            if text.startswith(name + separator):
                return self.players[name], text[len(name) + len(separator) :].strip()
        return None

    def player(self, name: str, line: Line) -> Player:
        if name not in self.players:
            raise self.error(f"{name!r} has no seat", line)
        return self.players[name]

    def near_miss(self, words: str, line: Line) -> None:
        """Refuse a seated player's line that was a decision before somebody garbled it."""
        first = words.split()[0] if words else ""
        if first not in VERBS and difflib.get_close_matches(first, VERBS, n=1, cutoff=0.75):
            raise self.error(f"{first!r} is not something a player does: {line.text!r}", line)

    # streets and cards

    def begin_street(self, street: int, line: Line, community: str = "") -> None:
        if street != (self.street + 1 if self.street else 3):
            expected = STREET_NAMES.get(self.street + 1 if self.street else 3, "the showdown")
            raise self.error(f"{STREET_NAMES[street]} begins where {expected} was to come", line)
        self.check_dealt(line)
        self.street = street
        for player in self.players.values():
            player.on_street = Decimal(0)
            if street == 7 and player.dealt_in and not player.folded and not community:
                player.cards.append(NO_CARD)
        if community:
            self.deal_community(community, line)

    def deal_community(self, text: str, line: Line) -> None:
        cards = self.cards(text, line)
        if self.community == cards[-1]:
            return
        self.unseen_before(cards[-1:], line)
        self.community = cards[-1]
        for player in self.players.values():
            del player.cards[6:]

    def dealt(self, player: Player, groups: list[str], line: Line) -> None:
        """`Dealt to X [old cards] [new cards]`: on third street a rival's group is its door card alone."""
        if player.folded:
            raise self.error(f"{player.name} has folded and is dealt a card", line)
        packs = [list(self.cards(group, line)) for group in groups]
        if not self.street or not packs:
            raise self.error(f"cards are dealt before third street or not named: {line.text!r}", line)
        everything = [card for pack in packs for card in pack]
        if self.street == 3:
            if player.cards or len(everything) not in (1, 3):
                raise self.error(f"third street deals three cards, of which rivals see one: {line.text!r}", line)
            self.unseen_before(everything, line)
            player.cards = everything if len(everything) == 3 else [NO_CARD, NO_CARD, *everything]
            return
        held = player.cards[:6] if self.street == 7 else player.cards
        old = [card for pack in packs[:-1] for card in pack]
        if len(packs[-1]) != 1 or len(held) != self.street - 1 or not set(held[2:]) <= set(old):
            raise self.error(
                f"{line.text!r} on {STREET_NAMES[self.street]}, but {player.name} was dealt {cards_text(held)}",
                line,
            )
        self.turn_up(player, old, line)
        self.unseen_before(packs[-1], line)
        player.cards = [*player.cards[: self.street - 1], *packs[-1]]

    def cards(self, text: str, line: Line) -> tuple[int, ...]:
        try:
            cards = parse_cards(text.replace("10", "T"))
        except ValueError as error:
            raise self.error(str(error), line) from None
        if not cards:
            raise self.error(f"no card is named in {line.text!r}", line)
        if repeated_card(cards) != NO_CARD:
            raise self.error(f"{card_text(repeated_card(cards))} comes twice in {line.text!r}", line)
        return cards

    def unseen_before(self, cards: list[int] | tuple[int, ...], line: Line) -> None:
        for card in cards:
            if card != NO_CARD and (
                card == self.community or any(card in player.cards for player in self.players.values())
            ):
                raise self.error(f"{card_text(card)} is dealt a second time", line)

    def check_dealt(self, line: Line) -> None:
        """Every live seat has its up card before anybody acts on it: rooms print them all."""
        if not 3 <= self.street <= 6:
            return
        for player in self.players.values():
            if player.ante is None and player.cards and any(one.ante is not None for one in self.players.values()):
                raise self.error(f"{player.name} is dealt cards but posted no ante", line)
            if player.dealt_in and not player.folded and len(player.cards) != self.street:
                raise self.error(f"{player.name} has not been dealt its {STREET_NAMES[self.street]} card", line)

    # decisions and chips

    def ante(self, player: Player, amount: str, line: Line) -> None:
        if player.ante is not None or self.street:
            raise self.error(f"{player.name} antes twice or after the cards are out", line)
        player.ante, player.ante_line = money(amount), line.number
        player.put += player.ante

    def take_back_ante(self, player: Player, amount: str, line: Line) -> None:
        """A player who left before the cards were dealt gets the ante back and is not in the hand."""
        if player.ante != money(amount) or self.street:
            raise self.error(f"{player.name} did not ante {amount}", line)
        player.put -= player.ante
        player.ante = None

    def act(self, player: Player, said: Said, line: Line, amount: str = "0", over: Decimal | None = None) -> None:
        """A decision; `amount` is what goes in for bring-ins, calls and bets, the street's total for the others."""
        if not self.street:
            raise self.error(f"{player.name} acts before third street", line)
        if not player.dealt_in:
            raise self.error(f"{player.name} acts but was not dealt in", line)
        if player.folded:
            raise self.error(f"{player.name} acts after folding", line)
        self.check_dealt(line)
        chips = money(amount)
        if said in ("call", "bet", "bring_in"):
            put = chips
        elif said in ("raise", "complete"):
            put = chips - player.on_street
        else:
            put = Decimal(0)
        player.folded = said == "fold"
        player.on_street += put
        player.put += put
        to = player.on_street if said == "bet" else chips
        self.actions.append(_Action(player, self.street, said, to, over, bool(ALL_IN.search(line.text)), line))

    def give_back(self, player: Player, amount: str, line: Line) -> None:
        player.got += money(amount)
        self.returned.append((player, money(amount), line))

    def collect(self, player: Player, amount: str, line: Line) -> None:
        player.got += money(amount)
        self.collected.append((player, money(amount), line))

    def show(self, player: Player, text: str, line: Line) -> None:
        """Cards shown, or printed in the summary, go where they were dealt unseen."""
        self.turn_up(player, [card for card in self.cards(text, line) if card != self.community], line)

    def turn_up(self, player: Player, shown: list[int], line: Line) -> None:
        elsewhere = {card for one in self.players.values() if one is not player for card in one.cards}
        try:
            if set(shown) & elsewhere - {NO_CARD}:
                raise ValueError(f"{cards_text(shown)} holds a card that was dealt to another seat")
            player.cards = list(reveal(player.cards, shown))
        except ValueError as error:
            raise self.error(f"{player.name}: {error}", line) from None

    # the whole hand

    def hand(self, usual_bring_in: Decimal | None) -> RecordedHand:
        """The hand; `usual_bring_in` is what other hands at these stakes brought in for, if that was seen."""
        try:
            if self.broken is not None:
                raise self.broken
            if not self.in_summary:
                raise self.error("the hand ends without its summary: the text is cut short")
            self.check_dealt(self.last)
        except HistoryError as error:
            with suppress(HistoryError):
                error.so_far = self._record(usual_bring_in)
            raise
        return self._record(usual_bring_in)

    def _record(self, usual_bring_in: Decimal | None) -> RecordedHand:
        players = sorted((one for one in self.players.values() if one.dealt_in), key=lambda one: one.number)
        if len(players) < 2 or not self.street:
            raise self.error("fewer than two players were dealt in, or no street was dealt", self.line)
        seat_of = {player.name: seat for seat, player in enumerate(players)}
        unit = self.unit or self._finest()

        def units(amount: Decimal) -> int:
            return whole_units(amount, unit)

        def payments(lines: list[tuple[Player, Decimal, Line]]) -> tuple[Payment, ...]:
            for player, _, line in lines:
                if player.name not in seat_of:
                    raise self.error(f"{player.name} was not dealt in", line)
            return tuple(Payment(seat_of[player.name], units(amount), line.number) for player, amount, line in lines)

        try:
            return RecordedHand(
                file=self.file,
                id=self.header.id,
                site=self.header.site,
                rules=rule_set(betting=self.header.betting),
                stakes=self._stakes(players, unit, usual_bring_in),
                stacks=tuple(units(player.stack) for player in players),
                cards=tuple(tuple(player.cards) for player in players),
                actions=tuple(_recorded(action, seat_of[action.player.name], units) for action in self.actions),
                dealer=self._dealer(players),
                names=tuple(player.name for player in players),
                community=self.community,
                finishing_stacks=tuple(units(player.stack - player.put + player.got) for player in players),
                rake_taken=None if self.rake is None else units(self.rake),
                tournament=self.header.tournament,
                shown=tuple(seat_of[player.name] for player in players if player.showed),
                mucked=tuple(seat_of[player.name] for player in players if player.mucked and not player.showed),
                collected=payments(self.collected),
                returned=payments(self.returned),
                antes=tuple(
                    Payment(seat, units(player.ante or Decimal(0)), player.ante_line)
                    for seat, player in enumerate(players)
                ),
                ends=tuple(
                    SeatEnd(
                        seat=seat_of[end.player.name],
                        line=end.line.number,
                        streets=end.streets,
                        never_bet=end.never_bet,
                        showed=end.showed,
                        mucked=end.mucked,
                        lost=end.lost,
                        won=None if end.won is None else units(end.won),
                    )
                    for end in self.ends
                ),
                lows=tuple(
                    NamedLow(seat_of[player.name], ranks, shown, line.number)
                    for player, ranks, shown, line in self.lows
                    if player.dealt_in
                ),
                listed_pots=tuple(map(units, self.listed_pots)),
                total_pot=None if self.total_pot is None else units(self.total_pot[0]),
                pot_line=0 if self.total_pot is None else self.total_pot[1].number,
                line=self.line.number,
            )
        except HistoryError:
            raise
        except ValueError as error:
            raise self.error(str(error), self.line) from None

    def _finest(self) -> Decimal:
        """The smallest unit that the text shows: whole chips, cents, or a finer power of ten where one is printed."""
        amounts = [self.header.small_bet, self.header.big_bet, self.rake, *self.listed_pots]
        amounts += [amount for player in self.players.values() for amount in (player.stack, player.put, player.got)]
        amounts += [amount for action in self.actions for amount in (action.amount, action.over)]
        amounts += [end.won for end in self.ends] + [self.total_pot[0] if self.total_pot else None]
        return min(smallest_unit(*amounts), Decimal("0.01") if self.header.money else Decimal(1))

    def _dealer(self, players: list[Player]) -> int:
        """The seat of the button, or the nearest to its right; the last seat when the room does not tell."""
        behind = [seat for seat, player in enumerate(players) if player.number <= (self.button or MAX_SEAT_NUMBER)]
        return behind[-1] if behind else len(players) - 1

    def stakes_key(self) -> tuple[Decimal, Decimal, Decimal | None]:
        """What tells these stakes from others in the same file."""
        return self.header.small_bet, self.header.big_bet, self.header.ante

    def full_bring_in(self) -> Decimal | None:
        """What the bring-in was if it was posted by a seat with more in front of it."""
        opening = self._opening()
        return opening.amount if opening and not opening.all_in else None

    def _opening(self) -> _Action | None:
        return self.actions[0] if self.actions and self.actions[0].said == "bring_in" else None

    def _bring_in(self, usual: Decimal | None) -> Decimal | None:
        """As posted in full, or as other hands at these stakes had it, or as what followed a short one shows it.

        None when nobody owed one. At fixed limit only a bring-in that is itself a small bet is raised to more than one.
        """
        full, opening, small_bet = self.full_bring_in() or usual, self._opening(), self.header.small_bet
        if full is not None:
            return full
        wagers = (one for one in self.actions if one.street == 3 and one.said in ("bet", "complete", "raise"))
        raised = next(wagers, None)
        if raised and raised.amount > small_bet and self.header.betting == "fixed_limit":
            return small_bet
        if opening is None:
            return None
        owed = [opening.amount]
        for action in self.actions[1:]:
            if action.street != 3 or action.said in ("raise", "complete"):
                owed.append(action.over or Decimal(0))
                break
            if action.said == "call":
                owed.append(action.amount)
        return min(small_bet, max(owed))

    def _bring_in_units(self, usual: Decimal | None, unit: Decimal, chip: int) -> int:
        """The bring-in in whole chips: what was owed at least.

        When nobody owed one any amount below the first wager would do; half the small bet is what rooms ask for.
        """
        if (owed := self._bring_in(usual)) is not None:
            return whole_chips(whole_units(owed, unit), chip)
        first = self.actions[0].amount if self.actions else Decimal(0)
        return whole_units(min(self.header.small_bet, first or self.header.small_bet), unit) // 2 // chip * chip

    def _stakes(self, players: list[Player], unit: Decimal, usual: Decimal | None) -> Stakes:
        header = self.header
        antes = [player.ante or Decimal(0) for player in players]
        full = [ante for ante, player in zip(antes, players, strict=True) if ante < player.stack]
        ante = Counter(full or [max(antes)]).most_common(1)[0][0] if header.ante is None else header.ante
        chip = 1 if self.chip is None else whole_units(self.chip, unit)
        return Stakes(
            name=f"{header.small_bet}/{header.big_bet}",
            ante=whole_chips(whole_units(ante, unit), chip),
            bring_in=max(0 if ante else chip, self._bring_in_units(usual, unit, chip)),
            small_bet=whole_units(header.small_bet, unit),
            big_bet=whole_units(header.big_bet, unit),
            chip=chip,
            unit=unit,
        )


def _recorded(action: _Action, seat: int, units: Callable[[Decimal], int]) -> RecordedAction:
    kind: Kind = "fold" if action.said == "fold" else "stay"
    if action.said in ("bet", "complete", "raise"):
        kind = "raise"
    amount = units(action.amount)
    return RecordedAction(
        seat=seat,
        street=action.street,
        kind=kind,
        to=amount if kind == "raise" else 0,
        said=action.said,
        put=amount if kind == "stay" else None,
        over=None if action.over is None else units(action.over),
        all_in=action.all_in,
        line=action.line.number,
        text=action.line.text,
    )
