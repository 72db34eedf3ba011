"""One bounded question to one named address; whatever this program asks over a network, it asks here.

Bounded are the time of the whole (name lookup, connection, TLS, question, headers and body of the answer, however they
trickle in), the silence in between, the bytes of the answer, and where the question goes: to the address that was named
and nowhere else. No redirect is followed, and proxies of the system or the environment are not used: a proxy reads what
is sent, and nobody named it. What is asked, and the sentence about what went wrong, is the caller's.

`http.client` and `ssl` are imported when somebody asks: the window and the command line start without them.
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
"""How many bytes the headers of an answer may have, with those of interim answers."""

_BLOCK = 1 << 16
_PORTS = {"http": 80, "https": 443}
_NO_KEY = (401, 403)
_BROKEN_OFF = "the connection ended before the answer"

Stage = Literal["connecting", "waiting", "whole"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one question may cost. `silence_seconds` bounds each wait for the other side (for the lookup of its name,
    the connection, TLS, and the next byte either way), `whole_seconds` everything together, `max_bytes` what comes back
    after the headers."""

    silence_seconds: float
    whole_seconds: float
    max_bytes: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server answered, whatever its status says."""

    status: int
    body: bytes

    @property
    def is_elsewhere(self) -> bool:
        """Whether the server sends the question to another address, which is not followed."""
        return 300 <= self.status < 400

    @property
    def needs_key(self) -> bool:
        """Whether the server refuses the key, or that there is none."""
        return self.status in _NO_KEY


class NoAnswerError(Exception):
    """No whole answer came; the message says why in a few words that fit after the address and a colon.

    Raised itself where nothing below says it better: no route, a certificate that is not trusted, …
    """


class UnknownHostError(NoAnswerError):
    """There is no machine of that name."""


class RefusedError(NoAnswerError):
    """Nothing listens at the address."""


class BrokenOffError(NoAnswerError):
    """The connection ended before the answer did."""


class NotHttpError(NoAnswerError):
    """Something else than HTTP came back."""


class TooLargeError(NoAnswerError):
    """The answer is larger than the limit, which the message says: `more than 16 MB`."""


class LateError(NoAnswerError):
    """A limit of `seconds` was reached: while connecting, while waiting for the other side, or that of the whole."""

    def __init__(self, stage: Stage, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} seconds")
        self.stage: Stage = stage
        self.seconds = seconds


def silence(problem: NoAnswerError, asked: str) -> str:
    """Why a server gave no answer to what it was `asked`, in words that follow its name."""
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
    """Where a question goes. `port` is None where the address names none."""

    scheme: str
    host: str
    port: int | None
    path: str

    @property
    def is_private(self) -> bool:
        """Whether nobody on the way can read what is sent: it is encrypted, or does not leave this machine."""
        return self.scheme == "https" or is_loopback(self.host)

    @property
    def authority(self) -> str:
        """Host and port as a server is told them; without the port that the scheme implies."""
        host = self.host.encode("idna").decode()
        named = f"[{host}]" if ":" in host else host
        return named if self.port in (None, _PORTS[self.scheme]) else f"{named}:{self.port}"


def read_address(url: str) -> Address:
    """The parts of an address of http or https.

    Raises ValueError for anything else, and where it holds a user, a query, a fragment, or what has to be quoted.
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
    """Whether what is sent to this host stays on this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def ask(url: str, limits: Limits, question: bytes | None = None, headers: Mapping[str, str] | None = None) -> Answer:
    """What the server answers to GET, or to POST where there is a question, which is JSON.

    Raises NoAnswerError, most often one of the errors above that say more, and ValueError like `read_address`.
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
    """How long there is still to wait."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._end = time.monotonic() + limits.whole_seconds

    def patience(self) -> float:
        """The seconds that the next step may take. Raises LateError where none are left."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise LateError("whole", self._limits.whole_seconds)
        return min(left, self._limits.silence_seconds)

    def late(self, stage: Stage) -> LateError:
        """The error of the limit that has been reached just now."""
        if time.monotonic() >= self._end:
            return LateError("whole", self._limits.whole_seconds)
        return LateError(stage, self._limits.silence_seconds)

    @contextmanager
    def bounding(self, connection: socket.socket, stage: Stage) -> Iterator[None]:
        """For one step of a connection. Raises LateError where it takes too long."""
        connection.settimeout(self.patience())
        try:
            yield
        except TimeoutError:
            raise self.late(stage) from None


@contextmanager
def _connection(address: Address, clock: _Clock) -> Iterator[socket.socket]:
    """A connection for one exchange; over TLS, with a certificate that this machine trusts, for https."""
    with closing(_connected(address, clock)) as plain:
        if address.scheme == "http":
            yield plain
            return
        with closing(_wrapped(plain, address.host)) as secured:
            _shake_hands(secured, clock)
            yield secured


def _connected(address: Address, clock: _Clock) -> socket.socket:
    """A connection to the first place of a host that takes one."""
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
    """Where a host is, as `getaddrinfo` says it; of `localhost` only what is on this machine.

    A lookup cannot be bounded. One that hangs is left behind in a thread that does not hold up the end of the program.
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
    """The connection with TLS around it, which is still to be agreed on."""
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
    """A connection as `http.client` uses one: what is sent and received keeps within the limits."""

    def __init__(self, connection: socket.socket, clock: _Clock) -> None:
        self._connection, self._clock = connection, clock
        self._left, self._excess = 0, ""

    def allow(self, most_bytes: int, what: str = "") -> None:
        """Let so many bytes be received from now on."""
        self._left, self._excess = most_bytes, f"more than {_size(most_bytes)}{what}"

    def sendall(self, sent: bytes) -> None:
        """Send all of it."""
        rest = memoryview(sent)
        while rest:
            with self._clock.bounding(self._connection, "waiting"):
                rest = rest[self._connection.send(rest) :]

    def makefile(self, mode: str) -> io.BufferedReader:
        """What is received, as a file."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        """As a file says it."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Receive at least one byte, none where the other side has ended."""
        with self._clock.bounding(self._connection, "waiting"):
            count = self._connection.recv_into(buffer)
        self._left -= count
        if self._left < 0:
            raise TooLargeError(self._excess)
        return count

    def close(self) -> None:
        """Do nothing: `http.client` closes before it has read the answer. Whoever connected closes."""


def _exchange(address: Address, wire: _Wire, max_bytes: int, question: bytes | None, headers: dict[str, str]) -> Answer:
    """One question sent and its answer received."""
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
    """The whole body. What frames it is bounded by the wire."""
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
