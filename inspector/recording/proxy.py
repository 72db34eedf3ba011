"""The proxy: passes requests to one server and its answers back, byte by byte as they come, and keeps a copy.

Only this module speaks to a network by aiohttp (https://docs.aiohttp.org), the package of the extra `record`. Nothing
is decoded, retried, redirected or cached on the way; certificates are checked, proxies of the environment and cookies
are not used. Each request has a connection of its own to the server: one that is used again may be closed by the server
at the same moment, and the application would get an error that it would not have got. What RFC 9110, section 7.6.1,
calls hop by hop belongs to each connection and is not passed on.
"""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector, web
from multidict import CIMultiDict
from yarl import URL

from inspector.net import Address
from inspector.recording.apis import api_of
from inspector.recording.exchange import Exchange, Kept
from inspector.recording.keys import keys_of

_HOP_BY_HOP = frozenset(
    (
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te"),
        *("trailer", "transfer-encoding", "upgrade"),
    )
)
_OF_A_REQUEST = _HOP_BY_HOP | {"host", "expect"}
_ADDED_BY_LIBRARY = ("Accept", "Accept-Encoding", "User-Agent", "Content-Type")
_ADDED_TO_ANSWERS = ("Content-Type", "Date", "Server")
_CONNECT_SECONDS = 30.0
_END_SECONDS = 2.0
_LOOK_SECONDS = 0.25
_MOST_HEADER = 1 << 16
_BROKEN = "broken off by the server"

Keep = Callable[[Exchange], None]


@asynccontextmanager
async def listening(upstream: Address, host: str, port: int, keep: Keep) -> AsyncIterator[int]:
    """Pass requests at this host and port on to a server for as long as the block runs; yields the port.

    `keep` is called with each exchange that asked a model, when it has ended. Raise OSError if the port cannot be had.
    """
    session = ClientSession(
        connector=TCPConnector(limit=0, force_close=True),
        cookie_jar=DummyCookieJar(),
        timeout=ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS),
        auto_decompress=False,
        skip_auto_headers=_ADDED_BY_LIBRARY,
        max_line_size=_MOST_HEADER,
        max_field_size=_MOST_HEADER,
    )
    async with session:
        application = web.Application()
        application.router.add_route("*", "/{path:.*}", _Passing(session, upstream, keep).answer)
        application.on_response_prepare.append(_without_additions)
        runner = web.AppRunner(
            application,
            access_log=None,
            handle_signals=False,
            handler_cancellation=True,
            auto_decompress=False,
            shutdown_timeout=_END_SECONDS,
            max_line_size=_MOST_HEADER,
            max_field_size=_MOST_HEADER,
        )
        await runner.setup()
        try:
            await web.TCPSite(runner, host, port).start()
            yield runner.addresses[0][1]
        finally:
            await runner.cleanup()


def record_until_ended(
    upstream: Address,
    host: str,
    port: int,
    keep: Keep,
    listens: Callable[[int], None],
    wanted: Callable[[], bool],
) -> None:
    """Pass requests on until the user ends the program (Ctrl+C, a request to terminate), or it is not `wanted`.

    `listens` is called with the port once it is open. Raise OSError if it cannot be had.
    """
    with suppress(KeyboardInterrupt):
        asyncio.run(_until_ended(upstream, host, port, keep, listens, wanted))


async def _until_ended(
    upstream: Address,
    host: str,
    port: int,
    keep: Keep,
    listens: Callable[[int], None],
    wanted: Callable[[], bool],
) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)):
        with suppress(NotImplementedError):  # of Windows, where Ctrl+C cancels this instead
            loop.add_signal_handler(number, ended.set)
    async with listening(upstream, host, port, keep) as opened:
        listens(opened)
        while wanted() and not ended.is_set():
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(ended.wait(), _LOOK_SECONDS)


class _Passing:
    """Passes each request on, and its answer back."""

    def __init__(self, session: ClientSession, upstream: Address, keep: Keep) -> None:
        self._session, self._keep = session, keep
        self._base = f"{upstream.scheme}://{upstream.authority}{upstream.path.rstrip('/')}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        if "upgrade" in request.headers.get("Connection", "").lower():
            return _refusal(501, "only requests and answers are passed on, no connections that are upgraded")
        exchange = _begun(request)
        try:
            return await self._passed(request, exchange)
        except asyncio.CancelledError:
            _leave(exchange)
            raise
        finally:
            _end(exchange)
            if exchange is not None:
                self._keep(exchange)

    async def _passed(self, request: web.Request, exchange: Exchange | None) -> web.StreamResponse:
        target = request.raw_path if request.raw_path.startswith("/") else request.rel_url.raw_path_qs
        try:
            asked = await self._session.request(
                request.method,
                URL(self._base + target, encoded=True),
                headers=_passed_on(request.headers, _OF_A_REQUEST),
                data=_sent(request, exchange) if request.can_read_body else None,
                allow_redirects=False,
            )
        except (ClientError, OSError) as error:
            reason = f"no answer from {self._base}: {error or type(error).__name__}"
            if exchange is not None:
                exchange.status = 502
            _end(exchange, reason)
            return _refusal(502, reason)
        async with asked:
            return await _returned(request, asked, exchange)


def _begun(request: web.Request) -> Exchange | None:
    path, _, query = request.raw_path.partition("?")
    api = api_of(request.method, path)
    if api is None:
        return None
    encoding = request.headers.get("Content-Encoding", "")
    return Exchange(api, path, keys_of(request.headers.items(), query), Kept(encoding))


def _end(exchange: Exchange | None, note: str = "") -> None:
    if exchange is not None:
        exchange.end(note)


def _leave(exchange: Exchange | None) -> None:
    if exchange is not None:
        exchange.was_left = True


async def _sent(request: web.Request, exchange: Exchange | None) -> AsyncIterator[bytes]:
    async for chunk in request.content.iter_any():
        if exchange is not None:
            exchange.request.add(chunk)
        yield chunk


async def _returned(request: web.Request, asked: ClientResponse, exchange: Exchange | None) -> web.StreamResponse:
    headers = _passed_on(asked.headers, _HOP_BY_HOP)
    response = _Answer(status=asked.status, reason=asked.reason, headers=headers)
    if exchange is not None:
        exchange.status, exchange.content_type = asked.status, asked.headers.get("Content-Type", "")
        exchange.response.encoding = asked.headers.get("Content-Encoding", "")
    try:
        await response.prepare(request)
        while chunk := await _next(asked):
            await response.write(chunk)
            if exchange is not None:
                exchange.answered(chunk)
        await response.write_eof()
    except _BrokenOffError as error:
        _end(exchange, f"{_BROKEN}: {error}")
        if request.transport is not None:
            request.transport.close()  # after what came: the application sees the same early end
    except OSError:
        _leave(exchange)
    return response


class _BrokenOffError(Exception):
    """The server ended its answer early."""


async def _next(asked: ClientResponse) -> bytes:
    try:
        return await asked.content.readany()
    except (ClientError, OSError) as error:
        raise _BrokenOffError(str(error) or type(error).__name__) from None


def _passed_on(headers: Mapping[str, str], dropped: frozenset[str]) -> CIMultiDict[str]:
    """Return the headers of a message, each as often as it is there, without those of its connection."""
    named = {name.strip().lower() for name in headers.get("Connection", "").split(",")}
    return CIMultiDict((name, value) for name, value in headers.items() if name.lower() not in dropped | named)


class _Answer(web.StreamResponse):
    """An answer of the server; `told` are the names of its headers."""

    def __init__(self, *, status: int, reason: str | None, headers: CIMultiDict[str]) -> None:
        super().__init__(status=status, reason=reason, headers=headers)
        self.told = {name.lower() for name in headers}


async def _without_additions(_: web.Request, response: web.StreamResponse) -> None:
    """Take out of an answer of the server what the library added to it."""
    if isinstance(response, _Answer):
        for name in _ADDED_TO_ANSWERS:
            if name.lower() not in response.told:
                response.headers.popall(name, None)


def _refusal(status: int, reason: str) -> web.Response:
    """Return an error of the recorder itself, in the layout that clients of these servers read."""
    error = {"message": f"prompt-inspector record: {reason}", "type": "recording"}
    return web.json_response({"error": error}, status=status)
