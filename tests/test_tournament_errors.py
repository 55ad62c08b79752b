"""Strategies that fail in a tournament: its end is what `on_error` says, and nobody else's chips are lost."""

from __future__ import annotations

import os
from collections import Counter

import pytest
from small_experiments import entrant, written
from small_tournaments import (
    SEED,
    Told,
    batch,
    check_against_model,
    events_of,
    hands_of,
    of_kind,
    of_library,
    plan,
    scenario,
    shared,
)

from razz_sim.batch import StrategyFault, Verdict, replay_hand
from razz_sim.batch.replay import Replayed
from razz_sim.batch.tournaments import TournamentEvent, TournamentLoop
from razz_sim.experiment import OnError, Scenario
from razz_sim.hand.record import NOBODY
from razz_sim.structures import Again, Payouts, Tournament
from razz_sim.table.record import OBSERVING
from razz_sim.tally import ENTRANT_COLUMNS, TABLE_COLUMNS

IN_MACHINE_CODE = "def bot(view, params, memory, u):\n"
IN_PYTHON = "@strategy\nclass bot:\n    def act(self, view, u):\n"
BOTS = {
    "compiled, illegal": f"{IN_MACHINE_CODE}    return 77 if uniform(u, 0) < 0.06 else STAY\n",
    "compiled, raises": f"{IN_MACHINE_CODE}    return 1 + 0 // (view.street - 6)\n",
    "compiled, raises to 7": f"{IN_MACHINE_CODE}    return raise_to(7) if uniform(u, 0) < 0.06 else STAY\n",
    "python, raises": f"{IN_PYTHON}        return [STAY][view.street > 5 and view.players_left < 9]\n",
    "python, is told": (
        f"{IN_PYTHON}        return raise_or_stay(view)\n\n    def observe(self, outcome):\n"
        "        assert outcome.up[outcome.seat][0] % 8 != 3, 'no'\n"
    ),
}
BLOCK = 4
SHARED = {
    "tables": plan(17, seats=6, payouts=Payouts("top", (1500,))),
    "buying": plan(
        13,
        seats=5,
        reentry=Again(level=5, chips=400, price=90, fee=9, times=3),
        rebuy=Again(level=2, chips=300, price=50, fee=0, times=2),
        addon=Again(level=1, chips=200, price=70, fee=7),
    ),
    "shootout": plan(12, seats=4, kind="shootout"),
    "bracket": plan(9, seats=2, kind="bracket"),
}


def faulty(text: str, played: Tournament, on_error: OnError) -> Scenario:
    """A field of which a third fails now and then."""
    lineup = shared(played.field, [written("bad", text), entrant("caller", "caller"), entrant("tight", "tight")])
    return scenario(played, lineup, on_error=on_error)


def replayed(some: Scenario, hands: list[Told]) -> list[Replayed]:
    """All hands of the block replayed."""
    return [replay_hand(some, SEED, BLOCK * some.hand_numbers + hand.number) for hand in hands]


def everybody_has_a_place(played: Tournament, events: list[TournamentEvent]) -> bool:
    """Whether places are shared out to the last."""
    counts = Counter((event.amount, event.other) for event in of_kind(events, "place"))
    taken = sorted(place for first, last in counts for place in range(first, last + 1))
    return taken == list(range(1, played.field + 1)) and all(
        last - first + 1 == n for (first, last), n in counts.items()
    )


LONG = "RAZZ_SIM_LONG" in os.environ
PAIRS = [
    (bot, kind)
    for place, bot in enumerate(BOTS)
    for number, kind in enumerate(SHARED)
    if LONG or number == place % len(SHARED)
]
"""Which bots play which kinds: in the short form each bot one kind and each kind some bot."""


def totals_of_bad(some: Scenario) -> dict[str, int]:
    """What was counted of the entrant that fails."""
    counted = TournamentLoop(some, SEED).play(batch(some, BLOCK, BLOCK + 1))
    assert counted.table[TABLE_COLUMNS.index("forfeited_blocks")] == 0
    return dict(zip(ENTRANT_COLUMNS, counted.entrants[0].tolist(), strict=True))


@pytest.mark.parametrize(("bot", "kind"), PAIRS)
def test_a_decision_that_fails_is_a_check_or_fold_and_counted(bot: str, kind: str) -> None:
    some = faulty(BOTS[bot], SHARED[kind], "fold")
    events = events_of(some, BLOCK)
    hands = hands_of(SHARED[kind], events)
    assert everybody_has_a_place(SHARED[kind], events)
    check_against_model(SHARED[kind], BLOCK, events)
    again = replayed(some, hands)
    for told, hand in zip(hands, again, strict=True):
        assert hand.hand.stacks == [told.after.get(seat, 0) for seat in range(SHARED[kind].seats)]
    errors = [fault for hand in again for fault in hand.faults]
    assert {fault.entrant for fault in errors} == {"bad"}
    found = totals_of_bad(some)
    assert (found["errors"], found["forfeits"]) == (len(errors), 0)


def after_forfeits(told: Told, stacks: list[int], failed: set[int], seats: int) -> dict[int, int]:
    """The chips that failed seats have after a hand go to the others in equal shares, odd ones clockwise."""
    after = {seat: stacks[seat] for seat in told.before}
    heirs = [seat for seat in told.before if seat not in failed]
    for seat in failed if heirs else ():
        each, odd = divmod(stacks[seat], len(heirs))
        after[seat] = 0
        for place, heir in enumerate(sorted(heirs, key=lambda heir: (heir - seat) % seats)):
            after[heir] += each + (place < odd)
    return after


@pytest.mark.parametrize(("bot", "kind"), PAIRS)
def test_who_forfeits_is_out_and_the_others_at_the_table_have_the_chips(bot: str, kind: str) -> None:
    played = SHARED[kind]
    some = faulty(BOTS[bot], played, "forfeit")
    events = events_of(some, BLOCK)
    hands = hands_of(played, events)
    assert everybody_has_a_place(played, events)
    if kind != "buying":  # of rebuys and re-entries the model lets no forfeit keep anybody
        check_against_model(played, BLOCK, events)
    forfeits: dict[int, Told] = {}
    errors = 0
    for told, hand in zip(hands, replayed(some, hands), strict=True):
        failed = {fault.seat for fault in hand.faults if fault.seat is not None}
        errors += len(hand.faults)
        assert told.after == after_forfeits(told, hand.hand.stacks, failed, played.seats)
        assert sum(told.after.values()) == sum(told.before.values())
        alone = failed == set(told.before)
        forfeits |= {told.players[seat]: told for seat in failed if not alone}
    assert forfeits
    assert max(forfeits) < some.lineup[0].seats
    for player, told in forfeits.items():
        later = [event for event in events if event.player == player and event.kind not in ("place", "prize")]
        out = next(event for event in of_kind(events, "out") if event.player == player)
        assert later[-1] == out, "it comes back"
        assert told.before[out.seat] == out.amount
        assert out.other == NOBODY
    found = totals_of_bad(some)
    assert (found["errors"], found["forfeits"]) == (errors, len(forfeits))


@pytest.mark.parametrize("kind", SHARED)
def test_where_all_at_a_table_forfeit_nobody_is_left_to_share_and_play_goes_on(kind: str) -> None:
    played = SHARED[kind]
    text = f"{IN_MACHINE_CODE}    return 77\n"
    some = scenario(played, (written("bad", text, seats=played.field),), on_error="forfeit")
    events = events_of(some, BLOCK)
    assert everybody_has_a_place(played, events)
    hands = hands_of(played, events)
    alone = 0
    for told, hand in zip(hands, replayed(some, hands), strict=True):
        failed = {fault.seat for fault in hand.faults if fault.seat is not None}
        alone += failed == set(told.before)
        assert told.after == after_forfeits(told, hand.hand.stacks, failed, played.seats)
    assert alone > 0


@pytest.mark.parametrize("bot", BOTS)
def test_an_error_may_stop_the_run_and_names_its_hand(bot: str) -> None:
    played = SHARED["tables"]
    folding, stopping = (faulty(BOTS[bot], played, on_error) for on_error in ("fold", "stop"))
    hands = hands_of(played, events_of(folding, BLOCK))
    first, again = next((hand, one) for hand, one in zip(hands, replayed(folding, hands), strict=True) if one.faults)
    number = BLOCK * stopping.hand_numbers + first.number
    says = f"hand {first.number} of tournament {BLOCK}, "
    with pytest.raises(StrategyFault) as raised:
        TournamentLoop(stopping, SEED).play(batch(stopping, BLOCK, BLOCK + 1))
    fault = raised.value.fault
    assert fault is not None
    assert fault == again.faults[0]
    assert (fault.entrant, fault.scenario, fault.number) == ("bad", "small", number)
    assert (fault.block, fault.hand) == (BLOCK, first.number)
    assert fault.seat is not None
    assert fault.copy == first.players[fault.seat]
    assert f"entrant 'bad' (strategy bad.py:bot) failed in scenario 'small', {says}" in str(raised.value)
    assert replay_hand(stopping, SEED, number).faults == (fault,)
    assert TournamentLoop(stopping, SEED).reaches(BLOCK, first.number)
    with pytest.raises(StrategyFault, match=says):
        events_of(stopping, BLOCK)


@pytest.mark.parametrize("on_error", ["fold", "forfeit"])
@pytest.mark.parametrize("kind", SHARED)
def test_a_verdict_holds_for_a_hand_of_a_tournament(kind: str, on_error: OnError) -> None:
    played = SHARED[kind]
    some = scenario(played, of_library(played.field, ("caller", "tight", "maniac")), on_error=on_error)
    honest = hands_of(played, events_of(some, BLOCK))
    before, asked = next(
        (told, seat)
        for told in honest[len(honest) // 3 :]
        for seat, player in told.players.items()
        if player < some.lineup[0].seats and told.before[seat] > played.levels[told.level - 1].stakes.ante
    )
    number = before.number
    verdict = Verdict(0, BLOCK, number, before.players[asked], 0, "it hung")
    loop = TournamentLoop(some, SEED, [verdict])
    events = loop.events(BLOCK)
    hands = hands_of(played, events)
    assert hands[:number] == honest[:number]
    again = replay_hand(some, SEED, BLOCK * some.hand_numbers + number, [verdict])
    assert [(one.copy, one.seat, one.decision, one.reason) for one in again.faults] == [
        (verdict.copy, asked, 0, "it hung")
    ]
    failed = {asked} if on_error == "forfeit" else set()
    assert hands[number].before == before.before
    assert hands[number].after == after_forfeits(before, again.hand.stacks, failed, played.seats)
    assert everybody_has_a_place(played, events)
    counted = loop.play(batch(some, BLOCK, BLOCK + 1)).entrants[0]
    assert counted[ENTRANT_COLUMNS.index("errors")] == 1
    assert counted[ENTRANT_COLUMNS.index("forfeits")] == (on_error == "forfeit")
    elsewhere = loop.events(BLOCK + 1)
    assert elsewhere == events_of(some, BLOCK + 1)
    other = Verdict(1, BLOCK, number, before.players[asked], 0, "in another scenario")
    assert hands_of(played, TournamentLoop(some, SEED, [other]).events(BLOCK)) == honest


def test_a_verdict_on_being_told_how_a_hand_ended_holds_too() -> None:
    played = SHARED["tables"]
    some = scenario(played, of_library(played.field, ("adaptive", "caller")), on_error="forfeit")
    hand = hands_of(played, events_of(some, BLOCK))[20]
    seat, player = next((seat, player) for seat, player in hand.players.items() if player < some.lineup[0].seats)
    verdict = Verdict(0, BLOCK, 20, player, OBSERVING, "it ended the process")
    told = hands_of(played, TournamentLoop(some, SEED, [verdict]).events(BLOCK))[20]
    again = replay_hand(some, SEED, BLOCK * some.hand_numbers + 20, [verdict])
    assert [(one.copy, one.decision) for one in again.faults] == [(player, OBSERVING)]
    assert told.after == after_forfeits(hand, again.hand.stacks, {seat}, played.seats)
