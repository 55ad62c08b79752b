"""How a recorded hand says it ended, against how the engine ended it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from razz_sim.hand import Hand
from razz_sim.history.record import RecordedHand

Finding = tuple[int, str]
"""A line of the file, 0 when none is known, and a sentence."""


def differences(recorded: RecordedHand, hand: Hand) -> list[str]:
    """A sentence for everything in the record of how the hand ended that is not as the engine has it."""
    found = [*_payments(recorded, hand), *_stacks(recorded, hand), *_showdown(recorded, hand)]
    return [f"{recorded.place(line)}: {sentence}" for line, sentence in found]


def _payments(recorded: RecordedHand, hand: Hand) -> Iterator[Finding]:
    """The room's lines about the pot, chips given back and chips collected.

    Some rooms do not list an uncalled bet: there it is inside the total pot and the winner's amount.
    """
    money = recorded.stakes.money
    pot = sum(pot.amount for pot in hand.pots)
    unlisted = 0 if recorded.returned else sum(hand.returned)
    if recorded.total_pot is not None and recorded.total_pot not in (pot, pot + unlisted):
        total = money(recorded.total_pot)
        yield recorded.pot_line, f"the total pot is recorded as {total}; by the rules it is {money(pot)}"
    for payment in recorded.returned:
        back = hand.returned[payment.seat]
        if payment.amount != back:
            returned = f"{money(payment.amount)} is returned to {recorded.who(payment.seat)}"
            yield payment.line, f"{returned}; by the rules {money(back)}"
    for seat, award in enumerate(hand.awards):
        paid = [payment for payment in recorded.collected if payment.seat == seat]
        collected = sum(payment.amount for payment in paid)
        if recorded.collected and collected not in (award, award + min(unlisted, hand.returned[seat])):
            line = paid[-1].line if paid else recorded.line
            yield line, f"{recorded.who(seat)} collects {money(collected)}; by the rules {money(award)}"


def _stacks(recorded: RecordedHand, hand: Hand) -> Iterator[Finding]:
    """Rake and stacks."""
    money = recorded.stakes.money
    if recorded.rake_taken is not None and recorded.rake_taken != hand.rake:
        taken = money(recorded.rake_taken)
        yield recorded.line, f"the rake is recorded as {taken}; by the rules it is {money(hand.rake)}"
    for seat, (recorded_stack, stack) in enumerate(zip(recorded.finishing_stacks or (), hand.stacks, strict=False)):
        if recorded_stack != stack:
            ends = f"{recorded.who(seat)} is recorded to end with {money(recorded_stack)}"
            yield recorded.line, f"{ends}; by the rules with {money(stack)}"


def _showdown(recorded: RecordedHand, hand: Hand) -> Iterator[Finding]:
    """The showing order, and winners who are said not to have shown: nobody wins a showdown unseen."""
    if recorded.show_order is not None and not _same_order(recorded.show_order, hand):
        shown = [recorded.who(seat) for seat in recorded.show_order]
        order = [recorded.who(seat) for seat in hand.show_order]
        yield recorded.line, f"the recorded showing order is {shown}; by the rules {order}"
    for number, pot in enumerate(hand.pots):
        if not hand.show_order or len(pot.contestants) < 2:
            continue
        others_show = any(seat in recorded.shown for seat in pot.contestants)
        for seat in pot.winners:
            if seat not in recorded.shown and (others_show or seat in recorded.mucked):
                yield recorded.line, f"{recorded.who(seat)} does not show, yet holds the best low of pot {number}"


def _same_order(recorded: Sequence[int], hand: Hand) -> bool:
    """Whether the order is the engine's: of all who reached showdown, or of those who showed."""
    everybody = [seat for seat in hand.show_order if seat in recorded]
    return list(recorded) == everybody and set(hand.shown) <= set(recorded)
