"""The HTML report of tournaments: whole, escaped, its figures are the summary's, and it can be read in a browser."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from report_pages import EVIL, Element, agrees, read, table_of
from test_report_tournaments import FOUR, LARGE, REENTRY, SNG

from razz_sim.batch import play_batch
from razz_sim.config import experiment_from_dict
from razz_sim.report import tournament_charts
from razz_sim.report.cells import MINUS, NOTHING
from razz_sim.report.measure import with_returns
from razz_sim.report.page import page
from razz_sim.statistics import summary
from razz_sim.store import Run, RunFolder

SECTIONS = (
    "answer",
    "asked",
    "returns",
    "convergence",
    "apart",
    "places",
    "structure",
    "story",
    "stacks",
    "out",
    "plays",
    "aggression",
    "errors",
    "again",
)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def played(out: Path, **keys: Any) -> Run:
    """A finished run of tournaments in a folder of its own."""
    experiment = experiment_from_dict({**SNG, **keys}, out).experiment
    with RunFolder.create(out, experiment, ["/usr/bin/razz-sim", "run", "my.yaml"]) as folder:
        for batch in experiment.batches(10**6, folder.done):
            folder.record(play_batch(experiment.scenarios[batch.scenario], experiment.seed, batch))
        made = summary(experiment, folder.tallies, runner="local", workers=1, seconds=1.0)
        where = folder.finish(made).folder
    return Run.load(where)


def story_of(run: Run) -> dict[str, Any]:
    """An invented tournament of a run's first scenario: one after another goes out and the next one has the chips."""
    scenario = run.summary["scenarios"][0]
    seats = [(one["name"], number) for one in scenario["entrants"] for number in range(1, one["seats"] + 1)]
    players = []
    for place, (name, number) in enumerate(seats, start=1):
        end = 10.0 * (len(seats) + 1 - max(2, place))
        last = 0 if place > 1 else 1500 * len(seats)
        points = [[0.0, 1500], [end / 2, 1500 + 200 * (len(seats) - place)], [end, last]]
        told = {
            "name": f"{name} {number}",
            "entrant": name,
            "place": [place, place],
            "prize": "400.00",
            "points": points,
        }
        players.append(told)
    levels = [{"level": number, "from": 20.0 * (number - 1)} for number in range(1, 9)]
    chips = 1500 * len(seats)
    return {
        "tournament": 12,
        "scenario": scenario["name"],
        "by_clock": True,
        "chips": chips,
        "levels": levels,
        "players": players,
    }


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    out = tmp_path_factory.mktemp("runs")
    hostile = [{**FOUR[0], "name": EVIL}, {**FOUR[1], "name": "日本語 ناجح </table>"}, *FOUR[2:]]
    sweep = {"starting_stack": [500, 1000, 1500, 2000, 3000, 5000], "baseline": "starting stack 1500"}
    return {
        "sng": played(out, name="sng"),
        "large": played(out, name="large", **REENTRY),
        "bracket": played(out, name="bracket", format="bracket", tournaments=60),
        "satellite": played(out, name="satellite", lineup=LARGE, payouts={"seats": 5}, tournaments=60),
        "swept": played(out, name="swept", sweep=sweep, tournaments=60),
        "hostile": played(out, name="hostile", lineup=hostile, tournaments=40),
        "few": played(out, name="few", tournaments=8),
    }


@pytest.fixture(scope="module")
def pages(runs: dict[str, Run]) -> dict[str, str]:
    return {name: page(run, story=story_of(run)) for name, run in runs.items()}


ALL = ("sng", "large", "bracket", "satellite", "swept", "hostile", "few")


def section(text: str, name: str) -> Element:
    (found,) = read(text).all("section", id=name)
    return found


@pytest.mark.parametrize("name", ALL)
def test_every_section_is_there_and_the_navigation_leads_to_each(pages: dict[str, str], name: str) -> None:
    tree = read(pages[name])
    ids = [one.attributes["id"] for one in tree.all("section")]
    expected = [*SECTIONS[:2], "compared", *SECTIONS[2:]] if name == "swept" else list(SECTIONS)
    assert ids == expected
    assert [one.attributes["href"] for one in tree.all("nav")[0].all("a")] == [f"#{one}" for one in ids]
    every = re.findall(r'\bid="([^"]+)"', pages[name])
    assert len(every) == len(set(every))


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_asked_of_a_network_and_the_same_run_gives_the_same_bytes(
    pages: dict[str, str], runs: dict[str, Run], name: str
) -> None:
    assert not re.search(r"""(src|href|action)=["']?(https?:)?//""", pages[name])
    assert page(runs[name], story=story_of(runs[name])) == pages[name]


def test_every_drawing_has_its_looks_and_is_told_to_who_cannot_see_it(pages: dict[str, str]) -> None:
    text = pages["large"]
    for svg in read(text).all("svg"):
        title, description = svg.attributes["aria-labelledby"].split()
        assert svg.all("title", id=title)[0].text
        assert svg.all("desc", id=description)[0].text
    used = set(re.findall(r'class="(d\d+)"', text))
    assert used == set(re.findall(r"^\.(d\d+) \{", text, re.M))
    drawn = "".join(re.findall(r"<svg.*?</svg>", text, re.S))
    assert not re.search("#[0-9a-f]{6}", drawn)


def test_returns_are_the_summarys(pages: dict[str, str], runs: dict[str, Run]) -> None:
    (scenario,) = runs["sng"].summary["scenarios"]
    rows = table_of(section(pages["sng"], "returns"), "Returns, best first")
    assert list(rows) == [one["name"] for one in sorted(scenario["entrants"], key=lambda one: -one["roi"])]
    for one in scenario["entrants"]:
        row = rows[one["name"]]
        assert agrees(row["return, %"], one["roi"])
        assert agrees(row["in the money, %"], 100 * one["cashed"]["fraction"])
        assert f"{one['cashed']['count']:,} of\N{NO-BREAK SPACE}{one['cashed']['of']:,}" in row["in the money, %"]
        assert agrees(row["wins, %"], 100 * one["wins"]["fraction"])
        assert agrees(row["mean place"], one["place"]["mean"])
        assert agrees(row["net per player"], one["net_per_player"]["mean"])


def test_who_is_told_apart_is_the_summarys(pages: dict[str, str], runs: dict[str, Run]) -> None:
    (scenario,) = runs["sng"].summary["scenarios"]
    found = section(pages["sng"], "apart")
    rows = table_of(found, "Neighbours in the order")
    for one in scenario["differences"]:
        row = rows[f"{one['name']} less {one['other']}"]
        assert agrees(row["difference of returns, %"], one["difference"])
        count = one["tournaments_to_tell"]
        assert row["tournaments to tell them apart"].startswith(NOTHING if count is None else f"{count:,}")
    crossed = [one for one in found.all("table") if "returns more" in one.all("caption")[0].text]
    assert len(crossed) == 1
    assert MINUS in crossed[0].text


def test_places_levels_and_stacks_are_the_summarys(pages: dict[str, str], runs: dict[str, Run]) -> None:
    (scenario,) = runs["sng"].summary["scenarios"]
    places = table_of(section(pages["sng"], "places"), "% of players who finish there")
    for one in scenario["entrants"]:
        assert agrees(places[one["name"]]["1st"], 100 * one["places"][0]["fraction"])
    levels = table_of(section(pages["sng"], "structure"), "The structure as it was played")
    for one in scenario["course"]["levels"]:
        if one["reached"]["count"]:
            assert agrees(levels[f"{one['level']}"]["players left"], one["players_left"]["mean"])
            assert agrees(levels[f"{one['level']}"]["mean pot, big bets"], one["pot_big_bets"]["mean"])
    for level, row in table_of(section(pages["sng"], "out"), "% of an entrant's players").items():
        for one in scenario["entrants"]:
            assert agrees(row[one["name"]], 100 * one["out"][level]["fraction"])
    stacks = table_of(section(pages["sng"], "stacks"), "Stacks when half of the field is out")
    below = [one for entrant in scenario["entrants"] for one in entrant["stacks"]["half"] if one["from_average"] == "0"]
    assert stacks["below 1/4"]["players"] == f"{sum(one['players'] for one in below):,}"


def test_a_large_field_has_a_curve_and_a_small_one_a_column_for_each_place(pages: dict[str, str]) -> None:
    assert len(section(pages["large"], "places").all("svg")) == 1
    assert section(pages["sng"], "places").all("svg") == []
    assert "first 8" in section(pages["large"], "places").text


def test_what_is_particular_to_a_kind_is_told(pages: dict[str, str]) -> None:
    assert "a seat" in section(pages["satellite"], "places").text
    assert "wins, %" not in section(pages["satellite"], "returns").text
    assert "re-entries per player" in section(pages["large"], "returns").text
    assert "Each round begins with level 1 again" in section(pages["bracket"], "structure").text
    assert "razz-sim hand RUN 0:0" in section(pages["sng"], "again").text
    assert "SCENARIO/0:0" in section(pages["swept"], "again").text


def test_returns_of_a_sweep_stand_side_by_side(pages: dict[str, str], runs: dict[str, Run]) -> None:
    rows = table_of(section(pages["swept"], "compared"), "Every scenario")
    for scenario in runs["swept"].summary["scenarios"]:
        for one in scenario["entrants"]:
            assert agrees(rows[scenario["name"]][f"{one['name']}, % return"], one["roi"])
        assert agrees(rows[scenario["name"]]["hands to the end"], scenario["course"]["hands"]["mean"])
    assert "% of what was paid in more than at the baseline" in section(pages["swept"], "compared").text
    assert "bb/100" not in read(pages["swept"]).text


def test_few_tournaments_have_no_intervals(pages: dict[str, str]) -> None:
    text = section(pages["few"], "returns").text
    assert "±" not in text
    assert "group" not in text
    assert "Too few tournaments to tell anybody apart." in section(pages["few"], "apart").text
    assert "Too few tournaments to draw." in section(pages["few"], "convergence").text


def test_a_page_without_a_story_has_no_place_for_one(runs: dict[str, Run]) -> None:
    text = page(runs["bracket"])
    assert "#story" not in text
    assert read(text).all("section", id="story") == []


def test_a_story_is_told_by_its_last_players(pages: dict[str, str], runs: dict[str, Run]) -> None:
    found = section(pages["large"], "story")
    (svg,) = found.all("svg")
    texts = [one.text for one in svg.all("text")]
    story = story_of(runs["large"])
    names = [f"{player['place'][0]}. {player['name']}" for player in story["players"][:8]]
    assert [text for text in texts if re.match(r"\d\. ", text)] == names
    rows = table_of(found, "The last that were left")
    assert list(rows) == [player["name"] for player in story["players"][:8]]
    assert next(iter(rows.values()))["place"] == "1st"
    assert tournament_charts.last_left(story) == story["players"][:8]


def test_of_many_entrants_the_best_are_drawn(runs: dict[str, Run]) -> None:
    scenario = with_returns(runs["sng"].summary["scenarios"][0])
    entrants = [{**scenario["entrants"][0], "name": f"{number}"} for number in range(20)]
    many = {**scenario, "entrants": entrants, "field": [{"name": f"{number}"} for number in reversed(range(20))]}
    drawn = tournament_charts.drawn_entrants(many)
    assert [place for place, _ in drawn] == list(range(12, 20))
    assert tournament_charts.out_chart(many).axes


@pytest.mark.skipif(CHROMIUM is None, reason="the report's browser tests need Chromium: apt-get install chromium")
def test_a_page_is_sound_at_all_widths_light_and_dark(pages: dict[str, str], tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="the report's browser tests need playwright")
    from test_page_browser import Opened, check_sound, unfold

    with sync_api.sync_playwright() as playwright:
        # As root, as in CI's containers, Chromium has no sandbox; the page is ours.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, width, scheme in (
            ("sng", 360, "dark"),
            ("large", 800, "light"),
            ("large", 1400, "dark"),
            ("swept", 1400, "light"),
            ("hostile", 360, "light"),
        ):
            made = tmp_path / f"{name}.html"
            made.write_text(pages[name], "utf-8")
            with Opened(browser, made, width, scheme) as opened:
                unfold(opened.page)
                for one in SECTIONS:
                    assert opened.page.locator(f"#{one}").is_visible()
                check_sound(opened, width)
        browser.close()
