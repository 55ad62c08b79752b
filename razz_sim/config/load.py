"""Experiments from files and from Python dictionaries."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from razz_sim.config.build import build
from razz_sim.config.lineup import FindStrategy
from razz_sim.config.notes import Notes
from razz_sim.config.overrides import Overrides, apply_overrides, read_overrides
from razz_sim.config.problem import ConfigError, Problem
from razz_sim.config.tree import Scalar, Section, from_python
from razz_sim.config.yaml_lines import Parsed, parse_yaml
from razz_sim.experiment import Experiment
from razz_sim.strategy import find_strategy

LARGEST_FILE = 1_000_000


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
    seed: int | str | None = None,
) -> Loaded:
    """The experiment in a YAML file, with changes as `--set`, `--hands` and `--seed` make them.

    Strategy files are looked for from the file's folder. Raises ConfigError with every problem found.
    """
    source = str(path)
    options = {"hands": hands, "seed": seed}
    text = _read_text(Path(path))
    try:
        parsed = parse_yaml(text, source)
    except ConfigError as error:
        _, unreadable = read_overrides(overrides, options)
        raise ConfigError([*error.problems, *unreadable]) from None
    if isinstance(parsed.tree, Scalar) and parsed.tree.value is None:
        sentence = "is empty: an experiment needs at least name, hands, stakes and lineup"
        raise ConfigError([Problem(source, None, "", sentence)])
    find = partial(find_strategy, relative_to=Path(path).parent)
    return load_tree(parsed, find, overrides=overrides, options=options)


def experiment_from_dict(
    data: Mapping[str, Any],
    relative_to: Path,
    *,
    overrides: Overrides = (),
    hands: int | str | None = None,
    seed: int | str | None = None,
) -> Loaded:
    """The experiment in a dictionary with the keys of the file.

    Amounts may be integers, floats (0.2 is exactly 0.2), Decimals or texts of decimals such as "0.20".
    """
    return load_tree(
        Parsed(from_python(data)),
        partial(find_strategy, relative_to=relative_to),
        overrides=overrides,
        options={"hands": hands, "seed": seed},
        amounts_as_text=True,
    )


def load_tree(
    parsed: Parsed,
    find: FindStrategy,
    *,
    overrides: Overrides = (),
    options: Mapping[str, object] = MappingProxyType({}),
    amounts_as_text: bool = False,
) -> Loaded:
    """The experiment in a tree; ConfigError holds the problems of all stages."""
    tree = parsed.tree
    if not isinstance(tree, Section):
        sentence = "must be a mapping: name: ..., hands: ..., stakes: ..., lineup: ..."
        raise ConfigError([*parsed.problems, Problem(tree.place.source, tree.place.line, "", sentence)])
    changes, unreadable = read_overrides(overrides, options)
    tree, misfits = apply_overrides(tree, changes)
    notes = Notes(tree, amounts_as_text=amounts_as_text, problems=[*parsed.problems, *unreadable, *misfits])
    experiment = build(notes, find, changes)
    notes.raise_if_any()
    assert experiment is not None
    return Loaded(experiment, tuple(notes.warnings))


def _read_text(path: Path) -> str:
    """The text of a file; ConfigError says why there is none."""
    source = str(path)

    def no(sentence: str, line: int | None = None) -> ConfigError:
        return ConfigError([Problem(source, line, "", sentence)])

    try:
        if path.is_dir():
            raise no("is a folder, not an experiment file")
        if path.stat().st_size > LARGEST_FILE:
            raise no(f"holds more than {LARGEST_FILE} bytes: no experiment file is that long")
        data = path.read_bytes()
    except FileNotFoundError:
        raise no("is not there" + _meant(path)) from None
    except ConfigError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise no(f"cannot be read: {reason}") from None
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise no("is UTF-16: save the file as UTF-8")
    if b"\0" in data:
        raise no("is no text file: an experiment is YAML in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise no(f"byte {data[error.start]:#04x} is not UTF-8: save the file as UTF-8", line) from None


def _meant(path: Path) -> str:
    """The file beside a missing one that was probably meant."""
    if not path.parent.is_dir():
        return f", nor is its folder {path.parent}"
    names = [other.name for other in path.parent.iterdir() if other.suffix in (".yaml", ".yml")]
    found = get_close_matches(path.name, names, n=1)
    return f"; did you mean {path.with_name(found[0])}?" if found else ""
