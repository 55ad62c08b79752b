"""For authors of strategies: strategies, check, new."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from razz_sim.cli.program import FAILED, STEPS, WRONG_INPUT, announce_compiling, app, prints_aside, stop, wrong_input

if TYPE_CHECKING:
    from razz_sim.batch import Verdict
    from razz_sim.places import HandPlace
    from razz_sim.strategy import StrategySource

Spec = Annotated[str, typer.Argument(metavar="STRATEGY", help="A name, path/to/file.py:NAME or package.module:NAME.")]
KINDS = {
    "compiled": "compiled function",
    "python": "class asked decision by decision (Python)",
    "array": "class asked for many tables at once (arrays)",
}


@app.command()
def strategies(
    spec: Annotated[
        str | None, typer.Argument(metavar="[STRATEGY]", help="One strategy: its idea, source and parameters.")
    ] = None,
) -> None:
    """List the strategies that come with razz_sim, from weak to strong, or show one."""
    from razz_sim.strategy import StrategyError, builtin_names, find_strategy, offered_strategies

    if spec is not None:
        with wrong_input(StrategyError):
            typer.echo(_shown(find_strategy(spec)))
        return
    names = builtin_names()
    offers = offered_strategies()
    width = max(map(len, [*names, *(offer.name for offer in offers)]))
    for name in names:
        typer.echo(f"{name:<{width}}  {find_strategy(f'razz_sim.strategies.{name}:{name}').summary}")
    if offers:
        typer.echo("\nfrom installed packages")
    for offer in offers:
        try:
            summary = find_strategy(offer.name).summary
        except StrategyError as error:
            summary = f"cannot be used: {error}"
        typer.echo(f"{offer.name:<{width}}  {summary} ({offer.package})")


def _shown(source: StrategySource) -> str:
    """A strategy in full: what it is, its idea and source, its parameters."""
    from razz_sim.strategy.source import observes

    remembers = f", memory of {source.memory} floats" if source.memory else ""
    told = ", told how hands end" if observes(source) else ""
    lines = [
        f"{source.spec}: {KINDS[source.kind]}{remembers}{told}",
        "",
        source.doc or "It says nothing of itself.",
    ]
    lines += ["", "parameters" if source.parameters else "no parameters"]
    for parameter in source.parameters:
        words = {"int": "whole number", "float": "number", "bool": "true or false"}[parameter.kind]
        default = str(bool(parameter.default)).lower() if parameter.kind == "bool" else f"{parameter.default:g}"
        ends = "" if parameter.kind == "bool" else f" from {parameter.low:g} to {parameter.high:g}"
        lines.append(f"  {parameter.name}: {words}{ends}, default {default}: {parameter.meaning}")
    return "\n".join(lines)


@app.command()
def check(
    spec: Spec,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A parameter of it, again for more.")
    ] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="PLACE", help="Show a hand that a check spoke of, up to where it went wrong.")
    ] = None,
    unasked: Annotated[
        str | None,
        typer.Option(metavar="COPY/DECISION", help="With --hand: the decision it is not asked for, since it hangs."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer hands; neither speed nor memory.")] = False,
) -> None:
    """Play a strategy through thousands of odd situations and report what is wrong with it."""
    announce_compiling()
    from razz_sim.config import ConfigError, read_params
    from razz_sim.strategy import StrategyError

    with wrong_input(ConfigError, StrategyError):
        params = read_params(changes or ())
        if hand is not None:
            announce_compiling(STEPS)
            with prints_aside():
                text = _hand(spec, params, hand, unasked)
            typer.echo(text)
            return
        from razz_sim.checking import check as look

        report = look(spec, params, thorough=not quick)
    typer.echo(str(report))
    if not report.good:
        count = len(report.bad())
        stop(f"\n{count} of {len(report.findings)} things looked at {'is' if count == 1 else 'are'} wrong", FAILED)


def _hand(spec: str, params: dict[str, object], place: str, unasked: str | None) -> str:
    """A hand of a check in plain words, and what went wrong in it; up to the decision that is not asked for."""
    from razz_sim.batch import NoSuchHand
    from razz_sim.checking import played_hand, situations_of
    from razz_sim.history import write_text
    from razz_sim.places import HandPlace

    experiment = situations_of(spec, params)
    with wrong_input(NoSuchHand, ValueError):
        where = HandPlace.parse(place, experiment)
        scenario = experiment.scenarios[where.scenario]
        replayed = played_hand(experiment, where, [] if unasked is None else [_verdict(where, unasked)])
    title = f"situation {where.scenario + 1}, {scenario.name}, hand {where}"
    text = write_text(replayed.hand, title=title, names=list(replayed.names), failed=replayed.failed())
    return "\n".join([text, *map(str, replayed.faults)])


def _verdict(where: HandPlace, unasked: str) -> Verdict:
    """What stands for the answer to a decision that would hang or end this process."""
    from razz_sim.batch import Verdict

    copy, slash, decision = unasked.partition("/")
    if not (slash and copy.isdecimal() and decision.removeprefix("-").isdecimal()):
        stop(f"--unasked {unasked}: must be COPY/DECISION, as a check writes it", WRONG_INPUT)
    reason = "not asked here: it hung or ended the process"
    return Verdict(where.scenario, where.block, where.hand, int(copy), int(decision), reason)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="What the strategy is called: a word as Python's names are.")],
    kind: Annotated[str, typer.Option(help="compiled, python or array.")] = "compiled",
    folder: Annotated[Path, typer.Option("--in", help="The folder to write to.")] = Path(),
) -> None:
    """Write a commented strategy file, and its test, to begin with."""
    from razz_sim.authoring import AuthoringError, write_strategy

    with wrong_input(AuthoringError):
        written = write_strategy(name, kind, folder)
    for path in written:
        typer.echo(f"wrote {path}")
    typer.echo(
        f"""
in the line-up of a config beside it:
  - {{name: {name}, strategy: "{name}.py:{name}", params: {{limit: 8}}}}
next:
  razz-sim check {written[0]}:{name}
  razz-sim strategies {written[0]}:{name}
  python -m pytest {written[1]}    (after `pip install pytest`, where that is missing)"""
    )
