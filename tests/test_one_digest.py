"""One experiment, run in every way there is, gives one digest; with nothing compiled yet in test_cold_caches.py.

Two scenarios, the second of sessions; one strategy is a file beside the config, with memory and chance of its own.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_cluster import Cluster

PROGRAM = Path(sys.executable).with_name("razz-sim")
HANDS = 20_000
CONFIG = f"""
name: one
seed: 20
hands: {HANDS}
stakes: {{ante: 0.20, bring_in: 1, small_bet: 2, big_bet: 4, rake: {{percent: 5, cap: 2}}}}
stack: 20
sweep:
  session: [{{hands: 1}}, {{hands: 20, stacks: carry}}]
lineup:
  - {{name: grudge, strategy: "bots/grudge.py:grudge", params: {{limit: 9}}, seats: 2}}
  - {{name: dice, strategy: random}}
  - {{name: hero, strategy: tight, params: {{limit: 8}}}}
  - {{name: fish, strategy: caller}}
"""
STRATEGY = '''
from razz_sim.strategy import strategy, whole
from razz_sim.view import STAY, highest_rank, raise_or_stay, stay_or_fold, uniform


@strategy(memory=2, limit=whole(8, 3, 13, "highest rank it plays"))
def grudge(view, params, memory, u):
    """Raises the more often, the more often it was raised."""
    memory[0] += 1
    if view.to_call > 0 and view.street > 3:
        memory[1] += 1
    if view.street == 3 and highest_rank(view.my_once) >= params.limit:
        return stay_or_fold(view)
    return raise_or_stay(view) if uniform(u, 0) < 0.2 + memory[1] / memory[0] else STAY
'''
BY_RUN = """
import locale, sys
import razz_sim
if __name__ == "__main__":
    locale.setlocale(locale.LC_ALL, "")
    print(razz_sim.run(sys.argv[1], out=sys.argv[2], runner="local").summary["digest"])
"""
BY_PLAY = """
import sys
from razz_sim.config import load_experiment
from razz_sim.runner import play
from razz_sim.tally import Tally, digest
if __name__ == "__main__":
    experiment = load_experiment(sys.argv[1]).experiment
    how = eval(sys.argv[2])
    if how["kind"] == "auto":
        module = sys.modules["razz_sim.runner.play"]
        module.LOOK_AFTER_SECONDS, module.RAY_START_SECONDS = 0.0, -1.0  # go over to Ray at once
    tallies = [one.tally() for one in experiment.scenarios]
    def deliver(part):
        part.add_to(tallies[part.batch.scenario])
    how = play(experiment, deliver, **how)
    print(how.runner + ": " + digest(tallies))
"""


@dataclass(frozen=True)
class Place:
    """A folder with the config and its strategy, and results of its own for each way of running it."""

    folder: Path
    environment: Mapping[str, str]

    @property
    def config(self) -> Path:
        return self.folder / "one.yaml"

    def command(self, *arguments: object, cwd: Path | None = None, **environment: str) -> str:
        """What a command prints; it must end well."""
        done = subprocess.run(
            [str(argument) for argument in arguments],
            cwd=cwd,
            env={**os.environ, **self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, way: str, *more: object, config: object = "", cwd: Path | None = None, **environment: str) -> str:
        """The digest of `razz-sim run`."""
        arguments = ("run", config or self.config, "--out", self.folder / way, "--json", *more)
        return str(json.loads(self.command(PROGRAM, *arguments, cwd=cwd, **environment))["digest"])

    def play(self, **how: object) -> str:
        """Who played, and the digest, with options of the runner that the program has no words for."""
        return self.command(sys.executable, "-c", BY_PLAY, self.config, repr(how)).strip()

    def folders(self, way: str) -> list[Path]:
        """The run folders of a way, the oldest first."""
        return sorted((self.folder / way / "one").iterdir())


def write_experiment(folder: Path) -> Path:
    """Write the config and its strategy into a folder; the config's path."""
    (folder / "bots").mkdir()
    (folder / "bots" / "grudge.py").write_text(STRATEGY)
    config = folder / "one.yaml"
    config.write_text(CONFIG)
    return config


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("one")
    write_experiment(folder)
    return Place(folder, {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)})


def in_another_folder(place: Place) -> str:
    """The config by a relative path, from a folder in which the strategy's path leads nowhere."""
    elsewhere = place.folder / "else" / "where"
    elsewhere.mkdir(parents=True)
    return place.run("cwd", "--runner", "local", config="../../one.yaml", cwd=elsewhere)


def killed_and_resumed(place: Place) -> str:
    """Killed as soon as anything is in the journal; a busy machine may see that too late and tries again."""
    for attempt in range(5):
        out = place.folder / f"killed-{attempt}"
        command = [str(PROGRAM), "run", str(place.config), "--out", str(out), "--runner", "local"]
        killed = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while killed.poll() is None and not any(file.stat().st_size > 1000 for file in out.glob("one/*/journal.bin")):
            time.sleep(0.002)
        killed.kill()
        if killed.wait() == -signal.SIGKILL and not list(out.glob("one/*/summary.json")):
            return place.run(out.name, "--runner", "local", "--resume")
    raise AssertionError("it was done each time before it could be killed")


def split_and_merged(place: Place) -> str:
    """Three ranges of blocks; of the second scenario, which has a twentieth of the blocks, the last holds one."""
    for blocks in ("0:1000", "1000:4999", f"4999:{HANDS}"):
        place.run("split", "--runner", "local", "--blocks", blocks)
    place.command(PROGRAM, "merge", *place.folders("split"), "--out", place.folder / "merged")
    return str(json.loads((place.folders("merged")[0] / "summary.json").read_text())["digest"])


def extended(place: Place) -> str:
    for hands in (40, HANDS // 3 // 20 * 20):
        place.run("extended", "--runner", "local", "--hands", hands, *(["--resume"] if hands > 40 else []))
    return place.run("extended", "--runner", "local", "--resume")


def from_python_with_decimal_commas(place: Place) -> str:
    """`razz_sim.run` in a program whose locale writes 0,5; made here, since few machines have one."""
    made = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(place.folder / "de_DE.UTF-8")]
    try:
        subprocess.run(made, capture_output=True, check=True)
        language = {"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(place.folder)}
    except (OSError, subprocess.CalledProcessError):
        language = {}
    return place.command(sys.executable, "-c", BY_RUN, place.config, place.folder / "python", **language).strip()


HERE: dict[str, Callable[[Place], str]] = {
    "another folder": in_another_folder,
    "auto": lambda place: place.run("auto"),
    "hash seed 0, Nepal": lambda place: place.run("0", PYTHONHASHSEED="0", TZ="Asia/Kathmandu", LC_ALL="C"),
    "hash seed random, Chatham, -O": lambda place: place.run(
        "2", PYTHONHASHSEED="random", PYTHONOPTIMIZE="1", TZ="Pacific/Chatham", LANG="tr_TR.UTF-8"
    ),
    "killed and resumed": killed_and_resumed,
    "split and merged": split_and_merged,
    "extended": extended,
    "from Python, decimal commas": from_python_with_decimal_commas,
    **{
        f"local, batches of {size}": lambda place, size=size: place.play(kind="local", batch_size=size)
        for size in (70,)
    },
    "Ray of its own": lambda place: place.run("ray", "--runner", "ray", "--workers", 2),
}
"""Ways that need no cluster; each gives a digest, perhaps after the name of the runner."""
THERE: dict[str, Callable[[Place, Cluster], str]] = {
    "Ray, 2 workers": lambda place, cluster: place.run("two", "--address", cluster.address),
    "local, then Ray": lambda place, cluster: place.play(kind="auto", address=cluster.address, batch_size=500),
    "Ray, 3 workers": lambda place, cluster: more_nodes(place, cluster, "add"),
    "Ray, 1 worker": lambda place, cluster: more_nodes(place, cluster, "remove", "remove"),
}
"""Ways on one cluster, one after the other."""


def more_nodes(place: Place, cluster: Cluster, *orders: str) -> str:
    """On the cluster after nodes were added or removed, in small batches."""
    for order in orders:
        cluster.tell(order)
    return place.play(kind="ray", address=cluster.address, batch_size=999)


@pytest.fixture
def cluster(place: Place, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """A cluster of two nodes with a processor each."""
    for name, value in place.environment.items():
        monkeypatch.setenv(name, value)
    host = Cluster()
    yield host
    host.end()


@pytest.mark.ray
def test_all_ways_give_one_digest(place: Place, cluster: Cluster) -> None:
    expected = place.run("expected", "--runner", "local")

    def on_the_cluster() -> dict[str, str]:
        return {way: run(place, cluster) for way, run in THERE.items()}

    with ThreadPoolExecutor(2) as both:
        there = both.submit(on_the_cluster)
        here = {way: both.submit(run, place) for way, run in HERE.items()}
        found = {way: digest.result() for way, digest in here.items()} | there.result()
    assert len(found) >= 12
    assert {way: digest for way, digest in found.items() if digest.split(": ")[-1] != expected} == {}
    assert found["local, then Ray"].startswith("local, then ray")
