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
    from razz_sim.experiment import Experiment
    from razz_sim.tally import Tally

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
    _play_and_report(
        loaded.experiment,
        kind=kind,
        workers=workers or loaded.experiment.runner.workers,
        address=address,
        out=out,
        as_json=as_json,
        quiet=quiet,
    )


def _play_and_report(
    experiment: Experiment,
    *,
    kind: str,
    workers: int | None,
    address: str | None,
    out: Path,
    as_json: bool,
    quiet: bool,
) -> None:
    _announce_compiling()
    from razz_sim.batch import StrategyFault
    from razz_sim.report import print_report
    from razz_sim.runner import RunnerError, play
    from razz_sim.statistics import summary
    from razz_sim.store import RunFolder, StoreError, json_text
    from razz_sim.strategy import StrategyError
    from razz_sim.tally import Tally

    tallies = [Tally(scenario.bins, len(scenario.lineup)) for scenario in experiment.scenarios]
    try:
        folder = RunFolder.create(out, experiment, sys.argv)
    except StoreError as error:
        _stop(str(error), FAILED)
    try:
        with _progress(experiment, tallies, shown=not (quiet or as_json)) as deliver:
            how = play(experiment, deliver, kind=kind, workers=workers, address=address)
    except StrategyError as error:
        folder.discard()
        _stop(str(error), WRONG_INPUT)
    except (StrategyFault, RunnerError) as error:
        folder.discard()
        _stop(str(error), FAILED)
    except KeyboardInterrupt:
        folder.discard()
        _stop("interrupted before the last hand: nothing was kept", INTERRUPTED)
    except BaseException:
        folder.discard()
        raise
    result = summary(experiment, tallies, runner=how.runner, workers=how.workers, seconds=how.seconds)
    if as_json:
        typer.echo(json_text(result))
    elif not quiet:
        print_report(result, _console())
    try:
        folder.finish(tallies, result)
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


@contextmanager
def _progress(experiment: Experiment, tallies: list[Tally], *, shown: bool) -> Iterator[Callable[[Any], None]]:
    """Add what is delivered to the tallies; on a terminal with a bar of hands, hands/s, time left and the leader."""
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # its thread would keep the runner from forking
    bar = tqdm(
        total=experiment.hands,
        unit=" hands",
        unit_scale=True,
        dynamic_ncols=True,
        smoothing=0.1,
        leave=False,
        disable=not (shown and sys.stderr.isatty()),
        file=sys.stderr,
    )

    def deliver(counted: Any) -> None:
        batch = counted.batch
        tallies[batch.scenario].add(batch.bin, counted.table, counted.entrants)
        bar.update(batch.hands)

    with bar:
        yield deliver


def _console() -> Any:
    from rich.console import Console

    return Console()


@app.command()
def validate(config: ConfigFile, changes: Changes = None) -> None:
    """Check an experiment and print what it would play, without playing."""
    from razz_sim.config import ConfigError, load_experiment

    with _wrong_input(ConfigError):
        loaded = load_experiment(config, overrides=changes or ())
    _announce_compiling()
    from razz_sim.strategy import StrategyError
    from razz_sim.strategy.machine_code import machine_code

    with _wrong_input(StrategyError):
        for scenario in loaded.experiment.scenarios:
            for entrant in scenario.lineup:
                machine_code(entrant.strategy)
    for warning in loaded.warnings:
        typer.echo(f"warning: {warning}")
    for scenario in loaded.experiment.scenarios:
        seats = ", ".join(f"{entrant.name} ({entrant.seats})" for entrant in scenario.lineup)
        typer.echo(
            f"{scenario.name}: {scenario.hands:,} hands in {scenario.bins:,} bins, {scenario.seats} seats: {seats}; "
            f"rules {scenario.rules.describe()}"
        )
    typer.echo(f"{config} is playable: {loaded.experiment.hands:,} hands in all")


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

    if form not in ("text", "phh", "pokerstars"):
        _stop(f"--format {form}: must be text, phh or pokerstars", WRONG_INPUT)
    with _wrong_input(StoreError):
        experiment = Run.load(run_folder).experiment()
    scenario, number = _place(where, experiment)
    _announce_compiling(STEPS)
    from razz_sim.batch import replay_hand
    from razz_sim.history import write_phh, write_pokerstars, write_text

    replayed = replay_hand(scenario, experiment.seed, number)
    names = replayed.seat_names()
    if form == "phh":
        typer.echo(write_phh(replayed.hand, hand_id=f"{run_folder.name}-{where}", names=names), nl=False)
    elif form == "pokerstars":
        typer.echo(write_pokerstars(replayed.hand, hand_number=number, names=names), nl=False)
    else:
        scenario_name = f", {scenario.name}" if len(experiment.scenarios) > 1 else ""
        title = f"{experiment.name}{scenario_name}, hand {number}"
        typer.echo(write_text(replayed.hand, title=title, names=names), nl=False)


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
