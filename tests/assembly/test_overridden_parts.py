"""A scenario overrides the fields of a message as if its file had them, also those that are parts of it."""

from typing import Any

import pytest

from inspector.assembly.item_fields import field_value, overridden_item
from inspector.model import Call, Image, Message, Result, Text

SEEN = Message("m", "user", parts=(Text("a"), Image(9, 9), Text("b")))
CALLS = [{"id": "c", "name": "f", "arguments": "{}"}]


@pytest.mark.parametrize(
    ("fields", "parts", "content"),
    [
        ({"content": "x"}, (Text("x"), Image(9, 9)), "x"),
        ({"content": [{"type": "text", "text": "x"}, {"type": "image", "width": 5}]}, (Text("x"), Image(5)), "x"),
        ({"images": 2}, (Text("a"), Text("b"), Image(), Image()), "a\nb"),
        ({"images": 0, "content": "x"}, (), "x"),
        ({"tool_calls": CALLS}, (*SEEN.parts, Call("c", "f", "{}")), "a\nb"),
        ({"tool_call_id": "c"}, (Result("c", "", "a\nb", (Image(9, 9),)),), "a\nb"),
    ],
)
def test_each_field_changes_the_parts(fields: dict[str, Any], parts: tuple[Any, ...], content: str) -> None:
    values = {name: field_value(Message, name, value) for name, value in fields.items()}
    found = overridden_item(SEEN, values)
    assert (found.parts, found.content) == (parts, content)


@pytest.mark.parametrize(
    ("name", "value"),
    [("images", "many"), ("images", -1), ("content", 5), ("content", [{"type": "smell"}]), ("parts", [])],
)
def test_a_wrong_value_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"expected|invalid|is no field"):
        field_value(Message, name, value)
