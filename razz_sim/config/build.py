"""From a tree of keys to an Experiment, with every check that needs more than one key.

Each section is read on its own, so that one mistake does not hide another: a part that cannot be read is None
with its problem noted, and checks that need it are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from razz_sim.config.model import (
    DEFAULT_STACK,
    EntrantKeys,
    ExperimentKeys,
    Hands,
    PinnedEntrantKeys,
    RakeKeys,
    ResolvedKeys,
    RuleKeys,
    RulesChoice,
    RunnerKeys,
    Seed,
    StakesKeys,
)
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.problem import PathParts, spell_number, spell_path
from razz_sim.config.tree import Items, Node, find
from razz_sim.config.values import BigBets, FolderName, Label
from razz_sim.experiment import TALLY_LIMIT, Entrant, Experiment, RunnerChoice, Scenario
from razz_sim.rules import (
    DEFAULT_PRESET,
    MAX_CHIPS,
    MAX_SEATS,
    MIN_SEATS,
    Rake,
    RuleSet,
    Stakes,
    in_units,
    rule_set,
    smallest_unit,
)
from razz_sim.strategy import StrategyError, StrategySource, check_params

FindStrategy = Callable[[str], StrategySource]
"""Finds a strategy by its spec, or raises StrategyError."""

_FILE: Shape[ExperimentKeys] = Shape(ExperimentKeys)
_RESOLVED: Shape[ResolvedKeys] = Shape(ResolvedKeys)
_RULES: Shape[str | RuleKeys] = Shape(RulesChoice)
_STAKES: Shape[StakesKeys] = Shape(StakesKeys)
_ENTRANT: Shape[EntrantKeys] = Shape(EntrantKeys)
_PINNED: Shape[PinnedEntrantKeys] = Shape(PinnedEntrantKeys)
_RUNNER: Shape[RunnerKeys] = Shape(RunnerKeys)
_HANDS: Shape[int] = Shape(Hands)
_SEED: Shape[int] = Shape(Seed)
_STACK: Shape[Decimal] = Shape(BigBets)
_NAME: Shape[str] = Shape(FolderName)
_LABEL: Shape[str] = Shape(Label)

SCENARIOS = "scenarios"
"""The key that only an experiment spelled out has."""


def build(notes: Notes, find_strategy: FindStrategy) -> Experiment | None:
    """The experiment, or None with the problems noted."""
    spelled_out = find(notes.tree, (SCENARIOS,)) is not None
    if spelled_out:
        notes.amounts_as_text = True
    notes.note_empty_sections()
    whole: Shape[Any] = _RESOLVED if spelled_out else _FILE
    notes.read(whole, ())
    scenarios: list[Scenario] = []
    for at in _each(notes.tree, (SCENARIOS,)) if spelled_out else [()]:
        scenarios += _Play(notes, at, find_strategy).scenarios()
    name = notes.read(_NAME, ("name",))
    seed = notes.read(_SEED, ("seed",), 0)
    runner = notes.read(_RUNNER, ("runner",), RunnerKeys())
    if notes.problems or name is None or seed is None or runner is None:
        return None
    choice = RunnerChoice(kind=runner.kind, workers=runner.workers)
    return Experiment(name=name, seed=seed, scenarios=tuple(scenarios), runner=choice)


def _each(tree: Node, path: PathParts) -> list[PathParts]:
    """The paths of a list's items, or the path itself for what is written singly, or none."""
    node = find(tree, path)
    if isinstance(node, Items):
        return [(*path, position) for position in range(len(node.items))]
    return [path] if node is not None else []


@dataclass(frozen=True, slots=True)
class _Play:
    """The section at `at` that says what is played: one scenario for each of its stakes."""

    notes: Notes
    at: PathParts
    find_strategy: FindStrategy

    def scenarios(self) -> list[Scenario]:
        notes, at = self.notes, self.at
        hands = notes.read(_HANDS, (*at, "hands"))
        stack = notes.read(_STACK, (*at, "stack"), DEFAULT_STACK)
        rules = read_rules(notes, (*at, "rules"))
        lineup = self.lineup()
        seats = sum(entrant.seats for entrant in lineup or ())
        named: dict[str, PathParts] = {}
        found: list[Scenario] = []
        for path in _each(notes.tree, (*at, "stakes")):
            stakes = read_stakes(notes, path)
            if stakes is None:
                continue
            if stakes.name in named:
                first = f"{spell_path(named[stakes.name])}{notes.line(named[stakes.name])}"
                sentence = f"{stakes.name!r} is the name of {first} too: scenarios need names of their own"
                notes.add((*path, "name"), sentence)
            named.setdefault(stakes.name, path)
            chips = self.chips(stack, stakes)
            if hands is None or chips is None or rules is None or not lineup:
                continue
            if chips * seats * hands >= TALLY_LIMIT:
                most = TALLY_LIMIT // (chips * seats) - 1
                played = f"{spell_number(hands)} hands with stacks of {stakes.money(chips)}"
                sentence = f"{played} are beyond exact 64-bit totals: at most {spell_number(most)}"
                notes.add((*at, "hands"), sentence)
            elif not notes.problems:
                name = notes.read(_LABEL, (*at, "name"), stakes.name) if at else stakes.name
                found.append(Scenario(name or stakes.name, rules, stakes, chips, lineup, hands))
        return found

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

    def lineup(self) -> tuple[Entrant, ...] | None:
        """The entrants, or None when something about them is wrong."""
        notes = self.notes
        before = len(notes.problems)
        at = (*self.at, "lineup")
        paths = _each(notes.tree, at) if isinstance(find(notes.tree, at), Items) else []
        read = [(path, self.entrant(path)) for path in paths]
        named: dict[str, PathParts] = {}
        for path, entrant in read:
            if entrant is None:
                continue
            if entrant.name in named:
                first = f"{spell_path(named[entrant.name])}{notes.line((*named[entrant.name], 'name'))}"
                sentence = f"{entrant.name!r} is the name of {first} too: entrants need names of their own"
                notes.add((*path, "name"), sentence)
            named.setdefault(entrant.name, path)
        entrants = tuple(entrant for _, entrant in read if entrant is not None)
        if len(entrants) < len(paths) or not entrants:
            return None
        seats = sum(entrant.seats for entrant in entrants)
        if not MIN_SEATS <= seats <= MAX_SEATS:
            each = " + ".join(str(entrant.seats) for entrant in entrants)
            total = f"{each} = {seats}" if len(entrants) > 1 else f"{seats}"
            notes.add(at, f"fills {total} seat{'s' * (seats > 1)}: a table has {MIN_SEATS} to {MAX_SEATS}")
        return entrants if len(notes.problems) == before else None

    def entrant(self, path: PathParts) -> Entrant | None:
        notes = self.notes
        keys = notes.read(_PINNED, path) if self.at else notes.read(_ENTRANT, path)
        if keys is None:
            return None
        try:
            source = self.find_strategy(keys.strategy)
        except StrategyError as error:
            notes.add((*path, "strategy"), str(error))
            return None
        if isinstance(keys, PinnedEntrantKeys) and keys.sha256 != source.sha256:
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
        return Entrant(keys.name or source.function, source, params, keys.seats)


def read_rules(notes: Notes, path: PathParts) -> RuleSet | None:
    """The rules: a preset, or one with options changed."""
    keys = notes.read(_RULES, path, DEFAULT_PRESET)
    if keys is None:
        return None
    return rule_set(keys) if isinstance(keys, str) else rule_set(keys.preset, **keys.options())


def read_stakes(notes: Notes, path: PathParts) -> Stakes | None:
    """Stakes in integers of their smallest unit; what is unusual about them is a warning."""
    keys = notes.read(_STAKES, path)
    if keys is None or not _playable(notes, path, keys):
        return None
    rake = keys.rake
    caps = () if rake is None else (rake.cap, *rake.cap_by_players.values())
    unit = smallest_unit(keys.ante, keys.bring_in, keys.small_bet, keys.big_bet, keys.chip, *caps)
    most = f"{spell_number(MAX_CHIPS)} of {unit:f}, the smallest unit of these stakes"
    if keys.big_bet / unit > MAX_CHIPS:
        notes.add((*path, "big_bet"), f"{keys.big_bet:f} is more than {most}")
        return None
    if any(cap is not None and cap / unit > MAX_CHIPS for cap in caps):
        notes.add((*path, "rake"), f"is capped at more than {most}: leave the cap out if there is none")
        return None
    stakes = Stakes(
        name=keys.name or f"{keys.small_bet:f}/{keys.big_bet:f}",
        ante=in_units(keys.ante, unit),
        bring_in=in_units(keys.bring_in, unit),
        small_bet=in_units(keys.small_bet, unit),
        big_bet=in_units(keys.big_bet, unit),
        chip=1 if keys.chip is None else in_units(keys.chip, unit),
        unit=unit,
        rake=None if rake is None else _rake(rake, unit),
    )
    for sentence in stakes.unusual():
        key, _, rest = sentence.partition(" ")
        notes.warn((*path, key), rest)
    return stakes


def _rake(keys: RakeKeys, unit: Decimal) -> Rake:
    return Rake(
        percent=keys.percent,
        cap=None if keys.cap is None else in_units(keys.cap, unit),
        cap_by_players=tuple((count, in_units(cap, unit)) for count, cap in sorted(keys.cap_by_players.items())),
        third_street=keys.third_street,
    )


def _playable(notes: Notes, path: PathParts, keys: StakesKeys) -> bool:
    """Whether stakes can be played; each reason why not is noted at its key."""
    wrong: list[tuple[PathParts, str]] = []
    if keys.bring_in > keys.small_bet:
        sentence = f"{keys.bring_in:f} must not be above small_bet {keys.small_bet:f}; usual is 20-50 % of it"
        wrong.append((("bring_in",), sentence))
    if keys.big_bet < keys.small_bet:
        sentence = f"{keys.big_bet:f} must not be below small_bet {keys.small_bet:f}; usual is twice that"
        wrong.append((("big_bet",), sentence))
    if not keys.ante and not keys.bring_in:
        wrong.append((("ante",), "0, and bring_in is 0 too: there would be nothing to play for; one must be above 0"))
    if keys.chip is not None:
        for key in ("ante", "bring_in", "small_bet", "big_bet"):
            amount: Decimal = getattr(keys, key)
            if Fraction(amount) % Fraction(keys.chip):
                wrong.append(((key,), f"{amount:f} must be a multiple of chip {keys.chip:f}"))
    if keys.rake is not None and keys.rake.cap is not None and keys.rake.cap_by_players:
        wrong.append((("rake", "cap_by_players"), "stands beside cap: one of them must go"))
    for key_path, sentence in wrong:
        notes.add((*path, *key_path), sentence)
    return not wrong
