"""Servers that misbehave in every way we know, and where questions may go: one sentence each, and no waiting."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from inspector.net import Limits
from inspector.tokens.servers import server
from inspector.tokens.servers.search import DEFAULT_ADDRESSES, find_servers
from inspector.tokens.servers.server import Server, ServerError, is_loopback, normal_address
from tests.servers import recorded as record


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)
    monkeypatch.setattr(server, "LIMITS", Limits(silence_seconds=0.3, whole_seconds=6.0, max_bytes=1 << 20))


def only(address: str) -> Server:
    (server,) = find_servers([address])
    return server


MISBEHAVIOURS: dict[str, tuple[Callable[..., None], str]] = {
    "silent": (record.silent, "says nothing to GET /api/extra/version"),
    "endless": (record.endless, "answers GET /api/extra/version with more than 1 MB"),
    "garbage": (record.garbage, "something that is no HTTP"),
    "hanging up": (record.hanging_up, "broke off its answer to GET /api/extra/version"),
}


@pytest.mark.parametrize("name", MISBEHAVIOURS)
def test_a_misbehaving_server_is_one_sentence_and_no_wait(name: str) -> None:
    answer, said = MISBEHAVIOURS[name]
    with record.misbehaving(answer) as address:
        server = only(address)
    assert server.kind == ""
    (problem,) = server.problems
    assert said in problem
    assert address in problem


@pytest.mark.parametrize("misbehaviour", [record.trickling, record.trickling_body])
def test_an_answer_that_trickles_ends(misbehaviour: record.Misbehaviour, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "LIMITS", replace(server.LIMITS, silence_seconds=30, whole_seconds=0.3))
    with record.misbehaving(misbehaviour) as address:
        (problem,) = only(address).problems
    assert problem == f"{address} has not finished its answer to GET /api/extra/version after 0.3 seconds."


def test_nobody_is_followed_elsewhere() -> None:
    asked: list[str] = []
    with (
        record.recorded(record.VLLM, asked) as elsewhere,
        record.misbehaving(record.redirecting(elsewhere)) as address,
    ):
        server = only(address)
    assert server.kind == ""
    assert "elsewhere, which is not followed" in server.problems[1]
    assert asked == []


def test_a_text_that_is_half_a_pair_is_sent_without_it() -> None:
    answers = {"/tokenize": lambda body: {"asked": body["content"]}}
    with record.recorded(answers) as address:
        assert server.ask(address, "/tokenize", {"content": "smile \ud83d"}) == {"asked": "smile \ufffd"}


def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with record.recorded(record.VLLM) as address:
        assert only(address).kind == "vllm"


def test_an_address_where_nothing_listens_is_said_and_the_next_is_asked() -> None:
    with record.recorded(record.OTHER) as gone:
        pass
    with record.recorded(record.VLLM) as address:
        nothing, bad, server = find_servers([gone, "not an address", f"http://{address}/v1"])
    assert nothing.problems == (f"{gone} refuses the connection: nothing listens there.",)
    assert "expected HOST:PORT" in bad.problems[0]
    assert (server.kind, server.address) == ("vllm", address)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("8080", "127.0.0.1:8080"),
        ("localhost:1234", "localhost:1234"),
        (" http://127.0.0.1:8000/v1/ ", "127.0.0.1:8000"),
        ("[::1]:8080", "[::1]:8080"),
        ("http://10.0.0.5:80", "10.0.0.5:80"),
    ],
)
def test_addresses_as_people_write_them(text: str, normal: str) -> None:
    assert normal_address(text) == normal
    assert normal_address(normal) == normal


@pytest.mark.parametrize(
    "text",
    [
        "",
        "localhost",
        "https://x:1",
        "x:99999",
        "x:abc",
        "http://u@x:1",
        "ftp://x:1",
        "x:1/path",
        "x:1?q=1",
        "a b:1",
        ":1",
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(ServerError, match="expected HOST:PORT"):
        normal_address(text)


def test_what_is_asked_unless_told_otherwise_stays_on_this_machine() -> None:
    assert set(DEFAULT_ADDRESSES) == {f"127.0.0.1:{port}" for port in (11434, 1234, 8080, 8000, 5001)}
    assert all(map(is_loopback, DEFAULT_ADDRESSES))
    assert [is_loopback(name) for name in ("localhost:1", "[::1]:1", "10.0.0.5:1", "example.org:1")] == [
        *(True, True),
        *(False, False),
    ]
