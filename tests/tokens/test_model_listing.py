"""Public listings of models: what is read of each, what is left out and why, and files that are none."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from inspector.tokens.models.installed import read_any_listing
from inspector.tokens.models.listed import ListedModel, ListingError
from inspector.tokens.models.listing import read_listing
from inspector.tokens.models.prices import PriceList, Prices, Rates, Tier

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
        "litellm_provider": "openai", "mode": "chat", "max_input_tokens": 272000, "max_output_tokens": 100000,
        "input_cost_per_token": 1.5e-06, "output_cost_per_token": 6e-06, "cache_read_input_token_cost": 1.5e-07,
    },
    "groq/gpt-9-open": {"litellm_provider": "groq", "mode": "responses", "max_input_tokens": 8192},
    "gpt-9-audio-preview": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 8192},
    "deepinfra/maker/Open-9B": {
        "litellm_provider": "deepinfra", "mode": "chat", "max_input_tokens": 8192, "input_cost_per_token": 0,
        "output_cost_per_token": 0,
    },
    "tiered": {
        "litellm_provider": "xai", "mode": "chat", "max_input_tokens": 8192, "input_cost_per_token": 2e-06,
        "output_cost_per_token": 6e-06, "input_cost_per_token_above_200k_tokens": 4e-06,
    },
    "singer": {
        "litellm_provider": "openai", "mode": "chat", "max_input_tokens": 8192,
        "supported_output_modalities": ["audio"],
    },
    "dall-e-9": {"litellm_provider": "openai", "mode": "image_generation"},
    "unlimited": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": "a lot"},
    "more than there are": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 2**63},
    "dear": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 9, "input_cost_per_token": 1e308},
    "hardly any": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 2e-6},
    "true": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": True},
    "ft:gpt-9": {"litellm_provider": "openai", "mode": "chat", "max_input_tokens": 8192},
    "list": [],
}  # fmt: skip

TIERED = Prices(PriceList(Rates(2.0, 6.0), (Tier(200_000, Rates(4.0)),)))


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
        ListedModel("gpt-9", "openai", 400_000, 272_000, 100_000, 1.5, 6.0, 0.15),
        ListedModel("gpt-9-open", "groq", 8192, None, None, None, None, None),
        ListedModel("Open-9B", "deepinfra", 8192, None, None, None, None, None, repository="maker/Open-9B"),
        ListedModel("tiered", "xai", 8192, None, None, 2.0, 6.0, None, TIERED),
        ListedModel("dear", "openai", 9, None, None, None, None, None),
    )
    assert listing.left_out == {
        "no model that answers in text": 3,
        "without a context window": 4,
        "not written as the listing writes a model": 1,
    }


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{}", "expected models.dev's api.json, litellm's"),
        (b"[1]", "expected models.dev's api.json, litellm's"),
        (b'{"a": {"b": 1}}', "expected models.dev's api.json, litellm's"),
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


GENAI = [
    {
        "id": "anthropic",
        "models": [
            {
                "id": "claude-9",
                "context_window": 1000000,
                "prices": [
                    {"prices": {"input_mtok": 10, "output_mtok": 20}},
                    {
                        "constraint": {"start_date": "2026-01-01"},
                        "prices": {"input_mtok": {"base": 5, "tiers": []}, "cache_read_mtok": 0.5, "output_mtok": 25},
                    },
                    {"constraint": {"start_date": "2999-01-01"}, "prices": {"input_mtok": 1, "output_mtok": 1}},
                    {"constraint": {"start_time": "00:30:00Z"}, "prices": {"input_mtok": 2, "output_mtok": 2}},
                ],
            },
            {"id": "without-window", "prices": {"input_mtok": 1, "output_mtok": 2}},
            {"id": "text-embedding-9", "context_window": 8192, "prices": {"input_mtok": 1}},
            [],
        ],
    },
    {"id": "broken"},
]
GENAI_SOURCE = """
import os
os.remove(__file__)
providers: list[Provider] = [
    Provider(id='anthropic', models=[
        ModelInfo(id='claude-9', context_window=1000000, prices=[
            ConditionalPrice(prices=ModelPrice(input_mtok=Decimal('10'), output_mtok=Decimal('20'))),
            ConditionalPrice(
                constraint=StartDateConstraint(start_date=datetime.date(2026, 1, 1)),
                prices=ModelPrice(
                    input_mtok=TieredPrices(base=Decimal('5'), tiers=[]), cache_read_mtok=Decimal('0.5'),
                    output_mtok=Decimal('25'),
                ),
            ),
        ]),
        ModelInfo(id='without-window', prices=ModelPrice(input_mtok=Decimal('1'), output_mtok=Decimal('2'))),
    ]),
]
"""
CLAUDE = ListedModel("claude-9", "anthropic", 1_000_000, None, None, 5.0, 25.0, 0.5, knows_windows=False)
WITHOUT = ListedModel("without-window", "anthropic", None, None, None, 1.0, 2.0, None, knows_windows=False)


def test_genai_prices(tmp_path: Path) -> None:
    listing = read_any_listing(saved(tmp_path / "data.json", GENAI))
    assert (listing.kind, listing.models) == ("genai-prices", (CLAUDE, WITHOUT))
    assert listing.left_out == {
        "no model that answers in text": 1,
        "not written as the listing writes a model": 2,
    }


def test_the_source_of_genai_prices_is_read_and_never_run(tmp_path: Path) -> None:
    path = tmp_path / "data.py"
    path.write_text(GENAI_SOURCE, encoding="utf-8")
    assert read_any_listing(path).models == (CLAUDE, WITHOUT)
    assert path.is_file()


@pytest.mark.parametrize("source", ["", "providers = 5", "def (", "providers: list = 5", "\0"])
def test_python_that_is_no_listing(tmp_path: Path, source: str) -> None:
    path = tmp_path / "data.py"
    path.write_text(source, encoding="utf-8")
    with pytest.raises(ListingError, match=r"data\.py: expected"):
        read_any_listing(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ListingError, match="cannot be read"):
        read_listing(tmp_path / "none.json")


def test_a_packed_file_that_grows_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.tokens.models.listing._MOST_BYTES", 1000)
    with pytest.raises(ListingError, match="at most 1,000 bytes"):
        read_listing(saved(tmp_path / "bomb.gz", " " * 5000, packed=True))
