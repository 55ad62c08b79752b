"""How strategies are named, listed, offered by packages and begun; what is refused when a file is read."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from razz_sim.cli import app
from razz_sim.config import experiment_from_dict
from razz_sim.outcome import OUTCOME
from razz_sim.strategy import StrategyError, builtin_names, check_params, find_strategy
from razz_sim.strategy.machine_code import machine_code
from razz_sim.strategy.source import WEAK_TO_STRONG, read_strategy
from razz_sim.view import VIEW

ROOT = Path(__file__).parent.parent
REFERENCE = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")
BOT = """from razz_sim.strategy import strategy
from razz_sim.view import STAY


@strategy
def {name}(view, params, memory, u):
"""


def bot(name: str, body: str = "return STAY") -> str:
    return BOT.format(name=name) + f'    """What {name} does."""\n    {body}\n'


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    return done.exit_code, done.stdout, done.stderr


# The list


def test_the_order_from_weak_to_strong_is_complete() -> None:
    files = {path.stem for path in (ROOT / "strategies").glob("*.py") if path.stem != "__init__"}
    assert set(WEAK_TO_STRONG) == files
    assert builtin_names() == WEAK_TO_STRONG


def test_the_library_is_documented_in_that_order() -> None:
    rows = re.findall(r"^\| \d+ \| `(\w+)`", (ROOT / "docs" / "library.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert tuple(rows) == WEAK_TO_STRONG


def test_the_list_has_a_line_for_each() -> None:
    code, shown, _ = run("strategies")
    assert code == 0
    lines = shown.splitlines()
    assert [line.split()[0] for line in lines] == list(WEAK_TO_STRONG)
    assert all(len(line.split()) > 3 for line in lines)


def test_one_strategy_is_shown_in_full() -> None:
    code, shown, _ = run("strategies", "tight")
    assert code == 0
    assert shown.startswith("tight: compiled function\n")
    assert "Sklansky" in shown
    assert re.search(r"^  limit: whole number from 3 to 13, default 8: highest of the three", shown, re.MULTILINE)


# Entry points


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that is installed in a folder on the path; the test says what it offers."""
    info = tmp_path / "sharks-1.0.dist-info"
    info.mkdir()
    monkeypatch.delitem(sys.modules, "sharks", raising=False)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sharks\nVersion: 1.0\n")
    (tmp_path / "sharks").mkdir()
    (tmp_path / "sharks" / "__init__.py").write_text("")
    (tmp_path / "sharks" / "grey.py").write_text(bot("grey"))
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    return info / "entry_points.txt"


def offer(place: Path, *lines: str) -> None:
    place.write_text("\n".join(["[razz_sim.strategies]", *lines, ""]))


def test_a_package_s_strategy_is_named_like_any_other(offered: Path) -> None:
    offer(offered, "nurse = sharks.grey:grey")
    source = find_strategy("nurse")
    assert (source.spec, source.function, source.summary) == ("nurse", "grey", "What grey does.")
    config = {
        "name": "sea",
        "hands": 10,
        "stakes": {"ante": 1, "bring_in": 5, "small_bet": 15, "big_bet": 30},
        "lineup": [{"strategy": "nurse"}, {"strategy": "tight"}],
    }
    lineup = experiment_from_dict(config, Path()).experiment.scenarios[0].lineup
    assert lineup[0].strategy == source
    code, shown, _ = run("strategies")
    assert code == 0
    assert shown.endswith("\nfrom installed packages\nnurse          What grey does. (sharks)\n")


def test_a_package_s_strategy_must_not_take_a_name_that_is_ours(offered: Path) -> None:
    offer(offered, "tight = sharks.grey:grey")
    with pytest.raises(StrategyError) as caught:
        find_strategy("tight")
    for part in ("'tight' may mean razz_sim.strategies.tight:tight", "or sharks.grey:grey of package sharks"):
        assert part in str(caught.value)
    assert find_strategy("razz_sim.strategies.tight:tight").function == "tight"
    assert "cannot be used: 'tight' may mean" in run("strategies")[1]


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("sharks.grey", "an entry point of razz_sim.strategies must be package.module:NAME"),
        ("sharks.white:white", "there is no source of a Python module 'sharks.white'"),
        ("sharks.grey:white", "has no strategy 'white'"),
    ],
)
def test_an_offer_that_leads_nowhere_is_refused(offered: Path, value: str, sentence: str) -> None:
    offer(offered, f"nurse = {value}")
    with pytest.raises(StrategyError, match=re.escape(sentence)):
        find_strategy("nurse")


def test_a_misspelt_name_finds_what_packages_offer(offered: Path) -> None:
    offer(offered, "nurse = sharks.grey:grey")
    with pytest.raises(StrategyError, match="did you mean 'nurse'"):
        find_strategy("nurs")


# What is refused


def test_relative_imports_are_refused_by_name(offered: Path) -> None:
    (offered.parent.parent / "sharks" / "white.py").write_text("from .teeth import sharp\n" + bot("white"))
    importlib.invalidate_caches()
    with pytest.raises(StrategyError, match=r"white.py, line 1: a strategy is one file .* not '\.teeth'"):
        find_strategy("sharks.white:white")


@pytest.mark.parametrize("number", ["2**70", "1 << 64", "3 * 10**30 - 1", "18446744073709551616", "-(2**63) - 1"])
def test_numbers_beyond_64_bits_are_refused_with_their_line(number: str) -> None:
    with pytest.raises(StrategyError, match=r"big.py, line 8: .* does not fit into 64 bits"):
        read_strategy("big.py:big", "big", bot("big", f"return {number}"), "big.py")


@pytest.mark.parametrize(
    "number", ["-(2**63)", "18446744073709551615", "2**62", "1 if view.pot < 2**70 - 2**70 else 0"]
)
def test_numbers_within_64_bits_are_not(number: str) -> None:
    machine_code(read_strategy("big.py:big", "big", bot("big", f"return int({number}) * 0 + STAY"), "big.py"))


def test_a_parameter_s_value_is_told_as_yaml_writes_it() -> None:
    with pytest.raises(StrategyError, match=r"^limit: true is not a whole number"):
        check_params(find_strategy("tight"), {"limit": True})
    with pytest.raises(StrategyError, match=r"^limit: null is not a whole number"):
        check_params(find_strategy("tight"), {"limit": None})


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("json:loads", "'json:loads' is not a strategy: "),
        ("sys:exit", "'sys:exit' is not a strategy: sys is a module of Python's own"),
        ("numpy:array", "'numpy:array' is not a strategy: nothing in "),
        ("nowhere.bots:grey", "its package must be installed, or its folder be in PYTHONPATH"),
        ("beside", "(did you mean beside.py:grey?)"),
        ("beside:grey", "(did you mean beside.py:grey?)"),
    ],
)
def test_what_is_no_strategy_is_told_with_what_was_meant(spec: str, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text(bot("grey"))
    with pytest.raises(StrategyError, match=re.escape(sentence)):
        find_strategy(spec, tmp_path)


IMPORTS = "from razz_sim.strategy import strategy, whole\nfrom razz_sim.view import STAY\n\n\n"
CLASS = "@strategy\nclass bot:\n    def act(self, view, u):\n        return STAY\n\n"
TOLD = "def told(outcome):\n    pass\n\n\n@strategy(observe=told)\n"


def method(signature: str) -> str:
    return f"    def {signature}:\n        pass\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("@strategy\ndef bot(view, params):\n    return 1\n", "line 6: bot(view, params) must be bot(view, params, m"),
        ("@strategy\nclass bot:\n" + method("act(self, view)"), "line 7: act(self, view) must be act(self, view, u)"),
        (CLASS + method("observ(self, outcome)"), "line 10: observ is never called: did you mean observe?"),
        (CLASS + method("observe_batch(self, told)"), "did you mean observe?"),
        ("@strategy\nclass bot:\n" + method("act_batc(self, views, memory, u)"), "did you mean act_batch?"),
        (
            TOLD + "def bot(view, params, memory, u):\n    return 1\n",
            "line 5: told(outcome) must be told(outcome, pa",
        ),
    ],
)
def test_functions_that_cannot_be_called_as_strategies_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(StrategyError, match=re.escape(sentence)):
        read_strategy("bot.py:bot", "bot", IMPORTS + text, "bot.py")


def test_helpers_with_names_of_their_own_are_not() -> None:
    more = "\n    def observed(self):\n        return 1\n\n    def _observe(self, outcome):\n        return 1\n"
    read_strategy("bot.py:bot", "bot", IMPORTS + CLASS + more, "bot.py")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("return STAAY", "name 'STAAY' is not defined (bot.py, line 8)"),
        ("return plain(view)", "it calls plain, a plain Python function: put @alike (of razz_sim.strategy) above that"),
    ],
)
def test_the_compiler_s_reasons_have_a_line_and_a_hint(body: str, sentence: str) -> None:
    text = bot("bot", body) + "\n\ndef plain(view):\n    return STAY\n"
    with pytest.raises(StrategyError, match=re.escape(sentence)) as caught:
        machine_code(read_strategy("bot.py:bot", "bot", text, "bot.py"))
    assert not str(caught.value).endswith('".')


@pytest.mark.parametrize("ends", ["0, float('inf')", "0.5, 9", "0, 2**70"])
def test_whole_parameters_have_whole_ends(ends: str) -> None:
    text = IMPORTS + CLASS.replace("strategy", f"strategy(n=whole(5, {ends}, 'n'))", 1)
    with pytest.raises(StrategyError, match=r"n: whole\(\) takes whole numbers of 64 bits, not 5, "):
        read_strategy("bot.py:bot", "bot", text, "bot.py")


# The reference


def rows(section: str) -> list[str]:
    """The fields that a table of the reference names."""
    text = REFERENCE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE)


def test_the_reference_has_every_field_of_the_view_and_the_outcome() -> None:
    assert rows("The view") == list(VIEW.names or ())
    assert rows("The outcome") == [name for name in OUTCOME.names or () if name not in (VIEW.names or ())]


@pytest.mark.parametrize("name", OUTCOME.names or ())
def test_the_reference_tells_the_types(name: str) -> None:
    kind = OUTCOME[name]
    told = re.search(rf"^\| `{name}` \| (\w+)", REFERENCE, re.MULTILINE)
    assert told
    assert told[1] == kind.base.name


def test_the_strategy_of_the_reference_can_be_played() -> None:
    text = next(block for block in re.findall(r"```python\n(.*?)```", REFERENCE, re.DOTALL) if "@strategy" in block)
    assert machine_code(read_strategy("bluffer.py:bluffer", "bluffer", text, "bluffer.py")).observer


# Beginning one


@pytest.mark.slow
def test_new_strategies_of_each_kind_pass_their_own_tests(tmp_path: Path) -> None:
    for kind in ("compiled", "python", "array"):
        name = f"{kind}_shark"
        code, shown, errors = run("new", name, "--kind", kind, "--in", tmp_path)
        assert (code, errors) == (0, "")
        assert f"razz-sim check {tmp_path}/{name}.py:{name}" in shown
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout
    assert "9 passed" in done.stdout


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "test_shark.py").write_text("mine")
    code, _, errors = run("new", "shark", "--in", tmp_path)
    assert (code, errors) == (2, f"{tmp_path}/test_shark.py is there already: nothing was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["test_shark.py"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("my-bot",), "'my-bot' cannot be the name of a strategy: letters, digits and underscores, no digit first"),
        (("2good",), "for one my_bot"),
        (("lambda",), "'lambda' is a word of Python's own"),
        (("random",), "random.py would hide the module random"),
        (("numpy",), "numpy.py would hide the module numpy"),
        (("STAY",), "razz_sim has that name for strategies to import; another would do, for one STAY_bot"),
        (("raise_or_stay",), "razz_sim has that name"),
        (("print",), "print means something in Python"),
        (("test_shark",), "pytest would take test_shark.py for a file of tests; another would do, for one shark_bot"),
        (("a/b",), "'a/b' cannot be the name of a strategy"),
        (("shark", "--kind", "fish"), "--kind fish: must be compiled, python or array"),
        (("shark", "--in", "nowhere"), "cannot write nowhere/shark.py: No such file or directory"),
    ],
)
def test_names_and_kinds_that_are_none_are_refused(arguments: tuple[str, ...], sentence: str) -> None:
    code, shown, errors = run("new", *arguments)
    assert (code, shown) == (2, "")
    assert sentence in errors
