"""Public listings of models: what is read of each, what is left out and why, and files that are none."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from inspector.tokens.models.listing import ListedModel, ListingError, read_listing

MODELS_DEV: dict[str, Any] = {
    "openai": {
        "name": "OpenAI",
        "models": {
            "gpt-9": {
                "limit": {"context": 500000, "input": 300000, "output": 100000},
                "cost": {"input": 1.5, "output": 6, "cache_read": 0.15},
                "modalities": {"input": ["text"], "output": ["text"]},
            },
            "painter": {"limit": {"context": 8000, "output": 0}, "modalities": {"output": ["image"]}},
            "text-embedding-9": {"limit": {"context": 8000, "output": 1536}, "modalities": {"output": ["text"]}},
            "blank": {"limit": {"context": 0, "output": 0}, "modalities": {"output": ["text"]}},
        },
    },
    "somehost": {
        "models": {
            "openai/gpt-9:free": {
                "limit": {"context": 1000, "output": 4000},
                "cost": {"input": 1, "output": -2, "cache_read": 3},
            },
            "odd": [],
        }
    },
    "broken": {"models": []},
}
LITELLM: dict[str, Any] = {
    "sample_spec": {"max_input_tokens": "max input tokens", "mode": "one of", "litellm_provider": "one of"},
    "gpt-9": {
        "litellm_provider": "openai", "mode": "chat", "max_input_tokens": 300000, "max_output_tokens": 100000,
        "input_cost_per_token": 1.5e-06, "output_cost_per_token": 6e-06, "cache_read_input_token_cost": 1.5e-07,
    },
    "groq/gpt-9-open": {"litellm_provider": "groq", "mode": "responses", "max_input_tokens": 8192},
    "gpt-9-audio-preview": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 8192},
    "dall-e-9": {"litellm_provider": "openai", "mode": "image_generation"},
    "unlimited": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": "a lot"},
    "more than there are": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 2**63},
    "dear": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 9, "input_cost_per_token": 1e308},
    "hardly any": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 2e-6},
    "true": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": True},
    "ft:gpt-9": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 8192},
    "list": [],
}  # fmt: skip


def saved(path: Path, value: object, packed: bool = False) -> Path:
    content = json.dumps(value).encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    return path


@pytest.mark.parametrize("packed", [False, True])
def test_models_dev(tmp_path: Path, packed: bool) -> None:
    listing = read_listing(saved(tmp_path / "anything", MODELS_DEV, packed))
    assert listing.kind == "models.dev"
    assert listing.models == (
        ListedModel("gpt-9", "openai", 500_000, 300_000, 100_000, 1.5, 6.0, 0.15),
        ListedModel("gpt-9", "somehost", 1000, None, None, 1.0, None, None),
    )
    assert listing.left_out == {
        "no model that answers in text": 2,
        "without a context window": 1,
        "not written as the listing writes a model": 2,
    }


def test_a_provider_that_is_nested_as_deep_as_json_may_be_is_no_crash(tmp_path: Path) -> None:
    deep = '{"":' * 1_000 + '"x"' + "}" * 1_000
    path = tmp_path / "prices.json"
    path.write_text(f'{{"m": {{"mode": "chat", "max_input_tokens": 9, "litellm_provider": {deep}}}}}')
    assert [model.name for model in read_listing(path).models] == ["m"]


def test_litellm(tmp_path: Path) -> None:
    listing = read_listing(saved(tmp_path / "prices.json", LITELLM))
    assert listing.kind == "litellm"
    assert listing.models == (
        ListedModel("gpt-9", "openai", None, 300_000, 100_000, 1.5, 6.0, 0.15),
        ListedModel("gpt-9-open", "groq", None, 8192, None, None, None, None),
        ListedModel("dear", "openai", None, 9, None, None, None, None),
    )
    assert listing.left_out == {
        "no model that answers in text": 2,
        "without a context window": 4,
        "not written as the listing writes a model": 1,
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{}", "expected models.dev's api.json or litellm's"),
        (b"[1]", "expected models.dev's api.json or litellm's"),
        (b'{"a": {"b": 1}}', "expected models.dev's api.json or litellm's"),
        (b"", "line 1, column 1: the file is cut off"),
        (b'{"a":\n oops}', "line 2, column 2: is not valid JSON"),
        (gzip.compress(b"{}", mtime=0)[:12], "expected a whole gzip file"),
        (b"\x1f\x8bnonsense", "expected a whole gzip file"),
    ],
)
def test_a_file_that_is_no_listing(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(content)
    with pytest.raises(ListingError) as raised:
        read_listing(path)
    assert str(raised.value).startswith(f"{path}: {said}")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ListingError, match="cannot be read"):
        read_listing(tmp_path / "none.json")


def test_a_packed_file_that_grows_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.tokens.models.listing._MOST_BYTES", 1000)
    with pytest.raises(ListingError, match="at most 1,000 bytes"):
        read_listing(saved(tmp_path / "bomb.gz", " " * 5000, packed=True))
