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


def shape(report: str) -> str:
    """A report without what differs from run to run: numbers, bars and where they wrap."""
    kept = [line for line in report.splitlines() if not re.match(r"  played|digest|results in|\$ ", line)]
    text = re.sub(r"\s+", " ", re.sub(r"[+-]?\d[\d,.]*", "9", re.sub(r"[│━●┿]", "", "\n".join(kept)))).strip()
    return text.replace("9 + 9", "9 ± 9").replace("9 - 9", "9 ± 9")


def test_the_report_shown_is_what_the_program_prints(tmp_path: Path) -> None:
    shown = re.search(r"```\n(\$ razz-sim run configs/quickstart.yaml .*?)```", README, flags=re.DOTALL)
    assert shown
    config, out = str(ROOT / "configs" / "quickstart.yaml"), str(tmp_path)
    done = CliRunner().invoke(app, ["run", config, "--hands", "20_000", "--runner", "local", "--out", out])
    assert shape(shown[1]) == shape(done.stdout)
    assert re.search(r"^digest [0-9a-f]{16}\nresults in results/quickstart/\S+\n\Z", shown[1], flags=re.MULTILINE)
    assert max(map(len, shown[1].splitlines())) <= 80


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
