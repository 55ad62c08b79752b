"""`razz-sim validate` and `razz-sim schema` as a user meets them."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console
from typer.testing import CliRunner

from razz_sim.cli import configs as cli
from razz_sim.config import json_schema, load_experiment
from razz_sim.report import about, print_schedule

CONFIGS = Path(__file__).parent.parent / "configs"


def razz_sim(*arguments: object) -> tuple[int, str, str]:
    """Exit code, output and errors."""
    done = CliRunner().invoke(cli.app, [str(one) for one in arguments])
    return done.exit_code, done.stdout, done.stderr


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_the_schedule_has_every_scenario_and_sums_that_add_up() -> None:
    code, shown, _ = razz_sim("validate", CONFIGS / "stakes_ladder.yaml")
    experiment = load_experiment(CONFIGS / "stakes_ladder.yaml").experiment
    assert code == 0
    number = r"([0-9,]+)"
    rows = [
        re.search(rf"^  {re.escape(scenario.name)} .* {number} +{number}$", shown, re.M)
        for scenario in experiment.scenarios
    ]
    total = re.search(rf"^  11 scenarios +{number} +{number}$", shown, re.M)
    assert total
    counted = [[int(part.replace(",", "")) for part in row.groups()] for row in rows if row]
    assert len(counted) == len(experiment.scenarios)
    assert [sum(column) for column in zip(*counted, strict=True)] == [
        int(part.replace(",", "")) for part in total.groups()
    ]
    assert sum(row[0] for row in counted) == experiment.hands
    last = shown.splitlines()[-1]
    assert re.search(
        rf"stakes_ladder.yaml is playable: {experiment.hands:,} hands, (about|under) .* on one processor", last
    )
    assert not any(line.endswith(" ") for line in shown.splitlines())


def test_what_would_be_played_is_told_in_full() -> None:
    rules = "rules={preset: wsop_live, bets_per_round: 4}"
    code, shown, _ = razz_sim("validate", CONFIGS / "quickstart.yaml", "--set", rules, "--hands", "3e5", "--seed", 9)
    assert code == 0
    assert squeezed(shown).startswith(
        "quickstart rules wsop_live with bets_per_round 4, fixed limit "
        "stakes 2/4, ante 0.20, bring-in 1, rake 5 % up to 2 "
        "stacks 100 big bets session single hands line-up hero: tight (limit 8); fish: caller in 5 seats "
        "hands 300,000, seed 9 runner auto with 2 workers scenario hands bins 2/4 300,000 586 "
    )


@pytest.mark.parametrize(("option", "value"), [("--hands", "many"), ("--seed", "-1"), ("--hands", "0")])
def test_hands_and_seed_are_checked_as_run_checks_them(option: str, value: str) -> None:
    code, shown, errors = razz_sim("validate", CONFIGS / "quickstart.yaml", option, value)
    assert (code, shown) == (2, "")
    assert errors.startswith(f"{option} {value}: ")


@pytest.mark.parametrize("name", sorted(path.stem for path in CONFIGS.glob("*.yaml")))
@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_schedule_fits_its_width(name: str, width: int) -> None:
    file = io.StringIO()
    print_schedule(load_experiment(CONFIGS / f"{name}.yaml").experiment, Console(file=file, width=width))
    assert max(cell_len(line) for line in file.getvalue().splitlines()) <= width
    assert "…" not in file.getvalue()


def test_what_differs_and_is_not_in_the_names_has_a_column() -> None:
    _, shown, _ = razz_sim("validate", CONFIGS / "stakes_ladder.yaml")
    assert re.search(r"^  scenario +bets +ante +bring-in +hands +bins$", shown, re.M)
    assert re.search(r"^  live_15_30 +15/30 +1 +5 +50,000 +782$", shown, re.M)
    _, shown, _ = razz_sim("validate", CONFIGS / "ante_sweep.yaml")
    assert re.search(r"^  scenario +hands +bins$", shown, re.M), "the antes are the names"


def test_sessions_and_changes_are_in_the_schedule() -> None:
    change = "sweep.session=[{hands: 50, stacks: carry, top_up: true}]"
    code, shown, _ = razz_sim("validate", CONFIGS / "sessions.yaml", "--set", change, "--set", "hands=1000")
    assert code == 0
    assert "50 hands, stacks carried on and topped up" in shown
    assert re.search(r"^  scenario +sessions +hands +bins$", shown, re.M)
    assert re.search(r"^  hands 50 stacks carry top up true +20 +1,000 +20$", shown, re.M)


def test_of_very_many_scenarios_the_last_are_only_counted() -> None:
    limits = f"sweep.stack={list(range(1, 101))}"
    code, shown, _ = razz_sim("validate", CONFIGS / "ante_sweep.yaml", "--set", limits, "--set", "hands=10")
    assert code == 0
    assert "  stacks   1 to 100 big bets in 100 values" in shown
    assert "  and 840 more " in shown
    assert re.search(r"^  900 scenarios +9,000 +9,000$", shown, re.M)
    assert len(shown.splitlines()) < 80


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("stakes=pokerstars_24", "did you mean pokerstars_2_4?"),
        ("session.hands=30_000", "2_000_000 is no multiple"),
        ("table.seats=8", "the table has 8: 2 more to fill"),
        ("lineup[0].strategy=tihgt", "did you mean 'tight'?"),
        ("sweep.stakes.anti=[1]", "did you mean ante?"),
    ],
)
def test_what_is_wrong_is_said_and_ends_with_2(change: str, sentence: str) -> None:
    code, shown, errors = razz_sim("validate", CONFIGS / "quickstart.yaml", "--set", change)
    assert (code, shown) == (2, "")
    assert sentence in errors


HEADER = "from razz_sim.strategy import strategy\n\n\n@strategy\ndef bot(view, params, memory, u):\n"


def with_bot(folder: Path, body: str) -> Path:
    """A config whose hero is a strategy of this body."""
    (folder / "bots.py").write_text(HEADER + body)
    config = folder / "x.yaml"
    text = (CONFIGS / "quickstart.yaml").read_text()
    config.write_text(text.replace("tight, params: {limit: 8}", "bots.py:bot"))
    return config


def test_a_strategy_that_does_not_compile_is_said_and_ends_with_2(tmp_path: Path) -> None:
    code, _, errors = razz_sim("validate", with_bot(tmp_path, "    return 0.5\n"))
    assert code == 2
    assert "bots.py:bot cannot be compiled" in errors


def test_a_strategy_that_fails_in_the_trial_is_named_and_ends_with_1(tmp_path: Path) -> None:
    code, _, errors = razz_sim("validate", with_bot(tmp_path, "    return 1 + 0 // (view.street - 4)\n"))
    assert code == 1
    assert "'hero'" in errors
    assert "ZeroDivisionError" in errors


def test_a_strategy_that_does_not_answer_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "PROBE_PATIENCE", 0.0)
    code, _, errors = razz_sim("validate", CONFIGS / "quickstart.yaml")
    assert code == 1
    assert "scenario '2/4': a strategy does not answer" in errors


def test_the_schema_is_printed() -> None:
    code, shown, _ = razz_sim("schema")
    assert code == 0
    assert json.loads(shown) == json_schema()
    assert shown == (CONFIGS / "schema.json").read_text()


def test_times_are_said_roughly() -> None:
    assert [about(seconds) for seconds in (0.9, 1.4, 99, 600, 36_000)] == [
        "under a second",
        "about 1 s",
        "about 99 s",
        "about 10 min",
        "about 10.0 h",
    ]


def test_what_fails_in_the_trial_is_a_warning_where_errors_do_not_stop(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "from razz_sim.strategy import strategy\n\n\n@strategy\nclass bot:\n"
        "    def act(self, view, u):\n        print('asked')\n        return 1 // 0\n"
    )
    (tmp_path / "a.yaml").write_text(
        "{name: a, hands: 20, on_error: fold, stakes: {ante: 1, bring_in: 2, small_bet: 4, big_bet: 8},\n"
        " lineup: [{strategy: 'bot.py:bot'},\n {strategy: caller}]}\n"
    )
    code, shown, errors = razz_sim("validate", tmp_path / "a.yaml")
    assert code == 0
    assert "is playable" in shown
    assert "asked" not in shown
    failed = r"warning: on_error is fold, and 'bot' failed \d+ times in a trial of 20 hands, first in '.*', hand 0, "
    assert re.search(failed + ".*ZeroDivisionError", errors)


def test_what_cannot_be_compiled_is_told_with_the_line_of_the_config(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "from razz_sim.strategy import strategy\n\n\n@strategy\ndef bot(view, params, memory, u):\n    return STAAY\n"
    )
    (tmp_path / "a.yaml").write_text(
        "{name: a, hands: 20, stakes: {ante: 1, bring_in: 2, small_bet: 4, big_bet: 8},\n"
        " lineup: [{strategy: 'bot.py:bot'},\n {strategy: caller}]}\n"
    )
    code, shown, errors = razz_sim("validate", tmp_path / "a.yaml")
    assert (code, shown) == (2, "")
    assert errors.startswith(f"{tmp_path}/a.yaml:2: bot.py:bot cannot be compiled: NameError: ")
    assert "bot.py, line 6)" in errors
