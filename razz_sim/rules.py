"""The rules of a game as data: options, presets, stakes and rake.

What the options mean, where each comes from and what the presets hold is in `docs/rules.md`. The betting
procedures that obey them are in `razz_sim.hand`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from decimal import Decimal
from enum import IntEnum
from types import MappingProxyType
from typing import Literal, get_args, get_type_hints

MIN_SEATS = 2
MAX_SEATS = 8
MAX_CHIPS = 10**12
"""The largest stack, in smallest units: pots of eight such stacks and their rake stay inside 64 bits."""
DEFAULT_PRESET = "pokerstars"


class Street(IntEnum):
    """A street is the number of cards a live seat holds on it."""

    THIRD = 3
    FOURTH = 4
    FIFTH = 5
    SIXTH = 6
    SEVENTH = 7


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One value for each rule option; the defaults are the preset `pokerstars`.

    >>> PRESETS["wsop_live"].bets_per_round
    5
    >>> rule_set("wsop_live", bets_per_round=4).describe()
    'wsop_live with bets_per_round 4'
    """

    bring_in_card: Literal["high", "low"] = "high"
    bring_in_fallback: Literal["next_seat", "none"] = "next_seat"
    bring_in_option: bool = False
    opens: Literal["low_board", "high_board"] = "low_board"
    opener_tie: Literal["position", "suit"] = "position"
    betting: Literal["fixed_limit", "pot_limit", "no_limit"] = "fixed_limit"
    bets_per_round: int = 4
    heads_up_cap: Literal["always", "off_if_round_began_heads_up", "off_if_two_left_in_tournament"] = "always"
    short_all_in: Literal["half_bet", "full_bet_only", "bring_in_level"] = "half_bet"
    odd_chip: Literal["position", "high_card", "low_card"] = "position"
    burn_cards: bool = False
    community_street_betting: bool = True
    show_first: Literal["seat", "opener"] = "seat"
    free_fold: Literal["allow", "check"] = "allow"

    def __post_init__(self) -> None:
        for option, allowed in OPTION_VALUES.items():
            value = getattr(self, option)
            if allowed == (int,):
                if type(value) is not int or not 0 <= value <= 100:
                    raise ValueError(f"{option} must be a whole number from 0 (no cap) to 100, not {value!r}")
            elif type(value) not in {type(one) for one in allowed} or value not in allowed:
                raise ValueError(f"{option} must be one of {spell_values(allowed)}, not {value!r}")

    def describe(self) -> str:
        """The nearest preset's name and what differs from it."""
        preset = min(PRESETS, key=lambda name: len(self.differences_from(name)))
        different = self.differences_from(preset)
        if not different:
            return preset
        return f"{preset} with " + ", ".join(f"{option} {spell(value)}" for option, value in different.items())

    def differences_from(self, preset: str) -> dict[str, object]:
        """The options, with their values here, that are not as in the named preset."""
        usual = asdict(PRESETS[preset])
        return {option: value for option, value in asdict(self).items() if value != usual[option]}


def _option_values() -> dict[str, tuple[object, ...]]:
    hints = get_type_hints(RuleSet)
    known = {bool: (False, True), int: (int,)}
    return {field.name: known.get(hints[field.name]) or get_args(hints[field.name]) for field in fields(RuleSet)}


OPTION_VALUES: Mapping[str, tuple[object, ...]] = MappingProxyType(_option_values())
"""Each option's values in the order of the options; `(int,)` for a number. An engine code is a value's index."""


def spell(value: object) -> str:
    """An option's value as YAML writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def spell_values(values: tuple[object, ...]) -> str:
    """Values for a sentence: 'high, low'."""
    return ", ".join(spell(value) for value in values)


_WSOP = RuleSet(
    bring_in_fallback="none",
    bets_per_round=5,
    heads_up_cap="off_if_round_began_heads_up",
    odd_chip="high_card",
    burn_cards=True,
    show_first="opener",
)

PRESETS: Mapping[str, RuleSet] = MappingProxyType(
    {
        "pokerstars": RuleSet(),
        "wsop_live": _WSOP,
        "wsop_tournament": replace(_WSOP, heads_up_cap="off_if_two_left_in_tournament"),
        "low_card_a": RuleSet(bring_in_card="low", bring_in_option=True, opens="high_board", bets_per_round=5),
        "low_card_b": RuleSet(bring_in_card="low", community_street_betting=False),
    }
)


def rule_set(preset: str = DEFAULT_PRESET, **options: object) -> RuleSet:
    """A preset with some options changed.

    >>> rule_set("pokerstars", betting="no_limit").betting
    'no_limit'

    Raises ValueError for an unknown preset, option or value.
    """
    if preset not in PRESETS:
        raise ValueError(f"{preset!r} is not a preset: one of {', '.join(PRESETS)}")
    for option in options:
        if option not in OPTION_VALUES:
            raise ValueError(f"{option!r} is not a rule option: one of {', '.join(OPTION_VALUES)}")
    return replace(PRESETS[preset], **options)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Rake:
    """What the room takes from each pot: percent, capped, rounded down to whole chips.

    Caps are in smallest units. `cap_by_players` holds (players dealt in, cap): the entry with the most players not
    above those dealt in counts; below the first entry `cap` does, or the first entry when there is no `cap`.
    """

    percent: Decimal
    cap: int | None = None
    cap_by_players: tuple[tuple[int, int], ...] = ()
    third_street: bool = True

    def __post_init__(self) -> None:
        if not (self.percent.is_finite() and 0 <= self.percent <= 100):
            raise ValueError(f"rake percent {self.percent} must be from 0 to 100")
        if -self.percent.as_tuple().exponent > 4:  # type: ignore[operator]
            raise ValueError(f"rake percent {self.percent} must have at most four decimals")
        if self.cap is not None and self.cap < 0:
            raise ValueError(f"rake cap {self.cap} must not be negative")
        players = [count for count, _ in self.cap_by_players]
        if players != sorted(set(players)) or any(not MIN_SEATS <= count <= MAX_SEATS for count in players):
            raise ValueError(f"rake cap_by_players names players {players}: 2 to 8, each once, rising")
        if any(cap < 0 for _, cap in self.cap_by_players):
            raise ValueError("rake cap_by_players must not hold a negative cap")

    def cap_for(self, players: int) -> int:
        """The cap in smallest units for so many players dealt in; MAX_CHIPS * MAX_SEATS when there is none.

        >>> Rake(Decimal(5), cap_by_players=((2, 50), (4, 100))).cap_for(3)
        50
        """
        reached = [cap for count, cap in self.cap_by_players if count <= players]
        if reached:
            return reached[-1]
        if self.cap is not None:
            return self.cap
        return self.cap_by_players[0][1] if self.cap_by_players else MAX_CHIPS * MAX_SEATS


@dataclass(frozen=True, slots=True)
class Stakes:
    """Forced bets, bet sizes and rake, in integers of the smallest unit; `unit` is what one of them is worth.

    >>> Stakes(name="2/4", ante=20, bring_in=100, small_bet=200, big_bet=400, unit=Decimal("0.01")).money(250)
    '2.50'
    """

    name: str
    ante: int
    bring_in: int
    small_bet: int
    big_bet: int
    chip: int = 1
    unit: Decimal = Decimal(1)
    rake: Rake | None = None

    def __post_init__(self) -> None:
        for part in ("ante", "bring_in", "small_bet", "big_bet", "chip"):
            amount = getattr(self, part)
            if type(amount) is not int:
                raise ValueError(f"{part} {amount!r} must be a whole number of smallest units")
            if not 0 <= amount <= MAX_CHIPS:
                raise ValueError(f"{part} {self.money(amount)} must be from 0 to {MAX_CHIPS} smallest units")
        if self.small_bet == 0:
            raise ValueError("small_bet must be above 0")
        if self.bring_in > self.small_bet:
            raise ValueError(
                f"bring_in {self.money(self.bring_in)} must not be above small_bet {self.money(self.small_bet)}"
            )
        if self.big_bet < self.small_bet:
            raise ValueError(
                f"big_bet {self.money(self.big_bet)} must not be below small_bet {self.money(self.small_bet)}"
            )
        if self.ante == 0 and self.bring_in == 0:
            raise ValueError("ante and bring_in are both 0: there would be nothing to play for")
        if self.chip < 1:
            raise ValueError(f"chip {self.money(self.chip)} must be above 0")
        for part in ("ante", "bring_in", "small_bet", "big_bet"):
            if getattr(self, part) % self.chip:
                raise ValueError(
                    f"{part} {self.money(getattr(self, part))} must be a multiple of chip {self.money(self.chip)}"
                )

    def money(self, amount: int) -> str:
        """An amount in the stakes' currency, exact, without a sign for it."""
        return f"{amount * self.unit:f}"


def smallest_unit(*amounts: Decimal | None) -> Decimal:
    """The unit in which all the amounts are whole: 1 if they all are, else cents or the finer power of ten.

    >>> smallest_unit(Decimal("0.2"), Decimal("4"))
    Decimal('0.01')
    >>> smallest_unit(Decimal("15"), None)
    Decimal('1')
    """
    places = max(
        (max(0, -int(amount.normalize().as_tuple().exponent)) for amount in amounts if amount is not None),
        default=0,
    )
    return Decimal(1).scaleb(-max(2, places)) if places else Decimal(1)


def in_units(amount: Decimal, unit: Decimal) -> int:
    """The whole number of units in an amount; ValueError when it is not whole.

    >>> in_units(Decimal("1.25"), Decimal("0.01"))
    125
    """
    units = amount / unit
    if units != units.to_integral_value():
        raise ValueError(f"{amount} is not a whole number of {unit}")
    return int(units)
