"""Situations played with taps on the strategy that is checked, in the order and the pieces that a check asks for."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from razz_sim.batch.faults import Fault, StrategyFault, Verdict
from razz_sim.batch.lockstep import Lockstep
from razz_sim.batch.loop import Counted, Loop
from razz_sim.batch.replay import Replayed, replay_hand
from razz_sim.checking.log import Log, Place
from razz_sim.checking.tap import RowTap, Tap
from razz_sim.experiment import Batch, Experiment, Scenario
from razz_sim.places import HandPlace
from razz_sim.tally import TABLE_COLUMNS

ROW_TABLES = 6
"""Tables that array strategies are asked for at once here: situations are many and short."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to play: which blocks come first, how many at a time, what is changed around the strategy."""

    backwards: bool = False
    piece: int = 10**9
    hide_cards: bool = False
    junk: int = 0x55


@dataclass(slots=True)
class Playing:
    """What came of playing situations: the log, what failed in which situation, and the hands and decisions played."""

    log: Log = field(default_factory=Log)
    faults: dict[int, tuple[str, Fault | None]] = field(default_factory=dict)
    hands: int = 0
    blocks: dict[int, int] = field(default_factory=dict)

    def answers(self, without: Iterable[int] = ()) -> dict[Place, int]:
        """The answers to decisions, but of some situations."""
        left_out = {*without, *self.faults}
        return {place: answer for place, answer in self.log.answers().items() if place.situation not in left_out}


@dataclass(frozen=True, slots=True)
class Enough:
    """When a situation has been played for long enough: after so many calls of the strategy, or so many seconds."""

    calls: int
    seconds: float


def play_until(experiment: Experiment, enough: Enough, pulse: np.ndarray) -> tuple[Playing, Experiment]:
    """Play each situation until that is enough; what came of it, and the experiment cut to what was played."""
    playing = play_all(experiment, range(len(experiment.scenarios)), Way(piece=1), pulse, enough)
    cut = tuple(
        replace(scenario, hands=playing.blocks.get(index, 1) * scenario.block_hands)
        for index, scenario in enumerate(experiment.scenarios)
    )
    return playing, replace(experiment, scenarios=cut)


def play_all(
    experiment: Experiment, wanted: Iterable[int], way: Way, pulse: np.ndarray, enough: Enough | None = None
) -> Playing:
    """Play these situations; a fault ends its situation only. MemoryError and Exhausted go through."""
    playing = Playing()
    for index in wanted:
        try:
            _play(experiment, index, way, pulse, playing, enough)
        except StrategyFault as error:
            playing.faults[index] = str(error), error.fault
    return playing


def _play(
    experiment: Experiment, index: int, way: Way, pulse: np.ndarray, playing: Playing, enough: Enough | None
) -> None:
    scenario = experiment.scenarios[index]
    play = _tapped(scenario, experiment.seed, index, way, pulse, playing.log)
    began, before = time.perf_counter(), len(playing.log.calls)
    for piece in _pieces(scenario, index, way):
        playing.hands += int(play(piece).table[TABLE_COLUMNS.index("hands")])
        playing.blocks[index] = piece.stop
        if enough is not None and (
            len(playing.log.calls) - before >= enough.calls or time.perf_counter() - began > enough.seconds
        ):
            return


def _tapped(
    scenario: Scenario, seed: int, index: int, way: Way, pulse: np.ndarray, log: Log
) -> Callable[[Batch], Counted]:
    """A loop with taps on the strategy that is checked, which is the first in its line-up."""
    shuffle = random.Random(index) if way.hide_cards else None
    if scenario.asks_in_rows:
        lockstep = few_tables(scenario, seed, index)
        players: list[Any] = lockstep.ready.arrays
        players[:] = [RowTap(player, lockstep, log, shuffle) for player in players]
        return lambda piece: lockstep.play_all([piece], pulse)[0]
    loop = Loop(scenario, seed, index=index)
    tap = Tap(loop, 0, log, pulse, shuffle=shuffle, junk=way.junk)

    def play(piece: Batch) -> Counted:
        try:
            return loop.play(piece, pulse)
        finally:
            if tap.error is not None:
                raise tap.error

    return play


def few_tables(scenario: Scenario, seed: int, index: int = 0) -> Lockstep:
    """The loop of array strategies with fewer tables than it has in a run."""
    return Lockstep(scenario, seed, index=index, group=ROW_TABLES)


def played_hand(experiment: Experiment, place: HandPlace, verdicts: Sequence[Verdict] = ()) -> Replayed:
    """A hand of a check, as it was played there, but for what `verdicts` judge; NoSuchHand when it was not."""
    scenario = experiment.scenarios[place.scenario]
    group = ROW_TABLES if scenario.asks_in_rows else None
    return replay_hand(scenario, experiment.seed, place.number, verdicts, place.scenario, group=group)


def _pieces(scenario: Scenario, index: int, way: Way) -> list[Batch]:
    """The blocks of a situation in pieces; groups of an array strategy's blocks are never cut."""
    step = min(way.piece, scenario.blocks)
    if scenario.asks_in_rows:
        step = -(-step // ROW_TABLES) * ROW_TABLES
    pieces = []
    for first in range(0, scenario.blocks, step):
        stop = min(first + step, scenario.blocks)
        hands = (stop - first) * scenario.block_hands
        pieces.append(Batch(scenario=index, bin=0, first=first, stop=stop, hands=hands))
    return pieces[::-1] if way.backwards else pieces
