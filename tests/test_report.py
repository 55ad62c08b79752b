"""The terminal report: its figures are the summary's, it fits its width, and no name can steer the terminal."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from razz_sim.batch import play_batch
from razz_sim.config import experiment_from_dict
from razz_sim.report import answer, overlap, print_report, ranked
from razz_sim.report.found import bar_of, interval_bar, scale_of
from razz_sim.report.numbers import LEAST_BLOCKS, decimals, percents, with_error
from razz_sim.statistics import summary
from razz_sim.store import json_text

STAKES = {"ante": "0.20", "bring_in": 1, "small_bet": 2, "big_bet": 4}
RAKED = {**STAKES, "rake": {"percent": 5, "cap": 2}}
TIMES = "\N{MULTIPLICATION SIGN}"
LINEUP = [
    {"name": "hero", "strategy": "tight", "params": {"limit": 7}},
    {"name": "fish", "strategy": "caller", "seats": 3},
    {"strategy": "maniac"},
]


def summary_of(hands: int = 3000, stakes: Any = RAKED, lineup: Any = LINEUP, **keys: Any) -> dict[str, Any]:
    """A played experiment's summary, as `summary.json` gives it back."""
    data = {"name": "asked", "seed": 3, "hands": hands, "stakes": stakes, "lineup": lineup, **keys}
    asked = experiment_from_dict(data, Path()).experiment
    tallies = [scenario.tally() for scenario in asked.scenarios]
    for batch in asked.batches(10**6):
        counted = play_batch(asked.scenarios[batch.scenario], asked.seed, batch)
        counted.add_to(tallies[batch.scenario])
    made = summary(asked, tallies, runner="local", workers=1, seconds=2.0)
    loaded: dict[str, Any] = json.loads(json_text(made))
    return loaded


@pytest.fixture(scope="module")
def one() -> dict[str, Any]:
    return summary_of()


@pytest.fixture(scope="module")
def ladder() -> dict[str, Any]:
    return summary_of(600, [{**STAKES, "name": f"ante {ante}", "ante": ante} for ante in ("0.10", "0.20", "0.40", "1")])


def printed(found: dict[str, Any], width: int = 80, encoding: str = "utf-8", **keys: Any) -> str:
    bytes_out = io.BytesIO()
    file = io.TextIOWrapper(bytes_out, encoding=encoding)
    print_report(found, Console(file=file, width=width, **keys))
    file.flush()
    return bytes_out.getvalue().decode(encoding)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def row_of(entrant: dict[str, Any], text: str) -> list[str]:
    """The words of an entrant's row, without its name and bar."""
    seats = f" {TIMES}{entrant['seats']}" if entrant["seats"] > 1 else ""
    line, _ = re.findall(rf"^  {re.escape(entrant['name'])}{seats} +(.*[0-9]%?)$", text, flags=re.MULTILINE)
    return [word for word in re.sub(r"[│━●┿]", " ", line).split() if word != "±"]


def test_the_figures_are_the_summarys(one: dict[str, Any]) -> None:
    text = printed(one, width=120)
    (scenario,) = one["scenarios"]
    for entrant in scenario["entrants"]:
        hands, net, *rest = row_of(entrant, text)
        assert hands == f"{entrant['hands']:,}"
        assert net == f"{entrant['net']:+,.2f}"
        found = [float(word) for word in rest if word != "-"]
        shares = [entrant["plays"]["showdowns"], entrant["plays"]["showdowns_won"]]
        wanted = [entrant["bb_per_100"], half(entrant)]
        sides = [1 + (share["fraction"] in (0, 1)) for share in shares]
        errors = [side * half(share) for side, share in zip(sides, shares, strict=True)]
        wanted += [
            100 * figure for share, error in zip(shares, errors, strict=True) for figure in (share["fraction"], error)
        ]
        assert found == pytest.approx(wanted, abs=0.051)
    pots = scenario["pots"]
    mean = re.search(r"mean pot +([\d.]+) ± ([\d.]+) = ([\d.]+) ± ([\d.]+) big bets", text)
    assert mean
    wanted = [pots["mean"], half(pots), pots["big_bets"]["mean"], half(pots["big_bets"])]
    assert [float(number) for number in mean.groups()] == pytest.approx(wanted, abs=0.0051)
    assert f"{pots['rake']['total_units'] / 100:,.2f} in all" in text
    of_pots = re.search(r"([\d.]+) ± ([\d.]+) % of the pots", text)
    assert of_pots
    wanted = [100 * pots["rake"]["of_pots"]["mean"], 100 * half(pots["rake"]["of_pots"])]
    assert [float(number) for number in of_pots.groups()] == pytest.approx(wanted, abs=0.0051)


def half(estimate: dict[str, Any]) -> float:
    return float(estimate["ci95"][1] - estimate["ci95"][0]) / 2


def test_the_terminal_tells_pots_by_size_and_rates_adjusted_where_somebody_was_all_in(one: dict[str, Any]) -> None:
    short = summary_of(stack=3)
    quantiles = short["scenarios"][0]["pots"]["quantiles"]
    half, nine, all_but_1 = (f"{quantiles[part]:.1f}" for part in ("50", "90", "99"))
    assert f"up to {half} big bets in half of the hands, {nine} in 90 %, {all_but_1} in 99 %" in squeezed(
        printed(short)
    )
    for found in (short, one):
        adjusted = [entrant["all_in_adjusted"] for entrant in found["scenarios"][0]["entrants"]]
        assert ("all-in adj." in printed(found)) == any(entrant["hands"] for entrant in adjusted)
    for entrant in short["scenarios"][0]["entrants"]:
        assert f"{entrant['all_in_adjusted']['bb_per_100']:+.1f} ±" in printed(short)
    assert "all-in adj." not in printed(summary_of(60, stack=500)), "nobody is"


def test_hands_end_where_the_summary_says_and_streets_without_an_end_have_no_row() -> None:
    lineup = [{"name": "rock", "strategy": "tight", "seats": 2}, {"strategy": "random", "seats": 2}]
    found = summary_of(lineup=lineup)
    ends = found["scenarios"][0]["pots"]["ends"]
    assert any(share["count"] for share in ends.values())
    for text in (printed(found), printed({**found, "scenarios": [with_ends(found, "third", "showdown")]})):
        told = dict(re.findall(r"(on [a-z]+|showdown) +([\d,]+) +[\d.]+ ± +[\d.]+ %", text))
        assert told
        assert "0" not in told.values()
    wanted = {"showdown" if street == "showdown" else f"on {street}": share["count"] for street, share in ends.items()}
    told = dict(re.findall(r"(on [a-z]+|showdown) +([\d,]+) +[\d.]+ ± +[\d.]+ %", printed(found)))
    assert {where: int(count.replace(",", "")) for where, count in told.items()} == {
        where: count for where, count in wanted.items() if count
    }
    everywhere = {**found, "scenarios": [with_ends(found, "showdown")]}
    assert re.search(r"hands end +at showdown, all [\d,]+$", printed(everywhere), flags=re.MULTILINE)


def with_ends(found: dict[str, Any], *kept: str) -> dict[str, Any]:
    """The first scenario as if hands had ended on these streets only."""
    scenario: dict[str, Any] = copy.deepcopy(found["scenarios"][0])
    for street, share in scenario["pots"]["ends"].items():
        if street not in kept:
            share["count"], share["fraction"] = 0, 0.0
    return scenario


def test_no_number_is_without_its_error(one: dict[str, Any]) -> None:
    """But for counts and exact sums, which have no decimals or are money."""
    tables = printed(one).split("\n\n")[2:]
    table, *plays, pots, _ = tables
    table = "\n".join([table, *plays])
    rates = re.sub(r"[+-][\d,]+\.\d\d  ", "", table)  # net: an exact sum
    rates = re.sub(r"^ .*(net|entrant).*$", "", rates, flags=re.MULTILINE)
    assert re.findall(r"\d+\.\d+", rates)
    assert not re.findall(r"(?<![\d.])(?<!± )(?<!±  )(?<! - )(?<! \+ )\d+\.\d+(?! ±)(?! [-+] )(?![\d.])", rates)
    means = " ".join(line for line in squeezed(pots).split("seen")[0].split(" in all, "))
    assert len(re.findall(r"\d ± \d", means)) == 4


def test_the_heading_says_what_was_asked_and_how_it_was_played(one: dict[str, Any]) -> None:
    text = squeezed(printed(one))
    assert text.startswith("asked rules pokerstars, fixed limit stakes 2/4, ante 0.20, bring-in 1, rake 5 % up to 2 ")
    assert "hero: tight (limit 7); fish: caller in 3 seats; maniac" in text
    assert "stacks 100 big bets line-up" in text
    assert "hands 3,000, seed 3 played local, 2.0 s, 1,500 hands/s" in text


def test_values_that_have_an_and_in_them_are_told_apart() -> None:
    session = [{"hands": 20, "stacks": "carry", "top_up": True}, {"hands": 20, "stacks": "carry"}]
    text = squeezed(printed(summary_of(40, sweep={"session": session})))
    assert "20 hands, stacks carried on and topped up; or carried on" in text


def test_the_betting_is_told_once() -> None:
    rules = {"betting": "no_limit", "burn_cards": True}
    text = squeezed(printed(summary_of(60, rules=rules, name="no_limit")))
    assert "rules pokerstars with burn_cards true, no limit stakes" in text
    assert text.count("no limit") == 1


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"runner": "ray", "workers": 2, "seconds": 19.0, "seconds_starting_ray": 5.5},
         "ray with 2 workers, 19.0 s (5.5 s to start Ray), 222 hands/s"),
        ({"runner": "local, then ray", "workers": 2, "seconds": 30.0, "seconds_starting_ray": 0},
         "local, then ray with 2 workers, 30.0 s with Ray's start, 100 hands/s"),
        ({"seconds": 0.0}, "played local, 0.0 s hero"),
    ],
)  # fmt: skip
def test_the_start_of_ray_is_no_part_of_the_speed(one: dict[str, Any], how: dict[str, Any], words: str) -> None:
    assert words in squeezed(printed({**one, **how}))


def test_what_all_seats_won_is_told_apart_from_what_each_won(one: dict[str, Any]) -> None:
    assert re.search(r"net +bb/100.*\n.*all seats +per seat", printed(one))
    alone = summary_of(60, lineup=[{"strategy": "tight"}, {"strategy": "caller"}])
    assert "seat" not in printed(alone)


def test_the_digest_is_in_the_last_line(one: dict[str, Any]) -> None:
    assert printed(one).splitlines()[-1] == f"digest {one['digest'][:16]}"


@pytest.mark.parametrize("width", [60, 72, 80, 100, 140])
def test_no_line_is_wider_than_the_terminal_or_cut_short(
    one: dict[str, Any], ladder: dict[str, Any], width: int
) -> None:
    for found in (one, ladder):
        text = printed(found, width=width)
        assert max(cell_len(line) for line in text.splitlines()) <= width
        assert "…" not in text
        assert not [line for line in text.splitlines() if line != line.rstrip()]


def test_large_numbers_still_fit_80_columns() -> None:
    lineup = [{"name": f"{number}{'x' * 30}", "strategy": "maniac"} for number in range(8)]
    found = summary_of(200, lineup=lineup)
    for entrant in found["scenarios"][0]["entrants"]:
        entrant["net_units"] *= 10**9
        entrant["hands"] *= 10**7
    text = printed(found)
    assert max(cell_len(line) for line in text.splitlines()) <= 80
    for entrant in found["scenarios"][0]["entrants"]:
        assert f"{entrant['net_units'] / 100:+,.2f}" in text
        assert entrant["name"] in text


def test_a_pipe_gets_plain_text(one: dict[str, Any]) -> None:
    assert "\x1b" not in printed(one)
    assert "\x1b[32m" in printed(one, force_terminal=True, color_system="standard")


def test_color_hides_nothing(one: dict[str, Any]) -> None:
    colored = printed(one, force_terminal=True, color_system="truecolor")
    stripped = re.sub(r"\x1b\[[\d;]*m", "", colored)
    assert squeezed(stripped) == squeezed(printed(one))


def test_names_are_text_never_markup_or_control_codes(one: dict[str, Any]) -> None:
    found = copy.deepcopy(one)
    found["name"] = "[red]n[/red]"
    scenario = found["scenarios"][0]
    scenario["stakes"]["name"] = "[link=x]2/4"
    for entrant, name in zip(scenario["entrants"], ["[bold]hero", "[/]", "a\x1b[31m\x07\nb"], strict=True):
        entrant["name"] = name
    text = printed(found, force_terminal=True, color_system=None)
    assert "[red]n[/red]" in text
    assert "[link=x]2/4" in text
    assert re.search(r"^  \[bold\]hero  ", text, flags=re.MULTILINE)
    assert re.search(rf"^  \[/\] {TIMES}3  ", text, flags=re.MULTILINE)
    assert re.search(r"^  a\?\[31m\?\?b  ", text, flags=re.MULTILINE)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text)


def test_terminals_without_unicode_get_ascii(one: dict[str, Any]) -> None:
    found = copy.deepcopy(one)
    found["scenarios"][0]["entrants"][0]["name"] = "Zoë"
    text = printed(found, encoding="ascii")
    assert text.isascii()
    assert "Zo?" in text
    assert "+/-" in text
    assert "fish x3" in text


def test_wide_characters_keep_columns_straight(one: dict[str, Any]) -> None:
    found = copy.deepcopy(one)
    found["scenarios"][0]["entrants"][0]["name"] = "勇者" * 8
    text = printed(found, width=100)
    rows = [line for line in text.splitlines() if re.search(r"(勇者|fish .3|maniac) .* ± [\d.]+$", line)]
    assert len(rows) == 3
    assert len({cell_len(row) for row in rows}) == 1


# The answer in a sentence


def scenario_with(
    *entrants: tuple[str, float, Sequence[float] | None], seats: int = 1, name: str = "1/2"
) -> dict[str, Any]:
    return {
        "name": name,
        "hands": 1000,
        "blocks": 1000,
        "session": None,
        "entrants": [
            {"name": name, "bb_per_100": rate, "ci95": interval, "seats": seats} for name, rate, interval in entrants
        ],
    }


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        (
            scenario_with(("fish", -2.5, [-3.3, -1.7]), ("hero", 12.34, [11.54, 13.14])),
            "hero wins 12.3 ± 0.8 big bets per 100 hands, clear of fish, who loses 2.5 ± 0.8 big bets per 100 hands "
            "(95 % intervals over 1,000 hands).",
        ),
        (
            scenario_with(("hero", 3.0, [1.0, 5.0]), ("fish", 2.0, [0.5, 3.5])),
            "hero wins 3.0 ± 2.0 big bets per 100 hands. fish comes next with +2.0 ± 1.5: the 95 % intervals overlap, "
            "so 1,000 hands do not settle which is better.",
        ),
        (
            scenario_with(("hero", 0.3, [-0.6, 1.2]), ("fish", -4.0, [-5.0, -3.0])),
            "hero breaks even within the error, +0.3 ± 0.9 big bets per 100 hands, clear of fish, who loses 4.0 ± 1.0 "
            "big bets per 100 hands (95 % intervals over 1,000 hands).",
        ),
        (
            scenario_with(("house", -1.25, [-1.35, -1.15]), seats=6),
            "house loses 1.25 ± 0.10 big bets per 100 hands in each of its 6 seats (95 % interval over 1,000 hands).",
        ),
        (
            {**scenario_with(("hero", 3.0, [1.0, 5.0]), ("fish", -2.0, [-3.0, -1.0])), "blocks": 50, "session": {}},
            "hero wins 3.0 ± 2.0 big bets per 100 hands, clear of fish, who loses 2.0 ± 1.0 big bets per 100 hands "
            "(95 % intervals over 50 sessions).",
        ),
    ],
)
def test_one_scenario_is_answered_in_words_of_the_field(scenario: dict[str, Any], sentence: str) -> None:
    assert answer({"scenarios": [scenario]}) == sentence


def test_many_scenarios_are_answered_by_who_leads_how_often_with_what_rates() -> None:
    clear = scenario_with(("a", 5.0, [4.0, 6.0]), ("b", -5.0, [-6.0, -4.0]), name="ante 1")
    close = scenario_with(("a", 1.0, [0.0, 2.0]), ("b", 0.5, [-0.5, 1.5]), name="ante 2")
    other = scenario_with(("a", -5.0, [-6.0, -4.0]), ("b", 5.0, [4.8, 5.2]), name="ante 3")
    assert answer({"scenarios": [clear, close, other]}) == (
        "a has the best rate in 2 of 3 scenarios, in 1 of them clear of the next, "
        "with +1.0 ± 1.0 (ante 2) to +5.0 ± 1.0 (ante 1) big bets per 100 hands; "
        "b has the best rate in 1 of 3 scenarios, clear of the next, with +5.00 ± 0.20 (ante 3) big bets per 100 "
        "hands. (± are 95 % intervals; clear: these are apart.)"
    )


@pytest.mark.parametrize(
    ("blocks", "session", "words"),
    [(1, None, "1 hand tells"), (2, None, "2 hands tell"), (29, None, "29 hands tell"), (9, {}, "9 sessions tell")],
)
def test_a_few_blocks_tell_nothing(blocks: int, session: Any, words: str) -> None:
    few = {**scenario_with(("hero", 30.0, [29.0, 31.0]), ("fish", -30.0, [-31.0, -29.0])), "blocks": blocks}
    few["session"] = session
    for scenarios in ([few], [few, few]):
        told = answer({"scenarios": scenarios})
        assert told == f"{words} nothing about who wins: an interval takes at least 30."
    enough = {**few, "blocks": 30, "name": "first"}
    assert answer({"scenarios": [enough, few]}).startswith("first: hero wins 30.0 ± 1.0 big bets")
    assert answer({"scenarios": [enough, few]}).endswith(" 1 more scenario has too few blocks to tell.")
    assert "hero has the best rate in all 2 scenarios" in answer({"scenarios": [enough, few, few, enough]})


@pytest.mark.parametrize("hands", [1, 2, LEAST_BLOCKS - 1])
def test_the_tables_of_a_few_blocks_claim_no_interval(hands: int) -> None:
    text = printed(summary_of(hands))
    assert "±" not in text
    assert "nothing about who wins" in squeezed(text)


@pytest.mark.parametrize(
    ("leads", "clear", "words"),
    [(1, 0, "not clear"), (1, 1, "clear"), (3, 0, "in none of them clear"), (3, 3, "in all of them clear")],
)
def test_a_lead_is_called_clear_only_where_intervals_are_apart(leads: int, clear: int, words: str) -> None:
    close = scenario_with(("a", 1.0, [0.0, 2.0]), ("b", 0.5, [-0.5, 1.5]))
    apart = scenario_with(("a", 5.0, [4.0, 6.0]), ("b", -5.0, [-6.0, -4.0]))
    other = scenario_with(("a", -5.0, [-6.0, -4.0]), ("b", 5.0, [4.0, 6.0]))
    sentence = answer({"scenarios": [apart] * clear + [close] * (leads - clear) + [other] * 2})
    assert f"a has the best rate in {leads} of {leads + 2} scenarios, {words} of the next" in sentence


def test_the_sentence_is_on_top_of_the_report(one: dict[str, Any]) -> None:
    assert squeezed(answer(one)) in squeezed(printed(one))


def test_entrants_are_ranked_by_rate(one: dict[str, Any]) -> None:
    text = printed(one)
    order = [entrant["name"] for entrant in ranked(one["scenarios"][0])]
    places = [re.search(rf"^  {name}\b.* ± [\d.]+$", text, flags=re.MULTILINE) for name in order]
    starts = [place.start() for place in places if place]
    assert len(starts) == 3
    assert starts == sorted(starts)


def test_unknown_intervals_count_as_overlapping() -> None:
    assert overlap({"ci95": None}, {"ci95": [1.0, 2.0]})
    assert overlap({"ci95": [1.0, 2.0]}, {"ci95": [2.0, 3.0]})
    assert not overlap({"ci95": [1.0, 2.0]}, {"ci95": [2.1, 3.0]})


# Small parts, and runs at the edge


def test_a_run_of_one_hand_is_reported_without_intervals() -> None:
    text = printed(summary_of(1))
    assert "nan" not in text
    assert "None" not in text


def test_a_table_where_nobody_plays_is_reported() -> None:
    lineup = [{"name": "a", "strategy": "folder", "seats": 2}, {"name": "b", "strategy": "folder", "seats": 2}]
    text = printed(summary_of(400, stakes=STAKES, lineup=lineup))
    assert "no rake" in text
    assert "None" not in text


@pytest.mark.parametrize(
    ("rate", "interval", "drawn"),
    [
        (0.0, [0.0, 0.0], "     ●     "),
        (10.0, [8.0, 10.0], "     │   ━●"),
        (-10.0, [-10.0, -8.0], "●━   │     "),
        (2.0, [-2.0, 6.0], "    ━┿●━━  "),
        (5.0, None, "     │ ●   "),
    ],
)
def test_intervals_are_drawn_around_zero(rate: float, interval: list[float] | None, drawn: str) -> None:
    found = interval_bar({"bb_per_100": rate, "ci95": interval}, reach=10, width=11)
    assert found.replace("●", "?") == drawn.replace("●", "?")
    assert len(found) == 11


def test_bars_are_as_long_as_their_shares() -> None:
    assert [bar_of(fraction, 4) for fraction in (0.0, 0.03, 0.5, 0.53, 1.0)] == ["", "▏", "██", "██▏", "████"]


@pytest.mark.parametrize(
    ("half", "places"), [(0.0, 2), (1e-9, 10), (4e-8, 8), (0.04, 2), (0.29, 2), (0.31, 1), (5.0, 1), (500.0, 1)]
)
def test_decimals_follow_the_error(half: float, places: int) -> None:
    assert decimals(half) == places


def test_amounts_of_the_smallest_currency_are_not_rounded_to_nothing() -> None:
    tiny = {"ante": "0.00000001", "bring_in": "0.00000002", "small_bet": "0.00000004", "big_bet": "0.00000008"}
    text = squeezed(printed(summary_of(stakes=tiny)))
    mean, error = re.search(r"mean pot ([\d.]+) ± ([\d.]+) =", text).groups()  # type: ignore[union-attr]
    assert float(mean) > float(error) > 0


def test_a_rate_without_error_has_two_decimals_and_none_that_is_rounded_is_minus_nothing() -> None:
    assert with_error(-0.25, (-0.25, -0.25), decimals(0.0)) == "-0.25 ± 0.00"
    assert with_error(-0.04, (-0.5, 0.42), 1, sign="+") == "+0.0 ± 0.5"


@pytest.mark.parametrize("reach", [0.00012, 0.31, 7.0, 99.0, 1573.2, 85_000.0, 12_345_678.0, 3e11])
@pytest.mark.parametrize("width", [11, 21, 33])
def test_the_ends_of_a_scale_stand_apart_from_its_middle(reach: float, width: int) -> None:
    scale = scale_of(reach, width)
    assert len(scale) == width
    assert scale.split() == ["0"] or scale.split()[1] == "0"


def test_many_scenarios_stand_side_by_side_with_every_rate(ladder: dict[str, Any]) -> None:
    text = printed(ladder)
    for scenario in ladder["scenarios"]:
        row = next(line for line in text.splitlines() if line.startswith(f"  {scenario['name']} "))
        rates = [float(rate) for rate in re.findall(r"([+-]\d+\.\d) ±", row)]
        assert rates == pytest.approx([entrant["bb_per_100"] for entrant in scenario["entrants"]], abs=0.051)
    assert "stakes   2/4, ante 0.10, 0.20, 0.40 or 1, bring-in 1, no rake" in text
    assert "hands end" not in text, "four scenarios are compared, not told one by one"


def test_each_column_of_a_comparison_names_its_unit(ladder: dict[str, Any]) -> None:
    lines = printed(ladder, width=120).splitlines()
    units = next(line for line in lines if line.startswith("  scenario "))
    names = lines[lines.index(units) - 1]
    columns = [re.search(rf"{name}", names) for name in ("hero", f"fish {TIMES}3", "maniac", "mean pot", "showdown")]
    ends = [column.end() for column in columns if column]
    assert [units[:end].rsplit("  ", 1)[-1] for end in ends] == [
        "bb/100", "bb/100 each", "bb/100", "big bets", "% of hands",
    ]  # fmt: skip


@pytest.mark.parametrize("width", [60, 80, 120])
def test_scenarios_with_long_names_can_be_told_apart(width: int) -> None:
    options = {"rules.short_all_in": ["half_bet", "full_bet_only"], "lineup[0].params.limit": [6, 7]}
    found = summary_of(10, sweep={**options, "rules.opener_tie": ["position"], "rules.show_first": ["seat", "opener"]})
    names = [scenario["name"] for scenario in found["scenarios"]]
    assert min(map(len, names)) > 60
    text = printed(found, width=width)
    first = [line[2:] for line in text.splitlines()]
    whole = squeezed(" ".join(re.sub(r"  .*", "", line) for line in first))
    assert all(name in whole for name in names), whole
    assert max(map(cell_len, text.splitlines())) <= width


def test_details_of_many_scenarios_can_be_asked_for(ladder: dict[str, Any]) -> None:
    file = io.StringIO()
    print_report(ladder, Console(file=file, width=80), details=True)
    assert file.getvalue().count("hands end") == 4
    file = io.StringIO()
    print_report(ladder, Console(file=file, width=80), details=False)
    assert file.getvalue().count("hands end") == 0


def test_a_wide_comparison_is_split_into_tables_that_fit() -> None:
    lineup = [{"name": f"entrant number {number}", "strategy": "tight"} for number in range(8)]
    found = summary_of(100, [{**STAKES, "name": name} for name in ("one", "two", "three", "four")], lineup)
    text = printed(found)
    assert max(cell_len(line) for line in text.splitlines()) <= 80
    for number in range(8):
        assert re.search(rf"^ .*entrant number {number}\b", text, flags=re.MULTILINE)


def test_an_interval_of_a_share_never_reaches_below_none_or_above_all() -> None:
    shares = [
        {"fraction": 1.0, "ci95": [0.991, 1.0]},
        {"fraction": 0.0, "ci95": [0.0, 0.009]},
        {"fraction": 0.012, "ci95": [0.002, 0.067]},
        {"fraction": 0.988, "ci95": [0.933, 0.998]},
        {"fraction": 0.5, "ci95": [0.45, 0.55]},
    ]
    assert [text.strip() for text in percents(shares)] == [
        "100.0 - 0.9",
        "0.0 + 0.9",
        "1.2 -1.0 +5.5",
        "98.8 -5.5 +1.0",
        "50.0 ± 5.0",
    ]
