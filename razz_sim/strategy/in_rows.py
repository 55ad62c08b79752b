"""Array strategies: one instance that decides for many tables at once, from structured arrays of views."""

from __future__ import annotations

import numpy as np

from razz_sim.strategy.in_python import WrongAnswer, named_params, new_player
from razz_sim.strategy.source import StrategySource, declared_body

_LARGEST_ANSWER = 2**62


class ArrayPlayer:
    """An entrant that is asked in rows. What it keeps between calls is in the rows of `memory` that it is given.

    What it is given is its own to write to: nothing of it may be used again.
    """

    def __init__(self, source: StrategySource, params: tuple[tuple[str, float], ...]) -> None:
        self.source, self.params = source, params
        self._player = new_player(declared_body(source), named_params(source, dict(params)))
        self.observes = callable(getattr(self._player, "observe_batch", None))

    def decide(self, views: np.ndarray, memory: np.ndarray, words: np.ndarray) -> np.ndarray:
        """What it answers to so many views: whole numbers, each an answer or not (`no_answers`).

        Raises whatever the strategy raises, and WrongAnswer.
        """
        count = len(views)
        answers = np.asarray(self._player.act_batch(views, memory, words))
        if answers.shape != (count,) or answers.dtype.kind not in "iu":
            found = f"an array of shape {answers.shape} and type {_type_text(answers.dtype)}"
            raise WrongAnswer(f"act_batch answered {found}: it must be {count} whole numbers, one for each row")
        return answers.copy()

    def observe(self, outcomes: np.ndarray, memory: np.ndarray) -> None:
        """Tell it how so many hands ended."""
        self._player.observe_batch(outcomes, memory)


def no_answers(answers: np.ndarray) -> dict[int, str]:
    """The rows of an array of whole numbers that no answer is like, with what is wrong with each in words."""
    if not answers.size or (answers.min() >= 0 and answers.max() < _LARGEST_ANSWER):
        return {}
    wrong = np.flatnonzero((answers < 0) | (answers >= _LARGEST_ANSWER)).tolist()
    what = "an answer is FOLD, STAY, RAISE or raise_to(amount)"
    return {row: f"act_batch answered {answers[row]} for the row of this hand: {what}" for row in wrong}


def _type_text(kind: np.dtype[np.generic]) -> str:
    """A type in a word or two: that of views has forty fields."""
    return str(kind) if kind.names is None else f"record of {len(kind.names)} fields"
