"""Kinds of content: each rule by an example that a person would sort the same way."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.tokens.content_kinds import READ_CODE_POINTS, ContentKind, content_kind, content_kinds

PROSE, CODE, CJK, EMOJI, JSON, OTHER = ContentKind
CASES = [
    (PROSE, "We sailed past the coral reef at dawn; it was colder than I had thought."),
    (PROSE, "Привет, как дела? Всё хорошо."),
    (PROSE, "مرحبا يا صديقي، كيف حالك؟"),
    (PROSE, "Return to me when you can. If not, for a while I will wait: promise."),
    (PROSE, "- milk\n- eggs\n- bread for two days"),
    (PROSE, "From Monday import taxes rise."),
    (PROSE, "Now is the winter of our discontent made glorious summer by this sun of York;"),
    (PROSE, "Great work, thank you 🎉"),
    (PROSE, 'She calls it "気" and leaves it at that.'),
    (CODE, "def first(texts):\n    return texts[0]\n\nprint(first(['a']))"),
    (CODE, "for (int i = 0; i < 10; ++i) {\n  total += i;\n}"),
    (CODE, "Run this:\n```sh\ncd project\nmake test\n```"),
    (CODE, "SELECT name FROM people WHERE age > 3"),
    (CODE, "<p>One</p>\n<p>Two</p>"),
    (CODE, "import numpy as np\nvalues = np.zeros(3)"),
    (CODE, "print('你好世界，今天天气很好')  "),
    (CJK, "今天我們去台北，吃小籠包。"),
    (CJK, "東京は晴れです。"),
    (CJK, "안녕하세요, 반갑습니다"),
    (CJK, "加減 = まあまあ とは違う？"),
    (EMOJI, "🎉🎉👩🏽‍🎓"),
    (EMOJI, "ok 👍❤️"),
    (JSON, '{"name": "Mara", "seen": [1, 2]}'),
    (JSON, ' [{"a": null}] \n'),
    (JSON, '```json\n{"a": 1}\n```'),
    (JSON, '{"a": 1}\n{"a": 2}\n'),
    (JSON, '{"文": "今天我們去台北"}'),
    (OTHER, ""),
    (OTHER, " \n\t"),
    (OTHER, "1234 5678 90"),
    (OTHER, "-----"),
    (OTHER, "12"),
]


@pytest.mark.parametrize(("kind", "text"), CASES)
def test_examples(kind: ContentKind, text: str) -> None:
    assert content_kind(text) == kind


@pytest.mark.parametrize("text", ['{"a": 1', "{not json}", "[see the note]", '"a word"', "{]", "[" * 100_000])
def test_what_only_looks_like_json_is_none(text: str) -> None:
    assert content_kind(text) != JSON


def test_json_is_read_whole_and_everything_else_by_its_beginning() -> None:
    assert content_kind(json.dumps(["word"] * READ_CODE_POINTS)) == JSON
    assert content_kind("word " * READ_CODE_POINTS + "今天我們去台北" * READ_CODE_POINTS) == PROSE


def test_a_column_of_kinds_has_one_for_each_text() -> None:
    kinds = content_kinds([text for _, text in CASES])
    assert kinds.dtype == np.uint8
    assert kinds.tolist() == [kind for kind, _ in CASES]
    assert content_kinds([]).shape == (0,)


@given(st.text())
def test_every_text_has_a_kind_whatever_white_space_is_around_it(text: str) -> None:
    assert content_kind(f"\n{text}\n") == content_kind(text)


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_objects_and_arrays_are_json_however_they_are_laid_out(value: object) -> None:
    for indent in (None, 2):
        is_json = content_kind(json.dumps(value, indent=indent)) == JSON
        assert is_json == isinstance(value, list | dict)
