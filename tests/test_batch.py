"""A batch played in the fused loop is the same hands as single replays, and a strategy's fault is named."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from small_experiments import entrant, mixed_lineup, scenario, square_sum, written

from razz_sim.batch import Loop, Stopped, StrategyFault, play_batch, replay_hand
from razz_sim.experiment import Batch, Entrant, Scenario
from razz_sim.hand import Action, Show
from razz_sim.rules import PRESETS, RuleSet, rule_set
from razz_sim.strategy import StrategyError, find_strategy
from razz_sim.strategy.machine_code import machine_code
from razz_sim.strategy.source import StrategySource, read_strategy
from razz_sim.table.record import PULSE_FIELDS
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS, Tally

SEED = 11


def whole(some: Scenario) -> Batch:
    return Batch(scenario=0, bin=0, first=0, stop=some.blocks, hands=some.hands)


@pytest.mark.parametrize(
    "rules",
    [
        PRESETS["pokerstars"],
        PRESETS["wsop_live"],
        PRESETS["low_card_a"],
        rule_set("pokerstars", betting="no_limit"),
        rule_set("wsop_live", betting="pot_limit"),
    ],
    ids=lambda rules: rules.describe(),
)
@pytest.mark.parametrize("big_bets", [2, 100])
def test_the_loop_counts_what_single_replays_show(rules: RuleSet, big_bets: int) -> None:
    some = scenario(mixed_lineup(), hands=300, rules=rules, big_bets=big_bets)
    counted = play_batch(some, SEED, whole(some))
    table = dict(zip(TABLE_COLUMNS, counted.table.tolist(), strict=True))
    slow: Counter[str] = Counter()
    nets = np.zeros((some.hands, len(some.lineup)), dtype=object)
    pots = []
    for block in range(some.hands):
        replayed = replay_hand(some, SEED, block)
        hand = replayed.hand
        pot = sum(part.amount for part in hand.pots)
        pots.append(pot)
        slow["rake"] += hand.rake
        slow["showdowns"] += bool(hand.show_order)
        slow["decisions"] += sum(isinstance(event, Action) for event in hand.events)
        slow["side_pots"] += bool(hand.show_order) and len(hand.pots) > 1
        slow["saw_fifth"] += hand.street >= 5
        slow["ended_fourth"] += hand.street == 4 and not hand.show_order
        slow["free_folds"] += hand.free_folds
        shown = [event for event in hand.events if isinstance(event, Show)]
        assert len(shown) == len(hand.shown)
        for seat, who in enumerate(replayed.entrants):
            nets[block, some.lineup.index(who)] += hand.stacks[seat] - some.stack
    assert {name: table[name] for name in slow} == dict(slow)
    assert table["hands"] == some.hands
    assert table["pot"] == sum(pots)
    assert square_sum(counted.table, TABLE_COLUMNS.index("pot_sq_0")) == sum(pot * pot for pot in pots)
    for index in range(len(some.lineup)):
        assert counted.entrants[index, ENTRANT_COLUMNS.index("net")] == sum(nets[:, index])
        squares = square_sum(counted.entrants[index], ENTRANT_COLUMNS.index("net_sq_0"))
        assert squares == sum(net * net for net in nets[:, index])


def test_every_copy_has_each_seat_once_in_a_cycle() -> None:
    some = scenario(mixed_lineup())
    for cycle in range(20):
        seen = np.array([replay_hand(some, SEED, cycle * 6 + turn).copies for turn in range(6)])
        assert (np.arange(6) == np.sort(seen, axis=0).T).all()


def test_scenarios_meet_the_same_cards() -> None:
    few = scenario(mixed_lineup())
    other = scenario((entrant("a", "caller", 6),), rules=PRESETS["wsop_live"])
    for block in range(50):
        dealt = [replay_hand(some, SEED, block).hand for some in (few, other)]
        for seat in range(6):
            assert dealt[0].cards(seat)[:3] == dealt[1].cards(seat)[:3]


def test_identical_entrants_win_alike_in_every_seat() -> None:
    some = scenario(tuple(entrant(f"copy {number}", "random") for number in range(4)), hands=40_000)
    counted = play_batch(some, SEED, whole(some))
    tally = Tally(1, 4)
    tally.table[0] += counted.table
    tally.entrants[0] += counted.entrants
    rake_each = tally.table_total("rake") / 4
    for index in range(4):
        net = tally.entrant_total(index, "net") + rake_each
        error = square_sum(tally.entrants[:, index], ENTRANT_COLUMNS.index("net_sq_0")) ** 0.5
        assert abs(net) < 4.5 * error


def test_totals_hold_for_huge_stakes() -> None:
    """Squares beyond 64 bits stay exact: the limbs carry them."""
    all_in = "def bot(view, params, memory, u):\n    return raise_to(view.raise_max) if view.raise_max else STAY\n"
    some = scenario(
        (written("a", all_in), written("b", all_in)),
        hands=200,
        rules=rule_set("pokerstars", betting="no_limit"),
        big_bets=10**8,
    )
    counted = play_batch(some, SEED, whole(some))
    nets = []
    for block in range(some.hands):
        replayed = replay_hand(some, SEED, block)
        nets.append(replayed.hand.stacks[[who.name for who in replayed.entrants].index("a")] - some.stack)
    total = square_sum(counted.entrants[0], ENTRANT_COLUMNS.index("net_sq_0"))
    assert total == sum(net * net for net in nets) > 2**64


BOT = "def bot(view, params, memory, u):\n    "
FAULTS = {
    "raises": (
        BOT + "if view.street > 5:\n        raise ValueError('no idea')\n    return 1\n",
        "ValueError: no idea",
    ),
    "divides by zero": (
        BOT + "return 1 // (view.street - 3)\n",
        "ZeroDivisionError",
    ),
    "reads past its view": (
        BOT + "return STAY if view.stack[view.street + 9] > 0 else STAY\n",
        "IndexError",
    ),
    "no answer": (BOT + "return 77\n", "its answer 77 is not FOLD"),
    "folds the bring-in": (BOT + "return FOLD\n", "it may post 1.00"),
    "raises at the cap": (BOT + "return RAISE\n", "it answered RAISE where it may"),
    "raises too much": (
        BOT + "return raise_to(view.raise_max + 1) if view.raise_max else STAY\n",
        "cannot bet or raise to",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_names_the_entrant_the_hand_and_the_decision(fault: str) -> None:
    text, sentence = FAULTS[fault]
    some = scenario((written("broken", text), entrant("fish", "caller"), entrant("wild", "maniac")))
    with pytest.raises(StrategyFault) as caught:
        play_batch(some, SEED, whole(some))
    for part in ("entrant 'broken'", "broken.py:bot", "hand ", " street, seat ", sentence):
        assert part in str(caught.value)


def test_a_fault_that_depends_on_a_copy_s_memory_has_its_text() -> None:
    text = "@strategy(memory=1)\n" + BOT + "memory[0] += 1\n"
    text += (
        "    if memory[0] == 4 and view.raises[view.seat][0] == 0:\n        raise ValueError('full')\n    return STAY\n"
    )
    some = scenario((written("elephant", text, seats=3), entrant("fish", "caller")), hands=20)
    with pytest.raises(StrategyFault, match=r"'elephant' .*line 9: ValueError: full"):
        play_batch(some, SEED, whole(some))


def test_a_batch_stops_when_told() -> None:
    some = scenario(mixed_lineup())
    with pytest.raises(Stopped):
        Loop(some, SEED).play(whole(some), np.ones(len(PULSE_FIELDS), dtype=np.int64))


def test_memory_is_kept_in_a_block_and_cleared_before_the_next() -> None:
    text = (
        "from razz_sim.strategy import strategy\n"
        "from razz_sim.view import STAY\n\n\n"
        "@strategy(memory=2)\n"
        "def bot(view, params, memory, u):\n"
        "    memory[0] += 1\n"
        "    return STAY if memory[0] == view.street - 2 and memory[1] == 0 else 77\n"
    )
    source = read_strategy("elephant.py:bot", "bot", text, "elephant.py")
    elephants = Entrant(name="elephant", strategy=source, seats=2)
    some = scenario((elephants, entrant("fish", "caller")))
    play_batch(some, SEED, whole(some))


def test_a_compiled_strategy_is_found_in_the_cache_by_the_next_process() -> None:
    script = (
        "from razz_sim.strategy import find_strategy\n"
        "from razz_sim.strategy.machine_code import machine_code\n"
        "print(machine_code(find_strategy('stealer')).owners[0].cache_hits)\n"
    )
    machine_code(find_strategy("stealer"))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "1\n"


REFUSED = {
    "a field that is not there": ("return view.sreet", r"has a field 'sreet' \(did you mean 'street'\?\)"),
    "a name that is not there": ("return STAYY", "name 'STAYY' is not defined"),
    "an attribute that is not there": ("return view.street.foo", "Unknown attribute 'foo'"),
    "a float": ("return 1.5", "a strategy answers FOLD, STAY, RAISE or raise_to"),
    "Python's chance": ("return 1 if random.random() < 0.5 else 1", r"draw with uniform\(u, 0\)"),
    "NumPy's chance": ("return 1 if np.random.random() < 0.5 else 1", r"draw with uniform\(u, 0\)"),
}


@pytest.mark.parametrize("again", [False, True], ids=["compiled", "met again"])
@pytest.mark.parametrize("refused", REFUSED)
def test_what_cannot_be_played_is_refused_with_a_sentence(refused: str, again: bool) -> None:
    body, sentence = REFUSED[refused]
    bot = written("odd", "import random\nimport numpy as np\n\n\n@strategy\n" + BOT + body + "\n")
    with pytest.raises(StrategyError, match=sentence):
        machine_code(bot.strategy)


def test_a_file_that_imports_another_is_refused() -> None:
    with pytest.raises(StrategyError, match=r"line 1: a strategy is one file .* not 'myhelper'"):
        read_strategy("a.py:bot", "bot", "import myhelper\n", "a.py")


@pytest.mark.parametrize("line", ["params.n += 1", "params[0] = 2", "set_to(params, 2)"])
def test_params_cannot_be_written_to(line: str) -> None:
    helper = "@alike\ndef set_to(them, n):\n    them.n = n\n\n\n"
    source = with_parameter(helper, f"{line}\n    return STAY\n")
    with pytest.raises(StrategyError, match=r"writes to its params: .* belongs into memory, .* \(w.py, line \d+\)"):
        machine_code(source)


def test_a_parameter_that_is_not_there_is_named_with_the_nearest() -> None:
    told = r"nor params has a field 'limt' \(did you mean 'limit'\?\) \(w.py, line 7\)"
    with pytest.raises(StrategyError, match=told):
        machine_code(with_parameter("", "return STAY if view.street > params.limt else 0\n", "limit"))


def with_parameter(helper: str, lines: str, name: str = "n") -> StrategySource:
    header = "from razz_sim.strategy import alike, strategy, whole\nfrom razz_sim.view import STAY\n\n\n"
    text = f"{header}{helper}@strategy({name}=whole(1, 0, 9, 'n'))\n{BOT}{lines}"
    return read_strategy("w.py:bot", "bot", text, "w.py")


def test_a_constant_from_outside_is_part_of_the_cache_key(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "import os\n\nLEVEL = int(os.environ['LEVEL'])\n\n\n@strategy\n" + BOT + "return RAISE if LEVEL > 5 else STAY\n"
    )
    script = (
        "import sys\n"
        f"sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        "from small_experiments import written\n"
        "from razz_sim.strategy.machine_code import machine_code\n"
        f"print(machine_code(written('outside', {text!r}).strategy).owners[0].cache_hits)\n"
    )
    for level, hits in (("3", None), ("3", "1"), ("8", None), ("8", "1")):
        monkeypatch.setenv("LEVEL", level)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        assert hits is None or done.stdout.strip() == hits
