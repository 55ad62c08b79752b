"""Playing experiments and what belongs to their run folders: run, merge, verify."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razz_sim.cli.program import (
    FAILED,
    INTERRUPTED,
    WRONG_INPUT,
    Changes,
    ConfigFile,
    Hands,
    Out,
    Seed,
    Tournaments,
    announce_compiling_for,
    app,
    at_its_line,
    console,
    hands_bar,
    printing,
    say,
    stop,
    wrong_input,
)

if TYPE_CHECKING:
    from razz_sim.batch import StrategyFault
    from razz_sim.course import Course
    from razz_sim.store import RunFolder


@app.command()
def run(
    config: ConfigFile,
    hands: Hands = None,
    tournaments: Tournaments = None,
    seed: Seed = None,
    runner: Annotated[str | None, typer.Option(help="auto, local or ray, instead of the file's.")] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Ray workers instead of the file's; without --address.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="A running Ray cluster to play on, 'host:6379' or 'auto'.")
    ] = None,
    changes: Changes = None,
    out: Out = Path("results"),
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the newest unfinished run, or extend it to more hands.")
    ] = False,
    blocks: Annotated[
        str | None, typer.Option(metavar="FIRST:STOP", help="Play only these blocks, for 'razz-sim merge' to join.")
    ] = None,
    page: Annotated[bool, typer.Option("--report", help="Write the HTML report into the run folder too.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON and nothing else.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors and the run folder.")] = False,
) -> None:
    """Play an experiment and keep its results in a run folder."""
    from razz_sim.config import ConfigError, load_experiment

    with wrong_input(ConfigError):
        loaded = load_experiment(config, overrides=changes or (), hands=hands, tournaments=tournaments, seed=seed)
    for warning in loaded.warnings:
        say(f"warning: {warning}")
    kind = runner or ("ray" if address else loaded.experiment.runner.kind)
    if kind not in ("auto", "local", "ray"):
        stop(f"--runner {kind}: must be auto, local or ray", WRONG_INPUT)
    if address and kind == "local":
        stop(f"--address {address} names a Ray cluster, but --runner is local", WRONG_INPUT)
    if address and workers:
        stop(f"--workers {workers}: a cluster at --address plays with all the processors it has", WRONG_INPUT)
    announce_compiling_for(loaded.experiment)
    from razz_sim.conduct import open_folder
    from razz_sim.store import DiskError, StoreError

    try:
        folder = open_folder(loaded.experiment, out, sys.argv, resume=resume, blocks=_block_range(blocks))
    except DiskError as error:
        stop(str(error), FAILED)
    except StoreError as error:
        stop(str(error), WRONG_INPUT)
    for notice in folder.notices:
        say(f"warning: {notice}")
    choice = loaded.experiment.runner
    result = _played(folder, config, kind, workers or choice.workers, address, shown=not (quiet or as_json))
    _report(folder, result, as_json=as_json, quiet=quiet)
    if page:
        _write_page(folder, told=not as_json)
    if result.get("failed"):
        from razz_sim.report import failures

        stop(f"{failures(result)} The others are finished: see razz-sim report {shlex.quote(str(folder.path))}", FAILED)


def _write_page(folder: RunFolder, *, told: bool) -> None:
    """Write the report of a run that is finished."""
    from razz_sim.cli.reporting import REPORT, save_page
    from razz_sim.store import Run

    written = save_page(Run.load(folder.path), folder.path / REPORT)
    if told:
        typer.echo(f"report in {written}")


def _block_range(text: str | None) -> tuple[int, int] | None:
    """The range that --blocks names."""
    if text is None:
        return None
    first, _, end = text.partition(":")
    if not (first.isdecimal() and end.isdecimal() and int(first) < int(end)):
        stop(f"--blocks {text}: must be FIRST:STOP, for one --blocks 0:1000000", WRONG_INPUT)
    return int(first), int(end)


MENDED = "a mended strategy is another experiment: run it anew; what follows goes on with this one, unchanged"


def _played(
    folder: RunFolder, config: Path, kind: str, workers: int | None, address: str | None, *, shown: bool
) -> dict[str, Any]:
    """Play what the folder lacks; when that ends early, say what is kept and how to go on."""
    from razz_sim.batch import BrokenHand, StrategyFault
    from razz_sim.conduct import play_into
    from razz_sim.runner import NoCluster, RunnerError
    from razz_sim.store import StoreError
    from razz_sim.strategy import StrategyError

    try:
        with _progress(folder, shown=shown) as progress:
            result = play_into(
                folder,
                kind=kind,
                workers=workers,
                address=address,
                progress=progress,
                ray=progress.ray,
                begun=progress.begun,
            )
            progress.finish()
            return result
    except StrategyError as error:
        folder.discard()
        stop(at_its_line(str(error), config), WRONG_INPUT)
    except NoCluster as error:
        stop(f"{error}\n{_kept(folder)}", WRONG_INPUT)
    except StrategyFault as error:
        kept = _kept(folder, empty_too=error.fault is not None)
        stop(f"{error}\n{_look_at(folder, error)}{MENDED}\n{kept}", FAILED)
    except (BrokenHand, RunnerError, StoreError) as error:
        stop(f"{error}\n{_kept(folder)}", FAILED)
    except KeyboardInterrupt:
        stop(f"interrupted: {_kept(folder)}", INTERRUPTED)


def _look_at(folder: RunFolder, error: StrategyFault) -> str:
    """The command that shows the hand in which a strategy failed."""
    if error.fault is None:
        return ""
    from razz_sim.places import HandPlace

    scenario = folder.experiment.scenario_index(error.fault.scenario)
    place = HandPlace.of_number(error.fault.number, scenario, folder.experiment)
    seen = "".join(f"  {line}\n" for line in error.fault.seen.splitlines())
    return f"{seen}look at it with\n  razz-sim hand {shlex.quote(str(folder.path))} {place}\n"


def _kept(folder: RunFolder, *, empty_too: bool = False) -> str:
    """What an unfinished run leaves, and the command that goes on with it; an empty folder is mostly taken back."""
    from razz_sim.store import StoreError

    if not folder.hands and not empty_too:
        folder.discard()
        return "no hand was finished, nothing is kept"
    with suppress(StoreError):  # the disk is full: what the journal could not take is played again
        folder.close()
    hands = f"{folder.kept_hands:,} of {folder.experiment.hands:,} hands"
    if folder.experiment.scenarios[0].tournament is not None:
        kept = sum(tally.table_total("blocks") for tally in folder.tallies)
        hands = f"{kept:,} of {sum(one.blocks for one in folder.experiment.scenarios):,} tournaments"
    return f"{hands} are kept in {folder.path}; go on with\n  {folder.resume_command}"


def _report(folder: RunFolder, result: dict[str, Any], *, as_json: bool, quiet: bool) -> None:
    """Finish the folder, then print what came out: a reader that goes away must not cost the results."""
    from razz_sim.report import print_report
    from razz_sim.store import StoreError, json_text

    lost: StoreError | None = None
    try:
        folder.finish(result)
    except StoreError as error:
        lost = error
    with printing("the results", folder.path):
        if as_json:
            typer.echo(json_text(result))
        elif not quiet:
            print_report(result, console(), run=str(folder.path))
        if lost is None and not as_json:
            typer.echo(f"results in {folder.path}")
    if lost is not None:
        stop(f"{lost}\nthe results above are right, but not all kept: {_kept(folder)}", FAILED)


LEADER_SECONDS = 1.0
"""How often the progress bar looks who leads."""


@contextmanager
def _progress(folder: RunFolder, *, shown: bool) -> Iterator[_Bar]:
    """On a terminal a bar of hands, hands/s and time left, with the leader and its interval, or what a rule watches."""
    with hands_bar(folder.experiment.hands, initial=folder.hands, shown=shown) as bar:
        yield _Bar(bar)


class _Bar:
    """Told of each batch once it is recorded, of Ray's start, and of the course of the run."""

    def __init__(self, bar: Any) -> None:
        self._bar = bar
        self._looked = monotonic()
        self._course: Course | None = None

    def begun(self, course: Course) -> None:
        """Show what a stopping rule watches, or how a search goes, if there is one, in place of the leader."""
        if course.experiment.stop is not None or course.experiment.search is not None:
            self._course = course

    def finish(self) -> None:
        """All is played that is wanted."""
        if not self._bar.disable:
            self._bar.total = self._bar.n
            self._bar.refresh()

    def ray(self, seconds: float | None) -> None:
        """While Ray is being started (None) say so, in place of a bar that does not move."""
        if not self._bar.disable:
            self._bar.bar_format = "starting Ray ..." if seconds is None else None
            self._bar.unpause()  # the start is no part of the speed
            self._bar.refresh()

    def __call__(self, folder: RunFolder, counted: Any) -> None:
        bar = self._bar
        if bar.disable:
            return
        if bar.bar_format is not None:
            self.ray(0.0)
        bar.update(counted.batch.hands)
        if monotonic() - self._looked > LEADER_SECONDS:
            self._looked = monotonic()
            scenario = counted.batch.scenario
            if self._course is None:
                text = _leader(folder, scenario)
            else:
                searches = self._course.experiment.search is not None
                text = _searched(self._course) if searches else _watched(self._course, scenario)
                bar.total = bar.n + self._course.hands_left(folder.done)
            bar.set_postfix_str(text, refresh=False)


def _watched(course: Course, scenario: int) -> str:
    """The difference that a stopping rule watches in a scenario's setting, at the last look; empty before the first."""
    from razz_sim.report.stopping import difference_text, interval_text, places_of

    number = next(place for place, indices in enumerate(course.settings) if scenario in indices)
    rule, look = course.experiment.stop, course.latest.get(number)
    if rule is None or look is None:
        return ""
    where = f"{course.experiment.setting_name(scenario)}: " if len(course.settings) > 1 else ""
    places = places_of(look.valid)
    interval = "" if look.valid is None else f", {interval_text(look.valid, places)}"
    return f"{where}{rule.name} less {rule.other} {difference_text(look.difference.value, places)}{interval} bb/100"


def _searched(course: Course) -> str:
    """Which round of a search is played, by how many points, and who leads since the last: 'round 3 of 6, ...'."""
    from razz_sim.report.numbers import places_for, plain, with_error
    from razz_sim.report.searching import short_point

    plan = course.experiment.search
    assert plan is not None
    number, points = course.searched
    rounds = len(plan.points_left())
    told = f"round {number} of {rounds}, {len(points):,} points" if number <= rounds else "the winner again"
    if course.last_round is None:
        return told
    leader = course.last_round.standings[0]
    name = short_point(course.experiment.setting_name(course.settings[leader.point][0]), plan.entrant)
    rate = with_error(leader.rate.value, leader.rate.ci95, places_for([leader.rate.ci95]), sign="+")
    return f"{told}, {'leader ' * (number <= rounds)}{plain(plan.entrant)} {name} {rate} bb/100"


def _leader(folder: RunFolder, scenario: int) -> str:
    """Who leads in a scenario, with the interval; nobody after a few blocks."""
    from razz_sim.report.numbers import LEAST_BLOCKS
    from razz_sim.statistics.rates import win_rates

    played, tally = folder.experiment.scenarios[scenario], folder.tallies[scenario]
    if tally.table_total("blocks") < LEAST_BLOCKS:
        return ""
    rates = [(win_rates(played, tally, place).real, one.name) for place, one in enumerate(played.lineup)]
    best, name = max(rates, key=lambda one: one[0].value)
    if best.ci95 is None:
        return ""
    where = f"{played.name}: " if len(folder.experiment.scenarios) > 1 else ""
    unit = "bb/100" if played.tournament is None else "%"
    return f"{where}{name} {best.value:+.2f} ± {(best.ci95[1] - best.ci95[0]) / 2:.2f} {unit}"


@app.command()
def merge(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders of it.", show_default=False)],
    out: Out = Path("results"),
) -> None:
    """Join runs that split one experiment by --blocks."""
    from razz_sim.statistics import summary
    from razz_sim.store import StoreError
    from razz_sim.store import merge as merge_runs

    with wrong_input(StoreError):
        folder = merge_runs(runs, out, sys.argv)
    result = summary(
        folder.experiment,
        folder.tallies,
        runner="merged",
        workers=0,
        seconds=folder.seconds,
        failed=folder.failed,
    )
    _report(folder, result, as_json=False, quiet=False)


@app.command()
def verify(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    everything: Annotated[bool, typer.Option("--all", help="Play all of it again, not a sample of bins.")] = False,
    bins: Annotated[int, typer.Option(min=1, help="How many bins.")] = 16,
    seed: Annotated[int, typer.Option(help="Which sample.")] = 0,
) -> None:
    """Play a sample of a run's bins again and compare every integer."""
    from razz_sim.store import Asked, StoreError
    from razz_sim.store import verify as verify_run

    with wrong_input(StoreError):
        asked = Asked.load(run_folder)
    announce_compiling_for(asked.experiment)
    from razz_sim.batch import play_batches
    from razz_sim.runner import memory_limited

    def play(batches: list[Any]) -> Any:
        index = batches[0].scenario
        scenario = asked.experiment.scenarios[index]
        return play_batches(scenario, asked.experiment.seed_of(index), batches, None, asked.verdicts, index)

    with wrong_input(StoreError), memory_limited(asked.experiment.limits):
        outcome = verify_run(run_folder, play, bins=None if everything else bins, seed=seed)
    typer.echo(str(outcome))
    if not outcome.ok:
        raise typer.Exit(FAILED)
