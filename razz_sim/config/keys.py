"""What all keys of an experiment file are made of: sections, ways of writing them, and limits."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, ClassVar, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator

from razz_sim.config.real_stakes import PRESET
from razz_sim.config.values import Whole
from razz_sim.experiment import MAX_HANDS

TOURNAMENT_KEYS = (
    "tournaments",
    "field",
    "starting_stack",
    "levels",
    "pace",
    "payouts",
    "buy_in",
    "reentry",
    "rebuys",
    "addon",
)
"""The keys at the top that only tournaments have."""
SWEPT = ("hands", "rules", "stakes", "stack", "session", "table", "lineup", "on_error", *TOURNAMENT_KEYS)
"""The keys that a sweep can go through: those of `PlayKeys` and `TournamentPlayKeys`."""
MAX_SCENARIOS = 10_000

Hands: TypeAlias = Annotated[int, Whole(1, MAX_HANDS)]


class Keys(BaseModel):
    """A section with a fixed set of keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
    elsewhere: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Keys that other formats have here: a sentence on each that says what would be right."""


EITHER = "either"
"""The type of the error for a section that is written in no way known; its sentence lacks only the value."""
NAMED, CHANGED, WRITTEN_OUT, LISTED = "by name", "by name with changes", "written out", "a list"
"""Ways of writing a section."""
TAGS = frozenset({NAMED, CHANGED, WRITTEN_OUT, LISTED, "[key]"})
"""Steps in pydantic's paths that are not in the file's."""


def one_of(what: str, *ways: str) -> Discriminator:
    """Chooses between ways of writing a section."""

    def which(value: object) -> str | None:
        kinds = {NAMED: str, WRITTEN_OUT: dict, LISTED: list}
        way = next((way for way, kind in kinds.items() if isinstance(value, kind)), None)
        if isinstance(value, dict) and PRESET in value and CHANGED in ways:
            way = CHANGED
        return way if way in ways else None

    return Discriminator(which, custom_error_type=EITHER, custom_error_message=f"must be {what}")
