"""`razz-sim replay` and `razz-sim eval`: one bad file, hand or argument never hides the others."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from test_history_replay import MERGE, STARS
from typer.testing import CliRunner, Result

from razz_sim.cards import parse_card, parse_cards
from razz_sim.cli import app


def razz_sim(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """A file of each kind: good, of two hands one broken, broken, of no hand, of another game, empty."""
    contents = {
        "good.phh": MERGE,
        "two.txt": STARS.replace("[4h] [Qs]", "[4h] [Qz]") + "\n" + STARS,
        "cut.phh": MERGE[: len(MERGE) // 2],
        "diary.txt": "Dear diary, I folded.",
        "holdem.txt": "PokerStars Hand #5:  Hold'em No Limit ($2/$4 USD) - 2012/01/02 3:04:05 ET\n*** HOLE CARDS ***\n",
        "empty.txt": "",
        "last.phh": MERGE.replace("_rake = 39", "_rake = 38"),
    }
    for name, content in contents.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    return {name: tmp_path / name for name in contents}


def test_unreadable_files_and_hands_are_told_among_the_others(files: dict[str, Path]):
    done = razz_sim("replay", *files.values())
    assert done.exit_code == 1
    for name in ("two.txt", "cut.phh", "diary.txt", "holdem.txt", "empty.txt", "last.phh"):
        assert f"{name}" in done.stdout
    assert "good.phh" not in done.stdout
    assert "neither PHH nor a hand history" in done.stdout
    assert "no hand of Razz in it" in done.stdout
    assert "the rake is recorded as 38" in done.stdout or "recorded to end with" in done.stdout
    assert done.stdout.splitlines()[-1] == "2 of 8 hands are legal and end as recorded; 5 cannot be read"


def test_json_has_an_entry_for_each_hand_and_each_file_that_cannot_be_read(files: dict[str, Path]):
    done = razz_sim("replay", *files.values(), "--json")
    assert done.exit_code == 1
    outcomes = json.loads(done.stdout)
    found = [(Path(outcome["file"]).name, outcome["result"]) for outcome in outcomes]
    assert found == [
        ("good.phh", "ok"),
        ("two.txt", "unreadable"),
        ("two.txt", "ok"),
        ("cut.phh", "unreadable"),
        ("diary.txt", "unreadable"),
        ("holdem.txt", "unreadable"),
        ("empty.txt", "unreadable"),
        ("last.phh", "differs"),
    ]
    assert all(outcome["problems"] for outcome in outcomes if not outcome["ok"])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere.phh"], "nowhere.phh: there is no such file"),
        (["."], "is a folder, not a file"),
        (["good.phh", "--rules", "vegas"], "'vegas' is not a preset"),
        (["good.phh", "--set", "odds=1"], "'odds' is not a rule option"),
        (["good.phh", "--set", "bets_per_round=many"], "bets_per_round must be"),
    ],
)
def test_wrong_arguments_end_with_2_before_anything_is_played(
    arguments: Sequence[str], sentence: str, files: dict[str, Path], tmp_path: Path
):
    done = razz_sim("replay", files["good.phh"], *(tmp_path / one if "." in one else one for one in arguments))
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert not done.stdout


def test_a_file_that_may_not_be_read_is_told_too(files: dict[str, Path], monkeypatch: pytest.MonkeyPatch):
    read = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.name == "cut.phh":
            raise PermissionError(13, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    done = razz_sim("replay", files["cut.phh"], files["good.phh"])
    assert done.exit_code == 1
    assert "cut.phh: cannot be read: Permission denied" in done.stdout
    assert done.stdout.endswith("1 of 2 hands are legal and end as recorded; 1 cannot be read\n")


def test_eval_names_lows_with_the_ranks_that_make_them():
    done = razz_sim("eval", "6c5d3h2sAs", "6c4d3h2sAs", "KsKd4c3h2s", "As2d3c4h5sKhKc", "6s4h3d2dAd")
    assert [re.split(" {2,}", line) for line in done.stdout.splitlines()] == [
        ["1. As2d3c4h5sKhKc", "5s4h3c2dAs", "5-4-3-2-A", "wheel"],
        ["2. 6c4d3h2sAs", "6c4d3h2sAs", "6-4-3-2-A", "six-four low (tied)"],
        ["2. 6s4h3d2dAd", "6s4h3d2dAd", "6-4-3-2-A", "six-four low (tied)"],
        ["4. 6c5d3h2sAs", "6c5d3h2sAs", "6-5-3-2-A", "six-five low"],
        ["5. KsKd4c3h2s", "KsKd4c3h2s", "K-K-4-3-2", "pair of kings"],
    ]
    assert not done.stderr


@pytest.mark.parametrize(
    ("cards", "hint"),
    [(["As", "2d", "3c"], "As2d3c"), (["Kh", "Ks"], "KhKs"), (["As"], ""), (["As2d", "3c"], ""), (["As 2d 3c"], "")],
)
def test_eval_of_single_cards_says_how_to_write_one_hand(cards: Sequence[str], hint: str):
    done = razz_sim("eval", *cards)
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) == len(cards)
    if hint:
        assert done.stderr == (
            f"each card was ranked as a hand of its own; for one hand write its cards together: {hint}\n"
        )
    else:
        assert not done.stderr


@pytest.mark.parametrize("text", ["10s", "As10s", "10s As", "As,10S,2d"])
def test_ten_is_t(text: str):
    with pytest.raises(ValueError, match=r"'10[sS]' is not a card: ten is T: T[sS]$"):
        parse_cards(text)
    done = razz_sim("eval", text)
    assert done.exit_code == 2
    assert "ten is T: T" in done.stderr


@pytest.mark.parametrize("text", ["10", "10x", "100"])
def test_ten_without_a_suit_is_no_card_either(text: str):
    with pytest.raises(ValueError, match="is not a card: ten is T"):
        parse_card(text)
