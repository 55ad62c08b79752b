"""Many processes that start at once with nothing compiled yet: all end well, and nothing is compiled twice.

They play the experiment that test_one_digest.py plays in all other ways, and have the digest that a warm cache gives.

The short form starts three; `RAZZ_SIM_LONG=1 python -m pytest -n 0 tests/test_cold_caches.py` starts eight.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from in_process import razz_sim
from test_one_digest import PROGRAM, write_experiment

PROCESSES = 8 if "RAZZ_SIM_LONG" in os.environ else 3


@pytest.fixture(scope="module")
def started_at_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[str]]]:
    """The results folder and what each process printed, with Numba telling what it keeps in the cache."""
    folder = tmp_path_factory.mktemp("cold")
    environment = {**os.environ, "RAZZ_SIM_CACHE": str(folder / "cache"), "NUMBA_DEBUG_CACHE": "1"}
    options = ("--runner", "local", "--out", str(folder), "--quiet")
    config = write_experiment(folder)
    processes = [
        subprocess.Popen(
            [str(PROGRAM), "run", str(config), *options],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    try:
        printed = [process.communicate(timeout=400) for process in processes]
        assert [process.returncode for process in processes] == [0] * PROCESSES, [errors for _, errors in printed]
        yield folder, [output + errors for output, errors in printed]
    finally:
        for process in processes:
            process.kill()


def test_all_end_well_with_one_digest(started_at_once: tuple[Path, list[str]]) -> None:
    folder, _ = started_at_once
    digests = [json.loads(path.read_text())["digest"] for path in folder.glob("one/*/summary.json")]
    assert len(digests) == PROCESSES
    warm = razz_sim("run", folder / "one.yaml", "--runner", "local", "--out", folder / "warm", "--json")
    assert set(digests) == {json.loads(warm.stdout)["digest"]}


def test_nothing_is_compiled_twice(started_at_once: tuple[Path, list[str]]) -> None:
    folder, printed = started_at_once
    saved = Counter(re.findall(r"\[cache\] data saved to '(.*)'", "\n".join(printed)))
    assert {Path(name) for name in saved} == set(folder.glob("cache/*/*.nbc"))
    assert [name for name, times in saved.items() if times > 1] == []
