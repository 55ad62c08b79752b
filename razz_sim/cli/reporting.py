"""The report of a finished run: its tables again, and the page to look at in a browser."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razz_sim.cli.program import FAILED, WRONG_INPUT, app, console, printing, say, stop, wrong_input

if TYPE_CHECKING:
    from razz_sim.store import Asked, Run

REPORT = "report.html"
MOST_DRAWN_FIELD = 10_000
"""Players of a tournament that is drawn without being asked for: it takes seconds, and half a gigabyte."""


@app.command()
def report(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option(help=f"Where the page goes, instead of {REPORT} in the run folder.")
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(help="A scenario to show in detail (again for more), where there are too many to show all."),
    ] = None,
    tournament: Annotated[
        str | None,
        typer.Option(metavar="T", help="The tournament to draw, T or SCENARIO/T, instead of the first."),
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Print the tables of every scenario, and all pairs.")
    ] = False,
) -> None:
    """Print a finished run's tables again, and write its report as one HTML file."""
    from razz_sim.report import print_report
    from razz_sim.report.asked import NoSuchScenario, refuse_unknown
    from razz_sim.store import Run, StoreError

    with wrong_input(StoreError, NoSuchScenario):
        run = Run.load(run_folder)
        refuse_unknown(scenario or (), run.summary)
    with printing("the tables", run_folder):
        print_report(run.summary, console(), run=str(run.folder), details=details or None)
        typer.echo(f"results in {run_folder}")
    written = save_page(run, out or run_folder / REPORT, scenario or (), tournament)
    with printing("the rest", run_folder):
        typer.echo(f"report in {written}")


def save_page(run: Run, out: Path, chosen: Sequence[str] = (), tournament: str | None = None) -> Path:
    """Write the report of a run to a file, whole or not at all; a file that is no report is left alone.

    `tournament` is the one to draw, the first if none is named.
    """
    try:
        from razz_sim.report.page import is_page, page
    except ModuleNotFoundError as error:
        missing = str(error.name).partition(".")[0]
        stop(f"the page needs {missing}: pip install {missing}; razz-sim report RUN writes it then", FAILED)
    from razz_sim.store import DiskError, StoreError
    from razz_sim.store.writing import write_aside

    if os.path.isdir(out):
        stop(f"{out} is a folder: name a file for the report with --out", WRONG_INPUT)
    try:
        if os.path.lexists(out) and not (os.path.isfile(out) and is_page(out)):
            stop(f"{out} is not a report of razz-sim and is left as it is: name another file with --out", WRONG_INPUT)
        write_aside(out, page(run, chosen, drawn_tournament(run, tournament)).encode())
    except DiskError as error:
        stop(f"{error}; put it elsewhere with --out FILE", FAILED)
    except StoreError as error:
        stop(str(error), WRONG_INPUT)
    except OSError as error:
        stop(f"{out}: {error.strerror}", FAILED)
    return out


def drawn_tournament(run: Run, where: str | None) -> dict[str, Any] | None:
    """The stacks of one tournament of a run over time; None where it has none, or it would take long."""
    from razz_sim.report.measure import of_tournaments
    from razz_sim.store import Asked, StoreError

    if where is None and not of_tournaments(run.summary):
        return None
    from razz_sim.cli.tournaments import events_of, tournament_at
    from razz_sim.history.tournament_data import stacks_over_time

    try:
        asked = Asked.load(run.folder)
        place = _first_tournament(asked) if where is None else tournament_at(where, asked.experiment)
    except (StoreError, ValueError) as error:
        if where is not None:
            stop(f"--tournament {where}: {error}", WRONG_INPUT)
        say(f"note: no tournament is drawn: {error}")
        return None
    if place is None:
        return None
    scenario, number = place
    return stacks_over_time(
        asked.experiment.scenarios[scenario], number, events_of(asked, run.folder, scenario, number)
    )


def _first_tournament(asked: Asked) -> tuple[int, int] | None:
    """The first tournament that a run has, as scenario and number, if that is not too large."""
    for index, (scenario, blocks) in enumerate(zip(asked.experiment.scenarios, asked.blocks, strict=True)):
        if scenario.tournament is not None and blocks[0] < blocks[1]:
            return (index, blocks[0]) if scenario.tournament.field <= MOST_DRAWN_FIELD else None
    return None
