"""How a run folder's files come to the disk: whole or not at all, by one process at a time, failing in sentences."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

LOCK = ".lock"
LOCK_PATIENCE = 1.0
"""How many seconds a lock is waited for: a process that was killed may need a moment to let go of it."""
_ASIDE = re.compile(r"\..+\.[0-9a-f]{8}")
_WHY = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "your disk quota is used up",
    errno.EFBIG: "it would be larger than files may be here",
    errno.EROFS: "the disk is mounted read-only",
    errno.EACCES: "you may not write there",
    errno.EPERM: "you may not write there",
    errno.ENOTDIR: "a part of that path is a file, not a folder",
    errno.EEXIST: "a file of that name is in the way",
}


class StoreError(Exception):
    """A run folder cannot be written or read: the sentence says which, why, and what that means."""


class DiskError(StoreError):
    """A run folder cannot be written for a reason that lies with the disk or its rights, not with what was asked."""


@contextmanager
def as_store_error(what: str, harm: str = "nothing that was there before has changed") -> Iterator[None]:
    """Turn an OSError into a DiskError: a sentence on what could not be done, why, and what harm that did."""
    try:
        yield
    except OSError as error:
        reason = _WHY.get(error.errno or 0, error.strerror or str(error))
        raise DiskError(f"{what}: {reason}; {harm}") from error


def write_aside(path: Path, content: bytes) -> None:
    """Write a file under another name in the same folder, see it on the disk, then give it its name.

    Whatever happens, `path` holds all of `content` or what it held before. Raises StoreError.
    """
    write_pieces_aside(path, [content])


def write_pieces_aside(path: Path, pieces: Iterable[bytes]) -> None:
    """The same of content that comes piece by piece, perhaps read from `path` itself."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with as_store_error(f"{path} cannot be written"):
        try:
            with aside.open("xb") as file:
                file.writelines(pieces)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except BaseException:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def sweep(folder: Path) -> None:
    """Remove what a process that was killed in `write_aside` left lying about."""
    with suppress(OSError):
        for path in folder.iterdir():
            if _ASIDE.fullmatch(path.name):
                path.unlink(missing_ok=True)


def exclusive_folder(out: Path, name: str) -> Path:
    """A new folder `out/<name>/<run id>` that no other process has; StoreError when there can be none."""
    if not name or name in (".", "..") or set(name) & {"/", "\\", "\0"}:
        raise StoreError(f"{name!r} cannot be the name of a folder for its runs")
    parent = out / name
    with as_store_error(f"no run folder can be made in {parent}"):
        parent.mkdir(parents=True, exist_ok=True)
        while True:
            folder = parent / f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(3)}"
            try:
                folder.mkdir()
            except FileExistsError:
                continue
            for changed in (parent, out):
                sync_folder(changed)
            return folder


def sync_folder(folder: Path) -> None:
    """See the names in a folder on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # what some network disks answer, which do this their own way
            raise
    finally:
        os.close(handle)


_held: set[int] = set()


def _let_go() -> None:
    """A forked child does not hold its parent's locks on: they end with the parent, however that ends."""
    for handle in _held:
        with suppress(OSError):
            os.close(handle)
    _held.clear()


os.register_at_fork(after_in_child=_let_go)


class Lock:
    """The right to write to a run folder: one process has it, and it ends with that process, even by kill -9."""

    def __init__(self, folder: Path) -> None:
        path = folder / LOCK
        with as_store_error(f"{path} cannot be written"):
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        deadline = time.monotonic() + LOCK_PATIENCE
        while True:
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() < deadline:
                    time.sleep(0.02)
                    continue
                holder = _holder(self._handle)
                os.close(self._handle)
                raise StoreError(f"{folder} is in use: {holder} is playing it; wait for it, or stop it first") from None
            break
        _held.add(self._handle)
        with suppress(OSError):  # on a full disk the lock holds all the same, only its holder has no name
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"{os.getpid()}\n".encode(), 0)

    @property
    def held(self) -> bool:
        """Whether it is still held."""
        return self._handle in _held

    def release(self) -> None:
        """Let others write; harmless when done twice."""
        if self.held:
            _held.discard(self._handle)
            os.close(self._handle)


def lock_holder(folder: Path) -> str | None:
    """Who is writing to a run folder now: 'process 1234', or None."""
    try:
        handle = os.open(folder / LOCK, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _holder(handle)
    finally:
        os.close(handle)
    return None


def _holder(handle: int) -> str:
    number = os.pread(handle, 20, 0).decode(errors="replace").strip()
    return f"process {number}" if number.isdigit() else "another process"
