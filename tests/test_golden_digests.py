"""Twenty small experiments and the digests they must have, on every machine and in every version with these results.

A change that alters one changes what users get: raise `tally.RESULTS_VERSION`, say why in the CHANGELOG, and write the
file anew with `python tests/test_golden_digests.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from small_experiments import TWO_FOUR, entrant, experiment, mixed_lineup, scenario

from razz_sim.batch import Loop
from razz_sim.experiment import Experiment, Scenario, Session
from razz_sim.rules import PRESETS, Rake, Stakes, rule_set
from razz_sim.tally import RESULTS_VERSION, digest

FILE = Path(__file__).with_name("golden_digests.json")

CENTS = Stakes(name="0.04/0.08", ante=1, bring_in=2, small_bet=4, big_bet=8, unit=Decimal("0.01"))
CHIPS = Stakes(
    name="500/1000",
    ante=125,
    bring_in=125,
    small_bet=500,
    big_bet=1000,
    chip=25,
    rake=Rake(percent=Decimal("2.5"), cap_by_players=((2, 250), (5, 1000)), third_street=False),
)


def with_session(some: Scenario, session: Session) -> Scenario:
    """The scenario with its hands in sessions."""
    from dataclasses import replace

    return replace(some, session=session)


def callers(seats: int) -> Scenario:
    """A table of callers: every hand goes to the end."""
    return scenario((entrant("fish", "caller", seats),), hands=400)


EXPERIMENTS: dict[str, Callable[[], Experiment]] = {
    **{
        f"preset {name}": lambda name=name: experiment(scenario(mixed_lineup(), hands=500, rules=PRESETS[name]))
        for name in PRESETS
    },
    **{
        f"{betting} with {big_bets} big bets": lambda betting=betting, big_bets=big_bets: experiment(
            scenario(mixed_lineup(), hands=500, rules=rule_set(betting=betting), big_bets=big_bets)
        )
        for betting in ("fixed_limit", "pot_limit", "no_limit")
        for big_bets in (1, 30)
    },
    "eight callers": lambda: experiment(callers(8)),
    "eight callers, burned cards": lambda: experiment(
        scenario((entrant("fish", "caller", 8),), hands=400, rules=PRESETS["wsop_live"])
    ),
    "two seats, no cap": lambda: experiment(
        scenario((entrant("a", "maniac"), entrant("b", "random")), hands=400, rules=rule_set(bets_per_round=0))
    ),
    "cents": lambda: experiment(scenario(mixed_lineup(), hands=500, stakes=CENTS)),
    "chips of 25, rake by players": lambda: experiment(scenario(mixed_lineup(), hands=500, stakes=CHIPS)),
    "largest seed": lambda: experiment(scenario(mixed_lineup(), hands=500), seed=2**64 - 1),
    "session, reset": lambda: experiment(with_session(scenario(mixed_lineup(), hands=600), Session(hands=30))),
    "session, carried": lambda: experiment(
        with_session(scenario(mixed_lineup(), hands=600, big_bets=5), Session(hands=60, carry=True))
    ),
    "session, topped up": lambda: experiment(
        with_session(scenario(mixed_lineup(), hands=600, big_bets=5), Session(hands=60, carry=True, top_up=True))
    ),
    "several scenarios": lambda: experiment(
        callers(3), scenario(mixed_lineup(), hands=2000), scenario(mixed_lineup(), hands=77, stakes=TWO_FOUR)
    ),
}


def digest_of(some: Experiment) -> str:
    """The digest of an experiment played in this process."""
    tallies = [one.tally() for one in some.scenarios]
    for batch in some.batches(10_000):
        counted = Loop(some.scenarios[batch.scenario], some.seed).play(batch)
        counted.add_to(tallies[batch.scenario])
    return digest(tallies)


def kept() -> Iterator[tuple[str, str]]:
    """Names and digests in the file."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    assert data["results_version"] == RESULTS_VERSION, "write the file anew: see above"
    yield from data["digests"].items()


def test_there_are_twenty_and_the_file_knows_them() -> None:
    assert len(EXPERIMENTS) >= 20
    assert {name for name, _ in kept()} == set(EXPERIMENTS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_digest_is_what_it_was(name: str) -> None:
    assert digest_of(EXPERIMENTS[name]()) == dict(kept())[name]


if __name__ == "__main__":
    found = {name: digest_of(make()) for name, make in EXPERIMENTS.items()}
    FILE.write_text(
        json.dumps({"results_version": RESULTS_VERSION, "digests": found}, indent=1) + "\n", encoding="utf-8"
    )
