"""The front of all formats: shapes by content, encodings, repairs, JSON lines."""

import json

import pytest

from inspector.formats.registry import built_in_formats, rank_formats
from inspector.model import Problem
from inspector.reading import lines, memory, text, yaml
from inspector.reading import source as source_module
from inspector.reading.lines import Record
from inspector.reading.memory import JsonMeasure, measure_json
from inspector.reading.source import FileSource, UnreadableError


def source(data: bytes | str, path: str = "a.txt") -> FileSource:
    return FileSource(path, data.encode() if isinstance(data, str) else data)


@pytest.mark.parametrize(
    ("data", "shape"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"\x89PNG\r\n\x1a\n....", "png"),
        (b"PK\x03\x04....", "zip"),
        (b"\xff\xd8\xff\xe0" + b"x" * 90 + b"PK\x05\x06" + b"\0" * 18, "zip"),
        (b"SQLite format 3\x00...", "sqlite"),
        (b"PAR1...", "parquet"),
        (b'{"a": 1}', "json"),
        (b'\xef\xbb\xbf{"a": 1}', "json"),
        ('{"a": 1}'.encode("utf-16"), "json"),
        (b'[{"a": 1},', "json"),
        (b"[" * 5_000, "json"),
        (b'"{\\"a\\": 1}"', "json"),
        (b'{"a": 1}\n{"b": 2}\n', "json_lines"),
        (b'{"a": 1} {"b": 2}', "json_lines"),
        (b'{"a": 1}\r\n\r\n{"b": 2}', "json_lines"),
        (b'{oops\n{"a": 1}\n{"b": 2}', "json_lines"),
        (b'{\n  "a": 1,\n  "b": oops\n}', "json"),
        (b"name: Nova\nage: 3\n", "yaml"),
        (b"- a\n- b\n", "yaml"),
        (b"format: prompt-inspector/workspace@1\n  bad: [", "yaml"),
        (b"[12:30] <ann> hello\n", "text"),
        (b"# A heading\n\nWords.", "text"),
        (b"Just words.", "text"),
    ],
)
def test_shape_is_decided_by_content(data: bytes, shape: str) -> None:
    assert source(data, "misleading.png").shape == shape


def test_a_file_that_says_that_it_is_yaml_is_yaml_however_long_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "MAX_BYTES", 60)
    said = b"format: prompt-inspector/workspace@1\nmemories: []\n"
    assert source(said + b"# " + 60 * b"-").shape == "yaml"
    assert source(b"a: 1\n" + said + b"# " + 60 * b"-").shape == "text"


def test_byte_order_mark_is_skipped_and_noted() -> None:
    file = source(b'\xef\xbb\xbf{"a": "\xc3\xa9"}')
    assert file.json == {"a": "é"}
    assert [problem.severity for problem in file.problems] == ["info"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-32"])
def test_wide_encodings_are_read(encoding: str) -> None:
    assert source('{"greeting": "Grüße"}'.encode(encoding)).json == {"greeting": "Grüße"}


def test_bytes_of_windows_are_read_without_loss() -> None:
    file = source("caf\u00e9 \u2014 na\u00efve".encode("cp1252"))
    assert file.text == "café — naïve"
    assert "first bad byte 3" in file.problems[0].message
    assert len(source(bytes(range(128, 256))).text) == 128


def test_a_few_bad_bytes_do_not_spoil_utf8() -> None:
    assert source("ééééé".encode() + b"\xff").text == "ééééé\ufffd"


def test_nul_and_half_surrogates_never_get_through() -> None:
    assert source("a\0b").text == "a\u2400b"
    file = source(b'{"a": "\\ud83d x \\u0000 \\\\ud83d \\ud83d\\ude00", "b": "\\u00e9"}')
    assert file.json == {"a": "\ufffd x \u2400 \\ud83d 😀", "b": "é"}
    assert "2 escapes" in file.problems[0].message


@pytest.mark.parametrize("after", ["", "0", "b", "ff", " "])
def test_nul_is_found_whatever_stands_behind_it(after: str) -> None:
    file = source(f'{{"a": "\\u0000{after}", "b": "\\ud83d{after}"}}'.encode())
    assert file.json == {"a": f"\u2400{after}", "b": f"\ufffd{after}"}


def test_string_that_holds_json_is_unwrapped_once() -> None:
    assert source(json.dumps(json.dumps({"a": 1}))).json == {"a": 1}
    twice = source(json.dumps(json.dumps(json.dumps([1]))))
    assert twice.json == json.dumps([1])


def test_numbers_that_json_readers_refuse() -> None:
    file = source('{"a": ' + "9" * 5_000 + ', "b": NaN}')
    assert file.json == {"a": "9" * 5_000, "b": None}
    assert len(file.problems) == 2


def test_doubled_key_is_a_warning() -> None:
    file = source('{"a": 1, "b": {"c": 1, "c": 2}}')
    assert file.json["b"]["c"] == 2
    assert [problem.message for problem in file.problems] == [
        'the key "c" stands twice in one object; the last one counts'
    ]


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        ('{"a": 1,}', "line 1, column 9", "not valid JSON"),
        ('[{"é": "x"}, {"b', "line 1, column 15", "cut off"),
        ('{"a":\n oops}', "line 2, column 2", "'oops}'"),
        ("[" * 100_000, "", "nested deeper"),
        ('{"a": ' * 2_000 + "1" + "}" * 2_000, "", "nested deeper"),
    ],
)
def test_broken_json_names_the_place(data: str, place: str, words: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        _ = source(data).json
    assert caught.value.problem.place == place
    assert words in caught.value.problem.message
    assert caught.value.problem.file == "a.txt"


def test_one_document_is_one_record() -> None:
    assert [record.value for record in source('{"a": 1}').records([])] == [{"a": 1}]


def test_records_are_decoded_when_their_turn_comes() -> None:
    problems: list[Problem] = []
    records = source('{"a": 1}\n{oops\n{"b": 2}').records(problems)
    assert next(records) == Record(1, {"a": 1})
    assert not problems
    assert next(records) == Record(3, {"b": 2})
    assert [problem.place for problem in problems] == ["line 2, column 2"]


def test_lines_without_a_value_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    file = source('{"a": 1}\n{"b": \nno JSON\n{"c": 3}')
    records = list(file.records([]))
    assert [record.line for record in records] == [1, 4]
    monkeypatch.setattr(lines, "_read_slowly", None)
    assert list(file.records_again()) == records
    assert list(source('[{"a": 1}]').records_again()) == [Record(1, [{"a": 1}])]


def test_records_are_counted_once_for_all_who_read_them() -> None:
    file = source('{"a": 1}\n{"b": 2}')
    assert list(file.records([])) == list(file.records([]))
    assert file.budget.total - file.budget.left == measure_json(file.data).memory


def test_a_first_look_takes_the_first_lines_only() -> None:
    file = source('{"a": 1}\n{oops\n' + '{"b": 2}\n' * 500_000)
    assert file.first_records == (Record(1, {"a": 1}), *(Record(line, {"b": 2}) for line in range(3, 22)))
    assert file.sample == {"a": 1}
    assert file.budget.total - file.budget.left < 20_000


def test_a_first_look_ends_where_the_lines_are_long() -> None:
    line = json.dumps({"a": "x" * 600_000})
    assert len(source(f"{line}\n{line}\n{line}\n").first_records) == 2


def test_a_long_line_is_not_looked_at_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    long = json.dumps({"b": "x" * 2_000_000})
    measured: list[int] = []
    monkeypatch.setattr(memory, "measure_json", lambda data: measured.append(len(data)) or JsonMeasure(1, 1))
    assert [record.line for record in source(f'{{"a": 1}}\n{long}\n').first_records] == [1]
    assert measured == [8]
    assert [record.line for record in source(f'{long}\n{{"a": 1}}\n').first_records] == [1]


def test_no_format_decodes_a_file_to_recognise_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(source_module, "read_lines")
    ranked, problems = rank_formats(source('{"role": "user", "content": "hi"}\n' * 1_000), built_in_formats())
    assert [kind.name for kind in ranked][:1] == ["openai"]
    assert problems == []


def test_sample_is_the_first_object_and_never_raises() -> None:
    assert source('[{"a": 1}, {"b": 2}]').sample == {"a": 1}
    assert source('{"a": 1}\n{"b": 2}').sample == {"a": 1}
    assert source("a: 1").sample == {"a": 1}
    assert source('[{"a": 1}, oops]').sample is None
    assert source("").sample is None


def test_raw_items_are_the_items_of_an_array() -> None:
    items = source(' [{"a": 1}, 2]').raw_items
    assert items is not None
    assert [bytes(item) for item in items] == [b'{"a": 1}', b"2"]
    assert source('{"a": 1}').raw_items is None


@pytest.mark.parametrize(("data", "language"), [(b'{"a": [1, 2', "json"), (b"a: [1, 2", "yaml")])
def test_a_broken_text_is_read_once_whoever_asks(data: bytes, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = FileSource("x", data)
    _ = source.shape
    problems = []
    for _ in range(2):
        with pytest.raises(UnreadableError) as caught:
            getattr(source, language)
        problems.append(caught.value.problem)
        monkeypatch.setattr(f"inspector.reading.{language}.parse", None)
    assert problems[0] == problems[1]


@pytest.mark.parametrize("data", [b"plain", b"a\0b", "Wörtchen".encode(), b"\xef\xbb\xbfmarked", b"\xff", b""])
def test_a_large_text_is_looked_at_as_a_small_one_is(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    small = text.is_plain_utf8(data)
    monkeypatch.setattr(text, "_LARGE", -1)
    monkeypatch.setattr(text, "_LOOK", 2)
    assert text.is_plain_utf8(data) is small
