"""`check`: every strategy that comes along passes, and each bad bot is caught for the right reason.

The short form looks quickly, at a seventh of the bad bots; the long one thoroughly and at all:
`RAZZ_SIM_LONG=1 python -m pytest tests/test_check.py`, some six minutes on one core.
"""

from __future__ import annotations

import os
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner
from zoo import ZOO, array, compiled, python

from razz_sim.batch import play_batch
from razz_sim.cards import NO_CARD
from razz_sim.checking import TOPICS, check, situations_of
from razz_sim.checking.situations import BETTING, SESSIONS, STAKES
from razz_sim.checking.tap import change_hidden_cards
from razz_sim.cli import app
from razz_sim.experiment import Batch, Limits, Scenario
from razz_sim.hand import Hand
from razz_sim.rules import MAX_SEATS, MIN_SEATS, PRESETS
from razz_sim.strategy import StrategyError, builtin_names
from razz_sim.table.single import view_of_hand
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS
from razz_sim.testing import check_strategy
from razz_sim.view import VIEW

BOTS = Path(__file__).parent / "bots"
LONG = "RAZZ_SIM_LONG" in os.environ


@pytest.mark.parametrize("name", builtin_names())
def test_every_strategy_that_comes_along_passes(name: str) -> None:
    check_strategy(f"razz_sim.strategies.{name}:{name}", thorough=LONG)


@pytest.mark.parametrize("name", ["tight_in_python", "tight_in_rows"])
def test_strategies_of_other_kinds_pass(name: str) -> None:
    check_strategy(f"{name}.py:Tight", relative_to=BOTS, thorough=LONG, limit=7)


@pytest.mark.parametrize("name", list(ZOO)[:: 1 if LONG else 10])
def test_a_bad_bot_is_caught_for_the_right_reason(name: str, tmp_path: Path) -> None:
    bad = ZOO[name]
    (tmp_path / "bot.py").write_text(bad.text)
    limits = Limits(decision_ms=bad.decision_ms)
    report = check("bot.py:bot", relative_to=tmp_path, thorough=bad.thorough, limits=limits)
    assert report.bad()[:1] == (bad.topic,), str(report)
    assert bad.words in next(str(finding) for finding in report.findings if finding.topic == bad.topic)


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    return done.exit_code, done.stdout, done.stderr


def test_the_command_tells_what_it_looked_at() -> None:
    code, shown, errors = run("check", "caller")
    assert (code, errors) == (0, "")
    lines = shown.splitlines()
    assert [line[2:20].strip() for line in lines[2:]] == list(TOPICS)
    assert {line[0] for line in lines[2:]} == {"✓"}


def test_the_command_shows_the_hand_that_went_wrong(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(compiled("return 7 if view.street == params.at else STAY", DECLARED))
    spec = f"{tmp_path}/bot.py:bot"
    code, shown, errors = run("check", spec, "--quick", "--set", "at=5")
    assert code == 1
    assert "2 of 10 things looked at are wrong" in errors
    command = shown.split("see it: razz-sim ")[1].splitlines()[0]
    assert f"check {spec} --set at=5 --hand " in command
    code, shown, _ = run(*command.split())
    assert code == 0
    assert "Fifth street" in shown
    assert "its answer 7 is not FOLD" in shown


ARRAYS = {
    "return np.full(len(views), RAISE)": "it answered RAISE where it may",
    "a = np.ones(len(views), dtype=int)\na[views['street'] == 6] = -98\nreturn a": "act_batch answered -98",
    "if (views['street'] == 6).any():\n    raise ValueError(6)\nreturn np.ones(len(views), dtype=int)": "ValueError: 6",
    "if (views['street'] == 6).any():\n    raise SystemExit(0)\nreturn np.ones(len(views), dtype=int)": "SystemExit: 0",
}


@pytest.mark.parametrize("body", ARRAYS)
def test_a_hand_of_an_array_strategy_is_shown_as_it_went_wrong(body: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(array(body))
    found = check(f"{tmp_path}/bot.py:bot", thorough=False)
    legal = next(str(finding) for finding in found.findings if finding.topic == "legal answers")
    assert legal.startswith("✗ legal answers")
    assert ARRAYS[body] in legal
    street = "sixth street" if "6" in body else "third street"
    assert f"{street}, seat" in legal
    assert f"{street}, pot" in legal, "the view is that of the decision"
    code, shown, _ = run(*legal.split("see it: razz-sim ")[1].split())
    assert code == 0
    assert ARRAYS[body] in shown
    assert "is to act and may" in shown


DECLARED = "@strategy(at=whole(9, 3, 9, 'on which street it goes wrong; 9: never'))"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nobody",), "'nobody' is not a strategy"),
        (("tight", "--set", "limit=99"), "limit: 99 is not from 3 to 13"),
        (("tight", "--set", "limit=true"), "limit: true is not a whole number"),
        (("tight", "--set", "limt=9"), "did you mean 'limit'?"),
        (("tight", "--set", "limit"), "must be name=value"),
        (("nowhere.py:bot",), "cannot read nowhere.py"),
        (("tight", "--hand", "99/0"), "there is no scenario 99"),
    ],
)
def test_what_names_nothing_is_wrong_input(arguments: tuple[str, ...], sentence: str) -> None:
    code, shown, errors = run("check", *arguments)
    assert (code, shown) == (2, "")
    assert sentence in errors


def test_the_helper_raises_the_report(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(python("return 9"))
    with pytest.raises(AssertionError, match="✗ legal answers"):
        check_strategy("bot.py:bot", relative_to=tmp_path)
    with pytest.raises(StrategyError, match="has no parameter 'limit'"):
        check_strategy("bot.py:bot", relative_to=tmp_path, limit=7)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "if view.street == 6:\n    while True:\n        pass\nreturn STAY",
            "did not answer within decision_ms",
        ),
        ("if view.street == 6:\n    import os\n    os._exit(3)\nreturn STAY", "it ended with exit code 3"),
    ],
)
def test_the_hand_in_which_it_hung_or_crashed_is_shown(body: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(python(body))
    spec = f"{tmp_path}/bot.py:bot"
    report = str(check(spec, thorough=False, limits=Limits(decision_ms=50)))
    assert sentence in report
    assert "sixth street, seat " in report
    assert "(view.seat " in report
    code, shown, _ = run(*report.split("see it: razz-sim ")[1].splitlines()[0].split())
    assert code == 0
    assert "Sixth street" in shown
    assert "not asked here" in shown


def test_what_it_was_told_is_shown_where_observing_fails(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(python("return STAY", more="def observe(self, outcome):\n    1 / 0"))
    report = str(check("bot.py:bot", relative_to=tmp_path, thorough=False))
    assert "when told how it ended" in report
    assert "the hand is over" in report
    assert "owes the bring-in" not in report


def test_draws_that_are_seeded_each_time_are_let_pass_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        python("random.seed(int(u))\nreturn raise_or_stay(view) if random.random() < 0.3 else STAY")
    )
    report = check("bot.py:bot", relative_to=tmp_path, thorough=False)
    assert report.good, str(report)
    assert "seeded each time: uniform(u, 0) is safer" in str(report)


GOOD = {
    "python with memory of its own": python(
        "self.pots += view.pot > 500\n"
        "return raise_or_stay(view) if self.pots % 3 == 1 and uniform(u, 0) < 0.7 else STAY",
        more="def __init__(self):\n    self.pots = 0\n\ndef observe(self, outcome):\n    self.pots += outcome.showdown",
    ),
    "compiled with memory and an observer": compiled(
        "memory[0] += 1\nreturn raise_or_stay(view) if memory[1] % 2 == 0 else STAY",
        "@strategy(memory=2, observe=told)",
        "def told(outcome, params, memory):\n    memory[1] += outcome.net[outcome.seat] > 0",
    ),
    "arrays with memory and an observer": array(
        "memory[:, 0] += 1\n"
        "dice = (uniform(u, 0) < 0.4) & (memory[:, 1] % 2 == 0)\n"
        "return np.where((views['raise_min'] > 0) & dice, RAISE, STAY)",
        "@strategy(memory=2)",
        "def observe_batch(self, outcomes, memory):\n    memory[:, 1] += outcomes['showdown']",
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_copies_remember_by_the_rules_is_well(name: str, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(GOOD[name])
    check_strategy("bot.py:bot", relative_to=tmp_path)


# The situations


def test_the_situations_have_every_preset_structure_and_table() -> None:
    scenarios = situations_of("tight", {}).scenarios
    assert {(rules_of(one), one.rules.betting) for one in scenarios} >= set(product(PRESETS, BETTING))
    assert {one.seats for one in scenarios} == set(range(MIN_SEATS, MAX_SEATS + 1))
    assert {one.stakes for one in scenarios} == set(STAKES)
    assert {one.session for one in scenarios} == set(SESSIONS.values())
    companies = {tuple(entrant.strategy.function for entrant in one.lineup[1:]) for one in scenarios}
    assert companies >= {(), ("caller",), ("random",), ("maniac",), ("tight",)}


def rules_of(scenario: Scenario) -> str:
    """The preset that a situation's rules come from, if it is one with another structure."""
    return scenario.rules.describe().split(" with betting ")[0]


def test_odd_things_happen_in_the_situations() -> None:
    experiment = situations_of("random", {})
    totals = np.zeros(len(TABLE_COLUMNS), dtype=np.int64)
    dealt_out = 0
    for index, scenario in enumerate(experiment.scenarios):
        blocks = min(scenario.blocks, 40)
        batch = Batch(scenario=index, bin=0, first=0, stop=blocks, hands=blocks * scenario.session.hands)
        counted = play_batch(scenario, experiment.seed, batch)
        totals += counted.table
        hands = counted.table[TABLE_COLUMNS.index("hands")]
        dealt_out += hands * scenario.seats - counted.entrants[:, ENTRANT_COLUMNS.index("hands")].sum()
    happened = dict(zip(TABLE_COLUMNS, totals.tolist(), strict=True))
    for what in ("side_pots", "split_pots", "all_ins", "capped_rounds", "community_cards", "walks"):
        assert happened[what] > 10, what
    assert dealt_out > 10, "no seat went broke in a session that went on"


def test_all_that_a_seat_cannot_see_is_changed_and_its_view_is_not() -> None:
    scenario = situations_of("tight", {}).scenarios[0]
    hand = Hand(scenario.rules, scenario.stakes, [4000] * 4, dealer=0, cards=5).record
    before, views = hand.copy(), np.zeros(2, dtype=VIEW)
    view_of_hand(hand, views[0])
    change_hidden_cards(hand, random.Random(1))
    view_of_hand(hand, views[1])
    assert views[0].tobytes() == views[1].tobytes()
    seat = int(hand["seat"])
    for other in range(4):
        assert (hand["hole"][other] == before["hole"][other]).all() == (other == seat)
    cards = [int(card) for card in (*hand["hole"].flat, *hand["up"].flat) if card != NO_CARD]
    assert len(set(cards)) == len(cards)
