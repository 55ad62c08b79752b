"""The keys of whole tournaments: levels, field, prizes, re-entries. Checks between them are in `tournaments.py`."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, ClassVar, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field, PlainValidator, Tag, WithJsonSchema

from razz_sim.config.keys import LISTED, NAMED, WRITTEN_OUT, Keys, one_of
from razz_sim.config.model import (
    REST,
    CourseKeys,
    EntrantKeys,
    HeadKeys,
    OnErrorChoice,
    PlaceKeys,
    RulesChoice,
    TableKeys,
)
from razz_sim.config.values import (
    Amount,
    AmountAboveZero,
    HandsPerHour,
    Label,
    Minutes,
    PayoutName,
    Players,
    PoolPercent,
    Text,
    Weight,
    Whole,
    choice,
)
from razz_sim.experiment import MAX_HANDS
from razz_sim.matches import TOURNAMENT_FORMATS, TournamentFormat
from razz_sim.rules import MAX_CHIPS, MAX_SEATS
from razz_sim.structures import MAX_ENTRANTS, MAX_FIELD, MAX_LEVELS

MAX_TOURNAMENTS = 10**9
MAX_LEVEL_HANDS = 1_000_000
MOST_TIMES = 1000
"""Re-entries or rebuys of one player, where they are limited."""
DEFAULT_TOURNAMENT_RULES = "wsop_tournament"

Tournaments: TypeAlias = Annotated[int, Whole(1, MAX_TOURNAMENTS)]
Chips: TypeAlias = Annotated[int, Whole(0, MAX_CHIPS)]
ChipsAboveZero: TypeAlias = Annotated[int, Whole(1, MAX_CHIPS)]
LevelHands: TypeAlias = Annotated[int, Whole(1, MAX_LEVEL_HANDS)]
LevelNumber: TypeAlias = Annotated[int, Whole(1, MAX_LEVELS)]
FieldSize: TypeAlias = Annotated[int, Whole(2, MAX_FIELD)]
_Times: TypeAlias = Annotated[int, Whole(0, MOST_TIMES, low_is="any number")]


class LevelKeys(Keys):
    """What is played for, in whole chips, and for how long: so many hands at each table, or so many minutes."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["hands"]}, {"required": ["minutes"]}]})
    elsewhere: ClassVar[Mapping[str, str]] = {
        "structure": "names a structure, but these levels are written out: write levels: {structure: daily} instead"
    }
    ante: Chips = Field(description="Posted by each player before each hand; usually 10-25 % of small_bet.")
    bring_in: Chips = Field(description="Posted by who must open third street; usually 20-50 % of small_bet.")
    small_bet: ChipsAboveZero = Field(description="The bet on third and fourth street.")
    big_bet: ChipsAboveZero | None = Field(
        default=None, description="The bet on fifth to seventh street; twice small_bet when left out."
    )
    chip: ChipsAboveZero | None = Field(
        default=None, description="Pots split in whole chips of this; to the last one when left out."
    )
    hands: LevelHands | None = Field(default=None, description="How many hands it lasts at each table.")
    minutes: Minutes | None = Field(default=None, description="How many minutes it lasts, if not a number of hands.")


class PinnedLevelKeys(LevelKeys):
    """A level as a run's manifest holds it, in milliseconds where the file has minutes."""

    name: Label
    milliseconds: Annotated[int, Whole(1, MAX_CHIPS)] | None = None


class StructureKeys(Keys):
    """The levels of a structure, all of another length than they have there."""

    model_config = ConfigDict(json_schema_extra={"not": {"required": ["minutes", "hands"]}})
    structure: Text = Field(description="A structure that comes along, such as daily, or path/from/here/file.yaml.")
    minutes: Minutes | None = Field(default=None, description="How many minutes each level lasts.")
    hands: LevelHands | None = Field(default=None, description="How many hands each level lasts at each table.")


_Levels: TypeAlias = Annotated[list[LevelKeys], Field(min_length=1, max_length=MAX_LEVELS)]
LevelsChoice: TypeAlias = Annotated[
    Annotated[_Levels, Tag(LISTED)] | Annotated[StructureKeys, Tag(WRITTEN_OUT)] | Annotated[Text, Tag(NAMED)],
    one_of(
        "the name of a structure, a list of levels [{ante: ..., bring_in: ..., small_bet: ..., hands: ...}, ...] or a "
        "mapping {structure: ..., minutes: ...}",
        NAMED,
        WRITTEN_OUT,
        LISTED,
    ),
]


class PaceKeys(Keys):
    """How long hands take where levels are minutes."""

    hands_per_hour: Annotated[
        dict[Players, HandsPerHour],
        Field(min_length=1),
        WithJsonSchema(
            {
                "type": "object",
                "minProperties": 1,
                "propertyNames": {"pattern": "^[2-8]$"},
                "additionalProperties": {"type": "number", "minimum": 1, "maximum": 3600},
            }
        ),
    ] = Field(
        description="Hands an hour at a table by players dealt in, as {8: 30, 2: 60}: in proportion between these, the "
        "nearest beyond them."
    )


class PinnedPaceKeys(Keys):
    """A pace as a run's manifest holds it: milliseconds of a hand, by players dealt in from 0 on."""

    milliseconds: Annotated[
        list[Annotated[int, Whole(1, MAX_CHIPS)]], Field(min_length=MAX_SEATS + 1, max_length=MAX_SEATS + 1)
    ]


class PayoutKeys(Keys):
    """Prizes that are no shares of what was paid in: one of these."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})
    prizes: Annotated[list[AmountAboveZero], Field(min_length=1)] | None = Field(
        default=None, description="Fixed amounts by place, from the first on, whatever was paid in."
    )
    seats: Annotated[int, Whole(1, MAX_FIELD)] | None = Field(
        default=None, description="A satellite: equal prizes to so many places; it ends when no more are left."
    )
    seat_value: AmountAboveZero | None = Field(
        default=None,
        description="A satellite: as many prizes of this value as the pool has, the rest to the place behind them.",
    )


PayoutsChoice: TypeAlias = Annotated[
    Annotated[PayoutName, Tag(NAMED)]
    | Annotated[PayoutKeys, Tag(WRITTEN_OUT)]
    | Annotated[list[PoolPercent], Field(min_length=1), Tag(LISTED)],
    one_of(
        "top15 (percent of all entries), winner_take_all, percents of the pool by place [50, 30, 20], or one of "
        "{prizes: [...]}, {seats: ...} and {seat_value: ...}",
        NAMED,
        WRITTEN_OUT,
        LISTED,
    ),
]


class BuyInKeys(Keys):
    """What a player pays to play, in any currency, exact."""

    prize: Amount = Field(description="The part that goes into the prize pool.")
    fee: Amount = Field(default=Decimal(0), description="The part that the house keeps.")


class _OfferKeys(Keys):
    """What a player may buy after the start; parts of its price that are left out have defaults of their own."""

    stack: ChipsAboveZero | None = Field(default=None, description="Chips for it; starting_stack when left out.")
    prize: Amount | None = Field(
        default=None, description="The part of its price that goes into the prize pool; buy_in.prize when left out."
    )


class ReentryKeys(_OfferKeys):
    """A player without chips may leave its seat and enter anew."""

    until_level: LevelNumber = Field(description="The last level in which that may be done, from 1.")
    times: _Times = Field(default=1, description="How often each player may; 0: any number of times.")
    fee: Amount | None = Field(default=None, description="What the house keeps of it; buy_in.fee when left out.")


class RebuyKeys(_OfferKeys):
    """A player without chips may buy more and keep its seat."""

    until_level: LevelNumber = Field(description="The last level in which that may be done, from 1.")
    times: _Times = Field(default=0, description="How often each player may; 0: any number of times.")
    fee: Amount | None = Field(default=None, description="What the house keeps of it; nothing when left out.")


class AddonKeys(_OfferKeys):
    """Every player who is left may buy chips once."""

    after_level: LevelNumber = Field(description="The level after which it is taken, from 1.")
    fee: Amount | None = Field(default=None, description="What the house keeps of it; nothing when left out.")


_PLAYERS = Whole(1, MAX_FIELD, other=REST)


def _read_players(value: object) -> int | str:
    return REST if value == REST else _PLAYERS.read(value)


FieldSeats: TypeAlias = Annotated[
    int | str,
    PlainValidator(_read_players),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": MAX_FIELD},
                {"type": "string", "pattern": "^[0-9]+(_[0-9]+)+$"},
                {"const": REST},
            ]
        }
    ),
]


class PlayerKeys(EntrantKeys):
    """A strategy with its parameters, played by one or more players of the field."""

    seats: FieldSeats | None = Field(  # type: ignore[assignment]
        default=None,
        description="How many players play it; rest: all that the others leave of the field. Left out: its share by "
        "weight of what is left of the field, or one player where field is left out.",
    )
    weight: Weight | None = Field(
        default=None,
        description="Its share of what is left of the field, in proportion to the others; 1 when left out.",
    )


class PinnedPlayerKeys(PlayerKeys):
    """An entrant whose strategy must have the source it had."""

    sha256: Text


class TournamentPlayKeys(Keys):
    """What tournament is played, for what, by whom."""

    tournaments: Tournaments = Field(description="Tournaments to play for each scenario, such as 20_000.")
    rules: RulesChoice = Field(
        default=DEFAULT_TOURNAMENT_RULES,
        description="A preset's name, or {preset: wsop_live, bets_per_round: 4} for one with changes.",
    )
    field: FieldSize | None = Field(
        default=None, description="How many players begin; the sum of the line-up's seats when left out."
    )
    table: TableKeys | None = Field(
        default=None, description="Seats at each table: 8 when left out, 2 in a bracket and nothing else."
    )
    starting_stack: ChipsAboveZero = Field(description="Chips in front of each player at the start.")
    levels: LevelsChoice = Field(
        description="A structure that comes along (turbo, slow, daily, live, heads_up), the path of a file of levels, "
        "a list of levels, or {structure: daily, minutes: 10} for one with levels of another length."
    )
    pace: PaceKeys | None = Field(
        default=None,
        description="How long hands take, for levels in minutes; that of the structure, or {8: 30, 2: 60}, when left "
        "out.",
    )
    payouts: PayoutsChoice = Field(
        description="top15 pays 15 % of all entries; [50, 30, 20] are percents of the pool; winner_take_all; "
        "{prizes: [1000, 600]} are fixed; {seats: 5} and {seat_value: 2000} are satellites."
    )
    buy_in: BuyInKeys = Field(description="What each player pays: {prize: 200, fee: 15}.")
    reentry: ReentryKeys | None = Field(default=None, description="Re-entries, which nobody may when left out.")
    rebuys: RebuyKeys | None = Field(default=None, description="Rebuys, which nobody may when left out.")
    addon: AddonKeys | None = Field(default=None, description="The add-on, which there is none of when left out.")
    lineup: Annotated[list[PlayerKeys], Field(min_length=1, max_length=MAX_ENTRANTS)] = Field(
        description="The entrants: strategies, each played by a part of the field."
    )
    on_error: OnErrorChoice = Field(
        default="stop",
        description="What an error of a strategy does (an exception, an illegal answer, a decision that never comes, a "
        "crash). stop: the run ends, resumable; fold: it is played as a check or fold; forfeit: its player loses all "
        "chips to the others at the table and is out.",
    )


_OF_TABLES = {
    "hands": "is for hands at one table: a tournament has tournaments, how many of them are played",
    "stakes": "is for hands at one table: a tournament has levels",
    "stack": "is for hands at one table, in big bets: a tournament has starting_stack, in chips",
    "session": "is for hands at one table: a tournament is itself played to its end, with stacks that carry on",
    "duplicate": "is for hands at one table: in tournaments every entrant has each seat in turn, block by block",
}


class TournamentKeys(CourseKeys, TournamentPlayKeys, HeadKeys):
    """An experiment of whole tournaments: one file, one question."""

    elsewhere: ClassVar[Mapping[str, str]] = _OF_TABLES


class TournamentScenarioKeys(TournamentPlayKeys, PlaceKeys):
    """One scenario of tournaments spelled out, as a run's manifest holds it."""

    elsewhere: ClassVar[Mapping[str, str]] = {key: _OF_TABLES[key] for key in _OF_TABLES if key != "hands"}
    format: Annotated[TournamentFormat, BeforeValidator(choice("a format of tournaments", tuple(TOURNAMENT_FORMATS)))]
    hands: Annotated[int, Whole(1, MAX_HANDS)]
    structure: Text = ""
    unit: AmountAboveZero
    levels: Annotated[list[PinnedLevelKeys], Field(min_length=1, max_length=MAX_LEVELS)]  # type: ignore[assignment]
    pace: PinnedPaceKeys | None = None  # type: ignore[assignment]
    lineup: Annotated[list[PinnedPlayerKeys], Field(min_length=1)]  # type: ignore[assignment]


class StructureFileKeys(Keys):
    """A file of levels."""

    pace: PaceKeys | None = Field(default=None, description="How long hands take, where levels are minutes.")
    levels: _Levels = Field(description="The levels, from the first on.")
