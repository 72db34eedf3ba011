"""Tools, calls and choices of OpenAI: the counts of its API, and what the two forms of definitions leave out."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.certainty import Certainty
from inspector.tokens.chat.format import ChatFormat, count_segments, shipped_format
from inspector.tokens.chat.frames import frames_of
from inspector.tokens.chat.messages import ChatCall, ChatMessage, Part, Segment, Switches
from inspector.tokens.chat.typescript import openai_definitions
from inspector.tokens.embedded import embedded_tokenizer
from tests.facts import facts

FAMILIES = {"gpt-3.5": "cl100k_base", "gpt-4": "cl100k_base", "gpt-4o": "o200k_base"}
LOOK = {"name": "look", "description": "Look at it", "parameters": {"type": "object", "properties": {}}}
NESTED = {
    "type": "object",
    "properties": {
        "where": {
            "type": "object",
            "description": "The place",
            "properties": {"at": {"type": "string", "description": "Its name", "enum": ["sea", "sky"]}},
            "required": ["at"],
        },
        "times": {"type": "integer", "enum": [1, 2]},
        "any": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "list": {"type": "array", "items": {"type": "number"}},
        "free": {"description": "Anything"},
    },
    "required": ["where"],
}
UNREAD = st.dictionaries(
    st.sampled_from(["title", "default", "format", "minimum", "pattern", "examples", "const", "additionalProperties"]),
    st.one_of(st.text(max_size=5), st.integers(), st.booleans()),
)


def family_of(model: str) -> str:
    """The family of a model's name in the facts."""
    return max((name for name in FAMILIES if model.startswith(name)), key=len)


def message(said: dict[str, Any]) -> ChatMessage:
    """A message of OpenAI's interface as a chat format takes it."""
    calls = [
        ChatCall(call["function"]["name"], call["function"]["arguments"], call["id"])
        for call in said.get("tool_calls", ())
    ]
    if old := said.get("function_call"):
        calls.append(ChatCall(old["name"], old["arguments"]))
    role = "tool" if said["role"] == "function" else said["role"]
    return ChatMessage(role, said["content"] or "", said.get("name", ""), tuple(calls), said.get("tool_call_id", ""))


def choice(request: dict[str, Any]) -> str:
    """The choice among the tools in a request."""
    asked = request.get("function_call") or request.get("tool_choice") or ""
    if isinstance(asked, str):
        return "none" if asked == "none" else ""
    return "=" + asked.get("function", asked)["name"]


def test_the_counts_of_the_api(data_folder: Path) -> None:
    """Messages are equal; no count that differs is called exact, and every one is within the range that is told."""
    rows = facts(data_folder, "api_counts.jsonl")
    off: Counter[tuple[str, int]] = Counter()
    for row in rows:
        family, request = family_of(row["model"]), row["request"]
        form = "functions" if "functions" in request else "tools"
        chat_format = shipped_format("openai", family).switched(Switches("auto", None, choice(request), form))
        tools = request.get("tools") or request.get("functions") or []
        chat = chat_format.render([message(said) for said in request["messages"]], tools)
        tokenizer = embedded_tokenizer(FAMILIES[family])
        parts: dict[Part, list[Segment]] = {"tools": [], "call": [], "choice": []}
        for segment in chat.segments:
            parts.get(segment.part, []).append(segment)
        doubtful = [chat_format.cost(part, count_segments(tokenizer, held)) for part, held in parts.items() if held]
        if request["messages"][-1]["role"] in ("tool", "function"):
            doubtful.append(chat_format.cost("call", 0))
        counted = count_segments(tokenizer, chat.stretches)
        error = counted - row["tokens"]
        assert (
            -sum(one.tokens - one.low for one in doubtful) <= -error <= sum(one.high - one.tokens for one in doubtful)
        )
        assert error == 0 or all(one.certainty is not Certainty.EXACT for one in doubtful)
        off[row["kind"], error] += 1
    assert {error for kind, error in off if kind in ("messages", "calls")} == {0}
    assert sum(count for (_, error), count in off.items() if error == 0) >= 40
    assert len(rows) == 43


def test_the_form_of_functions_indents_and_leaves_inner_descriptions_out() -> None:
    tools = [{"type": "function", "function": {"name": "look", "description": "Look", "parameters": NESTED}}]
    inner = "// Its name\nat: "
    old, new = openai_definitions(tools, "functions"), openai_definitions(tools, "tools")
    assert inner in new
    assert inner not in old
    assert '  at: "sea" | "sky",' in old
    for written in (old, new):
        assert written.startswith("namespace functions {\n\n// Look\ntype look = (_: {\n// The place\nwhere: {\n")
        assert "times?: 1 | 2,\nany?: string | null,\nlist?: number[],\n// Anything\nfree?: any,\n}) => any;" in written
        assert written.endswith("\n\n} // namespace functions")


def test_a_function_without_properties_takes_nothing() -> None:
    assert "type look = () => any;" in openai_definitions([{"type": "function", "function": LOOK}], "tools")


@given(unread=UNREAD)
def test_what_the_models_are_not_shown_costs_nothing(unread: dict[str, Any]) -> None:
    plain = {"type": "object", "properties": {"at": {"type": "string"}}}
    more = {"type": "object", "properties": {"at": {"type": "string", **unread}}, **unread}
    written = [
        openai_definitions([{"type": "function", "function": {"name": "look", "parameters": schema}}], "tools")
        for schema in (plain, more)
    ]
    assert written[0] == written[1]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("form", ["functions", "tools"])
def test_definitions_cost_nine_more_or_five_with_a_system_prompt(family: str, form: str) -> None:
    tokenizer = embedded_tokenizer(FAMILIES[family])
    chat_format = shipped_format("openai", family).switched(Switches(tool_form=form))
    tools = [{"type": "function", "function": LOOK}]
    definitions = int(tokenizer.count([openai_definitions([{"type": "function", "function": LOOK}], form)])[0])
    user, system = ChatMessage("user", "hello"), ChatMessage("system", "Hello")
    for messages, more in (([user], 9), ([system, user], 5 + 1), ([user, system], 5 + 1)):
        plain, with_tools = (total(chat_format, FAMILIES[family], messages, given) for given in ((), tools))
        assert with_tools - plain == definitions + more  # with a line end behind the system prompt


@pytest.mark.parametrize(
    ("asked", "form", "added"),
    [("none", "tools", 1), ("any", "tools", 0), ("=look", "functions", 5), ("=look", "tools", 8)],
)
def test_a_choice_is_planned_as_it_is_written(asked: str, form: str, added: int) -> None:
    tools = [{"type": "function", "function": LOOK}]
    plain = shipped_format("openai", "gpt-4o").switched(Switches(tool_form=form))
    chosen = plain.switched(Switches("auto", None, asked, form))
    messages = [ChatMessage("user", "hello")]
    assert total(chosen, "o200k_base", messages, tools) - total(plain, "o200k_base", messages, tools) == added
    planned = frames_of(chosen, embedded_tokenizer("o200k_base")).choice()
    assert planned == added
    assert frames_of(plain, embedded_tokenizer("o200k_base")).choice() == 0


def test_a_result_has_the_name_of_the_call_it_answers() -> None:
    call = ChatMessage("assistant", "", calls=(ChatCall("look", "{}", "c1"),))
    named, unnamed = ChatMessage("tool", "calm", "look"), ChatMessage("tool", "calm", call_id="c1")
    counts = [total(shipped_format("openai", "gpt-4o"), "o200k_base", [call, one], ()) for one in (named, unnamed)]
    assert counts[0] == counts[1]


@given(
    st.lists(
        st.one_of(
            st.builds(
                lambda pairs: ChatMessage(
                    "assistant", "", calls=tuple(ChatCall(name, "{}", id_) for id_, name in pairs)
                ),
                st.lists(st.tuples(st.sampled_from(["", "a", "b", "c"]), st.sampled_from(["look", "dig"])), max_size=1),
            ),
            st.builds(
                lambda id_, name: ChatMessage("tool", "calm", name, call_id=id_),
                st.sampled_from(["", "a", "b", "c"]),
                st.sampled_from(["", "given"]),
            ),
        ),
        max_size=8,
    )
)
def test_each_result_has_its_own_name_or_that_of_the_first_call_with_its_id(messages: list[ChatMessage]) -> None:
    names: dict[str, str] = {}
    for call in (call for message in messages for call in message.calls if call.id):
        names.setdefault(call.id, call.name)
    expected = [one.name or names.get(one.call_id, "") for one in messages if one.role == "tool"]
    text = shipped_format("openai", "gpt-4o").render(messages).text
    written = [part.split("<|im_sep|>") for part in text.split("<|im_start|>")[1:-1]]
    assert [part[0] for part, one in zip(written, messages, strict=True) if one.role == "tool"] == expected


@pytest.mark.parametrize("family", [*FAMILIES, "gpt-4.1", "gpt-5", "o-series"])
def test_only_the_published_rule_is_exact(family: str) -> None:
    chat_format = shipped_format("openai", family)
    frame, tools = chat_format.cost("frame", 40), chat_format.cost("tools", 40)
    if family in FAMILIES:
        assert frame.certainty is Certainty.EXACT
        assert (tools.certainty, tools.low, tools.high) == (Certainty.RULE, 39, 41)
    else:
        assert frame.certainty is tools.certainty is Certainty.ESTIMATE
        assert tools.low < 40 < tools.high
    assert tools.rule.endswith((".", "!"))


def total(chat_format: ChatFormat, vocabulary: str, messages: list[ChatMessage], tools: Any) -> int:
    """The tokens of a whole prompt."""
    return count_segments(embedded_tokenizer(vocabulary), chat_format.render(messages, tools).stretches)
