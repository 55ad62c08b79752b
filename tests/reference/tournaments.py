"""What happens between the hands of a tournament (docs/tournaments.md: "How a tournament is played").

Written for obviousness, not for speed: everything is counted anew whenever it is asked. Whoever plays the hands is
told a table, the number of its hand and the stacks before it by seat, and answers with the stacks after it.

>>> from razz_sim.rules import Stakes
>>> from razz_sim.structures import Level, Payouts, Tournament
>>> levels = (Level(Stakes(name="1/2", ante=1, bring_in=1, small_bet=2, big_bet=4), length=10),)
>>> plan = Tournament("tables", 2, 2, 100, levels, Payouts("shares", (1_000_000,)), prize=5, fee=0)
>>> told = events(plan, seed=1, block=0, results=lambda table, number, before: {0: 200, 1: 0})
>>> [event.kind for event in told]
['round', 'level', 'seated', 'seated', 'hand', 'stack', 'stack', 'out', 'place', 'place', 'prize']
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from razz_sim.seeding import SEAT, _plain_mix, derived
from razz_sim.structures import Again, Tournament

Results = Callable[[int, int, dict[int, int]], dict[int, int]]
Place = tuple[int, int]
"""The first and the last of the places that a player shares; equal when the place is not shared."""
Seated = tuple[int, int, int]
"""A table, a seat and the player there."""


class Event(NamedTuple):
    """One thing that happened; -1 where a field says nothing."""

    kind: str
    clock: int
    table: int = -1
    seat: int = -1
    player: int = -1
    amount: int = -1
    other: int = -1


def events(plan: Tournament, seed: int, block: int, results: Results) -> list[Event]:
    """All that happens in one tournament, in order."""
    floor = Floor(plan, results)
    order = drawn_order(plan, seed, block)
    if plan.kind == "tables":
        play_tables(floor, order)
    else:
        play_rounds(floor, order)
    pay(floor)
    return floor.told


def drawn_order(plan: Tournament, seed: int, block: int) -> list[int]:
    """In what order the players are dealt to seats ("Seats"): drawn anew, at one table for a cycle that moves on."""
    players = plan.field
    cycle = players if players <= plan.seats else 1
    key = derived(derived(seed, SEAT), block // cycle)
    order = list(range(players))
    for last in range(players - 1, 0, -1):
        other = (_plain_mix(key + last * 0x9E3779B97F4A7C15) * (last + 1)) >> 64
        order[last], order[other] = order[other], order[last]
    return [order[(place + block % cycle) % players] for place in range(players)]


def may_take(offer: Again | None, level: int, taken: int) -> bool:
    """Whether a player without chips may buy a rebuy or re-entry, who has had it so many times."""
    return offer is not None and level <= offer.level and (offer.times == 0 or taken < offer.times)


def finishing_places(began: dict[int, int], left: int) -> dict[int, Place]:
    """The places of those who are out at one moment, by the stacks of their last hand, with `left` players before.

    >>> finishing_places({7: 40, 3: 10, 5: 40}, left=9)
    {7: (7, 8), 3: (9, 9), 5: (7, 8)}
    """
    stacks = list(began.values())
    smaller = {player: sum(other < stack for other in stacks) for player, stack in began.items()}
    equal = {player: stacks.count(stack) for player, stack in began.items()}
    return {player: (left - smaller[player] - equal[player] + 1, left - smaller[player]) for player in began}


@dataclass
class Table:
    """A table: who sits there, and the hand that is being played."""

    number: int
    seats: int
    players: dict[int, int] = field(default_factory=dict)  # by seat
    hands: int = 0  # that it has begun
    before: dict[int, int] = field(default_factory=dict)  # by seat; those who are dealt in
    after: dict[int, int] = field(default_factory=dict)
    over_at: int | None = None  # None when it is not in the middle of a hand

    @property
    def in_hand(self) -> bool:
        """Whether it is in the middle of a hand."""
        return self.over_at is not None

    @property
    def next_dealer(self) -> int:
        """The last seat in the first hand, one seat on with each hand."""
        return (self.seats - 1 + self.hands) % self.seats

    def from_the_dealer(self) -> list[int]:
        """The taken seats, beginning left of the dealer of the next hand."""
        seats = [(self.next_dealer + 1 + place) % self.seats for place in range(self.seats)]
        return [seat for seat in seats if seat in self.players]


@dataclass
class Floor:
    """The tables and players of a tournament while it is played, with one method for each step of a moment."""

    plan: Tournament
    results: Results
    told: list[Event] = field(default_factory=list)
    clock: int = 0
    level: int = 0
    tables: list[Table] = field(default_factory=list)  # that are not broken, by number
    to_break: set[int] = field(default_factory=set)  # their numbers
    opened: int = 0  # tables in all rounds so far
    hands: int = 0
    hand_for_hand: bool = False
    stacks: dict[int, int] = field(default_factory=dict)  # of who is left in this round; in a hand, from before it
    began: dict[int, int] = field(default_factory=dict)  # the stacks with which their last hands began
    last_seats: dict[int, tuple[int, int]] = field(default_factory=dict)  # table and seat
    places: dict[int, Place] = field(default_factory=dict)
    bought: int = 0  # chips, in this round
    rebuys: Counter[int] = field(default_factory=Counter)
    reentries: Counter[int] = field(default_factory=Counter)
    had_addon: set[int] = field(default_factory=set)

    def tell(self, kind: str, seated: Seated = (-1, -1, -1), amount: int = -1, other: int = -1) -> None:
        """Write down that something happened at this moment."""
        table, seat, player = seated
        self.told.append(Event(kind, self.clock, table, seat, player, amount, other))

    def begin_round(self, number: int, seated: list[Seated]) -> None:
        """Put players on their seats, the tables counted from those that were opened before, with starting stacks."""
        self.clock, self.level = 0, 0
        self.tell("round", amount=number)
        self.reach_level()
        opened = range(self.opened, self.opened + max(table for table, _, _ in seated) + 1)
        self.tables = [Table(table, self.plan.seats) for table in opened]
        self.stacks = {player: self.plan.stack for _, _, player in seated}
        self.bought = self.plan.stack * len(seated)
        for table, seat, player in seated:
            assert seat not in self.tables[table].players, f"seat {seat} of table {table} is taken"
            self.tables[table].players[seat] = player
            self.tell("seated", (self.opened + table, seat, player), self.plan.stack)
        self.opened += len(self.tables)

    # What a hand begins and ends with.

    def next_moment(self) -> list[Table]:
        """Go on to the time at which the next hands are over; at which tables they are."""
        self.clock = min(table.over_at for table in self.tables if table.over_at is not None)
        return [table for table in self.tables if table.over_at == self.clock]

    def begin_hand(self, table: Table) -> None:
        """Deal in all who sit there, and have the hand played; nobody looks at its result before it is over."""
        assert self.hands < self.plan.hand_limit, "the tournament does not end"
        table.before = {seat: self.stacks[table.players[seat]] for seat in sorted(table.players)}
        table.after = self.results(table.number, table.hands, dict(table.before))
        assert sorted(table.after) == sorted(table.before), "other seats after a hand than before it"
        assert sum(table.after.values()) == sum(table.before.values()), "a hand made or lost chips"
        assert min(table.after.values()) >= 0, "a stack below 0"
        self.tell("hand", (table.number, table.next_dealer, -1), table.hands, self.hands)
        for seat, before in table.before.items():
            self.tell("stack", (table.number, seat, table.players[seat]), table.after[seat], before)
        table.over_at = self.clock + self.plan.pace[len(table.before)]
        table.hands += 1
        self.hands += 1

    # The steps of a moment.

    def end_hands(self, tables: list[Table]) -> list[Seated]:
        """Step 1: stacks are what the hands left; who is broke, by table and then by seat."""
        broke = []
        for table in tables:
            for seat in sorted(table.before):
                player = table.players[seat]
                self.began[player] = table.before[seat]
                self.stacks[player] = table.after[seat]
                if table.after[seat] == 0:
                    broke.append((table.number, seat, player))
            table.before, table.after, table.over_at = {}, {}, None
        return broke

    def reach_level(self) -> None:
        """Step 2."""
        level = min(1 + sum(end <= self.clock for end in self.plan.level_ends), len(self.plan.levels))
        if level != self.level:
            self.level = level
            self.tell("level", amount=level)

    def may_rebuy(self, player: int) -> bool:
        """Whether the player may rebuy at this level, with no chips left."""
        return may_take(self.plan.rebuy, self.level, self.rebuys[player])

    def may_reenter(self, player: int) -> bool:
        """Whether the player may re-enter at this level, with no chips left."""
        return may_take(self.plan.reentry, self.level, self.reentries[player])

    def rebuy_or_leave(self, broke: list[Seated]) -> tuple[list[int], list[Seated]]:
        """Step 3: who leaves the seat to re-enter, and who is out."""
        reentering, out = [], []
        for table, seat, player in broke:
            if self.plan.rebuy is not None and self.may_rebuy(player):
                self.rebuys[player] += 1
                self.buy((table, seat, player), "rebuy", self.plan.rebuy)
                continue
            self.leave(table, seat)
            if self.may_reenter(player):
                reentering.append(player)
            else:
                out.append((table, seat, player))
        return reentering, out

    def buy(self, seated: Seated, kind: str, offer: Again) -> None:
        """Add the chips to the player's stack."""
        self.stacks[seated[2]] += offer.chips
        self.bought += offer.chips
        self.tell(kind, seated, offer.chips)

    def leave(self, table: int, seat: int) -> int:
        """Free a seat; who had it."""
        return next(one for one in self.tables if one.number == table).players.pop(seat)

    def go_out(self, out: list[Seated]) -> None:
        """Of step 4: who finishes in what order, the smallest stack first, then by table and seat."""
        for table, seat, player in sorted(out, key=lambda seated: (self.began[seated[2]], seated[0], seated[1])):
            self.tell("out", (table, seat, player), self.began[player])
            self.last_seats[player] = table, seat
            assert self.stacks.pop(player) == 0, f"player {player} is out with chips"

    def add_on(self, tables: list[Table]) -> None:
        """Step 6."""
        if self.plan.addon is None or self.level <= self.plan.addon.level:
            return
        for table in tables:
            for seat, player in sorted(table.players.items()):
                if player not in self.had_addon:
                    self.had_addon.add(player)
                    self.buy((table.number, seat, player), "addon", self.plan.addon)

    def sit_down(self, player: int) -> Seated:
        """How everybody sits down who comes to a table (step 7)."""
        table = min(self.kept(), key=lambda table: (len(table.players), table.number))
        seat = min(seat for seat in range(table.seats) if seat not in table.players)
        table.players[seat] = player
        return table.number, seat, player

    def reenter(self, players: list[int]) -> None:
        """Step 7."""
        for player in players:
            assert self.plan.reentry is not None
            self.reentries[player] += 1
            self.buy(self.sit_down(player), "reentry", self.plan.reentry)

    def anybody_can_buy_in(self) -> bool:
        """Whether it is a level of rebuys or re-entries."""
        return any(offer is not None and self.level <= offer.level for offer in (self.plan.rebuy, self.plan.reentry))

    def entries(self) -> int:
        """Those at the start and the re-entries; a rebuy is no entry."""
        return self.plan.field + sum(self.reentries.values())

    def pool(self) -> int:
        """The prize money that has been paid so far."""
        taken = (
            (self.plan.reentry, sum(self.reentries.values())),
            (self.plan.rebuy, sum(self.rebuys.values())),
            (self.plan.addon, len(self.had_addon)),
        )
        return self.plan.field * self.plan.prize + sum(offer.price * times for offer, times in taken if offer)

    def places_paid(self) -> int:
        """How many places are paid by what has been bought so far; of a satellite those with equal prizes."""
        return self.plan.payouts.places(self.entries(), self.plan.field, self.pool())

    def is_over(self) -> bool:
        """Step 5."""
        if len(self.stacks) == 1:
            return True
        return self.plan.payouts.equal and len(self.stacks) <= self.places_paid() and not self.anybody_can_buy_in()

    def kept(self) -> list[Table]:
        """The tables that are not to be broken."""
        return [table for table in self.tables if table.number not in self.to_break]

    def break_tables(self) -> None:
        """Step 8."""
        enough = -(-len(self.stacks) // self.plan.seats)
        self.to_break.update(table.number for table in self.kept()[enough:])
        for table in [table for table in reversed(self.tables) if table.number in self.to_break and not table.in_hand]:
            self.tables.remove(table)
            self.tell("broken", (table.number, -1, -1))
            for seat in table.from_the_dealer():
                self.move(table, seat)

    def move(self, table: Table, seat: int) -> None:
        """A player gives up a seat and sits down as in step 7."""
        player = table.players.pop(seat)
        self.tell("moved", self.sit_down(player), self.stacks[player], table.number * 8 + seat)

    def balance(self) -> None:
        """Step 9."""
        while True:
            fewest = min(len(table.players) for table in self.kept())
            giving = [table for table in self.tables if not table.in_hand and len(table.players) >= fewest + 2]
            if not giving:
                return
            table = min(giving, key=lambda table: (-len(table.players), table.number))
            self.move(table, table.from_the_dealer()[0])

    def judge_hand_for_hand(self) -> None:
        """Step 10."""
        bubble = len(self.stacks) == self.places_paid() + 1
        holds = bubble and len(self.tables) > 1 and not self.anybody_can_buy_in()
        if holds != self.hand_for_hand:
            self.hand_for_hand = holds
            self.tell("hand_for_hand", amount=int(holds))

    def begin_hands(self) -> None:
        """Step 11; hand-for-hand all tables wait for each other."""
        if self.hand_for_hand and any(table.in_hand for table in self.tables):
            return
        beginning = [table for table in self.tables if not table.in_hand and len(table.players) >= 2]
        for table in beginning:
            self.begin_hand(table)
        if self.hand_for_hand:
            slowest = max(table.over_at for table in beginning if table.over_at is not None)
            for table in beginning:
                table.over_at = slowest

    def check(self) -> None:
        """Everybody who is left sits once and has chips, and all chips are there that were bought."""
        seated = [player for table in self.tables for player in table.players.values()]
        assert sorted(seated) == sorted(self.stacks), "somebody sits twice or not at all"
        assert min(self.stacks.values()) > 0, "somebody sits without chips"
        assert sum(self.stacks.values()) == self.bought, "chips were made or lost"
        assert all(0 <= seat < self.plan.seats for table in self.tables for seat in table.players), "no such seat"

    def remember_seats(self) -> None:
        """Who is left when play ends has the last seat there."""
        for table in self.tables:
            for seat, player in table.players.items():
                self.last_seats[player] = table.number, seat


def dealt_around(order: list[int], tables: int) -> list[Seated]:
    """Player number i of the order at table i mod T, in seat i div T.

    >>> dealt_around([4, 2, 0], tables=2)
    [(0, 0, 4), (1, 0, 2), (0, 1, 0)]
    """
    return [(place % tables, place // tables, player) for place, player in enumerate(order)]


def dealt_in_pairs(order: list[int]) -> list[Seated]:
    """Numbers 2j and 2j + 1 of the order at table j."""
    return [(place // 2, place % 2, player) for place, player in enumerate(order)]


def play_tables(floor: Floor, order: list[int]) -> None:
    """A tournament in which tables are broken and balanced; the start is a moment at which no hand is over."""
    floor.begin_round(0, dealt_around(order, -(-len(order) // floor.plan.seats)))
    tables: list[Table] = []
    while not over_after_moment(floor, tables):
        tables = floor.next_moment()
    floor.remember_seats()
    floor.places.update({player: (1, len(floor.stacks)) for player in floor.stacks})


def over_after_moment(floor: Floor, tables: list[Table]) -> bool:
    """What happens when the hands of these tables are over; whether the tournament then is."""
    broke = floor.end_hands(tables)
    floor.reach_level()
    left = len(floor.stacks)
    reentering, out = floor.rebuy_or_leave(broke)
    floor.places.update(finishing_places({player: floor.began[player] for _, _, player in out}, left))
    floor.go_out(out)
    if floor.is_over():
        floor.check()
        return True
    floor.add_on(tables)
    floor.reenter(reentering)
    floor.check()
    floor.break_tables()
    floor.balance()
    floor.judge_hand_for_hand()
    floor.begin_hands()
    floor.check()
    return False


def play_rounds(floor: Floor, order: list[int]) -> None:
    """A shootout or a bracket, round by round; who goes on without playing has no seat."""
    number = 0
    while len(order) > 1:
        seated, byes = dealt_for_a_round(floor.plan, order)
        floor.begin_round(number, seated)
        finishes = play_round(floor)
        order = [player for table in floor.tables for player in table.players.values()] + byes
        place_losers(floor, finishes, len(order))
        floor.remember_seats()
        floor.last_seats.update({player: (floor.opened, place) for place, player in enumerate(byes)})
        number += 1
        if floor.plan.payouts.equal and len(order) <= floor.places_paid():
            break
    floor.places.update({player: (1, len(order)) for player in order})


def dealt_for_a_round(plan: Tournament, order: list[int]) -> tuple[list[Seated], list[int]]:
    """Who plays the next round where, and who goes on without playing."""
    if plan.kind == "shootout":
        return dealt_around(order, -(-len(order) // plan.seats)), []
    playing = 2 * first_tables(len(order))
    return dealt_in_pairs(order[:playing]), order[playing:]


def first_tables(players: int) -> int:
    """At how many tables a round of a bracket is played, for the next one to be a power of two.

    >>> [first_tables(players) for players in (2, 3, 4, 5, 7, 8, 9)]
    [1, 1, 2, 1, 3, 4, 1]
    """
    power = 1
    while power * 2 <= players:
        power *= 2
    return players - power if players > power else players // 2


def play_round(floor: Floor) -> dict[int, int]:
    """Play all tables of a round down to one player; at what place of its table each loser finished."""
    finishes: dict[int, int] = {}
    floor.begin_hands()
    while any(table.in_hand for table in floor.tables):
        tables = floor.next_moment()
        left = {table.number: len(table.players) for table in tables}
        broke = floor.end_hands(tables)
        floor.reach_level()
        _, out = floor.rebuy_or_leave(broke)
        for number in left:
            began = {player: floor.began[player] for table, _, player in out if table == number}
            found = finishing_places(began, left[number])
            finishes.update({player: first for player, (first, _) in found.items()})
        floor.go_out(out)
        floor.check()
        floor.begin_hands()
    assert all(len(table.players) == 1 for table in floor.tables), "a table is not decided"
    return finishes


def place_losers(floor: Floor, finishes: dict[int, int], going_on: int) -> None:
    """Places behind those who go on: the best finishes at the tables first, equal ones share."""
    for player, finish in finishes.items():
        better = sum(other < finish for other in finishes.values())
        equal = sum(other == finish for other in finishes.values())
        floor.places[player] = going_on + better + 1, going_on + better + equal


def pay(floor: Floor) -> None:
    """Tell the places and the prizes; who shares places shares their prizes, odd units go by table and seat."""
    plan, places = floor.plan, floor.places
    taken = [place for first, last in set(places.values()) for place in range(first, last + 1)]
    assert sorted(places) == list(range(plan.field)), "not everybody has a place"
    assert sorted(taken) == list(range(1, plan.field + 1)), "places are missing or told twice"
    prizes = plan.payouts.prizes(floor.entries(), plan.field, floor.pool(), plan.prize)
    won: dict[int, int] = {}
    for first, last in set(places.values()):
        sharing = sorted((one for one in places if places[one] == (first, last)), key=floor.last_seats.__getitem__)
        assert len(sharing) == last - first + 1, f"{len(sharing)} players share places {first} to {last}"
        each, odd = divmod(sum(prizes[first - 1 : last]), len(sharing))
        won.update({player: each + (place < odd) for place, player in enumerate(sharing)})
    due = sum(plan.payouts.values) if plan.payouts.kind == "amounts" else floor.pool()
    assert sum(won.values()) == due, f"prizes of {sum(won.values())}, not of {due}"
    for player in sorted(places):
        floor.tell("place", (-1, -1, player), *places[player])
    for player in sorted(won):
        if won[player] > 0:
            floor.tell("prize", (-1, -1, player), won[player])
