"""Tournaments: what a stack is worth in prizes, by the independent chip model."""

from razz_sim.tournament.icm import MOST_CHIPS, MOST_EXACT, finish_probabilities, icm
from razz_sim.tournament.integrated import MOST_INTEGRATED, integrated_icm
from razz_sim.tournament.sampled import LEAST_SAMPLES, MOST_SEED, SampledPrizes, sampled_icm

__all__ = [
    "LEAST_SAMPLES",
    "MOST_CHIPS",
    "MOST_EXACT",
    "MOST_INTEGRATED",
    "MOST_SEED",
    "SampledPrizes",
    "finish_probabilities",
    "icm",
    "integrated_icm",
    "sampled_icm",
]
