"""What an experiment would play, for reading before it is played: what its scenarios share, and a table of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from razz_sim.experiment import Entrant, Experiment, Scenario
from razz_sim.rules import Stakes

MOST_ROWS = 60
"""Of more scenarios than this the last are only counted."""
MATCHES = 1
"""Matches in a scenario: one line-up."""


def schedule(experiment: Experiment) -> RenderableType:
    """An experiment's scenarios with their matches, blocks, hands and bins, and the sums of these."""
    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column(overflow="fold")
    for label, text in _facts(experiment.scenarios):
        facts.add_row(label, Text(text))
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column("scenario", overflow="fold")
    for heading in ("seats", "matches", "blocks", "hands", "bins"):
        table.add_column(heading, justify="right", no_wrap=True)
    shown = experiment.scenarios[:MOST_ROWS]
    for scenario in shown:
        _add_row(table, Text(scenario.name), f"{scenario.seats}", [scenario])
    if len(shown) < len(experiment.scenarios):
        rest = experiment.scenarios[MOST_ROWS:]
        _add_row(table, Text(f"and {len(rest):,} more", style="dim"), "", rest)
    if len(experiment.scenarios) > 1:
        _add_row(table, Text(f"{len(experiment.scenarios):,} scenarios", style="bold"), "", experiment.scenarios)
    return Group(Text(experiment.name, style="bold"), Padding(facts, (0, 0, 1, 2)), Padding(table, (0, 0, 0, 2)))


def _add_row(table: Table, name: Text, seats: str, scenarios: Sequence[Scenario]) -> None:
    counts = (
        MATCHES * len(scenarios),
        sum(scenario.blocks for scenario in scenarios),
        sum(scenario.hands for scenario in scenarios),
        sum(scenario.bins for scenario in scenarios),
    )
    table.add_row(name, seats, *(f"{count:,}" for count in counts))


def _facts(scenarios: Sequence[Scenario]) -> Iterable[tuple[str, str]]:
    """What is played, once where all scenarios agree."""
    yield "rules", _shared(scenario.rules.describe() for scenario in scenarios)
    yield "stakes", _shared(_stakes(scenario.stakes) for scenario in scenarios)
    yield "line-up", _shared("; ".join(map(_entrant, scenario.lineup)) for scenario in scenarios)
    yield "stacks", _shared(f"{scenario.stack / scenario.stakes.big_bet:,g} big bets" for scenario in scenarios)
    yield "blocks", _shared(map(_block, scenarios))


def _shared(texts: Iterable[str]) -> str:
    found = list(dict.fromkeys(texts))
    return found[0] if len(found) == 1 else f"{len(found)} that differ, from {found[0]} to {found[-1]}"


def _stakes(stakes: Stakes) -> str:
    ante, bring_in, small, big = map(stakes.money, (stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet))
    rake = "" if stakes.rake is None else f", rake {stakes.rake.percent:f} %"
    return f"{stakes.name} (ante {ante}, bring-in {bring_in}, bets {small} and {big}{rake})"


def _entrant(entrant: Entrant) -> str:
    params = ", ".join(f"{name} {value:g}" for name, value in entrant.params)
    seats = f" in {entrant.seats} seats" if entrant.seats > 1 else ""
    return f"{entrant.name}: {entrant.strategy.spec}{f' ({params})' if params else ''}{seats}"


def _block(scenario: Scenario) -> str:
    session = scenario.session
    if session.hands == 1:
        return "single hands"
    stacks = "stacks full in each hand" if not session.carry else "stacks carried on"
    return f"sessions of {session.hands:,} hands, {stacks}{', topped up' if session.top_up else ''}"


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
