"""Conducting an experiment: from a config to a finished run folder, the same way for the program and for Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from razz_sim.batch import Counted, StrategyFault, Verdict
from razz_sim.config import experiment_from_dict, load_experiment
from razz_sim.course import Course
from razz_sim.experiment import Experiment
from razz_sim.places import HandPlace
from razz_sim.runner import Told, first_errors, play
from razz_sim.statistics import summary
from razz_sim.store import Run, RunFolder, StoreError, find_resumable, why_none

Progress = Callable[[RunFolder, Counted], None]
"""Told of each batch once it is recorded."""


class NothingToResume(StoreError):
    """No run below the results folder is of this experiment and unfinished or shorter."""


def open_folder(
    experiment: Experiment,
    out: Path,
    command: Sequence[str] = (),
    *,
    resume: bool = False,
    blocks: tuple[int, int] | None = None,
) -> RunFolder:
    """A new run folder, or with `resume` the newest one to go on with; raises StoreError."""
    if not resume:
        return RunFolder.create(out, experiment, command, blocks=blocks)
    found = find_resumable(out, experiment, blocks)
    if found is None:
        raise NothingToResume(f"{out / experiment.name} holds no run to go on with: {why_none(out, experiment)}")
    return RunFolder.resume(found, experiment, command)


def play_into(
    folder: RunFolder,
    *,
    kind: str = "auto",
    workers: int | None = None,
    address: str | None = None,
    progress: Progress | None = None,
    ray: Callable[[float | None], None] = lambda seconds: None,
    begun: Callable[[Course], None] = lambda course: None,
) -> dict[str, Any]:
    """Play what a run folder lacks; the summary to finish it with. What ends it early leaves the folder resumable.

    `ray` is told when Ray is being started, with None, and how many seconds that took; `begun` of the course, before
    anything is played.
    """

    def deliver(counted: Counted) -> None:
        folder.record(counted)
        course.look(counted.batch.scenario)
        if progress is not None:
            progress(folder, counted)

    def fail(indices: Sequence[int], ends: Sequence[int], error: StrategyFault, scenario: int) -> None:
        fault = error.fault
        where = None if fault is None else str(HandPlace.of_number(fault.number, scenario, experiment))
        folder.fail(indices, ends, str(error), where)

    experiment = folder.experiment
    course = Course(experiment, folder.tallies, folder.known_to, fail)
    for failure in folder.failed:
        course.leave_out(failure["scenarios"], failure["ends"])
    course.look()
    begun(course)
    before = folder.seconds
    how = play(
        experiment,
        Told(deliver, folder.judge, ray, course.fail),
        done=folder.done,
        frontier=course.frontier,
        verdicts=_still_held(folder),
        kind=kind,
        workers=workers,
        address=address,
    )
    folder.cut(course.frontier.ends.tolist())
    return summary(
        experiment,
        folder.tallies,
        first_errors(experiment, folder.tallies, folder.verdicts),
        failed=folder.failed,
        runner=how.runner,
        workers=how.workers,
        seconds=before + how.seconds,
        starting_ray=how.starting_ray,
        replayed=how.replayed,
    )


def _still_held(folder: RunFolder) -> list[Verdict]:
    """The verdicts to go by: where errors stop a run, it is resumed to try again what stopped it."""
    scenarios = folder.experiment.scenarios
    return [verdict for verdict in folder.verdicts if scenarios[verdict.scenario].on_error != "stop"]


def run(
    config: str | Path | Mapping[str, Any] | Experiment,
    *,
    hands: int | None = None,
    tournaments: int | None = None,
    seed: int | None = None,
    changes: Mapping[str, object] | Sequence[str] = (),
    out: str | Path = "results",
    runner: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    resume: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Play an experiment and return its run: what `razz-sim run` does, without printing.

    >>> import tempfile
    >>> config = {
    ...     "name": "example",
    ...     "hands": 2000,
    ...     "stakes": {"ante": 1, "bring_in": 5, "small_bet": 15, "big_bet": 30},
    ...     "lineup": [{"strategy": "tight"}, {"strategy": "caller", "seats": 3}],
    ... }
    >>> finished = run(config, out=tempfile.mkdtemp(), runner="local")
    >>> finished.summary["hands"]
    2000

    `config` is a YAML file, a mapping with the same keys (paths of strategies are relative to the working directory) or
    an Experiment; `changes` are paths with values as `--set` takes them. The other arguments are the program's options.
    Raises ConfigError, StrategyError, StrategyFault, RunnerError and StoreError; whatever ends it, what was played
    stays in the run folder, and `resume=True` goes on with it.
    """
    if isinstance(config, Experiment):
        experiment = config
    elif isinstance(config, Mapping):
        experiment = experiment_from_dict(
            config, Path(), overrides=changes, hands=hands, tournaments=tournaments, seed=seed
        ).experiment
    else:
        experiment = load_experiment(
            Path(config), overrides=changes, hands=hands, tournaments=tournaments, seed=seed
        ).experiment
    with open_folder(experiment, Path(out), resume=resume) as folder:
        result = play_into(
            folder,
            kind=runner or ("ray" if address else experiment.runner.kind),
            workers=workers or experiment.runner.workers,
            address=address,
            progress=progress,
        )
        return folder.finish(result)
