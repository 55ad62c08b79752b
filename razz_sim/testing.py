"""For the tests of strategies' authors: `check_strategy("my_bot.py:my_bot")`."""

from __future__ import annotations

from pathlib import Path

from razz_sim.checking import check

__all__ = ["check_strategy"]


def check_strategy(spec: str, *, relative_to: str | Path = ".", thorough: bool = False, **params: object) -> None:
    """Play a strategy through odd situations; AssertionError with the report when something is wrong with it.

    `spec` is as in a config, its path relative to `relative_to`; `params` are set as there. The same as
    `razz-sim check`, with fewer hands and without measuring speed and memory unless it is to be `thorough`. Raises
    StrategyError when there is no such strategy or parameter.
    """
    report = check(spec, params, relative_to=Path(relative_to), thorough=thorough)
    if not report.good:
        raise AssertionError(f"\n{report}")
