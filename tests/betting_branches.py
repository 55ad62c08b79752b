"""The branches of bring-in, opening and betting: where to aim for each, and how to tell that a hand took it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aimed_hands import (
    CALLERS,
    FREE_FOLDERS,
    LIVELY,
    MANIACS,
    MOSTLY_CALLERS,
    QUITTERS,
    Aim,
    a_bet_and_a_part,
    a_few_bets,
    a_few_big_bets,
    around_the_ante,
    at_most_the_ante,
    big_antes,
    bring_in_is_a_bet,
    deep,
    small_bring_in,
    tiny_pots,
    under_a_bet,
)
from reference.lows import opening_board
from side_by_side import Course
from steps import Branch, Step, any_step, steps_of, third_street, walked


def _owes(course: Course) -> int:
    """The seat with the door card that brings it in, chips or not."""
    doors = {seat: up[0] for seat, up in enumerate(course.result.up) if up}
    worst = max if course.table.rules.bring_in_card == "high" else min
    return worst(doors, key=lambda seat: doors[seat])


def _fell_through(course: Course) -> bool:
    return bool(third_street(course)) and course.table.stacks[_owes(course)] <= course.table.stakes.ante


def _short_bring_in(course: Course) -> bool:
    third, bring_in = third_street(course), course.table.stakes.bring_in
    return (
        len(third) > 1
        and third[0].opening
        and third[0].kind == "stay"
        and third[0].stay < bring_in
        and third[1].stay == min(bring_in, third[1].all_in_to)
        and third[1].stay > third[0].stay
    )


def _bring_in_has_option(course: Course) -> bool:
    return any(step.seat == course.result.bring_in_seat and step.stay == 0 for step in third_street(course)[1:])


def _option_completes(course: Course) -> bool:
    return any(
        step.seat == course.result.bring_in_seat and step.stay == 0 and step.kind == "raise"
        for step in third_street(course)[1:]
    )


def _all_called_the_bring_in(course: Course) -> bool:
    third = third_street(course)
    return (
        len(third) > 1
        and third[0].opening
        and all(step.kind != "raise" for step in third)
        and third[0].all_in_to > course.table.stakes.bring_in
        and len([step for step in third if step.seat == third[0].seat]) == 1
        and course.result.last_street > 3
    )


def _opener_cannot_act(course: Course) -> bool:
    rules, live = course.table.rules, {step.street: step.live for step in reversed(steps_of(course))}
    for street, first in course.result.openers.items():
        boards = {
            seat: course.result.up[seat][: min(street, 6) - 2]
            for step in range(len(course.table.stacks))
            if (seat := (course.table.dealer + 1 + step) % len(course.table.stacks)) in live[street]
        }
        if opening_board(boards, rules.opens, rules.opener_tie) != first:
            return True
    return False


def _cap_holds_for_two(step: Step) -> bool:
    """The round began with more than two, two are left, and the last of them may not raise for the cap."""
    return step.began_with > 2 and len(step.live) == 2 and step.raises >= step.bets_per_round and _refused(step)


def _refused(step: Step) -> bool:
    return step.wants_to_raise and step.raise_max == 0


def _over_the_cap(step: Step) -> bool:
    return step.raises >= step.bets_per_round and step.kind == "raise"


def _half(step: Step) -> bool:
    return 2 * (step.to - step.counted) >= step.bet


def _all_in_for_less(half: bool, late: bool) -> Callable[[Step], bool]:
    return lambda step: step.short and _half(step) == half and (step.street > 3) == late


def _several_add_up(step: Step) -> bool:
    """An open seat faces several all-ins for less, no full wager among them, that make up enough together."""
    each_too_small = [2 * above < step.bet for above in step.shorts_since_acted]
    return (
        step.acted
        and not step.full_since_acted
        and step.raise_max > 0
        and len(each_too_small) > 1
        and all(each_too_small)
    )


def _closed(step: Step) -> bool:
    """A seat that has acted faces an all-in for less, not enough to reopen."""
    return step.acted and not step.full_since_acted and step.faced > 0 and _refused(step)


_FIXED: dict[str, object] = {"betting": "fixed_limit"}
_HALF: dict[str, object] = {"betting": "fixed_limit", "short_all_in": "half_bet", "bets_per_round": 5}
_FULL: dict[str, object] = {**_HALF, "short_all_in": "full_bet_only"}
_LEVEL: dict[str, object] = {**_HALF, "short_all_in": "bring_in_level"}
_POT: dict[str, object] = {"betting": "pot_limit"}
_NO: dict[str, object] = {"betting": "no_limit"}
_SHORT = (a_few_bets, around_the_ante, a_few_big_bets)
_FALLEN = (at_most_the_ante, a_few_bets)

BETTING_BRANCHES = [
    # Bring-in
    Branch(
        "the high card is all-in for the ante and the next seat owes the bring-in",
        Aim({"bring_in_fallback": "next_seat"}, seats=(3, 8), stacks=_FALLEN, stakes=big_antes),
        lambda course: _fell_through(course) and course.result.bring_in_seat not in (None, _owes(course)),
    ),
    Branch(
        "the high card is all-in for the ante and nobody posts",
        Aim({"bring_in_fallback": "none"}, seats=(3, 8), stacks=_FALLEN, stakes=big_antes),
        lambda course: _fell_through(course) and course.result.bring_in_seat is None,
    ),
    Branch(
        "nobody posts and all check to fourth street",
        Aim({"bring_in_fallback": "none"}, CALLERS, seats=(3, 8), stacks=_FALLEN, stakes=big_antes),
        lambda course: (
            _fell_through(course)
            and course.result.last_street > 3
            and {(step.kind, step.stay) for step in third_street(course)} == {("stay", 0)}
        ),
    ),
    Branch("a short bring-in and the others owe all of it", Aim(stacks=(around_the_ante, deep)), _short_bring_in),
    Branch(
        "the bring-in seat opens all-in for less than a bet",
        Aim(mood=LIVELY, stacks=(under_a_bet,), stakes=small_bring_in),
        any_step(lambda step: step.opening and step.short),
    ),
    Branch(
        "the bring-in seat completes at once",
        Aim(mood=LIVELY),
        any_step(lambda step: step.opening and step.kind == "raise" and not step.short),
    ),
    Branch(
        "a bring-in of a full bet is the first bet of a capped round",
        Aim({**_FIXED, "bets_per_round": 2, "heads_up_cap": "always"}, MANIACS, stakes=bring_in_is_a_bet),
        any_step(lambda step: step.street == 3 and step.raises == 1 and not step.opening and _refused(step)),
    ),
    Branch(
        "the bring-in seat has an option",
        Aim({"bring_in_option": True}, MOSTLY_CALLERS, stacks=(deep,)),
        _bring_in_has_option,
    ),
    Branch(
        "the bring-in seat completes on its option",
        Aim({"bring_in_option": True}, replace(LIVELY, wager=0.4), seats=(2, 2), stacks=(deep,)),
        _option_completes,
    ),
    Branch(
        "all call the bring-in and it gets no turn",
        Aim({"bring_in_option": False}, CALLERS, stacks=(deep,)),
        _all_called_the_bring_in,
    ),
    Branch("everyone folds to the bring-in", Aim(mood=QUITTERS, seats=(2, 4)), walked),
    # Opening
    Branch(
        "the opener is all-in and the next seat acts",
        Aim(mood=MOSTLY_CALLERS, stacks=(around_the_ante, deep)),
        _opener_cannot_act,
    ),
    # Caps
    *(
        Branch(
            f"the round is capped at {bets} bets",
            Aim({**_FIXED, "bets_per_round": bets, "heads_up_cap": "always"}, MANIACS, stacks=(deep,)),
            any_step(lambda step: step.raises == step.bets_per_round and _refused(step)),
        )
        for bets in range(1, 6)
    ),
    Branch(
        "a round without a cap",
        Aim({**_FIXED, "bets_per_round": 0}, MANIACS, stacks=(deep,)),
        any_step(lambda step: step.raises > 5),
    ),
    *(
        Branch(
            f"more bets than the cap when {name}",
            Aim({**_FIXED, "bets_per_round": 4, "heads_up_cap": value}, MANIACS, seats, (deep,), two_left=two_left),
            any_step(_over_the_cap),
        )
        for name, value, seats, two_left in (
            ("the round began heads-up", "off_if_round_began_heads_up", (2, 2), None),
            ("two are left in the tournament", "off_if_two_left_in_tournament", (2, 2), True),
        )
    ),
    Branch(
        "two are left of a round that began with more and the cap holds",
        Aim(
            {**_FIXED, "bets_per_round": 3, "heads_up_cap": "off_if_round_began_heads_up"},
            replace(MANIACS, fold=0.3),
            (3, 4),
            (deep,),
        ),
        any_step(_cap_holds_for_two),
    ),
    Branch(
        "two of many left in a tournament have a cap",
        Aim(
            {**_FIXED, "bets_per_round": 3, "heads_up_cap": "off_if_two_left_in_tournament"},
            MANIACS,
            (2, 2),
            (deep,),
            two_left=False,
        ),
        any_step(lambda step: step.raises == 3 and _refused(step)),
    ),
    # All-in for less
    *(
        Branch(
            f"an all-in for {size} on {streets}",
            Aim(_HALF, LIVELY, (2, 6), (a_few_bets, a_few_big_bets)),
            any_step(_all_in_for_less(half, late)),
        )
        for size, half in (("half a bet or more", True), ("less than half a bet", False))
        for streets, late in (("third street", False), ("a later street", True))
    ),
    Branch(
        "an all-in for half a bet or more that does not count",
        Aim(_FULL, LIVELY, (2, 6), (a_few_bets, a_few_big_bets)),
        any_step(lambda step: step.short and _half(step)),
    ),
    Branch(
        "after an all-in over the bring-in the next bet is to bring-in and bet",
        Aim(_LEVEL, LIVELY, (3, 8), (under_a_bet, deep), small_bring_in),
        any_step(
            lambda step: (
                step.raise_min == step.full_to == step.bring_in + step.bet
                and step.street == 3
                and step.short_raises == step.raises == 1
            )
        ),
    ),
    # With full_bet_only several can never do what one does not: a wager that far is a full one itself.
    Branch(
        "several all-ins for less reopen together",
        Aim(_HALF, replace(LIVELY, fold=0.0), (8, 8), (a_bet_and_a_part,) * 3 + (deep,), small_bring_in),
        any_step(_several_add_up),
    ),
    *(
        Branch(
            f"an all-in for less does not reopen in {rules['betting']} {rules.get('short_all_in', '')}".strip(),
            Aim(rules, LIVELY, (3, 8), (a_few_bets, a_few_big_bets)),
            any_step(_closed),
        )
        for rules in (_HALF, _FULL, _LEVEL, _POT, _NO)
    ),
    # Pot limit and no limit
    Branch(
        "the pot is the limit",
        Aim(_POT, LIVELY, stacks=(deep,)),
        any_step(lambda step: step.raise_min < step.to == step.raise_max < step.all_in_to),
    ),
    Branch(
        "the pot is smaller than the minimum",
        Aim(_POT, LIVELY, stacks=(deep,), stakes=tiny_pots),
        any_step(lambda step: step.raise_min == step.raise_max < step.all_in_to),
    ),
    Branch(
        "a no-limit raise for all the chips of a deep stack",
        Aim(_NO, LIVELY, stacks=(deep,)),
        any_step(lambda step: step.raise_min < step.to == step.raise_max == step.all_in_to),
    ),
    *(
        Branch(
            f"after an all-in for less the smallest raise in {rules['betting']} is as large as the last full one",
            Aim(rules, LIVELY, (3, 8), _SHORT),
            any_step(
                lambda step: (
                    0 < step.short_raises < step.raises and 0 < step.raise_min < step.all_in_to and not step.opening
                )
            ),
        )
        for rules in (_POT, _NO)
    ),
    *(
        Branch(
            f"an all-in below the opening minimum and the next wager in {rules['betting']} is at least that",
            Aim(rules, LIVELY, (3, 8), (under_a_bet, deep), small_bring_in),
            any_step(lambda step: 0 < step.short_raises == step.raises and step.raise_min == step.bet < step.all_in_to),
        )
        for rules in (_POT, _NO)
    ),
    # Who is asked
    Branch(
        "nobody else could put in more",
        Aim(mood=LIVELY, stacks=(around_the_ante, a_few_bets, deep)),
        any_step(lambda step: step.all_in_to > step.wager and not step.could_answer and step.raise_max == 0),
    ),
    Branch(
        "the only seat with chips faces a wager and is asked",
        Aim(mood=LIVELY, stacks=(around_the_ante, a_few_bets)),
        any_step(lambda step: len(step.able) == 1 and step.stay > 0),
    ),
    *(
        Branch(
            f"a free fold under {value}",
            Aim({"free_fold": value}, FREE_FOLDERS),
            lambda course: course.result.free_folds > 0,
        )
        for value in ("allow", "check")
    ),
]
