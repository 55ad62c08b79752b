"""Two whole tournaments worked out by hand, card by card, from docs/rules.md and docs/tournaments.md.

Three players who call and check everything, with 100 chips each. Two hands are played with an ante of 20 and a
bring-in of 20, the others with 50 and 50. Buy-ins of 100 make a pool of 300: 210 for the first place and 90 for the
second.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from small_experiments import entrant
from small_tournaments import SEED, events_of, hands_of, level, of_kind, plan, scenario

from razz_sim.batch import replay_hand
from razz_sim.batch.replay import EMPTY
from razz_sim.cards import cards_text
from razz_sim.structures import Payouts

PLAN = plan(
    3,
    seats=3,
    stack=100,
    levels=(level(20, 20, 40, length=2), level(50, 50, 100, length=2)),
    payouts=Payouts("shares", (700_000, 300_000)),
)
SOME = scenario(PLAN, (entrant("ann", "caller"), entrant("bob", "caller"), entrant("cid", "caller")))
ANN, BOB, CID = range(3)
SEATS = (ANN, CID, BOB)
"""Who has which seat, in both tournaments."""


@dataclass(frozen=True, slots=True)
class ByHand:
    """A hand: what each seat is dealt, what it puts in once uncalled chips are back, wins and has then."""

    level: int
    dealer: int
    brings_in: int | None
    cards: str
    put: tuple[int, int, int]
    won: tuple[int, int, int]
    after: tuple[int, int, int]


ONE_AFTER_ANOTHER = (
    # Door cards 4c, 3c, Jd: the jack brings it in. All put in 20 + 20. Ann has 8 7 6 4 3, cid T 8 7 3 A, bob J 6 5 4 3.
    # Ann: 100 - 40 + 120 = 180; the others: 100 - 40 = 60.
    ByHand(1, 2, 2, "8s3s4c6c9h7dTd 8d7c3cKdTsAh8h 6hQcJd4h5dKc3d", (40, 40, 40), (120, 0, 0), (180, 60, 60)),
    # 8s, Kh, 5s: the king. Ann has T 8 6 3 A, cid 9 7 5 4 3, bob 9 7 6 5 A: cid's nine is the lower.
    # Ann: 180 - 40 = 140; cid: 60 - 40 + 120 = 140; bob: 60 - 40 = 20.
    ByHand(1, 0, 1, "3cTh8s6dTsAs8h 7d7sKh9h4d5c3d AcQh5s6c6s9d7h", (40, 40, 40), (0, 120, 0), (140, 140, 20)),
    # Two hands are over: level 2. Bob is all-in with 20 of the ante; of Jd and Ks the king brings it in, ann calls 50.
    # Main pot 3 x 20 = 60, side pot 2 x (50 + 50 - 20) = 160. Bob has 7 6 5 3 2 and the main pot; of the others ann has
    # J 6 4 3 A and cid 9 8 7 3 A. Ann: 140 - 100 = 40; cid: 140 - 100 + 160 = 200; bob: 20 - 20 + 60 = 60.
    ByHand(2, 1, 1, "3cAcJdQs6c4c6s 9sQdKs3hAs8c7s 6h5d3sTh9c2c7c", (100, 100, 20), (0, 160, 60), (40, 200, 60)),
    # Ann is all-in with 40 of the ante; Jh brings it in with the 10 that bob has left. Cid calls the whole 50, of which
    # 40 come back. Main pot 3 x 40 = 120, side pot 2 x (60 - 40) = 40. Ann has T 9 7 3 2, cid T 8 6 5 4, bob 9 8 7 6 3.
    # Ann: 40 - 40 = 0, third; cid: 200 - 60 = 140; bob: 60 - 60 + 160 = 160.
    ByHand(2, 2, 2, "7sQs7c3s2h9dTc KhTs5d4s6s8sQd 3c6hJh7d8hKd9c", (40, 60, 60), (0, 0, 160), (0, 140, 160)),
    # The button is at ann's empty seat. Ac and 2d: the deuce, for aces are low. Cid has 7 5 4 2 A, bob 9 7 5 4 2.
    # Cid: 140 - 100 + 200 = 240; bob: 160 - 100 = 60.
    ByHand(2, 0, 2, " 4sJhAc7h5d2sTc 9h7c2d7d5cTs4d", (0, 100, 100), (0, 200, 0), (0, 240, 60)),
    # 9d and 5s: cid brings in 50; bob has 10 and is all-in, 40 come back. Cid has 9 6 5 3 A, bob J 8 7 5 2.
    # Cid: 240 - 60 + 120 = 300; bob: 60 - 60 = 0, second.
    ByHand(2, 1, 1, " Td6c9dJdAc3s5c Jh2s5s7d8d2hQs", (0, 60, 60), (0, 120, 0), (0, 300, 0)),
)
TWO_AT_ONCE = (
    # 8h, 9c, Qc: the queen. Ann has a pair in any five cards (8 8, 6 6, Q Q), cid J T 9 8 7, bob 7 6 4 2 A.
    # Bob: 100 - 40 + 120 = 180; the others: 100 - 40 = 60.
    ByHand(1, 2, 2, "6c8s8hJh6dQhQs KcTd9cJd7d8c7c Ah6sQc7s2s4h4s", (40, 40, 40), (0, 0, 120), (60, 60, 180)),
    # Qs, 4c, 4h: the queen. Ann has Q J 7 5 A, cid K J 8 4 2, bob 7 5 4 3 A.
    # Bob: 180 - 40 + 120 = 260; the others: 60 - 40 = 20.
    ByHand(1, 0, 0, "7d5cQsAsQcQdJd 2hJh4c4d8d8cKh Ad5d4h3sTs7cKc", (40, 40, 40), (0, 0, 120), (20, 20, 260)),
    # Level 2. Ann and cid are all-in with 20 of the ante, 30 of bob's 50 come back, and nobody posts a bring-in.
    # Ann has J 5 3 2 A, cid J T 9 7 6, bob 8 4 3 2 A. Bob: 260 - 20 + 60 = 300; ann and cid began with 20 each.
    ByHand(2, 1, None, "3dQh5hJcAsKc2h JsTh9d6h7d6s6d Td3s2d8hAc2s4h", (20, 20, 20), (0, 0, 60), (0, 0, 300)),
)


@pytest.mark.parametrize(("block", "hands"), [(8, ONE_AFTER_ANOTHER), (11, TWO_AT_ONCE)])
def test_every_hand_is_as_worked_out(block: int, hands: tuple[ByHand, ...]) -> None:
    before = (100, 100, 100)
    told = hands_of(PLAN, events_of(SOME, block))
    assert len(told) == len(hands)
    for number, (one, by_hand) in enumerate(zip(told, hands, strict=True)):
        assert by_hand.after == tuple(
            had - put + won for had, put, won in zip(before, by_hand.put, by_hand.won, strict=True)
        )
        assert (one.number, one.at_table, one.table, one.clock) == (number, number, 0, number)
        assert (one.level, one.dealer) == (by_hand.level, by_hand.dealer)
        assert one.before == {seat: stack for seat, stack in enumerate(before) if stack}
        assert one.after == {seat: by_hand.after[seat] for seat, stack in enumerate(before) if stack}
        assert one.players == {seat: SEATS[seat] for seat, stack in enumerate(before) if stack}
        hand = replay_hand(SOME, SEED, block * SOME.hand_numbers + number)
        assert hand.names == tuple(("ann", "cid", "bob")[seat] if stack else EMPTY for seat, stack in enumerate(before))
        assert " ".join(cards_text(hand.hand.cards(seat)) for seat in range(3)) == by_hand.cards
        assert hand.hand.bring_in_seat == by_hand.brings_in
        assert tuple(hand.hand.contributions) == by_hand.put
        assert tuple(hand.hand.awards) == by_hand.won
        assert tuple(hand.hand.stacks) == by_hand.after
        before = by_hand.after


def test_players_out_one_after_another_have_places_and_prizes_of_their_own() -> None:
    events = events_of(SOME, 8)
    seated = [(event.table, event.seat, event.player, event.amount) for event in of_kind(events, "seated")]
    assert seated == [(0, 0, ANN, 100), (0, 1, CID, 100), (0, 2, BOB, 100)]
    assert [(event.clock, event.amount) for event in of_kind(events, "level")] == [(0, 1), (2, 2)]
    # Ann began her last hand with 40 and lost it to bob, bob his with 60 to cid; a hand lasts 1.
    out = [(event.clock, event.seat, event.player, event.amount, event.other) for event in of_kind(events, "out")]
    assert out == [(4, 0, ANN, 40, BOB), (6, 2, BOB, 60, CID)]
    assert [event[4:] for event in of_kind(events, "place")] == [(ANN, 3, 3), (BOB, 2, 2), (CID, 1, 1)]
    assert [(event.player, event.amount) for event in of_kind(events, "prize")] == [(BOB, 90), (CID, 210)]


def test_players_out_at_one_moment_with_equal_stacks_share_places_and_what_these_pay() -> None:
    events = events_of(SOME, 11)
    out = [(event.clock, event.seat, event.player, event.amount, event.other) for event in of_kind(events, "out")]
    assert out == [(3, 0, ANN, 20, BOB), (3, 1, CID, 20, BOB)]
    assert [event[4:] for event in of_kind(events, "place")] == [(ANN, 2, 3), (BOB, 1, 1), (CID, 2, 3)]
    # Places 2 and 3 pay 90 + 0: 45 each.
    prizes = [(event.player, event.amount) for event in of_kind(events, "prize")]
    assert prizes == [(ANN, 45), (BOB, 210), (CID, 45)]
