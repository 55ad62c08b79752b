"""The journal: every record proves itself; what does not is never counted, and never hides what does."""

from __future__ import annotations

import dataclasses
import errno
import os
import random
import tracemalloc
from bisect import bisect_right
from pathlib import Path

import numpy as np
import pytest
from counted_blocks import HEADER, asked, count, record_ends
from hypothesis import given, settings
from hypothesis import strategies as st

from razz_sim.experiment import Batch, Experiment, Spans, gaps
from razz_sim.store import StoreError, journal
from razz_sim.store.counting import Counting, ranges_text
from razz_sim.store.journal import MARK, Journal, Part, Sizes, joined, read_journal, write_journal

IDENTITY = "ab" * 32


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    return asked(40)


def part(experiment: Experiment, first: int, stop: int, scenario: int = 0) -> Part:
    counted = count(experiment, Batch(scenario, 0, first, stop, stop - first))
    return Part(scenario, first, stop, experiment.scenarios[scenario].bin_size, counted.totals)


@pytest.fixture
def parts(experiment: Experiment) -> list[Part]:
    return [part(experiment, block, block + 1) for block in range(5)]


@pytest.fixture
def path(tmp_path: Path, parts: list[Part]) -> Path:
    """A journal of five records."""
    write_journal(tmp_path / "journal.bin", IDENTITY, parts)
    return tmp_path / "journal.bin"


def firsts(path: Path, identity: str = IDENTITY) -> list[int]:
    return [one.first for one in read_journal(path, identity).records]


def same(one: Part, other: Part) -> bool:
    return (one.scenario, one.first, one.stop) == (
        other.scenario,
        other.first,
        other.stop,
    ) and not one.totals.differences(other.totals)


# Records


def test_what_is_appended_is_read_back(tmp_path: Path, parts: list[Part]) -> None:
    path = tmp_path / "journal.bin"
    write_journal(path, IDENTITY)
    writing = Journal(path, IDENTITY, HEADER)
    writing.append(parts[:2])
    writing.append([])
    writing.append(parts[2:])
    writing.sync()
    writing.close()
    reading = read_journal(path, IDENTITY)
    found = list(reading.parts())
    assert all(same(one, other) for one, other in zip(found, parts, strict=True))
    assert (reading.size, reading.torn_bytes, reading.damage) == (path.stat().st_size, 0, ())
    assert {one.dtype for one in found[0].totals.arrays} == {np.dtype(np.int64)}
    assert [one.microseconds > 0 for one in found] == [True, False, True, False, False]


def test_largest_and_smallest_integers_stay_what_they_are(tmp_path: Path, parts: list[Part]) -> None:
    table = parts[0].totals.table.copy()
    table[0, :2] = 2**63 - 1, -(2**63)
    totals = dataclasses.replace(parts[0].totals, table=table)
    write_journal(tmp_path / "j", IDENTITY, [Part(0, 0, 2**40, 2**30, totals)])
    (found,) = read_journal(tmp_path / "j", IDENTITY).parts()
    assert found.totals.table[0, :2].tolist() == [2**63 - 1, -(2**63)]
    assert found.stop == 2**40


def test_a_journal_of_another_experiment_proves_nothing(path: Path) -> None:
    reading = read_journal(path, "cd" * 32)
    assert (reading.records, reading.good_bytes) == ((), 0)


def test_a_record_of_another_experiment_behind_a_right_header_proves_nothing(path: Path, parts: list[Part]) -> None:
    other = path.with_name("other")
    write_journal(other, "cd" * 32, parts)
    path.write_bytes(path.read_bytes() + other.read_bytes()[HEADER:])
    assert firsts(path) == [0, 1, 2, 3, 4]


def test_a_missing_journal_holds_nothing_and_a_folder_is_a_sentence(tmp_path: Path) -> None:
    reading = read_journal(tmp_path / "none", IDENTITY)
    assert (reading.records, reading.size, reading.good_bytes) == ((), 0, 0)
    with pytest.raises(StoreError, match="cannot be read"):
        read_journal(tmp_path, IDENTITY)


def test_a_cut_at_every_byte_drops_the_records_it_hits_and_no_other(path: Path) -> None:
    content = path.read_bytes()
    ends = record_ends(content)
    for size in [*range(HEADER + 20), *range(ends[-2] - 200, len(content))]:
        path.write_bytes(content[:size])
        reading = read_journal(path, IDENTITY)
        whole = sum(end <= size for end in ends[1:])
        assert [one.first for one in reading.records] == list(range(whole))
        assert reading.damage == ()
        assert reading.good_bytes == (ends[whole] if size >= HEADER else 0)
        assert reading.torn_bytes == size - reading.good_bytes


def test_every_flipped_byte_costs_its_own_record_only(path: Path) -> None:
    content = path.read_bytes()
    ends = record_ends(content)
    for place in [*range(HEADER + 20), *range(HEADER + 20, len(content), 7)]:
        path.write_bytes(content[:place] + bytes([content[place] ^ 0x40]) + content[place + 1 :])
        reading = read_journal(path, IDENTITY)
        if place < HEADER:
            assert [one.first for one in reading.records] == [0, 1, 2, 3, 4]
            assert reading.damage == ((0, HEADER),)
            continue
        hit = bisect_right(ends, place) - 1
        assert [one.first for one in reading.records] == [block for block in range(5) if block != hit]
        assert reading.damage == (() if hit == 4 else ((ends[hit], ends[hit + 1]),))
        assert reading.torn_bytes == (ends[5] - ends[4] if hit == 4 else 0)


@settings(deadline=None)  # each example waits for the disk
@given(st.data())
def test_bytes_put_in_taken_out_or_changed_never_make_a_wrong_record(data: st.DataObject) -> None:
    experiment = asked(40)
    parts = [part(experiment, block, block + 1) for block in range(4)]
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"journal-{os.getpid()}.bin"
    try:
        write_journal(path, IDENTITY, parts)
        content = bytearray(path.read_bytes())
        for _ in range(data.draw(st.integers(1, 3))):
            first = data.draw(st.integers(0, len(content) - 1))
            stop = data.draw(st.integers(first, min(len(content), first + 900)))
            content[first:stop] = data.draw(st.binary(max_size=20) | st.just(MARK) | st.just(bytes(content[:700])))
        path.write_bytes(content)
        reading = read_journal(path, IDENTITY)
        assert all(any(same(found, true) for true in parts) for found in reading.parts())
        assert all(0 <= start < stop <= reading.good_bytes for start, stop in reading.damage)
    finally:
        path.unlink(missing_ok=True)


def test_noise_is_no_journal(tmp_path: Path) -> None:
    path = tmp_path / "noise"
    noise = random.Random(3).randbytes(20_000)
    path.write_bytes(noise + MARK * 100 + noise)
    assert read_journal(path, IDENTITY).records == ()


def test_a_journal_larger_than_memory_is_read_joined_and_rewritten_a_record_at_a_time(
    path: Path, parts: list[Part]
) -> None:
    one = parts[0]
    of_each = sum(totals.nbytes for totals in one.totals.arrays)
    write_journal(path, IDENTITY, (dataclasses.replace(one, first=2 * n, stop=2 * n + 1) for n in range(400)))
    tracemalloc.start()
    try:
        reading = read_journal(path, IDENTITY)
        write_journal(path, IDENTITY, reading.joined([Sizes(1, (1000,))]))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert firsts(path) == list(range(0, 800, 2))
    assert most < 20 * of_each, "400 parts went by"


def test_a_mark_is_found_wherever_the_pieces_that_are_searched_end(
    path: Path, parts: list[Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = path.read_bytes()
    for piece in (1, 2, 3, 4, 5, 7, 64):
        monkeypatch.setattr(journal, "_PIECE", piece)
        path.write_bytes(content[: HEADER + 30] + b"x" + content[HEADER + 30 :])
        assert firsts(path) == [1, 2, 3, 4]


def test_a_journal_that_is_replaced_while_it_is_read_is_a_sentence(path: Path, parts: list[Part]) -> None:
    reading = read_journal(path, IDENTITY)
    write_journal(path, IDENTITY, parts[3:])
    with pytest.raises(StoreError, match="was changed while it was read: try again"):
        list(reading.parts())
    path.unlink()
    with pytest.raises(StoreError, match="was changed while it was read: try again"):
        list(reading.parts())


# Writing


def test_a_failed_append_leaves_what_was_there(path: Path, parts: list[Part], monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()
    writing = Journal(path, IDENTITY, len(before))
    real, calls = os.pwrite, 0

    def half(handle: int, content: bytes, place: int) -> int:
        nonlocal calls
        calls += 1
        if calls > 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(handle, content[: len(content) // 2], place)

    with monkeypatch.context() as patched:
        patched.setattr(journal.os, "pwrite", half)
        with pytest.raises(StoreError, match="the disk is full; what was in it before stays good"):
            writing.append(parts[:2])
    assert path.read_bytes() == before
    writing.append(parts[:2])
    assert firsts(path) == [0, 1, 2, 3, 4, 0, 1]
    writing.close()
    writing.close()


def test_the_disk_is_asked_about_once_a_second_not_with_each_record(
    path: Path, parts: list[Part], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, synced = [100.0], 0

    def fsync(handle: int) -> None:
        nonlocal synced
        synced += 1

    monkeypatch.setattr(journal.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(journal.os, "fsync", fsync)
    writing = Journal(path, IDENTITY, path.stat().st_size)
    for _ in range(100):
        clock[0] += 0.05
        writing.append(parts[:1])
    assert synced in (4, 5)
    writing.sync()
    writing.sync()
    assert synced in (5, 6)
    writing.close()


def test_an_append_cuts_off_a_torn_tail(path: Path, parts: list[Part]) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-7])
    reading = read_journal(path, IDENTITY)
    writing = Journal(path, IDENTITY, reading.good_bytes)
    writing.append(parts[4:])
    writing.close()
    assert firsts(path) == [0, 1, 2, 3, 4]
    assert record_ends(path.read_bytes())[-1] == path.stat().st_size


# Counting


def test_parts_that_touch_within_a_shard_become_one() -> None:
    experiment = asked(4096)  # bins of 4 blocks
    cut = [part(experiment, *span) for span in [(9, 16), (0, 2), (2, 6), (8, 9), (16, 17)]]
    found = joined(cut, [Sizes(4, (16, 32))])
    assert [(one.first, one.stop) for one in found] == [(0, 6), (8, 16), (16, 17)]
    assert same(found[0], part(experiment, 0, 6))
    assert same(found[1], part(experiment, 8, 16))


@pytest.mark.parametrize("span", [(0, 24), (3, 21), (5, 6), (16, 40)])
def test_a_part_of_a_shorter_run_fits_the_bins_of_a_longer_one(span: tuple[int, int]) -> None:
    short, long = asked(2048), asked(8192)  # bins of 2 and of 8 blocks
    assert same(part(short, *span).in_bins_of(8), part(long, *span))
    (found,) = joined([part(short, *span)], [Sizes(8, (64,))])
    assert same(found, part(long, *span))


@given(st.permutations(range(12)))
def test_spans_are_the_set_of_their_blocks(order: list[int]) -> None:
    spans, blocks = Spans(), set[int]()
    for block in order[:8]:
        assert not spans.meets(block, block + 1)
        spans.add(block, block + 1)
        blocks.add(block)
        assert {one for first, stop in spans.ranges for one in range(first, stop)} == blocks
        assert all(one[1] < other[0] for one, other in zip(spans.ranges, spans.ranges[1:], strict=False))
        for first in range(12):
            for stop in range(first + 1, 13):
                assert spans.meets(first, stop) == bool(blocks & set(range(first, stop)))


def test_a_shard_is_given_out_once_it_is_complete_as_few_parts_as_can_be() -> None:
    experiment = asked(8192)  # bins of 8 blocks, shards of 512
    counting = Counting(experiment)
    assert counting.take(part(experiment, 260, 512)) == []
    assert counting.take(part(experiment, 1024, 1030)) == []
    (found,) = counting.take(part(experiment, 0, 260))
    assert same(found, part(experiment, 0, 512))
    (rest,) = counting.take_waiting()
    assert same(rest, part(experiment, 1024, 1030))
    (last,) = counting.take(part(experiment, 1030, 1536))
    assert same(last, part(experiment, 1030, 1536)), "only what was not given out before"
    assert counting.take_waiting() == []


def test_missing_and_done_are_each_others_gaps() -> None:
    experiment = asked(100)
    counting = Counting(experiment, blocks=(20, 60))
    counting.take(part(experiment, 30, 31))
    assert counting.missing()[0] == [(20, 30), (31, 60)]
    assert counting.done()[0] == [(0, 20), (30, 31), (60, 100)]
    assert list(gaps(counting.done()[0], 100)) == counting.missing()[0]


@pytest.mark.parametrize(
    ("first", "stop", "scenario", "words"),
    [
        (0, 1, 0, "are counted already"),
        (511, 513, 0, "straddles block 512, where another piece begins"),
        (8190, 8193, 0, "not among 0 to 8191"),
        (4, 4, 0, "not among"),
        (0, 1, 2, "there is no scenario 2"),
    ],
)
def test_what_cannot_be_counted_is_refused_and_changes_nothing(
    first: int, stop: int, scenario: int, words: str
) -> None:
    experiment = asked(8192)
    counting = Counting(experiment)
    counting.take(part(experiment, 0, 2))
    before = counting.tallies[0].table.copy()
    wrong = part(experiment, 0, max(1, stop - first))
    with pytest.raises(ValueError, match=words):
        counting.take(Part(scenario, first, stop, 8, wrong.totals))
    assert np.array_equal(counting.tallies[0].table, before)


def test_a_part_that_counts_other_blocks_than_its_own_is_refused() -> None:
    experiment = asked(8192)
    wrong = part(experiment, 0, 3)
    with pytest.raises(ValueError, match="counts 3 blocks where 4 are in its range"):
        Counting(experiment).take(Part(0, 0, 4, 8, wrong.totals))
    fewer = dataclasses.replace(wrong.totals, entrants=wrong.totals.entrants[:, :1])
    with pytest.raises(ValueError, match="another number of bins, entrants"):
        Counting(experiment).take(Part(0, 0, 3, 8, fewer))
    with pytest.raises(ValueError, match="its bins are of 4 blocks, not of 8"):
        Counting(experiment).take(part(asked(4096), 0, 3))


def test_ranges_in_words() -> None:
    experiment = asked(100)
    assert ranges_text(experiment, [[(0, 1), (3, 9)], []]) == "blocks scenario '2/4': 0, 3 to 8"
    many = ranges_text(experiment, [[(2 * n, 2 * n + 1) for n in range(30)], [(0, 100)]])
    assert many.endswith("38, and 11 more ranges with 110 blocks")
    one = asked(100, stakes={"ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8})
    assert ranges_text(one, [[(0, 100)]]) == "blocks 0 to 99"
