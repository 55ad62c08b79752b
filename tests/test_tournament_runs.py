"""Runs of tournaments: one digest in every way there is, kept, resumed, joined, extended and played again."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_process import razz_sim

from razz_sim.batch import play_batches
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Experiment
from razz_sim.runner import play
from razz_sim.store import MANIFEST, TOURNAMENTS, Run, RunFolder, StoreError, merge
from razz_sim.store.tournaments import COLUMNS, parts_of
from razz_sim.tally import Tally, digest

CONFIG = """
name: club
seed: 11
format: tournament
tournaments: 60
table: {seats: 6}
starting_stack: 600
levels:
  - {ante: 5, bring_in: 10, small_bet: 30, hands: 8}
  - {ante: 10, bring_in: 20, small_bet: 60, hands: 8}
  - {ante: 25, bring_in: 50, small_bet: 150, hands: 8}
  - {ante: 60, bring_in: 120, small_bet: 400, hands: 8}
payouts: [60, 40]
buy_in: {prize: 10, fee: 1}
reentry: {until_level: 2, times: 1}
sweep:
  field: [6, 14]
lineup:
  - {name: grudge, strategy: "grudge.py:grudge", seats: 2}
  - {strategy: tight}
  - {strategy: random}
  - {strategy: caller}
"""
STRATEGY = '''
from razz_sim.strategy import strategy
from razz_sim.view import STAY, raise_or_stay, uniform


@strategy(memory=2)
def grudge(view, params, memory, u):
    """Raises the more often, the more often it was raised, and never when few are left."""
    memory[0] += 1
    memory[1] += view.to_call > view.bring_in
    often = 0.1 + memory[1] / memory[0]
    return raise_or_stay(view) if view.players_left > 3 and uniform(u, 0) < often else STAY
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the config and its strategy."""
    found = tmp_path_factory.mktemp("club")
    (found / "club.yaml").write_text(CONFIG)
    (found / "grudge.py").write_text(STRATEGY)
    return found


@pytest.fixture(scope="module")
def experiment(folder: Path) -> Experiment:
    from razz_sim.config import load_experiment

    return load_experiment(folder / "club.yaml").experiment


def ran(folder: Path, out: str, *more: object) -> dict[str, Any]:
    """The summary of a run in this process's child."""
    asked = ("run", folder / "club.yaml", "--runner", "local", "--json", "--out", folder / out, *more)
    done = razz_sim(*asked)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def run_in(folder: Path, out: str) -> Path:
    """The only run folder there."""
    (found,) = (folder / out / "club").iterdir()
    return found


@pytest.fixture(scope="module")
def whole(folder: Path) -> Run:
    """The run, undisturbed."""
    ran(folder, "whole")
    return Run.load(run_in(folder, "whole"))


def counted_in(experiment: Experiment, size: int, order: int) -> str:
    """The digest when batches of about so many hands come in an order of chance."""
    tallies = [scenario.tally() for scenario in experiment.scenarios]
    batches = list(experiment.batches(size))
    random.Random(order).shuffle(batches)
    for batch in batches:
        for part in play_batches(experiment.scenarios[batch.scenario], experiment.seed, [batch]):
            part.add_to(tallies[batch.scenario])
    return digest(tallies)


@pytest.mark.parametrize(("size", "order"), [(1, 1), (700, 2), (10**9, 3)])
def test_batches_and_their_order_change_nothing(whole: Run, experiment: Experiment, size: int, order: int) -> None:
    assert counted_in(experiment, size, order) == whole.summary["digest"]


@pytest.mark.ray
@pytest.mark.slow
def test_ray_plays_the_same(whole: Run, experiment: Experiment) -> None:
    tallies = [scenario.tally() for scenario in experiment.scenarios]
    how = play(experiment, lambda part: part.add_to(tallies[part.batch.scenario]), kind="ray", workers=2)
    assert (how.runner, digest(tallies)) == ("ray", whole.summary["digest"])


def test_what_is_kept_is_read_back_to_the_last_integer(whole: Run, experiment: Experiment) -> None:
    tallies = [scenario.tally() for scenario in experiment.scenarios]
    for batch in experiment.batches(5000):
        for part in play_batches(experiment.scenarios[batch.scenario], experiment.seed, [batch]):
            part.add_to(tallies[batch.scenario])
    for kept, counted in zip(whole.tallies, tallies, strict=True):
        assert all(np.array_equal(one, other) for one, other in zip(kept.arrays(), counted.arrays(), strict=True))
    assert whole.experiment() == experiment


def test_totals_in_long_form_are_those_of_the_arrays(whole: Run) -> None:
    rows = {(row["scenario"], row["entrant"], row["measure"]): row["value"] for row in whole.to_arrow().to_pylist()}
    for scenario, tally in zip(whole.summary["scenarios"], whole.tallies, strict=True):
        names = [one["name"] for one in scenario["entrants"]]
        for part, totals in parts_of(tally).items():
            for place in range(totals.shape[1]):
                whom = None if part == "course" else names[place]
                for measure, value in zip(COLUMNS[part], totals[:, place].sum(axis=0).tolist(), strict=True):
                    assert rows.get((scenario["name"], whom, measure), 0) == value


def test_a_stopped_run_goes_on_to_the_same_end(folder: Path, experiment: Experiment, whole: Run) -> None:
    with RunFolder.create(folder / "stopped", experiment) as writing:
        for batch in list(experiment.batches(400))[::3]:
            for part in play_batches(experiment.scenarios[batch.scenario], experiment.seed, [batch]):
                writing.record(part)
    assert ran(folder, "stopped", "--resume")["digest"] == whole.summary["digest"]


def test_more_tournaments_extend_a_run(folder: Path) -> None:
    ran(folder, "longer", "--tournaments", 20)
    extended = ran(folder, "longer", "--resume", "--tournaments", 45)
    assert extended["digest"] == ran(folder, "at_once", "--tournaments", 45)["digest"]


def test_pieces_are_joined(folder: Path, whole: Run) -> None:
    pieces = []
    for number, blocks in enumerate(["0:25", "25:60"]):
        ran(folder, f"piece{number}", "--blocks", blocks)
        pieces.append(run_in(folder, f"piece{number}"))
    with merge(pieces, folder / "joined") as joined:
        assert digest(joined.tallies) == whole.summary["digest"]


def test_bins_are_played_again(whole: Run) -> None:
    done = razz_sim("verify", whole.folder, "--all")
    assert (done.returncode, "agree to the last integer" in done.stdout) == (0, True)


def test_a_damaged_file_is_named(folder: Path, whole: Run, tmp_path: Path) -> None:
    import shutil

    copy = shutil.copytree(whole.folder, tmp_path / whole.folder.name)
    content = bytearray((copy / TOURNAMENTS).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / TOURNAMENTS).write_bytes(content)
    with pytest.raises(StoreError, match=TOURNAMENTS):
        Run.load(copy)
    (copy / TOURNAMENTS).unlink()
    with pytest.raises(StoreError, match=TOURNAMENTS):
        Run.load(copy)


def test_runs_of_single_hands_have_no_file_of_tournaments(tmp_path: Path) -> None:
    asked = {
        "name": "hands",
        "hands": 60,
        "stakes": {"ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8},
        "lineup": [{"strategy": "tight"}, {"strategy": "caller"}],
    }
    experiment = experiment_from_dict(asked, tmp_path).experiment
    with RunFolder.create(tmp_path / "out", experiment) as writing:
        for batch in experiment.batches(60):
            for part in play_batches(experiment.scenarios[0], experiment.seed, [batch]):
                writing.record(part)
        assert not any(tally.of_tournaments for tally in writing.tallies)
        names = {path.name for path in writing.path.iterdir()}
    assert MANIFEST in names
    assert TOURNAMENTS not in names


def test_a_bin_more_or_less_shows(experiment: Experiment) -> None:
    """Two totals of tournaments that differ in one number anywhere have different digests."""
    tally = experiment.scenarios[0].tally()
    plain = digest([tally])
    for array in (tally.money, tally.finishes, tally.course):
        array.flat[-1] += 1
        assert digest([tally]) != plain
        array.flat[-1] -= 1
    assert digest([tally]) == plain
    assert not Tally(4, 2).of_tournaments
