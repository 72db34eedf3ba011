"""Thoughts have the tokens that the provider recorded for them, where the answer has a single thought."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.opening import load_workspace
from inspector.model import Thought

SEALED = {"type": "reasoning", "id": "r", "summary": [], "encrypted_content": "gAAA"}
SAID = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Ho"}]}
USAGE = {"input_tokens": 9, "output_tokens": 50, "output_tokens_details": {"reasoning_tokens": 40}}
RESPONSE = {"object": "response", "model": "gpt-5", "output": [SEALED, SAID], "usage": USAGE}
GEMINI = {
    "contents": [{"role": "user", "parts": [{"text": "Hi"}]}],
    "candidates": [{"content": {"role": "model", "parts": [{"text": "Hm", "thought": True}, {"text": "Ho"}]}}],
    "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 3, "thoughtsTokenCount": 40},
}


def thoughts_of(folder: Path, value: Any) -> list[Thought]:
    path = folder / "x.json"
    path.write_text(json.dumps(value))
    messages = load_workspace([path]).conversations[0].messages
    return [part for message in messages for part in message.parts if isinstance(part, Thought)]


@pytest.mark.parametrize("value", [RESPONSE, GEMINI])
def test_the_only_thought_has_them(tmp_path: Path, value: Any) -> None:
    assert [one.tokens for one in thoughts_of(tmp_path, value)] == [40]


def test_several_thoughts_share_a_count_that_is_of_none_of_them(tmp_path: Path) -> None:
    value = {**RESPONSE, "output": [SEALED, SAID, SEALED, SAID]}
    assert [(one.tokens, one.encrypted, one.bytes) for one in thoughts_of(tmp_path, value)] == [(None, True, 4)] * 2
