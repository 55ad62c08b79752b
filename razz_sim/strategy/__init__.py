"""Strategies: how they are declared, found, checked and compiled.

`@strategy` makes one of a function or class. `@alike` above a function lets compiled strategies and Python call it.
"""

from razz_sim.compiling import alike
from razz_sim.strategy.declaration import NoSuchStrategy, Parameter, StrategyError, real, strategy, switch, whole
from razz_sim.strategy.source import (
    Offer,
    StrategySource,
    builtin_names,
    check_params,
    find_strategy,
    offered_strategies,
)

__all__ = [
    "NoSuchStrategy",
    "Offer",
    "Parameter",
    "StrategyError",
    "StrategySource",
    "alike",
    "builtin_names",
    "check_params",
    "find_strategy",
    "offered_strategies",
    "real",
    "strategy",
    "switch",
    "whole",
]
