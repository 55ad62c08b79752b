"""What is asked and what was found, to read in a terminal: made from plain data alone, never from totals.

Rates are in big bets per 100 hands with 95 % intervals. Nothing is told by colour only, nothing is cut, and a pipe or a
file gets plain text that is readable in 80 columns.
"""

from razz_sim.report.across import print_across
from razz_sim.report.answer import answer, failures, overlap, ranked
from razz_sim.report.chips import ChipValues, print_chip_values
from razz_sim.report.schedule import about, print_schedule
from razz_sim.report.terminal import print_report
from razz_sim.report.trial import print_trials

__all__ = [
    "ChipValues",
    "about",
    "answer",
    "failures",
    "overlap",
    "print_across",
    "print_chip_values",
    "print_report",
    "print_schedule",
    "print_trials",
    "ranked",
]
