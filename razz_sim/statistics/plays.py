"""What an entrant did and could have done, and the pots it won and lost: counts with the chances for them.

Where a block is one hand, what happens at most once in a hand is an independent chance, and its share has Wilson's
interval. The rest comes several times in a hand or a session: there the error is the one that is seen between bins, or
between shards, which are groups of bins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from razz_sim.experiment import Entrant, Scenario
from razz_sim.statistics.columns import Columns, by_shard
from razz_sim.statistics.estimates import Estimate, Share
from razz_sim.tally import ENTRANT_COLUMNS, PLAY_COLUMNS, Tally
from razz_sim.tally.columns import LOWS, STREETS

_BY_BIN = {
    "brought_in": ("brought_in", "hands"),
    "showdowns": ("showdowns", "hands"),
    "showdowns_won": ("showdowns_won", "showdowns"),
    "won_without_showdown": ("won_without_showdown", "hands"),
    "pots_won": ("pots_won", "hands"),
}
_BY_SHARD = {
    "voluntarily_in": ("voluntarily_in", "hands"),
    "completed": ("completed", "complete_chances"),
    "steals": ("steals", "steal_chances"),
    "steals_won": ("steals_won", "steals"),
    "folds_to_steal": ("folds_to_steal", "steals_faced"),
    "defends_bring_in": ("defended", "defences"),
    **{f"saw_{street}": (f"saw_{street}", "hands") for street in STREETS[1:]},
}
PLAYS = (
    *("voluntarily_in", "completed", "steals", "steals_won", "folds_to_steal", "defends_bring_in", "brought_in"),
    *("reraises", *(f"saw_{street}" for street in STREETS[1:])),
    *("showdowns", "showdowns_won", "won_without_showdown", "pots_won"),
)
"""The names of an entrant's shares, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Actions:
    """An entrant's decisions on a street.

    `aggression` is the share of completions, bets and raises among all decisions but checks.
    """

    raises: int
    calls: int
    checks: int
    folds: int
    aggression: Share


@dataclass(frozen=True, slots=True)
class Pots:
    """So many pots, and what they came to on average, in big bets; None where there were none."""

    count: int
    big_bets: Estimate | None


@dataclass(frozen=True, slots=True)
class MadeLow:
    """How often an entrant had a low of this class, of its showdowns, and how often that won some pot."""

    shown: Share
    won: Share


@dataclass(frozen=True, slots=True)
class Plays:
    """How an entrant played a scenario: `docs/statistics.md` says what each of PLAYS counts."""

    shares: Mapping[str, Share]
    actions: Mapping[str, Actions]
    pot_won: Pots
    pot_lost: Pots
    lows: Mapping[str, MadeLow]


def entrant_plays(entrant: Entrant, scenario: Scenario, tally: Tally, index: int) -> Plays:
    """How the entrant with this index in the line-up played."""
    blocks, single, seats = tally.table_total("blocks"), scenario.block_hands == 1, entrant.seats
    core = tally.entrants[:, index]
    place = ENTRANT_COLUMNS.index
    without = core[:, [place("pots_won")]] - core[:, [place("showdowns_won")]]
    bins = Columns([*ENTRANT_COLUMNS, "won_without_showdown"], np.hstack([core, without]), blocks=blocks, single=single)
    both = np.hstack([by_shard(core, tally.shard_bins), tally.plays[:, index]])
    shards = Columns([*ENTRANT_COLUMNS, *PLAY_COLUMNS], both, blocks=blocks, single=single)
    shares = {name: bins.share(*pair, seats) for name, pair in _BY_BIN.items()}
    shares |= {name: shards.share(*pair, seats) for name, pair in _BY_SHARD.items()}
    shares["reraises"] = shards.share_of_decisions("reraises", ["raise_chances"])
    return Plays(
        shares={name: shares[name] for name in PLAYS},
        actions={street: _actions(shards, street) for street in STREETS},
        pot_won=_pots(shards, "won", "pots_won", scenario),
        pot_lost=_pots(shards, "lost_pots", "lost_hands", scenario),
        lows={
            low: MadeLow(
                shards.share(f"shown_{low}", "showdowns", seats), shards.share(f"won_{low}", f"shown_{low}", seats)
            )
            for low in LOWS
        },
    )


def _actions(shards: Columns, street: str) -> Actions:
    raises, calls, checks, folds = (f"{action}_{street}" for action in ("raises", "calls", "checks", "folds"))
    return Actions(
        raises=shards.total[raises],
        calls=shards.total[calls],
        checks=shards.total[checks],
        folds=shards.total[folds],
        aggression=shards.share_of_decisions(raises, [raises, calls, folds]),
    )


def _pots(shards: Columns, chips: str, hands: str, scenario: Scenario) -> Pots:
    count = shards.total[hands]
    if not count:
        return Pots(0, None)
    return Pots(count, shards.ratio(chips, hands, scale=Fraction(1, scenario.stakes.big_bet)))
