"""One process that renders templates of strangers: started, asked, and killed whenever that is called for.

What it is asked is data, and so is what it answers. Whatever a template makes of its process, this one reads no more
bytes than it allows, waits no longer than it allows, and hands on what it read without a look.
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

from inspector.tokens.chat.child import OUT_OF_MEMORY
from inspector.tokens.chat.sandbox import SECONDS, TOO_LONG, TOO_MUCH, RunawayTemplateError
from inspector.tokens.chat.template import ChatTemplate
from inspector.tokens.chat.wire import FrameTooLongError, encode_template, read_frame, seconds_for, write_frame
from inspector.wanted import check_wanted

CHILD = "inspector.tokens.chat.child"
"""The module that such a process runs, and the first argument by which a frozen program knows that it is one."""

LOOK_SECONDS = 0.05
"""How often whoever waits looks whether it is still wanted."""
_TOO_LARGE = "it wrote more than it may"
_START_SECONDS, _END_SECONDS = 60.0, 2.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What one chat may take: seconds (more for a long one), bytes of memory, and bytes of the longest answer."""

    seconds: float = SECONDS
    memory: int = 1 << 30
    answer: int = 1 << 27


def child_command(limits: Limits) -> list[str]:
    """The command that starts such a process. A frozen program starts itself, with `CHILD` as its first argument."""
    terms = [CHILD, str(limits.memory), str(int(limits.seconds) + 1)]
    return [sys.executable, *terms] if getattr(sys, "frozen", False) else [sys.executable, "-P", "-s", "-m", *terms]


class ChildProcess:
    """One process, and the template that it knows. It is started when it is first asked."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._popen: subprocess.Popen[bytes] | None = None
        self._exchange: threading.Thread | None = None
        self._template: ChatTemplate | None = None
        self._has_ended = False
        self._ending = threading.Lock()  # somebody may end it while another starts it

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return not self._has_ended and (self._popen is None or self._popen.poll() is None)

    def ask(self, template: ChatTemplate, chat: bytes, most: int) -> bytes:
        """The answer to a request, of at most so many bytes.

        Raises RunawayTemplateError where it gives none, and AbandonedError; then it is to be ended.
        """
        if self._popen is None:
            self._popen = self._started()
        frames = b"" if template == self._template else encode_template(template), chat
        self._template = template
        return self._exchanged(self._popen, frames, most, seconds_for(chat, self._limits.seconds))

    def end(self) -> None:
        """Kill it, whatever it is at."""
        with self._ending:
            self._has_ended = True
        if self._popen is None:
            return
        self._popen.kill()
        with suppress(subprocess.TimeoutExpired):
            self._popen.wait(_END_SECONDS)
        if self._exchange is not None:
            self._exchange.join(_END_SECONDS)  # what it reads from has come to its end
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
        """What comes back for these frames. Raises RunawayTemplateError where nothing does, and AbandonedError."""
        answers: SimpleQueue[bytes | str | None] = SimpleQueue()
        exchange = threading.Thread(target=_exchange, args=(popen, frames, most, answers.put), daemon=True)
        exchange.start()
        self._exchange = exchange  # not before: who ends the process waits for it
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
    """Write frames and read one, on a thread of its own: either may take as long as the process likes.

    What was read is put, or what is wrong with it, or None where the process is there no longer.
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
    """What a template is said to have done to a process that has ended, as well as can be told."""
    with suppress(subprocess.TimeoutExpired):
        popen.wait(_END_SECONDS)
    if popen.returncode == -getattr(signal, "SIGXCPU", 0):
        return TOO_LONG
    # The system kills what takes too much, and libraries abort where they get nothing.
    killed = (OUT_OF_MEMORY, -getattr(signal, "SIGKILL", 0), -signal.SIGABRT)
    return TOO_MUCH if popen.returncode in killed else "it crashed the process that it ran in"


def _environment() -> dict[str, str]:
    """All that such a process is told of its surroundings: where the modules are that it runs."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Windows starts nothing without
    return {**kept, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
