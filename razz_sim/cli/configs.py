"""Looking at what would be played: validate, schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import typer

from razz_sim.cli.program import (
    FAILED,
    Changes,
    ConfigFile,
    Hands,
    Seed,
    announce_compiling_for,
    app,
    console,
    say,
    stop,
    wrong_input,
)

if TYPE_CHECKING:
    from razz_sim.experiment import Experiment, Scenario


@app.command()
def validate(config: ConfigFile, hands: Hands = None, seed: Seed = None, changes: Changes = None) -> None:
    """Check an experiment, strategies included, and print what it would play and how long that takes."""
    from razz_sim.config import ConfigError, load_experiment
    from razz_sim.report import about, print_schedule

    with wrong_input(ConfigError):
        loaded = load_experiment(config, overrides=changes or (), hands=hands, seed=seed)
    experiment = loaded.experiment
    announce_compiling_for(experiment)
    from razz_sim.batch import StrategyFault, prepare
    from razz_sim.strategy import StrategyError

    with wrong_input(StrategyError):
        for source in {entrant.strategy for scenario in experiment.scenarios for entrant in scenario.lineup}:
            prepare(source)
    for warning in loaded.warnings:
        say(f"warning: {warning}")
    print_schedule(experiment, console())
    try:
        seconds = _probe(experiment)
    except StrategyFault as error:
        stop(str(error), FAILED)
    counted = f"{experiment.hands:,} hands"
    time_needed = f"{about(seconds)} on one processor, by a trial of {PROBE_SECONDS} s just now"
    typer.echo(f"{config} is playable: {counted}, {time_needed}")


PROBE_SECONDS, PROBED, PROBE_PATIENCE = 0.2, 8, 20.0
"""How long and in how many scenarios speed is tried; when a strategy that does not answer is given up."""


def _probe(experiment: Experiment) -> float:
    """The seconds that an experiment would take one process, by the speed of a few of its scenarios here and now."""
    import threading

    step = -(-len(experiment.scenarios) // PROBED)
    probed = experiment.scenarios[::step]
    speeds: list[float] = []
    errors: list[BaseException] = []

    def measure() -> None:
        try:
            for scenario in probed:
                speeds.append(_hands_per_second(scenario, experiment.seed, PROBE_SECONDS / len(probed)))
        except BaseException as error:
            errors.append(error)

    # In a thread that may be left behind: a strategy that never answers must not hold up this one.
    thread = threading.Thread(target=measure, daemon=True)
    thread.start()
    thread.join(PROBE_PATIENCE)
    if errors:
        raise errors[0]
    if thread.is_alive():
        name = probed[len(speeds)].name
        stop(f"scenario {name!r}: a strategy does not answer within {PROBE_PATIENCE:.0f} s of trial", FAILED)
    return sum(scenario.hands / speeds[index // step] for index, scenario in enumerate(experiment.scenarios))


def _hands_per_second(scenario: Scenario, seed: int, seconds: float) -> float:
    """The speed of one process, from longer and longer batches until one is long enough to tell."""
    from dataclasses import replace
    from time import perf_counter

    from razz_sim.batch import play_batch
    from razz_sim.experiment import Batch

    session = replace(scenario.session, hands=min(scenario.session.hands, 1000))
    tried = replace(scenario, session=session, hands=scenario.hands // session.hands * session.hands)
    started, blocks = perf_counter(), tried.group
    while True:
        stop = min(blocks, tried.blocks)
        batch = Batch(scenario=0, bin=0, first=0, stop=stop, hands=stop * session.hands)
        before = perf_counter()
        play_batch(tried, seed, batch)
        took = perf_counter() - before
        if perf_counter() - started > seconds:
            return batch.hands / took
        blocks *= 2


@app.command()
def schema() -> None:
    """Print the JSON Schema of experiment files, for editors."""
    from razz_sim.config import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))
