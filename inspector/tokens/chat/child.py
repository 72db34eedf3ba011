"""The process that renders untrusted templates: `-m inspector.tokens.chat.child MEMORY SECONDS`.

It drops every right it does not need before reading any input, then answers requests one by one until the input ends.
It imports little, because the user waits for its start.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import ModuleType

from inspector.tokens.chat.messages import ChatTemplate
from inspector.tokens.chat.rendering import render_chat
from inspector.tokens.chat.sandbox import TOO_MUCH, ChatTemplateError, failure, render_template
from inspector.tokens.chat.wire import (
    decode_chat,
    decode_template,
    encode_refusal,
    encode_rendered,
    read_frame,
    seconds_for,
    write_frame,
)

fcntl: ModuleType | None
resource: ModuleType | None
try:
    import fcntl
    import resource
except ImportError:  # Windows has no such limits: there this process can only be killed
    fcntl = resource = None

OUT_OF_MEMORY = 3
"""The exit code when too little memory is left even to report it."""

_NOTHING = ChatTemplate("", "")
_EVERY_IMPORT = "{{ lipsum(1) | striptags | wordwrap }}{{ 1 | pprint }}{{ {} | tojson }}{{ strftime_now('%b') }}"
"""Triggers Jinja's late imports while files can still be opened; `1 // 0` does the same for tracebacks."""
LONGEST_REFUSAL = 1_000


def main(memory: int, seconds: int) -> None:
    """Answer requests until the end of the input, with at most `memory` bytes, and `seconds` of processor time each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends this process
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    render_template(_EVERY_IMPORT, {})
    with suppress(ChatTemplateError):
        render_template("{{ 1 // 0 }}", {})
    _limit(memory)
    write_frame(sink, b"")
    template = _NOTHING
    with suppress(EOFError, BrokenPipeError):
        while True:
            written, chat = read_frame(source), read_frame(source)
            template = decode_template(written) if written else template
            with _watched(source.fileno(), int(seconds_for(chat, seconds)) + 1):
                answer = _rendered(template, chat)
            write_frame(sink, answer)


def _rendered(template: ChatTemplate, chat: bytes) -> bytes:
    """Return the answer to a request: the rendered chat, or the reason for its refusal."""
    try:
        return encode_rendered(render_chat(template, *decode_chat(chat)))
    except ChatTemplateError as refusal:
        return encode_refusal(str(refusal)[:LONGEST_REFUSAL])
    except MemoryError:
        return encode_refusal(TOO_MUCH)
    except Exception as problem:  # noqa: BLE001 - untrusted templates may raise anything; it is reported
        return encode_refusal(failure(problem))


def _limit(memory: int) -> None:
    """Give up memory, files, new processes and core dumps for good, as far as the system allows."""
    if resource is None:
        return
    most = {"RLIMIT_AS": memory, "RLIMIT_DATA": memory, "RLIMIT_NOFILE": 3, "RLIMIT_NPROC": 0}
    for name, limit in {**most, "RLIMIT_FSIZE": 0, "RLIMIT_CORE": 0}.items():
        with suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (limit, limit))


@contextmanager
def _watched(source: int, seconds: int) -> Iterator[None]:
    """End this process if the work inside takes too long or the requesting process is gone."""
    if resource is None or fcntl is None:
        yield
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds, most))
    flags = fcntl.fcntl(source, fcntl.F_GETFL)
    # Nothing is written meanwhile, so the only news can be a closed input. On Linux, SIGIO then ends this process.
    fcntl.fcntl(source, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(source, fcntl.F_SETFL, flags | os.O_ASYNC)
    try:
        yield
    finally:
        fcntl.fcntl(source, fcntl.F_SETFL, flags)


if __name__ == "__main__":
    try:
        main(*map(int, sys.argv[1:]))
    except MemoryError:
        sys.exit(OUT_OF_MEMORY)
