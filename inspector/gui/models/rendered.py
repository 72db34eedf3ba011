"""The finished prompt as the one text that the model gets: whole, its beginning, and where an item stands in it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from inspector.assembly.decisions import Assembly, Composed, Joined
from inspector.assembly.render import PromptMessage, prompt_messages
from inspector.tokens.chat_format import ChatFormat, ChatMessage


def rendered_prompt(assembly: Assembly, chat_format: ChatFormat) -> str:
    """The whole prompt, with the beginning of the reply; "" where none was made."""
    messages = list(prompt_messages(assembly))
    return _joined(chat_format, messages) if messages else ""


def rendered_beginning(assembly: Assembly, chat_format: ChatFormat, limit: int) -> tuple[str, bool]:
    """The first `limit` characters of the prompt, and whether that is all of it."""
    messages, complete = _first_messages(prompt_messages(assembly), limit)
    if not messages:
        return "", True
    text = _joined(chat_format, messages)
    return text[:limit], complete and len(text) <= limit


def span_in_prompt(assembly: Assembly, chat_format: ChatFormat, row: int) -> tuple[int, int] | None:
    """Beginning and end, in characters, of what stands in the rendered prompt for a row; None where nothing does."""
    if not assembly.in_prompt[row]:
        return None
    before: list[PromptMessage] = []
    for message in prompt_messages(assembly):
        if row in message.rows:
            reply = len(_joined(chat_format, []))
            start = len(_joined(chat_format, before)) - reply + _content_start(chat_format, message)
            start += _offset_in_message(assembly, row)
            return start, start + len(assembly.text(row))
        before.append(message)
    return None


def _content_start(chat_format: ChatFormat, message: PromptMessage) -> int:
    """How many characters the format writes before the content of a message."""
    mark = "\0"
    return _joined(chat_format, [replace(message, content=mark)]).index(mark)


def _offset_in_message(assembly: Assembly, row: int) -> int:
    """Where the text of a row begins in the content of its message: after the items that stand before it there."""
    for block in assembly.blocks:
        if isinstance(block, Joined) and row in block.rows:
            rows = block.rows.tolist()
            before = rows[: rows.index(row)]
            texts = sum(len(block.mark) + len(assembly.text(other)) + len(block.joint) for other in before)
            return len(block.heading) + texts + len(block.mark)
        if isinstance(block, Composed) and row in block.pieces:
            return sum(map(len, block.written(assembly)[: block.pieces.index(row)]))
    return 0


def _first_messages(messages: Iterator[PromptMessage], limit: int) -> tuple[list[PromptMessage], bool]:
    taken: list[PromptMessage] = []
    size = 0
    for message in messages:
        if size >= limit:
            return taken, False
        taken.append(message)
        size += len(message.content)
    return taken, True


def _joined(chat_format: ChatFormat, messages: Sequence[PromptMessage]) -> str:
    written = [ChatMessage(message.role, message.content, message.name) for message in messages]
    return "".join(segment.text for segment in chat_format.segments(written))
