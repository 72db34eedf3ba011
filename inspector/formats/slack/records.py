"""Slack's records of messages and users. Reads no files.

Layout: slack.com/help, "How to read Slack data exports": a day of a channel is a list of `{type, user, text, ts,
thread_ts, subtype, files[]}`, and `users.json` a list of `{id, name, real_name, profile{display_name}}`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.chat_logs.speakers import spoken
from inspector.formats.content.media import made
from inspector.model import Message, Part
from inspector.reading.media_sizes import MediaSize
from inspector.reading.values import as_text, as_whole, mapping, objects, parse_time

_SPOKEN = {
    *("", "thread_broadcast", "reply_broadcast", "bot_message", "me_message", "file_share", "file_comment"),
    *("slackbot_response", "ai_assistant_message", "document_mention"),
}
_MARKUP = re.compile(r"<(?P<sign>[@#!]?)(?P<target>[^<>|]*)(?:\|(?P<label>[^<>]*))?>")
_ESCAPES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_MEDIA = ("image/", "video/", "audio/")

MACHINE = "bot"
"""The metadata key of messages written by a bot."""
SPEAKER = "slack_user"
"""The metadata key of messages whose author is known only by id."""


def is_record(value: Any) -> bool:
    """Return whether a value is a message of Slack, spoken or a notice."""
    fields = mapping(value)
    return fields.get("type") == "message" and isinstance(fields.get("ts"), str)


def is_person(value: Any) -> bool:
    """Return whether a value is a user in `users.json`."""
    fields = mapping(value)
    known = isinstance(fields.get("id"), str) and isinstance(fields.get("name"), str)
    return known and isinstance(fields.get("profile"), Mapping)


def name_of(person: Mapping[str, Any]) -> str:
    """Return the display name of a user, or a profile; "" for none."""
    profile = mapping(person.get("profile"))
    names = (profile.get("display_name"), person.get("display_name"), profile.get("real_name"), person.get("real_name"))
    return next((as_text(name) for name in (*names, person.get("name")) if isinstance(name, str) and name), "")


def is_machine(person: Mapping[str, Any]) -> bool:
    """Return whether a user in `users.json` is a bot."""
    return person.get("is_bot") is True or person.get("id") == "USLACKBOT"


def is_said(record: Mapping[str, Any]) -> bool:
    """Return whether a record is spoken; joined members and renamed channels are notices."""
    return as_text(record.get("subtype")) in _SPOKEN


def read_record(record: Mapping[str, Any], people: Mapping[str, str]) -> Iterator[Message]:
    """Yield the message of a record, none if it has no text and no media; `people` are names by ids."""
    id_ = as_text(record.get("user")) or as_text(record.get("bot_id"))
    own = name_of(mapping(record.get("user_profile"))) or as_text(record.get("username"))
    name = people.get(id_) or own or name_of(mapping(record.get("bot_profile"))) or id_
    files = objects(record.get("files"))
    media = [_medium(file) for file in files if as_text(file.get("mimetype")).startswith(_MEDIA)]
    text = plain_text(as_text(record.get("text")), people) or "\n".join(_attached(record, people))
    metadata: dict[str, Any] = {}
    if id_ and name == id_:
        metadata[SPEAKER] = id_
    if record.get("subtype") == "bot_message" or (record.get("bot_id") and not record.get("user")):
        metadata[MACHINE] = True
    if names := [as_text(file.get("name")) for file in files]:
        metadata["files"] = names
    thread, ts = as_text(record.get("thread_ts")), as_text(record["ts"])
    if thread and thread != ts:
        metadata["thread"] = thread
    if text or files:
        yield spoken(name, text, id=ts, time=parse_time(ts), media=media, metadata=metadata)


def _medium(file: Mapping[str, Any]) -> Part:
    """Return a picture, sound or film with its recorded size."""
    sides = (as_whole(file.get(key)) for key in ("original_w", "original_h"))
    size = MediaSize("", as_whole(file.get("size")), *sides)
    return made("", size, as_text(file.get("mimetype")), as_text(file.get("name")))


def _attached(record: Mapping[str, Any], people: Mapping[str, str]) -> Iterator[str]:
    """Yield the texts of the boxes in which bots write."""
    for box in objects(record.get("attachments")):
        texts = [as_text(box.get(key)) for key in ("pretext", "title", "text")]
        shown = [text for text in texts if text] or [as_text(box.get("fallback"))]
        yield from (plain_text(text, people) for text in shown if text)


def plain_text(text: str, people: Mapping[str, str]) -> str:
    """Return text without Slack's markup: names for ids, labels with their addresses, and unescaped signs."""

    def shown(match: re.Match[str]) -> str:
        sign, target, label = match["sign"], match["target"], match["label"]
        if sign == "@":
            return f"@{label or people.get(target, target)}"
        if sign == "#":
            return f"#{label or target}"
        if sign == "!":
            return label or f"@{target}"
        return f"{label} ({target})" if label and label not in target else target

    text = _MARKUP.sub(shown, text)
    for written, sign in _ESCAPES:
        text = text.replace(written, sign)
    return text
