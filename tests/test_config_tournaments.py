"""Tournaments in experiment files: what keys come to, what mistakes are told, and the way back from a manifest."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from razz_sim.config import (
    ConfigError,
    Loaded,
    Problem,
    experiment_from_dict,
    experiment_from_manifest,
    for_manifest,
    json_schema,
    load_experiment,
    resolved,
)
from razz_sim.config.keys import TOURNAMENT_KEYS
from razz_sim.config.levels import find_structure, pace_of, shipped_structures
from razz_sim.experiment import Experiment, Scenario
from razz_sim.rules import PRESETS
from razz_sim.store.manifest import shapes
from razz_sim.structures import BY_HANDS, Again, Level, Payouts, Tournament

CONFIGS = Path(__file__).parent.parent / "configs"
HEAD = "name: q\nseed: 7\nformat: tournament\ntournaments: 20\n"
"""Four lines; what follows begins on the fifth."""
LEVELS = """levels:
  - {ante: 5, bring_in: 10, small_bet: 25, big_bet: 50, hands: 10}
  - {ante: 10, bring_in: 15, small_bet: 50, hands: 10}
"""
MONEY = "payouts: [70, 30]\nbuy_in: {prize: 10, fee: 1}\n"
LINEUP = "lineup:\n  - {strategy: tight, seats: 3}\n  - {strategy: caller, seats: 5}\n"
STACK = "starting_stack: 1000\n"
GOOD = HEAD + STACK + LEVELS + MONEY + LINEUP
"""Line 5 starting_stack, 6 levels, 9 payouts, 10 buy_in, 11 lineup."""
BASE: dict[str, Any] = yaml.safe_load(GOOD)


def load(folder: Path, text: str) -> Loaded:
    path = folder / "x.yaml"
    path.write_text(text)
    return load_experiment(path)


def problems(folder: Path, text: str) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as caught:
        load(folder, text)
    for problem in caught.value.problems:
        assert not re.search(r"[Ii]nput should|pydantic|[Ff]ield required|Traceback|NoneType", str(problem))
        assert "\n" not in str(problem)
    return caught.value.problems


def loaded(folder: Path = CONFIGS, /, without: tuple[str, ...] = (), **keys: Any) -> Loaded:
    data = {key: value for key, value in {**BASE, **keys}.items() if key not in without}
    return experiment_from_dict(data, folder)


def scenario(**keys: Any) -> Scenario:
    return loaded(**keys).experiment.scenarios[0]


def plan(**keys: Any) -> Tournament:
    found = scenario(**keys).tournament
    assert found is not None
    return found


def refused(**keys: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        loaded(**keys)
    return [str(problem) for problem in caught.value.problems]


def warned(**keys: Any) -> list[str]:
    return [str(warning) for warning in loaded(**keys).warnings]


# What keys come to


def test_a_file_is_a_scenario_of_tournaments(tmp_path: Path) -> None:
    (found,) = load(tmp_path, GOOD).experiment.scenarios
    assert found.tournament is not None
    assert found.tournament == Tournament(
        kind="tables",
        field=8,
        seats=8,
        stack=1000,
        levels=found.tournament.levels,
        payouts=Payouts("shares", (700_000, 300_000)),
        prize=10,
        fee=1,
    )
    assert [(one.stakes.name, one.stakes.big_bet, one.length) for one in found.tournament.levels] == [
        ("25/50", 50, 10),
        ("50/100", 100, 10),
    ]
    assert (found.name, found.rules, found.stack, found.on_error) == (
        "levels",
        PRESETS["wsop_tournament"],
        1000,
        "stop",
    )
    assert (found.stakes, found.blocks) == (found.tournament.levels[0].stakes, 20)
    assert found.hands == 20 * found.tournament.expected_hands
    assert [(one.name, one.seats, one.weight) for one in found.lineup] == [("tight", 3, None), ("caller", 5, None)]


def test_formats_are_kinds_of_tournaments() -> None:
    assert plan(format="shootout").kind == "shootout"
    bracket = plan(format="bracket", payouts="winner_take_all")
    assert (bracket.kind, bracket.seats) == ("bracket", 2)
    assert plan(format={"kind": "bracket"}, table={"seats": 2}).seats == 2
    assert (plan(table={"seats": 4}).seats, plan(table={"seats": 4}).tables) == (4, 2)


def test_levels_in_minutes_have_a_clock_and_a_pace() -> None:
    timed = [{"ante": 5, "bring_in": 10, "small_bet": 25, "minutes": 0.5}]
    assert plan(levels=timed).levels[0].length == 30_000
    assert plan(levels=timed).pace == pace_of({8: Decimal(30), 2: Decimal(60)})
    assert plan(levels=timed, pace={"hands_per_hour": {5: 40}}).pace == (90_000,) * 9
    assert plan().pace == BY_HANDS
    assert pace_of({4: Decimal(45), 6: Decimal(60)})[3:8] == (80_000, 80_000, 68_571, 60_000, 60_000)


def test_a_structure_comes_by_name_and_with_levels_of_another_length() -> None:
    daily = plan(levels="daily")
    assert (daily.structure, daily.levels[0].length, scenario(levels="daily").name) == ("daily", 1_200_000, "daily")
    shorter = plan(levels={"structure": "daily", "minutes": 10})
    assert {one.length for one in shorter.levels} == {600_000}
    assert shorter.structure == "daily"
    by_hands = plan(levels={"structure": "daily", "hands": 8})
    assert ({one.length for one in by_hands.levels}, by_hands.pace) == ({8}, BY_HANDS)
    assert [one.stakes for one in by_hands.levels] == [one.stakes for one in daily.levels]
    assert plan(levels={"structure": "daily"}) == daily
    assert plan(levels="daily", pace={"hands_per_hour": {8: 60}}).pace == (60_000,) * 9


def test_a_structure_comes_from_a_file_beside_the_experiment(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        "pace: {hands_per_hour: {8: 60}}\n" + LEVELS.replace("hands: 10", "minutes: 10")
    )
    (tmp_path / "x").mkdir()
    found = load(tmp_path, GOOD.replace(LEVELS, "levels: mine.yaml\n")).experiment.scenarios[0]
    assert found.tournament is not None
    assert (found.name, found.tournament.structure, found.tournament.pace) == ("mine", "mine.yaml", (60_000,) * 9)
    again = loaded(tmp_path / "x", levels={"structure": "../mine.yaml", "hands": 5}).experiment.scenarios[0]
    assert again.tournament is not None
    assert [one.length for one in again.tournament.levels] == [5, 5]


@pytest.mark.parametrize(
    ("written", "payouts"),
    [
        ("top15", Payouts("top", (1500,))),
        ("top12.5", Payouts("top", (1250,))),
        ("top100", Payouts("top", (10_000,))),
        ([50, 30, 20], Payouts("shares", (500_000, 300_000, 200_000))),
        ([62.5, 37.5], Payouts("shares", (625_000, 375_000))),
        ("winner_take_all", Payouts("shares", (1_000_000,))),
        ({"prizes": [60, 20]}, Payouts("amounts", (60, 20))),
        ({"prizes": [60.5, 19.5]}, Payouts("amounts", (6050, 1950))),
        ({"seats": 3}, Payouts("seats", (3,))),
        ({"seat_value": 20}, Payouts("seat_value", (20,))),
    ],
)
def test_prizes_are_shared_out_in_these_ways(written: object, payouts: Payouts) -> None:
    assert plan(payouts=written).payouts == payouts


def test_money_is_exact_in_the_smallest_unit_of_all_amounts() -> None:
    found = plan(buy_in={"prize": "10.50", "fee": 1}, addon={"after_level": 1, "prize": "0.125"})
    assert (found.unit, found.prize, found.fee) == (Decimal("0.001"), 10_500, 1000)
    assert found.addon == Again(level=1, chips=1000, price=125, fee=0, times=1)
    assert (plan(buy_in={"prize": 200}).fee, plan(buy_in={"prize": 200}).unit) == (0, 1)


def test_what_is_left_out_of_what_may_be_bought_is_as_at_the_start() -> None:
    found = plan(reentry={"until_level": 2}, rebuys={"until_level": 1}, addon={"after_level": 1})
    assert found.reentry == Again(level=2, chips=1000, price=10, fee=1, times=1)
    assert found.rebuy == Again(level=1, chips=1000, price=10, fee=0, times=0)
    assert found.addon == Again(level=1, chips=1000, price=10, fee=0, times=1)
    given = {"stack": 2000, "prize": 20, "fee": 2}
    found = plan(
        reentry={"until_level": 1, "times": 0, **given},
        rebuys={"until_level": 1, "times": 3, **given},
        addon={"after_level": 1, **given},
    )
    assert found.reentry == Again(level=1, chips=2000, price=20, fee=2, times=0)
    assert found.rebuy == Again(level=1, chips=2000, price=20, fee=2, times=3)
    assert found.addon == Again(level=1, chips=2000, price=20, fee=2, times=1)


@pytest.mark.parametrize(
    ("field", "lineup", "expected"),
    [
        (None, [{}, {}, {"seats": 4}], [1, 1, 4]),
        (100, [{"seats": 20}, {"weight": 2}, {}], [20, 53, 27]),
        (100, [{}, {}, {}], [34, 33, 33]),
        (100, [{"seats": 60}, {"seats": "rest"}], [60, 40]),
        (100, [{"seats": 60}, {"seats": 40}], [60, 40]),
        (100_000, [{"seats": 99_999}, {}], [99_999, 1]),
    ],
)
def test_the_field_is_shared_out(field: int | None, lineup: list[dict[str, Any]], expected: list[int]) -> None:
    entrants = [{"strategy": "tight", "name": f"n{at}", **one} for at, one in enumerate(lineup)]
    found = scenario(lineup=entrants, **({} if field is None else {"field": field}))
    assert [one.seats for one in found.lineup] == expected
    assert found.tournament is not None
    assert found.tournament.field == sum(expected)


def test_rules_begin_with_those_of_tournaments() -> None:
    assert scenario(rules={"bets_per_round": 4}).rules.describe() == "wsop_tournament with bets_per_round 4"
    assert scenario(rules="pokerstars").rules == PRESETS["pokerstars"]
    assert scenario(on_error="forfeit").on_error == "forfeit"


def test_tournaments_have_an_option_and_levels_can_be_set(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(GOOD.replace(LEVELS, "levels: daily\n"))
    found = load_experiment(path, tournaments="3", overrides=["levels.minutes=5"]).experiment.scenarios[0]
    assert found.tournament is not None
    assert (found.blocks, found.tournament.levels[0].length) == (3, 300_000)
    with pytest.raises(ConfigError) as caught:
        load_experiment(path, hands="1000")
    assert [str(one) for one in caught.value.problems] == [
        "--hands 1000: hands: counts hands at one table: this file counts tournaments: say --tournaments N, or --set "
        "tournaments=N"
    ]
    with pytest.raises(ConfigError) as caught:
        load_experiment(CONFIGS / "quickstart.yaml", tournaments=5)
    assert str(caught.value).startswith(
        "--tournaments 5: tournaments: is for whole tournaments: write format: tournament"
    )


# Mistakes

BAD: list[tuple[str, int | None, str, str]] = [
    # keys of other formats
    (GOOD + "hands: 100\n", 14, "hands", "for hands at one table: a tournament has tournaments"),
    (GOOD + "stakes: live_15_30\n", 14, "stakes", "for hands at one table: a tournament has levels"),
    (GOOD + "stack: 100\n", 14, "stack", "in big bets: a tournament has starting_stack, in chips"),
    (GOOD + "session: {hands: 10}\n", 14, "session", "is itself played to its end"),
    (GOOD + "duplicate: true\n", 14, "duplicate", "every entrant has each seat in turn"),
    (GOOD.replace("format: tournament", "format: table"), 4, "tournaments",
     "is for whole tournaments: write format: tournament .or shootout, or bracket.; hands at one table have hands"),
    (GOOD.replace("format: tournament", "format: table"), 6, "levels", "hands at one table have stakes"),
    (GOOD.replace("format: tournament", "format: table"), 9, "payouts", "write format: tournament .* or leave it out"),
    (GOOD.replace("format: tournament\n", ""), 1, "format", "is missing: write format: tournament, or shootout"),
    (GOOD.replace("format: tournament", "format: tornament"), 3, "format", "is not a format; did you mean tournament"),
    (GOOD.replace("format: tournament", "format: {kind: tournament, seats: 8}"), 3, "format.seats",
     r"is for matches: for tournaments write table: \{seats: 8\}"),
    (GOOD.replace("format: tournament", "format: {kind: tournament, tables: 8}"), 3, "format.tables",
     "write field: 180"),
    (GOOD + "ante: 5\n", 14, "ante", "it belongs in a section, as levels.ante"),
    (GOOD + "workers: 5\n", 14, "workers", "it belongs in a section, as runner.workers"),
    (GOOD + "starting_stacks: 5\n", 14, "starting_stacks", "no key here"),
    # what must be there
    (GOOD.replace("tournaments: 20\n", ""), 1, "tournaments", "is missing: Tournaments to play"),
    (GOOD.replace(STACK, ""), 1, "starting_stack", "is missing: Chips in front"),
    (GOOD.replace(LEVELS, ""), 1, "levels", "is missing: A structure"),
    (GOOD.replace("payouts: [70, 30]\n", ""), 1, "payouts", "is missing: top15 pays"),
    (GOOD.replace("buy_in: {prize: 10, fee: 1}\n", ""), 1, "buy_in", "is missing: What each player pays"),
    (HEAD + STACK + LEVELS + MONEY, 1, "lineup", "is missing: The entrants"),
    (GOOD.replace("prize: 10, ", ""), 10, "buy_in.prize", "is missing: The part that goes into the prize pool"),
    # numbers
    (GOOD.replace("tournaments: 20", "tournaments: 0"), 4, "tournaments", "from 1 to 1_000_000_000, not 0"),
    (GOOD.replace("tournaments: 20", "tournaments: 1e9").replace("1000", "1_000_000"), 4, "tournaments",
     r"1_000_000_000 tournaments of about \S+ hands are beyond exact 64-bit totals: at most"),
    (GOOD.replace("1000", "1000.5"), 5, "starting_stack", "must be a whole number from 1"),
    (GOOD.replace("1000", "1e12"), 5, "starting_stack", "for each of 8 players are .* in play: at most"),
    (GOOD + "field: 1\n", 14, "field", "from 2 to 100_000, not 1"),
    (GOOD + "table: {seats: 9}\n", 14, "table.seats", "from 2 to 8, not 9"),
    (GOOD.replace("format: tournament", "format: bracket") + "table: {seats: 8}\n", 14, "table.seats",
     "a bracket is played heads-up, not at tables of 8"),
    # levels
    (GOOD.replace(LEVELS, "levels: dayly\n"), 6, "levels", r"'dayly' is no structure .*; did you mean daily\?"),
    (GOOD.replace(LEVELS, "levels: none.yaml\n"), 6, "levels", "'none.yaml' is not there"),
    (GOOD.replace(LEVELS, "levels: {structure: none.yaml}\n"), 6, "levels.structure", "'none.yaml' is not there"),
    (GOOD.replace(LEVELS, "levels: {structure: daily, minutes: 5, hands: 5}\n"), 6, "levels.minutes", "beside hands"),
    (GOOD.replace(LEVELS, "levels: {minutes: 5}\n"), 6, "levels.structure", "is missing: A structure"),
    (GOOD.replace(LEVELS, "levels: {structure: daily, minute: 5}\n"), 6, "levels.minute", "did you mean minutes?"),
    (GOOD.replace(LEVELS, "levels: {structure: daily, minutes: 0}\n"), 6, "levels.minutes", "must be minutes above 0"),
    (GOOD.replace(LEVELS, "levels: 5\n"), 6, "levels", "must be the name of a structure, a list of levels .*, not 5"),
    (GOOD.replace(LEVELS, "levels: []\n"), 6, "levels", "has no items"),
    (GOOD.replace("hands: 10}\n  - {ante: 10", "hands: 10}\n  - {anti: 10"), 8, "levels[1].anti", "did you mean ante?"),
    (GOOD.replace("bring_in: 15", "bring_in: 60"), 8, "levels[1].bring_in", "60 must not be above small_bet 50"),
    (GOOD.replace("big_bet: 50", "big_bet: 20"), 7, "levels[0].big_bet", "20 must not be below small_bet 25"),
    (GOOD.replace("ante: 5, bring_in: 10", "ante: 0, bring_in: 0"), 7, "levels[0].ante", "nothing to play for"),
    (GOOD.replace("ante: 5,", "ante: 5, chip: 25,"), 7, "levels[0].ante", "5 must be a multiple of chip 25"),
    (GOOD.replace("ante: 5,", "ante: 2.5,"), 7, "levels[0].ante", "must be a whole number from 0"),
    (GOOD.replace("ante: 5,", "ante: 5, rake: 5,"), 7, "levels[0].rake", "no key here"),
    (GOOD.replace("ante: 10, bring", "ante: 0, bring"), 8, "levels[1].ante", "0 in the last level, .* might never end"),
    (GOOD.replace(", hands: 10}\n  -", "}\n  -"), 7, "levels[0]", "how long it lasts: write hands: 12 or minutes: 20"),
    (GOOD.replace("hands: 10}\n  -", "hands: 10, minutes: 5}\n  -"), 7, "levels[0].minutes", "stands beside hands"),
    (GOOD.replace("50, hands: 10}\n" + "payouts", "50, minutes: 10}\npayouts"), 8, "levels[1].minutes",
     r"hands in the first level \(line 7\): all levels last hands, or all last minutes"),
    (GOOD.replace(LEVELS, "levels:\n" + LEVELS.splitlines()[1].join(["", "\n"]) * 65), 6, "levels",
     "65 levels: at most 64"),
    (GOOD.replace("ante: 5, bring_in: 10, small_bet: 25", "ante: 6, bring_in: 9, chip: 3, small_bet: 27")
     .replace("big_bet: 50", "big_bet: 54"), 5, "starting_stack", "1000 is no multiple .* chip 3: the nearest is 999"),
    (GOOD.replace("ante: 10, bring", "ante: , bring"), 8, "levels[1].ante", "has no value"),
    # pace
    (GOOD + "pace: {hands_per_hour: {8: 30}}\n", 14, "pace", "is for levels in minutes: these count hands"),
    (GOOD.replace(LEVELS, "levels: daily\n") + "pace: {hands_per_hour: {9: 30}}\n", 12, "pace.hands_per_hour.9",
     "'9' must be a number of players dealt in"),
    (GOOD.replace(LEVELS, "levels: daily\n") + "pace: {hands_per_hour: {8: 0}}\n", 12, "pace.hands_per_hour.8",
     "0 must be hands per hour from 1 to 3600"),
    (GOOD.replace(LEVELS, "levels: daily\n") + "pace: {hands_per_hour: {}}\n", 12, "pace.hands_per_hour", "no items"),
    (GOOD.replace(LEVELS, "levels: daily\n") + "pace: 30\n", 12, "pace", r"must be a mapping \{hands_per_hour: ...\}"),
    # prizes
    (GOOD.replace("[70, 30]", "[70, 20]"), 9, "payouts", "sums to 90 percent, less than the prize pool: it must"),
    (GOOD.replace("[70, 30]", "[70, 30.5]"), 9, "payouts", "sums to 100.5 percent, more"),
    (GOOD.replace("[70, 30]", "[100, 0]"), 9, "payouts[1]", "0 must be a percentage of the prize pool above 0"),
    (GOOD.replace("[70, 30]", f"[{', '.join(['10'] * 10)}]"), 9, "payouts", "pays 10 places, but the field has 8"),
    (GOOD.replace("[70, 30]", "{prizes: [9, 9, 9, 9, 9, 9, 9, 9, 8]}"), 9, "payouts.prizes", "9 places, .* has 8"),
    (GOOD.replace("[70, 30]", "{prizes: [9], seats: 2}"), 9, "payouts", "one of prizes, .*, not prizes and seats"),
    (GOOD.replace("[70, 30]", "{}"), 9, "payouts", "must have one of prizes, seats, seat_value, not none of them"),
    (GOOD.replace("[70, 30]", "{seats: 8}"), 9, "payouts.seats", "8 equal prizes for a field of 8: .*; at most 7"),
    (GOOD.replace("[70, 30]", "{seat_value: 10}"), 9, "payouts.seat_value", "is what every player pays in"),
    (GOOD.replace("[70, 30]", "{seet: 8}"), 9, "payouts.seet", "did you mean seats?"),
    (GOOD.replace("[70, 30]", "top0"), 9, "payouts", "top0 must pay above 0"),
    (GOOD.replace("[70, 30]", "top101"), 9, "payouts", "at most 100 percent"),
    (GOOD.replace("[70, 30]", "top12.345"), 9, "payouts", "at most two decimals"),
    (GOOD.replace("[70, 30]", "winner_takes_all"), 9, "payouts", "did you mean winner_take_all?"),
    (GOOD.replace("[70, 30]", "all"), 9, "payouts", "'all' is no way to share out prizes; write top15"),
    (GOOD.replace("[70, 30]", "15"), 9, "payouts", "must be top15 .percent of all entries., .*, not 15"),
    (GOOD.replace("prize: 10, fee: 1", "prize: 0"), 10, "buy_in", "comes to 0: there is no return on nothing"),
    (GOOD.replace("prize: 10, fee: 1", "prize: 10, fees: 1"), 10, "buy_in.fees", "did you mean fee?"),
    (GOOD.replace("prize: 10, fee: 1", "prize: 100_000_000, fee: 0.00000001"), 10, "buy_in.prize", "smallest unit"),
    # re-entries, rebuys, add-ons
    (GOOD + "reentry: {until_level: 3}\n", 14, "reentry.until_level", "3 is beyond the last of 2 levels"),
    (GOOD + "rebuys: {until_level: 2}\n", 14, "rebuys.until_level", "2 is the last level, .* need not end"),
    (GOOD + "reentry: {until_level: 2, times: 0}\n", 14, "reentry.until_level", "any number of re-entries"),
    (GOOD + "addon: {after_level: 2}\n", 14, "addon.after_level", "the last level, which is never over: at most 1"),
    (GOOD + "addon: {until_level: 1}\n", 14, "addon.until_level", "did you mean after_level?"),
    (GOOD + "addon: {after_level: 1, times: 2}\n", 14, "addon.times", "no key here"),
    (GOOD + "rebuys: {until_level: 1, stack: 1e10, times: 20}\n", 5, "starting_stack", "with all that may be bought"),
    (GOOD.replace("format: tournament", "format: shootout") + "reentry: {until_level: 1}\n", 14, "reentry",
     "is for format: tournament: there are no re-entries in a shootout"),
    (GOOD.replace("format: tournament", "format: bracket") + "addon: {after_level: 1}\n", 14, "addon",
     "there are no add-ons in a bracket"),
    # line-up
    (GOOD + "field: 9\n", 11, "lineup", r"comes to 3 \+ 5 = 8 players, but the field has 9: 1 more; .* seats: rest"),
    (GOOD + "field: 7\n", 11, "lineup", "but the field has 7: 1 too many"),
    (GOOD.replace("seats: 5", "seats: rest"), 13, "lineup[1].seats", "needs to know how many players there are"),
    (GOOD.replace("seats: 5", "weight: 2"), 13, "lineup[1].weight", "shares out what is left of a field: write"),
    (GOOD.replace("seats: 5", "seats: 5, weight: 2") + "field: 8\n", 13, "lineup[1].weight", "stands beside seats"),
    (GOOD.replace("seats: 5", "seats: rest").replace("seats: 3", "seats: rest") + "field: 8\n", 13, "lineup[1].seats",
     r"lineup\[0\] \(line 12\) has the rest of the field already"),
    (GOOD.replace(", seats: 5", "").replace("seats: 3", "seats: rest") + "field: 8\n", 12, "lineup[0].seats",
     r"lineup\[1\] .line 13. has no seats, so it shares what is left by weight: leave seats out here too"),
    (GOOD.replace("seats: 5", "seats: rest") + "field: 3\n", 13, "lineup[1].seats",
     "no players are left of the field of 3, and none for caller: take some from others"),
    (GOOD.replace(", seats: 5", "").replace("seats: 3", "weight: 99") + "field: 8\n", 13, "lineup[1]",
     "8 players are left of the field of 8, and none for caller: make the field larger, or give them seats"),
    (GOOD.replace("seats: 5", "seats: 100_001"), 13, "lineup[1].seats", "from 1 to 100_000, or rest, not 100_001"),
    (GOOD.replace("seats: 5", "seats: most"), 13, "lineup[1].seats", "or rest, not 'most'"),
    (GOOD.replace("seats: 5", "seats: 100_000"), 11, "lineup", "comes to 100_003 players: .* 2 to 100_000"),
    (GOOD.replace("caller", "tight"), 13, "lineup[1].name", r"'tight' is the name of lineup\[0\]"),
    (GOOD.replace("caller", "callr"), 13, "lineup[1].strategy", "callr.*caller"),
    (GOOD.replace("lineup:\n", "lineup:\n" + "".join(f"  - {{strategy: tight, name: n{n}}}\n" for n in range(63))),
     11, "lineup", "has 65 entrants: a tournament has at most 64"),
    # sweeps
    (GOOD + "sweep:\n  tournament: [1]\n", 15, "sweep.tournament", "did you mean tournaments?"),
    (GOOD + "sweep:\n  levels.structure: [daily]\n", 15, "levels[0].structure", "these levels are written out"),
    (GOOD.replace(LEVELS, "levels: daily\n") + "sweep:\n  levels: [daily, dayly]\n", 13, "levels",
     r"did you mean daily\? .* \(sweep: levels dayly\)"),
    (GOOD + "sweep:\n  payouts: [[70, 30], [70, 20]]\n", 15, "payouts", r"sums to 90 .*\(sweep: payouts \[70, 20\]\)"),
    (GOOD + "sweep:\n  minutes: [1]\n", 15, "sweep.minutes", "at the top of the file: write levels.minutes"),
    (GOOD + "sweep:\n  starting_stack: [500, 500]\n", 15, "sweep.starting_stack[1]", "makes the same scenario as 500"),
    (GOOD + "sweep:\n  levels: [daily, {structure: daily}]\n", 15, "sweep.levels[1]", "same scenario as daily"),
    (GOOD + "sweep:\n  stack: [5, 6]\n", 15, "stack", "a tournament has starting_stack, in chips"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "path", "words"), BAD, ids=range(len(BAD)))
def test_a_mistake_is_told_with_line_path_and_what_would_be_right(
    tmp_path: Path, text: str, line: int | None, path: str, words: str
) -> None:
    found = problems(tmp_path, text)
    at_path = [problem for problem in found if problem.path == path]
    assert at_path, found
    assert len(at_path) == 1
    assert at_path[0].line == line
    assert re.search(words, at_path[0].sentence), at_path[0].sentence


@pytest.mark.parametrize(
    ("text", "line", "path", "words"),
    [
        ("levels: []\n", 1, "levels", "has no items"),
        ("", None, "", "must be a mapping with levels"),
        ("- {ante: 5}\n", 1, "", "must be a mapping with levels"),
        (LEVELS + "antes: 5\n", 4, "antes", "no key here"),
        (LEVELS.replace("bring_in: 15", "bring_in: 51"), 3, "levels[1].bring_in", "must not be above small_bet 50"),
        (LEVELS + "pace: {hands_per_hour: {8: 0}}\n", 4, "pace.hands_per_hour.8", "hands per hour from 1 to 3600"),
        (LEVELS + "pace:\n", 4, "pace", "has no value"),
        (LEVELS + "\t- 5\n", 4, "", "a tab where YAML wants spaces"),
    ],
)
def test_a_mistake_in_a_file_of_levels_is_told_there(
    tmp_path: Path, text: str, line: int | None, path: str, words: str
) -> None:
    (tmp_path / "mine.yaml").write_text(text)
    found = problems(tmp_path, GOOD.replace(LEVELS, "levels: mine.yaml\n"))
    told = [one for one in found if one.path == path and one.file == str(tmp_path / "mine.yaml")]
    assert len(told) == 1, found
    assert (told[0].line or None) == (line or told[0].line)
    assert re.search(words, told[0].sentence)


def test_array_strategies_are_refused(tmp_path: Path) -> None:
    (tmp_path / "rows.py").write_text(
        "import numpy as np\nfrom razz_sim.strategy import strategy\n\n\n@strategy()\nclass Rows:\n"
        "    def act_batch(self, views, memory, u):\n        return np.ones(len(views), dtype=np.int8)\n"
    )
    (found,) = problems(tmp_path, GOOD.replace("caller", "rows.py:Rows"))
    assert (found.line, found.path) == (13, "lineup[1].strategy")
    assert "decides for many tables at once, which no tournament asks for" in found.sentence


def test_a_misspelled_format_does_not_make_every_key_wrong(tmp_path: Path) -> None:
    assert len(problems(tmp_path, GOOD.replace("format: tournament", "format: tornament"))) == 1
    assert len(problems(tmp_path, GOOD.replace("format: tournament\n", ""))) == 1


# What is unusual


def test_unusual_levels_are_warned_of_once() -> None:
    odd = [{"ante": 1, "bring_in": 10, "small_bet": 50, "hands": 5}] * 3 + BASE["levels"][1:]
    assert warned(levels=odd) == [
        "levels[0].ante: 1 is 2.0 % of small_bet 50: rooms take 7 to 33 % (and 2 more levels)",
    ]
    falling = [*reversed(BASE["levels"]), {**BASE["levels"][1], "big_bet": 150}]
    assert warned(levels=falling) == [
        "levels[2].big_bet: 150 is not twice small_bet 50",
        "levels[1].small_bet: 25/50 is less than 50/100 in the level before: limits rise",
    ]


def test_what_nobody_would_want_is_warned_of() -> None:
    assert [text.partition(":")[0] for text in warned(payouts=[20, 30, 50])] == ["payouts"]
    assert [text.partition(":")[0] for text in warned(payouts={"prizes": [20, 60]})] == ["payouts"]
    assert [text.partition(":")[0] for text in warned(starting_stack=10)] == ["starting_stack"]
    again = {"reentry": {"until_level": 1}, "rebuys": {"until_level": 1}}
    assert [text.partition(":")[0] for text in warned(**again)] == ["reentry"]
    assert warned(reentry={"until_level": 1}, rebuys={"until_level": 1, "times": 1}) == []


def test_prizes_that_do_not_match_what_is_paid_in_are_warned_of() -> None:
    assert warned(payouts={"prizes": [60, 20]}) == []
    assert warned(payouts={"prizes": [60.5, 30]}) == [
        "payouts.prizes: come to 90.50, while 8 buy-ins of 10.00 collect 80.00 for prizes"
    ]
    with_more = {"payouts": {"prizes": [70]}, "rebuys": {"until_level": 1}}
    assert warned(**with_more) == ["payouts.prizes: come to 70, while 8 buy-ins of 10 collect at least 80 for prizes"]
    assert warned(payouts={"prizes": [90]}, rebuys={"until_level": 1}) == []
    assert warned(payouts={"seat_value": 81}) == [
        "payouts.seat_value: a field of 8 pays in 80, less than one seat of 81: the winner gets that"
    ]
    assert warned(buy_in={"prize": 0, "fee": 1}) == ["buy_in.prize: 0: there is nothing in the pool that is shared out"]


def test_the_structure_of_a_file_is_warned_of_there(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(LEVELS.replace("ante: 10", "ante: 1"))
    found = loaded(tmp_path, levels="mine.yaml", sweep={"starting_stack": [500, 1000]}).warnings
    assert [(one.file, one.line, one.path) for one in found] == [(str(tmp_path / "mine.yaml"), 3, "levels[1].ante")]


# Sweeps


def names(**keys: Any) -> list[str]:
    return [one.name for one in loaded(**keys).experiment.scenarios]


@pytest.mark.parametrize(
    ("sweep", "expected"),
    [
        ({"starting_stack": [500, 1000]}, ["starting stack 500", "starting stack 1000"]),
        ({"levels": ["daily", "turbo"]}, ["daily", "turbo"]),
        ({"levels": ["daily", BASE["levels"]]}, ["daily", "levels, 2 levels"]),
        ({"levels.structure": ["turbo", "slow"]}, ["turbo", "slow"]),
        ({"levels.minutes": [5, 10]}, ["minutes 5", "minutes 10"]),
        ({"levels.structure": ["turbo", "slow"], "levels.minutes": [5, 10]},
         ["turbo, minutes 5", "turbo, minutes 10", "slow, minutes 5", "slow, minutes 10"]),
        ({"levels.hands": [5, 10]}, ["hands 5", "hands 10"]),
        ({"levels[1].ante": [10, 15]}, ["ante 10", "ante 15"]),
        ({"pace.hands_per_hour.8": [30, 40]}, ["pace hands per hour 8 30", "pace hands per hour 8 40"]),
        ({"payouts": ["top25", [50, 30, 20], [30, 20, 20, 10, 10, 10], {"seats": 2}, {"prizes": [50, 30]}]},
         ["top25", "50/30/20", "30/20/20/... of 6", "seats 2", "prizes 50/30"]),
        ({"buy_in.prize": [10, 20]}, ["buy in prize 10", "buy in prize 20"]),
        ({"field": [8, 9]}, ["field 8", "field 9"]),
        ({"table.seats": [4, 8]}, ["seats 4", "seats 8"]),
        ({"reentry": [{"until_level": 1}, {"until_level": 2}]}, ["reentry until level 1", "reentry until level 2"]),
        ({"reentry.times": [1, 2]}, ["reentry times 1", "reentry times 2"]),
        ({"rebuys.until_level": [1]}, ["rebuys until level 1"]),
        ({"addon.stack": [500, 1000]}, ["addon stack 500", "addon stack 1000"]),
        ({"tournaments": [10, 20]}, ["tournaments 10", "tournaments 20"]),
        ({"lineup[0].params.limit": [7, 8]}, ["tight limit 7", "tight limit 8"]),
        ({"rules": ["wsop_live", "pokerstars"]}, ["wsop_live", "pokerstars"]),
        ({"on_error": ["stop", "fold"]}, ["on_error stop", "on_error fold"]),
    ],
)  # fmt: skip
def test_all_keys_can_be_swept_and_name_their_points(sweep: dict[str, Any], expected: list[str]) -> None:
    keys: dict[str, Any] = {"sweep": sweep}
    paths = " ".join(sweep)
    if "levels." in paths or "pace" in paths:
        keys["levels"] = "daily"
    if "field" in paths:
        keys["lineup"] = [{"strategy": "tight"}, {"strategy": "caller"}]
    if "reentry.times" in paths:
        keys["reentry"] = {"until_level": 1}
    if "addon" in paths:
        keys["addon"] = {"after_level": 1}
    assert names(**keys) == expected


def test_zipped_cases_samples_and_baselines_work_too() -> None:
    zipped = {"zip": {"levels.minutes": [5, 10], "starting_stack": [500, 1000]}, "baseline": {"levels.minutes": 5}}
    found = loaded(levels="daily", sweep=zipped).experiment.scenarios
    assert [(one.name, one.baseline) for one in found] == [
        ("minutes 5, starting stack 500", 0),
        ("minutes 10, starting stack 1000", 1),
    ]
    cases = [{"name": "deep", "starting_stack": 3000}, {"name": "flat", "payouts": [25, 25, 25, 25]}]
    assert names(sweep={"cases": cases}) == ["deep", "flat"]
    drawn = {"samples": {"count": 3, "starting_stack": {"low": 500, "high": 1000, "step": 100}}}
    assert len(names(sweep=drawn)) == 3
    payouts = {"payouts": [[70, 30], "winner_take_all"], "baseline": {"payouts": [70, 30]}}
    assert [one.baseline for one in loaded(sweep=payouts).experiment.scenarios] == [0, 1]


def test_a_sweep_of_payouts_or_structures_loses_nothing_worth_a_warning() -> None:
    assert warned(payouts={"seats": 2}, sweep={"payouts": ["top25", [70, 30]]}) == []
    assert warned(levels={"structure": "daily"}, sweep={"levels": ["turbo", "slow"]}) == []
    lost = warned(levels={"structure": "daily", "minutes": 5}, sweep={"levels": ["turbo", "slow"]})
    assert lost == ["sweep.levels: replaces all of levels, minutes too where a value does not have it"]


def test_a_search_counts_tournaments() -> None:
    search = {"best": "tight", "over": {"lineup[0].params.limit": [6, 7, 8, 9]}, "points": 4, "again": 500}
    found = loaded(tournaments=1000, search=search).experiment
    assert [one.blocks for one in found.scenarios] == [1000] * 4 + [500] * 4
    assert refused(tournaments=100, search=search) == [
        "tournaments: 100 are too few for this search: the first of 2 rounds has 50 blocks; 200 would do"
    ]


# There and back


def read_back(experiment: Experiment) -> Experiment:
    return experiment_from_manifest(json.loads(json.dumps(for_manifest(experiment))))


KINDS: list[dict[str, Any]] = [
    {},
    {"levels": "daily", "on_error": "forfeit", "rules": {"bets_per_round": 4}},
    {"levels": {"structure": "live", "minutes": 0.05}, "pace": {"hands_per_hour": {8: 33.3, 3: 51}}},
    {"format": "shootout", "levels": "turbo", "field": 70, "lineup": [{"strategy": "tight"}, {"strategy": "best"}]},
    {"format": "bracket", "levels": "heads_up", "payouts": "winner_take_all"},
    {"payouts": "top12.55", "buy_in": {"prize": "0.00000001"}},
    {"payouts": [33.3333, 33.3333, 33.3334]},
    {"payouts": {"prizes": ["40.5", "39.50"]}, "reentry": {"until_level": 2, "times": 3}},
    {"payouts": {"seats": 3}, "rebuys": {"until_level": 1, "prize": 5, "stack": 500}},
    {"payouts": {"seat_value": 25.5}, "addon": {"after_level": 1, "stack": 2000, "fee": "0.5"}},
    {"levels": [{"ante": 25, "bring_in": 25, "small_bet": 100, "big_bet": 250, "chip": 25, "minutes": 1.0001}]},
    {
        "sweep": {
            "levels": ["daily", BASE["levels"]],
            "starting_stack": [500, 1000],
            "baseline": {"starting_stack": 500},
        }
    },
    {"stop": {"difference": ["tight", "caller"], "half_width": 1}, "tournaments": 5000},
    {"search": {"best": "tight", "over": {"starting_stack": [500, 600, 700]}, "points": 3}, "tournaments": 5000},
]


@pytest.mark.parametrize("keys", KINDS, ids=range(len(KINDS)))
def test_what_is_spelled_out_reads_back_equal(keys: dict[str, Any]) -> None:
    experiment = loaded(**keys).experiment
    again = read_back(experiment)
    assert again == experiment
    for one, other in zip(experiment.scenarios, again.scenarios, strict=True):
        assert (one.name, one.point, one.baseline, one.setting) == (
            other.name,
            other.point,
            other.baseline,
            other.setting,
        )
    assert resolved(again) == resolved(experiment)


def test_a_tournament_made_in_python_reads_back_equal() -> None:
    found = scenario()
    assert found.tournament is not None
    odd = replace(
        found.tournament,
        levels=tuple(Level(one.stakes, 7) for one in found.tournament.levels),
        pace=(1, 2, 3, 4, 5, 6, 7, 8, 9),
        unit=Decimal("0.0001"),
        structure="a name of its own",
    )
    there = replace(found, tournament=odd, hands=3 * odd.expected_hands, name="by hand")
    experiment = Experiment("by hand", 5, (there,))
    assert read_back(experiment) == experiment


def test_a_manifest_tells_the_shape_of_tournaments() -> None:
    both = loaded(levels="daily").experiment
    (shape,) = shapes(json.loads(json.dumps(for_manifest(both))))
    assert shape.tournament
    assert (shape.blocks, shape.hands, shape.block_hands) == (20, both.hands, both.scenarios[0].block_hands)
    table = load_experiment(CONFIGS / "sessions.yaml").experiment
    assert not any(one.tournament for one in shapes(json.loads(json.dumps(for_manifest(table)))))


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("hands", 5, "it was written by another version"),
        ("levels", "daily", "must be a list"),
        ("levels", [{"ante": 1}], "is missing"),
        ("pace", {"milliseconds": [1, 2]}, "at least one must be there|not what belongs here"),
        ("tournaments", None, "is missing"),
        ("unit", "3", "is not a whole number of 3"),
        ("stakes", {"ante": 1}, "a tournament has levels"),
    ],
)
def test_a_damaged_manifest_is_refused(key: str, value: object, words: str) -> None:
    manifest = json.loads(json.dumps(for_manifest(loaded(levels="daily").experiment)))
    spelled = manifest["experiment"]["scenarios"][0]
    if value is None:
        del spelled[key]
    else:
        spelled[key] = value
    with pytest.raises(ConfigError) as caught:
        experiment_from_manifest(manifest)
    assert re.search(words, str(caught.value)), str(caught.value)


# Structures that come along


def test_these_structures_come_along() -> None:
    assert shipped_structures() == ["daily", "heads_up", "live", "slow", "turbo"]


@pytest.mark.parametrize("name", ["turbo", "slow", "daily", "live", "heads_up"])
def test_a_structure_that_comes_along_is_like_those_of_rooms(name: str) -> None:
    found = find_structure(name, Path("nowhere"))
    assert not found.problems
    assert not found.warnings
    assert found.levels is not None
    levels = [level.stakes for level in found.levels.levels]
    assert 15 <= len(levels) <= 25
    for stakes in levels:
        assert Fraction(10, 100) <= Fraction(stakes.ante, stakes.small_bet) <= Fraction(25, 100)
        assert Fraction(20, 100) <= Fraction(stakes.bring_in, stakes.small_bet) <= Fraction(50, 100)
        assert stakes.ante <= stakes.bring_in
        assert stakes.big_bet == 2 * stakes.small_bet
    for before, after in pairwise(levels):
        assert Fraction(5, 4) <= Fraction(after.small_bet, before.small_bet) <= Fraction(3, 2)
    assert len({level.length for level in found.levels.levels}) == 1
    assert found.levels.by_clock == (found.pace is not None)


def test_each_opens_with_what_it_is_modelled_on() -> None:
    for path in sorted((CONFIGS.parent / "razz_sim" / "config" / "structures").glob("*.yaml")):
        assert path.read_text().startswith("# ")
        assert "Modelled on" in path.read_text().split("levels:")[0]


# What editors are told


def test_the_schema_has_all_keys_of_tournaments() -> None:
    schema = json_schema()
    assert [key for key in schema["properties"] if key in TOURNAMENT_KEYS] == list(TOURNAMENT_KEYS)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(BASE, schema)


@pytest.mark.parametrize("keys", KINDS[:11], ids=range(11))
def test_the_schema_takes_what_the_loader_takes(keys: dict[str, Any]) -> None:
    data = json.loads(json.dumps({**BASE, **keys}))
    if "0." not in json.dumps(data.get("buy_in")) and "40.5" not in json.dumps(data) and "0.5" not in json.dumps(data):
        jsonschema.validate(data, json_schema())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hands", 100),
        ("stakes", "live_15_30"),
        ("stack", 100),
        ("session", {"hands": 10}),
        ("duplicate", True),
        ("tournaments", None),
        ("levels", None),
        ("format", "table"),
        ("format", "tornament"),
        ("levels", 5),
        ("levels", [{"ante": 1, "bring_in": 1, "small_bet": 4}]),
        ("levels", [{"ante": 1, "bring_in": 1, "small_bet": 4, "hands": 5, "minutes": 5}]),
        ("levels", {"structure": "daily", "minutes": 5, "hands": 5}),
        ("payouts", "topp15"),
        ("payouts", {}),
        ("payouts", {"seats": 2, "seat_value": 5}),
        ("buy_in", {"fee": 5}),
        ("reentry", {"times": 1}),
        ("rebuys", {"until_level": 65}),
        ("addon", {"until_level": 1}),
        ("lineup", [{"strategy": "tight", "seats": 100_001}]),
        ("lineup", [{"strategy": "tight"}] * 65),
        ("pace", {"hands_per_hour": {}}),
        ("sweep", {"seed": [1]}),
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(key: str, value: object) -> None:
    data = {**BASE, key: value}
    if value is None:
        del data[key]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(json.loads(json.dumps(data)), json_schema())
    with pytest.raises(ConfigError):
        experiment_from_dict(data, CONFIGS)


def test_seats_at_a_table_are_still_few_to_the_schema() -> None:
    data = yaml.safe_load((CONFIGS / "quickstart.yaml").read_text())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "lineup": [{"strategy": "tight", "seats": 9}]}, json_schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**data, "field": 8}, json_schema())


# Experiments that come along


@pytest.mark.parametrize(
    ("name", "kind", "field"),
    [
        ("sit_and_go", "tables", 8),
        ("multi_table", "tables", 180),
        ("shootout", "shootout", 64),
        ("bracket", "bracket", 37),
        ("satellite", "tables", 80),
        ("rebuys", "tables", 40),
        ("structures", "tables", 8),
    ],
)
def test_there_is_an_example_of_each(name: str, kind: str, field: int) -> None:
    found = load_experiment(CONFIGS / f"{name}.yaml").experiment
    for one in found.scenarios:
        assert one.tournament is not None
        assert (one.tournament.kind, one.tournament.field) == (kind, field)
        assert one.name.isprintable()
    assert read_back(found) == found
