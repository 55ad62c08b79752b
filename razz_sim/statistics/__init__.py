"""Estimates from totals: win rates and pots, each with its error and 95 % interval."""

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
    student_point,
    wilson_interval,
)
from razz_sim.statistics.results import EntrantResult, PotResult, Rate, ScenarioResult, scenario_result
from razz_sim.statistics.summaries import asked, summary

__all__ = [
    "EntrantResult",
    "Estimate",
    "Interval",
    "PotResult",
    "Rate",
    "ScenarioResult",
    "Share",
    "asked",
    "clustered_share",
    "exact_sums",
    "mean_estimate",
    "ratio_estimate",
    "scenario_result",
    "share",
    "standard_deviation",
    "student_point",
    "summary",
    "wilson_interval",
]
