"""The player who watches."""

from razz_sim.reading import ahead_on_board, cards_to, rough_equity
from razz_sim.strategy import alike, real, strategy, switch
from razz_sim.view import NOBODY, STAY, highest_rank, raise_or_stay, stay_or_fold

EIGHT, TEN = 7, 9

OPENED, COULD_OPEN, LET_GO, BET_AT, GAVE_UP, COMPLETED_AT = range(6)
"""What is counted of each seat: completed first, could have; folded to a later bet, faced one; folded to a completion
with a high door card, faced one so; and the same with a low door card, `LOW_DOOR` places on."""
LOW_DOOR = 2
COUNTS = 8


def observe(outcome, params, memory):
    """Count what each other seat did with its chances in a hand."""
    if not params.learn:
        return
    first = outcome.bring_in_seat if outcome.bring_in_seat != NOBODY else outcome.dealer
    opened = False
    for step in range(1, outcome.seats + 1):
        seat = (first + step) % outcome.seats
        if outcome.dealt_in[seat] == 0:
            continue
        place = COUNTS * seat
        if seat == outcome.completer:
            opened = True
            memory[place + OPENED] += 1.0
            memory[place + COULD_OPEN] += 1.0
        elif opened:
            place += LOW_DOOR * (outcome.up[seat][0] >> 2 <= EIGHT)
            memory[place + COMPLETED_AT] += 1.0
            memory[place + GAVE_UP] += 1.0 if outcome.live[seat] == 0 and outcome.up_count[seat] == 1 else 0.0
        elif step < outcome.seats:
            memory[place + COULD_OPEN] += 1.0
    for street in range(1, 5):
        _count_later(outcome, memory, street)


@alike
def _count_later(outcome, memory, street):
    """Count who faced a bet on a street after third, and who folded to it."""
    for seat in range(outcome.seats):
        shown = min(4, street + 1)
        if outcome.up_count[seat] < shown or outcome.raises[seat][street] > 0:
            continue
        acted = outcome.stays[seat][street] > 0
        bet = False
        for other in range(outcome.seats):
            bet = bet or (other != seat and outcome.raises[other][street] > 0)
        left = outcome.live[seat] == 0 and outcome.up_count[seat] == shown and (street != 3 or not _last(outcome, seat))
        if bet and (left or acted):
            memory[COUNTS * seat + BET_AT] += 1.0
            memory[COUNTS * seat + LET_GO] += 1.0 if left else 0.0


@alike
def _last(outcome, seat):
    """Whether a seat acted on seventh street."""
    return outcome.stays[seat][4] > 0 or outcome.raises[seat][4] > 0


@strategy(
    memory=COUNTS * 8,
    observe=observe,
    learn=switch(True, "false: it plays on by what it expects of strangers"),
    trust=real(8.0, 1.0, 1000.0, "seen chances that count as much as what is expected of a stranger"),
    opens=real(0.35, 0.0, 1.0, "how often a stranger completes when nobody has"),
    gives_up=real(0.75, 0.0, 1.0, "how often a stranger folds to a completion with a nine or higher as its door card"),
    gives_up_low=real(0.55, 0.0, 1.0, "how often it does with a lower one"),
    lets_go=real(0.35, 0.0, 1.0, "how often a stranger folds to a later bet"),
)
def adaptive(view, params, memory, u):
    """Learns in a session how often each seat opens and folds, and answers it; a stranger counts as a usual player.

    It completes when the pots it wins at once, by how often the others have folded to completions, outweigh what it
    loses when called. It takes a completion for a good hand the more, the less often that seat completes, and defends
    accordingly. Later it bets the better hand, and the lower board against who lets bets go; it calls at a fair price.

    Original; that one should play by what the others do too often is Sklansky's ("The Theory of Poker", on bluffing).
    """
    share = rough_equity(view)
    if view.street == 3:
        return _third(view, params, memory, share)
    trusted = 1.0
    all_fold = 1.0
    for seat in range(view.seats):
        if view.live[seat] and seat != view.seat:
            place = COUNTS * seat
            loose = _looseness(view, params, memory, seat)
            calls = 1.0 - _rate(memory[place + LET_GO], memory[place + BET_AT], params.lets_go, params.trust)
            trusted *= min(1.0, 0.85 + max(0.5 * loose, 0.15 * calls - 0.1))
            all_fold *= 1.0 - calls
    share *= trusted
    if view.to_call == 0:
        bluff = ahead_on_board(view) and view.street < 7 and all_fold * (view.pot + view.bet_size) > view.bet_size / 2
        return raise_or_stay(view) if share * view.live_count > 1.0 or bluff else STAY
    if share * view.live_count > 1.25 + 0.1 * (view.bets_made - 1):
        return raise_or_stay(view)
    return STAY if share * (view.pot + view.to_call) > view.to_call else stay_or_fold(view)


@alike
def _third(view, params, memory, share):
    """Complete when it pays, defend against who completes too often."""
    if view.opening:
        return STAY
    good = cards_to(view.my_once, EIGHT) == 3
    if view.completer == NOBODY:
        win = 1.0
        for seat in range(view.seats):
            if view.live[seat] and seat != view.seat:
                low = highest_rank(view.board_once[seat]) <= EIGHT
                place = COUNTS * seat + LOW_DOOR * low
                expected = params.gives_up_low if low else params.gives_up
                win *= _rate(memory[place + GAVE_UP], memory[place + COMPLETED_AT], expected, params.trust)
        when_called = 0.75 * share * (view.pot + 2 * view.small_bet) - view.small_bet
        return raise_or_stay(view) if good or win * view.pot + (1.0 - win) * when_called > 0 else stay_or_fold(view)
    share *= 0.8 + 0.6 * _looseness(view, params, memory, view.completer)
    if share * view.live_count > 1.2 and view.bets_made < 3:
        return raise_or_stay(view)
    fair = share * (view.pot + view.to_call) > 1.1 * view.to_call
    return STAY if good or fair else stay_or_fold(view)


@alike
def _looseness(view, params, memory, seat):
    """How much more often a seat opens than a usual player does, who opens more often at a short table."""
    usual = min(0.95, params.opens * (0.4 + 4.0 / view.seats))
    place = COUNTS * seat
    return _rate(memory[place + OPENED], memory[place + COULD_OPEN], usual, params.trust) - usual


@alike
def _rate(count, chances, expected, trust):
    """A share of chances, drawn towards what is expected of a stranger."""
    return (count + trust * expected) / (chances + trust)
