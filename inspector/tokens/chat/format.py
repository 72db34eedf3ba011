"""How a chat is written for a model: a chat template, rendered so that it is known which text is whose."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

from inspector.tokens.chat.marks import LITERAL, MarkedMapping, Marks, shared_length
from inspector.tokens.chat.sandbox import ChatTemplateError, render_template
from inspector.tokens.chat.template import ChatTemplate
from inspector.tokens.tokenizer import Tokenizer

Part = Literal["frame", "content", "call", "tools", "reply"]

FRAME = -1
"""The message of a segment that belongs to none: what the template itself writes."""


@dataclass(frozen=True, slots=True)
class ChatCall:
    """A tool call of a message; `arguments` is JSON as the source wrote it, or any text."""

    name: str
    arguments: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message as a chat format takes it; what it calls is not in its content."""

    role: str
    content: str
    name: str = ""
    calls: tuple[ChatCall, ...] = ()
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a rendered prompt. A special one is a single token of the model's, whatever its text.

    `part` says what it is: the content of a message, a call's name or arguments, the frame that the template writes,
    what it writes for tools, or the beginning of the reply. `message` is the place of the message that a content or a
    call is of, `FRAME` for all else.
    """

    text: str
    special: bool = False
    part: Part = "frame"
    message: int = FRAME


_END = Segment("", special=True)


@dataclass(frozen=True)
class RenderedChat:
    """A prompt as the text that the model gets, in segments. Together they are `text`.

    `faithful` says that the template wrote the same with marks around the texts as without; where it did not, nobody
    knows whose a text is, and all of it counts as frame.
    """

    segments: tuple[Segment, ...]
    faithful: bool

    @cached_property
    def text(self) -> str:
        """The whole prompt."""
        return "".join([segment.text for segment in self.segments])

    @cached_property
    def stretches(self) -> tuple[Segment, ...]:
        """The segments with neighbouring ordinary ones joined: what a tokenizer sees between two special tokens."""
        found: list[Segment] = []
        texts: list[str] = []
        for segment in (*self.segments, _END):
            if not segment.special:
                texts.append(segment.text)
                continue
            if texts:
                found.append(Segment("".join(texts)))
                texts.clear()
            found.append(segment)
        return tuple(found[:-1])


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """A way of writing chats. `published` says that it was compared with what the model's maker publishes; otherwise
    all that it adds to the contents is an estimate.

    `frames` is what its template is known to write into short chats, by `probe_name`; what is not there is rendered.
    """

    template: ChatTemplate
    published: bool = False
    frames: Mapping[str, tuple[Segment, ...]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name of the template."""
        return self.template.name

    def render(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]] = (),
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> RenderedChat:
        """The prompt of these messages, with the beginning of the reply. ChatTemplateError where it is refused.

        AbandonedError is raised once `is_wanted` says no.
        """
        plain = self._written(_plain_messages(messages), tools, is_wanted)
        segments, faithful = self._segments(messages, tools, plain, is_wanted)
        opening = _reply_opening(self.template)
        if opening and plain.endswith(opening):
            segments = _tagged(segments, len(plain) - len(opening), len(plain), "reply")
        if tools:
            without = self._written(_plain_messages(messages), (), is_wanted)
            segments = _tagged(segments, *_inserted(plain, without), "tools")
        return RenderedChat(tuple(segments), faithful)

    def split(self, text: str) -> tuple[Segment, ...]:
        """A text as a server reads it that takes every special token for one, whoever wrote it."""
        parts = enumerate(specials_pattern(self.template.specials).split(text))
        return tuple(Segment(part, special=index % 2 == 1) for index, part in parts if part)

    def frame_tokens(self, tokenizer: Tokenizer, role: str, name: str = "") -> int:
        """What one message of a role adds to a short chat besides its content."""
        return _frame_tokens(self, tokenizer, role, name)

    def constant_tokens(self, tokenizer: Tokenizer, first_role: str = "user") -> int:
        """What a chat whose first message has this role has once besides frames and the beginning of the reply."""
        return _constant_tokens(self, tokenizer, first_role == "system")

    def reply_tokens(self, tokenizer: Tokenizer) -> int:
        """What the beginning of the reply adds."""
        return _reply_tokens(self, tokenizer)

    def tool_tokens(self, tokenizer: Tokenizer, tools: tuple[str, ...]) -> int:
        """What the definitions of tools (JSON each) add to a prompt; 0 where the template writes none."""
        return _tool_tokens(self, tokenizer, tools) if tools else 0

    def _written(
        self, messages: list[dict[str, Any]], tools: Sequence[Mapping[str, Any]], is_wanted: Callable[[], bool]
    ) -> str:
        given = {"tools": [_as_function(tool) for tool in tools]} if tools else {}
        return _written(self.template, {"messages": messages, "add_generation_prompt": True, **given}, is_wanted)

    def _segments(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]],
        plain: str,
        is_wanted: Callable[[], bool],
    ) -> tuple[list[Segment], bool]:
        """The segments of a prompt, and whether the marks left what the template writes as it is."""
        written: dict[str, tuple[Segment, ...]] = {}
        for edges in (True, False):
            chat = _MarkedChat(messages, edges, specials_pattern(self.template.specials))
            try:
                rendered = self._written(chat.messages, tools, is_wanted)
            except ChatTemplateError:  # it takes offence at the marks, not at the messages
                continue
            if chat.marks.without_marks(rendered) != plain:
                continue
            found: list[Segment] = []
            for piece in chat.marks.pieces(rendered):
                if piece.place != LITERAL:
                    found.append(Segment(piece.text, False, *chat.owners[piece.place]))
                    continue
                if piece.text not in written:  # templates write the same few texts again and again
                    written[piece.text] = self.split(piece.text)
                found += written[piece.text]
            return found, True
        return list(self.split(plain)), False


def _written(template: ChatTemplate, variables: Mapping[str, Any], is_wanted: Callable[[], bool] = lambda: True) -> str:
    given = {"bos_token": template.bos, "eos_token": template.eos, **variables}
    return render_template(template.source, given, is_wanted=is_wanted)


class _MarkedChat:
    """Messages with marks around every content, and around the name and arguments of every call.

    `owners` tells for each place what it is, and of which message.
    """

    def __init__(self, messages: Sequence[ChatMessage], edges: bool, specials: re.Pattern[str]) -> None:
        texts: list[str] = []
        self.owners: list[tuple[Part, int]] = []
        for index, message in enumerate(messages):
            called = [text for call in message.calls for text in (call.name, call.arguments)]
            texts += [message.content, *called]
            self.owners.append(("content", index))
            self.owners.extend(("call", index) for _ in called)
        self.marks = Marks(texts, edges, specials)
        places = iter(range(len(texts)))
        self.messages = [self._marked(message, places) for message in messages]

    def _marked(self, message: ChatMessage, places: Iterator[int]) -> dict[str, Any]:
        content = self.marks.around(next(places))
        calls = []
        for call in message.calls:
            name, place = self.marks.around(next(places)), next(places)
            arguments = _parsed(call.arguments)
            marked = MarkedMapping(arguments, self.marks, place) if isinstance(arguments, dict) else None
            calls.append(_call_value(call, name, self.marks.around(place) if marked is None else marked))
        return _message_value(message, content, calls)


def _plain_messages(messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    """The messages as templates take them."""
    calls = ([_call_value(call, call.name, _parsed(call.arguments)) for call in message.calls] for message in messages)
    return [_message_value(message, message.content, called) for message, called in zip(messages, calls, strict=True)]


def _message_value(message: ChatMessage, content: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    optional = {"name": message.name, "tool_calls": calls, "tool_call_id": message.call_id}
    return {"role": message.role, "content": content} | {key: value for key, value in optional.items() if value}


def _call_value(call: ChatCall, name: str, arguments: object) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _parsed(arguments: str) -> object:
    """The arguments of a call as the object that they are, else as they are written."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return value if isinstance(value, dict) else arguments


def _as_function(tool: Mapping[str, Any]) -> dict[str, Any]:
    """A tool definition as chat templates take it, from OpenAI's form, or from Anthropic's with `input_schema`."""
    if isinstance(tool.get("function"), Mapping):
        return dict(tool)
    schema = tool.get("parameters") or tool.get("input_schema") or {}
    function = {"name": tool.get("name", ""), "description": tool.get("description", ""), "parameters": schema}
    return {"type": "function", "function": function}


def count_segments(tokenizer: Tokenizer, segments: Iterable[Segment]) -> int:
    """The tokens of segments, each counted on its own: a special is one."""
    ordinary: list[str] = []
    specials = 0
    for segment in segments:
        if segment.special:
            specials += 1
        else:
            ordinary.append(segment.text)
    return specials + int(tokenizer.count(ordinary).sum())


@lru_cache(maxsize=64)
def specials_pattern(specials: tuple[str, ...]) -> re.Pattern[str]:
    """What finds special tokens in a text, the longest first; nothing where there are none."""
    longest = sorted(specials, key=len, reverse=True)
    return re.compile("(" + "|".join(map(re.escape, longest)) + ")") if longest else re.compile("((?!))")


_SYSTEM, _USER, _ANSWER = (ChatMessage(role, "x") for role in ("system", "user", "assistant"))
_CALL = ChatMessage("assistant", "", calls=(ChatCall("x", "{}", "123456789"),))
_RESULT = ChatMessage("tool", "x", call_id="123456789")
_PROBES = (
    *((_SYSTEM, _USER), (_SYSTEM, _SYSTEM, _USER), (_SYSTEM, _USER, _ANSWER, _USER), (_USER, _USER)),
    *((_USER, _ANSWER, _USER), (_USER, _ANSWER, _USER, _ANSWER, _USER)),
    *((_USER, _CALL, _RESULT), (_USER, _CALL, _RESULT, _RESULT)),
)
REPLY = "reply"
"""Stands in `ChatFormat.frames` for the beginning of the reply."""


@lru_cache(maxsize=4096)
def _frame_tokens(chat_format: ChatFormat, tokenizer: Tokenizer, role: str, name: str) -> int:
    def added(messages: Sequence[ChatMessage], without: Sequence[ChatMessage]) -> int:
        whole, part = (_overhead(chat_format, tokenizer, chat) for chat in (messages, without))
        return whole - part

    try:
        if name:
            named = ChatMessage(role, "x", name, call_id=_RESULT.call_id if role == "tool" else "")
            before = {"tool": (_USER, _CALL), "assistant": (_USER,)}.get(role, ())
            nameless = replace(named, name="")
            more = added((*before, named, _USER), (*before, nameless, _USER))
            return _frame_tokens(chat_format, tokenizer, role, "") + more
        if role == "system":
            return added((_SYSTEM, _SYSTEM, _USER), (_SYSTEM, _USER))
        if role == "tool":
            return added((_USER, _CALL, _RESULT, _RESULT), (_USER, _CALL, _RESULT))
        exchange = added((_USER, _ANSWER, _USER, _ANSWER, _USER), (_USER, _ANSWER, _USER))
        answer = _answer_frame(chat_format, tokenizer, exchange)
        return answer if role == "assistant" else exchange - answer
    except ChatTemplateError:  # a template for other roles than this; measuring the prompt will say so
        return 0 if role == "user" else _frame_tokens(chat_format, tokenizer, "user", "")


def _answer_frame(chat_format: ChatFormat, tokenizer: Tokenizer, exchange: int) -> int:
    """What an answer adds; half of what an exchange does for templates that allow no exchange without one."""
    try:
        alone = _overhead(chat_format, tokenizer, (_USER, _USER))
    except ChatTemplateError:
        return exchange // 2
    return _overhead(chat_format, tokenizer, (_USER, _ANSWER, _USER)) - alone


@lru_cache(maxsize=256)
def _constant_tokens(chat_format: ChatFormat, tokenizer: Tokenizer, has_system: bool) -> int:
    chat = (*([_SYSTEM] if has_system else []), _USER, _ANSWER, _USER)
    try:
        whole = _overhead(chat_format, tokenizer, chat)
    except ChatTemplateError:
        return 0
    return whole - sum(_frame_tokens(chat_format, tokenizer, message.role, "") for message in chat)


@lru_cache(maxsize=256)
def _tool_tokens(chat_format: ChatFormat, tokenizer: Tokenizer, tools: tuple[str, ...]) -> int:
    try:
        found = chat_format.render([_SYSTEM, _USER], [json.loads(tool) for tool in tools])
    except ChatTemplateError:
        return 0
    return count_segments(tokenizer, (segment for segment in found.segments if segment.part == "tools"))


def _overhead(chat_format: ChatFormat, tokenizer: Tokenizer, messages: Sequence[ChatMessage]) -> int:
    """What a template adds to these messages, the beginning of the reply left out."""
    known = None if any(message.name for message in messages) else chat_format.frames.get(probe_name(messages))
    return count_segments(tokenizer, _frame_of(chat_format, messages) if known is None else known)


def _frame_of(chat_format: ChatFormat, messages: Sequence[ChatMessage]) -> tuple[Segment, ...]:
    return tuple(part for part in chat_format.render(messages).segments if part.part == "frame")


@lru_cache(maxsize=256)
def _reply_tokens(chat_format: ChatFormat, tokenizer: Tokenizer) -> int:
    known = chat_format.frames.get(REPLY)
    return count_segments(tokenizer, _reply_of(chat_format) if known is None else known)


def _reply_of(chat_format: ChatFormat) -> tuple[Segment, ...]:
    return chat_format.split(_reply_opening(chat_format.template))


def rendered_frames(chat_format: ChatFormat) -> dict[str, tuple[Segment, ...]]:
    """What a template writes into the short chats that its frames are counted on, by `probe_name`, and as `REPLY`.

    A chat that it refuses is left out.
    """
    found = {REPLY: _reply_of(chat_format)}
    for probe in _PROBES:
        with suppress(ChatTemplateError):
            found[probe_name(probe)] = _frame_of(chat_format, probe)
    return found


def probe_name(messages: Sequence[ChatMessage]) -> str:
    """The name of a chat of nameless messages that say one word: who speaks, such as `user assistant user`."""
    return " ".join("call" if message.calls else message.role for message in messages)


@lru_cache(maxsize=64)
def _reply_opening(template: ChatTemplate) -> str:
    """What a template writes where the model goes on; "" where it has no such thing, or refuses a single word."""
    chat = {"messages": _plain_messages([_USER])}
    try:
        whole, without = (_written(template, {**chat, "add_generation_prompt": reply}) for reply in (True, False))
    except ChatTemplateError:
        return ""
    return whole.removeprefix(without) if whole.startswith(without) else ""


def _inserted(text: str, without: str) -> tuple[int, int]:
    """Where the one stretch lies that a text has and another one has not."""
    begun = shared_length(text, without)
    ended = shared_length(text[begun:][::-1], without[begun:][::-1])
    return begun, len(text) - ended


def _tagged(segments: Iterable[Segment], start: int, end: int, part: Part) -> list[Segment]:
    """The segments with what the template wrote from `start` to `end`, in characters, named as another part of it."""
    found: list[Segment] = []
    place = 0
    for segment in segments:
        length = len(segment.text)
        place += length
        if place <= start or place - length >= end or segment.part != "frame":
            found.append(segment)
            continue
        if segment.special:  # two specials that begin alike must not be cut where they part
            found.append(replace(segment, part=part) if place <= end else segment)
            continue
        first, last = max(start - place + length, 0), min(end - place + length, length)
        pieces = ((segment.text[:first], "frame"), (segment.text[first:last], part), (segment.text[last:], "frame"))
        found += [replace(segment, text=text, part=name) for text, name in pieces if text]
    return found
