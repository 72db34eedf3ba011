"""Histories of DSPy and memories of smolagents, as each version wrote them."""

import json
from typing import Any

import pytest

from inspector.formats.format import Format
from inspector.formats.frameworks import dspy, smolagents
from inspector.formats.opening import load_unnamed
from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Call, Thought, Workspace
from inspector.reading.source import FileSource, UnreadableError

ASKED = [{"role": "system", "content": "Your input fields are: question"}, {"role": "user", "content": "How far?"}]
CALL = {"id": "t1", "type": "function", "function": {"name": "look", "arguments": '{"at": "sea"}'}}
ENTRY: dict[str, Any] = {
    "prompt": None,
    "messages": ASKED,
    "kwargs": {"temperature": 0.5},
    "response": "ModelResponse(id='x y')",
    "outputs": ["Three miles."],
    "usage": {"prompt_tokens": 9, "completion_tokens": 2},
    "cost": 0.1,
    "timestamp": "2025-01-02T03:04:05",
    "uuid": "u1",
    "model": "openai/gpt-4o",
    "response_model": "gpt-4o",
    "model_type": "chat",
}
TYPED: dict[str, Any] = {
    "request": {
        "model": "openai/gpt-4o",
        "messages": [{"role": "user", "parts": [{"type": "text", "text": "How far?", "metadata": {}}], "name": None}],
        "tools": [{"type": "function", "name": "look", "parameters": {}}],
    },
    "response": {
        "model": "gpt-4o",
        "outputs": [
            {
                "parts": [
                    {"type": "thinking", "text": "I measure.", "redacted": False},
                    {"type": "text", "text": "Three miles."},
                    {"type": "tool_call", "id": "t1", "name": "look", "args": {"at": "sea"}},
                ],
                "finish_reason": "stop",
            }
        ],
        "usage": {"input_tokens": 9, "output_tokens": 2},
    },
    "timestamp": "2025-01-02T03:04:05",
    "uuid": "u1",
    "model_type": "chat",
}
DSPY = [
    ENTRY,
    {**ENTRY, "uuid": "u2", "outputs": [{"text": "Look.", "reasoning_content": "Hm.", "tool_calls": [CALL]}]},
]

PROMPT = {"role": "system", "content": [{"type": "text", "text": "You solve tasks."}]}
TIMING = {"start_time": 1735787045.0, "end_time": 1735787046.0, "duration": 1.0}
CODE = "Thought: I add.\n<code>\nfinal_answer(1 + 1)\n</code>"
TOOL = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "python_interpreter", "arguments": "final_answer(1 + 1)"},
}
ACTION: dict[str, Any] = {
    "step_number": 1,
    "timing": TIMING,
    "model_input_messages": [PROMPT],
    "tool_calls": [TOOL],
    "error": None,
    "model_output_message": {"role": "assistant", "content": CODE},
    "model_output": CODE,
    "code_action": "x = 1",
    "observations": "Execution logs:\nLast output: 2",
    "observations_images": None,
    "action_output": 2,
    "token_usage": {"input_tokens": 9, "output_tokens": 2, "total_tokens": 11},
    "is_final_answer": True,
}
PLAN = {"model_input_messages": [PROMPT], "plan": "First add.", "model_output_message": None, "timing": TIMING}
STEPS: list[dict[str, Any]] = [{"task": "Add one and one.", "task_images": None}, PLAN, ACTION]


def load(value: Any, kind: Format, name: str = "run.json") -> Workspace:
    source = FileSource(name, json.dumps(value).encode())
    assert rank_formats(source, built_in_formats())[0][0] is kind
    return load_unnamed(json.dumps(value).encode(), name).workspace


def said(workspace: Workspace, number: int = 0) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in workspace.conversations[number].messages]


@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: [one], lambda one: {"history": [one]}])
def test_an_entry_of_dspy_is_a_conversation(wrap: Any) -> None:
    workspace = load(wrap(ENTRY), dspy.FORMAT)
    (chat,) = workspace.conversations
    assert said(workspace) == [("user", "How far?"), ("assistant", "Three miles.")]
    assert workspace.characters[0].system_prompt == ASKED[0]["content"]
    assert (chat.id, chat.model, chat.title) == ("u1", "openai/gpt-4o", "How far?")
    assert chat.messages[-1].metadata == {"recorded_prompt_tokens": 9, "recorded_tokens": 2}
    assert str(chat.messages[-1].time) == "2025-01-02 03:04:05+00:00"
    assert not workspace.problems


def test_thoughts_and_calls_of_an_output_are_kept() -> None:
    message = load(DSPY, dspy.FORMAT).conversations[1].messages[-1]
    assert (message.content, message.reasoning, [call.name for call in message.tool_calls]) == (
        "Look.",
        "Hm.",
        ["look"],
    )


def test_further_outputs_are_branches() -> None:
    (chat,) = load({**ENTRY, "outputs": ["Three miles.", "Four."]}, dspy.FORMAT).conversations
    assert chat.tree is not None
    assert [one.content for one in chat.messages] == ["How far?", "Three miles."]
    assert [one.content for one in chat.tree.messages] == ["How far?", "Three miles.", "Four."]


def test_an_entry_with_parts_is_read() -> None:
    workspace = load(TYPED, dspy.FORMAT)
    answer = workspace.conversations[0].messages[-1]
    kinds = [type(part).__name__ for part in answer.parts]
    assert kinds == ["Thought", "Text", "Call"]
    assert (answer.content, len(workspace.tools)) == ("Three miles.", 1)
    assert not workspace.problems


@pytest.mark.parametrize(
    "response",
    [
        "Three miles.",
        {"choices": [{"message": {"content": "Three miles.", "role": "assistant"}}]},
        {"choices": [{"text": "Three miles."}]},
    ],
)
def test_an_entry_of_the_first_versions_is_read(response: Any) -> None:
    entry = {"prompt": "How far?", "response": response, "kwargs": {"n": 1}, "raw_kwargs": {}}
    assert said(load([entry], dspy.FORMAT)) == [("user", "How far?"), ("assistant", "Three miles.")]


@pytest.mark.parametrize("change", [{"outputs": [], "response": None}, {"messages": None, "prompt": None}])
def test_a_missing_side_of_an_entry_is_said(change: dict[str, Any]) -> None:
    (problem, *_) = dspy.load(FileSource("a.json", json.dumps({**ENTRY, **change}).encode())).problems
    assert "expected" in problem.message
    assert "found" in problem.message


@pytest.mark.parametrize(
    "wrap",
    [
        lambda steps: steps,
        lambda steps: {"output": 2, "steps": steps, "state": "success"},
        lambda steps: {"output": "2", "messages": steps, "timing": TIMING},
        lambda steps: {"system_prompt": {"system_prompt": "You solve tasks."}, "steps": steps},
        lambda steps: {"memory": {"system_prompt": "You solve tasks.", "steps": steps}},
        lambda steps: [{"system_prompt": "You solve tasks."}, *steps],
    ],
)
def test_the_steps_of_smolagents_are_a_conversation(wrap: Any) -> None:
    workspace = load(wrap(STEPS), smolagents.FORMAT)
    (chat,) = workspace.conversations
    assert said(workspace) == [
        ("user", "Add one and one."),
        ("assistant", "First add."),
        ("assistant", CODE),
        ("tool", "Execution logs:\nLast output: 2"),
    ]
    assert workspace.characters[0].system_prompt == "You solve tasks."
    (call,) = chat.messages[2].tool_calls
    assert isinstance(call, Call)
    assert (call.id, call.name, call.arguments) == ("call_1", "python_interpreter", "final_answer(1 + 1)")
    assert chat.messages[3].tool_call_id == "call_1"
    assert chat.messages[2].metadata["recorded_tokens"] == 2
    assert str(chat.messages[2].time) == "2025-01-02 03:04:05+00:00"
    assert not workspace.problems


def test_lines_of_steps_are_one_run(tmp_path: Any) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"\n".join(json.dumps(step).encode() for step in STEPS))
    assert len(load_unnamed(path.read_bytes(), str(path)).workspace.conversations[0].messages) == 4


def test_older_steps_and_errors_are_read() -> None:
    old = {key: value for key, value in ACTION.items() if key not in ("timing", "token_usage", "is_final_answer")}
    failed = {**old, "step": 2, "start_time": 1735787045.0, "observations": None, "tool_calls": []}
    error = {"type": "AgentParsingError", "message": "No code was found."}
    plan = {"facts": "One is a number.", "plan": "Add it.", "model_output_message_plan": {}, "model_input_messages": []}
    workspace = load([STEPS[0], plan, {**failed, "error": error}], smolagents.FORMAT)
    assert [text for _, text in said(workspace)][1:] == ["One is a number.", "Add it.", CODE, "No code was found."]
    assert said(workspace)[-1][0] == "user"


def test_a_final_answer_that_no_step_has_is_the_last_message() -> None:
    final = {**ACTION, "action_output": "It is two."}
    assert said(load([final], smolagents.FORMAT))[-1] == ("assistant", "It is two.")


def test_the_message_of_the_model_stands_in_for_its_output() -> None:
    told = {"role": "assistant", "content": "I look.", "tool_calls": [TOOL]}
    step = {**ACTION, "model_output": None, "tool_calls": None, "model_output_message": told}
    message = load([step], smolagents.FORMAT).conversations[0].messages[0]
    assert (message.content, len(message.tool_calls)) == ("I look.", 1)


def test_a_step_without_output_and_an_unknown_one_are_said() -> None:
    lost = {**ACTION, "model_output": None, "model_output_message": None, "tool_calls": []}
    steps = [*STEPS, lost, {"x": 1}, {**PLAN, "plan": None}]
    workspace = smolagents.load(FileSource("a.json", json.dumps(steps).encode()))
    assert [problem.place for problem in workspace.problems] == ["$[3].model_output", "$[4]", "$[5].plan"]


@pytest.mark.parametrize("kind", [dspy, smolagents])
def test_other_files_are_refused(kind: Any) -> None:
    source = FileSource("a.json", json.dumps([{"task": "x"}, {"messages": [], "kwargs": {}}]).encode())
    assert kind.sniff(source) == 0
    with pytest.raises(UnreadableError):
        kind.load(source)


def test_thoughts_are_parts() -> None:
    answer = load(TYPED, dspy.FORMAT).conversations[0].messages[-1]
    assert [part.text for part in answer.parts if isinstance(part, Thought)] == ["I measure."]


PRINTED = """



\x1b[34m[2025-01-02T03:04:05.123456]\x1b[0m

\x1b[31mSystem message:\x1b[0m

Your input fields are:
1. `question` (str)


\x1b[31mUser message:\x1b[0m

How far is it?

Say it briefly.


\x1b[31mAssistant message:\x1b[0m

I look.
\x1b[31mTool calls:\x1b[0m
\x1b[32mlook: {"at": "sea"}\x1b[0m


\x1b[31mResponse:\x1b[0m

\x1b[32mThree miles.\x1b[0m
\x1b[31m \t (and 2 other completions)\x1b[0m




[2025-01-02T03:04:06.123456]

User message:

And back?


Response:

The same.
Tool calls:
walk: {}




"""


def test_a_printed_history_is_a_conversation_for_each_call() -> None:
    source = FileSource("history.txt", PRINTED.encode())
    assert rank_formats(source, built_in_formats())[0][0] is dspy.FORMAT
    workspace = dspy.load(source)
    assert said(workspace) == [
        ("system", "Your input fields are:\n1. `question` (str)"),
        ("user", "How far is it?\n\nSay it briefly."),
        ("assistant", "I look."),
        ("assistant", "Three miles."),
    ]
    first, second = workspace.conversations
    assert [call.name for call in first.messages[2].tool_calls] == ["look"]
    assert [(one.content, len(one.tool_calls)) for one in second.messages] == [("And back?", 0), ("The same.", 1)]
    assert str(second.messages[-1].time)[:19] == "2025-01-02 03:04:06"
    (problem,) = workspace.problems
    assert (problem.place, problem.message) == (
        "line 5",
        "was answered by 2 more completions, which the program did not print",
    )


@pytest.mark.parametrize("text", ["[2025-01-02T03:04:05]\nA note\n", "User message:\nHi\n", "[2025-01-02] Ana: Hi\n"])
def test_other_texts_with_times_are_none_of_dspy(text: str) -> None:
    assert dspy.sniff(FileSource("a.txt", text.encode())) == 0


def test_messages_in_a_thousand_lists_are_no_end_of_the_reading() -> None:
    deep: Any = ASKED
    for _ in range(960):
        deep = [deep]
    workspace = load_unnamed(
        f'[{json.dumps(ENTRY)[:-1]}, "messages": {written(deep)}}}]'.encode(), "run.json"
    ).workspace
    assert ("assistant", "Three miles.") in said(workspace)


def written(deep: Any) -> str:
    """JSON of lists inside of lists, which no library writes so deep."""
    depth = 0
    while len(deep) == 1:
        depth, deep = depth + 1, deep[0]
    return "[" * depth + json.dumps(deep) + "]" * depth
