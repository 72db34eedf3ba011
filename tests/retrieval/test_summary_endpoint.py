"""The endpoint for summaries: what is sent where, and one clear sentence for everything that can go wrong."""

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from inspector.formats import UnreadableError
from inspector.net import Limits
from inspector.retrieval.summaries.endpoint import KEY_VARIABLE, LIMITS, MOST_CODE_POINTS, Endpoint, stored_key
from inspector.retrieval.summaries.settings import EndpointSettings, read_endpoint
from inspector.retrieval.summaries.summarizer import WHOLE, Original, SummaryError
from inspector.tokens.choice import load_tokenizer
from tests.servers import recorded as record

WORDS = load_tokenizer("estimate:words")
LONG = "Anna Berg sails to Lisbon on 5 March with 12 friends and a cat."


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only this machine can be reached here."""
    record.only_loopback(monkeypatch)
    monkeypatch.delenv(KEY_VARIABLE, raising=False)


class Recorded:
    """What a server was asked: paths, headers and bodies."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[Any] = []


@contextmanager
def server(answer: Callable[[BaseHTTPRequestHandler], None], asked: Recorded | None = None) -> Iterator[str]:
    """A server that answers every POST so; its base address."""
    seen = asked or Recorded()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.paths.append(self.path)
            seen.headers.append({name.lower(): value for name, value in self.headers.items()})
            seen.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            with suppress(ConnectionError):
                answer(self)

        def do_GET(self) -> None:
            seen.paths.append(self.path)
            answer(self)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the tests say what was asked."""

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_address[1]}/v1"
    finally:
        running.shutdown()
        running.server_close()
        thread.join()


def body(content: bytes, status: int = 200) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def said(text: Any) -> Callable[[BaseHTTPRequestHandler], None]:
    return body(json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode())


def endpoint(url: str, limit: int = 5, silence: float = 2.0, whole: float = 5.0) -> Endpoint:
    return Endpoint(EndpointSettings(url, "tiny"), WORDS, limit, Limits(silence, whole, LIMITS.max_bytes))


def trouble(url: str, **limits: float) -> str:
    with pytest.raises(SummaryError) as caught:
        endpoint(url, **limits).summarize([Original(LONG)])  # type: ignore[arg-type]
    return str(caught.value)


def test_a_right_answer_and_what_was_asked_for_it() -> None:
    asked = Recorded()
    with server(said(" Anna sails.\n"), asked) as url:
        assert endpoint(url, 8).summarize([Original(LONG), Original("two words")]) == ["Anna sails.", WHOLE]
    assert asked.paths == ["/v1/chat/completions"]
    assert "authorization" not in asked.headers[0]
    (question,) = asked.bodies
    assert set(question) == {"model", "messages"}
    assert question["model"] == "tiny"
    system, user = question["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "at most 6 words" in system["content"]
    assert LONG in user["content"]


def test_an_address_without_a_path_means_v1() -> None:
    asked = Recorded()
    with server(said("ok then"), asked) as url:
        for base in (url.removesuffix("/v1"), url + "/", url):
            endpoint(base).summarize([Original(LONG)])
    assert asked.paths == ["/v1/chat/completions"] * 3


def test_thoughts_are_no_summary() -> None:
    with server(said("<think>Hm, Anna…\n</think>\nAnna sails.")) as url:
        assert endpoint(url).summarize([Original(LONG)]) == ["Anna sails."]


def test_a_very_long_text_is_not_sent_whole_and_odd_ones_are() -> None:
    asked = Recorded()
    with server(said("short"), asked) as url:
        endpoint(url).summarize(
            [Original("w " * MOST_CODE_POINTS), Original("half a pair \ud800 of a smile, and more")]
        )
    assert len(asked.bodies[0]["messages"][1]["content"]) < MOST_CODE_POINTS + 100
    assert "half a pair" in asked.bodies[1]["messages"][1]["content"]


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, " secret ")
    asked = Recorded()
    with server(said("short"), asked) as url:
        endpoint(url).summarize([Original(LONG)])
    assert asked.headers[0]["authorization"] == "Bearer secret"


def test_the_key_comes_from_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring, errors = ModuleType("keyring"), ModuleType("keyring.errors")
    keyring.__spec__ = sys.__spec__  # type: ignore[assignment]
    errors.KeyringError = type("KeyringError", (Exception,), {})  # type: ignore[attr-defined]
    keyring.get_password = lambda service, user: {("prompt-inspector", "summaries"): "kept"}.get((service, user))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", keyring)
    monkeypatch.setitem(sys.modules, "keyring.errors", errors)
    assert stored_key() == "kept"
    monkeypatch.setenv(KEY_VARIABLE, "given")
    assert stored_key() == "given"

    def locked(service: str, user: str) -> str:
        raise errors.KeyringError("it is locked")

    monkeypatch.delenv(KEY_VARIABLE)
    keyring.get_password = locked  # type: ignore[attr-defined]
    with pytest.raises(SummaryError, match="it is locked"):
        stored_key()


def test_a_key_is_sent_nowhere_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "secret")
    assert "use https" in trouble("http://summaries.example/v1")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (body(b"{}", 401), f"refuses the key for summaries (error 401): set {KEY_VARIABLE}"),
        (body(b"{}", 403), "refuses the key"),
        (body(b"oops", 500), "answered the question for a summary with error 500."),
        (body(b"slow down", 429), "takes no more questions for now"),
        (body(b"\x00\xff not JSON"), "something that is not a chat completion"),
        (body(b"[1, 2]"), "something that is not a chat completion"),
        (body(b'{"choices": []}'), "something that is not a chat completion"),
        (body(b"[" * 100_000), "something that is not a chat completion"),
        (said(None), "answered without a text"),
        (said("  "), "an empty summary"),
        (said("<think>only thoughts</think>"), "an empty summary"),
        (body(b" " * (LIMITS.max_bytes + 10)), "more than 1 MB"),
    ],
)
def test_every_wrong_answer_is_said_in_a_sentence(answer: Any, words: str) -> None:
    with server(answer) as url:
        said_of_it = trouble(url)
    assert words in said_of_it
    assert url.split("/")[2] in said_of_it
    assert said_of_it.endswith(".")


@pytest.mark.parametrize("status", [301, 302, 307])
def test_nobody_is_sent_elsewhere_with_the_key(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "secret")
    elsewhere = Recorded()

    with server(said("stolen"), elsewhere) as target:

        def away(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            handler.send_header("Location", f"{target}/chat/completions")
            handler.send_header("Content-Length", "0")
            handler.end_headers()

        with server(away) as url:
            assert f"elsewhere (answer {status}), which is not followed" in trouble(url)
    assert elsewhere.paths == []


def test_silence_garbage_and_nobody_at_all() -> None:
    with record.misbehaving(record.silent) as address:
        assert "says nothing to the request for a summary for 0.2 s" in trouble(f"http://{address}/v1", silence=0.2)
    with record.misbehaving(record.garbage) as address:
        assert "something that is no HTTP" in trouble(f"http://{address}/v1")
    with record.misbehaving(record.hanging_up) as address:
        assert "broke off its answer" in trouble(f"http://{address}/v1")
    assert "nothing listens there" in trouble(f"http://{address}/v1")


@pytest.mark.parametrize("misbehaviour", [record.trickling, record.trickling_body])
def test_an_answer_that_trickles_ends_too(misbehaviour: Any) -> None:
    with record.misbehaving(misbehaviour) as address:
        assert "has not finished its answer to the request for a summary" in trouble(f"http://{address}/v1", whole=0.3)


def test_a_key_that_cannot_be_sent_is_said_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "sec\nret")
    said_of_it = trouble("http://127.0.0.1:1/v1")
    assert "Authorization holds characters that cannot be sent" in said_of_it
    assert "ret" not in said_of_it


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8080",
        "ftp://a/v1",
        "http://",
        "http://a:b/v1",
        "http://u:p@h/v1",
        "http://[::1/v1",
        "http://a/?x=1",
    ],
)
def test_what_is_no_address_is_not_asked(url: str) -> None:
    assert "is not the address of a server" in trouble(url)


def test_a_model_has_to_be_named() -> None:
    with pytest.raises(SummaryError, match="No model is named"):
        Endpoint(EndpointSettings("http://127.0.0.1:1/v1", " "), WORDS, 5).summarize([Original(LONG)])


def test_the_fingerprint_says_everything_that_decides() -> None:
    made = [
        endpoint("http://a/v1"),
        endpoint("http://b/v1"),
        endpoint("http://a/v1", 6),
        Endpoint(EndpointSettings("http://a/v1", "other"), WORDS, 5),
    ]
    assert len({one.fingerprint for one in made}) == len(made)
    assert endpoint("http://a/v1/").fingerprint == made[0].fingerprint


def test_the_settings_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.yaml"
    assert read_endpoint(file) is None
    file.write_text("something: else\n")
    assert read_endpoint(file) is None
    file.write_text("summaries:\n  url: http://127.0.0.1:8080/v1\n  model: 7\n")
    assert read_endpoint(file) == EndpointSettings("http://127.0.0.1:8080/v1", "7")
    file.write_text("summaries:\n  url: http://127.0.0.1:8080/v1\n")
    with pytest.raises(UnreadableError) as caught:
        read_endpoint(file)
    assert str(file) in str(caught.value)
    assert "$.summaries.model" in str(caught.value)
