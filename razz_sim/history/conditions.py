"""Picking hands of a run by what happened in them: `pot > 40 and side_pots`.

A condition is an expression over the names of `FACTS`, read by our own small interpreter: no Python is ever executed.
"""

from __future__ import annotations

import ast
import difflib
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from razz_sim.batch import NoSuchHand, Replayed, replay_hand
from razz_sim.experiment import Scenario
from razz_sim.hand import Action, Hand
from razz_sim.lowball import low_name

FACTS: Mapping[str, str] = {
    "pot": "the final pot in big bets, uncalled chips not counted",
    "pots": "how many pots there were",
    "side_pots": "whether there was a side pot",
    "split": "whether a pot was split",
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
    "hand": "the hand's number in its scenario",
    "net": "net['hero']: what an entrant won, all its seats together, in big bets",
}
"""The names a condition may use."""

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
    big_bet = hand.stakes.big_bet
    actions = [event for event in hand.events if isinstance(event, Action)]
    wagers = [action for action in actions if action.kind in ("complete", "bet", "raise")]
    live = [seat for seat, stack in enumerate(hand.starting_stacks) if stack and not hand.folded(seat)]
    net: dict[str, Fraction] = dict.fromkeys(entrants, Fraction(0))
    for seat, name in enumerate(entrants):
        net[name] += Fraction(hand.stacks[seat] - hand.starting_stacks[seat], big_bet)
    winner = hand.pots[0].winners[0] if hand.show_order else None
    return {
        "pot": Fraction(sum(pot.amount for pot in hand.pots), big_bet),
        "pots": len(hand.pots),
        "side_pots": len(hand.pots) > 1,
        "split": any(len(pot.winners) > 1 for pot in hand.pots),
        "rake": Fraction(hand.rake, big_bet),
        "showdown": bool(hand.show_order),
        "street": hand.street,
        "players": sum(stack > 0 for stack in hand.starting_stacks),
        "contested": len(live),
        "all_in": any(action.all_in for action in actions)
        or any(hand.stacks[seat] == hand.awards[seat] for seat in live),
        "raises": len(wagers),
        "completed": any(action.street == 3 for action in wagers),
        "walk": hand.street == 3 and not wagers and len(live) == 1 and live[0] == hand.bring_in_seat,
        "community": hand.community >= 0,
        "winning_low": "" if winner is None else low_name(hand.cards(winner)),
        "hand": number,
        "net": net,
    }


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
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise ConditionError(f"{text!r} is no condition, as 'pot > 40 and side_pots' is one: {error}") from None
        condition = cls(text, tree)
        condition._check(tree)
        return condition

    def holds(self, known: Mapping[str, Any]) -> bool:
        """Whether the condition is true of a hand with these facts."""
        try:
            return bool(self._value(self.tree, known))
        except (TypeError, ZeroDivisionError) as error:
            raise ConditionError(f"{self.text!r} cannot be decided: {error}") from None
        except KeyError as error:
            raise ConditionError(f"{self.text!r}: there is no entrant {error}") from None

    def _check(self, node: ast.AST) -> None:
        match node:
            case ast.Name(id=name):
                if name not in FACTS:
                    near = difflib.get_close_matches(name, FACTS, n=1)
                    hint = f" (did you mean {near[0]!r}?)" if near else f": there are {', '.join(FACTS)}"
                    raise ConditionError(f"{name!r} in {self.text!r} is nothing that is known of a hand{hint}")
            case ast.Constant(value=bool() | int() | float() | str()):
                pass
            case ast.Subscript(value=ast.Name(id="net"), slice=ast.Constant(value=str())):
                pass
            case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
                self._check_all(parts)
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=part):
                self._check(part)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _CALCULATE:
                self._check_all([left, right])
            case ast.Compare(left=left, ops=ops, comparators=parts) if all(type(op) in _COMPARE for op in ops):
                self._check_all([left, *parts])
            case _:
                unusable = ast.unparse(node)
                raise ConditionError(
                    f"{unusable!r} in {self.text!r} cannot be used: only names, numbers, texts, + - * /, comparisons, "
                    "in, and, or, not"
                )

    def _check_all(self, nodes: Sequence[ast.AST]) -> None:
        for node in nodes:
            self._check(node)

    def _value(self, node: ast.expr, known: Mapping[str, Any]) -> Any:
        match node:
            case ast.Name(id=name):
                return known[name]
            case ast.Constant(value=value):
                return value
            case ast.Subscript(slice=ast.Constant(value=entrant)):
                return known["net"][entrant]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return tuple(self._value(part, known) for part in parts)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return not self._value(part, known)
            case ast.UnaryOp(operand=part):
                negated: Any = self._value(part, known)
                return -negated
            case ast.BoolOp(op=ast.And(), values=parts):
                return all(self._value(part, known) for part in parts)
            case ast.BoolOp(values=parts):
                return any(self._value(part, known) for part in parts)
            case ast.BinOp(left=left, op=op, right=right):
                return _CALCULATE[type(op)](self._value(left, known), self._value(right, known))
            case ast.Compare(left=left, ops=ops, comparators=parts):
                values = [self._value(part, known) for part in (left, *parts)]
                pairs = zip(values, ops, values[1:], strict=False)
                return all(_COMPARE[type(op)](first, second) for first, op, second in pairs)
        raise AssertionError(f"{ast.dump(node)} passed the check")


def matching(scenario: Scenario, seed: int, condition: Condition, limit: int) -> Iterator[Replayed]:
    """Up to `limit` hands of a scenario that meet a condition, in the order they were played; each is played again.

    About a thousand hands a second are looked at.
    """
    found = 0
    for number in range(scenario.hands):
        try:
            replayed = replay_hand(scenario, seed, number)
        except NoSuchHand:
            continue
        names = [entrant.name for entrant in replayed.entrants]
        if condition.holds(facts(replayed.hand, number, names)):
            yield replayed
            found += 1
            if found == limit:
                return
