"""An experiment spelled out in plain data, as a run folder keeps it, and back.

`resolved` holds every value that a result depends on; strategies stand there by spec and hash.
`for_manifest` adds their sources, so that `experiment_from_manifest` needs no file but the manifest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from decimal import Decimal
from fractions import Fraction
from typing import Any

from razz_sim.config.deciding import STOP_USES
from razz_sim.config.load import load_tree
from razz_sim.config.problem import ConfigError, Problem
from razz_sim.config.tree import from_python
from razz_sim.config.yaml_lines import Parsed
from razz_sim.experiment import Entrant, Experiment, Scenario, Session
from razz_sim.matches import TOURNAMENT_FORMATS
from razz_sim.rules import OPTION_VALUES, Rake, Stakes
from razz_sim.stages import SearchPlan, StopRule
from razz_sim.strategy import StrategyError, StrategySource
from razz_sim.strategy.source import read_strategy
from razz_sim.structures import WHOLE, Again, Level, Tournament

EXPERIMENT = "experiment"
STRATEGIES = "strategies"
_FORMAT_OF = {kind: form for form, kind in TOURNAMENT_FORMATS.items()}
SOURCE_KEYS = ("function", "filename", "sha256", "text")
"""What a manifest keeps of a strategy: everything else about it is in its text."""


def resolved(experiment: Experiment) -> dict[str, Any]:
    """An experiment with everything spelled out, scenario by scenario, in types that JSON and YAML know.

    Amounts are decimals in text, which is how they stay exact. `experiment_from_dict` reads it back to an
    equal experiment where the strategies have the same sources, and names one that has not.
    """
    runner: dict[str, Any] = {"kind": experiment.runner.kind}
    if experiment.runner.workers is not None:
        runner["workers"] = experiment.runner.workers
    return {
        "name": experiment.name,
        "seed": experiment.seed,
        "scenarios": [_scenario(scenario) for scenario in experiment.scenarios],
        "runner": runner,
        "limits": asdict(experiment.limits),
        **({} if experiment.stop is None else {"stop": _stop(experiment.stop)}),
        **({} if experiment.search is None else {"search": _search(experiment.search)}),
    }


def for_manifest(experiment: Experiment) -> dict[str, Any]:
    """The keys of a manifest from which `experiment_from_manifest` rebuilds the experiment: two of them."""
    sources = {
        entrant.strategy.spec: entrant.strategy for scenario in experiment.scenarios for entrant in scenario.lineup
    }
    return {
        EXPERIMENT: resolved(experiment),
        STRATEGIES: {spec: {key: getattr(source, key) for key in SOURCE_KEYS} for spec, source in sources.items()},
    }


def experiment_from_manifest(manifest: Mapping[str, Any]) -> Experiment:
    """The experiment of a manifest, with the strategy sources it holds; no other file is read.

    Keys that are not `for_manifest`'s are left alone. Raises ConfigError for a manifest that is damaged.
    """
    for key in (EXPERIMENT, STRATEGIES):
        if not isinstance(manifest.get(key), Mapping):
            raise ConfigError([Problem("manifest", None, key, "is missing: this is no manifest of a run")])
    records: Mapping[str, Any] = manifest[STRATEGIES]

    def find(spec: str) -> StrategySource:
        if spec not in records:
            raise StrategyError(f"the manifest holds no source of {spec}")
        return _source(spec, records[spec])

    tree = from_python(manifest[EXPERIMENT], "manifest")
    return load_tree(Parsed(tree), find, amounts_as_text=True).experiment


def _source(spec: str, record: Any) -> StrategySource:
    if not isinstance(record, Mapping) or not all(isinstance(record.get(key), str) for key in SOURCE_KEYS):
        raise StrategyError(f"the manifest's record of {spec} is damaged: it lacks one of {', '.join(SOURCE_KEYS)}")
    source = read_strategy(spec, record["function"], record["text"], record["filename"])
    if source.sha256 != record["sha256"]:
        raise StrategyError(f"the manifest's record of {spec} is damaged: its text has another sha256")
    return source


def _stop(rule: StopRule) -> dict[str, Any]:
    uses = {key: getattr(rule, key) for key in STOP_USES[rule.kind]}
    return {rule.kind: [rule.name, rule.other]} | {key: repr(value) for key, value in uses.items() if value is not None}


def _search(plan: SearchPlan) -> dict[str, Any]:
    return {"best": plan.entrant, "factor": plan.factor}


def _scenario(scenario: Scenario) -> dict[str, Any]:
    return {
        "name": scenario.name,
        "point": dict(scenario.point),
        **({} if scenario.tournament is None else {"format": _FORMAT_OF[scenario.tournament.kind]}),
        "hands": scenario.hands,
        "rules": {option: getattr(scenario.rules, option) for option in OPTION_VALUES},
        **(_at_table(scenario) if scenario.tournament is None else _tournament(scenario.tournament, scenario.blocks)),
        **({"setting": scenario.setting, "match": scenario.match} if scenario.match else {}),
        **({"times": scenario.times} if scenario.times > 1 else {}),
        **({"fresh": True} if scenario.fresh else {}),
        **({"baseline": scenario.baseline} if scenario.baseline else {}),
        "lineup": [_entrant(entrant) for entrant in scenario.lineup],
        "on_error": scenario.on_error,
    }


def _at_table(scenario: Scenario) -> dict[str, Any]:
    """What is played hand by hand."""
    return {
        "stakes": _stakes(scenario.stakes),
        "stack": _big_bets(scenario),
        "session": _session(scenario.session),
        **({"duplicate": True} if scenario.duplicate else {}),
    }


def _tournament(plan: Tournament, count: int) -> dict[str, Any]:
    """So many tournaments: chips are whole numbers, money is in decimals."""
    offers = {"reentry": plan.reentry, "rebuys": plan.rebuy, "addon": plan.addon}
    return {
        "tournaments": count,
        "field": plan.field,
        "table": {"seats": plan.seats},
        "starting_stack": plan.stack,
        **({"structure": plan.structure} if plan.structure else {}),
        "levels": [_level(level, "milliseconds" if plan.by_clock else "hands") for level in plan.levels],
        **({"pace": {"milliseconds": list(plan.pace)}} if plan.by_clock else {}),
        "payouts": _payouts(plan),
        "buy_in": {"prize": _money(plan.prize, plan), "fee": _money(plan.fee, plan)},
        **{key: _offer(key, offer, plan) for key, offer in offers.items() if offer is not None},
        "unit": f"{plan.unit:f}",
    }


def _level(level: Level, unit: str) -> dict[str, Any]:
    stakes = level.stakes
    if stakes.unit != 1:
        raise ValueError(f"a level is in whole chips, not in units of {stakes.unit}")
    return {
        "name": stakes.name,
        **{part: getattr(stakes, part) for part in ("ante", "bring_in", "small_bet", "big_bet", "chip")},
        unit: level.length,
    }


def _payouts(plan: Tournament) -> str | list[str] | dict[str, Any]:
    kind, values = plan.payouts.kind, plan.payouts.values
    if kind == "top":
        return f"top{_plain(Decimal(values[0]) / 100)}"
    if kind == "shares":
        return [_plain(Decimal(share) * 100 / WHOLE) for share in values]
    if kind == "amounts":
        return {"prizes": [_money(prize, plan) for prize in values]}
    return {kind: values[0] if kind == "seats" else _money(values[0], plan)}


def _offer(key: str, offer: Again, plan: Tournament) -> dict[str, Any]:
    until = {"after_level": offer.level} if key == "addon" else {"until_level": offer.level, "times": offer.times}
    return {**until, "stack": offer.chips, "prize": _money(offer.price, plan), "fee": _money(offer.fee, plan)}


def _money(amount: int, plan: Tournament) -> str:
    return f"{amount * plan.unit:f}"


def _plain(number: Decimal) -> str:
    """A number without zeros that say nothing."""
    return f"{number.normalize():f}"


def _session(session: Session) -> dict[str, Any]:
    stacks = "carry" if session.carry else "reset"
    return {"hands": session.hands, "stacks": stacks, "top_up": session.top_up}


def _stakes(stakes: Stakes) -> dict[str, Any]:
    amounts = ("ante", "bring_in", "small_bet", "big_bet", "chip")
    spelled: dict[str, Any] = {"name": stakes.name}
    spelled |= {part: stakes.money(getattr(stakes, part)) for part in amounts}
    if stakes.rake is not None:
        spelled["rake"] = _rake(stakes.rake, stakes)
    return spelled


def _rake(rake: Rake, stakes: Stakes) -> dict[str, Any]:
    spelled: dict[str, Any] = {"percent": f"{rake.percent:f}"}
    if rake.cap is not None:
        spelled["cap"] = stakes.money(rake.cap)
    if rake.cap_by_players:
        spelled["cap_by_players"] = {str(count): stakes.money(cap) for count, cap in rake.cap_by_players}
    return {**spelled, "third_street": rake.third_street}


def _big_bets(scenario: Scenario) -> str:
    """The stack in big bets: exact, or an error."""
    exact = Fraction(scenario.stack, scenario.stakes.big_bet)
    spelled = Decimal(exact.numerator) / Decimal(exact.denominator)
    if Fraction(spelled) != exact:
        raise ValueError(f"a stack of {scenario.stack} in scenario {scenario.name} is no decimal number of big bets")
    return f"{spelled:f}"


def _entrant(entrant: Entrant) -> dict[str, Any]:
    return {
        "name": entrant.name,
        "strategy": entrant.strategy.spec,
        "sha256": entrant.strategy.sha256,
        "params": dict(entrant.params),
        "seats": entrant.seats,
        **({} if entrant.weight is None else {"weight": f"{entrant.weight.normalize():f}"}),
    }
