"""What recording adds to the first byte of an answer: the same requests with and without the proxy, in turns."""

import json
import socket
import statistics
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack

from tests.bench.measure import Row
from tests.recording.stand_in import Asked, chunked, head, in_process, port_of, stand_in

ADDED_SECONDS = 0.002
_ROUNDS = 300
_SIZES = {"a short prompt": 1_000, "a prompt of 400 KB": 400_000}


async def _stream(_: Asked) -> AsyncIterator[bytes]:
    yield head()
    for piece in chunked(b"data: {}\n\n", b"data: [DONE]\n\n"):
        yield piece


def rows() -> Iterator[Row]:
    """The median wait for the first byte of a stream that is recorded, beside that of one that is not."""
    with stand_in(_stream) as server, in_process(server.address) as recorded:
        for what, size in _SIZES.items():
            direct, through = _medians((server.address, recorded), size)
            name = f"first byte of a recorded stream, {what}: {1_000 * (through - direct):.2f} ms more"
            yield Row(name, through - direct, "2 ms added", ADDED_SECONDS, at_most=1.0)


def _medians(addresses: tuple[str, str], size: int) -> list[float]:
    """Return the median seconds until the first byte at each address, asked in turns on connections that stay."""
    body = json.dumps({"messages": [{"role": "user", "content": "x" * size}]}).encode()
    top = f"POST /v1/chat/completions HTTP/1.1\r\nHost: m\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    took: list[list[float]] = [[], []]
    with ExitStack() as opened:
        places = [("127.0.0.1", port_of(address)) for address in addresses]
        connections = [opened.enter_context(socket.create_connection(place)) for place in places]
        for _ in range(_ROUNDS):
            for connection, times in zip(connections, took, strict=True):
                times.append(_first_byte(connection, top + body))
    return [statistics.median(times[_ROUNDS // 10 :]) for times in took]


def _first_byte(connection: socket.socket, request: bytes) -> float:
    """Return the seconds from a request to the first byte of the body of its answer; the rest is read, too."""
    start = time.perf_counter()
    connection.sendall(request)
    found, first = b"", 0.0
    while not found.endswith(b"0\r\n\r\n"):
        found += connection.recv(1 << 16)
        if not first and b"data:" in found:
            first = time.perf_counter() - start
    return first
