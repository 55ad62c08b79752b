"""A structure before it is played for: what it is level by level, and what a short trial says of its length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from razz_sim.report.asked import grid
from razz_sim.report.columns import Column, tables
from razz_sim.report.numbers import NONE, Summary, percents, plain
from razz_sim.report.structure import limits_text, time_unit
from razz_sim.report.terminal import MARGIN, write
from razz_sim.report.tournaments import course_lines, mean_texts


def print_trials(scenarios: Sequence[Summary], console: Console) -> None:
    """Print the structure of each of these scenarios, with what its trial found."""
    width, parts = console.width - MARGIN[3], list[RenderableType]()
    for scenario in scenarios:
        if len(scenarios) > 1:
            parts.append(Text(plain(scenario["name"]), style="bold"))
        parts.append(Padding(grid(_lines(scenario)), MARGIN))
        parts += [Padding(table, MARGIN) for table in _levels(scenario, width)]
    write(Group(*parts), console)


def _lines(scenario: Summary) -> Iterator[tuple[str, str]]:
    plan, played = scenario["tournament"], scenario["course"]["tournaments"]
    chips = plan["field"] * plan["starting_stack"]
    yield "chips", f"{chips:,} at the start, {scenario['stack_big_bets']:,.4g} big bets each"
    yield "trial", f"{played:,} tournament{'s' * (played > 1)} with this line-up"
    yield from course_lines(scenario)


def _levels(scenario: Summary, width: int) -> list[Table]:
    """A row for each level: what it is, when it begins, and who came to it in the trial with how much."""
    plan, tried = scenario["tournament"], scenario["course"]["levels"]
    levels = plan["levels"]
    lengths = [level.get("minutes", level.get("hands")) for level in levels]
    begins = [0, *accumulate(lengths)]
    reached = [one["reached"]["count"] > 0 for one in tried]
    columns = [
        Column("limits", [limits_text(level) for level in levels]),
        Column("ante", [f"{level['ante']:,}" for level in levels]),
        Column("bring-in", [f"{level['bring_in']:,}" for level in levels]),
        Column(f"begins\nafter {time_unit(plan)}", [f"{begins[place]:,.6g}" for place in range(len(levels))]),
        Column("reached\n% of tourn.", _where(reached, percents([one["reached"] for one in tried]))),
        Column("players\nleft", mean_texts([one["players_left"] for one in tried])),
        Column("average stack\nbig bets", mean_texts([one["average_stack_big_bets"] for one in tried])),
    ]
    return tables(Column("level", [f"{level['level']}" for level in levels]), columns, width)


def _where(there: Sequence[bool], texts: Sequence[str]) -> list[str]:
    return [text if one else NONE for one, text in zip(there, texts, strict=True)]
