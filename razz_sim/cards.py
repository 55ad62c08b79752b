"""Cards as integers in the order the game needs them.

A card is `4 * rank + suit`: ace 0 to king 12, clubs 0, diamonds 1, hearts 2, spades 3. So the highest door card
is the maximum of the door cards, suits included, and comparing odd-chip cards is comparing integers.
"""

from __future__ import annotations

from collections.abc import Sequence

RANKS = "A23456789TJQK"
SUITS = "cdhs"
DECK_SIZE = 52
NO_CARD = -1
"""No card there, or one that nobody saw (written `??`)."""

UNKNOWN = "??"


def card_text(card: int) -> str:
    """The two characters of a card.

    >>> card_text(51), card_text(0), card_text(NO_CARD)
    ('Ks', 'Ac', '??')
    """
    return UNKNOWN if card == NO_CARD else RANKS[card // 4] + SUITS[card % 4]


def cards_text(cards: Sequence[int]) -> str:
    """Cards written one after another, as in PHH.

    >>> cards_text(parse_cards("Ah 2d 3c"))
    'Ah2d3c'
    """
    return "".join(card_text(card) for card in cards)


def parse_card(text: str) -> int:
    """The card that two characters name; `10h` and `1h` are not cards.

    >>> parse_card("Ks")
    51
    >>> parse_card("1s")
    Traceback (most recent call last):
    ...
    ValueError: '1s' is not a card: a rank of A23456789TJQK and a suit of cdhs, as in 'Ah', or '??'
    """
    if text == UNKNOWN:
        return NO_CARD
    if len(text) == 2:
        rank, suit = RANKS.find(text[0].upper()), SUITS.find(text[1].lower())
        if rank >= 0 and suit >= 0:
            return 4 * rank + suit
    if text.startswith("10"):
        raise ValueError(f"{text!r} is not a card: ten is T: T{text[2:] or 's'}")
    raise ValueError(f"{text!r} is not a card: a rank of {RANKS} and a suit of {SUITS}, as in 'Ah', or {UNKNOWN!r}")


def parse_cards(text: str) -> tuple[int, ...]:
    """Cards written together or with spaces or commas between them.

    >>> parse_cards("As2d 3c,??")
    (3, 5, 8, -1)
    >>> parse_cards("As10d")
    Traceback (most recent call last):
    ...
    ValueError: '10d' is not a card: ten is T: Td
    """
    packed = "".join(text.replace(",", " ").split())
    return tuple(parse_card(packed[i : i + (3 if packed.startswith("10", i) else 2)]) for i in range(0, len(packed), 2))


def rank_of(card: int) -> int:
    """Ace 0 to king 12."""
    return card // 4


def suit_of(card: int) -> int:
    """Clubs 0, diamonds 1, hearts 2, spades 3."""
    return card % 4
