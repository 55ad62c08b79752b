"""Single hands: of a run, of real rooms, and lows from cards: hand, hands, replay, eval."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from razz_sim.cli.program import (
    FAILED,
    INTERRUPTED,
    STEPS,
    WRONG_INPUT,
    announce_compiling,
    announce_compiling_for,
    app,
    hands_bar,
    prints_aside,
    say,
    stop,
    wrong_input,
)

if TYPE_CHECKING:
    from razz_sim.batch import Replayed
    from razz_sim.experiment import Experiment
    from razz_sim.history import Printed
    from razz_sim.history.search import Search
    from razz_sim.places import HandPlace
    from razz_sim.store import Asked
    from razz_sim.tally import Tally


class NegativeNumbers(TyperCommand):
    """A command whose arguments may begin with a minus and a digit: `-1` is a wrong number, not an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = any(re.match("-[0-9]", arg) for arg in args)
        return super().parse_args(ctx, args)


@app.command(cls=NegativeNumbers)
def hand(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    where: Annotated[
        str,
        typer.Argument(
            metavar="WHERE",
            help="N, SCENARIO/N or SCENARIO/MATCH/BLOCK/REPLICA/HAND; of a tournament T:H or SCENARIO/T:H. A scenario "
            "is named, or numbered from 1 as the match is; all else counts from 0. N or T:H alone is of the first "
            "scenario.",
            show_default=False,
        ),
    ],
    form: Annotated[str, typer.Option("--format", help="text, phh or pokerstars.")] = "text",
) -> None:
    """Show any hand of a run in full."""
    from razz_sim.places import HandPlace

    _check_format(form)
    run = asked_of(run_folder)
    experiment = run.experiment
    with wrong_input(ValueError):
        place = HandPlace.parse(where, experiment)
    chosen = experiment.scenarios[place.scenario]
    if chosen.tournament is None:
        note_missing(run, run_folder, place.scenario, place.number, "hands", chosen.block_hands)
    else:
        note_missing(run, run_folder, place.scenario, place.block, "tournaments")
    announce_compiling(STEPS)
    from razz_sim.batch import NoSuchHand, replay_hand
    from razz_sim.runner import memory_limited

    with wrong_input(NoSuchHand), memory_limited(experiment.limits), prints_aside():
        replayed = replay_hand(chosen, experiment.seed_of(place.scenario), place.number, run.verdicts, place.scenario)
    typer.echo(_hand_text(replayed, run, place, form), nl=False)
    for fault in replayed.faults:
        say(f"{fault}")


def note_missing(run: Asked, run_folder: Path, scenario: int, number: int, what: str, in_block: int = 1) -> None:
    """Tell of a hand or tournament that is none of a run's results, where a block has so many; exit if it never is."""
    first, end = (block * in_block for block in run.blocks[scenario])
    if first <= number < end:
        return
    only = f"only {what} {first} to {end - 1}" if first < end else f"no {what}"
    has_only = f"{run_folder} has {only} of scenario {run.experiment.scenarios[scenario].name!r}"
    if run.limited and first < end:
        stop(f"{has_only}: it is a run of some blocks", WRONG_INPUT)
    say(f"note: {has_only}; this one is none of its results")


def asked_of(run_folder: Path) -> Asked:
    """What a run plays, finished or not."""
    from razz_sim.store import Asked, StoreError

    with wrong_input(StoreError), prints_aside():
        return Asked.load(run_folder)


def _check_format(form: str) -> None:
    if form not in ("text", "phh", "pokerstars"):
        stop(f"--format {form}: must be text, phh or pokerstars", WRONG_INPUT)


def _hand_text(replayed: Replayed, run: Asked, place: HandPlace, form: str) -> str:
    """A hand of a run in one of the formats; no two hands of a run have the same id in any of them."""
    from razz_sim.history import write_phh, write_pokerstars, write_text

    names = list(replayed.names)
    if form != "text" and replayed.hand.seat is not None:
        stop(f"hand {place} ended unfinished, with an error of a strategy: only --format text shows it", FAILED)
    with wrong_input(ValueError):  # entrants' names that a format cannot hold
        if form == "phh":
            return write_phh(replayed.hand, hand_id=f"{run.run}/{place}", names=names)
        if form == "pokerstars":
            printed = _printed(replayed, run, place)
            return write_pokerstars(replayed.hand, hand_number=place.identifier, names=names, tournament=printed)
    title = f"{title_of(run.experiment, place.scenario)}, {_which(replayed, place)}"
    return write_text(replayed.hand, title=title, names=names, failed=replayed.failed())


def title_of(experiment: Experiment, scenario: int) -> str:
    """An experiment's name, and that of one of its scenarios where there are several."""
    return ", ".join([experiment.name, *[experiment.scenarios[scenario].name][: len(experiment.scenarios) - 1]])


def _which(replayed: Replayed, place: HandPlace) -> str:
    """Which hand it is; of a tournament also at which level and table, and how many are left."""
    if not replayed.hand.tournament:
        return f"hand {place.number} ({place})"
    left = f"{replayed.hand.players_left:,} players left"
    at = f"level {replayed.hand.record['level']}, table {replayed.table + 1}, {left}"
    return f"tournament {place.block}, hand {place.hand} ({place}), {at}"


def _printed(replayed: Replayed, run: Asked, place: HandPlace) -> Printed:
    """What PokerStars' text tells of the tournament that a hand is of."""
    from razz_sim.experiment import MAX_HANDS
    from razz_sim.history import Printed

    plan = run.experiment.scenarios[place.scenario].tournament
    if plan is None:
        return Printed()
    number = (place.scenario + 1) * MAX_HANDS + place.block
    sign = "$" if plan.unit < 1 else ""
    buy_in = f"{sign}{plan.prize * plan.unit:f}+{sign}{plan.fee * plan.unit:f}{' USD' if sign else ''}"
    return Printed(number, buy_in, replayed.table + 1)


@app.command()
def hands(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    where: Annotated[
        str, typer.Option("--where", metavar="CONDITION", help="'pot > 40 and side_pots' for one; --names lists them.")
    ] = "pot > 0",
    scenario: Annotated[str, typer.Option(help="Which scenario, by name or counted from 1.")] = "1",
    limit: Annotated[int, typer.Option(min=1, help="Stop after so many.")] = 100,
    form: Annotated[str, typer.Option("--format", help="text, phh or pokerstars.")] = "text",
    out: Annotated[Path | None, typer.Option(help="A folder that gets a file for each hand.")] = None,
    names: Annotated[bool, typer.Option("--names", help="List the names a condition may use.")] = False,
) -> None:
    """Show the hands of a run that meet a condition, or write them to files."""
    from razz_sim.history.conditions import FACTS, TOURNAMENT_FACTS, Condition, ConditionError

    if names:
        listed = {**FACTS, **TOURNAMENT_FACTS}
        width = max(map(len, listed))
        typer.echo("\n".join(f"{name:<{width}}  {meaning}" for name, meaning in listed.items()))
        return
    from razz_sim.places import HandPlace

    _check_format(form)
    with wrong_input(ConditionError):
        condition = Condition.read(where)
    run = asked_of(run_folder)
    experiment = run.experiment
    with wrong_input(ValueError):
        index = experiment.scenario_index(scenario)
    chosen = experiment.scenarios[index]
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            stop(f"{out}: {error.strerror}", FAILED)
    if run.blocks[index][0] >= run.blocks[index][1]:
        say(f"note: {run_folder} has no hands of scenario {chosen.name!r}: it failed, or was not to be played")
    announce_compiling_for(experiment)
    announce_compiling(STEPS)
    from razz_sim.history.search import Search, Sought

    sought = Sought(
        scenario=chosen,
        seed=experiment.seed_of(index),
        condition=condition,
        blocks=run.blocks[index],
        verdicts=run.verdicts,
        index=index,
        tally=_tally(run_folder, index),
    )
    shown = sys.stdout
    with wrong_input(ConditionError), prints_aside():
        search = Search(sought)
        found = 0
        for replayed in islice(_watched(search), limit):
            found += 1
            place = HandPlace.of_number(replayed.number, index, experiment)
            text = _hand_text(replayed, run, place, form)
            if out is None:
                typer.echo(text, file=shown)
            else:
                which = f"{place.block}-{place.hand}" if place.tournament else f"{replayed.number}"
                _write_new(out / f"{index + 1}-{which}.{'phh' if form == 'phh' else 'txt'}", text)
    folder = f" in {out}" if out is not None else ""
    if search.stopped:
        among = f"among the first {search.looked_at:,} of {search.hands:,}"
        stop(f"interrupted: {_counted(found)}{folder} {among}", INTERRUPTED)
    say(f"{_counted(found)}{folder}{f'; more may follow: --limit is {limit}' if found == limit else ''}")


def _counted(hands: int) -> str:
    return "1 hand" if hands == 1 else f"{hands:,} hands"


def _tally(run_folder: Path, scenario: int) -> Tally | None:
    """The totals of a scenario, where the run is finished."""
    from razz_sim.store import Run, StoreError

    try:
        return Run.load(run_folder).tallies[scenario]
    except StoreError:
        return None


BAR_DELAY = 0.5
"""Seconds of search after which a bar is worth the look."""


def _watched(search: Search) -> Iterator[Replayed]:
    """What a search finds, with a bar of the hands that were looked at; Ctrl-C ends it with what was found so far."""
    with hands_bar(search.hands, delay=BAR_DELAY) as bar, _stopped_by_signals(search):
        search.tell = lambda: bar.update(search.looked_at - bar.n)
        for found, replayed in enumerate(search, start=1):
            bar.set_postfix_str(f"{found} found", refresh=False)
            bar.clear()
            yield replayed


@contextmanager
def _stopped_by_signals(search: Search) -> Iterator[None]:
    """An interrupt tells a search to stop: raised while a strategy is asked it would be taken for an error of it.

    A second one is raised: the strategy may never answer.
    """

    def interrupted(number: int, frame: object) -> None:
        if search.stopped:
            raise KeyboardInterrupt
        search.stop()

    before = {one: signal.signal(one, interrupted) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def _write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        stop(f"{path}: {error.strerror}", FAILED)


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(help="PHH files or the rooms' own texts.", show_default=False)],
    rules: Annotated[str | None, typer.Option(help="A preset instead of the file's rules.")] = None,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A rule option, again for more.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcomes as JSON.")] = False,
) -> None:
    """Play real hands by the rules: is each action legal, does each hand end with the recorded stacks?"""
    options = {}
    for change in changes or ():
        name, equals, value = change.partition("=")
        if not equals:
            stop(f"--set {change}: must be OPTION=VALUE, for one --set bets_per_round=5", WRONG_INPUT)
        options[name] = value
    announce_compiling(STEPS)
    from razz_sim.history import replay_files

    with wrong_input(ValueError, OSError):
        outcomes = replay_files(files, rules, options)
    if as_json:
        typer.echo(json.dumps([outcome.as_json() for outcome in outcomes], indent=2))
    else:
        for outcome in outcomes:
            for problem in outcome.problems:
                typer.echo(problem)
        good, unreadable = (sum(one.result == result for one in outcomes) for result in ("ok", "unreadable"))
        cannot = f"; {unreadable} cannot be read" if unreadable else ""
        typer.echo(f"{good} of {len(outcomes)} hands are legal and end as recorded{cannot}")
    if not all(outcome.ok for outcome in outcomes):
        raise typer.Exit(FAILED)


@app.command("eval")
def evaluate(
    cards: Annotated[
        list[str], typer.Argument(help="Hands of 1 to 7 cards, 'As2d3c4h5s' for one.", show_default=False)
    ],
) -> None:
    """Rank lows, best first, and name them."""
    from razz_sim.cards import RANKS, cards_text, parse_cards
    from razz_sim.lowball import best_low, low_key, low_name, low_ranks

    with wrong_input(ValueError):
        held = [parse_cards(text) for text in cards]
        ranked = sorted(((low_key(hand), number, hand) for number, hand in enumerate(held)), key=lambda one: one[:2])
    keys = [key for key, _, _ in ranked]
    width = max(map(len, map(cards_text, held)))
    for key, _, hand in ranked:
        tied = " (tied)" if keys.count(key) > 1 else ""
        place = keys.index(key) + 1
        used, spelled = cards_text(best_low(hand)), "-".join(RANKS[rank] for rank in low_ranks(hand))
        typer.echo(f"{place}. {cards_text(hand):<{width}}  {used:<10}  {spelled:<9}  {low_name(hand)}{tied}")
    if len(held) > 1 and all(len(hand) == 1 for hand in held):
        together = "".join(map(cards_text, held))
        say(f"each card was ranked as a hand of its own; for one hand write its cards together: {together}")
