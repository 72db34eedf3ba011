import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from cells import texts
from PySide6.QtWidgets import QComboBox
from pytestqt.qtbot import QtBot

from inspector.assembly.budget import ContextWindow
from inspector.assembly.candidates import Candidates
from inspector.assembly.decisions import Assembly
from inspector.gui.main_window import MainWindow
from inspector.plugins import POLICY_GROUP
from inspector.resources import samples_folder


@dataclass(frozen=True)
class Raising:
    """Raises at every step."""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        raise ZeroDivisionError("no shares at all")


@dataclass(frozen=True)
class Ending:
    """Would end the program."""

    def __call__(self, candidates: Candidates, window: ContextWindow) -> Assembly:
        sys.exit(3)


@pytest.fixture
def window(opened: Callable[..., MainWindow], install: Callable[..., None]) -> MainWindow:
    install(POLICY_GROUP, mine=f"{__name__}:Raising", ending=f"{__name__}:Ending")
    return opened(samples_folder() / "companion.workspace.yaml")


def test_the_window_outlives_a_broken_policy_and_keeps_the_last_good_picture(qtbot: QtBot, window: MainWindow) -> None:
    picker, model = window.findChild(QComboBox, "policy_picker"), window.screens["decisions"].view.table.array_model
    assert isinstance(picker, QComboBox)
    before = texts(model, "outcome")
    for name, why in (("mine", "ZeroDivisionError: no shares at all"), ("ending", "EndingError: SystemExit(3)")):
        picker.setCurrentText(name)
        qtbot.waitUntil(lambda name=name: window.session.scenario.policy == name and window.session.is_ready)
        answer = window.session.answer
        assert answer is not None
        assert answer.assembly.error is not None
        assert answer.assembly.error.code == "policy_broken"
        said = window.screens["decisions"].view._trouble.text()
        assert said == f"The policy {name} is broken: {why}"
        assert texts(model, "outcome") == before
    window.session.undo_stack.undo()
    window.session.undo_stack.undo()
    qtbot.waitUntil(lambda: window.session.is_ready and not window.screens["decisions"].view._trouble.text())
    assert window.session.answer is not None
    assert window.session.answer.assembly.error is None
