"""What is not read is named: by its application where that is known, whole or broken."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats import load_workspace, look
from inspector.formats.registry import built_in_formats, candidates
from inspector.reading.source import FileSource

KNOWN: tuple[tuple[Any, str], ...] = (
    ({"id": "r", "scriptName": "x", "findRegex": "/a/", "replaceString": ""}, "regex script of SillyTavern"),
    ({"version": 2, "name": "x", "qrList": [{"label": "a", "message": "b"}]}, "quick replies of SillyTavern"),
    ({"id": "u", "email": "a@example.org", "chatgpt_plus_user": True}, "ChatGPT; the chats are in conversations.json"),
    ([{"uuid": "u", "full_name": "Ann", "email_address": "a@example.org"}], "Claude.ai; the chats are in"),
    ({"collections": {"a": {}}, "aliases": {}}, "local store of qdrant-client"),
    ({"cells": [], "metadata": {}, "nbformat": 4}, "Jupyter notebook"),
    ({"$schema": "https://json-schema.org/x", "type": "object"}, "JSON schema"),
    ({"object": "list", "data": [{"id": "m", "object": "model"}]}, "list of models"),
    (b"<!DOCTYPE html>\n<html><head><title>ChatGPT Data Export</title>", "HTML from an export of ChatGPT"),
    (b"\xef\xbb\xbf \n<!-- saved -->\n<HTML lang=en><body>Hi", "is a page of HTML;"),
    (b'<!DOCTYPE html><html><div class="chatlog__message">', "DiscordChatExporter; export the channel as JSON"),
    (
        b"<!DOCTYPE html><html><div class='rightpanel'><h1>ann</h1><div><span><div><h4>bea</h4></div><p>Hi</p>"
        b"<h6>2024-01-01 10:00:00 UTC</h6></span></div></div>",
        "Snapchat; open chat_history.json",
    ),
    (b"<html><body><h3>Received Saved Chat History</h3><table></table>", "ask for My Data as JSON files"),
    (b"\0RISUSAVE\0\x07" + bytes(range(256)), "save of RisuAI"),
    (b"%PDF-1.7\n%\xff\xff\xff\xff\0\1\2" + bytes(50), "is a PDF"),
    (bytes(257) + b"ustar\x0000" + bytes(300), "tar archive"),
    (b"\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94.", "pickle of Python"),
)
BROKEN: tuple[tuple[bytes, str], ...] = (
    (b'[{"title": "x", "mapping": {"a": {"id": "a"}}, "current_node": "a", ', "a ChatGPT export"),
    (b'[{"uuid": "c", "name": "x", "chat_messages": [{"uuid": ', "a Claude.ai export"),
    (b'{"runSettings": {}, "chunkedPrompt": {"chunks": [{"text": "Hi', "a Google AI Studio prompt"),
    (b'{"conversations": [{"responses": [{"response": {"response_id": "a", ', "a Grok export"),
)


def only_message(tmp_path: Path, content: Any) -> str:
    file = tmp_path / "file"
    file.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    workspace = load_workspace([file])
    assert workspace.sources == ()
    (problem,) = workspace.problems
    return problem.message


@pytest.mark.parametrize(("content", "words"), KNOWN)
def test_a_file_that_is_not_read_is_named(tmp_path: Path, content: Any, words: str) -> None:
    assert words in only_message(tmp_path, content)
    (found,) = look([tmp_path / "file"])
    assert words in found.words


@pytest.mark.parametrize(("content", "words"), BROKEN)
def test_broken_json_names_what_it_looks_like(tmp_path: Path, content: bytes, words: str) -> None:
    assert f"; it looks like {words}" in only_message(tmp_path, content)


def test_json_of_nobody_is_outlined(tmp_path: Path) -> None:
    assert only_message(tmp_path, {"a": 1}).endswith("knows: an object with the keys a")
    assert "looks like" not in only_message(tmp_path, b'{"a": ')


# Real files that are refused, and the application or kind that the refusal names.
_REFUSED = {
    "chatgpt/redacted_2023_invalid_json.json": "a ChatGPT export",
    "openinference/gen-ai-input-messages.json": "JSON schema",
    "qdrant/derived/local/locomo_conv26/collection/whisperengine_memory_elena/storage.sqlite": "qdrant-client",
    "qdrant/derived/local/locomo_conv26/meta.json": "qdrant-client",
    "text_generation_webui/ChatML.yaml": "text-generation-webui",
    "text_generation_webui/Mistral.yaml": "text-generation-webui",
    "langfuse/beeai-2025-08-01.chatml.json": "Langfuse",
    "langfuse/claude-agent-2025-12-22.chatml.json": "Langfuse",
    "langfuse/google-gemini-2025-08-01.chatml.json": "Langfuse",
    "langfuse/langgraph-python-2025-08-22.chatml.json": "Langfuse",
    "langfuse/openai-agents-2025-09-30.chatml.json": "Langfuse",
}
_OF_NOBODY = ("MANIFEST.md", "locomo/LICENSE-locomo.txt", "chroma/derived/locomo_conv26/da4ab43e", "malformed/")


def test_every_real_file_that_is_refused_is_named(data_folder: Path) -> None:
    refused: dict[str, str] = {}
    for path in sorted(path for path in data_folder.rglob("*") if path.is_file()):
        name = path.relative_to(data_folder).as_posix()
        if not name.startswith(_OF_NOBODY) and not (workspace := load_workspace([path])).sources:
            refused[name] = workspace.problems[0].message
    assert refused.keys() == _REFUSED.keys()
    for name, words in _REFUSED.items():
        assert words in refused[name], name


def test_no_format_claims_what_is_known_not_to_be_read() -> None:
    for content, words in KNOWN:
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        assert not candidates(FileSource("x", data), built_in_formats())[0], words
