"""Strategies that cannot begin, are slow, fork, keep what they should not: each ends in a sentence, or plays fair."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from small_experiments import entrant, experiment, scenario, written
from test_misbehaving import HEADER, SINGLE, array_bot, config, digest_of, indented, process, python_bot

from razz_sim.batch import Loop, StrategyFault, play_batch, replay_hand
from razz_sim.experiment import Batch, Experiment, Limits, Session
from razz_sim.runner import Told, TooSlow, play, prepare_all
from razz_sim.strategy import StrategyError, check_params, find_strategy, first_load
from razz_sim.tally import ENTRANT_COLUMNS

E = {name: place for place, name in enumerate(ENTRANT_COLUMNS)}


def played_in_pieces(text: str, piece: int, session: Session = SINGLE, hands: int = 120) -> list[object]:
    """What a table with this strategy counts, played so many blocks at a time."""
    some = replace(scenario((written("bot", text, 2), entrant("fish", "caller")), hands=hands), session=session)
    loop = Loop(some, 7)
    parts = []
    for first in range(0, some.blocks, piece):
        stop = min(first + piece, some.blocks)
        parts.append(loop.play(Batch(0, 0, first, stop, (stop - first) * session.hands)))
        if piece == 1:
            loop = Loop(some, 7)
    table, entrants = sum(part.table for part in parts), sum(part.entrants for part in parts)
    return [table.tolist(), entrants.tolist()]  # type: ignore[union-attr]


# What is kept from block to block


def of_class(*lines: str) -> str:
    return "@strategy\nclass bot:\n" + indented(*lines, by=4)


KEEPS = {
    "new parameters": of_class(
        "def act(self, view, u):",
        "    self.params = (*self.params, 1)",
        "    return raise_or_stay(view) if len(self.params) % 7 == 0 else STAY",
    ),
    "a slot": of_class(
        "__slots__ = ('n', '__dict__')",
        "",
        "def act(self, view, u):",
        "    self.n = getattr(self, 'n', 0) + 1",
        "    return raise_or_stay(view) if self.n % 3 == 0 else STAY",
    ),
    "a list": "@strategy\nclass bot(list):\n"
    + indented(
        "def act(self, view, u):",
        "    self.append(1)",
        "    return raise_or_stay(view) if len(self) % 3 == 0 else STAY",
        by=4,
    ),
}


@pytest.mark.parametrize("name", KEEPS)
def test_nothing_is_kept_over_blocks_wherever_a_run_is_cut(name: str) -> None:
    assert played_in_pieces(KEEPS[name], 1) == played_in_pieces(KEEPS[name], 120)


def test_a_class_with_slots_plays() -> None:
    slots = of_class("__slots__ = ('params',)", "", "def act(self, view, u):", "    return STAY")
    assert played_in_pieces(slots, 7) == played_in_pieces(python_bot("return STAY"), 120)


def test_an_outcome_that_is_kept_stays_what_it_was() -> None:
    text = of_class(
        "kept = None",
        "def act(self, view, u):",
        "    if self.kept is not None:",
        "        assert (self.kept.seat, list(self.kept.hole)) == self.seen",
        "    return STAY",
        "",
        "def observe(self, outcome):",
        "    self.kept, self.seen = outcome, (outcome.seat, list(outcome.hole))",
    )
    played_in_pieces(text, 3, Session(hands=20))


# Answers that are none


@pytest.mark.parametrize("answer", [-1, -97, -98, -99, -(2**63) + 5])
@pytest.mark.parametrize("on_error", ["stop", "fold"])
def test_an_answer_below_nought_is_an_answer_that_is_none(answer: int, on_error: str) -> None:
    text = f"@strategy\ndef bot(view, params, memory, u):\n    return {answer} if view.street == 5 else STAY\n"
    some = scenario((written("bad", text), entrant("fish", "caller", 2)), hands=40)
    some = replace(some, on_error=on_error)  # type: ignore[arg-type]
    batch = Batch(0, 0, 0, 40, 40)
    said = f"its answer {max(answer, -(2**62))} is not FOLD"
    if on_error == "stop":
        with pytest.raises(StrategyFault, match=said):
            play_batch(some, 7, batch)
        return
    errors = play_batch(some, 7, batch).entrants[0, E["errors"]]
    faults = [fault for number in range(40) for fault in replay_hand(some, 7, number).faults]
    assert errors == len(faults) > 10
    assert all(said in fault.reason for fault in faults)


def test_an_exception_without_text_is_an_error_like_any() -> None:
    text = (
        "class Odd(BaseException):\n    def __str__(self):\n        raise RuntimeError\n\n    __repr__ = __str__\n\n\n"
    )
    text += python_bot("if view.street == 5:", "    raise Odd", "return STAY")
    some = scenario((written("bad", text), entrant("fish", "caller", 2)), hands=40)
    with pytest.raises(StrategyFault, match=r"Odd: \(its text cannot be had: RuntimeError\)"):
        play_batch(some, 7, Batch(0, 0, 0, 40, 40))


# Files


FILES = {
    "ends the process": ("import os\nos._exit(0)\n", "it ends the process with exit code 0"),
    "raises what has no text": (
        "class Odd(BaseException):\n    def __str__(self):\n        raise ValueError\n\n\nraise Odd\n",
        r"line 6: Odd: \(its text cannot be had: ValueError\)",
    ),
    "leaves by GeneratorExit": ("raise GeneratorExit\n", "line 1: GeneratorExit"),
    "hangs": ("import time\ntime.sleep(60)\n", "it did not come to its end within 1 s"),
    "hangs in machine code": ("import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')\n", "its end within 1 s"),
    "too deep for the parser": (f"x = {'-' * 100_000}1\n", "MemoryError|RecursionError"),
    "a sum too deep": (f"x = {'0+' * 10_000}0\n", "MemoryError|RecursionError"),
    "towers of powers": (
        HEADER + "@strategy\ndef bot(view, params, memory, u):\n    return (((9**1000)**1000)**1000)**1000\n",
        "does not fit into 64 bits",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_does_not_load_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_load, "LOAD_SECONDS", 1.0)
    text, why = FILES[name]
    (tmp_path / "bot.py").write_text(text)
    with pytest.raises(StrategyError, match=why):
        find_strategy("bot.py:bot", tmp_path)


def test_only_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "bot.py")
    with pytest.raises(StrategyError, match=r"bot\.py is not a file"):
        find_strategy("bot.py:bot", tmp_path)


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("\ufeff" + HEADER + python_bot("return STAY"), encoding="utf-8")
    assert find_strategy("bot.py:bot", tmp_path).kind == "python"


def test_what_is_printed_while_loading_is_not_among_results(tmp_path: Path) -> None:
    path = config(tmp_path, "print('loading')\n\n\n" + python_bot("return STAY"))
    done = process(tmp_path, "run", path, "--json", "--hands", 10)
    assert done.returncode == 0, done.stderr
    json.loads(done.stdout)
    assert done.stderr.count("loading") == 1


# Classes that cannot be made


MAKING = "def __init__(self):"
UNMADE = {
    "raises": (["    raise ValueError('three')"], "line 8: ValueError: three"),
    "hangs": (["    while True:", "        pass"], "it takes longer than limits.decision_ms, 100 ms"),
    "ends the process": (["    os._exit(0)"], "it ended the process: it ended with exit code 0"),
}


def unmade(lines: list[str], kind: Callable[..., str] = python_bot) -> Experiment:
    head = f"{MAKING}\n        if self.params.n != 3:\n            return\n" + indented(*lines, by=4)
    text = kind("return STAY").replace("@strategy\n", "@strategy(n=whole(1, 0, 9, 'a number'))\n")
    text = "import os\nfrom razz_sim.strategy import whole\n\n\n" + text
    text = text.replace("class bot:\n", f"class bot:\n    {head}\n")
    one = written("bad", text)
    three = replace(one, name="three", params=check_params(one.strategy, {"n": 3}))
    some = experiment(scenario((one, three), hands=10))
    return replace(some, limits=Limits(decision_ms=100))


@pytest.mark.parametrize("kind", [python_bot, array_bot])
@pytest.mark.parametrize("name", UNMADE)
def test_a_class_is_tried_with_its_own_parameters(name: str, kind: Callable[..., str]) -> None:
    lines, why = UNMADE[name]
    why = why.replace("line 8: ", r"line \d+: ")
    with pytest.raises(StrategyError, match=rf"bad.py:bot with n=3 cannot be made: .*{why}"):
        prepare_all(unmade(lines, kind))


# Slow ones


def slow(*, batch_s: int, hands: int = 8) -> Experiment:
    """A decision takes long, but no longer than it may."""
    some = scenario(
        (written("slow", python_bot("time.sleep(0.03)", "return STAY")), entrant("fish", "caller")), hands=hands
    )
    return replace(experiment(some), limits=Limits(batch_s=batch_s))


def test_a_slow_strategy_is_given_few_hands_at_once() -> None:
    _, tallies, verdicts = digest_of(slow(batch_s=3), kind="local")
    assert (tallies[0].hands, verdicts) == (8, [])


ON_RAY = [pytest.param("ray", marks=pytest.mark.ray)] if "RAZZ_SIM_LONG" in os.environ else []


@pytest.mark.parametrize("kind", ["local", *ON_RAY])
def test_a_batch_that_takes_too_long_accuses_nobody(kind: str) -> None:
    text = python_bot("time.sleep(0.2)", "return STAY")
    whole_block = replace(scenario((written("slow", text), entrant("fish", "caller")), hands=20), session=Session(20))
    some = replace(experiment(whole_block), limits=Limits(batch_s=1))
    with pytest.raises(TooSlow, match=r"batch with block 0 of scenario '2/4' .*batch_s, 1 s: .*batch_s=10"):
        play(some, lambda part: None, kind=kind, workers=1)


WATCHED = """
import os, re, sys, time
from razz_sim.experiment import Limits
from razz_sim.runner.watch import watched_from_outside
from razz_sim.table.record import P_CALLS, P_COPY

with watched_from_outside(Limits(decision_ms=100, batch_s=1)).task() as pulse:
    pulse[P_CALLS] += 1
    pulse[P_COPY] = 0
    {what}
"""


@pytest.mark.parametrize(
    ("what", "code"),
    [
        ("os.kill(os.getpid(), 19)", -9),
        ("re.match('(a+)+$', 'a' * 40 + 'b')", -9),
        ("while not pulse[0]:\n        pulse[P_CALLS] += 1\n        time.sleep(0.01)", 0),
    ],
    ids=["stops its process", "holds Python's lock", "slow, but no decision is"],
)
def test_a_worker_is_watched_from_outside(what: str, code: int) -> None:
    done = subprocess.run([sys.executable, "-c", WATCHED.format(what=what)], timeout=60, check=False)
    assert done.returncode == code


# Forks, and what they write


def test_a_strategy_that_forks_plays_once() -> None:
    text = python_bot("if u % 50 == 0:", "    os.fork()", "return STAY")
    some = experiment(scenario((written("bot", text), entrant("fish", "caller", 2)), hands=300))
    honest = experiment(scenario((written("bot", python_bot("return STAY")), entrant("fish", "caller", 2)), hands=300))
    assert digest_of(some, kind="local")[0] == digest_of(honest, kind="local")[0]


def test_what_is_written_among_results_ends_in_a_sentence(tmp_path: Path) -> None:
    write = ["for file in range(3, 40):", "    try:", "        os.write(file, b'hello there')", "    except OSError:"]
    text = python_bot("if u % 50 == 0:", *(f"    {line}" for line in write), "            pass", "return STAY")
    done = process(tmp_path, "run", config(tmp_path, text))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "it sent what is no result" in done.stderr or "it ended with" in done.stderr


@pytest.mark.slow
def test_a_run_of_many_verdicts_can_be_resumed_for_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["razz_sim.runner.play"], "MOST_VERDICTS", 3)
    text = python_bot("if view.street == 5:", "    os._exit(1)", "return STAY")
    some = replace(scenario((written("bot", text), entrant("fish", "caller", 2)), hands=40), on_error="fold")
    verdicts: list[object] = []
    for times in (1, 2):
        with pytest.raises(StrategyFault, match="or resume the run for up to"):
            play(experiment(some), Told(lambda part: None, verdicts.append), verdicts=list(verdicts), kind="local")  # type: ignore[arg-type]
        assert len(verdicts) == 3 * times


def test_memory_that_a_compiled_strategy_does_not_get_is_missing_again(tmp_path: Path) -> None:
    text = "import numpy as np\n\n\n@strategy\ndef bot(view, params, memory, u):\n    if view.street == 5:\n"
    text += "        more = np.zeros(400_000_000)\n        more[5] = 1.0\n        return STAY if more[5] > 0 else 0\n"
    path = config(tmp_path, text + "    return STAY\n", on_error="fold", hands=60)
    done = process(tmp_path, "run", path, "--json")
    assert done.returncode == 0, done.stderr
    errors = json.loads(done.stdout)["scenarios"][0]["entrants"][0]["errors"]
    assert errors["count"] > 10
    assert "MemoryError" in errors["first"]["error"]
    (folder,) = (tmp_path / "results" / "bad").iterdir()
    assert "MemoryError" in process(tmp_path, "hand", folder, errors["first"]["where"]).stderr
    assert process(tmp_path, "verify", folder, "--all").returncode == 0
