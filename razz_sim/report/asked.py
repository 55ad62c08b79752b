"""What is asked, in words: what all scenarios share once, and of what differs from where to where it goes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from graphlib import TopologicalSorter
from itertools import pairwise

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from razz_sim.report.measure import WIN_RATES, Measure, count_text, measure_of, of_tournaments
from razz_sim.report.numbers import Summary, plain, weight_text
from razz_sim.report.parts import QUIET, Part, listed, part, rising, spread
from razz_sim.report.structure import structure_lines, tournament_parts

SINGLE_HANDS = "single hands"
_OF_AN_ENTRANT = re.compile(r"lineup\[(?P<place>\d+)\]\.(?:params\.)?(?P<key>\w+)")


def facts(asked: Summary) -> dict[str, str]:
    """A line for each thing that is asked."""
    asked = {**asked, "scenarios": points_of(asked)}
    scenarios = asked["scenarios"]
    if "tournament" in scenarios[0]:
        return _facts_of_tournaments(asked)
    if scenarios[0].get("match"):
        return _facts_of_matches(asked)
    count = f" in {len(scenarios):,} scenarios" if len(scenarios) > 1 and "search" not in asked else ""
    return {
        "rules": ", ".join(map(str, _rules(scenarios))),
        "stakes": _stakes_line(scenarios),
        "stacks": spread(_stacks(scenarios).texts, " big bets"),
        "session": _session_line(scenarios),
        "line-up": _lineup_line(scenarios),
        **_baseline(asked),
        **_search_line(asked),
        "hands": f"{_hands(asked)}{count}, seed {asked['seed']}",
        **_stop_line(asked),
    }


def _facts_of_matches(asked: Summary) -> dict[str, str]:
    """A line for each thing that is asked, where entrants meet in matches."""
    scenarios = settings(asked["scenarios"])
    return {
        "rules": ", ".join(map(str, _rules(scenarios))),
        "stakes": _stakes_line(scenarios),
        "stacks": spread(_stacks(scenarios).texts, " big bets"),
        "session": _session_line(scenarios),
        "entrants": "; ".join(_field(asked["scenarios"])),
        **_matches_line(_by_setting(asked["scenarios"])),
        **_baseline(asked),
        **_search_line(asked),
        "hands": f"{_hands(asked)}, seed {asked['seed']}",
        **_stop_line(asked),
    }


def _facts_of_tournaments(asked: Summary) -> dict[str, str]:
    """A line for each thing that is asked of tournaments."""
    scenarios = asked["scenarios"]
    count = f" in {len(scenarios):,} scenarios" if len(scenarios) > 1 and "search" not in asked else ""
    return {
        "rules": ", ".join(map(str, _rules(scenarios))),
        **dict(structure_lines(scenarios)),
        "line-up": _lineup_line(scenarios),
        **_baseline(asked),
        **_search_line(asked),
        "tournaments": f"{_tournaments(asked)}{count}, seed {asked['seed']}",
        **_stop_line(asked),
    }


def _tournaments(asked: Summary) -> str:
    """How many tournaments: of a run that may end before, the most, and once it is played how many it took."""
    blocks = sum(one["blocks"] for one in asked["scenarios"])
    if search := asked.get("search"):
        return f"at most {count_text(search['most_hands'], asked).removesuffix(' tournaments')}"
    if found := asked.get("stopping"):
        return f"{blocks:,} of at most {sum(one['most_blocks'] for one in found):,}"
    return f"at most {blocks:,}" if asked.get("stop") else f"{blocks:,}"


def _matches_line(by_setting: Sequence[Sequence[Summary]]) -> dict[str, str]:
    """How many matches there are, at what tables; of a population the tables of its cycle."""
    first = by_setting[0][0]
    several = f" in each of {len(by_setting):,} scenarios" if len(by_setting) > 1 else ""
    seats = spread(str(matches[0]["seats"]) for matches in by_setting)
    deals = _deals({one["arrangements"] for matches in by_setting for one in matches})
    counts = spread(f"{len(matches):,}" for matches in by_setting)
    if "times" not in first:
        return {"matches": f"{counts} at tables of {seats}{several}, {deals}"}
    tables = spread(f"{sum(one['times'] for one in matches):,}" for matches in by_setting)
    return {"population": f"{tables} tables of {seats}{several}, {counts} of them different, {deals}"}


def _deals(arrangements: Collection[int]) -> str:
    """'each deal in 2, 3 or 6 arrangements'."""
    counts = spread(map(str, sorted(arrangements)))
    return "each deal once" if counts == "1" else f"each deal in {counts} arrangements"


def _baseline(asked: Summary) -> dict[str, str]:
    """What the scenarios are compared with, if they are."""
    return {"baseline": asked["baseline"]["name"]} if asked.get("baseline") else {}


def _hands(asked: Summary) -> str:
    """How many hands: of a run that may end before, the most, and once it is played how many it took."""
    if not (decided := asked.get("stop") or asked.get("search")):
        return f"{asked['hands']:,}"
    played = f"{asked['hands']:,} of " if "stopping" in asked or "winner" in decided else ""
    return f"{played}at most {decided['most_hands']:,}"


class NoSuchScenario(ValueError):
    """A scenario was to be shown that is not in the run: the sentence names those that are."""


def refuse_unknown(chosen: Iterable[str], summary: Summary) -> None:
    """Raises NoSuchScenario for the first that is no scenario of a summary."""
    names, failed = (
        [one["name"] for one in summary["scenarios"]],
        [one["scenario"] for one in summary.get("failed", ())],
    )
    for name in chosen:
        if name in failed and name not in names:
            raise NoSuchScenario(f"scenario {name!r} failed and has no results")
        if name not in names:
            raise NoSuchScenario(f"no scenario is named {name!r}; there are: {', '.join(map(plain, names))}")


def points_of(asked: Summary) -> list[Summary]:
    """The scenarios, of a search without those in which a point is measured again."""
    return [one for one in asked["scenarios"] if not one.get("fresh")]


def _search_line(asked: Summary) -> dict[str, str]:
    """What is searched, where something is."""
    if not (search := asked.get("search")):
        return {}
    entrant, over = search["entrant"], listed(swept_paths(asked))
    among = f"{search['points']:,} points" + (f" over {over}" if over else "")
    goes_on = f"1 in {search['factor']} goes on to the next round"
    most = "returns most" if of_tournaments(asked) else "wins most"
    return {"search": f"where {entrant} {most}, among {among}; {goes_on}, the winner is measured again"}


def swept_paths(asked: Summary) -> dict[str, list[str]]:
    """Each path that is searched, in words, with the values that it takes, numbers from the lowest on."""
    points = list(asked["search"]["values"].values())
    return {
        path_in_words(path, asked["scenarios"]): rising(dict.fromkeys(point[path] for point in points))
        for path in dict.fromkeys(path for point in points for path in point)
        if all(path in point for point in points)
    }


def _stop_line(asked: Summary) -> dict[str, str]:
    """When it ends before all is played, where there is a rule for that."""
    if not (stop := asked.get("stop")):
        return {}
    firsts = stop["first_looks"]
    each = "; each scenario by itself" if len(firsts) > 1 else ""
    first = (
        "looked once, at the end"
        if sum(firsts) == stop["most_hands"]
        else f"first look after {_looked(firsts, asked)} (sooner with fewer `{measure_of(asked).counted}`)"
    )
    return {"stops": f"{stop_in_words(stop, measure_of(asked))}{each}; {first}"}


def _looked(firsts: Sequence[int], asked: Summary) -> str:
    if not of_tournaments(asked):
        return spread((f"{hands:,}" for hands in firsts), " hands")
    scenarios = asked["scenarios"]
    each = [[one] for one in scenarios] if len(scenarios) == len(firsts) else [scenarios] * len(firsts)
    texts = (count_text(hands, {"scenarios": among}) for hands, among in zip(firsts, each, strict=True))
    return spread(texts)


def stop_in_words(rule: Summary, measure: Measure = WIN_RATES) -> str:
    """When a stopping rule ends a run.

    >>> rule = {"kind": "test", "name": "a", "other": "b", "h0": 0.0, "h1": 1.0, "alpha": 0.05, "beta": 0.05}
    >>> stop_in_words(rule)
    'when a test decides whether a less b is 0 (h0) or +1 (h1) bb/100, each taken wrongly in at most 5 % of runs'
    """
    pair = f"{rule['name']} less {rule['other']}"
    width = f"{rule['half_width']:g} {measure.short}" if "half_width" in rule else ""
    if rule["kind"] == "difference":
        return f"when {pair} is known to ± {width}"
    if rule["kind"] == "test":
        between = f"{signed(rule['h0'])} (h0) or {signed(rule['h1'])} (h1) {measure.short}"
        return f"when a test decides whether {pair} is {between}, {_odds(rule['alpha'], rule['beta'])} of runs"
    narrow = f" or it reaches at most {width} to each side" if width else ""
    return f"when 0 is outside the {confidence(rule)} interval of {pair} that holds at every look{narrow}"


def confidence(rule: Summary) -> str:
    """How sure the interval of a rule is that holds at every look: '95 %'.

    >>> confidence({"kind": "anytime", "alpha": 0.01})
    '99 %'
    """
    return f"{100 * (1 - (rule['alpha'] if rule['kind'] == 'anytime' else 0.05)):.10g} %"


def signed(difference: float) -> str:
    """A difference as a rule has it: '+1', '0', '-0.5'."""
    return f"{difference:+.10g}" if difference else "0"


def _odds(alpha: float, beta: float) -> str:
    if alpha == beta:
        return f"each taken wrongly in at most {100 * alpha:.10g} %"
    return f"h1 taken wrongly in at most {100 * alpha:.10g} %, h0 in at most {100 * beta:.10g} %"


def _field(scenarios: Sequence[Summary]) -> list[str]:
    """The entrants of all matches, each once, without its seats, in an order that the first line-ups agree with."""
    found: dict[str, list[Summary]] = {}
    for scenario in scenarios:
        for entrant in scenario["entrants"]:
            found.setdefault(entrant["name"], []).append({**entrant, "seats": 1})
    order: TopologicalSorter[str] = TopologicalSorter()
    for scenario in _by_setting(scenarios)[0]:
        for before, after in pairwise(one["name"] for one in scenario["entrants"]):
            order.add(after, before)
    return [str(_entrant(found[name])) for name in dict.fromkeys([*order.static_order(), *found])]


def _by_setting(scenarios: Sequence[Summary]) -> list[list[Summary]]:
    """The matches of each setting, those that are there; each scenario alone where there are no matches."""
    found: list[list[Summary]] = []
    for one in scenarios:
        last = found[-1][-1] if found else None
        if last is None or one.get("setting") != last.get("setting") or one.get("match", 1) <= last.get("match", 1):
            found.append([])
        found[-1].append(one)
    return found


def settings(scenarios: Sequence[Summary]) -> list[Summary]:
    """Each setting, by its name, as its first match is played; all scenarios where there are no matches.

    Of a population it has the entrants of all matches, in the order of their names and without their seats.
    """
    found: list[Summary] = []
    for matches in _by_setting(scenarios):
        setting = {**matches[0], "name": matches[0].get("setting", matches[0]["name"])}
        if "times" in setting:
            all_of_them = {one["name"]: {**one, "seats": 1} for match in matches for one in match["entrants"]}
            setting["entrants"] = [all_of_them[name] for name in sorted(all_of_them)]
        found.append(setting)
    return found


def differences(scenarios: Sequence[Summary]) -> list[Part]:
    """What is not the same in all scenarios, but for what their names tell."""
    seats = part("seats", (str(one["seats"]) for one in scenarios))
    parts = [*_rules(scenarios), seats]
    if "tournament" in scenarios[0]:
        parts += tournament_parts(scenarios)
    else:
        parts += [*_stakes(scenarios), _stacks(scenarios), *_sessions(scenarios)]
    entrants = _entrants(scenarios)
    if entrants is None:
        parts.append(part("line-up", map(_lineup, scenarios)))
    else:
        parts += [
            part for entrant in entrants for part in (entrant.strategy, *entrant.params, entrant.seats, *entrant.weight)
        ]
    names = [scenario["name"] for scenario in scenarios]
    return [part for part in parts if part.differs and not all(map(_tells, names, part.texts))]


def path_in_words(path: str, scenarios: Sequence[Summary]) -> str:
    """A swept path as a reader knows it: an entrant by its name, where it has the same place everywhere.

    >>> path_in_words("lineup[0].params.limit", [{"entrants": [{"name": "hero"}]}])
    'hero limit'
    >>> path_in_words("stakes.ante", [])
    'stakes.ante'
    """
    found = _OF_AN_ENTRANT.fullmatch(path)
    if found is None or any("times" in one for one in scenarios):
        return path
    place = int(found["place"])
    names = {one["entrants"][place]["name"] if place < len(one["entrants"]) else "" for one in scenarios}
    return f"{names.pop()} {found['key']}" if len(names) == 1 and names != {""} else path


def _tells(name: str, text: str) -> bool:
    """Whether a scenario's name has a value in it, as 'ante 0.10, stack 50' has 50 and 0.1."""
    return any(piece == text or _same(piece.split(" ")[-1], text) for piece in name.split(", "))


def _same(one: str, other: str) -> bool:
    try:
        return one == other or Decimal(one) == Decimal(other.replace(",", ""))
    except InvalidOperation:
        return False


def grid(lines: Iterable[tuple[str, RenderableType]]) -> Table:
    """Lines with a label before each."""
    found = Table.grid(padding=(0, 2))
    found.add_column(style=QUIET, no_wrap=True)
    found.add_column(overflow="fold")
    for label, text in lines:
        found.add_row(label, Text(plain(text)) if isinstance(text, str) else text)
    return found


def _rules(scenarios: Sequence[Summary]) -> list[Part]:
    """The preset with what differs from it, and the betting, which is no matter of the room."""
    return [
        part("rules", map(_rules_but_betting, scenarios)),
        part("betting", (one["betting"].replace("_", " ") for one in scenarios)),
    ]


def _rules_but_betting(scenario: Summary) -> str:
    preset, _, changes = str(scenario["rules"]).partition(" with ")
    changed = [change for change in changes.split(", ") if change and not change.startswith("betting ")]
    return preset + (f" with {' and '.join(changed)}" if changed else "")


# Stakes


def _stakes(scenarios: Sequence[Summary]) -> list[Part]:
    def amounts(heading: str, key: str) -> Part:
        return part(heading, (_money(one["stakes"][key], one["stakes"]) for one in scenarios))

    return [
        part("bets", (_bets(one["stakes"]) for one in scenarios)),
        amounts("ante", "ante"),
        amounts("bring-in", "bring_in"),
        part("chip", (_chip(one["stakes"]) for one in scenarios)),
        part("rake", (_rake(one["stakes"]) for one in scenarios)),
    ]


def _stakes_line(scenarios: Sequence[Summary]) -> str:
    bets, ante, bring_in, chip, rake = _stakes(scenarios)
    names = {one["stakes"]["name"] for one in scenarios}
    named = str(bets) if len(names) > 1 or names == set(bets.texts) else f"{names.pop()} (bets {bets})"
    parts = [named, f"ante {ante}", f"bring-in {bring_in}"]
    if set(chip.texts) != {"smallest"}:
        parts.append(f"chips of {chip}")
    return ", ".join([*parts, "no rake" if set(rake.texts) == {"none"} else f"rake {rake}"])


def _money(amount: object, stakes: Summary) -> str:
    exact = Decimal(str(amount))
    whole = exact == exact.to_integral_value()
    return f"{exact:,.0f}" if whole else f"{exact.quantize(Decimal(str(stakes['unit']))):,f}"


def _bets(stakes: Summary) -> str:
    return f"{_money(stakes['small_bet'], stakes)}/{_money(stakes['big_bet'], stakes)}"


def _chip(stakes: Summary) -> str:
    smallest = Decimal(str(stakes["chip"])) == Decimal(str(stakes["unit"]))
    return "smallest" if smallest else _money(stakes["chip"], stakes)


def _rake(stakes: Summary) -> str:
    rake = stakes["rake"]
    if rake is None:
        return "none"
    caps = [f"{_money(cap, stakes)} from {players} players" for players, cap in rake["cap_by_players"].items()]
    if rake["cap"] is not None:
        caps.insert(0, _money(rake["cap"], stakes))
    percent = f"{Decimal(str(rake['percent'])).normalize():f} %"
    free = "" if rake["third_street"] else ", none on third street"
    return percent + (" up to " + ", ".join(caps) if caps else "") + free


def _stacks(scenarios: Sequence[Summary]) -> Part:
    return part("stack", (f"{one['stack_big_bets']:,.10g}" for one in scenarios))


def _sessions(scenarios: Sequence[Summary]) -> list[Part]:
    """How many hands a block has, and what becomes of the stacks in it."""
    sessions = [scenario["session"] for scenario in scenarios]
    return [
        part("session", ("1" if one is None else f"{one['hands']:,}" for one in sessions)),
        part("stacks", map(_carried, sessions)),
    ]


def _session_line(scenarios: Sequence[Summary]) -> str:
    hands, stacks = _sessions(scenarios)
    return SINGLE_HANDS if set(hands.texts) == {"1"} else f"{hands} hands, stacks {stacks}"


def _carried(session: Summary | None) -> str:
    if session is None or session["stacks"] == "reset":
        return "full in each hand"
    return "carried on and topped up" if session["top_up"] else "carried on"


# The line-up

_IN_SEATS, _PLAYERS = " in {} seats", ", {} players"


def _seated(scenario: Summary) -> str:
    """How it is told that an entrant has several seats: in tournaments each of them is a player."""
    return _PLAYERS if "tournament" in scenario else _IN_SEATS


@dataclass(frozen=True, slots=True)
class _Entrant:
    """An entrant that is in all scenarios."""

    name: str
    strategy: Part
    params: tuple[Part, ...]
    seats: Part
    weight: tuple[Part, ...]
    """In a population, of which it has one."""
    seated: str
    """Words for its seats, where they are several."""

    def __str__(self) -> str:
        params = ", ".join(f"{part.heading.removeprefix(self.name).strip()} {part}" for part in self.params)
        named = str(self.strategy) if set(self.strategy.texts) == {self.name} else f"{self.name}: {self.strategy}"
        seats = "" if set(self.seats.texts) == {"1"} else self.seated.format(self.seats)
        weight = "".join(f", weight {part}" for part in self.weight)
        return named + (f" ({params})" if params else "") + seats + weight


def _entrants(scenarios: Sequence[Summary]) -> list[_Entrant] | None:
    """The entrants, if all scenarios have the same by name and by the names of their parameters."""
    lineups = [scenario["entrants"] for scenario in scenarios]
    if len({tuple((one["name"], *one["params"]) for one in lineup) for lineup in lineups}) > 1:
        return None
    return [_entrant(column, _seated(scenarios[0])) for column in zip(*lineups, strict=True)]


def _entrant(in_scenarios: Sequence[Summary], seated: str = _IN_SEATS) -> _Entrant:
    """An entrant with the parameters that it has in all of these scenarios."""
    name = in_scenarios[0]["name"]
    return _Entrant(
        name=name,
        strategy=part(name, (one["strategy"] for one in in_scenarios)),
        params=tuple(
            part(f"{name} {param}", (_value(one["params"][param]) for one in in_scenarios))
            for param in in_scenarios[0]["params"]
            if all(param in one["params"] for one in in_scenarios)
        ),
        seats=part(f"{name} seats", (str(one["seats"]) for one in in_scenarios)),
        weight=(part(f"{name} weight", (weight_text(one["weight"]) for one in in_scenarios)),)
        if "weight" in in_scenarios[0]
        else (),
        seated=seated,
    )


def _value(value: float) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:.10g}"


def _lineup_line(scenarios: Sequence[Summary]) -> str:
    entrants = _entrants(scenarios)
    return spread(map(_lineup, scenarios)) if entrants is None else "; ".join(map(str, entrants))


def _lineup(scenario: Summary) -> str:
    return "; ".join(str(_entrant([entrant], _seated(scenario))) for entrant in scenario["entrants"])
