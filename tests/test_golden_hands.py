"""Golden hands: text files of hands worked out from RULES.md, each ending otherwise under another value of an option.

A file of `tests/golden/` reads like a hand history. `#` begins a comment, indentation is free, any other line that
is not understood fails the test.

    <title>
    rule: the rule of RULES.md it shows
    rules: <preset>, <option> = <value>, ..
    stakes: ante 1, bring-in 3, bets 10 and 20, chip 5          (the chip may be left out)
    rake: 5 %, cap 3, cap 4 from 6 players, not on third street (all after the percentage may be left out)
    tournament: 2 left
    dealer: 3
    seat 1: 100, ?? ?? Ks 9h                        chips, and cards in the order dealt (two down, four up, one down)
    community: 5h                                   where one is dealt; or, instead of cards by seat, the
    deck: 2c 3c ..                                  deck from its first card; what is not named follows in order

    third street                                    every street with betting
      2 may fold, call 3 or complete to 10          what is legal, in the words of `Legal.sentence`
      2 may not raise to 20                         is refused
      2 completes to 10, 3 calls 6 all-in           also: brings in, folds, folds as a check, checks, bets, raises to
      the rest fold                                 or call, or check: everybody until the street ends
      here                                          a mark, see below; `here again` is another
      chips: 97 90 94                               in front of each seat when the street's betting is over
    the end
      uncalled: 7 to 2                              chips that went back; no line for none
      in the middle: 5h                             the community card
      rake: 1                                       no line for none
      pot: 30 for 1 2 3, won by 2                   before rake, the main pot first; all of them
      shows: 2 3                                    in this order
      mucks: 1
      stacks: 97 113 90
    otherwise <option> = <value>                    the same actions end otherwise: only the lines that differ
    otherwise <option> = <value>, from here         the same actions up to the mark, then other lines
    otherwise rake: 10 %                            any line of the head may be another
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import pytest

from razz_sim.cards import DECK_SIZE, NO_CARD, card_text, parse_cards
from razz_sim.hand import Action, Deck, GivenCards, Hand, IllegalAction, Muck, Show
from razz_sim.rules import OPTION_VALUES, Rake, RuleSet, Stakes, Street, rule_set, spell

FILES = sorted((Path(__file__).parent / "golden").glob("*.txt"))

STREETS = {f"{street.name.lower()} street": int(street) for street in Street}
HEAD = ("rule", "rules", "stakes", "rake", "tournament", "dealer", "community", "deck")
KINDS = {
    "brings in": "bring_in",
    "folds as a check": "check",
    "folds": "fold",
    "checks": "check",
    "calls": "call",
    "completes to": "complete",
    "bets": "bet",
    "raises to": "raise",
}
ACTION = re.compile(rf"([1-8]) ({'|'.join(KINDS)})(?: (\d+))?( all-in)?")
MAY_NOT = re.compile(r"([1-8]) may not (fold|(?:bet|complete to|raise to) (\d+))")
MAY = re.compile(r"([1-8]) may (.*)")
REST = re.compile(r"the rest (fold|call|check)")
POT = re.compile(r"(\d+) for ([\d ]+), won by ([\d ]+)")
OTHERWISE = re.compile(r"otherwise (\w+)( = |: )(.*?)(?:, from (here.*))?")


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def seats(text: str) -> tuple[int, ...]:
    """Seats as people count them, from 1."""
    return tuple(int(word) - 1 for word in text.split())


# Reading a file


@dataclass(frozen=True, slots=True)
class Otherwise:
    """What another value of an option, or another line of the head, makes of the hand."""

    name: str
    value: str
    of_rules: bool
    mark: str | None
    lines: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class GoldenHand:
    """A file, line by line."""

    head: dict[str, str]
    chips: list[int]
    cards: list[str]
    script: list[str]
    end: list[str]
    otherwise: list[Otherwise]

    def rules(self) -> RuleSet:
        preset, *changes = self.head["rules"].split(", ")
        return rule_set(preset, **dict(option_and_value(change) for change in changes))

    def under(self, other: Otherwise) -> GoldenHand:
        """This hand with the option's other value, or the head's other line."""
        name, text = (
            ("rules", f"{self.head['rules']}, {other.name} = {other.value}")
            if other.of_rules
            else (
                other.name,
                other.value,
            )
        )
        return replace(self, head={**self.head, name: text})

    def deal(self) -> Hand:
        """The hand at its first decision."""
        left = self.head.get("tournament")
        return Hand(
            self.rules(),
            read_stakes(self.head["stakes"], self.head.get("rake", "none")),
            self.chips,
            dealer=int(self.head["dealer"]) - 1,
            cards=self.given(),
            tournament=left is not None and left != "none",
            players_left=int(left.removesuffix(" left")) if left not in (None, "none") else None,
        )

    def given(self) -> Deck | GivenCards:
        if "deck" in self.head:
            named = parse_cards(self.head["deck"])
            return Deck((*named, *(card for card in range(DECK_SIZE) if card not in named)))
        community = parse_cards(self.head.get("community", "??"))[0]
        return GivenCards(tuple(parse_cards(cards) for cards in self.cards), community)


def option_and_value(text: str) -> tuple[str, object]:
    """`bets_per_round = 5` as ("bets_per_round", 5)."""
    option, value = text.split(" = ")
    allowed = OPTION_VALUES[option]
    return option, int(value) if allowed == (int,) else {spell(one): one for one in allowed}[value]


def read_stakes(text: str, rake: str) -> Stakes:
    found = re.fullmatch(r"ante (\d+), bring-in (\d+), bets (\d+) and (\d+)(?:, chip (\d+))?", text)
    assert found, f"no stakes: {text}"
    ante, bring_in, small_bet, big_bet, chip = (int(number or 1) for number in found.groups())
    return Stakes(text, ante, bring_in, small_bet, big_bet, chip=chip, rake=read_rake(rake))


def read_rake(text: str) -> Rake | None:
    if text == "none":
        return None
    percent, *rest = text.split(", ")
    assert percent.endswith(" %"), f"no rake: {text}"
    cap, by_players, third_street = None, [], True
    for part in rest:
        if found := re.fullmatch(r"cap (\d+) from (\d) players", part):
            by_players.append((int(found[2]), int(found[1])))
        elif found := re.fullmatch(r"cap (\d+)", part):
            cap = int(found[1])
        else:
            assert part == "not on third street", f"no rake: {part}"
            third_street = False
    return Rake(Decimal(percent.removesuffix(" %")), cap, tuple(by_players), third_street)


def read(path: Path) -> GoldenHand:
    """A golden hand's file; its lines are read here or, later, by `Table`."""
    title, *lines = [line for raw in path.read_text().splitlines() if (line := raw.split("#")[0].strip())]
    assert title.partition(": ")[0] not in HEAD, f"{path.name} begins with a title"
    hand = GoldenHand({}, [], [], [], [], [])
    into = None
    for line in lines:
        name, _, text = line.partition(": ")
        if line.startswith("otherwise"):
            found = OTHERWISE.fullmatch(line)
            assert found, f"not understood: {line}"
            hand.otherwise.append(Otherwise(found[1], found[3], found[2] == " = ", found[4]))
            into = hand.otherwise[-1].lines
        elif into is not None or line in STREETS or line == "the end":
            into = hand.script if into is None else into
            into = hand.end if line == "the end" and into is hand.script else into
            into.append(line)
        elif name in HEAD:
            hand.head[name] = f"{hand.head[name]} {text}" if name == "deck" and name in hand.head else text
        else:
            assert name == f"seat {len(hand.chips) + 1}", f"not understood: {line}"
            chips, _, cards = text.partition(", ")
            hand.chips.append(int(chips))
            hand.cards.append(cards)
    return hand


# Playing it


class Table:
    """Plays lines of a script and holds the hand to what they say."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.street: int | None = None
        """The street that was announced and whose chips are not yet told."""
        self.marks: set[str] = set()

    def play(self, lines: Sequence[str]) -> None:
        """Play the lines and hold the hand to all they say."""
        for line in lines:
            if line.startswith("here"):
                continue
            try:
                self._line(line)
            except IllegalAction as refused:
                raise AssertionError(f"{line!r}: {refused}") from refused

    def _line(self, line: str) -> None:
        hand = self.hand
        if line in STREETS:
            assert self.street is None, f"chips are not told before {line}"
            assert hand.seat is not None, f"no betting on {line}: the hand is over"
            assert hand.street == STREETS[line], f"{line} is announced on street {hand.street}"
            self.street = hand.street
        elif found := MAY_NOT.fullmatch(line):
            assert hand.seat == int(found[1]) - 1, f"{line!r}: seat {seat_text(hand)} acts"
            assert self._refuses(None if found[2] == "fold" else int(found[3])), f"{line!r}, yet it is played"
        elif found := MAY.fullmatch(line):
            assert hand.seat == int(found[1]) - 1, f"{line!r}: seat {seat_text(hand)} acts"
            assert hand.legal().sentence(hand.stakes) == found[2]
        elif line.startswith("chips: "):
            assert hand.seat is None or (self.street is not None and hand.street > self.street), "the street goes on"
            assert self.chips() == numbers(line.removeprefix("chips: "))
            self.street = None
        elif found := REST.fullmatch(line):
            self._rest(found[1])
        else:
            for action in line.split(", "):
                self._action(action)

    def _refuses(self, to: int | None) -> bool:
        """Whether a fold, or a wager to a total, is illegal."""
        try:
            self.hand.fold() if to is None else self.hand.raise_to(to)
        except IllegalAction:
            return True
        return False

    def chips(self) -> list[int]:
        """In front of each seat before uncalled chips went back and pots were awarded."""
        ended = zip(self.hand.stacks, self.hand.awards, self.hand.returned, strict=True)
        return [stack - award - returned for stack, award, returned in ended]

    def _rest(self, verb: str) -> None:
        street = self.hand.street
        assert self.hand.seat is not None
        while self.hand.seat is not None and self.hand.street == street:
            assert (self.hand.legal().to_call == 0) == (verb == "check"), f"seat {seat_text(self.hand)} cannot {verb}"
            if verb == "fold":
                self.hand.fold()
            else:
                self.hand.stay()

    def _action(self, text: str) -> None:
        found = ACTION.fullmatch(text)
        assert found, f"not understood: {text}"
        seat, verb, amount = int(found[1]) - 1, found[2], int(found[3] or 0)
        assert self.hand.seat == seat, f"{text!r}: seat {seat_text(self.hand)} acts"
        assert self.street == self.hand.street, f"{text!r} on a street that was not announced"
        number = len(self.hand.events)
        if verb.startswith("folds"):
            self.hand.fold()
        elif KINDS[verb] in ("complete", "bet", "raise"):
            self.hand.raise_to(amount)
        else:
            self.hand.stay()
        done = self.hand.events[number]
        assert isinstance(done, Action)
        told = done.to if KINDS[verb] in ("complete", "bet", "raise") else done.put
        assert (done.kind, told, done.all_in) == (KINDS[verb], amount, found[4] is not None), text

    def check_end(self, lines: Sequence[str]) -> None:
        """Hold the result to the lines that tell it; what none tells is not looked at."""
        hand = self.hand
        assert hand.seat is None, f"the hand is not over: seat {seat_text(hand)} acts"
        pots = []
        for line in lines:
            name, _, text = line.partition(": ")
            if name == "uncalled":
                amount, seat = text.split(" to ")
                expected = [0] * len(hand.stacks)
                expected[int(seat) - 1] = int(amount)
                assert hand.returned == expected
            elif name == "in the middle":
                assert card_text(hand.community) == text
            elif name == "rake":
                assert hand.rake == int(text)
            elif name == "shows":
                assert tuple(event.seat for event in hand.events if isinstance(event, Show)) == seats(text)
            elif name == "mucks":
                assert tuple(event.seat for event in hand.events if isinstance(event, Muck)) == seats(text)
            elif name == "stacks":
                assert hand.stacks == numbers(text)
            else:
                assert name == "pot", f"not understood: {line}"
                found = POT.fullmatch(text)
                assert found, f"not understood: {line}"
                pots.append((int(found[1]), seats(found[2]), seats(found[3])))
        if pots:
            assert [(pot.amount, pot.contestants, pot.winners) for pot in hand.pots] == pots


def seat_text(hand: Hand) -> str:
    return "none" if hand.seat is None else str(hand.seat + 1)


def play_straight(hand: GoldenHand) -> None:
    """The hand as its file tells it, to the last chip."""
    table = Table(hand.deal())
    table.play(hand.script)
    assert table.street is None, "chips are not told after the last street"
    assert hand.end[0] == "the end"
    told = [line.partition(": ")[0] for line in hand.end[1:]]
    assert told.count("stacks") == 1
    assert "pot" in told
    table.check_end(hand.end[1:])
    assert "uncalled" in told or not any(table.hand.returned)
    assert "rake" in told or table.hand.rake == 0
    assert "in the middle" in told or "community" in hand.head or table.hand.community == NO_CARD


def play_otherwise(hand: GoldenHand, other: Otherwise) -> None:
    """The same cards and actions, as far as they go, and then what is told."""
    table = Table(hand.deal())
    same = hand.script if other.mark is None else hand.script[: hand.script.index(other.mark)]
    table.play([line for line in same if not MAY.fullmatch(line)])  # what was legal until then may differ too
    if other.mark is None:
        assert other.lines, "nothing is told"
        table.check_end(other.lines)
        return
    end = other.lines.index("the end") if "the end" in other.lines else len(other.lines)
    table.play(other.lines[:end])
    if end < len(other.lines):
        assert table.street is None, "chips are not told after the last street"
        table.check_end(other.lines[end + 1 :])
    else:
        assert MAY.fullmatch(other.lines[-1]), "a hand that is left before its end ends on what is legal"


def cases() -> list[tuple[Path, int]]:
    return [(path, number) for path in FILES for number in range(len(read(path).otherwise))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_hand(path: Path) -> None:
    play_straight(read(path))


@pytest.mark.parametrize(("path", "number"), cases(), ids=lambda part: getattr(part, "stem", str(part)))
def test_golden_hand_ends_otherwise(path: Path, number: int) -> None:
    """Under the other value what is told for it holds, and what is told for the first value does not."""
    hand = read(path)
    other = hand.otherwise[number]
    play_otherwise(hand.under(other), other)
    with pytest.raises(AssertionError):
        play_otherwise(hand, other)
    with pytest.raises(AssertionError):
        play_straight(hand.under(other))


NUMBERS: Mapping[str, tuple[int, ...]] = {"bets_per_round": (4, 5, 0)}


def test_each_two_values_of_every_option_are_told_apart() -> None:
    told = set()
    for path, number in cases():
        hand = read(path)
        other = hand.otherwise[number]
        if other.of_rules:
            values = {getattr(hand.rules(), other.name), getattr(hand.under(other).rules(), other.name)}
            told.add((other.name, frozenset(values)))
    for option, allowed in OPTION_VALUES.items():
        for pair in combinations(NUMBERS.get(option, allowed), 2):
            assert (option, frozenset(pair)) in told, f"no golden hand tells {option} {pair[0]} from {pair[1]}"


def test_an_unread_line_fails() -> None:
    hand = read(FILES[0])
    for line in ("1 shrugs", "chips 1 2 3", "9 folds"):
        with pytest.raises(AssertionError):
            play_straight(replace(hand, script=[*hand.script, line]))
    with pytest.raises(AssertionError):
        play_straight(replace(hand, end=[*hand.end, "mood: good"]))
