"""Thoughts in prompts: which are sent back, what each maker's template keeps of them, and the switch of thinking."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tokens.certainty import Certainty
from inspector.tokens.chat.anthropic import kept_thoughts, server_tool_prompt
from inspector.tokens.chat.format import ChatFormat, chat_format_for, count_segments, shipped_format, shipped_formats
from inspector.tokens.chat.frames import ThoughtPlace, frames_of
from inspector.tokens.chat.messages import (
    THOUGHTS,
    ChatCall,
    ChatMessage,
    ChatTemplate,
    Switches,
    Thoughts,
    with_thoughts,
)
from inspector.tokens.chat.sandbox import ChatTemplateError
from inspector.tokens.embedded import embedded_tokenizer
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.models.loading import load_models
from tests.examples import examples
from tests.facts import facts
from tests.references.families import messages_of

WORDS = ESTIMATORS["estimate:words"]
FORMATS = {
    # family of the facts: chat format, vocabulary if it is here
    "qwen3": ("qwen3", "qwen3"),
    "qwen3.5": ("qwen3.5", ""),
    "qwq": ("qwq", "qwen3"),
    "deepseek-r1": ("deepseek_r1", "deepseek_r1"),
    "deepseek-v3.1": ("deepseek_v3.1", "deepseek_r1"),
    "deepseek-v4": ("deepseek_v4", ""),
    "glm-4.5v": ("glm4.5v", "glm4.5"),
    "glm-4.7": ("glm4.7", ""),
    "glm-5": ("glm4.7", ""),
    "glm-5.1": ("glm5.1", ""),
    "glm-5.2": ("glm5.2", ""),
    "minimax-m2": ("minimax_m2", ""),
    "minimax-m3": ("minimax_m3", ""),
}
KEPT = {
    # chat format: whether thoughts of the running loop and of earlier turns are kept
    **dict.fromkeys(["qwen3", "glm4.5", "glm4.7", "minimax_m2", "deepseek_v3.2", "harmony", "gemma4"], (True, False)),
    **dict.fromkeys(["minimax_m3", "kimi_k3", "claude_v3", "claude_v4.7", "claude_v4.8"], (True, True)),
    **dict.fromkeys(["qwq", "deepseek_r1", "deepseek_v3.1", "llama3", "gemma", "openai", "gemini"], (False, False)),
    "chatml": (True, False),
}
LOOP, PAST = ThoughtPlace(in_loop=True), ThoughtPlace(in_loop=False, is_answered=True)
USER, CALL = ChatMessage("user", "go"), ChatMessage("assistant", "", calls=(ChatCall("look", "{}", "123456789"),))
RESULT = ChatMessage("tool", "calm", call_id="123456789")
SAID = st.lists(
    st.builds(
        ChatMessage, st.sampled_from(["user", "assistant", "tool"]), st.just("x"), thought=st.sampled_from(["", "t"])
    ),
    max_size=6,
)


def test_golden_thoughts(data_folder: Path) -> None:
    rows = facts(data_folder, "thoughts.jsonl")
    assert len(rows) == 65
    for row in rows:
        name, vocabulary = FORMATS[row["family"]]
        chat_format, tokenizer = shipped_format(name), embedded_tokenizer(vocabulary or "qwen3")
        chats = [_as_asked(row, thoughtful) for thoughtful in (True, False)]
        counts = [count_segments(tokenizer, chat_format.render(chat, row["tools"] or ()).stretches) for chat in chats]
        if vocabulary:
            assert counts == [row["tokens"], row["tokens_without_thoughts"]], row["name"]
        assert (counts[0] == counts[1]) == (row["thoughts_cost"] == 0), row["name"]


def _as_asked(row: dict, thoughtful: bool) -> list[ChatMessage]:
    found = []
    for said in row["messages"]:
        calls = tuple(
            ChatCall(call["function"]["name"], call["function"]["arguments"], call["id"])
            for call in said.get("tool_calls", ())
        )
        thought = said.get("reasoning_content", "") if thoughtful else ""
        found.append(
            ChatMessage(
                said["role"], said["content"], calls=calls, call_id=said.get("tool_call_id", ""), thought=thought
            )
        )
    return found


@given(messages=SAID)
@settings(max_examples=100)
def test_what_is_sent_back(messages: list[ChatMessage]) -> None:
    sent = {which: [bool(one.thought) for one in with_thoughts(messages, which)] for which in THOUGHTS}
    last = max((place for place, one in enumerate(messages) if one.role == "user"), default=-1)
    assert sent["auto"] == sent["all"] == [bool(one.thought) for one in messages]
    assert not any(sent["none"])
    assert sent["loop"] == [bool(one.thought) and place > last for place, one in enumerate(messages)]


@pytest.mark.parametrize("name", KEPT)
def test_each_format_keeps_its_thoughts(name: str) -> None:
    in_loop, earlier = KEPT[name]
    frames = frames_of(shipped_format(name), WORDS)
    assert (frames.thought(LOOP, has_tools=True) is not None, frames.thought(PAST, has_tools=False) is not None) == (
        in_loop,
        earlier,
    )


def test_deepseek_v4_keeps_all_of_a_request_with_tools() -> None:
    frames = frames_of(shipped_format("deepseek_v4"), WORDS)
    assert frames.thought(PAST, has_tools=True) is not None
    assert frames.thought(PAST, has_tools=False) is None


@pytest.mark.parametrize("name", ["glm4.7", "glm5.1", "glm5.2"])
def test_glm_keeps_all_if_asked_to(name: str) -> None:
    chat = [USER, ChatMessage("assistant", "Yes.", thought="deep"), USER]
    for which, kept in (("auto", False), ("all", True)):
        which_sent: Thoughts = "all" if which == "all" else "auto"
        text = shipped_format(name).switched(Switches(which_sent)).render(chat).text
        assert ("deep" in text) == kept


@pytest.mark.parametrize("name", shipped_formats())
@given(thoughts=st.lists(st.sampled_from(["", "So.", "12", "漢\n字", "<b>"]), min_size=3, max_size=3))
@examples(8)
def test_thoughts_are_their_messages(name: str, thoughts: list[str]) -> None:
    chat_format = shipped_format(name)
    chat = [USER, ChatMessage("assistant", "Yes.", thought=thoughts[0]), USER]
    chat += [ChatMessage("assistant", "", calls=CALL.calls, thought=thoughts[1]), RESULT]
    try:
        rendered = chat_format.render(chat)
        without = chat_format.switched(Switches("none")).render(chat)
    except ChatTemplateError:
        return
    assert "thought" not in {segment.part for segment in without.segments}
    for segment in rendered.segments if rendered.faithful else ():
        if segment.part == "thought":
            assert segment.text in chat[segment.message].thought


@pytest.mark.parametrize("key", ["reasoning_content", "thinking", "reasoning"])
def test_templates_of_others_find_thoughts_under_their_own_name(key: str) -> None:
    source = f"{{% for m in messages %}}[{{{{ m.{key} }}}}|{{{{ m['content'] }}}}]{{% endfor %}}"
    own = ChatFormat(ChatTemplate("own", source), published=True)
    chat = own.render([ChatMessage("assistant", "Yes.", thought="deep")])
    assert chat.text == "[deep|Yes.]"
    assert [segment.part for segment in chat.segments] == ["frame", "thought", "frame", "content", "frame"]


@pytest.mark.parametrize("variable", ["enable_thinking", "thinking"])
def test_the_switch_reaches_templates_of_others(variable: str) -> None:
    own = ChatFormat(ChatTemplate("own", f"{{{{ 'unset' if {variable} is not defined else {variable} }}}}"))
    written = [own.switched(Switches(thinking=value)).render([USER]).text for value in (None, True, False)]
    assert written == ["unset", "True", "False"]


SWITCHES = {
    "qwen3": True,
    "deepseek_v3.1": True,
    "deepseek_v4": True,
    "glm4.7": True,
    "gemma4": True,
    "qwen2.5": False,
    "llama3.1": False,
    "phi4": False,
    "kimi_k2": False,
}


@pytest.mark.parametrize("name", SWITCHES)
def test_which_templates_have_a_switch(name: str) -> None:
    assert shipped_format(name).template.has_thinking_switch == SWITCHES[name]


@pytest.mark.parametrize(
    "source",
    [
        "{# thinking #}{{ messages[0].content }}",
        "{{ 'thinking is on' }}{{ message.thinking }}{{ message['thinking'] }}",
        "When thinking is enabled",
        "{% set thinking = '' %}",
    ],
)
def test_words_about_thinking_are_no_switch(source: str) -> None:
    assert not ChatTemplate("own", source).has_thinking_switch


def test_a_template_that_joins_arguments_as_text_gets_text() -> None:
    source = "{% for m in messages %}{{ '<' + m.tool_calls[0].function.arguments + '>' }}{% endfor %}"
    call = ChatCall("look", '{ "at":"sea" }', "c1")
    chat = ChatFormat(ChatTemplate("own", source)).render([ChatMessage("assistant", "", calls=(call,))])
    assert chat.text == '<{ "at":"sea" }>'
    assert ('{ "at":"sea" }', "call") in [(segment.text, segment.part) for segment in chat.segments]


def test_several_texts_are_joined_as_the_template_does() -> None:
    said = ChatMessage("user", "one\ntwo", texts=("one", "two"))
    takes = ChatTemplate("t", "{% for m in messages %}{% for p in m.content %}<{{ p.text }}>{% endfor %}{% endfor %}")
    plain = ChatTemplate("t", "{% for m in messages %}{{ m.content }}{% endfor %}")
    assert ChatFormat(takes).render([said]).text == "<one><two>"
    assert ChatFormat(plain).render([said]).text == "one\ntwo"
    assert "onetwo" in shipped_format("gemma").render([said]).text
    assert "one\n\ntwo" in shipped_format("mistral_v3").render([said]).text


@pytest.mark.parametrize("name", ["deepseek_v3", "deepseek_r1", "deepseek_v3.1", "gemma", "llama3"])
def test_tools_that_a_template_leaves_out_are_unknown(name: str) -> None:
    chat_format = shipped_format(name)
    chat = chat_format.render([USER], [{"name": "look", "parameters": {}}])
    assert "tools" not in {segment.part for segment in chat.segments}
    cost = chat_format.cost("tools", 0, is_written=False)
    assert cost.certainty is Certainty.UNKNOWN
    assert cost.rule


def test_what_a_maker_refuses_is_doubted() -> None:
    mistral = shipped_format("mistral_v3", "mistral-7b")
    assert not mistral.render([USER]).doubt
    assert mistral.render([USER, ChatMessage("assistant", "Yes.")]).doubt
    assert mistral.render([USER, CALL, RESULT, ChatMessage("system", "Stop"), USER]).doubt
    own = ChatFormat(ChatTemplate("own", "{{ doubt('no such order') }}Hi"))
    assert own.render([USER]).doubt == "no such order"
    assert not shipped_format("qwen3").render([USER]).doubt  # it was that of another prompt


@pytest.mark.parametrize(
    ("model", "kept", "prompt", "forced"),
    [
        ("claude-opus-4-5-20251101", "all", 496, 588),
        ("claude-sonnet-4.6", "all", 497, 589),
        ("claude-sonnet-4-5", "loop", 496, 588),
        ("claude-sonnet-4-20250514", "loop", 313, 315),
        ("claude-3-5-haiku-20241022", "loop", 264, 355),
        ("claude-haiku-4-5", "loop", 496, 588),
        ("anthropic/claude-opus-4.7", "all", 675, 804),
        ("claude-sonnet-5", "all", 354, 474),
        ("claude-fable-5", "all", 286, 406),
    ],
)
def test_anthropics_server(model: str, kept: str, prompt: int, forced: int) -> None:
    assert kept_thoughts(model) == kept
    costs = [server_tool_prompt(model, choice) for choice in ("", "none", "any", "=look")]
    assert [cost and cost.tokens for cost in costs] == [prompt, prompt, forced, forced]
    assert all(cost and cost.certainty is Certainty.ESTIMATE for cost in costs)


def test_the_server_adds_its_prompt_for_claude_with_tools_only() -> None:
    claude = chat_format_for(load_models().find("claude-sonnet-4-5").row, WORDS)
    other = chat_format_for(load_models().find("qwen3-8b").row, WORDS)
    assert claude.server_tools(has_tools=False) is None
    assert other.server_tools(has_tools=True) is None
    added = claude.server_tools(has_tools=True)
    assert added
    assert added.tokens == 496
    assert claude.thoughts == "loop"


@pytest.mark.parametrize(
    ("model", "kept"), [("claude-opus-4-5", "past now"), ("claude-sonnet-5", "past now"), ("claude-haiku-4-5", "now")]
)
@pytest.mark.parametrize("sent", ["auto", "all"])
def test_claude_keeps_the_thoughts_of_its_version(model: str, kept: str, sent: Thoughts) -> None:
    chat = [USER, ChatMessage("assistant", "Yes.", thought="past"), USER, replace(CALL, thought="now"), RESULT]
    claude = chat_format_for(load_models().find(model).row, WORDS).switched(Switches(sent))
    segments = claude.render(chat).segments
    assert " ".join(segment.text for segment in segments if segment.part == "thought") == kept
    assert claude.cost("thought", 10).certainty is Certainty.ESTIMATE
    assert frames_of(claude, WORDS).thought(PAST, has_tools=False) == (2 if "past" in kept else None)


def test_messages_of_a_recorded_chat_bring_their_thoughts() -> None:
    said = messages_of([{"role": "assistant", "content": "Yes.", "reasoning_content": "deep"}])
    assert said == [ChatMessage("assistant", "Yes.", thought="deep")]
