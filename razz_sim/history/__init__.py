"""Hands in and out: PHH and the rooms' own text formats, and replay of real hands through the rules."""

from razz_sim.history.detect import read_hands, scan_hands
from razz_sim.history.record import HistoryError, Payment, RecordedAction, RecordedHand
from razz_sim.history.replay import PotOutcome, ReplayOutcome, RuleViolation, replay, replay_files
from razz_sim.history.to_phh import write_phh
from razz_sim.history.to_pokerstars import Printed, write_pokerstars
from razz_sim.history.to_text import write_text

__all__ = [
    "HistoryError",
    "Payment",
    "PotOutcome",
    "Printed",
    "RecordedAction",
    "RecordedHand",
    "ReplayOutcome",
    "RuleViolation",
    "read_hands",
    "replay",
    "replay_files",
    "scan_hands",
    "write_phh",
    "write_pokerstars",
    "write_text",
]
