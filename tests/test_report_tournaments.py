"""The terminal report of tournaments: its figures are the summary's, it fits, and it says what is not known."""

from __future__ import annotations

import copy
import io
import json
import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from razz_sim.batch import play_batch
from razz_sim.config import experiment_from_dict
from razz_sim.report import print_report, print_schedule
from razz_sim.report.asked import facts, stop_in_words
from razz_sim.report.finishes import ordinal, place_classes, place_share, stacks_of
from razz_sim.report.measure import RETURNS, count_text, measure_of, with_returns
from razz_sim.report.returns import answer_of_tournaments
from razz_sim.report.stopping import sentence
from razz_sim.report.structure import cash, payouts_in_words
from razz_sim.report.tournaments import MOST_PAIRS, chosen_pairs, to_tell
from razz_sim.statistics import asked, summary
from razz_sim.store import json_text

LEVELS = [
    {"ante": ante, "bring_in": bring_in, "small_bet": bet, "hands": 10}
    for ante, bring_in, bet in ((5, 10, 30), (20, 35, 120), (70, 130, 420), (250, 450, 1500), (500, 900, 3000))
]
FOUR = [{"strategy": name, "seats": 2} for name in ("tight", "caller", "rock", "maniac")]
SNG = {
    "name": "asked",
    "seed": 3,
    "format": "tournament",
    "tournaments": 200,
    "starting_stack": 1500,
    "levels": LEVELS,
    "payouts": [50, 30, 20],
    "buy_in": {"prize": 100, "fee": 10},
    "lineup": FOUR,
}
LARGE = [{**one, "seats": 10} for one in FOUR]
REENTRY = {"lineup": LARGE, "payouts": "top15", "reentry": {"until_level": 2, "times": 2}, "tournaments": 60}
WIDTHS = (60, 80, 120)


def summary_of(**keys: Any) -> dict[str, Any]:
    """A played experiment's summary, as `summary.json` gives it back."""
    experiment = experiment_from_dict({**SNG, **keys}, Path()).experiment
    tallies = [scenario.tally() for scenario in experiment.scenarios]
    for batch in experiment.batches(10**6):
        counted = play_batch(experiment.scenarios[batch.scenario], experiment.seed_of(batch.scenario), batch)
        counted.add_to(tallies[batch.scenario])
    loaded: dict[str, Any] = json.loads(json_text(summary(experiment, tallies, runner="local", workers=1, seconds=2.0)))
    return loaded


@pytest.fixture(scope="module")
def sng() -> dict[str, Any]:
    return summary_of()


@pytest.fixture(scope="module")
def large() -> dict[str, Any]:
    return summary_of(**REENTRY)


@pytest.fixture(scope="module")
def shootout() -> dict[str, Any]:
    return summary_of(format="shootout", lineup=LARGE, tournaments=60)


@pytest.fixture(scope="module")
def bracket() -> dict[str, Any]:
    lineup = [{**one, "seats": 4} for one in FOUR]
    return summary_of(format="bracket", lineup=lineup, tournaments=60)


@pytest.fixture(scope="module")
def satellite() -> dict[str, Any]:
    return summary_of(lineup=LARGE, payouts={"seats": 5}, tournaments=60)


@pytest.fixture(scope="module")
def swept() -> dict[str, Any]:
    stacks = [500, 1000, 1500, 2000, 3000, 5000]
    return summary_of(sweep={"starting_stack": stacks, "baseline": "starting stack 1500"}, tournaments=60)


ALL = ("sng", "large", "shootout", "bracket", "satellite", "swept")


@pytest.fixture(params=ALL)
def each(request: pytest.FixtureRequest) -> dict[str, Any]:
    found: dict[str, Any] = request.getfixturevalue(request.param)
    return found


def printed(found: dict[str, Any], width: int = 80, encoding: str = "utf-8", **keys: Any) -> str:
    bytes_out = io.BytesIO()
    file = io.TextIOWrapper(bytes_out, encoding=encoding)
    print_report(found, Console(file=file, width=width), **keys)
    file.flush()
    return bytes_out.getvalue().decode(encoding)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def rows_of(entrant: dict[str, Any], text: str) -> list[str]:
    """The rows that begin with an entrant's name, without bars."""
    seats = f" \N{MULTIPLICATION SIGN}{entrant['seats']}" if entrant["seats"] > 1 else ""
    found = re.findall(rf"^  {re.escape(entrant['name'])}{seats} +(.*)$", text, flags=re.MULTILINE)
    return [squeezed(re.sub(r"[│━●┿]", " ", row)) for row in found]


def half(estimate: dict[str, Any]) -> float:
    return float(estimate["ci95"][1] - estimate["ci95"][0]) / 2


# What all reports have in common


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("details", [None, True])
def test_it_fits_and_nothing_is_cut(each: dict[str, Any], width: int, details: bool | None) -> None:
    text = printed(each, width, details=details)
    assert max(map(cell_len, text.splitlines())) <= width
    assert "…" not in text
    for entrant in each["scenarios"][0]["entrants"]:
        assert entrant["name"] in text


def test_each_report_ends_with_the_digest_and_is_ascii_where_it_must_be(each: dict[str, Any]) -> None:
    assert printed(each).rstrip().endswith(f"digest {each['digest'][:16]}")
    assert printed(each, encoding="ascii").isascii()


def test_a_name_cannot_steer_the_terminal(sng: dict[str, Any]) -> None:
    hostile = json.loads(json.dumps(sng).replace('"tight"', '"ti\\u001b[31mght"'))
    assert "\x1b" not in printed(hostile)


# What was asked, and the answer


def test_the_heading_says_what_was_asked(sng: dict[str, Any]) -> None:
    text = squeezed(printed(sng))
    for part in (
        "rules wsop_tournament, fixed limit",
        "structure 5 levels of 10 hands, limits 30/60 to 3,000/6,000",
        "stack 1,500 chips, 25 big bets",
        "field 8 players at 1 table",
        "buy-in 100 + 10",
        "payouts 50 %, 30 % and 20 % of the pool",
        "prizes 400, 240 and 160",
        "line-up tight: tight (limit 8), 2 players; caller, 2 players;".replace("tight: tight", "tight"),
        "tournaments 200, seed 3",
        "played local, 2.0 s, 100 tournaments/s",
    ):
        assert part in text, part


def test_what_may_be_bought_is_told_with_its_price(large: dict[str, Any]) -> None:
    text = squeezed(printed(large))
    assert "re-entries up to 2 each up to level 2: 100 + 10 for 1,500 chips" in text
    assert "payouts the first 15 % of entries" in text
    assert "prizes " not in squeezed(printed(large)).partition("line-up")[0]
    assert text.count("re-entries") == 2, "what is asked, and a column"
    course = large["scenarios"][0]["course"]
    assert f"one has {course['entries']['mean']:.1f} ±" in text


def test_kinds_are_told(shootout: dict[str, Any], bracket: dict[str, Any], satellite: dict[str, Any]) -> None:
    assert facts(shootout)["field"] == "shootout of 40 players at 5 tables"
    assert facts(bracket)["field"] == "bracket of 16 players, heads-up"
    assert facts(satellite)["payouts"] == "5 equal prizes"
    assert facts(satellite)["prizes"] == "800 each"
    assert "each round begins with level 1 again" in squeezed(printed(shootout))
    assert "each round begins" not in printed(satellite)


def test_the_schedule_tells_the_same_before_anything_is_played() -> None:
    experiment = experiment_from_dict({**SNG, "sweep": {"starting_stack": [1000, 2000]}}, Path()).experiment
    out = io.StringIO()
    print_schedule(experiment, Console(file=out, width=80))
    text = squeezed(out.getvalue())
    assert "stack 1,000 or 2,000 chips, 16.67 to 33.33 big bets" in text
    assert "tournaments 400 in 2 scenarios, seed 3" in text
    assert "scenario tournaments bins" in text
    assert facts(json.loads(json_text(asked(experiment))))["field"] == "8 players at 1 table"


def test_the_answer_names_the_best_and_whether_it_is_clear(sng: dict[str, Any]) -> None:
    (scenario,) = sng["scenarios"]
    best = scenario["field"][0]
    text = answer_of_tournaments(sng)
    assert text.startswith(f"{best['name']} returns most, {best['roi']:+.1f} ± {half(best):.1f} % of what it pays in")
    assert text.endswith("the next: clear of all others over 200 tournaments.")
    tied = copy.deepcopy(sng)
    tied["scenarios"][0]["groups"] = [[one["name"] for one in scenario["field"][:2]]]
    other = scenario["field"][1]["name"]
    assert answer_of_tournaments(tied).endswith(f"but cannot be told apart from {other} over 200 tournaments.")


def test_who_loses_least_is_not_said_to_return(sng: dict[str, Any]) -> None:
    lost = copy.deepcopy(sng)
    best = lost["scenarios"][0]["field"][0]["name"]
    next(one for one in lost["scenarios"][0]["entrants"] if one["name"] == best).update(roi=-3.0, ci95=[-5.0, -1.0])
    assert " loses least, -3.0 ± 2.0 % of what it pays in" in answer_of_tournaments(lost)


def test_few_tournaments_tell_nothing() -> None:
    few = summary_of(tournaments=12)
    text = printed(few)
    assert "12 tournaments tell nothing about who returns most: an interval takes at least 30." in squeezed(text)
    assert "±" not in text
    assert "group" not in text
    assert "to tell them" not in text


# Tables


def test_returns_are_the_summarys_best_first(sng: dict[str, Any]) -> None:
    (scenario,) = sng["scenarios"]
    text = printed(sng)
    order = sorted(scenario["entrants"], key=lambda one: -one["roi"])
    assert [text.index(f"  {one['name']} ") for one in order] == sorted(
        text.index(f"  {one['name']} ") for one in order
    )
    for one in order:
        first, second, *_ = rows_of(one, text)
        assert first.startswith(f"{one['roi']:+.1f} ± {half(one):.1f} ")
        assert f"{100 * one['cashed']['fraction']:.1f} " in first
        assert f"{one['place']['mean']:.2f}" in second or f"{one['place']['mean']:.1f}" in second
        assert f"{one['net_per_player']['mean']:+,.1f}" in second


def test_wins_have_no_column_where_first_places_are_shared(satellite: dict[str, Any], sng: dict[str, Any]) -> None:
    assert "wins" in printed(sng).partition("% of players who finish")[0].partition("entrant ")[0].rpartition("\n\n")[2]
    assert "wins\n" not in printed(satellite).partition("how much the structure")[0]
    assert "a seat" in printed(satellite)


def test_pairs_are_neighbours_and_the_best_beside_the_worst(sng: dict[str, Any]) -> None:
    (scenario,) = sng["scenarios"]
    assert chosen_pairs(scenario) == scenario["differences"]
    many = {"field": [{"name": f"{n}"} for n in range(12)]}
    many["differences"] = [{"name": f"{a}", "other": f"{b}"} for a in range(12) for b in range(a + 1, 12)]
    shown = [(one["name"], one["other"]) for one in chosen_pairs(many)]
    assert shown == [*((f"{n}", f"{n + 1}") for n in range(MOST_PAIRS - 1)), ("0", "11")]
    text = squeezed(printed(sng))
    for one in scenario["differences"]:
        assert f"{one['difference']:+.1f} ±" in text
        assert to_tell(one) in text


def test_tournaments_to_tell_two_apart_have_their_ends() -> None:
    def told(count: int | None, ends: list[int | None]) -> str:
        return to_tell({"tournaments_to_tell": count, "tournaments_to_tell_ci95": ends})

    assert told(785, [412, 2020]) == "785 (412 to 2,020)"
    assert told(2, [2, 2]) == "2"
    assert told(9000, [625, None]) == "9,000 (625 or more)"
    assert told(None, [None, None]) == "-"


def test_each_place_of_a_small_field_has_its_column(sng: dict[str, Any]) -> None:
    (scenario,) = sng["scenarios"]
    classes = place_classes(scenario)
    assert classes[0].label == "1st"
    assert classes[-1].last == 8
    for entrant in scenario["entrants"]:
        shares = [place_share(entrant, one) for one in classes]
        assert sum(share["count"] for share in shares) == entrant["players"]


def test_a_large_field_is_told_by_the_first_so_many(large: dict[str, Any], bracket: dict[str, Any]) -> None:
    (scenario,) = large["scenarios"]
    classes = place_classes(scenario)
    assert [one.label for one in classes][:3] == ["1st", "first 3", "first 8"]
    for entrant in scenario["entrants"]:
        shares = [place_share(entrant, one) for one in classes]
        fractions = [share["fraction"] for share in shares]
        assert fractions == sorted(fractions)
        assert shares[0]["count"] == entrant["wins"]["count"]
        assert all(share["ci95"][0] <= share["fraction"] <= share["ci95"][1] for share in shares)
    labels = [one.label for one in place_classes(bracket["scenarios"][0])]
    assert labels == ["1st", "first 2", "first 4", "first 8"]


def test_a_level_has_its_row(sng: dict[str, Any]) -> None:
    (scenario,) = sng["scenarios"]
    text = printed(sng, width=140)
    for one in scenario["course"]["levels"]:
        limits = "/".join(
            f"{scenario['tournament']['levels'][one['level'] - 1][bet]:,}" for bet in ("small_bet", "big_bet")
        )
        row = re.search(rf"^ +{one['level']} +{limits} .*$", text, flags=re.MULTILINE)
        assert (row is not None) == bool(one["reached"]["count"])
        if row:
            assert (
                f"{one['players_left']['mean']:.1f}" in row.group()
                or f"{one['players_left']['mean']:.2f}" in row.group()
            )
            assert f"{100 * one['out']['fraction']:.1f}" in row.group()


def test_stacks_of_all_are_sums_with_intervals_that_hold(large: dict[str, Any]) -> None:
    (scenario,) = large["scenarios"]
    for moment in ("half", "bubble"):
        parts = [one for entrant in scenario["entrants"] for one in entrant["stacks"][moment]]
        found = stacks_of(scenario, moment)
        assert sum(one["players"] for one in found.values()) == sum(one["players"] for one in parts)
        for least, one in found.items():
            mine = [part for part in parts if part["from_average"] == least]
            assert one["cashed"]["count"] == sum(part["cashed"]["count"] for part in mine)
            prizes = sum(part["players"] * part["prize_in_buy_ins"]["mean"] for part in mine)
            assert one["prize_in_buy_ins"]["mean"] == pytest.approx(prizes / one["players"])


def test_details_have_every_pair_and_stacks_by_entrant(large: dict[str, Any]) -> None:
    text = printed(large, details=True)
    assert "prizes in buy-ins, by entrant" in text
    assert "prizes in buy-ins, by entrant" not in printed(large)


# Scenarios side by side, rules that end a run, searches


def test_a_sweep_is_told_side_by_side_and_against_its_baseline(swept: dict[str, Any]) -> None:
    text = printed(swept)
    assert "% return" in text
    assert "bb/100" not in text
    assert "% of what was paid in more than at the baseline (starting stack 1500)" in squeezed(text)
    assert "to the end" in text
    for scenario in swept["scenarios"]:
        assert f"{scenario['entrants'][0]['roi']:+.1f} ±" in text
        assert scenario["name"] in text
    assert "the structure as it was played" not in squeezed(text)
    assert "the structure as it was played" in squeezed(printed(swept, details=True))


def test_rules_that_end_a_run_are_told_in_returns_and_tournaments() -> None:
    rule = {"kind": "difference", "name": "tight", "other": "rock", "half_width": 5.0}
    assert stop_in_words(rule, RETURNS) == "when tight less rock is known to ± 5 % return"
    stopped = summary_of(stop={"difference": ["tight", "rock"], "half_width": 30}, tournaments=1200)
    (found,) = stopped["stopping"]
    words = sentence(found, measure_of(stopped))
    assert "% return" in words
    assert f"{found['looks'][-1]['blocks']:,} of at most 1,200 tournaments" in words
    text = squeezed(printed(stopped))
    assert "bb/100" not in text
    assert "first look after 512 tournaments (sooner with fewer `tournaments`)" in text


def test_counts_are_told_in_tournaments_where_all_take_as_many_hands(sng: dict[str, Any]) -> None:
    expected = sng["scenarios"][0]["tournament"]["expected_hands"]
    assert count_text(12 * expected, sng) == "12 tournaments"
    assert count_text(12 * expected + 1, sng) == f"about {12 * expected + 1:,} hands"
    assert count_text(1200, {"scenarios": [{}]}) == "1,200 hands"


def test_words_for_money_places_and_prizes(sng: dict[str, Any]) -> None:
    assert [cash(amount) for amount in (1500, Decimal("2.5"), 0.125)] == ["1,500", "2.50", "0.125"]
    assert [ordinal(place) for place in (1, 2, 3, 4, 11, 22, 113)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "22nd",
        "113th",
    ]
    assert payouts_in_words({"payouts": {"kind": "amounts", "values": [10]}}) == "fixed amounts"
    value = {"payouts": {"kind": "seat_value", "values": [2000]}}
    assert payouts_in_words(value) == "as many prizes of 2,000 as the pool has"
    assert with_returns(sng["scenarios"][0])["entrants"][0]["bb_per_100"] == sng["scenarios"][0]["entrants"][0]["roi"]
