"""The money of a tournament: buy-in, what may be bought later, prizes; all in one smallest unit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from razz_sim.config.notes import Notes, Shape
from razz_sim.config.problem import PathParts, spell_number
from razz_sim.config.tournament_keys import (
    AddonKeys,
    BuyInKeys,
    PayoutKeys,
    PayoutsChoice,
    RebuyKeys,
    ReentryKeys,
)
from razz_sim.config.tree import find
from razz_sim.config.values import WINNER_TAKE_ALL, AmountAboveZero
from razz_sim.rules import MAX_CHIPS, in_units, smallest_unit
from razz_sim.structures import WHOLE, Again, Payouts

BUY_IN, PAYOUTS = "buy_in", "payouts"
OFFERS = ("reentry", "rebuys", "addon")
_BUY_IN: Shape[BuyInKeys] = Shape(BuyInKeys)
_PAYOUTS: Shape[str | PayoutKeys | list[Decimal]] = Shape(PayoutsChoice)
_OFFERS: dict[str, Shape[ReentryKeys | RebuyKeys | AddonKeys]] = {
    "reentry": Shape(ReentryKeys),
    "rebuys": Shape(RebuyKeys),
    "addon": Shape(AddonKeys),
}
_UNIT: Shape[Decimal] = Shape(AmountAboveZero)


@dataclass(frozen=True, slots=True)
class Offer:
    """What may be bought, for exact amounts: in levels up to `level`, or once it is over."""

    level: int
    chips: int
    prize: Decimal
    fee: Decimal
    times: int

    def in_units(self, unit: Decimal) -> Again:
        """The same with amounts in smallest units."""
        return Again(self.level, self.chips, in_units(self.prize, unit), in_units(self.fee, unit), self.times)


@dataclass(frozen=True, slots=True)
class Money:
    """What is paid and paid out, in integers of `unit`."""

    unit: Decimal
    prize: int
    fee: int
    payouts: Payouts
    offers: dict[str, Again]


@dataclass(frozen=True, slots=True)
class MoneyReader:
    """Reads what costs and what pays in the section at `at`."""

    notes: Notes
    at: PathParts

    def money(self, stack: int | None) -> Money | None:
        """All of it, or None when something is wrong; what is bought is a starting `stack` if nothing else is said."""
        notes, before = self.notes, len(self.notes.problems)
        buy_in = notes.read(_BUY_IN, (*self.at, BUY_IN))
        given = notes.read(_PAYOUTS, (*self.at, PAYOUTS))
        kept = {key: notes.read(_OFFERS[key], (*self.at, key)) for key in OFFERS}
        if buy_in is not None and not buy_in.prize and not buy_in.fee:
            notes.add((*self.at, BUY_IN), "comes to 0: there is no return on nothing; prize or fee must be above 0")
        if given is not None:
            self.check_payouts(given)
        if buy_in is None or given is None or len(notes.problems) > before:
            return None
        offers = {key: _offer(keys, buy_in, stack or 1) for key, keys in kept.items() if keys is not None}
        unit = self.unit(list(self.amounts(buy_in, offers, given)))
        if unit is None:
            return None
        return Money(
            unit=unit,
            prize=in_units(buy_in.prize, unit),
            fee=in_units(buy_in.fee, unit),
            payouts=_payouts(given, unit),
            offers={key: offer.in_units(unit) for key, offer in offers.items()},
        )

    def amounts(
        self, buy_in: BuyInKeys, offers: dict[str, Offer], given: str | PayoutKeys | list[Decimal]
    ) -> Iterator[tuple[PathParts, Decimal]]:
        """Every amount of money with its path."""
        yield from (((*self.at, BUY_IN, key), getattr(buy_in, key)) for key in ("prize", "fee"))
        for key, offer in offers.items():
            yield from (((*self.at, key, part), getattr(offer, part)) for part in ("prize", "fee"))
        if isinstance(given, PayoutKeys):
            path = (*self.at, PAYOUTS)
            yield from (((*path, "prizes", place), prize) for place, prize in enumerate(given.prizes or ()))
            if given.seat_value is not None:
                yield (*path, "seat_value"), given.seat_value

    def unit(self, amounts: list[tuple[PathParts, Decimal]]) -> Decimal | None:
        """The smallest unit of all amounts; None, and noted, where one is more than the engine counts in it."""
        known = self.notes.read(_UNIT, (*self.at, "unit")) if self.at else None
        unit = known or smallest_unit(*(amount for _, amount in amounts))
        for path, amount in amounts:
            if amount / unit > MAX_CHIPS:
                most = f"{spell_number(MAX_CHIPS)} of {unit:f}, the smallest unit of all amounts"
                self.notes.add(path, f"{amount:f} is more than {most}")
                return None
            if amount % unit:
                self.notes.add(path, f"{amount:f} is not a whole number of {unit:f}")
                return None
        return unit

    def check_payouts(self, given: str | PayoutKeys | list[Decimal]) -> None:
        """Shares that are not the whole pool, and more than one way to pay, or none."""
        notes, path = self.notes, (*self.at, PAYOUTS)
        if isinstance(given, list) and sum(given) != 100:
            how = "more" if sum(given) > 100 else "less"
            notes.add(path, f"sums to {sum(given):f} percent, {how} than the prize pool: it must be 100")
        if isinstance(given, PayoutKeys):
            ways = [key for key in PayoutKeys.model_fields if getattr(given, key) is not None]
            if len(ways) != 1:
                which = " and ".join(ways) or "none of them"
                notes.add(path, f"must have one of {', '.join(PayoutKeys.model_fields)}, not {which}")


def _offer(keys: ReentryKeys | RebuyKeys | AddonKeys, buy_in: BuyInKeys, stack: int) -> Offer:
    """What is offered, with the defaults of what is left out."""
    fee = buy_in.fee if isinstance(keys, ReentryKeys) else Decimal(0)
    return Offer(
        level=keys.after_level if isinstance(keys, AddonKeys) else keys.until_level,
        chips=keys.stack or stack,
        prize=buy_in.prize if keys.prize is None else keys.prize,
        fee=fee if keys.fee is None else keys.fee,
        times=1 if isinstance(keys, AddonKeys) else keys.times,
    )


def _payouts(given: str | PayoutKeys | list[Decimal], unit: Decimal) -> Payouts:
    if isinstance(given, list):
        return Payouts("shares", tuple(int(share * WHOLE / 100) for share in given))
    if isinstance(given, str):
        return (
            Payouts("shares", (WHOLE,))
            if given == WINNER_TAKE_ALL
            else Payouts("top", (int(Decimal(given[3:]) * 100),))
        )
    if given.prizes is not None:
        return Payouts("amounts", tuple(in_units(prize, unit) for prize in given.prizes))
    if given.seats is not None:
        return Payouts("seats", (given.seats,))
    return Payouts("seat_value", (in_units(given.seat_value or unit, unit),))


@dataclass(frozen=True, slots=True)
class PrizeChecks:
    """What payouts must be for a field, and what is unusual about them."""

    notes: Notes
    at: PathParts
    money: Money
    field: int

    def check(self) -> None:
        """Notes prizes that nobody could win, or that nobody would play for; warns of sums that do not match."""
        payouts, notes, field = self.money.payouts, self.notes, spell_number(self.field)
        path = (*self.at, PAYOUTS)
        places = len(payouts.values)
        if payouts.kind in ("shares", "amounts") and places > self.field:
            where = (*path, "prizes") if payouts.kind == "amounts" else path
            notes.add(where, f"pays {places} places, but the field has {field} players: at most as many")
        if payouts.kind in ("shares", "amounts") and list(payouts.values) != sorted(payouts.values, reverse=True):
            notes.warn(path, "pays a place more than one before it: is the first place's the first in the list?")
        if payouts.kind == "seats" and payouts.values[0] >= self.field:
            sentence = f"{payouts.values[0]} equal prizes for a field of {field}: there would be nothing to play for"
            notes.add((*path, "seats"), f"{sentence}; at most {spell_number(self.field - 1)}")
        if payouts.kind == "seat_value":
            self.check_seat_value(payouts.values[0])
        if payouts.kind == "amounts":
            self.warn_of_other_sum(sum(payouts.values))
        elif not self.money.prize and not any(offer.price for offer in self.money.offers.values()):
            notes.warn((*self.at, BUY_IN, "prize"), "0: there is nothing in the pool that is shared out")

    def check_seat_value(self, value: int) -> None:
        """Seats for everybody, or for nobody."""
        path, money = (*self.at, PAYOUTS, "seat_value"), self.money
        pool = self.field * money.prize
        each = f"{self.spelled(value)} each"
        if money.prize >= value:
            sentence = f"{each} is what every player pays in: there would be nothing to play for"
            self.notes.add(path, f"{sentence}; it must be above {self.spelled(money.prize)}")
        elif pool < value and not money.offers:
            collected = f"a field of {spell_number(self.field)} pays in {self.spelled(pool)}"
            self.notes.warn(path, f"{collected}, less than one seat of {self.spelled(value)}: the winner gets that")

    def warn_of_other_sum(self, total: int) -> None:
        """Fixed prizes that are not what a freeze-out collects, or less than is collected at least."""
        collected = self.field * self.money.prize
        if total == collected or (self.money.offers and total > collected):
            return
        at_least = "at least " if self.money.offers else ""
        whose = f"{spell_number(self.field)} buy-ins of {self.spelled(self.money.prize)} collect"
        self.notes.warn(
            (*self.at, PAYOUTS, "prizes"),
            f"come to {self.spelled(total)}, while {whose} {at_least}{self.spelled(collected)} for prizes",
        )

    def spelled(self, amount: int) -> str:
        """An amount in the currency of the buy-in."""
        return f"{amount * self.money.unit:f}"


def is_offered(notes: Notes, at: PathParts) -> list[PathParts]:
    """Where re-entries, rebuys and add-ons are offered."""
    return [(*at, key) for key in OFFERS if find(notes.tree, (*at, key)) is not None]
