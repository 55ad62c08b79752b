"""Single hands: of a run, of real rooms, and lows from cards: hand, hands, replay, eval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from razz_sim.cli.program import FAILED, STEPS, WRONG_INPUT, announce_compiling, app, say, stop, wrong_input

if TYPE_CHECKING:
    from razz_sim.batch import Replayed
    from razz_sim.experiment import Experiment, Scenario


@app.command()
def hand(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    where: Annotated[
        str, typer.Argument(metavar="WHERE", help="N, or SCENARIO/N: hand N, from 0, of a scenario, from 1.")
    ],
    form: Annotated[str, typer.Option("--format", help="text, phh or pokerstars.")] = "text",
) -> None:
    """Show any hand of a run in full."""
    from razz_sim.store import Run, StoreError

    _check_format(form)
    with wrong_input(StoreError):
        experiment = Run.load(run_folder).experiment()
    scenario, number = _place(where, experiment)
    announce_compiling(STEPS)
    from razz_sim.batch import NoSuchHand, replay_hand

    with wrong_input(NoSuchHand):
        replayed = replay_hand(scenario, experiment.seed, number)
    typer.echo(_hand_text(replayed, experiment, scenario, form, f"{run_folder.name}-{where}"), nl=False)


def _check_format(form: str) -> None:
    if form not in ("text", "phh", "pokerstars"):
        stop(f"--format {form}: must be text, phh or pokerstars", WRONG_INPUT)


def _hand_text(replayed: Replayed, experiment: Experiment, scenario: Scenario, form: str, hand_id: str) -> str:
    """A hand of a run in one of the formats."""
    from razz_sim.history import write_phh, write_pokerstars, write_text

    names = replayed.seat_names()
    if form == "phh":
        return write_phh(replayed.hand, hand_id=hand_id, names=names)
    if form == "pokerstars":
        return write_pokerstars(replayed.hand, hand_number=replayed.number, names=names)
    scenario_name = f", {scenario.name}" if len(experiment.scenarios) > 1 else ""
    return write_text(replayed.hand, title=f"{experiment.name}{scenario_name}, hand {replayed.number}", names=names)


def _place(where: str, experiment: Experiment) -> tuple[Any, int]:
    """The scenario and block that a WHERE names."""
    parts = where.split("/")
    if not 1 <= len(parts) <= 2 or not all(part.isdecimal() for part in parts):
        stop(f"{where!r} is no place of a hand: N, or SCENARIO/N with scenarios counted from 1", WRONG_INPUT)
    number, index = int(parts[-1]), int(parts[0]) if len(parts) == 2 else 1
    if not 1 <= index <= len(experiment.scenarios):
        stop(f"there is no scenario {index}: the run has {len(experiment.scenarios)}", WRONG_INPUT)
    scenario = experiment.scenarios[index - 1]
    if number >= scenario.hands:
        stop(f"there is no hand {number}: scenario {index} has hands 0 to {scenario.hands - 1}", WRONG_INPUT)
    return scenario, number


@app.command()
def hands(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    where: Annotated[
        str, typer.Option("--where", metavar="CONDITION", help="'pot > 40 and side_pots' for one; --names lists them.")
    ] = "pot > 0",
    scenario: Annotated[int, typer.Option(min=1, help="Which scenario, counted from 1.")] = 1,
    limit: Annotated[int, typer.Option(min=1, help="Stop after so many.")] = 100,
    form: Annotated[str, typer.Option("--format", help="text, phh or pokerstars.")] = "text",
    out: Annotated[Path | None, typer.Option(help="A folder that gets a file for each hand.")] = None,
    names: Annotated[bool, typer.Option("--names", help="List the names a condition may use.")] = False,
) -> None:
    """Show the hands of a run that meet a condition, or write them to files."""
    from razz_sim.history.conditions import FACTS, Condition, ConditionError

    if names:
        width = max(map(len, FACTS))
        typer.echo("\n".join(f"{name:<{width}}  {meaning}" for name, meaning in FACTS.items()))
        return
    from razz_sim.store import Run, StoreError

    _check_format(form)
    with wrong_input(ConditionError):
        condition = Condition.read(where)
    with wrong_input(StoreError):
        experiment = Run.load(run_folder).experiment()
    chosen, _ = _place(f"{scenario}/0", experiment)
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            stop(f"{out}: {error.strerror}", FAILED)
    announce_compiling(STEPS)
    from razz_sim.history.conditions import matching

    found = 0
    with wrong_input(ConditionError):
        for replayed in matching(chosen, experiment.seed, condition, limit):
            found += 1
            text = _hand_text(replayed, experiment, chosen, form, f"{run_folder.name}-{scenario}-{replayed.number}")
            if out is None:
                typer.echo(text)
            else:
                _write_new(out / f"{scenario}-{replayed.number}.{'phh' if form == 'phh' else 'txt'}", text)
    say(f"{found} hands" + (f" in {out}" if out is not None else ""))


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
        good = sum(outcome.ok for outcome in outcomes)
        typer.echo(f"{good} of {len(outcomes)} hands are legal and end as recorded")
    if not all(outcome.ok for outcome in outcomes):
        raise typer.Exit(FAILED)


@app.command("eval")
def evaluate(
    cards: Annotated[
        list[str], typer.Argument(help="Hands of 1 to 7 cards, 'As2d3c4h5s' for one.", show_default=False)
    ],
) -> None:
    """Rank lows, best first, and name them."""
    from razz_sim.cards import cards_text, parse_cards
    from razz_sim.lowball import best_low, low_key, low_name

    with wrong_input(ValueError):
        held = [parse_cards(text) for text in cards]
        ranked = sorted(((low_key(hand), number, hand) for number, hand in enumerate(held)), key=lambda one: one[:2])
    keys = [key for key, _, _ in ranked]
    width = max(len(cards_text(hand)) for hand in held)
    for key, _, hand in ranked:
        tied = " (tied)" if keys.count(key) > 1 else ""
        place = keys.index(key) + 1
        used = cards_text(best_low(hand))
        typer.echo(f"{place}. {cards_text(hand):<{width}}  {used:<10}  {low_name(hand)}{tied}")
