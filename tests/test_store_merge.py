"""Runs that split an experiment are joined; finished runs are played again and compared."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import random
import shutil
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from counted_blocks import STAKES, asked, count, finish, record, straight
from typer.testing import CliRunner

from razz_sim.batch import Counted, play_batches
from razz_sim.cli import app
from razz_sim.experiment import Batch, Experiment
from razz_sim.statistics import summary
from razz_sim.store import (
    BINS,
    JOURNAL,
    MANIFEST,
    PARQUET,
    SUMMARY,
    TOTALS,
    Asked,
    Run,
    RunFolder,
    StoreError,
    merge,
    verify,
)
from razz_sim.store.journal import read_journal, write_journal
from razz_sim.tally import digest


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return asked(5000)  # bins of 8 blocks


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, experiment: Experiment) -> Run:
    return straight(tmp_path_factory.mktemp("straight"), experiment)


def piece(out: Path, experiment: Experiment, first: int, stop: int, *, complete: bool = True) -> Path:
    """A run of some of the blocks."""
    with RunFolder.create(out, experiment, blocks=(first, stop)) as folder:
        record(folder, size=300, shuffle=first)
        if complete:
            finish(folder)
        return folder.path


def same_results(run: Run, other: Run) -> bool:
    return all((run.folder / name).read_bytes() == (other.folder / name).read_bytes() for name in (*PARQUET, SUMMARY))


def test_three_pieces_are_the_whole(tmp_path: Path, experiment: Experiment, undisturbed: Run) -> None:
    pieces = [
        piece(tmp_path, experiment, 3003, 5000),
        piece(tmp_path, experiment, 0, 1601, complete=False),
        piece(tmp_path, experiment, 1601, 3003),
    ]
    with merge(pieces, tmp_path / "out", ["razz-sim", "merge"]) as merged:
        assert merged.seconds > 0
        run = finish(merged)
    assert same_results(run, undisturbed)
    assert run.manifest["merged"] == [path.name for path in pieces]
    assert run.experiment() == experiment
    assert Run.load(pieces[0]).summary["hands"] == 2 * 1997


def test_a_piece_is_resumed_within_its_range(tmp_path: Path, experiment: Experiment) -> None:
    with RunFolder.create(tmp_path, experiment, blocks=(100, 300)) as folder:
        assert folder.missing == [[(100, 300)]] * 2
        record(folder, batches=list(experiment.batches(40, folder.done))[:3])
    with RunFolder.resume(folder.path, experiment) as resumed:
        assert resumed.hands == 120
        record(resumed)
        run = finish(resumed)
    assert run.summary["scenarios"][0]["blocks"] == 200
    assert run.manifest["blocks"] == [100, 300]


@pytest.mark.parametrize("blocks", [(5, 5), (-1, 4), (7, 3), (0, 5001)])
def test_a_range_that_is_none_is_refused(tmp_path: Path, experiment: Experiment, blocks: tuple[int, int]) -> None:
    with pytest.raises(StoreError, match=r"are no range of blocks: FIRST:STOP with 0 <= FIRST < STOP <= 5000"):
        RunFolder.create(tmp_path, experiment, blocks=blocks)
    assert not list(tmp_path.iterdir())


def test_a_range_may_have_no_block_of_some_scenario(tmp_path: Path) -> None:
    sessions = asked(100, stakes=STAKES, sweep={"session": [{"hands": 1}, {"hands": 20}]})
    whole = straight(tmp_path / "whole", sessions)
    pieces = [piece(tmp_path, sessions, *blocks) for blocks in ((0, 4), (4, 60), (60, 100))]
    for place, names in zip(pieces, ([], [], ["hands 20"]), strict=True):
        found = Run.load(place).summary
        assert found["not_played"] == names
        assert [one["name"] for one in found["scenarios"]] == ["hands 1", "hands 20"][: 2 - len(names)]
    with merge(pieces, tmp_path / "out") as merged:
        run = finish(merged)
    assert same_results(run, whole)
    assert run.summary["not_played"] == []


def test_the_report_of_a_piece_names_what_it_has_nothing_of(tmp_path: Path) -> None:
    sessions = asked(200, stakes=STAKES, sweep={"session": [{"hands": 1}, {"hands": 20}]})
    shown = CliRunner().invoke(app, ["report", str(piece(tmp_path, sessions, 60, 200))])
    assert shown.exit_code == 0
    assert "not played  hands 20: the run's blocks are beyond theirs" in shown.stdout


def test_blocks_in_two_runs_must_agree(tmp_path: Path, experiment: Experiment, undisturbed: Run) -> None:
    pieces = [piece(tmp_path, experiment, 0, 2560), piece(tmp_path, experiment, 1536, 5000)]  # shards of 512
    with merge(pieces, tmp_path / "out") as merged:
        assert same_results(finish(merged), undisturbed)
    identity = json.loads((pieces[1] / MANIFEST).read_text())["identity"]
    parts = list(read_journal(pieces[1] / JOURNAL, identity).parts())
    wrong = parts[1]
    table = wrong.totals.table.copy()
    table[2, 5] += 1
    parts[1] = dataclasses.replace(wrong, totals=dataclasses.replace(wrong.totals, table=table))
    write_journal(pieces[1] / JOURNAL, identity, parts)
    before = sorted(tmp_path.rglob("*"))
    place = rf"blocks {wrong.first} to {wrong.stop - 1} of scenario '2/4'"
    with pytest.raises(StoreError, match=rf"{place} are in both .* do not agree \(1 totals differ"):
        merge(pieces, tmp_path / "out")
    assert sorted(tmp_path.rglob("*")) == before


def test_blocks_in_two_runs_that_cut_a_shard_differently_are_refused(tmp_path: Path, experiment: Experiment) -> None:
    pieces = [piece(tmp_path, experiment, 0, 2404), piece(tmp_path, experiment, 2402, 5000)]
    with pytest.raises(StoreError, match=r"blocks 2402 to 2403 of .* must do so at multiples of 512"):
        merge(pieces, tmp_path / "out")


def test_gaps_are_named(tmp_path: Path, experiment: Experiment) -> None:
    pieces = [piece(tmp_path, experiment, 10, 1600), piece(tmp_path, experiment, 1700, 4999)]
    with pytest.raises(
        StoreError,
        match=r"blocks scenario '2/4': 0 to 9, 1600 to 1699, 4999, scenario 'free': .* are in none of these runs",
    ):
        merge(pieces, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_runs_of_other_experiments_and_lengths_are_named(tmp_path: Path, experiment: Experiment) -> None:
    first = piece(tmp_path, experiment, 0, 2400)
    with pytest.raises(StoreError, match="are not of one experiment: seed: 7 in the first, 8 in the second"):
        merge([first, piece(tmp_path, asked(5000, seed=8), 2400, 5000)], tmp_path / "out")
    with pytest.raises(StoreError, match="not of one experiment: hands: 5,000 in the first, 6,000 in the second"):
        merge([first, piece(tmp_path, asked(6000), 2400, 6000)], tmp_path / "out")
    with pytest.raises(StoreError, match="nothing to merge"):
        merge([], tmp_path / "out")


# Verify


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of real hands, in sessions."""
    experiment = asked(6000, stakes=STAKES, session={"hands": 4, "stacks": "carry"}, stack=5)
    with RunFolder.create(tmp_path_factory.mktemp("real"), experiment) as folder:
        for batch in experiment.batches(1000):
            folder.record(play_batches(experiment.scenarios[0], experiment.seed, [batch])[0])
        return finish(folder)


def replay(run: Run, played: list[Batch] | None = None) -> object:
    experiment = run.experiment()

    def play(batches: list[Batch]) -> list[Counted]:
        if played is not None:
            played.extend(batches)
        return play_batches(experiment.scenarios[batches[0].scenario], experiment.seed, batches)

    return play


def flipped(run: Run, tmp_path: Path, column: str, row: int) -> Path:
    """A copy with one integer changed by somebody who makes all hashes and the digest anew."""
    folder = shutil.copytree(run.folder, tmp_path / run.folder.name)
    table = pq.read_table(folder / BINS)
    place = table.schema.get_field_index(column)
    changed = np.zeros(len(table), dtype=np.int64)
    changed[row] = 1
    table = table.set_column(place, table.schema.field(place), pc.add(table[column], changed))
    pq.write_table(table, folder / BINS)
    tally = copy.deepcopy(run.tallies[0])
    tally.table[row // 3, 1 if column == "hands" else 2] += 1
    found = json.loads((folder / SUMMARY).read_text())
    (folder / SUMMARY).write_text(json.dumps({**found, "digest": digest([tally])}))
    manifest = json.loads((folder / MANIFEST).read_text())
    for name in (BINS, SUMMARY):
        manifest["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    del manifest["checksum"]
    seal = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
    (folder / MANIFEST).write_text(json.dumps({**manifest, "checksum": seal}))
    return folder


def test_a_run_that_is_what_it_says_agrees(real: Run) -> None:
    sample = verify(real.folder, replay(real), bins=5, seed=1)
    assert sample.ok
    assert (sample.bins, sample.all_bins) == (5, 750)
    assert "5 of 750 bins" in str(sample)
    assert "agree to the last integer" in str(sample)
    everything = verify(real.folder, replay(real), bins=None)
    assert everything.ok
    assert (everything.bins, everything.hands) == (750, real.summary["hands"])


def test_a_sample_is_drawn_by_its_seed(real: Run) -> None:
    drawn: dict[int, list[Batch]] = {}
    for seed in (1, 1, 2):
        played: list[Batch] = []
        verify(real.folder, replay(real, played), bins=6, seed=seed)
        assert drawn.setdefault(seed, played) == played
    assert drawn[1] != drawn[2]


def test_a_changed_integer_is_found(real: Run, tmp_path: Path) -> None:
    bin_number = random.Random(4).randrange(750)
    folder = flipped(real, tmp_path, "pot", 3 * bin_number)
    Run.load(folder)
    found = verify(folder, replay(real), bins=None)
    (difference,) = found.differences
    kept = int(real.tallies[0].table[bin_number, 2])
    assert (difference.bin, difference.column, difference.entrant) == (bin_number, "pot", None)
    assert (difference.kept, difference.replayed) == (kept + 1, kept)
    assert not found.ok
    assert f"bin {bin_number}, the table: pot is {kept + 1}, replayed {kept}" in str(found)


def test_a_piece_is_verified_within_its_range(tmp_path: Path, experiment: Experiment) -> None:
    path = piece(tmp_path, experiment, 100, 301)
    played: list[Batch] = []

    def play(batches: list[Batch]) -> list[Counted]:
        played.extend(batches)
        return [count(experiment, batch) for batch in batches]

    found = verify(path, play, bins=None)
    assert found.ok
    assert found.hands == 402
    assert {(batch.first, batch.stop) for batch in played} >= {(100, 104), (104, 112), (296, 301)}


def test_what_failed_in_a_piece_is_none_of_its_blocks(tmp_path: Path) -> None:
    two = asked(400, stakes=STAKES, sweep={"stakes.ante": [1, 2]})
    with RunFolder.create(tmp_path, two, blocks=(100, 301)) as folder:
        folder.fail([1], [0], "it failed", None)
        folder.cut([400, 0])
        record(folder, size=50)
        finish(folder)
    assert Asked.load(folder.path).blocks == ((100, 301), (0, 0))
    found = verify(folder.path, lambda batches: [count(two, batch) for batch in batches], bins=None)
    assert found.ok
    assert found.hands == 201


def test_large_bins_are_played_in_pieces(tmp_path: Path) -> None:
    experiment = asked(2**28, stakes=STAKES)
    with RunFolder.create(tmp_path, experiment, blocks=(2**18, 2**18 + 2**17 + 5)) as folder:
        record(folder, size=10**6)
        path = finish(folder).folder
    played: list[Batch] = []

    def play(batches: list[Batch]) -> list[Counted]:
        played.extend(batches)
        return [count(experiment, batch) for batch in batches]

    assert verify(path, play, bins=None).ok
    assert max(batch.hands for batch in played) == 65_536


# Frames


def test_frames_hold_the_totals(real: Run) -> None:
    totals = real.to_arrow().to_pylist()
    nets = {row["entrant"]: row["value"] for row in totals if row["measure"] == "net"}
    assert nets == {name: real.tallies[0].entrant_total(index, "net") for index, name in enumerate(("hero", "fish"))}
    bins = real.bins_to_arrow()
    assert bins.num_rows == 750 * 3
    assert sum(bins["blocks"].drop_null().to_pylist()) == 1500


def test_frames_of_a_folder_that_was_changed_since_are_refused(real: Run, tmp_path: Path) -> None:
    run = Run.load(shutil.copytree(real.folder, tmp_path / "copy"))
    (run.folder / TOTALS).write_bytes((run.folder / TOTALS).read_bytes()[:-1])
    with pytest.raises(StoreError, match=r"is damaged: totals\.parquet"):
        run.to_arrow()


def test_pandas_where_it_is_installed(real: Run) -> None:
    try:
        import pandas as pd
    except ImportError:
        with pytest.raises(ImportError, match="pandas is not installed: pip install pandas, or use to_arrow"):
            real.to_pandas()
        with pytest.raises(ImportError, match="pandas is not installed"):
            real.bins_to_pandas()
        return
    frame = real.bins_to_pandas()
    assert frame["net"].dtype == pd.Int64Dtype()
    assert int(frame["net"].sum()) == sum(real.tallies[0].entrant_total(entrant, "net") for entrant in (0, 1))
    assert list(real.to_pandas().columns) == ["scenario", "about", "entrant", "measure", "value"]


def test_the_summary_of_a_piece_is_of_its_blocks(tmp_path: Path, experiment: Experiment) -> None:
    with RunFolder.create(tmp_path, experiment, blocks=(0, 100)) as folder:
        record(folder)
        found = summary(experiment, folder.tallies, runner="local", workers=1, seconds=1.0)
    assert found["hands"] == 200


def test_a_setting_that_failed_in_one_piece_is_left_out_of_all(tmp_path: Path) -> None:
    two = asked(400, stakes=STAKES, sweep={"stakes.ante": [1, 2]})
    pieces = []
    for first, stop, fails in ((0, 200, False), (200, 400, True)):
        with RunFolder.create(tmp_path, two, blocks=(first, stop)) as folder:
            if fails:
                folder.fail([1], [0], "it failed", "2/1/200/0/0")
                folder.cut([400, 0])
            record(folder, size=50)
            pieces.append(finish(folder).folder)
    merged = merge(pieces, tmp_path / "merged")
    assert merged.failed == [{"scenarios": [1], "ends": [0], "error": "it failed", "where": "2/1/200/0/0"}]
    assert [tally.table_total("blocks") for tally in merged.tallies] == [400, 0]
    run = finish(merged)
    assert run.manifest["ends"] == [400, 0]
    assert Run.load(run.folder).tallies[1].hands == 0


def test_where_all_failed_nothing_is_left_to_merge(tmp_path: Path) -> None:
    two = asked(400, stakes=STAKES, sweep={"stakes.ante": [1, 2]})
    pieces = []
    for first, stop, fails in ((0, 200, 0), (200, 400, 1)):
        with RunFolder.create(tmp_path, two, blocks=(first, stop)) as folder:
            folder.fail([fails], [0], f"{fails} failed", None)
            folder.cut([400 * (place != fails) for place in (0, 1)])
            record(folder, size=50)
            pieces.append(finish(folder).folder)
    with pytest.raises(StoreError, match="every scenario failed in one of these runs: 0 failed"):
        merge(pieces, tmp_path / "merged")
