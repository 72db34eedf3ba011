"""The families that are compared with other makers: which tokenizer and chat format of ours, and what their chats hold.

A recorded comparison is a file FAMILY.jsonl beside this one; `counted_here` is what both the comparison and `make test`
count on this side.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from inspector.tokens.chat.format import ChatFormat, count_segments, shipped_format
from inspector.tokens.chat.messages import ChatCall, ChatMessage, Switches
from inspector.tokens.chat.sandbox import ChatTemplateError
from inspector.tokens.choice import load_tokenizer
from inspector.tokens.tokenizer import Tokenizer
from tests.references.chats import Message, Shape, tools_of

FOLDER = Path(__file__).parent

NOT_COMPARED = {
    **dict.fromkeys(
        ("claude_v3 chats", "claude_v4.7 chats", "claude_v4.8 chats"),
        "how Claude reads a chat is published nowhere; known is the total of a single message",
    ),
    "codellama": "no package carries its vocabulary",
    "gemma4": "no package carries its vocabulary; only the text of its chats is compared",
    "kimi_k2": "no package carries its vocabulary; only the text of its chats is compared",
    "kimi_k3": "no package carries its vocabulary",
    "chatml chats": "it stands in for formats that are not known",
    "olmo2 chats": "no package carries its chat template",
    "gemini chats": "Google publishes counts only",
    "deepseek_v3.2 chats": "no package carries its code",
    "kimi_k2_thinking chats": "no package carries its chat template",
    "kimi_k3 chats": "no package carries its code",
}
"""What has no second source, and why."""


@dataclass(frozen=True, slots=True)
class Family:
    """A family of models: the embedded vocabulary, the shipped chat format, and what a maker takes in a chat.

    `has_marks`: the vocabulary that others publish holds the marks of chats. `has_same_text`: chats are
    written as the maker writes them, character by character.
    """

    name: str
    vocabulary: str
    chat_format: str
    shape: Shape = field(default_factory=Shape)
    has_texts: bool = True
    has_chats: bool = True
    has_marks: bool = True
    has_same_text: bool = True

    @property
    def file(self) -> Path:
        """Where the expectations are recorded."""
        return FOLDER / f"{self.name}.jsonl"

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer of this program."""
        return load_tokenizer(f"embedded:{self.vocabulary}")

    @property
    def format(self) -> ChatFormat:
        """The chat format of this program."""
        return shipped_format(self.chat_format)


_PLAIN = Shape(tools=False)
_IN_PARTS = Shape(tools=False, parts=True)
_NAMED = Shape(tools=False, names=True)
_THOUGHTFUL = Shape(thoughts=True)
_REASONING = Shape(thoughts=True, reasoning=True, thinking=True)
_ORDERLY = replace(_REASONING, strays=False)
_DIVIDED = replace(_REASONING, parts=True)
_ONE_CALL = Shape(most_calls=1)
_MISTRAL = Shape(calls_with_words=False, may_end_with_answer=False, parts=True)

FAMILIES = (
    Family("cl100k_base", "cl100k_base", "openai", _NAMED, has_marks=False),
    Family("o200k_base", "o200k_base", "openai", _NAMED, has_marks=False),
    Family("gpt-oss", "gpt-oss", "harmony", Shape(reasoning=True, schemas=True)),
    Family("llama2", "llama2", "llama2", _PLAIN),
    Family("llama3", "llama3", "llama3"),
    Family("llama3.1", "llama3.1", "llama3.1", _ONE_CALL),
    Family("llama3.2", "llama3.2", "llama3.1", _ONE_CALL),
    Family("qwen2", "qwen2", "qwen2"),
    Family("qwen2.5", "qwen2.5", "qwen2.5"),
    Family("qwen3", "qwen3", "qwen3", _REASONING),
    Family("qwen3_2507", "qwen3", "qwen3_2507"),
    Family("qwen3.5", "qwen3", "qwen3.5", replace(_ORDERLY, parts=True), has_texts=False),
    Family("qwq", "qwen3", "qwq", Shape(thoughts=True, reasoning=True)),
    Family("gemma2", "gemma2", "gemma2", _PLAIN),
    Family("gemma3", "gemma3", "gemma", _IN_PARTS),
    Family("deepseek_v3", "deepseek_v3", "deepseek_v3"),
    Family("deepseek_r1", "deepseek_r1", "deepseek_r1", replace(_THOUGHTFUL, reasoning=True)),
    Family("deepseek_v3.1", "deepseek_r1", "deepseek_v3.1", _REASONING),
    Family("deepseek_v4", "deepseek_r1", "deepseek_v4", _ORDERLY, has_texts=False),
    Family("glm4", "glm4", "glm4"),
    Family("glm4.5", "glm4.5", "glm4.5", Shape(thoughts=True, calls_with_words=False)),
    Family("glm4.5v", "glm4.5", "glm4.5v", _DIVIDED),
    Family("glm4.7", "glm4.5", "glm4.7", _DIVIDED, has_texts=False),
    Family("glm5", "glm4.5", "glm4.7", _DIVIDED, has_texts=False),
    Family("glm5.1", "glm4.5", "glm5.1", _DIVIDED, has_texts=False),
    Family("glm5.2", "glm4.5", "glm5.2", _DIVIDED, has_texts=False),
    Family("minimax_m2", "glm4.5", "minimax_m2", replace(_DIVIDED, thinking=False), has_texts=False),
    Family("minimax_m3", "glm4.5", "minimax_m3", _DIVIDED, has_texts=False),
    Family("phi4", "phi4", "phi4", has_same_text=False),
    Family("olmo2", "olmo2", "olmo2", has_chats=False),
    Family("mistral_v1", "mistral_v1", "mistral_v1", Shape(tools=False, may_end_with_answer=False, parts=True)),
    Family("mistral_v2", "mistral_v2", "mistral_v2", replace(_MISTRAL, most_calls=1)),
    Family("mistral_v3", "mistral_v2", "mistral_v3", _MISTRAL),
    Family("mistral_tekken", "mistral_v3", "mistral_tekken", _MISTRAL),
    Family("gemma4", "gemma4", "gemma4", replace(_DIVIDED, thoughts=False), has_texts=False),
    Family("kimi_k2", "kimi_k2", "kimi_k2", has_texts=False),
)


def counted_here(family: Family, case: dict[str, Any]) -> dict[str, Any]:
    """What this program says to a case: the keys of a recorded one that do not ask."""
    if "text" in case:
        text = case["text"]
        parsed = count_segments(family.tokenizer, family.format.split(text))
        return {"ordinary": int(family.tokenizer.count([text])[0]), "parsed": parsed}
    try:
        chat_format = family.format.switched(Switches(thinking=case.get("thinking")))
        rendered = chat_format.render(messages_of(case["messages"]), tools_of(case))
    except ChatTemplateError as refusal:
        return {"refused": str(refusal)}
    return {
        "count": count_segments(family.tokenizer, rendered.stretches),
        "written": rendered.text,
        **({"doubt": rendered.doubt} if rendered.doubt else {}),
        **digested(rendered.text),
    }


def digested(text: str) -> dict[str, str]:
    """What is recorded of a written chat instead of its text."""
    return {"digest": blake2b(text.encode(), digest_size=8).hexdigest()}


def messages_of(written: Iterable[Message]) -> list[ChatMessage]:
    """The messages of a case as the program has them."""
    return [
        ChatMessage(
            role=message["role"],
            content="\n".join(_texts(message)),
            name=message.get("name", ""),
            calls=tuple(_call(call) for call in message.get("tool_calls", ())),
            call_id=message.get("tool_call_id", ""),
            thought=message.get("reasoning_content", ""),
            texts=_texts(message) if isinstance(message["content"], list) else (),
        )
        for message in written
    ]


def difference(theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    """What differs between a reference's answer and ours; "" where nothing does.

    We may write chats that a maker refuses, since its servers mend them first, if we say so, and refuse none it takes.
    """
    if "refused" in theirs:
        return "" if "refused" in ours or "doubt" in ours else f"exact here, refused there: {theirs['refused']}"
    if "refused" in ours:
        return f"refused here: {ours['refused']}"
    different = [
        key
        for key in ("ordinary", "parsed", "count", "written", "digest")
        if key in theirs and theirs[key] != ours[key]
    ]
    return ", ".join(f"{key}: {theirs[key]!r} there, {ours[key]!r} here" for key in different)


def recorded(family: Family) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """The head of a recorded comparison, {"vocabulary", "chats"}, and its cases: questions with the answers in them."""
    with family.file.open(encoding="utf-8", newline="\n") as lines:
        head, *cases = map(json.loads, lines)
    return head, cases


def _texts(message: Message) -> tuple[str, ...]:
    held = message["content"]
    return (held,) if isinstance(held, str) else tuple(part["text"] for part in held)


def _call(call: dict[str, Any]) -> ChatCall:
    arguments = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    return ChatCall(call["function"]["name"], arguments, call["id"])
