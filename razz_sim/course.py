"""The course of a run that is decided on the way: which of its settings go on, by what was counted so far.

Settings end when a stopping rule knows enough, points of a search when others do better, and any of several when a
strategy in it fails where errors end a run. What is counted beyond an end is dropped, so that the results depend on
nothing but the experiment.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from razz_sim.batch import StrategyFault
from razz_sim.experiment import Batch, Experiment, Ranges
from razz_sim.statistics.halving import Halving, Round
from razz_sim.statistics.stopping import Look, Watching
from razz_sim.tally import Tally


class Course:
    """Decides on the way; `frontier` is how far is to be played for now.

    `known_to` says from which block on a scenario is not counted yet. `failed` is told of a setting that failed, once:
    its scenarios, the blocks at which they end, the error, and the scenario that this was in.
    """

    def __init__(
        self,
        experiment: Experiment,
        tallies: Sequence[Tally],
        known_to: Callable[[int], int],
        failed: Callable[[Sequence[int], Sequence[int], StrategyFault, int], None],
    ) -> None:
        self.experiment, self.tallies, self.known_to = experiment, tallies, known_to
        self._tell_failed = failed
        self.frontier = experiment.whole_frontier()
        self.settings = experiment.settings
        self.out: dict[int, Sequence[int]] = {}
        """The settings that failed, with the blocks at which their scenarios end."""
        self.latest: dict[int, Look] = {}
        """The last look at each setting, of a stopping rule."""
        self._watched = [Watching(experiment, indices) for indices in self.settings] if experiment.stop else []
        self._looked = [0] * len(self.settings)
        self._stopped: set[int] = set()
        self._number_of = {index: number for number, indices in enumerate(self.settings) for index in indices}
        self._pending: dict[int, tuple[int, StrategyFault, int]] = {}
        self._halving = Halving(experiment) if experiment.search else None
        self._alive = list(range(len(experiment.points)))
        self._round = 0
        self.last_round: Round | None = None
        """The round of a search that was decided last."""

    @property
    def searched(self) -> tuple[int, list[int]]:
        """The round of a search that is played, from 1, and its points; one round more while one is measured again."""
        return self._round + 1, [point for point in self._alive if point not in self.out]

    def hands_left(self, done: Sequence[Ranges]) -> int:
        """How many hands are still to be played at most, when these blocks, by scenario, are done."""
        wanted = self.experiment.hands_left(done, self.frontier)
        if self._halving is None or self._round == self._halving.rounds:
            return wanted
        scenarios, halving, (_, points) = self.experiment.scenarios, self._halving, self.searched
        left = halving.plan.points_left()
        later = sum(
            (halving.ends[index][number] - halving.ends[index][number - 1]) * scenarios[index].block_hands
            for number in range(self._round + 1, halving.rounds)
            for point in points[: left[number]]
            for index in halving.points[point]
        )
        return wanted + later + sum(scenarios[index].hands for point in points[:1] for index in halving.again[point])

    def look(self, scenario: int | None = None) -> None:
        """Decide what can be decided by what is counted, or by what came of a scenario since the last time.

        Raises StrategyFault when no setting is left without a failure.
        """
        if self._watched:
            for number in range(len(self._watched)) if scenario is None else (self._number_of[scenario],):
                self._look_at(number)
        if self._halving is not None and (scenario is None or self._ends_round(scenario, self._halving)):
            self._look_at_points(self._halving)

    def _look_at(self, number: int) -> None:
        """Take the looks at a setting that its blocks allow, up to the one that stops it."""
        watched = self._watched[number]
        while number not in self._stopped and number not in self.out and self._looked[number] < watched.count:
            at = self._looked[number]
            if any(self.known_to(index) < watched.ends[index][at] for index in self.settings[number]):
                self._fail_if_due(number)
                return
            self.latest[number] = watched.look(at, self.tallies)
            self._looked[number] += 1
            if self.latest[number].verdict is not None:
                self._stopped.add(number)
                for index in self.settings[number]:
                    self.frontier.ends[index] = watched.ends[index][at]

    def _ends_round(self, scenario: int, halving: Halving) -> bool:
        """Whether all blocks that a scenario plays in this round are counted."""
        ends = halving.ends.get(scenario)
        return ends is not None and self._round < halving.rounds and self.known_to(scenario) >= ends[self._round]

    def _look_at_points(self, halving: Halving) -> None:
        """Let the best points of a round go on when it is played."""
        while self._round < halving.rounds:
            playing = [point for point in self._alive if self._plays(point, halving)]
            indices = [index for point in playing for index in self.settings[point]]
            if any(self.known_to(index) < halving.ends[index][self._round] for index in indices):
                return
            self.last_round = halving.round(self._round, playing, self.tallies)
            self._alive = self.last_round.staying
            self._round += 1
            for point in self._alive:
                if point in self.out:
                    continue
                if self._round < halving.rounds:
                    for index in self.settings[point]:
                        self.frontier.ends[index] = halving.ends[index][self._round]
                else:
                    for index in halving.again[point]:
                        self.frontier.ends[index] = self.experiment.scenarios[index].blocks
            self.frontier.open = self._round + 1

    def _plays(self, point: int, halving: Halving) -> bool:
        """Whether a point that is not out by its results plays this round: if it failed, it was in a later one."""
        pairs = zip(self.out.get(point, ()), self.settings[point], strict=False)
        return all(end >= halving.ends[index][self._round] for end, index in pairs)

    def fail(self, fault: StrategyFault, batch: Batch) -> bool:
        """Take note that a strategy failed; whether the run goes on, if need be without the setting it was in.

        With a stopping rule that is so when no look before the failure ends the setting. Raises StrategyFault as
        `look` does.
        """
        number = self._number_of[batch.scenario]
        if self._halving and number >= len(self.experiment.points):
            return False
        if number not in self._left() or number in self._stopped:
            return True
        looks = self.experiment.looks(batch.scenario)
        at = bisect_right(looks, batch.first) if self._watched else 0
        if number not in self._pending or at < self._pending[number][0]:
            self._pending[number] = at, fault, batch.scenario
            before = looks[at - 1] if at else 0
            for index in self.settings[number]:
                self.frontier.ends[index] = min(self.frontier.ends[index], before)
        self._fail_if_due(number)
        self.look()
        return True

    def _left(self) -> list[int]:
        """The settings that play on, or have played to their end, without a failure."""
        playing = self._alive if self._halving else range(len(self.settings))
        return [place for place in playing if place not in self.out]

    def _fail_if_due(self, number: int) -> None:
        """Leave a setting out whose failure is before the next look; raises the failure of the last one left."""
        if number in self._pending and self._pending[number][0] <= self._looked[number]:
            if self._left() == [number]:
                raise self._pending[number][1]
            indices = self.settings[number]
            ends = [0 for _ in indices]
            if self._halving and self._round:  # the rounds before are decided
                ends = [self._halving.ends[index][self._round - 1] for index in indices]
            self.leave_out(indices, ends)
            self._tell_failed(indices, ends, *self._pending[number][1:])

    def leave_out(self, indices: Sequence[int], ends: Sequence[int]) -> None:
        """Play no more of a setting, these scenarios, and drop what was counted of it beyond these ends."""
        self.out[self._number_of[indices[0]]] = ends
        for index, end in zip(indices, ends, strict=True):
            self.frontier.ends[index] = end
