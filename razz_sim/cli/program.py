"""What all commands share: the program itself, its exit codes, and how a mistake is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from razz_sim import __version__

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


def say(sentence: str) -> None:
    typer.echo(sentence, err=True)


def stop(sentence: str, code: int) -> NoReturn:
    say(sentence)
    raise typer.Exit(code)


@contextmanager
def wrong_input(*errors: type[Exception]) -> Iterator[None]:
    """What these errors say is a sentence for the user: print it and exit with 2."""
    try:
        yield
    except errors as error:
        stop(str(error), WRONG_INPUT)


@app.callback(invoke_without_command=True)
def _program(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


LOOP, STEPS = "table.play_hands", "steps.advance"
"""The compiled functions whose presence in the cache tells that a part of the engine need not be compiled."""


def announce_compiling(part: str = LOOP) -> None:
    """Say why the first use of a part of the engine waits: it is compiled once for each version and processor."""
    from razz_sim.compiling import cache_folder

    if not any(cache_folder().glob(f"{part}*")):
        say("compiling the engine, once for this version and processor (about 10 seconds) ...")


def console() -> Any:
    from rich.console import Console

    return Console()
