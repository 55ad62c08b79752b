"""What the README shows is true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from razz_sim.cli import app
from razz_sim.strategy.machine_code import machine_code
from razz_sim.strategy.source import read_strategy

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_config_shown_is_the_quickstart() -> None:
    shown = yaml.safe_load(blocks("yaml")[0])
    assert shown == yaml.safe_load((ROOT / "configs" / "quickstart.yaml").read_text(encoding="utf-8"))


def test_the_strategy_shown_compiles() -> None:
    text = next(block for block in blocks("python") if "@strategy" in block)
    assert machine_code(read_strategy("bots.py:patient", "patient", text, "bots.py")).address


def test_the_python_shown_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "configs").symlink_to(ROOT / "configs")
    text = next(block for block in blocks("python") if "razz_sim.run" in block)
    names: dict[str, object] = {}
    exec(text, names)
    assert len(names["frame"]) > 20  # type: ignore[arg-type]


def test_every_command_named_is_there() -> None:
    named = set(re.findall(r"`razz-sim ([a-z]+)", README))
    listed = CliRunner().invoke(app, ["--help"]).output
    assert named
    assert {name for name in named if f" {name} " not in listed} == set()


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)h#][^)]*)\)", README):
        assert (ROOT / target).exists(), target
