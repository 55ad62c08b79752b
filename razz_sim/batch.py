"""Play a batch of blocks: pure, from coordinates to totals, wherever it runs.

`play_batch(scenario, seed, batch)` opens no file, knows no Ray, and gives the same numbers on every machine.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import Any

import numpy as np

from razz_sim.experiment import Batch, Entrant, Scenario
from razz_sim.hand import Hand, IllegalAction
from razz_sim.hand.record import AMOUNT_SHIFT, FOLD, RAISE, STAY, new_hand, rules_record
from razz_sim.rules import MIN_SEATS, Street
from razz_sim.strategy.machine_code import RAISED, MachineCode, machine_code, params_record, python_body
from razz_sim.table import (
    BROKEN,
    FAULT,
    FAULT_FIELDS,
    PULSE_FIELDS,
    STOPPED,
    ask,
    copies_at_seats,
    deal_key,
    play_hands,
    random_word,
    stacks_before,
    view_of_hand,
)
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS
from razz_sim.view import VIEW


class StrategyFault(Exception):
    """A strategy raised an exception or gave an illegal answer: the sentence names it, the hand and the decision."""


class BrokenHand(AssertionError):
    """Chips were not conserved: a fault of the engine, never of a strategy."""


class NoSuchHand(LookupError):
    """A hand that was not played: its session had ended before it."""


class Stopped(Exception):
    """The batch was stopped from outside; nothing of it counts."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What a batch counted: one row of the table's totals and one for each entrant."""

    batch: Batch
    table: np.ndarray
    entrants: np.ndarray


class Lineup:
    """A scenario's entrants made ready for the loop; it owns the memory that the loop's addresses point to."""

    def __init__(self, entrants: tuple[Entrant, ...]) -> None:
        self.codes: list[MachineCode] = [machine_code(entrant.strategy) for entrant in entrants]
        self._records = [params_record(entrant.strategy, entrant.params) for entrant in entrants]
        self.addresses = np.array([code.address for code in self.codes], dtype=np.int64)
        self.params = np.array([record.ctypes.data for record in self._records], dtype=np.int64)
        floats = [entrant.strategy.memory for entrant in entrants for _ in range(entrant.seats)]
        self.memory = np.zeros(sum(floats))
        starts = np.cumsum([0, *floats[:-1]], dtype=np.int64)
        self._as_given = [record.tobytes() for record in self._records]
        self.memories = self.memory.ctypes.data + self.memory.itemsize * starts

    def memory_of(self, copy: int, floats: int) -> np.ndarray:
        """The floats of one copy's memory."""
        start = int(self.memories[copy] - self.memory.ctypes.data) // self.memory.itemsize
        return self.memory[start : start + floats]

    def check_params(self, scenario: Scenario) -> None:
        """StrategyFault when a strategy wrote to its parameters: what it left there would depend on the batch."""
        for entrant, record, as_given in zip(scenario.lineup, self._records, self._as_given, strict=True):
            if record.tobytes() != as_given:
                raise StrategyFault(
                    f"entrant {entrant.name!r} (strategy {entrant.strategy.spec}) writes to its params: they are the "
                    "same for all hands; what it learns belongs into memory, asked for by @strategy(memory=N)"
                )


class Loop:
    """A scenario made ready for the fused loop, to play any of its batches one after another."""

    def __init__(self, scenario: Scenario, seed: int) -> None:
        self.scenario, self.seed = scenario, seed
        self.lineup = Lineup(scenario.lineup)
        self.hand = new_hand(scenario.seats)
        self._rules = rules_record(scenario.rules, scenario.stakes)
        self._view = np.zeros(1, dtype=VIEW)
        self._entrant_of_copy = np.array(scenario.entrant_of_copy, dtype=np.int64)
        self._fault = np.zeros(len(FAULT_FIELDS), dtype=np.int64)

    def play(self, batch: Batch, pulse: np.ndarray | None = None) -> Counted:
        """Play a batch's blocks; StrategyFault, BrokenHand, or Stopped once `pulse[0]` is not 0 (`PULSE_FIELDS`)."""
        scenario = self.scenario
        table = np.zeros(len(TABLE_COLUMNS), dtype=np.int64)
        entrants = np.zeros((len(scenario.lineup), len(ENTRANT_COLUMNS)), dtype=np.int64)
        pulse = np.zeros(len(PULSE_FIELDS), dtype=np.int64) if pulse is None else pulse
        ended = self._run(batch.first, batch.stop, scenario.session.hands, pulse, table, entrants)
        self.lineup.check_params(scenario)
        number = int(self._fault[0]) * scenario.session.hands + int(self._fault[1])
        if ended == STOPPED:
            raise Stopped
        if ended == BROKEN:
            raise BrokenHand(f"chips are not conserved in scenario {scenario.name!r}, hand {number}")
        if ended == FAULT:
            replay_hand(scenario, self.seed, number)
            raise BrokenHand(f"the fault in hand {number} of {scenario.name!r} does not show in its replay")
        return Counted(batch=batch, table=table, entrants=entrants)

    def play_up_to(self, block: int, in_session: int) -> None:
        """Bring stacks and memory to where they stand after the first hands of a session, counting nothing."""
        table = np.zeros(len(TABLE_COLUMNS), dtype=np.int64)
        entrants = np.zeros((len(self.scenario.lineup), len(ENTRANT_COLUMNS)), dtype=np.int64)
        pulse = np.zeros(len(PULSE_FIELDS), dtype=np.int64)
        if self._run(block, block + 1, in_session, pulse, table, entrants) == FAULT:
            replay_hand(self.scenario, self.seed, block * self.scenario.session.hands + int(self._fault[1]))

    def _run(
        self, first: int, stop: int, hands: int, pulse: np.ndarray, table: np.ndarray, entrants: np.ndarray
    ) -> int:
        session = self.scenario.session
        return play_hands(
            self._rules[0],
            self.hand[0],
            self._view[0],
            np.uint64(self.seed),
            self.scenario.stack,
            hands,
            session.carry,
            session.top_up,
            self._entrant_of_copy,
            self.lineup.addresses,
            self.lineup.params,
            self.lineup.memories,
            self.lineup.memory,
            first,
            stop,
            pulse,
            table,
            entrants,
            self._fault,
        )


def play_batch(scenario: Scenario, seed: int, batch: Batch) -> Counted:
    """Play one batch: a pure function of its arguments. Raises StrategyFault or BrokenHand."""
    return Loop(scenario, seed).play(batch)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A hand of a run played again: the hand, and for each seat which copy of which entrant sat there."""

    hand: Hand
    number: int
    copies: tuple[int, ...]
    entrants: tuple[Entrant, ...]

    def seat_names(self) -> list[str]:
        """The entrants' names by seat, numbered where one has several seats ("fish 2")."""
        first_copy: dict[str, int] = {}
        for copy, entrant in sorted(zip(self.copies, self.entrants, strict=True), key=lambda pair: pair[0]):
            first_copy.setdefault(entrant.name, copy)
        return [
            entrant.name if entrant.seats == 1 else f"{entrant.name} {copy - first_copy[entrant.name] + 1}"
            for copy, entrant in zip(self.copies, self.entrants, strict=True)
        ]


def replay_hand(scenario: Scenario, seed: int, number: int) -> Replayed:
    """Play hand `number` of a scenario again, event by event; StrategyFault where a strategy fails in it.

    The hands of its session before it are played first, in the fused loop. NoSuchHand when the session ended before it.
    """
    session = scenario.session
    block, in_session = divmod(number, session.hands)
    loop = Loop(scenario, seed)
    lineup, record = loop.lineup, loop.hand
    loop.play_up_to(block, in_session)
    if stacks_before(record[0], scenario.stack, in_session, session.carry, session.top_up) < MIN_SEATS:
        raise NoSuchHand(f"session {block} ended before its hand {in_session}: fewer than two seats had chips")
    copies = np.zeros(scenario.seats, dtype=np.int64)
    copies_at_seats(np.uint64(seed), block, scenario.seats, copies)
    view = np.zeros(1, dtype=VIEW)
    hand = Hand(
        scenario.rules,
        scenario.stakes,
        record["stack"][0, : scenario.seats].tolist(),
        dealer=(scenario.seats - 1 + in_session) % scenario.seats,
        cards=int(deal_key(np.uint64(seed), block, in_session)),
    )
    asked = [0] * scenario.seats
    seated = tuple(scenario.lineup[scenario.entrant_of_copy[copy]] for copy in copies)
    while (seat := hand.seat) is not None:
        copy = int(copies[seat])
        entrant = scenario.entrant_of_copy[copy]
        view_of_hand(hand.record, view[0])
        word = random_word(np.uint64(seed), block, in_session, copy, asked[seat])
        remembered = lineup.memory.copy()
        answer = ask(lineup.addresses[entrant], view[0], lineup.params[entrant], lineup.memories[copy], np.uint64(word))
        try:
            give_answer(hand, int(answer))
        except IllegalAction as error:
            lineup.memory[:] = remembered
            reason = _python_error(seated[seat], view, lineup, copy, word) if answer == RAISED else str(error)
            who = f"entrant {seated[seat].name!r} (strategy {seated[seat].strategy.spec})"
            place = f"hand {number}, {Street(hand.street).name.lower()} street, seat {seat + 1}"
            raise StrategyFault(f"{who} failed in scenario {scenario.name!r}, {place}: {reason}") from None
        asked[seat] += 1
    return Replayed(hand=hand, number=number, copies=tuple(int(copy) for copy in copies), entrants=seated)


def give_answer(hand: Hand, answer: int) -> None:
    """Carry out a strategy's answer; IllegalAction when it is none or not legal now."""
    kind, to = answer & ((1 << AMOUNT_SHIFT) - 1), answer >> AMOUNT_SHIFT
    if answer == FOLD:
        hand.fold()
    elif answer == STAY:
        hand.stay()
    elif answer > 0 and kind == RAISE:
        legal = hand.legal()
        if to == 0 and not legal.raise_min:
            raise IllegalAction(f"it answered RAISE where it may {legal.sentence()}")
        hand.raise_to(to or legal.raise_min)
    else:
        raise IllegalAction(
            f"its answer {answer} is not FOLD ({FOLD}), STAY ({STAY}), RAISE ({RAISE}) or raise_to(amount)"
        )


def _python_error(entrant: Entrant, view: np.ndarray, lineup: Lineup, copy: int, word: int) -> str:
    """What a strategy that raised in machine code says when the same view is played in Python."""
    source = entrant.strategy
    arguments: tuple[Any, ...] = (
        view.view(np.recarray)[0],
        params_record(source, entrant.params).view(np.recarray)[0],
        lineup.memory_of(copy, source.memory),
        np.uint64(word),
    )
    try:
        with np.errstate(divide="raise", over="ignore"):
            answer = python_body(source)(*arguments)
    except FloatingPointError as error:
        return f"{_raised_at(error, source.filename)}ZeroDivisionError: {error}"
    except Exception as error:
        return f"{_raised_at(error, source.filename)}{type(error).__name__}: {error}"
    return f"it raised an exception in machine code, though the same view in Python is answered {answer}"


def _raised_at(error: Exception, filename: str) -> str:
    """File and line of a strategy that an exception comes from."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
    return f"{filename}, line {frames[-1].lineno}: " if frames else ""
