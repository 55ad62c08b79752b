"""`razz-sim run` and `report` at their edges: where they may write, whom they ask, what they say while they wait."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tqdm import tqdm
from typer.testing import CliRunner

from razz_sim.cli import app, playing
from razz_sim.config import load_experiment
from razz_sim.experiment import Scenario
from razz_sim.statistics.estimates import Estimate

QUICKSTART = Path(__file__).parent.parent / "configs" / "quickstart.yaml"
LADDER = QUICKSTART.with_name("stakes_ladder.yaml")


def razz_sim(*arguments: object) -> tuple[int, str, str]:
    """Exit code, output and errors."""
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    return done.exit_code, done.stdout, done.stderr


def test_the_package_is_the_program() -> None:
    command = [sys.executable, "-m", "razz_sim", "eval", "As2d3c4h5s"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip().endswith("wheel")


def test_workers_are_not_for_a_cluster_at_an_address(tmp_path: Path) -> None:
    code, shown, errors = razz_sim("run", QUICKSTART, "--address", "auto", "--workers", 3, "--out", tmp_path)
    assert (code, shown) == (2, "")
    assert errors == "--workers 3: a cluster at --address plays with all the processors it has\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("below", ["", "runs", "runs/of/today"])
@pytest.mark.parametrize("command", [("run", QUICKSTART, "--hands", 10), ("merge", "nowhere")])
def test_a_file_where_a_folder_is_needed_is_wrong_input(
    tmp_path: Path, below: str, command: tuple[object, ...]
) -> None:
    (tmp_path / "taken").write_text("mine")
    out = tmp_path / "taken" / below
    code, shown, errors = razz_sim(*command, "--out", out)
    assert (code, shown) == (2, "")
    assert errors == f"--out {out}: {tmp_path / 'taken'} is a file; run folders go into a folder\n"
    assert (tmp_path / "taken").read_text() == "mine"


def test_folders_that_are_not_there_yet_are_made(tmp_path: Path) -> None:
    out = tmp_path / "a" / "b"
    code, shown, _ = razz_sim("run", QUICKSTART, "--hands", 10, "--runner", "local", "--out", out)
    assert code == 0
    assert re.search(rf"^digest [0-9a-f]{{16}}\nresults in {out}/quickstart/\S+\n\Z", shown, re.M)


def test_a_report_ends_with_its_digest_and_folder(tmp_path: Path) -> None:
    _, shown, _ = razz_sim("run", QUICKSTART, "--hands", 1000, "--runner", "local", "--out", tmp_path)
    folder = shown.splitlines()[-1].removeprefix("results in ")
    assert razz_sim("report", folder) == (0, f"{shown}report in {folder}/report.html\n", "")


def test_an_address_where_nobody_answers_is_wrong_input(tmp_path: Path) -> None:
    address = "127.0.0.1:1"
    code, _, errors = razz_sim("run", QUICKSTART, "--hands", 10, "--address", address, "--out", tmp_path)
    assert code == 2
    assert f"no Ray cluster answers at {address}: " in errors
    assert "Traceback" not in errors
    assert not list((tmp_path / "quickstart").iterdir()), "nothing is kept of a run without hands"


# The bar on a terminal


class Terminal(io.StringIO):
    """A file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def folder_of(config: Path, hands: int) -> Any:
    """What the bar asks of a run folder."""
    experiment = load_experiment(config, hands=hands).experiment
    return SimpleNamespace(experiment=experiment, hands=0, tallies=[None] * len(experiment.scenarios))


def batch_of(hands: int) -> Any:
    return SimpleNamespace(batch=SimpleNamespace(hands=hands, scenario=0))


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Not a fixture: pytest sets its own stderr again between a fixture and the test."""
    found = Terminal()
    monkeypatch.setattr(sys, "stderr", found)
    return found


def test_while_ray_starts_the_terminal_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    with playing._progress(folder_of(QUICKSTART, 1000), shown=True) as bar:
        bar.ray(None)
        assert terminal.getvalue().split("\r")[-1].strip() == "starting Ray ..."
        assert "hands/s" not in terminal.getvalue().split("\r")[-1]
        bar(folder_of(QUICKSTART, 1000), batch_of(400))
        tqdm.refresh(bar._bar)
        last = terminal.getvalue().split("\r")[-1]
    assert "400/1.00k" in last
    assert "starting" not in last


def test_the_speed_on_the_bar_begins_when_ray_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    with playing._progress(folder_of(QUICKSTART, 1000), shown=True) as bar:
        bar.ray(None)
        bar._bar.start_t -= 100.0  # a start of Ray that took long
        bar._bar.last_print_t -= 100.0
        bar(folder_of(QUICKSTART, 1000), batch_of(400))
        assert bar._bar.format_dict["elapsed"] < 50


@pytest.mark.parametrize(("starts", "shown"), [(False, True), (True, False)])
def test_nothing_is_said_of_ray_where_it_is_not_started_or_nobody_reads(
    monkeypatch: pytest.MonkeyPatch, starts: bool, shown: bool
) -> None:
    terminal = on_terminal(monkeypatch)
    with playing._progress(folder_of(QUICKSTART, 1000), shown=shown) as bar:
        if starts:
            bar.ray(None)
        bar(folder_of(QUICKSTART, 1000), batch_of(400))
    assert "Ray" not in terminal.getvalue()


@pytest.mark.parametrize(("blocks", "told"), [(29, ""), (30, "hero +5.00 ± 1.00 bb/100")])
def test_nobody_leads_after_a_few_blocks(monkeypatch: pytest.MonkeyPatch, blocks: int, told: str) -> None:
    def rates(scenario: Scenario, tally: object, place: int) -> SimpleNamespace:
        value = 5.0 if scenario.lineup[place].name in ("hero", "thief") else -5.0
        return SimpleNamespace(real=Estimate(value, 0.5, (value - 1, value + 1)))

    monkeypatch.setattr("razz_sim.statistics.rates.win_rates", rates)
    folders = folder_of(QUICKSTART, 1000), folder_of(LADDER, 1000)
    for folder in folders:
        folder.tallies = [SimpleNamespace(table_total=lambda column: blocks)] * len(folder.tallies)
    assert playing._leader(folders[0], 0) == told
    assert playing._leader(folders[1], 1) == (f"everleaf_0.05_0.10: {told}".replace("hero", "thief") if told else "")
