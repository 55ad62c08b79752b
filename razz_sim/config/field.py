"""The field of a tournament: which strategies how many of its players play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from razz_sim.config.lineup import FindStrategy, LineupReader
from razz_sim.config.model import REST
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.problem import PathParts, spell_number, spell_path
from razz_sim.config.tournament_keys import FieldSeats, FieldSize
from razz_sim.config.tree import find, item_paths
from razz_sim.config.values import Weight
from razz_sim.experiment import Entrant
from razz_sim.matches import TournamentFormat, shared_out
from razz_sim.structures import MAX_ENTRANTS, MAX_FIELD

_FIELD: Shape[int] = Shape(FieldSize)
_SEATS: Shape[int | str] = Shape(FieldSeats)
_WEIGHT: Shape[Decimal] = Shape(Weight)


@dataclass(frozen=True, slots=True)
class FieldReader:
    """Reads the line-up of the section at `at`, and how the field is shared out among it."""

    notes: Notes
    at: PathParts
    find_strategy: FindStrategy
    form: TournamentFormat

    def lineup(self) -> tuple[Entrant, ...] | None:
        """The entrants, each with its players, or None when something about them is wrong."""
        notes, paths = self.notes, item_paths(self.notes.tree, (*self.at, "lineup"))
        before = len(notes.problems)
        if len(paths) > MAX_ENTRANTS:
            notes.add((*self.at, "lineup"), f"has {len(paths)} entrants: a tournament has at most {MAX_ENTRANTS}")
        entrants = LineupReader(notes, self.at, self.find_strategy, self.form).entrants(paths, {})
        for path, entrant in zip(paths, entrants or (), strict=False):
            if entrant.strategy.kind == "array":
                sentence = f"{entrant.strategy.spec} decides for many tables at once, which no tournament asks for"
                notes.add((*path, "strategy"), f"{sentence}: write it as a function, or as a class with act")
        names = [entrant.name for entrant in entrants or ()]
        counts = self.counts(paths, names)
        if entrants is None or counts is None or len(notes.problems) > before:
            return None
        return tuple(replace(entrant, seats=count) for entrant, count in zip(entrants, counts, strict=True))

    def counts(self, paths: list[PathParts], names: list[str]) -> list[int] | None:
        """How many players each entrant has; what is wrong is noted."""
        notes, at = self.notes, self.at
        field = notes.read(_FIELD, (*at, "field"))
        given = [notes.read(_SEATS, (*path, "seats")) for path in paths]
        absent = [find(notes.tree, (*path, "seats")) is None for path in paths]
        wrong = [one is None and not left_out for one, left_out in zip(given, absent, strict=True)]
        before = len(notes.problems)
        self.note_weights(paths, absent)
        if not paths or any(wrong) or (field is None and find(notes.tree, (*at, "field")) is not None):
            return None
        resting = [place for place, one in enumerate(given) if one == REST]
        self.note_rests(paths, resting, absent)
        if field is None or len(notes.problems) > before:
            return self.without_field(paths, given, resting) if field is None else None
        counted = [one if isinstance(one, int) else 0 for one in given]
        shared = resting or [place for place, left_out in enumerate(absent) if left_out]
        left = field - sum(counted)
        if not shared and left:
            self.note_misfit(counted, field)
            return None
        if shared and not self.shares_out(paths, shared, left, names, counted):
            return None
        return counted

    def without_field(
        self, paths: list[PathParts], given: list[int | str | None], resting: list[int]
    ) -> list[int] | None:
        """The players of each entrant where they are the field: one where no number is given."""
        notes, before = self.notes, len(self.notes.problems)
        if resting:
            sentence = f"{REST} needs to know how many players there are: write field: 180, or how many here"
            notes.add((*paths[resting[0]], "seats"), sentence)
        for path in paths:
            if find(notes.tree, (*path, "weight")) is not None:
                sentence = "shares out what is left of a field: write field: 180, or seats here instead"
                notes.add((*path, "weight"), sentence)
        counted = [one if isinstance(one, int) else 1 for one in given]
        if not 2 <= sum(counted) <= MAX_FIELD and not resting:
            players = f"{spell_number(sum(counted))} player{'s' * (sum(counted) > 1)}"
            notes.add((*self.at, "lineup"), f"comes to {players}: a tournament has 2 to {spell_number(MAX_FIELD)}")
        return counted if len(notes.problems) == before else None

    def note_weights(self, paths: list[PathParts], absent: list[bool]) -> None:
        """Weights of entrants whose players are counted."""
        for path, left_out in zip(paths, absent, strict=True):
            if not left_out and find(self.notes.tree, (*path, "weight")) is not None:
                sentence = "stands beside seats: a weight is for entrants that share what is left of the field"
                self.notes.add((*path, "weight"), sentence)

    def note_rests(self, paths: list[PathParts], resting: list[int], absent: list[bool]) -> None:
        """More than one entrant that is to have the rest."""
        sharing = [place for place, left_out in enumerate(absent) if left_out]
        if not resting or len(resting) + len(sharing) == 1:
            return
        notes, last = self.notes, (*paths[resting[-1]], "seats")
        if len(resting) > 1:
            first = f"{spell_path(paths[resting[0]])}{notes.line((*paths[resting[0]], 'seats'))}"
            notes.add(last, f"{first} has the rest of the field already: write how many, or leave both out")
        elif find(notes.tree, (*self.at, "field")) is not None:
            other = f"{spell_path(paths[sharing[0]])}{notes.line(paths[sharing[0]])}"
            sentence = f"{other} has no seats, so it shares what is left by weight: leave seats out here too"
            notes.add(last, sentence)

    def note_misfit(self, counted: list[int], field: int) -> None:
        """Too many players or too few."""
        total = sum(counted)
        filled = f"{' + '.join(map(str, counted))} = {total}" if 1 < len(counted) <= 12 else spell_number(total)
        missing = field - total
        advice = f"{spell_number(missing)} more; one entrant may have seats: {REST}"
        if missing < 0:
            advice = f"{spell_number(-missing)} too many"
        sentence = f"comes to {filled} players, but the field has {spell_number(field)}: {advice}"
        self.notes.add((*self.at, "lineup"), sentence)

    def shares_out(
        self, paths: list[PathParts], shared: list[int], left: int, names: list[str], counted: list[int]
    ) -> bool:
        """Share out what is left of the field by weight; False, and noted, when somebody would have no player."""
        notes = self.notes
        read = [notes.read(_WEIGHT, (*paths[place], "weight"), Decimal(1)) for place in shared]
        if any(weight is None for weight in read):
            return False
        weights = [Fraction(weight or 1) for weight in read]
        quotas = shared_out(weights, left) if left > 0 else [0] * len(shared)
        for place, quota in zip(shared, quotas, strict=True):
            counted[place] = quota
        if 0 not in quotas:
            return True
        without = [place for place, quota in zip(shared, quotas, strict=True) if not quota]
        name = names[without[0]] if names else spell_path(paths[without[0]])
        others = f" and {len(without) - 1} more" if len(without) > 1 else ""
        there = "no players are" if left < 1 else "1 player is" if left == 1 else f"{spell_number(left)} players are"
        taken = f"{there} left of the field of {spell_number(left + sum(counted) - sum(quotas))}"
        advice = "make the field larger, or give them seats" if left > 0 else "take some from others"
        path = (*paths[without[0]], "seats") if find(notes.tree, (*paths[without[0]], "seats")) else paths[without[0]]
        notes.add(path, f"{taken}, and none for {name}{others}: {advice}")
        return False
