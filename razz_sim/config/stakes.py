"""Stakes from their keys: checks between the amounts, and exact integers of the smallest unit."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cache

from razz_sim.config.model import RakeKeys, StakesKeys
from razz_sim.config.notes import Notes, Shape
from razz_sim.config.problem import PathParts, spell_number
from razz_sim.config.real_stakes import PRESET, REAL_STAKES
from razz_sim.config.tree import Number, find
from razz_sim.rules import MAX_CHIPS, Rake, Stakes, in_units, smallest_unit

_STAKES: Shape[StakesKeys] = Shape(StakesKeys)


def read_stakes(notes: Notes, path: PathParts) -> Stakes | None:
    """Stakes in integers of their smallest unit; what is unusual about them is a warning."""
    if find(notes.tree, (*path, PRESET)) is not None:
        return None  # an unknown one: the reading of the whole file says so
    keys = notes.read(_STAKES, path)
    if keys is None or not playable(notes, path, keys):
        return None
    rake = keys.rake
    caps = () if rake is None else (rake.cap, *rake.cap_by_players.values())
    unit = smallest_unit(keys.ante, keys.bring_in, keys.small_bet, keys.big_bet, keys.chip, *caps)
    most = f"{spell_number(MAX_CHIPS)} of {unit:f}, the smallest unit of these stakes"
    if keys.big_bet / unit > MAX_CHIPS:
        notes.add((*path, "big_bet"), f"{keys.big_bet:f} is more than {most}")
        return None
    if any(cap is not None and cap / unit > MAX_CHIPS for cap in caps):
        notes.add((*path, "rake"), f"is capped at more than {most}: leave the cap out if there is none")
        return None
    stakes = Stakes(
        name=keys.name or f"{keys.small_bet:f}/{keys.big_bet:f}",
        ante=in_units(keys.ante, unit),
        bring_in=in_units(keys.bring_in, unit),
        small_bet=in_units(keys.small_bet, unit),
        big_bet=in_units(keys.big_bet, unit),
        chip=1 if keys.chip is None else in_units(keys.chip, unit),
        unit=unit,
        rake=None if rake is None else _rake(rake, unit),
    )
    for key, sentence in unusual(keys).items():
        notes.warn((*path, key), sentence)
    return stakes


def unusual(keys: StakesKeys) -> dict[str, str]:
    """What no room plays for, by key: to warn of, not to refuse."""
    found = {}
    for key in ("ante", "bring_in"):
        amount: Decimal = getattr(keys, key)
        low, high = rooms_take(key)
        if not low <= Fraction(amount) / Fraction(keys.small_bet) <= high:
            share = f"{amount:f} is {100 * amount / keys.small_bet:.1f} % of small_bet {keys.small_bet:f}"
            found[key] = f"{share}: rooms take {float(100 * low):.0f} to {float(100 * high):.0f} %"
    if keys.big_bet != 2 * keys.small_bet:
        found["big_bet"] = f"{keys.big_bet:f} is not twice small_bet {keys.small_bet:f}"
    return found


@cache
def rooms_take(key: str) -> tuple[Fraction, Fraction]:
    """The least and the most of a small bet that a real room takes as ante or bring-in.

    >>> [str(share) for share in rooms_take("ante")]  # 1 at 15/30 live, 100,000 at 300,000/600,000 in a tournament
    ['1/15', '1/3']
    """
    shares = []
    for real in REAL_STAKES.values():
        amounts = {name: Fraction(Number(text).value) for name, text in real.amounts().items()}
        shares.append(amounts[key] / amounts["small_bet"])
    return min(shares), max(shares)


def _rake(keys: RakeKeys, unit: Decimal) -> Rake:
    return Rake(
        percent=keys.percent,
        cap=None if keys.cap is None else in_units(keys.cap, unit),
        cap_by_players=tuple((count, in_units(cap, unit)) for count, cap in sorted(keys.cap_by_players.items())),
        third_street=keys.third_street,
    )


def playable(notes: Notes, path: PathParts, keys: StakesKeys) -> bool:
    """Whether stakes can be played; each reason why not is noted at its key."""
    wrong: list[tuple[PathParts, str]] = []
    if keys.bring_in > keys.small_bet:
        sentence = f"{keys.bring_in:f} must not be above small_bet {keys.small_bet:f}; usual is 20-50 % of it"
        wrong.append((("bring_in",), sentence))
    if keys.big_bet < keys.small_bet:
        sentence = f"{keys.big_bet:f} must not be below small_bet {keys.small_bet:f}; usual is twice that"
        wrong.append((("big_bet",), sentence))
    if not keys.ante and not keys.bring_in:
        wrong.append((("ante",), "0, and bring_in is 0 too: there would be nothing to play for; one must be above 0"))
    if keys.chip is not None:
        for key in ("ante", "bring_in", "small_bet", "big_bet"):
            amount: Decimal = getattr(keys, key)
            if Fraction(amount) % Fraction(keys.chip):
                wrong.append(((key,), f"{amount:f} must be a multiple of chip {keys.chip:f}"))
    if keys.rake is not None and keys.rake.cap is not None and keys.rake.cap_by_players:
        wrong.append((("rake", "cap_by_players"), "stands beside cap: one of them must go"))
    for key_path, sentence in wrong:
        notes.add((*path, *key_path), sentence)
    return not wrong
