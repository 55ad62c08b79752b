"""What becomes of the chips in the middle (RULES.md: "Pots")."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .lows import Card, low_key, used_cards


@dataclass(frozen=True)
class Rake:
    """What the room takes of a cash-game pot: `percent` 5 is five per cent."""

    percent: Fraction
    cap: int | None
    cap_by_players: dict[int, int] | None
    third_street: bool


@dataclass(frozen=True)
class Pot:
    """The main pot or a side pot: its chips before rake, and the live seats that may win it."""

    amount: int
    contestants: tuple[int, ...]


def uncalled(contributions: Sequence[int]) -> list[int]:
    """The chips that go back to each seat: what the largest contribution has above the second largest.

    >>> uncalled([5, 20, 12])
    [0, 8, 0]
    """
    largest, second = sorted(contributions, reverse=True)[:2]
    return [largest - second if chips == largest else 0 for chips in contributions]


def pots_by_level(contributions: Sequence[int], live: Sequence[bool]) -> list[Pot]:
    """Main pot first. Uncalled chips must have gone back already.

    A level is contested by the live seats that put it in; without such a seat it merges into the one below,
    and so do levels with the same contestants.
    """
    pots: list[Pot] = []
    below = 0
    for level in sorted(set(contributions) - {0}):
        amount = sum(min(chips, level) - min(chips, below) for chips in contributions)
        contestants = tuple(seat for seat, chips in enumerate(contributions) if live[seat] and chips >= level)
        if pots and (not contestants or contestants == pots[-1].contestants):
            pots[-1] = Pot(pots[-1].amount + amount, pots[-1].contestants)
        else:
            pots.append(Pot(amount, contestants))
        below = level
    return pots


def rake_cap(rake: Rake, players: int) -> int | None:
    """The cap for this many players dealt in: the exact entry, else the next below it, else the smallest."""
    if rake.cap_by_players is None:
        return rake.cap
    at_or_below = [entry for entry in rake.cap_by_players if entry <= players]
    return rake.cap_by_players[max(at_or_below) if at_or_below else min(rake.cap_by_players)]


def rake_of(pot: int, rake: Rake | None, *, players: int, last_street: int, chip: int) -> int:
    """The rake of the whole hand: a percentage, capped, then rounded down to whole chips."""
    if rake is None or (last_street == 3 and not rake.third_street):
        return 0
    due = pot * rake.percent / 100
    cap = rake_cap(rake, players)
    if cap is not None:
        due = min(due, Fraction(cap))
    return int(due // chip) * chip


def raked(pots: Sequence[Pot], rake: int) -> list[Pot]:
    """The pots after the rake, which comes from the main pot as far as it goes, then from the next."""
    left: list[Pot] = []
    for pot in pots:
        taken = min(rake, pot.amount)
        rake -= taken
        left.append(Pot(pot.amount - taken, pot.contestants))
    return left


def odd_chip_order(tied: Sequence[int], cards: Mapping[int, Sequence[Card]], odd_chip: str) -> list[int]:
    """In what order the tied seats, given "from the dealer", get odd chips (the sort keeps position)."""
    if odd_chip == "high_card":
        return sorted(tied, key=lambda seat: used_cards(cards[seat]), reverse=True)
    if odd_chip == "low_card":
        return sorted(tied, key=lambda seat: min(cards[seat]))
    return list(tied)


def split(amount: int, winners: Sequence[int], chip: int) -> dict[int, int]:
    """Share one pot in whole chips; `winners` are in odd-chip order.

    Odd chips go one each in that order; what is less than a chip goes to the first seat.

    >>> split(103, [4, 1, 2], chip=5)
    {4: 38, 1: 35, 2: 30}
    """
    chips, less_than_a_chip = divmod(amount, chip)
    each, odd = divmod(chips, len(winners))
    shares = {seat: (each + (place < odd)) * chip for place, seat in enumerate(winners)}
    shares[winners[0]] += less_than_a_chip
    return shares


def award(
    pots: Sequence[Pot],
    cards: Mapping[int, Sequence[Card]],
    *,
    from_the_dealer: Sequence[int],
    odd_chip: str,
    chip: int,
) -> dict[int, int]:
    """What each live seat wins; each pot is split separately (T 74). `from_the_dealer` is all live seats."""
    won = dict.fromkeys(from_the_dealer, 0)
    lows = {} if len(from_the_dealer) == 1 else {seat: low_key(cards[seat]) for seat in from_the_dealer}
    for pot in pots:
        winners = list(pot.contestants)
        if len(winners) > 1:
            best = min(lows[seat] for seat in pot.contestants)
            tied = [seat for seat in from_the_dealer if seat in pot.contestants and lows[seat] == best]
            winners = tied if len(tied) == 1 else odd_chip_order(tied, cards, odd_chip)
        for seat, chips in split(pot.amount, winners, chip).items():
            won[seat] += chips
    return won
