"""An experiment as plain frozen data, and its schedule: which blocks there are, and how they fall into bins.

*experiment* > *scenario* (rules, stakes, line-up) > *block* (one deal, the independent sample) > *hand*. A hand is
a pure function of the experiment and these coordinates; how blocks are grouped into bins and batches changes nothing.
"""

from __future__ import annotations

import difflib
import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from razz_sim.rules import MAX_CHIPS, MAX_SEATS, MIN_SEATS, RuleSet, Stakes
from razz_sim.seeding import FRESH, derived
from razz_sim.stages import Frontier, SearchPlan, StopRule, looks
from razz_sim.strategy import StrategySource
from razz_sim.structures import Tournament
from razz_sim.tally import Tally, shard_bins

MAX_BINS = 1024
"""The blocks of a scenario fall into at most this many bins of equal size."""
MAX_HANDS = 10**12
"""So that the limbs of a bin's squares stay inside 64 bits (see `razz_sim.tally`)."""
MAX_SESSION_HANDS = 1_000_000
ROW_TABLES = 2048
"""Tables that strategies are asked for in rows: enough for NumPy's calls to be cheap, few enough for the cache."""
ROW_HANDS = 16_384
"""Hands of a group of blocks, table by table one after another, so that few tables wait only at a group's end."""
TALLY_LIMIT = 2**54
"""No total may come near 64 bits, whatever happens at the table."""


OnError = Literal["stop", "fold", "forfeit"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """A named strategy with its parameters, in one or more seats.

    `params` holds every declared parameter as (name, value), in the order the strategy declares them. `weight` is its
    share of a population's seats, in proportion to those of the others; None where there is no population.
    """

    name: str
    strategy: StrategySource
    params: tuple[tuple[str, float], ...] = ()
    seats: int = 1
    weight: Decimal | None = None

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("an entrant's name must not be empty")
        if self.weight is not None and not (self.weight.is_finite() and self.weight > 0):
            raise ValueError(f"entrant {self.name!r} has a weight of {self.weight}; it must be above 0")
        if self.seats < 1:
            raise ValueError(f"entrant {self.name!r} has {self.seats} seats; at least one")


@dataclass(frozen=True, slots=True)
class Session:
    """A block of several hands in a row at one table, the dealer moving on each hand.

    Stacks are fresh in each hand, or carried on; carried ones may be topped up to the starting stack before each hand.
    Without that a seat that lost all is dealt out, and the block ends when fewer than two have chips.
    """

    hands: int = 1
    carry: bool = False
    top_up: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.hands <= MAX_SESSION_HANDS:
            raise ValueError(f"session hands {self.hands} must be from 1 to {MAX_SESSION_HANDS}")
        if self.top_up and not self.carry:
            raise ValueError("session top_up is for stacks that carry on: with stacks reset they are full in each hand")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One point of an experiment: what is played, for what, by whom. `stack` is in smallest units.

    A block is a session, the default a single hand; `hands` is how many are played if no session ends early.
    `point` says where in a sweep it stands: (path, value as written) for each path swept. It tells how the scenario
    came to be, not what is played, so scenarios that differ in nothing else are equal. `on_error` says what an error of
    a strategy does: end the run, or be played as a check or fold, or cost the seat its chips and end the block. With
    `duplicate` deals each block is played in several arrangements of the entrants over the seats (`replicas`).

    Where a format makes several matches of one setting, each is a scenario: `match` counts them from 1, and `setting`
    is the name that they share. A match of a population counts `times` in it: so many of its tables are like this one.
    With `fresh` deals it meets cards that no other scenario of its experiment meets. `baseline` is the number from 1 of
    the setting that this one is compared with; 0 for none.

    With a `tournament` a block is one of these: its field is the line-up, an entrant's seats its players in it; stack
    and stakes are those it begins with, in chips, and `hands` are about as many as it takes.
    """

    name: str
    rules: RuleSet
    stakes: Stakes
    stack: int
    lineup: tuple[Entrant, ...]
    hands: int
    session: Session = Session()
    on_error: OnError = "stop"
    duplicate: bool = False
    fresh: bool = False
    times: int = 1
    tournament: Tournament | None = None
    setting: str = field(default="", compare=False)
    match: int = field(default=0, compare=False)
    point: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    baseline: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        names = [entrant.name for entrant in self.lineup]
        if len(set(names)) < len(names):
            raise ValueError(f"entrant names must differ, not {names}")
        if self.times < 1:
            raise ValueError(f"a match counts at least once, not {self.times} times")
        if self.tournament is not None:
            self._check_field(self.tournament)
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise ValueError(f"the line-up fills {self.seats} seats; a table has {MIN_SEATS} to {MAX_SEATS}")
        if not 1 <= self.hands <= MAX_HANDS:
            raise ValueError(f"hands {self.hands} must be from 1 to {MAX_HANDS}")
        if self.stack < 1:
            raise ValueError(f"stack {self.stack} must be at least one smallest unit")
        if self.stack % self.stakes.chip:
            stack, chip = self.stakes.money(self.stack), self.stakes.money(self.stakes.chip)
            raise ValueError(f"stack {stack} must be a multiple of chip {chip}")
        if self.hands % self.block_hands:
            of = f"the session's {self.session.hands}"
            if self.replicas > 1:
                of = f"{self.block_hands}: a block is {self.session.hands} in each of {self.replicas} arrangements"
            raise ValueError(f"hands {self.hands} must be a multiple of {of}")
        if self.session.carry and self.stack * self.session.hands > MAX_CHIPS:
            raise ValueError(f"stack {self.stack} carried on over {self.session.hands} hands may outgrow {MAX_CHIPS}")
        if self.stack * self.seats * self.hands >= TALLY_LIMIT:
            raise ValueError(f"stack {self.stack} x {self.seats} seats x {self.hands} hands overflows 64-bit totals")

    def _check_field(self, tournament: Tournament) -> None:
        if self.players != tournament.field:
            raise ValueError(f"the line-up has {self.players} players for a field of {tournament.field}")
        if (self.stack, self.stakes) != (tournament.stack, tournament.levels[0].stakes):
            raise ValueError("stack and stakes must be those that the tournament begins with")
        if self.session != Session() or self.duplicate or self.asks_in_rows:
            raise ValueError("a tournament has no sessions, no duplicate deals and no array strategies")

    @property
    def players(self) -> int:
        """Those who play: as many as there are seats at the table, of a tournament its field."""
        return sum(entrant.seats for entrant in self.lineup)

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return self.players if self.tournament is None else self.tournament.seats

    @property
    def of_population(self) -> bool:
        """Whether it is a match of a population: its entrants have weights."""
        return any(entrant.weight is not None for entrant in self.lineup)

    @property
    def entrant_of_copy(self) -> tuple[int, ...]:
        """For each copy (one per seat, before they are seated) the index of its entrant in the line-up."""
        return tuple(index for index, entrant in enumerate(self.lineup) for _ in range(entrant.seats))

    @property
    def replicas(self) -> int:
        """In how many arrangements of the entrants over the seats each block is played, with the same cards."""
        return replicas([entrant.seats for entrant in self.lineup], self.duplicate)

    @property
    def copy_of_place(self) -> tuple[int, ...]:
        """The copies in units of as many as there are replicas, each unit with every entrant's share of its seats."""
        units = self.seats // self.replicas
        shares = [
            [copy for copy, owner in enumerate(self.entrant_of_copy) if owner == index]
            for index in range(len(self.lineup))
        ]
        return tuple(
            copy
            for unit in range(units)
            for copies in shares
            for copy in copies[unit * len(copies) // units : (unit + 1) * len(copies) // units]
        )

    @property
    def block_hands(self) -> int:
        """Hands of a block, if no session ends early: a session in each of its arrangements; of a tournament about."""
        if self.tournament is not None:
            return self.tournament.expected_hands
        return self.session.hands * self.replicas

    @property
    def hand_numbers(self) -> int:
        """How many numbers there are for the hands of a block: hand h of block b is number b times that plus h."""
        return self.block_hands if self.tournament is None else self.tournament.hand_limit

    @property
    def asks_in_rows(self) -> bool:
        """Whether some strategy decides for many tables at once."""
        return any(entrant.strategy.kind == "array" for entrant in self.lineup)

    @property
    def group(self) -> int:
        """Blocks that are always played together, aligned to their number: many, where strategies are asked in rows."""
        if not self.asks_in_rows:
            return 1
        return max(ROW_TABLES, ROW_HANDS >> (self.block_hands - 1).bit_length())

    @property
    def blocks(self) -> int:
        """Independent samples."""
        return self.hands // self.block_hands

    @property
    def bin_size(self) -> int:
        """Blocks in a bin."""
        return bin_size(self.blocks)

    @property
    def bins(self) -> int:
        """How many bins the blocks fill; the last may be partly filled."""
        return -(-self.blocks // self.bin_size)

    @property
    def shard_bins(self) -> int:
        """Bins in a shard: no batch straddles two shards, and none cuts a group."""
        return max(shard_bins(self.bins), self.group // self.bin_size)

    @property
    def shard_size(self) -> int:
        """Blocks in a shard."""
        return self.shard_bins * self.bin_size

    def tally(self) -> Tally:
        """Totals with nothing counted."""
        return Tally(self.bins, len(self.lineup), self.shard_bins, tournament=self.tournament is not None)


def plan_of(scenario: Scenario) -> Tournament:
    """The tournament that a scenario plays; for those that know it does."""
    assert scenario.tournament is not None
    return scenario.tournament


def replicas(seats: Sequence[int], duplicate: bool) -> int:
    """In how many arrangements each block is played by entrants with so many seats.

    With duplicate deals as few as give each entrant the cards of every seat in its share of them: all that differ
    heads-up, and for one entrant against copies of another; as many as there are seats when all differ.
    """
    return sum(seats) // math.gcd(*seats) if duplicate else 1


def bin_size(blocks: int) -> int:
    """Blocks in a bin: the smallest power of two that needs at most MAX_BINS bins.

    A power of two, so that a longer run's bins are whole sums of a shorter one's.
    """
    return 1 << ((blocks - 1) // MAX_BINS).bit_length()


BlockRange = tuple[int, int]
"""Blocks `first` up to but not including `stop`."""
Ranges = Sequence[BlockRange]
"""Ranges of blocks, apart and rising."""
Piece = tuple[int, int, int]
"""Blocks of a scenario: its index, the first, and the one after the last."""


def gaps(done: Ranges, blocks: int) -> Iterator[tuple[int, int]]:
    """The ranges of blocks 0 to `blocks` - 1 that are in none of those done.

    >>> list(gaps([(2, 5), (5, 6)], blocks=10))
    [(0, 2), (6, 10)]
    """
    first = 0
    for start, stop in [*done, (blocks, blocks)]:
        if start > first:
            yield first, start
        first = max(first, stop)


class Spans:
    """Ranges of blocks, apart and rising; those that touch are one.

    >>> spans = Spans()
    >>> for first, stop in [(4, 8), (0, 2), (2, 4)]:
    ...     spans.add(first, stop)
    >>> spans.ranges, spans.meets(7, 9), spans.meets(8, 9)
    ([(0, 8)], True, False)
    """

    def __init__(self, ranges: Ranges = ()) -> None:
        self.ranges: list[BlockRange] = list(ranges)

    def meets(self, first: int, stop: int) -> bool:
        """Whether any block of a range is in these."""
        place = bisect_right(self.ranges, first, key=lambda span: span[1])
        return place < len(self.ranges) and self.ranges[place][0] < stop

    def add(self, first: int, stop: int) -> None:
        """Add a range that does not meet these."""
        place = bisect_left(self.ranges, first, key=lambda span: span[1])
        end = place
        while end < len(self.ranges) and self.ranges[end][0] <= stop:
            first, stop = min(first, self.ranges[end][0]), max(stop, self.ranges[end][1])
            end += 1
        self.ranges[place:end] = [(first, stop)]


@dataclass(frozen=True, slots=True)
class Batch:
    """Blocks `first` up to but not including `stop` of one scenario, all in one shard; `hands` if none ends early.

    `bin` is the bin of the first.
    """

    scenario: int
    bin: int
    first: int
    stop: int
    hands: int


@dataclass(frozen=True, slots=True)
class RunnerChoice:
    """Where to play: it changes no result, so it is no part of a run's identity."""

    kind: str = "auto"
    workers: int | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """What a strategy may use before it counts as an error; defaults that an honest one never meets.

    A decision may take `decision_ms` of processor time, or ten times that by the clock; a batch of hands, cut to about
    a second of play, `batch_s` by the clock; the process `memory_mb` more than it began with.
    """

    decision_ms: int = 1000
    batch_s: int = 300
    memory_mb: int = 2000


@dataclass(frozen=True, slots=True)
class Experiment:
    """One YAML file, one question. With `stop` or `search` it is decided on the way how much of it is played."""

    name: str
    seed: int
    scenarios: tuple[Scenario, ...]
    runner: RunnerChoice = RunnerChoice()
    limits: Limits = Limits()
    stop: StopRule | None = None
    search: SearchPlan | None = None
    settings: tuple[list[int], ...] = field(init=False, repr=False, compare=False)
    """The indices of the scenarios that are matches of one setting; those without matches stand alone."""
    points: tuple[list[int], ...] = field(init=False, repr=False, compare=False)
    """The settings among which a search looks for the best."""
    groups: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """For each scenario the blocks that no decision cuts: the largest group of what is decided together."""

    def __post_init__(self) -> None:
        found: list[list[int]] = []
        for index, scenario in enumerate(self.scenarios):
            if scenario.match > 1 and found:
                found[-1].append(index)
            else:
                found.append([index])
        points = (indices for indices in found if not self.scenarios[indices[0]].fresh)
        object.__setattr__(self, "settings", tuple(found))
        object.__setattr__(self, "points", tuple(points))
        together = [range(len(self.scenarios))] if self.search else found
        largest = [(indices, max(self.scenarios[one].group for one in indices)) for indices in together]
        object.__setattr__(self, "groups", tuple(group for indices, group in largest for _ in indices))

    @property
    def hands(self) -> int:
        """Hands of all scenarios, or the most of a search."""
        if self.search is None:
            return sum(scenario.hands for scenario in self.scenarios)
        return sum(self.most_searched())

    def most_searched(self) -> list[int]:
        """Hands of each round of a search, then of the winner's measuring, if the first points went on every time."""
        assert self.search is not None
        points = self.search.points
        setting_of = {index: place % points for place, indices in enumerate(self.settings) for index in indices}
        return [
            sum(
                (stop - first) * self.scenarios[index].block_hands
                for index, first, stop in stage
                if setting_of[index] < left
            )
            for stage, left in zip(self.stages(), (*self.search.points_left(), 1), strict=True)
        ]

    def seed_of(self, index: int) -> int:
        """The seed by which a scenario is dealt."""
        return derived(self.seed, FRESH) if self.scenarios[index].fresh else self.seed

    def hands_left(self, done: Sequence[Ranges], frontier: Frontier | None = None) -> int:
        """How many are still to be played at most, or are wanted for now, when these blocks, by scenario, are done."""
        ends = [scenario.blocks for scenario in self.scenarios] if frontier is None else frontier.ends.tolist()
        return sum(
            (min(stop, end) - first) * scenario.block_hands
            for scenario, ranges, end in zip(self.scenarios, done, ends, strict=True)
            for first, stop in gaps(ranges, scenario.blocks)
            if first < end
        )

    def round_ends(self, index: int) -> tuple[int, ...]:
        """After how many blocks of a scenario each round of a search ends."""
        assert self.search is not None
        scenario = self.scenarios[index]
        unit = max(scenario.bin_size, self.groups[index])
        return self.search.round_ends(scenario.blocks, unit)

    def looks(self, index: int) -> tuple[int, ...]:
        """After how many blocks of a scenario it is decided whether to go on; after the last there is no more."""
        scenario = self.scenarios[index]
        if self.stop is not None:
            return looks(scenario.blocks, scenario.bin_size, self.groups[index])
        if self.search is not None and not scenario.fresh:
            return self.round_ends(index)
        return (scenario.blocks,)

    def cuts(self, index: int) -> tuple[int, ...]:
        """The blocks that no batch of a scenario straddles, rising: looks, the ends of shards, and the end."""
        scenario = self.scenarios[index]
        shards = range(scenario.shard_size, scenario.blocks, scenario.shard_size)
        return tuple(sorted({*shards, *self.looks(index)}))

    def stages(self) -> list[list[Piece]]:
        """What is played one after another; where that is decided on the way, a stage for each look.

        In a search the stages are its rounds, then the measuring of whoever is left; with a stopping rule those of one
        setting follow each other.
        """
        if self.search is not None:
            rounds = [index for indices in self.points for index in indices]
            again = [index for index, scenario in enumerate(self.scenarios) if scenario.fresh]
            return [*self._side_by_side(rounds), [(index, 0, self.scenarios[index].blocks) for index in again]]
        return [stage for indices in self.settings for stage in self._side_by_side(indices)]

    def _side_by_side(self, indices: Sequence[int]) -> Iterator[list[Piece]]:
        """Scenarios from look to look together."""
        ends = [(0, *self.looks(index)) for index in indices]
        for number in range(1, max(map(len, ends))):
            yield [
                (index, at[number - 1], at[number])
                for index, at in zip(indices, ends, strict=True)
                if number < len(at) and at[number - 1] < at[number]
            ]

    def setting_name(self, index: int) -> str:
        """The name of a scenario's setting; its own where it has no matches."""
        scenario = self.scenarios[index]
        return scenario.setting or scenario.name

    def scenario_index(self, text: str, match: int | None = None) -> int:
        """The index of the scenario that a name, or else a number from 1, means; ValueError with a sentence.

        Where settings have several matches their numbers and names mean one with the number of a `match` only.
        """
        names = [scenario.name for scenario in self.scenarios]
        if names.count(text) == 1 and match is None:
            return names.index(text)
        settings = self.settings
        shared = [self.setting_name(indices[0]) for indices in settings]
        if names.count(text) == 1:
            chosen = [names.index(text)]
        elif shared.count(text) == 1:
            chosen = settings[shared.index(text)]
        elif text in shared:
            raise ValueError(f"{shared.count(text)} scenarios are named {text!r}: say which by its number")
        else:
            chosen = settings[self._setting_number(text, names, len(settings)) - 1]
        if match is None and len(chosen) > 1:
            several = f"scenario {text!r} has {len(chosen)} matches"
            raise ValueError(f"{several}: name one, such as {names[chosen[0]]!r}, or write SCENARIO/MATCH/BLOCK/...")
        for index in chosen:
            if match is None or max(1, self.scenarios[index].match) == match:
                return index
        there = f"it has {len(chosen)}, numbered from 1" if len(chosen) > 1 else "it has one, number 1"
        if len(chosen) == 1 and self.scenarios[chosen[0]].match:
            there = f"it is match {self.scenarios[chosen[0]].match}"
        raise ValueError(f"there is no match {match} in scenario {names[chosen[0]]!r}: {there}")

    def _setting_number(self, text: str, names: Sequence[str], count: int) -> int:
        there = f"the run has {count}, numbered from 1" if count > 1 else "the run has one, number 1"
        if (number := whole_number(text)) is None:
            near = difflib.get_close_matches(text, names, n=1)
            raise ValueError(f"there is no scenario {text!r} ({f'did you mean {near[0]!r}?' if near else there})")
        if not 1 <= number <= count:
            raise ValueError(f"there is no scenario {number}: {there}")
        return number

    def numbers_of(self, index: int) -> tuple[int, int]:
        """The numbers of a scenario's setting and of its match there, both from 1."""
        settings = self.settings
        number = next(place for place, indices in enumerate(settings, start=1) if index in indices)
        return number, max(1, self.scenarios[index].match)

    def batches(self, size: int | Callable[[], int], done: Sequence[Ranges] = ()) -> Iterator[Batch]:
        """The schedule in pieces of about `size` hands at most, none straddling two shards or cutting a group.

        `done` holds for each scenario the ranges of blocks that need no playing. Totals do not depend on `size`, which
        may be a function that is asked again for each piece.
        """
        for index, scenario in enumerate(self.scenarios):
            cuts = self.cuts(index)
            for start, end in gaps(done[index] if done else (), scenario.blocks):
                yield from self._cut(index, start, end, size, cuts)

    def _cut(
        self, index: int, start: int, end: int, size: int | Callable[[], int], cuts: Sequence[int]
    ) -> Iterator[Batch]:
        """A range of blocks of a scenario in batches."""
        scenario = self.scenarios[index]
        first = start
        while first < end:
            step = max(1, (size() if callable(size) else size) // scenario.block_hands)
            step = -(-(first + step) // scenario.group) * scenario.group - first
            stop = min(first + step, end, cuts[bisect_right(cuts, first)])
            hands = (stop - first) * scenario.block_hands
            yield Batch(scenario=index, bin=first // scenario.bin_size, first=first, stop=stop, hands=hands)
            first = stop

    def whole_frontier(self) -> Frontier:
        """Everything, as far as that is known at the start: of a search the first round."""
        stages = self.stages()
        if self.search is None:
            return Frontier.only(len(stages), [scenario.blocks for scenario in self.scenarios])
        frontier = Frontier.only(1, [0] * len(self.scenarios))
        for index, _, stop in stages[0]:
            frontier.ends[index] = stop
        return frontier

    def wanted_batches(
        self, size: int | Callable[[], int], done: Sequence[Ranges], frontier: Frontier
    ) -> Iterator[Batch | None]:
        """As `batches`, stage by stage, of what is wanted when it is come to; None while nothing is."""
        cuts = [self.cuts(index) for index in range(len(self.scenarios))]
        for number, stage in enumerate(self.stages()):
            while number >= frontier.open:
                yield None
            for index, first, stop in stage:
                for start, end in gaps(done[index], self.scenarios[index].blocks):
                    for batch in self._cut(index, max(first, start), min(end, stop), size, cuts[index]):
                        if batch.stop > frontier.ends[index]:
                            break
                        yield batch


def whole_number(text: str) -> int | None:
    """The whole number that a text is, if it is one."""
    try:
        return int(text)
    except ValueError:
        return None
