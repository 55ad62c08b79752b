"""What an experiment would play, for reading before it is played: what its scenarios share, and a table of the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from razz_sim.experiment import Experiment, Scenario
from razz_sim.matches import match_name
from razz_sim.report.asked import differences, facts, grid, settings, swept_paths
from razz_sim.report.columns import Column, tables
from razz_sim.report.numbers import Summary, plain
from razz_sim.report.parts import spread
from razz_sim.report.terminal import MARGIN, write
from razz_sim.statistics import asked

MOST_ROWS = 60
"""Of more scenarios than this the last are only counted."""
MOST_TABLES = 200
"""Of more different tables of a population than this."""
MOST_NAMED = 3
"""Of more scenarios with the same matches than this only the number is told."""

Matches = Sequence[Scenario]
"""Those of one setting."""


def print_schedule(experiment: Experiment, console: Console) -> None:
    """Print what would be played: rules, stakes, stacks, line-up, and the blocks, hands and bins of each scenario."""
    plan = asked(experiment)
    lines = [*_lines(plan), ("runner", _runner(experiment))]
    parts: list[RenderableType] = [Text(plain(experiment.name), style="bold"), Padding(grid(lines), MARGIN)]
    parts += [Padding(table, MARGIN) for table in _schedule(experiment, plan, console.width - MARGIN[3])]
    write(Group(*parts), console)


def _runner(experiment: Experiment) -> str:
    workers = experiment.runner.workers
    return experiment.runner.kind + ("" if workers is None else f" with {workers} worker{'s' * (workers > 1)}")


def _lines(plan: Summary) -> Iterator[tuple[str, str]]:
    """What is asked; of a search also the paths, with the values that its points have."""
    for label, text in facts(plan).items():
        yield label, text
        if label == "search":
            for path, values in swept_paths(plan).items():
                yield "", f"{path}: {spread(values)}"


def _rounds(experiment: Experiment, width: int) -> list[Table]:
    """A row for each round of a search: the points that play in it, and how much; then the winner, and the sums."""
    assert experiment.search is not None
    left, played = experiment.search.points_left(), experiment.most_searched()
    each = [
        spread(f"{_hands_by(experiment, point, number):,}" for point in experiment.points)
        for number in range(len(left))
    ]
    measured = experiment.settings[len(experiment.points) :]
    again = spread(f"{sum(experiment.scenarios[index].hands for index in indices):,}" for indices in measured)
    rows = [*(str(number) for number in range(1, len(left) + 1)), "the winner again, on fresh deals", "in all"]
    columns = [
        Column("points", [*(f"{count:,}" for count in left), "1", ""]),
        Column("hands of each\nby then", [*each, again, ""]),
        Column("hands in\nthis round", [f"{hands:,}" for hands in (*played, sum(played))]),
    ]
    return tables(Column("round", rows, "left"), columns, width)


def _hands_by(experiment: Experiment, point: Sequence[int], number: int) -> int:
    """Hands of a point by the end of a round, from 0."""
    return sum(experiment.round_ends(index)[number] * experiment.scenarios[index].block_hands for index in point)


def _schedule(experiment: Experiment, plan: Summary, width: int) -> list[Table]:
    """A row for each scenario: in what it differs from others, and how much is played; then the sums."""
    if experiment.search is not None:
        return _rounds(experiment, width)
    if experiment.scenarios[0].match:
        return [*_settings(experiment, plan, width), *_matches(experiment, width)]
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
    if experiment.scenarios[0].tournament is not None:
        counts = {"tournaments": counts["sessions"], "bins": counts["bins"]}
    elif counts["sessions"] == counts["hands"]:
        del counts["sessions"]
    columns += [Column(heading, [f"{count:,}" for count in counted]) for heading, counted in counts.items()]
    return tables(Column("scenario", [name for name, _ in groups], "left"), columns, width)


def _settings(experiment: Experiment, plan: Summary, width: int) -> list[Table]:
    """A row for each setting, where there are several: in what it differs, and how much is played."""
    played = [[experiment.scenarios[index] for index in indices] for indices in experiment.settings]
    if len(played) == 1:
        return []
    shown, rest = played[:MOST_ROWS], played[MOST_ROWS:]
    rows = [(plain(one[0].setting), one) for one in shown]
    rows += [(f"and {len(rest):,} more", [match for one in rest for match in one])] * bool(rest)
    rows.append((f"{len(played):,} scenarios", list(experiment.scenarios)))
    blank = [""] * (len(rows) - len(shown))
    columns = [
        Column(plain(part.heading), [*map(plain, part.texts[: len(shown)]), *blank])
        for part in differences(settings(plan["scenarios"]))
    ]
    columns.append(Column("matches", [f"{len(matches):,}" for _, matches in rows]))
    columns.append(Column("hands", [f"{sum(one.hands for one in matches):,}" for _, matches in rows]))
    return tables(Column("scenario", [name for name, _ in rows], "left"), columns, width)


def _matches(experiment: Experiment, width: int) -> list[Table]:
    """A row for each match of a setting, then the sums; once for settings that have the same."""
    alike: dict[tuple[tuple[str, int], ...], list[Matches]] = {}
    for indices in experiment.settings:
        matches = [experiment.scenarios[index] for index in indices]
        alike.setdefault(tuple((match_name(one.lineup), one.times) for one in matches), []).append(matches)
    found = []
    for settings_alike in alike.values():
        where = "" if len(experiment.settings) == 1 else ", in each scenario"
        if len(alike) > 1:
            names = [plain(matches[0].setting) for matches in settings_alike]
            where = f", in {' and '.join(names) if len(names) <= MOST_NAMED else f'{len(names):,} scenarios'}"
        found += _matches_of(settings_alike[0], where, width)
    return found


def _matches_of(matches: Matches, where: str, width: int) -> list[Table]:
    """A row for each match; of a population with how many tables of the cycle are like it."""
    most = MOST_TABLES if matches[0].of_population else MOST_ROWS
    shown, rest = matches[:most], matches[most:]
    rows: list[tuple[str, Matches]] = [(plain(match_name(one.lineup)), [one]) for one in shown]
    rows += [(f"and {len(rest):,} more", rest)] * bool(rest)
    rows.append((f"{len(matches):,} matches{where}", matches))
    columns = [
        Column("blocks", [f"{sum(one.blocks for one in group):,}" for _, group in rows]),
        Column("arrangements", [f"{group[0].replicas}" if len(group) == 1 else "" for _, group in rows]),
        Column("hands", [f"{sum(one.hands for one in group):,}" for _, group in rows]),
    ]
    if matches[0].of_population:
        columns.insert(0, Column("tables", [f"{sum(one.times for one in group):,}" for _, group in rows]))
    return tables(Column("match", [name for name, _ in rows], "left"), columns, width)


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
