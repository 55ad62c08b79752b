"""The answers that docs/analysis.md gets from Parquet: its code runs, and pandas, DuckDB and the report agree."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import razz_sim

ROOT = Path(__file__).parent.parent
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", (ROOT / "docs" / "analysis.md").read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the document's code made of a run, and that run."""
    folder = tmp_path_factory.mktemp("analysis")
    found: dict[str, Any] = {
        "finished": razz_sim.run(ROOT / "configs" / "library.yaml", hands=8000, out=folder / "runs")
    }
    before = Path.cwd()
    os.chdir(folder)
    try:
        for language, text in BLOCKS:
            if language == "python":
                exec(text, found)
    finally:
        os.chdir(before)
    return {**found, "picture": folder / "doors.png"}


def entrant(answers: dict[str, Any], scenario: str, name: str) -> Any:
    """An entrant of the summary."""
    (found,) = [one for one in answers["finished"].summary["scenarios"] if one["name"] == scenario]
    return next(one for one in found["entrants"] if one["name"] == name)


def test_door_cards_are_those_of_the_summary(answers: dict[str, Any]) -> None:
    told = entrant(answers, "ante 10 %", "best")["by_door"]
    by_sql = {door: rate for door, _, rate in answers["answer_1_sql"].fetchall()}
    assert list(told) == list(answers["answer_1"].index) == list(by_sql)
    for door, one in told.items():
        row = answers["answer_1"].loc[door]
        assert (row["hands"], row["bb_per_100"]) == (one["hands"], pytest.approx(one["bb_per_100"]))
        assert by_sql[door] == pytest.approx(one["bb_per_100"])
        assert row["plus_minus"] == pytest.approx(1.96 * one["std_error"], rel=1e-3)


def test_steals_are_those_of_the_summary(answers: dict[str, Any]) -> None:
    rows = answers["answer_2_sql"].fetchall()
    assert len(rows) == 24
    for scenario, who, chances, tried, worked in rows:
        plays = entrant(answers, scenario, who)["plays"]
        assert chances == plays["steals"]["of"] == answers["answer_2"]["chances", scenario][who]
        assert tried == pytest.approx(plays["steals"]["fraction"])
        assert worked == (None if not plays["steals"]["count"] else pytest.approx(plays["steals_won"]["fraction"]))
        assert answers["answer_2"]["tried", scenario][who] == pytest.approx(tried)


def test_paired_differences_agree(answers: dict[str, Any]) -> None:
    ((mean, error),) = answers["answer_3_sql"].fetchall()
    assert (mean, error) == (pytest.approx(answers["answer_3"][0]), pytest.approx(answers["answer_3"][1]))
    told = [entrant(answers, scenario, "best")["bb_per_100"] for scenario in ("ante 25 %", "ante 10 %")]
    assert mean == pytest.approx(told[0] - told[1])


def test_the_chart_is_a_matplotlib_figure(answers: dict[str, Any]) -> None:
    assert isinstance(answers["figure"], Figure)
    assert answers["picture"].read_bytes().startswith(b"\x89PNG")
