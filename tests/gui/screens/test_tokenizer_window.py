"""The tokenizer comparison in the window: asked for when it comes into sight, counted on a worker, put to use."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from inspector.analysis.tokenizers.ask import TokenizerComparison
from inspector.assembly.edits import use_window
from inspector.gui.main_window import MainWindow
from inspector.gui.screens.tokenizers.view import BY_ITEM
from inspector.model import Conversation, Message, Workspace
from inspector.resources import samples_folder


def shown(window: MainWindow) -> TokenizerComparison:
    comparison = window.screens["tokenizers"].view._comparison
    assert comparison is not None
    return comparison


def bring_up(qtbot: QtBot, window: MainWindow) -> None:
    window.show_screen("tokenizers")
    qtbot.waitUntil(lambda: is_settled(window))


def is_settled(window: MainWindow) -> bool:
    view = window.screens["tokenizers"].view
    return view._comparison is not None and not view._rest.isActive() and window.session.is_ready


def test_it_is_counted_when_it_comes_into_sight_and_follows_the_scenario(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    folder = samples_folder()
    window = opened(folder / "multilingual.workspace.yaml", scenario=folder / "multilingual.scenario.yaml")
    assert window.screens["tokenizers"].view._comparison is None, "nobody has looked yet"
    bring_up(qtbot, window)
    first = shown(window)
    assert all(column.tokens is not None for column in first.columns)
    assert first.reference is not None
    assert first.reference.name == "embedded:qwen2.5"
    assert first.disputed > 0
    window.session.edit(use_window, 900_000)
    qtbot.waitUntil(lambda: shown(window) is not first and is_settled(window))
    assert shown(window).disputed == 0


def test_a_row_is_selected_everywhere_and_use_changes_the_scenario(
    qtbot: QtBot, opened: Callable[..., MainWindow]
) -> None:
    folder = samples_folder()
    window = opened(folder / "multilingual.workspace.yaml", scenario=folder / "multilingual.scenario.yaml")
    bring_up(qtbot, window)
    view = window.screens["tokenizers"].view
    view.pages.choose(BY_ITEM)
    row = int(np.argmax(shown(window).dissent))
    view.select_row(row)
    assert window.row == row
    assert window.screens["decisions"].view.selected_rows() == [row]
    button = view.findChild(QToolButton, "use:estimate:chorus")
    assert isinstance(button, QToolButton)
    view.table.horizontalScrollBar().setValue(view.table.horizontalScrollBar().maximum())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.session.scenario.tokenizer == "estimate:chorus"
    qtbot.waitUntil(lambda: shown(window).columns[0].name == "estimate:chorus" and is_settled(window))
    reference = shown(window).reference
    assert reference is not None
    assert reference.name == "embedded:qwen2.5", "the model's own stays what the others are compared with"
    window.session.undo_stack.undo()
    assert window.session.scenario.tokenizer == "auto"


def test_cancel_stops_between_two_parts_of_a_column(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = opened()
    messages = tuple(Message(f"m{n}", "user", f"word {n} " + "and more " * 60) for n in range(40_000))
    window.session.show_workspace(Workspace(conversations=(Conversation("c1", messages),)))
    window.show_screen("tokenizers")
    qtbot.waitUntil(lambda: window.session.tasks.is_running("tokenizers"))
    window.session.cancel_work()
    assert not window.session.tasks.is_running("tokenizers")
    qtbot.waitUntil(lambda: not window.session.tasks._running)


def test_what_is_counted_meanwhile_does_not_start_it_again(qtbot: QtBot, opened: Callable[..., MainWindow]) -> None:
    window = opened(samples_folder() / "companion.workspace.yaml")
    bring_up(qtbot, window)
    answer = window.session.answer
    with qtbot.assertNotEmitted(window.screens["tokenizers"].view.requested, wait=500):
        window._show_answer(answer, answer)
