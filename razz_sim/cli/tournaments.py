"""What stacks of a tournament are worth."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from razz_sim.cli.program import WRONG_INPUT, app, console, stop, wrong_input

if TYPE_CHECKING:
    from razz_sim.report import ChipValues

_NUMBER = r"\d{1,15}(\.\d{1,8})?"
_WHOLE = r"\d{1,16}"
_HUNDRED = Fraction(100)


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
