"""A search: rounds on ever more of the same deals, who goes on, and the winner measured again on others."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from small_experiments import entrant, scenario, written
from test_stopping import finished, in_any_order

import razz_sim
from razz_sim.batch import StrategyFault, play_batch
from razz_sim.course import Course
from razz_sim.experiment import Entrant, Experiment
from razz_sim.stages import SearchPlan
from razz_sim.statistics.halving import Halving
from razz_sim.store import RunFolder
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
    return Experiment("searching", seed, (*points, *fresh), search=SearchPlan("hero", factor))


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
    assert experiment.search.points_left(9) == (9, 5, 3, 2)
    assert experiment.round_ends(0) == (125, 250, 500, 1000)
    assert SearchPlan("hero", 3).points_left(9) == (9, 3)
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
    assert run.summary["search"]["winner"] == alone.summary["search"]["winner"]


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
        "two", 7, (*points, *(replace(one, fresh=True) for one in points)), search=SearchPlan("hero")
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
