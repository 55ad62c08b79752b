"""Play a batch of blocks: pure, from coordinates to totals, wherever it runs.

Nothing here opens a file or knows Ray, and the numbers are the same on every machine.
"""

from razz_sim.batch.faults import BrokenHand, Exhausted, Fault, NoSuchHand, Stopped, StrategyFault, Verdict
from razz_sim.batch.loop import Counted, Loop, new_pulse, play_batch
from razz_sim.batch.playing import first_fault, load_all, play_batches, prepare
from razz_sim.batch.replay import Replayed, replay_hand
from razz_sim.batch.seen import view_text

__all__ = [
    "BrokenHand",
    "Counted",
    "Exhausted",
    "Fault",
    "Loop",
    "NoSuchHand",
    "Replayed",
    "Stopped",
    "StrategyFault",
    "Verdict",
    "first_fault",
    "load_all",
    "new_pulse",
    "play_batch",
    "play_batches",
    "prepare",
    "replay_hand",
    "view_text",
]
