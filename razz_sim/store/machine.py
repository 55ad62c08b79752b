"""Where a run was played: versions, machine, commit. It changes no result; it helps to ask why one changed."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import razz_sim

LIBRARIES = ("numpy", "numba", "ray", "pyarrow")
"""Whose versions a manifest names beside razz_sim's and Python's."""


def versions() -> dict[str, str | None]:
    """The versions of all that a result could depend on."""
    return {
        "razz_sim": razz_sim.__version__,
        "python": platform.python_version(),
        **{library: _version(library) for library in LIBRARIES},
    }


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def machine() -> dict[str, Any]:
    """The machine, without anything that names its owner."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "architecture": platform.machine(),
        "processor": _processor(),
        "processors": os.cpu_count(),
        "byte_order": sys.byteorder,
    }


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def git_state(folder: Path) -> dict[str, Any] | None:
    """The commit that the sources in a folder are at, and whether they differ from it; None outside a checkout."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=10).stdout.strip()

    try:
        if not git("ls-files", "--", "__init__.py"):
            return None
        return {"commit": git("rev-parse", "HEAD"), "changed": bool(git("status", "--porcelain", "--", "."))}
    except (OSError, subprocess.SubprocessError):
        return None
