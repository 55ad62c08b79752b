"""Finding the hands of a run that meet a condition, by looking closely only at those that may.

First the totals of whole bins, where the run has them, say which bins hold no such hand. The hands of the others are
played by the compiled loop, each counted by itself: microseconds a hand. Those whose counts do not rule them out are
played again one by one and looked at in the loop's own record; and what meets the condition is replayed event by event.
Where strategies are asked in rows a whole group of hands is played and written down at once: then each is looked at.
Tournaments are played whole (see `tournament_search`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from razz_sim.batch import Loop, NoSuchHand, Replayed, Stopped, Verdict, new_pulse, replay_hand
from razz_sim.experiment import BlockRange, Scenario
from razz_sim.history.bounds import Counted
from razz_sim.history.conditions import Condition, facts, facts_of_record
from razz_sim.table.record import FINISHED, P_STOP
from razz_sim.tally import TABLE_COLUMNS, Tally

_HANDS = TABLE_COLUMNS.index("hands")

FIRST_PIECE, LARGEST_PIECE = 512, 16_384
"""Hands that are played and judged at once: few at first, in case what is looked for is found soon."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A scenario of a run, the blocks of it that the run has, and what its hands are to meet.

    `verdicts` are the run's, `index` the scenario's in it. `tally` holds the totals of these blocks, where all of them
    were played: then bins in which no hand can meet the condition are passed over.
    """

    scenario: Scenario
    seed: int
    condition: Condition
    blocks: BlockRange
    verdicts: Sequence[Verdict] = ()
    index: int = 0
    tally: Tally | None = None


class Search:
    """The hands that meet a condition, in their order; each is replayed.

    `looked_at` counts the hands so far, also those that were ruled out; `tell` is called as it rises. A hand that an
    error ended meets no condition. ConditionError for a condition that cannot be decided.
    """

    def __init__(self, sought: Sought) -> None:
        self.sought = sought
        self.tell: Callable[[], object] = lambda: None
        self._size = FIRST_PIECE
        self._pulse = new_pulse()
        self.looked_at = 0
        sought.condition.check_entrants([entrant.name for entrant in sought.scenario.lineup])
        if sought.scenario.tournament is None:
            sought.condition.check_single_hands(sought.scenario.name)

    @property
    def hands(self) -> int:
        """How many hands there are to look at."""
        first, stop = self.sought.blocks
        return (stop - first) * self.sought.scenario.block_hands

    def stop(self) -> None:
        """End the search with the hand that is being played, also while a strategy is asked."""
        self._pulse[P_STOP] = 1

    @property
    def stopped(self) -> bool:
        """Whether it was told to stop."""
        return bool(self._pulse[P_STOP])

    def __iter__(self) -> Iterator[Replayed]:
        if self.sought.scenario.tournament is not None:
            yield from self._in_tournaments()
        else:
            yield from self._in_groups() if self.sought.scenario.asks_in_rows else self._one_by_one()
        if not self.stopped:
            self._look_to(self.sought.blocks[1] * self.sought.scenario.block_hands)

    def _one_by_one(self) -> Iterator[Replayed]:
        """The hands found where each can be played by itself."""
        for number, certain in self._candidates():
            if self.stopped:
                return
            self._look_to(number)
            if (certain or self._may_meet(number)) and (replayed := self._replayed(number)) is not None:
                yield replayed

    def _in_groups(self) -> Iterator[Replayed]:
        """The hands found where whole groups are played at once."""
        from razz_sim.batch.recorded import Recorder  # compiled when a first line-up needs it

        sought, hands = self.sought, self.sought.scenario.block_hands
        recorder = Recorder(sought.scenario, sought.seed, sought.verdicts, sought.index, self._pulse)
        for first, stop in self._possible_blocks():
            for number in range(first * hands, stop * hands):
                if self.stopped:
                    return
                self._look_to(number)
                try:
                    kept = recorder.hand(number)
                except Stopped:
                    return
                if kept is None:
                    continue
                if kept.forfeited or self._holds_by_record(kept.record, kept.before, kept.entrants, number):
                    replayed = recorder.replayed(number)
                    if self._meets(replayed):
                        yield replayed

    def _in_tournaments(self) -> Iterator[Replayed]:
        """The hands found in whole tournaments: by their events first, those that these do not rule out replayed."""
        from razz_sim.history.tournament_search import TournamentSearch  # compiled when a first tournament needs it

        sought = self.sought
        search = TournamentSearch(sought.scenario, sought.seed, sought.verdicts, sought.index, sought.condition)
        for block in range(*sought.blocks):
            for hand in search.candidates(block):
                self._look_to(block * sought.scenario.block_hands + min(hand, sought.scenario.block_hands))
                if self.stopped:
                    return
                if (replayed := search.replayed(block, hand)) is not None:
                    yield replayed
            if self.stopped:
                return
            self._look_to((block + 1) * sought.scenario.block_hands)

    def _look_to(self, number: int) -> None:
        """All hands before this one were looked at."""
        self.looked_at = number - self.sought.blocks[0] * self.sought.scenario.block_hands
        self.tell()

    def _candidates(self) -> Iterator[tuple[int, bool]]:
        """The numbers of hands that may meet the condition, and whether to replay them without another look."""
        hands = self.sought.scenario.block_hands
        for first, stop in self._possible_blocks():
            while first < stop and not self.stopped:
                self._look_to(first * hands)
                end = min(stop, first + max(1, self._size // hands))
                first = yield from self._in_piece(first, end)
                self._size = min(2 * self._size, LARGEST_PIECE)

    def _possible_blocks(self) -> Iterator[BlockRange]:
        """The blocks in bins whose totals do not rule out that a hand of them meets the condition."""
        scenario, tally, (first, stop) = self.sought.scenario, self.sought.tally, self.sought.blocks
        if tally is None:
            yield first, stop
            return
        size, hands = scenario.bin_size, scenario.block_hands
        firsts = np.arange(len(tally.table)) * (size * hands)
        counted = Counted(scenario, tally.table, tally.entrants, firsts, size * hands)
        for number in np.flatnonzero(counted.verdicts(self.sought.condition).possible).tolist():
            low, high = max(first, number * size), min(stop, (number + 1) * size)
            if low < high:
                yield low, high

    def _in_piece(self, first: int, stop: int) -> Generator[tuple[int, bool], None, int]:
        """Play some blocks, each hand counted by itself, for the candidates among them; the block to go on with.

        From an error that ends the loop on nothing is known of a block's hands: they are replayed as they are.
        """
        scenario, loop = self.sought.scenario, self._loop
        hands = scenario.block_hands
        apart = -(-hands // LARGEST_PIECE)  # but in huge sessions, a few hands together
        totals, entrants = loop.room(-(-(stop - first) * hands // apart))
        ended = loop.run(first, stop, self._pulse, totals, entrants, apart=apart)
        if ended != FINISHED:
            stop = int(loop.table["block"][0]) + 1
        known_to = stop * hands if ended == FINISHED else loop.number
        numbers = first * hands + np.arange(len(totals)) * apart
        verdicts = Counted(scenario, totals, entrants, numbers, apart).verdicts(self.sought.condition)
        for row in np.flatnonzero(verdicts.possible).tolist():
            low = int(numbers[row])
            certain = bool(verdicts.certain[row])
            yield from ((number, certain) for number in range(low, min(low + apart, known_to)))
        yield from ((number, True) for number in range(known_to, stop * hands))
        return stop

    @cached_property
    def _loop(self) -> Loop:
        return Loop(self.sought.scenario, self.sought.seed, self.sought.verdicts, self.sought.index)

    def _may_meet(self, number: int) -> bool:
        """Whether a hand meets the condition by the record that the loop leaves of it; yes where that does not tell."""
        scenario, loop = self.sought.scenario, self._loop
        block, in_block = divmod(number, scenario.block_hands)
        loop.ready.setup["hands"] = in_block + 1
        totals, entrants = loop.room(1)
        ended = loop.run(block, block + 1, self._pulse, totals, entrants)
        loop.ready.setup["hands"] = scenario.block_hands
        table = loop.table[0]
        if ended != FINISHED or table["forfeited"] or totals[0, _HANDS] != in_block + 1:
            return True
        before, entrants = (table[field][: scenario.seats].tolist() for field in ("before", "entrant_at"))
        return self._holds_by_record(loop.hand[0], before, entrants, number)

    def _holds_by_record(self, record: np.void, before: list[int], entrants: list[int], number: int) -> bool:
        """Whether the condition holds by the record of a hand that is over; yes where that does not tell."""
        scenario = self.sought.scenario
        names = [scenario.lineup[entrant].name for entrant in entrants]
        try:
            return self.sought.condition.holds(facts_of_record(record, before, scenario.stakes.big_bet, number, names))
        except KeyError:  # more raises than a record counts
            return True

    def _replayed(self, number: int) -> Replayed | None:
        """A hand event by event, if it meets the condition."""
        sought = self.sought
        try:
            replayed = replay_hand(sought.scenario, sought.seed, number, sought.verdicts, sought.index)
        except NoSuchHand:
            return None
        return replayed if self._meets(replayed) else None

    def _meets(self, replayed: Replayed) -> bool:
        """Whether a hand meets the condition, and was not ended by an error."""
        if replayed.hand.seat is not None:
            return False
        known = facts(replayed.hand, replayed.number, [entrant.name for entrant in replayed.entrants])
        return self.sought.condition.holds(known)
