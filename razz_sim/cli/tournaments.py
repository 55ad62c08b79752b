"""Tournaments: what happened in one of a run, and what stacks of one are worth."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razz_sim.cli.hands import NegativeNumbers, asked_of, note_missing, title_of
from razz_sim.cli.program import (
    FAILED,
    TOURNAMENTS,
    WRONG_INPUT,
    announce_compiling,
    app,
    console,
    printing,
    prints_aside,
    stop,
    wrong_input,
)

if TYPE_CHECKING:
    from razz_sim.batch.tournaments import TournamentEvent
    from razz_sim.experiment import Experiment
    from razz_sim.report import ChipValues
    from razz_sim.store import Asked

_NUMBER = r"\d{1,15}(\.\d{1,8})?"
_WHOLE = r"\d{1,16}"
_HUNDRED = Fraction(100)
PLAYERS_IN_MB = 20
"""Of how many players a megabyte holds all that happens to them."""


@app.command(cls=NegativeNumbers)
def tournament(
    run_folder: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.", show_default=False)],
    where: Annotated[
        str,
        typer.Argument(
            metavar="WHERE",
            help="T or SCENARIO/T: a tournament, from 0, of a scenario by its name or number from 1; T alone is of the "
            "first scenario.",
            show_default=False,
        ),
    ],
    everything: Annotated[bool, typer.Option("--all", help="Tell all that happened, also where many play.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON instead, with all that happened.")] = False,
) -> None:
    """Tell what happened in a tournament of a run: who went out when, to whom, for what.

    Each hand that it names, T:H, is shown by: razz-sim hand RUN T:H
    """
    from razz_sim.history.tournaments import story_of

    run = asked_of(run_folder)
    with wrong_input(ValueError):
        scenario, number = tournament_at(where, run.experiment)
    note_missing(run, run_folder, scenario, number, "tournaments")
    events = events_of(run, run_folder, scenario, number)
    story = story_of(run.experiment.scenarios[scenario], number, events)
    with printing("the story", run_folder):
        if as_json:
            from razz_sim.history.tournament_data import plain_story

            typer.echo(json.dumps(plain_story(story), indent=2, ensure_ascii=False))
        else:
            from razz_sim.history.tournament_text import write_story

            title = f"{title_of(run.experiment, scenario)}, tournament {number}"
            typer.echo(write_story(story, title=title, everything=everything), nl=False)


def tournament_at(text: str, experiment: Experiment) -> tuple[int, int]:
    """The index of the scenario and the number of the tournament that a text names; ValueError with a sentence."""
    from razz_sim.experiment import whole_number

    names = [scenario.name for scenario in experiment.scenarios]
    if "/" in text and text in names:
        raise ValueError(f"{text!r} names a scenario but no tournament of it: the first is {text}/0")
    name, slash, which = text.rpartition("/")
    index = experiment.scenario_index(name) if slash else 0
    scenario = experiment.scenarios[index]
    if scenario.tournament is None:
        raise ValueError(
            f"scenario {scenario.name!r} plays no tournaments: razz-sim hand shows the hands of such a run"
        )
    if ":" in which:
        raise ValueError(f"{text!r} is a hand of a tournament: razz-sim hand shows it, razz-sim tournament takes T")
    number = whole_number(which)
    if number is None:
        raise ValueError(f"{which!r} is no number of a tournament: a tournament is T or SCENARIO/T, for one 0")
    if not 0 <= number < scenario.blocks:
        there = f"they are 0 to {scenario.blocks - 1}" if scenario.blocks > 1 else "the only one is 0"
        raise ValueError(f"there is no tournament {number} in scenario {scenario.name!r}: {there}")
    return index, number


def events_of(run: Asked, run_folder: Path, scenario: int, number: int) -> list[TournamentEvent]:
    """All that happens in a tournament of a run; where an error ends it, where that is to be looked at."""
    announce_compiling(TOURNAMENTS)
    from razz_sim.batch import BrokenHand, Exhausted, StrategyFault
    from razz_sim.batch.tournaments import TournamentLoop
    from razz_sim.places import HandPlace
    from razz_sim.runner import memory_limited

    experiment = run.experiment
    chosen = experiment.scenarios[scenario]
    played = chosen, experiment.seed_of(scenario)
    room = replace(experiment.limits, memory_mb=experiment.limits.memory_mb + chosen.players // PLAYERS_IN_MB)
    try:
        with memory_limited(room), prints_aside():
            return TournamentLoop(*played, run.verdicts, scenario).events(number)
    except StrategyFault as error:
        if error.fault is None:
            stop(str(error), FAILED)
        place = HandPlace.of_number(error.fault.number, scenario, experiment)
        stop(f"{error}\nlook at it with\n  razz-sim hand {shlex.quote(str(run_folder))} {place}", FAILED)
    except BrokenHand as error:
        stop(str(error), FAILED)
    except (Exhausted, MemoryError):
        stop(f"tournament {number} takes more memory than limits.memory_mb, {experiment.limits.memory_mb}", FAILED)


@app.command(context_settings={"ignore_unknown_options": True})
def icm(
    stacks: Annotated[
        list[str],
        typer.Argument(metavar="STACKS...", help="Chips of each player, 5000 or hero=5000.", show_default=False),
    ],
    prizes: Annotated[
        str,
        typer.Option(
            metavar="FIRST,SECOND,...",
            help="Amounts, 500,300,200. In percent if written 50%,30%,20% or if there is a --pool.",
            show_default=False,
        ),
    ],
    pool: Annotated[str | None, typer.Option(metavar="AMOUNT", help="All prizes together.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON instead.")] = False,
    seed: Annotated[str, typer.Option(metavar="N", help="Of the sampled finishing orders.")] = "0",
    samples: Annotated[
        str | None,
        typer.Option(metavar="N", help="Sample so many finishing orders instead."),
    ] = None,
) -> None:
    """Tell what stacks are worth in prizes, by the independent chip model (ICM).

    For one: razz-sim icm hero=5000 villain=3000 2000 --prizes 50,30,20 --pool 1000

    Exact, with the chances of each place for up to 15 players with chips.
    With --samples an estimate with 95 % intervals.
    Players with 0 chips are out and share the places behind the others.
    """
    from razz_sim.report import print_chip_values

    names, chips = _players(stacks)
    paid = _prizes(prizes, None if pool is None else _number(pool, f"--pool {pool}"))
    found = _valued(
        names, chips, paid, _whole(seed, "--seed"), None if samples is None else _whole(samples, "--samples")
    )
    if as_json:
        typer.echo(json.dumps(_plain(found), indent=2))
    else:
        print_chip_values(found, console())


def _valued(
    names: Sequence[str], chips: Sequence[int], prizes: Sequence[Fraction], seed: int, samples: int | None
) -> ChipValues:
    """What each player can expect: exact where that takes seconds and no number of samples is asked for."""
    from razz_sim.report import ChipValues
    from razz_sim.tournament import MOST_EXACT, MOST_INTEGRATED, finish_probabilities, integrated_icm, sampled_icm
    from razz_sim.tournament import icm as exact_icm

    with wrong_input(ValueError):
        live = sum(stack > 0 for stack in chips)
        if samples is None and live <= MOST_EXACT:
            value, chances = exact_icm(chips, prizes), finish_probabilities(chips, len(prizes))
            return ChipValues(names, chips, prizes, value, None, chances)
        if samples is None and live * len(prizes) <= MOST_INTEGRATED:
            return ChipValues(names, chips, prizes, integrated_icm(chips, prizes), None, None)
        sampled = sampled_icm(chips, prizes, seed=seed, samples=samples)
    return ChipValues(names, chips, prizes, sampled.value, sampled.ci95, None, sampled.samples, seed)


def _players(stacks: Sequence[str]) -> tuple[list[str], list[int]]:
    """Names and chips; who has no name is called by his number, from 1."""
    names, chips = [], []
    for number, text in enumerate(stacks, start=1):
        if text.startswith("-") and not re.fullmatch(r"-[\d.]+", text):
            stop(f"there is no option {text}: razz-sim icm --help lists them", WRONG_INPUT)
        name, equals, stack = text.rpartition("=")
        if equals and not name.strip():
            stop(f"{text}: before = must be a name, for one hero{text}", WRONG_INPUT)
        if not re.fullmatch(_WHOLE, stack):
            below = re.fullmatch(r"-[\d.]+", stack)
            must = "must not be below 0" if below else "must be a whole number, for one 5000 or hero=5000"
            stop(f"stack {text}: chips {must}", WRONG_INPUT)
        name = name.strip() or str(number)
        if name in names:
            stop(f"stack {text}: there are two players called {name}", WRONG_INPUT)
        names.append(name)
        chips.append(int(stack))
    return names, chips


def _prizes(text: str, pool: Fraction | None) -> list[Fraction]:
    """Prizes as amounts; percents without a pool are those of a pool of 100."""
    asked = f"--prizes {text}"
    parts = [part.strip() for part in text.split(",")]
    signs = sum(part.endswith("%") for part in parts)
    if signs not in (0, len(parts)):
        stop(f"{asked}: must be all in percent or all amounts", WRONG_INPUT)
    prizes = [_number(part.removesuffix("%").strip(), asked) for part in parts]
    total = sum(prizes, Fraction(0))
    if pool is not None and not pool:
        stop("--pool 0: must be above 0", WRONG_INPUT)
    if (signs or pool is not None) and total != _HUNDRED:
        from razz_sim.report.numbers import amount_text

        amounts = "" if signs else "; for amounts leave --pool out"
        stop(f"{asked}: percents must sum to 100, not {amount_text(total)}{amounts}", WRONG_INPUT)
    if not total:
        stop(f"{asked}: there is nothing to win", WRONG_INPUT)
    return [prize if pool is None else prize * pool / 100 for prize in prizes]


def _number(text: str, asked: str) -> Fraction:
    if not re.fullmatch(_NUMBER, text):
        stop(f"{asked}: {text!r} must be a number from 0, for one 30 or 12.50", WRONG_INPUT)
    return Fraction(text)


def _whole(text: str, option: str) -> int:
    if not re.fullmatch(r"\d{1,20}", text):
        stop(f"{option} {text}: must be a whole number from 0", WRONG_INPUT)
    return int(text)


def _plain(found: ChipValues) -> dict[str, object]:
    """The figures with the names that JSON gives them; amounts in the prizes' unit, shares and chances as fractions."""
    pool = float(found.pool)
    players = [
        {
            "name": name,
            "chips": found.chips[player],
            "chip_share": float(found.chip_share[player]),
            "prize": float(found.value[player]),
            "ci95": found.interval(player),
            "pool_share": float(found.value[player]) / pool,
            "places": None if found.chances is None else found.chances[player].tolist(),
        }
        for player, name in enumerate(found.names)
    ]
    about = {"method": "exact" if found.samples is None else "sampled", "samples": found.samples, "seed": found.seed}
    return {**about, "pool": pool, "prizes": [float(prize) for prize in found.prizes], "players": players}
