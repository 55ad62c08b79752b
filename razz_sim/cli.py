"""The program `razz-sim`: thin commands over the other rooms; the only one that prints.

Exit codes: 0 done, 2 the user's input is wrong, 1 anything else, 130 interrupted.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from razz_sim import __version__

if TYPE_CHECKING:
    from razz_sim.batch import Replayed
    from razz_sim.experiment import Experiment, Scenario
    from razz_sim.store import RunFolder

WRONG_INPUT, FAILED, INTERRUPTED = 2, 1, 130

app = typer.Typer(
    name="razz-sim",
    help="Play millions of hands of Razz: compare strategies, sweep stakes and rules, reproduce to the last chip.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

ConfigFile = Annotated[
    Path, typer.Argument(help="A YAML experiment, for one configs/quickstart.yaml.", show_default=False)
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PATH=VALUE", help="Change a key of the file: --set stakes[0].ante=0.4 (again for more)."
    ),
]


def main() -> None:
    """Run the program."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _say(sentence: str) -> None:
    typer.echo(sentence, err=True)


def _stop(sentence: str, code: int) -> NoReturn:
    _say(sentence)
    raise typer.Exit(code)


@contextmanager
def _wrong_input(*errors: type[Exception]) -> Iterator[None]:
    """What these errors say is a sentence for the user: print it and exit with 2."""
    try:
        yield
    except errors as error:
        _stop(str(error), WRONG_INPUT)


@app.callback(invoke_without_command=True)
def _program(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


@app.command()
def run(
    config: ConfigFile,
    hands: Annotated[
        str | None, typer.Option(help="Hands of each scenario instead of the file's, '2e6' for one.")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Seed instead of the file's.")] = None,
    runner: Annotated[str | None, typer.Option(help="auto, local or ray, instead of the file's.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Ray workers instead of the file's.")] = None,
    address: Annotated[
        str | None, typer.Option(help="A running Ray cluster to play on, 'host:6379' or 'auto'.")
    ] = None,
    changes: Changes = None,
    out: Annotated[Path, typer.Option(help="Where run folders go.")] = Path("results"),
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the newest unfinished run, or extend it to more hands.")
    ] = False,
    blocks: Annotated[
        str | None, typer.Option(metavar="FIRST:STOP", help="Play only these blocks, for 'razz-sim merge' to join.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON and nothing else.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors and the run folder.")] = False,
) -> None:
    """Play an experiment and keep its results in a run folder."""
    from razz_sim.config import ConfigError, load_experiment

    with _wrong_input(ConfigError):
        loaded = load_experiment(config, overrides=changes or (), hands=hands, seed=seed)
    for warning in loaded.warnings:
        _say(f"warning: {warning}")
    kind = runner or ("ray" if address else loaded.experiment.runner.kind)
    if kind not in ("auto", "local", "ray"):
        _stop(f"--runner {kind}: must be auto, local or ray", WRONG_INPUT)
    if address and kind == "local":
        _stop(f"--address {address} names a Ray cluster, but --runner is local", WRONG_INPUT)
    _announce_compiling()
    from razz_sim.conduct import open_folder
    from razz_sim.store import StoreError

    try:
        folder = open_folder(loaded.experiment, out, sys.argv, resume=resume, blocks=_block_range(blocks))
    except StoreError as error:
        _stop(str(error), WRONG_INPUT if resume else FAILED)
    for notice in folder.notices:
        _say(f"warning: {notice}")
    choice = loaded.experiment.runner
    result = _played(folder, kind, workers or choice.workers, address, shown=not (quiet or as_json))
    _report(folder, result, as_json=as_json, quiet=quiet)


def _block_range(text: str | None) -> tuple[int, int] | None:
    """The range that --blocks names."""
    if text is None:
        return None
    first, _, stop = text.partition(":")
    if not (first.isdigit() and stop.isdigit() and int(first) < int(stop)):
        _stop(f"--blocks {text}: must be FIRST:STOP, for one --blocks 0:1000000", WRONG_INPUT)
    return int(first), int(stop)


def _played(folder: RunFolder, kind: str, workers: int | None, address: str | None, *, shown: bool) -> dict[str, Any]:
    """Play what the folder lacks; when that ends early, say what is kept and how to go on."""
    from razz_sim.batch import BrokenHand, StrategyFault
    from razz_sim.conduct import play_into
    from razz_sim.runner import RunnerError
    from razz_sim.store import StoreError
    from razz_sim.strategy import StrategyError

    try:
        with _progress(folder, shown=shown) as progress:
            return play_into(folder, kind=kind, workers=workers, address=address, progress=progress)
    except StrategyError as error:
        folder.discard()
        _stop(str(error), WRONG_INPUT)
    except (StrategyFault, BrokenHand, RunnerError, StoreError) as error:
        _stop(f"{error}\n{_kept(folder)}", FAILED)
    except KeyboardInterrupt:
        _stop(f"interrupted: {_kept(folder)}", INTERRUPTED)


def _kept(folder: RunFolder) -> str:
    """What an unfinished run leaves, and the command that goes on with it; an empty folder is taken back."""
    if not folder.hands:
        folder.discard()
        return "no hand was finished, nothing is kept"
    hands, all_hands = folder.hands, folder.experiment.hands
    folder.close()
    return f"{hands:,} of {all_hands:,} hands are kept in {folder.path}; go on with\n  {folder.resume_command}"


def _report(folder: RunFolder, result: dict[str, Any], *, as_json: bool, quiet: bool) -> None:
    """Print what came out and finish the folder."""
    from razz_sim.report import print_report
    from razz_sim.store import StoreError, json_text

    if as_json:
        typer.echo(json_text(result))
    elif not quiet:
        print_report(result, _console())
    try:
        folder.finish(result)
    except StoreError as error:
        _stop(f"{error}; the results above are right, but they are not kept", FAILED)
    if not as_json:
        typer.echo(f"results in {folder.path}")


LOOP, STEPS = "table.play_hands", "steps.advance"
"""The compiled functions whose presence in the cache tells that a part of the engine need not be compiled."""


def _announce_compiling(part: str = LOOP) -> None:
    """Say why the first use of a part of the engine waits: it is compiled once for each version and processor."""
    from razz_sim.compiling import cache_folder

    if not any(cache_folder().glob(f"{part}*")):
        _say("compiling the engine, once for this version and processor (about 10 seconds) ...")


LEADER_SECONDS = 1.0
"""How often the progress bar looks who leads."""


@contextmanager
def _progress(folder: RunFolder, *, shown: bool) -> Iterator[Callable[[RunFolder, Any], None]]:
    """On a terminal a bar of hands, hands/s and time left, with the leader and its interval."""
    from time import monotonic

    from tqdm import tqdm

    tqdm.monitor_interval = 0  # its thread would keep the runner from forking
    looked = monotonic()
    bar = tqdm(
        total=folder.experiment.hands,
        initial=folder.hands,
        unit=" hands",
        unit_scale=True,
        dynamic_ncols=True,
        smoothing=0.1,
        leave=False,
        disable=not (shown and sys.stderr.isatty()),
        file=sys.stderr,
    )

    def progress(folder: RunFolder, counted: Any) -> None:
        nonlocal looked
        bar.update(counted.batch.hands)
        if not bar.disable and monotonic() - looked > LEADER_SECONDS:
            looked = monotonic()
            bar.set_postfix_str(_leader(folder, counted.batch.scenario), refresh=False)

    with bar:
        yield progress


def _leader(folder: RunFolder, scenario: int) -> str:
    """Who leads in a scenario, with the interval."""
    from razz_sim.statistics import scenario_result

    result = scenario_result(folder.experiment.scenarios[scenario], folder.tallies[scenario])
    best = max(result.entrants, key=lambda one: one.bb_per_100)
    half = "" if best.ci95 is None else f" ± {(best.ci95[1] - best.ci95[0]) / 2:.2f}"
    return f"{best.name} {best.bb_per_100:+.2f}{half} bb/100"


def _console() -> Any:
    from rich.console import Console

    return Console()


@app.command()
def validate(config: ConfigFile, changes: Changes = None) -> None:
    """Check an experiment, strategies included, and print its schedule without playing it."""
    from razz_sim.config import ConfigError, load_experiment
    from razz_sim.config.schedule import about, schedule

    with _wrong_input(ConfigError):
        loaded = load_experiment(config, overrides=changes or ())
    experiment = loaded.experiment
    _announce_compiling()
    from razz_sim.batch import StrategyFault
    from razz_sim.strategy import StrategyError
    from razz_sim.strategy.machine_code import machine_code

    with _wrong_input(StrategyError):
        for source in {entrant.strategy for scenario in experiment.scenarios for entrant in scenario.lineup}:
            machine_code(source)
    for warning in loaded.warnings:
        typer.echo(f"warning: {warning}")
    console = _console()
    with console.capture() as shown:
        console.print(schedule(experiment), highlight=False)
    typer.echo("\n".join(line.rstrip() for line in shown.get().splitlines()))
    try:
        seconds = _probe(experiment)
    except StrategyFault as error:
        _stop(str(error), FAILED)
    counted = f"{experiment.hands:,} hands"
    time_needed = f"{about(seconds)} on one processor, by a trial of {PROBE_SECONDS} s just now"
    typer.echo(f"\n{config} is playable: {counted}, {time_needed}")


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
        _stop(f"scenario {name!r}: a strategy does not answer within {PROBE_PATIENCE:.0f} s of trial", FAILED)
    return sum(scenario.hands / speeds[index // step] for index, scenario in enumerate(experiment.scenarios))


def _hands_per_second(scenario: Scenario, seed: int, seconds: float) -> float:
    """The speed of one process, from longer and longer batches until one is long enough to tell."""
    from dataclasses import replace
    from time import perf_counter

    from razz_sim.batch import play_batch
    from razz_sim.experiment import Batch

    session = replace(scenario.session, hands=min(scenario.session.hands, 1000))
    tried = replace(scenario, session=session, hands=session.hands)
    started, blocks, first = perf_counter(), 1, 0
    while True:
        batch = Batch(scenario=0, bin=0, first=first, stop=first + blocks, hands=blocks * session.hands)
        before = perf_counter()
        play_batch(tried, seed, batch)
        took = perf_counter() - before
        if perf_counter() - started > seconds:
            return batch.hands / took
        first, blocks = first + blocks, 2 * blocks


@app.command()
def schema() -> None:
    """Print the JSON Schema of experiment files, for editors."""
    from razz_sim.config import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))


@app.command()
def strategies(
    spec: Annotated[str | None, typer.Argument(help="One strategy: its idea, source and parameters.")] = None,
) -> None:
    """List the strategies that come with razz_sim, or show one."""
    from razz_sim.strategy import StrategyError, builtin_names, find_strategy

    if spec is None:
        width = max(map(len, builtin_names()))
        for name in builtin_names():
            typer.echo(f"{name:<{width}}  {find_strategy(name).summary}")
        return
    with _wrong_input(StrategyError):
        source = find_strategy(spec)
    typer.echo(f"{source.spec}\n\n{source.doc}\n")
    for parameter in source.parameters:
        typer.echo(
            f"  {parameter.name}: {parameter.kind}, {parameter.low:g} to {parameter.high:g}, default "
            f"{parameter.default:g}: {parameter.meaning}"
        )
    if not source.parameters:
        typer.echo("  no parameters")


@app.command()
def hand(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    where: Annotated[
        str, typer.Argument(metavar="WHERE", help="N, or SCENARIO/N: hand N, from 0, of a scenario, from 1.")
    ],
    form: Annotated[str, typer.Option("--format", help="text, phh or pokerstars.")] = "text",
) -> None:
    """Show any hand of a run in full."""
    from razz_sim.store import Run, StoreError

    _check_format(form)
    with _wrong_input(StoreError):
        experiment = Run.load(run_folder).experiment()
    scenario, number = _place(where, experiment)
    _announce_compiling(STEPS)
    from razz_sim.batch import NoSuchHand, replay_hand

    with _wrong_input(NoSuchHand):
        replayed = replay_hand(scenario, experiment.seed, number)
    typer.echo(_hand_text(replayed, experiment, scenario, form, f"{run_folder.name}-{where}"), nl=False)


def _check_format(form: str) -> None:
    if form not in ("text", "phh", "pokerstars"):
        _stop(f"--format {form}: must be text, phh or pokerstars", WRONG_INPUT)


def _hand_text(replayed: Replayed, experiment: Experiment, scenario: Scenario, form: str, hand_id: str) -> str:
    """A hand of a run in one of the formats."""
    from razz_sim.history import write_phh, write_pokerstars, write_text

    names = replayed.seat_names()
    if form == "phh":
        return write_phh(replayed.hand, hand_id=hand_id, names=names)
    if form == "pokerstars":
        return write_pokerstars(replayed.hand, hand_number=replayed.number, names=names)
    scenario_name = f", {scenario.name}" if len(experiment.scenarios) > 1 else ""
    return write_text(replayed.hand, title=f"{experiment.name}{scenario_name}, hand {replayed.number}", names=names)


def _place(where: str, experiment: Experiment) -> tuple[Any, int]:
    """The scenario and block that a WHERE names."""
    parts = where.split("/")
    if not 1 <= len(parts) <= 2 or not all(part.isdigit() for part in parts):
        _stop(f"{where!r} is no place of a hand: N, or SCENARIO/N with scenarios counted from 1", WRONG_INPUT)
    number, index = int(parts[-1]), int(parts[0]) if len(parts) == 2 else 1
    if not 1 <= index <= len(experiment.scenarios):
        _stop(f"there is no scenario {index}: the run has {len(experiment.scenarios)}", WRONG_INPUT)
    scenario = experiment.scenarios[index - 1]
    if number >= scenario.hands:
        _stop(f"there is no hand {number}: scenario {index} has hands 0 to {scenario.hands - 1}", WRONG_INPUT)
    return scenario, number


@app.command()
def hands(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    where: Annotated[
        str, typer.Option("--where", metavar="CONDITION", help="'pot > 40 and side_pots' for one; --names lists them.")
    ] = "pot > 0",
    scenario: Annotated[int, typer.Option(min=1, help="Which scenario, counted from 1.")] = 1,
    limit: Annotated[int, typer.Option(min=1, help="Stop after so many.")] = 100,
    form: Annotated[str, typer.Option("--format", help="text, phh or pokerstars.")] = "text",
    out: Annotated[Path | None, typer.Option(help="A folder that gets a file for each hand.")] = None,
    names: Annotated[bool, typer.Option("--names", help="List the names a condition may use.")] = False,
) -> None:
    """Show the hands of a run that meet a condition, or write them to files."""
    from razz_sim.history.conditions import FACTS, Condition, ConditionError

    if names:
        width = max(map(len, FACTS))
        typer.echo("\n".join(f"{name:<{width}}  {meaning}" for name, meaning in FACTS.items()))
        return
    from razz_sim.store import Run, StoreError

    _check_format(form)
    with _wrong_input(ConditionError):
        condition = Condition.read(where)
    with _wrong_input(StoreError):
        experiment = Run.load(run_folder).experiment()
    chosen, _ = _place(f"{scenario}/0", experiment)
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            _stop(f"{out}: {error.strerror}", FAILED)
    _announce_compiling(STEPS)
    from razz_sim.history.conditions import matching

    found = 0
    with _wrong_input(ConditionError):
        for replayed in matching(chosen, experiment.seed, condition, limit):
            found += 1
            text = _hand_text(replayed, experiment, chosen, form, f"{run_folder.name}-{scenario}-{replayed.number}")
            if out is None:
                typer.echo(text)
            else:
                _write_new(out / f"{scenario}-{replayed.number}.{'phh' if form == 'phh' else 'txt'}", text)
    _say(f"{found} hands" + (f" in {out}" if out is not None else ""))


def _write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        _stop(f"{path}: {error.strerror}", FAILED)


@app.command()
def merge(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders of it.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the joined run's folder goes.")] = Path("results"),
) -> None:
    """Join runs that split one experiment by --blocks."""
    from razz_sim.statistics import summary
    from razz_sim.store import StoreError
    from razz_sim.store import merge as merge_runs

    with _wrong_input(StoreError):
        folder = merge_runs(runs, out, sys.argv)
    result = summary(folder.experiment, folder.tallies, runner="merged", workers=0, seconds=folder.seconds)
    _report(folder, result, as_json=False, quiet=False)


@app.command()
def verify(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    everything: Annotated[bool, typer.Option("--all", help="Play all of it again, not a sample of bins.")] = False,
    bins: Annotated[int, typer.Option(min=1, help="How many bins.")] = 16,
    seed: Annotated[int, typer.Option(help="Which sample.")] = 0,
) -> None:
    """Play a sample of a run's bins again and compare every integer."""
    from razz_sim.store import Run, StoreError
    from razz_sim.store import verify as verify_run

    with _wrong_input(StoreError):
        experiment = Run.load(run_folder).experiment()
    _announce_compiling()
    from razz_sim.batch import play_batch

    def play(batch: Any) -> Any:
        return play_batch(experiment.scenarios[batch.scenario], experiment.seed, batch)

    outcome = verify_run(run_folder, play, bins=None if everything else bins, seed=seed)
    typer.echo(str(outcome))
    if not outcome.ok:
        raise typer.Exit(FAILED)


@app.command()
def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
) -> None:
    """Print a finished run's tables again."""
    from razz_sim.report import print_report
    from razz_sim.store import Run, StoreError

    with _wrong_input(StoreError):
        print_report(Run.load(run_folder).summary, _console())


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(help="PHH files or the rooms' own texts.", show_default=False)],
    rules: Annotated[str | None, typer.Option(help="A preset instead of the file's rules.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A rule option, again for more.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcomes as JSON.")] = False,
) -> None:
    """Play real hands by the rules: is each action legal, does each hand end with the recorded stacks?"""
    options = {}
    for change in changes or ():
        name, equals, value = change.partition("=")
        if not equals:
            _stop(f"--set {change}: must be OPTION=VALUE, for one --set bets_per_round=5", WRONG_INPUT)
        options[name] = value
    _announce_compiling(STEPS)
    from razz_sim.history import replay_files

    with _wrong_input(ValueError, OSError):
        outcomes = replay_files(files, rules, options)
    if as_json:
        typer.echo(json.dumps([outcome.as_json() for outcome in outcomes], indent=2))
    else:
        for outcome in outcomes:
            for problem in outcome.problems:
                typer.echo(problem)
        good = sum(outcome.ok for outcome in outcomes)
        typer.echo(f"{good} of {len(outcomes)} hands are legal and end as recorded")
    if not all(outcome.ok for outcome in outcomes):
        raise typer.Exit(FAILED)


@app.command("eval")
def evaluate(
    cards: Annotated[
        list[str], typer.Argument(help="Hands of 1 to 7 cards, 'As2d3c4h5s' for one.", show_default=False)
    ],
) -> None:
    """Rank lows, best first, and name them."""
    from razz_sim.cards import cards_text, parse_cards
    from razz_sim.lowball import best_low, low_key, low_name

    with _wrong_input(ValueError):
        held = [parse_cards(text) for text in cards]
        ranked = sorted(((low_key(hand), number, hand) for number, hand in enumerate(held)), key=lambda one: one[:2])
    keys = [key for key, _, _ in ranked]
    width = max(len(cards_text(hand)) for hand in held)
    for key, _, hand in ranked:
        tied = " (tied)" if keys.count(key) > 1 else ""
        place = keys.index(key) + 1
        used = cards_text(best_low(hand))
        typer.echo(f"{place}. {cards_text(hand):<{width}}  {used:<10}  {low_name(hand)}{tied}")


if __name__ == "__main__":
    main()
