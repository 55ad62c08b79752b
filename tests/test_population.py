"""Populations: seats shared out by weight, tables drawn by the seed, and how a file asks for them."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from razz_sim.cli import configs as cli
from razz_sim.config import ConfigError, experiment_from_dict, for_manifest
from razz_sim.config.manifest import experiment_from_manifest
from razz_sim.experiment import Entrant, Experiment
from razz_sim.matches import match_name, population, shared_out, tables_for_all
from razz_sim.places import HandPlace
from razz_sim.store.identity import differences, identity_of
from razz_sim.strategy import find_strategy

STAKES = {"name": "2/4", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}
POOL = [{"strategy": "tight"}, {"strategy": "caller", "weight": "4.5"}, {"strategy": "maniac", "weight": 2}]
FORMAT = {"kind": "population", "seats": 6, "tables": 30}
BASE: dict[str, Any] = {"name": "pool", "seed": 7, "hands": 60, "stakes": STAKES, "lineup": POOL, "format": FORMAT}
WEIGHTS = st.lists(st.decimals("0.001", "1000", places=3).map(Fraction), min_size=1, max_size=9)


def load(**keys: Any) -> Experiment:
    return experiment_from_dict({**BASE, **keys}, Path()).experiment


def refused(**keys: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(**keys)
    return [str(problem) for problem in caught.value.problems]


def cycle(experiment: Experiment) -> dict[tuple[tuple[str, int], ...], int]:
    """How often each table is in the cycle, by who sits there in how many seats."""
    return {tuple((who.name, who.seats) for who in one.lineup): one.times for one in experiment.scenarios}


def quotas(experiment: Experiment) -> Counter[str]:
    found: Counter[str] = Counter()
    for table, times in cycle(experiment).items():
        for name, seats in table:
            found[name] += seats * times
    return found


@given(WEIGHTS, st.integers(0, 10_000))
def test_seats_are_within_one_of_each_share(weights: list[Fraction], seats: int) -> None:
    found = shared_out(weights, seats)
    assert sum(found) == seats
    assert all(abs(count - weight * seats / sum(weights)) < 1 for count, weight in zip(found, weights, strict=True))


def test_the_largest_remainders_have_the_seats_that_are_left_the_first_of_equal_ones() -> None:
    assert shared_out([Fraction(1)] * 3, 10) == [4, 3, 3]
    assert shared_out([Fraction(3), Fraction(3), Fraction(1)], 10) == [4, 4, 2]
    assert shared_out([Fraction(1, 10), Fraction(10)], 5) == [0, 5]


@given(WEIGHTS, st.integers(2, 8))
def test_so_many_tables_have_a_seat_for_each(weights: list[Fraction], seats: int) -> None:
    enough = tables_for_all(weights, seats)
    assert min(shared_out(weights, enough * seats)) >= 1
    assert min(shared_out(weights, (enough + 1) * seats)) >= 1


@settings(max_examples=50)
@given(
    st.lists(st.decimals("0.5", "9", places=1), min_size=2, max_size=6), st.integers(2, 8), st.integers(0, 2**64 - 1)
)
def test_a_cycle_is_tables_of_all_seats_by_weight(weights: list[Decimal], seats: int, seed: int) -> None:
    tight = find_strategy("tight")
    pool = [Entrant(f"{place}", tight, weight=weight) for place, weight in enumerate(weights)]
    matches = population(pool, seats, 40, seed)
    assert matches == population(pool, seats, 40, seed)
    assert sum(one.times for one in matches) == 40
    assert {sum(who.seats for who in one.lineup) for one in matches} == {seats}
    names = [match_name(one.lineup) for one in matches]
    assert len(set(names)) == len(names)
    assert all([who.name for who in one.lineup] == sorted(who.name for who in one.lineup) for one in matches)
    assert [one.times for one in matches] == sorted((one.times for one in matches), reverse=True)
    seated = [sum(one.times * who.seats for one in matches for who in one.lineup if who.name == at.name) for at in pool]
    assert seated == shared_out([Fraction(weight) for weight in weights], seats * 40)


def test_the_seed_draws_the_tables_and_nothing_else() -> None:
    found = cycle(load())
    assert found == cycle(load(hands=120, stakes={**STAKES, "ante": 0.5}, stack=40, duplicate=False))
    assert len({tuple(sorted(cycle(load(seed=seed)).items())) for seed in range(20)}) == 20
    assert quotas(load()) == quotas(load(seed=8)) == {"tight": 24, "caller": 108, "maniac": 48}


def test_over_seeds_pairs_meet_as_often_as_seats_drawn_from_the_pool() -> None:
    """Of 12 slots with 3, 3 and 6 of each: two seats of a table are of the first two in 2 x 3/12 x 3/11 of draws."""
    pool = [
        Entrant(name, find_strategy("tight"), weight=Decimal(weight)) for name, weight in (("a", 1), ("b", 1), ("c", 2))
    ]
    drawn = 4000
    met = sum(
        one.times for seed in range(drawn) for one in population(pool, 2, 6, seed) if match_name(one.lineup) == "a v b"
    )
    mean = 6 * 2 * 3 / 12 * 3 / 11
    assert met / drawn == pytest.approx(mean, abs=0.06)


def test_a_hundred_tables_and_a_weight_of_one_are_what_is_not_said() -> None:
    found = load(format="population", lineup=[{"strategy": "tight"}, {"strategy": "caller", "weight": 1}])
    assert sum(one.times for one in found.scenarios) == 100
    assert {one.seats for one in found.scenarios} == {2}
    assert quotas(found) == {"tight": 100, "caller": 100}
    assert {who.weight for one in found.scenarios for who in one.lineup} == {Decimal(1)}


def test_a_table_of_one_entrant_is_a_match_too() -> None:
    (alone,) = [one for one in load().scenarios if len(one.lineup) == 1]
    assert (alone.name, alone.replicas, alone.blocks) == ("6 x caller", 1, 60)
    assert {one.replicas for one in load().scenarios} == {1, 2, 3, 6}
    assert {one.hands for one in load().scenarios} == {60}


def test_weights_are_swept_and_settings_have_cycles_of_their_own() -> None:
    found = load(sweep={"lineup[1].weight": [1, "4.5"]})
    first, second = ([found.scenarios[index] for index in indices] for indices in found.settings)
    assert sum(one.times for one in first) == sum(one.times for one in second) == 30
    assert cycle(load()) == {tuple((who.name, who.seats) for who in one.lineup): one.times for one in second}
    assert (first[0].setting, second[0].setting) == ("caller weight 1", "caller weight 4.5")
    equal = refused(sweep={"lineup[1].weight": ["4.5", "4.50"]})
    assert "makes the same scenario" in equal[0]


def test_what_is_no_population_is_said() -> None:
    for weight in (0, -1):
        (problem,) = refused(lineup=[{"strategy": "tight", "weight": weight}, *POOL[1:]])
        assert problem.startswith(f"lineup[0].weight: {weight} must be a weight above 0 and at most ")
    assert refused(lineup=[{"strategy": "tight", "weight": "many"}, *POOL[1:]])[0].startswith(
        "lineup[0].weight: must be"
    )
    only = "is for a population, which shares out its seats by weight: format: {kind: population}"
    for kind in ("table", "round_robin", "gauntlet"):
        assert refused(format=kind) == [f"lineup[1].weight: {only}", f"lineup[2].weight: {only}"]
        plain = [{"strategy": one["strategy"]} for one in POOL]
        assert refused(format={"kind": kind, "tables": 9}, lineup=plain) == [
            f"format.tables: is for a population: the line-up of a {kind} says which tables there are"
        ]
    seats = "is for one table of all: in matches, format.seats says how many seats there are"
    assert refused(lineup=[{**POOL[0], "seats": 2}, *POOL[1:]]) == [f"lineup[0].seats: {seats}"]
    assert refused(lineup=POOL[:1]) == ["lineup: has 1 of the 2 entrants that a match of the population needs"]
    assert "format.tables" in refused(format={**FORMAT, "tables": 0})[0]


def test_too_few_tables_are_said_with_how_many_would_do() -> None:
    rare = [*POOL[:2], {"strategy": "maniac", "weight": "0.01"}]
    assert refused(lineup=rare) == [
        "format.tables: the 180 seats of 30 tables, shared out by weight, leave none for maniac: "
        "92 tables have one for each"
    ]
    assert quotas(load(lineup=rare, format={**FORMAT, "tables": 92}))["maniac"] == 1
    never = [*POOL[:2], {"strategy": "maniac", "weight": "0.00001"}]
    assert "weights so far apart take more tables than 10_000" in refused(lineup=never)[0]


def test_hands_are_whole_in_all_arrangements_of_all_tables() -> None:
    assert refused(hands=62) == ["hands: 62 are no whole hands, each in 1, 2, 3 or 6 arrangements: 60 or 66 would be"]
    assert refused(session={"hands": 5}, hands=50) == [
        "hands: 50 are no whole sessions of 5 hands, each in 1, 2, 3 or 6 arrangements: 30 or 60 would be"
    ]
    assert load(hands=62, duplicate=False).scenarios[0].hands == 62


def test_a_manifest_gives_it_back_and_others_are_what_they_were() -> None:
    found = load()
    kept = json.loads(json.dumps(for_manifest(found)))
    assert experiment_from_manifest(kept) == found
    assert [one.times for one in experiment_from_manifest(kept).scenarios] == [one.times for one in found.scenarios]
    assert kept["experiment"]["scenarios"][0]["times"] == found.scenarios[0].times > 1
    assert {who["name"]: who["weight"] for who in kept["experiment"]["scenarios"][0]["lineup"]}["caller"] == "4.5"
    plain = [{"strategy": one["strategy"]} for one in POOL]
    for kind in ("table", "round_robin", "gauntlet"):
        text = json.dumps(for_manifest(load(format=kind, lineup=plain))["experiment"])
        assert "times" not in text
        assert "weight" not in text


def test_how_often_a_table_counts_is_part_of_what_is_asked() -> None:
    then, now = (identity_of(load(lineup=[{**POOL[0], "weight": weight}, *POOL[1:]])) for weight in ("1", "1.001"))
    assert cycle(load()) == cycle(load(lineup=[{**POOL[0], "weight": "1.001"}, *POOL[1:]]))
    assert any(".weight: 1 in the run, 1.001 now" in sentence for sentence in differences(then, now))
    then["scenarios"][0]["times"] += 1
    assert any(".times: " in sentence for sentence in differences(then, identity_of(load())))


def test_hands_are_named_by_match() -> None:
    found = load(hands=600)
    place = HandPlace.parse("1/3/17/1/0", found)
    name = found.scenarios[2].name
    assert HandPlace.parse(f"{name}/{place.number}", found) == place
    assert (place.scenario, place.number) == (2, 17 * found.scenarios[2].replicas + 1)


def validated(tmp_path: Path, **keys: Any) -> str:
    path = tmp_path / "pool.json"
    path.write_text(json.dumps({**BASE, "lineup": [{**POOL[0]}, {**POOL[1], "weight": 4.5}, POOL[2]], **keys}))
    done = CliRunner().invoke(cli.app, ["validate", str(path)])
    assert done.exit_code == 0, done.output
    return done.stdout


ROW = r"^  ((?:\d+ x )?\w+(?: v (?:\d+ x )?\w+)*) +(\d+) +(\d+) +(\d+) +(\d+)$"


def test_the_cycle_that_is_printed_adds_up(tmp_path: Path) -> None:
    shown = validated(tmp_path)
    assert "30 tables of 6, 12 of them different, each deal in 1, 2, 3 or 6 arrangements" in " ".join(shown.split())
    assert "tight (limit 8), weight 1; caller, weight 4.5; maniac, weight 2" in shown
    rows = [(name, *map(int, counts)) for name, *counts in re.findall(ROW, shown, re.M)]
    assert {name: times for name, times, *_ in rows} == {one.name: one.times for one in load().scenarios}
    assert all(blocks * arrangements == hands == 60 for _, _, blocks, arrangements, hands in rows)
    tables, blocks, hands = (sum(row[at] for row in rows) for at in (1, 2, 4))
    assert tables == 30
    assert re.search(rf"^  12 matches +{tables} +{blocks} +{hands}$", shown, re.M)


def test_cycles_that_differ_are_printed_each(tmp_path: Path) -> None:
    alike = validated(tmp_path, stakes=[STAKES, {**STAKES, "name": "other", "ante": 0.5}])
    assert alike.count(" arrangements ") == 1
    assert re.search(r"^  12 matches, in each scenario +30 ", alike, re.M)
    shown = validated(tmp_path, sweep={"lineup[1].weight": [1, 4.5]})
    assert len(re.findall(r"^  \d+ matches, in .*weight", shown, re.M)) == 2
    assert "caller, weight 1 or 4.5" in shown


def test_entrants_are_listed_in_the_order_of_the_file(tmp_path: Path) -> None:
    assert "entrants tight (limit 8), weight 1; caller, weight 4.5; maniac, weight 2" in " ".join(
        validated(tmp_path).split()
    )
    turned = [POOL[2], {**POOL[1], "weight": 4.5}, POOL[0]]
    shown = validated(tmp_path, sweep={"lineup": [turned[::-1], turned]})
    assert "entrants tight (limit 8), weight 1; caller, weight 4.5; maniac, weight 2" in " ".join(shown.split())
