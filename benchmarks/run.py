"""Take all figures in one run and print them as a table; see the package for the command."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.engine import LINEUPS as TABLE_LINEUPS
from benchmarks.engine import OTHER_KINDS, SEATS, evaluation_row, floor_row, table_row
from benchmarks.machine import machine, machine_line
from benchmarks.measuring import Row, ratio
from benchmarks.start_up import HANDS, StartUp, measure_start_up


@dataclass(frozen=True, slots=True)
class Target:
    """A number to reach (`DESIGN.md`, Numbers to reach), and what was measured: best, and in the median round."""

    what: str
    sign: str
    bound: float
    best: float
    middle: float

    @property
    def met(self) -> bool:
        """Whether the best repeat reaches it."""
        return self.best > self.bound if self.sign == ">" else self.best < self.bound


@dataclass(frozen=True, slots=True)
class Figures:
    """All that one run measured."""

    machine: dict[str, str | int | float]
    tables: list[Row]
    floor: Row
    evaluations: Row
    pokerkit: dict[str, Row]
    start_up: StartUp | None

    def table(self, name: str) -> Row:
        """The row of the fused loop with this name."""
        return next(row for row in self.tables if row.name == name)

    def targets(self) -> list[Target]:
        """The targets that this run can judge."""
        mixed = self.table("6 seats, mixed")
        found = [
            Target("6 seats mixed, hands/s", ">", 400_000, mixed.best, mixed.middle),
            Target("floor / 6 seats mixed", "<", 9, *ratio(self.floor, mixed)),
        ]
        for lineup, bound in (("tight in Python", 5e5), ("caller in Python", 1e6), ("tight in rows", 2.5e6)):
            row = self.table(f"6 seats, {lineup}")
            best, middle = row.best * row.inner_per_unit, row.middle * row.inner_per_unit
            found.append(Target(f"6 seats {lineup}, decisions/s", ">", bound, best, middle))
        for lineup, row in self.pokerkit.items():
            engine = self.table(f"6 seats, {lineup.split(',')[0]}")
            times = 1_500 if lineup == "random" else 8_000
            found.append(Target(f"PokerKit x, 6 seats {lineup}", ">", times, *ratio(engine, row)))
        if self.start_up is not None and self.start_up.cold is not None:
            warm = sorted(self.start_up.warm)
            found.append(Target("start-up cold, s", "<", 20, self.start_up.cold, self.start_up.cold))
            found.append(Target("start-up warm, s", "<", 2, warm[0], warm[len(warm) // 2]))
        return found

    def as_json(self) -> dict[str, Any]:
        """Everything in plain data; rates are units a second."""
        rows = [*self.tables, self.floor, self.evaluations, *self.pokerkit.values()]
        return {
            "machine": self.machine,
            "rows": [
                {
                    "name": row.name,
                    "unit": row.unit,
                    "best": row.best,
                    "median": row.middle,
                    "decisions_per_unit": row.inner_per_unit,
                    "repeats": [asdict(repeat) for repeat in row.repeats],
                }
                for row in rows
            ],
            "start_up": None if self.start_up is None else asdict(self.start_up),
            "targets": [{**asdict(target), "met": target.met} for target in self.targets()],
        }


def take_figures(
    repeats: int = 5, seconds: float = 0.4, start_up: bool = True, say: Callable[[str], None] = lambda line: None
) -> Figures:
    """Measure every row once in each of `repeats` rounds, about `seconds` each (PokerKit three times that)."""
    here = machine()
    tables = [table_row(lineup, seats) for seats in SEATS for lineup in TABLE_LINEUPS]
    tables += [table_row(lineup, 6) for lineup in OTHER_KINDS]
    floor, evaluations, pokerkit = floor_row(), evaluation_row(), _pokerkit_rows(say)
    say("warming up")
    for row in (*tables, floor, evaluations):
        row.calibrate(seconds, first=1_000)
    for row in pokerkit.values():
        row.calibrate(3 * seconds, first=4)
    for number in range(repeats):
        say(f"round {number + 1} of {repeats}")
        for row in (*tables, floor, evaluations, *pokerkit.values()):
            row.measure()
    started = None
    if start_up:
        say("start-up, cold and warm")
        started = measure_start_up()
    return Figures(here, tables, floor, evaluations, pokerkit, started)


def _pokerkit_rows(say: Callable[[str], None]) -> dict[str, Row]:
    try:
        from benchmarks.pokerkit_table import LINEUPS, pokerkit_row
    except ImportError:
        say("PokerKit is not installed (test extra): left out")
        return {}
    return {lineup: pokerkit_row(lineup) for lineup in LINEUPS}


def markdown(figures: Figures) -> str:
    """The figures as tables."""
    return "\n".join(_lines(figures))


def _lines(figures: Figures) -> Iterator[str]:
    yield machine_line(figures.machine)
    yield f"best and median of {len(figures.floor.repeats)} rounds, one core"
    yield ""
    yield "| table | hands/s best | median | decisions/s best | decisions/hand | ns/decision |"
    yield "|---|--:|--:|--:|--:|--:|"
    for row in (*figures.tables, *figures.pokerkit.values()):
        decisions = row.best * row.inner_per_unit
        yield (
            f"| {row.name} | {_number(row.best)} | {_number(row.middle)} | {_number(decisions)} "
            f"| {row.inner_per_unit:.1f} | {_number(1e9 / decisions)} |"
        )
    floor, evaluations = figures.floor, figures.evaluations
    yield f"| {floor.name} | {_number(floor.best)} | {_number(floor.middle)} | | | |"
    yield ""
    best, middle = evaluations.best * 1_000, evaluations.middle * 1_000
    yield f"Evaluations/s (key of seven cards from rank masks): {_number(best)} best, {_number(middle)} median"
    if figures.start_up is not None:
        yield f"Start-up (`razz-sim run`, {HANDS:,} hands, local): {_start_up(figures.start_up)}"
    yield ""
    yield "| target | to reach | best | median round | |"
    yield "|---|--:|--:|--:|---|"
    for target in figures.targets():
        met = "met" if target.met else "MISSED"
        bound = f"{target.sign} {target.bound:,.0f}"
        yield f"| {target.what} | {bound} | {_number(target.best)} | {_number(target.middle)} | {met} |"


def _start_up(found: StartUp) -> str:
    if found.cold is None:
        return f"not measured: {found.problem}"
    warm = ", ".join(f"{seconds:.2f}" for seconds in found.warm)
    return f"{found.cold:.1f} s with an empty cache, then {warm} s"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the tables, and write JSON where asked."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Figures of this machine.")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="rounds (5)")
    parser.add_argument("--quick", action="store_true", help="two short rounds and no start-up, to see that it works")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error("--repeats must be at least 1")
    figures = take_figures(
        repeats=2 if options.quick else options.repeats,
        seconds=0.05 if options.quick else 0.4,
        start_up=not options.quick,
        say=lambda line: print(line, file=sys.stderr, flush=True),
    )
    print(markdown(figures))
    if options.json is not None:
        options.json.write_text(json.dumps(figures.as_json(), indent=2) + "\n", encoding="utf-8")
    return 0
