"""Discord and Telegram: who speaks, which of them is the assistant, and what is broken.

No file of theirs is among the real ones: these are as DiscordChatExporter and Telegram Desktop write them.
"""

import json
from typing import Any

import pytest

from inspector.formats.chat_logs import discord, telegram
from inspector.formats.format import Format
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError

ANN = {"id": "7", "name": "ann", "discriminator": "0000", "nickname": "Ann", "isBot": False}
NOVA = {"id": "8", "name": "Nova", "discriminator": "1234", "nickname": "Nova", "isBot": True}


def posted(id_: str, author: dict[str, Any], content: str, **more: Any) -> dict[str, Any]:
    time = "2023-01-15T10:30:00+00:00"
    return {"id": id_, "type": "Default", "timestamp": time, "content": content, "author": author, **more}


def channel(*messages: Any) -> dict[str, Any]:
    named = {"id": "5", "type": "GuildTextChat", "name": "general"}
    return {"guild": {"id": "0", "name": "Harbour"}, "channel": named, "messages": list(messages)}


def sent(id_: int, who: str | None, text: Any, **more: Any) -> dict[str, Any]:
    time = {"date": "2023-01-01T10:00:00", "date_unixtime": "1672567200"}
    return {"id": id_, "type": "message", **time, "from": who, "from_id": "user1", "text": text, **more}


def chat(*messages: Any, kind: str = "personal_chat", name: str = "Ann") -> dict[str, Any]:
    return {"name": name, "type": kind, "id": 5, "messages": list(messages)}


def opened(kind: Format, value: Any) -> Workspace:
    source = FileSource("result.json", json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return kind.load(source)


def who_said(workspace: Workspace) -> list[tuple[str, str, str]]:
    return [(message.role, message.name, message.content) for message in workspace.conversations[0].messages]


def test_a_bot_of_discord_is_the_assistant() -> None:
    ben = {**ANN, "id": "9", "nickname": None, "name": "ben"}
    workspace = opened(
        discord.FORMAT,
        channel(posted("1", ANN, "Hi"), posted("2", NOVA, "Ho"), posted("3", ben, "I see")),
    )
    assert who_said(workspace) == [("user", "Ann", "Hi"), ("assistant", "Nova", "Ho"), ("user", "ben", "I see")]
    assert (workspace.conversations[0].title, workspace.conversations[0].id) == ("Harbour / general", "5")
    assert workspace.conversations[0].messages[0].id == "1"
    assert workspace.problems == ()


def test_what_discord_shows_beside_text_is_kept() -> None:
    files = [{"fileName": "a.PNG"}, {"fileName": "plan.pdf"}]
    box = {"title": "Tides", "description": "High", "fields": [{"name": "at", "value": "noon"}]}
    joined = posted("3", ANN, "Joined the server.", type="GuildMemberJoin")
    workspace = opened(
        discord.FORMAT,
        channel(
            posted("1", ANN, "", attachments=files, reference={"messageId": "0"}),
            posted("2", NOVA, "", embeds=[box]),
            joined,
            posted("4", ANN, ""),
        ),
    )
    shown, answer = workspace.conversations[0].messages
    assert (shown.content, shown.images) == ("", 1)
    assert shown.metadata == {"files": ["a.PNG", "plan.pdf"], "reply_to": "0"}
    assert answer.content == "Tides\nHigh\nat: noon"
    assert ["1 notice of the application was left out" in one.message for one in workspace.problems] == [True]


def test_the_other_side_of_a_private_chat_is_taken_for_the_assistant() -> None:
    workspace = opened(telegram.FORMAT, chat(sent(1, "Ann", "Hi"), sent(2, "Bo", "Ho")))
    assert who_said(workspace) == [("assistant", "Ann", "Hi"), ("user", "Bo", "Ho")]
    (remark,) = workspace.problems
    assert remark.message.startswith("Ann is taken for the assistant; another is chosen")
    assert remark.severity == "info"


def test_in_a_group_nobody_is_until_one_is_chosen() -> None:
    group = chat(sent(1, "Ann", "Hi"), sent(2, "Bo", "Ho"), sent(3, "Cy", "Hm"), kind="private_group", name="Three")
    workspace = opened(telegram.FORMAT, group)
    assert {role for role, _, _ in who_said(workspace)} == {"user"}
    assert "3 people speak, and nobody is known to be the assistant" in workspace.problems[0].message


def test_all_chats_of_telegram_open_together() -> None:
    bot = chat(sent(1, "Bo", "Hi"), sent(2, "Nova", "Ho"), sent(3, "Cy", "?"), kind="bot_chat", name="Nova")
    whole = {"about": "x", "chats": {"about": "y", "list": [chat(sent(1, "Bo", "Hi")), {**bot, "id": 6}, {"id": 7}]}}
    workspace = opened(telegram.FORMAT, whole)
    assert [(one.id, one.title) for one in workspace.conversations] == [("5", "Ann"), ("6", "Nova")]
    assert [one.role for one in workspace.conversations[1].messages] == ["user", "assistant", "user"]


def test_texts_of_telegram_in_pieces_and_its_files() -> None:
    text = ["See ", {"type": "link", "text": "https://a.b"}, 5, " now"]
    workspace = opened(
        telegram.FORMAT,
        chat(
            {"id": 1, "type": "service", "actor": "Bo", "action": "phone_call", "text": ""},
            sent(2, "Bo", text, reply_to_message_id=1),
            sent(3, "Ann", "", photo="photos/1.jpg"),
            sent(4, None, "", file="files/a.pdf", file_name="a.pdf"),
            sent(5, "Ann", "", file="s.webp", media_type="sticker", sticker_emoji="👍"),
        ),
    )
    said, photo, file, sticker = workspace.conversations[0].messages
    assert (said.content, said.metadata) == ("See https://a.b now", {"reply_to": "1"})
    assert (photo.images, photo.content) == (1, "")
    assert (file.name, file.images, file.metadata) == ("user1", 0, {"files": ["a.pdf"]})
    assert (sticker.content, sticker.images) == ("👍", 1)
    assert said.time is not None
    assert [one.place for one in workspace.problems if one.severity == "warning"] == ["$.messages[1].text[2]"]


@pytest.mark.parametrize("broken", [5, {}, {"id": "1", "content": None}, {"id": 1, "type": "message", "text": None}])
def test_one_bad_message_keeps_the_others(broken: Any) -> None:
    for kind, value in (
        (discord.FORMAT, channel(broken, posted("1", ANN, "Hi"))),
        (telegram.FORMAT, chat(broken, sent(1, "Ann", "Hi"))),
    ):
        workspace = opened(kind, value)
        assert len(workspace.conversations[0].messages) == 1
        assert [one.place for one in workspace.problems if one.severity == "error"] == ["$.messages[0]"]


@pytest.mark.parametrize("kind", [discord.FORMAT, telegram.FORMAT])
@pytest.mark.parametrize("value", [[], {}, 5, {"messages": []}, {"messages": [{"role": "user", "content": "x"}]}])
def test_other_json_is_not_claimed(kind: Format, value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert kind.sniff(source) == 0
    with pytest.raises(UnreadableError):
        kind.load(source)
