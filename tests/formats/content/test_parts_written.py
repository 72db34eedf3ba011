"""Parts written back: into our own files, and as OpenAI, Anthropic, Gemini and Ollama have them."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from inspector.assembly.answer import Answer, measured, planned_answer
from inspector.assembly.pipeline import Pipeline
from inspector.assembly.presets import load_presets
from inspector.assembly.scenario import Scenario
from inspector.formats.chat_exports import export_chat
from inspector.formats.content.written import MOST_MEDIUM, Written
from inspector.formats.native.write import save_workspace
from inspector.formats.opening import load_workspace
from inspector.model import (
    Call,
    DocumentPart,
    Image,
    Message,
    Place,
    Result,
    Sound,
    Text,
    Thought,
    Unknown,
    Workspace,
    changed,
)
from inspector.pages.requests import REQUESTS, prompt_request
from inspector.plugins import policies

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
WRITTEN = base64.b64encode(PNG).decode()
CHAT = {
    "model": "claude-opus-4-5",
    "max_tokens": 99,
    "messages": [
        {"role": "user", "content": [
            {"type": "text", "text": "Above"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": WRITTEN}},
            {"type": "text", "text": "Below"}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "Hm", "signature": "sig"},
            {"type": "redacted_thinking", "data": "abcd"},
            {"type": "tool_use", "id": "c1", "name": "look", "input": {"at": "sea"}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": [
                {"type": "text", "text": "Sea"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": WRITTEN}}]}]},
    ],
}  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps(CHAT))
    return path


def messages_of(path: Path) -> tuple[Message, ...]:
    return load_workspace([path]).conversations[0].messages


def answer_to(workspace: Workspace) -> Answer:
    pipeline = Pipeline(workspace, policies()[0], load_presets())
    scenario = Scenario(tokenizer="estimate:words", context_window=4096, model="gpt-4o", policy="naive")
    return measured(pipeline, planned_answer(pipeline, pipeline.case(scenario)))


@pytest.mark.parametrize("ending", ["json", "yaml"])
def test_a_saved_workspace_has_the_same_parts_and_places(source: Path, tmp_path: Path, ending: str) -> None:
    workspace = load_workspace([source])
    saved = tmp_path / f"saved.workspace.{ending}"
    save_workspace(workspace, saved)
    assert [one.parts for one in messages_of(saved)] == [one.parts for one in messages_of(source)]
    assert WRITTEN not in saved.read_text()


def test_an_export_as_anthropic_is_what_was_read(source: Path) -> None:
    workspace = load_workspace([source])
    export = export_chat(workspace, workspace.conversations[0], "anthropic")
    assert json.loads(export.content)["messages"] == CHAT["messages"]
    assert export.lost == ()


def test_an_export_as_openai_has_the_picture_and_names_what_it_lacks(source: Path) -> None:
    workspace = load_workspace([source])
    export = export_chat(workspace, workspace.conversations[0], "openai")
    user, assistant, tool = json.loads(export.content)["messages"]
    assert user["content"][1] == {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{WRITTEN}"}}
    assert (assistant["reasoning_content"], assistant["tool_calls"][0]["id"]) == ("Hm", "c1")
    assert tool["content"] == f"Sea\n[picture, 1 × 1, PNG, {len(PNG)} bytes]"
    assert set(export.lost) == {"1 thought", "1 picture"}


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_request_has_the_picture_of_the_prompt(source: Path, kind: str) -> None:
    request = prompt_request(answer_to(load_workspace([source])), kind)
    assert request.content.decode().count(WRITTEN) == (1 if kind == "openai" else 2), "OpenAI's results are text"


def test_a_request_to_gemini_names_the_function_of_a_result(source: Path) -> None:
    request = prompt_request(answer_to(load_workspace([source])), "gemini")
    first, said, answered = json.loads(request.content)["contents"]
    assert first["role"] == answered["role"] == "user"
    assert first["parts"][1] == {"inlineData": {"mimeType": "image/png", "data": WRITTEN}}
    assert said["role"] == "model"
    assert said["parts"][0] == {"text": "Hm", "thought": True}
    assert said["parts"][1:] == [{"functionCall": {"id": "c1", "name": "look", "args": {"at": "sea"}}}]
    assert request.lost == ("1 thought",), "what Anthropic encrypted is no signature of Gemini"
    assert answered["parts"][0]["functionResponse"] == {"id": "c1", "name": "look", "response": {"output": "Sea"}}


def test_where_the_source_is_gone_a_line_stands_in_its_place(source: Path) -> None:
    workspace = load_workspace([source])
    source.unlink()
    export = export_chat(workspace, workspace.conversations[0], "openai")
    user = json.loads(export.content)["messages"][0]
    assert user["content"] == f"Above\n[picture, 1 × 1, PNG, {len(PNG)} bytes: not in the source any more]\nBelow"
    assert "1 picture (not in the source any more)" in export.lost


def test_what_is_too_large_or_has_no_data_is_said() -> None:
    written = Written()
    large = Image(9, 9, bytes=MOST_MEDIUM + 1, place=Place("f.json", "$"))
    parts = (large, Image(address="https://example.org/a.png"), Sound(), Unknown("odd", 3), DocumentPart(text="Told"))
    value = written.openai(Message("m", "user", parts=parts), False)
    assert [one["type"] for one in value["content"]] == ["text", "image_url", "text", "text", "text"]
    assert value["content"][1]["image_url"]["url"] == "https://example.org/a.png"
    assert value["content"][4]["text"] == "Told"
    assert {words for _, words, _ in written.lost()} == {
        "picture (larger than 24 MB)",
        "sound",
        "part of an unknown type",
    }


def opened(tmp_path: Path, message: dict[str, Any]) -> tuple[Message, list[str]]:
    path = tmp_path / "own.workspace.json"
    conversation = {"id": "c", "messages": [{"id": "m", "role": "user", **message}]}
    path.write_text(json.dumps({"format": "prompt-inspector/workspace@1", "conversations": [conversation]}))
    workspace = load_workspace([path])
    return workspace.conversations[0].messages[0], [problem.place for problem in workspace.problems]


def test_the_contract_s_parts_are_read(tmp_path: Path) -> None:
    content = [
        {"type": "text", "text": "Look"},
        {"type": "thought", "encrypted": True, "tokens": 40},
        {"type": "call", "id": "c1", "name": "look", "arguments": {"at": "sea"}},
        {"type": "result", "id": "c1", "name": "look", "content": "Sea"},
        {"type": "image", "width": 1024, "height": 768, "detail": "high", "media_type": "image/png", "bytes": 9},
        {"type": "document", "pages": 3, "media_type": "application/pdf", "bytes": 9, "text": "Told"},
        {"type": "audio", "seconds": 1.5, "media_type": "audio/wav", "bytes": 9},
        {"type": "unknown", "kind": "hologram", "bytes": 9},
    ]
    message, problems = opened(tmp_path, {"content": content})
    assert message.parts == (
        Text("Look"),
        Thought("", True, 40),
        Call("c1", "look", '{"at":"sea"}'),
        Result("c1", "look", "Sea"),
        Image(1024, 768, "high", "image/png", 9),
        DocumentPart(3, "application/pdf", 9, "Told"),
        Sound(1.5, "audio/wav", 9),
        Unknown("hologram", 9),
    )
    assert (message.content, message.images, problems) == ("Look\nSea\nTold", 2, [])


def test_older_keys_are_parts(tmp_path: Path) -> None:
    calls = [{"id": "1", "name": "f", "arguments": "{}"}]
    message, problems = opened(
        tmp_path, {"content": "Hi", "images": 2, "tool_calls": calls, "metadata": {"reasoning": "Hm", "line": 3}}
    )
    assert message.parts == (Thought("Hm"), Text("Hi"), Image(), Image(), Call("1", "f", "{}"))
    assert (message.metadata, problems) == ({"line": 3}, [])
    answer, _ = opened(tmp_path, {"role": "tool", "content": "Sea", "tool_call_id": "1"})
    assert answer.parts == (Result("1", "", "Sea"),)


def test_bad_parts_cost_themselves_and_are_named(tmp_path: Path) -> None:
    content = [
        {"type": "text", "text": "a"},
        {"type": "image", "width": "wide", "heigth": 3},
        {"type": "call", "name": "f"},
        {"type": "image", "width": -5},
        {"type": "smell"},
    ]
    message, problems = opened(tmp_path, {"content": content})
    place = "$.conversations[0].messages[0].content"
    assert set(problems) == {
        f"{place}[1].width", f"{place}[1].heigth", f"{place}[3].width", f"{place}[4]"}  # fmt: skip
    assert [type(part) for part in message.parts] == [Text, Image, Call, Image, Unknown]


def test_content_and_parts_of_a_message_cannot_disagree() -> None:
    with pytest.raises(ValueError, match="text of its parts"):
        Message("m", "user", "other", parts=(Text("a"), Image()))
    with pytest.raises(ValueError, match="text of its parts"):
        changed(Message("m", "user", parts=(Text("a"), Image())), content="b")
    assert Message("m", "user", parts=(Text("a"),)) == Message("m", "user", "a")


def test_a_signature_of_gemini_goes_back_with_the_part_after_it(tmp_path: Path) -> None:
    call = {"functionCall": {"id": "c1", "name": "look", "args": {}}, "thoughtSignature": "sign"}
    path = tmp_path / "gemini.json"
    turns = [{"role": "user", "parts": [{"text": "Hi"}]}, {"role": "model", "parts": [call]}]
    path.write_text(json.dumps({"contents": turns}))
    request = prompt_request(answer_to(load_workspace([path])), "gemini")
    assert json.loads(request.content)["contents"][1]["parts"] == [call]
    assert request.lost == ()


def test_a_last_signature_of_gemini_goes_back_with_an_empty_text(tmp_path: Path) -> None:
    signed = [{"text": "Paris."}, {"text": "", "thoughtSignature": "sign"}]
    path = tmp_path / "gemini.json"
    turns = [{"role": "user", "parts": [{"text": "Hi"}]}, {"role": "model", "parts": signed}]
    path.write_text(json.dumps({"contents": turns}))
    request = prompt_request(answer_to(load_workspace([path])), "gemini")
    assert json.loads(request.content)["contents"][1]["parts"][-1] == signed[-1]
    assert request.lost == ()
