"""The journal of a run: what was counted, appended part by part, each of which proves itself.

    journal.bin = header, record, record, ...
    header      = magic (8 bytes, the last is the format's version), identity of the experiment (32), checksum (16)
    record      = mark (4 bytes), length of the payload (4), payload, checksum (16)
    payload     = scenario, first block, stop block, blocks in a bin, microseconds, how many bins and entrants, and the
                  totals (see `tally`): the table's core bin by bin, the entrants' core bin by bin, the table's fine
                  totals, the entrants' fine totals

Numbers are little-endian, those of a payload signed 64-bit integers, compressed by zlib. A checksum is BLAKE2b over all
of the header or record before it, with the identity as its key: no record of another experiment passes for one of this.
A record that was not written to its end (a kill, a full disk) is the last one: it is dropped. A bad one with good ones
behind it is damage: what was in it is unknown and its blocks are played again, while the good ones still prove
themselves.
"""

from __future__ import annotations

import hashlib
import os
import struct
import time
import zlib
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from razz_sim.store.writing import StoreError, as_store_error, write_aside
from razz_sim.tally import TABLE_COLUMNS, Totals

MAGIC = b"razzjrn\x02"
MARK = b"\xf5rec"
SYNC_SECONDS = 1.0
"""About how often the journal is seen onto the disk itself; a process that dies loses nothing that was appended."""
_CHECKSUM = 16
_HEADER = len(MAGIC) + 32 + _CHECKSUM
_PREFIX = struct.Struct("<4sI")
_PLACE = 7
_HANDS = TABLE_COLUMNS.index("hands")
_QUICKLY = 1
"""zlib's level: most numbers are small or 0."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many blocks of a scenario are in a bin and in a shard."""

    bin: int
    shard: int


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks `first` up to but not including `stop` of a scenario, all in one shard, and what was counted in them.

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
        totals = replace(
            self.totals,
            table=np.add.reduceat(self.totals.table, starts, axis=0),
            entrants=np.add.reduceat(self.totals.entrants, starts, axis=0),
        )
        return replace(self, bin_size=size, totals=totals)


def joined(parts: Iterable[Part], sizes: Sequence[Sizes]) -> list[Part]:
    """Parts in order and in bins of these sizes, those made one that touch within a shard."""
    found: list[Part] = []
    for given in sorted(parts, key=lambda one: (one.scenario, one.first)):
        last = found[-1] if found else None
        size = sizes[given.scenario]
        part = given.in_bins_of(size.bin)
        if (
            last
            and (last.scenario, last.stop) == (part.scenario, part.first)
            and last.first // size.shard == part.first // size.shard
        ):
            totals = last.totals.followed_by(part.totals, shared_bin=part.first % size.bin != 0)
            time_taken = last.microseconds + part.microseconds
            found[-1] = Part(part.scenario, last.first, part.stop, size.bin, totals, time_taken)
        else:
            found.append(part)
    return found


@dataclass(frozen=True, slots=True)
class Reading:
    """What a journal holds: the parts that prove themselves, and what does not.

    `good_bytes` is where the last good record ends, or else the header; 0 when that is not there either. `damage` is
    the ranges of bytes before that which are neither.
    """

    parts: tuple[Part, ...]
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
        return sum(int(part.totals.table[:, _HANDS].sum()) for part in self.parts)


def read_journal(path: Path, identity: str) -> Reading:
    """Every record of a journal that proves itself; a journal that is missing holds none. Raises StoreError."""
    key = bytes.fromhex(identity)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        content = b""
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error
    parts: list[Part] = []
    damage: list[tuple[int, int]] = []
    place = good = 0
    if content.startswith(_header(key)):
        place = good = _HEADER
    while place < len(content):
        start, found = place, _record(content, place, key)
        while found is None and (place := content.find(MARK, place + 1)) >= 0:
            found = _record(content, place, key)
        if found is None:
            break
        if place > start:
            damage.append((start, place))
        part, place = found
        parts.append(part)
        good = place
    return Reading(tuple(parts), len(content), good, tuple(damage))


def _record(content: bytes, place: int, key: bytes) -> tuple[Part, int] | None:
    """The record at a place and where it ends; None when there is none that proves itself."""
    start = place + _PREFIX.size
    if len(content) < start:
        return None
    mark, length = _PREFIX.unpack_from(content, place)
    stop = start + length
    if mark != MARK or len(content) < stop + _CHECKSUM:
        return None
    if _checksum(content[place:stop], key) != content[stop : stop + _CHECKSUM]:
        return None
    payload = np.frombuffer(zlib.decompress(content[start:stop]), dtype="<i8").astype(np.int64)
    scenario, first, end, size, microseconds, bins, entrants = (int(number) for number in payload[:_PLACE])
    room = Totals.nothing(bins, entrants)
    taken = _PLACE
    for totals in room.arrays:
        totals.ravel()[:] = payload[taken : taken + totals.size]
        taken += totals.size
    return Part(scenario, first, end, size, room, microseconds), stop + _CHECKSUM


def _record_bytes(part: Part, key: bytes) -> bytes:
    bins, entrants = part.totals.entrants.shape[:2]
    place = (part.scenario, part.first, part.stop, part.bin_size, part.microseconds, bins, entrants)
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
    write_aside(path, _header(key) + b"".join(_record_bytes(part, key) for part in parts))


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
