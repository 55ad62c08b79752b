"""What makes two runs the same experiment: everything a hand depends on, and neither how many hands nor where."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from razz_sim.compiling import source_stamp
from razz_sim.config import for_manifest
from razz_sim.experiment import Experiment
from razz_sim.tally import RESULTS_VERSION

_NO_PART = ("hands", "tournaments", "point", "baseline", "lineup")
"""What does not make a scenario another one: how much is played, how it came to be; the line-up is looked at apart."""
MOST_NAMED = 12
"""Differences beyond this are counted, not named."""

Plain = dict[str, Any]
Words = tuple[str, str]
"""What follows a value in the one and in the other, in a sentence."""


def identity_of(experiment: Experiment) -> Plain:
    """The identity of an experiment that is to be played now."""
    plain = json.loads(json.dumps(for_manifest(experiment)))
    return identity_in({**plain, "results_version": RESULTS_VERSION, "engine": source_stamp()})


def identity_in(manifest: Mapping[str, Any]) -> Plain:
    """The identity of the experiment in a manifest."""
    experiment = {
        key: value for key, value in manifest["experiment"].items() if key not in ("runner", "limits", "scenarios")
    }
    scenarios = [
        {
            **{key: value for key, value in scenario.items() if key not in _NO_PART},
            "lineup": [
                {key: value for key, value in entrant.items() if key != "sha256"} for entrant in scenario["lineup"]
            ],
        }
        for scenario in manifest["experiment"]["scenarios"]
    ]
    return {
        "results_version": manifest["results_version"],
        "engine": manifest["engine"],
        "experiment": experiment,
        "scenarios": scenarios,
        "strategies": {spec: source["sha256"] for spec, source in manifest["strategies"].items()},
    }


def identity_hash(identity: Plain) -> str:
    """A hash of an identity, to bind a journal to."""
    return hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()


def differences(then: Plain, now: Plain, words: Words = ("in the run", "now")) -> list[str]:
    """What differs between the identity of a run and that of what is asked now, each by its path with both values.

    >>> run = {"results_version": 1, "engine": "", "experiment": {"seed": 7}, "scenarios": [], "strategies": {}}
    >>> differences(run, {**run, "experiment": {"seed": 8}})
    ['seed: 7 in the run, 8 now']
    """
    found = list(_values("", then["experiment"], now["experiment"], words))
    found += _in_scenarios(then["scenarios"], now["scenarios"], words)
    for spec in sorted(then["strategies"].keys() & now["strategies"].keys()):
        if then["strategies"][spec] != now["strategies"][spec]:
            found.append(f"strategy {spec}: its source changed")
    before, after = ({"results version": one["results_version"]} for one in (then, now))
    found += _values("", before, after, words)
    if then["engine"] != now["engine"]:
        found.append("the engine: its source changed")
    more = len(found) - MOST_NAMED
    return found if more <= 0 else [*found[:MOST_NAMED], f"and {more} more"]


def _in_scenarios(then: Sequence[Plain], now: Sequence[Plain], words: Words) -> list[str]:
    """Differences between scenarios; one that they all share is named once."""
    if len(then) != len(now):
        return [f"scenarios: {len(then)} {words[0]}, {len(now)} {words[1]}"]
    places: dict[str, list[int]] = {}
    for index, (one, other) in enumerate(zip(then, now, strict=True)):
        for difference in _values("", one, other, words):
            places.setdefault(difference, []).append(index)
    return [
        sentence
        for difference, indices in places.items()
        for sentence in (
            [difference] if len(indices) == len(then) else [f"scenarios[{index}].{difference}" for index in indices]
        )
    ]


def _values(path: str, then: object, now: object, words: Words) -> Iterator[str]:
    """Every leaf of two plain values that differs, by its path."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys([*then, *now]):
            yield from _values(f"{path}.{key}" if path else str(key), then.get(key), now.get(key), words)
    elif isinstance(then, list) and isinstance(now, list):
        if len(then) != len(now):
            yield f"{path}: {len(then)} {words[0]}, {len(now)} {words[1]}"
            return
        for index, (one, other) in enumerate(zip(then, now, strict=True)):
            yield from _values(f"{path}[{index}]", one, other, words)
    elif then != now:
        yield f"{path}: {_shown(then)} {words[0]}, {_shown(now)} {words[1]}"


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value
    return "none" if value is None else json.dumps(value)
