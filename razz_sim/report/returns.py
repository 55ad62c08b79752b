"""What tournaments say in a sentence or two: who returns most, and whether that one is told apart from the others."""

from __future__ import annotations

from collections.abc import Sequence

from razz_sim.report.numbers import LEAST_BLOCKS, Summary, plain, with_error
from razz_sim.report.parts import listed

PLACES = 1
"""Decimals of returns, in percent."""
MOST_NAMED = 3
"""Of more entrants that are not told apart from the best only the number is told."""


def answer_of_tournaments(summary: Summary) -> str:
    """Who returns most, or who does in how many scenarios."""
    scenarios, several = summary["scenarios"], len(summary["scenarios"]) > 1 or bool(summary.get("failed"))
    told = [scenario for scenario in scenarios if scenario["blocks"] >= LEAST_BLOCKS]
    if not told:
        most = max(one["blocks"] for one in scenarios)
        tell = "tournament tells" if most == 1 else "tournaments tell"
        return f"{most} {tell} nothing about who returns most: an interval takes at least {LEAST_BLOCKS}."
    if not several:
        return f"{_one_answer(scenarios[0])}."
    found = _many_answers(told) if len(told) > 1 else f"{plain(told[0]['name'])}: {_one_answer(told[0])}."
    few = len(scenarios) - len(told)
    have = "1 more scenario has" if few == 1 else f"{few} more scenarios have"
    return found + (f" {have} too few tournaments to tell." if few else "")


def _one_answer(scenario: Summary) -> str:
    best, *others = scenario["field"]
    over = f"over {scenario['blocks']:,} tournaments"
    opening = f"{plain(best['name'])} {_does(_entrant(scenario, best['name']))}"
    if not others:
        return f"{opening}, {over}"
    if tied := tied_with_best(scenario):
        names = listed(tied) if len(tied) <= MOST_NAMED else f"{len(tied):,} others"
        return f"{opening}, but cannot be told apart from {names} {over}"
    pair = next(one for one in scenario["differences"] if one["name"] == best["name"])
    ahead = with_error(pair["difference"], pair["ci95"], PLACES)
    return f"{opening}, {ahead} more than {plain(pair['other'])}, the next: clear of all others {over}"


def _entrant(scenario: Summary, name: str) -> Summary:
    """An entrant by its name: one figure has one interval, wherever it stands."""
    found: Summary = next(one for one in scenario["entrants"] if one["name"] == name)
    return found


def tied_with_best(scenario: Summary) -> list[str]:
    """The entrants that are not told apart from the first."""
    best = scenario["field"][0]["name"]
    return list(next(group for group in scenario["groups"] if best in group)[1:])


def _does(best: Summary) -> str:
    """'returns most, +12.3 ± 0.8 % of what it pays in', or 'loses least'."""
    rate = with_error(best["roi"], best["ci95"], PLACES, sign="+")
    return f"{'returns most' if best['roi'] >= 0 else 'loses least'}, {rate} % of what it pays in"


def _many_answers(scenarios: Sequence[Summary]) -> str:
    """Who returns most how often, how often clear of all others, and from what to what."""
    leads: dict[str, list[Summary]] = {}
    for scenario in scenarios:
        leads.setdefault(scenario["field"][0]["name"], []).append(scenario)
    parts = []
    for name, led in sorted(leads.items(), key=lambda item: -len(item[1])):
        count = f"{'all' if len(led) == len(scenarios) else f'{len(led)} of'} {len(scenarios)} scenarios"
        parts.append(f"{plain(name)} returns most in {count}, {_how_clear(led)}, {_from_to(led)}")
    return "; ".join(parts) + ". (± are 95 % intervals.)"


def _how_clear(led: Sequence[Summary]) -> str:
    clear = sum(not tied_with_best(one) for one in led)
    if len(led) == 1:
        return "clear of all others" if clear else "not clear of all others"
    return f"in {'all' if clear == len(led) else clear or 'none'} of them clear of all others"


def _from_to(led: Sequence[Summary]) -> str:
    """The leader's lowest and highest return and where these are."""
    by_return = sorted(led, key=lambda one: float(one["field"][0]["roi"]))
    told = dict.fromkeys(_return_there(one) for one in (by_return[0], by_return[-1]))
    return " to ".join(told)


def _return_there(scenario: Summary) -> str:
    best = _entrant(scenario, scenario["field"][0]["name"])
    return f"{with_error(best['roi'], best['ci95'], PLACES, sign='+')} % ({plain(scenario['name'])})"
