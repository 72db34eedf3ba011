import math
from dataclasses import replace

import numpy as np
import pytest
from answers import answer_of, message, pipeline_for, timed_messages
from cells import at, cell
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from inspector.assembly.answer import Answer
from inspector.assembly.columns import Action
from inspector.gui.screens.decisions.model import DECISION_COLUMNS, DecisionModel
from inspector.gui.theme import theme
from inspector.tables import Face, first_line, sorted_rows

PIPELINE = pipeline_for(timed_messages(40), ["The reef is closed in May", "Mara fears deep water", "Nova likes tea"])
ANSWER = answer_of(PIPELINE, 160, pinned=("m3",))


def shown(model: DecisionModel, answer: Answer, rows: np.ndarray | None = None) -> DecisionModel:
    assembly = answer.assembly
    model.show(assembly, assembly.order if rows is None else rows, assembly.candidates.ids)
    return model


def text(model: DecisionModel, item: str, key: str) -> str:
    position = model.position(PIPELINE_IDS.index(item))
    assert position is not None
    return at(model, position, key).data()


PIPELINE_IDS = list(ANSWER.assembly.candidates.ids)


@pytest.fixture
def model(qtbot: QtBot) -> DecisionModel:
    made = DecisionModel()
    made.tester = QAbstractItemModelTester(made, QAbstractItemModelTester.FailureReportingMode.Fatal)  # pyright: ignore
    return shown(made, ANSWER)


def test_column_0_answers_the_id_and_texts_say_what_was_decided(model: DecisionModel) -> None:
    order = ANSWER.assembly.order
    ids = [model.index(position, 0).data(Qt.ItemDataRole.UserRole) for position in range(len(order))]
    assert ids == [PIPELINE_IDS[row] for row in order]
    assert text(model, "m39", "role") == "assistant"
    assert text(model, "m39", "name") == "Nova"
    assert text(model, "m39", "time") == "1 May 10:18"
    assert text(model, "m39", "who") == "Nova"
    assert text(model, "k0", "who") == "Memory"
    assert text(model, "m39", "outcome") == "Kept, among the newest"
    assert text(model, "m39", "section") == "Conversation"
    assert text(model, "k0", "section") == "Memories"
    assert text(model, "k0", "role") == ""
    assert text(model, "m2", "text") == "蓝色的珊瑚 and a ship"


def test_what_is_dropped_spends_nothing_and_says_by_how_much_it_did_not_fit(model: DecisionModel) -> None:
    assembly = ANSWER.assembly
    over = next(row for row in range(len(PIPELINE_IDS)) if assembly.reason_of(row).code == "over_budget")
    position = model.position(over)
    assert position is not None
    missing = int(assembly.candidates.tokens[over]) - int(assembly.left[over])
    assert missing > 0
    assert at(model, position, "spent").data() == "–"
    assert at(model, position, "outcome").data() == "✕ Dropped, does not fit"
    assert at(model, position, "reason").data() == f"budget short by ≈ {missing}"


def test_figures_stand_right_and_those_of_an_estimator_are_marked(model: DecisionModel) -> None:
    assert text(model, "m0", "tokens") == "≈ 8"
    recorded = [message(0, tokens=1_234), message(1)]
    shown(model, answer_of(pipeline_for(recorded), 100_000))
    assert [at(model, position, "tokens").data() for position in range(2)] == ["1,234", "≈ 5"]
    assert at(model, 0, "tokens").data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight


def test_what_is_kept_carries_no_colour_and_what_is_dropped_is_muted(model: DecisionModel) -> None:
    kept, dropped = (model.position(PIPELINE_IDS.index(item)) for item in ("m39", "m0"))
    assert kept is not None
    assert dropped is not None
    assert cell(model, kept, "outcome").color == theme().muted_text
    assert cell(model, kept, "text").color is None
    assert cell(model, dropped, "outcome").more == ", budget was full", "in the second ink"
    assert cell(model, dropped, "outcome").color == theme().action_color(Action.DROPPED)
    assert cell(model, dropped, "text").color == theme().muted_text


def test_rows_carry_the_colour_of_their_section_and_the_pin(model: DecisionModel) -> None:
    pinned = model.position(PIPELINE_IDS.index("m3"))
    assert pinned is not None
    marking, other = model.marking(pinned), model.marking(pinned + 1)
    assert marking is not None
    assert other is not None
    assert marking.edge == theme().section_color(ANSWER.assembly.section[PIPELINE_IDS.index("m3")])
    assert marking.signs
    assert not other.signs


def test_columns_without_anything_to_show_are_not_shown(qtbot: QtBot) -> None:
    bare = answer_of(pipeline_for([message(number) for number in range(4)]), 100).assembly
    columns = [column for column in DECISION_COLUMNS if column.faces & Face.WINDOW]
    hidden = [column.title for column in columns if column.shown and not column.shown(bare)]
    assert hidden == ["When", "Name", "Recorded", "Class", "Score", "Versions"]
    full = [column.title for column in columns if column.shown and column.shown(ANSWER.assembly)]
    assert full == ["When", "Name", "Score"], "nothing is classified here"


def test_other_values_of_the_same_items_are_one_change_and_no_reset(model: DecisionModel, qtbot: QtBot) -> None:
    changes, resets = [], []
    model.dataChanged.connect(lambda first, last: changes.append((first.row(), last.row(), last.column())))
    model.modelReset.connect(lambda: resets.append(True))
    wider = answer_of(PIPELINE, 170, pinned=("m3",))
    assert wider.assembly.action_counts.tolist() != ANSWER.assembly.action_counts.tolist()
    shown(model, wider, ANSWER.assembly.order)
    assert changes == [(0, len(PIPELINE_IDS) - 1, len(model.columns) - 1)]
    assert resets == []


def test_other_rows_or_other_items_are_one_reset(model: DecisionModel) -> None:
    resets = []
    model.modelReset.connect(lambda: resets.append(True))
    shown(model, ANSWER, ANSWER.assembly.order[::2])
    assert (len(resets), model.rowCount()) == (1, (len(PIPELINE_IDS) + 1) // 2)
    shown(model, answer_of(pipeline_for(timed_messages(3)), 100))
    assert (len(resets), model.rowCount()) == (2, 3)


def test_a_slider_that_moves_a_sorted_value_sorts_again(model: DecisionModel) -> None:
    model.sort_by("spent", Qt.SortOrder.DescendingOrder)
    for window in (60, 110, 160, 300):
        assembly = answer_of(PIPELINE, window).assembly
        shown(model, replace(ANSWER, assembly=assembly))
        spent = assembly.spent[model.rows]
        assert (np.diff(spent) <= 0).all()
        assert sorted(model.rows.tolist()) == list(range(len(PIPELINE_IDS)))


def test_sorting_by_score_puts_what_has_none_last_either_way(model: DecisionModel) -> None:
    for order in Qt.SortOrder:
        model.sort_by("score", order)
        scores = ANSWER.assembly.score[model.rows]
        known = int(np.isfinite(scores).sum())
        assert known == 3
        assert np.isfinite(scores[:known]).all()
    model.sort_by("")
    assert model.rows.tolist() == ANSWER.assembly.order.tolist()


def test_texts_sort_by_the_alphabet_whatever_the_case(model: DecisionModel) -> None:
    model.sort_by("text", Qt.SortOrder.AscendingOrder)
    lines = [first_line(ANSWER.assembly.candidates.texts[row]).casefold() for row in model.rows]
    assert lines == sorted(lines)


def test_a_tooltip_shows_tags_as_they_are_written(model: DecisionModel) -> None:
    position = model.position(PIPELINE_IDS.index("m4"))
    assert position is not None
    assert "&lt;b&gt;nobody&lt;/b&gt;" in at(model, position, "text").data(Qt.ItemDataRole.ToolTipRole)
    assert "Dropped." in at(model, position, "reason").data(Qt.ItemDataRole.ToolTipRole)


def test_headers_have_titles_and_say_what_they_mean(model: DecisionModel) -> None:
    header = Qt.Orientation.Horizontal
    assert model.headerData(model.column("number"), header) == "#"
    assert all(model.headerData(column, header, Qt.ItemDataRole.ToolTipRole) for column in range(model.columnCount()))
    assert model.rowCount(model.index(0, 0)) == 0
    assert model.data(QModelIndex()) is None


def test_the_first_line_is_taken_from_a_slice() -> None:
    assert first_line("\n\n  one  \ntwo") == "one"
    assert first_line("") == ""
    assert len(first_line("x" * 1_000_000)) == 300


keys = st.one_of(
    st.lists(st.integers(0, 3), max_size=30).map(lambda values: np.array(values, np.uint8)),
    st.lists(st.integers(-5, 200_000), max_size=30).map(lambda values: np.array(values, np.int32)),
    st.lists(st.one_of(st.just(math.nan), st.floats(-2, 2)), max_size=30).map(lambda values: np.array(values, float)),
)


@given(keys, st.booleans(), st.randoms())
def test_sorted_rows_are_what_a_stable_sort_gives(key: np.ndarray, descending: bool, random: object) -> None:
    rows = np.arange(len(key))
    random.shuffle(rows)  # pyright: ignore[reportAttributeAccessIssue]
    sign = -1 if descending else 1
    expected = sorted(rows.tolist(), key=lambda row: (bool(np.isnan(key[row])), sign * np.nan_to_num(float(key[row]))))
    assert sorted_rows(rows, key, descending).tolist() == expected
