"""From the keys of whole tournaments to a Scenario, with every check that needs more than one key."""

from __future__ import annotations

from dataclasses import dataclass

from razz_sim.config.field import FieldReader
from razz_sim.config.levels import (
    DEFAULT_PACE,
    LEVELS,
    PACE,
    FindStructure,
    Levels,
    pace_of,
    read_levels,
    read_pace,
    structure_named,
)
from razz_sim.config.lineup import FindStrategy
from razz_sim.config.model import OnErrorChoice, TableKeys
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.prizes import OFFERS, Money, MoneyReader, PrizeChecks, is_offered
from razz_sim.config.problem import PathParts, quote, spell_number
from razz_sim.config.sections import read_rules
from razz_sim.config.tournament_keys import (
    DEFAULT_TOURNAMENT_RULES,
    ChipsAboveZero,
    PinnedPaceKeys,
    StructureKeys,
    TournamentKeys,
    Tournaments,
    TournamentScenarioKeys,
)
from razz_sim.config.tree import Items, Node, Scalar, Section, child, find, place_of
from razz_sim.config.values import Text
from razz_sim.experiment import MAX_HANDS, TALLY_LIMIT, Entrant, OnError, Scenario
from razz_sim.matches import FORMATS, TOURNAMENT_FORMATS, TournamentFormat
from razz_sim.rules import MAX_CHIPS, MAX_SEATS, MIN_SEATS, RuleSet
from razz_sim.structures import BY_HANDS, Again, Tournament

_FILE: Shape[TournamentKeys] = Shape(TournamentKeys)
_SPELLED_OUT: Shape[TournamentScenarioKeys] = Shape(TournamentScenarioKeys)
_COUNT: Shape[int] = Shape(Tournaments)
_STACK: Shape[int] = Shape(ChipsAboveZero)
_TABLE: Shape[TableKeys] = Shape(TableKeys)
_ON_ERROR: Shape[OnError] = Shape(OnErrorChoice)
_STRUCTURE: Shape[StructureKeys] = Shape(StructureKeys)
_PINNED_PACE: Shape[PinnedPaceKeys] = Shape(PinnedPaceKeys)
_TEXT: Shape[str] = Shape(Text)
_MOST_CHIPS = 2**62
"""Of all tournaments together: chips in play are added up level by level."""
_WHAT = {"reentry": "re-entries", "rebuys": "rebuys", "addon": "add-ons"}


def tournament_format(tree: Node, at: PathParts) -> TournamentFormat | None:
    """Which kind of tournaments the section at `at` is about; None if it is about hands at one table.

    One with a format that there is not is what its other keys are of.
    """
    given = find(tree, (*at, "format"))
    named = child(given, "kind") if isinstance(given, Section) else given
    word = named.text if isinstance(named, Scalar) else ""
    for form in TOURNAMENT_FORMATS:
        if form == word:
            return form
    has = {key for key in ("tournaments", "levels", "hands", "stakes") if find(tree, (*at, key)) is not None}
    unknown = word not in FORMATS and has and has <= {"tournaments", "levels"}
    return "tournament" if unknown else None


@dataclass(frozen=True, slots=True)
class Course:
    """How a tournament goes on: what is played at which level, for how long."""

    levels: Levels
    pace: tuple[int, ...]
    structure: str
    title: str


@dataclass(frozen=True, slots=True)
class TournamentReader:
    """Reads the section at `at` that says which tournaments are played."""

    notes: Notes
    at: PathParts
    find_strategy: FindStrategy
    find_structure: FindStructure
    form: TournamentFormat

    def scenario(self) -> Scenario | None:
        """What is played, or None when something is wrong with it."""
        notes, at = self.notes, self.at
        self.note_format()
        self.note_hands_option()
        count = notes.read(_COUNT, (*at, "tournaments"))
        rules = read_rules(notes, (*at, "rules"), DEFAULT_TOURNAMENT_RULES)
        on_error = notes.read(_ON_ERROR, (*at, "on_error"), "stop")
        lineup = FieldReader(notes, at, self.find_strategy, self.form).lineup()
        seats = self.seats()
        stack = notes.read(_STACK, (*at, "starting_stack"))
        course = self.course()
        money = MoneyReader(notes, at).money(stack)
        self.read_all()
        if lineup is None or seats is None or stack is None or course is None or money is None or notes.problems:
            return None
        plan = self.plan(lineup, seats, stack, course, money)
        if plan is None or count is None or rules is None or on_error is None:
            return None
        return self.played(plan, count, rules, on_error, lineup, course.title)

    def read_all(self) -> None:
        """Notes what is wrong with keys that no other check has spoken of."""
        if self.at:
            self.notes.read(_SPELLED_OUT, self.at)
        else:
            self.notes.read(_FILE, ())

    def note_format(self) -> None:
        """A format that is left out, or with keys that say what others do here."""
        notes, path = self.notes, (*self.at, "format")
        if find(notes.tree, path) is None:
            notes.add(path, "is missing: write format: tournament, or shootout, or bracket")
        for key, instead in (("seats", "table: {seats: 8}"), ("tables", "field: 180")):
            if find(notes.tree, (*path, key)) is not None:
                notes.add((*path, key), f"is for matches: for tournaments write {instead}")

    def note_hands_option(self) -> None:
        """`--hands` where tournaments are counted."""
        source = place_of(self.notes.tree, ("hands",)).source
        if not self.at and find(self.notes.tree, ("hands",)) is not None and source.startswith("--"):
            sentence = "counts hands at one table: this file counts tournaments"
            self.notes.add(("hands",), f"{sentence}: say --tournaments N, or --set tournaments=N")

    def seats(self) -> int | None:
        """Seats at each table."""
        notes, path = self.notes, (*self.at, "table")
        usual = MIN_SEATS if self.form == "bracket" else MAX_SEATS
        keys = notes.read(_TABLE, path, TableKeys.model_construct(seats=usual))
        if keys is not None and self.form == "bracket" and keys.seats != MIN_SEATS:
            sentence = f"a bracket is played heads-up, not at tables of {keys.seats}: leave it out, or write a shootout"
            notes.add((*path, "seats"), sentence)
            return None
        return None if keys is None else keys.seats

    # Levels

    def course(self) -> Course | None:
        """The levels and how long hands take."""
        notes, at = self.notes, self.at
        path = (*at, LEVELS)
        if isinstance(find(notes.tree, path), Items):
            levels = read_levels(notes, path, pinned=bool(at))
            name = notes.read(_TEXT, (*at, "structure")) if at else None
            return self.paced(levels, None, name or "", "levels")
        return None if at else self.of_structure(path)

    def of_structure(self, path: PathParts) -> Course | None:
        """The course of a structure by its name or path, all levels of another length if that is asked for."""
        notes = self.notes
        named = structure_named(notes, path)
        keys: StructureKeys | None = StructureKeys.model_construct(structure="")
        if isinstance(find(notes.tree, path), Section):
            keys = notes.read(_STRUCTURE, path)
        if named is None or keys is None:
            return None
        try:
            found = self.find_structure(named[1])
        except ValueError as error:
            notes.add(named[0], str(error))
            return None
        notes.problems += [problem for problem in found.problems if problem not in notes.problems]
        notes.warnings += [warning for warning in found.warnings if warning not in notes.warnings]
        if keys.hands is not None and keys.minutes is not None:
            notes.add((*path, "minutes"), "stands beside hands: one of them must go")
            return None
        levels = found.levels and found.levels.all_lasting(hands=keys.hands, minutes=keys.minutes)
        return self.paced(levels, found.pace, found.name, found.title)

    def paced(self, levels: Levels | None, usual: tuple[int, ...] | None, name: str, title: str) -> Course | None:
        """Levels with the time that hands take: that of the file, else the `usual` one."""
        notes, path = self.notes, (*self.at, PACE)
        if self.at:
            pinned = notes.read(_PINNED_PACE, path)
            pace = None if pinned is None else tuple(pinned.milliseconds)
        else:
            pace = read_pace(notes, path)
        if levels is None:
            return None
        if not levels.by_clock:
            if find(notes.tree, path) is not None:
                notes.add(path, "is for levels in minutes: these count hands, however long one takes")
            return Course(levels, BY_HANDS, name, title)
        return Course(levels, pace or usual or pace_of(DEFAULT_PACE), name, title)

    # What must fit together

    def plan(
        self, lineup: tuple[Entrant, ...], seats: int, stack: int, course: Course, money: Money
    ) -> Tournament | None:
        """The tournament, or None when its parts do not fit together."""
        notes = self.notes
        field = sum(entrant.seats for entrant in lineup)
        self.note_whole_chips(stack, course, money)
        self.warn_of_few_chips(stack, course)
        self.warn_of_two_seats(field, seats)
        self.note_offers(course, money)
        self.note_most_chips(field, stack, money)
        PrizeChecks(notes, self.at, money, field).check()
        if notes.problems:
            return None
        try:
            return Tournament(
                kind=TOURNAMENT_FORMATS[self.form],
                field=field,
                seats=seats,
                stack=stack,
                levels=course.levels.levels,
                payouts=money.payouts,
                prize=money.prize,
                fee=money.fee,
                pace=course.pace,
                unit=money.unit,
                reentry=money.offers.get("reentry"),
                rebuy=money.offers.get("rebuys"),
                addon=money.offers.get("addon"),
                structure=course.structure,
            )
        except ValueError as error:
            notes.add((*self.at, "format"), str(error))
            return None

    def note_whole_chips(self, stack: int, course: Course, money: Money) -> None:
        """Stacks that are no whole chips of the first level."""
        chip = course.levels.levels[0].stakes.chip
        stacks: list[tuple[PathParts, int]] = [(("starting_stack",), stack)]
        stacks += [((key, "stack"), offer.chips) for key, offer in money.offers.items()]
        for path, chips in stacks:
            if chips % chip and find(self.notes.tree, (*self.at, *path)) is not None:
                near = max(1, round(chips / chip)) * chip
                sentence = f"{spell_number(chips)} is no multiple of the first level's chip {chip}"
                self.notes.add((*self.at, *path), f"{sentence}: the nearest is {spell_number(near)}")

    def warn_of_two_seats(self, field: int, seats: int) -> None:
        """Tables of two that are balanced: one of an odd number of players waits for the others."""
        if self.form == "tournament" and seats == MIN_SEATS < field:
            sentence = "with an odd number left one player waits, and pays no ante, until another is out"
            self.notes.warn((*self.at, "table", "seats"), f"2: {sentence}; heads-up matches are format: bracket")

    def warn_of_few_chips(self, stack: int, course: Course) -> None:
        """Stacks that are gone in a hand."""
        big_bet = course.levels.levels[0].stakes.big_bet
        if stack < 5 * big_bet:
            sentence = (
                f"{spell_number(stack)} are {stack / big_bet:.3g} big bets of the first level: usual are 20 to 100"
            )
            self.notes.warn((*self.at, "starting_stack"), sentence)

    def note_offers(self, course: Course, money: Money) -> None:
        """Re-entries, rebuys and add-ons at levels that there are not, or that would never end."""
        notes, last = self.notes, len(course.levels.levels)
        rebuys, reentry = money.offers.get("rebuys"), money.offers.get("reentry")
        if rebuys and reentry and not rebuys.times and reentry.level <= rebuys.level:
            sentence = "nobody would re-enter: who is out of chips rebuys first, as often as it takes, up to level"
            notes.warn((*self.at, "reentry"), f"{sentence} {rebuys.level}")
        if self.form != "tournament":
            for path in is_offered(notes, self.at):
                sentence = f"is for format: tournament: there are no {_WHAT[str(path[-1])]} in a {self.form}"
                notes.add(path, sentence)
            return
        for key in OFFERS:
            offer = money.offers.get(key)
            word = "after_level" if key == "addon" else "until_level"
            path = (*self.at, key, word)
            if offer is None:
                continue
            if offer.level > last:
                notes.add(path, f"{offer.level} is beyond the last of {last} levels")
            elif key == "addon" and offer.level == last:
                notes.add(path, f"{last} is the last level, which is never over: at most {last - 1}")
            elif key != "addon" and offer.level == last and not offer.times:
                sentence = f"{last} is the last level, which goes on to the end, and any number of {_WHAT[key]} may be"
                notes.add(path, f"{sentence} taken there: such a tournament need not end")

    def note_most_chips(self, field: int, stack: int, money: Money) -> None:
        """More chips than the engine counts in, with all that may be bought."""

        def bought(offer: Again) -> int:
            return offer.chips * (offer.times or 100)

        most = stack + sum(map(bought, money.offers.values()))
        if field * most > MAX_CHIPS:
            whose = f"{spell_number(most)} chips for each of {spell_number(field)} players"
            more = ", with all that may be bought," if money.offers else ""
            sentence = f"{whose}{more} are {spell_number(field * most)} in play: at most {spell_number(MAX_CHIPS)}"
            self.notes.add((*self.at, "starting_stack"), sentence)

    # What is played

    def played(
        self, plan: Tournament, count: int, rules: RuleSet, on_error: OnError, lineup: tuple[Entrant, ...], title: str
    ) -> Scenario | None:
        """So many tournaments as a scenario; more than can be counted are noted."""
        notes, path = self.notes, (*self.at, "tournaments")
        each = plan.expected_hands
        hands = count * each
        most = most_tournaments(plan)
        if count > most:
            about = (
                f"{spell_number(count)} tournaments of about {spell_number(each)} hands are beyond exact 64-bit totals"
            )
            notes.add(path, f"{about}: " + (f"at most {spell_number(most)}" if most else "even one of this size is"))
            return None
        given = find(notes.tree, (*self.at, "hands")) if self.at else None
        if isinstance(given, Scalar) and given.text != str(hands):
            sentence = f"{quote(given.text)} are not the {hands} that such tournaments are reckoned to take here"
            notes.add((*self.at, "hands"), f"{sentence}: it was written by another version")
            return None
        return Scenario(
            name=title,
            rules=rules,
            stakes=plan.levels[0].stakes,
            stack=plan.stack,
            lineup=lineup,
            hands=hands,
            on_error=on_error,
            tournament=plan,
        )


def most_tournaments(plan: Tournament) -> int:
    """How many of these tournaments can be counted: hands, chips, money and places, all in 64 bits."""
    offers = [(offer, offer.times or 100) for offer in (plan.reentry, plan.rebuy, plan.addon) if offer is not None]
    paid = plan.prize + plan.fee + sum((offer.price + offer.fee) * times for offer, times in offers)
    fixed = sum(plan.payouts.values) if plan.payouts.kind == "amounts" else 0
    each = max(plan.stack * plan.seats * plan.expected_hands, plan.field * paid, fixed, 2 * plan.field**2)
    return min(MAX_HANDS // plan.expected_hands, (TALLY_LIMIT - 1) // each, _MOST_CHIPS // plan.most_chips)
