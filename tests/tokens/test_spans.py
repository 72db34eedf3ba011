"""Where each token ends: every adapter, against its own counts and the text that its tokens spell."""

import json
import unicodedata
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

from inspector.tokens.embedded import EMBEDDED_NAMES, embedded_tokenizer
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.huggingface import huggingface_tokenizer
from inspector.tokens.openai import openai_tokenizer
from inspector.tokens.tokenizer import Tokenizer, TokenSpans, spans_of_bytes, spans_of_ranges
from tests.examples import OF_EACH_KIND, cases, examples

SENTENCE_PIECE = ("llama2", "codellama", "gemma", "mistral_v1", "mistral_v2")
PIECES = st.sampled_from(
    [
        *(
            "Hello",
            " world",
            "\n\n",
            " ",
            "   ",
            "\t",
            "\r\n",
            "é",
            "e\u0301",
            "👩\u200d👩\u200d👧",
            "日本語",
            "1234567",
        ),
        *(
            "<|im_end|>",
            "[INST]",
            "</s>",
            "<b>",
            "<table>",
            "don't",
            "\u00a0",
            "ﬁ",
            "ſ",
            "\x00",
            "\ud83d",
            "▁",
            "\ufffd",
        ),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=40))


def _check(tokenizer: Tokenizer, text: str, read_as: str) -> TokenSpans:
    spans = tokenizer.spans(text)
    assert spans is not None
    assert spans.text == read_as
    assert len(spans.ids) == len(spans.ends) == tokenizer.count([text])[0]
    assert (np.diff(spans.ends) >= 0).all()
    assert spans.ends[-1:].tolist() == ([len(read_as)] if text else [])
    assert (spans.ids.dtype, spans.ends.dtype) == (np.int32, np.int64)
    return spans


def _clean(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@pytest.mark.parametrize("name", cases(EMBEDDED_NAMES, OF_EACH_KIND))
@given(text=TEXTS)
@examples(60)
def test_embedded(name: str, text: str) -> None:
    read_as = unicodedata.normalize("NFC", _clean(text)) if name.startswith("qwen") else _clean(text)
    if name.startswith(SENTENCE_PIECE):
        read_as = read_as.replace("▁", " ")
    _check(embedded_tokenizer(name), text, read_as)


@given(text=TEXTS)
@settings(max_examples=100)
def test_openai_spells_the_text_token_by_token(text: str) -> None:
    tokenizer = openai_tokenizer("o200k_base")
    spans = _check(tokenizer, text, _clean(text))
    same = embedded_tokenizer("o200k_base").spans(text)
    assert (spans.ids == same.ids).all()
    assert (spans.ends == same.ends).all()


@pytest.mark.parametrize("name", ["llama2", "mistral_v1", "mistral_v2"])
def test_the_space_before_a_text_is_not_in_it(name: str) -> None:
    spans = embedded_tokenizer(name).spans("\nHello")
    assert spans.text == "\nHello"
    assert spans.ends.tolist() == [0, 1, 6]
    assert embedded_tokenizer(name).spans("Hello world").ends.tolist() == [5, 11]


@pytest.mark.parametrize("name", ["gemma2", "gemma3"])
@given(text=st.lists(st.one_of(PIECES, st.sampled_from(["</code>", "<h1>", "\n" * 40])), max_size=8).map("".join))
@settings(max_examples=100)
def test_typed_specials_leave_the_rest_of_a_text_for_gemma_as_it_is(name: str, text: str) -> None:
    tokenizer = embedded_tokenizer(name)
    marked = tokenizer.spans(text + "\n<start_of_turn>\n")
    alone = tokenizer.spans(text + "\n").ids.tolist()
    assert len(tokenizer.spans("<start_of_turn>").ids) > 1
    assert marked.ids.tolist()[: len(alone) - 1] == alone[:-1]


def test_a_token_inside_a_code_point_ends_where_the_one_before_it_does() -> None:
    spans = embedded_tokenizer("cl100k_base").spans("a\U0001fac3b")
    assert len(spans.ids) > 3
    assert spans.ends.tolist() == [1] * (len(spans.ids) - 2) + [2, 3]


@pytest.mark.parametrize("name", list(ESTIMATORS))
def test_an_estimate_has_no_tokens(name: str) -> None:
    assert ESTIMATORS[name].spans("Hello") is None


@given(text=st.text(max_size=30), cuts=st.lists(st.integers(0, 100), max_size=12))
def test_pieces_of_bytes_against_counting_by_hand(text: str, cuts: list[int]) -> None:
    spelled = text.encode()
    places = [0, *sorted(cut % (len(spelled) + 1) for cut in cuts), len(spelled)]
    pieces = [b" "] + [spelled[start:end] for start, end in pairwise(places)]
    spans = spans_of_bytes(range(len(pieces)), pieces.__getitem__, dummy_bytes=1)
    assert spans.text == text
    complete = [len(spelled[:end].decode(errors="ignore")) for end in places]
    assert spans.ends.tolist() == complete


def test_ranges_of_shared_code_points_and_of_what_is_left_out() -> None:
    spans = spans_of_ranges("é x ", [5, 6, 7], [(0, 1), (0, 1), (2, 3)])
    assert spans.ends.tolist() == [0, 1, 4]
    assert spans_of_ranges("  ", [], []).ends.tolist() == []


def _folder(place: Path, metaspace: bool) -> Path:
    tokenizer = tokenizers.Tokenizer(models.BPE(byte_fallback=metaspace, unk_token="<unk>" if metaspace else None))
    specials = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))] if metaspace else ["<|im_end|>"]
    if metaspace:
        tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
        tokenizer.decoder = decoders.Metaspace()
    else:
        tokenizer.normalizer = normalizers.NFC()
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    alphabet = [] if metaspace else pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=700, special_tokens=specials, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(["hello world, this is a test.\n\n  The quick brown fox é "] * 5, trainer)
    content = json.loads(tokenizer.to_str())
    content["added_tokens"] = [token for token in content["added_tokens"] if not token["content"].startswith("<0x")]
    place.mkdir()
    (place / "tokenizer.json").write_text(json.dumps(content))
    (place / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    return place


@pytest.mark.parametrize("metaspace", [False, True])
def test_huggingface(tmp_path: Path, metaspace: bool) -> None:
    tokenizer = huggingface_tokenizer(str(_folder(tmp_path / "model", metaspace)))

    @given(text=TEXTS)
    @examples(150)
    def check(text: str) -> None:
        _check(tokenizer, text, _clean(text))

    check()


def test_huggingface_keeps_white_space_in_its_tokens(tmp_path: Path) -> None:
    alphabet = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = tokenizers.Tokenizer(models.BPE(alphabet | {".Ċ": 256}, [(".", "Ċ")]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=True)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    spans = huggingface_tokenizer(str(tmp_path)).spans("a.\n b😀")
    assert spans.ends.tolist() == [1, 3, 4, 5, 5, 5, 5, 6]


def test_a_long_text_in_one_go() -> None:
    text = ("The quick brown fox, 日本語 \n\n def f(x): return 12 😀 " * 5000)[:200_000]
    for name in ("o200k_base", "llama2", "gemma3", "qwen3"):
        assert embedded_tokenizer(name).spans(text).ends[-1] == 200_000
