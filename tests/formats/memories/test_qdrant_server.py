"""Asking a Qdrant server: pages, addresses, keys, refusals, silence. The server is a recorded one on this machine."""

import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from inspector.formats.memories import qdrant_server
from inspector.formats.memories.qdrant_server import read_collection
from inspector.net import Limits
from inspector.reading.values import UnreadableError
from tests.servers import recorded as record

SCROLL = "/collections/elena/points/scroll"
QUICK = Limits(silence_seconds=0.3, whole_seconds=6.0, max_bytes=1 << 20)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)
    # A proxy of the environment would be somebody that nobody named.
    monkeypatch.setenv("http_proxy", "http://192.0.2.1:9")


def point(number: int) -> dict[str, Any]:
    return {"id": number, "payload": {"content": f"memory {number}", "memory_type": "fact"}}


def pages(total: int, size: int, questions: list[Any] | None = None) -> Callable[[Any], Any]:
    """A collection of `total` points, answered `size` at a time."""

    def answer(question: Any) -> Any:
        if questions is not None:
            questions.append(question)
        first = question.get("offset", 0)
        following = first + size if first + size < total else None
        points = [point(number) for number in range(first, min(total, first + size))]
        return {"result": {"points": points, "next_page_offset": following}, "status": "ok", "time": 0.1}

    return answer


def refused(address: str, collection: str = "elena", key: str = "", limits: Limits = QUICK) -> str:
    with pytest.raises(UnreadableError) as caught:
        read_collection(address, collection, key, limits)
    return str(caught.value)


def test_all_pages_are_read_without_vectors() -> None:
    questions: list[Any] = []
    asked: list[str] = []
    with record.recorded({SCROLL: pages(25, 10, questions)}, asked) as address:
        workspace = read_collection(f"http://{address}/", "elena")
    (found,) = workspace.memory_sets
    assert [memory.content for memory in found.memories] == [f"memory {number}" for number in range(25)]
    assert (found.id, found.memories[3].id, found.memories[3].type) == ("elena", "3", "fact")
    assert workspace.problems == ()
    assert asked == [f"POST {SCROLL}"] * 3
    assert [question.get("offset") for question in questions] == [None, 10, 20]
    assert {(question["with_payload"], question["with_vector"]) for question in questions} == {(True, False)}


def test_a_point_without_text_is_a_problem_that_names_it() -> None:
    answer = {"result": {"points": [point(1), {"id": 2, "payload": {}}], "next_page_offset": None}}
    with record.recorded({SCROLL: answer}) as address:
        workspace = read_collection(address, "elena")
    assert len(workspace.memory_sets[0].memories) == 1
    (problem,) = workspace.problems
    assert (problem.file, problem.place) == (f"http://{address}/collections/elena", "point 2.payload")


def test_a_collection_that_is_not_there_is_told_with_those_that_are() -> None:
    answers: dict[str, Any] = {"/collections": {"result": {"collections": [{"name": "jake"}, {"name": "ryan"}]}}}
    with record.recorded(answers) as address:
        assert refused(address) == f"http://{address}: has no collection elena; it has jake, ryan"
    with record.recorded({"/collections": {"result": {"collections": []}}}) as address:
        assert refused(address).endswith("has no collection elena; it has none")
    with record.recorded({}) as address:
        assert refused(address).endswith("has no collection elena; it does not say which it has")


def test_a_name_of_a_collection_cannot_lead_elsewhere() -> None:
    asked: list[str] = []
    with record.recorded({}, asked) as address:
        refused(address, "../x?y")
    assert asked[0] == "POST /collections/..%2Fx%3Fy/points/scroll"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (401, "asks for a key"),
        (403, "QDRANT_API_KEY"),
        (500, "with error 500"),
        (302, "elsewhere, which is not followed"),
        (b"<html>", "no JSON; is it a Qdrant server?"),
        ({"result": []}, "without a list of points"),
        ([], "without a list of points"),
    ],
)
def test_what_a_server_may_answer_instead(answer: Any, words: str) -> None:
    with record.recorded({SCROLL: answer}) as address:
        message = refused(address)
    assert message.startswith(f"http://{address}: ")
    assert words in message


def test_a_server_that_goes_round_in_circles() -> None:
    answer = {"result": {"points": [point(1)], "next_page_offset": 5}}
    with record.recorded({SCROLL: answer}) as address:
        assert "for the second time" in refused(address)


def test_too_many_points_and_too_long_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    with record.recorded({SCROLL: pages(25, 10)}) as address:
        monkeypatch.setattr(qdrant_server, "MAX_POINTS", 20)
        assert "more than 20 points" in refused(address)
        assert "with more than 100 bytes" in refused(address, limits=replace(QUICK, max_bytes=100))


def test_silence_ends() -> None:
    with record.misbehaving(record.silent) as address:
        assert f"says nothing to {SCROLL} for 0.3 seconds" in refused(address)


@pytest.mark.parametrize("misbehaviour", [record.trickling, record.trickling_body])
def test_trickling_ends(misbehaviour: Any) -> None:
    with record.misbehaving(misbehaviour) as address:
        message = refused(address, limits=replace(QUICK, whole_seconds=0.2))
    assert message == f"http://{address}: has not finished its answer to {SCROLL} after 0.2 seconds"


@pytest.mark.parametrize(
    ("misbehaviour", "words"),
    [(record.garbage, "no HTTP; is it a Qdrant server?"), (record.hanging_up, f"broke off its answer to {SCROLL}")],
)
def test_what_is_no_server_at_all(misbehaviour: Any, words: str) -> None:
    with record.misbehaving(misbehaviour) as address:
        message = refused(address)
    assert message.startswith(f"http://{address}: ")
    assert words in message


def test_nobody_listens() -> None:
    with record.recorded({}) as address:
        pass
    assert refused(address) == f"http://{address}: refuses the connection: nothing listens there"


@pytest.mark.parametrize(
    "address",
    ["", "ftp://x", "http://", "http://a b:1", "http://x:99999", "http://me:secret@x", "http://x?y=1", "x\ny"],
)
def test_what_is_no_address(address: str) -> None:
    assert "expected http://127.0.0.1:6333" in refused(address)


def test_a_redirect_is_not_followed() -> None:
    asked: list[str] = []
    with record.recorded({}, asked) as elsewhere, record.misbehaving(record.redirecting(elsewhere)) as address:
        assert "elsewhere, which is not followed" in refused(address)
    assert asked == []


def test_a_key_is_sent_within_this_machine() -> None:
    heard: list[bytes] = []

    def listening(connection: socket.socket, _: threading.Event) -> None:
        heard.append(connection.recv(65_536))
        connection.sendall(b"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    with record.misbehaving(listening) as address:
        refused(address, key="secret")
        refused(address)
    with_key, without = (request.lower() for request in heard)
    assert b"api-key: secret" in with_key
    assert b"api-key" not in without


def test_a_key_that_cannot_be_sent_is_said_without_it() -> None:
    message = refused("127.0.0.1:1", key="sec\nret")
    assert "the header api-key holds characters that cannot be sent" in message
    assert "ret" not in message


def test_a_key_is_not_sent_over_plain_http_to_another_machine() -> None:
    message = refused("http://example.org:6333", key="secret")
    assert "key is not sent over plain http" in message
    assert "secret" not in message
