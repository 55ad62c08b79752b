"""Experiments small enough for tests, made from Python."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np

from razz_sim.experiment import Entrant, Experiment, Scenario
from razz_sim.rules import PRESETS, Rake, RuleSet, Stakes
from razz_sim.strategy import check_params, find_strategy
from razz_sim.strategy.source import read_strategy

TWO_FOUR = Stakes(
    name="2/4",
    ante=20,
    bring_in=100,
    small_bet=200,
    big_bet=400,
    unit=Decimal("0.01"),
    rake=Rake(percent=Decimal(5), cap=200),
)


def entrant(name: str, spec: str, seats: int = 1, **params: object) -> Entrant:
    """An entrant with a built-in strategy."""
    source = find_strategy(spec, Path())
    return Entrant(name=name, strategy=source, params=check_params(source, params), seats=seats)


def written(name: str, text: str, seats: int = 1) -> Entrant:
    """An entrant whose strategy file is given as text: a function `bot`, under `@strategy` or about to be."""
    header = "from razz_sim.strategy import strategy\nfrom razz_sim.view import *\n\n\n"
    header += "" if "@strategy" in text else "@strategy\n"
    source = read_strategy(f"{name}.py:bot", "bot", header + text, f"{name}.py")
    return Entrant(name=name, strategy=source, params=check_params(source, {}), seats=seats)


def mixed_lineup() -> tuple[Entrant, ...]:
    """Six seats that see every street, raise, fold and steal."""
    return (
        entrant("hero", "tight"),
        entrant("dice", "random", seats=2),
        entrant("thief", "stealer"),
        entrant("fish", "caller", seats=2),
    )


def scenario(
    lineup: tuple[Entrant, ...],
    *,
    hands: int = 3000,
    rules: RuleSet = PRESETS["pokerstars"],
    stakes: Stakes = TWO_FOUR,
    big_bets: int = 100,
) -> Scenario:
    """A scenario of a few thousand hands."""
    return Scenario(
        name=stakes.name, rules=rules, stakes=stakes, stack=big_bets * stakes.big_bet, lineup=lineup, hands=hands
    )


def experiment(*scenarios: Scenario, seed: int = 7) -> Experiment:
    """An experiment of these scenarios."""
    return Experiment(name="small", seed=seed, scenarios=scenarios)


def square_sum(totals: np.ndarray, first: int) -> int:
    """The exact sum of squares in the three limbs from column `first` on, of one row or of many."""
    low, middle, high = (sum(int(limb) for limb in totals[..., first + number].flat) for number in range(3))
    return low + (middle << 32) + (high << 64)
