"""Groups of tables in lockstep, for line-ups with strategies that are asked in rows.

A group is always the same blocks, whatever batch asks for some of them: a model may answer a row a little differently
in other company, and results must not depend on how a run was cut. Bit-equal results therefore need the same library
on the same processor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from razz_sim.batch.faults import BrokenHand, Exhausted, Fault, Stopped, StrategyFault, Verdict, verdict_rows
from razz_sim.batch.loop import Counted, new_pulse, rows_of
from razz_sim.batch.ready import Ready
from razz_sim.batch.recording import Recording
from razz_sim.batch.replay import give_answer, python_error, raised
from razz_sim.batch.seen import seen_text
from razz_sim.experiment import ROW_TABLES, Batch, Scenario
from razz_sim.hand import Hand, IllegalAction
from razz_sim.hand.record import HAND, NOBODY
from razz_sim.outcome import OUTCOME
from razz_sim.strategy.in_python import WrongAnswer
from razz_sim.strategy.in_rows import no_answers
from razz_sim.strategy.weighing import weighed
from razz_sim.table.lockstep import W_FIRST, W_LOW, advance_tables, begin_tables, note_failed_observer
from razz_sim.table.record import (
    BROKEN,
    EXHAUSTED,
    FAULT,
    FORFEIT,
    IN_ROWS,
    JUDGED,
    OBSERVING,
    P_BLOCK,
    P_CALLS,
    P_COPY,
    P_DECISION,
    P_HAND,
    P_ROWS,
    P_SCENARIO,
    P_STOP,
    RAISED,
    STOP,
    STOPPED,
    TABLE,
)
from razz_sim.table.single import outcome_of_hand, random_word, view_of_hand
from razz_sim.tally import Totals, core_room, fine_room
from razz_sim.view import VIEW

Room = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Where totals go: rows of the core, of the table and of the entrants, and parts of fine totals likewise."""


_FRUITLESS = 1000
"""How many more calls than the rows that were saved by them may fail in a group, until none is made again in halves."""


@dataclass(frozen=True, slots=True)
class _Failure:
    """What a call failed with: the strategy's exception, or words."""

    error: BaseException | str
    filename: str = ""

    @property
    def reason(self) -> str:
        """It in words."""
        return self.error if isinstance(self.error, str) else raised(self.error, self.filename)

    @property
    def may_be_of_some_rows(self) -> bool:
        """Whether other rows of the call may be well: then that shows when they are asked for by themselves."""
        return not isinstance(self.error, str | WrongAnswer)


class Lockstep:
    """A scenario made ready to be played by groups of blocks; `index` is its place in its experiment.

    `group` is how many blocks are always played together, instead of what the scenario has: another group is another
    company for the rows of a model. The last group ends with the scenario. `asking` are the tables of the rows of the
    call that is being made, `recording` what is written down.
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
        tables = min(ROW_TABLES, self.size, scenario.blocks)
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
        self._own_views = [np.zeros(tables, dtype=VIEW) if players > 1 else None for _ in range(players)]
        self.words = np.zeros((players, tables), dtype=np.uint64)
        self.rows = np.zeros((players, tables), dtype=np.int64)
        self.waiting = np.zeros(players, dtype=np.int64)
        self.observes = np.array([player.observes for player in self.ready.arrays])
        told = tables * scenario.seats if self.observes.any() else 1
        self.outcomes = np.zeros((players, told), dtype=OUTCOME)
        self._own_outcomes = [np.zeros(told, dtype=OUTCOME) if players > 1 else None for _ in range(players)]
        self.told_rows = np.zeros((players, told), dtype=np.int64)
        self.telling = np.zeros(players, dtype=np.int64)
        self.recording = Recording.of_nothing(self.ready.memory.shape[1])
        self.asking = self.rows[:0, 0]
        self._first = self._calls = 0
        self._fruitless = np.zeros(players, dtype=np.int64)
        self._pulse = new_pulse()
        self._first_copies = [self._first_copy(player) for player in range(players)]
        self._rows = verdict_rows(verdicts, index)
        self._judged = {
            (one.block, one.hand, one.copy): one.reason
            for one in verdicts
            if one.scenario == index and one.decision == IN_ROWS
        }

    def _first_copy(self, player: int) -> int:
        """The copy that stands for a player where only one can be named."""
        return self.scenario.entrant_of_copy.index(self.ready.entrant_of_array[player])

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
        if any(batch.stop > self.scenario.blocks for batch in batches):
            raise ValueError(f"scenario {self.scenario.name!r} has {self.scenario.blocks} blocks, and no more")
        for number in sorted(groups):
            first = number * self.size
            size = self.size_at(first)
            bins = np.arange(first, first + size) // self.scenario.bin_size
            row_of = np.full(size, starts[-1], dtype=np.int64)
            part_of = np.full(size, len(batches), dtype=np.int64)
            for part, batch in enumerate(batches):
                there = slice(max(0, batch.first - first), max(0, batch.stop - first))
                part_of[there] = part
                row_of[there] = bins[there] - batch.first // self.scenario.bin_size + starts[part]
            self.play_group(first, row_of, part_of, room, pulse)
        return [
            Counted(
                batch,
                Totals.counted(
                    totals[starts[part] : starts[part + 1]],
                    entrants[starts[part] : starts[part + 1]],
                    fine_table[part],
                    fine_entrants[part],
                ),
            )
            for part, batch in enumerate(batches)
        ]

    def size_at(self, first: int) -> int:
        """How many blocks the group has that begins with a block: those that the scenario does not have are in none."""
        return min(self.size, self.scenario.blocks - first)

    def record(self, recording: Recording, pulse: np.ndarray | None = None) -> None:
        """Play the group that these hands are of, and write them down; errors in others end nothing. Raises Stopped.

        Where errors stop the run they forfeit instead, so that here too nothing is played of a block after one.
        """
        self.recording = recording
        setup, first = self.ready.setup, int(recording.watch[W_FIRST]) // self.size * self.size
        as_set = setup.copy()
        if setup["on_error"][0] == STOP:
            setup["on_error"] = FORFEIT
        only = np.zeros(self.size_at(first), dtype=np.int64)
        seated = len(self.scenario.lineup)
        try:
            room = *core_room(1, seated), *fine_room(1, seated)
            self.play_group(first, only, only, room, new_pulse() if pulse is None else pulse)
        finally:
            setup[:] = as_set

    def play_group(self, first: int, row_of: np.ndarray, part_of: np.ndarray, room: Room, pulse: np.ndarray) -> None:
        """Play the group that begins with block `first`: what each counts, and into which row and part of the room."""
        ready, recording = self.ready, self.recording
        self._first, self._calls, self._pulse = first, 0, pulse
        self._fruitless[:] = 0
        pulse[P_SCENARIO], pulse[P_COPY] = self.index, NOBODY
        tables = self.tables[: len(row_of)]
        begin_tables(tables, self._rows, first)
        while True:
            ended = advance_tables(
                ready.rules[0],
                ready.setup[0],
                tables,
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
                recording.watch,
                recording.log,
                recording.kept,
                recording.hands,
                recording.memory,
            )
            if ended == STOPPED:
                raise Stopped
            if ended == BROKEN:
                raise BrokenHand(f"chips are not conserved in scenario {self.scenario.name!r}, hand {self._number()}")
            if ended == FAULT:
                raise self._failure()
            if not self.waiting.any() and not self.telling.any():
                return
            if recording.stays and tables["over"][self._table_of(int(recording.watch[W_FIRST]))]:
                return
            for player in range(len(ready.arrays)):
                if count := int(self.telling[player]):
                    self._tell(player, count, row_of, room[1])
                if count := int(self.waiting[player]):
                    self._ask(player, count)

    def _table_of(self, block: int) -> int:
        """The table that plays a block of the group."""
        return (block - self._first) % min(len(self.tables), self.size_at(self._first))

    # Calls of strategies that are asked in rows

    def _ask(self, player: int, count: int) -> None:
        """Have a player decide for all tables that wait for it."""
        rows, views, words = self.rows[player, :count], self.views[player, :count], self.words[player, :count]
        decide, wrong = self.ready.arrays[player].decide, dict[int, str]()

        def ask(part: slice, memory: np.ndarray) -> None:
            answers = decide(_copied(views[part], self._own_views[player]), memory, words[part].copy())
            if found := no_answers(answers):
                wrong.update((part.start + place, reason) for place, reason in found.items())
                answers[list(found)] = 0
            self.answers[rows[part]] = answers

        for place, failure in self._failures(player, rows, views["seat"], ask):
            self._charge(int(rows[place]), int(views["seat"][place]), failure)
        for place, reason in wrong.items():
            self._charge(int(rows[place]), int(views["seat"][place]), _Failure(reason))

    def _charge(self, row: int, seat: int, failure: _Failure) -> None:
        """A seat's answer at a table is an error."""
        if self._stops(row, seat):
            raise self._stopped_by(row, seat, failure.reason)
        if self.recording.stays and self._is_watched(row, told_after=0):
            self.recording.reasons[self.recording.count] = failure.reason
        self.answers[row] = RAISED

    def _tell(self, player: int, count: int, row_of: np.ndarray, entrants: np.ndarray) -> None:
        """Show a player how hands ended."""
        rows, outcomes = self.told_rows[player, :count], self.outcomes[player, :count]
        observe = self.ready.arrays[player].observe

        def show(part: slice, memory: np.ndarray) -> None:
            observe(_copied(outcomes[part], self._own_outcomes[player]), memory)

        for place, failure in self._failures(player, rows, outcomes["seat"], show):
            row, seat = int(rows[place]), int(outcomes["seat"][place])
            if self._stops(row, seat):
                # the hand that is told of is over, and the next is counted already
                raise self._stopped_by(row, seat, failure.reason, told_after=1)
            if self.recording.stays and self._is_watched(row, told_after=1):
                self.recording.untold[seat] = failure.reason
            part = row_of[self.tables["block"][row] - self._first]
            note_failed_observer(self.ready.setup[0], self.tables[row], entrants[part], seat)

    def _failures(
        self, player: int, rows: np.ndarray, seats: np.ndarray, what: Callable[[slice, np.ndarray], None]
    ) -> Iterator[tuple[int, _Failure]]:
        """Call a player for these rows; the places of those it fails at, one after another, and why."""
        call = partial(self._call, player, rows, seats, what)
        whole = slice(0, len(rows))
        if (failure := call(whole)) is not None:
            yield from self._narrowed(player, call, whole, failure)

    def _narrowed(
        self, player: int, call: Callable[[slice], _Failure | None], part: slice, failure: _Failure
    ) -> Iterator[tuple[int, _Failure]]:
        """The places of the rows that a call failed for: it is made again for each half, and their halves.

        All of its rows, where none fails by itself, none may be asked for again, or almost every row has failed so far.
        """
        middle = (part.start + part.stop) // 2
        blamed = False
        self._fruitless[player] += 1
        if failure.may_be_of_some_rows and middle > part.start and self._fruitless[player] <= _FRUITLESS:
            for half in (slice(part.start, middle), slice(middle, part.stop)):
                if (inner := call(half)) is None:
                    self._fruitless[player] -= half.stop - half.start
                else:
                    blamed = True
                    yield from self._narrowed(player, call, half, inner)
        if not blamed:
            yield from ((place, failure) for place in range(part.start, part.stop))

    def _call(
        self,
        player: int,
        rows: np.ndarray,
        seats: np.ndarray,
        what: Callable[[slice, np.ndarray], None],
        part: slice,
    ) -> _Failure | None:
        """Call a player with the memory of the copies in a part of these seats; None, or why that failed."""
        if self._pulse[P_STOP]:
            raise Stopped
        copy, number = self._first_copies[player], self._calls
        self._calls += 1
        if (judged := self._judged.get((self._first, number, copy))) is not None:
            return _Failure(judged)
        self.asking = rows[part]
        memory, cells = self._memory(player, self.asking, seats[part])
        try:
            with _Calling(self._pulse, self._first, number, copy, len(self.asking)):
                weighed(what)(part, memory)
        except MemoryError:
            raise Exhausted(Verdict(self.index, self._first, number, copy, IN_ROWS, "it ran out of memory")) from None
        except BaseException as error:  # whatever it is, the strategy raised it: signals only set the pulse
            return _Failure(error, self.ready.arrays[player].source.filename)
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
        return self.ready.memory[cells].copy(), cells

    def _stops(self, row: int, seat: int) -> bool:
        """Whether an error of the strategy in a seat of a table ends the batch."""
        setup = self.ready.setup[0]
        return bool(setup["on_error"] == STOP or setup["stop_at"] == self.tables["entrant_at"][row, seat])

    def _is_watched(self, row: int, *, told_after: int) -> bool:
        """Whether a table plays the one hand that is written down, or did so many hands ago."""
        table, watch = self.tables[row], self.recording.watch
        return bool(table["block"] == watch[W_FIRST] and table["number"] - told_after == watch[W_LOW])

    # Errors

    def _number(self) -> int:
        """The hand that ended the loop, by its number in the scenario."""
        return self._number_at(self.recording.failed)

    def _number_at(self, row: int) -> int:
        table = self.tables[row]
        return int(table["block"]) * self.scenario.hand_numbers + int(table["number"])

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
            hand=number % self.scenario.hand_numbers,
            copy=int(table["copy_at"][seat]),
            seat=seat,
            street=int(self.hands["street"][row]),
            decision=int(table["asked"][seat]) if told_after is None else OBSERVING,
            reason=reason,
            seen="" if told_after is not None else seen_text(self.hands[row], self.scenario.stakes.money),
        )
        return StrategyFault(str(fault), fault)

    def _failure(self) -> Exception:
        """What ended the loop with FAULT: a strategy that is asked one decision at a time, or an illegal answer."""
        row = self.recording.failed
        table = self.tables[row]
        seat, decision = int(table["fault_seat"]), int(table["fault_decision"])
        if table["fault_answer"] == EXHAUSTED:
            place = int(table["block"]), int(table["number"]), int(table["copy_at"][seat]), decision
            return Exhausted(Verdict(self.index, *place, "it ran out of memory"))
        if decision == OBSERVING:
            return self._stopped_by(row, seat, self.why_not_told(row, seat), told_after=0)
        return self._stopped_by(row, seat, self._why_wrong(row, seat, int(table["fault_answer"])))

    def _why_wrong(self, row: int, seat: int, answer: int) -> str:
        """What was wrong with the answer that a table stands at."""
        table = self.tables[row]
        copy, decision = int(table["copy_at"][seat]), int(table["asked"][seat])
        if answer == JUDGED and (judged := self._verdict_on(row, copy, decision)) is not None:
            return judged
        if answer == RAISED:
            view_of_hand(self.hands[row], self.ready.view[0])
            word = int(
                random_word(
                    np.uint64(self.seed),
                    int(table["block"]),
                    int(table["table"]),
                    int(table["number"]) % self.scenario.session.hands,
                    copy,
                    decision,
                )
            )
            return self._why_raised(row, seat, self.ready.view, word)
        hand = Hand.at(self.scenario.rules, self.scenario.stakes, self.hands[row])
        try:
            give_answer(hand, answer)
        except IllegalAction as error:
            return str(error)
        raise AssertionError(f"answer {answer} of hand {self._number_at(row)} was an error and is none")

    def why_not_told(self, row: int, seat: int, told_after: int = 0) -> str:
        """Why a strategy that is asked one decision at a time failed when it was told how a table's hand ended."""
        table = self.tables[row]
        copy = int(table["copy_at"][seat])
        if (judged := self._verdict_on(row, copy, OBSERVING, told_after)) is not None:
            return judged
        before = table["before"].copy()
        outcome_of_hand(self.hands[row], before, seat, self.ready.view[0], self.ready.outcome[0])
        return self._why_raised(row, seat, self.ready.outcome, None)

    def _verdict_on(self, row: int, copy: int, decision: int, told_after: int = 0) -> str | None:
        """The reason of the verdict on a decision at a table."""
        table = self.tables[row]
        place = self.index, int(table["block"]), int(table["number"]) - told_after, copy, decision
        for one in self.verdicts:
            if (one.scenario, one.block, one.hand, one.copy, one.decision) == place:
                return one.reason
        return None

    def _why_raised(self, row: int, seat: int, seen: np.ndarray, word: int | None) -> str:
        """The exception of a strategy that is asked one decision at a time, in words."""
        table = self.tables[row]
        entrant, copy = int(table["entrant_at"][seat]), int(table["copy_at"][seat])
        if entrant in self.ready.python:
            return self.error_of(entrant, row, copy)
        memory = self.ready.memory_of(copy, row).copy()
        return python_error(self.scenario.lineup[entrant], seen, memory, word)

    def error_of(self, entrant: int, row: int, copy: int) -> str:
        """The last exception of a copy in plain Python at a table, in words."""
        players = self.ready.python[entrant]
        return raised(
            players.error_of(self.ready.memory_of(copy, row)), self.scenario.lineup[entrant].strategy.filename
        )


def _copied(records: np.ndarray, room: np.ndarray | None) -> np.ndarray:
    """Records copied into the front of a player's own room, byte by byte: NumPy copies them field by field.

    Where nobody else is asked in rows there is nobody to keep them from: they are given as they are.
    """
    if room is None:
        return records
    own: np.ndarray = room[: len(records)]
    own.view(np.uint8)[:] = records.view(np.uint8)
    return own


class _Calling:
    """While a strategy is being asked in rows the pulse says so, and NumPy warns of what it always warns of."""

    def __init__(self, pulse: np.ndarray, first: int, call: int, copy: int, rows: int) -> None:
        self.pulse = pulse
        pulse[P_BLOCK], pulse[P_HAND], pulse[P_DECISION], pulse[P_ROWS] = first, call, IN_ROWS, rows
        pulse[P_CALLS] += 1
        self.copy = copy
        self.floats = np.errstate(divide="warn", over="warn", under="ignore", invalid="warn")

    def __enter__(self) -> None:
        self.floats.__enter__()
        self.pulse[P_COPY] = self.copy

    def __exit__(self, *error: Any) -> None:
        self.pulse[P_COPY] = NOBODY
        self.floats.__exit__(*error)
