"""`razz-sim tournament`, `hand` and `hands` on runs of tournaments, through the program."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

import razz_sim
from razz_sim.cli import app
from razz_sim.report.page import is_page

BASE: dict[str, Any] = {
    "name": "events",
    "seed": 11,
    "format": "tournament",
    "tournaments": 6,
    "starting_stack": 500,
    "table": {"seats": 6},
    "levels": [
        {"hands": 6, "ante": 5, "bring_in": 10, "small_bet": 40, "big_bet": 80},
        {"hands": 6, "ante": 20, "bring_in": 30, "small_bet": 120, "big_bet": 240},
        {"hands": 6, "ante": 60, "bring_in": 100, "small_bet": 400, "big_bet": 800},
    ],
    "payouts": [50, 30, 20],
    "buy_in": {"prize": 10, "fee": 1},
    "lineup": [
        {"strategy": "tight", "seats": 7},
        {"strategy": "caller", "seats": 6},
        {"strategy": "maniac", "seats": 1},
    ],
}


def program(*arguments: object) -> Result:
    """What a command does."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of six tournaments with fourteen players."""
    return razz_sim.run(BASE, out=tmp_path_factory.mktemp("runs"), runner="local").folder


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of two scenarios of tournaments."""
    asked = {**BASE, "tournaments": 3, "sweep": {"starting_stack": [300, 600]}}
    return razz_sim.run(asked, out=tmp_path_factory.mktemp("runs"), runner="local").folder


@pytest.fixture(scope="module")
def single_hands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of hands at one table."""
    asked = {
        "name": "hands",
        "seed": 7,
        "hands": 60,
        "lineup": [{"strategy": "tight"}, {"strategy": "caller", "seats": 2}],
        "stakes": {"ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8},
    }
    return razz_sim.run(asked, out=tmp_path_factory.mktemp("runs"), runner="local").folder


def test_a_tournament_is_told(run: Path) -> None:
    done = program("tournament", run, 2)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith("events, tournament 2: 14 players at 3 tables of up to 6, 500 chips each")
    assert "prizes of 140 for 3 players\nwon by " in done.stdout
    assert done.stdout == program("tournament", run, "1/2").stdout
    assert len(re.findall(r" is out, ", done.stdout)) == 13


def test_json_and_the_hands_that_it_names(run: Path) -> None:
    found = json.loads(program("tournament", run, 3, "--json").stdout)
    assert [one["place"] for one in found["players"]][:2] == [[1, 1], [2, 2]]
    assert [one["prize"] for one in found["players"]][:4] == ["70", "42", "28", "0"]
    for one in found["players"][1:5]:
        out = one["out"]
        shown = program("hand", run, out["hand"])
        assert shown.exit_code == 0, shown.stderr
        _, number = out["hand"].split(":")
        title = shown.stdout.splitlines()[0]
        assert title.startswith(f"events, tournament 3, hand {number} (1/3:{number}), level {out['level']}, ")
        assert f", table {out['table']}, " in title
        assert re.search(rf"^  {re.escape(one['name'])} +has {out['stack']}\b", shown.stdout, re.MULTILINE)
        assert re.search(rf"^  {re.escape(one['name'])} +0 \(-{out['stack']}\)", shown.stdout, re.MULTILINE)


def test_all_tells_more_than_the_summary_of_many(tmp_path: Path) -> None:
    asked = {
        **BASE,
        "tournaments": 1,
        "lineup": [{"strategy": "tight", "seats": 20}, {"strategy": "caller", "seats": 20}],
    }
    folder = razz_sim.run(asked, out=tmp_path, runner="local").folder
    short, whole = (program("tournament", folder, 0, *option).stdout for option in ((), ("--all",)))
    assert "The final table" in short
    assert " is out, " not in short
    assert whole.count(" is out, ") == 39


def test_scenarios_are_named_as_for_hands(sweep: Path) -> None:
    done = program("tournament", sweep, "2/1")
    assert done.exit_code == 0, done.stderr
    assert "600 chips each" in done.stdout
    title = done.stdout.split(":")[0]
    assert title.startswith("events, ")
    assert title.endswith(", tournament 1")
    assert program("hand", sweep, "2/1:0").stdout.startswith(title)


@pytest.mark.parametrize("where", ["0:0", "5:3", "1/4:17"])
def test_files_of_its_hands_replay(run: Path, where: str, tmp_path: Path) -> None:
    text = program("hand", run, where, "--format", "phh").stdout
    assert re.search(r"^level = \d+$", text, re.MULTILINE)
    assert re.search(r"^_players_left = \d+$", text, re.MULTILINE)
    stars = program("hand", run, where, "--format", "pokerstars").stdout
    assert re.match(r"PokerStars Hand #\d+: Tournament #\d+, 10\+1 Razz Limit - Level I+ \(", stars)
    (tmp_path / "hand.phh").write_text(text, encoding="utf-8")
    (tmp_path / "hand.txt").write_text(stars, encoding="utf-8")
    done = program("replay", tmp_path / "hand.phh")
    assert (done.exit_code, done.stdout) == (0, "1 of 1 hands are legal and end as recorded\n")
    done = program("replay", tmp_path / "hand.txt", "--rules", "wsop_tournament")
    assert (done.exit_code, done.stdout) == (0, "1 of 1 hands are legal and end as recorded\n")


def test_hands_are_found_and_written(run: Path, tmp_path: Path) -> None:
    done = program(
        "hands",
        run,
        "--where",
        "tournament == 4 and level == 2 and players_left < 12",
        "--format",
        "phh",
        "--out",
        tmp_path,
    )
    assert done.exit_code == 0, done.stderr
    files = sorted(tmp_path.iterdir())
    assert files
    assert all(re.fullmatch(r"1-4-\d+\.phh", file.name) for file in files)
    assert f"{len(files)} hands" in done.stderr
    assert program("replay", *files).exit_code == 0
    assert "tournament" in program("hands", run, "--names").stdout


REFUSED = {
    ("tournament", "6"): "there is no tournament 6 in scenario '{name}': they are 0 to 5",
    ("tournament", "-1"): "there is no tournament -1 in scenario '{name}': they are 0 to 5",
    ("tournament", "first"): "'first' is no number of a tournament: a tournament is T or SCENARIO/T, for one 0",
    ("tournament", "2/0"): "there is no scenario 2: the run has one, number 1",
    ("tournament", "0:3"): "'0:3' is a hand of a tournament: razz-sim hand shows it, razz-sim tournament takes T",
    ("hand", "3"): "'3' is no hand of a tournament: a place is T:H or SCENARIO/T:H, for one 0:0",
    ("hand", "6:0"): "there is no tournament 6 in scenario '{name}': they are 0 to 5",
    ("hand", "0:100000"): "tournament 0 has ",
}


@pytest.mark.parametrize("command", REFUSED, ids=" ".join)
def test_what_is_not_there_is_refused(run: Path, command: tuple[str, str]) -> None:
    done = program(command[0], run, command[1])
    name = json.loads((run / "summary.json").read_text())["scenarios"][0]["name"]
    assert done.exit_code == 2
    assert done.stdout == ""
    assert REFUSED[command].format(name=name) in done.stderr


def test_runs_of_single_hands_have_no_tournaments(single_hands: Path) -> None:
    done = program("tournament", single_hands, 0)
    assert done.exit_code == 2
    assert "plays no tournaments: razz-sim hand shows the hands of such a run" in done.stderr
    done = program("hand", single_hands, "0:3")
    assert done.exit_code == 2
    assert "'0:3' is a hand of a tournament, but scenario" in done.stderr
    done = program("hands", single_hands, "--where", "players_left > 2")
    assert done.exit_code == 2
    assert "is known of tournaments only" in done.stderr
    done = program("report", single_hands, "--tournament", 0)
    assert done.exit_code == 2
    assert "plays no tournaments" in done.stderr


def test_the_report_draws_the_tournament_that_is_asked_for(run: Path, tmp_path: Path) -> None:
    for option, number in (((), 0), (("--tournament", "4"), 4)):
        done = program("report", run, "--out", tmp_path / "page.html", *option)
        assert done.exit_code == 0, done.stderr
        assert is_page(tmp_path / "page.html")
        assert f"Tournament {number}" in (tmp_path / "page.html").read_text(encoding="utf-8")
    done = program("report", run, "--out", tmp_path / "page.html", "--tournament", "77")
    assert done.exit_code == 2
    assert "--tournament 77: there is no tournament 77" in done.stderr


FAILS = """
from razz_sim.strategy import strategy
from razz_sim.view import STAY


@strategy
class fails:
    def act(self, view, u):
        print("asked at level", view.level)
        if view.level > 1:
            raise ValueError("too high for me")
        return STAY
"""


def test_an_unfinished_run_tells_where_it_ended(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(FAILS, encoding="utf-8")
    asked = {**BASE, "lineup": [{"strategy": f"{tmp_path}/bots.py:fails"}, {"strategy": "tight", "seats": 5}]}
    (tmp_path / "fails.yaml").write_text(json.dumps(asked), encoding="utf-8")
    done = program("run", tmp_path / "fails.yaml", "--out", tmp_path / "results", "--runner", "local")
    assert done.exit_code == 1
    [folder] = (tmp_path / "results" / "events").iterdir()
    place = re.search(r"razz-sim hand \S+ 1/(\d+):(\d+)", done.stderr)
    assert place is not None
    number, hand = place.groups()
    done = program("tournament", folder, number)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "too high for me" in done.stderr
    assert f"razz-sim hand {folder} 1/{number}:{hand}" in done.stderr
    shown = program("hand", folder, f"{number}:{hand}")
    assert shown.exit_code == 0
    assert "too high for me" in shown.stderr
    assert "asked at level" not in shown.stdout
    done = program("hands", folder, "--where", f"tournament == {number}", "--limit", 500)
    assert done.exit_code == 0
    assert f"{hand} hands" in done.stderr


def test_a_run_of_some_tournaments_has_only_these(tmp_path: Path) -> None:
    (tmp_path / "some.yaml").write_text(json.dumps(BASE), encoding="utf-8")
    done = program("run", tmp_path / "some.yaml", "--out", tmp_path, "--runner", "local", "--blocks", "2:4")
    assert done.exit_code == 0, done.stderr
    [folder] = (tmp_path / "events").iterdir()
    assert program("tournament", folder, 3).exit_code == 0
    for command, where in (("tournament", "1"), ("hand", "1:0")):
        done = program(command, folder, where)
        assert done.exit_code == 2
        assert "only tournaments 2 to 3 of scenario" in done.stderr
