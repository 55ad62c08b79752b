"""The journal of a run: what was counted, appended part by part, each of which proves itself.

    journal.bin = header, record, record, ...
    header      = magic (8 bytes, the last is the format's version), identity of the experiment (32), checksum (16)
    record      = mark (4 bytes), length of the payload (4), payload, checksum (16)
    payload     = scenario, first block, stop block, microseconds, the table's totals, each entrant's totals

Numbers are little-endian, those of a payload signed 64-bit integers. A checksum is BLAKE2b over all of the header or
record before it, with the identity as its key: no record of another experiment passes for one of this. A record that
was not written to its end (a kill, a full disk) is the last one: it is dropped. A bad one with good ones behind it is
damage: what was in it is unknown and its blocks are played again, while the good ones still prove themselves.
"""

from __future__ import annotations

import hashlib
import os
import struct
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from razz_sim.store.writing import StoreError, as_store_error, write_aside
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS

MAGIC = b"razzjrn\x01"
MARK = b"\xf5rec"
SYNC_SECONDS = 1.0
"""About how often the journal is seen onto the disk itself; a process that dies loses nothing that was appended."""
_CHECKSUM = 16
_HEADER = len(MAGIC) + 32 + _CHECKSUM
_PREFIX = struct.Struct("<4sI")
_PLACE = 4
_HANDS = TABLE_COLUMNS.index("hands")
_WIDEST = 8 * (_PLACE + len(TABLE_COLUMNS) + 64 * len(ENTRANT_COLUMNS))


@dataclass(frozen=True, slots=True)
class Part:
    """Blocks `first` up to but not including `stop` of a scenario, all in one bin, and what was counted in them.

    `microseconds` is the time of play since the record before.
    """

    scenario: int
    first: int
    stop: int
    table: np.ndarray
    entrants: np.ndarray
    microseconds: int = 0

    def same_counts(self, other: Part) -> bool:
        """Whether two parts say the same of the same blocks."""
        return np.array_equal(self.table, other.table) and np.array_equal(self.entrants, other.entrants)


def joined(parts: Iterable[Part], bin_sizes: Sequence[int]) -> list[Part]:
    """Parts in order, those made one that touch within a bin."""
    found: list[Part] = []
    for part in sorted(parts, key=lambda one: (one.scenario, one.first)):
        last = found[-1] if found else None
        size = bin_sizes[part.scenario]
        if (
            last
            and (last.scenario, last.stop) == (part.scenario, part.first)
            and last.first // size == part.first // size
        ):
            time_taken = last.microseconds + part.microseconds
            table, entrants = last.table + part.table, last.entrants + part.entrants
            found[-1] = Part(part.scenario, last.first, part.stop, table, entrants, time_taken)
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
        return sum(int(part.table[_HANDS]) for part in self.parts)


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
    numbers, odd = divmod(length, 8)
    entrants, over = divmod(numbers - _PLACE - len(TABLE_COLUMNS), len(ENTRANT_COLUMNS))
    if mark != MARK or odd or over or entrants < 1 or length > _WIDEST or len(content) < stop + _CHECKSUM:
        return None
    if _checksum(content[place:stop], key) != content[stop : stop + _CHECKSUM]:
        return None
    payload = np.frombuffer(content, dtype="<i8", count=numbers, offset=start)
    scenario, first, end, microseconds = (int(number) for number in payload[:_PLACE])
    table, others = np.split(payload[_PLACE:].astype(np.int64), [len(TABLE_COLUMNS)])
    part = Part(scenario, first, end, table, others.reshape(entrants, len(ENTRANT_COLUMNS)), microseconds)
    return part, stop + _CHECKSUM


def _record_bytes(part: Part, key: bytes) -> bytes:
    place = (part.scenario, part.first, part.stop, part.microseconds)
    payload = np.concatenate([place, part.table, part.entrants.ravel()]).astype("<i8").tobytes()
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
