"""Names of models made comparable: spellings of one name are equal, different names are not."""

import json
import re
from itertools import takewhile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.models.loading import load_models
from inspector.tokens.models.makers import MAKERS
from inspector.tokens.models.names import key_of, plain, shorter, spellings, tuned_from
from inspector.tokens.models.table import ModelRow, is_open

_PLACES = (above / "shared/golden/tokens/model_names.jsonl" for above in Path(__file__).parents)
_GOLDEN = next((place for place in _PLACES if place.is_file()), None)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Claude-3.5-Sonnet", "claude-3-5-sonnet"),
        ("qwen2.5:7b", "Qwen-2.5-7B"),
        ("llama-v3p1-8b", "llama-3.1-8b"),
        ("deepseek-v3p1", "DeepSeek_V3.1"),
        ("deepseek-v3.1", "deepseek-3.1"),
        ("llama-v2-7b", "llama-2-7b"),
        ("meta-llama-3-1-8b", "meta-llama-3.1-8b"),
        ("gpt4o", "GPT-4o"),
        ("grok-4-3", "grok-4.3"),
        ("glm-4p7", "glm-4.7"),
        ("phi4", "phi-4"),
        ("internlm2_5-7b", "internlm2.5-7b"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gpt-4", "gpt-4o"),
        ("gpt-4.1", "gpt-41"),
        ("o1", "o1-mini"),
        ("glm-4.5", "glm-4.5v"),
        ("qwen3-8b", "qwen3-80b"),
        ("llama-3-8b", "llama-3.1-8b"),
        ("gemma-3-4b", "gemma-3n-4b"),
        ("gemma-3-27b", "gemma-3.27b"),
        ("gpt-4.1", "gpt-4-1"),
        ("qwen3.5-9b", "qwen3-5-9b"),
        ("nova-pro-v1", "nova-pro-1"),
        ("llama-3-8b", "llama-3.8b"),
    ],
)
def test_names_of_different_models(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)


@pytest.mark.parametrize(
    ("name", "inside"),
    [
        ("models/gemini-2.5-pro", "gemini-2.5-pro"),
        ("accounts/fireworks/models/llama-v3p1-8b-instruct", "llama-v3p1-8b-instruct"),
        ("bedrock/us-gov.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929-v1:0"),
        ("anthropic--claude-4-opus", "claude-4-opus"),
        ("databricks-meta-llama-3-1-70b-instruct", "llama-3-1-70b-instruct"),
        ("Qwen_Qwen3-8B-Q4_K_M.gguf", "qwen3-8b-q4_k_m.gguf"),
        ("C:\\models\\Phi-4.gguf", "phi-4.gguf"),
        ("azure/eu/gpt-4o", "gpt-4o"),
        ("arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("projects/p/locations/us-central1/publishers/google/models/gemini-2.5-pro", "gemini-2.5-pro"),
        ("deepseek.r1-v1:0", "deepseek-r1-v1:0"),
        ("anthropic:claude-sonnet-4-5", "claude-sonnet-4-5"),
        ("@cf/meta/llama-3.1-8b-instruct", "llama-3.1-8b-instruct"),
    ],
)
def test_what_hosts_put_before_a_name(name: str, inside: str) -> None:
    assert inside.replace("_", "-") in [one.text for one in spellings(name)]


def test_makers_and_users_before_a_name_are_kept_apart() -> None:
    (last,) = [one for one in spellings("openrouter/mistral/gpt-5.5") if one.text == "gpt-5.5"]
    assert (last.makers, last.by_user) == ({"Mistral AI"}, False)
    (last,) = [one for one in spellings("hf.co/unsloth/Qwen3-8B-GGUF") if one.text == "qwen3-8b-gguf"]
    assert (last.makers, last.by_user) == (frozenset(), True)


@pytest.mark.parametrize(
    ("name", "endings", "for_open"),
    [
        ("gpt-4o-2024-08-06", ["gpt-4o"], False),
        ("claude-sonnet-4-5-20250929-v1:0", ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"], False),
        ("gemini-2.5-pro-preview-06-05", ["gemini-2.5-pro-preview", "gemini-2.5-pro"], False),
        ("llama-3.1-8b-instruct-q5-k-m.gguf", ["llama-3.1-8b-instruct-q5-k-m"], True),
        ("qwen3-8b-iq3-xs", ["qwen3-8b"], True),
        ("qwen3-8b-awq-int4", ["qwen3-8b-awq", "qwen3-8b"], True),
        ("gpt-4-0613", ["gpt-4"], False),
        ("gpt-4-9999", [], False),
        ("mistral-large-2407", [], False),
        ("gpt-4o", [], False),
        ("qwen3-8b", [], False),
        ("gpt-5.9-luna", [], False),
    ],
)
def test_what_stands_behind_a_name(name: str, endings: list[str], for_open: bool) -> None:
    found = list(shorter(name))
    assert [less.text for less in found][: len(endings)] == endings
    assert bool(found) == bool(endings)
    assert all(less.for_open == for_open for less in found)


def test_a_fine_tune_names_its_model() -> None:
    assert tuned_from("ft:gpt-4o-2024-08-06:acme::abc123") == "gpt-4o-2024-08-06"
    assert tuned_from("ft:") is tuned_from("gpt-4o") is None


def test_the_beginning_of_a_models_own_name_stays() -> None:
    assert load_models().find("mistral-large").how == "exact"
    assert load_models().find("deepseek-r1").how == "exact"


def test_nothing_has_no_parts() -> None:
    assert key_of("") == key_of(" -/: ") == ()


@given(st.text(max_size=40))
def test_any_text_is_taken(text: str) -> None:
    assert key_of(text) == key_of(f"  {text} ")
    assert all(one.text == plain(one.text) for one in spellings(text))


@given(st.lists(st.from_regex(r"[a-z]{2,6}[0-9]{0,2}", fullmatch=True), min_size=1, max_size=5), st.data())
def test_separators_and_case_do_not_matter(words: list[str], data: st.DataObject) -> None:
    separators = data.draw(st.lists(st.sampled_from("-_ :"), min_size=len(words), max_size=len(words)))
    written = "".join(word + separator for word, separator in zip(words, separators, strict=True))
    assert key_of(written.upper()) == key_of("-".join(words))


@pytest.mark.skipif(_GOLDEN is None, reason="the golden names are not here")
def test_the_golden_names() -> None:
    table = load_models()
    cases = [json.loads(line) for line in _GOLDEN.read_text(encoding="utf-8").splitlines()] if _GOLDEN else []
    found = {case["model"]: table.find(case["model"]).row for case in cases}
    names = {model: row and row.name for model, row in found.items()}
    assert names == {case["model"]: case["row"] for case in cases}
    assert len(cases) == 65


ROWS = st.sampled_from(load_models().rows)
OPEN_ROWS = ROWS.filter(is_open)
CLOSED_ROWS = ROWS.filter(lambda row: not is_open(row))
_DATED = re.compile(r"\d\d-20\d\d$")
HOSTS = ("openrouter/", "azure/", "azure/eu/", "bedrock/", "vertex_ai/", "groq/", "ollama/", "models/", "us.", "azure-")
DATES = ("-20310131", "-2031-01-31", "@20310131", "-0613", "-06-05", "-03-2031", "-v1:0", ":free", "-latest")
QUANTISED = (
    *("-q4_k_m", "-IQ3_XS", "-Q8_0", "-awq", "-GPTQ-Int4", "-fp8", "-int4", "-bnb-4bit", "-mlx-4bit", "-GGUF"),
    *("-Q5_K_M.gguf", ".Q4_0.gguf", "@q6_k", "-UD-Q4_K_XL", "-00001-of-00003.gguf"),
)
OTHER_MODELS = ("-5", ".5", "5", ".1", "-luna", "-legal-finetune", "-9b", "-2", "-mini", "-pro", "-100", "-7x", "-v9")


def means(name: str, row: ModelRow) -> bool:
    return load_models().find(name).row is row


@given(ROWS, st.sampled_from(("", *HOSTS)), st.booleans(), st.sampled_from("-_ "))
def test_hosts_case_and_separators_do_not_make_another_model(
    row: ModelRow, host: str, loud: bool, separator: str
) -> None:
    name = row.name.replace("-", separator)
    assert means(host + (name.upper() if loud else name), row)


@given(ROWS, st.data())
def test_the_word_of_its_maker_does_not_either(row: ModelRow, data: st.DataObject) -> None:
    word = data.draw(st.sampled_from(MAKERS.get(row.maker, ("openrouter",))))
    for written in (f"{word}/{row.name}", f"openrouter/{word.upper()}/{row.name}", f"eu.{word}.{row.name}-v1:0"):
        assert means(written, row), written


@given(ROWS.filter(lambda row: not _DATED.search(row.name)), st.sampled_from(DATES))
def test_a_date_behind_a_name_leads_to_the_row_or_to_that_of_the_date(row: ModelRow, date: str) -> None:
    found = load_models().find(row.name + date)
    assert found.row is row or (found.how in ("exact", "alias") and found.row is not None)


@given(OPEN_ROWS, st.sampled_from(("", "someone/", "hf.co/someone/", "C:\\models\\")), st.sampled_from(QUANTISED))
def test_a_quantised_file_of_an_open_model_is_the_model(row: ModelRow, user: str, ending: str) -> None:
    assert means(user + row.name + ending, row)


@given(CLOSED_ROWS, st.sampled_from(QUANTISED), st.sampled_from(("someone/", "my-")))
def test_a_closed_model_is_neither_quantised_nor_uploaded(row: ModelRow, ending: str, user: str) -> None:
    assert not means(row.name + ending, row)
    assert not means(user + row.name, row)


@given(ROWS, st.sampled_from(OTHER_MODELS), st.sampled_from(("", *HOSTS)))
def test_another_number_size_or_word_is_another_model(row: ModelRow, more: str, host: str) -> None:
    assert not means(f"{host}{row.name}{more}", row)


@given(ROWS, st.data())
def test_another_maker_makes_it_unknown(row: ModelRow, data: st.DataObject) -> None:
    maker = data.draw(st.sampled_from([maker for maker in MAKERS if maker not in (row.maker, "Databricks")]))
    word = data.draw(st.sampled_from(MAKERS[maker]))
    assert not means(f"{word}/{row.name}", row)
    assert not means(f"openrouter/{word}/{row.name}", row)
    assert not means(f"{word}.{row.name}", row)


@given(ROWS.filter(lambda row: re.search(r"\d", row.name) is not None), st.integers(2, 9), st.data())
def test_another_digit_is_another_model(row: ModelRow, digit: int, data: st.DataObject) -> None:
    """A digit of the name is doubled: another version, size or date of a row. Only a row of that name may be found."""
    places = [found.start() for found in re.finditer(r"\d", row.name)]
    place = data.draw(st.sampled_from(places))
    name = f"{row.name[:place]}{digit}{row.name[place:]}"
    found = load_models().find(name)
    names = {key_of(known) for known in (found.row.name, *found.row.aliases)} if found.row else set()
    endings = [key_of(less.text) for less in shorter(plain(name))]
    assert found.row is None or names & {key_of(name), *endings}
    assert found.row is not row or any(takewhile(bool, [names & set(endings)])), name


def test_a_name_with_a_word_at_each_step_is_not_taken_apart() -> None:
    """It would be as many names as it has words, each nearly as long."""
    long = "models/gemini-3-pro " * 10_000
    assert [one.text for one in spellings(long)] == [plain(long)]
