"""The strongest player of the library."""

from razz_sim.lowball import MASK_BITS, lowest_five
from razz_sim.reading import NO_LOW, WHEEL_TOP, chance_of_low, made_low, ranks_to, second_rank, unseen_cards
from razz_sim.strategy import alike, real, strategy
from razz_sim.view import NOBODY, STAY, different_ranks, highest_rank, my_key, raise_or_stay, stay_or_fold

EIGHT = 7
NINES = ranks_to(8)
HAND = 7
"""Cards in a hand, and the last street."""
NO_FIVE_RANKS = 1 << MASK_BITS
"""From here on a key is of a hand with a pair or worse."""

RANDOM, LIMPED, DEFENDED, COMPLETED, CALLED, RAISED = 0.0, 0.37, 0.6, 0.6, 0.85, 0.95
"""The chance that a rival who came in so on third street has two different good cards in the hole."""
BET_LATER, STAYED_ON = 0.6, 0.9
"""What is left of the chance that it has not, after each street on which it bet and on which it stayed."""
HIT_WHAT_IT_SHOWS, NOT_MADE = 0.55, 0.5
"""The weight of down cards that pair its board, for who bet after third street, and of no nine for who bet last."""
FOLDS_ACE, FOLDS_STEP = 0.27, 0.035
"""How often a completion makes a rival fold that shows an ace, and how much more often for each rank above."""


@strategy(
    bet=real(0.75, 0.0, 5.0, "part of a fair share from which it bets"),
    raise_third=real(0.925, 0.0, 5.0, "part of a fair share from which it raises on third street"),
    raise_later=real(0.9, 0.0, 5.0, "the same on fourth, fifth and sixth street"),
    raise_last=real(1.395, 0.0, 5.0, "the same on the last street"),
    crowd=real(0.15, 0.0, 5.0, "how much more it needs to raise for each rival after the first"),
    again=real(0.1, 0.0, 5.0, "how much more for each bet or raise after the first"),
    call_third=real(1.565, 0.0, 5.0, "how many times the price its share must be worth to call a completion"),
    call_fourth=real(1.565, 0.0, 5.0, "the same on fourth street"),
    call_middle=real(1.05, 0.0, 5.0, "the same on fifth and sixth street"),
    call_last=real(2.17, 0.0, 5.0, "the same on the last street"),
)
def best(view, params, memory, u):
    """Weighs its share of the pot against what each rival's play tells of its down cards.

    A rival's down cards are two different ones up to an eight with a chance that depends on how it came in and grows
    with each street it bets or stays, else any two. Its share is its exact chance of each highest rank times the
    chance that each rival is higher, and on the last street an exact count. It completes when the pot won at once and
    what it wins when called are worth more than the bet. Then it bets and raises when its share is a good part of a
    fair one, and calls when its share is worth so many times the price: bets to come and hands that bet cost more
    than a share of random hands tells.

    Original. The numbers were found by search: `docs/library.md` says how.
    """
    if view.opening:
        return STAY
    share = _share(view)
    if view.street == 3 and view.completer == NOBODY:
        return raise_or_stay(view) if _completing(view, share) > 0.0 else stay_or_fold(view)
    strength = share * view.live_count
    if view.to_call == 0:
        return raise_or_stay(view) if strength > params.bet else STAY
    if strength > _enough_to_raise(view, params):
        return raise_or_stay(view)
    return STAY if share * (view.pot + view.to_call) >= _fee(view, params) * view.to_call else stay_or_fold(view)


@alike
def _enough_to_raise(view, params):
    """The part of a fair share that a raise needs."""
    enough = params.raise_later
    if view.street == 3:
        enough = params.raise_third
    elif view.street == HAND:
        enough = params.raise_last
    return enough + params.crowd * (view.live_count - 2) + params.again * (view.bets_made - 1)


@alike
def _fee(view, params):
    """How many times the price its share must be worth."""
    if view.street == 3:
        return params.call_third
    if view.street == 4:
        return params.call_fourth
    return params.call_last if view.street == HAND else params.call_middle


@alike
def _completing(view, share):
    """What a completion wins, when all fold and when one calls, in chips."""
    all_fold = 1.0
    for seat in range(view.seats):
        if view.live[seat] and seat != view.seat:
            all_fold *= _folds(view, seat)
    called = share * (view.pot + 2 * view.small_bet) - view.small_bet
    return all_fold * view.pot + (1.0 - all_fold) * called


@alike
def _folds(view, seat):
    """How often a rival folds to a completion, by its door card."""
    return min(0.98, FOLDS_ACE + FOLDS_STEP * highest_rank(view.board_once[seat]))


# What play tells


@alike
def _good(view, seat):
    """The chance that a rival has two different good cards in the hole."""
    good = _came_in(view, seat)
    for street in range(1, view.street - 2):
        if view.raises[seat][street] > 0:
            good = 1.0 - (1.0 - good) * BET_LATER
        elif view.street > street + 3:
            good = 1.0 - (1.0 - good) * STAYED_ON
    return good


@alike
def _came_in(view, seat):
    """The same by third street alone."""
    raises, stays = view.raises[seat][0], view.stays[seat][0]
    if raises > 0:
        if raises > 1 or view.completer != seat:
            return RAISED
        return RANDOM if _may_steal(view, seat) else COMPLETED
    if view.completer == NOBODY:
        return LIMPED if stays > 0 and seat != view.bring_in_seat else RANDOM
    if seat == view.bring_in_seat:
        return DEFENDED if stays > 1 else RANDOM
    return CALLED if stays > 0 else RANDOM


@alike
def _may_steal(view, seat):
    """Whether a seat's door card was lower than those of all who are or came in."""
    door = view.up[seat][0] >> 2
    for other in range(view.seats):
        came_in = view.live[other] or view.stays[other][0] + view.raises[other][0] > 0
        if other != seat and came_in and 0 <= view.up[other][0] >> 2 <= door:
            return False
    return True


@alike
def _bet_later(view, seat):
    """Whether a seat bet or raised after third street."""
    wagers = 0
    for street in range(1, 5):
        wagers += view.raises[seat][street]
    return wagers > 0


# The share of the pot


@alike
def _share(view):
    """The share of the pot at the end, who has yet to act on third street counting by how often it comes in."""
    unseen = unseen_cards(view)
    if view.street == HAND:
        return _share_now(view, unseen)
    to_come = HAND - view.street
    ties = _ties_won(view)
    higher = [1.0] * (NO_LOW + 1)  # the chance that no rival is lower, by my highest rank
    for seat in range(view.seats):
        if view.live[seat] and seat != view.seat:
            waits = view.street == 3 and view.raises[seat][0] == 0 and view.stays[seat][0] == 0
            stays = 1.0 - _folds(view, seat) if waits else 1.0
            good = _good(view, seat)
            paired = HIT_WHAT_IT_SHOWS if _bet_later(view, seat) else 1.0
            lower = 0.0
            for top in range(WHEEL_TOP, NO_LOW + 1):
                upto = _their_low(view, seat, top, good, paired, to_come, unseen)
                higher[top] *= 1.0 - stays * (lower + (1.0 - ties) * (upto - lower))
                lower = upto
    share, lower = 0.0, 0.0
    for top in range(WHEEL_TOP, NO_LOW + 1):
        upto = chance_of_low(view.my_once, top, to_come, unseen) if top < NO_LOW else 1.0
        share += (upto - lower) * higher[top]
        lower = upto
    return share


@alike
def _ties_won(view):
    """The chance to beat a low of the same highest rank: by the second rank of a made one, else even."""
    top = made_low(view.my_once)
    return 0.5 if top == NO_LOW else 1.0 - (second_rank(view.my_once, top) - 2.5) / (top - 3)


@alike
def _their_low(view, seat, top, good, paired, to_come, unseen):
    """The chance that a rival has a low up to a highest rank at the end."""
    if top == NO_LOW:
        return 1.0
    board, door = int(view.board_once[seat]), view.up[seat][0] >> 2
    with_any = chance_of_low(board, top, to_come + 2, unseen) if good < 1.0 else 0.0
    lows, ways = 0.0, 0.0
    if good > 0.0:
        for high in range(EIGHT + 1):
            for low in range(high):
                if high != door and low != door:
                    weight = _live(unseen, low) * _live(unseen, high)
                    weight *= (paired if board >> low & 1 else 1.0) * (paired if board >> high & 1 else 1.0)
                    lows += weight * chance_of_low(board | 1 << low | 1 << high, top, to_come, unseen)
                    ways += weight
    return (1.0 - good) * with_any + (good * lows / ways if ways > 0.0 else 0.0)


@alike
def _live(unseen, rank):
    """How many cards of a rank are unseen."""
    two = (unseen >> rank & 1) + (unseen >> rank + MASK_BITS & 1)
    return two + (unseen >> rank + 2 * MASK_BITS & 1) + (unseen >> rank + 3 * MASK_BITS & 1)


@alike
def _share_now(view, unseen):
    """The share of the pot on the last street."""
    mine = my_key(view)
    share = 1.0
    for seat in range(view.seats):
        if view.live[seat] and seat != view.seat:
            share *= _higher_now(view, seat, mine, unseen)
    return share


@alike
def _higher_now(view, seat, mine, unseen):
    """The chance that a rival's hand is higher than a key, half for a tie, over all it can have down."""
    door = view.up[seat][0] >> 2
    live = [0.0] * MASK_BITS
    for rank in range(MASK_BITS):
        live[rank] = float(_live(unseen, rank))
    good = _good(view, seat)
    not_made = NOT_MADE if view.raises[seat][4] > 0 else 1.0
    won_good, all_good, won_any, all_any = 0.0, 0.0, 0.0, 0.0
    for high in range(MASK_BITS):
        for low in range(high + 1):
            ways = live[low] * live[high] if low < high else live[low] * (live[low] - 1.0) / 2
            held = int(view.board_once[seat]) | 1 << low | 1 << high
            won, every = _last_cards(held, mine, live, not_made)
            won_any += ways * won
            all_any += ways * every
            if low < high <= EIGHT and low != door and high != door:
                won_good += ways * won
                all_good += ways * every
    share = won_any / all_any
    return (1.0 - good) * share + good * won_good / all_good if all_good > 0.0 else share


@alike
def _last_cards(held, mine, live, not_made):
    """How many last cards leave a rival higher than a key, and how many there are, each by its weight."""
    won, every = 0.0, 0.0
    for last in range(MASK_BITS):
        ranks = held | 1 << last
        weight = live[last] if different_ranks(ranks & NINES) >= 5 else live[last] * not_made
        every += weight
        if different_ranks(ranks) < 5:
            won += weight if mine < NO_FIVE_RANKS else weight / 2
        else:
            theirs = lowest_five(ranks)
            won += weight if theirs > mine else weight / 2 if theirs == mine else 0.0
    return won, every
