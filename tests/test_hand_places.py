"""How any hand of a run is named: N, SCENARIO/N, or all its coordinates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import Result
from small_experiments import entrant, experiment, scenario
from typer.testing import CliRunner

import razz_sim
from razz_sim.cli import app
from razz_sim.experiment import Experiment, Session
from razz_sim.places import HandPlace

QUICKSTART = Path(__file__).parent.parent / "configs" / "quickstart.yaml"


def program(*arguments: object) -> Result:
    """What a command does."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def ladder() -> Experiment:
    """Three scenarios, two of them with names that could be taken for places; sessions in the last."""
    callers = scenario((entrant("fish", "caller", seats=3),), hands=300)
    names = ("2/4", "ante 0.40, hero limit 7", "3")
    scenarios = [replace(callers, name=name) for name in names]
    scenarios[2] = replace(scenarios[2], session=Session(hands=100, carry=True))
    return experiment(*scenarios)


PLACES = {
    "0": "1/1/0/0/0",
    "299": "1/1/299/0/0",
    "1/5": "1/1/5/0/0",
    "2/4/5": "1/1/5/0/0",
    "2/5": "2/1/5/0/0",
    "ante 0.40, hero limit 7/5": "2/1/5/0/0",
    "ante 0.40, hero limit 7/1/5/0/0": "2/1/5/0/0",
    "2/4/1/5/0/0": "1/1/5/0/0",
    "3/0": "3/1/0/0/0",
    "3/299": "3/1/2/0/99",
    "3/1/2/0/99": "3/1/2/0/99",
}


@pytest.mark.parametrize("text", PLACES)
def test_a_place_is_read_from_the_right(ladder: Experiment, text: str) -> None:
    place = HandPlace.parse(text, ladder)
    assert str(place) == PLACES[text]
    assert HandPlace.parse(str(place), ladder) == place
    assert HandPlace.of_number(place.number, place.scenario, ladder) == place


def test_no_two_hands_of_an_experiment_have_one_identifier(ladder: Experiment) -> None:
    places = [HandPlace.of_number(number, index, ladder) for index in range(3) for number in range(300)]
    assert len({place.identifier for place in places}) == len({str(place) for place in places}) == 900


def test_an_exact_name_wins_over_a_number(ladder: Experiment) -> None:
    first = replace(ladder.scenarios[0], name="3")
    renamed = replace(ladder, scenarios=(first, ladder.scenarios[1], replace(ladder.scenarios[2], name="other")))
    assert HandPlace.parse("3/7", renamed).scenario == 0
    assert HandPlace.parse("other/7", renamed).scenario == 2


def test_a_name_of_four_slashes_wins_over_coordinates(ladder: Experiment) -> None:
    renamed = replace(ladder, scenarios=(*ladder.scenarios[:2], replace(ladder.scenarios[2], name="1/1/5/0")))
    assert str(HandPlace.parse("1/1/5/0/0", renamed)) == "3/1/0/0/0"


REFUSED = {
    "-1": "there is no hand -1 in scenario '2/4': they are 0 to 299",
    "300": "there is no hand 300 in scenario '2/4': they are 0 to 299",
    "9" * 5000: "is no number of a hand",
    "3/300": "there is no hand 300 in scenario '3': they are 0 to 299",
    "many": "'many' is no number of a hand: a place is N, SCENARIO/N or SCENARIO/MATCH/BLOCK/REPLICA/HAND",
    "": "'' is no number of a hand",
    "1.5": "'1.5' is no number of a hand",
    "1/": "'' is no number of a hand",
    "2/4": "'2/4' names a scenario but no hand of it: the first is 2/4/0",
    "/1": "there is no scenario '' (the run has 3, numbered from 1)",
    "0/1": "there is no scenario 0: the run has 3, numbered from 1",
    "-1/1": "there is no scenario -1: the run has 3, numbered from 1",
    "4/1": "there is no scenario 4: the run has 3, numbered from 1",
    "ante 0.4, hero limit 7/1": "no scenario 'ante 0.4, hero limit 7' (did you mean 'ante 0.40, hero limit 7'?)",
    "2/5/1/5/0/0": "there is no scenario '2/5' (did you mean '2/4'?)",
    "1/2/5/0/0": "there is no match 2 in scenario '2/4': it has one, number 1",
    "1/1/5/1/0": "there is no replica 1 in a block of scenario '2/4': the only one is 0",
    "1/1/300/0/0": "there is no block 300 in scenario '2/4': they are 0 to 299",
    "1/1/-5/0/0": "there is no block -5 in scenario '2/4': they are 0 to 299",
    "1/1/5/0/1": "there is no hand 1 in a block of scenario '2/4': the only one is 0",
    "3/1/3/0/0": "there is no block 3 in scenario '3': they are 0 to 2",
    "3/1/2/0/100": "there is no hand 100 in a block of scenario '3': they are 0 to 99",
    "1/1/five/0/0": "'five' is no number of a block",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:40])
def test_what_is_no_place_is_a_sentence(ladder: Experiment, text: str) -> None:
    with pytest.raises(ValueError) as refused:
        HandPlace.parse(text, ladder)
    assert REFUSED[text] in str(refused.value)


def test_of_one_scenario_and_of_equal_names_it_says_so(ladder: Experiment) -> None:
    (first, *_) = ladder.scenarios
    with pytest.raises(ValueError, match="there is no scenario 2: the run has one, number 1"):
        replace(ladder, scenarios=(first,)).scenario_index("2")
    with pytest.raises(ValueError, match="2 scenarios are named '2/4': say which by its number"):
        replace(ladder, scenarios=(first, first)).scenario_index("2/4")


# In the program


@pytest.fixture(scope="module")
def two_scenarios(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of a scenario of single hands and one of sessions of 50 that may end early."""
    out = tmp_path_factory.mktemp("results")
    config = out / "two.yaml"
    sweep = "sweep: {session: [{hands: 1}, {hands: 50, stacks: carry}]}"
    config.write_text(QUICKSTART.read_text().replace("stack: 100", "stack: 5") + sweep)
    razz_sim.run(config, hands=1000, runner="local", out=out)
    return next((out / "quickstart").iterdir())


def test_a_hand_of_any_scenario_is_shown_by_number_name_or_coordinates(two_scenarios: Path) -> None:
    title = "quickstart, hands 50 stacks carry, hand 101 (2/1/2/0/1): 2.00/4.00"
    for where in ("2/101", "hands 50 stacks carry/101", "2/1/2/0/1", "hands 50 stacks carry/1/2/0/1"):
        assert program("hand", two_scenarios, where).stdout.startswith(title)


def test_no_two_hands_of_a_run_have_one_id(two_scenarios: Path) -> None:
    for form, id_line in (("phh", "_id = "), ("pokerstars", "PokerStars Hand #")):
        shown = [program("hand", two_scenarios, where, "--format", form).stdout for where in ("1/3", "2/3", "2/4")]
        ids = {line for text in shown for line in text.splitlines() if line.startswith(id_line)}
        assert len({line.split(":")[0] for line in ids}) == 3


NO_HANDS = {
    "-1": "there is no hand -1 in scenario 'hands 1': they are 0 to 999",
    "1000": "there is no hand 1000 in scenario 'hands 1': they are 0 to 999",
    "hands 50 stack carry/3": "did you mean 'hands 50 stacks carry'?",
    "2/1/0/0/50": "there is no hand 50 in a block of scenario 'hands 50 stacks carry': they are 0 to 49",
    "1/2/0/0/0": "there is no match 2",
    "1/1/0/1/0": "there is no replica 1",
    "last": "'last' is no number of a hand",
}


@pytest.mark.parametrize("where", NO_HANDS)
def test_what_is_no_hand_is_a_sentence_and_exit_code_2(two_scenarios: Path, where: str) -> None:
    done = program("hand", two_scenarios, where)
    assert (done.exit_code, done.stdout) == (2, "")
    assert NO_HANDS[where] in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_hands_are_picked_from_a_scenario_by_name_or_number(two_scenarios: Path, tmp_path: Path) -> None:
    shown = {}
    for which in ("2", "hands 50 stacks carry"):
        options = ("--scenario", which, "--where", "side_pots", "--limit", 2, "--format", "phh")
        done = program("hands", two_scenarios, *options, "--out", tmp_path / which)
        assert done.stderr.strip() == f"2 hands in {tmp_path / which}; more may follow: --limit is 2"
        shown[which] = {path.name: path.read_text() for path in (tmp_path / which).iterdir()}
    assert shown["2"] == shown["hands 50 stacks carry"]
    assert all(name.startswith("2-") and name.endswith(".phh") for name in shown["2"])
    done = program("hands", two_scenarios, "--scenario", 3)
    assert (done.exit_code, done.stderr) == (2, "there is no scenario 3: the run has 2, numbered from 1\n")


def test_a_run_of_some_blocks_shows_hands_of_these_only(tmp_path: Path) -> None:
    blocks = ("--hands", 100, "--blocks", "50:60")
    assert program("run", QUICKSTART, *blocks, "--runner", "local", "--out", tmp_path, "--quiet").exit_code == 0
    folder = next((tmp_path / "quickstart").iterdir())
    assert program("hand", folder, 50).exit_code == 0
    done = program("hand", folder, 60)
    assert done.exit_code == 2
    assert "has only hands 50 to 59 of scenario '2/4'" in done.stderr
    listed = program("hands", folder, "--where", "pot > 0").stdout
    assert "(1/1/50/0/0)" in listed
    assert "(1/1/0/0/0)" not in listed
