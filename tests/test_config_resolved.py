"""An experiment spelled out and read back is the same; the JSON Schema explains what the loader accepts."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from razz_sim.config import (
    ConfigError,
    experiment_from_dict,
    experiment_from_manifest,
    for_manifest,
    json_schema,
    load_experiment,
    resolved,
)
from razz_sim.config.keys import TOURNAMENT_KEYS
from razz_sim.config.model import OPTION_MEANINGS
from razz_sim.experiment import Experiment
from razz_sim.rules import OPTION_VALUES, PRESETS

CONFIGS = Path(__file__).parent.parent / "configs"


@st.composite
def stakes(draw: st.DrawFn) -> dict[str, Any]:
    places = draw(st.integers(0, 4))

    def amount(low: int, high: int) -> str:
        units = draw(st.integers(low, high))
        return f"{units / 10**places:.{places}f}"

    small = draw(st.integers(1, 10**6))
    found: dict[str, Any] = {
        "name": draw(st.text("abc 1/2.", min_size=1, max_size=6).map(lambda text: f"s{text}e")),
        "ante": amount(1, 10**6),
        "bring_in": amount(0, small),
        "small_bet": f"{small / 10**places:.{places}f}",
        "big_bet": amount(small, 2 * 10**6),
    }
    rake: dict[str, Any] = {"percent": draw(st.sampled_from(["5", "2.50", "0.1234", 100]))}
    if draw(st.booleans()):
        rake["cap"] = amount(0, 1000)
    elif draw(st.booleans()):
        rake["cap_by_players"] = {2: amount(0, 50), 4: amount(0, 100)}
    if draw(st.booleans()):
        rake["third_street"] = draw(st.booleans())
    return {**found, "rake": rake} if draw(st.booleans()) else found


def rules() -> st.SearchStrategy[Any]:
    options = {
        option: st.integers(0, 100) if values == (int,) else st.sampled_from(values)
        for option, values in OPTION_VALUES.items()
    }
    presets = st.sampled_from(list(PRESETS))
    return presets | st.fixed_dictionaries({}, optional={"preset": presets, **options})


def presets() -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(list(PRESETS)), min_size=1, max_size=3, unique=True)


@st.composite
def experiments(draw: st.DrawFn) -> Experiment:
    session = draw(
        st.fixed_dictionaries({"hands": st.integers(1, 100)}, optional={"stacks": st.sampled_from(["reset", "carry"])})
    )
    if session.get("stacks") == "carry":
        session["top_up"] = draw(st.booleans())
    sweeps = {"stack": st.just([5, 8]), "lineup[0].params.limit": st.just([6, 7, 10]), "rules": presets()}
    data = {
        "name": "some",
        "seed": draw(st.integers(0, 2**64 - 1)),
        "hands": draw(st.integers(1, 10**3)) * session["hands"],
        "session": session,
        "rules": draw(rules()),
        "stakes": draw(st.lists(stakes(), min_size=1, max_size=3, unique_by=lambda one: str(one["name"]))),
        "stack": draw(st.integers(1, 400)),  # times 100 hands still inside what the engine counts in
        "lineup": [
            {"name": "a", "strategy": "tight", "params": {"limit": draw(st.integers(6, 9))}},
            {"strategy": "caller", "seats": draw(st.integers(1, 7))},
        ],
        "sweep": draw(st.fixed_dictionaries({}, optional=sweeps)),
        "runner": draw(st.sampled_from([{}, {"kind": "ray"}, {"workers": 3}])),
    }
    return experiment_from_dict(data, Path()).experiment


@settings(max_examples=100, deadline=None)
@given(experiments())
def test_what_is_spelled_out_reads_back_equal(experiment: Experiment) -> None:
    spelled = resolved(experiment)
    assert experiment_from_dict(spelled, Path()).experiment == experiment
    assert experiment_from_dict(json.loads(json.dumps(spelled)), Path()).experiment == experiment
    assert resolved(experiment_from_dict(spelled, Path()).experiment) == spelled
    found = experiment_from_manifest(json.loads(json.dumps(for_manifest(experiment))))
    assert found == experiment
    assert [scenario.point for scenario in found.scenarios] == [scenario.point for scenario in experiment.scenarios]


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.name)
def test_a_shipped_config_reads_back_equal_from_yaml_too(path: Path, tmp_path: Path) -> None:
    experiment = load_experiment(path).experiment
    (tmp_path / "resolved.yaml").write_text(yaml.safe_dump(resolved(experiment), sort_keys=False))
    assert load_experiment(tmp_path / "resolved.yaml").experiment == experiment


@pytest.fixture
def manifest() -> dict[str, Any]:
    return {**for_manifest(load_experiment(CONFIGS / "quickstart.yaml").experiment), "git_commit": "abc"}


def test_amounts_are_spelled_as_decimals_and_every_option_and_parameter_is_there(
    manifest: dict[str, Any],
) -> None:
    scenario = manifest["experiment"]["scenarios"][0]
    assert scenario["stakes"]["ante"] == "0.20"
    assert scenario["stakes"]["rake"] == {"percent": "5", "cap": "2.00", "third_street": True}
    assert list(scenario["rules"]) == list(OPTION_VALUES)
    assert scenario["lineup"][0]["params"]["limit"] == 8
    assert scenario["lineup"][1]["name"] == "fish"


def test_a_source_that_changed_is_named(manifest: dict[str, Any]) -> None:
    spelled = deepcopy(manifest["experiment"])
    spelled["scenarios"][0]["lineup"][0]["sha256"] = "0" * 64
    with pytest.raises(ConfigError, match=r"scenarios\[0\].lineup\[0\].sha256: tight is no longer the source it was"):
        experiment_from_dict(spelled, Path())


def test_a_strategy_lives_on_in_the_manifest_when_its_file_is_gone(tmp_path: Path) -> None:
    bot = tmp_path / "bots" / "mine.py"
    bot.parent.mkdir()
    bot.write_text((CONFIGS.parent / "strategies" / "caller.py").read_text())
    stakes = {"ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
    lineup = [{"name": "me", "strategy": "bots/mine.py:caller"}, {"strategy": "tight"}]
    data = {"name": "q", "hands": 10, "stakes": stakes, "lineup": lineup}
    experiment = experiment_from_dict(data, tmp_path).experiment
    kept = json.dumps(for_manifest(experiment))
    bot.write_text(bot.read_text() + "# changed\n")
    with pytest.raises(ConfigError, match="no longer the source it was"):
        experiment_from_dict(resolved(experiment), tmp_path)
    bot.unlink()
    assert experiment_from_manifest(json.loads(kept)) == experiment
    altered = json.loads(kept)
    altered["strategies"]["bots/mine.py:caller"]["text"] += "# altered\n"
    with pytest.raises(ConfigError, match="its text has another sha256"):
        experiment_from_manifest(altered)


def test_a_damaged_manifest_is_refused(manifest: dict[str, Any]) -> None:
    lost = deepcopy(manifest)
    del lost["strategies"]["tight"]
    with pytest.raises(ConfigError, match="the manifest holds no source of tight"):
        experiment_from_manifest(lost)
    del lost["strategies"]
    with pytest.raises(ConfigError, match="strategies: is missing"):
        experiment_from_manifest(lost)
    cut = deepcopy(manifest)
    del cut["strategies"]["tight"]["text"]
    with pytest.raises(ConfigError, match="record of tight is damaged"):
        experiment_from_manifest(cut)
    cut = deepcopy(manifest)
    del cut["experiment"]["scenarios"][0]["stakes"]["ante"]
    with pytest.raises(ConfigError, match=r"manifest: scenarios\[0\].stakes.ante: is missing"):
        experiment_from_manifest(cut)


def test_errors_travel_between_processes(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_experiment(tmp_path / "none.yaml")
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


def test_the_schema_explains_every_key_and_lists_every_value() -> None:
    schema = json_schema()
    assert json.loads(json.dumps(schema)) == schema
    assert list(schema["properties"]) == [
        "name",
        "seed",
        "hands",
        "rules",
        "stakes",
        "stack",
        "session",
        "table",
        "lineup",
        "duplicate",
        "on_error",
        "format",
        "sweep",
        "stop",
        "search",
        "runner",
        "limits",
        *TOURNAMENT_KEYS,
    ]
    assert schema["required"] == ["name", "lineup"]
    assert schema["else"]["required"] == ["hands", "stakes"]
    sections = [schema, *schema["$defs"].values()]
    for section in sections:
        assert section["additionalProperties"] is False
        for key, part in section["properties"].items():
            assert len(part["description"]) > 10, key
    options = schema["$defs"]["Options"]["properties"]
    for option, values in OPTION_VALUES.items():
        assert options[option].get("enum") == (None if values == (int,) else list(values))
    assert options["preset"]["enum"] == list(PRESETS)
    assert schema["properties"]["stack"]["default"] == 100
    assert "null" not in json.dumps(schema)


def test_the_schema_beside_the_configs_is_the_one_printed() -> None:
    assert json.loads((CONFIGS / "schema.json").read_text()) == json_schema(), "razz-sim schema > configs/schema.json"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.name)
def test_a_shipped_config_fits_the_schema(path: Path) -> None:
    jsonschema.validate(yaml.safe_load(path.read_text()), json_schema())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("stakes", "pokerstars_24"),
        ("stakes", ["live_15_30", {"preset": "live"}]),
        ("stakes", {"ante": 1}),
        ("sweep", {"seed": [1]}),
        ("sweep", {"stack": []}),
        ("session", {"stacks": "cary"}),
        ("table", {}),
        ("lineup", [{"strategy": "tight", "seats": "most"}]),
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(key: str, value: object) -> None:
    data = yaml.safe_load((CONFIGS / "quickstart.yaml").read_text())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, key: value}, json_schema())
    with pytest.raises(ConfigError):
        experiment_from_dict({**data, key: value}, CONFIGS)


def test_every_scenario_spells_out_its_session_and_its_point() -> None:
    spelled = resolved(load_experiment(CONFIGS / "sessions.yaml").experiment)["scenarios"][1]
    assert spelled["session"] == {"hands": 100, "stacks": "carry", "top_up": True}
    assert spelled["point"] == {"session": "{hands: 100, stacks: carry, top_up: true}"}
    spelled = resolved(load_experiment(CONFIGS / "quickstart.yaml").experiment)["scenarios"][0]
    assert spelled["session"] == {"hands": 1, "stacks": "reset", "top_up": False}
    assert spelled["point"] == {}


def test_every_option_has_a_meaning() -> None:
    assert list(OPTION_MEANINGS) == list(OPTION_VALUES)
