"""The tokens a chat template adds around contents, measured on short chats, so that a slider needs no prompt."""

import json
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, Literal, NamedTuple

from inspector.tokens.chat.format import STAND_IN, ChatFormat, count_segments, shipped_format
from inspector.tokens.chat.messages import OWNED, ChatCall, ChatMessage, Part, RenderedChat, Segment
from inspector.tokens.chat.sandbox import SECONDS, ChatTemplateError, RunawayTemplateError
from inspector.tokens.tokenizer import Tokenizer

REPLY = "reply"
"""The key in `ChatFormat.frames` for the beginning of the reply."""

_SYSTEM, _USER, _ANSWER = (ChatMessage(role, "x") for role in ("system", "user", "assistant"))
_CALL = ChatMessage("assistant", "", calls=(ChatCall("x", "{}", "123456789"),))
_RESULT = ChatMessage("tool", "x", call_id="123456789")
_TOOL = {"type": "function", "function": {"name": "x", "description": "x", "parameters": {"type": "object"}}}
NOT_SENT = -(1 << 30)
"""The figure of a thought that a template leaves out: no difference of two prompts."""
_PROBES = (
    *((_SYSTEM, _USER), (_SYSTEM, _SYSTEM, _USER), (_SYSTEM, _USER, _ANSWER, _USER), (_USER, _USER)),
    *((_USER, _ANSWER, _USER), (_USER, _ANSWER, _USER, _ANSWER, _USER)),
    *((_USER, _CALL, _RESULT), (_USER, _CALL, _RESULT, _RESULT)),
)


class Figure(NamedTuple):
    """A number of tokens added by a template.

    Its terms: role and name of a message for a `frame`; the role of the first message for the `constant`; the
    definitions, JSON each, for `tools`; none for the beginning of the `reply` and for the `choice` of the request;
    for a `thought` what is true of its `ThoughtPlace`, by name, and `tools` if the request has any.
    """

    kind: Literal["frame", "constant", "reply", "tools", "choice", "thought"]
    terms: tuple[str, ...] = ()


class ThoughtPlace(NamedTuple):
    """Where a thought stands in a prompt, as far as chat templates ask.

    `in_loop`: in the running loop of tools, after the last message of the user. `is_later`: behind the first answer of
    the model, which is a message without a call. `is_answered`: the model's last message in the prompt is an answer.
    """

    in_loop: bool
    is_later: bool = False
    is_answered: bool = False


_ALWAYS = (
    *(Figure("frame", (role, "")) for role in ("system", "user", "assistant", "tool")),
    *(Figure("constant", (role,)) for role in ("system", "user")),
    Figure("reply"),
)


class FrameTokens:
    """The tokens a template adds, in a given tokenizer.

    Shipped templates are measured on demand. Other templates may take any time, so they are measured in the background:
    `lacking` lists the missing figures, `measure` measures them, `take` stores them. Until then, and for good if the
    template had to be ended, the figures are those of the stand-in format. `version` rises with each `take`.
    """

    def __init__(self, chat_format: ChatFormat, tokenizer: Tokenizer) -> None:
        self.version = 0
        self.has_choice = bool(chat_format.switches.tool_choice)
        self._measuring = _Measuring(chat_format, tokenizer)
        self._stand_in = None if chat_format.template.shipped else frames_of(shipped_format(STAND_IN), tokenizer)
        self._known: dict[Figure, int] = {}
        self._given_up = False

    def frame(self, role: str, name: str = "") -> int:
        """Return the tokens a message of this role adds to a short chat besides its content."""
        return self._figure(Figure("frame", (role, name)))

    def constant(self, first_role: str = "user") -> int:
        """Return the tokens added once per chat besides frames and reply, by the role of its first message."""
        return self._figure(Figure("constant", ("system" if first_role == "system" else "user",)))

    def reply(self) -> int:
        """Return the tokens of the beginning of the reply."""
        return self._figure(Figure("reply"))

    def tools(self, definitions: tuple[str, ...]) -> int:
        """Return the tokens added by the definitions of tools (JSON each); 0 if the template writes none."""
        return self._figure(Figure("tools", definitions)) if definitions else 0

    def choice(self) -> int:
        """Return the tokens added by the choice among the tools that the request makes; 0 for none."""
        return self._figure(Figure("choice")) if self.has_choice else 0

    def thought(self, place: ThoughtPlace, has_tools: bool) -> int | None:
        """Return the tokens that a thought adds besides its text, by its place; None if it is not in the prompt."""
        added = self._figure(_thought_figure(place, has_tools))
        return None if added == NOT_SENT else added

    @property
    def stands_in(self) -> bool:
        """Whether the figures are those of the stand-in format."""
        return self._stand_in is not None and not self._known.keys() >= {*_ALWAYS}

    def lacking(
        self, speakers: Iterable[tuple[str, str]], definitions: tuple[str, ...], has_thoughts: bool = False
    ) -> list[Figure]:
        """Return the figures still to be measured for messages of these roles and names, for tools and thoughts."""
        if self._stand_in is None or self._given_up:
            return []
        named = (Figure("frame", speaker) for speaker in sorted(speakers))
        places = map(ThoughtPlace._make, product((True, False), repeat=3)) if has_thoughts else ()
        thoughts = [_thought_figure(place, bool(definitions)) for place in places]
        more = [Figure("tools", definitions)] if definitions else []
        more += [Figure("choice")] if self.has_choice else []
        wanted = [*_ALWAYS, *more, *thoughts, *named]
        return [figure for figure in dict.fromkeys(wanted) if figure not in self._known]

    def measure(self, figures: Sequence[Figure]) -> Iterator[tuple[Figure, int] | None]:
        """Yield each figure with its tokens, on any thread; then None if the template is too slow for the rest."""
        begun = time.monotonic()
        for figure in figures:
            try:
                tokens = self._measuring.tokens(figure)
            except RunawayTemplateError:
                yield None
                return
            yield figure, tokens
            if time.monotonic() - begun > SECONDS:
                yield None
                return

    def take(self, measured: tuple[Figure, int] | None) -> None:
        """Store a result of `measure`."""
        if measured is None:
            self._given_up = True
        else:
            self._known[measured[0]] = measured[1]
        self.version += 1

    def _figure(self, figure: Figure) -> int:
        if self._stand_in is None:
            return self._measuring.tokens(figure)
        found = None if self.stands_in else self._known.get(figure, self._known.get(_nameless(figure)))
        return self._stand_in._figure(figure) if found is None else found


def _thought_figure(place: ThoughtPlace, has_tools: bool) -> Figure:
    told = {**place._asdict(), "tools": has_tools}
    return Figure("thought", tuple(name for name, holds in told.items() if holds))


def _thinking(place: Collection[str], thought: str) -> tuple[ChatMessage, ...]:
    """Return a short chat with a thought at a place, which has the names of what is true of it."""
    before = (*((_USER, _ANSWER) if "is_later" in place else ()), _USER)
    answer, running = replace(_ANSWER, thought=thought), (replace(_CALL, thought=thought), _RESULT)
    if "in_loop" in place:  # some templates write an empty thought into an answer that stands last
        return (*before, answer, _ANSWER) if "is_answered" in place else (*before, *running)
    return (*before, answer, _USER, *(() if "is_answered" in place else (_CALL, _RESULT)))


def _nameless(figure: Figure) -> Figure:
    """Return the frame of the same role without a name, for a name not measured."""
    return Figure("frame", (figure.terms[0], "")) if figure.kind == "frame" else figure


@lru_cache(maxsize=64)
def frames_of(chat_format: ChatFormat, tokenizer: Tokenizer) -> FrameTokens:
    """Return the frame tokens of a format, always the same object for the same format and tokenizer."""
    return FrameTokens(chat_format, tokenizer)


class _RefusedError(Exception):
    """The template refuses a short chat because it is written for other roles."""


class _Measuring:
    """Measures each figure of a template once. Raises RunawayTemplateError and AbandonedError."""

    def __init__(self, chat_format: ChatFormat, tokenizer: Tokenizer) -> None:
        self._format, self._tokenizer = chat_format, tokenizer
        self._tokens: dict[Figure, int] = {}
        self._overheads: dict[tuple[ChatMessage, ...], int] = {}

    def tokens(self, figure: Figure) -> int:
        """Return the tokens of a figure; if the template refuses, 0 or the frame of another role."""
        if figure not in self._tokens:
            self._tokens[figure] = self._measured(figure)
        return self._tokens[figure]

    def _measured(self, figure: Figure) -> int:
        try:
            match figure:
                case Figure("frame", (role, name)):
                    return self._named_frame(role, name) if name else self._frame(role)
                case Figure("constant", (first_role,)):
                    return self._constant(first_role)
                case Figure("tools", definitions):
                    return self._part("tools", [json.loads(definition) for definition in definitions])
                case Figure("choice"):
                    return self._part("choice", [_TOOL])
                case Figure("thought", place):
                    return self._thought(place)
            return self._reply()
        except _RefusedError:  # the rendering of the prompt reports it
            if figure.kind == "thought":
                return NOT_SENT
            if figure.kind != "frame" or figure.terms == ("user", ""):
                return 0
            role, name = figure.terms
            return self.tokens(Figure("frame", (role if name else "user", "")))

    def _frame(self, role: str) -> int:
        if role == "system":
            return self._added((_SYSTEM, _SYSTEM, _USER), (_SYSTEM, _USER))
        if role == "tool":
            return self._added((_USER, _CALL, _RESULT, _RESULT), (_USER, _CALL, _RESULT))
        exchange = self._added((_USER, _ANSWER, _USER, _ANSWER, _USER), (_USER, _ANSWER, _USER))
        answer = self._answer_frame(exchange)
        return answer if role == "assistant" else exchange - answer

    def _named_frame(self, role: str, name: str) -> int:
        named = ChatMessage(role, "x", name, call_id=_RESULT.call_id if role == "tool" else "")
        before = {"tool": (_USER, _CALL), "assistant": (_USER,)}.get(role, ())
        more = self._added((*before, named, _USER), (*before, replace(named, name=""), _USER))
        return self.tokens(Figure("frame", (role, ""))) + more

    def _answer_frame(self, exchange: int) -> int:
        """Return the frame of an answer, or half of an exchange if the template requires the roles to alternate."""
        try:
            return self._added((_USER, _ANSWER, _USER), (_USER, _USER))
        except _RefusedError:
            return exchange // 2

    def _constant(self, first_role: str) -> int:
        chat = (*([_SYSTEM] if first_role == "system" else []), _USER, _ANSWER, _USER)
        return self._overhead(chat) - sum(self.tokens(Figure("frame", (message.role, ""))) for message in chat)

    def _reply(self) -> int:
        known = self._format.frames.get(REPLY)
        reply = _of_part(self._rendered([_USER]), "reply") if known is None else known
        return count_segments(self._tokenizer, reply)

    def _part(self, part: Part, tools: Sequence[dict[str, Any]]) -> int:
        return count_segments(self._tokenizer, _of_part(self._rendered((_SYSTEM, _USER), tools), part))

    def _thought(self, place: Collection[str]) -> int:
        """Return the frame of a thought, as the difference to the same chat without it, or NOT_SENT."""
        tools = [_TOOL] if "tools" in place else []
        found, without = (self._rendered(_thinking(place, thought), tools) for thought in ("x", ""))
        if not _of_part(found, "thought"):
            return NOT_SENT
        with_it, bare = (
            count_segments(self._tokenizer, (segment for segment in chat.segments if segment.part not in OWNED))
            for chat in (found, without)
        )
        return with_it - bare

    def _added(self, messages: tuple[ChatMessage, ...], without: tuple[ChatMessage, ...]) -> int:
        return self._overhead(messages) - self._overhead(without)

    def _overhead(self, messages: tuple[ChatMessage, ...]) -> int:
        """Return the tokens the template adds to these messages, without the beginning of the reply."""
        if messages not in self._overheads:
            named = any(message.name for message in messages)
            known = None if named else self._format.frames.get(probe_name(messages))
            frame = _of_part(self._rendered(messages), "frame") if known is None else known
            self._overheads[messages] = count_segments(self._tokenizer, frame)
        return self._overheads[messages]

    def _rendered(self, messages: Sequence[ChatMessage], tools: Sequence[Any] = ()) -> RenderedChat:
        try:
            return self._format.render(messages, tools)
        except RunawayTemplateError:
            raise
        except ChatTemplateError as problem:
            raise _RefusedError from problem


def rendered_frames(chat_format: ChatFormat) -> dict[str, tuple[Segment, ...]]:
    """Return the output of a template for the short chats its frames are counted on, by `probe_name`, and as `REPLY`.

    Refused chats are left out.
    """
    found: dict[str, tuple[Segment, ...]] = {REPLY: ()}
    with suppress(ChatTemplateError):
        found[REPLY] = _of_part(chat_format.render([_USER]), "reply")
    for probe in _PROBES:
        with suppress(ChatTemplateError):
            found[probe_name(probe)] = _of_part(chat_format.render(probe), "frame")
    return found


def probe_name(messages: Sequence[ChatMessage]) -> str:
    """Return the name of a chat of one-word messages without names: its speakers, such as `user assistant user`."""
    return " ".join("call" if message.calls else message.role for message in messages)


def _of_part(chat: RenderedChat, part: Part) -> tuple[Segment, ...]:
    return tuple(segment for segment in chat.segments if segment.part == part)
