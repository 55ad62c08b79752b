"""A hand's decisions with the table around each, read from what the reference was asked and answered.

What a full bet or raise would make is recounted here for the third time, apart from engine and reference: wherever a
wager is legal the recount must say the same, so a branch that is counted by it was truly taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from aimed_hands import Aim
from reference.rules_in_plain_python import Decision
from side_by_side import Course

from razz_sim.rules import RuleSet, Stakes


@dataclass(frozen=True, slots=True)
class Step:
    """A decision and the table around it, before it was answered; `live` seats have not folded."""

    seat: int
    street: int
    opening: bool
    stay: int
    raise_min: int
    raise_max: int
    kind: str
    to: int
    bet: int
    all_in_to: int
    wager: int
    full_to: int
    counted: int
    bring_in: int
    bets_per_round: int
    began_with: int  # seats with chips when the round began
    live: frozenset[int]
    able: frozenset[int]  # live seats with chips behind
    could_answer: bool  # another live seat could put in more than the wager
    acted: bool
    matched: int  # the wager it matched when it last acted, a bring-in counting as 0
    full_since_acted: bool
    raises: int  # on this street so far
    short_raises: int
    shorts_since_acted: tuple[int, ...]  # by how much each all-in for less went above the wager before it

    @property
    def short(self) -> bool:
        """It is answered by an all-in for less than a full bet or raise."""
        return self.kind == "raise" and self.to < self.full_to

    @property
    def faced(self) -> int:
        """What the seat faces beyond the wager it matched last."""
        return self.wager - self.matched

    @property
    def wants_to_raise(self) -> bool:
        """It has chips for more than a call, and somebody could answer."""
        return self.all_in_to > self.wager and self.could_answer


def steps_of(course: Course) -> list[Step]:
    """The hand's decisions with what is known of the table at each."""
    return list(_walk(course))


def _walk(course: Course) -> Iterator[Step]:
    stacks, ante = course.table.stacks, course.table.stakes.ante
    chips = [max(0, stack - ante) for stack in stacks]
    live = {seat for seat, stack in enumerate(stacks) if stack > 0}
    this: _Round | None = None
    for decision, kind, to in course.result.decisions:
        if this is None or decision.street != this.street:
            this = _Round(course.table.rules, course.table.stakes, decision.street, chips, live)
        yield this.step(decision, kind, to)
        this.carry_out(decision, kind, to)


@dataclass
class _Round:
    """One street's wagers, recounted; `chips` and `live` are the hand's."""

    rules: RuleSet
    stakes: Stakes
    street: int
    chips: list[int]
    live: set[int]
    in_front: dict[int, int] = field(default_factory=dict)
    matched: dict[int, int] = field(default_factory=dict)
    acted: set[int] = field(default_factory=set)
    full_since: set[int] = field(default_factory=set)
    shorts_since: dict[int, list[int]] = field(default_factory=dict)
    wager: int = 0
    counted: int = 0
    last_full: int = 0
    raises: int = 0
    short_raises: int = 0
    posted: bool = False
    began_with: int = field(init=False)

    def __post_init__(self) -> None:
        self.began_with = len(self.able())

    @property
    def bet(self) -> int:
        return self.stakes.small_bet if self.street <= 4 else self.stakes.big_bet

    @property
    def full_to(self) -> int:
        """What the smallest full bet or raise makes."""
        if self.rules.betting == "fixed_limit":
            return self.counted + self.bet
        return self.wager + self.last_full if self.last_full else self.bet

    def able(self) -> frozenset[int]:
        return frozenset(seat for seat in self.live if self.chips[seat] > 0)

    def all_in_to(self, seat: int) -> int:
        return self.in_front.get(seat, 0) + self.chips[seat]

    def step(self, decision: Decision, kind: str, to: int) -> Step:
        """The decision as the table stood; the recount must agree with what was offered."""
        seat = decision.seat
        over_a_bet = not decision.fold and self.stakes.bring_in == self.bet  # opening: the bring-in is the first bet
        full_to = self.stakes.bring_in + self.bet if over_a_bet else self.full_to
        if decision.raise_min:
            assert decision.raise_min == min(full_to, self.all_in_to(seat)), "the recount of full wagers is wrong"
        return Step(
            seat=seat,
            street=self.street,
            opening=not decision.fold,
            stay=decision.stay,
            raise_min=decision.raise_min,
            raise_max=decision.raise_max,
            kind=kind,
            to=to,
            bet=self.bet,
            all_in_to=self.all_in_to(seat),
            wager=self.wager,
            full_to=full_to,
            counted=self.counted,
            bring_in=self.stakes.bring_in,
            bets_per_round=self.rules.bets_per_round,
            began_with=self.began_with,
            live=frozenset(self.live),
            able=self.able(),
            could_answer=any(self.all_in_to(other) > self.wager for other in self.live - {seat}),
            acted=seat in self.acted,
            matched=self.matched.get(seat, 0),
            full_since_acted=seat in self.full_since,
            raises=self.raises,
            short_raises=self.short_raises,
            shorts_since_acted=tuple(self.shorts_since.get(seat, ())),
        )

    def carry_out(self, decision: Decision, kind: str, to: int) -> None:
        """Move the chips and recount."""
        seat = decision.seat
        if kind == "fold" and not (decision.stay == 0 and self.rules.free_fold == "check"):
            self.live.discard(seat)
            return
        put = to - self.in_front.get(seat, 0) if kind == "raise" else decision.stay
        self.chips[seat] -= put
        self.in_front[seat] = self.in_front.get(seat, 0) + put
        self.full_since.discard(seat)
        self.shorts_since[seat] = []
        if kind == "raise":
            self._raise(seat, to)
        elif not decision.fold:
            self._post(seat)
        else:
            self._has_acted(seat)

    def _has_acted(self, seat: int) -> None:
        self.acted.add(seat)
        only_bring_in = self.raises == 0 and self.posted and self.wager < self.bet
        self.matched[seat] = 0 if only_bring_in else self.wager

    def _post(self, seat: int) -> None:
        self.posted = True
        self.wager = self.stakes.bring_in
        if self.wager == self.bet:
            self.counted = self.last_full = self.bet
        if self.wager == self.bet or not self.rules.bring_in_option:
            self._has_acted(seat)

    def _raise(self, seat: int, to: int) -> None:
        full = to >= self.full_to
        over_bring_in = self.posted and self.raises == 0 and self.wager < self.bet
        self.raises += 1
        if full:
            self.last_full = to - self.wager if self.last_full else to
            self.full_since = self.acted - {seat}
        else:
            self.short_raises += 1
            for other in self.acted - {seat}:
                self.shorts_since.setdefault(other, []).append(to - self.wager)
        if full or (2 * (to - self.counted) >= self.bet and self.rules.short_all_in != "full_bet_only"):
            self.counted = to
        if not full and over_bring_in and self.rules.short_all_in == "bring_in_level":
            self.counted = self.stakes.bring_in
        self.wager = to
        self._has_acted(seat)


@dataclass(frozen=True, slots=True)
class Branch:
    """A situation that the rules speak of: its name, where to aim, and whether a hand met it."""

    name: str
    aim: Aim
    met: Callable[[Course], bool]

    def __str__(self) -> str:
        return self.name.replace(" ", "_")


def any_step(test: Callable[[Step], bool]) -> Callable[[Course], bool]:
    """Whether any of a hand's steps is so."""
    return lambda course: any(test(step) for step in steps_of(course))


def third_street(course: Course) -> list[Step]:
    """The hand's decisions on third street."""
    return [step for step in steps_of(course) if step.street == 3]


def walked(course: Course) -> bool:
    """Everyone folded to the bring-in."""
    third = third_street(course)
    return len(third) > 1 and third[0].kind == "stay" and all(step.kind == "fold" for step in third[1:])
