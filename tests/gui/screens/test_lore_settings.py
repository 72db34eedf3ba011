"""The settings of a scan: what is shown is what is set, and each change is told as a whole."""

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from inspector.gui.screens.memories.lore_settings import NUMBERS, TRUTHS, LoreSettingsButton, summary
from inspector.gui.screens.memories.lore_view import LoreView
from inspector.gui.theme import apply_theme
from inspector.retrieval.lore.settings import AS_NATIVE, LoreSettings

CHOSEN = LoreSettings(
    depth=2,
    case_sensitive=True,
    whole_words=True,
    include_names=True,
    recursive=True,
    max_steps=3,
    min_activations=5,
    min_activations_depth=50,
    group_scoring=True,
    budget_percent=25,
    budget_cap=900,
)


@pytest.fixture
def button(qtbot: QtBot, qapp: QApplication) -> LoreSettingsButton:
    apply_theme(qapp, "light")
    made = LoreSettingsButton()
    qtbot.addWidget(made)
    return made


def told(button: LoreSettingsButton) -> list[LoreSettings]:
    asked: list[LoreSettings] = []
    button.settings_changed.connect(asked.append)
    return asked


def test_settings_are_shown_and_nothing_is_told(button: LoreSettingsButton) -> None:
    asked = told(button)
    button.show_settings(CHOSEN)
    assert {name: field.value() for name, field in button.numbers.items()} == {
        name: getattr(CHOSEN, name) for name, *_ in NUMBERS
    }
    assert all(button.truths[name].isChecked() for name, *_ in TRUTHS)
    assert (button.share.value(), button.text()) == (25, "Reads 2 messages and active entries within a budget")
    assert asked == []


def test_every_setting_can_be_changed(button: LoreSettingsButton) -> None:
    asked = told(button)
    for name, field in button.numbers.items():
        button.show_settings(AS_NATIVE)
        field.setValue(field.value() + 7)
        assert asked[-1] == LoreSettings(**{**vars(AS_NATIVE), name: getattr(AS_NATIVE, name) + 7})
    for name, box in button.truths.items():
        button.show_settings(AS_NATIVE)
        box.click()
        assert asked[-1] == LoreSettings(**{**vars(AS_NATIVE), name: True})
    button.show_settings(AS_NATIVE)
    button.share.setValue(12.5)
    assert asked[-1] == LoreSettings(budget_percent=12.5)
    button.show_settings(asked[-1])
    button.share.setValue(0)
    assert asked[-1] == AS_NATIVE


def test_no_setting_is_left_out(button: LoreSettingsButton) -> None:
    offered = {name for name, *_ in (*NUMBERS, *TRUTHS)} | {"budget_percent"}
    assert offered == set(vars(AS_NATIVE))


def test_the_summary_is_short() -> None:
    assert summary(AS_NATIVE) == "Reads 4 messages"
    assert summary(LoreSettings(depth=1)) == "Reads 1 message"


def test_the_panel_passes_on_what_is_wanted(qtbot: QtBot, qapp: QApplication) -> None:
    view = LoreView()
    qtbot.addWidget(view)
    asked: list[LoreSettings] = []
    view.settings_changed.connect(asked.append)
    view.settings.truths["recursive"].click()
    QTest.qWait(0)
    assert asked == [LoreSettings(recursive=True)]
