"""Paths that a sweep sets together: in step, by cases, at random; and which point each is compared with."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from razz_sim.config import (
    ConfigError,
    experiment_from_dict,
    experiment_from_manifest,
    for_manifest,
    json_schema,
    load_experiment,
    resolved,
)
from razz_sim.experiment import Experiment
from razz_sim.store.identity import identity_of

DOCUMENTED = Path(__file__).parent.parent / "docs" / "sweeps.md"
HEAD = """name: q
seed: 7
hands: 100
stakes: {name: 2/4, ante: 0.20, bring_in: 1, small_bet: 2, big_bet: 4, rake: {percent: 5, cap: 2}}
table: {seats: 4}
lineup:
- {name: hero, strategy: tight}
- {name: fish, strategy: caller, seats: rest}
sweep:
"""
ZIPPED = "  zip: {stakes.ante: [0.1, 0.4], stakes.bring_in: [0.5, 2]}\n"
CASES = """  cases:
  - {name: as it is}
  - {name: tight game, stakes.ante: 0.1, "lineup[1].strategy": rock, stakes.rake.cap: 1}
  - {table.seats: 2, rules: wsop_live}
"""
SAMPLES = """  samples:
    count: 6
    lineup[0].params.limit: {low: 5, high: 10}
    stakes.ante: {low: 0.10, high: 0.60, step: 0.05}
    rules: [wsop_live, {preset: pokerstars, bets_per_round: 5}]
"""


def file(tmp_path: Path, sweep: str) -> Path:
    path = tmp_path / "q.yaml"
    path.write_text(HEAD + sweep)
    return path


def load(tmp_path: Path, sweep: str, *changes: str) -> Experiment:
    return load_experiment(file(tmp_path, sweep), overrides=changes).experiment


def names(experiment: Experiment) -> list[str]:
    return [one.name for one in experiment.scenarios]


def refused(tmp_path: Path, sweep: str, *changes: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, sweep, *changes)
    return str(caught.value).replace(f"{tmp_path}/", "").splitlines()


@pytest.mark.parametrize(
    "sweep",
    [
        ZIPPED,
        CASES,
        SAMPLES,
        f"{ZIPPED}  stack: [10, 20]\n",
        f"{CASES}  samples: {{count: 2, hands: [100], stack: [5, 9]}}\n",
    ],
)
def test_each_point_is_the_file_with_its_paths_set(tmp_path: Path, sweep: str) -> None:
    found = load(tmp_path, sweep)
    assert len(set(names(found))) == len(found.scenarios)
    for scenario in found.scenarios:
        from_the_top = sorted(scenario.point, key=lambda setting: setting[0].count("."))
        (alone,) = load(
            tmp_path, "  stack: [100]\n", "sweep={}", *(f"{key}={text}" for key, text in from_the_top)
        ).scenarios
        assert (alone.rules, alone.stakes, alone.lineup, alone.stack) == (
            scenario.rules,
            scenario.stakes,
            scenario.lineup,
            scenario.stack,
        )


def test_lists_go_in_step_and_are_crossed_with_the_rest(tmp_path: Path) -> None:
    assert names(load(tmp_path, f"{ZIPPED}  stack: [10, 20]\n")) == [
        "ante 0.1, bring in 0.5, stack 10",
        "ante 0.1, bring in 0.5, stack 20",
        "ante 0.4, bring in 2, stack 10",
        "ante 0.4, bring in 2, stack 20",
    ]


def test_cases_are_named_by_their_name_or_their_values(tmp_path: Path) -> None:
    found = load(tmp_path, CASES)
    assert names(found) == ["as it is", "tight game", "seats 2, wsop_live"]
    assert [dict(one.point) for one in found.scenarios] == [
        {},
        {"stakes.ante": "0.1", "lineup[1].strategy": "rock", "stakes.rake.cap": "1"},
        {"table.seats": "2", "rules": "wsop_live"},
    ]


def test_samples_are_those_of_the_seed(tmp_path: Path) -> None:
    one, again, more = (load(tmp_path, SAMPLES.replace("6", str(count), 1)) for count in (6, 6, 9))
    assert one == again
    assert names(one) == names(more)[:6]
    assert names(one) != names(load(tmp_path, SAMPLES, "seed=8"))
    assert {len(scenario.point) for scenario in one.scenarios} == {3}


def test_paths_set_together_for_one_of_several_stakes_make_no_more_of_the_others() -> None:
    small, large = ({"ante": 1, "bring_in": 2, "small_bet": bet, "big_bet": 2 * bet} for bet in (4, 10))
    sweep = {"zip": {"stakes[1].ante": [0, 1], "stakes[1].bring_in": [1, 2]}, "baseline": {"stakes[1].ante": 1}}
    lineup = [{"strategy": "tight"}, {"strategy": "caller"}]
    data = {"name": "q", "hands": 100, "stakes": [small, large], "lineup": lineup, "sweep": sweep}
    found = experiment_from_dict(data, Path()).experiment
    assert [(one.name, one.baseline) for one in found.scenarios] == [
        ("4/8", 0),
        ("10/20, ante 0, bring in 1", 3),
        ("10/20, ante 1, bring in 2", 0),
    ]


# The baseline


GRID = "  stakes.ante: [0.1, 0.20, 0.4]\n  stack: [10, 20]\n"


@pytest.mark.parametrize(
    ("sweep", "fixed"),
    [
        (GRID + "  baseline: {stakes.ante: 0.2}\n", {"stakes.ante": "0.20"}),
        (GRID + "  baseline: {stack: 20}\n", {"stack": "20"}),
        (GRID + "  baseline: {stack: 20, stakes.ante: 0.100}\n", {"stakes.ante": "0.1", "stack": "20"}),
        (GRID + "  baseline: ante 0.4, stack 10\n", {"stakes.ante": "0.4", "stack": "10"}),
        (ZIPPED + "  stack: [10, 20]\n  baseline: {stakes.bring_in: 2}\n",
         {"stakes.ante": "0.4", "stakes.bring_in": "2"}),
    ],
)  # fmt: skip
def test_a_point_is_compared_with_that_which_differs_in_the_fixed_paths_only(
    tmp_path: Path, sweep: str, fixed: dict[str, str]
) -> None:
    found = load(tmp_path, sweep)
    points = [dict(one.point) for one in found.scenarios]
    for one, point in zip(found.scenarios, points, strict=True):
        expected = points.index({**point, **fixed}) + 1
        assert one.baseline == (0 if points[expected - 1] == point else expected)


@pytest.mark.parametrize(
    "baseline", ["as it is", "{cases: as it is}", "{stakes.ante: 0.2, stakes.rake.cap: 2, table.seats: 4}"]
)
def test_a_case_is_a_baseline_by_its_name_or_by_what_it_leaves_alone(tmp_path: Path, baseline: str) -> None:
    found = load(tmp_path, f"{CASES}  baseline: {baseline}\n")
    assert [one.baseline for one in found.scenarios] == [0, 1, 1]


def test_all_matches_of_a_setting_have_its_baseline() -> None:
    lineup = [{"strategy": name} for name in ("tight", "caller", "best")]
    stakes = {"ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8}
    sweep = {"stack": [10, 20], "baseline": "stack 20"}
    data = {"name": "q", "hands": 100, "stakes": stakes, "lineup": lineup, "format": "round_robin", "sweep": sweep}
    found = experiment_from_dict(data, Path()).experiment
    assert [one.baseline for one in found.scenarios] == [2, 2, 2, 0, 0, 0]


def test_the_manifest_keeps_the_baseline_which_makes_no_other_experiment(tmp_path: Path) -> None:
    plain, compared = load(tmp_path, GRID), load(tmp_path, GRID + "  baseline: {stack: 20}\n")
    kept = experiment_from_manifest(json.loads(json.dumps(for_manifest(compared))))
    assert (
        [one.baseline for one in kept.scenarios] == [one.baseline for one in compared.scenarios] == [2, 0, 4, 0, 6, 0]
    )
    assert identity_of(plain) == identity_of(compared)
    assert "baseline" not in json.dumps(resolved(plain))


def test_a_baseline_that_a_manifest_does_not_have_is_refused(tmp_path: Path) -> None:
    spelled = resolved(load(tmp_path, GRID))
    spelled["scenarios"][1]["baseline"] = 7
    with pytest.raises(ConfigError, match=r"scenarios\[1\].baseline: there is no setting 7: there are 6"):
        experiment_from_dict(spelled, Path())


# Errors


@pytest.mark.parametrize(
    ("sweep", "line", "path", "sentence"),
    [
        ("  zip: [1]\n", 10, "sweep.zip", "must be a mapping {path: ...}, not a list"),
        ("  zip: {}\n", 10, "sweep.zip", "has no paths"),
        ("  zip:\n    stack: [1, 2]\n    hands: [100]\n", 12, "sweep.zip.hands",
         "has 1 value and stack (line 11) has 2: these lists go in step"),
        ("  zip: {stack: 5}\n", 10, "sweep.zip.stack", "must be a list"),
        ("  zip: {stake: [5]}\n", 10, "sweep.zip.stake", "did you mean stakes?"),
        ("  stack: [1, 2]\n  zip: {stack: [3, 4]}\n", 11, "sweep.zip.stack", "set by sweep.stack (line 10) too"),
        ("  cases: [{stack: 1}, {hands: 200}]\n  samples: {count: 1, hands: [1]}\n", 11, "sweep.samples.hands",
         "is set by sweep.cases[1].hands (line 10) too"),
        ("  zip: {stack: [5, 6, 5], hands: [100, 100, 100]}\n", 10, "sweep.zip",
         "{stack: 5, hands: 100} makes the same scenario as {stack: 5, hands: 100} (line 10)"),
        ("  zip:\n    stakes.bring_in: [1,\n      3]\n    stack: [5, 6]\n", 12, "stakes.bring_in",
         "(sweep: zip {stakes.bring_in: 3, stack: 6})"),
        ("  cases: {stack: 5}\n", 10, "sweep.cases", "must be a list"),
        ("  cases: [5]\n", 10, "sweep.cases[0]", "must be a mapping {name: ..., path: ...}, not 5"),
        ("  cases:\n  - {stack: 5}\n  - {}\n", 12, "sweep.cases[1]", "sets nothing"),
        ("  cases:\n  - {stack: 5}\n  - {nam: x}\n", 12, "sweep.cases[1].nam", "did you mean name?"),
        ("  cases:\n  - {stack: 5}\n  - lineup[5].seats: 1\n", 12,
         "sweep.cases[1].lineup[5].seats", "has 2 items: [0] to [1] (sweep: cases[1])"),
        ("  cases:\n  - {stack: 5}\n  - {name: odd, stakes.ante: x}\n", 12, "stakes.ante",
         "not 'x' (sweep: cases[1] odd)"),
        ("  cases:\n  - {name: a, stack: 5}\n  - {name: a, stack: 6}\n", 12, "sweep.cases[1].name",
         "'a' is the name of sweep.cases[0] (line 11) too"),
        ("  cases:\n  - {name: a}\n  - {name: b}\n", 12, "sweep.cases[1]", "b makes the same scenario as cases[0] a"),
        ("  samples: {stack: [1, 2]}\n", 10, "sweep.samples.count", "is missing: How many points"),
        ("  samples: {count: 2}\n", 10, "sweep.samples", "has no paths"),
        ("  samples: {count: 0, stack: [1, 2]}\n", 10, "sweep.samples.count", "must be a whole number from 1"),
        ("  samples: {count: 7, stack: {low: 5, high: 10}}\n", 10, "sweep.samples.count",
         "7 cannot be drawn: the ranges have 6 points"),
        ("  samples:\n    count: 1\n    stack: {low: 5, high: 4}\n", 12, "sweep.samples.stack.low",
         "5 must not be above high 4"),
        ("  samples:\n    count: 1\n    stack: {low: 0.1, high: 0.6, step: 0.15}\n", 12, "sweep.samples.stack.step",
         "0.15 does not lead from low 0.1 to high 0.6, but to 0.55 or 0.70"),
        ("  samples: {count: 1, stack: {low: 1, high: 2, step: 0}}\n", 10, "sweep.samples.stack.step", "above 0"),
        ("  samples: {count: 1, stack: {low: 1}}\n", 10, "sweep.samples.stack.high", "is missing"),
        ("  samples: {count: 1, stack: {low: 1, hi: 2}}\n", 10, "sweep.samples.stack.hi", "did you mean high?"),
        ("  samples: {count: 1, stack: 5}\n", 10, "sweep.samples.stack", "must be a range {low: ..., high: ...}"),
        ("  samples: {count: 1, stack: {low: 1e400, high: 2e400}}\n", 10, "sweep.samples.stack.low", "must be"),
        ("  samples: {count: 1, coun: [5]}\n", 10, "sweep.samples.coun", "did you mean count?"),
        ("  samples:\n    count: 2\n    lineup[0].params.limit: {low: 98, high: 99}\n", 12,
         "lineup[0].params.limit", "98"),
        ("  sample: [5]\n", 10, "sweep.sample", "did you mean samples?"),
        (GRID + "  baseline: 5\n", 12, "sweep.baseline", "must be the name of a point or a mapping"),
        (GRID + "  baseline: ante 0.3, stack 10\n", 12, "sweep.baseline", "no point of the sweep; did you mean"),
        (GRID + "  baseline: x\n", 12, "sweep.baseline", "points are named ante 0.1, stack 10;"),
        (GRID + "  baseline: {stakes.ante: 0.3}\n", 12, "sweep.baseline.stakes.ante",
         "0.3 is none of its values: 0.1; 0.20; 0.4"),
        (GRID + "  baseline: {hands: 100}\n", 12, "sweep.baseline.hands", "is not swept; one of stakes.ante, stack"),
        (GRID + "  baseline: {cases: a}\n", 12, "sweep.baseline.cases", "'a' is the name of no case; none has a name"),
        (CASES + "  baseline: {cases: tightgame}\n", 14, "sweep.baseline.cases", "did you mean tight game?"),
        ("  zip: {stack: [5, 5, 6], hands: [100, 200, 200]}\n  baseline: {stack: 5}\n", 11, "sweep.baseline",
         "fits 2 steps of zip: {stack: 5, hands: 100}; {stack: 5, hands: 200}"),
        ("  zip: {stack: [5, 5, 6], hands: [100, 200, 200]}\n  baseline: {hands: 100, stack: 6}\n", 11,
         "sweep.baseline.stack", "no step of zip has this value and those before it"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, sweep: str, line: int, path: str, sentence: str) -> None:
    told = refused(tmp_path, sweep)
    assert any(one.startswith(f"q.yaml:{line}: {path}: ") and sentence in one for one in told), told


# The command line


def test_parts_of_it_are_changed_from_the_command_line(tmp_path: Path) -> None:
    assert names(load(tmp_path, ZIPPED, "sweep.zip.stakes.ante=[0.3, 0.5]")) == [
        "ante 0.3, bring in 0.5",
        "ante 0.5, bring in 2",
    ]
    assert names(load(tmp_path, CASES, "sweep.cases[2].table.seats=3"))[2] == "seats 3, wsop_live"
    assert names(load(tmp_path, CASES, "sweep.cases.stack=9"))[2] == "stack 9, seats 2, wsop_live"
    assert len(names(load(tmp_path, SAMPLES, "sweep.samples.count=9"))) == 9
    limit = "sweep.samples.lineup[0].params.limit={low: 5, high: 5}"
    assert all("limit 5" in name for name in names(load(tmp_path, SAMPLES, limit)))
    found = load(tmp_path, GRID, "sweep.baseline.stakes.ante=0.4")
    assert [one.baseline for one in found.scenarios] == [5, 6, 5, 6, 0, 0]


@pytest.mark.parametrize(
    ("sweep", "instead"),
    [
        (ZIPPED, "(line 10): choose its values with --set 'sweep.zip.stakes.ante=[...]'"),
        (SAMPLES, "(line 10): choose its values with --set 'sweep.samples.stakes.ante={low: ..., high: ...}'"),
        ("  cases: [{stakes.ante: 0.1}, {stakes.ante: 0.3}]\n",
         "(line 10): choose its values with --set 'sweep.cases=[...]'"),
    ],
)  # fmt: skip
def test_a_change_that_every_step_would_undo_is_refused(tmp_path: Path, sweep: str, instead: str) -> None:
    (told,) = refused(tmp_path, sweep, "stakes.ante=0.5")
    assert told.startswith("--set stakes.ante=0.5: stakes.ante: is swept")
    assert instead.replace("(line 10)", "") in told.replace("(line 10)", "").replace("(line 13)", "")


def test_a_change_of_what_some_cases_leave_alone_is_theirs(tmp_path: Path) -> None:
    found = load(tmp_path, CASES, "stakes.ante=0.5")
    assert [one.stakes.money(one.stakes.ante) for one in found.scenarios] == ["0.50", "0.10", "0.50"]


# The schema


@pytest.mark.parametrize(
    "sweep", [ZIPPED, CASES, SAMPLES, GRID + "  baseline: {stack: 20}\n", CASES + "  baseline: as it is\n"]
)
def test_the_schema_knows_them(sweep: str) -> None:
    jsonschema.validate(yaml.safe_load(HEAD + sweep), json_schema())


@pytest.mark.parametrize(
    "sweep",
    [
        {"zip": {"seed": [1]}},
        {"zip": {"stack": 5}},
        {"cases": [{"nam": "x"}]},
        {"cases": []},
        {"samples": {"stack": [5]}},
        {"samples": {"count": 1, "stack": {"low": 1}}},
        {"samples": {"count": 1, "stack": {"low": 1, "high": 2, "step": 0}}},
        {"stack": [5], "baseline": 5},
        {"stack": [5], "baseline": {"seed": 5}},
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(sweep: dict[str, Any]) -> None:
    data = {**yaml.safe_load(HEAD + ZIPPED), "sweep": sweep}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, json_schema())
    with pytest.raises(ConfigError):
        experiment_from_dict(data, Path())


# The documentation


@pytest.mark.parametrize("sweep", re.findall(r"```yaml\n(sweep:.*?)```", DOCUMENTED.read_text(), flags=re.DOTALL))
def test_what_is_documented_is_read(tmp_path: Path, sweep: str) -> None:
    assert len(load(tmp_path, sweep.removeprefix("sweep:\n")).scenarios) > 1
    jsonschema.validate(yaml.safe_load(HEAD.removesuffix("sweep:\n") + sweep), json_schema())
