"""A recorded line: texts as they were sent, and no key of the application."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.recording.exchange import MOST_BYTES, Exchange, Kept
from inspector.recording.keys import keys_of, without_own_keys
from inspector.recording.record import line_of

KEY = "sk-abcdefghij1234567890"


def kept(body: bytes, encoding: str = "") -> Kept:
    found = Kept(encoding)
    found.add(body)
    return found


def exchange(request: bytes = b"{}", response: bytes = b"{}", status: int = 200, **more: Any) -> Exchange:
    return Exchange(
        "chat", "/v1/chat/completions", request=kept(request), response=kept(response), status=status, **more
    )


def line(request: Any, response: Any = None, status: int = 200, mask: bool = False, **more: Any) -> dict[str, Any]:
    made = exchange(json.dumps(request).encode(), json.dumps(response).encode(), status, **more)
    return json.loads(line_of(made, mask))


def test_a_line_has_the_fields_of_the_layout_in_order() -> None:
    made = exchange(b'{"model": "m"}', b'{"usage": {"prompt_tokens": 1}}', content_type="application/json")
    made.answered(b"")
    made.end()
    found = json.loads(line_of(made))
    fields = ["time", "path", "request", "response", "usage", "status", "seconds"]
    assert list(found) == [*fields, "content_type", "first_byte_seconds"]
    assert (found["usage"], found["path"], found["status"]) == ({"prompt_tokens": 1}, "/v1/chat/completions", 200)
    assert found["time"].endswith("+00:00")
    assert 0 <= found["first_byte_seconds"] <= found["seconds"]


values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False, allow_infinity=False) | some.text(),
    lambda held: some.lists(held, max_size=4) | some.dictionaries(some.text(), held, max_size=4),
    max_leaves=20,
)


@given(some.dictionaries(some.text(), values, max_size=5), some.sampled_from([None, 1, "\t"]), some.booleans())
def test_a_document_stands_in_its_line_as_it_was_sent(
    body: dict[str, Any], indent: int | str | None, is_ascii: bool
) -> None:
    sent = json.dumps({"messages": body}, indent=indent, ensure_ascii=is_ascii).encode("utf-8", "surrogatepass")
    written = line_of(exchange(sent.replace(b"\n", b"\r\n")))
    assert written.count(b"\n") == 1
    assert json.loads(written)["request"] == json.loads(sent)


@pytest.mark.parametrize("number", ["1.10", "1e400", "123456789012345678901234567890", "-0.0"])
def test_numbers_keep_their_digits(number: str) -> None:
    assert f'"seed": {number}'.encode() in line_of(exchange(f'{{"seed": {number}}}'.encode()))


@pytest.mark.parametrize(
    "sent", [b"hello", b'{"a": 1', b"\xff\xfe{\x00}\x00", b'{"a": NaN}', b"\xef\xbb\xbf{", b"[" * 200_000]
)
def test_a_body_that_is_no_json_is_kept_as_text_with_a_note(sent: bytes) -> None:
    found = json.loads(line_of(exchange(sent)))
    assert isinstance(found["request"], str)
    assert found["note"] == "the request is no JSON"


def test_what_is_too_large_or_encoded_by_something_unknown_is_said() -> None:
    made = exchange()
    made.request = kept(b"x", "lzma")
    made.response = kept(b"")
    made.response.add(bytes(MOST_BYTES + 1))
    found = json.loads(line_of(made))
    assert (found["request"], found["response"]) == (None, None)
    assert found["note"] == (
        "the request is encoded by lzma, which is not known here; "
        f"the answer has {MOST_BYTES + 1:,} bytes, more than the {MOST_BYTES:,} that are kept"
    )


def test_a_bomb_is_not_unpacked() -> None:
    import zlib

    import brotli

    packed = {"deflate": zlib.compress(bytes(MOST_BYTES + 1)), "br": brotli.compress(bytes(MOST_BYTES + 1), quality=1)}
    for encoding, body in packed.items():
        made = exchange()
        made.response = kept(body, encoding)
        assert "more than the" in json.loads(line_of(made))["note"]


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "raw", "br", "gzip, br"])
def test_encodings_are_undone_also_of_a_part(encoding: str) -> None:
    import gzip
    import zlib

    import brotli

    body = json.dumps({"choices": [{"message": {"content": "ho" * 500}}]}).encode()
    raw = zlib.compressobj(wbits=-15)
    packed = {
        "gzip": gzip.compress(body),
        "deflate": zlib.compress(body),
        "raw": raw.compress(body) + raw.flush(),
        "br": brotli.compress(body),
        "gzip, br": brotli.compress(gzip.compress(body)),
    }[encoding]
    made = exchange()
    made.response = kept(packed, "deflate" if encoding == "raw" else encoding)
    assert json.loads(line_of(made))["response"] == json.loads(body)
    made.response = kept(packed[: len(packed) // 2], "deflate" if encoding == "raw" else encoding)
    assert "the answer" in json.loads(line_of(made)).get("note", "the answer")


HEADERS = {
    "authorization": ("Authorization", f"Bearer {KEY}"),
    "anthropic": ("x-api-key", KEY),
    "azure": ("api-key", KEY),
    "google": ("X-Goog-Api-Key", KEY),
    "cookie": ("Cookie", f"theme=dark; session={KEY}"),
    "own": ("X-Proxy-Auth", KEY),
}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS.keys())
def test_a_key_that_a_server_repeats_is_not_written(header: tuple[str, str]) -> None:
    told = {"error": {"message": f"wrong key {KEY}", KEY: [KEY]}}
    found = line({"user": "x"}, told, 401, keys=keys_of([header], ""))
    assert KEY not in json.dumps(found)
    assert found["response"]["error"]["message"] == f"wrong key {'•' * len(KEY)}"


def test_a_key_in_an_address_is_not_written() -> None:
    made = exchange(keys=keys_of([], f"key={KEY}&alt=sse"))
    made.path = f"/proxy/{KEY}/v1/chat/completions?key={KEY}"
    found = json.loads(line_of(made))
    assert found["path"] == f"/proxy/{'•' * len(KEY)}/v1/chat/completions"


@pytest.mark.parametrize("word", ["ollama", "lm-studio", "null", "1234", "sk-no-key-required", "true"])
def test_the_words_that_stand_for_a_key_stay_words_in_texts(word: str) -> None:
    keys = keys_of([("Authorization", f"Bearer {word}")], "")
    said = {"messages": [{"role": "user", "content": f"say {word}"}], "n": 1234, "x": None, "y": True}
    assert line(said, said, keys=keys)["request"] == said
    assert line(said, said, keys=keys)["response"] == said
    assert line(said, {"error": f"bad {word}", "code": 1234}, 401, keys=keys)["response"]["code"] == 1234


def test_texts_stay_as_they_were_sent_unless_they_are_to_be_masked() -> None:
    said = {"messages": [{"role": "user", "content": f"my key is {KEY}, {{'password': 'hunter22!'}}"}]}
    assert line(said)["request"] == said
    masked = line(said, mask=True)["request"]
    assert KEY not in json.dumps(masked)
    assert len(masked["messages"][0]["content"]) == len(said["messages"][0]["content"])


def test_keys_in_fields_beside_the_texts_are_not_written() -> None:
    body = {
        "api_key": KEY,
        "prompt_cache_key": "stays",
        "api_base": f"https://model/{KEY}",
        "max_tokens": 9,
        "extra_headers": {"X-Anything": KEY},
        "tools": [
            {"type": "mcp", "server_url": f"https://tool/?key={KEY}", "authorization": KEY, "headers": {"A": KEY}},
            {"type": "function", "function": {"name": "f", "parameters": {"properties": {"key": {"type": "string"}}}}},
        ],
        "mcp_servers": [{"type": "url", "url": "https://tool/sse", "authorization_token": KEY}],
        "messages": [{"role": "user", "content": "hi", "name": "key"}],
    }
    bare = without_own_keys(body)
    assert KEY not in json.dumps(bare)
    assert KEY not in line_of(exchange(json.dumps(body).encode())).decode()
    assert (bare["prompt_cache_key"], bare["max_tokens"], bare["messages"]) == ("stays", 9, body["messages"])
    assert bare["tools"][1] == body["tools"][1]
    assert bare["tools"][0]["server_url"].startswith("https://tool/")
    clean = {"tools": body["tools"][1:], "messages": body["messages"]}
    assert without_own_keys(clean) is clean


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (text for pair in value.items() for one in pair for text in strings_in(one))
    elif isinstance(value, list):
        yield from (text for one in value for text in strings_in(one))
    elif isinstance(value, str):
        yield value


@given(values, some.from_regex(r"[A-Za-z0-9\"\\/é-]{15,30}[0-9]", fullmatch=True), some.integers(0, 9))
def test_no_text_anywhere_holds_a_key(value: Any, key: str, place: int) -> None:
    texts = [*strings_in(value), key]
    texts[place % len(texts)] += key
    found = line({"messages": [value, *texts]}, {"said": texts}, keys=(key,))
    assert not [text for text in strings_in(found) if key in text]
