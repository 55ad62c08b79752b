"""Where players finish, and what becomes of stacks: figures of entrants joined to classes that one can read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from razz_sim.report.cells import sound
from razz_sim.report.numbers import Summary

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
    return f"{place:,}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place % 10, 'th') }"


def equal_prizes(scenario: Summary) -> int:
    """How many equal prizes a satellite has, where that is known before it is played; 0 elsewhere."""
    plan = scenario["tournament"]
    if plan["payouts"]["kind"] == "seats":
        return int(plan["payouts"]["values"][0])
    prizes: list[object] = plan["prizes"] or []
    return sum(one == prizes[0] for one in prizes) if is_satellite(scenario) else 0


def is_satellite(scenario: Summary) -> bool:
    """Whether its first places are shared and all pay the same."""
    return scenario["tournament"]["payouts"]["kind"] in ("seats", "seat_value")


def _firsts(scenario: Summary) -> Iterator[tuple[int, str]]:
    """How many first places make a class, and what it is called with that number."""
    plan = scenario["tournament"]
    field = plan["field"]
    if seats := equal_prizes(scenario):
        yield seats, "a seat"
    else:
        yield 1, "1st"
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


def place_share(entrant: Summary, at: PlaceClass) -> Summary:
    """How many of an entrant's players finished in these places."""
    places: list[Summary] = entrant["places"]
    for one in places:
        if (one["first"], one["last"]) == (at.first, at.last):
            return one
    if at.first > 1:
        return next(one for one in places if one["first"] == at.first)
    or_better: Summary = next(one["or_better"] for one in places if one["last"] == at.last)
    return or_better


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


def stacks_of(whose: Summary, moment: str) -> dict[str, Summary]:
    """What came of stacks, of an entrant or of all in a scenario, by where a class begins; few have no interval."""
    return {
        one["from_average"]: {**one, "prize_in_buy_ins": sound({**one["prize_in_buy_ins"], "of": one["players"]}, "of")}
        for one in whose["stacks"][moment]
    }
