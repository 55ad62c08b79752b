"""Stakes that real rooms play, by name: `stakes: pokerstars_2_4`, or `{preset: pokerstars_2_4, rake: {...}}`.

Each comes with its source. Razz is dealt for the antes of the other stud games of a room, so some were seen in a hand
of seven-card stud; the source says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from razz_sim.config.problem import PathParts
from razz_sim.config.tree import Entry, Items, Node, Scalar, Section, child

PRESET = "preset"
STAKES = "stakes"


@dataclass(frozen=True, slots=True)
class RealStakes:
    """Amounts as the room writes them, in the order ante, bring-in, small bet, big bet; where they were seen."""

    ante: str
    bring_in: str
    small_bet: str
    big_bet: str
    source: str

    def amounts(self) -> dict[str, str]:
        """The amounts by key."""
        return {key: getattr(self, key) for key in ("ante", "bring_in", "small_bet", "big_bet")}


_SHEET = "the project's list of stakes seen in real play (RULES.md)"

REAL_STAKES: Mapping[str, RealStakes] = MappingProxyType(
    {
        "pokerstars_0.04_0.08": RealStakes(
            "0.01", "0.02", "0.04", "0.08", "PokerStars, Razz, hand 35874566077 of 2009-11-26"
        ),
        "everleaf_0.05_0.10": RealStakes(
            "0.01", "0.02", "0.05", "0.10", "Everleaf Gaming, seven-card stud, hand 285997460 of 2011-07-08"
        ),
        "fulltilt_0.10_0.20": RealStakes(
            "0.02", "0.03", "0.10", "0.20", "Full Tilt, Razz, hand 26190453000 of 2010-12-07"
        ),
        "americas_cardroom_0.10_0.20": RealStakes(
            "0.02", "0.05", "0.10", "0.20", "Americas Cardroom, stud hi-lo, hand 1903647457 of 2023-10-22"
        ),
        "merge_0.50_1": RealStakes("0.05", "0.10", "0.50", "1", "Merge, Razz, hand 43618199-14"),
        "pokerstars_2_4": RealStakes("0.20", "1.00", "2", "4", _SHEET),
        "fulltilt_2_4": RealStakes("0.40", "0.50", "2", "4", "Full Tilt, stud hi-lo, hand 29408130000 of 2011-03-28"),
        "fulltilt_2.50_5": RealStakes("0.40", "0.75", "2.50", "5", "Full Tilt, Razz, hand 29705691274 of 2011-04-07"),
        "fulltilt_3_6": RealStakes("0.50", "1", "3", "6", "Full Tilt, seven-card stud, hand 21536266313 of 2010-06-11"),
        "live_15_30": RealStakes("1", "5", "15", "30", _SHEET),
        "live_20_40": RealStakes("3", "5", "20", "40", _SHEET),
        "pokerstars_400_800": RealStakes(
            "60", "120", "400", "800", "PokerStars, stud hi-lo in 8-Game, hand 164954571644 of 2017-01-21"
        ),
        "live_500_1000": RealStakes("125", "125", "500", "1000", _SHEET),
        "tournament_50_100": RealStakes("5", "15", "50", "100", _SHEET),
        "pokerstars_tournament_50_100": RealStakes(
            "10", "15", "50", "100", "PokerStars, Razz tournament, hand 49382949075"
        ),
        "tournament_200_400": RealStakes("40", "60", "200", "400", _SHEET),
        "tournament_200k_400k": RealStakes("50_000", "50_000", "200_000", "400_000", _SHEET),
        "tournament_300k_600k": RealStakes("100_000", "100_000", "300_000", "600_000", _SHEET),
    }
)


def written_out(node: Node) -> Node:
    """Stakes by name as the mapping they stand for, what is beside a preset over it; all else as it is.

    What the name stands for has the place of the name, so that an error about it points there.
    """
    named = child(node, PRESET) if isinstance(node, Section) else node
    known = REAL_STAKES.get(named.text) if isinstance(named, Scalar) else None
    if named is None or known is None:
        return node
    entries = {"name": Entry(named.place, named)}
    entries |= {key: Entry(named.place, Scalar(named.place, text, plain=True)) for key, text in known.amounts().items()}
    if isinstance(node, Section):
        entries |= {key: entry for key, entry in node.entries.items() if key != PRESET}
    return Section(node.place, entries)


def with_stakes_written_out(tree: Node) -> Node:
    """A file's tree with all its stakes written out."""
    entry = tree.entries.get(STAKES) if isinstance(tree, Section) else None
    if entry is None or not isinstance(tree, Section):
        return tree
    found = entry.node
    changed = (
        Items(found.place, tuple(written_out(item) for item in found.items))
        if isinstance(found, Items)
        else written_out(found)
    )
    return Section(tree.place, {**tree.entries, STAKES: Entry(entry.key_place, changed)})


def are_stakes(path: PathParts) -> bool:
    """Whether a path is that of one structure: `stakes`, or an item of it."""
    return path[:1] == (STAKES,) and (len(path) == 1 or (len(path) == 2 and isinstance(path[1], int)))
