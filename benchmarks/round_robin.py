"""Who beats whom: every strategy of the library against every other, in tables.

    python -m benchmarks.round_robin [--hands N] [--seats N...] [--stakes NAME...] [--only NAME...] [--seed N]
    python -m benchmarks.round_robin --mixed [...]

A cell is what the row wins from the column, in big bets per 100 hands, with the half-width of its 95 % interval; it
stands in brackets when the interval holds zero. With two seats each deal is played twice, the seats exchanged. With
more the row has one seat and the column all others: the reverse stands in the cell across the diagonal. `--mixed`
seats each row with the strongest others instead, one of each.

Hands come in sessions at one table, stacks full in each hand: only `adaptive` can tell. `--session 1` has it meet
strangers in every hand. All matches with the same number of seats meet the same cards.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from razz_sim.batch import Loop
from razz_sim.experiment import Entrant, Experiment, Scenario, Session
from razz_sim.rules import MAX_SEATS, PRESETS, Stakes
from razz_sim.statistics import Estimate, ratio_estimate
from razz_sim.strategy import builtin_names, check_params, find_strategy
from razz_sim.tally import ENTRANT_COLUMNS

LIBRARY = builtin_names()
"""From yardsticks to strong: `docs/library.md` says what the order rests on."""

CENT = Decimal("0.01")
STAKES = {
    "low": Stakes(name="ante 5 %, bring-in 25 %", ante=10, bring_in=50, small_bet=200, big_bet=400, unit=CENT),
    "usual": Stakes(name="ante 10 %, bring-in 50 %", ante=20, bring_in=100, small_bet=200, big_bet=400, unit=CENT),
    "live": Stakes(name="ante 15 %, bring-in 12.5 %", ante=30, bring_in=25, small_bet=200, big_bet=400, unit=CENT),
    "high": Stakes(name="ante 25 %, bring-in 50 %", ante=50, bring_in=100, small_bet=200, big_bet=400, unit=CENT),
}
"""In shares of the small bet. Usual is PokerStars' 2/4, live a card room's 20/40, high the smallest limits' online."""
STACK_BIG_BETS = 40
HANDS_AT_ONCE = 1_000_000


NetsAndHands = tuple[list[int], list[int]]
"""Chips won and hands played, bin by bin."""


@dataclass(frozen=True, slots=True)
class Play:
    """How the matches are played: at which stakes, how many hands, in sessions of how many, from which seed."""

    stakes: Stakes
    hands: int
    session: int = 100
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Seated:
    """A strategy of the library with parameters other than its defaults, in so many seats."""

    strategy: str
    seats: int = 1
    params: tuple[tuple[str, float], ...] = ()

    def entrant(self, name: str) -> Entrant:
        """As an entrant of a scenario."""
        source = find_strategy(self.strategy)
        return Entrant(name, source, check_params(source, dict(self.params)), self.seats)


def win_rate(hero: Seated, others: Sequence[Seated], play: Play) -> Estimate:
    """What the hero wins in big bets per 100 hands; heads-up each deal is played from both seats."""
    return rate_of(nets_and_hands(hero, others, play), play)


def gain(hero: Seated, other_self: Seated, others: Sequence[Seated], play: Play) -> Estimate:
    """What the hero wins more than another would in its seat, on the same cards."""
    nets, hands = nets_and_hands(hero, others, play)
    other_nets, _ = nets_and_hands(other_self, others, play)
    return rate_of(([net - other for net, other in zip(nets, other_nets, strict=True)], hands), play)


def rate_of(counted: NetsAndHands, play: Play) -> Estimate:
    """Big bets per 100 hands; the samples are the bins."""
    return ratio_estimate(*counted, scale=Fraction(100, play.stakes.big_bet))


def nets_and_hands(hero: Seated, others: Sequence[Seated], play: Play) -> NetsAndHands:
    """The hero's, bin by bin; heads-up from both seats together."""
    table = (hero.entrant("hero"), *(other.entrant(f"other {number}") for number, other in enumerate(others)))
    nets, hands = _of_lineup(table, 0, play)
    if sum(entrant.seats for entrant in table) == 2:
        swapped, again = _of_lineup(table[::-1], 1, play)
        nets = [net + other for net, other in zip(nets, swapped, strict=True)]
        hands = [count + other for count, other in zip(hands, again, strict=True)]
    return nets, hands


def _of_lineup(lineup: tuple[Entrant, ...], index: int, play: Play) -> NetsAndHands:
    """An entrant's net and hands, bin by bin."""
    stack = STACK_BIG_BETS * play.stakes.big_bet
    session = Session(hands=play.session)
    scenario = Scenario("match", PRESETS["pokerstars"], play.stakes, stack, lineup, play.hands, session)
    nets, hands = [0] * scenario.bins, [0] * scenario.bins
    loop = Loop(scenario, play.seed)
    for batch in Experiment("match", play.seed, (scenario,)).batches(HANDS_AT_ONCE):
        counted = dict(zip(ENTRANT_COLUMNS, loop.play(batch).entrants[index].tolist(), strict=True))
        nets[batch.bin] += counted["net"]
        hands[batch.bin] += counted["hands"]
    return nets, hands


def versus(row: str, column: str, seats: int, play: Play) -> Estimate:
    """One seat of `row` against the column's strategy in all others."""
    return win_rate(Seated(row), [Seated(column, seats - 1)], play)


def mixed(row: str, seats: int, play: Play) -> Estimate:
    """One seat of `row` with the strongest others, one of each."""
    others = [name for name in reversed(LIBRARY) if name != row][: seats - 1]
    return win_rate(Seated(row), [Seated(name) for name in others], play)


def is_clear(found: Estimate) -> bool:
    """Whether the interval is clear of zero."""
    return found.ci95 is not None and found.ci95[0] * found.ci95[1] > 0


def cell(found: Estimate, sign: int = 1) -> str:
    """A win rate with the half-width of its interval, in brackets when that holds zero."""
    half = (found.ci95[1] - found.ci95[0]) / 2 if found.ci95 else 0.0
    text = f"{sign * found.value:+.1f} ± {half:.1f}"
    return text if is_clear(found) else f"({text})"


def crosstable(rows: Sequence[str], seats: int, play: Play) -> Iterator[str]:
    """Rows against the whole library, line by line."""
    yield "| | " + " | ".join(LIBRARY) + " |"
    yield "|---|" + "--:|" * len(LIBRARY)
    known: dict[tuple[str, str], Estimate] = {}
    for row in rows:
        cells = []
        for column in LIBRARY:
            if column == row:
                cells.append("")
            elif seats == 2 and (column, row) in known:
                cells.append(cell(known[column, row], sign=-1))
            else:
                known[row, column] = versus(row, column, seats, play)
                cells.append(cell(known[row, column]))
        yield f"| **{row}** | " + " | ".join(cells) + " |"


def mixed_table(rows: Sequence[str], seats: Sequence[int], plays: Sequence[Play]) -> Iterator[str]:
    """Rows with the strongest others, by stakes and number of seats, line by line."""
    yield "| | stakes | " + " | ".join(f"{count} seats" for count in seats) + " |"
    yield "|---|---|" + "--:|" * len(seats)
    for row in rows:
        for play in plays:
            found = " | ".join(cell(mixed(row, count, play)) for count in seats)
            yield f"| **{row}** | {play.stakes.name} | {found} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.round_robin", description="Who beats whom.")
    parser.add_argument("--hands", type=int, default=100_000, metavar="N", help="deals of a match (100,000)")
    parser.add_argument("--session", type=int, default=100, metavar="N", help="hands of a session (100)")
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 6], metavar="N", help="table sizes (2 and 6)")
    parser.add_argument("--stakes", nargs="+", default=list(STAKES), choices=STAKES, help="structures (all)")
    parser.add_argument("--only", nargs="+", default=list(LIBRARY), choices=LIBRARY, help="rows (all)")
    parser.add_argument("--mixed", action="store_true", help="seat the rows with the strongest others, one of each")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    options = parser.parse_args(arguments)
    if not all(2 <= count <= MAX_SEATS for count in options.seats):
        parser.error(f"--seats must be from 2 to {MAX_SEATS}")
    if options.session < 1 or options.hands < 2 * options.session or options.hands % options.session:
        parser.error("--hands must be two sessions or more, and whole ones")
    plays = [Play(STAKES[name], options.hands, options.session, options.seed) for name in options.stakes]
    if options.mixed:
        _say(mixed_table(options.only, options.seats, plays))
        return 0
    for play in plays:
        for seats in options.seats:
            row_has = "heads-up" if seats == 2 else f"{seats} seats, one of the row against {seats - 1} of the column"
            print(f"\n### {play.stakes.name}: {row_has}\n")
            _say(crosstable(options.only, seats, play))
    return 0


def _say(lines: Iterator[str]) -> None:
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
