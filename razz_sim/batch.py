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
from razz_sim.rules import Street
from razz_sim.strategy.machine_code import RAISED, MachineCode, machine_code, params_record, python_body
from razz_sim.table import (
    BROKEN,
    FAULT,
    FAULT_FIELDS,
    STOPPED,
    ask,
    copies_at_seats,
    deal_key,
    play_hands,
    random_word,
    view_of_hand,
)
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS
from razz_sim.view import VIEW


class StrategyFault(Exception):
    """A strategy raised an exception or gave an illegal answer: the sentence names it, the hand and the decision."""


class BrokenHand(AssertionError):
    """Chips were not conserved: a fault of the engine, never of a strategy."""


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
        self.memories = self.memory.ctypes.data + self.memory.itemsize * starts


def play_batch(scenario: Scenario, seed: int, batch: Batch, stop_flag: np.ndarray | None = None) -> Counted:
    """Play a batch's blocks; raises StrategyFault, BrokenHand, or Stopped once `stop_flag[0]` is not 0."""
    lineup = Lineup(scenario.lineup)
    table = np.zeros(len(TABLE_COLUMNS), dtype=np.int64)
    entrants = np.zeros((len(scenario.lineup), len(ENTRANT_COLUMNS)), dtype=np.int64)
    fault = np.zeros(len(FAULT_FIELDS), dtype=np.int64)
    ended = play_hands(
        rules_record(scenario.rules, scenario.stakes)[0],
        new_hand(scenario.seats)[0],
        np.zeros(1, dtype=VIEW)[0],
        np.uint64(seed),
        scenario.stack,
        np.array(scenario.entrant_of_copy, dtype=np.int64),
        lineup.addresses,
        lineup.params,
        lineup.memories,
        lineup.memory,
        batch.first,
        batch.stop,
        np.zeros(1, dtype=np.int64) if stop_flag is None else stop_flag,
        table,
        entrants,
        fault,
    )
    if ended == STOPPED:
        raise Stopped
    if ended == BROKEN:
        raise BrokenHand(f"chips are not conserved in scenario {scenario.name!r}, hand {int(fault[0])}")
    if ended == FAULT:
        replay_hand(scenario, seed, int(fault[0]))
        raise BrokenHand(f"hand {int(fault[0])} of {scenario.name!r} ended by a fault that its replay does not show")
    return Counted(batch=batch, table=table, entrants=entrants)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A hand of a run played again: the hand, and for each seat which copy of which entrant sat there."""

    hand: Hand
    block: int
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


def replay_hand(scenario: Scenario, seed: int, block: int) -> Replayed:
    """Play one block's hand again, event by event; StrategyFault where a strategy fails in it."""
    copies = np.zeros(scenario.seats, dtype=np.int64)
    copies_at_seats(np.uint64(seed), block, scenario.seats, copies)
    lineup = Lineup(scenario.lineup)
    view = np.zeros(1, dtype=VIEW)
    hand = Hand(
        scenario.rules,
        scenario.stakes,
        [scenario.stack] * scenario.seats,
        dealer=scenario.seats - 1,
        cards=int(deal_key(np.uint64(seed), block)),
    )
    asked = [0] * scenario.seats
    seated = tuple(scenario.lineup[scenario.entrant_of_copy[copy]] for copy in copies)
    while (seat := hand.seat) is not None:
        copy = int(copies[seat])
        entrant = scenario.entrant_of_copy[copy]
        view_of_hand(hand.record, view[0])
        word = random_word(np.uint64(seed), block, copy, asked[seat])
        answer = ask(lineup.addresses[entrant], view[0], lineup.params[entrant], lineup.memories[copy], np.uint64(word))
        try:
            give_answer(hand, int(answer))
        except IllegalAction as error:
            reason = _python_error(seated[seat], view, lineup.memory, word) if answer == RAISED else str(error)
            raise StrategyFault(
                f"entrant {seated[seat].name!r} (strategy {seated[seat].strategy.spec}) failed in scenario "
                f"{scenario.name!r}, hand {block}, {Street(hand.street).name.lower()} street, seat {seat + 1}: {reason}"
            ) from None
        asked[seat] += 1
    return Replayed(hand=hand, block=block, copies=tuple(int(copy) for copy in copies), entrants=seated)


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


def _python_error(entrant: Entrant, view: np.ndarray, memory: np.ndarray, word: int) -> str:
    """What a strategy that raised in machine code says when the same view is played in Python."""
    source = entrant.strategy
    arguments: tuple[Any, ...] = (
        view.view(np.recarray)[0],
        params_record(source, entrant.params).view(np.recarray)[0],
        memory[: source.memory],
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
