"""Play an experiment to its end, wherever it runs, whatever dies on the way.

Children deliver `Counted` batches in any order; the totals add up to the same whatever the order, the size of the
batches or the number of workers. What a child that died had delivered stays, the rest is played again. A decision that
holds up or ends a child is judged: that counts as an error of its strategy, and it is not asked for again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from razz_sim.batch import Counted, StrategyFault, Verdict
from razz_sim.experiment import Batch, Experiment, Ranges, Spans
from razz_sim.hand.record import NOBODY
from razz_sim.runner.judging import fault_of, verdict_at
from razz_sim.runner.locally import play_locally
from razz_sim.runner.making import prepare_all
from razz_sim.runner.on_ray import play_on_ray
from razz_sim.runner.supervised import Child, ChildDied, Overdue, RunnerError
from razz_sim.runner.tasks import LARGEST_BATCH, Failed, Finished, OutOfMemory, Started
from razz_sim.stages import Frontier
from razz_sim.table.record import IN_ROWS

RAY_START_SECONDS = 7.0
LOOK_AFTER_SECONDS = 1.0
"""How long `auto` plays locally before it judges whether Ray would be quicker."""
RETRIES = 3
"""How often a local child is started again without having delivered anything since it died last."""
MOST_VERDICTS = 100
"""So many decisions that hang or crash end a run: each costs a process. One that is resumed may have as many again."""
_TOO_MANY = (
    f"it is the {MOST_VERDICTS}th decision since the run was started or resumed that held up or ended a process, and "
    f"each costs a process: mend the strategy, or resume the run for up to {MOST_VERDICTS} more"
)

Deliver = Callable[[Counted], None]


@dataclass(frozen=True, slots=True)
class Played:
    """How an experiment was played: 'local', 'ray' or 'local, then ray', with how many workers, in what time.

    `replayed` counts what was lost with a process or node and played again: tasks on Ray, children here.
    `starting_ray` is the part of the seconds that Ray took to start.
    """

    runner: str
    workers: int
    seconds: float
    replayed: int
    starting_ray: float = 0.0


@dataclass(frozen=True, slots=True)
class Told:
    """Whom a run tells what happens: each batch once, each verdict before it is acted on, that Ray is starting or up.

    `ray` is given None when Ray is being started, then the seconds that took. `fail` is told of a failure where errors
    of strategies end a run, and of the batch it was in: whether the run goes on without what that is of.
    """

    deliver: Deliver
    judge: Callable[[Verdict], None] = lambda verdict: None
    ray: Callable[[float | None], None] = lambda seconds: None
    fail: Callable[[StrategyFault, Batch], bool] = lambda fault, batch: False


def play(
    experiment: Experiment,
    told: Deliver | Told,
    *,
    done: Sequence[Ranges] = (),
    verdicts: Sequence[Verdict] = (),
    kind: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    batch_size: int = LARGEST_BATCH,
    frontier: Frontier | None = None,
) -> Played:
    """Play all blocks of an experiment that are not `done` (by scenario), and tell what comes.

    With a `frontier` only what it wants is played; whoever is told what comes may move it. `verdicts` are those of the
    run so far. `kind` is 'local', 'ray' or 'auto', which starts locally and takes Ray when
    what remains is long enough to repay its start. Raises StrategyError, StrategyFault, BrokenHand, RunnerError; after
    KeyboardInterrupt what was delivered is good.
    """
    prepare_all(experiment)
    told = told if isinstance(told, Told) else Told(told)
    frontier = frontier or experiment.whole_frontier()
    playing = _Play(experiment, told, done, verdicts, workers or os.cpu_count() or 1, address, batch_size, frontier)
    return playing.run(kind)


class _Play:
    def __init__(
        self,
        experiment: Experiment,
        told: Told,
        done: Sequence[Ranges],
        verdicts: Sequence[Verdict],
        workers: int,
        address: str | None,
        batch_size: int,
        frontier: Frontier,
    ) -> None:
        self.experiment, self.told, self.frontier = experiment, told, frontier
        self.verdicts = list(verdicts)
        self.judged = 0
        self.starting_ray = 0.0
        self.workers, self.address, self.batch_size = workers, address, batch_size
        self.done = [Spans(ranges) for ranges in done] or [Spans() for _ in experiment.scenarios]
        self.started = self.finished = time.monotonic()
        self.hands = 0
        self.replayed = 0
        self.weighing = False
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
        if self.left():  # what was lost with worker after worker: here it is seen what does that
            self.locally(may_hand_over=False)
        seconds = self.finished - self.started  # that Ray takes a second to end costs nobody a hand
        return Played(", then ".join(ran), self.used, seconds, self.replayed, self.starting_ray)

    def left(self) -> int:
        """Hands still to play, as far as that is known."""
        return self.experiment.hands_left([done.ranges for done in self.done], self.frontier)

    def locally(self, may_hand_over: bool) -> None:
        """Play in a child here, to the end or until Ray repays its start; a child that dies is started again."""
        failures, got_on, last_death = 0, (-1, 0), None
        while self.left():
            failures = failures + 1 if got_on == (self.hands, len(self.verdicts)) else 0
            got_on = self.hands, len(self.verdicts)
            child = Child(
                play_locally,
                self.experiment,
                self.ranges(),
                self.frontier,
                batch_size=self.batch_size,
                verdicts=self.verdicts,
                weighing=self.weighing,
            )
            try:
                if self.follow(child, may_hand_over):
                    return
            except Overdue as overdue:
                if not self.is_a_place(overdue.pulse):
                    raise RunnerError("a strategy does not answer, and wrote over what tells which") from None
                limit = self.experiment.limits.decision_ms
                self.judge(verdict_at(overdue.pulse, f"it did not answer within limits.decision_ms, {limit} ms"))
            except ChildDied as death:
                self.replayed += 1
                if death.place == last_death and self.is_a_place(death.pulse):
                    self.judge(verdict_at(death.pulse, f"it ended the process that played: {death.how()}"))
                elif failures >= RETRIES:
                    raise RunnerError(self.describe(death)) from None
                last_death = death.place

    def out_of_memory(self, verdict: Verdict, got_on: bool) -> None:
        """Try what remains in a fresh process, where it is weighed who takes the memory; judge who takes it all there.

        What a process has played before is nobody's decision: who leaks a little costs a process now and then.
        """
        if self.weighing and not got_on:
            self.judge(verdict)
        else:
            self.weighing = True
            self.replayed += 1

    def is_a_place(self, pulse: Mapping[str, int]) -> bool:
        """Whether a pulse points to a decision that is being asked for; a strategy may have written over it."""
        if not 0 <= pulse["scenario"] < len(self.experiment.scenarios):
            return False
        scenario = self.experiment.scenarios[pulse["scenario"]]
        asked = 0 <= pulse["copy"] < scenario.players and pulse["decision"] >= IN_ROWS
        return asked and 0 <= pulse["block"] < scenario.blocks and pulse["hand"] >= 0

    def judge(self, verdict: Verdict) -> None:
        """Let a decision count as an error from now on; StrategyFault where errors end the run."""
        self.told.judge(verdict)
        stops = self.experiment.scenarios[verdict.scenario].on_error == "stop"
        self.judged += 1
        if stops or self.judged >= MOST_VERDICTS:
            fault = fault_of(self.experiment, verdict, self.verdicts)
            error = StrategyFault(str(fault) if stops else f"{fault}; {_TOO_MANY}", fault)
            block = Batch(verdict.scenario, 0, verdict.block, verdict.block + 1, 0)
            if not (stops and self.goes_on_without(Failed(error, block))):
                raise error
            return
        self.verdicts.append(verdict)

    def on_ray(self) -> None:
        """Play in a child that is connected to Ray."""
        options = {"workers": self.workers, "address": self.address, "batch_size": self.batch_size}
        self.told.ray(None)
        child = Child(play_on_ray, self.experiment, self.ranges(), self.frontier, verdicts=self.verdicts, **options)
        try:
            self.follow(child, may_hand_over=False)
        except ChildDied as death:
            where = f"the cluster at {self.address}" if self.address else "Ray on this machine"
            raise RunnerError(f"the connection to {where} was lost: its head is gone ({death.how()})") from None

    def follow(self, child: Child, may_hand_over: bool) -> bool:
        """Deliver what a child sends; whether its work is done, by itself or because Ray is to take over."""
        began, before = time.monotonic(), self.hands
        try:
            for message in child.messages():
                if isinstance(message, Finished):
                    self.finished = time.monotonic()
                    self.used = max(self.used, message.workers)
                    self.replayed += message.replayed_tasks
                    return True
                if isinstance(message, Failed):
                    if not self.goes_on_without(message):
                        raise message.error
                    child.want(self.frontier)
                    continue
                if isinstance(message, OutOfMemory):
                    self.out_of_memory(message.verdict, got_on=self.hands > before)
                    return False
                if isinstance(message, Started):
                    self.starting_ray += message.seconds
                    self.told.ray(message.seconds)
                    continue
                if not isinstance(message, list) or any(self.is_counted(counted) for counted in message):
                    raise child.died_of_nonsense()
                for counted in message:
                    self.count(counted)
                child.want(self.frontier)
                if may_hand_over and self.ray_repays(time.monotonic() - began, self.hands - before):
                    return True
            return True
        except Overdue:
            child.stop(seconds=0)
            raise
        finally:
            child.stop()

    def goes_on_without(self, failure: Failed) -> bool:
        """Whether the run goes on without that in which a strategy failed."""
        if not isinstance(failure.error, StrategyFault) or failure.batch is None:
            return False
        return self.told.fail(failure.error, failure.batch)

    def is_counted(self, counted: Counted) -> bool:
        """Whether some of its blocks are counted already."""
        return self.done[counted.batch.scenario].meets(counted.batch.first, counted.batch.stop)

    def count(self, counted: Counted) -> None:
        """Deliver a batch and note its blocks as done."""
        self.told.deliver(counted)
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
        where = f": block {death.pulse['block']}, hand {death.pulse['hand']} of it"
        sure = where if self.is_a_place(death.pulse) or death.pulse["copy"] == NOBODY else ""
        return f"the process that plays died {RETRIES + 1} times without getting on ({death.how()}){sure}"
