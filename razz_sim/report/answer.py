"""What a run says, in a sentence or two: never without its error, and nothing where that cannot be known."""

from __future__ import annotations

from collections.abc import Sequence

from razz_sim.report.numbers import LEAST_BLOCKS, Summary, places_for, plain, with_error
from razz_sim.report.parts import MOST_LISTED


def answer(summary: Summary) -> str:
    """Who wins what, or who leads in how many scenarios."""
    scenarios, several = summary["scenarios"], len(summary["scenarios"]) > 1 or bool(summary.get("failed"))
    told = [scenario for scenario in scenarios if scenario["blocks"] >= LEAST_BLOCKS]
    if not told:
        most = max(scenarios, key=lambda scenario: scenario["blocks"])
        tell = "tells" if most["blocks"] == 1 else "tell"
        return f"{_samples(most)} {tell} nothing about who wins: an interval takes at least {LEAST_BLOCKS}."
    if not several:
        return _one_answer(scenarios[0])
    all_of = " that did not fail" if summary.get("failed") else ""
    found = _many_answers(told, all_of) if len(told) > 1 else f"{plain(told[0]['name'])}: {_one_answer(told[0])}"
    return found + (f" {_others(len(scenarios) - len(told))} to tell." if len(told) < len(scenarios) else "")


def failures(summary: Summary) -> str:
    """How many scenarios failed, and which; empty where none did.

    >>> failures({"failed": [{"scenario": "hero at 3"}]})
    '1 scenario failed: hero at 3.'
    """
    names = [plain(one["scenario"]) for one in summary.get("failed", ())]
    if not names:
        return ""
    which = f": {'; '.join(names)}" if len(names) <= MOST_LISTED else ""
    return f"{len(names):,} scenario{'s' * (len(names) > 1)} failed{which}."


def _others(number: int) -> str:
    return f"{number} more scenarios have too few blocks" if number > 1 else "1 more scenario has too few blocks"


def ranked(scenario: Summary) -> list[Summary]:
    """The entrants, best rate first."""
    return sorted(scenario["entrants"], key=lambda entrant: -entrant["bb_per_100"])


def overlap(first: Summary, second: Summary) -> bool:
    """Whether two intervals have a point in common, or one of them is not known.

    Entrants of one table play for the same chips, so their errors are not independent; intervals that are apart
    separate them all the same, as the error of a difference is at most the sum of the two.
    """
    if first["ci95"] is None or second["ci95"] is None:
        return True
    return bool(first["ci95"][0] <= second["ci95"][1] and second["ci95"][0] <= first["ci95"][1])


def _samples(scenario: Summary) -> str:
    """The independent samples: '1,000 hands', '30 sessions'."""
    return f"{scenario['blocks']:,} {_unit(scenario)}{'s' * (scenario['blocks'] != 1)}"


def _unit(scenario: Summary) -> str:
    return "hand" if scenario["session"] is None else "session"


def _one_answer(scenario: Summary) -> str:
    best, *others = ranked(scenario)
    places, samples = places_for(entrant["ci95"] for entrant in scenario["entrants"]), _samples(scenario)
    opening = plain(f"{best['name']} {_does(best, places)}")
    if not others:
        return f"{opening} (95 % interval over {samples})."
    second = others[0]
    if overlap(best, second):
        rate = with_error(second["bb_per_100"], second["ci95"], places, sign="+")
        return (
            f"{opening}. {plain(second['name'])} comes next with {rate}: the 95 % intervals overlap, "
            f"so {samples} do not settle which is better."
        )
    return f"{opening}, clear of {plain(second['name'])}, who {_does(second, places)} (95 % intervals over {samples})."


def _does(entrant: Summary, places: int) -> str:
    """'wins 12.3 ± 0.8 big bets per 100 hands'."""
    rate, interval = entrant["bb_per_100"], entrant["ci95"]
    where = f" in each of its {entrant['seats']} seats" if entrant["seats"] > 1 else ""
    if interval is not None and interval[0] <= 0 <= interval[1]:
        even = with_error(rate, interval, places, sign="+")
        return f"breaks even within the error, {even} big bets per 100 hands{where}"
    size = with_error(abs(rate), interval, places)
    return f"{'wins' if rate > 0 else 'loses'} {size} big bets per 100 hands{where}"


def _many_answers(scenarios: Sequence[Summary], all_of: str = "") -> str:
    """Who leads how often, how often by more than the error, and with what rates.

    `all_of` says which scenarios these are, after "all 3 scenarios".
    """
    leads: dict[str, list[Summary]] = {}
    clear: dict[str, int] = {}
    for scenario in scenarios:
        best, *others = ranked(scenario)
        leads.setdefault(best["name"], []).append(scenario)
        clear[best["name"]] = clear.get(best["name"], 0) + (not others or not overlap(best, others[0]))
    parts = [
        f"{plain(name)} has the best rate in {_of_all(len(led), len(scenarios), all_of)}, "
        f"{_how_clear(len(led), clear[name])}, with {_from_to(led)}"
        for name, led in sorted(leads.items(), key=lambda item: -len(item[1]))
    ]
    return "; ".join(parts) + ". (± are 95 % intervals; clear: these are apart.)"


def _from_to(led: Sequence[Summary]) -> str:
    """The leader's lowest and highest rate and where these are: '+1.2 ± 0.3 (ante 0) to +2.5 ± 0.4 (ante 1) ...'."""
    places = places_for(ranked(scenario)[0]["ci95"] for scenario in led)
    by_rate = sorted(led, key=lambda scenario: ranked(scenario)[0]["bb_per_100"])
    told = dict.fromkeys(_rate_there(scenario, places) for scenario in (by_rate[0], by_rate[-1]))
    return " to ".join(told) + " big bets per 100 hands"


def _rate_there(scenario: Summary, places: int) -> str:
    best = ranked(scenario)[0]
    return f"{with_error(best['bb_per_100'], best['ci95'], places, sign='+')} ({plain(scenario['name'])})"


def _of_all(count: int, scenarios: int, all_of: str) -> str:
    return f"{'all' if count == scenarios else f'{count} of'} {scenarios} scenarios{all_of}"


def _how_clear(leads: int, clear: int) -> str:
    if leads == 1:
        return "clear of the next" if clear else "not clear of the next"
    return f"in {'all' if clear == leads else clear or 'none'} of them clear of the next"
