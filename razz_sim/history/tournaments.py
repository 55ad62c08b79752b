"""What happened in a tournament, from its events: who was where with how much when, who went out to whom.

Time counts from the start, through all rounds, in the unit of the plan's levels: milliseconds, or hands at each table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from razz_sim.batch.replay import names_of_copies
from razz_sim.batch.tournaments import TournamentEvent
from razz_sim.experiment import Scenario, plan_of
from razz_sim.hand.record import NOBODY
from razz_sim.structures import Tournament

BUYS = {"reentry": "re-entries", "rebuy": "rebuys", "addon": "add-ons"}
"""The events in which players buy chips, and what these are called."""
_HAPPENINGS = ("round", "seated", "moved", "broken", "hand_for_hand", "out", *BUYS)


@dataclass(frozen=True, slots=True)
class Happening:
    """An event, and how the tournament stood after it.

    `hand` is the last hand, by its number in the tournament, that its player was dealt in; of what is about no player
    the next one to begin. `level` is that of this hand, from 1; rounds count from 0.
    """

    event: TournamentEvent
    time: int
    round: int
    level: int
    hand: int
    left: int
    tables: int


@dataclass(frozen=True, slots=True)
class Look:
    """How a tournament stood when a hand began, the first of a level or of the final table.

    `leaders` are those with the largest stack. `seated` are (seat, player, stack), at the final table only.
    """

    time: int
    round: int
    level: int
    hand: int
    left: int
    tables: int
    chips: int
    leaders: tuple[int, ...]
    stack: int
    seated: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Finisher:
    """A player and what came of it; `out` is None for those who were left at the end."""

    number: int
    name: str
    entrant: str
    first: int
    last: int
    prize: int
    bought: dict[str, int]
    out: Happening | None


@dataclass(frozen=True, slots=True)
class Story:
    """A whole tournament: number `tournament` of a scenario.

    `course` has what happened and, at each first hand of a level, a look; `players` are in the order of their places.
    """

    scenario: Scenario
    tournament: int
    course: tuple[Happening | Look, ...]
    final_table: Look | None
    players: tuple[Finisher, ...]
    hands: int
    hands_at: dict[int, int]
    time: int
    names: tuple[str, ...]

    @property
    def plan(self) -> Tournament:
        """What is played."""
        return plan_of(self.scenario)

    @property
    def happenings(self) -> list[Happening]:
        """What happened, without the looks."""
        return [one for one in self.course if isinstance(one, Happening)]

    @property
    def looks(self) -> list[Look]:
        """How it stood when the levels began."""
        return [one for one in self.course if isinstance(one, Look)]

    @property
    def outs(self) -> list[Happening]:
        """Who went out, in that order."""
        return [one for one in self.happenings if one.event.kind == "out"]

    @property
    def paid(self) -> list[Finisher]:
        """Those who have a prize."""
        return [one for one in self.players if one.prize]

    @property
    def bubble(self) -> list[Finisher]:
        """The last to go out without a prize, of a satellite without an equal one; several if they share a place."""
        least = self.players[0].prize if self.plan.payouts.equal else 1
        unpaid = [one for one in self.players if one.prize < least]
        return [one for one in unpaid if one.first == unpaid[0].first and one.out is not None]

    @property
    def bought(self) -> dict[str, int]:
        """How many times all players together bought chips, by kind of event."""
        return {kind: sum(one.bought[kind] for one in self.players) for kind in BUYS}


class Standing:
    """How a tournament stands as its events are seen one by one.

    Who is in the middle of a hand has the stack that it began it with. `changes` are (time, player, stack) since they
    were last taken; `last` is the last hand, with its level, that each player was dealt in.
    """

    def __init__(self, plan: Tournament) -> None:
        self.plan = plan
        self.round = self.clock = self.elapsed = self.chips = self.hands = 0
        self.level, self.left, self.held = 1, plan.field, False
        self.stacks = dict.fromkeys(range(plan.field), plan.stack)
        self.tables: dict[int, dict[int, int]] = {}
        self.hands_at: Counter[int] = Counter()
        self.last: dict[int, tuple[int, int]] = {}
        self.changes: list[tuple[int, int, int]] = []
        self._where: dict[int, tuple[int, int]] = {}
        self._after: dict[int, dict[int, int]] = {}
        self._ends: list[tuple[int, int]] = []
        self._together = 0

    @property
    def time(self) -> int:
        """Time from the start of the tournament."""
        return self.elapsed + self.clock

    def see(self, event: TournamentEvent) -> None:
        """Take an event in."""
        if event.kind == "round":
            self._begin_round(event.amount)
        elif event.kind == "stack":
            self._after[event.table][event.player] = event.amount
            self.last[event.player] = self.hands - 1, self.level
            return
        self.clock = event.clock
        self._close_hands()
        if event.kind == "level":
            self.level = event.amount
        elif event.kind == "hand_for_hand":
            self.held = bool(event.amount)
        elif event.kind == "broken":
            del self.tables[event.table]
        elif event.kind == "hand":
            self._begin_hand(event)
        else:
            self._move_chips(event)

    def _begin_round(self, number: int) -> None:
        if number:
            self.elapsed += self.clock
        self.round = number
        self.chips = self.left * self.plan.stack
        self.tables.clear()
        for player in self.stacks:
            self._has(player, self.plan.stack, self.elapsed)

    def _move_chips(self, event: TournamentEvent) -> None:
        """Chips are bought, a player sits down or is out."""
        player = event.player
        if event.kind in BUYS:
            self.chips += event.amount
            self._has(player, self.stacks[player] + event.amount, self.time)
        if event.kind in ("seated", "moved", "reentry"):
            self._leave(player)
            self._where[player] = event.table, event.seat
            self.tables.setdefault(event.table, {})[event.seat] = player
        elif event.kind == "out":
            self.left -= 1
            del self.stacks[player]
            self._leave(player)
            if self.plan.kind != "tables" and len(self.tables[event.table]) == 1:
                del self.tables[event.table]

    def _leave(self, player: int) -> None:
        table, seat = self._where.pop(player, (NOBODY, NOBODY))
        if self.tables.get(table, {}).get(seat) == player:
            del self.tables[table][seat]

    def _has(self, player: int, stack: int, time: int) -> None:
        self.stacks[player] = stack
        self.changes.append((time, player, stack))

    def _begin_hand(self, event: TournamentEvent) -> None:
        """A hand is over after its players' pace; hand-for-hand with the slowest of those that began with it."""
        self.hands = event.other + 1
        self.hands_at[event.table] += 1
        self._after[event.table] = {}
        until = self.clock + self.plan.pace[len(self.tables[event.table])]
        if self.held:
            self._together = max(self._together, until)
        else:
            heappush(self._ends, (until, event.table))

    def _close_hands(self) -> None:
        """Hands that are over leave their stacks."""
        over: list[int] = []
        while self._ends and self._ends[0][0] <= self.clock:
            over.append(heappop(self._ends)[1])
        if 0 < self._together <= self.clock:
            self._together = 0
            over += self._after
        for table in sorted(over):
            for player, stack in self._after.pop(table).items():
                self._has(player, stack, self.time)

    def look(self, *, seated: bool = False) -> Look:
        """How it stands when the hand that was seen last began."""
        stack = max(self.stacks.values())
        tables = self.tables.values() if seated else ()
        return Look(
            time=self.time,
            round=self.round,
            level=self.level,
            hand=self.hands - 1,
            left=self.left,
            tables=len(self.tables),
            chips=self.chips,
            leaders=tuple(player for player, has in self.stacks.items() if has == stack),
            stack=stack,
            seated=tuple((seat, one, self.stacks[one]) for table in tables for seat, one in sorted(table.items())),
        )

    def happening(self, event: TournamentEvent) -> Happening:
        """An event that was just seen."""
        hand, level = self.last.get(event.player, (self.hands, self.level))
        return Happening(event, self.time, self.round, level, hand, self.left, len(self.tables))


def story_of(scenario: Scenario, tournament: int, events: Sequence[TournamentEvent]) -> Story:
    """What the events of a tournament, number `tournament` of a scenario, amount to."""
    plan = plan_of(scenario)
    standing = Standing(plan)
    course: list[Happening | Look] = []
    final: Look | None = None
    levels: set[tuple[int, int]] = set()
    for event in events:
        standing.see(event)
        standing.changes.clear()
        if event.kind in _HAPPENINGS:
            course.append(standing.happening(event))
        elif event.kind == "hand":
            if (standing.round, standing.level) not in levels:
                levels.add((standing.round, standing.level))
                course.append(standing.look())
            if final is None and len(standing.tables) == 1 and plan.tables > 1 and _is_last_round(standing):
                final = standing.look(seated=True)
    names = names_of_copies(scenario, range(plan.field))
    players = tuple(_finishers(scenario, names, events, course))
    return Story(
        scenario,
        tournament,
        tuple(course),
        final,
        players,
        standing.hands,
        dict(standing.hands_at),
        standing.time,
        names,
    )


def _is_last_round(standing: Standing) -> bool:
    """Whether all who are left are at its tables."""
    return sum(map(len, standing.tables.values())) == standing.left


def _finishers(
    scenario: Scenario, names: Sequence[str], events: Sequence[TournamentEvent], course: Sequence[Happening | Look]
) -> Iterator[Finisher]:
    """All players in the order of their places; who shares one, who went out last first."""
    happened = [one for one in course if isinstance(one, Happening)]
    bought = Counter((one.event.kind, one.event.player) for one in happened)
    outs = {one.event.player: one for one in happened if one.event.kind == "out"}
    order = {player: place for place, player in enumerate(reversed(outs), start=1)}
    places = {event.player: (event.amount, event.other) for event in events if event.kind == "place"}
    prizes = {event.player: event.amount for event in events if event.kind == "prize"}
    owners = scenario.entrant_of_copy
    for player in sorted(places, key=lambda one: (places[one], order.get(one, 0), one)):
        yield Finisher(
            number=player,
            name=names[player],
            entrant=scenario.lineup[owners[player]].name,
            first=places[player][0],
            last=places[player][1],
            prize=prizes.get(player, 0),
            bought={kind: bought[kind, player] for kind in BUYS},
            out=outs.get(player),
        )


def prize_text(plan: Tournament, amount: int) -> str:
    """An amount of a tournament's money.

    >>> from decimal import Decimal
    >>> from types import SimpleNamespace
    >>> prize_text(SimpleNamespace(unit=Decimal("0.01")), 123456)
    '1,234.56'
    """
    return f"{amount * plan.unit:,f}"


def hand_text(story: Story, hand: int) -> str:
    """A hand of a tournament as its place is written: T:H."""
    return f"{story.tournament}:{hand}"
