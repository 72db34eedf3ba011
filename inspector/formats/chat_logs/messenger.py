"""Exports of Messenger and Instagram (Meta's "download your information"), and of end-to-end encrypted Messenger chats.

By the files `messages/inbox/…/message_1.json` (`participants`, `messages` with `sender_name` and `timestamp_ms`, the
newest first) and those of Messenger's own export (`senderName`, `text`). Meta writes each byte of UTF-8 as a character
of its own (`Ã©` for é), which is undone here.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.content.media import made
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import surest, values_of
from inspector.model import Part, Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, items_of, mapping, objects, parse_time

_SENDERS, _TIMES = ("sender_name", "senderName"), ("timestamp_ms", "timestamp")
_MEDIA = {"photos": "image", "gifs": "image", "videos": "video", "audio_files": "audio", "media": "", "files": ""}
_BESIDE = ("share", "reactions", "call_duration", "missed", "is_unsent", "isUnsent")
_LOOKED_AT = 5


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a chat of Messenger or Instagram."""
    return surest(source, lambda value: 0.95 if _is_chat(value) else 0.0)


def _is_chat(value: Any) -> bool:
    fields = mapping(value)
    first = items_of(fields.get("messages"))[:_LOOKED_AT]
    return isinstance(fields.get("participants"), list) and any(map(_is_message, first))


def _is_message(value: Any) -> bool:
    return bool(_first(value, _SENDERS)) and as_number(mapping(value).get(_time_key(value))) is not None


def _time_key(value: Any) -> str:
    return next((key for key in _TIMES if key in mapping(value)), "")


def _first(value: Any, keys: tuple[str, ...]) -> str:
    return next((repaired(found) for key in keys if isinstance(found := mapping(value).get(key), str)), "")


def repaired(text: str) -> str:
    """Return a text whose bytes of UTF-8 were written as characters; any other as it is."""
    try:
        return as_text(text.encode("latin-1").decode())
    except (UnicodeEncodeError, UnicodeDecodeError):
        return as_text(text)


def _repaired_all(value: Any, depth: int = 4) -> Any:
    """Return a value with the texts inside of it repaired."""
    if isinstance(value, str):
        return repaired(value)
    if isinstance(value, Mapping) and depth:
        return {key: _repaired_all(one, depth - 1) for key, one in value.items()}
    return [_repaired_all(one, depth - 1) for one in value] if isinstance(value, list) and depth else value


def load(source: FileSource) -> Workspace:
    """Return a conversation for each chat. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    logs = [_log(value, notes, place) for place, value in values_of(source, notes) if _is_chat(value)]
    if not logs:
        raise notes.unreadable("$", "expected a chat with participants and messages of a sender, found none")
    return workspace_of_logs(logs, source, notes)


def _log(chat: Mapping[str, Any], notes: Notes, place: str) -> SpokenLog:
    id_ = as_text(chat.get("thread_path")).rpartition("/")[2]
    log = SpokenLog([], id_, _first(chat, ("title", "threadName")), place=place)
    found: list[tuple[float, Turn]] = []
    for number, record in enumerate(chat["messages"]):
        at = f"{place}.messages[{number}]"
        if _is_message(record):
            turn = _turn(record, at)
            if turn[1].content or turn[1].parts:
                found.append((as_number(record[_time_key(record)]) or 0.0, turn))
            else:
                log.notices += 1
        else:
            notes.add(at, "expected a message with its sender and time; it was left out", "error")
    found.reverse()  # the newest comes first
    log.turns = [turn for _, turn in sorted(found, key=lambda pair: pair[0])]
    log.other = log.title if len(chat["participants"]) == 2 else ""
    return log


def _turn(record: Mapping[str, Any], place: str) -> Turn:
    text = _first(record, ("content", "text"))
    shared = _first(record.get("share"), ("link", "share_text"))
    metadata = {key: _repaired_all(record[key]) for key in _BESIDE if record.get(key)}
    said = "\n".join(dict.fromkeys(filter(None, (text, shared if shared not in text else ""))))
    time = parse_time(record.get(_time_key(record)))
    name = _first(record, _SENDERS)
    return place, spoken(name, said, time=time, media=_media(record), metadata=metadata)


def _media(record: Mapping[str, Any]) -> Iterator[Part]:
    """Yield the media of a record, which lie beside the file."""
    for key, kind in _MEDIA.items():
        for one in objects(record.get(key)):
            yield made(kind, address=_first(one, ("uri",)))
    if sticker := _first(record.get("sticker"), ("uri",)):
        yield made("image", address=sticker)


FORMAT = Format(
    "messenger",
    "Messenger or Instagram export",
    sniff,
    load,
    "`participants` and `messages` with `sender_name` and `timestamp_ms`",
    beside=("content", "text", "title", "threadName", "participants", "reactions", "share"),  # repaired
)
