"""Experiment files: YAML to `Experiment` and back, with errors that say where and what would be right."""

from __future__ import annotations

from razz_sim.config.load import Loaded, experiment_from_dict, load_experiment
from razz_sim.config.manifest import experiment_from_manifest, for_manifest, resolved
from razz_sim.config.overrides import read_params
from razz_sim.config.problem import ConfigError, Problem
from razz_sim.config.schema import json_schema

__all__ = [
    "ConfigError",
    "Loaded",
    "Problem",
    "experiment_from_dict",
    "experiment_from_manifest",
    "for_manifest",
    "json_schema",
    "load_experiment",
    "read_params",
    "resolved",
]
