"""The fused loop at work: one table, batch after batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType

import numpy as np

from razz_sim.batch.faults import BrokenHand, Exhausted, Stopped, StrategyFault, Verdict, verdict_rows
from razz_sim.batch.ready import Ready
from razz_sim.experiment import Batch, Scenario
from razz_sim.hand.record import NOBODY, new_hand
from razz_sim.table.record import BROKEN, EXHAUSTED, FAULT, FINISHED, P_COPY, P_SCENARIO, PULSE_FIELDS, STOPPED, TABLE
from razz_sim.tally import Tally, Totals, core_room, fine_room


@dataclass(frozen=True, slots=True)
class Counted:
    """What a batch counted."""

    batch: Batch
    totals: Totals

    @property
    def table(self) -> np.ndarray:
        """The table's core totals over all its bins."""
        added: np.ndarray = self.totals.table.sum(axis=0)
        return added

    @property
    def entrants(self) -> np.ndarray:
        """Each entrant's core totals over all its bins."""
        added: np.ndarray = self.totals.entrants.sum(axis=0)
        return added

    def add_to(self, tally: Tally) -> None:
        """Add it to its scenario's totals."""
        tally.add(self.batch.bin, self.totals)


def new_pulse() -> np.ndarray:
    """Where a loop tells how far it is, when nobody else gives it one."""
    return np.zeros(len(PULSE_FIELDS), dtype=np.int64)


@cache
def compiled_loop() -> ModuleType:
    """The loop in machine code, imported when something is to be played: a hand that is looked at does without."""
    from razz_sim.table import fused

    return fused


class Loop:
    """A scenario made ready for the fused loop, to play any of its batches one after another.

    `index` is the scenario's in its experiment: what verdicts and the pulse name it by.
    """

    def __init__(self, scenario: Scenario, seed: int, verdicts: Sequence[Verdict] = (), index: int = 0) -> None:
        self.scenario, self.seed, self.index = scenario, seed, index
        self.verdicts = verdicts
        self.ready = Ready(scenario, seed)
        self.hand = new_hand(scenario.seats)
        self.table = np.zeros(1, dtype=TABLE)
        self.table["memory"] = self.ready.memory.ctypes.data
        self._rows = verdict_rows(verdicts, index)
        self._room: tuple[np.ndarray, np.ndarray] | None = None

    def play(self, batch: Batch, pulse: np.ndarray | None = None) -> Counted:
        """Play a batch's blocks; StrategyFault, Exhausted, BrokenHand, or Stopped once `pulse[0]` is not 0."""
        totals = Totals.nothing(
            rows_of(self.scenario, batch), len(self.scenario.lineup), tournament=self.scenario.tournament is not None
        )
        ended = self.count(batch, new_pulse() if pulse is None else pulse, totals)
        if ended == STOPPED:
            raise Stopped
        if ended == BROKEN:
            raise BrokenHand(f"chips are not conserved in scenario {self.scenario.name!r}, hand {self.number}")
        if ended == FAULT:
            raise self.failure()
        if ended != FINISHED:
            raise self.undecided()
        return Counted(batch, totals)

    def count(self, batch: Batch, pulse: np.ndarray, totals: Totals) -> int:
        """Play a batch's blocks into totals; how it ended."""
        fine = totals.fine_table, totals.fine_entrants
        return self.run(batch.first, batch.stop, pulse, totals.table, totals.entrants, fine=fine)

    def undecided(self) -> Exception:
        """What ended the loop in a way that only tournaments know."""
        raise NotImplementedError

    def play_all(self, batches: Sequence[Batch], pulse: np.ndarray | None = None) -> list[Counted]:
        """Play batches one after another; raises what `play` does."""
        return [self.play(batch, pulse) for batch in batches]

    def room(self, rows: int) -> tuple[np.ndarray, np.ndarray]:
        """So many rows of core totals, of the table and of the entrants, with nothing counted."""
        return core_room(rows, len(self.scenario.lineup))

    def run(
        self,
        first: int,
        stop: int,
        pulse: np.ndarray,
        totals: np.ndarray,
        entrants: np.ndarray,
        *,
        apart: int = 0,
        fine: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> int:
        """The compiled loop over a range of blocks; how it ended.

        With `apart` so many hands go into each row of the totals, else those of each bin. Fine totals that are not
        asked for are counted into a spare room.
        """
        ready = self.ready
        self.table["net"] = self.table["luck"] = 0
        fine_table, fine_entrants = self._spare() if fine is None else fine
        pulse[P_SCENARIO] = self.index
        pulse[P_COPY] = NOBODY
        ended: int = compiled_loop().play_hands(
            ready.rules[0],
            ready.setup[0],
            self.table[0],
            self.hand[0],
            ready.view[0],
            ready.outcome[0],
            ready.memory[0],
            self._rows,
            first,
            stop,
            self.scenario.bin_size,
            apart,
            pulse,
            totals,
            entrants,
            fine_table,
            fine_entrants,
        )
        return ended

    def _spare(self) -> tuple[np.ndarray, np.ndarray]:
        if self._room is None:
            self._room = fine_room(1, len(self.scenario.lineup))
        return self._room[0][0], self._room[1][0]

    @property
    def number(self) -> int:
        """The hand that was played last, by its number in the scenario."""
        return int(self.table["block"][0]) * self.scenario.hand_numbers + int(self.table["number"][0])

    def failure(self) -> Exception:
        """What ended the loop with FAULT."""
        table = self.table[0]
        seat = int(table["fault_seat"])
        copy = int(table["copy_at"][seat])
        if table["fault_answer"] == EXHAUSTED:
            place = int(table["block"]), int(table["number"]), copy, int(table["fault_decision"])
            return Exhausted(Verdict(self.index, *place, "it ran out of memory"))
        from razz_sim.batch.replay import replay_hand

        for fault in replay_hand(self.scenario, self.seed, self.number, self.verdicts, self.index).faults:
            if fault.copy == copy:
                return StrategyFault(str(fault), fault)
        entrant = self.scenario.lineup[self.scenario.entrant_of_copy[copy]]
        return StrategyFault(
            f"entrant {entrant.name!r} (strategy {entrant.strategy.spec}) failed in scenario {self.scenario.name!r}, "
            f"hand {self.number}, and does not when that hand is played again: its answers depend on something else "
            "than what it is given"
        )


def rows_of(scenario: Scenario, batch: Batch) -> int:
    """How many bins a batch has blocks of."""
    return (batch.stop - 1) // scenario.bin_size - batch.first // scenario.bin_size + 1


def play_batch(scenario: Scenario, seed: int, batch: Batch) -> Counted:
    """Play one batch: a pure function of its arguments. Raises StrategyFault, Exhausted or BrokenHand."""
    from razz_sim.batch.playing import play_batches

    return play_batches(scenario, seed, [batch])[0]
