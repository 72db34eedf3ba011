"""Definitions of tools as gpt-oss reads them; openai-harmony itself is asked by `make references`."""

import json
from pathlib import Path
from random import Random

import pytest

from inspector.tokens.chat.format import count_segments, shipped_format
from inspector.tokens.chat.messages import ChatMessage
from inspector.tokens.chat.typescript import harmony_definitions
from inspector.tokens.embedded import embedded_tokenizer
from tests.facts import facts
from tests.references.schemas import definitions


def written(schema: dict) -> str:
    tool = {"type": "function", "function": {"name": "f", "description": "Do it", "parameters": schema}}
    return harmony_definitions([tool])


def test_golden_definitions(data_folder: Path) -> None:
    tokenizer, chat_format = embedded_tokenizer("gpt-oss"), shipped_format("harmony", "gpt-oss")
    rows = facts(data_folder, "harmony_tools.jsonl")
    assert len(rows) == 30
    for row in rows:
        messages = [ChatMessage(said["role"], said["content"]) for said in row["messages"]]
        assert row["shown"] in harmony_definitions(row["tools"]), row["name"]
        assert count_segments(tokenizer, chat_format.render(messages, row["tools"]).stretches) == row["tokens"]


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"type": "string", "title": "A"}, "// A\n//\na?: string,\n"),
        ({"type": ["string", "null"], "default": None}, "a?: string | null, // default: null\n"),
        ({"type": "string", "nullable": True}, "a?: string | null,\n"),
        ({"anyOf": [{"type": "string"}]}, "a?: any,\n"),
        ({"type": "array", "default": [1, "x"]}, 'a?: Array<any>, // default: [1,"x"]\n'),
        (
            {"oneOf": [{"type": "string", "description": "one"}, {"type": "integer"}], "description": "one"},
            "a?:\n | string\n | number\n,\n",
        ),
        (
            {"oneOf": [{"type": "string", "description": "b", "default": "z"}], "description": "both", "default": 1},
            '// both\n// default: 1\na?:\n | string // default: "z"\n,\n',
        ),
    ],
)
def test_a_property(schema: dict, shown: str) -> None:
    assert f"(_: {{\n{shown}}}) => any;" in written({"type": "object", "properties": {"a": schema}})


def test_a_function_without_parameters() -> None:
    assert "type f = () => any;" in harmony_definitions([{"type": "function", "function": {"name": "f"}}])


@pytest.mark.parametrize("wrong", [{"properties": []}, {"properties": {"a": 1}}, {"required": "a"}, {"type": {}}, {}])
def test_schemas_that_are_none_are_written_anyway(wrong: dict) -> None:
    assert written({"type": "object", **wrong}).endswith("} // namespace functions")


def test_a_schema_without_end_has_one() -> None:
    deep: dict = {"type": "object"}
    for _ in range(5000):
        deep = {"type": "object", "properties": {"a": deep}}
    assert "any" in written(deep)


def test_recorded_schemas_hold_every_kind() -> None:
    """Those that the library was asked about: a kind that is missing there was compared with nothing."""
    spelled = json.dumps([definitions(Random(f"kinds {number}")) for number in range(50)])
    for word in ("oneOf", "anyOf", "nullable", "examples", "default", "title", "enum", "items", "required", "$ref"):
        assert f'"{word}"' in spelled
