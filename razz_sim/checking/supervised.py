"""A check from outside: the stages run in a child that may hang or crash, and that is reported, not suffered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from razz_sim.batch import Verdict
from razz_sim.checking.afresh import Afresh, FreshProcess, Job
from razz_sim.checking.log import Place, answer_text, difference
from razz_sim.checking.report import TOPICS, Finding, Report
from razz_sim.checking.situations import SEED, Checked, range_ends, situations
from razz_sim.checking.stages import (
    RANGE_HANDS,
    RANGE_SEED,
    Began,
    Loaded,
    Refused,
    Sent,
    Wanted,
    check_in_child,
    example_of,
    see_it,
)
from razz_sim.experiment import Experiment, Limits
from razz_sim.hand.record import NOBODY
from razz_sim.runner.judging import fault_of, verdict_at
from razz_sim.runner.supervised import Child, ChildDied, Overdue, TooSlow
from razz_sim.runner.tasks import Failed, Finished
from razz_sim.strategy import StrategyError, check_params, find_strategy
from razz_sim.strategy.source import strategy_text
from razz_sim.table.record import IN_ROWS

THOROUGH, QUICK = 1000, 60
"""So often a strategy is called in each situation."""
COMPANY_ROUNDING = 0.001
"""The share of an array strategy's answers that other rows beside them may change: sums in another order."""


def check(
    spec: str,
    params: Mapping[str, object] | None = None,
    *,
    relative_to: Path = Path(),
    thorough: bool = True,
    limits: Limits | None = None,
) -> Report:
    """Check the strategy that `spec` names, with some of its parameters set; StrategyError when there is none such.

    Not `thorough`, it plays fewer hands and measures neither speed nor memory.
    """
    text = strategy_text(spec, relative_to)
    wanted = Wanted(text, dict(params or {}), THOROUGH if thorough else QUICK, measure=thorough)
    watching = Experiment(name="check", seed=0, scenarios=(), limits=limits or Limits())
    check = _Check(wanted)
    child = Child(check_in_child, watching, [], wanted=wanted)
    try:
        check.follow(child)
    except Overdue as overdue:
        child.stop(seconds=0)
        check.ended(_overdue(overdue, watching.limits), overdue.pulse)
    except TooSlow:
        child.stop(seconds=0)
        sentence = f"this took more than batch_s, {watching.limits.batch_s} s: it answers, but too slowly"
        check.ended(sentence, {"copy": NOBODY})
    except ChildDied as death:
        check.ended(f"it ended the process that played: {death.how()}", death.pulse)
    finally:
        child.stop()
        check.close()
    return check.report(thorough)


def situations_of(spec: str, params: Mapping[str, object], relative_to: Path = Path()) -> Experiment:
    """The situations that a strategy is checked in; StrategyError when there is no such strategy or parameter."""
    source = find_strategy(spec, relative_to)
    return situations(Checked(source, check_params(source, params)))


def _overdue(overdue: Overdue, limits: Limits) -> str:
    """What took too long, in words."""
    rows = " for each hundred rows" if overdue.pulse["decision"] == IN_ROWS else ""
    return f"it did not answer within decision_ms, {limits.decision_ms} ms{rows}"


class _Check:
    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.findings: dict[str, Finding] = {}
        self.stage = TOPICS[0]
        self.checked: Checked | None = None
        self.job: Job | None = None
        self.fresh: FreshProcess | None = None

    def follow(self, child: Child) -> None:
        """Take what the child sends, to its end."""
        messages: Any = child.messages()
        for message in messages:
            self.take(message)
        if self.fresh is not None and self.job is not None:
            self.compare(self.fresh.result(), self.job)

    def take(self, message: Sent) -> None:
        match message:
            case Refused():
                raise StrategyError(message.sentence)
            case Failed():
                raise message.error
            case Began():
                self.stage = message.topic
            case Loaded():
                self.checked = message.checked
            case Finding():
                self.findings[message.topic] = message
            case Job():
                self.job = message
                self.fresh = FreshProcess(message)
            case Finished():
                pass

    def compare(self, fresh: Afresh, job: Job) -> None:
        """What a fresh process makes of the same hands."""
        ours = {call.place: call.answer for call in job.calls if call.place in fresh.played}
        for look in (_ships, _apart):
            finding = look(fresh, ours, job)
            self.findings[finding.topic] = finding
            if finding.good is False:
                return

    def ended(self, what: str, pulse: Mapping[str, int]) -> None:
        """The child did not reach its end."""
        lines: list[str] = []
        if pulse["copy"] != NOBODY and self.checked is not None and self.stage not in ("memory", "speed"):
            lines = self._first(self.checked, verdict_at(pulse, what))
        self.findings[self.stage] = Finding(self.stage, False, what, tuple(lines))

    def _first(self, checked: Checked, verdict: Verdict) -> list[str]:
        """Where it was asked when it did not answer, what it saw there, and the command that shows the hand."""
        at_ends = self.stage == "parameters"
        odd = [(one.name, one) for one in situations(checked).scenarios]
        played = range_ends(checked, RANGE_HANDS) if at_ends else odd
        words, scenario = played[verdict.scenario]
        words = f"with {words}" if at_ends else f"situation {verdict.scenario + 1} ({words})"
        scenarios = tuple(one for _, one in played)
        seed = RANGE_SEED if at_ends else SEED
        fault = fault_of(Experiment(name="check", seed=seed, scenarios=scenarios), verdict, [verdict])
        lines = [f"{words}, {fault.place()}", *fault.seen.splitlines()]
        if verdict.decision == IN_ROWS:
            lines.append("none of these hands can be shown alone: it did not answer for any of them")
        elif not at_ends:
            command = see_it(self.wanted.text.spec, self.wanted.params, scenario, verdict.scenario, fault)
            lines.append(f"{command} --unasked {fault.copy}/{fault.decision}")
        return lines

    def close(self) -> None:
        if self.fresh is not None:
            self.fresh.close()

    def report(self, thorough: bool) -> Report:
        """All findings in order; what was not come to is marked as such."""
        missing = [Finding(topic, None, "not looked at, for what is wrong above") for topic in TOPICS]
        wanted = [one for one in missing if thorough or one.topic not in ("memory", "speed")]
        found = tuple(self.findings.get(one.topic, one) for one in wanted)
        return Report(self.wanted.text.spec, found)


def _ships(fresh: Afresh, ours: dict[Place, int], job: Job) -> Finding:
    """Whether another process, which has only the strategy's text, plays the same hands alike."""
    topic = "ships to a worker"
    if fresh.error:
        return Finding(topic, False, f"in another process: {fresh.error}")
    parted = difference(ours, {place: fresh.played[place] for place in ours})
    if not ours:
        return Finding(topic, None, "not tried: there are no answers to compare")
    if parted is None:
        return Finding(topic, True, f"as text: the same {len(ours):,} answers in another process, folder and hash seed")
    why = "a process of its own answers differently, by the hash seed, the folder, the clock or chance"
    answers = f"{answer_text(parted.first)} here, {answer_text(parted.second)} there"
    return Finding(topic, False, f"{why}: {answers}", example_of(parted, list(job.calls), job.experiment))


def _apart(fresh: Afresh, ours: dict[Place, int], job: Job) -> Finding:
    """Whether a copy by itself, shown what it was shown at the table, answers alike."""
    topic, rows = "its own copy", job.checked.source.kind == "array"
    parted = difference(fresh.alone, {place: ours[place] for place in fresh.alone})
    if not fresh.alone:
        return Finding(topic, None, "not tried: there are no answers to compare")
    if parted is None:
        return Finding(topic, True, "each copy by itself, its table not there: same answers")
    if rows and parted.count <= COMPANY_ROUNDING * len(ours):
        note = f"{parted.count} of {len(ours):,} answers depend on the rows asked beside them, as rounding may"
        return Finding(topic, True, note)
    why = "its answers depend on what other copies of it saw"
    why += ", or on the rows that are asked beside them" if rows else ""
    answers = f"{answer_text(parted.second)} at the table, {answer_text(parted.first)} by itself"
    return Finding(topic, False, f"{why}: {answers}", example_of(parted, list(job.calls), job.experiment))
