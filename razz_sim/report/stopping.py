"""What a stopping rule decided, in words and in a table: when it stopped, what is known, and which intervals hold."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from razz_sim.report.asked import confidence, signed
from razz_sim.report.columns import Column, tables
from razz_sim.report.found import EVEN, LOSS, WIN
from razz_sim.report.measure import WIN_RATES, Measure, measure_of
from razz_sim.report.numbers import LEAST_BLOCKS, NONE, Summary, places_for, plain
from razz_sim.report.parts import QUIET

_ALL_HOLD = "The other 95 % intervals hold as well: this rule looks at the spread of results, not at who is ahead."
_OTHERS_DO_NOT = (
    "The other intervals (± and those of tables and charts), p and groups are meant for a length fixed before: after a "
    "rule that looks at who is ahead they hold the truth in less than 95 % of runs."
)


def stopping(summary: Summary, width: int) -> list[RenderableType]:
    """What was decided: of one setting in a sentence or two, of several in a table; then which intervals hold."""
    found = summary.get("stopping")
    if not found:
        return []
    note, measure = Text(holding(found[0]["rule"]), style=QUIET), measure_of(summary)
    if len(summary["stop"]["first_looks"]) == 1:
        return [note] if found[0]["verdict"] else [Text(sentence(found[0], measure)), note]
    return [*_table(found, width, measure), note]


def holding(rule: Summary) -> str:
    """Which intervals of a report hold when this rule may have ended its run."""
    return _ALL_HOLD if rule["kind"] == "difference" else _OTHERS_DO_NOT


def looked_at_who_is_ahead(summary: Summary) -> bool:
    """Whether a run's length depends on its results in a way that its ordinary intervals do not allow for."""
    return any(found["rule"]["kind"] != "difference" for found in summary.get("stopping") or ())


def sentence(found: Summary, measure: Measure = WIN_RATES) -> str:
    """What was decided in a setting, after how many hands of how many, and the difference with what holds of it.

    `found` is an item of `stopping` in `summary.json`. Of tournaments it is told after how many of these.
    """
    claim = said_of(found)
    if last_look(found) is None:
        return f"{claim}."
    difference = "" if is_even(found) else f"; {_difference(found, measure)}"
    return f"{claim}. {_when(found, measure)}{difference}."


def said_of(found: Summary) -> str:
    """What was decided, with its reason."""
    rule, verdict = found["rule"], found["verdict"]
    if last_look(found) is None:
        return f"{pair_text(rule)}: {verdict_text(found)}"
    taken = _taken(rule, verdict) if rule["kind"] == "test" and verdict else ""
    if is_even(found):
        return f"{_apart(rule)}: every block ended even" + (f", so {taken}" if taken else "")
    if rule["kind"] == "difference":
        return f"{pair_text(rule)} is {verdict_text(found)}"
    if rule["kind"] == "test":
        undecided = "The test is undecided: the evidence is enough for neither h0 nor h1"
        return f"{verdict_text(found)}: {taken}" if taken else undecided
    return _said_of_interval(rule, verdict)


def _said_of_interval(rule: Summary, verdict: str | None) -> str:
    if verdict is None:
        return f"Which of {_both(rule)} is better is undecided: 0 is not outside the interval"
    if verdict == "even":
        return f"{_apart(rule)}: 0 is within the interval, and that reaches at most {rule['half_width']:g} to each side"
    better, worse = (rule["name"], rule["other"]) if verdict == "first" else (rule["other"], rule["name"])
    return f"{plain(better)} is better than {plain(worse)}: 0 is outside the interval"


def verdict_text(found: Summary) -> str:
    """What was decided, as short as a table has it."""
    rule, verdict, last = found["rule"], found["verdict"], last_look(found)
    if last is None:
        return f"too few blocks to tell, it takes {LEAST_BLOCKS}"
    if is_even(found):
        return "every block even"
    if rule["kind"] == "difference":
        return f"{'' if verdict else 'not '}known to ± {rule['half_width']:g}"
    if verdict is None:
        return "undecided"
    if verdict == "even":
        return f"even within {rule['half_width']:g}"
    if rule["kind"] == "test":
        return _against(rule, verdict)
    return f"{plain(rule['name'] if verdict == 'first' else rule['other'])} is better"


def last_look(found: Summary) -> Summary | None:
    """The look that ended a setting; None where it was too early to tell anything."""
    looks = found["looks"]
    return looks[-1] if looks and looks[-1]["blocks"] >= LEAST_BLOCKS else None


def is_even(found: Summary) -> bool:
    """Whether both won the same in every bin."""
    last = last_look(found)
    return last is not None and last["difference"] == 0 and last["std_error"] == 0


def stopped_early(found: Summary) -> bool:
    """Whether hands were left when it stopped."""
    return bool(found["looks"]) and found["looks"][-1]["blocks"] < found["most_blocks"]


def pair_text(rule: Summary) -> str:
    """'a less b'."""
    return f"{plain(rule['name'])} less {plain(rule['other'])}"


def difference_texts(found: Summary) -> tuple[str, str]:
    """The difference at the last look and the interval that holds: '+4.4' and '+3.3 to +5.5'."""
    last = last_look(found)
    if last is None:
        return NONE, NONE
    if is_even(found):
        return "0", NONE
    places = places_of(found["valid"])
    return difference_text(last["difference"], places), interval_text(found["valid"], places)


def interval_text(interval: Sequence[float] | None, places: int) -> str:
    """An interval by its ends.

    >>> interval_text([-0.01, 5.47], 1)
    '0.0 to +5.5'
    """
    return NONE if interval is None else " to ".join(difference_text(end, places) for end in interval)


def places_of(interval: Sequence[float] | None) -> int:
    """Decimals for an interval: a few more where an end near 0 would not show on which side of it that is."""
    least = places_for([interval])
    enough = (places for places in range(least, least + 3) if all(round(end, places) for end in interval or ()))
    return next(enough, least)


def difference_text(value: float, places: int) -> str:
    """A difference with its sign, which 0 has not.

    >>> difference_text(4.376, 1), difference_text(-0.01, 1)
    ('+4.4', '0.0')
    """
    text = f"{value:+z,.{places}f}"
    return text if text.strip("+0.") else text.removeprefix("+")


def _difference(found: Summary, measure: Measure) -> str:
    """The difference with what holds of it."""
    value, interval = difference_texts(found)
    told, rule = f"{pair_text(found['rule'])}: {value} {measure.words}", found["rule"]
    if found["valid"] is None:
        return f"{told}, too early for an interval that holds at every look"
    if rule["kind"] == "difference":
        return f"{told}, {interval} in an interval that holds the truth in 95 % of runs"
    return f"{told}, {interval} in a {confidence(rule)} interval that holds at every look"


def _when(found: Summary, measure: Measure) -> str:
    """After how many hands, or tournaments, it stopped."""
    played, most = played_of(found, measure), most_of(found, measure)
    at = f"at look {len(found['looks']):,}"
    if stopped_early(found):
        return f"Stopped after {played:,} of at most {most:,} {measure.counted}, {at}"
    if found["verdict"]:
        return f"Known with the last of {played:,} {measure.counted}, {at}"
    return f"All {played:,} {measure.counted} were played"


def _both(rule: Summary) -> str:
    return f"{plain(rule['name'])} and {plain(rule['other'])}"


def _apart(rule: Summary) -> str:
    return f"{_both(rule)} cannot be told apart"


def _against(rule: Summary, verdict: str) -> str:
    """What a test says: that the difference is above, or below, the hypothesis that it did not take."""
    left = rule["h0"] if verdict == "h1" else rule["h1"]
    above = (rule["h1"] > rule["h0"]) == (verdict == "h1")
    name, other = (rule["name"], rule["other"]) if above else (rule["other"], rule["name"])
    ahead = left if above else -left
    better = f"{plain(name)} is better than {plain(other)}"
    if not ahead:
        return better
    if ahead > 0:
        return f"{better} by more than {ahead:g}"
    return f"{plain(other)} is not better than {plain(name)} by {-ahead:g}"


def _taken(rule: Summary, verdict: str) -> str:
    other = "h0" if verdict == "h1" else "h1"
    return f"{verdict} ({signed(rule[verdict])}) is taken over {other} ({signed(rule[other])})"


def _table(found: Sequence[Summary], width: int, measure: Measure) -> list[Table]:
    """A row for each setting: the verdict, the hands it took, the difference, and the interval that holds."""
    differences = [difference_texts(one) for one in found]
    most = {most_of(one, measure) for one in found}
    of_most = f"\nof {most.pop():,}" if len(most) == 1 else ""
    columns = [
        Column("decided", [Text(verdict_text(one), _colour(one)) for one in found], "left"),
        Column(f"{measure.counted}{of_most}", [f"{played_of(one, measure):,}" for one in found]),
        *[Column("of at most", [f"{most_of(one, measure):,}" for one in found])] * (not of_most),
        Column(f"{pair_text(found[0]['rule'])},\n{measure.short}", [value for value, _ in differences]),
        Column("interval\nthat holds", [interval for _, interval in differences]),
    ]
    return tables(Column("scenario", [plain(one["setting"]) for one in found], "left"), columns, width)


def played_of(found: Summary, measure: Measure = WIN_RATES) -> int:
    """How many hands a setting took; of tournaments, how many of these."""
    return int(found["looks"][-1][measure.counts]) if found["looks"] else 0


def most_of(found: Summary, measure: Measure = WIN_RATES) -> int:
    """How many it takes at most."""
    return int(found[f"most_{measure.counts}"])


def _colour(found: Summary) -> str:
    valid = found["valid"]
    if valid is None or last_look(found) is None or valid[0] <= 0 <= valid[1]:
        return EVEN
    return WIN if valid[0] > 0 else LOSS
