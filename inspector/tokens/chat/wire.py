"""The messages between this program and a process that renders templates: frames of bytes with JSON in them.

A request is two frames: the template, empty if unchanged since the previous request, and the chat. An answer is one.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple
from struct import Struct
from typing import IO, Any

from inspector.tokens.chat.messages import PLAIN, ChatCall, ChatMessage, ChatTemplate, RenderedChat, Switches

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
    return _encoded([template.source, template.specials, template.bos, template.eos, template.arguments_as_text])


def decode_template(content: bytes) -> ChatTemplate:
    """Return the template in a frame, without the name of its file, which the child process must not learn."""
    source, specials, bos, eos, as_text = json.loads(content)
    return ChatTemplate("", source, tuple(specials), bos, eos, arguments_as_text=as_text)


def encode_chat(
    messages: Sequence[ChatMessage], tools: Sequence[Mapping[str, Any]], switches: Switches = PLAIN
) -> bytes:
    """Return the frame of messages, tools and switches. Raises JSON's own errors for tools nested too deep."""
    rows = [
        [
            message.role,
            message.content,
            message.name,
            [[call.name, call.arguments, call.id] for call in message.calls],
            message.call_id,
            message.thought,
            message.texts,
        ]
        for message in messages
    ]
    return _encoded([rows, list(tools), list(astuple(switches))])


def decode_chat(content: bytes) -> tuple[list[ChatMessage], list[dict[str, Any]], Switches]:
    """Return the messages, tools and switches of a frame."""
    rows, tools, switches = json.loads(content)
    messages = [
        ChatMessage(role, text, name, tuple(ChatCall(*call) for call in calls), call_id, thought, tuple(texts))
        for role, text, name, calls, call_id, thought, texts in rows
    ]
    return messages, tools, Switches(*switches)


def encode_rendered(chat: RenderedChat) -> bytes:
    """Return the frame of a rendered chat. Raises UnicodeEncodeError for half of a surrogate pair."""
    rows = [[segment.text, segment.special, segment.part, segment.message] for segment in chat.segments]
    answer = {"segments": rows, "faithful": chat.faithful, "doubt": chat.doubt, "refusal": None}
    return json.dumps(answer, ensure_ascii=False).encode()


def encode_refusal(words: str) -> bytes:
    """Return the frame of a refusal."""
    return json.dumps({"segments": [], "faithful": False, "doubt": "", "refusal": words}).encode()


def _encoded(value: Any) -> bytes:
    return json.dumps(value, default=str).encode()
