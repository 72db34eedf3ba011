"""Asking a Qdrant server for the points of one collection, and only when a person named its address.

HTTP API: api.qdrant.tech, `points/scroll` and `collections`. `urllib` without proxies and redirects, so that what is
sent goes to the given address only. What a point holds is read in `qdrant`.
"""

import time
from collections.abc import Iterator
from http.client import HTTPException
from ipaddress import ip_address
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

import orjson

from inspector.formats.memories.qdrant import point_memories
from inspector.model import Problem, Workspace
from inspector.reading.unreadable import UnreadableError
from inspector.reading.values import as_text, mapping, objects

SILENCE_SECONDS = 10.0
"""How long a server may say nothing."""
PAGE_SECONDS = 60.0
"""How long the answer to one question may take."""
PAGE_POINTS = 1_000
MAX_POINTS = 1_000_000
MAX_PAGE_BYTES = 256 << 20

_BLOCK = 1 << 16
_NO_KEY = (401, 403)
_NOT_FOUND = 404


class _NoRedirect(HTTPRedirectHandler):
    """A redirect would send the question, and the key with it, to an address that nobody named."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow nothing; the answer that names another place is an error."""
        return


def read_collection(address: str, collection: str, key: str = "") -> Workspace:
    """The points of a collection as a workspace with one memory set.

    `address` is `http://HOST:PORT`, also with a path before the API or without `http://`; `key` is sent as `api-key`,
    over https or within this machine only. Raises UnreadableError that names the address and what was expected.
    """
    server = _Server(address, key)
    place = f"{server.base}/collections/{collection}"
    points = [(f"point {as_text(mapping(point).get('id'))}", point) for point in server.points(collection)]
    memory_set, problems = point_memories(points, place, collection)
    return Workspace(memory_sets=(memory_set,), problems=problems)


class _Server:
    """A server at an address that a person named."""

    def __init__(self, address: str, key: str) -> None:
        self.base = _base(address)
        self._headers = {"Accept": "application/json", **({"api-key": key} if key else {})}
        if key and not _is_private(self.base):
            raise self._error("the key is not sent over plain http to another machine; expected an https address")
        self._opener: OpenerDirector = build_opener(ProxyHandler({}), _NoRedirect())

    def points(self, collection: str) -> Iterator[Any]:
        """The points page by page, without their vectors."""
        path = f"/collections/{quote(collection, safe='')}/points/scroll"
        question: dict[str, Any] = {"limit": PAGE_POINTS, "with_payload": True, "with_vector": False}
        seen: set[str] = set()
        count = 0
        while True:
            result = mapping(mapping(self._ask(path, collection, question)).get("result"))
            if not isinstance(result.get("points"), list):
                raise self._error(f"answers {path} without a list of points; is it a Qdrant server?")
            yield from result["points"]
            count += len(result["points"])
            offset = result.get("next_page_offset")
            if offset is None:
                return
            if as_text(offset) in seen:
                raise self._error(f"answers {path} with the page {as_text(offset)} for the second time")
            if count >= MAX_POINTS:
                raise self._error(f"{collection} has more than {MAX_POINTS:,} points; at most so many are read")
            seen.add(as_text(offset))
            question["offset"] = offset

    def _ask(self, path: str, collection: str, question: Any = None) -> Any:
        """The JSON value that the server answers to POST, or to GET without a question."""
        data = None if question is None else orjson.dumps(question)
        headers = {**self._headers, "Content-Type": "application/json"} if data else self._headers
        end = time.monotonic() + PAGE_SECONDS
        try:
            with self._opener.open(Request(self.base + path, data, headers), timeout=SILENCE_SECONDS) as response:
                return self._value(self._whole(response, path, end), path)
        except HTTPError as error:
            with error:
                raise self._refusal(error, path, collection) from None
        except TimeoutError:
            raise self._error(f"says nothing to {path} for {SILENCE_SECONDS:g} seconds") from None
        except URLError as error:
            raise self._error(f"cannot be reached: {getattr(error.reason, 'strerror', None) or error.reason}") from None
        except (OSError, HTTPException, ValueError) as error:
            if isinstance(error, UnreadableError):
                raise
            raise self._error(f"broke off its answer to {path}: {error}") from None

    def _whole(self, response: Any, path: str, end: float) -> bytes:
        pieces: list[bytes] = []
        size = 0
        while piece := response.read1(_BLOCK):
            pieces.append(piece)
            size += len(piece)
            if size > MAX_PAGE_BYTES:
                raise self._error(f"answers {path} with more than {MAX_PAGE_BYTES >> 20} MB")
            if time.monotonic() > end:
                raise self._error(f"has not finished its answer to {path} after {PAGE_SECONDS:g} seconds")
        return b"".join(pieces)

    def _value(self, data: bytes, path: str) -> Any:
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError:
            raise self._error(f"answers {path} with something that is no JSON; is it a Qdrant server?") from None

    def _refusal(self, error: HTTPError, path: str, collection: str) -> UnreadableError:
        if error.code in _NO_KEY:
            return self._error("asks for a key: expected it in the environment variable QDRANT_API_KEY")
        if error.code == _NOT_FOUND and path != "/collections":
            return self._error(f"has no collection {collection}; {self._collections()}")
        if 300 <= error.code < 400:
            return self._error(f"sends {path} elsewhere, which is not followed")
        return self._error(f"answers {path} with error {error.code}")

    def _collections(self) -> str:
        """What collections there are, for a person who named one that there is not."""
        try:
            found = mapping(mapping(self._ask("/collections", "")).get("result")).get("collections")
        except UnreadableError:
            return "it does not say which it has"
        names = [as_text(each.get("name")) for each in objects(found)]
        return f"it has {', '.join(names[:20])}" if names else "it has none"

    def _error(self, message: str) -> UnreadableError:
        return UnreadableError(Problem(self.base, "", message))


def _base(address: str) -> str:
    """The address without a slash at its end. Raises UnreadableError where it is none of http or https."""
    text = address.strip()
    whole = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(whole)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        sound = False
    else:
        sound = sound and not (parts.query or parts.fragment or "@" in parts.netloc) and whole.isprintable()
    if not sound or " " in whole:
        raise UnreadableError(Problem(address, "", "is no address of a server: expected http://127.0.0.1:6333"))
    return whole.rstrip("/")


def _is_private(base: str) -> bool:
    """Whether nobody on the way can read what is sent."""
    parts = urlsplit(base)
    if parts.scheme == "https" or parts.hostname == "localhost":
        return True
    try:
        return ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False
