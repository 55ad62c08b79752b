"""Sweeps, named stakes, sessions and table sizes: what good files come to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from razz_sim.config import ConfigError, Loaded, build, experiment_from_dict, load_experiment, sweep
from razz_sim.config.real_stakes import REAL_STAKES
from razz_sim.experiment import Scenario, Session
from razz_sim.rules import Rake

STAKES = {"name": "2/4", "ante": "0.20", "bring_in": 1, "small_bet": 2, "big_bet": 4}
BIGGER = {"ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
LINEUP = [{"name": "hero", "strategy": "tight"}, {"name": "fish", "strategy": "caller"}]
BASE: dict[str, Any] = {"name": "q", "hands": 100, "stakes": STAKES, "lineup": LINEUP}


def load(**keys: Any) -> Loaded:
    return experiment_from_dict({**BASE, **keys}, Path())


def scenarios(**keys: Any) -> tuple[Scenario, ...]:
    return load(**keys).experiment.scenarios


def names(**keys: Any) -> list[str]:
    return [scenario.name for scenario in scenarios(**keys)]


def antes(found: tuple[Scenario, ...]) -> list[str]:
    return [scenario.stakes.money(scenario.stakes.ante) for scenario in found]


# Sweeps


def test_paths_are_crossed_the_last_fastest() -> None:
    found = scenarios(sweep={"stakes.ante": ["0.10", "0.40"], "lineup[0].params.limit": [7, 8, 9]})
    assert [(antes((one,))[0], dict(one.lineup[0].params)["limit"]) for one in found] == [
        (ante, limit) for ante in ("0.10", "0.40") for limit in (7, 8, 9)
    ]
    assert found[1].name == "ante 0.10, hero limit 8"
    assert found[1].point == (("stakes.ante", "0.10"), ("lineup[0].params.limit", "8"))


def test_a_path_without_a_position_sets_every_item_and_scenarios_of_one_structure_stand_together() -> None:
    found = scenarios(stakes=[STAKES, BIGGER], sweep={"stakes.ante": ["0.50", 1]})
    assert [one.name for one in found] == ["2/4, ante 0.50", "2/4, ante 1", "5/10, ante 0.50", "5/10, ante 1"]
    assert antes(found) == ["0.50", "1", "0.50", "1"]


def test_a_path_to_one_of_several_stakes_makes_no_more_scenarios_of_the_others() -> None:
    found = scenarios(stakes=[STAKES, BIGGER], sweep={"stakes[1].ante": [0, 1, 2], "stack": [10, 20]})
    assert [one.name for one in found] == [
        "2/4, stack 10",
        "2/4, stack 20",
        *(f"5/10, ante {ante}, stack {stack}" for ante in (0, 1, 2) for stack in (10, 20)),
    ]
    assert found[0].point == (("stack", "10"),)


@pytest.mark.parametrize(
    ("sweep", "expected"),
    [
        ({"rules": ["pokerstars", "low_card_a"]}, ["pokerstars", "low_card_a"]),
        ({"rules": ["wsop_live", {"preset": "wsop_live", "bets_per_round": 4}]},
         ["wsop_live", "wsop_live bets per round 4"]),
        ({"rules.preset": ["wsop_live"]}, ["wsop_live"]),
        ({"rules.bets_per_round": [4, 0]}, ["bets per round 4", "bets per round 0"]),
        ({"rules.burn_cards": [True]}, ["burn cards true"]),
        ({"stack": [10, 2.5]}, ["stack 10", "stack 2.5"]),
        ({"hands": [2000, 30]}, ["hands 2000", "hands 30"]),
        ({"session.hands": [1, 10]}, ["session hands 1", "session hands 10"]),
        ({"session": [{"hands": 10}, {"hands": 10, "stacks": "carry"}]}, ["hands 10", "stacks carry"]),
        ({"lineup[0].strategy": ["tight", "stealer"]}, ["hero tight", "hero stealer"]),
        ({"lineup[1].strategy": ["maniac"]}, ["fish maniac"]),
        ({"lineup[1].seats": [1, 5]}, ["fish seats 1", "fish seats 5"]),
        ({"lineup[1]": [{"strategy": "random"}, {"name": "wild", "strategy": "maniac"}]}, ["random", "wild"]),
        ({"lineup": [LINEUP, [LINEUP[1], {"strategy": "maniac"}]]}, ["hero + fish", "fish + maniac"]),
        ({"stakes": ["pokerstars_2_4", "live_15_30"]}, ["pokerstars_2_4", "live_15_30"]),
        ({"stakes": ["pokerstars_2_4", "live_15_30"], "stack": [5]},
         ["pokerstars_2_4, stack 5", "live_15_30, stack 5"]),
        ({"stakes.rake": [{"percent": 5}, {"percent": 5, "cap": 1}]}, ["rake percent 5", "rake cap 1"]),
    ],
)  # fmt: skip
def test_scenarios_are_named_by_what_is_swept(sweep: dict[str, Any], expected: list[str]) -> None:
    assert names(sweep=sweep) == expected


def test_entrants_without_a_name_are_named_once() -> None:
    lineup = [{"strategy": "tight"}, {"strategy": "caller"}]
    assert names(lineup=lineup, sweep={"lineup[0].strategy": ["tight", "maniac"]}) == ["tight", "maniac"]
    assert names(lineup=lineup, sweep={"lineup[0].params.limit": [7]}) == ["tight limit 7"]


def test_names_that_would_be_equal_have_their_paths() -> None:
    small = {**STAKES, "ante": "0.40"}
    assert names(sweep={"stakes": [STAKES, small]}) == [
        "stakes {name: 2/4, ante: 0.20, bring_in: 1, small_bet: 2, big_bet: 4}",
        "stakes {name: 2/4, ante: 0.40, bring_in: 1, small_bet: 2, big_bet: 4}",
    ]


def test_names_that_would_be_too_long_are_numbers() -> None:
    sweep = {f"rules.{option}": values for option, values in {
        "bring_in_fallback": ["next_seat", "none"], "heads_up_cap": ["off_if_round_began_heads_up"],
        "community_street_betting": [True], "short_all_in": ["full_bet_only"], "opener_tie": ["position"],
        "show_first": ["opener"],
    }.items()}  # fmt: skip
    assert names(sweep=sweep) == ["2/4, point 1", "2/4, point 2"]


def test_a_path_inside_another_is_set_after_it() -> None:
    found = scenarios(sweep={"rules.bets_per_round": [3, 6], "rules": ["pokerstars", "wsop_live"]})
    assert [one.rules.describe() for one in found] == [
        "pokerstars with bets_per_round 3",
        "wsop_live with bets_per_round 3",
        "pokerstars with bets_per_round 6",
        "wsop_live with bets_per_round 6",
    ]


def test_a_key_that_only_the_sweep_gives_is_not_missing() -> None:
    without = {key: value for key, value in BASE.items() if key != "stakes"}
    sweep = {"stakes": ["pokerstars_2_4"], "lineup[1]": [{"strategy": "caller"}]}
    assert len(experiment_from_dict({**without, "sweep": sweep}, Path()).experiment.scenarios) == 1


def test_what_is_the_same_mistake_at_every_point_is_told_once() -> None:
    with pytest.raises(ConfigError) as caught:
        load(hands=-1, rules="vegas", sweep={"stakes.ante": [0, 1, 2], "stack": [1, 2, 3]})
    assert sorted(problem.path for problem in caught.value.problems) == ["hands", "rules"]


def test_a_mistake_at_some_points_names_their_values() -> None:
    with pytest.raises(ConfigError) as caught:
        load(sweep={"stakes.bring_in": [1, 3, 5], "stakes.small_bet": [2, 4], "stack": [10, 20]})
    told = [problem.sentence.split("; ")[0] + problem.sentence.split(" it")[1] for problem in caught.value.problems]
    assert told == [
        "3 must not be above small_bet 2 (sweep: stakes.bring_in 3; stakes.small_bet 2)",
        "5 must not be above small_bet 2 (sweep: stakes.bring_in 5; stakes.small_bet 2)",
        "5 must not be above small_bet 4 (sweep: stakes.bring_in 5; stakes.small_bet 4)",
    ]


def test_what_is_unusual_about_a_swept_amount_is_on_purpose() -> None:
    assert not load(sweep={"stakes.ante": [0, 1]}).warnings
    warned = load(sweep={"stakes.small_bet": [2, "0.90"], "stakes.bring_in": ["0.90"]}).warnings
    assert [str(one) for one in warned] == [
        "stakes.big_bet: 4 is not twice small_bet 0.90 (sweep: stakes.small_bet 0.90)"
    ]


def test_keys_that_a_sweep_replaces_are_warned_of() -> None:
    sweep = {"rules": ["pokerstars", "wsop_live"]}
    (warning,) = load(rules={"burn_cards": True}, sweep=sweep).warnings
    assert str(warning) == "sweep.rules: replaces all of rules, burn_cards too where a value does not have it"
    assert not load(rules={"preset": "wsop_live"}, sweep=sweep).warnings


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "x.yaml"
    path.write_text(
        "name: q\nhands: 100\nstakes: pokerstars_2_4\nlineup:\n- {strategy: tight}\n- {strategy: caller}\n"
        "sweep:\n  stakes.ante: [0.10, 0.20]\n  hands: [10, 20]\n"
    )
    return path


def test_a_sweep_is_changed_from_the_command_line(path: Path) -> None:
    changes = ["sweep.stakes.ante=[0.30, 0.40, 0.50]", "sweep.stack=[10]"]
    assert len(load_experiment(path, overrides=changes).experiment.scenarios) == 6
    assert len(load_experiment(path, overrides=["sweep={}"]).experiment.scenarios) == 1
    with pytest.raises(ConfigError, match=r"--set sweep.stakes.ante=\[x\]: stakes.ante: must be an amount .*, not 'x'"):
        load_experiment(path, overrides=["sweep.stakes.ante=[x]"])


@pytest.mark.parametrize("change", ["stakes.ante=0.40", "stakes[0].ante=0.40"])
def test_a_change_that_the_sweep_would_undo_is_refused(path: Path, change: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_experiment(path, overrides=[change])
    place = change.partition("=")[0]
    sentence = "is swept (line 8): choose its values with --set 'sweep.stakes.ante=[...]'"
    assert str(caught.value) == f"--set {change}: {place}: {sentence}"


def test_hands_that_are_swept_are_not_set_by_their_option(path: Path) -> None:
    with pytest.raises(ConfigError, match=r"--hands 50: hands: is swept \(line 9\)"):
        load_experiment(path, hands=50)
    assert len(load_experiment(path, overrides=["stakes.bring_in=0.50"]).experiment.scenarios) == 4


def test_the_limit_holds_for_points_times_stakes(monkeypatch: pytest.MonkeyPatch) -> None:
    for room in (sweep, build):
        monkeypatch.setattr(room, "MAX_SCENARIOS", 10)
    swept = {"stack": [1, 2, 3, 4, 5]}
    assert len(scenarios(stakes=[STAKES, BIGGER], sweep=swept)) == 10
    with pytest.raises(ConfigError, match="sweep: comes to 15 scenarios: at most 10"):
        load(stakes=[STAKES, BIGGER, "live_15_30"], sweep=swept)


# Stakes of real rooms


@pytest.mark.parametrize("name", REAL_STAKES)
def test_named_stakes_are_those_of_the_room(name: str) -> None:
    loaded = load(stakes=name)
    (scenario,) = loaded.experiment.scenarios
    stakes, real = scenario.stakes, REAL_STAKES[name]
    assert scenario.name == name
    amounts = [stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet]
    written = [real.ante, real.bring_in, real.small_bet, real.big_bet]
    assert [float(stakes.money(amount)) for amount in amounts] == [float(text) for text in written]
    assert real.source
    assert not loaded.warnings, "what a real room plays is not unusual"


def test_named_stakes_stand_in_lists_and_may_be_changed() -> None:
    rake = {"percent": 5, "cap": 2}
    changed = {"preset": "pokerstars_2_4", "name": "raked", "ante": "0.40", "rake": rake}
    first, second, third = scenarios(stakes=["pokerstars_2_4", changed, BIGGER])
    assert (first.stakes.ante, second.stakes.ante, second.stakes.bring_in) == (20, 40, 100)
    assert second.stakes.rake == Rake(percent=second.stakes.rake.percent, cap=200) if second.stakes.rake else False
    assert [first.name, second.name, third.name] == ["pokerstars_2_4", "raked", "5/10"]


@pytest.mark.parametrize("place", ["stakes", "stakes[0]"])
def test_one_amount_of_named_stakes_is_set(place: str) -> None:
    for stakes in ("pokerstars_2_4", ["pokerstars_2_4"], {"preset": "pokerstars_2_4"}):
        loaded = experiment_from_dict({**BASE, "stakes": stakes}, Path(), overrides=[f"{place}.ante=0.30"])
        assert antes(loaded.experiment.scenarios) == ["0.30"]


# Sessions and tables


def test_a_session_is_the_block() -> None:
    (scenario,) = scenarios(hands=1000, session={"hands": 100, "stacks": "carry", "top_up": True})
    assert scenario.session == Session(hands=100, carry=True, top_up=True)
    assert scenario.blocks == 10
    assert scenarios(hands=1000, session={"hands": 100})[0].session == Session(hands=100)
    assert scenarios()[0].session == Session()


def test_hands_as_an_option_are_whole_sessions_too() -> None:
    with pytest.raises(ConfigError, match=r"--hands 250: hands: 250 is no multiple .* 100: 200 or 300 would be"):
        experiment_from_dict({**BASE, "session": {"hands": 100}}, Path(), hands=250)


def test_the_rest_of_the_table_goes_to_one_entrant() -> None:
    rest = [LINEUP[0], {"name": "fish", "strategy": "caller", "seats": "rest"}]
    found = scenarios(table={"seats": 6}, lineup=rest, sweep={"table.seats": [2, 5, 8]})
    assert [(one.name, one.seats, one.lineup[1].seats) for one in found] == [
        ("seats 2", 2, 1),
        ("seats 5", 5, 4),
        ("seats 8", 8, 7),
    ]
    assert scenarios(table={"seats": 2})[0].seats == 2
