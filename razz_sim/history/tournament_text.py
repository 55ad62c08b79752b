"""The story of a tournament for people: as a report in full where few play, else what decides it.

Tables and seats are told from 1, as the texts of hands do; a hand as its place is written, T:H.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from razz_sim.hand.record import NOBODY
from razz_sim.history.tournaments import BUYS, Finisher, Happening, Look, Story, hand_text, prize_text
from razz_sim.rules import MAX_SEATS, MIN_SEATS

MOST_IN_FULL = 24
"""Players of a tournament that is told in full without being asked for it."""
MOST_PLACES = 30
MOST_TABLES = 16
"""Of a round of a shootout or bracket that are told one by one without being asked for."""
MOST_NAMED = 3
_WIDTH = 116
_MINUTE = 60_000


def write_story(story: Story, *, title: str, everything: bool = False) -> str:
    """A tournament in words: all that happened; where many play its levels, the bubble, the final table, the prizes."""
    writer = _Writer(story, everything)
    parts = [writer.opening(title)]
    if story.plan.kind != "tables":
        parts += writer.rounds()
    elif everything or story.plan.field <= MOST_IN_FULL:
        parts += writer.course()
    else:
        parts += [writer.levels(), writer.bubble(), writer.final_table()]
    parts.append(writer.places())
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


@dataclass(frozen=True, slots=True)
class _Writer:
    story: Story
    everything: bool

    # The opening

    def opening(self, title: str) -> list[str]:
        """Who plays for what, and how it ended."""
        story, plan = self.story, self.story.plan
        where = "at one table" if plan.tables == 1 else f"at {plan.tables:,} tables of up to {plan.seats}"
        where = "heads-up" if plan.kind == "bracket" else where
        buy_in = f"buy-in {prize_text(plan, plan.prize)} + {prize_text(plan, plan.fee)}"
        lines = [f"{title}: {plan.field:,} players {where}, {plan.stack:,} chips each, {buy_in}"]
        bought = [f"{times:,} {BUYS[kind]}" for kind, times in story.bought.items() if times]
        pool = prize_text(plan, sum(one.prize for one in story.players))
        prizes = f"prizes of {pool} for {counted(len(story.paid), 'player')}" if story.paid else "no prizes"
        lines.append(f"{listed(bought)}; {prizes}" if bought else prizes)
        return [*lines, *self.wrapped(f"{self.won()} after {self.length()}", "")]

    def won(self) -> str:
        """Who won, or who shares the first places."""
        winners = [one.name for one in self.story.players if one.first == 1]
        if len(winners) == 1:
            return f"won by {winners[0]}"
        return f"over with {len(winners):,} players left who share the first places: {self.named(winners)}"

    def length(self) -> str:
        """How long it took."""
        story = self.story
        level = next(look.level for look in reversed(story.looks))
        hands = f"{counted(story.hands, 'hand')}{'' if story.plan.tables == 1 else ' at all tables together'}"
        return f"{self.clock(story.time)}{', ' if story.plan.by_clock else ''}{hands}, at level {level}"

    def clock(self, time: int) -> str:
        """A time in hours and minutes; nothing where levels count hands."""
        return f"{time // (60 * _MINUTE)}:{time // _MINUTE % 60:02}" if self.story.plan.by_clock else ""

    def after(self, time: int) -> str:
        """When a level began: at a time, or after so many hands."""
        if self.story.plan.by_clock:
            return f"at {self.clock(time)}"
        each = "" if self.story.plan.tables == 1 else " at each table"
        return f"after {counted(time, 'hand')}{each}"

    # All that happens, where tables are balanced

    def course(self) -> list[list[str]]:
        """What happened, level by level."""
        parts: list[list[str]] = []
        waiting: list[str] = []
        for one in self.grouped():
            if isinstance(one, Look):
                parts.append([*self.wrapped(self.heading(one), ""), *waiting])
                waiting = []
            elif not parts:
                waiting += self.told(one)
            else:
                parts[-1] += self.told(one)
        return parts

    def heading(self, look: Look) -> str:
        """A level and how the tournament stands at its first hand."""
        stakes = self.story.plan.levels[look.level - 1].stakes
        played = f"Level {look.level}, {stakes.small_bet:,}/{stakes.big_bet:,}, ante {stakes.ante:,}"
        when = f", {self.after(look.time)}" if look.time or self.story.plan.by_clock else ""
        return f"{played}{when}: {self.standing(look)}"

    def standing(self, look: Look) -> str:
        """Who is left, with how much, and who leads."""
        average = f"{look.chips // look.left:,} chips"
        tables = "" if look.tables == 1 else f" at {look.tables:,} tables"
        if len(look.leaders) == look.left:
            return f"{look.left:,} players{tables} with {average} each"
        return f"{look.left:,} players{tables} with {average} on average, {self.leader(look)}"

    def leader(self, look: Look) -> str:
        """Who has most."""
        lead = "lead" if len(look.leaders) > 1 else "leads"
        return f"{self.named(self.names(look.leaders))} {lead} with {look.stack:,}"

    def names(self, players: Iterable[int]) -> list[str]:
        """The names of players."""
        return [self.story.names[player] for player in players]

    def grouped(self) -> Iterator[Look | list[Happening]]:
        """What happened one after another; a table that is broken with all who move from it, add-ons together."""
        group: list[Happening] = []
        for one in self.story.course:
            if isinstance(one, Happening) and group and _goes_with(group[0], one):
                group.append(one)
                continue
            if group:
                yield group
            group = []
            if isinstance(one, Look):
                yield one
            elif one.event.kind != "round":
                group = [one]
        if group:
            yield group

    def told(self, group: Sequence[Happening]) -> list[str]:
        """Lines on something that happened, with the time."""
        sentence = self.sentence(group)
        clock = self.clock(group[0].time)
        return self.wrapped(f"{clock:>5}  {sentence}" if clock else sentence) if sentence else []

    def sentence(self, group: Sequence[Happening]) -> str:
        event, kind = group[0].event, group[0].event.kind
        name = self.story.names[event.player] if event.player != NOBODY else ""
        if kind == "out":
            return self.out(group[0])
        if kind == "seated":
            seats = [f"{self.story.names[one.event.player]} in seat {one.event.seat + 1}" for one in group]
            return f"table {event.table + 1}: {', '.join(seats)}" if self.everything else ""
        if kind == "moved":
            return f"{name} moves from table {event.other // MAX_SEATS + 1} to {_seat(group[0])}"
        if kind == "broken":
            moves = [f"{self.story.names[one.event.player]} to {_seat(one)}" for one in group[1:]]
            return f"table {event.table + 1} is broken: {'; '.join(moves)}"
        if kind == "rebuy":
            return f"{name} rebuys {event.amount:,} chips{self.lost(group[0])}"
        if kind == "reentry":
            return f"{name} re-enters at {_seat(group[0])}{self.lost(group[0])}"
        if kind == "addon":
            takers = [self.story.names[one.event.player] for one in group]
            take = "takes" if len(takers) == 1 else "take"
            return f"{', '.join(takers)} {take} the add-on of {event.amount:,} chips"
        return f"hand-for-hand play {'begins' if event.amount else 'ends'}"

    def lost(self, one: Happening) -> str:
        """The hand after which somebody bought chips."""
        return f" (hand {hand_text(self.story, one.hand)})"

    def out(self, one: Happening) -> str:
        """Who is out where, to whom, in which hand."""
        event = one.event
        player = next(each for each in self.story.players if each.number == event.player)
        table = "" if self.story.plan.tables == 1 else f"table {event.table + 1}, "
        where = f"({table}hand {hand_text(self.story, one.hand)})"
        return f"{player.name} is out, {places_text(player)}{self.with_prize(player)}: {self.to_whom(one)} {where}"

    def with_prize(self, player: Finisher) -> str:
        return f" for {prize_text(self.story.plan, player.prize)}" if player.prize else ""

    def to_whom(self, one: Happening) -> str:
        """The last stack and who took it."""
        stack = f"{one.event.amount:,} chips"
        if one.event.other == NOBODY:
            return f"{stack} lost by an error of its strategy"
        return f"{stack} to {self.story.names[one.event.other]}"

    # In short

    def levels(self) -> list[str]:
        """A line for each level."""
        when = "time" if self.story.plan.by_clock else "hands"
        rows = [["level", "bets", "ante", when, "left", "tables", "average", "largest", "chip leader"]]
        for look in self.story.looks:
            stakes = self.story.plan.levels[look.level - 1].stakes
            rows.append(
                [
                    str(look.level),
                    f"{stakes.small_bet:,}/{stakes.big_bet:,}",
                    f"{stakes.ante:,}",
                    self.clock(look.time) or f"{look.time:,}",
                    f"{look.left:,}",
                    f"{look.tables:,}",
                    f"{look.chips // look.left:,}",
                    f"{look.stack:,}",
                    "-" if len(look.leaders) == look.left else self.named(self.names(look.leaders)),
                ]
            )
        return aligned(rows, left=(8,))

    def bubble(self) -> list[str]:
        """Who was the last without a prize, and how play went on before."""
        bubble = self.story.bubble
        if not bubble or not self.story.paid:
            return []
        lines = ["The bubble"]
        for one in self.story.happenings:
            if one.event.kind == "hand_for_hand":
                begins = "begins" if one.event.amount else "ends"
                left = f", {one.left:,} players left" if one.event.amount else ""
                lines.append(f"  hand-for-hand play {begins} {self.after(one.time)}, in level {one.level}{left}")
        return lines + self.eliminations([one.out for one in reversed(bubble) if one.out is not None])

    def final_table(self) -> list[str]:
        """Who came there with how much, and who went out in which order."""
        final = self.story.final_table
        if final is None:
            return []
        when = f"{self.after(final.time)}, in level {final.level}"
        lines = [f"The final table, {when}, from hand {hand_text(self.story, final.hand)} on"]
        rows = [[f"seat {seat + 1}", self.story.names[one], f"{stack:,}"] for seat, one, stack in final.seated]
        lines += aligned(rows, left=(0, 1))
        outs = [one for one in self.story.outs if one.hand >= final.hand]
        return [*lines, "", *self.eliminations(outs)]

    def eliminations(self, outs: Iterable[Happening]) -> list[str]:
        """A row for each who went out."""
        finishers = {one.number: one for one in self.story.players}
        rows = []
        for one in outs:
            player = finishers[one.event.player]
            clock = [self.clock(one.time)] if self.story.plan.by_clock else []
            rows.append(
                [
                    *clock,
                    places_text(player),
                    player.name,
                    self.to_whom(one),
                    f"table {one.event.table + 1}",
                    f"level {one.level}",
                    f"hand {hand_text(self.story, one.hand)}",
                ]
            )
        return aligned(rows, left=range(7))

    # Rounds

    def rounds(self) -> list[list[str]]:
        """What a shootout or bracket comes to, table by table."""
        starts = [one for one in self.story.happenings if one.event.kind == "round"]
        return [self.round(one, last=one is starts[-1]) for one in starts]

    def round(self, start: Happening, *, last: bool) -> list[str]:
        """A round: each table in the order of its finish."""
        here = [one for one in self.story.happenings if one.round == start.round]
        tables: dict[int, list[str]] = {}
        for one in here:
            if one.event.kind == "seated":
                tables.setdefault(one.event.table, []).append(self.story.names[one.event.player])
        outs: dict[int, list[Happening]] = {table: [] for table in tables}
        for one in here:
            if one.event.kind == "out":
                outs[one.event.table].append(one)
        lines = [self.round_heading(start, tables)]
        if len(tables) > MOST_TABLES and not self.everything:
            hands = [self.story.hands_at[table] for table in tables]
            return [*lines, f"  from {min(hands):,} to {max(hands):,} hands at a table"]
        for table, names in tables.items():
            if last and len(names) > MIN_SEATS and len(tables) == 1:
                winner = self.winner(names, outs[table])
                lines.append(f"  {self.at_table(table, outs[table])}: won by {winner}")
                return [*lines, *self.eliminations(outs[table])]
            lines += self.wrapped(self.table(table, names, outs[table]))
        return lines

    def round_heading(self, start: Happening, tables: dict[int, list[str]]) -> str:
        seated = sum(map(len, tables.values()))
        begins = f", {self.after(start.time)}" if self.story.plan.by_clock else ""
        heading = f"Round {start.round + 1}{begins}: {counted(seated, 'player')} at {counted(len(tables), 'table')}"
        free = start.left - seated
        return f"{heading}; {free:,} more {'goes' if free == 1 else 'go'} on without playing" if free else heading

    def table(self, table: int, names: Sequence[str], outs: Sequence[Happening]) -> str:
        """Who won a table, then who went out, the last first, with level and hand."""
        winner = self.winner(names, outs)
        if len(names) == 1:
            return f"table {table + 1}: {winner} goes on without playing"
        lost = [
            f"{self.story.names[one.event.player]} (level {one.level}, {hand_text(self.story, one.hand)})"
            for one in reversed(outs)
        ]
        verb = "beats" if len(names) == MIN_SEATS else "wins before"
        return f"{self.at_table(table, outs)}: {winner} {verb} {', '.join(lost)}"

    def winner(self, names: Sequence[str], outs: Sequence[Happening]) -> str:
        """Who of those at a table is not out."""
        gone = {self.story.names[one.event.player] for one in outs}
        return next(name for name in names if name not in gone)

    def at_table(self, table: int, outs: Sequence[Happening]) -> str:
        """A table, how long it played and until when."""
        until = f", until {self.clock(outs[-1].time)}" if self.story.plan.by_clock else ""
        return f"table {table + 1}, {counted(self.story.hands_at[table], 'hand')}{until}"

    # The end

    def places(self) -> list[str]:
        """Places with their prizes: everybody's, or those that are paid."""
        story = self.story
        whole = self.everything or story.plan.field <= MOST_IN_FULL or not story.paid
        shown = story.players if whole else story.paid
        rows: list[list[str]] = []
        groups = _by_place(shown)
        most = len(groups) if self.everything else MOST_PLACES
        for group in groups[:most]:
            names = [f"{one.name}{bought_text(one)}" for one in group]
            rows.append([places_text(group[0]), self.prizes(group), ", ".join(names)])
        lines = ["The places" if whole else "The places paid"]
        for row, names in zip(aligned([row[:2] for row in rows], left=(0,)), rows, strict=True):
            lines += wrap(names[2], _WIDTH, initial_indent=f"{row}  ", subsequent_indent=" " * (len(row) + 2))
        left = sum(map(len, groups[most:]))
        return [*lines, f"  and {counted(left, 'player')} more: --all tells of them"] if left else lines

    def prizes(self, group: Sequence[Finisher]) -> str:
        amounts = sorted({one.prize for one in group})
        if not amounts[-1]:
            return "-"
        texts = [prize_text(self.story.plan, amount) for amount in amounts]
        return f"{' or '.join(texts)}{' each' if len(group) > 1 else ''}"

    def named(self, names: Sequence[str]) -> str:
        """Names, or the first of many."""
        if len(names) <= MOST_NAMED or (self.everything and len(names) <= MAX_SEATS):
            return listed(names)
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED:,} more"

    def wrapped(self, text: str, indent: str = "  ") -> list[str]:
        hang = " " * 9 if self.story.plan.by_clock and indent else f"{indent}  "
        return wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=hang, break_on_hyphens=False)


def _goes_with(first: Happening, one: Happening) -> bool:
    """Whether something that happened is told in one sentence with what came first."""
    if (first.time, first.event.kind) == (one.time, "broken"):
        return one.event.kind == "moved" and one.event.other // MAX_SEATS == first.event.table
    together = one.event.kind == first.event.kind and one.time == first.time
    if first.event.kind == "addon":
        return together
    return together and first.event.kind == "seated" and one.event.table == first.event.table


def _seat(one: Happening) -> str:
    return f"table {one.event.table + 1}, seat {one.event.seat + 1}"


def _by_place(players: Sequence[Finisher]) -> list[list[Finisher]]:
    """Players who share their places together."""
    groups: dict[tuple[int, int], list[Finisher]] = {}
    for one in players:
        groups.setdefault((one.first, one.last), []).append(one)
    return list(groups.values())


def bought_text(player: Finisher) -> str:
    """What a player bought after the start: ` (2 rebuys, 1 add-on)`."""
    bought = [
        counted(times, BUYS[kind][:-3] + "y" if kind == "reentry" else BUYS[kind][:-1])
        if times == 1
        else f"{times} {BUYS[kind]}"
        for kind, times in player.bought.items()
        if times
    ]
    return f" ({', '.join(bought)})" if bought else ""


def counted(number: int, what: str) -> str:
    """
    >>> counted(1, "hand"), counted(1200, "hand")
    ('1 hand', '1,200 hands')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def listed(texts: Sequence[str]) -> str:
    """
    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return f"{', '.join(texts[:-1])} and {texts[-1]}" if len(texts) > 1 else "".join(texts)


def ordinal(number: int) -> str:
    """
    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 21, 1003)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '1,003rd']
    """
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"


def places_text(player: Finisher) -> str:
    """The place of a player, or those that it shares: `5th`, `5th to 8th`."""
    first = ordinal(player.first)
    return first if player.first == player.last else f"{first} to {ordinal(player.last)}"


def aligned(rows: Sequence[Sequence[str]], left: Iterable[int] = ()) -> list[str]:
    """Rows of a table in columns, to the right but for those named."""
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    to_left = set(left)
    return [
        (
            "  "
            + "  ".join(
                text.ljust(width) if column in to_left else text.rjust(width)
                for column, (text, width) in enumerate(zip(row, widths, strict=True))
            )
        ).rstrip()
        for row in rows
    ]
