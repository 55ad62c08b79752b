"""Whole tournaments played: batch after batch, up to one hand, or one with all that happens written down."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from razz_sim.batch.faults import NoSuchHand, StrategyFault, Verdict
from razz_sim.batch.loop import Loop, new_pulse
from razz_sim.batch.replay import Start
from razz_sim.experiment import Batch, Scenario, plan_of
from razz_sim.hand.record import NOBODY
from razz_sim.table.record import P_COPY, P_SCENARIO
from razz_sim.tally import Totals
from razz_sim.tournament.play import REACHED, play_tournaments
from razz_sim.tournament.record import (
    EVENT_FIELDS,
    EVENTS,
    PLAYER,
    SPOT,
    level_rules,
    new_stand,
    payout_values,
    plan_record,
)

_LOG_ROWS = 4096
"""Events that a first try has room for."""


class Undecided(StrategyFault):
    """A tournament that takes too many hands: its structure is at fault, or strategies that never risk a chip."""


class TournamentEvent(NamedTuple):
    """Something that happened in a tournament, at a time from its start (in a shootout from that of its round).

    `kind` says what; tables, seats and players count from 0, and a number that it does not tell of is NOBODY.

    - round: a round begins; `amount` counts them from 0. level: `amount` is its number, from 1.
    - seated: a player sits down with a stack. moved: it did to another table, from seat `other` % 8 of table
      `other` // 8.
    - hand: a hand begins, number `amount` at its table and `other` in the tournament; `seat` is the dealer. stack: it
      leaves a player `amount`, of `other` before.
    - rebuy, addon, reentry: a player has so many chips more. out: it is out, having begun its last hand with `amount`;
      `other` won its last chips, unless it forfeited them.
    - broken: a table is. hand_for_hand: it begins (1) or ends (0).
    - place: the first and last of the places that a player shares. prize: what it gets, if anything.
    """

    kind: str
    clock: int
    table: int
    seat: int
    player: int
    amount: int
    other: int


class TournamentLoop(Loop):
    """A scenario of tournaments made ready to be played, one after another."""

    def __init__(self, scenario: Scenario, seed: int, verdicts: Sequence[Verdict] = (), index: int = 0) -> None:
        super().__init__(scenario, seed, verdicts, index)
        self.plan = plan_of(scenario)
        self.stand = new_stand()
        self.players = np.zeros(self.plan.field, dtype=PLAYER)
        self.players["entrant"] = scenario.entrant_of_copy
        self.players["memory"] = self.ready.starts[:-1] * self.ready.memory.itemsize
        tables = self.plan.tables_in_all
        self.spots = np.zeros(tables, dtype=SPOT)
        self._rules = level_rules(self.plan, scenario.rules)
        self._plan = plan_record(self.plan)
        self._values = payout_values(self.plan)
        self._prizes = np.zeros(self.plan.field + 1, dtype=np.int64)
        self._room_of_players = np.zeros((5, max(self.plan.field, tables) + 1), dtype=np.int64)
        self._heap = np.zeros(tables + 1, dtype=np.int64)
        self._nets = np.zeros((4, max(2, len(scenario.lineup))), dtype=np.int64)
        self._log = np.zeros((0, len(EVENT_FIELDS)), dtype=np.int64)

    def count(self, batch: Batch, pulse: np.ndarray, totals: Totals) -> int:
        """Play a batch's tournaments into totals; how it ended."""
        return self.play_to(batch.first, batch.stop, NOBODY, pulse, totals)

    def play_to(self, first: int, stop: int, until: int, pulse: np.ndarray, totals: Totals) -> int:
        """Play tournaments, or one up to the hand `until`; how it ended."""
        ready = self.ready
        self._nets[:] = 0
        pulse[P_SCENARIO] = self.index
        pulse[P_COPY] = NOBODY
        ended: int = play_tournaments(
            self._rules,
            ready.setup[0],
            self._plan[0],
            self._values,
            self.stand[0],
            self.players,
            self.spots,
            self._room_of_players,
            self._heap,
            self._prizes,
            self.table[0],
            self.hand[0],
            ready.view[0],
            ready.outcome[0],
            ready.memory[0],
            self._rows,
            first,
            stop,
            self.scenario.bin_size,
            until,
            pulse,
            totals.table,
            totals.entrants,
            totals.fine_table,
            totals.fine_entrants,
            totals.money,
            totals.finishes,
            totals.course,
            self._nets,
            self._log,
        )
        return ended

    def reaches(self, block: int, hand: int) -> bool:
        """Play a tournament up to a hand, which is about to begin then; False when it is over before."""
        totals = Totals.nothing(1, len(self.scenario.lineup), tournament=True)
        return self.play_to(block, block + 1, hand, new_pulse(), totals) == REACHED

    def events(self, block: int) -> list[TournamentEvent]:
        """All that happens in a tournament."""
        rows = _LOG_ROWS
        while True:
            self._log = np.zeros((rows, len(EVENT_FIELDS)), dtype=np.int64)
            self.play(Batch(0, block // self.scenario.bin_size, block, block + 1, 0))
            logged = int(self.stand["logged"][0])
            if logged <= rows:
                break
            rows = logged
        found = [TournamentEvent(EVENTS[row[0]], *row[1:]) for row in self._log[:logged].tolist()]
        self._log = self._log[:0]
        return found

    def undecided(self) -> Exception:
        """A tournament takes too many hands: which, who is left, and why that cannot end."""
        left = sorted(
            {self.scenario.lineup[player].name for player in self.players["entrant"][self.players["first"] == 0]}
        )
        level = self.plan.levels[int(self.stand["level"][0])]
        chips, hands = int(self.stand["chips"][0]), int(self.stand["hands"][0])
        return Undecided(
            f"tournament {int(self.table['block'][0])} of scenario {self.scenario.name!r} is not decided after "
            f"{hands:,} hands: {int(self.stand['left'][0]):,} players are left ({', '.join(left)}), and an ante of "
            f"{level.stakes.ante:,} is too little for {chips:,} chips: add levels"
        )


def start_in_tournament(loop: TournamentLoop, number: int) -> Start:
    """What a hand of a tournament begins with, its memories as they are then; NoSuchHand when it is over before."""
    block, in_block = divmod(number, loop.scenario.hand_numbers)
    if not loop.reaches(block, in_block):
        raise NoSuchHand(f"tournament {block} has {int(loop.stand['hands'][0]):,} hands: they count from 0")
    record, table = loop.hand[0], loop.table[0]
    seats = range(loop.plan.seats)
    spot = loop.spots[int(table["table"])]
    return Start(
        stakes=loop.plan.levels[int(loop.stand["level"][0])].stakes,
        stacks=record["stack"][: loop.plan.seats].tolist(),
        dealer=int(record["dealer"]),
        copies=tuple(int(spot["player_at"][seat]) for seat in seats),
        table=int(table["table"]),
        number=int(spot["hands"]),
        front=record,
    )
