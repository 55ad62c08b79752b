"""The run folder: what a run leaves behind, written so that nothing is lost and read back so that nothing is believed.

    results/<name>/<run id>/
        manifest.json     what was asked: the experiment, strategy sources, versions, machine; hashes of the other files
        journal.bin       what was counted, appended while the run goes on: each record proves itself
        bins.parquet      every core total of every bin: the exact integers that everything else is computed from
        plays.parquet, classes.parquet, histogram.parquet   how entrants played, results by class of hands, pots by size
        totals.parquet    bins and plays added up, in long form
        summary.json      estimates and intervals; it is written last, so that a folder without it is unfinished

All but the journal are written aside and renamed, so they are there whole or not at all. `results/README.md` describes
the contents.
"""

from razz_sim.store.folder import RunFolder
from razz_sim.store.identity import differences, identity_in
from razz_sim.store.manifest import (
    BINS,
    JOURNAL,
    MANIFEST,
    PARQUET,
    SUMMARY,
    TOTALS,
    TOURNAMENTS,
    json_text,
    played_command,
)
from razz_sim.store.merge import merge
from razz_sim.store.resuming import find_resumable, why_none
from razz_sim.store.run import Asked, Run
from razz_sim.store.verify import Difference, Verification, verify
from razz_sim.store.writing import DiskError, StoreError

__all__ = [
    "BINS",
    "JOURNAL",
    "MANIFEST",
    "PARQUET",
    "SUMMARY",
    "TOTALS",
    "TOURNAMENTS",
    "Asked",
    "Difference",
    "DiskError",
    "Run",
    "RunFolder",
    "StoreError",
    "Verification",
    "differences",
    "find_resumable",
    "identity_in",
    "json_text",
    "merge",
    "played_command",
    "verify",
    "why_none",
]
