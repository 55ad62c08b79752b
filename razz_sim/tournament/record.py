"""What a tournament in progress is made of: its plan, its players, its tables and where it stands, as flat records.

How it is played is in `docs/tournaments.md`; the steps are in `moments`.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from razz_sim.hand.record import RULES, rules_record
from razz_sim.rules import MAX_SEATS, RuleSet
from razz_sim.structures import MAX_LEVELS, Tournament

KINDS = ("tables", "shootout", "bracket")
PAYOUTS = ("shares", "amounts", "top", "seats", "seat_value")

_AGAIN = ("level", "chips", "price", "fee", "times")
PLAN = np.dtype(
    [
        ("kind", np.int64),
        ("field", np.int64),
        ("seats", np.int64),
        ("stack", np.int64),
        ("prize", np.int64),
        ("fee", np.int64),
        ("payouts", np.int64),
        ("paid", np.int64),  # places with a prize of their own in `payout`, or the one number that tells payouts
        ("levels", np.int64),
        ("hand_limit", np.int64),
        *((f"{kind}_{part}", np.int64) for kind in ("reentry", "rebuy", "addon") for part in _AGAIN),
        ("pace", np.int64, (MAX_SEATS + 1,)),
        ("level_ends", np.int64, (MAX_LEVELS,)),
    ],
    align=True,
)
PLAYER = np.dtype(
    [
        ("stack", np.int64),
        ("began", np.int64),  # the stack with which its last hand began
        ("memory", np.int64),  # where its strategy's memory is: bytes from the start of all memory
        ("prize", np.int64),
        ("entrant", np.int32),
        ("table", np.int32),
        ("seat", np.int32),
        ("first", np.int32),  # the places it shares, once it is out
        ("last", np.int32),
        ("by", np.int32),  # who won its last chips
        ("reentries", np.int32),
        ("rebuys", np.int32),
        ("addons", np.int32),
        ("out_level", np.int32),
        ("half", np.int8),  # the class of its stack at each moment, from 1; 0 if it was out
        ("bubble", np.int8),
    ],
    align=True,
)
SPOT = np.dtype(
    [
        ("player_at", np.int32, (MAX_SEATS,)),  # NOBODY at a free seat
        ("after", np.int64, (MAX_SEATS,)),  # stacks when the hand in progress is over
        ("hands", np.int64),  # begun here
        ("players", np.int32),
        ("dealt", np.int32),  # seats in the hand in progress, as a bit mask
        ("forfeited", np.int32),
        ("open", np.int8),
        ("due", np.int8),  # to be broken as soon as it rests
        ("winner", np.int32),  # of a shootout's table, once it is decided
        ("level", np.int32),  # of the hand in progress, from 0
    ],
    align=True,
)
_STAND_FIELDS = (
    "clock",
    "elapsed",  # time of the rounds before
    "round",
    "level",  # from 0
    "left",
    "entries",
    "rebuys",
    "addons",
    "chips",  # in play
    "hands",  # begun
    "first_table",  # of the round
    "seated",  # players of the round who have a seat: the others of a bracket go on without playing
    "last_table",  # one behind the last of the round
    "tables_open",
    "kept",  # tables that are not to be broken: the first ones
    "in_hand",  # tables in the middle of a hand
    "waiting",  # tables that are not in the middle of a hand and begin none
    "heap",  # how many keys are in it
    "starting",  # the next table to begin a hand at this moment
    "starts",  # tables to begin one
    "hand_for_hand",
    "paid",  # places paid, by the entries so far
    "over",
    "half",  # whether stacks were looked at
    "bubble",
    "logged",  # events, also those that the log had no room for
    "levels_seen",  # those at which it had a hand, as a bit mask
)
_BY_PLAYERS = [(name, np.int64, (MAX_SEATS + 1,)) for name in ("open_with", "lowest")]
STAND = np.dtype([(name, np.int64) for name in _STAND_FIELDS] + _BY_PLAYERS, align=True)
"""Where a tournament stands; `open_with[n]` is how many tables of n players are kept, none of them before `lowest[n]`.
"""
EVENTS = (
    "round",
    "level",
    "seated",
    "hand",
    "stack",
    "rebuy",
    "out",
    "addon",
    "reentry",
    "broken",
    "moved",
    "hand_for_hand",
    "place",
    "prize",
)
EVENT_FIELDS = ("kind", "clock", "table", "seat", "player", "amount", "other")
"""The columns of the log of events; NOBODY where one says nothing. `events` says what they mean."""

PLAN_TYPE = numba.from_dtype(PLAN)
PLAYER_TYPE = numba.from_dtype(PLAYER)
SPOT_TYPE = numba.from_dtype(SPOT)
STAND_TYPE = numba.from_dtype(STAND)


def plan_record(plan: Tournament) -> np.ndarray:
    """A plan as a record array of one, for the compiled functions."""
    record = np.zeros(1, dtype=PLAN)
    for name in ("field", "seats", "stack", "prize", "fee", "pace", "hand_limit"):
        record[name] = getattr(plan, name)
    record["kind"] = KINDS.index(plan.kind)
    record["payouts"] = PAYOUTS.index(plan.payouts.kind)
    several = plan.payouts.kind in ("shares", "amounts")
    record["paid"] = len(plan.payouts.values) if several else plan.payouts.values[0]
    record["levels"] = len(plan.levels)
    record["level_ends"][0, : len(plan.levels)] = plan.level_ends
    for kind in ("reentry", "rebuy", "addon"):
        again = getattr(plan, kind)
        for part in _AGAIN if again is not None else ():
            record[f"{kind}_{part}"] = getattr(again, part)
    return record


def level_rules(plan: Tournament, rules: RuleSet) -> np.ndarray:
    """The rules with each level's stakes, a record each."""
    found: np.ndarray = np.concatenate([rules_record(rules, level.stakes) for level in plan.levels]).astype(RULES)
    return found


def payout_values(plan: Tournament) -> np.ndarray:
    """The shares or amounts of a payout, and room for all prizes."""
    values = np.zeros(max(plan.field + 1, len(plan.payouts.values)), dtype=np.int64)
    values[: len(plan.payouts.values)] = plan.payouts.values
    return values


def new_stand() -> Any:
    """A record array of where one tournament stands."""
    return np.zeros(1, dtype=STAND)
