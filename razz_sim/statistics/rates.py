"""Win rates of an entrant: as it happened, with expected winnings in all-in hands, and as they settle over a run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from razz_sim.experiment import Scenario, plan_of
from razz_sim.statistics.columns import Columns
from razz_sim.statistics.estimates import Estimate, mean_estimate, ratio_estimate, standard_deviation
from razz_sim.statistics.field import won
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally
from razz_sim.tally.all_in import PARTS

CONVERGENCE_POINTS = 128


@dataclass(frozen=True, slots=True)
class WinRates:
    """What an entrant won: in big bets per 100 hands, real and adjusted (`tally.all_in`), and in money per hand.

    `std_dev` is the deviation of its net in a block, in big bets; None when there was but one. `gain` is how many
    times as many hands the real rate would need for an error as small as the adjusted one's.
    """

    real: Estimate
    adjusted: Estimate
    chips_per_hand: Estimate
    std_dev: float | None

    @property
    def gain(self) -> float | None:
        """None where an error is not known, or there is none."""
        if not self.real.std_error or not self.adjusted.std_error:
            return None
        return (self.real.std_error / self.adjusted.std_error) ** 2


def win_rates(scenario: Scenario, tally: Tally, entrant: int) -> WinRates:
    """What the entrant with this index in the line-up won.

    The mean over blocks as long as all have all their hands; sessions that end early make it a ratio of totals, with
    the error between bins. ValueError for totals that cannot be this scenario's.
    """
    return _rates(scenario, tally, entrant, stop=None)


def convergence(
    scenario: Scenario, tally: Tally, entrant: int, points: int = CONVERGENCE_POINTS
) -> list[tuple[int, Estimate]]:
    """The win rate in big bets per 100 hands as it settled: (hands so far, estimate), bin by bin from the first.

    Of tournaments the return, and how many there were so far.

    So many points at most, evenly spaced, the last over all bins.
    """
    filled = np.flatnonzero(tally.entrants[:, entrant, ENTRANT_COLUMNS.index("hands")]) + 1
    chosen = filled[np.unique(np.linspace(0, len(filled) - 1, min(points, len(filled))).round().astype(int))]
    counted = tally.entrants[:, entrant, ENTRANT_COLUMNS.index("hands")]
    if scenario.tournament is not None:
        counted = tally.table[:, TABLE_COLUMNS.index("blocks")]
    hands = np.cumsum(counted)
    return [(int(hands[stop - 1]), _rates(scenario, tally, entrant, stop=int(stop)).real) for stop in chosen]


def _rates(scenario: Scenario, tally: Tally, entrant: int, stop: int | None) -> WinRates:
    """The win rates of the bins before `stop`."""
    if scenario.tournament is not None:
        return _returns(scenario, tally, entrant, stop)
    who, stakes = scenario.lineup[entrant], scenario.stakes
    table = dict(zip(TABLE_COLUMNS, tally.table[:stop].sum(axis=0).tolist(), strict=True))
    columns = Columns(
        ENTRANT_COLUMNS, tally.entrants[:stop, entrant], table["blocks"], single=scenario.block_hands == 1
    )
    in_block = scenario.block_hands * who.seats
    missing = columns.blocks * in_block - columns.total["hands"]
    if missing < 0 or (missing and not scenario.session.carry and not table["forfeited_blocks"]):
        most = f"{columns.blocks} blocks with {in_block} for it in each"
        raise ValueError(f"entrant {who.name!r} has {columns.total['hands']} hands in {most}")

    def rate(won: str, scale: Fraction) -> Estimate:
        if missing:
            return columns.ratio(won, "hands", scale=scale)
        return mean_estimate(columns.total[won], columns.squares(f"{won}_sq"), columns.blocks, scale=scale / in_block)

    return WinRates(
        real=rate("net", Fraction(100, stakes.big_bet)),
        adjusted=rate("adjusted", Fraction(100, stakes.big_bet * PARTS)),
        chips_per_hand=rate("net", Fraction(stakes.unit)),
        std_dev=standard_deviation(
            columns.total["net"], columns.squares("net_sq"), columns.blocks, scale=Fraction(1, stakes.big_bet)
        ),
    )


def _returns(scenario: Scenario, tally: Tally, entrant: int, stop: int | None) -> WinRates:
    """The return on investment of an entrant of tournaments, in percent of what it paid in.

    Where everybody pays in the same, the mean over tournaments, else the ratio of totals with the error between bins.
    Money per hand is money per player, the deviation is in what a tournament costs.
    """
    plan, seats = plan_of(scenario), scenario.lineup[entrant].seats
    net, paid = won(scenario, tally, entrant, stop).T
    blocks = int(tally.table[:stop, TABLE_COLUMNS.index("blocks")].sum())
    cost = (plan.prize + plan.fee) * seats
    columns = Columns(ENTRANT_COLUMNS, tally.entrants[:stop, entrant], blocks, single=False)
    total, squares = columns.total["net"], columns.squares("net_sq")
    real = (
        mean_estimate(total, squares, blocks, scale=Fraction(100, cost))
        if sum(paid) == cost * blocks
        else ratio_estimate(net.tolist(), paid.tolist(), scale=Fraction(100))
    )
    if not real.std_error:  # who never won, so far, or always the same: that is no certainty
        real = Estimate(real.value, None, None)
    return WinRates(
        real=real,
        adjusted=real,
        chips_per_hand=mean_estimate(total, squares, blocks, scale=Fraction(plan.unit) / seats),
        std_dev=standard_deviation(total, squares, blocks, scale=Fraction(1, cost)),
    )
