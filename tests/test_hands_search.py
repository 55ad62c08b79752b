"""`razz-sim hands`: what is ruled out without a look is what a look would rule out, hand for hand."""

from __future__ import annotations

import io
import os
import random
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_experiments import TWO_FOUR, entrant, mixed_lineup, scenario, written
from tqdm import tqdm
from typer.testing import CliRunner

from razz_sim.batch import Loop, NoSuchHand, Replayed, play_batch, recorded, recording, replay_hand
from razz_sim.batch.loop import new_pulse
from razz_sim.cli import app
from razz_sim.cli import hands as hands_command
from razz_sim.experiment import Batch, Entrant, Scenario, Session
from razz_sim.hand import Action
from razz_sim.history import search
from razz_sim.history.bounds import Counted
from razz_sim.history.conditions import FACTS, Condition, ConditionError, facts
from razz_sim.history.search import Search, Sought
from razz_sim.lowball import low_name
from razz_sim.rules import PRESETS, Stakes, rule_set
from razz_sim.strategy import check_params, find_strategy
from razz_sim.table.record import FINISHED
from razz_sim.tally import Tally

SEED = 11
HERE = Path(__file__).parent
QUICKSTART = HERE.parent / "configs" / "quickstart.yaml"
EXACT = ("rake", "showdown", "street", "players", "contested", "side_pots", "split", "completed", "walk", "hand")
"""Facts that the totals of a single hand tell to the last unit; the pot only as far as a float does."""

WILD = (entrant("dice", "random", seats=3), entrant("mad", "maniac", seats=2), entrant("fish", "caller"))
FULL = (entrant("fish", "caller", seats=7), entrant("dice", "random"))
NO_ANTE = Stakes(name="no ante", ante=0, bring_in=1, small_bet=2, big_bet=4)
NO_BRING_IN = Stakes(name="no bring-in", ante=1, bring_in=0, small_bet=2, big_bet=4)
COARSE = replace(TWO_FOUR, chip=20, rake=None)
ERRS = written("errs", "def bot(view, params, memory, u):\n    return 99 if uniform(u, 0) < 0.02 else STAY\n")


def at_stack(units: int, lineup: tuple[Entrant, ...] = WILD, hands: int = 150, **options: Any) -> Scenario:
    """A scenario with a stack in smallest units."""
    some = scenario(lineup, hands=hands, **{key: options.pop(key) for key in ("rules", "stakes") if key in options})
    return replace(some, stack=units, **options)


def from_file(spec: str, seats: int = 1) -> Entrant:
    source = find_strategy(spec, HERE)
    return Entrant("own", source, check_params(source, {}), seats=seats)


TABLES: dict[str, Scenario] = {
    **{f"{preset}, deep": scenario(mixed_lineup(), hands=150, rules=PRESETS[preset]) for preset in PRESETS},
    **{f"{preset}, short": at_stack(900, rules=PRESETS[preset]) for preset in PRESETS},
    "all-in for the ante": at_stack(15),
    "all-in for the bring-in": at_stack(100),
    "a bet and a half": at_stack(320),
    "two bets": at_stack(640, rules=rule_set("pokerstars", short_all_in="full_bet_only")),
    "no limit": at_stack(3000, rules=rule_set("pokerstars", betting="no_limit")),
    "pot limit": at_stack(2000, rules=rule_set("wsop_live", betting="pot_limit")),
    "a community card": scenario(FULL, hands=150),
    "heads-up without a cap": at_stack(200_000, (entrant("one", "maniac"), entrant("two", "maniac")), hands=60),
    "no ante": at_stack(40, (*mixed_lineup()[:1], entrant("gone", "folder", seats=4)), stakes=NO_ANTE),
    "no bring-in": at_stack(9, mixed_lineup(), stakes=NO_BRING_IN),
    "coarse chips": at_stack(460, stakes=COARSE),
    "Python": at_stack(2000, (from_file("bots/tight_in_python.py:Tight"), *WILD), hands=150),
    "sessions": at_stack(4000, hands=150, session=Session(hands=30)),
    "carried on": at_stack(1500, hands=150, session=Session(hands=50, carry=True)),
    "topped up": at_stack(1500, hands=150, session=Session(hands=30, carry=True, top_up=True)),
    "errors folded": at_stack(2000, (ERRS, *WILD), on_error="fold"),
    "errors forfeit": at_stack(2000, (ERRS, *WILD), on_error="forfeit"),
    "errors forfeit in sessions": at_stack(2000, (ERRS, *WILD), session=Session(hands=25), on_error="forfeit"),
    "errors stop": at_stack(2000, (ERRS, *WILD)),
    "errors stop sessions": at_stack(2000, (ERRS, *WILD), session=Session(hands=25)),
}
tables = pytest.mark.parametrize("table", TABLES)

CONDITIONS = (
    "pot > 5",
    "pot > 40 and side_pots",
    "side_pots or split",
    "not showdown and street > 4",
    "pots in (2, 3) and not split",
    "all_in and not showdown",
    "all_in",
    "winning_low == 'wheel' or 'six' in winning_low",
    "not winning_low and contested > 1",
    "raises >= 6 and community",
    "rake == 0.5",
    "rake and pot / rake > 25",
    "walk",
    "completed and street == 3",
    "hand >= 120 and hand < 150 and pot + rake != 3",
    "players == 2",
    "-pot * 2 < -6 and contested - 1 > players / 2",
    "True",
)
NUMBERS = ("pot", "pots", "rake", "street", "players", "contested", "raises", "hand", "net['dice']")
TRUTHS = ("side_pots", "split", "showdown", "all_in", "completed", "walk", "community")


def plainly(some: Scenario, blocks: tuple[int, int] | None = None) -> Iterator[tuple[Replayed, dict[str, Any]]]:
    """Every hand that was played to its end, replayed, with its facts."""
    first, stop = blocks or (0, some.blocks)
    for number in range(first * some.session.hands, stop * some.session.hands):
        try:
            replayed = replay_hand(some, SEED, number)
        except NoSuchHand:
            continue
        if replayed.hand.seat is None:
            yield replayed, facts(replayed.hand, number, [one.name for one in replayed.entrants])


Looked = list[tuple[Replayed, dict[str, Any]]]


@cache
def hands_of(table: str) -> Looked:
    """The hands of a table with their facts."""
    return list(plainly(TABLES[table]))


@cache
def tally_of(table: str) -> Tally | None:
    """The totals that a finished run of a table has; None where an error ends it."""
    some = TABLES[table]
    if table.startswith("errors stop"):
        return None
    tally = some.tally()
    for number in range(some.bins):
        first, stop = number * some.bin_size, min((number + 1) * some.bin_size, some.blocks)
        counted = play_batch(some, SEED, Batch(0, number, first, stop, (stop - first) * some.session.hands))
        counted.add_to(tally)
    return tally


def found_by_search(some: Scenario, condition: str, **options: Any) -> list[int]:
    blocks = options.pop("blocks", (0, some.blocks))
    sought = Sought(some, SEED, Condition.read(condition), blocks, **options)
    return [replayed.number for replayed in Search(sought)]


def assert_found(table: str, condition: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search finds what looking at every hand finds, with totals and without, or fails as that does."""
    read, every_hand = (
        Condition.read(condition),
        {known["hand"]: each for each in hands_of(table) for known in each[1:]},
    )

    def replayed(_some: Scenario, _seed: int, number: int, *_others: object) -> Replayed:
        if number not in every_hand:
            raise NoSuchHand
        return every_hand[number][0]

    monkeypatch.setattr(search, "replay_hand", replayed)
    try:
        wanted = [number for number, (_, known) in every_hand.items() if read.holds(known)]
    except ConditionError:
        with pytest.raises(ConditionError, match="cannot be decided"):
            found_by_search(TABLES[table], condition)
        return
    assert found_by_search(TABLES[table], condition) == wanted
    assert found_by_search(TABLES[table], condition, tally=tally_of(table)) == wanted


# Facts


@tables
def test_facts_are_what_the_events_of_a_hand_tell(table: str) -> None:
    for replayed, known in hands_of(table):
        hand, big_bet = replayed.hand, replayed.hand.stakes.big_bet
        actions = [event for event in hand.events if isinstance(event, Action)]
        wagers = [action for action in actions if action.kind in ("complete", "bet", "raise")]
        dealt_in = [seat for seat, stack in enumerate(hand.starting_stacks) if stack]
        live = [seat for seat in dealt_in if not hand.folded(seat)]
        winners = {seat for seat in hand.show_order if hand.pots and seat in hand.pots[0].winners}
        net = dict.fromkeys((one.name for one in replayed.entrants), Fraction(0))
        for seat, one in enumerate(replayed.entrants):
            net[one.name] += Fraction(hand.stacks[seat] - hand.starting_stacks[seat], big_bet)
        paid = [[event.pot for event in hand.events if getattr(event, "pot", None) == pot and event.amount]
                for pot in range(len(hand.pots))]  # fmt: skip
        told = {
            "pot": Fraction(sum(pot.amount for pot in hand.pots), big_bet),
            "pots": len(hand.pots),
            "side_pots": len(hand.pots) > 1,
            "split": any(len(awards) > 1 for awards in paid),
            "rake": Fraction(hand.rake, big_bet),
            "showdown": bool(hand.show_order),
            "street": hand.street,
            "players": len(dealt_in),
            "contested": len(live),
            "all_in": any(action.all_in for action in actions)
            or any(hand.contributions[seat] == hand.starting_stacks[seat] for seat in live),
            "raises": len(wagers),
            "completed": any(action.street == 3 for action in wagers),
            "walk": hand.street == 3 and not wagers and len(live) == 1 and live[0] == hand.bring_in_seat,
            "community": hand.community_dealt,
            "hand": replayed.number,
            "net": net,
        }
        assert {name: known[name] for name in told} == told
        lows = {low_name(hand.cards(seat)) for seat in winners}
        assert {known["winning_low"]} == lows or not hand.pots or (not lows and known["winning_low"] == "")
        assert known.keys() == FACTS.keys()


# Bounds


@pytest.mark.parametrize("table", [table for table in TABLES if not table.startswith("errors stop")])
@pytest.mark.parametrize("apart", [1, 7])
def test_bounds_hold_the_facts_of_every_hand(table: str, apart: int) -> None:
    some, every_hand = TABLES[table], hands_of(table)
    loop = Loop(some, SEED)
    rows = -(-some.hands // apart)
    totals, entrants = loop.room(rows)
    assert loop.run(0, some.blocks, new_pulse(), totals, entrants, apart=apart) == FINISHED
    counted = Counted(some, totals, entrants, np.arange(rows) * apart, apart)
    assert counted.hands.sum() == len(every_hand)
    assert_held(counted, every_hand, [known["hand"] // apart for _, known in every_hand])


@tables
def test_bounds_of_bins_hold_the_facts_of_every_hand(table: str) -> None:
    some, tally = TABLES[table], tally_of(table)
    if tally is not None:
        size = some.bin_size * some.session.hands
        counted = Counted(some, tally.table, tally.entrants, np.arange(some.bins) * size, size)
        assert_held(counted, hands_of(table), [known["hand"] // size for _, known in hands_of(table)])


def assert_held(counted: Counted, hands: Looked, rows: Sequence[int]) -> None:
    """Each fact is within the bounds of its row, and of single hands most facts are what they are."""
    whom = [one.name for one in counted.scenario.lineup]
    bounds = {name: counted.bounds(name) for name in FACTS if name not in ("net", "winning_low")}
    nets = {name: counted.net(name) for name in whom}
    for (_, known), row in zip(hands, rows, strict=True):
        for name, held in bounds.items():
            low, high = held.low[row].item(), held.high[row].item()
            assert low <= known[name] <= high, name
            exact = name in EXACT and (name != "hand" or counted.slots == 1)
            if counted.single[row] and exact and known[name] * 64 % 1 == 0:
                assert low == high == known[name], name
        for name, held in nets.items():
            assert held.low[row] <= known["net"][name] <= held.high[row]
        assert not (counted.without_showdown()[row] and known["winning_low"])


# The search


@tables
def test_a_search_finds_what_looking_at_every_hand_finds(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for condition in CONDITIONS:
        assert_found(table, condition, monkeypatch)


def random_condition(rng: random.Random, depth: int = 3) -> str:
    if depth == 0 or rng.random() < 0.2:
        if rng.random() < 0.3:
            return rng.choice((*TRUTHS, "winning_low", "winning_low > 'n'", "'low' in winning_low"))
        left, right = random_number(rng, 2), random_number(rng, 1)
        if rng.random() < 0.2:
            return f"{left} {rng.choice(('in', 'not in'))} ({right}, {rng.randint(0, 9)}, 'wheel')"
        return f"{left} {rng.choice(('<', '<=', '>', '>=', '==', '!='))} {right}"
    if rng.random() < 0.2:
        return f"not ({random_condition(rng, depth - 1)})"
    return f"({random_condition(rng, depth - 1)} {rng.choice(('and', 'or'))} {random_condition(rng, depth - 1)})"


def random_number(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.5:
        return rng.choice((*NUMBERS, *TRUTHS[:2], str(rng.randint(-3, 12)), str(rng.choice((0.25, 0.1, 2.5)))))
    if rng.random() < 0.1:
        return f"-{random_number(rng, 0)}"
    return f"({random_number(rng, depth - 1)} {rng.choice('+-*/')} {random_number(rng, depth - 1)})"


@tables
def test_of_random_conditions_too(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(table)
    for _ in range(8):
        name = TABLES[table].lineup[0].name
        assert_found(table, random_condition(rng).replace("net['dice']", f"net[{name!r}]"), monkeypatch)


def test_array_strategies_and_a_range_of_blocks() -> None:
    some = at_stack(2000, (from_file("bots/tight_in_rows.py:Tight"), *WILD), hands=10)
    wanted = [known["hand"] for _, known in plainly(some, (3, 7)) if known["pot"] > 3]
    assert wanted
    assert found_by_search(some, "pot > 3", blocks=(3, 7)) == wanted
    short = TABLES["carried on"]
    assert found_by_search(short, "pot > 3", blocks=(1, 3)) == [
        known["hand"] for _, known in plainly(short, (1, 3)) if known["pot"] > 3
    ]


ERRS_IN_ROWS = written(
    "errs",
    "import numpy as np\n\n\n@strategy\nclass bot:\n    def act_batch(self, views, memory, u):\n"
    "        return np.where(uniform(u, 0) < 0.02, 99, STAY)\n",
)
IN_ROWS = {
    "single hands": at_stack(2000, (from_file("bots/tight_in_rows.py:Tight"), *WILD), hands=60),
    "sessions": at_stack(
        1500, (from_file("bots/tight_in_rows.py:Tight"), *WILD), hands=60, session=Session(hands=20, carry=True)
    ),
    "errors folded": at_stack(2000, (ERRS_IN_ROWS, *WILD), hands=60, on_error="fold"),
    "errors forfeit": at_stack(2000, (ERRS_IN_ROWS, *WILD), hands=60, session=Session(hands=20), on_error="forfeit"),
    "errors stop": at_stack(2000, (ERRS_IN_ROWS, *WILD), hands=60, session=Session(hands=20)),
}


@pytest.mark.parametrize("table", IN_ROWS)
def test_hands_of_array_strategies_are_found_as_looking_at_each_finds_them(table: str) -> None:
    every_hand = list(plainly(IN_ROWS[table]))
    assert len(every_hand) > 10
    for text in CONDITIONS:
        condition = Condition.read(text)
        try:
            wanted = [known["hand"] for _, known in every_hand if condition.holds(known)]
        except ConditionError:
            continue
        assert found_by_search(IN_ROWS[table], text) == wanted, text


def test_a_group_may_be_written_down_in_parts_and_again_with_more_room(monkeypatch: pytest.MonkeyPatch) -> None:
    some = IN_ROWS["sessions"]
    wanted = [(one.number, one.hand.events) for one in Search(Sought(some, SEED, Condition.read("True"), (0, 3)))]
    monkeypatch.setattr(recorded, "_MOST_HANDS", 40)
    monkeypatch.setattr(recording, "_ROWS_A_HAND", 1)
    found = [(one.number, one.hand.events) for one in Search(Sought(some, SEED, Condition.read("True"), (0, 3)))]
    assert found == wanted != []


def test_sessions_longer_than_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = found_by_search(TABLES["carried on"], "pot > 4 and showdown")
    monkeypatch.setattr(search, "LARGEST_PIECE", 16)
    assert found_by_search(TABLES["carried on"], "pot > 4 and showdown") == wanted != []


def test_only_what_may_match_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts that the totals tell exactly need no replay of other hands; bins without such a hand need no play."""
    some = scenario(mixed_lineup(), hands=4096)
    replays, plays = [], []
    monkeypatch.setattr(search, "replay_hand", lambda *args: replays.append(args[2]) or replay_hand(*args))
    run = Loop.run
    monkeypatch.setattr(Loop, "run", lambda loop, *args, **keys: plays.append(args[:2]) or run(loop, *args, **keys))
    found = found_by_search(some, "split and pot > 12 and not walk")
    assert replays == found != []
    plays.clear()
    replays.clear()
    tally = some.tally()
    for number in range(some.bins):
        counted = play_batch(some, SEED, Batch(0, number, 4 * number, 4 * number + 4, 4))
        counted.add_to(tally)
    plays.clear()
    assert found_by_search(some, "side_pots or community", tally=tally) == replays == plays == []


# Conditions


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pot > 'much'", "'much'"),
        ("net > 3", "net['hero']"),
        ("pot and net", "a number for each entrant"),
        ("'six' in pot", "is a number"),
        ("pot in winning_low", "'pot'"),
        ("winning_low + 1 > 3", "is a text"),
        ("(1, 2)", "is a list"),
        ("pot == (1, 2)", "is a list"),
        ("pott > 3", "did you mean 'pot'?"),
        ("__import__('os')", "cannot be used"),
        ("not " * 3000 + "pot", "nested too deeply"),
        ("pot >", "no condition"),
    ],
)
def test_a_condition_that_makes_no_sense_is_refused_when_it_is_read(text: str, sentence: str) -> None:
    with pytest.raises(ConditionError) as caught:
        Condition.read(text)
    assert sentence in str(caught.value)


def test_an_entrant_that_is_not_there_is_refused_before_any_play() -> None:
    with pytest.raises(ConditionError, match=r"no entrant 'her' \(did you mean 'hero'\?\)"):
        found_by_search(scenario(mixed_lineup()), "net['her'] > 3")


@pytest.mark.parametrize("text", ["pot / rake > 0", f"pot < 1{'0' * 400}", f"pot * 0.5 < 1{'0' * 400}", "pot < 1e999"])
def test_what_cannot_be_decided_is_so_in_a_search_too(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for table in ("coarse chips", "pokerstars, deep"):
        assert_found(table, text, monkeypatch)


# The command


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a finished run of 20,000 hands."""
    out = tmp_path_factory.mktemp("results")
    done = CliRunner().invoke(
        app, ["run", str(QUICKSTART), "--hands", "20000", "--runner", "local", "--out", str(out), "--quiet"]
    )
    return done.stdout.removeprefix("results in ").strip()


def test_the_command_counts_what_it_finds_and_shows_no_bar_when_piped(played: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["hands", played, "--where", "split", "--out", str(tmp_path / "split")])
    files = list((tmp_path / "split").iterdir())
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == f"{len(files)} hands in {tmp_path / 'split'}\n"
    summary = (Path(played) / "summary.json").read_text()
    assert f'"split_pots": {{"count": {len(files)},' in summary.replace("\n", "")
    few = CliRunner().invoke(app, ["hands", played, "--where", "split", "--limit", "3"])
    assert few.stderr == "3 hands; more may follow: --limit is 3\n"
    assert few.stdout.count("Third street") == 3


def test_an_unfinished_run_is_searched_without_its_totals(played: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes((Path(played) / "manifest.json").read_bytes())
    finished, unfinished = (
        CliRunner().invoke(app, ["hands", str(place), "--where", "pot > 24"]) for place in (played, tmp_path)
    )
    assert finished.stdout == unfinished.stdout != ""


def test_ctrl_c_ends_it_with_what_was_found(played: str, monkeypatch: pytest.MonkeyPatch) -> None:
    show = hands_command._hand_text

    def interrupted(*args: Any) -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return show(*args)

    monkeypatch.setattr(hands_command, "_hand_text", interrupted)
    before = signal.getsignal(signal.SIGINT)
    done = CliRunner().invoke(app, ["hands", played, "--where", "pot > 20"])
    assert done.exit_code == 130
    assert done.stdout.count("Third street") == 1
    assert done.stderr.startswith("interrupted: 1 hand among the first ")
    assert done.stderr.endswith(" of 20,000\n")
    assert signal.getsignal(signal.SIGINT) is before


def test_a_terminal_gets_a_bar_of_hands_looked_at(played: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    bars: list[Any] = []

    def on_a_terminal(total: int, **_: object) -> Any:
        bars.append(tqdm(total=total, file=shown, mininterval=0, leave=False))
        return bars[-1]

    monkeypatch.setattr(hands_command, "hands_bar", on_a_terminal)
    done = CliRunner().invoke(app, ["hands", played, "--where", "split", "--limit", "100000"])
    assert done.stdout.count("Third street") > 2
    assert "2 found" in shown.getvalue()
    assert (bars[0].n, bars[0].total) == (20_000, 20_000)
