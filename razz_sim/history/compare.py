"""How a recorded hand says it ended, against how the engine ended it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from razz_sim.cards import NO_CARD, RANKS
from razz_sim.hand import Action, Hand
from razz_sim.history.record import STREET_NAMES, RecordedHand, SeatEnd
from razz_sim.lowball import low_ranks

Finding = tuple[int, str]
"""A line of the file, 0 when none is known, and a sentence."""


def differences(recorded: RecordedHand, hand: Hand) -> list[str]:
    """A sentence for everything in the record of how the hand ended that is not as the engine has it."""
    checks = (_payments, _pots, _stacks, _winnings, _showdown, _ends, _lows)
    found = [finding for check in checks for finding in check(recorded, hand)]
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


def _pots(recorded: RecordedHand, hand: Hand) -> Iterator[Finding]:
    """Main and side pots as the summary lists them: PokerStars after rake, others before.

    Of which pot a room took its rake does not show, so each may lack up to the whole of it. An uncalled bet that is
    not listed as returned is in the last pot.
    """
    listed, full = recorded.listed_pots, [pot.amount for pot in hand.pots]
    unlisted = 0 if recorded.returned else sum(hand.returned)
    sums = {sum(full) + back - rake for back in (0, unlisted) for rake in (0, hand.rake)}
    most = [*full[:-1], full[-1] + unlisted] if full else []
    near = len(listed) == len(full) and all(
        least - hand.rake <= part <= limit for part, least, limit in zip(listed, full, most, strict=True)
    )
    if listed and not (near and sum(listed) in sums):
        money = recorded.stakes.money
        pots = f"the pots are listed as {', '.join(map(money, listed))}"
        yield recorded.pot_line, f"{pots}; by the rules they are {', '.join(map(money, full))} before rake"


def _stacks(recorded: RecordedHand, hand: Hand) -> Iterator[Finding]:
    """Rake and stacks."""
    money = recorded.stakes.money
    if recorded.rake_taken is not None and recorded.rake_taken != hand.rake:
        rules = f"by the rules it is {money(hand.rake)}" + (", as in every tournament" if recorded.tournament else "")
        yield recorded.pot_line or recorded.line, f"the rake is recorded as {money(recorded.rake_taken)}; {rules}"
    for seat, (recorded_stack, stack) in enumerate(zip(recorded.finishing_stacks or (), hand.stacks, strict=False)):
        if recorded_stack != stack:
            ends = f"{recorded.who(seat)} is recorded to end with {money(recorded_stack)}"
            yield recorded.line, f"{ends}; by the rules with {money(stack)}"


def _winnings(recorded: RecordedHand, hand: Hand) -> Iterator[Finding]:
    """PHH's `winnings`: what each seat got from the pots. Some writers add the uncalled chips that came back."""
    for seat, won in enumerate(recorded.winnings or ()):
        if won not in (hand.awards[seat], hand.awards[seat] + hand.returned[seat]):
            money = recorded.stakes.money
            wins = f"{recorded.who(seat)} is recorded to win {money(won)}"
            yield recorded.line, f"{wins}; by the rules it wins {money(hand.awards[seat])}"


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


def _ends(recorded: RecordedHand, hand: Hand) -> Iterator[Finding]:
    """The summary's line about each seat: where it folded, what it showed, what it won."""
    folds = {event.seat: event.street for event in hand.events if isinstance(event, Action) and event.kind == "fold"}
    paid = {event.seat for event in hand.events if isinstance(event, Action) and event.put}
    for end in recorded.ends:
        says, street = f"the summary has {recorded.who(end.seat)}", folds.get(end.seat)
        folded = f"it folded on {STREET_NAMES[street]}" if street else "it did not fold"
        if end.streets and street not in end.streets:
            yield end.line, f"{says} fold on {_some_street(end.streets)}; {folded}"
        if (end.showed or end.mucked) and street:
            yield end.line, f"{says} {'show' if end.showed else 'muck'}; {folded}"
        if end.showed and end.seat in recorded.mucked:
            yield end.line, f"{says} show; it mucked"
        if end.mucked and not end.showed and end.seat in recorded.shown:
            yield end.line, f"{says} muck; it showed"
        if end.never_bet and end.seat in paid:
            yield end.line, f"{says} put in no more than the ante; it did"
        yield from _won(recorded, hand, end)


def _won(recorded: RecordedHand, hand: Hand, end: SeatEnd) -> Iterator[Finding]:
    """What the summary says a seat won: nothing, when it names no amount."""
    award, money = hand.awards[end.seat], recorded.stakes.money
    unlisted = 0 if recorded.returned else hand.returned[end.seat]
    claims = {0} if end.won is None else {end.won, 0} if end.lost else {end.won}
    for won in sorted(claims - {award, award + unlisted}):
        amount = money(won) if won else "nothing"
        yield end.line, f"the summary has {recorded.who(end.seat)} win {amount}; by the rules {money(award)}"


def _lows(recorded: RecordedHand, hand: Hand) -> Iterator[Finding]:
    """The lows that lines name, 'Lo: 8,6,4,3,2': the best of all a seat held or, where it showed early, of those."""
    for low in recorded.lows:
        held = [cards for cards in (hand.cards(low.seat), low.shown) if cards and NO_CARD not in cards]
        bests = [low_ranks(cards) for cards in held]
        if bests and sorted(low.ranks) not in map(sorted, bests):
            named, best = _spelled(low.ranks), _spelled(bests[-1])
            yield low.line, f"{recorded.who(low.seat)} is said to hold {named}; its best low is {best}"


def _spelled(ranks: Sequence[int]) -> str:
    return "-".join(RANKS[rank] for rank in ranks)


def _some_street(streets: Sequence[int]) -> str:
    """One of these streets, in words."""
    if len(streets) == len(STREET_NAMES):
        return "some street"
    return " or ".join(STREET_NAMES[street] for street in streets)


def _same_order(recorded: Sequence[int], hand: Hand) -> bool:
    """Whether the order is the engine's: of all who reached showdown, or of those who showed."""
    everybody = [seat for seat in hand.show_order if seat in recorded]
    return list(recorded) == everybody and set(hand.shown) <= set(recorded)
