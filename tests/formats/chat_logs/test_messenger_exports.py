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
_ASKED = {"senderId": "2", "recipientId": "1", "createdAt": "2021-01-02T03:04:05.000Z", "id": "8"}
_TOLD = {"senderId": "1", "recipientId": "2", "createdAt": "2021-01-02T03:05:05.000Z", "id": "9"}
_LINK = {"url": "https://t.co/x", "expanded": "https://a.example/x", "display": "a.example/x"}
X = [
    {
        "dmConversation": {
            "conversationId": "1-2",
            "messages": [
                {"messageCreate": {**_TOLD, "text": "Sure, at six.", "mediaUrls": [], "urls": [_LINK]}},
                {"messageCreate": {**_ASKED, "text": "Shall we meet?", "reactions": [], "mediaUrls": []}},
                {"participantsLeave": {"userIds": ["3"], "createdAt": "2021-01-01T03:05:05.000Z"}},
            ],
        }
    }
]
_SNAP = {"Media Type": "TEXT", "Conversation Title": None, "IsSaved": True, "Media IDs": ""}
SNAPCHAT = {
    "bob": [
        {"From": "bob", "Created": "2023-04-12 03:24:10 UTC", "Content": "Sure, at six.", "IsSender": False, **_SNAP},
        {"From": "ada", "Created": "2023-04-12 03:21:55 UTC", "Content": "Shall we meet?", "IsSender": True, **_SNAP},
    ]
}
_TWO = ["ada", "bob"]
MATTERMOST: list[dict[str, Any]] = [
    {"type": "version", "version": 1},
    {"type": "user", "user": {"username": "ada", "email": "ada@example.org"}},
    {"type": "direct_channel", "direct_channel": {"members": _TWO, "header": ""}},
    {
        "type": "direct_post",
        "direct_post": {
            "channel_members": _TWO,
            "user": "ada",
            "message": "Shall we meet?",
            "create_at": 1_705_311_000_000,
            "replies": [{"user": "bob", "message": "Sure, at six.", "create_at": 1_705_311_120_000}],
        },
    },
]
EXPORTS: dict[str, Any] = {
    "mattermost": MATTERMOST,
    "x_archive": X,
    "snapchat": SNAPCHAT,
    "skype": SKYPE,
    "teams": TEAMS,
    "google_chat": GOOGLE,
    "meta_messages": META,
    "element": ELEMENT,
    "signal": SIGNAL,
}


def opened(kind: str, value: Any) -> Workspace:
    text = value if isinstance(value, str) else json.dumps(value)
    if kind in ("signal", "mattermost"):
        text = "\n".join(map(json.dumps, value))
    source = FileSource("messages.json", text.encode())
    first = rank_formats(source, built_in_formats())[0][0]
    assert first.name == kind
    return first.load(source)


LINKEDIN = (
    "CONVERSATION ID,CONVERSATION TITLE,FROM,SENDER PROFILE URL,TO,RECIPIENT PROFILE URLS,DATE,SUBJECT,CONTENT,FOLDER,"
    "ATTACHMENTS,IS MESSAGE DRAFT\n"
    'c1,,Bob,https://b.example,Ada,https://a.example,2021-08-07 10:05:00 UTC,,"<p>Sure, at six.</p>",INBOX,,No\n'
    "c1,,Ada,https://a.example,Bob,https://b.example,2021-08-07 10:00:00 UTC,,Shall we meet?,INBOX,,No\n"
)
"""The table of LinkedIn, the newest message first."""


def log_of(kind: str, value: Any) -> list[tuple[str, str]]:
    (chat,) = opened(kind, value).conversations
    return [(message.name, message.content) for message in chat.messages]


def warnings_of(kind: str, value: Any) -> list[str]:
    return [one.message for one in opened(kind, value).problems if one.severity != "info"]


@pytest.mark.parametrize("name", ["direct_messages", "direct_message", "direct_messages_group", "direct_message_group"])
def test_the_files_of_x_give_their_list_to_a_variable(name: str) -> None:
    written = json.dumps(X, indent=2).replace('": ', '" : ')
    for text in (f"window.YTD.{name}.part0 = {written}", f"/* a remark */\nwindow.YTD.{name}.part12 = {written};\n"):
        assert opened("x_archive", text).conversations == opened("x_archive", X).conversations


def test_messages_of_x_keep_their_media_and_events_are_counted() -> None:
    value = json.loads(json.dumps(X))
    turns = value[0]["dmConversation"]["messages"]
    turns[0]["messageCreate"]["mediaUrls"] = ["https://ton.example/dm/1/2/photo.jpg"]
    turns.append({"welcomeMessageCreate": {**_TOLD, "id": "7", "text": "Welcome."}})
    turns.append({"later": {"createdAt": "2021-01-02T03:04:05.000Z"}})
    workspace = opened("x_archive", value)
    assert [one.content for one in workspace.conversations[0].messages] == [
        "Shall we meet?",
        "Sure, at six.",
        "Welcome.",
    ]
    assert workspace.conversations[0].messages[1].images == 1
    assert "1 notice" in " ".join(one.message for one in workspace.problems)
    assert any("[4]" in one.place and "left out" in one.message for one in workspace.problems)


def test_the_older_files_of_snapchat_are_one_chat_for_each_side() -> None:
    old = {
        "Received Saved Chat History": [
            {"From": "bob", "Media Type": "TEXT", "Created": "2021-01-01 12:00:09 UTC", "Text": "Sure, at six."},
            {"From": "cy", "Media Type": "TEXT", "Created": "2021-01-01 12:00:09 UTC", "Text": "Hello."},
        ],
        "Sent Saved Chat History": [
            {"To": "bob", "Media Type": "TEXT", "Created": "2021-01-01 12:00:00 UTC", "Text": "Shall we meet?"}
        ],
        "Sent Unsaved Chat History": [],
    }
    workspace = opened("snapchat", old)
    said = [[(one.role, one.name, one.content) for one in chat.messages] for chat in workspace.conversations]
    assert said == [
        [("user", "You", "Shall we meet?"), ("assistant", "bob", "Sure, at six.")],
        [("assistant", "cy", "Hello.")],
    ]


def test_snapchat_keeps_media_and_says_how_much_text_was_not_saved() -> None:
    snap = {"From": "bob", "Created": "2023-04-12 04:00:00 UTC", "IsSender": False, **_SNAP, "Content": None}
    more = [{**snap, "Media Type": "IMAGE", "Media IDs": "b~x"}, {**snap, "Media Type": "STATUSERASEDMESSAGE"}]
    workspace = opened("snapchat", {"bob": [*SNAPCHAT["bob"], *more, {**snap, "IsSaved": False}, snap]})
    said = " ".join(one.message for one in workspace.problems)
    assert workspace.conversations[0].messages[-1].images == 1
    assert "1 notice" in said
    assert "1 messages have no text" in said
    assert [one.place for one in workspace.problems if one.severity == "error"] == ["$.bob[5]"]


def test_the_table_of_linkedin_has_the_newest_first_and_drafts() -> None:
    draft = "c1,,Ada,,Bob,,2021-08-07 10:09:00 UTC,,Not sent,INBOX,,Yes\n"
    mail = 'c2,Jobs,Cy,,Ada,,2021-08-07 11:00:00 UTC,A job,"One\nTwo",INBOX,plan.pdf,No\n'
    workspace = opened("linkedin", LINKEDIN + draft + mail + "c2,,Cy,,Ada,,2021-08-07 12:00:00 UTC,,,INBOX,,No\n")
    first, second = workspace.conversations
    assert [one.content for one in first.messages] == ["Shall we meet?", "Sure, at six."]
    assert (second.title, second.messages[0].content) == ("Jobs", "A job\nOne\nTwo")
    assert second.messages[0].metadata["files"] == ["plan.pdf"]
    said = [one.message for one in workspace.problems]
    assert "1 drafts were left out, since they were never sent" in said
    assert "expected a text in the column CONTENT; the row was left out" in said


@pytest.mark.parametrize(
    "header", ["From,To,Date,Subject,Content", "from,to,date,body", "CONVERSATION ID,FROM,TO,DATE"]
)
def test_other_tables_of_mail_are_not_taken_for_linkedin(header: str) -> None:
    row = ",".join("abcdef"[: header.count(",") + 1])
    source = FileSource("messages.csv", f"{header}\n{row}\n{row}\n".encode())
    assert [one.name for one in rank_formats(source, built_in_formats())[0] if one.name == "linkedin"] == []


@pytest.mark.parametrize("kind", ["teams", "meta_messages"])
def test_single_messages_and_lists_of_them_open(kind: str) -> None:
    turns = next(held for held in EXPORTS[kind].values() if isinstance(held, list))
    assert log_of(kind, turns[0]) == [("Bob", "Sure, at six.")]
    assert log_of(kind, turns) == log_of(kind, EXPORTS[kind])


def test_messages_of_several_chats_of_teams_are_several() -> None:
    turns = [{**turn, "chatId": chat} for turn in TEAMS["value"] for chat in ("19:a", "19:b")]
    for value in ({"value": turns}, turns):
        workspace = opened("teams", value)
        assert [(chat.id, len(chat.messages)) for chat in workspace.conversations] == [("19:a", 2), ("19:b", 2)]


def test_teams_has_replies_subjects_cards_and_deleted_messages() -> None:
    card = {"type": "AdaptiveCard", "body": [{"type": "TextBlock", "text": "Noon is free."}]}
    kind = "application/vnd.microsoft.card.adaptive"
    shown = [{"id": "7", "contentType": kind, "content": json.dumps(card), "name": None}]
    bot = {"user": None, "application": {"displayName": "Planner", "applicationIdentityType": "bot"}}
    body = {"contentType": "html", "content": '<attachment id="7"></attachment>'}
    reply = {**TEAMS["value"][0], "from": bot, "body": body, "attachments": shown, "deletedDateTime": None}
    gone = {**reply, "id": "9", "deletedDateTime": "2024-01-01T10:02:00Z", "body": {"content": ""}}
    post = {**TEAMS["value"][1], "subject": "Lunch", "replies": [reply, gone]}
    workspace = opened("teams", {"value": [post]})
    said = [(one.role, one.name, one.content) for one in workspace.conversations[0].messages]
    assert said == [("user", "Ada", "Lunch\nShall we meet?"), ("assistant", "Planner", "Noon is free.")]
    assert "1 notice" in " ".join(one.message for one in workspace.problems)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('<p>Fine <emoji id="yes" alt="\N{THUMBS UP SIGN}" title="Yes"></emoji></p>', "Fine \N{THUMBS UP SIGN}"),
        ("<p><img alt='A cat asleep' src='https://x.y/z' width='200'></p>", "A cat asleep"),
        ('<p>Look <img src="https://x.y/z"></p>', "Look"),
    ],
)
def test_emoji_and_pictures_of_teams_are_what_is_written_for_them(content: str, said: str) -> None:
    turns = [{**TEAMS["value"][0], "body": {"contentType": "html", "content": content}}]
    assert [one.content for one in opened("teams", turns).conversations[0].messages] == [said]


def _capital(value: Any) -> Any:
    """Return value with a capital at each key, as .NET saves it."""
    if isinstance(value, list):
        return [_capital(one) for one in value]
    return (
        {key[:1].upper() + key[1:]: _capital(one) for key, one in value.items()} if isinstance(value, dict) else value
    )


def test_teams_opens_with_a_capital_at_each_key_and_with_what_is_forwarded() -> None:
    held = {"originalMessageId": "1", "originalMessageContent": "<p>A funny cat</p>"}
    sent = [{"id": "1", "contentType": "forwardedMessageReference", "content": json.dumps(held), "name": "cat.txt"}]
    body = {"contentType": "html", "content": '<p>To the group</p>\n<attachment id="1"></attachment>'}
    turns = [TEAMS["value"][0] | {"chatId": "19:a", "body": body, "attachments": sent, "subject": "Cat"}]
    turns.append({**turns[0], "id": "2", "deletedDateTime": "2024-01-01T10:02:00Z"})
    plain, capital = opened("teams", turns), opened("teams", _capital(turns))
    said = plain.conversations[0].messages
    assert [one.content for one in said] == ["Cat\nTo the group\nA funny cat"]
    shown = [(one.role, one.name, one.content, one.time) for one in capital.conversations[0].messages]
    assert shown == [(one.role, one.name, one.content, one.time) for one in said]
    assert capital.conversations[0].id == "19:a"
    assert [one.message for one in capital.problems] == [one.message for one in plain.problems]
    assert "cat.txt" in str(capital.conversations[0].messages[0].metadata)


def test_posts_of_mattermost_are_chats_of_their_channels_and_members() -> None:
    post = {"team": "core", "channel": "sea", "user": "cy", "message": "Ahoy", "create_at": 1_705_311_000_000}
    turned = json.loads(json.dumps(MATTERMOST[3]))
    turned["direct_post"] |= {"channel_members": _TWO[::-1], "message": "Again.", "replies": None}
    workspace = opened("mattermost", [*MATTERMOST, {"type": "post", "post": post}, turned])
    found = {chat.id: [one.content for one in chat.messages] for chat in workspace.conversations}
    assert found == {"ada, bob": ["Shall we meet?", "Again.", "Sure, at six."], "sea": ["Ahoy"]}
    assert not [one.message for one in workspace.problems if one.severity != "info"]


def test_a_chat_without_its_list_is_named() -> None:
    value = {**SKYPE, "conversations": [*SKYPE["conversations"], {"id": "8:cy", "displayName": "Cy"}]}
    assert warnings_of("skype", value) == ["expected a list of messages at MessageList; the chat was left out"]


@pytest.mark.parametrize("kind", [*EXPORTS, "linkedin"])
def test_an_export_is_read_in_the_order_of_its_times(kind: str) -> None:
    value = EXPORTS.get(kind, LINKEDIN)
    workspace = opened(kind, value)
    (chat,) = workspace.conversations
    assert chat.messages[0].content == "Shall we meet?"
    assert chat.messages[1].content.startswith("Sure, at six")
    assert [message.role for message in chat.messages] == ["user", "assistant"]
    assert all(message.time and message.name for message in chat.messages)
    assert not [problem for problem in workspace.problems if problem.severity != "info"]
    assert opened(kind, value).conversations == workspace.conversations


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


def test_deleted_messages_and_calls_of_signal_are_notices() -> None:
    kept = [{**one, "deleted": False, "call": False, "missed": False} for one in SIGNAL]
    gone = [{**kept[0], "body": "", "deleted": True}, {**kept[0], "body": "Call", "call": True}]
    workspace = opened("signal", [*kept, *gone])
    assert [one.content for one in workspace.conversations[0].messages] == ["Shall we meet?", "Sure, at six."]
    assert "2 notices" in " ".join(one.message for one in workspace.problems)
    assert not [one.message for one in workspace.problems if one.severity != "info"]
