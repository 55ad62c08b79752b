"""Hands of line-ups with strategies asked in rows, as they were played among the others of their groups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from razz_sim.batch.faults import NoSuchHand, Verdict
from razz_sim.batch.lockstep import Lockstep
from razz_sim.batch.loop import Loop
from razz_sim.batch.recording import Recording
from razz_sim.batch.replay import Recorded, Replayed, replay_recorded
from razz_sim.experiment import Scenario
from razz_sim.table.record import RAISED

_MOST_ANSWERS = 100_000
"""Of one hand that is shown."""
_MOST_HANDS = 32_768
"""Written down at once, of whole blocks: some 100 MB."""
_RAISED_SOMEHOW = "it raised an exception"


def recorded_hand(
    scenario: Scenario,
    seed: int,
    block: int,
    in_block: int,
    verdicts: Sequence[Verdict],
    index: int,
    group: int | None = None,
) -> Recorded:
    """A hand as it was played among the others of its group, with what went wrong in it in words."""
    lockstep = Lockstep(scenario, seed, verdicts, index, group)
    floats = lockstep.ready.memory.shape[1]
    one = Recording.of((block, block + 1), (in_block, in_block + 1), floats, rows=_MOST_ANSWERS, stay=True)
    lockstep.record(one)
    row = block % lockstep.size % len(lockstep.tables)
    table = lockstep.tables[row]
    if not one.kept["over"][0]:
        ended = "with an error" if table["forfeited"] else "fewer than two seats had chips"
        raise NoSuchHand(f"session {block} ended before its hand {in_block}: {ended}")
    if one.is_full:
        raise NoSuchHand(f"hand {in_block} of session {block} has more than {_MOST_ANSWERS} decisions")
    answers = one.log[: one.count, 1:]
    for place, (seat, answer) in enumerate(answers.tolist()):
        entrant = int(table["entrant_at"][seat])
        if answer == RAISED and entrant in lockstep.ready.python:
            one.reasons[place] = lockstep.error_of(entrant, row, int(table["copy_at"][seat]))
    for seat in range(scenario.seats):
        if table["untold"] >> seat & 1:
            one.untold[seat] = lockstep.why_not_told(row, seat, told_after=1)
    stacks = one.kept["before"][0, : scenario.seats]
    return _recorded(stacks, answers, one.reasons, one.untold, one.memory)


def _recorded(
    stacks: np.ndarray, answers: np.ndarray, reasons: dict[int, str], untold: dict[int, str], memory: np.ndarray
) -> Recorded:
    given = tuple((seat, answer) for seat, answer in answers.tolist())
    return Recorded(tuple(stacks.tolist()), given, reasons, untold, memory)


@dataclass(frozen=True, slots=True)
class KeptHand:
    """A hand that was played to its end: its record, the stacks before it, who sat where, whether a seat forfeited."""

    number: int
    record: np.void
    before: list[int]
    entrants: list[int]
    forfeited: bool


class Recorder:
    """Writes down all hands of a group at once, as often as another group is asked for."""

    def __init__(
        self, scenario: Scenario, seed: int, verdicts: Sequence[Verdict], index: int, pulse: np.ndarray
    ) -> None:
        self.scenario = scenario
        self._lockstep = Lockstep(scenario, seed, verdicts, index)
        self._pulse = pulse
        self._loop = Loop(scenario, seed, verdicts, index)
        self._step = max(1, _MOST_HANDS // scenario.block_hands)
        self._blocks = range(0)
        self._recording = Recording.of_nothing(0)
        self._starts = np.zeros(0, dtype=np.int64)

    def hand(self, number: int) -> KeptHand | None:
        """A hand by its number in the scenario; None when it was not played. Raises Stopped."""
        if (slot := self._slot(number)) is None:
            return None
        kept, seats = self._recording.kept[slot], self.scenario.seats
        before, entrants = kept["before"][:seats].tolist(), kept["entrant_at"][:seats].tolist()
        return KeptHand(number, self._recording.hands[slot], before, entrants, bool(kept["forfeited"]))

    def replayed(self, number: int) -> Replayed:
        """A hand that was played, event by event."""
        slot = self._slot(number)
        assert slot is not None
        answers = self._recording.log[self._starts[slot] : self._starts[slot + 1], 1:]
        reasons = {place: _RAISED_SOMEHOW for place, answer in enumerate(answers[:, 1]) if answer == RAISED}
        stacks = self._recording.kept["before"][slot, : self.scenario.seats]
        given = _recorded(stacks, answers, reasons, {}, self._recording.memory)
        return replay_recorded(self._loop, number, given)

    def _slot(self, number: int) -> int | None:
        block, in_block = divmod(number, self.scenario.block_hands)
        if block not in self._blocks:
            self._record(block)
        slot = (block - self._blocks.start) * self.scenario.block_hands + in_block
        return slot if self._recording.kept["over"][slot] else None

    def _record(self, block: int) -> None:
        """Write down the hands of this block and of those about it: of its group, or a part of that."""
        lockstep, hands = self._lockstep, self.scenario.block_hands
        group = block // lockstep.size * lockstep.size
        first = group + (block - group) // self._step * self._step
        stop = min(first + self._step, group + lockstep.size_at(group))
        rows = 0
        while True:
            found = Recording.of((first, stop), (0, hands), lockstep.ready.memory.shape[1], rows=rows)
            lockstep.record(found, self._pulse)
            if not found.is_full:
                break
            rows = found.count
        order = np.argsort(found.log[: found.count, 0], kind="stable")
        found.log[: found.count] = found.log[order]
        self._starts = np.searchsorted(found.log[: found.count, 0], np.arange(len(found.kept) + 1))
        self._blocks, self._recording = range(first, stop), found
