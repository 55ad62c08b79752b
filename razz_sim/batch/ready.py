"""A scenario made ready for the loops: its strategies behind addresses, its parameters and memory where they point."""

from __future__ import annotations

import numpy as np

from razz_sim.batch.faults import StrategyFault
from razz_sim.experiment import Entrant, Scenario
from razz_sim.hand.record import NOBODY, rules_record
from razz_sim.outcome import OUTCOME
from razz_sim.strategy.in_python import MARKS, PythonPlayers
from razz_sim.strategy.in_rows import ArrayPlayer
from razz_sim.strategy.machine_code import machine_code, params_record
from razz_sim.table.record import EXHAUSTED, FOLD_ON_ERROR, FORFEIT, RAISED, SETUP, STOP
from razz_sim.view import VIEW

_ON_ERROR = {"stop": STOP, "fold": FOLD_ON_ERROR, "forfeit": FORFEIT}


class Ready:
    """What one or many tables of a scenario need; it owns the memory that the addresses in it point to."""

    def __init__(self, scenario: Scenario, seed: int, tables: int = 1) -> None:
        self.scenario, self.seed = scenario, seed
        self.rules = rules_record(scenario.rules, scenario.stakes)
        self.view = np.zeros(1, dtype=VIEW)
        self.outcome = np.zeros(1, dtype=OUTCOME)
        floats = [_floats(entrant) for entrant in scenario.lineup for _ in range(entrant.seats)]
        self.starts = np.cumsum([0, *floats])
        self.memory = np.zeros((tables, max(1, int(self.starts[-1]))))
        self.python: dict[int, PythonPlayers] = {}
        self.arrays: list[ArrayPlayer] = []
        self.entrant_of_array: list[int] = []
        self.params = [params_record(entrant.strategy, entrant.params) for entrant in scenario.lineup]
        self.setup = np.zeros(1, dtype=SETUP)
        self._set_up()

    def _set_up(self) -> None:
        scenario, setup = self.scenario, self.setup[0]
        setup["seed"] = self.seed
        setup["stack"] = scenario.stack
        setup["hands"] = scenario.block_hands
        setup["session"] = scenario.session.hands
        setup["replicas"] = scenario.replicas
        setup["carry"] = scenario.session.carry
        setup["top_up"] = scenario.session.top_up
        setup["on_error"] = _ON_ERROR[scenario.on_error]
        setup["stop_at"] = NOBODY
        if scenario.tournament is None:
            setup["copy_of_place"][: scenario.seats] = scenario.copy_of_place
            setup["entrant_of_copy"][: scenario.seats] = scenario.entrant_of_copy
            setup["memory"][: scenario.seats] = self.starts[:-1] * self.memory.itemsize
        for index in range(len(scenario.lineup)):
            address, observer = self._addresses(index)
            setup["addresses"][index] = address
            setup["observers"][index] = observer
            setup["params"][index] = self.params[index].ctypes.data
        setup["observed"] = bool(setup["observers"].any()) or any(player.observes for player in self.arrays)

    def _addresses(self, index: int) -> tuple[int, int]:
        """Where an entrant's strategy is called, and its observe function; 0 for none and for one asked in rows."""
        entrant = self.scenario.lineup[index]
        source, params = entrant.strategy, dict(entrant.params)
        if source.kind == "compiled":
            code = machine_code(source)
            return code.address, code.observer
        if source.kind == "array":
            self.setup["players"][0, index] = self._array_player(index)
            return 0, 0
        players = PythonPlayers(
            source, params, self.view, self.outcome, self.memory, raised=RAISED, exhausted=EXHAUSTED
        )
        self.python[index] = players
        return players.address, players.observer

    def _array_player(self, index: int) -> int:
        """The place in `arrays` of who is asked in rows for an entrant: one for all with equal strategies."""
        entrant = self.scenario.lineup[index]
        for place, other in enumerate(self.entrant_of_array):
            if (self.scenario.lineup[other].strategy, self.scenario.lineup[other].params) == (
                entrant.strategy,
                entrant.params,
            ):
                return place
        try:
            self.arrays.append(ArrayPlayer(entrant.strategy, entrant.params))
        except Exception as error:
            what = f"cannot be made: {type(error).__name__}: {error}"
            raise StrategyFault(f"entrant {entrant.name!r} (strategy {entrant.strategy.spec}) {what}") from error
        self.entrant_of_array.append(index)
        return len(self.arrays) - 1

    def address_of(self, copy: int, table: int = 0) -> int:
        """Where the memory of one copy at a table is."""
        return int(self.memory.ctypes.data + (table * self.memory.shape[1] + self.starts[copy]) * self.memory.itemsize)

    def memory_of(self, copy: int, table: int = 0) -> np.ndarray:
        """The floats of one copy's memory at a table."""
        return self.memory[table, self.starts[copy] : self.starts[copy + 1]]


def _floats(entrant: Entrant) -> int:
    return MARKS if entrant.strategy.kind == "python" else entrant.strategy.memory
