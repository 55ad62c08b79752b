"""The program without a process of its own: a start takes a second and more, and few tests are about that."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path
from subprocess import CompletedProcess

from typer.testing import CliRunner

from razz_sim.cli import app


def razz_sim(*arguments: object, cwd: Path | None = None) -> CompletedProcess[str]:
    """Run the program to its end, in a folder; what it does not catch itself is raised."""
    words = [str(one) for one in arguments]
    with chdir(cwd or "."):
        done = CliRunner().invoke(app, words, catch_exceptions=False)
    return CompletedProcess(words, done.exit_code, done.stdout, done.stderr)
