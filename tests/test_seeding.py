"""Random streams against published SplitMix64 outputs and plain-Python arithmetic; dealt cards against chi-square.

All seeds are fixed: nothing here fails now and then. Thresholds are set so that a sound generator with other seeds
would fail a test less than once in a million times.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import numba
import numpy as np
import pytest
from scipy.stats import chi2, norm

from razz_sim.cards import DECK_SIZE, NO_CARD, cards_text
from razz_sim.hand import Hand, dealing
from razz_sim.hand.record import HAND_TYPE, new_hand
from razz_sim.rules import PRESETS, Stakes, rule_set
from razz_sim.seeding import (
    ACT,
    CHOICE,
    DEAL,
    POOL,
    SEAT,
    below,
    choice_below,
    derive,
    mix,
    shuffled,
    uniform,
    word_at,
)
from razz_sim.table.seating import hand_key

FALSE_ALARM = 1e-6
SPLITMIX64_OF_1234567 = [
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]
"""The first outputs of SplitMix64 seeded with 1234567, as published with the algorithm's ports."""

STAKES = Stakes(name="15/30", ante=1, bring_in=5, small_bet=15, big_bet=30)
SEVEN_SEATS = 7 * dealing.CARDS_PER_SEAT
"""Slots 0 to 48: the largest table at which everybody gets seven cards."""

WORDS = [0, 1, 2, 52, 1234567, 2**31, 2**63, 2**64 - 1, 0x9E3779B97F4A7C15, 0x0123456789ABCDEF]


# Plain Python, with integers of any size

ALL_ONES = 2**64 - 1
PLAIN_GOLDEN = 0x9E3779B97F4A7C15


def plain_mix(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & ALL_ONES
    word = (word ^ word >> 27) * 0x94D049BB133111EB & ALL_ONES
    return word ^ word >> 31


def plain_derive(key: int, coordinate: int) -> int:
    return plain_mix((key + PLAIN_GOLDEN & ALL_ONES) ^ plain_mix(coordinate + PLAIN_GOLDEN & ALL_ONES))


def plain_word_at(key: int, index: int) -> int:
    return plain_mix(key + index * PLAIN_GOLDEN & ALL_ONES)


def plain_draw(key: int, slot: int, out: set[int]) -> int:
    """The card for a slot: the first of words slot, slot + 64, slot + 128 .. that names a card still in the deck."""
    index = slot
    while (card := plain_word_at(key, index) * DECK_SIZE >> 64) in out:
        index += 64
    out.add(card)
    return card


def plain_unmix(word: int) -> int:
    """What `mix` made the word of: multiplications and shifts undone one by one."""
    word ^= word >> 31 ^ word >> 62
    word = word * pow(0x94D049BB133111EB, -1, 2**64) & ALL_ONES
    word ^= word >> 27 ^ word >> 54
    word = word * pow(0xBF58476D1CE4E5B9, -1, 2**64) & ALL_ONES
    return word ^ word >> 30 ^ word >> 60


# Test vectors


def test_words_one_on_of_a_stream_are_splitmix64() -> None:
    """SplitMix64 adds the golden word before it mixes, so its first output is word 1 and word 0 is the mixed seed."""
    assert [int(word_at(np.uint64(1234567), np.uint64(index))) for index in range(1, 6)] == SPLITMIX64_OF_1234567
    assert int(word_at(np.uint64(1234567), np.uint64(0))) == int(mix(np.uint64(1234567)))


@pytest.mark.parametrize("word", WORDS)
def test_mix_is_the_plain_arithmetic_and_can_be_undone(word: int) -> None:
    assert int(mix(np.uint64(word))) == plain_mix(word)
    assert plain_unmix(plain_mix(word)) == word


@pytest.mark.parametrize("key", WORDS)
def test_derive_and_word_at_are_the_plain_arithmetic(key: int) -> None:
    for coordinate in WORDS:
        assert int(derive(np.uint64(key), np.uint64(coordinate))) == plain_derive(key, coordinate)
        assert int(word_at(np.uint64(key), np.uint64(coordinate))) == plain_word_at(key, coordinate)


@pytest.mark.parametrize("word", WORDS)
def test_below_and_uniform_are_the_plain_arithmetic(word: int) -> None:
    for bound in (1, 2, 52, 10**12, 2**64 - 1):
        assert int(below(np.uint64(word), np.uint64(bound))) == word * bound >> 64
    for index in range(5):
        assert uniform(np.uint64(word), index) == (plain_word_at(word, index) >> 11) / 2**53


@pytest.mark.parametrize("seed", WORDS)
def test_items_are_shuffled_by_the_words_of_compiled_code(seed: int) -> None:
    key = np.uint64(derive(np.uint64(seed), POOL))
    order = list(range(50))
    for last in range(49, 0, -1):
        other = below(np.uint64(word_at(key, np.uint64(last))), np.uint64(last + 1))
        order[last], order[other] = order[other], order[last]
    assert shuffled(range(50), seed, POOL) == order
    assert shuffled(range(50), seed, SEAT) != order


def test_every_order_is_drawn_as_often() -> None:
    drawn = 12_000
    counts = Counter(tuple(shuffled("abcd", seed, POOL)) for seed in range(drawn))
    statistic = sum((count - drawn / 24) ** 2 / (drawn / 24) for count in counts.values())
    assert len(counts) == 24
    assert chi2.sf(statistic, 23) > FALSE_ALARM


def test_vectors_by_number() -> None:
    """Results of a seed may only change with the version stored beside them: these numbers are part of it."""
    assert int(derive(np.uint64(7), DEAL)) == plain_derive(7, 1) == 8791097586209856623
    first_hand = plain_derive(plain_derive(plain_derive(plain_derive(7, 1), 0), 0), 0)
    assert int(hand_key(np.uint64(7), DEAL, 0, 0, 0)) == first_hand == 16887447696636345188
    hand = Hand(PRESETS["pokerstars"], STAKES, [1000] * 6, dealer=5, cards=first_hand)
    assert cards_text(hand.cards(0)) == "Qs2cJs"


def test_a_hand_of_seven_seats_is_dealt_as_in_plain_python() -> None:
    """Street by street, from the dealer, each card by its slot; a folded seat gets none."""
    rng = random.Random(11)
    for _ in range(200):
        key, dealer, folder = rng.getrandbits(64), rng.randrange(7), rng.randrange(7)
        hand = Hand(PRESETS["pokerstars"], STAKES, [1000] * 7, dealer=dealer, cards=key)
        while hand.seat is not None:
            if hand.seat == folder and not hand.legal().opening:
                hand.fold()
            else:
                hand.stay()
        out: set[int] = set()
        plain: dict[int, list[int]] = {seat: [] for seat in range(7)}
        for street in range(3, 8):
            for seat in [(dealer + 1 + step) % 7 for step in range(7)]:
                if len(hand.cards(seat)) < street:
                    continue
                for number in range(0 if street == 3 else street - 1, street):
                    plain[seat].append(plain_draw(key, 7 * seat + number, out))
        assert [list(hand.cards(seat)) for seat in range(7)] == list(plain.values())
        assert len(plain[folder]) < 7


# Distinct streams


def test_derived_keys_are_distinct_and_the_order_of_coordinates_matters() -> None:
    seen = set()
    for seed, domain, block, number in product(range(20), (DEAL, ACT, SEAT), range(40), range(20)):
        seen.add(int(hand_key(np.uint64(seed), domain, block, 0, number)))
    assert len(seen) == 20 * 3 * 40 * 20
    for first, second in ((0, 1), (1, 2), (7, 2**63)):
        one_way = derive(derive(np.uint64(5), np.uint64(first)), np.uint64(second))
        assert one_way != derive(derive(np.uint64(5), np.uint64(second)), np.uint64(first))


@numba.njit  # type: ignore[untyped-decorator]
def _deal(hand: Any, key: Any, slots: int, cards: Any) -> None:
    """Deal one card to each of the first slots."""
    hand.key = key
    hand.cards_out = 0
    for slot in range(slots):
        cards[slot] = dealing.draw(hand, slot)


@numba.njit(numba.int8[:, ::1](HAND_TYPE, numba.uint64, numba.int64, numba.int64))  # type: ignore[untyped-decorator]
def deals_of_seeds(hand: Any, first_seed: Any, seeds: int, slots: int) -> Any:
    """The first hand's cards by slot, seed by seed."""
    deals = np.empty((seeds, slots), dtype=np.int8)
    for number in range(seeds):
        _deal(hand, hand_key(first_seed + np.uint64(number), DEAL, 0, 0, 0), slots, deals[number])
    return deals


@numba.njit(numba.int8[:, ::1](HAND_TYPE, numba.uint64, numba.int64, numba.int64))  # type: ignore[untyped-decorator]
def deals_of_blocks(hand: Any, seed: Any, blocks: int, slots: int) -> Any:
    """The cards by slot of the hands of one seed, block by block."""
    deals = np.empty((blocks, slots), dtype=np.int8)
    for block in range(blocks):
        _deal(hand, hand_key(seed, DEAL, block, 0, 0), slots, deals[block])
    return deals


@numba.njit(numba.int8[:, ::1](HAND_TYPE, numba.uint64, numba.int64, numba.int64))  # type: ignore[untyped-decorator]
def deals_of_a_session(hand: Any, seed: Any, hands: int, slots: int) -> Any:
    """The cards by slot of the hands of one block, hand by hand."""
    deals = np.empty((hands, slots), dtype=np.int8)
    for number in range(hands):
        _deal(hand, hand_key(seed, DEAL, 0, 0, number), slots, deals[number])
    return deals


def new_record() -> Any:
    return new_hand(7)[0]


def test_a_hundred_thousand_seeds_deal_distinct_first_hands() -> None:
    for first_seed in (0, 2**63):
        deals = deals_of_seeds(new_record(), np.uint64(first_seed), 100_000, SEVEN_SEATS)
        assert len({deal.tobytes() for deal in deals}) == 100_000
        # Third street of four seats alone: 12 cards, 9.9e19 ways, so that even these should all differ.
        third_street = deals[:, [7 * seat + number for seat in range(4) for number in range(3)]]
        assert len({deal.tobytes() for deal in third_street}) == 100_000


# Uniform


def check_counts(counts: np.ndarray, tests: int) -> None:
    """Pearson's statistic of counts that should be equal, for one of so many tests: neither too large nor too small."""
    expected = counts.sum() / counts.size
    assert expected > 20
    statistic = float(((counts - expected) ** 2).sum() / expected)
    each = FALSE_ALARM / tests / 2
    degrees = counts.size - 1
    assert chi2.isf(1 - each, degrees) < statistic < chi2.isf(each, degrees)


@numba.njit(numba.int32[:, :, ::1](numba.int8[:, ::1], numba.int64[::1]))  # type: ignore[untyped-decorator]
def pair_counts(deals: Any, offsets: Any) -> Any:
    """How often each two cards lie in each pair of slots (slot, slot + offset)."""
    slots = deals.shape[1]
    counts = np.zeros((len(offsets) * slots, DECK_SIZE, DECK_SIZE), dtype=np.int32)
    for number in range(deals.shape[0]):
        for which in range(len(offsets)):
            for slot in range(slots):
                other = (slot + offsets[which]) % slots
                counts[which * slots + slot, deals[number, slot], deals[number, other]] += 1
    return counts


DEALS = {
    "blocks of seed 7": lambda: deals_of_blocks(new_record(), np.uint64(7), 120_000, SEVEN_SEATS),
    "seeds from 0": lambda: deals_of_seeds(new_record(), np.uint64(0), 120_000, SEVEN_SEATS),
    "hands of a session": lambda: deals_of_a_session(new_record(), np.uint64(7), 120_000, SEVEN_SEATS),
}


@pytest.mark.parametrize("source", DEALS)
def test_cards_are_uniform_in_slots_and_in_pairs_of_slots_and_never_twice(source: str) -> None:
    """Each slot's card over 52, the cards of two slots over 52 x 51, for all 1,176 pairs of slots."""
    deals = DEALS[source]()
    assert (np.diff(np.sort(deals, axis=1), axis=1) > 0).all()
    assert deals.min() == 0
    assert deals.max() == DECK_SIZE - 1
    for slot in range(SEVEN_SEATS):
        check_counts(np.bincount(deals[:, slot], minlength=DECK_SIZE), SEVEN_SEATS)
    pairs = pair_counts(deals, np.arange(1, SEVEN_SEATS // 2 + 1))
    assert len(pairs) == SEVEN_SEATS * (SEVEN_SEATS - 1) // 2
    different = ~np.eye(DECK_SIZE, dtype=bool)
    for counts in pairs:
        assert counts[~different].sum() == 0
        check_counts(counts[different], len(pairs))


@pytest.mark.parametrize("source", DEALS)
@pytest.mark.parametrize("lag", [1, 2, 64])
def test_neighbouring_hands_are_independent(source: str, lag: int) -> None:
    """A slot's card in one hand and in a later one, over 52 x 52; also of neighbouring slots."""
    deals = DEALS[source]().astype(np.int64)
    for slot in range(SEVEN_SEATS):
        for other in (slot, (slot + 1) % SEVEN_SEATS):
            joint = deals[:-lag, slot] * DECK_SIZE + deals[lag:, other]
            check_counts(np.bincount(joint, minlength=DECK_SIZE**2), 2 * SEVEN_SEATS)


def test_hands_from_python_deal_no_card_twice_and_each_alike() -> None:
    """Whole hands of eight with burns: community cards and burns shuffled back in included."""
    seen = np.zeros(DECK_SIZE, dtype=np.int64)
    community = np.zeros(DECK_SIZE, dtype=np.int64)
    hands = 2_000
    for block in range(hands):
        key = int(hand_key(np.uint64(3), DEAL, block, 0, 0))
        hand = Hand(rule_set("wsop_live"), STAKES, [1] * 8, dealer=block % 8, cards=key)
        dealt = [card for seat in range(8) for card in hand.cards(seat)[:6]] + [hand.community]
        assert NO_CARD not in dealt
        assert len(set(dealt)) == 49
        seen[list(hand.cards(0))] += 1
        community[hand.community] += 1
    assert seen.sum() == 7 * hands
    check_counts(community, 1)
    # Seven different cards a hand: counts spread (52 - 7) / 51 as much as independent ones.
    expected = 7 * hands / DECK_SIZE
    statistic = float(((seen - expected) ** 2).sum() / expected) * 51 / 45
    assert chi2.isf(1 - FALSE_ALARM / 2, 51) < statistic < chi2.isf(FALSE_ALARM / 2, 51)


# Avalanche

MIX, DERIVE_KEY, DERIVE_COORDINATE, WORD_KEY, WORD_INDEX = range(5)


@numba.njit  # type: ignore[untyped-decorator]
def _hash(which: int, word: Any) -> Any:
    if which == MIX:
        return mix(word)
    if which == DERIVE_KEY:
        return derive(word, np.uint64(1))
    if which == DERIVE_COORDINATE:
        return derive(np.uint64(7), word)
    if which == WORD_KEY:
        return word_at(word, np.uint64(57))
    return word_at(np.uint64(1234567), word)


@numba.njit(numba.int64[:, ::1](numba.int64, numba.uint64[::1]))  # type: ignore[untyped-decorator]
def flips(which: int, words: Any) -> Any:
    """How often each output bit (column) changed when each input bit (row) did."""
    counts = np.zeros((64, 64), dtype=np.int64)
    for word in words:
        straight = _hash(which, word)
        for bit in range(64):
            changed = straight ^ _hash(which, word ^ (np.uint64(1) << np.uint64(bit)))
            for output in range(64):
                counts[bit, output] += np.int64(changed >> np.uint64(output) & np.uint64(1))
    return counts


@pytest.mark.parametrize("which", [MIX, DERIVE_KEY, DERIVE_COORDINATE, WORD_KEY, WORD_INDEX])
def test_avalanche(which: int) -> None:
    """Every input bit moves every output bit, half of the time, for random words."""
    samples = 20_000
    words = np.random.Generator(np.random.PCG64(which)).integers(0, 2**64, samples, dtype=np.uint64)
    threshold = norm.isf(FALSE_ALARM / 2 / 64 / 64) * (samples / 4) ** 0.5
    assert np.abs(flips(which, words) - samples / 2).max() < threshold


def test_uniform_numbers_of_a_decision_are_uniform_and_independent() -> None:
    """Numbers 0 and 1 drawn from decision words, in 20 x 20 cells."""
    words = [np.uint64(plain_word_at(99, index)) for index in range(40_000)]
    numbers = np.array([[uniform(word, 0), uniform(word, 1)] for word in words])
    assert numbers.min() >= 0
    assert numbers.max() < 1
    cells = (numbers * 20).astype(np.int64)
    check_counts(np.bincount(cells[:, 0] * 20 + cells[:, 1], minlength=400), 1)


# Choices


@pytest.mark.parametrize("bound", [1, 2, 10, 2**63 - 1, 2**64, 10**40])
def test_choices_are_long_words_scaled(bound: int) -> None:
    for seed, stream, index in product((0, 7, ALL_ONES), (0, 3), (0, 1, 10_000)):
        key = plain_derive(plain_derive(plain_derive(seed, int(CHOICE)), stream), index)
        words = [plain_word_at(key, place) for place in range(bound.bit_length() // 64 + 2)]
        long = sum(word << 64 * place for place, word in enumerate(reversed(words)))
        assert choice_below(seed, stream, index, bound) == long * bound // 2 ** (64 * len(words))


@pytest.mark.parametrize("by", ["index", "seed", "stream"])
def test_choices_are_uniform_over_indices_seeds_and_streams(by: str) -> None:
    bound, draws = 13, 13_000
    counts = [0] * bound
    for number in range(draws):
        counts[choice_below(**{"seed": 1, "stream": 2, "index": 3, by: number}, bound=bound)] += 1
    expected = draws / bound
    assert chi2.sf(sum((count - expected) ** 2 / expected for count in counts), bound - 1) > FALSE_ALARM
