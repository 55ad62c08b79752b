"""From a tree of keys to an Experiment, with every check that needs more than one key.

Each section is read on its own, so that one mistake does not hide another: a part that cannot be read is None
with its problem noted, and checks that need it are left out. A sweep is read point by point, each as a file of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import lcm
from pathlib import Path

from razz_sim.config.axis import Axis
from razz_sim.config.baseline import BaselineReader
from razz_sim.config.deciding import measured_again, read_search, read_stop
from razz_sim.config.keys import MAX_SCENARIOS, Hands
from razz_sim.config.levels import FindStructure, structures_in
from razz_sim.config.lineup import FindStrategy, LineupReader
from razz_sim.config.model import (
    DEFAULT_STACK,
    DEFAULT_TABLES,
    MAX_TABLES,
    ExperimentKeys,
    FormatChoice,
    FormatKeys,
    LimitsKeys,
    OnErrorChoice,
    ResolvedKeys,
    RunnerKeys,
    ScenarioKeys,
    Seed,
    SessionKeys,
)
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.overrides import SWEEP, Override
from razz_sim.config.problem import PathParts, Problem, shorten, spell_number, spell_path
from razz_sim.config.real_stakes import STAKES
from razz_sim.config.sections import as_spelled_out, read_rules
from razz_sim.config.stakes import read_stakes
from razz_sim.config.sweep import Point, attributed, is_swept, labels, note_too_many, points, read_axes
from razz_sim.config.tournaments import TournamentReader, tournament_format
from razz_sim.config.tree import Items, find, item_paths, written
from razz_sim.config.values import LONGEST_SCENARIO_NAME, BigBets, FolderName, Truth
from razz_sim.experiment import (
    MAX_HANDS,
    TALLY_LIMIT,
    Entrant,
    Experiment,
    Limits,
    OnError,
    RunnerChoice,
    Scenario,
    Session,
    replicas,
)
from razz_sim.matches import FormatKind, Match, lineups, match_name, population, shared_out, tables_for_all
from razz_sim.rules import MAX_CHIPS, MIN_SEATS, Stakes

_FILE: Shape[ExperimentKeys] = Shape(ExperimentKeys)
_RESOLVED: Shape[ResolvedKeys] = Shape(ResolvedKeys)
_SCENARIO: Shape[ScenarioKeys] = Shape(ScenarioKeys)
_SESSION: Shape[SessionKeys] = Shape(SessionKeys)
_RUNNER: Shape[RunnerKeys] = Shape(RunnerKeys)
_LIMITS: Shape[LimitsKeys] = Shape(LimitsKeys)
_ON_ERROR: Shape[OnError] = Shape(OnErrorChoice)
_HANDS: Shape[int] = Shape(Hands)
_SEED: Shape[int] = Shape(Seed)
_STACK: Shape[Decimal] = Shape(BigBets)
_NAME: Shape[str] = Shape(FolderName)
_FORMAT: Shape[FormatKind | FormatKeys] = Shape(FormatChoice)
_DUPLICATE: Shape[bool] = Shape(Truth)

Setting = tuple[Scenario, ...]
"""The matches of one point: what is swept is the same in all."""

Where = tuple[int, tuple[int | None, ...]]
"""The position of a setting's stakes in their list, and its step on each axis; None on one that is about others."""

SCENARIOS = "scenarios"
"""The key that only an experiment spelled out has."""


def build(
    notes: Notes, find_strategy: FindStrategy, changes: Sequence[Override] = (), folder: Path = Path()
) -> Experiment | None:
    """The experiment, or None with the problems noted; files of levels are looked for from a `folder`."""
    finders = cache(find_strategy), structures_in(folder)
    spelled_out = find(notes.tree, (SCENARIOS,)) is not None
    notes.amounts_as_text |= spelled_out
    notes.note_empty_sections()
    seed = notes.read(_SEED, ("seed",), 0)
    if spelled_out:
        notes.read(_RESOLVED, ())
        paths = item_paths(notes.tree, (SCENARIOS,))
        settings = [one for at in paths for _, one in _Play(notes, at, *finders).settings()]
        _note_lost_baselines(notes, paths, settings)
    else:
        settings = _at_all_points(notes, read_axes(notes, changes, seed or 0), *finders)
    name = notes.read(_NAME, ("name",))
    runner = notes.read(_RUNNER, ("runner",), RunnerKeys())
    limits = notes.read(_LIMITS, ("limits",), LimitsKeys())
    if notes.problems or name is None or seed is None or runner is None or limits is None:
        return None
    choice = RunnerChoice(kind=runner.kind, workers=runner.workers)
    scenarios = settings if spelled_out else _titled([*settings, *measured_again(notes, settings)])
    played = tuple(one for setting in scenarios for one in setting)
    experiment = Experiment(name, seed, played, choice, Limits(**limits.model_dump()))
    return replace(experiment, stop=read_stop(notes, experiment), search=read_search(notes, experiment))


def _titled(settings: Sequence[Setting]) -> list[Setting]:
    """Settings whose matches have names of their own, with the name of the setting where there are several."""
    return [
        tuple(replace(one, name=_title(one, number if len(settings) > 1 else 0)) for one in setting)
        for number, setting in enumerate(settings, start=1)
    ]


def _title(scenario: Scenario, number: int) -> str:
    """The name of a scenario, one match of setting `number`; 0 when there is no other setting."""
    if not scenario.match:
        return scenario.name
    match = match_name(scenario.lineup)
    titles = [match] if not number else [f"{scenario.setting}, {match}", f"setting {number}, {match}"]
    titles.append(f"setting {number}, match {scenario.match}")
    return next(title for title in titles if len(title) <= LONGEST_SCENARIO_NAME)


def _at_all_points(
    notes: Notes, axes: Sequence[Axis], find_strategy: FindStrategy, find_structure: FindStructure
) -> list[Setting]:
    """The settings of a file, those of one structure together: one for each that a point of its sweep differs in."""
    problems: list[tuple[Problem, Point]] = []
    warnings: list[tuple[Problem, Point]] = []
    found: dict[Where, tuple[Setting, Point]] = {}
    for point in points(notes.tree, axes):
        here = Notes(point.tree, notes.amounts_as_text, [*notes.problems, *point.problems])
        if not point.problems:
            for position, setting in _Play(here, (), find_strategy, find_structure).settings():
                at = zip(axes, point.at, strict=True)
                where = tuple(step if axis.concerns(position) else None for axis, step in at)
                found.setdefault((position, where), (setting, point))
        problems += [(problem, point) for problem in here.problems[len(notes.problems) :]]
        warnings += [(one, point) for one in here.warnings if not is_swept(axes, one.path)]
    notes.problems += attributed(axes, problems)
    notes.warnings += attributed(axes, warnings)
    count = sum(len(setting) for setting, _ in found.values())
    if count > MAX_SCENARIOS:
        note_too_many(notes, (SWEEP,) if axes else (STAKES,), f"{spell_number(count)} scenarios")
    if notes.problems:
        return []
    places = sorted(found, key=lambda where: where[0])
    placed = [(position, *found[position, steps]) for position, steps in places]
    settings = _named_by_point(notes, axes, placed) if axes else [setting for _, setting, _ in placed]
    names = [setting[0].setting or setting[0].name for setting in settings]
    numbers = BaselineReader(notes, axes, places, names).numbers()
    return [
        tuple(replace(one, baseline=number) for one in setting)
        for setting, number in zip(settings, numbers, strict=True)
    ]


def _named_by_point(notes: Notes, axes: Sequence[Axis], placed: Sequence[tuple[int, Setting, Point]]) -> list[Setting]:
    """The settings of a sweep with names of their own and their points; two that are the same are noted."""
    same: dict[Setting, Point] = {}
    named: list[Setting] = []
    full_names: list[str] = []
    one_structure = len({setting[0].name for _, setting, _ in placed}) == 1
    for number, (position, setting, point) in enumerate(placed, start=1):
        scenario = setting[0]
        there = [(axis.about(position), at) for axis, at in zip(axes, point.at, strict=True) if axis.concerns(position)]
        concerned, here = [axis for axis, _ in there], Point(point.tree, tuple(at for _, at in there))
        other = same.setdefault(tuple(map(_without_names, setting)), point)
        if other is not point:
            _note_same(notes, axes, other, point)
        settings = tuple((key, written(value)) for axis, at in there for key, value in axis.at(at).items())
        stakes = [] if one_structure else [scenario.name]
        names = (", ".join([*stakes, *labels(concerned, here, full=full)]) or scenario.name for full in (False, True))
        name, full_name = (
            text if len(text) <= LONGEST_SCENARIO_NAME and text.isprintable() else f"{scenario.name}, point {number}"
            for text in names
        )
        named.append(tuple(_called(replace(one, point=settings), name) for one in setting))
        full_names.append(full_name)
    if len({setting[0].name for setting in named}) < len(named):
        return [tuple(_called(one, name) for one in setting) for setting, name in zip(named, full_names, strict=True)]
    return named


def _without_names(scenario: Scenario) -> Scenario:
    """What is played, whatever it and its stakes or levels are called."""
    if scenario.tournament is not None:
        return replace(scenario, name="any", tournament=replace(scenario.tournament, structure=""))
    return replace(scenario, name="any", stakes=replace(scenario.stakes, name="any"))


def _numbered(setting: Setting) -> Setting:
    """The matches of a setting, counted, with its name."""
    return tuple(replace(one, setting=one.name, match=number) for number, one in enumerate(setting, start=1))


def _called(scenario: Scenario, name: str) -> Scenario:
    """A scenario whose setting has this name."""
    return replace(scenario, name=name, setting=name if scenario.match else "")


def _note_same(notes: Notes, axes: Sequence[Axis], one: Point, other: Point) -> None:
    """Two points of one scenario: a value stands there twice, or another path sets it again."""
    number = next(number for number in range(len(axes)) if one.at[number] != other.at[number])
    axis, first, second = axes[number], one.at[number], other.at[number]
    line = axis.line(first)
    before = shorten(axis.told(first)) + (f" (line {line})" if line else "")
    sentence = f"{shorten(axis.told(second))} makes the same scenario as {before}: it must make a difference"
    notes.add(axis.item(second), sentence)


def _note_lost_baselines(notes: Notes, paths: Sequence[PathParts], settings: Sequence[Setting]) -> None:
    """Scenarios spelled out that are compared with a setting that is not there."""
    count = sum(setting[0].match <= 1 for setting in settings)
    for path, setting in zip(paths, settings, strict=False):
        if setting[0].baseline > count:
            notes.add((*path, "baseline"), f"there is no setting {setting[0].baseline}: there are {count}")


@dataclass(frozen=True, slots=True)
class _Play:
    """The section at `at` that says what is played: one setting for each of its stakes."""

    notes: Notes
    at: PathParts
    find_strategy: FindStrategy
    find_structure: FindStructure

    def settings(self) -> list[tuple[int, Setting]]:
        """Each setting with the position of its stakes in their list; tournaments are a single one."""
        form = tournament_format(self.notes.tree, self.at)
        if form is None:
            if self.at:
                self.notes.read(_SCENARIO, self.at)
            else:
                self.notes.read(_FILE, ())
            return self.at_tables()
        reader = TournamentReader(self.notes, self.at, self.find_strategy, self.find_structure, form)
        scenario = reader.scenario()
        return [] if scenario is None else [(0, (as_spelled_out(self.notes, self.at, scenario),))]

    def at_tables(self) -> list[tuple[int, Setting]]:
        """Each setting of hands at one table, or of matches, with the position of its stakes in their list."""
        notes, at = self.notes, self.at
        hands = notes.read(_HANDS, (*at, "hands"))
        stack = notes.read(_STACK, (*at, "stack"), DEFAULT_STACK)
        rules = read_rules(notes, (*at, "rules"))
        session = self.session(hands)
        on_error = notes.read(_ON_ERROR, (*at, "on_error"), "stop")
        form = self.form()
        matched = form is None or form.kind != "table"
        met = self.met(form, LineupReader(notes, at, self.find_strategy, form.kind if form else None).lineup())
        duplicate = notes.read(_DUPLICATE, (*at, "duplicate"))
        named: dict[str, PathParts] = {}
        found: list[tuple[int, Setting]] = []
        listed = isinstance(find(notes.tree, (*at, STAKES)), Items)
        for position, path in enumerate(item_paths(notes.tree, (*at, STAKES)) if listed else [(*at, STAKES)]):
            stakes = read_stakes(notes, path)
            if stakes is None:
                continue
            if stakes.name in named:
                first = f"{spell_path(named[stakes.name])}{notes.line(named[stakes.name])}"
                sentence = f"{stakes.name!r} is the name of {first} too: scenarios need names of their own"
                notes.add((*path, "name"), sentence)
            named.setdefault(stakes.name, path)
            chips = self.chips(stack, stakes)
            if hands is None or chips is None or rules is None or session is None or on_error is None or not met:
                continue
            seats = sum(entrant.seats for entrant in met[0].lineup)
            self.note_overflow(hands, chips, seats, session, stakes)
            again = matched if duplicate is None else duplicate
            self.note_odd_hands(hands, session, {replicas([one.seats for one in match.lineup], again) for match in met})
            if not notes.problems:
                setting = tuple(
                    Scenario(
                        stakes.name, rules, stakes, chips, one.lineup, hands, session, on_error, again, times=one.times
                    )
                    for one in met
                )
                placed = tuple(as_spelled_out(notes, at, one) for one in setting)
                found.append((position, _numbered(setting) if matched else placed))
        return found

    def form(self) -> FormatKeys | None:
        """The format; a scenario that is spelled out is one match."""
        if self.at:
            return FormatKeys(kind="table")
        given = self.notes.read(_FORMAT, ("format",), FormatKeys(kind="table"))
        return FormatKeys(kind=given) if isinstance(given, str) else given

    def met(self, form: FormatKeys | None, lineup: tuple[Entrant, ...] | None) -> tuple[Match, ...]:
        """The matches; none when something is wrong."""
        if form is None:
            return ()
        if form.tables is not None and form.kind != "population":
            sentence = f"is for a population: the line-up of a {form.kind} says which tables there are"
            self.notes.add((*self.at, "format", "tables"), sentence)
            return ()
        if lineup is None:
            return ()
        least = form.seats if form.kind == "round_robin" else MIN_SEATS
        if form.kind != "table" and len(lineup) < least:
            sentence = f"has {len(lineup)} of the {least} entrants that a match of the {form.kind} needs"
            self.notes.add((*self.at, "lineup"), sentence)
            return ()
        if form.kind == "population":
            return self.population(form, lineup)
        assert form.kind == "table" or form.kind == "round_robin" or form.kind == "gauntlet"
        return tuple(map(Match, lineups(form.kind, lineup, form.seats)))

    def population(self, form: FormatKeys, lineup: tuple[Entrant, ...]) -> tuple[Match, ...]:
        """The matches of a population; none when some entrant would have no seat."""
        tables = form.tables or DEFAULT_TABLES
        weights = [Fraction(entrant.weight or 1) for entrant in lineup]
        quotas = shared_out(weights, form.seats * tables)
        if 0 in quotas:
            without = [one.name for one, quota in zip(lineup, quotas, strict=True) if not quota]
            names = without[0] + (f" and {len(without) - 1} more" if len(without) > 1 else "")
            seats = f"the {spell_number(form.seats * tables)} seats of {spell_number(tables)} tables"
            enough = tables_for_all(weights, form.seats)
            advice = f"{spell_number(enough)} tables have one for each"
            if enough > MAX_TABLES:
                advice = f"weights so far apart take more tables than {spell_number(MAX_TABLES)}"
            path = (*self.at, "format") if form.tables is None else (*self.at, "format", "tables")
            self.notes.add(path, f"{seats}, shared out by weight, leave none for {names}: {advice}")
            return ()
        seed = self.notes.read(_SEED, ("seed",), 0)
        return () if seed is None else population(lineup, form.seats, tables, seed)

    def note_odd_hands(self, hands: int, session: Session, arrangements: Collection[int]) -> None:
        """Hands that are whole sessions, but not in all the arrangements of every match."""
        size = session.hands * lcm(*arrangements)
        if hands % size:
            below = hands // size * size
            nearest = " or ".join(spell_number(near) for near in (below, below + size) if 0 < near <= MAX_HANDS)
            each = f"sessions of {spell_number(session.hands)} hands" if session.hands > 1 else "hands"
            *others, most = map(str, sorted(arrangements))
            counts = f"{', '.join(others)} or {most}" if others else most
            what = f"{each}, each in {counts} arrangements"
            self.notes.add((*self.at, "hands"), f"{spell_number(hands)} are no whole {what}: {nearest} would be")

    def session(self, hands: int | None) -> Session | None:
        """What a block is; hands that are not whole sessions are noted."""
        notes, at = self.notes, self.at
        keys = notes.read(_SESSION, (*at, "session"), SessionKeys())
        if keys is None:
            return None
        carry = keys.stacks == "carry"
        if keys.top_up and not carry:
            sentence = "is for stacks that carry on, with stacks: carry; with stacks: reset they are full in each hand"
            notes.add((*at, "session", "top_up"), sentence)
            return None
        if hands is not None and hands % keys.hands:
            below = hands // keys.hands * keys.hands
            nearest = [spell_number(near) for near in (below, below + keys.hands) if 0 < near <= MAX_HANDS]
            sentence = f"{spell_number(hands)} is no multiple of session.hands {spell_number(keys.hands)}"
            notes.add((*at, "hands"), f"{sentence}: {' or '.join(nearest)} would be")
            return None
        return Session(hands=keys.hands, carry=carry, top_up=keys.top_up)

    def note_overflow(self, hands: int, chips: int, seats: int, session: Session, stakes: Stakes) -> None:
        """More than the totals can hold."""
        if chips * seats * hands >= TALLY_LIMIT:
            most = TALLY_LIMIT // (chips * seats) - 1
            played = f"{spell_number(hands)} hands with stacks of {stakes.money(chips)}"
            sentence = f"{played} are beyond exact 64-bit totals: at most {spell_number(most)}"
            self.notes.add((*self.at, "hands"), sentence)
        elif session.carry and chips * session.hands > MAX_CHIPS:
            stack = f"stacks of {stakes.money(chips)} ({stakes.name}), carried on over"
            sentence = f"{stack} {spell_number(session.hands)} hands, may outgrow what the engine counts in"
            self.notes.add((*self.at, "session", "hands"), f"{sentence}: at most {spell_number(MAX_CHIPS // chips)}")

    def chips(self, stack: Decimal | None, stakes: Stakes) -> int | None:
        """A stack in smallest units."""
        if stack is None:
            return None
        exact = Fraction(stack) * stakes.big_bet
        amount = f"{stack:f} big bets of {stakes.money(stakes.big_bet)} ({stakes.name})"
        if exact % stakes.chip:
            near = stakes.money(max(1, round(exact / stakes.chip)) * stakes.chip)
            sentence = f"{amount} are not whole chips of {stakes.money(stakes.chip)}: the nearest amount is {near}"
        elif exact > MAX_CHIPS:
            sentence = f"{amount} are more than {spell_number(MAX_CHIPS)} of the smallest unit {stakes.unit}"
        else:
            return int(exact)
        self.notes.add((*self.at, "stack"), sentence)
        return None
