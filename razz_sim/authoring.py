"""Writing strategy files to begin with, from the templates that come along."""

from __future__ import annotations

import builtins
import keyword
import re
import sys
from importlib import resources
from pathlib import Path
from string import Template

KINDS = ("compiled", "python", "array")
OTHER_MODULES = ("numpy", "numba", "razz_sim", "pytest", "ray", "yaml", "typer", "rich", "pydantic", "tqdm", "scipy")
"""Modules beside Python's own that a file of the same name would hide."""


class AuthoringError(ValueError):
    """A strategy file that cannot be written: the sentence says why."""


def write_strategy(name: str, kind: str, folder: Path) -> tuple[Path, Path]:
    """Write `name.py` and `test_name.py`; AuthoringError when one of them is there or the name is none."""
    _check_name(name)
    if kind not in KINDS:
        raise AuthoringError(f"--kind {kind}: must be {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    paths = folder / f"{name}.py", folder / f"test_{name}.py"
    for path in paths:
        if path.exists():
            raise AuthoringError(f"{path} is there already: nothing was written")
    for path, template in zip(paths, (kind, "test"), strict=True):
        text = (resources.files("razz_sim") / "templates" / f"{template}.txt").read_text(encoding="utf-8")
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(Template(text).substitute(name=name))
        except OSError as error:
            raise AuthoringError(f"cannot write {path}: {error.strerror}") from error
    return paths


def _check_not_taken(name: str) -> None:
    """AuthoringError for a name that would hide another that the file or its test needs."""
    taken = ""
    if name in sys.stdlib_module_names or name in OTHER_MODULES:
        taken = f"{name}.py would hide the module {name} from every program that is started beside it"
    elif name in dir(builtins) or name in ("match", "case", "type"):
        taken = f"{name} means something in Python"
    elif name in _imported_names():
        taken = "razz_sim has that name for strategies to import"
    elif name.startswith("test_") or name == "conftest":
        taken = f"pytest would take {name}.py for a file of tests"
    if taken:
        raise AuthoringError(
            f"{name!r} cannot be the name of a strategy: {taken}; another would do, for one {_other(name)}"
        )


def _other(name: str) -> str:
    """A name that is not taken."""
    return f"{name.removeprefix('test_')}_bot"


def _imported_names() -> set[str]:
    """The names that strategies import from razz_sim, and those of the packages that their files import."""
    from razz_sim import reading, strategy, view

    return {name for module in (reading, strategy, view) for name in vars(module) if not name.startswith("__")}


def _check_name(name: str) -> None:
    """AuthoringError for what can be no name in Python, with one that could."""
    if name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("__"):
        _check_not_taken(name)
        return
    if keyword.iskeyword(name):
        raise AuthoringError(f"{name!r} is a word of Python's own: a strategy needs another name, for one {name}_bot")
    better = re.sub(r"\W+", "_", name.removesuffix(".py")).strip("_")
    better = better if better.isidentifier() and not keyword.iskeyword(better) else "my_bot"
    sentence = "letters, digits and underscores, no digit first"
    raise AuthoringError(f"{name!r} cannot be the name of a strategy: {sentence}, for one {better}")
