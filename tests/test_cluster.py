"""A cluster of several nodes: one goes, one joins late, the head goes."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from small_experiments import experiment, mixed_lineup, scenario

from razz_sim.batch import Counted
from razz_sim.experiment import Experiment
from razz_sim.runner import Played, RunnerError, play
from razz_sim.tally import digest

HOST = Path(__file__).with_name("cluster_host.py")


class Cluster:
    """The cluster's host process."""

    def __init__(self) -> None:
        command = [sys.executable, str(HOST)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.address = self.line()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def tell(self, order: str) -> None:
        """Give an order and wait until it is carried out."""
        assert self.process.stdin is not None
        self.process.stdin.write(order + "\n")
        self.process.stdin.flush()
        assert self.line() == "done"

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", secrets.token_hex(32))
    host = Cluster()
    yield host
    host.end()


LONG = "RAZZ_SIM_LONG" in os.environ
HANDS = 12_000_000 if LONG else 3_000_000


def long_enough() -> Experiment:
    return experiment(scenario(mixed_lineup(), hands=HANDS))


def played(some: Experiment, disturb: Callable[[int], None], **how: object) -> tuple[str, Played]:
    """The digest of an experiment that is disturbed as hands come in."""
    tallies = [one.tally() for one in some.scenarios]
    counted = 0

    def deliver(part: Counted) -> None:
        nonlocal counted
        part.add_to(tallies[part.batch.scenario])
        counted += part.batch.hands
        disturb(counted)

    outcome = play(some, deliver, **how)  # type: ignore[arg-type]
    return digest(tallies), outcome


def orders(cluster: Cluster, *given: str) -> Callable[[int], None]:
    """Orders to give one after another once hands are coming in, while play goes on."""
    thread = threading.Thread(target=lambda: [cluster.tell(order) for order in given], daemon=True)

    def disturb(hands: int) -> None:
        if hands > HANDS // 4 and thread.ident is None:
            thread.start()

    return disturb


@pytest.mark.ray
def test_a_node_that_goes_and_one_that_joins_change_nothing(cluster: Cluster) -> None:
    expected, _ = played(long_enough(), lambda hands: None, kind="local")
    disturb = orders(cluster, "remove", "add")
    found, how = played(long_enough(), disturb, kind="ray", address=cluster.address)
    assert found == expected
    assert how.runner == "ray"
    if LONG:  # on a busy machine the node may go between two tasks
        assert how.replayed >= 1, "the node was playing something when it went"


@pytest.mark.ray
def test_a_head_that_goes_ends_the_run_with_a_sentence(cluster: Cluster) -> None:
    disturb = orders(cluster, "head")
    with pytest.raises(RunnerError, match="head is gone"):
        played(long_enough(), disturb, kind="ray", address=cluster.address)
