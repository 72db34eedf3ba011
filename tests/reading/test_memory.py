"""The estimate of what a text will take as values, and the budget that it is taken from."""

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.reading import memory
from inspector.reading.budget import OPENING_BYTES, BeyondBudgetError, Budget, in_words
from inspector.reading.memory import measure_json, table_memory, text_memory, yaml_memory
from inspector.reading.source import FileSource, UnreadableError
from tests.examples import examples

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 10**9) | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(max_size=8), inner, max_size=8),
    max_leaves=60,
)


def lines(message: dict[str, str], count: int) -> bytes:
    return (json.dumps(message, ensure_ascii=False) + "\n").encode() * count


def held(value: Any) -> int:
    """Bytes of a value with all that it holds."""
    size = sys.getsizeof(value)
    if isinstance(value, dict):
        return size + sum(held(key) + held(item) for key, item in value.items())
    return size + sum(map(held, value)) if isinstance(value, list) else size


@pytest.mark.parametrize("plain", [True, False], ids=["small", "large"])
@examples(150)
@given(value=_JSON, is_ascii=st.booleans())
def test_values_never_take_more_than_is_counted(plain: bool, value: Any, is_ascii: bool) -> None:
    data = json.dumps(value, ensure_ascii=is_ascii).encode(errors="replace")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(memory, "_PLAIN_UP_TO", 10**9 if plain else -1)
        patched.setattr(memory, "_BLOCK", 7)
        assert held(json.loads(data)) <= measure_json(data).memory + 200


def test_a_million_messages_fit_into_what_an_opening_takes_by_default() -> None:
    text = (
        "They sailed past the light, and the harbour was far behind them by noon; \u201cgone\u201d, he said \U0001f600"
    )
    data = lines({"role": "assistant", "content": text}, 1_000)
    assert len(data) > 120_000
    assert 1_000 * (len(data) + measure_json(data).memory) < OPENING_BYTES


def test_signs_inside_of_strings_take_nothing() -> None:
    code = lines({"role": "user", "content": '{"a": [1, 2, {"b": "\\\\"}]}, ' * 40}, 100)
    words = lines({"role": "user", "content": "x" * len('{"a": [1, 2, {"b": "\\\\"}]}, ') * 40}, 100)
    assert measure_json(code).memory < 1.5 * measure_json(words).memory


def test_a_line_with_half_a_string_hides_none_of_the_others() -> None:
    good = b'{"role": "user", "content": "hi"}\n' * 3_000
    broken = b'{"role": "us\n' + good
    assert measure_json(broken).memory == pytest.approx(measure_json(good).memory, rel=0.01)


def test_one_wide_character_widens_its_string_only() -> None:
    wide = [len(text.encode()) for text in ("x" * 100_000 + "\U0001f600",)]
    data = json.dumps(["x" * 100_000 + "\U0001f600", "y" * 100_000], ensure_ascii=False).encode()
    text = measure_json(data).memory - len(data)
    assert 5 * wide[0] < text < 5 * wide[0] + 2_000


def test_what_a_small_archive_unpacked_to_is_refused() -> None:
    """370 MB of tiny messages took 11 GB as values."""
    data = b"[" + b",".join([b'{"role":"user","content":"hi"}'] * 10_000) + b"]"
    assert 1_200 * measure_json(data).memory > 4 * OPENING_BYTES


@pytest.mark.parametrize(
    "source",
    [
        FileSource("a", b"[" + b"[]," * 40_000 + b"[]]", Budget(2_000_000)),
        FileSource("a", b'{"a": [' + b"1," * 40_000 + b"1]}", Budget(2_000_000)),
        FileSource("a", b'{"a": 1}\n' * 40_000, Budget(2_000_000)),
        FileSource("a", b"- a\n" * 40_000, Budget(2_000_000)),
        FileSource("a", b"a: [" + b"b," * 40_000 + b"b]", Budget(2_000_000)),
        FileSource("a", "\u00e9 ".encode("utf-16") * 400_000, Budget(2_000_000)),
    ],
    ids=["lists", "numbers", "lines", "YAML in blocks", "YAML in brackets", "text"],
)
def test_nothing_is_decoded_that_takes_more_than_is_left(source: FileSource, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("json.parse", "source.read_lines", "yaml.parse", "text.decode"):
        if name != "text.decode" or source.data.startswith(b"\xff"):
            monkeypatch.delattr(f"inspector.reading.{name}")
    with pytest.raises(UnreadableError, match=r"would take .* of memory; an opening may take 2.0 MB in all"):
        _ = (
            next(source.records([]))
            if source.shape == "json_lines"
            else source.yaml
            if source.shape == "yaml"
            else source.json
        )
    assert source.sample in (None, [], {"a": 1})  # of lines, the first one


def test_what_fails_is_not_taken_again_and_again() -> None:
    source = FileSource("a", b'{"a": 1, oops' + b" " * 1_000, Budget(1_000_000))
    left = []
    for _ in range(3):
        with pytest.raises(UnreadableError, match="not valid JSON"):
            _ = source.json
        left.append(source.budget.left)
    assert left == [1_000_000] * 3


def test_a_file_gives_back_what_it_took() -> None:
    source = FileSource("a", b'[{"a": 1}]', Budget(1_000_000))
    assert source.sample == source.json[0] == {"a": 1}
    assert source.budget.left < 1_000_000
    source.give_back()
    assert source.budget.left == 1_000_000


def test_yaml_and_tables_take_more_than_their_text() -> None:
    assert yaml_memory("- a\n" * 1_000) > 250 * 1_000
    assert table_memory("a,b\n" * 1_000) > 400 * 1_000
    assert (text_memory(b"abc"), text_memory("\u00e9".encode())) == (3, 8)


def test_a_budget_says_what_is_left() -> None:
    budget = Budget(2_000_000_000)
    budget.take(1_500_000_000, "a.json", "its values would take about")
    with pytest.raises(BeyondBudgetError) as caught:
        budget.take(11_100_000_000, "b.json", "its values would take about")
    assert str(caught.value) == (
        "b.json: its values would take about 11.1 GB of memory; an opening may take 2.0 GB in all, of which 500.0 MB "
        "are left (opening_bytes in settings.yaml allows more)"
    )
    with budget.lent(500_000_000, "c", "it would take"):
        assert budget.left == 0
    assert budget.left == 500_000_000


def test_bytes_in_words() -> None:
    assert [in_words(size) for size in (0, 999, 1_000, 2_340_000, 11_100_000_000)] == [
        "0 bytes",
        "999 bytes",
        "1.0 kB",
        "2.3 MB",
        "11.1 GB",
    ]


@examples(100)
@given(value=_JSON, is_ascii=st.booleans(), ends=st.sampled_from([b"", b'"open', b'\n"ab\n', b"\\", b'"\\']))
def test_long_strings_are_measured_as_short_ones_are(value: Any, is_ascii: bool, ends: bytes) -> None:
    """What lies inside of a string as a whole is only counted, which finds what looking for all signs does."""
    data = json.dumps(value, ensure_ascii=is_ascii).encode(errors="replace") + ends
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(memory, "_PLAIN_UP_TO", 0)
        for size in (1, 3, 16):
            patched.setattr(memory, "_BLOCK", size)
            found = measure_json(data)
            with patched.context() as looking:
                looking.setattr(memory, "_NOT_INSIDE", range(256))
                assert measure_json(data) == found
