"""What editors are told of the keys: the JSON Schema of experiment files; and in which section a key stands."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from razz_sim.config import tournament_keys
from razz_sim.config.keys import TOURNAMENT_KEYS, Keys
from razz_sim.config.model import (
    DEFAULT_STACK,
    EntrantKeys,
    ExperimentKeys,
    FormatKeys,
    LimitsKeys,
    Options,
    RakeKeys,
    RunnerKeys,
    SessionKeys,
    StakesKeys,
    TableKeys,
)
from razz_sim.config.points import SearchKeys, StopKeys
from razz_sim.config.tournament_keys import TournamentKeys
from razz_sim.matches import TOURNAMENT_FORMATS

_PLAYS_TOURNAMENTS = {
    "required": ["format"],
    "properties": {
        "format": {
            "anyOf": [
                {"enum": list(TOURNAMENT_FORMATS)},
                {
                    "type": "object",
                    "required": ["kind"],
                    "properties": {"kind": {"enum": list(TOURNAMENT_FORMATS)}},
                },
            ]
        }
    },
}
"""The schema of files that are about tournaments."""
_SAID = ("description", "default")
"""Parts of a schema that allow or refuse nothing."""


def json_schema() -> dict[str, Any]:
    """The JSON Schema of an experiment file, for editors: what each key means and which values it takes.

    Where tournaments and hands at tables differ, `then` is about tournaments and `else` about tables.
    """
    tables, tournaments = _schema_of(ExperimentKeys), _schema_of(TournamentKeys)
    tables["properties"]["stack"]["default"] = int(DEFAULT_STACK)
    mine, others = tables["properties"], tournaments["properties"]
    properties = {**mine, **{key: others[key] for key in TOURNAMENT_KEYS}}
    then, other = _only_in(tournaments, tables), _only_in(tables, tournaments)
    for key in [key for key in mine if key in others and mine[key] != others[key]]:
        then["properties"][key] = others[key]
        if _is_written_alike(mine[key], others[key]):
            then["properties"][key] = {part: others[key][part] for part in _SAID if part in others[key]}
        else:
            other["properties"][key] = mine[key]
            properties[key] = {"description": mine[key]["description"]}
    definitions = {**tables.pop("$defs"), **tournaments.pop("$defs")}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {name: {**part, "title": name.removesuffix("Keys")} for name, part in definitions.items()},
        **tables,
        "properties": properties,
        "required": [key for key in tables["required"] if key in tournaments["required"]],
        "title": "razz_sim experiment",
        "if": _PLAYS_TOURNAMENTS,
        "then": then,
        "else": other,
    }


def _schema_of(model: type[Keys]) -> dict[str, Any]:
    schema: dict[str, Any] = _tidy(model.model_json_schema())
    return schema


def _only_in(here: dict[str, Any], elsewhere: dict[str, Any]) -> dict[str, Any]:
    """The keys there must be here and not elsewhere, and those that cannot be here."""
    return {
        "required": [key for key in here["required"] if key not in elsewhere["required"]],
        "properties": {key: False for key in elsewhere["properties"] if key not in here["properties"]},
    }


def _is_written_alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two keys take the same values, whatever is said of them."""
    bare = ({key: part for key, part in schema.items() if key not in _SAID} for schema in (one, other))
    return next(bare) == next(bare)


def _tidy(schema: Any) -> Any:
    """Without `null`s: a key that is left out is left out."""
    if isinstance(schema, list):
        return [_tidy(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: _tidy(part) for key, part in schema.items() if not (key == "default" and part is None)}
    choices = [part for part in kept.get("anyOf", ()) if part != {"type": "null"}]
    if len(choices) == 1:
        kept = {**choices[0], **{key: part for key, part in kept.items() if key != "anyOf"}}
    elif choices:
        kept["anyOf"] = choices
    return kept


def section_of(key: str) -> str | None:
    """The path from the top of a key that stands in a section, not at the top itself.

    >>> section_of("ante"), section_of("percent"), section_of("until_level"), section_of("tempo")
    ('stakes.ante', 'stakes.rake.percent', 'reentry.until_level', None)
    """
    return _place(key, [*_AT_TABLES, *_OF_TOURNAMENTS])


def section_in_tournament(key: str) -> str | None:
    """The same in a file about tournaments.

    >>> section_in_tournament("ante"), section_in_tournament("workers")
    ('levels.ante', 'runner.workers')
    """
    others = [
        (section, model) for section, model in _AT_TABLES if section.split(".")[0] not in TournamentKeys.elsewhere
    ]
    return _place(key, [*_OF_TOURNAMENTS, *others])


def _place(key: str, sections: list[tuple[str, type[BaseModel]]]) -> str | None:
    return next((f"{section}.{key}" for section, model in sections if key in model.model_fields), None)


_AT_TABLES: list[tuple[str, type[BaseModel]]] = [
    ("stakes", StakesKeys),
    ("rules", Options),
    ("session", SessionKeys),
    ("table", TableKeys),
    ("format", FormatKeys),
    ("lineup[0]", EntrantKeys),
    ("stakes.rake", RakeKeys),
    ("stop", StopKeys),
    ("search", SearchKeys),
    ("runner", RunnerKeys),
    ("limits", LimitsKeys),
]
_OF_TOURNAMENTS: list[tuple[str, type[BaseModel]]] = [
    ("levels", tournament_keys.LevelKeys),
    ("levels", tournament_keys.StructureKeys),
    ("pace", tournament_keys.PaceKeys),
    ("buy_in", tournament_keys.BuyInKeys),
    ("reentry", tournament_keys.ReentryKeys),
    ("addon", tournament_keys.AddonKeys),
    ("payouts", tournament_keys.PayoutKeys),
]
