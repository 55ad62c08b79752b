"""Counting tournaments: their hands by level, and once they are over what came of everybody."""

from __future__ import annotations

from typing import Any

from razz_sim.compiling import inlined
from razz_sim.tally.columns import COURSE_COLUMNS, FINISH_COLUMNS, LEVEL_COLUMNS, MONEY_COLUMNS, STACK_COLUMNS, STACKS
from razz_sim.tally.fine import bucket_of

_M = {name: index for index, name in enumerate(MONEY_COLUMNS)}
_PLAYERS, _PAID_IN, _FEES, _PRIZES, _CASHED = (_M[name] for name in ("players", "paid_in", "fees", "prizes", "cashed"))
_WINS, _REENTRIES, _REBUYS, _ADDONS, _PLACES = (
    _M[name] for name in ("wins", "reentries", "rebuys", "addons", "places")
)
_F = {name: index for index, name in enumerate(FINISH_COLUMNS)}
_PLACE_1, _OUT_1, _HALF, _BUBBLE = _F["place_1"], _F["out_1"], _F["half_0_players"], _F["bubble_0_players"]
_C = {name: index for index, name in enumerate(COURSE_COLUMNS)}
_TOURNAMENTS, _ENTRIES, _POOL = _C["tournaments"], _C["entries"], _C["pool"]
_END_LEVEL, _END_TIME, _LEVEL_1 = _C["end_level"], _C["end_time"], _C["reached_1"]
_LEVEL_WIDTH = len(LEVEL_COLUMNS)
_REACHED, _HANDS, _POT, _DEALT_IN, _LEFT, _CHIPS, _OUT = range(_LEVEL_WIDTH)
_STACK_WIDTH, _STACK_COUNT = len(STACK_COLUMNS), len(STACKS)


@inlined
def count_level(course: Any, level: int, left: int, chips: int) -> None:
    """A tournament has its first hand at a level (from 0), with so many players left and chips in play."""
    course[_LEVEL_1 + _LEVEL_WIDTH * level + _REACHED] += 1
    course[_LEVEL_1 + _LEVEL_WIDTH * level + _LEFT] += left
    course[_LEVEL_1 + _LEVEL_WIDTH * level + _CHIPS] += chips


@inlined
def count_hand_of_level(course: Any, level: int, pot: int, dealt_in: int) -> None:
    """A hand at a level is over."""
    first = _LEVEL_1 + _LEVEL_WIDTH * level
    course[first + _HANDS] += 1
    course[first + _POT] += pot
    course[first + _DEALT_IN] += dealt_in


@inlined
def count_end(course: Any, entries: int, pool: int, level: int, time: int) -> None:
    """A tournament is over, at a level (from 0), after so much time."""
    course[_TOURNAMENTS] += 1
    course[_ENTRIES] += entries
    course[_POOL] += pool
    course[_END_LEVEL] += level + 1
    course[_END_TIME] += time


@inlined
def count_player(plan: Any, player: Any, money: Any, finishes: Any, course: Any) -> int:
    """What a player paid, won and where it finished; its net."""
    entrant = player.entrant
    fees = (
        plan.fee + player.reentries * plan.reentry_fee + player.rebuys * plan.rebuy_fee + player.addons * plan.addon_fee
    )
    paid_in = (
        fees
        + plan.prize
        + player.reentries * plan.reentry_price
        + player.rebuys * plan.rebuy_price
        + player.addons * plan.addon_price
    )
    won = player.first == 1 and player.last == 1
    money[entrant, _PLAYERS] += 1
    money[entrant, _PAID_IN] += paid_in
    money[entrant, _FEES] += fees
    money[entrant, _PRIZES] += player.prize
    money[entrant, _CASHED] += player.prize > 0
    money[entrant, _WINS] += won
    money[entrant, _REENTRIES] += player.reentries
    money[entrant, _REBUYS] += player.rebuys
    money[entrant, _ADDONS] += player.addons
    money[entrant, _PLACES] += player.first + player.last
    finishes[entrant, _PLACE_1 + bucket_of(player.first - 1)] += 1
    if player.out_level > 0:
        finishes[entrant, _OUT_1 + player.out_level - 1] += 1
        course[_LEVEL_1 + _LEVEL_WIDTH * (player.out_level - 1) + _OUT] += 1
    if player.half > 0:
        _count_stack(finishes, entrant, _HALF + _STACK_WIDTH * (player.half - 1), player.prize, won)
    if player.bubble > 0:
        _count_stack(finishes, entrant, _BUBBLE + _STACK_WIDTH * (player.bubble - 1), player.prize, won)
    net: int = player.prize - paid_in
    return net


@inlined
def _count_stack(finishes: Any, entrant: int, column: int, prize: int, won: bool) -> None:
    finishes[entrant, column] += 1
    finishes[entrant, column + 1] += prize > 0
    finishes[entrant, column + 2] += won
    finishes[entrant, column + 3] += prize
