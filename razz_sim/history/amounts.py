"""Amounts of chips as rooms print them and as the engine counts them: exact, or refused with a sentence."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from razz_sim.rules import MAX_CHIPS, MAX_SEATS

AMOUNT = r"(?:US|C)?[$€£¥₹]?\s?\d[\d,]*(?:\.\d+)?[KMB]?"
"""An amount as rooms print it: `$1,234.50`, `€0.04`, `15`, `1.5K`."""
_THOUSANDS = {"K": 1_000, "M": 1_000_000, "B": 1_000_000_000}


def is_sensible(number: Decimal | int) -> bool:
    """Whether a number may be exact chips: of `1e999999999` nothing could be counted in a lifetime.

    >>> is_sensible(Decimal("0.005")), is_sensible(Decimal("1e999999999")), is_sensible(10**5000)
    (True, False, False)
    """
    if isinstance(number, int):
        return number.bit_length() <= 100
    return number.is_finite() and int(number.as_tuple().exponent) >= -30 and number.adjusted() <= 30


def whole_units(amount: Decimal, unit: Decimal) -> int:
    """The number of units in a sensible amount, never rounded. ValueError when it is not whole or beyond counting.

    >>> whole_units(Decimal("1.25"), Decimal("0.005"))
    250
    """
    units = Fraction(amount) / Fraction(unit)
    if units.denominator != 1:
        raise ValueError(f"{amount:f} is not a whole number of {unit:f}")
    if units > MAX_CHIPS * MAX_SEATS:
        raise ValueError(f"{amount:f} is more than a table can hold: {MAX_SEATS} stacks of {MAX_CHIPS} smallest units")
    return int(units)


def whole_chips(amount: int, chip: int) -> int:
    """The forced bet of which a stack that is no whole number of chips posted this much at most.

    >>> whole_chips(9, 5), whole_chips(10, 5)
    (10, 10)
    """
    return -(-amount // chip) * chip


def money(text: str) -> Decimal:
    """The amount that a room's figure says; ValueError when it is none that chips could make up.

    >>> money("$1,234.50"), money("1.5K"), money("75")
    (Decimal('1234.50'), Decimal('1500.0'), Decimal('75'))
    """
    amount = Decimal(re.sub(r"[^\d.]", "", text))
    if not is_sensible(amount):
        raise ValueError(f"{text} is no amount of chips: too large or too fine")
    return amount * _THOUSANDS.get(text.strip()[-1:], 1)
