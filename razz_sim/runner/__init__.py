"""Where an experiment is played: in a supervised process on this machine, or by Ray. It changes no digit."""

from razz_sim.runner.play import Deliver, Played, play
from razz_sim.runner.supervised import RunnerError

__all__ = ["Deliver", "Played", "RunnerError", "play"]
