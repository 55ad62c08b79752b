"""A run folder being written: made or resumed, told what was counted, finished."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from itertools import chain, repeat
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import razz_sim
from razz_sim.batch import Counted, Verdict
from razz_sim.compiling import source_stamp
from razz_sim.config import for_manifest
from razz_sim.experiment import BlockRange, Experiment, Ranges
from razz_sim.store.counting import Counting, ranges_text
from razz_sim.store.identity import identity_hash, identity_of
from razz_sim.store.journal import Journal, Part, Reading, read_journal, write_journal
from razz_sim.store.machine import git_state, machine, versions
from razz_sim.store.manifest import (
    JOURNAL,
    MANIFEST,
    PARQUET,
    SUMMARY,
    TOURNAMENTS,
    json_text,
    now,
    read_manifest,
    resume_command,
    sealed,
    verdicts_in,
)
from razz_sim.store.resuming import refuse_fewer, refuse_others, resumed_manifest
from razz_sim.store.run import Run
from razz_sim.store.writing import LOCK, Lock, StoreError, as_store_error, exclusive_folder, sweep, write_aside
from razz_sim.tally import RESULTS_VERSION, Tally, digest

PART_SECONDS = 2.0
"""How long what was counted may wait in memory for its shard to be complete; then it is written as far as it is."""


class RunFolder:
    """A run folder being written by this process, which holds its lock until `finish`, `close` or `discard`.

    `record` is given what was counted, in any order, each block once; `done` says what needs no playing, `tallies` are
    the totals of everything that was recorded now or before, also of what the journal has yet to get. `seconds` is the
    time of play in earlier processes; `notices` are sentences for the user on what a resumed journal had lost.
    """

    def __init__(
        self, path: Path, experiment: Experiment, manifest: dict[str, Any], lock: Lock, *, created: bool = False
    ) -> None:
        self.path, self.experiment, self.manifest = path, experiment, manifest
        self.notices: tuple[str, ...] = ()
        self.seconds = 0.0
        self._lock, self._created = lock, created
        self._counting = Counting(experiment, _blocks(manifest))
        self._journal = self._open_journal()
        self._swept = time.monotonic()

    @classmethod
    def create(
        cls,
        out: Path,
        experiment: Experiment,
        command: Sequence[str] = (),
        *,
        blocks: BlockRange | None = None,
        merged: Sequence[str] = (),
        verdicts: Sequence[Verdict] = (),
    ) -> RunFolder:
        """A new folder `out/<name>/<run id>` with its manifest; never one that is there already.

        `command` is the command line to record. With `blocks` (first, stop) only these blocks of each scenario belong
        to the run, for `merge` to join with others; `merged` names the runs that it joins, `verdicts` are theirs.
        Raises StoreError.
        """
        if blocks is not None:
            _check_range(experiment, blocks)
            if experiment.stop or experiment.search:
                key = "stop" if experiment.stop else "search"
                raise StoreError(f"--blocks cannot be with {key}: some blocks alone do not tell when to stop; play all")
        identity = identity_of(experiment)
        path = exclusive_folder(out, experiment.name)
        manifest = {
            "run": path.name,
            "name": experiment.name,
            "seed": experiment.seed,
            "results_version": RESULTS_VERSION,
            "engine": source_stamp(),
            "identity": identity_hash(identity),
            "command": list(command),
            "blocks": None if blocks is None else list(blocks),
            "merged": list(merged),
            "verdicts": [asdict(verdict) for verdict in verdicts],
            "failed": [],
            "ends": None,
            "started": now(),
            "resumed": [],
            "extending_to": None,
            "finished": None,
            "played": None,
            "versions": versions(),
            "git": git_state(Path(razz_sim.__file__).parent),
            "machine": machine(),
            "files": None,
            **for_manifest(experiment),
        }
        lock = None
        try:
            lock = Lock(path)
            write_aside(path / MANIFEST, sealed(manifest))
            write_journal(path / JOURNAL, manifest["identity"])
            return cls(path, experiment, manifest, lock, created=True)
        except BaseException:
            remove_run(path)
            if lock is not None:
                lock.release()
            raise

    @classmethod
    def resume(cls, path: Path | str, experiment: Experiment, command: Sequence[str] = ()) -> RunFolder:
        """Go on with a run, or extend a finished one to the more hands that `experiment` asks for.

        Raises StoreError with a sentence when it is another experiment, has more hands, or is being played.
        """
        path = Path(path)
        refuse_others(path, read_manifest(path), experiment)
        lock = Lock(path)
        try:
            manifest = read_manifest(path)
            refuse_others(path, manifest, experiment)
            refuse_fewer(path, manifest, experiment)
            sweep(path)
            changed = resumed_manifest(path, manifest, experiment, command)
            if changed != manifest:
                write_aside(path / MANIFEST, sealed(changed))
            folder = cls(path, experiment, changed, lock)
        except BaseException:
            lock.release()
            raise
        if changed["extending_to"] and experiment.stop is not None and manifest.get("ends"):
            fewer = f"{path} was decided with fewer hands"
            folder.notices += (f"{fewer}: with more it is looked at elsewhere, and may be decided otherwise",)
        return folder

    @property
    def done(self) -> list[Ranges]:
        """For each scenario the ranges of blocks that need no playing, for `Experiment.batches` and `runner.play`."""
        return self._counting.done()

    @property
    def missing(self) -> list[list[BlockRange]]:
        """For each scenario the ranges of blocks that are still to be played."""
        return self._counting.missing()

    @property
    def tallies(self) -> list[Tally]:
        """The totals so far, scenario by scenario."""
        return self._counting.tallies

    @property
    def hands(self) -> int:
        """Hands counted so far."""
        return sum(tally.hands for tally in self.tallies)

    @property
    def kept_hands(self) -> int:
        """Hands that the journal holds by now: after `close` all that were counted, unless the disk was full."""
        return read_journal(self.path / JOURNAL, self.manifest["identity"]).hands

    @property
    def resume_command(self) -> str | None:
        """The command line that goes on with this run, when it was begun by one."""
        return resume_command(self.manifest)

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Decisions that are not asked for, since they held up or ended a process."""
        return verdicts_in(self.manifest)

    def judge(self, verdict: Verdict) -> None:
        """Keep a verdict, before anything is played by it: with it the run can be played again. Raises StoreError."""
        if verdict in self.verdicts:
            return
        manifest = {**self.manifest, "verdicts": [*self.manifest["verdicts"], asdict(verdict)]}
        write_aside(self.path / MANIFEST, sealed(manifest))
        self.manifest = manifest

    @property
    def failed(self) -> list[dict[str, Any]]:
        """The settings that the run went on without: `scenarios`, at which blocks these end, `error` and `where`."""
        found: list[dict[str, Any]] = self.manifest.get("failed", [])
        return found

    def fail(self, scenarios: Sequence[int], ends: Sequence[int], error: str, where: str | None) -> None:
        """Keep that a setting, the scenarios of these places, failed and is not played on. Raises StoreError."""
        failure = {"scenarios": list(scenarios), "ends": list(ends), "error": error, "where": where}
        manifest = {**self.manifest, "failed": [*self.failed, failure]}
        write_aside(self.path / MANIFEST, sealed(manifest))
        self.manifest = manifest

    def known_to(self, scenario: int) -> int:
        """The first block of a scenario that is not counted yet."""
        return self._counting.known_to(scenario)

    def cut(self, ends: Sequence[int]) -> None:
        """Want no block of each scenario from its end on, and forget what was counted of these. Raises StoreError."""
        self.flush()
        forgotten = {index for index, end in enumerate(ends) if self._counting.cut(index, end)}
        reading = read_journal(self.path / JOURNAL, self.manifest["identity"])
        records = [record for record in reading.records if record.scenario in forgotten]
        for part in map(self._counting.fitted, reading.parts(records)):
            if self._counting.fault(part) is None:
                self._counting.add(part)

    def record(self, counted: Counted) -> None:
        """Count a batch. It is in the journal when its piece is complete, at the latest with the first batch after 2 s.

        Raises StoreError when the journal cannot be written; what is in it stays good.
        """
        batch = counted.batch
        size = self.experiment.scenarios[batch.scenario].bin_size
        self.take(Part(batch.scenario, batch.first, batch.stop, size, counted.totals))

    def take(self, part: Part) -> None:
        """Count a part of a piece: `record` for what is no batch of this process."""
        complete = self._counting.take(part)
        if time.monotonic() - self._swept >= PART_SECONDS:
            self._swept = time.monotonic()
            complete += self._counting.take_waiting()
        self._append(complete)

    def flush(self) -> None:
        """See everything that was recorded onto the disk."""
        self._append(self._counting.take_waiting())
        self._journal.sync()

    def _append(self, parts: list[Part]) -> None:
        end = self._journal.end
        try:
            self._journal.append(parts)
        except BaseException:
            if self._journal.end == end:
                self._counting.keep(parts)
            raise

    def finish(self, summary: Mapping[str, Any]) -> Run:
        """Write the results; `summary` is what `statistics.summary` made of `tallies`.

        Raises StoreError when they cannot all be written: the folder stays unfinished, and this may be tried again.
        """
        from razz_sim.store.parquet import parquet_files

        if summary["digest"] != digest(self.tallies):
            raise ValueError("the summary's digest is not that of the tallies: they are of different runs")
        if any(self.missing):
            raise ValueError(f"{ranges_text(self.experiment, self.missing)} were not played: resume, do not finish")
        self.flush()
        tables = parquet_files(self.experiment, self.tallies)
        files = {**tables, SUMMARY: f"{json_text(summary)}\n".encode()}
        unfinished = {**self.manifest, **for_manifest(self.experiment), "extending_to": None, "files": None}
        unfinished["ends"] = self._ends()
        manifest = {
            **unfinished,
            "finished": now(),
            "played": {key: summary[key] for key in ("runner", "workers", "seconds")},
            "files": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
        }
        if self.manifest["files"] is not None:
            write_aside(self.path / MANIFEST, sealed(unfinished))
        with as_store_error(f"{self.path / SUMMARY} cannot be replaced", "the run can be resumed"):
            (self.path / SUMMARY).unlink(missing_ok=True)
        self.manifest = unfinished
        for name, content in tables.items():
            write_aside(self.path / name, content)
        write_aside(self.path / MANIFEST, sealed(manifest))
        write_aside(self.path / SUMMARY, files[SUMMARY])
        self.manifest = manifest
        with suppress(StoreError):  # the long journal is as good as the short one
            self._shorten_journal()
        self._let_go()
        return Run.load(self.path)

    def close(self) -> None:
        """Keep what was recorded and let others write: the run can be resumed. Harmless when done twice."""
        try:
            if self._lock.held:
                self.flush()
        finally:
            self._let_go()

    def discard(self) -> None:
        """Take back a folder that this process made and did not finish, for a run that is of no use.

        What others put there stays; so does a finished run, and one that was resumed is only closed.
        """
        if not self._created or (self.path / SUMMARY).exists():
            self.close()
            return
        self._journal.close()
        remove_run(self.path)
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
            return
        with suppress(StoreError):  # the error that is under way tells more
            self.close()

    def _let_go(self) -> None:
        self._journal.close()
        self._lock.release()

    def _open_journal(self) -> Journal:
        """Count what the journal proves, clean it of what it does not, and go on behind it."""
        path, identity = self.path / JOURNAL, self.manifest["identity"]
        reading = read_journal(path, identity)
        good = []
        for record, part in zip(reading.records, map(self._counting.fitted, reading.parts()), strict=True):
            if self._counting.fault(part) is None:
                self._counting.add(part)
                good.append(record)
        self.seconds = sum(record.microseconds for record in good) / 1e6
        refused = len(reading.records) - len(good)
        self.notices = self._notices(reading, refused)
        if reading.damage or refused or not reading.good_bytes:
            write_journal(path, identity, map(self._counting.fitted, reading.parts(good)))
            return Journal(path, identity, path.stat().st_size)
        return Journal(path, identity, reading.good_bytes)

    def _notices(self, reading: Reading, refused: int) -> tuple[str, ...]:
        """What a journal had lost, and which blocks are played for it, in a sentence."""
        lost = []
        if not reading.size:
            lost.append("it is missing or empty")
        elif not reading.good_bytes:
            lost.append("it is damaged: nothing in it proves itself as of this run")
        elif reading.torn_bytes:
            lost.append(f"its last record was cut short ({reading.torn_bytes} bytes) and is dropped")
        if reading.damage:
            places = ", ".join(f"{first} to {stop - 1}" for first, stop in reading.damage)
            lost.append(f"it is damaged: bytes {places} prove nothing and are not used")
        if refused:
            lost.append(f"{refused} of its records are for blocks that others in it are for already and are not used")
        if not lost:
            return ()
        again = ranges_text(self.experiment, self.missing)
        left = f"{again} will be played" if any(self.missing) else "no block is missing"
        return (f"{self.path / JOURNAL}: {'; '.join(lost)}; {left}",)

    def _ends(self) -> list[int] | None:
        """For each scenario the block at which it ended; None where none ended before its time."""
        ends = [stop for _, stop in self._counting.wanted]
        whole = [scenario.blocks for scenario in self.experiment.scenarios]
        return None if self.manifest["blocks"] is not None or ends == whole else ends

    def _shorten_journal(self) -> None:
        """A finished run's journal: one record a piece, all time of play in the first."""
        path, identity = self.path / JOURNAL, self.manifest["identity"]
        reading = read_journal(path, identity)
        times = chain([reading.microseconds], repeat(0))
        wanted = self._counting.wanted
        inside = [record for record in reading.records if record.stop <= wanted[record.scenario][1]]
        reading = replace(reading, records=tuple(inside))
        parts = zip(reading.joined(self._counting.sizes), times, strict=False)
        write_journal(path, identity, (replace(part, microseconds=taken) for part, taken in parts))


def _blocks(manifest: Mapping[str, Any]) -> BlockRange | None:
    if manifest["blocks"] is None:
        return None
    first, stop = manifest["blocks"]
    return int(first), int(stop)


def _check_range(experiment: Experiment, blocks: BlockRange) -> None:
    first, stop = blocks
    most = max(scenario.blocks for scenario in experiment.scenarios)
    if not 0 <= first < stop <= most:
        raise StoreError(f"blocks {first}:{stop} are no range of blocks: FIRST:STOP with 0 <= FIRST < STOP <= {most}")


def remove_run(path: Path) -> None:
    """Remove what a run wrote, and its folder if nothing else is in it."""
    sweep(path)
    with suppress(OSError):
        for name in (*PARQUET, TOURNAMENTS, JOURNAL, MANIFEST, LOCK):
            (path / name).unlink(missing_ok=True)
        path.rmdir()
