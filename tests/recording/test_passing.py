"""What passes the proxy is what was sent, byte by byte, however a server or an application behaves."""

import asyncio
import gzip
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from inspector.recording.exchange import Exchange
from inspector.recording.record import line_of
from tests.recording.stand_in import STOP, Asked, chunked, exchanged, head, port_of, post, proxy, stand_in, with_length
from tests.servers import recorded

CHAT = "/v1/chat/completions"
BODY = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}]}).encode()
ANSWER = json.dumps({"choices": [{"message": {"role": "assistant", "content": "ho"}}]}).encode()
_OF_EACH_CONNECTION = (b"connection", b"transfer-encoding", b"keep-alive")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    recorded.only_loopback(monkeypatch)


def plain(*pieces: bytes) -> Callable[[Asked], AsyncIterator[bytes]]:
    async def answering(_: Asked) -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    return answering


def split(answer: bytes) -> tuple[bytes, list[bytes], bytes]:
    """Status line, headers as they were written, and body; pieces of a body joined."""
    top, _, body = answer.partition(b"\r\n\r\n")
    status, *headers = top.split(b"\r\n")
    if any(b"chunked" in line for line in headers):
        body = unchunked(body)
    kept = [line for line in headers if line.partition(b":")[0].lower() not in _OF_EACH_CONNECTION]
    return status, sorted(kept), body


def unchunked(body: bytes) -> bytes:
    found = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        found += rest[:length]
        body = rest[length + 2 :]
        if not length:
            return found + b"<end>"
    return found


ANSWERS = {
    "a document": (with_length(ANSWER),),
    "a stream": (head(), *chunked(b"data: {}\n\n", b"data: [DONE]\n\n")),
    "gzip": (with_length(gzip.compress(ANSWER), "application/json", "200 OK", "Content-Encoding: gzip"),),
    "bytes that are no gzip": (with_length(b"\x00\xff", "text/plain", "200 OK", "Content-Encoding: gzip"),),
    "an unknown encoding": (with_length(b"\x00\xff", "text/plain", "200 OK", "Content-Encoding: lzma"),),
    "an error": (with_length(b'{"error": {}}', "application/json", "429 Too Many Requests", "Retry-After: 3"),),
    "a word of its own": (with_length(b"", "text/plain", "529 Overloaded"),),
    "a redirect": (with_length(b"", "text/plain", "307 Elsewhere", "Location: http://elsewhere/x"),),
    "cookies": (with_length(ANSWER, "application/json", "200 OK", "Set-Cookie: a=1", "Set-Cookie: b=2"),),
    "no type": (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",),
    "no content": (b"HTTP/1.1 204 No Content\r\n\r\n",),
    "a long header": (with_length(ANSWER, "application/json", "200 OK", f"X-Long: {'x' * 20_000}"),),
    "three bytes at a time": (head(), *chunked(*(BODY[at : at + 3] for at in range(0, len(BODY), 3)))),
    "a megabyte": (head("application/octet-stream"), *chunked(*[bytes(range(256)) * 256] * 16)),
}


@pytest.mark.parametrize("sent", ANSWERS.values(), ids=ANSWERS.keys())
def test_an_answer_is_the_same_through_the_proxy(sent: tuple[bytes, ...]) -> None:
    kept: list[Exchange] = []
    with stand_in(plain(*sent, STOP)) as server, proxy(server.address, kept.append) as address:
        direct, through = (exchanged(to, post(CHAT, BODY)) for to in (server.address, address))
        assert split(through) == split(direct)
    assert [one.status for one in kept] == [int(direct.split()[1])]
    assert json.loads(line_of(kept[0]))["request"] == json.loads(BODY)


def test_a_request_is_the_same_through_the_proxy() -> None:
    odd = "/v1/chat/completions?key=a%20b&x=%2F&&y"
    headers = ("Authorization: Bearer abc", "X-Odd: a, b", "X-Odd: c", "Content-Encoding: gzip", "Cookie: a=b; c=d")
    body = gzip.compress(BODY)
    kept: list[Exchange] = []
    with stand_in(plain(with_length(ANSWER), STOP)) as server, proxy(server.address, kept.append) as address:
        for to in (server.address, address):
            exchanged(to, post(odd, body, *headers))
    direct, through = server.asked
    assert (through.line, through.body) == (direct.line, body)
    own = ("host", "connection")
    named = [
        sorted(line for line in one.head.split(b"\r\n")[1:] if line.partition(b":")[0].lower().decode() not in own)
        for one in (direct, through)
    ]
    assert named[0] == named[1]
    assert json.loads(line_of(kept[0]))["request"] == json.loads(BODY)


def test_a_request_in_pieces_that_waits_for_a_word_to_go_on() -> None:
    pieces = [BODY[:9], BODY[9:]]
    top = f"POST {CHAT} HTTP/1.1\r\nHost: m\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n"
    kept: list[Exchange] = []
    with stand_in(plain(with_length(ANSWER), STOP)) as server, proxy(server.address, kept.append) as address:
        with socket.create_connection(("127.0.0.1", port_of(address)), timeout=60) as connection:
            connection.sendall(f"{top}Connection: close\r\n\r\n".encode())
            assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
            for piece in chunked(*pieces):
                connection.sendall(piece)
            assert connection.recv(1_000).startswith(b"HTTP/1.1 200 ")
        assert server.asked[0].body == BODY


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT", "OPTIONS"])
def test_all_else_passes_and_is_not_kept(method: str) -> None:
    kept: list[Exchange] = []
    answer = with_length(b"" if method == "HEAD" else b"[]")
    with stand_in(plain(answer, STOP)) as server, proxy(f"{server.address}/base/", kept.append) as address:
        request = f"{method} /v1/models/a%2Fb?x=1 HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n".encode()
        assert split(exchanged(address, request)) == split(answer)
        assert server.asked[0].line == f"{method} /base/v1/models/a%2Fb?x=1 HTTP/1.1".encode()
    assert kept == []


CUT = {
    "in a stream": (head(), *list(chunked(b'data: {"choices": [{"delta": {"content": "Be"}}]}\n\n'))[:1], STOP),
    "in a document": (with_length(ANSWER)[:-5], STOP),
    "in a piece": (head(), b"ff\r\ndata: ", STOP),
}


@pytest.mark.parametrize("sent", CUT.values(), ids=CUT.keys())
def test_an_answer_that_ends_early_ends_early_through_the_proxy_after_all_that_came(sent: tuple[bytes, ...]) -> None:
    kept: list[Exchange] = []
    with stand_in(plain(*sent)) as server, proxy(server.address, kept.append) as address:
        direct, through = (split(exchanged(to, post(CHAT, BODY))) for to in (server.address, address))
    assert through[:2] == direct[:2]
    assert through[2] == direct[2]
    assert not through[2].endswith(b"<end>")
    assert kept[0].note.startswith("broken off by the server")


def test_a_server_that_is_not_there_is_an_error_that_clients_read() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        free = server.getsockname()[1]
    kept: list[Exchange] = []
    with proxy(f"http://127.0.0.1:{free}", kept.append) as address:
        status, _, body = split(exchanged(address, post(CHAT, BODY)))
    assert status == b"HTTP/1.1 502 Bad Gateway"
    assert json.loads(body)["error"]["message"].startswith("prompt-inspector record: no answer from http://127.0.0.1")
    assert (kept[0].status, kept[0].note[:14]) == (502, "no answer from")


def test_an_application_that_leaves_ends_the_request_at_the_server_and_is_kept_as_far_as_it_came() -> None:
    kept: list[Exchange] = []
    piece = b'data: {"choices": [{"delta": {"content": "la"}}]}\n\n'

    async def endless(_: Asked) -> AsyncIterator[bytes]:
        yield head()
        while True:
            yield b"%x\r\n%s\r\n" % (len(piece), piece)
            await asyncio.sleep(0.001)

    with stand_in(endless) as server, proxy(server.address, kept.append) as address:
        with socket.create_connection(("127.0.0.1", port_of(address)), timeout=60) as connection:
            connection.sendall(post(CHAT, BODY))
            assert b"la" in connection.recv(1 << 16) + connection.recv(1 << 16)
        until(lambda: server.left and kept)
    line = json.loads(line_of(kept[0]))
    assert line["note"].startswith("broken off: the application left")
    assert line["response"]["choices"][0]["message"]["content"].startswith("la")


def test_a_slow_reader_gets_everything_and_holds_the_server_back() -> None:
    many, written = 400, [0]
    piece = b"x" * (1 << 16)

    async def much(_: Asked) -> AsyncIterator[bytes]:
        yield head("application/octet-stream")
        for _number in range(many):
            written[0] += 1
            yield b"%x\r\n%s\r\n" % (len(piece), piece)
        yield b"0\r\n\r\n"

    with (
        stand_in(much) as server,
        proxy(server.address, lambda _: None) as address,
        socket.create_connection(("127.0.0.1", port_of(address)), timeout=60) as connection,
    ):
        connection.sendall(post(CHAT, BODY))
        settled(lambda: written[0])
        assert written[0] < many, "nothing is read ahead of a reader that waits"
        found = bytearray()
        while got := connection.recv(1 << 20):
            found += got
    assert unchunked(bytes(found).partition(b"\r\n\r\n")[2]) == piece * many + b"<end>"


def test_a_hundred_streams_at_once_lose_nothing() -> None:
    kept: list[Exchange] = []
    together = threading.Barrier(100)

    async def counting(asked: Asked) -> AsyncIterator[bytes]:
        yield head()
        name = json.loads(asked.body)["user"]
        for number in range(50):
            text = json.dumps({"choices": [{"delta": {"content": f"{name}.{number} "}}]})
            data = f"data: {text}\n\n".encode()
            yield b"%x\r\n%s\r\n" % (len(data), data)
            await asyncio.sleep(0)
        yield b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"
        yield STOP

    def ask(number: int) -> bytes:
        body = json.dumps({"messages": [{"role": "user", "content": "count"}], "user": str(number)}).encode()
        together.wait()
        return split(exchanged(address, post(CHAT, body)))[2]

    with (
        stand_in(counting) as server,
        proxy(server.address, kept.append) as address,
        ThreadPoolExecutor(100) as threads,
    ):
        answers = list(threads.map(ask, range(100)))
    for number, answer in enumerate(answers):
        assert answer.count(b"data: ") == 51
        assert all(b'"%d.%d "' % (number, step) in answer for step in range(50))
        assert answer.endswith(b"<end>")
    lines = {line["request"]["user"]: line for line in (json.loads(line_of(one)) for one in kept)}
    assert len(lines) == 100
    for name, line in lines.items():
        expected = "".join(f"{name}.{step} " for step in range(50))
        assert line["response"]["choices"][0]["message"]["content"] == expected


def test_a_server_that_closes_after_each_answer_is_asked_anew_each_time() -> None:
    """A connection that is used again may be closed at the same moment, which is no fault of the application."""
    with stand_in(plain(with_length(ANSWER), STOP)) as server, proxy(server.address, lambda _: None) as address:
        top = f"POST {CHAT} HTTP/1.1\r\nHost: m\r\nContent-Length: {len(BODY)}\r\n\r\n".encode()
        with socket.create_connection(("127.0.0.1", port_of(address)), timeout=60) as connection:
            for _ in range(200):
                connection.sendall(top + BODY)
                found = b""
                while not found.endswith(ANSWER):
                    found += connection.recv(1 << 16)
                    assert found.startswith(b"HTTP/1.1 200"), found


def test_cookies_of_one_application_are_not_sent_by_another() -> None:
    sent = with_length(ANSWER, "application/json", "200 OK", "Set-Cookie: session=one; Path=/")
    with stand_in(plain(sent, STOP)) as server:
        named = server.address.replace("127.0.0.1", "localhost")  # of bare addresses no cookies are kept anyhow
        with proxy(named, lambda _: None) as address:
            for _ in range(2):
                exchanged(address, post(CHAT, BODY))
        assert len(server.asked) == 2
        assert all("cookie" not in asked.headers for asked in server.asked)


def test_a_connection_to_be_upgraded_is_refused() -> None:
    with proxy("http://127.0.0.1:1", lambda _: None) as address:
        request = b"GET /v1/realtime HTTP/1.1\r\nHost: m\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        with socket.create_connection(("127.0.0.1", port_of(address)), timeout=60) as connection:
            connection.sendall(request)
            assert connection.recv(1_000).startswith(b"HTTP/1.1 501 ")


def until(is_so: Callable[[], object]) -> None:
    """Wait until something is so; what takes a minute has failed."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)


def settled(figure: Callable[[], int]) -> None:
    """Wait until a figure has stayed the same for a while."""
    before, same = -1, 0
    while same < 20:
        same = same + 1 if figure() == before and before > 0 else 0
        before = figure()
        time.sleep(0.02)
