"""Templates of strangers, rendered in processes of their own, of which nothing is taken but texts and numbers.

The processes stay and wait for the next chat, so that only the first one has to wait for Python to start.
"""

import atexit
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import Any

from inspector.tokens.chat.child import LONGEST_REFUSAL
from inspector.tokens.chat.messages import FRAME, ChatMessage, Part, RenderedChat, Segment
from inspector.tokens.chat.process import LOOK_SECONDS, ChildProcess, Limits
from inspector.tokens.chat.sandbox import ChatTemplateError, RunawayTemplateError
from inspector.tokens.chat.template import ChatTemplate
from inspector.tokens.chat.wire import encode_chat
from inspector.wanted import check_wanted

LONGEST_TEMPLATE = 1_000_000
"""Characters of a template with its special tokens. Those of real models have up to a hundred thousand."""
MOST_PROCESSES = 2

_NO_PROMPT = "its process answered with what is no prompt"
_SHORT_CHAT, _LONG_CHAT = 1 << 14, 1 << 22
_LEAST_ANSWER, _PER_BYTE, _PER_MESSAGE = 1 << 20, 16, 1 << 12


def render_apart(
    template: ChatTemplate, messages: Sequence[ChatMessage], tools: Sequence[Mapping[str, Any]] = ()
) -> RenderedChat:
    """What `render_chat` gives, from a process of its own.

    Raises ChatTemplateError where the template refuses the messages or fails, RunawayTemplateError where it had to be
    ended, and AbandonedError.
    """
    return _processes().render(template, messages, tools)


@cache
def _processes() -> "TemplateProcesses":
    made = TemplateProcesses()
    atexit.register(made.close)
    return made


class TemplateProcesses:
    """A few processes that render templates, as many as there are chats to render at once, and no more than `most`.

    Any thread may render; one that finds all processes busy waits.
    """

    def __init__(self, limits: Limits | None = None, most: int = MOST_PROCESSES) -> None:
        self._limits = limits or Limits()
        self._most = most
        self._changed = threading.Condition()
        self._idle: list[ChildProcess] = []
        self._busy: set[ChildProcess] = set()
        self._ended: dict[bytes, tuple[int, str]] = {}

    def render(
        self, template: ChatTemplate, messages: Sequence[ChatMessage], tools: Sequence[Mapping[str, Any]] = ()
    ) -> RenderedChat:
        """The prompt of these messages, as `render_apart` says."""
        if sum(map(len, (template.source, template.bos, template.eos, *template.specials))) > LONGEST_TEMPLATE:
            raise ChatTemplateError(f"it and its special tokens have more than {LONGEST_TEMPLATE:,} characters")
        try:
            chat = encode_chat(messages, tools)
        except (ValueError, TypeError, RecursionError) as problem:
            raise ChatTemplateError(f"the tools cannot be written as JSON ({type(problem).__name__})") from problem
        self._check(template, len(chat))
        most = min(_LEAST_ANSWER + _PER_BYTE * len(chat) + _PER_MESSAGE * len(messages), self._limits.answer)
        try:
            with self._process() as process:
                answer = _answer(process.ask(template, chat, most), len(messages))
                if len(chat) > _LONG_CHAT:
                    process.end()  # it would keep some of the memory
        except RunawayTemplateError as problem:
            self._ended[_hash(template)] = len(chat), str(problem)
            raise
        if isinstance(answer, str):
            raise ChatTemplateError(answer)
        return answer

    def close(self) -> None:
        """End all processes, whatever they are at."""
        with self._changed:
            processes = [*self._idle, *self._busy]
            self._idle.clear()
        for process in processes:
            process.end()

    def _check(self, template: ChatTemplate, size: int) -> None:
        """RunawayTemplateError for a template that was ended before.

        Only where that was with a chat at least twice as long it is tried again: it may have been honest, and what is
        too much for a million messages is nothing for a thousand.
        """
        ended, words = self._ended.get(_hash(template), (None, ""))
        if ended is not None and (size > ended // 2 or ended <= _SHORT_CHAT):
            raise RunawayTemplateError(words)

    @contextmanager
    def _process(self) -> Iterator[ChildProcess]:
        """A process for one chat. It is ended where that does not come to a good end."""
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
        """A process that was idle, or a new one. Raises AbandonedError."""
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
            process.end()  # somebody killed it; what is left of it here goes, too
        return None


@dataclass(frozen=True, slots=True)
class _Answer:
    segments: list[tuple[str, bool, Part, int]]
    faithful: bool
    refusal: str | None


def _answer(content: bytes, messages: int) -> RenderedChat | str:
    """The rendered chat of an answer, or its refusal. RunawayTemplateError for what is neither."""
    import msgspec

    try:
        answer = msgspec.json.decode(content, type=_Answer)
    except (msgspec.MsgspecError, ValueError, RecursionError) as problem:
        raise RunawayTemplateError(_NO_PROMPT) from problem
    if answer.refusal is not None:
        return answer.refusal[:LONGEST_REFUSAL]
    for _, special, part, message in answer.segments:
        owned = part in ("content", "call")
        if not (0 <= message < messages and not special if owned else message == FRAME):
            raise RunawayTemplateError(_NO_PROMPT)
    return RenderedChat(tuple(Segment(*row) for row in answer.segments), answer.faithful)


def _hash(template: ChatTemplate) -> bytes:
    return blake2b(template.source.encode(errors="surrogatepass"), digest_size=16).digest()
