"""Hands from a file, whichever format it is in: the content tells, not the name."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from razz_sim.history import fulltilt, pokerstars
from razz_sim.history.lines import PLAY, SEAT_NUMBER, SUMMARY
from razz_sim.history.phh import read_phh
from razz_sim.history.record import HistoryError, RecordedHand
from razz_sim.history.transcript import Header, Line, Transcript


@dataclass(frozen=True, slots=True)
class Room:
    """How one room's text is read: its first line, the line's meaning, every line after it."""

    starts: re.Pattern[str]
    header: Callable[[str, str, Line], Header | None]
    read_line: Callable[[Transcript, Line], None]


ROOMS = (
    Room(fulltilt.HEADER, fulltilt.header, fulltilt.read_line),
    Room(pokerstars.HEADER, pokerstars.header, pokerstars.read_line),
)


def read_hands(path: str | Path) -> list[RecordedHand]:
    """Every hand of a file, in order. Raises HistoryError at the first that cannot be read."""
    hands = []
    for hand in scan_hands(path):
        if isinstance(hand, HistoryError):
            raise hand
        hands.append(hand)
    return hands


def scan_hands(path: str | Path) -> list[RecordedHand | HistoryError]:
    """Every hand of a file, in order; one that cannot be read stands there as its error.

    Raises HistoryError when the file is not there, is in no known format or holds no hand of Razz.
    """
    try:
        return scan_bytes(Path(path).read_bytes(), str(path))
    except OSError as error:
        raise HistoryError(str(path), 0, f"cannot be read: {error.strerror}") from None


def scan_bytes(raw: bytes, file: str) -> list[RecordedHand | HistoryError]:
    """As `scan_hands`, from a file's content; `file` is what the errors call it."""
    return scan_text(_decode(raw), file)


def scan_text(text: str, file: str) -> list[RecordedHand | HistoryError]:
    """As `scan_bytes`, from a text."""
    lines = [Line(number, line.strip()) for number, line in enumerate(re.split(r"\r\n?|\n", text), start=1)]
    if any(room.starts.match(line.text) for line in lines for room in ROOMS):
        hands = _scan_room_text([line for line in lines if line.text], file)
        if not hands:
            raise HistoryError(file, 0, "no hand of Razz in it, though hands of other games")
        return hands
    if re.search(r"^\s*['\"]?(?:variant|actions|starting_stacks)['\"]?\s*=", text, re.MULTILINE):
        return read_phh(text, file)
    raise HistoryError(file, 0, "neither PHH nor a hand history of PokerStars or Full Tilt Poker")


def _decode(raw: bytes) -> str:
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return raw.decode("utf-16", errors="replace")
    try:
        return raw.decode("utf-8-sig").replace("\ufeff", "")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def _scan_room_text(lines: list[Line], file: str) -> list[RecordedHand | HistoryError]:
    """The hands of a room's text. What one hand tells of its stakes' bring-in helps where another does not."""
    started: list[Transcript | HistoryError] = []
    for block in _blocks(lines):
        started += _read_block(block, file)
    usual: dict[tuple[Decimal, Decimal, Decimal | None], Decimal] = {}
    for transcript in started:
        if isinstance(transcript, Transcript) and (told := transcript.full_bring_in()) is not None:
            usual.setdefault(transcript.stakes_key(), told)
    hands: list[RecordedHand | HistoryError] = []
    for transcript in started:
        if isinstance(transcript, HistoryError):
            hands.append(transcript)
            continue
        try:
            hands.append(transcript.hand(usual.get(transcript.stakes_key())))
        except HistoryError as error:
            hands.append(error)
    return hands


def _blocks(lines: list[Line]) -> list[list[Line]]:
    """The lines of each hand: from its first line, or where a summary ends and play goes on, to the next.

    Summaries tell of the seats in order, so a seat that comes too late is of the next hand.
    """
    blocks: list[list[Line]] = [[]]
    last_seat: int | None = None  # None outside summaries
    for line in lines:
        seat = SEAT_NUMBER.match(line.text)
        goes_on = last_seat is not None and (PLAY.match(line.text) or (seat and int(seat[1]) <= last_seat))
        if goes_on or any(room.starts.match(line.text) for room in ROOMS):
            blocks.append([])
            last_seat = None
        if SUMMARY.match(line.text):
            last_seat = 0
        elif seat and last_seat is not None:
            last_seat = int(seat[1])
        blocks[-1].append(line)
    return [block for block in blocks if block]


def _read_block(block: list[Line], file: str) -> list[Transcript | HistoryError]:
    """The hand of these lines; nothing for another game's hand or a page heading."""
    first = block[0]
    room = next((room for room in ROOMS if room.starts.match(first.text)), None)
    if room is None:
        play = [line for line in block if PLAY.match(line.text) or SEAT_NUMBER.match(line.text)]
        sentence = "a hand begins here, but its first line is missing"
        return [HistoryError(file, play[0].number, sentence)] if play else []
    try:
        header = room.header(first.text, file, first)
    except HistoryError as error:
        return [error]
    except ValueError as error:
        return [HistoryError(file, first.number, str(error))]
    if header is None:
        return []
    transcript = Transcript(file, header, first)
    for line in block[1:]:
        transcript.last = line
        try:
            room.read_line(transcript, line)
        except ValueError as error:
            transcript.broken = error if isinstance(error, HistoryError) else transcript.error(str(error), line)
            break
    return [transcript]
