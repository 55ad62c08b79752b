"""What a run that stopped by itself tells: words, tables, page and bar; and what it tells of scenarios that failed."""

from __future__ import annotations

import io
import json
import re
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from report_pages import Element, read
from rich.console import Console
from typer.testing import CliRunner

import razz_sim
from razz_sim.cli import app, playing
from razz_sim.cli.program import FAILED
from razz_sim.conduct import open_folder, play_into
from razz_sim.config import experiment_from_dict
from razz_sim.report import charts, failures, print_report
from razz_sim.report.page import page
from razz_sim.report.stopping import difference_texts, holding, sentence, verdict_text
from razz_sim.statistics import asked

STAKES = {"name": "2/4", "ante": 0.2, "bring_in": 1, "small_bet": 2, "big_bet": 4}
PAIR = [{"name": "a", "strategy": "tight"}, {"name": "b", "strategy": "tight", "params": {"limit": 12}}]
BASE: dict[str, Any] = {"name": "stopped", "seed": 3, "hands": 8000, "stakes": STAKES, "lineup": PAIR}
FAILING = """from razz_sim.strategy import strategy, whole
from razz_sim.view import STAY


@strategy(at=whole(0, 0, 9, "fails at 3"))
def bot(view, params, memory, u):
    return 9 if params.at == 3 and view.street == 7 else STAY
"""


def played(out: Path, **keys: Any) -> razz_sim.Run:
    return razz_sim.run({**BASE, **keys}, out=out, runner="local")


def told(summary: Any, width: int = 100) -> str:
    """The terminal report in one line."""
    file = io.StringIO()
    print_report(summary, Console(file=file, width=width), run="RUN")
    return " ".join(file.getvalue().split())


def setting(
    kind: str, verdict: str | None, value: float, valid: list[float] | None, *, blocks: int = 1000, **rule: Any
) -> dict[str, Any]:
    """An item of `stopping`: a look at 600 blocks, and one at `blocks` of 2,000."""
    error = 0.0 if value == 0 else 0.5
    looks = [
        {"blocks": number, "hands": 2 * number, "difference": value, "std_error": error, "ci95": valid}
        | {"anytime": valid, "evidence": 0.0 if kind == "test" else None}
        for number in (600, blocks)
    ]
    defaults = {"h0": 0.0, "h1": 1.0, "alpha": 0.05, "beta": 0.05, "bounds": [-2.9, 2.9]} if kind == "test" else {}
    alpha = {"alpha": 0.05} if kind == "anytime" else {}
    return {
        "setting": "2/4",
        "rule": {"kind": kind, "name": "a", "other": "b", **defaults, **alpha, **rule},
        "verdict": verdict,
        "most_blocks": 2000,
        "most_hands": 4000,
        "valid": valid,
        "looks": looks,
    }


AT_STOP = "Stopped after 2,000 of at most 4,000 hands, at look 2"
EVERY = "in a 95 % interval that holds at every look."


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            setting("test", "h1", 4.376, [3.28, 5.47]),
            f"a is better than b: h1 (+1) is taken over h0 (0). {AT_STOP}; "
            f"a less b: +4.4 big bets per 100 hands, +3.3 to +5.5 {EVERY}",
        ),
        (
            setting("test", None, 0.6, [-1.0, 2.0], blocks=2000),
            "The test is undecided: the evidence is enough for neither h0 nor h1. All 4,000 hands were played; "
            f"a less b: +0.6 big bets per 100 hands, -1.0 to +2.0 {EVERY}",
        ),
        (
            setting("anytime", "second", -3.0, [-5.9, -0.01], alpha=0.01),
            f"b is better than a: 0 is outside the interval. {AT_STOP}; "
            "a less b: -3.00 big bets per 100 hands, -5.90 to -0.01 in a 99 % interval that holds at every look.",
        ),
        (
            setting("anytime", "even", 0.1, [-0.4, 0.5], half_width=0.5),
            "a and b cannot be told apart: 0 is within the interval, and that reaches at most 0.5 to each side. "
            f"{AT_STOP}; a less b: +0.1 big bets per 100 hands, -0.4 to +0.5 {EVERY}",
        ),
        (
            setting("anytime", None, 0.1, None, blocks=2000),
            "Which of a and b is better is undecided: 0 is not outside the interval. All 4,000 hands were played; "
            "a less b: +0.1 big bets per 100 hands, too early for an interval that holds at every look.",
        ),
        (
            setting("difference", "known", 4.38, [3.88, 4.88], half_width=0.5),
            f"a less b is known to ± 0.5. {AT_STOP}; "
            "a less b: +4.4 big bets per 100 hands, +3.9 to +4.9 in an interval that holds the truth in 95 % of runs.",
        ),
        (
            setting("difference", None, 4.38, [3.0, 5.76], blocks=2000, half_width=0.5),
            "a less b is not known to ± 0.5. All 4,000 hands were played; "
            "a less b: +4.4 big bets per 100 hands, +3.0 to +5.8 in an interval that holds the truth in 95 % of runs.",
        ),
        (
            setting("difference", "known", 4.38, [3.88, 4.88], blocks=2000, half_width=0.5),
            "a less b is known to ± 0.5. Known with the last of 4,000 hands, at look 2; "
            "a less b: +4.4 big bets per 100 hands, +3.9 to +4.9 in an interval that holds the truth in 95 % of runs.",
        ),
        (
            setting("test", "h0", 0.0, [0.0, 0.0]),
            f"a and b cannot be told apart: every block ended even, so h0 (0) is taken over h1 (+1). {AT_STOP}.",
        ),
        (
            setting("anytime", None, 0.0, [0.0, 0.0], blocks=2000),
            "a and b cannot be told apart: every block ended even. All 4,000 hands were played.",
        ),
        (setting("test", None, 4.0, None, blocks=20), "a less b: too few blocks to tell, it takes 30."),
    ],
)
def test_one_setting_is_told_in_a_sentence_or_two(found: dict[str, Any], words: str) -> None:
    assert sentence(found) == words


@pytest.mark.parametrize("taken", ["h0", "h1"])
@pytest.mark.parametrize(("h0", "h1"), list(permutations((-3.0, -1.0, 0.0, 1.0, 2.5), 2)))
def test_what_a_test_says_is_true_of_what_it_takes_and_false_of_what_it_rejects(
    h0: float, h1: float, taken: str
) -> None:
    words = verdict_text(setting("test", taken, 9.0, [8.0, 10.0], h0=h0, h1=h1))
    said = re.fullmatch(r"(a|b) is (not )?better than (a|b)(?: by (?:more than )?([\d.]+))?", words)
    assert said, words

    def is_true(difference: float) -> bool:
        ahead = difference if said[1] == "a" else -difference
        by = float(said[4] or 0)
        return ahead < by if said[2] else ahead > by

    rejected = h0 if taken == "h1" else h1
    assert is_true(h1 if taken == "h1" else h0)
    assert not is_true(rejected)


def test_an_end_near_0_shows_its_side() -> None:
    assert difference_texts(setting("anytime", "first", 0.5, [0.003, 1.0])) == ("+0.500", "+0.003 to +1.000")
    assert difference_texts(setting("anytime", None, 0.5, [0.0, 1.0])) == ("+0.5", "0.0 to +1.0")


# Runs


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> razz_sim.Run:
    out = tmp_path_factory.mktemp("known")
    return played(out, format="round_robin", stop={"anytime": ["a", "b"], "half_width": 2})


@pytest.fixture(scope="module")
def some_failed(tmp_path_factory: pytest.TempPathFactory) -> razz_sim.Run:
    """Five points of a sweep of which the third fails, with a test in each."""
    out = tmp_path_factory.mktemp("failed")
    (out / "bots.py").write_text(FAILING)
    lineup = [{"name": "bot", "strategy": f"{out}/bots.py:bot"}, {"strategy": "caller"}]
    sweep = {"lineup[0].params.at": [1, 2, 3, 4, 5, 6]}
    return played(out, hands=2000, lineup=lineup, sweep=sweep, stop={"test": ["bot", "caller"], "h0": 0, "h1": 5})


def test_a_run_says_when_it_stopped_and_what_holds(known: razz_sim.Run) -> None:
    shown, (found,) = told(known.summary), known.summary["stopping"]
    assert found["verdict"] == "first"
    assert known.summary["hands"] == found["looks"][-1]["hands"] < 8000
    assert sentence(found) in shown
    assert f"hands {known.summary['hands']:,} of at most 8,000, seed 3" in shown
    assert "when 0 is outside the 95 % interval of a less b that holds at every look or it reaches at most 2" in shown
    assert holding(found["rule"]) in shown
    assert "less than 95 % of runs" in holding({"kind": "test"})
    assert "hold as well" in holding({"kind": "difference"})


def test_what_would_be_played_is_at_most_its_hands(tmp_path: Path) -> None:
    keys = {**BASE, "format": "round_robin", "stop": {"difference": ["a", "b"], "half_width": 0.5}}
    plan = asked(experiment_from_dict(keys, Path()).experiment)
    assert plan["stop"]["first_looks"] == [1024]
    path = tmp_path / "stop.json"
    path.write_text(json.dumps(keys))
    shown = " ".join(CliRunner().invoke(app, ["validate", str(path)]).stdout.split())
    assert "hands at most 8,000, seed 3 stops when a less b is known to ± 0.5 bb/100; first look after 1,024 h" in shown
    assert "is playable: at most 8,000 hands, " in shown
    path.write_text(json.dumps({**keys, "hands": 800}))
    assert "looked once, at the end" in " ".join(CliRunner().invoke(app, ["validate", str(path)]).stdout.split())


def test_settings_have_a_row_each_that_fits(some_failed: razz_sim.Run) -> None:
    narrow, wide = io.StringIO(), io.StringIO()
    print_report(some_failed.summary, Console(file=narrow, width=60), run="RUN")
    print_report(some_failed.summary, Console(file=wide, width=120), run="RUN")
    lines = wide.getvalue().splitlines()
    assert max(map(len, narrow.getvalue().splitlines())) <= 60
    for found in some_failed.summary["stopping"]:
        value, interval = difference_texts(found)
        row = rf"^  {found['setting']} +{verdict_text(found)} +[\d,]+ +{re.escape(value)} +{re.escape(interval)}$"
        assert [line for line in lines if re.match(row, line)], row
        assert {verdict_text(found), value, interval} <= set(re.split(r"  +|\n", narrow.getvalue()))


def test_scenarios_that_failed_are_named_with_the_hand(some_failed: razz_sim.Run) -> None:
    (failure,) = some_failed.summary["failed"]
    shown = told(some_failed.summary)
    assert failure["scenario"] == "bot at 3"
    assert "all 5 scenarios that did not fail" in shown
    assert failures(some_failed.summary) == "1 scenario failed: bot at 3."
    assert f"bot at 3 was given up: {' '.join(failure['error'].split())}" in shown
    assert f"see it: razz-sim hand RUN {failure['where']}" in shown
    many = {**some_failed.summary, "failed": [failure] * 7}
    assert failures(many) == "7 scenarios failed."
    assert failures({"failed": []}) == failures({}) == ""


def test_one_scenario_that_is_left_is_told_by_its_name(some_failed: razz_sim.Run) -> None:
    left = {**some_failed.summary, "scenarios": some_failed.summary["scenarios"][:1]}
    assert "bot at 1: caller " in told(left) or "bot at 1: bot " in told(left)


@pytest.mark.parametrize("option", ["--json", "--quiet", None])
def test_a_run_with_failures_is_finished_and_exits_with_1(tmp_path: Path, option: str | None) -> None:
    (tmp_path / "bots.py").write_text(FAILING)
    lineup = [{"name": "bot", "strategy": "bots.py:bot"}, {"strategy": "caller"}]
    config = tmp_path / "asked.json"
    config.write_text(json.dumps({**BASE, "hands": 60, "lineup": lineup, "sweep": {"lineup[0].params.at": [1, 3]}}))
    out = ["--out", str(tmp_path / "out"), "--runner", "local"]
    done = CliRunner().invoke(app, ["run", str(config), *out, *([option] if option else [])])
    assert done.exit_code == FAILED, done.output
    assert "1 scenario failed: bot at 3. The others are finished" in done.stderr
    (written,) = (tmp_path / "out").glob("*/*/summary.json")
    assert [one["name"] for one in json.loads(written.read_text())["scenarios"]] == ["bot at 1"]
    if option == "--json":
        assert json.loads(done.stdout)["failed"][0]["scenario"] == "bot at 3"


# The page


def stopping_section(text: str) -> Element:
    (found,) = read(text).all("section", id="stopping")
    return found


def test_the_page_draws_how_the_difference_went(known: razz_sim.Run) -> None:
    text = page(known)
    section, (found,) = stopping_section(text), known.summary["stopping"]
    assert 'href="#stopping"' in text
    assert sentence(found) in section.text
    assert holding(found["rule"]) in section.text
    (drawn,) = section.all("svg")
    assert "a less b, bb/100" in drawn.text
    assert "stopped" in drawn.text
    rows = section.all("tbody")[0].all("tr")
    assert rows[-1].all("td")[0].text == f"{found['looks'][-1]['hands']:,}"
    styles = set(re.findall(r'class="(d\d+)"', text))
    assert all(f".{name} {{" in text for name in styles), "every look of a drawing has a rule"


def test_the_page_has_a_table_of_several_settings_and_draws_the_first(some_failed: razz_sim.Run) -> None:
    text = page(some_failed)
    section = stopping_section(text)
    found = some_failed.summary["stopping"]
    assert [one.text for one in section.all("tbody")[0].all("bdi")] == [one["setting"] for one in found]
    assert len(section.all("svg")) == 2 * 4, "the difference and the evidence"
    assert "4 of 5 scenarios are drawn" in section.text
    tree = read(text)
    (errors,), (answer,) = tree.all("section", id="errors"), tree.all("section", id="answer")
    assert "bot at 3 was given up" in errors.text
    assert some_failed.summary["failed"][0]["where"] in errors.text
    assert "None: every decision" not in errors.text
    assert "1 scenario failed: bot at 3." in answer.text
    chosen = stopping_section(page(some_failed, ["bot at 6"]))
    assert [one.text for one in chosen.all("h3")] == ["bot at 6"]


def test_a_curve_is_the_summary_s(some_failed: razz_sim.Run) -> None:
    found = some_failed.summary["stopping"][0]
    hands = [look["hands"] for look in found["looks"]]
    (axes,) = charts.stopping_chart(found).axes
    assert list(axes.lines[0].get_xdata()) == hands
    assert list(axes.lines[0].get_ydata()) == [look["difference"] for look in found["looks"]]
    (axes,) = charts.evidence_chart(found).axes
    assert list(axes.lines[0].get_ydata()) == [look["evidence"] for look in found["looks"]]
    levels = {line.get_ydata()[0] for line in axes.lines if len(set(line.get_ydata())) == 1}
    assert levels >= set(found["rule"]["bounds"])
    low, high = axes.get_ylim()
    assert low < found["rule"]["bounds"][0] < found["rule"]["bounds"][1] < high


def test_equals_are_drawn_too(tmp_path: Path) -> None:
    lineup = [{"name": name, "strategy": "tight"} for name in ("a", "b")]
    stop = {"test": ["a", "b"], "h0": 0, "h1": 1}
    run = played(tmp_path, hands=2000, lineup=lineup, format="round_robin", stop=stop)
    assert "every block ended even, so h0 (0) is taken over h1 (+1)" in told(run.summary)
    assert len(stopping_section(page(run)).all("svg")) == 1, "evidence without an end is not drawn"


# The bar


class Bar:
    """What the program asks of tqdm."""

    def __init__(self) -> None:
        self.n, self.total, self.disable, self.bar_format, self.told = 0, 8000, False, None, ""

    def update(self, hands: int) -> None:
        self.n += hands

    def set_postfix_str(self, text: str, refresh: bool) -> None:
        self.told = text

    def refresh(self) -> None:
        pass


def test_the_bar_shows_what_the_rule_watches_and_ends_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "LEADER_SECONDS", -1.0)
    keys = {**BASE, "format": "round_robin", "stop": {"anytime": ["a", "b"]}}
    bar: Any = Bar()
    shown = playing._Bar(bar)
    with open_folder(experiment_from_dict(keys, Path()).experiment, tmp_path) as folder:
        found = play_into(folder, kind="local", workers=1, progress=shown, begun=shown.begun)
        shown.finish()
    value, interval = difference_texts(found["stopping"][0])
    assert bar.told == f"a less b {value}, {interval} bb/100"
    assert found["hands"] < 8000
    assert found["hands"] <= bar.n == bar.total


def test_before_the_first_look_the_bar_says_nothing() -> None:
    course: Any = SimpleNamespace(
        settings=[[0], [1]], latest={}, experiment=experiment_from_dict(BASE, Path()).experiment
    )
    assert playing._watched(course, 1) == ""


def test_an_entrant_whose_strategies_differ_in_matches_is_told_without_their_parameters(tmp_path: Path) -> None:
    sweep = {"lineup[0].strategy": ["tight", "caller"]}
    assert "tight or caller" in told(played(tmp_path, sweep=sweep, format="round_robin", hands=200).summary)
