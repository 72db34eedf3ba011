"""YAML: 1.2 scalars, no alias bombs, and text that comes back as it was written."""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml as pyyaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from inspector.reading import yaml
from inspector.reading.decode import settled
from inspector.reading.source import FileSource, UnreadableError
from inspector.reading.yaml import MAX_DEPTH, YamlMapping, dump, parse, parse_items
from inspector.reading.yaml_loader import WrittenNumber


def test_scalars_that_yaml_1_1_would_change_stay_text() -> None:
    value = parse("a: no\nb: 1e3\nc: 1.10\nd: 2024-01-02\ne: 12:30:00\nf: 010\ng: on\nh: 1_000", "f")
    assert value == {
        "a": "no",
        "b": "1e3",
        "c": "1.10",
        "d": "2024-01-02",
        "e": "12:30:00",
        "f": "010",
        "g": "on",
        "h": "1_000",
    }


def test_plain_numbers_and_truth_values_are_typed() -> None:
    value = parse("a: 3\nb: 0.3\nc: true\nd: null\ne: -2\nf:\ng: '3'", "f")
    assert value == {"a": 3, "b": 0.3, "c": True, "d": None, "e": -2, "f": None, "g": "3"}
    assert type(value["b"]) is float


def test_numbers_kept_as_text_are_marked() -> None:
    value = parse("a: 0.30\nb: '0.30'", "f")
    assert isinstance(value["a"], WrittenNumber)
    assert type(value["b"]) is str


@pytest.mark.parametrize("number", ["0.30", "1e3", "-.5", "-10000000000000000000", "18446744073709551616"])
def test_what_is_marked_is_written_as_it_was_and_marked_again(number: str) -> None:
    written = dump({"a": parse(number, "f")})
    assert written == f"a: {number}\n"
    assert isinstance(parse(written, "f")["a"], WrittenNumber)


@pytest.mark.parametrize(
    "bomb",
    [
        "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
        + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True)),
        "a: &a [*a]",
        "a: &a\n  b: &b [*a, *b]",
    ],
)
def test_alias_bombs_are_refused(bomb: str) -> None:
    with pytest.raises(UnreadableError, match="its aliases expand to more than"):
        parse(bomb, "f")


def test_ordinary_aliases_are_read() -> None:
    assert parse("a: &a {x: 1}\nb: *a\nc: {<<: *a, y: 2}", "f") == {"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1, "y": 2}}


@pytest.mark.parametrize("text", ["a: [1", "a: !!python/object:os.system x", "[" * 5_000, "a: b: c", "{a: 1, [b]: 2}"])
def test_bad_yaml_is_one_clear_problem(text: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        parse(text, "f.yaml")
    assert caught.value.problem.file == "f.yaml"


_ODD = ("no", "1e3", "1.10", "2024-01-02", "=", "<<", "~", "", "null", "0x10", "12:30:45", "a\nb\n", "\n a", "a\n\nb")
_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")) | st.sampled_from(_ODD)
_VALUES = st.recursive(
    _TEXT | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=8,
)


def _numbers(value: Any) -> Any:
    if isinstance(value, WrittenNumber):
        return int(value) if value.lstrip("-").isdigit() else float(value)
    if isinstance(value, dict):
        return {key: _numbers(item) for key, item in value.items()}
    return [_numbers(item) for item in value] if isinstance(value, list) else value


@settings(max_examples=300)
@given(_VALUES)
@example(2**70 + 1)
def test_written_yaml_reads_back(value: Any) -> None:
    assert _numbers(parse(dump({"value": value}), "f")) == {"value": value}


_SHARED = st.recursive(_TEXT, lambda inner: st.lists(inner, max_size=3), max_leaves=6)


@settings(max_examples=200)
@given(st.lists(_SHARED, min_size=1, max_size=4), st.randoms())
def test_what_another_writer_names_once_and_repeats_is_read(parts: list[Any], random: Any) -> None:
    """PyYAML's own writer gives lists that stand at several places an anchor, and every scalar its quotes."""
    value = [{"all": parts, "some": [random.choice(parts) for _ in range(4)]}, *parts]
    assert parse(pyyaml.safe_dump(value, default_style='"', allow_unicode=True), "f") == value


def test_another_reader_reads_what_is_written() -> None:
    value = {
        "a": ["no", "12:30", "1e3", "", " x", "a\nb", "é\x85", 1, -2.5, 1e17, True, None, {}, []],
        "<<": {"=": "~"},
    }
    assert pyyaml.safe_load(dump(value)) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- &a x\n- &a y", "line 2, column 3: is not valid YAML: found duplicate anchor"),
        ("- *a", "line 1, column 3: is not valid YAML: found undefined alias"),
        ("a: !!seq {}", "line 1, column 4: is not valid YAML: a mapping cannot be !!seq"),
        ("a: !b c", "line 1, column 4: is not valid YAML: could not determine a constructor for the tag '!b'"),
        ("? [a]\n: b", "line 1, column 3: is not valid YAML: found unhashable key"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, said: str) -> None:
    with pytest.raises(UnreadableError, match=re.escape(f"f: {said}")):
        parse(text, "f")


def test_how_deep_a_text_is_counts_and_not_how_deep_it_looks() -> None:
    text = "a: [b, [c]]\nb: '" + "[{" * MAX_DEPTH + "'\n# " + " " * MAX_DEPTH + "- -\n"
    assert parse(text, "f")["a"] == ["b", ["c"]]


def test_aliases_count_as_what_they_stand_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "_MAX_NODES", 20)
    assert len(parse("- &a [1, 2, 3]\n- *a\n- [*a, *a]\n", "f")) == 3  # 1 + 4 + 4 + 1 + 2 * 4 values
    with pytest.raises(UnreadableError, match="its aliases expand to more than 20 values"):
        parse("- &a [1, 2, 3]\n- *a\n- [*a, *a, *a]\n", "f")


def test_the_keys_of_many_items_are_the_same_texts_in_memory() -> None:
    first, second = parse("- {role: user}\n- {role: tool}\n", "f")
    assert next(iter(first)) is next(iter(second))


def test_what_is_no_plain_value_is_not_written() -> None:
    with pytest.raises(TypeError, match="holds no set"):
        dump({"a": {1}})


def test_paragraphs_are_written_as_a_block() -> None:
    assert dump({"a": "one\ntwo\n\nthree"}) == "a: |-\n  one\n  two\n\n  three\n"


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "- " * 100_000,
        "{a: " * 100_000,
        "? " * 100_000,
        "a: [" + "[" * 9_000,
        "".join(f"{' ' * n}b:\n" for n in range(2_000)),
        "? a\n: " + "- " * 100_000,
        *(f"#{line_end}" + "- " * 100_000 for line_end in "\r\x85\u2028\u2029"),
        "\ufeff" + "- " * 100_000,
        "- [" + "{a: [" * 100_000,
        "[? " * 100_000,
    ],
)
def test_deep_nesting_is_refused_before_it_ends_the_process(text: str) -> None:
    with pytest.raises(UnreadableError):
        parse(text, "f")


@pytest.mark.parametrize("read", [parse, parse_items])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("".join(f"%TAG !a{n}! tag:{n}\n" for n in range(100_000)) + "--- [a]", "directives"),
        ("[" + "[]," * 500 + "]", "values"),
        ("-\n" * 500, "values"),
        ("[" + "? a," * 500 + "]", "values"),
        ("- &a b\n" + "- *a\n" * 500, "values"),
    ],
)
def test_what_would_take_hours_or_the_memory_is_refused(
    text: str, said: str, read: Callable[[str, str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml, "MAX_VALUES", 400)
    with pytest.raises(UnreadableError, match=said):
        read(text, "f")


def test_as_many_values_as_may_be_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "MAX_VALUES", 400)
    assert len(parse("- a\n" * 399, "f")) == 399
    assert parse("a: |\n" + "  one, two: - [three]?\n" * 500, "f") == {"a": "one, two: - [three]?\n" * 500}


def test_keys_that_could_be_chosen_to_fall_into_one_place_are_texts() -> None:
    """Multiples of 2^61 - 1 have the same hash, those of floats repeat as well: 60,000 keys took a minute."""
    text = "".join(f"{(2**61 - 1) * number}: x\n" for number in range(1, 300))
    assert all(isinstance(key, str) for key in parse(text, "f"))
    assert parse("{-12: a, 1.5: b, true: c, null: d}", "f") == {-12: "a", "1.5": "b", True: "c", None: "d"}


@pytest.mark.parametrize("tag", ["int", "float", "bool", "timestamp", "binary", "str", "merge"])
@pytest.mark.parametrize("text", ["1:1:1", "maybe", "", "+", "0b", "2024-13-99", "é", "0x1F", "1:" * 200_000])
def test_a_tag_makes_nothing_of_a_text_that_it_does_not_fit(tag: str, text: str) -> None:
    assert parse(f"a: !!{tag} '{text}'", "f") == {"a": text}


def test_tags_that_fit_are_heeded() -> None:
    text = "[!!int '3', !!float '0.5', !!bool 'True', !!null 'x', !!set {a}, !!omap [b: 1], !!seq [], !!map {}]"
    assert parse(text, "f") == [3, 0.5, True, None, {"a": None}, [{"b": 1}], [], {}]


def test_merged_mappings_come_first_and_earlier_ones_win() -> None:
    text = "a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {z: 3, <<: [*a, *b]}\nd: {<<: *a, <<: *b}"
    value = parse(text, "f")
    assert (value["c"], value["d"]) == ({"x": 1, "y": 1, "z": 3}, {"x": 1, "y": 2, "z": 2})


@pytest.mark.parametrize(
    "text", ["<<: 3", "<<: [1]", "!!map x", "!!set x", "!!seq x", "!!int [a]", "? [a]\n: b", "a: \ud800"]
)
def test_what_a_tag_or_a_key_cannot_be_is_one_clear_problem(text: str) -> None:
    with pytest.raises(UnreadableError):
        parse(text, "f")


def test_items_have_their_lines_and_their_texts() -> None:
    text = "# rows\n- {name: 4.5, null: no}\n\n- 010\n- [~, 'a']\n"
    assert parse_items(text, "f") == [(2, {"name": "4.5", "null": "no"}), (4, "010"), (5, ["~", "a"])]
    assert parse_items("# nothing\n", "f") == []
    with pytest.raises(UnreadableError, match="f: line 2: expected a list of rows"):
        parse_items("\na: b", "f", "a list of rows")


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 600])
def test_a_value_that_is_nested_too_deep_is_not_written(depth: int) -> None:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    with pytest.raises(ValueError, match="nested too deep"):
        dump(value)


def test_what_is_read_at_its_deepest_is_written_also_from_deep_in_the_program() -> None:
    text = "".join(f"{' ' * n}b:\n" for n in range(MAX_DEPTH))

    def written(calls: int) -> str:
        return written(calls - 1) if calls else dump(parse(text, "f"))

    assert parse(written(200), "f") == parse(text, "f")


def test_an_escape_for_what_no_text_may_hold_is_cleaned() -> None:
    assert parse('"a\\0": "b\\0"', "f") == {"a␀": "b␀"}
    assert parse_items('- "b\\0"', "f") == [(1, "b␀")]


def test_a_number_beyond_all_numbers_stays_the_text_that_was_written() -> None:
    assert parse("a: 1e999", "f") == {"a": "1e999"}
    assert parse(dump({"a": "1e999"}), "f") == {"a": "1e999"}


def test_nothing_else_in_the_program_reads_yaml() -> None:
    """A second way would be one without these limits."""
    import inspector

    folder = Path(inspector.__file__).parent
    users = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py") if _imports_yaml(path)}
    assert users == {"reading/yaml.py", "reading/yaml_loader.py"}


def _imports_yaml(path: Path) -> bool:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    return any(isinstance(node, ast.Import) and "yaml" in [alias.name for alias in node.names] for node in nodes)


def test_moderate_nesting_is_read() -> None:
    value = parse("".join(f"{' ' * n}b:\n" for n in range(MAX_DEPTH)), "f")
    for _ in range(MAX_DEPTH - 1):
        value = value["b"]
    assert value == {"b": None}


@pytest.mark.parametrize("before", ["", "# by hand\n\n", "\n"])
def test_a_document_that_begins_with_its_format_is_not_read_to_see_what_it_is(
    before: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(yaml, "parse")
    assert FileSource("a", f"{before}format: prompt-inspector/workspace@1\nmemories: []\n".encode()).shape == "yaml"


def test_markdown_is_not_yaml() -> None:
    assert not yaml.may_be_yaml("**Character:** Nova\n\n- words")
    assert FileSource("a", b"Note: this\nis a text that goes on\nand on: and on").shape == "text"


@pytest.mark.parametrize("text", ["ratio:\n  a: 1e3\n  b: 1.10\n", "1.10: 'no'\n2026: x\n"])
def test_what_was_read_is_written_as_it_stood(text: str) -> None:
    assert dump(parse(text, "x")) == text


def test_keys_that_stand_twice_are_found_in_the_upper_levels() -> None:
    text = "a:\n  b: {c: 1, c: 2}\n  b: 3\nd: 4\na: 5\n"
    assert yaml.repeated_keys(text, 1) == (("a", 5),)
    assert yaml.repeated_keys(text, 2) == (("a", 5), ("b", 3))
    assert yaml.repeated_keys("- a\n", 2) == yaml.repeated_keys("", 2) == ()


@pytest.mark.parametrize("text", ["{}\n---", "a: 1\na: 2\n---\nb: 1"])
def test_keys_are_looked_for_in_the_document_that_is_read(text: str) -> None:
    assert len(yaml.repeated_keys(text, 1)) == text.count("a: 2")


def test_a_whole_number_beyond_64_bits_is_what_json_reads_it_as() -> None:
    text = "[18446744073709551615, -9223372036854775808, 18446744073709551616, -9223372036854775809]"
    from_yaml, from_json = parse(text, "f"), orjson.loads(text)
    assert [settled(YamlMapping(a=value), dict[str, Any])["a"] for value in from_yaml] == from_json
    assert str(from_yaml[2]) == "18446744073709551616", "where text is wanted no digit is lost"
    assert parse(f"a: {'9' * 400}", "f") == {"a": "9" * 400}
