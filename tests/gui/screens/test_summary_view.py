"""The summary view: what it lists, what it marks as lost, and what it asks of others."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from answers import pipeline_for
from cells import texts
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.analysis.basis import Basis
from inspector.analysis.fidelity.ask import SummaryTable, count_summaries, summary_tables
from inspector.analysis.fidelity.tables import SOURCE_SENTENCES, SUMMARIES, SUMMARY_COLUMNS
from inspector.assembly.lacking import make_all
from inspector.assembly.replacements import SummarySource
from inspector.assembly.scenario import Scenario
from inspector.gui.palettes import contrast
from inspector.gui.screens.summaries.pair import lost_ground
from inspector.gui.screens.summaries.view import METHODS, NO_SUMMARIES, NOTHING_OPEN, SummaryModel, SummaryView
from inspector.gui.theme import apply_theme, theme
from inspector.model import Message
from inspector.tables import Face

MESSAGES = (
    Message(
        "m0", "user", "😀 We met Anna in Lisbon on 5 March. It was fine. Then it rained\u202e and rained all day long."
    ),
    Message("m1", "assistant", "That is fine.", summary="It is fine, said the assistant to us"),
    Message("m2", "user", "She has 3 boats, and 12 cats.", summary="She has 12 cats."),
    Message("m3", "assistant", "so it goes"),
)
SELECTIVE = {"selective": True, "recent_messages": 0, "min_exchanges": 0}
KEYS = {column.title: column.key for column in SUMMARY_COLUMNS if column.faces & Face.WINDOW}


def scenario(**fields: object) -> Scenario:
    return replace(Scenario(tokenizer="estimate:words", context_window=1000, summary_tokens=8), **fields)


def table_of(wanted: Scenario, messages: Sequence[Message] = MESSAGES, counted: bool = True) -> SummaryTable:
    pipeline = pipeline_for(messages)
    if counted:
        make_all(pipeline, wanted)
        count_summaries(pipeline, pipeline.case(wanted))
    *_, table = summary_tables(Basis(pipeline, wanted))
    assert isinstance(table, SummaryTable)
    return table


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> SummaryView:
    apply_theme(qapp, "light")
    made = SummaryView()
    qtbot.addWidget(made)
    made.resize(1200, 300)
    return made


def shown(view: SummaryView, title: str) -> list[str]:
    return texts(view.table.array_model, KEYS[title])


def test_a_row_for_each_message_with_what_it_saves_and_keeps(view: SummaryView) -> None:
    view.show_table(table_of(scenario(parameters=SELECTIVE, summaries="extractive")))
    assert shown(view, "#") == ["1", "2", "3"]
    assert shown(view, "Source") == ["extractive", "file", "file"]
    assert shown(view, "Original")[1:] == ["≈ 3", "≈ 7"]
    assert shown(view, "Tokens")[1:] == ["≈ 9", "≈ 5"]
    assert shown(view, "Saved")[1:] == ["+6", "2"]
    assert shown(view, "Facts kept")[1:] == ["–", "50.0 %"]
    assert shown(view, "Outcome") == ["≈ summarized"] * 3
    assert view.totals.text().startswith("3 messages summarized · ")
    assert view.totals.text().endswith("facts kept")


def test_what_would_be_summarized_and_what_is_not_counted(view: SummaryView) -> None:
    view.show_table(table_of(scenario(), counted=False))
    assert shown(view, "#") == ["2", "3"]
    assert view.totals.text().startswith("None in this prompt; 2 messages would be · ≈ ")
    assert shown(view, "Tokens")[0].startswith("≈ ")


def test_the_table_writes_the_file_of_the_command(view: SummaryView) -> None:
    table = table_of(scenario(parameters=SELECTIVE, summaries="extractive"))
    view.show_table(table)
    rows = list(view.table.array_model.records())
    assert rows == list(SUMMARIES.records(table))
    assert [row["fidelity"] for row in rows][1:] == [None, 0.5]


def test_columns_sort_by_their_numbers(view: SummaryView) -> None:
    view.show_table(table_of(scenario(parameters=SELECTIVE, summaries="extractive")))
    view.table.sort_by("saved")
    assert shown(view, "#")[0] == "2"
    view.table.sort_by("fidelity", Qt.SortOrder.DescendingOrder)
    assert shown(view, "#")[-1] == "2"


def test_the_chosen_message_stands_beside_its_summary(view: SummaryView, qtbot: QtBot) -> None:
    table = table_of(scenario(parameters=SELECTIVE))
    view.show_table(table)
    assert view.pair.original_title.text().startswith("Message 1 · "), "the first, until another is chosen"
    with qtbot.waitSignal(view.row_selected) as told:
        view.select_row(int(table.rows[2]))
    assert told.args == [int(table.rows[2])]
    assert view.pair.original.toPlainText() == MESSAGES[2].content
    assert view.pair.summary.toPlainText() == "She has 12 cats."
    assert view.pair.original_title.text() == "Message 3 · ≈ 7 tokens"
    assert SOURCE_SENTENCES[SummarySource.FILE] in view.pair.summary_title.text()
    assert view.pair.losses.text() == "1 of 2 facts kept. Lost: 1 number (3)"


def marked(view: SummaryView) -> list[str]:
    return [selection.cursor.selectedText() for selection in view.pair.original.extraSelections()]


def test_lost_facts_are_marked_where_they_stand_after_unseen_characters_too(view: SummaryView) -> None:
    text = "😀 \u202eWe met Anna in Lisbon,\r\nwith “a nice cat, 7 years”.\tThen Bob. fin"
    table = table_of(scenario(), [Message("m0", "user", text, summary="Anna")])
    view.show_table(table)
    view.select_row(int(table.rows[0]))
    assert marked(view) == ["Lisbon", "“a nice cat, 7 years”", "7", "Bob"]
    assert view.pair.losses.text().endswith(
        "Lost: 2 names (Lisbon, Bob), 1 quotation (“a nice cat, 7 years”), 1 number (7)"
    )


def test_nothing_lost_and_nothing_to_lose(view: SummaryView) -> None:
    messages = [
        Message("m0", "user", "there are 12 cats here", summary="12 cats"),
        Message("m1", "user", "there are cats", summary="cats"),
    ]
    table = table_of(scenario(), messages)
    view.show_table(table)
    view.select_row(int(table.rows[0]))
    assert (view.pair.losses.text(), marked(view)) == ("Nothing was lost of 1 fact.", [])
    view.select_row(int(table.rows[1]))
    assert "has no names, numbers" in view.pair.losses.text()


def test_the_choice_follows_its_message_through_other_answers(view: SummaryView) -> None:
    table = table_of(scenario(parameters=SELECTIVE))
    view.show_table(table)
    view.select_row(int(table.rows[2]))
    view.show_table(table_of(scenario()))
    assert view.pair.original.toPlainText() == MESSAGES[2].content
    view.show_table(None)
    assert view.pair.original.toPlainText() == ""


def test_the_picker_asks_and_shows_without_asking(view: SummaryView, qtbot: QtBot) -> None:
    told: list[object] = []
    view.method_chosen.connect(told.append)
    view.tokens_chosen.connect(told.append)
    view.show_setting(scenario(summaries="extractive", summary_tokens=40), "")
    assert view.method.currentData() == "extractive"
    assert (view.tokens.value(), view.tokens.isHidden(), view.trouble.isHidden()) == (40, False, True)
    view.show_setting(scenario(), "")
    assert view.method.currentIndex() == 0
    assert view.tokens.isHidden()
    assert told == []
    view.show_setting(scenario(summaries="endpoint"), "It refuses the key.")
    assert view.trouble.text() == "It refuses the key."
    view.method.setFocus()
    qtbot.keyClick(view.method, Qt.Key.Key_Up)
    assert told == ["extractive"]
    view.tokens.setValue(55)
    assert told == ["extractive", 55]
    view.method.activated.emit(0)
    assert told[-1] is None
    assert [name for name, _, _ in METHODS] == [None, "extractive", "endpoint"]


def test_empty_states_say_what_to_do(view: SummaryView) -> None:
    view.show()
    assert view._pages.currentIndex() == 1
    assert view._empty._sentence.text() == NOTHING_OPEN
    view.show_table(table_of(scenario(), [Message("m0", "user", "hello")]))
    assert view._pages.currentIndex() == 1
    assert view._empty._sentence.text() == NO_SUMMARIES
    assert view.totals.text() == ""
    view.show_table(table_of(scenario()))
    assert view._pages.currentIndex() == 0


def test_it_asks_only_while_somebody_looks(view: SummaryView, qtbot: QtBot) -> None:
    asked: list[None] = []
    view.requested.connect(lambda: asked.append(None))
    view.refresh()
    qtbot.wait(350)
    assert asked == []
    view.show()
    qtbot.waitUntil(lambda: len(asked) == 1)
    view.show_table(table_of(scenario()))
    view.refresh()
    assert view.table.painter.dimmed
    qtbot.waitUntil(lambda: len(asked) == 2)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_what_is_marked_can_be_read_in_both_themes(qapp: QApplication, name: str) -> None:
    apply_theme(qapp, name)  # type: ignore[arg-type]
    assert contrast(theme().text, lost_ground()) >= 4.5
    assert contrast(QColor(theme().base), lost_ground()) > 1.15
    apply_theme(qapp, "light")


def test_everything_to_act_on_has_a_name(view: SummaryView) -> None:
    for widget in (view.method, view.tokens, view.table, view.pair.original, view.pair.summary):
        assert widget.accessibleName()
        assert widget.objectName()
    assert isinstance(view.table.model(), SummaryModel)
