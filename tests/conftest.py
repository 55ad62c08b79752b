"""Shared by all tests: the engine is compiled once for all pytest processes, and Ray is started by one at a time."""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start Ray come first, so that one process has them all and the others need not wait for it.

    Then the slow ones: at the end there are short ones to share.
    """
    items.sort(key=lambda item: (item.get_closest_marker("ray") is None, item.get_closest_marker("slow") is None))


@pytest.fixture(autouse=True)
def _one_ray_at_a_time(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hold a lock during tests marked `ray`: it starts some ten processes, and two such at once crawl."""
    if request.node.get_closest_marker("ray") is None:
        yield
        return
    with (Path(tempfile.gettempdir()) / "razz_sim-tests-with-ray").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
