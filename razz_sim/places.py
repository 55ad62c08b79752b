"""Where a hand is in its experiment, and how that is written."""

from __future__ import annotations

from dataclasses import dataclass

from razz_sim.experiment import MAX_HANDS, Experiment, whole_number

PLACES = "N, SCENARIO/N or SCENARIO/MATCH/BLOCK/REPLICA/HAND"
"""How the place of a hand is written."""
IN_TOURNAMENTS = "T:H or SCENARIO/T:H"
"""How that of a hand of a tournament is."""


@dataclass(frozen=True, slots=True)
class HandPlace:
    """Where a hand is in its experiment: `number` counts the hands of its scenario, through all blocks and replicas.

    `scenario` is an index, from 0 as block, replica and hand are; `shown` are the numbers from 1 by which setting and
    match are known.

    >>> place = HandPlace(scenario=1, number=1403, shown=(2, 1), session_hands=100, replicas=2)
    >>> str(place), place.block, place.replica, place.hand, place.identifier
    ('2/1/7/0/3', 7, 0, 3, 2000000001403)

    Of a tournament `session_hands` are the numbers that its hands may have, and its place is written T:H.

    >>> str(HandPlace(scenario=0, number=7_000_012, shown=(1, 1), session_hands=1_000_000, tournament=True))
    '1/7:12'
    """

    scenario: int
    number: int
    shown: tuple[int, int]
    session_hands: int = 1
    replicas: int = 1
    tournament: bool = False

    @classmethod
    def of_number(cls, number: int, index: int, experiment: Experiment) -> HandPlace:
        """The place of hand `number` of the scenario with this index."""
        scenario = experiment.scenarios[index]
        shown, tournament = experiment.numbers_of(index), scenario.tournament is not None
        hands = scenario.hand_numbers if tournament else scenario.session.hands
        return cls(index, number, shown, hands, scenario.replicas, tournament)

    @classmethod
    def parse(cls, text: str, experiment: Experiment) -> HandPlace:
        """The place that a text names (`PLACES`, `IN_TOURNAMENTS`); ValueError with a sentence when there is none such.

        N alone is hand N of the first scenario. SCENARIO is a name, or else a number from 1; names may hold slashes, so
        the text is read from the right.
        """
        names = [scenario.name for scenario in experiment.scenarios]
        if "/" in text and text in names:
            raise ValueError(f"{text!r} names a scenario but no hand of it: the first is {text}/0")
        name, slash, number = text.rpartition("/")
        if text.count("/") >= 4 and name not in names:
            return cls._of_coordinates(text, experiment)
        index = experiment.scenario_index(name) if slash else 0
        scenario = experiment.scenarios[index]
        there = f"scenario {scenario.name!r}"
        if scenario.tournament is not None:
            return cls._in_tournament(number, index, experiment)
        if ":" in number:
            raise ValueError(f"{text!r} is a hand of a tournament, but {there} plays hands at one table: {PLACES}")
        return cls.of_number(_counted(number, "hand", scenario.hands, there), index, experiment)

    @classmethod
    def _in_tournament(cls, text: str, index: int, experiment: Experiment) -> HandPlace:
        scenario = experiment.scenarios[index]
        tournament, colon, hand = text.partition(":")
        if not colon:
            raise ValueError(f"{text!r} is no hand of a tournament: a place is {IN_TOURNAMENTS}, for one 0:0")
        block = _counted(tournament, "tournament", scenario.blocks, f"scenario {scenario.name!r}")
        in_block = _counted(hand, "hand", scenario.hand_numbers, f"tournament {block}")
        return cls.of_number(block * scenario.hand_numbers + in_block, index, experiment)

    @classmethod
    def _of_coordinates(cls, text: str, experiment: Experiment) -> HandPlace:
        name, match, block, replica, hand = text.rsplit("/", 4)
        if (which := whole_number(match)) is None:
            raise ValueError(f"{match!r} is no number of a match: a place is {PLACES}")
        index = experiment.scenario_index(name, which)
        scenario = experiment.scenarios[index]
        there = f"scenario {scenario.name!r}"
        number = _counted(block, "block", scenario.blocks, there)
        number = number * scenario.replicas + _counted(replica, "replica", scenario.replicas, f"a block of {there}")
        in_session = _counted(hand, "hand", scenario.session.hands, f"a block of {there}")
        return cls.of_number(number * scenario.session.hands + in_session, index, experiment)

    @property
    def block(self) -> int:
        """The block: the independent sample."""
        return self.number // (self.session_hands * self.replicas)

    @property
    def replica(self) -> int:
        """In which arrangement of the entrants the block is played."""
        return self.number // self.session_hands % self.replicas

    @property
    def hand(self) -> int:
        """The hand in its session."""
        return self.number % self.session_hands

    @property
    def identifier(self) -> int:
        """A whole number that no other hand of the experiment has: the scenario's, then twelve digits of the hand's.

        Fifteen in tournaments, each of which keeps numbers for more hands than it takes.
        """
        return (self.scenario + 1) * MAX_HANDS * (1000 if self.tournament else 1) + self.number

    def __str__(self) -> str:
        setting, match = self.shown
        if self.tournament:
            return f"{setting}/{self.block}:{self.hand}"
        return f"{setting}/{match}/{self.block}/{self.replica}/{self.hand}"


def _counted(text: str, what: str, count: int, where: str) -> int:
    """The number of one of `count` things that are counted from 0; ValueError when it is none of them."""
    number = whole_number(text)
    if number is None:
        raise ValueError(f"{text!r} is no number of a {what}: a place is {PLACES}")
    if not 0 <= number < count:
        there = f"they are 0 to {count - 1}" if count > 1 else "the only one is 0"
        raise ValueError(f"there is no {what} {number} in {where}: {there}")
    return number
