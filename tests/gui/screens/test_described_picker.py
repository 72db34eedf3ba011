"""Policies and presets are chosen from tables that say what each does and whose it is."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from inspector.assembly.policy import traits_of
from inspector.assembly.presets import load_presets
from inspector.gui.parts.policy_box import DescribedPicker, PolicyBox
from inspector.plugins import policies

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def box(qtbot: QtBot) -> Iterator[PolicyBox]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1200, 700)
    box = PolicyBox(window)
    box.resize(320, 120)
    box.set_policies(policies()[0], load_presets())
    box.show_choice("ratio", "document")
    window.show()
    qtbot.waitExposed(window)
    yield box
    window.close()


def opened(picker: QComboBox) -> DescribedPicker:
    assert isinstance(picker, DescribedPicker)
    picker.showPopup()
    return picker


def test_every_policy_says_what_it_does_and_whose_it_is(box: PolicyBox) -> None:
    picker = opened(box.policy_picker)
    choices = picker.chooser.found.choices()
    assert {choice.thing for choice in choices} == set(policies()[0])
    groups = [choice.cells[1] for choice in choices]
    assert list(dict.fromkeys(groups)) == ["program", "library", "design"]
    assert groups == sorted(groups, key=["program", "library", "design"].index)
    assert all(all(choice.cells) for choice in choices)
    marked = picker.chooser.found.list.currentIndex()
    assert marked.data(Qt.ItemDataRole.UserRole).thing == "ratio"
    picker.chooser.close()


def test_the_policy_of_the_file_s_program_is_first_until_there_is_none(box: PolicyBox) -> None:
    for own, first in (
        ("jan", ("jan", "this file")),
        ("ratio", ("ratio", "this file")),
        ("", ("sillytavern", "program")),
    ):
        box.show_own(own)
        choice = opened(box.policy_picker).chooser.found.choices()[0]
        assert (choice.thing, choice.cells[1]) == first
        box.policy_picker.hidePopup()


def test_a_policy_is_had_by_a_word_of_whose_it_is(box: PolicyBox, qtbot: QtBot) -> None:
    told: list[str] = []
    box.policy_chosen.connect(told.append)
    picker = opened(box.policy_picker)
    qtbot.keyClicks(picker.chooser.found.line, "whisper")
    qtbot.keyClick(picker.chooser.found.line, Qt.Key.Key_Return)
    assert told == ["adaptive"]
    assert picker.currentData() == "adaptive"


def test_a_preset_is_had_by_its_title_and_escape_changes_nothing(box: PolicyBox, qtbot: QtBot) -> None:
    told: list[str] = []
    box.preset_chosen.connect(told.append)
    picker = opened(box.preset_picker)
    qtbot.keyClick(picker.chooser.found.line, Qt.Key.Key_Down)
    qtbot.keyClick(picker.chooser.found.line, Qt.Key.Key_Escape)
    assert told == []
    opened(box.preset_picker)
    qtbot.keyClicks(picker.chooser.found.line, "memory first")
    qtbot.keyClick(picker.chooser.found.line, Qt.Key.Key_Return)
    assert told == ["memory-first"]


def test_a_variant_is_of_the_same_maker_as_its_policy() -> None:
    known = policies()[0]
    for (name, _), preset in load_presets().items():
        own, variant = traits_of(known[name]()), traits_of(preset.kind(known[name])())
        assert (variant.title, variant.whose) == (own.title, own.whose)


def test_a_picker_that_is_opened_again_has_an_empty_line_without_a_cross(box: PolicyBox, qtbot: QtBot) -> None:
    line = opened(box.policy_picker).chooser.found.line
    cross = line.findChild(QToolButton)
    assert cross is not None
    qtbot.waitUntil(lambda: not cross.isVisible())
    qtbot.keyClicks(line, "whisper")
    qtbot.waitUntil(cross.isVisible)
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    opened(box.policy_picker)
    assert not line.text()
    qtbot.waitUntil(lambda: not cross.isVisible())
