"""Claude's reconstructed vocabularies: counts recorded from ctok 1.3.0, and ctok itself where it is installed."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st

from inspector.resources import resource
from inspector.tokens.chat.format import count_segments, shipped_format
from inspector.tokens.chat.messages import ChatMessage
from inspector.tokens.choice import choose_tokenizer
from inspector.tokens.models.lines import line_of
from inspector.tokens.models.loading import load_models
from inspector.tokens.reconstructed import pieces, tokenizer
from inspector.tokens.reconstructed.marking import BEGIN, CAPITALS, END, TITLE
from inspector.tokens.reconstructed.pieces import Tiling, shipped_pieces
from inspector.tokens.reconstructed.tokenizer import RECONSTRUCTED_NAMES, reconstructed_tokenizer
from inspector.tokens.tokenizer import TokenizerUnavailableError
from tests.tokens.record_claude_pieces import FILES, shipped

# text: the tokens ctok 1.3.0 counts for versions 3.0, 4.7 and 4.8, without the frame of the message
RECORDED = {
    "Hello, world! This is a test.": (9, 11, 11),
    "NASA likes tokenizers": (4, 10, 10),
    "don't WON'T I'll he'd 'First x'S": (17, 18, 18),
    "The quick brown fox, 1234567890 times (twice?)": (15, 20, 20),
    "def f(x):\n        return {'a': x ** 2}  # ok\n": (19, 22, 22),
    "Grüße aus Köln, señor Ñandú ÉCOLE École": (19, 25, 25),
    "Привет, как дела? ПРИВЕТ": (11, 17, 17),
    "港は静かで、船は真夜中に来る潮を待っています。": (23, 23, 22),
    "今天我们去台北，吃小笼包。": (16, 16, 15),
    "안녕하세요, 반갑습니다": (15, 15, 14),
    "नमस्ते दुनिया १२३": (14, 14, 14),
    "مرحبا يا صديقي ٣٤": (16, 16, 16),
    "สวัสดีชาวโลก กํา": (15, 15, 15),
    "👩\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈 ❤️ ok": (32, 33, 32),
    "½ ② x² 12,5 %": (13, 13, 12),
    " one space": (2, 2, 3),
    "  two spaces": (3, 5, 5),
    "\ttab\n\nlines\n\n\n": (5, 7, 6),
    "a\xa0b\u2003c\x00d": (4, 4, 4),
    "“quoted” ‘so’ — yes…": (10, 15, 15),
    "\x01\x02control\x7f": (1, 1, 1),
    '<p class="x">a &amp; b</p>': (14, 15, 15),
    "e\u0301 \u0301x \u0130stanbul \u1e9ea \u24d0's": (18, 20, 20),
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ": (29, 42, 42),
    " ": (1, 1, 1),
    "\n": (1, 1, 0),
    "\ufdd0 \ud800 \ue000x": (7, 7, 6),
    "=" * 100 + "\n" + "-" * 300: (11, 59, 58),
}
VERSIONS = {"claude-v3": ("3.0", 7), "claude-v4.7": ("4.7", 11), "claude-v4.8": ("4.8", 6)}
"""The version ctok is asked for, and the tokens it adds for the frame of a message."""

# Letters of Unicode 16, which ctok takes for unassigned beside an apostrophe on a Python with older tables.
NEW_LETTERS = re.compile("[\u1c89\u1c8a\ua7cb]")
PARTS = [
    *" \n\t'\"a!=(;_510", *"BcÉक२²½①日本の々ー、。？（）한ᛮⅧⓐßΣςǅمא", *"ก“’„—•İẞϴ٣۴ܐ𝟙😀👨",
    *"\u0301\u0902\u093f\u094d\ufe0f\u200d\u200b\u00ad\u3000\u00a0\x00\x01\ue000\ufdd0\ufdd3\uffff\ud800",
    *"\u0711\u0730\u0483\u0e4d\u0e32\u05b0\U0001f1e9", "e\u0301", "s", "t", "ll", "re", "'s", "''", "'S",
    "Abc", "ABCD", "the", " the", " of", "  ", "\n\n", "1234",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PARTS), max_size=14).map("".join) | st.text(max_size=20)


def ctok() -> Any:
    return pytest.importorskip("ctok")


def counts(family: str, *texts: str) -> list[int]:
    return reconstructed_tokenizer(family).count(texts).tolist()


@pytest.mark.parametrize(("place", "family"), list(enumerate(VERSIONS)))
def test_recorded_counts(place: int, family: str) -> None:
    assert dict(zip(RECORDED, counts(family, *RECORDED), strict=True)) == {
        text: tokens[place] for text, tokens in RECORDED.items()
    }


def test_a_later_claude_counts_like_the_last_that_is_known() -> None:
    later, known = reconstructed_tokenizer("claude-later"), reconstructed_tokenizer("claude-v4.8")
    assert later.count([*RECORDED]).tolist() == known.count([*RECORDED]).tolist()
    assert later.spread.words == "the vocabulary of Opus 4.8 assumed; reconstructed, ± 1 %"


@pytest.mark.parametrize(
    ("model", "family", "chat_format"),
    [
        *((name, "claude-v3", "claude_v3") for name in ("claude-2.1", "claude-3-opus", "claude-3-5-haiku-20241022")),
        *((name, "claude-v3", "claude_v3") for name in ("claude-sonnet-4-20250514", "claude-4.5-sonnet")),
        *((name, "claude-v3", "claude_v3") for name in ("claude-opus-4-6", "claude-haiku-4-5", "claude-instant-1.2")),
        *((name, "claude-v4.7", "claude_v4.7") for name in ("claude-opus-4-7", "anthropic/claude-opus-4.7")),
        *((name, "claude-v4.8", "claude_v4.8") for name in ("claude-opus-4-8", "claude-sonnet-5", "claude-fable-5")),
        *((name, "claude-later", "claude_v4.8") for name in ("claude-opus-5-5", "claude-fable-5.1", "claude-9")),
    ],
)
def test_the_family_of_a_model(model: str, family: str, chat_format: str) -> None:
    line = line_of(model)
    assert line is not None
    assert (line.tokenizer, line.chat_format) == (f"reconstructed:{family}", chat_format)


@pytest.mark.parametrize(("family", "frame"), [("v3", 7), ("v4.7", 11), ("v4.8", 6)])
def test_the_frame_of_one_message(family: str, frame: int) -> None:
    one, written = reconstructed_tokenizer(f"claude-{family}"), shipped_format(f"claude_{family}")
    rendered = written.render([ChatMessage("user", "Hello, Claude")])
    assert count_segments(one, rendered.segments) == frame + one.count(["Hello, Claude"])[0]
    assert not written.published


def test_the_example_of_anthropic() -> None:
    """Its page on token counting: 14 for this system prompt and message."""
    chat = [ChatMessage("system", "You are a scientist"), ChatMessage("user", "Hello, Claude")]
    rendered = shipped_format("claude_v3").render(chat)
    assert count_segments(reconstructed_tokenizer("claude-v3"), rendered.segments) == 14


@given(text=TEXTS)
@examples(500)
def test_as_ctok_counts(text: str) -> None:
    assume(text and not NEW_LETTERS.search(text))
    for family, (version, frame) in VERSIONS.items():
        assert counts(family, text) == [ctok().token_count(text, version) - frame], family


def test_real_texts_as_ctok_counts_them(data_folder: Path) -> None:
    found = sorted(data_folder.glob("*/*.json"))[:40]
    texts = [one for path in found for one in path.read_text("utf-8", "replace")[:20_000].split("\n\n") if one]
    for family, (version, frame) in VERSIONS.items():
        assert counts(family, *texts) == [ctok().token_count(text, version) - frame for text in texts]


def test_the_shipped_pieces_are_those_of_ctok() -> None:
    folder = Path(str(ctok().__file__)).parent
    for name, file in FILES.items():
        document = json.loads((folder / "data" / file).read_text("utf-8"))
        assert resource(f"reconstructed/{name}.json.gz").read_bytes() == shipped(document)


def test_the_licence_is_beside_the_pieces() -> None:
    written = resource("reconstructed/LICENSE").read_text("utf-8")
    assert "ctok" in written
    assert "Permission is hereby granted, free of charge" in written


@pytest.mark.parametrize("name", ["claude_v3", "claude_v4.7"])
def test_no_piece_reaches_across_a_word(name: str) -> None:
    """The tiling counts segments by themselves, each to the end of a word or up to the next."""
    whole = re.compile(f"[{TITLE}{CAPITALS}]*{BEGIN}?[^{BEGIN}{END}{TITLE}{CAPITALS}]*{END}?")
    assert [piece for piece in shipped_pieces(name).pieces if not whole.fullmatch(piece)] == []


@given(texts=st.lists(TEXTS, max_size=6))
@examples(100)
def test_a_text_counts_alone_as_among_others(texts: list[str]) -> None:
    for family in RECONSTRUCTED_NAMES:
        found = reconstructed_tokenizer(family).count(texts)
        assert found.dtype == np.int32
        assert found.tolist() == [counts(family, text)[0] for text in texts]


@pytest.mark.parametrize("family", RECONSTRUCTED_NAMES)
def test_a_long_text_is_counted_in_pieces(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The harbour is quiet, 12 ships wait.\n\nIt's late and nobody speaks " * 60
    whole = counts(family, text)
    monkeypatch.setattr(tokenizer, "_PIECE", 50)
    monkeypatch.setattr(tokenizer, "_AT_ONCE", 200)
    assert counts(family, text) == whole


@pytest.mark.parametrize("character", ["=", "\n", " ", "日", "¤"])
def test_a_long_run_is_counted_by_its_longest_pieces(character: str) -> None:
    for name in ("claude_v3", "claude_v4.7"):
        tiling = Tiling(shipped_pieces(name))
        for length in (1, 5, 300, 4_000, 17_001):
            run = character * length
            assert tiling._of_long_run(run) == tiling._fewest(run)


def test_what_is_remembered_stays_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer, "_MOST_CHARACTERS", 200)
    monkeypatch.setattr(tokenizer, "_MOST_GAPS", 5)
    monkeypatch.setattr(pieces, "MOST_KEPT", 20)
    own = tokenizer.ReconstructedTokenizer("claude-v3")
    texts = [f"word{number}{' ' * (number % 9)}and Other\u00e9{number}" for number in range(300)]
    assert [int(own.count([text])[0]) for text in texts] == counts("claude-v3", *texts)
    assert len(own._chunks._places) < 50
    assert len(own._chunks._tiling) <= 21


@given(text=TEXTS, limit=st.integers(-1, 30))
@examples(100)
def test_the_first_tokens(text: str, limit: int) -> None:
    one = reconstructed_tokenizer("claude-v4.8")
    first = one.first(text, limit)
    assert text.startswith(first)
    assert not first or one.count([first])[0] <= limit
    if one.count([text])[0] <= limit:
        assert first == text


def test_its_error_is_said_and_holds_the_api_of_the_japanese_chat(data_folder: Path) -> None:
    path = data_folder.parent / "trials" / "today" / "japanese.json"
    if not path.is_file():
        pytest.skip("the small inputs are not here")
    text = json.loads(path.read_text("utf-8"))["messages"][0]["content"]
    for family, (_, frame) in VERSIONS.items():
        one = reconstructed_tokenizer(family)
        assert (one.exact, one.spread.words) == (False, "reconstructed, ± 1 %")
        low, high = one.spread.bounds([text], one.count([text]))
        assert low[0] + frame <= 672
        assert high[0] + frame >= 666


def test_without_its_pieces_the_factors_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Path:
        return Path("/no/such/folder") / name

    shipped_pieces.cache_clear()
    reconstructed_tokenizer.cache_clear()
    monkeypatch.setattr(pieces, "resource", missing)
    try:
        with pytest.raises(TokenizerUnavailableError, match="the pieces of claude_v3 cannot be read"):
            reconstructed_tokenizer("claude-v3")
        choice = choose_tokenizer("auto", load_models().find("claude-sonnet-4-5").row)
        assert choice.tokenizer.name == "standin:claude-v3"
        assert "cannot be read" in choice.reason
    finally:
        shipped_pieces.cache_clear()
        reconstructed_tokenizer.cache_clear()


def test_importing_it_reads_no_vocabulary() -> None:
    module = import_module("inspector.tokens.reconstructed.tokenizer")
    assert module.RECONSTRUCTED_NAMES == ("claude-v3", "claude-v4.7", "claude-v4.8", "claude-later")
