"""The program as a user meets it: what it prints, what it leaves, how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from in_process import razz_sim

ROOT = Path(__file__).parent.parent
PROGRAM = Path(sys.executable).with_name("razz-sim")
QUICKSTART = ROOT / "configs" / "quickstart.yaml"


def process(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program to its end as a shell would."""
    command = [str(PROGRAM), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, check=False)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a short local run."""
    out = tmp_path_factory.mktemp("results")
    done = process("run", QUICKSTART, "--hands", "20_000", "--runner", "local", "--out", out, "--quiet")
    assert done.returncode == 0, done.stderr
    folder = Path(done.stdout.removeprefix("results in ").strip())
    assert folder.parent == out / "quickstart"
    return folder


def test_a_run_leaves_what_the_readme_names(played: Path) -> None:
    assert {path.name for path in played.iterdir()} - {".lock"} == {
        "journal.bin",
        "manifest.json",
        "summary.json",
        "bins.parquet",
        "totals.parquet",
        "plays.parquet",
        "classes.parquet",
        "histogram.parquet",
    }
    summary = json.loads((played / "summary.json").read_text())
    assert summary["name"] == "quickstart"
    assert summary["hands"] == 20_000
    hero, fish = summary["scenarios"][0]["entrants"]
    assert (hero["name"], hero["hands"], fish["hands"]) == ("hero", 20_000, 100_000)
    assert hero["ci95"][0] < hero["bb_per_100"] < hero["ci95"][1]
    rake = summary["scenarios"][0]["pots"]["rake"]["total_units"]
    assert hero["net_units"] + fish["net_units"] + rake == 0


def test_json_is_the_summary_alone(played: Path, tmp_path: Path) -> None:
    done = process("run", QUICKSTART, "--hands", 20_000, "--runner", "local", "--out", tmp_path, "--json")
    summary = json.loads(done.stdout)
    assert summary["digest"] == json.loads((played / "summary.json").read_text())["digest"]
    assert {"name", "hands", "hands_per_second", "digest", "runner", "scenarios"} <= summary.keys()


def test_a_second_run_overwrites_nothing(tmp_path: Path) -> None:
    for _ in range(2):
        razz_sim("run", QUICKSTART, "--hands", 10, "--runner", "local", "--out", tmp_path, "--quiet")
    assert len(list((tmp_path / "quickstart").iterdir())) == 2


def test_the_table_tells_the_answer_in_words(tmp_path: Path) -> None:
    done = process("run", QUICKSTART, "--hands", 20_000, "--runner", "local", "--out", tmp_path)
    for part in ("hero wins", "big bets per 100 hands", "bb/100", "mean pot", "showdown", "95 %", "results in"):
        assert part in done.stdout
    assert "\x1b" not in done.stdout, "no colour when piped"
    assert "hands/s" not in done.stderr, "no progress bar when piped"


@pytest.mark.parametrize("number", [0, 7, 19_999])
def test_any_hand_is_shown_and_replays(played: Path, number: int, tmp_path: Path) -> None:
    assert f"quickstart, hand {number} (1/1/{number}/0/0): 2.00/4.00" in razz_sim("hand", played, number).stdout
    phh = tmp_path / "hand.phh"
    phh.write_text(razz_sim("hand", played, number, "--format", "phh").stdout)
    done = razz_sim("replay", phh)
    assert (done.returncode, done.stdout) == (0, "1 of 1 hands are legal and end as recorded\n")
    text = tmp_path / "hand.txt"
    text.write_text(razz_sim("hand", played, f"1/{number}", "--format", "pokerstars").stdout)
    assert razz_sim("replay", text).returncode == 0


def test_a_broken_hand_is_told_and_ends_with_1(played: Path, tmp_path: Path) -> None:
    phh = tmp_path / "hand.phh"
    phh.write_text(razz_sim("hand", played, 7, "--format", "phh").stdout.replace('pb"', 'f"'))
    done = razz_sim("replay", phh)
    assert done.returncode == 1
    assert "hand.phh" in done.stdout
    assert "third street" in done.stdout
    assert razz_sim("replay", phh, "--json").stdout.startswith("[")


def test_lows_are_ranked_best_first() -> None:
    done = razz_sim("eval", "KsKd4c3h2s", "As2d3c4h5s", "6c4d3h2sAs")
    assert [line.split("  ")[-1] for line in done.stdout.splitlines()] == ["wheel", "six-four low", "pair of kings"]


WRONG: dict[str, tuple[Sequence[object], str]] = {
    "no such file": (["run", "nowhere.yaml"], "nowhere.yaml"),
    "a key": (["run", QUICKSTART, "--set", "stakes[0].bring_in=5"], "stakes[0].bring_in"),
    "hands": (["run", QUICKSTART, "--hands", "many"], "--hands many"),
    "runner": (["run", QUICKSTART, "--runner", "cloud"], "auto, local or ray"),
    "no hand": (["hand", "nowhere", "1"], "nowhere"),
    "a card": (["eval", "As2x"], "'2x' is not a card"),
    "a preset": (["replay", QUICKSTART, "--rules", "vegas"], "vegas"),
    "no strategy": (["strategies", "tigth"], "did you mean 'tight'?"),
    "a set without value": (["replay", QUICKSTART, "--set", "bets_per_round"], "OPTION=VALUE"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_input_is_a_sentence_and_exit_code_2(wrong: str, tmp_path: Path) -> None:
    arguments, sentence = WRONG[wrong]
    done = razz_sim(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir()), "nothing is left behind"


def test_a_strategy_file_beside_the_config_is_played(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(
        "from razz_sim.strategy import strategy, whole\n"
        "from razz_sim.view import STAY, raise_or_stay\n\n\n"
        "@strategy(street=whole(5, 3, 7, 'first street it raises on'))\n"
        "def late(view, params, memory, u):\n"
        '    """Waits."""\n'
        "    return raise_or_stay(view) if view.street >= params.street else STAY\n"
    )
    config = tmp_path / "late.yaml"
    config.write_text(
        QUICKSTART.read_text()
        .replace("strategy: tight, params: {limit: 8}", "strategy: bots.py:late, params: {street: 6}")
        .replace("name: quickstart", "name: late")
    )
    done = razz_sim(
        "run", config, "--hands", 1000, "--runner", "local", "--out", tmp_path / "out", "--json", cwd=Path("/")
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["scenarios"][0]["entrants"][0]["params"] == {"street": 6}
    folder = next((tmp_path / "out" / "late").iterdir())
    (tmp_path / "bots.py").unlink()
    shown = razz_sim("hand", folder, 3)
    assert shown.returncode == 0, "the run folder holds the strategy's source"


def test_a_strategy_that_fails_ends_the_run_with_1(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(
        "from razz_sim.strategy import strategy\n\n\n"
        "@strategy\ndef bad(view, params, memory, u):\n    return 1 + 0 // (view.street - 4)\n"
    )
    config = tmp_path / "bad.yaml"
    config.write_text(QUICKSTART.read_text().replace("strategy: tight, params: {limit: 8}", "strategy: bots.py:bad"))
    done = process("run", config, "--hands", 1000, "--runner", "local", "--out", tmp_path / "out")
    assert done.returncode == 1
    for part in ("'hero'", "fourth street", "bots.py, line 6", "ZeroDivisionError"):
        assert part in done.stderr
    assert "Traceback" not in done.stderr
