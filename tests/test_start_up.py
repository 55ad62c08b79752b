"""How the program starts and ends: what it waits for is what it needs, and its exit code is what it says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

QUICKSTART = Path(__file__).parent.parent / "configs" / "quickstart.yaml"
PROGRAM = "import sys; sys.argv[0] = 'razz-sim'; from razz_sim.cli import main"
SLOW = ("numba.np.linalg", "scipy.linalg", "pyarrow", "pandas", "ray", "matplotlib")
"""What takes long to import and has no part in looking at a hand, when machine code is in the cache."""
HASHES = """from razz_sim.strategy import strategy
from razz_sim.view import FOLD, STAY


@strategy
def bot(view, params, memory, u):
    streets = {str(int(view.street)): 1}
    return STAY if "9" not in streets else FOLD
"""


def python(code: str, *arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """What a Python of its own does with some code."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, env={**os.environ, **environment}
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a run; all that a look at one of its hands needs is compiled."""
    out = tmp_path_factory.mktemp("results")
    ran = python(f"{PROGRAM}; main()", "run", QUICKSTART, "--hands", 100, "--runner", "local", "--out", out, "-q")
    folder = ran.stdout.removeprefix("results in ").strip()
    assert python(f"{PROGRAM}; main()", "hand", folder, 5).returncode == 0
    return folder


@pytest.mark.parametrize("arguments", [("hand", "5"), ("eval", "As2d3c4h5s"), ("--help",)])
def test_nothing_slow_is_imported_that_is_not_needed(played: str, arguments: tuple[str, ...]) -> None:
    first, *others = arguments
    words = [first, played, *others] if first == "hand" else arguments
    told = "import atexit; atexit.register(lambda: print('loaded', [one for one in SLOW if one in sys.modules]))"
    done = python(f"SLOW = {SLOW}; {PROGRAM}; {told}; main()", *words)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("loaded []\n")


def test_machine_code_that_hashes_text_runs_from_the_cache_too(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(HASHES)
    config = tmp_path / "hashes.yaml"
    config.write_text(
        QUICKSTART.read_text().replace(
            "{name: hero, strategy: tight, params: {limit: 8}}", "{name: hero, strategy: bots.py:bot}"
        )
    )
    runs = [
        python(f"{PROGRAM}; main()", "run", config, "--hands", 200, "--runner", "local", "--out", tmp_path, "-q")
        for _ in range(2)
    ]
    assert [run.returncode for run in runs] == [0, 0], runs[-1].stderr


def test_ctrl_c_while_python_ends_changes_no_exit_code() -> None:
    """When Python has taken its own handler away, a signal would end the process with its number."""
    late = """
class Late:
    def __del__(self, kill=__import__("os").kill, own=__import__("os").getpid()):
        kill(own, 2)
sys.late = Late()
"""
    done = python(f"{PROGRAM}{late}main()", "eval", "As2x")
    assert (done.returncode, "'2x' is not a card" in done.stderr) == (2, True)
