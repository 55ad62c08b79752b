"""Picking hands of a run by what happened in them: `pot > 40 and side_pots`.

A condition is an expression over the names of `FACTS`, read by our own small interpreter: no Python is ever executed.
"""

from __future__ import annotations

import ast
import difflib
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from razz_sim.hand import Action, Hand
from razz_sim.hand.record import COUNT_LIMIT, NOBODY
from razz_sim.lowball import name_of_key
from razz_sim.rules import Street

FACTS: Mapping[str, str] = {
    "pot": "the final pot in big bets, uncalled chips not counted",
    "pots": "how many pots there were",
    "side_pots": "whether there was a side pot",
    "split": "whether a pot was split: several seats got chips of it",
    "rake": "what the room took, in big bets",
    "showdown": "whether hands were compared",
    "street": "the last street dealt, 3 to 7",
    "players": "seats that were dealt in",
    "contested": "seats that were live at the end",
    "all_in": "whether a seat went all-in",
    "raises": "completions, bets and raises in the hand",
    "completed": "whether anybody completed or bet on third street",
    "walk": "whether everybody folded to the bring-in",
    "community": "whether a community card was dealt",
    "winning_low": "the name of the best low at showdown, 'wheel' for one; '' without showdown",
    "hand": "the hand's number in its scenario; of a tournament in this one",
    "net": "net['hero']: what an entrant won, all its seats together, in big bets",
}
"""The names a condition may use."""

TOURNAMENT_FACTS: Mapping[str, str] = {
    "tournament": "of a tournament: its number",
    "level": "of a tournament: the level, from 1",
    "players_left": "of a tournament: how many players are left in it",
}
"""Those that only hands of tournaments have."""
_NAMES = (*FACTS, *TOURNAMENT_FACTS)

NUMBER, TEXT, LIST, BY_ENTRANT = "a number", "a text", "a list", "a number for each entrant"
"""What the parts of a condition are: yes and no count as numbers."""
_WAGERS = ("complete", "bet", "raise")

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda item, container: item in container,
    ast.NotIn: lambda item, container: item not in container,
}
_CALCULATE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class ConditionError(ValueError):
    """A condition that cannot be read, or not be decided for a hand."""


def facts(hand: Hand, number: int, entrants: Sequence[str]) -> dict[str, Any]:
    """What a finished hand offers to conditions; `entrants` names who sat where."""
    found = facts_of_record(hand.record, hand.starting_stacks, hand.stakes.big_bet, number, entrants)
    wagers = [event for event in hand.events if isinstance(event, Action) and event.kind in _WAGERS]
    return found | {"raises": len(wagers)}


def facts_of_record(
    record: np.void, before: Sequence[int], big_bet: int, number: int, entrants: Sequence[str]
) -> dict[str, Any]:
    """The same from the record of a hand that began with the stacks `before`.

    Without `raises` where they are too many for the record's counts.
    """
    seats = range(len(before))
    live = [seat for seat in seats if record["live"][seat]]
    stacks, awards, returned, put_in = (
        record[field][: len(before)].tolist() for field in ("stack", "award", "returned", "total_in")
    )
    net = dict.fromkeys(entrants, 0)
    for seat, name in enumerate(entrants):
        net[name] += awards[seat] - put_in[seat]
    pots, showdown, brought_in = int(record["pots"]), bool(record["showdown"]), int(record["brought_in"])
    completed = bool(record["completer"] != NOBODY)
    raises = record["raises"]
    found = {
        "pot": Fraction(int(record["pot"]), big_bet),
        "pots": pots,
        "side_pots": pots > 1,
        "split": any((record["pot_award"][pot] > 0).sum() > 1 for pot in range(pots)),
        "rake": Fraction(int(record["rake"]), big_bet),
        "showdown": showdown,
        "street": int(record["street"]),
        "players": sum(stack > 0 for stack in before),
        "contested": len(live),
        "all_in": any(stacks[seat] == awards[seat] + returned[seat] for seat in live),
        "completed": completed,
        "walk": len(live) == 1 and record["street"] == Street.THIRD and not completed and live[0] == brought_in,
        "community": bool(record["community"] >= 0),
        "winning_low": name_of_key(min(int(record["low_key"][seat]) for seat in live)) if showdown else "",
        "hand": number,
        "net": {name: Fraction(units, big_bet) for name, units in net.items()},
    }
    return found if raises.max() == COUNT_LIMIT else found | {"raises": int(raises.sum())}


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on hands, checked when it is made.

    >>> Condition.read("pot > 40 and not showdown").holds({"pot": 41, "showdown": False})
    True
    """

    text: str
    tree: ast.expr

    @classmethod
    def read(cls, text: str) -> Condition:
        """Read a condition; ConditionError says what in it cannot be used."""
        try:
            tree = ast.parse(text.strip(), mode="eval").body
            condition = cls(text, tree)
            condition._refuse(tree, {BY_ENTRANT, LIST})
        except ConditionError:
            raise
        except (SyntaxError, ValueError) as error:
            raise ConditionError(f"{text!r} is no condition, as 'pot > 40 and side_pots' is one: {error}") from None
        except (RecursionError, MemoryError):
            raise ConditionError(f"a condition of {len(text)} characters is nested too deeply") from None
        return condition

    def holds(self, known: Mapping[str, Any]) -> bool:
        """Whether the condition is true of a hand with these facts; KeyError when it asks for one that is not there."""
        try:
            return bool(value_of(self.tree, known))
        except (ZeroDivisionError, OverflowError) as error:
            raise ConditionError(f"{self.text!r} cannot be decided: {error}") from None

    def check_entrants(self, entrants: Sequence[str]) -> None:
        """ConditionError when it names an entrant that is none of these."""
        for node in ast.walk(self.tree):
            match node:
                case ast.Subscript(slice=ast.Constant(value=str(name))) if name not in entrants:
                    near = difflib.get_close_matches(name, entrants, n=1)
                    hint = f" (did you mean {near[0]!r}?)" if near else f": there are {', '.join(map(repr, entrants))}"
                    raise ConditionError(f"{self.text!r}: there is no entrant {name!r}{hint}")

    def check_single_hands(self, scenario: str) -> None:
        """ConditionError when it asks for what only hands of tournaments have, of a scenario that plays none."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Name) and node.id in TOURNAMENT_FACTS:
                told = f"{node.id!r} in {self.text!r} is known of tournaments only"
                raise ConditionError(f"{told}: scenario {scenario!r} plays hands at one table")

    def _kind(self, node: ast.AST) -> str:
        """What a part is; ConditionError when it cannot be used, or not so."""
        match node:
            case ast.Name(id=name):
                if name not in _NAMES:
                    near = difflib.get_close_matches(name, _NAMES, n=1)
                    hint = f" (did you mean {near[0]!r}?)" if near else f": there are {', '.join(_NAMES)}"
                    raise ConditionError(f"{name!r} in {self.text!r} is nothing that is known of a hand{hint}")
                return {"net": BY_ENTRANT, "winning_low": TEXT}.get(name, NUMBER)
            case ast.Constant(value=bool() | int() | float()):
                return NUMBER
            case ast.Constant(value=str()):
                return TEXT
            case ast.Subscript(value=ast.Name(id="net"), slice=ast.Constant(value=str())):
                return NUMBER
            case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                for part in parts:
                    self._refuse(part, {BY_ENTRANT, LIST})
                return NUMBER if isinstance(node, ast.BoolOp) else LIST
            case ast.UnaryOp(op=ast.Not(), operand=part):
                self._refuse(part, {BY_ENTRANT, LIST})
                return NUMBER
            case ast.UnaryOp(op=ast.USub(), operand=part):
                self._refuse(part, {BY_ENTRANT, LIST, TEXT})
                return NUMBER
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _CALCULATE:
                self._refuse(left, {BY_ENTRANT, LIST, TEXT})
                self._refuse(right, {BY_ENTRANT, LIST, TEXT})
                return NUMBER
            case ast.Compare(left=left, ops=ops, comparators=parts) if all(type(op) in _COMPARE for op in ops):
                for first, how, second in zip((left, *parts), ops, parts, strict=False):
                    self._check_pair(first, how, second)
                return NUMBER
            case _:
                unusable = ast.unparse(node)
                raise ConditionError(
                    f"{unusable!r} in {self.text!r} cannot be used: only names, numbers, texts, + - * /, comparisons, "
                    "in, and, or, not"
                )

    def _check_pair(self, first: ast.expr, op: ast.cmpop, second: ast.expr) -> None:
        """Two values that are compared: of one kind, or the second a list that may hold the first."""
        kind = self._refuse(first, {BY_ENTRANT, LIST})
        allowed = {LIST, TEXT} if isinstance(op, ast.In | ast.NotIn) else {kind}
        other = self._refuse(second, {NUMBER, TEXT, LIST, BY_ENTRANT} - allowed)
        if other == TEXT != kind:
            self._refuse(first, {kind})

    def _refuse(self, node: ast.expr, kinds: set[str]) -> str:
        """The kind of a part; ConditionError when it is one of those that cannot be here."""
        kind = self._kind(node)
        if kind in kinds:
            hint = ": write net['hero'] for one" if kind == BY_ENTRANT else ""
            raise ConditionError(f"{ast.unparse(node)!r} in {self.text!r} is {kind}, which cannot be used so{hint}")
        return kind


def value_of(node: ast.expr, known: Mapping[str, Any]) -> Any:
    """What a part of a condition is for a hand with these facts."""
    match node:
        case ast.Name(id=name):
            return known[name]
        case ast.Constant(value=value):
            return value
        case ast.Subscript(slice=ast.Constant(value=entrant)):
            return known["net"][entrant]
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return tuple(value_of(part, known) for part in parts)
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return not value_of(part, known)
        case ast.UnaryOp(operand=part):
            negated: Any = value_of(part, known)
            return -negated
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(value_of(part, known) for part in parts)
        case ast.BoolOp(values=parts):
            return any(value_of(part, known) for part in parts)
        case ast.BinOp(left=left, op=op, right=right):
            return _CALCULATE[type(op)](value_of(left, known), value_of(right, known))
        case ast.Compare(left=left, ops=ops, comparators=parts):
            values = [value_of(part, known) for part in (left, *parts)]
            pairs = zip(values, ops, values[1:], strict=False)
            return all(_COMPARE[type(op)](first, second) for first, op, second in pairs)
    raise AssertionError(f"{ast.dump(node)} passed the check")


def is_text(node: ast.expr) -> bool:
    """Whether a part of a condition is a text, not a number."""
    match node:
        case ast.Name(id="winning_low") | ast.Constant(value=str()):
            return True
    return False
