"""Exports of messengers with a sender, a text and a time: each by its maker's layout, and with odd messages."""

import json
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource

SKYPE = {
    "userId": "8:ada",
    "exportDate": "2024-01-02T00:00",
    "conversations": [
        {
            "id": "8:bob",
            "displayName": "Bob",
            "MessageList": [
                {
                    "id": "2",
                    "displayName": None,
                    "originalarrivaltime": "2024-01-01T10:01:00Z",
                    "messagetype": "RichText",
                    "content": "Sure, at <b>six</b> &amp; not later.",
                    "from": "8:bob",
                },
                {
                    "id": "1",
                    "displayName": None,
                    "originalarrivaltime": "2024-01-01T10:00:00Z",
                    "messagetype": "Text",
                    "content": "Shall we meet?",
                    "from": "8:ada",
                },
                {
                    "id": "0",
                    "originalarrivaltime": "2024-01-01T09:00:00Z",
                    "messagetype": "ThreadActivity/AddMember",
                    "content": "<addmember/>",
                    "from": "8:ada",
                },
            ],
        }
    ],
}
TEAMS = {
    "value": [
        {
            "id": "2",
            "messageType": "message",
            "createdDateTime": "2024-01-01T10:01:00Z",
            "from": {"user": {"displayName": "Bob"}},
            "body": {"contentType": "html", "content": "<p>Sure, at six.</p>"},
        },
        {
            "id": "1",
            "messageType": "message",
            "createdDateTime": "2024-01-01T10:00:00Z",
            "from": {"user": {"displayName": "Ada"}},
            "body": {"contentType": "text", "content": "Shall we meet?"},
        },
    ]
}
GOOGLE = {
    "messages": [
        {
            "creator": {"name": "Ada", "email": "ada@example.org", "user_type": "Human"},
            "created_date": "Monday, May 2, 2022 at 10:00:00\u202fAM UTC",
            "text": "Shall we meet?",
            "topic_id": "t",
        },
        {
            "creator": {"name": "Planner", "user_type": "Bot"},
            "created_date": "Monday, May 2, 2022 at 1:00:00 PM UTC",
            "text": "Sure, at six.",
            "topic_id": "t",
        },
    ]
}
META = {
    "data": [
        {
            "id": "m2",
            "created_time": "2026-04-21T12:05:00+0000",
            "from": {"id": "u2", "name": "Bob"},
            "message": "Sure, at six.",
        },
        {
            "id": "m1",
            "created_time": "2026-04-21T12:00:00+0000",
            "from": {"id": "u1", "name": "Ada"},
            "message": "Shall we meet?",
        },
    ],
    "paging": {},
}
ELEMENT = {
    "room_name": "Garden",
    "room_creator": "@ada:x",
    "exported_by": "@ada:x",
    "messages": [
        {
            "type": "m.room.member",
            "sender": "@bob:x",
            "origin_server_ts": 1_700_000_000_000,
            "content": {"membership": "join"},
        },
        {
            "type": "m.room.message",
            "sender": "@ada:x",
            "event_id": "$1",
            "origin_server_ts": 1_700_000_001_000,
            "content": {"msgtype": "m.text", "body": "Shall we meet?"},
        },
        {
            "type": "m.room.message",
            "sender": "@bob:x",
            "event_id": "$2",
            "origin_server_ts": 1_700_000_002_000,
            "content": {"msgtype": "m.text", "body": "Sure, at six."},
        },
    ],
}
_SIGNAL = {"quote": "", "sticker": "", "reactions": [], "attachments": []}
SIGNAL = [
    {"date": "2024-01-01T10:00:00", "sender": "Ada", "body": "Shall we meet?", **_SIGNAL},
    {"date": "2024-01-01T10:01:00", "sender": "Bob", "body": "Sure, at six.", **_SIGNAL},
]
EXPORTS: dict[str, Any] = {
    "skype": SKYPE,
    "teams": TEAMS,
    "google_chat": GOOGLE,
    "meta_messages": META,
    "element": ELEMENT,
    "signal": SIGNAL,
}


def opened(kind: str, value: Any) -> Workspace:
    text = value if isinstance(value, str) else json.dumps(value)
    if kind == "signal":
        text = "\n".join(map(json.dumps, value))
    source = FileSource("messages.json", text.encode())
    first = rank_formats(source, built_in_formats())[0][0]
    assert first.name == kind
    return first.load(source)


@pytest.mark.parametrize("kind", EXPORTS)
def test_an_export_is_read_in_the_order_of_its_times(kind: str) -> None:
    workspace = opened(kind, EXPORTS[kind])
    (chat,) = workspace.conversations
    assert chat.messages[0].content == "Shall we meet?"
    assert chat.messages[1].content.startswith("Sure, at six")
    assert [message.role for message in chat.messages] == ["user", "assistant"]
    assert all(message.time and message.name for message in chat.messages)
    assert not [problem for problem in workspace.problems if problem.severity != "info"]
    assert opened(kind, EXPORTS[kind]).conversations == workspace.conversations


def test_marks_of_html_become_text_and_words_in_angles_stay() -> None:
    assert opened("skype", SKYPE).conversations[0].messages[1].content == "Sure, at six & not later."
    held = json.loads(json.dumps(SKYPE).replace("<b>six</b>", "x < 6 or 7 > y"))
    assert "x < 6 or 7 > y" in opened("skype", held).conversations[0].messages[1].content


def test_a_bot_is_the_assistant_and_notices_are_counted() -> None:
    assert opened("google_chat", GOOGLE).conversations[0].messages[1].role == "assistant"
    assert "1 notice" in " ".join(problem.message for problem in opened("element", ELEMENT).problems)


def test_a_message_without_text_is_said_and_a_file_is_kept() -> None:
    value = json.loads(json.dumps(META))
    value["data"][0]["message"] = ""
    said = [problem.place for problem in opened("meta_messages", value).problems if problem.severity == "warning"]
    assert said == ["$.data[0].message"]
    value["data"][0]["attachments"] = {"data": [{"name": "photo.jpg", "mime_type": "image/jpeg"}]}
    workspace = opened("meta_messages", value)
    assert workspace.conversations[0].messages[1].images == 1
    assert workspace.conversations[0].messages[1].metadata["files"] == ["photo.jpg"]


def test_a_sticker_of_signal_is_its_emoji_in_all_versions() -> None:
    sticker = {"id": "1", "packId": "p", "packKey": "k", "emoji": "😀", "extension": None}
    for told in (sticker, "😀"):
        chat = opened("signal", [*SIGNAL, {**SIGNAL[0], "body": "", "sticker": told}]).conversations[0]
        assert "😀" in [message.content for message in chat.messages]
