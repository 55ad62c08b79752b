"""What the engine counts is what a slow count in plain Python (tests/slow_count.py) finds in the same hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from slow_count import HandCount, count_hand, questions
from small_experiments import TWO_FOUR, entrant, experiment, scenario
from zoo import array, python

from razz_sim.batch import NoSuchHand, Replayed, play_batch, replay_hand
from razz_sim.cards import cards_text
from razz_sim.experiment import Batch, Entrant, Scenario, Session
from razz_sim.hand import Action, Hand
from razz_sim.rules import PRESETS, Rake, Stakes, rule_set
from razz_sim.strategy import check_params
from razz_sim.strategy.source import read_strategy
from razz_sim.table.single import deal_key
from razz_sim.tally import CLASS_COLUMNS, ENTRANT_COLUMNS, PLAY_COLUMNS, POT_COLUMNS, TABLE_COLUMNS, Tally
from razz_sim.tally.columns import BUCKETS, CLASSES, ENDS, FIRST_CLASS, bucket_start

SEED = 23
NO_RAKE = replace(TWO_FOUR, name="no rake", rake=None)
ODD = Stakes(
    name="odd amounts",
    ante=35,
    bring_in=45,
    small_bet=110,
    big_bet=230,
    unit=Decimal("0.01"),
    rake=Rake(percent=Decimal("4.5"), cap=300, cap_by_players=((2, 50), (4, 120)), third_street=False),
)
BIG_BRING_IN = replace(NO_RAKE, name="the bring-in is the small bet", bring_in=200)
FREE = replace(NO_RAKE, name="no ante", ante=0, bring_in=50)


def two() -> tuple[Entrant, ...]:
    return (entrant("dice", "random"), entrant("thief", "stealer"))


def three() -> tuple[Entrant, ...]:
    return (entrant("dice", "random", 2), entrant("hero", "tight"))


def six() -> tuple[Entrant, ...]:
    return (
        entrant("wild", "maniac"),
        entrant("dice", "random", 2),
        entrant("hero", "tight"),
        entrant("thief", "stealer"),
        entrant("learner", "adaptive"),
    )


def eight() -> tuple[Entrant, ...]:
    return (
        entrant("wild", "maniac"),
        entrant("dice", "random", 3),
        entrant("thief", "stealer"),
        entrant("fish", "caller"),
        entrant("passive", "loose_passive", 2),
    )


def callers(count: int) -> tuple[Entrant, ...]:
    """Eight seats of which so many go to the showdown, or one more: who posts the bring-in cannot fold."""
    return (entrant("fish", "caller", count), entrant("out", "folder", 8 - count))


def other_kinds() -> tuple[Entrant, ...]:
    """Strategies in Python and in rows: loops of their own play them."""
    raises = "np.where((views['raise_min'] > 0) & (u % 3 == 0), RAISE, STAY)"
    folds = f"return np.where(views['can_fold'] * (views['to_call'] > 0) * (u % 3 == 1) > 0, FOLD, {raises})"
    slow = "return RAISE if view.raise_min and int(u) % 3 == 0 else STAY"
    texts = {"rows": array(folds), "slow": python(slow)}
    return tuple(
        Entrant(name=name, strategy=read_strategy(f"{name}.py:bot", "bot", text, f"{name}.py"), seats=2)
        for name, text in texts.items()
    )


def stacked(some: Scenario, stack: int) -> Scenario:
    """The scenario with other stacks."""
    return replace(some, stack=stack)


def sessions(some: Scenario, hands: int, stack: int, top_up: bool = False) -> Scenario:
    """The scenario in sessions of so many hands in which stacks are carried."""
    return replace(some, stack=stack, session=Session(hands=hands, carry=True, top_up=top_up))


def cases() -> dict[str, Scenario]:
    """What is played: every preset and betting, few and many seats, deep and short stacks, sessions."""
    found = {}
    for preset, rules in PRESETS.items():
        found[f"{preset}, deep"] = scenario(six(), hands=160, rules=rules, stakes=ODD)
        found[f"{preset}, short"] = scenario(six(), hands=120, rules=rules, big_bets=2)
        found[f"{preset}, two"] = scenario(two(), hands=120, rules=rules, stakes=ODD, big_bets=3)
        found[f"{preset}, three"] = scenario(three(), hands=120, rules=rules, big_bets=3)
        found[f"{preset}, eight"] = scenario(eight(), hands=60, rules=rules, big_bets=1)
        carried = scenario(six(), hands=180, rules=rules, stakes=ODD)
        found[f"{preset}, carried"] = sessions(carried, 12, 600)
    for betting in ("pot_limit", "no_limit"):
        for preset in ("pokerstars", "wsop_live", "low_card_a"):
            rules = rule_set(preset, betting=betting)
            found[f"{preset} {betting}"] = scenario(six(), hands=90, rules=rules, stakes=ODD, big_bets=15)
        found[f"{betting}, short"] = scenario(three(), hands=120, rules=rule_set(betting=betting), big_bets=3)
        carried = scenario(six(), hands=120, rules=rule_set("wsop_live", betting=betting), stakes=ODD)
        found[f"{betting}, carried"] = sessions(carried, 12, 900)
    found["eight, deep"] = scenario(eight(), hands=100)
    found["eight, topped up"] = sessions(scenario(eight(), hands=120), 12, 1000, top_up=True)
    found["eight callers, deep"] = scenario((entrant("fish", "caller", 8),), hands=60, rules=PRESETS["low_card_b"])
    found["the ante is all"] = stacked(scenario(eight(), hands=60, rules=PRESETS["wsop_live"]), 20)
    found["less than the ante"] = stacked(scenario(three(), hands=60, stakes=ODD), 25)
    found["less than the bring-in"] = stacked(scenario(six(), hands=60, stakes=ODD), 65)
    found["less than the small bet"] = stacked(scenario(six(), hands=60, stakes=ODD), 110)
    found["half bets never count"] = scenario(
        six(), hands=100, rules=rule_set(short_all_in="full_bet_only", bring_in_option=True), stakes=ODD, big_bets=2
    )
    found["free folds are checks"] = scenario(six(), hands=60, rules=rule_set(free_fold="check", burn_cards=True))
    found["the bring-in is the small bet"] = scenario(six(), hands=80, stakes=BIG_BRING_IN)
    found["nothing to bring in"] = scenario(six(), hands=60, stakes=replace(NO_RAKE, bring_in=0))
    found["Python and rows"] = scenario((*other_kinds(), entrant("hero", "tight")), hands=12, stakes=ODD, big_bets=4)
    found["six of eight, burns shuffled in"] = stacked(scenario(callers(6), hands=12, rules=PRESETS["wsop_live"]), 120)
    found["seven of eight, burns left out"] = stacked(scenario(callers(7), hands=20, rules=PRESETS["wsop_live"]), 120)
    found["no ante"] = scenario(six(), hands=60, stakes=FREE)
    return found


CASES = cases()
THREE_DRAWS = 2
"""In how many hands of a case expected winnings are worked out for three last cards: 80,000 deals each."""


# The engine's totals and the slow ones, both as counters by name


def engine_totals(some: Scenario, blocks: tuple[int, int] | None = None) -> Tally:
    """What the engine counts in a scenario's blocks."""
    tally = some.tally()
    first, stop = blocks or (0, some.blocks)
    batches = experiment(some, seed=SEED).batches(size=some.hands) if blocks is None else ()
    for batch in batches or [Batch(0, first // some.bin_size, first, stop, (stop - first) * some.session.hands)]:
        play_batch(some, SEED, batch).add_to(tally)
    return tally


def named(columns: tuple[str, ...], row: np.ndarray) -> Counter[str]:
    """A row of totals by column, the three limbs of a sum of squares as one number, without zeros."""
    found: Counter[str] = Counter()
    for column, value in zip(columns, row.tolist(), strict=True):
        limb = int(column[-1]) if column[-5:-1] == "_sq_" else None
        found[column if limb is None else column[:-2]] += value << 32 * (limb or 0)
    return nonzero(found)


def nonzero(found: Counter) -> Counter:
    """A counter without zeros; negative numbers stay."""
    return Counter({key: value for key, value in found.items() if value})


def slow_hand(some: Scenario, number: int, most_seats: int) -> tuple[Replayed, HandCount]:
    """A hand of a scenario, replayed and counted."""
    replayed = replay_hand(some, SEED, number)
    hand = replayed.hand
    block, in_block = divmod(number, some.session.hands)
    key = int(deal_key(np.uint64(SEED), block, 0, in_block))
    again = Hand(some.rules, some.stakes, hand.starting_stacks, dealer=hand.dealer, cards=key)
    return replayed, count_hand(hand.events, hand.starting_stacks, questions(hand, again), most_seats)


@dataclass
class Slow:
    """Slow totals of blocks; keys begin with the shard, bin or entrant that they are of."""

    table: Counter = field(default_factory=Counter)
    core: Counter = field(default_factory=Counter)
    pots: Counter = field(default_factory=Counter)
    plays: Counter = field(default_factory=Counter)
    classes: Counter = field(default_factory=Counter)
    histogram: Counter = field(default_factory=Counter)
    adjusted: dict[tuple[int, int], Fraction | None] = field(default_factory=dict)
    tolerance: Counter = field(default_factory=Counter)

    def add(self, some: Scenario, block: int, replayed: Replayed, hand: HandCount) -> None:
        """Add a hand."""
        where, shard = block // some.bin_size, block // some.shard_size
        self.table.update({(where, column): value for column, value in hand.table.items()})
        self.table[where, "pot_sq"] += hand.pot**2
        self.pots.update({(shard, column): value for column, value in hand.pots.items()})
        reached = [step for step in range(BUCKETS) if bucket_start(step) * some.stakes.big_bet <= 4 * hand.pot]
        self.histogram[hand.end, max(reached)] += 1
        for seat, counted in hand.seats.items():
            who = some.lineup.index(replayed.entrants[seat])
            self.core.update({(where, who, column): value for column, value in counted.core.items()})
            self.plays.update({(shard, who, column): value for column, value in counted.plays.items()})
            for by, label in counted.classes.items():
                sums = {"hands": 1, "net": counted.net, "net_sq": counted.net**2}
                self.classes.update({(who, by, label, column): value for column, value in sums.items()})
            before = self.adjusted.get((where, who), Fraction(0))
            unknown = before is None or counted.adjusted is None
            self.adjusted[where, who] = None if unknown else before + counted.adjusted
            self.tolerance[where, who] += counted.parts


@cache
def counted(name: str) -> tuple[Tally, Slow]:
    """The engine's totals of a case and the slow ones."""
    some, slow, draws = CASES[name], Slow(), 0
    assert some.bin_size == 1
    for block in range(some.blocks):
        for number in range(block * some.session.hands, (block + 1) * some.session.hands):
            try:
                replayed, hand = slow_hand(some, number, 3 if draws < THREE_DRAWS else 2)
            except NoSuchHand:
                break
            draws += sum(seat.core["adjusted_hands"] for seat in hand.seats.values()) > 2
            slow.add(some, block, replayed, hand)
    return engine_totals(some), slow


def compare(some: Scenario, tally: Tally, slow: Slow) -> None:
    """Every total is the same, expected winnings to 1/256 of a unit for each seat and pot."""
    unsaid = ("blocks", "capped_rounds", "forfeited_blocks")
    fast: Counter = Counter()
    for where, row in enumerate(tally.table):
        found = named(TABLE_COLUMNS, row)
        fast.update({(where, column): value for column, value in found.items() if column not in unsaid})
    assert fast == nonzero(slow.table)

    fast = Counter()
    for shard, row in enumerate(tally.pots):
        fast.update({(shard, column): value for column, value in named(POT_COLUMNS, row).items()})
    assert fast == nonzero(slow.pots)

    fast = Counter()
    for shard, rows in enumerate(tally.plays):
        for who, row in enumerate(rows):
            fast.update({(shard, who, column): value for column, value in named(PLAY_COLUMNS, row).items()})
    assert fast == nonzero(slow.plays)

    fast = Counter()
    for by, labels in CLASSES.items():
        for place, label in enumerate(labels, FIRST_CLASS[by]):
            for who in range(len(some.lineup)):
                found = named(CLASS_COLUMNS, tally.classes[who, place])
                fast.update({(who, by, label, column): value for column, value in found.items()})
    assert fast == nonzero(slow.classes)

    ends, steps = np.nonzero(tally.histogram)
    fast = Counter({(ENDS[end], step): tally.histogram[end, step] for end, step in zip(ends, steps, strict=True)})
    assert fast == nonzero(slow.histogram)

    fast = Counter()
    for where, rows in enumerate(tally.entrants):
        for who, row in enumerate(rows):
            found = named(ENTRANT_COLUMNS, row)
            adjusted = found.pop("adjusted", 0)
            assert found.pop("adjusted_sq", 0) == adjusted**2
            assert found.pop("net_sq", 0) == found["net"] ** 2
            expected = slow.adjusted.get((where, who), Fraction(0))
            if expected is not None:
                assert abs(adjusted - 256 * expected) <= slow.tolerance[where, who]
            fast.update({(where, who, column): value for column, value in found.items()})
    assert nonzero(fast) == nonzero(slow.core)


@pytest.mark.parametrize("name", CASES)
def test_the_engine_counts_what_the_slow_count_finds(name: str) -> None:
    compare(CASES[name], *counted(name))


def test_chips_are_conserved_in_expectation() -> None:
    for name in ("pokerstars, short", "wsop_live, eight", "no_limit, carried"):
        tally, slow = counted(name)
        rake = sum(value for (_, column), value in slow.table.items() if column == "rake")
        assert sum(tally.entrant_total(who, "adjusted") for who in range(len(CASES[name].lineup))) == -256 * rake


# Hands counted by hand. Ante 20, bring-in 100, bets 200 and 400, no rake; everybody follows a script.

SCRIPT = """
from razz_sim.strategy import strategy, whole
from razz_sim.view import FOLD, RAISE, STAY


@strategy(memory=1, script=whole(0, 0, 999_999, "answers in turn, a digit each, the first the lowest"))
def bot(view, params, memory, u):
    digit = params.script // 10 ** memory[0] % 10
    memory[0] += 1
    return RAISE if digit == 1 else FOLD if digit == 2 else STAY
"""


def script(name: str, answers: str) -> Entrant:
    """An entrant that answers as scripted, `s` to stay, `r` to raise, `f` to fold; beyond the script it stays."""
    source = read_strategy("script.py:bot", "bot", SCRIPT, "script.py")
    number = sum("srf".index(letter) * 10**place for place, letter in enumerate(answers))
    return Entrant(name=name, strategy=source, params=check_params(source, {"script": number}))


def by_place(*scripts: str, opens_fourth: int | None = None, **options: object) -> tuple[Scenario, int]:
    """A scenario and its first hand where entrant N is N places from the bring-in, and one opens fourth street."""
    lineup = tuple(script(str(place), answers) for place, answers in enumerate(scripts))
    some = scenario(lineup, hands=1000, **{"stakes": NO_RAKE, **options})  # type: ignore[arg-type]
    for block in range(some.blocks):
        replayed = replay_hand(some, SEED, block)
        first = replayed.hand.bring_in_seat
        names = [who.name for who in replayed.entrants]
        if first is None or names[first:] + names[:first] != [who.name for who in lineup]:
            continue
        opened = (names[e.seat] for e in replayed.hand.events if isinstance(e, Action) and e.street == 4)
        if opens_fourth is None or next(opened, None) == str(opens_fourth):
            return some, block
    raise AssertionError("no such hand")


def actions(some: Scenario, block: int) -> str:
    """What was done in a hand: entrant, kind, and the total that a wager is to; streets apart."""
    replayed = replay_hand(some, SEED, block)
    done = [event for event in replayed.hand.events if isinstance(event, Action)]
    words = [(e.street, f"{replayed.entrants[e.seat].name} {e.kind}" + f" {e.to}" * (e.put > 0)) for e in done]
    streets = sorted({street for street, _ in words})
    return " | ".join(", ".join(word for on, word in words if on == street) for street in streets)


def plays_of(some: Scenario, block: int) -> list[dict[str, int]]:
    """What each entrant's hand counts for, some core columns included, once engine and slow count agree on it."""
    tally, slow = engine_totals(some, (block, block + 1)), Slow()
    replayed, hand = slow_hand(some, block, 3)
    slow.add(some, block, replayed, hand)
    compare(some, tally, slow)
    found = []
    for who in range(len(some.lineup)):
        core = named(ENTRANT_COLUMNS, tally.entrants[:, who].sum(axis=0))
        kept = {column: core[column] for column in ("net", "brought_in", "completed") if core[column]}
        found.append(kept | dict(named(PLAY_COLUMNS, tally.plays[:, who].sum(axis=0))))
    return found


def test_a_walk() -> None:
    """All fold to the bring-in: it goes back, three antes are the pot, and nobody was voluntarily in.

    All three could have completed, the bring-in seat when it opened; the two others had a chance to steal.
    """
    some, block = by_place("s", "f", "f")
    assert actions(some, block) == "0 bring_in 100, 1 fold, 2 fold"
    other = {"net": -20, "complete_chances": 1, "steal_chances": 1, "folds_third": 1}
    assert plays_of(some, block) == [{"net": 40, "brought_in": 1, "complete_chances": 1, "won": 60}, other, other]
    table = named(TABLE_COLUMNS, engine_totals(some, (block, block + 1)).table.sum(axis=0))
    assert (table["walks"], table["pot"], table["ended_third"], table["decisions"]) == (1, 60, 1, 3)


def test_a_steal_that_wins() -> None:
    """Two places behind the bring-in, one seat still to act: a steal. 100 of its 200 go back; the pot is 80 + 200."""
    some, block = by_place("sf", "f", "r", "f")
    assert actions(some, block) == "0 bring_in 100, 1 fold, 2 complete 200, 3 fold, 0 fold"
    faced = {"steals_faced": 1, "folds_to_steal": 1, "raise_chances": 1, "folds_third": 1}
    chances = {"complete_chances": 1, "steal_chances": 1}
    assert plays_of(some, block) == [
        {"net": -120, "brought_in": 1, "complete_chances": 1, "defences": 1} | faced,
        {"net": -20, "folds_third": 1} | chances,
        {"net": 160, "completed": 1, "voluntarily_in": 1, "steals": 1, "steals_won": 1, "raises_third": 1, "won": 280}
        | chances,
        {"net": -20} | faced,
    ]


def test_a_steal_that_is_defended() -> None:
    """The bring-in calls the steal, and on fourth street, where the thief checks, folds for nothing: pot 60 + 400."""
    some, block = by_place("ssf", "rs", "f", opens_fourth=1)
    assert actions(some, block) == "0 bring_in 100, 1 complete 200, 2 fold, 0 call 200 | 1 check, 0 fold"
    assert plays_of(some, block) == [
        {"net": -220, "brought_in": 1, "complete_chances": 1, "defences": 1, "defended": 1, "steals_faced": 1}
        | {"raise_chances": 1, "voluntarily_in": 1, "calls_third": 1, "saw_fourth": 1, "folds_fourth": 1}
        | {"lost_hands": 1, "lost_pots": 460},
        {"net": 240, "completed": 1, "complete_chances": 1, "steal_chances": 1, "steals": 1, "voluntarily_in": 1}
        | {"raises_third": 1, "saw_fourth": 1, "checks_fourth": 1, "won": 460},
        {"net": -20, "steals_faced": 1, "folds_to_steal": 1, "raise_chances": 1, "folds_third": 1},
    ]
    table = named(TABLE_COLUMNS, engine_totals(some, (block, block + 1)).table.sum(axis=0))
    assert (table["free_folds"], table["ended_fourth"], table["walks"]) == (1, 1, 0)


def test_completing_after_a_caller_is_no_steal() -> None:
    """The first seat limps with two behind it, so it could have stolen; who completes after it does not steal.

    Pot: antes 80, bring-in and limp 100 each, 100 of the completion; 100 go back.
    """
    some, block = by_place("sf", "sf", "r", "f")
    assert actions(some, block) == "0 bring_in 100, 1 call 100, 2 complete 200, 3 fold, 0 fold, 1 fold"
    assert plays_of(some, block) == [
        {"net": -120, "brought_in": 1, "complete_chances": 1, "defences": 1, "raise_chances": 1, "folds_third": 1},
        {"net": -120, "voluntarily_in": 1, "complete_chances": 1, "steal_chances": 1, "raise_chances": 1}
        | {"calls_third": 1, "folds_third": 1, "lost_hands": 1, "lost_pots": 380},
        {"net": 260, "voluntarily_in": 1, "completed": 1, "complete_chances": 1, "raises_third": 1, "won": 380},
        {"net": -20, "raise_chances": 1, "folds_third": 1},
    ]


def test_completing_with_three_behind_is_no_steal() -> None:
    """The seat next to the bring-in of five completes, and three are behind it; the others never could complete."""
    some, block = by_place("sf", "r", "f", "f", "f")
    assert actions(some, block) == "0 bring_in 100, 1 complete 200, 2 fold, 3 fold, 4 fold, 0 fold"
    other = {"net": -20, "raise_chances": 1, "folds_third": 1}
    assert plays_of(some, block) == [
        {"net": -120, "brought_in": 1, "complete_chances": 1, "defences": 1, "raise_chances": 1, "folds_third": 1},
        {"net": 180, "voluntarily_in": 1, "completed": 1, "complete_chances": 1, "raises_third": 1, "won": 300},
        other,
        other,
        other,
    ]


def test_a_raised_steal() -> None:
    """A steal is raised to 400. The bring-in faces the raise, no steal any more; the thief folds to it. 200 go back."""
    some, block = by_place("sf", "rf", "r")
    assert actions(some, block) == "0 bring_in 100, 1 complete 200, 2 raise 400, 0 fold, 1 fold"
    assert plays_of(some, block) == [
        {"net": -120, "brought_in": 1, "complete_chances": 1, "defences": 1, "raise_chances": 1, "folds_third": 1},
        {"net": -220, "voluntarily_in": 1, "completed": 1, "complete_chances": 1, "steal_chances": 1, "steals": 1}
        | {"raise_chances": 1, "raises_third": 1, "folds_third": 1, "lost_hands": 1, "lost_pots": 560},
        {"net": 340, "voluntarily_in": 1, "steals_faced": 1, "raise_chances": 1, "reraises": 1, "raises_third": 1}
        | {"won": 560},
    ]


def test_the_bring_in_seat_completes_at_once() -> None:
    """It posts nothing and so brings nothing in and defends nothing; with no bring-in posted nobody can steal."""
    some, block = by_place("r", "f", "f")
    assert actions(some, block) == "0 complete 200, 1 fold, 2 fold"
    other = {"net": -20, "raise_chances": 1, "folds_third": 1}
    assert plays_of(some, block) == [
        {"net": 40, "completed": 1, "complete_chances": 1, "voluntarily_in": 1, "raises_third": 1, "won": 60},
        other,
        other,
    ]


def test_a_bring_in_that_is_all_in_defends_nothing() -> None:
    """With 120 chips the bring-in is all-in and is not asked when others complete: no defence. It was not voluntary.

    The others cannot complete either but by going all-in for 100: they call, as scripted.
    """
    some, block = by_place("s", "s", "s", big_bets=1)
    some = stacked(some, 120)
    found = plays_of(some, block)
    assert actions(some, block) == "0 bring_in 100, 1 call 100, 2 call 100"
    assert [one.get("defences", 0) for one in found] == [0, 0, 0]
    assert [one.get("voluntarily_in", 0) for one in found] == [0, 1, 1]
    assert [one.get("complete_chances", 0) for one in found] == [0, 0, 0]
    assert [one["saw_seventh"] for one in found] == [1, 1, 1]


def heads_up(block: int) -> tuple[list[str], list[dict[str, int]], Counter[str]]:
    """A hand of two callers who are all-in for the ante of 20: their cards, what each counts for, the core totals.

    Both engine and slow count are asked; lists are by seat.
    """
    some = scenario((entrant("a", "caller"), entrant("b", "caller")), hands=100_000, stakes=NO_RAKE)
    some = stacked(some, 20)
    replayed = replay_hand(some, SEED, block)
    by_entrant = plays_of(some, block)
    tally = engine_totals(some, (block, block + 1))
    core = named(TABLE_COLUMNS, tally.table.sum(axis=0))
    for seat, copy in enumerate(replayed.copies):
        core[f"adjusted {seat}"] = tally.entrant_total(copy, "adjusted")
    cards = [cards_text(replayed.hand.cards(seat)) for seat in (0, 1)]
    return cards, [by_entrant[copy] for copy in replayed.copies], core


def test_a_split_pot() -> None:
    """Both have six-five low, 6532A: the pot of 40 is split, and each takes its 20 back. Nobody was voluntarily in."""
    cards, plays, core = heads_up(6467)
    assert cards == ["2d9d3c6s5d5sAd", "2s5cAh2c3d6dTc"]
    saw = dict.fromkeys(("saw_fourth", "saw_fifth", "saw_sixth", "saw_seventh"), 1)
    assert plays == [{"won": 20, "shown_six": 1, "won_six": 1} | saw] * 2
    assert (core["split_pots"], core["showdowns"], core["all_ins"], core["decisions"]) == (1, 1, 1, 0)


def test_thirty_one_outs_of_forty() -> None:
    """After six cards seat 0 has the ranks 4 4 7 8 8 Q, seat 1 A A 9 9 Q K; any of 40 cards may come to seat 0.

    A fifth rank gives seat 0 a queen-low, or with a king KQ874: either beats whatever seat 1 makes, at best a king-low
    with a nine. A card of its own ranks leaves it a pair of fours or worse, and seat 1 always has a pair of aces or
    better. Of fours there are two, of sevens three, of eights two, of queens two: nine cards of forty. So it wins the
    pot of 40 in 31 of 40 deals, is expected to win 31 chips and to be 11 ahead.
    """
    cards, _, core = heads_up(11471)
    assert [held[:12] for held in cards] == ["8d4s4cQh8h7s", "QsAc9dAdKd9c"]
    assert (core["adjusted 0"], core["adjusted 1"]) == (11 * 256, -11 * 256)


def test_hands_where_nobody_owes_the_bring_in_have_no_place() -> None:
    """All-in for the ante: nobody can bring it in. The other three classes of each seat are counted."""
    some = stacked(scenario(eight(), hands=60), 20)
    classes = engine_totals(some, (0, 1)).classes.sum(axis=0)[:, CLASS_COLUMNS.index("hands")]
    assert {by: classes[first : first + len(CLASSES[by])].sum() for by, first in FIRST_CLASS.items()} == {
        "door": 8,
        "start": 8,
        "position": 0,
        "end": 8,
    }


def test_a_bring_in_as_large_as_a_bet_in_no_limit() -> None:
    """A bring-in of the small bet is the first bet: no limit offers the opener a full one more, not the same chips."""
    rules = rule_set(betting="no_limit")
    some, block = by_place("r", "f", "f", stakes=BIG_BRING_IN, rules=rules)
    assert actions(some, block) == "0 complete 400, 1 fold, 2 fold"
    assert plays_of(some, block)[0]["completed"] == 1
