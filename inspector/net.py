"""A bounded request to a named address; every network access of this program goes through here.

These are bounded: the total time (name lookup, connection, TLS, request, headers and body of the answer, however slowly
they arrive), the silence in between, the bytes of the answer, and the destination: only the named address. No redirect
is followed, and proxies of the system or the environment are not used: a proxy reads the request, and it was not named.
The caller provides the request, and the sentence about an error.

`http.client` and `ssl` are imported on the first request: the window and the command line start without them.
"""

import io
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from http.client import HTTPResponse
    from ssl import SSLSocket

MOST_HEADER_BYTES = 1 << 16
"""The most bytes of the headers of an answer, including those of interim answers."""

_BLOCK = 1 << 16
_PORTS = {"http": 80, "https": 443}
_NO_KEY = (401, 403)
_BROKEN_OFF = "the connection ended before the answer"

Stage = Literal["connecting", "waiting", "whole"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a request. `silence_seconds` bounds each wait for the other side (for the lookup of its name, the
    connection, TLS, and the next byte either way), `whole_seconds` the total, `max_bytes` the answer after the headers.
    """

    silence_seconds: float
    whole_seconds: float
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a server, whatever its status."""

    status: int
    body: bytes

    @property
    def is_elsewhere(self) -> bool:
        """Whether the server redirects the request to another address, which is not followed."""
        return 300 <= self.status < 400

    @property
    def needs_key(self) -> bool:
        """Whether the server refuses the key, or its absence."""
        return self.status in _NO_KEY


class NoAnswerError(Exception):
    """No complete answer came; the message gives the reason in a few words that fit after the address and a colon.

    Raised itself where no subclass is more specific: no route, an untrusted certificate, …
    """


class UnknownHostError(NoAnswerError):
    """There is no machine of that name."""


class RefusedError(NoAnswerError):
    """Nothing listens at the address."""


class BrokenOffError(NoAnswerError):
    """The connection ended before the answer did."""


class NotHttpError(NoAnswerError):
    """The answer is not HTTP."""


class TooLargeError(NoAnswerError):
    """The answer is larger than the limit given in the message: `more than 16 MB`."""


class LateError(NoAnswerError):
    """A limit of `seconds` was reached: while connecting, while waiting for the other side, or for the whole."""

    def __init__(self, stage: Stage, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} seconds")
        self.stage: Stage = stage
        self.seconds = seconds


def silence(problem: NoAnswerError, asked: str) -> str:
    """Return why a server gave no answer to the request `asked`, in words that follow its name."""
    match problem:
        case LateError(stage="connecting"):
            return f"does not take the connection within {problem.seconds:g} seconds"
        case LateError(stage="waiting"):
            return f"says nothing to {asked} for {problem.seconds:g} seconds"
        case LateError():
            return f"has not finished its answer to {asked} after {problem.seconds:g} seconds"
        case UnknownHostError():
            return "is not known: there is no machine of that name"
        case RefusedError():
            return "refuses the connection: nothing listens there"
        case BrokenOffError():
            return f"broke off its answer to {asked}"
        case NotHttpError():
            return f"answers {asked} with something that is no HTTP"
        case TooLargeError():
            return f"answers {asked} with {problem}"
        case _:
            return f"cannot be reached: {problem}"


@dataclass(frozen=True, slots=True)
class Address:
    """The destination of a request. `port` is None if the address names none."""

    scheme: str
    host: str
    port: int | None
    path: str

    @property
    def is_private(self) -> bool:
        """Whether the request cannot be read on its way: it is encrypted, or does not leave this machine."""
        return self.scheme == "https" or is_loopback(self.host)

    @property
    def authority(self) -> str:
        """Host and port for the Host header, without the port implied by the scheme."""
        host = self.host.encode("idna").decode()
        named = f"[{host}]" if ":" in host else host
        return named if self.port in (None, _PORTS[self.scheme]) else f"{named}:{self.port}"


def read_address(url: str) -> Address:
    """Return the parts of an address of http or https.

    Raise ValueError for any other address, and if it has a user, a query, a fragment, or characters that need quoting.
    """
    parts = urlsplit(url)
    port = parts.port
    holds_more = parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in _PORTS or not parts.hostname or port == 0 or holds_more:
        raise ValueError(f"{url!r} is not an address of http or https")
    if not url.isprintable() or " " in url or not parts.path.isascii():
        raise ValueError(f"{url!r} holds characters that have to be quoted")
    parts.hostname.encode("idna")  # raises UnicodeError, which is a ValueError, for a name that no machine can have
    return Address(parts.scheme, parts.hostname, port, parts.path)


def is_loopback(host: str) -> bool:
    """Return whether requests to this host stay on this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def ask(url: str, limits: Limits, question: bytes | None = None, headers: Mapping[str, str] | None = None) -> Answer:
    """Return the server's answer to GET, or to POST with a JSON `question`.

    Raise NoAnswerError, mostly a more specific subclass, and ValueError like `read_address`.
    """
    address = read_address(url)
    sent = _sent_headers(address, question, headers or {})
    clock = _Clock(limits)
    try:
        with _connection(address, clock) as connection:
            return _exchange(address, _Wire(connection, clock), limits.max_bytes, question, sent)
    except OSError:
        raise BrokenOffError(_BROKEN_OFF) from None


def _sent_headers(address: Address, question: bytes | None, own: Mapping[str, str]) -> dict[str, str]:
    if odd := [name for name, value in own.items() if not (value.isascii() and value.isprintable())]:
        raise NoAnswerError(f"the header {odd[0]} holds characters that cannot be sent")
    kind = {} if question is None else {"Content-Type": "application/json"}
    return {"Host": address.authority, "Connection": "close", "Accept": "application/json", **kind, **own}


class _Clock:
    """The time left for waiting."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._end = time.monotonic() + limits.whole_seconds

    def patience(self) -> float:
        """Return the seconds for the next step. Raise LateError if none are left."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise LateError("whole", self._limits.whole_seconds)
        return min(left, self._limits.silence_seconds)

    def late(self, stage: Stage) -> LateError:
        """Return the error for the limit just reached."""
        if time.monotonic() >= self._end:
            return LateError("whole", self._limits.whole_seconds)
        return LateError(stage, self._limits.silence_seconds)

    @contextmanager
    def bounding(self, connection: socket.socket, stage: Stage) -> Iterator[None]:
        """Bound a step of a connection. Raise LateError if it takes too long."""
        connection.settimeout(self.patience())
        try:
            yield
        except TimeoutError:
            raise self.late(stage) from None


@contextmanager
def _connection(address: Address, clock: _Clock) -> Iterator[socket.socket]:
    """Open a connection for an exchange; for https over TLS, with a certificate trusted by this machine."""
    with closing(_connected(address, clock)) as plain:
        if address.scheme == "http":
            yield plain
            return
        with closing(_wrapped(plain, address.host)) as secured:
            _shake_hands(secured, clock)
            yield secured


def _connected(address: Address, clock: _Clock) -> socket.socket:
    """Return a connection to the first place of a host that accepts it."""
    trouble: NoAnswerError = UnknownHostError("it is not on this machine")
    for place in _places(address, clock):
        try:
            return _connected_to(place, clock)
        except LateError as problem:
            trouble = problem
        except OSError as problem:
            failed = RefusedError if isinstance(problem, ConnectionRefusedError) else NoAnswerError
            trouble = failed(problem.strerror or str(problem))
    raise trouble


def _connected_to(place: Any, clock: _Clock) -> socket.socket:
    family, kind, protocol, _, where = place
    connection = socket.socket(family, kind, protocol)
    try:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with clock.bounding(connection, "connecting"):
            connection.connect(where)
    except BaseException:
        connection.close()
        raise
    return connection


def _places(address: Address, clock: _Clock) -> list[Any]:
    """Return the places of a host from `getaddrinfo`; for `localhost` only those on this machine.

    A lookup cannot be bounded. A hanging lookup is abandoned in a daemon thread, without delaying the end of the
    program.
    """
    found: SimpleQueue[list[Any] | OSError] = SimpleQueue()
    Thread(target=_look_up, args=(address, found), daemon=True).start()
    try:
        places = found.get(timeout=clock.patience())
    except Empty:
        raise clock.late("connecting") from None
    if isinstance(places, OSError):
        raise UnknownHostError(places.strerror or str(places))
    return [place for place in places if is_loopback(place[4][0]) or not is_loopback(address.host)]


def _look_up(address: Address, found: "SimpleQueue[list[Any] | OSError]") -> None:
    port = address.port or _PORTS[address.scheme]
    try:
        found.put(socket.getaddrinfo(address.host, port, type=socket.SOCK_STREAM))
    except OSError as problem:
        found.put(problem)


def _wrapped(plain: socket.socket, host: str) -> "SSLSocket":
    """Return the connection wrapped in TLS, before the handshake."""
    import ssl

    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context.wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)


def _shake_hands(secured: "SSLSocket", clock: _Clock) -> None:
    import ssl

    try:
        with clock.bounding(secured, "connecting"):
            secured.do_handshake()
    except ssl.SSLCertVerificationError as problem:
        raise NoAnswerError(f"its certificate is not trusted: {problem.verify_message.rstrip('.')}") from None
    except ssl.SSLError as problem:
        raise NoAnswerError(f"it does not speak TLS ({problem.reason or problem.strerror})") from None


class _Wire(io.RawIOBase):
    """A connection for `http.client`, with sent and received data within the limits."""

    def __init__(self, connection: socket.socket, clock: _Clock) -> None:
        self._connection, self._clock = connection, clock
        self._left, self._excess = 0, ""

    def allow(self, most_bytes: int, what: str = "") -> None:
        """Allow this many bytes to be received from now on."""
        self._left, self._excess = most_bytes, f"more than {_size(most_bytes)}{what}"

    def sendall(self, sent: bytes) -> None:
        """Send all of it."""
        rest = memoryview(sent)
        while rest:
            with self._clock.bounding(self._connection, "waiting"):
                rest = rest[self._connection.send(rest) :]

    def makefile(self, mode: str) -> io.BufferedReader:
        """Return the received data as a file."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Receive at least one byte, none if the other side has ended."""
        with self._clock.bounding(self._connection, "waiting"):
            count = self._connection.recv_into(buffer)
        self._left -= count
        if self._left < 0:
            raise TooLargeError(self._excess)
        return count

    def close(self) -> None:
        """Do nothing: `http.client` closes before it has read the answer. The code that connected closes."""


def _exchange(address: Address, wire: _Wire, max_bytes: int, question: bytes | None, headers: dict[str, str]) -> Answer:
    """Send a request and return its answer."""
    from http.client import HTTPConnection, HTTPException, IncompleteRead

    connection = HTTPConnection(address.host, address.port)
    connection.sock = cast(Any, wire)
    try:
        method = "GET" if question is None else "POST"
        connection.request(method, address.path or "/", question, headers)
        wire.allow(MOST_HEADER_BYTES, " of headers")
        with connection.getresponse() as response:
            wire.allow(max_bytes)
            return Answer(response.status, _body(response, max_bytes))
    except (ConnectionError, IncompleteRead):  # some of the former are HTTPException, too
        raise BrokenOffError(_BROKEN_OFF) from None
    except (HTTPException, ValueError):  # the latter for a chunk of a size below 0
        raise NotHttpError("it does not speak HTTP") from None


def _body(response: "HTTPResponse", max_bytes: int) -> bytes:
    """Return the whole body. The wire bounds its framing."""
    too_large = TooLargeError(f"more than {_size(max_bytes)}")
    if response.length is not None and response.length > max_bytes:
        raise too_large
    body = b"".join(iter(lambda: response.read(_BLOCK), b""))
    if len(body) > max_bytes:
        raise too_large
    if response.length:
        raise BrokenOffError(_BROKEN_OFF)
    return body


def _size(count: int) -> str:
    return f"{count >> 20} MB" if count >= 1 << 20 else f"{count:,} bytes"
