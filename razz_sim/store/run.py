"""A finished run, read back and proven.

PyArrow is imported where a table is read: looking at a hand of a run needs none, and it takes time.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import razz_sim
from razz_sim.batch import Verdict
from razz_sim.experiment import BlockRange, Experiment
from razz_sim.store.journal import read_journal
from razz_sim.store.manifest import (
    BINS,
    JOURNAL,
    SUMMARY,
    TOTALS,
    blocks_of,
    damaged,
    read_manifest,
    read_proven,
    recorded_experiment,
    resume_command,
    shapes,
    verdicts_in,
)
from razz_sim.store.writing import StoreError, lock_holder
from razz_sim.tally import RESULTS_VERSION, Tally, digest

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run plays, from its manifest alone: also of one that is unfinished, or ended with an error.

    `verdicts` are decisions that are not asked for, since they held up or ended a process; `blocks` are by scenario
    those that it has, the first and the one after the last; `limited` says whether it was begun for only these.
    """

    run: str
    experiment: Experiment
    verdicts: tuple[Verdict, ...]
    blocks: tuple[BlockRange, ...]
    limited: bool

    @classmethod
    def load(cls, folder: Path | str) -> Asked:
        """Read a run folder's manifest. This runs the strategies' sources. Raises StoreError."""
        manifest = read_manifest(Path(folder))
        return cls(
            run=manifest["run"],
            experiment=recorded_experiment(Path(folder), manifest),
            verdicts=verdicts_in(manifest),
            blocks=tuple(blocks_of(manifest)),
            limited=manifest["blocks"] is not None,
        )


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run as its folder holds it.

    `summary` is `summary.json` as `json.loads` gives it: estimates and intervals. `tallies` are the exact totals, for
    each scenario bin by bin. Frames hold the same totals for analysis:

    >>> from tempfile import TemporaryDirectory
    >>> from razz_sim.batch import play_batch
    >>> from razz_sim.config import experiment_from_dict
    >>> from razz_sim.statistics import summary
    >>> from razz_sim.store import Run, RunFolder
    >>> asked = {"name": "doc", "seed": 7, "hands": 60,
    ...          "lineup": [{"strategy": "tight"}, {"strategy": "caller", "seats": 2}],
    ...          "stakes": {"ante": 1, "bring_in": 2, "small_bet": 4, "big_bet": 8}}
    >>> experiment = experiment_from_dict(asked, Path()).experiment
    >>> folder = TemporaryDirectory()
    >>> with RunFolder.create(Path(folder.name), experiment) as writing:
    ...     for batch in experiment.batches(25, writing.done):
    ...         writing.record(play_batch(experiment.scenarios[0], experiment.seed, batch))
    ...     found = summary(experiment, writing.tallies, runner="local", workers=1, seconds=1.0)
    ...     where = writing.finish(found).folder
    >>> run = Run.load(where)
    >>> run.summary["hands"], run.tallies[0].table_total("hands")
    (60, 60)
    >>> totals = run.to_arrow().to_pylist()
    >>> [(row["entrant"], row["value"]) for row in totals if row["measure"] == "hands"]
    [(None, 60), ('tight', 60), ('caller', 120)]
    >>> run.bins_to_arrow().num_rows  # 60 bins of one block, for the table and two entrants
    180
    >>> folder.cleanup()
    """

    folder: Path
    manifest: dict[str, Any]
    summary: dict[str, Any]
    tallies: tuple[Tally, ...]

    @classmethod
    def load(cls, folder: Path | str) -> Run:
        """Read a run folder and prove it: hashes of all files and the digest of the totals.

        Raises StoreError with a sentence for a folder that is no run, is unfinished, is damaged, or was written by
        another version of the results.
        """
        from razz_sim.store.parquet import read_tallies

        folder = Path(folder)
        manifest = read_manifest(folder)
        if manifest.get("results_version") != RESULTS_VERSION:
            raise StoreError(
                f"{folder} holds results of version {manifest.get('results_version')}; "
                f"this razz_sim ({razz_sim.__version__}) reads version {RESULTS_VERSION}"
            )
        if manifest["files"] is None or not (folder / SUMMARY).exists():
            raise StoreError(_unfinished(folder, manifest))
        content = {name: read_proven(folder / name, manifest) for name in manifest["files"]}
        summary = json.loads(content[SUMMARY])
        tallies = read_tallies(folder, content, manifest)
        if digest(tallies) != summary["digest"]:
            raise damaged(folder / BINS, f"its totals do not have the digest that {SUMMARY} names")
        return cls(folder, manifest, summary, tallies)

    def experiment(self) -> Experiment:
        """The experiment that was played, from the manifest alone. This runs the strategies' sources."""
        return recorded_experiment(self.folder, self.manifest)

    def to_arrow(self) -> pa.Table:
        """Every total in long form: `scenario`, `about`, `entrant`, `measure`, `value` (see `results/README.md`)."""
        from razz_sim.store.parquet import TOTALS_SCHEMA

        return self._table(TOTALS, TOTALS_SCHEMA)

    def bins_to_arrow(self) -> pa.Table:
        """Every total of every bin: a row for the table and one for each entrant, a column for each measure."""
        from razz_sim.store.parquet import BINS_SCHEMA

        return self._table(BINS, BINS_SCHEMA)

    def to_pandas(self) -> pd.DataFrame:
        """`to_arrow` as a pandas frame, where pandas is installed.

        run.to_pandas().query("measure == 'net'").pivot(index="scenario", columns="entrant", values="value")
        """
        return _frame(self.to_arrow())

    def bins_to_pandas(self) -> pd.DataFrame:
        """`bins_to_arrow` as a pandas frame; a column that a row does not have is <NA>, all others stay integers."""
        return _frame(self.bins_to_arrow())

    def _table(self, name: str, schema: pa.Schema) -> pa.Table:
        from razz_sim.store.parquet import read_table

        return read_table(self.folder / name, read_proven(self.folder / name, self.manifest), schema)


def _frame(table: pa.Table) -> pd.DataFrame:
    try:
        import pandas as pd
        import pyarrow as pa
    except ImportError as error:
        raise ImportError("pandas is not installed: pip install pandas, or use to_arrow and bins_to_arrow") from error
    return table.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)


def _unfinished(folder: Path, manifest: dict[str, Any]) -> str:
    """What a folder holds that was not finished, and how to go on."""
    every, journal = shapes(manifest), read_journal(folder / JOURNAL, manifest["identity"])
    journaled, asked, what = journal.hands, sum(scenario.hands for scenario in every), "hands"
    if every[0].tournament:
        journaled, asked, what = journal.blocks, sum(scenario.blocks for scenario in every), "tournaments"
    how = resume_command(manifest) or f"RunFolder.resume({str(folder)!r}, experiment)"
    kept = f"{journaled:,} of {asked:,} {what} are kept"
    began = f"{folder} is unfinished: the run began at {manifest['started']}, {kept}"
    if (holder := lock_holder(folder)) is not None:
        return f"{began}, and {holder} is playing it now; should it stop, go on with: {how}"
    return f"{began}; go on with: {how}"
