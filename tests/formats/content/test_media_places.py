"""The data of media are read again from their places: in JSON, lines, archives and JSON kept as text."""

import base64
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.opening import load_workspace
from inspector.model import Image, Message, Place, Text
from inspector.reading.media_data import DataGoneError, MediaSource

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
SOURCE = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PNG).decode()}
TURN = {"role": "user", "content": [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": URL}}]}
ANTHROPIC = {"role": "user", "content": [{"type": "image", "source": SOURCE}, {"type": "text", "text": "Look"}]}
INPUT = {
    "role": "user",
    "parts": [{"type": "blob", "modality": "image", "mime_type": "image/png", "content": SOURCE["data"]}],
}
SPAN = {"name": "chat", "attributes": {"gen_ai.request.model": "gpt-4o", "gen_ai.input.messages": json.dumps([INPUT])}}
GEMINI = {"contents": [{"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": SOURCE["data"]}}]}]}
RESPONSES = {"model": "gpt-4o", "input": [{"role": "user", "content": [{"type": "input_image", "image_url": URL}]}]}
UI = [
    {
        "id": "a",
        "role": "user",
        "parts": [{"type": "step-start"}, {"type": "file", "mediaType": "image/png", "url": URL}],
    }
]
CLAUDE = {"uuid": "c", "name": "T", "chat_messages": [
    {"uuid": "m", "sender": "human", "content": ANTHROPIC["content"], "text": ""}]}  # fmt: skip
OLLAMA = {"model": "llava", "messages": [{"role": "user", "content": "Look", "images": [SOURCE["data"]]}]}
NATIVE = {"format": "prompt-inspector/workspace@1", "conversations": [{"id": "c", "messages": [
    {"role": "user", "content": TURN["content"]}]}]}  # fmt: skip
RESULT = {"messages": [
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "look", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": ANTHROPIC["content"]}]},
], "model": "claude-opus-4-5", "max_tokens": 9}  # fmt: skip

FILES: dict[str, Any] = {
    "openai.json": {"messages": [TURN]},
    "lines.jsonl": [{"messages": [TURN]}, {"messages": [TURN]}],
    "responses.json": RESPONSES,
    "anthropic.json": {"model": "claude-opus-4-5", "max_tokens": 9, "messages": [ANTHROPIC]},
    "result.json": RESULT,
    "claude.json": [CLAUDE],
    "gemini.json": GEMINI,
    "span.json": [SPAN],
    "ui.json": UI,
    "ollama.json": OLLAMA,
    "own.workspace.json": NATIVE,
}


def written(folder: Path, name: str) -> Path:
    path, value = folder / name, FILES[name]
    lines = name.endswith(".jsonl")
    path.write_text("\n".join(map(json.dumps, value)) if lines else json.dumps(value))
    return path


def pictures_of(path: Path) -> list[Image]:
    messages = [one for chat in load_workspace([path]).conversations for one in chat.messages]
    return [part for message in messages for held in message.parts for part in _inside(held) if isinstance(part, Image)]


def _inside(part: Any) -> tuple[Any, ...]:
    return (part, *getattr(part, "parts", ()))


@pytest.mark.parametrize("name", FILES)
def test_the_picture_of_each_layout_is_found_again(tmp_path: Path, name: str) -> None:
    found = pictures_of(written(tmp_path, name))
    assert [(one.width, one.height, one.bytes) for one in found] == [(1, 1, len(PNG))] * (2 if "lines" in name else 1)
    for one in found:
        assert one.place is not None
        assert MediaSource().data_at(one.place, one.bytes) == PNG


def test_a_picture_in_an_archive_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(written(tmp_path, "openai.json"), "chats/openai.json")
    (one,) = pictures_of(path)
    assert one.place is not None
    assert MediaSource().data_at(one.place, one.bytes) == PNG


def test_what_is_gone_or_changed_or_too_large_is_said(tmp_path: Path) -> None:
    path = written(tmp_path, "openai.json")
    (one,) = pictures_of(path)
    assert one.place is not None
    with pytest.raises(DataGoneError, match="more than the 10"):
        MediaSource().data_at(one.place, one.bytes, 10)
    with pytest.raises(DataGoneError, match="has changed"):
        MediaSource().data_at(Place(one.place.file, "$.messages[7].content"), one.bytes)
    path.write_text(path.read_text().replace("iVBO", "iVBOiVBO"))
    with pytest.raises(DataGoneError, match="has changed"):
        MediaSource().data_at(one.place, one.bytes)
    path.unlink()
    with pytest.raises(DataGoneError, match="cannot be read"):
        MediaSource().data_at(one.place, one.bytes)


def test_the_order_of_text_and_pictures_is_kept(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "a"}, TURN["content"][1], {"type": "text", "text": "b"}]
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": parts}]}))
    (message,) = load_workspace([path]).conversations[0].messages
    assert isinstance(message, Message)
    assert [type(part) for part in message.parts] == [Text, Image, Text]
    assert message.content == "a\nb"
