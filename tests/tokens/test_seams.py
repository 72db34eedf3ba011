"""Long texts are counted in pieces, and the pieces count together what the whole does."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inspector.tokens import embedded
from inspector.tokens.embedded import EMBEDDED_NAMES, embedded_tokenizer, pieces_of
from inspector.tokens.openai import openai_tokenizer
from inspector.tokens.tokenizer import Tokenizer

WORDS = (
    "a",
    "The",
    "don't",
    "it's",
    "'s s",
    "x" * 90,
    "the harbour lights",
    "A b C d",
    "12345 x",
    ". B",
    ",",
    "ß a",
    "ſ s",
)
SPACES = (" ", "  ", " " * 40, "\n", "\n\n", "\r\n", "\t", " \n a", "\u00a0b", "\u3000", "▁▁", "▁a b")
SIGNS = ("日本語", "中文，文本。", "한국어", "नमस्ते", "e\u0301", "\u0301", "é ", "👩‍👩‍👧‍👦", "😀 a", "\ud800")
CODE = ("b\nc", '1\n{"', "}, [2]; (", "a,\n(", "x = 'a' 5\n", ");\nd")
TYPED = ("<|im_end|>", "<think> a", "[INST] b", "<table>")
PARTS = st.sampled_from((*WORDS, *SPACES, *SIGNS, *CODE, *TYPED))
AWKWARD = st.lists(PARTS, max_size=40).map("".join) | st.lists(PARTS, max_size=40).map(" ".join)
WITHOUT_WORDS = [name for name in EMBEDDED_NAMES if name.startswith(("llama2", "codellama", "gemma", "mistral"))]
VOCABULARIES = [embedded_tokenizer(name) for name in EMBEDDED_NAMES]
TOKENIZERS: list[Tokenizer] = [*VOCABULARIES, openai_tokenizer("o200k_base"), openai_tokenizer("cl100k_base")]


@pytest.fixture(scope="module", autouse=True)
def short_pieces() -> Iterator[None]:
    """As many pieces of a short text as there are seams."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded, "LONGEST_WHOLE", 3)
        patch.setattr(embedded, "PIECE_CHARACTERS", 1)
        yield


def whole(tokenizer: Tokenizer, text: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedded, "LONGEST_WHOLE", 10**9)
        return int(tokenizer.count([text])[0])


@settings(max_examples=40)
@given(AWKWARD)
@example("the harbour lights " * 30)
@example("a b" + " " * 300 + "c d")
def test_pieces_count_what_the_whole_does(text: str) -> None:
    for tokenizer in TOKENIZERS:
        assert int(tokenizer.count([text])[0]) == whole(tokenizer, text), tokenizer.name


@given(AWKWARD)
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(pieces_of(text)) == text
    assert " ".join(pieces_of(text, without_space=True)) == text


def test_a_run_without_words_is_one_piece_and_long_texts_are_counted_beside_short_ones() -> None:
    assert list(pieces_of("x" * 50)) == ["x" * 50]
    assert list(pieces_of('ab cd\nef, {"x"')) == ["ab", " cd\n", "ef,", ' {"x"']
    tokenizer = VOCABULARIES[0]
    texts = ["a", "", "the harbour lights " * 9, "b"]
    assert tokenizer.count(texts).tolist() == [whole(tokenizer, text) for text in texts]


@pytest.mark.parametrize("name", WITHOUT_WORDS)
def test_no_token_goes_over_a_seam_where_a_text_is_not_cut_into_words_first(name: str) -> None:
    vocabulary = embedded_tokenizer(name)._vocabulary  # pyright: ignore[reportPrivateUsage]
    spelled = b"\0".join(map(vocabulary.decode_token_bytes, range(vocabulary.vocab_size)))
    spelled = spelled.replace("▁".encode(), b" ")
    assert re.findall(rb"[A-Za-z0-9,;.)\]}] [^\0]*", spelled) == []
    assert re.findall(rb"\n[A-Za-z0-9\"(\[{][^\0]*", spelled) == []
