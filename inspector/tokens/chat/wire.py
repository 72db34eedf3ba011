"""The messages between this program and a process that renders templates: frames of bytes with JSON in them.

A request is two frames: the template, empty if unchanged since the previous request, and the chat. An answer is one.
"""

import json
from collections.abc import Mapping, Sequence
from struct import Struct
from typing import IO, Any

from inspector.tokens.chat.messages import ChatCall, ChatMessage, ChatTemplate, RenderedChat

_LENGTH = Struct(">Q")


class FrameTooLongError(Exception):
    """A frame is longer than the reader accepts."""


def write_frame(sink: IO[bytes], content: bytes) -> None:
    """Write and flush a frame. Raises OSError if the reader is gone."""
    sink.write(_LENGTH.pack(len(content)))
    sink.write(content)
    sink.flush()


def read_frame(source: IO[bytes], most: int | None = None) -> bytes:
    """Return the next frame, of at most `most` bytes. Raises EOFError and FrameTooLongError."""
    (length,) = _LENGTH.unpack(_exactly(source, _LENGTH.size))
    if most is not None and length > most:
        raise FrameTooLongError
    return _exactly(source, length)


def _exactly(source: IO[bytes], length: int) -> bytes:
    content = source.read(length)
    if len(content) < length:
        raise EOFError
    return content


def seconds_for(chat: bytes, seconds: float) -> float:
    """Return the time limit of a request: `seconds`, and another second per million bytes of the chat."""
    return seconds + len(chat) / 1_000_000


def encode_template(template: ChatTemplate) -> bytes:
    """Return the frame of a template."""
    return _encoded([template.source, template.specials, template.bos, template.eos])


def decode_template(content: bytes) -> ChatTemplate:
    """Return the template in a frame, without the name of its file, which the child process must not learn."""
    source, specials, bos, eos = json.loads(content)
    return ChatTemplate("", source, tuple(specials), bos, eos)


def encode_chat(messages: Sequence[ChatMessage], tools: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the frame of messages and tools. Raises JSON's own errors for tools nested too deep."""
    rows = [
        [
            message.role,
            message.content,
            message.name,
            [[call.name, call.arguments, call.id] for call in message.calls],
            message.call_id,
        ]
        for message in messages
    ]
    return _encoded([rows, list(tools)])


def decode_chat(content: bytes) -> tuple[list[ChatMessage], list[dict[str, Any]]]:
    """Return the messages and tools of a frame."""
    rows, tools = json.loads(content)
    messages = [
        ChatMessage(role, text, name, tuple(ChatCall(*call) for call in calls), call_id)
        for role, text, name, calls, call_id in rows
    ]
    return messages, tools


def encode_rendered(chat: RenderedChat) -> bytes:
    """Return the frame of a rendered chat. Raises UnicodeEncodeError for half of a surrogate pair."""
    rows = [[segment.text, segment.special, segment.part, segment.message] for segment in chat.segments]
    return json.dumps({"segments": rows, "faithful": chat.faithful, "refusal": None}, ensure_ascii=False).encode()


def encode_refusal(words: str) -> bytes:
    """Return the frame of a refusal."""
    return json.dumps({"segments": [], "faithful": False, "refusal": words}).encode()


def _encoded(value: Any) -> bytes:
    return json.dumps(value, default=str).encode()
