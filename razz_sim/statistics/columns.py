"""Columns of totals, piece by piece (bins or shards), and the estimates that they give."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from razz_sim.statistics.estimates import Estimate, Share, clustered_share, exact_sums, ratio_estimate, share


class Columns:
    """The totals of the table or of an entrant: `total[column]` over all pieces, `pieces(column)` one by one."""

    def __init__(self, columns: Sequence[str], totals: np.ndarray, blocks: int, *, single: bool) -> None:
        """`totals[piece, column]` of so many blocks; `single` where a block is one hand."""
        self.total = dict(zip(columns, exact_sums(totals), strict=True))
        self.blocks, self.single = blocks, single
        self._place = {column: place for place, column in enumerate(columns)}
        self._totals = totals

    def pieces(self, column: str) -> list[int]:
        """A column piece by piece."""
        found: list[int] = self._totals[:, self._place[column]].tolist()
        return found

    def squares(self, name: str) -> int:
        """A sum of squares from its three limbs."""
        low, middle, high = (self.total[f"{name}_{limb}"] for limb in range(3))
        return low + (middle << 32) + (high << 64)

    def ratio(self, part: str, whole: str, scale: Fraction = Fraction(1)) -> Estimate:
        """One column over another, with the error between pieces."""
        return ratio_estimate(self.pieces(part), self.pieces(whole), scale=scale)

    def share(self, part: str, whole: str, seats: int) -> Share:
        """One column as a share of another, at most one chance in a hand for each of `seats`."""
        if self.single:
            return share(self.total[part], self.total[whole], seats=seats)
        return clustered_share(self.pieces(part), self.pieces(whole), together=seats, samples=self.blocks)

    def share_of_decisions(self, part: str, wholes: Sequence[str], hands: str = "hands") -> Share:
        """One column as a share of others together, several chances in a hand: the error is seen between pieces."""
        chances = [sum(found) for found in zip(*map(self.pieces, wholes), strict=True)]
        together = max(1, -(-sum(chances) // max(1, self.total[hands])))
        return clustered_share(self.pieces(part), chances, together=together, samples=self.blocks)


def by_shard(totals: np.ndarray, shard_bins: int) -> np.ndarray:
    """Totals by bin (the first axis) added up to shards."""
    added: np.ndarray = np.add.reduceat(totals, np.arange(0, len(totals), shard_bins), axis=0)
    return added
