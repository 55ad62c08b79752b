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

from dataclasses import dataclass

from razz_sim.experiment import Entrant, Scenario
from razz_sim.statistics.classes import ClassResult, class_results, deviation_per_hand
from razz_sim.statistics.estimates import Estimate, Interval, exact_sums
from razz_sim.statistics.plays import Plays, entrant_plays
from razz_sim.statistics.pots import PotResult, pot_result
from razz_sim.statistics.rates import win_rates
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally
from razz_sim.tally.all_in import PARTS


@dataclass(frozen=True, slots=True)
class AdjustedRate:
    """The win rate with expected winnings in all-in hands (`tally.all_in`). `net` is in smallest units.

    `hands` is in how many the winnings were replaced; `gain` how many times as many hands the real rate would need for
    an error as small.
    """

    net: float
    bb_per_100: float
    std_error: float | None
    ci95: Interval | None
    hands: int
    gain: float | None


@dataclass(frozen=True, slots=True)
class EntrantResult:
    """How an entrant fared in a scenario. `net` is in smallest units, `net_money` the same in exact decimals.

    `std_dev` is the deviation of its net in a block, all its seats together, `std_dev_per_hand` that of one seat in one
    hand, in big bets; None when there was but one. `errors` are decisions that its strategy failed to make, `forfeits`
    seats that lost their chips for one.
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
    chips_per_hand: Estimate
    std_dev: float | None
    std_dev_per_hand: float | None
    adjusted: AdjustedRate
    plays: Plays
    by_door: dict[str, ClassResult]
    by_position: dict[str, ClassResult]
    by_end: dict[str, ClassResult]
    errors: int
    forfeits: int

    @property
    def duplicate_gain(self) -> float | None:
        """How many times as many hands the same error of its win rate would take, were each hand dealt anew.

        The error that so many independent hands would have, as they deviate, against the one between blocks. None where
        its seats share a hand, or an error is not known or 0.
        """
        if self.seats > 1 or not self.std_error or self.std_dev_per_hand is None:
            return None
        return (100 * self.std_dev_per_hand) ** 2 / self.hands / self.std_error**2


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
            _entrant_result(entrant, scenario, tally, index) for index, entrant in enumerate(scenario.lineup)
        ),
        pots=pot_result(scenario, tally),
    )


def _entrant_result(entrant: Entrant, scenario: Scenario, tally: Tally, index: int) -> EntrantResult:
    """How an entrant fared."""
    total = dict(zip(ENTRANT_COLUMNS, exact_sums(tally.entrants[:, index]), strict=True))
    rates = win_rates(scenario, tally, index)
    return EntrantResult(
        name=entrant.name,
        strategy=entrant.strategy.spec,
        params=entrant.params,
        seats=entrant.seats,
        hands=total["hands"],
        net=total["net"],
        net_money=f"{total['net'] * scenario.stakes.unit:f}",
        bb_per_100=rates.real.value,
        std_error=rates.real.std_error,
        ci95=rates.real.ci95,
        chips_per_hand=rates.chips_per_hand,
        std_dev=rates.std_dev,
        std_dev_per_hand=deviation_per_hand(scenario, tally, index),
        adjusted=AdjustedRate(
            net=total["adjusted"] / PARTS,
            bb_per_100=rates.adjusted.value,
            std_error=rates.adjusted.std_error,
            ci95=rates.adjusted.ci95,
            hands=total["adjusted_hands"],
            gain=rates.gain,
        ),
        plays=entrant_plays(entrant, scenario, tally, index),
        by_door=class_results(scenario, tally, index, "door"),
        by_position=class_results(scenario, tally, index, "position"),
        by_end=class_results(scenario, tally, index, "end"),
        errors=total["errors"],
        forfeits=total["forfeits"],
    )
