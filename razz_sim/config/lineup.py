"""The line-up: who plays, with what strategy, in which seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from razz_sim.config.model import REST, EntrantKeys, PinnedEntrantKeys, Seats, TableKeys
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.problem import PathParts, spell_path
from razz_sim.config.tournament_keys import PinnedPlayerKeys, PlayerKeys
from razz_sim.config.tree import find, item_paths
from razz_sim.experiment import Entrant
from razz_sim.matches import TOURNAMENT_FORMATS, FormatKind
from razz_sim.rules import MAX_SEATS, MIN_SEATS
from razz_sim.strategy import StrategyError, StrategySource, check_params

FindStrategy = Callable[[str], StrategySource]
"""Finds a strategy by its spec, or raises StrategyError."""

_ENTRANT: Shape[EntrantKeys] = Shape(EntrantKeys)
_PINNED: Shape[EntrantKeys] = Shape(PinnedEntrantKeys)
_PLAYER: Shape[EntrantKeys] = Shape(PlayerKeys)
_PINNED_PLAYER: Shape[EntrantKeys] = Shape(PinnedPlayerKeys)
_SEATS: Shape[int | str] = Shape(Seats)
_TABLE: Shape[TableKeys] = Shape(TableKeys)


@dataclass(frozen=True, slots=True)
class LineupReader:
    """Reads the line-up, and the size of the table, of the section at `at`."""

    notes: Notes
    at: PathParts
    find_strategy: FindStrategy
    kind: FormatKind | None = "table"
    """The format, which may say how many seats each entrant has; None when it is not known."""

    def lineup(self) -> tuple[Entrant, ...] | None:
        """The entrants, or None when something about them is wrong."""
        notes = self.notes
        before = len(notes.problems)
        paths = item_paths(notes.tree, (*self.at, "lineup"))
        seats = self.seats(paths)
        self.note_weights(paths)
        found = self.entrants(paths, seats)
        return found if len(notes.problems) == before else None

    def entrants(self, paths: list[PathParts], seats: Mapping[PathParts, int]) -> tuple[Entrant, ...] | None:
        """The entrants at these paths, in a seat each where no number is given."""
        notes = self.notes
        before = len(notes.problems)
        entrants = [self.entrant(path, seats.get(path)) for path in paths]
        named: dict[str, PathParts] = {}
        for path, entrant in zip(paths, entrants, strict=True):
            if entrant is None:
                continue
            if entrant.name in named:
                first = f"{spell_path(named[entrant.name])}{notes.line((*named[entrant.name], 'name'))}"
                sentence = f"{entrant.name!r} is the name of {first} too: entrants need names of their own"
                notes.add((*path, "name"), sentence)
            named.setdefault(entrant.name, path)
        found = tuple(entrant for entrant in entrants if entrant is not None)
        return found if 0 < len(found) == len(entrants) and len(notes.problems) == before else None

    def seats(self, paths: list[PathParts]) -> Mapping[PathParts, int]:
        """How many seats each entrant has; what is wrong with them together is noted."""
        notes, at = self.notes, self.at
        if self.kind != "table":
            self.note_seats(paths)
            return {}
        given = {path: notes.read(_SEATS, (*path, "seats"), 1) for path in paths}
        seats = {path: count for path, count in given.items() if isinstance(count, int)}
        resting = [path for path, count in given.items() if count == REST]
        table = notes.read(_TABLE, (*at, "table"))
        if not paths or None in given.values() or (table is None and find(notes.tree, (*at, "table")) is not None):
            return seats
        if resting and table is None:
            sentence = "rest needs to know the size of the table: write table: {seats: 8}, or how many seats here"
            notes.add((*resting[0], "seats"), sentence)
        elif len(resting) > 1:
            first = f"{spell_path(resting[0])}{notes.line((*resting[0], 'seats'))}"
            notes.add((*resting[1], "seats"), f"{first} has the rest of the seats already: write how many")
        elif resting and table is not None:
            left = table.seats - sum(seats.values())
            if left < 1:
                taken = f"the others fill {sum(seats.values())} of the table's {table.seats}"
                notes.add((*resting[0], "seats"), f"no seat is left: {taken}")
            else:
                seats[resting[0]] = left
        else:
            self.note_misfit(list(seats.values()), table)
        return seats

    def note_seats(self, paths: list[PathParts]) -> None:
        """Seats where the format says how many there are."""
        for path in ((*self.at, "table"), *((*path, "seats") for path in paths)):
            if find(self.notes.tree, path) is not None:
                self.notes.add(path, "is for one table of all: in matches, format.seats says how many seats there are")

    def note_weights(self, paths: list[PathParts]) -> None:
        """Weights where no seats are shared out by them; a scenario that is spelled out may be a table of some."""
        if self.at or self.kind in (None, "population"):
            return
        for path in paths:
            if find(self.notes.tree, (*path, "weight")) is not None:
                sentence = "is for a population, which shares out its seats by weight: format: {kind: population}"
                self.notes.add((*path, "weight"), sentence)

    def note_misfit(self, seats: list[int], table: TableKeys | None) -> None:
        """Too many seats or too few."""
        total = sum(seats)
        filled = f"{' + '.join(map(str, seats))} = {total}" if len(seats) > 1 else f"{total}"
        filled = f"fills {filled} seat{'s' * (total > 1)}"
        if table is not None and total != table.seats:
            missing = table.seats - total
            advice = (
                f"{missing} more to fill; one entrant may have seats: {REST}" if missing > 0 else f"{-missing} too many"
            )
            self.notes.add((*self.at, "lineup"), f"{filled}, but the table has {table.seats}: {advice}")
        elif not MIN_SEATS <= total <= MAX_SEATS:
            self.notes.add((*self.at, "lineup"), f"{filled}: a table has {MIN_SEATS} to {MAX_SEATS}")

    @property
    def shape(self) -> Shape[EntrantKeys]:
        """How an entrant is written here."""
        if self.kind in TOURNAMENT_FORMATS:
            return _PINNED_PLAYER if self.at else _PLAYER
        return _PINNED if self.at else _ENTRANT

    def entrant(self, path: PathParts, seats: int | None) -> Entrant | None:
        """One entrant, with its strategy found and its parameters checked."""
        notes = self.notes
        keys = notes.read(self.shape, path)
        if keys is None:
            return None
        try:
            source = self.find_strategy(keys.strategy)
        except StrategyError as error:
            notes.add((*path, "strategy"), str(error))
            return None
        if isinstance(keys, PinnedEntrantKeys | PinnedPlayerKeys) and keys.sha256 != source.sha256:
            sentence = f"{keys.strategy} is no longer the source it was: {source.sha256} now, {keys.sha256} then"
            notes.add((*path, "sha256"), sentence)
        refused = False
        for name, value in keys.params.items():
            try:
                check_params(source, {name: value})
            except StrategyError as error:
                notes.add((*path, "params", name), str(error).removeprefix(f"{name}: "))
                refused = True
        if refused:
            return None
        try:
            params = check_params(source, keys.params)
        except StrategyError as error:
            notes.add((*path, "params"), str(error))
            return None
        weight = (keys.weight or Decimal(1)) if self.kind == "population" else keys.weight
        weight = None if isinstance(keys, PlayerKeys) else weight
        return Entrant(keys.name or source.function, source, params, seats or 1, weight)
