"""The report of a run as one HTML file: it opens from disk, asks no network, and the same run gives the same bytes.

    from razz_sim.report.page import page
    from razz_sim.store import Run
    Path("report.html").write_text(page(Run.load("results/quickstart/20260212-184502-3fa91c")), encoding="utf-8")

matplotlib and jinja2 are imported here and by what is imported from here, not by `razz_sim.report`: they take time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from razz_sim.report import figures
from razz_sim.report.answer import failures
from razz_sim.report.asked import SINGLE_HANDS, facts, refuse_unknown
from razz_sim.report.crosstable import told
from razz_sim.report.decided import decided
from razz_sim.report.detail import Counted, Detail, Draw, compared, detail
from razz_sim.report.differences import differences
from razz_sim.report.found import at_table
from razz_sim.report.measure import measure_of, of_tournaments, with_returns
from razz_sim.report.meetings import meetings
from razz_sim.report.numbers import (
    LEAST_BLOCKS,
    Summary,
    fewest_blocks,
    plain,
    said,
    with_sound_intervals,
)
from razz_sim.report.searched import searched
from razz_sim.report.searching import fresh
from razz_sim.report.svg import Styles
from razz_sim.report.terminal import played
from razz_sim.report.tournament_page import TournamentDetail, story_of, tournament_detail
from razz_sim.report.tournaments import TO_TELL
from razz_sim.store import Run, json_text, played_command

MARK = "<!doctype html>\n<!-- a report of razz-sim -->"
"""How a page begins: by this a file is known to be one."""
DETAILED_SCENARIOS = 4
"""Of more scenarios than this the first, the middle and the last are shown in detail."""
MOST_MAPS = 8
"""Maps of starting hands on a page: each takes 45 kB."""
_UNSHOWABLE = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\ufffe\uffff]"
)
"""Controls, what is not seen, what turns text around, and halves of pairs."""
_PLAYS_AND_POTS = {**figures.PLAYS, **figures.POTS}
MOST_NAMED = 60
"""Of more scenarios that were not played only so many are named."""


def page(run: Run, chosen: Sequence[str] = (), story: Summary | None = None) -> str:
    """The report of a finished run; `chosen` names the scenarios that are shown in detail.

    `story` is one tournament to be drawn (`tournament_page.story_of`). Raises NoSuchScenario.
    """
    found = run.summary
    refuse_unknown(chosen, found)
    scenarios = [with_returns(with_sound_intervals(scenario)) for scenario in found["scenarios"]]
    styles = Styles()
    search = searched(found, styles)
    detailed = _detailed([one["name"] for one in scenarios], chosen or _to_show(scenarios))
    several = len(scenarios) > 1 and search is None and not any("times" in one for one in scenarios)
    measure = measure_of(found)
    side_by_side = compared(scenarios, differences(found), Draw("all", styles), measure) if several else None
    details = _details(run, scenarios, detailed, styles)
    stopping = decided(found, styles, _settings_of(scenarios, chosen))
    told_story = None if story is None else story_of(story, scenarios, Draw("one", styles))
    text = _template().render(
        mark=Markup(MARK),
        css=Markup(_ours("page.css") + styles.css()),
        script=Markup(_ours("page.js")),
        title=plain(found["name"]),
        answer=told(found).replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"),
        too_few=[plain(one["name"]) for one in scenarios if one["blocks"] < LEAST_BLOCKS],
        least_blocks=LEAST_BLOCKS,
        asked=_asked(found),
        how=_how(run),
        strategies=_strategies(run.manifest),
        config=_config(run.manifest),
        scenario_count=len(scenarios),
        compared=side_by_side,
        stopping=stopping,
        search=search,
        failures=failures(found),
        failed=[
            {**one, "scenario": plain(one["scenario"]), "error": said(one["error"])} for one in found.get("failed", ())
        ],
        meetings=[(plain(one["setting"]), meetings(one)) for one in _comparisons(found)],
        details=details,
        tournaments=of_tournaments(found),
        to_tell=TO_TELL,
        story=told_story,
        omitted=len(scenarios) - len(details),
        play_meanings=[
            (label, f"{meaning} ({name} in summary.json)")
            for name, (label, meaning) in (figures.PLAYS if of_tournaments(found) else _PLAYS_AND_POTS).items()
        ],
        errors=_errors(scenarios),
        somebody=_somebody(scenarios[0]),
        command=_command(run.manifest),
        where=plain(run.manifest["run"]),
        digest=found["digest"],
    )
    return "\n".join(line for line in text.split("\n") if line.strip()) + "\n"


@cache
def _template() -> Template:
    """The page with places for what is put in: compiling it takes a tenth of the time of a page."""
    environment = Environment(
        autoescape=True, finalize=_showable, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.from_string(_ours("page.html.j2"))


def _ours(name: str) -> str:
    """The text of a file that lies beside this module."""
    return (files("razz_sim.report") / name).read_text(encoding="utf-8")


def _showable(value: Any) -> Any:
    """What the template puts in, without signs that no page can hold or that would turn its text around."""
    return _UNSHOWABLE.sub("?", value) if isinstance(value, str) and not isinstance(value, Markup) else value


def is_page(path: Path) -> bool:
    """Whether a file is a report, so that another may take its place."""
    with path.open("rb") as file:
        return file.read(len(MARK)) == MARK.encode()


def _detailed(names: Sequence[str], chosen: Sequence[str]) -> list[int]:
    """The places of the scenarios to show in detail."""
    if chosen:
        return [place for place, name in enumerate(names) if name in chosen]
    if len(names) <= DETAILED_SCENARIOS:
        return list(range(len(names)))
    return [0, len(names) // 2, len(names) - 1]


def _to_show(scenarios: Sequence[Summary]) -> list[str]:
    """The scenarios to show in detail where none are chosen: of a search those with the winner on fresh deals."""
    names = [one["name"] for one in fresh({"scenarios": scenarios})]
    return [names[place] for place in _detailed(names, ())] if names else []


def _settings_of(scenarios: Sequence[Summary], chosen: Sequence[str]) -> set[str]:
    """The settings of chosen scenarios."""
    return {one.get("setting", one["name"]) for one in scenarios if one["name"] in chosen}


def _details(
    run: Run, scenarios: Sequence[Summary], detailed: Sequence[int], styles: Styles
) -> list[Detail] | list[TournamentDetail]:
    """The chosen scenarios in detail, with maps of starting hands as long as there is room for them."""
    all_scenarios = zip(run.experiment().scenarios, run.tallies, strict=True)
    counted = [Counted(scenario, tally) for scenario, tally in all_scenarios if tally.hands]
    if of_tournaments(run.summary):
        return [
            tournament_detail(scenarios[place], counted[place], Draw(f"s{place + 1}", styles)) for place in detailed
        ]
    details, maps = [], 0
    for place in detailed:
        scenario, draw = scenarios[place], Draw(f"s{place + 1}", styles)
        with_maps = maps + len(scenario["entrants"]) <= MOST_MAPS
        maps += len(scenario["entrants"]) * with_maps
        details.append(detail(scenario, counted[place], draw, with_maps=with_maps))
    return details


def _comparisons(found: Summary) -> Sequence[Summary]:
    """The matches of each setting side by side, where there were enough blocks to compare."""
    comparisons: Sequence[Summary] = found.get("comparisons") or []
    if "search" in found:
        winner = {one.get("setting") for one in fresh(found)}
        comparisons = [one for one in comparisons if one["setting"] in winner]
    return comparisons if fewest_blocks(found) >= LEAST_BLOCKS else []


# What was asked and how it was played


def _asked(found: Summary) -> list[tuple[str, str]]:
    lines = {label: plain(text) for label, text in facts(found).items()}
    if lines.get("session") == SINGLE_HANDS:
        lines["session"] = "single hands, full stacks in each"
    if found["not_played"]:
        lines["not played"] = plain(", ".join(found["not_played"][:MOST_NAMED]))
    return list(lines.items())


def _how(run: Run) -> list[tuple[str, str]]:
    """When, where and with what it was played."""
    manifest, machine = run.manifest, run.manifest["machine"]
    git = manifest["git"]
    versions = [f"{name} {version}" for name, version in manifest["versions"].items()]
    if git is not None:
        versions.append(f"commit {git['commit'][:12]}" + (", changed since" if git["changed"] else ""))
    return [
        ("played", played(run.summary)),
        ("begun", manifest["started"]),
        ("finished", manifest["finished"]),
        *[("resumed", ", ".join(one["at"] for one in manifest["resumed"]))] * bool(manifest["resumed"]),
        ("machine", f"{machine['processor']}, {machine['processors']} processors, {machine['system']}"),
        ("versions", ", ".join(versions)),
        ("run", manifest["run"]),
        ("digest", run.summary["digest"]),
    ]


def _strategies(manifest: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    return [
        (plain(name), plain(source["filename"]), source["sha256"][:16])
        for name, source in manifest["strategies"].items()
    ]


def _config(manifest: Mapping[str, Any]) -> str:
    """The experiment with every value spelled out, of many scenarios the first."""
    experiment = manifest["experiment"]
    return json_text({**experiment, "scenarios": experiment["scenarios"][:1]})


def _command(manifest: Mapping[str, Any]) -> str | None:
    """The command line that played the run, None when Python did."""
    command = played_command(manifest)
    return command and plain(command)


def _somebody(scenario: Summary) -> str:
    """An entrant whose name needs no quoting in a shell or a condition."""
    names = [one["name"] for one in scenario["entrants"]]
    return next((name for name in names if re.fullmatch(r"[\w -]+", name, re.ASCII)), "NAME")


def _place(entrant: Summary) -> str:
    """Where in its hand a first error was: ', fifth street, seat 2'."""
    first = entrant["errors"]["first"]
    return "" if first is None else "".join(f", {words}" for words in at_table(first))


def _errors(scenarios: Sequence[Summary]) -> list[dict[str, Any]]:
    return [
        {
            "scenario": plain(scenario["name"]),
            "entrant": plain(one["name"]),
            "place": _place(one),
            **one["errors"],
            "first": _first(one),
        }
        for scenario in scenarios
        for one in scenario["entrants"]
        if one["errors"]["count"]
    ]


def _first(entrant: Summary) -> dict[str, str] | None:
    first = entrant["errors"]["first"]
    return first and {"where": first["where"], "error": said(first["error"])}
