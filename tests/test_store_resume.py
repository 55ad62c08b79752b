"""Stopped, killed, cut, extended: the run that goes on ends as one that was never disturbed, or says what it lost."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from counted_blocks import ASKED, STAKES, asked, blocks_of, contents, count, finish, record, record_ends, straight
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from razz_sim.batch import play_batch
from razz_sim.experiment import Experiment
from razz_sim.store import (
    JOURNAL,
    MANIFEST,
    PARQUET,
    SUMMARY,
    Run,
    RunFolder,
    StoreError,
    find_resumable,
    folder,
    identity,
    why_none,
)
from razz_sim.store.journal import read_journal
from razz_sim.strategy.source import read_strategy

RESULTS = (*PARQUET, SUMMARY)
TESTS = Path(__file__).parent


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return asked()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, experiment: Experiment) -> Run:
    return straight(tmp_path_factory.mktemp("straight"), experiment)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory, experiment: Experiment) -> Path:
    """A run of which half was played, in no order, with parts of bins in its journal."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(folder, "PART_SECONDS", 0.0)
        with RunFolder.create(tmp_path_factory.mktemp("begun"), experiment, ["razz-sim", "run", "kept.yaml"]) as made:
            batches = list(experiment.batches(3))
            random.Random(5).shuffle(batches)
            record(made, batches=batches[: len(batches) // 2])
            return made.path


@pytest.fixture
def half(tmp_path: Path, begun: Path) -> Path:
    return shutil.copytree(begun, tmp_path / "kept" / begun.name)


@pytest.fixture
def whole(tmp_path: Path, undisturbed: Run) -> Path:
    return shutil.copytree(undisturbed.folder, tmp_path / "kept" / undisturbed.folder.name)


def same_results(run: Run, other: Run) -> bool:
    """Digest, summary and Parquet, byte for byte."""
    return all((run.folder / name).read_bytes() == (other.folder / name).read_bytes() for name in RESULTS)


# Going on


def test_an_interrupted_run_ends_as_one_that_was_not(half: Path, experiment: Experiment, undisturbed: Run) -> None:
    with RunFolder.resume(half, experiment) as resumed:
        assert resumed.notices == ()
        assert 0 < resumed.hands < experiment.hands
        assert sum(blocks_of(resumed.missing)) == experiment.hands - resumed.hands
        record(resumed, size=700, shuffle=1)
        assert same_results(finish(resumed), undisturbed)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32), st.lists(st.tuples(st.integers(1, 900), st.floats(0, 1)), min_size=1, max_size=4))
def test_kills_and_resumes_in_any_order_change_nothing(
    tmp_path_factory: pytest.TempPathFactory, seed: int, lives: list[tuple[int, float]]
) -> None:
    """A kill is what the disk holds at some moment: the folder is copied then, and the copy is resumed."""
    draw = random.Random(seed)
    experiment = asked(draw.choice([3, 40, 1024, 1500]), stakes=STAKES)
    out = tmp_path_factory.mktemp("lives")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(folder, "PART_SECONDS", draw.choice([0.0, 0.001, 2.0]))
        writing = RunFolder.create(out, experiment)
        for number, (size, lived) in enumerate(lives):
            batches = list(experiment.batches(size, writing.done))
            draw.shuffle(batches)
            record(writing, batches=batches[: round(lived * len(batches))])
            killed = shutil.copytree(writing.path, out / f"killed-{number}" / "kept" / writing.path.name)
            writing.close()
            if draw.random() < 0.5:  # the last write reached the disk in part
                journal = killed / JOURNAL
                os.truncate(journal, max(0, journal.stat().st_size - draw.randrange(600)))
            writing = RunFolder.resume(killed, experiment)
        record(writing, size=draw.randint(1, 2000), shuffle=seed)
        run = finish(writing)
    assert same_results(run, straight(out / "straight", experiment))


def test_the_journal_gets_what_waits_longer_than_two_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = asked(10**9, stakes=STAKES)  # bins of 2**20 hands
    clock = [0.0]
    monkeypatch.setattr(folder.time, "monotonic", lambda: clock[0])
    with RunFolder.create(tmp_path, experiment) as writing:
        sizes = []
        for batch in itertools.islice(experiment.batches(1000), 8):
            clock[0] += 0.7
            writing.record(count(experiment, batch))
            sizes.append((writing.path / JOURNAL).stat().st_size)
    grown = [after > before for before, after in itertools.pairwise(sizes)]
    assert grown == [False, True, False, False, True, False, False]
    assert (writing.path / JOURNAL).stat().st_size > sizes[-1], "and what is left when it is closed"
    with RunFolder.resume(writing.path, experiment) as resumed:
        assert resumed.hands == 8000


def test_time_played_before_is_known(half: Path, experiment: Experiment) -> None:
    with RunFolder.resume(half, experiment) as resumed:
        before = resumed.seconds
        assert before > 0
        record(resumed)
        finish(resumed)
    with RunFolder.resume(half, asked(3000)) as extended:
        assert extended.seconds > before


def test_a_block_is_counted_once(half: Path, experiment: Experiment) -> None:
    with RunFolder.resume(half, experiment) as resumed:
        batch = next(experiment.batches(1, resumed.done))
        resumed.record(count(experiment, batch))
        with pytest.raises(ValueError, match="counted already"):
            resumed.record(count(experiment, batch))


def test_what_a_killed_writer_left_lying_about_is_swept_up(half: Path, experiment: Experiment) -> None:
    (half / f".{MANIFEST}.0123abcd").write_text("half a mani")
    (half / ".notes").write_text("mine")
    with RunFolder.resume(half, experiment):
        assert (half / ".notes").exists()
        assert not (half / f".{MANIFEST}.0123abcd").exists()


def test_real_hands_killed_and_resumed(tmp_path: Path) -> None:
    experiment = asked(6000, stakes=STAKES, session={"hands": 3, "stacks": "carry"}, stack=5)
    (scenario,) = experiment.scenarios
    with RunFolder.create(tmp_path, experiment) as first:
        for batch in itertools.islice(experiment.batches(1000), 300):
            first.record(play_batch(scenario, experiment.seed, batch))
    with RunFolder.resume(first.path, experiment) as resumed:
        for batch in experiment.batches(77, resumed.done):
            resumed.record(play_batch(scenario, experiment.seed, batch))
        run = finish(resumed)
    with RunFolder.create(tmp_path, experiment) as other:
        for batch in experiment.batches(10**6):
            other.record(play_batch(scenario, experiment.seed, batch))
        assert same_results(run, finish(other))


# Files cut short or changed


def test_a_journal_cut_at_every_byte_of_its_last_200(half: Path, experiment: Experiment, undisturbed: Run) -> None:
    content, manifest = (half / JOURNAL).read_bytes(), json.loads((half / MANIFEST).read_text())
    *others, last = read_journal(half / JOURNAL, manifest["identity"]).records
    ends = record_ends(content)
    length = ends[-1] - ends[-2]
    short = content[: ends[1]] + content[-length:]
    for cut in range(1, 201):
        (half / JOURNAL).write_bytes(short[:-cut])
        reading = read_journal(half / JOURNAL, manifest["identity"])
        assert [part.first for part in reading.records] == [others[0].first]
        assert reading.torn_bytes == length - cut
    for cut in range(20, 201, 20):
        (half / JOURNAL).write_bytes(content[:-cut])
        with RunFolder.resume(half, experiment) as resumed:
            (notice,) = resumed.notices
            assert "its last record was cut short" in notice
            assert resumed.hands == sum(part.stop - part.first for part in others)
            assert any(first <= last.first < stop for first, stop in resumed.missing[last.scenario])
            assert "more ranges with" in notice
    with RunFolder.resume(half, experiment) as resumed:
        record(resumed)
        assert same_results(finish(resumed), undisturbed)


def test_damage_in_the_middle_says_what_will_be_played_again(
    tmp_path: Path, experiment: Experiment, undisturbed: Run
) -> None:
    with RunFolder.create(tmp_path, experiment) as writing:
        record(writing)
    content = bytearray((writing.path / JOURNAL).read_bytes())
    start, end = record_ends(bytes(content))[10:12]  # records of ten shards for the first scenario, then the other's
    content[start + 100] ^= 1
    (writing.path / JOURNAL).write_bytes(content)
    with RunFolder.resume(writing.path, experiment) as resumed:
        (notice,) = resumed.notices
        assert resumed.missing == [[], [(0, 256)]]
        assert f"it is damaged: bytes {start} to {end - 1} prove nothing" in notice
        assert notice.endswith("blocks scenario 'free': 0 to 255 will be played")
        record(resumed)
        assert same_results(finish(resumed), undisturbed)


def test_a_lost_journal_is_played_again_from_the_start(half: Path, experiment: Experiment, undisturbed: Run) -> None:
    harms = {
        "is missing or empty": (half / JOURNAL).unlink,
        "nothing in it": lambda: (half / JOURNAL).write_bytes(b"x"),
    }
    for words, harm in harms.items():
        harm()
        with RunFolder.resume(half, experiment) as resumed:
            assert resumed.hands == 0
            assert words in resumed.notices[0]
            assert "blocks scenario '2/4': 0 to 2499, scenario 'free': 0 to 2499 will be played" in resumed.notices[0]
            assert sum(blocks_of(resumed.missing)) == experiment.hands
    with RunFolder.resume(half, experiment) as resumed:
        record(resumed)
        assert same_results(finish(resumed), undisturbed)


def test_records_that_repeat_blocks_are_counted_once(half: Path, experiment: Experiment, undisturbed: Run) -> None:
    content = (half / JOURNAL).read_bytes()
    with RunFolder.resume(half, experiment) as resumed:
        kept = resumed.hands
    (half / JOURNAL).write_bytes(content + content[56:])
    with RunFolder.resume(half, experiment) as resumed:
        assert resumed.hands == kept
        assert "of its records are for blocks that others in it are for already" in resumed.notices[0]
        record(resumed)
        assert same_results(finish(resumed), undisturbed)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_cut_at_every_byte_of_its_last_200_is_rebuilt_from_the_journal(
    whole: Path, experiment: Experiment, undisturbed: Run, name: str
) -> None:
    content = (whole / name).read_bytes()
    for cut in range(1, 201):
        (whole / name).write_bytes(content[:-cut])
        with pytest.raises(StoreError, match=rf"is damaged: {name}: .* cannot be trusted: resume the run"):
            Run.load(whole)
    assert find_resumable(whole.parent.parent, experiment) == whole
    with RunFolder.resume(whole, experiment) as resumed:
        assert not any(resumed.missing)
        assert same_results(finish(resumed), undisturbed)


def test_a_manifest_cut_at_every_byte_of_its_last_200_is_refused(whole: Path, experiment: Experiment) -> None:
    content = (whole / MANIFEST).read_bytes()
    for cut in range(2, 201):  # the last byte is the end of the line
        (whole / MANIFEST).write_bytes(content[:-cut])
        for attempt in (lambda: Run.load(whole), lambda: RunFolder.resume(whole, experiment)):
            with pytest.raises(StoreError, match=r"is damaged: manifest.json: .* cannot be trusted: play it again"):
                attempt()


def test_the_journal_of_a_finished_run_may_be_cut_and_its_results_stay(whole: Path, undisturbed: Run) -> None:
    content = (whole / JOURNAL).read_bytes()
    for cut in (1, 100, 200):
        (whole / JOURNAL).write_bytes(content[:-cut])
        assert Run.load(whole).summary == undisturbed.summary
    longer = asked(9000)
    with RunFolder.resume(whole, longer) as extended:
        assert blocks_of(extended.missing) == [6500, 6696]
        record(extended)
        assert same_results(finish(extended), straight(whole.parent / "other", longer))


# More hands


def test_an_extended_run_is_the_longer_run(tmp_path: Path) -> None:
    path: Path | None = None
    for hands in (1, 1000, 5000, 5000, 300_000, 300_001):
        experiment = asked(hands)
        writing = RunFolder.create(tmp_path, experiment) if path is None else RunFolder.resume(path, experiment)
        path = writing.path
        record(writing, size=10_000, shuffle=hands)
        run = finish(writing)
        longer = straight(tmp_path / "straight", experiment)
        assert same_results(run, longer)
        assert {key: run.manifest[key] for key in ("experiment", "extending_to", "identity")} == {
            key: longer.manifest[key] for key in ("experiment", "extending_to", "identity")
        }


def test_real_hands_extended(tmp_path: Path) -> None:
    path: Path | None = None
    for hands in (1000, 5000, 60_000):
        experiment = asked(hands, stakes=STAKES)
        writing = RunFolder.create(tmp_path, experiment) if path is None else RunFolder.resume(path, experiment)
        path = writing.path
        for batch in experiment.batches(4000, writing.done):
            writing.record(play_batch(experiment.scenarios[0], experiment.seed, batch))
        run = finish(writing)
    with RunFolder.create(tmp_path, experiment) as other:
        for batch in experiment.batches(10**6):
            other.record(play_batch(experiment.scenarios[0], experiment.seed, batch))
        assert same_results(run, finish(other))


def test_only_what_was_added_is_played(whole: Path) -> None:
    with RunFolder.resume(whole, asked(300_000)) as extended:
        assert extended.missing == [[(2500, 300_000)]] * 2


def test_an_interrupted_extension_leaves_the_old_results_and_goes_on(whole: Path, undisturbed: Run) -> None:
    longer = asked(9000)
    with RunFolder.resume(whole, longer, ["razz-sim", "run", "--hands", "9000"]) as extended:
        record(extended, batches=list(longer.batches(100, extended.done))[:70])
    assert Run.load(whole).summary == undisturbed.summary
    with pytest.raises(StoreError, match=r"was begun for 9,000 hands of scenario '2/4' and cannot be cut to 5,000"):
        RunFolder.resume(whole, asked(5000))
    assert find_resumable(whole.parent.parent, longer) == whole
    with RunFolder.resume(whole, longer) as extended:
        assert extended.hands > 5000
        record(extended)
        assert same_results(finish(extended), straight(whole.parent / "other", longer))


@pytest.mark.parametrize("fails", range(1, 6))
def test_an_extension_that_cannot_write_its_results_is_unfinished_at_worst(
    whole: Path, undisturbed: Run, monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    longer = asked(3000)
    extended = RunFolder.resume(whole, longer)
    record(extended)
    calls, real = 0, folder.write_aside

    def failing(path: Path, content: bytes) -> None:
        nonlocal calls
        calls += 1
        if calls == fails:
            raise StoreError("full")
        real(path, content)

    with monkeypatch.context() as patched:
        patched.setattr(folder, "write_aside", failing)
        with pytest.raises(StoreError, match="full"):
            finish(extended)
    extended.close()
    if fails == 1:
        assert Run.load(whole).summary == undisturbed.summary
    else:
        with pytest.raises(StoreError, match=r"is unfinished: .* 6,000 of 6,000 hands are kept"):
            Run.load(whole)
    assert find_resumable(whole.parent.parent, longer) == whole
    with RunFolder.resume(whole, longer) as again:
        assert not any(again.missing)
        assert same_results(finish(again), straight(whole.parent / "other", longer))


def test_fewer_hands_are_refused(half: Path, whole: Path) -> None:
    for path in (half, whole):
        with pytest.raises(StoreError, match=r"was begun for 2,500 hands .* cannot be cut to 2,499: ask for 2,500 or"):
            RunFolder.resume(path, asked(2499))


# The same experiment


LINEUP = ASKED["lineup"]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"seed": 8}, "seed: 7 in the run, 8 now"),
        (
            {"stakes": [{**STAKES, "ante": "0.40"}, ASKED["stakes"][1]]},
            "scenarios[0].stakes.ante: 0.20 in the run, 0.40",
        ),
        ({"stack": 60}, "stack: 100 in the run, 60 now"),
        ({"stakes": STAKES}, "scenarios: 2 in the run, 1 now"),
        ({"rules": {"preset": "pokerstars", "bets_per_round": 5}}, "rules.bets_per_round: 4 in the run, 5 now"),
        ({"session": {"hands": 5, "stacks": "carry"}}, "session.hands: 1 in the run, 5 now; session.stacks: reset in"),
        ({"lineup": [LINEUP[0], {**LINEUP[1], "seats": 4}]}, "lineup[1].seats: 3 in the run, 4 now"),
        (
            {"lineup": [{**LINEUP[0], "params": {"limit": 7}}, LINEUP[1]]},
            "lineup[0].params.limit: 8 in the run, 7 now",
        ),
        (
            {"lineup": [LINEUP[0], {"name": "x", "strategy": "folder"}, LINEUP[1]]},
            "lineup: 2 in the run, 3 now",
        ),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_another_experiment_is_refused_by_what_differs(half: Path, keys: dict[str, Any], words: str) -> None:
    before = contents(half)
    with pytest.raises(StoreError) as refused:
        RunFolder.resume(half, asked(**keys))
    assert f"it is another experiment: {words}" in str(refused.value)
    assert contents(half) == before
    with pytest.raises(StoreError) as refused:
        find_resumable(half.parent.parent, asked(**keys))
    assert words in str(refused.value)


def test_a_changed_strategy_and_engine_are_named(half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    experiment = asked()
    tight = experiment.scenarios[0].lineup[0].strategy
    text = tight.text + "\n# another opinion\n"
    other = read_strategy("tight", "tight", text, "tight.py")
    scenarios = tuple(
        replace(scenario, lineup=(replace(scenario.lineup[0], strategy=other), *scenario.lineup[1:]))
        for scenario in experiment.scenarios
    )
    with pytest.raises(StoreError, match=r"another experiment: strategy tight: its source changed$"):
        RunFolder.resume(half, replace(experiment, scenarios=scenarios))
    monkeypatch.setattr(identity, "source_stamp", lambda: "0" * 64)
    with pytest.raises(StoreError, match=r"another experiment: the engine: its source changed$"):
        RunFolder.resume(half, experiment)


def test_where_a_run_is_played_is_no_part_of_it(half: Path) -> None:
    with RunFolder.resume(half, asked(runner={"kind": "ray", "workers": 3})) as resumed:
        assert resumed.notices == ()


def test_many_differences_are_counted(half: Path) -> None:
    stakes = [{**STAKES, "name": str(n), "ante": n, "bring_in": 2 * n, "small_bet": 4 * n} for n in (1, 2)]
    stakes = [{**one, "big_bet": 8 * one["ante"]} for one in stakes]
    with pytest.raises(StoreError, match=r"and [0-9]+ more"):
        RunFolder.resume(half, asked(seed=3, stakes=stakes, stack=50, rules={"preset": "wsop_live"}))


# Which run


def test_the_newest_unfinished_run_is_found(tmp_path: Path, half: Path, experiment: Experiment) -> None:
    newer = half.with_name("29990101-000000-aaaaaa")
    shutil.copytree(half, newer)
    assert find_resumable(tmp_path, experiment) == newer
    (newer / MANIFEST).write_text("{")
    assert find_resumable(tmp_path, experiment) == half
    assert find_resumable(tmp_path / "nowhere", experiment) is None
    assert find_resumable(tmp_path, experiment, blocks=(0, 10)) is None


def test_a_finished_run_is_resumed_only_for_more_hands(tmp_path: Path, whole: Path, experiment: Experiment) -> None:
    assert find_resumable(tmp_path, experiment) is None
    assert find_resumable(tmp_path, asked(2499)) is None
    assert find_resumable(tmp_path, asked(2501)) == whole


def test_a_finished_run_is_not_discarded_by_one_who_resumed_it(whole: Path, half: Path, undisturbed: Run) -> None:
    RunFolder.resume(whole, asked(9000)).discard()
    assert Run.load(whole).summary == undisturbed.summary
    RunFolder.resume(half, asked()).discard()
    assert (half / JOURNAL).exists()


def test_the_manifest_tells_of_every_resume(half: Path, experiment: Experiment) -> None:
    RunFolder.resume(half, experiment, ["razz-sim", "again"]).close()
    resumed = json.loads((half / MANIFEST).read_text())["resumed"]
    assert [entry["command"] for entry in resumed] == [["razz-sim", "again"]]
    assert resumed[0]["versions"]["numpy"]


def test_an_extension_that_is_stopped_is_gone_on_with_by_its_own_command(whole: Path) -> None:
    longer = ["/usr/bin/razz-sim", "run", "kept.yaml", "--hands", "9000"]
    with RunFolder.resume(whole, asked(9000), [*longer, "--resume"]) as folder:
        assert folder.resume_command == "razz-sim run kept.yaml --hands 9000 --resume"
    with RunFolder.resume(whole, asked(9000), ["/lib/razz_sim/__main__.py", *longer[1:], "--resume"]) as folder:
        assert folder.resume_command == "razz-sim run kept.yaml --hands 9000 --resume"


# One process at a time

WRITER = """
    import sys, time
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    from counted_blocks import asked, count, record
    from razz_sim.store import RunFolder
    experiment = asked()
    folder = RunFolder.create(Path(sys.argv[1]), experiment)
    batches = list(experiment.batches(3))
    record(folder, batches=batches[: len(batches) // 2])
    print(folder.path, flush=True)
    for batch in batches[len(batches) // 2 :]:
        folder.record(count(experiment, batch))
        time.sleep(0.001)
    time.sleep(60)
"""


def test_a_folder_belongs_to_one_process_until_that_is_killed(
    tmp_path: Path, experiment: Experiment, undisturbed: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = textwrap.dedent(WRITER).format(tests=str(TESTS))
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True, env={**os.environ}
    ) as writer:
        assert writer.stdout is not None
        path = Path(writer.stdout.readline().strip())
        monkeypatch.setattr("razz_sim.store.writing.LOCK_PATIENCE", 0.05)
        with pytest.raises(StoreError, match=rf"is in use: process {writer.pid} is playing it; wait for it"):
            RunFolder.resume(path, experiment)
        with pytest.raises(StoreError, match=rf"is unfinished: .* and process {writer.pid} is playing it now"):
            Run.load(path)
        time.sleep(random.random() * 0.3)
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    with RunFolder.resume(path, experiment) as resumed:
        assert resumed.hands >= experiment.hands // 2
        record(resumed)
        assert same_results(finish(resumed), undisturbed)


def test_two_folders_of_one_process_exclude_each_other(
    half: Path, experiment: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("razz_sim.store.writing.LOCK_PATIENCE", 0.05)
    first = RunFolder.resume(half, experiment)
    with pytest.raises(StoreError, match=rf"is in use: process {os.getpid()} is playing it"):
        RunFolder.resume(half, experiment)
    first.close()
    first.close()
    RunFolder.resume(half, experiment).close()


def test_a_child_does_not_hold_the_lock_on(half: Path, experiment: Experiment) -> None:
    first = RunFolder.resume(half, experiment)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.read(reading, 1)
        os._exit(0)
    try:
        first.close()
        RunFolder.resume(half, experiment).close()
    finally:
        os.write(writing, b"x")
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)


def test_why_there_is_no_run_to_go_on_with_is_said(tmp_path: Path) -> None:
    two = asked(400, stakes=STAKES, sweep={"stakes.ante": [1, 2]})
    assert why_none(tmp_path, two) == "none is of this experiment, or of these blocks"
    with RunFolder.create(tmp_path, two) as writing:
        record(writing, size=50)
        whole = finish(writing).folder
    hands = sum(scenario.hands for scenario in two.scenarios)
    assert why_none(tmp_path, two) == f"{whole} has {hands:,} hands already: ask for more"
    with RunFolder.create(tmp_path / "failed", two) as writing:
        writing.fail([1], [0], "it failed", None)
        writing.cut([400, 0])
        record(writing, size=50)
        found = finish(writing).folder
    told = f"{found} is finished but for 1 that failed: mend the strategy and run it anew, without --resume"
    assert why_none(tmp_path / "failed", two) == told
