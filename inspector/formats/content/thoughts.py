"""Thinking in any vendor's layout: its text, or the place and size of what is signed or encrypted."""

from collections.abc import Mapping
from typing import Any

from inspector.formats.content.at import At
from inspector.model import Thought
from inspector.reading.values import as_text, items_of, mapping

_SIGNED = ("signature", "thoughtSignature", "thought_signature", "thinkingSignature")
_ENCRYPTED = ("encrypted_content", "data", "redactedContent", "redacted_content", "encrypted_value")
TEXTS = ("thinking", "think", "text", "reasoning", "content", "summary", "reasoningText", "value")
"""The keys of the text of a thought."""

_DEEPEST = 20


def thought_of(part: Mapping[str, Any], at: At) -> Thought | None:
    """Return the thought of a part of that kind; None if it is empty. Without text and signed, it is encrypted."""
    text = next((text for key in TEXTS if (text := reasoning_text(part.get(key)))), "")
    inner = mapping(part.get("reasoningText"))
    for path, held in (("", part), (".reasoningText", inner)):
        for key in (*_SIGNED, *(() if text else _ENCRYPTED)):
            if isinstance(held.get(key), str) and held[key]:
                size = None if text else len(held[key])
                return Thought(text, not text, bytes=size, place=at.source(f"{path}.{key}"))
    return Thought(text) if text else None


def hidden_thought(part: Mapping[str, Any], at: At) -> Thought:
    """Return the thought of a part that says it was left out or encrypted."""
    key = next((key for key in (*_ENCRYPTED, *_SIGNED) if isinstance(part.get(key), str)), "")
    return Thought("", True, bytes=len(part[key]) if key else None, place=at.source(f".{key}") if key else None)


def reasoning_text(value: Any, depth: int = _DEEPEST) -> str:
    """Return reasoning as text: from a string, or from pieces with `text`, `summary`, `content`, `thinking` or `value`.

    The pieces are a list or an object. Anything nested deeper than `depth` is left out.
    """
    if isinstance(value, str):
        return as_text(value)
    if not depth:
        return ""
    if isinstance(value, Mapping):
        keys = ("text", "thinking", "summary", "content", "value")
        return next(filter(None, (reasoning_text(value.get(key), depth - 1) for key in keys)), "")
    return "\n".join(text for item in items_of(value) if (text := reasoning_text(item, depth - 1)))
