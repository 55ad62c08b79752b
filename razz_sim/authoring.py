"""Writing strategy files to begin with, from the templates that come along."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from pathlib import Path
from string import Template

KINDS = ("compiled", "python", "array")


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


def _check_name(name: str) -> None:
    """AuthoringError for what can be no name in Python, with one that could."""
    if name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("__"):
        return
    if keyword.iskeyword(name):
        raise AuthoringError(f"{name!r} is a word of Python's own: a strategy needs another name, for one {name}_bot")
    better = re.sub(r"\W+", "_", name.removesuffix(".py")).strip("_")
    better = better if better.isidentifier() and not keyword.iskeyword(better) else "my_bot"
    sentence = "letters, digits and underscores, no digit first"
    raise AuthoringError(f"{name!r} cannot be the name of a strategy: {sentence}, for one {better}")
