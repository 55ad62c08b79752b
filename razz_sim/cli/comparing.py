"""Finished runs side by side."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razz_sim.cli.program import WRONG_INPUT, app, console, stop, wrong_input

if TYPE_CHECKING:
    from collections.abc import Sequence

    from razz_sim.statistics import AcrossRuns
    from razz_sim.store import Run


@app.command()
def compare(
    run_folders: Annotated[
        list[Path], typer.Argument(metavar="RUN RUN...", help="Run folders; all are compared to the first.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON instead.")] = False,
) -> None:
    """Set finished runs side by side: what entrants of the same name win, and how much more than in the first.

    Where two runs have dealt the same cards (the same seed, seats, session and arrangements), the difference is taken
    block by block, which takes far fewer hands to be sure.
    """
    from razz_sim.report import print_across
    from razz_sim.report.measure import measure_of
    from razz_sim.report.stopping import looked_at_who_is_ahead
    from razz_sim.statistics import across_runs
    from razz_sim.store import Run, StoreError, differences, identity_in

    if len(run_folders) < 2:
        stop("compare takes two runs or more: razz-sim compare RUN RUN", WRONG_INPUT)
    with wrong_input(StoreError):
        runs = [Run.load(folder) for folder in run_folders]
    kinds = {measure_of(run.summary) for run in runs}
    if len(kinds) > 1:
        stop("tournaments cannot be compared with hands: returns are no win rates", WRONG_INPUT)
    rows = across_runs([(run.experiment(), run.tallies) for run in runs])
    if not rows:
        stop(f"nothing to compare: {_nothing_in_common(runs)}", WRONG_INPUT)
    if as_json:
        typer.echo(json.dumps(_plain(run_folders, rows), indent=2))
        return
    first, *others = (identity_in(run.manifest) for run in runs)
    changed = [differences(first, other, ("in 1", f"in {place}")) for place, other in enumerate(others, start=2)]
    stopped = [place for place, run in enumerate(runs, start=1) if looked_at_who_is_ahead(run.summary)]
    print_across([str(folder) for folder in run_folders], changed, rows, console(), stopped, kinds.pop())


def _nothing_in_common(runs: Sequence[Run]) -> str:
    names = [{one["name"] for one in run.summary["scenarios"]} for run in runs]
    if len(names[0]) > 1 and not any(names[0] & other for other in names[1:]):
        return f"no scenario of the others has the name of one in {runs[0].folder}"
    return f"no entrant of the others has the name of one in {runs[0].folder}"


def _plain(folders: Sequence[Path], rows: Sequence[AcrossRuns]) -> dict[str, object]:
    return {"runs": [str(folder) for folder in folders], "entrants": [asdict(row) for row in rows]}
