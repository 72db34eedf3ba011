"""Exports of messengers that keep a list of messages with a sender, a text and a time.

Teams: `chatMessage` of Microsoft Graph (learn.microsoft.com/graph/api/resources/chatmessage), and the
same with a capital at each key, as zulip/zulip reads them (`zerver/data_import/microsoft_teams.py`). Matrix:
element-hq/element-web, `src/utils/exportUtils/JSONExport.ts` (events as `toJSON` has them). Signal:
carderne/signal-export, the lines of `data.json` (`sigexport/models.py`, `Message`; a sticker is an object since it
names its emoji). Skype's export (`conversations[].MessageList`), Takeout of Google Chat (`creator`, `created_date`) and
pages of Meta's conversations have no public source: their keys are those that chirag-panjabi/open-chat-exporter reads
(`src/adapters/skype`, `goog_chat`, `meta_conversations_api`; `tests/fixtures`).
"""

import html
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from inspector.formats.chat_logs.log_layout import LogLayout
from inspector.reading.json import unwrapped
from inspector.reading.values import as_text, mapping, objects

_BREAK = re.compile(r"<br\s*/?>|</p>|</div>", re.IGNORECASE)
_ATTACHED = re.compile(r"<attachment\b[^<>]*>\s*</attachment>")
_DRAWN = re.compile(r"<(?:emoji|img)\b[^<>]*>", re.IGNORECASE)
"""An emoji or a picture among the words, with what is written for it in `_DRAWN_AS`."""
_DRAWN_AS = re.compile(r"""\balt=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_ROOM = (
    *("m.room.member", "m.room.create", "m.room.name", "m.room.topic", "m.room.power", "m.room.encryption"),
    *("m.room.join", "m.room.history", "m.room.guest", "m.room.avatar", "m.room.redaction", "m.room.canonical"),
    *("m.room.related", "m.room.server", "m.room.pinned", "m.reaction", "m.call", "m.space", "io.element", "im.vector"),
)
_CARD_TEXTS = ("title", "subtitle", "text", "value", "summary", "originalMessageContent")
_CARD_PARTS = ("body", "items", "columns", "facts", "inlines", "rows", "cells", "sections")
_TAKEOUT = "%A, %B %d, %Y at %I:%M:%S %p UTC"


def plain_text(text: str) -> str:
    """Return text without the marks of Skype and Teams, which are those of HTML."""
    if "<" not in text and "&" not in text:
        return text
    text = _DRAWN.sub(_written_for, _ATTACHED.sub("", text))
    shown = html.unescape(_TAG.sub("", _BREAK.sub("\n", text))).strip()
    return shown or text


def _written_for(drawn: re.Match[str]) -> str:
    written = _DRAWN_AS.search(drawn[0])
    return written[1] or written[2] or "" if written else ""


def _cards(record: Any) -> Iterator[str]:
    """Yield the texts of the cards of a message of Teams, which bots write, and of what it forwards."""
    held = mapping(record)
    for one in objects(held.get("attachments", held.get("Attachments"))):
        kind = as_text(one.get("contentType") or one.get("ContentType"))
        if "card" in kind or kind == "forwardedMessageReference":
            yield from _words(unwrapped(one.get("content", one.get("Content"))))


def _words(card: Any) -> Iterator[str]:
    for item in card if isinstance(card, list) else [card]:
        for key, held in mapping(item).items():
            if key in _CARD_TEXTS and isinstance(held, str):
                yield plain_text(held)
            elif key in _CARD_PARTS:
                yield from _words(held)


def _both(*paths: str) -> tuple[str, ...]:
    """Return paths and the same with a capital at each key, as .NET saves what Microsoft Graph sends."""
    return paths + tuple(re.sub(r"(?<![^.|])[a-z]", lambda first: first[0].upper(), path) for path in paths)


def _iso(word: str) -> str:
    """Return a time of Takeout (Monday, May 2, 2022 at 1:02:03 PM UTC) as ISO, any other word as it is."""
    try:
        return f"{datetime.strptime(' '.join(word.split()), _TAKEOUT).isoformat()}Z"
    except ValueError:
        return word


SKYPE = LogLayout(
    name="skype",
    title="Skype export",
    sign="`conversations` with `MessageList`, or messages with `originalarrivaltime` and `messagetype`",
    expected="messages of Skype (objects with from, originalarrivaltime and content)",
    chats=("conversations",),
    turns=("MessageList", "messages"),
    marks=("originalarrivaltime", "messagetype"),
    chat_id=("id",),
    chat_title=("displayName", "threadProperties.topic"),
    id=("id",),
    sender=("displayName", "from"),
    text=("content",),
    time=("originalarrivaltime",),
    kind=("messagetype",),
    notices=("ThreadActivity", "Event", "Notice"),
    files=("attachments",),
    plain=plain_text,
    no_prompt=("content", "threadProperties", "properties", "from", "conversationid", "userId"),
).format
TEAMS = LogLayout(
    name="teams",
    title="Teams messages",
    sign="messages with `createdDateTime`, `from.user` and `body`",
    expected="messages of Teams (objects with from, createdDateTime and body)",
    turns=("messages", "value"),
    group=_both("chatId", "channelIdentity.channelId"),
    replies=_both("replies"),
    marks=("createdDateTime|CreatedDateTime", "body|Body", "messageType|from|MessageType|From"),
    id=_both("id"),
    sender=_both(
        *("from.user.displayName", "from.application.displayName", "from.displayName", "from.user.id"),
        *("from.application.id", "from.emailAddress.name"),
    ),
    text=_both("body.content", "body"),
    time=_both("createdDateTime"),
    kind=_both("messageType"),
    notices=("systemEventMessage", "unknownFutureValue", "typing", "chatEvent"),
    notice=_both("deletedDateTime", "eventDetail"),
    machine=_both("from.application.applicationIdentityType"),
    machines=("bot",),
    heading=_both("subject"),
    files=_both("attachments"),
    cards=_cards,
    plain=plain_text,
    no_prompt=_both("content", "body", "etag", "webUrl", "summary", "chatId", "mentionText", "additionalData"),
).format
GOOGLE_CHAT = LogLayout(
    name="google_chat",
    title="Google Chat (Takeout)",
    sign="`messages` with a `creator` and `created_date` or `createTime`",
    expected="messages of Google Chat (objects with creator, created_date and text)",
    turns=("messages",),
    marks=("creator.name|creator.email|sender.displayName", "created_date|createTime"),
    id=("message_id",),
    sender=("creator.name", "creator.email", "sender.displayName"),
    text=("text", "formattedText"),
    time=("created_date", "createTime"),
    kind=("type",),
    notices=("EVENT",),
    machine=("creator.user_type", "sender.type"),
    machines=("Bot", "BOT"),
    files=("attached_files", "attachments", "attachment"),
    moment=_iso,
    no_prompt=("annotations", "email", "topic_id", "message_state", "created_date"),
).format
META = LogLayout(
    name="meta_messages",
    title="Messages of Meta's Graph API",
    sign="`data` of messages with `from`, `message` and `created_time`",
    expected="messages of the Graph API (objects with from, created_time and message)",
    turns=("data", "messages.data"),
    marks=("from.name|from.id|from.username", "created_time", "id"),
    id=("id",),
    sender=("from.name", "from.username", "from.id"),
    text=("message",),
    time=("created_time",),
    files=("attachments.data",),
    no_prompt=("next", "previous", "cursors"),
).format
ELEMENT = LogLayout(
    name="element",
    title="Element room (Matrix)",
    sign="`messages` with `sender`, `origin_server_ts` and `content`",
    expected="events of Matrix (objects with sender, origin_server_ts and content)",
    turns=("messages", "chunk"),
    marks=("origin_server_ts", "content", "type"),
    chat_title=("room_name",),
    id=("event_id",),
    sender=("sender",),
    text=("content.body",),
    time=("origin_server_ts",),
    kind=("type",),
    notices=_ROOM,
    files=("content.info.filename",),
    no_prompt=("formatted_body", "exported_by", "export_date", "room_creator", "topic", "unsigned"),
).format
SIGNAL = LogLayout(
    name="signal",
    title="Signal messages (signal-export)",
    sign="lines with `date`, `sender`, `body` and `reactions`",
    expected="lines with date, sender, body and reactions",
    marks=("date", "sender", "reactions|quote|sticker", "attachments"),
    sender=("sender",),
    text=("body", "sticker.emoji", "sticker"),
    time=("date",),
    notice=("deleted", "call"),
    files=("attachments",),
    no_prompt=("quote", "reactions", "sticker"),
).format
