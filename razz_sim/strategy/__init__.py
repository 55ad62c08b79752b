"""Strategies: how they are declared, found, checked and compiled.

A strategy is a function `(view, params, memory, u) -> answer` under `@strategy`. `u` is the decision's random word;
`uniform(u, i)` draws numbers from it.
"""

from razz_sim.strategy.declaration import Parameter, StrategyError, real, strategy, switch, whole
from razz_sim.strategy.source import StrategySource, builtin_names, check_params, find_strategy

__all__ = [
    "Parameter",
    "StrategyError",
    "StrategySource",
    "builtin_names",
    "check_params",
    "find_strategy",
    "real",
    "strategy",
    "switch",
    "whole",
]
