"""What places pay: the compiled form of `structures.Payouts`."""

from __future__ import annotations

from typing import Any

from razz_sim.compiling import inlined
from razz_sim.structures import MIN_CASH_PERCENT, WEIGHTS, WHOLE
from razz_sim.tournament.record import PAYOUTS

SHARES, AMOUNTS, TOP, SEATS, SEAT_VALUE = range(len(PAYOUTS))


@inlined
def pool_of(plan: Any, stand: Any) -> int:
    """All that was paid in for prizes."""
    bought = stand.rebuys * plan.rebuy_price + stand.addons * plan.addon_price
    pool: int = plan.field * plan.prize + (stand.entries - plan.field) * plan.reentry_price + bought
    return pool


@inlined
def places_paid(plan: Any, entries: int, pool: int) -> int:
    """How many places are paid; of a satellite those with equal prizes."""
    most: int = plan.field
    told: int = plan.paid
    if plan.payouts == TOP:
        return max(1, min(most, -(-entries * told // 10_000)))
    if plan.payouts == SEAT_VALUE:
        return max(1, min(most, pool // told))
    return min(most, told)


@inlined
def find_prizes(plan: Any, values: Any, entries: int, pool: int, prizes: Any) -> None:
    """Fill `prizes` by place, from the first on; 0 behind the last that is paid.

    `values` are the shares or amounts of the payout.
    """
    places = places_paid(plan, entries, pool)
    paid = places
    if plan.payouts == TOP:
        least = min(plan.prize * MIN_CASH_PERCENT // 100, pool // places)
        rest = pool - least * places
        weights = 0
        for place in range(1, places + 1):
            weights += WEIGHTS // place
        for place in range(1, places + 1):
            prizes[place - 1] = least + _part(rest, WEIGHTS // place, weights)
    else:
        for place in range(places):
            if plan.payouts == SHARES:
                prizes[place] = _part(pool, values[place], WHOLE)
            elif plan.payouts == AMOUNTS:
                prizes[place] = values[place]
            elif plan.payouts == SEATS:
                prizes[place] = pool // places
            else:
                prizes[place] = min(plan.paid, pool)
    given = 0
    for place in range(places):
        given += prizes[place]
    if plan.payouts == SEAT_VALUE and places < plan.field and pool > given:
        prizes[places] = pool - given
        paid += 1
    elif plan.payouts != AMOUNTS:
        prizes[0] += pool - given
    for place in range(paid, len(prizes)):
        prizes[place] = 0


@inlined
def _part(amount: int, weight: int, weights: int) -> int:
    """amount * weight // weights, where that product may be too large."""
    return amount // weights * weight + amount % weights * weight // weights
