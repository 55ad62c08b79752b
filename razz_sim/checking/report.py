"""What a check found, a line for each thing looked at."""

from __future__ import annotations

from dataclasses import dataclass

GOOD, BAD, SKIPPED = "✓", "✗", "-"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `good` is None where it could not be.

    `detail` says what was seen, `lines` show the first example of what is wrong.
    """

    topic: str
    good: bool | None
    detail: str
    lines: tuple[str, ...] = ()

    def __str__(self) -> str:
        mark = SKIPPED if self.good is None else GOOD if self.good else BAD
        text = f"{mark} {self.topic:<{_WIDTH}} {self.detail}"
        return "\n".join([text, *(f"  {'':<{_WIDTH}} {line}" for line in self.lines)])


TOPICS = (
    "loads",
    "compiles",
    "parameters",
    "legal answers",
    "same answers again",
    "its own view",
    "hidden cards",
    "its own copy",
    "ships to a worker",
    "prints nothing",
    "memory",
    "speed",
)
"""What is looked at, in this order."""
_WIDTH = max(map(len, TOPICS))


@dataclass(frozen=True, slots=True)
class Report:
    """All that a check found of a strategy; `title` says which it is."""

    title: str
    findings: tuple[Finding, ...]

    @property
    def good(self) -> bool:
        """Whether nothing failed."""
        return all(finding.good is not False for finding in self.findings)

    def __str__(self) -> str:
        return "\n".join([self.title, "", *map(str, self.findings)])

    def bad(self) -> tuple[str, ...]:
        """The topics that failed."""
        return tuple(finding.topic for finding in self.findings if finding.good is False)
