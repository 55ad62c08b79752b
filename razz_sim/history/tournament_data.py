"""A tournament as plain data: its story for programs, and the stacks of its players over time to be drawn.

Times are minutes, or hands at each table where levels count these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from razz_sim.batch.tournaments import TournamentEvent
from razz_sim.experiment import Scenario, plan_of
from razz_sim.hand.record import NOBODY
from razz_sim.history.tournaments import (
    Finisher,
    Happening,
    Look,
    Standing,
    Story,
    hand_text,
    prize_text,
    story_of,
)
from razz_sim.rules import MAX_SEATS
from razz_sim.structures import Tournament

MOST_POINTS, MOST_DRAWN = 200, 400
"""Of a drawing of stacks: points of a player, and players."""
_PER_MINUTE = 60_000


def in_minutes(plan: Tournament, time: int) -> float:
    """A time in minutes; where levels count hands in these."""
    return time / _PER_MINUTE if plan.by_clock else time


def plain_story(story: Story) -> dict[str, Any]:
    """A story as plain data for programs; tables and seats count from 1, tournaments and hands from 0."""
    plan = story.plan
    return {
        "scenario": story.scenario.name,
        "tournament": story.tournament,
        "kind": plan.kind,
        "by_clock": plan.by_clock,
        "entries": plan.field + story.bought["reentry"],
        "hands": story.hands,
        "time": in_minutes(plan, story.time),
        "players": [_plain_finisher(story, one) for one in story.players],
        "levels": [_plain_look(story, look) for look in story.looks],
        "final_table": None if story.final_table is None else _plain_look(story, story.final_table),
        "events": [_plain_happening(story, one) for one in story.happenings],
    }


def _plain_finisher(story: Story, player: Finisher) -> dict[str, Any]:
    out = player.out
    return {
        "name": player.name,
        "entrant": player.entrant,
        "place": [player.first, player.last],
        "prize": prize_text(story.plan, player.prize).replace(",", ""),
        "reentries": player.bought["reentry"],
        "rebuys": player.bought["rebuy"],
        "addons": player.bought["addon"],
        "out": None if out is None else _plain_out(story, out),
    }


def _plain_out(story: Story, out: Happening) -> dict[str, Any]:
    by = out.event.other
    return {
        "level": out.level,
        "time": in_minutes(story.plan, out.time),
        "hand": hand_text(story, out.hand),
        "round": out.round + 1,
        "table": out.event.table + 1,
        "stack": out.event.amount,
        "by": None if by == NOBODY else story.names[by],
    }


def _plain_look(story: Story, look: Look) -> dict[str, Any]:
    found: dict[str, Any] = {
        "level": look.level,
        "stakes": story.plan.levels[look.level - 1].stakes.name,
        "round": look.round + 1,
        "time": in_minutes(story.plan, look.time),
        "hand": hand_text(story, look.hand),
        "left": look.left,
        "tables": look.tables,
        "average_stack": look.chips / look.left,
        "leaders": [story.names[player] for player in look.leaders],
        "largest_stack": look.stack,
    }
    seats = [{"seat": seat + 1, "name": story.names[one], "stack": stack} for seat, one, stack in look.seated]
    return found | ({"seats": seats} if seats else {})


def _plain_happening(story: Story, happening: Happening) -> dict[str, Any]:
    event = happening.event
    found: dict[str, Any] = {
        "kind": event.kind,
        "round": happening.round + 1,
        "level": happening.level,
        "time": in_minutes(story.plan, happening.time),
        "left": happening.left,
    }
    if event.table != NOBODY:
        found["table"] = event.table + 1
    if event.seat != NOBODY:
        found["seat"] = event.seat + 1
    if event.player != NOBODY:
        found |= {"player": story.names[event.player], "chips": event.amount}
    if event.kind == "out":
        found |= {"hand": hand_text(story, happening.hand), "by": _plain_out(story, happening)["by"]}
    if event.kind == "moved":
        table, seat = divmod(event.other, MAX_SEATS)
        found |= {"from_table": table + 1, "from_seat": seat + 1}
    if event.kind == "hand_for_hand":
        found["begins"] = bool(event.amount)
    return found


# A drawing


def stacks_over_time(scenario: Scenario, tournament: int, events: Sequence[TournamentEvent]) -> dict[str, Any]:
    """The stacks of the best placed players through a tournament, as plain data to be drawn.

    Times are minutes, or hands at each table where levels count these. A player has at most MOST_POINTS points of
    (time, stack), each a change, the first its starting stack and the last its end.
    """
    plan = plan_of(scenario)
    story = story_of(scenario, tournament, events)
    drawn = story.players[:MOST_DRAWN]
    lines: dict[int, list[tuple[int, int]]] = {one.number: [] for one in drawn}
    standing = Standing(plan)
    levels: list[tuple[int, int]] = []
    for event in events:
        standing.see(event)
        for time, player, stack in standing.changes:
            if player in lines and (not lines[player] or lines[player][-1][1] != stack):
                lines[player].append((time, stack))
        standing.changes.clear()
        if event.kind == "level":
            levels.append((event.amount, standing.time))
    for line in lines.values():
        if line[-1][1]:
            line.append((standing.time, line[-1][1]))
    return {
        "tournament": tournament,
        "scenario": scenario.name,
        "by_clock": plan.by_clock,
        "chips": standing.chips,
        "levels": [{"level": level, "from": in_minutes(plan, time)} for level, time in levels],
        "players": [_plain_line(plan, one, lines[one.number], standing.time) for one in drawn],
    }


def _plain_line(plan: Tournament, player: Finisher, line: Sequence[tuple[int, int]], end: int) -> dict[str, Any]:
    return {
        "name": player.name,
        "entrant": player.entrant,
        "place": [player.first, player.last],
        "prize": prize_text(plan, player.prize) if player.prize else "",
        "points": [[in_minutes(plan, time), stack] for time, stack in _thinned(line, end)],
    }


def _thinned(line: Sequence[tuple[int, int]], end: int) -> list[tuple[int, int]]:
    """At most MOST_POINTS of some points: the first, and of each equal part of all time the last."""
    if len(line) <= MOST_POINTS:
        return list(line)
    parts = MOST_POINTS - 1
    last_of = {min(parts - 1, time * parts // max(1, end)): (time, stack) for time, stack in line[1:]}
    return [line[0], *last_of.values()]
