"""One betting round (RULES.md: "Bring-in", "Third-street betting", "Betting")."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from .pots import Rake


@dataclass(frozen=True)
class Options:
    """The rule options, named and valued as in RULES.md."""

    bring_in_card: str
    bring_in_fallback: str
    bring_in_option: bool
    opens: str
    opener_tie: str
    betting: str
    bets_per_round: int
    heads_up_cap: str
    short_all_in: str
    odd_chip: str
    burn_cards: bool
    community_street_betting: bool
    show_first: str
    free_fold: str

    def __post_init__(self) -> None:
        for option, values in OPTION_VALUES.items():
            if getattr(self, option) not in values:
                raise ValueError(f"{option} {getattr(self, option)!r} must be one of {values}")
        if self.bets_per_round < 0:
            raise ValueError(f"bets_per_round {self.bets_per_round} must be 0 (no cap) or more")


OPTION_VALUES: dict[str, tuple[str | int, ...]] = {
    "bring_in_card": ("high", "low"),
    "bring_in_fallback": ("next_seat", "none"),
    "bring_in_option": (False, True),
    "opens": ("low_board", "high_board"),
    "opener_tie": ("position", "suit"),
    "betting": ("fixed_limit", "pot_limit", "no_limit"),
    "heads_up_cap": ("always", "off_if_round_began_heads_up", "off_if_two_left_in_tournament"),
    "short_all_in": ("half_bet", "full_bet_only", "bring_in_level"),
    "odd_chip": ("position", "high_card", "low_card"),
    "burn_cards": (False, True),
    "community_street_betting": (True, False),
    "show_first": ("seat", "opener"),
    "free_fold": ("allow", "check"),
}


_POKERSTARS = Options(
    bring_in_card="high",
    bring_in_fallback="next_seat",
    bring_in_option=False,
    opens="low_board",
    opener_tie="position",
    betting="fixed_limit",
    bets_per_round=4,
    heads_up_cap="always",
    short_all_in="half_bet",
    odd_chip="position",
    burn_cards=False,
    community_street_betting=True,
    show_first="seat",
    free_fold="allow",
)

_WSOP_LIVE = replace(
    _POKERSTARS,
    bring_in_fallback="none",
    bets_per_round=5,
    heads_up_cap="off_if_round_began_heads_up",
    odd_chip="high_card",
    burn_cards=True,
    show_first="opener",
)

PRESETS: dict[str, Options] = {
    "pokerstars": _POKERSTARS,
    "wsop_live": _WSOP_LIVE,
    "wsop_tournament": replace(_WSOP_LIVE, heads_up_cap="off_if_two_left_in_tournament"),
    "low_card_a": replace(_POKERSTARS, bring_in_card="low", bring_in_option=True, opens="high_board", bets_per_round=5),
    "low_card_b": replace(_POKERSTARS, bring_in_card="low", community_street_betting=False),
}


@dataclass(frozen=True)
class Stakes:
    """All amounts in the smallest unit; `chip` is the smallest denomination in play."""

    ante: int
    bring_in: int
    small_bet: int
    big_bet: int
    chip: int = 1
    rake: Rake | None = None

    def bet(self, street: int) -> int:
        """The bet of a street: small on third and fourth, big later."""
        return self.small_bet if street <= 4 else self.big_bet


@dataclass(frozen=True)
class Decision:
    """What one seat is asked.

    `stay` is the chips that a check (0), a call or posting the bring-in puts in. `raise_min` and `raise_max`
    are "to" amounts on this street, both 0 when no bet or raise is legal.
    """

    seat: int
    street: int
    fold: bool
    stay: int
    raise_min: int
    raise_max: int


Ask = Callable[[Decision], tuple[str, int]]


@dataclass
class Table:
    """Where the chips are: behind each seat, in the middle, and who is still live."""

    dealer: int
    chips: list[int]
    contributions: list[int]
    live: list[bool]

    def clockwise(self, first: int) -> list[int]:
        """The live seats, beginning with `first` (or whoever comes next)."""
        seats = len(self.live)
        return [seat % seats for seat in range(first, first + seats) if self.live[seat % seats]]

    def from_the_dealer(self) -> list[int]:
        """The live seats, beginning with the seat to the left of the dealer."""
        return self.clockwise(self.dealer + 1)

    def with_chips(self, first: int = 0) -> list[int]:
        """The live seats that hold chips, beginning with `first` (or whoever comes next)."""
        return [seat for seat in self.clockwise(first) if self.chips[seat] > 0]

    def put_in(self, seat: int, amount: int) -> None:
        """Move chips from a seat to the middle."""
        self.chips[seat] -= amount
        self.contributions[seat] += amount


@dataclass(frozen=True)
class LastAction:
    """What a seat knew when it last acted: the wager it matched, and how many full wagers there had been."""

    matched: int
    full_wagers: int


@dataclass
class Round:
    """The wagers of one street while they are made; `cap` is how many bets and raises it may have."""

    table: Table
    options: Options
    street: int
    bet: int
    cap: int | None
    in_front: list[int] = field(init=False)  # what each seat put in on this street
    wager: int = 0  # the present wager, that everybody must match
    counted: int = 0  # L, the last amount that counted (fixed limit)
    bets: int = 0  # how many wagers counted, for the cap (fixed limit)
    last_full: int = 0  # size of the last full bet or raise (pot limit, no limit); 0 before there is one
    bring_in: int = 0  # a posted bring-in that "counts as 0"; 0 if none was, or it counted as the first bet
    full_wagers: int = 0
    last_actions: dict[int, LastAction] = field(default_factory=dict)
    aggressor: int | None = None

    def __post_init__(self) -> None:
        self.in_front = [0] * len(self.table.live)

    # Who is asked, and what.

    def play(self, first: int, ask: Ask) -> None:
        """Ask the seats clockwise, beginning with `first`, until nobody is left to act."""
        seat = self.next_to_act(first)
        while seat is not None:
            self.act(seat, *ask(self.decision(seat)))
            seat = self.next_to_act(seat + 1)

    def next_to_act(self, first: int) -> int | None:
        """The next seat clockwise that must be asked; None when the round is over."""
        live = self.table.clockwise(first)
        if len(live) == 1:
            return None
        return next((seat for seat in live if self.must_be_asked(seat)), None)

    def must_be_asked(self, seat: int) -> bool:
        """With chips, if it faces an unmatched wager or (two live seats holding chips) has not acted yet."""
        if self.table.chips[seat] == 0:
            return False
        if self.in_front[seat] < self.wager:
            return True
        return seat not in self.last_actions and len(self.table.with_chips()) >= 2

    def decision(self, seat: int) -> Decision:
        """What a seat may do, in its turn."""
        stay = min(self.wager - self.in_front[seat], self.table.chips[seat])
        low, high = self.raise_range(seat) if self.may_raise(seat) else (0, 0)
        return Decision(seat, self.street, fold=True, stay=stay, raise_min=low, raise_max=high)

    def opening_decision(self, seat: int, bring_in: int) -> Decision:
        """The seat that owes the bring-in posts it or opens for any legal bet; it may not fold."""
        post = min(bring_in, self.table.chips[seat])
        low, high = self.raise_range(seat) if self.may_raise(seat) else (0, 0)
        if bring_in == self.bet and high > post:
            # the bring-in counts as the first bet: the next is a full one more, or all-in for less
            low = min(bring_in + self.bet, self.all_in_to(seat))
            if high < low:
                low, high = 0, 0
        if high <= post:
            low, high = 0, 0
        return Decision(seat, self.street, fold=False, stay=post, raise_min=low, raise_max=high)

    # Who may raise, and to what.

    def all_in_to(self, seat: int) -> int:
        """The most a seat can have put in on this street."""
        return self.in_front[seat] + self.table.chips[seat]

    def may_raise(self, seat: int) -> bool:
        """Whether any bet or raise is legal, all-ins for less included."""
        if self.cap is not None and self.bets >= self.cap:
            return False
        others = [other for other in self.table.clockwise(0) if other != seat]
        if all(self.all_in_to(other) <= self.wager for other in others):
            return False
        return self.all_in_to(seat) > self.wager and self.open_to(seat)

    def open_to(self, seat: int) -> bool:
        """Whether a seat has not acted, or the betting was reopened to it since ("All-in for less")."""
        if seat not in self.last_actions:
            return True
        last = self.last_actions[seat]
        if self.full_wagers > last.full_wagers:
            return True
        if self.options.betting != "fixed_limit":
            return False  # "Only a full raise reopens."
        faced = self.wager - last.matched
        if self.options.short_all_in == "full_bet_only":
            return faced >= self.bet
        return 2 * faced >= self.bet

    def raise_range(self, seat: int) -> tuple[int, int]:
        """The least and the most a bet or raise may be "to"; an all-in for less is both."""
        all_in = self.all_in_to(seat)
        least = self.full_wager()
        if self.options.betting == "fixed_limit":
            most = least
        elif self.options.betting == "pot_limit":
            pot = sum(self.table.contributions)
            most = max(least, self.wager + pot + (self.wager - self.in_front[seat]))
        else:
            most = max(least, all_in)
        return min(least, all_in), min(most, all_in)

    def full_wager(self) -> int:
        """What the next full bet or raise must at least be "to"."""
        if self.options.betting == "fixed_limit":
            return self.counted + self.bet
        if self.last_full == 0:
            return self.bet  # nobody has wagered the opening minimum
        return self.wager + self.last_full

    # What an action does.

    def act(self, seat: int, action: str, to: int) -> None:
        """Carry out a legal action."""
        if action == "fold":
            self.table.live[seat] = False
            return
        if action == "raise":
            self.put_in(seat, to - self.in_front[seat])
            self.raise_wager(seat, to)
        else:
            self.put_in(seat, min(self.wager - self.in_front[seat], self.table.chips[seat]))
        self.has_acted(seat)

    def put_in(self, seat: int, amount: int) -> None:
        """Move chips to the middle as part of this street's bet."""
        self.table.put_in(seat, amount)
        self.in_front[seat] += amount

    def has_acted(self, seat: int) -> None:
        """Remember what the seat matched, "the bring-in counting as 0"."""
        matched = 0 if self.wager == self.bring_in else self.wager
        self.last_actions[seat] = LastAction(matched, self.full_wagers)

    def raise_wager(self, seat: int, to: int) -> None:
        """A bet, completion or raise "to" an amount, perhaps all-in for less."""
        full = to >= self.full_wager()
        if self.options.betting == "fixed_limit":
            self.count_fixed_limit(to, full)
        elif full:
            self.last_full = to if self.last_full == 0 else to - self.wager
        self.full_wagers += full
        self.wager = to
        self.aggressor = seat

    def count_fixed_limit(self, to: int, full: bool) -> None:
        """Whether a wager counts: it adds one to the cap and becomes L ("All-in for less, fixed limit")."""
        half = 2 * (to - self.counted) >= self.bet
        over_bring_in = self.counted == 0 and self.bring_in > 0 and self.wager == self.bring_in
        if full or (half and self.options.short_all_in != "full_bet_only"):
            self.bets += 1
            self.counted = to
        if self.options.short_all_in == "bring_in_level" and over_bring_in and not full:
            self.counted = self.bring_in  # "after a short all-in over the bring-in L is the bring-in", counted or not

    def post_bring_in(self, seat: int, bring_in: int) -> None:
        """Post the bring-in, all-in if the chips do not reach; everyone else owes all of it."""
        self.put_in(seat, min(bring_in, self.table.chips[seat]))
        if bring_in == self.bet:  # "A bring-in equal to the small bet counts as the first bet."
            self.raise_wager(seat, bring_in)
            self.has_acted(seat)
            return
        self.wager = bring_in
        self.bring_in = bring_in
        if not self.options.bring_in_option:
            self.has_acted(seat)
