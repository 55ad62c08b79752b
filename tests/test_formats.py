"""Formats: who meets whom, in a file, in the schedule and in what a run tells."""

from __future__ import annotations

import io
import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

import razz_sim
from razz_sim.cli import configs as cli
from razz_sim.config import ConfigError, experiment_from_dict, for_manifest
from razz_sim.config.manifest import experiment_from_manifest
from razz_sim.experiment import Experiment
from razz_sim.places import HandPlace
from razz_sim.report import print_report

STAKES = {"name": "2/4", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}
BIGGER = {"name": "5/10", "ante": 1, "bring_in": 2, "small_bet": 5, "big_bet": 10}
FIELD = ("tight", "caller", "rock", "maniac")
LINEUP = [{"strategy": name} for name in FIELD]
BASE: dict[str, Any] = {"name": "meet", "hands": 60, "stakes": STAKES, "lineup": LINEUP}


def load(**keys: Any) -> Experiment:
    return experiment_from_dict({**BASE, **keys}, Path()).experiment


def met(experiment: Experiment) -> list[list[tuple[str, int]]]:
    return [[(who.name, who.seats) for who in one.lineup] for one in experiment.scenarios]


def refused(**keys: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(**keys)
    return [str(problem) for problem in caught.value.problems]


def test_in_a_round_robin_every_pair_meets() -> None:
    found = load(format="round_robin")
    assert met(found) == [[(one, 1), (other, 1)] for one, other in combinations(FIELD, 2)]
    assert [one.name for one in found.scenarios][:2] == ["tight v caller", "tight v rock"]
    assert [(one.setting, one.match, one.hands, one.replicas) for one in found.scenarios] == [
        ("2/4", number, 60, 2) for number in range(1, 7)
    ]


def test_or_every_combination_of_so_many() -> None:
    found = load(format={"kind": "round_robin", "seats": 3})
    assert met(found) == [[(name, 1) for name in names] for names in combinations(FIELD, 3)]
    assert {one.replicas for one in found.scenarios} == {3}


def test_in_a_gauntlet_the_first_meets_each_of_the_others() -> None:
    assert met(load(format="gauntlet")) == [[("tight", 1), (other, 1)] for other in FIELD[1:]]
    six = load(format={"kind": "gauntlet", "seats": 6})
    assert met(six) == [[("tight", 1), (other, 5)] for other in FIELD[1:]]
    assert six.scenarios[0].name == "tight v 5 x caller"
    assert {one.replicas for one in six.scenarios} == {6}


def test_one_table_is_what_it_was() -> None:
    assert load(format="table") == load()
    (one,) = load().scenarios
    assert (one.name, one.setting, one.match, one.replicas) == ("2/4", "", 0, 1)


def test_whether_deals_are_duplicate_can_be_said() -> None:
    assert {one.replicas for one in load(format="round_robin", duplicate=False).scenarios} == {1}
    assert [one.replicas for one in load(duplicate=True).scenarios] == [4]


def test_settings_have_all_matches_each() -> None:
    found = load(format="gauntlet", stakes=[STAKES, BIGGER], sweep={"stack": [20, 40]})
    assert [one.name for one in found.scenarios] == [
        f"{stakes}, stack {stack}, tight v {other}"
        for stakes in ("2/4", "5/10")
        for stack in (20, 40)
        for other in FIELD[1:]
    ]
    assert found.settings == ([0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11])
    assert dict(found.scenarios[4].point) == {"stack": "40"}


def test_a_parameter_of_one_entrant_is_swept_in_all_matches() -> None:
    found = load(format="round_robin", sweep={"lineup[3].strategy": ["maniac", "folder"]})
    assert len(found.scenarios) == 12
    assert met(found)[5] == [("rock", 1), ("maniac", 1)]
    assert found.scenarios[11].lineup[1].strategy.spec == "folder"


def test_a_long_name_gives_way_to_numbers() -> None:
    lineup = [{"name": "n" * 59 + str(number), "strategy": "tight"} for number in range(3)]
    names = [one.name for one in load(format="round_robin", lineup=lineup, stakes=[STAKES, BIGGER]).scenarios]
    assert names[0] == f"2/4, {lineup[0]['name']} v {lineup[1]['name']}"
    long = load(format={"kind": "round_robin", "seats": 3}, lineup=lineup, stakes=[STAKES, BIGGER])
    assert [one.name for one in long.scenarios] == ["setting 1, match 1", "setting 2, match 1"]


def test_what_cannot_meet_is_said() -> None:
    formats = "table, round_robin, gauntlet, population, tournament, shootout, bracket"
    near = f"did you mean round_robin? (one of {formats})"
    assert refused(format="round_robbin") == [f"format: 'round_robbin' is not a format; {near}"]
    assert "format.seats" in refused(format={"kind": "round_robin", "seats": 9})[0]
    assert refused(format={"kind": "round_robin", "seats": 5}) == [
        "lineup: has 4 of the 5 entrants that a match of the round_robin needs"
    ]
    assert refused(format="gauntlet", lineup=LINEUP[:1]) == [
        "lineup: has 1 of the 2 entrants that a match of the gauntlet needs"
    ]
    seats = "is for one table of all: in matches, format.seats says how many seats there are"
    assert refused(format="round_robin", lineup=[{**LINEUP[0], "seats": 2}, *LINEUP[1:]]) == [
        f"lineup[0].seats: {seats}"
    ]
    assert refused(format="gauntlet", table={"seats": 6}) == [f"table: {seats}"]
    assert refused(format="round_robin", hands=61) == [
        "hands: 61 are no whole hands, each in 2 arrangements: 60 or 62 would be"
    ]
    assert refused(format="round_robin", session={"hands": 20}) == [
        "hands: 60 are no whole sessions of 20 hands, each in 2 arrangements: 40 or 80 would be"
    ]


def test_a_manifest_gives_it_back() -> None:
    found = load(format="gauntlet", stakes=[STAKES, BIGGER], duplicate=False)
    again = experiment_from_manifest(json.loads(json.dumps(for_manifest(found))))
    assert again == found
    assert [(one.setting, one.match) for one in again.scenarios] == [
        (one.setting, one.match) for one in found.scenarios
    ]
    twice = load(format="gauntlet")
    assert experiment_from_manifest(json.loads(json.dumps(for_manifest(twice)))) == twice


def test_the_schedule_adds_up(tmp_path: Path) -> None:
    path = tmp_path / "meet.json"
    path.write_text(json.dumps({**BASE, "format": "round_robin", "stakes": [STAKES, BIGGER]}))
    done = CliRunner().invoke(cli.app, ["validate", str(path)])
    assert done.exit_code == 0, done.output
    assert "6 at tables of 2 in each of 2 scenarios, each deal in 2 arrangements" in " ".join(done.stdout.split())
    rows = re.findall(r"^  (\w+ v \w+) +(\d+) +(\d+) +(\d+)$", done.stdout, re.M)
    assert len(rows) == 6
    assert all(int(blocks) * int(arrangements) == int(hands) for _, blocks, arrangements, hands in rows)
    total = sum(int(row[3]) for row in rows)
    assert re.search(rf"^  6 matches, in each scenario +180 +{total}$", done.stdout, re.M)
    assert re.search(rf"^  2 scenarios +12 +{2 * total}$", done.stdout, re.M)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> razz_sim.Run:
    out = tmp_path_factory.mktemp("out")
    keys = {**BASE, "format": "round_robin", "stakes": [STAKES, BIGGER], "hands": 4000}
    return razz_sim.run(keys, out=out, runner="local")


def test_a_run_tells_who_is_better_and_how_sure_that_is(run: razz_sim.Run) -> None:
    file = io.StringIO()
    print_report(run.summary, Console(file=file, width=100))
    shown = file.getvalue()
    first = run.summary["comparisons"][0]
    assert [one["setting"] for one in run.summary["comparisons"]] == ["2/4", "5/10"]
    assert re.search(r"2/4: \w+ is first of 4 with \+[\d.]+ ± [\d.]+ big bets per 100 hands", " ".join(shown.split()))
    assert "playing each deal in all arrangements is worth" in shown
    for one in first["field"]:
        assert re.search(rf"\d  {one['name']} +[+-][\d.]+ ± [\d.]+ ", shown)
    assert len(first["against"]) == len(first["differences"]) == 6
    best = first["field"][0]
    against = [pair for pair in first["against"] if pair["name"] == best["name"]]
    scenarios = [one for one in run.summary["scenarios"] if one["setting"] == "2/4"]
    for pair in against:
        (match,) = [one for one in scenarios if {e["name"] for e in one["entrants"]} == {pair["name"], pair["other"]}]
        rates = {one["name"]: one["bb_per_100"] for one in match["entrants"]}
        assert pair["difference"] == pytest.approx(rates[pair["name"]] - rates[pair["other"]])


def test_hands_are_named_by_setting_and_match(run: razz_sim.Run) -> None:
    place = HandPlace.parse("2/3/17/1/0", run.experiment())
    assert (place.scenario, place.number, str(place)) == (8, 35, "2/3/17/1/0")
    assert HandPlace.parse("5/10, tight v maniac/35", run.experiment()) == place
    assert HandPlace.parse("5/10/3/17/1/0", run.experiment()) == place
    with pytest.raises(ValueError, match="scenario '2' has 6 matches: name one, such as '5/10, tight v caller'"):
        HandPlace.parse("2/35", run.experiment())
    with pytest.raises(ValueError, match="there is no match 7 in scenario '5/10, tight v caller': it has 6, numbered"):
        HandPlace.parse("2/7/0/0/0", run.experiment())


def test_runners_and_pieces_give_one_digest(run: razz_sim.Run, tmp_path: Path) -> None:
    again = razz_sim.run(run.experiment(), out=tmp_path, runner="local")
    assert again.summary["digest"] == run.summary["digest"]
    assert again.summary["comparisons"] == run.summary["comparisons"]


def test_a_gauntlet_tells_whom_the_first_beats(tmp_path: Path) -> None:
    keys = {**BASE, "format": {"kind": "gauntlet", "seats": 3}, "hands": 6000}
    found = razz_sim.run(keys, out=tmp_path, runner="local").summary
    (comparison,) = found["comparisons"]
    assert (comparison["field"], comparison["differences"], comparison["groups"]) == ([], [], [])
    assert {frozenset((one["name"], one["other"])) for one in comparison["against"]} == {
        frozenset(("tight", other)) for other in FIELD[1:]
    }
    file = io.StringIO()
    print_report(found, Console(file=file, width=100))
    shown = " ".join(file.getvalue().split())
    assert "tight beats " in shown
    for other in FIELD[1:]:
        assert re.search(rf"{other} [+-][\d.]+ ± +[\d.]+ p [<=] [\d.]+ 6,000", shown)
