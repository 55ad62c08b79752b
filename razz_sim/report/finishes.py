"""Where players finish, and what becomes of stacks: figures of entrants joined to classes that one can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil

from razz_sim.report.cells import sound
from razz_sim.report.numbers import LEAST_BLOCKS, Summary
from razz_sim.statistics.estimates import wilson_interval

MOST_PLACES = 10
"""In a larger field places are told by how many finish among the first: of these each at least half as many more."""
MOMENTS = {"half": "when half of the field is out", "bubble": "one from the money"}
STACKS = ("0", "1/4", "1/2", "1", "2", "4")


@dataclass(frozen=True, slots=True)
class PlaceClass:
    """Places that are told together: from `first` to `last`."""

    label: str
    first: int
    last: int


def place_classes(scenario: Summary) -> list[PlaceClass]:
    """Each place by itself; in a large field how many finish first, among the first few, and so on.

    Places that nobody has are left out: those who share some all have the first of these.
    """
    seen = _seen(scenario)
    if scenario["tournament"]["field"] <= MOST_PLACES:
        ends = [one for one in seen if one != seen[0]]
        lasts = [*(end - 1 for end in ends), scenario["tournament"]["field"]]
        return [PlaceClass(_range(first, last, scenario), first, last) for first, last in zip(seen, lasts, strict=True)]
    found: dict[int, PlaceClass] = {}
    for last, label in _firsts(scenario):
        end = _end_near(scenario, last)
        if all(end >= 1.5 * other for other in found):
            found[end] = PlaceClass(label.format(end), 1, end)
    return list(found.values())


def _seen(scenario: Summary) -> list[int]:
    """The places that somebody has, the first of those that are shared."""
    counts: dict[int, int] = {}
    for entrant in scenario["entrants"]:
        for one in entrant["places"]:
            counts[one["first"]] = counts.get(one["first"], 0) + one["count"]
    return [place for place, count in counts.items() if count or place == 1]


def _range(first: int, last: int, scenario: Summary) -> str:
    if first == 1 and is_satellite(scenario):
        return "a seat"
    return ordinal(first) if first == last else f"{ordinal(first)} to {ordinal(last)}"


def ordinal(place: int) -> str:
    """'1st', '2nd', '11th'."""
    if place % 100 in (11, 12, 13):
        return f"{place:,}th"
    return f"{place:,}{('th', 'st', 'nd', 'rd', *['th'] * 6)[place % 10]}"


def is_satellite(scenario: Summary) -> bool:
    """Whether its first places are shared and all pay the same."""
    return scenario["tournament"]["payouts"]["kind"] in ("seats", "seat_value")


def _firsts(scenario: Summary) -> Iterator[tuple[int, str]]:
    """How many first places make a class, and what it is called with that number."""
    plan = scenario["tournament"]
    field = plan["field"]
    yield 1, "a seat" if is_satellite(scenario) else "1st"
    if plan["kind"] == "bracket":
        yield from ((2**round_, "first {:,}") for round_ in range(1, (field - 1).bit_length()))
        return
    if not is_satellite(scenario):
        yield 3, "first {:,}"
    if scenario["seats"] < field / 2:
        yield scenario["seats"], "first {:,}"
    for part in (0.01, 0.05, 0.1, 0.25, 0.5):
        if field * part > scenario["seats"] or (part >= 0.25 and field * part > 3):
            yield ceil(field * part), "first {:,}"


def _end_near(scenario: Summary, last: int) -> int:
    """The end of a class of places that were counted together that is nearest to this place."""
    ends = [int(one["last"]) for one in scenario["entrants"][0]["places"]]
    return min(ends, key=lambda end: abs(end - last))


def place_share(entrant: Summary, at: PlaceClass, blocks: int) -> Summary:
    """How many of an entrant's players finished in these places; as the summary has it, where it does.

    Of classes that are joined each tournament counts as one chance: a mean of chances varies at most as one does.
    """
    joined: list[Summary] = [one for one in entrant["places"] if at.first <= one["first"] <= at.last]
    if len(joined) == 1 or sum(one["count"] for one in joined) == joined[0]["count"]:
        return joined[0]
    return _share(sum(one["count"] for one in joined), entrant["players"], blocks)


def _share(count: int, of: int, blocks: int) -> Summary:
    """A share of chances of which those in one tournament depend on each other; few have no interval."""
    if not of:
        return {"count": count, "of": of, "fraction": None, "ci95": None}
    chances = min(of, blocks)
    interval = wilson_interval(Fraction(count * chances, of), chances) if chances >= LEAST_BLOCKS else None
    return {"count": count, "of": of, "fraction": count / of, "ci95": interval and list(interval)}


# Stacks


def stack_labels() -> dict[str, str]:
    """What classes of stacks are called, by where they begin, in parts of the average."""
    labels = {first: f"{first} to {last}" for first, last in pairwise(STACKS)}
    return {**labels, "0": "below 1/4", STACKS[-1]: f"{STACKS[-1]} or more"}


def moments(scenario: Summary) -> list[tuple[str, str]]:
    """The moments at which stacks differ, and what they are called; once, where both are the same."""
    keys = [moment for moment in MOMENTS if len(_classes(scenario, moment)) > 1]
    if len(keys) > 1 and all(one["stacks"]["half"] == one["stacks"]["bubble"] for one in scenario["entrants"]):
        return [("half", " and ".join(MOMENTS.values()))]
    return [(moment, MOMENTS[moment]) for moment in keys]


def _classes(scenario: Summary, moment: str) -> list[str]:
    seen = {one["from_average"] for entrant in scenario["entrants"] for one in entrant["stacks"][moment]}
    return [least for least in STACKS if least in seen]


def stacks_of(entrant: Summary, moment: str) -> dict[str, Summary]:
    """What came of an entrant's stacks, by where a class begins; of few without an interval."""
    return {
        one["from_average"]: {**one, "prize_in_buy_ins": sound({**one["prize_in_buy_ins"], "of": one["players"]}, "of")}
        for one in entrant["stacks"][moment]
    }


def stacks_of_all(scenario: Summary, moment: str) -> dict[str, Summary]:
    """What came of the stacks of all players together.

    Counts add. The error of a mean is at most what those of its parts come to, each by its weight.
    """
    found: dict[str, Summary] = {}
    for least in _classes(scenario, moment):
        parts = [one for entrant in scenario["entrants"] for one in entrant["stacks"][moment]]
        parts = [one for one in parts if one["from_average"] == least]
        players = sum(one["players"] for one in parts)
        found[least] = {
            "from_average": least,
            "players": players,
            **{
                what: _share(sum(one[what]["count"] for one in parts), players, scenario["blocks"])
                for what in ("cashed", "won")
            },
            "prize_in_buy_ins": _together([(one["players"], one["prize_in_buy_ins"]) for one in parts]),
        }
    return found


def _together(parts: Sequence[tuple[int, Summary]]) -> Summary:
    """The mean of means of so many each; parts too small to have an interval leave it without one."""
    players = sum(count for count, _ in parts)
    mean = sum(count * one["mean"] for count, one in parts) / players
    if any(one["ci95"] is None for _, one in parts):
        return {"mean": mean, "ci95": None}
    reach = sum(count * (one["ci95"][1] - one["ci95"][0]) / 2 for count, one in parts) / players
    return {"mean": mean, "ci95": [mean - reach, mean + reach]}
