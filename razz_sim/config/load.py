"""Experiments from files and from Python dictionaries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from razz_sim.config.build import build
from razz_sim.config.files import read_text
from razz_sim.config.lineup import FindStrategy
from razz_sim.config.notes import Notes
from razz_sim.config.overrides import Overrides, apply_overrides, read_overrides
from razz_sim.config.problem import ConfigError, Problem
from razz_sim.config.tree import Scalar, Section, from_python
from razz_sim.config.yaml_lines import Parsed, parse_yaml
from razz_sim.experiment import Experiment
from razz_sim.strategy import find_strategy


@dataclass(frozen=True, slots=True)
class Loaded:
    """An experiment that can be played, and what is unusual about it."""

    experiment: Experiment
    warnings: tuple[Problem, ...] = ()


def load_experiment(
    path: Path,
    *,
    overrides: Overrides = (),
    hands: int | str | None = None,
    tournaments: int | str | None = None,
    seed: int | str | None = None,
) -> Loaded:
    """The experiment in a YAML file, with changes as `--set`, `--hands`, `--tournaments` and `--seed` make them.

    Strategies and structures in files are looked for from the file's folder. Raises ConfigError with every problem
    found.
    """
    source = str(path)
    options = {"hands": hands, "tournaments": tournaments, "seed": seed}
    text = read_text(Path(path))
    try:
        parsed = parse_yaml(text, source)
    except ConfigError as error:
        _, unreadable = read_overrides(overrides, options)
        raise ConfigError([*error.problems, *unreadable]) from None
    if isinstance(parsed.tree, Scalar) and parsed.tree.value is None:
        sentence = "is empty: an experiment needs at least name, hands, stakes and lineup"
        raise ConfigError([Problem(source, None, "", sentence)])
    find = partial(find_strategy, relative_to=Path(path).parent)
    return load_tree(parsed, find, overrides=overrides, options=options, folder=Path(path).parent)


def experiment_from_dict(
    data: Mapping[str, Any],
    relative_to: Path,
    *,
    overrides: Overrides = (),
    hands: int | str | None = None,
    tournaments: int | str | None = None,
    seed: int | str | None = None,
) -> Loaded:
    """The experiment in a dictionary with the keys of the file.

    Amounts may be integers, floats (0.2 is exactly 0.2), Decimals or texts of decimals such as "0.20".
    """
    return load_tree(
        Parsed(from_python(data)),
        partial(find_strategy, relative_to=relative_to),
        overrides=overrides,
        options={"hands": hands, "tournaments": tournaments, "seed": seed},
        amounts_as_text=True,
        folder=relative_to,
    )


def load_tree(
    parsed: Parsed,
    find: FindStrategy,
    *,
    overrides: Overrides = (),
    options: Mapping[str, object] = MappingProxyType({}),
    amounts_as_text: bool = False,
    folder: Path = Path(),
) -> Loaded:
    """The experiment in a tree; ConfigError holds the problems of all stages.

    Strategies are found by `find`, files of levels from a `folder`.
    """
    tree = parsed.tree
    if not isinstance(tree, Section):
        sentence = "must be a mapping: name: ..., hands: ..., stakes: ..., lineup: ..."
        raise ConfigError([*parsed.problems, Problem(tree.place.source, tree.place.line, "", sentence)])
    changes, unreadable = read_overrides(overrides, options)
    tree, misfits = apply_overrides(tree, changes)
    notes = Notes(tree, amounts_as_text=amounts_as_text, problems=[*parsed.problems, *unreadable, *misfits])
    experiment = build(notes, find, changes, folder)
    notes.raise_if_any()
    assert experiment is not None
    return Loaded(experiment, tuple(notes.warnings))
