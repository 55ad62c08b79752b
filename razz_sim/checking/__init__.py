"""Checking a strategy: thousands of odd situations, and whether it keeps to what is asked of strategies."""

from razz_sim.checking.playing import played_hand
from razz_sim.checking.report import TOPICS, Finding, Report
from razz_sim.checking.supervised import check, situations_of

__all__ = ["TOPICS", "Finding", "Report", "check", "played_hand", "situations_of"]
