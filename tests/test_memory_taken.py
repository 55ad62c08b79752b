"""Memory that one strategy keeps is never charged to another, whoever asks for the last page."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from small_experiments import entrant, experiment, scenario, written
from test_misbehaving import array_bot, digest_of, python_bot

from razz_sim.batch import StrategyFault
from razz_sim.experiment import Experiment, Limits, OnError, Session
from razz_sim.runner import Told, play
from razz_sim.tally import digest

MOST_MB = 500
KEEPS = f"KEPT.append(np.zeros({MOST_MB} * 2**20 // 50, dtype=np.uint8))"
TAKES = f"np.zeros({MOST_MB} * 2**20 // 3, dtype=np.uint8)[-1]"
PYTHON, ARRAY = (
    "import numpy as np\n\nKEPT = []\n\n" + python_bot("{}", "return STAY"),
    "KEPT = []\n\n" + array_bot("for _ in views:", "    {}", "return np.full(len(views), STAY)"),
)
KEEPERS = {"python": PYTHON.format(KEEPS), "array": ARRAY.format(KEEPS)}
RIVALS = {"python": PYTHON.format(TAKES), "array": ARRAY.format(TAKES)}


def sharing_memory(keeper: str, rival: str, on_error: OnError, *, session: int = 1, hands: int = 100) -> Experiment:
    """One who keeps a fiftieth of the memory there is with each decision; one who takes a third, and frees it."""
    lineup = (written("keeper", KEEPERS[keeper]), written("rival", RIVALS[rival]), entrant("fish", "caller"))
    some = replace(scenario(lineup, hands=hands), session=Session(session), on_error=on_error)
    return replace(experiment(some), limits=Limits(memory_mb=MOST_MB))


ON_RAY = [pytest.param("ray", marks=pytest.mark.ray)] if "RAZZ_SIM_LONG" in os.environ else []


@pytest.mark.parametrize("kind", ["local", *ON_RAY])
def test_what_adds_up_over_many_hands_costs_a_process_now_and_then(kind: str) -> None:
    some = sharing_memory("python", "python", "stop", hands=25)
    (tally,) = (one.tally() for one in some.scenarios)
    played = play(some, Told(lambda part: part.add_to(tally)), kind=kind, workers=1)
    assert played.replayed >= 2
    honest = replace(some.scenarios[0], lineup=tuple(entrant(name, "caller") for name in ("keeper", "rival", "fish")))
    assert digest([tally]) == digest_of(replace(some, scenarios=(honest,)), kind="local")[0]


@pytest.mark.parametrize(("keeper", "rival"), [("python", "python"), ("array", "array"), ("array", "python")])
def test_who_takes_it_all_within_a_block_is_who_is_judged(keeper: str, rival: str) -> None:
    some = sharing_memory(keeper, rival, "stop", session=100)
    with pytest.raises(StrategyFault, match=r"'keeper' .* ran out of memory") as caught:
        play(some, Told(lambda part: None), kind="local")
    assert caught.value.fault.entrant == "keeper"
    forfeiting = sharing_memory(keeper, rival, "forfeit", session=100, hands=200)
    _, (tally,), verdicts = digest_of(forfeiting, kind="local")
    assert verdicts
    assert tally.entrant_total(0, "errors") >= len(verdicts)  # an array strategy errs at every table of the call
    assert not tally.entrant_total(1, "errors")
