"""text-generation-webui: logs of pairs with their versions, characters, and templates that hold no chat."""

import json
from typing import Any

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.formats.text_generation_webui import files
from inspector.model import Message, Workspace
from inspector.reading.source import FileSource, UnreadableError

LOG: dict[str, Any] = {
    "internal": [["<|BEGIN-VISIBLE-CHAT|>", "Hello"], ["Hi <b>", "Ho"]],
    "visible": [["", "Hello"], ["Hi &lt;b&gt;", "Ho"]],
    "metadata": {
        "user_1": {"timestamp": "Mar 01, 2024 10:01"},
        "assistant_1": {
            "model_name": "x.gguf",
            "versions": [{"content": "Old"}, {"content": "Ho"}],
            "current_version_index": 1,
        },
    },
}
CHARACTER = (
    "name: Mara\ngreeting: |-\n  Hello!\ncontext: |-\n  Mara's Persona: kind.\nexample_dialogue: |-\n  You: Hi\n"
)
TEMPLATE = "instruction_template: |-\n  {%- for message in messages %}\n  {{ message }}{% endfor %}\n"


def opened(content: str) -> Workspace:
    source = FileSource("20240301.json", content.encode())
    assert rank_formats(source, built_in_formats())[0][0] is files.FORMAT
    return files.load(source)


def log(**changes: Any) -> Workspace:
    return opened(json.dumps({**LOG, **changes}))


def messages_of(workspace: Workspace) -> tuple[Message, ...]:
    return workspace.conversations[0].messages


def test_what_the_model_read_is_the_chat() -> None:
    workspace = log()
    found = messages_of(workspace)
    assert [(one.role, one.content) for one in found] == [
        ("assistant", "Hello"),
        ("user", "Hi <b>"),
        ("assistant", "Ho"),
    ]
    assert found[1].time is not None
    assert workspace.conversations[0].model == "x.gguf"


def test_other_versions_stay_in_the_tree() -> None:
    tree = log().conversations[0].tree
    assert tree is not None
    assert [one.content for one in tree.messages] == ["Hello", "Hi <b>", "Old", "Ho"]
    assert tree.parents == ("", "assistant_0", "user_1", "user_1")
    assert tree.leaf == "assistant_1"


def test_the_first_layout_has_other_names() -> None:
    found = messages_of(opened(json.dumps({"data": [["Hi", "Ho"]], "data_visible": [["Hi", "Ho"]]})))
    assert [one.content for one in found] == ["Hi", "Ho"]


def test_tools_and_attached_files() -> None:
    calls = [{"id": "t", "type": "function", "function": {"name": "look", "arguments": "{}"}}]
    steps = [{"tool_calls": calls}, {"role": "tool", "tool_call_id": "t", "content": "Sea"}]
    given = [
        {"name": "a.txt", "type": "text/plain", "content": "Words"},
        {"type": "image/png", "image_data": "A" * 5_000},
    ]
    workspace = log(metadata={"user_1": {"attachments": given}, "assistant_1": {"tool_sequence": steps}})
    _, asked, called, answered, reply = messages_of(workspace)
    assert (asked.content, asked.images) == ("Hi <b>", 1)
    assert [(one.path, one.content) for one in workspace.attachments] == [("user_1/a.txt", "Words")]
    assert (called.tool_calls[0].name, answered.role, answered.tool_call_id) == ("look", "tool", "t")
    assert reply.content == "Ho"


def test_a_character_has_its_context_and_greeting() -> None:
    (character,) = opened(CHARACTER).characters
    assert (character.id, character.name, character.greeting) == ("Mara", "Mara", "Hello!")
    assert [(one.type, one.content) for one in character.components] == [
        ("description", "Mara's Persona: kind."),
        ("example", "You: Hi"),
    ]


def test_a_template_is_named_and_refused() -> None:
    with pytest.raises(UnreadableError, match="instruction template of text-generation-webui"):
        opened(TEMPLATE)


def test_a_row_that_is_no_pair_is_a_problem_and_the_rest_opens() -> None:
    rows = [["Hi", "Ho"], ["x", {"y": 1}], [None, "Again"], *[["a", "b"]] * 3, ["x"], 5]
    workspace = log(internal=rows, metadata=[])
    assert [one.content for one in messages_of(workspace)] == ["Hi", "Ho", "Again", *["a", "b"] * 3]
    assert [problem.place for problem in workspace.problems] == ["$.internal[1]", "$.internal[6]", "$.internal[7]"]


@pytest.mark.parametrize(
    "value", [[], {"internal": 5, "visible": []}, {"internal": [5], "visible": []}, {"name": "x", "context": "y"}]
)
def test_other_json_is_not_claimed(value: Any) -> None:
    source = FileSource("x.json", json.dumps(value).encode())
    assert files.sniff(source) == 0
    with pytest.raises(UnreadableError):
        files.load(source)
