"""Helpers that read the table: against trying every draw, published counts, random deals, and examples in words.

`python tests/test_reading.py` prints how rough `rough_equity` is, as `docs/reading.md` has it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from random_views import as_struct, look, random_views
from same_answers import Question, assert_same_answers
from test_lowball import FINALS_FROM_THREE_TWO_ACE, PUBLISHED, SEVEN_CARD_HANDS

from razz_sim.cards import DECK_SIZE, NO_CARD, parse_cards, rank_of
from razz_sim.hand import GivenCards, Hand
from razz_sim.lowball import MASK, WORST_KEY, key_of_masks, low_key
from razz_sim.reading import (
    MANY_BETS,
    NO_LOW,
    ahead_on_board,
    best_possible,
    bets_left,
    cards_to,
    caught_good,
    chance_of_low,
    live_cards,
    live_ranks,
    lowest_behind,
    lowest_board,
    made_low,
    my_chance,
    position,
    ranks_to,
    rough_equity,
    second_rank,
    their_chance,
    unbeatable,
    unseen_cards,
)
from razz_sim.rules import PRESETS, Stakes
from razz_sim.view import FOLD, NOBODY, RAISE, STAY, VIEW, ViewStruct, board_key, my_key

SIX, SEVEN, EIGHT, TEN, KING = 5, 6, 7, 9, 12
STAKES = Stakes(name="15/30", ante=1, bring_in=5, small_bet=15, big_bet=30)


# Views


def view_at(street: int, *seats: str, folded: Sequence[int] = (), act: bool = False) -> ViewStruct:
    """What the first seat sees on a street when all others but the folded have stayed until then.

    Cards are written in the order dealt, two down cards first. With `act` the street's first seats have acted.
    """
    cards = GivenCards(tuple(parse_cards(held) for held in seats))
    hand = Hand(PRESETS["pokerstars"], STAKES, [1000] * len(seats), dealer=len(seats) - 1, cards=cards)
    while hand.street < street or (act and hand.seat != 0):
        if hand.seat in folded and not hand.legal().opening:
            hand.fold()
        else:
            hand.stay()
    hand.record["seat"] = 0
    view = np.zeros(1, dtype=VIEW)
    look(hand.record, view[0])
    return as_struct(view[0])


def mask(ranks: str) -> int:
    return sum(1 << "A23456789TJQK".index(rank) for rank in ranks)


def unseen_list(view: np.void) -> list[int]:
    """The unseen cards one by one, from the cards in the view."""
    seen = {int(card) for card in (*view["up"].flatten(), *view["hole"], view["community"])}
    return [card for card in range(DECK_SIZE) if card not in seen]


def rank_mask(cards: Sequence[int]) -> int:
    found = 0
    for card in cards:
        found |= 1 << rank_of(card)
    return found


def as_set(cards: Sequence[int]) -> int:
    """Unseen cards as `unseen_cards` writes them."""
    return sum(1 << 13 * copy + rank for rank, count in Counter(map(rank_of, cards)).items() for copy in range(count))


def cards_of(view: np.void, seat: int) -> list[int]:
    """What the seat to act knows of a rival's hand."""
    return [int(card) for card in (*view["up"][seat], view["community"]) if card != NO_CARD]


def rivals(view: np.void) -> list[int]:
    return [seat for seat in range(int(view["seats"])) if view["live"][seat] and seat != view["seat"]]


# The same answers in both


QUESTIONS: dict[str, Question] = {
    "unseen_cards": lambda view, seat, number: unseen_cards(view),
    "position": lambda view, seat, number: position(view),
    "bets_left": lambda view, seat, number: bets_left(view),
    "live_cards": lambda view, seat, number: live_cards(view, number % 13),
    "live_ranks": lambda view, seat, number: live_ranks(view, number),
    "live_ranks of a board": lambda view, seat, number: live_ranks(view, view.board_once[seat]),
    "ranks_to": lambda view, seat, number: ranks_to(number % 13),
    "cards_to": lambda view, seat, number: cards_to(view.my_once, number % 13),
    "made_low": lambda view, seat, number: made_low(view.my_once),
    "made_low of a plain mask": lambda view, seat, number: made_low(number),
    "second_rank": lambda view, seat, number: second_rank(view.my_once, number % 13),
    "caught_good": lambda view, seat, number: caught_good(view, seat, number % 13),
    "lowest_board": lambda view, seat, number: lowest_board(view),
    "lowest_behind": lambda view, seat, number: lowest_behind(view),
    "ahead_on_board": lambda view, seat, number: ahead_on_board(view),
    "best_possible": lambda view, seat, number: best_possible(view, seat),
    "unbeatable": lambda view, seat, number: unbeatable(view),
    "chance_of_low": lambda view, seat, number: chance_of_low(
        view.board_once[seat] & number, number % 13, number % 3, unseen_cards(view)
    ),
    "my_chance": lambda view, seat, number: my_chance(view, number % 13),
    "their_chance": lambda view, seat, number: their_chance(view, seat, number % 13),
    "rough_equity": lambda view, seat, number: rough_equity(view),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_helpers_answer_alike_in_compiled_code_and_in_python(name: str) -> None:
    assert_same_answers(QUESTIONS[name], random_views(500 if name == "rough_equity" else 3_000))


def test_random_views_hold_what_is_rare() -> None:
    views = random_views(3_000)
    assert set(views["street"]) == {3, 4, 5, 6, 7}
    assert set(views["live_count"]) == set(range(2, 9))
    assert (views["community"] != NO_CARD).sum() > 10
    assert (views["up_ranks"] == 4).any()


def test_the_example_of_the_docs_plays_alike_in_both() -> None:
    text = (Path(__file__).parents[1] / "docs" / "reading.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(text.split("```python\n")[1].split("```")[0], names)
    careful = names["careful"]
    compiled = numba.njit(careful)
    answers = [careful(as_struct(view), 0, 0, 0) for view in random_views(500)]
    assert set(answers) == {FOLD, STAY, RAISE}
    assert answers == [compiled(view, 0, 0, 0) for view in random_views(500)]


# Live cards


def test_unseen_cards_are_those_that_lie_nowhere() -> None:
    for view in random_views(1_000):
        struct, unseen = as_struct(view), unseen_list(view)
        assert unseen_cards(struct) == as_set(unseen)
        assert live_ranks(struct, MASK) == len(unseen)
        assert [live_cards(struct, rank) for rank in range(13)] == [
            sum(rank_of(card) == rank for card in unseen) for rank in range(13)
        ]
        assert live_ranks(struct, 0b1010001) == sum(rank_of(card) in (0, 4, 6) for card in unseen)


def test_folded_up_cards_are_dead() -> None:
    view = view_at(4, "As2d3c4h", "????Ks5d", "????5h6h", "????5s6s", folded=(2, 3))
    assert (live_cards(view, 4), live_cards(view, 0), live_cards(view, KING), live_cards(view, SIX)) == (1, 3, 3, 4)


# Lows and draws


def test_position_is_counted_from_the_bring_in_and_bets_to_the_cap() -> None:
    view = ViewStruct(seats=6, seat=1, bring_in_seat=4, bets_cap=4, bets_made=3)
    assert (position(view), bets_left(view)) == (3, 1)
    view.seat, view.bets_cap = 4, 0
    assert (position(view), bets_left(view)) == (0, MANY_BETS)
    view.bring_in_seat = NOBODY
    assert position(view) == NOBODY


def test_lows_and_draws_in_words() -> None:
    assert made_low(mask("A2348")) == EIGHT == made_low(mask("A2348QK"))
    assert made_low(mask("A234")) == NO_LOW
    assert cards_to(mask("A238K"), EIGHT) == 4  # a one-card draw to an eight
    assert cards_to(mask("A2348"), SEVEN) == 4
    assert second_rank(mask("A2378K"), EIGHT) == SEVEN  # a rough eight
    assert second_rank(mask("A2348K"), EIGHT) == 3  # a smooth one
    assert second_rank(mask("238"), SEVEN) == 1  # a three-two draw to a seven
    assert (second_rank(mask("8K"), EIGHT), second_rank(0, KING)) == (-1, -1)
    assert (ranks_to(EIGHT), ranks_to(KING), ranks_to(0)) == (0xFF, MASK, 1)


def test_made_low_is_the_low_of_all_seven_cards() -> None:
    rng = random.Random(3)
    for _ in range(2_000):
        cards = rng.sample(range(DECK_SIZE), 7)
        key = low_key(cards)
        assert made_low(rank_mask(cards)) == (key.bit_length() - 1 if key <= MASK else NO_LOW)


def test_catching_good_is_low_and_no_pair() -> None:
    view = view_at(5, "As2d3c2hKd", "????4d4s6c")
    assert caught_good(view, 1, EIGHT)
    assert not caught_good(view, 1, 4)
    assert not caught_good(view, 0, EIGHT)
    paired = view_at(4, "As2d3c2h", "????4d4s")
    assert not caught_good(paired, 0, EIGHT)  # pairs a down card
    assert not caught_good(paired, 1, EIGHT)


# Boards


def test_boards_in_words() -> None:
    view = view_at(5, "AsKdKc4h6d", "????5d7s8c", "????4d9cTh", "????AhAd2c")
    assert lowest_board(view) == mask("578")
    assert not ahead_on_board(view)
    assert not unbeatable(view)
    ahead = view_at(5, "As2d3c4h6d", "????5d7s8c", "????4dTcTh", "????AhAc2c")
    assert ahead_on_board(ahead)
    assert unbeatable(ahead)  # A-2 under 5-7-8 is an eight at best, and the other boards have a ten or a pair
    assert best_possible(ahead, 1) == mask("A2578")
    assert best_possible(ahead, 3) > MASK


def test_a_made_low_against_high_boards_cannot_be_beaten_now() -> None:
    assert unbeatable(view_at(5, "As2d3c4h8d", "????9d7s2c", "????TcKhQh"))
    assert not unbeatable(view_at(5, "As2d3c4h8d", "????7d6s2c", "????TcKhQh"))


def test_best_possible_is_the_best_of_all_down_cards() -> None:
    asked = 0
    for view in random_views(3_000):
        if asked >= 60 or (view["street"] == 7 and view["community"] == NO_CARD):
            continue
        for seat in rivals(view)[:1]:
            known, unseen = cards_of(view, seat), unseen_list(view)
            best = min(low_key([*known, *down]) for down in combinations(unseen, int(view["street"]) - len(known)))
            assert best_possible(as_struct(view), seat) == best
            asked += 1
    assert asked == 60


def test_rivals_and_those_behind_are_counted_from_the_cards() -> None:
    for view in random_views(1_000):
        struct, street = as_struct(view), int(view["street"]) - 3
        boards = {seat: board_key(struct, seat) for seat in rivals(view)}
        acted = view["raises"][:, street] + view["stays"][:, street]
        behind = [boards[seat] for seat in boards if acted[seat] == 0 and view["stack"][seat] > 0]
        assert lowest_board(struct) == min(boards.values(), default=WORST_KEY)
        assert lowest_behind(struct) == min(behind, default=WORST_KEY)
        beaten = [seat for seat in boards if best_possible(struct, seat) < my_key(struct)]
        assert unbeatable(struct) == (not beaten)


def test_door_cards_behind_a_steal() -> None:
    view = view_at(3, "AsKd4c", "????9d", "????2c", "????Ks", act=True)
    assert lowest_behind(view) == mask("2")
    late = view_at(3, "AsKd4c", "????Ks", "????9d", "????2c", folded=(2,), act=True)
    assert lowest_behind(late) == WORST_KEY  # all have acted
    assert lowest_board(late) == mask("2")


# Chances


def draws(held: int, limit: int, to_come: int, cards: Sequence[int]) -> float:
    """The share of all draws that make the low, tried one by one."""
    wanted = ranks_to(limit)
    hits = sum(((held | rank_mask(drawn)) & wanted).bit_count() >= 5 for drawn in combinations(cards, to_come))
    return hits / comb(len(cards), to_come)


def test_chance_is_the_share_of_all_draws() -> None:
    """Any number of dead cards, from a whole deck to none left."""
    rng = random.Random(4)
    for _ in range(1_500):
        size = rng.randint(0, 7)
        cards = rng.sample(range(DECK_SIZE), DECK_SIZE)
        held, to_come = rank_mask(cards[:size]), rng.randint(0, 7 - size)
        most = {0: 45, 1: 45, 2: 45, 3: 30, 4: 20, 5: 16, 6: 14, 7: 13}[to_come]
        unseen = cards[7 : 7 + rng.randint(to_come, most)]
        limit = rng.randint(3, 12)
        assert chance_of_low(held, limit, to_come, as_set(unseen)) == draws(held, limit, to_come, unseen)


def test_chance_with_few_ranks_left() -> None:
    """All useful cards of some ranks gone, others with one left."""
    rng = random.Random(5)
    for _ in range(500):
        ranks = rng.sample(range(13), rng.randint(2, 7))
        unseen = [card for card in range(DECK_SIZE) if rank_of(card) in ranks and rng.random() < 0.5]
        held, to_come = rank_mask(rng.sample(range(DECK_SIZE), 3)), rng.randint(0, min(4, len(unseen)))
        assert chance_of_low(held, EIGHT, to_come, as_set(unseen)) == draws(held, EIGHT, to_come, unseen)


def test_chance_is_that_of_published_counts() -> None:
    """All seven-card hands, and all ways to fill up 3-2-A."""
    deck = as_set(range(DECK_SIZE))
    lows = 0
    for limit, name in enumerate("56789TJQK", start=4):
        lows += PUBLISHED[name]
        assert chance_of_low(0, limit, 7, deck) == lows / SEVEN_CARD_HANDS
    after = as_set([card for card in range(DECK_SIZE) if card not in parse_cards("3s2sAs")])
    lows = 0
    for limit, name in enumerate("5678", start=4):
        lows += FINALS_FROM_THREE_TWO_ACE[name]
        assert chance_of_low(mask("A23"), limit, 4, after) == lows / 211_876


def test_chance_at_the_edges() -> None:
    deck = as_set(range(DECK_SIZE))
    assert chance_of_low(mask("A2345"), EIGHT, 2, deck) == 1.0
    assert chance_of_low(mask("A2345"), EIGHT, 0, 0) == 1.0
    assert chance_of_low(mask("A234"), EIGHT, 0, deck) == 0.0
    assert chance_of_low(mask("A234"), EIGHT, 1, 0) == 0.0  # no card is left to come
    assert chance_of_low(mask("A234"), EIGHT, 3, as_set(parse_cards("5s"))) == 1.0  # the only one comes
    assert chance_of_low(mask("A234"), 3, 3, deck) == 0.0  # four ranks make no low
    for to_come in (4, -1):
        with pytest.raises(ValueError, match="seven cards"):
            chance_of_low(mask("A234"), EIGHT, to_come, deck)


def test_chances_of_seats_are_the_shares_of_all_draws() -> None:
    """On sixth street, for the seat itself and a rival of whom three cards are unknown; and with a community card."""
    asked = 0
    for view in random_views(3_000):
        unseen = unseen_list(view)
        shared = view["community"] != NO_CARD
        if asked > 60 or not (shared or (view["street"] == 6 and len(unseen) < 36)):
            continue
        mine = int(view["my_once"])
        assert my_chance(as_struct(view), TEN) == draws(mine, TEN, 7 - int(view["street"]), unseen)
        for seat in rivals(view)[:1]:
            known = cards_of(view, seat)
            exact = draws(rank_mask(known), TEN, 7 - len(known), unseen)
            assert their_chance(as_struct(view), seat, TEN) == exact
            asked += 1
    assert asked > 60


# Equity


@numba.njit  # type: ignore[untyped-decorator]
def _key(masks: Any, cards: Any) -> int:
    """The key of seven cards; `masks` is overwritten."""
    masks[:] = 0
    for card in cards:
        bit = 1 << (card >> 2)
        for times in range(3, 0, -1):
            masks[times] |= masks[times - 1] & bit
        masks[0] |= bit
    return key_of_masks(masks[0], masks[1], masks[2], masks[3], 7)


@numba.njit  # type: ignore[untyped-decorator]
def _dealt_equity(hands: Any, known: Any, unseen: Any, deals: int, seed: int) -> float:
    """The first hand's share of the pot over random deals; of each hand so many cards are known, the rest is filled."""
    np.random.seed(seed)
    masks = np.zeros(4, dtype=np.int64)
    total = 0.0
    for _ in range(deals):
        dealt = 0
        mine, lowest, tied = 0, WORST_KEY, 1
        for hand in range(len(hands)):
            for place in range(known[hand], 7):
                other = dealt + np.random.randint(0, len(unseen) - dealt)
                unseen[dealt], unseen[other] = unseen[other], unseen[dealt]
                hands[hand, place] = unseen[dealt]
                dealt += 1
            key = _key(masks, hands[hand])
            if hand == 0:
                mine = key
            elif key < lowest:
                lowest, tied = key, 1
            elif key == lowest:
                tied += 1
        if mine < lowest:
            total += 1.0
        elif mine == lowest:
            total += 1.0 / (1 + tied)
    return total / deals


def dealt_equity(view: np.void, deals: int) -> float | None:
    """The equity by dealing the hidden cards at random; None when there are not enough for all seats."""
    own = [int(card) for card in view["hole"] if card != NO_CARD] + cards_of(view, int(view["seat"]))
    held = [own, *(cards_of(view, seat) for seat in rivals(view))]
    unseen = np.array(unseen_list(view), dtype=np.int64)
    if sum(7 - len(cards) for cards in held) > len(unseen):
        return None
    hands = np.array([(cards + [0] * 7)[:7] for cards in held], dtype=np.int64)
    known = np.array([len(cards) for cards in held])
    return float(_dealt_equity(hands, known, unseen, deals, seed=int(unseen @ np.arange(len(unseen)))))


def equity_errors(views: np.ndarray, deals: int) -> dict[tuple[int, int], list[float]]:
    """`rough_equity` less the dealt equity, by street and number of live seats."""
    errors: dict[tuple[int, int], list[float]] = {}
    for view in views:
        exact = dealt_equity(view, deals)
        if exact is not None:
            where = int(view["street"]), int(view["live_count"])
            errors.setdefault(where, []).append(rough_equity(as_struct(view)) - exact)
    return errors


def test_rough_equity_is_near_the_equity_of_random_deals() -> None:
    found = np.concatenate(list(equity_errors(random_views(400, seed=6), 10_000).values()))
    assert len(found) > 300
    assert np.abs(found).mean() < 0.01
    assert np.quantile(np.abs(found), 0.98) < 0.05
    assert abs(found.mean()) < 0.005


def test_equities_of_a_sure_winner_and_a_sure_loser() -> None:
    wheel = view_at(7, "AsKd2c3h4d5s", "????9d9cTsTh")
    assert rough_equity(wheel) == pytest.approx(1.0)
    beaten = view_at(6, "KsKdKcKhQdQs", "????Ad2c3s4h")
    assert rough_equity(beaten) < 0.01


if __name__ == "__main__":
    measured = equity_errors(random_views(6_000, seed=7), 40_000)
    for street in range(3, 8):
        for fewest, most in ((2, 2), (3, 4), (5, 8), (2, 8)):
            some = np.concatenate([measured.get((street, count), []) for count in range(fewest, most + 1)])
            sizes = f"{np.abs(some).mean():.4f} {np.quantile(np.abs(some), 0.99):.3f} {some.mean():+.4f}"
            print(f"street {street}, {fewest} to {most} live: {len(some):5} {sizes}")
    every = np.abs(np.concatenate(list(measured.values())))
    print(len(every), f"{every.mean():.4f}", np.quantile(every, [0.5, 0.9, 0.99, 1]).round(4))
