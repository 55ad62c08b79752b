"""The independent chip model: what stacks are worth in prizes, if nobody plays better than another.

Every chip is as likely as any other to be the winner's. The owner of that chip finishes first; of the chips that are
left without his, each is as likely to be that of the second; and so on:

    P(i first) = s_i / (s_1 + ... + s_n), and then the same among the others

(Malmuth, "Gambling Theory and Other Topics", 1987, for poker; Harville, "Assigning probabilities to the outcomes of
multi-entry competitions", Journal of the American Statistical Association 68, 1973, for horses.)

Up to 15 players with chips this is exact: instead of all orders, all sets of players that may have finished before a
place. Players without chips are out: they share the places behind those who have some, each as likely to have any of
them, and so share what these pay equally.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from numbers import Rational
from operator import index
from typing import Any

import numpy as np
from numba import float64, int64, void

from razz_sim.compiling import bit_count, compiled, inlined, lowest_bit

MOST_EXACT = 15
"""So many players with chips are worked out here; for more there are `integrated_icm` and `sampled_icm`."""
MOST_CHIPS = 2**53
"""All stacks together, at most: up to here sums of chips are exact in floating point."""
Stacks = Sequence[int] | np.ndarray
Prizes = Sequence[int | Fraction] | np.ndarray


def new_room(players: int) -> np.ndarray:
    """Room for `fill_chances` to work in, for so many players and fewer."""
    return np.empty((3, 1 << players))


@inlined
def _spread(stacks: Any, live: int, chances: Any) -> None:
    """Move the columns of those with chips to where they sit, and give the others the places behind."""
    players = len(stacks)
    column = live
    for player in range(players - 1, -1, -1):
        has_chips = stacks[player] > 0
        column -= 1 if has_chips else 0
        for place in range(len(chances)):
            if has_chips:
                chances[place, player] = chances[place, column]
            else:
                chances[place, player] = 0.0 if place < live else 1.0 / (players - live)


@inlined
def fill_chances(stacks: Any, room: Any, chances: Any) -> None:
    """Fill `chances[place, player]` for as many places as it has, from 0, the first; `room` is of `new_room`.

    Chances that all players of a set, and no others, have finished go from smaller sets to larger ones. Who has no
    chips is out. For compiled callers: nothing is checked, nothing allocated.
    """
    left, chance, chips = room[0], room[1], room[2]
    live = 0
    left[0] = 0.0
    for player in range(len(stacks)):
        if stacks[player] > 0:
            chips[live] = stacks[player]
            left[0] += chips[live]
            live += 1
    everyone = (1 << live) - 1
    for place in range(len(chances)):
        for player in range(live):
            chances[place, player] = 0.0
    for some in range(everyone + 1):
        chance[some] = 0.0
    chance[0] = 1.0
    for finished in range(everyone):
        place = bit_count(finished)
        if place >= len(chances):
            continue
        chips_left = left[finished]
        per_chip = chance[finished] / chips_left
        others = everyone ^ finished
        while others != 0:
            player = lowest_bit(others)
            after = finished | (others & -others)
            others &= others - 1
            next_chance = per_chip * chips[player]
            chances[place, player] += next_chance
            chance[after] += next_chance
            left[after] = chips_left - chips[player]
    _spread(stacks, live, chances)


@inlined
def fill_icm(stacks: Any, prizes: Any, room: Any, chances: Any, worth: Any) -> None:
    """Fill `worth` with each player's expected prize, and `chances` of the places that have one (`fill_chances`)."""
    fill_chances(stacks, room, chances)
    for player in range(len(stacks)):
        worth[player] = 0.0
        for place in range(len(prizes)):
            worth[player] += prizes[place] * chances[place, player]


@compiled(void(int64[::1], float64[:, ::1], float64[:, ::1]))
def chances_into(stacks: Any, room: Any, chances: Any) -> None:
    """`fill_chances` for Python: nothing is checked, nothing allocated."""
    fill_chances(stacks, room, chances)


@compiled(void(int64[::1], float64[::1], float64[:, ::1], float64[:, ::1], float64[::1]))
def icm_into(stacks: Any, prizes: Any, room: Any, chances: Any, worth: Any) -> None:
    """`fill_icm` for Python: nothing is checked, nothing allocated, for who asks millions of times."""
    fill_icm(stacks, prizes, room, chances, worth)


def icm(stacks: Stacks, prizes: Prizes) -> np.ndarray:
    """Each player's expected prize, exact but for the last digits of floating point, in the prizes' unit.

    >>> icm([5000, 3000, 2000], [50, 30, 20]).round(4).tolist()
    [38.3929, 32.75, 28.8571]

    Prizes are those of the first places, in order; they need not fall. Players with 0 chips are out and share the
    places behind the others. ValueError for no chips, no prize, more prizes than players, more than 15 players with
    chips (`integrated_icm` and
    `sampled_icm` take these), and what is no amount.
    """
    chips = checked_stacks(stacks)
    paid = checked_prizes(prizes, len(chips))
    worth = np.empty(len(chips))
    icm_into(chips, paid, _room_for(chips), np.empty((len(paid), len(chips))), worth)
    return worth


def finish_probabilities(stacks: Stacks, places: int | None = None) -> np.ndarray:
    """The chance of each player to finish in each of the first `places`, or in each place: `[player, place]`.

    >>> finish_probabilities([5000, 3000, 2000]).round(4).tolist()
    [[0.5, 0.3393, 0.1607], [0.3, 0.375, 0.325], [0.2, 0.2857, 0.5143]]

    Exact as `icm` is, and with its errors.
    """
    chips = checked_stacks(stacks)
    count = len(chips) if places is None else places
    if not 1 <= count <= len(chips):
        raise ValueError(f"places {count} must be from 1 to the {len(chips)} players")
    chances = np.empty((count, len(chips)))
    chances_into(chips, _room_for(chips), chances)
    return chances.T


def checked_stacks(stacks: Stacks) -> np.ndarray:
    """Stacks as an array; ValueError with a sentence where they are none."""
    chips = [_whole(stack, player) for player, stack in enumerate(stacks, start=1)]
    total = sum(chips)
    if not total:
        raise ValueError("no player has chips")
    if total > MOST_CHIPS:
        raise ValueError(f"all stacks together are {total:,} chips: more than {MOST_CHIPS:,} cannot be worked with")
    return np.array(chips, dtype=np.int64)


def _whole(stack: object, player: int) -> int:
    try:
        chips = index(stack)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError(f"stack {stack!r} of player {player} must be a whole number of chips") from None
    if chips < 0:
        raise ValueError(f"stack {chips} of player {player} must not be below 0")
    return chips


def checked_prizes(prizes: Prizes, players: int) -> np.ndarray:
    """Prizes as an array; ValueError with a sentence where they are none."""
    if not len(prizes):
        raise ValueError("there is no prize")
    if len(prizes) > players:
        raise ValueError(f"{len(prizes)} prizes are more than the {players} players")
    for place, prize in enumerate(prizes, start=1):
        if not isinstance(prize, Rational):
            raise ValueError(
                f"prize {place} is {prize!r}: it must be a whole number of the smallest unit or a Fraction"
            )
        if prize < 0:
            raise ValueError(f"prize {place} is {prize}: it must not be below 0")
    return np.array([float(prize) for prize in prizes])


def _room_for(chips: np.ndarray) -> np.ndarray:
    live = np.count_nonzero(chips)
    if live > MOST_EXACT:
        raise ValueError(
            f"{live} players have chips: for more than {MOST_EXACT} there are integrated_icm and sampled_icm"
        )
    return new_room(int(live))
