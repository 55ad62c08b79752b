"""A small finished run of two scenarios for the tests of the run folder, and how it is recorded."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from razz_sim.batch import Counted
from razz_sim.experiment import Experiment
from razz_sim.store import MANIFEST, RunFolder

STAKES = {"ante": "0.20", "bring_in": 1, "small_bet": 2, "big_bet": 4}
ASKED = {
    "name": "kept",
    "seed": 2**64 - 1,
    "hands": 2500,
    "stakes": [{**STAKES, "name": "raked", "rake": {"percent": 5, "cap": 2}}, {**STAKES, "name": "free"}],
    "lineup": [{"name": "table", "strategy": "tight"}, {"name": "Zoë [bold]", "strategy": "caller", "seats": 3}],
}


def played(out: Path, experiment: Experiment, counted: list[Counted]) -> RunFolder:
    """A folder in which everything is recorded."""
    folder = RunFolder.create(out, experiment, ["razz-sim", "run", "kept.yaml"])
    for part in counted:
        folder.record(part)
    return folder


def reseal(folder: Path, **changes: Any) -> None:
    """Change a manifest as somebody would who knows how its checksum is made."""
    manifest = {**json.loads((folder / MANIFEST).read_text()), **changes}
    del manifest["checksum"]
    seal = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
    (folder / MANIFEST).write_text(json.dumps({**manifest, "checksum": seal}))
