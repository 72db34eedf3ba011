"""A process rendering untrusted templates: started on the first request, and killed when it misbehaves.

Requests and answers are plain data. Whatever a template does to its process, this side reads no more bytes and waits no
longer than the limits allow, and passes on the answer unread.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue

from inspector.steps import check_wanted
from inspector.tokens.chat.child import OUT_OF_MEMORY
from inspector.tokens.chat.messages import ChatTemplate
from inspector.tokens.chat.sandbox import SECONDS, TOO_LONG, TOO_MUCH, RunawayTemplateError
from inspector.tokens.chat.wire import FrameTooLongError, encode_template, read_frame, seconds_for, write_frame

CHILD = "inspector.tokens.chat.child"
"""The module run by such a process, and the first argument by which a frozen program recognises it."""

LOOK_SECONDS = 0.05
"""How often a waiting thread checks whether its result is still wanted."""
_TOO_LARGE = "it wrote more than it may"
_START_SECONDS, _END_SECONDS = 60.0, 2.0


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one chat: seconds (more for a long chat), bytes of memory, and bytes of the answer."""

    seconds: float = SECONDS
    memory: int = 1 << 30
    answer: int = 1 << 27


def child_command(limits: Limits) -> list[str]:
    """Return the command to start such a process; a frozen program starts itself, with `CHILD` as first argument."""
    terms = [CHILD, str(limits.memory), str(int(limits.seconds) + 1)]
    return [sys.executable, *terms] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-s", "-m", *terms]


class ChildProcess:
    """A process and the template it knows. It starts with the first request."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._popen: subprocess.Popen[bytes] | None = None
        self._exchange: threading.Thread | None = None
        self._template: ChatTemplate | None = None
        self._has_ended = False
        self._ending = threading.Lock()  # a thread may end it while another starts it

    @property
    def is_alive(self) -> bool:
        """Whether it takes requests."""
        return not self._has_ended and (self._popen is None or self._popen.poll() is None)

    def ask(self, template: ChatTemplate, chat: bytes, most: int) -> bytes:
        """Return the answer to a request, of at most `most` bytes.

        Raises RunawayTemplateError if there is none, and AbandonedError; the caller then ends the process.
        """
        if self._popen is None:
            self._popen = self._started()
        frames = b"" if template == self._template else encode_template(template), chat
        self._template = template
        return self._exchanged(self._popen, frames, most, seconds_for(chat, self._limits.seconds))

    def end(self) -> None:
        """Kill it, whatever it is doing."""
        with self._ending:
            self._has_ended = True
        if self._popen is None:
            return
        self._popen.kill()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_END_SECONDS)
        if self._exchange is not None:
            self._exchange.join(_END_SECONDS)  # its input has ended
            if self._exchange.is_alive():
                return
        for pipe in filter(None, (self._popen.stdin, self._popen.stdout)):
            with suppress(OSError):
                pipe.close()

    def _started(self) -> "subprocess.Popen[bytes]":
        with self._ending:
            if self._has_ended:
                raise RunawayTemplateError("the process for it was ended")
            started = self._popen = self._new()
        try:
            self._exchanged(started, (), 0, _START_SECONDS)
        except RunawayTemplateError as problem:
            raise RunawayTemplateError("the process for it did not start") from problem
        return started

    def _new(self) -> "subprocess.Popen[bytes]":
        try:
            return subprocess.Popen(
                child_command(self._limits),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=Path(sys.executable).anchor,
                env=_environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as problem:
            raise RunawayTemplateError(f"no process can be started for it ({problem})") from problem

    def _exchanged(self, popen: "subprocess.Popen[bytes]", frames: Sequence[bytes], most: int, seconds: float) -> bytes:
        """Return the answer to these frames. Raises RunawayTemplateError if none comes, and AbandonedError."""
        answers: SimpleQueue[bytes | str | None] = SimpleQueue()
        exchange = threading.Thread(target=_exchange, args=(popen, frames, most, answers.put), daemon=True)
        exchange.start()
        self._exchange = exchange  # not before: `end` waits for it
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            with suppress(Empty):
                answer = answers.get(timeout=min(left, LOOK_SECONDS))
                if isinstance(answer, bytes):
                    return answer
                raise RunawayTemplateError(answer or _cause_of_death(popen))
            check_wanted()
        raise RunawayTemplateError(TOO_LONG)


def _exchange(
    popen: "subprocess.Popen[bytes]", frames: Sequence[bytes], most: int, put: Callable[[bytes | str | None], None]
) -> None:
    """Write frames and read one, on a separate thread: either may take as long as the process likes.

    Puts the content read, or the problem with it, or None if the process is gone.
    """
    source, sink = popen.stdout, popen.stdin
    if source is None or sink is None:
        raise ValueError("a process without pipes")
    try:
        for frame in frames:
            write_frame(sink, frame)
        put(read_frame(source, most))
    except FrameTooLongError:
        put(_TOO_LARGE)
    except (OSError, EOFError, ValueError):
        put(None)


def _cause_of_death(popen: "subprocess.Popen[bytes]") -> str:
    """Return the likely cause of a process's end, as told to the user."""
    with suppress(subprocess.TimeoutExpired):
        popen.wait(_END_SECONDS)
    if popen.returncode == -getattr(signal, "SIGXCPU", 0):
        return TOO_LONG
    # The system kills processes that take too much memory, and libraries abort when they get none.
    killed = (OUT_OF_MEMORY, -getattr(signal, "SIGKILL", 0), -signal.SIGABRT)
    return TOO_MUCH if popen.returncode in killed else "it crashed the process that it ran in"


def _environment() -> dict[str, str]:
    """Return the environment of such a process: only the location of the modules it runs."""
    kept = {
        name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ
    }  # Windows starts no process without it
    return {**kept, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
