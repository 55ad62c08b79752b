"""What an experiment would play, for reading before it is played: what its scenarios share, and a table of the rest."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from razz_sim.experiment import Experiment, Scenario
from razz_sim.report.asked import differences, facts, grid
from razz_sim.report.columns import Column, tables
from razz_sim.report.numbers import Summary, plain
from razz_sim.report.terminal import MARGIN, write
from razz_sim.statistics import asked

MOST_ROWS = 60
"""Of more scenarios than this the last are only counted."""


def print_schedule(experiment: Experiment, console: Console) -> None:
    """Print what would be played: rules, stakes, stacks, line-up, and the blocks, hands and bins of each scenario."""
    plan = asked(experiment)
    lines = [*facts(plan).items(), ("runner", _runner(experiment))]
    parts: list[RenderableType] = [Text(plain(experiment.name), style="bold"), Padding(grid(lines), MARGIN)]
    parts += [Padding(table, MARGIN) for table in _schedule(experiment, plan, console.width - MARGIN[3])]
    write(Group(*parts), console)


def _runner(experiment: Experiment) -> str:
    workers = experiment.runner.workers
    return experiment.runner.kind + ("" if workers is None else f" with {workers} worker{'s' * (workers > 1)}")


def _schedule(experiment: Experiment, plan: Summary, width: int) -> list[Table]:
    """A row for each scenario: in what it differs from others, and how much is played; then the sums."""
    scenarios = experiment.scenarios
    shown, rest = scenarios[:MOST_ROWS], scenarios[MOST_ROWS:]
    groups: list[tuple[str, Sequence[Scenario]]] = [(plain(one.name), [one]) for one in shown]
    groups += [(f"and {len(rest):,} more", rest)] * bool(rest)
    groups += [(f"{len(scenarios):,} scenarios", scenarios)] * (len(scenarios) > 1)
    others = [""] * (len(groups) - len(shown))
    columns = [
        Column(plain(part.heading), [*map(plain, part.texts[: len(shown)]), *others])
        for part in differences(plan["scenarios"])
    ]
    counts = {
        "sessions": [sum(one.blocks for one in group) for _, group in groups],
        "hands": [sum(one.hands for one in group) for _, group in groups],
        "bins": [sum(one.bins for one in group) for _, group in groups],
    }
    if counts["sessions"] == counts["hands"]:
        del counts["sessions"]
    columns += [Column(heading, [f"{count:,}" for count in counted]) for heading, counted in counts.items()]
    return tables(Column("scenario", [name for name, _ in groups], "left"), columns, width)


def about(seconds: float) -> str:
    """A time as roughly as an estimate is good for.

    >>> about(0.2), about(3.4), about(200), about(9000)
    ('under a second', 'about 3 s', 'about 3 min', 'about 2.5 h')
    """
    if seconds < 1:
        return "under a second"
    if seconds < 100:
        return f"about {seconds:.0f} s"
    return f"about {seconds / 60:.0f} min" if seconds < 6000 else f"about {seconds / 3600:,.1f} h"
