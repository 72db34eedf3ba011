"""Embedded vocabularies: golden numbers, splintr's traps, and the first N tokens."""

import unicodedata
from collections.abc import Callable

import pytest
import splintr
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from inspector.tokens import embedded
from inspector.tokens.embedded import EMBEDDED_NAMES, SYMBOLS, embedded_tokenizer
from tests.examples import OF_EACH_KIND, cases, examples

FAMILIES = ["o200k_base", "llama2", "llama3", "qwen2.5", "gemma3", "deepseek_v3", "glm4.5", "mistral_v3"]
PIECES = st.sampled_from(
    [
        *(
            "Hello",
            " world",
            "\n\n",
            " ",
            "  ",
            "\t",
            "é",
            "e\u0301",
            "👩\u200d👩\u200d👧",
            "日本語",
            "1234567",
            "नमस्ते",
            "한국어",
        ),
        *(
            "<|im_end|>",
            "[INST]",
            "/nothink",
            "</s>",
            "<think>",
            "|||IP_ADDRESS|||",
            "<b>",
            "don't",
            "\u00a0",
            "ﬁ",
            "Å",
            "ſ",
        ),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=40))


@pytest.mark.parametrize("name", EMBEDDED_NAMES)
def test_golden_number_in_every_family(name: str) -> None:
    tokenizer = embedded_tokenizer(name)
    assert tokenizer.count(["Hello, world! This is a test.", "", "Hello, world! This is a test."]).tolist() == [9, 0, 9]
    assert tokenizer.exact


def test_hello_world_under_gpt_4o() -> None:
    assert embedded_tokenizer("o200k_base").count(["Hello world"]).tolist() == [2]


@pytest.mark.parametrize("name", cases(EMBEDDED_NAMES, OF_EACH_KIND))
def test_every_special_of_a_vocabulary_is_ordinary_in_a_text(name: str) -> None:
    vocabulary = splintr.Tokenizer.from_pretrained(name)
    specials = {text for text in map(_spelled(vocabulary), range(vocabulary.vocab_size + 1000)) if text}
    if name in ("gemma2", "gemma3"):  # of what only `encode` finds there, tags of HTML are no specials
        specials = {*vocabulary.special_tokens(), "<start_of_turn>", "<end_of_turn>"}
    specials = {text for text in specials if vocabulary.encode(text) != vocabulary.encode_ordinary(text)}
    specials = sorted(specials - {*SYMBOLS.get(name, ())})
    assert specials
    expected = [len(vocabulary.encode_ordinary(text)) for text in specials]
    assert embedded_tokenizer(name).count(specials).tolist() == expected


@pytest.mark.parametrize("name", SYMBOLS)
def test_a_symbol_is_one_token_wherever_it_stands(name: str) -> None:
    tokenizer = embedded_tokenizer(name)
    apart = [int(tokenizer.count([before, after]).sum()) for before, after in (("a ", " b"), ("\n", "漢"))]
    for symbol in SYMBOLS[name]:
        assert tokenizer.count([symbol, symbol * 3]).tolist() == [1, 3]
        assert tokenizer.count([f"a {symbol} b", f"\n{symbol}漢"]).tolist() == [count + 1 for count in apart]
        spans = tokenizer.spans(f"a {symbol} b")
        assert (spans.text, len(spans.ids)) == (f"a {symbol} b", apart[0] + 1)


def _spelled(vocabulary: splintr.Tokenizer | splintr.AnyTokenizer) -> Callable[[int], str]:
    def spelled(token: int) -> str:
        try:
            return vocabulary.decode_with_special([token])
        except ValueError:
            return ""

    return spelled


@pytest.mark.parametrize("name", FAMILIES)
@given(texts=st.lists(TEXTS, max_size=5))
@examples(60)
def test_many_at_once_count_like_one_by_one(name: str, texts: list[str]) -> None:
    vocabulary = _VOCABULARIES[name]
    prepared = [unicodedata.normalize("NFC", text) if name.startswith("qwen") else text for text in texts]
    is_gemma = name.startswith("gemma")
    encode = vocabulary.encode if is_gemma else vocabulary.encode_ordinary
    assume(not is_gemma or not any(special in text for text in texts for special in vocabulary.special_tokens()))
    assume(not any(symbol in text for text in texts for symbol in SYMBOLS.get(name, ())))
    assert embedded_tokenizer(name).count(texts).tolist() == [len(encode(text)) for text in prepared]


_VOCABULARIES = {name: splintr.Tokenizer.from_pretrained(name) for name in FAMILIES}


def test_more_texts_than_one_call_takes() -> None:
    texts = [f"text number {number} <|im_end|>" if number % 7 else "" for number in range(2_500)]
    encode = _VOCABULARIES["o200k_base"].encode_ordinary
    assert embedded_tokenizer("o200k_base").count(texts).tolist() == [len(encode(text)) for text in texts]


def test_qwen_normalizes_and_others_do_not() -> None:
    apart, joined = "cafe\u0301 " * 5, "café " * 5
    qwen = embedded_tokenizer("qwen3").count([apart, joined])
    openai = embedded_tokenizer("o200k_base").count([apart, joined])
    assert qwen[0] == qwen[1]
    assert openai[0] > openai[1]


def test_gemma_finds_its_newline_runs_and_tags() -> None:
    text = "<table>\n\n\n\n<tr>"
    tokenizer = embedded_tokenizer("gemma3")
    assert tokenizer.count([text])[0] == 3
    assert tokenizer.count([text])[0] < len(_VOCABULARIES["gemma3"].encode_ordinary(text))


def test_lone_surrogates_count_as_their_replacement() -> None:
    tokenizer = embedded_tokenizer("o200k_base")
    lone, replaced, pair, joined = tokenizer.count(["a\ud83d b", "a\ufffd b", "\ud83d\ude00", "😀"]).tolist()
    assert lone == replaced
    assert pair == joined


@pytest.mark.parametrize("name", FAMILIES)
@given(text=TEXTS, limit=st.integers(-1, 12))
@examples(100)
def test_first_is_a_prefix_within_the_limit(name: str, text: str, limit: int) -> None:
    tokenizer = embedded_tokenizer(name)
    first = tokenizer.first(text, limit)
    assert text.startswith(first)
    assert tokenizer.count([first])[0] <= max(limit, 0)
    assert limit < tokenizer.count([text])[0] or first == text


def test_first_ends_where_the_token_ends() -> None:
    for name in FAMILIES:
        assert embedded_tokenizer(name).first("Hello, world! This is a test.", 3) == "Hello, world"


def test_first_never_ends_inside_a_code_point() -> None:
    text = "\U0001fac3\U0001fac4"  # each of these is several tokens of bytes
    tokenizer = embedded_tokenizer("o200k_base")
    firsts = [tokenizer.first(text, limit) for limit in range(tokenizer.count([text])[0] + 1)]
    assert set(firsts) == {"", text[:1], text}


def test_first_of_a_text_that_is_normalized_on_the_way() -> None:
    text = "cafe\u0301 " * 10
    tokenizer = embedded_tokenizer("qwen3")
    first = tokenizer.first(text, 5)
    assert text.startswith(first)
    assert 0 < len(first) < len(text)
    assert tokenizer.count([first])[0] <= 5


def test_fingerprints_are_stable_and_differ() -> None:
    fingerprints = [embedded_tokenizer(name).fingerprint for name in EMBEDDED_NAMES]
    assert len(set(fingerprints)) == len(EMBEDDED_NAMES)
    assert all(
        print_.startswith(f"embedded:{name}@") for print_, name in zip(fingerprints, EMBEDDED_NAMES, strict=True)
    )
    assert type(embedded_tokenizer("qwen3"))("qwen3").fingerprint == embedded_tokenizer("qwen3").fingerprint


@pytest.mark.parametrize("name", ["gemma2", "gemma3"])
@given(text=st.lists(st.sampled_from(["\n", " ", " \n", "a", "<b>", "</b>", "▁", "<bos>", "é", "hello"]), max_size=40))
@settings(max_examples=100)
def test_a_long_text_is_cut_at_symbols_and_counts_alike(name: str, text: list[str]) -> None:
    tokenizer, whole = embedded_tokenizer(name), "".join(text)
    with pytest.MonkeyPatch.context() as patch:
        at_once = tokenizer.spans(whole).ids.tolist()
        patch.setattr(embedded, "_LONGEST_AT_ONCE", 0)
        assert tokenizer.spans(whole).ids.tolist() == at_once
        assert tokenizer.count([whole]).tolist() == [len(at_once)]
