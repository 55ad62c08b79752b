"""A hand in progress as one flat record, and the rules it is played by as another.

The compiled functions of this room change the hand's record and read the rules'. The front of the hand's record is
what everybody at the table may see: a strategy's view begins with a copy of it (`razz_sim.view`).
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

from razz_sim.rules import MAX_SEATS, OPTION_VALUES, RuleSet, Stakes

STREETS = 5
NOBODY = -1

FOLD, STAY, RAISE = 0, 1, 2
"""What a seat may answer: fold; check, call or post the bring-in; complete, bet or raise."""
AMOUNT_SHIFT = 2
"""An answer is `RAISE | to << AMOUNT_SHIFT`; `to` is the street's total, 0 for the smallest legal one."""

COUNT_LIMIT = 127
"""The most that a view counts of a seat's raises, and of its stays, on a street."""

PUBLIC_FIELDS: list[tuple[Any, ...]] = [
    # money, in smallest units
    ("pot", np.int64),  # all that has been put in, this street's wagers included
    ("wager", np.int64),  # what a seat must have put in on this street to stay
    ("bet_size", np.int64),  # this street's bet: small on third and fourth, big later
    ("last_full", np.int64),  # the last amount that counted: its total in fixed limit, its size in the others
    ("ante", np.int64),
    ("bring_in", np.int64),
    ("small_bet", np.int64),
    ("big_bet", np.int64),
    ("stack", np.int64, (MAX_SEATS,)),
    ("street_in", np.int64, (MAX_SEATS,)),  # put in on this street, the ante apart
    ("total_in", np.int64, (MAX_SEATS,)),  # put in since the hand began
    ("average_stack", np.int64),  # of a tournament: chips in play over players left; elsewhere 0, as the next
    ("prizes", np.int64, (MAX_SEATS,)),  # of the first places for the entries so far, in smallest units of money
    # rank masks of each seat's board: ranks there at least once, twice, three and four times
    ("board_once", np.int16, (MAX_SEATS,)),
    ("board_twice", np.int16, (MAX_SEATS,)),
    ("board_thrice", np.int16, (MAX_SEATS,)),
    ("board_four", np.int16, (MAX_SEATS,)),
    ("live", np.int8, (MAX_SEATS,)),  # 1 while the seat can win: dealt in and not folded
    ("up", np.int8, (MAX_SEATS, 4)),  # up cards, folded seats' too; NO_CARD where none is
    ("up_count", np.int8, (MAX_SEATS,)),
    ("raises", np.int8, (MAX_SEATS, STREETS)),  # completions, bets and raises by seat and street (third is 0)
    ("stays", np.int8, (MAX_SEATS, STREETS)),  # checks, calls and bring-ins
    ("up_ranks", np.int8, (13,)),  # how many cards of each rank were turned up so far
    ("seats", np.int8),
    ("dealer", np.int8),
    ("street", np.int8),
    ("live_count", np.int8),
    ("bring_in_seat", np.int8),  # who owes or posted the bring-in; NOBODY when nobody does
    ("opening", np.int8),  # 1 while the bring-in is still to be posted
    ("opener", np.int8),  # who is or would be first to act on this street
    ("aggressor", np.int8),  # who completed, bet or raised last on this street
    ("completer", np.int8),  # who completed or bet first on third street
    ("bets_made", np.int16),  # bets and raises that count towards the cap on this street
    ("bets_cap", np.int16),  # how many there may be; 0 when nothing caps the round
    ("community", np.int8),  # the community card; NO_CARD when there is none
    ("shared_seventh", np.int8),  # 1 once a community card is everybody's seventh
    # of a tournament; elsewhere all 0
    ("level", np.int16),  # from 1
    ("hands_to_level", np.int32),  # until the next level is reached at this table's pace, this one too; 0 at the last
    ("field_size", np.int32),  # players who began
    ("players_left", np.int32),
    ("places_paid", np.int32),  # for the entries so far
]

_PRIVATE_FIELDS: list[tuple[Any, ...]] = [
    ("key", np.uint64),  # of the hand's stream of cards
    ("cards_out", np.int64),  # bit mask of the cards that left the deck
    ("raise_min", np.int64),  # what the seat to act may do: see `betting.find_legal`
    ("raise_max", np.int64),
    ("to_call", np.int64),
    ("matched", np.int64, (MAX_SEATS,)),  # the wager each seat last matched, the bring-in counting as 0
    ("returned", np.int64, (MAX_SEATS,)),  # the outcome, from here
    ("award", np.int64, (MAX_SEATS,)),
    ("rake", np.int64),
    ("rake_taken", np.int64),  # a fixed amount to take instead of the stakes' rake; -1 for none
    ("pot_amount", np.int64, (MAX_SEATS,)),
    ("pot_award", np.int64, (MAX_SEATS, MAX_SEATS)),  # by pot and seat
    ("low_key", np.int64, (MAX_SEATS,)),  # at showdown
    ("to_act", np.int32),  # seats as bit masks
    ("may_raise", np.int32),
    ("has_chips", np.int32),  # live seats with chips behind
    ("mucked", np.int32),  # seats known to have mucked at showdown
    ("shown", np.int32),
    ("pot_seats", np.int32, (MAX_SEATS,)),
    ("once", np.int16, (MAX_SEATS,)),  # rank masks of all a seat's cards
    ("twice", np.int16, (MAX_SEATS,)),
    ("thrice", np.int16, (MAX_SEATS,)),
    ("four", np.int16, (MAX_SEATS,)),
    ("hole", np.int8, (MAX_SEATS, 3)),  # the two first cards and seventh street's
    ("burned", np.int8, (4,)),
    ("burns", np.int8),
    ("stub", np.int8),  # cards left in the deck
    ("dealt_in", np.int8),  # seats that had chips
    ("seat", np.int8),  # to act
    ("can_fold", np.int8),
    ("pots", np.int8),
    ("over", np.int8),
    ("showdown", np.int8),
    ("show_order", np.int8, (MAX_SEATS,)),
    ("source", np.int8),  # where cards come from: see `dealing`
    ("next_given", np.int8),
    ("given", np.int8, (64,)),
    ("two_left", np.int8),  # two players are left in the tournament
    ("decisions", np.int32),
    ("free_folds", np.int32),
    ("voluntary", np.int32),  # notes for statistics (`notes`), seats as bit masks: put chips in on third by choice
    ("could_complete", np.int32),
    ("could_steal", np.int32),
    ("faced_completion", np.int32),
    ("faced_steal", np.int32),
    ("stealer", np.int8),
    ("closed_early", np.int8),  # 1 when nobody could bet any more before seventh street was dealt
    ("folded_on", np.int8, (MAX_SEATS,)),  # the street; 0 for a seat that did not fold
    ("wagers_made", np.int32, (MAX_SEATS, STREETS)),  # completions, bets and raises, beyond COUNT_LIMIT too
    ("calls", np.int32, (MAX_SEATS, STREETS)),
    ("checks", np.int32, (MAX_SEATS, STREETS)),
    ("raise_chances", np.int32, (MAX_SEATS,)),  # decisions that faced a completion, bet or raise and could raise it
    ("reraises", np.int32, (MAX_SEATS,)),
    ("capped_rounds", np.int8),
    ("brought_in", np.int8),  # the seat that posted the bring-in
    ("street_open", np.int8),  # a round of betting is going on
]

_RULE_FIELDS: list[tuple[Any, ...]] = [
    ("ante", np.int64),
    ("bring_in", np.int64),
    ("small_bet", np.int64),
    ("big_bet", np.int64),
    ("chip", np.int64),
    ("rake_per_million", np.int64),
    ("rake_cap", np.int64, (MAX_SEATS + 1,)),  # by players dealt in
    ("rake_third_street", np.int64),
    *((option, np.int64) for option in OPTION_VALUES),
]

TOURNAMENT_FIELDS = (
    "level",
    "hands_to_level",
    "field_size",
    "players_left",
    "places_paid",
    "average_stack",
    "prizes",
)
"""Public fields that a tournament sets when a hand begins."""
PUBLIC = np.dtype(PUBLIC_FIELDS, align=True)
HAND = np.dtype([*PUBLIC_FIELDS, *_PRIVATE_FIELDS], align=True)
RULES = np.dtype(_RULE_FIELDS, align=True)
if HAND.fields is None or HAND.fields["key"][1] < PUBLIC.itemsize:
    raise AssertionError("the public front of the record must come before the rest")

HAND_TYPE = numba.from_dtype(HAND)
RULES_TYPE = numba.from_dtype(RULES)


def code(option: str, value: object) -> int:
    """The number that stands for an option's value in the rules' record: its place among the option's values."""
    return OPTION_VALUES[option].index(value)


def rules_record(rules: RuleSet, stakes: Stakes) -> np.ndarray:
    """Rules and stakes as a record array of one, for the compiled functions."""
    record = np.zeros(1, dtype=RULES)
    for part in ("ante", "bring_in", "small_bet", "big_bet", "chip"):
        record[part] = getattr(stakes, part)
    for option, values in OPTION_VALUES.items():
        value = getattr(rules, option)
        record[option] = value if values == (int,) else code(option, value)
    if stakes.rake is not None:
        record["rake_per_million"] = int(stakes.rake.percent * 10_000)
        record["rake_third_street"] = stakes.rake.third_street
        record["rake_cap"] = [stakes.rake.cap_for(players) for players in range(MAX_SEATS + 1)]
    return record


def new_hand(seats: int) -> np.ndarray:
    """A record array of one hand for a table of so many seats, nothing dealt and no chips yet."""
    hand = np.zeros(1, dtype=HAND)
    hand["seats"] = seats
    hand["rake_taken"] = -1
    return hand
