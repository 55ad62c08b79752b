"""The points of a sweep less their baseline: by hand from the blocks, and as reports show it."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from report_pages import agrees, played, read, table_of
from rich.console import Console
from scipy import stats

import razz_sim
from razz_sim.report import print_report
from razz_sim.report.cells import MINUS
from razz_sim.report.crosstable import p_text
from razz_sim.report.detail import Compared, Draw, compared
from razz_sim.report.differences import differences
from razz_sim.report.page import page
from razz_sim.report.svg import Styles
from razz_sim.statistics import across_runs, to_baseline
from razz_sim.statistics.comparisons import compare
from razz_sim.store import Run
from razz_sim.tally import ENTRANT_COLUMNS

NET, HANDS = ENTRANT_COLUMNS.index("net"), ENTRANT_COLUMNS.index("hands")
STAKES = {"ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8}
BET = 8
LINEUP = [{"name": "hero", "strategy": "tight"}, {"name": "fish", "strategy": "caller", "seats": 2}]
FIELD = [{"strategy": name} for name in ("tight", "caller", "best")]


def asked(**keys: Any) -> dict[str, Any]:
    return {"hands": 1000, "stakes": STAKES, "lineup": LINEUP, **keys}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    out = tmp_path_factory.mktemp("out")
    grid = {"stakes.ante": [0, 1, 2], "lineup[0].params.limit": [7, 9], "baseline": {"stakes.ante": 1}}
    seats = {"lineup[1].seats": [1, 2], "baseline": "fish seats 2"}
    met = {"zip": {"stakes.ante": [1, 2], "stakes.bring_in": [1, 2]}, "baseline": {"stakes.bring_in": 1}}
    cases = {"cases": [{"name": "as it is"}, {"lineup[1].name": "other", "stack": 20}], "baseline": "as it is"}
    return {
        "grid": played(out, name="grid", **asked(sweep=grid)),
        "seats": played(out, name="seats", **asked(sweep=seats)),
        "met": played(out, name="met", **asked(lineup=FIELD, format="round_robin", sweep=met)),
        "cases": played(out, name="cases", **asked(sweep=cases)),
        "few": played(out, name="few", **asked(hands=20, sweep=grid)),
        "none": played(out, name="none", **asked(sweep={"stack": [20, 40]})),
    }


def by_hand(run: Run, scenario: int, place: int) -> np.ndarray:
    """What an entrant won in each block, in big bets per 100 hands of a seat: 1,000 blocks are as many bins."""
    totals = run.tallies[scenario].entrants[:, place]
    found: np.ndarray = 100 * totals[:, NET] / totals[:, HANDS] / BET
    return found


def test_differences_are_paired_block_by_block(runs: dict[str, Run]) -> None:
    """Six points: antes 0, 1 and 2 by limits 7 and 9; each less that with its limit at ante 1."""
    rows = to_baseline(runs["grid"].experiment(), runs["grid"].tallies)
    expected = [(here, there, place) for here, there in ((0, 2), (1, 3), (4, 2), (5, 3)) for place in (0, 1)]
    assert len(rows) == len(expected)
    scenarios = runs["grid"].experiment().scenarios
    chances = []
    for row, (here, there, place) in zip(rows, expected, strict=True):
        off = by_hand(runs["grid"], here, place) - by_hand(runs["grid"], there, place)
        assert (row.setting, row.baseline) == (scenarios[here].name, scenarios[there].name)
        assert row.entrant == LINEUP[place]["name"]
        assert (row.change.paired, row.change.blocks) == (True, 1000)
        assert row.change.difference.value == pytest.approx(off.mean())
        assert row.change.difference.std_error == pytest.approx(off.std(ddof=1) / np.sqrt(1000))
        assert row.change.p == pytest.approx(stats.ttest_1samp(off, 0).pvalue, abs=1e-9)
        chances.append(row.change.p)
    least, corrected = 0.0, [0.0] * len(chances)
    for rank, place in enumerate(np.argsort(chances)):
        least = corrected[place] = max(least, min(1, chances[place] * (len(chances) - rank)))
    assert [row.p_holm for row in rows] == pytest.approx(corrected)


def test_they_are_those_between_runs_of_the_points(runs: dict[str, Run], tmp_path: Path) -> None:
    alone = [
        played(tmp_path, name=str(ante), **asked(stakes={**STAKES, "ante": ante}, lineup=[
            {**LINEUP[0], "params": {"limit": 9}}, LINEUP[1]]))
        for ante in (1, 2)
    ]  # fmt: skip
    between = across_runs([(run.experiment(), run.tallies) for run in alone])
    rows = to_baseline(runs["grid"].experiment(), runs["grid"].tallies)
    assert [row.change for row in rows[-2:]] == [row.changes[0] for row in between]


def test_tables_of_other_sizes_are_compared_by_their_errors(runs: dict[str, Run]) -> None:
    hero, fish = to_baseline(runs["seats"].experiment(), runs["seats"].tallies)
    for place, row in enumerate((hero, fish)):
        one, two = (by_hand(runs["seats"], scenario, place) for scenario in (0, 1))
        assert (row.change.paired, row.change.blocks) == (False, 0)
        assert row.change.difference.value == pytest.approx(one.mean() - two.mean())
        assert row.change.p == pytest.approx(stats.ttest_ind(one, two, equal_var=False).pvalue, rel=1e-3)


def test_in_matches_each_is_taken_over_all_of_its_own(runs: dict[str, Run]) -> None:
    run = runs["met"]
    rows = to_baseline(run.experiment(), run.tallies)
    assert [(row.setting, row.baseline, row.entrant) for row in rows] == [
        ("ante 2, bring in 2", "ante 1, bring in 1", one["strategy"]) for one in FIELD
    ]
    sits = {"tight": [(0, 0), (1, 0)], "caller": [(0, 1), (2, 0)], "best": [(1, 1), (2, 1)]}
    settings = [(run.experiment().scenarios[at : at + 3], run.tallies[at : at + 3]) for at in (0, 3)]
    fields = [{one.name: one.result.value for one in compare(*setting).field} for setting in settings]
    for row in rows:
        off = sum(by_hand(run, 3 + match, place) - by_hand(run, match, place) for match, place in sits[row.entrant]) / 2
        assert row.change.difference.value == pytest.approx(off.mean())
        assert row.change.difference.value == pytest.approx(fields[1][row.entrant] - fields[0][row.entrant])
        assert row.change.difference.std_error == pytest.approx(off.std(ddof=1) / np.sqrt(len(off)))
        assert row.change.paired


def test_who_is_not_at_the_baseline_by_name_has_no_difference(runs: dict[str, Run]) -> None:
    rows = to_baseline(runs["cases"].experiment(), runs["cases"].tallies)
    assert [(row.setting, row.baseline, row.entrant) for row in rows] == [("other, stack 20", "as it is", "hero")]


# Reports


def printed(run: Run, width: int = 100) -> str:
    file = io.StringIO()
    print_report(run.summary, Console(file=file, width=width))
    return " ".join(file.getvalue().split())


def side_by_side(run: Run) -> Compared:
    """What a page shows of the scenarios side by side."""
    return compared(run.summary["scenarios"], differences(run.summary), Draw("all", Styles()))


def test_the_summary_has_each_and_what_the_baselines_share(runs: dict[str, Run]) -> None:
    found = runs["grid"].summary["baseline"]
    assert found["name"] == "ante 1"
    (first, *_) = to_baseline(runs["grid"].experiment(), runs["grid"].tallies)
    assert found["differences"][0] == {
        "scenario": "ante 0, hero limit 7",
        "baseline": "ante 1, hero limit 7",
        "entrant": "hero",
        "difference": first.change.difference.value,
        "std_error": first.change.difference.std_error,
        "ci95": list(first.change.difference.ci95 or ()),
        "p": first.change.p,
        "p_holm": first.p_holm,
        "paired": True,
        "blocks": 1000,
    }
    assert runs["seats"].summary["baseline"]["name"] == "fish seats 2"
    assert "baseline" not in runs["none"].summary


@pytest.mark.parametrize("name", ["grid", "seats", "met", "cases", "few"])
def test_terminal_and_page_show_each_difference(runs: dict[str, Run], name: str) -> None:
    run = runs[name]
    told, table = {width: printed(run, width) for width in (50, 100)}, side_by_side(run).differences
    assert table is not None
    rows = {row.head: dict(zip(table.heads, row.cells, strict=True)) for row in table.rows}
    for one in run.summary["baseline"]["differences"]:
        cell = rows[one["scenario"]][f"{one['entrant']}, bb/100 more"]
        assert agrees(cell.text, one["difference"])
        assert (cell.note, "±" in cell.text) == ((p_text(one["p_holm"]), True) if name != "few" else ("-", False))
        assert cell.shade.endswith("unsure") == (name == "few" or one["p_holm"] >= 0.05)
        numbers = [number.replace("-", MINUS) for number in re.findall(r"[+-][\d.]+", told[100])]
        assert any(agrees(number, one["difference"]) for number in numbers)
    assert table.caption.startswith(
        f"Big bets per 100 hands more than at the baseline ({run.summary['baseline']['name']}"
    )
    for shown in (*told.values(), f"{table.caption} {table.heads} {table.rows}"):
        assert ("other deals" in shown) == (name == "seats")
        assert ("deal by deal" in shown) == (name != "seats")


def test_a_page_has_the_table(runs: dict[str, Run]) -> None:
    (found,) = [one for one in read(page(runs["grid"])).all("section") if one.attributes["id"] == "compared"]
    table = table_of(found, "Big bets per 100 hands more than at the baseline (ante 1, else the same point)")
    assert list(table) == [f"ante {ante}, hero limit {limit}" for ante in (0, 2) for limit in (7, 9)]


def test_without_a_baseline_there_is_nothing_of_it(runs: dict[str, Run]) -> None:
    assert "baseline" not in printed(runs["none"])
    assert side_by_side(runs["none"]).differences is None


@pytest.mark.parametrize(
    ("sweep", "maps"),
    [
        ({"stakes.ante": [1, 2], "stack": [10, 20]}, 2),
        ({"zip": {"stakes.ante": [1, 2], "stack": [10, 20]}}, 0),
        ({"samples": {"count": 3, "stakes.ante": [1, 2], "stack": [10, 20]}}, 0),
        ({"samples": {"count": 4, "stakes.ante": [1, 2], "stack": [10, 20]}}, 2),
        ({"cases": [{"stakes.ante": 2}, {"stack": 20}]}, 0),
    ],
)
def test_maps_are_drawn_of_points_that_fill_them(tmp_path: Path, sweep: dict[str, Any], maps: int) -> None:
    found = side_by_side(played(tmp_path, **asked(hands=40, sweep=sweep)))
    assert (len(found.maps), found.chart is None) == (maps, maps > 0)


def test_matches_of_crossed_points_share_no_cell(tmp_path: Path) -> None:
    sweep = {"stakes.ante": [1, 2], "stack": [10, 20]}
    found = side_by_side(played(tmp_path, **asked(hands=40, lineup=FIELD, format="round_robin", sweep=sweep)))
    assert not found.maps


def test_points_whose_matches_ended_elsewhere_are_paired_over_the_blocks_that_both_have(tmp_path: Path) -> None:
    sweep = {"stack": [2, 100], "baseline": {"stack": 2}}
    rule = {"difference": ["tight", "caller"], "half_width": 12}
    keys = asked(lineup=FIELD, format="round_robin", hands=20_000, sweep=sweep, stop=rule)
    run = razz_sim.run({"name": "ended", **keys}, out=tmp_path, runner="local")
    ends = [run.tallies[place].table_total("blocks") for place in (0, 3)]
    assert ends[0] < ends[1]
    rows = to_baseline(run.experiment(), run.tallies)
    bins = ends[0] // run.experiment().scenarios[0].bin_size
    for row in rows:
        assert (row.change.paired, row.change.blocks) == (True, ends[0])
        seats = [
            (match, place)
            for match in range(3)
            for place, one in enumerate(run.experiment().scenarios[match].lineup)
            if one.name == row.entrant
        ]
        nets = [
            sum(run.tallies[at + match].entrants[:bins, place, NET].sum() for match, place in seats) for at in (0, 3)
        ]
        hands = sum(run.tallies[match].entrants[:bins, place, HANDS].sum() for match, place in seats)
        assert row.change.difference.value == pytest.approx(100 * (nets[1] - nets[0]) / hands / BET)
