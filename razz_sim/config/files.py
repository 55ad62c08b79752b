"""The text of YAML files, or the sentence that says why there is none."""

from __future__ import annotations

import codecs
from difflib import get_close_matches
from pathlib import Path

from razz_sim.config.problem import ConfigError, Problem

LARGEST_FILE = 1_000_000


def read_text(path: Path, what: str = "an experiment") -> str:
    """The text of a YAML file; ConfigError says why there is none."""
    source = str(path)

    def no(sentence: str, line: int | None = None) -> ConfigError:
        return ConfigError([Problem(source, line, "", sentence)])

    try:
        if path.is_dir():
            raise no(f"is a folder, not {what} file")
        if path.stat().st_size > LARGEST_FILE:
            raise no(f"holds more than {LARGEST_FILE} bytes: {what} is never that long")
        data = path.read_bytes()
    except FileNotFoundError:
        raise no("is not there" + _meant(path)) from None
    except ConfigError:
        raise
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise no(f"cannot be read: {reason}") from None
    if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise no("is UTF-16: save the file as UTF-8")
    if b"\0" in data:
        raise no(f"is no text file: {what} is YAML in UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise no(f"byte {data[error.start]:#04x} is not UTF-8: save the file as UTF-8", line) from None


def _meant(path: Path) -> str:
    """The file beside a missing one that was probably meant."""
    if not path.parent.is_dir():
        return f", nor is its folder {path.parent}"
    names = [other.name for other in path.parent.iterdir() if other.suffix in (".yaml", ".yml")]
    found = get_close_matches(path.name, names, n=1)
    return f"; did you mean {path.with_name(found[0])}?" if found else ""
