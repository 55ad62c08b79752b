"""Changes by `--set`, `--hands` and `--seed`, and experiments from Python dictionaries."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from razz_sim.config import ConfigError, experiment_from_dict, load_experiment
from razz_sim.experiment import Experiment
from razz_sim.rules import Rake

TEXT = """name: q
seed: 7
hands: 100
rules: wsop_live
stakes:
  - {ante: 0.20, bring_in: 1, small_bet: 2, big_bet: 4}
  - {ante: 0.30, bring_in: 1, small_bet: 3, big_bet: 6}
lineup:
  - {strategy: tight, params: {limit: 8}}
  - {name: fish, strategy: caller, seats: 5}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "x.yaml"
    path.write_text(TEXT)
    return path


def antes(experiment: Experiment) -> list[str]:
    return [scenario.stakes.money(scenario.stakes.ante) for scenario in experiment.scenarios]


def test_one_item_or_every_item_is_set(path: Path) -> None:
    assert antes(load_experiment(path, overrides=["stakes[0].ante=0.40"]).experiment) == ["0.40", "0.30"]
    assert antes(load_experiment(path, overrides=["stakes.ante=0.40"]).experiment) == ["0.40", "0.40"]
    assert antes(load_experiment(path, overrides={"stakes[1].ante": "0.40"}).experiment) == ["0.20", "0.40"]
    assert antes(load_experiment(path, overrides={"stakes.ante": Decimal("0.40")}).experiment) == [
        "0.40",
        "0.40",
    ]


def test_later_changes_stand_over_earlier_ones(path: Path) -> None:
    loaded = load_experiment(path, overrides=["hands=5", "hands=6", "seed=1"], seed=2)
    assert (loaded.experiment.scenarios[0].hands, loaded.experiment.seed) == (6, 2)


def test_a_preset_becomes_a_mapping_when_one_option_is_set(path: Path) -> None:
    rules = load_experiment(path, overrides=["rules.bets_per_round=4"]).experiment.scenarios[0].rules
    assert rules.describe() == "wsop_live with bets_per_round 4"
    rules = load_experiment(path, overrides=["rules=pokerstars"]).experiment.scenarios[0].rules
    assert rules.describe() == "pokerstars"


def test_sections_come_into_being_when_set(path: Path) -> None:
    changes = ["runner.workers=2", "stakes[1].rake={percent: 5, cap: 1}", "stakes.rake.third_street=false"]
    experiment = load_experiment(path, overrides=[*changes, "stakes[0].rake.percent=1"]).experiment
    rakes = [scenario.stakes.rake for scenario in experiment.scenarios]
    assert experiment.runner.workers == 2
    assert rakes == [Rake(Decimal(1), third_street=False), Rake(Decimal(5), cap=100, third_street=False)]


def test_stakes_written_singly_are_the_first_of_one(path: Path) -> None:
    changes = ["stakes={ante: 1, bring_in: 2, small_bet: 5, big_bet: 10}", "stakes[0].ante=0.50"]
    assert antes(load_experiment(path, overrides=changes).experiment) == ["0.50"]


def test_a_parameter_is_set(path: Path) -> None:
    experiment = load_experiment(path, overrides=["lineup[0].params.limit=7"]).experiment
    assert dict(experiment.scenarios[0].lineup[0].params)["limit"] == 7


def test_hands_and_seed_have_options_of_their_own(path: Path) -> None:
    experiment = load_experiment(path, hands="2e6", seed=9).experiment
    assert (experiment.scenarios[0].hands, experiment.seed) == (2_000_000, 9)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("stakes[0].ante=x", "stakes[0].ante: must be an amount from 0 to 1_000_000_000_000, not 'x'"),
        ("stakes[0].bring_in=5", "stakes[0].bring_in: 5 must not be above small_bet 2"),
        ("stakes[2].ante=1", "stakes: has 2 items: [0] to [1]"),
        ("stakes[0].anti=1", "stakes[0].anti: 'anti' is no key here; did you mean ante?"),
        ("rules.preset=x", "rules.preset: 'x' is not a preset"),
        ("hands=", "hands: has no value"),
        ("hands='5'", "hands: '5' is text"),
        ("hands.x=5", "hands: is a single value"),
        ("runner[0]=5", "runner: is a mapping, which has no positions"),
        ("runner={kind: ray, kind: local}", "runner.kind: is written twice"),
        ("hands=a: b: c", "a colon where none can be"),
        ("hands", "must be path=value"),
        ("=5", "'' is not a path"),
        ("a b=5", "'a b' is not a path"),
        ("stakes[0.ante=5", "'stakes[0.ante' is not a path"),
        ("stakes..ante=5", "'stakes..ante' is not a path"),
        ("[0]=5", "'[0]' is not a path"),
    ],
)
def test_a_change_that_is_wrong_is_named(path: Path, change: str, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_experiment(path, overrides=[change])
    found = [str(problem) for problem in caught.value.problems]
    assert any(one.startswith(f"--set {change}: ") and words in one for one in found), found


def test_changes_that_cannot_be_read_hide_no_other_mistake(path: Path) -> None:
    path.write_text(TEXT.replace("seed: 7", "sead: 7"))
    changes = ["hands", "stakes..ante=5", "stakes[0].ante=0,20", "runner={kind: ray, kind: local}", "stakes[7].ante=1"]
    changes += ["stakes[1].bring_in=4", "lineup[1].seats=9", "rules='"]
    with pytest.raises(ConfigError) as caught:
        load_experiment(path, overrides=changes, hands="many", seed=3)
    found = [str(problem) for problem in caught.value.problems]
    for start in [
        f"{path}:2: sead: 'sead' is no key here",
        "--set hands: must be path=value",
        "--set stakes..ante=5: 'stakes..ante' is not a path",
        "--set stakes[0].ante=0,20: stakes[0].ante: 0,20 is not a number: write 0.20",
        "--set runner={kind: ray, kind: local}: runner.kind: is written twice",
        "--set stakes[7].ante=1: stakes: has 2 items",
        "--set stakes[1].bring_in=4: stakes[1].bring_in: 4 must not be above small_bet 3",
        "--set lineup[1].seats=9: lineup[1].seats: must be a whole number from 1 to 8, or rest, not 9",
        "--set rules=': ",
        "--hands many: hands: must be a whole number from 1 to 1_000_000_000_000, not 'many'",
    ]:
        assert any(one.startswith(start) for one in found), (start, found)
    assert len(found) == 10


def test_a_file_that_is_no_yaml_hides_no_change_that_cannot_be_read(path: Path) -> None:
    path.write_text(TEXT + "\t- x")
    with pytest.raises(ConfigError) as caught:
        load_experiment(path, overrides=["hands", "stack=10"])
    assert [str(one).split(": ")[0] for one in caught.value.problems] == [f"{path}:11", "--set hands"]


def test_options_that_are_wrong_are_named(path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_experiment(path, hands="many", seed=-1)
    assert {str(problem).split(":")[0] for problem in caught.value.problems} == {"--hands many", "--seed -1"}


DATA: dict[str, Any] = {
    "name": "q",
    "hands": 10,
    "stakes": {"ante": 0.2, "bring_in": Decimal("0.5"), "small_bet": "1.0", "big_bet": 2},
    "lineup": ({"strategy": "caller", "seats": 2},),
}


def test_amounts_from_python_are_exact(tmp_path: Path) -> None:
    stakes = experiment_from_dict(DATA, tmp_path).experiment.scenarios[0].stakes
    assert (stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet) == (20, 50, 100, 200)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("hands", float("nan"), "hands: nan cannot be played for"),
        ("hands", "10", "hands: '10' is text"),
        ("name", Path("q"), "name: must be a dictionary, list, text, number or truth value"),
        ("lineup", None, "lineup: has no value"),
        ("stakes", {**DATA["stakes"], "bring_in": 3}, "stakes.bring_in: 3 must not be above small_bet 1.0"),
    ],
)
def test_mistakes_in_python_data_have_a_path(tmp_path: Path, key: str, value: object, words: str) -> None:
    with pytest.raises(ConfigError) as caught:
        experiment_from_dict({**DATA, key: value}, tmp_path)
    assert str(caught.value).startswith(words)


def test_data_that_contains_itself_is_refused(tmp_path: Path) -> None:
    endless: dict[str, Any] = {}
    endless["name"] = endless
    with pytest.raises(ConfigError, match="nested too deeply"):
        experiment_from_dict(endless, tmp_path)


def test_changes_to_one_do_not_touch_what_was_given(tmp_path: Path) -> None:
    before = repr(DATA)
    experiment_from_dict(DATA, tmp_path, overrides=["stakes.ante=0.1", "hands=5"])
    assert repr(DATA) == before
