"""The pots of a scenario and how its hands went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from razz_sim.experiment import Scenario
from razz_sim.statistics.columns import Columns, by_shard
from razz_sim.statistics.estimates import Estimate, Share, mean_estimate, ratio_estimate, standard_deviation
from razz_sim.tally import POT_COLUMNS, TABLE_COLUMNS, Tally
from razz_sim.tally.columns import BUCKETS, ENDS, LOWS, PLAYERS, QUARTERS, STREETS, bucket_start

QUANTILES = (10, 25, 50, 75, 90, 99)


@dataclass(frozen=True, slots=True)
class Rate:
    """Something that may happen several times in a hand: how often in all, and in 100 hands."""

    count: int
    per_100: Estimate


@dataclass(frozen=True, slots=True)
class EndPots:
    """The final pots of the hands that ended somewhere, in big bets; None where none did, and no quantiles."""

    count: int
    big_bets: Estimate | None
    std_dev: float | None
    quantiles: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Players:
    """How many live players there were on a street, or at showdown, in the hands that saw it, by number of players."""

    mean: Estimate | None
    counts: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PotResult:
    """The pots of a scenario and how its hands went. `total` and `rake` are in smallest units.

    `mean` is the final pot, after uncalled chips went back and before rake, in the stakes' currency, `mean_big_bets` in
    big bets; `rake_per_100` is in big bets for the whole table. `ends` says where hands ended, by street and
    'showdown'; `saw` which streets were dealt. `quantiles` are of the final pot in big bets, by percent, `histogram` is
    (from, to, count) of it, where `to` is None in the last.
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
    ends: Mapping[str, Share]
    saw: Mapping[str, Share]
    walks: Share
    side_pots: Share
    split_pots: Share
    all_ins: Share
    community_cards: Share
    capped_rounds: Rate
    free_folds: Rate
    decisions: Rate
    quantiles: Mapping[int, float]
    histogram: tuple[tuple[float, float | None, int], ...]
    by_end: Mapping[str, EndPots]
    players: Mapping[str, Players]
    winning_lows: Mapping[str, Share]


def pot_result(scenario: Scenario, tally: Tally) -> PotResult:
    """What a scenario's totals say of its pots."""
    single = scenario.block_hands == 1
    blocks = tally.table_total("blocks")
    bins = Columns(TABLE_COLUMNS, tally.table, blocks, single=single)
    both = np.hstack([by_shard(tally.table, tally.shard_bins), tally.pots])
    shards = Columns([*TABLE_COLUMNS, *POT_COLUMNS], both, blocks, single=single)
    total, hands = bins.total, bins.total["hands"]
    money, big_bets = Fraction(scenario.stakes.unit), Fraction(1, scenario.stakes.big_bet)
    squares = bins.squares("pot_sq")

    def mean(scale: Fraction) -> Estimate:
        if single:
            return mean_estimate(total["pot"], squares, hands, scale=scale)
        return bins.ratio("pot", "hands", scale=scale)

    def often(column: str) -> Share:
        return bins.share(column, "hands", 1)

    def rate(column: str) -> Rate:
        return Rate(total[column], bins.ratio(column, "hands", scale=Fraction(100)))

    return PotResult(
        hands=hands,
        total=total["pot"],
        mean=mean(money),
        mean_big_bets=mean(big_bets),
        std_dev=standard_deviation(total["pot"], squares, hands, scale=money),
        std_dev_big_bets=standard_deviation(total["pot"], squares, hands, scale=big_bets),
        rake=total["rake"],
        rake_per_100=bins.ratio("rake", "hands", scale=100 * big_bets),
        rake_of_pots=bins.ratio("rake", "pot") if total["pot"] else None,
        showdowns=often("showdowns"),
        ends={**{name: often(f"ended_{name}") for name in STREETS}, "showdown": often("showdowns")},
        saw={name: often(f"saw_{name}") for name in STREETS[1:]},
        walks=often("walks"),
        side_pots=often("side_pots"),
        split_pots=often("split_pots"),
        all_ins=often("all_ins"),
        community_cards=often("community_cards"),
        capped_rounds=rate("capped_rounds"),
        free_folds=rate("free_folds"),
        decisions=rate("decisions"),
        quantiles=_quantiles(tally.histogram.sum(axis=0)),
        histogram=_histogram(tally.histogram.sum(axis=0)),
        by_end={end: _end_pots(shards, end, tally.histogram[place], big_bets) for place, end in enumerate(ENDS)},
        players={where: _players(shards, where) for where in ENDS},
        winning_lows={low: shards.share(f"winning_{low}", "showdowns", 1) for low in LOWS},
    )


def _end_pots(shards: Columns, end: str, counts: np.ndarray, scale: Fraction) -> EndPots:
    """The pots of hands that ended somewhere: each hand a sample, in sessions the error between shards."""
    counted = "showdowns" if end == "showdown" else f"ended_{end}"
    count, total = shards.total[counted], shards.total[f"pot_{end}_sum"]
    if not count:
        return EndPots(0, None, None, {})
    squares = shards.squares(f"pot_{end}_sq")
    mean = (
        mean_estimate(total, squares, count, scale=scale)
        if shards.single
        else shards.ratio(f"pot_{end}_sum", counted, scale=scale)
    )
    return EndPots(count, mean, standard_deviation(total, squares, count, scale=scale), _quantiles(counts))


def _players(shards: Columns, where: str) -> Players:
    counts = {players: shards.total[f"players_{where}_{players}"] for players in PLAYERS}
    counts = {players: count for players, count in counts.items() if count}
    hands = sum(counts.values())
    if not hands:
        return Players(None, {})
    if shards.single:
        total = sum(players * count for players, count in counts.items())
        squares = sum(players**2 * count for players, count in counts.items())
        return Players(mean_estimate(total, squares, hands), counts)
    by_number = [shards.pieces(f"players_{where}_{players}") for players in PLAYERS]
    wholes = [sum(found) for found in zip(*by_number, strict=True)]
    parts = [sum(players * count for players, count in enumerate(found)) for found in zip(*by_number, strict=True)]
    return Players(ratio_estimate(parts, wholes), counts)


def _histogram(counts: np.ndarray) -> tuple[tuple[float, float | None, int], ...]:
    """The buckets from the first to the last that has a pot, in big bets."""
    used = int(np.flatnonzero(counts)[-1]) + 1 if counts.any() else 0
    return tuple((_start(bucket), _stop(bucket), int(counts[bucket])) for bucket in range(used))


def _quantiles(counts: np.ndarray) -> dict[int, float]:
    """The quantiles of a histogram of pots, in big bets."""
    return {percent: _quantile(counts, percent) for percent in QUANTILES}


def _quantile(counts: np.ndarray, percent: int) -> float:
    """The pot that so many percent do not exceed, in big bets, interpolated within its bucket."""
    wanted, below = int(counts.sum()) * percent / 100, 0
    for bucket, count in enumerate(counts.tolist()):
        if count and below + count >= wanted:
            start, stop = _start(bucket), _stop(bucket)
            return start if stop is None else start + (stop - start) * (wanted - below) / count
        below += count
    return 0.0


def _start(bucket: int) -> float:
    return bucket_start(bucket) / QUARTERS


def _stop(bucket: int) -> float | None:
    return None if bucket == BUCKETS - 1 else bucket_start(bucket + 1) / QUARTERS
