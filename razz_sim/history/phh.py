"""Reading PHH, the Poker Hand History format (TOML, variant `FR`), with razz_sim's own underscore fields.

One hand a file (`.phh`) or several as numbered tables (`.phhs`). Amounts written as whole numbers are in the
smallest unit; if any is written with decimals they are all in the currency and `_unit`, or the finest decimal met,
says what the smallest unit is. Nothing is ever rounded.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal, InvalidOperation
from typing import Any

from razz_sim.cards import NO_CARD, card_text, parse_cards
from razz_sim.history.amounts import is_sensible, whole_units
from razz_sim.history.record import (
    STREET_NAMES,
    HistoryError,
    RecordedAction,
    RecordedHand,
    reveal,
)
from razz_sim.rules import DEFAULT_PRESET, Rake, RuleSet, Stakes, rule_set, smallest_unit

_AMOUNT_FIELDS = (
    "antes",
    "bring_in",
    "small_bet",
    "big_bet",
    "starting_stacks",
    "finishing_stacks",
    "winnings",
)
_OWN_AMOUNTS = ("_rake", "_chip")
_HEADING = re.compile(r"^\[(?:[\w-]+|\"[^\"\n]*\")\]", re.MULTILINE)
"""A table's first line in a file of several hands."""
_STRING = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(#[^\n]*)|(\])|(\n)""")


def read_phh(text: str, file: str) -> list[RecordedHand | HistoryError]:
    """Every hand of a PHH text, in order; what cannot be read, be it a hand or the whole text, stands as its error."""
    try:
        document = _toml(text, file)
    except HistoryError as error:
        starts = [start.start() for start in _HEADING.finditer(text)]
        if len(starts) < 2:
            return [error]
        parts = zip([0, *starts[1:]], [*starts[1:], len(text)], strict=True)
        return [hand for start, end in parts for hand in read_phh(_alone(text, start, end), file)]
    tables = list(document.values())
    hands = tables if tables and all(isinstance(table, dict) for table in tables) else [document]
    lines = _action_lines(text)
    read: list[RecordedHand | HistoryError] = []
    for number, fields in enumerate(hands):
        try:
            read.append(_Reader(fields, file, lines[number] if len(lines) == len(hands) else []).hand())
        except HistoryError as error:
            read.append(error)
    return read


def _alone(text: str, start: int, end: int) -> str:
    """A part of the text on the lines where it stands: what is not TOML as a whole may be so in the other parts."""
    return "\n" * text.count("\n", 0, start) + text[start:end]


def _toml(text: str, file: str) -> dict[str, Any]:
    """The text's fields, numbers exact."""
    try:
        return tomllib.loads(text, parse_float=_number)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        raise HistoryError(file, int(line[1]) if line else 0, f"not readable as TOML: {error}") from None
    except ValueError:
        long = re.search(r"\d[\d_]{4000}", text)
        line_number = text.count("\n", 0, long.start()) + 1 if long else 0
        raise HistoryError(file, line_number, "a number of thousands of digits is not an amount of chips") from None


def _number(text: str) -> Decimal:
    """A number with a point or an exponent; infinite when its exponent has no end."""
    try:
        return Decimal(text.replace("_", ""))
    except InvalidOperation:
        return Decimal("inf")


def _action_lines(text: str) -> list[list[int]]:
    """For each `actions` array of the text the line of each of its strings, which TOML readers do not tell."""
    found = []
    for start in re.finditer(r"^\s*['\"]?actions['\"]?\s*=\s*\[", text, re.MULTILINE):
        line, lines = text.count("\n", 0, start.end()) + 1, []
        for token in _STRING.finditer(text, start.end()):
            if token[1]:
                lines.append(line)
            elif token[3]:
                break
            elif token[4]:
                line += 1
        found.append(lines)
    return found


class _Reader:
    """The fields of one hand being turned into a RecordedHand."""

    def __init__(self, fields: Mapping[str, Any], file: str, lines: list[int]) -> None:
        self.fields, self.file = fields, file
        self.name = ""
        self.check_numbers()
        self.name = str(fields.get("_id", fields.get("hand", "")))
        self.texts = self.field("actions", list)
        self.lines = lines if len(lines) == len(self.texts) else [0] * len(self.texts)
        self.decimals = any(map(_has_decimals, self._amounts()))
        self.unit = self._unit()
        self.street = 3
        self.actions: list[RecordedAction] = []
        self.shows: list[tuple[int, tuple[int, ...], int]] = []
        self.community = NO_CARD

    def error(self, sentence: str, line: int = 0) -> HistoryError:
        return HistoryError(self.file, line, sentence, self.name)

    def check_numbers(self) -> None:
        """Refuse numbers that no chips could make up, wherever they stand: counting with them would not end."""
        for name, value in self.fields.items():
            waiting = [value]
            while waiting:
                one = waiting.pop()
                if isinstance(one, dict | list):
                    waiting += one.values() if isinstance(one, dict) else one
                elif isinstance(one, int | Decimal) and not is_sensible(one):
                    raise self.error(f"{name} holds a number that is not an amount of chips: too large or too fine")

    def field(self, name: str, kind: type, default: Any = ...) -> Any:
        value = self.fields.get(name, default)
        if value is ...:
            raise self.error(f"the field {name} is missing")
        if value is not default and (not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool)):
            raise self.error(f"the field {name} must be {_NAMES.get(kind, kind.__name__)}, not {value!r}")
        return value

    def _amounts(self) -> list[Any]:
        """Every value of the hand that is an amount of chips."""
        rake_rule = self.fields.get("_rake_rule")
        caps = [rake_rule.get("cap"), rake_rule.get("cap_by_players")] if isinstance(rake_rule, dict) else []
        raises = [words[2] for words in map(_words, self.texts) if len(words) == 3 and words[1] == "cbr"]
        found: list[Any] = []
        for value in [*map(self.fields.get, _AMOUNT_FIELDS + _OWN_AMOUNTS), *caps, raises]:
            if isinstance(value, dict):
                value = list(value.values())
            for one in value if isinstance(value, list) else [value]:
                found.extend(one[1:] if isinstance(one, list) else [one])
        return found

    def _unit(self) -> Decimal:
        unit = self.fields.get("_unit")
        if unit is None:
            decimals = [_decimal(amount) for amount in self._amounts() if _has_decimals(amount)]
            return smallest_unit(*(amount for amount in decimals if amount is not None and is_sensible(amount)))
        if isinstance(unit, bool) or not isinstance(unit, int | Decimal) or not Decimal(unit).is_finite() or unit <= 0:
            raise self.error(f"_unit must be a number above 0, not {unit!r}")
        return Decimal(unit)

    def amount(self, value: Any, what: str, line: int = 0, *, negative: bool = False) -> int:
        amount = _decimal(value)
        if amount is None or not is_sensible(amount):
            raise self.error(f"{what} {value} is not an amount of chips", line)
        if amount < 0 and not negative:
            raise self.error(f"{what} {value} must not be negative", line)
        try:
            return whole_units(amount, self.unit if self.decimals else Decimal(1))
        except ValueError as error:
            raise self.error(f"{what} {error}", line) from None

    def amounts(self, name: str, seats: int | None = None, *, negative: bool = False) -> tuple[int, ...]:
        values = tuple(self.amount(value, name, negative=negative) for value in self.field(name, list))
        if seats is not None and len(values) != seats:
            raise self.error(f"{name} holds {len(values)} amounts for {seats} seats")
        return values

    def hand(self) -> RecordedHand:
        """The whole hand."""
        if self.field("variant", str) != "FR":
            raise self.error(f"variant {self.fields['variant']!r} is not razz; only 'FR' is read")
        self.stacks = self.amounts("starting_stacks")
        self.out = {seat for seat, stack in enumerate(self.stacks) if stack == 0}
        self.stakes = self.read_stakes()
        self.held: list[list[int]] = [[] for _ in self.stacks]
        self.folded: set[int] = set()
        try:
            for text, line in zip(self.texts, self.lines, strict=True):
                self.read_action(text, line)
            if self.community == NO_CARD and self.behind():
                raise self.error(f"p{self.behind()[0] + 1} is never dealt its {STREET_NAMES[self.street]} card")
        except HistoryError as error:
            with suppress(HistoryError):
                error.so_far = self.record()
            raise
        return self.record()

    def record(self) -> RecordedHand:
        """What the fields and the actions read so far amount to."""
        seats = len(self.stacks)
        order = self.field("_show_order", list, None)
        shown_seats = tuple(dict.fromkeys(seat for seat, shown, _ in self.shows if shown))
        try:
            return RecordedHand(
                file=self.file,
                id=self.name,
                site=str(self.fields.get("_site", self.fields.get("venue", ""))),
                rules=self.rules(),
                stakes=self.stakes,
                stacks=self.stacks,
                cards=self.turned_up(),
                actions=tuple(self.actions),
                dealer=self.seat(self.field("_dealer", int, seats - 1), "_dealer", seats),
                names=tuple(str(name) for name in self.field("players", list, [])),
                community=self.community,
                finishing_stacks=self.ending("finishing_stacks", negative=True),
                winnings=self.ending("winnings"),
                rake_taken=self.amount(self.fields["_rake"], "_rake") if "_rake" in self.fields else None,
                tournament=self.field("_tournament", bool, False),
                players_left=self.field("_players_left", int, None),
                show_order=None if order is None else tuple(self.seat(seat, "_show_order", seats) for seat in order),
                shown=shown_seats,
                mucked=tuple(seat for seat, shown, _ in self.shows if not shown and seat not in shown_seats),
            )
        except HistoryError:
            raise
        except ValueError as error:
            raise self.error(str(error)) from None

    def ending(self, name: str, *, negative: bool = False) -> tuple[int, ...] | None:
        """A field that tells for each seat how the hand ended; a stack below nothing shows that somebody overspent."""
        return self.amounts(name, len(self.stacks), negative=negative) if name in self.fields else None

    def turned_up(self) -> tuple[tuple[int, ...], ...]:
        """Every seat's cards, those shown at the end put where they were dealt unseen."""
        cards = [tuple(held) for held in self.held]
        for seat, shown, line in self.shows:
            try:
                cards[seat] = reveal(cards[seat], tuple(card for card in shown if card != self.community))
            except ValueError as error:
                raise self.error(f"p{seat + 1}: {error}", line) from None
        return tuple(cards)

    def seat(self, value: Any, what: str, seats: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < seats:
            raise self.error(f"{what} {value!r} must be a seat from 0 to {seats - 1}")
        return value

    def read_stakes(self) -> Stakes:
        """Forced bets, bet sizes and the rake rule; a seat may ante less only if it has no more."""
        antes = self.amounts("antes", len(self.stacks))
        ante = max(antes, default=0)
        for seat, (posted, stack) in enumerate(zip(antes, self.stacks, strict=True)):
            if posted != ante and posted != min(ante, stack):
                raise self.error(f"p{seat + 1} antes {posted} where others ante {ante}, with {stack} in front of it")
        try:
            return Stakes(
                name=self.name,
                ante=ante,
                bring_in=self.amount(self.field("bring_in", object), "bring_in"),
                small_bet=self.amount(self.field("small_bet", object), "small_bet"),
                big_bet=self.amount(self.field("big_bet", object), "big_bet"),
                chip=self.amount(self.fields["_chip"], "_chip") if "_chip" in self.fields else 1,
                unit=self.unit,
                rake=self.rake(),
            )
        except HistoryError:
            raise
        except ValueError as error:
            raise self.error(str(error)) from None

    def rake(self) -> Rake | None:
        rule = self.field("_rake_rule", dict, None)
        if rule is None:
            return None
        unknown = set(rule) - {"percent", "cap", "cap_by_players", "third_street"}
        if unknown or "percent" not in rule:
            raise self.error("_rake_rule holds percent and, if need be, cap or cap_by_players, and third_street")
        percent = _decimal(rule["percent"])
        by_players = rule.get("cap_by_players", {})
        pairs = by_players.items() if isinstance(by_players, dict) else by_players
        try:
            caps = tuple(sorted((int(players), self.amount(cap, "cap")) for players, cap in pairs))
        except (TypeError, ValueError) as error:
            if isinstance(error, HistoryError):
                raise
            raise self.error("_rake_rule cap_by_players must pair numbers of players with caps") from None
        if percent is None or not isinstance(rule.get("third_street", True), bool):
            raise self.error("_rake_rule percent must be a number and third_street true or false")
        return Rake(
            percent=percent,
            cap=self.amount(rule["cap"], "cap") if "cap" in rule else None,
            cap_by_players=caps,
            third_street=rule.get("third_street", True),
        )

    def rules(self) -> RuleSet:
        rules = self.fields.get("_rules", DEFAULT_PRESET)
        if not isinstance(rules, str | dict):
            raise self.error(f"_rules must be a preset's name or a table of options, not {rules!r}")
        options = {"preset": rules} if isinstance(rules, str) else dict(rules)
        preset = options.pop("preset", DEFAULT_PRESET)
        try:
            return rule_set(str(preset), **options)
        except ValueError as error:
            raise self.error(f"_rules: {error}") from None

    def read_action(self, text: Any, line: int) -> None:
        """One string of the actions array: dealing, a decision, a show, or nothing but a comment."""
        if not isinstance(text, str):
            raise self.error(f"the action {text!r} must be a string", line)
        match _words(text):
            case []:
                return
            case ["d", "db", cards]:
                self.deal_community(self.cards(cards, text, line), line)
            case ["d", "dh", player, cards]:
                self.deal(self.player(player, text, line), self.cards(cards, text, line), line)
            case [player, "pb"]:
                self.act(player, RecordedAction(0, 0, "stay", said="bring_in", line=line, text=text))
            case [player, "cc"]:
                self.act(player, RecordedAction(0, 0, "stay", line=line, text=text))
            case [player, "f"]:
                self.act(player, RecordedAction(0, 0, "fold", said="fold", line=line, text=text))
            case [player, "cbr", amount]:
                to = self.amount(amount, f"{text!r}:", line)
                self.act(player, RecordedAction(0, 0, "raise", to=to, line=line, text=text))
            case [player, "sm"]:
                self.shows.append((self.player(player, text, line), (), line))
            case [player, "sm", "-"]:
                seat = self.player(player, text, line)
                self.shows.append((seat, tuple(self.held[seat]), line))
            case [player, "sm", cards]:
                self.shows.append((self.player(player, text, line), self.cards(cards, text, line), line))
            case _:
                raise self.error(f"{text!r} is not an action: d dh, d db, pb, cc, f, cbr or sm", line)

    def player(self, text: str, action: str, line: int) -> int:
        if re.fullmatch(r"p[1-9]\d?", text) and int(text[1:]) <= len(self.held):
            return int(text[1:]) - 1
        raise self.error(f"{action!r} names {text!r}; the seats are p1 to p{len(self.held)}", line)

    def cards(self, text: str, action: str, line: int) -> tuple[int, ...]:
        try:
            return parse_cards(text.replace("10", "T"))
        except ValueError as error:
            raise self.error(f"{action!r}: {error}", line) from None

    def deal(self, seat: int, cards: tuple[int, ...], line: int) -> None:
        """Cards to a seat; the first card of a later street begins that street for everybody."""
        held = self.held[seat]
        for card in cards:
            self.unseen_before(card, line)
            held.append(card)
        if seat in self.folded:
            raise self.error(f"p{seat + 1} has folded and is dealt {''.join(map(card_text, cards))}", line)
        if len(held) > 7:
            raise self.error(f"p{seat + 1} is dealt {len(held)} cards; a hand has seven", line)
        if len(held) > self.street:
            behind = self.behind()
            if behind or len(held) > self.street + 1:
                who = f"before p{behind[0] + 1} has its {STREET_NAMES[self.street]} card" if behind else "at once"
                raise self.error(f"p{seat + 1} is dealt its card number {len(held)} {who}", line)
            self.street = len(held)

    def behind(self) -> list[int]:
        """The live seats that lack a card of the street being dealt."""
        done = self.folded | self.out
        return [seat for seat, held in enumerate(self.held) if seat not in done and len(held) < self.street]

    def deal_community(self, cards: tuple[int, ...], line: int) -> None:
        if len(cards) != 1 or self.community != NO_CARD or self.street != 6 or self.behind():
            raise self.error("d db deals one card, once, in place of everybody's seventh-street card", line)
        self.unseen_before(cards[0], line)
        self.community, self.street = cards[0], 7

    def unseen_before(self, card: int, line: int) -> None:
        if card != NO_CARD and (card == self.community or any(card in held for held in self.held)):
            raise self.error(f"{card_text(card)} is dealt a second time", line)

    def act(self, player: str, action: RecordedAction) -> None:
        seat = self.player(player, action.text, action.line)
        behind = self.behind() if self.community == NO_CARD else []
        if behind:
            lacking = f"p{behind[0] + 1} has not been dealt its {STREET_NAMES[self.street]} card"
            raise self.error(f"{action.text!r} comes when {lacking}", action.line)
        if action.kind == "fold":
            self.folded.add(seat)
        self.actions.append(
            RecordedAction(
                seat=seat,
                street=self.street,
                kind=action.kind,
                to=action.to,
                said=action.said,
                line=action.line,
                text=action.text,
            )
        )


_NAMES: dict[type, str] = {
    list: "an array",
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    dict: "a table",
    object: "a number",
}


def _words(text: Any) -> list[str]:
    """The words of an action before its commentary."""
    return re.split(r"(?:^|\s)#", text, maxsplit=1)[0].split() if isinstance(text, str) else []


def _decimal(value: Any) -> Decimal | None:
    if isinstance(value, Decimal):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Decimal(value)
    if isinstance(value, str) and re.fullmatch(r"\d[\d,_]*(\.\d+)?", value):
        return Decimal(value.replace(",", "").replace("_", ""))
    return None


def _has_decimals(value: Any) -> bool:
    return isinstance(value, Decimal) or (isinstance(value, str) and "." in value)
