"""Going on with a run: which one, and whether it is the same experiment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from razz_sim.config import for_manifest
from razz_sim.experiment import BlockRange, Experiment
from razz_sim.store.identity import differences, identity_in, identity_of
from razz_sim.store.machine import versions
from razz_sim.store.manifest import MANIFEST, is_whole, now, read_manifest, shapes
from razz_sim.store.writing import StoreError


def find_resumable(out: Path, experiment: Experiment, blocks: BlockRange | None = None) -> Path | None:
    """The newest run of an experiment below `out` that is unfinished, or finished with fewer hands than are asked now.

    None when there is no run of that name, or only finished ones with as many hands. Raises StoreError, naming what
    differs, when all runs of that name are of other experiments: then something was changed since.
    """
    other: StoreError | None = None
    same = False
    for folder, manifest in _runs(out, experiment):
        if isinstance(manifest, StoreError):
            other = other or manifest
            continue
        same = True
        if manifest["blocks"] != (None if blocks is None else list(blocks)):
            continue
        if is_shorter(manifest, experiment) or not is_whole(folder, manifest):
            return folder
    if other is not None and not same:
        raise other
    return None


def why_none(out: Path, experiment: Experiment) -> str:
    """Why `find_resumable` finds none below `out`, in words."""
    for folder, manifest in _runs(out, experiment):
        if isinstance(manifest, StoreError) or manifest["blocks"] is not None:
            continue
        if failed := manifest.get("failed"):
            again = "mend the strategy and run it anew, without --resume"
            return f"{folder} is finished but for {len(failed)} that failed: {again}"
        every = shapes(manifest)
        counts = [shape.blocks if shape.tournament else shape.hands for shape in every]
        what = "tournaments" if every[0].tournament else "hands"
        return f"{folder} has {sum(counts):,} {what} already: ask for more"
    return "none is of this experiment, or of these blocks"


def _runs(out: Path, experiment: Experiment) -> Iterator[tuple[Path, dict[str, Any] | StoreError]]:
    """The runs of an experiment's name below `out`, newest first, with their manifests, or why they are others."""
    for folder in sorted((path.parent for path in (out / experiment.name).glob(f"*/{MANIFEST}")), reverse=True):
        try:
            manifest = read_manifest(folder)
            refuse_others(folder, manifest, experiment)
        except StoreError as error:
            yield folder, error
        else:
            yield folder, manifest


def is_shorter(manifest: Mapping[str, Any], experiment: Experiment) -> bool:
    """Whether a run has fewer hands than are asked for now."""
    pairs = zip(shapes(manifest), experiment.scenarios, strict=True)
    return any(shape.hands < scenario.hands for shape, scenario in pairs)


def refuse_others(path: Path, manifest: Mapping[str, Any], experiment: Experiment) -> None:
    """StoreError, naming what differs, unless a run is of the same experiment."""
    if found := differences(identity_in(manifest), identity_of(experiment)):
        raise StoreError(f"{path} cannot be resumed, it is another experiment: {'; '.join(found)}")


def refuse_fewer(path: Path, manifest: Mapping[str, Any], experiment: Experiment) -> None:
    """StoreError when a run was begun for more hands than are asked for now: its bins would not fit."""
    if experiment.search is not None and [one.hands for one in experiment.scenarios] != [
        shape.hands for shape in shapes(manifest)
    ]:
        raise StoreError(f"{path} is a search of other length, whose rounds end elsewhere: begin another run")
    asked_before = manifest["extending_to"] or [shape.hands for shape in shapes(manifest)]
    for scenario, hands in zip(experiment.scenarios, asked_before, strict=True):
        if scenario.hands < hands:
            what = "hands" if scenario.tournament is None else "tournaments"
            size = 1 if scenario.tournament is None else scenario.block_hands
            raise StoreError(
                f"{path} was begun for {hands // size:,} {what} of scenario {scenario.name!r} and cannot be cut to "
                f"{scenario.hands // size:,}: ask for {hands // size:,} or more, or begin another run"
            )


def resumed_manifest(
    path: Path, manifest: dict[str, Any], experiment: Experiment, command: Sequence[str]
) -> dict[str, Any]:
    """The manifest of a run that is resumed now; that of a finished one stays until it is finished anew."""
    resumed = [*manifest["resumed"], {"at": now(), "command": list(command), "versions": versions()}]
    if not is_whole(path, manifest):
        unfinished = {"finished": None, "played": None, "files": None, "extending_to": None}
        return {**manifest, **for_manifest(experiment), **unfinished, "resumed": resumed}
    hands = [scenario.hands for scenario in experiment.scenarios]
    if hands == [shape.hands for shape in shapes(manifest)]:
        return manifest
    return {**manifest, "extending_to": hands, "resumed": resumed}
