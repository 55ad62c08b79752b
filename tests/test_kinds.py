"""Three kinds of strategy, one protocol: the same rule gives the same results hand for hand, in any combination."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_experiments import experiment, scenario, written

from razz_sim.batch import NoSuchHand, play_batch, play_batches, replay_hand
from razz_sim.batch.loop import new_pulse
from razz_sim.experiment import Batch, Entrant, Experiment, Scenario, Session
from razz_sim.outcome import OUTCOME
from razz_sim.rules import PRESETS, RuleSet, rule_set
from razz_sim.runner import play
from razz_sim.strategy import check_params, find_strategy
from razz_sim.table.single import outcome_of_hand, view_of_hand
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, digest
from razz_sim.view import VIEW

SEED = 23
HERE = Path(__file__).parent
TIGHT = {
    "compiled": "tight",
    "python": "bots/tight_in_python.py:Tight",
    "array": "bots/tight_in_rows.py:Tight",
}
RIVALS = ("random", "caller", "maniac")


def tight(kind: str, name: str, limit: int = 8) -> Entrant:
    source = find_strategy(TIGHT[kind], HERE)
    return Entrant(name, source, check_params(source, {"limit": limit}))


def rival(name: str) -> Entrant:
    source = find_strategy(name)
    return Entrant(name, source, check_params(source, {}))


def table_of(kinds: Sequence[str], **options: object) -> Scenario:
    """A table at which these kinds of one rule sit among rivals."""
    lineup = tuple(tight(kind, f"tight {number}", 7 + number % 2) for number, kind in enumerate(kinds))
    return scenario((*lineup, *(rival(name) for name in RIVALS)), **options)  # type: ignore[arg-type]


def totals(some: Scenario) -> tuple[list[int], list[list[int]]]:
    counted = play_batch(some, SEED, Batch(scenario=0, bin=0, first=0, stop=some.blocks, hands=some.hands))
    return counted.table.tolist(), counted.entrants.tolist()


@pytest.mark.parametrize(
    "kinds",
    [
        ("python", "python", "python"),
        ("array", "array", "array"),
        ("array", "compiled", "python"),
        ("python", "array", "compiled"),
    ],
    ids=lambda kinds: " ".join(kinds),
)
@pytest.mark.parametrize(
    "rules",
    [PRESETS["pokerstars"], PRESETS["wsop_live"], rule_set("pokerstars", betting="no_limit")],
    ids=lambda rules: rules.describe(),
)
def test_one_rule_in_all_kinds_gives_the_same_totals(kinds: tuple[str, ...], rules: RuleSet) -> None:
    expected = totals(table_of(["compiled"] * 3, rules=rules, hands=1500))
    assert totals(table_of(kinds, rules=rules, hands=1500)) == expected


@pytest.mark.parametrize("kinds", [("python",) * 3, ("array",) * 3, ("array", "python", "compiled")], ids=" ".join)
def test_sessions_give_the_same_totals(kinds: tuple[str, ...]) -> None:
    def sessions(kinds: Sequence[str]) -> Scenario:
        some = table_of(kinds, hands=1200, big_bets=5)
        return replace(some, session=Session(hands=40, carry=True))

    assert totals(sessions(kinds)) == totals(sessions(["compiled"] * 3))


@pytest.mark.parametrize("kind", TIGHT)
def test_batches_however_cut_give_the_same_totals(kind: str) -> None:
    some = table_of([kind] * 3, hands=3000)
    whole = totals(some)
    cuts = [0, 1, 700, 1024, 1025, 2999, 3000]
    batches = [Batch(0, 0, first, stop, stop - first) for first, stop in itertools.pairwise(cuts)]
    parts = play_batches(some, SEED, batches)
    assert sum(part.table for part in parts).tolist() == whole[0]  # type: ignore[union-attr]
    assert sum(part.entrants for part in parts).tolist() == whole[1]  # type: ignore[union-attr]
    alone = [play_batch(some, SEED, batch) for batch in batches[::-1]]
    assert sum(part.table for part in alone).tolist() == whole[0]  # type: ignore[union-attr]


def of_all_kinds() -> Experiment:
    return experiment(
        table_of(("python", "array", "compiled"), hands=3000),
        replace(table_of(("array", "python", "compiled"), hands=1200), session=Session(hands=40), name="sessions"),
    )


ON_RAY = [pytest.param("ray", 500, marks=pytest.mark.ray)] if "RAZZ_SIM_LONG" in os.environ else []
"""`test_one_digest.py` plays on Ray in any case."""


@pytest.mark.parametrize(("kind", "size"), [("local", 65_536), ("local", 100), *ON_RAY])
def test_runners_and_batch_sizes_give_one_digest(kind: str, size: int) -> None:
    some = of_all_kinds()
    found = [one.tally() for one in some.scenarios]
    for index, one in enumerate(some.scenarios):
        for part in play_batches(one, some.seed, list(experiment(one).batches(10_000))):
            part.add_to(found[index])
    expected = digest(found)
    tallies = [one.tally() for one in some.scenarios]
    play(
        some,
        lambda part: part.add_to(tallies[part.batch.scenario]),
        kind=kind,
        workers=2,
        batch_size=size,
    )
    assert digest(tallies) == expected


@pytest.mark.parametrize("session", [1, 30])
def test_any_hand_can_be_played_again(session: int) -> None:
    """What replays show, hand by hand, adds up to what the loop counted."""
    some = replace(table_of(("python",) * 3, hands=90, big_bets=5), session=Session(hands=session, carry=session > 1))
    table, entrants = totals(some)
    nets = dict.fromkeys((one.name for one in some.lineup), 0)
    pots = 0
    for number in range(table[TABLE_COLUMNS.index("hands")]):
        replayed = replay_hand(some, SEED, number)
        assert replayed.faults == ()
        pots += sum(pot.amount for pot in replayed.hand.pots)
        for seat, who in enumerate(replayed.entrants):
            nets[who.name] += replayed.hand.stacks[seat] - replayed.hand.starting_stacks[seat]
    assert pots == table[TABLE_COLUMNS.index("pot")]
    assert list(nets.values()) == [row[ENTRANT_COLUMNS.index("net")] for row in entrants]


@pytest.mark.parametrize("session", [1, 30])
def test_a_hand_played_among_many_is_the_one_that_is_shown(session: int) -> None:
    rules = Session(hands=session, carry=session > 1)
    many, alone = (
        replace(table_of(kinds, hands=90, big_bets=5), session=rules)
        for kinds in (("array", "compiled", "array"), ("compiled",) * 3)
    )
    for number in (0, 1, 29, 63, 89):
        try:
            expected = replay_hand(alone, SEED, number)
        except NoSuchHand:
            with pytest.raises(NoSuchHand):
                replay_hand(many, SEED, number)
            continue
        assert replay_hand(many, SEED, number).hand.events == expected.hand.events


# Memory, and how hands ended

COUNTERS = {
    "compiled": """
def learn(outcome, params, memory):
    memory[0] += 1
    for seat in range(outcome.seats):
        if outcome.shown[seat] and seat != outcome.seat:
            memory[1] += outcome.shown_hole[seat, 0]


@strategy(memory=2, observe=learn)
def bot(view, params, memory, u):
    return RAISE if view.raise_min > 0 and (memory[0] + memory[1]) % 3 == 1 else STAY
""",
    "python": """
@strategy
class bot:
    def __init__(self):
        self.hands = self.seen = 0

    def observe(self, outcome):
        self.hands += 1
        for seat in range(outcome.seats):
            if outcome.shown[seat] and seat != outcome.seat:
                self.seen += outcome.shown_hole[seat][0]

    def act(self, view, u):
        return RAISE if view.raise_min > 0 and (self.hands + self.seen) % 3 == 1 else STAY
""",
    "array": """
import numpy as np


@strategy(memory=2)
class bot:
    def observe_batch(self, outcomes, memory):
        memory[:, 0] += 1
        others = np.arange(8)[None, :] != outcomes["seat"][:, None]
        memory[:, 1] += (outcomes["shown_hole"][:, :, 0] * outcomes["shown"] * others).sum(axis=1)

    def act_batch(self, views, memory, u):
        return np.where((views["raise_min"] > 0) & (memory.sum(axis=1) % 3 == 1), RAISE, STAY)
""",
}


@pytest.mark.parametrize("kind", COUNTERS)
def test_memory_and_observing_are_one_in_all_kinds(kind: str) -> None:
    def sessions(kinds: Sequence[str]) -> Scenario:
        learners = tuple(replace(written(one, COUNTERS[one]), name=f"{number}") for number, one in enumerate(kinds))
        some = scenario((*learners, rival("tight"), rival("random")), hands=900, big_bets=8)
        return replace(some, session=Session(hands=30, carry=True))

    expected = totals(sessions(["compiled", "compiled"]))
    assert totals(sessions([kind, kind])) == expected
    assert totals(sessions([kind, "compiled"])) == expected
    reset = replace(sessions(["compiled", "compiled"]), session=Session(hands=1))
    assert totals(reset) != expected, "what is learnt makes a difference"


def test_an_instance_is_new_in_each_block() -> None:
    text = """
@strategy
class bot:
    def __init__(self):
        self.asked = 0

    def act(self, view, u):
        self.asked += 1
        return STAY if self.asked <= 5 else 77
"""
    totals(scenario((written("counter", text), rival("caller")), hands=500))


def test_a_strategy_finds_its_parameters_from_the_first() -> None:
    text = """
@strategy(often=whole(3, 1, 9, "how often"), share=real(0.5, 0, 1, "a share"), loud=switch(True, "aloud"))
class bot:
    def __init__(self):
        assert (self.params.often, self.params.share, self.params.loud) == (3, 0.5, True)
        assert type(self.params.often) is int and type(self.params.loud) is bool

    def act(self, view, u):
        return STAY
"""
    header = "from razz_sim.strategy import real, strategy, switch, whole\nfrom razz_sim.view import STAY\n\n"
    from razz_sim.strategy.source import read_strategy

    source = read_strategy("b.py:bot", "bot", header + text, "b.py")
    totals(scenario((Entrant("bot", source, check_params(source, {})), rival("caller")), hands=20))


# Nothing hidden is seen


def hidden_cards(rng: np.random.Generator, hand: np.void, seat: int) -> np.void:
    """The same hand with other cards wherever the seat cannot look."""
    changed = np.frombuffer(bytearray(hand.tobytes()), dtype=hand.dtype)[0]  # copy() leaves gaps as they come
    for other in range(int(hand["seats"])):
        if other != seat:
            changed["hole"][other] = rng.integers(0, 52, 3)
            for mask in ("once", "twice", "thrice", "four"):
                changed[mask][other] = rng.integers(0, 2**13)
    changed["burned"] = rng.integers(0, 52, 4)
    changed["given"] = rng.integers(0, 52, 64)
    changed["key"] = rng.integers(0, 2**63)
    changed["cards_out"] = rng.integers(0, 2**52)
    return changed


def test_hidden_cards_changed_the_view_and_the_outcome_stay_the_same() -> None:
    rng = np.random.default_rng(5)
    some = table_of(("compiled", "compiled", "compiled"), hands=200)
    seen = 0
    for number in range(200):
        hand = replay_hand(some, SEED, number).hand
        record = hand.record
        first, second = np.zeros(1, VIEW), np.zeros(1, VIEW)
        for seat in range(some.seats):
            record["seat"] = seat
            view_of_hand(record, first[0])
            view_of_hand(hidden_cards(rng, record, seat), second[0])
            assert first.tobytes() == second.tobytes()
            before = np.array(hand.starting_stacks, dtype=np.int64)
            told = [np.zeros(1, OUTCOME) for _ in range(2)]
            outcome_of_hand(record, before, seat, first[0], told[0][0])
            unshown = hidden_cards(rng, record, seat)
            for other in range(some.seats):
                if record["shown"] >> other & 1 and record["showdown"]:
                    unshown["hole"][other] = record["hole"][other]
                    seen += 1
            outcome_of_hand(unshown, before, seat, second[0], told[1][0])
            assert told[0].tobytes() == told[1].tobytes()
    assert seen > 100


def test_what_a_strategy_writes_to_its_view_reaches_nothing() -> None:
    scribbler = """
@strategy
class bot:
    def act(self, view, u):
        for name, kind in view._fields_:
            if isinstance(getattr(view, name), int):
                setattr(view, name, 77)
        for seat in range(8):
            view.stack[seat] = view.street_in[seat] = view.total_in[seat] = 0
            view.live[seat] = 0
        return STAY
"""
    honest = scenario((rival("caller"), rival("random"), rival("tight")), hands=500)
    scribbled = replace(honest, lineup=(replace(written("caller", scribbler), name="caller"), *honest.lineup[1:]))
    assert totals(scribbled) == totals(honest)


def test_a_pulse_tells_nobody_is_asked_when_all_is_played() -> None:
    pulse = new_pulse()
    some = table_of(("array", "python", "compiled"), hands=50)
    play_batches(some, SEED, [Batch(0, 0, 0, 50, 50)], pulse)
    assert pulse[4] == -1
    assert pulse[7] > 100
