"""The chats that Snapchat exports (My Data with "Export JSON files"): `chat_history.json`, in all of its layouts.

Since 2023 the file has a list for each chat, by the name of the other side or the id of a group; before that it had
`Received Saved Chat History`, `Sent Saved Chat History` and the same of unsaved messages, where sent ones name only
their receiver. The layouts are those that nillaiice/snaparser (`parser`) and chirag-panjabi/open-chat-exporter
(`src/adapters/snapchat`) read. Text that nobody saved is not in the file.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.content.media import made
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.paths import has_marks, word_at
from inspector.formats.saved_chats import first_values, values_of
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.values import as_text, mapping, parse_time

_MARKS = ("Media Type", "Created|Created(microseconds)", "From|To")
_TEXT = ("Content", "Text")
_TIME = ("Created(microseconds)", "Created")
_BY_DIRECTION = ("Received ", "Sent ", "Chat ", "messages")
"""Beginnings of keys that name no chat."""
_OWNER = "You"
"""The owner of the export, whom the older layouts do not name."""
_MEDIA = {"IMAGE": "image", "VIDEO": "video", "NOTE": "audio", "VOICE": "audio"}
_NOTICES = ("STATUS", "SYSTEM")
_LOOKED_AT = 8


class _Record(NamedTuple):
    """A record: its place, the key of its list, and its fields."""

    place: str
    key: str
    value: Any

    @property
    def chat(self) -> str:
        """The name of its chat."""
        title, sides = word_at(self.value, ("Conversation Title",)), (self._word("From"), self._word("To"))
        if self.key and not self.key.startswith(_BY_DIRECTION):
            return self.key
        return title or ", ".join(sorted(filter(None, sides)))

    @property
    def is_sent(self) -> bool:
        """Whether the owner of the export sent it."""
        told = mapping(self.value).get("IsSender", mapping(self.value).get("isSender"))
        return told if isinstance(told, bool) else self.key.startswith("Sent ")

    @property
    def speaker(self) -> str:
        """The name of its sender."""
        if self.is_sent and self.key.startswith("Sent "):
            return _OWNER
        return self._word("From") or (_OWNER if self.is_sent else "")

    def _word(self, key: str) -> str:
        return word_at(self.value, (key,))


def sniff(source: FileSource) -> float:
    """Return how likely the file holds chats of Snapchat."""
    try:
        records = [one for value in first_values(source) for one in _records("", value)]
    except UnreadableError:
        return 0.0
    return 0.95 if any(has_marks(one.value, _MARKS) for one in records[:_LOOKED_AT]) else 0.0


def load(source: FileSource) -> Workspace:
    """Return a conversation for each chat. Raise UnreadableError if no message is there."""
    notes = Notes(source.path)
    logs: dict[str, SpokenLog] = {}
    unsaved = 0
    for record in (one for place, value in values_of(source, notes) for one in _records(place, value)):
        log = logs.setdefault(record.chat, SpokenLog([], record.chat, _title(record), place=record.place))
        if is_notice(record.value):
            log.notices += 1
        elif _is_unsaved(record.value):
            unsaved += 1
        elif turn := _turn(record, notes):
            log.turns.append(turn)
    found = [log for log in logs.values() if log.turns]
    if not found:
        raise notes.unreadable("$", "expected messages with From, Media Type and Created, found none")
    if unsaved:
        notes.add("", f"{unsaved:,} messages have no text, since nobody saved them; they were left out", "info")
    found[0].notices += sum(log.notices for log in logs.values() if not log.turns)
    for log in found:
        log.turns.sort(key=_moment)
        log.other = log.id
    return workspace_of_logs(found, source, notes)


def is_notice(value: Any) -> bool:
    """Return whether a record is a notice of Snapchat itself."""
    return word_at(value, ("Type", "Media Type")).upper().startswith(_NOTICES)


def _records(place: str, value: Any) -> Iterator[_Record]:
    """Yield the records of a value: those of its lists, or itself."""
    lists = [(key, held) for key, held in mapping(value).items() if isinstance(held, list)]
    for key, held in lists if not has_marks(value, _MARKS) else ():
        yield from (_Record(f"{place}.{key}[{number}]", key, one) for number, one in enumerate(held))
    if has_marks(value, _MARKS) or not lists:
        yield _Record(place, "", value)


def _title(record: _Record) -> str:
    return word_at(record.value, ("Conversation Title",)) or record.chat


def _is_unsaved(value: Any) -> bool:
    """Return whether a record is a text that Snapchat did not keep."""
    fields = mapping(value)
    is_text = as_text(fields.get("Media Type")).upper() == "TEXT"
    return is_text and fields.get("IsSaved") is False and not word_at(value, _TEXT)


def _turn(record: _Record, notes: Notes) -> Turn | None:
    kind, text = word_at(record.value, ("Media Type",)).upper(), word_at(record.value, _TEXT)
    is_medium = bool(kind) and kind != "TEXT"
    if not isinstance(record.value, Mapping) or not (text or is_medium):
        notes.add(record.place, "expected a text at Content or Text, found nothing; the message was left out", "error")
        return None
    if not record.speaker:
        notes.add(f"{record.place}.From", "expected the name of the speaker, found nothing")
    name = word_at(record.value, ("Media IDs",))
    media = [made(_MEDIA.get(kind, ""), name=name or kind.lower())] if is_medium else []
    time = next((time for key in _TIME if (time := parse_time(record.value.get(key)))), None)
    about = {"kind": kind.lower()} if is_medium else {}
    return record.place, spoken(record.speaker, text, time=time, media=media, metadata=about)


def _moment(turn: Turn) -> float:
    return turn[1].time.timestamp() if turn[1].time else 0.0


FORMAT = Format(
    "snapchat",
    "Snapchat export",
    sniff,
    load,
    "lists of messages with `From`, `Media Type` and `Created`",
    beside=("Media IDs", "Media Type", "Conversation Title"),
    unsent=is_notice,
)
