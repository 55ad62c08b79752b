"""Stopping rules: their formulas against others' integrals, and runs that end where the rule says, however played."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from itertools import islice
from math import exp, inf, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

import razz_sim
from benchmarks import stopping
from benchmarks.verdicts import tally_of
from razz_sim.batch import StrategyFault, play_batch
from razz_sim.config import ConfigError, experiment_from_dict, for_manifest
from razz_sim.config.manifest import experiment_from_manifest
from razz_sim.course import Course
from razz_sim.experiment import Batch, Experiment, bin_size
from razz_sim.stages import StopRule, looks
from razz_sim.statistics import summary
from razz_sim.statistics.estimates import Estimate
from razz_sim.statistics.stopping import Known, Watching, anytime_reach, bounds_of, likelihood_ratio, look, skewness
from razz_sim.store import Asked, Run, RunFolder, StoreError, verify
from razz_sim.tally import digest

STAKES = {"name": "2/4", "ante": 1, "bring_in": 1, "small_bet": 2, "big_bet": 4}
EIGHT = {"name": "eight", "strategy": "tight", "params": {"limit": 8}}
NINE = {"name": "nine", "strategy": "tight", "params": {"limit": 9}}
BASE: dict[str, Any] = {
    "name": "until",
    "seed": 5,
    "hands": 12_000,
    "stakes": STAKES,
    "format": "round_robin",
    "lineup": [{"strategy": "tight"}, {"strategy": "caller"}, {"strategy": "maniac"}],
    "stop": {"anytime": ["tight", "maniac"]},
}


def load(**keys: Any) -> Experiment:
    given = {**BASE, **keys}
    return experiment_from_dict({key: value for key, value in given.items() if value is not None}, Path()).experiment


# Looks


@given(st.integers(1, 300_000), st.integers(2, 12), st.sampled_from([1, 2048, 16_384]))
def test_looks_fall_on_ends_of_bins_and_those_of_a_longer_run_are_of_a_shorter_one_too(
    blocks: int, longer: int, group: int
) -> None:
    found = looks(blocks, bin_size(blocks), group)
    assert found[-1] == blocks
    assert list(found) == sorted(set(found))
    assert all(end % bin_size(blocks) == end % group == 0 for end in found[:-1])
    of_longer = looks(longer * blocks, bin_size(longer * blocks), group)
    assert {end for end in of_longer if end < blocks} <= set(found)


def test_looks_begin_when_an_error_is_known_and_grow_rarer() -> None:
    assert looks(400, 1) == (400,)
    assert looks(100_000, 128)[:3] == (2048, 2176, 2304)
    found = looks(1_000_000, 1024)
    octave = [end for end in found if 100_000 < end <= 200_000]
    assert 14 <= len(octave) <= 18


# Formulas


def bayes_factor(t: float, n: int, g: float) -> float:
    """The likelihood of Student's t averaged over effects of variance g, over that of no effect, by quadrature."""

    def weighed(effect: float) -> float:
        return float(stats.nct.pdf(t, n - 1, effect * sqrt(n)) * stats.norm.pdf(effect, scale=sqrt(g)))

    around = t / sqrt(n)
    total, _ = integrate.quad(weighed, around - 3, around + 3, limit=200, points=[around])
    return total / float(stats.t.pdf(t, n - 1))


@pytest.mark.parametrize(("bins", "most", "alpha"), [(16, 1024, 0.05), (40, 700, 0.05), (30, 60, 0.01)])
def test_the_anytime_interval_ends_where_the_averaged_likelihood_ratio_is_one_over_alpha(
    bins: int, most: int, alpha: float
) -> None:
    g = (2 * log(1 / alpha) + log(1 + 2 * log(1 / alpha))) / (most / 8)
    assert bayes_factor(anytime_reach(bins, most, alpha), bins, g) == pytest.approx(1 / alpha, rel=1e-4)


def test_with_known_variance_it_is_robbins_normal_mixture() -> None:
    """With many bins Student's t is normal: sqrt((n g + 1) / (n g) x ln((n g + 1) / alpha^2)) (Robbins, 1970)."""
    most = bins = 10**7
    ng = 8 * (2 * log(20) + log(1 + 2 * log(20)))
    assert anytime_reach(bins, most, 0.05) == pytest.approx(sqrt((ng + 1) / ng * log((ng + 1) * 400)), rel=1e-5)


@pytest.mark.parametrize(("h0", "h1"), [(0.0, 1.0), (2.0, -1.0)])
def test_the_likelihood_ratio_is_that_of_the_likeliest_variances(h0: float, h1: float) -> None:
    sample = np.random.default_rng(8).normal(0.7, 2.0, 25)
    error = float(sample.std(ddof=1)) / 5

    def best(mean: float) -> float:
        found = optimize.minimize_scalar(
            lambda spread: -stats.norm.logpdf(sample, mean, spread).sum(), bounds=(0.1, 20), method="bounded"
        )
        return -float(found.fun)

    ratio = likelihood_ratio(Known(Estimate(float(sample.mean()), error, None), len(sample), 100), h0, h1)
    assert ratio == pytest.approx(best(h1) - best(h0), abs=1e-6)


def test_the_bounds_of_a_test_are_walds() -> None:
    """Wald's example of 1947, section 3.6: alpha 0.01 and beta 0.03 give A = 97 and B = 0.0303."""
    low, high = bounds_of(StopRule("test", "a", "b", h1=1, alpha=0.01, beta=0.03))
    assert exp(high) == pytest.approx(97)
    assert exp(low) == pytest.approx(0.0303, abs=5e-5)


def test_without_spread_there_is_a_verdict_or_none_and_no_error() -> None:
    even, ahead, between = (Known(Estimate(value, 0.0, (value, value)), 64, 64) for value in (0.0, 2.0, 0.5))
    test = StopRule("test", "a", "b", h0=0, h1=1)
    assert [look(test, one).verdict for one in (even, ahead, between)] == ["h0", "h1", None]
    found = look(StopRule("difference", "a", "b", half_width=0.5), ahead)
    assert (found.verdict, found.valid) == ("known", (2.0, 2.0))
    anytime = StopRule("anytime", "a", "b")
    assert [look(anytime, one).verdict for one in (even, ahead)] == [None, "first"]
    assert look(StopRule("anytime", "a", "b", half_width=1), even).verdict == "even"
    assert likelihood_ratio(even, 0, 1) == -inf
    assert look(test, Known(Estimate(1.0, None, None), 1, 64)).verdict is None
    early = Known(Estimate(2.0, 0.0, (2.0, 2.0)), 32, 64)
    assert [look(test, early, blocks=blocks).verdict for blocks in (512, 16_384)] == [None, "h1"]


@given(st.floats(-3, 3), st.floats(0.1, 6), st.integers(16, 1024))
def test_the_values_within_reach_end_where_the_difference_is_as_far_off(skew: float, reach: float, bins: int) -> None:
    known = Known(Estimate(2.0, 0.7, None), bins, 1024, skew)
    low, high = known.within(reach)
    assert (known.off(low), known.off(high)) == pytest.approx((reach, -reach))
    assert known.off(1.0) > known.off(2.0) > known.off(3.0)


def test_what_is_off_has_no_skewness_where_bins_have() -> None:
    """Means of 30 bins that are exponential, which is skewed by 2: as often too low as too high."""
    samples = np.random.default_rng(3).exponential(size=(20_000, 30))
    offs = []
    for one in samples:
        mean, error = float(one.mean()), float(one.std(ddof=1)) / sqrt(30)
        offs.append(Known(Estimate(mean, error, None), 30, 30, skewness(one - mean)).off(1.0))
    point = float(stats.t.ppf(0.975, 29))
    below, above = (np.array(offs) < -point).mean(), (np.array(offs) > point).mean()
    plain = [(one.mean() - 1) / (one.std(ddof=1) / sqrt(30)) for one in samples]
    assert (np.array(plain) < -point).mean() > 0.06
    assert max(below, above) < 0.04


# Evidence: its long form is `python -m benchmarks.stopping --runs 10000`


@pytest.mark.parametrize("name", ["a fair coin", "a lottery, 1 in 100 wins 100"])
def test_rules_break_their_promises_no_more_often_than_they_say(name: str) -> None:
    game = stopping.games()[name]
    for promise, breaks, _ in stopping.broken(game, runs=250, seed=1):
        assert stopping.at_least(breaks, 250) <= promise.allowed, promise.name


def test_the_evidence_looks_as_a_run_does() -> None:
    experiment = load(lineup=[EIGHT, NINE], stop={"anytime": ["eight", "nine"], "half_width": "0.001"})
    (scenario,) = experiment.scenarios
    tally = tally_of(experiment, 0, seed=5)
    nets = tally.entrants[:, :, stopping._NET]
    more = nets[:, 0] - nets[:, 1]
    game = stopping.Game(scenario.blocks, lambda seed: more, lambda: 0.0, 1.0)
    watched = Watching(experiment, [0]).looks([tally])
    in_bets = 100 / (2 * scenario.stakes.big_bet)
    expected = [
        (one.difference.value * in_bets, (one.difference.std_error or 0) * in_bets)
        for one in stopping.prefixes(game, more)
    ]
    found = [(one.difference.value, one.difference.std_error or 0) for one in watched]
    assert np.array(found) == pytest.approx(np.array(expected))
    rule = StopRule("anytime", "eight", "nine", half_width=0.001 / in_bets)
    ends = [one.anytime or () for one in stopping.seen(rule, game, stopping.prefixes(game, more))]
    assert np.array([one.anytime for one in watched]) == pytest.approx(np.array(ends) * in_bets)


# Runs


def test_all_matches_of_a_setting_are_looked_at_after_as_many_blocks() -> None:
    """Also where one strategy is asked for many tables at once, and only some matches are played in groups."""
    in_rows = {"name": "rows", "strategy": "tests/bots/tight_in_rows.py:Tight"}
    lineup = [*BASE["lineup"], in_rows]
    experiment = load(hands=79_998, lineup=lineup, format={"kind": "round_robin", "seats": 3})
    assert len({scenario.group for scenario in experiment.scenarios}) == 2
    assert len({experiment.looks(index) for index in range(4)}) == 1
    search = {"best": "tight", "over": {"lineup[1].strategy": ["caller", in_rows["strategy"]]}}
    points = load(hands=80_000, lineup=BASE["lineup"][:2], stop=None, format=None, search={**search, "points": 2})
    assert len({scenario.group for scenario in points.scenarios}) == 2
    assert points.round_ends(0) == points.round_ends(1)


def in_any_order(folder: RunFolder, size: int, order: random.Random) -> None:
    """Play what a folder lacks in batches that come in any order, far ahead of the looks, as workers deliver them."""
    experiment = folder.experiment
    course = Course(experiment, folder.tallies, folder.known_to, lambda *failure: None)
    course.look()
    coming = experiment.wanted_batches(size, folder.done, course.frontier)
    while batches := list(islice(coming, order.randint(1, 60))):
        order.shuffle(batches)
        for batch in filter(None, batches):
            folder.record(play_batch(experiment.scenarios[batch.scenario], experiment.seed_of(batch.scenario), batch))
            course.look(batch.scenario)
    folder.cut(course.frontier.ends.tolist())


def finished(folder: RunFolder) -> Run:
    told = summary(folder.experiment, folder.tallies, runner="local", workers=1, seconds=1.0)
    return folder.finish(told)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return razz_sim.run(load(), out=tmp_path_factory.mktemp("stopped"), runner="local")


def test_a_run_ends_at_the_first_look_that_knows(stopped: Run) -> None:
    (told,) = stopped.summary["stopping"]
    low, high = told["looks"][-1]["anytime"]
    assert told["verdict"] in ("first", "second")
    assert low > 0 or high < 0
    assert all(one["anytime"][0] <= 0 <= one["anytime"][1] for one in told["looks"][:-1])
    assert told["looks"][-1]["blocks"] < told["most_blocks"]
    assert [one["blocks"] for one in stopped.summary["scenarios"]] == [told["looks"][-1]["blocks"]] * 3
    assert told["valid"] == told["looks"][-1]["anytime"]


def test_its_totals_are_those_of_the_blocks_before_and_of_no_others(stopped: Run) -> None:
    end = stopped.summary["scenarios"][0]["blocks"]
    experiment = load()
    for index, scenario in enumerate(experiment.scenarios):
        tally = scenario.tally()
        for batch in experiment.batches(10**6):
            if batch.scenario == index and batch.stop <= end:
                play_batch(scenario, experiment.seed, batch).add_to(tally)
        assert digest([tally]) == digest([stopped.tallies[index]])


@pytest.mark.parametrize(("size", "seed"), [(37, 1), (300, 2), (10**6, 3)])
def test_it_ends_there_whatever_the_batches_and_the_order_they_come_in(
    stopped: Run, tmp_path: Path, size: int, seed: int
) -> None:
    folder = RunFolder.create(tmp_path, load())
    in_any_order(folder, size, random.Random(seed))
    run = finished(folder)
    assert run.summary["digest"] == stopped.summary["digest"]
    assert run.summary["stopping"] == stopped.summary["stopping"]
    assert Run.load(run.folder).manifest["ends"] == stopped.manifest["ends"]


def test_a_failure_beyond_the_end_that_comes_first_is_none_and_one_before_ends_the_run(
    stopped: Run, tmp_path: Path
) -> None:
    """How far ahead of the looks is played depends on the runner: what fails there must not count."""
    experiment = load()
    end = stopped.summary["scenarios"][0]["blocks"]
    for first, ends_the_run in ((end, False), (end - 1, True)):
        folder = RunFolder.create(tmp_path / str(first), experiment)
        course = Course(experiment, folder.tallies, folder.known_to, lambda *failure: None)
        fault = StrategyFault("it failed")
        assert course.fail(fault, Batch(scenario=1, bin=0, first=first, stop=first + 1, hands=2))
        ended = False
        for batch in filter(None, experiment.wanted_batches(500, folder.done, course.frontier)):
            folder.record(play_batch(experiment.scenarios[batch.scenario], experiment.seed, batch))
            try:
                course.look(batch.scenario)
            except StrategyFault as error:
                ended = error is fault
                break
        assert ended == ends_the_run
        if not ended:
            folder.cut(course.frontier.ends.tolist())
            assert finished(folder).summary["digest"] == stopped.summary["digest"]
        folder.close()


def test_it_is_resumed_to_the_same_end_from_wherever_it_was(stopped: Run, tmp_path: Path) -> None:
    experiment, order = load(), random.Random(4)
    for kept in (1, 20, 90, 10**6):
        folder = RunFolder.create(tmp_path / str(kept), experiment)
        for batch in islice(experiment.batches(150), kept):  # the first match far beyond the end
            folder.record(play_batch(experiment.scenarios[batch.scenario], experiment.seed, batch))
        folder.close()
        folder = RunFolder.resume(folder.path, experiment)
        in_any_order(folder, 200, order)
        assert finished(folder).summary["digest"] == stopped.summary["digest"]


def test_more_hands_extend_it_as_if_they_had_been_asked_for_at_once(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"lineup": [EIGHT, NINE], "stop": {"test": ["eight", "nine"], "h0": 0, "h1": "0.5"}}
    short = razz_sim.run(load(**asked, hands=4000), out=tmp_path, runner="local")
    longer = razz_sim.run(load(**asked, hands=40_000), out=tmp_path, runner="local", resume=True)
    assert longer.folder == short.folder
    at_once = razz_sim.run(load(**asked, hands=40_000), out=tmp_path / "once", runner="local")
    assert longer.summary["digest"] == at_once.summary["digest"]
    assert longer.summary["stopping"] == at_once.summary["stopping"]


def test_each_setting_ends_by_itself(tmp_path: Path) -> None:
    run = razz_sim.run(
        load(lineup=[EIGHT, NINE], stop={"difference": ["eight", "nine"], "half_width": 8}, sweep={"stack": [5, 100]}),
        out=tmp_path,
        runner="local",
    )
    ends = [one["looks"][-1]["blocks"] for one in run.summary["stopping"]]
    assert [one["verdict"] for one in run.summary["stopping"]] == ["known", "known"]
    assert ends[0] < ends[1] < 6000
    for one in run.summary["stopping"]:
        low, high = one["valid"]
        assert high - low == pytest.approx(16, rel=0.01)
        assert one["looks"][-1]["ci95"][1] - one["looks"][-1]["ci95"][0] < 16


def test_equals_end_with_a_verdict_or_at_the_maximum(tmp_path: Path) -> None:
    twins = [{**EIGHT, "name": "one"}, {**EIGHT, "name": "two"}]
    for rule, verdict in [
        ({"test": ["one", "two"], "h1": 1}, "h0"),
        ({"difference": ["one", "two"], "half_width": 1}, "known"),
        ({"anytime": ["one", "two"]}, None),
        ({"anytime": ["one", "two"], "half_width": 1}, "even"),
    ]:
        run = razz_sim.run(load(lineup=twins, stop=rule, hands=40_000), out=tmp_path, runner="local")
        (told,) = run.summary["stopping"]
        assert told["verdict"] == verdict
        assert told["looks"][-1]["difference"] == told["looks"][-1]["std_error"] == 0
        assert told["looks"][-1]["blocks"] == (20_000 if verdict is None else 16_384)


def test_at_one_table_two_of_the_entrants_are_watched(tmp_path: Path) -> None:
    run = razz_sim.run(load(format=None, stop={"anytime": ["tight", "maniac"]}), out=tmp_path, runner="local")
    rates = {one["name"]: one["bb_per_100"] for one in run.summary["scenarios"][0]["entrants"]}
    difference = run.summary["stopping"][0]["looks"][-1]["difference"]
    assert difference == pytest.approx(rates["tight"] - rates["maniac"])


def test_a_stopped_run_is_verified_and_its_hands_are_found(stopped: Run) -> None:
    asked = Asked.load(stopped.folder)

    def play(batches: list[Batch]) -> list[Any]:
        return [play_batch(asked.experiment.scenarios[one.scenario], asked.experiment.seed, one) for one in batches]

    outcome = verify(stopped.folder, play, bins=None)
    assert outcome.ok
    assert outcome.hands == stopped.summary["hands"]
    end = stopped.summary["scenarios"][0]["blocks"]
    assert asked.blocks == ((0, end),) * 3
    assert not asked.limited


@pytest.mark.ray
def test_ray_ends_it_at_the_same_look(stopped: Run, tmp_path: Path) -> None:
    run = razz_sim.run(load(), out=tmp_path, runner="ray", workers=2)
    assert run.summary["runner"] == "ray"
    assert run.summary["digest"] == stopped.summary["digest"]


def test_some_blocks_alone_cannot_tell_when_to_stop(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="--blocks cannot be with stop"):
        RunFolder.create(tmp_path, load(), blocks=(0, 100))


def test_another_rule_is_another_experiment(stopped: Run) -> None:
    other = load(stop={"anytime": ["tight", "maniac"], "alpha": "0.01"})
    with pytest.raises(StoreError, match=r"stop.alpha: 0.05 in the run, 0.01 now"):
        RunFolder.resume(stopped.folder, other)


# What a file says


@pytest.mark.parametrize(
    "rule",
    [
        {"difference": ["tight", "caller"], "half_width": 0.5},
        {"test": ["tight", "caller"], "h0": -0.25, "h1": 1e-3, "alpha": 0.01, "beta": 0.1},
        {"anytime": ["tight", "caller"], "alpha": 0.01, "half_width": 2},
    ],
)
def test_a_rule_goes_into_the_manifest_and_back(rule: Mapping[str, Any]) -> None:
    experiment = load(stop=rule)
    kept = json.loads(json.dumps(for_manifest(experiment)))
    assert experiment_from_manifest(kept) == experiment
    assert "stop" not in for_manifest(load(stop=None))["experiment"]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({}, "stop: must have one of difference, test, anytime, not none of them"),
        ({"test": ["tight", "caller"]}, "stop.h1: is missing: Of a test: the other difference"),
        ({"difference": ["tight", "caller"]}, "stop.half_width: is missing"),
        (
            {"test": ["tight", "caller"], "anytime": ["tight", "caller"]},
            "one of difference, test, anytime, not test and",
        ),
        ({"test": ["tight", "caller"], "h1": 0}, "stop.h1: 0 is h0 too"),
        (
            {"test": ["tight", "caller"], "h1": 1, "alpha": 0.5},
            "stop.alpha: 0.5 must be a probability above 0 and below",
        ),
        (
            {"test": ["tight", "caller"], "h1": 1, "half_width": 1},
            "stop.half_width: is not for test, which takes h0 and",
        ),
        ({"anytime": ["tight", "tight"]}, "stop.anytime: must name two entrants"),
        ({"anytime": ["tight"]}, "stop.anytime: must name two entrants"),
        (
            {"anytime": ["tight", "calller"]},
            "stop.anytime[1]: 'calller' is no entrant of the line-up; did you mean caller?",
        ),
        (
            {"difference": ["tight", "caller"], "half_width": 0},
            "stop.half_width: 0 must be big bets per 100 hands above 0",
        ),
        ({"anytime": ["tight", "caller"], "width": 1}, "stop.width: 'width' is no key here"),
    ],
)
def test_what_is_wrong_with_a_rule_is_said(rule: Mapping[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(stop=rule)
    assert any(said in str(problem) for problem in caught.value.problems), [str(one) for one in caught.value.problems]


def test_two_who_never_meet_have_nothing_to_stop_at() -> None:
    with pytest.raises(ConfigError, match=r"caller and maniac never sit at one table"):
        load(format="gauntlet", stop={"anytime": ["caller", "maniac"]})
