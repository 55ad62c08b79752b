"""The report of a run in a terminal: what was asked, the answer, a table of entrants, the pots, the digest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from razz_sim.report.answer import failures
from razz_sim.report.asked import SINGLE_HANDS, facts, grid
from razz_sim.report.crosstable import side_by_side, told
from razz_sim.report.differences import than_baseline
from razz_sim.report.found import compared, entrants, errors, failed, plays, pots
from razz_sim.report.measure import of_tournaments, with_returns
from razz_sim.report.numbers import (
    LEAST_BLOCKS,
    Summary,
    fewest_blocks,
    plain,
    with_sound_intervals,
)
from razz_sim.report.parts import MOST_LISTED
from razz_sim.report.searching import fresh, searching
from razz_sim.report.stopping import stopping
from razz_sim.report.tournaments import compared_returns, found_in

DETAILED_SCENARIOS = 3
"""With more scenarios than this they are compared side by side only."""
DIGEST_SHOWN = 16
"""So many of the digest's 64 hexadecimal digits tell two results apart."""
MARGIN = (0, 0, 1, 2)
ABOVE = (0, 0, 0, 2)
"""The margin of what the next line belongs to."""
_ASCII = str.maketrans(
    {"±": "+/-", "\N{MULTIPLICATION SIGN}": "x", "│": "|", "━": "=", "┿": "+", "●": "o", "█": "#"}
    | {"▏": " ", "▎": " ", "▍": ":", "▌": ":", "▋": ":", "▊": "#", "▉": "#"}
)
"""For terminals without Unicode."""


def print_report(summary: Summary, console: Console, *, details: bool | None = None, run: str = "RUN") -> None:
    """Print a summary (of `statistics.summary`, or `summary.json` read back) to a console.

    `run` is its folder, as commands name it. `details` says whether to show a table and the pots of each scenario;
    without it, up to three scenarios have them. Of a search only that of the winner's measuring is shown, if asked for.
    """
    scenarios = [_shown(scenario) for scenario in summary["scenarios"]]
    width = console.width - MARGIN[3]
    searched = "search" in summary
    comparisons = [] if searched else summary.get("comparisons") or []
    answer = " ".join(filter(None, [told(summary), failures(summary)]))
    parts: list[RenderableType] = [_heading(summary), _indented(Text(answer, style="bold"))]
    parts += map(_indented, [*stopping(summary, width), *searching(summary, width)])
    for comparison in comparisons if fewest_blocks(summary) >= LEAST_BLOCKS else ():
        if len(comparisons) > 1:
            parts.append(Text(plain(comparison["setting"]), style="bold"))
        parts += map(_indented, side_by_side(comparison, width))
    if len(scenarios) > 1 and not comparisons and not searched:
        side = compared_returns if of_tournaments(summary) else compared
        parts += map(_indented, side(scenarios, width))
    parts += map(_indented, than_baseline(summary, width))
    few = len(scenarios) <= DETAILED_SCENARIOS and not comparisons and not searched
    if details or (details is None and few):
        for scenario in map(_shown, fresh(summary)) if searched else scenarios:
            if len(scenarios) > 1:
                parts.append(Text(plain(scenario["name"]), style="bold"))
            parts += map(_indented, _in_detail(scenario, width, details=bool(details)))
    for error, command in [*errors(scenarios, run), *failed(summary, run)]:
        parts += [Padding(error, ABOVE), _whole_line(f"    see it: {command}\n")] if command else [_indented(error)]
    parts.append(Text(f"digest {summary['digest'][:DIGEST_SHOWN]}"))
    write(Group(*parts), console)


def _shown(scenario: Summary) -> Summary:
    """A scenario as it is shown: without intervals of too few blocks, returns of tournaments where win rates are."""
    return with_returns(with_sound_intervals(scenario))


def _in_detail(scenario: Summary, width: int, *, details: bool) -> Iterator[RenderableType]:
    """The tables of a scenario; of tournaments `details` asks for all of them."""
    if "tournament" in scenario:
        yield from found_in(scenario, width, details=details)
        return
    yield from entrants(scenario, width)
    yield from plays(scenario, width)
    yield pots(scenario, width)


def write(what: RenderableType, console: Console) -> None:
    """Print without blanks at the ends of lines, in ASCII where the terminal knows no more."""
    with console.capture() as capture:
        console.print(what, highlight=False, crop=False)
    text = capture.get()
    if console.options.ascii_only:
        text = text.translate(_ASCII).encode("ascii", "replace").decode()
    console.file.write("\n".join(line.rstrip(" ") for line in text.rstrip("\n").split("\n")) + "\n")
    console.file.flush()


def _whole_line(line: str) -> RenderableType:
    """A line to be copied: it is never broken, however narrow the terminal is."""
    return Text(line, no_wrap=True, overflow="ignore")


def _indented(part: RenderableType) -> RenderableType:
    return Padding(part, MARGIN)


def _heading(summary: Summary) -> RenderableType:
    lines = {**facts(summary), "played": played(summary)}
    if summary.get("not_played"):
        lines["not played"] = _not_played(summary["not_played"])
    if lines.get("session") == SINGLE_HANDS:
        del lines["session"]
    return Group(Text(plain(summary["name"]), style="bold"), _indented(grid(lines.items())))


def _not_played(names: Sequence[str]) -> str:
    """The scenarios of which a run of some blocks has none."""
    shown = ", ".join(names) if len(names) <= MOST_LISTED else f"{len(names):,} scenarios"
    return f"{shown}: the run's blocks are beyond theirs"


def played(summary: Summary) -> str:
    """Where, how long and how fast: the start of Ray is no part of the speed, where it is known."""
    workers, seconds, starting = summary["workers"], summary["seconds"], summary.get("seconds_starting_ray", 0)
    where = f"{summary['runner']}" + (f" with {workers} workers" if workers > 1 else "")
    speed = ", ".join(_speeds(summary, seconds - starting)) if seconds > starting else ""
    start = f" ({starting:,.1f} s to start Ray)" if starting else " with Ray's start" * ("ray" in summary["runner"])
    return f"{where}, {seconds:,.1f} s{start}" + (f", {speed}" if speed else "")


def _speeds(summary: Summary, seconds: float) -> Iterator[str]:
    if of_tournaments(summary):
        speed = sum(one["blocks"] for one in summary["scenarios"]) / seconds
        yield f"{speed:,.{0 if speed >= 10 else 2}f} tournaments/s"
    yield f"{summary['hands'] / seconds:,.0f} hands/s"
