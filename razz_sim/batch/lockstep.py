"""Groups of tables in lockstep, for line-ups with strategies that are asked in rows.

A group is always the same blocks, whatever batch asks for some of them: a model may answer a row a little differently
in other company, and results must not depend on how a run was cut. Bit-equal results therefore need the same library
on the same processor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from razz_sim.batch.faults import (
    BrokenHand,
    Exhausted,
    Fault,
    NoSuchHand,
    Stopped,
    StrategyFault,
    Verdict,
    verdict_rows,
)
from razz_sim.batch.loop import Counted, new_pulse, rows_of
from razz_sim.batch.ready import Ready
from razz_sim.batch.replay import Recorded, raised, replay_hand
from razz_sim.experiment import ROW_TABLES, Batch, Scenario
from razz_sim.hand.record import HAND, NOBODY
from razz_sim.outcome import OUTCOME
from razz_sim.table.lockstep import LOG_COLUMNS, advance_tables, begin_tables, note_failed_observer
from razz_sim.table.record import (
    BROKEN,
    EXHAUSTED,
    FAULT,
    IN_ROWS,
    OBSERVING,
    P_BLOCK,
    P_CALLS,
    P_COPY,
    P_DECISION,
    P_HAND,
    P_ROWS,
    P_SCENARIO,
    RAISED,
    STOPPED,
    TABLE,
)
from razz_sim.tally import Totals, core_room, fine_room
from razz_sim.view import VIEW

_LOG_ROWS = 100_000
Room = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Where totals go: rows of the core, of the table and of the entrants, and parts of fine totals likewise."""


class Lockstep:
    """A scenario made ready to be played by groups of blocks; `index` is its place in its experiment.

    `group` is how many blocks are always played together, instead of what the scenario has: another group is another
    company for the rows of a model.
    """

    def __init__(
        self,
        scenario: Scenario,
        seed: int,
        verdicts: Sequence[Verdict] = (),
        index: int = 0,
        group: int | None = None,
    ) -> None:
        self.scenario, self.seed, self.index, self.verdicts = scenario, seed, index, verdicts
        self.size = group or scenario.group
        tables = min(ROW_TABLES, self.size)
        self.ready = Ready(scenario, seed, tables)
        self.hands = np.zeros(tables, dtype=HAND)
        self.hands["seats"] = scenario.seats
        self.hands["rake_taken"] = -1
        self.tables = np.zeros(tables, dtype=TABLE)
        row_bytes = self.ready.memory.strides[0]
        self.tables["memory"] = self.ready.memory.ctypes.data + row_bytes * np.arange(tables)
        players = len(self.ready.arrays)
        self.answers = np.zeros(tables, dtype=np.int64)
        self.views = np.zeros((players, tables), dtype=VIEW)
        self.words = np.zeros((players, tables), dtype=np.uint64)
        self.rows = np.zeros((players, tables), dtype=np.int64)
        self.waiting = np.zeros(players, dtype=np.int64)
        self.observes = np.array([player.observes for player in self.ready.arrays])
        told = tables * scenario.seats if self.observes.any() else 1
        self.outcomes = np.zeros((players, told), dtype=OUTCOME)
        self.told_rows = np.zeros((players, told), dtype=np.int64)
        self.telling = np.zeros(players, dtype=np.int64)
        self.watch = np.array([NOBODY, 0, 0, 0], dtype=np.int64)
        self.log = np.zeros((scenario.seats, LOG_COLUMNS), dtype=np.int64)
        self.reasons: dict[int, str] = {}
        self._first_copies = [self._first_copy(player) for player in range(players)]
        self._rows = verdict_rows(verdicts, index)
        self._judged = {
            (one.block, one.hand, one.copy): one.reason
            for one in verdicts
            if one.scenario == index and one.decision == IN_ROWS
        }

    def _first_copy(self, player: int) -> int:
        """The copy that stands for a player where only one can be named."""
        played = [
            entrant
            for entrant, who in enumerate(self.scenario.lineup)
            if who.strategy.kind == "array" and self.ready.setup["players"][0, entrant] == player
        ]
        return self.scenario.entrant_of_copy.index(played[0])

    def play_all(self, batches: Sequence[Batch], pulse: np.ndarray | None = None) -> list[Counted]:
        """Play batches, their groups whole; StrategyFault, Exhausted, BrokenHand, or Stopped once `pulse[0]` is set."""
        pulse = new_pulse() if pulse is None else pulse
        rows = [rows_of(self.scenario, batch) for batch in batches]
        starts = np.cumsum([0, *rows])
        totals, entrants = core_room(int(starts[-1]) + 1, len(self.scenario.lineup))
        fine_table, fine_entrants = fine_room(len(batches) + 1, len(self.scenario.lineup))
        room = totals, entrants, fine_table, fine_entrants
        groups = {
            number for batch in batches for number in range(batch.first // self.size, -(-batch.stop // self.size))
        }
        for number in sorted(groups):
            first = number * self.size
            bins = np.arange(first, first + self.size) // self.scenario.bin_size
            row_of = np.full(self.size, starts[-1], dtype=np.int64)
            part_of = np.full(self.size, len(batches), dtype=np.int64)
            for part, batch in enumerate(batches):
                there = slice(max(0, batch.first - first), max(0, batch.stop - first))
                part_of[there] = part
                row_of[there] = bins[there] - batch.first // self.scenario.bin_size + starts[part]
            self.play_group(first, row_of, part_of, room, pulse)
        return [
            Counted(
                batch,
                Totals(
                    totals[starts[part] : starts[part + 1]],
                    entrants[starts[part] : starts[part + 1]],
                    fine_table[part],
                    fine_entrants[part],
                ),
            )
            for part, batch in enumerate(batches)
        ]

    def play_group(self, first: int, row_of: np.ndarray, part_of: np.ndarray, room: Room, pulse: np.ndarray) -> None:
        """Play the group that begins with block `first`: what each counts, and into which row and part of the room."""
        ready = self.ready
        pulse[P_SCENARIO], pulse[P_COPY] = self.index, NOBODY
        begin_tables(ready.setup[0], self.tables, ready.memory, self._rows, first, self.scenario.seats)
        calls = 0
        while True:
            ended = advance_tables(
                ready.rules[0],
                ready.setup[0],
                self.tables,
                self.hands,
                ready.view[0],
                ready.outcome[0],
                ready.memory,
                self._rows,
                pulse,
                first,
                row_of,
                part_of,
                *room,
                self.answers,
                self.views,
                self.words,
                self.rows,
                self.waiting,
                self.outcomes,
                self.told_rows,
                self.telling,
                self.observes,
                self.watch,
                self.log,
            )
            ready.check_params()
            if ended == STOPPED:
                raise Stopped
            if ended == BROKEN:
                raise BrokenHand(f"chips are not conserved in scenario {self.scenario.name!r}, hand {self._number()}")
            if ended == FAULT:
                raise self._failure() if self.watch[0] == NOBODY else StrategyFault("in a group that is recorded")
            if not self.waiting.any() and not self.telling.any():
                return
            if self.watch[2] and self._has_seen(first):
                return
            for player in range(len(ready.arrays)):
                if count := int(self.telling[player]):
                    self._tell(player, count, first, calls, row_of, room[1], pulse)
                    calls += 1
                if count := int(self.waiting[player]):
                    self._ask(player, count, first, calls, pulse)
                    calls += 1

    def _ask(self, player: int, count: int, first: int, call: int, pulse: np.ndarray) -> None:
        """Have a player decide for all tables that wait for it."""
        rows, views = self.rows[player, :count], self.views[player, :count]
        words, decide = self.words[player, :count], self.ready.arrays[player].decide

        def ask(memory: np.ndarray) -> None:
            self.answers[rows] = decide(views, memory, words)

        reason = self._call(player, rows, views["seat"], first, call, pulse, ask)
        if reason is None:
            return
        if (place := self._stops(rows, views["seat"])) is not None:
            raise self._stopped_by(int(rows[place]), int(views["seat"][place]), reason)
        if self._is_watched(rows):
            self.reasons[int(self.watch[2])] = reason
        self.answers[rows] = RAISED

    def _tell(
        self,
        player: int,
        count: int,
        first: int,
        call: int,
        row_of: np.ndarray,
        entrants: np.ndarray,
        pulse: np.ndarray,
    ) -> None:
        """Show a player how hands ended."""
        rows, outcomes = self.told_rows[player, :count], self.outcomes[player, :count]
        observe = self.ready.arrays[player].observe
        reason = self._call(
            player, rows, outcomes["seat"], first, call, pulse, lambda memory: observe(outcomes, memory)
        )
        if reason is None:
            return
        if (place := self._stops(rows, outcomes["seat"])) is not None:
            # the hand that is told of is over, and the next is counted already
            raise self._stopped_by(int(rows[place]), int(outcomes["seat"][place]), reason, told_after=1)
        for row, seat in zip(rows, outcomes["seat"], strict=True):
            part = row_of[self.tables["block"][row] - first]
            note_failed_observer(self.ready.setup[0], self.tables[row], entrants[part], int(seat))

    def _call(
        self,
        player: int,
        rows: np.ndarray,
        seats: np.ndarray,
        first: int,
        call: int,
        pulse: np.ndarray,
        what: Callable[[np.ndarray], None],
    ) -> str | None:
        """Call a player with the memory of the copies in these seats of these tables; None, or why that failed."""
        copy = self._first_copies[player]
        if (judged := self._judged.get((first, call, copy))) is not None:
            return judged
        memory, cells = self._memory(player, rows, seats)
        try:
            with _Calling(pulse, first, call, copy, len(rows)):
                what(memory)
        except MemoryError:
            raise Exhausted(Verdict(self.index, first, call, copy, IN_ROWS, "it ran out of memory")) from None
        except Exception as error:
            return raised(error, self.ready.arrays[player].source.filename)
        if cells is not None:
            self.ready.memory[cells] = memory
        return None

    def _memory(self, player: int, rows: np.ndarray, seats: np.ndarray) -> tuple[np.ndarray, Any]:
        """The memory of the copies in these seats of these tables, a row each, and where it is to go back to."""
        floats = self.ready.arrays[player].source.memory
        if not floats:
            return np.zeros((len(rows), 0)), None
        copies = self.tables["copy_at"][rows, seats]
        cells = rows[:, None], self.ready.starts[copies][:, None] + np.arange(floats)
        return self.ready.memory[cells], cells

    def _stops(self, rows: np.ndarray, seats: np.ndarray) -> int | None:
        """Which of the rows that failed together ends the batch, if any."""
        if self.scenario.on_error == "stop":
            return 0
        entrants = self.tables["entrant_at"][rows, seats]
        found = np.flatnonzero(entrants == self.ready.setup["stop_at"][0])
        return int(found[0]) if len(found) else None

    def _is_watched(self, rows: np.ndarray) -> bool:
        """Whether the hand whose answers are written down is among those of these tables."""
        tables = self.tables[rows]
        return bool(((tables["block"] == self.watch[0]) & (tables["number"] == self.watch[1])).any())

    def _has_seen(self, first: int) -> bool:
        """Whether the hand whose answers are written down is over."""
        return bool(self.tables["over"][(self.watch[0] - first) % len(self.tables)])

    def _number(self) -> int:
        """The hand that ended the loop, by its number in the scenario."""
        return self._number_at(int(self.watch[3]))

    def _number_at(self, row: int) -> int:
        table = self.tables[row]
        return int(table["block"]) * self.scenario.session.hands + int(table["number"])

    def _stopped_by(self, row: int, seat: int, reason: str, *, told_after: int | None = None) -> StrategyFault:
        """An error of the strategy in a seat of a table: when it was asked, or told of a hand so many hands later."""
        table = self.tables[row]
        who = self.scenario.lineup[int(table["entrant_at"][seat])]
        number = self._number_at(row) - (told_after or 0)
        fault = Fault(
            entrant=who.name,
            spec=who.strategy.spec,
            scenario=self.scenario.name,
            number=number,
            block=int(table["block"]),
            hand=number % self.scenario.session.hands,
            copy=int(table["copy_at"][seat]),
            seat=seat,
            street=int(self.hands["street"][row]),
            decision=int(table["asked"][seat]) if told_after is None else OBSERVING,
            reason=reason,
        )
        return StrategyFault(str(fault), fault)

    def _failure(self) -> Exception:
        """What ended the loop with FAULT: a strategy that is asked one decision at a time, or an illegal answer."""
        row = int(self.watch[3])
        table = self.tables[row]
        seat, decision = int(table["fault_seat"]), int(table["fault_decision"])
        copy = int(table["copy_at"][seat])
        if table["fault_answer"] == EXHAUSTED:
            place = int(table["block"]), int(table["number"]), copy, decision
            return Exhausted(Verdict(self.index, *place, "it ran out of memory"))
        if decision == OBSERVING:
            return self._stopped_by(row, seat, self._why_not_told(row, seat), told_after=0)
        for fault in replay_hand(self.scenario, self.seed, self._number(), self.verdicts, self.index).faults:
            if fault.copy == copy:
                return StrategyFault(str(fault), fault)
        raise AssertionError(f"hand {self._number()} failed in lockstep and does not when it is played again")

    def _why_not_told(self, row: int, seat: int) -> str:
        """Why a strategy that is asked one decision at a time failed when it was told how a hand ended."""
        table = self.tables[row]
        entrant = int(table["entrant_at"][seat])
        if entrant in self.ready.python:
            return self.error_of(entrant, row, int(table["copy_at"][seat]))
        return "it raised an exception in machine code"

    def error_of(self, entrant: int, row: int, copy: int) -> str:
        """The last exception of a copy in plain Python at a table, in words."""
        players = self.ready.python[entrant]
        return raised(
            players.error_of(self.ready.memory_of(copy, row)), self.scenario.lineup[entrant].strategy.filename
        )


class _Calling:
    """While a strategy is being asked in rows the pulse says so."""

    def __init__(self, pulse: np.ndarray, first: int, call: int, copy: int, rows: int) -> None:
        self.pulse = pulse
        pulse[P_BLOCK], pulse[P_HAND], pulse[P_DECISION], pulse[P_ROWS] = first, call, IN_ROWS, rows
        pulse[P_CALLS] += 1
        self.copy = copy

    def __enter__(self) -> None:
        self.pulse[P_COPY] = self.copy

    def __exit__(self, *error: object) -> None:
        self.pulse[P_COPY] = NOBODY


def recorded_hand(
    scenario: Scenario, seed: int, block: int, in_block: int, verdicts: Sequence[Verdict], index: int
) -> Recorded:
    """A hand as it was played among the others of its group."""
    lockstep = Lockstep(scenario, seed, verdicts, index)
    first = block // lockstep.size * lockstep.size
    lockstep.watch[:3] = block, in_block, 0
    lockstep.log = np.zeros((_LOG_ROWS, LOG_COLUMNS), dtype=np.int64)
    room = (*core_room(1, len(scenario.lineup)), *fine_room(1, len(scenario.lineup)))
    only = np.zeros(lockstep.size, dtype=np.int64)
    with suppress(StrategyFault):  # the hand that failed is told of by its replay
        lockstep.play_group(first, only, only, room, new_pulse())
    count = int(lockstep.watch[2])
    if not count:
        raise NoSuchHand(f"session {block} ended before its hand {in_block}")
    if count > _LOG_ROWS:
        raise NoSuchHand(f"hand {in_block} of session {block} has more than {_LOG_ROWS} decisions")
    stacks = tuple(int(chips) for chips in lockstep.log[: scenario.seats, 2])
    answers = tuple((int(seat), int(answer)) for seat, answer in lockstep.log[:count, :2])
    row = (block - first) % len(lockstep.tables)
    for place, (seat, answer) in enumerate(answers):
        entrant = int(lockstep.tables["entrant_at"][row, seat])
        if answer == RAISED and entrant in lockstep.ready.python:
            lockstep.reasons[place] = lockstep.error_of(entrant, row, int(lockstep.tables["copy_at"][row, seat]))
    return Recorded(stacks, answers, dict(lockstep.reasons), lockstep.ready.memory[row].copy())
