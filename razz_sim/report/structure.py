"""What is asked of tournaments, in words: structure, field, buy-in, prizes, and what may be bought after the start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from razz_sim.report.numbers import Summary, plain
from razz_sim.report.parts import Part, listed, part, spread

MOST_PRIZES = 4
"""Of more different prizes than this the first and the last are told."""
NONE_KNOWN = "as the pool comes to be"
_CENT = Decimal("0.01")


def tournament_parts(scenarios: Sequence[Summary]) -> list[Part]:
    """Each thing that is asked of tournaments, as it is in each scenario."""
    plans = [one["tournament"] for one in scenarios]
    return [
        part("structure", (_structure(plan, short=len(scenarios) > 1) for plan in plans)),
        part("stack", (f"{plan['starting_stack']:,}" for plan in plans)),
        part("field", map(field_in_words, plans)),
        part("buy-in", map(_buy_in, plans)),
        part("payouts", map(payouts_in_words, plans)),
        part("prizes", (amounts_text(plan["prizes"]) if plan["prizes"] else NONE_KNOWN for plan in plans)),
        part("re-entries", (_again(plan["reentry"], "up to level {level}") for plan in plans)),
        part("rebuys", (_again(plan["rebuys"], "up to level {level}") for plan in plans)),
        part("add-on", (_again(plan["addon"], "after level {level}") for plan in plans)),
    ]


def structure_lines(scenarios: Sequence[Summary]) -> Iterator[tuple[str, str]]:
    """A line for each of these, but for what nobody may buy; stacks also in big bets."""
    yield "structure", spread(_structure(one["tournament"]) for one in scenarios)
    for one in tournament_parts(scenarios):
        if one.heading == "structure" or set(one.texts) in ({"none"}, {NONE_KNOWN}):
            continue
        yield one.heading, _stacks(scenarios) if one.heading == "stack" else spread(one.texts)


def _stacks(scenarios: Sequence[Summary]) -> str:
    """'1,500 chips, 25 big bets'."""
    chips = spread((f"{one['tournament']['starting_stack']:,}" for one in scenarios), " chips")
    bets = sorted({float(one["stack_big_bets"]) for one in scenarios})
    return f"{chips}, {' to '.join(f'{size:,.4g}' for size in dict.fromkeys([bets[0], bets[-1]]))} big bets"


def _structure(plan: Summary, *, short: bool = False) -> str:
    """'turbo: 12 levels of 6 minutes, limits 30/60 to 2,000/4,000'; 'turbo, 6 minutes' in short."""
    levels = plan["levels"]
    first, last = levels[0], levels[-1]
    limits = limits_text(first) if len(levels) == 1 else f"{limits_text(first)} to {limits_text(last)}"
    lengths = sorted({_length(level) for level in levels[: len(levels) - 1] or levels})
    each = f"{lengths[0]:g} to {lengths[-1]:g}" if len(lengths) > 1 else f"{lengths[0]:g}"
    if short and plan["structure"]:
        return f"{plain(plan['structure'])}, {each} {time_unit(plan)}"
    count = f"{len(levels)} level{'s' * (len(levels) > 1)}"
    name = f"{plain(plan['structure'])}: " if plan["structure"] else ""
    return f"{name}{count} of {each} {time_unit(plan)}, limits {limits}"


def _length(level: Summary) -> float:
    return float(level["minutes"] if "minutes" in level else level["hands"])


def time_unit(plan: Summary) -> str:
    """What levels last: 'minutes' or 'hands'."""
    return "minutes" if plan["by_clock"] else "hands"


def limits_text(level: Summary) -> str:
    """'30/60'."""
    return f"{level['small_bet']:,}/{level['big_bet']:,}"


def field_in_words(plan: Summary) -> str:
    """How many players sit down where.

    >>> field_in_words({"kind": "tables", "field": 180, "tables": 23, "seats": 8})
    '180 players at 23 tables'
    >>> field_in_words({"kind": "bracket", "field": 32, "tables": 16})
    'bracket of 32 players, heads-up'
    """
    if plan["kind"] == "bracket":
        return f"bracket of {plan['field']:,} players, heads-up"
    tables = f"{plan['tables']:,} table{'s' * (plan['tables'] > 1)}"
    shootout = "shootout of " * (plan["kind"] == "shootout")
    return f"{shootout}{plan['field']:,} players at {tables}"


def cash(amount: object) -> str:
    """An amount of money as one writes it.

    >>> cash(1500), cash(Decimal("2.5")), cash(0.125)
    ('1,500', '2.50', '0.125')
    """
    exact = Decimal(str(amount))
    if exact == exact.to_integral_value():
        return f"{exact:,.0f}"
    cents = exact.quantize(_CENT)
    return f"{cents:,f}" if cents == exact else f"{exact.normalize():,f}"


def _buy_in(plan: Summary) -> str:
    return _price(plan["buy_in"])


def _price(money: Summary) -> str:
    """'100 + 10': the prize part and the fee."""
    return f"{cash(money['prize'])} + {cash(money['fee'])}" if money["fee"] else cash(money["prize"])


def payouts_in_words(plan: Summary) -> str:
    """How the prize pool is paid out.

    >>> payouts_in_words({"payouts": {"kind": "shares", "values": [50, 30, 20]}})
    '50 %, 30 % and 20 % of the pool'
    """
    kind, values = plan["payouts"]["kind"], plan["payouts"]["values"]
    if kind == "seats":
        return f"{values[0]:,} equal prizes"
    if kind == "seat_value":
        return f"as many prizes of {cash(values[0])} as the pool has"
    if kind == "top":
        return f"the first {values[0]:g} % of entries"
    if kind == "amounts":
        return "fixed amounts"
    return f"{_shortened([f'{float(value):g} %' for value in values])} of the pool"


def amounts_text(prizes: Sequence[object]) -> str:
    """'400, 240 and 160'; of many the first and the last; equal ones once."""
    texts = [cash(prize) for prize in prizes]
    if len(set(texts)) == 1 and len(texts) > 1:
        return f"{texts[0]} each"
    return _shortened(texts)


def _shortened(texts: Sequence[str]) -> str:
    if len(texts) <= MOST_PRIZES:
        return listed(texts)
    return f"{'; '.join(texts[: MOST_PRIZES - 1])} ... {texts[-1]} ({len(texts):,} places)"


def _again(offer: Summary | None, when: str) -> str:
    """'up to 2 each, up to level 4, for 100 + 10: 1,500 chips'."""
    if offer is None:
        return "none"
    until = when.format(level=offer["level"])
    times = "" if when.startswith("after") else f"{_times(offer['times'])} "
    return f"{times}{until}: {_price(offer)} for {offer['stack']:,} chips"


def _times(times: int) -> str:
    if not times:
        return "any number"
    return "1 each" if times == 1 else f"up to {times} each"
