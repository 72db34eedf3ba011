"""Untrusted templates, rendered in separate processes, from which only texts and numbers are taken.

The processes stay alive for the next chat, so only the first chat waits for Python to start.
"""

import atexit
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Any

from inspector.steps import check_wanted
from inspector.tokens.chat.child import LONGEST_REFUSAL
from inspector.tokens.chat.messages import (
    FRAME,
    OWNED,
    PLAIN,
    ChatMessage,
    ChatTemplate,
    Part,
    RenderedChat,
    Segment,
    Switches,
)
from inspector.tokens.chat.process import LOOK_SECONDS, ChildProcess, Limits
from inspector.tokens.chat.sandbox import ChatTemplateError, RunawayTemplateError
from inspector.tokens.chat.wire import encode_chat

LONGEST_TEMPLATE = 1_000_000
"""The most characters of a template with its special tokens. Real models have up to a hundred thousand."""
MOST_PROCESSES = 2

_NO_PROMPT = "its process answered with no valid prompt"
_SHORT_CHAT, _LONG_CHAT = 1 << 14, 1 << 22
_LEAST_ANSWER, _PER_BYTE, _PER_MESSAGE = 1 << 20, 16, 1 << 12


def render_apart(
    template: ChatTemplate,
    messages: Sequence[ChatMessage],
    tools: Sequence[Mapping[str, Any]] = (),
    switches: Switches = PLAIN,
) -> RenderedChat:
    """Return the result of `render_chat`, from a separate process.

    Raises ChatTemplateError if the template refuses the messages or fails, RunawayTemplateError if it had to be ended,
    and AbandonedError.
    """
    return _processes().render(template, messages, tools, switches)


@cache
def _processes() -> "TemplateProcesses":
    made = TemplateProcesses()
    atexit.register(made.close)
    return made


class TemplateProcesses:
    """Processes for rendering templates: as many as there are chats to render at once, and no more than `most`.

    Any thread may render; it waits while all processes are busy.
    """

    def __init__(self, limits: Limits | None = None, most: int = MOST_PROCESSES) -> None:
        self._limits = limits or Limits()
        self._most = most
        self._changed = threading.Condition()
        self._idle: list[ChildProcess] = []
        self._busy: set[ChildProcess] = set()
        self._ended: dict[bytes, tuple[int, str]] = {}

    def render(
        self,
        template: ChatTemplate,
        messages: Sequence[ChatMessage],
        tools: Sequence[Mapping[str, Any]] = (),
        switches: Switches = PLAIN,
    ) -> RenderedChat:
        """Return the prompt of these messages; see `render_apart`."""
        if sum(map(len, (template.source, template.bos, template.eos, *template.specials))) > LONGEST_TEMPLATE:
            raise ChatTemplateError(f"it and its special tokens have more than {LONGEST_TEMPLATE:,} characters")
        try:
            chat = encode_chat(messages, tools, switches)
        except (ValueError, TypeError, RecursionError) as problem:
            raise ChatTemplateError(f"the tools cannot be written as JSON ({type(problem).__name__})") from problem
        self._check(template, len(chat))
        most = min(_LEAST_ANSWER + _PER_BYTE * len(chat) + _PER_MESSAGE * len(messages), self._limits.answer)
        try:
            with self._process() as process:
                answer = _answer(process.ask(template, chat, most), len(messages))
                if len(chat) > _LONG_CHAT:
                    process.end()  # it would keep part of the memory
        except RunawayTemplateError as problem:
            self._ended[_hash(template)] = len(chat), str(problem)
            raise
        if isinstance(answer, str):
            raise ChatTemplateError(answer)
        return answer

    def close(self) -> None:
        """End all processes, whatever they are doing."""
        with self._changed:
            processes = [*self._idle, *self._busy]
            self._idle.clear()
        for process in processes:
            process.end()

    def _check(self, template: ChatTemplate, size: int) -> None:
        """Raise RunawayTemplateError for a template that was ended before.

        It is tried again only with a chat at most half as long: an honest template may fail with a million messages and
        manage a thousand.
        """
        ended, words = self._ended.get(_hash(template), (None, ""))
        if ended is not None and (size > ended // 2 or ended <= _SHORT_CHAT):
            raise RunawayTemplateError(words)

    @contextmanager
    def _process(self) -> Iterator[ChildProcess]:
        """Provide a process for a chat, and end it if the work fails."""
        process = self._taken()
        try:
            yield process
        except BaseException:
            process.end()
            raise
        finally:
            with self._changed:
                self._busy.discard(process)
                if process.is_alive:
                    self._idle.append(process)
                self._changed.notify()

    def _taken(self) -> ChildProcess:
        """Return an idle process or a new one. Raises AbandonedError."""
        with self._changed:
            while len(self._busy) >= self._most:
                self._changed.wait(LOOK_SECONDS)
                check_wanted()
            process = self._first_idle() or ChildProcess(self._limits)
            self._busy.add(process)
            return process

    def _first_idle(self) -> ChildProcess | None:
        while self._idle:
            process = self._idle.pop()
            if process.is_alive:
                return process
            process.end()  # it was killed; release its pipes
        return None


@dataclass(frozen=True, slots=True)
class _Answer:
    segments: list[tuple[str, bool, Part, int]]
    faithful: bool
    refusal: str | None
    doubt: str = ""


def _answer(content: bytes, messages: int) -> RenderedChat | str:
    """Return the rendered chat or the refusal. Raises RunawayTemplateError if the content is neither."""
    import msgspec

    try:
        answer = msgspec.json.decode(content, type=_Answer)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise RunawayTemplateError(_NO_PROMPT) from problem
    if answer.refusal is not None:
        return answer.refusal[:LONGEST_REFUSAL]
    for _, special, part, message in answer.segments:
        if not (0 <= message < messages and not special if part in OWNED else message == FRAME):
            raise RunawayTemplateError(_NO_PROMPT)
    return RenderedChat(
        tuple(Segment(*row) for row in answer.segments), answer.faithful, answer.doubt[:LONGEST_REFUSAL]
    )


def _hash(template: ChatTemplate) -> bytes:
    return blake2b(template.source.encode(errors="surrogatepass"), digest_size=16).digest()
