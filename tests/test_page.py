"""The HTML report: whole, self-contained, escaped, the same bytes each time, and its figures are the summary's."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from collections import Counter
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from report_pages import BROKEN, EVIL, LINEUP, SECTIONS, STAKES, Element, agrees, first_number, played, read, table_of
from typer.testing import CliRunner

from razz_sim.batch import play_batch
from razz_sim.cli import app
from razz_sim.report import charts, figures
from razz_sim.report.cells import NOTHING
from razz_sim.report.numbers import LEAST_BLOCKS
from razz_sim.report.page import DETAILED_SCENARIOS, MARK, MOST_MAPS, is_page, page
from razz_sim.report.palette import SERIES, VARIABLES
from razz_sim.statistics import class_results, summary
from razz_sim.store import Run, RunFolder

REPORT = "razz_sim.report."


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return played(tmp_path_factory.mktemp("one"))


@pytest.fixture(scope="module")
def text(run: Run) -> str:
    return page(run)


@pytest.fixture(scope="module")
def tree(text: str) -> Element:
    return read(text)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run whose every text is made to break a page."""
    out = tmp_path_factory.mktemp("hostile")
    (out / "broken.py").write_text(BROKEN)
    lineup = [
        {"name": EVIL, "strategy": "broken.py:bot"},
        {"name": "_</table></script>", "strategy": "tight"},
        {"name": "日本語 ناجح", "strategy": "caller"},
    ]
    stakes = [{**STAKES, "name": "<script>x(1)</script>"}, {**STAKES, "name": "$\\frac{1}{2}$ {{ 7 * 7 }}", "ante": 1}]
    return played(out, lineup=lineup, stakes=stakes, on_error="fold", hands=400)


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages with empty charts, for what tables and sentences say: half of a page's time goes into drawing."""
    monkeypatch.setattr("razz_sim.report.svg._drawn", lambda figure: "<svg/>")


words_only = pytest.mark.usefixtures("undrawn")


def section(tree: Element, name: str) -> Element:
    (found,) = tree.all("section", id=name)
    return found


# What it is made of


def test_it_has_every_section_and_the_navigation_leads_to_each(tree: Element) -> None:
    ids = [one.attributes["id"] for one in tree.all("section")]
    assert ids == list(SECTIONS)
    assert [one.attributes["href"] for one in tree.all("nav")[0].all("a")] == [f"#{name}" for name in ids]


def test_it_asks_no_network(text: str) -> None:
    assert not re.search(r"""(src|href|action)=["']?(https?:)?//""", text)
    assert not re.search(r"url\((?!#)|@import|fetch\(|XMLHttpRequest|<(iframe|object|embed|img)\b", text)
    assert "default-src 'none'" in text


def test_headings_are_in_order_and_tables_say_what_they_are(tree: Element) -> None:
    levels = [int(one.tag[1]) for one in flat(tree) if re.fullmatch("h[1-6]", one.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for table in tree.all("table"):
        assert table.all("caption")[0].text
        assert all(head.attributes["scope"] in ("col", "row") for head in table.all("th"))
    landmarks = {one.tag for one in flat(tree)} & {"header", "nav", "main"}
    assert landmarks == {"header", "nav", "main"}


def test_drawings_are_told_to_who_cannot_see_them(tree: Element) -> None:
    drawings = tree.all("svg")
    assert len(drawings) == 4 + len(LINEUP)
    for svg in drawings:
        assert svg.attributes["role"] == "img"
        title, description = svg.attributes["aria-labelledby"].split()
        assert svg.all("title", id=title)[0].text
        assert svg.all("desc", id=description)[0].text
        assert svg.all("text"), "text is drawn as text"


def test_no_two_ids_are_the_same_and_each_reference_leads_somewhere(text: str, tree: Element) -> None:
    ids = Counter(one.attributes["id"] for one in flat(tree) if "id" in one.attributes)
    assert max(ids.values()) == 1
    for reference in re.findall(r'(?:href="|url\()#([\w.-]+)', text):
        assert reference in ids


def test_every_colour_of_a_chart_is_the_page_s(text: str) -> None:
    drawn = "".join(re.findall(r"<svg.*?</svg>", text, re.S))
    assert not re.search("#[0-9a-f]{6}", drawn)
    rules = re.findall(r"^\.d\d+ \{(.*)\}$", text, re.M)
    assert rules
    assert not re.search("#[0-9a-f]{6}|rgb", " ".join(rules))
    assert text.count("--series-1:") == 2, "a light and a dark one"


def flat(element: Element) -> list[Element]:
    """All elements in one, in order."""
    found = []
    for one in element.children:
        if isinstance(one, Element):
            found += [one, *flat(one)]
    return found


# Its figures


def test_rates_are_the_summary_s(run: Run, tree: Element) -> None:
    (scenario,) = run.summary["scenarios"]
    table = table_of(section(tree, "ranking"), "Win rates")
    rates = [one["bb_per_100"] for one in sorted(scenario["entrants"], key=lambda one: -one["bb_per_100"])]
    assert len(table) == len(rates)
    for row, rate in zip(table.values(), rates, strict=True):
        assert agrees(row["bb/100"], rate)
    for one in scenario["entrants"]:
        row = table[one["name"]]
        assert agrees(row["all-in adjusted"], one["all_in_adjusted"]["bb_per_100"])
        assert agrees(row["chips per hand"], one["chips_per_hand"]["mean"])
        assert agrees(row["std dev per hand, bb"], one["std_dev_per_hand"])
        assert first_number(row["net"])[0] == pytest.approx(one["net"])
        half = (one["ci95"][1] - one["ci95"][0]) / 2
        assert agrees(row["bb/100"].split(" ± ")[1].strip("\u2007 "), half)
        assert f"{one['hands']:,}" in row["bb/100"]


def test_plays_are_the_summary_s_each_with_its_count(run: Run, tree: Element) -> None:
    (scenario,) = run.summary["scenarios"]
    table = table_of(section(tree, "plays"), "What they do")
    for one in scenario["entrants"]:
        assert list(one["plays"]) == list(figures.PLAYS)
        for play, share in one["plays"].items():
            shown = table[figures.PLAYS[play][0]][one["name"]].replace("\u00a0", " ")
            assert shown.endswith(f"{share['count']:,} of {share['of']:,}")
            assert agrees(shown, 100 * share["fraction"]) if share["of"] else shown.startswith(NOTHING)
        for key, row in (("pot_won", "average pot won, bb"), ("pot_lost", "average pot lost, bb")):
            shown = table[row][one["name"]]
            assert agrees(shown, one[key]["mean"]) if one[key]["count"] else shown.startswith(NOTHING)


@pytest.mark.parametrize(
    ("place", "caption", "key"),
    [
        ("doors", "bb/100 by door", "by_door"),
        ("positions", "bb/100 by seats", "by_position"),
        ("positions", "bb/100 by where", "by_end"),
    ],
)
def test_classes_are_the_summary_s_each_with_its_hands(
    run: Run, tree: Element, place: str, caption: str, key: str
) -> None:
    (scenario,) = run.summary["scenarios"]
    table = table_of(section(tree, place), caption)
    for one in scenario["entrants"]:
        shown = [row[one["name"]] for row in table.values() if not row[one["name"]].startswith(NOTHING)]
        assert len(shown) == len(one[key])
        for cell, found in zip(shown, one[key].values(), strict=True):
            assert agrees(cell, found["bb_per_100"])
            assert f"{found['hands']:,}\u00a0hand" in cell
            assert ("±" in cell) == (found["hands"] >= 30)


def test_pots_are_the_summary_s(run: Run, tree: Element) -> None:
    pots = run.summary["scenarios"][0]["pots"]
    place = section(tree, "pots")
    facts = {one.all("dt")[0].text: one.all("dd")[0].text for one in place.all("div") if one.all("dt")}
    assert agrees(facts["mean pot"], pots["mean"])
    assert agrees(facts["mean pot"].split(" = ")[1], pots["big_bets"]["mean"])
    for part, value in pots["quantiles"].items():
        assert f"{part} %: {value:.1f}" in facts["quantiles"]
    ends = table_of(place, "Where hands end")
    for row, share, size in zip(ends.values(), pots["ends"].values(), pots["by_end"].values(), strict=True):
        assert agrees(row["% of hands"], 100 * share["fraction"])
        assert f"{share['count']:,}" in row["% of hands"]
        assert not size["count"] or agrees(row["final pot, bb"], size["mean"])
        assert not size["count"] or f"median\u00a0{size['quantiles']['50']:.1f}" in row["final pot, bb"]
    players = table_of(place, "Players")
    for street, found in pots["players"].items():
        for number, count in found["counts"].items():
            assert players[street][number].endswith(f"{count:,}")


def test_lows_and_aggression_are_the_summary_s(run: Run, tree: Element) -> None:
    (scenario,) = run.summary["scenarios"]
    actions = table_of(section(tree, "aggression"), "Raises")
    made, won = (table_of(section(tree, "lows"), caption) for caption in ("Lows made", "Of these"))
    names = {f"{low} low": low for low in figures.LOWS} | {"wheel": "wheel", "a pair or worse": "pair"}
    for one in scenario["entrants"]:
        for street, found in one["actions"].items():
            shown = actions[street][one["name"]].replace("\u00a0", " ")
            assert f"{found['raises']:,} raises, {found['calls']:,} calls" in shown
            assert not found["aggression"]["of"] or agrees(shown, 100 * found["aggression"]["fraction"])
        for row, cells in made.items():
            low = one["lows"][names[row]]
            assert agrees(cells[one["name"]], 100 * low["fraction"])
            assert cells[one["name"]].endswith(f"{low['count']:,} of\u00a0{low['of']:,}")
            assert not low["won"]["of"] or agrees(won[row][one["name"]], 100 * low["won"]["fraction"])
    for low, share in scenario["pots"]["winning_lows"].items():
        row = next((row for row in made if names[row] == low), None)
        assert row is None or agrees(made[row]["best shown"], 100 * share["fraction"])


def test_each_of_the_455_starting_hands_has_its_place_once(run: Run, tree: Element) -> None:
    maps = section(tree, "starts").all("details")
    assert len(maps) == len(LINEUP)
    for place, one in enumerate(maps):
        cells = [cell.all("b")[0].text for cell in flat(one) if cell.tag == "td" and cell.all("b")]
        assert len({cell.split(":")[0] for cell in cells}) == len(cells) == 455
        assert all(re.search("hands?(, too few for an interval)?$", cell) for cell in cells)
        assert all("±" in cell or "too few" in cell or "0 hands" in cell.replace("\u00a0", " ") for cell in cells)
        found = class_results(run.experiment().scenarios[0], run.tallies[0], place, "start")
        for label, _, told in (cell.partition(": ") for cell in cells):
            counted = found.get(label.replace("-", ""))
            assert counted is None or agrees(told, counted.bb_per_100)
            hands = 0 if counted is None else counted.hands
            assert f"{hands:,} hand" in told.replace("\u00a0", " ")


# How it is written


def test_another_process_gives_the_same_bytes_and_leaves_no_trace_in_pyplot(
    run: Run, text: str, tmp_path: Path
) -> None:
    code = (
        "import sys, matplotlib; from pathlib import Path; before = matplotlib.rcParams.copy();"
        "from razz_sim.report.page import page; from razz_sim.store import Run;"
        "Path(sys.argv[2]).write_text(page(Run.load(sys.argv[1])), encoding='utf-8');"
        "assert 'matplotlib.pyplot' not in sys.modules; assert dict.__eq__(matplotlib.rcParams, before)"
    )
    command = [sys.executable, "-c", code, str(run.folder), str(tmp_path / "again.html")]
    env = {**os.environ, "PYTHONHASHSEED": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again.html").read_text(encoding="utf-8") == text


def test_sixty_scenarios_stay_small_and_three_are_shown_in_detail(tmp_path: Path) -> None:
    sweep = {"stakes.ante": [f"{number / 100:.2f}" for number in range(1, 61)]}
    made = page(played(tmp_path, hands=60, sweep=sweep))
    assert len(made.encode()) < 1_000_000
    tree = read(made)
    assert len(table_of(section(tree, "compared"), "Every scenario")) == 60
    assert len(section(tree, "plays").all("table")) == 3
    assert "3 of 60 scenarios are shown in detail" in section(tree, "compared").text


@words_only
def test_many_entrants_have_maps_of_one_scenario(tmp_path: Path) -> None:
    lineup = [{"name": f"n{seat}", "strategy": "tight"} for seat in range(6)]
    tree = read(page(played(tmp_path, hands=100, lineup=lineup, sweep={"stack": [10, 20]})))
    maps = [one for one in section(tree, "starts").all("details") if one.attributes.get("class") == "map"]
    assert len(maps) == 6 <= MOST_MAPS
    assert "No map" in section(tree, "starts").text


@words_only
def test_two_swept_values_are_maps(tmp_path: Path) -> None:
    run = played(tmp_path, hands=200, sweep={"stack": [10, 20, 30], "stakes.ante": ["0.10", "0.40"]})
    place = section(read(page(run)), "compared")
    table = table_of(place, "hero, bb/100: stack down, stakes.ante across")
    for scenario in run.summary["scenarios"]:
        at = scenario["point"]
        assert agrees(table[at["stack"]][at["stakes.ante"]], scenario["entrants"][0]["bb_per_100"])


@words_only
def test_a_swept_parameter_is_told_by_its_entrant(tmp_path: Path) -> None:
    one = played(tmp_path, hands=60, sweep={"lineup[0].params.limit": [6, 8]})
    assert "Win rates over hero limit" in section(read(page(one)), "compared").text
    two = played(tmp_path, name="two", hands=60, sweep={"lineup[0].params.limit": [6, 8], "stack": [5, 9]})
    assert table_of(section(read(page(two)), "compared"), "fish, bb/100: hero limit down, stack across")


@words_only
def test_too_few_blocks_have_no_interval(tmp_path: Path) -> None:
    tree = read(page(played(tmp_path, hands=12)))
    assert "±" not in section(tree, "ranking").text
    assert "±" not in section(tree, "starts").all("details")[0].text
    assert "no interval is shown." in section(tree, "answer").text, "one scenario needs no name"


@words_only
def test_means_of_a_few_pots_have_no_interval(tmp_path: Path) -> None:
    run = played(tmp_path, hands=120, lineup=[{"name": "a", "strategy": "tight"}, {"strategy": "stealer"}])
    (scenario,), tree = run.summary["scenarios"], read(page(run))
    pots, place = scenario["pots"], section(tree, "pots")
    ends, players = table_of(place, "Where hands end"), table_of(place, "Players")
    seen = list(zip([row["final pot, bb"] for row in ends.values()], pots["by_end"].values(), strict=True))
    for end, row in players.items():
        seen.append((row["mean players"], {"count": sum(pots["players"][end]["counts"].values())}))
    plays = table_of(section(tree, "plays"), "What they do")
    for one in scenario["entrants"]:
        seen += [(plays[figures.POTS[key][0]][one["name"]], one[key]) for key in figures.POTS]
    assert {0 < found["count"] < LEAST_BLOCKS for _, found in seen} == {True, False}
    for cell, found in seen:
        assert ("±" in cell) == (found["count"] >= LEAST_BLOCKS), cell


@words_only
def test_means_over_a_few_hands_have_no_interval_however_long_the_run_is(tmp_path: Path) -> None:
    lineup = [{"name": "rock", "strategy": "rock"}, {"name": "dice", "strategy": "random", "seats": 3}]
    run = played(tmp_path, hands=120, lineup=lineup)
    (scenario,) = run.summary["scenarios"]
    tree = read(page(run))
    told = table_of(section(tree, "plays"), "What they do")
    ends = table_of(section(tree, "pots"), "Where hands end")
    players = table_of(section(tree, "pots"), "Players on each street")
    pots = [(one["pot_won"], told["average pot won, bb"][one["name"]]) for one in scenario["entrants"]]
    pots += [(found, ends[figures._end(end)]["final pot, bb"]) for end, found in scenario["pots"]["by_end"].items()]
    for end, found in scenario["pots"]["players"].items():
        pots.append(({"count": sum(found["counts"].values())}, players[end]["mean players"]))
    counts = [found["count"] for found, _ in pots]
    assert any(0 < count < 30 for count in counts)
    assert any(count >= 30 for count in counts)
    for found, shown in pots:
        assert ("±" in shown) == (found["count"] >= 30), shown


def test_texts_of_a_config_are_escaped_wherever_they_stand(hostile: Run) -> None:
    made = page(hostile)
    assert made.count("<script") == 1
    assert "<i>evil" not in made
    tree = read(made)
    assert EVIL in table_of(section(tree, "ranking"), "Win rates")
    names = {text.text for svg in tree.all("svg") for text in svg.all("text")}
    assert EVIL in names, "no formula is made of it"
    assert {"_</table></script>", "日本語 ناجح", "<script>x(1)</script>"} <= names
    assert "49" not in section(tree, "compared").all("table")[0].all("th")[-1].text


@words_only
def test_errors_of_strategies_are_told(hostile: Run) -> None:
    place = section(read(page(hostile)), "errors")
    for scenario in hostile.summary["scenarios"]:
        assert f"{scenario['entrants'][0]['errors']['count']:,} decisions failed" in place.text
    assert "every decision was made" not in place.text
    told = deepcopy(hostile.summary)
    told["scenarios"][0]["entrants"][0]["errors"]["first"] = {
        "where": "1/1/7/0/0",
        "street": 5,
        "seat": 2,
        "error": "x",
    }
    place = section(read(page(replace(hostile, summary=told))), "errors")
    assert "First in hand 1/1/7/0/0, fifth street, seat 2: x." in place.text


@words_only
def test_an_error_may_say_anything(hostile: Run) -> None:
    (entrant, *others), *rest = [scenario["entrants"] for scenario in hostile.summary["scenarios"]]
    error = "<b>\x00\x1b[31m \u202e \ud800 " + "x" * 100_000
    first = {"where": "1/1/0/0/0", "street": 3, "seat": 1, "error": error, "view": None}
    entrants = [{**entrant, "errors": {**entrant["errors"], "first": first}}, *others]
    scenarios = [{**hostile.summary["scenarios"][0], "entrants": entrants}, *hostile.summary["scenarios"][1:]]
    assert rest
    made = page(replace(hostile, summary={**hostile.summary, "scenarios": scenarios}))
    assert made.encode()
    assert not set("\x00\x1b\u202e") & set(made)
    told = section(read(made), "errors").text
    assert "<b>??[31m" in told
    assert "more characters are in summary.json" in told
    assert "x" * 1000 not in told


def test_it_says_how_to_play_it_again(run: Run, tree: Element) -> None:
    place = section(tree, "again")
    assert place.all("pre")[0].text == "razz-sim run 'my config.yaml'"
    assert run.summary["digest"] in place.text
    assert "razz-sim hand RUN" in place.text
    (condition,) = re.findall(r'--where "(net.*?)"', place.text)
    assert CliRunner().invoke(app, ["hands", str(run.folder), "--where", condition]).exit_code == 0


@words_only
def test_the_command_is_razz_sim_s_also_of_the_module(run: Run) -> None:
    command = ["/lib/razz_sim/__main__.py", "run", "my config.yaml"]
    place = section(read(page(replace(run, manifest={**run.manifest, "command": command}))), "again")
    assert place.all("pre")[0].text == "razz-sim run 'my config.yaml'"


@words_only
def test_a_run_from_python_says_so(run: Run) -> None:
    quiet = replace(run, manifest={**run.manifest, "command": []})
    assert "played from Python" in section(read(page(quiet)), "again").text


# The command


def report(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["report", *map(str, arguments)])


def test_report_writes_into_the_run_folder_again_and_again(run: Run, text: str) -> None:
    for _ in range(2):
        done = report(run.folder)
        assert done.exit_code == 0, done.output
        assert done.stdout.splitlines()[-1] == f"report in {run.folder / 'report.html'}"
    assert (run.folder / "report.html").read_text(encoding="utf-8") == text
    assert text.startswith(MARK)
    assert is_page(run.folder / "report.html")
    Run.load(run.folder)


def test_run_writes_the_report_when_asked(tmp_path: Path) -> None:
    config = Path(__file__).parent.parent / "configs" / "quickstart.yaml"
    words = ["run", config, "--hands", 100, "--runner", "local", "--out", tmp_path, "--quiet", "--report"]
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    results, written = done.stdout.splitlines()
    folder = Path(results.removeprefix("results in "))
    assert written == f"report in {folder / 'report.html'}"
    assert (folder / "report.html").read_text(encoding="utf-8") == page(Run.load(folder))


@pytest.mark.parametrize("missing", ["matplotlib", "jinja2"])
def test_what_is_not_installed_is_named(run: Run, monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == missing or name.startswith(REPORT)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    result = report(run.folder)
    assert result.exit_code == 1
    assert result.stderr == f"the page needs {missing}: pip install {missing}; razz-sim report RUN writes it then\n"
    assert run.summary["digest"][:16] in result.stdout, "the tables are printed all the same"


def test_report_leaves_other_files_alone(run: Run, tmp_path: Path) -> None:
    taken = tmp_path / "notes.html"
    taken.write_text("<!doctype html>\nmine")
    done = report(run.folder, "--out", taken)
    assert (done.exit_code, taken.read_text()) == (2, "<!doctype html>\nmine")
    assert done.stderr == f"{taken} is not a report of razz-sim and is left as it is: name another file with --out\n"
    assert report(run.folder, "--out", tmp_path).exit_code == 2
    assert report(run.folder, "--out", tmp_path / "nowhere" / "report.html").exit_code == 1


def test_report_is_written_for_a_reader_who_has_seen_enough_and_a_full_output_is_a_sentence(
    run: Run, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "razz_sim", "report", str(run.folder), "--out"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*command, tmp_path / "a.html"], stdout=writing, stderr=subprocess.PIPE, timeout=300, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
    assert is_page(tmp_path / "a.html")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [*command, tmp_path / "b.html"], stdout=full, stderr=subprocess.PIPE, timeout=300, check=False
        )
    assert done.returncode == 1
    assert done.stderr.decode() == f"the tables cannot be printed: No space left on device; they are in {run.folder}\n"


def test_report_is_not_written_into_a_pipe(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    done = report(run.folder, "--out", tmp_path / "pipe")
    assert (done.exit_code, "is not a report of razz-sim" in done.stderr) == (2, True)


def test_report_of_a_scenario_that_is_not_there_names_those_that_are(run: Run, tmp_path: Path) -> None:
    done = report(run.folder, "--scenario", "3/6", "--out", tmp_path / "report.html")
    assert done.exit_code == 2
    assert done.stderr == "no scenario is named '3/6'; there are: 2/4\n"
    assert done.stdout == "", "no tables before it"
    assert not list(tmp_path.iterdir())


@words_only
def test_a_chosen_scenario_is_shown_in_detail(tmp_path: Path) -> None:
    run = played(tmp_path, hands=40, sweep={"stack": list(range(10, 10 + 2 * DETAILED_SCENARIOS))})
    place = section(read(page(run, ["stack 12"])), "ranking")
    assert [one.text for one in place.all("h3")] == ["stack 12"]


# The charts


def test_charts_are_figures_with_the_palette_s_colours(run: Run) -> None:
    (scenario,) = run.summary["scenarios"]
    for draw in (charts.aggression_chart, charts.door_chart, charts.position_chart):
        assert isinstance(draw(scenario), Figure)
    assert isinstance(charts.pot_chart(scenario["pots"]), Figure)
    assert isinstance(charts.scenarios_chart([scenario, scenario]), Figure)
    assert set(SERIES) < set(VARIABLES)


def test_bars_of_pots_are_equal_and_hold_all_but_the_largest(run: Run) -> None:
    pots = run.summary["scenarios"][0]["pots"]
    width, counts = charts.pot_bars(pots)
    assert pots["hands"] * 0.99 <= sum(counts) <= pots["hands"]
    (axes,) = charts.pot_chart(pots).axes
    assert {round(bar.get_width(), 9) for bar in axes.patches} == {width}
    assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(100 * sum(counts) / pots["hands"])
    assert all(bar.get_height() <= 100 for bar in axes.patches), "percent of hands, not a density"


@pytest.mark.parametrize("name", ["W" * 60, "@mW" * 20, "i" * 60, "Ünïcode " * 7, "漢" * 60])
def test_names_of_any_width_stay_inside_a_chart(run: Run, name: str) -> None:
    (scenario,) = run.summary["scenarios"]
    lineup = [{**one, "name": f"{place}{name}"[:60]} for place, one in enumerate(2 * scenario["entrants"])]
    named = {**scenario, "name": name, "entrants": lineup}
    for figure in (charts.door_chart(named), charts.scenarios_chart([named, named])):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph .* missing from")
            drawn = FigureCanvasAgg(figure)
            drawn.draw()
        width = figure.bbox.width
        for text in (*figure.legends[0].get_texts(), *figure.axes[0].get_yticklabels()):
            assert 0 <= text.get_window_extent().x0 <= text.get_window_extent().x1 <= width, text.get_text()
        assert figure.axes[0].get_window_extent().width > width / 3


@words_only
def test_scenarios_of_one_name_are_each_their_own(tmp_path: Path) -> None:
    """The configuration refuses them, Python does not."""
    two = played(tmp_path, hands=400, stakes=[{**STAKES, "name": "a"}, {**STAKES, "name": "b", "ante": 1}])
    named = [replace(one, name="same") for one in two.experiment().scenarios]
    experiment = replace(two.experiment(), scenarios=tuple(named))
    with RunFolder.create(tmp_path, experiment) as folder:
        for batch in experiment.batches(10**6):
            folder.record(play_batch(named[batch.scenario], experiment.seed, batch))
        again = folder.finish(summary(experiment, folder.tallies, runner="local", workers=1, seconds=1.0))
    maps = [
        [one.text for one in section(read(page(made)), "starts").all("table")] for made in (two, Run.load(again.folder))
    ]
    assert maps[0] == maps[1]


@words_only
def test_an_extended_run_is_played_again_by_the_command_that_extended_it(run: Run) -> None:
    longer = ["/usr/bin/razz-sim", "run", "my config.yaml", "--hands", "9000", "--resume"]
    extended = replace(run, manifest={**run.manifest, "resumed": [{"at": "2026", "command": longer}]})
    command = section(read(page(extended)), "again").all("pre")[0].text
    assert command == "razz-sim run 'my config.yaml' --hands 9000"


@words_only
def test_matches_are_a_ranking_and_a_crosstable(tmp_path: Path) -> None:
    lineup = [{"strategy": name} for name in ("tight", "caller", "best")]
    met = played(tmp_path, hands=3000, lineup=lineup, format="round_robin")
    (comparison,) = met.summary["comparisons"]
    tree = read(page(met))
    field, crosstable = section(tree, "meetings").all("table")
    rows = [[cell.text for cell in row.all("td")] for row in field.all("tr")[1:]]
    for one, row in zip(comparison["field"], rows, strict=True):
        assert row[0].startswith(f"{one['bb_per_100']:+.1f}"[:4].replace("-", "−"))  # noqa: RUF001
        assert row[0].endswith(f"{one['hands']:,}\N{NO-BREAK SPACE}hands")
    shown = [[cell.text for cell in row.all("td")] for row in crosstable.all("tr")[1:]]
    assert [row[place][:1] for place, row in enumerate(shown)] == ["·"] * 3
    first, second = (one["name"] for one in comparison["field"][:2])
    (pair,) = [one for one in comparison["against"] if {one["name"], one["other"]} == {first, second}]
    difference = pair["difference"] if pair["name"] == first else -pair["difference"]
    assert shown[0][1].replace("−", "-").startswith(f"{difference:+.1f}")  # noqa: RUF001
    assert "is first of 3 with" in section(tree, "answer").text


@words_only
def test_a_population_has_its_part_in_the_cycle_and_who_met_whom(tmp_path: Path) -> None:
    lineup = [{"strategy": "tight"}, {"strategy": "best", "weight": "0.5"}, {"strategy": "caller", "weight": 8}]
    form = {"kind": "population", "seats": 3, "tables": 20}
    met = played(tmp_path, hands=600, lineup=lineup, format=form)
    (comparison,) = met.summary["comparisons"]
    tree = read(page(met))
    shown = section(tree, "meetings")
    assert "is first of 3 in the population of these" in section(tree, "answer").text
    different = len(met.summary["scenarios"])
    field = table_of(shown, f"The field over a cycle of 20 tables, {different} of them different")
    for place, one in enumerate(comparison["field"], start=1):
        row = field[f"{place}. {one['name']}"]
        assert row["weight, of all"].split() == [f"{one['weight']:g}", f"{100 * float(one['weight']) / 9.5:.2f}", "%"]
        assert row["seats, of all"].split() == [f"{one['seats']}", f"{100 * one['seats'] / 60:.2f}", "%"]
    together = table_of(shown, "At how many of the cycle's 20 tables two sit")
    places = {one["name"]: place for place, one in enumerate(comparison["field"], start=1)}
    for pair in comparison["meetings"]:
        for name, other in ((pair["name"], pair["other"]), (pair["other"], pair["name"])):
            cell = together[f"{places[name]}. {name}"][f"{places[other]}"]
            assert cell == f"{pair['tables']} {pair['hands']:,}"
    for one in comparison["field"]:
        assert together[f"{places[one['name']]}. {one['name']}"][f"{places[one['name']]}"] == f"{one['tables']} in all"
    never = [pair for pair in comparison["meetings"] if not pair["tables"]]
    crosstable = table_of(shown, "Big bets per 100 hands by which the row's entrant")
    for pair in never:
        assert crosstable[f"{places[pair['name']]}. {pair['name']}"][f"{places[pair['other']]}"] == "\N{EN DASH}"
    assert len(never) == 1
