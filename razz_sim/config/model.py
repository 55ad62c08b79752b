"""The keys of an experiment file: what there is, and what each means.

One model a section; those of sweeps, searches and stopping rules are in `points.py`, those of tournaments in
`tournament_keys.py`. To add a key, add a field with its description and use it in `build.py`. Rule options and their
values come from `razz_sim.rules`; checks between keys are in `build.py`, the JSON Schema is made in `schema.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    PlainValidator,
    Tag,
    WithJsonSchema,
    create_model,
)

from razz_sim.config.keys import CHANGED, LISTED, NAMED, TOURNAMENT_KEYS, WRITTEN_OUT, Hands, Keys, one_of
from razz_sim.config.points import SearchKeys, SearchPlanKeys, StopKeys, SweepKeys
from razz_sim.config.real_stakes import REAL_STAKES
from razz_sim.config.values import (
    Amount,
    AmountAboveZero,
    BigBets,
    FolderName,
    Label,
    ParameterValue,
    Percent,
    Players,
    ScenarioName,
    Text,
    Truth,
    Weight,
    Whole,
    Written,
    choice,
)
from razz_sim.experiment import MAX_HANDS, MAX_SESSION_HANDS, Limits, OnError
from razz_sim.matches import FORMATS, FormatKind
from razz_sim.rules import DEFAULT_PRESET, MAX_SEATS, MIN_SEATS, OPTION_VALUES, PRESETS

MAX_SEED = 2**64 - 1
MAX_WORKERS = 10_000
DEFAULT_STACK = Decimal(100)
DEFAULT_TABLES = 100
MAX_TABLES = 10_000
_LIMITS = Limits()
REST = "rest"
"""As many seats as the rest of the line-up leaves free."""

Seed: TypeAlias = Annotated[int, Whole(0, MAX_SEED)]
RunnerKind: TypeAlias = Literal["auto", "local", "ray"]
OnErrorChoice: TypeAlias = Annotated[OnError, BeforeValidator(choice("a way with errors", get_args(OnError)))]
Preset: TypeAlias = Annotated[
    str,
    BeforeValidator(choice("a preset", tuple(PRESETS))),
    WithJsonSchema({"type": "string", "enum": list(PRESETS)}),
]
RealStakesName: TypeAlias = Annotated[
    str,
    BeforeValidator(choice("the name of real stakes", tuple(REAL_STAKES))),
    WithJsonSchema({"type": "string", "enum": list(REAL_STAKES)}),
]

OPTION_MEANINGS: Mapping[str, str] = {
    "bring_in_card": "Which door card owes the bring-in: the highest (king of spades worst) or the lowest.",
    "bring_in_fallback": "When that seat is all-in for the ante: the next seat owes it, or nobody posts.",
    "bring_in_option": "Whether the bring-in seat may still complete after all others called.",
    "opens": "Who acts first from fourth street on: the best low board, or the highest as in stud high.",
    "opener_tie": "Equal boards: first from the dealer, or by the suit of the highest card.",
    "betting": "Fixed limit, pot limit or no limit.",
    "bets_per_round": "Bets and raises allowed in a round, a completion counted: 4, 5 or any; 0 is no cap.",
    "heads_up_cap": "Whether the cap also holds heads-up.",
    "short_all_in": "When an all-in for less counts as a bet or raise: from half a bet on, or in full only.",
    "odd_chip": "Who gets a chip that does not split: by position, highest card used or lowest held.",
    "burn_cards": "Whether a card is burned before each of fourth to seventh street.",
    "community_street_betting": "Whether a street with a community card has betting.",
    "show_first": "Who shows first when the last round had no bet: first from the dealer, or the opener.",
    "free_fold": "Folding when checking is free: allowed, or played as a check.",
}


class RakeKeys(Keys):
    """What the room takes from each pot, rounded down to whole chips."""

    percent: Percent = Field(description="Percent of the pot, after uncalled chips went back.")
    cap: Amount | None = Field(default=None, description="The most taken from one pot.")
    cap_by_players: Annotated[
        dict[Players, Amount],
        WithJsonSchema(
            {
                "type": "object",
                "propertyNames": {"pattern": "^[2-8]$"},
                "additionalProperties": {"type": "number", "minimum": 0},
            }
        ),
    ] = Field(
        default_factory=dict,
        description="The cap by players dealt in: {2: 0.5, 4: 1} is 0.5 for two and three, 1 for more.",
    )
    third_street: Truth = Field(default=True, description="false: no rake from a pot that ended on third street.")


class StakesKeys(Keys):
    """Forced bets and bet sizes: exact decimals in any currency."""

    name: Label | None = Field(
        default=None,
        description="What to call these stakes and their scenario; small_bet/big_bet when left out.",
    )
    ante: Amount = Field(description="Posted by each seat before each hand; usually 10-25 % of small_bet.")
    bring_in: Amount = Field(
        description="Posted by the seat that must open third street; usually 20-50 % of small_bet."
    )
    small_bet: AmountAboveZero = Field(description="The bet on third and fourth street.")
    big_bet: AmountAboveZero = Field(description="The bet on fifth to seventh street; usually twice small_bet.")
    chip: AmountAboveZero | None = Field(
        default=None,
        description="Pots split and rake is taken in whole chips of this; the smallest unit when left out.",
    )
    rake: RakeKeys | None = Field(default=None, description="What the room takes; nothing when left out.")


class ChangedStakesKeys(StakesKeys):
    """Stakes of a real room, with what is changed or added."""

    preset: RealStakesName = Field(description="Whose ante, bring-in and bets these are.")
    name: Label | None = Field(default=None, description="What to call these stakes; the preset's name when left out.")
    ante: Amount | None = Field(default=None, description="The preset's when left out.")  # type: ignore[assignment]
    bring_in: Amount | None = Field(default=None, description="The preset's when left out.")  # type: ignore[assignment]
    small_bet: AmountAboveZero | None = Field(  # type: ignore[assignment]
        default=None, description="The preset's when left out."
    )
    big_bet: AmountAboveZero | None = Field(  # type: ignore[assignment]
        default=None, description="The preset's when left out."
    )


class RuleKeys(Keys):
    """A preset and the options in which these rules differ from it."""

    preset: Preset = Field(default=DEFAULT_PRESET, description="The rules to begin with.")

    def options(self) -> dict[str, object]:
        """The options that are given."""
        return {option: getattr(self, option) for option in OPTION_VALUES if option in self.model_fields_set}


def _option_field(option: str, values: tuple[object, ...]) -> Any:
    kind: Any = Annotated[int, Whole(0, 100, low_is="no cap")]
    if values != (int,):
        read = PlainValidator(choice(f"a value of {option}", values))
        kind = Annotated[object, read, WithJsonSchema({"enum": list(values)})]
    return kind, Field(default=None, description=OPTION_MEANINGS[option])


Options: type[RuleKeys] = create_model(
    "Options",
    __base__=RuleKeys,
    __doc__="A preset and the options in which these rules differ from it.",
    **{option: _option_field(option, values) for option, values in OPTION_VALUES.items()},
)

RulesChoice: TypeAlias = Annotated[
    Annotated[Preset, Tag(NAMED)] | Annotated[Options, Tag(WRITTEN_OUT)],  # type: ignore[valid-type]
    one_of("a preset's name or a mapping {preset: ..., option: ...}", NAMED, WRITTEN_OUT),
]
_OneStakes: TypeAlias = (
    Annotated[StakesKeys, Tag(WRITTEN_OUT)]
    | Annotated[ChangedStakesKeys, Tag(CHANGED)]
    | Annotated[RealStakesName, Tag(NAMED)]
)
_StakesItem: TypeAlias = Annotated[
    _OneStakes,
    one_of("a mapping {ante: ..., bring_in: ..., ...} or the name of real stakes", NAMED, CHANGED, WRITTEN_OUT),
]
StakesChoice: TypeAlias = Annotated[
    _OneStakes | Annotated[list[_StakesItem], Field(min_length=1), Tag(LISTED)],
    one_of(
        "a mapping {ante: ..., bring_in: ..., ...}, the name of real stakes, or a list of such",
        NAMED,
        CHANGED,
        WRITTEN_OUT,
        LISTED,
    ),
]


def _read_seats(value: object) -> int | str:
    return REST if value == REST else Whole(1, MAX_SEATS, other=REST).read(value)


Seats: TypeAlias = Annotated[
    int | str,
    PlainValidator(_read_seats),
    WithJsonSchema({"anyOf": [{"type": "integer", "minimum": 1, "maximum": MAX_SEATS}, {"const": REST}]}),
]


class SessionKeys(Keys):
    """Hands in a row at one table, as one independent sample."""

    hands: Annotated[int, Whole(1, MAX_SESSION_HANDS)] = Field(
        default=1, description="Hands in a session; the hands of a scenario are a multiple of it."
    )
    stacks: Annotated[Literal["reset", "carry"], BeforeValidator(choice("a way with stacks", ("reset", "carry")))] = (
        Field(default="reset", description="reset: full stacks in each hand; carry: what was won and lost stays.")
    )
    top_up: Truth = Field(
        default=False,
        description="With stacks carried on: before each hand a seat below the starting stack is filled up to it. "
        "Without, a seat that lost all is dealt out, and a session ends when fewer than two have chips.",
    )


class TableKeys(Keys):
    """The table they sit at."""

    seats: Annotated[int, Whole(MIN_SEATS, MAX_SEATS)] = Field(
        description="Seats at the table. The line-up must fill them; an entrant with seats: rest fills what is left."
    )


class EntrantKeys(Keys):
    """A strategy with its parameters, in one or more seats."""

    name: Label | None = Field(
        default=None, description="What to call this entrant; the strategy's name when left out."
    )
    strategy: Text = Field(
        description="A name such as caller, of a strategy that comes along or that an installed package offers; "
        "path/from/here/file.py:Name or package.module:Name."
    )
    params: dict[str, ParameterValue] = Field(
        default_factory=dict, description="The strategy's parameters; those left out keep their defaults."
    )
    seats: Seats = Field(
        default=1, description="How many seats it plays; rest: all that the others leave of the table's seats."
    )
    weight: Weight | None = Field(
        default=None, description="Its share of a population's seats, in proportion to the others; 1 when left out."
    )


class FormatKeys(Keys):
    """Who meets whom: each meeting is a match, a table of its own."""

    kind: Annotated[FormatKind, BeforeValidator(choice("a format", FORMATS))] = Field(
        description="table: the line-up as it is; round_robin: every combination of entrants meets; gauntlet: the "
        "first entrant meets each of the others, who fill the other seats; population: seats are drawn by weight. "
        "tournament, shootout and bracket play whole tournaments: levels, a field, prizes."
    )
    seats: Annotated[int, Whole(MIN_SEATS, MAX_SEATS)] = Field(default=2, description="Seats at the table of a match.")
    tables: Annotated[int, Whole(1, MAX_TABLES)] | None = Field(
        default=None,
        description="Tables of a population's cycle, in which each entrant has its share of the seats; "
        f"{DEFAULT_TABLES} when left out.",
    )


FormatChoice: TypeAlias = Annotated[
    Annotated[FormatKind, BeforeValidator(choice("a format", FORMATS)), Tag(NAMED)]
    | Annotated[FormatKeys, Tag(WRITTEN_OUT)],
    one_of("a format's name or a mapping {kind: ..., seats: ...}", NAMED, WRITTEN_OUT),
]


class RunnerKeys(Keys):
    """Where to play. It changes no result."""

    kind: Annotated[RunnerKind, BeforeValidator(choice("a runner", get_args(RunnerKind)))] = Field(
        default="auto", description="local: on this machine; ray: on Ray; auto: Ray when it pays."
    )
    workers: Annotated[int, Whole(1, MAX_WORKERS)] | None = Field(
        default=None, description="How many processes play; as many as there are processors when left out."
    )


class LimitsKeys(Keys):
    """What a strategy may use before that counts as an error. An honest one never meets the defaults."""

    decision_ms: Annotated[int, Whole(1, 3_600_000)] = Field(
        default=_LIMITS.decision_ms,
        description="Processor time of a decision in milliseconds, ten times that by the clock; for array strategies "
        "of each hundred rows.",
    )
    batch_s: Annotated[int, Whole(1, 1_000_000)] = Field(
        default=_LIMITS.batch_s, description="Seconds by the clock for a batch, which is cut to a second or so of play."
    )
    memory_mb: Annotated[int, Whole(1, 10_000_000)] = Field(
        default=_LIMITS.memory_mb, description="Megabytes that a process may take beyond those it began to play with."
    )


class HeadKeys(Keys):
    """What a run is known by."""

    name: FolderName = Field(description="The experiment's name; its runs are kept in a folder of that name.")
    seed: Seed = Field(default=0, description="The same seed deals the same cards, always.")


class PlayKeys(Keys):
    """What is played, for what, by whom."""

    hands: Hands = Field(
        description="Hands to play for each scenario, in each of its matches, such as 2_000_000 or 2e6; whole sessions "
        "in all arrangements."
    )
    rules: RulesChoice = Field(
        default=DEFAULT_PRESET,
        description="A preset's name, or {preset: wsop_live, bets_per_round: 4} for one with changes.",
    )
    stakes: StakesChoice = Field(
        description="The stakes, or a list of them: each is a scenario of its own. Stakes are written out, or named: "
        "pokerstars_2_4, or {preset: pokerstars_2_4, rake: ...} with changes."
    )
    stack: BigBets = Field(
        default=DEFAULT_STACK,
        description="Big bets in front of each seat at the start of each hand, or of the session when carried on.",
    )
    session: SessionKeys = Field(
        default_factory=SessionKeys, description="Makes each sample a session of several hands; a single hand else."
    )
    table: TableKeys | None = Field(default=None, description="The table's size; the line-up must fill it exactly.")
    lineup: Annotated[list[EntrantKeys], Field(min_length=1)] = Field(
        description="The entrants at the table, who fill 2 to 8 seats."
    )
    duplicate: Truth | None = Field(
        default=None,
        description="Whether each block (a hand, or a session) is played in several arrangements of the entrants over "
        "the seats with the same cards, so that luck of the cards cancels. Left out: in matches, not at one table.",
    )
    on_error: OnErrorChoice = Field(
        default="stop",
        description="What an error of a strategy does (an exception, an illegal answer, a decision that never comes, a "
        "crash). stop: the run ends, resumable; fold: it is played as a check or fold; forfeit: the seat loses its "
        "chips to the others and the block ends.",
    )


class CourseKeys(Keys):
    """What becomes of it: who meets, at which points, how far, where."""

    format: FormatChoice = Field(default="table", description="Who meets whom, if not all entrants at one table.")
    sweep: SweepKeys | None = Field(
        default=None,
        description="Paths with lists of values, all crossed: a scenario for each combination and stakes. "
        "stakes.ante sets every item, stakes[1].ante one; lineup[0].params.limit a parameter; rules all of them. "
        "zip, cases and samples set several paths together.",
    )
    stop: StopKeys | None = Field(
        default=None, description="When it is known enough to stop; hands are the most that are played then."
    )
    search: SearchKeys | None = Field(
        default=None, description="Looks for good values, by rounds in which the better points go on."
    )
    runner: RunnerKeys = Field(default_factory=RunnerKeys, description="Where to play.")
    limits: LimitsKeys = Field(default_factory=LimitsKeys, description="What a strategy may use.")


_INSTEAD = {
    "tournaments": "hands",
    "field": "table.seats",
    "starting_stack": "stack, in big bets",
    "levels": "stakes",
}
_OF_TOURNAMENTS = {
    key: "is for whole tournaments: write format: tournament (or shootout, or bracket)"
    + (f"; hands at one table have {_INSTEAD[key]}" if key in _INSTEAD else ", or leave it out")
    for key in TOURNAMENT_KEYS
}


class ExperimentKeys(CourseKeys, PlayKeys, HeadKeys):
    """An experiment of razz_sim: one file, one question."""

    elsewhere: ClassVar[Mapping[str, str]] = _OF_TOURNAMENTS


class PinnedEntrantKeys(EntrantKeys):
    """An entrant whose strategy must have the source it had."""

    sha256: Text


class PlaceKeys(Keys):
    """What a scenario that is spelled out is called, and where it stands in its experiment."""

    name: ScenarioName
    point: dict[str, Written] = Field(default_factory=dict)
    setting: ScenarioName | None = None
    match: Annotated[int, Whole(0, MAX_HANDS)] = 0
    times: Annotated[int, Whole(1, MAX_TABLES)] = 1
    fresh: Truth = False
    baseline: Annotated[int, Whole(0, MAX_HANDS)] = 0


class ScenarioKeys(PlayKeys, PlaceKeys):
    """One scenario spelled out, as a run's manifest holds it."""

    stakes: StakesKeys
    lineup: Annotated[list[PinnedEntrantKeys], Field(min_length=1)]  # type: ignore[assignment]


class ResolvedKeys(HeadKeys):
    """An experiment spelled out, as a run's manifest holds it; scenarios are `ScenarioKeys`, or of tournaments."""

    runner: RunnerKeys
    limits: LimitsKeys
    stop: StopKeys | None = None
    search: SearchPlanKeys | None = None
    scenarios: Annotated[list[dict[str, Any]], Field(min_length=1)]


def model_in(annotation: Any) -> type[BaseModel] | None:
    """The section's model inside a field's type, if it has one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(model_in, get_args(annotation))), None)
