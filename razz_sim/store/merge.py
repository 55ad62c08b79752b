"""Join runs that split one experiment by ranges of blocks into one run of all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from heapq import merge as merged_in_order
from pathlib import Path
from typing import Any

from razz_sim.experiment import Experiment
from razz_sim.store.counting import ranges_text, sizes_of
from razz_sim.store.folder import RunFolder
from razz_sim.store.identity import differences, identity_in
from razz_sim.store.journal import Part, Reading, Sizes, read_journal
from razz_sim.store.manifest import JOURNAL, read_manifest, recorded_experiment, shapes, verdicts_in
from razz_sim.store.writing import StoreError


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run to be joined: what its journal proves."""

    folder: Path
    manifest: dict[str, Any]
    reading: Reading

    def parts(self, sizes: Sequence[Sizes]) -> Iterator[tuple[Part, _Piece]]:
        """Its parts in order, each with whose it is."""
        return ((part, self) for part in self.reading.joined(sizes))


def merge(folders: Sequence[Path], out: Path, command: Sequence[str] = ()) -> RunFolder:
    """A new run folder below `out` with all that these runs counted, to be finished with its summary.

    They must be runs of the same experiment and length, created with `blocks=`, finished or not. Blocks that several of
    them have must agree to the last integer. Raises StoreError for others, and when blocks are missing, with their
    numbers; nothing is written then. A setting that failed in one of them is left out. `seconds` of the new folder is
    the time of play of all runs together.
    """
    if not folders:
        raise StoreError("there is nothing to merge: name the run folders to join")
    first, *others = [(Path(folder), read_manifest(Path(folder))) for folder in folders]
    for folder, manifest in others:
        _refuse_unlike(first, folder, manifest)
    experiment = recorded_experiment(*first)
    pieces = [
        _Piece(folder, manifest, read_journal(folder / JOURNAL, manifest["identity"]))
        for folder, manifest in (first, *others)
    ]
    names = [piece.manifest["run"] for piece in pieces]
    failed = [one for piece in pieces for one in piece.manifest.get("failed", ())]
    failures = list({tuple(one["scenarios"]): one for one in failed}.values())
    lost = {index for failure in failures for index in failure["scenarios"]}
    if len(lost) == len(experiment.scenarios):
        raise StoreError(f"every scenario failed in one of these runs: {failures[0]['error']}")
    places = [(part.scenario, part.first, part.stop) for part in _without_repeats(experiment, pieces, lost)]
    _refuse_gaps(experiment, places, lost)
    verdicts = dict.fromkeys(verdict for piece in pieces for verdict in verdicts_in(piece.manifest))
    merged = RunFolder.create(out, experiment, command, merged=names, verdicts=list(verdicts))
    try:
        for part in _without_repeats(experiment, pieces, lost):
            merged.take(part)
        for failure in failures:
            merged.fail(**failure)
        merged.cut([0 if index in lost else scenario.blocks for index, scenario in enumerate(experiment.scenarios)])
        merged.flush()
    except BaseException:
        merged.discard()
        raise
    merged.seconds = sum(piece.reading.microseconds for piece in pieces) / 1e6
    return merged


def _refuse_unlike(first: tuple[Path, dict[str, Any]], folder: Path, manifest: dict[str, Any]) -> None:
    """StoreError unless a run is of the same experiment and length as the first."""
    found = differences(identity_in(first[1]), identity_in(manifest))
    if not found:
        pairs = zip(shapes(first[1]), shapes(manifest), strict=True)
        found = [f"hands: {one.hands:,} in the run, {other.hands:,} now" for one, other in pairs if one != other]
    if found:
        sentences = "; ".join(found).replace(" in the run", " in the first").replace(" now", " in the second")
        raise StoreError(f"{first[0]} and {folder} are not of one experiment: {sentences}")


def _without_repeats(experiment: Experiment, pieces: Sequence[_Piece], lost: Set[int]) -> Iterator[Part]:
    """All parts in order, each once, but of scenarios that are `lost`; StoreError where two runs disagree."""
    sizes = sizes_of(experiment)
    ordered = merged_in_order(
        *(piece.parts(sizes) for piece in pieces), key=lambda pair: (pair[0].scenario, pair[0].first)
    )
    last: Part | None = None
    other: _Piece | None = None
    for part, piece in ordered:
        if part.scenario in lost:
            continue
        if last is None or other is None or last.scenario != part.scenario or part.first >= last.stop:
            last, other = part, piece
            yield part
            continue
        name = experiment.scenarios[part.scenario].name
        place = f"blocks {part.first} to {min(part.stop, last.stop) - 1} of scenario {name!r}"
        both = f"{place} are in both {other.folder} and {piece.folder}"
        if (part.first, part.stop) != (last.first, last.stop):
            size = experiment.scenarios[part.scenario].shard_size
            raise StoreError(
                f"{both}, which cut the shard differently and cannot be compared: "
                f"ranges of blocks that meet must do so at multiples of {size}"
            )
        if (wrong := part.totals.differences(last.totals)) > 0:
            raise StoreError(f"{both} and do not agree ({wrong} totals differ): one is wrong")


def _refuse_gaps(experiment: Experiment, spans: Sequence[tuple[int, int, int]], lost: Set[int]) -> None:
    """StoreError when parts, each of a scenario from its first block to its stop, are not all but those `lost`."""
    missing: list[list[tuple[int, int]]] = []
    for index, scenario in enumerate(experiment.scenarios):
        ranges, place = [], 0
        for of, first, stop in spans:
            if of == index:
                if first > place:
                    ranges.append((place, first))
                place = stop
        if place < scenario.blocks and index not in lost:
            ranges.append((place, scenario.blocks))
        missing.append(ranges)
    if any(missing):
        raise StoreError(
            f"{ranges_text(experiment, missing)} are in none of these runs: play them (--blocks FIRST:STOP), "
            "or resume the run they belong to"
        )
