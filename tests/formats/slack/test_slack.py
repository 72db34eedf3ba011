"""Exports of Slack: the zip, the folder, single days, and what is broken in them."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.slack.export import FORMAT
from inspector.model import Workspace
from inspector.reading.source import FileSource, UnreadableError
from tests.reading.zips import zipped

ANN, BEN, NOVA = "U0000001", "U0000002", "U0000003"
PEOPLE: list[dict[str, Any]] = [
    {"id": ANN, "name": "ann", "real_name": "Ann Bell", "profile": {"display_name": "Ann"}},
    {"id": BEN, "name": "ben", "profile": {"display_name": "", "real_name": "Ben Hur"}},
]
BOT = {"id": NOVA, "name": "nova", "is_bot": True, "profile": {"display_name": "Nova"}}


def said(ts: float, user: str, text: str, **more: Any) -> dict[str, Any]:
    return {"type": "message", "user": user, "text": text, "ts": f"{ts:.6f}", **more}


DAYS: dict[str, Any] = {
    "sea/2016-01-17.json": [
        said(1453000100, BEN, "Ho &amp; hi"),
        said(1453000000, ANN, f"<@{BEN}> see <#C1|tea> <!here> <https://a.b|the sea> &lt;b&gt;"),
    ],
    "sea/2016-01-18.json": [
        said(1453086400, BEN, "Later", thread_ts="1453000000.000000"),
        said(1453086500, BEN, "joined", subtype="channel_join"),
    ],
}


def bytes_of(files: dict[str, Any]) -> dict[str, bytes]:
    return {name: json.dumps(value).encode() for name, value in files.items()}


def from_zip(tmp_path: Path, files: dict[str, Any]) -> Workspace:
    (tmp_path / "export.zip").write_bytes(zipped(bytes_of(files)))
    return load_workspace([tmp_path / "export.zip"])


def from_folder(tmp_path: Path, files: dict[str, Any]) -> Workspace:
    for name, content in bytes_of(files).items():
        (tmp_path / "export" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "export" / name).write_bytes(content)
    return load_workspace([tmp_path / "export"])


@pytest.mark.parametrize("opened", [from_zip, from_folder])
def test_the_days_of_a_channel_are_one_conversation(opened: Any, tmp_path: Path) -> None:
    workspace = opened(tmp_path, {"users.json": PEOPLE, **DAYS})
    (chat,) = workspace.conversations
    assert [(one.id, one.role, one.name, one.content, dict(one.metadata)) for one in chat.messages] == [
        ("1453000000.000000", "user", "Ann", "@Ben Hur see #tea @here the sea (https://a.b) <b>", {}),
        ("1453000100.000000", "assistant", "Ben Hur", "Ho & hi", {}),
        ("1453086400.000000", "assistant", "Ben Hur", "Later", {"thread": "1453000000.000000"}),
    ]
    assert (chat.id, chat.title, workspace.characters) == ("sea", "sea", ())
    messages = [one.message for one in workspace.problems]
    assert any(text.startswith("1 notice of the application was left out") for text in messages)
    assert any(text.startswith("Ben Hur is taken for the assistant") for text in messages)
    assert not any(one.severity != "info" for one in workspace.problems)


@pytest.mark.parametrize("opened", [from_zip, from_folder])
def test_bots_are_the_assistants(opened: Any, tmp_path: Path) -> None:
    post = {"type": "message", "subtype": "bot_message", "bot_id": "B1", "username": "helper", "text": "", "ts": "3.0"}
    box = {"pretext": "", "title": "Tides", "text": "High <https://a.b>", "fallback": "no"}
    day = [said(1, ANN, "Hi"), said(2, NOVA, "Ho"), {**post, "attachments": [box]}, said(4, BEN, "So")]
    (chat,) = opened(tmp_path, {"users.json": [*PEOPLE, BOT], "sea/2016-01-17.json": day}).conversations
    assert [(one.role, one.name) for one in chat.messages] == [
        ("user", "Ann"),
        ("assistant", "Nova"),
        ("assistant", "helper"),
        ("user", "Ben Hur"),
    ]
    assert chat.messages[2].content == "Tides\nHigh https://a.b"


@pytest.mark.parametrize("opened", [from_zip, from_folder])
def test_a_private_chat_is_named_by_its_people(opened: Any, tmp_path: Path) -> None:
    days = {"D0000001/2016-01-17.json": [said(1, ANN, "Hi"), said(2, BEN, "Ho")]}
    (chat,) = opened(tmp_path, {"users.json": PEOPLE, **days}).conversations
    assert (chat.id, chat.title) == ("D0000001", "Ann, Ben Hur")


def test_two_exports_side_by_side_stay_apart(tmp_path: Path) -> None:
    others = [{**PEOPLE[0], "profile": {"display_name": "Zoe"}}]
    for name, people in (("one", PEOPLE), ("two", others)):
        (tmp_path / name).mkdir()
        from_folder(tmp_path / name, {"users.json": people, **DAYS})
    one, two = load_workspace([tmp_path]).conversations
    assert (one.messages[0].name, two.messages[0].name) == ("Ann", "Zoe")
    assert (one.id, two.id) == ("sea", "sea-2")


def test_a_day_alone_has_the_names_that_it_holds() -> None:
    profile = {"display_name": "Ann", "real_name": "Ann Bell"}
    files = [{"name": "a.png", "mimetype": "image/png"}, {"name": "a.pdf", "mimetype": "application/pdf"}]
    day = [said(1, ANN, "Hi", user_profile=profile), said(2, BEN, "", files=files), said(3, BEN, "")]
    source = FileSource("sea/2016-01-17.json", json.dumps(day).encode())
    assert rank_formats(source, built_in_formats())[0][0] is FORMAT
    (chat,) = FORMAT.load(source).conversations
    first, second = chat.messages
    assert (first.name, second.name, second.images) == ("Ann", BEN, 1)
    assert second.metadata["files"] == ["a.png", "a.pdf"]
    assert chat.title == "sea/2016-01-17"


@pytest.mark.parametrize("opened", [from_zip, from_folder])
def test_what_is_broken_is_a_problem_and_the_rest_opens(opened: Any, tmp_path: Path) -> None:
    files = {
        **DAYS,
        "users.json": [*PEOPLE, 5, {}],
        "tea/2016-01-17.json": [5, said(1, ANN, "Hi"), {"type": "message"}],
    }
    workspace = opened(tmp_path, files)
    assert [(chat.id, len(chat.messages)) for chat in workspace.conversations] == [("sea", 3), ("tea", 1)]
    bad = [one for one in workspace.problems if one.severity == "error"]
    assert [(one.place, one.file.endswith("tea/2016-01-17.json")) for one in bad] == [("$[0]", True), ("$[2]", True)]


def test_a_broken_day_in_a_zip_keeps_the_others(tmp_path: Path) -> None:
    content = bytes_of({"users.json": PEOPLE, **DAYS})
    content["sea/2016-01-19.json"] = b'[{"type": "message", '
    content["sea/2016-01-20.json"] = b"{}"
    (tmp_path / "export.zip").write_bytes(zipped(content))
    workspace = load_workspace([tmp_path / "export.zip"])
    assert len(workspace.conversations[0].messages) == 3
    bad = [one for one in workspace.problems if one.severity != "info"]
    assert [one.file.rpartition("/")[2] for one in bad] == ["2016-01-19.json", "2016-01-20.json"]


def test_people_alone_are_no_chat(tmp_path: Path) -> None:
    (tmp_path / "users.json").write_text(json.dumps(PEOPLE))
    workspace = load_workspace([tmp_path / "users.json"])
    assert (workspace.conversations, workspace.characters) == ((), ())
    assert "names 2 people of Slack" in workspace.problems[0].message


@pytest.mark.parametrize(
    "value",
    [
        [],
        {},
        5,
        [{"type": "message", "text": "x"}],
        [{"type": "human", "ts": "1"}],
        [{"id": "1", "name": "x"}],
        [PEOPLE],
    ],
)
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert FORMAT.sniff(source) == 0
    with pytest.raises(UnreadableError):
        FORMAT.load(source)


def test_other_archives_are_not_claimed() -> None:
    for files in ({"users.json": PEOPLE}, DAYS, {"users.json": PEOPLE, "a/2016-01-17.json": [1]}, {"a/b.json": []}):
        assert FORMAT.sniff(FileSource("x.zip", zipped(bytes_of(files)))) == 0
