"""What totals make certain of the hands they count: which hands cannot meet a condition, without looking at them.

A row of totals counts some hands. Of each fact it tells two numbers between which it lies in each of these hands: of
2,000 hands without a side pot each has none, of one hand the pot is known. A condition on such bounds is true, false or
either. Bounds are floats, rounded outwards where they are not exact: what remains possible is looked at exactly.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from razz_sim.cards import DECK_SIZE
from razz_sim.experiment import Scenario
from razz_sim.history.conditions import Condition, is_text, value_of
from razz_sim.rules import Street
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS

_BURNED = 4
"""Cards that are burned in a hand at most."""
_CARDS_EACH = 7
_EXACT_PARTS = 64
"""Floats hold halves of a big bet, quarters and so on exactly, down to this part."""
_THIRD = int(Street.THIRD)
_CALCULATE = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide}


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the most that a value is in the hands of each row; of yes and no 0 and 1."""

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def around(cls, low: Any, high: Any) -> Bounds:
        """Bounds rounded outwards; endless where they are no numbers."""
        return cls(
            np.nextafter(np.where(np.isnan(low), -np.inf, low), -np.inf),
            np.nextafter(np.where(np.isnan(high), np.inf, high), np.inf),
        )

    def truth(self) -> Bounds:
        """Whether it is anything but 0."""
        return Bounds((self.low > 0) | (self.high < 0), (self.low != 0) | (self.high != 0))

    def denied(self) -> Bounds:
        """Yes for no, of what is yes or no."""
        return Bounds(~self.high, ~self.low)


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Of each row: whether some of its hands may meet a condition, and whether all do for sure."""

    possible: np.ndarray
    certain: np.ndarray


class Counted:
    """Totals of the hands of a scenario, row by row, each counting every hand as a block or whole blocks.

    `first` is the number of the first hand of each row, `slots` how many there may be in it.
    """

    def __init__(self, scenario: Scenario, table: np.ndarray, entrants: np.ndarray, first: np.ndarray, slots: int):
        self.scenario, self.first, self.slots = scenario, first, slots
        self._table = {column: table[:, place] for place, column in enumerate(TABLE_COLUMNS)}
        self._by_entrant = {column: entrants[:, :, place] for place, column in enumerate(ENTRANT_COLUMNS)}
        self.hands = self._table["hands"]
        self.single = self.hands == 1

    def verdicts(self, condition: Condition) -> Verdicts:
        """What the totals make of a condition."""
        reading = _Reading(self)
        truth = reading.value(condition.tree).truth()
        played = self.hands > 0
        return Verdicts(
            possible=played & (truth.high | reading.may_fail), certain=played & truth.low & ~reading.may_fail
        )

    def bounds(self, name: str) -> Bounds:
        """The bounds of a fact by its name in `conditions.FACTS`."""
        found: Bounds = getattr(self, f"_{name}")()
        return found

    def net(self, entrant: str) -> Bounds:
        """What an entrant won; known of single hands, unless it, or others, lost more than was played for."""
        place = [one.name for one in self.scenario.lineup].index(entrant)
        known = self.single & (self._by_entrant["forfeits"].sum(axis=1) == 0)
        return self._big_bets(known, self._by_entrant["net"][:, place], -np.inf, np.inf)

    def without_showdown(self) -> np.ndarray:
        """Which rows have no showdown for sure."""
        none: np.ndarray = self._table["showdowns"] == 0
        return none

    def _big_bets(self, known: np.ndarray, units: np.ndarray, low: Any, high: Any) -> Bounds:
        """An amount where it is known, else from low to high."""
        amount = units / self.scenario.stakes.big_bet
        around = Bounds.around(np.where(known, amount, low), np.where(known, amount, high))
        exact = known & (units * _EXACT_PARTS % self.scenario.stakes.big_bet == 0)
        return Bounds(np.where(exact, amount, around.low), np.where(exact, amount, around.high))

    def _counted(self, column: str) -> Bounds:
        """Whether what a column counts hands of happened."""
        return self._happened(self._table[column])

    def _happened(self, count: np.ndarray) -> Bounds:
        return Bounds(count == self.hands, count > 0)

    def _share(self, total: np.ndarray, least: Any, most: Any) -> Bounds:
        """One of the numbers, each from `least` to `most`, that add up to a total."""
        others = self.hands - 1
        return Bounds(np.maximum(least, total - others * most), np.minimum(most, total - others * least))

    # Facts, by their names

    def _pot(self) -> Bounds:
        pot = self._table["pot"]
        return self._big_bets(self.single, pot, 0, pot / self.scenario.stakes.big_bet)

    def _pots(self) -> Bounds:
        pot, side = self._table["pot"], self._side_pots()
        return Bounds(np.where(side.low, 2, self.single & (pot > 0)), np.where(side.high, self.scenario.seats, pot > 0))

    def _side_pots(self) -> Bounds:
        return self._counted("side_pots")

    def _split(self) -> Bounds:
        return self._counted("split_pots")

    def _rake(self) -> Bounds:
        rake = self._table["rake"]
        return self._big_bets(self.single, rake, 0, rake / self.scenario.stakes.big_bet)

    def _showdown(self) -> Bounds:
        return self._counted("showdowns")

    def _street(self) -> Bounds:
        saw = [self._counted(f"saw_{street}") for street in ("fourth", "fifth", "sixth", "seventh")]
        return Bounds(
            np.sum([one.low for one in saw], axis=0) + _THIRD, np.sum([one.high for one in saw], axis=0) + _THIRD
        )

    def _players(self) -> Bounds:
        return self._share(self._by_entrant["hands"].sum(axis=1), 2, self.scenario.seats)

    def _contested(self) -> Bounds:
        showdown = self._showdown()
        live = self._by_entrant["showdowns"].sum(axis=1) + self.hands - self._table["showdowns"]
        return self._share(live, np.where(showdown.low, 2, 1), np.where(showdown.high, self.scenario.seats, 1))

    def _all_in(self) -> Bounds:
        """Totals know of showdowns only; without one, who was all-in took the pot, and others folded to it."""
        seen = self._counted("all_ins")
        return Bounds(seen.low, seen.high | (self._table["showdowns"] < self.hands) & self._stack_may_be_in())

    def _stack_may_be_in(self) -> np.ndarray:
        """Whether a seat may have bet its whole stack, and another matched all of that but a last bet or raise."""
        scenario, stakes = self.scenario, self.scenario.stakes
        if scenario.session.carry or scenario.rules.betting != "fixed_limit":
            return np.ones(len(self.hands), dtype=bool)
        matched = scenario.stack - max(stakes.small_bet, stakes.big_bet)
        possible: np.ndarray = self._table["pot"] >= 2 * matched
        return possible

    def _raises(self) -> Bounds:
        completed = self._completed()
        wagered = completed.high | (self._table["saw_fourth"] > 0)
        return Bounds(completed.low, np.where(wagered, self._table["decisions"], 0))

    def _completed(self) -> Bounds:
        return self._happened(self._by_entrant["completed"].sum(axis=1))

    def _walk(self) -> Bounds:
        return self._counted("walks")

    def _community(self) -> Bounds:
        """Totals know of showdowns only; else it was dealt where seventh street was, if the deck may be too short."""
        seen = self._counted("community_cards")
        short = _CARDS_EACH * self.scenario.seats + _BURNED * self.scenario.rules.burn_cards > DECK_SIZE
        return Bounds(seen.low, seen.high | (self._table["ended_seventh"] > 0) & short)

    def _hand(self) -> Bounds:
        return Bounds(self.first, self.first + self.slots - 1)


@dataclass(slots=True)
class _Reading:
    """A condition being read over rows of totals. `may_fail` are rows in which a division by 0 is not ruled out."""

    counted: Counted
    may_fail: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.may_fail = np.zeros(len(self.counted.hands), dtype=bool)

    def value(self, node: ast.expr) -> Bounds:
        """The bounds of a part, of yes and no for a text."""
        match node:
            case ast.Name(id="winning_low"):
                return self._of_text(node)
            case ast.Name(id=name):
                return self.counted.bounds(name)
            case ast.Constant(value=str(text)):
                return self._constant(bool(text))
            case ast.Constant(value=bool() | int() | float() as number):
                return self._constant(number)
            case ast.Subscript(slice=ast.Constant(value=str(entrant))):
                return self.counted.net(entrant)
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return self.value(part).truth().denied()
            case ast.UnaryOp(operand=part):
                return self._calculated(self._constant(0), ast.Sub(), self.value(part))
            case ast.BoolOp(op=op, values=parts):
                truths = [self.value(part).truth() for part in parts]
                together = np.logical_and if isinstance(op, ast.And) else np.logical_or
                return Bounds(
                    together.reduce([one.low for one in truths]), together.reduce([one.high for one in truths])
                )
            case ast.BinOp(left=left, op=op, right=right):
                return self._calculated(self.value(left), op, self.value(right))
            case ast.Compare(left=left, ops=ops, comparators=parts):
                pairs = zip((left, *parts), ops, parts, strict=False)
                compared = [self._compared(first, op, second) for first, op, second in pairs]
                return Bounds(
                    np.logical_and.reduce([one.low for one in compared]),
                    np.logical_and.reduce([one.high for one in compared]),
                )
        raise AssertionError(f"{ast.dump(node)} passed the check")

    def _constant(self, value: float) -> Bounds:
        rows = len(self.counted.hands)
        try:
            near = np.full(rows, float(value))
        except OverflowError:
            self.may_fail[:] = True
            return Bounds(np.full(rows, -np.inf), np.full(rows, np.inf))
        return Bounds(near, near) if near[:1].tolist() == [value] else Bounds.around(near, near)

    def _calculated(self, left: Bounds, op: ast.operator, right: Bounds) -> Bounds:
        if isinstance(op, ast.Div):
            self.may_fail |= (right.low <= 0) & (right.high >= 0)
        calculate = _CALCULATE[type(op)]
        with np.errstate(all="ignore"):
            ends = [
                calculate(one, other, dtype=np.float64)
                for one in (left.low, left.high)
                for other in (right.low, right.high)
            ]
            return Bounds.around(np.min(ends, axis=0), np.max(ends, axis=0))

    def _compared(self, first: ast.expr, op: ast.cmpop, second: ast.expr) -> Bounds:
        if is_text(first):
            return self._of_text(ast.Compare(left=first, ops=[op], comparators=[second]))
        one = self.value(first)
        match op, second:
            case ((ast.In() | ast.NotIn()), (ast.Tuple(elts=items) | ast.List(elts=items))):
                same = [_equal(one, self.value(item)) for item in items if not is_text(item)]
                nothing = Bounds(one.low != one.low, one.low != one.low)
                found = Bounds(
                    np.logical_or.reduce([nothing.low, *(each.low for each in same)]),
                    np.logical_or.reduce([nothing.high, *(each.high for each in same)]),
                )
                return found.denied() if isinstance(op, ast.NotIn) else found
        other = self.value(second)
        match op:
            case ast.Eq():
                return _equal(one, other)
            case ast.NotEq():
                return _equal(one, other).denied()
            case ast.Lt():
                return Bounds(one.high < other.low, one.low < other.high)
            case ast.LtE():
                return Bounds(one.high <= other.low, one.low <= other.high)
            case ast.Gt():
                return Bounds(other.high < one.low, other.low < one.high)
        return Bounds(other.high <= one.low, other.low <= one.high)

    def _of_text(self, node: ast.expr) -> Bounds:
        """Whether something is true of the winning low: it is known where there was no showdown, and so no such low."""
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        none = self.counted.without_showdown() & (names <= {"winning_low"})
        without = bool(value_of(node, {"winning_low": ""})) if none.any() else False
        return Bounds(none & without, ~none | without)


def _equal(one: Bounds, other: Bounds) -> Bounds:
    return Bounds(
        (one.low == one.high) & (other.low == other.high) & (one.low == other.low),
        (one.low <= other.high) & (other.low <= one.high),
    )
