"""The situations a strategy is checked in: odd ones, so that what happens once in a million hands happens here.

A situation is a scenario of its own. Between them they have every preset and betting structure, 2 to 8 seats, stacks
from less than the ante to 150 big bets, sessions in which stacks part and seats go broke, and company from none to
seven callers, with whom the deck runs short.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product

from razz_sim.experiment import Entrant, Experiment, Limits, Scenario, Session
from razz_sim.rules import MAX_SEATS, PRESETS, Rake, RuleSet, Stakes, rule_set
from razz_sim.strategy import StrategySource, check_params, find_strategy

SEED = 20_071
MOST_HANDS = 600
"""Of one situation."""
BETTING = ("fixed_limit", "pot_limit", "no_limit")

STAKES = (
    Stakes("2/4", 20, 100, 200, 400, unit=Decimal("0.01"), rake=Rake(Decimal(5), cap=200)),
    Stakes("large ante, tiny bring-in", 200, 1, 200, 400),
    Stakes("no ante", 0, 100, 200, 400),
    Stakes("bring-in of a bet", 10, 200, 200, 200),
    Stakes("coarse chips", 25, 50, 100, 200, chip=25, rake=Rake(Decimal("2.5"))),
    Stakes("huge", 2 * 10**6, 10**7, 2 * 10**7, 4 * 10**7),
    Stakes("one chip", 0, 1, 1, 1),
)

DEPTHS: Mapping[str, Decimal] = {
    "100 big bets": Decimal(100),
    "2 big bets": Decimal(2),
    "less than a big bet": Decimal("0.6"),
    "150 big bets": Decimal(150),
    "7 big bets": Decimal(7),
    "hardly an ante": Decimal("0.05"),
}
"""Stacks in big bets, rounded up to whole chips."""

SESSIONS: Mapping[str, Session] = {
    "single hands": Session(),
    "stacks carried on": Session(hands=8, carry=True),
    "stacks topped up": Session(hands=8, carry=True, top_up=True),
}

COMPANIES: Mapping[str, tuple[str, ...]] = {
    "alone": (),
    "with callers": ("caller",),
    "with dice": ("random",),
    "with maniacs": ("maniac",),
    "with tight": ("tight",),
    "in mixed company": ("maniac", "random", "caller", "tight"),
}

ODD_RULES: tuple[Mapping[str, object], ...] = (
    {"bets_per_round": 0},
    {"bets_per_round": 1, "free_fold": "check"},
    {"short_all_in": "full_bet_only", "opener_tie": "suit"},
    {"short_all_in": "bring_in_level", "odd_chip": "low_card"},
    {"heads_up_cap": "off_if_round_began_heads_up", "bring_in_fallback": "none"},
    {"bring_in_option": True, "bring_in_card": "low", "opens": "high_board"},
)


@dataclass(frozen=True, slots=True)
class Checked:
    """The strategy that is checked, with the parameters it is checked with."""

    source: StrategySource
    params: tuple[tuple[str, float], ...]

    def entrant(self, seats: int, name: str = "checked") -> Entrant:
        return Entrant(name, self.source, self.params, seats)


def situations(checked: Checked) -> Experiment:
    """All situations, each with more hands than are played."""
    built = [*_crossed(checked), *_short_decks(checked), *_with_odd_rules(checked)]
    scenarios = tuple(of_length(scenario, MOST_HANDS) for scenario in built)
    return Experiment(name="check", seed=SEED, scenarios=scenarios, limits=Limits())


def usual(checked: Checked, hands: int, session: int = 1) -> Scenario:
    """Six copies at an everyday table: where speed and memory are measured."""
    return Scenario(
        name="six copies",
        rules=PRESETS["pokerstars"],
        stakes=STAKES[0],
        stack=100 * STAKES[0].big_bet,
        lineup=(checked.entrant(6),),
        hands=hands,
        session=Session(hands=session),
    )


def range_ends(checked: Checked, hands: int) -> list[tuple[str, Scenario]]:
    """For each parameter at both ends of its range, the others as they are: the ends in words, with a few tables."""
    found = []
    for parameter in checked.source.parameters:
        for value in (parameter.low, parameter.high):
            given = dict(checked.params)
            given[parameter.name] = bool(value) if parameter.kind == "bool" else value
            at_end = Checked(checked.source, check_params(checked.source, given))
            words = f"{parameter.name} {str(given[parameter.name]).lower()}"
            for rules, seats, depth in (("fixed_limit", 6, "100 big bets"), ("no_limit", 3, "7 big bets")):
                rule = rule_set("pokerstars", betting=rules)
                some = _scenario(at_end, rule, seats, STAKES[0], depth, "single hands", "in mixed company")
                found.append((words, of_length(some, hands)))
    return found


def _crossed(checked: Checked) -> list[Scenario]:
    """Each preset in each betting structure twice, what else there is taken in turn."""
    return [
        _scenario(
            checked,
            rule_set(preset, betting=betting),
            2 + (number + 3 * turn) % (MAX_SEATS - 1),
            STAKES[(number + 2 * turn) % len(STAKES)],
            list(DEPTHS)[(number + number // 6 + turn) % len(DEPTHS)],
            list(SESSIONS)[(number + number // 3 + turn) % len(SESSIONS)],
            list(COMPANIES)[(number + number // 5 + 3 * turn) % len(COMPANIES)],
        )
        for number, (preset, betting) in enumerate(product(PRESETS, BETTING))
        for turn in range(2)
    ]


def _short_decks(checked: Checked) -> list[Scenario]:
    """Eight seats that see every street: the community card, with and without burnt cards."""
    return [
        _scenario(checked, rules, MAX_SEATS, STAKES[0], "100 big bets", "single hands", "with callers", own=1)
        for rules in PRESETS.values()
    ]


def _with_odd_rules(checked: Checked) -> list[Scenario]:
    return [
        _scenario(
            checked,
            rule_set("pokerstars", **options),
            2 + number,
            STAKES[number % 3],
            "7 big bets",
            list(SESSIONS)[number % 2],
            "with maniacs",
        )
        for number, options in enumerate(ODD_RULES)
    ]


def _scenario(
    checked: Checked,
    rules: RuleSet,
    seats: int,
    stakes: Stakes,
    depth: str,
    session: str,
    company: str,
    own: int | None = None,
) -> Scenario:
    """A situation, as yet of one block; unless told otherwise half the seats are the strategy's own."""
    names = COMPANIES[company]
    own = seats if not names else own or (seats + 1) // 2
    lineup = [checked.entrant(own)]
    for number, name in enumerate(names):
        count = (seats - own + len(names) - 1 - number) // len(names)
        if count:
            source = find_strategy(f"razz_sim.strategies.{name}:{name}")
            lineup.append(Entrant(name, source, check_params(source, {}), count))
    stack = -int(-DEPTHS[depth] * stakes.big_bet // stakes.chip) * stakes.chip
    words = [rules.describe(), f"{seats} seats", stakes.name, depth, session, company]
    return Scenario(
        name=", ".join(words),
        rules=rules,
        stakes=stakes,
        stack=max(stack, stakes.chip),
        lineup=tuple(lineup),
        hands=SESSIONS[session].hands,
        session=SESSIONS[session],
    )


def of_length(scenario: Scenario, hands: int) -> Scenario:
    """The scenario with about so many hands, at least one block."""
    blocks = max(1, round(hands / scenario.block_hands))
    return replace(scenario, hands=blocks * scenario.block_hands)
