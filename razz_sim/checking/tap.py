"""A tap on a strategy: it sits behind the address that the loop calls, and sees what goes in and comes out.

So a strategy is checked where it is played, by the loops that play millions of hands.
"""

from __future__ import annotations

import ctypes
import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from razz_sim.batch.lockstep import Lockstep
from razz_sim.batch.loop import Loop
from razz_sim.cards import DECK_SIZE, NO_CARD
from razz_sim.checking.log import Asked, Log, Place
from razz_sim.outcome import OUTCOME
from razz_sim.strategy.in_rows import ArrayPlayer
from razz_sim.table.record import OBSERVING, P_BLOCK, P_COPY, P_DECISION, P_HAND, P_SCENARIO, RAISED
from razz_sim.view import VIEW

CALL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_uint64)
"""How the loops call a strategy or an observer."""

GUARD = 256
"""Bytes on either side of what a compiled strategy is given, that it must neither read nor write."""
HIDE = 1 / 8
"""The share of decisions with other hidden cards, where that is tried: changing them takes longer than most answers."""
WRITES_OUTSIDE = "writes outside its memory"
WRITES_VIEW = "writes to its view"
WRITES_TABLE = "writes to what is not its own"


class Guarded:
    """A copy of so many bytes between guards, at an address to give to machine code."""

    def __init__(self, size: int, junk: int) -> None:
        self.size = size
        self._junk = bytes([junk]) * GUARD
        self._all = ctypes.create_string_buffer(self._junk + bytes(size) + self._junk, size + 2 * GUARD)
        self._front = ctypes.addressof(self._all)
        self.address = self._front + GUARD

    def fill(self, source: int, size: int | None = None) -> None:
        """Copy what lies at an address in between the guards."""
        ctypes.memmove(self.address, source, self.size if size is None else size)

    @property
    def intact(self) -> bool:
        """Whether the guards are as they were; they are mended."""
        back = self.address + self.size
        if ctypes.string_at(self._front, GUARD) == self._junk == ctypes.string_at(back, GUARD):
            return True
        ctypes.memmove(self._front, self._junk, GUARD)
        ctypes.memmove(back, self._junk, GUARD)
        return False

    def holds(self, content: bytes) -> bool:
        """Whether what is in between the guards begins with this."""
        return ctypes.string_at(self.address, len(content)) == content


def change_hidden_cards(hand: Any, shuffle: random.Random) -> None:
    """Make everything that the seat to act cannot see something else: rivals' down cards, the deck to come."""
    seat, seats = int(hand["seat"]), int(hand["seats"])
    holes, ups = hand["hole"].tolist(), hand["up"].tolist()
    seen = {*holes[seat], *itertools.chain(*ups[:seats]), int(hand["community"])}
    unseen = [card for card in range(DECK_SIZE) if card not in seen]
    drawn = iter(shuffle.sample(unseen, min(len(unseen), 3 * seats)))
    hand["key"] = shuffle.getrandbits(64)
    for other in range(seats):
        if other == seat:
            continue
        hole = [card if card == NO_CARD else next(drawn) for card in holes[other]]
        hand["hole"][other] = hole
        once = twice = thrice = four = 0
        for card in (*hole, *ups[other]):
            rank = 0 if card == NO_CARD else 1 << (card >> 2)
            four |= thrice & rank
            thrice |= twice & rank
            twice |= once & rank
            once |= rank
        hand["once"][other], hand["twice"][other] = once, twice
        hand["thrice"][other], hand["four"][other] = thrice, four


class Tap:
    """On an entrant of a loop that is asked by address."""

    def __init__(
        self, loop: Loop, entrant: int, log: Log, pulse: np.ndarray, *, shuffle: random.Random | None, junk: int
    ) -> None:
        self.error: BaseException | None = None
        self._loop, self._log, self._pulse, self._shuffle = loop, log, pulse, shuffle
        setup = loop.ready.setup[0]
        source = loop.scenario.lineup[entrant].strategy
        self._compiled = source.kind == "compiled"
        self._given = Guarded(OUTCOME.itemsize, junk)
        self._memory = Guarded(8 * source.memory, junk)
        self._params = Guarded(loop.ready.params[entrant].nbytes, junk)
        self._kept = [self._tapped(setup["addresses"], entrant, loop.ready.view, VIEW.itemsize)]
        if setup["observers"][entrant]:
            self._kept.append(self._tapped(setup["observers"], entrant, loop.ready.outcome, OUTCOME.itemsize))

    def _tapped(self, addresses: np.ndarray, entrant: int, seen: np.ndarray, size: int) -> Any:
        """Put a call in between; what must be kept alive as long as it may be called."""
        original = CALL(int(addresses[entrant]))
        ask = self._between_guards(original, size) if self._compiled else original

        def called(given: int, params: int, memory: int, word: int) -> int:
            try:
                return self._called(ask, seen, given, params, memory, word)
            except BaseException as error:
                self.error = self.error or error
                return RAISED

        tapped = CALL(called)
        addresses[entrant] = ctypes.cast(tapped, ctypes.c_void_p).value
        return tapped

    def _called(self, ask: Any, seen: np.ndarray, given: int, params: int, memory: int, word: int) -> int:
        pulse = self._pulse
        decision = int(pulse[P_DECISION])
        place = Place(int(pulse[P_SCENARIO]), int(pulse[P_BLOCK]), int(pulse[P_HAND]), int(pulse[P_COPY]), decision)
        shown = seen.tobytes()
        hide = self._shuffle
        if hide is not None and (decision == OBSERVING or hide.random() > HIDE):
            hide = None
        around = self._around() if self._compiled and self._shuffle is None else None
        if hide is None:
            answer = int(ask(given, params, memory, word))
        else:
            before = self._loop.hand.copy()
            change_hidden_cards(self._loop.hand[0], hide)
            answer = int(ask(given, params, memory, word))
            self._loop.hand[:] = before
        call = Asked(place, word, answer, shown)
        self._log.calls.append(call)
        if around is not None and around != self._around():
            self._log.note(WRITES_TABLE, call)
        if self._compiled:
            self._look_around(call)
        elif seen.tobytes() != shown:
            self._log.note(WRITES_VIEW, call)
        return answer

    def _between_guards(self, original: Any, size: int) -> Callable[[int, int, int, int], int]:
        """Ask machine code with copies of all it is given, and take its memory back."""

        def ask(given: int, params: int, memory: int, word: int) -> int:
            self._given.fill(given, size)
            self._memory.fill(memory)
            self._params.fill(params)
            answer = int(original(self._given.address, self._params.address, self._memory.address, word))
            ctypes.memmove(memory, self._memory.address, self._memory.size)
            ctypes.memmove(params, self._params.address, self._params.size)
            return answer

        return ask

    def _look_around(self, call: Asked) -> None:
        intact = [part.intact for part in (self._given, self._memory, self._params)]  # all three: looking mends
        if not all(intact):
            self._log.note(WRITES_OUTSIDE, call)
        if not self._given.holds(call.seen):
            self._log.note(WRITES_VIEW, call)

    def _around(self) -> tuple[bytes, ...]:
        """What lies about in a loop that no strategy is given."""
        loop = self._loop
        return tuple(part.tobytes() for part in (loop.hand, loop.table, loop.ready.setup, loop.ready.rules))


class RowTap:
    """On a player that is asked in rows: it stands in its place."""

    def __init__(self, player: ArrayPlayer, lockstep: Lockstep, log: Log, shuffle: random.Random | None) -> None:
        self.source, self.params, self.observes = player.source, player.params, player.observes
        self._player, self._lockstep, self._log, self._shuffle = player, lockstep, log, shuffle

    def decide(self, views: np.ndarray, memory: np.ndarray, words: np.ndarray) -> np.ndarray:
        lockstep = self._lockstep
        rows = lockstep.asking
        seats = views["seat"].astype(np.int64)
        tables = lockstep.tables
        decisions = tables["asked"][rows, seats]
        shown, drawn = np.frombuffer(views.tobytes(), dtype=VIEW), words.copy()
        before = lockstep.hands.copy()
        if (shuffle := self._shuffle) is not None:
            for row in rows[[shuffle.random() < HIDE for _ in rows]]:
                change_hidden_cards(lockstep.hands[row], shuffle)
        answers = np.full(len(rows), RAISED)
        try:
            answers = self._player.decide(views, memory, words)
        finally:
            lockstep.hands[:] = before
            calls = self._calls(rows, seats, decisions, drawn, answers, shown, np.zeros_like(rows))
        if views.tobytes() != shown.tobytes():
            self._log.note(WRITES_VIEW, calls[0])
        return answers

    def observe(self, outcomes: np.ndarray, memory: np.ndarray) -> None:
        rows, seats = self._lockstep.asking, outcomes["seat"].astype(np.int64)
        shown = np.frombuffer(outcomes.tobytes(), dtype=OUTCOME)
        none = np.zeros(len(rows), dtype=np.int64)
        try:
            self._player.observe(outcomes, memory)
        finally:
            self._calls(rows, seats, none + OBSERVING, none, none, shown, none + 1)

    def _calls(
        self,
        rows: np.ndarray,
        seats: np.ndarray,
        decisions: np.ndarray,
        words: np.ndarray,
        answers: np.ndarray,
        shown: np.ndarray,
        back: np.ndarray,
    ) -> list[Asked]:
        """Note a call for many tables, one by one; `back` is 1 where the table counts the next hand already."""
        tables, index = self._lockstep.tables, self._lockstep.index
        calls = [
            Asked(Place(index, block, hand, copy, decision), word, answer, seen.tobytes())
            for block, hand, copy, decision, word, answer, seen in zip(
                tables["block"][rows].tolist(),
                (tables["number"][rows] - back).tolist(),
                tables["copy_at"][rows, seats].tolist(),
                decisions.tolist(),
                words.tolist(),
                answers.tolist(),
                shown,
                strict=True,
            )
        ]
        self._log.calls.extend(calls)
        return calls
