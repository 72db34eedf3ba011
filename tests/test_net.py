"""The one way to ask over a network, against servers on this machine that do everything wrong that we know of."""

import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from inspector.net import (
    MOST_HEADER_BYTES,
    Address,
    Answer,
    BrokenOffError,
    LateError,
    Limits,
    NoAnswerError,
    NotHttpError,
    RefusedError,
    TooLargeError,
    UnknownHostError,
    ask,
    is_loopback,
    read_address,
)
from tests.servers import recorded as record

SILENCE = Limits(silence_seconds=0.3, whole_seconds=30, max_bytes=100_000)
WHOLE = Limits(silence_seconds=30, whole_seconds=0.2, max_bytes=100_000)
PATIENT = Limits(silence_seconds=30, whole_seconds=30, max_bytes=100_000)
OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
Lookup = Callable[..., Any]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)
    # A proxy of the environment would be somebody that nobody named.
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://192.0.2.1:9")
        monkeypatch.setenv(name.upper(), "http://192.0.2.1:9")


def received(connection: socket.socket) -> bytes:
    """A whole question; a connection that is closed before its end takes the answer with it."""
    with connection.makefile("rb") as file:
        head = b"".join(iter(file.readline, b"\r\n"))
        announced = [line for line in head.splitlines() if line.startswith(b"Content-Length: ")]
        return head + b"\r\n" + file.read(int(announced[0].split()[1]) if announced else 0)


def saying(answer: bytes, heard: list[bytes] | None = None) -> record.Misbehaviour:
    """Answers so, and closes the connection."""

    def answered(connection: socket.socket, ended: threading.Event) -> None:
        question = received(connection)
        if heard is not None:
            heard.append(question)
        connection.sendall(answer)

    return answered


def staying(answer: bytes) -> record.Misbehaviour:
    """Answers so, and keeps the connection."""

    def answered(connection: socket.socket, ended: threading.Event) -> None:
        connection.recv(1 << 16)
        connection.sendall(answer)
        ended.wait(30)

    return answered


def asked(misbehaviour: record.Misbehaviour, limits: Limits = PATIENT, **more: Any) -> Answer:
    with record.misbehaving(misbehaviour) as address:
        return ask(f"http://{address}/v1/models", limits, **more)


def late(misbehaviour: record.Misbehaviour, limits: Limits, **more: Any) -> tuple[str, float]:
    with pytest.raises(LateError) as caught:
        asked(misbehaviour, limits, **more)
    return caught.value.stage, caught.value.seconds


def test_what_is_sent() -> None:
    heard: list[bytes] = []
    with record.misbehaving(saying(OK + b"Content-Length: 2\r\n\r\n{}", heard)) as address:
        assert ask(f"http://{address}/v1/models", PATIENT) == Answer(200, b"{}")
        ask(f"http://{address}", PATIENT, b'{"a": 1}', {"api-key": "secret"})
    (first, *plain), (second, *more) = (question.decode().split("\r\n") for question in heard)
    common = {f"Host: {address}", "Connection: close", "Accept: application/json", "Accept-Encoding: identity", ""}
    assert (first, set(plain)) == ("GET /v1/models HTTP/1.1", common)
    assert second == "POST / HTTP/1.1"
    assert {"api-key: secret", "Content-Type: application/json", "Content-Length: 8", '{"a": 1}'} < set(more)


@pytest.mark.parametrize(
    "answer",
    [
        saying(OK + b"\r\nwhole"),
        saying(CHUNKED + b"2\r\nwh\r\n3;x=y\r\nole\r\n0\r\nX: y\r\n\r\n"),
        saying(b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 5\r\n\r\nwhole, and more"),
        staying(OK + b"Content-Length: 5\r\n\r\nwhole"),
        staying(CHUNKED + b"5\r\nwhole\r\n0\r\n\r\n"),
    ],
)
def test_every_way_to_end_an_answer(answer: record.Misbehaviour) -> None:
    assert asked(answer) == Answer(200, b"whole")


def test_an_answer_may_be_as_large_as_the_limit() -> None:
    body = b"x" * PATIENT.max_bytes
    assert asked(saying(OK + b"\r\n" + body)).body == body


@pytest.mark.parametrize(
    ("status", "is_elsewhere", "needs_key"),
    [
        (204, False, False),
        (302, True, False),
        (307, True, False),
        (401, False, True),
        (403, False, True),
        (500, *[False] * 2),
    ],
)
def test_a_status_is_for_the_caller(status: int, is_elsewhere: bool, needs_key: bool) -> None:
    answer = asked(saying(b"HTTP/1.1 %d So\r\nContent-Length: 0\r\n\r\n" % status))
    assert (answer.status, answer.is_elsewhere, answer.needs_key) == (status, is_elsewhere, needs_key)


def test_nobody_is_followed_elsewhere() -> None:
    seen: list[str] = []
    with record.recorded({}, seen) as elsewhere:
        assert asked(record.redirecting(elsewhere)).is_elsewhere
    assert seen == []


@pytest.mark.parametrize(
    ("start", "drop"),
    [
        (b"", b"H"),
        (b"HTTP/1.1 200 ", b"K"),
        (OK, b"X: y\r\n"),
        (OK + b"X-Long: ", b"x"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (OK + b"\r\n", b" "),
        (OK + b"Content-Length: 1000\r\n\r\n", b" "),
        (CHUNKED, b"0"),
        (CHUNKED, b"1\r\nx\r\n"),
        (CHUNKED + b"5;", b"x"),
        (CHUNKED + b"0\r\n", b"X: y\r\n"),
    ],
)
def test_whatever_trickles_ends_with_the_whole_time(start: bytes, drop: bytes) -> None:
    assert late(record.dripping(start, drop), WHOLE) == ("whole", 0.2)


@pytest.mark.parametrize("said", [b"", b"HTT", OK, OK + b"X: y\r\n\r\nbody", CHUNKED + b"1\r\nx\r\n"])
def test_silence_ends_wherever_it_begins(said: bytes) -> None:
    assert late(staying(said), SILENCE) == ("waiting", 0.3)


def test_silence_ends_with_the_whole_time_too() -> None:
    assert late(record.silent, WHOLE) == ("whole", 0.2)


def test_a_connection_that_nobody_accepts_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, pytest.raises(LateError) as caught:
        ask(f"http://127.0.0.1:{listener.getsockname()[1]}", SILENCE)
    assert caught.value.stage == "waiting"


@contextmanager
def full_listener() -> Iterator[str]:
    """An address whose queue of connections is full, so that there is no answer to another; on Linux."""
    waiting = [socket.socket() for _ in range(4)]
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        for each in waiting:
            each.setblocking(False)
            with suppress(BlockingIOError):
                each.connect(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    for each in waiting:
        each.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a full queue refuses, or grows")
def test_a_connection_that_is_not_taken_ends() -> None:
    with full_listener() as url, pytest.raises(LateError) as caught:
        ask(url, SILENCE)
    assert (caught.value.stage, caught.value.seconds) == ("connecting", 0.3)


def test_a_question_that_nobody_reads_ends() -> None:
    assert late(record.silent, SILENCE, question=b" " * (32 << 20)) == ("waiting", 0.3)


@pytest.mark.parametrize(
    ("start", "wave", "words"),
    [
        (OK, b"X: " + b"y" * 1000 + b"\r\n", "65,536 bytes of headers"),
        (OK + b"X: ", b"y", "65,536 bytes of headers"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n", "65,536 bytes of headers"),
        (OK + b"\r\n", b" ", "100,000 bytes"),
        (CHUNKED, b"1\r\nx\r\n", "100,000 bytes"),
        (CHUNKED, b"ffffffffffffffff\r\n", "100,000 bytes"),
        (CHUNKED + b"0\r\n", b"X: y\r\n", "100,000 bytes"),
        (OK + b"Content-Length: 100001\r\n\r\n", b" ", "100,000 bytes"),
    ],
)
def test_whatever_floods_ends_with_the_bytes(start: bytes, wave: bytes, words: str) -> None:
    with pytest.raises(TooLargeError) as caught:
        asked(record.flooding(start, wave))
    assert str(caught.value) == f"more than {words}"


def test_what_is_announced_as_too_large_is_not_read() -> None:
    with pytest.raises(TooLargeError, match="more than 1 MB"):
        asked(staying(OK + b"Content-Length: 9999999999999\r\n\r\n"), Limits(30, 30, 1 << 20))


def test_an_answer_just_too_large() -> None:
    with pytest.raises(TooLargeError):
        asked(saying(OK + b"\r\n" + b"x" * 101), Limits(30, 30, 100))


@pytest.mark.parametrize(
    "said",
    [b"", OK + b"Content-Length: 5\r\n\r\nwhol", CHUNKED + b"5\r\nwhol", CHUNKED + b"5\r\nwhole\r\n", CHUNKED],
)
def test_an_answer_that_is_not_whole_is_none(said: bytes) -> None:
    with pytest.raises(BrokenOffError):
        asked(saying(said))


@pytest.mark.parametrize(
    "said",
    [
        b"\x00\xffSSH-2.0-OpenSSH_9.2\r\n\r\n",
        b"HTTP/1.1 many OK\r\n\r\n",
        b"HTTP/9.9 200 OK\r\n\r\n",
        OK + b"X: y\r\n" * 200 + b"\r\n",
        CHUNKED + b"-5\r\nwhole\r\n",
    ],
)
def test_what_is_no_http(said: bytes) -> None:
    with pytest.raises(NotHttpError):
        asked(staying(said))


def test_nothing_listens() -> None:
    with record.recorded({}) as address:
        pass
    with pytest.raises(RefusedError, match="refused"):
        ask(f"http://{address}", PATIENT)


def test_a_header_that_cannot_be_sent_is_said_without_its_text() -> None:
    for value in ("sec\nret", "secrét"):
        with pytest.raises(NoAnswerError, match=r"^the header X-Key holds characters that cannot be sent$"):
            ask("http://127.0.0.1:1", PATIENT, headers={"X-Key": value})


def found_at(*hosts: str) -> Lookup:
    """A lookup that finds these addresses for every name."""
    lookup = socket.getaddrinfo
    return lambda _, port, **more: [place for host in hosts for place in lookup(host, port, **more)]


@pytest.mark.parametrize("trouble", [ConnectionRefusedError, TimeoutError, OSError])
def test_the_next_place_is_asked_where_one_does_not_answer(
    monkeypatch: pytest.MonkeyPatch, trouble: type[OSError]
) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", found_at("127.0.0.2", "127.0.0.1"))
    connect = socket.socket.connect

    def refuse(self: socket.socket, place: Any) -> None:
        if place[0] == "127.0.0.2":
            raise trouble
        connect(self, place)

    monkeypatch.setattr(socket.socket, "connect", refuse)
    with record.recorded({"/": {}}) as address:
        assert ask(f"http://localhost:{address.split(':')[1]}", PATIENT).body == b"{}"


def test_what_is_called_this_machine_is_asked_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", found_at("192.0.2.1"))
    with pytest.raises(UnknownHostError):
        ask("http://localhost:8080", PATIENT)


def test_a_name_that_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(UnknownHostError, match="Name or service not known"):
        ask("http://nobody.example", PATIENT)


def test_a_lookup_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ended, gone = threading.Event(), threading.Event()
    threads: list[threading.Thread] = []

    def hang(*_: Any, **__: Any) -> list[Any]:
        threads.append(threading.current_thread())
        ended.wait(30)
        gone.set()
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    with pytest.raises(LateError) as caught:
        ask("http://nobody.example", SILENCE)
    assert (caught.value.stage, gone.is_set()) == ("connecting", False)
    assert threads[0].daemon  # it does not keep the program from ending
    ended.set()
    assert gone.wait(30)


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate of the tests counts as one of this machine's."""
    monkeypatch.setenv("SSL_CERT_FILE", os.fspath(record.CERTIFICATE))


@contextmanager
def secured(misbehaviour: record.Misbehaviour) -> Iterator[str]:
    with record.misbehaving(misbehaviour, with_tls=True) as address:
        yield f"https://{address}/"


@pytest.mark.usefixtures("trusted")
def test_an_answer_over_tls() -> None:
    heard: list[bytes] = []
    with secured(saying(OK + b"Content-Length: 5\r\n\r\nwhole", heard)) as url:
        assert ask(url, PATIENT, b" " * 10_000) == Answer(200, b"whole")
    assert heard[0].startswith(b"POST / HTTP/1.1\r\n")


def test_a_certificate_that_nobody_vouches_for_is_not_trusted() -> None:
    heard: list[bytes] = []
    with (
        secured(saying(OK, heard)) as url,
        pytest.raises(NoAnswerError, match="certificate is not trusted: self-signed"),
    ):
        ask(url, PATIENT, b"{}")
    assert heard == []


@pytest.mark.usefixtures("trusted")
def test_a_certificate_of_another_is_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", found_at("127.0.0.1"))
    with secured(saying(OK)) as url, pytest.raises(NoAnswerError, match="not trusted: Hostname mismatch"):
        ask(url.replace("127.0.0.1", "other.example"), PATIENT)


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("misbehaviour", [record.trickling, record.trickling_body])
def test_what_trickles_over_tls_ends(misbehaviour: record.Misbehaviour) -> None:
    with secured(misbehaviour) as url, pytest.raises(LateError) as caught:
        ask(url, WHOLE)
    assert str(caught.value) == "no answer within 0.2 seconds"


@pytest.mark.parametrize(
    ("misbehaviour", "error", "words"),
    [
        (record.garbage, NoAnswerError, "it does not speak TLS"),
        (record.hanging_up, NoAnswerError, "TLS|before the answer"),
        (record.silent, LateError, "within 0.3 seconds"),
        # The head of a record of 16 kB, and the record byte by byte.
        (record.dripping(b"\x16\x03\x03\x40\x00\x02", b"\x00"), LateError, "within 0.3 seconds"),
    ],
)
def test_no_tls_at_all(misbehaviour: record.Misbehaviour, error: type[NoAnswerError], words: str) -> None:
    with record.misbehaving(misbehaviour) as address, pytest.raises(error, match=words):
        ask(f"https://{address}", SILENCE)


@pytest.mark.parametrize(
    ("url", "address", "authority"),
    [
        ("http://127.0.0.1:8080/v1", Address("http", "127.0.0.1", 8080, "/v1"), "127.0.0.1:8080"),
        ("https://Example.org", Address("https", "example.org", None, ""), "example.org"),
        ("https://example.org:443/", Address("https", "example.org", 443, "/"), "example.org"),
        ("http://[::1]:80/a", Address("http", "::1", 80, "/a"), "[::1]"),
        ("http://bücher.example:1", Address("http", "bücher.example", 1, ""), "xn--bcher-kva.example:1"),
    ],
)
def test_addresses(url: str, address: Address, authority: str) -> None:
    assert read_address(url) == address
    assert address.authority == authority


@pytest.mark.parametrize(
    "url",
    [
        *("", "127.0.0.1:8080", "ftp://a", "http://", "http://a:b", "http://a:0", "http://a:70000", "http://[::1"),
        *("http://u@a", "http://u:p@a", "http://a?b", "http://a#b", "http://a/b c", "http://a/\nb", "http://a/ü"),
        *("http://a..example", f"http://{'a' * 70}.example"),
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        ask(url, PATIENT)


@pytest.mark.parametrize(
    ("host", "stays"),
    [
        *(("localhost", True), ("127.0.0.1", True), ("127.9.9.9", True), ("::1", True)),
        *(("10.0.0.5", False), ("0.0.0.0", False), ("example.org", False), ("localhost.example.org", False)),
    ],
)
def test_what_stays_on_this_machine(host: str, stays: bool) -> None:
    assert is_loopback(host) == stays
    assert Address("http", host, None, "").is_private == stays
    assert Address("https", host, None, "").is_private


def test_the_headers_have_a_limit_of_their_own() -> None:
    assert asked(saying(OK + b"X: " + b"y" * 8_000 + b"\r\n\r\nwhole"), Limits(30, 30, 10)).body == b"whole"
    assert PATIENT.max_bytes > MOST_HEADER_BYTES
