"""What all commands share: the program itself, its exit codes, and how a mistake is told."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from razz_sim import __version__

if TYPE_CHECKING:
    from razz_sim.experiment import Experiment

WRONG_INPUT, FAILED, INTERRUPTED = 2, 1, 130

app = typer.Typer(
    name="razz-sim",
    help="Play millions of hands of Razz: compare strategies, sweep stakes and rules, reproduce to the last chip.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def say(sentence: str) -> None:
    typer.echo(sentence, err=True)


def stop(sentence: str, code: int) -> NoReturn:
    say(sentence)
    raise typer.Exit(code)


def _folder(out: Path) -> Path:
    """Where run folders are to go, if no file is in the way."""
    nearest = next((place for place in (out, *out.parents) if os.path.exists(place)), None)
    if nearest is not None and not os.path.isdir(nearest):
        stop(f"--out {out}: {nearest} is a file; run folders go into a folder", WRONG_INPUT)
    return out


ConfigFile = Annotated[
    Path, typer.Argument(help="A YAML experiment, for one configs/quickstart.yaml.", show_default=False)
]
Hands = Annotated[str | None, typer.Option(help="Hands of each scenario instead of the file's, '2e6' for one.")]
Tournaments = Annotated[
    str | None, typer.Option(help="Tournaments of each scenario instead of the file's, where it has such.")
]
Seed = Annotated[str | None, typer.Option(help="Seed instead of the file's.")]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PATH=VALUE", help="Change a key of the file: --set stakes[0].ante=0.4 (again for more)."
    ),
]
Out = Annotated[Path, typer.Option(help="Where run folders go.", callback=_folder)]


@contextmanager
def wrong_input(*errors: type[Exception]) -> Iterator[None]:
    """What these errors say is a sentence for the user: print it and exit with 2."""
    try:
        yield
    except errors as error:
        stop(str(error), WRONG_INPUT)


@contextmanager
def printing(what: str, where: Path | str) -> Iterator[None]:
    """Print what was found. A reader that has seen enough ends only the printing; a full disk is a sentence."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    except OSError as error:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        stop(f"{what} cannot be printed: {error.strerror}; they are in {where}", FAILED)


def prints_aside() -> AbstractContextManager[Any]:
    """What strategies print goes to standard error: standard output is for what was asked for."""
    return redirect_stdout(sys.stderr)


def at_its_line(sentence: str, config: Path) -> str:
    """What is said of a strategy, which its spec begins, with the line of the config that names it."""
    spec = sentence.split(" ")[0]
    with suppress(OSError, UnicodeDecodeError):
        for number, line in enumerate(config.read_text(encoding="utf-8").splitlines(), start=1):
            if re.search(rf"strategy.*\W{re.escape(spec)}\b", line):
                return f"{config}:{number}: {sentence}"
    return sentence


@app.callback(invoke_without_command=True)
def _program(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


LOOP, ROWS, TOURNAMENTS, STEPS = (
    "fused.play_hands",
    "lockstep.advance_tables",
    "play.play_tournaments",
    "steps.advance",
)
"""The compiled functions whose presence in the cache tells that a part of the engine need not be compiled."""


def announce_compiling(part: str = LOOP) -> None:
    """Say why the first use of a part of the engine waits: it is compiled once for each version and processor."""
    from razz_sim.compiling import cache_folder

    if not any(cache_folder().glob(f"{part}*")):
        say("compiling the engine, once for this version and processor (about 15 seconds) ...")


def announce_compiling_for(experiment: Experiment) -> None:
    """The same for the loops that an experiment needs."""
    tables = [scenario for scenario in experiment.scenarios if scenario.tournament is None]
    if len(tables) < len(experiment.scenarios):
        announce_compiling(TOURNAMENTS)
    if not all(scenario.asks_in_rows for scenario in tables):
        announce_compiling(LOOP)
    if any(scenario.asks_in_rows for scenario in tables):
        announce_compiling(ROWS)


def hands_bar(total: int, *, initial: int = 0, shown: bool = True, delay: float = 0.0) -> Any:
    """A progress bar of hands on a terminal, after `delay` seconds; a quiet one where there is none."""
    from tqdm import tqdm

    tqdm.monitor_interval = 0  # its thread would keep the runner from forking
    return tqdm(
        total=total,
        initial=initial,
        unit=" hands",
        unit_scale=True,
        dynamic_ncols=True,
        smoothing=0.1,
        leave=False,
        delay=delay,
        disable=not (shown and sys.stderr.isatty()),
        file=sys.stderr,
    )


def console() -> Any:
    from rich.console import Console

    return Console()
