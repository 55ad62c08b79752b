"""Cards, lows and boards (RULES.md: "Showdown", "First to act", "odd_chip").

A card is the integer ``4 * rank + suit`` with ace 0 .. king 12 and clubs 0 .. spades 3, so comparing two
integers compares rank first and suit second, as the bring-in does: the king of spades is the largest card.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

Card = int

Groups = tuple[tuple[int, ...], tuple[int, ...]]


def rank_of(card: Card) -> int:
    """Ace 0, deuce 1 .. king 12."""
    return card // 4


def suit_of(card: Card) -> int:
    """Clubs 0, diamonds 1, hearts 2, spades 3."""
    return card % 4


def rank_ace_high(card: Card) -> int:
    """Deuce 1 .. king 12, ace 13: the order of stud high, for `opens: high_board` only."""
    return 13 if rank_of(card) == 0 else rank_of(card)


def grouped(ranks: Sequence[int]) -> Groups:
    """How often the ranks occur, most frequent first, and then which they are, highest first.

    >>> grouped([12, 3, 12, 2, 1])  # K 4 K 3 2
    ((2, 1, 1, 1), (12, 3, 2, 1))
    """
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return tuple(count for count, _ in groups), tuple(rank for _, rank in groups)


def low_key(cards: Sequence[Card]) -> Groups:
    """The best low in one to seven cards; the smaller key is the better low ("Showdown").

    Fewer pairs first, then lower from the top card down. Straights and flushes do not count. With more than
    five cards the best five of them, otherwise all: one key ranks a low at showdown and a board that opens.

    >>> low_key([0, 4, 8, 12, 16]) < low_key([0, 4, 8, 12, 20])  # the wheel beats six-four
    True
    """
    return min(grouped([rank_of(card) for card in five]) for five in fives(cards))


def fives(cards: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Every choice of five of the cards; the cards themselves when there are five or fewer."""
    return list(combinations(cards, min(5, len(cards))))


def used_cards(cards: Sequence[Card]) -> list[Card]:
    """The five cards of the best low, highest first; a rank held twice uses its better suit (T 73)."""
    best = low_key(cards)
    return max(sorted(five, reverse=True) for five in fives(cards) if grouped([rank_of(card) for card in five]) == best)


def high_board_key(board: Sequence[Card]) -> Groups:
    """The larger key is the better board of two to four cards in stud high, ace high (`high_board`)."""
    return grouped([rank_ace_high(card) for card in board])


def opening_board(boards: Mapping[int, Sequence[Card]], opens: str, opener_tie: str) -> int:
    """The seat whose board opens fourth to seventh street ("First to act, every street").

    `boards` holds the up cards of the live seats, all-in seats too, in the order "from the dealer".
    """
    if opens == "low_board":
        best = min(low_key(board) for board in boards.values())
        tied = [seat for seat, board in boards.items() if low_key(board) == best]
        rank = rank_of
    else:
        best = max(high_board_key(board) for board in boards.values())
        tied = [seat for seat, board in boards.items() if high_board_key(board) == best]
        rank = rank_ace_high
    if opener_tie == "position":
        return tied[0]
    return max(tied, key=lambda seat: max((rank(card), suit_of(card)) for card in boards[seat]))
