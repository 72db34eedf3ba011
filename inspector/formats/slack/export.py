"""Exports of Slack: the zip, or separate files of its folder: days of channels, and users.

A zip becomes a conversation for each channel. In a folder, each day is read alone, and `link` joins them.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from inspector.formats.chat_logs.speakers import SpokenLog, left_out, with_roles, workspace_of_logs
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import SavedChat, in_line, workspace_of
from inspector.formats.slack.records import MACHINE, is_machine, is_person, is_record, is_said, name_of, read_record
from inspector.model import Character, Message, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import UnreadableError, as_text, items_of, pure_path, stem

DAY = re.compile(r"\d{4}-\d\d-\d\d(?:-\d+)?$")
"""The name of the file of a day, without its ending."""
PERSON, MACHINE_PERSON = "slack:", "slack:bot:"
"""The prefix of a character's id for a user, or a bot, until days are joined."""
_DIRECT = re.compile(r"D[A-Z0-9]{7,}$")
_PEOPLE = "users.json"
_PEEK = 2_000  # bytes


def sniff(source: FileSource) -> float:
    """Return how likely the file is an export of Slack, or a file of such an export."""
    try:
        if source.shape == "zip":
            return 0.95 if _holds_export(source) else 0.0
        if source.shape != "json" or source.raw_items is None:
            return 0.0
        first = source.first_items
    except UnreadableError:
        return 0.0
    if any(is_record(value) for value in first):
        return 0.95
    return 0.9 if first and all(is_person(value) for value in first) else 0.0


def _holds_export(source: FileSource) -> bool:
    archive = source.archive
    if not any(pure_path(name).name == _PEOPLE for name in archive.names):
        return False
    day = next((name for name in archive.names if _is_day(name)), "")
    return bool(day) and b'"ts"' in archive.peek(day, _PEEK)


def _is_day(name: str) -> bool:
    return name.endswith(".json") and DAY.match(stem(name)) is not None and len(pure_path(name).parts) > 1


def load(source: FileSource) -> Workspace:
    """Return the channels of a zip, a day of a channel, or the users.

    Raise UnreadableError if there are none of these.
    """
    notes = Notes(source.path)
    if source.shape == "zip":
        return _load_zip(source, notes)
    values = items_of(source.json)
    if any(is_record(value) for value in values):
        return _load_day(values, source, notes)
    people = tuple(_stand_in(value) for value in values if is_person(value))
    if not people:
        raise notes.unreadable("$", "expected messages or people of Slack, found none")
    notes.add("", f"names {len(people):,} people of Slack; their messages are in the folders beside it", "info")
    return Workspace(characters=_distinct(people), problems=tuple(notes.problems))


def _stand_in(person: Mapping[str, Any]) -> Character:
    begin = MACHINE_PERSON if is_machine(person) else PERSON
    return Character(begin + as_text(person["id"]), name=name_of(person))


def _distinct(people: Iterable[Character]) -> tuple[Character, ...]:
    return tuple({person.id: person for person in people}.values())


def _load_day(values: Sequence[Any], source: FileSource, notes: Notes) -> Workspace:
    """Return a day of a channel, named by its folder."""
    channel, day = pure_path(source.path).parent.name, stem(source.path)
    log = log_of(channel, list(_messages(values, {}, notes, "$")), set())
    log.notices = _notices(values)
    for remark in left_out([log]):
        notes.add("", remark, "info")
    nodes = in_line(with_roles(log))
    name = f"{channel}/{day}" if channel else day
    return workspace_of([SavedChat(nodes, next(reversed(nodes), None), "$", name)], source, notes)


def _messages(
    values: Sequence[Any], people: Mapping[str, str], notes: Notes, place: str
) -> Iterable[tuple[str, Message]]:
    for number, value in enumerate(values):
        if not is_record(value):
            notes.add(f"{place}[{number}]", "expected a message with type and ts; it was left out", "error")
        elif is_said(value):
            read = list(read_record(value, people))
            if not read and value.get("text") is None:
                notes.add(f"{place}[{number}].text", "expected text or files, found nothing; the message was left out")
            yield from ((f"{place}[{number}]", message) for message in read)


def _notices(values: Sequence[Any]) -> int:
    return sum(is_record(value) and not is_said(value) for value in values)


def _load_zip(source: FileSource, notes: Notes) -> Workspace:
    people: dict[str, str] = {}
    machines: set[str] = set()
    for name in source.archive.names:
        if pure_path(name).name == _PEOPLE:
            found = [value for value in _values(source, name, notes) if is_person(value)]
            people |= {as_text(person["id"]): name_of(person) for person in found}
            machines |= {name_of(person) for person in found if is_machine(person)}
    turns: dict[str, list[tuple[str, Message]]] = defaultdict(list)
    notices: dict[str, int] = defaultdict(int)
    for name in filter(_is_day, source.archive.names):
        day = Notes(f"{source.path}/{name}")
        values, channel = _values(source, name, notes), str(pure_path(name).parent)
        turns[channel] += _messages(values, people, day, "$")
        notices[channel] += _notices(values)
        notes.problems += day.problems
    notes.problems += source.archive.problems
    logs = [log_of(pure_path(channel).name, said, machines) for channel, said in turns.items() if said]
    if not logs:
        raise source.unreadable("", "expected an export of Slack with messages, found none")
    logs[0].notices = sum(notices.values())
    return workspace_of_logs(logs, source, notes)


def _values(source: FileSource, name: str, notes: Notes) -> tuple[Any, ...]:
    """Return the items of a member; an unreadable member is a problem."""
    try:
        member = source.member(name)
        with source.budget.lent(len(member.data), member.path, "it would take"):
            values = member.json
    except UnreadableError as error:
        notes.problems.append(error.problem)
        return ()
    notes.problems += member.problems
    if not isinstance(values, list):
        notes.problems.append(member.problem("$", "expected a list", "warning"))
    return items_of(values)


def log_of(channel: str, turns: Sequence[tuple[str, Message]], machines: set[str]) -> SpokenLog:
    """Return a channel with its turns in order of time; a private chat is named after its speakers."""
    times = [message.time for _, message in turns if message.time]
    ordered = list(turns)
    if len(times) == len(ordered):
        ordered = [turn for _, turn in sorted(zip(times, ordered, strict=True), key=lambda pair: pair[0])]
    written = {message.name for _, message in ordered if message.metadata.get(MACHINE)}
    log = SpokenLog(ordered, channel, channel, machines | written)
    if _DIRECT.match(channel):
        log.title = ", ".join(log.speakers)
    return log


FORMAT = Format(
    "slack", "Slack export", sniff, load, "an archive of channels by days, or messages with `ts` and `user`"
)
