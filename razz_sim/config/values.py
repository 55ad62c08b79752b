"""Types for the values of an experiment file: each reads one value or says what would be right.

Used in the models as `Annotated[int, ...]`; pydantic calls them and writes their JSON Schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, TypeAlias

from pydantic import (
    BeforeValidator,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from razz_sim.config.problem import nearest, quote, shorten, spell_number
from razz_sim.config.tree import NUMBER, Number, number_meant
from razz_sim.rules import MAX_CHIPS, MAX_SEATS, MIN_SEATS, spell

SENTENCE = "sentence"
"""The type of a pydantic error whose message is already a sentence of ours."""
AMOUNTS_AS_TEXT = "amounts_as_text"
"""Validation context: amounts may stand in quotes, as Python callers and manifests write exact decimals."""
MOST_DECIMALS = 8
LONGEST_NAME = 60
LONGEST_SCENARIO_NAME = 160
"""Names made from the values of a sweep are longer than what people write."""
LONGEST_NUMBER = 25
_MOST_PER_100 = 100_000
WINNER_TAKE_ALL = "winner_take_all"
TOP_PATTERN = r"top[0-9]{1,3}(\.[0-9]{1,2})?"
MOST_WORDS = 8
"""So many words a sentence lists after its guess."""


def wrong(sentence: str) -> PydanticCustomError:
    """The error that carries a sentence through pydantic."""
    return PydanticCustomError(SENTENCE, "{sentence}", {"sentence": sentence})


def describe(value: object) -> str:
    """A value as its writer knows it."""
    if isinstance(value, Number):
        return shorten(value.text)
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, str):
        return quote(value)
    return "nothing" if value is None else spell(value)


_TRAPS = (
    (r"[-+]?\.?(inf|infinity|nan)", "{value} cannot be played for: write a finite number"),
    (r"[-+]?0[0-9_]+(\.[0-9]*)?", "{value} begins with a 0, octal to some readers: leave the 0 out"),
    (r"[-+]?0[xob][0-9a-f_]+", "{value} must be written as a decimal number"),
    (
        r"[-+]?[0-9]+(:[0-9]+)+(\.[0-9]*)?",
        "{value} has a colon, base 60 to some readers: write a plain number",
    ),
    (
        r"[-+]?[0-9]+([,'. ][0-9]+)+",
        "{value} is not a number: write a decimal point, as in 0.20, and thousands as in 2_000_000",
    ),
    (
        r"[-+]?[0-9._]+\s*(k|thousand|m|mio|million)",
        "{value} is not a number: write its digits, or 2e6 for two million",
    ),
    (r"[0-9.]+\s*/\s*[0-9.]+", "{value} is a fraction: write a decimal, as in 0.20"),
    (r"([$€£]\s*[0-9._]+)|([0-9._]+\s*([%$€£]|[a-z]+))", "{value} must be the number alone, without a unit"),
    (r"[-+]?[0-9._]+", "{value} is not a number: underscores stand between digits, and there is one point"),
)


def number(value: object, what: str = "a number") -> Number:
    """A number as it was written, or the error that says why this is none; `what` it must be."""
    if isinstance(value, Number):
        return value
    if isinstance(value, str):
        if NUMBER.fullmatch(value.strip()):
            raise wrong(f"{quote(value)} is text, not a number: write {shorten(value.strip())} without quotes")
        if meant := number_meant(value.strip()):
            raise wrong(f"{shorten(value)} is not a number: write {meant}")
        for pattern, sentence in _TRAPS:
            if re.fullmatch(pattern, value.strip(), re.IGNORECASE):
                raise wrong(sentence.format(value=shorten(value)))
    raise wrong(f"must be {what}, not {describe(value)}")


@dataclass(frozen=True, slots=True)
class Whole:
    """Whole numbers from low to high, for `Annotated[int, Whole(1, 8)]`; `2e6` and `2_000_000` are such.

    `low_is` says what the lowest stands for, and `other` what may stand for a number.

    >>> Whole(1, 10**9).read(Number("2.5e6"))
    2500000
    """

    low: int
    high: int
    low_is: str = ""
    other: str = ""

    def read(self, value: object) -> int:
        """The number, or the error that says what would be right."""
        low = spell_number(self.low) + (f" ({self.low_is})" if self.low_is else "")
        wanted = f"a whole number from {low} to {spell_number(self.high)}" + (
            f", or {self.other}" if self.other else ""
        )
        given = number(value, wanted)
        if not self.low <= given.value <= self.high or given.value != given.value.to_integral_value():
            raise wrong(f"must be {wanted}, not {shorten(given.text)}")
        return int(given.value)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        # Editors that follow YAML 1.2 see 2_000_000 as text.
        digits = {"type": "string", "pattern": "^[0-9]+(_[0-9]+)+$"}
        return {"anyOf": [{"type": "integer", "minimum": self.low, "maximum": self.high}, digits]}


def decimals(value: Decimal) -> int:
    """How many decimals a number needs.

    >>> decimals(Decimal("1.50")), decimals(Decimal("2e6"))
    (1, 0)
    """
    digits = "".join(map(str, value.as_tuple().digits)).rstrip("0")
    lost = len(value.as_tuple().digits) - len(digits)
    return max(0, -(int(value.as_tuple().exponent) + lost)) if digits else 0


def decimal(
    what: str, *, above: int | None = None, low: int = 0, high: int = MAX_CHIPS, places: int = MOST_DECIMALS
) -> Callable[[object, ValidationInfo], Decimal]:
    """A reader of exact decimals: from `low` (or above `above`) to `high`, with at most so many decimals."""
    range_ = (
        f"above {above} and at most {spell_number(high)}"
        if above is not None
        else f"from {low} to {spell_number(high)}"
    )

    def read(value: object, info: ValidationInfo) -> Decimal:
        if info.context and info.context.get(AMOUNTS_AS_TEXT) and isinstance(value, str):
            value = Number(value) if NUMBER.fullmatch(value) else value
        given = number(value, f"{what} {range_}")
        if given.value > high or given.value < low or (above is not None and given.value <= above):
            raise wrong(f"{shorten(given.text)} must be {what} {range_}")
        if decimals(given.value) > places:
            raise wrong(f"{shorten(given.text)} must be {what} with at most {places} decimals")
        if len(given.text) > LONGEST_NUMBER:
            raise wrong(f"{shorten(given.text)} must be written with at most {LONGEST_NUMBER} characters")
        return given.value

    return read


def truth(value: object) -> bool:
    """true or false, nothing else."""
    if isinstance(value, bool):
        return value
    words = {"yes": "true", "on": "true", "true": "true", "no": "false", "off": "false", "false": "false"}
    meant = words.get(value.lower()) if isinstance(value, str) else None
    raise wrong(f"must be true or false, not {describe(value)}" + (f": write {meant}" if meant else ""))


def text(value: object) -> str:
    """A text that is not something else without its quotes."""
    if isinstance(value, str):
        return value
    if isinstance(value, Number | bool):
        shown = describe(value)
        raise wrong(f'must be text, not {shown}: write "{shown}" in quotes if it is a name')
    raise wrong(f"must be text, not {describe(value)}")


def label(value: object) -> str:
    """A name to print in a table."""
    return _name(value, LONGEST_NAME)


def _name(value: object, longest: int) -> str:
    name = text(value)
    if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > longest:
        raise wrong(f"{quote(name)} must be a name of 1 to {longest} characters on one line, no spaces around it")
    return name


def scenario_name(value: object) -> str:
    """A scenario's name, which may be made from the values of a sweep."""
    return _name(value, LONGEST_SCENARIO_NAME)


def as_written(value: object) -> str:
    """A value of a sweep as a manifest keeps it: the text that stood in the file."""
    return value.text if isinstance(value, Number) else text(value)


def folder_name(value: object) -> str:
    """A name that can also be a folder's."""
    name = label(value)
    if not re.fullmatch(r"\w[\w .+=-]*", name) or name.endswith("."):
        raise wrong(
            f"{quote(name)} cannot name the run's folder: use letters, digits, spaces and _ - . + =, "
            "a letter, digit or _ first and no dot last"
        )
    return name


def choice(what: str, values: tuple[object, ...]) -> Callable[[object], object]:
    """A reader of one of a few words (or truth values), as YAML writes them."""
    words = tuple(spell(value) for value in values)

    def read(value: object) -> object:
        if values == (False, True):
            return truth(value)
        if isinstance(value, str) and value in words:
            return value
        if isinstance(value, str):
            raise wrong(f"{quote(value)} is not {what}; {nearest(value, words)}" + _all(value, words))
        raise wrong(f"must be {what}, not {describe(value)}: one of {', '.join(words)}")

    return read


def _all(value: str, words: tuple[str, ...]) -> str:
    """The whole list, if it is short, after a guess."""
    if len(words) > MOST_WORDS:
        return ""
    return f" (one of {', '.join(words)})" if nearest(value, words).endswith("?") else ""


def _decimal_schema(**bounds: int) -> dict[str, Any]:
    digits = {"type": "string", "pattern": r"^[0-9]+(_[0-9]+)+(\.[0-9]*)?$"}
    return {"anyOf": [{"type": "number", **bounds}, digits]}


def read_parameter(value: object) -> int | float | bool:
    """A strategy parameter's value: a number or a truth value."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in ("yes", "no", "on", "off", "true", "false"):
        raise wrong(f"must be a number, or true or false, not {quote(value)}")
    given = number(value, "a number, or true or false")
    if abs(given.value) > MAX_CHIPS:
        raise wrong(f"{shorten(given.text)} is beyond any parameter: at most {spell_number(MAX_CHIPS)} either way")
    return int(given.value) if given.value == given.value.to_integral_value() else float(given.value)


def read_players(value: object) -> int:
    """A number of players dealt in, which stands as a key."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]", value) and MIN_SEATS <= int(value) <= MAX_SEATS:
        return int(value)
    raise wrong(f"{describe(value)} must be a number of players dealt in, from {MIN_SEATS} to {MAX_SEATS}")


def read_payout_name(value: object) -> str:
    """A way to share out prizes that is told by one word: top15, winner_take_all."""
    name = text(value)
    if re.fullmatch(TOP_PATTERN, name) and not 0 < Decimal(name[3:]) <= 100:
        raise wrong(f"{name} must pay above 0 and at most 100 percent of all entries, as top15 does")
    if name == WINNER_TAKE_ALL or re.fullmatch(TOP_PATTERN, name):
        return name
    if name.startswith("top") and NUMBER.fullmatch(name[3:].strip()):
        raise wrong(f"{quote(name)} must be top and a percentage with at most two decimals: top15, top12.5")
    guess = nearest(name, (WINNER_TAKE_ALL,))
    meant = guess if guess.endswith("?") else f"write top15 (percent of all entries), {WINNER_TAKE_ALL} or a list"
    raise wrong(f"{quote(name)} is no way to share out prizes; {meant}")


Amount: TypeAlias = Annotated[Decimal, PlainValidator(decimal("an amount")), WithJsonSchema(_decimal_schema(minimum=0))]
AmountAboveZero: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("an amount", above=0)),
    WithJsonSchema(_decimal_schema(exclusiveMinimum=0)),
]
BigBets: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("a number of big bets", above=0)),
    WithJsonSchema(_decimal_schema(exclusiveMinimum=0)),
]
Weight: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("a weight", above=0)),
    WithJsonSchema(_decimal_schema(exclusiveMinimum=0)),
]
Percent: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("a percentage", high=100, places=4)),
    WithJsonSchema(_decimal_schema(minimum=0, maximum=100)),
]
AnyNumber: TypeAlias = Annotated[
    Decimal, PlainValidator(decimal("a number", low=-MAX_CHIPS)), WithJsonSchema(_decimal_schema())
]
NumberAboveZero: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("a number", above=0)),
    WithJsonSchema(_decimal_schema(exclusiveMinimum=0)),
]
Label: TypeAlias = Annotated[str, BeforeValidator(label)]
ScenarioName: TypeAlias = Annotated[str, BeforeValidator(scenario_name)]
Written: TypeAlias = Annotated[str, BeforeValidator(as_written)]
FolderName: TypeAlias = Annotated[str, BeforeValidator(folder_name)]
Text: TypeAlias = Annotated[str, BeforeValidator(text)]
Truth: TypeAlias = Annotated[bool, BeforeValidator(truth)]
Players: TypeAlias = Annotated[int, PlainValidator(read_players)]
BetsPer100: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("big bets per 100 hands", low=-_MOST_PER_100, high=_MOST_PER_100)),
    WithJsonSchema(_decimal_schema(minimum=-_MOST_PER_100, maximum=_MOST_PER_100)),
]
BetsPer100AboveZero: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("big bets per 100 hands", above=0, high=_MOST_PER_100)),
    WithJsonSchema(_decimal_schema(exclusiveMinimum=0, maximum=_MOST_PER_100)),
]
Probability: TypeAlias = Annotated[
    Decimal, PlainValidator(decimal("a probability", high=1)), WithJsonSchema(_decimal_schema(minimum=0, maximum=1))
]
Minutes: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("minutes", above=0, high=100_000, places=4)),
    WithJsonSchema(_decimal_schema(exclusiveMinimum=0, maximum=100_000)),
]
HandsPerHour: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("hands per hour", low=1, high=3600)),
    WithJsonSchema(_decimal_schema(minimum=1, maximum=3600)),
]
PoolPercent: TypeAlias = Annotated[
    Decimal,
    PlainValidator(decimal("a percentage of the prize pool", above=0, high=100, places=4)),
    WithJsonSchema(_decimal_schema(exclusiveMinimum=0, maximum=100)),
]
PayoutName: TypeAlias = Annotated[
    str,
    PlainValidator(read_payout_name),
    WithJsonSchema({"type": "string", "pattern": rf"^({WINNER_TAKE_ALL}|{TOP_PATTERN})$"}),
]
ParameterValue: TypeAlias = Annotated[
    int | float | bool,
    PlainValidator(read_parameter),
    WithJsonSchema({"type": ["number", "boolean", "string"]}),
]
