"""Real hands through the engine: every action legal when it came, every chip where the record has it.

A text that cannot be read is a `HistoryError`; a hand that reads well but breaks the rules is a `RuleViolation`; one
that is legal but ends otherwise than recorded differs. A replay's outcome tells the three apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from razz_sim.cards import NO_CARD, card_text, cards_text
from razz_sim.hand import Action, Deal, GivenCards, Hand, IllegalAction, UnknownCards
from razz_sim.history.compare import differences
from razz_sim.history.detect import scan_hands
from razz_sim.history.record import STREET_NAMES, HistoryError, RecordedAction, RecordedHand, shortened
from razz_sim.rules import DEFAULT_PRESET, OPTION_VALUES, RuleSet, rule_set

Result = Literal["ok", "illegal", "differs", "unreadable"]
_CLAIMS = {
    "bring_in": ("bring_in", "complete", "bet"),
    "bet": ("bet", "complete"),
    "complete": ("complete", "bet"),
    "raise": ("raise", "complete", "bet"),
}
"""What the engine may call a decision for which a room uses one word."""


class RuleViolation(ValueError):
    """A recorded hand does something that its rules do not allow. The sentence says where and what was legal."""


@dataclass(frozen=True, slots=True)
class PotOutcome:
    """A pot before rake, the seats (from 0) that contested it and those that won it."""

    amount: int
    contestants: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ReplayOutcome:
    """What came of one recorded hand. Stacks, pots and the rest are the engine's; empty when it did not finish.

    `result` is `ok`, `illegal` (a rule was broken), `differs` (legal, but the record's chips or showing order are not
    the engine's) or `unreadable`.
    """

    file: str
    hand_id: str
    site: str
    result: Result
    problems: tuple[str, ...] = ()
    rules: str = ""
    finishing_stacks: tuple[int, ...] = ()
    pots: tuple[PotOutcome, ...] = ()
    rake: int = 0
    show_order: tuple[int, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every action was legal and the hand ended as recorded."""
        return self.result == "ok"

    def as_json(self) -> dict[str, object]:
        """Plain data for `json.dumps`."""
        return {**asdict(self), "ok": self.ok}


def replay(recorded: RecordedHand, rules: RuleSet | None = None) -> ReplayOutcome:
    """Play a recorded hand, by its own rules or by those given, and compare.

    Chips taken as rake are the rake rule's if the record has one, else what the record says was taken, else what is
    missing from its finishing stacks.
    """
    rules = rules or recorded.rules
    outcome = ReplayOutcome(
        file=recorded.file, hand_id=recorded.id, site=recorded.site, result="ok", rules=rules.describe()
    )
    try:
        hand = play(recorded, rules)
    except RuleViolation as violation:
        return replace(outcome, result="illegal", problems=(str(violation),))
    except UnknownCards as unknown:
        sentence = f"{recorded.place(recorded.line)}: {unknown}"
        return replace(outcome, result="unreadable", problems=(sentence,))
    problems = tuple(differences(recorded, hand))
    return replace(
        outcome,
        result="differs" if problems else "ok",
        problems=problems,
        finishing_stacks=tuple(hand.stacks),
        pots=tuple(PotOutcome(pot.amount, pot.contestants, pot.winners) for pot in hand.pots),
        rake=hand.rake,
        show_order=tuple(hand.show_order),
    )


def replay_files(
    paths: Iterable[str | Path], preset: str | None = None, options: Mapping[str, object] | None = None
) -> list[ReplayOutcome]:
    """Replay every hand of the files. A preset or options given here beat the rules that the files name.

    Option values may be text as typed (`5`, `true`, `high_card`). A file or hand that cannot be read is an outcome
    among the others. Raises ValueError for an unknown preset, option or value and for a file that is not there.
    """
    chosen = {name: option_value(name, value) for name, value in (options or {}).items()}
    overriding = None if preset is None else rule_set(preset, **chosen)
    rule_set(DEFAULT_PRESET, **chosen)
    files = [Path(path) for path in paths]
    for path in files:
        if not path.exists() or path.is_dir():
            raise HistoryError(str(path), 0, "is a folder, not a file" if path.is_dir() else "there is no such file")
    outcomes = []
    for path in files:
        for hand in _scanned(path):
            recorded = hand.so_far if isinstance(hand, HistoryError) else hand
            rules = overriding
            if rules is None and recorded is not None:
                rules = replace(recorded.rules, **chosen)  # type: ignore[arg-type]
            outcomes.append(broken(hand, rules) if isinstance(hand, HistoryError) else replay(hand, rules))
    return outcomes


def _scanned(path: Path) -> list[RecordedHand | HistoryError]:
    """The file's hands; its error alone when it is no file of hands."""
    try:
        return scan_hands(path)
    except HistoryError as error:
        return [error]


def broken(error: HistoryError, rules: RuleSet | None = None) -> ReplayOutcome:
    """The outcome of a hand that cannot be read: illegal if already an action before that place was.

    A decision that got lost is noticed so, where the next player acts out of turn.
    """
    outcome = ReplayOutcome(file=error.file, hand_id=error.hand, site="", result="unreadable", problems=(str(error),))
    if error.so_far is not None:
        try:
            _play_actions(error.so_far, rules or error.so_far.rules)
        except RuleViolation as violation:
            return replace(outcome, result="illegal", problems=(str(violation), str(error)))
        except UnknownCards:
            pass
    return outcome


def option_value(name: str, value: object) -> object:
    """A rule option's value from the text a user typed; other values pass unchanged.

    >>> option_value("bets_per_round", "5"), option_value("burn_cards", "true"), option_value("odd_chip", "high_card")
    (5, True, 'high_card')
    """
    if not isinstance(value, str):
        return value
    allowed = OPTION_VALUES.get(name, ())
    if allowed == (int,) and value.isdecimal():
        return int(value)
    if bool in {type(one) for one in allowed} and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return value


def play(recorded: RecordedHand, rules: RuleSet) -> Hand:
    """The recorded hand played to its end. Raises RuleViolation at the first thing that was not legal."""
    hand = _play_actions(recorded, rules)
    if hand.seat is None and (rake := _missing_from_winnings(recorded, hand)):
        hand = _play_actions(replace(recorded, rake_taken=rake), rules)
    if hand.seat is not None:
        last = recorded.actions[-1].line if recorded.actions else recorded.line
        raise RuleViolation(
            f"{recorded.place(last)}: the record ends when {recorded.who(hand.seat)} is to act on "
            f"{STREET_NAMES[hand.street]} and may {hand.legal().sentence(recorded.stakes)}"
        )
    _check_deals(recorded, hand)
    for pot in hand.pots:
        if hand.show_order and len(pot.contestants) > 1 and _unseen(recorded).issuperset(pot.contestants):
            raise UnknownCards("who wins cannot be told: nobody's cards are known at showdown")
    return hand


def _play_actions(recorded: RecordedHand, rules: RuleSet) -> Hand:
    """The hand after every recorded action."""
    try:
        hand = Hand(
            rules,
            recorded.stakes,
            recorded.stacks,
            dealer=recorded.dealer,
            cards=GivenCards(recorded.cards, recorded.community),
            tournament=recorded.tournament,
            players_left=recorded.players_left,
            rake_taken=_rake_taken(recorded),
            mucked=_unseen(recorded),
        )
    except UnknownCards:
        raise
    except ValueError as error:
        raise RuleViolation(f"{recorded.place(recorded.line)}: {error}") from None
    _check_antes(recorded)
    for action in recorded.actions:
        _act(recorded, hand, action)
    return hand


def _unseen(recorded: RecordedHand) -> frozenset[int]:
    """The seats that did not show and whose cards are not all known: at showdown they mucked."""
    whole = 7 if recorded.community == NO_CARD else 6
    return frozenset(
        seat
        for seat, cards in enumerate(recorded.cards)
        if seat not in recorded.shown and (NO_CARD in cards or len(cards) < whole)
    )


def _rake_taken(recorded: RecordedHand) -> int | None:
    """The fixed amount to take; None leaves it to the stakes' rake rule, and to tournaments, where there is none."""
    if recorded.tournament or recorded.stakes.rake is not None:
        return None
    if recorded.rake_taken is not None:
        return recorded.rake_taken
    if recorded.finishing_stacks is not None:
        return max(0, sum(recorded.stacks) - sum(recorded.finishing_stacks))
    return None


def _missing_from_winnings(recorded: RecordedHand, hand: Hand) -> int:
    """What a record took as rake that tells it by its winnings alone; they may hold the uncalled chips too."""
    told = recorded.rake_taken is not None or recorded.finishing_stacks is not None
    if told or recorded.winnings is None or recorded.tournament or recorded.stakes.rake is not None:
        return 0
    won, awarded = sum(recorded.winnings), sum(hand.awards)
    return awarded - won if won <= awarded else max(0, awarded + sum(hand.returned) - won)


def _check_antes(recorded: RecordedHand) -> None:
    money = recorded.stakes.money
    for ante in recorded.antes:
        owed = min(recorded.stakes.ante, recorded.stacks[ante.seat])
        if ante.amount != owed:
            antes = f"{recorded.who(ante.seat)} antes {money(ante.amount)} before third street"
            raise RuleViolation(f"{recorded.place(ante.line)}: {antes}; legal was {money(owed)}")


def _act(recorded: RecordedHand, hand: Hand, action: RecordedAction) -> None:
    """One recorded action, legal and as the record words it, or a RuleViolation."""
    words = f"{recorded.who(action.seat)} acts on {STREET_NAMES[action.street]} ({shortened(action.text)})"
    at = f"{recorded.place(action.line)}: {words}"
    if hand.seat is None:
        raise RuleViolation(f"{at} when the betting is over on {STREET_NAMES[hand.street]}; no action is legal")
    legal = hand.legal()
    choices = legal.sentence(recorded.stakes)
    turn = f"{recorded.who(legal.seat)} is to act on {STREET_NAMES[legal.street]} and may {choices}"
    if action.seat != legal.seat or action.street != legal.street:
        raise RuleViolation(f"{at} out of turn: {turn}")
    if action.said == "bring_in" and not legal.opening:
        raise RuleViolation(f"{at} but owes no bring-in: {turn}")
    wager = max([event.to for event in hand.events if isinstance(event, Action) and event.street == hand.street] or [0])
    try:
        if action.kind == "fold":
            hand.fold()
        elif action.kind == "raise":
            hand.raise_to(action.to)
        elif legal.opening and (action.put or 0) > legal.to_call:
            hand.raise_to(action.put or 0)
        else:
            hand.stay()
    except IllegalAction:
        raise RuleViolation(f"{at}, which is not legal: {turn}") from None
    done = next(event for event in reversed(hand.events) if isinstance(event, Action))
    _check_claims(recorded, action, done, wager, f"{at}; {turn}")


def _check_claims(recorded: RecordedHand, action: RecordedAction, done: Action, wager: int, at: str) -> None:
    """What the line says beyond the decision itself: the word it uses, chips put in, all-in.

    A call of a short bring-in may be printed without the chips that nobody could match and that come straight back;
    if they do not come back the stacks at the end will differ.
    """
    said, money = action.said, recorded.stakes.money
    if said not in ("", "fold") and done.kind not in _CLAIMS.get(said, (said,)):
        raise RuleViolation(f"{at}; this was a {done.kind.replace('_', '-')}")
    if action.put is not None and action.put not in (done.put, wager - (done.to - done.put)):
        raise RuleViolation(f"{at}; that puts in {money(done.put)}, not {money(action.put)}")
    nominal = recorded.stakes.bring_in if action.street == 3 else 0
    if action.over is not None and action.over not in (wager, max(wager, nominal)):
        raise RuleViolation(f"{at}; the raise is over {money(wager)}, not over {money(action.over)}")
    if action.all_in and not done.all_in:
        raise RuleViolation(f"{at}; that is not all-in")


def _check_deals(recorded: RecordedHand, hand: Hand) -> None:
    """As many cards for each seat, and a community card when there was one, as the rules deal."""
    dealt = [0] * len(recorded.stacks)
    for event in hand.events:
        if isinstance(event, Deal):
            dealt[event.seat] += len(event.cards)
    for seat, cards in enumerate(recorded.cards):
        if len(cards) != dealt[seat]:
            raise RuleViolation(
                f"{recorded.place(recorded.line)}: {recorded.who(seat)} was dealt {len(cards)} cards "
                f"({cards_text(cards)}); the rules deal it {dealt[seat]}"
            )
    if recorded.community != hand.community:
        has = "no" if recorded.community == NO_CARD else card_text(recorded.community)
        deal = "one" if hand.community_dealt else "none"
        raise RuleViolation(f"{recorded.place(recorded.line)}: {has} community card is recorded; the rules deal {deal}")
