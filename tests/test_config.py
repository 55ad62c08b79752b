"""Experiment files: what each mistake is told, with its line and path, and what good files come to."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path

import pytest

from razz_sim.config import ConfigError, Loaded, Problem, load_experiment
from razz_sim.config.real_stakes import REAL_STAKES, RealStakes
from razz_sim.rules import PRESETS, Rake

HEAD = "name: q\nseed: 7\nhands: 100\n"
STAKES = "stakes: {ante: 0.20, bring_in: 1, small_bet: 2, big_bet: 4}\n"
LINEUP = "lineup:\n  - {strategy: tight}\n  - {strategy: caller}\n"
STAKES_ON_LINES = "stakes:\n  ante: {ante}\n  bring_in: 1\n  small_bet: 2\n  big_bet: 4\n"
GOOD = HEAD + STAKES + LINEUP
CONFIGS = Path(__file__).parent.parent / "configs"


def load(folder: Path, text: str | bytes) -> Loaded:
    path = folder / "x.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return load_experiment(path)


def problems(folder: Path, text: str | bytes) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as caught:
        load(folder, text)
    for problem in caught.value.problems:
        assert not re.search(r"[Ii]nput should|pydantic|[Ff]ield required|Traceback", str(problem))
        assert "\n" not in str(problem)
    return caught.value.problems


def with_ante(written: str) -> str:
    return HEAD + STAKES_ON_LINES.format(ante=written) + LINEUP


def with_stakes(old: str, new: str) -> str:
    return HEAD + STAKES.replace(old, new) + LINEUP


def with_head(old: str, new: str) -> str:
    return HEAD.replace(old, new) + STAKES + LINEUP


def with_line(line: str) -> str:
    return HEAD + line + "\n" + STAKES + LINEUP


BAD: list[tuple[str | bytes, int | None, str | None, str]] = [
    # stakes: each constraint at its own key
    (HEAD + "stakes:\n- {ante: 0.2, bring_in: 1, small_bet: 2, big_bet: 4}\n- name: b\n  ante: 0.1\n  bring_in: 5\n"
     "  small_bet: 2\n  big_bet: 4\n" + LINEUP, 8, "stakes[1].bring_in", "5 must not be above small_bet 2"),
    (with_stakes("big_bet: 4", "big_bet: 1.5"), 4, "stakes.big_bet", "1.5 .* below small_bet 2"),
    (with_stakes("small_bet: 2", "small_bet: 0"), 4, "stakes.small_bet", "0 must be .* above 0"),
    (with_stakes("0.20, bring_in: 1", "0, bring_in: 0"), 4, "stakes.ante", "nothing to play"),
    (with_stakes("}", ", chip: 0.25}"), 4, "stakes.ante", "0.20 must be a multiple of chip 0.25"),
    (with_stakes("ante", "anti"), 4, "stakes.anti", "'anti' is no key here; did you mean ante?"),
    (with_stakes("ante: 0.20, ", ""), 4, "stakes.ante", "is missing: Posted by each seat"),
    (HEAD + "stakes: []\n" + LINEUP, 4, "stakes", "has no items"),
    (HEAD + "stakes: 2/4\n" + LINEUP, 4, "stakes", "'2/4' is not the name of real stakes; one of pokerstars_0.04_"),
    (HEAD + "stakes: 5\n" + LINEUP, 4, "stakes", "must be a mapping .* or a list of such, not 5"),
    (HEAD + "stakes: pokerstars_24\n" + LINEUP, 4, "stakes", r"real stakes; did you mean pokerstars_2_4\?$"),
    (HEAD + "stakes:\n- live_15_30\n- live_20_4\n" + LINEUP, 6, "stakes[1]", "did you mean live_20_40?"),
    (HEAD + "stakes:\n- [live_15_30]\n" + LINEUP, 5, "stakes[0]", "must be a mapping .* not a list"),
    (HEAD + "stakes: {preset: live_15_3}\n" + LINEUP, 4, "stakes.preset", "did you mean live_15_30?"),
    (HEAD + "stakes: {preset: live_15_30, anti: 1}\n" + LINEUP, 4, "stakes.anti", "did you mean ante?"),
    (HEAD + "stakes:\n  preset: live_15_30\n  bring_in: 16\n" + LINEUP, 6, "stakes.bring_in", "above small_bet 15"),
    (HEAD + "stakes:\n  preset: live_15_30\n  small_bet: 4\n" + LINEUP, 5, "stakes.bring_in", "5 .*above small_bet 4"),
    (HEAD + "stakes:\n- live_15_30\n- live_15_30\n" + LINEUP, 6, "stakes[1].name", r"name of stakes\[0\] .line 5"),
    (HEAD + "stakes:\n- {name: a, ante: 1, bring_in: 1, small_bet: 4, big_bet: 8}\n- name: a\n"
     "  ante: 1\n  bring_in: 1\n  small_bet: 4\n  big_bet: 8\n" + LINEUP,
     6, "stakes[1].name", r"'a' is the name of stakes\[0\] \(line 5\)"),
    (with_stakes("}", ", rake: {percent: 101}}"), 4, "stakes.rake.percent", "101 .* 0 to 100"),
    (with_stakes("}", ", rake: {percent: 5, cap: 1, cap_by_players: {2: 1}}}"), 4,
     "stakes.rake.cap_by_players", "beside cap"),
    (with_stakes("}", ", rake: {percent: 5, cap_by_players: {9: 1}}}"), 4,
     "stakes.rake.cap_by_players.9", "'9' .* players dealt in, from 2 to 8"),
    (with_stakes("}", ", rake: {percent: 5, cap: 1e12}}"), 4, "stakes.rake", "capped at more than"),
    # amounts as YAML writes and miswrites them
    (with_ante("'0.20'"), 5, "stakes.ante", "'0.20' is text, not a number: write 0.20 without quotes"),
    (with_ante('"2_000"'), 5, "stakes.ante", "is text, not a number"),
    (with_ante("010"), 5, "stakes.ante", "010 begins with a 0"),
    (with_ante("0x10"), 5, "stakes.ante", "0x10 must be written as a decimal number"),
    (with_ante("1:30"), 5, "stakes.ante", "1:30 has a colon"),
    (with_ante("1,50"), 5, "stakes.ante", "^1,50 is not a number: write 1.50$"),
    (with_ante("1.234,50"), 5, "stakes.ante", "^1.234,50 is not a number: write 1_234.50$"),
    (with_ante("1'000'000"), 5, "stakes.ante", "^1'000'000 is not a number: write 1_000_000$"),
    (with_ante("1 000"), 5, "stakes.ante", "^1 000 is not a number: write 1_000$"),
    (with_ante("1,2,3"), 5, "stakes.ante", "write a decimal point, as in 0.20, and thousands as in 2_000_000"),
    (with_stakes("0.20", "0,20"), 4, "stakes.ante", "^0,20 is not a number: write 0.20$"),
    (with_stakes("0.20", "2,000"), 4, "stakes.ante", "^2,000 is not a number: write 2_000$"),
    (with_stakes("}", ", rake: {percent: 2,5}}"), 4, "stakes.rake.percent", "^2,5 is not a number: write 2.5$"),
    (HEAD + "stakes:\n- {ante: 0,20, bring_in: 1, small_bet: 2, big_bet: 4}\n" + LINEUP, 5, "stakes[0].ante",
     "^0,20 is not a number: write 0.20$"),
    (with_ante("$2"), 5, "stakes.ante", r"\$2 must be the number alone"),
    (with_ante(".inf"), 5, "stakes.ante", "write a finite number"),
    (with_ante(".nan"), 5, "stakes.ante", "write a finite number"),
    (with_ante("yes"), 5, "stakes.ante", "must be an amount from 0 to 1_000_000_000_000, not 'yes'"),
    (with_ante("true"), 5, "stakes.ante", "must be an amount from 0 to 1_000_000_000_000, not true"),
    (with_ante("[1]"), 5, "stakes.ante", "must be an amount from 0 to 1_000_000_000_000, not a list"),
    (with_ante("-1"), 5, "stakes.ante", "-1 must be an amount from 0"),
    (with_ante("1e999999999"), 5, "stakes.ante", "1e999999999 must be an amount from 0"),
    (with_ante("1e-999999999"), 5, "stakes.ante", "at most 8 decimals"),
    (with_ante("0." + "1" * 500), 5, "stakes.ante", "at most 8 decimals"),
    (with_ante("0." + "0" * 500), 5, "stakes.ante", "at most 25 characters"),
    (with_ante("9" * 30), 5, "stakes.ante", "9{30} must be an amount from 0 to 1_000_000_000_000"),
    (with_ante("1/5"), 5, "stakes.ante", "1/5 is a fraction: write a decimal"),
    (with_ante("0.20 EUR"), 5, "stakes.ante", "0.20 EUR must be the number alone"),
    (with_ante("20c"), 5, "stakes.ante", "20c must be the number alone"),
    (with_ante("10%"), 5, "stakes.ante", "10% must be the number alone"),
    (with_ante("1__0"), 5, "stakes.ante", "underscores stand between digits"),
    (with_ante("!!float 1"), 5, "", "!!float is a tag"),
    (with_ante("!!str 1"), 5, "", "!!str is a tag"),
    (with_ante(""), 5, "stakes.ante", "has no value"),
    (with_ante("~"), 5, "stakes.ante", "has no value"),
    (with_ante("0.00000001").replace("4", "400000"), 8, "stakes.big_bet", "400000 is more than .* smallest unit"),
    # hands, seed, stack, name
    (with_head("100", "2M"), 3, "hands", "2M is not a number: write its digits, or 2e6"),
    (with_head("100", "2 million"), 3, "hands", "write its digits, or 2e6"),
    (with_head("100", "2.5"), 3, "hands", "whole number from 1 to .*, not 2.5"),
    (with_head("100", "0"), 3, "hands", "whole number from 1 to .*, not 0"),
    (with_head("100", "'100'"), 3, "hands", "'100' is text"),
    (with_head("100", "1e15"), 3, "hands", "whole number from 1 to .*, not 1e15"),
    (with_head("hands: 100", "hands: 1e12\nstack: 1e6"), 3, "hands", "beyond exact 64-bit totals: at most "),
    (with_head("hands: 100", "hans: 100"), 3, "hans", "did you mean hands?"),
    (with_head("hands: 100\n", ""), 1, "hands", "is missing: Hands to play"),
    (with_head("7", "-7"), 2, "seed", "from 0 to .*, not -7"),
    (with_head("q", "a/b"), 1, "name", "'a/b' cannot name the run's folder: use letters"),
    (with_head("q", ".."), 1, "name", "cannot name the run's folder"),
    (with_head("q", "2024"), 1, "name", 'must be text, not 2024: write "2024" in quotes'),
    (with_head("q", "true"), 1, "name", "must be text, not true"),
    (HEAD + STAKES + "stack: 33.3333\n" + LINEUP, 5, "stack", "33.3333 big bets of 4.00 .* 133.33"),
    (HEAD + STAKES + "stack: 0\n" + LINEUP, 5, "stack", "0 must be .* above 0"),
    (HEAD + STAKES + "stack: 1e12\n" + LINEUP, 5, "stack", "more than"),
    # rules
    (with_line("rules: pokerstar"), 4, "rules", "'pokerstar' is not a preset; did you mean pokerstars?"),
    (with_line("rules: 5"), 4, "rules", "a preset's name or a mapping .*, not 5"),
    (with_line("rules: {preset: wsop}"), 4, "rules.preset", "did you mean wsop_live?"),
    (with_line("rules:\n  odd_chips: position"), 5, "rules.odd_chips", "did you mean odd_chip?"),
    (with_line("rules:\n  odd_chip: suit"), 5, "rules.odd_chip", "one of position, high_card, low_card"),
    (with_line("rules:\n  burn_cards: yes"), 5, "rules.burn_cards", "true or false, not 'yes': write true"),
    (with_line("rules:\n  burn_cards: False"), 5, "rules.burn_cards", "write false"),
    (with_line("rules: {bets_per_round: 101}"), 4, "rules.bets_per_round", r"from 0 \(no cap\) to 100, not 101"),
    (with_line("rules: {bets_per_round: none}"), 4, "rules.bets_per_round", r"0 \(no cap\) to 100, not 'none'"),
    # line-up
    (HEAD + STAKES + "lineup: []\n", 5, "lineup", "has no items"),
    (HEAD + STAKES + "lineup: {strategy: tight}\n", 5, "lineup", "must be a list, .* not a mapping"),
    (HEAD + STAKES + "lineup:\n- tight\n- caller\n", 6, "lineup[0]", "must be a mapping .*, not 'tight'"),
    (GOOD.replace("tight", "tihgt"), 6, "lineup[0].strategy", "tihgt.*tight"),
    (GOOD.replace("tight}", "bots/none.py:Bot}"), 6, "lineup[0].strategy", "none.py"),
    (GOOD.replace("tight}", "7}"), 6, "lineup[0].strategy", "must be text, not 7"),
    (GOOD.replace("tight}", "tight, limit: 7}"), 6, "lineup[0].limit", "parameters go under params"),
    (GOOD.replace("tight}", "tight, params: {limt: 7}}"), 6, "lineup[0].params.limt", "limt.*limit"),
    (GOOD.replace("tight}", "tight, params: {limit: 99}}"), 6, "lineup[0].params.limit", "99"),
    (GOOD.replace("tight}", "tight, params: {limit: '8'}}"), 6, "lineup[0].params.limit", "'8' is text"),
    (GOOD.replace("caller", "tight"), 7, "lineup[1].name", r"'tight' .* lineup\[0\] \(line 6\)"),
    (GOOD.replace("caller", "caller, seats: 8"), 5, "lineup", r"fills 1 \+ 8 = 9 seats: a table has 2 to 8"),
    (HEAD + STAKES + "lineup:\n- {strategy: caller}\n", 5, "lineup", "fills 1 seat: a table has 2 to 8"),
    (GOOD.replace("caller", "caller, seats: 9"), 7, "lineup[1].seats", "from 1 to 8, or rest, not 9"),
    # session and table
    (with_head("100", "1050") + "session: {hands: 100}\n", 3, "hands", "no multiple .* 100: 1000 or 1100 would"),
    (with_head("100", "50") + "session: {hands: 100}\n", 3, "hands", "50 is no multiple .* 100: 100 would be"),
    (GOOD + "session: {hands: 0}\n", 8, "session.hands", "from 1 to 1_000_000, not 0"),
    (GOOD + "session: 100\n", 8, "session", "must be a mapping .*, not 100"),
    (GOOD + "session: {hand: 100}\n", 8, "session.hand", "did you mean hands?"),
    (GOOD + "session: {stacks: cary}\n", 8, "session.stacks", "did you mean carry?"),
    (GOOD + "session: {top_up: yes}\n", 8, "session.top_up", "write true"),
    (GOOD + "session:\n  hands: 10\n  top_up: true\n", 10, "session.top_up", "for stacks that carry on"),
    (with_head("100", "1e6") + "stack: 1e6\nsession: {hands: 1e6, stacks: carry}\n", 9, "session.hands",
     "stacks of 4000000.00 .* 1_000_000 hands, may outgrow .* at most 2500"),
    (GOOD + "table: 8\n", 8, "table", "must be a mapping .*, not 8"),
    (GOOD + "table: {seats: 9}\n", 8, "table.seats", "from 2 to 8, not 9"),
    (GOOD + "table: {}\n", 8, "table.seats", "is missing: Seats at the table"),
    (GOOD + "table: {seats: 8}\n", 5, "lineup", r"fills 1 \+ 1 = 2 seats, but the table has 8: 6 more .* seats: rest"),
    (GOOD.replace("caller", "caller, seats: 5") + "table: {seats: 4}\n", 5, "lineup", "table has 4: 2 too many"),
    (GOOD.replace("caller", "caller, seats: rest"), 7, "lineup[1].seats", r"write table: \{seats: 8\}"),
    (GOOD.replace("tight", "tight, seats: 4").replace("caller", "caller, seats: rest") + "table: {seats: 4}\n",
     7, "lineup[1].seats", "no seat is left: the others fill 4 of the table's 4"),
    (GOOD.replace("}\n  -", ", seats: rest}\n  -").replace("caller", "caller, seats: rest") + "table: {seats: 4}\n",
     7, "lineup[1].seats", r"lineup\[0\] \(line 6\) has the rest"),
    (GOOD.replace("caller", "caller, seats: most"), 7, "lineup[1].seats", "from 1 to 8, or rest, not 'most'"),
    # sweep
    (GOOD + "sweep: [1]\n", 8, "sweep", "must be a mapping"),
    (GOOD + "sweep:\n", 8, "sweep", "has no value"),
    (GOOD + "sweep:\n  stakes.ante: 0.1\n", 9, "sweep.stakes.ante", "must be a list, .* not 0.1"),
    (GOOD + "sweep:\n  stakes.ante: []\n", 9, "sweep.stakes.ante", "has no items"),
    (GOOD + "sweep:\n  stakes.ante:\n  - 0.1\n  -\n", 11, "sweep.stakes.ante[1]", "has no value"),
    (GOOD + "sweep:\n  a b: [1]\n", 9, "sweep.a b", "'a b' is not a path"),
    (GOOD + "sweep:\n  seed: [1, 2]\n", 9, "sweep.seed", "'seed' cannot differ between scenarios; one of hands, rules"),
    (GOOD + "sweep:\n  stake.ante: [1]\n", 9, "sweep.stake.ante", "did you mean stakes?"),
    (GOOD + "sweep:\n  stakes.anti: [1]\n", 9, "stakes.anti", "did you mean ante?"),
    (GOOD + "sweep:\n  lineup[5].seats: [1]\n", 9, "sweep.lineup[5].seats", r"has 2 items: \[0\] to \[1\]"),
    (GOOD + "sweep:\n  lineup[0].params.limt: [7, 8]\n", 9, "lineup[0].params.limt", "did you mean 'limit'"),
    (GOOD + "sweep:\n  lineup[0].params.limit: [7,\n    99]\n", 10, "lineup[0].params.limit",
     r"99.* \(sweep: lineup\[0\].params.limit 99\)$"),
    (GOOD + "sweep:\n  stakes.ante: [0.1, x]\n", 9, "stakes.ante", r"not 'x' \(sweep: stakes.ante x\)"),
    (GOOD + "sweep:\n  rules: [pokerstars, pokerstar]\n", 9, "rules", r"pokerstars\? .*\(sweep: rules pokerstar\)"),
    (GOOD + "sweep:\n  stakes.small_bet: [2, 0.5, 0.6, 0.7, 0.8]\n", 4, "stakes.bring_in",
     r"1 must not be above small_bet 0.5; .* \(sweep: stakes.small_bet 0.5, line 9\)"),
    (GOOD + "sweep:\n  session.hands: [10, 30]\n", 3, "hands", r"90 or 120 .* \(sweep: session.hands 30, line 9\)"),
    (GOOD + "sweep:\n  stakes.ante: [0.1,\n    0.10]\n", 10, "sweep.stakes.ante[1]",
     r"0.10 makes the same scenario as 0.1 \(line 9\)"),
    (GOOD + "sweep:\n  stack: [10, 20, 10]\n", 9, "sweep.stack[2]", r"10 makes the same scenario as 10 \(line 9\)"),
    (GOOD + "sweep:\n  rules.preset: [pokerstars]\n  rules: [pokerstars, wsop_live]\n", 10, "sweep.rules[1]",
     "wsop_live makes the same scenario as pokerstars"),
    (GOOD + f"sweep:\n  stack: {list(range(1, 102))}\n  hands: {list(range(1, 101))}\n", 8,
     "sweep", "101 x 100 = 10_100 points: at most 10_000 scenarios"),
    # runner
    (GOOD + "runner: ray\n", 8, "runner", "must be a mapping .*, not 'ray'"),
    (GOOD + "runner: {kind: rai}\n", 8, "runner.kind", "did you mean ray?"),
    (GOOD + "runner: {worker: 2}\n", 8, "runner.worker", "did you mean workers?"),
    (GOOD + "runner: {workers: 0}\n", 8, "runner.workers", "from 1 to .*, not 0"),
    (GOOD + "runner:\nkind: ray\n", 8, "runner", "has no value"),
    (GOOD + "runner: ray\n", 8, "runner", r"must be a mapping \{kind: ..., workers: ...\}, not 'ray'"),
    # keys that belong elsewhere
    (with_line("ante: 0.20"), 4, "ante", "'ante' is no key at the top: it belongs in a section, as stakes.ante"),
    (with_line("percent: 5"), 4, "percent", "as stakes.rake.percent"),
    (with_line("betting: no_limit"), 4, "betting", "as rules.betting"),
    (with_line("top_up: true"), 4, "top_up", "as session.top_up"),
    (with_line("workers: 2"), 4, "workers", "as runner.workers"),
    (GOOD + "sweep: {seats: [2, 4]}\n", 8, "sweep.seats", "begins at the top of the file: write table.seats"),
    (GOOD + "sweep: {ante: [1, 2]}\n", 8, "sweep.ante", "write stakes.ante"),
    (GOOD + "sweep: {kind: [ray]}\n", 8, "sweep.kind", "'kind' cannot differ between scenarios"),
    (GOOD + "sweep: {stakes.0.ante: [1]}\n", 8, "stakes.0", r"a position in a list is written \[0\]"),
    (GOOD + "sweep: {stakes[0].ante: [1]}\n", 8, "", r"a key with \[ \] that needs quotes"),
    (GOOD + "sweep: {stakes.name: [a, b]}\n", 8, "sweep.stakes.name[1]", "b makes the same scenario as a"),
    (HEAD + STAKES + "lineup:\n-\n- {strategy: caller}\n", 6, "lineup[0]", "or leave the item out"),
    # the file as YAML
    (with_line("seed: 8"), 4, "seed", "is written on line 2 and again here"),
    (GOOD + "runner:\n\tkind: ray\n", 9, "", "a tab where YAML wants spaces"),
    (with_line("---"), 4, "", "a second document begins here"),
    (HEAD + "stakes: *twofour\n", 4, "", r"\*twofour is an alias of nothing"),
    (HEAD + "stakes: &a [*a]\n" + LINEUP, 4, "stakes[0]", "contains its own alias"),
    (with_line("<<: 5"), 4, "<<", "merges a mapping"),
    (with_line("? [a, b]\n: 5"), 4, "", "a key must be a single word"),
    (HEAD + "stakes: {ante: 1\n" + LINEUP, 4, "", "is not closed"),
    (HEAD + "stakes: 'a\n", 4, "", "a quote that is opened here and never closed"),
    (HEAD + "rules:pokerstars\nstack: 5\n", 4, "", "without a space after it"),
    (HEAD + "stack\n" + STAKES, 4, "", "a key without a colon"),
    (HEAD + "  stack: 5\n", 4, "", "a colon where none can be"),
    (HEAD + "stakes: @x\n", 4, "", "text that begins with @ needs quotes"),
    ("", None, "", "is empty: an experiment needs at least"),
    ("# a comment only\n", None, "", "is empty"),
    ("- a\n- b\n", 1, "", "must be a mapping"),
    ("quickstart", 1, "", "must be a mapping"),
    ("[" * 3000, None, "", "nested too deeply"),
    (GOOD.encode("utf-16"), None, "", "is UTF-16: save the file as UTF-8"),
    (b"name: q\0", None, "", "is no text file"),
    (b"name: q\nseed: \xff7\n", 2, "", "byte 0xff is not UTF-8"),
    (b"name: q\nseed: \x07\n", 2, "", "character 0x0007 has no business"),
    ("a: &a [1, 1, 1, 1, 1, 1]\n" + "".join(
        f"{b}: &{b} [*{a}, *{a}, *{a}, *{a}, *{a}, *{a}]\n" for a, b in zip("abcde", "bcdef", strict=True)),
     1, None, "more than 20000 values"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "path", "words"), BAD, ids=range(len(BAD)))
def test_a_mistake_is_told_with_line_path_and_what_would_be_right(
    tmp_path: Path, text: str | bytes, line: int | None, path: str | None, words: str
) -> None:
    found = problems(tmp_path, text)
    place = str(tmp_path / "x.yaml") + ("" if line is None else f":{line}") + ": "
    fitting = [one for one in found if path in (None, one.path) and re.search(words, one.sentence)]
    assert fitting, "\n".join(map(str, found))
    assert str(fitting[0]).startswith(place)


def test_all_problems_are_told_at_once_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = (
        "name: q\nhands: 1.5\nrules: pokerstar\nstakes:\n- {ante: 0.1, bring_in: 5, small_bet: 2, big_bet: 1}\n"
        "- {ante: x, bring_in: 5, small_bet: 2, big_bet: 4}\nstack: -1\nlineup:\n- {strategy: tihgt}\n"
        "- {strategy: tight, params: {limit: 99}}\nrunner: {kind: rai}\n"
    )
    found = problems(tmp_path, text)
    assert [problem.path for problem in found] == [
        "hands",
        "rules",
        "stakes[0].bring_in",
        "stakes[0].big_bet",
        "stakes[1].ante",
        "stack",
        "lineup[0].strategy",
        "lineup[1].params.limit",
        "runner.kind",
    ]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("name", "nme"), ("hands", "hans"), ("stakes", "stake"), ("lineup", "line_up"), ("strategy", "stategy"),
     ("ante", "Ante"), ("bring_in", "bringin"), ("small_bet", "smallbet")],
)  # fmt: skip
def test_a_misspelled_key_is_one_mistake_not_two(tmp_path: Path, right: str, wrong: str) -> None:
    (found,) = problems(tmp_path, GOOD.replace(right, wrong, 1))
    assert found.sentence == f"{wrong!r} is no key here; did you mean {right}?"


def test_a_key_that_is_there_already_is_not_what_was_meant(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, with_line("stak: 50"))
    assert found.sentence == "'stak' is no key here; did you mean stack?"


def test_a_file_that_cannot_be_read_has_its_sentence(tmp_path: Path) -> None:
    (tmp_path / "quickstart.yaml").write_text("name: q")
    for path, words in [
        (tmp_path / "quikstart.yaml", "is not there; did you mean .*quickstart.yaml?"),
        (tmp_path / "none" / "x.yaml", "is not there, nor is its folder"),
        (tmp_path, "is a folder"),
        (tmp_path / "quickstart.yaml" / "x.yaml", "cannot be read"),
    ]:
        with pytest.raises(ConfigError, match=words):
            load_experiment(path)
    (tmp_path / "long.yaml").write_text("#" * 2_000_000)
    with pytest.raises(ConfigError, match="more than 1000000 bytes"):
        load_experiment(tmp_path / "long.yaml")


@pytest.mark.parametrize(
    ("written", "hands"),
    [("2e6", 2_000_000), ("2_000_000", 2_000_000), ("2.5e6", 2_500_000), ("2.0", 2), ("+7", 7), ("1e+3", 1000)],
)
def test_whole_numbers_may_be_written_in_several_ways(tmp_path: Path, written: str, hands: int) -> None:
    assert load(tmp_path, HEAD.replace("100", written) + STAKES + LINEUP).experiment.hands == hands


def test_amounts_are_the_decimals_that_stand_there(tmp_path: Path) -> None:
    stakes = "stakes: {ante: 0.1, bring_in: 0.30, small_bet: 1e0, big_bet: 2., chip: .05, rake: RAKE}\n"
    text = HEAD + stakes.replace("RAKE", "{percent: 2.5, cap: 0.125}") + "stack: 12.5\n" + LINEUP
    scenario = load(tmp_path, text).experiment.scenarios[0]
    found = scenario.stakes
    assert found.unit == Decimal("0.001")
    assert [found.ante, found.bring_in, found.small_bet, found.big_bet, found.chip] == [100, 300, 1000, 2000, 50]
    assert found.rake == Rake(Decimal("2.5"), cap=125)
    assert scenario.stack == 25_000
    assert found.name == "1/2"


def test_what_is_left_out_has_its_default(tmp_path: Path) -> None:
    experiment = load(tmp_path, "name: q\nhands: 10\n" + STAKES + LINEUP).experiment
    scenario = experiment.scenarios[0]
    assert (experiment.seed, experiment.runner.kind, experiment.runner.workers) == (0, "auto", None)
    assert scenario.rules == PRESETS["pokerstars"]
    assert scenario.stack == 100 * scenario.stakes.big_bet
    assert (scenario.name, scenario.stakes.chip, scenario.stakes.rake) == ("2/4", 1, None)
    assert [entrant.name for entrant in scenario.lineup] == ["tight", "caller"]
    assert dict(scenario.lineup[0].params)


def test_each_of_several_stakes_is_a_scenario_with_the_same_hands(tmp_path: Path) -> None:
    first = "- {ante: 1, bring_in: 2, small_bet: 5, big_bet: 10}\n"
    second = "- {name: big, ante: 2, bring_in: 4, small_bet: 10, big_bet: 20}\n"
    experiment = load(tmp_path, HEAD + "stakes:\n" + first + second + LINEUP).experiment
    found = [(one.name, one.hands, one.stack) for one in experiment.scenarios]
    assert found == [("5/10", 100, 1000), ("big", 100, 2000)]
    assert experiment.hands == 200


def test_rake_caps_by_players_may_stand_in_any_order(tmp_path: Path) -> None:
    stakes = STAKES.replace("}", ", rake: {percent: 5, cap_by_players: {4: 1, 2: 0.5}, third_street: false}}")
    rake = load(tmp_path, HEAD + stakes + LINEUP).experiment.scenarios[0].stakes.rake
    assert rake == Rake(Decimal(5), cap_by_players=((2, 50), (4, 100)), third_street=False)


def test_anchors_aliases_and_merge_keys_work(tmp_path: Path) -> None:
    text = (
        "stakes:\n- &small {name: a, ante: 0.2, bring_in: 1, small_bet: 2, big_bet: 4}\n"
        "- {<<: *small, name: b, ante: 0.4}\n"
        "lineup:\n- {strategy: caller, seats: &two 2}\n- {strategy: tight, seats: *two}\n"
    )
    first, second = load(tmp_path, HEAD + text).experiment.scenarios
    assert (first.stakes.ante, second.stakes.ante, second.stakes.bring_in, second.seats) == (20, 40, 100, 4)


def test_words_that_yaml_1_1_took_for_something_else_are_text(tmp_path: Path) -> None:
    text = (
        HEAD.replace("q", "no")
        + STAKES
        + 'lineup:\n- {name: on, strategy: caller}\n- {name: "1:30", strategy: tight}\n'
    )
    experiment = load(tmp_path, text).experiment
    assert experiment.name == "no"
    assert [entrant.name for entrant in experiment.scenarios[0].lineup] == ["on", "1:30"]


def test_unusual_stakes_are_warned_of_not_refused(tmp_path: Path) -> None:
    loaded = load(tmp_path, HEAD + STAKES_ON_LINES.format(ante="0.01").replace("4", "5") + LINEUP)
    assert [(one.line, one.path) for one in loaded.warnings] == [(5, "stakes.ante"), (8, "stakes.big_bet")]
    assert loaded.warnings[0].sentence == "0.01 is 0.5 % of small_bet 2: rooms take 7 to 33 %"
    assert loaded.warnings[1].sentence == "5 is not twice small_bet 2"


@pytest.mark.parametrize("real", REAL_STAKES.values(), ids=REAL_STAKES)
@pytest.mark.parametrize("times", ["1", "0.1", "7"])
def test_no_room_s_structure_is_unusual_whatever_it_is_called_or_scaled_to(
    tmp_path: Path, real: RealStakes, times: str
) -> None:
    amounts = {key: Decimal(text.replace("_", "")) * Decimal(times) for key, text in real.amounts().items()}
    stakes = ", ".join(f"{key}: {amount:f}" for key, amount in amounts.items())
    assert not load(tmp_path, f"{HEAD}stakes: {{name: mine, {stakes}}}\n{LINEUP}").warnings


@pytest.mark.parametrize(
    ("amounts", "warned"),
    [
        (("0.12", "1"), {"ante"}), (("0.80", "1"), {"ante"}), (("0", "1"), {"ante"}),
        (("0.20", "0.30"), {"bring_in"}), (("0.20", "1.20"), {"bring_in"}), (("1", "2"), {"ante", "bring_in"}),
        (("0.14", "0.40"), set()), (("0.66", "1"), set()),
    ],
)  # fmt: skip
def test_what_is_beyond_all_rooms_is_warned_of(tmp_path: Path, amounts: tuple[str, str], warned: set[str]) -> None:
    ante, bring_in = amounts
    text = STAKES_ON_LINES.format(ante=ante).replace("bring_in: 1", f"bring_in: {bring_in}")
    found = load(tmp_path, HEAD + text + LINEUP).warnings
    assert {one.path.removeprefix("stakes.") for one in found} == warned


def test_windows_line_ends_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    text = ("\ufeff" + HEAD + STAKES + LINEUP).replace("\n", "\r\n")
    assert load(tmp_path, text).experiment.seed == 7


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.name)
def test_a_shipped_config_loads_opens_with_its_question_and_names_its_schema(path: Path) -> None:
    text = path.read_text()
    first = text.splitlines()[0]
    assert first.startswith("# ")
    assert first.endswith("?")
    assert "\n# yaml-language-server: $schema=schema.json\n" in text
    loaded = load_experiment(path)
    assert loaded.experiment.name == path.stem
    assert not loaded.warnings
    assert loaded.experiment.hands <= 600_000 or path.stem in ("quickstart", "round_robin", "one_threshold")


def test_the_quickstart_is_what_the_readme_says() -> None:
    experiment = load_experiment(CONFIGS / "quickstart.yaml").experiment
    scenario = experiment.scenarios[0]
    assert (experiment.seed, experiment.hands, experiment.runner.workers) == (7, 2_000_000, 2)
    assert scenario.stakes.rake == Rake(Decimal(5), cap=200)
    assert [(one.name, one.strategy.spec, one.seats) for one in scenario.lineup] == [
        ("hero", "tight", 1),
        ("fish", "caller", 5),
    ]
    assert dict(scenario.lineup[0].params)["limit"] == 8
