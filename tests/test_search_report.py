"""What a search tells: what would be played, the winner in words, tables of rounds and points, the page, the bar."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from report_pages import Element, agrees, read, table_of
from rich.console import Console
from test_stopped_report import FAILING, Bar
from typer.testing import CliRunner

import razz_sim
from razz_sim.cli import app, playing
from razz_sim.conduct import open_folder, play_into
from razz_sim.config import experiment_from_dict, load_experiment
from razz_sim.course import Course
from razz_sim.report import charts, print_report
from razz_sim.report.page import page
from razz_sim.report.searching import MOST_POINTS, fresh, last_rounds, search_answer, went_out
from razz_sim.statistics import asked

ROOT = Path(__file__).parent.parent
STAKES = {"name": "2/4", "ante": 0.2, "bring_in": 1, "small_bet": 2, "big_bet": 4}
OVER = {"lineup[0].params.limit": {"low": 5, "high": 12}, "stack": [5, 50]}
SEARCH: dict[str, Any] = {"best": "hero", "over": OVER, "points": 12, "again": 700}
BASE: dict[str, Any] = {
    "name": "looking",
    "seed": 3,
    "hands": 1600,
    "stakes": STAKES,
    "lineup": [{"name": "hero", "strategy": "tight"}, {"strategy": "caller"}],
    "search": SEARCH,
}
BY_HAND = 12 * 200 + 6 * 200 + 3 * 400 + 2 * 800 + 700
"""Hands of the rounds, in each of which the better half goes on to twice as many, and of the winner again."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> razz_sim.Run:
    return razz_sim.run(BASE, out=tmp_path_factory.mktemp("looking"), runner="local")


@pytest.fixture(scope="module")
def shown(found: razz_sim.Run) -> Element:
    return read(page(found))


@pytest.fixture(scope="module")
def with_failure(tmp_path_factory: pytest.TempPathFactory) -> razz_sim.Run:
    """A search among four points of which one fails."""
    out = tmp_path_factory.mktemp("failed")
    (out / "bots.py").write_text(FAILING)
    lineup = [{"name": "bot", "strategy": f"{out}/bots.py:bot"}, {"strategy": "caller"}]
    search = {"best": "bot", "over": {"lineup[0].params.at": [1, 2, 3, 4]}, "points": 4}
    return razz_sim.run({**BASE, "hands": 400, "lineup": lineup, "search": search}, out=out, runner="local")


def printed(summary: Any, width: int = 100, *, details: bool | None = None) -> str:
    file = io.StringIO()
    print_report(summary, Console(file=file, width=width), details=details, run="RUN")
    return file.getvalue()


def in_a_line(text: str) -> str:
    return " ".join(text.split())


# Before it is played


def validated(tmp_path: Path, **keys: Any) -> str:
    path = tmp_path / "search.json"
    path.write_text(json.dumps({**BASE, **keys}))
    done = CliRunner().invoke(app, ["validate", str(path)])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_what_would_be_played_is_told_round_by_round(tmp_path: Path) -> None:
    text = validated(tmp_path)
    rows = [line.split() for line in text.splitlines()]
    assert ["1", "12", "200", "2,400"] in rows
    assert ["2", "6", "400", "1,200"] in rows
    assert ["3", "3", "800", "1,200"] in rows
    assert ["4", "2", "1,600", "1,600"] in rows
    assert f"the winner again, on fresh deals 1 700 700 in all {BY_HAND:,}" in in_a_line(text)
    assert asked(experiment_from_dict(BASE, Path()).experiment)["search"]["most_hands"] == BY_HAND
    assert f"is playable: at most {BY_HAND:,} hands" in text


def test_what_is_searched_over_is_told_from_the_lowest_value_to_the_highest(tmp_path: Path) -> None:
    words = in_a_line(validated(tmp_path, search={**SEARCH, "points": 16}))
    assert "search where hero wins most, among 16 points over hero limit and stack; 1 in 2 goes on" in words
    assert "hero limit: 5 to 12 in 8 values stack: 5 or 50" in words
    assert "hero: tight (limit 5 to 12 in 8 values)" in words
    assert "stacks 5 or 50 big bets" in words
    assert "scenarios" not in words


def test_matches_of_a_point_are_one_row(tmp_path: Path) -> None:
    lineup = [*BASE["lineup"], {"strategy": "stealer"}]
    text = validated(tmp_path, format="gauntlet", lineup=lineup, search={**SEARCH, "points": 2, "again": 600})
    assert ["1", "2", "3,200", "6,400"] in [line.split() for line in text.splitlines()]
    assert "in all 7,600" in in_a_line(text)


def test_what_is_documented_is_the_example() -> None:
    (shown,) = re.findall(r"```yaml\n(hands:.*?)```", (ROOT / "docs" / "sweeps.md").read_text("utf-8"), re.DOTALL)
    example = ROOT / "configs" / "search.yaml"
    documented = experiment_from_dict({**yaml.safe_load(example.read_text("utf-8")), **yaml.safe_load(shown)}, Path())
    assert documented.experiment == load_experiment(example).experiment


# The winner in words


def standing(point: str, rate: float, behind: tuple[float, float] | None, *, stays: bool = False) -> dict[str, Any]:
    """A point of a round: its rate, and how far it is behind, with half its interval."""
    told = None
    if behind is not None:
        told = {
            "difference": -behind[0],
            "std_error": behind[1] / 2,
            "ci95": [-behind[0] - behind[1], behind[1] - behind[0]],
        }
    return {
        "point": point,
        "bb_per_100": rate,
        "std_error": 1.0,
        "ci95": [rate - 2, rate + 2],
        "behind": told,
        "stays": stays,
    }


def search_of(
    *last_round: dict[str, Any], before: tuple[dict[str, Any], ...] = (), blocks: int = 1000
) -> dict[str, Any]:
    """A summary of a search, as far as its words need it."""
    leader = standing("hero limit 7, ante 1", 5.0, None, stays=True)
    of_first = [leader, *({**one, "stays": True} for one in last_round), *before]
    rounds = [{"hands": 500, "points": of_first}, {"hands": 1000, "points": [leader, *last_round]}]
    rate = {"bb_per_100": 4.0, "std_error": 0.75, "ci95": [2.5, 5.5]}
    table = {"seats": 2, "arrangements": 1, "session": None, "blocks": blocks, "hands": blocks}
    again = {**table, "name": "hero limit 7, ante 1, measured again", "fresh": True}
    return {
        "search": {
            "entrant": "hero",
            "factor": 2,
            "points": len(of_first),
            "most_hands": 3000,
            "same_deals": True,
            "rounds": rounds,
            "winner": {"point": leader["point"], "values": {}, "in_search": leader, "again": rate},
        },
        "scenarios": [{**table, "name": leader["point"]}, again],
    }


OPENING = (
    "points hero does best with limit 7, ante 1: +4.0 ± 1.5 big bets per 100 hands, measured again on 1,000 hands of "
    "fresh deals. Its rate in the search, +5.0 ± 2.0, is too high on average, because the best of many is partly lucky."
)


@pytest.mark.parametrize(
    ("others", "sure"),
    [
        ([("b", 2.0, 1.0)], "The other point of the last round did worse: b won 2.0 ± 1.0 less on the same deals."),
        (
            [("hero limit 9, ante 2", 2.0, 1.0), ("c", 4.0, 1.0)],
            "All others of the last round did worse: the next, limit 9, ante 2 won 2.0 ± 1.0 less on the same deals.",
        ),
        (
            [("b", 0.5, 1.0), ("c", 4.0, 1.0)],
            "After the last round it cannot be told apart from b: 0.5 ± 1.0 less on the same deals.",
        ),
        ([("b", 0.0, 0.0)], "After the last round it cannot be told apart from b: both won the same."),
        (
            [("b", 0.0, 0.0), ("c", 1.0, 1.0), ("d", 2.0, 1.0)],
            "After the last round it cannot be told apart from b and c on the same deals.",
        ),
        (
            [(name, 0.5, 1.0) for name in "bcdef"],
            "After the last round it cannot be told apart from 5 others of the 6 in the last round on the same deals.",
        ),
        ([], "No other point played the last round."),
    ],
)
def test_the_winner_is_told_with_how_sure_it_is(others: list[tuple[str, float, float]], sure: str) -> None:
    last_round = [standing(name, 5.0 - behind, (behind, error)) for name, behind, error in others]
    assert search_answer(search_of(*last_round)) == f"Of {len(others) + 1} {OPENING} {sure}"


def test_other_seats_are_other_deals() -> None:
    summary = search_of(standing("b", 3.0, (2.0, 1.0)))
    summary["search"]["same_deals"] = False
    assert search_answer(summary).endswith("b won 2.0 ± 1.0 less.")


def test_a_measuring_of_few_blocks_has_no_interval() -> None:
    words = search_answer(search_of(standing("b", 3.0, (2.0, 1.0)), blocks=20))
    assert "ante 1: +4.0 big bets per 100 hands, measured again on 20 hands of fresh deals, too few for an" in words


def test_those_that_went_out_undecided_are_counted() -> None:
    out = (standing("x", 4.0, (1.0, 2.0)), standing("y", 4.0, (1.0, 1.5)), standing("z", -4.0, (9.0, 1.0)))
    words = went_out(search_of(standing("b", 3.0, (2.0, 1.0)), before=out)["search"])
    assert words.startswith("Of the 3 that went out before the last round 2 could not be told apart")
    assert went_out(search_of(before=out[2:])["search"]) == ""


# In a terminal


def test_each_point_is_where_it_went_out_best_first(found: razz_sim.Run) -> None:
    rounds = found.summary["search"]["rounds"]
    last = last_rounds(found.summary["search"])
    order = [(one.round, one.found["point"]) for one in last]
    left = [[one["point"] for one in told["points"] if not one["stays"]] for told in rounds]
    by_hand = [(len(rounds), found.summary["search"]["winner"]["point"])]
    for number in range(len(rounds), 0, -1):
        by_hand += [(number, point) for point in left[number - 1]]
    assert order == by_hand
    assert len({point for _, point in order}) == 12
    assert not any(one.failed for one in last[1:])


def test_the_report_has_the_rounds_and_the_best_points_and_no_scenarios(found: razz_sim.Run) -> None:
    summary, text = found.summary, printed(found.summary)
    search, words = summary["search"], in_a_line(text)
    assert search_answer(summary) in words
    assert f"hands {summary['hands']:,} of at most {BY_HAND:,}, seed 3" in words
    assert "mean pot" not in words
    assert "showdown" not in words
    rate = r"[+-][\d.]+ ± +[\d.]+"
    for number, one in enumerate(search["rounds"], start=1):
        leader = one["points"][0]["point"].removeprefix("hero ")
        row = rf"^  {number} +{len(one['points'])} +{one['hands']:,} +{leader} +{rate} +{rate}$"
        assert re.search(row, text, re.MULTILINE), row
    winner = search["winner"]
    again = f"again 1 700 {winner['point'].removeprefix('hero ')} {winner['again']['bb_per_100']:+.1f} ± "
    assert again in words
    rows = [line for line in text.splitlines() if re.match(r"  limit \d+, stack \d+ ", line)]
    assert len(rows) == MOST_POINTS
    assert f"the best {MOST_POINTS} of 12, each after the last round that it played" in words
    assert max(map(len, printed(summary, 60).splitlines())) <= 60


def test_details_are_those_of_the_winner_s_measuring(found: razz_sim.Run) -> None:
    text = printed(found.summary, details=True)
    (measured,) = fresh(found.summary)
    assert text.count("mean pot") == 1
    assert f"{measured['name']}\n" in text
    assert measured["name"] == f"{found.summary['search']['winner']['point']}, measured again"


def test_a_point_that_failed_is_named_and_no_winner(with_failure: razz_sim.Run) -> None:
    (failure,) = with_failure.summary["failed"]
    words = in_a_line(printed(with_failure.summary))
    assert failure["scenario"] == "bot at 3"
    assert "1 scenario failed: bot at 3." in words
    assert f"see it: razz-sim hand RUN {failure['where']}" in words
    assert "bot at 3 was given up" in read(page(with_failure)).all("section", id="errors")[0].text
    assert "of at most" in words


# The page


def test_the_page_has_the_search_and_the_winner_in_detail(found: razz_sim.Run, shown: Element) -> None:
    (section,) = shown.all("section", id="search")
    (measured,) = fresh(found.summary)
    assert shown.all("a", href="#search")
    assert search_answer(found.summary) in section.text
    assert shown.all("section", id="compared") == []
    assert shown.all("a", href="#compared") == []
    ranking = shown.all("section", id="ranking")[0]
    assert [one.text for one in ranking.all("h3")] == [measured["name"]]
    assert f"1 of {len(found.summary['scenarios'])} scenarios is shown in detail: {measured['name']}" in section.text
    of_another = read(page(found, [found.summary["scenarios"][0]["name"]])).all("section", id="ranking")[0]
    assert [one.text for one in of_another.all("h3")] == [found.summary["scenarios"][0]["name"]]


def test_its_tables_are_the_summary_s(found: razz_sim.Run, shown: Element) -> None:
    (section,), search = shown.all("section", id="search"), found.summary["search"]
    rounds = table_of(section, "The rounds")
    assert list(rounds) == ["1", "2", "3", "4", "again"]
    for row, one in zip(rounds.values(), search["rounds"], strict=False):
        assert agrees(row["its bb/100"], one["points"][0]["bb_per_100"])
        assert agrees(row["the next, less that"], one["points"][1]["behind"]["difference"])
        assert (row["points"], row["hands of each"]) == (f"{len(one['points'])}", f"{one['hands']:,}")
    assert agrees(rounds["again"]["its bb/100"], search["winner"]["again"]["bb_per_100"])
    every = table_of(section, "All points")
    assert len(every) == 12
    for one in last_rounds(search):
        row = every[one.found["point"].removeprefix("hero ")]
        assert agrees(row["bb/100"], one.found["bb_per_100"])
        assert row["out after round"].startswith("won" if one.failed else str(one.round))
    assert list(table_of(section, f"The best {MOST_POINTS}")) == list(every)[:MOST_POINTS]


def test_two_numbers_have_a_map(found: razz_sim.Run, shown: Element) -> None:
    (section,) = shown.all("section", id="search")
    cells = table_of(section, "hero, bb/100 of each point")
    values = {name: tuple(point.values()) for name, point in found.summary["search"]["values"].items()}
    seen = {values[one.found["point"]]: one for one in last_rounds(found.summary["search"])}
    assert list(cells) in (["5", "50"], sorted(cells, key=int))
    for row, columns in cells.items():
        for column, text in columns.items():
            one = seen.get((row, column)) or seen.get((column, row))
            if one is None:
                assert text == "\N{EN DASH}"
            else:
                assert agrees(text, one.found["bb_per_100"])
                assert text.endswith(f"{one.hands:,}\N{NO-BREAK SPACE}hands")


def test_other_searches_have_no_map(with_failure: razz_sim.Run) -> None:
    (section,) = read(page(with_failure)).all("section", id="search")
    assert "of each point after its last round" not in section.text


def test_the_chart_has_every_point_of_every_round(found: razz_sim.Run) -> None:
    search = found.summary["search"]
    (axes,) = charts.search_chart(search, search["winner"]["again"]).axes
    drawn = sorted((x, y) for line in axes.lines[:12] for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True))
    assert drawn == sorted((one["hands"], at["bb_per_100"]) for one in search["rounds"] for at in one["points"])
    assert axes.get_xscale() == "log"
    low, high = axes.get_ylim()
    again = search["winner"]["again"]
    assert low < again["ci95"][0] < again["ci95"][1] < high
    assert axes.lines[-2].get_ydata()[0] == again["bb_per_100"] or axes.lines[-1].get_ydata()[0] == again["bb_per_100"]
    assert axes.get_xticklabels()[-1].get_text() == "again"


def test_matches_are_searched_and_shown(tmp_path: Path) -> None:
    lineup = [*BASE["lineup"], {"strategy": "stealer"}]
    search = {"best": "hero", "over": {"rules": ["wsop_live", "pokerstars"]}, "points": 2}
    run = razz_sim.run({**BASE, "format": "gauntlet", "lineup": lineup, "hands": 400, "search": search}, out=tmp_path)
    assert "Of 2 points hero does best with " in in_a_line(printed(run.summary))
    tree = read(page(run))
    (met,) = tree.all("section", id="meetings")
    assert len(met.all("table")) == 1, "only the winner's, where it was measured again"
    assert len(tree.all("section", id="ranking")[0].all("h3")) == 2


# The bar


def test_the_bar_tells_the_round_and_the_leader_and_ends_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "LEADER_SECONDS", -1.0)
    told: list[str] = []
    courses: list[Course] = []
    bar: Any = Bar()
    shown = playing._Bar(bar)

    def begun(course: Course) -> None:
        courses.append(course)
        assert course.hands_left(folder.done) == BY_HAND
        shown.begun(course)

    def progress(folder: Any, counted: Any) -> None:
        shown(folder, counted)
        told.append(bar.told)
        assert bar.total == BY_HAND == bar.n + courses[0].hands_left(folder.done)

    with open_folder(experiment_from_dict(BASE, Path()).experiment, tmp_path) as folder:
        found = play_into(folder, kind="local", workers=1, progress=progress, begun=begun)
        shown.finish()
    assert bar.n == bar.total == found["hands"]
    assert told[0] == "round 1 of 4, 12 points"
    third = next(one for one in told if one.startswith("round 3"))
    leader = found["search"]["rounds"][1]["points"][0]
    name = leader["point"].removeprefix("hero ")
    assert third.startswith(f"round 3 of 4, 3 points, leader hero {name} {leader['bb_per_100']:+.1f} ± ")
    assert told[-1].startswith("the winner again, hero ")


def test_a_failure_shortens_what_is_planned(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(FAILING)
    lineup = [{"name": "bot", "strategy": f"{tmp_path}/bots.py:bot"}, {"strategy": "caller"}]
    search = {"best": "bot", "over": {"lineup[0].params.at": [1, 2, 3]}, "points": 3}
    asks = experiment_from_dict({**BASE, "hands": 400, "lineup": lineup, "search": search}, Path()).experiment
    courses: list[Course] = []
    with open_folder(asks, tmp_path / "out") as folder:
        found = play_into(folder, kind="local", workers=1, begun=courses.append)
        assert courses[0].hands_left(folder.done) == 0
    assert found["hands"] < asks.hands
