"""The fused loop at tables of 2, 6 and 8 seats, and what dealing and evaluating alone would allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

from benchmarks.measuring import Row
from razz_sim.batch import play_batch
from razz_sim.experiment import Batch, Entrant, Scenario
from razz_sim.hand.dealing import CARDS_PER_SEAT, RANDOM, draw, take
from razz_sim.hand.record import new_hand
from razz_sim.lowball import key_of_masks
from razz_sim.rules import PRESETS, Stakes
from razz_sim.seeding import DEAL, derive
from razz_sim.strategy import check_params, find_strategy
from razz_sim.tally import TABLE_COLUMNS

STAKES = Stakes(name="2/4", ante=20, bring_in=100, small_bet=200, big_bet=400, unit=Decimal("0.01"))
STACK = 100 * STAKES.big_bet
SEED = 7
SEATS = (2, 6, 8)
MIXED = ("tight", "random", "caller", "maniac", "stealer", "tight", "caller", "random")
"""The first so many of these sit at a mixed table."""
LINEUPS = ("all-call", "random", "tight", "mixed")
BOTS = Path(__file__).parent.parent / "tests" / "bots"
OTHER_KINDS = {
    "tight in Python": "tight_in_python.py:Tight",
    "caller in Python": "caller_in_python.py:Caller",
    "tight in rows": "tight_in_rows.py:Tight",
}
"""Line-ups of six strategies that are not compiled."""
DECISIONS = TABLE_COLUMNS.index("decisions")
EVALUATED_AT_ONCE = 100_000


Function = TypeVar("Function", bound=Callable[..., Any])


def uncached(function: Function) -> Function:
    """A compiled function of the benchmarks: the engine's cache knows only the engine's sources."""
    built: Function = numba.njit(error_model="numpy", nogil=True)(function)
    return built


def strategies_of(lineup: str, seats: int) -> Sequence[str]:
    """The strategy in each seat."""
    if lineup == "mixed":
        return MIXED[:seats]
    return [OTHER_KINDS.get(lineup, "caller" if lineup == "all-call" else lineup)] * seats


def scenario_of(lineup: str, seats: int, hands: int = 1) -> Scenario:
    """A cash table at 2/4 by the default rules, 100 big bets in front of each seat."""
    entrants = []
    for number, name in enumerate(strategies_of(lineup, seats)):
        source = find_strategy(name, BOTS)
        entrants.append(Entrant(f"{name} {number + 1}", source, check_params(source, {})))
    return Scenario(f"{seats} seats, {lineup}", PRESETS["pokerstars"], STAKES, STACK, tuple(entrants), hands)


def table_row(lineup: str, seats: int) -> Row:
    """Hands a second of the fused loop, all statistics on."""

    def play(hands: int) -> int:
        counted = play_batch(
            scenario_of(lineup, seats, hands), SEED, Batch(scenario=0, bin=0, first=0, stop=hands, hands=hands)
        )
        return int(counted.table[DECISIONS])

    return Row(f"{seats} seats, {lineup}", "hands", play)


def floor_row(seats: int = 6) -> Row:
    """Hands a second of nothing but seven cards to each seat and a key for each."""
    deal_and_evaluate(new_hand(seats)[0], np.uint64(SEED), 1)

    def deal(hands: int) -> int:
        deal_and_evaluate(new_hand(seats)[0], np.uint64(SEED), hands)
        return 0

    return Row(f"floor: deal and evaluate {seats} x {CARDS_PER_SEAT} cards", "hands", deal)


@uncached
def deal_and_evaluate(hand: Any, seed: Any, hands: int) -> int:
    """The floor; it answers the sum of the keys so that nothing is left out as unused."""
    total = 0
    hand.source = RANDOM
    for block in range(hands):
        hand.key = derive(derive(seed, DEAL), np.uint64(block))
        hand.cards_out = 0
        hand.stub = 52
        for seat in range(hand.seats):
            hand.once[seat] = 0
            hand.twice[seat] = 0
            hand.thrice[seat] = 0
            hand.four[seat] = 0
            for number in range(CARDS_PER_SEAT):
                take(hand, seat, draw(hand, seat * CARDS_PER_SEAT + number))
            total += key_of_masks(
                int(hand.once[seat]), int(hand.twice[seat]), int(hand.thrice[seat]), int(hand.four[seat]), 7
            )
    return total


def evaluation_row() -> Row:
    """Keys a second from the rank masks of random seven-card hands, the masks being there."""
    masks = random_masks(EVALUATED_AT_ONCE)
    evaluate(masks, 1)

    def keys(thousands: int) -> int:
        evaluate(masks, thousands * 1_000)
        return 0

    return Row("evaluations", "thousand evaluations", keys)


@uncached
def evaluate(masks: Any, count: int) -> int:
    """Evaluate so many hands, from the first again when all were; the sum of their keys."""
    total = 0
    row = 0
    for _ in range(count):
        total += key_of_masks(masks[row, 0], masks[row, 1], masks[row, 2], masks[row, 3], 7)
        row += 1
        if row == len(masks):
            row = 0
    return total


def random_masks(count: int) -> np.ndarray:
    """Rank masks of random seven-card hands: ranks held at least 1, 2, 3 and 4 times."""
    rng = np.random.default_rng(SEED)
    ranks = rng.permuted(np.tile(np.arange(52), (count, 1)), axis=1)[:, :7] // 4
    held = (ranks[:, :, None] == np.arange(13)).sum(axis=1)
    return np.stack([((held > times) << np.arange(13)).sum(axis=1) for times in range(4)], axis=1).astype(np.int64)
