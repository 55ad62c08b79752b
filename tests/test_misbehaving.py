"""Bots that misbehave: each ends in what `on_error` says, is counted for whom it is, and spoils nobody else's game."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from in_process import razz_sim
from small_experiments import entrant, experiment, mixed_lineup, scenario, written

from razz_sim.batch import Fault, StrategyFault, Verdict, play_batch, replay_hand
from razz_sim.experiment import Batch, Experiment, Limits, OnError, Scenario, Session
from razz_sim.runner import Told, play
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally, digest

SEED = 7
E = {name: place for place, name in enumerate(ENTRANT_COLUMNS)}
T = {name: place for place, name in enumerate(TABLE_COLUMNS)}
SINGLE = Session()
PROGRAM = Path(sys.executable).with_name("razz-sim")

WHEN = "view.street == 5 and view.seat % 2 == 0"


def python_bot(*lines: str) -> str:
    """A class whose act has these lines."""
    return "import os, sys, time\n\n\n@strategy\nclass bot:\n    def act(self, view, u):\n" + indented(*lines, by=8)


def compiled_bot(*lines: str) -> str:
    """A function with these lines; `abort()` ends the process."""
    before = "import ctypes\nimport numpy as np\n\nabort = ctypes.CDLL(None).abort\n"
    before += "abort.restype, abort.argtypes = None, []\n"
    return f"{before}\n\n@strategy\ndef bot(view, params, memory, u):\n" + indented(*lines, by=4)


def array_bot(*lines: str) -> str:
    """A class whose act_batch has these lines."""
    before = "import numpy as np\n\n\n@strategy\nclass bot:\n    def act_batch(self, views, memory, u):\n"
    return before + indented(*lines, by=8)


def indented(*lines: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in lines)


ERRORS = {
    "compiled, raises": compiled_bot(f"if {WHEN}:", "    raise ValueError('no')", "return STAY"),
    "compiled, illegal": compiled_bot(f"return 77 if {WHEN} else STAY"),
    "python, raises": python_bot(f"if {WHEN}:", "    1 / 0", "return STAY"),
    "python, not a number": python_bot(f"return float('nan') if {WHEN} else STAY"),
    "python, a word": python_bot(f"return 'fold' if {WHEN} else STAY"),
    "python, nothing": python_bot(f"if not ({WHEN}):", "    return STAY"),
    "python, true": python_bot(f"return True if {WHEN} else STAY"),
    "python, huge": python_bot(f"return 2**70 if {WHEN} else STAY"),
    "python, exits": python_bot(f"return sys.exit(3) if {WHEN} else STAY"),
    "array, illegal": array_bot("return np.where((views['street'] == 5) & (views['seat'] % 2 == 0), 77, STAY)"),
}


def table_with(text: str, on_error: OnError, hands: int = 300, session: Session = SINGLE) -> Scenario:
    some = scenario((written("bad", text), entrant("fish", "caller", 2), entrant("dice", "random")), hands=hands)
    return replace(some, on_error=on_error, session=session)


def counted(some: Scenario) -> tuple[np.ndarray, np.ndarray]:
    found = play_batch(some, SEED, Batch(0, 0, 0, some.blocks, some.hands))
    return found.table, found.entrants


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_that_folds_is_a_check_or_fold(error: str) -> None:
    """As a strategy that checks or folds by itself there, but for the count; and nobody else is charged."""
    honest = compiled_bot(f"return stay_or_fold(view) if {WHEN} else STAY")
    table, entrants = counted(table_with(ERRORS[error], "fold"))
    expected_table, expected = counted(table_with(honest, "stop"))
    assert entrants[0, E["errors"]] > 20
    assert not entrants[1:, E["errors"]].any()
    assert not entrants[:, E["forfeits"]].any()
    entrants[0, E["errors"]] = 0
    assert table.tolist() == expected_table.tolist()
    assert entrants.tolist() == expected.tolist()


@pytest.mark.parametrize("session", [SINGLE, Session(hands=20), Session(hands=20, carry=True)], ids=str)
@pytest.mark.parametrize("error", ERRORS)
def test_an_error_that_forfeits_costs_the_stack(error: str, session: Session) -> None:
    some = table_with(ERRORS[error], "forfeit", session=session)
    table, entrants = counted(some)
    forfeits = int(entrants[0, E["forfeits"]])
    assert 3 < forfeits == entrants[0, E["errors"]] == table[T["forfeited_blocks"]] <= some.blocks
    assert not entrants[1:, E["forfeits"]].any()
    assert table[T["blocks"]] == some.blocks
    assert entrants[:, E["net"]].sum() + table[T["rake"]] == 0, "the chips stay at the table"
    assert entrants[0, E["net"]] < -forfeits * some.stack / 2
    if session.hands > 1:
        assert table[T["hands"]] < some.hands, "a block ends with the hand that cost the stack"


@pytest.mark.parametrize("error", ERRORS)
def test_an_error_that_stops_is_named_with_its_place(error: str) -> None:
    some = table_with(ERRORS[error], "stop")
    with pytest.raises(StrategyFault, match=r"'bad' \(strategy bad.py:bot\) failed in .* fifth street, seat") as caught:
        counted(some)
    fault = caught.value.fault
    assert fault is not None
    replayed = replay_hand(some, SEED, fault.number)
    assert replayed.faults == (fault,)
    assert replayed.hand.seat == fault.seat
    with pytest.raises(StrategyFault) as again:
        counted(some)
    assert again.value.fault == fault


def digest_of(some: Experiment, **how: Any) -> tuple[str, list[Tally], list[Verdict]]:
    tallies = [one.tally() for one in some.scenarios]
    verdicts: list[Verdict] = []
    play(
        some,
        Told(lambda part: part.add_to(tallies[part.batch.scenario]), verdicts.append),
        **how,
    )
    return digest(tallies), tallies, verdicts


RARE = "view.street == 5 and view.hole[0] == 3 and view.hole[1] < 4"
ENDINGS = {
    "compiled, hangs": compiled_bot(f"while {RARE} and u > np.uint64(0):", "    u = u | np.uint64(1)", "return STAY"),
    "python, holds the lock": "import re\n"
    + python_bot(f"if {RARE}:", "    re.match('(a+)+$', 'a' * 40 + 'b')", "return STAY"),
    "python, stops the process": python_bot(f"if {RARE}:", "    os.kill(os.getpid(), 19)", "return STAY"),
    "python, hangs": python_bot(f"while {RARE}:", "    pass", "return STAY"),
    "python, sleeps": python_bot(f"if {RARE}:", "    time.sleep(60)", "return STAY"),
    "python, eats": python_bot(f"if {RARE}:", "    bytearray(10**11)", "return STAY"),
    "compiled, crashes": compiled_bot(f"if {RARE}:", "    abort()", "return STAY"),
    "python, ends the process": python_bot(f"if {RARE}:", "    os._exit(3)", "return STAY"),
}
PATIENT = Limits(decision_ms=100, memory_mb=500)


def ending(name: str, on_error: OnError) -> Experiment:
    some = scenario((written("bad", ENDINGS[name]), *mixed_lineup()), hands=400)
    return replace(experiment(replace(some, on_error=on_error)), limits=PATIENT)


@pytest.mark.parametrize("name", ENDINGS)
def test_what_ends_or_holds_up_a_process_is_judged_once_and_played_as_a_fold(name: str) -> None:
    some = ending(name, "fold")
    found, tallies, verdicts = digest_of(some, kind="local")
    assert 1 <= len(verdicts) <= 5
    assert tallies[0].entrant_total(0, "errors") == len(verdicts)
    assert not tallies[0].entrants[:, 1:, E["errors"]].any()
    honest = compiled_bot(f"return stay_or_fold(view) if {RARE} else STAY")
    lineup = (replace(written("bad", honest), name="bad"), *some.scenarios[0].lineup[1:])
    _, expected, _ = digest_of(replace(some, scenarios=(replace(some.scenarios[0], lineup=lineup),)), kind="local")
    assert tallies[0].table.tolist() == expected[0].table.tolist()
    again, _, more = digest_of(some, kind="local", verdicts=verdicts)
    assert again == found
    assert more == []
    for block in {verdict.block for verdict in verdicts}:
        replayed = replay_hand(some.scenarios[0], some.seed, block, verdicts)
        assert [(fault.copy, fault.decision, fault.reason) for fault in replayed.faults] == [
            (verdict.copy, verdict.decision, verdict.reason) for verdict in sorted(verdicts) if verdict.block == block
        ]


ON_RAY = ["python, stops the process"]
if "RAZZ_SIM_LONG" in os.environ:
    ON_RAY += ["compiled, hangs", "python, holds the lock"]


@pytest.mark.ray
@pytest.mark.parametrize("name", ON_RAY)
def test_on_ray_the_same_is_judged(name: str) -> None:
    some = ending(name, "fold")
    expected, _, local = digest_of(some, kind="local")
    found, _, verdicts = digest_of(some, kind="ray", workers=2)
    assert found == expected
    assert {replace(one, reason="") for one in verdicts} == {replace(one, reason="") for one in local}


@pytest.mark.parametrize("name", ["compiled, hangs", "python, eats", "compiled, crashes"])
def test_where_errors_stop_the_place_is_named(name: str) -> None:
    told: list[Verdict] = []
    with pytest.raises(StrategyFault) as caught:
        play(ending(name, "stop"), Told(lambda part: None, told.append), kind="local")
    fault = caught.value.fault
    assert isinstance(fault, Fault)
    assert (fault.entrant, fault.street) == ("bad", 5)
    assert len(told) == 1, "kept, so that the hand can be looked at"


# As a user sees it

CONFIG = {
    "name": "bad",
    "hands": 400,
    "stakes": {"ante": 0.2, "bring_in": 1, "small_bet": 2, "big_bet": 4},
    "lineup": [{"name": "bad", "strategy": "bot.py:bot"}, {"strategy": "caller", "seats": 3}],
    "runner": {"kind": "local"},
}
HEADER = "from razz_sim.strategy import strategy\nfrom razz_sim.view import STAY\n\n\n"


def process(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(PROGRAM), *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )


def config(folder: Path, text: str, **keys: object) -> Path:
    (folder / "bot.py").write_text(HEADER + text)
    path = folder / "bad.yaml"
    path.write_text(yaml.safe_dump({**CONFIG, **keys}))
    return path


RAISES = python_bot("if view.street == 6:", "    raise ValueError('lost')", "return STAY")
ABORTS = compiled_bot("if view.street == 6:", "    abort()", "return STAY")


@pytest.mark.parametrize("text", [RAISES, ABORTS], ids=["raises", "aborts"])
def test_a_run_that_stops_shows_the_way_to_the_hand(tmp_path: Path, text: str) -> None:
    done = process(tmp_path, "run", config(tmp_path, text).name)
    assert done.returncode == 1, done.stderr
    assert "entrant 'bad' (strategy bot.py:bot) failed" in done.stderr
    assert "Traceback" not in done.stderr
    command = next(line for line in done.stderr.splitlines() if line.startswith("  razz-sim hand ")).split()
    shown = razz_sim(*command[1:], cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    assert "Sixth street" in shown.stdout
    assert "is to act and may" in shown.stdout
    assert "sixth street" in shown.stderr
    (folder,) = (tmp_path / "results" / "bad").iterdir()
    assert str(folder.relative_to(tmp_path)) in done.stderr
    again = razz_sim("run", "bad.yaml", "--resume", cwd=tmp_path)
    assert again.returncode == 1
    assert again.stderr.splitlines()[0] == done.stderr.splitlines()[0]


def test_errors_are_in_the_summary_with_the_first_and_its_command(tmp_path: Path) -> None:
    done = razz_sim("run", config(tmp_path, RAISES, on_error="fold"), "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    bad, fish = json.loads(done.stdout)["scenarios"][0]["entrants"]
    assert bad["errors"]["count"] == 400
    assert bad["errors"]["first"]["error"].endswith("ValueError: lost")
    assert fish["errors"] == {"count": 0, "forfeits": 0, "first": None}
    price, own, *_ = bad["errors"]["first"]["view"].splitlines()
    assert price.startswith("sixth street, pot ")
    seat = bad["errors"]["first"]["seat"]
    assert own.startswith(f"seat {seat} of 4 (view.seat {seat - 1}) holds [")
    (folder,) = (tmp_path / "results" / "bad").iterdir()
    shown = razz_sim("hand", folder, bad["errors"]["first"]["where"], cwd=tmp_path)
    assert shown.returncode == 0
    assert "ValueError: lost" in shown.stderr
    assert re.search(r"  bad       checks \(its strategy failed: .*bot.py, line 12: ValueError: lost\)\n", shown.stdout)
    report = razz_sim("report", folder, cwd=tmp_path)
    told = " ".join(report.stdout.split())
    assert "bad failed 400 times, first in hand 1/1/0/0/0, sixth street, seat " in told
    assert " ".join(own.split()) in told
    assert f"see it: razz-sim hand {folder} 1/1/0/0/0" in told
    assert razz_sim("verify", folder, "--all", cwd=tmp_path).returncode == 0


@pytest.mark.slow
def test_a_run_with_verdicts_is_verified_and_resumed(tmp_path: Path) -> None:
    rare = ABORTS.replace("view.street == 6", "view.street == 6 and view.hole[0] == 3 and view.hole[1] < 20")
    path = config(tmp_path, rare, on_error="forfeit")
    done = razz_sim("run", path, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "results" / "bad").iterdir()
    verdicts = json.loads((folder / "manifest.json").read_text())["verdicts"]
    errors = json.loads(done.stdout)["scenarios"][0]["entrants"][0]["errors"]
    assert 1 <= len(verdicts) == errors["count"] == errors["forfeits"]
    assert "SIGABRT" in errors["first"]["error"]
    assert razz_sim("verify", folder, "--all", cwd=tmp_path).returncode == 0
    longer = razz_sim("run", path, "--resume", "--hands", 800, "--json", cwd=tmp_path)
    assert longer.returncode == 0, longer.stderr
    fresh = razz_sim("run", path, "--hands", 800, "--json", cwd=tmp_path)
    assert json.loads(longer.stdout)["digest"] == json.loads(fresh.stdout)["digest"]


def test_what_strategies_print_is_shown_in_part_and_not_among_results(tmp_path: Path) -> None:
    text = python_bot("print('on street', view.street)", "return STAY")
    done = process(tmp_path, "run", config(tmp_path, text), "--json")
    assert done.returncode == 0
    json.loads(done.stdout)
    assert 10 < done.stderr.count("on street") <= 50
    assert "the rest is not shown" in done.stderr


# Beside strategies that are asked in rows


BESIDE = {
    "compiled": ("compiled, raises", "ValueError: no"),
    "python": ("python, raises", "ZeroDivisionError: division by zero"),
}


def beside_rows(text: str, on_error: OnError, hands: int = 60) -> Scenario:
    rows = written("rows", array_bot("return np.where(views['raise_min'] > 0, RAISE, STAY)"))
    some = scenario((written("bad", text), rows, entrant("fish", "caller")), hands=hands)
    return replace(some, on_error=on_error)


@pytest.mark.parametrize("kind", BESIDE)
def test_an_error_at_a_table_of_rows_is_told_in_its_own_words(kind: str) -> None:
    name, words = BESIDE[kind]
    with pytest.raises(StrategyFault, match=rf"'bad' .* fifth street, seat \d: .*{words}"):
        counted(beside_rows(ERRORS[name], "stop"))
    folds = beside_rows(ERRORS[name], "fold")
    _, entrants = counted(folds)
    told = [fault for number in range(12) for fault in replay_hand(folds, SEED, number).faults]
    assert entrants[0, E["errors"]] > 10
    assert len(told) >= 2
    assert all(words in fault.reason and fault.entrant == "bad" for fault in told)


FAILING_OBSERVERS = {
    "compiled": "def told(outcome, params, memory):\n    if outcome.showdown:\n        raise ValueError('lost')\n\n\n"
    "@strategy(observe=told)\ndef bot(view, params, memory, u):\n    return STAY\n",
    "python": "@strategy\nclass bot:\n    def act(self, view, u):\n        return STAY\n\n"
    "    def observe(self, outcome):\n        raise ValueError('lost')\n",
    "array": "import numpy as np\n\n\n@strategy\nclass bot:\n    def act_batch(self, views, memory, u):\n"
    "        return np.ones(len(views), dtype=int)\n\n    def observe_batch(self, outcomes, memory):\n"
    "        raise ValueError('lost')\n",
}


@pytest.mark.parametrize("rows", [False, True], ids=["alone", "beside rows"])
@pytest.mark.parametrize("kind", FAILING_OBSERVERS)
def test_an_observer_that_fails_is_an_error_of_its_strategy(kind: str, rows: bool) -> None:
    some = (
        beside_rows(FAILING_OBSERVERS[kind], "stop", hands=20) if rows else table_with(FAILING_OBSERVERS[kind], "stop")
    )
    with pytest.raises(StrategyFault, match=r"'bad' .* hand \d+, when told how it ended, seat \d: ") as caught:
        counted(some)
    if kind != "compiled" or not rows:
        assert "ValueError: lost" in str(caught.value)
    _, entrants = counted(replace(some, on_error="fold"))
    assert entrants[0, E["errors"]] == entrants[0, E["hands"]]
