"""Where an experiment is played: in a supervised process on this machine, or by Ray. It changes no digit."""

from razz_sim.runner.judging import FirstErrors, first_errors
from razz_sim.runner.making import prepare_all
from razz_sim.runner.play import Deliver, Played, Told, play
from razz_sim.runner.supervised import NoCluster, RunnerError, TooSlow
from razz_sim.runner.watch import memory_limited

__all__ = [
    "Deliver",
    "FirstErrors",
    "NoCluster",
    "Played",
    "RunnerError",
    "Told",
    "TooSlow",
    "first_errors",
    "memory_limited",
    "play",
    "prepare_all",
]
