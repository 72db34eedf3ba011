"""The finished prompt as the one text that the model gets: whole, its beginning, and where an item stands in it."""

from collections.abc import Iterator, Sequence

from inspector.assembly.decisions import Assembly
from inspector.assembly.render import PromptMessage, prompt_messages
from inspector.tokens.chat_format import ChatFormat, ChatMessage


def rendered_prompt(assembly: Assembly, chat_format: ChatFormat) -> str:
    """The whole prompt, with the beginning of the reply; "" where none was made."""
    messages = list(prompt_messages(assembly))
    return _joined(chat_format, messages) if messages else ""


def rendered_beginning(assembly: Assembly, chat_format: ChatFormat, limit: int) -> tuple[str, bool]:
    """About the first `limit` characters of the prompt, and whether that is all of it."""
    messages, complete = _first_messages(prompt_messages(assembly), limit)
    if not messages:
        return "", True
    text = _joined(chat_format, messages)
    if complete and len(text) <= limit:
        return text, True
    return _without_reply(chat_format, text)[:limit], False


def span_in_prompt(assembly: Assembly, chat_format: ChatFormat, row: int) -> tuple[int, int] | None:
    """Beginning and end, in characters, of what stands in the rendered prompt for a row; None where nothing does."""
    if not assembly.in_prompt[row]:
        return None
    before: list[PromptMessage] = []
    for message in prompt_messages(assembly):
        if row in message.rows:
            start = len(_without_reply(chat_format, _joined(chat_format, before)))
            head = _joined(chat_format, [message]).find(message.content)
            inside = _offset(assembly, message, row)
            return start + head + inside, start + head + inside + len(assembly.text(row))
        before.append(message)
    return None


def _offset(assembly: Assembly, message: PromptMessage, row: int) -> int:
    """Where the text of a row begins in its message, looking for one item after the other."""
    place = 0
    for other in message.rows:
        text = assembly.text(other)
        place = message.content.find(text, place)
        if other == row:
            break
        place += len(text)
    return place


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


def _without_reply(chat_format: ChatFormat, text: str) -> str:
    """A rendered text without the beginning of the reply, which every rendering ends with."""
    return text.removesuffix("".join(segment.text for segment in chat_format.segments([])))
