"""Finding the hands of a tournament that meet a condition.

A tournament is played whole, which takes microseconds a hand. Its events tell of each hand what everybody had before
and after it: what that leaves possible is bounded as totals are (see `bounds`), and only such hands are replayed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from razz_sim.batch import NoSuchHand, Replayed, StrategyFault, Verdict, replay_hand
from razz_sim.batch.tournaments import TournamentEvent, TournamentLoop
from razz_sim.experiment import Scenario, plan_of
from razz_sim.hand.record import NOBODY
from razz_sim.history.bounds import Bounds, Counted
from razz_sim.history.conditions import Condition, facts
from razz_sim.history.tournaments import Standing
from razz_sim.rules import Street


class TournamentSearch:
    """Looks for hands that meet a condition in tournaments of a scenario, one after another."""

    def __init__(
        self, scenario: Scenario, seed: int, verdicts: Sequence[Verdict], index: int, condition: Condition
    ) -> None:
        self.scenario, self.seed, self.verdicts, self.index = scenario, seed, verdicts, index
        self.condition = condition
        self._loop = TournamentLoop(scenario, seed, verdicts, index)

    def candidates(self, block: int) -> list[int]:
        """The hands of a tournament that may meet the condition; of one that an error ended all before that."""
        try:
            events = self._loop.events(block)
        except StrategyFault as error:
            return list(range(error.fault.hand)) if error.fault is not None else []
        told = ToldHands(self.scenario, block, events)
        return np.flatnonzero(told.verdicts(self.condition).possible).tolist() if len(told.hands) else []

    def replayed(self, block: int, hand: int) -> Replayed | None:
        """A hand event by event, if it meets the condition."""
        number = block * self.scenario.hand_numbers + hand
        try:
            found = replay_hand(self.scenario, self.seed, number, self.verdicts, self.index)
        except NoSuchHand:
            return None
        if found.hand.seat is not None:
            return None
        return found if self.condition.holds(facts_in_tournament(self.scenario, found)) else None


def facts_in_tournament(scenario: Scenario, replayed: Replayed) -> dict[str, Any]:
    """What a finished hand of a tournament offers to conditions."""
    owners = scenario.entrant_of_copy
    names = ["" if copy == NOBODY else scenario.lineup[owners[copy]].name for copy in replayed.copies]
    block, hand = divmod(replayed.number, scenario.hand_numbers)
    found = facts(replayed.hand, hand, names)
    found["net"] = {one.name: found["net"].get(one.name, 0) for one in scenario.lineup}
    return found | {
        "tournament": block,
        "level": int(replayed.hand.record["level"]),
        "players_left": int(replayed.hand.record["players_left"]),
    }


class ToldHands(Counted):
    """The hands of a tournament as its events tell them, a row each: between which numbers each fact lies."""

    def __init__(self, scenario: Scenario, block: int, events: Sequence[TournamentEvent]) -> None:
        rows = list(_rows(scenario, events))
        self.scenario, self.block = scenario, block
        self.hands = np.ones(len(rows), dtype=np.int64)
        self.forfeits = scenario.on_error == "forfeit"
        levels = [row[0] for row in rows]
        stakes = plan_of(scenario).levels
        self._levels = np.array(levels, dtype=np.int64)
        self._left = np.array([row[1] for row in rows], dtype=np.int64)
        self._big_bet = np.array([stakes[level - 1].stakes.big_bet for level in levels], dtype=np.int64)
        self._bring_in = np.array([stakes[level - 1].stakes.bring_in for level in levels], dtype=np.int64)
        self._dealt = np.array([len(row[2]) for row in rows], dtype=np.int64)
        self._changes = [row[2] for row in rows]
        owners = scenario.entrant_of_copy
        self._net_of = np.zeros((len(rows), len(scenario.lineup)), dtype=np.int64)
        for place, (_, _, changes) in enumerate(rows):
            for player, before, after in changes:
                self._net_of[place, owners[player]] += after - before

    def bounds(self, name: str) -> Bounds:
        """The bounds of a fact: exact for those that the events tell."""
        exact = {
            "tournament": np.full(len(self.hands), self.block),
            "level": self._levels,
            "players_left": self._left,
            "hand": np.arange(len(self.hands)),
            "players": self._dealt,
            "rake": np.zeros(len(self.hands)),
        }
        if name in exact:
            return Bounds(exact[name], exact[name])
        if name == "pot":
            return self._pot()
        if name == "all_in":
            broke = [any(after == 0 for _, _, after in changes) and not self.forfeits for changes in self._changes]
            return Bounds(np.array(broke, dtype=np.int64), np.ones(len(self.hands), dtype=np.int64))
        ranges: dict[str, tuple[float, np.ndarray | float]] = {
            "pots": (1, self._dealt),
            "street": (int(Street.THIRD), int(Street.SEVENTH)),
            "contested": (1, self._dealt),
            "raises": (0, np.inf),
        }
        least, most = ranges.get(name, (0, 1))
        return Bounds(np.full(len(self.hands), least), np.zeros(len(self.hands)) + most)

    def net(self, entrant: str) -> Bounds:
        """What an entrant won; unknown where errors cost chips."""
        if self.forfeits:
            return Bounds(np.full(len(self.hands), -np.inf), np.full(len(self.hands), np.inf))
        place = [one.name for one in self.scenario.lineup].index(entrant)
        return self._in_big_bets(self._net_of[:, place], self._net_of[:, place])

    def without_showdown(self) -> np.ndarray:
        """Which hands have no showdown for sure: the events do not tell."""
        return np.zeros(len(self.hands), dtype=bool)

    def _pot(self) -> Bounds:
        """At least what was lost. At most what all could match; or what was lost and matched, by who lost nothing.

        The latter only where nobody had more than the one who lost nothing: else there may be a side pot without it,
        that was won by somebody who lost more elsewhere.
        """
        low, high = np.zeros(len(self.hands), dtype=np.int64), np.zeros(len(self.hands), dtype=np.int64)
        for place, changes in enumerate(self._changes):
            stacks = sorted(before for _, before, _ in changes)
            losses = [before - after for _, before, after in changes if after < before]
            winners = [before for _, before, after in changes if after >= before]
            low[place] = 0 if self.forfeits else sum(losses)
            high[place] = sum(min(stack, stacks[-2]) for stack in stacks)
            if winners == stacks[-1:] and not self.forfeits:
                high[place] = min(high[place], sum(losses) + max(losses) + self._bring_in[place])
        return self._in_big_bets(low, high)

    def _in_big_bets(self, low: np.ndarray, high: np.ndarray) -> Bounds:
        return Bounds.around(low / self._big_bet, high / self._big_bet)


_Row = tuple[int, int, list[tuple[int, int, int]]]


def _rows(scenario: Scenario, events: Sequence[TournamentEvent]) -> Iterator[_Row]:
    """Of each hand the level, the players left, and (player, stack before, stack after) of those dealt in."""
    standing = Standing(plan_of(scenario))
    row: _Row | None = None
    for event in events:
        standing.see(event)
        standing.changes.clear()
        if event.kind == "hand":
            if row is not None:
                yield row
            row = standing.level, standing.left, []
        elif event.kind == "stack" and row is not None:
            row[2].append((event.player, event.other, event.amount))
    if row is not None:
        yield row
