"""The stages of a check, in a child process: the strategy is loaded, played and watched here, nowhere else."""

from __future__ import annotations

import gc
import itertools
import shlex
import time
import tracemalloc
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection

import numpy as np

from razz_sim.batch import Exhausted, Fault, StrategyFault, play_batches, prepare, view_text
from razz_sim.checking.afresh import Job, fits
from razz_sim.checking.habits import Clock, Printed, begin_chance, chance_used, resident_bytes
from razz_sim.checking.log import Asked, Difference, Place, answer_text, difference, view_of
from razz_sim.checking.playing import Enough, Playing, Way, play_all, play_until
from razz_sim.checking.report import Finding
from razz_sim.checking.situations import Checked, range_ends, situations, usual
from razz_sim.checking.tap import WRITES_OUTSIDE, WRITES_TABLE, WRITES_VIEW
from razz_sim.experiment import Batch, Experiment, Ranges, Scenario
from razz_sim.hand.record import NOBODY
from razz_sim.places import HandPlace
from razz_sim.rules import spell
from razz_sim.runner.supervised import RunnerError
from razz_sim.runner.tasks import Failed, Finished
from razz_sim.runner.watch import limit_memory
from razz_sim.strategy import NoSuchStrategy, StrategyError, check_params
from razz_sim.strategy.source import StrategyText, read_strategy
from razz_sim.table.record import P_CALLS, P_COPY, P_ROWS
from razz_sim.tally import TABLE_COLUMNS

LOADING_ROWS = 2000
"""Loading a file may take as long as this many rows' answers: twenty times as long as a decision."""
USUAL_SPEED: Mapping[str, tuple[int, int]] = {
    "compiled": (300_000, 10_000_000),
    "python": (200_000, 1_000_000),
    "array": (500_000, 3_000_000),
}
"""Decisions a second, the engine's part included, of a good strategy of each kind: measured in `docs/strategies.md`."""
LEAST_HANDS = 200
"""With fewer hands to compare, what a strategy fills once would be taken for growth without end."""
SAFER = "uniform(u, 0) is safer and as fast"
SESSION_HANDS = 100
"""Of the sessions in which memory is measured."""
RANGE_HANDS, RANGE_SEED = 40, 1
"""Hands that are played at each end of a parameter's range, and their seed."""
ALONE = 6_000
"""So many calls are answered again by each copy alone."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be checked: the text that a spec led to, parameters to set, how thoroughly."""

    text: StrategyText
    params: Mapping[str, object]
    calls: int
    measure: bool


@dataclass(frozen=True, slots=True)
class Began:
    """A stage began; the finding on its topic is still to come."""

    topic: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """The strategy as its file declares it."""

    checked: Checked


@dataclass(frozen=True, slots=True)
class Refused:
    """There is nothing to check: the spec or a parameter is wrong."""

    sentence: str


Sent = Began | Loaded | Refused | Finding | Job | Failed | Finished


def check_in_child(
    experiment: Experiment, done: list[Ranges], pulse: np.ndarray, results: Connection, wanted: Wanted
) -> None:
    """All stages; what is found goes out through `results`. The first arguments are what every child gets."""
    stage = "loads"
    try:
        limit_memory(experiment.limits)
        for sent in _Stages(wanted, pulse).run():
            stage = sent.topic if isinstance(sent, Began) else stage
            results.send(sent)
    except (Exhausted, MemoryError):
        results.send(Finding(stage, False, f"it takes more than {experiment.limits.memory_mb} MB of memory"))
    except Exception as error:
        results.send(Failed(RunnerError(f"looking at {stage!r}: {type(error).__name__}: {error}")))
    results.send(Finished(workers=1))


class _Stages:
    def __init__(self, wanted: Wanted, pulse: np.ndarray) -> None:
        self.wanted, self.pulse = wanted, pulse
        self.printed = Printed()
        self.clock = Clock(wanted.text.filename)
        self.checked: Checked
        self.cut: Experiment
        self.base: Playing

    def run(self) -> Iterator[Sent]:
        """Stage after stage, as far as they go."""
        yield Began("loads")
        try:
            self.load()
        except NoSuchStrategy as error:
            yield Refused(str(error))
            return
        except StrategyError as error:
            yield Finding("loads", False, str(error))
            return
        try:
            self.checked = Checked(self.source, check_params(self.source, self.wanted.params))
        except StrategyError as error:
            yield Refused(str(error))
            return
        yield Loaded(self.checked)
        yield Finding("loads", True, _declared(self.checked))
        yield Began("compiles")
        try:
            prepare(self.source)
        except StrategyError as error:
            yield Finding("compiles", False, str(error))
            return
        how = "to machine code" if self.source.kind == "compiled" else "not needed: its class can be made"
        yield Finding("compiles", True, how)
        yield from self.play()

    def load(self) -> None:
        """Run the strategy's file, watched like a decision."""
        text = self.wanted.text
        self.pulse[P_ROWS] = LOADING_ROWS
        self.pulse[P_CALLS] += 1
        self.pulse[P_COPY] = 0
        with self.printed.caught(), self.clock.watched():
            self.source = read_strategy(text.spec, text.function, text.text, text.filename)
        self.pulse[P_COPY] = NOBODY

    def play(self) -> Iterator[Sent]:
        """What shows when it plays."""
        with self.printed.caught():
            yield Began("parameters")
            yield self.parameters()
            yield Began("legal answers")
            chance = chance_used()
            experiment = situations(self.checked)
            enough = Enough(self.wanted.calls, seconds=self.wanted.calls / 5000)
            with self.clock.watched():
                self.base, self.cut = play_until(experiment, enough, self.pulse)
            drawn = [number for number, state in enumerate(chance_used()) if state != chance[number]]
            yield self.legal()
            good = tuple(index for index in range(len(self.cut.scenarios)) if index not in self.base.faults)
            if not good:
                return
            yield Began("same answers again")
            again = self.again(good, drawn)
            yield again
            if again.good:
                calls = [call for call in self.base.log.calls if call.place.situation in good]
                yield Job(self.checked, self.cut, good, fits(calls, ALONE))
            yield Began("its own view")
            yield self.own_view(good, again.good is True)
            yield Began("hidden cards")
            if again.good:
                yield self.hidden(good)
        yield Began("prints nothing")
        yield self.prints()
        if self.wanted.measure and not self.base.faults:
            yield Began("memory")
            yield self.memory()
            yield Began("speed")
            yield self.speed()

    def parameters(self) -> Finding:
        """Play both ends of each parameter's range."""
        count = len(self.source.parameters)
        for index, (words, scenario) in enumerate(range_ends(self.checked, RANGE_HANDS)):
            try:
                _play(scenario, RANGE_HANDS, self.pulse, index=index)
            except StrategyFault as error:
                seen = "" if error.fault is None else error.fault.seen
                told = f"with {words}: {_told(str(error), error.fault)}"
                return Finding("parameters", False, told, tuple(seen.splitlines()))
        ranges = "both ends of each range can be played" if count else "it has none"
        return Finding("parameters", True, ranges)

    def legal(self) -> Finding:
        """Whether each answer was one, and legal."""
        playing, faults = self.base, self.base.faults
        if not faults:
            decisions = len(playing.log.answers())
            found = f"all {decisions:,} decisions in {playing.hands:,} hands of {len(self.cut.scenarios)} situations"
            return Finding("legal answers", True, found)
        index, (sentence, fault) = next(iter(faults.items()))
        lines = [f"situation {index + 1} ({self.cut.scenarios[index].name}), {_told(sentence, fault)}"]
        if fault is not None:
            lines += self.shown(index, fault)
        count = f"wrong in {len(faults)} of {len(self.cut.scenarios)} situations, first:"
        return Finding("legal answers", False, count, tuple(lines))

    def shown(self, index: int, fault: Fault) -> list[str]:
        """What a strategy that failed saw, and the command that shows the hand."""
        scenario = self.cut.scenarios[index]
        at = Place(index, fault.block, fault.hand, fault.copy, fault.decision)
        asked = [call for call in self.base.log.calls if call.place == at]
        seen = fault.seen or (view_text(view_of(asked[-1]), scenario.stakes.money) if asked else "")
        return [*seen.splitlines(), see_it(self.source.spec, self.wanted.params, scenario, index, fault)]

    def again(self, good: tuple[int, ...], drawn: list[int]) -> Finding:
        """Play the same hands again, the blocks backwards and in other pieces."""
        topic = "same answers again"
        if drawn and self.draws_freely(drawn):
            why = "it draws from random or numpy.random, which no seed of a run governs"
            return Finding(topic, False, f"{why}: draw with uniform(u, 0), uniform(u, 1), ...")
        if self.clock.asked:
            why = f"it looks at the clock (line {self.clock.asked})"
            return Finding(topic, False, f"{why}: no hand could be played again")
        playing = play_all(self.cut, good, Way(backwards=True, piece=7), self.pulse)
        if playing.faults:
            failed = _told(*next(iter(playing.faults.values())))
            return Finding(topic, False, f"played again, in another order, it fails: {failed}")
        parted = difference(self.base.answers(), playing.answers(self.base.faults))
        if parted is None:
            note = f"; it draws from random or numpy.random, seeded each time: {SAFER}" if drawn else ""
            return Finding(topic, True, f"in other batches, blocks in another order{note}")
        why = "it keeps something from hand to hand outside its own copy, or draws chance of its own"
        return Finding(topic, False, f"{why}: {self.parted(parted)}", self.example(parted))

    def draws_freely(self, drawn: list[int]) -> bool:
        """Whether generators that it drew from end elsewhere when they begin elsewhere: then it does not seed them."""
        ended = chance_used()
        begin_chance(ended)
        play_all(self.cut, range(len(self.cut.scenarios)), Way(), self.pulse)
        again = chance_used()
        return any(again[number] != ended[number] for number in drawn)

    def own_view(self, good: tuple[int, ...], same: bool) -> Finding:
        """Whether it keeps to what it is given."""
        topic, wrong = "its own view", self.base.log.wrong
        for kind in (WRITES_TABLE, WRITES_OUTSIDE):
            if kind in wrong:
                call = wrong[kind]
                money = self.cut.scenarios[call.place.situation].stakes.money
                return Finding(topic, False, f"it {kind}", tuple(view_text(view_of(call), money).splitlines()))
        if self.source.kind == "compiled" and same:
            playing = play_all(self.cut, good, Way(junk=0xAA), self.pulse)
            parted = difference(self.base.answers(), playing.answers(self.base.faults))
            if parted is not None:
                sentence = f"it reads past what it is given: {self.parted(parted)}"
                return Finding(topic, False, sentence, self.example(parted))
        note = "; it writes to its view, which reaches nothing" if WRITES_VIEW in wrong else ""
        return Finding(topic, True, f"it reads and writes nothing else{note}")

    def hidden(self, good: tuple[int, ...]) -> Finding:
        """Whether what nobody shows it makes a difference."""
        playing = play_all(self.cut, good, Way(hide_cards=True), self.pulse)
        parted = difference(self.base.answers(), playing.answers(self.base.faults))
        if parted is None:
            return Finding("hidden cards", True, "others in the holes and the deck: same answers")
        sentence = f"its answers depend on cards that it cannot see: {self.parted(parted)}"
        return Finding("hidden cards", False, sentence, self.example(parted))

    def parted(self, parted: Difference) -> str:
        """A difference in words."""
        return f"{answer_text(parted.first)}, then {answer_text(parted.second)}"

    def example(self, parted: Difference) -> tuple[str, ...]:
        """Where it first showed."""
        return example_of(parted, self.base.log.calls, self.cut)

    def prints(self) -> Finding:
        lines = self.printed.lines()
        if not lines:
            return Finding("prints nothing", True, "not a line")
        count = f"{len(lines):,} lines, the first: {lines[0][:80]}"
        return Finding("prints nothing", False, f"{count} (a run of a million hands would print as many times more)")

    def memory(self) -> Finding:
        """Whether memory goes on growing when hands go on being played."""
        hands = self.hands_in(0.5)
        if hands < LEAST_HANDS:
            return Finding("memory", None, f"not tried: it plays only {hands} hands in half a second, too few to tell")
        session = min(SESSION_HANDS, hands)
        scenario = usual(self.checked, hands // session * session * 4, session)
        part = scenario.blocks // 4
        traced = self.source.kind != "compiled"
        sizes = []
        if traced:
            tracemalloc.start()
        with self.printed.caught():
            for number in range(4):
                _play(scenario, part * session, self.pulse, number * part)
                gc.collect()
                sizes.append(tracemalloc.get_traced_memory()[0] if traced else resident_bytes())
        tracemalloc.stop()
        growth = [later - earlier for earlier, later in itertools.pairwise(sizes[1:])]
        each = growth[-1] / (part * session)
        least = 20 * part * session if traced else 2 * 2**20
        if all(more > least for more in growth) and growth[1] > 0.7 * growth[0]:
            told = f"as far as {scenario.hands:,} hands tell"
            return Finding("memory", False, f"it grows by some {each:,.0f} bytes a hand, without end {told}")
        return Finding("memory", True, f"it does not grow in {scenario.hands:,} hands")

    def speed(self) -> Finding:
        """Decisions a second with six copies at a table, as a run plays them."""
        hands = self.hands_in(0.7)
        decisions, seconds = _timed(self.checked, hands, self.pulse)
        speed = decisions / seconds
        low, high = USUAL_SPEED[self.source.kind]
        kind = {"compiled": "compiled", "python": "Python", "array": "array"}[self.source.kind]
        slow = "" if speed >= low else ", this one is slower"
        usual_speed = f"{kind} strategies usually make {low:,} to {high:,}{slow}"
        return Finding("speed", True, f"{speed:,.0f} decisions/s, six copies and the engine; {usual_speed}")

    def hands_in(self, seconds: float) -> int:
        """About how many hands of six copies take so long."""
        hands = usual(self.checked, 1).group
        while True:
            _, took = _timed(self.checked, hands, self.pulse)
            if took > seconds / 8:
                return max(1, int(hands * seconds / took))
            hands *= 2


def example_of(parted: Difference, calls: list[Asked], experiment: Experiment) -> tuple[str, ...]:
    """The place of a difference and what the strategy saw there."""
    place = parted.place
    more = f", and {parted.count - 1:,} decisions after it" if parted.count > 1 else ""
    scenario = experiment.scenarios[place.situation]
    where = _hand_place(scenario, place.situation, place.block * scenario.session.hands + place.hand)
    lines = [f"first in situation {place.situation + 1} ({scenario.name}), hand {where}{more}"]
    seen = [call for call in calls if call.place == place]
    return (*lines, *(view_text(view_of(seen[0]), scenario.stakes.money).splitlines() if seen else ()))


def _hand_place(scenario: Scenario, situation: int, number: int) -> HandPlace:
    return HandPlace(situation, number, (situation + 1, 1), scenario.session.hands)


def see_it(spec: str, params: Mapping[str, object], scenario: Scenario, index: int, fault: Fault) -> str:
    """The command that shows the hand of a check in which a strategy failed; `params` are those that were set."""
    place = _hand_place(scenario, index, fault.number)
    given = "".join(f" --set {shlex.quote(f'{name}={spell(value)}')}" for name, value in params.items())
    return f"see it: razz-sim check {shlex.quote(spec)}{given} --hand {place}"


def _told(sentence: str, fault: Fault | None) -> str:
    """A fault without what all faults of a check have in common."""
    return sentence if fault is None else f"{fault.place()}: {fault.reason}"


def _declared(checked: Checked) -> str:
    """What a strategy declares, in words."""
    source = checked.source
    kind = {"compiled": "a compiled function", "python": "a Python class", "array": "an array class"}[source.kind]
    words = [kind]
    kinds = {parameter.name: parameter.kind for parameter in source.parameters}
    given = [
        f"{name} {spell(bool(value)) if kinds[name] == 'bool' else f'{value:g}'}" for name, value in checked.params
    ]
    if given:
        words.append(f"{'params' if len(given) > 1 else 'param'} {', '.join(given)}")
    if source.memory:
        words.append(f"memory of {source.memory} float{'s' * (source.memory > 1)}")
    return "; ".join(words)


def _play(scenario: Scenario, hands: int, pulse: np.ndarray, first: int = 0, index: int = 0) -> np.ndarray:
    """The table's totals of so many hands of a scenario; the pulse has its `index`."""
    blocks = -(-hands // scenario.block_hands)
    batch = Batch(scenario=index, bin=0, first=first, stop=first + blocks, hands=blocks * scenario.block_hands)
    return play_batches(scenario, RANGE_SEED, [batch], pulse, index=index)[0].table


def _timed(checked: Checked, hands: int, pulse: np.ndarray) -> tuple[int, float]:
    """Decisions of so many hands and the seconds they take; array strategies play whole groups."""
    group = usual(checked, 1).group
    hands = -(-hands // group) * group
    began = time.perf_counter()
    table = _play(usual(checked, hands), hands, pulse)
    return int(table[TABLE_COLUMNS.index("decisions")]), time.perf_counter() - began
