"""Each option's values against each other: hands that would have been other hands under the other value."""

from __future__ import annotations

from dataclasses import dataclass, replace

from aimed_hands import (
    CALLERS,
    FREE_FOLDERS,
    LIVELY,
    MANIACS,
    MOSTLY_CALLERS,
    Aim,
    a_bet_and_a_part,
    a_few_bets,
    a_few_big_bets,
    at_most_the_ante,
    big_antes,
    deep,
    small_bring_in,
    under_a_bet,
)
from random_hands import give
from side_by_side import Course, choices

from razz_sim.hand import Hand
from razz_sim.rules import RuleSet


def decided(course: Course, other: RuleSet) -> bool:
    """Whether the same answers, as far as they are asked for, make another hand under the other rules."""
    hand = replace(course.table, rules=other).deal()
    for decision, kind, to in course.result.decisions:
        if hand.seat is None or choices(hand.legal()) != choices(decision):
            return True
        give(hand, (kind, to))
    return hand.seat is not None or _outcome(hand) != _outcome(course.hand)


def _outcome(hand: Hand) -> tuple[object, ...]:
    return hand.stacks, hand.awards, hand.rake, hand.show_order, hand.community, hand.street


@dataclass(frozen=True, slots=True)
class Choice:
    """An option's value and another one, and where tables must be aimed for the difference to show."""

    option: str
    value: object
    other: object
    aim: Aim

    def __str__(self) -> str:
        return f"{self.option}-{self.value}-not-{self.other}"

    def rules(self, course: Course) -> RuleSet:
        """The course's rules with the other value."""
        return replace(course.table.rules, **{self.option: self.other})  # type: ignore[arg-type]


_AIMS: dict[str, tuple[tuple[object, ...], Aim]] = {
    "bring_in_card": (("high", "low"), Aim(stacks=(deep,))),
    "bring_in_fallback": (
        ("next_seat", "none"),
        Aim(stacks=(at_most_the_ante, a_few_bets), seats=(3, 8), stakes=big_antes),
    ),
    "bring_in_option": ((False, True), Aim(mood=MOSTLY_CALLERS, stacks=(deep,), seats=(2, 4))),
    "opens": (("low_board", "high_board"), Aim(mood=MOSTLY_CALLERS, stacks=(deep,))),
    "opener_tie": (("position", "suit"), Aim(mood=CALLERS, equal_hands=True, stacks=(deep,))),
    "betting": (("fixed_limit", "pot_limit", "no_limit"), Aim(mood=LIVELY, stacks=(a_few_big_bets, deep))),
    "bets_per_round": ((0, 1, 2, 3, 4, 5), Aim({"betting": "fixed_limit"}, MANIACS, stacks=(deep,))),
    "heads_up_cap": (
        ("always", "off_if_round_began_heads_up", "off_if_two_left_in_tournament"),
        Aim({"betting": "fixed_limit", "bets_per_round": 4}, MANIACS, seats=(2, 3), stacks=(deep,)),
    ),
    "short_all_in": (
        ("half_bet", "full_bet_only", "bring_in_level"),
        Aim(
            {"betting": "fixed_limit", "bets_per_round": 5},
            LIVELY,
            seats=(4, 8),
            stacks=(under_a_bet, a_bet_and_a_part, deep),
            stakes=small_bring_in,
        ),
    ),
    "odd_chip": (
        ("position", "high_card", "low_card"),
        Aim(mood=MOSTLY_CALLERS, equal_hands=True, stacks=(deep, a_few_bets), two_left=False),
    ),
    "burn_cards": ((False, True), Aim(mood=MOSTLY_CALLERS, stacks=(deep,))),
    "community_street_betting": ((True, False), Aim(mood=CALLERS, seats=(8, 8), stacks=(deep,))),
    "show_first": (("seat", "opener"), Aim(mood=CALLERS, stacks=(deep,))),
    "free_fold": (("allow", "check"), Aim(mood=FREE_FOLDERS, stacks=(deep,))),
}


def option_choices() -> list[Choice]:
    """Each option's values against each other: what one decides, the other would have decided otherwise."""
    return [
        Choice(option, value, other, _aim(aim, option, value, other))
        for option, (values, aim) in _AIMS.items()
        for value in values
        for other in values
        if value != other and (option != "bets_per_round" or 0 in (value, other) or {value, other} == {4, 5})
    ]


def _aim(aim: Aim, option: str, value: object, other: object) -> Aim:
    """The option's aim with this value; only a tournament's last two tell its cap from one that always holds."""
    last_two = {value, other} == {"always", "off_if_two_left_in_tournament"}
    return replace(aim, options={**aim.options, option: value}, two_left=True if last_two else aim.two_left)
