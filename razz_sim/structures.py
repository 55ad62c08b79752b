"""Structures of tournaments as data: levels, pace, prizes, re-entries. How they are played is in `docs/tournaments.md`.

Chips are whole numbers; money (buy-ins and prizes) is in integers of a tournament's smallest unit of money.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import Literal

from razz_sim.rules import MAX_CHIPS, MAX_SEATS, MIN_SEATS, Stakes

MAX_FIELD = 100_000
MAX_ENTRANTS = 64
"""Strategies, with parameters, in the field of a tournament."""
MAX_LEVELS = 64
WHOLE = 1_000_000
"""Shares of the prize pool are in millionths."""
WEIGHTS = 500_000_000
"""Shares of 1, 1/2, 1/3, ... are in parts of so many: as fine as 64 bits bear."""
MIN_CASH_PERCENT = 150
"""Of the prize part of a buy-in: what the last paid place of a `top` payout gets, where the pool has it."""
BY_HANDS = (1,) * (MAX_SEATS + 1)
"""The pace of a tournament whose levels count hands: each lasts as long as any other."""

TournamentKind = Literal["tables", "shootout", "bracket"]
PayoutKind = Literal["shares", "amounts", "top", "seats", "seat_value"]


@dataclass(frozen=True, slots=True)
class Level:
    """What is played for, in chips, and for how long: so many hands at each table, or so many milliseconds."""

    stakes: Stakes
    length: int

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValueError(f"a level lasts {self.length}; it must be at least 1")
        if self.stakes.rake is not None:
            raise ValueError("no pot of a tournament is raked")


@dataclass(frozen=True, slots=True)
class Payouts:
    """How the prize pool is paid out.

    `shares`: to each place so many millionths of the pool. `amounts`: to each place a prize, in smallest units of
    money, whatever was paid in. `top`: to so many hundredths of a percent of all entries. `seats`: equal prizes to so
    many places. `seat_value`: as many prizes of this value as the pool has, the rest to the place behind them.
    """

    kind: PayoutKind
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.values or any(value < 1 for value in self.values):
            raise ValueError(f"payouts by {self.kind} are {self.values}; there must be some, all above 0")
        if self.kind == "shares" and sum(self.values) != WHOLE:
            raise ValueError(f"shares of the pool sum to {sum(self.values)} millionths, not to {WHOLE}")
        if self.kind in ("top", "seats", "seat_value") and len(self.values) != 1:
            raise ValueError(f"payouts by {self.kind} are told by one number, not by {self.values}")

    @property
    def equal(self) -> bool:
        """Whether it is a satellite: play ends as soon as all who are left have a prize."""
        return self.kind in ("seats", "seat_value")

    def places(self, entries: int, players: int, pool: int) -> int:
        """How many places are paid for so many entries of players; of a satellite those with equal prizes."""
        if self.kind == "top":
            return max(1, min(players, -(-entries * self.values[0] // 10_000)))
        if self.kind == "seat_value":
            return max(1, min(players, pool // self.values[0]))
        return min(players, self.values[0] if self.kind == "seats" else len(self.values))

    def prizes(self, entries: int, players: int, pool: int, buy_in: int) -> list[int]:
        """What each paid place gets, from the first on; the sum is the pool, of `amounts` the sum of these.

        Rounded down to whole units of money; what is left over then goes to the first place. The `top` places all get
        MIN_CASH_PERCENT of the prize part of a `buy_in`, or equal shares of the pool where it has less; the rest is
        shared in proportion to 1, 1/2, 1/3, ...

        >>> Payouts("shares", (500_000, 300_000, 200_000)).prizes(entries=8, players=8, pool=801, buy_in=100)
        [401, 240, 160]
        >>> Payouts("top", (1500,)).prizes(entries=20, players=20, pool=2000, buy_in=100)
        [997, 572, 431]
        """
        places = self.places(entries, players, pool)
        if self.kind == "amounts":
            return list(self.values[:places])
        if self.kind == "shares":
            found = [pool * share // WHOLE for share in self.values[:places]]
        elif self.kind == "top":
            least = min(buy_in * MIN_CASH_PERCENT // 100, pool // places)
            rest = pool - least * places
            weights = [WEIGHTS // place for place in range(1, places + 1)]
            together = sum(weights)
            found = [least + rest * weight // together for weight in weights]
        elif self.kind == "seats":
            found = [pool // places] * places
        else:
            found = [min(self.values[0], pool)] * places
            if places < players and pool > sum(found):
                found.append(pool - sum(found))
        found[0] += pool - sum(found)
        return found


@dataclass(frozen=True, slots=True)
class Again:
    """What a player may buy after the start: for `price` (the part that is prize money) and `fee` so many chips.

    A re-entry or rebuy may be taken by a player without chips in levels up to `level`, `times` times (0: any number);
    an add-on by everybody once, when `level` is over.
    """

    level: int
    chips: int
    price: int
    fee: int
    times: int = 0

    def __post_init__(self) -> None:
        if self.level < 1 or self.chips < 1 or self.times < 0 or self.price < 0 or self.fee < 0:
            raise ValueError(f"{self} must have a level and chips from 1 on, and nothing below 0")


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament: who plays how long at what levels, and for what. Its starting stack is the scenario's stack.

    `pace` is how long a hand takes by the number of players dealt in (0 to 8), in the unit of the levels' lengths:
    milliseconds, or hands. `prize` and `fee` are the parts of the buy-in, and all money is in `unit`.
    """

    kind: TournamentKind
    field: int
    seats: int
    stack: int
    levels: tuple[Level, ...]
    payouts: Payouts
    prize: int
    fee: int
    pace: tuple[int, ...] = BY_HANDS
    unit: Decimal = Decimal(1)
    reentry: Again | None = None
    rebuy: Again | None = None
    addon: Again | None = None
    structure: str = ""

    def __post_init__(self) -> None:
        if not 2 <= self.field <= MAX_FIELD:
            raise ValueError(f"a field of {self.field}; it must be from 2 to {MAX_FIELD}")
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise ValueError(f"a table has {MIN_SEATS} to {MAX_SEATS} seats, not {self.seats}")
        if self.kind == "bracket" and self.seats != MIN_SEATS:
            raise ValueError(f"a bracket is played heads-up, not at tables of {self.seats}")
        if not 1 <= len(self.levels) <= MAX_LEVELS:
            raise ValueError(f"{len(self.levels)} levels; there must be from 1 to {MAX_LEVELS}")
        if self.levels[-1].stakes.ante == 0:
            raise ValueError("the last level has no ante: a tournament might never end")
        if len(self.pace) != MAX_SEATS + 1 or min(self.pace) < 1:
            raise ValueError(f"a pace is told by a time for each of 0 to {MAX_SEATS} players, not by {self.pace}")
        if self.kind != "tables" and any((self.reentry, self.rebuy, self.addon)):
            raise ValueError(f"there are no re-entries, rebuys or add-ons in a {self.kind}")
        if self.prize + self.fee < 1:
            raise ValueError("a buy-in of 0: there is no return on nothing")
        if self.most_chips > MAX_CHIPS:
            raise ValueError(f"{self.most_chips} chips in play are more than {MAX_CHIPS}")
        if self.payouts.kind in ("shares", "amounts") and len(self.payouts.values) > self.field:
            raise ValueError(f"{len(self.payouts.values)} prizes for a field of {self.field}")
        prizes = self.payouts.places(self.field, self.field, self.field * self.prize)
        if self.payouts.equal and prizes >= self.field:
            raise ValueError(f"a prize for each of a field of {self.field}: nothing to play for")
        for offer in (self.reentry, self.rebuy):
            if offer and not offer.times and offer.level >= len(self.levels):
                raise ValueError("chips are for sale as often as wanted in the last level: it would never end")

    @property
    def by_clock(self) -> bool:
        """Whether levels last milliseconds; else they count hands."""
        return self.pace != BY_HANDS

    @property
    def tables(self) -> int:
        """At how many tables it begins; in a bracket those it takes for the next round to be a power of two."""
        if self.kind == "bracket":
            return self.field - (1 << (self.field - 1).bit_length() - 1)
        return -(-self.field // self.seats)

    @property
    def tables_in_all(self) -> int:
        """Tables of all rounds together."""
        if self.kind == "bracket":
            return self.field - 1
        tables = rounds = self.tables
        while self.kind == "shootout" and rounds > 1:
            rounds = -(-rounds // self.seats)
            tables += rounds
        return tables

    @property
    def most_chips(self) -> int:
        """Chips that may be in play at most, where re-entries and rebuys are limited; else with a hundred for each."""
        bought = [one.chips * (one.times or 100) for one in (self.reentry, self.rebuy) if one]
        return self.field * (self.stack + sum(bought) + (self.addon.chips if self.addon else 0))

    @property
    def level_ends(self) -> tuple[int, ...]:
        """When each level is over, in the unit of their lengths; the last goes on."""
        return tuple(accumulate(level.length for level in self.levels))

    @property
    def hand_limit(self) -> int:
        """Hands, all tables together, after which a tournament that is not decided is given up."""
        return 100_000 + 2_000 * self.field

    @property
    def expected_hands(self) -> int:
        """About how many hands it takes, all tables together: for schedules and progress, no result depends on it.

        A field is down to one about when all chips in play are some 25 big bets; meanwhile tables are half full. The
        tables of a shootout or bracket are as many such tournaments.
        """
        if self.kind == "tables":
            return self._expected(self.field)
        return self.tables_in_all * self._expected(min(self.field, self.seats))

    def _expected(self, players: int) -> int:
        bought = [one.chips for one in (self.rebuy, self.addon) if one]
        enough = players * (self.stack + sum(bought)) / 25
        level = next((place for place, one in enumerate(self.levels) if one.stakes.big_bet >= enough), len(self.levels))
        end = self.level_ends[min(level, len(self.levels) - 1)]
        rounds = end / self.pace[max(MIN_SEATS, min(players, self.seats) // 2)]
        rounds = min(rounds, 40 * max(1, self.stack / self.levels[0].stakes.big_bet))  # levels that hardly end
        return max(1, round(rounds * max(1.0, players / self.seats / 3.5)))
