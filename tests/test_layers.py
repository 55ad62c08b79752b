"""Imports run one way: a room may import only rooms above it in this list."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import razz_sim
from razz_sim.compiling import ENGINE_ROOMS

PACKAGE = Path(razz_sim.__file__).parent
STRATEGIES = PACKAGE.parent / "strategies"
ROOMS = [
    "compiling",
    "cards",
    "lowball",
    "seeding",
    "rules",
    "structures",
    "hand",
    "view",
    "outcome",
    "reading",
    "strategy",
    "tally",
    "stages",
    "experiment",
    "matches",
    "places",
    "table",
    "tournament",
    "config",
    "batch",
    "runner",
    "checking",
    "testing",
    "authoring",
    "store",
    "statistics",
    "history",
    "report",
    "course",
    "conduct",
    "cli",
    "__main__",
]
FOR_STRATEGIES = {"cards", "lowball", "outcome", "reading", "rules", "strategy", "view"}
COMPILERS = {"alike", "callback", "compiled", "compiled_as", "inlined", "intrinsic"}
ONLY_IN = {"ray": {"runner"}, "yaml": {"config"}, "typer": {"cli"}}


def imported(path: Path) -> Iterator[str]:
    """The dotted names that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def room_of(path: Path) -> str:
    """The room a file of the package is in."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def rooms_imported(path: Path) -> set[str]:
    """The rooms of razz_sim that a file imports from."""
    return {name.split(".")[1] for name in imported(path) if name.startswith("razz_sim.")}


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    here = ROOMS.index(room_of(path))
    assert {room for room in rooms_imported(path) if room in ROOMS and ROOMS.index(room) > here} == set()


def test_every_room_is_in_the_list() -> None:
    assert {room_of(path) for path in FILES} == set(ROOMS)


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_known_to_one_room_only(library: str) -> None:
    users = {room_of(path) for path in FILES if library in {name.split(".")[0] for name in imported(path)}}
    assert users == ONLY_IN[library]


@pytest.mark.parametrize("path", sorted(STRATEGIES.glob("*.py")), ids=lambda path: path.name)
def test_strategies_see_only_what_strategies_need(path: Path) -> None:
    assert rooms_imported(path) <= FOR_STRATEGIES


def test_the_cache_stamp_covers_every_file_with_compiled_code() -> None:
    covered = {path for room in ENGINE_ROOMS for path in [PACKAGE / room, *(PACKAGE / room).rglob("*.py")]}
    compiled = {path for path in FILES if path.name != "__init__.py" and COMPILERS & last_names(path)}
    assert compiled, "no file with compiled code was found: the test looks for the wrong names"
    assert compiled <= covered


def last_names(path: Path) -> set[str]:
    """The last parts of the names a file imports from `razz_sim.compiling`."""
    return {name.split(".")[-1] for name in imported(path) if name.startswith("razz_sim.compiling.")}


def test_every_folder_of_the_package_is_installed() -> None:
    listed = tomllib.loads((STRATEGIES.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    folders = {path.parent.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("__init__.py")}
    assert {".".join(folder.parts) for folder in folders} | {"razz_sim.strategies"} == set(listed["packages"])
