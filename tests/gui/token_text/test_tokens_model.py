"""Tokens that are shown: they spell the text, specials stand alone, and cells never tear what is drawn as one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from inspector.gui.token_text.view import TokenTableModel
from inspector.tokens.embedded import embedded_tokenizer
from inspector.tokens.estimate import ESTIMATORS
from inspector.tokens.shown import tokens as tokens_module
from inspector.tokens.shown.tokens import (
    UNKNOWN_ID,
    ShownTokens,
    Stretch,
    part_words,
    shown_tokens,
    summary,
    token_line,
    token_tooltip,
)
from inspector.tokens.tokenizer import Tokenizer

SHIP = "\U0001f6a2"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
O200K = embedded_tokenizer("o200k_base")
PIECES = st.text(st.sampled_from(f"ab \n{FAMILY}é\u0301珊瑚<|>"), min_size=1, max_size=12)
STRETCHES = st.lists(st.tuples(PIECES, st.booleans()).map(lambda pair: Stretch(*pair)), max_size=6)


def estimator() -> Tokenizer:
    return next(iter(ESTIMATORS.values()))


def cell_texts(shown: ShownTokens) -> list[str]:
    return [shown.text[slice(*shown.cells.span(cell))] for cell in range(len(shown.cells))]


@given(stretches=STRETCHES)
def test_cells_are_the_text_and_tokens_those_that_are_counted(stretches: list[Stretch]) -> None:
    shown = shown_tokens(stretches, O200K)
    assert shown.text == "".join(stretch.text for stretch in stretches)
    assert "".join(cell_texts(shown)) == shown.text
    assert all(cell_texts(shown))
    assert [token for cell in range(len(shown.cells)) for token in shown.cells.tokens(cell)] == list(range(len(shown)))
    joined = "".join("\0" if stretch.special else stretch.text for stretch in stretches)
    ordinary = int(O200K.count([part for part in joined.split("\0") if part]).sum())
    assert len(shown) == ordinary + sum(stretch.special for stretch in stretches)
    assert int(shown.special.sum()) == sum(stretch.special for stretch in stretches)
    for place in range(len(shown.text)):
        cell = shown.cells.at(place)
        assert cell is not None
        assert shown.cells.span(cell)[0] <= place < shown.cells.span(cell)[1]
    assert shown.cells.at(len(shown.text)) is None


@given(stretches=STRETCHES)
def test_a_special_token_is_a_cell_of_its_own(stretches: list[Stretch]) -> None:
    shown = shown_tokens(stretches, O200K)
    for token in np.flatnonzero(shown.special).tolist():
        cell = shown.cells.of_token(token)
        assert shown.cells.tokens(cell) == range(token, token + 1)


def test_neighbouring_ordinary_stretches_are_one_text() -> None:
    shown = shown_tokens([Stretch("Hel"), Stretch("lo world")], O200K)
    assert cell_texts(shown) == ["Hello", " world"]
    assert shown.ids.tolist() == shown_tokens([Stretch("Hello world")], O200K).ids.tolist()


def test_an_emoji_of_several_tokens_is_one_cell() -> None:
    shown = shown_tokens([Stretch(f"珊瑚{FAMILY}")], O200K)
    assert cell_texts(shown) == ["珊", "瑚", FAMILY]
    assert [len(shown.cells.tokens(cell)) for cell in range(3)] == [2, 2, len(shown) - 4]
    assert shown.cells.of_token(1) == 0
    assert "2 tokens" in token_tooltip(shown, 0)
    assert f"part 2 of {len(shown) - 4}" in part_words(shown, 5)


def test_specials_have_the_id_that_is_given() -> None:
    shown = shown_tokens([Stretch("<s>", True, 1), Stretch("a"), Stretch("</s>", True)], O200K)
    assert shown.ids[0] == 1
    assert shown.ids[-1] == UNKNOWN_ID
    assert [shown.id_words(token) for token in (0, 2)] == ["1", "special"]
    assert "special token, id 1" in token_tooltip(shown, 0)
    assert "id" not in token_tooltip(shown, 2).split("special")[1]


def test_words_about_a_token() -> None:
    shown = shown_tokens([Stretch("a\n\tb <i>")], O200K)
    newline = next(cell for cell in range(len(shown.cells)) if "\n" in cell_texts(shown)[cell])
    assert "\\n" in token_tooltip(shown, newline)
    assert f"token {newline + 1} of {len(shown)}" in token_tooltip(shown, newline)
    assert f"id {shown.ids[newline]}" in token_line(shown, newline)
    assert "<" in token_tooltip(shown, len(shown.cells) - 2) + token_tooltip(shown, len(shown.cells) - 3)
    assert summary(shown).startswith(
        f"{len(shown)} tokens  ·  8 characters  ·  {8 / len(shown):.1f} characters per token"
    )


def test_an_estimator_gives_the_text_alone() -> None:
    shown = shown_tokens([Stretch("<s>", True), Stretch("a text")], estimator())
    assert (len(shown), shown.text) == (0, "<s>a text")
    assert summary(shown) == "9 characters"


def test_what_is_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens_module, "MAX_CHARACTERS", 10)
    shown = shown_tokens([Stretch("<s>", True), Stretch("tide tide tide"), Stretch("</s>", True)], O200K)
    assert shown.text == "<s>tide ti"
    assert shown.left_out == 11
    assert "11 more characters are not shown" in summary(shown)
    assert shown_tokens([Stretch("tide tide"), Stretch("<s>", True)], O200K).text == "tide tide"


def test_the_table_lists_every_token() -> None:
    model = TokenTableModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    shown = shown_tokens([Stretch("<s>", True), Stretch(f"Hi {SHIP}珊")], O200K)
    model.show_tokens(shown)
    assert model.rowCount() == len(shown)
    cells = [[model.index(row, column).data(Qt.ItemDataRole.DisplayRole) for column in range(3)] for row in range(3)]
    assert cells[0] == ["1", "special", "“<s>”"]
    assert cells[1] == ["2", str(shown.ids[1]), "“Hi”"]
    last = model.index(model.rowCount() - 1, 2).data(Qt.ItemDataRole.DisplayRole)
    assert last == "“珊”, part 2 of 2"
    assert model.ids[1:3] == ["1", "2"]
    assert model.rows_of({"1"}) == {}
    assert tester.model() is model
