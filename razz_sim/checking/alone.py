"""A strategy asked again, copy by copy, with nothing but what each copy was shown: no table, no rivals, no deck."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from razz_sim.checking.log import Asked, Place
from razz_sim.checking.situations import Checked
from razz_sim.checking.tap import CALL
from razz_sim.outcome import OUTCOME, OutcomeStruct
from razz_sim.strategy.in_python import named_params, new_player
from razz_sim.strategy.in_rows import ArrayPlayer
from razz_sim.strategy.machine_code import machine_code, params_record
from razz_sim.strategy.source import declared_body
from razz_sim.table.record import OBSERVING
from razz_sim.view import VIEW, ViewStruct

Story = list[Asked]
"""All that one copy was shown in one block, in order."""


class Copy(Protocol):
    """A copy of a strategy at the beginning of a block."""

    def answer(self, call: Asked) -> int | None:
        """Its answer; None when it is only told how a hand ended."""


def answers_alone(checked: Checked, calls: Sequence[Asked]) -> dict[Place, int]:
    """What the strategy answers to the same views when each copy is played by itself, in another order."""
    stories: dict[tuple[int, int, int], Story] = {}
    for call in calls:
        stories.setdefault((call.place.situation, call.place.block, call.place.copy), []).append(call)
    shuffled = list(stories.values())
    random.Random(3).shuffle(shuffled)
    if checked.source.kind == "array":
        return _in_rows(checked, shuffled)
    make = CompiledCopy if checked.source.kind == "compiled" else PythonCopy
    found = {}
    for story in shuffled:
        copy: Copy = make(checked)
        for call in story:
            answer = copy.answer(call)
            if answer is not None:
                found[call.place] = answer
    return found


class CompiledCopy:
    """Machine code with a memory of its own."""

    def __init__(self, checked: Checked) -> None:
        code = machine_code(checked.source)
        self._decide, self._observe = CALL(code.address), CALL(code.observer) if code.observer else None
        self._memory = np.zeros(max(1, checked.source.memory))
        self._params = params_record(checked.source, checked.params)

    def answer(self, call: Asked) -> int | None:
        observing = call.place.decision == OBSERVING
        seen = np.frombuffer(call.seen, dtype=OUTCOME if observing else VIEW).copy()
        where = seen.ctypes.data, self._params.ctypes.data, self._memory.ctypes.data
        if not observing:
            return int(self._decide(*where, call.word))
        if self._observe is not None:
            self._observe(*where, 0)
        return None


class PythonCopy:
    """An instance of a class."""

    def __init__(self, checked: Checked) -> None:
        self._player = new_player(declared_body(checked.source), named_params(checked.source, dict(checked.params)))

    def answer(self, call: Asked) -> int | None:
        if call.place.decision == OBSERVING:
            self._player.observe(OutcomeStruct.from_buffer_copy(call.seen))
            return None
        return int(self._player.act(ViewStruct.from_buffer_copy(call.seen), call.word))


def _in_rows(checked: Checked, stories: list[Story]) -> dict[Place, int]:
    """Array strategies are asked for the first call of all stories, then for the second, and so on."""
    player = ArrayPlayer(checked.source, checked.params)
    memory = np.zeros((len(stories), checked.source.memory))
    found: dict[Place, int] = {}
    for step in range(max(map(len, stories), default=0)):
        due = [(number, story[step]) for number, story in enumerate(stories) if step < len(story)]
        for observing in (True, False):
            asked = [(row, call) for row, call in due if (call.place.decision == OBSERVING) == observing]
            if not asked:
                continue
            rows = np.array([row for row, _ in asked])
            seen = b"".join(call.seen for _, call in asked)
            records = np.frombuffer(seen, dtype=OUTCOME if observing else VIEW).copy()
            remembered = memory[rows]
            if observing:
                player.observe(records, remembered)
            else:
                words = np.array([call.word for _, call in asked], dtype=np.uint64)
                answers = player.decide(records, remembered, words).tolist()
                found.update(zip((call.place for _, call in asked), answers, strict=True))
            memory[rows] = remembered
    return found
