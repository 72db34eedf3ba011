"""Whether a prompt is exact in all its parts, and what a server adds to it."""

from collections.abc import Iterable, Sequence

from inspector.model import Tool
from inspector.tokens.certainty import Certainty
from inspector.tokens.chat.certainties import PricedPart
from inspector.tokens.chat.format import ChatFormat
from inspector.tokens.chat.messages import ChatMessage, RenderedChat

_PRICED: tuple[PricedPart, ...] = ("frame", "thought", "call", "tools", "choice", "reply")


def is_exact(chat_format: ChatFormat, chat: RenderedChat, messages: Sequence[ChatMessage], has_tools: bool) -> bool:
    """Return whether every part of a rendered prompt is exact, and the maker's own code takes it."""
    written = {segment.part for segment in chat.segments}
    if not messages:
        return True
    if not chat.faithful or chat.doubt or (has_tools and "tools" not in written):
        return False
    held: dict[PricedPart, bool] = {part: part in written for part in _PRICED}
    held["call"] |= any(message.role == "tool" for message in messages)
    held["texts"] = any(message.texts for message in messages)
    return _all_exact(chat_format, (part for part, is_there in held.items() if is_there))


def are_exact(chat_format: ChatFormat, has_tools: bool, has_calls: bool) -> bool:
    """Return whether tools and calls of a planned prompt are exact, as far as it has any."""
    tools: list[PricedPart] = ["tools"] if has_tools else []
    calls: list[PricedPart] = ["call"] if has_calls else []
    return _all_exact(chat_format, tools + calls)


def _all_exact(chat_format: ChatFormat, parts: Iterable[PricedPart]) -> bool:
    return all(chat_format.cost(part, 1).certainty is Certainty.EXACT for part in parts)


def server_tokens(chat_format: ChatFormat, tools: Sequence[Tool], has_messages: object) -> int:
    """Return the tokens that the model's server adds for tools, beside the rendered prompt; 0 without messages."""
    added = chat_format.server_tools(bool(tools)) if has_messages else None
    return 0 if added is None else added.tokens
