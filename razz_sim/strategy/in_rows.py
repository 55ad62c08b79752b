"""Array strategies: one instance that decides for many tables at once, from structured arrays of views."""

from __future__ import annotations

import numpy as np

from razz_sim.strategy.in_python import WrongAnswer, named_params, new_player
from razz_sim.strategy.source import StrategySource, declared_body

_LARGEST_ANSWER = 2**62


class ArrayPlayer:
    """An entrant that is asked in rows. What it keeps between calls is in the rows of `memory` that it is given."""

    def __init__(self, source: StrategySource, params: tuple[tuple[str, float], ...]) -> None:
        self.source, self.params = source, params
        self._player = new_player(declared_body(source), named_params(source, dict(params)))
        self.observes = callable(getattr(self._player, "observe_batch", None))

    def decide(self, views: np.ndarray, memory: np.ndarray, words: np.ndarray) -> np.ndarray:
        """The answers to so many views as int64; raises whatever the strategy raises, and WrongAnswer."""
        answers = np.asarray(self._player.act_batch(views, memory, words))
        if answers.shape != (len(views),) or answers.dtype.kind not in "iu":
            raise WrongAnswer(
                f"act_batch answered an array of shape {answers.shape} and type {answers.dtype}: "
                f"it must be {len(views)} whole numbers"
            )
        if len(answers) and (answers.min() < 0 or answers.max() >= _LARGEST_ANSWER):
            bad = answers[(answers < 0) | (answers >= _LARGEST_ANSWER)][0]
            raise WrongAnswer(f"act_batch answered {bad}: an answer is FOLD, STAY, RAISE or raise_to(amount)")
        return answers.astype(np.int64)

    def observe(self, outcomes: np.ndarray, memory: np.ndarray) -> None:
        """Tell it how so many hands ended."""
        self._player.observe_batch(outcomes, memory)
