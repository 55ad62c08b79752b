"""The branches of pots, rake, seventh street and showdown: where to aim for each, and how to tell it was taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aimed_hands import (
    CALLERS,
    LIVELY,
    MOSTLY_CALLERS,
    QUITTERS,
    Aim,
    a_few_bets,
    a_few_big_bets,
    around_the_ante,
    at_most_the_ante,
    big_antes,
    coarse_chips,
    deep,
    with_rake,
)
from side_by_side import Course
from steps import Branch, any_step, steps_of, walked

from razz_sim.hand import Award


def _community_stub(course: Course) -> tuple[int, int] | None:
    """Cards in the stub when seventh street comes, and live seats; None when it does not come."""
    if course.result.last_street < 7:
        return None
    folded_on_seventh = sum(step.street == 7 and step.kind == "fold" for step in steps_of(course))
    if course.table.rules.free_fold == "check":
        folded_on_seventh -= sum(
            step.street == 7 and step.kind == "fold" and step.stay == 0 for step in steps_of(course)
        )
    live = folded_on_seventh + sum(
        bool(up) and not out for up, out in zip(course.result.up, course.result.folded, strict=True)
    )
    up_to_sixth = sum(len(up) for up in course.result.up) + 2 * sum(bool(up) for up in course.result.up)
    return 52 - up_to_sixth - (3 if course.table.rules.burn_cards else 0), live


def _stub(test: Callable[[int, int], bool], community: bool) -> Callable[[Course], bool]:
    def met(course: Course) -> bool:
        found = _community_stub(course)
        return found is not None and test(*found) and (course.result.community is not None) == community

    return met


def _community_betting(betting: bool) -> Callable[[Course], bool]:
    def met(course: Course) -> bool:
        asked = any(decision.street == 7 for decision, _, _ in course.result.decisions)
        return course.result.community is not None and asked == betting

    return met


def _side_pot_won_by_another(course: Course) -> bool:
    winners = [set(pot.winners) for pot in course.hand.pots]
    return len(winners) > 1 and not winners[0] & winners[1]


def _odd_chips(ways: int) -> Callable[[Course], bool]:
    def met(course: Course) -> bool:
        awards = [event for event in course.hand.events if isinstance(event, Award)]
        tied = [[award for award in awards if award.pot == pot] for pot in range(len(course.hand.pots))]
        return any(len(pot) == ways and any(award.odd_chips for award in pot) for pot in tied)

    return met


def _share(course: Course) -> int:
    """The percentage of the pot in whole chips, no cap looked at."""
    stakes = course.table.stakes
    assert stakes.rake is not None
    share = int(sum(course.result.contributions) * stakes.rake.percent / 100)
    return share - share % stakes.chip


def _raked(test: Callable[[Course], bool]) -> Callable[[Course], bool]:
    return lambda course: course.table.stakes.rake is not None and not course.table.tournament and test(course)


def _capped_by_players(course: Course) -> bool:
    """The cap for those dealt in took less than percentage and general cap would have."""
    rake = course.table.stakes.rake
    assert rake is not None
    general = _share(course) if rake.cap is None else min(_share(course), rake.cap)
    players = sum(stack > 0 for stack in course.table.stacks)
    return any(entry <= players for entry, _ in rake.cap_by_players) and course.result.rake < general


_SHORT = (a_few_bets, around_the_ante, a_few_big_bets)
_CASH = Aim(stakes=with_rake, two_left=False, mood=MOSTLY_CALLERS)

SHOWDOWN_BRANCHES = [
    # Pots
    Branch("three pots or more", Aim(mood=MOSTLY_CALLERS, stacks=_SHORT), lambda course: len(course.result.pots) > 2),
    Branch(
        "one all-in for the main pot while two go on",
        Aim(mood=LIVELY, stacks=(around_the_ante, deep, deep), seats=(3, 4)),
        any_step(lambda step: step.kind == "raise" and len(step.live) == 3 and len(step.able) == 2),
    ),
    Branch(
        "different winners of main and side pot",
        Aim(mood=MOSTLY_CALLERS, stacks=(around_the_ante, a_few_bets)),
        _side_pot_won_by_another,
    ),
    *(
        Branch(
            f"odd chips of a split among {ways} by {value}",
            Aim({"odd_chip": value}, MOSTLY_CALLERS, equal_hands=True, stacks=(deep, a_few_bets)),
            _odd_chips(ways),
        )
        for value in ("position", "high_card", "low_card")
        for ways in (2, 3)
    ),
    Branch(
        "a pot that is no whole number of chips",
        Aim(stacks=(a_few_bets,), mood=MOSTLY_CALLERS, equal_hands=True),
        lambda course: any(
            pot.amount % course.table.stakes.chip and len(winners.winners) > 1
            for pot, winners in zip(course.result.pots, course.hand.pots, strict=True)
        ),
    ),
    Branch(
        "antes larger than several stacks",
        Aim(stacks=(at_most_the_ante, deep), seats=(3, 8), stakes=big_antes),
        lambda course: (
            sum(stack < course.table.stakes.ante for stack in course.table.stacks) > 1 and len(course.result.pots) > 1
        ),
    ),
    Branch(
        "a part of an ante goes back",
        Aim(stacks=(at_most_the_ante,), stakes=big_antes),
        lambda course: any(course.result.returned) and not course.result.decisions,
    ),
    # Rake
    Branch(
        "the rake is capped",
        _CASH,
        _raked(lambda course: course.result.rake < _share(course) and course.result.last_street > 3),
    ),
    Branch("the rake is capped by players", _CASH, _raked(_capped_by_players)),
    Branch(
        "no rake on third street",
        replace(_CASH, mood=QUITTERS, seats=(2, 3)),
        _raked(lambda course: course.result.rake == 0 < _share(course) and course.result.last_street == 3),
    ),
    Branch(
        "a walk is raked",
        replace(_CASH, mood=QUITTERS, seats=(2, 3)),
        _raked(lambda course: course.result.rake > 0 and walked(course)),
    ),
    Branch(
        "the rake is more than the main pot",
        replace(_CASH, stacks=(around_the_ante, a_few_bets)),
        _raked(lambda course: len(course.result.pots) > 1 and course.result.rake > course.result.pots[0].amount),
    ),
    Branch(
        "the rake is rounded down to whole chips",
        replace(_CASH, stakes=coarse_chips),
        _raked(
            lambda course: (
                course.table.stakes.chip > 1
                and 0 < course.result.rake == _share(course)
                and _share(course) * 100 != sum(course.result.contributions) * course.table.stakes.rake.percent  # type: ignore[union-attr]
            )
        ),
    ),
    Branch(
        "no rake in a tournament",
        replace(_CASH, two_left=True),
        lambda course: course.table.stakes.rake is not None and course.table.tournament and _share(course) > 0,
    ),
    # Seventh street and showdown
    Branch(
        "a community card without burns",
        Aim({"burn_cards": False}, CALLERS, (8, 8), (deep,)),
        _stub(lambda stub, live: stub < live, community=True),
    ),
    Branch(
        "the burns are shuffled in and there are enough cards",
        Aim({"burn_cards": True}, replace(MOSTLY_CALLERS, fold=0.0), (7, 7), (deep,)),
        _stub(lambda stub, live: stub < live + 2 <= stub + 3, community=False),
    ),
    Branch(
        "the burns are left out and a community card is dealt",
        Aim({"burn_cards": True}, replace(MOSTLY_CALLERS, wager=0.0, fold=0.14), (8, 8), (deep,)),
        _stub(lambda stub, live: stub > 2 and stub + 3 < live + 2, community=True),
    ),
    Branch(
        "the burns are shuffled into two cards or less for a community card",
        Aim({"burn_cards": True}, CALLERS, (8, 8), (deep,)),
        _stub(lambda stub, live: stub <= 2, community=True),
    ),
    *(
        Branch(
            f"a community card and {'a round of' if betting else 'no'} betting",
            Aim({"community_street_betting": betting}, CALLERS, (8, 8), (deep,)),
            _community_betting(betting),
        )
        for betting in (True, False)
    ),
    Branch(
        "the last aggressor shows first",
        Aim(mood=replace(LIVELY, fold=0.0, wager=0.3), seats=(2, 6), stacks=(deep,)),
        lambda course: (
            bool(course.result.show_order)
            and [step.seat for step in steps_of(course) if step.street == 7 and step.kind == "raise"][-1:]
            == course.result.show_order[:1]
        ),
    ),
    *(
        Branch(
            f"no bet on seventh street and the {value} shows first",
            Aim({"show_first": value}, CALLERS, stacks=(deep,)),
            lambda course: (
                bool(course.result.show_order)
                and not any(step.street == 7 and step.kind == "raise" for step in steps_of(course))
            ),
        )
        for value in ("seat", "opener")
    ),
]
