"""The statistics of a hand counted again, slowly: in plain Python, from its events, as docs/statistics.md has it.

Nothing here knows how the engine counts. Of the engine it uses the events of a hand, whether a raise was legal (asked
of the same hand dealt again) and which of two lows is lower. Where the documents leave a choice it is taken thus:

- the bring-in seat *defends* when it is asked on third street after another seat completed; all-in for the bring-in
  it is not asked
- places from the bring-in count the seats that were dealt in, and a hand in which nobody owed the bring-in has none
- to win a pot is to take chips from it: a share that rake or division leaves empty is none
- the first wager over the bring-in completes it, be it all-in for less, be the bring-in as large as the small bet
- a folded steal is a fold on third street at any time after the steal was faced
- burned cards lie as they are unless they are shuffled in before seventh street; the card burned for that street does
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations

from razz_sim.cards import RANKS, card_text, rank_of
from razz_sim.hand import Action, Ante, Award, Burn, Community, Deal, Event, Hand, Muck, RakeTaken, Returned, Show
from razz_sim.lowball import best_low, low_key

STREETS = {3: "third", 4: "fourth", 5: "fifth", 6: "sixth", 7: "seventh"}
LOWS = {4: "wheel", 5: "six", 6: "seven", 7: "eight", 8: "nine", 9: "ten", 10: "jack", 11: "queen", 12: "king"}
WAGERS = ("complete", "bet", "raise")
KINDS = {"call": "calls", "check": "checks", "fold": "folds"} | dict.fromkeys(WAGERS, "raises")


@dataclass(frozen=True)
class Asked:
    """An action and what the seat was asked: whether it could have raised, and what staying cost."""

    action: Action
    could_raise: bool
    to_call: int


@dataclass
class SeatCount:
    """What one seat's hand counts for: columns of plays.parquet and bins.parquet by name, its classes, its net."""

    plays: Counter[str] = field(default_factory=Counter)
    core: Counter[str] = field(default_factory=Counter)
    classes: dict[str, str] = field(default_factory=dict)
    net: int = 0
    adjusted: Fraction | None = Fraction(0)
    """Its net with expected winnings; None where that was not worked out."""
    parts: int = 0
    """In how many parts the pots that it contests may be divided: the bound of rounding."""


@dataclass
class HandCount:
    """What a hand counts for: its table, how it ended, its final pot, and each seat that was dealt in."""

    table: Counter[str]
    pots: Counter[str]
    end: str
    pot: int
    seats: dict[int, SeatCount]


def questions(hand: Hand, again: Hand) -> list[Asked]:
    """Every action of a hand with what its seat could do, asked of `again`: the same hand before the first action."""
    asked = []
    for action in (event for event in hand.events if isinstance(event, Action)):
        legal = again.legal()
        assert legal.seat == action.seat
        asked.append(Asked(action, legal.raise_min > 0, legal.to_call))
        if action.kind == "fold":
            again.fold()
        elif action.kind in WAGERS:
            again.raise_to(action.to)
        else:
            again.stay()
    assert again.events == hand.events
    return asked


def low_class(cards: Sequence[int]) -> str:
    """A low by its highest card; a pair or worse is one class."""
    ranks = {rank_of(card) for card in best_low(cards)}
    return LOWS[max(ranks)] if len(ranks) == 5 else "pair"


class _Recount:
    """One hand being counted."""

    def __init__(self, events: Sequence[Event], stacks: Sequence[int], asked: Sequence[Asked]) -> None:
        self.events, self.asked = events, asked
        self.dealt: dict[int, list[int]] = {}
        for deal in self.of(Deal):
            self.dealt.setdefault(deal.seat, []).extend(deal.cards)
        self.seats = {seat: SeatCount() for seat in sorted(self.dealt)}
        self.start = {seat: stacks[seat] for seat in self.seats}
        self.put = dict.fromkeys(self.seats, 0)
        for event in (*self.of(Ante), *self.of(Action)):
            self.put[event.seat] += event.amount if isinstance(event, Ante) else event.put
        for back in self.of(Returned):
            self.put[back.seat] -= back.amount
        self.folded = {action.seat: action.street for action in self.of(Action) if action.kind == "fold"}
        self.live = [seat for seat in self.seats if seat not in self.folded]
        self.community = next((event.card for event in self.of(Community)), None)
        self.street = 7 if self.community is not None else max(deal.street for deal in self.of(Deal))
        self.showdown = bool(self.of(Show) or self.of(Muck))
        self.end = "showdown" if self.showdown else STREETS[self.street]
        self.won = Counter(dict.fromkeys(self.seats, 0))
        for award in self.of(Award):
            self.won[award.seat] += award.amount
        self.pot = sum(self.put.values())

    def of(self, kind: type) -> list:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def behind(self, seat: int, street: int) -> int:
        """Chips a seat has left when a street is over."""
        put = sum(ante.amount for ante in self.of(Ante) if ante.seat == seat)
        put += sum(action.put for action in self.of(Action) if action.seat == seat and action.street <= street)
        return self.start[seat] - put

    # Third street

    def third_street(self) -> None:
        """Who came in, completed, stole, and what others did about it."""
        marks: dict[int, set[str]] = {seat: set() for seat in self.seats}
        can_act = [seat for seat in self.seats if self.start[seat] > self.ante_of(seat)]
        acted: set[int] = set()
        posted = thief = completer = None
        came_in = wagers = 0
        for one in self.asked:
            action, seat = one.action, one.action.seat
            if action.street != 3:
                continue
            acted.add(seat)
            still_to_act = [other for other in can_act if other not in acted and other != posted]
            could_steal = False
            if one.could_raise and not wagers:
                marks[seat].add("complete_chances")
                could_steal = posted is not None and seat != posted and not came_in and len(still_to_act) <= 2
            if could_steal:
                marks[seat].add("steal_chances")
            if thief is not None and wagers == 1 and seat != thief:
                marks[seat].add("steals_faced")
            if seat == posted and wagers and completer != posted:
                marks[seat].add("defences")
            if action.kind == "bring_in":
                posted = seat
                self.seats[seat].core["brought_in"] += 1
            elif action.put > 0:
                marks[seat].add("voluntarily_in")
                came_in += 1
            if action.kind in WAGERS:
                wagers += 1
                if wagers == 1:
                    completer = seat
                    self.seats[seat].core["completed"] += 1
                    if could_steal:
                        thief = seat
        if thief is not None:
            marks[thief].add("steals")
            if self.end == "third" and self.live == [thief]:
                marks[thief].add("steals_won")
        for seat, found in marks.items():
            if "steals_faced" in found and self.folded.get(seat) == 3:
                found.add("folds_to_steal")
            if "defences" in found and self.folded.get(seat) != 3:
                found.add("defended")
            self.seats[seat].plays.update(found)

    def ante_of(self, seat: int) -> int:
        """What a seat posted as its ante."""
        return sum(ante.amount for ante in self.of(Ante) if ante.seat == seat)

    def place_zero(self) -> int | None:
        """The seat that posted the bring-in or completed instead; None where nobody owed it."""
        opens = next((one.action for one in self.asked if one.action.street == 3), None)
        return opens.seat if opens is not None and opens.kind in ("bring_in", "complete") else None

    # All streets

    def streets(self) -> None:
        """Decisions by street, re-raises, and who was there when a street was dealt."""
        wagers: Counter[int] = Counter()
        for one in self.asked:
            action, plays = one.action, self.seats[one.action.seat].plays
            if wagers[action.street] and one.could_raise:
                plays["raise_chances"] += 1
                plays["reraises"] += action.kind in WAGERS
            wagers[action.street] += action.kind in WAGERS
            if action.kind != "bring_in":
                plays[f"{KINDS[action.kind]}_{STREETS[action.street]}"] += 1
        for street in range(4, self.street + 1):
            for seat in self.there_on(street):
                self.seats[seat].plays[f"saw_{STREETS[street]}"] += 1

    def there_on(self, street: int) -> list[int]:
        """The seats still in when a street is dealt."""
        return [seat for seat in self.seats if self.folded.get(seat, 8) >= street]

    # The end

    def cards(self, seat: int) -> list[int]:
        """A live seat's seven cards."""
        return self.dealt[seat] + ([] if self.community is None else [self.community])

    def ends(self) -> None:
        """Nets, pots taken, lows, classes. To win a pot is to take chips from it."""
        for seat, counted in self.seats.items():
            won, in_showdown = self.won[seat], self.showdown and seat in self.live
            counted.net = won - self.put[seat]
            counted.core.update(hands=1, net=counted.net, showdowns=int(in_showdown), pots_won=int(won > 0))
            counted.core["showdowns_won"] += in_showdown and won > 0
            counted.plays["won"] += won
            if counted.plays["voluntarily_in"] and not won:
                counted.plays["lost_hands"] += 1
                counted.plays["lost_pots"] += self.pot
            if in_showdown:
                low = low_class(self.cards(seat))
                counted.plays[f"shown_{low}"] += 1
                counted.plays[f"won_{low}"] += won > 0
            start = sorted(self.dealt[seat][:3], key=rank_of)
            counted.classes = {
                "door": card_text(self.dealt[seat][2])[0],
                "start": "".join(RANKS[rank_of(card)] for card in start),
                "end": STREETS[self.folded[seat]] if seat in self.folded else self.end,
            }
            if (zero := self.place_zero()) is not None:
                there = list(self.seats)
                counted.classes["position"] = str((there.index(seat) - there.index(zero)) % len(there))

    def table(self) -> Counter[str]:
        """The columns of bins.parquet about the table, all but blocks, squares, capped rounds and forfeits."""
        awards = self.of(Award)
        by_pot = Counter(award.pot for award in awards)
        actions = self.of(Action)
        found = Counter(hands=1, pot=self.pot, decisions=len(actions))
        found["rake"] = sum(rake.amount for rake in self.of(RakeTaken))
        found["free_folds"] = sum(one.action.kind == "fold" and one.to_call == 0 for one in self.asked)
        found["community_cards"] = int(self.showdown and self.community is not None)
        for street in range(4, self.street + 1):
            found[f"saw_{STREETS[street]}"] = 1
        found["showdowns" if self.showdown else f"ended_{self.end}"] = 1
        if self.showdown:
            found["side_pots"] = int(len(by_pot) > 1)
            found["split_pots"] = int(max(by_pot.values()) > 1)
            found["all_ins"] = int(any(self.start[seat] == self.put[seat] for seat in self.live))
        else:
            kinds = [action.kind for action in actions]
            found["walks"] = int(kinds[0] == "bring_in" and set(kinds[1:]) == {"fold"} and self.end == "third")
        return found

    def pots(self) -> Counter[str]:
        """The columns of plays.parquet about the table; squares as one number `pot_END_sq`."""
        found = Counter({f"pot_{self.end}_sum": self.pot, f"pot_{self.end}_sq": self.pot**2})
        for street in range(3, self.street + 1):
            found[f"players_{STREETS[street]}_{len(self.there_on(street))}"] += 1
        if self.showdown:
            found[f"players_showdown_{len(self.live)}"] += 1
            best = min(self.live, key=lambda seat: low_key(self.cards(seat)))
            found[f"winning_{low_class(self.cards(best))}"] += 1
        return found

    # All-in

    def adjust(self, most_seats: int) -> None:
        """Nets with expected winnings where fewer than two seats had chips before seventh street was dealt."""
        for counted in self.seats.values():
            counted.adjusted = Fraction(counted.net)
        with_chips = [seat for seat in self.there_on(7) if self.behind(seat, 6) > 0]
        if not self.showdown or len(with_chips) > 1:
            return
        drawing = self.live[:3]
        expected = None
        if self.community is not None or len(drawing) <= most_seats:
            expected = self.expected(drawing)
        for seat in self.live:
            counted = self.seats[seat]
            counted.core["adjusted_hands"] += 1
            counted.parts = sum(
                sum(self.put[other] >= level for other in self.live)
                for level in self.levels()
                if level <= self.put[seat]
            )
            counted.adjusted = None if expected is None else expected[seat] - self.put[seat]

    def as_they_lie(self) -> set[int]:
        """The cards that are not to come any more: those dealt, and burns that were not shuffled in again."""
        held = {card for cards in self.dealt.values() for card in cards}
        burned = {burn.card for burn in self.of(Burn) if burn.street < 7}
        last_burn = {burn.card for burn in self.of(Burn) if burn.street == 7}
        left = 52 - len(burned) - sum(min(len(cards), 6) for cards in self.dealt.values())
        needed = len(self.there_on(7)) + 2
        shuffled_in = left < needed and (left + len(burned) >= needed or left <= 2)
        return held | last_burn if shuffled_in else held | last_burn | burned

    def levels(self) -> list[int]:
        """What the contestants of each pot put in at least, main pot first."""
        return sorted({self.put[seat] for seat in self.live})

    def expected(self, drawing: Sequence[int]) -> dict[int, Fraction]:
        """Each live seat's winnings, expected over the last cards of some seats, or over the community card.

        Every deal of actual cards is gone through; those that leave everybody the same lows are judged together.
        """
        six = {seat: self.dealt[seat][:6] for seat in self.live}
        drawn = [] if self.community is not None else [self.dealt[seat][6] for seat in drawing]
        pool = sorted(set(range(52)) - self.as_they_lie() | set(drawn))
        still = [seat for seat in self.live if seat not in drawing]
        if self.community is None:
            kept = tuple(low_key(self.dealt[seat]) for seat in still)
            lows = [{card: low_key([*six[seat], card]) for card in pool} for seat in drawing]
            deals = Counter(
                tuple(low[card] for low, card in zip(lows, cards, strict=True)) + kept
                for cards in permutations(pool, len(drawing))
            )
        else:
            deals = Counter(tuple(low_key([*six[seat], card]) for seat in [*drawing, *still]) for card in pool)
        contestants = [[seat for seat in self.live if self.put[seat] >= level] for level in self.levels()]
        shares: Counter[tuple[int, int, int]] = Counter()
        for found_lows, times in deals.items():
            held = dict(zip([*drawing, *still], found_lows, strict=True))
            for number, among in enumerate(contestants):
                best = min(held[seat] for seat in among)
                winners = [seat for seat in among if held[seat] == best]
                for seat in winners:
                    shares[number, seat, len(winners)] += times
        amounts = Counter(dict.fromkeys(range(len(contestants)), 0))
        for award in self.of(Award):
            amounts[award.pot] += award.amount
        assert len(amounts) == len(contestants)
        found = dict.fromkeys(self.live, Fraction(0))
        for (number, seat, split), times in shares.items():
            found[seat] += Fraction(amounts[number] * times, split * deals.total())
        return found


def count_hand(
    events: Sequence[Event], stacks: Sequence[int], asked: Sequence[Asked], most_seats: int = 3
) -> HandCount:
    """Count a hand. Expected winnings are worked out where at most `most_seats` seats have a last card to come."""
    recount = _Recount(events, stacks, asked)
    recount.third_street()
    recount.streets()
    recount.ends()
    recount.adjust(most_seats)
    return HandCount(recount.table(), recount.pots(), recount.end, recount.pot, recount.seats)
