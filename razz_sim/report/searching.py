"""What a search found, in words and in tables: the winner and how sure it is, the rounds, and the best points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from razz_sim.report.columns import Column, tables
from razz_sim.report.found import EVEN, LOSS, rate_colour
from razz_sim.report.measure import measure_of, of_tournaments, unit_of_counts
from razz_sim.report.numbers import (
    LEAST_BLOCKS,
    NONE,
    Summary,
    decimals,
    estimates,
    half,
    places_for,
    plain,
    with_error,
)
from razz_sim.report.parts import QUIET, listed

MOST_POINTS = 10
"""Of more points than this the best are in the table."""
MOST_NAMED = 3
"""Of more points that cannot be told apart only the number is told."""


@dataclass(frozen=True, slots=True)
class Last:
    """A point after the last round that it played, from 1: `found` is what the summary has of it there."""

    round: int
    hands: int
    found: Summary

    @property
    def failed(self) -> bool:
        """Whether it would have gone on."""
        return bool(self.found["stays"])


def last_rounds(search: Summary) -> list[Last]:
    """Each point after its last round, best first: the longer it stayed the better."""
    found: dict[str, Last] = {}
    for number, one in reversed(list(enumerate(search["rounds"], start=1))):
        for standing in one["points"]:
            found.setdefault(standing["point"], Last(number, one["hands"], standing))
    return list(found.values())


def short_point(name: str, entrant: str) -> str:
    """A point's name without that of the entrant whose values it has.

    >>> short_point("thief limit 8, thief door 13, ante 1", "thief")
    'limit 8, door 13, ante 1'
    """
    return plain(", ".join(piece.removeprefix(f"{entrant} ") for piece in name.split(", ")))


def search_answer(summary: Summary) -> str:
    """The winner, its rate on fresh deals beside that in the search, and how sure it is that it is the best."""
    search = summary["search"]
    winner = search["winner"]
    where = short_point(winner["point"], search["entrant"])
    played = len(search["rounds"][0]["points"])
    count = f"{played:,}" if played == search["points"] else f"{played:,} of {search['points']:,}"
    opening = f"Of {count} points {plain(search['entrant'])} does best with {where}"
    again, places = measured_again(summary), places_for([winner["in_search"]["ci95"]])
    in_search = with_error(winner["in_search"]["bb_per_100"], winner["in_search"]["ci95"], places, sign="+")
    too_high = "is too high on average, because the best of many is partly lucky"
    if again is None:
        not_again = f"{opening}, which was not measured again"
        return f"{not_again}. Its rate in the search, {in_search}, {too_high}. {_sure(summary)}"
    rate = with_error(again["bb_per_100"], again["ci95"], places_for([again["ci95"]]), sign="+")
    few = "" if again["ci95"] is not None else ", too few for an interval"
    on = f"{_fresh_text(summary)}{few}"
    return (
        f"{opening}: {rate} {measure_of(summary).words}, measured again on {on}. "
        f"Its rate in the search, {in_search}, {too_high}{_though(winner)}. {_sure(summary)}"
    )


def _fresh_text(summary: Summary) -> str:
    """On how much the winner was measured again."""
    if of_tournaments(summary):
        count = sum(one["blocks"] for one in fresh(summary))
        return f"{count:,} tournament{'s' * (count != 1)} of fresh deals"
    return f"{hands_again(summary):,} hands of fresh deals"


def _though(winner: Summary) -> str:
    """Where the rate in the search was none too high this time."""
    return ", though not this time" if winner["in_search"]["bb_per_100"] < winner["again"]["bb_per_100"] else ""


def measured_again(summary: Summary) -> Summary | None:
    """The winner's rate on fresh deals, without an interval where they were too few for one."""
    again: Summary | None = summary["search"]["winner"]["again"]
    enough = all(one["blocks"] >= LEAST_BLOCKS for one in fresh(summary))
    return again if again is None or enough else {**again, "ci95": None}


def hands_again(summary: Summary) -> int:
    """On how many hands the winner was measured again; of tournaments about how many these take."""
    if of_tournaments(summary):
        return sum(one["blocks"] * one["tournament"]["expected_hands"] for one in fresh(summary))
    return sum(one["hands"] for one in fresh(summary))


def fresh(summary: Summary) -> list[Summary]:
    """The scenarios in which the winner was measured again."""
    return [one for one in summary["scenarios"] if one.get("fresh")]


def _sure(summary: Summary) -> str:
    """From which points of the last round the winner is told apart."""
    search = summary["search"]
    _, *others = search["rounds"][-1]["points"]
    if not others:
        return "No other point played the last round."
    deals = " on the same deals" if summary["search"]["same_deals"] else ""
    near = [one for one in others if not is_behind(one)]
    if not near:
        ahead = behind_text(others[0])
        next_one = f"{_name(others[0], search)} won {ahead} less{deals}"
        if len(others) == 1:
            return f"The other point of the last round did worse: {next_one}."
        return f"All others of the last round did worse: the next, {next_one}."
    names = listed([short_point(one["point"], search["entrant"]) for one in near])
    if len(near) > MOST_NAMED:
        names = f"{len(near):,} others of the {len(others) + 1:,} in the last round"
    gap = deals
    if len(near) == 1:
        even = near[0]["behind"]["difference"] == near[0]["behind"]["std_error"] == 0
        gap = ": both won the same" if even else f": {behind_text(near[0])} less{deals}"
    return f"After the last round it cannot be told apart from {names}{gap}."


def _name(standing: Summary, search: Summary) -> str:
    return short_point(standing["point"], search["entrant"])


def is_behind(standing: Summary) -> bool:
    """Whether a point is told apart from the leader of its round: the interval of the difference is below 0."""
    behind = standing["behind"]
    return behind is not None and behind["ci95"] is not None and bool(behind["ci95"][1] < 0)


def behind_text(standing: Summary) -> str:
    """How much less than the leader a point won: '0.36 ± 0.03'."""
    behind = standing["behind"]
    return with_error(-behind["difference"], behind["ci95"], places_for([behind["ci95"]]))


def went_out(search: Summary) -> str:
    """How many went out before the last round though they might have been the best; empty where none did."""
    before = [one for one in last_rounds(search) if one.round < len(search["rounds"]) and not one.failed]
    near = sum(not is_behind(one.found) for one in before)
    if not near:
        return ""
    counted = f"Of the {len(before):,} that went out before the last round {near:,}"
    return f"{counted} could not be told apart from the leader at that time: a better one may be among them."


@dataclass(frozen=True, slots=True)
class Stage:
    """A round, or the winner's measuring on fresh deals: who leads with what rate, and who comes next."""

    label: str
    points: int
    hands: int
    leader: str
    rate: Summary
    next: Summary | None


def stages(summary: Summary) -> list[Stage]:
    """The rounds of a search, then the measuring of its winner."""
    search, again = summary["search"], measured_again(summary)
    found = []
    for number, one in enumerate(search["rounds"], start=1):
        leader, *others = one["points"]
        following = others[0] if others else None
        found.append(Stage(str(number), len(one["points"]), one["hands"], _name(leader, search), leader, following))
    if again is not None:
        found.append(Stage("again", 1, hands_again(summary), _name(search["winner"], search), again, None))
    return found


# In a terminal


def searching(summary: Summary, width: int) -> list[RenderableType]:
    """The rounds and the best points, where there was a search."""
    if "search" not in summary:
        return []
    search, found = summary["search"], last_rounds(summary["search"])
    best = f"the best {MOST_POINTS} of {len(found):,}" if len(found) > MOST_POINTS else "all points"
    legend = Text(f"{best}, each after the last round that it played", style=QUIET)
    again = "again: the winner on deals that no round has seen" * (measured_again(summary) is not None)
    notes = [Text(note, style=QUIET) for note in (again, went_out(search)) if note]
    return [*_rounds(summary, width), *notes, legend, *_points(summary, found[:MOST_POINTS], width)]


def _rounds(summary: Summary, width: int) -> list[Table]:
    """A row for each round and one for the winner's measuring on fresh deals."""
    found = stages(summary)
    counted, counts = counts_of(summary, [one.hands for one in found])
    columns = [
        Column("points", [f"{one.points:,}" for one in found]),
        Column(f"{counted}\nof each", counts),
        Column("leader", [one.leader for one in found], "left"),
        Column(measure_of(summary).short, _rates([one.rate for one in found])),
        Column("the next, less\nthe leader", _gaps([one.next for one in found])),
    ]
    return tables(Column("round", [one.label for one in found], "left"), columns, width)


def _points(summary: Summary, found: Sequence[Last], width: int) -> list[Table]:
    """A row for each of these points."""
    search = summary["search"]
    columns = [
        Column(measure_of(summary).short, _rates([one.found for one in found])),
        Column("less the\nleader", _gaps([one.found for one in found])),
        Column(
            "rounds\nplayed",
            [f"{one.round}{', failed' if one.failed and number else ''}" for number, one in enumerate(found)],
        ),
        Column(*counts_of(summary, [one.hands for one in found])),
    ]
    return tables(Column("point", [_name(one.found, search) for one in found], "left"), columns, width)


def counts_of(summary: Summary, hands: Sequence[int]) -> tuple[str, list[str]]:
    """What rounds are counted in, and these counts: hands, or tournaments."""
    unit, size = unit_of_counts(summary, hands)
    return unit, [f"{count // size:,}" for count in hands]


def _rates(found: Sequence[Summary]) -> list[str | Text]:
    texts = estimates([(one["bb_per_100"], one["ci95"]) for one in found], sign="+")
    return [Text(text, style=rate_colour(one)) for text, one in zip(texts, found, strict=True)]


def gap_places(found: Sequence[Summary | None]) -> int:
    """Decimals for such a column: enough for a digit of the smallest error that there is."""
    errors = [half(pair[1]) for pair in gaps_of(found) if pair is not None]
    return decimals(3 * min(filter(None, errors), default=0.0))


def gaps_of(found: Sequence[Summary | None]) -> list[tuple[float, Sequence[float] | None] | None]:
    """How much more than the leader points won, which is less than 0 mostly; None for a leader, and where none is."""
    differences = [one and one["behind"] for one in found]
    return [None if one is None else (one["difference"], one["ci95"]) for one in differences]


def _gaps(found: Sequence[Summary | None]) -> list[str | Text]:
    texts = estimates(gaps_of(found), sign="+", places=gap_places(found))
    return [
        Text(text, style=LOSS if one is not None and is_behind(one) else EVEN if text != NONE else "")
        for text, one in zip(texts, found, strict=True)
    ]
