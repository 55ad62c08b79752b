"""The report of a finished run: its tables again, and the page to look at in a browser."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razz_sim.cli.program import FAILED, WRONG_INPUT, app, console, printing, stop, wrong_input

if TYPE_CHECKING:
    from razz_sim.store import Run

REPORT = "report.html"


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
) -> None:
    """Print a finished run's tables again, and write its report as one HTML file."""
    from razz_sim.report import print_report
    from razz_sim.report.asked import NoSuchScenario, refuse_unknown
    from razz_sim.store import Run, StoreError

    with wrong_input(StoreError, NoSuchScenario):
        run = Run.load(run_folder)
        refuse_unknown(scenario or (), run.summary)
    with printing("the tables", run_folder):
        print_report(run.summary, console(), run=str(run.folder))
        typer.echo(f"results in {run_folder}")
    written = save_page(run, out or run_folder / REPORT, scenario or ())
    with printing("the rest", run_folder):
        typer.echo(f"report in {written}")


def save_page(run: Run, out: Path, chosen: Sequence[str] = ()) -> Path:
    """Write the report of a run to a file, whole or not at all; a file that is no report is left alone."""
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
        write_aside(out, page(run, chosen).encode())
    except DiskError as error:
        stop(f"{error}; put it elsewhere with --out FILE", FAILED)
    except StoreError as error:
        stop(str(error), WRONG_INPUT)
    except OSError as error:
        stop(f"{out}: {error.strerror}", FAILED)
    return out
