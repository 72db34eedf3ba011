"""Text for terminals: nothing in it is a command, hides or turns what is beside it, and JSON keeps its value."""

import json
import re

import orjson
from hypothesis import given
from hypothesis import strategies as st

from inspector.csv_text import csv_lines
from inspector.json_text import json_document, json_line
from inspector.visible_text import made_visible, on_one_line

COMMANDS = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0001-\U000e007f]"
)
HOSTILE = "".join(
    map(chr, (*range(0x20), *range(0x7F, 0xA0), *range(0x200B, 0x2010), *range(0x2028, 0x202F), 0x061C, 0xFEFF))
)
TEXTS = st.one_of(st.text(), st.text(st.sampled_from(HOSTILE + "a[=é👩\udc1b\udcff\U000e0041\"'\\,;")))


@given(TEXTS)
def test_a_line_holds_no_command_and_stays_one_line(text: str) -> None:
    line = on_one_line(text)
    assert not COMMANDS.search(line)
    assert on_one_line(line) == line
    line.encode()


def test_what_is_written_out_is_named() -> None:
    assert on_one_line("a\x1b[31mb\x9bc\u202ed\te\r\nf\u2028g\x7f\udcff") == (
        "a⟦U+001B⟧[31mb⟦U+009B⟧c⟦RLO⟧d⟦U+0009⟧e⟦U+000D⟧⟦U+000A⟧f⟦LS⟧g⟦U+007F⟧⟦U+DCFF⟧"
    )


def test_pictures_and_scripts_that_are_joined_stay_and_joiners_that_hide_do_not() -> None:
    joined = "👩‍🎓 می‌خواهم 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    assert on_one_line(joined) == joined
    assert on_one_line("a\u200db\u200c") == "a⟦ZWJ⟧b⟦ZWNJ⟧"


def test_texts_keep_their_lines_and_tabs() -> None:
    assert made_visible("a\r\nb\u2028c\td\x1b\ud800") == "a\nb\nc\td⟦U+001B⟧⟦U+D800⟧"


@given(st.recursive(TEXTS | st.integers(-(2**53), 2**53), lambda inner: st.dictionaries(TEXTS, inner, max_size=3)))
def test_json_holds_no_command_and_is_equal_in_value(value: object) -> None:
    for text in (json_document(value), json_line(value)):
        assert json.loads(text) == value
        body = text.decode()
        assert not COMMANDS.search(body.replace("\n", ""))
        assert body.endswith("\n")
    assert json_line(value).count(b"\n") == 1


def test_json_of_plain_text_is_what_it_was() -> None:
    value = {"é": ["👩‍🎓", 1.5, None, True], "nan": float("nan")}
    assert json_line(value) == orjson.dumps(value) + b"\n"
    assert json_document(value) == orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"
    assert orjson.loads(json_line({"\x1b\x9b": "\u202e"})) == {"\x1b\x9b": "\u202e"}
    assert json_line([float("nan"), "\udcff"]) == b'[null,"\\udcff"]\n'


@given(st.lists(TEXTS, min_size=1))
def test_csv_holds_no_command(cells: list[str]) -> None:
    line = "".join(csv_lines([dict(enumerate(cells))]))  # type: ignore[misc]
    assert not COMMANDS.search(line.replace("\n", ""))
