"""The levels of a tournament: written into the experiment, or those of a structure from a file of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, TypeAlias

from razz_sim.config.files import read_text
from razz_sim.config.model import StakesKeys
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.problem import ConfigError, PathParts, Problem, nearest, quote, spell_number
from razz_sim.config.stakes import playable, unusual
from razz_sim.config.tournament_keys import LevelKeys, PaceKeys, PinnedLevelKeys, StructureFileKeys
from razz_sim.config.tree import Items, Section, child, find, item_paths
from razz_sim.config.yaml_lines import parse_yaml
from razz_sim.rules import MAX_CHIPS, MAX_SEATS, Stakes
from razz_sim.structures import MAX_LEVELS, Level

LEVELS, PACE, STRUCTURE = "levels", "pace", "structure"
SHIPPED = Path(__file__).parent / "structures"
MILLISECONDS_OF_A_MINUTE = 60_000
MILLISECONDS_OF_AN_HOUR = 3_600_000
DEFAULT_PACE: Mapping[int, Decimal] = {8: Decimal(30), 2: Decimal(60)}
"""Hands an hour by players dealt in, as a live dealer gets on."""

Unit: TypeAlias = Literal["hands", "minutes", "milliseconds"]
LENGTHS: tuple[Unit, ...] = ("hands", "minutes", "milliseconds")

_LEVEL: Shape[LevelKeys] = Shape(LevelKeys)
_PINNED_LEVEL: Shape[LevelKeys] = Shape(PinnedLevelKeys)
_PACE: Shape[PaceKeys] = Shape(PaceKeys)
_FILE: Shape[StructureFileKeys] = Shape(StructureFileKeys)


@dataclass(frozen=True, slots=True)
class Levels:
    """Levels and what their lengths count: hands, or the milliseconds of a clock."""

    levels: tuple[Level, ...]
    by_clock: bool

    def all_lasting(self, *, hands: int | None, minutes: Decimal | None) -> Levels:
        """The same levels, all of a length if one is given."""
        if hands is None and minutes is None:
            return self
        length = hands if hands is not None else milliseconds(minutes or Decimal(0))
        return Levels(tuple(replace(level, length=length) for level in self.levels), by_clock=minutes is not None)


@dataclass(frozen=True, slots=True)
class Structure:
    """What a file of levels holds; `levels` are None, and there are problems, when it cannot be read.

    `name` is that of one that comes along, or the file's name.
    """

    name: str
    levels: Levels | None
    pace: tuple[int, ...] | None
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]

    @property
    def title(self) -> str:
        """What to call a scenario that has it."""
        return Path(self.name).stem


FindStructure = Callable[[str], Structure]
"""Finds a structure by its name or path; raises ValueError with a sentence where there is none."""


def shipped_structures() -> list[str]:
    """The names of the structures that come along."""
    return sorted(path.stem for path in SHIPPED.glob("*.yaml"))


def find_structure(spec: str, folder: Path) -> Structure:
    """The structure of a name, or in the file of a path from a folder."""
    is_path = "/" in spec or "\\" in spec or spec.endswith((".yaml", ".yml"))
    if not is_path and spec not in shipped_structures():
        raise ValueError(
            f"{quote(spec)} is no structure that comes along; {nearest(spec, shipped_structures())} "
            "(the path of a file with levels ends in .yaml)"
        )
    path = folder / spec if is_path else SHIPPED / f"{spec}.yaml"
    if not path.exists():
        raise ValueError(f"{quote(spec)} is not there: its path begins at the folder of the experiment's file")
    try:
        parsed = parse_yaml(read_text(path, "a structure"), str(path))
    except ConfigError as error:
        first = error.problems[0]
        if first.line is None:
            raise ValueError(f"{quote(spec)} {first.sentence}") from None
        return Structure(path.name, None, None, error.problems, ())
    notes = Notes(parsed.tree, problems=parsed.problems)
    if not isinstance(parsed.tree, Section):
        notes.add((), "must be a mapping with levels: levels: [{ante: ..., bring_in: ..., small_bet: ..., hands: ...}]")
        return Structure(path.name, None, None, tuple(notes.problems), ())
    return _read_file(notes, path.name if is_path else spec)


def _read_file(notes: Notes, name: str) -> Structure:
    notes.note_empty_sections()
    levels = read_levels(notes, (LEVELS,))
    pace = read_pace(notes, (PACE,))
    notes.read(_FILE, ())
    found = None if notes.problems else levels
    return Structure(name, found, pace, tuple(notes.problems), tuple(notes.warnings))


def read_pace(notes: Notes, path: PathParts) -> tuple[int, ...] | None:
    """How long a hand takes by players dealt in, in milliseconds; None if it is not told."""
    keys = notes.read(_PACE, path)
    return None if keys is None else pace_of(keys.hands_per_hour)


def pace_of(hands_per_hour: Mapping[int, Decimal]) -> tuple[int, ...]:
    """Milliseconds of a hand of 0 to 8 players: hands an hour are in proportion between those given.

    >>> pace_of({8: Decimal(30), 2: Decimal(60)})
    (60000, 60000, 60000, 65455, 72000, 80000, 90000, 102857, 120000)
    """
    known = {players: Fraction(rate) for players, rate in sorted(hands_per_hour.items())}
    return tuple(round(MILLISECONDS_OF_AN_HOUR / _rate(known, players)) for players in range(MAX_SEATS + 1))


def _rate(known: Mapping[int, Fraction], players: int) -> Fraction:
    """Hands an hour of so many players, between those known."""
    below = max((count for count in known if count <= players), default=min(known))
    above = min((count for count in known if count >= players), default=max(known))
    if below >= above:
        return known[below]
    return known[below] + (known[above] - known[below]) * Fraction(players - below, above - below)


def milliseconds(minutes: Decimal) -> int:
    """Minutes, which have at most four decimals, in milliseconds."""
    return int(minutes * MILLISECONDS_OF_A_MINUTE)


def read_levels(notes: Notes, path: PathParts, *, pinned: bool = False) -> Levels | None:
    """The levels of a list; what is wrong with them is noted, and once what is unusual."""
    before = len(notes.problems)
    if not isinstance(find(notes.tree, path), Items):
        return None
    paths = item_paths(notes.tree, path)
    if len(paths) > MAX_LEVELS:
        notes.add(path, f"has {len(paths)} levels: at most {MAX_LEVELS}")
    shape = _PINNED_LEVEL if pinned else _LEVEL
    read = [notes.read(shape, at) for at in paths]
    keys = [one for one in read if one is not None]
    units = [_unit(notes, at, one) for at, one in zip(paths, read, strict=True) if one is not None]
    if not keys or len(keys) < len(paths) or len(notes.problems) > before:
        return None
    _note_mixed_units(notes, paths, units)
    for at, one in zip(paths, keys, strict=True):
        if _big_bet(one) > MAX_CHIPS:
            sentence = f"a big bet of twice that is more than {spell_number(MAX_CHIPS)} chips"
            notes.add((*at, "small_bet"), f"{spell_number(one.small_bet)}: {sentence}")
        playable(notes, at, _as_stakes(one))
    if keys[-1].ante == 0:
        sentence = "0 in the last level, which goes on to the end: without an ante a tournament might never end"
        notes.add((*paths[-1], "ante"), sentence)
    if len(notes.problems) > before:
        return None
    _warn_of_unusual(notes, paths, keys)
    levels = tuple(Level(_stakes(one), _length(one)) for one in keys)
    return Levels(levels, by_clock=units[0] != "hands")


def _unit(notes: Notes, at: PathParts, keys: LevelKeys) -> Unit | None:
    """What the length of a level counts; one that has none, or two, is noted."""
    given = [unit for unit in LENGTHS if getattr(keys, unit, None) is not None]
    if len(given) == 1:
        return given[0]
    if given:
        notes.add((*at, given[1]), f"stands beside {given[0]}: one of them must go")
    else:
        notes.add(at, "does not say how long it lasts: write hands: 12 or minutes: 20")
    return None


def _note_mixed_units(notes: Notes, paths: list[PathParts], units: list[Unit | None]) -> None:
    """Levels whose lengths count something else than the first one's."""
    for at, unit in zip(paths, units, strict=True):
        if unit is not None and units[0] is not None and unit != units[0]:
            first = f"{units[0]} in the first level{notes.line((*paths[0], units[0]))}"
            notes.add((*at, unit), f"stands where there are {first}: all levels last hands, or all last minutes")


def _big_bet(keys: LevelKeys) -> int:
    return 2 * keys.small_bet if keys.big_bet is None else keys.big_bet


def _as_stakes(keys: LevelKeys) -> StakesKeys:
    """A level as the keys of stakes, for what is said of these."""
    amounts = {"ante": keys.ante, "bring_in": keys.bring_in, "small_bet": keys.small_bet, "big_bet": _big_bet(keys)}
    exact: dict[str, Any] = {key: Decimal(amount) for key, amount in amounts.items()}
    return StakesKeys.model_construct(**exact, chip=None if keys.chip is None else Decimal(keys.chip))


def _stakes(keys: LevelKeys) -> Stakes:
    big_bet = _big_bet(keys)
    return Stakes(
        name=keys.name if isinstance(keys, PinnedLevelKeys) else f"{keys.small_bet}/{big_bet}",
        ante=keys.ante,
        bring_in=keys.bring_in,
        small_bet=keys.small_bet,
        big_bet=big_bet,
        chip=keys.chip or 1,
    )


def _length(keys: LevelKeys) -> int:
    """How long a level lasts, in hands or in milliseconds."""
    exact = keys.milliseconds if isinstance(keys, PinnedLevelKeys) else None
    return exact or keys.hands or milliseconds(keys.minutes or Decimal(0))


def _warn_of_unusual(notes: Notes, paths: list[PathParts], keys: list[LevelKeys]) -> None:
    """What no room plays for, and limits that fall: each once, at the first level where it is so."""
    found: dict[str, list[tuple[PathParts, str]]] = {}
    for at, one in zip(paths, keys, strict=True):
        for key, sentence in unusual(_as_stakes(one)).items():
            found.setdefault(key, []).append(((*at, key), sentence))
    for number, (one, other) in enumerate(pairwise(keys), start=1):
        if other.small_bet < one.small_bet or _big_bet(other) < _big_bet(one):
            limits = [f"{each.small_bet}/{_big_bet(each)}" for each in (other, one)]
            sentence = f"{limits[0]} is less than {limits[1]} in the level before: limits rise"
            found.setdefault("limits", []).append(((*paths[number], "small_bet"), sentence))
    for each in found.values():
        path, sentence = each[0]
        more = f" (and {len(each) - 1} more level{'s' * (len(each) > 2)})" if len(each) > 1 else ""
        notes.warn(path, sentence + more)


def structures_in(folder: Path) -> FindStructure:
    """Finds structures from a folder, each once."""
    return cache(lambda spec: find_structure(spec, folder))


def structure_named(notes: Notes, path: PathParts) -> tuple[PathParts, str] | None:
    """Where the levels at a path name a structure, and the name; None if they are written out, or wrong."""
    node = find(notes.tree, path)
    at = path if not isinstance(node, Section) else (*path, STRUCTURE)
    named = node if not isinstance(node, Section) else child(node, STRUCTURE)
    text = getattr(named, "value", None)
    return (at, text) if isinstance(text, str) else None
