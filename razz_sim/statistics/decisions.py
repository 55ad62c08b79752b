"""What was decided on the way, in plain data for a summary: looks of a stopping rule, rounds of a search."""

from __future__ import annotations

from collections.abc import Sequence, Set
from math import isfinite
from typing import Any

from razz_sim.experiment import Experiment
from razz_sim.stages import StopRule
from razz_sim.statistics.estimates import in_plain_data
from razz_sim.statistics.halving import Halving, Round
from razz_sim.statistics.stopping import Look, Watching, bounds_of
from razz_sim.tally import Tally


def decisions(experiment: Experiment, tallies: Sequence[Tally], out: Set[int]) -> dict[str, Any]:
    """The keys `stopping` and `search` of a summary, where the experiment has them; `out` are scenarios that failed."""
    found: dict[str, Any] = {}
    if experiment.stop is not None:
        watched = [Watching(experiment, indices) for indices in experiment.settings if out.isdisjoint(indices)]
        found["stopping"] = [_stopped(experiment.stop, one, tallies) for one in watched]
    if experiment.search is not None:
        found["search"] = search_asked(experiment)["search"] | _searched(experiment, tallies)
    return found


def stop_asked(experiment: Experiment) -> dict[str, Any]:
    """The key `stop` of what is asked, where there is a rule: with the most hands, and after how many each is looked.

    `first_looks` are the hands of each setting at its first look.
    """
    if experiment.stop is None:
        return {}
    firsts = [
        sum(experiment.looks(index)[0] * experiment.scenarios[index].block_hands for index in indices)
        for indices in experiment.settings
    ]
    return {"stop": {**_rule(experiment.stop), "most_hands": experiment.hands, "first_looks": firsts}}


def search_asked(experiment: Experiment) -> dict[str, Any]:
    """The key `search` of what is asked, where there is one: the points with their values, and the most hands."""
    if experiment.search is None:
        return {}
    plan, points = experiment.search, [experiment.scenarios[indices[0]] for indices in experiment.points]
    deals = {(one.seats, one.session, one.replicas) for one in points}
    told = {
        "entrant": plan.entrant,
        "factor": plan.factor,
        "points": plan.points,
        "most_hands": experiment.hands,
        "same_deals": len(deals) == 1,
        "values": {one.setting or one.name: dict(one.point) for one in points},
    }
    return {"search": told}


def _stopped(rule: StopRule, watched: Watching, tallies: Sequence[Tally]) -> dict[str, Any]:
    looks = watched.looks(tallies)
    scenarios = list(watched.scenarios.values())
    last = looks[-1] if looks else None
    return {
        "setting": scenarios[0].setting or scenarios[0].name,
        "rule": _rule(rule),
        "verdict": None if last is None else last.verdict,
        "most_blocks": scenarios[0].blocks,
        "most_hands": sum(scenario.hands for scenario in scenarios),
        "valid": None if last is None or last.valid is None else list(last.valid),
        "looks": [_look(one) for one in looks],
    }


def _rule(rule: StopRule) -> dict[str, Any]:
    told: dict[str, Any] = {"kind": rule.kind, "name": rule.name, "other": rule.other}
    if rule.half_width is not None:
        told["half_width"] = rule.half_width
    if rule.kind == "test":
        told |= {"h0": rule.h0, "h1": rule.h1, "alpha": rule.alpha, "beta": rule.beta, "bounds": list(bounds_of(rule))}
    if rule.kind == "anytime":
        told["alpha"] = rule.alpha
    return told


def _look(look: Look) -> dict[str, Any]:
    evidence = look.evidence
    return {
        "blocks": look.blocks,
        "hands": look.hands,
        **in_plain_data(look.difference, "difference"),
        "anytime": None if look.anytime is None else list(look.anytime),
        "evidence": evidence if evidence is not None and isfinite(evidence) else None,
    }


def _searched(experiment: Experiment, tallies: Sequence[Tally]) -> dict[str, Any]:
    halving = Halving(experiment)
    points = list(range(len(halving.points)))
    rounds: list[Round] = []
    for number in range(halving.rounds):
        there = [point for point in points if halving.has_played(point, number, tallies)]
        rounds.append(halving.round(number, there, tallies))
        points = rounds[-1].staying
    names = [experiment.setting_name(indices[0]) for indices in halving.points]
    (winner,) = points
    again = halving.measured_again(winner, tallies)
    return {
        "rounds": [
            {
                "hands": one.hands,
                "points": [
                    {
                        "point": names[standing.point],
                        **in_plain_data(standing.rate, "bb_per_100"),
                        "behind": None if standing.behind is None else in_plain_data(standing.behind, "difference"),
                        "stays": standing.stays,
                    }
                    for standing in one.standings
                ],
            }
            for one in rounds
        ],
        "winner": {
            "point": names[winner],
            "number": winner + 1,
            "number_again": len(halving.points) + winner + 1,
            "values": dict(experiment.scenarios[halving.points[winner][0]].point),
            "in_search": in_plain_data(rounds[-1].standings[0].rate, "bb_per_100"),
            "again": None if again is None else in_plain_data(again, "bb_per_100"),
        },
    }
