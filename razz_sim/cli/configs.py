"""Looking at what would be played: validate, schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from razz_sim.cli.program import (
    FAILED,
    STEPS,
    WRONG_INPUT,
    Changes,
    ConfigFile,
    Hands,
    Seed,
    Tournaments,
    announce_compiling,
    announce_compiling_for,
    app,
    at_its_line,
    console,
    prints_aside,
    say,
    stop,
    wrong_input,
)

if TYPE_CHECKING:
    from razz_sim.batch import Counted
    from razz_sim.experiment import Batch, Experiment, Scenario


@app.command()
def validate(
    config: ConfigFile,
    hands: Hands = None,
    tournaments: Tournaments = None,
    seed: Seed = None,
    changes: Changes = None,
) -> None:
    """Check an experiment, strategies included, and print what it would play and how long that takes."""
    from razz_sim.config import ConfigError, load_experiment
    from razz_sim.report import about, print_schedule, print_trials

    with wrong_input(ConfigError):
        loaded = load_experiment(config, overrides=changes or (), hands=hands, tournaments=tournaments, seed=seed)
    experiment = loaded.experiment
    announce_compiling_for(experiment)
    from razz_sim.batch import StrategyFault
    from razz_sim.runner import prepare_all
    from razz_sim.strategy import StrategyError

    try:
        prepare_all(experiment)
    except StrategyError as error:
        stop(at_its_line(str(error), config), WRONG_INPUT)
    for warning in loaded.warnings:
        say(f"warning: {warning}")
    print_schedule(experiment, console())
    try:
        with prints_aside():
            seconds, failures, tried = _probe(experiment)
    except StrategyFault as error:
        stop(str(error), FAILED)
    if structures := _structures(tried):
        print_trials(structures, console())
    for failure in failures:
        say(f"warning: {failure}")
    at_most, for_all = ("at most ", " for all") if experiment.stop or experiment.search else ("", "")
    counted = f"{at_most}{_counted(experiment, tried)}"
    time_needed = f"{about(seconds)}{for_all} on one processor, by a trial of {PROBE_SECONDS} s just now"
    typer.echo(f"{config} is playable: {counted}, {time_needed}")


LEAST_DOUBLED = 7
"""The first batches of a trial, ever twice as long, take as long to begin as to play."""
PROBE_SECONDS, PROBED, PROBE_PATIENCE = 0.2, 8, 60.0
"""How long and in how many scenarios speed is tried; when a strategy that does not answer is given up."""


def _probe(experiment: Experiment) -> tuple[float, list[str], list[_Tried]]:
    """The seconds that an experiment would take one process, by the speed of a few of its scenarios here and now.

    And what strategies failed to answer in the trial, in sentences; and the trials.
    """
    import threading

    step = -(-len(experiment.scenarios) // PROBED)
    probed = experiment.scenarios[::step]
    tried: list[_Tried] = []
    errors: list[BaseException] = []

    def measure() -> None:
        try:
            for scenario in probed:
                tried.append(_try(scenario, experiment.seed, PROBE_SECONDS / len(probed)))
        except BaseException as error:
            errors.append(error)

    # In a thread that may be left behind: a strategy that never answers must not hold up this one.
    thread = threading.Thread(target=measure, daemon=True)
    thread.start()
    thread.join(PROBE_PATIENCE)
    if errors:
        raise errors[0]
    if thread.is_alive():
        name = probed[len(tried)].name
        stop(f"scenario {name!r}: a strategy does not answer within {PROBE_PATIENCE:.0f} s of trial", FAILED)
    scenarios = experiment.scenarios
    seconds = sum(scenario.hands / tried[index // step].speed for index, scenario in enumerate(scenarios))
    if experiment.search:
        seconds *= experiment.hands / sum(scenario.hands for scenario in scenarios)
    return seconds, [sentence for one in tried for sentence in _failures(one, experiment.seed)], tried


def _counted(experiment: Experiment, tried: Sequence[_Tried]) -> str:
    """How much would be played; of tournaments about how many hands, by the trials."""
    if experiment.scenarios[0].tournament is None:
        return f"{experiment.hands:,} hands"
    tournaments = experiment.hands / sum(one.hands for one in experiment.scenarios)
    tournaments *= sum(one.blocks for one in experiment.scenarios)
    each = sum(_hands_in(one) / one.batch.stop for one in tried) / len(tried)
    size = 10 ** max(0, len(str(int(tournaments * each))) - 2)
    return f"{tournaments:,.0f} tournaments, about {round(tournaments * each / size) * size:,} hands"


def _hands_in(tried: _Tried) -> int:
    from razz_sim.tally import TABLE_COLUMNS

    return int(tried.counted.table[TABLE_COLUMNS.index("hands")])


@dataclass(frozen=True, slots=True)
class _Tried:
    """A trial: what was played, what was counted, and how many hands a second."""

    scenario: Scenario
    batch: Batch
    counted: Counted
    speed: float


def _try(scenario: Scenario, seed: int, seconds: float) -> _Tried:
    """Longer and longer batches until one is long enough to tell the speed of one process."""
    from dataclasses import replace
    from itertools import count
    from time import perf_counter, thread_time

    from razz_sim.batch import play_batch
    from razz_sim.experiment import Batch

    session = replace(scenario.session, hands=min(scenario.session.hands, 1000))
    tried = replace(scenario, session=session, hands=scenario.hands // scenario.session.hands * session.hands)
    started, blocks = perf_counter(), tried.group
    for number in count():
        stop = min(blocks, tried.blocks)
        batch = Batch(scenario=0, bin=0, first=0, stop=stop, hands=stop * tried.block_hands)
        before = thread_time()
        counted = play_batch(tried, seed, batch)
        took = thread_time() - before
        if perf_counter() - started > seconds and (number >= LEAST_DOUBLED or took > seconds):
            break
        blocks *= 2
    return _Tried(tried, batch, counted, batch.hands / took)


MOST_STRUCTURES = 3
"""Of more different structures than this none is printed."""


def _structures(tried: Sequence[_Tried]) -> list[dict[str, Any]]:
    """What trials of tournaments found, once for each structure, as a summary has it."""
    from razz_sim.statistics.summaries import tournament_found
    from razz_sim.tally import Tally

    found: dict[object, dict[str, Any]] = {}
    for one in tried:
        scenario, plan = one.scenario, one.scenario.tournament
        if plan is None or plan in found:
            continue
        tally = Tally(scenario.bins, len(scenario.lineup), scenario.bins, tournament=True)
        tally.add(0, one.counted.totals)
        found[plan] = tournament_found(scenario, tally)
    return list(found.values()) if len(found) <= MOST_STRUCTURES else []


def _failures(tried: _Tried, seed: int) -> list[str]:
    """A sentence for each entrant that failed in a trial: how often, and the first time."""
    from razz_sim.batch import first_fault
    from razz_sim.tally import ENTRANT_COLUMNS

    scenario, hands = tried.scenario, tried.batch.hands
    told = []
    for entrant, count in enumerate(tried.counted.entrants[:, ENTRANT_COLUMNS.index("errors")].tolist()):
        if count:
            announce_compiling(STEPS)
            first = first_fault(scenario, seed, tried.batch, entrant)
            times = f"{count:,} times" if count > 1 else "once"
            first_time = f", first in {scenario.name!r}, {first.place()}: {first.reason}" if first else ""
            name = f"{scenario.lineup[entrant].name!r} failed {times} in a trial of {hands:,} hands"
            told.append(f"on_error is {scenario.on_error}, and {name}{first_time}")
    return told


@app.command()
def schema() -> None:
    """Print the JSON Schema of experiment files, for editors."""
    from razz_sim.config import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))
