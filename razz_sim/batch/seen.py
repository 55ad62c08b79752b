"""What a seat saw, in words: the view of a decision, or of a hand as it ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from razz_sim.cards import NO_CARD, card_text
from razz_sim.rules import Street
from razz_sim.table.single import view_of_hand
from razz_sim.view import VIEW

Money = Callable[[int], str]
"""Writes an amount, for one `stakes.money`."""


def seen_text(hand: Any, money: Money) -> str:
    """What the seat that is to act in a hand record is shown, in words."""
    view = np.zeros(1, dtype=VIEW)
    view_of_hand(hand, view[0])
    return view_text(view[0], money)


def view_text(view: Any, money: Money) -> str:
    """A view in three lines: the price, the seat's own cards, then each other board with its stack.

    A view without choices is that of a hand as it ended.
    """
    seat, seats = int(view["seat"]), int(view["seats"])
    hole = " ".join(card_text(int(card)) for card in view["hole"] if card != NO_CARD)
    others = [
        f"seat {other + 1} {_board(view, other)}{'' if view['live'][other] else ' (out)'}, {money(int(stack))} behind"
        for other, stack in enumerate(view["stack"][:seats])
        if other != seat
    ]
    own = f"holds [{hole}] {_board(view, seat)}, {money(int(view['stack'][seat]))} behind"
    lines = [
        f"{Street(int(view['street'])).name.lower()} street, pot {money(int(view['pot']))}, {_price(view, money)}",
        f"seat {seat + 1} of {seats} (view.seat {seat}) {own}",
    ]
    return "\n".join([*lines, "; ".join(others)])


def _price(view: Any, money: Money) -> str:
    """What staying costs and what a raise may be."""
    to_call, least, most = (int(view[field]) for field in ("to_call", "raise_min", "raise_max"))
    if not (to_call or least or view["can_fold"]):
        return "the hand is over"
    wager = f", may raise to {money(least)}" if least else ""
    wager += f" up to {money(most)}" if most > least else ""
    return f"{money(to_call)} to call{wager}" + ("" if view["can_fold"] else ", owes the bring-in")


def _board(view: Any, seat: int) -> str:
    cards = view["up"][seat][: view["up_count"][seat]]
    return " ".join(card_text(int(card)) for card in cards) or "no cards"
