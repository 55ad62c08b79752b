"""The manifest of a run: what was asked, sealed with a checksum, and what can be read from it without playing."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from razz_sim.batch import Verdict
from razz_sim.config import ConfigError, experiment_from_manifest
from razz_sim.experiment import BlockRange, Experiment, replicas
from razz_sim.store.writing import StoreError

MANIFEST, JOURNAL, SUMMARY = "manifest.json", "journal.bin", "summary.json"
BINS, TOTALS, PLAYS, CLASSES, HISTOGRAM = PARQUET = (
    "bins.parquet",
    "totals.parquet",
    "plays.parquet",
    "classes.parquet",
    "histogram.parquet",
)
TOURNAMENTS = "tournaments.parquet"
"""What a run has beside these where some of its blocks are tournaments."""
_JSON_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Shape:
    """The size of a scenario as a manifest has it: known without running any strategy's source."""

    name: str
    entrants: tuple[str, ...]
    hands: int
    block_hands: int
    tournament: bool = False

    @property
    def blocks(self) -> int:
        """Independent samples."""
        return self.hands // self.block_hands


def shapes(manifest: Mapping[str, Any]) -> tuple[Shape, ...]:
    """The shape of each scenario of a manifest."""
    return tuple(
        Shape(
            name=scenario["name"],
            entrants=tuple(entrant["name"] for entrant in scenario["lineup"]),
            hands=scenario["hands"],
            block_hands=_block_hands(scenario),
            tournament="tournaments" in scenario,
        )
        for scenario in manifest["experiment"]["scenarios"]
    )


def _block_hands(scenario: Mapping[str, Any]) -> int:
    """Hands of a block; of a tournament about as many as it takes."""
    if "tournaments" in scenario:
        return int(scenario["hands"] // scenario["tournaments"])
    session = (scenario.get("session") or {"hands": 1})["hands"]
    return int(session * replicas([one["seats"] for one in scenario["lineup"]], bool(scenario.get("duplicate"))))


def blocks_of(manifest: Mapping[str, Any]) -> Iterator[BlockRange]:
    """For each scenario of a manifest the range of blocks that its run has, or is to have."""
    low, high = manifest["blocks"] or (0, None)
    every = shapes(manifest)
    ends = list(manifest.get("ends") or [high] * len(every))
    for failure in manifest.get("failed", ()):
        for index, end in zip(failure["scenarios"], failure["ends"], strict=True):
            ends[index] = end
    for shape, end in zip(every, ends, strict=True):
        stop = shape.blocks if end is None else min(end, shape.blocks)
        yield min(low, stop), stop


def verdicts_in(manifest: Mapping[str, Any]) -> tuple[Verdict, ...]:
    """The verdicts of a run, in the order they were made."""
    return tuple(Verdict(**verdict) for verdict in manifest["verdicts"])


def sealed(manifest: Mapping[str, Any]) -> bytes:
    """A manifest with a checksum of its other keys."""
    return f"{json_text({**manifest, 'checksum': _checksum(manifest)})}\n".encode()


def _checksum(manifest: Mapping[str, Any]) -> str:
    others = {key: value for key, value in manifest.items() if key != "checksum"}
    return hashlib.sha256(json.dumps(others, sort_keys=True).encode()).hexdigest()


def read_manifest(folder: Path) -> dict[str, Any]:
    """A folder's manifest; StoreError when it is no run folder, or the manifest is not as it was written."""
    path = folder / MANIFEST
    if not os.path.isdir(folder):
        raise StoreError(f"{folder} is not a run folder: {'it is a file' if folder.exists() else 'there is none'}")
    if not path.exists():
        runs = sorted(found.parent.name for found in folder.glob(f"*/{MANIFEST}"))
        hint = f"; it holds runs, the latest is {folder / runs[-1]}" if runs else ""
        raise StoreError(f"{folder} is not a run folder: it has no {MANIFEST}{hint}")
    try:
        manifest = json.loads(read_bytes(path))
    except ValueError as error:
        raise damaged(path, f"it is not JSON: {error}") from error
    if not isinstance(manifest, dict) or manifest.get("checksum") != _checksum(manifest):
        raise damaged(path, "its checksum is not that of its content")
    del manifest["checksum"]
    return manifest


def read_bytes(path: Path) -> bytes:
    """A file of a run folder; StoreError when it is missing or unreadable."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise damaged(path, "it is missing") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error


def read_proven(path: Path, manifest: Mapping[str, Any]) -> bytes:
    """A file whose hash is the one in the manifest; StoreError otherwise."""
    content = read_bytes(path)
    if hashlib.sha256(content).hexdigest() != (manifest["files"] or {}).get(path.name):
        raise damaged(path, f"its sha256 is not the one that {MANIFEST} names")
    return content


def is_whole(folder: Path, manifest: Mapping[str, Any]) -> bool:
    """Whether a run was finished and its files are still what they were."""
    try:
        for name in manifest["files"] or (*PARQUET, SUMMARY):
            read_proven(folder / name, manifest)
    except StoreError:
        return False
    return True


def damaged(path: Path, how: str) -> StoreError:
    """The error for a file that is not what was written."""
    advice = "play it again" if path.name == MANIFEST else f"resume the run to rebuild it from its {JOURNAL}"
    return StoreError(f"{path.parent} is damaged: {path.name}: {how}; its totals cannot be trusted: {advice}")


def recorded_experiment(folder: Path, manifest: Mapping[str, Any]) -> Experiment:
    """The experiment of a manifest, from it alone. This runs the strategies' sources."""
    try:
        return experiment_from_manifest(manifest)
    except ConfigError as error:
        raise StoreError(f"{folder / MANIFEST} does not give back its experiment: {error}") from error


def played_command(manifest: Mapping[str, Any]) -> str | None:
    """The command line that plays a run from its beginning, of an extended one all of it; None for one from Python.

    >>> run = ["/usr/bin/razz-sim", "run", "my razz.yaml"]
    >>> played_command({"command": run, "resumed": []})
    "razz-sim run 'my razz.yaml'"
    >>> played_command({"command": run, "resumed": [{"command": [*run, "--hands", "1e6", "--resume"]}]})
    "razz-sim run 'my razz.yaml' --hands 1e6"
    """
    words = manifest["command"]
    if manifest["resumed"] and not manifest.get("merged"):
        words = manifest["resumed"][-1]["command"]
    if not words:
        return None
    program = Path(words[0]).name
    called = "razz-sim" if program == "__main__.py" else shlex.quote(program)
    return f"{called} {shlex.join(word for word in words[1:] if word != '--resume')}"


def resume_command(manifest: Mapping[str, Any]) -> str | None:
    """The command line that goes on with a run, or merges anew; None for one that was begun from Python.

    >>> resume_command({"command": ["/usr/bin/razz-sim", "run", "my razz.yaml"], "resumed": []})
    "razz-sim run 'my razz.yaml' --resume"
    >>> merged = {"command": ["/usr/bin/razz-sim", "merge", "one", "two"], "merged": ["one", "two"], "resumed": []}
    >>> resume_command(merged)
    'razz-sim merge one two'
    """
    command = played_command(manifest)
    return command if command is None or manifest.get("merged") else f"{command} --resume"


def json_text(data: object, indent: str = "") -> str:
    """JSON in which a Decimal is a number, to its last digit; what holds no object stands on one line where it fits.

    >>> print(json_text({"net": Decimal("541501.80"), "won": {"count": 1, "ci95": [1.5, 2.5]}}))
    {
      "net": 541501.8,
      "won": {"count": 1, "ci95": [1.5, 2.5]}
    }
    """
    inner = indent + "  "
    if isinstance(data, Mapping):
        parts = [f"{json.dumps(key)}: {json_text(value, inner)}" for key, value in data.items()]
        return _bracketed("{}", parts, list(data.values()), indent)
    if isinstance(data, Sequence) and not isinstance(data, str):
        return _bracketed("[]", [json_text(value, inner) for value in data], data, indent)
    if isinstance(data, Decimal):
        digits = f"{data:f}"
        return digits.rstrip("0").rstrip(".") if "." in digits else digits
    return json.dumps(data, allow_nan=False)


def _bracketed(brackets: str, parts: Sequence[str], values: Sequence[object], indent: str) -> str:
    one_line = ", ".join(parts)
    if len(one_line) <= _JSON_WIDTH and not any(isinstance(value, Mapping) for value in values):
        return brackets[0] + one_line + brackets[1]
    lines = f",\n{indent}  ".join(parts)
    return f"{brackets[0]}\n{indent}  {lines}\n{indent}{brackets[1]}"


def now() -> str:
    """The time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
