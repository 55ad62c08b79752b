"""`razz-sim icm` as a user meets it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from razz_sim.cli import app


def razz_sim(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["icm", *map(str, arguments)])


def test_the_command_prints_what_the_documentation_shows() -> None:
    shown = (Path(__file__).parent.parent / "docs" / "tournaments.md").read_text(encoding="utf-8")
    done = razz_sim("hero=5000", "villain=3000", "2000", "--prizes", "50,30,20")
    assert done.exit_code == 0
    assert f"$ razz-sim icm hero=5000 villain=3000 2000 --prizes 50,30,20\n{done.stdout.strip()}\n" in shown


@pytest.mark.parametrize(
    "asked",
    [
        ("--prizes", "500,300,200"),
        ("--prizes", "50%, 30%, 20%", "--pool", 1000),
        ("--prizes", "50,30,20", "--pool", "1000"),
    ],
)
def test_amounts_and_percents_mean_the_same(asked: Sequence[object]) -> None:
    found = json.loads(razz_sim("hero=5000", 3000, 2000, *asked, "--json").stdout)
    assert (found["method"], found["pool"], found["prizes"]) == ("exact", 1000, [500, 300, 200])
    hero = found["players"][0]
    assert (hero["name"], hero["chips"], hero["chip_share"], hero["ci95"]) == ("hero", 5000, 0.5, None)
    assert (hero["prize"], hero["pool_share"]) == pytest.approx((383.92857, 0.38392857))
    assert hero["places"] == pytest.approx([1 / 2, 19 / 56, 9 / 56])
    assert [player["name"] for player in found["players"]] == ["hero", "2", "3"]


def test_many_players_are_exact_too() -> None:
    found = json.loads(razz_sim(*range(100, 2100, 100), "--prizes", "50,30,20", "--json").stdout)
    assert (found["method"], found["samples"], found["seed"]) == ("exact", None, None)
    assert sum(player["prize"] for player in found["players"]) == pytest.approx(100, rel=1e-12)
    assert {player["places"] for player in found["players"]} == {None}


def test_sampled_values_are_printed_with_their_intervals() -> None:
    many = range(100, 2100, 100)
    done = razz_sim(*many, "--prizes", "50,30,20", "--seed", 5, "--samples", 20_000)
    assert "from 20,000 finishing orders, seed 5" in done.stdout
    assert done.stdout.count(" ± ") == 20
    asked = json.loads(razz_sim(*many, "--prizes", "50,30,20", "--samples", "3000", "--json").stdout)
    assert (asked["method"], asked["samples"], asked["seed"]) == ("sampled", 3000, 0)
    low, high = asked["players"][19]["ci95"]
    assert low < asked["players"][19]["prize"] < high
    rare = (10**6, 100, 90, 80, "--prizes", "50,30,20", "--samples", 1000)
    assert json.loads(razz_sim(*rare, "--json").stdout)["players"][0]["ci95"] is None
    assert "none for who was drawn too seldom" in " ".join(razz_sim(*rare).stdout.split())
    assert "none for who" not in done.stdout
    assert " ± " in razz_sim(3, 2, 1, "--prizes", "50,30,20", "--samples", 1000).stdout, "few players where asked for"


MISTAKES: dict[str, tuple[Sequence[object], str]] = {
    "no chips": ((0, 0, "--prizes", "5"), "no player has chips"),
    "below 0": ((5, "-3", "--prizes", "5"), "stack -3: chips must not be below 0"),
    "a name below 0": ((5, "hero=-3", "--prizes", "5"), "stack hero=-3: chips must not be below 0"),
    "no number": (("5k", 3, "--prizes", "5"), "stack 5k: chips must be a whole number, for one 5000"),
    "no name": (("=5", 3, "--prizes", "5"), "before = must be a name"),
    "twice": (("a=5", "a=3", "--prizes", "5"), "there are two players called a"),
    "more prizes": ((5, 3, "--prizes", "3,2,1"), "3 prizes are more than the 2 players"),
    "no prize": ((5, 3, "--prizes", ""), "'' must be a number"),
    "a gap": ((5, 3, "--prizes", "5,,1"), "--prizes 5,,1: '' must be a number"),
    "nothing to win": ((5, 3, "--prizes", "0,0"), "there is nothing to win"),
    "percents": ((5, 3, "--prizes", "50%,30%"), "percents must sum to 100, not 80"),
    "almost": ((5, 3, 2, "--prizes", "33.33%,33.33%,33.33%"), "not 99.99"),
    "mixed": ((5, 3, "--prizes", "50%,50"), "all in percent or all amounts"),
    "amounts of a pool": ((5, 3, "--prizes", "60,50", "--pool", 110), "not 110; for amounts leave --pool out"),
    "pool": ((5, 3, "--prizes", "60,40", "--pool", "much"), "--pool much: 'much' must be a number"),
    "an empty pool": ((5, 3, "--prizes", "60,40", "--pool", "0"), "--pool 0: must be above 0"),
    "few samples": ((5, 3, "--prizes", "60,40", "--samples", 5), "samples 5 must be at least 1000"),
    "no samples": ((5, 3, "--prizes", "60,40", "--samples", "many"), "--samples many: must be a whole number"),
    "seed": ((5, 3, "--prizes", "60,40", "--seed", "x"), "--seed x: must be a whole number"),
    "an option": ((5, 3, "--prizes", "60,40", "--sede", "3"), "there is no option --sede"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_a_sentence_and_exit_code_2(mistake: str) -> None:
    arguments, sentence = MISTAKES[mistake]
    done = razz_sim(*arguments)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert not done.stdout


def test_stacks_and_prizes_must_be_given() -> None:
    assert razz_sim("--prizes", "5").exit_code == 2
    assert razz_sim(5, 3).exit_code == 2
    assert "razz-sim icm hero=5000" in razz_sim("--help").stdout
