"""What results are told in: big bets per 100 hands, or of tournaments the return on what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from razz_sim.report.numbers import Summary


@dataclass(frozen=True, slots=True)
class Measure:
    """How results are called: as short as a column has it, after a number in a sentence, and what they are counted in.

    `counts` is the key of a look's or scenario's count in `summary.json`.
    """

    short: str
    words: str
    more: str
    counted: str
    counts: str


WIN_RATES = Measure(
    short="bb/100", words="big bets per 100 hands", more="big bets per 100 hands", counted="hands", counts="hands"
)
RETURNS = Measure(
    short="% return", words="% return", more="% of what was paid in", counted="tournaments", counts="blocks"
)


def of_tournaments(summary: Summary) -> bool:
    """Whether a summary is one of tournaments: all its scenarios are, or none."""
    scenarios = summary["scenarios"]
    return bool(scenarios) and "tournament" in scenarios[0]


def measure_of(summary: Summary) -> Measure:
    """What the results of a summary are told in."""
    return RETURNS if of_tournaments(summary) else WIN_RATES


def rated(one: Summary) -> dict[str, Any]:
    """An entrant with its return where others have their win rate: what ranks, colours and draws is the same for both.

    >>> rated({"roi": 12.5, "ci95": [10.0, 15.0]})["bb_per_100"]
    12.5
    """
    return {**one, "bb_per_100": one["roi"]}


def with_returns(scenario: Summary) -> Summary:
    """A scenario of tournaments whose entrants are `rated`; any other as it is."""
    if "tournament" not in scenario:
        return scenario
    return {**scenario, "entrants": [rated(one) for one in scenario["entrants"]]}


def unit_of_counts(summary: Summary, hands: Sequence[int]) -> tuple[str, int]:
    """What counts of hands are told in, and how many hands that is.

    Tournaments are planned by about as many hands as they take: where all take as many, these are whole tournaments.

    >>> unit_of_counts({"scenarios": [{"tournament": {"expected_hands": 100}}]}, [12_000])
    ('tournaments', 100)
    """
    if not of_tournaments(summary):
        return "hands", 1
    expected = {int(one["tournament"]["expected_hands"]) for one in summary["scenarios"]}
    if len(expected) > 1 or any(count % min(expected) for count in hands):
        return "hands, about", 1
    return "tournaments", expected.pop()


def count_text(hands: int, summary: Summary) -> str:
    """A planned number of hands in what it is told in: '12,000 hands', '120 tournaments'."""
    unit, size = unit_of_counts(summary, [hands])
    words = "about {:,} hands" if unit == "hands, about" else f"{{:,}} {unit}"
    return words.format(hands // size)
