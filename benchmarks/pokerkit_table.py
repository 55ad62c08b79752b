"""PokerKit at the same table with the same policies, for comparison."""

from __future__ import annotations

import random

from pokerkit import Automation, FixedLimitRazz, State

from benchmarks.engine import SEED, STACK, STAKES
from benchmarks.measuring import Row

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
NO_MUCK = tuple(automation for automation in AUTOMATIONS if automation != Automation.HOLE_CARDS_SHOWING_OR_MUCKING)
FOLD_CHANCE, WAGER_CHANCE = 0.2, 0.3
"""The defaults of the strategy `random`."""
LINEUPS = {
    "random": (AUTOMATIONS, FOLD_CHANCE, WAGER_CHANCE),
    "all-call": (AUTOMATIONS, 0.0, 0.0),
    "all-call, every hand shown": (NO_MUCK, 0.0, 0.0),
}
"""By name: what PokerKit does by itself, and the chances. By itself it mucks, unranked, what cannot win any more."""


def pokerkit_row(lineup: str, seats: int = 6) -> Row:
    """Hands a second of PokerKit with one of LINEUPS."""
    chance = random.Random(SEED)
    automations, fold, wager = LINEUPS[lineup]
    number = 0

    def play(hands: int) -> int:
        nonlocal number
        decisions = 0
        for _ in range(hands):
            random.seed(SEED + number)  # PokerKit shuffles with the module's own generator
            number += 1
            decisions += _play_hand(_deal(automations, seats), chance, fold, wager)
        return decisions

    return Row(f"PokerKit, {seats} seats, {lineup}", "hands", play)


def _deal(automations: tuple[Automation, ...], seats: int) -> State:
    stakes = STAKES
    return FixedLimitRazz.create_state(
        automations, True, stakes.ante, stakes.bring_in, stakes.small_bet, stakes.big_bet, STACK, seats
    )


def _play_hand(state: State, chance: random.Random, fold: float, wager: float) -> int:
    """Play to the end as the strategy `random` does (`caller` with no chances); the number of decisions."""
    decisions = 0
    while state.status:
        if state.actor_index is None:
            state.show_or_muck_hole_cards(True)
            continue
        decisions += 1
        to_call = state.checking_or_calling_amount
        if to_call and fold and chance.random() < fold:
            state.fold()
        elif wager and chance.random() < wager and state.min_completion_betting_or_raising_to_amount is not None:
            state.complete_bet_or_raise_to()
        elif state.can_post_bring_in():
            state.post_bring_in()
        else:
            state.check_or_call()
    return decisions
