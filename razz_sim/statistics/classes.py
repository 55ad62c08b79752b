"""What an entrant won by class of hand: door card, first three ranks, place from the bring-in, where the hand ended."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from razz_sim.experiment import Scenario
from razz_sim.statistics.estimates import Interval, exact_sums, mean_estimate, standard_deviation
from razz_sim.tally import Tally
from razz_sim.tally.columns import CLASSES, FIRST_CLASS

Kind = Literal["door", "start", "position", "end"]


@dataclass(frozen=True, slots=True)
class ClassResult:
    """What an entrant's hands of a class won, in big bets per 100 of them; `net` in smallest units.

    Each hand of each seat counts as a sample of its own. That is exact where a block is one hand and the entrant has
    one seat; the seats of one deal, and the hands of a session, hang together a little.
    """

    hands: int
    net: int
    bb_per_100: float
    std_error: float | None
    ci95: Interval | None


def class_results(scenario: Scenario, tally: Tally, entrant: int, kind: Kind) -> dict[str, ClassResult]:
    """The classes of a kind that some hand of the entrant with this index fell into, by their labels.

    Starts are three ranks, rising, as "A23" or "KK5" has it: the ace is low. Position "0" is the bring-in, "1" the next
    seat clockwise that was dealt in.
    """
    labels, first = CLASSES[kind], FIRST_CLASS[kind]
    found = {}
    for label, row in zip(labels, tally.classes[entrant, first : first + len(labels)].tolist(), strict=True):
        hands, net, *limbs = row
        if hands:
            scale = Fraction(100, scenario.stakes.big_bet)
            estimate = mean_estimate(net, _square(limbs), hands, scale=scale)
            found[label] = ClassResult(hands, net, estimate.value, estimate.std_error, estimate.ci95)
    return found


def deviation_per_hand(scenario: Scenario, tally: Tally, entrant: int) -> float | None:
    """The standard deviation of what one seat of an entrant won in a hand, in big bets; None after a single hand."""
    first = FIRST_CLASS["end"]
    rows: np.ndarray = tally.classes[entrant, first : first + len(CLASSES["end"])]
    hands, net, *limbs = exact_sums(rows)
    return standard_deviation(net, _square(limbs), hands, scale=Fraction(1, scenario.stakes.big_bet))


def _square(limbs: list[int]) -> int:
    low, middle, high = limbs
    return low + (middle << 32) + (high << 64)
