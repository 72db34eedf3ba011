"""Exports of Telegram Desktop: `result.json` of a single chat, or of all of them.

In a chat with a bot, the bot is the assistant; in a private chat, the other side is assumed to be, as the chat bears
their name.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.content.media import made
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import surest, values_of
from inspector.model import Part, Workspace
from inspector.reading.media_sizes import MediaSize
from inspector.reading.source import FileSource
from inspector.reading.values import as_number, as_text, as_whole, items_of, mapping, parse_time

_KINDS = {
    *("personal_chat", "bot_chat", "saved_messages", "private_group", "private_supergroup", "public_supergroup"),
    *("private_channel", "public_channel", "verification_codes", "replies"),
}
_LISTS = ("chats", "left_chats")
_NO_PICTURES = ("", "file")
_HEARD = {"voice_message": "audio", "audio_file": "audio", "video_file": "video", "video_message": "video"}


def sniff(source: FileSource) -> float:
    """Return how likely the file holds chats of Telegram."""
    return surest(source, lambda value: 0.95 if any(True for _ in _chats(value, "$")) else 0.0)


def _chats(value: Any, place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the chats of a document, each with its place."""
    document = mapping(value)
    if _is_chat(document):
        yield place, document
    for key in _LISTS:
        for number, chat in enumerate(items_of(mapping(document.get(key)).get("list"))):
            if _is_chat(chat):
                yield f"{place}.{key}.list[{number}]", chat


def _is_chat(value: Any) -> bool:
    fields = mapping(value)
    return as_text(fields.get("type")) in _KINDS and isinstance(fields.get("messages"), list)


def load(source: FileSource) -> Workspace:
    """Return a conversation for each chat. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    found = (chat for place, value in values_of(source, notes) for chat in _chats(value, place))
    logs = [_log(chat, notes, place) for place, chat in found]
    if not logs:
        raise notes.unreadable("$", "expected chats with a type and messages, found none")
    return workspace_of_logs(logs, source, notes)


def _log(chat: Mapping[str, Any], notes: Notes, place: str) -> SpokenLog:
    name, kind = as_text(chat.get("name")), as_text(chat["type"])
    log = SpokenLog([], as_text(chat.get("id")), name or kind.replace("_", " "), place=place)
    if kind == "bot_chat":
        log.machines.add(name)
    elif kind == "personal_chat":
        log.other = name
    for number, record in enumerate(chat["messages"]):
        at = f"{place}.messages[{number}]"
        if mapping(record).get("type") == "service":
            log.notices += 1
        elif not isinstance(record, Mapping) or not isinstance(record.get("text"), str | list):
            notes.add(at, "expected a message with text; it was left out", "error")
        else:
            log.turns += _turns(record, notes, at)
    return log


def _turns(record: Mapping[str, Any], notes: Notes, place: str) -> Iterator[Turn]:
    """Yield the message of a record; none if it has no text and no media."""
    text = "".join(_pieces(record["text"], notes, f"{place}.text"))
    kind = as_text(record.get("media_type"))
    media = list(_media(record, kind))
    name = as_text(record.get("from")) or as_text(record.get("from_id"))
    reply = as_text(record.get("reply_to_message_id"))
    if kind == "sticker":
        text = text or as_text(record.get("sticker_emoji"))
    file = as_text(record.get("file_name")) if "file" in record else ""
    metadata = {key: kept for key, kept in (("reply_to", reply), ("files", [file] if file else [])) if kept}
    if text or media or file:
        time = parse_time(record.get("date_unixtime")) or parse_time(record.get("date"))
        yield place, spoken(name, text, id=as_text(record.get("id")), time=time, media=media, metadata=metadata)


def _media(record: Mapping[str, Any], kind: str) -> Iterator[Part]:
    """Yield the photo and the file of a record, with their sizes; a file that was left out has none."""
    sides = (as_whole(record.get("width")), as_whole(record.get("height")))
    if "photo" in record:
        yield made(
            "image", MediaSize("", as_whole(record.get("photo_file_size")), *sides), name=as_text(record["photo"])
        )
    if "file" in record and kind not in _NO_PICTURES:
        seconds = as_number(record.get("duration_seconds"))
        size = MediaSize("", as_whole(record.get("file_size")), *sides, seconds=seconds)
        named, media_type = as_text(record.get("file_name")), as_text(record.get("mime_type"))
        yield made(_HEARD.get(kind, ""), size, media_type, named, as_text(record["file"]))


def _pieces(text: Any, notes: Notes, place: str) -> Iterator[str]:
    """Yield the text in pieces: plain text, and links, names or bold text."""
    if isinstance(text, str):
        yield as_text(text)
        return
    for number, piece in enumerate(text):
        if isinstance(piece, str):
            yield as_text(piece)
        elif isinstance(mapping(piece).get("text"), str):
            yield as_text(piece["text"])
        else:
            notes.add(f"{place}[{number}]", "expected text or an object with text; it was left out")


FORMAT = Format("telegram", "Telegram export", sniff, load, "chats with a `type` such as `personal_chat`, and messages")
