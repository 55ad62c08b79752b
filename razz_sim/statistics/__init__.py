"""Estimates from totals: win rates and pots, each with its error and 95 % interval."""

from razz_sim.statistics.across_runs import AcrossRuns, across_runs
from razz_sim.statistics.baseline import ToBaseline, to_baseline
from razz_sim.statistics.changes import Change
from razz_sim.statistics.classes import ClassResult, class_results
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
from razz_sim.statistics.plays import PLAYS, Plays
from razz_sim.statistics.pots import PotResult, Rate
from razz_sim.statistics.rates import WinRates, convergence, win_rates
from razz_sim.statistics.results import AdjustedRate, EntrantResult, ScenarioResult, scenario_result
from razz_sim.statistics.summaries import asked, summary

__all__ = [
    "PLAYS",
    "AcrossRuns",
    "AdjustedRate",
    "Change",
    "ClassResult",
    "EntrantResult",
    "Estimate",
    "Interval",
    "Plays",
    "PotResult",
    "Rate",
    "ScenarioResult",
    "Share",
    "ToBaseline",
    "WinRates",
    "across_runs",
    "asked",
    "class_results",
    "clustered_share",
    "convergence",
    "exact_sums",
    "mean_estimate",
    "ratio_estimate",
    "scenario_result",
    "share",
    "standard_deviation",
    "student_point",
    "summary",
    "to_baseline",
    "wilson_interval",
    "win_rates",
]
