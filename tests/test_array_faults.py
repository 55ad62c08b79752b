"""Errors of array strategies: charged to the rows that fail and to nobody else, and shown where they happened."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from small_experiments import entrant, scenario, written

from razz_sim.batch import NoSuchHand, StrategyFault, play_batch, replay_hand
from razz_sim.batch.lockstep import Lockstep
from razz_sim.experiment import Batch, OnError, Scenario, Session
from razz_sim.history.conditions import Condition
from razz_sim.history.search import Search, Sought
from razz_sim.strategy.in_rows import ArrayPlayer
from razz_sim.tally import ENTRANT_COLUMNS

SEED = 7
E = {name: place for place, name in enumerate(ENTRANT_COLUMNS)}
HEAD = "import sys\nimport numpy as np\n\n\n@strategy\nclass bot:\n"
RARE = "(views['street'] == 5) & (u % 7 == 0)"


def array_bot(*lines: str, more: str = "") -> str:
    """A class whose act_batch has these lines; `base` is STAY for each row."""
    act = ["    def act_batch(self, views, memory, u):", "        base = np.ones(len(views), dtype=np.int64)"]
    return HEAD + "\n".join([*act, *(f"        {line}" for line in lines)]) + f"\n{more}"


FAILS: dict[str, str] = {
    "raises": array_bot(f"if ({RARE}).any():", "    raise ValueError('rare')", "return base"),
    "a negative number": array_bot(f"base[{RARE}] = -1", "return base"),
    "the loops' own marks": array_bot(f"base[{RARE}] = np.array([-99, -98, -97])[u[{RARE}] % 3]", "return base"),
    "more than a word": array_bot(f"return np.where({RARE}, np.uint64(2**64 - 1), np.uint64(1))"),
    "no kind of answer": array_bot(f"base[{RARE}] = 77", "return base"),
    "an interrupt": array_bot(f"if ({RARE}).any():", "    raise KeyboardInterrupt", "return base"),
    "the end": array_bot(f"if ({RARE}).any():", "    sys.exit(0)", "return base"),
    "a generator's end": array_bot(f"if ({RARE}).any():", "    raise GeneratorExit", "return base"),
}
HONEST = """import numpy as np


@strategy
def bot(view, params, memory, u):
    return stay_or_fold(view) if view.street == 5 and u % np.uint64(7) == 0 else STAY
"""
fails = pytest.mark.parametrize("name", FAILS)


def table(*texts: str, on_error: OnError = "fold", hands: int = 300, **options: object) -> Scenario:
    """A table with these strategies, a fish and a thief."""
    own = tuple(replace(written("bot", text), name=f"bot {number}") for number, text in enumerate(texts))
    some = scenario((*own, entrant("fish", "caller", 2), entrant("dice", "random")), hands=hands)
    return replace(some, on_error=on_error, **options)  # type: ignore[arg-type]


def counted(some: Scenario) -> tuple[list[int], np.ndarray]:
    found = play_batch(some, SEED, Batch(0, 0, 0, some.blocks, some.hands))
    return found.table.tolist(), found.entrants


@fails
def test_only_the_rows_that_fail_are_charged(name: str) -> None:
    found, entrants = counted(table(FAILS[name]))
    expected, honest = counted(table(HONEST))
    assert entrants[0, E["errors"]] > 20
    entrants[0, E["errors"]] = 0
    assert found == expected
    assert entrants.tolist() == honest.tolist()


@fails
@pytest.mark.parametrize("session", [Session(), Session(hands=20)], ids=str)
def test_the_error_that_ends_a_run_is_shown_in_its_hand(name: str, session: Session) -> None:
    some = table(FAILS[name], on_error="stop", session=session)
    with pytest.raises(StrategyFault, match="fifth street, seat") as caught:
        counted(some)
    fault = caught.value.fault
    assert fault is not None
    replayed = replay_hand(some, SEED, fault.number)
    assert replayed.faults == (fault,)
    assert (replayed.hand.seat, replayed.hand.street) == (fault.seat, 5)
    later = fault.number // session.hands * session.hands + session.hands
    assert replay_hand(some, SEED, later).hand.events, "another block is played as ever"
    if session.hands > 1 and fault.hand + 1 < session.hands:
        with pytest.raises(NoSuchHand, match="with an error"):
            replay_hand(some, SEED, fault.number + 1)


def test_equal_strategies_do_not_pay_for_each_other() -> None:
    """Two entrants with one file; where the second seat's entrant sits alone nothing else happens to it."""
    text = array_bot(f"if ({RARE}).any():", "    raise ValueError('rare')", "return base")
    both, first = table(text, text), table(text, HONEST)
    _, of_both = counted(both)
    _, of_first = counted(first)
    assert of_both[0].tolist() == of_first[0].tolist()
    assert of_both[1, E["errors"]] > 20
    wrong_shape, right = array_bot("return base[:-1]"), array_bot("return base")
    _, entrants = counted(table(wrong_shape, right, right))
    assert entrants[0, E["errors"]] > 300
    assert not entrants[1:, E["errors"]].any()


def test_equal_entrants_are_asked_in_one_call_and_others_in_calls_of_their_own() -> None:
    right, other = array_bot("return base"), array_bot("return base * 1")
    assert len(Lockstep(table(right, right), SEED).ready.arrays) == 1
    first, second = Lockstep(table(right, other, right), SEED).ready.arrays
    assert first is not second


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("views", r"of shape \(\d+,\) and type record of \d+ fields: it must be"),
        ("base * 1.0", r"type float64: it must be \d+ whole numbers, one for each row"),
        ("base[:-1]", r"of shape \(\d+,\) and type int64"),
        ("base > 0", "type bool"),
        ("None", r"of shape \(\) and type object"),
    ],
)
def test_what_is_no_array_of_answers_is_said_in_a_line(answer: str, words: str) -> None:
    with pytest.raises(StrategyFault) as caught:
        counted(table(array_bot(f"return {answer}"), on_error="stop"))
    assert re.search(words, str(caught.value))
    assert len(str(caught.value)) < 250


def test_a_call_that_fails_only_as_a_whole_is_charged_as_a_whole() -> None:
    some = table(array_bot("if len(views) > 40:", "    raise ValueError('too many')", "return base"))
    _, entrants = counted(some)
    _, all_of_it = counted(table(array_bot("raise ValueError('ever')")))
    assert 300 <= entrants[0, E["errors"]] <= all_of_it[0, E["errors"]]


def test_calls_that_fail_whatever_is_asked_are_not_made_for_ever() -> None:
    text = array_bot("bot.calls += 1", "raise ValueError('ever')", more="    calls = 0\n")
    some = table(text, hands=3000)
    lockstep = Lockstep(some, SEED)
    lockstep.play_all([Batch(0, 0, 0, 3000, 3000)])
    assert type(lockstep.ready.arrays[0]._player).calls < 4000


# Nothing of others


def test_arrays_hold_nothing_of_others_and_spoil_nothing() -> None:
    spoiler = array_bot(
        "for given in (views, u, memory):",
        "    owner = given",
        "    while isinstance(owner.base, np.ndarray):",
        "        owner = owner.base",
        "    owner.view(np.uint8)[:] = 255",
        "return base",
        more="\n    def observe_batch(self, outcomes, memory):\n        outcomes.view(np.uint8)[:] = 255\n",
    )
    careful = array_bot(
        "if (views['my_once'] < 0).any():",
        "    raise ValueError('spoilt')",
        "return np.where(views['raise_min'] > 0, RAISE, STAY)",
    )
    plain = array_bot("return base")
    spoilt, honest = (table(text, careful, on_error="stop") for text in (spoiler, plain))
    assert counted(spoilt)[0] == counted(honest)[0]
    assert counted(spoilt)[1].tolist() == counted(honest)[1].tolist()


# Blocks that a run does not have


@pytest.mark.parametrize("hands", [10, 16_384 + 10])
def test_nothing_is_played_beyond_the_end(hands: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    decide = ArrayPlayer.decide

    def counting(self: ArrayPlayer, views: np.ndarray, memory: np.ndarray, words: np.ndarray) -> np.ndarray:
        asked.append(len(views))
        return decide(self, views, memory, words)

    monkeypatch.setattr(ArrayPlayer, "decide", counting)
    some = table(array_bot("return base"), hands=hands)
    _, entrants = counted(some)
    assert 3 * hands < sum(asked) < 7 * hands
    assert entrants[0, E["hands"]] == hands
    with pytest.raises(ValueError, match="and no more"):
        play_batch(some, SEED, Batch(0, 0, 0, hands + 1, hands + 1))


def test_what_is_played_does_not_depend_on_how_much_follows() -> None:
    few, many = (table(array_bot("return base"), hands=hands) for hands in (700, 3000))
    part = Batch(0, 0, 0, 700, 700)
    assert play_batch(few, SEED, part).table.tolist() == play_batch(many, SEED, part).table.tolist()


# Observers


OBSERVERS = {
    "array": array_bot(
        "return base",
        more="\n    def observe_batch(self, outcomes, memory):\n        if (outcomes['pot'] % 3 == 0).any():\n"
        "            raise ValueError('array')\n",
    ),
    "python": "@strategy\nclass bot:\n    def act(self, view, u):\n        return STAY\n\n"
    "    def observe(self, outcome):\n        if outcome.pot % 3 == 0:\n            raise ValueError('python')\n",
    "compiled": "def told(outcome, params, memory):\n    if outcome.pot % 3 == 0:\n        raise ValueError('compiled')"
    "\n\n\n@strategy(observe=told)\ndef bot(view, params, memory, u):\n    return STAY\n",
}


def test_observers_that_fail_beside_rows_are_shown_with_their_hand() -> None:
    some = table(*OBSERVERS.values(), hands=60)
    _, entrants = counted(some)
    errors = np.zeros(3, dtype=int)
    for number in range(60):
        for fault in replay_hand(some, SEED, number).faults:
            kind = list(OBSERVERS)[int(fault.entrant[-1])]
            errors[int(fault.entrant[-1])] += 1
            assert f"ValueError: {kind}" in fault.reason
            assert "when told how it ended" in str(fault)
    assert errors.tolist() == entrants[:3, E["errors"]].tolist()
    assert errors.min() > 5
    with pytest.raises(StrategyFault, match=r"when told how it ended, seat \d: .*ValueError: ") as caught:
        counted(replace(some, on_error="stop"))
    fault = caught.value.fault
    assert fault is not None
    assert fault in replay_hand(replace(some, on_error="stop"), SEED, fault.number).faults


# Finding hands


def test_hands_of_a_group_are_found_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    passes = []
    record = Lockstep.record
    monkeypatch.setattr(Lockstep, "record", lambda self, *given: passes.append(1) or record(self, *given))
    some = table(array_bot("return np.where(views['raise_min'] > 0, RAISE, STAY)"), FAILS["raises"], hands=400)
    shown = {number: replay_hand(some, SEED, number).hand.events for number in range(0, 400, 40)}
    passes.clear()
    found = list(Search(Sought(some, SEED, Condition.read("pot > 0"), (0, 400))))
    assert len(passes) == 1
    assert [one.number for one in found] == list(range(400))
    assert {one.number: one.hand.events for one in found if one.number in shown} == shown


def test_an_exception_that_says_nothing_is_told_by_its_kind() -> None:
    silent = array_bot("class Mute(Exception):", "    def __str__(self):", "        raise self", "raise Mute")
    with pytest.raises(StrategyFault, match=r"bot.py, line \d+: Mute: \(its text cannot be had: Mute\)$"):
        counted(table(silent, on_error="stop"))
