"""Every vendor's layout of parts, read by the same reader: the same parts, in order, with sizes and places."""

import base64
import json
import struct
import zlib
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.content.reader import read_content
from inspector.formats.notes import Notes
from inspector.model import (
    Call,
    DocumentPart,
    Image,
    Medium,
    Part,
    Result,
    Sound,
    Text,
    Thought,
    Unknown,
    Video,
    changed,
)
from inspector.model.parts import flat
from tests.examples import examples


def _png(width: int, height: int) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\0" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _wav(seconds: int) -> bytes:
    data = b"\0\0" * 8_000 * seconds
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1, 8_000, 16_000, 2, 16,
                       b"data", len(data))  # fmt: skip
    return head + data


def _pdf(pages: int) -> bytes:
    kids = " ".join(f"{number + 3} 0 R" for number in range(pages))
    leaves = "".join(f"{n + 3} 0 obj\n<< /Type /Page /Parent 2 0 R >>\nendobj\n" for n in range(pages))
    tree = f"2 0 obj\n<< /Type /Pages /Kids [{kids}] /Count {pages} >>\nendobj\n"
    return f"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n{tree}{leaves}%%EOF".encode()


def _written(data: bytes) -> str:
    return base64.b64encode(data).decode()


PNG, WAV, PDF = _written(_png(40, 20)), _written(_wav(2)), _written(_pdf(3))
PNG_URL, PDF_URL = f"data:image/png;base64,{PNG}", f"data:application/pdf;base64,{PDF}"
IMAGE = Image(40, 20, media_type="image/png", bytes=len(_png(40, 20)))
DOCUMENT = DocumentPart(3, media_type="application/pdf", bytes=len(_pdf(3)))
SOUND = Sound(2.0, media_type="audio/wav", bytes=len(_wav(2)))
CALL = Call("c1", "look", '{"at":"sea"}')
AT = {"at": "sea"}

LAYOUTS: dict[str, tuple[Any, list[Part]]] = {
    "openai chat": (
        [
            {"type": "text", "text": "Look"},
            {"type": "image_url", "image_url": {"url": PNG_URL, "detail": "low"}},
            {"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}},
            {"type": "file", "file": {"filename": "a.pdf", "file_data": PDF_URL}},
            {"type": "refusal", "refusal": "No"},
        ],
        [Text("Look"), changed(IMAGE, detail="low"), SOUND, changed(DOCUMENT, name="a.pdf"), Text("No")],
    ),
    "openai responses": (
        [
            {"type": "input_text", "text": "Look"},
            {"type": "input_image", "image_url": PNG_URL, "detail": "high"},
            {"type": "input_file", "filename": "a.pdf", "file_data": PDF_URL},
            {"type": "input_image", "file_id": "file-1", "detail": "auto"},
            {"type": "output_text", "text": "Sea"},
        ],
        [
            *(Text("Look"), changed(IMAGE, detail="high"), changed(DOCUMENT, name="a.pdf")),
            *(Image(detail="auto", address="file-1"), Text("Sea")),
        ],
    ),
    "anthropic": (
        [
            {"type": "thinking", "thinking": "Hm", "signature": "sig"},
            {"type": "redacted_thinking", "data": "abcd"},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}},
            {"type": "document", "title": "A", "source": {
                "type": "base64", "media_type": "application/pdf", "data": PDF}},
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Told"}},
            {"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "One"}]}},
            {"type": "search_result", "title": "T", "source": "https://e.org", "content": [
                {"type": "text", "text": "F"}]},
            {"type": "server_tool_use", "id": "c1", "name": "look", "input": AT},
        ],
        [
            *(Thought("Hm"), Thought("", True, bytes=4), IMAGE, Image(address="https://example.org/a.png")),
            *(changed(DOCUMENT, name="A"), DocumentPart(media_type="text/plain", text="Told")),
            *(DocumentPart(text="One"), Text("T\nhttps://e.org"), Text("F"), CALL),
        ],
    ),
    "anthropic results": (
        [
            {"type": "tool_result", "tool_use_id": "c1", "content": [
                {"type": "text", "text": "Sea"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}]},
            {"type": "web_search_tool_result", "tool_use_id": "c2", "content": [
                {"type": "web_search_result", "title": "T", "url": "https://e.org", "encrypted_content": "xyz"}]},
        ],
        [
            Result("c1", "", "Sea", (IMAGE,)),
            Result("c2", "", "T\nhttps://e.org", (Unknown("encrypted_content", 3),)),
        ],
    ),
    "gemini": (
        [
            {"text": "Hm", "thought": True},
            {"text": "Look"},
            {"inlineData": {"mimeType": "image/png", "data": PNG},
             "mediaResolution": {"level": "MEDIA_RESOLUTION_LOW"}},
            {"inline_data": {"mime_type": "application/pdf", "data": PDF}},
            {"fileData": {"mimeType": "video/mp4", "fileUri": "gs://a/b.mp4"}},
            {"functionCall": {"id": "c1", "name": "look", "args": AT}, "thoughtSignature": "sign"},
            {"functionResponse": {"id": "c1", "name": "look", "response": {"output": "Sea"}}},
            {"executableCode": {"language": "PYTHON", "code": "1+1"}},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2"}},
        ],
        [
            *(Thought("Hm"), Text("Look"), changed(IMAGE, detail="low"), DOCUMENT),
            *(Video(media_type="video/mp4", address="gs://a/b.mp4"), Thought("", True, bytes=4), CALL),
            *(Result("c1", "look", "Sea"), Call("", "code_execution", "1+1"), Result("", "code_execution", "2")),
        ],
    ),
    "bedrock": (
        [
            {"text": "Look"},
            {"image": {"format": "png", "source": {"bytes": PNG}}},
            {"document": {"format": "pdf", "name": "A", "source": {"bytes": PDF}}},
            {"video": {"format": "mp4", "source": {"s3Location": {"uri": "s3://a/b.mp4"}}}},
            {"toolUse": {"toolUseId": "c1", "name": "look", "input": AT}},
            {"toolResult": {"toolUseId": "c1", "status": "success", "content": [
                {"text": "Sea"}, {"json": {"m": 4}}, {"image": {"format": "png", "source": {"bytes": PNG}}}]}},
            {"reasoningContent": {"reasoningText": {"text": "Hm", "signature": "sig"}}},
            {"reasoningContent": {"redactedContent": "abcd"}},
            {"cachePoint": {"type": "default"}},
            {"guardContent": {"text": {"text": "Safe", "qualifiers": ["query"]}}},
        ],
        [
            *(Text("Look"), IMAGE, changed(DOCUMENT, name="A"), Video(media_type="video/mp4", address="s3://a/b.mp4")),
            *(CALL, Result("c1", "", 'Sea\n{"m":4}', (IMAGE,)), Thought("Hm"), Thought("", True, bytes=4)),
            Text("Safe"),
        ],
    ),
    "opentelemetry": (
        [
            {"type": "text", "content": "Look"},
            {"type": "reasoning", "content": "Hm"},
            {"type": "blob", "modality": "image", "mime_type": "image/png", "content": PNG},
            {"type": "file", "modality": "image", "file_id": "file-1"},
            {"type": "uri", "modality": "video", "uri": "https://example.org/v"},
            {"type": "tool_call", "id": "c1", "name": "look", "arguments": AT},
            {"type": "tool_call_response", "id": "c1", "response": {"m": 4}},
        ],
        [
            *(Text("Look"), Thought("Hm"), IMAGE, Image(address="file-1"), Video(address="https://example.org/v")),
            *(CALL, Result("c1", "", '{"m":4}')),
        ],
    ),
    "vercel": (
        [
            {"type": "reasoning", "text": "Hm"},
            {"type": "file", "mediaType": "image/png", "url": PNG_URL},
            {"type": "file", "mediaType": "application/pdf", "filename": "a.pdf", "data": PDF},
            {"type": "image", "image": PNG},
            {"type": "tool-call", "toolCallId": "c1", "toolName": "look", "input": AT},
            {"type": "tool-result", "toolCallId": "c1", "toolName": "look", "output": {"type": "text", "value": "Sea"}},
            {"type": "tool-result", "toolCallId": "c1", "toolName": "look", "output": {"type": "content", "value": [
                {"type": "text", "text": "Sea"}, {"type": "media", "data": PNG, "mediaType": "image/png"}]}},
            {"type": "redacted-reasoning", "data": "abcd"},
        ],
        [
            *(Thought("Hm"), IMAGE, changed(DOCUMENT, name="a.pdf"), IMAGE, CALL, Result("c1", "look", "Sea")),
            *(Result("c1", "look", "Sea", (IMAGE,)), Thought("", True, bytes=4)),
        ],
    ),
    "langchain": (
        [
            {"type": "text", "text": "Look"},
            {"type": "reasoning", "reasoning": "Hm"},
            {"type": "image", "base64": PNG, "mime_type": "image/png"},
            {"type": "image", "source_type": "base64", "data": PNG, "mime_type": "image/png"},
            {"type": "audio", "base64": WAV, "mime_type": "audio/wav"},
            {"type": "file", "base64": PDF, "mime_type": "application/pdf"},
            {"type": "video", "url": "https://example.org/v.mp4"},
            {"type": "text-plain", "text": "Told", "mime_type": "text/plain"},
            {"type": "tool_call", "id": "c1", "name": "look", "args": AT},
        ],
        [
            *(Text("Look"), Thought("Hm"), IMAGE, IMAGE, SOUND, DOCUMENT, Video(address="https://example.org/v.mp4")),
            *(DocumentPart(media_type="text/plain", text="Told"), CALL),
        ],
    ),
    "mistral": (
        [
            {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]},
            {"type": "image_url", "image_url": PNG_URL},
            {"type": "document_url", "document_url": "https://example.org/a.pdf", "document_name": "a.pdf"},
            {"type": "input_audio", "input_audio": WAV},
        ],
        [Thought("Hm"), IMAGE, DocumentPart(name="a.pdf", address="https://example.org/a.pdf"), SOUND],
    ),
    "letta, librechat and jan": (
        [
            {"type": "think", "think": "Hm"},
            {"type": "omitted_reasoning"},
            {"type": "summarized_reasoning", "summary": [{"index": 0, "text": "So"}]},
            {"type": "tool_call", "tool_call": {"id": "c1", "name": "look", "args": '{"at":"sea"}', "output": "Sea"}},
            {"type": "tool_return", "tool_call_id": "c1", "content": "Sea"},
            {"type": "reasoning", "text": {"value": "Hm", "annotations": []}},
        ],
        [
            *(Thought("Hm"), Thought("", True), Thought("So"), CALL, Result("c1", "look", "Sea")),
            *(Result("c1", "", "Sea"), Thought("Hm")),
        ],
    ),
}  # fmt: skip


def parts_of(content: Any) -> tuple[list[Part], list[str]]:
    notes = Notes("f.json")
    return read_content(content, notes, "$"), [problem.place for problem in notes.problems]


def unplaced(parts: list[Part]) -> list[Part]:
    """Return the parts without the places of their data."""
    found: list[Part] = []
    for part in parts:
        if isinstance(part, Result):
            part = changed(part, parts=tuple(unplaced(list(part.parts))))
        found.append(changed(part, place=None) if hasattr(part, "place") else part)
    return found


@pytest.mark.parametrize("vendor", LAYOUTS)
def test_each_layout_has_its_parts_in_order_with_their_sizes(vendor: str) -> None:
    content, expected = LAYOUTS[vendor]
    found, problems = parts_of(content)
    assert unplaced(found) == expected
    assert problems == []


@pytest.mark.parametrize("vendor", LAYOUTS)
def test_each_place_leads_to_the_data(vendor: str) -> None:
    content, _ = LAYOUTS[vendor]
    found, _ = parts_of(content)
    sizes = (IMAGE.bytes, DOCUMENT.bytes, SOUND.bytes)
    places = [part.place for part in flat(found) if isinstance(part, Medium) and part.bytes in sizes]
    assert None not in places
    texts = [str(_at(content, place.path)).rpartition(",")[2] for place in places if place is not None]
    assert set(texts) <= {PNG, PDF, WAV}
    assert len(texts) == json.dumps(content).count(PNG) + json.dumps(content).count(PDF) + json.dumps(content).count(
        WAV
    )


def _at(value: Any, path: str) -> Any:
    for step in path.removeprefix("$").replace("[", ".").replace("]", "").split(".")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


ONE = [(vendor, number) for vendor, (content, _) in LAYOUTS.items() for number in range(len(content))]


@examples(120)
@given(st.sampled_from(ONE), st.sampled_from(["rename", "wrap", "nest", "drop"]), st.integers(0, 3))
def test_a_mutated_part_is_read_or_a_problem_says_so(one: tuple[str, int], how: str, place: int) -> None:
    """No part vanishes: whatever happens to its keys, something stands for it, or a problem does."""
    vendor, number = one
    part = LAYOUTS[vendor][0][number]
    found, problems = parts_of([_mutated(part, how, place)])
    unknown = [held for held in flat(found) if isinstance(held, Unknown) and held.kind != "encrypted_content"]
    assert found or problems or "cachePoint" in part
    assert problems or not unknown


def _mutated(part: Mapping[str, Any], how: str, place: int) -> Any:
    key = list(part)[place % len(part)]
    if how == "rename":
        return {("odd" if one == key else one): value for one, value in part.items()}
    if how == "wrap":
        return {"content": part}
    if how == "nest":
        return {one: ({"inner": value} if one == key else value) for one, value in part.items()}
    return {one: value for one, value in part.items() if one != key}


@pytest.mark.parametrize("part", [5, {"type": "hologram", "data": "x" * 90}, {"smell": "rose"}, {"type": []}])
def test_what_no_reader_knows_is_kept_as_unknown_with_its_size(part: Any) -> None:
    found, problems = parts_of([{"type": "text", "text": "a"}, part, {"type": "text", "text": "b"}])
    assert problems == ["$[1]"]
    kept = [one for one in found if isinstance(one, Unknown)]
    assert [one.bytes for one in kept] == ([] if part == 5 else [len(json.dumps(part, separators=(",", ":")))])
