"""Tournaments in plain data, for `summary.json`, `--json` and the reports. `results/README.md` explains each field."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from typing import Any

from razz_sim.experiment import Scenario, plan_of
from razz_sim.rules import Stakes
from razz_sim.statistics.comparisons import FieldResult
from razz_sim.statistics.estimates import Estimate, in_plain_data, share_in_plain_data
from razz_sim.statistics.tournaments import (
    Apart,
    CourseResult,
    EntrantInTournaments,
    LevelResult,
    StackResult,
    TournamentResult,
)
from razz_sim.structures import WHOLE, Again, Payouts, Tournament

_HUNDRED = Decimal(100)


def tournament_asked(scenario: Scenario) -> dict[str, Any]:
    """What is known of a scenario's tournaments before any is played; money in exact decimals, times in minutes."""
    plan = plan_of(scenario)
    collected = plan.field * plan.prize
    fixed = plan.reentry is None and plan.rebuy is None and plan.addon is None
    prizes = plan.payouts.prizes(plan.field, plan.field, collected, plan.prize) if fixed else None
    return {
        "kind": plan.kind,
        "structure": plan.structure,
        "field": plan.field,
        "tables": plan.tables,
        "expected_hands": plan.expected_hands,
        "starting_stack": plan.stack,
        "buy_in": {"prize": plan.prize * plan.unit, "fee": plan.fee * plan.unit},
        "payouts": _payouts(plan.payouts, plan.unit),
        "prizes": None if prizes is None else [prize * plan.unit for prize in prizes],
        "by_clock": plan.by_clock,
        "seconds_a_hand": {str(players): time / 1000 for players, time in _pace(plan)} if plan.by_clock else None,
        "levels": [
            {"level": number, **_amounts(level.stakes), **_length(plan, level.length)}
            for number, level in enumerate(plan.levels, start=1)
        ],
        "reentry": _again(plan.reentry, plan),
        "rebuys": _again(plan.rebuy, plan),
        "addon": _again(plan.addon, plan),
    }


def _pace(plan: Tournament) -> list[tuple[int, int]]:
    return [(players, plan.pace[players]) for players in range(2, plan.seats + 1)]


def _amounts(stakes: Stakes) -> dict[str, int]:
    return {part: getattr(stakes, part) for part in ("ante", "bring_in", "small_bet", "big_bet")}


def _length(plan: Tournament, length: int) -> dict[str, float]:
    return {"minutes": length / 60_000} if plan.by_clock else {"hands": length}


def _payouts(payouts: Payouts, unit: Decimal) -> dict[str, Any]:
    values: list[Any] = [value * unit for value in payouts.values]
    if payouts.kind == "shares":
        values = [value * _HUNDRED / WHOLE for value in payouts.values]
    elif payouts.kind == "top":
        values = [payouts.values[0] / _HUNDRED]
    elif payouts.kind == "seats":
        values = list(payouts.values)
    return {"kind": payouts.kind, "values": values}


def _again(offer: Again | None, plan: Tournament) -> dict[str, Any] | None:
    if offer is None:
        return None
    money = {"prize": offer.price * plan.unit, "fee": offer.fee * plan.unit}
    return {"level": offer.level, "times": offer.times, "stack": offer.chips, **money}


def tournament_figures(result: TournamentResult) -> dict[str, Any]:
    """What all entrants have in common: how they compare, and how the tournaments went."""
    return {
        "field": [_standing(one) for one in result.field],
        "differences": [_pair(pair) for pair in result.pairs],
        "groups": [list(group) for group in result.groups],
        "course": _course(result.course, plan_of(result.scenario)),
        "stacks": {moment: [_stack(stack) for stack in stacks] for moment, stacks in result.stacks.items()},
    }


def _standing(one: FieldResult) -> dict[str, Any]:
    return {"name": one.name, **in_plain_data(one.result, "roi"), "best": one.best}


def _pair(pair: Apart) -> dict[str, Any]:
    versus = pair.versus
    return {
        "name": versus.name,
        "other": versus.other,
        **in_plain_data(versus.difference, "difference"),
        "p": versus.p,
        "p_holm": versus.p_holm,
        "tournaments_to_tell": pair.tournaments,
        "tournaments_to_tell_ci95": [pair.at_least, pair.at_most],
    }


def entrant_figures(one: EntrantInTournaments, plan: Tournament) -> dict[str, Any]:
    """How an entrant fared. Money in exact decimals; returns in percent of what was paid in."""
    unit = plan.unit
    return {
        "tournaments": one.tournaments,
        "players": one.players,
        "hands": one.hands,
        "paid_in": one.paid_in * unit,
        "fees": one.fees * unit,
        "prizes": one.prizes * unit,
        "net": one.net * unit,
        "net_units": one.net,
        **in_plain_data(one.rates.real, "roi"),
        "net_per_player": in_plain_data(one.rates.chips_per_hand, "mean"),
        "std_dev": one.rates.std_dev,
        "cashed": share_in_plain_data(one.cashed),
        "wins": share_in_plain_data(one.wins),
        "place": in_plain_data(one.place, "mean"),
        "reentries": one.reentries,
        "rebuys": one.rebuys,
        "addons": one.addons,
        "places": [
            {
                "first": at.first,
                "last": at.last,
                **share_in_plain_data(at.share),
                "or_better": share_in_plain_data(at.or_better),
            }
            for at in one.places
        ],
        "out": {str(level): share_in_plain_data(share) for level, share in one.out.items()},
        "stacks": {moment: [_stack(stack) for stack in stacks] for moment, stacks in one.stacks.items()},
        "plays": {name: share_in_plain_data(share) for name, share in one.plays.shares.items()},
        "actions": {
            street: {**asdict(actions), "aggression": share_in_plain_data(actions.aggression)}
            for street, actions in one.plays.actions.items()
        },
    }


def _stack(stack: StackResult) -> dict[str, Any]:
    return {
        "from_average": stack.least,
        "players": stack.players,
        "cashed": share_in_plain_data(stack.cashed),
        "won": share_in_plain_data(stack.won),
        "prize_in_buy_ins": in_plain_data(stack.prize, "mean"),
    }


def _course(course: CourseResult, plan: Tournament) -> dict[str, Any]:
    time = course.time
    minutes = in_plain_data(_scaled(time, 60_000), "mean") if plan.by_clock else None
    return {
        "tournaments": course.tournaments,
        "hands": in_plain_data(course.hands, "mean"),
        "minutes": minutes,
        "entries": in_plain_data(course.entries, "mean"),
        "pool": in_plain_data(course.pool, "mean"),
        "fees": in_plain_data(course.fees, "mean"),
        "prizes": [prize * plan.unit for prize in course.prizes],
        "end_level": in_plain_data(course.end_level, "mean"),
        "levels": [_level(level) for level in course.levels],
    }


def _scaled(estimate: Estimate, part: int) -> Estimate:
    interval = estimate.ci95
    ends = None if interval is None else (interval[0] / part, interval[1] / part)
    return Estimate(estimate.value / part, None if estimate.std_error is None else estimate.std_error / part, ends)


def _level(level: LevelResult) -> dict[str, Any]:
    return {
        "level": level.number,
        "reached": share_in_plain_data(level.reached),
        "hands": level.hands,
        "players_left": _mean(level.left),
        "average_stack_big_bets": _mean(level.average_stack),
        "dealt_in": _mean(level.dealt_in),
        "pot_big_bets": _mean(level.pot),
        "out": share_in_plain_data(level.out),
    }


def _mean(estimate: Estimate | None) -> dict[str, object] | None:
    return None if estimate is None else in_plain_data(estimate, "mean")
