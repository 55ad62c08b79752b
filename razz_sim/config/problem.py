"""What is wrong with an experiment file, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

PathParts: TypeAlias = tuple[str | int, ...]
"""Where in an experiment: keys and list positions from the top, such as ("stakes", 1, "bring_in")."""

LONGEST_QUOTE = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong (or, among warnings, unusual) in an experiment.

    >>> print(Problem(file="a.yaml", line=12, path="stakes[1].ante", sentence="must be a number, not a list"))
    a.yaml:12: stakes[1].ante: must be a number, not a list

    `file` is the file as it was named, or the `--set` it came from, or empty for data from Python.
    """

    file: str
    line: int | None
    path: str
    sentence: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return ": ".join(part for part in (place, self.path, self.sentence) if part)


class ConfigError(ValueError):
    """An experiment that cannot be played as it is written: every problem found, one a line."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))

    def __reduce__(self) -> tuple[type[ConfigError], tuple[tuple[Problem, ...]]]:
        return ConfigError, (self.problems,)


def spell_path(parts: PathParts) -> str:
    """A path as an error and `--set` write it.

    >>> spell_path(("stakes", 1, "bring_in"))
    'stakes[1].bring_in'
    """
    spelled = ""
    for part in parts:
        if isinstance(part, int):
            spelled += f"[{part}]"
        else:
            spelled += ("." if spelled else "") + (shorten(part) if part.isprintable() else quote(part))
    return spelled


def shorten(text: str) -> str:
    """A text for a sentence: long ones lose their end.

    >>> shorten("9" * 100)
    '999999999999999999999999999999999999999999999999999999999...'
    """
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 3] + "..."


def spell_number(number: int) -> str:
    """A number for a sentence, so that it can be read and copied.

    >>> spell_number(2_000_000), spell_number(100)
    ('2_000_000', '100')
    """
    return f"{number:_}" if abs(number) >= 10_000 else str(number)


def quote(text: str) -> str:
    """A text in quotes for a sentence, on one line."""
    return repr(shorten(text))


MEANT = "did you mean "


def nearest(word: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown word: the known word that was meant, else all known words.

    >>> nearest("bring-in", ["ante", "bring_in"])
    'did you mean bring_in?'
    >>> nearest("blind", ["ante", "bring_in"])
    'one of ante, bring_in'
    """
    words = list(known)
    alike = {other.lower(): other for other in words}
    plain = word.strip().lower().replace("-", "_").replace(" ", "_")
    longer = [other for other in alike if len(plain) > 2 and other.startswith(plain)]
    found = longer[:1] or get_close_matches(plain, list(alike), n=1, cutoff=0.6)
    return f"{MEANT}{alike[found[0]]}?" if found else f"one of {', '.join(words)}"
