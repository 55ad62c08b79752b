"""Writing a finished hand as PHH, so that razz_sim and PokerKit read it.

Seats go in the order they are dealt to, as PHH has it: the dealer last. `seats` holds their numbers at the table, from
1. Amounts are whole numbers of the smallest unit. Shows come last, with all the cards held.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal

from razz_sim.cards import card_text, cards_text
from razz_sim.hand import Action, Community, Deal, Hand, Muck, Show
from razz_sim.rules import PRESETS, Rake, RuleSet

_ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "\x7f\ufeff"}
"""What JSON may leave as it is, but TOML forbids or a file's reader takes for a mark of its encoding."""


def write_phh(
    hand: Hand,
    *,
    hand_id: str = "",
    site: str = "razz_sim",
    names: Sequence[str] = (),
) -> str:
    """The hand as a PHH file. ValueError while the hand is not over.

    >>> from razz_sim.rules import PRESETS, Stakes
    >>> stakes = Stakes(name="15/30", ante=1, bring_in=5, small_bet=15, big_bet=30)
    >>> hand = Hand(PRESETS["pokerstars"], stakes, [500, 500], dealer=1, cards=7)
    >>> hand.stay(), hand.fold()
    (None, None)
    >>> print(write_phh(hand, hand_id="1").splitlines()[8])
    seats = [1, 2]
    """
    if hand.seat is not None:
        raise ValueError("the hand is not over")
    check_names(hand, names)
    order = table_order(hand)
    stakes = hand.stakes
    fields: dict[str, object] = {
        "variant": "FR",
        "ante_trimming_status": True,
        "antes": [stakes.ante] * len(order),
        "bring_in": stakes.bring_in,
        "small_bet": stakes.small_bet,
        "big_bet": stakes.big_bet,
        "starting_stacks": [hand.starting_stacks[seat] for seat in order],
        "actions": _actions(hand, order),
        "seats": [seat + 1 for seat in order],
        "players": [names[seat] if names else f"Seat {seat + 1}" for seat in order],
        "finishing_stacks": [hand.stacks[seat] for seat in order],
        "_id": hand_id,
        "_site": site,
        "_rules": _rules(hand.rules),
        "_unit": stakes.unit if stakes.unit != 1 else None,
        "_dealer": len(order) - 1,
        "_rake": hand.rake,
        "_rake_rule": None if stakes.rake is None or hand.tournament else _rake_rule(stakes.rake),
        "level": int(hand.record["level"]) or None,
        "_tournament": hand.tournament,
        "_players_left": hand.players_left if hand.tournament else None,
        "_show_order": [order.index(seat) for seat in hand.show_order] or None,
        "_chip": stakes.chip if stakes.chip != 1 else None,
    }
    return "".join(f"{name} = {_toml(value)}\n" for name, value in fields.items() if value is not None)


def check_names(hand: Hand, names: Sequence[str]) -> None:
    """Refuse names that are not one for each seat, or hold half a character that no file can."""
    seats = len(hand.starting_stacks)
    if names and len(names) != seats:
        raise ValueError(f"{len(names)} names are given for {seats} seats")
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise ValueError(f"the name {name!r} holds half a character, which no text file can hold") from None


def table_order(hand: Hand) -> list[int]:
    """The seats that were dealt in, first dealt first."""
    count = len(hand.starting_stacks)
    seats = [(hand.dealer + 1 + step) % count for step in range(count)]
    return [seat for seat in seats if hand.starting_stacks[seat] > 0]


def _actions(hand: Hand, order: list[int]) -> list[str]:
    """The events in PHH's notation."""
    player = {seat: f"p{number}" for number, seat in enumerate(order, start=1)}
    actions: list[str] = []
    held: dict[int, list[int]] = {seat: [] for seat in order}
    for event in hand.events:
        match event:
            case Deal():
                held[event.seat].extend(event.cards)
                actions.append(f"d dh {player[event.seat]} {cards_text(event.cards)}")
            case Community():
                actions.append(f"d db {card_text(event.card)}")
            case Action():
                actions.append(f"{player[event.seat]} {_decision(event)}")
            case Show():
                actions.append(f"{player[event.seat]} sm {cards_text(held[event.seat])}")
            case Muck():
                actions.append(f"{player[event.seat]} sm")
    return actions


def _decision(action: Action) -> str:
    if action.kind == "bring_in":
        return "pb"
    if action.kind in ("check", "call"):
        return "cc"
    return "f" if action.kind == "fold" else f"cbr {action.to}"


def _rules(rules: RuleSet) -> object:
    """A preset's name, or the nearest preset with the options that differ."""
    preset = min(PRESETS, key=lambda name: len(rules.differences_from(name)))
    different = rules.differences_from(preset)
    return {"preset": preset, **different} if different else preset


def _rake_rule(rake: Rake) -> dict[str, object]:
    rule: dict[str, object] = {"percent": rake.percent, "third_street": rake.third_street}
    if rake.cap is not None:
        rule["cap"] = rake.cap
    if rake.cap_by_players:
        rule["cap_by_players"] = {str(players): cap for players, cap in rake.cap_by_players}
    return rule


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).translate(_ESCAPED)
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(name)} = {_toml(one)}" for name, one in value.items()) + "}"
    return format(value, "f") if isinstance(value, Decimal) else str(value)
