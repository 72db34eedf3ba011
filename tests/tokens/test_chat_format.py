"""Chat formats: OpenAI's published rule, ChatML by hand, and that the parts sum to the whole."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tokens.chat_format import ChatFormat, ChatMessage, Segment, chat_format_for
from inspector.tokens.embedded import embedded_tokenizer
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.models import load_models
from inspector.tokens.tokenizer import Tokenizer

EMBEDDED = ["o200k_base", "cl100k_base", "qwen2.5", "llama2", "llama3", "gemma3", "mistral_v3"]
TOKENIZERS: list[Tokenizer] = [*map(embedded_tokenizer, EMBEDDED), *ESTIMATORS.values()]
WORDS = ESTIMATORS["estimate:words"]
O200K = embedded_tokenizer("o200k_base")

CONTENTS = st.one_of(
    st.text(max_size=20),
    st.lists(st.sampled_from(["Hi", " ", "\n", "\n\n", "é", "\u0301", "<|im_end|>", "12", "漢", "😀"]), max_size=6).map(
        "".join
    ),
)
MESSAGES = st.lists(
    st.builds(
        ChatMessage,
        role=st.sampled_from(["system", "user", "assistant", "tool"]),
        content=CONTENTS,
        name=st.sampled_from(["", "", "Ada", "Grace Hopper"]),
    ),
    max_size=5,
)


def format_of(model: str) -> ChatFormat:
    return chat_format_for(load_models().find(model).row, WORDS)


OPENAI, CHATML = format_of("gpt-4o"), format_of("qwen2.5-7b")


@pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=lambda tokenizer: tokenizer.name)
@pytest.mark.parametrize("chat_format", [OPENAI, CHATML], ids=lambda chat_format: chat_format.name)
def test_the_parts_sum_to_the_rendered_prompt(chat_format: ChatFormat, tokenizer: Tokenizer) -> None:
    @given(messages=MESSAGES)
    @settings(max_examples=40, deadline=None)
    def check(messages: list[ChatMessage]) -> None:
        contents = int(tokenizer.count([message.content for message in messages]).sum())
        frames = sum(chat_format.frame_tokens(tokenizer, message.role, message.name) for message in messages)
        seams = sum(chat_format.seam_tokens(tokenizer, message.role, message.content) for message in messages)
        total = contents + frames + seams + chat_format.priming_tokens(tokenizer)
        assert chat_format.rendered_tokens(tokenizer, messages) == total

    check()


def published_rule(messages: list[ChatMessage], tokenizer: Tokenizer) -> int:
    """OpenAI's cookbook: 3 per message, the tokens of each value, 1 more for a name, 3 for the reply."""
    total = 3
    for message in messages:
        values = [message.role, message.content, message.name]
        total += 3 + int(tokenizer.count(values).sum()) + bool(message.name)
    return total


@pytest.mark.parametrize("vocabulary", ["o200k_base", "cl100k_base"])
@given(messages=MESSAGES)
@settings(max_examples=60, deadline=None)
def test_openais_published_rule(vocabulary: str, messages: list[ChatMessage]) -> None:
    tokenizer = embedded_tokenizer(vocabulary)
    assert OPENAI.rendered_tokens(tokenizer, messages) == published_rule(messages, tokenizer)


def test_openai_by_hand() -> None:
    messages = [ChatMessage("system", "You are terse."), ChatMessage("user", "Hello world", "Ada")]
    assert OPENAI.frame_tokens(O200K, "user") == 4
    assert OPENAI.frame_tokens(O200K, "user", "Ada") == 4 + 1 + O200K.count(["Ada"])[0]
    assert OPENAI.priming_tokens(O200K) == 3
    assert OPENAI.seam_tokens(O200K, "user", "\nHello") == 0
    assert [piece.text for piece in OPENAI.segments(messages[:1])] == [
        *("<|im_start|>", "system", "<|im_sep|>", "You are terse.", "<|im_end|>"),
        *("<|im_start|>", "assistant", "<|im_sep|>"),
    ]


def test_chatml_by_hand() -> None:
    messages = [ChatMessage("user", "Hello world", "Ada"), ChatMessage("assistant", "")]
    text = "".join(piece.text for piece in CHATML.segments(messages))
    assert text == (
        "<|im_start|>user\nHello world<|im_end|>\n<|im_start|>assistant\n<|im_end|>\n<|im_start|>assistant\n"
    )
    qwen = embedded_tokenizer("qwen2.5")
    assert CHATML.frame_tokens(qwen, "user") == 5  # start, role, line end, end, line end
    assert CHATML.priming_tokens(qwen) == 3
    assert CHATML.rendered_tokens(qwen, messages) == 5 + 2 + 5 + 3
    assert CHATML.rendered_tokens(WORDS, messages) == (3 + 2) + 3 + 2


def test_a_seam_where_line_ends_meet() -> None:
    qwen = embedded_tokenizer("qwen2.5")
    assert CHATML.seam_tokens(qwen, "user", "Hello") == 0
    assert CHATML.seam_tokens(qwen, "user", "\nHello") == -1  # two line ends are one token
    assert CHATML.seam_tokens(qwen, "user", "") == 0
    assert CHATML.seam_tokens(ESTIMATORS["estimate:ibex"], "user", "abc") == -1  # 8 characters are 2, 5 and 3 are 2 + 1


def test_a_mark_typed_by_a_person_is_ordinary() -> None:
    typed = CHATML.rendered_tokens(O200K, [ChatMessage("user", "<|im_end|>")])
    assert (
        typed == CHATML.rendered_tokens(O200K, []) + CHATML.frame_tokens(O200K, "user") + O200K.count(["<|im_end|>"])[0]
    )
    assert Segment("<|im_end|>") in CHATML.segments([ChatMessage("user", "<|im_end|>")])


def test_which_format_for_which_model() -> None:
    assert [format_of(name).name for name in ("gpt-4", "o3", "llama-3.1-8b", "claude-opus-4")] == [
        *("openai", "openai", "chatml", "chatml"),
    ]
    assert [format_of(name).published for name in ("gpt-4o", "gpt-4", "gpt-5", "qwen2.5-7b", "llama-3.1-8b")] == [
        *(True, True, False, True, False),
    ]
    assert chat_format_for(None, O200K) == chat_format_for(None, embedded_tokenizer("cl100k_base"))
    assert chat_format_for(None, O200K).name == "openai"
    assert chat_format_for(None, WORDS).name == "chatml"
