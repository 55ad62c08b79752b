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


def printed_in(folder: Path) -> dict[str, str]:
    """What each command of the tutorial printed."""
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


@pytest.mark.slow
def test_it_does_what_it_says(tmp_path: Path) -> None:
    """One test, since what it looks at takes a minute to make."""
    printed = printed_in(tmp_path)
    assert len(printed) >= 12
    told = re.search(r"`(me wins .*? per 100 hands)`", TUTORIAL)
    assert told
    assert told[1] in " ".join(printed["razz-sim run first.yaml"].split())
    assert "me " in next(text for command, text in printed.items() if "--where" in command)
    assert "hand 100 (1/1/100/0/0)" in printed['razz-sim hand "$RUN" 100']
    runs = [text for command, text in printed.items() if command.startswith("razz-sim run table.yaml")]
    digests = {re.search(r"^digest (\w+)", text, flags=re.MULTILINE)[1] for text in runs}  # type: ignore[index]
    assert (len(runs), len(digests)) == (2, 1)
