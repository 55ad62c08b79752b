"""Any hand of a scenario played again, event by event, and what a strategy did wrong in it."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from razz_sim.batch.faults import Fault, NoSuchHand, Verdict
from razz_sim.batch.loop import Loop, new_pulse
from razz_sim.batch.seen import seen_text, view_text
from razz_sim.experiment import Entrant, Scenario
from razz_sim.hand import Hand, IllegalAction
from razz_sim.hand.record import AMOUNT_SHIFT, FOLD, NOBODY, RAISE, STAY, TOURNAMENT_FIELDS
from razz_sim.outcome import OUTCOME
from razz_sim.rules import MIN_SEATS, Stakes
from razz_sim.strategy.declaration import said
from razz_sim.strategy.in_python import WrongAnswer
from razz_sim.strategy.machine_code import params_record
from razz_sim.strategy.source import declaration_of, declared_body
from razz_sim.table.record import EXHAUSTED, FAULT, JUDGED, OBSERVING, RAISED
from razz_sim.table.single import (
    ask,
    copies_at_seats,
    deal_key,
    outcome_of_hand,
    random_word,
    stacks_before,
    tell,
    view_of_hand,
)
from razz_sim.view import VIEW


@dataclass(frozen=True, slots=True)
class Replayed:
    """A hand of a run played again: the hand, and for each seat which copy of which entrant sat there.

    `table` is the one of a tournament at which it was played, from 0. `faults` are what strategies did wrong in it;
    where errors stop a run the hand ends unfinished with the first.
    """

    hand: Hand
    number: int
    copies: tuple[int, ...]
    entrants: tuple[Entrant, ...]
    faults: tuple[Fault, ...]
    names: tuple[str, ...]
    table: int = 0

    def failed(self) -> dict[tuple[int, int], str]:
        """Why decisions were not made, by seat and the number of the seat's decision in the hand."""
        return {(one.seat, one.decision): one.reason for one in self.faults if one.seat is not None}


EMPTY = "empty seat"
"""What stands for the name of a seat at which nobody sits."""


def names_of_copies(scenario: Scenario, copies: Sequence[int]) -> tuple[str, ...]:
    """The entrants' names by copy, numbered where one has several seats ("fish 2")."""
    first: dict[int, int] = {}
    owners = scenario.entrant_of_copy
    for copy, owner in enumerate(owners):
        first.setdefault(owner, copy)

    def name(copy: int) -> str:
        if copy == NOBODY:
            return EMPTY
        entrant = scenario.lineup[owners[copy]]
        return entrant.name if entrant.seats == 1 else f"{entrant.name} {copy - first[owners[copy]] + 1}"

    return tuple(map(name, copies))


def replay_hand(
    scenario: Scenario,
    seed: int,
    number: int,
    verdicts: Sequence[Verdict] = (),
    index: int = 0,
    group: int | None = None,
) -> Replayed:
    """Play hand `number` of a scenario again, event by event.

    The hands of its block before it are played first, in the loop that played them. `verdicts` are those of the run,
    `index` the scenario's in it, `group` how many blocks were played together where strategies are asked in rows, if
    not as many as the scenario says. NoSuchHand when its block ended before it.
    """
    given = None
    if scenario.asks_in_rows:
        from razz_sim.batch.recorded import recorded_hand

        given = recorded_hand(scenario, seed, *divmod(number, scenario.hand_numbers), verdicts, index, group)
    if scenario.tournament is not None:
        from razz_sim.batch.tournaments import TournamentLoop, start_in_tournament

        tournaments = TournamentLoop(scenario, seed, verdicts, index)
        return _replayed(tournaments, number, start_in_tournament(tournaments, number), None)
    return replay_recorded(Loop(scenario, seed, verdicts, index), number, given)


def replay_recorded(loop: Loop, number: int, given: Recorded | None) -> Replayed:
    """Replay a hand of the loop's scenario from what is recorded of it; with nothing recorded it is played."""
    return _replayed(loop, number, _start_in_session(loop, number, given), given)


def _replayed(loop: Loop, number: int, start: Start, given: Recorded | None) -> Replayed:
    replay = _Replay(loop, number, start, given)
    replay.play()
    names = names_of_copies(loop.scenario, start.copies)
    return Replayed(replay.hand, number, start.copies, replay.seated, tuple(replay.faults), names, start.table)


@dataclass(frozen=True, slots=True)
class Start:
    """What a hand begins with: who sits where, for what, and hand `number` of which table its random streams are.

    `copies` has NOBODY at an empty seat. `front` is a record of the hand that knows what a tournament shows; None
    where there is none.
    """

    stakes: Stakes
    stacks: Sequence[int]
    dealer: int
    copies: tuple[int, ...]
    table: int
    number: int
    front: np.void | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a hand began with and how it was answered in a loop that played it with many others.

    `answers` are (seat, answer) in order; `reasons` say for answers that did not come, by their place, what happened.
    `untold` say for seats that failed when they were told how it ended why. `memory` is that of all copies when the
    hand was over and nobody was told yet.
    """

    stacks: tuple[int, ...]
    answers: tuple[tuple[int, int], ...]
    reasons: dict[int, str]
    untold: dict[int, str]
    memory: np.ndarray


class _Replay:
    """A hand being played again."""

    def __init__(self, loop: Loop, number: int, start: Start, given: Recorded | None) -> None:
        scenario = loop.scenario
        self.loop, self.scenario, self.seed = loop, scenario, np.uint64(loop.seed)
        self.number, self.start, self.given = number, start, given
        self.block, self.in_block = divmod(number, scenario.hand_numbers)
        self.verdicts = {
            (one.copy, one.decision): one.reason
            for one in loop.verdicts
            if (one.scenario, one.block, one.hand) == (loop.index, self.block, self.in_block)
        }
        self.before = np.array(start.stacks, dtype=np.int64)
        self.faults: list[Fault] = []
        self.owners = scenario.entrant_of_copy
        self.copies = start.copies
        self.seated = tuple(scenario.lineup[self.owners[copy]] for copy in self.copies if copy != NOBODY)
        self.asked = [0] * scenario.seats
        self.hand = Hand(
            scenario.rules,
            start.stakes,
            start.stacks,
            dealer=start.dealer,
            cards=int(deal_key(self.seed, self.block, start.table, start.number)),
            tournament=start.front is not None,
            players_left=None if start.front is None else int(start.front["players_left"]),
        )
        if start.front is not None:
            for name in TOURNAMENT_FIELDS:
                self.hand.record[name] = start.front[name]

    def entrant_at(self, seat: int) -> Entrant:
        """Who sits in a seat."""
        return self.scenario.lineup[self.owners[self.copies[seat]]]

    def play(self) -> None:
        """Play the hand to its end, or to the error that ends it."""
        failed: set[int] = set()
        answers = self._answers()
        while (seat := self.hand.seat) is not None:
            if seat in failed and self.scenario.on_error == "forfeit":
                self._give_up()
                continue
            reason = next(answers)
            if reason is None:
                self.asked[seat] += 1
                continue
            self._note(seat, self.asked[seat], reason)
            failed.add(seat)
            if self.scenario.on_error == "stop":
                return
            self.asked[seat] += 1
            self._give_up()
        if self.given is None:
            self._tell(failed)
            return
        for seat, reason in self.given.untold.items():
            self._note(seat, OBSERVING, reason)

    def _answers(self) -> Iterator[str | None]:
        """Carry out each answer as it is due; None, or why it was none."""
        if self.given is not None:
            self.loop.ready.memory[0] = self.given.memory
            for place, (seat, answer) in enumerate(self.given.answers):
                assert seat == self.hand.seat
                yield self.given.reasons.get(place) or self._recorded(seat, answer)
            return
        while True:
            yield self._asked()

    def _recorded(self, seat: int, answer: int) -> str | None:
        """Carry out an answer as it was recorded; None, or what was wrong with it."""
        copy = self.copies[seat]
        if answer == JUDGED:
            return self.verdicts[copy, self.asked[seat]]
        if answer == RAISED:
            view_of_hand(self.hand.record, self.loop.ready.view[0])
            return python_error(
                self.entrant_at(seat), self.loop.ready.view, self.loop.ready.memory_of(copy), self._word(seat)
            )
        return self._carried_out(answer)

    def _word(self, seat: int) -> int:
        """The random word of a seat's decision now."""
        stream = self.seed, self.block, self.start.table, self.start.number
        return int(random_word(*stream, self.copies[seat], self.asked[seat]))

    def _carried_out(self, answer: int) -> str | None:
        try:
            give_answer(self.hand, answer)
        except IllegalAction as error:
            return str(error)
        return None

    def _asked(self) -> str | None:
        """Ask the seat to act and carry its answer out; None, or what was wrong with it."""
        seat = int(self.hand.record["seat"])
        copy, ready = self.copies[seat], self.loop.ready
        entrant = self.owners[copy]
        if (judged := self.verdicts.get((copy, self.asked[seat]))) is not None:
            return judged
        view_of_hand(self.hand.record, ready.view[0])
        word = self._word(seat)
        remembered = ready.memory.copy()
        setup = ready.setup[0]
        memory = ready.address_of(copy)
        address, params = int(setup["addresses"][entrant]), int(setup["params"][entrant])
        answer = int(ask(address, ready.view[0], params, memory, np.uint64(word)))
        if answer not in (RAISED, EXHAUSTED):
            return self._carried_out(answer)
        if entrant in ready.python:
            return raised(
                ready.python[entrant].error_of(ready.memory_of(copy)), self.entrant_at(seat).strategy.filename
            )
        ready.memory[:] = remembered
        return python_error(self.entrant_at(seat), ready.view, ready.memory_of(copy), word)

    def _tell(self, failed: set[int]) -> None:
        """Show observers how the hand ended: they too may fail."""
        ready = self.loop.ready
        setup = ready.setup[0]
        for seat, copy in enumerate(self.copies):
            entrant = NOBODY if copy == NOBODY else self.owners[copy]
            observer = 0 if copy == NOBODY else int(setup["observers"][entrant])
            if not observer or not self.before[seat] or (seat in failed and self.scenario.on_error == "forfeit"):
                continue
            if (judged := self.verdicts.get((copy, OBSERVING))) is not None:
                self._note(seat, OBSERVING, judged)
                if self.scenario.on_error == "stop":
                    return
                continue
            outcome_of_hand(self.hand.record, self.before, seat, ready.view[0], ready.outcome[0])
            remembered = ready.memory.copy()
            memory = ready.address_of(copy)
            if tell(observer, ready.outcome[0], int(setup["params"][entrant]), memory) == 0:
                continue
            if entrant in ready.python:
                error = ready.python[entrant].error_of(ready.memory_of(copy))
                reason = raised(error, self.entrant_at(seat).strategy.filename)
            else:
                ready.memory[:] = remembered
                reason = python_error(self.entrant_at(seat), ready.outcome, ready.memory_of(copy), None)
            self._note(seat, OBSERVING, reason)
            if self.scenario.on_error == "stop":
                return

    def _give_up(self) -> None:
        legal = self.hand.legal()
        if legal.fold and legal.to_call:
            self.hand.fold()
        else:
            self.hand.stay()

    def _note(self, seat: int, decision: int, reason: str) -> None:
        entrant = self.entrant_at(seat)
        self.faults.append(
            Fault(
                entrant=entrant.name,
                spec=entrant.strategy.spec,
                scenario=self.scenario.name,
                number=self.number,
                block=self.block,
                hand=self.in_block,
                copy=self.copies[seat],
                seat=seat,
                street=self.hand.street,
                decision=decision,
                reason=reason,
                seen=self._seen(seat, decision),
                in_tournament=self.scenario.tournament is not None,
            )
        )

    def _seen(self, seat: int, decision: int) -> str:
        """What a seat that failed was shown, in words."""
        if decision == OBSERVING:
            outcome = np.zeros(1, dtype=OUTCOME)
            outcome_of_hand(self.hand.record, self.before, seat, np.zeros(1, dtype=VIEW)[0], outcome[0])
            return view_text(outcome[0], self.start.stakes.money)
        return seen_text(self.hand.record, self.start.stakes.money)


def _start_in_session(loop: Loop, number: int, given: Recorded | None) -> Start:
    """What a hand of a session begins with; its memories too, where nothing is recorded."""
    scenario = loop.scenario
    block, in_block = divmod(number, scenario.hand_numbers)
    replica, in_session = divmod(in_block, scenario.session.hands)
    found = np.zeros(scenario.seats, dtype=np.int64)
    stacks = _stacks(loop, block, in_block, in_session) if given is None else list(given.stacks)
    copies_at_seats(loop.ready.setup[0], block, replica, found)
    return Start(
        stakes=scenario.stakes,
        stacks=stacks,
        dealer=(scenario.seats - 1 + in_session) % scenario.seats,
        copies=tuple(found.tolist()),
        table=0,
        number=in_session,
    )


def _stacks(loop: Loop, block: int, in_block: int, in_session: int) -> list[int]:
    """The stacks before a hand: those that the block's earlier hands leave, with the memories they leave."""
    scenario, session = loop.scenario, loop.scenario.session
    if in_block:
        loop.ready.setup["hands"] = in_block
        ended = loop.run(block, block + 1, new_pulse(), *loop.room(1))
        loop.ready.setup["hands"] = scenario.block_hands
        if ended == FAULT or loop.table["forfeited"][0]:
            raise NoSuchHand(f"session {block} ended with its hand {loop.number % scenario.block_hands}: an error")
    record = loop.hand[0]
    if stacks_before(record, scenario.stack, in_session, session.carry, session.top_up) < MIN_SEATS:
        raise NoSuchHand(f"session {block} ended before its hand {in_block}: fewer than two seats had chips")
    return [int(chips) for chips in record["stack"][: scenario.seats]]


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
            raise IllegalAction(f"it answered RAISE where it may {legal.sentence(hand.stakes)}")
        hand.raise_to(to or legal.raise_min)
    else:
        raise IllegalAction(
            f"its answer {answer} is not FOLD ({FOLD}), STAY ({STAY}), RAISE ({RAISE}) or raise_to(amount)"
        )


def python_error(entrant: Entrant, seen: np.ndarray, memory: np.ndarray, word: int | None) -> str:
    """What a strategy that raised in machine code says when the same view is played in Python.

    `seen` is the view of a decision with its random word, or, without a word, the outcome that its observer was told.
    """
    source = entrant.strategy
    body = declared_body(source) if word is not None else declaration_of(source).observe
    arguments: list[Any] = [
        seen.view(np.recarray)[0],
        params_record(source, entrant.params).view(np.recarray)[0],
        memory,
    ]
    try:
        with np.errstate(divide="raise", over="ignore"):
            answer = body(*arguments) if word is None else body(*arguments, np.uint64(word))  # type: ignore[misc]
    except BaseException as error:
        return raised(error, source.filename)
    return f"it raised an exception in machine code, though the same view in Python is answered {answer}"


def raised(error: BaseException | None, filename: str) -> str:
    """An exception of a strategy in words: file and line, kind, what it says."""
    if error is None:
        raise AssertionError("a strategy failed and left no exception")
    kind = "ZeroDivisionError" if isinstance(error, FloatingPointError) else type(error).__name__
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == filename]
    where = f"{filename}, line {frames[-1].lineno}: " if frames else ""
    text = said(error)
    return f"{where}{text}" if isinstance(error, WrongAnswer) else where + (f"{kind}: {text}" if text else kind)
