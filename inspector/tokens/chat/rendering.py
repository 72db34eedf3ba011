"""Rendering a chat template in this process, with a known origin for each stretch of the prompt."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from inspector.tokens.chat.marks import LITERAL, MarkedMapping, Marks, shared_length
from inspector.tokens.chat.messages import (
    PLAIN,
    ChatCall,
    ChatMessage,
    ChatTemplate,
    Part,
    RenderedChat,
    Segment,
    Switches,
)
from inspector.tokens.chat.sandbox import ChatTemplateError, doubt_of_last, render_template
from inspector.tokens.chat.typescript import harmony_definitions, openai_definitions

LONGEST = 1_000_000
"""The most characters of a content rendered as a whole."""
END = 2_000
"""The characters of each end of a longer content that are rendered."""
_MARK = "\U0010fffd"  # for private use, and not used in marks
_STAND_IN = f"{_MARK}\"'\\/<&>{{}}%#\t\n\u00e9 Zz{_MARK}"
_TAG = re.compile(r"</?[\w|]+>")
_TWO_TEXTS = ("one\u2013text", "another\u2013text")
_TYPED = re.compile(r"[\"']type[\"']")
_THOUGHT_KEY = re.compile(r"(?:\.|\[[\"']|get\([\"'])(reasoning_content|reasoning|thinking)\b")


class LongContents:
    """The messages of a chat with a stand-in for the middle of each long content."""

    def __init__(self, template: ChatTemplate, messages: Sequence[ChatMessage]) -> None:
        tags = frozenset(_TAG.findall(template.source))
        self._whole = {
            place: message.content
            for place, message in enumerate(messages)
            if len(message.content) > LONGEST and not message.texts and _may_be_cut(message.content, tags)
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
        return RenderedChat(tuple(found), chat.faithful, chat.doubt)


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


def render_chat(
    template: ChatTemplate, messages: Sequence[ChatMessage], tools: Tools = (), switches: Switches = PLAIN
) -> RenderedChat:
    """Return the prompt of these messages, with the beginning of the reply.

    Raises ChatTemplateError if the template refuses them or fails, and AbandonedError.
    """
    long = LongContents(template, messages) if template.shipped else None
    found = long.restored(_rendered(template, long.messages, tools, switches)) if long else None
    return _rendered(template, messages, tools, switches) if found is None else found


def _rendered(
    template: ChatTemplate, messages: Sequence[ChatMessage], tools: Tools, switches: Switches
) -> RenderedChat:
    template, plain = _first_written(template, messages, tools, switches)
    doubt = doubt_of_last()
    segments, faithful = _segments(template, messages, tools, switches, plain)
    opening = _reply_opening(template, switches)
    if opening and plain.endswith(opening):
        segments = _tagged(segments, len(plain) - len(opening), len(plain), "reply")
    bare, unchosen = _plain_messages(template, messages), replace(switches, tool_choice="")
    body = plain.removesuffix(opening)
    if switches.tool_choice:  # it stands behind the tools
        chosen, body = body, _written(template, bare, tools, unchosen).removesuffix(opening)
        segments = _tagged(segments, *_inserted(chosen, body), "choice")
    if tools:
        without = _written(template, bare, (), unchosen).removesuffix(opening)
        segments = _tagged(segments, *_inserted(body, without), "tools")
    return RenderedChat(tuple(segments), faithful, doubt)


def _first_written(
    template: ChatTemplate, messages: Sequence[ChatMessage], tools: Tools, switches: Switches
) -> tuple[ChatTemplate, str]:
    """Return the prompt, and the template: with arguments of calls as text if it fails with objects only.

    Some makers write templates for arguments as OpenAI's interface has them, some for objects (transformers).
    """
    try:
        return template, _written(template, _plain_messages(template, messages), tools, switches)
    except ChatTemplateError:
        has_calls = any(message.calls for message in messages)
        if template.arguments_as_text or template.shipped or not has_calls:
            raise
        textual = replace(template, arguments_as_text=True)
        with suppress(ChatTemplateError):
            return textual, _written(textual, _plain_messages(textual, messages), tools, switches)
        raise


def split_specials(text: str, specials: tuple[str, ...]) -> tuple[Segment, ...]:
    """Return a text split at every special token in it, as read by servers that honour special tokens there."""
    parts = enumerate(specials_pattern(specials).split(text))
    return tuple(Segment(part, special=index % 2 == 1) for index, part in parts if part)


@lru_cache(maxsize=64)
def specials_pattern(specials: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for special tokens, the longest first; without any, it matches nothing."""
    longest = sorted(specials, key=len, reverse=True)
    return re.compile("(" + "|".join(map(re.escape, longest)) + ")") if longest else re.compile("((?!))")


def _written(
    template: ChatTemplate,
    messages: list[dict[str, Any]],
    tools: Tools,
    switches: Switches = PLAIN,
    replies: bool = True,
) -> str:
    variables = {"bos_token": template.bos, "eos_token": template.eos, "messages": messages}
    given: dict[str, Any] = {"tools": [_as_function(tool) for tool in tools]} if tools else {}
    if template.shipped:
        given |= {"openai_definitions": openai_definitions, "harmony_definitions": harmony_definitions}
        given |= {"tool_form": switches.tool_form, "tool_choice": switches.tool_choice}
    given |= _switched(switches)
    return render_template(template.source, {**variables, "add_generation_prompt": replies, **given})


def _switched(switches: Switches) -> dict[str, bool]:
    """Return the variables of templates for these switches, by the names that makers use."""
    found: dict[str, bool] = {}
    if switches.thinking is not None:  # Qwen, GLM, Gemma; DeepSeek, Granite, Kimi
        found |= {"enable_thinking": switches.thinking, "thinking": switches.thinking}
    if switches.thoughts == "all":  # GLM from 4.7; Qwen from 3.6, Kimi
        found |= {"clear_thinking": False, "preserve_thinking": True}
    return found


def _segments(
    template: ChatTemplate, messages: Sequence[ChatMessage], tools: Tools, switches: Switches, plain: str
) -> tuple[list[Segment], bool]:
    """Return the segments of a prompt, and whether the marks left the template's output unchanged."""
    written: dict[str, tuple[Segment, ...]] = {}
    for edges in (True, False):
        chat = _MarkedChat(template, messages, edges)
        try:
            rendered = _written(template, chat.messages, tools, switches)
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
    """Messages with marks around every text of a content, every thought, and the name and arguments of every call.

    `owners` gives the part and the message of each place.
    """

    def __init__(self, template: ChatTemplate, messages: Sequence[ChatMessage], edges: bool) -> None:
        self._template = template
        texts: list[str] = []
        self.owners: list[tuple[Part, int]] = []
        for index, message in enumerate(messages):
            held: tuple[tuple[Part, Sequence[str]], ...] = (
                ("content", message.texts or (message.content,)),
                ("thought", (message.thought,)),
                ("call", [text for call in message.calls for text in (call.name, call.arguments)]),
            )
            for part, found in held:
                texts += found
                self.owners.extend((part, index) for _ in found)
        self.marks = Marks(texts, edges, specials_pattern(template.specials))
        places = iter(range(len(texts)))
        self.messages = [self._marked(message, places) for message in messages]

    def _marked(self, message: ChatMessage, places: Iterator[int]) -> dict[str, Any]:
        texts = [self.marks.around(next(places)) for _ in message.texts or (message.content,)]
        thought = self.marks.around(next(places))
        calls = []
        for call in message.calls:
            name, place = self.marks.around(next(places)), next(places)
            arguments = _arguments(self._template, call)
            marked = MarkedMapping(arguments, self.marks, place) if isinstance(arguments, dict) else None
            calls.append(_call_value(call, name, self.marks.around(place) if marked is None else marked))
        return _message_value(self._template, message, texts, thought, calls)


def _plain_messages(template: ChatTemplate, messages: Sequence[ChatMessage]) -> list[dict[str, Any]]:
    """Return the messages as templates take them."""
    found = []
    for message in messages:
        calls = [_call_value(call, call.name, _arguments(template, call)) for call in message.calls]
        texts = message.texts or (message.content,)
        found.append(_message_value(template, message, texts, message.thought, calls))
    return found


def _message_value(
    template: ChatTemplate, message: ChatMessage, texts: Sequence[str], thought: str, calls: list[dict[str, Any]]
) -> dict[str, Any]:
    optional: dict[str, Any] = {"name": message.name, "tool_calls": calls, "tool_call_id": message.call_id}
    optional |= dict.fromkeys(_thought_keys(template.source), thought)
    content = _content(template, texts) if message.texts else texts[0]
    return {"role": message.role, "content": content} | {key: value for key, value in optional.items() if value}


def _content(template: ChatTemplate, texts: Sequence[str]) -> str | list[dict[str, str]]:
    """Return a content of several texts: joined as the maker does; by templates of others as a list if they take one.

    Servers join them line by line for templates that take texts only (vLLM's entrypoints/chat_utils.py).
    """
    if template.joint is None and _takes_texts(template):
        return [{"type": "text", "text": text} for text in texts]
    trimmed = [text.strip() if template.trims_texts else text for text in texts]
    return ("\n" if template.joint is None else template.joint).join(filter(None, trimmed))


@lru_cache(maxsize=64)
def _takes_texts(template: ChatTemplate) -> bool:
    """Return whether a template writes the texts of a content that is a list, and nothing else of the list."""
    asked = [{"role": "user", "content": [{"type": "text", "text": text} for text in _TWO_TEXTS]}]
    try:
        written = _written(template, asked, ())
    except ChatTemplateError:
        return False
    return all(text in written for text in _TWO_TEXTS) and not _TYPED.search(written)


@lru_cache(maxsize=64)
def _thought_keys(source: str) -> tuple[str, ...]:
    """Return the keys of a message under which a template looks for its thoughts; `reasoning_content` by default."""
    return tuple(dict.fromkeys(_THOUGHT_KEY.findall(source))) or ("reasoning_content",)


def _call_value(call: ChatCall, name: str, arguments: object) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _arguments(template: ChatTemplate, call: ChatCall) -> object:
    return call.arguments if template.arguments_as_text else _parsed(call.arguments)


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
def _reply_opening(template: ChatTemplate, switches: Switches) -> str:
    """Return the text a template writes to begin the reply; "" if it has none or refuses a one-word message."""
    word, plain = _plain_messages(template, [ChatMessage("user", "x")]), replace(switches, tool_choice="")
    try:
        whole, without = (_written(template, word, (), plain, replies) for replies in (True, False))
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
