"""Parts as messages: the results of tools are turns of their own, before or after the message they belong to."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from inspector.model import Call, Held, Image, Message, Part, Result, Text, Thought, changed, with_parts
from inspector.model.parts import text_of


def result_message(result: Result, id_: str = "", name: str | None = None, **fields: Any) -> Message:
    """Return the turn of a result; its name is that of the tool unless given."""
    return Message(id_, "tool", name=result.name if name is None else name, parts=(result,), **fields)


def identified(parts: Iterable[Part], prefix: str) -> Iterator[Part]:
    """Yield the parts with an id for each call that has none: `prefix`, call, and its number."""
    number = 0
    for part in parts:
        if isinstance(part, Call):
            part = part if part.id else changed(part, id=f"{prefix}call{number}")
            number += 1
        yield part


def split(parts: Iterable[Part]) -> tuple[list[Part], list[Result]]:
    """Return the parts without results, and the results."""
    said: list[Part] = []
    results: list[Result] = []
    for part in parts:
        (results if isinstance(part, Result) else said).append(part)  # pyright: ignore[reportArgumentType]
    return said, results


def placed(message: Message, results: Iterable[Result]) -> list[Message]:
    """Return a message with its results: those of its own calls after it, the others, which it answers, before it.

    A message that holds nothing beside results is left out.
    """
    own = {call.id for call in message.tool_calls}
    is_said = bool(message.content or message.parts)
    before: list[Message] = []
    after: list[Message] = []
    for result in results:
        if result.id in own:
            after.append(result_message(result))
        else:
            before.append(result_message(result, name=""))
    return [*before, message, *after] if is_said or not (before or after) else before


def beside(
    text: str, *, thoughts: str = "", media: Iterable[Part] = (), calls: Iterable[Call] = ()
) -> tuple[Part, ...]:
    """Return the parts of a text with its thoughts before it, and its media and calls after it; empty ones left out."""
    return (
        *((Thought(thoughts),) if thoughts else ()),
        *((Text(text),) if text else ()),
        *media,
        *calls,
    )


def as_result(parts: Iterable[Part], call: str, name: str = "") -> list[Part]:
    """Return the parts of an answer to a call as its result, with anything else that is no text or medium beside it."""
    parts = list(parts)
    held = [one for one in parts if isinstance(one, Held)]
    result = Result(call, name, text_of(parts), tuple(held))
    return [result, *(one for one in parts if not isinstance(one, Text | Held))]


def joined(first: Message, *others: Message) -> tuple[Part, ...]:
    """Return the parts of messages that are one turn, in order."""
    return tuple(part for message in (first, *others) for part in message.whole)


def with_thought_tokens(messages: Sequence[Message], tokens: int | None) -> list[Message]:
    """Return the messages of an answer; its only thought has the tokens that the provider recorded for all."""
    places = [n for n, one in enumerate(messages) for part in one.parts if isinstance(part, Thought)]
    found = list(messages)
    if tokens is None or len(places) != 1:
        return found
    answer = found[places[0]]
    parts = [changed(part, tokens=tokens) if isinstance(part, Thought) else part for part in answer.parts]
    found[places[0]] = with_parts(answer, parts)
    return found


def pictures(number: int) -> tuple[Image, ...]:
    """Return so many pictures of which nothing else is known."""
    return (Image(),) * number
