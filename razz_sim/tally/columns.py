"""What is counted: the names of all totals, in the order in which they are kept.

The *core*, kept bin by bin: TABLE_COLUMNS and ENTRANT_COLUMNS. *Plays*, kept shard by shard (some tens of bins): what
happened in pots (POT_COLUMNS) and what each entrant did (PLAY_COLUMNS). *Classes*, kept in one sum: a histogram of
pots, and what each entrant won by door card, by its first three ranks, by its place from the bring-in and by where the
hand ended for it.

Of tournaments also: *money*, kept bin by bin (MONEY_COLUMNS), *finishes* of each entrant and the *course* of the
tournaments, both kept shard by shard (FINISH_COLUMNS, COURSE_COLUMNS).
"""

from __future__ import annotations

from razz_sim.rules import MAX_SEATS, Street
from razz_sim.structures import MAX_LEVELS

STREETS = tuple(street.name.lower() for street in Street)
ENDS = (*STREETS, "showdown")
"""Where a hand ends: on a street, when all others folded, or at showdown."""
LOWS = ("wheel", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "pair")
"""Lows by their highest rank; a pair or worse is one class."""

TABLE_COLUMNS = (
    "blocks",  # independent samples: single deals, or sessions of many hands
    "hands",
    "pot",  # final pots, after uncalled chips went back and before rake
    "pot_sq_0",
    "pot_sq_1",
    "pot_sq_2",
    "rake",
    "showdowns",
    "ended_third",  # hands that ended on this street because all others folded
    "ended_fourth",
    "ended_fifth",
    "ended_sixth",
    "ended_seventh",
    "saw_fourth",  # hands in which this street was dealt
    "saw_fifth",
    "saw_sixth",
    "saw_seventh",
    "side_pots",  # hands with one
    "split_pots",
    "all_ins",  # hands in which a live seat had no chips behind at the end
    "capped_rounds",
    "community_cards",
    "decisions",
    "free_folds",
    "walks",  # everybody folded to the bring-in
    "forfeited_blocks",  # blocks that ended because a strategy's error cost it its chips
)
ENTRANT_COLUMNS = (
    "hands",  # one for each of its seats that was dealt in
    "net",  # chips won less chips put in, all its seats together
    "net_sq_0",  # of the entrant's net in a block
    "net_sq_1",
    "net_sq_2",
    "showdowns",
    "showdowns_won",  # some pot won at showdown, alone or split
    "pots_won",  # hands in which a seat of it won chips
    "brought_in",
    "completed",  # was first to complete or bet on third street
    "errors",  # decisions that its strategy failed to make, by an exception or an illegal answer for one
    "forfeits",  # seats that lost their chips for such an error
    "adjusted",  # net with expected winnings in all-in hands (`all_in`), in parts of a smallest unit
    "adjusted_sq_0",  # of the entrant's adjusted net in a block
    "adjusted_sq_1",
    "adjusted_sq_2",
    "adjusted_hands",  # one for each of its seats in a hand whose winnings were replaced
)
RESULTS_VERSION = 3
"""Stored beside results: a change that alters any total of an experiment raises it."""


ACTIONS = ("raises", "calls", "checks", "folds")
"""Decisions: completions, bets and raises are raises; posting the bring-in is none of these."""
PLAY_COLUMNS = (
    "voluntarily_in",  # hands in which it put chips in on third street by choice
    "complete_chances",  # hands in which it could be the first to complete
    "steal_chances",
    "steals",
    "steals_won",  # all others folded on third street
    "steals_faced",
    "folds_to_steal",
    "defences",  # hands in which it was the bring-in and somebody completed
    "defended",  # of those, it did not fold on third street
    "raise_chances",  # decisions that faced a completion, bet or raise and could raise it
    "reraises",
    *(f"saw_{street}" for street in STREETS[1:]),
    *(f"{action}_{street}" for street in STREETS for action in ACTIONS),
    "won",  # chips taken from the pots
    "lost_hands",  # voluntarily in, and took nothing
    "lost_pots",  # the final pots of these
    *(f"shown_{low}" for low in LOWS),  # lows it had at showdown
    *(f"won_{low}" for low in LOWS),  # of those, which won some pot
)
"""Of an entrant, all its seats together."""

SQUARED = ("sum", "sq_0", "sq_1", "sq_2")
"""A sum and its sum of squares in three limbs."""
PLAYERS = tuple(range(MAX_SEATS + 1))
POT_COLUMNS = (
    *(f"pot_{end}_{part}" for end in ENDS for part in SQUARED),  # final pots by where the hand ended
    *(f"players_{end}_{count}" for end in ENDS for count in PLAYERS),  # hands with so many live seats there
    *(f"winning_{low}" for low in LOWS),  # the lowest hand at showdown
)
"""Of the table."""

RANKS = "A23456789TJQK"
DOORS = tuple(RANKS)
STARTS = tuple(
    RANKS[low] + RANKS[middle] + RANKS[high]
    for high in range(13)
    for middle in range(high + 1)
    for low in range(middle + 1)
)
"""The ranks of the first three cards, rising: start (low, middle, high) has number high (high + 1) (high + 2) / 6 +
middle (middle + 1) / 2 + low."""
POSITIONS = tuple(str(place) for place in range(MAX_SEATS))
"""Dealt-in seats clockwise from the bring-in, which is 0."""
CLASSES = {"door": DOORS, "start": STARTS, "position": POSITIONS, "end": ENDS}
FIRST_CLASS = {"door": 0, "start": 13, "position": 13 + len(STARTS), "end": 13 + len(STARTS) + MAX_SEATS}
CLASS_COLUMNS = ("hands", "net", "net_sq_0", "net_sq_1", "net_sq_2")
"""Of each class: an entrant's hands, seat by seat."""
CLASS_COUNT = sum(len(labels) for labels in CLASSES.values())

QUARTERS = 4
"""The histogram of pots begins with steps of a quarter of a big bet."""
FINE_STEPS = 32
"""So many of these; from there on each doubling of the pot has 16 steps."""
STEPS = 16
DOUBLINGS = 12
BUCKETS = FINE_STEPS + STEPS * DOUBLINGS
"""The last holds all larger pots."""


def bucket_start(bucket: int) -> int:
    """The smallest pot of a bucket, in quarters of a big bet.

    >>> [bucket_start(bucket) for bucket in (0, 31, 32, 33, 48, 49)]
    [0, 31, 32, 34, 64, 68]
    """
    if bucket < FINE_STEPS:
        return bucket
    doubling, step = divmod(bucket - FINE_STEPS, STEPS)
    return (FINE_STEPS + 2 * step) << doubling


FINE_TABLE = len(POT_COLUMNS) + len(ENDS) * BUCKETS
"""Numbers that are kept of a table beside the core: pots, then the histogram by end and bucket."""
FINE_ENTRANT = len(PLAY_COLUMNS) + CLASS_COUNT * len(CLASS_COLUMNS)
"""Numbers that are kept of an entrant beside the core: plays, then the classes."""


MONEY_COLUMNS = (
    "players",  # of the entrant, each once in a tournament
    "paid_in",  # for buy-ins, re-entries, rebuys and add-ons, fees included, in smallest units of money
    "fees",
    "prizes",
    "cashed",  # players with a prize
    "wins",  # players who finished first, alone
    "reentries",
    "rebuys",
    "addons",
    "places",  # of its players, twice: first and last of those that a player shares
)
"""Of an entrant in tournaments, where its net is in smallest units of money: prizes less what was paid in."""

MOMENTS = ("half", "bubble")
"""When stacks are looked at: half of the field is out; one player more is left than places are paid, or fewer, the
levels of rebuys and re-entries being over. The first moment at which that is so and hands begin."""
STACKS = ("0", "1/4", "1/2", "1", "2", "4")
"""From what part of the average on a stack is in a class."""
STACK_COLUMNS = ("players", "cashed", "wins", "prizes")
FINISH_COLUMNS = (
    *(f"place_{bucket_start(bucket) + 1}" for bucket in range(BUCKETS)),  # players, by the first place they share
    *(f"out_{level}" for level in range(1, MAX_LEVELS + 1)),  # players whose last hand was at this level
    *(f"{moment}_{stack}_{column}" for moment in MOMENTS for stack in STACKS for column in STACK_COLUMNS),
)
"""Of an entrant in tournaments."""

LEVEL_COLUMNS = (
    "reached",  # tournaments with a hand at this level
    "hands",
    "pot",  # final pots, in chips
    "dealt_in",  # seats, hand by hand
    "left",  # players left when a tournament had its first hand at this level
    "chips",  # in play then
    "out",  # players whose last hand was at this level
)
COURSE_COLUMNS = (
    "tournaments",
    "entries",  # with re-entries
    "pool",  # in smallest units of money
    "end_level",  # the level that time had reached when they ended
    "end_time",  # in the unit of the levels' lengths, all rounds together
    *(f"{column}_{level}" for level in range(1, MAX_LEVELS + 1) for column in LEVEL_COLUMNS),
)
"""Of all tournaments."""
