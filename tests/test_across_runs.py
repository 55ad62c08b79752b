"""Finished runs side by side: differences block by block where the deals are the same, by their errors where not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import razz_sim
from razz_sim.cli import comparing as cli
from razz_sim.statistics import AcrossRuns, across_runs
from razz_sim.tally import ENTRANT_COLUMNS

NET = ENTRANT_COLUMNS.index("net")
STAKES = {"ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8}
ASKED: dict[str, Any] = {
    "name": "side",
    "seed": 3,
    "hands": 800,
    "stakes": STAKES,
    "lineup": [{"name": "hero", "strategy": "tight"}, {"name": "fish", "strategy": "caller", "seats": 2}],
}
SEVEN = {**ASKED, "lineup": [{**ASKED["lineup"][0], "params": {"limit": 7}}, ASKED["lineup"][1]]}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, razz_sim.Run]:
    out = tmp_path_factory.mktemp("out")
    doubled = {key: 2 * amount for key, amount in STAKES.items()}
    asked = {
        "eight": ASKED,
        "seven": SEVEN,
        "longer": {**SEVEN, "hands": 3000},
        "other deals": {**SEVEN, "seed": 4},
        "doubled": {**ASKED, "stakes": doubled},
        "one hand": {**ASKED, "hands": 1},
        "strangers": {**ASKED, "lineup": [{"strategy": "rock"}, {"strategy": "maniac"}]},
        "swept": {**ASKED, "sweep": {"stack": [50, 100]}},
        "swept, seven": {**SEVEN, "sweep": {"stack": [100, 25]}},
        "broke, seven": {**SEVEN, "session": {"hands": 40, "stacks": "carry"}, "stack": 2},
        "broke": {**ASKED, "session": {"hands": 40, "stacks": "carry"}, "stack": 2},
    }
    return {name: razz_sim.run(keys, out=out / name, runner="local") for name, keys in asked.items()}


def compared(runs: dict[str, razz_sim.Run], *names: str) -> list[AcrossRuns]:
    return across_runs([(runs[name].experiment(), runs[name].tallies) for name in names])


def nets(run: razz_sim.Run, place: int, blocks: int = 800) -> np.ndarray:
    """Net by block: there are as many bins."""
    found: np.ndarray = run.tallies[0].entrants[:blocks, place, NET]
    return found


@pytest.mark.parametrize(("place", "name", "seats"), [(0, "hero", 1), (1, "fish", 2)])
def test_the_same_deals_are_compared_block_by_block(
    runs: dict[str, razz_sim.Run], place: int, name: str, seats: int
) -> None:
    rows = compared(runs, "eight", "seven")
    row = rows[place]
    off = (nets(runs["seven"], place) - nets(runs["eight"], place)) / seats / STAKES["big_bet"] * 100
    (change,) = row.changes
    assert change is not None
    assert (row.scenario, row.entrant, change.paired, change.blocks) == ("", name, True, 800)
    assert change.difference.value == pytest.approx(off.mean())
    assert change.difference.std_error == pytest.approx(off.std(ddof=1) / np.sqrt(800))
    assert change.p == pytest.approx(stats.ttest_1samp(off, 0).pvalue, abs=1e-9)
    rates = [runs[run].summary["scenarios"][0]["entrants"][place]["bb_per_100"] for run in ("eight", "seven")]
    assert [rate and rate.value for rate in row.rates] == rates


def test_a_run_and_itself_do_not_differ(runs: dict[str, razz_sim.Run]) -> None:
    for row in compared(runs, "eight", "eight"):
        (change,) = row.changes
        assert change is not None
        assert (change.difference.value, change.difference.ci95, change.p) == (0, (0, 0), 1)


def test_of_a_longer_run_the_blocks_that_both_have_are_compared(runs: dict[str, razz_sim.Run]) -> None:
    """Its bins are of four blocks: so are the pieces, and those of 800 blocks that both have whole."""
    row, *_ = compared(runs, "eight", "longer")
    (change,) = row.changes
    assert change is not None
    assert (change.paired, change.blocks) == (True, 800)
    off = (nets(runs["seven"], 0) - nets(runs["eight"], 0)).reshape(-1, 4).sum(axis=1) / 4 / STAKES["big_bet"] * 100
    assert change.difference.value == pytest.approx(off.mean())
    assert change.difference.std_error == pytest.approx(off.std(ddof=1) / np.sqrt(200))


def test_other_deals_are_compared_by_their_errors(runs: dict[str, razz_sim.Run]) -> None:
    row, *_ = compared(runs, "eight", "other deals")
    (change,) = row.changes
    assert change is not None
    one, two = (nets(runs[name], 0) / STAKES["big_bet"] * 100 for name in ("eight", "other deals"))
    found = stats.ttest_ind(two, one, equal_var=False)
    assert (change.paired, change.blocks) == (False, 0)
    assert change.p == pytest.approx(found.pvalue, rel=1e-3)
    assert change.difference.ci95 == pytest.approx(tuple(found.confidence_interval()), rel=1e-3)


def test_stakes_are_compared_in_big_bets(runs: dict[str, razz_sim.Run]) -> None:
    for row in compared(runs, "eight", "doubled"):
        (change,) = row.changes
        assert change is not None
        assert (change.difference.value, change.paired) == (pytest.approx(0, abs=1e-9), True)


def test_scenarios_are_the_same_by_name(runs: dict[str, razz_sim.Run]) -> None:
    rows = compared(runs, "swept", "swept, seven")
    assert [(row.scenario, row.entrant) for row in rows] == [("stack 100", "hero"), ("stack 100", "fish")]
    assert compared(runs, "swept", "eight") == []


def test_sessions_that_end_early_are_compared_by_the_hands_that_were_played(runs: dict[str, razz_sim.Run]) -> None:
    assert runs["broke"].summary["hands"] < 800
    for row in compared(runs, "broke", "broke, seven"):
        (change,) = row.changes
        assert change is not None
        assert (change.paired, change.blocks) == (True, 20)
        one, other = row.rates
        assert one is not None
        assert other is not None
        assert change.difference.value == pytest.approx(other.value - one.value)
        assert change.difference.std_error


def test_who_is_in_one_of_several_only_has_a_gap(runs: dict[str, razz_sim.Run]) -> None:
    row, *_ = compared(runs, "eight", "strangers", "seven")
    assert row.rates[1] is None
    assert row.changes[0] is None
    assert row.changes[1] is not None


def test_one_hand_tells_no_error(runs: dict[str, razz_sim.Run]) -> None:
    row, *_ = compared(runs, "one hand", "other deals")
    (change,) = row.changes
    assert change is not None
    assert (change.difference.std_error, change.p) == (None, None)


# The program


def razz_sim_compare(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli.app, ["compare", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_it_prints_what_differs_and_by_how_much(runs: dict[str, razz_sim.Run]) -> None:
    code, shown, _ = razz_sim_compare(runs["eight"].folder, runs["seven"].folder)
    assert code == 0
    flat = " ".join(shown.split())
    assert "2 differs from 1 in lineup[0].params.limit: 8 in 1, 7 in 2" in flat
    (row, *_) = compared(runs, "eight", "seven")
    assert row.changes[0] is not None
    assert f"{row.changes[0].difference.value:+.1f} ± " in flat
    assert max(map(len, shown.splitlines())) <= 80


def test_its_json_has_every_figure(runs: dict[str, razz_sim.Run]) -> None:
    code, shown, _ = razz_sim_compare(runs["eight"].folder, runs["seven"].folder, "--json")
    found = json.loads(shown)
    assert code == 0
    assert found["runs"] == [str(runs[name].folder) for name in ("eight", "seven")]
    (row, *_) = compared(runs, "eight", "seven")
    assert row.changes[0] is not None
    assert found["entrants"][0]["changes"][0]["difference"]["value"] == row.changes[0].difference.value


def test_what_cannot_be_compared_is_wrong_input(runs: dict[str, razz_sim.Run], tmp_path: Path) -> None:
    sentence = "compare takes two runs or more: razz-sim compare RUN RUN\n"
    assert razz_sim_compare(runs["eight"].folder)[::2] == (2, sentence)
    code, _, told = razz_sim_compare(runs["eight"].folder, tmp_path)
    assert (code, str(tmp_path) in told) == (2, True)
    code, _, told = razz_sim_compare(runs["eight"].folder, runs["strangers"].folder)
    assert (code, "no entrant of the others has the name of one in" in told) == (2, True)
    code, _, told = razz_sim_compare(runs["swept"].folder, runs["eight"].folder)
    assert (code, "no scenario of the others has the name of one in" in told) == (2, True)


def test_runs_that_ended_by_who_is_ahead_are_said_to(tmp_path: Path) -> None:
    runs = []
    for rule in ({"difference": ["hero", "fish"], "half_width": 50}, {"anytime": ["hero", "fish"]}):
        lineup = [{"name": "hero", "strategy": "tight"}, {"name": "fish", "strategy": "caller"}]
        asked = {"name": "ended", "hands": 4000, "stakes": "pokerstars_2_4", "lineup": lineup, "stop": rule}
        runs.append(str(razz_sim.run(asked, out=tmp_path, runner="local").folder))
    words = " ".join(CliRunner().invoke(cli.app, ["compare", *runs]).stdout.split())
    assert words.endswith(
        "2 ended by a rule that looks at who is ahead: intervals and chances are meant for a length fixed before"
    )
