"""One hand of Razz as RULES.md has it, written for obviousness, not for speed.

>>> order = list(range(52))
>>> stakes = Stakes(ante=1, bring_in=2, small_bet=10, big_bet=20)
>>> call_down = lambda decision: ("stay", 0)
>>> play_hand(PRESETS["pokerstars"], stakes, [100, 100], 0, order, call_down).finishing_stacks
[97, 103]
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from .betting import PRESETS, Decision, Options, Round, Stakes, Table
from .lows import Card, low_key, opening_board
from .pots import Pot, Rake, award, pots_by_level, rake_of, raked, uncalled

__all__ = [
    "PRESETS",
    "Card",
    "Decision",
    "Options",
    "Pot",
    "Rake",
    "Result",
    "Stakes",
    "low_key",
    "play_hand",
]

Decide = Callable[[Decision], tuple[str, int]]


@dataclass(frozen=True)
class Result:
    """All that happened in one hand; lists indexed by seat unless named otherwise."""

    decisions: list[tuple[Decision, str, int]]  # with the answer as it was given
    bring_in_seat: int | None  # who posted or would have posted
    openers: dict[int, int]  # street -> seat that had the first decision, fourth to seventh street
    up: list[list[Card]]
    hole: list[list[Card]]
    community: Card | None
    folded: tuple[bool, ...]
    contributions: list[int]  # net of returned chips
    returned: list[int]
    pots: list[Pot]  # main pot first, before rake
    awards: list[int]
    rake: int
    finishing_stacks: list[int]
    show_order: list[int]  # all live seats in order of showing; empty when nobody shows
    last_street: int  # the street on which the hand's last card round was dealt
    free_folds: int


def play_hand(
    options: Options,
    stakes: Stakes,
    stacks: list[int],
    dealer: int,
    deck: list[Card],
    decide: Decide,
    *,
    tournament: bool = False,
    players_left: int | None = None,
) -> Result:
    """Play one hand; `deck` is the order in which cards come, `decide` answers for every seat.

    It answers ``("fold", 0)``, ``("stay", 0)`` or ``("raise", to)``; anything illegal raises ValueError.
    """
    if len(set(deck)) != len(deck):
        raise ValueError("the deck holds a card twice")
    dealt_in = [chips > 0 for chips in stacks]
    if sum(dealt_in) < 2:
        raise ValueError(f"stacks {stacks}: at least two seats must have chips")
    if players_left is None:
        players_left = sum(dealt_in)
    hand = Hand(
        options=options,
        stakes=stakes,
        decide=decide,
        table=Table(dealer, list(stacks), [0] * len(stacks), list(dealt_in)),
        stub=list(deck),
        two_left_in_tournament=tournament and players_left == 2,
    )
    hand.play()
    return result_of(hand, stacks, dealt_in, tournament)


@dataclass
class Hand:
    """The hand while it is played."""

    options: Options
    stakes: Stakes
    decide: Decide
    table: Table
    stub: list[Card]
    two_left_in_tournament: bool
    up: list[list[Card]] = field(init=False)
    hole: list[list[Card]] = field(init=False)
    burns: list[Card] = field(default_factory=list)
    community: Card | None = None
    street: int = 3
    bring_in_seat: int | None = None
    decisions: list[tuple[Decision, str, int]] = field(default_factory=list)
    openers: dict[int, int] = field(default_factory=dict)
    last_aggressor: int | None = None  # of the last street dealt
    free_folds: int = 0

    def __post_init__(self) -> None:
        self.up = [[] for _ in self.table.live]
        self.hole = [[] for _ in self.table.live]

    def play(self) -> None:
        """The hand, street by street."""
        self.post_antes()
        self.deal_third_street()
        self.bet_third_street()
        for street in (4, 5, 6, 7):
            if len(self.table.clockwise(0)) == 1:
                return
            self.street = street
            self.deal_street()
            self.bet_street()

    # The cards.

    def post_antes(self) -> None:
        """Dead money; a seat with less than the ante is all-in for what it has."""
        for seat in self.table.clockwise(0):
            self.table.put_in(seat, min(self.stakes.ante, self.table.chips[seat]))

    def deal_third_street(self) -> None:
        """From the dealer, each seat two cards down and the door card up."""
        for seat in self.table.from_the_dealer():
            self.hole[seat] += [self.stub.pop(0), self.stub.pop(0)]
            self.up[seat].append(self.stub.pop(0))

    def deal_street(self) -> None:
        """Fourth to sixth street up, seventh down or a community card; with burns, one is burned first."""
        community = self.street == 7 and self.too_few_cards_for_seventh()
        if self.options.burn_cards:
            self.burns.append(self.stub.pop(0))
        if community:
            self.community = self.stub.pop(0)
            return
        cards = self.hole if self.street == 7 else self.up
        for seat in self.table.from_the_dealer():
            cards[seat].append(self.stub.pop(0))

    def too_few_cards_for_seventh(self) -> bool:
        """Whether a community card is dealt; shuffles the burns in where LA 228 says so."""
        live = len(self.table.clockwise(0))
        if not self.options.burn_cards:
            return len(self.stub) < live
        need = live + 2
        if len(self.stub) >= need:
            return False
        enough_with_burns = len(self.stub) + len(self.burns) >= need
        if enough_with_burns or len(self.stub) <= 2:
            self.stub += self.burns
            self.burns = []
        return not enough_with_burns

    # The betting.

    def bet_third_street(self) -> None:
        """The bring-in and what follows; fewer than two live seats with chips: no bring-in, no betting."""
        if len(self.table.with_chips()) < 2:
            return
        betting = self.new_round()
        owes = self.owes_bring_in()
        first = self.table.with_chips(owes)[0]
        if first != owes and self.options.bring_in_fallback == "none":
            betting.play(first, self.ask)
            return
        self.bring_in_seat = first
        action, to = self.ask(betting.opening_decision(first, self.stakes.bring_in))
        if action == "raise":
            betting.act(first, action, to)
        else:
            betting.post_bring_in(first, self.stakes.bring_in)
        betting.play(first + 1, self.ask)

    def owes_bring_in(self) -> int:
        """The seat with the highest (or lowest) door card, whether or not it has chips left."""
        worst = max if self.options.bring_in_card == "high" else min
        return worst(self.table.clockwise(0), key=lambda seat: self.up[seat][0])

    def bet_street(self) -> None:
        """Fourth to seventh street: the best board opens, or the next seat clockwise that can act."""
        self.last_aggressor = None
        no_betting = self.community is not None and not self.options.community_street_betting
        if no_betting or len(self.table.with_chips()) < 2:
            return
        first = self.table.with_chips(self.best_board())[0]
        self.openers[self.street] = first
        betting = self.new_round()
        betting.play(first, self.ask)
        self.last_aggressor = betting.aggressor

    def best_board(self) -> int:
        """The live seat, all-in or not, whose up cards open; a community card is part of no board."""
        boards = {seat: self.up[seat] for seat in self.table.from_the_dealer()}
        return opening_board(boards, self.options.opens, self.options.opener_tie)

    def new_round(self) -> Round:
        """A betting round before its first wager."""
        return Round(self.table, self.options, self.street, self.stakes.bet(self.street), self.cap())

    def cap(self) -> int | None:
        """How many bets and raises the round that now begins may have; None for no cap."""
        options = self.options
        if options.betting != "fixed_limit" or options.bets_per_round == 0:
            return None
        if options.heads_up_cap == "off_if_round_began_heads_up" and len(self.table.with_chips()) == 2:
            return None
        if options.heads_up_cap == "off_if_two_left_in_tournament" and self.two_left_in_tournament:
            return None
        return options.bets_per_round

    def ask(self, decision: Decision) -> tuple[str, int]:
        """Ask a seat, refuse an illegal answer, and turn a free fold into a check where the room does."""
        action, to = self.decide(decision)
        refuse_illegal(decision, action, to)
        self.decisions.append((decision, action, to))
        if action == "fold" and decision.stay == 0:
            self.free_folds += 1
            if self.options.free_fold == "check":
                return "stay", 0
        return action, to

    # The showdown.

    def show_order(self) -> list[int]:
        """The last aggressor of seventh street first, else by `show_first`; then clockwise."""
        live = self.table.from_the_dealer()
        if len(live) == 1:
            return []
        if self.last_aggressor is not None:
            return self.table.clockwise(self.last_aggressor)
        if self.options.show_first == "seat":
            return live
        return self.table.clockwise(self.openers[7] if 7 in self.openers else self.best_board())

    def all_cards(self, seat: int) -> list[Card]:
        """The seven cards of a seat at showdown, the community card included."""
        middle = [] if self.community is None else [self.community]
        return self.hole[seat] + self.up[seat] + middle


def refuse_illegal(decision: Decision, action: str, to: int) -> None:
    """Raise ValueError, with the reason, if the answer is not among the choices."""
    where = f"seat {decision.seat} on street {decision.street}"
    if action == "raise":
        if decision.raise_max == 0:
            raise ValueError(f"{where} may not bet or raise")
        if not decision.raise_min <= to <= decision.raise_max:
            raise ValueError(f"{where}: {to} is not in {decision.raise_min}..{decision.raise_max}")
    elif action not in ("fold", "stay") or to != 0:
        raise ValueError(f"{where}: unknown answer {(action, to)}")
    elif action == "fold" and not decision.fold:
        raise ValueError(f"{where} owes the bring-in and may not fold")


def result_of(hand: Hand, stacks: list[int], dealt_in: list[bool], tournament: bool) -> Result:
    """Return uncalled chips, build the pots, rake and award them ("Pots")."""
    table, stakes = hand.table, hand.stakes
    live = table.from_the_dealer()
    returned = uncalled(table.contributions)
    contributions = [put_in - back for put_in, back in zip(table.contributions, returned, strict=True)]
    pots = pots_by_level(contributions, table.live)
    rake = rake_of(
        sum(contributions),
        None if tournament else stakes.rake,
        players=sum(dealt_in),
        last_street=hand.street,
        chip=stakes.chip,
    )
    won = award(
        raked(pots, rake),
        {seat: hand.all_cards(seat) for seat in live},
        from_the_dealer=live,
        odd_chip=hand.options.odd_chip,
        chip=stakes.chip,
    )
    awards = [won.get(seat, 0) for seat in range(len(stacks))]
    return Result(
        decisions=hand.decisions,
        bring_in_seat=hand.bring_in_seat,
        openers=hand.openers,
        up=hand.up,
        hole=hand.hole,
        community=hand.community,
        folded=tuple(was_dealt and not is_live for was_dealt, is_live in zip(dealt_in, table.live, strict=True)),
        contributions=contributions,
        returned=returned,
        pots=pots,
        awards=awards,
        rake=rake,
        finishing_stacks=[
            before - put_in + win for before, put_in, win in zip(stacks, contributions, awards, strict=True)
        ],
        show_order=hand.show_order(),
        last_street=hand.street,
        free_folds=hand.free_folds,
    )
