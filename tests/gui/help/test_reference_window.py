"""Help ▸ Reference has everything that is declared, and shows it as it is searched."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from inspector.assembly.finding_kinds import FINDING_KINDS
from inspector.assembly.policy import parameters_of, policy_title
from inspector.assembly.presets import load_presets
from inspector.gui.help.reference import ReferenceDialog
from inspector.gui.main_window import MainWindow
from inspector.gui.table.filter_fields import FIELDS
from inspector.gui.theme import theme
from inspector.plugins import formats, policies

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def open_reference(window: MainWindow) -> ReferenceDialog:
    window.do("reference")
    dialog = window.findChild(QDialog, "reference_dialog")
    assert isinstance(dialog, ReferenceDialog)
    return dialog


def test_everything_that_is_declared_is_in_it(companion: MainWindow) -> None:
    dialog = open_reference(companion)
    keys = {choice.key for choice in dialog.found.choices()}
    assert len(keys) == len(dialog.found.choices())
    assert {f"Policy:{policy_title(name, kind)}" for name, kind in policies()[0].items()} <= keys
    declared = (
        (policy_title(name, kind), parameter)
        for name, kind in policies()[0].items()
        for parameter in parameters_of(kind)
    )
    assert {f"Parameter:{title}: {parameter.label}" for title, parameter in declared} <= keys
    assert {f"Preset:{policy}, {preset.title}" for (policy, _), preset in load_presets().items()} <= keys
    assert {f"Finding:{kind.code}" for kind in FINDING_KINDS} <= keys
    assert {f"Format:{each.name}" for each in formats()[0]} <= keys
    assert {f"Filter field:{name}" for name in FIELDS} <= keys
    assert {"Tokenizer:embedded:qwen2.5", "Tokenizer:estimate:chorus"} <= keys
    dialog.close()


def test_what_is_searched_is_shown_in_the_colours_of_the_theme(companion: MainWindow, qtbot: QtBot) -> None:
    dialog = open_reference(companion)
    qtbot.keyClicks(dialog.found.line, "over_window finding")
    text = dialog.page.toPlainText()
    assert "Take a larger window" in text
    assert theme().muted_text.name() in dialog.page.toHtml()
    qtbot.keyClick(dialog.found.line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(dialog.found.line, "system_overflow")
    assert dialog.page.toPlainText().startswith("Parameter\nRatio: Larger system prompt")
    dialog.close()


def test_in_a_narrow_window_no_word_of_an_article_is_broken(companion: MainWindow, qtbot: QtBot) -> None:
    dialog = open_reference(companion)
    dialog.resize(620, 340)
    qtbot.keyClicks(dialog.found.line, "Fixed slots sets aside")
    assert "presets" in dialog.page.toPlainText()
    qtbot.waitUntil(lambda: not broken_words(dialog))
    assert dialog.page.horizontalScrollBar().maximum() == 0
    dialog.close()


def broken_words(dialog: ReferenceDialog) -> list[str]:
    """Words of the article that go on in another line."""
    document, broken = dialog.page.document(), []
    block = document.begin()
    while block.isValid():
        lines, text = block.layout(), block.text()
        ends = (lines.lineAt(n).textStart() for n in range(1, lines.lineCount()))
        broken += [text[at - 1 : at + 1] for at in ends if text[at - 1 : at + 1].isalnum()]
        block = block.next()
    return broken
