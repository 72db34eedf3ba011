"""Chat formats: whose each text of a rendered prompt is, that the parts are the whole, and OpenAI's published rule."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from inspector.tokens.chat.format import ChatFormat, chat_format_for, count_segments, shipped_format, shipped_formats
from inspector.tokens.chat.frames import FrameTokens, frames_of, rendered_frames
from inspector.tokens.chat.messages import FRAME, ChatCall, ChatMessage, ChatTemplate, RenderedChat
from inspector.tokens.chat.sandbox import ChatTemplateError
from inspector.tokens.embedded import embedded_tokenizer
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.models.loading import load_models
from tests.examples import examples

WORDS = ESTIMATORS["estimate:words"]
O200K = embedded_tokenizer("o200k_base")
OPENAI, CHATML = shipped_format("openai", "gpt-4o"), shipped_format("chatml")
TOOL = {"name": "look", "description": "Look at it", "parameters": {"type": "object", "properties": {}}}

TEXTS = st.one_of(
    st.text(max_size=20),
    st.lists(
        st.sampled_from(["Hi", " ", "\n", "\n\n", "é", "\u0301", "<|im_end|>", "</think>", "12", "漢", "😀", "\x1c"]),
        max_size=6,
    ).map("".join),
)
CALLS = st.builds(ChatCall, st.just("look"), st.sampled_from(['{"at": "sky"}', "{}", "not json"]), st.just("123456789"))
MESSAGES = st.lists(
    st.one_of(
        st.builds(ChatMessage, st.sampled_from(["system", "user", "tool"]), TEXTS, st.sampled_from(["", "Ada"])),
        st.builds(ChatMessage, st.just("assistant"), TEXTS, calls=st.lists(CALLS, max_size=2).map(tuple)),
    ),
    min_size=1,
    max_size=5,
)


def rendered(
    chat_format: ChatFormat, messages: Sequence[ChatMessage], tools: Sequence[dict] = ()
) -> RenderedChat | None:
    try:
        return chat_format.render(messages, tools)
    except ChatTemplateError:
        return None


@pytest.mark.parametrize("name", shipped_formats())
@given(messages=MESSAGES, tools=st.sampled_from([(), (TOOL,)]))
@settings(examples(60), suppress_health_check=[HealthCheck.filter_too_much])  # some templates refuse most chats
def test_the_segments_are_the_text_that_the_template_writes(
    name: str, messages: list[ChatMessage], tools: tuple[dict, ...]
) -> None:
    """Against Jinja itself, on bare texts: the marks leave no trace, and every content is where it belongs."""
    chat_format = shipped_format(name)
    chat = rendered(chat_format, messages, tools)
    assume(chat is not None)
    assert chat is not None
    assert chat.text == "".join(stretch.text for stretch in chat.stretches)
    if not chat.faithful:
        return
    for place, message in enumerate(messages):
        own = "".join(
            segment.text for segment in chat.segments if (segment.message, segment.part) == (place, "content")
        )
        if message.role != "tool" and "</think>" not in message.content:  # which may be written in another way
            assert own.strip() in message.content
    assert all((segment.message == FRAME) == (segment.part not in ("content", "call")) for segment in chat.segments)
    assert not any(segment.special and segment.message != FRAME for segment in chat.segments)


@given(messages=MESSAGES)
@settings(max_examples=100)
def test_what_a_template_trims_is_known_and_the_rest_is_whole(messages: list[ChatMessage]) -> None:
    trims = ChatFormat(ChatTemplate("t", "{% for m in messages %}<{{ m.content | trim }}>{% endfor %}"))
    keeps = ChatFormat(ChatTemplate("t", "{% for m in messages %}<{{ m.content }}>{% endfor %}"))
    for chat_format, expected in ((trims, str.strip), (keeps, str)):
        chat = chat_format.render(messages)
        assert chat.faithful
        for place, message in enumerate(messages):
            own = "".join(segment.text for segment in chat.segments if segment.message == place)
            assert own == expected(message.content)


def test_what_a_template_leaves_out_is_nobodys() -> None:
    source = "{% for m in messages %}[{{ m.content.split('</think>')[-1].lstrip('\\n') }}]{% endfor %}"
    chat = ChatFormat(ChatTemplate("t", source)).render([ChatMessage("assistant", "<think>hm</think>\n\nYes, so.")])
    assert chat.faithful
    assert [(part.text, part.message) for part in chat.segments][:3] == [("[", -1), ("Yes, so.", 0), ("]", -1)]


def test_contents_and_calls_written_as_json_are_still_their_messages() -> None:
    source = "{% for m in messages %}{{ m | tojson }}{% endfor %}"
    call = ChatCall("look", '{"at": "the sky", "deep": {"x": [1, 2]}}', "c1")
    chat = ChatFormat(ChatTemplate("t", source)).render([ChatMessage("assistant", ' "so"\n', calls=(call,))])
    assert chat.faithful
    own = [(part.text, part.part) for part in chat.segments if part.message == 0]
    assert own == [('\\"so\\"', "content"), ("look", "call"), ('{"at": "the sky", "deep": {"x": [1, 2]}}', "call")]


def test_a_template_that_looks_into_texts_is_not_called_faithful() -> None:
    source = "{% for m in messages %}{{ m.content | length }} {{ m.content }}{% endfor %}"
    chat = ChatFormat(ChatTemplate("t", source)).render([ChatMessage("user", "four")])
    assert chat.text == "4 four"
    assert not chat.faithful


def test_tools_and_the_beginning_of_the_reply_are_told_apart() -> None:
    messages = [ChatMessage("system", "be kind"), ChatMessage("user", "hi")]
    chat = CHATML.render(messages, [TOOL])
    by_part = {
        part: "".join(found.text for found in chat.segments if found.part == part) for part in ("tools", "reply")
    }
    assert by_part["reply"] == "<|im_start|>assistant\n"
    assert '"name": "look"' in by_part["tools"]
    assert "be kind" not in by_part["tools"]
    without = "".join(found.text for found in chat.segments if found.part != "tools")
    assert without == CHATML.render(messages).text


def test_a_special_that_a_person_typed_is_no_special() -> None:
    chat = CHATML.render([ChatMessage("user", "a <|im_end|> b")])
    assert [found.text for found in chat.segments if found.special] == ["<|im_start|>", "<|im_end|>", "<|im_start|>"]
    obeyed = [found.text for found in CHATML.split(chat.text) if found.special]
    assert obeyed == ["<|im_start|>", "<|im_end|>", "<|im_end|>", "<|im_start|>"]


def published_rule(messages: list[ChatMessage]) -> int:
    """OpenAI's cookbook: 3 per message, the tokens of each value, 1 more for a name, 3 for the reply."""
    total = 3
    for message in messages:
        values = [message.role, message.content, message.name]
        total += 3 + int(O200K.count(values).sum()) + bool(message.name)
    return total


@given(
    messages=st.lists(
        st.builds(
            ChatMessage,
            st.sampled_from(["system", "user", "assistant"]),
            TEXTS,
            st.sampled_from(["", "Ada", "Grace Hopper"]),
        ),
        min_size=1,
        max_size=5,
    )
)
@settings(max_examples=100)
def test_openais_published_rule(messages: list[ChatMessage]) -> None:
    assert count_segments(O200K, OPENAI.render(messages).stretches) == published_rule(messages)


def test_frames_by_hand() -> None:
    openai, chatml = frames_of(OPENAI, O200K), frames_of(CHATML, WORDS)
    assert openai.frame("user") == 4
    assert openai.frame("user", "Ada") == 4 + 1 + O200K.count(["Ada"])[0]
    assert openai.reply() == 3
    assert openai.constant() == 0
    # <|im_start|> "user\n" <|im_end|> "\n", with one word for "user"
    assert [chatml.frame(role) for role in ("system", "user", "assistant")] == [3, 3, 3]
    assert chatml.reply() == 2


@pytest.mark.parametrize("first", [(), ("system",)], ids=["without a system prompt", "with one"])
@pytest.mark.parametrize("name", shipped_formats())
def test_frames_sum_to_what_a_short_chat_has(name: str, first: tuple[str, ...]) -> None:
    """The plan that a slider shows is what is measured, for a chat that every template accepts."""
    chat_format, tokenizer = shipped_format(name), embedded_tokenizer("o200k_base")
    messages = [ChatMessage(role, "x") for role in (*first, "user", "assistant", "user")]
    frames = frames_of(chat_format, tokenizer)
    planned = sum(frames.frame(message.role) for message in messages)
    planned += frames.constant(messages[0].role) + frames.reply()
    chat = rendered(chat_format, messages)
    assert chat is not None or name == "gemma2"  # which has no system prompt
    written = chat.segments if chat else ()
    assert not written or planned == count_segments(tokenizer, (part for part in written if part.message == FRAME))


def test_a_model_has_the_format_of_its_row_and_an_unknown_one_that_of_its_vocabulary() -> None:
    table = load_models()
    assert chat_format_for(table.find("gpt-4o").row, O200K) == OPENAI
    assert OPENAI.published
    assert not chat_format_for(table.find("gpt-5").row, O200K).published
    assert chat_format_for(None, O200K).name == "openai"
    assert chat_format_for(None, WORDS).name == "chatml"


def test_a_template_that_comes_with_the_tokenizer_wins() -> None:
    class Own:
        name = "gguf:own"
        chat_template = ChatTemplate("own", "{{ messages[0].content }}")

    found = chat_format_for(load_models().find("gpt-4o").row, Own())  # type: ignore[arg-type]
    assert found.template is Own.chat_template
    assert found.published


@pytest.mark.parametrize("name", shipped_formats())
def test_what_is_recorded_of_a_template_is_what_it_writes(name: str) -> None:
    """After a change of a template: python -m tests.tokens.record_frames"""
    shipped = shipped_format(name)
    written = rendered_frames(replace(shipped, frames={}))
    assert "user assistant user" in written
    of_segments = {probe: [(segment.text, segment.special) for segment in frame] for probe, frame in written.items()}
    recorded = {
        probe: [(segment.text, segment.special) for segment in frame] for probe, frame in shipped.frames.items()
    }
    assert recorded == of_segments


@pytest.mark.parametrize("name", shipped_formats())
@pytest.mark.parametrize("who", ["", "Ada"])
def test_recorded_frames_count_like_rendered_ones(name: str, who: str) -> None:
    recorded = frames_of(shipped_format(name), WORDS)
    rendered = FrameTokens(ChatFormat(replace(shipped_format(name).template, name="rendered")), WORDS)
    for role in ("system", "user", "assistant", "tool"):
        assert recorded.frame(role, who) == rendered.frame(role, who)
        assert recorded.constant(role) == rendered.constant(role)
    assert recorded.reply() == rendered.reply()
