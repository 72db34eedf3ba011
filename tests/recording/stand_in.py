"""A server of bytes that stands in for a model server and misbehaves as it is told, and the proxy before it.

Both run on threads of their own, as a client would find them. Answers are written as raw bytes, so that what passes can
be compared with what was sent.
"""

import asyncio
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from inspector.net import read_address
from inspector.recording.exchange import Exchange
from inspector.recording.proxy import listening

STOP = b""
"""Among the pieces of an answer: the connection is closed here."""


@dataclass
class Asked:
    """A request as it came."""

    head: bytes
    body: bytes

    @property
    def line(self) -> bytes:
        return self.head.partition(b"\r\n")[0]

    @property
    def headers(self) -> dict[str, str]:
        lines = self.head.decode("latin-1").split("\r\n")[1:]
        return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}


Pieces = AsyncIterator[bytes]
Answering = Callable[[Asked], Pieces]


@dataclass
class StandIn:
    """A running stand-in: its address, the requests that came, and the number of answers that the other side cut."""

    address: str
    asked: list[Asked] = field(default_factory=list)
    left: int = 0


async def _read(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Asked:
    head = await reader.readuntil(b"\r\n\r\n")
    headers = Asked(head, b"").headers
    if "chunked" in headers.get("transfer-encoding", ""):
        body = b""
        while size := int((await reader.readuntil(b"\r\n")).split(b";")[0], 16):
            body += (await reader.readexactly(size + 2))[:-2]
        await reader.readuntil(b"\r\n")
        return Asked(head, body)
    return Asked(head, await reader.readexactly(int(headers.get("content-length", 0))))


@contextmanager
def stand_in(answering: Answering) -> Iterator[StandIn]:
    """A server that answers each request with the pieces of bytes that `answering` yields."""
    told = StandIn("")

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                asked = await _read(reader, writer)
                told.asked.append(asked)
                try:
                    async for piece in answering(asked):
                        if piece == STOP:
                            return
                        writer.write(piece)
                        await writer.drain()
                        if writer.is_closing() or reader.at_eof():
                            raise ConnectionResetError
                except ConnectionError:
                    told.left += 1
                    return

    @asynccontextmanager
    async def running() -> AsyncIterator[int]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        try:
            yield server.sockets[0].getsockname()[1]
        finally:
            server.close()

    with in_thread(running) as port:
        told.address = f"http://127.0.0.1:{port}"
        yield told


@contextmanager
def proxy(to: str, keep: Callable[[Exchange], None]) -> Iterator[str]:
    """The proxy before a server; yields its address."""
    with in_thread(lambda: listening(read_address(to), "127.0.0.1", 0, keep)) as port:
        yield f"http://127.0.0.1:{port}"


@contextmanager
def recording(to: str, file: Path, *more: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command as a process of its own, and its address."""
    command = [sys.executable, "-m", "inspector", "record", "--to", to, "--listen", "127.0.0.1:0", "--out", str(file)]
    with subprocess.Popen([*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield process, line.split()[0]
        finally:
            process.kill()


@contextmanager
def in_process(to: str) -> Iterator[str]:
    """The command with a file of its own; yields its address."""
    with TemporaryDirectory() as folder, recording(to, Path(folder, "recorded.jsonl")) as (_, address):
        yield address


@contextmanager
def in_thread(running: Callable[[], Any]) -> Iterator[int]:
    """Run an asynchronous context, which yields a port, on a thread with a loop of its own."""
    ports: list[int] = []
    opened, loop, ended = threading.Event(), asyncio.new_event_loop(), asyncio.Event()

    async def run() -> None:
        async with running() as port:
            ports.append(port)
            opened.set()
            await ended.wait()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def work() -> None:
        try:
            loop.run_until_complete(run())
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()
            opened.set()

    thread = threading.Thread(target=work)
    thread.start()
    opened.wait()
    try:
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(ended.set)
        thread.join()


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


def exchanged(address: str, request: bytes, is_slow: bool = False, leave_after: int | None = None) -> bytes:
    """Everything that a server sends to a request on a connection that ends with it, or the first bytes of it.

    A slow reader takes little at a time, with pauses.
    """
    with socket.create_connection(("127.0.0.1", port_of(address)), timeout=60) as connection:
        connection.sendall(request)
        found = b""
        while piece := connection.recv(1 << 10 if is_slow else 1 << 16):
            found += piece
            if leave_after is not None and len(found) > leave_after:
                break
            time.sleep(0.01 if is_slow else 0)
        return found


def post(path: str, body: bytes, *headers: str) -> bytes:
    """A request as bytes, on a connection that ends with it."""
    lines = [f"POST {path} HTTP/1.1", "Host: model", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def chunked(*pieces: bytes) -> Iterator[bytes]:
    for piece in pieces:
        yield b"%x\r\n%s\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"


def with_length(body: bytes, kind: str = "application/json", status: str = "200 OK", *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*lines, "", ""]).encode() + body


def head(kind: str = "text/event-stream", *headers: str) -> bytes:
    lines = ["HTTP/1.1 200 OK", f"Content-Type: {kind}", "Transfer-Encoding: chunked", *headers]
    return "\r\n".join([*lines, "", ""]).encode()
