"""The machine and the programs that the figures were taken with."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("razz-sim", "numba", "numpy", "pokerkit")


def machine() -> dict[str, str | int | float]:
    """Processor, cores, versions, and how busy the machine was when asked."""
    found: dict[str, str | int | float] = {
        "cpu": _cpu_name(),
        "cores": os.cpu_count() or 0,
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    if hasattr(os, "getloadavg"):
        found["load"] = round(os.getloadavg()[0], 2)
    return found


def machine_line(found: dict[str, str | int | float]) -> str:
    """The machine in one line."""
    packages = ", ".join(f"{name} {found[name]}" for name in PACKAGES)
    load = f"; load {found['load']} at the start" if "load" in found else ""
    return f"{found['cpu']}, {found['cores']} cores, {found['system']}, Python {found['python']}, {packages}{load}"


def _cpu_name() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
