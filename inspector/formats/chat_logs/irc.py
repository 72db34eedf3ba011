"""Logs of IRC: irssi, WeeChat, mIRC, HexChat, ZNC and bots, which all write `<nick> text` after a time of day.

A log gives dates in lines of their own, or before each time, or not at all: then the messages have no time, and the
time of day stays in `clock`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from inspector.formats.chat_logs.lines import LEVELS, first_lines, numbered_lines
from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import parse_time

_STAMP = (
    r"[\[(]?(?:(?P<date>\d{4}[-/.]\d\d[-/.]\d\d)[ T]|(?P<month>[A-Z][a-z]{2}) (?P<day>\d\d) )?"
    r"(?P<clock>\d\d:\d\d(?::\d\d)?)[\])]?"
)
_NAME = r"[ @+%&~!]?(?P<name>[^\s<>]{1,60})"
_SPOKEN = (
    re.compile(rf"{_STAMP}\s+<{_NAME}>[ \t]?(?P<text>.*)"),
    re.compile(rf"{_STAMP}\t(?P<name>[^\s<>-][^\s<>]{{0,60}})\t(?P<text>.*)"),
)
_ACTION = re.compile(rf"{_STAMP}\s+\*\s{_NAME} (?P<text>.*)")
_CAME_OR_WENT = re.compile(r"(?:\S+ )?(?:has (?:joined|left|quit)|(?:is|are) now known as|sets? mode|changes topic)\b")
_NOTICE = re.compile(rf"(?:{_STAMP}\s+)?(?:={{3}}|\*{{3}}|-!-|-{{2,3}}>?|<-{{1,2}}|\*\s)")
_DAY = re.compile(
    r"(?:-{3}|\*{4}|Session|={3}).*?\b(?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2}) (?:[\d:]{5,8} )?(?P<year>\d{4})"
)
_CHANNEL = re.compile(r"has joined (?:channel )?(#\S+)|Joins: \S+ .*?(#\S+)")
_SURE_FROM = 3  # lines
_HALF_A_DAY = timedelta(hours=12)


def sniff(source: FileSource) -> float:
    """Return how likely this is a log of IRC: most lines are spoken lines or notices."""
    lines = [line for line in first_lines(source) if line.strip()]
    said = [match for line in lines if (match := _said(line))]
    if not said or any(match["name"].upper() in LEVELS for match in said):
        return 0.0
    known = len(said) + sum(1 for line in lines if not _said(line) and _is_notice(line))
    if known < 0.8 * len(lines):
        return 0.0
    return 0.95 if len(said) >= _SURE_FROM else 0.6


def _said(line: str) -> re.Match[str] | None:
    """Return the match of a spoken line or an action."""
    for shape in _SPOKEN:
        if match := shape.match(line):
            return match
    action = _ACTION.match(line)
    return action if action and not _CAME_OR_WENT.search(action["text"]) else None


def _is_notice(line: str) -> bool:
    return _NOTICE.match(line) is not None or line.startswith("Session ")


def load(source: FileSource) -> Workspace:
    """Return the log as a conversation. Raise UnreadableError if there are no spoken lines."""
    notes = Notes(source.path)
    reader = _Reader()
    turns = [turn for number, line in numbered_lines(source) if line.strip() for turn in reader.read(number, line)]
    if not turns:
        raise notes.unreadable("", "expected lines such as [12:30] <name> text, found none")
    if reader.unknown:
        first, count = reader.unknown[0], len(reader.unknown)
        more = f", and so are {count - 1:,} more" if count > 1 else ""
        notes.add(f"line {first}", f"is neither said by anybody nor a notice; it was left out{more}")
    return workspace_of_logs([SpokenLog(turns, title=reader.channel, notices=reader.notices)], source, notes)


@dataclass(slots=True)
class _Reader:
    """The state at a line of a log: the day, the last time, the channel; and the lines without speech."""

    day: datetime | None = None
    last: datetime | None = None
    channel: str = ""
    notices: int = 0
    unknown: list[int] = field(default_factory=list)

    def read(self, number: int, line: str) -> Iterator[Turn]:
        """Yield the turn of a spoken line."""
        if said := _said(line):
            time = self._time(said)
            did = f"* {said['name']} {said['text']}" if said.re is _ACTION else said["text"]
            metadata = {} if time else {"clock": said["clock"]}
            yield f"line {number}", spoken(said["name"], did, time=time, metadata=metadata)
        elif _is_notice(line):
            self._take_notice(line)
        else:
            self.unknown.append(number)

    def _take_notice(self, line: str) -> None:
        self.notices += 1
        if found := _DAY.match(line):
            self.day = parse_time(f"{found['month']} {found['day']} {found['year']}") or self.day
            self.last = None
        if found := _CHANNEL.search(line):
            self.channel = self.channel or found[1] or found[2]

    def _time(self, said: re.Match[str]) -> datetime | None:
        """Return the time of a spoken line. If the clock runs back, a day has gone by."""
        if said["date"]:
            return parse_time(f"{re.sub('[/.]', '-', said['date'])}T{said['clock']}")
        if self.day is None:
            return None
        if said["month"]:
            return parse_time(f"{said['month']} {said['day']} {self.day.year} {said['clock']}")
        time = parse_time(f"{self.day:%Y-%m-%d}T{said['clock']}")
        if time and self.last and self.last - time > _HALF_A_DAY:
            self.day, time = _next_day(self.day), _next_day(time)
        self.last = time or self.last
        return time


def _next_day(time: datetime) -> datetime:
    try:
        return time + timedelta(days=1)
    except OverflowError:
        return time


FORMAT = Format("irc", "IRC log", sniff, load, "lines with a time and `<nick> text`")
