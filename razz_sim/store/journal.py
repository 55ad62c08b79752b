"""The journal of a run: what was counted, appended part by part, each of which proves itself.

    journal.bin = header, record, record, ...
    header      = magic (8 bytes, the last is the format's version), identity of the experiment (32), checksum (16)
    record      = mark (4 bytes), length of the payload (4), payload, checksum (16)
    payload     = scenario, first block, stop block, blocks in a bin, microseconds, how many bins and entrants, whether
                  the blocks are tournaments (1) or not (0), and the totals (see `tally`): the table's core bin by bin,
                  the entrants' core bin by bin, the table's fine totals, the entrants' fine totals, and of tournaments
                  money bin by bin, finishes and course

Numbers are little-endian, those of a payload signed 64-bit integers, compressed by zlib. A checksum is BLAKE2b over all
of the header or record before it, with the identity as its key: no record of another experiment passes for one of this.
A record that was not written to its end (a kill, a full disk) is the last one: it is dropped. A bad one with good ones
behind it is damage: what was in it is unknown and its blocks are played again, while the good ones still prove
themselves.

A journal may be larger than memory: it is read and written a record at a time.
"""

from __future__ import annotations

import hashlib
import os
import struct
import time
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np

from razz_sim.store.writing import StoreError, as_store_error, write_pieces_aside
from razz_sim.tally import TABLE_COLUMNS, Totals

MAGIC = b"razzjrn\x03"
MARK = b"\xf5rec"
SYNC_SECONDS = 1.0
"""About how often the journal is seen onto the disk itself; a process that dies loses nothing that was appended."""
_CHECKSUM = 16
_HEADER = len(MAGIC) + 32 + _CHECKSUM
_PREFIX = struct.Struct("<4sI")
_PLACE = 8
_HANDS = TABLE_COLUMNS.index("hands")
_QUICKLY = 1
"""zlib's level: most numbers are small or 0."""
_PIECE = 1 << 20
"""So many bytes are searched for a mark at a time."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many blocks of a scenario are in a bin, and the blocks that no part straddles: it is in one of the pieces."""

    bin: int
    cuts: tuple[int, ...]

    def piece(self, block: int) -> int:
        """The number of the piece that a block is in."""
        return bisect_right(self.cuts, block)


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks `first` up to but not including `stop` of a scenario, all in one piece, and what was counted in them.

    Bins of `bin_size` blocks; `microseconds` is the time of play since the record before.
    """

    scenario: int
    first: int
    stop: int
    bin_size: int
    totals: Totals
    microseconds: int = 0

    def in_bins_of(self, size: int) -> Part:
        """The same in bins of so many blocks, each of which holds whole ones of these: a longer run's."""
        if size == self.bin_size:
            return self
        firsts = np.arange(self.first // self.bin_size, (self.stop - 1) // self.bin_size + 1) * self.bin_size
        starts = np.flatnonzero(np.diff(firsts // size, prepend=-1))
        table, entrants, money = (np.add.reduceat(one, starts, axis=0) for one in self.totals.by_bin)
        totals = replace(self.totals, table=table, entrants=entrants, money=money)
        return replace(self, bin_size=size, totals=totals)


def joined(parts: Iterable[Part], sizes: Sequence[Sizes]) -> list[Part]:
    """Parts in order and in bins of these sizes, those made one that touch within a piece."""
    return list(_joined(sorted(parts, key=lambda one: (one.scenario, one.first)), sizes))


def _joined(ordered: Iterable[Part], sizes: Sequence[Sizes]) -> Iterator[Part]:
    """The same of parts that are in order, of which two are looked at at a time."""
    last: Part | None = None
    for given in ordered:
        size = sizes[given.scenario]
        part = given.in_bins_of(size.bin)
        if (
            last
            and (last.scenario, last.stop) == (part.scenario, part.first)
            and size.piece(last.first) == size.piece(part.first)
        ):
            totals = last.totals.followed_by(part.totals, shared_bin=part.first % size.bin != 0)
            time_taken = last.microseconds + part.microseconds
            last = Part(part.scenario, last.first, part.stop, size.bin, totals, time_taken)
            continue
        if last:
            yield last
        last = part
    if last:
        yield last


@dataclass(frozen=True, slots=True)
class Record:
    """A record that proves itself: the byte it begins at, and what its part is of."""

    place: int
    scenario: int
    first: int
    stop: int
    microseconds: int
    hands: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What a journal holds: the records that prove themselves, and what does not.

    `good_bytes` is where the last good record ends, or else the header; 0 when that is not there either. `damage` is
    the ranges of bytes before that which are neither.
    """

    path: Path
    identity: str
    records: tuple[Record, ...]
    size: int
    good_bytes: int
    damage: tuple[tuple[int, int], ...]

    @property
    def torn_bytes(self) -> int:
        """Bytes behind the last good record: of one that was not written to its end."""
        return self.size - self.good_bytes

    @property
    def hands(self) -> int:
        """Hands that its parts count."""
        return sum(record.hands for record in self.records)

    @property
    def blocks(self) -> int:
        """Blocks that its parts count."""
        return sum(record.stop - record.first for record in self.records)

    @property
    def microseconds(self) -> int:
        """The time of play of all its parts."""
        return sum(record.microseconds for record in self.records)

    def parts(self, records: Sequence[Record] | None = None) -> Iterator[Part]:
        """The parts of these records, or of all, read one by one. Raises StoreError when the file has changed."""
        with _readable(self.path) as file:
            for record in self.records if records is None else records:
                found = _record(file, record.place, self.size, bytes.fromhex(self.identity)) if file else None
                if found is None:
                    raise StoreError(f"{self.path} was changed while it was read: try again")
                yield found[0]

    def joined(self, sizes: Sequence[Sizes]) -> Iterator[Part]:
        """`joined` of all its parts."""
        ordered = sorted(self.records, key=lambda one: (one.scenario, one.first))
        return _joined(self.parts(ordered), sizes)


def read_journal(path: Path, identity: str) -> Reading:
    """Every record of a journal that proves itself; a journal that is missing holds none. Raises StoreError."""
    with _readable(path) as file:
        if file is None:
            return Reading(path, identity, (), 0, 0, ())
        return _read(path, file, identity)


def _read(path: Path, file: BinaryIO, identity: str) -> Reading:
    key, size = bytes.fromhex(identity), os.fstat(file.fileno()).st_size
    records: list[Record] = []
    damage: list[tuple[int, int]] = []
    place = good = _HEADER if file.read(_HEADER) == _header(key) else 0
    while place < size:
        start, found = place, _record(file, place, size, key)
        while found is None and (place := _next_mark(file, place + 1)) >= 0:
            found = _record(file, place, size, key)
        if found is None:
            break
        if place > start:
            damage.append((start, place))
        part, good = found
        hands = int(part.totals.table[:, _HANDS].sum())
        records.append(Record(place, part.scenario, part.first, part.stop, part.microseconds, hands))
        place = good
    return Reading(path, identity, tuple(records), size, good, tuple(damage))


@contextmanager
def _readable(path: Path) -> Iterator[BinaryIO | None]:
    """A journal to read from, None where there is none; StoreError when it cannot be read."""
    try:
        with path.open("rb") as file:
            yield file
    except FileNotFoundError:
        yield None
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error


def _next_mark(file: BinaryIO, place: int) -> int:
    """Where the next mark from a place on begins; -1 when there is none."""
    file.seek(place)
    window = b""
    while piece := file.read(_PIECE):
        window = window[1 - len(MARK) :] + piece
        if (at := window.find(MARK)) >= 0:
            return file.tell() - len(window) + at
    return -1


def _record(file: BinaryIO, place: int, size: int, key: bytes) -> tuple[Part, int] | None:
    """The record at a place and where it ends; None when there is none that proves itself."""
    file.seek(place)
    prefix = file.read(_PREFIX.size)
    if len(prefix) < _PREFIX.size:
        return None
    mark, length = _PREFIX.unpack(prefix)
    stop = place + _PREFIX.size + length
    if mark != MARK or size < stop + _CHECKSUM:
        return None
    content = file.read(length)
    if _checksum(prefix + content, key) != file.read(_CHECKSUM):
        return None
    payload = np.frombuffer(zlib.decompress(content), dtype="<i8").astype(np.int64)
    scenario, first, end, bin_blocks, microseconds, bins, entrants, tournament = map(int, payload[:_PLACE])
    room = Totals.nothing(bins, entrants, tournament=bool(tournament))
    taken = _PLACE
    for totals in room.arrays:
        totals.ravel()[:] = payload[taken : taken + totals.size]
        taken += totals.size
    return Part(scenario, first, end, bin_blocks, room, microseconds), stop + _CHECKSUM


def _record_bytes(part: Part, key: bytes) -> bytes:
    of = *part.totals.entrants.shape[:2], part.totals.money.size > 0
    place = (part.scenario, part.first, part.stop, part.bin_size, part.microseconds, *of)
    numbers = np.concatenate([place, *(totals.ravel() for totals in part.totals.arrays)]).astype("<i8")
    payload = zlib.compress(numbers.tobytes(), _QUICKLY)
    record = _PREFIX.pack(MARK, len(payload)) + payload
    return record + _checksum(record, key)


def _header(key: bytes) -> bytes:
    return MAGIC + key + _checksum(MAGIC + key, key)


def _checksum(content: bytes, key: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_CHECKSUM, key=key).digest()


def write_journal(path: Path, identity: str, parts: Iterable[Part] = ()) -> None:
    """Write a whole journal aside and rename it: a new one, or an old one made clean."""
    key = bytes.fromhex(identity)
    write_pieces_aside(path, chain([_header(key)], (_record_bytes(part, key) for part in parts)))


class Journal:
    """A journal that is being appended to, by one process that holds the folder's lock."""

    def __init__(self, path: Path, identity: str, keep: int) -> None:
        """Go on behind the first `keep` bytes; what is behind them is cut off."""
        self._path, self._key = path, bytes.fromhex(identity)
        with self._sentence():
            self._handle = os.open(path, os.O_WRONLY)
            if os.fstat(self._handle).st_size > keep:
                os.ftruncate(self._handle, keep)
        self.end = keep
        self._began = self._synced = time.monotonic()
        self._dirty = False

    def _sentence(self) -> AbstractContextManager[None]:
        return as_store_error(f"{self._path} cannot be written", "what was in it before stays good")

    def append(self, parts: Sequence[Part]) -> None:
        """Add records to the end, all of them or none; the first is given the time since the last were on top.

        Raises StoreError.
        """
        if not parts:
            return
        now = time.monotonic()
        first, *others = parts
        taken = round((now - self._began) * 1e6)
        timed = [replace(first, microseconds=first.microseconds + taken), *others]
        content = b"".join(_record_bytes(part, self._key) for part in timed)
        with self._sentence():
            try:
                written = 0
                while written < len(content):
                    written += os.pwrite(self._handle, content[written:], self.end + written)
                self.end += len(content)
            except BaseException:
                with suppress(OSError):
                    os.ftruncate(self._handle, self.end)
                raise
            self._began, self._dirty = now, True
            if now - self._synced >= SYNC_SECONDS:
                self.sync()

    def sync(self) -> None:
        """See what was appended onto the disk."""
        if self._dirty:
            with self._sentence():
                os.fsync(self._handle)
            self._dirty, self._synced = False, time.monotonic()

    def close(self) -> None:
        """Let go of the file; call `sync` before."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
