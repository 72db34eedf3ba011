"""Large arrays in pieces: where they are cut, what is no array, and what becomes of a file that changes."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.reading import pieces
from inspector.reading.files import ChangedFileError, FileText
from inspector.reading.pieces import Item, Pieces, WrongCutError

ITEMS = [{"id": number, "text": "word " * (number % 7)} for number in range(40)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE_BYTES", 100)


def pieces_of(folder: Path, text: str) -> Pieces:
    file = folder / "array.json"
    file.write_text(text)
    return Pieces(FileText(file))


def decoded(found: Pieces) -> list[list[Any]]:
    return [[json.loads(bytes(item)) for item in piece.items()] for piece in found]


@given(
    items=st.lists(st.fixed_dictionaries({"id": st.text(), "in": st.lists(st.dictionaries(st.text(), st.text()))})),
    indent=st.sampled_from([None, 1]),
)
def test_pieces_are_arrays_of_all_items_in_order(
    items: list[Any], indent: int | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = pieces_of(tmp_path_factory.mktemp("pieces"), json.dumps(items, indent=indent))
    try:
        assert [item for piece in decoded(found) for item in piece] == items
    except WrongCutError:  # a guess may be wrong: whoever made it is told
        assert not items or any("id" in one or "in" in one for item in items for one in item["in"])


def test_an_array_is_cut_after_so_many_bytes(tmp_path: Path) -> None:
    found = decoded(pieces_of(tmp_path, json.dumps(ITEMS)))
    assert 10 < len(found) < 40
    assert [item for piece in found for item in piece] == ITEMS


def test_an_item_is_its_text_whichever_was_asked_for_before(tmp_path: Path) -> None:
    found = pieces_of(tmp_path, json.dumps(ITEMS, indent=2))
    texts = [Item(found, piece, index) for piece in found for index in range(len(piece.items()))]
    for number in (7, 39, 0, 7):
        assert json.loads(bytes(texts[number])) == ITEMS[number]


def test_what_begins_as_an_item_inside_of_one_is_no_place_to_cut_at(tmp_path: Path) -> None:
    nested = [{"id": 1, "text": "T", "in": ITEMS}]
    with pytest.raises(WrongCutError):
        decoded(pieces_of(tmp_path, json.dumps(nested)))
    named = [{"id": 1, "name": "T", "in": ITEMS}] * 2  # the second key tells them apart
    assert decoded(pieces_of(tmp_path, json.dumps(named))) == [[one] for one in named]


@pytest.mark.parametrize("text", ["", "[]", "{}", "[1, 2]", '[{"id": 1}', '[{"id": 1}] [2]', '[{"id": 1},]', "[{}]"])
def test_what_is_no_array_of_objects_is_not_cut(text: str, tmp_path: Path) -> None:
    with pytest.raises(WrongCutError):
        decoded(pieces_of(tmp_path, text))


def test_an_array_of_long_items_is_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "LONGEST_PIECE", 300)
    found = pieces_of(tmp_path, json.dumps([*ITEMS, {"id": 40, "text": "x" * 500}, *ITEMS]))
    with pytest.raises(WrongCutError):
        decoded(found)


def test_the_first_items_are_an_array_of_their_own(tmp_path: Path) -> None:
    found = pieces_of(tmp_path, json.dumps(ITEMS))
    first = json.loads(found.first(5))
    assert len(first) >= 5
    assert first == ITEMS[: len(first)]
    assert [item for piece in decoded(found) for item in piece] == ITEMS


def test_of_a_file_that_changed_nothing_is_read_unless_it_was_kept(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("before")
    kept, read = FileText(file), FileText(file)
    kept.keep()
    file.write_text("behind!")
    with pytest.raises(ChangedFileError):
        read.read(0, 6)
    file.unlink()
    with pytest.raises(ChangedFileError):
        read.keep()
    assert (kept.read(2, 99), kept.size) == (b"fore", 6)
