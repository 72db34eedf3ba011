"""Local servers against recorded answers of each kind: what they tell, how they count, and answers of no use."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tokens.chat.messages import ChatCall, ChatMessage
from inspector.tokens.servers import server
from inspector.tokens.servers.answers import (
    listed_models,
    llama_cpp_models,
    lm_studio_models,
    ollama_model,
    ollama_names,
    owner,
)
from inspector.tokens.servers.search import (
    can_count_messages,
    count_messages_on_server,
    count_on_server,
    find_servers,
    known_model,
    reads_specials,
    sent_messages,
    title_of,
)
from inspector.tokens.servers.server import Measured, ServedModel, Server, ServerError
from tests.servers import recorded as record

MESSAGES = [{"role": "system", "content": "be kind"}, {"role": "user", "content": "hello there you"}]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    record.only_loopback(monkeypatch)
    monkeypatch.setattr(server, "LIMITS", replace(server.LIMITS, silence_seconds=0.3))


def only(address: str) -> Server:
    (server,) = find_servers([address])
    return server


def found(answers: Mapping[str, Any]) -> Server:
    with record.recorded(answers) as address:
        return only(address)


def test_ollama_tells_loaded_and_longest_contexts() -> None:
    server = found(record.OLLAMA)
    assert (server.kind, server.version, server.counts_tokens) == ("ollama", "0.12.6", False)
    assert server.models == (
        ServedModel("qwen2.5:7b", 8192, 32768, loaded=True),
        ServedModel("llama3.2:latest", 16384, 131072, loaded=False),
        ServedModel("gemma3:4b", None, 131072, loaded=False),
    )
    assert server.problems == ()
    assert title_of(server) == "Ollama"


def test_an_old_ollama_tells_the_loaded_length_by_its_parameters() -> None:
    running = {"models": [{"name": "llama3.2:latest", "expires_at": "…"}]}
    server = found({**record.OLLAMA, "/api/ps": running, "/api/tags": {"models": []}})
    assert server.models == (ServedModel("llama3.2:latest", 16384, 131072, loaded=True),)


def test_an_ollama_with_many_models_asks_for_some_and_says_so() -> None:
    asked: list[str] = []
    tags = {"models": [{"model": f"m{number}"} for number in range(60)]}
    answers = {**record.OLLAMA, "/api/tags": tags, "/api/show": {"model_info": {"x.context_length": 9}}}
    with record.recorded(answers, asked) as address:
        server = only(address)
    assert len(server.models) == 61
    assert asked.count("POST /api/show") == 40
    assert "61 models; 40 were asked for" in server.problems[0]


def test_lm_studio_tells_its_chat_models() -> None:
    server = found(record.LM_STUDIO)
    assert server.kind == "lm_studio"
    assert server.models == (
        ServedModel("qwen2-vl-7b", None, 32768, loaded=False),
        ServedModel("meta-llama-3.1-8b-instruct", 4096, 131072, loaded=True),
    )
    assert [model.window for model in server.models] == [32768, 4096]


def test_lm_studio_answers_wrong_paths_with_200() -> None:
    wrong = {"error": "Unexpected endpoint or method. (GET /props). Returning 200 anyway"}
    paths = ("/api/extra/version", "/props", "/api/version", "/api/v0/models", "/v1/models")
    server = found({**dict.fromkeys(paths, wrong), **record.LM_STUDIO_V1})
    assert server.kind == "lm_studio"
    assert server.models == (
        ServedModel("google/gemma-3-12b", 6000, 131072, loaded=True),
        ServedModel("qwen3-4b", None, 40960, loaded=False),
    )


def test_llama_cpp_is_not_taken_for_ollama() -> None:
    server = found(record.LLAMA_CPP)
    assert (server.kind, server.version, server.counts_tokens) == ("llama_cpp", "b6800-1a2b3c4d", True)
    assert server.models == (ServedModel("../models/Qwen2.5-7B-Instruct-Q4_K_M.gguf", 16384, 32768),)


def test_a_llama_cpp_router_tells_which_models_are_loaded() -> None:
    entries = [
        {"id": "a", "status": {"value": "loaded"}, "meta": {"n_ctx": 4096, "n_ctx_train": 8192}},
        {"id": "b", "status": {"value": "unloaded"}},
    ]
    props = {"default_generation_settings": {"n_ctx": 0, "params": None}}
    server = found({**record.LLAMA_CPP, "/props": props, "/v1/models": {"data": entries}})
    assert server.models == (ServedModel("a", 4096, 8192), ServedModel("b", None, None, loaded=False))
    with pytest.raises(ServerError, match="b is not loaded"):
        next(count_on_server(server, "b", ["text"]))


def test_vllm_tells_its_length() -> None:
    server = found(record.VLLM)
    assert (server.kind, server.version, server.counts_tokens) == ("vllm", "0.11.0", True)
    assert server.models == (ServedModel("Qwen/Qwen2.5-7B-Instruct", 32768),)


def test_koboldcpp_is_not_taken_for_llama_cpp_or_ollama() -> None:
    server = found(record.KOBOLDCPP)
    assert (server.kind, server.version) == ("koboldcpp", "1.98.1")
    assert server.models == (ServedModel("Mistral-7B-Instruct-v0.3.Q5_K_M", 12288),)


def test_llama_cpp_python_does_not_tell_its_length() -> None:
    server = found(record.LLAMA_CPP_PYTHON)
    assert (server.kind, server.version, server.counts_tokens) == ("llama_cpp_python", "0.3.16", True)
    assert server.models == (ServedModel("tiny", None, None),)
    assert "does not tell how long a context" in server.problems[0]


def test_another_server_lists_its_models_and_cannot_count() -> None:
    server = found(record.OTHER)
    assert (server.kind, server.counts_tokens) == ("other", False)
    assert server.models == (ServedModel("mystery"),)
    with pytest.raises(ServerError, match="cannot be asked for counts"):
        next(count_on_server(server, "mystery", ["text"]))


COUNTING = {
    "llama_cpp": record.LLAMA_CPP,
    "vllm": record.VLLM,
    "koboldcpp": record.KOBOLDCPP,
    "llama_cpp_python": record.LLAMA_CPP_PYTHON,
}


@pytest.mark.parametrize("kind", COUNTING)
def test_texts_are_counted_without_what_stands_before_every_text(kind: str) -> None:
    with record.recorded(COUNTING[kind]) as address:
        server = only(address)
        assert server.kind == kind
        model = server.models[0].name
        assert list(count_on_server(server, model, ["one two three", "", "蓝色 \ud83d"])) == [3, 0, 2]
        assert reads_specials(server) == (kind != "llama_cpp")


def test_a_text_is_asked_for_only_when_its_count_is_wanted() -> None:
    asked: list[str] = []
    with record.recorded(record.VLLM, asked) as address:
        server = only(address)
        counts = count_on_server(server, server.models[0].name, ["a", "b", "c"])
        assert next(counts) == 1
        counts.close()
    assert asked.count("POST /tokenize") == 1


def test_whole_prompts_are_counted_where_a_server_makes_them() -> None:
    expected = {"llama_cpp": 7 + 2, "vllm": 5 + 2 * 4 + 3, "koboldcpp": None, "llama_cpp_python": None}
    for kind, answers in COUNTING.items():
        with record.recorded(answers) as address:
            server = only(address)
            assert count_messages_on_server(server, server.models[0].name, MESSAGES) == expected[kind], kind
            assert can_count_messages(server) == (expected[kind] is not None)


def test_calls_are_sent_as_text() -> None:
    call = ChatCall("look", '{"at": "reef"}', "c1")
    said = [ChatMessage("assistant", "", "", (call,)), ChatMessage("tool", "fish", "look", (), "c1")]
    assert sent_messages(said) == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "reef"}'}},
            ],
        },
        {"role": "tool", "content": "fish", "name": "look", "tool_call_id": "c1"},
    ]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"tokens": "many"}, "something else than a list of tokens"),
        ([1, 2], "something else than a list of tokens"),
        (500, "error 500"),
        (401, "asks for a key"),
        (b"<html>Not here</html>", "a web page"),
        (b"\xff\xfe", "no JSON"),
    ],
    ids=str,
)
def test_a_count_that_makes_no_sense_is_said(answer: Any, said: str) -> None:
    with record.recorded({**record.LLAMA_CPP, "/tokenize": answer}) as address:
        server = only(address)
        with pytest.raises(ServerError, match=said) as caught:
            list(count_on_server(server, server.models[0].name, ["text"]))
        assert address in str(caught.value)


@pytest.mark.parametrize("answer", [{"count": -1}, {"count": True}, {"count": 2.5}, {"count": 10**15}, {}, None])
def test_a_count_that_is_no_count_is_said(answer: Any) -> None:
    with record.recorded({**record.VLLM, "/tokenize": answer}) as address:
        server = only(address)
        for ask in (
            lambda: list(count_on_server(server, server.models[0].name, ["text"])),
            lambda: count_messages_on_server(server, server.models[0].name, MESSAGES),
        ):
            with pytest.raises(ServerError, match="something else than a count"):
                ask()


def test_a_model_that_is_not_there_is_said() -> None:
    with pytest.raises(ServerError, match="has no model 'x'"):
        next(count_on_server(Server("vllm", "127.0.0.1:1"), "x", ["text"]))
    with pytest.raises(ServerError, match="no server at"):
        count_messages_on_server(Server("", "127.0.0.1:1"), "x", MESSAGES)


@pytest.mark.parametrize("answer", [500, b"<!doctype html><p>hello", b"{", b"", b"7", [], {"version": 3}], ids=repr)
def test_a_server_of_another_trade_is_not_taken_for_one(answer: Any) -> None:
    paths = ("/api/extra/version", "/api/v0/models", "/api/v1/models", "/props", "/api/version", "/v1/models")
    server = found(dict.fromkeys(paths, answer))
    assert server.kind == ""
    assert "not like any server that is known here" in server.problems[0]


def test_a_server_that_falls_silent_keeps_what_it_told(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def slow(body: Any) -> Any:
        time.sleep(0.6)
        return {}

    with record.recorded({**record.OLLAMA, "/api/show": slow}, asked) as address:
        server = only(address)
    assert server.models[0] == ServedModel("qwen2.5:7b", 8192, None)
    assert len(server.models) == 3
    assert "says nothing to POST /api/show" in server.problems[0]
    assert asked.count("POST /api/show") == 1


def test_names_that_cannot_be_shown_are_made_so() -> None:
    entry = {"id": "a\x1b[31mb\n" + "c" * 900, "max_model_len": 10}
    (model,) = listed_models({"data": [entry]})
    assert model.name.startswith("a[31mbccc")
    assert len(model.name) == 200


def test_nothing_is_asked_until_somebody_wants_to_know() -> None:
    asked: list[str] = []
    with record.recorded(record.VLLM, asked) as address:
        found_later = find_servers([address])
        counted_later = count_on_server(Server("vllm", address, models=(ServedModel("m"),)), "m", ["text"])
        assert asked == []
        assert next(found_later).kind == "vllm"
        assert next(counted_later) == 1


def test_a_servers_names_lead_to_the_model_table() -> None:
    for name in ("gpt-4o", "openai/gpt-4o", "models/gpt-4o.gguf", "C:\\models\\gpt-4o.gguf", "gpt-4o:latest"):
        row = known_model(name)
        assert row is not None, name
        assert row.name == "gpt-4o"
    assert known_model("no-such-model-at-all") is None


def test_the_difference_is_ours_less_theirs() -> None:
    assert Measured("m1", 12, 10).difference == 2


_KEYS = (
    *("data", "models", "id", "name", "model", "state", "type", "meta", "n_ctx", "n_ctx_train", "status", "value"),
    *("loaded_instances", "config", "context_length", "model_info", "parameters", "default_generation_settings"),
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.dictionaries(
            st.sampled_from(_KEYS),
            inside,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=200)
@given(_JSON, _JSON)
def test_no_answer_breaks_a_reader(one: Any, other: Any) -> None:
    models = [*(lm_studio_models(one) or ()), *llama_cpp_models(one, other), *listed_models(one)]
    models += [ollama_model(name, running, other) for name, running in ollama_names(one, other)]
    owner(one)
    for model in models:
        assert isinstance(model.name, str)
        assert model.window is None or model.window > 0
