"""A binary heap of words in an array: the smallest comes out first."""

from __future__ import annotations

from typing import Any

from razz_sim.compiling import inlined


@inlined
def push(heap: Any, size: int, key: int) -> None:
    """Add a key to a heap of so many."""
    place = size
    while place > 0:
        above = (place - 1) // 2
        if heap[above] <= key:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = key


@inlined
def pop(heap: Any, size: int) -> int:
    """Take the smallest key from a heap of so many; its last place is free then."""
    smallest: int = heap[0]
    last = heap[size - 1]
    place = 0
    while True:
        below = 2 * place + 1
        if below >= size - 1:
            break
        if below + 1 < size - 1 and heap[below + 1] < heap[below]:
            below += 1
        if heap[below] >= last:
            break
        heap[place] = heap[below]
        place = below
    heap[place] = last
    return smallest
