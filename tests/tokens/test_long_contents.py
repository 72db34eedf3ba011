"""Long contents go through our templates by their ends, and come out as they would have as a whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tokens.chat import rendering
from inspector.tokens.chat.format import shipped_format, shipped_formats
from inspector.tokens.chat.messages import ChatCall, ChatMessage, RenderedChat
from inspector.tokens.chat.sandbox import ChatTemplateError

PARTS = (
    "word",
    "a b",
    " ",
    "\n",
    "\n\n",
    "  ",
    "é",
    "日本",
    "😀",
    '"',
    "\\",
    "<",
    "&lt;",
    "{{x}}",
    "{% y %}",
    "\x1c",
    "\x1f",
)
TAGS = (
    "<think>",
    "</think>",
    "<tool_response>",
    "</tool_response>",
    "<channel|>",
    "<|im_end|>",
    "[INST]",
    "<s>",
    "\U0010fffd",
)
CONTENT = st.lists(st.sampled_from(PARTS * 3 + TAGS), max_size=25).map("".join)
CHAT = st.tuples(CONTENT, CONTENT, CONTENT, CONTENT)
TOOLS = [{"type": "function", "function": {"name": "f", "description": "d", "parameters": {}}}]


def rendered(name: str, messages: list[ChatMessage]) -> RenderedChat | str:
    try:
        return shipped_format(name).render(messages, TOOLS)
    except ChatTemplateError as problem:
        return str(problem)


@settings(max_examples=8)
@given(CHAT)
def test_what_goes_through_by_its_ends_is_what_goes_through_as_a_whole(contents: tuple[str, ...]) -> None:
    system, first, answer, last = contents
    call = ChatMessage("assistant", answer, calls=(ChatCall("f", '{"a": "b"}', "123456789"),))
    chats = [
        [
            ChatMessage("system", system),
            ChatMessage("user", first),
            ChatMessage("assistant", answer),
            ChatMessage("user", last),
        ],
        [ChatMessage("user", first), call, ChatMessage("tool", last, call_id="123456789")],
    ]
    for name in shipped_formats():
        for chat in chats:
            whole = rendered(name, chat)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(rendering, "LONGEST", 8)
                patch.setattr(rendering, "END", 4)
                assert rendered(name, chat) == whole, name


def test_a_long_content_is_not_copied_through_the_template(monkeypatch: pytest.MonkeyPatch) -> None:
    content = " " + "the harbour lights " * 60_000
    written: list[int] = []
    write = rendering.render_template
    monkeypatch.setattr(
        rendering, "render_template", lambda *given: written.append(len(found := write(*given))) or found
    )
    for name in ("openai", "qwen3", "llama3"):
        chat = rendered(name, [ChatMessage("user", content)])
        assert isinstance(chat, RenderedChat)
        (segment,) = [one for one in chat.segments if one.part == "content"]
        assert segment.text.strip() == content.strip()
    assert max(written) < 10_000
