"""The tutorial works: its files are written and its commands run, in order, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TUTORIAL = (Path(__file__).parent.parent / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TUTORIAL, flags=re.DOTALL)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each command of the tutorial printed."""
    folder = tmp_path_factory.mktemp("tutorial")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    found = {}
    for language, text in BLOCKS:
        if language != "sh":
            name = re.match(r"# (\S+\.(?:py|yaml))\n", text)
            assert name, text
            (folder / name[1]).write_text(text, encoding="utf-8")
            continue
        setting, commands = [], []
        for line in text.splitlines():
            (commands if line.startswith("razz-sim") else setting).append(line)
        for command in commands:
            script = "\n".join(["set -e", *setting, command])
            done = subprocess.run(
                ["sh", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
            found[command] = done.stdout
    return found


def test_every_command_does_what_it_should(printed: dict[str, str]) -> None:
    assert len(printed) >= 12


def test_the_first_strategy_wins_what_is_told(printed: dict[str, str]) -> None:
    told = re.search(r"`(me wins .*? per 100 hands)`", TUTORIAL)
    assert told
    assert told[1] in " ".join(printed["razz-sim run first.yaml"].split())


def test_a_hand_is_found_and_shown(printed: dict[str, str]) -> None:
    assert "me " in next(text for command, text in printed.items() if "--where" in command)
    assert "hand 100 (1/1/100/0/0)" in printed['razz-sim hand "$RUN" 100']


def test_compiled_it_plays_the_same_hands(printed: dict[str, str]) -> None:
    runs = [text for command, text in printed.items() if command.startswith("razz-sim run table.yaml")]
    digests = {re.search(r"^digest (\w+)", text, flags=re.MULTILINE)[1] for text in runs}  # type: ignore[index]
    assert (len(runs), len(digests)) == (2, 1)
