"""How long `razz-sim run` takes from the shell for a small experiment: the first time, and with the cache filled."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from razz_sim.compiling import CACHE_VARIABLE

HANDS = 100_000
CONFIG = f"""\
name: start_up
seed: 7
hands: {HANDS}
rules: pokerstars
stakes:
  - {{name: "2/4", ante: 0.20, bring_in: 1.00, small_bet: 2, big_bet: 4}}
stack: 100
lineup:
  - {{name: hero, strategy: tight, params: {{limit: 8}}}}
  - {{name: fish, strategy: caller, seats: 5}}
runner: {{kind: local}}
"""


@dataclass(frozen=True, slots=True)
class StartUp:
    """Seconds from the shell, imports included; `problem` says why there are none."""

    cold: float | None
    warm: tuple[float, ...] = ()
    problem: str = ""


def measure_start_up(warm_runs: int = 3) -> StartUp:
    """Run once with an empty engine cache and some times again."""
    program = Path(sys.executable).with_name("razz-sim")
    if not program.exists():
        return StartUp(None, problem=f"{program} is not installed")
    with tempfile.TemporaryDirectory(prefix="razz-sim-bench-") as folder:
        config = Path(folder) / "start_up.yaml"
        config.write_text(CONFIG, encoding="utf-8")
        seconds: list[float] = []
        for number in range(1 + warm_runs):
            out = Path(folder) / f"results-{number}"
            command = [str(program), "run", str(config), "--out", str(out), "--quiet"]
            environment = {**os.environ, CACHE_VARIABLE: str(Path(folder) / "cache")}
            began = time.perf_counter()
            ended = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
            seconds.append(time.perf_counter() - began)
            if ended.returncode != 0:
                said = (ended.stderr.strip() or ended.stdout.strip() or "nothing").splitlines()[-1]
                return StartUp(None, problem=f"razz-sim run ended with {ended.returncode}: {said}")
    return StartUp(seconds[0], tuple(seconds[1:]))
