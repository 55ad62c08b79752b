"""What a scenario's totals say: win rates and pots, each with its error and 95 % interval.

The independent sample is the *block*: a single hand, or a session of many hands that follow from one another. A win
rate is in big *bets* per 100 hands, the usual unit of limit poker: net / hands / big bet x 100, where an entrant in
several seats has a hand for each. Its net in a block is the sum over its seats, which share one deal (Chen and
Ankenman, "The Mathematics of Poker", 2006, chapter 2). Nets are skewed, so with a few hundred blocks the interval
covers a little less than 95 %.

Where the samples come from:

- **Win rates**: the mean over blocks, whose squares are kept, as long as every block has all its hands. In sessions
  whose stacks are carried on without a top-up, seats go broke and sessions end early: blocks with fewer hands must
  weigh less, and the rate is the ratio of net to hands, its error estimated between bins.
- **Pots and shares of hands**: each hand is a sample where a block is one hand. In a session the hands depend on one
  another, so these are ratios too, with the error between bins.
- **Rates per 100 hands, rake**: always ratios between bins.

A ratio between bins needs two of them; up to 1,024 blocks each block is a bin of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from razz_sim.experiment import Entrant, Scenario
from razz_sim.rules import Street
from razz_sim.statistics.estimates import (
    Estimate,
    Interval,
    Share,
    clustered_share,
    exact_sums,
    mean_estimate,
    ratio_estimate,
    share,
    standard_deviation,
)
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally

STREET_NAMES = tuple(street.name.lower() for street in Street)


@dataclass(frozen=True, slots=True)
class EntrantResult:
    """How an entrant fared in a scenario. `net` is in smallest units, `net_money` the same in exact decimals.

    `std_dev` is the deviation of its net in a block, all its seats together, in big bets: for an entrant in one seat,
    where a block is one hand, the standard deviation per hand. None when there was but one block. `errors` are
    decisions that its strategy failed to make, `forfeits` seats that lost their chips for one.
    """

    name: str
    strategy: str
    params: tuple[tuple[str, float], ...]
    seats: int
    hands: int
    net: int
    net_money: str
    bb_per_100: float
    std_error: float | None
    ci95: Interval | None
    std_dev: float | None
    showdowns: Share
    showdowns_won: Share
    pots_won: Share
    brought_in: Share
    completed: Share
    errors: int
    forfeits: int


@dataclass(frozen=True, slots=True)
class Rate:
    """Something that may happen several times in a hand: how often in all, and in 100 hands."""

    count: int
    per_100: Estimate


@dataclass(frozen=True, slots=True)
class PotResult:
    """The pots of a scenario and how its hands went. `total` and `rake` are in smallest units.

    `mean` is the final pot, after uncalled chips went back and before rake, in the stakes' currency, `mean_big_bets` in
    big bets; `rake_per_100` is in big bets for the whole table. `ends` says where hands ended, by street and
    'showdown'; `saw` which streets were dealt.
    """

    hands: int
    total: int
    mean: Estimate
    mean_big_bets: Estimate
    std_dev: float | None
    std_dev_big_bets: float | None
    rake: int
    rake_per_100: Estimate
    rake_of_pots: Estimate | None
    showdowns: Share
    ends: dict[str, Share]
    saw: dict[str, Share]
    walks: Share
    side_pots: Share
    split_pots: Share
    all_ins: Share
    community_cards: Share
    capped_rounds: Rate
    free_folds: Rate
    decisions: Rate


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """What a scenario's totals say."""

    scenario: Scenario
    blocks: int
    hands: int
    entrants: tuple[EntrantResult, ...]
    pots: PotResult


def scenario_result(scenario: Scenario, tally: Tally) -> ScenarioResult:
    """Estimates for all entrants, in line-up order, and for the table; ValueError when nothing was played."""
    table = dict(zip(TABLE_COLUMNS, exact_sums(tally.table), strict=True))
    if table["hands"] < 1:
        raise ValueError(f"no hand of scenario {scenario.name!r} was played: there is nothing to estimate")
    return ScenarioResult(
        scenario=scenario,
        blocks=table["blocks"],
        hands=table["hands"],
        entrants=tuple(
            _entrant_result(
                entrant,
                scenario,
                _Columns(ENTRANT_COLUMNS, tally.entrants[:, index], table["blocks"]),
                may_miss=scenario.session.carry or table["forfeited_blocks"] > 0,
            )
            for index, entrant in enumerate(scenario.lineup)
        ),
        pots=_pot_result(scenario, _Columns(TABLE_COLUMNS, tally.table, table["blocks"])),
    )


class _Columns:
    """The totals of the table or of an entrant: `total[column]` over all bins, `bins(column)` one by one."""

    def __init__(self, columns: Sequence[str], totals: np.ndarray, blocks: int) -> None:
        self.total = dict(zip(columns, exact_sums(totals), strict=True))
        self.blocks = blocks
        self._place = {column: place for place, column in enumerate(columns)}
        self._totals = totals

    def bins(self, column: str) -> list[int]:
        """A column bin by bin."""
        found: list[int] = self._totals[:, self._place[column]].tolist()
        return found

    def squares(self, name: str) -> int:
        """A sum of squares from its three limbs."""
        low, middle, high = (self.total[f"{name}_sq_{limb}"] for limb in range(3))
        return low + (middle << 32) + (high << 64)

    def ratio(self, part: str, whole: str, scale: Fraction = Fraction(1)) -> Estimate:
        """One column over another, with the error between bins."""
        return ratio_estimate(self.bins(part), self.bins(whole), scale=scale)

    def share(self, part: str, whole: str, seats: int, single: bool) -> Share:
        """One column as a share of another; `single` where a block is a hand, with a chance for each of `seats`."""
        if single:
            return share(self.total[part], self.total[whole], seats=seats)
        return clustered_share(self.bins(part), self.bins(whole), together=seats, samples=self.blocks)


def _entrant_result(entrant: Entrant, scenario: Scenario, columns: _Columns, *, may_miss: bool) -> EntrantResult:
    """How an entrant fared; `may_miss` where sessions may end before they have all their hands."""
    total, blocks, stakes = columns.total, columns.blocks, scenario.stakes
    in_block = scenario.session.hands * entrant.seats
    missing = blocks * in_block - total["hands"]
    if missing < 0 or (missing and not may_miss):
        most = f"{blocks} blocks with {in_block} for it in each"
        raise ValueError(f"entrant {entrant.name!r} has {total['hands']} hands in {most}")
    squares = columns.squares("net")
    if missing:
        rate = columns.ratio("net", "hands", scale=Fraction(100, stakes.big_bet))
    else:
        rate = mean_estimate(total["net"], squares, blocks, scale=Fraction(100, in_block * stakes.big_bet))

    def often(part: str, whole: str = "hands") -> Share:
        return columns.share(part, whole, entrant.seats, single=scenario.session.hands == 1)

    return EntrantResult(
        name=entrant.name,
        strategy=entrant.strategy.spec,
        params=entrant.params,
        seats=entrant.seats,
        hands=total["hands"],
        net=total["net"],
        net_money=f"{total['net'] * stakes.unit:f}",
        bb_per_100=rate.value,
        std_error=rate.std_error,
        ci95=rate.ci95,
        std_dev=standard_deviation(total["net"], squares, blocks, scale=Fraction(1, stakes.big_bet)),
        showdowns=often("showdowns"),
        showdowns_won=often("showdowns_won", "showdowns"),
        pots_won=often("pots_won"),
        brought_in=often("brought_in"),
        completed=often("completed"),
        errors=total["errors"],
        forfeits=total["forfeits"],
    )


def _pot_result(scenario: Scenario, columns: _Columns) -> PotResult:
    total, hands = columns.total, columns.total["hands"]
    money, big_bets = Fraction(scenario.stakes.unit), Fraction(1, scenario.stakes.big_bet)
    squares = columns.squares("pot")
    single = scenario.session.hands == 1

    def mean(scale: Fraction) -> Estimate:
        if single:
            return mean_estimate(total["pot"], squares, hands, scale=scale)
        return columns.ratio("pot", "hands", scale=scale)

    def often(column: str) -> Share:
        return columns.share(column, "hands", 1, single)

    def rate(column: str) -> Rate:
        return Rate(total[column], columns.ratio(column, "hands", scale=Fraction(100)))

    return PotResult(
        hands=hands,
        total=total["pot"],
        mean=mean(money),
        mean_big_bets=mean(big_bets),
        std_dev=standard_deviation(total["pot"], squares, hands, scale=money),
        std_dev_big_bets=standard_deviation(total["pot"], squares, hands, scale=big_bets),
        rake=total["rake"],
        rake_per_100=columns.ratio("rake", "hands", scale=100 * big_bets),
        rake_of_pots=columns.ratio("rake", "pot") if total["pot"] else None,
        showdowns=often("showdowns"),
        ends={**{name: often(f"ended_{name}") for name in STREET_NAMES}, "showdown": often("showdowns")},
        saw={name: often(f"saw_{name}") for name in STREET_NAMES[1:]},
        walks=often("walks"),
        side_pots=often("side_pots"),
        split_pots=often("split_pots"),
        all_ins=often("all_ins"),
        community_cards=often("community_cards"),
        capped_rounds=rate("capped_rounds"),
        free_folds=rate("free_folds"),
        decisions=rate("decisions"),
    )
