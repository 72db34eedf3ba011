"""Queries a Qdrant server for the points of a collection, only if the user named its address.

HTTP API: api.qdrant.tech, `points/scroll` and `collections`. The content of points is read in `qdrant`.
"""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import orjson

from inspector import net
from inspector.formats.memories.qdrant import point_memories
from inspector.model import Problem, Workspace
from inspector.reading.values import UnreadableError, as_text, mapping, objects

LIMITS = net.Limits(silence_seconds=10.0, whole_seconds=60.0, max_bytes=256 << 20)
"""The limits of a page of points."""
PAGE_POINTS = 1_000
MAX_POINTS = 1_000_000

_NOT_FOUND = 404


def read_collection(address: str, collection: str, key: str = "", limits: net.Limits = LIMITS) -> Workspace:
    """Return the points of a collection as a workspace with a memory set.

    `address` is `http://HOST:PORT`, also with a path before the API or without `http://`; `key` is sent as `api-key`,
    over https or within this machine only. Raise UnreadableError with the address and the expectation.
    """
    server = _Server(address, key, limits)
    place = f"{server.base}/collections/{collection}"
    points = [(f"point {as_text(mapping(point).get('id'))}", point) for point in server.points(collection)]
    memory_set, problems = point_memories(points, place, collection)
    return Workspace(memory_sets=(memory_set,), problems=problems)


class _Server:
    """A server at an address named by the user."""

    def __init__(self, address: str, key: str, limits: net.Limits) -> None:
        self.base = _base(address)
        self._limits = limits
        self._headers = {"api-key": key} if key else {}
        if key and not net.read_address(self.base).is_private:
            raise self._error("the key is not sent over plain http to another machine; expected an https address")

    def points(self, collection: str) -> Iterator[Any]:
        """Yield the points page by page, without their vectors."""
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
        """Return the JSON response of the server to POST, or to GET without a question."""
        body = None if question is None else orjson.dumps(question)
        try:
            answer = net.ask(self.base + path, self._limits, body, self._headers)
        except net.NoAnswerError as problem:
            doubt = "; is it a Qdrant server?" if isinstance(problem, net.NotHttpError) else ""
            raise self._error(net.silence(problem, path) + doubt) from None
        if answer.status >= 300:
            raise self._refusal(answer, path, collection)
        return self._value(answer.body, path)

    def _value(self, data: bytes, path: str) -> Any:
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError:
            raise self._error(f"answers {path} with something that is no JSON; is it a Qdrant server?") from None

    def _refusal(self, answer: net.Answer, path: str, collection: str) -> UnreadableError:
        if answer.needs_key:
            return self._error("asks for a key: expected it in the environment variable QDRANT_API_KEY")
        if answer.status == _NOT_FOUND and path != "/collections":
            return self._error(f"has no collection {collection}; {self._collections()}")
        if answer.is_elsewhere:
            return self._error(f"sends {path} elsewhere, which is not followed")
        return self._error(f"answers {path} with error {answer.status}")

    def _collections(self) -> str:
        """Return words for the existing collections, for the error about a missing collection."""
        try:
            found = mapping(mapping(self._ask("/collections", "")).get("result")).get("collections")
        except UnreadableError:
            return "it does not say which it has"
        names = [as_text(each.get("name")) for each in objects(found)]
        return f"it has {', '.join(names[:20])}" if names else "it has none"

    def _error(self, message: str) -> UnreadableError:
        return UnreadableError(Problem(self.base, "", message))


def _base(address: str) -> str:
    """Return the address without a trailing slash. Raise UnreadableError if it is neither http nor https."""
    text = address.strip()
    whole = text if "://" in text else f"http://{text}"
    try:
        net.read_address(whole)
    except ValueError:
        problem = Problem(address, "", "is no address of a server: expected http://127.0.0.1:6333")
        raise UnreadableError(problem) from None
    return whole.rstrip("/")
