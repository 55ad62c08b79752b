"""The summary of a run: all its figures in plain data, for `summary.json`, `--json` and the reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from itertools import chain
from typing import Any

from razz_sim.batch import Fault
from razz_sim.experiment import Entrant, Experiment, Scenario, Session, plan_of
from razz_sim.places import HandPlace
from razz_sim.rules import Stakes
from razz_sim.statistics.baseline import baseline_name, to_baseline
from razz_sim.statistics.classes import ClassResult
from razz_sim.statistics.comparisons import Comparison, Versus, comparable, compare
from razz_sim.statistics.decisions import decisions, search_asked, stop_asked
from razz_sim.statistics.equilibrium import equilibrium
from razz_sim.statistics.estimates import Estimate, Interval, in_plain_data, share_in_plain_data
from razz_sim.statistics.plays import Actions
from razz_sim.statistics.pots import PotResult, Rate
from razz_sim.statistics.results import EntrantResult, ScenarioResult, scenario_result
from razz_sim.statistics.tournament_summaries import entrant_figures, tournament_asked, tournament_figures
from razz_sim.statistics.tournaments import EntrantInTournaments, TournamentResult, tournament_result
from razz_sim.tally import RESULTS_VERSION, Tally, digest


def summary(
    experiment: Experiment,
    tallies: Sequence[Tally],
    first_errors: Mapping[tuple[int, int], Fault] | None = None,
    *,
    runner: str,
    workers: int,
    seconds: float,
    starting_ray: float = 0.0,
    replayed: int = 0,
    failed: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """All figures of a run in plain data, as `summary.json` keeps and `--json` prints them.

    Amounts of money are Decimals, exact; `results/README.md` explains each field. `store.json_text` writes it.
    `first_errors` are the entrants' by the places of scenario and entrant. `starting_ray` is the part of the seconds
    that Ray took to start. `failed` are settings that the run went on without, as `RunFolder.failed` has them. A run of
    some blocks may have none of a scenario: that is named in `not_played` only. Of a search's points the winner has
    scenarios, in the rounds and on fresh deals.
    """
    errors = first_errors or {}
    out = {index for failure in failed for index in failure["scenarios"]}
    decided = decisions(experiment, tallies, out)
    results = {
        index: _result(experiment.scenarios[index], tallies[index])
        for index in _told(experiment, decided)
        if tallies[index].table_total("blocks")
    }
    hands = sum(tally.hands for tally in tallies)
    return {
        "name": experiment.name,
        "seed": experiment.seed,
        "hands": hands,
        "seconds": round(seconds, 3),
        "seconds_starting_ray": round(starting_ray, 3),
        "hands_per_second": round(hands / seconds, 1) if seconds > 0 else None,
        "runner": runner,
        "workers": workers,
        "replayed": replayed,
        "results_version": RESULTS_VERSION,
        "digest": digest(tallies),
        **stop_asked(experiment),
        "scenarios": [
            _one_summary(
                result, {entrant: fault for (place, entrant), fault in errors.items() if place == index}, experiment
            )
            for index, result in results.items()
        ],
        **_comparisons(experiment, tallies, _of_matches(results)),
        **decided,
        **_baseline(experiment, tallies),
        **({"failed": [_failure(one, experiment) for one in failed]} if failed else {}),
        "not_played": [
            one.name
            for index, one in enumerate(experiment.scenarios)
            if not tallies[index].hands and index not in out and not one.fresh
        ],
    }


def _result(scenario: Scenario, tally: Tally) -> ScenarioResult | TournamentResult:
    return scenario_result(scenario, tally) if scenario.tournament is None else tournament_result(scenario, tally)


def _told(experiment: Experiment, decided: Mapping[str, Any]) -> Iterator[int]:
    """The scenarios that are told of in full: all, of a search those of the winner."""
    settings = experiment.settings
    if "search" in decided:
        winner = decided["search"]["winner"]
        settings = settings[winner["number"] - 1], settings[winner["number_again"] - 1]
    return chain.from_iterable(settings)


def _failure(failure: Mapping[str, Any], experiment: Experiment) -> dict[str, Any]:
    """A setting that the run went on without."""
    name = experiment.setting_name(failure["scenarios"][0])
    return {"scenario": name, "error": failure["error"], "where": failure["where"]}


def _comparisons(
    experiment: Experiment, tallies: Sequence[Tally], results: Mapping[int, ScenarioResult]
) -> dict[str, Any]:
    """The matches of each setting side by side, where there are such and all were played alike."""
    found = []
    for indices in experiment.settings:
        scenarios = [experiment.scenarios[index] for index in indices]
        if not results.keys() >= {*indices}:
            continue
        if scenarios[0].match and comparable(scenarios, played := [tallies[index] for index in indices]):
            duplicate = [results[index] for index in indices if experiment.scenarios[index].replicas > 1]
            gains = [one.duplicate_gain for result in duplicate for one in result.entrants]
            known = [gain for gain in gains if gain is not None]
            of_duplicates = [min(known), max(known)] if known else None
            found.append(_comparison_summary(compare(scenarios, played)) | {"duplicate_gain": of_duplicates})
    return {"comparisons": found} if any(one.match for one in experiment.scenarios) else {}


def _baseline(experiment: Experiment, tallies: Sequence[Tally]) -> dict[str, Any]:
    """What each entrant wins more at each point of a sweep than at its baseline, where there is one."""
    name = baseline_name(experiment)
    if name is None:
        return {}
    differences = [
        {
            "scenario": row.setting,
            "baseline": row.baseline,
            "entrant": row.entrant,
            **in_plain_data(row.change.difference, "difference"),
            "p": row.change.p,
            "p_holm": row.p_holm,
            "paired": row.change.paired,
            "blocks": row.change.blocks,
        }
        for row in to_baseline(experiment, tallies)
    ]
    return {"baseline": {"name": name, "differences": differences}}


def _comparison_summary(comparison: Comparison) -> dict[str, Any]:
    return {
        "setting": comparison.setting,
        "matches": comparison.matches,
        **({"tables": comparison.tables} if comparison.meetings else {}),
        "hands": comparison.hands,
        "field": [
            {
                "name": one.name,
                "matches": one.matches,
                "hands": one.hands,
                **in_plain_data(one.result, "bb_per_100"),
                "best": one.best,
                **({"weight": one.weight, "tables": one.tables, "seats": one.seats} if comparison.meetings else {}),
            }
            for one in comparison.field
        ],
        "against": [_versus_summary(pair) for pair in comparison.against],
        "differences": [_versus_summary(pair) for pair in comparison.differences],
        "groups": [list(group) for group in comparison.groups],
        "mixture": [{"name": one.name, "share": one.share, "ci95": _ends(one.ci95)} for one in equilibrium(comparison)],
        **({"meetings": [asdict(pair) for pair in comparison.meetings]} if comparison.meetings else {}),
    }


def _versus_summary(pair: Versus) -> dict[str, Any]:
    return {
        "name": pair.name,
        "other": pair.other,
        "hands": pair.hands,
        **in_plain_data(pair.difference, "difference"),
        "p": pair.p,
        "p_holm": pair.p_holm,
    }


def asked(experiment: Experiment) -> dict[str, Any]:
    """The part of a summary that is known before anything is played, with the blocks and hands that are asked for."""
    return {
        "name": experiment.name,
        "seed": experiment.seed,
        "hands": experiment.hands,
        **({"baseline": {"name": name}} if (name := baseline_name(experiment)) is not None else {}),
        **stop_asked(experiment),
        **search_asked(experiment),
        "scenarios": [
            _scenario_asked(one, one.blocks, one.hands) | {"entrants": [_who(entrant) for entrant in one.lineup]}
            for one in experiment.scenarios
        ],
    }


def tournament_found(scenario: Scenario, tally: Tally) -> dict[str, Any]:
    """What some tournaments of a scenario were like, without what each entrant did."""
    result = tournament_result(scenario, tally)
    return {**_scenario_asked(scenario, result.tournaments, result.hands), **tournament_figures(result)}


def _of_matches(results: Mapping[int, ScenarioResult | TournamentResult]) -> dict[int, ScenarioResult]:
    return {index: result for index, result in results.items() if isinstance(result, ScenarioResult)}


def _one_summary(
    result: ScenarioResult | TournamentResult, first_errors: Mapping[int, Fault], experiment: Experiment
) -> dict[str, Any]:
    if isinstance(result, ScenarioResult):
        return _scenario_summary(result, first_errors, experiment)
    scenario = result.scenario
    return {
        **_scenario_asked(scenario, result.tournaments, result.hands),
        "entrants": [
            _who(figures.entrant)
            | entrant_figures(figures, plan_of(scenario))
            | {"errors": _errors_summary(figures, first_errors.get(index), experiment)}
            for index, figures in enumerate(result.entrants)
        ],
        **tournament_figures(result),
    }


def _scenario_summary(
    result: ScenarioResult, first_errors: Mapping[int, Fault], experiment: Experiment
) -> dict[str, Any]:
    scenario = result.scenario
    return {
        **_scenario_asked(scenario, result.blocks, result.hands),
        "entrants": [
            _who(entrant)
            | _entrant_summary(figures, scenario.stakes)
            | ({"duplicate_gain": figures.duplicate_gain} if scenario.replicas > 1 else {})
            | {"errors": _errors_summary(figures, first_errors.get(index), experiment)}
            for index, (entrant, figures) in enumerate(zip(scenario.lineup, result.entrants, strict=True))
        ],
        "pots": _pots_summary(result.pots, scenario.stakes),
    }


def _scenario_asked(scenario: Scenario, blocks: int, hands: int) -> dict[str, Any]:
    return {
        "name": scenario.name,
        "point": dict(scenario.point),
        "blocks": blocks,
        "hands": hands,
        "rules": scenario.rules.describe(),
        "betting": scenario.rules.betting,
        "stakes": _stakes_summary(scenario.stakes),
        "seats": scenario.seats,
        **({"setting": scenario.setting, "match": scenario.match} if scenario.match else {}),
        **({"times": scenario.times} if scenario.of_population else {}),
        **({"fresh": True} if scenario.fresh else {}),
        "arrangements": scenario.replicas,
        "session": _session_summary(scenario.session),
        "stack_big_bets": float(Fraction(scenario.stack, scenario.stakes.big_bet)),
        **({} if scenario.tournament is None else {"tournament": tournament_asked(scenario)}),
    }


def _who(entrant: Entrant) -> dict[str, Any]:
    return {
        "name": entrant.name,
        "strategy": entrant.strategy.spec,
        "params": dict(entrant.params),
        "seats": entrant.seats,
        **({} if entrant.weight is None else {"weight": entrant.weight}),
    }


def _session_summary(session: Session) -> dict[str, Any] | None:
    if session.hands == 1:
        return None
    return {"hands": session.hands, "stacks": "carry" if session.carry else "reset", "top_up": session.top_up}


def _stakes_summary(stakes: Stakes) -> dict[str, Any]:
    amounts = ("ante", "bring_in", "small_bet", "big_bet", "chip")
    rake = stakes.rake
    return {
        "name": stakes.name,
        "unit": stakes.unit,
        **{part: getattr(stakes, part) * stakes.unit for part in amounts},
        "rake": rake
        and {
            "percent": rake.percent,
            "cap": None if rake.cap is None else rake.cap * stakes.unit,
            "cap_by_players": {str(players): cap * stakes.unit for players, cap in rake.cap_by_players},
            "third_street": rake.third_street,
        },
    }


def _entrant_summary(entrant: EntrantResult, stakes: Stakes) -> dict[str, Any]:
    adjusted, plays = entrant.adjusted, entrant.plays
    classes = {"by_door": entrant.by_door, "by_position": entrant.by_position, "by_end": entrant.by_end}
    return {
        "hands": entrant.hands,
        "net": entrant.net * stakes.unit,
        "net_units": entrant.net,
        "bb_per_100": entrant.bb_per_100,
        "std_error": entrant.std_error,
        "ci95": _ends(entrant.ci95),
        "chips_per_hand": in_plain_data(entrant.chips_per_hand, "mean"),
        "std_dev": entrant.std_dev,
        "std_dev_per_hand": entrant.std_dev_per_hand,
        "all_in_adjusted": {
            "net": float(stakes.unit) * adjusted.net,
            "bb_per_100": adjusted.bb_per_100,
            "std_error": adjusted.std_error,
            "ci95": _ends(adjusted.ci95),
            "hands": adjusted.hands,
            "gain": adjusted.gain,
        },
        "plays": {name: share_in_plain_data(share) for name, share in plays.shares.items()},
        "actions": {street: _actions_summary(actions) for street, actions in plays.actions.items()},
        "pot_won": _mean_of(plays.pot_won.count, plays.pot_won.big_bets),
        "pot_lost": _mean_of(plays.pot_lost.count, plays.pot_lost.big_bets),
        "lows": {
            low: share_in_plain_data(made.shown) | {"won": share_in_plain_data(made.won)}
            for low, made in plays.lows.items()
        },
        **{
            name: {label: _class_summary(result, stakes) for label, result in results.items()}
            for name, results in classes.items()
        },
    }


def _actions_summary(actions: Actions) -> dict[str, Any]:
    counts = {name: getattr(actions, name) for name in ("raises", "calls", "checks", "folds")}
    return counts | {"aggression": share_in_plain_data(actions.aggression)}


def _class_summary(result: ClassResult, stakes: Stakes) -> dict[str, Any]:
    return {
        "hands": result.hands,
        "net": result.net * stakes.unit,
        "net_units": result.net,
        "bb_per_100": result.bb_per_100,
        "std_error": result.std_error,
        "ci95": _ends(result.ci95),
    }


def _by_percent(quantiles: Mapping[int, float]) -> dict[str, float]:
    return {str(percent): pot for percent, pot in quantiles.items()}


def _mean_of(count: int, estimate: Estimate | None) -> dict[str, Any]:
    """So many, and their mean; that is null where there are none."""
    if estimate is None:
        return {"count": count, "mean": None, "std_error": None, "ci95": None}
    return {"count": count, **in_plain_data(estimate, "mean")}


def _errors_summary(
    entrant: EntrantResult | EntrantInTournaments, first: Fault | None, experiment: Experiment
) -> dict[str, Any]:
    """How often its strategy failed, and the first time: `where` is what `razz-sim hand RUN WHERE` shows it by.

    `view` is what the seat was shown, in words; `seat` counts from 1, as in words.
    """
    told = None
    if first is not None:
        place = HandPlace.of_number(first.number, experiment.scenario_index(first.scenario), experiment)
        told = {
            "where": str(place),
            "street": first.street,
            "seat": None if first.seat is None else first.seat + 1,
            "error": first.reason,
            "view": first.seen or None,
        }
    return {"count": entrant.errors, "forfeits": entrant.forfeits, "first": told}


def _pots_summary(pots: PotResult, stakes: Stakes) -> dict[str, Any]:
    shares = ("walks", "side_pots", "split_pots", "all_ins", "community_cards")
    return {
        "hands": pots.hands,
        "total": pots.total * stakes.unit,
        "total_units": pots.total,
        **in_plain_data(pots.mean, "mean"),
        "std_dev": pots.std_dev,
        "big_bets": {**in_plain_data(pots.mean_big_bets, "mean"), "std_dev": pots.std_dev_big_bets},
        "rake": {
            "total": pots.rake * stakes.unit,
            "total_units": pots.rake,
            "big_bets_per_100": in_plain_data(pots.rake_per_100, "mean"),
            "of_pots": pots.rake_of_pots and in_plain_data(pots.rake_of_pots, "mean"),
        },
        "showdowns": share_in_plain_data(pots.showdowns),
        "ends": {name: share_in_plain_data(share) for name, share in pots.ends.items()},
        "saw": {name: share_in_plain_data(share) for name, share in pots.saw.items()},
        **{name: share_in_plain_data(getattr(pots, name)) for name in shares},
        **{name: _rate_summary(getattr(pots, name)) for name in ("capped_rounds", "free_folds", "decisions")},
        "quantiles": _by_percent(pots.quantiles),
        "histogram": [{"from": start, "to": stop, "count": count} for start, stop, count in pots.histogram],
        "by_end": {
            end: _mean_of(found.count, found.big_bets)
            | {"std_dev": found.std_dev, "quantiles": _by_percent(found.quantiles)}
            for end, found in pots.by_end.items()
        },
        "players": {
            where: {
                "mean": None if found.mean is None else in_plain_data(found.mean, "mean"),
                "counts": {str(players): count for players, count in found.counts.items()},
            }
            for where, found in pots.players.items()
        },
        "winning_lows": {low: share_in_plain_data(share) for low, share in pots.winning_lows.items()},
    }


def _rate_summary(rate: Rate) -> dict[str, Any]:
    return {"count": rate.count, **in_plain_data(rate.per_100, "per_100")}


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)
