"""What only long runs show: `python -m benchmarks.scale [--seconds N] [--most-hands N]`.

Ray with two workers against one local process over the same work, how many batches a driver can merge and how many
tasks it can hand out in a second, and resident memory of a short and of a long run. One run takes some ten minutes;
nothing else should load the machine.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.engine import SEED, scenario_of
from benchmarks.machine import machine, machine_line
from benchmarks.start_up import CONFIG
from razz_sim.batch import Counted, play_batch
from razz_sim.experiment import Experiment
from razz_sim.runner import Played, play
from razz_sim.runner.on_ray import connected, play_remotely
from razz_sim.store import RunFolder
from razz_sim.tally import TABLE_COLUMNS, digest

WORKERS = 2
BATCH_HANDS = 65_536
MERGED_BATCHES = 200_000
PAGE = 4096
LOOK_SECONDS = 0.1


def experiment_of(hands: int) -> Experiment:
    """Six seats of mixed strategies."""
    return Experiment(name="scale", seed=SEED, scenarios=(scenario_of("mixed", 6, hands),))


def played(hands: int, kind: str) -> tuple[Played, str]:
    """How so many hands were played, and their digest."""
    experiment = experiment_of(hands)
    scenario = experiment.scenarios[0]
    tally = scenario.tally()

    def deliver(counted: Counted) -> None:
        counted.add_to(tally)

    how = play(experiment, deliver, kind=kind, workers=WORKERS)
    return how, digest([tally])


def scaling(seconds: float) -> Iterator[str]:
    """Ray's two workers against one process before and after them over the same hands: machines change their speed."""
    trial, _ = played(1_000_000, "local")
    hands = int(1_000_000 * seconds / trial.seconds)
    before, digest_before = played(hands, "local")
    spread, digest_spread = played(hands, "ray")
    after, digest_after = played(hands, "local")
    same = "same digest" if digest_before == digest_spread == digest_after else "DIGESTS DIFFER"
    playing = spread.seconds - spread.starting_ray
    times = f"one local process {before.seconds:.1f} and {after.seconds:.1f} s; Ray, {WORKERS} workers, {playing:.1f} s"
    yield f"{hands:,} hands: {times}"
    ratio = (before.seconds + after.seconds) / 2 / playing
    yield f"{ratio:.2f} x one process; {spread.starting_ray:.1f} s to start Ray ({same})"


def resident(hands: int) -> int:
    """The most memory that `razz-sim run` and its children held at once, in bytes, shared pages counted for each."""
    program = Path(sys.executable).with_name("razz-sim")
    with tempfile.TemporaryDirectory(prefix="razz-sim-bench-") as folder:
        config = Path(folder) / "memory.yaml"
        config.write_text(CONFIG, encoding="utf-8")
        command = [str(program), "run", str(config), "--hands", str(hands), "--out", str(Path(folder) / "out"), "-q"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        most = 0
        while process.poll() is None:
            most = max(most, sum(_resident_of(pid) for pid in _family(process.pid)))
            time.sleep(LOOK_SECONDS)
        if process.returncode != 0:
            raise RuntimeError(f"razz-sim run ended with {process.returncode}")
    return most


def _family(pid: int) -> Iterator[int]:
    """A process and its descendants."""
    yield pid
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return
    for child in children:
        yield from _family(int(child))


def _resident_of(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE
    except OSError:
        return 0


def memory(most_hands: int) -> Iterator[str]:
    """Resident memory of a run of a million hands and of a long one."""
    short = resident(1_000_000)
    long = resident(most_hands)
    yield f"resident memory: {short / 1e6:.0f} MB at 1,000,000 hands, {long / 1e6:.0f} MB at {most_hands:,} hands"
    yield f"growth {100 * (long / short - 1):+.1f} %"


def merging() -> Iterator[str]:
    """What one driver can merge: batches counted once are recorded in a run folder under new numbers."""
    experiment = experiment_of(MERGED_BATCHES * BATCH_HANDS)
    scenario = experiment.scenarios[0]
    batches = list(experiment.batches(BATCH_HANDS))
    first = replace(batches[0], stop=1, hands=1)
    counted = play_batch(scenario, SEED, first)
    counted.table[TABLE_COLUMNS.index("hands")] = BATCH_HANDS
    counted.table[TABLE_COLUMNS.index("blocks")] = BATCH_HANDS
    with (
        tempfile.TemporaryDirectory(prefix="razz-sim-bench-") as place,
        RunFolder.create(Path(place), experiment, ["benchmarks.scale"]) as folder,
    ):
        began = time.perf_counter()
        for batch in batches:
            folder.record(replace(counted, batch=batch))
        seconds = time.perf_counter() - began
    rate = len(batches) / seconds
    yield f"merged and journalled: {rate:,.0f} batches/s, {1e6 / rate:.0f} microseconds each"


def empty_tasks(seconds: float = 10.0) -> Iterator[str]:
    """How many tasks that play nothing a driver can submit and collect: Ray's own cost."""
    ray = connected(WORKERS, None)
    remote = ray.remote(num_cpus=1, max_retries=0)(play_remotely)
    shared = ray.put(experiment_of(1))
    waiting = [remote.remote(shared, (), (), "") for _ in range(2 * WORKERS)]
    ray.get(waiting[0])
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        ready, waiting = ray.wait(waiting, num_returns=1)
        ray.get(ready)
        done += 1
        waiting.append(remote.remote(shared, (), (), ""))
    taken = time.perf_counter() - began
    ray.shutdown()
    yield f"Ray's tasks that play nothing: {done / taken:,.0f} tasks/s with {WORKERS} workers"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure all of it and print it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description="Figures of long runs.")
    parser.add_argument("--seconds", type=float, default=60, metavar="N", help="of work for one process (60)")
    parser.add_argument("--most-hands", type=int, default=100_000_000, metavar="N", help="of the long run (100000000)")
    options = parser.parse_args(arguments)
    print(machine_line(machine()), flush=True)
    for part in (scaling(options.seconds), merging(), empty_tasks(), memory(options.most_hands)):
        for line in part:
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
