"""Channels that DiscordChatExporter wrote as JSON.

Layout: github.com/Tyrrrz/DiscordChatExporter, `JsonMessageWriter.cs`. Bots are the assistants.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.chat_logs.speakers import SpokenLog, Turn, spoken, workspace_of_logs
from inspector.formats.content.media import made
from inspector.formats.content.turns import pictures as pictured
from inspector.formats.format import Format
from inspector.formats.notes import Notes
from inspector.formats.saved_chats import read_each, surest, values_of
from inspector.model import Workspace
from inspector.reading.source import FileSource
from inspector.reading.values import as_text, mapping, objects, parse_time

_NOTICES = {
    *("RecipientAdd", "RecipientRemove", "Call", "ChannelNameChange", "ChannelIconChange", "ChannelPinnedMessage"),
    *("GuildMemberJoin", "ThreadCreated"),
}
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".mp4", ".mov", ".webm", ".mp3", ".ogg", ".wav", ".m4a")


def sniff(source: FileSource) -> float:
    """Return how likely the file holds a channel of Discord."""
    return surest(source, lambda value: 0.95 if _is_channel(value) else 0.0)


def _is_channel(value: Any) -> bool:
    fields = mapping(value)
    named = isinstance(fields.get("channel"), Mapping) and isinstance(fields.get("guild"), Mapping)
    return named and isinstance(fields.get("messages"), list)


def load(source: FileSource) -> Workspace:
    """Return a conversation for each channel. Raise UnreadableError if there is none."""
    notes = Notes(source.path)
    expected = "a channel with guild and messages"
    return workspace_of_logs(read_each(values_of(source, notes), _is_channel, _log, notes, expected), source, notes)


def _log(value: Mapping[str, Any], notes: Notes, place: str) -> SpokenLog:
    channel = value["channel"]
    names = (as_text(mapping(value["guild"]).get("name")), as_text(channel.get("name")))
    log = SpokenLog([], as_text(channel.get("id")), " / ".join(filter(None, names)), place=place)
    for number, record in enumerate(value["messages"]):
        at = f"{place}.messages[{number}]"
        if not isinstance(record, Mapping) or not isinstance(record.get("content"), str):
            notes.add(at, "expected a message with author and content; it was left out", "error")
        elif as_text(record.get("type")) in _NOTICES:
            log.notices += 1
        else:
            log.turns += _turns(record, log, at)
    return log


def _turns(record: Mapping[str, Any], log: SpokenLog, place: str) -> Iterator[Turn]:
    """Yield the message of a record; none if it has no text and no media."""
    author = mapping(record.get("author"))
    name = as_text(author.get("nickname")) or as_text(author.get("name")) or as_text(author.get("id"))
    if author.get("isBot") is True:
        log.machines.add(name)
    files = [as_text(file.get("fileName")) for file in objects(record.get("attachments"))]
    pictures = [file for file in files if file.lower().endswith(_PICTURES)]
    stickers = len(objects(record.get("stickers")))
    text = as_text(record["content"]) or "\n".join(_embedded(record))
    metadata: dict[str, Any] = {"files": files} if files else {}
    if reply := as_text(mapping(record.get("reference")).get("messageId")):
        metadata["reply_to"] = reply
    if text or files or stickers:
        time, id_ = parse_time(record.get("timestamp")), as_text(record.get("id"))
        media = (*(made("", name=file) for file in pictures), *pictured(stickers))
        yield place, spoken(name, text, id=id_, time=time, media=media, metadata=metadata)


def _embedded(record: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of embeds, in which bots answer."""
    for box in objects(record.get("embeds")):
        yield from filter(None, (as_text(box.get("title")), as_text(box.get("description"))))
        for row in objects(box.get("fields")):
            yield f"{as_text(row.get('name'))}: {as_text(row.get('value'))}"


FORMAT = Format("discord", "Discord channel (DiscordChatExporter)", sniff, load, "`guild`, `channel` and `messages`")
