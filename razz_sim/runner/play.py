"""Play an experiment to its end, wherever it runs, whatever dies on the way.

Children deliver `Counted` batches in any order; the totals add up to the same whatever the order, the size of the
batches or the number of workers. What a child that died had delivered stays, the rest is played again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from razz_sim.batch import Counted
from razz_sim.experiment import Experiment, Ranges, Spans, gaps
from razz_sim.runner.locally import play_locally
from razz_sim.runner.on_ray import play_on_ray
from razz_sim.runner.supervised import Child, ChildDied, RunnerError
from razz_sim.runner.tasks import LARGEST_BATCH, Failed, Finished
from razz_sim.strategy.machine_code import machine_code

RAY_START_SECONDS = 7.0
LOOK_AFTER_SECONDS = 1.0
"""How long `auto` plays locally before it judges whether Ray would be quicker."""
RETRIES = 3
"""How often a local child is started again without having delivered anything since it died last."""

Deliver = Callable[[Counted], None]


@dataclass(frozen=True, slots=True)
class Played:
    """How an experiment was played: 'local', 'ray' or 'local, then ray', with how many workers, in what time.

    `replayed` counts what was lost with a process or node and played again: tasks on Ray, children here.
    """

    runner: str
    workers: int
    seconds: float
    replayed: int


def play(
    experiment: Experiment,
    deliver: Deliver,
    *,
    done: Sequence[Ranges] = (),
    kind: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    batch_size: int = LARGEST_BATCH,
) -> Played:
    """Play all blocks of an experiment that are not `done` (by scenario), each batch given to `deliver` once.

    `kind` is 'local', 'ray' or 'auto', which starts locally and takes Ray when what remains is long enough to repay
    its start. Raises StrategyError, StrategyFault, BrokenHand, RunnerError; after KeyboardInterrupt what was delivered
    is good.
    """
    for scenario in experiment.scenarios:
        for entrant in scenario.lineup:
            machine_code(entrant.strategy)
    return _Play(experiment, deliver, done, workers or os.cpu_count() or 1, address, batch_size).run(kind)


class _Play:
    def __init__(
        self,
        experiment: Experiment,
        deliver: Deliver,
        done: Sequence[Ranges],
        workers: int,
        address: str | None,
        batch_size: int,
    ) -> None:
        self.experiment, self.deliver = experiment, deliver
        self.workers, self.address, self.batch_size = workers, address, batch_size
        self.done = [Spans(ranges) for ranges in done] or [Spans() for _ in experiment.scenarios]
        self.started = time.monotonic()
        self.hands = 0
        self.replayed = 0
        self.used = 1

    def run(self, kind: str) -> Played:
        """Play everything; how."""
        ran = []
        if kind != "ray" and self.left():
            ran.append("local")
            self.locally(may_hand_over=kind == "auto" and (self.workers > 1 or self.address is not None))
        if self.left() or not ran:
            ran.append("ray" if kind != "local" else "local")
        if self.left():
            self.on_ray()
        seconds = time.monotonic() - self.started
        return Played(runner=", then ".join(ran), workers=self.used, seconds=seconds, replayed=self.replayed)

    def left(self) -> int:
        """Hands still to play."""
        return sum(
            (stop - first) * scenario.session.hands
            for scenario, done in zip(self.experiment.scenarios, self.done, strict=True)
            for first, stop in gaps(done.ranges, scenario.blocks)
        )

    def locally(self, may_hand_over: bool) -> None:
        """Play in a child here, to the end or until Ray repays its start; a child that dies is started again."""
        failures, delivered = 0, -1
        while self.left():
            failures = failures + 1 if self.hands == delivered else 0
            delivered = self.hands
            try:
                if self.follow(
                    Child(play_locally, self.experiment, self.ranges(), batch_size=self.batch_size), may_hand_over
                ):
                    return
            except ChildDied as death:
                if failures >= RETRIES:
                    raise RunnerError(self.describe(death)) from None
                self.replayed += 1

    def on_ray(self) -> None:
        """Play in a child that is connected to Ray."""
        options = {"workers": self.workers, "address": self.address, "batch_size": self.batch_size}
        try:
            self.follow(Child(play_on_ray, self.experiment, self.ranges(), **options), may_hand_over=False)
        except ChildDied as death:
            where = f"the cluster at {self.address}" if self.address else "Ray on this machine"
            raise RunnerError(f"the connection to {where} was lost: its head is gone ({death.how()})") from None

    def follow(self, child: Child, may_hand_over: bool) -> bool:
        """Deliver what a child sends; whether its work is done, by itself or because Ray is to take over."""
        began, before = time.monotonic(), self.hands
        try:
            for message in child.messages():
                if isinstance(message, Finished):
                    self.used = max(self.used, message.workers)
                    self.replayed += message.replayed_tasks
                    return True
                if isinstance(message, Failed):
                    raise message.error
                for counted in message:
                    self.count(counted)
                if may_hand_over and self.ray_repays(time.monotonic() - began, self.hands - before):
                    return True
            return True
        finally:
            child.stop()

    def count(self, counted: Counted) -> None:
        """Deliver a batch and note its blocks as done."""
        self.deliver(counted)
        batch = counted.batch
        self.hands += batch.hands
        self.done[batch.scenario].add(batch.first, batch.stop)

    def ranges(self) -> list[Ranges]:
        """A copy of what is done, for a child."""
        return [list(done.ranges) for done in self.done]

    def ray_repays(self, seconds: float, hands: int) -> bool:
        """Whether, at the speed so far, the rest is long enough to start Ray for it."""
        if seconds < LOOK_AFTER_SECONDS or not hands:
            return False
        rest = self.left() * seconds / hands
        return rest > RAY_START_SECONDS + rest / self.workers

    def describe(self, death: ChildDied) -> str:
        """A sentence on a local child that cannot get past a place."""
        pulse = death.pulse
        where = f"block {pulse['block']}, hand {pulse['hand']} of it, seat {pulse['seat'] + 1} to act"
        return f"the process that plays died {RETRIES + 1} times at the same place ({death.how()}): {where}"
