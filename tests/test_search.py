"""A search: rounds on ever more of the same deals, who goes on, and the winner measured again on others."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_experiments import entrant, scenario, written
from test_stopping import finished, in_any_order

import razz_sim
from razz_sim.batch import StrategyFault, play_batch
from razz_sim.config import ConfigError, experiment_from_dict, for_manifest
from razz_sim.config.manifest import experiment_from_manifest
from razz_sim.course import Course
from razz_sim.experiment import Entrant, Experiment
from razz_sim.stages import SearchPlan
from razz_sim.statistics.halving import Halving
from razz_sim.store import RunFolder, StoreError
from razz_sim.tally import ENTRANT_COLUMNS, Tally

_NET, _HANDS = ENTRANT_COLUMNS.index("net"), ENTRANT_COLUMNS.index("hands")
LIMITS = (4, 5, 6, 7, 8, 9, 10, 11, 12)


def search(
    heroes: Sequence[Entrant], hands: int = 3000, again: int = 1500, factor: int = 2, seed: int = 7
) -> Experiment:
    """A search among these heroes, each against a caller and a stealer."""
    others = (entrant("fish", "caller"), entrant("thief", "stealer"))
    points = [
        replace(scenario((hero, *others), hands=hands), name=f"point {place}", duplicate=True)
        for place, hero in enumerate(heroes, start=1)
    ]
    fresh = [replace(one, name=f"{one.name}, measured again", hands=again, fresh=True) for one in points]
    return Experiment("searching", seed, (*points, *fresh), search=SearchPlan("hero", len(points), factor))


def of_limits(**keys: int) -> Experiment:
    return search([entrant("hero", "tight", limit=limit) for limit in LIMITS], **keys)


def first_blocks(experiment: Experiment, index: int, blocks: int) -> Tally:
    """The first blocks of a scenario, played by themselves."""
    chosen = experiment.scenarios[index]
    tally = chosen.tally()
    for batch in experiment.batches(10**6):
        if batch.scenario == index and batch.stop <= blocks:
            play_batch(chosen, experiment.seed_of(index), batch).add_to(tally)
    return tally


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> razz_sim.Run:
    return razz_sim.run(of_limits(), out=tmp_path_factory.mktemp("found"), runner="local")


def test_in_each_round_the_better_half_goes_on_to_twice_the_hands() -> None:
    experiment = of_limits()
    assert experiment.search is not None
    assert experiment.search.points_left() == (9, 5, 3, 2)
    assert experiment.round_ends(0) == (125, 250, 500, 1000)
    assert SearchPlan("hero", 9, 3).points_left() == (9, 3)
    in_rounds = 3 * (9 * 125 + 5 * 125 + 3 * 250 + 2 * 500)
    assert experiment.hands == in_rounds + 1500


def test_those_go_on_who_win_most_of_all_that_still_play(found: razz_sim.Run) -> None:
    experiment = of_limits()
    told = found.summary["search"]
    alive = list(range(9))
    for number, (told_round, kept) in enumerate(zip(told["rounds"], (5, 3, 2, 1), strict=True)):
        blocks = experiment.round_ends(0)[number]
        rates = {}
        for point in alive:
            total = first_blocks(experiment, point, blocks).entrants[:, 0].sum(axis=0)
            rates[point] = 100 * total[_NET] / total[_HANDS] / experiment.scenarios[0].stakes.big_bet
        order = sorted(alive, key=lambda point: -rates[point])
        assert [one["point"] for one in told_round["points"]] == [f"point {point + 1}" for point in order]
        assert [one["bb_per_100"] for one in told_round["points"]] == pytest.approx([rates[point] for point in order])
        assert [one["stays"] for one in told_round["points"]] == [place < kept for place in range(len(order))]
        behind = [one["behind"] and one["behind"]["difference"] for one in told_round["points"]]
        assert behind[1:] == pytest.approx([rates[point] - rates[order[0]] for point in order[1:]])
        assert behind[0] is None
        alive = order[:kept]
    assert told["winner"]["point"] == f"point {alive[0] + 1}"


def test_the_winner_is_measured_again_on_deals_that_no_round_has_seen(found: razz_sim.Run) -> None:
    experiment = of_limits()
    winner = int(found.summary["search"]["winner"]["point"].removeprefix("point ")) - 1
    assert experiment.seed_of(9 + winner) != experiment.seed == experiment.seed_of(winner)
    total = first_blocks(experiment, 9 + winner, 500).entrants[:, 0].sum(axis=0)
    again = found.summary["search"]["winner"]["again"]
    assert again["bb_per_100"] == pytest.approx(100 * total[_NET] / total[_HANDS] / 400)
    played = [tally.table_total("blocks") for tally in found.tallies]
    assert [blocks for blocks in played[9:] if blocks] == [500]
    assert sorted(played[:9]) == [125] * 4 + [250] * 2 + [500] + [1000] * 2
    assert found.summary["not_played"] == []
    first, other = found.tallies[winner].table[:3], found.tallies[9 + winner].table[:3]
    assert (first != other).any()


@pytest.mark.parametrize(("size", "seed"), [(20, 1), (500, 2), (10**6, 3)])
def test_it_finds_the_same_whatever_the_batches_their_order_and_the_interruptions(
    found: razz_sim.Run, tmp_path: Path, size: int, seed: int
) -> None:
    order = random.Random(seed)
    folder = RunFolder.create(tmp_path, of_limits())
    course = Course(folder.experiment, folder.tallies, folder.known_to, lambda *failure: None)
    coming = folder.experiment.wanted_batches(size, folder.done, course.frontier)
    for batch in islice(filter(None, coming), order.randint(1, 40)):
        folder.record(play_batch(folder.experiment.scenarios[batch.scenario], folder.experiment.seed, batch))
        course.look()
        if batch.stop == 250:
            break
    folder.close()
    folder = RunFolder.resume(folder.path, of_limits())
    in_any_order(folder, size, order)
    run = finished(folder)
    assert run.summary["digest"] == found.summary["digest"]
    assert run.summary["search"] == found.summary["search"]


@pytest.mark.skipif("RAZZ_SIM_LONG" not in os.environ, reason="the long form searches on Ray too")
@pytest.mark.ray
def test_ray_finds_the_same(found: razz_sim.Run, tmp_path: Path) -> None:
    run = razz_sim.run(of_limits(), out=tmp_path, runner="ray", workers=2)
    assert run.summary["runner"] == "ray"
    assert run.summary["digest"] == found.summary["digest"]


DICE = '''
@strategy(salt=whole(0, 0, 99, "which of its random numbers it goes by"))
def bot(view, params, memory, u):
    """Folds now and then."""
    return FOLD if uniform(u, params.salt) < 0.2 and view.to_call > 0 and view.can_fold else STAY
'''


def test_the_best_of_equals_looks_good_until_it_is_measured_again(tmp_path: Path) -> None:
    """Winner's curse: of eight that are equal but for their luck the luckiest wins the search."""
    dice = replace(written("hero", "from razz_sim.strategy import whole\n" + DICE), params=(("salt", 0),))
    heroes = [replace(dice, params=(("salt", place),)) for place in range(8)]
    ahead, again = [], []
    for seed in range(5):
        run = razz_sim.run(search(heroes, hands=1200, again=1200, seed=seed), out=tmp_path, runner="local")
        everybody = run.summary["search"]["rounds"][0]["points"]
        average = np.mean([one["bb_per_100"] for one in everybody])
        ahead.append(run.summary["search"]["winner"]["in_search"]["bb_per_100"] - average)
        again.append(run.summary["search"]["winner"]["again"]["bb_per_100"] - average)
    assert np.mean(ahead) > 1
    assert np.mean(again) < np.mean(ahead)


BREAKS = '''
def bot(view, params, memory, u):
    """Divides by zero when it is low on seventh street."""
    if view.street == 7 and view.my_once < 64:
        return 1 // (view.street - 7)
    return STAY
'''


def test_a_point_that_fails_is_out_and_named_and_the_others_go_on(tmp_path: Path) -> None:
    heroes = [entrant("hero", "tight", limit=limit) for limit in (6, 7, 8)]
    run = razz_sim.run(search([*heroes, written("hero", BREAKS)]), out=tmp_path, runner="local")
    (failed,) = run.summary["failed"]
    assert failed["scenario"] == "point 4"
    assert "division by zero" in failed["error"] or "ZeroDivisionError" in failed["error"]
    assert [len(one["points"]) for one in run.summary["search"]["rounds"]] == [3, 2]
    alone = razz_sim.run(search(heroes), out=tmp_path, runner="local")
    numbered = {"number_again": 7}
    assert run.summary["search"]["winner"] == alone.summary["search"]["winner"] | numbered
    winner = run.summary["search"]["winner"]
    assert [one["name"] for one in run.summary["scenarios"]] == [winner["point"], f"{winner['point']}, measured again"]


def test_where_all_others_are_out_a_failure_ends_the_run(tmp_path: Path) -> None:
    bad = written("hero", BREAKS)
    with pytest.raises(StrategyFault):
        razz_sim.run(search([bad, replace(bad, params=())], hands=1200), out=tmp_path, runner="local")


def test_points_with_other_deals_are_compared_by_both_errors() -> None:
    """Three seats and two: the arrangements differ, so blocks and bins do, and nothing is paired."""
    others = (entrant("fish", "caller"), entrant("thief", "stealer"))
    hero = entrant("hero", "tight")
    points = [
        replace(scenario((hero, *others[:count])), name=f"{count}", duplicate=True, hands=12_000) for count in (1, 2)
    ]
    experiment = Experiment(
        "two", 7, (*points, *(replace(one, fresh=True) for one in points)), search=SearchPlan("hero", 2)
    )
    halving = Halving(experiment)
    tallies = [one.tally() for one in experiment.scenarios]
    for index in (0, 1):
        tallies[index] = first_blocks(experiment, index, points[index].blocks)
    (leader, other) = halving.round(halving.rounds - 1, [0, 1], tallies).standings
    assert other.behind is not None
    assert other.behind.value == pytest.approx(other.rate.value - leader.rate.value)
    assert other.behind.std_error == pytest.approx(np.hypot(other.rate.std_error or 0, leader.rate.std_error or 0))


def test_a_batch_is_none_while_a_round_is_not_decided() -> None:
    experiment = of_limits()
    frontier = experiment.whole_frontier()
    coming = experiment.wanted_batches(10**6, [[] for _ in experiment.scenarios], frontier)
    first = list(islice(coming, 19))
    ends = [(point, end) for point in range(9) for end in (64, 125)]
    assert [one and (one.scenario, one.stop) for one in first] == [*ends, None]
    frontier.ends[3], frontier.open = 250, 2
    assert [one and (one.first, one.stop) for one in islice(coming, 4)] == [(125, 128), (128, 192), (192, 250), None]


# What a file says

FILE: dict[str, Any] = {
    "name": "look",
    "hands": 12_000,
    "stakes": {"name": "2/4", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4},
    "lineup": [{"name": "hero", "strategy": "tight"}, {"strategy": "caller"}],
    "search": {
        "best": "hero",
        "over": {"lineup[0].params.limit": {"low": 5, "high": 12}, "stack": [5, 50]},
        "points": 8,
    },
}


def load(**keys: Any) -> Experiment:
    given = {**FILE, **keys}
    return experiment_from_dict({key: value for key, value in given.items() if value is not None}, Path()).experiment


def looking(**keys: Any) -> dict[str, Any]:
    return {"search": {**FILE["search"], **keys}}


def test_points_are_drawn_by_the_seed_each_with_a_scenario_to_be_measured_again_in() -> None:
    experiment = load(**looking(again=500))
    assert experiment.search == SearchPlan("hero", 8)
    assert len(experiment.points) == 8
    points, again = experiment.scenarios[:8], experiment.scenarios[8:]
    drawn = [(one.stack, one.lineup[0].params) for one in points]
    assert len(set(drawn)) == 8
    assert [(one.stack, one.lineup[0].params, one.hands, one.fresh) for one in again] == [
        (*where, 500, True) for where in drawn
    ]
    assert [one.name for one in again] == [f"{one.name}, measured again" for one in points]
    assert all(one.hands == 12_000 for one in load().scenarios)
    assert [one.lineup for one in load(seed=1).scenarios] != [one.lineup for one in experiment.scenarios]
    assert load(**looking(points=4)).scenarios[:4] == points[:4]


def test_matches_are_searched_with_the_entrant_over_all_of_them() -> None:
    lineup = [*FILE["lineup"], {"strategy": "stealer"}]
    experiment = load(format="gauntlet", lineup=lineup, **looking(points=2))
    assert [len(indices) for indices in experiment.settings] == [2, 2, 2, 2]
    assert experiment.scenarios[4].name == f"{experiment.scenarios[4].setting}, hero v caller"


def test_it_goes_into_the_manifest_and_back() -> None:
    experiment = load()
    kept = json.loads(json.dumps(for_manifest(experiment)))
    assert experiment_from_manifest(kept) == experiment
    assert kept["experiment"]["search"] == {"best": "hero", "factor": 2}


def test_set_reaches_every_part_of_it() -> None:
    experiment = experiment_from_dict(
        FILE,
        Path(),
        overrides=["search.points=2", "search.factor=3", "search.over.lineup[0].params.limit={low: 3, high: 3}"],
    ).experiment
    assert experiment.search == SearchPlan("hero", 2, 3)
    assert {one.lineup[0].params for one in experiment.scenarios} == {(("limit", 3),)}


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (looking(best="heroo"), "search.best: 'heroo' is no entrant of the line-up; did you mean hero?"),
        (looking(points=17), "search.points: 17 cannot be drawn: the ranges have 16 points, and none is drawn twice"),
        (looking(points=1), "search.points: must be a whole number from 2"),
        (looking(over={}), "search.over: has no paths"),
        (looking(over={"runner": ["local"]}), "search.over.runner: 'runner' cannot differ between scenarios"),
        (looking(over={"stack": {"low": 9, "high": 5}}), "search.over.stack.low: 9 must not be above high 5"),
        (looking(factor=1), "search.factor: must be a whole number from 2"),
        ({"sweep": {"stack": [5, 6]}}, "sweep: cannot be with search"),
        ({"stop": {"anytime": ["hero", "caller"]}}, "stop: cannot be with search, which stops by itself"),
        ({"stakes": [FILE["stakes"]]}, "stakes: cannot be with search, which has one structure of stakes"),
        ({"hands": 300}, "hands: 300 are too few for this search: the first of 3 rounds has 75 blocks; 400 would do"),
        (
            {"duplicate": True, **looking(again=501)},
            "search.again: 501 are no whole hands, each in 2 arrangements: 502",
        ),
        (looking(bets="hero"), "search.bets: 'bets' is no key here; did you mean best?"),
    ],
)
def test_what_is_wrong_with_a_search_is_said(keys: Mapping[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(**keys)
    assert any(said in str(problem) for problem in caught.value.problems), [str(one) for one in caught.value.problems]


def test_a_search_of_other_length_is_another_search(tmp_path: Path) -> None:
    """Its rounds would end elsewhere."""
    with RunFolder.create(tmp_path, load(hands=12_000)) as folder:
        pass
    with pytest.raises(StoreError, match="begin another run"):
        RunFolder.resume(folder.path, load(hands=24_000))
