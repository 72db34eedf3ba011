"""Chats that WhatsApp exported: `_chat.txt` of an iPhone, `WhatsApp Chat with ….txt` of Android.

A line begins with a date and a time as the phone's country writes them; lines without a date continue the message
before. Whether day or month comes first is derived from the whole file. Lines that begin with a left-to-right mark, or
have no name, were written by the application.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

from inspector.formats.chat_logs.lines import LEVELS, first_lines, numbered_lines
from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.content.media import made
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import pure_path

_MARKS = "\u200e\u200f\u202a\u202b\u202c\ufeff"
_SPACE = "[ \u00a0\u202f]"
_DATE = r"(?P<first>\d{1,4})(?P<sign>[./-])(?P<second>\d{1,2})(?P=sign)(?P<third>\d{2,4})\.?"
_EARLY, _LATE = ("上午", "午前", "오전"), ("下午", "午後", "오후")
_CLOCK = (
    rf"(?P<before>{'|'.join((*_EARLY, *_LATE))})?{_SPACE}?(?P<hour>\d{{1,2}})[:.](?P<minute>\d\d)"
    rf"(?P<seconds>[:.]\d\d)?(?:{_SPACE}?(?P<half>[AaPp])\.?{_SPACE}?[Mm]\b\.?)?"
)
_SHAPES = (
    re.compile(rf"[{_MARKS}]*\[{_DATE}(?P<comma>,?){_SPACE}{_CLOCK}\]{_SPACE}(?P<rest>.*)"),
    re.compile(rf"[{_MARKS}]*{_DATE}(?P<comma>,?){_SPACE}{_CLOCK} - (?P<rest>.*)"),
)
_SPOKEN = re.compile(rf"[~{_MARKS}{_SPACE[1:-1]}]*(?P<name>[^:\n\"“„]{{1,80}}?)[{_MARKS}]*: ?(?P<text>.*)")
_FILE = re.compile(r"(?P<caption>.*?) ?\u200e<[^<>:]{1,30}: ?(?P<sent>[^<>/]{1,200})>$")
_FILE_BEFORE = re.compile(rf"(?P<caption>)[{_MARKS}]*(?P<sent>\S{{1,200}}\.\w{{2,5}}) \([^()]{{1,60}}\)$")
_OMITTED = re.compile(
    rf"[{_MARKS}]*(?:<(?=[^<>]*(?: |[^\x00-\x7f]))[^<>]{{1,40}}>|(?:image|video|audio|sticker|GIF|document) omitted)$"
)
_EDITED = re.compile(rf"[ {_MARKS}]*<This message was edited>$")
_PICTURES = ("jpg", "jpeg", "png", "webp", "gif", "mp4", "mov", "3gp", "opus", "ogg", "m4a", "mp3", "aac")
_SURE_FROM = 2  # messages


@dataclass(slots=True)
class _Entry:
    """A line with a date: its number, its match, and its continuation lines."""

    line: int
    match: re.Match[str]
    more: list[str]


def sniff(source: FileSource) -> float:
    """Return how likely WhatsApp wrote this: the first line has a WhatsApp date, and there are named speakers."""
    lines = [line for line in first_lines(source) if line.strip(f" {_MARKS}")]
    if not lines or _entry(lines[0]) is None:
        return 0.0
    matches = [match for line in lines if (match := _entry(line))]
    names = [said["name"] for match in matches if (said := _SPOKEN.match(match["rest"]))]
    if not names or any(name.strip().upper() in LEVELS for name in names):
        return 0.0
    return 0.95 if len(names) >= _SURE_FROM else 0.6


def _entry(line: str) -> re.Match[str] | None:
    """Return the match of a line that begins a message. Brackets around 2023-03-12 10:15:30 are those of other logs."""
    bracketed = _SHAPES[0].match(line)
    if bracketed and (bracketed["comma"] or bracketed["sign"] != "-"):
        return bracketed
    plain = _SHAPES[1].match(line)
    return plain if plain and not plain["seconds"] else None


def load(source: FileSource) -> Workspace:
    """Return the chat as a conversation. Raise UnreadableError if there are no spoken lines."""
    notes = Notes(source.path)
    entries = _entries(source, notes)
    order = _order([_numbers(entry.match) for entry in entries])
    log = SpokenLog([], title=_title(source.path))
    for entry in entries:
        if (turn := _turn(entry, order, notes)) is None:
            log.notices += 1
        else:
            log.turns.append(turn)
    if not log.turns:
        raise notes.unreadable("", "expected lines such as 12/03/2023, 10:15 - name: text, found none")
    return workspace_of_logs([log], source, notes)


def _title(path: str) -> str:
    """Return the name of the file, or of its archive if the file has the fixed name `_chat`."""
    place = pure_path(path)
    return place.parent.stem if place.stem == "_chat" else place.stem


def _entries(source: FileSource, notes: Notes) -> list[_Entry]:
    entries: list[_Entry] = []
    for number, line in numbered_lines(source):
        if match := _entry(line):
            entries.append(_Entry(number, match, []))
        elif entries:
            entries[-1].more.append(line)
        elif line.strip():
            notes.add(f"line {number}", "expected a date and a time; it was left out")
    return entries


def _turn(entry: _Entry, order: str, notes: Notes) -> Turn | None:
    """Return a spoken message, None for a notice of the application."""
    said = _SPOKEN.match(entry.match["rest"])
    place = f"line {entry.line}"
    if said is None:
        return None
    first, rest = said["text"].rstrip(), "\n".join(entry.more).rstrip()
    name = said["name"].strip(f" {_MARKS}\u00a0\u202f")
    time = _time(entry.match, order)
    if time is None:
        notes.add(place, f"expected a date and a time, found {entry.match[0][:24].strip(_MARKS)!r}; it has none here")
    file = _FILE.match(first) or _FILE_BEFORE.match(first)
    if file:
        is_seen = file["sent"].rpartition(".")[2].lower() in _PICTURES
        media = [made("", name=file["sent"])] if is_seen else []
        text = "\n".join(filter(None, (file["caption"].strip(_MARKS), rest)))
        return place, spoken(name, text, time=time, media=media, metadata={"files": [file["sent"]]})
    if _OMITTED.match(first):
        return place, spoken(name, rest, time=time, media=[made("image")])
    if first.startswith(_MARKS[0]) or not name:
        return None
    return place, spoken(name, _EDITED.sub("", f"{first}\n{rest}".strip()), time=time)


def _numbers(match: re.Match[str]) -> tuple[int, int, int]:
    return int(match["first"]), int(match["second"]), int(match["third"])


def _order(dates: Sequence[tuple[int, int, int]]) -> str:
    """Return the order in which a file writes day, month and year, as three letters.

    If no day is beyond 12, it is the order in which the dates ascend best; in a tie, the order of most countries.
    """
    if any(first > 31 for first, _, _ in dates):
        return "ymd"
    if any(first > 12 for first, _, _ in dates):
        return "dmy"
    if any(second > 12 for _, second, _ in dates):
        return "mdy"
    return min(("dmy", "mdy"), key=lambda order: _steps_back(dates, order))


def _steps_back(dates: Sequence[tuple[int, int, int]], order: str) -> int:
    days = [(date[2], date[order.index("m")], date[order.index("d")]) for date in dates]
    return sum(later < earlier for earlier, later in pairwise(days))


def _time(match: re.Match[str], order: str) -> datetime | None:
    part = dict(zip(order, _numbers(match), strict=True))
    hour = int(match["hour"])
    late = (match["half"] or "").lower() == "p" or match["before"] in _LATE
    if match["half"] or match["before"]:
        hour = hour % 12 + (12 if late else 0)
    year = part["y"] + (2000 if part["y"] < 100 else 0)
    seconds = int((match["seconds"] or "00")[-2:])
    try:
        return datetime(year, part["m"], part["d"], hour, int(match["minute"]), seconds, tzinfo=UTC)
    except ValueError:
        return None


FORMAT = Format("whatsapp", "WhatsApp chat", sniff, load, "lines with a date, a time and `Name: text`")
