"""The keys of what is played at many points, or not to its end: sweeps, searches, stopping rules."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, Tag

from razz_sim.config.keys import LISTED, MAX_SCENARIOS, NAMED, SWEPT, WRITTEN_OUT, Hands, Keys, one_of
from razz_sim.config.values import (
    AnyNumber,
    BetsPer100,
    BetsPer100AboveZero,
    Label,
    NumberAboveZero,
    Probability,
    ScenarioName,
    Whole,
)

_Two: TypeAlias = Annotated[list[Label], Field(min_length=1)]


class StopKeys(Keys):
    """When a run ends before all its hands are played: when it is known about two entrants, [a, b], what was asked.

    What is known is the big bets per 100 hands that a wins less b's, of tournaments its return in percent less b's.
    Each setting of a sweep stops by itself.
    """

    difference: _Two | None = Field(
        default=None, description="[a, b]: stop when their difference is known to half_width."
    )
    test: _Two | None = Field(default=None, description="[a, b]: stop when it is decided whether it is h0 or h1.")
    anytime: _Two | None = Field(
        default=None, description="[a, b]: stop when an interval that is valid at every look does not hold 0."
    )
    half_width: BetsPer100AboveZero | None = Field(
        default=None,
        description="How far the interval of the difference may reach to each side. With anytime: when it is as narrow "
        "without a decision, that ends too.",
    )
    h0: BetsPer100 | None = Field(default=None, description="Of a test: one difference; 0 when left out.")
    h1: BetsPer100 | None = Field(default=None, description="Of a test: the other difference.")
    alpha: Probability | None = Field(
        default=None,
        description="The probability to take h1 where h0 is true, or that the anytime interval is wrong; 0.05 when "
        "left out.",
    )
    beta: Probability | None = Field(
        default=None, description="Of a test: the probability to take h0 where h1 is true; 0.05 when left out."
    )


_PATH = rf"^({'|'.join(SWEPT)})($|[.\[])"


def _others_are_paths(schema: dict[str, Any]) -> None:
    """Says in a JSON Schema that all keys but those described are paths."""
    schema["patternProperties"] = {_PATH: schema.pop("additionalProperties")}
    schema["additionalProperties"] = False


class PathKeys(BaseModel):
    """A section whose keys are paths, but for those named here."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True, json_schema_extra=_others_are_paths)
    at_paths: ClassVar[Any] = Any
    """What stands at a path."""


class RangeKeys(Keys):
    """Numbers from low to high, all as likely."""

    low: AnyNumber = Field(description="The least value.")
    high: AnyNumber = Field(description="The largest value.")
    step: NumberAboveZero | None = Field(
        default=None, description="From one value to the next; as fine as low and high are written when left out."
    )


RangeChoice: TypeAlias = Annotated[
    Annotated[RangeKeys, Tag(WRITTEN_OUT)] | Annotated[list[Any], Field(min_length=1), Tag(LISTED)],
    one_of("a range {low: ..., high: ...} or a list of values", WRITTEN_OUT, LISTED),
]


class SamplesKeys(PathKeys):
    """Points drawn by the experiment's seed, none twice, from paths with ranges {low: ..., high: ...} or lists."""

    __pydantic_extra__: dict[str, RangeChoice]
    at_paths = RangeChoice
    count: Annotated[int, Whole(1, MAX_SCENARIOS)] = Field(description="How many points to draw.")


class CaseKeys(PathKeys):
    """Paths with a value each: one point of its axis."""

    __pydantic_extra__: dict[str, Any]
    name: Label | None = Field(default=None, description="What to call it; by its values when left out.")


class BaselineKeys(PathKeys):
    """Paths with the values that the baseline has there; it is like the point compared with it in all else."""

    __pydantic_extra__: dict[str, Any]
    cases: Label | None = Field(default=None, description="The name of one of the sweep's cases.")


class ZipKeys(PathKeys):
    """Paths with lists of one length."""

    __pydantic_extra__: dict[str, Annotated[list[Any], Field(min_length=1)]]


class SweepKeys(PathKeys):
    """Paths with lists of values, all crossed: a scenario for each combination and stakes."""

    __pydantic_extra__: dict[str, Annotated[list[Any], Field(min_length=1)]]
    zip: ZipKeys | None = Field(default=None, description="Paths with lists of one length, gone through in step.")
    cases: Annotated[list[CaseKeys], Field(min_length=1)] | None = Field(
        default=None, description="Points written out: mappings from paths to values, with a name if wanted."
    )
    samples: SamplesKeys | None = Field(default=None, description="Points drawn at random from ranges and lists.")
    baseline: (
        Annotated[
            Annotated[ScenarioName, Tag(NAMED)] | Annotated[BaselineKeys, Tag(WRITTEN_OUT)],
            one_of("the name of a point or a mapping {path: value, ...}", NAMED, WRITTEN_OUT),
        ]
        | None
    ) = Field(
        default=None,
        description="What the points are compared with, deal by deal: the point of this name, or for each point that "
        "with these values on these paths, and its own on all other axes.",
    )


class SearchPlanKeys(Keys):
    """Of what points of a search go on from round to round."""

    best: Label = Field(description="The entrant whose win rate, or return, is to be as high as can be.")
    factor: Annotated[int, Whole(2, 100)] = Field(
        default=2,
        description="From round to round the best one of so many points goes on, to so many times the hands; the last "
        "round plays all hands.",
    )


class OverKeys(PathKeys):
    """Paths with ranges {low: ..., high: ...} or lists of values."""

    __pydantic_extra__: dict[str, RangeChoice]
    at_paths = RangeChoice


class SearchKeys(SearchPlanKeys):
    """Looks for the point at which an entrant wins most, and measures that again on fresh deals."""

    over: OverKeys = Field(description="Paths with ranges {low: ..., high: ...} or lists: where to look.")
    points: Annotated[int, Whole(2, MAX_SCENARIOS // 2)] = Field(
        description="How many points are drawn from there, by the seed, none twice."
    )
    again: Hands | None = Field(
        default=None,
        description="Hands (or how many tournaments) in which the winner is measured again on fresh deals; as hands "
        "(or tournaments) when left out.",
    )
