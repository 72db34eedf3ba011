"""Rendering a chat template in this process, with a known origin for each stretch of the prompt."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from inspector.tokens.chat.marks import LITERAL, MarkedMapping, Marks, shared_length
from inspector.tokens.chat.messages import ChatCall, ChatMessage, ChatTemplate, Part, RenderedChat, Segment
from inspector.tokens.chat.sandbox import ChatTemplateError, render_template

LONGEST = 1_000_000
"""The most characters of a content rendered as a whole."""
END = 2_000
"""The characters of each end of a longer content that are rendered."""
_MARK = "\U0010fffd"  # for private use, and not used in marks
_STAND_IN = f"{_MARK}\"'\\/<&>{{}}%#\t\n\u00e9 Zz{_MARK}"
_TAG = re.compile(r"</?[\w|]+>")


class LongContents:
    """The messages of a chat with a stand-in for the middle of each long content."""

    def __init__(self, template: ChatTemplate, messages: Sequence[ChatMessage]) -> None:
        tags = frozenset(_TAG.findall(template.source))
        self._whole = {
            place: message.content
            for place, message in enumerate(messages)
            if len(message.content) > LONGEST and _may_be_cut(message.content, tags)
        }
        self.messages = [
            replace(message, content=_shortened(message.content)) if place in self._whole else message
            for place, message in enumerate(messages)
        ]

    def __bool__(self) -> bool:
        return bool(self._whole)

    def restored(self, chat: RenderedChat) -> RenderedChat | None:
        """Return the prompt with the whole contents; None if their form in the prompt is uncertain."""
        found: list[Segment] = []
        for segment in chat.segments:
            if segment.part == "content" and segment.message in self._whole:
                text = _restored(segment.text, self._whole[segment.message])
                if text is None:
                    return None
                found.append(replace(segment, text=text))
            elif _MARK in segment.text:
                return None
            else:
                found.append(segment)
        return RenderedChat(tuple(found), chat.faithful)


def _may_be_cut(content: str, tags: frozenset[str]) -> bool:
    """Return whether the middle holds no tag of the template and both ends hold more than white space."""
    ends = content[:END].strip() and content[-END:].strip()
    return bool(ends) and _MARK not in content and not any(tag in content for tag in tags)


def _shortened(content: str) -> str:
    return f"{content[:END]}{_STAND_IN}{content[-END:]}"


def _restored(text: str, content: str) -> str | None:
    """Return the whole content as rendered, from its rendered short form; None if not a single stretch of it."""
    before, stand_in, after = text.partition(_STAND_IN)
    if not stand_in or not content[:END].endswith(before) or not content[-END:].startswith(after):
        return None
    return content[END - len(before) : len(content) - END + len(after)]


Tools = Sequence[Mapping[str, Any]]


def render_chat(template: ChatTemplate, messages: Sequence[ChatMessage], tools: Tools = ()) -> RenderedChat:
    """Return the prompt of these messages, with the beginning of the reply.

    Raises ChatTemplateError if the template refuses them or fails, and AbandonedError.
    """
    long = LongContents(template, messages) if template.shipped else None
    found = long.restored(_rendered(template, long.messages, tools)) if long else None
    return _rendered(template, messages, tools) if found is None else found


def _rendered(template: ChatTemplate, messages: Sequence[ChatMessage], tools: Tools) -> RenderedChat:
    plain = _written(template, _plain_messages(messages), tools)
    segments, faithful = _segments(template, messages, tools, plain)
    opening = _reply_opening(template)
    if opening and plain.endswith(opening):
        segments = _tagged(segments, len(plain) - len(opening), len(plain), "reply")
    if tools:
        without = _written(template, _plain_messages(messages), ())
        segments = _tagged(segments, *_inserted(plain, without), "tools")
    return RenderedChat(tuple(segments), faithful)


def split_specials(text: str, specials: tuple[str, ...]) -> tuple[Segment, ...]:
    """Return a text split at every special token in it, as read by servers that honour special tokens there."""
    parts = enumerate(specials_pattern(specials).split(text))
    return tuple(Segment(part, special=index % 2 == 1) for index, part in parts if part)


@lru_cache(maxsize=64)
def specials_pattern(specials: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for special tokens, the longest first; without any, it matches nothing."""
    longest = sorted(specials, key=len, reverse=True)
    return re.compile("(" + "|".join(map(re.escape, longest)) + ")") if longest else re.compile("((?!))")


def _written(template: ChatTemplate, messages: list[dict[str, Any]], tools: Tools, replies: bool = True) -> str:
    variables = {"bos_token": template.bos, "eos_token": template.eos, "messages": messages}
    given = {"tools": [_as_function(tool) for tool in tools]} if tools else {}
    return render_template(template.source, {**variables, "add_generation_prompt": replies, **given})


def _segments(
    template: ChatTemplate, messages: Sequence[ChatMessage], tools: Tools, plain: str
) -> tuple[list[Segment], bool]:
    """Return the segments of a prompt, and whether the marks left the template's output unchanged."""
    written: dict[str, tuple[Segment, ...]] = {}
    for edges in (True, False):
        chat = _MarkedChat(messages, edges, specials_pattern(template.specials))
        try:
            rendered = _written(template, chat.messages, tools)
        except ChatTemplateError:  # caused by the marks, not by the messages
            continue
        if chat.marks.without_marks(rendered) != plain:
            continue
        found: list[Segment] = []
        for piece in chat.marks.pieces(rendered):
            if piece.place != LITERAL:
                found.append(Segment(piece.text, False, *chat.owners[piece.place]))
                continue
            if piece.text not in written:  # templates write the same few texts again and again
                written[piece.text] = split_specials(piece.text, template.specials)
            found += written[piece.text]
        return found, True
    return list(split_specials(plain, template.specials)), False


class _MarkedChat:
    """Messages with marks around every content, and around the name and arguments of every call.

    `owners` gives the part and the message of each place.
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
    """Return the messages as templates take them."""
    calls = ([_call_value(call, call.name, _parsed(call.arguments)) for call in message.calls] for message in messages)
    return [_message_value(message, message.content, called) for message, called in zip(messages, calls, strict=True)]


def _message_value(message: ChatMessage, content: str, calls: list[dict[str, Any]]) -> dict[str, Any]:
    optional = {"name": message.name, "tool_calls": calls, "tool_call_id": message.call_id}
    return {"role": message.role, "content": content} | {key: value for key, value in optional.items() if value}


def _call_value(call: ChatCall, name: str, arguments: object) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _parsed(arguments: str) -> object:
    """Return the arguments of a call as an object, else as written."""
    try:
        value = json.loads(arguments)
    except (ValueError, RecursionError):
        return arguments
    return value if isinstance(value, dict) else arguments


def _as_function(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool definition as chat templates take it, from OpenAI's form or Anthropic's (with `input_schema`)."""
    if isinstance(tool.get("function"), Mapping):
        return dict(tool)
    schema = tool.get("parameters") or tool.get("input_schema") or {}
    function = {"name": tool.get("name", ""), "description": tool.get("description", ""), "parameters": schema}
    return {"type": "function", "function": function}


@lru_cache(maxsize=64)
def _reply_opening(template: ChatTemplate) -> str:
    """Return the text a template writes to begin the reply; "" if it has none or refuses a one-word message."""
    word = _plain_messages([ChatMessage("user", "x")])
    try:
        whole, without = (_written(template, word, (), replies) for replies in (True, False))
    except ChatTemplateError:
        return ""
    return whole.removeprefix(without) if whole.startswith(without) else ""


def _inserted(text: str, without: str) -> tuple[int, int]:
    """Return the start and end of the single stretch that `text` has and `without` lacks."""
    begun = shared_length(text, without)
    ended = shared_length(text[begun:][::-1], without[begun:][::-1])
    return begun, len(text) - ended


def _tagged(segments: Iterable[Segment], start: int, end: int, part: Part) -> list[Segment]:
    """Return the segments, with the template's own text from `start` to `end` (characters) assigned to another part."""
    found: list[Segment] = []
    place = 0
    for segment in segments:
        length = len(segment.text)
        place += length
        if place <= start or place - length >= end or segment.part != "frame":
            found.append(segment)
            continue
        if segment.special:  # two specials with the same beginning must not be cut after it
            found.append(replace(segment, part=part) if place <= end else segment)
            continue
        first, last = max(start - place + length, 0), min(end - place + length, length)
        pieces = ((segment.text[:first], "frame"), (segment.text[first:last], part), (segment.text[last:], "frame"))
        found += [replace(segment, text=text, part=name) for text, name in pieces if text]
    return found
