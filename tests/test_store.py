"""The run folder: what is written is read back exactly, and nothing is ever overwritten."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from counted_blocks import contents
from stored_runs import played

from razz_sim.batch import Counted, play_batch
from razz_sim.config import experiment_from_dict
from razz_sim.experiment import Experiment
from razz_sim.statistics import summary
from razz_sim.store import BINS, JOURNAL, MANIFEST, PARQUET, SUMMARY, TOTALS, Run, RunFolder, StoreError, json_text
from razz_sim.store.machine import git_state
from razz_sim.store.parquet import totals_tables
from razz_sim.store.writing import write_aside
from razz_sim.tally import ENTRANT_COLUMNS, PLAY_COLUMNS, POT_COLUMNS, TABLE_COLUMNS, Tally, digest
from razz_sim.tally.columns import ENDS, LOWS, STREETS

pytest_plugins = ("stored_fixtures",)
README = Path(__file__).parent.parent / "results" / "README.md"


# What is written


def test_a_run_is_read_back_to_the_last_integer(run: Run, experiment: Experiment, tallies: list[Tally]) -> None:
    again = Run.load(run.folder)
    for tally, written in zip(again.tallies, tallies, strict=True):
        assert np.array_equal(tally.table, written.table)
        assert np.array_equal(tally.entrants, written.entrants)
        assert tally.table.dtype == tally.entrants.dtype == np.int64
    assert digest(again.tallies) == again.summary["digest"] == digest(tallies)
    assert again.experiment() == experiment


def test_the_summary_in_the_folder_is_the_one_that_is_printed(run: Run, found: dict[str, Any]) -> None:
    assert (run.folder / SUMMARY).read_text() == json_text(found) + "\n"
    assert run.summary == json.loads(json_text(found))


def test_the_manifest_says_what_was_asked_and_how_it_was_played(run: Run) -> None:
    manifest = json.loads((run.folder / MANIFEST).read_text())
    assert manifest["run"] == run.folder.name
    assert (manifest["name"], manifest["seed"]) == ("kept", 2**64 - 1)
    assert manifest["command"] == ["razz-sim", "run", "kept.yaml"]
    assert manifest["played"] == {"runner": "local", "workers": 1, "seconds": 1.5}
    assert set(manifest["versions"]) == {"razz_sim", "python", "numpy", "numba", "ray", "pyarrow"}
    assert all(manifest["versions"].values())
    assert manifest["started"] <= manifest["finished"]
    for strategy in manifest["strategies"].values():
        assert hashlib.sha256(strategy["text"].encode()).hexdigest() == strategy["sha256"]
    for name, sha256 in manifest["files"].items():
        assert hashlib.sha256((run.folder / name).read_bytes()).hexdigest() == sha256
    assert re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{6}", run.folder.name)


def test_bins_hold_every_total_of_every_bin(run: Run, tallies: list[Tally], experiment: Experiment) -> None:
    table = pq.read_table(run.folder / BINS)
    assert len(table) == 2 * experiment.scenarios[0].bins * 3
    rows = table.filter(
        (pc.field("scenario") == "free") & (pc.field("about") == "entrant") & (pc.field("entrant") == "table")
    )
    for column in ENTRANT_COLUMNS:
        assert rows[column].to_pylist() == tallies[1].entrants[:, 0, ENTRANT_COLUMNS.index(column)].tolist()
    assert rows["blocks"].null_count == len(rows), "blocks are the table's"
    assert rows["first_block"].to_pylist() == [number * experiment.scenarios[1].bin_size for number in range(len(rows))]
    assert rows["pot"].null_count == len(rows), "an entrant has no pot"
    of_table = table.filter((pc.field("scenario") == "raked") & (pc.field("about") == "table"))
    assert of_table["entrant"].null_count == len(of_table)
    for column in TABLE_COLUMNS:
        assert of_table[column].to_pylist() == tallies[0].table[:, TABLE_COLUMNS.index(column)].tolist()


def test_totals_are_the_sums_of_the_bins(run: Run, tallies: list[Tally]) -> None:
    rows = pq.read_table(run.folder / TOTALS).to_pylist()
    columns = len(TABLE_COLUMNS) + len(POT_COLUMNS), len(ENTRANT_COLUMNS) + len(PLAY_COLUMNS)
    assert len(rows) == 2 * (columns[0] + 2 * columns[1])
    values = {(row["scenario"], row["about"], row["entrant"], row["measure"]): row["value"] for row in rows}
    assert values["raked", "table", None, "rake"] == tallies[0].table_total("rake")
    for index, entrant in enumerate(("table", "Zoë [bold]")):
        assert values["free", "entrant", entrant, "net"] == tallies[1].entrant_total(index, "net")
        limbs = [values["free", "entrant", entrant, f"net_sq_{limb}"] for limb in range(3)]
        first = ENTRANT_COLUMNS.index("net_sq_0")
        assert limbs == tallies[1].entrants[:, index, first : first + 3].sum(axis=0).tolist()


def test_totals_carry_limbs_that_add_up_beyond_64_bits(experiment: Experiment, tallies: list[Tally]) -> None:
    full = [Tally(*tally.entrants.shape[:2]) for tally in tallies]
    limb = TABLE_COLUMNS.index("pot_sq_0")
    full[0].table[:, limb : limb + 2] = 2**62
    rows = [row for one in totals_tables(experiment, full) for row in one.to_pylist() if row["scenario"] == "raked"]
    values = {row["measure"]: row["value"] for row in rows if row["about"] == "table"}
    square = values["pot_sq_0"] + (values["pot_sq_1"] << 32) + (values["pot_sq_2"] << 64)
    assert square == len(full[0].table) * (2**62 + 2**94)


def test_the_same_results_are_the_same_bytes(
    tmp_path: Path, run: Run, experiment: Experiment, counted: list[Counted], found: dict[str, Any]
) -> None:
    again = played(tmp_path, experiment, counted[::-1]).finish(found)
    for name in (*PARQUET, SUMMARY):
        assert (again.folder / name).read_bytes() == (run.folder / name).read_bytes()


LABELLED = ("by_door", "by_position", "by_end", "lows", "winning_lows", "players", "actions")
"""Objects by class, whose keys are no fields."""


def in_general(name: str) -> str:
    """A name as the README has it: with STREET, END, LOW and N for what varies."""
    streets, ends, lows = ("|".join(words) for words in (STREETS, ENDS, LOWS))
    for pattern, general in (
        (rf"pot_(?:{ends})_(\w+)", r"pot_END_\1"),
        (rf"players_(?:{ends})_\d", "players_END_N"),
        (rf"(winning|shown|won)_(?:{lows})", r"\1_LOW"),
        (rf"(raises|calls|checks|folds|saw)_(?:{streets})", r"\1_STREET"),
    ):
        if (found := re.fullmatch(pattern, name)) is not None:
            return found.expand(general)
    return name


def keys(data: object) -> Iterator[str]:
    """The names of all fields, as the README has them."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield in_general(key)
            if key in LABELLED:
                yield from keys(list(value.values()))
            elif key not in ("params", "cap_by_players", "point", "counts", "quantiles"):
                yield from keys(value)
    elif isinstance(data, list):
        for value in data:
            yield from keys(value)


def explained_words() -> set[str]:
    return set(re.findall(r"`([^`\n]+)`", README.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    "stop",
    [
        {"difference": ["a", "b"], "half_width": 1},
        {"test": ["a", "b"], "h1": 1},
        {"anytime": ["a", "b"], "half_width": 1},
    ],
)
def test_the_readme_explains_what_a_stopping_rule_adds(stop: dict[str, Any]) -> None:
    stakes = {"ante": 1, "bring_in": 5, "small_bet": 10, "big_bet": 20}
    asked = {"name": "s", "hands": 60, "stakes": stakes, "format": "round_robin", "stop": stop}
    lineup = [{"name": name, "strategy": "tight"} for name in ("a", "b")]
    stopping = experiment_from_dict({**asked, "lineup": lineup}, Path()).experiment
    tallies = [scenario.tally() for scenario in stopping.scenarios]
    for batch in stopping.batches(10**6):
        play_batch(stopping.scenarios[batch.scenario], stopping.seed, batch).add_to(tallies[batch.scenario])
    found = summary(stopping, tallies, runner="local", workers=1, seconds=1.0)
    told = [found["stop"], *found["stopping"]]
    assert set(keys(told)) | {"stop", "stopping"} <= explained_words()


def test_the_readme_explains_what_a_search_adds() -> None:
    stakes = {"ante": 1, "bring_in": 5, "small_bet": 10, "big_bet": 20}
    lineup = [{"name": name, "strategy": "tight"} for name in ("a", "b")]
    search = {"best": "a", "over": {"lineup[0].params.limit": {"low": 5, "high": 8}}, "points": 2}
    asked = {"name": "s", "hands": 200, "stakes": stakes, "lineup": lineup, "search": search}
    searching = experiment_from_dict(asked, Path()).experiment
    tallies = [scenario.tally() for scenario in searching.scenarios]
    for batch in searching.batches(10**6):
        scenario = searching.scenarios[batch.scenario]
        play_batch(scenario, searching.seed_of(batch.scenario), batch).add_to(tallies[batch.scenario])
    found = summary(searching, tallies, runner="local", workers=1, seconds=1.0)
    told = {**found["search"], "values": None, "winner": {**found["search"]["winner"], "values": None}}
    assert found["search"]["winner"]["again"] is not None
    assert set(keys(told)) | {"search", *found["scenarios"][-1]} <= explained_words()


def test_the_readme_explains_what_a_failure_adds(experiment: Experiment, found: dict[str, Any]) -> None:
    failed = [{"scenarios": [0], "ends": [0], "error": "it failed", "where": "1/1/0/0/0"}]
    tallies = [scenario.tally() for scenario in experiment.scenarios]
    told = summary(experiment, tallies, runner="local", workers=1, seconds=1.0, failed=failed)
    assert set(keys({"failed": told["failed"]})) <= explained_words()
    assert told.keys() - found.keys() == {"failed"}


def test_the_readme_explains_every_file_column_and_field(run: Run) -> None:
    explained = explained_words()
    named = {column for name in PARQUET for column in pq.read_schema(run.folder / name).names}
    columns = {in_general(column) for column in named}
    fields = set(keys(run.summary)) - {"count", "of", "fraction", "per_100"}
    assert {*columns, *fields, *run.manifest, *contents(run.folder)} <= explained
    for shape in ("`{count, of, fraction, ci95}`", "`{count, per_100, std_error, ci95}`"):
        assert shape in README.read_text(encoding="utf-8")


# Nothing is overwritten


def test_runs_that_begin_in_the_same_second_have_folders_of_their_own(tmp_path: Path, experiment: Experiment) -> None:
    folders: list[Path] = []

    def create() -> None:
        folders.extend(RunFolder.create(tmp_path, experiment).path for _ in range(10))

    threads = [threading.Thread(target=create) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(folders)) == 40 == len(list((tmp_path / "kept").iterdir()))


def test_a_name_that_is_taken_is_left_alone(
    tmp_path: Path, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["aaaaaa", "aaaaaa", "bbbbbb", *["cccccc"] * 9])

    class Noon:
        @staticmethod
        def now(zone: object) -> Any:
            from datetime import datetime

            return datetime(2026, 2, 12, 12, 0, 0)

    with monkeypatch.context() as patched:
        patched.setattr("razz_sim.store.writing.datetime", Noon)
        patched.setattr(
            "razz_sim.store.writing.secrets.token_hex", lambda size: next(drawn) if size == 3 else os.urandom(4).hex()
        )
        first = RunFolder.create(tmp_path, experiment)
        before = contents(first.path)
        second = RunFolder.create(tmp_path, experiment)
    assert (first.path.name, second.path.name) == ("20260212-120000-aaaaaa", "20260212-120000-bbbbbb")
    assert contents(first.path) == before


def test_discard_takes_back_only_what_create_made(tmp_path: Path, experiment: Experiment) -> None:
    empty, used = RunFolder.create(tmp_path, experiment), RunFolder.create(tmp_path, experiment)
    (used.path / "notes.txt").write_text("mine")
    empty.discard()
    used.discard()
    assert not empty.path.exists()
    assert (used.path / "notes.txt").read_text() == "mine"


def test_discard_takes_back_a_run_that_could_not_be_finished_but_never_a_finished_one(
    tmp_path: Path,
    experiment: Experiment,
    counted: list[Counted],
    tallies: list[Tally],
    found: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = played(tmp_path, experiment, counted)

    def full(path: Path, content: bytes) -> None:
        if path.name == SUMMARY:
            raise StoreError("full")
        write_aside(path, content)

    with monkeypatch.context() as patched:
        patched.setattr("razz_sim.store.folder.write_aside", full)
        with pytest.raises(StoreError, match="full"):
            folder.finish(found)
    assert set(contents(folder.path)) == {*PARQUET, JOURNAL, MANIFEST}
    folder.discard()
    assert not folder.path.exists()
    finished = played(tmp_path, experiment, counted)
    finished.finish(found)
    finished.discard()
    assert Run.load(finished.path).summary["digest"] == digest(tallies)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b"])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, experiment: Experiment, name: str) -> None:
    elsewhere = Experiment(name=name, seed=1, scenarios=experiment.scenarios)
    with pytest.raises(StoreError, match="cannot be the name of a folder"):
        RunFolder.create(tmp_path, elsewhere)


# Small parts


def test_the_commit_is_that_of_razz_sims_own_sources_only(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    assert git_state(package) is None, "no checkout"
    git("init")
    (tmp_path / "readme").write_text("")
    git("add", "readme")
    git("commit", "-m", "x")
    assert git_state(package) is None, "installed into somebody else's checkout"
    git("add", ".")
    git("commit", "-m", "y")
    state = git_state(package)
    assert state is not None
    assert re.fullmatch("[0-9a-f]{40}", state["commit"])
    assert state["changed"] is False
    (package / "__init__.py").write_text("changed = True")
    changed = git_state(package)
    assert changed is not None
    assert changed["changed"] is True


def test_json_refuses_what_json_has_not() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"x": float("nan")})


def test_json_of_a_command_line_that_is_no_unicode(tmp_path: Path, experiment: Experiment) -> None:
    folder = RunFolder.create(tmp_path, experiment, ["razz-sim", "run", os.fsdecode(b"\xff.yaml")])
    assert json.loads((folder.path / MANIFEST).read_bytes())["command"][2] == os.fsdecode(b"\xff.yaml")
